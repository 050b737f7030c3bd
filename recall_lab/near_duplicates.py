"""Pairs of texts that are almost the same, found without comparing every text with every other."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Id = TypeVar("Id", bound=Hashable)

WORDS_PER_SHINGLE = 3
BANDS, ROWS_PER_BAND = 16, 2
# In a bucket larger than this, each text is compared with the first and with its neighbour only.
LARGEST_FULL_BUCKET = 20

_WORD = re.compile(r"\w+")
_PRIME = (1 << 31) - 1


class Pair(NamedTuple):
    """Two texts and how alike they are, from 0 to 1."""

    first: Hashable
    second: Hashable
    similarity: float


def near_duplicates(texts: Mapping[Id, str], at_least: float = 0.5) -> list[Pair]:
    """Pairs of texts that share at least this part of their runs of three words.

    Parameters
    ----------
    texts : the texts by id. Texts without words are left out.
    at_least : the smallest Jaccard similarity (shared runs of words over all runs of both) to report.

    Returns
    -------
    list of Pair : the most alike first. Of pairs with similarity .5 about 1 in 100 is missed, of more similar
        ones fewer; in a crowd of texts that are all alike, not every pair is listed.

    Notes
    -----
    MinHash with banding (Broder 1997; Leskovec, Rajaraman and Ullman, *Mining of Massive Datasets*, chapter
    3): texts whose smallest hashes agree in one of 16 bands of 2 are compared, all others are not.

    Examples
    --------
    >>> text = "a drill costs three pounds a day and must come back clean"
    >>> near_duplicates({"d1": text, "d2": text + " and dry", "d3": "saws are kept in bay nine"})
    [Pair(first='d1', second='d2', similarity=0.8333333333333334)]
    """
    shingles = {id_: found for id_, text in texts.items() if (found := _shingles(text))}
    if len(shingles) < 2:
        return []
    ids = list(shingles)
    pairs = []
    for i, j in _candidates(_smallest_hashes([shingles[id_] for id_ in ids])):
        first, second = shingles[ids[i]], shingles[ids[j]]
        similarity = len(first & second) / len(first | second)
        if similarity >= at_least:
            pairs.append(Pair(ids[i], ids[j], similarity))
    return sorted(pairs, key=lambda pair: -pair.similarity)


def _shingles(text: str) -> set[int]:
    """Hashes of all runs of three words; of a shorter text, of all its words."""
    words = _WORD.findall(text.casefold())
    runs = (words[i : i + WORDS_PER_SHINGLE] for i in range(max(1, len(words) - WORDS_PER_SHINGLE + 1)))
    return {zlib.crc32(" ".join(run).encode("utf-8", "replace")) for run in runs} if words else set()


def _smallest_hashes(sets: list[set[int]]) -> NDArray[np.int64]:
    """For each set (row) its smallest value under each of 32 fixed shuffles (columns)."""
    values = np.concatenate([np.fromiter(found, dtype=np.int64, count=len(found)) for found in sets]) % _PRIME
    starts = np.cumsum([0, *(len(found) for found in sets[:-1])])
    shuffle = np.random.default_rng(1997)
    columns = []
    for _ in range(BANDS * ROWS_PER_BAND):
        factor, shift = (int(number) for number in shuffle.integers(1, _PRIME, size=2))
        columns.append(np.minimum.reduceat((values * factor + shift) % _PRIME, starts))
    return np.stack(columns, axis=1)


def _candidates(smallest: NDArray[np.int64]) -> list[tuple[int, int]]:
    pairs: set[tuple[int, int]] = set()
    for band in range(BANDS):
        buckets: defaultdict[bytes, list[int]] = defaultdict(list)
        columns = np.ascontiguousarray(smallest[:, band * ROWS_PER_BAND : (band + 1) * ROWS_PER_BAND])
        for row, key in enumerate(columns):
            buckets[key.tobytes()].append(row)
        for bucket in buckets.values():
            pairs.update(_pairs_of(bucket))
    return sorted(pairs)


def _pairs_of(bucket: list[int]) -> Iterator[tuple[int, int]]:
    if len(bucket) <= LARGEST_FULL_BUCKET:
        yield from combinations(bucket, 2)
    else:
        yield from ((bucket[0], other) for other in bucket[1:])
        yield from pairwise(bucket)
