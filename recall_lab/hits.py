"""The hit table: of every judged document of every query, the grade and the rank at which the run found it.

Its relevant rows are the sheet a learner fills in by hand (``q1  R = 4  ranks 2, 5, 9``). Every measure is
read off it, so the unjudged rest of a ranking is never put in order: a judged document's rank is one more
than the number of higher scores, which a search in the query's sorted scores tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from math import nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError, shorten
from recall_lab.formats.values import LARGEST_GRADE, whole_grade
from recall_lab.ids import as_id_set, check_ids, kind_of, kinds_differ, known, other_kind
from recall_lab.measures import MAX_EXPONENT
from recall_lab.run import Run

if TYPE_CHECKING:
    import pandas as pd

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Judgments = Mapping[Any, Mapping[Any, int] | Iterable[Any]]
TieOrder = Literal["by-id", "as-given"]


@dataclass(frozen=True)
class HitTable:
    """Grades and ranks of all judged documents, and every measure of every query read off them.

    The rows of one query stand together, found documents first, in rank order.

    Parameters
    ----------
    query_ids : the judged queries.
    depths : for each query, how many documents the run returned; 0 where it did not answer.
    query : for each row, the position of its query in ``query_ids``.
    judged : the judged documents, in the order of the judgments.
    position : for each row, the position of its document in ``judged``.
    grade : for each row, the grade, 0 or more (a negative grade counts as not judged and has no row).
    rank : for each row, the rank from 1, or 0 for never.
    best_rank, worst_rank : for each row, the ranks that ties allow; both are ``rank`` where there is no tie.
    min_grade : a document is relevant from this grade.

    Notes
    -----
    The measures take ``ks``, an ascending array of cutoffs, and return one row for each query and one
    column for each cutoff; NaN where a value is undefined. :mod:`recall_lab.measures` says in plain Python
    what they mean.
    """

    query_ids: list[Any]
    depths: Ints
    query: Ints
    judged: list[Any]
    position: Ints
    grade: Ints
    rank: Ints
    best_rank: Ints
    worst_rank: Ints
    min_grade: int = 1

    # -------------------------------------------------------------------------------------------- the table

    @cached_property
    def relevant(self) -> NDArray[np.bool_]:
        """For each row: is the document relevant?"""
        return self.grade >= self.min_grade

    @cached_property
    def found(self) -> NDArray[np.bool_]:
        """For each row: did the run return the document?"""
        return self.rank > 0

    @cached_property
    def relevant_count(self) -> Ints:
        """R of each query."""
        return self._count(self.relevant)

    @cached_property
    def has_ties(self) -> bool:
        """Does a tie leave the rank of any judged document open?"""
        return bool((self.best_rank < self.worst_rank).any())

    @property
    def most_judged(self) -> int:
        """The largest number of judged documents of one query."""
        return int(np.bincount(self.query).max(initial=0))

    @property
    def documents(self) -> list[Any]:
        """For each row: the document id."""
        return [self.judged[position] for position in self.position.tolist()]

    def table(self) -> pd.DataFrame:
        """The hit table for reading: one row for each judged document; a missing rank means never found."""
        import pandas as pd

        never = ~self.found
        ranks = {
            name: pd.array(np.where(never, 1, getattr(self, name)), dtype="Int64")
            for name in ("rank", "best_rank", "worst_rank")
        }
        for column in ranks.values():
            column[never] = pd.NA
        return pd.DataFrame(
            {
                "query": [self.query_ids[i] for i in self.query.tolist()],
                "document": self.documents,
                "grade": self.grade,
                "relevant": self.relevant,
                **ranks,
            }
        )

    def of_query(self, query_id: Any) -> HitTable:
        """The rows of one query."""
        if not known(query_id, self._place_of):
            raise RecallLabError(f"there is no judged query {shorten(repr(query_id))}")
        place = self._place_of[query_id]
        return self._part(place, place + 1)

    @cached_property
    def _place_of(self) -> dict[Any, int]:
        return {query_id: place for place, query_id in enumerate(self.query_ids)}

    def parts(self, queries: int) -> Iterator[HitTable]:
        """The table cut into tables of so many queries, for measures that are wide in memory."""
        if len(self.query_ids) <= queries:
            yield self
            return
        for first in range(0, len(self.query_ids), queries):
            yield self._part(first, min(first + queries, len(self.query_ids)))

    def _part(self, first: int, last: int) -> HitTable:
        rows = np.arange(*np.searchsorted(self.query, (first, last)))
        part = self.take(rows)
        return replace(
            part,
            query_ids=self.query_ids[first:last],
            depths=self.depths[first:last],
            query=part.query - first,
        )

    def take(self, rows: Ints) -> HitTable:
        """The table of these rows, in this order."""
        return replace(
            self,
            query=self.query[rows],
            position=self.position[rows],
            grade=self.grade[rows],
            rank=self.rank[rows],
            best_rank=self.best_rank[rows],
            worst_rank=self.worst_rank[rows],
        )

    # -------------------------------------------------------------------------------------- other rankings

    def reranked(self, order: Literal["best", "worst"]) -> HitTable:
        """The table that ties allow at best, or at worst: tied documents by grade, highest first or last."""
        rows = np.lexsort((-self.grade, self.best_rank, self.query))
        query, first_of_tie = self.query[rows], self.best_rank[rows]
        new_tie = np.ones(len(rows), dtype=bool)
        new_tie[1:] = (query[1:] != query[:-1]) | (first_of_tie[1:] != first_of_tie[:-1])
        place_in_tie = np.arange(len(rows)) - np.flatnonzero(new_tie)[np.cumsum(new_tie) - 1]
        rank = np.empty_like(self.rank)
        rank[rows] = first_of_tie + place_in_tie if order == "best" else self.worst_rank[rows] - place_in_tie
        rank[~self.found] = 0
        return replace(self, rank=rank).in_rank_order()

    def perfectly_reranked(self, depth: int) -> HitTable:
        """The table after a perfect reranker has reordered the top ``depth``: highest grade first."""
        candidate = self.found & (self.rank <= depth)
        rows = np.lexsort((self.rank, -self.grade, ~candidate, self.query))
        rank = np.empty_like(self.rank)
        rank[rows] = _place_in_query(self.query[rows])
        rank[~candidate] = 0
        depths = np.minimum(self.depths, depth)
        return replace(self, depths=depths, rank=rank, best_rank=rank, worst_rank=rank).in_rank_order()

    def in_rank_order(self) -> HitTable:
        """The same rows, those of each query in rank order and the never found ones last."""
        last = int(self.rank.max(initial=0)) + 1
        place = self.query * (last + 1) + np.where(self.found, self.rank, last)
        return self.take(np.argsort(place, kind="stable"))

    def merged_by_size(self, counted: NDArray[np.bool_]) -> HitTable:
        """The relevant hits of the counted queries, all queries with the same R merged into one.

        The ``query_ids`` are the distinct R. Hits of queries with the same R may be added up before dividing:
        they are whole numbers, so nothing is rounded, and mean recall at every cutoff costs little more than
        at one.
        """
        sizes, group = np.unique(self.relevant_count[counted], return_inverse=True)
        group_of = np.zeros(len(counted), dtype=np.int64)
        group_of[counted] = group
        rows = np.flatnonzero(self.relevant & self.found & counted[self.query])
        return replace(self.take(rows), query_ids=sizes.tolist(), query=group_of[self.query[rows]])

    # ---------------------------------------------------------------------------------------- the measures

    def found_relevant(self, ks: Ints) -> Floats:
        """Number of relevant documents in the top k."""
        return self._sum_up_to(ks, self.relevant & self.found)

    def recall(self, ks: Ints) -> Floats:
        """Share of the relevant documents that is in the top k."""
        return _ratio(self.found_relevant(ks), self.relevant_count[:, None])

    def ceiling(self, ks: Ints) -> Floats:
        """Recall of a perfect retriever: min(k, R) / R."""
        return _ratio(np.minimum(ks, self.relevant_count[:, None]), self.relevant_count[:, None])

    def capped_recall(self, ks: Ints) -> Floats:
        """Relevant documents in the top k, divided by min(k, R)."""
        return _ratio(self.found_relevant(ks), np.minimum(ks, self.relevant_count[:, None]))

    def precision(self, ks: Ints) -> Floats:
        """Share of the top k places that hold a relevant document."""
        return self.found_relevant(ks) / ks

    def hit_rate(self, ks: Ints) -> Floats:
        """1 where at least one relevant document is in the top k."""
        return np.where(self.relevant_count[:, None] > 0, self.found_relevant(ks) > 0, np.nan)

    def reciprocal_rank(self, ks: Ints) -> Floats:
        """1 / the rank of the first relevant document, 0 where it is not in the top k."""
        hits = np.flatnonzero(self.relevant & self.found)
        first = hits[_place_in_query(self.query[hits]) == 1]
        reached = self._sum_up_to(ks, first, 1 / self.rank[first])
        return np.where(self.relevant_count[:, None] > 0, reached, np.nan)

    def average_precision(self, ks: Ints) -> Floats:
        """Precision at the rank of each relevant document in the top k, summed and divided by R."""
        hits = np.flatnonzero(self.relevant & self.found)
        precision_there = _place_in_query(self.query[hits]) / self.rank[hits]
        return _ratio(self._sum_up_to(ks, hits, precision_there), self.relevant_count[:, None])

    def r_precision(self, ks: Ints) -> Floats:
        """Precision at k = R, the same whatever the cutoffs."""
        inside = self.relevant & self.found & (self.rank <= self.relevant_count[self.query])
        values = _ratio(self._count(inside), self.relevant_count)
        return np.repeat(values[:, None], len(ks), axis=1)

    def ndcg(self, ks: Ints) -> Floats:
        """nDCG of the top k, linear gain."""
        return self._ndcg(ks, self.grade.astype(np.float64))

    def ndcg_exponential(self, ks: Ints) -> Floats:
        """nDCG of the top k, gain 2^grade − 1."""
        if self.grade.max(initial=0) > MAX_EXPONENT:
            raise RecallLabError(
                f"the exponential gain 2^grade − 1 takes grades up to {MAX_EXPONENT}, not {self.grade.max()}"
            )
        return self._ndcg(ks, np.exp2(self.grade) - 1)

    def _ndcg(self, ks: Ints, gain: Floats) -> Floats:
        found = np.flatnonzero(self.found)
        gained = self._sum_up_to(ks, found, gain[found] / np.log2(1 + self.rank[found]))
        best_first = np.lexsort((-self.grade, self.query))
        ideal_rank = _place_in_query(self.query)
        ideal = self._sum_up_to(ks, slice(None), gain[best_first] / np.log2(1 + ideal_rank), ideal_rank)
        return _ratio(gained, ideal)

    def judged_share(self, ks: Ints) -> Floats:
        """judged@k: share of the documents shown in the top k that have a judgment."""
        return _ratio(self._sum_up_to(ks, self.found), np.minimum(ks, self.depths[:, None]))

    def _sum_up_to(
        self, ks: Ints, rows: Any, weights: Floats | None = None, ranks: Ints | None = None
    ) -> Floats:
        """For each query and each k: sum of the weights (or number) of the chosen rows with rank ≤ k."""
        first_k = np.searchsorted(ks, (self.rank if ranks is None else ranks)[rows])
        reached = first_k < len(ks)
        cell = self.query[rows][reached] * len(ks) + first_k[reached]
        shape = (len(self.query_ids), len(ks))
        steps = np.bincount(cell, None if weights is None else weights[reached], shape[0] * shape[1])
        return steps.reshape(shape).cumsum(axis=1)

    def _count(self, rows: NDArray[np.bool_]) -> Ints:
        return np.bincount(self.query[rows], minlength=len(self.query_ids))


# --------------------------------------------------------------------------------------- making the table


def hit_table(
    judgments: Judgments,
    run: Run,
    *,
    min_grade: int = 1,
    tie_order: TieOrder = "by-id",
    single_precision: bool = False,
) -> HitTable:
    """Find every judged document in the run.

    Parameters
    ----------
    judgments : for every query the grade of each judged document, or a collection of its relevant documents.
    run : the ranked results.
    min_grade : a document is relevant from this grade.
    tie_order : equal scores are ordered by document id, descending, or as the run lists them.
    single_precision : round scores to 32 bits first, as trec_eval does.

    Raises
    ------
    RecallLabError : a grade is no whole number, a score no number, or a document is a text in one place and a
        number in the other.

    Examples
    --------
    >>> run = Run({"q1": {"x": 3.0, "c": 2.0, "b": 2.0}})
    >>> hit_table({"q1": {"a": 1, "b": 0, "c": 2}}, run).table()
      query document  grade  relevant  rank  best_rank  worst_rank
    0    q1        c      2      True     2          2           3
    1    q1        b      0     False     3          2           3
    2    q1        a      1      True  <NA>       <NA>        <NA>
    """
    graded = {query_id: _as_grades(query_id, judged, min_grade) for query_id, judged in judgments.items()}
    looked_up = [_find(query_id, grades, run, single_precision) for query_id, grades in graded.items()]
    depths = np.array([depth for depth, _, _ in looked_up], dtype=np.int64)
    query = np.repeat(np.arange(len(graded)), [len(grades) for grades in graded.values()])
    worst_rank = depths[query] - _joined([lower for _, lower, _ in looked_up])
    best_rank = depths[query] - _joined([not_higher for _, _, not_higher in looked_up]) + 1
    table = HitTable(
        query_ids=list(graded),
        depths=depths,
        query=query,
        judged=[doc for grades in graded.values() for doc in grades],
        position=np.arange(len(query)),
        grade=_grades(graded),
        rank=worst_rank.copy(),
        best_rank=np.minimum(best_rank, worst_rank),  # both 0 where never found
        worst_rank=worst_rank,
        min_grade=min_grade,
    )
    if table.has_ties:
        for tied_query in np.unique(query[best_rank < worst_rank]).tolist():
            _break_ties(table, tied_query, run, tie_order, single_precision)
    if table.grade.min(initial=0) < 0:
        table = table.take(np.flatnonzero(table.grade >= 0))
    return table.in_rank_order()


def join(tables: Iterable[HitTable], query_ids: Iterable[Any]) -> HitTable:
    """One table of several that have no query in common, its queries in the order of ``query_ids``."""
    parts = list(tables)
    ids = list(query_ids)
    place_of = {query_id: place for place, query_id in enumerate(ids)}
    places = [np.array([place_of[query_id] for query_id in part.query_ids], dtype=np.int64) for part in parts]
    depths = np.zeros(len(ids), dtype=np.int64)
    for part, place in zip(parts, places, strict=True):
        depths[place] = part.depths
    begins = np.cumsum([0, *(len(part.judged) for part in parts[:-1])])
    return HitTable(
        query_ids=ids,
        depths=depths,
        query=_joined([place[part.query] for part, place in zip(parts, places, strict=True)]),
        judged=[doc for part in parts for doc in part.judged],
        position=_joined([part.position + begin for part, begin in zip(parts, begins, strict=True)]),
        grade=_joined([part.grade for part in parts]),
        rank=_joined([part.rank for part in parts]),
        best_rank=_joined([part.best_rank for part in parts]),
        worst_rank=_joined([part.worst_rank for part in parts]),
        min_grade=parts[0].min_grade,
    ).in_rank_order()


def _find(
    query_id: Any, grades: Mapping[Any, int], run: Run, single_precision: bool
) -> tuple[int, Ints, Ints]:
    """The depth of one query, and for each judged document how many scores are lower, how many not higher.

    A document that the run does not have counts as lower than nothing: both numbers are the depth.
    """
    if query_id not in run:
        none = np.zeros(len(grades), dtype=np.int64)
        return 0, none, none
    score_of, ascending = run.look_up(query_id, grades)
    scores = list(map(score_of.get, grades, repeat(nan)))
    for doc, score in zip(grades, scores, strict=True):
        if type(doc) is not str or (score != score and doc.isdecimal()):  # NaN, never found, is not itself
            _check_kind(query_id, doc, score_of)
    wanted = np.array(scores, dtype=np.float64)
    if single_precision:
        wanted, ascending = _in_single_precision(wanted), _in_single_precision(ascending)
    # NaN sorts after every number, so that the search puts a document never found at the very end.
    return len(ascending), ascending.searchsorted(wanted, "left"), ascending.searchsorted(wanted, "right")


def _break_ties(table: HitTable, query: int, run: Run, tie_order: str, single_precision: bool) -> None:
    """Give the tied documents of one query their ranks, in place."""
    score_of, _ = run.look_up(table.query_ids[query])
    scores = np.array(list(score_of.values()), dtype=np.float64)
    if single_precision:
        scores = _in_single_precision(scores)
    by_document = dict(zip(score_of, scores.tolist(), strict=True))
    places: dict[float, dict[Any, int]] = {}
    for row in range(*np.searchsorted(table.query, (query, query + 1))):
        if table.best_rank[row] < table.worst_rank[row]:
            doc = table.judged[table.position[row]]
            score = by_document[doc]
            if score not in places:
                tied = [other for other, its_score in by_document.items() if its_score == score]
                if tie_order == "by-id":
                    tied.sort(key=str, reverse=True)
                places[score] = {other: place for place, other in enumerate(tied)}
            table.rank[row] = table.best_rank[row] + places[score][doc]


def _in_single_precision(scores: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)


def _check_kind(query_id: Any, doc: Any, score_of: Mapping[Any, float]) -> None:
    """Refuse an id that is neither text nor number, and one missed only for being the other of them."""
    kind_of(doc)
    twin = other_kind(doc)
    if doc not in score_of and twin in score_of:
        raise kinds_differ(f"query {query_id!r}, a document", doc, twin)


def _as_grades(query_id: Any, judged: Mapping[Any, int] | Iterable[Any], min_grade: int) -> Mapping[Any, int]:
    if isinstance(judged, Mapping):
        return judged
    name = f"the judgments of query {query_id!r}"
    if isinstance(judged, Iterable) and not isinstance(judged, str | bytes):
        judged = judged if hasattr(judged, "to_dict") else list(judged)
        check_ids(judged, name)
    return dict.fromkeys(sorted(as_id_set(judged, name), key=str), min_grade)


def _grades(graded: Mapping[Any, Mapping[Any, int]]) -> Ints:
    grades = [grade for judged in graded.values() for grade in judged.values()]
    plain = set(map(type, grades)) <= {int}
    if not plain or max(map(abs, grades), default=0) > LARGEST_GRADE:
        grades = [
            _whole_grade(query_id, doc, grade)
            for query_id, judged in graded.items()
            for doc, grade in judged.items()
        ]
    return np.array(grades, dtype=np.int64)


def _whole_grade(query_id: Any, doc: Any, grade: Any) -> int:
    whole = whole_grade(grade)
    if whole is None:
        raise RecallLabError(
            f"the grade of document {doc!r} for query {query_id!r} is {grade!r}; grades are whole numbers "
            f"up to {LARGEST_GRADE:,} (judgments come first, the run second)"
        )
    return whole


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return part / whole


def _place_in_query(query: Ints) -> Ints:
    """1, 2, 3 … within each query, for the query positions of rows in order."""
    return np.arange(1, len(query) + 1) - np.searchsorted(query, query)


def _joined(columns: Sequence[Ints]) -> Ints:
    return np.concatenate(columns) if len(columns) else np.empty(0, dtype=np.int64)
