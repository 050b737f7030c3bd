"""Whether paired differences could be chance: sign flips, all of them or random ones, and the t test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError
from recall_lab.statistics.arguments import (
    ALMOST_ZERO,
    Alternative,
    Floats,
    as_values,
    check_choice,
    check_resampling,
)
from recall_lab.statistics.intervals import Interval, bootstrap_mean

Method = Literal["auto", "sign-flip", "permutation", "t"]

MOST_TO_ENUMERATE = 20  # 2²⁰ sums of signs are a million numbers
_SAME_SUM = 1e-9  # sums of the same differences in another order differ by rounding only
_CELLS_AT_ONCE = 500_000


@dataclass(frozen=True)
class PairedTest:
    """What :func:`compare_values` finds.

    Parameters
    ----------
    difference : the mean difference with its bootstrap interval.
    p_value : how often chance alone gives such a difference or a larger one, if neither side is better.
    method : ``"sign-flip"`` (exact), ``"permutation"`` (random flips) or ``"t"``.
    alternative : what was tested against: ``"two-sided"``, ``"less"`` or ``"greater"``.
    """

    difference: Interval
    p_value: float
    method: str
    alternative: str


def compare_values(
    differences: Any,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> PairedTest:
    """Test whether paired differences are 0 in the mean.

    If neither side were better, each difference could as well have the other sign. The sign-flip test
    (Fisher's randomisation test) tries all combinations of signs of the differences that are not 0; the
    permutation test draws ``resamples`` of them at random and counts the observed one as one more (Phipson
    and Smyth, Permutation p-values should never be zero, 2010). The t test is named after Student and
    assumes that means of differences are about normal.

    Parameters
    ----------
    differences : candidate minus baseline, one for each question; closer to 0 than 1e-12 counts as 0.
    alternative : ``"two-sided"``; ``"less"``, that the candidate is worse; ``"greater"``, better.
    method : ``"auto"`` is the sign-flip test where at most 20 questions differ, else the permutation test.
    confidence, resamples, seed : of the interval and the random flips, as in ``bootstrap_mean``.

    Raises
    ------
    RecallLabError : a difference is missing or no number, a choice is unknown, or the method cannot be used.

    Examples
    --------
    >>> compare_values([-0.5, -0.25, -0.5, -1.0, -0.5]).p_value
    0.0625
    >>> compare_values([0.0, 0.0, 0.0]).p_value
    1.0
    """
    array = as_values(differences, "differences")
    array = np.where(np.abs(array) < ALMOST_ZERO, 0.0, array)
    check_choice(alternative, "alternative", Alternative)
    check_choice(method, "method", Method)
    resamples, seed = check_resampling(resamples, seed)
    changed = array[array != 0]
    if method == "auto":
        method = "sign-flip" if len(changed) <= MOST_TO_ENUMERATE else "permutation"
    if method == "t":
        p_value = _t_test(array, alternative)
    elif method == "sign-flip":
        if len(changed) > MOST_TO_ENUMERATE:
            raise RecallLabError(
                f"{len(changed)} questions differ; all combinations of signs are tried for "
                f"{MOST_TO_ENUMERATE} at most; "
                "use the method 'permutation'"
            )
        p_value = float(_as_extreme(_all_sign_flips(changed), float(changed.sum()), alternative).mean())
    else:
        sums = _random_sign_flips(changed, resamples, seed)
        as_extreme = int(_as_extreme(sums, float(changed.sum()), alternative).sum())
        p_value = (as_extreme + 1) / (resamples + 1)
    interval = bootstrap_mean(array, confidence=confidence, resamples=resamples, seed=seed)
    return PairedTest(interval, p_value, method, alternative)


def _all_sign_flips(changed: Floats) -> Floats:
    """The sum for each of the 2ᵐ combinations of signs."""
    sums = np.zeros(1)
    for difference in changed:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def _random_sign_flips(changed: Floats, resamples: int, seed: int) -> Floats:
    """The sum for random combinations of signs."""
    rng = np.random.default_rng(seed)
    rows = max(_CELLS_AT_ONCE // max(len(changed), 1), 1)
    sums = np.empty(resamples)
    for start in range(0, resamples, rows):
        block = sums[start : start + rows]
        positive = rng.integers(2, size=(len(block), len(changed)), dtype=np.int8)
        block[:] = 2 * (positive @ changed) - changed.sum()
    return sums


def _as_extreme(sums: Floats, observed: float, alternative: Alternative) -> NDArray[np.bool_]:
    """Which sums are as extreme as the observed one; sums that differ by rounding are the same sum."""
    if alternative == "two-sided":
        return np.abs(sums) >= abs(observed) - _SAME_SUM
    if alternative == "less":
        return sums <= observed + _SAME_SUM
    return sums >= observed - _SAME_SUM


def _t_test(differences: Floats, alternative: Alternative) -> float:
    from scipy.special import stdtr

    n = len(differences)
    if not differences.any():
        return 1.0
    if np.ptp(differences) < ALMOST_ZERO:  # as it is for a single question
        raise RecallLabError(
            f"a t test needs differences that differ from each other (n = {n}); "
            "use the method 'auto', which tries sign flips"
        )
    t = float(differences.mean() / (differences.std(ddof=1) / math.sqrt(n)))
    if alternative == "two-sided":
        return float(2 * stdtr(n - 1, -abs(t)))
    return float(stdtr(n - 1, t if alternative == "less" else -t))
