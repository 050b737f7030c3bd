"""Every measure for one ranking, in plain Python, as you would write it by hand, done right.

This module is the specification: :mod:`recall_lab.evaluation` computes the same numbers for many queries at
once, and a test holds the two equal. Four conventions run through all of it:

- ``retrieved_ids`` is in rank order, best first; ranks count from 1.
- **Cut first, then count distinct documents.** A repeat in a plain list takes up its rank and finds nothing
  new.
- A query without a relevant document (R = 0) has no recall. The value is ``None``, never 0 or 1.
- Values are fractions between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log2
from numbers import Integral
from typing import Any, Literal

from recall_lab.errors import RecallLabError
from recall_lab.ids import as_id_set, as_ranking, check_one_kind

MAX_EXPONENT = 1000  # 2^1000 still fits a float; a larger "grade" is no grade

Gain = Literal["linear", "exponential"]
Runs = Iterable[tuple[Iterable[Any], Iterable[Any]]]


# ---------------------------------------------------------------------------------------------- found or not


def recall_at_k(retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any], k: int) -> float | None:
    """Share of all relevant documents that are in the top k.

    Parameters
    ----------
    retrieved_ids : document ids in rank order.
    relevant_ids : ids of every relevant document that exists, found or not.
    k : the cutoff, a whole number from 1.

    Returns
    -------
    A fraction from 0 to 1, or ``None`` where no relevant document exists.

    Raises
    ------
    RecallLabError : ``k`` is no whole number from 1, or the ids are not what they should be.

    Examples
    --------
    Four relevant documents exist; the ranking has them at ranks 2, 5 and 9.

    >>> ranking = ["x1", "a", "x2", "x3", "b", "x4", "x5", "x6", "c"]
    >>> [recall_at_k(ranking, {"a", "b", "c", "d"}, k) for k in (3, 5, 10, 100)]
    [0.25, 0.5, 0.75, 0.75]
    >>> recall_at_k(ranking, [], 5) is None
    True
    """
    retrieved, relevant = _clean(retrieved_ids, relevant_ids)
    top = retrieved[: check_k(k)]
    return len(set(top) & relevant) / len(relevant) if relevant else None


def achievable_recall_at_k(runs: int | Iterable[Any], k: int) -> float | None:
    """The ceiling: the mean recall@k of a perfect retriever, min(k, R) / R for each query.

    Parameters
    ----------
    runs : pairs ``(retrieved_ids, relevant_ids)``, or just the number of relevant documents of each query,
        or one such number.
    k : the cutoff, a whole number from 1.

    Returns
    -------
    A fraction from 0 to 1, or ``None`` where no query has a relevant document.

    Examples
    --------
    >>> achievable_recall_at_k(20, 10)
    0.5
    >>> round(achievable_recall_at_k([2, 30], 10), 3)
    0.667
    >>> achievable_recall_at_k([(["a", "x"], {"a", "b"})], 1)
    0.5
    """
    k = check_k(k)
    counts = [_relevant_count(run) for run in ([runs] if isinstance(runs, Integral) else _list_of_runs(runs))]
    return mean_of_defined(min(k, count) / count if count else None for count in counts)


def capped_recall_at_k(retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any], k: int) -> float | None:
    """Relevant documents in the top k, divided by min(k, R). This is not recall: it goes by its own name.

    Parameters, errors and ``None`` as in :func:`recall_at_k`.

    Examples
    --------
    >>> capped_recall_at_k(["a", "b", "x"], ["a", "b", "c", "d", "e"], 2)
    1.0
    """
    retrieved, relevant = _clean(retrieved_ids, relevant_ids)
    top = retrieved[: check_k(k)]
    return len(set(top) & relevant) / min(k, len(relevant)) if relevant else None


def precision_at_k(retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any], k: int) -> float:
    """Share of the k top places that hold a relevant document; empty places count as misses.

    It shares its numerator with recall: precision@k · k = recall@k · R. It needs no R, so it is 0, not
    undefined, where no relevant document exists. Parameters and errors as in :func:`recall_at_k`.

    Examples
    --------
    >>> precision_at_k(["x1", "a", "x2", "x3", "b"], {"a", "b", "c", "d"}, 5)
    0.4
    """
    retrieved, relevant = _clean(retrieved_ids, relevant_ids)
    top = retrieved[: check_k(k)]
    return len(set(top) & relevant) / k


def hit_rate_at_k(retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any], k: int) -> float | None:
    """1.0 if at least one relevant document is in the top k, else 0.0. Also called success@k.

    Parameters, errors and ``None`` as in :func:`recall_at_k`.

    Examples
    --------
    >>> hit_rate_at_k(["x", "a"], {"a", "b", "c"}, 2)
    1.0
    """
    retrieved, relevant = _clean(retrieved_ids, relevant_ids)
    top = retrieved[: check_k(k)]
    return float(not relevant.isdisjoint(top)) if relevant else None


def judged_at_k(retrieved_ids: Iterable[Any], judged_ids: Iterable[Any], k: int) -> float | None:
    """Share of the documents shown in the top k that somebody has judged, relevant or not.

    A low value warns that misses may be missing labels. A list shorter than k is divided by its own length,
    as nothing else was shown; an empty list gives ``None``.

    Parameters
    ----------
    retrieved_ids : document ids in rank order.
    judged_ids : ids of all documents with a judgment (grade 0 or more).
    k : the cutoff, a whole number from 1.

    Examples
    --------
    >>> judged_at_k(["a", "x", "b", "y"], {"a", "b"}, 3)
    0.6666666666666666
    """
    retrieved, judged = _clean(retrieved_ids, judged_ids, "judged_ids")
    top = set(retrieved[: check_k(k)])
    return len(top & judged) / len(top) if top else None


# ------------------------------------------------------------------------------------- where it was found


def reciprocal_rank_at_k(
    retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any], k: int | None = None
) -> float | None:
    """1 / the rank of the first relevant document; 0.0 if there is none in the top k (no k: the whole list).

    Its mean over queries is the MRR. Other parameters, errors and ``None`` as in :func:`recall_at_k`.

    Examples
    --------
    >>> reciprocal_rank_at_k(["x", "a", "b"], {"a", "b"})
    0.5
    """
    retrieved, relevant = _clean(retrieved_ids, relevant_ids)
    ranks = _first_ranks(retrieved, relevant, k)
    if not relevant:
        return None
    return 1 / min(ranks.values()) if ranks else 0.0


def average_precision(
    retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any], k: int | None = None
) -> float | None:
    """Precision at the rank of every relevant document found, summed and divided by R.

    The divisor is not the number found. Its mean over queries is MAP; with ``k`` only the top k counts,
    still divided by R (trec_eval's ``map_cut``). Other parameters, errors and ``None`` as in
    :func:`recall_at_k`.

    Examples
    --------
    >>> ranking = ["x1", "a", "x2", "x3", "b", "x4", "x5", "x6", "c"]
    >>> round(average_precision(ranking, {"a", "b", "c", "d"}), 3)
    0.308
    """
    retrieved, relevant = _clean(retrieved_ids, relevant_ids)
    ranks = _first_ranks(retrieved, relevant, k).values()
    if not relevant:
        return None
    return sum(found / rank for found, rank in enumerate(ranks, start=1)) / len(relevant)


def r_precision(retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any]) -> float | None:
    """Precision at k = R, where precision and recall are the same number.

    Parameters, errors and ``None`` as in :func:`recall_at_k`.

    Examples
    --------
    >>> r_precision(["a", "x", "y", "b"], {"a", "b"})
    0.5
    """
    retrieved, relevant = _clean(retrieved_ids, relevant_ids)
    return precision_at_k(retrieved, relevant, len(relevant)) if relevant else None


def ndcg_at_k(
    retrieved_ids: Iterable[Any],
    grades: Mapping[Any, int] | Iterable[Any],
    k: int,
    gain: Gain = "linear",
) -> float | None:
    """Discounted gain of the top k, divided by that of the best possible top k.

    A document of grade g at rank i gains g / log2(1 + i) (trec_eval's nDCG, after Järvelin and Kekäläinen
    2002), or (2^g − 1) / log2(1 + i) with ``gain="exponential"`` (Burges et al. 2005). The ideal is cut at
    k as well. Grades of 0 and below gain nothing; there is no threshold: grade 1 gains even where relevant
    means 2.

    Parameters
    ----------
    retrieved_ids : document ids in rank order.
    grades : the grade of every judged document; a plain collection of ids counts as grade 1 for each.
    k : the cutoff, a whole number from 1.
    gain : ``"linear"`` or ``"exponential"``.

    Returns
    -------
    A fraction from 0 to 1, or ``None`` where no document has a grade above 0.

    Examples
    --------
    >>> round(ndcg_at_k(["x", "a", "y", "z", "b"], ["a", "b", "c", "d"], 5), 3)
    0.397
    >>> round(ndcg_at_k(["b", "a"], {"a": 3, "b": 1}, 2, gain="exponential"), 3)
    0.71
    """
    if gain not in ("linear", "exponential"):
        raise RecallLabError(f'gain is {gain!r}; it can be "linear" or "exponential"')
    gains = {doc: _gain(grade, gain) for doc, grade in _as_grades(grades).items()}
    retrieved, graded = _clean(retrieved_ids, set(gains), "grades")
    found = sum(
        gains[doc] / log2(1 + rank) for doc, rank in _first_ranks(retrieved, graded, check_k(k)).items()
    )
    best_first = sorted(gains.values(), reverse=True)[:k]
    ideal = sum(best / log2(1 + rank) for rank, best in enumerate(best_first, start=1))
    return found / ideal if ideal else None


# ------------------------------------------------------------------------------------------- many queries


def mean_recall_at_k(runs: Runs, k: int) -> float | None:
    """Macro recall: the mean of recall@k over the queries that have one (R > 0).

    Parameters
    ----------
    runs : pairs ``(retrieved_ids, relevant_ids)``, one for each query.
    k : the cutoff, a whole number from 1.

    Examples
    --------
    Two of two found, and three of thirty: every query weighs the same.

    >>> runs = [(["a", "b"], ["a", "b"]), ([1, 2, 3], range(1, 31))]
    >>> round(mean_recall_at_k(runs, 10), 3)
    0.55
    """
    return mean_of_defined(recall_at_k(retrieved, relevant, k) for retrieved, relevant in _pairs(runs))


def mean_hit_rate_at_k(runs: Runs, k: int) -> float | None:
    """Share of the queries with R > 0 that have at least one relevant document in the top k.

    Parameters as in :func:`mean_recall_at_k`.

    Examples
    --------
    >>> mean_hit_rate_at_k([(["a"], ["a", "b"]), (["x"], ["a"]), (["x"], [])], 1)
    0.5
    """
    return mean_of_defined(hit_rate_at_k(retrieved, relevant, k) for retrieved, relevant in _pairs(runs))


def micro_recall_at_k(runs: Runs, k: int) -> float | None:
    """All relevant documents found in the top k, divided by all that exist: a query weighs as much as its R.

    Parameters as in :func:`mean_recall_at_k`.

    Examples
    --------
    >>> runs = [(["a", "b"], ["a", "b"]), ([1, 2, 3], range(1, 31))]
    >>> round(micro_recall_at_k(runs, 10), 3)
    0.156
    """
    k = check_k(k)
    cleaned = [_clean(retrieved, relevant) for retrieved, relevant in _pairs(runs)]
    existing = sum(len(relevant) for _, relevant in cleaned)
    found = sum(len(set(retrieved[:k]) & relevant) for retrieved, relevant in cleaned)
    return found / existing if existing else None


def mean_of_defined(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are not ``None``; ``None`` if nothing is left.

    >>> mean_of_defined([0.5, None, 1.0])
    0.75
    """
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


# ---------------------------------------------------------------------------------- what a rerank can win


def perfect_rerank(candidate_ids: Iterable[Any], grades: Mapping[Any, int] | Iterable[Any]) -> list[Any]:
    """The candidates in the order a perfect reranker gives them: highest grade first, otherwise unmoved.

    A reranker only reorders what it is given, so any measure of this list is the most a rerank can reach:
    ``recall_at_k(perfect_rerank(candidates, relevant), relevant, j)`` is min(j, r) / R, with r the number of
    relevant documents among the candidates.

    Parameters
    ----------
    candidate_ids : document ids in rank order, already cut to the depth that the reranker sees.
    grades : the grade of every judged document, or a plain collection of the relevant ids.

    Examples
    --------
    >>> perfect_rerank(["x", "a", "y", "b"], {"a": 1, "b": 2})
    ['b', 'a', 'x', 'y']
    """
    known = _as_grades(grades)
    candidates, _ = _clean(candidate_ids, set(known), "grades")
    return sorted(dict.fromkeys(candidates), key=lambda doc: -max(known.get(doc, 0), 0))


def rerank_headroom_at_k(candidate_ids: Iterable[Any], relevant_ids: Iterable[Any], k: int) -> float | None:
    """What a perfect rerank of the candidates would add to recall@k: min(k, r) / R − recall@k.

    Parameters, errors and ``None`` as in :func:`recall_at_k`; the candidates are the whole list given.

    Examples
    --------
    Ten relevant documents, four of them in the top 5 and eight among the twenty candidates. The bare gap
    recall@20 − recall@5 is .40, but only one more of them fits into the five places.

    >>> candidates = ["a", "b", "c", "d", *"vwxyz", "e", "f", "g", "h", *"stu"]
    >>> round(rerank_headroom_at_k(candidates, "a b c d e f g h i j".split(), 5), 2)
    0.1
    """
    candidates, relevant = _clean(candidate_ids, relevant_ids)
    best = recall_at_k(perfect_rerank(candidates, relevant), relevant, k)
    now = recall_at_k(candidates, relevant, k)
    return best - now if best is not None and now is not None else None


# ------------------------------------------------------------------------------------------------ helpers


def check_k(k: int, name: str = "k") -> int:
    """``k`` itself if it is a whole number from 1 (NumPy integers too, ``True`` not).

    Raises
    ------
    RecallLabError : anything else; the message names the parameter and the value.

    Examples
    --------
    >>> check_k(0)
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: k is 0; it must be a whole number, 1 or more
    """
    if not isinstance(k, Integral) or isinstance(k, bool) or k < 1:
        raise RecallLabError(f"{name} is {k!r}; it must be a whole number, 1 or more")
    return int(k)


def _clean(
    retrieved_ids: Iterable[Any], relevant_ids: Iterable[Any], relevant_name: str = "relevant_ids"
) -> tuple[list[Any], set[Any]]:
    retrieved, relevant = as_ranking(retrieved_ids, "retrieved_ids"), as_id_set(relevant_ids, relevant_name)
    check_one_kind(retrieved, relevant, "retrieved_ids", relevant_name)
    return retrieved, relevant


def _first_ranks(retrieved: list[Any], wanted: set[Any], k: int | None) -> dict[Any, int]:
    """The rank at which each wanted document is first seen in the top k; without k, in the whole list."""
    top = retrieved if k is None else retrieved[: check_k(k)]
    first_ranks: dict[Any, int] = {}
    for rank, doc in enumerate(top, start=1):
        if doc in wanted:
            first_ranks.setdefault(doc, rank)
    return first_ranks


def _as_grades(grades: Mapping[Any, int] | Iterable[Any]) -> Mapping[Any, int]:
    if not isinstance(grades, Mapping):
        return dict.fromkeys(as_id_set(grades, "grades"), 1)
    for doc, grade in grades.items():
        if not isinstance(grade, Integral):
            raise RecallLabError(f"the grade of document {doc!r} is {grade!r}; grades are whole numbers")
    return grades


def _gain(grade: int, gain: Gain) -> int:
    if grade <= 0:
        return 0
    if gain == "linear":
        return int(grade)
    if grade > MAX_EXPONENT:
        raise RecallLabError(
            f"the exponential gain 2^grade − 1 takes grades up to {MAX_EXPONENT}, not {grade}"
        )
    return 2 ** int(grade) - 1


def _list_of_runs(runs: Any) -> list[Any]:
    if isinstance(runs, str | Mapping) or not isinstance(runs, Iterable):
        raise RecallLabError(
            f"runs is a {type(runs).__name__}; give a list of pairs (retrieved_ids, relevant_ids)"
        )
    return list(runs)


def _pairs(runs: Runs) -> list[tuple[Iterable[Any], Iterable[Any]]]:
    pairs = _list_of_runs(runs)
    for position, pair in enumerate(pairs, start=1):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise RecallLabError(
                f"item {position} of runs is {pair!r}; each must be a pair (retrieved_ids, relevant_ids)"
            )
    return pairs


def _relevant_count(run: Any) -> int:
    if isinstance(run, Integral) and not isinstance(run, bool):
        if run < 0:
            raise RecallLabError(f"{run} relevant documents: a number of documents is never negative")
        return int(run)
    ((_, relevant_ids),) = _pairs([run])
    return len(as_id_set(relevant_ids, "relevant_ids"))
