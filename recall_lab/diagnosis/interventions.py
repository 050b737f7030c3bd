"""Interventions: change one thing, search again, and see whether a missed document comes up.

Each is a small object. Your own one needs a ``name`` (its column), a ``cause`` (the class of miss that it
stands for) and ``apply``, which returns the ranking after the change. Where it cannot be tried, it raises
`NotTried` with the reason.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from recall_lab.errors import RecallLabError
from recall_lab.golden import GoldenDataset
from recall_lab.ids import as_ranking, check_first_id, look_alike
from recall_lab.measures import check_k
from recall_lab.notices import list_ids
from recall_lab.run import Results, Run

APPROXIMATE_INDEX = "approximate index"
CHUNK_BOUNDARY = "chunk boundary"
VOCABULARY = "vocabulary mismatch"
OTHER_ARM = "other arm"
DEPTH = "depth"
MISSING_LABEL = "missing label"
UNEXPLAINED = "unexplained"

CAUSES = (APPROXIMATE_INDEX, CHUNK_BOUNDARY, VOCABULARY, OTHER_ARM, DEPTH, MISSING_LABEL)
"""The classes that an intervention here can show, in the order in which to try them; see `diagnose`."""

_SAMPLE = 20  # enough queries to see that the ids of a run are of another kind


class Searcher(Protocol):
    """Anything that answers a question with ranked results: pairs (id, score), or ids, best first."""

    def search(self, question: str, depth: int) -> Any:
        """At most ``depth`` results for the text of a question."""


Source = Run | Results | Searcher


class NotTried(RecallLabError):
    """Raised by an intervention that has nothing to change in this case; says why."""


class Intervention(ABC):
    """One change, and the ranking after it.

    Attributes
    ----------
    name : what its column is called; no two of one diagnosis may be called the same.
    cause : the class of a miss that it cures.

    Examples
    --------
    Does an index without titles lose the document? Any way to get a ranking will do:

    >>> class Untitled(Intervention):
    ...     name, cause = "without titles", "title"
    ...     def apply(self, query_id, question, depth):
    ...         return ["d7", "d3"]
    >>> Untitled().apply("q1", "Which saws do you lend?", 10)
    ['d7', 'd3']
    """

    name: str
    cause: str

    @abstractmethod
    def apply(self, query_id: Any, question: str | None, depth: int) -> list[Any]:
        """Document ids after the change, best first.

        Parameters
        ----------
        query_id : the query.
        question : its text; ``None`` where the dataset has none.
        depth : how many results a live search is to return; a frozen run may return all that it has.

        Raises
        ------
        NotTried : there is nothing to change for this query.
        """

    def control(self, query_id: Any, question: str | None, depth: int) -> list[Any] | None:
        """The ranking of the same system without the change, where it can be had; else ``None``.

        A document that is found there too owes nothing to the change, so the change does not count.
        """
        return None

    def looks_for(self, document: Any) -> Any:
        """The id under which a document appears after the change: its own, if nothing else is said.

        Raises
        ------
        NotTried : the change has nothing to do with this document.
        """
        return document

    def places(self, k: int) -> int:
        """How many places count as found after the change: the same k, if nothing else is said."""
        return k

    def says(self, question: str | None, document: Any) -> str:
        """The change in a few words, as the beginning of the sentence '… it is at rank 3'."""
        return f"after {self.name!r}"

    def reason(self, question: str | None, document: Any, rank: int, was: int | None, k: int) -> str:
        """One sentence on a document that the change brings from rank ``was`` (or nowhere) to ``rank``."""
        return f"{self.says(question, document)} it is at rank {rank}; in the run {_place(was)}"

    def check(  # noqa: B027 - most have nothing to look at
        self, query_ids: Collection[Any], documents: Collection[Any]
    ) -> None:
        """Look once, before anything is tried, whether the intervention belongs to these judgments.

        Parameters
        ----------
        query_ids, documents : the judged queries and documents.

        Raises
        ------
        RecallLabError : its ids are others, so that it could never find anything.
        """


class _FromSource(Intervention):
    """An intervention whose ranking is that of one frozen run or live retriever."""

    def __init__(self, source: Source, name: str, cause: str) -> None:
        self.source = _source(source, type(self).__name__)
        self.name = name
        self.cause = cause

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source!r}, name={self.name!r}, cause={self.cause!r})"

    def apply(self, query_id: Any, question: str | None, depth: int) -> list[Any]:
        if not isinstance(self.source, Run):
            return _searched(self.source, question, depth)
        if query_id not in self.source:
            raise NotTried("its run has no such query")
        return self.source.ranking(query_id)

    def check(self, query_ids: Collection[Any], documents: Collection[Any]) -> None:
        if not isinstance(self.source, Run):
            return
        answered = [query_id for query_id in query_ids if query_id in self.source]
        if not answered:
            why = look_alike(query_ids, self.source) or "do both belong to the same set of questions?"
            raise RecallLabError(f"the run of {self.name!r} has none of the judged queries: {why}")
        wanted = {target for document in documents if (target := self._target(document)) is not None}
        found = {document for query_id in answered[:_SAMPLE] for document in self.source.ranking(query_id)}
        if wanted.isdisjoint(found) and (twins := look_alike(wanted, found)):
            raise RecallLabError(f"the run of {self.name!r} holds none of the judged documents: {twins}")

    def _target(self, document: Any) -> Any:
        try:
            return self.looks_for(document)
        except NotTried:
            return None


class Deeper(_FromSource):
    """Look deeper into the same ranking: is the document among the first ``depth``, below k?

    Parameters
    ----------
    source : the diagnosed run itself, or the live system that made it (a served top ten ends at ten).
    depth : how many places count. Any depth has to be stated: deep enough, a vector search finds everything.
        Of a frozen run that ends earlier, its own depth counts.
    name : by default ``"deeper to 50"``, with the depth that counts.

    Examples
    --------
    >>> Deeper(Run({"q1": ["d1", "d2", "d3"]}), depth=3).reason(None, "d3", rank=3, was=3, k=2)
    'rank 3: looking 1 place deeper finds it'
    """

    def __init__(self, source: Source, depth: int = 50, *, name: str | None = None) -> None:
        self.depth = check_k(depth, "depth")
        source = _source(source, "Deeper")
        if isinstance(source, Run):
            longest = max((source.depth(query_id) for query_id in source), default=0)
            self.depth = min(self.depth, longest)
        super().__init__(source, name or f"deeper to {self.depth}", DEPTH)

    def places(self, k: int) -> int:
        if self.depth <= k:
            raise NotTried(f"it ends at {self.depth}, and the cutoff is {k}")
        return self.depth

    def reason(self, question: str | None, document: Any, rank: int, was: int | None, k: int) -> str:
        if rank <= k:  # a live system that ranks otherwise than when the run was made
            return f"rank {rank} of a source that ranks otherwise than the run, which has it {_place(was)}"
        places = "1 place" if rank - k == 1 else f"{rank - k} places"
        return f"rank {rank}: looking {places} deeper finds it"


class OtherArm(_FromSource):
    """Ask another system: does it have the document in its top k?

    Parameters
    ----------
    source : a frozen run or a live retriever, such as a keyword search beside a vector search.
    name : by default ``"other arm"`` with the system's own name.
    cause : another class for what it shows. Any change that you can make a run of, you can try this way.

    Examples
    --------
    >>> OtherArm(Run({"q1": ["d1"]}, name="keyword"))
    OtherArm(Run 'keyword': 1 query, up to 1 document each, name='other arm keyword', cause='other arm')
    """

    def __init__(self, source: Source, *, name: str | None = None, cause: str = OTHER_ARM) -> None:
        super().__init__(source, name or f"other arm {_name_of(source)}".rstrip(), cause)

    def says(self, question: str | None, document: Any) -> str:
        return f"in {_name_of(self.source) or self.name}"


class ExactSearch(_FromSource):
    """Compare with every vector instead of asking the index: is the document in the true top k?

    Parameters
    ----------
    source : exact search over the same vectors, frozen or live. With other vectors it would be another arm.
    name : what its column is called.

    Examples
    --------
    >>> ExactSearch(Run({"q1": ["d1"]})).reason(None, "d1", rank=1, was=None, k=10)
    'in exact search it is at rank 1; in the run nowhere'
    """

    def __init__(self, source: Source, *, name: str = "exact search") -> None:
        super().__init__(source, name, APPROXIMATE_INDEX)

    def says(self, question: str | None, document: Any) -> str:
        return "in exact search"


class MergedChunks(_FromSource):
    """Undo the cut: is the merged passage, which holds the document, in the top k of the same system?

    Parameters
    ----------
    source : the same system over the merged passages, frozen or live.
    mapping : for each passage that was cut off, the merged passage that holds it.
    name : what its column is called.

    Notes
    -----
    Merged passages are longer, so the same k serves more text. What is not in the mapping is not tried.

    Examples
    --------
    >>> merged = MergedChunks(Run({"q1": ["d1+d2"]}), {"d1": "d1+d2", "d2": "d1+d2"})
    >>> merged.looks_for("d2")
    'd1+d2'
    """

    def __init__(self, source: Source, mapping: Mapping[Any, Any], *, name: str = "merged chunks") -> None:
        super().__init__(source, name, CHUNK_BOUNDARY)
        if not isinstance(mapping, Mapping) or not mapping:
            raise RecallLabError(
                "mapping is a dict {passage: the merged passage that holds it} with at least one entry, "
                f"not {mapping!r}"
            )
        self.mapping = dict(mapping)

    def looks_for(self, document: Any) -> Any:
        if document not in self.mapping:
            raise NotTried("it is no part of a merged passage")
        return self.mapping[document]

    def says(self, question: str | None, document: Any) -> str:
        return f"merged into {self.looks_for(document)}"

    def check(self, query_ids: Collection[Any], documents: Collection[Any]) -> None:
        if self.mapping.keys().isdisjoint(documents):
            why = look_alike(self.mapping, documents) or f"it begins with {list_ids(self.mapping, 3)}"
            raise RecallLabError(f"the mapping of {self.name!r} has none of the judged documents: {why}")
        super().check(query_ids, documents)


class SwapWords(Intervention):
    """Say it in the collection's words: with synonyms swapped, is the document in the top k?

    Parameters
    ----------
    retriever : the live system that made the run. Where it finds a document without the swap as well, the
        swap is not given the credit.
    pairs : ``(asked, written)`` for each word or phrase: what people ask with, and what the collection says.
        Only what is asked is replaced, never the other way round. Case does not matter, and a plural in -s or
        -es is met too.
    name : what its column is called.

    Examples
    --------
    >>> from recall_lab.retrieval import KeywordRetriever
    >>> retriever = KeywordRetriever({"p1": "A torch is lent for a week.", "p2": "Do you hike?"})
    >>> swap = SwapWords(retriever, [("flashlight", "torch")])
    >>> swap.swapped("Do you have flashlights?")
    ('Do you have torch?', {'flashlights': 'torch'})
    >>> swap.apply("q1", "Do you have flashlights?", 10)
    ['p1']
    """

    def __init__(
        self,
        retriever: Searcher,
        pairs: Iterable[tuple[str, str]] | Mapping[str, str],
        *,
        name: str = "swapped words",
    ) -> None:
        if not _can_search(retriever):
            raise RecallLabError(
                "SwapWords asks a changed question, so it needs a live retriever with .search(question, "
                f"depth), not {retriever!r}; a frozen run of the changed questions is tried with "
                'OtherArm(run, name="swapped words", cause="vocabulary mismatch")'
            )
        self.retriever = retriever
        self.name = name
        self.cause = VOCABULARY
        self._written: dict[str, list[str]] = {}
        forms: dict[str, None] = {}
        for asked, written in _pairs(pairs):
            self._written.setdefault(asked.casefold(), []).append(written)
            forms |= dict.fromkeys((asked, asked.casefold()))  # they differ in ß, which is ss as well
        longest_first = sorted(forms, key=len, reverse=True)
        self._asked = re.compile(
            rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?:e?s)?(?!\w)", re.IGNORECASE
        )

    def __repr__(self) -> str:
        return f"SwapWords({self.retriever!r}, {len(self._written)} words, name={self.name!r})"

    def swapped(self, question: str) -> tuple[str, dict[str, str]]:
        """The question in the collection's words, and what was replaced by what; ``{}`` if nothing was.

        A word with several counterparts is replaced by all of them.
        """
        replaced: dict[str, str] = {}

        def written(match: re.Match[str]) -> str:
            replaced[match[0]] = " ".join(dict.fromkeys(self._written[match[1].casefold()]))
            return replaced[match[0]]

        return self._asked.sub(written, question), replaced

    def apply(self, query_id: Any, question: str | None, depth: int) -> list[Any]:
        changed, replaced = self.swapped(question or "")
        if question and not replaced:
            raise NotTried("no word of the list is in the question")
        return _searched(self.retriever, changed, depth)

    def control(self, query_id: Any, question: str | None, depth: int) -> list[Any]:
        return _searched(self.retriever, question, depth)

    def says(self, question: str | None, document: Any) -> str:
        replaced = self.swapped(question or "")[1]
        return "with " + ", ".join(f"{written!r} for {asked!r}" for asked, written in replaced.items())


class OtherJudgments:
    """Ask somebody else: which unjudged documents of the top k answer the question?

    It moves no document. It finds those that stand in the top k, answer, and count as wrong because nobody
    judged them.

    Parameters
    ----------
    judgments : fuller judgments: a `GoldenDataset`, or ``{query: {document: grade}}``. Or an assessor: a
        function of query id and document id that returns whether the document answers, or ``None`` for "can't
        say". It is asked about every unjudged document in the top k.
    min_grade : a document answers from this grade; by default the dataset's own threshold, else that of the
        judgments that are diagnosed.
    name : what its column is called.

    Examples
    --------
    >>> OtherJudgments({"q1": {"d1": 2, "d2": 1}}, min_grade=2).answers("q1", "d1", min_grade=1)
    True
    >>> OtherJudgments(lambda query_id, document: document == "d2").answers("q1", "d1", min_grade=1)
    False
    """

    cause = MISSING_LABEL

    def __init__(
        self,
        judgments: GoldenDataset | Mapping[Any, Any] | Callable[[Any, Any], bool | None],
        *,
        min_grade: int | None = None,
        name: str = "other judgments",
    ) -> None:
        self.name = name
        self._min_grade = None if min_grade is None else check_k(min_grade, "min_grade")
        self._judgments: Mapping[Any, Mapping[Any, int]] | None = None
        if isinstance(judgments, GoldenDataset):
            self._judgments = judgments.judgments
            self._min_grade = self._min_grade or judgments.min_grade
        elif isinstance(judgments, Mapping):
            self._judgments = GoldenDataset({}, {}, judgments, min_grade=min_grade or 1).judgments
        elif callable(judgments):
            self._assess = judgments
        else:
            raise RecallLabError(
                "other judgments are a GoldenDataset, a dict {query: {document: grade}} or a function of "
                f"query and document, not {type(judgments).__name__}"
            )

    def __repr__(self) -> str:
        queries = "an assessor" if self._judgments is None else f"judgments of {len(self._judgments)} queries"
        return f"OtherJudgments({queries}, name={self.name!r})"

    def answers(self, query_id: Any, document: Any, *, min_grade: int) -> bool | None:
        """Whether a document answers; ``None`` where these judgments can't say.

        Parameters
        ----------
        query_id, document : the pair.
        min_grade : the threshold where these judgments have none of their own.

        Raises
        ------
        RecallLabError : the assessor returned something else than True, False or None.
        """
        if self._judgments is not None:
            grade = self._judgments.get(query_id, {}).get(document, -1)
            return None if grade < 0 else grade >= (self._min_grade or min_grade)
        answer = self._assess(query_id, document)
        if not (answer is None or isinstance(answer, bool | np.bool_)):
            raise RecallLabError(
                f"the assessor of {self.name!r} said {answer!r} of document {document!r} for query "
                f"{query_id!r}; it returns True, False, or None for 'can't say'"
            )
        return None if answer is None else bool(answer)

    def check(self, query_ids: Collection[Any], documents: Collection[Any]) -> None:
        """Refuse judgments of other queries; see `Intervention.check`."""
        if self._judgments is not None and self._judgments.keys().isdisjoint(query_ids):
            why = look_alike(query_ids, self._judgments) or "do both belong to the same set of questions?"
            raise RecallLabError(f"{self.name!r} judges none of the queries: {why}")


def _source(source: Any, what: str) -> Run | Searcher:
    if isinstance(source, Run) or _can_search(source):
        return source
    if isinstance(source, Mapping):
        return Run(source)
    raise RecallLabError(
        f"{what} needs a run, a dict {{query: [documents, best first]}}, or a live retriever with "
        f".search(question, depth), not {type(source).__name__}"
    )


def _can_search(source: Any) -> bool:
    """Whether it is a live retriever; the class of one, not yet made, is none."""
    return not isinstance(source, type) and callable(getattr(source, "search", None))


def _name_of(source: Any) -> str:
    name = getattr(source, "name", "")
    return name if isinstance(name, str) else ""


def _searched(retriever: Searcher, question: str | None, depth: int) -> list[Any]:
    """Ids that a live retriever finds."""
    if not question:
        raise NotTried("the dataset has no text of this question")
    results = as_ranking(retriever.search(question, depth), "the results of a search")
    ids = [result[0] if isinstance(result, tuple) and result else result for result in results]
    check_first_id(ids, "the results of a search")
    return ids


def _pairs(pairs: Any) -> list[tuple[str, str]]:
    given = list(pairs.items() if isinstance(pairs, Mapping) else pairs) if _can_be_read(pairs) else [pairs]
    for pair in given:
        fine = isinstance(pair, tuple | list) and len(pair) == 2
        if not (fine and all(isinstance(word, str) and word.strip() for word in pair)):
            raise RecallLabError(
                f"pairs are two texts each, such as ('flashlight', 'torch'): asked, written; found {pair!r}"
            )
    if not given:
        raise RecallLabError("there is no pair of words to swap; give at least one (asked, written)")
    return [(asked.strip(), written.strip()) for asked, written in given]


def _can_be_read(pairs: Any) -> bool:
    return isinstance(pairs, Iterable) and not isinstance(pairs, str | bytes)


def _place(rank: int | None) -> str:
    return "nowhere" if rank is None else f"at rank {rank}"
