"""A figure, checked by the data it shows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from recall_lab.exercises.answers import TOLERANCE, kind_of
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, named, not_yet
from recall_lab.exercises.kinds.number import apart, describe
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import RECALL, Recipe, Sheet

__all__ = [
    "Curve",
    "FigureExercise",
    "Line",
    "Wanted",
    "about_missing",
    "all_named",
    "axes_of",
    "lines_of",
    "strays",
]

Curve = dict[int, Fraction | None]


@dataclass(frozen=True)
class Wanted:
    """A curve that has to stand in a figure.

    Parameters
    ----------
    name : what it is, for "that is not …".
    curve : its heights.
    missing : the question to ask where nothing is drawn that could be meant for it.
    astray : the question to ask where a line is drawn that is none of those asked for.
    """

    name: str
    curve: Curve
    missing: str
    astray: str


@dataclass(frozen=True)
class Line:
    """A line or a scatter as it was drawn.

    Parameters
    ----------
    x, y : its points.
    slopes : whether it runs straight from point to point and not all of them are equally high.
    early : whether it is a staircase that rises before its points.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    slopes: bool = False
    early: bool = False

    @property
    def points(self) -> dict[float, float]:
        return dict(zip(self.x, self.y, strict=True))

    def shows(self, curve: Curve) -> bool:
        """Whether it has every point of a curve."""
        points = self.points
        return all(k in points and _near(points[k], value) for k, value in curve.items())

    def passes(self, curve: Curve) -> bool:
        """Whether it goes through every point of a curve, also where it was drawn from few points."""
        from numpy import interp

        points = self.points
        xs = sorted(points)
        if not xs[0] <= min(curve) <= max(curve) <= xs[-1]:
            return False
        heights = interp(list(curve), xs, [points[x] for x in xs])
        return all(_near(drawn, value) for drawn, value in zip(heights, curve.values(), strict=True))


class FigureExercise(Exercise[Sheet]):
    """A curve over k, from k = 1 to the sheet's k, drawn with matplotlib as a line or as points.

    Other curves may have to stand beside it in the same figure; see :meth:`company`.
    """

    recipe: ClassVar[Recipe] = RECALL
    ask: ClassVar[str]
    blank = "Nothing drawn yet. Draw the curve and hand over the figure or its axes."
    compare = "Work out one k by hand and compare."  # the way to find out what is wrong with a curve

    def __init__(self) -> None:
        self._looked_at: Sheet | None = None
        self._curves: dict[Recipe, Curve] = {}

    def curve(self, recipe: Recipe, data: Sheet) -> Curve:
        """The recipe's value at every k from 1 to the sheet's. Many means, so kept for that sheet."""
        if self._looked_at is not data:
            self._looked_at, self._curves = data, {}
        if recipe not in self._curves:
            values = {k: recipe.value(replace(data, k=k)) for k in range(1, data.k + 1)}
            self._curves[recipe] = values
        return self._curves[recipe]

    def right(self, data: Sheet) -> Curve:
        return self.curve(self.recipe, data)

    def company(self, data: Sheet) -> tuple[Wanted, ...]:
        """What else the figure has to show."""
        return ()

    def wrong(self, data: Sheet) -> dict[str, Curve]:
        """The curve each mistake draws."""
        return {id: self.curve(CATALOGUE[id].wrong(self.recipe), data) for id in self.mistakes}

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

    def check(self, data: Sheet, answer: Any) -> Verdict:
        if answer is None:
            return not_yet(
                "That is None: plt.show() shows a figure and hands nothing back. What does plt.subplots() "
                "hand back?"
            )
        return super().check(data, answer)

    def judge(self, data: Sheet, answer: Any) -> Verdict:
        axes = axes_of(answer)
        if axes is None:
            return not_yet(
                f"That is {kind_of(answer)}. Hand over the figure or its axes, such as fig from fig, ax = "
                "plt.subplots()."
            )
        lines = lines_of(axes)
        if not lines:
            if any(axis.has_data() for axis in axes):
                return not_yet(
                    "I read lines and dots, and there are none in your figure. Does axes.plot, axes.step or "
                    "axes.scatter draw what you mean?"
                )
            return Verdict("not attempted", self.blank)
        right = self.right(data)
        if any(line.shows(right) for line in lines):
            return self._beside(data, axes, lines)
        others = strays(lines, [wanted.curve for wanted in self.company(data)]) or lines
        for line in others:
            if ids := tuple(id for id, curve in self.wrong(data).items() if line.shows(curve)):
                return named(ids, "That is the curve that comes out of")
        return not_yet(self._certain(max(others, key=lambda line: len(line.x)), data))

    def _beside(self, data: Sheet, axes: list[Any], lines: list[Line]) -> Verdict:
        """The verdict where the curve is right: what belongs beside it, and can it be read?"""
        right, company = self.right(data), self.company(data)
        missing = [wanted for wanted in company if not any(line.passes(wanted.curve) for line in lines)]
        if missing:
            known = [right, *(wanted.curve for wanted in company)]
            return not_yet(f"The curve is right. {about_missing(missing, strays(lines, known))}")

        def together(lines: list[Line]) -> bool:
            return any(line.shows(right) for line in lines) and all(
                any(line.passes(wanted.curve) for line in lines) for wanted in company
            )

        if not any(together(lines_of([axis])) for axis in axes):
            return not_yet(
                "All the lines are there, and not in one picture. Could anybody compare them as they are?"
            )
        if not all_named(axis for axis in axes if axis.has_data()):
            return not_yet(
                "The curve is right. Somebody else sees it without you: what do the two axes show?"
            )
        notes: tuple[str, ...] = ()
        if company and not any(axis.get_legend() or axis.texts or axis.figure.legends for axis in axes):
            notes = ("Nothing in it says which line is which: axes.legend() shows the labels of your lines.",)
        return Verdict("passed", f"Yes, that is the curve. {self.afterwards}".strip(), notes=notes)

    def _certain(self, line: Line, data: Sheet) -> str:
        """What is certain about a curve that no mistake explains."""
        right, points = self.right(data), line.points
        nudge = f'hint("{self.id}") has a first nudge.'
        missing = [k for k in right if k not in points]
        if said := _misplaced(line, right):
            return said
        if missing and 0 in points:
            return f"Your curve starts at zero, where there is no list yet. At which k does it begin? {nudge}"
        if missing:
            return f"Your curve leaves out some values of k. Every k of the task needs a point. {nudge}"
        if any(points[k] > 1 for k in right):
            return f"Your curve rises above one, and a share cannot. {nudge}"
        if any(points[k + 1] < points[k] - float(TOLERANCE) for k in right if k + 1 in right):
            return f"Your curve falls in places. Can more results hold less of what exists? {nudge}"
        if any(_near(points[k], right[k]) for k in right):
            return (
                f"Your curve is right in places. Take the first k where you doubt it. {self.compare} {nudge}"
            )
        return f"No point of your curve is where it should be. {self.compare} {nudge}"


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


def lines_of(axes: Sequence[Any]) -> list[Line]:
    """Every line and every scatter."""
    from matplotlib.collections import PathCollection
    from numpy import asarray

    found = []
    for axis in axes:
        for line in axis.get_lines():
            x, y = (tuple(map(float, values)) for values in (line.get_xdata(), line.get_ydata()))
            style = line.get_drawstyle()
            straight = style == "default" and line.get_linestyle() != "None"
            found.append(Line(x, y, straight and _goes_aslant(x, y), style in _EARLY))
        for dots in (c for c in axis.collections if isinstance(c, PathCollection)):  # not a shaded band
            x, y = (tuple(map(float, values)) for values in asarray(dots.get_offsets()).T)
            found.append(Line(x, y))
    return [line for line in found if line.x]


_EARLY = ("steps", "steps-pre", "steps-mid")  # how matplotlib calls steps that rise before their point


def _goes_aslant(x: Sequence[float], y: Sequence[float]) -> bool:
    """Whether some stretch is neither flat nor upright, as those of a staircase drawn by hand are."""
    return any(x[i] != x[i + 1] and y[i] != y[i + 1] for i in range(len(x) - 1))


def strays(lines: Sequence[Line], curves: Sequence[Curve]) -> list[Line]:
    """The lines that go along none of the curves; upright ones only mark a place."""
    return [
        line
        for line in lines
        if len(set(line.x)) > 1 and not any(line.shows(curve) or line.passes(curve) for curve in curves)
    ]


def about_missing(missing: Sequence[Wanted], others: Sequence[Line]) -> str:
    """What to ask where curves are missing and these other lines are drawn."""
    for wanted in missing:
        for line in others:
            if said := _misplaced(line, wanted.curve):
                return said
    if not others:
        return missing[0].missing
    names = " and not ".join(wanted.name for wanted in missing)
    return f"A line is there that is not {names}. {missing[0].astray}"


def all_named(axes: Any) -> bool:
    """Whether both axes have a name that says something; three dots do not."""
    return all(
        any(sign.isalnum() for sign in label)
        for axis in axes
        for label in (axis.get_xlabel(), axis.get_ylabel())
    )


def _misplaced(line: Line, curve: Curve) -> str:
    """What to ask where a line has a curve's heights in the wrong place; "" where it has not."""
    if Line(line.y, line.x).shows(curve):
        return "Your x and y have changed places. Which of the two runs from left to right?"
    if line.shows({k - 1: value for k, value in curve.items()}):
        return (
            "The heights are right, and the line starts at zero, where there is no list yet. Python counts "
            "from there if you give it no x values; which ones belong to the heights?"
        )
    return ""


def _near(drawn: float, value: Fraction | None) -> bool:
    return value is not None and abs(drawn - float(value)) <= float(TOLERANCE)
