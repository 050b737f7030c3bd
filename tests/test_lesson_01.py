"""Lesson 01: the twenty pairs, kappa, what a learner makes, and where it is kept."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from authoring import build
from recall_lab import GoldenDataset, evaluate
from recall_lab.classroom import workbook
from recall_lab.exercises import check, hint, own_folder, own_golden, predict, reveal, twenty
from recall_lab.exercises.kappa import CHANCE, KAPPA, OBSERVED, Labelled
from recall_lab.exercises.lesson_01 import LESSON_TABLE
from recall_lab.labelling import Agreement, LabelLog, as_judgments, cohen_kappa
from recall_lab.retrieval.shipped import frozen_run

GOLDEN = GoldenDataset.load("library_of_things")


@pytest.fixture
def log() -> LabelLog:
    return LabelLog(twenty.pairs(), own_folder(), annotator="me")


def label_all(log: LabelLog, **other: int) -> None:
    """Label as annotator B did, with other grades for some passages."""
    theirs = twenty.annotator("b").grades
    for pair in twenty.pairs():
        log.label(other.get(pair.passage_id.replace("-", "_"), theirs[pair.id]), pair.id)


# -- the twenty pairs ----------------------------------------------------------------------------------------


def test_the_pairs_are_those_that_the_annotators_saw() -> None:
    lines = (twenty.ANNOTATION / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    shown = {record["pair_id"]: record for record in map(json.loads, lines)}
    ours = {
        (question, passage): pair_id
        for question, passages in twenty._CHOSEN.items()
        for passage, pair_id in passages.items()
    }
    assert len(ours) == len(twenty.pairs()) == 20
    for pair in twenty.pairs():
        record = shown[ours[pair.id]]
        assert (pair.question, pair.title, pair.text) == (record["question"], record["title"], record["text"])


def test_five_questions_of_which_one_has_no_answer_and_some_pairs_are_debatable() -> None:
    questions = {pair.query_id for pair in twenty.pairs()}
    assert len(questions) == 5
    assert [question for question in questions if not GOLDEN.relevant(question)] == ["q107"]
    agreement = Agreement(twenty.annotator("a"), twenty.annotator("b"))
    assert len(agreement.disagreements) == 4
    assert set(twenty.annotator("b").grades.values()) == {0, 1, 2}
    assert all(twenty.annotator("a").notes.values())


def test_the_opening_example_gives_no_label_away() -> None:
    asked = {pair.query_id for pair in twenty.pairs()}
    shown = set(frozen_run("keyword").ranking("q090", 2))
    assert "q090" not in asked
    assert not shown & {pair.passage_id for pair in twenty.pairs()}


def test_annotator_a_stands_in_until_all_twenty_are_labelled(log, capsys) -> None:
    log.label(2)
    assert twenty.or_annotator_a(log).annotator == "annotator A"
    assert "You have labelled 1 of 20 pairs" in capsys.readouterr().out
    label_all(log)
    assert twenty.or_annotator_a(log) is log
    assert "your 20 labels" in capsys.readouterr().out


# -- kappa ---------------------------------------------------------------------------------------------------


def test_the_worked_table() -> None:
    assert OBSERVED.value(LESSON_TABLE) == Fraction(16, 20)
    assert CHANCE.value(LESSON_TABLE) == Fraction(206, 400)
    assert KAPPA.value(LESSON_TABLE) == Fraction(57, 97)
    padded = Labelled((*LESSON_TABLE.first, *[0] * 980), (*LESSON_TABLE.second, *[0] * 980))
    assert round(float(KAPPA.value(LESSON_TABLE)), 3) == 0.588
    assert round(float(KAPPA.value(padded)), 3) == 0.748


def test_the_recipe_and_the_library_agree() -> None:
    rng = random.Random(1)
    for _ in range(200):
        n, labels = rng.randint(1, 30), range(rng.randint(1, 4))
        first, second = ([rng.choice(labels) for _ in range(n)] for _ in range(2))
        right, ours = KAPPA.value(Labelled(tuple(first), tuple(second))), cohen_kappa(first, second)
        assert (right is None and ours is None) or float(right) == pytest.approx(ours, abs=1e-12)


@pytest.mark.parametrize(
    ("exercise", "typed", "mistake"),
    [
        ("01.observed", 6 / 20, "agreement_in_yes"),
        ("01.observed", 16, "agreement_not_divided"),
        ("01.by_chance", 7 / 20 * 9 / 20, "chance_in_yes"),
        ("01.by_chance", 0.5, "chance_of_dice"),
        ("01.by_chance", (7 * 9 + 13 * 11) / 20, "chance_divided_once"),
        ("01.by_chance", 0.8, "observed_for_chance"),
        ("01.by_chance", 6 / 20 * 10 / 20, "boxes_multiplied"),
        ("01.by_chance", 6 / 20 * 9 / 20 + 10 / 20 * 11 / 20, "boxes_by_columns"),
        ("01.by_chance", 7 / 20 * 11 / 20 + 13 / 20 * 9 / 20, "chance_to_differ"),
        ("01.kappa_by_hand", 0.8, "raw_agreement"),
        ("01.kappa_by_hand", 0.285, "kappa_not_divided"),
        ("01.kappa_by_hand", (0.8 - 0.515) / 1 - 0.515, "kappa_brackets_missing"),
        ("01.kappa_by_hand", 0.8 - 0.515 / (1 - 0.515), "kappa_top_brackets_missing"),
        ("01.kappa_by_hand", 0.6, "chance_of_dice"),
    ],
)
def test_natural_slips_are_named(exercise, typed, mistake) -> None:
    assert mistake in check(exercise, typed).mistakes


def test_a_kappa_rounded_too_far_or_impossible_is_told_so() -> None:
    assert "rounded too far" in check("01.kappa_by_hand", 0.59).message
    assert check("01.kappa_by_hand", 0.588).passed
    assert check("01.kappa_by_hand", "58.76 %").passed
    assert "above one" in check("01.kappa_by_hand", 1.3).message


def test_a_function_that_divides_by_nothing_is_led_to_the_case() -> None:
    def divides(first, second):
        n = len(first)
        observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
        chance = sum(first.count(label) * second.count(label) for label in set(first)) / n**2
        return (observed - chance) / (1 - chance)

    result = check("01.cohen_kappa", divides)
    assert result.status == "error in your code"
    assert "divides by nothing" in result.message
    assert "[1, 1, 1]" in result.verdict.evidence


def test_labels_written_into_the_function_are_told() -> None:
    def over(labels):
        def my_kappa(first, second):
            n = len(first)
            observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
            chance = sum(first.count(label) * second.count(label) for label in labels or first) / n**2
            return None if chance == 1 else (observed - chance) / (1 - chance)

        return my_kappa

    result = check("01.cohen_kappa", over({"yes", "no"}))
    assert result.mistakes == ("labels_written_in",)
    assert "With the labels yes and no your function is right" in result.message
    assert check("01.cohen_kappa", over(())).mistakes == ("labels_counted_often",)
    assert check("01.cohen_kappa", over((0, 1))).mistakes == ("chance_of_yes_and_no",)


def test_the_last_hint_of_the_function_is_a_frame_that_its_blanks_complete() -> None:
    frame = hint("01.cohen_kappa", 3).text.partition("def my_kappa")[1:]
    code = "".join(frame).splitlines()
    code = "\n".join(line for line in code if line.startswith(("def", "    ")))
    assert code.count("___") == 3
    for filling in (
        "first.count(label) / n * second.count(label) / n",
        "chance == 1",
        "(observed - chance) / (1 - chance)",
    ):
        code = code.replace("___", filling, 1)
    names: dict = {}
    exec(code, names)
    assert check("01.cohen_kappa", names["my_kappa"]).passed


# -- labels, decisions, the dataset --------------------------------------------------------------------------


def test_labels_are_asked_to_be_complete_and_of_more_than_one_grade(log) -> None:
    assert check("01.label_twenty", log).status == "not attempted"
    log.label(1)
    result = check("01.label_twenty", log)
    assert result.status == "not yet"
    assert "still to do: 19" in result.verdict.evidence
    for pair in twenty.pairs():
        log.label(0, pair.id)
    assert check("01.label_twenty", log).mistakes == ("one_grade",)
    log.label(2, twenty.pairs()[0].id)
    assert check("01.label_twenty", log).passed
    assert "desk.labels" in check("01.label_twenty", 20).message


@pytest.fixture
def agreement(log) -> Agreement:
    label_all(log, fee_12=1, care_17=2)
    return Agreement(log, twenty.annotator("b"))


FEE, CARE = ("q058", "fee-12"), ("q065", "care-17")


@pytest.mark.parametrize(
    ("decisions", "status", "words"),
    [
        (..., "not attempted", "Nothing decided"),
        ({FEE: ..., CARE: ...}, "not attempted", "Nothing decided"),
        ({FEE: (..., "because ..."), CARE: (..., "because ...")}, "not attempted", "Nothing decided"),
        ({FEE: (0, "no cost")}, "not yet", "not decided yet"),
        ({FEE: (0, "no cost"), CARE: (..., "because")}, "not yet", "not decided yet"),
        ({FEE: (0, "no cost"), CARE: 1}, "not yet", "a grade and a reason"),
        ({FEE: (0, "no cost"), CARE: (3, "much")}, "not yet", "none of the grades"),
        ({FEE: (0, "no cost"), CARE: (1, "  ")}, "not yet", "without a reason"),
        ({FEE: (0, "because ..."), CARE: (1, "because ...")}, "not yet", "without a reason"),
        ({FEE: (0, "a"), CARE: (1, "b"), ("q107", "care-03"): (0, "c")}, "not yet", "nothing to settle"),
        ([FEE], "not yet", "a list"),
        ({FEE: (0, "no cost"), CARE: (1.5, "both have a point")}, "not yet", "splitting the difference"),
        ({FEE: (0, "no cost"), CARE: ("1", "in passing")}, "not yet", "Take the quotes away"),
        ({FEE: (0, "no cost"), CARE: (1, 7)}, "not yet", "the reason is a whole number"),
        ({"fee-12": (0, "no cost"), CARE: (1, "in passing")}, "not yet", "A pair has two names"),
        ({FEE: (0, "no cost"), CARE: (1, "in passing")}, "passed", "Settled"),
    ],
    ids=range(16),
)
def test_decisions_are_asked_to_be_complete_and_reasoned(agreement, decisions, status, words) -> None:
    result = check("01.adjudicate", (agreement, decisions))
    assert result.status == status
    assert words in result.message
    settled = twenty.settled_or_lower(agreement, decisions)
    assert len(settled) == 20
    assert (settled[FEE], settled[CARE]) == (0, 1)


def test_who_agrees_on_everything_has_nothing_to_settle(log, capsys) -> None:
    label_all(log)
    agreement = Agreement(log, twenty.annotator("b"))
    assert check("01.adjudicate", (agreement, {})).passed
    assert twenty.settled_or_lower(agreement, {}) == twenty.annotator("b").grades
    assert "20 agreed, 0 settled" in capsys.readouterr().out


# -- what reveal() shows of one's own work ----------------------------------------------------------------


def revealed(exercise: str) -> str:
    """The code that reveal() shows."""
    return next(block.text for block in reveal(exercise).blocks() if block.kind == "code")


def test_the_labels_of_others_are_not_revealed(log) -> None:
    assert revealed("01.label_twenty").startswith("my_labels = desk.labels\n")
    assert "loan-03" not in repr(reveal("01.label_twenty"))


@pytest.mark.parametrize("complete", [True, False])
def test_the_revealed_decisions_are_about_the_disagreements_at_hand(complete, log) -> None:
    if complete:
        label_all(log, fee_12=1, care_17=2)
    agreement = Agreement(twenty.or_annotator_a(log), twenty.annotator("b"))
    given: list = []
    names = {"agreement": agreement, "check": lambda *arguments: given.append(check(*arguments))}
    exec(revealed("01.adjudicate"), names)
    assert set(names["decisions"]) == {one.pair for one in agreement.disagreements}
    assert len(names["decisions"]) == (2 if complete else 4)
    assert given[0].passed


def test_whoever_agrees_on_everything_is_revealed_an_empty_dict(log) -> None:
    label_all(log)
    assert revealed("01.adjudicate").startswith("decisions = {}\n")


def test_a_guess_is_a_whole_number_up_to_twenty() -> None:
    assert "Noted: 0" in predict("01.predict_agreement", 0).text
    for guess in (0.8, "80%", 21, -1):
        assert "A whole number from 0 to 20" in predict("01.predict_agreement", guess).text


def test_the_builder_counts_the_pairs_that_are_labelled() -> None:
    (source,) = [source for source in build.read_all() if source.number == "01"]
    assert sum(cell.pairs for cell in source.cells) == len(twenty.pairs())
    without = replace(source, cells=tuple(replace(cell, pairs=0) for cell in source.cells))
    assert source.minutes() - without.minutes() == build.MINUTES_A_PAIR * len(twenty.pairs())


# -- the dataset ---------------------------------------------------------------------------------------------


def dataset(judgments=None, *, min_grade=2, passages=GOLDEN.passages) -> GoldenDataset:
    judgments = as_judgments(twenty.annotator("b").grades) if judgments is None else judgments
    return GoldenDataset(
        passages, {q: GOLDEN.questions[q] for q in judgments}, judgments, min_grade=min_grade
    )


def test_a_dataset_is_asked_to_be_whole_and_saved(log) -> None:
    label_all(log)
    judgments = as_judgments(twenty.annotator("b").grades)
    answered = {q: grades for q, grades in judgments.items() if q != "q107"}
    relevant = {q: {p: g for p, g in grades.items() if g == 2} for q, grades in judgments.items()}
    for made, mistakes, words in (
        (dataset(answered), ("nothing_found_dropped",), "question that nothing answers"),
        (dataset(relevant), ("zeros_dropped",), "dropping the others"),
        (dataset(min_grade=1), ("low_threshold",), "lower grade"),
        (dataset(min_grade=3), (), "No grade is that high"),
        (dataset(passages={}), (), "no text"),
        (dataset(), (), "Is it saved?"),
        (judgments, (), "A GoldenDataset is asked for"),
    ):
        result = check("01.golden_dataset", made)
        assert (result.status, result.mistakes) == ("not yet", mistakes)
        assert words in result.message
    dataset().save(own_folder())
    assert check("01.golden_dataset", dataset()).passed
    label_all(log, care_03=1)
    settled = judgments | {"q107": judgments["q107"] | {"care-03": 1}}
    said = check("01.golden_dataset", dataset(settled)).message
    assert "another one is saved in my_golden_dataset" in said


def test_our_labels_are_not_passed_as_the_learners(log) -> None:
    label_all(log, fee_12=1)
    five = dataset({pair.query_id: GOLDEN.judgments[pair.query_id] for pair in twenty.pairs()})
    twenty_of_ours = dataset(as_judgments(twenty.annotator("a").grades))
    for ours in (GOLDEN, five, twenty_of_ours):
        ours.save(own_folder())
        result = check("01.golden_dataset", ours)
        assert (result.status, result.mistakes) == ("not yet", ("ours_for_yours",))
    assert "q065 tip-10" in result.verdict.evidence
    dataset().save(own_folder())  # what was settled may have either grade, or a third one
    assert check("01.golden_dataset", dataset()).passed


@pytest.mark.parametrize("labelled", [0, 7])
def test_the_grades_that_stand_in_are_not_passed_as_the_learners(labelled, log) -> None:
    theirs = twenty.annotator("a").grades
    for pair in twenty.pairs()[:labelled]:
        log.label(theirs[pair.id], pair.id)
    made = dataset(as_judgments(theirs))
    made.save(own_folder())
    result = check("01.golden_dataset", made)
    assert result.status == "not yet"
    assert "annotator A stands in for you" in result.message
    assert f"still to label: {20 - labelled} of 20" in result.verdict.evidence


def test_what_save_returns_is_told(log) -> None:
    label_all(log)
    assert (
        "name on one line, and save it on the next"
        in check("01.golden_dataset", dataset().save(own_folder())).message
    )
    assert check("01.golden_dataset", ...).status == "not attempted"


def test_pairs_that_differ_are_printed_with_both_reasons(agreement, capsys) -> None:
    twenty.print_differences(agreement)
    said = capsys.readouterr().out
    assert said.count("- me: ") == said.count("- annotator B: ") == 2
    assert twenty.annotator("b").notes[FEE] in " ".join(said.split())


# -- own_golden ----------------------------------------------------------------------------------------------


def test_without_a_dataset_ours_stands_in(log, capsys) -> None:
    log.label(1)  # labels alone are no dataset yet
    assert own_golden(GOLDEN) is GOLDEN
    assert "no golden dataset of your own yet (lesson 01" in capsys.readouterr().out


def test_a_copy_of_our_dataset_is_called_ours(capsys) -> None:
    GOLDEN.save(own_folder())
    assert own_golden(GOLDEN) is GOLDEN
    assert "is a copy of our dataset" in capsys.readouterr().out


def test_the_learners_dataset_measures_any_run_of_ours(capsys) -> None:
    dataset().save(own_folder())
    mine = own_golden(GOLDEN)
    assert capsys.readouterr().out == "Your golden dataset: 5 questions, 20 judgments.\n"
    assert mine.judgments == dataset().judgments
    evaluation = evaluate(mine, frozen_run("keyword"))
    assert evaluation.n == 4
    assert evaluation.excluded == ["q107"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq058\tfee-12\tmaybe\n"),
        ("qrels/test.tsv", "\0\0"),
        ("queries.jsonl", '{"_id": "q058"'),
        ("dataset.json", "[]"),
    ],
    ids=range(4),
)
def test_a_broken_dataset_is_told_and_ours_stands_in(name, text, capsys) -> None:
    dataset().save(own_folder())
    (own_folder() / name).write_text(text, encoding="utf-8")
    assert own_golden(GOLDEN) is GOLDEN
    said = capsys.readouterr().out
    assert said.startswith("Your golden dataset cannot be read, so this cell uses ours.")
    assert Path(name).name in said


def test_a_folder_without_judgments_is_told(capsys) -> None:
    (own_folder() / "qrels").mkdir(parents=True)
    assert own_golden(GOLDEN) is GOLDEN
    assert "cannot be read" in capsys.readouterr().out


def test_a_dataset_with_nothing_relevant_is_told(capsys) -> None:
    dataset({"q107": {"care-03": 0}}).save(own_folder())
    assert own_golden(GOLDEN) is GOLDEN
    assert "nothing to find" in capsys.readouterr().out


def test_update_and_reset_leave_it_alone(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "workbook"
    workbook.lay_out(folder)
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(folder / "recall_lab_progress.json"))
    with LabelLog(twenty.pairs(), own_folder(), annotator="me") as log:
        label_all(log)
    dataset().save(own_folder())
    assert own_folder().parent == folder

    def content() -> dict[str, bytes]:
        files = sorted(path for path in own_folder().rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    before = content()
    assert len(before) == 5
    workbook.lay_out(folder)
    workbook.reset_lesson(folder, "01")
    assert content() == before
