"""The misconception fixture: one small data set on which every mistake of the catalogue prints its own number.

Seven questions, k = 5, relevant means grade 2. Written by rank, one letter a result: R relevant, D a repeat of
that question's second R, m grade 1, n judged 0, u unjudged. The document ids are whole numbers written as text,
so that they can be read as numbers by accident.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from recall_lab.exercises.recipe import Query, Sheet

__all__ = ["FILED", "K", "LISTS", "Lists", "MIN_GRADE", "SHEET", "build", "judgments", "letters", "rows", "runs"]

K = 5
MIN_GRADE = 2

Lists = dict[str, tuple[int, int, str]]

# question: relevant documents that exist, grade-1 documents that exist, the list by rank
LISTS: Lists = {
    "a": (10, 1, "RRDnRnRunn"),
    "b": (2, 1, "nnRuRumn"),
    "c": (3, 3, "muRuuRumR"),
    "d": (1, 0, ""),
    "e": (0, 1, "uunmnnuu"),
    "f": (2, 0, "unnnuRn"),
    "g": (0, 0, "nuu"),
}
FILED: dict[str, tuple[int, ...]] = {"c": (1, 2, 3, 6, 5, 4, 7, 8, 9)}  # ranks in the order of the file's lines; the others are sorted


def build(lists: Lists, filed: Mapping[str, tuple[int, ...]]) -> Sheet:
    """A sheet from lists in letters."""
    queries = (_query(name, *parts, 100 * i + 1, filed.get(name, ())) for i, (name, parts) in enumerate(lists.items(), 1))
    return Sheet(tuple(queries), k=K, min_grade=MIN_GRADE)


def _query(name: str, relevant: int, partly: int, text: str, first_id: int, filed: tuple[int, ...]) -> Query:
    number = count(first_id)
    grades: dict[str, int] = {}
    retrieved: list[str] = []
    hits: list[str] = []
    for letter in text:
        document = hits[1] if letter == "D" else str(next(number))
        retrieved.append(document)
        if letter == "R":
            hits.append(document)
        if letter in "Rmn":
            grades[document] = {"R": 2, "m": 1, "n": 0}[letter]
    missing = [2] * (relevant - text.count("R")) + [1] * (partly - text.count("m"))
    grades |= {str(next(number)): grade for grade in missing}
    return Query(name, tuple(retrieved), grades, filed)


SHEET = build(LISTS, FILED)


def letters(query: Query) -> str:
    """The list of a question in letters.

    >>> letters(SHEET.queries[0])
    'RRDnRnRunn'
    """
    seen: set[str] = set()
    text = ""
    for document in query.retrieved:
        grade = query.grades.get(document)
        text += "D" if document in seen else "u" if grade is None else "nmR"[grade]
        seen.add(document)
    return text


def rows(sheet: Sheet = SHEET) -> list[tuple[str, int, str]]:
    """The run as a file would hold it: (question, rank, document), in the order of the lines.

    Question d has no line, because its list is empty.

    >>> rows()[:3]
    [('a', 1, '101'), ('a', 2, '102'), ('a', 3, '102')]
    """
    return [(query.name, rank, document) for query in sheet.queries for rank, document in query.lines()]


def judgments(sheet: Sheet = SHEET) -> dict[str, dict[str, int]]:
    """Grades by question and document, with every question named.

    >>> judgments()["g"]
    {'701': 0}
    """
    return {query.name: dict(query.grades) for query in sheet.queries}


def runs(sheet: Sheet = SHEET) -> list[tuple[list[str], set[str]]]:
    """The same data as pairs (retrieved ids by rank, relevant ids), one a question.

    >>> retrieved, relevant = runs()[1]
    >>> len(retrieved), sorted(relevant)
    (8, ['203', '205'])
    """
    return [(list(query.retrieved), query.relevant(sheet.min_grade)) for query in sheet.queries]
