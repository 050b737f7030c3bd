"""Reciprocal rank fusion, of live systems and of runs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_lab.errors import RecallLabError
from recall_lab.retrieval import HybridRetriever, KeywordRetriever, VectorRetriever
from recall_lab.retrieval.fusion import RRF_DIGITS, fuse_runs, reciprocal_rank_fusion
from recall_lab.run import Run

RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4)


@given(RANKINGS, st.integers(0, 100))
def test_the_formula(rankings: list[list[str]], constant: int) -> None:
    fused = reciprocal_rank_fusion(rankings, 100, constant=constant)
    expected = {
        passage: sum(
            1 / (constant + ranking.index(passage) + 1) for ranking in rankings if passage in ranking
        )
        for passage in {passage for ranking in rankings for passage in ranking}
    }
    assert dict(fused) == pytest.approx(expected, abs=10.0**-RRF_DIGITS)
    assert fused == sorted(fused, key=lambda pair: (pair[1], pair[0]), reverse=True)


@given(RANKINGS)
def test_the_order_of_the_arms_changes_nothing(rankings: list[list[str]]) -> None:
    assert reciprocal_rank_fusion(rankings) == reciprocal_rank_fusion(rankings[::-1])


def test_neighbours_far_down_do_not_tie() -> None:
    fused = reciprocal_rank_fusion([[str(rank) for rank in range(5000)]], 5000)
    assert [passage for passage, _ in fused] == [str(rank) for rank in range(5000)]


def test_fusion_can_beat_both_arms_and_their_union() -> None:
    shared = ["r1", "r2", "r3", "r4", "r5"]
    fused = reciprocal_rank_fusion([[*"abcde", *shared], [*"fghij", *shared]], 5)
    assert sorted(passage for passage, _ in fused) == shared


PASSAGES = {"p1": "a long ladder", "p2": "the drill", "p3": "ladder rack", "p4": "a saw", "p5": "drill bits"}
QUESTIONS = {"q1": "ladder", "q2": "drill", "q3": "trampoline"}


def letters(texts: list[str]) -> list[list[int]]:
    return [[text.count(letter) for letter in "adlrs"] for text in texts]


@pytest.mark.parametrize("arm_depth", [1, 2, 50])
def test_live_hybrid_equals_fused_runs(arm_depth: int) -> None:
    arms = KeywordRetriever(PASSAGES), VectorRetriever(PASSAGES, letters)
    live = HybridRetriever(*arms, arm_depth=arm_depth, constant=5).run(QUESTIONS, depth=4)
    fused = fuse_runs(*(arm.run(QUESTIONS) for arm in arms), arm_depth=arm_depth, constant=5, depth=4)
    assert live == fused
    assert live.name == fused.name == "hybrid"
    assert live.ranking("q1")


def test_a_question_that_one_arm_does_not_answer() -> None:
    fused = fuse_runs(Run({"q1": ["a"]}), Run({"q2": ["b"]}), Run({"q1": []}))
    assert {question: fused.ranking(question) for question in fused} == {"q1": ["a"], "q2": ["b"]}


@pytest.mark.parametrize("constant", [-1, float("nan"), float("inf"), True, "60"])
def test_a_wrong_constant_is_named(constant: Any) -> None:
    keyword = KeywordRetriever(PASSAGES)
    with pytest.raises(RecallLabError, match="constant"):
        reciprocal_rank_fusion([["a"]], constant=constant)
    with pytest.raises(RecallLabError, match="constant"):
        HybridRetriever(keyword, keyword, constant=constant)


def test_other_refusals() -> None:
    keyword = KeywordRetriever(PASSAGES)
    with pytest.raises(RecallLabError, match="at least two retrievers, found 1"):
        HybridRetriever(keyword)
    with pytest.raises(RecallLabError, match="at least two runs, found 1"):
        fuse_runs(Run({}))
    with pytest.raises(RecallLabError, match="arm_depth"):
        HybridRetriever(keyword, keyword, arm_depth=0)
    with pytest.raises(RecallLabError, match="arm_depth"):
        fuse_runs(Run({}), Run({}), arm_depth=0)
    with pytest.raises(RecallLabError, match="depth"):
        HybridRetriever(keyword, keyword).search("ladder", depth=0)
    with pytest.raises(RecallLabError, match="question"):
        HybridRetriever(keyword, keyword).search(" ")
    with pytest.raises(RecallLabError, match="twice"):
        reciprocal_rank_fusion([["a", "b", "a"]])
