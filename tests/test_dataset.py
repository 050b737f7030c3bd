"""The shipped dataset: what the builder makes of the source, its shape, and the labels of the annotators."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from authoring.dataset import agreement, annotation, build, source
from recall_lab.golden import GoldenDataset

SHIPPED = source.SHIPPED_FOLDER


@pytest.fixture(scope="module")
def golden() -> GoldenDataset:
    return GoldenDataset.load("library_of_things")


@pytest.fixture(scope="module")
def relevant_counts(golden: GoldenDataset) -> dict[str, int]:
    return {question_id: len(golden.relevant(question_id)) for question_id in golden.questions}


def test_a_rebuild_gives_the_shipped_bytes(tmp_path: Path) -> None:
    written = build.build(shipped_folder=tmp_path)
    assert len(written) == 11
    for path in written:
        shipped = SHIPPED / path.relative_to(tmp_path)
        assert path.read_bytes() == shipped.read_bytes(), f"{shipped.name} is out of date: run the builder"


def test_counts(golden: GoldenDataset) -> None:
    kinds = Counter(passage_id.startswith("card-") for passage_id in golden.passages)
    assert kinds == {False: 240, True: 360}
    assert len(golden.questions) == 120
    assert golden.min_grade == 2
    assert golden.judgments.keys() == golden.questions.keys()


def test_slices(golden: GoldenDataset) -> None:
    assert Counter(golden.question_types.values()) == {
        "identifier": 14,
        "paraphrase": 18,
        "vocabulary": 14,
        "list": 24,
        "split": 10,
        "negation": 8,
        "versioned": 8,
        "multi-hop": 8,
        "unanswerable": 16,
    }
    assert set(golden.question_types.values()) == golden.about["slices"].keys()


def test_how_many_relevant_passages_the_questions_have(
    golden: GoldenDataset, relevant_counts: dict[str, int]
) -> None:
    def span(count: int) -> str:
        bounds = {"0": 0, "1": 1, "2": 2, "3-5": 5, "6-10": 10, "11-20": 20, "21-36": 36}
        return next(name for name, upper in bounds.items() if count <= upper)

    histogram = Counter(span(count) for count in relevant_counts.values())
    assert histogram == {"0": 16, "1": 40, "2": 22, "3-5": 18, "6-10": 12, "11-20": 8, "21-36": 4}
    unanswerable = {q for q, kind in golden.question_types.items() if kind == "unanswerable"}
    assert unanswerable == {q for q, count in relevant_counts.items() if count == 0}
    assert sum(relevant_counts.values()) == 493


@pytest.mark.parametrize(
    ("k", "ceiling"),
    [(1, 0.5605), (3, 0.8064), (5, 0.8769), (10, 0.9471), (20, 0.9879), (50, 1.0)],
)
def test_mean_ceiling(relevant_counts: dict[str, int], k: int, ceiling: float) -> None:
    answerable = [count for count in relevant_counts.values() if count]
    mean = sum(min(k, count) / count for count in answerable) / len(answerable)
    print(f"mean ceiling @{k}: {mean:.4f} over {len(answerable)} questions")
    assert round(mean, 4) == ceiling


def test_every_judged_passage_exists_and_every_grade_occurs(golden: GoldenDataset) -> None:
    for grades in golden.judgments.values():
        assert grades.keys() <= golden.passages.keys()
    counts = Counter(grade for grades in golden.judgments.values() for grade in grades.values())
    assert counts.keys() == {0, 1, 2}
    assert counts[2] == 493


def test_no_text_and_no_question_twice(golden: GoldenDataset) -> None:
    assert len({" ".join(passage.text.split()) for passage in golden.passages.values()}) == 600
    assert len(set(golden.questions.values())) == 120


def test_it_passes_its_own_validation(golden: GoldenDataset) -> None:
    assert golden.validate().ok


def test_the_lexical_pool_is_a_part_of_the_full_judgments(golden: GoldenDataset) -> None:
    pooled = GoldenDataset.load("library_of_things", judgments="lexical_pool")
    for question_id, grades in pooled.judgments.items():
        assert grades.items() <= golden.judgments[question_id].items()
    found = sum(len(pooled.relevant(question_id)) for question_id in pooled.questions)
    assert 150 < found < 250, "the pool should hold well under half of the 493 relevant pairs"


def test_merging_joins_ten_split_passages(golden: GoldenDataset) -> None:
    with (SHIPPED / "chunkings" / "map.tsv").open(encoding="utf-8", newline="") as stream:
        replaced_by = {row["passage"]: row["merged"] for row in csv.DictReader(stream, delimiter="\t")}
    lines = (SHIPPED / "chunkings" / "merged.jsonl").read_text(encoding="utf-8").splitlines()
    merged = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    assert len(merged) == 10
    for merged_id, text in merged.items():
        parts = [part for part, target in replaced_by.items() if target == merged_id]
        assert text == " ".join(golden.passages[part].text for part in parts)
    judged = GoldenDataset.load("library_of_things", judgments="merged")
    for question_id, grades in judged.judgments.items():
        assert not grades.keys() & replaced_by.keys()
        expected = {replaced_by.get(passage_id, passage_id) for passage_id in golden.relevant(question_id)}
        assert judged.relevant(question_id) == expected


def test_near_duplicates(golden: GoldenDataset) -> None:
    pairs = _table("near_duplicates.csv")
    assert len(pairs) >= 20
    for row in pairs:
        first, second = (_words(golden, row[name]) for name in ("passage", "twin"))
        assert len(first & second) / len(first | second) > 0.5, row


def test_vocabulary_pairs(golden: GoldenDataset) -> None:
    pairs = _table("vocabulary.csv")
    assert len(pairs) >= 14
    for row in pairs:
        for passage_id in row["passages"].split():
            text = " ".join(golden.passages[passage_id]).lower()
            assert row["written"] in text, row
            assert not re.search(rf"\b{row['asked']}\b", text), row
    asked = {row["question"]: row for row in pairs if row["question"]}
    assert asked.keys() == {q for q, kind in golden.question_types.items() if kind == "vocabulary"}
    for question_id, row in asked.items():
        assert row["asked"].removesuffix("s") in golden.questions[question_id].lower()
        assert set(row["passages"].split()) == golden.relevant(question_id)


def test_annotated_pairs_are_four_hundred_and_show_no_truth(golden: GoldenDataset) -> None:
    lines = (SHIPPED / "annotation" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["pair_id"] for row in rows}) == len(rows) == 400
    assert all(row.keys() == {"pair_id", "question", "title", "text"} for row in rows)
    key = source.read_annotation_key(source.SOURCE_FOLDER / "annotation_key.tsv")
    assert len(set(key.values())) == 400
    assert {question_id for question_id, _ in key.values()} == golden.questions.keys()


def test_the_same_seed_draws_the_same_pairs() -> None:
    read = source.read_source()
    judgments = build.judge(read, source.read_pairs(source.SOURCE_FOLDER / "reviewed_pairs.tsv"))
    first = annotation.draw_pairs(read, judgments)
    assert first == annotation.draw_pairs(read, judgments)
    assert first != annotation.draw_pairs(read, judgments, seed=1)
    assert len(set(first)) == 400


def test_kappa_of_the_worked_table() -> None:
    first = ["yes"] * 6 + ["no"] * 10 + ["yes"] * 1 + ["no"] * 3
    second = ["yes"] * 6 + ["no"] * 10 + ["no"] * 1 + ["yes"] * 3
    kappa = agreement.cohen_kappa(first, second)
    assert kappa is not None and round(kappa, 3) == 0.588
    padded = agreement.cohen_kappa(first + ["no"] * 980, second + ["no"] * 980)
    assert padded is not None and round(padded, 3) == 0.748


def test_kappa_at_its_ends() -> None:
    assert agreement.cohen_kappa([0, 1, 2], [0, 1, 2]) == 1
    assert agreement.cohen_kappa([0, 1], [1, 0]) == -1
    assert agreement.cohen_kappa([1, 1], [1, 1]) is None
    with pytest.raises(ValueError, match="same length"):
        agreement.cohen_kappa([], [])


def test_confusion_disagreements_and_settling() -> None:
    first, second = {"p1": 2, "p2": 1, "p3": 0}, {"p1": 2, "p2": 2, "p3": 0}
    table = agreement.confusion(first, second)
    assert table[1, 2] == 1 and table[2, 1] == 0 and sum(table.values()) == 3
    assert agreement.disagreements(first, second) == ["p2"]
    settled = agreement.settle(first, second, {"p2": agreement.Label(1, "only a part")})
    assert settled == {"p1": 2, "p2": 1, "p3": 0}
    with pytest.raises(source.SourceError, match="missing or too many: \\['p2'\\]"):
        agreement.settle(first, second, {})
    with pytest.raises(source.SourceError, match="one annotator only"):
        agreement.disagreements(first, {"p1": 2})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("pair_id,grade\np1,2", "expected the columns"),
        ("pair_id,grade,reason\np1,3,no", "line 2: grade '3'"),
        ("pair_id,grade,reason\np1,2, ", "p1 has no reason"),
        ("pair_id,grade,reason\np1,2,a\np1,2,b", "labelled twice"),
    ],
)
def test_a_bad_label_file_is_refused(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "annotator_a.csv"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(source.SourceError, match=message):
        agreement.read_labels(path)


def _table(name: str) -> list[dict[str, str]]:
    with (SHIPPED / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _words(golden: GoldenDataset, passage_id: str) -> set[str]:
    return set(" ".join(golden.passages[passage_id]).lower().split())
