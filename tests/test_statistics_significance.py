"""Paired tests: against brute force and scipy; never NaN; Holm against the closure it abbreviates."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from recall_lab.errors import RecallLabError
from recall_lab.statistics import compare_values, holm

ALTERNATIVES = ["two-sided", "less", "greater"]
METHODS = ["auto", "sign-flip", "permutation"]
# Differences of shares of at most six relevant documents, as recall gives them.
SHARES = sorted({(a - b) / r for r in (1, 2, 3, 4, 6) for a in range(r + 1) for b in range(r + 1)})
FEW = st.lists(st.sampled_from(SHARES), min_size=1, max_size=9)


def by_hand(differences: list[float], alternative: str) -> float:
    """Every combination of signs, one after the other; sums are compared as whole twelfths."""
    whole = [round(12 * difference) for difference in differences]
    observed = sum(whole)
    sums = [
        sum(s * d for s, d in zip(signs, whole, strict=True)) for signs in product((1, -1), repeat=len(whole))
    ]
    as_extreme = {
        "two-sided": [abs(total) >= abs(observed) for total in sums],
        "less": [total <= observed for total in sums],
        "greater": [total >= observed for total in sums],
    }[alternative]
    return sum(as_extreme) / len(sums)


@given(FEW, st.sampled_from(ALTERNATIVES))
def test_sign_flips_are_all_combinations_of_signs(differences: list[float], alternative: Any) -> None:
    test = compare_values(differences, alternative=alternative, resamples=100)
    assert test.method == "sign-flip"
    assert test.p_value == by_hand(differences, alternative)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sign_flips_agree_with_scipy(alternative: Any) -> None:
    differences = np.random.default_rng(4).normal(0.1, 0.3, size=12)
    theirs = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=alternative
    )
    ours = compare_values(differences, alternative=alternative, resamples=100)
    assert ours.p_value == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_one_question_lost_or_gained_of_each_is_the_exact_mcnemar_test(alternative: Any) -> None:
    lost, gained = 11, 4
    differences = [-1.0] * lost + [1.0] * gained + [0.0] * 200
    exact = stats.binomtest(gained, lost + gained, alternative=alternative).pvalue
    assert compare_values(differences, alternative=alternative).p_value == pytest.approx(exact)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_random_flips_come_close_to_all_flips(alternative: Any) -> None:
    differences = np.random.default_rng(8).normal(0.05, 0.2, size=18)
    exact = compare_values(differences, alternative=alternative).p_value
    drawn = compare_values(differences, alternative=alternative, method="permutation", resamples=40_000)
    assert drawn.method == "permutation"
    assert drawn.p_value == pytest.approx(exact, abs=0.012)


def test_random_flips_count_the_observed_signs_as_one_more() -> None:
    test = compare_values([1.0] * 40, resamples=999)
    assert test.method == "permutation"
    assert test.p_value == 1 / 1000  # never 0
    assert compare_values([1.0] * 40, alternative="less", resamples=999).p_value == 1.0


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_t_test_is_that_of_scipy(alternative: Any) -> None:
    rng = np.random.default_rng(2)
    baseline, candidate = rng.random(30), rng.random(30)
    theirs = stats.ttest_rel(candidate, baseline, alternative=alternative)
    ours = compare_values(candidate - baseline, alternative=alternative, method="t")
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.method == "t"


@pytest.mark.parametrize("method", [*METHODS, "t"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 50])
def test_no_difference_is_p_1(method: Any, alternative: Any, n: int) -> None:
    for nothing in ([0.0] * n, [1e-13] * n):
        assert compare_values(nothing, method=method, alternative=alternative).p_value == 1.0


def test_five_questions_all_one_way() -> None:
    worse = [-0.5, -0.25, -1.0, -0.5, -1 / 3]
    assert compare_values(worse).p_value == 0.0625
    assert compare_values(worse, alternative="less").p_value == 0.03125
    assert compare_values(worse, alternative="greater").p_value == 1.0


def test_one_question_says_nothing() -> None:
    assert compare_values([-1.0]).p_value == 1.0
    assert compare_values([-1.0], alternative="less").p_value == 0.5


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_sums_in_another_order_of_addition_are_equal(alternative: Any) -> None:
    differences = [0.1, 0.2, -0.3, 0.7, -0.7, 1 / 3, -1 / 3]  # they sum to 0 only but for rounding
    exact = compare_values(differences, alternative=alternative).p_value
    if alternative == "two-sided":
        assert exact == 1.0
    else:
        assert exact > 0.5


@given(FEW, st.sampled_from(METHODS))
def test_swapping_the_runs_turns_the_difference_round(differences: list[float], method: Any) -> None:
    there = compare_values(differences, method=method, resamples=200)
    back = compare_values([-difference for difference in differences], method=method, resamples=200)
    assert there.p_value == back.p_value
    assert there.difference.estimate == pytest.approx(-back.difference.estimate, abs=1e-12)
    if len(differences) > 1:
        assert there.difference.low == pytest.approx(-back.difference.high, abs=1e-9)


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=40),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from(["auto", "permutation"]),
)
def test_a_p_value_is_a_probability(differences: list[float], alternative: Any, method: Any) -> None:
    p = compare_values(differences, alternative=alternative, method=method, resamples=100).p_value
    assert 0 < p <= 1


@given(FEW)
def test_questions_without_a_difference_change_no_exact_p(differences: list[float]) -> None:
    padded = [*differences, *[0.0] * 100]
    assert compare_values(padded, resamples=100).p_value == compare_values(differences, resamples=100).p_value


def test_a_true_null_is_rejected_as_often_as_promised() -> None:
    rng = np.random.default_rng(0)
    ps = [compare_values(rng.normal(size=25), resamples=199, seed=i).p_value for i in range(400)]
    assert 0.02 <= np.mean(np.array(ps) <= 0.05) <= 0.085


def test_auto_enumerates_up_to_twenty_questions_that_differ() -> None:
    assert compare_values([0.5] * 20 + [0.0] * 30, resamples=100).method == "sign-flip"
    assert compare_values([0.5] * 21, resamples=100).method == "permutation"
    with pytest.raises(RecallLabError, match=r"21 questions differ; .* 20 at most; use .* 'permutation'"):
        compare_values([0.5] * 21, method="sign-flip")


@pytest.mark.parametrize("differences", [[0.5], [0.25] * 6], ids=["one", "all-equal"])
def test_a_t_test_needs_a_spread(differences: list[float]) -> None:
    with pytest.raises(RecallLabError, match="a t test needs differences that differ from each other"):
        compare_values(differences, method="t")


@pytest.mark.parametrize(
    ("differences", "choices", "message"),
    [
        ([], {}, "differences is empty"),
        ([0.1, float("nan")], {}, "value 2 of differences is nan"),
        ("0.1", {}, "differences is a str"),
        ([0.1], {"alternative": "lower"}, "alternative is 'lower'; it can be 'two-sided', 'less', 'greater'"),
        ([0.1], {"alternative": None}, "alternative is None"),
        ([0.1], {"method": "wilcoxon"}, "method is 'wilcoxon'; it can be 'auto', 'sign-flip'"),
        ([0.1], {"method": ["t"]}, "method is \\['t'\\]"),
        ([0.1], {"confidence": 95}, "confidence is 95"),
        ([0.1], {"resamples": -1}, "resamples is -1"),
        ([0.1], {"seed": True}, "seed is True"),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_what_cannot_be_tested_is_refused(differences: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        compare_values(differences, **choices)


# --------------------------------------------------------------------------------------------------- Holm


P_VALUES = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.floats(0, 1), min_size=1, max_size=6)


@given(P_VALUES)
def test_holm_is_the_closed_test_of_bonferroni(p_values: dict[str, float]) -> None:
    """A hypothesis counts as false where every set of hypotheses that holds it does, after Bonferroni."""
    closed = {
        name: max(
            min(size * min(p_values[member] for member in group), 1.0)
            for size in range(1, len(p_values) + 1)
            for group in combinations(p_values, size)
            if name in group
        )
        for name in p_values
    }
    assert holm(p_values) == pytest.approx(closed)


@given(P_VALUES)
def test_holm_raises_p_and_keeps_the_order(p_values: dict[str, float]) -> None:
    adjusted = holm(p_values)
    assert list(adjusted) == list(p_values)
    assert all(p_values[name] <= adjusted[name] <= 1 for name in p_values)
    for a, b in combinations(p_values, 2):
        if p_values[a] < p_values[b]:
            assert adjusted[a] <= adjusted[b]
        if p_values[a] == p_values[b]:
            assert adjusted[a] == adjusted[b]


def test_holm_by_hand() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == {"a": 0.03, "b": 0.06, "c": 0.06}
    assert holm({"only": 0.2}) == {"only": 0.2}
    assert holm({}) == {}


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), "0.05", None, True], ids=repr)
def test_holm_takes_probabilities(p: Any) -> None:
    with pytest.raises(RecallLabError, match=r"the p-value of 'b' is .*; it must lie between 0 and 1"):
        holm({"a": 0.5, "b": p})
    with pytest.raises(RecallLabError, match="p_values is a list"):
        holm([0.5, p])  # type: ignore[arg-type]
