"""What all tests and doctests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says more about the machine than about the code. In CI the examples are the same
# at every run, so that what fails there is the change; at a desk they are new each time, and find more.
settings.register_profile(
    "any machine",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def progress_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep each test's progress in its own file, so that no test sees or changes another's."""
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))
