"""Pools: the documents that somebody judged, and what a score means where only those were judged.

Nobody judges every document for every query. Assessors judge the pool instead, the union of the top results
of some systems (Spärck Jones and van Rijsbergen 1975), so R counts the relevant documents *of the pool*. A
system that helped to fill the pool finds more of it than one that did not. Here a truth that is known in
full, or the best there is, stands in for the assessor: build a pool, judge it, score systems on it, and see
what moved.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from recall_lab.errors import NoCommonQueriesError, RecallLabError
from recall_lab.evaluation import MEASURES, Evaluation, Golden, evaluate
from recall_lab.golden import GoldenDataset
from recall_lab.hits import Floats, Ints
from recall_lab.ids import check_one_kind, look_alike
from recall_lab.measures import check_k
from recall_lab.notices import Notice, list_ids
from recall_lab.run import Results, Run

Systems = Run | Iterable[Run] | Mapping[str, Run | Results]


@dataclass(frozen=True, repr=False)
class Pool:
    """The documents to judge, and which systems brought each of them; :func:`build_pool` makes one.

    Parameters
    ----------
    documents : for each query its documents in the order met, and for each of them the systems that brought
        it, each with its rank there.
    depths : for each system that contributes, how many of its results were taken.

    Examples
    --------
    >>> pool = build_pool({"A": {"q1": ["a", "b", "c"]}, "B": {"q1": ["b", "d"]}}, depth=2)
    >>> pool
    Pool of A, B to depth 2: 1 query, 3 documents
    >>> pool.documents["q1"]
    {'a': {'A': 1}, 'b': {'A': 2, 'B': 1}, 'd': {'B': 2}}
    >>> pool.unique("A")
    {'q1': ['a']}
    >>> pool.without("A")
    Pool of B to depth 2: 1 query, 2 documents

    Two pools join, as when a new system's results are judged later:

    >>> pool | build_pool({"NEW": {"q1": ["e", "a"]}}, depth=1)
    Pool of A, B to depth 2 and NEW to depth 1: 1 query, 4 documents
    """

    documents: dict[Any, dict[Any, dict[str, int]]]
    depths: dict[str, int]

    @property
    def systems(self) -> list[str]:
        """Names of the systems that contribute."""
        return list(self.depths)

    @property
    def size(self) -> int:
        """Number of pairs of a query and a document: the labels that the pool costs."""
        return sum(map(len, self.documents.values()))

    def unique(self, system: str) -> dict[Any, list[Any]]:
        """The documents that only this system brought, for each query where there are any."""
        alone = {self._known(system)}
        unique = {
            query_id: [doc for doc, ranks in found.items() if ranks.keys() == alone]
            for query_id, found in self.documents.items()
        }
        return {query_id: found for query_id, found in unique.items() if found}

    def without(self, *systems: str) -> Pool:
        """The pool that the other systems would have made."""
        stay = {name: depth for name, depth in self.depths.items() if name not in map(self._known, systems)}
        documents = {
            query_id: {
                doc: others
                for doc, ranks in found.items()
                if (others := {name: rank for name, rank in ranks.items() if name in stay})
            }
            for query_id, found in self.documents.items()
        }
        return Pool(documents, stay)

    def __or__(self, other: Pool) -> Pool:
        if not isinstance(other, Pool):
            return NotImplemented
        documents = {query_id: dict(found) for query_id, found in self.documents.items()}
        for query_id, found in other.documents.items():
            joined = documents.setdefault(query_id, {})
            for doc, ranks in found.items():
                joined[doc] = joined.get(doc, {}) | ranks
        deeper = {name: max(depth, self.depths.get(name, 0)) for name, depth in other.depths.items()}
        return Pool(documents, self.depths | deeper)

    def judge(self, truth: Golden, *, min_grade: int | None = None, complete: bool = True) -> GoldenDataset:
        """The judgments of an assessor who knows the truth and looks at the pool alone.

        Parameters
        ----------
        truth : a :class:`GoldenDataset`; or ``{query: {document: grade}}``, or ``{query: [relevant
            documents]}``; or a file or folder to load.
        min_grade : a document is relevant from this grade; by default the dataset's own threshold, else 1.
        complete : the truth is complete, so a pooled document that it does not name is judged, grade 0. With
            ``False`` such a document stays unjudged; that is honest where the truth is itself only a pool.

        Returns
        -------
        A :class:`GoldenDataset` with the queries of the truth. Its notices name the queries that lost all
        their relevant documents, and those of the pool that the truth does not have.

        Raises
        ------
        NoCommonQueriesError : pool and truth share no query.
        RecallLabError : a grade, id or threshold is not what it should be.

        Examples
        --------
        >>> pool = build_pool({"A": {"q1": ["a", "x"], "q2": ["y"]}}, depth=2)
        >>> judged = pool.judge({"q1": ["a", "b"], "q2": ["c"]})
        >>> judged.judgments
        {'q1': {'a': 1, 'x': 0}, 'q2': {'y': 0}}
        >>> print(*judged.notices)
        1 query has relevant documents and none of them in the pool, so it leaves the means: q2
        """
        known = _truth_of(truth, min_grade)
        self._check_ids(known)
        judgments = {}
        for query_id, grades in known.judgments.items():
            pooled = self.documents.get(query_id, {})
            judgments[query_id] = {doc: grades.get(doc, 0) for doc in pooled if complete or doc in grades}
        judged = copy.copy(known)
        judged.judgments = judgments
        judged.name = f"{known.name or 'truth'} in the pool of {self._made_by}"
        judged.notices = [*known.notices, *self._notices(known, judged)]
        return judged

    def _notices(self, known: GoldenDataset, judged: GoldenDataset) -> Iterable[Notice]:
        if lost := _lost(known, judged):
            who, then = f"{len(lost)} queries have", "they leave"
            if len(lost) == 1:
                who, then = "1 query has", "it leaves"
            why = f"{who} relevant documents and none of them in the pool, so {then} the means"
            yield Notice("lost-in-pool", f"{why}: {list_ids(lost)}", tuple(map(str, lost)))
        if unknown := [query_id for query_id in self.documents if query_id not in known.judgments]:
            verb = "queries of the pool are" if len(unknown) > 1 else "query of the pool is"
            message = f"{len(unknown)} {verb} not in the truth and not judged: {list_ids(unknown)}"
            yield Notice("not-in-truth", message, tuple(map(str, unknown)))

    def _check_ids(self, known: GoldenDataset) -> None:
        """Refuse a truth whose ids cannot match those of the pool."""
        if known.judgments.keys().isdisjoint(self.documents):
            why = look_alike(known.judgments, self.documents) or "do both belong to the same questions?"
            raise NoCommonQueriesError(
                f"the truth and the pool have no query in common: {why} "
                f"(in the truth: {list_ids(known.judgments, 3)}; in the pool: {list_ids(self.documents, 3)})"
            )
        # One document of each tells the kind: neither side holds numbers beside texts.
        pooled, judged = (_first_document(side) for side in (self.documents, known.judgments))
        check_one_kind(pooled, judged, "the pool", "the truth")

    def _known(self, system: str) -> str:
        if system not in self.depths:
            raise RecallLabError(f"{system!r} did not contribute to the pool; {', '.join(self.depths)} did")
        return system

    @property
    def _made_by(self) -> str:
        """Who made it, such as ``A, B to depth 20 and NEW to depth 50``."""
        at_depth: dict[int, list[str]] = {}
        for name, depth in self.depths.items():
            at_depth.setdefault(depth, []).append(name)
        parts = [f"{', '.join(names)} to depth {depth}" for depth, names in at_depth.items()]
        return " and ".join(parts) or "no system"

    def __repr__(self) -> str:
        queries = "1 query" if len(self.documents) == 1 else f"{len(self.documents)} queries"
        documents = "1 document" if self.size == 1 else f"{self.size:,} documents"
        return f"Pool of {self._made_by}: {queries}, {documents}"


def build_pool(runs: Systems, depth: int) -> Pool:
    """The union of what some systems have among their first ``depth`` results.

    Parameters
    ----------
    runs : ``{name: run}``, or runs that have names, or one run.
    depth : how many results of each system are taken for each query, from rank 1.

    Raises
    ------
    RecallLabError : there is no run, one is empty, two have one name, or the depth is no whole number from 1.

    Examples
    --------
    >>> build_pool([Run({"q1": ["a", "b"]}, name="A"), Run({"q1": ["c"]}, name="B")], depth=1)
    Pool of A, B to depth 1: 1 query, 2 documents
    """
    systems, depth = _named(runs), check_k(depth, "depth")
    documents: dict[Any, dict[Any, dict[str, int]]] = {}
    for name, run in systems.items():
        for query_id in run:
            found = documents.setdefault(query_id, {})
            for rank, doc in enumerate(run.ranking(query_id, depth), start=1):
                found.setdefault(doc, {})[name] = rank
    return Pool(documents, dict.fromkeys(systems, depth))


# ------------------------------------------------------------------------------------ scores under a pool


@dataclass(frozen=True, repr=False)
class PoolScores:
    """What systems score on the truth and on a pool of it; :func:`rescore` makes it.

    Parameters
    ----------
    pool : the pool.
    runs : the systems.
    truth : all judgments.
    judged : the judgments of the pool.
    on_truth, on_pool : for each system its evaluation on either.
    measure, k : what was measured, and its cutoff.
    complete : whether all of the pool was judged.
    """

    pool: Pool
    runs: dict[str, Run]
    truth: GoldenDataset
    judged: GoldenDataset
    on_truth: dict[str, Evaluation]
    on_pool: dict[str, Evaluation]
    measure: str
    k: int
    complete: bool

    @property
    def lost(self) -> list[Any]:
        """Queries that have relevant documents and none of them in the pool: they leave the pooled means."""
        return _lost(self.truth, self.judged)

    def under(self, pool: Pool) -> PoolScores:
        """The same systems and truth under another pool."""
        judged = _as_pool(pool).judge(self.truth, complete=self.complete)
        return replace(self, pool=pool, judged=judged, on_pool=_evaluations(self.runs, judged))

    def table(self) -> pd.DataFrame:
        """One row for each system.

        Whether it ``contributes`` to the pool; value and rank on the ``truth`` and as ``pooled``; ``change``
        from truth to pool; number of queries in either mean; share of its top k that is ``judged`` in the
        pool, or ``unjudged``.
        """
        truth, pooled = self._values(self.on_truth), self._values(self.on_pool)
        judged = pd.Series({name: e.judged(self.k) for name, e in self.on_pool.items()})
        table = pd.DataFrame(
            {
                "contributes": [name in self.pool.depths for name in self.runs],
                "truth": truth,
                "truth_rank": _ranks(truth),
                "pooled": pooled,
                "pooled_rank": _ranks(pooled),
                "change": pooled - truth,
                "truth_n": [e.n for e in self.on_truth.values()],
                "pooled_n": [e.n for e in self.on_pool.values()],
                "judged": judged,
                "unjudged": 1 - judged,
            }
        )
        return table.rename_axis("system")

    def leave_one_out(self) -> pd.DataFrame:
        """What each contributor would score had it not contributed: a test that needs no full truth.

        A small change is no all-clear. Where the contributors are alike, each still finds its documents in
        the pool of the others, and what none of them finds stays unseen.

        Returns
        -------
        One row for each contributor: value and rank as ``pooled``, value and rank ``without_it``, and the
        ``change``; how many documents only it brought, ``unique_documents``, and how many of these are
        relevant, ``unique_relevant``; number of queries in either mean.

        Raises
        ------
        RecallLabError : fewer than two systems contribute, or the run of a contributor is missing.

        Notes
        -----
        Zobel, "How reliable are the results of large-scale information retrieval experiments?", SIGIR 1998.

        Examples
        --------
        >>> runs = {"A": {"q1": ["a", "b"]}, "B": {"q1": ["a", "c"]}}
        >>> table = rescore(build_pool(runs, depth=2), runs, {"q1": ["a", "b", "c"]}, k=2).leave_one_out()
        >>> table.loc["A", ["pooled", "without_it", "unique_relevant"]].to_dict()
        {'pooled': 0.6666666666666666, 'without_it': 0.5, 'unique_relevant': 1.0}
        """
        if len(self.pool.depths) < 2:
            raise RecallLabError(
                "leaving one out takes a pool of at least two systems; "
                f"this is the pool of {self.pool._made_by}, and nothing would be left"
            )
        _check_given(self.pool.depths, self.runs)
        pooled = self._values(self.on_pool)
        rows = {}
        for name in self.pool.depths:
            reduced = self.under(self.pool.without(name))
            without = reduced._values(reduced.on_pool)
            unique = self.pool.unique(name)
            rows[name] = {
                "pooled": pooled[name],
                "pooled_rank": _ranks(pooled)[name],
                "without_it": without[name],
                "rank_without_it": _ranks(without)[name],
                "change": without[name] - pooled[name],
                "unique_documents": sum(map(len, unique.values())),
                "unique_relevant": sum(
                    len(self.judged.relevant(query_id).intersection(docs))
                    for query_id, docs in unique.items()
                    if query_id in self.judged.judgments
                ),
                "pooled_n": self.on_pool[name].n,
                "n_without_it": reduced.on_pool[name].n,
            }
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("system")

    def _values(self, evaluations: Mapping[str, Evaluation]) -> pd.Series:
        return pd.Series({name: e.mean(self.measure, self.k) for name, e in evaluations.items()})

    def __repr__(self) -> str:
        lines = [
            f"{self.measure}@{self.k}, {self.judged.name}",
            "",
            self.table().to_string(float_format="{:.4f}".format),
        ]
        return "\n".join([*lines, *(f"note: {notice}" for notice in self.judged.notices)])


def rescore(
    pool: Pool,
    runs: Systems,
    truth: Golden,
    k: int,
    *,
    measure: str = "recall",
    min_grade: int | None = None,
    complete: bool = True,
) -> PoolScores:
    """Score systems on the truth, and on what is left of it in a pool.

    Parameters
    ----------
    pool : the pool.
    runs : the systems to score, whether they contribute to the pool or not.
    truth, min_grade, complete : as in :meth:`Pool.judge`.
    k : the cutoff.
    measure : one of :data:`recall_lab.evaluation.MEASURES`.

    Raises
    ------
    NoCommonQueriesError, RecallLabError : as :meth:`Pool.judge` and :func:`recall_lab.evaluate` do.

    Examples
    --------
    The pool was made by OLD alone, and does not know what NEW finds:

    >>> truth = {"q1": ["a", "b", "c", "d"]}
    >>> runs = {"OLD": {"q1": ["a", "x", "y"]}, "NEW": {"q1": ["b", "c", "d"]}}
    >>> scores = rescore(build_pool({"OLD": runs["OLD"]}, depth=3), runs, truth, k=3)
    >>> scores.table()[["truth", "pooled", "unjudged"]].to_dict("index")["NEW"]
    {'truth': 0.75, 'pooled': 0.0, 'unjudged': 1.0}
    """
    if measure not in MEASURES:
        raise RecallLabError(f"there is no measure {measure!r}; there are {', '.join(MEASURES)}")
    check_k(k)
    known, systems = _truth_of(truth, min_grade), _named(runs)
    judged = _as_pool(pool).judge(known, complete=complete)
    on_truth, on_pool = _evaluations(systems, known), _evaluations(systems, judged)
    return PoolScores(pool, systems, known, judged, on_truth, on_pool, measure, int(k), complete)


@dataclass(frozen=True)
class DepthSweep:
    """Scores under pools of every depth at once; :func:`sweep_depths` makes it.

    Parameters
    ----------
    recall : macro recall@k, one row for each pool depth from 1, one column for each system; NaN where no
        query has a relevant document in the pool.
    judged : judged@k, likewise.
    n : number of queries in these means, by pool depth.
    size : number of documents judged, by pool depth: the labels it costs.
    """

    recall: pd.DataFrame
    judged: pd.DataFrame
    n: pd.Series
    size: pd.Series


def sweep_depths(
    runs: Systems,
    truth: Golden,
    k: int,
    max_depth: int,
    *,
    pooled: Iterable[str] | None = None,
    min_grade: int | None = None,
) -> DepthSweep:
    """Recall@k and judged@k of systems under the pools of depth 1 … ``max_depth``, in one pass.

    The same values as :func:`rescore` at each depth. All that counts of a document is the depth from which it
    is in the pool, its best rank in any contributor.

    Parameters
    ----------
    runs : the systems to score.
    truth, k, min_grade : as in :func:`rescore`. The truth is taken as complete: all of the pool is judged.
    max_depth : the deepest pool.
    pooled : names of the systems that contribute; by default all.

    Raises
    ------
    RecallLabError : as :func:`rescore`, or a contributor is not among the runs.

    Examples
    --------
    >>> truth = {"q1": ["a", "b", "c", "d"]}
    >>> runs = {"OLD": {"q1": ["a", "x", "b"]}, "NEW": {"q1": ["b", "c", "d"]}}
    >>> sweep_depths(runs, truth, k=2, max_depth=3, pooled=["OLD"]).recall["NEW"].to_list()
    [0.0, 0.0, 0.5]
    """
    known, systems = _truth_of(truth, min_grade), _named(runs)
    k, max_depth = check_k(k), check_k(max_depth, "max_depth")
    if isinstance(pooled, str) or not (pooled is None or isinstance(pooled, Iterable)):
        raise RecallLabError(f"pooled is {pooled!r}; it is a list of names, such as ['A', 'B']")
    contributors = list(systems if pooled is None else pooled)
    _check_given(contributors, systems)
    pool = build_pool({name: systems[name] for name in contributors}, max_depth)
    pool._check_ids(known)

    queries = list(known.judgments)
    relevant = [known.relevant(query_id) for query_id in queries]
    entry_depths = [
        {
            doc: min(ranks.values())
            for doc, ranks in pool.documents.get(query_id, {}).items()
            if grades.get(doc, 0) >= 0  # a negative grade is no judgment
        }
        for query_id, grades in known.judgments.items()
    ]

    def in_pool(documents: Iterable[Iterable[Any]]) -> Ints:
        """How many of these documents of each query (row) are in the pool of each depth (column)."""
        cells = [
            query * max_depth + enters[doc] - 1
            for query, (enters, docs) in enumerate(zip(entry_depths, documents, strict=True))
            for doc in docs
            if doc in enters
        ]
        steps = np.bincount(np.array(cells, dtype=np.int64), minlength=len(queries) * max_depth)
        return steps.reshape(len(queries), max_depth).cumsum(axis=1)

    existing = in_pool(relevant)
    counted = existing > 0
    recall, judged = {}, {}
    for name, run in systems.items():
        top = [run.ranking(query_id, k) if query_id in run else [] for query_id in queries]
        shown = np.array([[len(docs)] for docs in top])
        found = in_pool(wanted.intersection(docs) for wanted, docs in zip(relevant, top, strict=True))
        recall[name] = _mean(found, existing, counted)
        judged[name] = _mean(in_pool(top), shown, counted & (shown > 0))

    depths = pd.RangeIndex(1, max_depth + 1, name="depth")
    return DepthSweep(
        recall=pd.DataFrame(recall, index=depths),
        judged=pd.DataFrame(judged, index=depths),
        n=pd.Series(counted.sum(axis=0), index=depths, name="n"),
        size=pd.Series(in_pool(entry_depths).sum(axis=0), index=depths, name="size"),
    )


def _mean(part: Ints, whole: Ints, over: NDArray[np.bool_]) -> Floats:
    """Mean of part / whole over the chosen queries (rows), for each depth (column); NaN where none is."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(over, part / whole, 0).sum(axis=0) / over.sum(axis=0)


# ------------------------------------------------------------------------------------------------ helpers


def _named(runs: Systems) -> dict[str, Run]:
    """Runs by name, refusing what cannot be told apart or holds nothing."""
    if isinstance(runs, Mapping):
        named = {
            str(name): run if isinstance(run, Run) else Run(run, name=str(name)) for name, run in runs.items()
        }
    else:
        listed = [runs] if isinstance(runs, Run) else list(runs) if isinstance(runs, Iterable) else [runs]
        for run in listed:
            if not isinstance(run, Run):
                raise RecallLabError(f"systems are runs, or a dict {{name: run}}, not {type(run).__name__}")
        named = {run.name: run for run in listed}
        if len(named) < len(listed) or "" in named:
            raise RecallLabError(
                "systems are told apart by name, each its own; give them: {'A': run, 'B': run}"
            )
    if not named:
        raise RecallLabError("there is no run; a pool is filled by at least one")
    for name, run in named.items():
        if not len(run):
            raise RecallLabError(f"the run {name!r} is empty: it answers no query")
    return named


def _as_pool(pool: Pool) -> Pool:
    if not isinstance(pool, Pool):
        raise RecallLabError(f"pool is a {type(pool).__name__}; give what build_pool() returns")
    return pool


def _check_given(contributors: Iterable[str], systems: Mapping[str, Run]) -> None:
    missing = [name for name in contributors if name not in systems]
    if missing:
        raise RecallLabError(f"no run is given of {list_ids(missing)}; there are runs of {list_ids(systems)}")


def _truth_of(truth: Golden, min_grade: int | None) -> GoldenDataset:
    if isinstance(truth, str | os.PathLike):
        return GoldenDataset.load(truth, min_grade=min_grade)
    if not isinstance(truth, GoldenDataset):
        return GoldenDataset(None, None, truth, min_grade=1 if min_grade is None else min_grade)
    if min_grade is not None:
        truth = copy.copy(truth)
        truth.min_grade = check_k(min_grade, "min_grade")
    return truth


def _evaluations(systems: Mapping[str, Run], golden: GoldenDataset) -> dict[str, Evaluation]:
    return {name: evaluate(golden, run) for name, run in systems.items()}


def _lost(known: GoldenDataset, judged: GoldenDataset) -> list[Any]:
    """Queries that have relevant documents in one dataset and none in the other."""
    return [
        query_id for query_id in known.judgments if known.relevant(query_id) and not judged.relevant(query_id)
    ]


def _first_document(of_queries: Mapping[Any, Mapping[Any, Any]]) -> list[Any]:
    return next(([next(iter(documents))] for documents in of_queries.values() if documents), [])


def _ranks(values: pd.Series) -> pd.Series:
    """1 for the highest; equal values share the better rank, and a missing one has none."""
    return values.rank(ascending=False, method="min").astype("Int64")
