"""Rows of a run on their way from blocks of a file to columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError
from recall_lab.formats.columns import RunColumns
from recall_lab.formats.text import TextFile
from recall_lab.notices import Notice, list_ids

NOTHING_BELOW = "there is a header and no result below it"

Duplicates = Literal["error", "keep-best"]
Floats = NDArray[np.float64]


@dataclass
class Rows:
    """Rows in file order, cut into stretches: consecutive rows of one query.

    Parameters
    ----------
    queries, counts : query and number of rows of each stretch.
    documents : the documents of each stretch, joined by ``"\\n"``.
    repeats : whether a stretch holds a document twice.
    scores : one per row.
    ranks : one per row, or ``None`` where the format has none.
    lines : the line of each row.
    """

    queries: list[str]
    counts: list[int]
    documents: list[str]
    repeats: list[bool]
    scores: Floats
    ranks: Floats | None
    lines: Sequence[int]

    def cut(self, stretch: int) -> tuple[Rows, Rows]:
        """The stretches before number ``stretch``, and the others."""
        row = sum(self.counts[:stretch])
        return self._part(slice(stretch), slice(row)), self._part(slice(stretch, None), slice(row, None))

    def _part(self, stretches: slice, rows: slice) -> Rows:
        return Rows(
            self.queries[stretches],
            self.counts[stretches],
            self.documents[stretches],
            self.repeats[stretches],
            self.scores[rows],
            None if self.ranks is None else self.ranks[rows],
            self.lines[rows],
        )


def rows_from(
    queries: Sequence[str],
    documents: Sequence[str],
    scores: Sequence[float],
    ranks: Sequence[float] | None,
    lines: Sequence[int],
) -> Rows:
    """Rows from one value per row.

    >>> rows_from(["q1", "q1", "q2"], ["d1", "d2", "d1"], [3.0, 2.0, 9.0], None, [1, 2, 3]).counts
    [2, 1]
    """
    begins = [i for i, query in enumerate(queries) if i == 0 or query != queries[i - 1]]
    ends = [*begins[1:], len(queries)] if begins else []
    parts = [documents[begin:end] for begin, end in zip(begins, ends, strict=True)]
    return Rows(
        [queries[begin] for begin in begins],
        [len(part) for part in parts],
        ["\n".join(part) for part in parts],
        [len(set(part)) < len(part) for part in parts],
        np.array(scores, dtype=np.float64),
        None if ranks is None else np.array(ranks, dtype=np.float64),
        lines,
    )


def whole_run(file: TextFile, rows: Iterable[Rows], name: str, duplicates: Duplicates) -> RunColumns:
    """All rows of a file as one run; the rows of a query may stand apart."""
    columns = _columns(file, list(rows), name, duplicates)
    if not columns.query_ids:
        raise file.error(NOTHING_BELOW)
    columns.notices[:0] = file.notices()
    return columns


def run_in_pieces(
    file: TextFile, rows: Iterable[Rows], name: str, duplicates: Duplicates, piece_rows: int
) -> Iterator[RunColumns]:
    """Pieces of a run that hold whole queries and at least ``piece_rows`` rows, but for the last.

    Raises
    ------
    InputFileError : a query comes back after another one began, so that no piece can be complete.
    """
    seen: set[str] = set()
    current: str | None = None
    waiting: list[Rows] = []
    size = 0
    for block in rows:
        row = 0
        for query, count in zip(block.queries, block.counts, strict=True):
            if query != current and query in seen:
                raise file.error(
                    f"query {query!r} comes back after the lines of another query",
                    line=block.lines[row] if count else None,
                    hint="sort the file by query, or read it whole: Run.read (on the command line: without "
                    "--in-pieces)",
                )
            seen.add(query)
            current = query
            row += count
        waiting.append(block)
        size += len(block.scores)
        if len(block.queries) > 1 and size - block.counts[-1] >= piece_rows:
            complete, rest = block.cut(len(block.queries) - 1)
            yield _columns(file, [*waiting[:-1], complete], name, duplicates)
            waiting, size = [rest], len(rest.scores)
    if not seen:
        raise file.error(NOTHING_BELOW)
    if waiting:
        columns = _columns(file, waiting, name, duplicates)
        columns.notices[:0] = file.notices()
        yield columns


def _columns(file: TextFile, blocks: list[Rows], name: str, duplicates: Duplicates) -> RunColumns:
    queries = [query for block in blocks for query in block.queries]
    counts = [count for block in blocks for count in block.counts]
    documents = [part for block in blocks for part in block.documents]
    repeats = [repeat for block in blocks for repeat in block.repeats]
    scores = np.concatenate([block.scores for block in blocks]) if blocks else np.empty(0)
    rank_parts = [block.ranks for block in blocks if block.ranks is not None]
    ranks = np.concatenate(rank_parts) if rank_parts else None
    lines = _Lines(blocks)
    blocks.clear()

    places: dict[str, list[int]] = {}
    for i, query in enumerate(queries):
        places.setdefault(query, []).append(i)
    groups = list(places.values())
    order = [i for group in groups for i in group]
    if any(i != place for place, i in enumerate(order)):  # a query came back after another one
        ends = list(accumulate(counts))
        lines.order = np.concatenate([np.arange(ends[i] - counts[i], ends[i]) for i in order])
        scores = scores[lines.order]
        ranks = None if ranks is None else ranks[lines.order]
    if len(groups) < len(queries):
        documents = ["\n".join(documents[i] for i in group if counts[i]) for group in groups]
        repeats = [len(group) > 1 or repeats[group[0]] for group in groups]
        counts = [sum(counts[i] for i in group) for group in groups]
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])

    columns = RunColumns(list(places), starts, documents, scores, name)
    suspects = [i for i, repeat in enumerate(repeats) if repeat]
    kept = _rows_to_keep(file, columns, suspects, lines, duplicates)
    if kept is not None:
        columns = _without_repeats(file, columns, kept)
        lines.order = np.flatnonzero(kept) if lines.order is None else lines.order[kept]
        ranks = None if ranks is None else ranks[kept]
    if ranks is not None:
        broken = _broken_ranks(file, ranks, lines)
        columns.notices.extend(broken or _swapped_notices(file, columns, ranks))
        columns.notices.extend(_rank_notices(file, columns, ranks, lines))
    return columns


class _Lines:
    """The line in the file of each row, looked up only when something has to be said about it."""

    def __init__(self, blocks: list[Rows]) -> None:
        self._parts = [block.lines for block in blocks]
        self._ends = list(accumulate(len(part) for part in self._parts))
        self.order: NDArray[np.int64] | None = None

    def __getitem__(self, row: int) -> int:
        if self.order is not None:
            row = int(self.order[row])
        part = bisect_right(self._ends, row)
        lines = self._parts[part]
        return lines[row - (self._ends[part] - len(lines))]


def _rows_to_keep(
    file: TextFile, columns: RunColumns, suspects: list[int], lines: _Lines, duplicates: Duplicates
) -> NDArray[np.bool_] | None:
    """Which rows stay when only the best of each repeated document does; ``None`` when nothing repeats."""
    kept = np.ones(len(columns.scores), dtype=bool)
    first_repeat: tuple[int, int, int, str] | None = None
    for i in suspects:
        begin = int(columns.starts[i])
        best: dict[str, int] = {}
        for row, document in enumerate(columns.documents[i].split("\n"), begin):
            other = best.setdefault(document, row)
            if other == row:
                continue
            repeat = (lines[row], lines[other], i, document)
            if first_repeat is None or repeat[0] < first_repeat[0]:
                first_repeat = repeat
            worse = row if columns.scores[other] >= columns.scores[row] else other
            kept[worse] = False
            best[document] = row if worse == other else other
    if first_repeat is None:
        return None
    if duplicates == "error":
        line, earlier, i, document = first_repeat
        raise file.error(
            f"document {document!r} stands twice for query {columns.query_ids[i]!r}"
            + (f", first on line {earlier}" if earlier != line else ""),
            line=line,
            hint='keep one of them, or read the run with duplicates="keep-best" '
            "(on the command line: --duplicates keep-best)",
        )
    return kept


def _without_repeats(file: TextFile, columns: RunColumns, kept: NDArray[np.bool_]) -> RunColumns:
    documents, counts, touched = [], [], []
    for i, text in enumerate(columns.documents):
        stay = kept[columns.starts[i] : columns.starts[i + 1]]
        if not stay.all():
            text = "\n".join(np.array(text.split("\n"), dtype=object)[stay])
            touched.append(columns.query_ids[i])
        documents.append(text)
        counts.append(int(stay.sum()))
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    fallen = int((~kept).sum())
    rows = "1 repeated result was" if fallen == 1 else f"{fallen} repeated results were"
    notice = Notice(
        "repeats-dropped",
        f"{file.name}: {rows} dropped, the best score of each document kept; queries: {list_ids(touched)}",
        tuple(touched),
    )
    return RunColumns(columns.query_ids, starts, documents, columns.scores[kept], columns.name, [notice])


def _broken_ranks(file: TextFile, ranks: Floats, lines: _Lines) -> list[Notice]:
    """Say where ranks are no whole numbers: a swapped score decides, and every ranking is upside down."""
    broken = np.flatnonzero(ranks != np.floor(ranks))
    if not len(broken):
        return []
    message = (
        f"the rank column holds {float(ranks[broken[0]])!r} (line {lines[int(broken[0])]}): are rank and "
        f"score swapped? Rows whose rank is not a whole number: {len(broken)}; the score decides"
    )
    return [Notice("rank-not-whole", f"{file.name}: {message}")]


def _rank_notices(file: TextFile, columns: RunColumns, ranks: Floats, lines: _Lines) -> list[Notice]:
    """Say where a better rank stands beside a lower score. The score decides."""
    scores, starts = columns.scores, columns.starts
    agree = np.ones(len(scores), dtype=bool)
    agree[1:] = (scores[1:] < scores[:-1]) & (ranks[1:] >= ranks[:-1])
    agree[starts[:-1][starts[:-1] < len(scores)]] = True
    doubtful = np.unique(np.searchsorted(starts, np.flatnonzero(~agree), side="right") - 1)
    contradicting: list[int] = []
    rows = 0
    first: int | None = None
    for i in doubtful:
        begin, end = starts[i], starts[i + 1]
        by_score = begin + np.lexsort((ranks[begin:end], -scores[begin:end]))
        against = by_score[1:][np.diff(ranks[by_score]) < 0]
        if len(against):
            contradicting.append(int(i))
            rows += len(against)
            first = int(against.min()) if first is None else first
    if first is None:
        return []
    ids = tuple(columns.query_ids[i] for i in contradicting)
    message = (
        f"the rank column contradicts the score in {'1 row' if rows == 1 else f'{rows} rows'} (queries: "
        f"{len(ids)}; the first: line {lines[first]}, query {ids[0]}); the score decides"
    )
    return [Notice("rank-contradicts-score", f"{file.name}: {message}", ids)]


def _swapped_notices(file: TextFile, columns: RunColumns, ranks: Floats) -> list[Notice]:
    """Say where the score column holds the ranks, as it seems: it counts up, and the rank column never does.

    Then rank and score agree, and every ranking is upside down.
    """
    queries = [slice(*columns.starts[i : i + 2]) for i in np.flatnonzero(np.diff(columns.starts) > 1)]
    if not queries or not all(_holds_ranks(columns.scores[rows], ranks[rows]) for rows in queries):
        return []
    message = (
        f"the score column counts 1, 2, 3 … and the rank column begins with {ranks[queries[0]][0]:g}: "
        "are rank and score swapped? The score decides, and the highest comes first"
    )
    return [Notice("rank-and-score-swapped", f"{file.name}: {message}")]


def _holds_ranks(scores: Floats, ranks: Floats) -> bool:
    counts_up = scores[0] in (0, 1) and (np.diff(scores) == 1).all()
    return bool(counts_up and (np.diff(ranks) <= 0).all() and not {0, 1}.intersection(ranks[-1:].tolist()))


def check_duplicates(duplicates: str) -> Duplicates:
    """The choice for repeated documents, if it is one.

    >>> check_duplicates("keep-best")
    'keep-best'
    """
    if isinstance(duplicates, str) and duplicates in ("error", "keep-best"):
        return cast(Duplicates, duplicates)
    raise RecallLabError(f'duplicates is "error" or "keep-best", not {duplicates!r}')
