"""Intervals: against scipy and exact distributions; seeded; honest about few and equal values."""

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from recall_lab import evaluate
from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation
from recall_lab.statistics import Interval, bootstrap_curve, bootstrap_mean, wilson

VALUES = st.lists(st.floats(0, 1), min_size=2, max_size=30)
CONFIDENCE = st.sampled_from([0.8, 0.9, 0.95, 0.99])


def measured(ranks: dict[str, int | None], depth: int = 10, **choices: Any) -> Evaluation:
    """One relevant document a question, found at the rank given."""
    golden = {query_id: {f"{query_id}r": 1} for query_id in ranks}
    results = {
        query_id: [f"{query_id}r" if place == rank else f"x{place}" for place in range(1, depth + 1)]
        for query_id, rank in ranks.items()
    }
    return evaluate(golden, results, **choices)


# ------------------------------------------------------------------------------------------------- means


@pytest.mark.parametrize("hits", [1, 20, 45])
def test_the_bootstrap_of_hits_is_the_binomial_distribution(hits: int) -> None:
    values = [1] * hits + [0] * (50 - hits)
    interval = bootstrap_mean(values, resamples=20_000)
    low, high = stats.binom.ppf([0.025, 0.975], 50, hits / 50) / 50
    assert interval.estimate == hits / 50
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1 / 50 + 1e-9)


def test_the_bootstrap_agrees_with_scipy() -> None:
    values = np.random.default_rng(5).beta(0.6, 0.4, size=80)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=1)
    ours = bootstrap_mean(values, resamples=20_000)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.004)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.random.default_rng(0).random(40)
    assert bootstrap_mean(values, seed=3) == bootstrap_mean(list(values), seed=3)
    assert bootstrap_mean(values, seed=3) != bootstrap_mean(values, seed=4)


@given(VALUES, CONFIDENCE, st.integers(0, 2**32))
def test_an_interval_holds_its_estimate(values: list[float], confidence: float, seed: int) -> None:
    interval = bootstrap_mean(values, confidence=confidence, resamples=1000, seed=seed)
    assert min(values) - 1e-12 <= interval.low <= interval.estimate + 1e-12
    assert interval.estimate - 1e-12 <= interval.high <= max(values) + 1e-12


@given(VALUES)
def test_more_confidence_is_a_wider_interval(values: list[float]) -> None:
    narrow, wide = (bootstrap_mean(values, confidence=c, resamples=500) for c in (0.8, 0.99))
    assert wide.low <= narrow.low <= narrow.high <= wide.high


def test_blocks_of_draws_are_one_stream_of_draws() -> None:
    values = np.random.default_rng(1).random(7000)
    chosen = np.random.default_rng(9).integers(7000, size=(200, 7000))
    low, high = np.quantile(values[chosen].mean(axis=1), (0.025, 0.975))
    interval = bootstrap_mean(values, resamples=200, seed=9)
    assert (interval.low, interval.high) == (low, high)


def test_memory_stays_bounded() -> None:
    tracemalloc.start()
    bootstrap_mean(np.linspace(0, 1, 100_000), resamples=200)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000  # all draws at once would be 160 MB


def test_one_question_has_no_interval_and_equal_values_have_no_width() -> None:
    single = bootstrap_mean([0.5])
    assert math.isnan(single.low) and math.isnan(single.high) and single.estimate == 0.5
    assert str(single) == "0.5000 (no bootstrap interval: n = 1)"
    assert single.to_dict()["low"] is None
    assert "all values are equal" in str(bootstrap_mean([1.0] * 10))


def test_an_interval_says_its_method_and_n() -> None:
    assert str(Interval(0.457, 0.3851, 0.5289, 0.95, "bootstrap", 104)) == (
        "0.4570 (95 % bootstrap interval 0.3851 to 0.5289, n = 104)"
    )
    assert str(Interval(-0.00001, -0.5, 0.5, 0.999, "Wilson", 3)) == (
        "0.0000 (99.9 % Wilson interval -0.5000 to 0.5000, n = 3)"
    )


@pytest.mark.parametrize(
    "values",
    [
        (1, 0, 1),
        np.array([1, 0, 1], dtype=np.int8),
        pd.Series([1.0, 0.0, 1.0], index=["a", "b", "c"]),
        [True, False, np.True_],
        (value for value in (1, 0, 1)),
        [Fraction(1), Fraction(0), Fraction(1)],
    ],
    ids=["tuple", "array", "series", "bools", "generator", "fractions"],
)
def test_numbers_come_in_many_forms(values: Any) -> None:
    assert bootstrap_mean(values) == bootstrap_mean([1.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "values is empty"),
        ([0.5, float("nan")], "value 2 of values is nan; leave out questions without a value"),
        ([float("inf"), 0.5], "value 1 of values is inf"),
        ([0.5, None], "value 2 of values is None"),
        (["0.5", "0.7"], "value 1 of values is '0.5', not a number"),
        ("0.5", "values is a str"),
        (0.5, "values is a float"),
        ({"q1": 0.5}, "values is a dict"),
        ({0.5, 0.7}, "values is a set"),
        ([[0.5], [0.7]], "value 1 of values is \\[0.5\\]"),
        (np.zeros((2, 2)), "values is a ndarray"),
        (np.array(0.5), "values is a ndarray"),
        (pd.DataFrame({"a": [1.0]}), "values is a DataFrame"),
        (pd.Series([1, pd.NA], dtype="Int64"), "value 2 of values is nan"),
        ([1j], "value 1 of values is 1j"),
    ],
    ids=lambda case: case if isinstance(case, str) else type(case).__name__,
)
def test_what_is_no_list_of_numbers_is_refused(values: Any, message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        bootstrap_mean(values)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, True, "0.95", None, float("nan")], ids=repr)
def test_confidence_is_a_fraction(confidence: Any) -> None:
    message = "confidence is .*; it must lie between 0 and 1, such as 0.95"
    with pytest.raises(RecallLabError, match=message):
        bootstrap_mean([0.0, 1.0], confidence=confidence)
    with pytest.raises(RecallLabError, match=message):
        wilson(1, 2, confidence=confidence)
    with pytest.raises(RecallLabError, match=message):
        bootstrap_curve(measured({"a": 1, "b": 2}), 3, confidence=confidence)


@pytest.mark.parametrize("resamples", [-5, 0, 99, 100.0, True, "1000", None], ids=repr)
def test_resamples_are_a_whole_number_of_some_size(resamples: Any) -> None:
    with pytest.raises(RecallLabError, match="resamples is "):
        bootstrap_mean([0.0, 1.0], resamples=resamples)
    with pytest.raises(RecallLabError, match="resamples is "):
        bootstrap_curve(measured({"a": 1, "b": 2}), 3, resamples=resamples)


@pytest.mark.parametrize("seed", [-1, 0.5, True, None, "0"], ids=repr)
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(RecallLabError, match="seed is "):
        bootstrap_mean([0.0, 1.0], seed=seed)


# ------------------------------------------------------------------------------------------------- curves


def test_a_band_is_the_interval_of_each_cutoff() -> None:
    ranks = {f"q{i}": rank for i, rank in enumerate([1, 3, None, 2, 8, 5, 17, 1, 48, 4])}
    e = measured(ranks, depth=50)
    band = bootstrap_curve(e, 20, resamples=4000)
    assert band.k.tolist() == list(range(1, 21))
    assert band.estimate == pytest.approx(e.curve(20))
    assert band.resampled.shape == (4000, 20)
    assert (np.diff(band.resampled, axis=1) >= -1e-12).all()  # each draw is a curve, and recall never falls
    for k in (1, 5, 20):
        alone = bootstrap_mean(e.values("recall", k), resamples=4000)
        assert (band.at(k).low, band.at(k).high) == pytest.approx((alone.low, alone.high), abs=0.1 + 1e-9)
        assert band.low[k - 1] <= band.estimate[k - 1] <= band.high[k - 1]
    assert str(band) == (
        "recall@k for k = 1 to 20 with a 95 % bootstrap interval at each k (n = 10, 4000 resamples)"
    )


def test_a_band_is_seeded_and_independent_of_the_blocks() -> None:
    e = measured({f"q{i}": i % 12 + 1 for i in range(600)})
    first = bootstrap_curve(e, 8, seed=2)
    drawn = np.random.default_rng(2).multinomial(600, np.full(600, 1 / 600), size=1000)
    table = np.array([e.values("recall", k) for k in range(1, 9)])
    assert first.resampled == pytest.approx(drawn @ table.T / 600)
    assert (bootstrap_curve(e, 8, seed=3).resampled != first.resampled).any()


def test_a_band_leaves_out_what_has_no_value() -> None:
    golden = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}}
    e = evaluate(golden, {"q1": ["a"], "q2": ["x"], "q3": ["c"]})
    assert bootstrap_curve(e, 2).n == 2
    unanswered = evaluate({**golden, "q4": {"d": 1}}, {"q1": ["a"], "q2": ["x"], "q3": ["c"]})
    assert bootstrap_curve(unanswered, 2).n == 3
    assert bootstrap_curve(unanswered, 2, measure="judged").n == 2
    assert bootstrap_curve(e, 2, measure="ndcg").estimate == pytest.approx(e.curve(2, "ndcg"))


def test_bands_that_cannot_be_are_refused() -> None:
    e = measured({"a": 1, "b": 2})
    with pytest.raises(RecallLabError, match="evaluation is a dict; give what evaluate"):
        bootstrap_curve({"a": 1}, 3)  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="k_max is 0"):
        bootstrap_curve(e, 0)
    with pytest.raises(RecallLabError, match="it can be at most 100000"):
        bootstrap_curve(e, 100_001)
    with pytest.raises(RecallLabError, match="no measure 'rekall'"):
        bootstrap_curve(e, 3, measure="rekall")
    with pytest.raises(RecallLabError, match="micro_recall is one number for all queries"):
        bootstrap_curve(e, 3, measure="micro_recall")
    with pytest.raises(RecallLabError, match="fewer than 2"):
        bootstrap_curve(measured({"a": 1}), 3)
    with pytest.raises(RecallLabError, match="the band ends at 3"):
        bootstrap_curve(e, 3).at(4)


# ------------------------------------------------------------------------------------------------- Wilson


def test_six_of_ten_and_ten_of_ten() -> None:
    six, ten = wilson(6, 10), wilson(10, 10)
    assert (round(six.low, 2), round(six.high, 2)) == (0.31, 0.83)
    assert (round(ten.low, 2), ten.high) == (0.72, 1.0)
    assert str(ten) == "1.0000 (95 % Wilson interval 0.7225 to 1.0000, n = 10)"


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), CONFIDENCE)
def test_wilson_is_that_of_scipy_and_never_certain(counts: tuple[int, int], confidence: float) -> None:
    successes, n = counts
    interval = wilson(successes, n, confidence=confidence)
    theirs = stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    assert (interval.low, interval.high) == pytest.approx(tuple(theirs), abs=1e-12)
    assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
    assert interval.low < interval.high


@pytest.mark.parametrize(
    ("successes", "n"),
    [(1, 0), (-1, 5), (6, 5), (1.0, 5), (True, 5), ("1", 5), (1, 5.0), (1, True), (1, -5), (None, 5)],
    ids=repr,
)
def test_wilson_counts_whole_questions(successes: Any, n: Any) -> None:
    with pytest.raises(RecallLabError, match="must be a whole number"):
        wilson(successes, n)


def test_wilson_takes_the_counts_of_an_evaluation() -> None:
    hits = measured({"a": 1, "b": 4, "c": None}).values("hit_rate", 3)
    assert wilson(int(hits.sum()), len(hits)).estimate == pytest.approx(1 / 3)
    assert wilson(np.int64(1), np.int64(3)) == wilson(1, 3)


# -------------------------------------------------------------------------------------------------- light


def test_scipy_is_loaded_for_the_t_test_only() -> None:
    code = (
        "import sys; from recall_lab import statistics as s; s.bootstrap_mean([0, 1]); s.wilson(1, 2); "
        "s.compare_values([0.1, 0.2]); s.questions_needed(0.05, 0.08); print('scipy' in sys.modules); "
        "s.compare_values([0.1, 0.2], method='t'); print('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_numbers_at_the_edge_of_floats_are_refused_or_fine() -> None:
    with pytest.raises(RecallLabError, match="n is too large"):
        wilson(1, 10**400)
    for large in (10**400, 1e308):
        with pytest.raises(RecallLabError, match="values holds a number that is too large"):
            bootstrap_mean([0.5, large])
    nearly_certain = wilson(5, 10, confidence=0.9999999999999999)
    assert 0 < nearly_certain.low < wilson(5, 10, confidence=0.999).low


def test_a_billion_resamples_are_refused_before_they_fill_the_memory() -> None:
    with pytest.raises(RecallLabError, match="resamples is 1000000000; more than 1000000 only take time"):
        bootstrap_mean([0.0, 1.0], resamples=10**9)


def test_what_a_mask_hides_is_missing() -> None:
    with pytest.raises(RecallLabError, match="value 2 of values is None"):
        bootstrap_mean(np.ma.array([0.1, 0.2, 0.3], mask=[0, 1, 0]))
