"""Evaluation: every measure of a run, read off the hit table, with all that a quoted number must state."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from recall_lab.errors import NoCommonQueriesError, RecallLabError
from recall_lab.formats import read_run_in_pieces
from recall_lab.golden import GoldenDataset, check_question_types
from recall_lab.hits import Floats, HitTable, Ints, Judgments, TieOrder, hit_table, join
from recall_lab.ids import kind_of, kinds_differ, known, look_alike, other_kind, table_way_out
from recall_lab.measures import check_k
from recall_lab.notices import Notice, list_ids
from recall_lab.run import Results, Run
from recall_lab.summary import Summary, decimals

if TYPE_CHECKING:
    import pandas as pd

Golden = GoldenDataset | Judgments | str | os.PathLike[str]
NoRelevant = Literal["exclude", "zero", "one"]
Unanswered = Literal["zero", "skip"]
Ties = Literal["by-id", "as-given", "best", "worst"]

MEASURES = (
    "recall",
    "ceiling",
    "capped_recall",
    "micro_recall",
    "precision",
    "hit_rate",
    "reciprocal_rank",
    "average_precision",
    "ndcg",
    "ndcg_exponential",
    "r_precision",
    "judged",
)

_NO_RELEVANT_ONE = {"exclude": "is left out of the means", "zero": "counts 0", "one": "counts 1"}
_NO_RELEVANT_MANY = {"exclude": "are left out of the means", "zero": "count 0", "one": "count 1"}

_UNANSWERED_ONE = {"zero": "counts 0", "skip": "is left out of the means"}
_UNANSWERED_MANY = {"zero": "count 0", "skip": "are left out of the means"}

_QUERIES_SHOWN, _DEPTH_SHOWN = 20, 100  # what is looked at where a run finds no judged document
_LONGEST_CURVE = 10_000_000
_CELLS_AT_ONCE = 250_000  # queries × cutoffs computed at a time: few enough to stay in the processor's cache


@dataclass(frozen=True)
class Choices:
    """The conventions of an evaluation: what people do differently and seldom say.

    Parameters
    ----------
    no_relevant : a query without relevant documents is left out of the means (``"exclude"``), or its
        undefined values count 0 or 1.
    unanswered : a judged query that the run does not answer counts 0 (``"zero"``), or is left out
        (``"skip"``).
    ties : equal scores are ordered by document id, descending (``"by-id"``); as the run lists them
        (``"as-given"``); or so that the run looks as good (``"best"``) or as bad (``"worst"``) as its ties
        allow.
    single_precision : scores are rounded to 32 bits first, so that closer scores are ties.
    """

    no_relevant: NoRelevant = "exclude"
    unanswered: Unanswered = "zero"
    ties: Ties = "by-id"
    single_precision: bool = False

    @property
    def tie_order(self) -> TieOrder:
        """The order of equal scores in the ranking itself, before any is moved to its best or worst."""
        return "as-given" if self.ties == "as-given" else "by-id"


PRESETS = {
    "trec_eval": Choices(no_relevant="zero", unanswered="skip", single_precision=True),
}


@dataclass(frozen=True)
class TiesAtCutoff:
    """What tied scores at a cutoff leave open.

    Parameters
    ----------
    k : the cutoff.
    measure : the measure.
    query_ids : the queries whose value depends on the order of tied documents.
    value : the mean in the order used.
    worst, best : the lowest and highest mean that the ties allow.
    """

    k: int
    measure: str
    query_ids: list[Any]
    value: float
    worst: float
    best: float

    def __str__(self) -> str:
        if not self.query_ids:
            return f"no tie changes {self.measure}@{self.k}"
        queries = "1 query" if len(self.query_ids) == 1 else f"{len(self.query_ids)} queries"
        return (
            f"ties in {queries} leave {self.measure}@{self.k} open between "
            f"{decimals(self.worst)} and {decimals(self.best)}"
        )


def evaluate(
    golden: Golden,
    run: Run | Results | str | os.PathLike[str],
    *,
    min_grade: int | None = None,
    no_relevant: NoRelevant | None = None,
    unanswered: Unanswered | None = None,
    ties: Ties | None = None,
    preset: Literal["trec_eval"] | None = None,
    question_types: Mapping[Any, str] | None = None,
) -> Evaluation:
    """Measure a run against judgments.

    Parameters
    ----------
    golden : a :class:`GoldenDataset`; or ``{query: {document: grade}}``, or ``{query: [relevant
        documents]}``; or a file or folder to load.
    run : a :class:`Run`; or ``{query: {document: score}}``, or ``{query: [documents, best first]}``; or a
        file.
    min_grade : a document is relevant from this grade; by default the dataset's own threshold, else 1.
    no_relevant : queries without relevant documents: ``"exclude"`` (default), or count ``"zero"`` or
        ``"one"``.
    unanswered : judged queries missing from the run: count ``"zero"`` (default), or ``"skip"``.
    ties : order of equal scores: ``"by-id"`` (default, trec_eval's rule), ``"as-given"``, ``"best"``,
        ``"worst"``.
    preset : ``"trec_eval"`` follows that program: no_relevant="zero", unanswered="skip", and scores rounded
        to 32 bits. A choice given beside it wins (``unanswered="zero"`` is trec_eval's ``-c``).
    question_types : a slice name for each query; by default the dataset's own.

    Returns
    -------
    An :class:`Evaluation`. Neither input is changed.

    Raises
    ------
    NoCommonQueriesError : judgments and run share no query; the message says what looks alike.
    RecallLabError : a grade, score, id or choice is not what it should be.

    Examples
    --------
    >>> judgments = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"d": 1}, "q3": {"e": 0}}
    >>> e = evaluate(judgments, {"q1": {"a": 0.9, "x": 0.8, "b": 0.7}})
    >>> e.recall(1), e.ceiling(1), e.micro_recall(1)
    (0.25, 0.75, 0.3333333333333333)
    >>> e.n, e.excluded, e.unanswered
    (2, ['q3'], ['q2'])
    >>> evaluate(judgments, {"q1": ["a", "x", "b"]}, unanswered="skip").recall(1)
    0.5
    """
    dataset, judgments, min_grade = _judgments_of(golden, min_grade)
    choices = _choices(preset, no_relevant, unanswered, ties)
    if isinstance(run, str | os.PathLike):
        run = Run.read(run)
    elif not isinstance(run, Run):
        run = Run.of(run)
    _check_common_queries(judgments, run)
    hits = hit_table(
        judgments,
        run,
        min_grade=min_grade,
        tie_order=choices.tie_order,
        single_precision=choices.single_precision,
    )
    notices = list(run.notices)
    if not hits.found.any():
        notices += _nothing_found(hits, _first_results(run, judgments, _QUERIES_SHOWN))
    ignored = [query_id for query_id in run if query_id not in judgments]
    return Evaluation(hits, choices, dataset, run.name, ignored, notices, question_types)


def evaluate_file(
    golden: Golden,
    path: str | os.PathLike[str],
    *,
    min_grade: int | None = None,
    no_relevant: NoRelevant | None = None,
    unanswered: Unanswered | None = None,
    ties: Ties | None = None,
    preset: Literal["trec_eval"] | None = None,
    question_types: Mapping[Any, str] | None = None,
    duplicates: Literal["error", "keep-best"] = "error",
    extra_words: bool = False,
    rows: int = 1_000_000,
) -> Evaluation:
    """Measure a run file piece by piece: the same answer as :func:`evaluate`, in the memory of one piece.

    The lines of a query must stand together in the file, as they do in every run that is written query by
    query.

    Parameters
    ----------
    golden, min_grade, no_relevant, unanswered, ties, preset, question_types : as in :func:`evaluate`.
    path : the run file.
    duplicates, extra_words : as in :meth:`Run.read`.
    rows : how many lines to hold at least before a piece is measured.

    Raises
    ------
    InputFileError : the file is no run, or the lines of a query do not stand together.
    NoCommonQueriesError, RecallLabError : as in :func:`evaluate`.
    """
    dataset, judgments, min_grade = _judgments_of(golden, min_grade)
    choices = _choices(preset, no_relevant, unanswered, ties)
    tables: list[HitTable] = []
    notices: list[Notice] = []
    seen: dict[Any, None] = {}
    found = False
    sample: list[list[Any]] = []
    name = ""
    for columns in read_run_in_pieces(path, duplicates=duplicates, extra_words=extra_words, rows=rows):
        piece = Run.of_columns(columns)
        name = name or piece.name
        notices += piece.notices
        seen.update(dict.fromkeys(piece))
        judged = {query_id: judgments[query_id] for query_id in piece if query_id in judgments}
        table = hit_table(
            judged,
            piece,
            min_grade=min_grade,
            tie_order=choices.tie_order,
            single_precision=choices.single_precision,
        )
        tables.append(table)
        found = found or bool(table.found.any())
        if not found:
            sample += _first_results(piece, judged, _QUERIES_SHOWN - len(sample))
    _check_common_queries(judgments, seen)
    missing = {query_id: judged for query_id, judged in judgments.items() if query_id not in seen}
    tables.append(hit_table(missing, Run({}), min_grade=min_grade))
    hits = join(tables, judgments)
    if not found:
        notices += _nothing_found(hits, sample)
    ignored = [query_id for query_id in seen if query_id not in judgments]
    name = name or Path(path).name.split(".")[0]
    return Evaluation(hits, choices, dataset, name, ignored, _merged(notices), question_types)


class Evaluation:
    """All measures of one run, made by :func:`evaluate`.

    Every number is a fraction from 0 to 1 and, where nothing else is said, a mean over the ``n`` queries
    counted: all judged queries but the excluded ones. It is NaN where no query counts.

    Attributes
    ----------
    n : number of queries in the means; ``query_ids`` names them.
    judged_query_ids : all queries that have judgments.
    without_relevant : judged queries that have no relevant document.
    excluded : those of them that are left out of the means.
    unanswered : judged queries with relevant documents that the run does not answer.
    ignored : queries of the run that have no judgments.
    min_grade : the grade from which a document is relevant.
    choices : the conventions used.
    notices : what was noticed, from reading to measuring.
    run_name, dataset_name : for tables; may be empty.
    """

    def __init__(
        self,
        hits: HitTable,
        choices: Choices,
        golden: GoldenDataset | None,
        run_name: str,
        ignored: Iterable[Any],
        notices: Iterable[Notice],
        question_types: Mapping[Any, str] | None,
    ) -> None:
        self._hits = hits.reranked(choices.ties) if choices.ties in ("best", "worst") else hits
        self.choices = choices
        self.min_grade = hits.min_grade
        self.run_name = run_name
        self.dataset_name = golden.name if golden is not None else ""
        check_question_types(question_types, "question_types")
        self.question_types = question_types or (golden.question_types if golden is not None else None) or {}

        has_relevant, answered = hits.relevant_count > 0, hits.depths > 0
        evaluable = has_relevant | (choices.no_relevant != "exclude")
        self._counted = evaluable & (answered | (choices.unanswered != "skip"))
        self.judged_query_ids = list(hits.query_ids)
        self.query_ids = self._ids(self._counted)
        self.n = len(self.query_ids)
        self.without_relevant = self._ids(~has_relevant)
        self.excluded = self._ids(~evaluable)
        self.unanswered = self._ids(evaluable & ~answered)
        self.ignored = list(ignored)
        read = [*(golden.notices if golden is not None else ()), *notices]
        said = {notice.code for notice in read}
        self.notices = read + [notice for notice in self._own_notices() if notice.code not in said]

    def _ids(self, chosen: np.ndarray) -> list[Any]:
        return [self._hits.query_ids[position] for position in np.flatnonzero(chosen)]

    def _own_notices(self) -> Iterable[Notice]:
        if self.without_relevant:
            no_relevant = f"no relevant document (grade {self.min_grade} or more)"
            yield _about(
                "no-relevant",
                self.without_relevant,
                f"judged query has {no_relevant} and {_NO_RELEVANT_ONE[self.choices.no_relevant]}",
                f"judged queries have {no_relevant} and {_NO_RELEVANT_MANY[self.choices.no_relevant]}",
            )
        if len(self.without_relevant) == len(self.judged_query_ids):
            highest = int(self._hits.grade.max(initial=0))
            way_out = (
                f"; min_grade (on the command line: --min-grade) can be {highest} at most. A list of "
                "relevant ids has the min_grade that its dataset was made with"
                if highest
                else ", and recall is undefined"
            )
            message = f"no judgment reaches grade {self.min_grade}, so nothing is relevant{way_out}"
            yield Notice("nothing-relevant", message)
        if self.unanswered:
            yield _about(
                "unanswered",
                self.unanswered,
                f"judged query is missing from the run and {_UNANSWERED_ONE[self.choices.unanswered]}",
                f"judged queries are missing from the run and {_UNANSWERED_MANY[self.choices.unanswered]}",
            )
        if self.ignored:
            yield _about(
                "ignored",
                self.ignored,
                "query of the run has no judgments and is ignored",
                "queries of the run have no judgments and are ignored",
            )
        if self.unanswered and self.ignored and (twin := look_alike(self.unanswered, self.ignored)):
            yield Notice("ids-look-alike", f"a missing and an ignored query look alike: {twin}")

    def __repr__(self) -> str:
        return f"Evaluation: {self._title()}"

    def _title(self) -> str:
        what = self.run_name or "run"
        where = f" on {self.dataset_name}" if self.dataset_name else ""
        return f"{what}{where}, n = {self.n} of {_count(len(self.judged_query_ids), 'judged query')}"

    # ------------------------------------------------------------------------------------------- measures

    def recall(self, k: int) -> float:
        """Macro recall@k: mean share of the relevant documents that is in the top k."""
        return self.mean("recall", check_k(k))

    def micro_recall(self, k: int) -> float:
        """Micro recall@k: relevant documents found in all top ks, divided by all relevant documents."""
        return self.mean("micro_recall", check_k(k))

    def ceiling(self, k: int) -> float:
        """Mean recall@k of a perfect retriever, min(k, R) / R."""
        return self.mean("ceiling", check_k(k))

    def capped_recall(self, k: int) -> float:
        """Mean of relevant documents in the top k divided by min(k, R): another measure than recall."""
        return self.mean("capped_recall", check_k(k))

    def precision(self, k: int) -> float:
        """Mean share of the top k places that hold a relevant document."""
        return self.mean("precision", check_k(k))

    def hit_rate(self, k: int) -> float:
        """Share of the queries with at least one relevant document in the top k (success@k)."""
        return self.mean("hit_rate", check_k(k))

    def reciprocal_rank(self, k: int | None = None) -> float:
        """MRR: mean of 1 / rank of the first relevant document, within the top k or the whole run."""
        return self.mean("reciprocal_rank", k)

    def average_precision(self, k: int | None = None) -> float:
        """MAP: mean average precision, within the top k or the whole run; always divided by R."""
        return self.mean("average_precision", k)

    def ndcg(self, k: int | None = None, gain: Literal["linear", "exponential"] = "linear") -> float:
        """Mean nDCG@k, the gain being the grade (``"linear"``) or 2^grade − 1 (``"exponential"``).

        Without ``k`` nothing is cut, the ideal neither: trec_eval's ``ndcg``.
        """
        if not isinstance(gain, str) or gain not in ("linear", "exponential"):
            raise RecallLabError(f'gain is {gain!r}; it can be "linear" or "exponential"')
        return self.mean("ndcg" if gain == "linear" else "ndcg_exponential", k)

    def r_precision(self) -> float:
        """Mean precision at k = R."""
        return self.mean("r_precision")

    def judged(self, k: int) -> float:
        """judged@k: mean share of the documents shown in the top k that are judged; answered queries only."""
        return self.mean("judged", check_k(k))

    def answerable_rate(self) -> float:
        """Share of the judged queries that have a relevant document at all (R > 0)."""
        judged = len(self.judged_query_ids)
        return 1 - len(self.without_relevant) / judged if judged else float("nan")

    def mean(self, measure: str, k: int | None = None) -> float:
        """The mean of a measure at one cutoff; without ``k``, over the whole depth of the run.

        Parameters
        ----------
        measure : one of :data:`MEASURES`.
        k : the cutoff, a whole number from 1.
        """
        _check_measure(measure)
        return float(self._means(measure, self._cutoffs(k, measure))[0])

    def curve(self, k_max: int, measure: str = "recall") -> Floats:
        """The mean of a measure at each cutoff k = 1 … ``k_max``: an array of that length, index 0 for k = 1.

        Examples
        --------
        >>> evaluate({"q": ["a", "b"]}, {"q": ["a", "x", "b"]}).curve(4)
        array([0.5, 0.5, 1. , 1. ])
        """
        k_max = check_k(k_max, "k_max")
        if k_max > _LONGEST_CURVE:
            raise RecallLabError(
                f"k_max is {k_max}; a curve has a value for each k, {_LONGEST_CURVE:,} at most. "
                f"The run is {self.max_depth} deep"
            )
        return self._means(measure, np.arange(1, k_max + 1))

    def values(self, measure: str, k: int | None = None) -> pd.Series:
        """A measure of every judged query, by query id; missing where it is undefined.

        Without ``k``, over the whole depth of the run, as in :meth:`mean`.
        """
        import pandas as pd

        _check_measure(measure)
        if measure == "micro_recall":
            raise RecallLabError("micro_recall is one number for all queries, not one for each")
        column = self._values(self._hits, measure, self._cutoffs(k, measure))[:, 0]
        return pd.Series(column, index=pd.Index(self.judged_query_ids, name="query"), name=measure)

    def _cutoffs(self, k: int | None, measure: str = "") -> Ints:
        if k is not None:
            return _as_array([check_k(k)])
        ideal_depth = self._hits.most_judged if measure.startswith("ndcg") else 1
        return np.array([max(self.max_depth, ideal_depth, 1)])

    def _means(self, measure: str, ks: Ints) -> Floats:
        _check_measure(measure)
        if measure == "micro_recall":
            return self._sums("found_relevant", ks)[0] / self._existing(self._counted)
        if measure == "recall" and self.n and self.choices.no_relevant == "exclude":
            ranks, recalls = self._recall_steps
            return recalls[np.searchsorted(ranks, ks, side="right")]
        total, defined = self._sums(measure, ks)
        with np.errstate(invalid="ignore"):
            return total / defined

    @cached_property
    def _recall_steps(self) -> tuple[Ints, Floats]:
        """The ranks at which mean recall rises, and its values: before the first and from each on."""
        merged = self._hits.merged_by_size(self._counted)
        ranks = np.unique(merged.rank)
        sizes = np.array(merged.query_ids)
        recalls = (merged.found_relevant(ranks) / sizes[:, None]).sum(axis=0) / self.n
        return ranks, np.concatenate([[0.0], recalls])

    def _sums(self, measure: str, ks: Ints) -> tuple[Floats, Floats]:
        """Sum over the counted queries at each cutoff, and how many of them have a value there."""
        total, defined = np.zeros(len(ks)), np.zeros(len(ks))
        first = 0
        for part in self._hits.parts(max(_CELLS_AT_ONCE // len(ks), 1)):
            last = first + len(part.query_ids)
            values = self._values(part, measure, ks)[self._counted[first:last]]
            known = ~np.isnan(values)
            total += values.sum(axis=0, where=known)
            defined += known.sum(axis=0)
            first = last
        return total, defined

    def _values(self, hits: HitTable, measure: str, ks: Ints) -> Floats:
        values = getattr(hits, "judged_share" if measure == "judged" else measure)(ks)
        if self.choices.no_relevant != "exclude" and measure != "judged":
            values = np.where(np.isnan(values), float(self.choices.no_relevant == "one"), values)
        return values

    def _existing(self, chosen: np.ndarray) -> float:
        """Number of relevant documents of the chosen queries; NaN for 0, so that a quotient is undefined."""
        return float(self._hits.relevant_count[chosen].sum()) or float("nan")

    # ----------------------------------------------------------------------------------------- one by one

    @property
    def max_depth(self) -> int:
        """The largest number of documents that the run returned for a judged query."""
        return int(self._hits.depths.max(initial=0))

    @property
    def hits(self) -> pd.DataFrame:
        """The hit table: one row for each judged document, with grade and rank; no rank: never found."""
        return self._hits.table()

    def relevant_ranks(self, query_id: Any) -> list[int]:
        """Ranks at which the run found relevant documents of one query.

        >>> evaluate({"q": ["a", "b", "c"]}, {"q": ["x", "a", "y", "c"]}).relevant_ranks("q")
        [2, 4]
        """
        hits = self._hits.of_query(query_id)
        return hits.rank[hits.relevant & hits.found].tolist()

    def missed(self, query_id: Any, k: int | None = None) -> list[Any]:
        """Relevant documents of one query that are not in the top k (without ``k``: nowhere in the run)."""
        hits = self._hits.of_query(query_id)
        missed = hits.relevant & (~hits.found | (hits.rank > self._cutoffs(k)))
        return [doc for doc, is_missed in zip(hits.documents, missed, strict=True) if is_missed]

    def per_query(self, k: int) -> pd.DataFrame:
        """One row for each judged query: R, what was found, every measure at k; missing where undefined.

        Raises
        ------
        RecallLabError : k is no whole number from 1. Only measures that can do without a cutoff (such as
            :meth:`ndcg`) take ``None`` for the whole depth.
        """
        import pandas as pd

        hits, ks = self._hits, self._cutoffs(check_k(k))
        first = np.zeros(len(hits.query_ids), dtype=np.int64)
        found = np.flatnonzero(hits.relevant & hits.found)
        first[hits.query[found][::-1]] = hits.rank[found][::-1]
        columns: dict[str, Any] = {}
        if self.question_types:
            columns["type"] = [self.question_types.get(query_id) for query_id in hits.query_ids]
        columns |= {
            "included": self._counted,
            "relevant": hits.relevant_count,
            "found": hits.found_relevant(ks)[:, 0].astype(np.int64),
            "first_rank": pd.Series(first, dtype="Int64").replace(0, pd.NA).array,
            "depth": hits.depths,
        }
        columns |= {
            measure: self._values(hits, measure, ks)[:, 0]
            for measure in MEASURES
            if measure != "micro_recall"
        }
        return pd.DataFrame(columns, index=pd.Index(self.judged_query_ids, name="query"))

    def slices(self, k: int, by: Mapping[Any, str] | None = None) -> pd.DataFrame:
        """Measures at k for each type of question, so that a good mean can't hide a bad slice.

        Parameters
        ----------
        k : the cutoff.
        by : a slice name for each query; by default the question types of the dataset. Queries that it does
            not name are put in the slice ``"(none)"``.

        Returns
        -------
        One row for each slice: number of judged ``questions``, ``n`` in the means, ``recall``,
        ``micro_recall``, ``ceiling``, ``hit_rate``, and ``answerable_rate``.

        Raises
        ------
        RecallLabError : no question types are known, or k is no whole number from 1.
        """
        import pandas as pd

        check_question_types(by, "by")
        names = self.question_types if by is None else by
        if not names:
            raise RecallLabError("no question types are known; give them: slices(k, by={'q1': 'list', …})")
        ks = self._cutoffs(check_k(k))
        columns = {
            measure: self._values(self._hits, measure, ks)[:, 0]
            for measure in ("recall", "ceiling", "hit_rate")
        }
        found = self._hits.found_relevant(ks)[:, 0]
        number_of: dict[str, int] = {}
        slice_of = np.array(
            [
                number_of.setdefault(names.get(query_id, "(none)"), len(number_of))
                for query_id in self.judged_query_ids
            ]
        )
        rows = {}
        for name, number in number_of.items():
            inside = slice_of == number
            counted = inside & self._counted
            means = {
                measure: column[counted].mean() if counted.any() else float("nan")
                for measure, column in columns.items()
            }
            rows[name] = {
                "questions": int(inside.sum()),
                "n": int(counted.sum()),
                "recall": means["recall"],
                "micro_recall": found[counted].sum() / self._existing(counted),
                "ceiling": means["ceiling"],
                "hit_rate": means["hit_rate"],
                "answerable_rate": float((self._hits.relevant_count[inside] > 0).mean()),
            }
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("slice")

    # --------------------------------------------------------------------------------- what else could be

    def ties(self, k: int, measure: str = "recall") -> TiesAtCutoff:
        """Whether tied scores leave a value open, for which queries, and between which bounds.

        Examples
        --------
        >>> print(evaluate({"q": ["a"]}, {"q": {"a": 1.0, "b": 1.0}}).ties(1))
        ties in 1 query leave recall@1 open between 0.0000 and 1.0000
        """
        _check_measure(measure)
        best, worst = self._best_and_worst
        ks = self._cutoffs(check_k(k))
        kind = "recall" if measure == "micro_recall" else measure
        spread = self._values(best._hits, kind, ks)[:, 0] > self._values(worst._hits, kind, ks)[:, 0]
        return TiesAtCutoff(
            k=int(k),
            measure=measure,
            query_ids=self._ids(spread & self._counted),
            value=self.mean(measure, k),
            worst=worst.mean(measure, k),
            best=best.mean(measure, k),
        )

    def perfect_rerank(self, depth: int) -> Evaluation:
        """The same queries after a perfect reranker has reordered the top ``depth``, highest grade first.

        Each of its measures is the most that any rerank of these candidates can reach: recall@j is min(j,
        r) / R, average precision r / R, and nDCG can still be above recall.
        """
        within = min(check_k(depth, "depth"), max(self.max_depth, 1))
        reranked = self._reading(self._hits.perfectly_reranked(within))
        reranked.run_name = f"perfect rerank of the top {depth} of {self.run_name or 'run'}"
        return reranked

    def rerank_ceiling(self, measure: str, j: int, depth: int) -> float:
        """The most that ``measure`` at j can reach by reordering the top ``depth``."""
        return self.perfect_rerank(depth).mean(measure, check_k(j, "j"))

    def headroom(self, j: int, depth: int) -> float:
        """What a perfect reranker that serves j of ``depth`` candidates would add to recall@j.

        That is the mean of min(j, r) / R, with r relevant documents among the candidates, less recall@j.
        The bare gap recall@depth − recall@j is an upper bound of it.

        Raises
        ------
        RecallLabError : ``depth`` is smaller than ``j``.
        """
        if check_k(depth, "depth") < check_k(j, "j"):
            raise RecallLabError(
                f"depth is {depth}; to serve j = {j} documents, a reranker needs at least {j}"
            )
        return self.rerank_ceiling("recall", j, depth) - self.recall(j)

    @cached_property
    def _best_and_worst(self) -> tuple[Evaluation, Evaluation]:
        """This evaluation with every tie at its best, and at its worst."""
        if not self._hits.has_ties:
            return self, self
        return self._reading(self._hits.reranked("best")), self._reading(self._hits.reranked("worst"))

    def _reading(self, hits: HitTable) -> Evaluation:
        other = copy.copy(self)
        other._hits = hits
        for computed_from_hits in ("_recall_steps", "_best_and_worst"):
            other.__dict__.pop(computed_from_hits, None)
        return other

    # ------------------------------------------------------------------------------------------- in words

    def summary(self, ks: Sequence[int] = (5, 10, 50)) -> Summary:
        """Table and statements to quote: k, n, averaging, ceiling, threshold, ties, and what was left out.

        Parameters
        ----------
        ks : the cutoffs, in any order.
        """
        import pandas as pd

        cutoffs = self._ascending(ks)
        columns = (
            "recall",
            "ceiling",
            "capped_recall",
            "micro_recall",
            "precision",
            "hit_rate",
            "ndcg",
            "judged",
        )
        table = pd.DataFrame(
            {measure: self._means(measure, _as_array(cutoffs)) for measure in columns},
            index=pd.Index(cutoffs, name="k"),
        )
        without_k = {
            "MRR": self.reciprocal_rank(),
            "MAP": self.average_precision(),
            "R-precision": self.r_precision(),
            "answerable rate": self.answerable_rate(),
        }
        stated = {"no-relevant", "unanswered", "ignored"}
        notices = [notice for notice in self.notices if notice.code not in stated]
        return Summary(self._title(), table, without_k, self._statements(cutoffs), notices)

    def _ascending(self, ks: Sequence[int]) -> list[int]:
        single = isinstance(ks, str) or not isinstance(ks, Iterable) or getattr(ks, "ndim", 1) == 0
        given: Iterable[Any] = (ks,) if single else ks
        cutoffs = sorted({check_k(k) for k in given})
        if not cutoffs:
            raise RecallLabError("ks is empty; name at least one cutoff, such as (5, 10)")
        return cutoffs

    def _statements(self, cutoffs: list[int]) -> dict[str, str]:
        choices = self.choices
        no_relevant = {"exclude": "left out of all means", "zero": "counted 0", "one": "counted 1"}
        unanswered = {"zero": "counted 0", "skip": "left out of all means"}
        order = {
            "by-id": "score, then document id, both descending",
            "as-given": "score, descending; equal scores as the run lists them",
            "best": "score, descending; equal scores at their best for the run",
            "worst": "score, descending; equal scores at their worst for the run",
        }
        ties = [str(found) for k in cutoffs if (found := self.ties(k)).query_ids]
        depths = self._hits.depths[self._counted & (self._hits.depths > 0)]
        shallow = int((depths < _as_array(cutoffs)[-1]).sum())
        depth = f"at most {self.max_depth}"
        if shallow:
            depth += f"; {_count(shallow, 'query')} below k = {cutoffs[-1]}, the shortest with {depths.min()}"
        return {
            "averaging": "macro, the mean over queries; micro recall pools all relevant documents",
            "relevant": f"grade {self.min_grade} or more",
            "no relevant document": _listed(self.without_relevant, no_relevant[choices.no_relevant]),
            "unanswered": _listed(self.unanswered, unanswered[choices.unanswered]),
            "ignored": _listed(self.ignored, "in the run without judgments"),
            "order": order[choices.ties] + (" (scores in 32 bits)" if choices.single_precision else ""),
            "ties": "; ".join(ties) or "none at these cutoffs changes recall",
            "run depth": depth,
        }

    def to_dict(self, ks: Sequence[int] = (5, 10, 50)) -> dict[str, Any]:
        """The numbers of :meth:`summary` for programs, ready for ``json.dumps``; ``None`` if undefined."""
        summary = self.summary(ks)
        by_k = {
            measure: {str(k): _or_none(value) for k, value in summary.table[measure].items()}
            for measure in summary.table.columns
        }
        ties = [str(found) for k in summary.table.index if (found := self.ties(int(k))).query_ids]
        return {
            "run": self.run_name,
            "n": self.n,
            "judged_queries": len(self.judged_query_ids),
            "excluded": [str(query_id) for query_id in self.excluded],
            "unanswered": [str(query_id) for query_id in self.unanswered],
            "ignored": [str(query_id) for query_id in self.ignored],
            "threshold": self.min_grade,
            "warnings": [str(notice) for notice in self.notices] + ties,
            **by_k,
            "mrr": _or_none(self.reciprocal_rank()),
            "map": _or_none(self.average_precision()),
            "r_precision": _or_none(self.r_precision()),
        }


# ------------------------------------------------------------------------------------------------ helpers


def _judgments_of(golden: Golden, min_grade: int | None) -> tuple[GoldenDataset | None, Judgments, int]:
    if isinstance(golden, str | os.PathLike):
        golden = GoldenDataset.load(golden)
    dataset = golden if isinstance(golden, GoldenDataset) else None
    judgments = golden.judgments if isinstance(golden, GoldenDataset) else golden
    if not isinstance(judgments, Mapping):
        raise RecallLabError(
            f"the judgments are a {type(judgments).__name__}; give a GoldenDataset or a dict "
            f"{{query: {{document: grade}}}}{table_way_out(judgments, 'grade')}"
        )
    if min_grade is None:
        min_grade = dataset.min_grade if dataset is not None else 1
    return dataset, judgments, check_k(min_grade, "min_grade")


def _choices(preset: str | None, no_relevant: Any, unanswered: Any, ties: Any) -> Choices:
    if preset is not None and not known(preset, PRESETS):
        raise RecallLabError(f"preset is {preset!r}; there is {', '.join(map(repr, PRESETS))}")
    base = PRESETS[preset] if preset is not None else Choices()
    return Choices(
        no_relevant=_one_of("no_relevant", no_relevant, base.no_relevant, ("exclude", "zero", "one")),
        unanswered=_one_of("unanswered", unanswered, base.unanswered, ("zero", "skip")),
        ties=_one_of("ties", ties, base.ties, ("by-id", "as-given", "best", "worst")),
        single_precision=base.single_precision,
    )


def _one_of(name: str, value: Any, default: Any, allowed: tuple[str, ...]) -> Any:
    if value is None:
        return default
    if not isinstance(value, str) or value not in allowed:
        raise RecallLabError(f"{name} is {value!r}; it can be {', '.join(map(repr, allowed))}")
    return value


def _as_array(cutoffs: list[int]) -> Ints:
    """Ascending cutoffs for the hit table; those beyond 64 bits make them floats."""
    if cutoffs[-1] < 2**63:
        return np.array(cutoffs)
    return np.array([min(k, 10**300) for k in cutoffs], dtype=np.float64)


def _check_measure(measure: str) -> None:
    if not isinstance(measure, str) or measure not in MEASURES:
        raise RecallLabError(f"there is no measure {measure!r}; there are {', '.join(MEASURES)}")


def _check_common_queries(judgments: Mapping[Any, Any], answered: Run | Mapping[Any, None]) -> None:
    for query_id in judgments:
        if type(query_id) is not str:
            kind_of(query_id)
    if not judgments:
        raise NoCommonQueriesError("there are no judgments; without them recall has no denominator")
    if not len(answered):
        raise NoCommonQueriesError("the run is empty: it answers no query")
    missing = [query_id for query_id in judgments if query_id not in answered]
    twins = [
        (query_id, twin)
        for query_id in missing
        if (twin := other_kind(query_id)) is not None and twin in answered
    ]
    if len(missing) == len(judgments):
        why = look_alike(judgments, answered) or "do both belong to the same set of questions?"
        raise NoCommonQueriesError(
            f"the judgments and the run have no query in common: {why} "
            f"(judged: {list_ids(judgments, 3)}; in the run: {list_ids(answered, 3)})"
        )
    if twins:
        raise kinds_differ("a query", *twins[0])


def _first_results(run: Run, judgments: Mapping[Any, Any], queries: int) -> list[list[Any]]:
    """The top of the first judged queries that the run answers, so many at most."""
    answered = (query_id for query_id in run if query_id in judgments and run.depth(query_id))
    return [run.ranking(query_id, _DEPTH_SHOWN) for query_id in islice(answered, queries)]


def _nothing_found(hits: HitTable, rankings: Iterable[list[Any]]) -> Iterable[Notice]:
    """A run that finds no judged document at all often has ids of another kind; say what looks alike."""
    retrieved = [doc for ranking in rankings for doc in ranking]
    if not set(hits.judged).isdisjoint(retrieved):  # found with a negative grade, or by another query
        return
    why = look_alike(hits.judged, retrieved) or "do both name the documents of the same corpus?"
    if retrieved and hits.judged:
        yield Notice("no-judged-document-found", f"the run found no judged document of any query: {why}")


def _merged(notices: Iterable[Notice]) -> Iterable[Notice]:
    """One notice for each code, where several pieces of a file gave one."""
    by_code: dict[str, list[Notice]] = {}
    for notice in notices:
        by_code.setdefault(notice.code, []).append(notice)
    for code, group in by_code.items():
        more = f" (and {len(group) - 1} more pieces of the file with such a notice)" if len(group) > 1 else ""
        ids = dict.fromkeys(id_ for notice in group for id_ in notice.ids)
        yield Notice(code, group[0].message + more, tuple(ids))


def _about(code: str, ids: Sequence[Any], one: str, many: str) -> Notice:
    what = f"1 {one}" if len(ids) == 1 else f"{len(ids)} {many}"
    return Notice(code, f"{what}: {list_ids(ids)}", tuple(map(str, ids)))


def _count(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun.removesuffix('query')}queries"


def _listed(ids: Sequence[Any], what: str) -> str:
    return f"{_count(len(ids), 'query')} {what}: {list_ids(ids)}" if ids else "none"


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
