"""Functions with one fault each, rebuilt after faults found in public code. They run, and they look right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

__all__ = [
    "average_recall",
    "graded_recall",
    "mean_recall",
    "plain_recall",
    "recall_of_list",
    "recall_with_numbers",
    "top_recall",
]


def plain_recall(retrieved_ids: Sequence[str], relevant_ids: Set[str], k: int) -> float | None:
    """Recall at k of one question."""
    if not relevant_ids:
        return None
    found = set(retrieved_ids) & relevant_ids
    return len(found) / len(relevant_ids)


def top_recall(retrieved_ids: Sequence[str], relevant_ids: Set[str], k: int) -> float | None:
    """Recall at k of one question."""
    if not relevant_ids:
        return None
    hits = 0
    for document in retrieved_ids[:k]:
        if document in relevant_ids:
            hits += 1
    return hits / len(relevant_ids)


def recall_of_list(retrieved_ids: Sequence[str], relevant_ids: Set[str], k: int) -> float | None:
    """Recall at k of one question."""
    if not relevant_ids:
        return None
    relevant = {document for document in retrieved_ids if document in relevant_ids}
    hits = relevant & set(retrieved_ids[:k])
    return len(hits) / len(relevant) if relevant else 0.0


def recall_with_numbers(retrieved_ids: Sequence[str], relevant_ids: Set[str], k: int) -> float | None:
    """Recall at k of one question."""
    if not relevant_ids:
        return None
    relevant = {int(document) for document in relevant_ids}
    top = {int(document) for document in retrieved_ids[:k]}
    return len(top & relevant) / len(relevant)


def graded_recall(retrieved_ids: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    """Recall at k of one question; a document is relevant from grade 1."""
    relevant = {document for document, grade in grades.items() if grade}
    if not relevant:
        return None
    return len(set(retrieved_ids[:k]) & relevant) / len(relevant)


def mean_recall(
    lists: Mapping[str, Sequence[str]], relevant: Mapping[str, Sequence[str]], k: int
) -> float | None:
    """Mean recall at k over the questions that have something to find."""
    values = []
    for question, retrieved_ids in lists.items():
        relevant_ids = set(relevant.get(question, []))
        if relevant_ids:
            values.append(len(set(retrieved_ids[:k]) & relevant_ids) / len(relevant_ids))
    return sum(values) / len(values) if values else None


def average_recall(hits: Sequence[int], relevant_counts: Sequence[int]) -> float | None:
    """Mean recall of the questions, from the hits and the R of each."""
    found = sum(hits)
    existing = sum(relevant_counts)
    return found / existing if existing else None
