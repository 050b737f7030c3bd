"""The fast way through a block of a run or of judgments: numpy instead of a loop over lines.

It takes only blocks it can prove clean and answers ``None`` for the others, which then go through the
line reader. Clean means: every line has exactly the expected fields, one separator between two of them, no
comment, no quote, no blank line, no control character, finite numbers. There both ways give the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from recall_lab.formats.rows import Rows
from recall_lab.formats.text import Block
from recall_lab.formats.values import BadValue, read_grade

_LONGEST_FIELD = 255
_NEWLINE = ord("\n")
_ODD = np.uint64(0x9E3779B97F4A7C15)  # spreads bits: 2^64 divided by the golden ratio
_POWERS_OF_TEN = np.array([float(f"1e{exponent}") for exponent in range(23)])
_IN_A_NUMBER = np.zeros(256, dtype=bool)
_IN_A_NUMBER[list(b"\0+-.0123456789Ee")] = True  # NUL fills up the fixed width


@dataclass(frozen=True)
class FieldPlan:
    """Where the fields of a line are.

    Parameters
    ----------
    count : fields on a line.
    separators : the bytes that may stand between two fields.
    query, document, score : positions of the fields, from 0; of judgments, ``score`` is the grade.
    rank : the rank's position, or ``None`` where there is none.
    """

    count: int
    separators: bytes
    query: int
    document: int
    score: int
    rank: int | None


def fast_rows(block: Block, plan: FieldPlan) -> Rows | None:
    """The rows of a block, or ``None`` if it cannot be proved clean."""
    data = block.data
    if b'"' in data or holds_invisible(data):
        return None
    bytes_ = np.frombuffer(data + bytes(_LONGEST_FIELD), dtype=np.uint8)
    ends = _field_ends(bytes_[: len(data)], plan)
    if ends is None:
        return None
    queries = _field(bytes_, ends, plan.query)
    documents = _field(bytes_, ends, plan.document)
    scores = _numbers(_field(bytes_, ends, plan.score))
    ranks = None if plan.rank is None else _numbers(_field(bytes_, ends, plan.rank))
    if queries is None or documents is None or scores is None or (ranks is None and plan.rank is not None):
        return None
    changes = np.flatnonzero(queries[1:] != queries[:-1]) + 1
    borders = np.concatenate([[0], changes, [len(queries)]])
    names = [query.decode() for query in queries[borders[:-1]].tolist()]
    if holds_comment(data, plan, names):
        return None
    counts = np.diff(borders)
    ids = _cut(documents, borders)
    return Rows(
        names,
        counts.tolist(),
        ids,
        _repeats(documents, counts, ids),
        scores,
        ranks,
        range(block.first_line, block.first_line + block.lines),
    )


def _cut(documents: NDArray[np.bytes_], borders: NDArray[np.int64]) -> list[str]:
    """The documents of each stretch joined by ``"\\n"``. No string is made of a single document."""
    width = documents.itemsize
    letters = np.full((len(documents), width + 1), _NEWLINE, dtype=np.uint8)
    letters[:, :width] = documents.view(np.uint8).reshape(-1, width)
    joined = letters[letters != 0]  # without what fills up the fixed width
    ends = (np.flatnonzero(joined == _NEWLINE)[borders[1:] - 1] + 1).tolist()
    joined = joined.tobytes()
    return [joined[begin : end - 1].decode() for begin, end in pairwise([0, *ends])]


def _repeats(documents: NDArray[np.bytes_], counts: NDArray[np.int64], ids: list[str]) -> list[bool]:
    """Whether a stretch holds a document twice. Only where two hashes are equal are the ids compared."""
    words = _in_words(documents)
    # Spread first: a small number would only change the first letter, and numbers as ids would often agree.
    hashed = np.repeat(np.arange(len(counts), dtype=np.uint64) * _ODD, counts)
    for word in words:
        hashed ^= word
        hashed *= _ODD
        hashed ^= hashed >> np.uint64(32)
    hashed.sort()
    if not (hashed[1:] == hashed[:-1]).any():
        return [False] * len(counts)
    return [len(set(joined.split("\n"))) < count for joined, count in zip(ids, counts, strict=True)]


def _in_words(texts: NDArray[np.bytes_]) -> NDArray[np.uint64]:
    """The bytes of each text as 64-bit numbers, one row for each eight bytes."""
    width = texts.itemsize + -texts.itemsize % 8
    return np.ascontiguousarray(texts.astype(f"S{width}").view(np.uint64).reshape(len(texts), -1).T)


def fast_judgments(block: Block, plan: FieldPlan) -> Iterator[tuple[str, str, int]] | None:
    """Query, document and grade of every line of a block, or ``None`` if it cannot be proved clean."""
    data = block.data
    if (
        b'"' in data
        or holds_invisible(data)
        or _field_ends(np.frombuffer(data, dtype=np.uint8), plan) is None
    ):
        return None
    text = data.decode()
    for separator in plan.separators:
        text = text.replace(chr(separator), "\n")
    fields = text.removesuffix("\n").split("\n")
    queries, documents, grades = (
        fields[position :: plan.count] for position in (plan.query, plan.document, plan.score)
    )
    if holds_comment(data, plan, set(queries)):
        return None
    known: dict[str, int] = {}
    for written in set(grades):
        try:
            known[written], as_decimal = read_grade(written)
        except BadValue:
            return None
        if as_decimal:
            return None
    return zip(queries, documents, map(known.__getitem__, grades), strict=True)


def holds_invisible(data: bytes) -> bool:
    """Whether a character is one that nobody can see: a no-break space, for instance, to be reported."""
    if data.isascii():
        return b"\x7f" in data
    return not data.decode().replace("\n", "").replace("\t", "").isprintable()


def holds_comment(data: bytes, plan: FieldPlan, queries: Iterable[str]) -> bool:
    """Whether a line begins with ``#``. Where a line begins with its query, a look at these is enough."""
    if plan.query == 0:
        return any(query.startswith("#") for query in queries)
    return data.startswith(b"#") or b"\n#" in data


def _field_ends(bytes_: NDArray[np.uint8], plan: FieldPlan) -> NDArray[np.int64] | None:
    """The place of the byte after each field, one row per line; ``None`` if a line differs from the plan."""
    breaks = bytes_ <= ord(" ")
    for separator in plan.separators:
        if separator > ord(" "):
            breaks |= bytes_ == separator
    if breaks[0] or (breaks[1:] & breaks[:-1]).any():
        return None  # an empty field, or two separators side by side
    places = np.flatnonzero(breaks)
    if len(places) % plan.count:
        return None  # a field too many or too few
    found = bytes_[places].reshape(-1, plan.count)
    between = found[:, :-1]
    allowed = between == plan.separators[0]
    for separator in plan.separators[1:]:
        allowed |= between == separator
    clean = allowed.all() and (found[:, -1] == _NEWLINE).all()
    return places.reshape(-1, plan.count) if clean else None


def _field(bytes_: NDArray[np.uint8], ends: NDArray[np.int64], position: int) -> NDArray[np.bytes_] | None:
    """One field of every line as an array of bytes of fixed width."""
    if position > 0:
        begins = ends[:, position - 1] + 1
    else:
        begins = np.concatenate([[0], ends[:-1, -1] + 1])
    lengths = ends[:, position] - begins
    width = int(lengths.max())
    if width > _LONGEST_FIELD:
        return None
    # A window of `width` bytes begins at every byte of the block; nothing is copied until some are picked.
    windows = np.ndarray((len(bytes_) - width + 1,), dtype=f"V{width}", buffer=bytes_, strides=(1,))
    picked = windows[begins]
    if lengths.min() < width:
        letters = picked.view(np.uint8).reshape(-1, width)
        letters *= np.arange(width) < lengths[:, None]  # what lies beyond a shorter field becomes NUL
    return picked.view(f"S{width}")


def _numbers(texts: NDArray[np.bytes_] | None) -> NDArray[np.float64] | None:
    """The numbers that ``texts`` are, as Python's ``float`` reads them; ``None`` if one is none."""
    if texts is None:
        return None
    letters = texts.view(np.uint8).reshape(len(texts), -1)
    numbers, sure = _plain_decimals(letters)
    if not sure.all():
        doubtful = texts[~sure]
        if not _IN_A_NUMBER[letters[~sure]].all():
            return None
        try:
            numbers[~sure] = doubtful.astype(np.float64)
        except ValueError:
            return None
        if not np.isfinite(numbers).all():
            return None
    return numbers


def _plain_decimals(letters: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Numbers of digits with at most one point between them, and which of them are surely right.

    All digits together make a whole number; divided by a power of ten it is the number. The division rounds
    once, as ``float`` does, while both are exact: below 2**53, and up to 10**22.
    """
    whole = np.zeros(len(letters))
    decimals = np.zeros(len(letters), dtype=np.uint8)
    points = np.zeros(len(letters), dtype=np.uint8)
    others = np.zeros(len(letters), dtype=bool)
    for letter in np.ascontiguousarray(letters.T):
        digit = letter - np.uint8(ord("0"))  # wraps around below "0", to more than 9
        is_digit = digit < 10
        is_point = letter == ord(".")
        whole = np.where(is_digit, whole * 10 + digit, whole)
        decimals += points & is_digit
        points += is_point
        others |= ~(is_digit | is_point | (letter == 0))
    starts_with_digit = letters[:, 0] - np.uint8(ord("0")) < 10
    sure = starts_with_digit & ~others & (points <= 1) & (whole < 2**53) & (decimals <= 22)
    return whole / _POWERS_OF_TEN[np.minimum(decimals, 22)], sure
