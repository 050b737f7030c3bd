"""Intervals: where a mean, a curve or a hit rate would lie with other questions of the same kind."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from numbers import Integral
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation
from recall_lab.measures import check_k
from recall_lab.statistics.arguments import (
    Floats,
    as_values,
    check_count,
    check_fraction,
    check_resampling,
    finite_or_none,
)
from recall_lab.summary import decimals

_CELLS_AT_ONCE = 500_000  # draws held at a time: a few megabytes, whatever the number of resamples
_LARGEST_TABLE = 100_000_000  # cells of a table over questions and cutoffs: 800 MB


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval, its method and its number of questions.

    Parameters
    ----------
    estimate : the value measured.
    low, high : the ends of the interval; NaN where one question allows none.
    confidence : how often intervals made this way hold the true value, such as 0.95.
    method : ``"bootstrap"`` or ``"Wilson"``.
    n : number of questions.

    Examples
    --------
    >>> print(Interval(0.457, 0.3851, 0.5289, 0.95, "bootstrap", 104))
    0.4570 (95 % bootstrap interval 0.3851 to 0.5289, n = 104)
    """

    estimate: float
    low: float
    high: float
    confidence: float
    method: str
    n: int

    def to_dict(self) -> dict[str, Any]:
        """The interval for programs, ready for ``json.dumps``; ``None`` where an end does not exist."""
        return {
            "estimate": self.estimate,
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "confidence": self.confidence,
            "method": self.method,
            "n": self.n,
        }

    def __str__(self) -> str:
        if math.isnan(self.low):
            return f"{_written(self.estimate)} (no {self.method} interval: n = {self.n})"
        text = (
            f"{_written(self.estimate)} ({100 * self.confidence:g} % {self.method} interval "
            f"{_written(self.low)} to {_written(self.high)}, n = {self.n}"
        )
        if self.low == self.high:
            text += "; all values are equal, which resampling takes for certainty"
        return text + ")"


def bootstrap_mean(
    values: Any, *, confidence: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """The percentile bootstrap interval of a mean over questions.

    As many questions as there are get drawn with replacement, again and again; the interval is the middle
    part of the means of these draws (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter
    13). It is somewhat too narrow for few questions. Where all values are equal it has no width at all: for
    hits and misses take :func:`wilson`.

    Parameters
    ----------
    values : one value for each question, such as ``evaluation.values("recall", 10).dropna()``.
    confidence : between 0 and 1.
    resamples : number of draws, from 100 to a million.
    seed : the same seed gives the same interval.

    Returns
    -------
    An :class:`Interval`; its ends are NaN for a single question, about which resampling tells nothing.

    Raises
    ------
    RecallLabError : a value is missing or no number, there is none, or a choice is out of range.

    Examples
    --------
    >>> print(bootstrap_mean([0, 0.25, 0.5, 0.5, 1, 1]))
    0.5417 (95 % bootstrap interval 0.2500 to 0.8333, n = 6)
    """
    array = as_values(values)
    confidence = check_fraction(confidence, "confidence", "0.95")
    resamples, seed = check_resampling(resamples, seed)
    low = high = math.nan
    if len(array) > 1:
        low, high = map(float, np.quantile(resampled_means(array, resamples, seed), _tails(confidence)))
    return Interval(float(array.mean()), low, high, confidence, "bootstrap", len(array))


def resampled_means(values: Floats, resamples: int, seed: int) -> Floats:
    """The means of questions drawn with replacement, one mean for each draw."""
    rng = np.random.default_rng(seed)
    n = len(values)
    rows = max(_CELLS_AT_ONCE // n, 1)
    blocks = (min(rows, resamples - start) for start in range(0, resamples, rows))
    return np.concatenate([values[rng.integers(n, size=(block, n))].mean(axis=1) for block in blocks])


@dataclass(frozen=True, eq=False, repr=False)
class CurveBand:
    """A curve over the cutoff k with a band, made by :func:`bootstrap_curve`.

    The band holds at each k by itself; it does not promise that the whole true curve lies inside.

    Parameters
    ----------
    k : the cutoffs, 1 … ``k_max``.
    estimate, low, high : the mean at each cutoff and the ends of its interval; arrays as long as ``k``.
    confidence, method, n, resamples : as in :func:`bootstrap_mean`.
    measure : which measure.
    resampled : the curve of each draw, one row a draw and one column a cutoff.
    """

    k: NDArray[np.int64]
    estimate: Floats
    low: Floats
    high: Floats
    confidence: float
    method: str
    n: int
    resamples: int
    measure: str
    resampled: Floats = field(default_factory=lambda: np.empty((0, 0)))

    def at(self, k: int) -> Interval:
        """The interval at one cutoff."""
        if check_k(k) > len(self.k):
            raise RecallLabError(f"k is {k}; the band ends at {len(self.k)}")
        ends = (float(self.estimate[k - 1]), float(self.low[k - 1]), float(self.high[k - 1]))
        return Interval(*ends, self.confidence, self.method, self.n)

    def __str__(self) -> str:
        return (
            f"{self.measure}@k for k = 1 to {len(self.k)} with a {100 * self.confidence:g} % {self.method} "
            f"interval at each k (n = {self.n}, {self.resamples} resamples)"
        )

    __repr__ = __str__


def bootstrap_curve(
    evaluation: Evaluation,
    k_max: int = 50,
    *,
    measure: str = "recall",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> CurveBand:
    """A measure over all cutoffs with its percentile bootstrap interval at each.

    Every draw of questions gives a whole curve, so that anything read off a curve, such as the k from which
    it hardly rises, can be read off each of them: see ``resampled``. Questions without a value are left out.

    Parameters
    ----------
    evaluation : the evaluation of a run.
    k_max : the largest cutoff.
    measure : any measure that every question has a value of.
    confidence, resamples, seed : as in :func:`bootstrap_mean`.

    Raises
    ------
    RecallLabError : fewer than two questions have a value, or a choice is out of range.

    Examples
    --------
    >>> from recall_lab import evaluate
    >>> golden = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"]}
    >>> e = evaluate(golden, {"q1": ["a", "x", "b"], "q2": ["x", "c"], "q3": ["d"]})
    >>> band = bootstrap_curve(e, k_max=3)
    >>> band
    recall@k for k = 1 to 3 with a 95 % bootstrap interval at each k (n = 3, 1000 resamples)
    >>> print(band.at(2))
    0.8333 (95 % bootstrap interval 0.5000 to 1.0000, n = 3)
    """
    if not isinstance(evaluation, Evaluation):
        raise RecallLabError(f"evaluation is a {type(evaluation).__name__}; give what evaluate() returns")
    k_max = check_k(k_max, "k_max")
    confidence = check_fraction(confidence, "confidence", "0.95")
    resamples, seed = check_resampling(resamples, seed)
    if max(evaluation.n, resamples) * k_max > _LARGEST_TABLE:
        raise RecallLabError(
            f"k_max is {k_max}; with {evaluation.n} questions and {resamples} resamples it can be at most "
            f"{_LARGEST_TABLE // max(evaluation.n, resamples)}"
        )
    columns = [evaluation.values(measure, k).loc[evaluation.query_ids] for k in range(1, k_max + 1)]
    table = np.array(columns, dtype=np.float64).T
    table = table[~np.isnan(table).any(axis=1)]
    n = len(table)
    if n < 2:
        raise RecallLabError(
            f"the number of questions with a value is {n}; resampling tells nothing about fewer than 2"
        )
    resampled = _resampled_curves(table, resamples, seed)
    low, high = np.quantile(resampled, _tails(confidence), axis=0)
    return CurveBand(
        k=np.arange(1, k_max + 1),
        estimate=table.mean(axis=0),
        low=low,
        high=high,
        confidence=confidence,
        method="bootstrap",
        n=n,
        resamples=resamples,
        measure=measure,
        resampled=resampled,
    )


def _resampled_curves(table: Floats, resamples: int, seed: int) -> Floats:
    """Mean curves of questions drawn with replacement: how often each is drawn, times its values."""
    rng = np.random.default_rng(seed)
    n = len(table)
    rows = max(_CELLS_AT_ONCE // n, 1)
    curves = np.empty((resamples, table.shape[1]))
    for start in range(0, resamples, rows):
        block = curves[start : start + rows]
        drawn = rng.multinomial(n, np.full(n, 1 / n), size=len(block))
        block[:] = drawn @ table / n
    return curves


def wilson(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """The Wilson score interval of a rate: so many questions of n with a hit.

    Unlike the bootstrap it never takes ten hits of ten for certainty (Wilson, Probable inference, the law of
    succession, and statistical inference, Journal of the American Statistical Association 22, 1927).

    Parameters
    ----------
    successes : questions with a hit, such as ``int(evaluation.values("hit_rate", 10).sum())``.
    n : all questions.
    confidence : between 0 and 1.

    Raises
    ------
    RecallLabError : no whole numbers, no question, or more hits than questions.

    Examples
    --------
    >>> print(wilson(6, 10))
    0.6000 (95 % Wilson interval 0.3127 to 0.8318, n = 10)
    >>> print(wilson(10, 10))
    1.0000 (95 % Wilson interval 0.7225 to 1.0000, n = 10)
    """
    n = check_count(n, "n")
    if not isinstance(successes, Integral) or isinstance(successes, bool) or not 0 <= successes <= n:
        raise RecallLabError(f"successes is {successes!r}; it must be a whole number from 0 to n = {n}")
    confidence = check_fraction(confidence, "confidence", "0.95")
    z = -NormalDist().inv_cdf((1 - confidence) / 2)
    rate = int(successes) / n
    middle = rate + z * z / (2 * n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    if successes == 0:
        low = 0.0  # what the formula gives but for rounding
    if successes == n:
        high = 1.0
    return Interval(rate, low, high, confidence, "Wilson", n)


def _tails(confidence: float) -> tuple[float, float]:
    return round((1 - confidence) / 2, 12), (1 + confidence) / 2  # 0.025, not 0.025000000000000022


def _written(value: float) -> str:
    """Four decimals, without the minus of a zero."""
    return decimals(round(value, 4) + 0.0)
