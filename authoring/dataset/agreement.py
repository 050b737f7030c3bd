"""Agreement of the two annotators: kappa, who confused what, and the grades after adjudication.

Run ``python -m authoring.dataset.agreement`` for the report. Label files are CSV with columns ``pair_id``,
``grade`` and ``reason``; ``adjudication.csv`` has one line for every pair on which the annotators differ.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from authoring.dataset.build import judge
from authoring.dataset.source import (
    SHIPPED_FOLDER,
    SOURCE_FOLDER,
    SourceError,
    read_annotation_key,
    read_pairs,
    read_source,
)

GRADES = (0, 1, 2)


class Label(NamedTuple):
    """What somebody decided about a pair, and why."""

    grade: int
    reason: str


Labels = dict[str, Label]


def read_labels(path: Path) -> Labels:
    """The labels of a file, by pair id. A missing reason, an unknown grade or a repeated pair is an error."""
    labels: Labels = {}
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, strict=True)
        if reader.fieldnames != ["pair_id", "grade", "reason"]:
            raise SourceError(
                f"{path.name}: expected the columns pair_id,grade,reason, found {reader.fieldnames}"
            )
        for row in reader:
            where = f"{path.name}, line {reader.line_num}"
            if row["grade"] not in {str(grade) for grade in GRADES}:
                raise SourceError(f"{where}: grade {row['grade']!r}, expected 0, 1 or 2")
            if not (row["reason"] or "").strip():
                raise SourceError(f"{where}: {row['pair_id']} has no reason")
            if row["pair_id"] in labels:
                raise SourceError(f"{where}: {row['pair_id']} is labelled twice")
            labels[row["pair_id"]] = Label(int(row["grade"]), row["reason"].strip())
    return labels


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's kappa of two lists of labels for the same things, in the same order.

    ``None`` where chance alone would always agree (both used one label throughout): kappa is then
    undefined.
    """
    if len(first) != len(second) or not first:
        raise ValueError(
            f"two lists of the same length, at least 1, are needed; found {len(first)}, {len(second)}"
        )
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    count_first, count_second = Counter(first), Counter(second)
    by_chance = sum(count_first[label] * count_second[label] for label in count_first) / n**2
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


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


def truth_of_pairs() -> dict[str, int]:
    """The grades that follow from the facts, by pair id. Annotators never see them."""
    source = read_source()
    judgments = judge(source, read_pairs(SOURCE_FOLDER / "reviewed_pairs.tsv"))
    key = read_annotation_key(SOURCE_FOLDER / "annotation_key.tsv")
    return {pair_id: judgments[question].get(passage, 0) for pair_id, (question, passage) in key.items()}


def report(folder: Path = SHIPPED_FOLDER / "annotation") -> str:
    """Everything there is to say about the labels, as text."""
    labels_a, labels_b = (grades_of(read_labels(folder / f"annotator_{name}.csv")) for name in "ab")
    final = settle(labels_a, labels_b, read_labels(folder / "adjudication.csv"))
    truth = truth_of_pairs()
    lines = []
    for title, first, second in (
        ("annotator a against annotator b", labels_a, labels_b),
        ("annotator a against the truth", labels_a, truth),
        ("annotator b against the truth", labels_b, truth),
        ("settled labels against the truth", final, truth),
    ):
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
