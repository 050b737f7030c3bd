"""Work on the blocks of a file in a few threads while the file is read on; numpy and polars let them run."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from recall_lab.errors import RecallLabError

Item = TypeVar("Item")
Result = TypeVar("Result")

WORKERS = min(4, os.cpu_count() or 1)


def with_results(items: Iterator[Item], work: Callable[[Item], Result]) -> Iterator[tuple[Item, Result]]:
    """Each item with what ``work`` makes of it, in the order of the items.

    Only a few items are held at a time. An error of our own from ``items`` comes after the results of the
    items before it, as it would without threads.

    Examples
    --------
    >>> list(with_results(iter("abc"), str.upper))
    [('a', 'A'), ('b', 'B'), ('c', 'C')]
    """
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    failure: RecallLabError | None = None
    with ThreadPoolExecutor(WORKERS) as pool:
        while True:
            try:
                item = next(items)
            except StopIteration:
                break
            except RecallLabError as error:
                failure = error
                break
            waiting.append((item, pool.submit(work, item)))
            if len(waiting) > WORKERS:
                item, result = waiting.popleft()
                yield item, result.result()
        while waiting:
            item, result = waiting.popleft()
            yield item, result.result()
    if failure is not None:
        raise failure
