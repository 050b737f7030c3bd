"""A walk through lesson 02 in JupyterLab: answers typed, the ranked lists moved by keyboard."""

from __future__ import annotations

import pytest
from driving import LabPage
from lesson_page import LessonPage, lesson, run_unsolved, shown
from playwright.sync_api import expect

from recall_lab import GoldenDataset
from recall_lab.exercises.lesson_02 import REAL_QUESTION
from recall_lab.measures import precision_at_k, recall_at_k
from recall_lab.retrieval.keyword import KeywordRetriever

pytestmark = pytest.mark.browser


def test_a_walk_through_lesson_02(lab: LabPage) -> None:
    page = LessonPage(lab, lesson("02"))
    run_unsolved(lab)

    said = page.answer("02.recall_by_hand", "2 / 5")
    expect(said).to_contain_text("Not yet")
    expect(said).to_contain_text("dividing the hits by k")  # the check recognises the mistake
    said = page.answer("02.recall_by_hand", "2 / 4")
    expect(said).to_contain_text("Passed")

    golden = GoldenDataset.load("library_of_things")
    relevant = golden.relevant(REAL_QUESTION)
    search = KeywordRetriever(golden.passages).search(golden.questions[REAL_QUESTION], depth=20)
    ranking = [passage for passage, _ in search]
    view = page.output("view = RankedListView")
    slider = view.locator("input[type=range]")
    slider.focus()
    for k in range(2, len(ranking) + 1):
        slider.press("ArrowRight")
        for name, measure in {"Recall": recall_at_k, "Precision": precision_at_k}.items():
            assert shown(view, f"{name}@{k}") == pytest.approx(measure(ranking, relevant, k), abs=0.0005)

    one, many = page.output("one_answer ="), lab.output(page.position("one_answer =") + 1)
    one.locator("input[type=range]").press("End")
    assert shown(one, "Recall@5") == 1
    assert shown(many, "Recall@5") == pytest.approx(recall_at_k(ranking, relevant, 5), abs=0.0005)
