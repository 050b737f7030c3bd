"""A widget that the learner connects with a picture."""

from __future__ import annotations

from typing import Any, ClassVar

from recall_lab.exercises import sandbox
from recall_lab.exercises.answers import kind_of
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, not_yet
from recall_lab.exercises.kinds.function import about_fault

__all__ = ["WiringExercise"]

_STEPS = 50_000_000  # a picture may be drawn on the way
_TRIED = 3  # positions of the control


class WiringExercise(Exercise[None]):
    """A control and a picture; judged by moving the one and looking at the other.

    Attributes
    ----------
    task : what has to be connected.
    another_case : the third rung of the hint: another control and what follows it, wired.
    other_changes : what to ask where the function that is called fails.
    """

    task: ClassVar[str]
    another_case: ClassVar[str]
    other_changes = (
        'A slider has more than its value, and all of it changes. Does your line say names="value"?'
    )
    blank = "I moved the slider, and the picture stayed as it was. Put your line in place of the dots."

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
        before, pictures = slider.value, []
        for value in (*slider.options[:_TRIED], before):
            outcome = sandbox.run(setattr, slider, "value", value, steps=_STEPS)
            if outcome.fault:
                return about_fault(outcome, f"slider.value = {value}", (self.other_changes,))
            pictures.append(picture.value)
        if len(set(pictures)) == 1:
            return Verdict("not attempted", self.blank)
        if len(set(pictures[:_TRIED])) < _TRIED:
            return not_yet(
                "The picture changes, but not at every step of the slider. What does it depend on?"
            )
        return Verdict("passed", f"Yes: the slider moves, and the picture follows. {self.afterwards}".strip())
