"""Ids of queries and documents: text, compared exactly.

``"001"``, ``"1"``, ``"NA"`` and ``"None"`` are four different ids. Whole numbers work among themselves; a
number against a text is found out and named, because it would silently match nothing. This module also
explains why two sets of ids that should match do not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping, Set
from numbers import Integral
from typing import Any

from recall_lab.errors import RecallLabError, shorten


def as_ranking(ids: Iterable[Any], name: str) -> list[Any]:
    """A list of ids in rank order, refusing what has no order or is not a collection of ids.

    Parameters
    ----------
    ids : ids in rank order; any iterable but a text, a dict or a set.
    name : what to call it in an error.

    Raises
    ------
    RecallLabError : a text, dict or set was given, or something that is no iterable.

    Examples
    --------
    >>> as_ranking((d for d in ("d3", "d1")), "retrieved_ids")
    ['d3', 'd1']
    >>> as_ranking("d3,d1", "retrieved_ids")
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: retrieved_ids is the text 'd3,d1', not a list of ids; write ['d3', 'd1']
    """
    if isinstance(ids, Mapping):
        raise RecallLabError(
            f"{name} is a dict, which is not a ranked list; "
            "sort its ids by score first: sorted(scores, key=scores.get, reverse=True)"
        )
    if isinstance(ids, Set):
        raise RecallLabError(f"{name} is a set, which has no order; give a list, best result first")
    return list(_iterable_of_ids(ids, name))


def as_id_set(ids: Iterable[Any], name: str) -> set[Any]:
    """The distinct ids of a collection, refusing a text and a dict of grades.

    Parameters
    ----------
    ids : ids in any order; any iterable but a text or a dict.
    name : what to call it in an error.

    Raises
    ------
    RecallLabError : a text or a dict was given, or something that is no iterable.

    Examples
    --------
    >>> sorted(as_id_set(["d1", "d2", "d1"], "relevant_ids"))
    ['d1', 'd2']
    """
    if isinstance(ids, Mapping):
        raise RecallLabError(
            f"{name} is a dict; say which of its ids you mean, "
            "for instance {doc for doc, grade in grades.items() if grade >= 1}"
        )
    given = list(_iterable_of_ids(ids, name))
    try:
        return set(given)
    except TypeError:  # a list or a dict among them
        check_ids(given, name)
        raise


def _iterable_of_ids(ids: Iterable[Any], name: str) -> Iterable[Any]:
    if isinstance(ids, str | bytes | bytearray):
        text = ids if isinstance(ids, str) else ids.decode(errors="replace")
        parts = text.replace(",", " ").replace("|", " ").split()
        raise RecallLabError(f"{name} is the text {shorten(text)!r}, not a list of ids; write {parts[:5]}")
    dimensions = getattr(ids, "ndim", None)
    if not isinstance(ids, Iterable) or dimensions == 0:
        raise RecallLabError(f"{name} is {ids!r}, not a list of ids")
    if hasattr(ids, "keys") and dimensions != 1:
        # A table would give the names of its columns and a run its queries, which match nothing.
        raise RecallLabError(
            f"{name} is a {type(ids).__name__}, not a list of ids; "
            'give one column of a table, table["doc_id"], or the ranking of one query, run["q1"]'
        )
    return ids


def check_name(name: Any) -> str:
    """What a run or a dataset is called.

    >>> check_name(7)
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: name is a text, not 7 (int)
    """
    if not isinstance(name, str):
        raise RecallLabError(f"name is a text, not {shorten(repr(name))} ({type(name).__name__})")
    return name


def table_way_out(given: Any, number: str) -> str:
    """How a pandas table with a row for each document becomes a dict; the empty text if it is none.

    Parameters
    ----------
    given : what was given where a dict of dicts was expected.
    number : the column of the numbers: ``"grade"`` or ``"score"``.
    """
    if not hasattr(given, "groupby"):
        return ""
    return (
        f'; a table becomes one so: {{query: dict(zip(rows["doc_id"], rows["{number}"])) '
        'for query, rows in table.groupby("query_id")}'
    )


def check_first_id(ids: Any, name: str) -> None:
    """Refuse what is read as a collection of ids and holds something else; only the first one is looked at.

    Raises
    ------
    RecallLabError : a pandas Series or DataFrame, pairs of an id and a number, records, or other non-ids.

    Examples
    --------
    >>> check_first_id([("a", 0.9), ("b", 0.8)], "the results")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: the results begin with ('a', 0.9), which is not an id; ...
    """
    if hasattr(ids, "to_dict"):
        raise RecallLabError(
            f"{name} are a pandas {type(ids).__name__}; "
            "write .to_dict() where its index holds the ids, .tolist() where its values do"
        )
    _check_id(next(iter(ids), ""), name, "begin with")


def check_ids(ids: Any, name: str) -> None:
    """As `check_first_id`, for every id: few types are looked at, however many ids there are.

    Raises
    ------
    RecallLabError : one of them is no id.

    Examples
    --------
    >>> check_ids(["a", "b", None], "the results")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: the results: an id is a text or a whole number, not None ...
    """
    check_first_id(ids, name)
    unusual = set(map(type, ids)) - {str, int}
    if unusual:
        for id_ in ids:
            if type(id_) in unusual:
                _check_id(id_, name, "hold")


def _check_id(id_: Any, name: str, verb: str) -> None:
    if isinstance(id_, Mapping):
        key = next(iter(id_), "id")
        way_out = f"give the ids: [each[{key!r}] for each in results]"
    elif isinstance(id_, Iterable) and not isinstance(id_, str | bytes):
        way_out = "write dict(pairs) to keep the numbers, or [doc for doc, _ in pairs]"
    else:
        try:
            kind_of(id_)
        except RecallLabError as error:
            raise RecallLabError(f"{name}: {error}") from None
        return
    raise RecallLabError(f"{name} {verb} {shorten(repr(id_))}, which is not an id; {way_out}")


def known(id_: Any, ids: Container[Any]) -> bool:
    """Whether an id is among others; what cannot be hashed is no id and is among none.

    >>> known("q1", {"q1": 1}), known(["q1"], {"q1": 1})
    (True, False)
    """
    try:
        return id_ in ids
    except TypeError:
        return False


def kind_of(id_: object) -> str:
    """``"text"`` or ``"number"``; any other kind of id is refused.

    Raises
    ------
    RecallLabError : the id is neither a text nor a whole number (a float, ``None``, ``True``, bytes …).

    Examples
    --------
    >>> kind_of("7"), kind_of(7)
    ('text', 'number')
    >>> kind_of(7.0)
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: an id is a text or a whole number, not 7.0 (float); write '7'
    """
    if isinstance(id_, str):
        return "text"
    if isinstance(id_, Integral) and not isinstance(id_, bool):
        return "number"
    text = id_.decode(errors="replace") if isinstance(id_, bytes) else str(id_).removesuffix(".0")
    raise RecallLabError(
        f"an id is a text or a whole number, not {id_!r} ({type(id_).__name__}); write {text!r}"
    )


def check_one_kind(first: Iterable[Any], second: Iterable[Any], first_name: str, second_name: str) -> None:
    """Refuse two collections of ids that mix texts and numbers, so that ``7`` never misses ``"7"`` unseen.

    Raises
    ------
    RecallLabError : one id is a text and another one a number.

    Examples
    --------
    >>> check_one_kind(["7"], {7}, "retrieved_ids", "relevant_ids")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: ids of two kinds: the text '7' in retrieved_ids and the number 7 in ...
    """
    seen: dict[str, tuple[object, str]] = {}
    for ids, name in ((first, first_name), (second, second_name)):
        for id_ in ids:
            seen.setdefault(kind_of(id_), (id_, name))
    if len(seen) == 2:
        (text, text_name), (number, number_name) = seen["text"], seen["number"]
        raise RecallLabError(
            f"ids of two kinds: the text {str(text)!r} in {text_name} and the number {number} in "
            f"{number_name} never match; make all of them text with str()"
        )


def other_kind(id_: Any) -> Any:
    """The same id as the other kind: ``"7"`` for ``7`` and ``7`` for ``"7"``; ``None`` where there is none.

    >>> other_kind(7), other_kind("7"), other_kind("007"), other_kind("d7")
    ('7', 7, None, None)
    """
    if not isinstance(id_, str):
        return str(id_)
    if len(id_) > 18 or not id_.isdecimal():  # longer numbers are no ids, and slow to convert
        return None
    return int(id_) if id_ == str(int(id_)) else None


def kinds_differ(what: str, in_judgments: object, in_run: object) -> RecallLabError:
    """The error for an id that is a text in one place and a number in the other.

    >>> print(kinds_differ("a query", "7", 7))
    a query is '7' (str) in the judgments and 7 (int) in the run; ids are compared exactly: use str() on all
    """
    judged, found = (f"{id_!r} ({type(id_).__name__})" for id_ in (in_judgments, in_run))
    return RecallLabError(
        f"{what} is {judged} in the judgments and {found} in the run; "
        "ids are compared exactly: use str() on all"
    )


_LOOK_ALIKES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("one is a text and the other a number", lambda text: text),
    ("spaces around the id or a byte order mark", lambda text: text.strip().strip("\ufeff")),
    ("upper and lower case", str.casefold),
    ("leading zeros", lambda text: text.lstrip("0") or "0"),
    ("a number written as a decimal, as spreadsheets do", lambda text: text.removesuffix(".0")),
    ("letters written in another Unicode form", lambda text: unicodedata.normalize("NFC", text)),
    ("a folder or file ending", lambda text: text.replace("\\", "/").rsplit("/", 1)[-1].split(".", 1)[0]),
)


def look_alike(wanted: Iterable[Any], available: Iterable[Any]) -> str | None:
    """In what the ids of two collections differ, where some of them look alike; ``None`` where none do.

    Parameters
    ----------
    wanted, available : two collections of ids that have none in common.

    Examples
    --------
    >>> look_alike(["007", "008"], ["7", "8"])
    "'007' and '7' differ in leading zeros"
    >>> look_alike([7], ["7"])
    "7 and '7' differ: one is a text and the other a number"
    """
    wanted, available = list(wanted), list(available)
    for difference, plain in _LOOK_ALIKES:
        plain_available = {plain(str(id_)): id_ for id_ in available}
        for id_ in wanted:
            twin = plain_available.get(plain(str(id_)))
            if twin is not None and twin != id_:
                joint = ":" if difference.startswith("one is") else " in"
                return f"{id_!r} and {twin!r} differ{joint} {difference}"
    return None
