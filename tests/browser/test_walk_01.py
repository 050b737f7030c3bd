"""Lesson 01 from top to bottom, as a learner goes through it, held against the labels and dataset on disk."""

from __future__ import annotations

import pytest
from driving import LabPage, wait_until
from lesson_page import LessonPage, lesson, run_unsolved, shown
from playwright.sync_api import expect

from recall_lab import GoldenDataset
from recall_lab.exercises import twenty
from recall_lab.labelling import cohen_kappa, read_labels

pytestmark = pytest.mark.browser

FEE = ("q058", "fee-12")  # the one pair that this learner grades otherwise than annotator B


def test_a_walk_through_lesson_01(lab: LabPage) -> None:
    page = LessonPage(lab, lesson("01"))
    run_unsolved(lab)
    expect(page.output("twenty.or_annotator_a")).to_contain_text("annotator A's labels stand in")
    assert shown(page.output("KappaPaddingView("), "Kappa") == pytest.approx(0.588, abs=0.0005)

    grades = label_at_the_desk(page)
    expect(page.answer("01.label_twenty", "desk.labels")).to_contain_text("Passed")

    said = page.answer("01.kappa_by_hand", "16/20")
    expect(said).to_contain_text("taking the raw agreement")
    expect(page.answer("01.kappa_by_hand", "57/97")).to_contain_text("Passed")

    move_the_padding(page)

    lab.run_all()
    expect(page.output("twenty.or_annotator_a")).to_contain_text("your 20 labels")
    expect(page.output("agreement.confusion()")).to_contain_text("19 of 20 pairs")
    kappa = cohen_kappa(list(grades.values()), list(twenty.annotator("b").grades.values()))
    expect(page.output("kappa on three grades")).to_contain_text(f"{kappa:.3f}")

    expect(page.answer("01.adjudicate", f'{{{FEE}: (0, " ")}}')).to_contain_text("without a reason")
    expect(page.answer("01.adjudicate", f'{{{FEE}: (0, "no cost")}}')).to_contain_text("Passed")
    lab.run_all()
    expect(page.output("twenty.settled_or_lower")).to_contain_text("19 agreed, 1 settled")

    made = "GoldenDataset(golden.passages, my_questions, my_judgments, min_grade=2)"
    expect(page.answer("01.golden_dataset", made)).to_contain_text("Is it saved?")
    saving = "\nmy_golden.save(own_folder())"
    expect(page.answer("01.golden_dataset", made + saving[1:].replace("my_golden", ""))).to_contain_text(
        "name on one line, and save it on the next"
    )
    expect(page.answer("01.golden_dataset", f"golden{saving}")).to_contain_text("handing over our dataset")
    expect(page.answer("01.golden_dataset", made + saving)).to_contain_text("Passed")
    lab.run_all()
    expect(page.output("yours.validate")).to_contain_text("Your golden dataset: 5 questions, 20 judgments.")
    expect(page.output('report("yours", yours)')).to_contain_text("4 questions")

    saved = GoldenDataset.load(page.folder / "my_golden_dataset")
    final = {pair: grade if pair != FEE else 0 for pair, grade in grades.items()}
    assert {(q, p): grade for q, judged in saved.judgments.items() for p, grade in judged.items()} == final


def label_at_the_desk(page: LessonPage) -> dict:
    """Label every pair by keyboard, whatever order the desk has; the grades as they were typed."""
    theirs = twenty.annotator("b").grades
    wanted = {pair.id: 1 if pair.id == FEE else theirs[pair.id] for pair in twenty.pairs()}
    of_text = {(pair.question, pair.text): pair.id for pair in twenty.pairs()}
    desk = page.output("desk = LabellingDesk(")
    question, passage = desk.locator(".rl-question"), desk.locator(".rl-desk-now .rl-desk-text")
    expect(desk.locator(".rl-desk-wake")).to_have_text("Click here first, then use the keys.")
    question.click()
    expect(desk.locator(".rl-desk-wake")).to_have_text("The keys work.")
    for done in range(1, len(wanted) + 1):
        pair = of_text[question.inner_text(), passage.inner_text()]
        page.lab.page.keyboard.press(str(wanted[pair]))
        expect(desk.locator(".rl-desk-progress")).to_contain_text(f"{done} of 20 pairs labelled")
    path = page.folder / "my_golden_dataset" / "labels_me.jsonl"
    wait_until(lambda: read_labels(path).grades == wanted, "every label is on disk as it was typed")
    expect(desk.get_by_label("note")).to_be_hidden()  # there is no passage left that it could be about
    return wanted


def move_the_padding(page: LessonPage) -> None:
    """The slider by keyboard; the kappa that is shown is that of the padded labels."""
    first, second = [1] * 6 + [0] * 10 + [1] + [0] * 3, [1] * 6 + [0] * 10 + [0] + [1] * 3
    view = page.output("KappaPaddingView(")
    slider = view.locator("input[type=range]")
    slider.focus()
    for key, added in {"ArrowRight": 1, "End": 980, "Home": 0}.items():
        slider.press(key)
        expect(view.get_by_text(f"of all {20 + added} pairs")).to_be_visible()
        kappa = cohen_kappa(first + [0] * added, second + [0] * added)
        assert shown(view, "Kappa") == pytest.approx(kappa, abs=0.0005)
        assert shown(view, "Raw agreement") == pytest.approx((16 + added) / (20 + added), abs=0.0005)
