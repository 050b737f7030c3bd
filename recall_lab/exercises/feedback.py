"""What the verbs show: a few blocks of text, once as plain text and once as HTML that says the same."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from recall_lab.exercises.variants import Variant

__all__ = ["Block", "Page", "Result", "Shown", "Status", "Verdict", "laid_out"]

Status = Literal["passed", "not yet", "error in your code", "not attempted"]

_SIGNS: dict[Status, str] = {"passed": "✓", "not yet": "→", "error in your code": "!", "not attempted": "…"}


@dataclass(frozen=True)
class Block:
    """One paragraph: a heading, plain text, or code and data kept in their lines."""

    text: str
    kind: Literal["heading", "text", "code"] = "text"

    def html(self) -> str:
        text = escape(self.text)
        if self.kind == "heading":
            return f"<p style='margin:0'><strong>{text}</strong></p>"
        if self.kind == "code":
            return f"<pre style='margin:.4em 0;white-space:pre-wrap;word-break:normal'>{text}</pre>"
        return f"<p style='margin:.4em 0;white-space:pre-wrap'>{text}</p>"


def laid_out(text: str) -> Block:
    """A block that keeps its columns, where the text has some: three spaces in a row.

    >>> laid_out("q1   2").kind, laid_out("What is recall?").kind
    ('code', 'text')
    """
    return Block(text, "code" if "   " in text else "text")


class Shown(ABC):
    """Something to look at in a notebook: ``repr`` is the text, ``_repr_html_`` the same in a frame."""

    @abstractmethod
    def blocks(self) -> list[Block]:
        """What is shown, from top to bottom."""

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks())

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        body = "".join(block.html() for block in self.blocks())
        return (
            "<div role='status' style='border-left:4px solid currentColor;padding:.2em "
            f".8em;max-width:44em'>{body}</div>"
        )


@dataclass(frozen=True, repr=False)
class Page(Shown):
    """Blocks put together elsewhere."""

    content: tuple[Block, ...]

    def blocks(self) -> list[Block]:
        return list(self.content)


@dataclass(frozen=True)
class Verdict:
    """What an exercise says about an answer, before it is dressed up for the learner.

    Parameters
    ----------
    status : passed, not yet, error in your code, or not attempted.
    message : the tutor's words. A number in it stands in the prompt or in the learner's answer.
    mistakes : ids of the mistakes that give this very answer.
    evidence : what was tried and what came out, for answers that run.
    notes : what else was noticed.
    """

    status: Status
    message: str
    mistakes: tuple[str, ...] = ()
    evidence: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Result(Shown):
    """The answer of ``check()``.

    Attributes
    ----------
    exercise_id : which exercise was checked.
    status : "passed", "not yet", "error in your code" or "not attempted".
    mistakes : ids from the catalogue that give this very answer; empty where none does.
    message : what the tutor says.
    places : where a learner who has come so far has read about the mistakes.
    follow_up : a variant that tells the matching mistakes apart, where several matched.
    """

    exercise_id: str
    verdict: Verdict
    places: tuple[str, ...] = ()
    follow_up: Variant | None = None

    @property
    def status(self) -> Status:
        return self.verdict.status

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    @property
    def mistakes(self) -> tuple[str, ...]:
        return self.verdict.mistakes

    @property
    def message(self) -> str:
        return self.verdict.message

    def blocks(self) -> list[Block]:
        verdict = self.verdict
        shown = [Block(f"{_SIGNS[self.status]} {self.status.capitalize()} · {self.exercise_id}", "heading")]
        if verdict.evidence:
            shown.append(Block(verdict.evidence, "code"))
        shown.append(Block(verdict.message))
        if self.follow_up is not None:
            shown.append(Block("Other numbers tell them apart. If you like, run this in a new cell:"))
            shown.append(Block(self.follow_up.shown_by, "code"))
        elif self.places:
            shown.append(Block(f"To read again: {'; '.join(self.places)}."))
        return shown + [Block(note) for note in verdict.notes]
