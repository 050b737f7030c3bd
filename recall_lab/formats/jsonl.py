"""JSON lines: one object per line.

Nothing is guessed: a repeated key, a number out of place, a text where a list should be are errors.
"""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from typing import Any

from recall_lab.errors import shorten
from recall_lab.formats.text import TextFile
from recall_lab.formats.values import BadValue, check_id

_BEGINNING = re.compile(r"""[ \t]*(?:\{|\[[ \t]*(?:["{\[\]]|$))""")


class JsonNumber(str):
    """A number as it was written, so that ``10`` taken as an id is the text ``"10"`` and nothing else."""

    __slots__ = ()


def read_object(text: str) -> dict[str, Any]:
    """The object on one line.

    >>> read_object('{"query_id": "q1", "relevant_ids": ["d1"]}')
    {'query_id': 'q1', 'relevant_ids': ['d1']}
    >>> read_object('{"query_id": "q1"},')
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: not one JSON object per line: Extra data at column 19
    """
    try:
        found = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise BadValue(
            f"not one JSON object per line: {problem.msg} at column {problem.colno}", _ONE_OBJECT
        ) from None
    except RecursionError:
        raise BadValue("not one JSON object per line: nested too deeply", _ONE_OBJECT) from None
    if not isinstance(found, dict):
        raise BadValue(f"not one JSON object per line: {_kind(found)} instead of an object", _ONE_OBJECT)
    return found


def looks_like_json(text: str) -> bool:
    """Whether a line begins as JSON does; a query may well be called ``[1]``.

    >>> looks_like_json('{"query_id": "q1"}'), looks_like_json("[{"), looks_like_json("[1] 0 d1 1")
    (True, True, False)
    """
    return _BEGINNING.match(text) is not None


def field(record: dict[str, Any], *names: str) -> Any:
    """The value of the first of ``names`` that the object has.

    >>> field({"query_id": "q1"}, "relevant_ids")
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: no "relevant_ids" in this object, which has: query_id
    """
    for name in names:
        if name in record:
            return record[name]
    close = difflib.get_close_matches(names[0], record, n=1)
    raise BadValue(
        f'no "{names[0]}" in this object, which has: {", ".join(list(record)[:8]) or "nothing"}',
        f'did you mean "{names[0]}" where it says "{close[0]}"?' if close else f'give it a "{names[0]}"',
    )


def read_id(file: TextFile, line: int, value: Any, what: str) -> str:
    """The id that a value is; numbers taken as ids are counted."""
    if isinstance(value, JsonNumber):
        file.count("numbers-as-ids", "numbers taken as ids, as the text they are written as", line, value)
    return file.note_id(as_id(value, what), line)


def plain(value: Any) -> Any:
    """A value with its numbers as numbers, to be kept and written again.

    >>> plain({"year": JsonNumber("1999"), "tags": ["a", JsonNumber("0.5")]})
    {'year': 1999, 'tags': ['a', 0.5]}
    """
    try:
        return _plain(value)
    except ValueError:
        raise BadValue("a number of thousands of digits", "write it as text") from None
    except RecursionError:
        raise BadValue("not one JSON object per line: nested too deeply", _ONE_OBJECT) from None


def _plain(value: Any) -> Any:
    if isinstance(value, JsonNumber):
        return json.loads(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def note_keys(file: TextFile, line: int, record: dict[str, Any], used: set[str]) -> None:
    """Count the keys of an object that nobody reads."""
    for key in record.keys() - used:
        file.count("columns-ignored", f'objects with a key that is not read, "{shorten(key, 40)}"', line)


def as_id(value: Any, what: str) -> str:
    """An id: a text, or a whole number taken as the text it is written as.

    >>> as_id("001", "document"), as_id(JsonNumber("1"), "document")
    ('001', '1')
    >>> as_id(None, "document")
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: the document id is null, not a text
    """
    if isinstance(value, JsonNumber):
        if not value.lstrip("-").isdecimal():
            raise BadValue(
                f"the {what} id is the number {value[:40]}, not a text", f'write it as text: "{value[:40]}"'
            )
        return str(value)
    if not isinstance(value, str):
        raise BadValue(f"the {what} id is {_kind(value)}, not a text", 'write ids as text: "d1"')
    return check_id(value, what)


def as_ids(value: Any, name: str) -> list[Any]:
    """A list, which is never made out of a text.

    >>> as_ids("d1,d2", "relevant_ids")
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: "relevant_ids" is one text, not a list of ids
    """
    if isinstance(value, list):
        return value
    if isinstance(value, str) and not isinstance(value, JsonNumber):
        parts = json.dumps([part for part in value.replace(",", " ").replace("|", " ").split()][:5])
        raise BadValue(f'"{name}" is one text, not a list of ids', f"write {parts}")
    raise BadValue(f'"{name}" is {_kind(value)}, not a list of ids', 'write a list: ["d1", "d2"]')


def as_text(value: Any, name: str) -> str:
    """A text that may be empty.

    >>> as_text(JsonNumber("3"), "text")
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: "text" is a number, not a text
    """
    if isinstance(value, JsonNumber) or not isinstance(value, str):
        raise BadValue(f'"{name}" is {_kind(value)}, not a text', "put it in quotes")
    if not value.isprintable() and any("\ud800" <= character <= "\udfff" for character in value):
        raise BadValue(f'"{name}" holds half a character (an unpaired surrogate)', "repair the text")
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values, for ``object_pairs_hook``.

    >>> unique_keys([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    recall_lab.formats.values.BadValue: the key "a" stands twice in one object
    """
    record = dict(pairs)
    if len(record) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise BadValue(f'the key "{twice}" stands twice in one object', "keep one of them")
    return record


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, JsonNumber):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "an object"


_ONE_OBJECT = 'write each object on one line of its own, without a comma after it: {"…": "…"}'
_DECODER = json.JSONDecoder(
    object_pairs_hook=unique_keys, parse_int=JsonNumber, parse_float=JsonNumber, parse_constant=JsonNumber
)
