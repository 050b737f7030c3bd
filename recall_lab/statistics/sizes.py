"""How many questions a difference needs, and how large a difference a set of questions can show."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from recall_lab.errors import RecallLabError
from recall_lab.statistics.arguments import (
    ALMOST_ZERO,
    Alternative,
    Floats,
    as_values,
    check_choice,
    check_count,
    check_drop,
    check_fraction,
    check_share,
)

_SMALLEST_LEVEL = 1e-300  # half of it is still a number above 0
_ROUNDING = 1e-9  # a number of questions this little above a whole one is that whole one


def fewest_questions(alpha: float = 0.05, alternative: Alternative = "two-sided") -> int:
    """How many questions must differ before a sign-flip test can reach ``alpha`` at all.

    If m questions differ, all in one direction, the exact p-value is 2⁻ᵐ one-sided and twice that two-sided.
    With fewer questions no result whatever is significant.

    Parameters
    ----------
    alpha : the level, between 0 and 1.
    alternative : ``"two-sided"``, or ``"less"`` or ``"greater"``, which are one-sided.

    Examples
    --------
    >>> fewest_questions(), fewest_questions(alternative="less")
    (6, 5)
    """
    return math.ceil(-math.log2(_one_sided(alpha, alternative)) - _ROUNDING)


def questions_needed(
    drop: float,
    discordance: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative = "less",
) -> int:
    """How many questions, answered by both systems, show a drop of a hit-or-miss measure.

    The normal approximation for paired proportions (Connor, Sample size for testing differences in
    proportions for the paired-sample design, Biometrics 43, 1987), but never fewer questions than let
    :func:`fewest_questions` of them be lost.

    Parameters
    ----------
    drop : the true difference to be seen, such as 0.05.
    discordance : the share of the questions that differ, lost and gained together; at least ``drop``.
    alpha : how often a drop may be claimed where there is none.
    power : how often the true drop is to be seen.
    alternative : one-sided (``"less"`` or ``"greater"``) or ``"two-sided"``.

    Raises
    ------
    RecallLabError : a number out of range, or a drop larger than the share of questions that differ.

    Examples
    --------
    >>> questions_needed(0.05, 0.08)
    196
    """
    drop = check_drop(drop, "drop")
    discordance = check_share(discordance, "discordance", "0.08")
    if discordance < drop - ALMOST_ZERO:
        raise RecallLabError(
            f"discordance is {discordance}, less than the drop of {drop}: "
            "as many questions must differ as are lost"
        )
    return needed(drop, discordance, 1.0, alpha=alpha, power=power, alternative=alternative)


def questions_needed_unpaired(
    rate: float,
    drop: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative = "less",
) -> int:
    """How many questions each of two systems needs if each answers questions of its own.

    The normal approximation for two proportions, with the pooled variance under no difference (Fleiss,
    Statistical Methods for Rates and Proportions, 1981, chapter 3, without correction for continuity),
    rounded to the nearest question. Far more than :func:`questions_needed`: pairing pays.

    Parameters
    ----------
    rate : the share of questions with a hit before the drop.
    drop : how much less it is after, so that ``rate - drop`` is not negative.
    alpha, power, alternative : as in :func:`questions_needed`.

    Examples
    --------
    At a rate of 0.95, and where the rate makes it hardest, around 0.5:

    >>> questions_needed_unpaired(0.95, 0.05), questions_needed_unpaired(0.525, 0.05)
    (342, 1235)
    """
    drop = check_drop(drop, "drop")
    rate = check_share(rate, "rate", "0.5")
    after = rate - drop
    if after < -ALMOST_ZERO:
        raise RecallLabError(f"rate is {rate}; it cannot fall by {drop}")
    z_alpha, z_power = _quantiles(alpha, power, alternative)
    middle = (rate + after) / 2
    under_none = math.sqrt(2 * middle * (1 - middle))
    under_drop = math.sqrt(rate * (1 - rate) + after * (1 - after))
    return max(round(((z_alpha * under_none + z_power * under_drop) / drop) ** 2), 1)


def smallest_detectable_difference(
    differences: Any = None,
    *,
    n: int | None = None,
    discordance: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
) -> float:
    """The smallest true difference that a set of questions would show, as often as ``power`` says.

    It is :func:`questions_needed` solved for the drop. From measured differences, their mean square takes
    the place of the discordance (for hits and misses they are the same), with half a question lost and half
    a question gained added, in the manner of Agresti and Min (Simple improved confidence intervals for
    comparing matched proportions, Statistics in Medicine 24, 2005). Otherwise two identical runs on ten
    questions would claim to see everything. It says what can be seen as long as questions keep differing as
    much as they do here.

    Parameters
    ----------
    differences : candidate minus baseline, one for each question.
    n, discordance : instead of differences: the number of questions, and the share of them that differ.
    alpha, power, alternative : as in :func:`questions_needed`.

    Returns
    -------
    A difference between 0 and 1, or infinity where the set is too small to show any.

    Raises
    ------
    RecallLabError : both or neither are given, or a number is out of range.

    Examples
    --------
    >>> round(smallest_detectable_difference(n=196, discordance=0.08, alternative="less"), 3)
    0.05
    >>> round(smallest_detectable_difference([0.0] * 10), 3)
    0.6
    >>> smallest_detectable_difference([0.0, 0.0, 0.0])
    inf
    """
    if differences is None and n is not None and discordance is not None:
        n, mean_square, step = check_count(n, "n"), check_share(discordance, "discordance", "0.08"), 1.0
    elif differences is not None and n is None and discordance is None:
        values = as_values(differences, "differences")
        n, (mean_square, step) = len(values), spread(values)
    else:
        raise RecallLabError("give either the differences, or both n and discordance")
    return detectable(n, mean_square, step, alpha=alpha, power=power, alternative=alternative)


# ----------------------------------------------------------------- for hits and misses, and for shares alike


def spread(differences: Floats) -> tuple[float, float]:
    """Mean square of all differences and root mean square of those that are not 0.

    Both with half a question lost and half a question gained added: two halves with a square of 1 each.
    """
    if np.abs(differences).max() > 1 + ALMOST_ZERO:
        raise RecallLabError("a difference is larger than 1; values are fractions from 0 to 1")
    squares = float(np.square(differences).sum()) + 1
    changed = int(np.count_nonzero(np.abs(differences) > ALMOST_ZERO)) + 1
    return squares / (len(differences) + 1), math.sqrt(squares / changed)


def needed(
    drop: float, mean_square: float, step: float, *, alpha: float, power: float, alternative: Alternative
) -> int:
    """Questions that show a drop, from the mean square of the differences and the size of one that changes.

    A sum of differences has the standard deviation √mean square without a true drop, and √(mean square −
    drop²) with it; the first times its quantile and the second times its own must fit into the drop.
    """
    z_alpha, z_power = _quantiles(alpha, power, alternative)
    without, with_drop = math.sqrt(mean_square), math.sqrt(max(mean_square - drop * drop, 0.0))
    by_spread = ((z_alpha * without + z_power * with_drop) / drop) ** 2
    by_sign_flips = fewest_questions(alpha, alternative) * step / drop
    return math.ceil(max(by_spread, by_sign_flips) - _ROUNDING)


def detectable(
    n: int, mean_square: float, step: float, *, alpha: float, power: float, alternative: Alternative
) -> float:
    """The drop for which :func:`needed` gives n, by solving its quadratic equation."""
    z_alpha, z_power = _quantiles(alpha, power, alternative)
    under_root = n - z_alpha**2 + z_power**2
    if under_root < 0:
        return math.inf
    by_spread = (
        math.sqrt(mean_square) * (z_alpha * math.sqrt(n) + z_power * math.sqrt(under_root)) / (n + z_power**2)
    )
    by_sign_flips = fewest_questions(alpha, alternative) * step / n
    drop = max(by_spread, by_sign_flips)
    return drop if drop <= 1 + ALMOST_ZERO else math.inf


# ------------------------------------------------------------------------------------------------ helpers


def _one_sided(alpha: float, alternative: Alternative) -> float:
    alpha = check_fraction(alpha, "alpha", "0.05")
    if alpha < _SMALLEST_LEVEL:
        raise RecallLabError(f"alpha is {alpha}; it must be at least {_SMALLEST_LEVEL}")
    check_choice(alternative, "alternative", Alternative)
    return alpha / 2 if alternative == "two-sided" else alpha


def _quantiles(alpha: float, power: float, alternative: Alternative) -> tuple[float, float]:
    one_sided = _one_sided(alpha, alternative)
    power = check_fraction(power, "power", "0.8")
    if alpha >= 0.5 or power < 0.5:
        raise RecallLabError(f"alpha is {alpha} and power {power}; alpha must be below, power at least 0.5")
    normal = NormalDist()
    return -normal.inv_cdf(one_sided), normal.inv_cdf(power)
