"""A function the learner writes, tried on small cases first."""

from __future__ import annotations

import builtins
import dis
import inspect
import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import CodeType, FunctionType, ModuleType
from typing import Any, ClassVar

from recall_lab.errors import shorten
from recall_lab.exercises import sandbox
from recall_lab.exercises.answers import Number, Unreadable, kind_of, read_share
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, named, not_yet
from recall_lab.exercises.kinds.number import apart
from recall_lab.exercises.misconceptions import CATALOGUE, pairs
from recall_lab.exercises.recipe import CEILING, RECALL, Recipe, Sheet, of_the_relevant

__all__ = ["FunctionExercise", "about_fault", "in_words", "is_stub"]

_TOLERANCE = Fraction(1, 1_000_000)
Trials = tuple[Sheet, ...]


@dataclass(frozen=True)
class _Try:
    """One call of the learner's function: how it looks, what came back, what should have."""

    call: str
    right: Fraction | None
    sheet: Sheet
    outcome: sandbox.Outcome
    changed_input: bool
    number: Number | None = None
    complaint: str = ""  # why the returned value is no number

    def gives(self, value: Fraction | None) -> bool:
        if self.outcome.fault or self.complaint:
            return False
        return self.number.equals(value, _TOLERANCE) if self.number is not None else value is None

    @property
    def fine(self) -> bool:
        return self.gives(self.right) and not self.changed_input

    @property
    def returned(self) -> str:
        if self.complaint:
            return kind_of(self.outcome.value)
        return "None" if self.number is None else self.number.typed


class FunctionExercise(Exercise[Trials]):
    """A function of the learner's that must agree with a recipe on a ladder of cases, smallest first.

    Attributes
    ----------
    function : its name.
    parameters : the names of its parameters, called by position.
    recipe : the right computation.
    task : what the function has to do, for the prompt.
    ladder : the cases it is tried on, in a few words.
    """

    function: ClassVar[str]
    parameters: ClassVar[tuple[str, ...]]
    recipe: ClassVar[Recipe] = RECALL
    task: ClassVar[str]
    ladder: ClassVar[str] = "from the empty list to the long one"
    how_to_answer = (
        "The task stays, only the cases it is tried on are others. Write it once more without looking, copy "
        "this line into a new cell, and put its name in place of the dots:"
    )
    blank = "Nothing here yet. Write the body of the function and run the cell again."

    @abstractmethod
    def trials(self, rng: random.Random) -> Trials:
        """The cases, in ascending size."""

    @abstractmethod
    def arguments(self, sheet: Sheet) -> tuple[Any, ...]:
        """The arguments of one call: new lists and sets each time, as the function may change them."""

    @abstractmethod
    def ours(self) -> Callable[..., Any]:
        """The library's function that does the same."""

    def lesson(self) -> Trials:
        return self.trials(random.Random(self.id))

    def draw(self, rng: random.Random, harder: bool) -> Trials:
        return self.trials(rng)

    def prompt(self, data: Trials) -> str:
        return f"Write {self.function}({', '.join(self.parameters)}). {self.task}"

    def right(self, data: Trials) -> list[Fraction | None]:
        return [self.recipe.value(sheet) for sheet in data]

    def wrong(self, data: Trials) -> dict[str, list[Fraction | None]]:
        """What each mistake returns, case by case."""
        recipes = {id: CATALOGUE[id].wrong(self.recipe) for id in self.mistakes}
        return {id: [recipe.value(sheet) for sheet in data] for id, recipe in recipes.items()}

    def tells_apart(self, data: Trials) -> bool:
        columns = [self.right(data), *self.wrong(data).values()]
        return all(
            any(apart([a, b]) for a, b in zip(one, other, strict=True))
            for i, one in enumerate(columns)
            for other in columns[:i]
        )

    def worked(self, data: Trials) -> str:
        sheet = next(s for s in data if self.recipe.value(s) not in (None, 0, 1))
        return f"{self._call(self.arguments(sheet))} is {self.recipe.working(sheet)}"

    def twin(self) -> str:
        data = self.lesson()
        return f"A case by hand: {self.worked(data)}. Which lines of Python take these steps?"

    def judge(self, data: Trials, answer: Any) -> Verdict:
        if problem := self._unusable(answer):
            return problem
        tries = self._try_all(answer, data)
        if is_stub(answer, tries[0].outcome):
            return Verdict("not attempted", self.blank)
        failed = next((t for t in tries if not t.fine), None)
        if failed is None:
            return self._passed(answer, tries)
        return self._why(failed, tries, answer)

    # -- before it runs

    def _unusable(self, answer: Any) -> Verdict | None:
        if not callable(answer):
            message = (
                f"That is {kind_of(answer)}. Hand over the function itself: its name, without brackets "
                "behind it."
            )
            return not_yet(message)
        if inspect.iscoroutinefunction(answer):
            return not_yet("Your function is written with async def. A plain def is all it needs.")
        if inspect.isgeneratorfunction(answer):
            return not_yet(
                "Your function yields. A caller who wants one number needs return instead of yield."
            )
        signature = sandbox.run(inspect.signature, answer).value
        if isinstance(signature, inspect.Signature):
            try:
                signature.bind(*self.parameters)
            except TypeError:
                return not_yet(
                    "Your function takes other arguments than the ones it is called with.",
                    evidence=(
                        f"I call: {self.name_of(answer)}({', '.join(self.parameters)})\nyours:  "
                        f"{self.name_of(answer)}{signature}"
                    ),
                )
        return None

    # -- the run

    def _try_all(self, function: Callable[..., Any], data: Trials) -> list[_Try]:
        tries: list[_Try] = []
        for sheet in data:
            tries.append(self._try(function, sheet))
            if tries[-1].outcome.fault in ("endless", "interrupted", "unwritten"):
                break
        return tries

    def _try(self, function: Callable[..., Any], sheet: Sheet) -> _Try:
        arguments, untouched = self.arguments(sheet), self.arguments(sheet)
        call = self._call(untouched, self.name_of(function))
        outcome = sandbox.run(function, *arguments)
        changed = not all(_untouched(a, b) for a, b in zip(arguments, untouched, strict=True))
        number, complaint = None, ""
        if not outcome.fault and outcome.value is not None:
            try:
                number = read_share(outcome.value)
            except Unreadable as problem:
                complaint = str(problem)
        return _Try(call, self.recipe.value(sheet), sheet, outcome, changed, number, complaint)

    def _call(self, arguments: Sequence[Any], name: str = "") -> str:
        listed = ", ".join(in_words(argument) for argument in arguments)
        return shorten(f"{name or self.function}({listed})", 600)

    def name_of(self, function: object) -> str:
        """What the learner called the function; our name where it has none of its own."""
        name = function.__name__ if isinstance(function, FunctionType) else ""
        return name if name.isidentifier() else self.function

    # -- the verdict

    def _passed(self, answer: Any, tries: list[_Try]) -> Verdict:
        first = tries[0]
        if not self._try(answer, first.sheet).gives(first.right):
            return not_yet(
                "All right the first time, but the same call gives something else when it is repeated. "
                "What does your function remember between calls?",
                evidence=first.call,
            )
        message = f"Yes: right on every case, {self.ladder}. {self.afterwards}".strip()
        notes = _printed(tries) + _reads_outside(answer) + self._calls_ours(answer)
        return Verdict("passed", message, notes=notes)

    def _calls_ours(self, function: Any) -> tuple[str, ...]:
        """A note where the function leaves the work to that of recall_lab."""
        if not isinstance(function, FunctionType):
            return ()
        called = (function.__globals__.get(name) for name in _global_names(function.__code__))
        if not any(one is self.ours() for one in called):
            return ()
        return (f"Your function calls {self.function} of recall_lab, so this says that ours is right.",)

    def _why(self, failed: _Try, tries: list[_Try], answer: Any) -> Verdict:
        notes = _printed(tries) + _reads_outside(answer)
        if failed.outcome.fault:
            return about_fault(failed.outcome, failed.call, notes)
        evidence = f"{failed.call}\nreturned {failed.returned}"
        if failed.changed_input:
            return not_yet(
                "Your function changed the list or set it was given. The caller still needs it: can you "
                "work on a copy?",
                evidence=failed.call,
                notes=notes,
            )
        if failed.complaint:
            return not_yet(
                f"What your function returned: {_lower(failed.complaint)}", evidence=evidence, notes=notes
            )
        if all(t.number is None and not t.outcome.fault for t in tries):
            return not_yet(
                "Your function returns None every time. Does it end with a return?",
                evidence=evidence,
                notes=notes,
            )
        if self._try(answer, failed.sheet).gives(failed.right):
            return not_yet(
                "Called once more with the same arguments, your function gives something else. "
                "What does it remember between calls?",
                evidence=evidence,
                notes=notes,
            )
        verdict = self._matched(tries, failed) or not_yet(self._certain(failed))
        return Verdict(verdict.status, verdict.message, verdict.mistakes, verdict.evidence or evidence, notes)

    def _matched(self, tries: list[_Try], failed: _Try) -> Verdict | None:
        """Named where one mistake, or two made together, explain every value that came back."""
        answered = [t for t in tries if not t.outcome.fault]

        def explains(recipe: Recipe, these: list[_Try] = answered) -> bool:
            return all(t.gives(recipe.value(t.sheet)) for t in these)

        known = [CATALOGUE[id] for id in self.mistakes]
        if ids := tuple(m.id for m in known if explains(m.wrong(self.recipe))):
            return named(ids, "On every case I tried, your function gives what comes out of")
        for one, other in pairs(known):
            if explains(one.wrong(other.wrong(self.recipe))):
                alone = other.wrong(self.recipe)
                shows_it = next((t for t in answered if not t.gives(alone.value(t.sheet))), failed)
                return not_yet(
                    f"Two slips together explain every case: {one.name}, and {other.name}. Take the "
                    f"first. {one.asks}",
                    mistakes=(one.id, other.id),
                    evidence=f"{shows_it.call}\nreturned {shows_it.returned}",
                )
        ordinary = [t for t in answered if self.is_ordinary(t.sheet)]
        if not self.is_ordinary(failed.sheet):
            return None
        if ids := tuple(m.id for m in known if explains(m.wrong(self.recipe), ordinary)):
            return named(ids, "On ordinary cases, your function gives what comes out of")
        return None

    def is_ordinary(self, sheet: Sheet) -> bool:
        """Whether nothing special happens: something to find in every question, no empty list, and no passage
        that comes twice, in one list or with two questions.
        """
        own = [{*query.retrieved, *query.relevant(sheet.min_grade)} for query in sheet.queries]
        return sum(map(len, own)) == len(set().union(*own)) and all(
            query.retrieved
            and query.relevant(sheet.min_grade)
            and len(set(query.retrieved)) == len(query.retrieved)
            for query in sheet.queries
        )

    def _certain(self, failed: _Try) -> str:
        by_hand = "Work this case out by hand, then follow your code through it."
        if failed.number is None:
            return f"None says that there is nothing to find. Is that so here? {by_hand}"
        if failed.right is None:
            return f"No relevant passage exists here. What should a share of nothing be? {by_hand}"
        typed, value = failed.number.typed, failed.number.value
        if failed.number.equals(failed.right, Fraction(1, 200)):
            return (
                f"{typed} is close and not exact. Does your function round? Leave that to whoever prints it."
            )
        if value < 0:
            return f"{typed} is below zero, and a share cannot be. {by_hand}"
        if value > 1:
            return f"{typed} is above one, and a share cannot be. {by_hand}"
        ceiling = CEILING.value(failed.sheet)
        if self.recipe.share is of_the_relevant and ceiling is not None and value > ceiling:
            return f"{typed} is more than even a perfect list could reach here. {by_hand}"
        return f"{typed} is too {'high' if value > failed.right else 'low'}. {by_hand}"


def in_words(argument: Any) -> str:
    """An argument as one would type it; sets in sorted order, so that it reads the same every time.

    >>> in_words([(["b", "a"], {"b", "a"})])
    "[(['b', 'a'], {'a', 'b'})]"
    """
    if isinstance(argument, set):
        return "{" + ", ".join(sorted(map(repr, argument))) + "}" if argument else "set()"
    if isinstance(argument, list):
        return "[" + ", ".join(map(in_words, argument)) + "]"
    if isinstance(argument, tuple):
        return "(" + ", ".join(map(in_words, argument)) + ("," if len(argument) == 1 else "") + ")"
    if isinstance(argument, dict):
        return "{" + ", ".join(f"{in_words(key)}: {in_words(value)}" for key, value in argument.items()) + "}"
    return repr(argument)


def _untouched(argument: Any, copy: Any) -> bool:
    """Whether an argument is as it was. By identity: an object put in by the learner may equal everything."""
    if type(argument) is not type(copy):
        return False
    if isinstance(copy, (list, tuple)):
        return len(argument) == len(copy) and all(
            _untouched(a, b) for a, b in zip(argument, copy, strict=True)
        )
    if type(copy) is float:  # Python's own by now, and made anew each time
        return bool(argument == copy)
    if isinstance(copy, set):
        return {id(item) for item in argument} == {id(item) for item in copy}
    return argument is copy


def is_stub(function: Any, outcome: sandbox.Outcome) -> bool:
    """Whether the function is still as the lesson gave it: it does nothing, or says it is not written."""
    if outcome.fault == "unwritten" or outcome.value is ... or outcome.value is NotImplemented:
        return True
    code = getattr(function, "__code__", None)
    if outcome.fault or outcome.value is not None or not isinstance(code, CodeType):
        return False
    idle = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "POP_TOP"}
    return all(step.opname in idle for step in dis.get_instructions(code))


def about_fault(outcome: sandbox.Outcome, call: str, notes: tuple[str, ...] = ()) -> Verdict:
    """The verdict on a call that did not come to an end."""
    sentences = {
        "endless": (
            "Your function was still running after a million steps, so I stopped it. Which loop never ends?"
        ),
        "recursion": "Your function calls itself without end. When should it stop?",
        "memory": "Your function asked for more memory than there is. What grows so large?",
        "exit": (
            "Your function calls exit() or quit(), which would end the notebook. A return ends a function."
        ),
        "interrupted": "The check was stopped by hand while your function ran, so nothing is decided.",
        "unwritten": "Part of your function still raises NotImplementedError. What belongs in its place?",
    }
    if outcome.fault == "interrupted":
        return not_yet(sentences["interrupted"], evidence=call, notes=notes)
    message = sentences.get(outcome.fault) or _about_exception(outcome.error)
    lines = [call]
    if outcome.fault == "exception":
        lines.append(f"raised {outcome.error}")
    if outcome.where:
        lines.append(f"in {outcome.where}")
    return Verdict("error in your code", message, evidence="\n".join(lines), notes=notes)


_TYPE_ERRORS = {
    "missing": "Your function calls another one with too few arguments. Which one did you leave out?",
    "positional argument": "Your function calls another one with too many arguments. What does it ask for?",
    "unexpected keyword": "Your function names an argument that the function it calls does not have.",
    "NoneType": "One of the values on that line is None. Which question gave it, and should it take part?",
    "not callable": "Your function puts round brackets behind something that is no function.",
    "not subscriptable": "Square brackets take a part of a list; what stands before them here is no list.",
    "unhashable": "A list cannot be put into a set or looked up in a dict; its items can.",
    "not iterable": "Your function goes through something that is a single value. Was a list or a set meant?",
    "unsupported operand": "The two values on that line cannot be combined like that. Of what kind are they?",
    "not supported between": "The two values on that line cannot be compared. Of what kind are they?",
}
"""What a TypeError says, by words in Python's own message; the first that is found."""


def _about_exception(error: str) -> str:
    name = error.split(":")[0]
    for word, sentence in _TYPE_ERRORS.items() if name == "TypeError" else ():
        if word in error:
            return sentence
    sentences = {
        "ZeroDivisionError": (
            "Your function divides by nothing here. Which number is zero, and what does that say about "
            "this case?"
        ),
        "NameError": "Your function uses a name that nobody has defined. Is it spelt as you meant it?",
        "UnboundLocalError": "Your function uses a name before giving it a value on this path.",
        "IndexError": "Your function reaches beyond the end of a list. What if the list is shorter than k?",
        "KeyError": "Your function looks up something that is not there.",
        "ModuleNotFoundError": (
            "Your function asks for a package that is not installed here. What would it do, written by hand?"
        ),
        "AttributeError": (
            "Your function asks an object for something it does not have. Is it a list, or a set?"
        ),
        "TypeError": "A value on that line is of a kind the line cannot use. Where does it come from?",
    }
    return sentences.get(
        name,
        "Your function stopped with an error on this case. What did that line expect, and what did it get?",
    )


def _printed(tries: list[_Try]) -> tuple[str, ...]:
    first = next((t.outcome.printed for t in tries if t.outcome.printed), "")
    return (f"Your function also printed: {first.splitlines()[0][:80]}",) if first else ()


def _reads_outside(function: Any) -> tuple[str, ...]:
    """A note where the function reads data of the notebook that are not among its arguments."""
    if not isinstance(function, FunctionType):
        return ()
    names = sorted(
        name
        for name in _global_names(function.__code__)
        if name in function.__globals__
        and not hasattr(builtins, name)
        and not callable(function.__globals__[name])
        and not isinstance(function.__globals__[name], ModuleType)
    )
    if not names:
        return ()
    made = (
        "that, it is not among the arguments, and it does not change"
        if len(names) == 1
        else "them, they are not among the arguments, and they do not change"
    )
    return (
        f"Your function reads {', '.join(names)} from outside: an earlier cell of the notebook made {made} "
        "from call to call.",
    )


def _global_names(code: CodeType) -> set[str]:
    names = {str(step.argval) for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    return names.union(*(_global_names(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
