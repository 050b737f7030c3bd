"""The approximate index, held against exact search over the same vectors."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import pytest

from recall_lab import evaluate
from recall_lab.errors import RecallLabError
from recall_lab.retrieval import ApproximateRetriever, VectorRetriever

SIZE = 500
POINTS = np.random.default_rng(5).normal(size=(SIZE + 40, 16))
PASSAGES = {f"p{row:03}": str(row) for row in range(SIZE)}
QUESTIONS = {f"q{row}": str(row) for row in range(SIZE, SIZE + 40)}
WEAK: dict[str, Any] = {"connectivity": 2, "expansion_add": 4, "expansion_search": 4}


def points(texts: list[str]) -> np.ndarray:
    return POINTS[[int(text) for text in texts]]


@pytest.fixture(scope="module")
def exact() -> VectorRetriever:
    return VectorRetriever(PASSAGES, points)


def neighbours_found(exact: VectorRetriever, approximate: ApproximateRetriever, k: int = 10) -> float:
    nearest = exact.run(QUESTIONS, depth=k)
    judgments = {question: nearest.ranking(question) for question in nearest}
    return evaluate(judgments, approximate.run(QUESTIONS, depth=k)).recall(k)


def test_a_good_index_finds_nearly_all_neighbours_and_a_weak_one_loses_many(exact: VectorRetriever) -> None:
    assert neighbours_found(exact, ApproximateRetriever(exact)) > 0.95
    assert neighbours_found(exact, ApproximateRetriever(exact, **WEAK)) < 0.5


def test_scores_and_order_are_those_of_exact_search(exact: VectorRetriever) -> None:
    approximate = ApproximateRetriever(exact, **WEAK)
    for question in list(QUESTIONS.values())[:5]:
        found = approximate.search(question, depth=20)
        wanted = dict(found)
        assert found == [pair for pair in exact.search(question, depth=SIZE) if pair[0] in wanted]


def test_the_same_index_every_time(exact: VectorRetriever) -> None:
    one, other = ApproximateRetriever(exact, **WEAK), ApproximateRetriever(exact, **WEAK)
    assert one.run(QUESTIONS, depth=50) == other.run(QUESTIONS, depth=50)
    backwards = VectorRetriever(dict(reversed(PASSAGES.items())), points)
    assert ApproximateRetriever(backwards, **WEAK).run(QUESTIONS, depth=50) == one.run(QUESTIONS, depth=50)


def test_depth_may_exceed_the_corpus(exact: VectorRetriever) -> None:
    assert ApproximateRetriever(exact).search("3", depth=10_000)[0] == ("p003", 1.0)
    assert len(ApproximateRetriever(exact).search("3", depth=7)) == 7


def test_refusals(exact: VectorRetriever, monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in WEAK:
        wrong: dict[str, Any] = {setting: 0}
        with pytest.raises(RecallLabError, match=setting):
            ApproximateRetriever(exact, **wrong)
    with pytest.raises(RecallLabError, match="connectivity must be at least 2"):
        ApproximateRetriever(exact, connectivity=1)
    with pytest.raises(RecallLabError, match="question"):
        ApproximateRetriever(exact).search(" ")
    with pytest.raises(RecallLabError, match="depth"):
        ApproximateRetriever(exact).search("3", depth=0)
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(RecallLabError, match=r'pip install "recall-lab-workbook\[retrieval\]"'):
        ApproximateRetriever(exact)


def test_speed(exact: VectorRetriever) -> None:
    start = time.process_time()
    approximate = ApproximateRetriever(exact)
    assert time.process_time() - start < 2
    start = time.process_time()
    for question in QUESTIONS.values():
        approximate.search(question, depth=100)
    assert (time.process_time() - start) / len(QUESTIONS) < 0.02
