"""Where some ids stand in a long list of ids that is kept as one text."""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress

import numpy as np

_WORD = np.dtype("<u8")  # the last eight bytes of an id as one number; the very last is the highest
_LINE_END = ord("\n")
_PADDING = b"\n" * _WORD.itemsize

LONG_LIST = 200
"""From this many ids on, comparing numbers is quicker than making a text of each id."""
FEW_WANTED = 64


def places_of(wanted: Collection[str], joined: str) -> dict[str, int]:
    """The places, from 0, of those ``wanted`` ids that a list of ids joined by ``"\\n"`` holds.

    Parameters
    ----------
    wanted : distinct ids; a dict or a set, so that it is quick to ask whether it has one.
    joined : a list that is not empty, without repeats.

    Examples
    --------
    >>> places_of({"d7", "d9"}, "d3\\nd7\\nd1")
    {'d7': 1}
    """
    if len(wanted) > FEW_WANTED or joined.count("\n") < LONG_LIST:
        ids = joined.split("\n")
        places = compress(range(len(ids)), map(wanted.__contains__, ids))  # faster than a loop
        return {ids[place]: place for place in places}
    return _by_last_bytes(wanted, joined)


def _by_last_bytes(wanted: Collection[str], joined: str) -> dict[str, int]:
    """Compare the last eight bytes of all ids at once, and in full only the ids that agree in them.

    No text is made of an id that nobody asked for. Of a shorter id the line end before it is compared too.
    """
    data = _PADDING + joined.encode("utf-8", "surrogatepass") + b"\n"
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_END)[len(_PADDING) :]
    words = np.ndarray(len(data) - 7, dtype=_WORD, buffer=data, strides=1)[ends - 8]
    written = [id_.encode("utf-8", "surrogatepass") for id_ in wanted]
    sought = np.frombuffer(b"".join((_PADDING + id_)[-8:] for id_ in written), dtype=_WORD)[:, np.newaxis]
    unread = np.array([[8 * max(7 - len(id_), 0)] for id_ in written], dtype=_WORD)  # bits of a shorter id
    agree = ((words >> unread) == (sought >> unread)).any(axis=0)
    found = {}
    for place in np.flatnonzero(agree).tolist():
        begin = int(ends[place - 1]) + 1 if place else len(_PADDING)
        id_ = data[begin : ends[place]].decode("utf-8", "surrogatepass")
        if id_ in wanted:
            found[id_] = place
    return found
