"""How far two annotators agree: as a number from their table, and as a function of their labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from recall_lab.exercises.answers import Number
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kappa import KAPPA, Labelled
from recall_lab.exercises.kinds.base import Slip
from recall_lab.exercises.kinds.function import FunctionExercise
from recall_lab.exercises.kinds.number import NumberExercise, Values, too_coarse, unless_rounded

__all__ = ["AgreementExercise", "AgreementFunction", "two_by_two"]


LABELS_WRITTEN_IN = Slip(
    "labels_written_in",
    "writing the labels into the function",
    "The next pair may be labelled by grades: where could the function find out which labels there are?",
)


class AgreementExercise(NumberExercise):
    """A number worked out from the table of two annotators who say yes or no."""

    recipe: ClassVar[Any] = KAPPA

    def prompt(self, data: Any) -> str:
        return f"{two_by_two(data)}\n{self.ask.format(**self.words(data))}"

    def words(self, data: Any) -> dict[str, object]:
        return {"n": data.n}

    def _certain(self, number: Number, right: Fraction, wrong: Values, data: Any) -> str:
        nudge = f'hint("{self.id}") has a first nudge.'
        if number.value > 1:
            return (
                f"{number.typed} is above one, and no two people can agree on more than everything. {nudge}"
            )
        direction = "high" if number.value > right else "low"
        if too_coarse(number, [right, *wrong.values()]):
            return unless_rounded(number, direction, nudge)
        return f"{number.typed} is too {direction}, and I don't recognise how it came about. {nudge}"


class AgreementFunction(FunctionExercise):
    """A function of two lists of labels."""

    parameters = ("first", "second")
    recipe: ClassVar[Any] = KAPPA
    ladder = "with two labels and with three"

    def arguments(self, sheet: Any) -> tuple[Any, ...]:
        return list(sheet.first), list(sheet.second)

    def worked(self, data: Any) -> str:
        pairs = next(pairs for pairs in data if 0 < (self.recipe.value(pairs) or 0) < 1)
        return f"{self._call(self.arguments(pairs))} is {self.recipe.working(pairs)}"

    def is_ordinary(self, sheet: Any) -> bool:
        return self.recipe.value(sheet) is not None

    def _why(self, failed: Any, tries: list[Any], answer: Any) -> Verdict:
        if self._knows_words_only(answer, tries):
            return LABELS_WRITTEN_IN.verdict(
                "With the labels yes and no your function is right. This one comes out of",
                evidence=f"{failed.call}\nreturned {failed.returned}",
            )
        return super()._why(failed, tries, answer)

    def _knows_words_only(self, function: Any, tries: list[Any]) -> bool:
        """Whether the function is wrong of 1 and 0, and right where the same are written as yes and no."""
        two_labels = [t for t in tries if {*t.sheet.first, *t.sheet.second} == {0, 1}]
        if all(t.fine for t in two_labels):
            return False
        in_words: list[Any] = [
            Labelled(*(tuple(("no", "yes")[label] for label in side) for side in (one.first, one.second)))
            for one in (t.sheet for t in two_labels)
        ]
        return all(self._try(function, sheet).fine for sheet in in_words)

    def _certain(self, failed: Any) -> str:
        by_hand = "Work this case out by hand, then follow your code through it."
        if failed.number is None:
            return f"None says that kappa is undefined. Did both give one label throughout here? {by_hand}"
        typed, value = failed.number.typed, failed.number.value
        if failed.right is None:
            return f"Chance alone always agrees here, so there is nothing left to divide by. {by_hand}"
        if failed.number.equals(failed.right, Fraction(1, 200)):
            return (
                f"{typed} is close and not exact. Does your function round? Leave that to whoever prints it."
            )
        if value > 1:
            return f"{typed} is above one, and no two people can agree on more than everything. {by_hand}"
        return f"{typed} is too {'high' if value > failed.right else 'low'}. {by_hand}"


def two_by_two(pairs: Labelled) -> str:
    """The table of yes and no.

    >>> print(two_by_two(Labelled.of_counts(6, 10, 1, 3)))
                   second: yes   second: no
    first: yes               6            1
    first: no                3           10
    """
    return "\n".join(
        [
            f"{'':12}{'second: yes':>14}{'second: no':>13}",
            f"{'first: yes':12}{pairs.count(1, 1):>14}{pairs.count(1, 0):>13}",
            f"{'first: no':12}{pairs.count(0, 1):>14}{pairs.count(0, 0):>13}",
        ]
    )
