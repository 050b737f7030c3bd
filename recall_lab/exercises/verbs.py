"""What a learner calls: check, hint, reveal, predict, progress, another, task, yours_or_ours."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from recall_lab.errors import RecallLabError, shorten
from recall_lab.exercises import registry, state
from recall_lab.exercises.answers import Unreadable, is_blank, kind_of, read_number
from recall_lab.exercises.feedback import Block, Page, Result, Verdict, laid_out
from recall_lab.exercises.kinds import RUNGS, BugHunt, Exercise, FunctionExercise
from recall_lab.exercises.kinds.labelling import meant
from recall_lab.exercises.overview import Overview
from recall_lab.exercises.reading import places_read
from recall_lab.exercises.variants import Seed, Variant, has_variants, make_variant

__all__ = [
    "another",
    "check",
    "export_progress",
    "hint",
    "import_progress",
    "predict",
    "progress",
    "reset_progress",
    "reveal",
    "task",
    "yours_or_ours",
]


def check(exercise: str | Variant, answer: Any = ...) -> Result:
    """Look at an answer and say what can be said about it.

    Parameters
    ----------
    exercise : the exercise's id, or a variant from :func:`another`.
    answer : whatever the exercise asks for; ``...`` while it is open.

    Returns
    -------
    Result
        ``.status`` is "passed", "not yet", "error in your code" or "not attempted"; ``.mistakes`` are the ids
        of the mistakes that give this very answer; ``.message`` is what the tutor says.

    Raises
    ------
    UnknownExerciseError : no lesson has this exercise.

    Examples
    --------
    >>> check("02.recall_by_hand", "1/2").status
    'passed'
    >>> check("02.recall_by_hand", 0.4).mistakes
    ('divided_by_k',)
    >>> check("02.recall_by_hand", ...).status
    'not attempted'
    """
    if isinstance(exercise, Variant):
        subject, data, variant = exercise.exercise, exercise.data, exercise
    else:
        subject, variant = registry.find(exercise), None
        data = subject.lesson()
    verdict = _judged(subject, data, answer)
    note = _record(subject, variant, verdict)
    if note:
        verdict = replace(verdict, notes=(*verdict.notes, note))
    several = verdict.status == "not yet" and len(verdict.mistakes) > 1 and has_variants(subject)
    follow_up = (
        make_variant(subject, "follow-up") if several and not isinstance(subject, FunctionExercise) else None
    )
    return Result(subject.id, verdict, places_read(subject.id, verdict.mistakes), follow_up)


def _judged(subject: Exercise[Any], data: Any, answer: Any) -> Verdict:
    try:
        return subject.check(data, answer)
    except RecallLabError:
        raise
    except Exception as error:  # only an object that fights being read gets here
        return Verdict("error in your code", f"Reading your answer failed with {type(error).__name__}.")


def _record(subject: Exercise[Any], variant: Variant | None, verdict: Verdict) -> str:
    if verdict.status == "not attempted":
        return ""
    if variant is not None:
        return state.note_practice(subject.id, verdict.status)
    return state.note_check(subject.id, verdict.status, verdict.mistakes)


def hint(exercise: str | Variant = "", rung: int | None = None) -> Page:
    """The next rung of three: the question in other words, where to look, a twin with other numbers.

    Parameters
    ----------
    exercise : the exercise's id, or a variant.
    rung : 1, 2 or 3, to see that one.

    Examples
    --------
    >>> print(hint("02.recall_by_hand", rung=1).text.splitlines()[0])
    Hint 1 of 3 · 02.recall_by_hand
    """
    subject = exercise.exercise if isinstance(exercise, Variant) else registry.find(exercise)
    data = exercise.data if isinstance(exercise, Variant) else subject.lesson()
    if rung is None:
        rung = min(_hints_seen(exercise) + 1, RUNGS)
    if type(rung) is not int or not 1 <= rung <= RUNGS:
        raise RecallLabError(f"rung is one of 1, 2, 3; got {rung!r}")
    shown_by = exercise.shown_by if isinstance(exercise, Variant) else f'"{subject.id}"'
    if isinstance(exercise, Variant):
        _hints_on_variants[shown_by] = rung
        note = ""
    else:
        note = state.note_hint(subject.id, rung)
    more = (
        f"Run hint({shown_by}) again for the next hint."
        if rung < RUNGS
        else f"That was the last hint. reveal({shown_by}) shows the worked answer."
    )
    lines = [subject.hint(rung, data), more, *([note] if note else [])]
    return Page((Block(f"Hint {rung} of {RUNGS} · {subject.id}", "heading"), *map(laid_out, lines)))


_hints_on_variants: dict[str, int] = {}  # hints shown in this kernel, by the variant's call


def _hints_seen(exercise: str | Variant) -> int:
    if isinstance(exercise, Variant):
        return _hints_on_variants.get(exercise.shown_by, 0)
    seen: int = state.read()[0]["exercises"].get(exercise, {}).get("hints", 0)
    return seen


def reveal(exercise: str | Variant = "") -> Page:
    """The worked cell of an exercise, or the way to the answer of a variant.

    Progress remembers that the worked cell of an exercise was shown before the exercise was passed.
    """
    if isinstance(exercise, Variant):
        worked = f"{exercise.prompt}\nHere: {exercise.exercise.worked(exercise.data)}."
        return Page((Block(f"Worked · {exercise.shown_by}", "heading"), Block(worked)))
    subject = registry.find(exercise)
    source = registry.solution_of(subject.id)
    if source is None:
        raise RecallLabError(
            f"the worked cell of {subject.id} is missing from this installation; install Recall Lab again"
        )
    note = state.note_reveal(subject.id)
    more = (
        f'Now without looking: another("{subject.id}").'
        if has_variants(subject)
        else "Now close it and do it again."
    )
    ahead, code = subject.revealed(source)
    blocks = [Block(f"Worked · {subject.id}", "heading"), Block(code, "code"), Block(more)]
    if ahead:
        blocks.insert(1, Block(ahead))
    return Page((*blocks, *([Block(note)] if note else [])))


def predict(prediction_id: str, value: Any = ...) -> Page:
    """Record a guess before the answer appears. Nothing depends on it, and the first guess is kept."""
    choices = registry.find_prediction(prediction_id)
    if is_blank(value):
        return Page(
            (Block("No guess yet. Put yours in place of the blank: a wrong one teaches more than none."),)
        )
    guess = _guess(value)
    if isinstance(choices, range):
        if guess not in map(str, choices):
            asked = f"A whole number from {choices[0]} to {choices[-1]}, please."
            return Page((Block(f"“{guess}” is not one of the choices. {asked}"),))
    elif choices and meant(guess.strip("\"' ."), choices) is None:
        listed = ", ".join(f'"{choice}"' for choice in choices)
        return Page((Block(f"“{guess}” is not one of the choices. Choose one of {listed}."),))
    note = state.note_prediction(prediction_id, guess)
    lines = [f"Noted: {guess}. Read on and see.", *([note] if note else [])]
    return Page(tuple(map(Block, lines)))


def _guess(value: Any) -> str:
    if type(value) is str:
        return shorten(" ".join(value.split()), 200)
    if type(value) is bool:
        return "yes" if value else "no"
    try:
        return read_number(value).typed
    except Unreadable:
        return kind_of(value)


def progress() -> Overview:
    """The whole workbook at a glance."""
    data, note = state.read()
    return Overview(tuple(registry.lessons().values()), data, note)


def another(exercise_id: str = "", *, harder: bool = False, seed: Seed | None = None) -> Variant | Page:
    """The same exercise with other numbers. The same seed gives the same numbers on every machine.

    An exercise that has one form only, or a prediction, gets a line that says so.

    Examples
    --------
    >>> print(another("02.recall_by_hand", seed="ada").call)
    check(another("02.recall_by_hand", seed='ada'), ...)
    """
    if registry.is_prediction(exercise_id):
        return Page((Block(f"{exercise_id} is a guess. There is nothing to practise in it; read on."),))
    subject = registry.find(exercise_id)
    if not has_variants(subject):
        return Page((Block(f'{subject.id} has one form only. task("{subject.id}") shows it again.'),))
    return make_variant(subject, random.randrange(10_000) if seed is None else seed, harder)


def task(exercise_id: str) -> Page:
    """The exercise as it is set, to read it again."""
    subject = registry.find(exercise_id)
    if isinstance(subject, BugHunt):
        story, question = Block(subject.story), Block(subject.question)
        content = [story, Block(subject.source(), "code"), question]
    else:
        content = [laid_out(subject.prompt(subject.lesson()))]
    return Page((Block(f"{subject.title} · {subject.id}", "heading"), *content))


def yours_or_ours(exercise_id: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The learner's function where it passes its check, else that of recall_lab; a printed line says which.

    Examples
    --------
    >>> def recall_at_k(retrieved_ids, relevant_ids, k):
    ...     ...
    >>> recall_at_k = yours_or_ours("03.recall_at_k", recall_at_k)
    This cell uses recall_at_k of recall_lab: yours is not written yet.
    """
    subject = registry.find(exercise_id)
    if not isinstance(subject, FunctionExercise):
        raise RecallLabError(f"{exercise_id} does not ask for a function")
    verdict = _judged(subject, subject.lesson(), function)
    if verdict.status == "passed":
        print(f"This cell uses your {subject.name_of(function)}.")
        return function
    why = "is not written yet" if verdict.status == "not attempted" else "does not pass its check yet"
    print(f"This cell uses {subject.function} of recall_lab: yours {why}.")
    return subject.ours()


def export_progress(target: str | os.PathLike[str]) -> Page:
    """Write a copy of the progress file, to take to another machine."""
    return Page((Block(f"Your progress is written to {state.export_to(target)}."),))


def import_progress(source: str | os.PathLike[str]) -> Page:
    """Add the progress in a file that :func:`export_progress` wrote. What is passed in either is passed."""
    note = state.import_from(source)
    return Page((Block(note or f"The progress in {source} is added to yours."),))


def reset_progress(lesson: str | None = None) -> Page:
    """Forget the progress, or that of one lesson such as "02". The old file is kept beside the new one."""
    if lesson is not None and lesson not in registry.lessons():
        raise RecallLabError(f"no lesson {lesson!r}; there are {', '.join(registry.lessons())}")
    note = state.reset(lesson)
    what = f"lesson {lesson}" if lesson else "all lessons"
    return Page((Block(note or f"The progress of {what} is forgotten; the old file is kept beside it."),))
