"""Read what a learner handed over, without trusting it.

An answer may be any object: a fraction in many spellings, a numpy scalar, a generator, something whose
``==`` says yes to everything. Here it becomes plain Python values of our own (exact fractions, built-in
strings), by its type and never by its own comparison or repr; or an :class:`Unreadable` with the sentence
the learner should hear.
"""

from __future__ import annotations

import math
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

from recall_lab.errors import RecallLabError, shorten
from recall_lab.exercises import sandbox

__all__ = [
    "TOLERANCE",
    "NotANumber",
    "Number",
    "Unreadable",
    "is_blank",
    "kind_of",
    "read_ids",
    "read_items",
    "read_mapping",
    "read_number",
    "read_share",
    "read_text",
]

TOLERANCE = Fraction(1, 2000)
"""A decimal counts as equal within half a thousandth: three places are enough."""

_LONGEST = 10_000  # ids read from one answer
_FRACTION = re.compile(r"([+-]?\d+)\s*/\s*([+-]?\d+)")
_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", re.IGNORECASE)


class Unreadable(RecallLabError):
    """The answer is not of the kind asked for; the message says so to the learner."""


class NotANumber(Unreadable):
    """The answer is NaN, which may have been meant as None."""


@dataclass(frozen=True)
class Number:
    """A number as it was meant, and as it was typed.

    Parameters
    ----------
    value : the exact value.
    exact : False for decimals, which are compared within ``TOLERANCE``.
    typed : how to show it to the person who typed it.

    Examples
    --------
    >>> read_number("2/3").equals(Fraction(2, 3)), read_number(0.6667).equals(Fraction(2, 3))
    (True, True)
    >>> read_number(0.67).equals(Fraction(2, 3))
    False
    """

    value: Fraction
    exact: bool
    typed: str

    def equals(self, other: Fraction | int | None, tolerance: Fraction = TOLERANCE) -> bool:
        if other is None:
            return False
        return self.value == other if self.exact else abs(self.value - other) <= tolerance


def read_share(answer: object) -> Number:
    """A number where None is a possible answer, so that NaN may have been meant as None."""
    try:
        return read_number(answer)
    except NotANumber as problem:
        raise Unreadable(f"{problem} Where nothing exists to be found, write None.") from None


def is_blank(answer: object) -> bool:
    """Whether this is a place left open: ``...``, ``None``, ``NotImplemented`` or an empty text."""
    return (
        answer is ...
        or answer is None
        or answer is NotImplemented
        or (type(answer) is str and not answer.strip())
    )


def kind_of(answer: object) -> str:
    """The type in words, for a sentence.

    >>> kind_of([1]), kind_of(print), kind_of("b")
    ('a list', 'a function', 'a text')
    """
    if callable(answer) and not issubclass(type(answer), type):
        return "a function"
    name = shorten(type(answer).__name__, 40)
    words = {"ndarray": "an array", "str": "a text", "int": "a whole number", "float": "a decimal number"}
    if name in words:
        return words[name]
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def read_number(answer: object) -> Number:
    """One number, from any of its usual spellings.

    Raises
    ------
    Unreadable : with the sentence for the learner.

    Examples
    --------
    >>> read_number("75 %").value
    Fraction(3, 4)
    >>> read_number(True)
    Traceback (most recent call last):
    ...
    recall_lab.exercises.answers.Unreadable: That is True or False, a yes or no. A number is asked for.
    """
    answer = _without_numpy(answer)
    kind = type(answer)
    if issubclass(kind, bool):
        raise Unreadable("That is True or False, a yes or no. A number is asked for.")
    if issubclass(kind, int):
        return _exact(Fraction(int.__index__(answer)))  # type: ignore[arg-type]
    if issubclass(kind, float):
        return _decimal(float.__float__(answer))  # type: ignore[arg-type]
    if issubclass(kind, Fraction):
        return _exact(Fraction(*Fraction.as_integer_ratio(answer)))  # type: ignore[arg-type]
    if issubclass(kind, Decimal):
        return _decimal(math.nan if Decimal.is_nan(answer) else Decimal.__float__(answer))  # type: ignore[arg-type]
    if issubclass(kind, str):
        return _number_in_text(str.__str__(answer))
    if issubclass(kind, complex):
        raise Unreadable("That is a complex number. An ordinary one is asked for.")
    if callable(answer):
        raise Unreadable(
            "That is a function, not the number it returns. Call it, and hand over what comes back."
        )
    if issubclass(kind, tuple) and tuple.__len__(answer) == 2:  # type: ignore[arg-type]
        raise Unreadable("That is a pair of values. If you typed a decimal comma, write a point instead.")
    raise Unreadable(f"That is {kind_of(answer)}. One number is asked for.")


def _without_numpy(answer: object) -> object:
    """A numpy scalar, or an array of no dimension, as the Python number it holds."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return answer
    if issubclass(type(answer), numpy.ndarray) and answer.ndim == 0:  # type: ignore[attr-defined]
        answer = answer[()]  # type: ignore[index]
    kinds: list[tuple[Any, Callable[[Any], object]]] = [
        (numpy.bool_, bool),
        (numpy.integer, int),
        (numpy.floating, float),
    ]
    for numpy_kind, python_kind in kinds:
        if issubclass(type(answer), numpy_kind):
            return python_kind(answer)
    return answer


def _exact(value: Fraction) -> Number:
    exact = (
        value.denominator <= 10_000
    )  # beyond that it may be a decimal in disguise, as Fraction(0.6667) makes
    return Number(value, exact, str(value) if _is_short(value) else _rounded(value))


def _decimal(value: float) -> Number:
    if math.isnan(value):
        raise NotANumber("That is NaN, “not a number”. It often comes from dividing nothing by nothing.")
    if math.isinf(value):
        raise Unreadable("That is infinite. It often comes from dividing by nothing at all.")
    return Number(Fraction(value), False, _rounded(Fraction(value)))


def _is_short(value: Fraction) -> bool:
    return max(abs(value.numerator), value.denominator) < 10**7


def _rounded(value: Fraction) -> str:
    return f"{float(round(value, 4)):g}" if abs(value) < 10**6 else "A number that large"


def _number_in_text(text: str) -> Number:
    text = text.strip()
    percent = text.endswith("%")
    body = text[:-1].strip() if percent else text
    scale = Fraction(1, 100) if percent else Fraction(1)
    if len(body) > 60:
        raise Unreadable("That is a long text. One number is asked for.")
    if body.casefold() == "none":
        raise Unreadable("Leave off the quotes: None is a value, not a text.")
    if len(body) == 1:
        body = unicodedata.normalize("NFKC", body)  # ½ in one sign becomes 1⁄2
    body = body.replace("\N{FRACTION SLASH}", "/")
    if match := _FRACTION.fullmatch(body):
        top, bottom = int(match[1]), int(match[2])
        if bottom == 0:
            raise Unreadable("That divides by zero, which no number does.")
        return Number(Fraction(top, bottom) * scale, True, text)
    if _PLAIN.fullmatch(body):
        return Number(Fraction(body) * scale, body.lstrip("+-").isdigit() and not percent, text)
    if _PLAIN.fullmatch(body.replace(",", ".")):
        raise Unreadable(f"“{text}” has a decimal comma. Python reads a point.")
    raise Unreadable(
        f"“{shorten(text, 40)}” is a text I cannot read as a number. A fraction with a slash, or a "
        "decimal, is fine."
    )


def read_text(answer: object) -> str:
    """A text, as a built-in string."""
    if not issubclass(type(answer), str):
        raise Unreadable(f"That is {kind_of(answer)}. A text in quotes is asked for.")
    return str.__str__(answer)


def read_ids(answer: object, what: str = "ids") -> list[str]:
    """Ids in the order given, from a list, tuple, set, array, column or generator of texts.

    Examples
    --------
    >>> read_ids(d for d in ("d3", "d1"))
    ['d3', 'd1']
    """
    if issubclass(type(answer), (str, bytes)):
        raise Unreadable(f"That is one text. Put the {what} in a list, each in its own quotes.")
    items = read_items(answer, what)
    ids = []
    for item in items:
        if not issubclass(type(item), str):
            raise Unreadable(f"The {what} are texts; one of yours is {kind_of(item)}. Write each in quotes.")
        ids.append(str.__str__(item))
    return ids


def read_items(answer: object, what: str) -> list[Any]:
    """What a list, tuple, set, array, column or generator holds, whatever that is.

    Examples
    --------
    >>> read_items((3, 1), "numbers")
    [3, 1]
    """

    def collect() -> list[Any]:
        return list(islice(iter(answer), _LONGEST + 1))  # type: ignore[call-overload]

    if not hasattr(type(answer), "__iter__"):
        raise Unreadable(f"That is {kind_of(answer)}. A list of {what} is asked for.")
    outcome = sandbox.run(collect)
    if outcome.fault == "endless" or (not outcome.fault and len(outcome.value) > _LONGEST):
        raise Unreadable(f"Reading your {what} does not come to an end.")
    if outcome.fault:
        raise Unreadable(f"Reading your {what} failed with {outcome.error}.")
    return outcome.value


class _Pairs:
    """The items of a mapping, asked for only when they are read."""

    def __init__(self, mapping: Any) -> None:
        self._mapping = mapping

    def __iter__(self) -> Any:
        return iter(self._mapping.items())


def read_mapping(answer: object, what: str = "values") -> dict[str, Any]:
    """Values by name, from a dict, a pandas Series or a list of pairs.

    In a pandas column a missing value comes back as None, as pandas has no other way to hold it.

    Examples
    --------
    >>> read_mapping([("q1", 1), ("q2", None)])
    {'q1': 1, 'q2': None}
    """
    pandas: Any = sys.modules.get("pandas")
    if pandas is not None and issubclass(type(answer), pandas.DataFrame):
        raise Unreadable("That is a table. Hand over the one column that is asked for.")
    column = pandas is not None and issubclass(type(answer), pandas.Series)
    if column:
        pairs: Iterable[Any] = read_items(pandas.Series.items(answer), what)
    elif issubclass(type(answer), Mapping):
        pairs = read_items(_Pairs(answer), what)
    elif issubclass(type(answer), (list, tuple)):
        pairs = read_items(answer, what)
    else:
        raise Unreadable(f"That is {kind_of(answer)}. A dict with a value for each name is asked for.")
    read = {}
    for pair in pairs:
        if not issubclass(type(pair), tuple) or len(pair) != 2 or not issubclass(type(pair[0]), str):
            raise Unreadable(
                f"Your {what} have no names I can read. A dict with a value for each name is asked for."
            )
        name, value = pair
        missing = column and issubclass(type(value), float) and value != value
        read[str.__str__(name)] = None if missing or (column and value is pandas.NA) else value
    return read
