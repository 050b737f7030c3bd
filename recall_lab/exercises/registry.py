"""Which lessons and exercises there are. A lesson is a module ``lesson_NN.py``, its classes the exercises."""

from __future__ import annotations

import difflib
import importlib
import json
import pkgutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import recall_lab.exercises
from recall_lab.errors import UnknownExerciseError, shorten
from recall_lab.exercises.kinds import Exercise

__all__ = ["Lesson", "exercise_ids", "find", "find_prediction", "is_prediction", "lessons", "solution_of"]


@dataclass(frozen=True)
class Lesson:
    """A lesson's exercises in the order in which the lesson sets them, and its predictions (text by id).

    ``reading_order`` holds the headings that the catalogue of mistakes names and the ids of the exercises, as
    they follow each other in the notebook; ``choices`` the answers to a prediction, where it offers some:
    words or a range of whole numbers.
    """

    number: str
    title: str
    exercises: tuple[Exercise[Any], ...]
    predictions: dict[str, str]
    reading_order: tuple[str, ...]
    choices: dict[str, tuple[str, ...] | range]


@cache
def lessons() -> dict[str, Lesson]:
    """All lessons by number.

    >>> lessons()["02"].title
    'Recall by hand'
    """
    package = recall_lab.exercises
    names = sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.name.startswith("lesson_"))
    found = [_lesson(importlib.import_module(f"{package.__name__}.{name}")) for name in names]
    return {lesson.number: lesson for lesson in found}


def _lesson(module: ModuleType) -> Lesson:
    exercises = tuple(
        item()
        for item in vars(module).values()
        if isinstance(item, type)
        and issubclass(item, Exercise)
        and item.__module__ == module.__name__
        and "id" in vars(item)
    )
    return Lesson(
        module.__name__.rpartition("_")[2],
        module.TITLE,
        exercises,
        module.PREDICTIONS,
        module.READING_ORDER,
        module.CHOICES,
    )


def exercise_ids() -> list[str]:
    """The ids of all exercises and predictions, lesson by lesson."""
    return [
        id for lesson in lessons().values() for id in [*(e.id for e in lesson.exercises), *lesson.predictions]
    ]


def find(exercise_id: object) -> Exercise[Any]:
    """The exercise with this id.

    Raises
    ------
    UnknownExerciseError : no lesson has it; the message names the nearest ids.

    Examples
    --------
    >>> find("02.recall_by_hand").title
    'Recall at five'
    >>> find("03.fixtur")
    Traceback (most recent call last):
    ...
    recall_lab.errors.UnknownExerciseError: no exercise is called '03.fixtur'; did you mean '03.fixture'?
    """
    known = {exercise.id: exercise for lesson in lessons().values() for exercise in lesson.exercises}
    return known[_known(exercise_id, list(known), "exercise")]


def find_prediction(prediction_id: object) -> tuple[str, ...] | range:
    """The choices a prediction offers, none where any guess will do; UnknownExerciseError for another id."""
    choices = {id: lesson.choices.get(id, ()) for lesson in lessons().values() for id in lesson.predictions}
    return choices[_known(prediction_id, list(choices), "prediction")]


def is_prediction(id: object) -> bool:
    """Whether a prediction has this id."""
    return type(id) is str and any(id in lesson.predictions for lesson in lessons().values())


def _known(id: object, known: list[str], what: str) -> str:
    if type(id) is not str or not id:
        raise UnknownExerciseError(f"the id of the {what} comes first, as a text such as {known[0]!r}")
    if id in known:
        return id
    near = (
        difflib.get_close_matches(id, known, n=2, cutoff=0.75)
        or [k for k in known if k.partition(".")[2] == id][:2]
    )
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "progress() lists them all"
    raise UnknownExerciseError(f"no {what} is called {shorten(id)!r}; {hint}")


@cache
def _solutions() -> dict[str, dict[str, str]]:
    path = Path(__file__).with_name("solutions.json")
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def solution_of(exercise_id: str) -> str | None:
    """The worked cell, from the table the builder makes out of the lessons; None where it is missing."""
    entry = _solutions().get(exercise_id)
    return entry["source"] if entry else None
