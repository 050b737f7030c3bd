"""Vector search: which model may be given, what it finds, and what it refuses."""

from __future__ import annotations

import logging
import math
import subprocess
import sys
import time
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_lab.errors import RecallLabError
from recall_lab.golden import Passage
from recall_lab.retrieval.base import SCORE_DIGITS, best_first
from recall_lab.retrieval.vector import VectorRetriever

PASSAGES = {"p1": "aab", "p2": "bcc", "p3": "abc", "p4": "ccc", "p5": ""}


def letters(texts: list[str]) -> list[list[int]]:
    """A toy model: how often each of three letters occurs."""
    return [[text.count(letter) for letter in "abc"] for text in texts]


def cosine(one: str, other: str) -> float:
    a, b = letters([one, other])
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


@given(
    st.dictionaries(st.text("xyz", min_size=1, max_size=3), st.text("abc", max_size=5), min_size=1),
    st.text("abc", min_size=1, max_size=5),
)
def test_scores_are_cosines_and_order_is_score_then_id(passages: dict[str, str], question: str) -> None:
    found = VectorRetriever(passages, letters).search(question, depth=1000)
    assert dict(found) == pytest.approx(
        {id_: cosine(text, question) for id_, text in passages.items()}, abs=6e-5
    )
    assert found == sorted(found, key=lambda pair: (pair[1], pair[0]), reverse=True)
    assert all(score == round(score, SCORE_DIGITS) for _, score in found)


def test_equal_passages_tie_and_the_greater_id_comes_first() -> None:
    found = VectorRetriever({name: "ab" for name in ("d1", "d10", "d2")}, letters).search("b")
    assert [name for name, _ in found] == ["d2", "d10", "d1"]


def test_rounding_comes_before_ranking_and_zero_has_no_sign() -> None:
    assert best_first({"a": 0.123449, "b": 0.123451, "c": 0.12345}, 3) == [
        ("b", 0.1235),
        ("c", 0.1234),
        ("a", 0.1234),
    ]
    assert str(best_first({"a": -1e-9}, 1)) == "[('a', 0.0)]"


def test_depth_cuts_and_may_exceed_the_corpus() -> None:
    retriever = VectorRetriever(PASSAGES, letters)
    assert [name for name, _ in retriever.search("c", depth=2)] == ["p4", "p2"]
    assert len(retriever.search("c", depth=10_000)) == len(PASSAGES)


def test_an_empty_passage_scores_zero() -> None:
    assert dict(VectorRetriever(PASSAGES, letters).search("abc"))["p5"] == 0


def test_titles_count_as_text() -> None:
    retriever = VectorRetriever({"x": Passage("ccc", ""), "y": Passage("", "a")}, letters)
    assert [name for name, _ in retriever.search("c")] == ["x", "y"]


def test_scores_of_chosen_passages() -> None:
    retriever = VectorRetriever(PASSAGES, letters)
    assert retriever.scores("c", ["p4", "p1"]) == {"p4": 1.0, "p1": 0.0}
    with pytest.raises(RecallLabError, match="no passage 'p9'"):
        retriever.scores("c", ["p1", "p9"])


@pytest.mark.parametrize("question", ["", "  \n", None, 3])
def test_an_empty_question_is_refused(question: Any) -> None:
    with pytest.raises(RecallLabError, match="question"):
        VectorRetriever(PASSAGES, letters).search(question)


@pytest.mark.parametrize("depth", [0, 2.5, True, None])
def test_a_wrong_depth_is_named(depth: Any) -> None:
    with pytest.raises(RecallLabError, match="depth"):
        VectorRetriever(PASSAGES, letters).search("a", depth=depth)


class SentenceModel:
    """Looks like a sentence-transformers model."""

    def encode(self, texts: list[str], **options: Any) -> np.ndarray:
        return np.array(letters(texts), dtype=np.float32)


def test_an_object_with_encode_is_a_model() -> None:
    one, other = VectorRetriever(PASSAGES, SentenceModel(), name="mine"), VectorRetriever(PASSAGES, letters)
    assert one.search("abb") == other.search("abb")
    assert one.run({"q1": "abb"}).name == "mine"


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (lambda texts: [[1.0]], "one row of numbers for each of 5 texts, found an array of shape \\(1, 1\\)"),
        (lambda texts: [1.0] * len(texts), "shape \\(5,\\)"),
        (lambda texts: [["x"]] * len(texts), "failed to encode"),
        (
            lambda texts: [[math.nan if text == "abc" else 1.0] for text in texts],
            "no finite vector for 'abc'",
        ),
        (7, "a model is a name"),
    ],
)
def test_a_wrong_model_is_named(model: Any, named: str) -> None:
    with pytest.raises(RecallLabError, match=named):
        VectorRetriever(PASSAGES, model)


def test_no_passage_is_refused() -> None:
    with pytest.raises(RecallLabError, match="no passage"):
        VectorRetriever({}, letters)


def test_a_missing_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(RecallLabError, match=r'pip install "recall-lab-workbook\[retrieval\]"'):
        VectorRetriever(PASSAGES)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(RecallLabError, match="pip install sentence-transformers"):
        VectorRetriever(PASSAGES, "all-MiniLM-L6-v2")


def test_a_name_is_that_of_a_sentence_transformer(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> SentenceModel:
        if name != "makers/small-model":
            raise OSError("not found")
        return SentenceModel()

    package = types.SimpleNamespace(SentenceTransformer=load)
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    retriever = VectorRetriever(PASSAGES, "makers/small-model")
    assert retriever.run({"q": "c"}).name == "small-model"
    assert retriever.search("c") == VectorRetriever(PASSAGES, letters).search("c")
    with pytest.raises(RecallLabError, match="'other' could not be loaded: not found"):
        VectorRetriever(PASSAGES, "other")


THINGS: dict[str, str | Passage] = {
    "p1": "A ladder is lent for one week.",
    "p2": "The drill comes with a charger.",
    "p3": "Late returns cost 50 pence a day.",
    "p4": Passage("", ""),
}


def test_wordllama_finds_other_words_for_the_same() -> None:
    retriever = VectorRetriever(THINGS)
    assert repr(retriever) == "VectorRetriever(4 passages, 256 dimensions, 'wordllama')"
    assert retriever.search("What is the fine for bringing things back too late?")[0][0] == "p3"
    assert dict(retriever.search("ladder"))["p4"] == 0


def test_wordllama_needs_no_network_and_leaves_logging_alone() -> None:
    program = (
        "import logging, socket\n"
        "def refuse(*_): raise RuntimeError('network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from recall_lab.retrieval import VectorRetriever\n"
        "VectorRetriever({'p1': 'ladder'})\n"
        "print(logging.getLogger().handlers, logging.getLogger().level)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"[] {logging.WARNING}\n"
    assert done.stderr == ""


def test_six_hundred_passages_are_ready_in_two_seconds_and_answer_in_twenty_milliseconds() -> None:
    VectorRetriever(THINGS)  # the first use imports the package
    passages = {f"p{i}": f"item {i} tool{i % 40} ladder drill shelf{i % 7} " * 8 for i in range(600)}
    start = time.process_time()
    retriever = VectorRetriever(passages)
    assert time.process_time() - start < 2
    questions = [f"where is tool{i} on shelf{i % 7} with a ladder" for i in range(20)]
    start = time.process_time()
    for question in questions:
        retriever.search(question, depth=100)
    assert (time.process_time() - start) / len(questions) < 0.02
