"""The lessons that have no walk of their own, opened in JupyterLab and run as they are handed out."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import LabPage
from lesson_page import LESSONS, LessonPage, run_unsolved

pytestmark = pytest.mark.browser

WALKED = {walk.stem[-2:] for walk in Path(__file__).parent.glob("test_walk_*.py")}
OTHERS = [source for source in LESSONS if source.stem[:2] not in WALKED]


@pytest.mark.parametrize("source", OTHERS, ids=lambda source: source.stem[:2])
def test_a_lesson_runs_unsolved_in_jupyterlab(lab: LabPage, source: Path) -> None:
    LessonPage(lab, source)
    run_unsolved(lab)
