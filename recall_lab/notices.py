"""What was noticed while reading or measuring, carried in results and shown with them.

A notice is neither an error nor a ``warnings.warn``: it travels with the object it is about
(``run.notices``, ``golden.notices``, ``evaluation.notices``) and is printed where that object is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Notice:
    """One thing that was noticed.

    Parameters
    ----------
    code : short stable name in kebab case, for programs, such as ``"rank-contradicts-score"``.
    message : one or two plain sentences, for people; names ids, counts and the way out.
    ids : the query or document ids it is about, in the order met (all of them, for programs).

    Examples
    --------
    >>> print(Notice("unanswered", "1 judged query is missing from the run and counts 0: q2", ("q2",)))
    1 judged query is missing from the run and counts 0: q2
    """

    code: str
    message: str
    ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.message


def list_ids(ids: Iterable[object], limit: int = 5) -> str:
    """The first ids of a list in words, and how many more there are.

    >>> list_ids(["q1", "q2", "q3"], limit=2)
    'q1, q2 and 1 more'
    """
    shown = [str(item) for item in ids]
    head = ", ".join(shown[:limit])
    more = len(shown) - limit
    return f"{head} and {more} more" if more > 0 else head
