"""A walk through lesson 06 in JupyterLab: answers typed, both views moved by keyboard."""

from __future__ import annotations

import pytest
from driving import LabPage
from lesson_page import LessonPage, lesson, run_unsolved
from playwright.sync_api import Locator, expect

from recall_lab import GoldenDataset, mean_hit_rate_at_k, mean_recall_at_k, micro_recall_at_k
from recall_lab.exercises.lesson_02 import HAND_SHEET
from recall_lab.retrieval import frozen_run

pytestmark = pytest.mark.browser

MEASURES = {"Macro": mean_recall_at_k, "Micro": micro_recall_at_k, "Hit rate": mean_hit_rate_at_k}
FIVE = ["q004", "q033", "q017", "q020", "q054"]
GROWING = "What comes with ear defenders?"


def holds(view: Locator, pairs: list[list[tuple]], k: int) -> None:
    """Each average that is shown is that of measures.py, for one system after the other."""
    for position, (name, measure) in enumerate(MEASURES.items()):
        row = view.locator(".rl-average").nth(position)
        expect(row).to_contain_text(name)
        for i, of_system in enumerate(pairs):
            shown = row.locator(".rl-average-value").nth(i).inner_text().split()[-1]
            assert float(shown) == pytest.approx(measure(of_system, k), abs=0.0005), (name, i, k)


def test_a_walk_through_lesson_06(lab: LabPage) -> None:
    page = LessonPage(lab, lesson("06"))
    run_unsolved(lab)

    said = page.answer("06.micro_by_hand", "(2 / 2 + 3 / 30) / 2")
    expect(said).to_contain_text("Not yet")
    expect(said).to_contain_text("averaging the recalls of the questions")
    expect(page.answer("06.micro_by_hand", "5 / 32")).to_contain_text("Passed")

    sheet = page.output("AveragesView(relevant, ")
    pairs = [(query.retrieved, query.relevant(1)) for query in HAND_SHEET.queries]
    slider = sheet.get_by_label("Cutoff k", exact=True)
    for k in range(2, 21):
        slider.press("ArrowRight")
        expect(sheet.get_by_label("Cutoff k, typed")).to_have_value(str(k))
        above = micro_recall_at_k(pairs, k) > mean_recall_at_k(pairs, k)
        expect(sheet.locator(".rl-verdict")).to_have_text(
            "micro is above macro" if above else "macro is above micro"
        )
        holds(sheet, [pairs], k)

    golden = GoldenDataset.load("library_of_things")
    relevant = {question: sorted(golden.relevant(question)) for question in FIVE}
    runs = [frozen_run(name) for name in ("keyword", "minilm")]
    view = page.output("view = AveragesView.for_questions(")
    slider = view.get_by_label(f"R of “{GROWING}”", exact=True)
    verdicts = []
    for size in range(2, len(relevant["q054"]) + 1):
        slider.press("ArrowRight")
        expect(view.get_by_label(f"R of “{GROWING}”, typed", exact=True)).to_have_value(str(size))
        wanted = relevant | {"q054": relevant["q054"][:size]}
        holds(view, [[(run.ranking(q, 20), wanted[q]) for q in FIVE] for run in runs], 20)
        verdicts.append(view.locator(".rl-verdict").inner_text())
    assert "meaning is ahead by macro and micro" in verdicts[0]
    assert verdicts[-1] == "keyword is ahead by micro; meaning is ahead by macro and hit rate"

    labels = ('"macro"', '"micro"', '"hit rate"', '"micro"', '"macro"', '"hit rate"')
    expect(page.answer("06.whose_recall", *labels)).to_contain_text("Passed")
