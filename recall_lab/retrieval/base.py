"""What all retrievers share: the questions they accept, the order of results, and the way to a ``Run``."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from recall_lab.errors import RecallLabError
from recall_lab.golden import Passage
from recall_lab.measures import check_k
from recall_lab.notices import Notice
from recall_lab.run import Run

SCORE_DIGITS = 4
"""Scores are rounded to this many decimal places before they are ranked: what is shown is what is ranked."""

_PROGRESS_AFTER_SECONDS = 2.0


class Retriever(ABC):
    """A system that answers a question with a ranked list of passages.

    A new one needs ``search`` and a ``name``; ``run`` follows.

    Attributes
    ----------
    name : what its runs are called in tables.
    notices : what everyone who measures its runs should know.
    """

    name: str
    notices: Sequence[Notice] = ()

    @abstractmethod
    def search(self, question: str, depth: int = 10) -> list[tuple[str, float]]:
        """Pairs (passage id, score), best first: by score, then by id, both descending."""

    def run(self, questions: Mapping[str, str], depth: int = 100) -> Run:
        """Search every question and keep the results as a ``Run`` with the retriever's name.

        Parameters
        ----------
        questions : question id → its text.
        depth : at most this many results for each question.

        Raises
        ------
        RecallLabError : as for ``search``; the message names the question.

        Examples
        --------
        >>> from recall_lab.retrieval import KeywordRetriever
        >>> retriever = KeywordRetriever({"p1": "Ladders are lent.", "p2": "Bring the drill back."})
        >>> retriever.run({"q1": "drill", "q2": "trampoline"}).ranking("q1")
        ['p2']
        """
        depth = check_k(depth, "depth")
        results: dict[str, dict[str, float]] = {}
        for question_id in _with_progress(questions):
            try:
                results[question_id] = dict(self.search(questions[question_id], depth))
            except RecallLabError as error:
                raise RecallLabError(f"question {question_id!r}: {error}") from error
        return Run(results, name=self.name, notices=self.notices)


def passage_texts(passages: Mapping[str, str | Passage]) -> dict[str, str]:
    """Text of every passage with its title, in descending order of id.

    A stable sort by score then leaves ties in the order of measurement.

    Raises
    ------
    RecallLabError : there is no passage, or an id is not text.

    Examples
    --------
    >>> passage_texts({"p1": Passage("Ladder", "Lent for a week."), "p2": "Bring the drill back."})
    {'p2': 'Bring the drill back.', 'p1': 'Ladder Lent for a week.'}
    """
    if not passages:
        raise RecallLabError("there is no passage to search; pass a dict of passage id → text")
    for passage_id in passages:
        if not isinstance(passage_id, str):
            raise RecallLabError(
                f"passage ids are text, found {passage_id!r} ({type(passage_id).__name__}); use str(id)"
            )
    return {passage_id: _text_of(passages[passage_id]) for passage_id in sorted(passages, reverse=True)}


def check_question(question: Any) -> str:
    """The question, if it is one.

    Raises
    ------
    RecallLabError : it is not text, or has no character but spaces.
    """
    if not isinstance(question, str) or not question.strip():
        raise RecallLabError(f"a question must be text with at least one word, found {question!r}")
    return question


def best_first(
    scores: Mapping[str, float], depth: int, *, digits: int = SCORE_DIGITS
) -> list[tuple[str, float]]:
    """The ``depth`` best of some scores: rounded first, then by score and by id, both descending.

    Examples
    --------
    >>> best_first({"d1": 0.50001, "d2": 0.5, "d3": 0.7}, 2)
    [('d3', 0.7), ('d2', 0.5)]
    """
    rounded = np.round(np.fromiter(scores.values(), np.float64, len(scores)), digits) + 0.0  # no "-0.0"
    pairs = sorted(zip(rounded.tolist(), scores, strict=True), reverse=True)
    return [(passage_id, score) for score, passage_id in pairs[:depth]]


def _text_of(passage: str | Passage) -> str:
    return passage if isinstance(passage, str) else f"{passage.title} {passage.text}".strip()


def _with_progress(questions: Mapping[str, str]) -> Iterator[str]:
    """The ids of the questions; in a terminal, and only after a while, with a line that counts them.

    A notebook's standard error is no terminal, so nothing is written there.
    """
    start = time.monotonic()
    shown = False
    for done, question_id in enumerate(questions):
        if sys.stderr.isatty() and time.monotonic() - start > _PROGRESS_AFTER_SECONDS:
            shown = True
            print(f"\r{done} of {len(questions)} questions searched", end="", file=sys.stderr, flush=True)
        yield question_id
    if shown:
        print(file=sys.stderr)
