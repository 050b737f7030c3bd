"""The gate: each decision and its limits, planted changes, and how often it is right."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from recall_lab import GoldenDataset, evaluate
from recall_lab.errors import RecallLabError
from recall_lab.retrieval import frozen_run
from recall_lab.statistics import (
    Comparison,
    Verdict,
    compare,
    fewest_questions,
    gate,
    gate_values,
    questions_needed,
)

HIT, MISS = {"q": ["a"]}, {"q": ["x"]}


def of_hits(n: int, lost: int, gained: int, resamples: int = 2000) -> Comparison:
    """A comparison of n questions with one relevant document each, of which some were lost and gained."""
    golden = {f"q{i}": ["a"] for i in range(n)}
    old = {f"q{i}": ["x" if lost <= i < lost + gained else "a"] for i in range(n)}
    new = {f"q{i}": ["x" if i < lost else "a"] for i in range(n)}
    return compare(evaluate(golden, old), evaluate(golden, new), k=1, resamples=resamples)


# ----------------------------------------------------------------------------------------------- decisions


def test_a_clear_drop() -> None:
    verdict = gate(of_hits(100, lost=12, gained=1), 0.05)
    assert (verdict.decision, verdict.exit_status, verdict.changed) == ("drop", 1, 13)
    assert verdict.questions_needed is None
    assert verdict.reason == "surely a drop, and it may be as large as 0.05"
    assert str(verdict).splitlines() == [
        "drop: surely a drop, and it may be as large as 0.05",
        f"difference: {verdict.difference}, 13 questions changed",
        f"smallest drop these questions would show: {verdict.smallest_detectable:.4f}",
    ]
    assert verdict.difference.high < 0 and verdict.difference.confidence == pytest.approx(0.9)


def test_nothing_changed_and_enough_questions() -> None:
    verdict = gate(of_hits(200, lost=0, gained=0), 0.05)
    assert (verdict.decision, verdict.exit_status) == ("pass", 0)
    assert verdict.reason == "a drop of 0.05 is ruled out, and these questions would have shown one"
    assert "0 questions changed\nsmallest drop these questions would show: 0.0250" in str(verdict)


def test_nothing_changed_and_too_few_questions() -> None:
    verdict = gate(of_hits(40, lost=0, gained=0), 0.05)
    assert (verdict.decision, verdict.exit_status) == ("cannot tell", 2)
    assert verdict.smallest_detectable == 5 / 40
    assert verdict.questions_needed is not None and verdict.questions_needed > 40
    assert verdict.reason == (
        "these questions would not show a drop of 0.05; "
        f"about {verdict.questions_needed} such questions would tell"
    )


def test_a_drop_that_is_surely_small_passes_and_is_reported() -> None:
    verdict = gate(of_hits(1000, lost=12, gained=0), 0.05)
    assert verdict.difference.high < 0
    assert verdict.decision == "pass"
    assert verdict.reason == "a drop, but surely less than 0.05"
    assert gate(of_hits(1000, lost=12, gained=0), 0.012).decision == "drop"


def test_a_clear_improvement_passes_even_where_a_drop_would_not_be_seen() -> None:
    verdict = gate(of_hits(100, lost=6, gained=20), 0.05)
    assert verdict.smallest_detectable > 0.05 and verdict.difference.low >= 0
    assert (verdict.decision, verdict.reason) == ("pass", "surely no drop")
    few = gate(of_hits(50, lost=0, gained=4), 0.05)
    assert few.difference.low >= 0
    assert few.decision == "cannot tell"
    assert gate(of_hits(50, lost=0, gained=5), 0.05).decision == "pass"
    assert gate(of_hits(100, lost=15, gained=18), 0.05).decision == "cannot tell"


def test_four_questions_are_never_a_drop() -> None:
    """Resampling alone would fail the build: no lost question is drawn in 1 of 55 draws of these fifty."""
    four = gate(of_hits(50, lost=4, gained=0), 0.05)
    assert four.difference.high < 0
    assert (four.decision, four.changed) == ("cannot tell", 4)
    assert "so few changed questions (4) can always be chance" in four.reason
    assert four.questions_needed is not None and four.questions_needed > 50
    assert gate(of_hits(50, lost=5, gained=0), 0.05).decision == "drop"
    assert fewest_questions(alternative="less") == 5


def test_between_drop_and_pass_it_asks_for_more_questions() -> None:
    verdict = gate(of_hits(400, lost=18, gained=12), 0.036)
    assert verdict.difference.low < -0.036 and verdict.difference.high > 0
    assert verdict.decision == "cannot tell"
    assert verdict.reason.startswith("a drop of 0.036 is not ruled out; about ")
    assert verdict.questions_needed is not None and verdict.questions_needed > 400


def test_the_limit_is_met_in_whole_questions() -> None:
    """0.05 of 100 questions are five: −0.05 and −0.05000000000000001 are the same drop."""
    comparison = of_hits(100, lost=5, gained=0)
    low = gate(comparison, 0.5).difference.low
    assert low == pytest.approx(-0.09)
    for nearly in (-low, -low + 1e-12, -low - 1e-12):
        assert gate(comparison, nearly).decision == "drop"
    assert gate(comparison, 0.0901).decision == "pass"


def test_one_question_and_few_questions() -> None:
    one = compare(evaluate({"q": ["a"]}, HIT), evaluate({"q": ["a"]}, MISS))
    verdict = gate(one, 0.05)
    assert (verdict.decision, verdict.smallest_detectable) == ("cannot tell", math.inf)
    assert str(verdict).splitlines()[1:] == [
        "difference: -1.0000 (no bootstrap interval: n = 1), 1 question changed",
        "smallest drop these questions would show: none",
    ]
    told = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert told["smallest_detectable"] is None and told["difference"]["low"] is None
    assert gate(of_hits(4, lost=0, gained=0), 1).decision == "cannot tell"
    assert gate(of_hits(5, lost=0, gained=0), 1).decision == "pass"  # all five would have to be lost


def test_the_number_of_questions_asked_for_is_that_of_the_sizes() -> None:
    verdict = gate(of_hits(99, lost=4, gained=4), 0.05)
    assert verdict.questions_needed == questions_needed(0.05, 9 / 100)  # with two halves of a question added


def test_a_verdict_for_programs() -> None:
    told = json.loads(json.dumps(gate(of_hits(100, lost=12, gained=1), 0.05).to_dict(), allow_nan=False))
    assert (told["decision"], told["max_drop"], told["changed"]) == ("drop", 0.05, 13)
    assert told["questions_needed"] is None
    assert told["difference"]["estimate"] == pytest.approx(-0.11)


def test_the_same_comparison_gives_the_same_verdict() -> None:
    comparison = of_hits(100, lost=9, gained=3)
    assert gate(comparison, 0.05) == gate(comparison, 0.05)
    assert isinstance(gate(comparison, 0.05), Verdict)


@pytest.mark.parametrize("max_drop", [0, 1.1, 5, -0.05, True, "0.05", None, float("nan")], ids=repr)
def test_the_drop_that_matters_is_a_fraction(max_drop: Any) -> None:
    with pytest.raises(RecallLabError, match=r"max_drop is .*; it must lie between 0 and 1, such as 0.05"):
        gate(of_hits(10, lost=0, gained=0), max_drop)


def test_the_gate_looks_at_the_differences_alone() -> None:
    comparison = planted("keyword_all_words")
    assert gate(comparison, 0.05) == gate_values(comparison.differences, 0.05)
    rounded = np.where(comparison.differences == 0, 1e-14, comparison.differences)
    assert gate_values(rounded, 0.05).changed == len(comparison.lost) + len(comparison.gained)


@given(
    st.lists(st.sampled_from([-1.0, -0.5, -1 / 3, -0.1, 0.25, 1.0]), max_size=12),
    st.integers(1, 200),
    st.sampled_from([0.01, 0.02, 0.05, 0.1, 0.2]),
)
def test_every_verdict_follows_the_rule(changes: list[float], n: int, max_drop: float) -> None:
    differences = [*changes, *[0.0] * (n - len(changes))]
    verdict = gate_values(differences, max_drop, resamples=500)
    low, high = verdict.difference.low, verdict.difference.high
    if verdict.decision == "drop":
        assert high < 0 and low <= -max_drop + 1e-9 and len(changes) >= 5
    elif verdict.decision == "pass":
        seen = low > -max_drop and verdict.smallest_detectable <= max_drop + 1e-9
        assert seen or (low >= -1e-9 and len(changes) >= 5)
    else:
        assert verdict.questions_needed is not None and verdict.questions_needed > len(differences)
    assert (verdict.questions_needed is None) == (verdict.decision != "cannot tell")


@pytest.mark.parametrize(
    ("differences", "choices", "message"),
    [
        ([], {}, "differences is empty"),
        ([0.1, float("nan")], {}, "value 2 of differences is nan"),
        ([5.0, -5.0], {}, "a difference is larger than 1"),
        ([0.1], {"resamples": -1}, "resamples is -1"),
        ([0.1], {"seed": True}, "seed is True"),
    ],
    ids=["empty", "nan", "percent", "resamples", "seed"],
)
def test_differences_that_cannot_be(differences: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        gate_values(differences, 0.05, **choices)


def test_it_takes_a_comparison() -> None:
    with pytest.raises(RecallLabError, match="comparison is a float; give what compare"):
        gate(0.05, 0.05)  # type: ignore[arg-type]


# ----------------------------------------------------------------------------------------- planted changes


@cache
def planted(name: str) -> Comparison:
    golden = GoldenDataset.load("library_of_things")
    baseline, candidate = (evaluate(golden, frozen_run(run)) for run in ("keyword", name))
    return compare(baseline, candidate)


def test_a_planted_regression_is_caught() -> None:
    assert gate(planted("keyword_all_words"), 0.05).decision == "drop"


def test_a_planted_harmless_change_passes() -> None:
    assert gate(planted("keyword_titles_twice"), 0.05).decision == "pass"


def test_a_set_too_small_for_the_wanted_drop_says_so() -> None:
    verdict = gate(planted("keyword_titles_twice"), 0.02)
    assert verdict.decision == "cannot tell"
    assert verdict.smallest_detectable > 0.02
    assert verdict.questions_needed is not None and verdict.questions_needed > 104


# -------------------------------------------------------------------------------------- how often it is right


NAIVE, BOOTSTRAP = "fell by more than 2 points", "95th percentile below 0"


@cache
def outcomes(n: int, lost_share: float, gained_share: float) -> dict[str, float]:
    """How often each rule fails the build, and how often ours passes or cannot tell.

    Questions are lost and gained by chance at these rates. Nothing is simulated: the verdict on every number
    of lost and gained questions is weighted with its probability.
    """
    often = dict.fromkeys((NAIVE, BOOTSTRAP, "drop", "pass", "cannot tell"), 0.0)
    total = 0.0
    for lost in range(n + 1):
        for gained in range(n + 1 - lost):
            counts, rates = (lost, gained, n - lost - gained), (lost_share, gained_share)
            weight = stats.multinomial.pmf(counts, n, [*rates, 1 - sum(rates)])
            if weight < 2e-5:
                if gained > n * gained_share + 1:
                    break
                continue
            verdict = gate_values(np.repeat([-1.0, 1.0, 0.0], counts), 0.05, resamples=1000)
            total += weight
            often[verdict.decision] += weight
            often[BOOTSTRAP] += weight * (verdict.difference.high < -1e-9)
            often[NAIVE] += weight * (100 * (lost - gained) > 2 * n)
    assert total > 0.999
    return often


def test_a_naive_gate_cries_wolf() -> None:
    assert outcomes(50, 0.02, 0.02)[NAIVE] == pytest.approx(0.13, abs=0.005)


@pytest.mark.parametrize(
    ("n", "power", "false_alarms"), [(50, 0.34, 0.030), (100, 0.54, 0.049), (200, 0.81, 0.039)]
)
def test_a_bootstrap_gate_sees_a_drop_as_often_as_the_number_of_questions_lets_it(
    n: int, power: float, false_alarms: float
) -> None:
    assert outcomes(n, 0.065, 0.015)[BOOTSTRAP] == pytest.approx(power, abs=0.01)
    assert outcomes(n, 0.02, 0.02)[BOOTSTRAP] == pytest.approx(false_alarms, abs=0.005)


@pytest.mark.parametrize(
    ("n", "caught", "missed", "false_alarms", "passed"),
    [(50, 0.15, 0.00, 0.001, 0.00), (100, 0.50, 0.02, 0.012, 0.46), (200, 0.80, 0.06, 0.022, 0.95)],
)
def test_our_gate_is_seldom_wrong_and_says_when_it_cannot_tell(
    n: int, caught: float, missed: float, false_alarms: float, passed: float
) -> None:
    five_points, nothing = outcomes(n, 0.065, 0.015), outcomes(n, 0.02, 0.02)
    assert five_points["drop"] == pytest.approx(caught, abs=0.015)
    assert five_points["pass"] == pytest.approx(missed, abs=0.015)
    assert nothing["drop"] == pytest.approx(false_alarms, abs=0.005)
    assert nothing["pass"] == pytest.approx(passed, abs=0.015)
    for rates in (five_points, nothing):
        assert rates["drop"] <= rates[BOOTSTRAP] + 1e-12
        assert sum(rates[decision] for decision in ("drop", "pass", "cannot tell")) == pytest.approx(
            1, abs=0.001
        )


@pytest.mark.parametrize(
    ("lost", "gained", "n", "wanted"),
    [(4, 0, 4, 5), (1, 0, 1, 5), (0, 1, 1, 5), (4, 0, 20, 35), (7, 2, 50, 120)],
)
def test_a_large_change_needs_few_questions(lost: int, gained: int, n: int, wanted: int) -> None:
    """A candidate that lost four questions of four is found out with a fifth, not with 2,471."""
    verdict = gate(of_hits(n, lost=lost, gained=gained), 0.05)
    assert (verdict.decision, verdict.questions_needed) == ("cannot tell", wanted)


@pytest.mark.parametrize(("lost", "gained", "n"), [(4, 0, 20), (7, 2, 50)])
def test_as_many_questions_as_asked_for_decide_four_times_of_five(lost: int, gained: int, n: int) -> None:
    wanted = gate(of_hits(n, lost=lost, gained=gained), 0.05).questions_needed
    assert wanted is not None
    rng = np.random.default_rng(0)
    shares = [lost / n, gained / n, 1 - (lost + gained) / n]
    sets = rng.choice([-1.0, 1.0, 0.0], size=(150, wanted), p=shares)
    decided = [gate_values(each, 0.05, resamples=500).decision != "cannot tell" for each in sets]
    assert 0.75 < np.mean(decided) < 0.95


def test_a_max_drop_that_no_set_could_show_is_refused() -> None:
    with pytest.raises(RecallLabError, match="max_drop is 1e-300; no set of questions shows so little"):
        gate_values([0.0] * 10, 1e-300)
