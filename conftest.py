"""What all tests and doctests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def progress_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep each test's progress in its own file, so that no test sees or changes another's."""
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))
