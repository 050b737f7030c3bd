"""A function of the learner's that draws."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from recall_lab.exercises import sandbox
from recall_lab.exercises.answers import kind_of
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Slip, not_yet
from recall_lab.exercises.kinds.figure import (
    Curve,
    Wanted,
    about_missing,
    all_named,
    axes_of,
    lines_of,
    strays,
)
from recall_lab.exercises.kinds.function import FunctionExercise, Trials, about_fault, is_stub
from recall_lab.exercises.recipe import Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PlotterExercise"]

_STEPS = 50_000_000  # drawing takes many: matplotlib is written in Python, and its steps are counted as well


class PlotterExercise(FunctionExercise):
    """A function that returns a figure. Each call is judged by the curves that its figure shows.

    The figures are made to be looked at one after the other, so all of them must have the same y axis.
    """

    @abstractmethod
    def curves(self, sheet: Sheet) -> tuple[Wanted, ...]:
        """The curves of one call."""

    @abstractmethod
    def slipped(self, sheet: Sheet) -> dict[Slip, list[Curve]]:
        """The curves that each slip draws instead."""

    def right(self, data: Trials) -> list[list[Curve]]:  # type: ignore[override]
        return [[wanted.curve for wanted in self.curves(sheet)] for sheet in data]

    def wrong(self, data: Trials) -> dict[str, list[list[Curve]]]:  # type: ignore[override]
        calls = [self.slipped(sheet) for sheet in data]
        return {slip.id: [call[slip] for call in calls] for slip in calls[0]}

    def tells_apart(self, data: Trials) -> bool:
        columns = [self.right(data), *self.wrong(data).values()]
        return all(one != other for i, one in enumerate(columns) for other in columns[:i])

    def judge(self, data: Trials, answer: Any) -> Verdict:
        if problem := self._unusable(answer):
            return problem
        _prepare()
        figures = []
        for number, sheet in enumerate(data):
            seen = self._look(answer, sheet, first=number == 0)
            if isinstance(seen, Verdict):
                return seen
            figures.append(seen)
        if len({tuple(axis.get_ylim() for axis in figure.axes) for figure in figures}) > 1:
            return not_yet(
                "The curves are right, and on each call the y axis has another range. So the axis moves, and "
                "the curve seems to stand still. Which line of code fixes it from zero to one?"
            )
        notes: tuple[str, ...] = ()
        if getattr(figures[0], "number", None) is not None:  # a number is what pyplot gives to its figures
            notes = (
                "Your function asks pyplot for its figure, and pyplot shows each one below a cell. Figure() "
                "makes one that is shown only where you put it.",
            )
        return Verdict("passed", f"Yes, on every call I tried. {self.afterwards}".strip(), notes=notes)

    def _look(self, function: Callable[..., Any], sheet: Sheet, first: bool) -> Verdict | Figure:
        """What is wrong with one call; its figure where nothing is."""
        from matplotlib.figure import Figure

        call = self._call(self.arguments(sheet), self.name_of(function))
        outcome = sandbox.run(function, *self.arguments(sheet), steps=_STEPS)
        if first and is_stub(function, outcome):
            return Verdict("not attempted", self.blank)
        if outcome.fault:
            return about_fault(outcome, call)
        _close(axes_of(outcome.value) or ())
        if outcome.value is None:
            return not_yet("Your function hands nothing back. Does it end with a return?", evidence=call)
        if not issubclass(type(outcome.value), Figure):
            return not_yet(
                f"Your function returned {kind_of(outcome.value)}. Whoever calls it wants the figure.",
                evidence=call,
            )
        figure: Figure = outcome.value
        lines = lines_of(figure.axes)
        if not lines:
            return not_yet("The figure that came back is empty. What did you draw on?", evidence=call)

        def shows(curve: Curve) -> bool:
            return any(line.passes(curve) for line in lines)

        wanted = self.curves(sheet)
        missing = [one for one in wanted if not shows(one.curve)]
        if missing:
            for slip, curves in self.slipped(sheet).items():
                if all(map(shows, curves)):
                    return slip.verdict("That is the picture that comes out of", evidence=call)
            others = strays(lines, [one.curve for one in wanted])
            return not_yet(about_missing(missing, others), evidence=call)
        if not all_named(figure.axes):
            return not_yet(
                "The curves are right. Somebody else sees them without you: what do the axes show?"
            )
        return figure


def _prepare() -> None:
    """Load matplotlib and its fonts beforehand, so that its steps are not counted as the learner's."""
    from matplotlib import pyplot
    from matplotlib.font_manager import fontManager

    assert pyplot and fontManager


def _close(axes: Sequence[Any]) -> None:
    """Close what was drawn for the check, or the notebook would show it below the cell."""
    pyplot = sys.modules["matplotlib.pyplot"]
    for axis in axes:
        pyplot.close(axis.get_figure())
