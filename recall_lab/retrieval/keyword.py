"""Keyword search: BM25 over the words of each passage, exact and the same on every machine.

The scoring is bm25s's (numpy backend) with the formula of Lucene; everything around it is here, so that a
reader can see which words count and in which order results come.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

from recall_lab.errors import RecallLabError
from recall_lab.golden import Passage
from recall_lab.measures import check_k
from recall_lab.retrieval.base import SCORE_DIGITS, Retriever, check_question, passage_texts

STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be been before being but by can could did do does
    doing done for from get gets got had has have having he her here him his how i if in into is it
    its just may me might must my no nor not of off on one only onto or our out over own shall she
    should so some such than that the their them then there these they this those to too under until
    up us very was we were what when where which while who whom whose why will with would yes you
    your
    """.split()
)
"""Words that carry grammar rather than content. A question made of these alone finds nothing."""

_WORD = re.compile(r"\w+(?:'\w+)*")


def words(text: str, *, stop_words: frozenset[str] = STOP_WORDS) -> list[str]:
    """The search terms of a text, in order: this is all that keyword search sees of it.

    Lower case; runs of letters, digits and underscores, with an apostrophe allowed inside (so ``LT-042`` is
    ``lt`` and ``042``); stop words left out; each rest cut to its stem by the Snowball stemmer for English.

    Parameters
    ----------
    text : any text.
    stop_words : words to leave out, in lower case, compared before stemming.

    Examples
    --------
    >>> words("Where can I borrow the library's ladders? (LT-042)")
    ['borrow', 'librari', 'ladder', 'lt', '042']
    """
    import Stemmer

    found = _WORD.findall(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    stems: list[str] = Stemmer.Stemmer("english").stemWords(
        [word for word in found if word not in stop_words]
    )
    return stems


class KeywordRetriever(Retriever):
    """BM25 over a set of passages.

    Parameters
    ----------
    passages : passage id → its text, or → a ``Passage`` (its title counts as part of the text).
    k1, b : BM25's two settings: how soon a repeated word stops adding, and how much a long passage is marked
        down (0 not at all, 1 in full).
    stop_words : words that are not searched for; see ``words``.

    Raises
    ------
    RecallLabError : there is no passage, an id is not text, or a setting is out of range.

    Notes
    -----
    Formula: the variant ``lucene`` of Kamphuis, de Vries, Boytsov and Lin, "Which BM25 do you mean?" (2020);
    a score is never negative. Scores are rounded to ``SCORE_DIGITS`` places and ranked by score, then by id,
    both descending, which is the order every measure uses.

    Examples
    --------
    >>> retriever = KeywordRetriever({"p1": "Ladders are lent for a week.", "p2": "Bring the drill back."})
    >>> retriever.search("How long may I keep a ladder?")
    [('p1', 0.2773)]
    >>> retriever.search("trampoline")
    []
    """

    name = "keyword"

    def __init__(
        self,
        passages: Mapping[str, str | Passage],
        *,
        k1: float = 1.5,
        b: float = 0.75,
        stop_words: frozenset[str] = STOP_WORDS,
    ) -> None:
        import bm25s

        texts = passage_texts(passages)
        if not (math.isfinite(k1) and k1 >= 0):
            raise RecallLabError(f"k1 must be a number from 0 up, found {k1!r}")
        if not 0 <= b <= 1:
            raise RecallLabError(f"b must be a number from 0 to 1, found {b!r}")

        self._stop_words = stop_words
        self._ids = list(texts)
        self._vocabulary: dict[str, int] = {}
        terms = [
            [
                self._vocabulary.setdefault(word, len(self._vocabulary))
                for word in words(text, stop_words=stop_words)
            ]
            for text in texts.values()
        ]
        self._index = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64", backend="numpy")
        if self._vocabulary:  # without a single term bm25s divides by zero, and nothing can be found anyway
            self._index.index((terms, self._vocabulary), create_empty_token=False, show_progress=False)

    def __len__(self) -> int:
        return len(self._ids)

    def __repr__(self) -> str:
        return f"KeywordRetriever({len(self._ids)} passages, {len(self._vocabulary)} terms)"

    def search(self, question: str, depth: int = 10) -> list[tuple[str, float]]:
        """The best passages for a question, best first.

        Parameters
        ----------
        question : any text with at least one character that is not a space.
        depth : at most this many results; more than there are passages is fine.

        Returns
        -------
        Pairs (passage id, score). Passages that share no word with the question, or score 0 when rounded, are
        left out, so the list may be shorter than ``depth``, and empty.

        Raises
        ------
        RecallLabError : the question is empty or not text, or ``depth`` is not a whole number of at least 1.
        """
        depth = check_k(depth, "depth")
        terms = [
            self._vocabulary[word]
            for word in words(check_question(question), stop_words=self._stop_words)
            if word in self._vocabulary
        ]
        if not terms:
            return []
        scores = np.round(self._index.get_scores_from_ids(terms), SCORE_DIGITS)
        best_first = np.argsort(-scores, kind="stable")[:depth]
        return [(self._ids[i], float(scores[i])) for i in best_first if scores[i] > 0]
