"""Exercises that recognise the mistake: check, hint, reveal, predict, progress, another.

An exercise is a small class in a module ``lesson_NN.py``, derived from one of the :mod:`kinds`. It names
its data, the right computation (a :class:`~recall_lab.exercises.recipe.Recipe`) and the mistakes of the
catalogue (:mod:`misconceptions`) that a learner can make in it; checking, naming the mistake, hints,
variants and tests follow from that. The worked cell comes from the lesson's notebook source and stands
nowhere else.
"""

from recall_lab.exercises.own import own_folder, own_golden
from recall_lab.exercises.registry import exercise_ids
from recall_lab.exercises.verbs import (
    another,
    check,
    export_progress,
    hint,
    import_progress,
    predict,
    progress,
    reset_progress,
    reveal,
    task,
    yours_or_ours,
)

__all__ = [
    "another",
    "check",
    "exercise_ids",
    "export_progress",
    "hint",
    "import_progress",
    "own_folder",
    "own_golden",
    "predict",
    "progress",
    "reset_progress",
    "reveal",
    "task",
    "yours_or_ours",
]
