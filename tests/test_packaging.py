"""The wheel as its users meet it: built, installed without a network in a fresh place, a lesson run."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from authoring import platforms, wheelhouse
from recall_lab.resources import shipped_folder

ROOT = Path(__file__).resolve().parents[1]
LESSON = "02_recall_by_hand.ipynb"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def stick(tmp_path_factory) -> Path:
    """The folder that `make wheelhouse` fills, for the Python and system that run this test."""
    folder = tmp_path_factory.mktemp("packaging") / "stick"
    assert wheelhouse.main(["--folder", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def contents(stick) -> list[zipfile.ZipInfo]:
    (wheel,) = stick.glob("wheels/recall_lab_workbook-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.infolist()


def test_wheel_is_small_and_carries_lessons_and_data(contents):
    assert sum(entry.compress_size for entry in contents) < 15_000_000
    inside = {entry.filename for entry in contents}
    for shipped in ("notebooks", "datasets"):
        source = shipped_folder(shipped)
        for path in source.rglob("*"):
            name = path.relative_to(source)
            private = name.parts[0] == "source" or any(
                part.startswith((".", "__pycache__")) for part in name.parts
            )
            if path.is_file():
                assert (f"recall_lab/_shipped/{shipped}/{name.as_posix()}" in inside) is not private


def test_wheel_carries_no_leftovers(contents):
    for entry in contents:
        parts = Path(entry.filename).parts
        assert not any(
            part.startswith(".") or part in ("__pycache__", "tests", "authoring") for part in parts
        )
        assert parts[0] == "recall_lab" or parts[0].endswith(".dist-info")
    inside = {entry.filename for entry in contents}
    assert {
        "recall_lab/py.typed",
        "recall_lab/widgets/kit.js",
        "recall_lab/exercises/solutions.json",
    } <= inside


def test_installed_without_a_network_a_lesson_runs(stick, tmp_path):
    """lab.py on the stick installs from its wheels alone; the worked lesson then runs outside the clone."""
    variables = {**os.environ, "PIP_NO_INDEX": "1", "PIP_INDEX_URL": "http://127.0.0.1:9/"}
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PYTHONPATH"):
        variables.pop(name, None)
    variables["RECALL_LAB_PROGRESS"] = str(tmp_path / "progress.json")

    def run(*command: str | Path) -> str:
        result = subprocess.run(
            command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=600
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    run(sys.executable, stick / "lab.py", "--only-environment")
    commands = stick / ".venv" / ("Scripts" if os.name == "nt" else "bin")
    where = run(commands / "python", "-c", "import recall_lab; print(recall_lab.__file__)")
    assert Path(where.strip()).is_relative_to(stick)

    run(commands / "recall-lab", "start", "my folder", "--lay-out-only")
    lesson = tmp_path / "my folder" / "worked" / LESSON
    before = nbformat.read(lesson, as_version=4)
    run(commands / "jupyter", "execute", "--inplace", lesson)
    after = nbformat.read(lesson, as_version=4)
    assert [cell.source for cell in after.cells] == [cell.source for cell in before.cells]
    executed = [cell.execution_count for cell in after.cells if cell.cell_type == "code"]
    assert executed == list(range(1, len(executed) + 1)) and executed


def test_wheels_for_another_system_are_asked_for_by_its_own_conditions():
    """colorama is for Windows only, pexpect for the others: the resolver must not judge by this machine."""
    names = {
        system: {pin.split("==")[0] for pin in platforms.resolve("3.12", system)}
        for system in ("windows", "macos-arm")
    }
    assert "colorama" in names["windows"] and "pexpect" not in names["windows"]
    assert "pexpect" in names["macos-arm"] and "colorama" not in names["macos-arm"]
    assert set(wheelhouse.TAGS) == set(platforms.SYSTEMS)


def test_core_installs_where_there_is_no_vector_model():
    """wordllama has no wheel for Python 3.14, and nothing but the extra that names it may need it."""
    assert not any(pin.startswith("wordllama") for pin in platforms.resolve("3.14", "windows", ["retrieval"]))
    assert any(pin.startswith("wordllama") for pin in platforms.resolve("3.12", "windows", ["retrieval"]))
    assert not any(
        pin.startswith("wordllama") for pin in platforms.resolve("3.12", "windows", platforms.NEEDED)
    )
