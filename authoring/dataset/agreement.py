"""Agreement of the two annotators: kappa, who confused what, and the grades after adjudication.

Run ``python -m authoring.dataset.agreement`` for the report. Label files are CSV with columns ``pair_id``,
``grade`` and ``reason``; ``adjudication.csv`` has one line for every pair on which the annotators differ.
``truth_review.csv`` has one for every pair on which the settled label and the truth differed when they were
first compared: the grade the truth had, the grade it has now, and why.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from authoring.dataset.judging import Judgments, judge
from authoring.dataset.source import (
    SHIPPED_FOLDER,
    SOURCE_FOLDER,
    AnnotationKey,
    SourceError,
    read_annotation_key,
    read_pairs,
    read_source,
)
from recall_lab.labelling import cohen_kappa

GRADES = (0, 1, 2)


class Label(NamedTuple):
    """What somebody decided about a pair, and why."""

    grade: int
    reason: str


Labels = dict[str, Label]


class Review(NamedTuple):
    """The grade the truth gave a pair before its review and gives it after, and why."""

    before: int
    after: int
    reason: str


def read_labels(path: Path) -> Labels:
    """The labels of a file, by pair id. A missing reason, an unknown grade or a repeated pair is an error."""
    return {
        pair_id: Label(int(row["grade"]), row["reason"])
        for pair_id, row in _read_grades(path, ["grade"]).items()
    }


def read_reviews(path: Path) -> dict[str, Review]:
    """The reviewed grades of the truth, by pair id; read as strictly as labels are."""
    return {
        pair_id: Review(int(row["before"]), int(row["after"]), row["reason"])
        for pair_id, row in _read_grades(path, ["before", "after"]).items()
    }


def _read_grades(path: Path, columns: list[str]) -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    expected = ["pair_id", *columns, "reason"]
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, strict=True)
        if reader.fieldnames != expected:
            raise SourceError(
                f"{path.name}: expected the columns {','.join(expected)}, found {reader.fieldnames}"
            )
        for row in reader:
            where = f"{path.name}, line {reader.line_num}"
            for column in columns:
                if row[column] not in {str(grade) for grade in GRADES}:
                    raise SourceError(f"{where}: grade {row[column]!r}, expected 0, 1 or 2")
            if not (row["reason"] or "").strip():
                raise SourceError(f"{where}: {row['pair_id']} has no reason")
            if row["pair_id"] in rows:
                raise SourceError(f"{where}: {row['pair_id']} is labelled twice")
            rows[row["pair_id"]] = row | {"reason": row["reason"].strip()}
    return rows


def confusion(first: Mapping[str, int], second: Mapping[str, int]) -> dict[tuple[int, int], int]:
    """How many pairs have each combination of grades (first, second)."""
    counts = Counter((first[pair_id], second[pair_id]) for pair_id in first)
    return {(a, b): counts[a, b] for a in GRADES for b in GRADES}


def disagreements(first: Mapping[str, int], second: Mapping[str, int]) -> list[str]:
    """The pairs on which two sets of grades differ, in order."""
    if first.keys() != second.keys():
        raise SourceError(f"labelled by one annotator only: {sorted(first.keys() ^ second.keys())[:5]}")
    return [pair_id for pair_id in sorted(first) if first[pair_id] != second[pair_id]]


def settle(first: Mapping[str, int], second: Mapping[str, int], adjudication: Labels) -> dict[str, int]:
    """The final grades: what both said, or what adjudication decided where they differ.

    Adjudication covers exactly the pairs on which they differ; anything else is an error.
    """
    differ = disagreements(first, second)
    if set(differ) != adjudication.keys():
        raise SourceError(
            f"adjudication.csv must settle exactly the {len(differ)} disagreements; "
            f"missing or too many: {sorted(set(differ) ^ adjudication.keys())[:5]}"
        )
    return {
        pair_id: adjudication[pair_id].grade if pair_id in adjudication else first[pair_id]
        for pair_id in first
    }


def grades_of(labels: Labels) -> dict[str, int]:
    """The grades of labels, without the reasons."""
    return {pair_id: label.grade for pair_id, label in labels.items()}


def compare(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, float | None]:
    """Kappa of the three grades, kappa of relevant (grade 2) against the rest, share of equal grades."""
    ids = sorted(first)
    left, right = [first[pair_id] for pair_id in ids], [second[pair_id] for pair_id in ids]
    return {
        "kappa_grades": cohen_kappa(left, right),
        "kappa_relevant": cohen_kappa([grade == 2 for grade in left], [grade == 2 for grade in right]),
        "equal": 1 - len(disagreements(first, second)) / len(ids),
    }


def truth_of_pairs(judgments: Judgments, key: AnnotationKey) -> dict[str, int]:
    """The grades that follow from the facts, by pair id. Annotators never see them."""
    return {pair_id: judgments[question].get(passage, 0) for pair_id, (question, passage) in key.items()}


def truth_before_review(truth: Mapping[str, int], reviews: Mapping[str, Review]) -> dict[str, int]:
    """The grades of the truth when it was first compared with the settled labels."""
    for pair_id, review in reviews.items():
        if truth.get(pair_id) != review.after:
            raise SourceError(
                f"truth_review.csv: {pair_id} should have the grade {review.after} by now, "
                f"the truth gives it {truth.get(pair_id)}"
            )
    return {
        pair_id: reviews[pair_id].before if pair_id in reviews else grade for pair_id, grade in truth.items()
    }


class Comparison(NamedTuple):
    """Two sets of grades for the same pairs, under a title."""

    title: str
    first: Mapping[str, int]
    second: Mapping[str, int]


def comparisons(judgments: Judgments, key: AnnotationKey, folder: Path) -> list[Comparison]:
    """Who is compared with whom. Only the last one knows the truth as it was mended after the labels."""
    labels_a, labels_b = (grades_of(read_labels(folder / f"annotator_{name}.csv")) for name in "ab")
    settled = settle(labels_a, labels_b, read_labels(folder / "adjudication.csv"))
    truth = truth_of_pairs(judgments, key)
    before = truth_before_review(truth, read_reviews(folder / "truth_review.csv"))
    return [
        Comparison("annotator a against annotator b", labels_a, labels_b),
        Comparison("annotator a against the truth as it was", labels_a, before),
        Comparison("annotator b against the truth as it was", labels_b, before),
        Comparison("settled labels against the truth as it was", settled, before),
        Comparison("settled labels against the truth after its review", settled, truth),
    ]


def report() -> str:
    """Everything there is to say about the labels, as text."""
    judgments = judge(read_source(), read_pairs(SOURCE_FOLDER / "reviewed_pairs.tsv"))
    key = read_annotation_key(SOURCE_FOLDER / "annotation_key.tsv")
    lines = []
    for title, first, second in comparisons(judgments, key, SHIPPED_FOLDER / "annotation"):
        lines += [f"{title}: {len(first)} pairs"]
        lines += [
            f"  {name} {'undefined' if value is None else f'{value:.3f}'}"
            for name, value in compare(first, second).items()
        ]
        table = confusion(first, second)
        lines += [f"  grade {a}: " + " ".join(f"{table[a, b]:4}" for b in GRADES) for a in GRADES]
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
