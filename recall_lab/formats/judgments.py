"""Reading judgments: TREC qrels, BEIR tables, golden sets as tables or JSON lines. The content says which."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from recall_lab.errors import InputFileError
from recall_lab.formats import jsonl, tables, trec
from recall_lab.formats.columns import Judgments
from recall_lab.formats.fast import FieldPlan, fast_judgments
from recall_lab.formats.text import Block, Line, TextFile
from recall_lab.formats.values import BadValue, read_grade, split_fields
from recall_lab.notices import Notice

Judgment = tuple[str, str, int, bool]
"""Query, document, grade, and whether the grade was written as a decimal."""

_WANTED = (
    "judgments are TREC lines (query iteration document grade), a table under the header "
    "query-id corpus-id score or query_id,relevant_ids, or JSON lines "
    '{"query_id": …, "relevant_ids": […]}'
)
_TABLE_WANTED = (
    "write the header query_id,relevant_ids (ids set apart by |, as in q1,d1|d2) or "
    "query_id,doc_id,grade as the first line"
)
_OTHER_ID_SEPARATOR = ";"
_UNCLEAR_ID_SEPARATORS = ", \t"
# A list as Python or JSON writes it. An id may be called [1], so brackets alone do not make a list.
_WRITTEN_LIST = re.compile(r"""set\(\)|[\[({]\s*(?:b?['"].*['"]\s*,?\s*)?[\])}]|[\[{].*,.*[\]}]""", re.DOTALL)
# A quoted cell that runs on beyond either is a stray quote.
_LONGEST_CELL_LINES = 200
_LONGEST_CELL = 1_000_000


def read_judgments(path: str | os.PathLike[str]) -> Judgments:
    """Read judgments, whatever their layout.

    Parameters
    ----------
    path : TREC qrels, a BEIR table with or without header, or a golden set (CSV, TSV, JSON lines).

    Raises
    ------
    InputFileError : the file cannot be read as judgments; names the line, or both lines of a contradiction.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "golden.csv"
    >>> _ = path.write_text("query_id,relevant_ids,query\\n001,d1|d2,May I?\\n002,,Is there a pool?\\n")
    >>> found = read_judgments(path)
    >>> found.grades
    {'001': {'d1': 1, 'd2': 1}, '002': {}}
    >>> found.questions["002"], found.layout
    ('Is there a pool?', 'golden')
    """
    with TextFile(path) as file:
        line = file.first_line()
        collected = _Collected(file)
        if jsonl.looks_like_json(line[1]):
            layout = "golden"
            _read_json_lines(file, collected)
        elif (header := tables.read_header(line[1])) is not None:
            layout = _read_table(file, header, collected)
        elif (way_out := tables.unknown_header(line[1])) is not None:
            raise file.error(
                tables.UNKNOWN_HEADER, line=line[0], text=line[1], hint=f"{way_out}; {_TABLE_WANTED}"
            )
        elif (separator := _nameless_table(line[1])) is not None:
            layout = "beir"
            file.notice("no-header", "it has no header; the columns were taken as query, document and grade")
            _read_graded(
                file, tables.Header(separator, ("query_id", "corpus_id", "score")), (0, 1, 2), collected
            )
        elif len(fields := split_fields(line[1])) < trec.JUDGMENT_FIELDS and any(
            sign in fields[0] for sign in ",;"
        ):
            raise file.error(
                tables.UNKNOWN_HEADER,
                line=line[0],
                text=line[1],
                hint=_TABLE_WANTED,
            )
        else:
            layout = "trec"
            plan = FieldPlan(trec.JUDGMENT_FIELDS, b" \t", query=0, document=2, score=3, rank=None)
            collected.add_all(plan, lambda line: trec.judgment_line(file, line))
        return Judgments(collected.grades, collected.questions, layout, collected.notices())


class _Collected:
    """Judgments being gathered."""

    def __init__(self, file: TextFile) -> None:
        self.file = file
        self.grades: dict[str, dict[str, int]] = {}
        self.questions: dict[str, str] = {}

    def add_all(self, plan: FieldPlan, read_line: Callable[[Line], Judgment]) -> None:
        """Add every judgment of the file, a block at a time where that is safe, else line by line."""
        for block in self.file.blocks():
            judgments = fast_judgments(block, plan)
            if judgments is None:
                self._add_lines(block, read_line)
            else:
                for number, judgment in enumerate(judgments, block.first_line):
                    self._add(*judgment, number, read_line)

    def _add_lines(self, block: Block, read_line: Callable[[Line], Judgment]) -> None:
        for number, text in self.file.data_lines(block):
            try:
                query, document, grade, as_decimal = read_line((number, text))
            except BadValue as bad:
                raise self.file.bad_line(bad, number, text) from None
            if as_decimal:
                what = "grades written as decimals (1.0), read as whole numbers"
                self.file.count("grades-with-decimals", what, number, text)
            self._add(query, document, grade, number, read_line)

    def _add(
        self, query: str, document: str, grade: int, number: int, read_line: Callable[[Line], Judgment]
    ) -> None:
        judged = self.grades.setdefault(query, {})
        known = len(judged)
        other = judged.setdefault(document, grade)
        if other != grade:
            where = _where_else(self.file, (query, document, other), number, read_line)
            raise self.file.error(
                f"document {document!r} has grade {grade} for query {query!r}, and grade {other} {where}",
                line=number,
                hint="decide for one of the two grades",
            )
        if len(judged) == known:
            self._count_repeat(f"{query} {document} {grade}", number)

    def _count_repeat(self, judgment: str, number: int) -> None:
        self.file.count("judgment-repeated", "judgments that stand twice, counted once", number, judgment)

    def add_list(self, query: str, documents: list[str], number: int) -> None:
        if query in self.grades:
            self.file.count(
                "lines-joined", "queries on more than one line, whose ids were joined", number, query
            )
        judged = self.grades.setdefault(query, {})
        for document in documents:
            if document in judged:
                self._count_repeat(f"{query} {document}", number)
            judged[document] = 1

    def add_question(self, query: str, text: str, number: int) -> None:
        if self.questions.setdefault(query, text) != text:
            raise self.file.error(
                f"query {query!r} has two different texts",
                line=number,
                text=text,
                hint="give each question its own id",
            )

    def notices(self) -> list[Notice]:
        if not self.grades:
            raise self.file.error("there is a header and no judgment below it")
        return self.file.notices()


def _where_else(
    file: TextFile, judgment: tuple[str, str, int], before: int, read_line: Callable[[Line], Judgment]
) -> str:
    """The place of an earlier judgment, found by reading again; to keep all places would take much memory."""
    if os.path.isfile(file.path):  # a pipe cannot be read twice
        with TextFile(file.path) as again:
            for line in again.lines():
                try:
                    if line[0] < before and read_line(line)[:3] == judgment:
                        return f"on line {line[0]}"
                except BadValue:
                    continue  # the header
    return "on an earlier line"


def _nameless_table(text: str) -> str | None:
    """The separator of a three-column table without a header, if that is what the line comes from."""
    for separator in ("\t", ","):
        try:
            cells = tables.split_cells(text, separator)
            if len(cells) != 3 or cells[1] == "Q0" or not cells[1].strip(" "):
                continue
            read_grade(cells[2].strip(" "))
        except BadValue:
            continue
        return separator
    return None


def _read_table(file: TextFile, header: tables.Header, collected: _Collected) -> str:
    number, text = file.take_first_line()
    query, relevant = header.find(tables.QUERY), header.find(tables.RELEVANT)
    document = header.find((*tables.BEIR_DOCUMENT, *tables.DOCUMENT))
    grade = header.find(tables.GRADE)
    if grade is None and header.find(tables.BEIR_DOCUMENT) is not None:
        grade = header.find(tables.SCORE)
    if query is not None and relevant is not None:
        question = header.find(tables.QUESTION)
        tables.note_header(file, header, number, {query, relevant, question})
        _read_golden_table(file, header, (query, relevant, question), collected)
        return "golden"
    if query is not None and document is not None and grade is not None:
        tables.note_header(file, header, number, {query, document, grade})
        _read_graded(file, header, (query, document, grade), collected)
        return "beir"
    if document is not None and header.find(tables.SCORE) is not None:
        raise file.error(
            "these are the columns of a run, not of judgments",
            line=number,
            text=text,
            hint="judgments and run may be swapped; if they are judgments, name the third column grade",
        )
    raise file.error(
        "the header does not name the columns of judgments",
        line=number,
        text=text,
        hint=tables.unknown_header(text) or _WANTED,
    )


def _read_graded(
    file: TextFile, header: tables.Header, places: tuple[int, int, int], collected: _Collected
) -> None:
    query, document, grade = places

    def read_line(line: Line) -> Judgment:
        cells = header.cells(line[1])
        return (
            tables.id_cell(file, line[0], cells[query], "query"),
            tables.id_cell(file, line[0], cells[document], "document"),
            *read_grade(cells[grade].strip(" ")),
        )

    separators = header.separator.encode() or b" \t"
    collected.add_all(FieldPlan(len(header.names), separators, query, document, grade, None), read_line)


def _read_golden_table(
    file: TextFile, header: tables.Header, places: tuple[int, int, int | None], collected: _Collected
) -> None:
    query_place, relevant_place, question_place = places
    records: list[tuple[int, str, str]] = []
    for number, cells in _records(file, header):
        try:
            query = tables.id_cell(file, number, cells[query_place], "query")
        except BadValue as bad:
            raise file.bad_line(bad, number, cells[query_place]) from None
        _refuse_written_list(file, number, cells[relevant_place])
        records.append((number, query, cells[relevant_place]))
        if question_place is not None:
            collected.add_question(query, cells[question_place], number)
    separator = _id_separator(file, records)
    for number, query, cell in records:
        collected.add_list(query, _ids(file, number, cell, separator), number)


def _refuse_written_list(file: TextFile, number: int, cell: str) -> None:
    if "\n" in cell:
        raise file.error(
            "a line break in the list of relevant ids",
            line=number,
            text=cell,
            hint="set ids apart by |, as in d1|d2",
        )
    if _WRITTEN_LIST.fullmatch(cell.strip(" ")):
        raise file.error(
            "the relevant ids are a list as Python or JSON writes it, not ids set apart by |",
            line=number,
            text=cell,
            hint='join the ids with |, as in d1|d2 (pandas: .map("|".join)); leave the cell empty for none',
        )


def _records(file: TextFile, header: tables.Header) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table; a quoted cell may hold line breaks, so a row may be several lines."""
    begun: list[str] = []
    first = size = 0
    for number, text in file.raw_lines():
        if not begun:
            if not file.holds_data((number, text)):
                continue
            first, size = number, 0
        begun.append(text)
        size += len(text)
        if len(begun) > 1 and '"' not in text.replace('""', "") and size <= _LONGEST_CELL:
            continue  # nothing that could end the cell
        try:
            cells = header.cells("\n".join(begun))
        except tables.OpenQuote as bad:
            if len(begun) > _LONGEST_CELL_LINES or size > _LONGEST_CELL:
                raise file.bad_line(bad, first, begun[0]) from None
            continue
        except BadValue as bad:
            raise file.bad_line(bad, first, begun[0]) from None
        _refuse_swallowed_rows(file, header, first, begun)
        yield first, cells
        begun = []
    if begun:
        raise file.bad_line(tables.OpenQuote(), first, begun[0])


def _refuse_swallowed_rows(file: TextFile, header: tables.Header, first: int, lines: list[str]) -> None:
    """A stray quote would swallow the rows up to the next one; the lines of a text hardly look like rows."""
    for number, line in enumerate(lines[1:-1], first + 1):
        if line.count(header.separator) == len(header.names) - 1:
            raise file.error(
                f"a quoted cell begins here and ends on line {first + len(lines) - 1}, "
                f"and line {number} between them looks like a row",
                line=first,
                text=lines[0],
                hint=tables.CLOSE_THE_QUOTE,
            )


def _id_separator(file: TextFile, records: list[tuple[int, str, str]]) -> str:
    """How the ids in a cell are set apart: by ``|``, or as the whole file shows."""
    inside = [(number, cell.strip(" ")) for number, _, cell in records]
    if any("|" in cell for _, cell in inside):
        for number, cell in inside:
            if any(sign in cell for sign in ",;"):
                file.count(
                    "id-separator", "cells with a comma or semicolon, read as part of an id", number, cell
                )
        return "|"
    if any(_OTHER_ID_SEPARATOR in cell for _, cell in inside):
        file.notice("id-separator", "no cell holds a |, so its ids were taken as set apart by semicolons")
        return _OTHER_ID_SEPARATOR
    for number, cell in inside:
        sign = next((sign for sign in _UNCLEAR_ID_SEPARATORS if sign in cell), None)
        if sign is not None:
            raise _unclear_separator(file, number, cell, sign)
    return "|"


def _unclear_separator(file: TextFile, number: int, cell: str, sign: str) -> InputFileError:
    name = {",": "a comma", " ": "a space", "\t": "a tab"}[sign]
    return file.error(
        f"{name} in the list of relevant ids: is it one id or several?",
        line=number,
        text=cell,
        hint="set ids apart by |, as in d1|d2; an id that holds "
        f'{name} is clear in JSON lines: {{"query_id": …, "relevant_ids": […]}}',
    )


def _ids(file: TextFile, number: int, cell: str, separator: str) -> list[str]:
    if not cell.strip(" "):
        return []
    try:
        return [tables.id_cell(file, number, part, "relevant document's") for part in cell.split(separator)]
    except BadValue as bad:
        raise file.bad_line(bad, number, cell) from None


def _read_json_lines(file: TextFile, collected: _Collected) -> None:
    for number, text in file.lines():
        try:
            record = jsonl.read_object(text)
            if "retrieved_ids" in record and "relevant_ids" not in record:
                raise BadValue(
                    "these are results, not relevant ids", f"judgments and run may be swapped; {_WANTED}"
                )
            query = jsonl.read_id(file, number, jsonl.field(record, "query_id"), "query")
            values = jsonl.as_ids(jsonl.field(record, "relevant_ids"), "relevant_ids")
            documents = [jsonl.read_id(file, number, value, "document") for value in values]
            if "query" in record:
                collected.add_question(query, jsonl.as_text(record["query"], "query"), number)
            jsonl.note_keys(file, number, record, {"query_id", "relevant_ids", "query"})
        except BadValue as bad:
            raise file.bad_line(bad, number, text) from None
        collected.add_list(query, documents, number)
