"""The same exercise with other numbers, drawn from a seed: practice without end, and personal numbers for
marking.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from recall_lab.errors import RecallLabError
from recall_lab.exercises.feedback import Block, Shown, Verdict, laid_out
from recall_lab.exercises.kinds import Exercise

__all__ = ["Seed", "Variant", "has_variants", "make_variant"]

Seed = int | str
_DRAWS = 2_000


@dataclass(frozen=True, repr=False)
class Variant(Shown):
    """One variant of an exercise.

    Attributes
    ----------
    exercise : the exercise it belongs to.
    seed, harder : what it was drawn from; the same two give the same variant on every machine.
    data : its numbers.
    """

    exercise: Exercise[Any]
    seed: Seed
    harder: bool
    data: Any

    @property
    def prompt(self) -> str:
        return self.exercise.prompt(self.data)

    @property
    def call(self) -> str:
        """The code that checks an answer to it, also in a later session."""
        return f"check({self.shown_by}, ...)"

    @property
    def shown_by(self) -> str:
        """The code that shows it again."""
        harder = ", harder=True" if self.harder else ""
        return f'another("{self.exercise.id}"{harder}, seed={self.seed!r})'

    @property
    def given(self) -> dict[str, Any]:
        """Its data as values to compute with, where the exercise has such."""
        return self.exercise.handed_out(self.data)

    def judge(self, answer: Any) -> Verdict:
        return self.exercise.check(self.data, answer)

    def blocks(self) -> list[Block]:
        return [
            Block(f"Another one · {self.exercise.id}", "heading"),
            laid_out(self.prompt),
            Block(self.exercise.how_to_answer),
            Block(self._cell, "code"),
        ]

    @property
    def _cell(self) -> str:
        names = ", ".join(self.given)
        if not names:
            return self.call
        values = ", ".join(f'it.given["{name}"]' for name in self.given)
        return f"it = {self.shown_by}\n{names} = {values}\ncheck(it, ...)"


def has_variants(exercise: Exercise[Any]) -> bool:
    """Whether the exercise can be drawn with other numbers."""
    return type(exercise).draw is not Exercise.draw


def make_variant(exercise: Exercise[Any], seed: Seed, harder: bool = False) -> Variant:
    """Draw a variant on which every mistake of the exercise gives an answer of its own.

    Raises
    ------
    RecallLabError : the exercise has one form only.
    """
    rng = random.Random(f"{exercise.id} {seed} {harder}")
    for _ in range(_DRAWS):
        data = exercise.draw(rng, harder)
        if data is None:
            raise RecallLabError(f"{exercise.id} has one form only, so there is no other one to draw")
        if exercise.tells_apart(data):
            return Variant(exercise, seed, harder, data)
    raise RecallLabError(f"{exercise.id}: no variant found in {_DRAWS} draws that tells its mistakes apart")
