"""The misconception fixture: one small data set on which every mistake of the catalogue prints its own number.

Seven questions, k = 5, relevant means grade 2. Written by rank, one letter a result: R relevant, D a repeat of
that question's second R, m grade 1, n judged 0, u unjudged. The document ids are whole numbers written as text,
so that they can be read as numbers by accident.
"""

from __future__ import annotations

from itertools import count

from recall_lab.exercises.recipe import Query, Sheet

__all__ = ["K", "MIN_GRADE", "SHEET", "judgments", "rows", "runs"]

K = 5
MIN_GRADE = 2

# question: relevant documents that exist, grade-1 documents that exist, the list by rank
_LISTS = {
    "a": (10, 1, "RRDnRnRunn"),
    "b": (2, 1, "nnRuRumn"),
    "c": (3, 3, "muRuuRumR"),
    "d": (1, 0, ""),
    "e": (0, 1, "uunmnnuu"),
    "f": (2, 0, "unnnuRn"),
    "g": (0, 0, "nuu"),
}
_FILED = {"c": (1, 2, 3, 6, 5, 4, 7, 8, 9)}  # ranks in the order of the file's lines; the others are sorted


def _query(name: str, relevant: int, partly: int, letters: str, first_id: int) -> Query:
    number = count(first_id)
    grades: dict[str, int] = {}
    retrieved: list[str] = []
    hits: list[str] = []
    for letter in letters:
        document = hits[1] if letter == "D" else str(next(number))
        retrieved.append(document)
        if letter == "R":
            hits.append(document)
        if letter in "Rmn":
            grades[document] = {"R": 2, "m": 1, "n": 0}[letter]
    missing = [2] * (relevant - letters.count("R")) + [1] * (partly - letters.count("m"))
    grades |= {str(next(number)): grade for grade in missing}
    return Query(name, tuple(retrieved), grades, _FILED.get(name, ()))


SHEET = Sheet(
    tuple(_query(name, *parts, first_id=100 * i + 1) for i, (name, parts) in enumerate(_LISTS.items(), 1)),
    k=K,
    min_grade=MIN_GRADE,
)


def rows() -> list[tuple[str, int, str]]:
    """The run as a file would hold it: (question, rank, document), in the order of the lines.

    Question d has no line, because its list is empty.

    >>> rows()[:3]
    [('a', 1, '101'), ('a', 2, '102'), ('a', 3, '102')]
    """
    return [(query.name, rank, document) for query in SHEET.queries for rank, document in query.lines()]


def judgments() -> dict[str, dict[str, int]]:
    """Grades by question and document, with every question named.

    >>> judgments()["g"]
    {'701': 0}
    """
    return {query.name: dict(query.grades) for query in SHEET.queries}


def runs() -> list[tuple[list[str], set[str]]]:
    """The same data as pairs (retrieved ids by rank, relevant ids), one a question.

    >>> retrieved, relevant = runs()[1]
    >>> len(retrieved), sorted(relevant)
    (8, ['203', '205'])
    """
    return [(list(query.retrieved), query.relevant(MIN_GRADE)) for query in SHEET.queries]
