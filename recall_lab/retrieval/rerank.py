"""Reranking: the candidates of one retriever, put in a better order by another model.

A reranker sees nothing but its candidates. It cannot add a passage that they lack, so the recall of the
candidates is the most it can reach, and reranking all of them leaves recall at their depth exactly as it was.
"""

from __future__ import annotations

from recall_lab.errors import RecallLabError
from recall_lab.measures import check_k
from recall_lab.notices import Notice
from recall_lab.retrieval.base import Retriever, best_first
from recall_lab.retrieval.vector import VectorRetriever
from recall_lab.run import Run


class Reranker(Retriever):
    """Scores the candidates of a first retriever anew with a vector model.

    Parameters
    ----------
    first : the retriever that finds the candidates.
    model : a vector retriever over the same passages; its similarity becomes the score.
    candidates : how many results of ``first`` are looked at. No more come out, whatever depth is asked for.
    name : what its runs are called.

    Raises
    ------
    RecallLabError : ``candidates`` is not a whole number of at least 1.

    Examples
    --------
    >>> from recall_lab.retrieval import KeywordRetriever
    >>> passages = {"p1": "the saw and the saw", "p2": "a saw", "p3": "a drill"}
    >>> shortest = VectorRetriever(passages, lambda texts: [[1, len(text)] for text in texts], name="length")
    >>> reranker = Reranker(KeywordRetriever(passages), shortest, candidates=2)
    >>> [passage_id for passage_id, _ in reranker.search("saw")]
    ['p2', 'p1']
    >>> print(reranker.run({"q1": "saw"}).notices[0])
    reranked: the first 2 results of keyword in the order of length; no other passage can be among them
    """

    def __init__(
        self, first: Retriever, model: VectorRetriever, *, candidates: int = 50, name: str = "reranked"
    ) -> None:
        self.first = first
        self.model = model
        self.candidates = check_k(candidates, "candidates")
        self.name = name
        self.notices = [_cannot_add(self.candidates, first.name, model.name)]

    def __repr__(self) -> str:
        return f"Reranker({self.first!r}, {self.model!r}, candidates={self.candidates}): adds no passage"

    def search(self, question: str, depth: int = 10) -> list[tuple[str, float]]:
        """The best of the candidates, in the model's order.

        Parameters
        ----------
        question : any text with at least one character that is not a space.
        depth : at most this many results, and at most ``candidates``.

        Raises
        ------
        RecallLabError : the question is empty or not text, ``depth`` is not a whole number of at least 1, or
            the model does not know a candidate.
        """
        depth = check_k(depth, "depth")
        found = [passage_id for passage_id, _ in self.first.search(question, self.candidates)]
        return best_first(self.model.scores(question, found), depth)


def rerank_run(first: Run, scorer: Run, *, candidates: int = 50, name: str = "reranked") -> Run:
    """The candidates of one run, with the scores of another: what a reranker would have returned.

    Parameters
    ----------
    first : the run that holds the candidates.
    scorer : a run deep enough to score each of them, such as an exact vector search over the whole corpus.
    candidates : how many results of ``first`` are looked at.
    name : what to call the result.

    Raises
    ------
    RecallLabError : ``scorer`` has no score for a candidate, or ``candidates`` is no whole number of at least
        1.

    Examples
    --------
    >>> scorer = Run({"q1": {"a": 0.1, "b": 0.9, "c": 0.5}})
    >>> rerank_run(Run({"q1": ["a", "c", "b"]}), scorer, candidates=2).ranking("q1")
    ['c', 'a']
    """
    candidates = check_k(candidates, "candidates")
    reranked = {}
    for question_id in first:
        scores = scorer.scores(question_id) if question_id in scorer else {}
        found = first.ranking(question_id, candidates)
        unscored = [passage_id for passage_id in found if passage_id not in scores]
        if unscored:
            raise RecallLabError(
                f"the run {scorer.name!r} has no score for {unscored[0]!r}, "
                f"a candidate of question {question_id!r}; a run to rerank with must reach all candidates"
            )
        reranked[question_id] = {passage_id: scores[passage_id] for passage_id in found}
    return Run(reranked, name=name, notices=[_cannot_add(candidates, first.name, scorer.name)])


def _cannot_add(candidates: int, first: str, model: str) -> Notice:
    return Notice(
        "rerank-cannot-add",
        f"reranked: the first {candidates} results of {first} in the order of {model}; "
        "no other passage can be among them",
    )
