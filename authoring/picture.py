"""Make the picture in README.md anew: ``python -m authoring.picture``. Needs Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.driving import LabPage, chromium, jupyterlab

PICTURE = Path(__file__).resolve().parents[1] / "pictures" / "ranked-list.png"
CELL = """\
from recall_lab import GoldenDataset
from recall_lab.retrieval.keyword import KeywordRetriever
from recall_lab.widgets import RankedListView

golden = GoldenDataset.load("library_of_things")
run = KeywordRetriever(golden.passages).run({"q047": golden.questions["q047"]}, depth=20)
RankedListView.for_question(golden, run, "q047", depth=10, k=5)
"""


def main() -> None:
    """Show the ranked list of lesson 02 in JupyterLab and photograph it."""
    with tempfile.TemporaryDirectory() as folder, jupyterlab(Path(folder)) as server, chromium() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 1200})
        lab = LabPage(page, server)
        server.write_notebook("picture.ipynb", CELL)
        lab.open("picture.ipynb")
        lab.run_all()
        view = lab.output(0).locator(".rl")
        view.wait_for()
        view.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
