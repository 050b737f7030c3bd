"""Vector search: every text is a point, and the passages nearest to the question win, whatever their words.

All passages are compared with the question (exact search), so nothing is lost on the way; ``approximate``
is what trades some of that for speed on large collections.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError
from recall_lab.golden import Passage
from recall_lab.measures import check_k
from recall_lab.retrieval.base import Retriever, best_first, check_question, passage_texts

Encode = Callable[[list[str]], Any]


class VectorRetriever(Retriever):
    """Cosine similarity between embeddings of the question and of every passage.

    Parameters
    ----------
    passages : passage id → its text, or → a ``Passage`` (its title counts as part of the text).
    model : what makes a vector of a text.

        * ``"wordllama"``: small, without a network; the model lies in its wheel. Needs the extra
          ``retrieval``.
        * any other text: the name of a sentence-transformers model, downloaded when it is first used.
        * an object with a method ``encode``, such as a ``SentenceTransformer``; or a function. Either takes a
          list of texts and returns one row of numbers for each.
    name : what its runs are called; by default the model's name.

    Raises
    ------
    RecallLabError : there is no passage, an id is not text, a package is missing, or the model does not
        return one row of finite numbers for each text.

    Notes
    -----
    Scores are cosines, from −1 to 1, computed in 64 bits, rounded to ``SCORE_DIGITS`` places and ranked by
    score, then by id, both descending. A text that the model gives the zero vector scores 0 with everything.

    Examples
    --------
    >>> def letters(texts):  # a toy model: how often each of four letters occurs
    ...     return [[text.count(letter) for letter in "abcd"] for text in texts]
    >>> retriever = VectorRetriever({"p1": "abba", "p2": "dada", "p3": "cab"}, letters)
    >>> retriever.search("baab", depth=2)
    [('p1', 1.0), ('p3', 0.8165)]
    """

    def __init__(
        self,
        passages: Mapping[str, str | Passage],
        model: str | Encode | Any = "wordllama",
        *,
        name: str | None = None,
    ) -> None:
        texts = passage_texts(passages)
        self.name = name or (model.rpartition("/")[2] if isinstance(model, str) else "vector")
        self._encode = _encoder(model)
        self._row_of = {passage_id: row for row, passage_id in enumerate(texts)}
        self.vectors = self._unit_vectors(list(texts.values()))

    @property
    def passage_ids(self) -> list[str]:
        """Ids of the passages, in the order of the rows of ``vectors``."""
        return list(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)

    def __repr__(self) -> str:
        return f"VectorRetriever({len(self)} passages, {self.vectors.shape[1]} dimensions, {self.name!r})"

    def search(self, question: str, depth: int = 10) -> list[tuple[str, float]]:
        """The passages nearest to a question, best first.

        Parameters
        ----------
        question : any text with at least one character that is not a space.
        depth : at most this many results; more than there are passages is fine.

        Returns
        -------
        Pairs (passage id, score). Every passage has a score, so there are always as many as asked for: a
        vector search never says that it found nothing.

        Raises
        ------
        RecallLabError : the question is empty or not text, or ``depth`` is not a whole number of at least 1.
        """
        return best_first(self.scores(question), check_k(depth, "depth"))

    def scores(self, question: str, passage_ids: Iterable[str] | None = None) -> dict[str, float]:
        """Similarity of some passages to a question, not rounded; of all of them without ``passage_ids``.

        Raises
        ------
        RecallLabError : the question is empty, or there is no passage with such an id.
        """
        ids = self.passage_ids if passage_ids is None else list(passage_ids)
        unknown = [passage_id for passage_id in ids if passage_id not in self._row_of]
        if unknown:
            raise RecallLabError(f"{self!r} has no passage {unknown[0]!r}")
        rows = [self._row_of[passage_id] for passage_id in ids]
        similarities = self.vectors[rows] @ self.question_vector(question)
        return dict(zip(ids, similarities.tolist(), strict=True))

    def question_vector(self, question: str) -> NDArray[np.float64]:
        """The question as a vector of length 1."""
        return self._unit_vectors([check_question(question)])[0]

    def _unit_vectors(self, texts: list[str]) -> NDArray[np.float64]:
        try:
            vectors = np.asarray(self._encode(texts), dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise RecallLabError(f"the model {self.name!r} failed to encode: {error}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise RecallLabError(
                f"the model {self.name!r} must return one row of numbers for each of {len(texts)} texts, "
                f"found an array of shape {vectors.shape}"
            )
        unusable = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if len(unusable):
            raise RecallLabError(f"the model {self.name!r} has no finite vector for {texts[unusable[0]]!r}")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1)


def _encoder(model: str | Encode | Any) -> Encode:
    if model == "wordllama":
        return _wordllama()
    if isinstance(model, str):
        return _sentence_transformer(model)
    encode = getattr(model, "encode", model)
    if not callable(encode):
        raise RecallLabError(
            "a model is a name, an object with a method encode, or a function of a list of texts, "
            f"found {model!r}"
        )
    return encode


def _wordllama() -> Encode:
    try:
        with _root_logger_left_alone():
            import wordllama
    except ImportError as error:
        raise RecallLabError(
            "the package wordllama is not installed, so there is no vector model here; install it with\n"
            '  pip install "recall-lab-workbook[retrieval]"\n'
            'or read its frozen run: frozen_run("wordllama")'
        ) from error
    # Its weights lie in the wheel; were they missing, it would fetch others from the network without a word.
    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    encode: Encode = model.embed
    return encode


@contextmanager
def _root_logger_left_alone() -> Iterator[None]:
    """Importing wordllama sets up logging; other packages' messages would then land in the notebook."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def _sentence_transformer(name: str) -> Encode:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise RecallLabError(
            f"the model {name!r} needs the package sentence-transformers; install it with\n"
            "  pip install sentence-transformers\n"
            'or use the model "wordllama", which needs no download'
        ) from error
    try:
        model = SentenceTransformer(name)
    except (OSError, ValueError) as error:
        raise RecallLabError(f"the model {name!r} could not be loaded: {error}") from error
    return lambda texts: model.encode(texts, show_progress_bar=False)
