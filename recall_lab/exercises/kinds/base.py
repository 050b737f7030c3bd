"""What every exercise has, whatever its kind."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from recall_lab.exercises.answers import is_blank
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.misconceptions import CATALOGUE

__all__ = ["RUNGS", "Exercise", "Slip", "named", "not_yet"]

Data = TypeVar("Data")

RUNGS = 3


@dataclass(frozen=True)
class Slip:
    """A mistake that only one exercise knows, as it replaces no step of a recipe.

    Parameters
    ----------
    id : short stable name.
    name : what was done, as the end of "this is what comes out of …".
    asks : one sentence that asks the right question.
    """

    id: str
    name: str
    asks: str

    def verdict(self, lead: str, **more: Any) -> Verdict:
        """Not yet, with the slip named behind ``lead``."""
        return not_yet(f"{lead} {self.name}. {self.asks}", mistakes=(self.id,), **more)


class Exercise(ABC, Generic[Data]):
    """One exercise. A lesson declares a class per exercise; the kind supplies the rest.

    Attributes
    ----------
    id : ``"02.recall_by_hand"``: the lesson's number, a point, a short name.
    title : a few words, for ``progress()``.
    mistakes : ids from the catalogue that a learner can make here.
    restate, locate : the first two rungs of the hint: the question in other words, and where to look.
    afterwards : one sentence to take along when it is passed.
    how_to_answer : what to do with the line that checks a variant.
    blank : what is said where the learner's cell is still blank, for "not attempted".
    """

    id: ClassVar[str]
    title: ClassVar[str]
    mistakes: ClassVar[tuple[str, ...]] = ()
    restate: ClassVar[str]
    locate: ClassVar[str]
    afterwards: ClassVar[str] = ""
    how_to_answer: ClassVar[str] = "Copy this into a new cell and put your answer in place of the dots:"
    blank: ClassVar[str] = "Nothing here yet. Put your answer in place of the blank and run the cell again."

    @abstractmethod
    def lesson(self) -> Data:
        """The data as the lesson prints it."""

    def draw(self, rng: random.Random, harder: bool) -> Data | None:
        """Other data of the same kind; None where the exercise has one form only."""
        return None

    def tells_apart(self, data: Data) -> bool:
        """Whether every mistake gives an answer of its own on this data."""
        return True

    @abstractmethod
    def prompt(self, data: Data) -> str:
        """The question, with everything needed to answer it."""

    def right(self, data: Data) -> Any:
        """The right answer, where there is exactly one."""
        return None

    @abstractmethod
    def judge(self, data: Data, answer: Any) -> Verdict:
        """Look at an answer that is not blank."""

    @abstractmethod
    def worked(self, data: Data) -> str:
        """The way to the answer in one or two sentences; shown for a twin with other data only."""

    def check(self, data: Data, answer: Any) -> Verdict:
        """The verdict on any answer, blank or not."""
        return Verdict("not attempted", self.blank) if is_blank(answer) else self.judge(data, answer)

    def hint(self, rung: int, data: Data) -> str:
        """Three rungs: the question in other words, where to look, and the twin with other numbers."""
        if rung == 3:
            return self.twin()
        return (self.restate if rung == 1 else self.locate).format(**self.words(data))

    def twin(self) -> str:
        """The same exercise with other data and another answer, worked out."""
        rng = random.Random(f"twin of {self.id}")
        data = self.draw(rng, False)
        while data is not None and self.right(data) == self.right(self.lesson()):
            data = self.draw(rng, False)
        if data is None:
            raise TypeError(f"{type(self).__name__} has one form only and needs a twin() of its own")
        return f"A twin with other numbers.\n{self.prompt(data)}\nThere: {self.worked(data)}."

    def revealed(self, cell: str) -> tuple[str, str]:
        """A sentence ahead, and the code that reveal() shows; the worked ``cell`` where it says enough."""
        return "", cell

    def words(self, data: Data) -> dict[str, object]:
        """Values that ``restate`` and ``locate`` may name in braces."""
        return {}

    def handed_out(self, data: Data) -> dict[str, Any]:
        """A variant's data by name, where a learner computes from them in Python."""
        return {}

    def given(self) -> dict[str, Any]:
        """Names the lesson has defined by then, for running the worked cell by itself."""
        return {}


def not_yet(message: str, **more: Any) -> Verdict:
    return Verdict("not yet", message, **more)


def named(ids: tuple[str, ...], lead: str) -> Verdict:
    """The verdict where catalogued mistakes give this very answer.

    ``lead`` is what comes out, such as ``"0.4 is what comes out of"``.
    """
    found = [CATALOGUE[id] for id in ids]
    if len(found) == 1:
        return not_yet(f"{lead} {found[0].name}. {found[0].asks}", mistakes=ids)
    roads = ", or of ".join(mistake.name for mistake in found)
    message = (
        f"{lead} {roads}. Here these give the same, so I cannot tell which it was; which one sounds like "
        "yours?"
    )
    return not_yet(message, mistakes=ids)
