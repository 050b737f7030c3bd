"""A function of the learner's that draws."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from recall_lab.exercises import sandbox
from recall_lab.exercises.answers import kind_of
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Slip, not_yet
from recall_lab.exercises.kinds.figure import Curve, axes_of, passes, points_of
from recall_lab.exercises.kinds.function import FunctionExercise, Trials, about_fault, is_stub
from recall_lab.exercises.recipe import Sheet

__all__ = ["PlotterExercise"]

_STEPS = 50_000_000  # drawing takes many: matplotlib is written in Python, and its steps are counted as well


class PlotterExercise(FunctionExercise):
    """A function that returns a figure. Each call is judged by the curves that its figure shows."""

    @abstractmethod
    def curves(self, sheet: Sheet) -> dict[str, Curve]:
        """The curves of one call, by the question to ask where one is missing."""

    @abstractmethod
    def slipped(self, sheet: Sheet) -> dict[Slip, list[Curve]]:
        """The curves that each slip draws instead."""

    def right(self, data: Trials) -> list[list[Curve]]:  # type: ignore[override]
        return [list(self.curves(sheet).values()) for sheet in data]

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
        for number, sheet in enumerate(data):
            if verdict := self._look(answer, sheet, first=number == 0):
                return verdict
        return Verdict("passed", f"Yes, on every call I tried. {self.afterwards}".strip())

    def _look(self, function: Callable[..., Any], sheet: Sheet, first: bool) -> Verdict | None:
        """What is wrong with one call; None where nothing is."""
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
        axes = outcome.value.axes
        lines = points_of(axes)
        if not lines:
            return not_yet("The figure that came back is empty. What did you draw on?", evidence=call)

        def shows(curve: Curve) -> bool:
            return any(passes(line, curve) for line in lines)

        missing = [question for question, curve in self.curves(sheet).items() if not shows(curve)]
        if missing:
            for slip, curves in self.slipped(sheet).items():
                if all(map(shows, curves)):
                    return slip.verdict("That is the picture that comes out of", evidence=call)
            return not_yet(missing[0], evidence=call)
        if not all(axis.get_xlabel().strip() and axis.get_ylabel().strip() for axis in axes):
            return not_yet(
                "The curves are right. Somebody else sees them without you: what do the axes show?"
            )
        return None


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
