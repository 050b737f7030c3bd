"""Somebody else's function with a fault in it: find an input that shows the fault."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from recall_lab.exercises import sandbox
from recall_lab.exercises.answers import Unreadable, is_blank, kind_of, read_mapping
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, not_yet
from recall_lab.exercises.kinds.function import in_words

__all__ = ["BugHunt", "Miss"]

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Miss:
    """A way for an input to miss the fault.

    Parameters
    ----------
    id : short stable name.
    applies : whether an input misses in this way.
    asks : the question that leads on.
    example : such an input, as a learner would type it.
    """

    id: str
    applies: Callable[[Arguments], bool]
    asks: str
    example: Arguments


class BugHunt(Exercise[None]):
    """The arguments, by name, on which a faulty function and the library differ.

    Attributes
    ----------
    story : what the function is meant to do and where it comes from.
    readers : how each argument is read from what the learner typed; the names of the parameters, in order.
    theirs, ours : the faulty function, shown as it stands, and the right one; both as ``staticmethod``.
    misses : ways to miss the fault; the first that applies is named.
    """

    story: ClassVar[str]
    readers: ClassVar[Mapping[str, Callable[[Any], Any]]]
    theirs: ClassVar[Callable[..., Any]]
    ours: ClassVar[Callable[..., Any]]
    misses: ClassVar[tuple[Miss, ...]] = ()
    blank = "Nothing here yet. Fill in the arguments on which the function goes wrong."

    def lesson(self) -> None:
        return None

    def source(self) -> str:
        """The faulty function as text, without the type hints, which the lessons do not use."""
        tree = ast.parse(inspect.getsource(self.theirs))
        for part in ast.walk(tree):
            if isinstance(part, ast.arg):
                part.annotation = None
            elif isinstance(part, ast.FunctionDef):
                part.returns = None
        return ast.unparse(tree)

    def prompt(self, data: None) -> str:
        return f"{self.story}\n\n{self.source()}\n\n{self.question}"

    @property
    def question(self) -> str:
        return f"Find {', '.join(self.readers)} for which it gives a wrong value."

    def worked(self, data: None) -> str:
        return self.afterwards

    def twin(self) -> str:
        return f"Inputs that do not show it, so that you need not try them: {self._misses()}"

    def _misses(self) -> str:
        return "; ".join(
            ", ".join(f"{n}={in_words(v)}" for n, v in miss.example.items()) for miss in self.misses
        )

    def judge(self, data: None, answer: Any) -> Verdict:
        try:
            typed = self._by_name(answer)
            if all(is_blank(value) for value in typed.values()):
                return Verdict("not attempted", self.blank)
            if open_places := [name for name, value in typed.items() if is_blank(value)]:
                return not_yet(f"Still open: {', '.join(open_places)}.")
            arguments = {name: read(typed[name]) for name, read in self.readers.items()}
        except Unreadable as problem:
            return not_yet(str(problem))
        right = sandbox.run(self.ours, *arguments.values())
        if right.fault:
            return not_yet(
                "recall_lab does not accept that input, so it cannot be held against the function.",
                evidence=right.error,
            )
        wrong = sandbox.run(self.theirs, *arguments.values())
        if wrong.fault:
            message = (
                "That makes the function stop with an error, which everybody would notice. Where is it "
                "wrong in silence?"
            )
            return not_yet(message, evidence=wrong.error)
        evidence = f"this function: {_shown(wrong.value)}\nrecall_lab:    {_shown(right.value)}"
        if not _same(wrong.value, right.value):
            return Verdict("passed", f"That exposes it. {self.afterwards}", evidence=evidence)
        miss = next((miss for miss in self.misses if miss.applies(arguments)), None)
        if miss is None:
            return not_yet(
                f'Both agree on that input. hint("{self.id}") has a first nudge.', evidence=evidence
            )
        return not_yet(f"Both agree on that input. {miss.asks}", mistakes=(miss.id,), evidence=evidence)

    def _by_name(self, answer: Any) -> dict[str, Any]:
        if type(answer) in (tuple, list) and len(answer) == len(self.readers):
            return dict(zip(self.readers, answer, strict=True))
        if type(answer) is not dict:
            names = ", ".join(self.readers)
            raise Unreadable(
                f"That is {kind_of(answer)}. A dict with a value for each of {names} is asked for."
            )
        typed = read_mapping(answer, "arguments")
        if missing := [name for name in self.readers if name not in typed]:
            raise Unreadable(f"No value yet for {', '.join(missing)}.")
        return {name: typed[name] for name in self.readers}


def _same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < 1e-9


def _shown(value: Any) -> str:
    return "None" if value is None else f"{value:.4g}"
