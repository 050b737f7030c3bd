"""Derive the judgments from the claims of passages and the needs of questions."""

from __future__ import annotations

from collections.abc import Mapping

from authoring.dataset.cards import CARD_PREFIX
from authoring.dataset.source import Passage, Question, Source, SourceError, matching_items

Judgments = dict[str, dict[str, int]]
"""Grades by question id and passage id."""


def grade(question: Question, passage: Passage) -> int:
    """The grade that follows from the claims.

    2: the passage states everything one of the needs asks for. 1: it states a part, or the same fact as
    another edition had it. 0: neither.
    """
    if any(need <= passage.claims for need in question.needs):
        return 2
    stated = {claim.fact for claim in passage.claims}
    asked = {claim.fact for need in question.needs for claim in need}
    return 1 if stated & asked else 0


def judge(source: Source, looked_at: Mapping[str, set[str]]) -> Judgments:
    """Grades of every passage that bears on a question, and of every passage that was looked at for it."""
    judgments: Judgments = {}
    for question in source.questions.values():
        grades = {passage.id: grade(question, passage) for passage in source.passages.values()}
        for conditions in question.card_conditions:
            for item in matching_items(source.items, conditions):
                grades[f"{CARD_PREFIX}{item.code}"] = 2
        for passage_id in question.partial:
            if grades.get(passage_id) != 0:
                raise SourceError(
                    f"question {question.id}: part: {passage_id} is no passage or already has the grade "
                    f"{grades.get(passage_id)}"
                )
            grades[passage_id] = 1
        seen = looked_at.get(question.id, set())
        judgments[question.id] = {
            passage_id: value for passage_id, value in grades.items() if value > 0 or passage_id in seen
        }
    return judgments
