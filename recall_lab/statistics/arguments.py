"""What the statistics accept: values of questions, fractions, seeds and choices, each refused by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError, shorten
from recall_lab.measures import check_k

Floats = NDArray[np.float64]
Alternative = Literal["two-sided", "less", "greater"]

ALMOST_ZERO = 1e-12  # two values of a question that are closer than this differ by rounding only
FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 1_000_000
LARGEST_VALUE = 1e100  # its square and sums of it are still numbers
SMALLEST_DROP = 1e-6
LARGEST_COUNT = 10**15  # beyond, the formulas lose whole questions


def as_values(values: Any, name: str = "values") -> Floats:
    """Finite numbers, one for each question, as an array.

    Parameters
    ----------
    values : a list, array or Series of numbers; hits may be ``True`` and ``False``.
    name : what to call them in an error.

    Raises
    ------
    RecallLabError : no numbers, none at all, or one that is missing or infinite.

    Examples
    --------
    >>> as_values([0.5, True, 0])
    array([0.5, 1. , 0. ])
    >>> as_values([0.5, None])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: value 2 of values is None, not a number; leave out questions without ...
    """
    unordered = isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable)
    if unordered or getattr(values, "ndim", 1) != 1:
        raise RecallLabError(
            f"{name} is a {type(values).__name__}; give a list of numbers, one for each question"
        )
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    elif isinstance(values, np.ma.MaskedArray):
        values = values.tolist()  # with None for what is masked
    if not (isinstance(values, np.ndarray) and values.dtype.kind in "biuf"):
        values = list(values)
        for position, value in enumerate(values, start=1):
            if not isinstance(value, Real | np.bool_):
                raise RecallLabError(
                    f"value {position} of {name} is {shorten(repr(value))}, not a number; "
                    "leave out questions without a value"
                )
    try:
        array = np.array(values, dtype=np.float64)
    except OverflowError:  # a whole number of hundreds of digits
        raise RecallLabError(f"{name} holds a number that is too large to reckon with") from None
    if not array.size:
        raise RecallLabError(f"{name} is empty; at least one question must have a value")
    if not np.isfinite(array).all():
        position = int(np.flatnonzero(~np.isfinite(array))[0])
        raise RecallLabError(
            f"value {position + 1} of {name} is {array[position]}; leave out questions without a value"
        )
    if np.abs(array).max() > LARGEST_VALUE:
        raise RecallLabError(f"{name} holds a number that is too large to reckon with")
    return array


def check_fraction(value: Any, name: str, example: str) -> float:
    """A number strictly between 0 and 1.

    >>> check_fraction(95, "confidence", "0.95")
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: confidence is 95; it must lie between 0 and 1, such as 0.95
    """
    number: Any = value
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < number < 1:
        raise RecallLabError(f"{name} is {value!r}; it must lie between 0 and 1, such as {example}")
    return float(number)


def check_share(value: Any, name: str, example: str) -> float:
    """A number above 0, and 1 at most.

    >>> check_share(1, "drop", "0.05")
    1.0
    """
    whole = isinstance(value, Real) and not isinstance(value, bool) and value == 1
    return 1.0 if whole else check_fraction(value, name, example)


def check_drop(value: Any, name: str) -> float:
    """A drop that a set of questions could show.

    >>> check_drop(1e-300, "drop")
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: drop is 1e-300; no set of questions shows so little; write, say, 0.05
    """
    drop = check_share(value, name, "0.05")
    if drop < SMALLEST_DROP:
        raise RecallLabError(f"{name} is {drop:g}; no set of questions shows so little; write, say, 0.05")
    return drop


def check_count(value: Any, name: str) -> int:
    """A number of questions.

    >>> check_count(10**30, "n")
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: n is too large; at most 1,000,000,000,000,000 questions
    """
    count = check_k(value, name)
    if count > LARGEST_COUNT:
        raise RecallLabError(f"{name} is too large; at most {LARGEST_COUNT:,} questions")
    return count


def check_resampling(resamples: Any, seed: Any) -> tuple[int, int]:
    """The number of resamples and the seed, both whole numbers.

    >>> check_resampling(10, 0)
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: resamples is 10; fewer than 100 show no tail
    """
    if check_k(resamples, "resamples") < FEWEST_RESAMPLES:
        raise RecallLabError(f"resamples is {resamples}; fewer than {FEWEST_RESAMPLES} show no tail")
    if resamples > MOST_RESAMPLES:
        raise RecallLabError(f"resamples is {resamples}; more than {MOST_RESAMPLES} only take time")
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise RecallLabError(f"seed is {seed!r}; it must be a whole number, 0 or more")
    return int(resamples), int(seed)


def check_choice(value: Any, name: str, allowed: Any) -> None:
    """One of the texts of a ``Literal``.

    >>> check_choice("lower", "alternative", Alternative)
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: alternative is 'lower'; it can be 'two-sided', 'less', 'greater'
    """
    texts = get_args(allowed)
    if not isinstance(value, str) or value not in texts:
        raise RecallLabError(f"{name} is {value!r}; it can be {', '.join(map(repr, texts))}")


def finite_or_none(value: float) -> float | None:
    """The value for a JSON file, which knows neither NaN nor infinity.

    >>> finite_or_none(0.5), finite_or_none(float("inf"))
    (0.5, None)
    """
    return float(value) if math.isfinite(value) else None
