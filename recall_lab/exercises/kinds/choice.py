"""A choice, and where asked for the reason that goes with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, ClassVar

from recall_lab.exercises.answers import Unreadable, read_text
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, not_yet
from recall_lab.exercises.misconceptions import CATALOGUE

__all__ = ["ChoiceExercise", "Option"]


@dataclass(frozen=True)
class Option:
    """One thing to choose.

    Parameters
    ----------
    text : what it says.
    reply : what the tutor says to whoever chooses it; for a wrong option a question.
    mistake : the id of the mistake behind a wrong option; "" for the right one. Without a ``reply`` the
        catalogue's question is asked.
    """

    text: str
    reply: str = ""
    mistake: str = ""


class ChoiceExercise(Exercise[None]):
    """One of several options, by its letter; with ``reasons``, a letter and the number of the reason ("b2").

    Attributes
    ----------
    question : what is asked.
    options : in order, lettered a, b, c …; the one without a mistake is right.
    reasons : in order, numbered 1, 2, 3 …; empty where no reason is asked for.
    another_case : the third rung of the hint: a like question with other numbers, answered.
    """

    question: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    reasons: ClassVar[tuple[Option, ...]] = ()
    another_case: ClassVar[str]
    blank = "Nothing chosen yet. Put the letter of your choice, in quotes, in place of the blank."

    @property
    def lettered(self) -> dict[str, Option]:
        return dict(zip(ascii_lowercase, self.options, strict=False))

    @property
    def numbered(self) -> dict[str, Option]:
        return {str(number): reason for number, reason in enumerate(self.reasons, 1)}

    def lesson(self) -> None:
        return None

    def right(self, data: None) -> str:
        """The right answer as it is typed, such as "b" or "b2"."""
        return _right_key(self.lettered) + (_right_key(self.numbered) if self.reasons else "")

    def prompt(self, data: None) -> str:
        lines = [self.question]
        lines += [f"{key}) {option.text}" for key, option in self.lettered.items()]
        if self.reasons:
            lines += ["because"] + [f"{key}) {option.text}" for key, option in self.numbered.items()]
        return "\n".join([*lines, self._how()])

    def _how(self) -> str:
        if not self.reasons:
            return "Answer with a letter."
        letter = next(key for key, option in self.lettered.items() if option.mistake)
        return f'Answer with a letter and the number of a reason, for instance "{letter}1".'

    def worked(self, data: None) -> str:
        return self.another_case

    def twin(self) -> str:
        return f"A case like it, answered. {self.another_case}"

    def judge(self, data: None, answer: Any) -> Verdict:
        try:
            letter, number = self._read(answer)
        except Unreadable as problem:
            return not_yet(str(problem))
        chosen = self.lettered[letter]
        if chosen.mistake:
            return _about(chosen)
        if not self.reasons:
            return Verdict("passed", f"Yes. {chosen.reply}".strip())
        if not number:
            return not_yet(f"Now the reason: put its number behind the letter. {self._how()}")
        reason = self.numbered[number]
        if reason.mistake:
            verdict = _about(reason)
            return not_yet(
                f"The choice holds, for another reason. {verdict.message}",
                mistakes=verdict.mistakes,
            )
        return Verdict("passed", f"Yes, and for that reason. {reason.reply}".strip())

    def _read(self, answer: Any) -> tuple[str, str]:
        """Letter and number, from "b", "B)", "b2", "2b", ("b", 2) or the words of an option."""
        parts = list(answer) if type(answer) is tuple else [answer]
        text = " ".join(str(part) if type(part) is int else read_text(part) for part in parts).strip()
        for key, option in self.lettered.items():
            if text.casefold().rstrip(".") == option.text.casefold().rstrip("."):
                return key, ""
        text = re.sub(r"^(\d)\s*([a-zA-Z])$", r"\2\1", text)
        match = re.fullmatch(r"\(?([a-z])[).:,]?\s*(?:because)?\s*(\d?)[).]?", text.casefold())
        if not match or match[1] not in self.lettered or (match[2] and match[2] not in self.numbered):
            letters = ", ".join(self.lettered)
            raise Unreadable(f"That is none of the options, which are {letters}. {self._how()}")
        return match[1], match[2]


def _right_key(options: Mapping[str, Option]) -> str:
    return next(key for key, option in options.items() if not option.mistake)


def _about(option: Option) -> Verdict:
    known = CATALOGUE.get(option.mistake)
    message = option.reply or (known.asks if known else "")
    return not_yet(message, mistakes=(option.mistake,))
