"""A number worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

from recall_lab.exercises.answers import Number, Unreadable, read_number
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, named, not_yet
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import CEILING, RECALL, Query, Recipe, Sheet, of_the_relevant

__all__ = ["NumberExercise", "apart", "describe", "too_coarse", "unless_rounded"]

_COARSE = Fraction(1, 200)  # what rounding to two decimals can hide
_NOISE = Fraction(1, 10**9)  # what a float adds to a decimal

Values = dict[str, Fraction | None]


class NumberExercise(Exercise[Sheet]):
    """A number that a recipe computes from a sheet.

    Attributes
    ----------
    recipe : the right computation.
    ask : the question that follows the data; may name ``{k}``.
    """

    recipe: ClassVar[Recipe] = RECALL
    ask: ClassVar[str]
    blank = "Nothing here yet. Put your number in place of the blank and run the cell again."

    def right(self, data: Sheet) -> Fraction | None:
        return self.recipe.value(data)

    def wrong(self, data: Sheet) -> Values:
        """What each mistake gives on this data."""
        return {id: CATALOGUE[id].wrong(self.recipe).value(data) for id in self.mistakes}

    def tells_apart(self, data: Sheet) -> bool:
        return apart([self.right(data), *self.wrong(data).values()])

    def prompt(self, data: Sheet) -> str:
        return f"{describe(data)}\n{self.ask.format(**self.words(data))}"

    def words(self, data: Sheet) -> dict[str, object]:
        return {"k": data.k}

    def worked(self, data: Sheet) -> str:
        return self.recipe.working(data)

    def check(self, data: Sheet, answer: Any) -> Verdict:
        if answer is None and self.right(data) is None:
            return self._passed("None")
        return super().check(data, answer)

    def judge(self, data: Sheet, answer: Any) -> Verdict:
        try:
            number = read_number(answer)
        except Unreadable as problem:
            return not_yet(str(problem))
        right = self.right(data)
        if right is None:
            return not_yet(f"There is nothing to find here. What would {number.typed} be a share of?")
        if number.equals(right):
            return self._passed(number.typed)
        wrong = self.wrong(data)
        return self._matched(number, right, wrong) or not_yet(self._certain(number, right, wrong, data))

    def _passed(self, typed: str) -> Verdict:
        return Verdict("passed", f"Yes, {typed}. {self.afterwards}".strip())

    def _matched(self, number: Number, right: Fraction, wrong: Values) -> Verdict | None:
        """Named where a mistake, or the right value, explains the number as typed or as a percentage."""
        if ids := tuple(id for id, value in wrong.items() if number.equals(value)):
            return named(ids, f"{number.typed} is what comes out of")
        if number.value <= 1:
            return None
        share = Number(number.value / 100, number.exact, number.typed)
        percent = (
            f"{number.typed} reads like a percentage, and every value here is a share between zero and one."
        )
        if share.equals(right):
            return not_yet(f"{percent} How do you write yours that way?")
        if ids := tuple(id for id, value in wrong.items() if share.equals(value)):
            return named(ids, f"{percent} As a share, it is what comes out of")
        return None

    def _certain(self, number: Number, right: Fraction, wrong: Values, data: Sheet) -> str:
        """What is certain about a number that no mistake explains."""
        typed = number.typed
        nudge = f'hint("{self.id}") has a first nudge.'
        if number.value < 0:
            return f"{typed} is below zero, and a share cannot be. {nudge}"
        if number.value > 1:
            return f"{typed} is above one, and a share cannot be. {nudge}"
        direction = "high" if number.value > right else "low"
        if too_coarse(number, [right, *wrong.values()]):
            return unless_rounded(number, direction, nudge)
        ceiling = CEILING.value(data)
        if self.recipe.share is of_the_relevant and ceiling is not None and number.value > ceiling:
            return f"{typed} is more than even a perfect search could reach here. {nudge}"
        return f"{typed} is too {direction}, and I don't recognise how it came about. {nudge}"


def too_coarse(number: Number, candidates: list[Fraction | None]) -> bool:
    """Whether a candidate, rounded up or down or cut off, gives the few decimals that were typed.

    >>> too_coarse(read_number(0.38), [Fraction(3, 8)]), too_coarse(read_number(0.39), [Fraction(3, 8)])
    (True, False)
    """
    places = next((n for n in (2, 3) if abs(number.value - round(number.value, n)) < _NOISE), None)
    if number.exact or places is None or any(number.equals(value) for value in candidates):
        return False
    last_place = Fraction(1, 10**places)
    return any(value is not None and abs(number.value - value) < last_place - _NOISE for value in candidates)


def unless_rounded(number: Number, direction: str, nudge: str) -> str:
    """What is said of few decimals: nobody can see whether 0.08 is rounded, or is 4/50 itself."""
    return (
        f"{number.typed} may be cut off or rounded too far to tell what it is. Then type four decimals, or a "
        f"fraction. If it is exact, it is too {direction}. {nudge}"
    )


def apart(values: list[Fraction | None]) -> bool:
    """Whether no two values could be taken for each other.

    >>> apart([Fraction(1, 2), Fraction(1, 3)]), apart([Fraction(1, 2), Fraction(2, 4)])
    (True, False)
    """
    numbers = sorted(value for value in values if value is not None)
    alone = len(values) - len(numbers) <= 1  # at most one None
    return alone and all(b - a >= _COARSE for a, b in pairwise(numbers))


def describe(sheet: Sheet) -> str:
    """The sheet in words: a sentence for one question, a line each for several.

    >>> print(describe(Sheet((Query.from_ranks("q1", 4, (2, 5, 9)),), k=5)))
    A question has 4 relevant passages. The search found 3 of them, at ranks 2, 5 and 9.
    """
    if len(sheet.queries) == 1:
        return _one(sheet.queries[0], sheet.min_grade)
    return "\n".join(_line(query, sheet.min_grade) for query in sheet.queries)


def _one(query: Query, min_grade: int) -> str:
    total, ranks = len(query.relevant(min_grade)), query.ranks(min_grade)
    passages = "passage" if total == 1 else "passages"
    if not ranks:
        return f"A question has {total} relevant {passages}. The search found none."
    found = "all" if len(ranks) == total else str(len(ranks))
    return (
        f"A question has {total} relevant {passages}. The search found {found} of them, at {_ranks(ranks)}."
    )


def _line(query: Query, min_grade: int) -> str:
    ranks = query.ranks(min_grade)
    found = f"found at {_ranks(ranks)}" if ranks else "none found"
    total = len(query.relevant(min_grade))
    return f"{query.name}: R = {total}, {found}" if total else f"{query.name}: R = 0, nothing to find"


def _ranks(ranks: list[int]) -> str:
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and rank == runs[-1][-1] + 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 3 else [str(rank) for rank in run]
    *head, last = parts
    listed = f"{', '.join(head)} and {last}" if head else last
    return f"{'rank' if len(ranks) == 1 else 'ranks'} {listed}"
