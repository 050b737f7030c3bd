"""The lessons as a learner meets them: opened in JupyterLab, run, answered, and moved by keyboard."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from driving import ROOT, LabPage
from playwright.sync_api import Locator, expect

from recall_lab import GoldenDataset
from recall_lab.exercises.lesson_02 import REAL_QUESTION
from recall_lab.measures import precision_at_k, recall_at_k
from recall_lab.retrieval.keyword import KeywordRetriever

pytestmark = pytest.mark.browser

LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
LESSON_02 = ROOT / "notebooks" / "02_recall_by_hand.ipynb"
OTHERS = [source for source in LESSONS if source != LESSON_02]


class LessonPage:
    """A learner's notebook, open in JupyterLab, in a folder of its own."""

    def __init__(self, lab: LabPage, source: Path) -> None:
        self.lab = lab
        folder = Path(tempfile.mkdtemp(prefix=f"{source.stem}_", dir=lab.server.folder))
        path = Path(shutil.copy(source, folder))
        lab.server.trust(path)
        lab.open(f"{folder.name}/{path.name}")
        self.code = [
            "".join(cell["source"])
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "code"
        ]

    def position(self, text: str) -> int:
        """Which code cell holds this text; exactly one does."""
        (found,) = [i for i, code in enumerate(self.code) if text in code]
        return found

    def output(self, text: str) -> Locator:
        """The output of the code cell that holds this text."""
        return self.lab.output(self.position(text))

    def answer(self, exercise_id: str, typed: str) -> Locator:
        """Click into the exercise, type an answer in the place of the dots, press Shift+Enter; its output."""
        position = self.position(f'check("{exercise_id}", ')
        code = self.code[position].replace("...", typed, 1)
        editor = self.lab.page.locator(".jp-Notebook .jp-CodeCell").nth(position).locator(".cm-content")
        editor.click()
        editor.press("Control+a")
        self.lab.page.keyboard.insert_text(code)
        editor.press("Shift+Enter")
        return self.lab.output(position)


def run_unsolved(lab: LabPage) -> None:
    """Run all cells; no exercise complains, nothing is red, a view is alive, and nothing is too wide."""
    lab.run_all()
    page = lab.page
    expect(page.locator(".jp-OutputArea").get_by_text("Not attempted").first).to_be_visible()
    expect(page.locator(".rl").first).to_be_visible()
    red = page.locator("[data-mime-type*=error], [data-mime-type*=stderr]")
    assert red.all_inner_texts() == []
    too_wide = page.locator(".jp-OutputArea-output").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    )
    assert too_wide == []


@pytest.mark.parametrize("source", OTHERS, ids=lambda source: source.stem[:2])
def test_a_lesson_runs_unsolved_in_jupyterlab(lab: LabPage, source: Path) -> None:
    LessonPage(lab, source)
    run_unsolved(lab)


def shown(view: Locator, measure: str) -> float:
    """The number on a view's tile, such as "Recall@5"; waits until there is such a tile."""
    name = view.page.locator(".rl-tile-name", has_text=re.compile(f"^{measure}$"))
    tile = view.locator(".rl-tile", has=name)
    expect(tile).to_have_count(1)
    return float(tile.locator(".rl-tile-value").inner_text().split()[-1])


def test_a_walk_through_lesson_02(lab: LabPage) -> None:
    lesson = LessonPage(lab, LESSON_02)
    run_unsolved(lab)

    said = lesson.answer("02.recall_by_hand", "2 / 5")
    expect(said).to_contain_text("Not yet")
    expect(said).to_contain_text("dividing the hits by k")  # the check recognises the mistake
    said = lesson.answer("02.recall_by_hand", "2 / 4")
    expect(said).to_contain_text("Passed")

    golden = GoldenDataset.load("library_of_things")
    relevant = golden.relevant(REAL_QUESTION)
    search = KeywordRetriever(golden.passages).search(golden.questions[REAL_QUESTION], depth=20)
    ranking = [passage for passage, _ in search]
    view = lesson.output("view = RankedListView")
    slider = view.locator("input[type=range]")
    slider.focus()
    for k in range(2, len(ranking) + 1):
        slider.press("ArrowRight")
        for name, measure in {"Recall": recall_at_k, "Precision": precision_at_k}.items():
            assert shown(view, f"{name}@{k}") == pytest.approx(measure(ranking, relevant, k), abs=0.0005)

    one, many = lesson.output("one_answer ="), lab.output(lesson.position("one_answer =") + 1)
    one.locator("input[type=range]").press("End")
    assert shown(one, "Recall@5") == 1
    assert shown(many, "Recall@5") == pytest.approx(recall_at_k(ranking, relevant, 5), abs=0.0005)
