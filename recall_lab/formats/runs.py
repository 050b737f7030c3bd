"""Reading runs: TREC lines, tables ``query_id,doc_id,score``, JSON lines with ``retrieved_ids``.

The content says which, not the file's name.
"""

from __future__ import annotations

import importlib.util
import os
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from numbers import Integral

import numpy as np

from recall_lab.errors import RecallLabError
from recall_lab.formats import jsonl, tables, trec
from recall_lab.formats.columns import RunColumns
from recall_lab.formats.fast import FieldPlan, fast_rows
from recall_lab.formats.parallel import with_results
from recall_lab.formats.rows import Duplicates, Rows, check_duplicates, rows_from, run_in_pieces, whole_run
from recall_lab.formats.text import Block, Line, TextFile
from recall_lab.formats.values import BadValue, read_rank, read_score, split_fields

Row = tuple[str, str, float, float]
"""Query, document, score, rank (0 where the format has none)."""

LARGE_FILE_LINES = 200_000
"""A file this long is worth polars' start, where it is installed."""

_LINES_AT_A_TIME = 10_000

_WANTED = (
    "a run is TREC lines (query Q0 document rank score tag), a table under the header query_id,doc_id,score, "
    'or JSON lines {"query_id": …, "retrieved_ids": […]}'
)
_TABLE_WANTED = "write the header query_id,doc_id,score as the first line"


@dataclass(frozen=True)
class _Layout:
    """How to read the lines of a run: one by one, and where possible a block at a time."""

    read_line: Callable[[Line], Row]
    plan: FieldPlan
    name: str


def read_run(
    path: str | os.PathLike[str], *, duplicates: Duplicates = "error", extra_words: bool = False
) -> RunColumns:
    """Read a whole run.

    Parameters
    ----------
    path : a TREC run, a CSV or TSV table, or JSON lines; plain or gzip.
    duplicates : what to do with a document that stands twice for a query: ``"error"``, or ``"keep-best"`` to
        keep its best score and say how many fell.
    extra_words : accept words after the tag of a TREC line.

    Raises
    ------
    InputFileError : the file cannot be read as a run; names the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "my.run"
    >>> _ = path.write_text("q1 Q0 d3 1 9.5 bm25\\nq1 Q0 d1 2 7 bm25\\n")
    >>> run = read_run(path)
    >>> run.query_ids, run.documents, run.scores.tolist(), run.name
    (['q1'], ['d3\\nd1'], [9.5, 7.0], 'bm25')
    """
    chosen = check_duplicates(duplicates)
    with TextFile(path) as file:
        rows, name = _rows(file, extra_words)
        return whole_run(file, rows, name, chosen)


def read_run_in_pieces(
    path: str | os.PathLike[str],
    *,
    rows: int = 1_000_000,
    duplicates: Duplicates = "error",
    extra_words: bool = False,
) -> Iterator[RunColumns]:
    """Read a run larger than memory in pieces that hold whole queries.

    Parameters
    ----------
    path, duplicates, extra_words : as for `read_run`.
    rows : a piece holds at least so many rows, but for the last.

    Yields
    ------
    RunColumns : consecutive queries; the notices of the last piece also hold those about the file.

    Raises
    ------
    InputFileError : as `read_run`; also when a query comes back after another one began.
    """
    chosen = check_duplicates(duplicates)
    if not isinstance(rows, Integral) or isinstance(rows, bool) or rows < 1:
        raise RecallLabError(f"rows is a whole number of at least 1, not {rows!r}")
    with TextFile(path) as file:
        blocks, name = _rows(file, extra_words)
        yield from run_in_pieces(file, blocks, name, chosen, rows)


def _rows(file: TextFile, extra_words: bool) -> tuple[Iterator[Rows], str]:
    """The rows of a run, block by block, and its name."""
    line = file.first_line()
    stem = file.name.removesuffix(".gz").rsplit(".", 1)[0]
    if jsonl.looks_like_json(line[1]):
        return _json_rows(file), stem
    layout = _layout(file, line, extra_words, stem)
    return _rows_of_lines(file, layout), layout.name


def _rows_of_lines(file: TextFile, layout: _Layout) -> Iterator[Rows]:
    """The rows of the lines, a block at a time; what cannot go a fast way goes through the line reader."""
    for block, rows in with_results(file.blocks(), lambda block: _block_rows(block, layout.plan)):
        if rows is not None:
            yield rows
        else:
            yield from _line_rows(file, block, layout)


def _block_rows(block: Block, plan: FieldPlan) -> Rows | None:
    """The rows of a block if one of the fast ways takes it."""
    polars_rows = _polars_reader() if block.first_line > LARGE_FILE_LINES else None
    rows = polars_rows(block, plan) if polars_rows is not None else None
    return fast_rows(block, plan) if rows is None else rows


@cache
def _polars_reader() -> Callable[[Block, FieldPlan], Rows | None] | None:
    """The polars way, if the extra ``scale`` is installed."""
    if importlib.util.find_spec("polars") is None:
        return None
    return importlib.import_module("recall_lab.formats.fast_polars").polars_rows


def _line_rows(file: TextFile, block: Block, layout: _Layout) -> Iterator[Rows]:
    """The line reader: slower, and the one that knows the grammar."""
    lines = file.data_lines(block)
    while some := list(islice(lines, _LINES_AT_A_TIME)):
        rows: list[Row] = []
        for line in some:
            try:
                rows.append(layout.read_line(line))
            except BadValue as bad:
                raise file.bad_line(bad, *line) from None
        queries, documents, scores, ranks = zip(*rows, strict=True)
        numbers = array("q", (number for number, _ in some))
        yield rows_from(queries, documents, scores, None if layout.plan.rank is None else ranks, numbers)


def _layout(file: TextFile, line: Line, extra_words: bool, stem: str) -> _Layout:
    header = tables.read_header(line[1])
    if header is not None:
        return _table(file, header, stem)
    fields = split_fields(line[1])
    if (way_out := tables.unknown_header(line[1])) is not None:
        raise file.error(
            tables.UNKNOWN_HEADER, line=line[0], text=line[1], hint=f"{way_out}; {_TABLE_WANTED}"
        )
    if len(fields) < trec.RUN_FIELDS:
        for separator in ("\t", ","):
            if _is_nameless_table(line[1], separator):
                file.notice(
                    "no-header", "it has no header; the columns were taken as query_id, doc_id and score"
                )
                return _plain_table(file, separator, stem)
        if any(sign in fields[0] for sign in ",;"):
            raise file.error(
                tables.UNKNOWN_HEADER,
                line=line[0],
                text=line[1],
                hint=_TABLE_WANTED,
            )
    tag = fields[trec.RUN_FIELDS - 1] if len(fields) >= trec.RUN_FIELDS else stem
    return _Layout(
        lambda line: trec.run_line(file, line, extra_words),
        FieldPlan(trec.RUN_FIELDS, b" \t", query=0, document=2, score=4, rank=3),
        tag,
    )


def _is_nameless_table(text: str, separator: str) -> bool:
    try:
        cells = tables.split_cells(text, separator)
        if len(cells) != 3 or cells[1] == "Q0":
            return False
        read_score(cells[2].strip(" "))
    except BadValue:
        return False
    return True


def _plain_table(file: TextFile, separator: str, stem: str) -> _Layout:
    return _table_layout(file, tables.Header(separator, ("query_id", "doc_id", "score")), 0, 1, 2, None, stem)


def _table(file: TextFile, header: tables.Header, stem: str) -> _Layout:
    number, text = file.take_first_line()
    query, document = header.find(tables.QUERY), header.find(tables.DOCUMENT)
    score, rank = header.find(tables.SCORE), header.find(tables.RANK)
    if header.find((*tables.RELEVANT, *tables.BEIR_DOCUMENT, *tables.GRADE)) is not None:
        raise file.error(
            "these are the columns of judgments, not of a run",
            line=number,
            text=text,
            hint=f"judgments and run may be swapped; {_WANTED}",
        )
    if query is None or document is None or score is None:
        raise file.error(
            "the header does not name query_id, doc_id and score",
            line=number,
            text=text,
            hint=tables.unknown_header(text) or _WANTED,
        )
    tables.note_header(file, header, number, {query, document, score, rank})
    return _table_layout(file, header, query, document, score, rank, stem)


def _table_layout(
    file: TextFile,
    header: tables.Header,
    query: int,
    document: int,
    score: int,
    rank: int | None,
    stem: str,
) -> _Layout:
    def read_line(line: Line) -> Row:
        cells = header.cells(line[1])
        return (
            tables.id_cell(file, line[0], cells[query], "query"),
            tables.id_cell(file, line[0], cells[document], "document"),
            read_score(cells[score].strip(" ")),
            0.0 if rank is None else read_rank(cells[rank].strip(" ")),
        )

    separators = header.separator.encode() or b" \t"
    return _Layout(read_line, FieldPlan(len(header.names), separators, query, document, score, rank), stem)


def _json_rows(file: TextFile) -> Iterator[Rows]:
    first_lines: dict[str, int] = {}
    for block in file.blocks():
        queries: list[str] = []
        lists: list[list[str]] = []
        lines: list[int] = []
        for number, text in file.data_lines(block):
            try:
                query, documents = _json_line(file, number, text)
            except BadValue as bad:
                raise file.bad_line(bad, number, text) from None
            earlier = first_lines.setdefault(query, number)
            if earlier != number:
                raise file.error(
                    f"query {query!r} stands twice, first on line {earlier}",
                    line=number,
                    hint="give each query one line with its whole list",
                )
            queries.append(query)
            lists.append(documents)
            lines.extend([number] * len(documents))
        yield Rows(
            queries,
            [len(documents) for documents in lists],
            ["\n".join(documents) for documents in lists],
            [len(set(documents)) < len(documents) for documents in lists],
            np.concatenate(
                [np.arange(len(documents), 0, -1, dtype=np.float64) for documents in [[], *lists]]
            ),
            None,
            lines,
        )


def _json_line(file: TextFile, number: int, text: str) -> tuple[str, list[str]]:
    record = jsonl.read_object(text)
    if "relevant_ids" in record and "retrieved_ids" not in record:
        raise BadValue("these are relevant ids, not results", f"judgments and run may be swapped; {_WANTED}")
    query = jsonl.read_id(file, number, jsonl.field(record, "query_id"), "query")
    documents = jsonl.as_ids(jsonl.field(record, "retrieved_ids"), "retrieved_ids")
    jsonl.note_keys(file, number, record, {"query_id", "retrieved_ids"})
    return query, [jsonl.read_id(file, number, document, "document") for document in documents]
