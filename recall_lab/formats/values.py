"""The grammar of single values: ids, grades, scores, ranks. Every reader takes them from here."""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import Any

LARGEST_GRADE = 1_000_000

_CONTROL = re.compile(r"[\x00-\x1f]")
_FIELDS = re.compile(r"[^ \t]+")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_WHOLE_AS_DECIMAL = re.compile(r"([+-]?[0-9]+)\.0*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


class BadValue(Exception):
    """Something on a line cannot be read; the reader adds the file and the line."""

    def __init__(self, problem: str, hint: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint


def split_fields(text: str) -> list[str]:
    """The fields of a line that spaces or tabs set apart, and nothing else: ids may hold any letter.

    >>> split_fields(" q1  Q0\\td\\u00a01 ")
    ['q1', 'Q0', 'd\\xa01']
    """
    return _FIELDS.findall(text)


def refuse_control_characters(text: str) -> None:
    """No control character may stand in ``text``; a tab that separates fields is not part of it.

    >>> refuse_control_characters("d\\x0b1")
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: the control character U+000B
    """
    found = _CONTROL.search(text)
    if found:
        raise BadValue(f"the control character U+{ord(found[0]):04X}", "remove it from the file")


def check_id(text: str, what: str) -> str:
    """An id is a text of at least one character and without control characters; it is never changed.

    >>> check_id("NA", "document")
    'NA'
    """
    if not text:
        raise BadValue(f"the {what} id is empty", "give every query and every document an id")
    if not text.isprintable():  # the fast question first; only then the exact one
        refuse_control_characters(text)
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise BadValue(f"the {what} id holds half a character (an unpaired surrogate)", "repair the id")
    return text


def read_grade(text: str) -> tuple[int, bool]:
    """A grade, and whether it was written as a decimal (``1.0``).

    >>> read_grade("2"), read_grade("1.0"), read_grade("-1")
    ((2, False), (1, True), (-1, False))
    >>> read_grade("0.5")
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: the grade '0.5' is not a whole number
    """
    as_decimal = _WHOLE_AS_DECIMAL.fullmatch(text)
    digits = as_decimal[1] if as_decimal else text
    if not _WHOLE.fullmatch(digits):
        raise BadValue(
            f"the grade {_shown(text)} is not a whole number",
            "grades are whole numbers such as 0, 1 or 2; map shares of relevance to whole grades first",
        )
    size = digits.lstrip("+-").lstrip("0") or "0"
    if len(size) > 7 or int(size) > LARGEST_GRADE:
        raise BadValue(
            f"{_shown(text)} is too large for a grade (at most {LARGEST_GRADE:,})",
            "is it an id? A judgment line holds query, iteration, document and grade (TREC), "
            "or query, document and grade set apart by tabs (BEIR)",
        )
    return (-int(size) if digits.startswith("-") else int(size)), as_decimal is not None


def whole_grade(grade: Any) -> int | None:
    """The grade that a number given in Python is; ``None`` if it is no whole number within bounds.

    A number type does not matter, its value does: ``2.0`` is 2. ``True`` is an answer, not a grade.

    >>> whole_grade(2.0), whole_grade(0.5), whole_grade(True), whole_grade("2")
    (2, None, None, None)
    """
    if type(grade) is int:  # nearly always; asking an abstract class takes ten times as long
        return grade if abs(grade) <= LARGEST_GRADE else None
    is_number = isinstance(grade, Real) and not isinstance(grade, bool)
    if not is_number or not abs(grade) <= LARGEST_GRADE or grade != int(grade):
        return None
    return int(grade)


def read_score(text: str) -> float:
    """A score: a finite decimal number.

    >>> read_score("1e2"), read_score("-.5")
    (100.0, -0.5)
    >>> read_score("nan")
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: the score is not a number: 'nan'
    """
    if not _NUMBER.fullmatch(text):
        lowered = text.lstrip("+-").lower()
        if lowered in ("inf", "infinity"):
            raise BadValue("the score is infinite", "drop the line, or write a finite score")
        if lowered == "nan":
            raise BadValue(
                f"the score is not a number: {_shown(text)}",
                "NaN has no place in a ranking; repair the system",
            )
        if _DECIMAL_COMMA.fullmatch(text):
            raise BadValue(f"the score {_shown(text)} has a decimal comma", "write a point: 0.5")
        raise BadValue(
            f"the score {_shown(text)} is not a decimal number", "write it like 12.5, -0.5 or 1e-3"
        )
    score = float(text)
    if math.isinf(score):
        raise BadValue(f"the score {_shown(text)} is too large for a number", "scale the scores")
    return score


def read_rank(text: str) -> float:
    """A rank, which never decides but has to be a number, or else the columns have slipped.

    >>> read_rank("3")
    3.0
    """
    if not _NUMBER.fullmatch(text) or math.isinf(rank := float(text)):
        raise BadValue(
            f"the rank {_shown(text)} is not a number",
            "is there a space inside an id? The columns are query, Q0, document, rank, score, tag",
        )
    return rank


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
