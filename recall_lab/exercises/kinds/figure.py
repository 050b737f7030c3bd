"""A figure, checked by the data it shows."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

from recall_lab.exercises.answers import TOLERANCE, kind_of
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, named, not_yet
from recall_lab.exercises.kinds.number import apart, describe
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import RECALL, Recipe, Sheet

__all__ = ["Curve", "FigureExercise", "axes_of", "curve_of", "passes", "points_of"]

Curve = dict[int, Fraction | None]
Points = dict[float, float]


class FigureExercise(Exercise[Sheet]):
    """A curve over k, from k = 1 to the sheet's k, drawn with matplotlib as a line or as points.

    Other curves may have to stand beside it in the same figure; see :meth:`company`.
    """

    recipe: ClassVar[Recipe] = RECALL
    ask: ClassVar[str]
    blank = "Nothing drawn yet. Draw the curve and hand over the figure or its axes."

    def right(self, data: Sheet) -> Curve:
        return curve_of(self.recipe, data)

    def company(self, data: Sheet) -> dict[str, Curve]:
        """What else the figure has to show, by the question to ask where it is missing."""
        return {}

    def wrong(self, data: Sheet) -> dict[str, Curve]:
        """The curve each mistake draws."""
        return {id: curve_of(CATALOGUE[id].wrong(self.recipe), data) for id in self.mistakes}

    def tells_apart(self, data: Sheet) -> bool:
        curves = [self.right(data), *self.wrong(data).values()]
        return all(
            any(apart([one[k], other[k]]) for k in one)
            for i, one in enumerate(curves)
            for other in curves[:i]
        )

    def prompt(self, data: Sheet) -> str:
        return f"{describe(data)}\n{self.ask.format(**self.words(data))}"

    def words(self, data: Sheet) -> dict[str, object]:
        return {"k": data.k}

    def worked(self, data: Sheet) -> str:
        points = [k for k in (1, data.k // 2, data.k) if k]
        values = ", ".join(f"{float(self.right(data)[k] or 0):.3f} at k = {k}" for k in dict.fromkeys(points))
        return f"the curve passes through {values}"

    def judge(self, data: Sheet, answer: Any) -> Verdict:
        axes = axes_of(answer)
        if axes is None:
            return not_yet(
                f"That is {kind_of(answer)}. Hand over the figure or its axes, such as fig from fig, ax = "
                "plt.subplots()."
            )
        lines = points_of(axes)
        if not lines:
            return Verdict("not attempted", self.blank)
        right = self.right(data)
        if any(_shows(line, right) for line in lines):
            for question, beside in self.company(data).items():
                if not any(passes(line, beside) for line in lines):
                    return not_yet(f"The curve is right. {question}")
            if not all(
                axis.get_xlabel().strip() and axis.get_ylabel().strip() for axis in axes if axis.has_data()
            ):
                return not_yet(
                    "The curve is right. Somebody else sees it without you: what do the two axes show?"
                )
            return Verdict("passed", f"Yes, that is the curve. {self.afterwards}".strip())
        for line in lines:
            if ids := tuple(id for id, curve in self.wrong(data).items() if _shows(line, curve)):
                return named(ids, "That is the curve that comes out of")
        return not_yet(self._certain(lines[-1], right))

    def _certain(self, line: Points, right: Curve) -> str:
        nudge = f'hint("{self.id}") has a first nudge.'
        missing = [k for k in right if k not in line]
        if missing and 0 in line:
            return f"Your curve starts at zero, where there is no list yet. At which k does it begin? {nudge}"
        if missing:
            return f"Your curve leaves out some values of k. Every k of the task needs a point. {nudge}"
        if any(line[k] > 1 for k in right):
            return f"Your curve rises above one, and a share cannot. {nudge}"
        if any(_near(line[k], right[k]) for k in right):
            return (
                "Your curve is right in places. Take the first k where you doubt it, and work it out by "
                f"hand. {nudge}"
            )
        return (
            f"No point of your curve is where the sheet puts it. Work out one k by hand and compare. {nudge}"
        )


def curve_of(recipe: Recipe, sheet: Sheet) -> Curve:
    """The recipe's value at every k from 1 to the sheet's."""
    return {k: recipe.value(replace(sheet, k=k)) for k in range(1, sheet.k + 1)}


def axes_of(answer: Any) -> list[Any] | None:
    """The axes of a figure, of axes, or of the lines that ``plot`` returns; None for anything else."""
    if "matplotlib" not in sys.modules:
        return None
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    if issubclass(type(answer), Figure):
        return list(answer.axes)
    if issubclass(type(answer), Axes):
        return [answer]
    if (
        issubclass(type(answer), (list, tuple))
        and answer
        and all(issubclass(type(a), Line2D) for a in answer)
    ):
        return [line.axes for line in answer]
    return None


def points_of(axes: list[Any]) -> list[Points]:
    """The points of every line and every scatter, as y by x."""
    from matplotlib.collections import PathCollection
    from numpy import asarray

    found = []
    for axis in axes:
        for line in axis.get_lines():
            found.append(
                {float(x): float(y) for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}
            )
        for dots in (c for c in axis.collections if isinstance(c, PathCollection)):  # not a shaded band
            found.append({float(x): float(y) for x, y in asarray(dots.get_offsets())})
    return [points for points in found if points]


def _shows(line: Points, curve: Curve) -> bool:
    return all(k in line and _near(line[k], value) for k, value in curve.items())


def passes(line: Points, curve: Curve) -> bool:
    """Whether a line goes through every point of a curve, also where it was drawn from few points."""
    xs = sorted(line)
    if not xs[0] <= min(curve) <= max(curve) <= xs[-1]:
        return False
    from numpy import interp

    heights = interp(list(curve), xs, [line[x] for x in xs])
    return all(_near(drawn, value) for drawn, value in zip(heights, curve.values(), strict=True))


def _near(drawn: float, value: Fraction | None) -> bool:
    return value is not None and abs(drawn - float(value)) <= float(TOLERANCE)
