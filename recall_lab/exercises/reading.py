"""Where to read again: never a place that the learner has not come to yet."""

from __future__ import annotations

from collections.abc import Iterable

from recall_lab.exercises import registry
from recall_lab.exercises.misconceptions import CATALOGUE, Mistake

__all__ = ["GLOSSARY", "place_read", "places_read"]

GLOSSARY = {
    "precision beside recall": "Precision",
    "hit rate is not recall": "Hit rate",
    "recall is a share": "Recall",
    "a question with nothing to find": "Undefined",
    "the mean over questions": "Macro mean",
    "which questions count": "Macro mean",
    "macro and micro": "Micro mean",
    "the ceiling": "Ceiling",
    "when k is too small": "Ceiling",
    "the ceiling is a recall": "Ceiling",
    "the ceiling is about what exists": "Ceiling",
    "a score beside its ceiling": "Ceiling",
    "the ratio of the means": "Ceiling",
    "many questions": "Ceiling",
    "on real text": "Ceiling",
    "capped recall": "Capped recall",
    "the cutoff k": "Cutoff k",
    "where the cut falls": "Cutoff k",
    "order inside the top k": "Cutoff k",
    "what exists and what was found": "R",
    "the denominator": "R",
    "a passage that comes twice": "Hit",
    "a question without results": "Run",
    "order comes from the rank": "Ranked list",
    "ids are text": "Judgment",
    "the grade that means relevant": "Grade",
    "unjudged passages": "Judgment",
}
"""The glossary's entry that stands in for a section still to come."""


def places_read(exercise_id: str, mistakes: Iterable[str]) -> tuple[str, ...]:
    """Where a learner at this exercise has read about the mistakes, each place once.

    Examples
    --------
    >>> places_read("02.sheet_mean", ["nothing_relevant_as_zero", "micro"])
    ('lesson 02, a question with nothing to find', 'the glossary, Micro mean')
    """
    known = (CATALOGUE[id] for id in mistakes if id in CATALOGUE)
    return tuple(dict.fromkeys(place_read(exercise_id, mistake) for mistake in known))


def place_read(exercise_id: str, mistake: Mistake) -> str:
    """The mistake's section where it comes before the exercise, else an entry of the glossary."""
    number = exercise_id.partition(".")[0]
    lessons = registry.lessons()
    if mistake.lesson in lessons and mistake.lesson < number:
        return mistake.section
    order = lessons[number].reading_order
    if mistake.lesson == number and mistake.topic in order[: order.index(exercise_id)]:
        return mistake.section
    return f"the glossary, {GLOSSARY[mistake.topic]}"
