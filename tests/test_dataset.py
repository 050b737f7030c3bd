"""The shipped dataset: what the builder makes of the source, its shape, and the labels of the annotators."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from authoring.dataset import agreement, annotation, build, judging, pool, source
from recall_lab.golden import GoldenDataset

SHIPPED = source.SHIPPED_FOLDER
ANNOTATION = SHIPPED / "annotation"


@pytest.fixture(scope="module")
def golden() -> GoldenDataset:
    return GoldenDataset.load("library_of_things")


@pytest.fixture(scope="module")
def relevant_counts(golden: GoldenDataset) -> dict[str, int]:
    return {question_id: len(golden.relevant(question_id)) for question_id in golden.questions}


@pytest.fixture(scope="module")
def key() -> source.AnnotationKey:
    return source.read_annotation_key(source.SOURCE_FOLDER / "annotation_key.tsv")


@pytest.fixture(scope="module")
def labels() -> dict[str, agreement.Labels]:
    return {
        name: agreement.read_labels(ANNOTATION / f"{name}.csv")
        for name in ("annotator_a", "annotator_b", "adjudication")
    }


@pytest.fixture(scope="module")
def compared(key: source.AnnotationKey) -> list[agreement.Comparison]:
    read = source.read_source()
    judgments = judging.judge(read, source.read_pairs(source.SOURCE_FOLDER / "reviewed_pairs.tsv"))
    return agreement.comparisons(judgments, key, ANNOTATION)


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
    assert sum(relevant_counts.values()) == 495


@pytest.mark.parametrize(
    ("k", "ceiling"),
    [(1, 0.5603), (3, 0.8059), (5, 0.8760), (10, 0.9465), (20, 0.9879), (50, 1.0)],
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
    assert counts[2] == 495


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
    assert 150 < found < 250, "the pool should hold well under half of the 495 relevant pairs"


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


def test_annotated_pairs_are_four_hundred_and_show_no_truth(
    golden: GoldenDataset, key: source.AnnotationKey
) -> None:
    lines = (ANNOTATION / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["pair_id"] for row in rows] == list(key)
    assert len(set(key.values())) == len(rows) == 400
    assert all(row.keys() == {"pair_id", "question", "title", "text"} for row in rows)
    assert {question_id for question_id, _ in key.values()} == golden.questions.keys()


def test_only_these_pairs_read_otherwise_than_when_they_were_labelled(key: source.AnnotationKey) -> None:
    """Whoever changes the text of a labelled pair says so here and, with the reason, in the datasheet."""
    changed = annotation.changed_since_labelled(source.read_source(), key, ANNOTATION / "pairs.jsonl")
    assert {pair_id: key[pair_id][1] for pair_id in changed} == {
        "p228": "safe-05",
        "p232": "safe-05",
        "p235": "safe-05",
        "p328": "safe-05",
        "p370": "news-08",
    }


def test_a_new_round_writes_what_annotators_see(tmp_path: Path) -> None:
    read = source.read_source()
    key = annotation.write_key(tmp_path / "key.tsv", [("q001", "join-01"), ("q002", "card-GA-6308")])
    annotation.write_pairs(tmp_path / "pairs.jsonl", read, key)
    assert source.read_annotation_key(tmp_path / "key.tsv") == key
    first = json.loads((tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["question"] == read.questions["q001"].text
    assert first["text"] == read.passages["join-01"].text
    assert annotation.changed_since_labelled(read, key, tmp_path / "pairs.jsonl") == []
    swapped = {"p001": key["p002"], "p002": key["p001"]}
    assert annotation.changed_since_labelled(read, swapped, tmp_path / "pairs.jsonl") == ["p001", "p002"]


def test_the_same_seed_draws_the_same_pairs() -> None:
    read = source.read_source()
    judgments = judging.judge(read, source.read_pairs(source.SOURCE_FOLDER / "reviewed_pairs.tsv"))
    first = annotation.draw_pairs(read, judgments)
    assert first == annotation.draw_pairs(read, judgments)
    assert first != annotation.draw_pairs(read, judgments, seed=1)
    assert len(set(first)) == 400


def test_the_labels_that_ship(labels: dict[str, agreement.Labels], key: source.AnnotationKey) -> None:
    """The fixture has refused labels without a reason; a third reader settled exactly what differs."""
    first, second = labels["annotator_a"], labels["annotator_b"]
    assert list(first) == list(second) == list(key)
    assert Counter(label.grade for label in first.values()) == {0: 210, 1: 56, 2: 134}
    assert Counter(label.grade for label in second.values()) == {0: 208, 1: 59, 2: 133}
    differ = {pair_id for pair_id in key if first[pair_id].grade != second[pair_id].grade}
    assert labels["adjudication"].keys() == differ
    assert differ == {"p105", "p107", "p145", "p147", "p189", "p235", "p237"}
    for pair_id in differ:
        decided = labels["adjudication"][pair_id].grade
        assert decided in {first[pair_id].grade, second[pair_id].grade}


def test_the_kappas_that_are_printed(compared: list[agreement.Comparison]) -> None:
    assert [
        (
            one.title,
            *(round(value, 3) for value in agreement.compare(one.first, one.second).values() if value),
        )
        for one in compared
    ] == [
        ("annotator a against annotator b", 0.971, 0.972, 0.983),
        ("annotator a against the truth as it was", 0.941, 0.943, 0.965),
        ("annotator b against the truth as it was", 0.946, 0.949, 0.968),
        ("settled labels against the truth as it was", 0.937, 0.938, 0.963),
        ("settled labels against the truth after its review", 0.992, 0.994, 0.995),
    ]
    report = agreement.report()
    sheet = (SHIPPED / "DATASHEET.md").read_text(encoding="utf-8")
    for one in compared:
        kappa = agreement.compare(one.first, one.second)["kappa_grades"]
        assert f"{one.title}: 400 pairs\n  kappa_grades {kappa:.3f}\n" in report
        assert re.search(rf"\| {one.title} \| \d+ \| {kappa:.3f} \|", sheet)


def test_the_review_covers_exactly_the_labels_that_differed_from_the_truth(
    compared: list[agreement.Comparison],
) -> None:
    reviews = agreement.read_reviews(ANNOTATION / "truth_review.csv")
    *_, before, after = compared
    assert set(agreement.disagreements(before.first, before.second)) == reviews.keys()
    left = {pair_id for pair_id, review in reviews.items() if review.before == review.after}
    assert set(agreement.disagreements(after.first, after.second)) == left == {"p147", "p164"}


def test_a_review_that_the_truth_does_not_follow_is_refused() -> None:
    reviews = {"p1": agreement.Review(0, 2, "states it")}
    assert agreement.truth_before_review({"p1": 2, "p2": 1}, reviews) == {"p1": 0, "p2": 1}
    with pytest.raises(source.SourceError, match="p1 should have the grade 2 by now, the truth gives it 1"):
        agreement.truth_before_review({"p1": 1}, reviews)
    with pytest.raises(source.SourceError, match="gives it None"):
        agreement.truth_before_review({}, reviews)


def test_labels_and_datasheet_ship_with_the_package() -> None:
    packed = {
        file.distribution_path for file in WheelBuilder(str(source.REPOSITORY)).recurse_included_files()
    }
    folder = "recall_lab/_shipped/datasets/library_of_things"
    for name in ("rubric.md", "instructions.md", "pairs.jsonl", "annotator_a.csv", "annotator_b.csv"):
        assert f"{folder}/annotation/{name}" in packed
    for name in ("annotation/adjudication.csv", "annotation/truth_review.csv", "DATASHEET.md"):
        assert f"{folder}/{name}" in packed


def test_the_datasheet_holds_no_number_that_is_not_counted() -> None:
    """The template may name editions and grades; every other number is a name that the builder fills in."""
    template = (source.SOURCE_FOLDER / "DATASHEET.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\d+", re.sub(r"\$\w+|BM25", "", template))) <= {
        "0",
        "1",
        "2",
        "2021",
        "2023",
        "2025",
    }
    words = "three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred"
    assert re.findall(rf"\b(?:{words})\b [a-z]+", " ".join(template.split())) == [
        "four invented",
        "ten of",
        "five settings",
        "twenty of",
        "three grades",
        "fifty results",
    ]
    assert (pool.LEXICAL_DEPTH, len(pool.LEXICAL_VARIANTS), pool.REVIEW_DEPTH) == (10, 5, 20)
    assert {item.hand for item in source.read_source().items.values()} == {
        "plain",
        "chatty",
        "terse",
        "polite",
    }


def test_the_datasheet_counts_what_ships(golden: GoldenDataset) -> None:
    sheet = (SHIPPED / "DATASHEET.md").read_text(encoding="utf-8")
    assert "No label in this data set is a human's." in sheet
    grades = Counter(grade for graded in golden.judgments.values() for grade in graded.values())
    assert f"{grades.total()} of the" in sheet
    assert f"{grades[2]} with grade 2, {grades[1]} with 1, {grades[0]} with 0" in sheet
    prose = [passage.text for id_, passage in golden.passages.items() if not id_.startswith("card-")]
    words = sum(len(text.split()) for text in prose) / len(prose)
    assert f"- {len(prose)} written passages in 15 chapters, about {words:.0f} words each" in sheet
    pooled = GoldenDataset.load("library_of_things", judgments="lexical_pool")
    pairs = sum(map(len, pooled.judgments.values()))
    found = sum(len(pooled.relevant(question_id)) for question_id in pooled.questions)
    assert f"{pairs} pairs, and {found} of the {grades[2]} relevant ones" in sheet
    with (source.SOURCE_FOLDER / "facts.csv").open(encoding="utf-8", newline="") as stream:
        editions = Counter(row["fact"] for row in csv.DictReader(stream))
    changed = sum(count > 1 for count in editions.values())
    assert f"{len(editions)} facts; {changed} of them have had another value" in sheet
    assert (
        "| 0 | 16 |\n| 1 | 40 |\n| 2 | 22 |\n| 3–5 | 18 |\n| 6–10 | 12 |\n| 11–20 | 8 |\n| 21–36 | 4 |"
        in sheet
    )
    assert "| k | 1 | 3 | 5 | 10 | 20 | 50 |" in sheet
    assert "| 0.5603 | 0.8059 | 0.8760 | 0.9465 | 0.9879 | 1.0000 |" in sheet
    assert f"{len(_table('near_duplicates.csv'))} pairs of cards" in sheet
    assert f"{len(_table('vocabulary.csv'))} pairs of British" in sheet


def test_a_number_that_nobody_counts_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "source"
    shutil.copytree(source.SOURCE_FOLDER, folder)
    with (folder / "DATASHEET.md").open("a", encoding="utf-8") as stream:
        stream.write("\n$visitors people came.\n")
    with pytest.raises(KeyError, match="visitors"):
        build.build(folder, tmp_path / "shipped")


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
