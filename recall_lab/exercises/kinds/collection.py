"""A set of ids, or ids in order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import Any, TypeVar

from recall_lab.exercises.answers import Unreadable, read_ids
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, named, not_yet

__all__ = ["RankingExercise", "SetExercise"]

Data = TypeVar("Data")


class SetExercise(Exercise[Data]):
    """Which ids belong; the order and repeats don't matter."""

    @abstractmethod
    def right(self, data: Data) -> Collection[str]:
        """The ids that belong."""

    @abstractmethod
    def wrong(self, data: Data) -> dict[str, Collection[str]]:
        """The ids each mistake would name."""

    @abstractmethod
    def known(self, data: Data) -> Collection[str]:
        """Every id there is to choose from."""

    def tells_apart(self, data: Data) -> bool:
        sets = [frozenset(self.right(data)), *(frozenset(ids) for ids in self.wrong(data).values())]
        return len(set(sets)) == len(sets)

    def judge(self, data: Data, answer: Any) -> Verdict:
        try:
            typed = frozenset(read_ids(answer))
        except Unreadable as problem:
            return not_yet(str(problem))
        right = frozenset(self.right(data))
        if typed == right:
            return Verdict("passed", f"Yes, exactly these. {self.afterwards}".strip())
        if strange := sorted(typed - set(self.known(data))):
            return not_yet(f"I know nothing called {', '.join(strange[:3])}.")
        ids = tuple(id for id, wrong in self.wrong(data).items() if frozenset(wrong) == typed)
        if ids:
            return named(ids, "That is what comes out of")
        parts = []
        if extra := sorted(typed - right):
            parts.append(f"Look again at {', '.join(extra[:3])}: what speaks for it?")
        if right - typed:
            parts.append("Something that belongs is missing.")
        return not_yet(" ".join(parts))


class RankingExercise(Exercise[Data]):
    """Ids in the right order."""

    @abstractmethod
    def right(self, data: Data) -> list[str]:
        """The ids from first to last."""

    @abstractmethod
    def wrong(self, data: Data) -> dict[str, list[str]]:
        """The order each mistake gives."""

    def tells_apart(self, data: Data) -> bool:
        orders = [tuple(self.right(data)), *(tuple(ids) for ids in self.wrong(data).values())]
        return len(set(orders)) == len(orders)

    def judge(self, data: Data, answer: Any) -> Verdict:
        if issubclass(type(answer), (set, frozenset)):
            return not_yet("A set has no order. Put the ids in a list, the first result first.")
        try:
            typed = read_ids(answer)
        except Unreadable as problem:
            return not_yet(str(problem))
        right = self.right(data)
        if typed == right:
            return Verdict("passed", f"Yes, that is the order. {self.afterwards}".strip())
        if ids := tuple(id for id, wrong in self.wrong(data).items() if wrong == typed):
            return named(ids, "That is the order that comes out of")
        return not_yet(_first_difference(typed, right))


def _first_difference(typed: list[str], right: list[str]) -> str:
    if strange := [id for id in typed if id not in right]:
        return f"I know nothing called {strange[0]}."
    if repeated := [id for i, id in enumerate(typed) if id in typed[:i]]:
        return f"{repeated[0]} stands in your list more than once."
    if len(typed) < len(right):
        return "Some results are missing from your list."
    place = next(i for i, (one, other) in enumerate(zip(typed, right, strict=True)) if one != other)
    if place == 0:
        return f"Does {typed[0]} really come first? Compare it with the others."
    return f"As far as {typed[place - 1]} the order is right. Does {typed[place]} really come next?"
