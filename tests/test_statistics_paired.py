"""Comparisons of evaluations: means, lost and gained, what is left out, what cannot be compared."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from recall_lab import GoldenDataset, Run, evaluate
from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation
from recall_lab.retrieval import frozen_run
from recall_lab.statistics import compare, compare_all, compare_values, holm

GOLDEN = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"], "q4": {"e": 0}, "q5": ["f", "g", "h"]}
OLD = {"q1": ["a", "b"], "q2": ["c"], "q3": ["x"], "q4": ["e"], "q5": ["f", "x", "g"]}
NEW = {"q1": ["a", "x"], "q2": ["c"], "q3": ["d"], "q4": ["x"], "q5": ["g", "x", "f"]}


def measured(results: dict[str, list[str]], name: str = "", **choices: Any) -> Evaluation:
    golden = {
        query_id: docs if isinstance(docs, dict) else dict.fromkeys(docs, 1)
        for query_id, docs in GOLDEN.items()
    }
    return evaluate(golden, Run(results, name=name), **choices)


def test_a_comparison_by_hand() -> None:
    result = compare(measured(OLD, "old"), measured(NEW, "new"), k=3)
    assert (result.baseline, result.candidate) == pytest.approx(
        ((1 + 1 + 0 + 2 / 3) / 4, (0.5 + 1 + 1 + 2 / 3) / 4)
    )
    assert result.difference.estimate == pytest.approx(0.5 / 4)
    assert (result.n, result.lost, result.gained, result.left_out) == (4, ["q1"], ["q3"], ["q4"])
    assert result.p_value == 1.0  # of the signs ±1/2 and ±1, all four sums are at least as far from 0
    assert result.table().to_dict("list") == {
        "query_id": ["q1", "q2", "q3", "q5"],
        "baseline": [1.0, 1.0, 0.0, 2 / 3],
        "candidate": [0.5, 1.0, 1.0, 2 / 3],
        "difference": [-0.5, 0.0, 1.0, 0.0],
    }
    assert str(result).splitlines() == [
        "recall@3: old 0.6667, new 0.7917, n = 4",
        f"difference: {result.difference}",
        "p = 1.0000 (exact sign-flip test, two-sided)",
        "lost: 1 (q1)",
        "gained: 1 (q3)",
        "smallest difference these questions would show four times of five: none: too few questions",
        "note: 1 question lacks a value in one run or both, and cannot be compared: q4",
    ]


def test_the_test_is_that_of_the_differences() -> None:
    golden = GoldenDataset.load("library_of_things")
    a, b = (evaluate(golden, frozen_run(name)) for name in ("keyword", "keyword_all_words"))
    for method in ("auto", "t"):
        result = compare(a, b, "recall", 10, method=method, alternative="less", seed=7, confidence=0.9)
        alone = compare_values(
            (b.values("recall", 10) - a.values("recall", 10)).dropna(),
            method=method,
            alternative="less",
            seed=7,
            confidence=0.9,
        )
        assert (result.p_value, result.method) == (alone.p_value, alone.method)
        assert result.difference == alone.difference
    assert result.difference.estimate == pytest.approx(b.recall(10) - a.recall(10))
    assert result.n == 104 and len(result.left_out) == 16
    assert result.p_value < 0.05 and len(result.lost) > len(result.gained)


@pytest.mark.parametrize(
    "measure", ["recall", "ndcg", "hit_rate", "reciprocal_rank", "r_precision", "judged"]
)
@pytest.mark.parametrize("k", [1, 3, None], ids=str)
def test_the_means_are_those_of_the_evaluation(measure: str, k: int | None) -> None:
    a, b = measured(OLD), measured(NEW)
    result = compare(a, b, measure, k, resamples=100)
    assert (result.baseline, result.candidate) == pytest.approx((a.mean(measure, k), b.mean(measure, k)))
    assert "r_precision:" in str(result) or measure != "r_precision"


def test_identical_runs() -> None:
    same = compare(measured(OLD), measured(OLD), k=3)
    assert (same.p_value, same.difference.estimate, same.lost, same.gained) == (1.0, 0.0, [], [])
    assert (same.difference.low, same.difference.high) == (0.0, 0.0)
    assert "all values are equal" in str(same.difference)
    for alternative in ("less", "greater"):
        assert compare(measured(OLD), measured(OLD), k=3, alternative=alternative).p_value == 1.0


def test_swapping_the_runs_swaps_lost_and_gained() -> None:
    there, back = compare(measured(OLD), measured(NEW), k=3), compare(measured(NEW), measured(OLD), k=3)
    assert there.p_value == back.p_value
    assert there.difference.estimate == -back.difference.estimate
    assert (there.lost, there.gained) == (back.gained, back.lost)


def test_rounding_loses_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = measured(OLD), measured(OLD)
    monkeypatch.setattr(b, "values", lambda measure, k: a.values(measure, k) - 1e-15)
    result = compare(a, b, k=3)
    assert (result.lost, result.gained, result.p_value) == ([], [], 1.0)
    assert not result.differences.any()


def test_a_question_skipped_by_one_run_is_left_out_of_both() -> None:
    partly = {query_id: docs for query_id, docs in NEW.items() if query_id != "q1"}
    zero = compare(measured(OLD), measured(partly), k=3)
    assert zero.n == 4 and "q1" in zero.lost
    skipping = compare(measured(OLD, unanswered="skip"), measured(partly, unanswered="skip"), k=3)
    assert (skipping.n, skipping.left_out) == (3, ["q1", "q4"])
    assert skipping.baseline == pytest.approx((1 + 0 + 2 / 3) / 3)
    (notice,) = skipping.notices
    assert (notice.code, notice.ids) == ("left-out", ("q1", "q4"))
    assert str(notice) == "2 questions lack a value in one run or both, and cannot be compared: q1, q4"


def test_a_value_missing_in_one_run_is_missing_in_the_comparison() -> None:
    partly = {query_id: docs for query_id, docs in NEW.items() if query_id != "q1"}
    result = compare(measured(OLD), measured(partly), "judged", 3)
    assert (result.n, result.left_out) == (3, ["q1", "q4"])
    assert 0 < result.candidate <= 1


def test_the_smallest_difference_is_that_of_the_side_tested() -> None:
    golden = {f"q{i}": ["a"] for i in range(40)}
    same = evaluate(golden, {query_id: ["a"] for query_id in golden})
    assert compare(same, same).smallest_detectable == 6 / 40
    assert compare(same, same, alternative="less").smallest_detectable == 5 / 40


def test_numbers_serve_as_ids() -> None:
    golden = {1: ["a"], 2: ["b"]}
    a, b = evaluate(golden, {1: ["a"], 2: ["b"]}), evaluate(golden, {1: ["x"], 2: ["b"]})
    assert compare(a, b).lost == [1]


def test_runs_over_differently_cut_passages_are_compared_and_it_is_said() -> None:
    whole = evaluate({"q1": ["long"], "q2": ["b"]}, {"q1": ["long"], "q2": ["x"]})
    split = evaluate({"q1": ["part1", "part2"], "q2": ["b"]}, {"q1": ["part1"], "q2": ["b"]})
    result = compare(split, whole, k=5)
    assert result.difference.estimate == -0.25 and (result.lost, result.gained) == (["q2"], ["q1"])
    assert [notice.code for notice in result.notices] == ["judgments-differ"]
    regraded = evaluate({"q1": {"long": 2}, "q2": {"b": 1}}, {"q1": ["long"], "q2": ["x"]})
    assert [notice.code for notice in compare(whole, regraded).notices] == ["judgments-differ"]


def test_a_single_question_is_compared_without_an_interval() -> None:
    a, b = evaluate({"q": ["a"]}, {"q": ["a"]}), evaluate({"q": ["a"]}, {"q": ["x"]})
    result = compare(a, b)
    assert (result.n, result.p_value, result.lost) == (1, 1.0, ["q"])
    assert "no bootstrap interval: n = 1" in str(result)
    told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert told["difference"]["low"] is None and told["smallest_detectable"] is None


def test_numbers_for_programs() -> None:
    told = json.loads(json.dumps(compare(measured(OLD, "old"), measured(NEW, "new"), k=3).to_dict()))
    assert (told["lost"], told["gained"], told["left_out"]) == (["q1"], ["q3"], ["q4"])
    assert (told["baseline_name"], told["candidate_name"], told["k"]) == ("old", "new", 3)
    assert told["difference"]["method"] == "bootstrap" and told["difference"]["n"] == 4
    assert len(told["warnings"]) == 1


def test_tiny_p_values_are_not_written_as_nought() -> None:
    golden = {f"q{i}": ["a"] for i in range(18)}
    a, b = (evaluate(golden, {query_id: [doc] for query_id in golden}) for doc in "ax")
    assert "p < 0.0001 (exact sign-flip test, less)" in str(compare(a, b, alternative="less"))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"q1": ["a"]}, "b is a dict; give what evaluate"),
        (0.5, "b is a float"),
        (
            evaluate({"q1": ["a"], "q9": ["z"]}, {"q1": ["a"]}),
            "different questions: 4 only in a \\(q2, q3, q4",
        ),
        (evaluate({**GOLDEN, "q9": ["z"]}, OLD), "different questions: 1 only in b \\(q9\\)"),
        (measured(OLD, min_grade=2), "grade 1 or more in a and 2 or more in b"),
        (measured(OLD, unanswered="skip"), "unanswered is 'zero' in a and 'skip' in b"),
        (measured(OLD, no_relevant="one"), "no_relevant is 'exclude' in a and 'one' in b"),
        (measured(OLD, ties="worst"), "ties is 'by-id' in a and 'worst' in b"),
        (
            measured(OLD, preset="trec_eval", no_relevant="exclude", unanswered="zero"),
            "single_precision is False",
        ),
    ],
    ids=["dict", "number", "fewer", "more", "grade", "unanswered", "no_relevant", "ties", "precision"],
)
def test_what_cannot_be_compared_is_named(other: Any, message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        compare(measured(OLD), other)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"measure": "rekall"}, "no measure 'rekall'"),
        ({"measure": "micro_recall"}, "one number for all queries"),
        ({"k": 0}, "k is 0"),
        ({"k": True}, "k is True"),
        ({"alternative": "worse"}, "alternative is 'worse'"),
        ({"method": "z"}, "method is 'z'"),
        ({"confidence": 95}, "confidence is 95"),
        ({"resamples": -10}, "resamples is -10"),
        ({"seed": -1}, "seed is -1"),
    ],
    ids=lambda case: next(iter(case)) if isinstance(case, dict) else case,
)
def test_choices_are_checked(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        compare(measured(OLD), measured(NEW), **choices)


def test_without_any_value_there_is_nothing_to_compare() -> None:
    nothing = evaluate({"q": {"a": 0}}, {"q": ["a"]})
    with pytest.raises(RecallLabError, match="no question has a value in both runs"):
        compare(nothing, nothing)


# ------------------------------------------------------------------------------------------ several systems


def test_a_table_of_comparisons() -> None:
    runs = {"old": measured(OLD), "new": measured(NEW), "same": measured(OLD)}
    table = compare_all(runs, "old", k=3)
    assert list(table.index) == ["new", "same"]
    new = compare(runs["old"], runs["new"], k=3)
    assert table.loc["new", "difference"] == new.difference.estimate
    assert (table.loc["new", "low"], table.loc["new", "high"]) == (new.difference.low, new.difference.high)
    assert (table.loc["new", "lost"], table.loc["new", "gained"], table.loc["new", "n"]) == (1, 1, 4)
    assert table.loc["same", "p"] == table.loc["same", "p_holm"] == 1.0
    assert isinstance(table, pd.DataFrame) and not table.isna().any().any()


def test_the_p_values_of_a_table_are_adjusted_for_its_rows() -> None:
    golden = GoldenDataset.load("library_of_things")
    names = ["keyword", "keyword_all_words", "keyword_passages_lost", "keyword_titles_twice"]
    runs = {name: evaluate(golden, frozen_run(name)) for name in names}
    table = compare_all(runs, "keyword", alternative="less", resamples=2000, seed=1)
    single = compare(runs["keyword"], runs[names[1]], alternative="less", resamples=2000, seed=1)
    assert table["p"].to_dict()[names[1]] == single.p_value
    assert table["p_holm"].to_dict() == holm(table["p"].to_dict())
    assert table.loc[names[1], "p_holm"] == pytest.approx(3 * single.p_value)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([measured(OLD)], "evaluations is a list"),
        ({"new": measured(NEW)}, "there is no run 'old'; there are 'new'"),
        ({"old": measured(OLD)}, "nothing to compare 'old' with"),
        ({"old": measured(OLD), "new": NEW}, "b is a dict"),
    ],
    ids=["list", "unknown", "alone", "results"],
)
def test_tables_that_cannot_be_made(runs: Any, message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        compare_all(runs, "old")


def test_ids_of_another_kind_are_named() -> None:
    numbers, texts = evaluate({1: ["a"]}, {1: ["a"]}), evaluate({"1": ["a"]}, {"1": ["a"]})
    with pytest.raises(RecallLabError, match="1 and '1' differ: one is a text and the other a number"):
        compare(numbers, texts)
