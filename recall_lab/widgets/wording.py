"""Numbers and texts as the views write them, so that a picture and its text alternative say the same."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from itertools import takewhile

from recall_lab.errors import shorten

UNDEFINED = "undefined"


def decimal(value: float) -> str:
    """A fraction between 0 and 1 the way the lessons write it: two to four digits, without the leading zero.

    Four digits are shown where they are exact, three where the rest is cut off.

    >>> [decimal(x) for x in (0, 0.5, 0.375, 0.8125, 1 / 3, 1)]
    ['0', '.50', '.375', '.8125', '.333', '1']
    """
    if value == round(value):
        return str(int(value))
    digits = f"{value:.4f}" if is_short(value) else f"{value:.3f}"
    while is_short(value) and digits.endswith("0") and len(digits.rpartition(".")[2]) > 2:
        digits = digits[:-1]
    return digits.replace("0.", ".", 1)


def is_short(value: float) -> bool:
    """Whether four digits after the point write ``value`` exactly.

    >>> is_short(0.8125), is_short(2 / 3)
    (True, False)
    """
    return abs(value * 10_000 - round(value * 10_000)) < 1e-8


def equals(value: float | None) -> str:
    """``"= .50"`` where the digits are exact, ``"≈ .333"`` where they are rounded, or ``"undefined"``.

    >>> equals(0.5), equals(1 / 3), equals(None)
    ('= .50', '≈ .333', 'undefined')
    """
    if value is None:
        return UNDEFINED
    return f"{'=' if is_short(value) else '≈'} {decimal(value)}"


def about(value: float | None) -> str:
    """A number that stands alone: ``".50"`` where the digits are exact, ``"≈ .333"`` where they are rounded.

    Shares below .001 keep two digits that matter, so that they are not told as 0.

    >>> about(0.5), about(1 / 3), about(1.136e-6), about(None)
    ('.50', '≈ .333', '≈ .0000011', 'undefined')
    """
    if value is not None and 0 < value < 0.001:
        places = 1 - math.floor(math.log10(value))
        return f"≈ {value:.{places}f}".replace("0.", ".", 1)
    return equals(value).removeprefix("= ")


def count(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> count(1, "passage"), count(0, "passage"), count(2, "query", "queries")
    ('1 passage', '0 passages', '2 queries')
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def plain(text: object, limit: int) -> str:
    """Text from data, made fit to be shown: one line, no control characters, at most ``limit`` characters.

    Markup stays as it is; the page shows it as text. Direction marks stay too; the page isolates each text.

    >>> plain("two\\nlines\\x00 of <b>text</b>", 40)
    'two lines of <b>text</b>'
    >>> plain("a" * 50, 10)
    'aaaaaaaaa…'
    """
    # Looking a little past the limit is enough, and keeps a 100 kB word cheap.
    head = str(text)[: limit * 4]
    kept = (c for c in head if c.isspace() or unicodedata.category(c) not in _UNFIT)
    line = " ".join("".join(kept).split())
    return shorten(line + ("…" if len(str(text)) > len(head) else ""), limit)


def short_names(names: Iterable[object], limit: int) -> list[str]:
    """Names as :func:`plain` writes them, and still told apart where they begin alike.

    >>> short_names(["bm25", "vectors"], 10)
    ['bm25', 'vectors']
    >>> short_names(["experiment-2026-a", "experiment-2026-b"], 10)
    ['…2026-a', '…2026-b']
    """
    whole = [plain(name, 10_000) for name in names]
    short = [plain(name, limit) for name in whole]
    if len(set(short)) < len(set(whole)):
        alike = len(list(takewhile(lambda letters: len(set(letters)) == 1, zip(*whole, strict=False))))
        short = ["…" + plain(name[max(alike - limit // 2, 0) :], limit - 1) for name in whole]
    if len(set(short)) < len(short):  # they differ in what cannot be shown
        short = [f"{name} ({i})" for i, name in enumerate(short, 1)]
    return short


_UNFIT = {"Cc", "Cs"}  # control characters and halves of surrogate pairs
