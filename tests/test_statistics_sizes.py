"""How many questions: known values, the sign-flip limit, and numbers of questions that keep their promise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from recall_lab.errors import RecallLabError
from recall_lab.statistics import (
    compare_values,
    fewest_questions,
    questions_needed,
    questions_needed_unpaired,
    smallest_detectable_difference,
)

SIDES = ["two-sided", "less", "greater"]
DROP_AND_DISCORDANCE = st.floats(0.01, 1).flatmap(lambda drop: st.tuples(st.just(drop), st.floats(drop, 1)))


def test_the_fewest_questions() -> None:
    assert fewest_questions() == 6
    assert fewest_questions(alternative="less") == fewest_questions(alternative="greater") == 5
    assert fewest_questions(0.03125, "less") == 5  # 2⁻⁵ itself is enough
    assert fewest_questions(0.5, "less") == 1


@pytest.mark.parametrize("side", ["two-sided", "less"])
@pytest.mark.parametrize("alpha", [0.2, 0.1, 0.05, 0.01, 0.001])
def test_the_fewest_questions_are_those_of_the_sign_flip_test(alpha: float, side: Any) -> None:
    fewest = fewest_questions(alpha, side)
    assert compare_values([-1.0] * fewest, alternative=side, resamples=100).p_value <= alpha
    assert compare_values([-1.0] * (fewest - 1), alternative=side, resamples=100).p_value > alpha


def test_connors_number_of_questions() -> None:
    assert questions_needed(0.05, 0.08) == 196
    # By hand: (1.6449 √.08 + .8416 √(.08 − .0025))² / .0025 = 195.7
    z_alpha, z_power = stats.norm.ppf([0.95, 0.8])
    by_hand = (z_alpha * math.sqrt(0.08) + z_power * math.sqrt(0.08 - 0.05**2)) ** 2 / 0.05**2
    assert 195 < by_hand <= 196
    assert questions_needed(0.05, 0.08, alternative="two-sided") > 196
    assert questions_needed(0.05, 0.08, power=0.9) > 196
    assert questions_needed(0.05, 0.08, alpha=0.01) > 196


def test_connors_number_keeps_its_promise() -> None:
    """Draw many sets of that many questions, and count how often a z test of McNemar's kind sees the drop."""
    n = questions_needed(0.05, 0.08)
    drawn = np.random.default_rng(0).multinomial(n, [0.065, 0.015, 0.92], size=20_000)
    lost, gained = drawn[:, 0], drawn[:, 1]
    seen = (lost - gained) / np.sqrt(np.maximum(lost + gained, 1)) > stats.norm.ppf(0.95)
    assert seen.mean() == pytest.approx(0.8, abs=0.04)  # whole questions make it .83


def test_pairing_pays() -> None:
    assert questions_needed_unpaired(0.95, 0.05) == 342
    assert max(questions_needed_unpaired(rate / 1000, 0.05) for rate in range(50, 1001)) == 1235
    assert questions_needed_unpaired(0.525, 0.05) == 1235
    assert questions_needed_unpaired(0.5, 0.05) == questions_needed_unpaired(0.55, 0.05) == 1232


def test_unpaired_numbers_keep_their_promise() -> None:
    rng, n = np.random.default_rng(0), questions_needed_unpaired(0.95, 0.05)
    before, after = rng.binomial(n, 0.95, 20_000) / n, rng.binomial(n, 0.9, 20_000) / n
    pooled = (before + after) / 2
    seen = before - after > stats.norm.ppf(0.95) * np.sqrt(2 * pooled * (1 - pooled) / n)
    assert seen.mean() == pytest.approx(0.8, abs=0.02)


@given(DROP_AND_DISCORDANCE, st.sampled_from(SIDES), st.sampled_from([0.01, 0.05, 0.1]), st.floats(0.5, 0.99))
def test_needed_and_detectable_undo_each_other(
    sizes: tuple[float, float], side: Any, alpha: float, power: float
) -> None:
    drop, discordance = sizes
    choices: dict[str, Any] = {"alpha": alpha, "power": power, "alternative": side}
    n = questions_needed(drop, discordance, **choices)
    assert smallest_detectable_difference(n=n, discordance=discordance, **choices) <= drop * (1 + 1e-6)
    if n > 1:
        assert smallest_detectable_difference(n=n - 1, discordance=discordance, **choices) > drop * (1 - 1e-6)


@given(st.integers(1, 5000), st.floats(0.001, 1), st.sampled_from(SIDES))
def test_more_questions_see_more(n: int, discordance: float, side: Any) -> None:
    here, more = (
        smallest_detectable_difference(n=size, discordance=discordance, alternative=side)
        for size in (n, n + 1)
    )
    assert 0 < more <= here
    assert here <= 1 + 1e-9 or here == math.inf


@pytest.mark.parametrize("side", ["two-sided", "less"])
def test_a_set_that_cannot_reach_the_level_sees_nothing(side: Any) -> None:
    fewest = fewest_questions(alternative=side)
    for n in range(1, fewest):
        assert smallest_detectable_difference([0.0] * n, alternative=side) == math.inf
        assert smallest_detectable_difference(n=n, discordance=1, alternative=side) == math.inf
    assert smallest_detectable_difference([0.0] * fewest, alternative=side) == 1.0


def test_identical_runs_do_not_see_everything() -> None:
    assert smallest_detectable_difference([0.0] * 10, alternative="less") == 0.5  # five questions of ten
    assert smallest_detectable_difference([0.0] * 104, alternative="less") == pytest.approx(5 / 104)
    many = smallest_detectable_difference([0.0] * 10_000, alternative="less")
    assert 0 < many < 0.001


def test_differences_of_hits_are_a_discordance() -> None:
    """8 % of 200 questions differ; with half a question lost and half gained it is 17 of 201."""
    differences = [-1.0] * 13 + [1.0] * 3 + [0.0] * 184
    ours = smallest_detectable_difference(differences, alternative="less")
    assert ours == smallest_detectable_difference(n=200, discordance=17 / 201, alternative="less")


def test_small_changes_let_a_set_see_more() -> None:
    whole, small = [1.0, -1.0] * 10 + [0.0] * 80, [0.2, -0.2] * 10 + [0.0] * 80
    assert smallest_detectable_difference(small) < smallest_detectable_difference(whole) / 2


@pytest.mark.parametrize("value", [0, -0.1, 1.1, 5, True, "0.05", None, float("nan")], ids=repr)
def test_shares_lie_between_0_and_1(value: Any) -> None:
    for call in (
        lambda: questions_needed(value, 0.08),
        lambda: questions_needed(0.05, value),
        lambda: questions_needed_unpaired(value, 0.05),
        lambda: questions_needed_unpaired(0.5, value),
        lambda: smallest_detectable_difference(n=10, discordance=value),
        lambda: questions_needed(0.05, 0.08, alpha=value),
        lambda: questions_needed(0.05, 0.08, power=value),
        lambda: fewest_questions(value),
    ):
        with pytest.raises(RecallLabError, match=r"must lie between 0 and 1|give either the differences"):
            call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: questions_needed(0.1, 0.08), "less than the drop of 0.1"),
        (lambda: questions_needed_unpaired(0.03, 0.05), "rate is 0.03; it cannot fall by 0.05"),
        (
            lambda: questions_needed(0.05, 0.08, power=0.3),
            "power 0.3; alpha must be below, power at least 0.5",
        ),
        (lambda: questions_needed(0.05, 0.08, alpha=0.6), "alpha is 0.6"),
        (lambda: questions_needed(0.05, 0.08, alternative="one-sided"), "alternative is 'one-sided'"),
        (lambda: fewest_questions(0.05, "one-sided"), "alternative is 'one-sided'"),
        (lambda: smallest_detectable_difference(), "give either the differences, or both n and discordance"),
        (lambda: smallest_detectable_difference([0.1], n=5, discordance=0.1), "give either"),
        (lambda: smallest_detectable_difference(n=5), "give either"),
        (lambda: smallest_detectable_difference(n=0, discordance=0.1), "n is 0"),
        (lambda: smallest_detectable_difference([5.0, 0.1]), "a difference is larger than 1"),
        (lambda: smallest_detectable_difference([]), "differences is empty"),
        (lambda: smallest_detectable_difference("0.1"), "differences is a str"),
    ],
    ids=[
        *("more-lost-than-differ", "below-zero", "low-power", "high-alpha", "side", "fewest-side", "nothing"),
        *("both", "only-n", "no-questions", "percent", "empty", "text"),
    ],
)
def test_sizes_that_cannot_be(call: Any, message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        call()


def test_everything_can_be_lost() -> None:
    assert questions_needed(1, 1) == 5  # one-sided: five questions, all lost
    assert questions_needed(1.0, 1.0, alternative="two-sided") == 6
    assert questions_needed_unpaired(1, 1) == 1


@pytest.mark.parametrize("tiny", [1e-300, 5e-324, 1e-9], ids=str)
def test_a_drop_that_no_set_could_show_is_refused(tiny: float) -> None:
    for ask in (
        lambda: questions_needed(tiny, 0.08),
        lambda: questions_needed_unpaired(0.5, tiny),
    ):
        with pytest.raises(RecallLabError, match=r"drop is .*; no set of questions shows so little"):
            ask()


def test_levels_and_numbers_at_the_edge_of_floats() -> None:
    assert questions_needed(0.05, 0.08, alpha=1e-20) > questions_needed(0.05, 0.08, alpha=1e-10)
    with pytest.raises(RecallLabError, match="alpha is 5e-324"):
        fewest_questions(5e-324)
    with pytest.raises(RecallLabError, match="n is too large"):
        smallest_detectable_difference(n=10**400, discordance=0.08)
    with pytest.raises(RecallLabError, match="drop is <NA>; it must lie between 0 and 1"):
        questions_needed(pd.NA, 0.08)
