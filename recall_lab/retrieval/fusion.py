"""Hybrid search: several rankings made one by reciprocal rank fusion.

A passage earns 1 / (constant + rank) from every arm that returns it, and the sums are ranked. Only ranks
count, so scores of different kinds (BM25, cosine) need no common scale.
Source: Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods" (2009).
"""

from __future__ import annotations

from collections.abc import Sequence

from recall_lab.errors import RecallLabError
from recall_lab.measures import check_k
from recall_lab.retrieval.base import Retriever, best_first, check_question
from recall_lab.run import Run

RRF_CONSTANT = 60
"""The constant of the paper: the larger, the less the first ranks stand out."""

RRF_DIGITS = 8
"""Fused scores are small: with fewer places, neighbours far down a list would tie."""


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], depth: int = 10, *, constant: float = RRF_CONSTANT
) -> list[tuple[str, float]]:
    """Fuse rankings of one question, each a list of ids, best first.

    Parameters
    ----------
    rankings : one list of ids for each arm, each id at most once in it.
    depth : at most this many results.
    constant : added to every rank, from 0 up.

    Returns
    -------
    Pairs (id, score), best first; equal sums by id, descending.

    Raises
    ------
    RecallLabError : an id is twice in one ranking, ``constant`` is negative, or ``depth`` is no whole number
        ≥ 1.

    Examples
    --------
    >>> reciprocal_rank_fusion([["a", "b", "c"], ["c", "b", "d"]], depth=2)
    [('c', 0.03226646), ('b', 0.03225806)]
    """
    depth = check_k(depth, "depth")
    _check_constant(constant)
    sums: dict[str, float] = {}
    for ranking in rankings:
        if len(set(ranking)) < len(ranking):
            raise RecallLabError(
                "a ranking to fuse names a passage twice; list(dict.fromkeys(ids)) keeps the first"
            )
        for rank, passage_id in enumerate(ranking, start=1):
            sums[passage_id] = sums.get(passage_id, 0.0) + 1 / (constant + rank)
    return best_first(sums, depth, digits=RRF_DIGITS)


class HybridRetriever(Retriever):
    """Asks several retrievers and fuses their rankings.

    Parameters
    ----------
    arms : the retrievers.
    arm_depth : how many results of each arm are fused. Deeper is not better: what both arms find far down can
        push out what one arm found at the top.
    constant : of reciprocal rank fusion.
    name : what its runs are called.

    Raises
    ------
    RecallLabError : there are fewer than two arms, or a setting is out of range.

    Examples
    --------
    >>> from recall_lab.retrieval import KeywordRetriever
    >>> passages = {"p1": "Ladders are lent.", "p2": "Bring the drill back.", "p3": "The ladder rack."}
    >>> short_passages_first = KeywordRetriever(passages, b=1.0)
    >>> HybridRetriever(KeywordRetriever(passages), short_passages_first).search("ladder", depth=1)
    [('p3', 0.03278689)]
    """

    def __init__(
        self,
        *arms: Retriever,
        arm_depth: int = 50,
        constant: float = RRF_CONSTANT,
        name: str = "hybrid",
    ) -> None:
        if len(arms) < 2:
            raise RecallLabError(f"fusion needs at least two retrievers, found {len(arms)}")
        self.arms = arms
        self.arm_depth = check_k(arm_depth, "arm_depth")
        self.constant = _check_constant(constant)
        self.name = name

    def __repr__(self) -> str:
        arms = ", ".join(arm.name for arm in self.arms)
        return f"HybridRetriever({arms}, arm_depth={self.arm_depth}, constant={self.constant})"

    def search(self, question: str, depth: int = 10) -> list[tuple[str, float]]:
        """The best passages of the fused list, best first.

        Parameters
        ----------
        question : any text with at least one character that is not a space.
        depth : at most this many results. There are never more than the arms returned together.

        Raises
        ------
        RecallLabError : the question is empty or not text, or ``depth`` is not a whole number of at least 1.
        """
        check_question(question)
        rankings = [
            [passage_id for passage_id, _ in arm.search(question, self.arm_depth)] for arm in self.arms
        ]
        return reciprocal_rank_fusion(rankings, depth, constant=self.constant)


def fuse_runs(
    *runs: Run,
    arm_depth: int = 50,
    constant: float = RRF_CONSTANT,
    depth: int = 100,
    name: str = "hybrid",
) -> Run:
    """Fuse runs, question by question: what a hybrid of these systems would have returned.

    Parameters
    ----------
    runs : the arms. A question that one of them did not answer is fused from the rest.
    arm_depth, constant : as for ``HybridRetriever``.
    depth : at most this many results for each question.
    name : what to call the result.

    Raises
    ------
    RecallLabError : there are fewer than two runs, or a setting is out of range.

    Examples
    --------
    >>> fused = fuse_runs(Run({"q1": ["a", "b"]}), Run({"q1": ["b", "c"]}), arm_depth=2)
    >>> fused.ranking("q1")
    ['b', 'a', 'c']
    """
    if len(runs) < 2:
        raise RecallLabError(f"fusion needs at least two runs, found {len(runs)}")
    arm_depth = check_k(arm_depth, "arm_depth")
    questions = dict.fromkeys(question_id for run in runs for question_id in run)
    fused = {}
    for question_id in questions:
        rankings = [run.ranking(question_id, arm_depth) for run in runs if question_id in run]
        fused[question_id] = dict(reciprocal_rank_fusion(rankings, depth, constant=constant))
    return Run(fused, name=name)


def _check_constant(constant: float) -> float:
    if (
        isinstance(constant, bool)
        or not isinstance(constant, int | float)
        or not 0 <= constant < float("inf")
    ):
        raise RecallLabError(f"constant must be a number from 0 up, found {constant!r}")
    return constant
