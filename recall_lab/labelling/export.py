"""Grades as files that this library, trec_eval and BEIR's tools read."""

from __future__ import annotations

import os
from collections.abc import Mapping

from recall_lab.errors import RecallLabError
from recall_lab.formats import write_golden, write_judgments
from recall_lab.formats.text import path_as_text
from recall_lab.labelling.pairs import Id, PairId
from recall_lab.notices import Notice


def as_judgments(grades: Mapping[PairId, int]) -> dict[Id, dict[Id, int]]:
    """Grades by pair as judgments by question, as :class:`recall_lab.GoldenDataset` takes them.

    >>> as_judgments({("q1", "d1"): 2, ("q2", "d1"): 0, ("q1", "d3"): 0})
    {'q1': {'d1': 2, 'd3': 0}, 'q2': {'d1': 0}}
    """
    judgments: dict[Id, dict[Id, int]] = {}
    for (query_id, passage_id), grade in grades.items():
        judgments.setdefault(query_id, {})[passage_id] = grade
    return judgments


def export_grades(
    path: str | os.PathLike[str],
    grades: Mapping[PairId, int],
    *,
    min_grade: int | None = None,
    questions: Mapping[Id, str] | None = None,
) -> list[Notice]:
    """Write grades as judgments; the ending of the name says how.

    ``.tsv`` is BEIR's table and any other ending TREC lines: both hold every grade. ``.csv`` and ``.jsonl``
    list the relevant passages of each question, and a question without one has an empty list.

    Parameters
    ----------
    path : the file.
    grades : the grade of each pair, such as ``log.grades`` or what ``Agreement.settle`` returns.
    min_grade : a passage is relevant from this grade; needed for ``.csv`` and ``.jsonl``.
    questions : the questions' texts, for ``.csv`` and ``.jsonl``.

    Returns
    -------
    list of Notice : what the format could not hold.

    Raises
    ------
    RecallLabError : ``min_grade`` is needed, or the format cannot hold an id. FolderError : the file cannot
        be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> grades = {("q1", "d1"): 2, ("q1", "d3"): 1, ("q2", "d1"): 0}
    >>> export_grades(folder / "qrels.txt", grades)
    []
    >>> print((folder / "qrels.txt").read_text(), end="")
    q1 0 d1 2
    q1 0 d3 1
    q2 0 d1 0
    >>> export_grades(folder / "golden.csv", grades, min_grade=2)
    []
    >>> (folder / "golden.csv").read_text()
    'query_id,relevant_ids\\nq1,d1\\nq2,\\n'
    """
    judgments = as_judgments(grades)
    if not path_as_text(path).lower().removesuffix(".gz").endswith((".csv", ".jsonl")):
        return write_judgments(path, judgments)
    if min_grade is None:
        raise RecallLabError(
            f"{path_as_text(path)} lists relevant passages, so say from which grade a passage is relevant: "
            "min_grade=2; a .tsv or .txt file holds the grades themselves"
        )
    relevant = {
        query_id: [passage_id for passage_id, grade in judged.items() if grade >= min_grade]
        for query_id, judged in judgments.items()
    }
    write_golden(path, relevant, questions)
    return []
