"""A written argument, judged by its author against a rubric."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, ClassVar

from recall_lab.exercises.answers import Unreadable, is_blank, read_text
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, not_yet

__all__ = ["WrittenExercise"]

_SHORT = 12  # words below which there is no argument yet
_QUOTES = 'Three quotes on either side, """like this""", let a text run over several lines.'


class WrittenExercise(Exercise[None]):
    """A short text, then the letters of the rubric's points that its author finds in it.

    ``check(id, text)`` shows the rubric, ``check(id, (text, "abd"))`` passes when every point is there.
    Nobody but the author judges, and the result says so.

    Attributes
    ----------
    question : what to argue about.
    rubric : the points a good argument makes, lettered a, b, c … in order.
    too_short : what is said of a few words.
    """

    question: ClassVar[str]
    rubric: ClassVar[tuple[str, ...]]
    too_short: ClassVar[str] = "That is short; what else speaks for it? A sentence or two more."
    blank = "Nothing written yet. Put your text in place of the dots and run the cell again."

    @property
    def lettered(self) -> dict[str, str]:
        return dict(zip(ascii_lowercase, self.rubric, strict=False))

    def lesson(self) -> None:
        return None

    def prompt(self, data: None) -> str:
        return f"{self.question}\n{_QUOTES}"

    def worked(self, data: None) -> str:
        return f"one thing that a good argument does: {self.rubric[0]}"

    def twin(self) -> str:
        return f"A beginning: {self.worked(None)}."

    def judge(self, data: None, answer: Any) -> Verdict:
        text, points = answer if type(answer) is tuple and len(answer) == 2 else (answer, "")
        if is_blank(text):
            return Verdict("not attempted", self.blank)
        try:
            written = read_text(text)
            ticked = set() if is_blank(points) else _letters(points)
        except Unreadable as problem:
            return not_yet(str(problem))
        if len(written.split()) < _SHORT:
            return not_yet(self.too_short)
        if not ticked:
            rubric = "\n".join(f"{letter}) {point}" for letter, point in self.lettered.items())
            message = (
                "Read your text beside these points, and hand over the letters of those it makes: (text, "
                "letters)."
            )
            return not_yet(message, evidence=rubric)
        if strange := sorted(ticked - set(self.lettered)):
            return not_yet(
                f"Each letter stands for a point, and the rubric has no point {', '.join(strange)}. "
                f"Its points are {', '.join(self.lettered)}."
            )
        if missing := [letter for letter in self.lettered if letter not in ticked]:
            point = self.lettered[missing[0]]
            return not_yet(
                f"By your own reading, point {missing[0]} is missing: {point}. What would you write there?"
            )
        return Verdict("passed", f"By your own reading it makes every point. {self.afterwards}".strip())


def _letters(points: object) -> set[str]:
    """The letters of the points, however they are set apart."""
    try:
        return {letter for letter in read_text(points).casefold() if letter.isalnum()}
    except Unreadable as problem:
        raise Unreadable(
            f'The letters of the points: {problem} All of them go into one, such as "ab".'
        ) from None
