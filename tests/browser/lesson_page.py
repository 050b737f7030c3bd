"""A lesson open in JupyterLab, for the walks through the lessons."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

from driving import ROOT, LabPage
from playwright.sync_api import Locator, expect

LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


class LessonPage:
    """A learner's notebook, open in JupyterLab, in a folder of its own."""

    def __init__(self, lab: LabPage, source: Path) -> None:
        self.lab = lab
        self.folder = folder = Path(tempfile.mkdtemp(prefix=f"{source.stem}_", dir=lab.server.folder))
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

    def answer(self, exercise_id: str, *typed: str) -> Locator:
        """Click into the exercise, type an answer in each place of dots, press Shift+Enter; its output."""
        position = self.position(f'check("{exercise_id}", ')
        code = self.code[position]
        for answer in typed:
            code = code.replace("...", answer, 1)
        editor = self.lab.page.locator(".jp-Notebook .jp-CodeCell").nth(position).locator(".cm-content")
        editor.click()
        editor.press("Control+a")
        self.lab.page.keyboard.insert_text(code)
        editor.press("Shift+Enter")
        return self.lab.output(position)


def lesson(number: str) -> Path:
    """The learner's notebook of a lesson, named by its two digits."""
    (found,) = [source for source in LESSONS if source.stem.startswith(f"{number}_")]
    return found


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


def shown(view: Locator, measure: str) -> float:
    """The number on a view's tile, such as "Recall@5"; waits until there is such a tile."""
    name = view.page.locator(".rl-tile-name", has_text=re.compile(f"^{measure}$"))
    tile = view.locator(".rl-tile", has=name)
    expect(tile).to_have_count(1)
    return float(tile.locator(".rl-tile-value").inner_text().split()[-1])
