"""Fill the numbers into the datasheet: its words are written by hand, every number is counted here."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from string import Template

from authoring.dataset import annotation
from authoring.dataset.agreement import (
    GRADES,
    Comparison,
    compare,
    comparisons,
    confusion,
    disagreements,
    read_reviews,
)
from authoring.dataset.judging import Judgments
from authoring.dataset.source import SHIPPED_FOLDER, SOURCE_FOLDER, Source, read_annotation_key

CUTOFFS = (1, 3, 5, 10, 20, 50)
SPREAD = {"0": 0, "1": 1, "2": 2, "3–5": 5, "6–10": 10, "11–20": 20, "21–36": 36}
"""Names and upper ends of the groups of questions by their number of relevant passages."""


def datasheet(
    source: Source,
    judgments: Judgments,
    lexical_pool: Mapping[str, set[str]],
    source_folder: Path = SOURCE_FOLDER,
    annotation_folder: Path = SHIPPED_FOLDER / "annotation",
) -> str:
    """The datasheet as it ships. A name in the template that nobody counts is an error."""
    template = (source_folder / "DATASHEET.md").read_text(encoding="utf-8")
    values = (
        {name: source.about[name] for name in ("title", "version", "licence")}
        | _corpus_numbers(source, source_folder)
        | _judgment_numbers(source, judgments, lexical_pool)
        | _annotation_numbers(source, judgments, source_folder, annotation_folder)
    )
    return Template(template).substitute({name: str(value) for name, value in values.items()})


def relevant_counts(judgments: Judgments) -> dict[str, int]:
    """How many passages answer each question."""
    return {question_id: list(grades.values()).count(2) for question_id, grades in judgments.items()}


def spread(counts: Iterable[int]) -> dict[str, int]:
    """How many questions have about that many relevant passages."""
    names = Counter(next(name for name, upper in SPREAD.items() if count <= upper) for count in counts)
    return {name: names[name] for name in SPREAD}


def mean_ceiling(counts: Iterable[int], k: int) -> float:
    """The highest mean recall@k that any system can reach, over the questions that can be answered."""
    return fmean(min(k, count) / count for count in counts if count)


def _corpus_numbers(source: Source, folder: Path) -> dict[str, object]:
    cards = [passage for passage in source.passages.values() if passage.kind == "card"]
    prose = [passage for passage in source.passages.values() if passage.kind != "card"]
    editions: dict[str, set[str]] = {}
    for claim in source.facts:
        editions.setdefault(claim.fact, set()).add(claim.edition)
    return {
        "passages": len(source.passages),
        "prose": len(prose),
        "cards": len(cards),
        "prose_words": round(fmean(len(passage.text.split()) for passage in prose)),
        "card_words": round(fmean(len(passage.text.split()) for passage in cards)),
        "chapters": len({passage.chapter for passage in prose}),
        "outdated": sum(
            any(claim.edition and claim.edition != max(editions[claim.fact]) for claim in passage.claims)
            for passage in prose
        ),
        "split_passages": sum(bool(passage.joins) for passage in prose),
        "facts": len(editions),
        "versioned_facts": sum(len(known) > 1 for known in editions.values()),
        "near_duplicates": _rows(folder / "near_duplicates.csv"),
        "vocabulary_pairs": _rows(folder / "vocabulary.csv"),
        "questions": len(source.questions),
    }


def _judgment_numbers(
    source: Source, judgments: Judgments, lexical_pool: Mapping[str, set[str]]
) -> dict[str, object]:
    counts = relevant_counts(judgments)
    grades = Counter(grade for graded in judgments.values() for grade in graded.values())
    slices = Counter(question.type for question in source.questions.values())
    names = source.about["slices"]
    assert isinstance(names, dict)
    found = sum(
        grade == 2 and passage_id in lexical_pool[question_id]
        for question_id, graded in judgments.items()
        for passage_id, grade in graded.items()
    )
    return {
        "answerable": sum(count > 0 for count in counts.values()),
        "unanswerable": sum(count == 0 for count in counts.values()),
        "judged": grades.total(),
        "possible_pairs": f"{len(source.questions) * len(source.passages):,}",
        "grade_0": grades[0],
        "grade_1": grades[1],
        "grade_2": grades[2],
        "lexical_pairs": sum(map(len, lexical_pool.values())),
        "lexical_found": found,
        "slices": _table(
            ("slice", "questions", "what it asks"),
            [(name, slices[name], meaning) for name, meaning in names.items()],
        ),
        "spread": _table(("relevant passages", "questions"), list(spread(counts.values()).items())),
        "ceilings": _table(
            ("k", *CUTOFFS),
            [("ceiling of mean recall@k", *(f"{mean_ceiling(counts.values(), k):.4f}" for k in CUTOFFS))],
        ),
    }


def _annotation_numbers(
    source: Source, judgments: Judgments, source_folder: Path, folder: Path
) -> dict[str, object]:
    key = read_annotation_key(source_folder / "annotation_key.tsv")
    between, *_, before, after = compared = comparisons(judgments, key, folder)
    reviews = read_reviews(folder / "truth_review.csv")
    left = [pair_id for pair_id, review in reviews.items() if review.before == review.after]
    changed = annotation.changed_since_labelled(source, key, folder / "pairs.jsonl")
    return {
        "labelled": len(key),
        "drawn_2": annotation.RELEVANT,
        "drawn_1": annotation.PARTIAL,
        "drawn_0": annotation.LOOKED_AT,
        "drawn_far_off": annotation.FAR_OFF,
        "kappa": _kappa(between, "kappa_grades"),
        "kappa_relevant": _kappa(between, "kappa_relevant"),
        "disagreements": len(disagreements(between.first, between.second)),
        "kappas": _table(
            ("compared", "pairs that agree", "kappa, three grades", "kappa, relevant or not"),
            [
                (
                    one.title,
                    len(one.first) - len(disagreements(one.first, one.second)),
                    _kappa(one, "kappa_grades"),
                    _kappa(one, "kappa_relevant"),
                )
                for one in compared
            ],
        ),
        "confusion_annotators": _confusion(between, "a", "b"),
        "confusion_before": _confusion(before, "settled", "truth"),
        "confusion_after": _confusion(after, "settled", "truth"),
        "kappa_before": _kappa(before, "kappa_grades"),
        "kappa_after": _kappa(after, "kappa_grades"),
        "reviewed": len(reviews),
        "mended": len(reviews) - len(left),
        "left": len(left),
        "reviews": _table(
            ("pair", "question", "passage", "settled label", "truth was", "truth is", "why"),
            [
                (pair_id, *key[pair_id], after.first[pair_id], review.before, review.after, review.reason)
                for pair_id, review in reviews.items()
            ],
        ),
        "changed": len(changed),
        "changed_table": _table(
            ("pair", "question", "passage"), [(pair_id, *key[pair_id]) for pair_id in changed]
        ),
    }


def _kappa(one: Comparison, name: str) -> str:
    value = compare(one.first, one.second)[name]
    return "undefined" if value is None else f"{value:.3f}"


def _confusion(one: Comparison, first: str, second: str) -> str:
    counts = confusion(one.first, one.second)
    return _table(
        ("", *(f"{second}: {grade}" for grade in GRADES)),
        [(f"{first}: {a}", *(counts[a, b] for b in GRADES)) for a in GRADES],
    )


def _rows(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as stream:
        return sum(1 for _ in csv.DictReader(stream))


def _table(header: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    rule = ["---"] * len(header)
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (header, rule, *rows))
