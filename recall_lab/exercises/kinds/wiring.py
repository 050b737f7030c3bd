"""A widget that the learner connects with a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from recall_lab.exercises import sandbox
from recall_lab.exercises.answers import kind_of
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, not_yet
from recall_lab.exercises.kinds.function import about_fault

__all__ = ["WiringExercise"]

_STEPS = 50_000_000  # a picture may be drawn on the way
_TRIED = 3  # positions of the control

Call = tuple[Any, Any]  # the name of what is watched, and what is called when it changes


class WiringExercise(Exercise[None]):
    """A control and a picture; judged by moving the one and looking at the other.

    A widget remembers whom it has to call, so a line that was run once stays in force. Whatever a check finds
    wrong it takes off again: a wrong line must not stand in the way of the right one.

    Attributes
    ----------
    task : what has to be connected.
    another_case : the third rung of the hint: another control and what follows it, wired.
    """

    task: ClassVar[str]
    another_case: ClassVar[str]
    blank = (
        "I moved the slider, and it called nobody. Put your line in place of the dots. If it is there: which "
        "of your widgets does it ask?"
    )

    def lesson(self) -> None:
        return None

    def prompt(self, data: None) -> str:
        return self.task

    def worked(self, data: None) -> str:
        return self.another_case

    def twin(self) -> str:
        return f"Something else, wired: {self.another_case}"

    def judge(self, data: None, answer: Any) -> Verdict:
        from ipywidgets import Widget

        pair = answer if type(answer) is tuple and len(answer) == 2 else ()
        if not pair or not all(isinstance(part, Widget) and hasattr(part, "value") for part in pair):
            return not_yet(f"That is {kind_of(answer)}. Hand over the slider and the picture, in this order.")
        slider, picture = pair
        if not hasattr(slider, "options"):
            return not_yet(f"The slider comes first; that is {kind_of(slider)}.")
        if "observe" in vars(slider):
            del slider.observe
            return _taken_off(
                "An equals sign puts your function in the place of observe. How is observe called?"
            )
        calls, on_the_picture = _calls(slider), _calls(picture)
        moved = _moved(slider, picture)
        passed = Verdict(
            "passed", f"Yes: the slider moves, and the picture follows. {self.afterwards}".strip()
        )
        if moved.follows:
            return passed
        if moved.fault is not None and moved.fault.fault == "interrupted":
            return about_fault(moved.fault, f"slider.value = {moved.at}")
        _take_off(picture, on_the_picture)
        for call in calls if len(calls) > 1 or on_the_picture else ():
            if _alone(slider, call, calls, picture):
                return replace(passed, notes=("Another line was still in force; I have taken it off.",))
        _take_off(slider, calls)
        if calls:
            return self._why(slider, calls, moved)
        if on_the_picture:
            return _taken_off("The picture is asked to call there. Which of the two is moved by hand?")
        return Verdict("not attempted", self.blank)

    def _why(self, slider: Any, calls: Sequence[Call], moved: _Moved) -> Verdict:
        """What is wrong with the line that was run last; it is off the slider by now."""
        name, function = calls[-1]
        if function is None:
            return _taken_off(
                "What you handed over is None. Brackets behind a function's name call it at once; what is "
                "handed over without them?"
            )
        if not callable(function):
            return _taken_off(
                f"What you handed over is {kind_of(function)}. How is a function itself written?"
            )
        if isinstance(name, str) and name != "value" and not moved.pictures_differ:
            return _taken_off(
                f"Your line waits for changes of “{name}”. What is it that changes when the slider moves?"
            )
        if moved.fault is None:
            return _taken_off(
                "The picture changes, but not at every step of the slider. What does it depend on?"
                if moved.pictures_differ
                else "Your function is called, and the picture stays as it was. Which of your functions puts "
                "something into it?"
            )
        call = f"slider.value = {moved.at}"
        if not isinstance(name, str):
            return _taken_off(
                "A slider has more than its value, all of it changes, and your line waits for all of it. "
                "What does names= say in the text above?",
                evidence=call,
            )
        if not sandbox.run(function, slider.value, steps=_STEPS).fault:
            return _taken_off(
                f"{_written(function)} asks for the number itself, and the slider hands over more: a change, "
                "with the number in it. Which of your functions is made for that?",
                evidence=call,
            )
        verdict = about_fault(moved.fault, call)
        return Verdict(verdict.status, verdict.message, evidence=verdict.evidence, notes=(_OFF,))


_OFF = "I have taken that line off the slider again: correct it, and run the cell once more."


def _taken_off(message: str, evidence: str = "") -> Verdict:
    return not_yet(message, evidence=evidence, notes=(_OFF,))


@dataclass(frozen=True)
class _Moved:
    """What a picture did while its slider was moved.

    Parameters
    ----------
    pictures : what it showed at each position.
    at, fault : where a call failed, and how.
    """

    pictures: tuple[Any, ...]
    at: Any = None
    fault: sandbox.Outcome | None = None

    @property
    def pictures_differ(self) -> bool:
        return len(set(self.pictures)) > 1

    @property
    def follows(self) -> bool:
        return self.fault is None and len(set(self.pictures[:_TRIED])) == _TRIED


def _moved(slider: Any, picture: Any) -> _Moved:
    """Move the slider to some of its options and back."""
    before = slider.value
    pictures: list[Any] = []
    for value in (*slider.options[:_TRIED], before):
        outcome = sandbox.run(setattr, slider, "value", value, steps=_STEPS)
        if outcome.fault:
            sandbox.run(setattr, slider, "value", before, steps=_STEPS)
            return _Moved(tuple(pictures), value, outcome)
        pictures.append(picture.value)
    return _Moved(tuple(pictures))


def _calls(widget: Any) -> list[Call]:
    """Whom a widget calls, apart from its own methods. traitlets has no public way to ask."""
    from traitlets import EventHandler

    return [
        (name, function)
        for name, kinds in widget._trait_notifiers.items()
        for function in kinds.get("change", ())
        if not isinstance(function, EventHandler)
    ]


def _take_off(widget: Any, calls: Sequence[Call]) -> None:
    """Not by unobserve: if it is given None, which may have been handed over, it takes off everything."""
    for name, function in calls:
        widget._trait_notifiers[name]["change"].remove(function)


def _alone(slider: Any, call: Call, calls: Sequence[Call], picture: Any) -> bool:
    """Whether the picture follows with this call only; if so, the others are gone for good."""
    _take_off(slider, [other for other in calls if other is not call])
    if _moved(slider, picture).follows:
        return True
    for name, function in calls:
        slider.observe(function, names=name)
    return False


def _written(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", "Your function")
