"""A labelling task: every item gets one of a few labels, and some items are open to argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from recall_lab.exercises.answers import Unreadable, is_blank, read_mapping, read_text
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, not_yet

__all__ = ["Item", "LabellingExercise", "meant"]


@dataclass(frozen=True)
class Item:
    """One thing to label.

    Parameters
    ----------
    name : what the learner's dict calls it.
    text : what it is.
    labels : the labels that can be defended; more than one where people may differ.
    asks : the question to somebody who chose another one.
    """

    name: str
    text: str
    labels: tuple[str, ...]
    asks: str


class LabellingExercise(Exercise[None]):
    """A dict from the item's name to a label.

    Attributes
    ----------
    question : what is asked.
    labels : the labels to choose from.
    items : what to label.
    another_case : the third rung of the hint: one label, and what to ask of the others; "" to ask of them
        what its own item asks.
    """

    question: ClassVar[str]
    labels: ClassVar[tuple[str, ...]]
    items: ClassVar[tuple[Item, ...]]
    another_case: ClassVar[str] = ""
    blank = "Nothing labelled yet. Put a label in place of each blank and run the cell again."

    def lesson(self) -> None:
        return None

    def prompt(self, data: None) -> str:
        lines = [self.question, f"Labels: {', '.join(self.labels)}."]
        return "\n".join(lines + [f"{item.name}: {item.text}" for item in self.items])

    def worked(self, data: None) -> str:
        item = self.items[0]
        return (
            self.another_case or f"{item.name} is “{item.labels[0]}”. Ask of each of the others: {item.asks}"
        )

    def twin(self) -> str:
        return f"One of them, done: {self.worked(None)}"

    def judge(self, data: None, answer: Any) -> Verdict:
        names = [item.name for item in self.items]
        try:
            typed = read_mapping(answer, "labels")
            if all(is_blank(typed.get(name)) for name in names):
                return Verdict("not attempted", self.blank)
            if still_open := [name for name in names if is_blank(typed.get(name))]:
                return not_yet(f"Still open: {', '.join(still_open)}.")
            chosen = {name: self._label(name, typed[name]) for name in names}
        except Unreadable as problem:
            return not_yet(str(problem))
        doubtful = [item for item in self.items if chosen[item.name] not in item.labels]
        if not doubtful:
            arguable = any(len(item.labels) > 1 for item in self.items)
            holds = "every label can be defended" if arguable else "every label holds"
            return Verdict("passed", f"Yes, {holds}. {self.afterwards}".strip())
        if len(set(chosen.values())) == 1:
            return not_yet(
                "One label for everything separates nothing. What makes two of these differ?",
                mistakes=("one_label",),
            )
        decided = [item for item in self.items if len(item.labels) == 1]
        if all(item in doubtful for item in decided):
            how = (
                "Every label is the other way round" if len(self.labels) == 2 else "None of the labels holds"
            )
            return not_yet(f"{how}. What does the question ask for?", mistakes=("labels_swapped",))
        first = doubtful[0]
        more = " It is not the only one." if len(doubtful) > 1 else ""
        return not_yet(
            f"Look again at {first.name}, which you called “{chosen[first.name]}”. {first.asks}{more}"
        )

    def _label(self, name: str, value: Any) -> str:
        try:
            text = read_text(value).strip().rstrip(".").casefold()
        except Unreadable as problem:
            raise Unreadable(f"{name}: {problem}") from None
        if (label := meant(text, self.labels)) is None:
            raise Unreadable(
                f"{name}: “{text[:40]}” is none of the labels. Choose one of {', '.join(self.labels)}."
            )
        return label


_NEGATIONS = {"not", "no", "never", "cannot", "less"}


def meant(typed: str, labels: Sequence[str]) -> str | None:
    """The label that was meant, however it is spelled; or the one that begins or ends like that.

    >>> meant("can’t tell", ("tells", "cannot tell")), meant("hit_rate", ("macro", "hit rate"))
    ('cannot tell', 'hit rate')
    >>> meant("recall", ("recall first", "less so")), meant("tell", ("tells", "cannot tell"))
    ('recall first', None)
    """
    words, offered = _words(typed), {label: _words(label) for label in labels}
    for label, theirs in offered.items():
        if "".join(words) == "".join(theirs):
            return label
    n = len(words)
    short = [
        label
        for label, theirs in offered.items()
        if words
        and (
            (theirs[:n] == words and not _NEGATIONS & {*theirs[n:]})
            or (theirs[-n:] == words and not _NEGATIONS & {*theirs[:-n]})
        )
    ]
    return short[0] if len(short) == 1 else None


def _words(label: str) -> list[str]:
    """Its words in small letters; an apostrophe may be straight or curly, and "can't" is "cannot"."""
    plain = label.casefold().replace("’", "'").replace("can't", "cannot").replace("can not", "cannot")
    return plain.translate(str.maketrans("_-", "  ")).split()
