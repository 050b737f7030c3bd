"""The misconception fixture: one small data set on which every mistake prints its own number.

Seven questions, k = 5, relevant means grade 2. Written by rank, one letter a result: R relevant, D a repeat
of that question's second R, m grade 1, n judged 0, u unjudged. The document ids are whole numbers written
as text, so that they can be read as numbers by accident.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import count

from recall_lab.exercises.recipe import Query, Sheet

__all__ = [
    "FILED",
    "K",
    "LISTS",
    "Lists",
    "MIN_GRADE",
    "SHEET",
    "build",
    "judgments",
    "letters",
    "rows",
    "runs",
    "sibling",
]

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
FILED: dict[str, tuple[int, ...]] = {
    "c": (1, 2, 3, 6, 5, 4, 7, 8, 9)
}  # ranks in the order of the file's lines; the others are sorted

# Other data on which every mistake prints a number of its own, for variants. Found by a long search, as
# lists drawn freely hardly ever do. One line a data set, for the questions a to g: relevant.grade-1.list
_SIBLINGS = (
    "10.1.RRDuRnRnnn 2.1.unRnRunm 6.3.uRmuuRmuR 1.0. 0.1.nunnumuu 3.0.unnnuRn 0.0.nuu",
    "18.1.RRDnunRnnR 8.1.uRmnnRun 7.3.umumuRuRR 1.0. 0.1.nmunuunu 1.0.unnnRnu 0.0.nuu",
    "17.1.RnRDRnnunR 6.1.umnnnRRu 3.3.muRRmuRuu 1.0. 0.1.uunnunmu 1.0.nnnuRnu 0.0.nuu",
    "12.1.nRRDRRnnnu 4.1.RnRmnnuu 5.3.umuumRRuR 1.0. 0.1.nuuumunn 1.0.nunnRnu 0.0.nuu",
    "29.1.RnRDRnuRnn 2.1.unnRRmun 3.3.uRmRuuumR 1.0. 0.1.unuunnmu 1.0.ununnRn 0.0.nuu",
    "14.1.nRRDRRnnnu 2.1.umnRRnun 7.3.RuumuRmRu 1.0. 0.1.ununmnuu 5.0.nnnnuRu 0.0.nuu",
    "9.1.RnRDRnunRn 2.1.uuRnRmnn 5.3.muumRRuuR 1.0. 0.1.nuunmnuu 4.0.nuunnRn 0.0.nuu",
    "11.1.RnRRDunnRn 2.1.unnunRmR 4.3.umuRRumRu 1.0. 0.1.unuunnum 1.0.nunnRnu 0.0.nuu",
    "15.1.RRDnRRnunn 2.1.uRmnRunn 3.3.uRuRuumRm 1.0. 0.1.mnnuunuu 1.0.nunnuRn 0.0.nuu",
    "20.1.RnRRDunRnn 2.1.muRuRnnn 5.3.uRmmuRuuR 1.0. 0.1.uununmun 1.0.nnunnRu 0.0.nuu",
    "30.1.RRDnRnuRnn 2.1.nRnRumnu 5.3.uumuRRRmu 1.0. 0.1.nmnnuuuu 1.0.nnuunRn 0.0.nuu",
    "7.1.RRnDRRnnun 2.1.unumnRnR 10.3.uuuRRmumR 1.0. 0.1.unnmuuun 1.0.unnRunn 0.0.nuu",
    "4.1.RRRnDnRunn 2.1.mnRnRnuu 7.3.umRRuuRmu 1.0. 0.1.unununum 6.0.nununRn 0.0.nuu",
    "14.1.RnRRDnRnnu 2.1.uunRRmnn 9.3.RuuumRRmu 1.0. 0.1.unuunnmu 3.0.nnunnRu 0.0.nuu",
    "6.1.RRDnRnunnR 2.1.muRnRnun 3.3.mRuumRuuR 1.0. 0.1.umununnu 5.0.nuunnRn 0.0.nuu",
    "11.1.RRuDRnnRnn 2.1.nRmuRnnu 5.3.RmuRuuRmu 1.0. 0.1.nunuunum 4.0.nunnuRn 0.0.nuu",
    "10.1.RRRDnnunnR 4.1.mununRRn 3.3.uRmRmuuRu 1.0. 0.1.uuunnmun 1.0.unnnRnu 0.0.nuu",
    "19.1.RuRnDnnRnR 5.1.nnmuRuRn 3.3.muRRRumuu 1.0. 0.1.munnuunu 1.0.unnnuRn 0.0.nuu",
    "24.1.RnRRDnnnRu 2.1.RnnmRnuu 5.3.uRmmuRuRu 1.0. 0.1.nunuumnu 1.0.nnuunRn 0.0.nuu",
    "14.1.nRRDRnnRnu 2.1.RnnRunum 3.3.ummRRuuRu 1.0. 0.1.unmnnuuu 1.0.nnnnuRu 0.0.nuu",
)


def sibling(rng: random.Random) -> Sheet:
    """A data set like the fixture with other numbers; the questions trade their names."""
    names = rng.sample(list(LISTS), len(LISTS))
    entries = [entry.split(".") for entry in rng.choice(_SIBLINGS).split(" ")]
    lists = {
        name: (int(relevant), int(partly), text)
        for name, (relevant, partly, text) in zip(names, entries, strict=True)
    }
    swapped = names[list(LISTS).index("c")]
    return build(dict(sorted(lists.items())), {swapped: FILED["c"]})


def build(lists: Lists, filed: Mapping[str, tuple[int, ...]]) -> Sheet:
    """A sheet from lists in letters."""
    queries = (
        _query(name, *parts, 100 * i + 1, filed.get(name, ()))
        for i, (name, parts) in enumerate(lists.items(), 1)
    )
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
