"""Approximate vector search: an index that looks at some of the vectors, and so may miss near ones.

The index is a graph of near neighbours (HNSW: Malkov and Yashunin, "Efficient and robust approximate nearest
neighbor search using hierarchical navigable small world graphs", 2018), made by usearch. What it loses is
measured against exact search over the same vectors. That "recall" of an index says nothing of relevance: it
is another measure.
"""

from __future__ import annotations

from recall_lab.errors import RecallLabError
from recall_lab.measures import check_k
from recall_lab.retrieval.base import Retriever, best_first
from recall_lab.retrieval.vector import VectorRetriever


class ApproximateRetriever(Retriever):
    """The passages of a vector retriever, found through a graph of neighbours.

    Parameters
    ----------
    exact : the exact search over the same vectors. Scores are its scores, so the two can differ in what they
        find and in nothing else.
    connectivity : links of each vector in the graph. Few links make a small index that loses its way.
    expansion_add, expansion_search : how many candidates are kept in sight while the graph is built, and
        while it is searched. A search that asks for more results than ``expansion_search`` keeps as many as
        it asks for: its first ten can be better than those of a search for ten.
    name : what its runs are called.

    Raises
    ------
    RecallLabError : usearch is not installed, or a setting is out of range.

    Notes
    -----
    Built and searched in one thread, in the order of ids: the same index every time on one kind of machine.
    Another processor or system may round differently and link other neighbours.

    Examples
    --------
    Which share of the true neighbours does it find? Take exact search for the judgments:

    >>> from recall_lab import evaluate
    >>> passages = {f"p{i}": "ab" * i + "c" * (30 - i) for i in range(1, 30)}
    >>> exact = VectorRetriever(passages, lambda texts: [[t.count(x) for x in "abc"] for t in texts])
    >>> questions = {"q1": "abc", "q2": "abcc"}
    >>> neighbours = {q: exact.run(questions).ranking(q, 5) for q in questions}
    >>> evaluate(neighbours, ApproximateRetriever(exact).run(questions, depth=5)).recall(5)
    1.0
    """

    def __init__(
        self,
        exact: VectorRetriever,
        *,
        connectivity: int = 16,
        expansion_add: int = 128,
        expansion_search: int = 64,
        name: str = "approximate",
    ) -> None:
        try:
            from usearch.index import Index
        except ImportError as error:
            raise RecallLabError(
                "the package usearch is not installed, so there is no approximate index; install it with\n"
                '  pip install "recall-lab-workbook[retrieval]"\n'
                'or read its frozen run: frozen_run("approximate")'
            ) from error
        if check_k(connectivity, "connectivity") < 2:
            raise RecallLabError(f"connectivity must be at least 2, found {connectivity}")
        self.exact = exact
        self.name = name
        self._ids = exact.passage_ids
        self._index = Index(
            ndim=exact.vectors.shape[1],
            metric="cos",
            dtype="f32",
            connectivity=connectivity,
            expansion_add=check_k(expansion_add, "expansion_add"),
            expansion_search=check_k(expansion_search, "expansion_search"),
        )
        self._index.add(range(len(self._ids)), exact.vectors.astype("float32"), threads=1)

    def __repr__(self) -> str:
        return (
            f"ApproximateRetriever({self.exact!r}, connectivity={self._index.connectivity}, "
            f"expansion_add={self._index.expansion_add}, expansion_search={self._index.expansion_search})"
        )

    def search(self, question: str, depth: int = 10) -> list[tuple[str, float]]:
        """The nearest passages that the index finds, best first.

        Parameters
        ----------
        question : any text with at least one character that is not a space.
        depth : at most this many results; more than there are passages is fine.

        Raises
        ------
        RecallLabError : the question is empty or not text, or ``depth`` is not a whole number of at least 1.
        """
        depth = min(check_k(depth, "depth"), len(self._ids))
        vector = self.exact.question_vector(question).astype("float32")
        found = [self._ids[key] for key in self._index.search(vector, depth, threads=1).keys]
        return best_first(self.exact.scores(question, found), depth)
