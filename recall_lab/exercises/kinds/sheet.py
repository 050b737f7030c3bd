"""A table filled in by hand: one value a question, None where there is none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from recall_lab.exercises.answers import Number, Unreadable, is_blank, read_mapping, read_share
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, named, not_yet
from recall_lab.exercises.kinds.number import apart, describe, too_coarse
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import RECALL, Recipe, Sheet

__all__ = ["SheetExercise"]

Values = dict[str, Fraction | None]


class SheetExercise(Exercise[Sheet]):
    """The score of every question, as a dict from the question's name to its value or None."""

    recipe: ClassVar[Recipe] = RECALL
    ask: ClassVar[str]
    blank = "Nothing here yet. Put a value in place of each blank and run the cell again."

    def right(self, data: Sheet) -> Values:
        return self.recipe.per_query(data)

    def wrong(self, data: Sheet) -> dict[str, Values]:
        """The sheet each mistake gives on this data."""
        return {id: CATALOGUE[id].wrong(self.recipe).per_query(data) for id in self.mistakes}

    def tells_apart(self, data: Sheet) -> bool:
        sheets = [self.right(data), *self.wrong(data).values()]
        return all(
            any(apart([one[name], other[name]]) for name in one)
            for i, one in enumerate(sheets)
            for other in sheets[:i]
        )

    def prompt(self, data: Sheet) -> str:
        return f"{describe(data)}\n{self.ask.format(**self.words(data))}"

    def words(self, data: Sheet) -> dict[str, object]:
        return {"k": data.k}

    def worked(self, data: Sheet) -> str:
        return "; ".join(
            f"{name}: {'None, nothing to find' if value is None else value}"
            for name, value in self.right(data).items()
        )

    def judge(self, data: Sheet, answer: Any) -> Verdict:
        right = self.right(data)
        try:
            typed = read_mapping(answer)
            if problem := _names(typed, right):
                return problem
            if all(is_blank(typed[name]) for name in right):
                return Verdict("not attempted", self.blank)
            if open_rows := [name for name in right if typed[name] is not None and is_blank(typed[name])]:
                return not_yet(f"Still open: {', '.join(open_rows)}.")
            rows = {name: _read(name, typed[name]) for name in right}
        except Unreadable as problem:
            return not_yet(str(problem))
        amiss = [name for name in right if not _same(rows[name], right[name])]
        if not amiss:
            return Verdict("passed", f"Yes, every question. {self.afterwards}".strip())
        return self._matched(rows, amiss, data) or self._row_by_row(rows, amiss, data)

    def _matched(self, rows: dict[str, Number | None], amiss: list[str], data: Sheet) -> Verdict | None:
        """Named where a mistake explains the whole sheet, or else every row that is wrong."""
        wrong = self.wrong(data)
        for names in (list(rows), amiss):
            ids = tuple(id for id, sheet in wrong.items() if all(_same(rows[n], sheet[n]) for n in names))
            if ids:
                where = ", ".join(f"{name} ({_shown(rows[name])})" for name in amiss)
                return named(ids, f"Look at {where}: this is what comes out of")
        return None

    def _row_by_row(self, rows: dict[str, Number | None], amiss: list[str], data: Sheet) -> Verdict:
        right, wrong = self.right(data), self.wrong(data)
        fine = [name for name in rows if name not in amiss]
        parts = [f"{', '.join(fine)}: right."] if fine else []
        found: list[str] = []
        for name in amiss:
            ids = [id for id, sheet in wrong.items() if _same(rows[name], sheet[name])]
            if len(ids) == 1:
                found += ids
                parts.append(f"{name}: {_shown(rows[name])} is what comes out of {CATALOGUE[ids[0]].name}.")
            else:
                parts.append(self._certain(name, rows[name], right[name], [s[name] for s in wrong.values()]))
        message = " ".join([*parts, f'hint("{self.id}") has a first nudge.'])
        mistakes = tuple(dict.fromkeys(found))
        return not_yet(message, mistakes=mistakes)

    def _certain(
        self, name: str, number: Number | None, right: Fraction | None, wrong: list[Fraction | None]
    ) -> str:
        """What is certain about a row that no single mistake explains."""
        if number is None:
            return f"{name}: None says that nothing exists to be found. Is that so here?"
        if right is None:
            return f"{name}: nothing exists to be found there. What would {number.typed} be a share of?"
        if number.value < 0:
            return f"{name}: {number.typed} is below zero, and a share cannot be."
        if number.value > 1:
            hundredth = Number(number.value / 100, number.exact, number.typed)
            if hundredth.equals(right):
                return f"{name}: {number.typed} reads like a percentage. How do you write it as a share?"
            return f"{name}: {number.typed} is above one, and a share cannot be."
        direction = "high" if number.value > right else "low"
        if too_coarse(number, [right, *wrong]):
            return (
                f"{name}: {number.typed} may be cut off or rounded too far. Then type four decimals, or a "
                f"fraction. If it is exact, it is too {direction}."
            )
        return f"{name}: {number.typed} is too {direction}."


def _names(typed: dict[str, Any], right: Values) -> Verdict | None:
    """A verdict where the sheet has other questions than it should."""
    if missing := [name for name in right if name not in typed]:
        return not_yet(f"No value yet for {', '.join(missing)}.")
    if strange := [name for name in typed if name not in right]:
        return not_yet(f"I know no question called {', '.join(strange[:3])}.")
    return None


def _read(name: str, value: Any) -> Number | None:
    if value is None:
        return None
    try:
        return read_share(value)
    except Unreadable as problem:
        raise Unreadable(f"{name}: {problem}") from None


def _same(typed: Number | None, value: Fraction | None) -> bool:
    return typed.equals(value) if typed is not None else value is None


def _shown(number: Number | None) -> str:
    return "None" if number is None else number.typed
