"""Reranking: another order of the same candidates, and never a passage more."""

from __future__ import annotations

import pytest

from recall_lab import evaluate
from recall_lab.errors import RecallLabError
from recall_lab.retrieval import KeywordRetriever, Reranker, VectorRetriever, rerank_run
from recall_lab.run import Run

PASSAGES = {
    "p1": "ladder rack and ladder",
    "p2": "a ladder",
    "p3": "the ladder of the library is aluminium",
    "p4": "scaffold",
    "p5": "drill",
}
QUESTIONS = {"q1": "ladder", "q2": "drill or ladder", "q3": "trampoline"}


def letters(texts: list[str]) -> list[list[int]]:
    return [[text.count(letter) for letter in "adl"] for text in texts]


@pytest.fixture
def keyword() -> KeywordRetriever:
    return KeywordRetriever(PASSAGES)


@pytest.fixture
def vector() -> VectorRetriever:
    return VectorRetriever(PASSAGES, letters, name="letters")


def test_it_reorders_and_adds_nothing(keyword: KeywordRetriever, vector: VectorRetriever) -> None:
    for candidates in (1, 2, 3, 50):
        found = [passage for passage, _ in keyword.search("ladder", candidates)]
        reranked = Reranker(keyword, vector, candidates=candidates).search("ladder", depth=100)
        assert {passage for passage, _ in reranked} == set(found)
        assert dict(reranked) == {p: s for p, s in vector.search("ladder", 100) if p in found}
        assert reranked == sorted(reranked, key=lambda pair: (pair[1], pair[0]), reverse=True)
    assert [passage for passage, _ in reranked] != found


def test_depth_cuts_after_reranking(keyword: KeywordRetriever, vector: VectorRetriever) -> None:
    reranker = Reranker(keyword, vector, candidates=3)
    assert reranker.search("ladder", depth=1) == reranker.search("ladder", depth=3)[:1]


def test_live_equals_reranked_run(keyword: KeywordRetriever, vector: VectorRetriever) -> None:
    live = Reranker(keyword, vector, candidates=2).run(QUESTIONS)
    read = rerank_run(keyword.run(QUESTIONS), vector.run(QUESTIONS), candidates=2)
    assert live == read
    assert [str(notice) for notice in live.notices] == [str(notice) for notice in read.notices]


def test_it_says_that_it_adds_nothing(keyword: KeywordRetriever, vector: VectorRetriever) -> None:
    reranker = Reranker(keyword, vector, candidates=2)
    assert "adds no passage" in repr(reranker)
    notices = evaluate({"q1": ["p2"]}, reranker.run(QUESTIONS)).notices
    assert [notice for notice in notices if notice.code == "rerank-cannot-add"]


def test_refusals(keyword: KeywordRetriever, vector: VectorRetriever) -> None:
    with pytest.raises(RecallLabError, match="candidates"):
        Reranker(keyword, vector, candidates=0)
    with pytest.raises(RecallLabError, match="question"):
        Reranker(keyword, vector).search("")
    with pytest.raises(RecallLabError, match="depth"):
        Reranker(keyword, vector).search("ladder", depth=0)
    with pytest.raises(RecallLabError, match="no passage"):
        Reranker(keyword, VectorRetriever({"other": "ladder"}, letters)).search("ladder")
    with pytest.raises(RecallLabError, match="candidates"):
        rerank_run(Run({}), Run({}), candidates=0)
    with pytest.raises(
        RecallLabError, match="run 'shallow' has no score for 'b', a candidate of question 'q1'"
    ):
        rerank_run(Run({"q1": ["a", "b"]}), Run({"q1": ["a"]}, name="shallow"))
    with pytest.raises(RecallLabError, match="no score for 'a'"):
        rerank_run(Run({"q1": ["a"]}), Run({}))
