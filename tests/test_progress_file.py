"""The progress file: whole at every moment, shared by kernels, and never in the way."""

from __future__ import annotations

import html
import json
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from recall_lab.errors import FolderError, InputFileError, RecallLabError
from recall_lab.exercises import (
    check,
    export_progress,
    hint,
    import_progress,
    predict,
    progress,
    reset_progress,
    reveal,
    state,
)


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    monkeypatch.delenv("RECALL_LAB_PROGRESS", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(state, "_told", set())
    monkeypatch.setattr(state, "_waiting", {})
    return tmp_path


def stored() -> dict:
    return json.loads(Path(state.FILE_NAME).read_text(encoding="utf-8"))


def test_it_lies_beside_the_notebooks_and_is_readable():
    check("02.recall_by_hand", 0.4)
    check("02.recall_by_hand", 0.5)
    hint("02.recall_by_hand")
    predict("02.predict_precision", "a")
    assert stored() == {
        "format": 1,
        "exercises": {
            "02.recall_by_hand": {"tries": 2, "passed": True, "mistakes": {"divided_by_k": 1}, "hints": 1}
        },
        "predictions": {"02.predict_precision": ["a"]},
    }
    assert Path(state.FILE_NAME).read_text(encoding="utf-8").count("\n") > 8


def test_the_environment_may_name_another_file(tmp_path, monkeypatch):
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "elsewhere.json"))
    check("02.recall_by_hand", 0.5)
    assert (tmp_path / "elsewhere.json").exists()
    assert not Path(state.FILE_NAME).exists()


def test_what_is_passed_stays_passed():
    check("02.recall_by_hand", 0.5)
    check("02.recall_by_hand", 0.1)
    assert stored()["exercises"]["02.recall_by_hand"]["passed"] is True


def test_an_untouched_cell_leaves_no_trace():
    check("02.recall_by_hand", ...)
    assert not Path(state.FILE_NAME).exists()


# -- killed at any moment ------------------------------------------------------------------------------------


NURSERY = """
import json, os, random, signal, time
from recall_lab.exercises import state

rng, kills, whole = random.Random(9), 400, 0
for _ in range(kills):
    child = os.fork()
    while child == 0:
        state.note_prediction("02.predict_precision", "a guess " * rng.randrange(40))
        if rng.random() < 0.05:
            state.reset()
    time.sleep(rng.uniform(0, 0.01))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if os.path.exists(state.FILE_NAME):
        with open(state.FILE_NAME, encoding="utf-8") as file:
            assert json.load(file)["format"] == 1
        whole += 1
assert whole > kills * 0.8, whole
"""


def test_kill_9_at_any_moment_leaves_a_whole_file():
    """Four hundred children write without pause and are killed; the file must be whole every time."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    subprocess.run([sys.executable, "-c", NURSERY], env=environment, check=True, timeout=120)
    assert state.note_prediction("02.predict_precision", "still works") == ""
    assert stored()["predictions"]["02.predict_precision"][-1] == "still works"
    assert not list(Path().glob("*unreadable*"))


def test_a_torn_second_file_is_no_trouble():
    check("02.recall_by_hand", 0.5)
    Path(state.FILE_NAME + ".new").write_text('{"format": 1, "exer')
    check("02.recall_deeper", 0.75)
    assert set(stored()["exercises"]) == {"02.recall_by_hand", "02.recall_deeper"}


def test_nothing_is_renamed_before_it_is_on_the_disk(monkeypatch):
    order = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (order.append("fsync"), fsync(fd))[1])
    monkeypatch.setattr(os, "replace", lambda a, b: (order.append("replace"), replace(a, b))[1])
    check("02.recall_by_hand", 0.5)
    assert order == ["fsync", "replace"]


# -- two kernels at once -------------------------------------------------------------------------------------


def test_two_kernels_lose_nothing():
    code = "from recall_lab.exercises import state\nfor i in range(40): state.note_prediction('{}', str(i))"
    names = ["02.predict_precision", "02.predict_hit_rate", "02.predict_precision"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    kernels = [subprocess.Popen([sys.executable, "-c", code.format(name)], env=environment) for name in names]
    assert [kernel.wait(60) for kernel in kernels] == [0, 0, 0]
    guesses = stored()["predictions"]
    assert sorted(map(int, guesses["02.predict_hit_rate"])) == list(range(40))
    assert len(guesses["02.predict_precision"]) == 80


def test_threads_lose_nothing():
    def write():
        for i in range(20):
            state.note_prediction("02.predict_precision", str(i))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stored()["predictions"]["02.predict_precision"]) == 80


def test_a_kernel_that_holds_the_lock_too_long_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(state, "_PATIENCE", 0.1)
    path = state.progress_path()
    with state._locked(path):
        result = check("02.recall_by_hand", 0.5)
    assert result.passed
    assert "another kernel holds it" in repr(result)
    check("02.recall_deeper", 0.75)
    assert set(stored()["exercises"]) == {"02.recall_by_hand", "02.recall_deeper"}, (
        "what was kept in memory is written now"
    )


# -- broken, foreign, newer ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        '{"exercises": {}}',
        '{"format": "1"}',
        '{"format": true}',
        '{"format": 1, "exercises": []}',
        '{"format": 1, "exercises": {"a": 1}}',
        '{"format": 1, "exercises": {"a": {"tries": "many"}}}',
        '{"format": 1, "exercises": {"a": {"mistakes": []}}}',
        '{"format": 1, "predictions": {"a": "b"}}',
        "\ufeff{}",
        "\x00\x01",
    ],
)
def test_a_broken_file_is_kept_and_a_new_one_begins(text):
    Path(state.FILE_NAME).write_text(text, encoding="utf-8")
    assert "cannot be read" in repr(progress())
    result = check("02.recall_by_hand", 0.5)
    assert result.passed
    assert "recall_lab_progress.unreadable-1.json" in repr(result)
    assert Path("recall_lab_progress.unreadable-1.json").read_text(encoding="utf-8") == text
    assert stored()["exercises"]["02.recall_by_hand"]["passed"]
    Path(state.FILE_NAME).write_bytes(b"\xff\xfe\x00")
    check("02.recall_by_hand", 0.5)
    assert Path("recall_lab_progress.unreadable-2.json").exists()


def test_unknown_fields_and_exercises_are_left_alone():
    data = {
        "format": 1,
        "note": "mine",
        "exercises": {
            "99.later": {"passed": True, "colour": "red"},
            "02.recall_by_hand": {"tries": 3, "extra": [1]},
        },
        "predictions": {},
    }
    Path(state.FILE_NAME).write_text(json.dumps(data))
    check("02.recall_by_hand", 0.5)
    data["exercises"]["02.recall_by_hand"] |= {"tries": 4, "passed": True}
    assert stored() == data
    assert "1 of" in repr(progress())


def test_a_newer_format_is_not_touched():
    text = '{"format": 7, "exercises": "somehow else"}'
    Path(state.FILE_NAME).write_text(text)
    result = check("02.recall_by_hand", 0.5)
    assert result.passed
    assert "newer Recall Lab" in repr(result)
    assert Path(state.FILE_NAME).read_text() == text
    assert "newer" not in repr(check("02.recall_by_hand", 0.5)), "said once"
    assert "newer Recall Lab" in repr(progress())


def test_what_is_no_ordinary_file_is_never_touched(tmp_path, monkeypatch):
    """Somebody names a device, a pipe or a folder: it is neither read, locked, moved nor replaced."""
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for place in (pipe, folder):
        monkeypatch.setenv("RECALL_LAB_PROGRESS", str(place))
        result = check("02.recall_by_hand", 0.5)
        assert result.passed
        assert "not an ordinary file" in repr(result)
        assert "1 of 10 passed" in repr(progress()), "kept in memory meanwhile"
        reset_progress()
        with pytest.raises(RecallLabError, match="not an ordinary file"):
            export_progress(place)
        with pytest.raises(InputFileError, match="not an ordinary file"):
            import_progress(place)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


def test_a_link_is_written_through(tmp_path, monkeypatch):
    (tmp_path / "cloud").mkdir()
    Path(state.FILE_NAME).symlink_to(tmp_path / "cloud" / "mine.json")
    check("02.recall_by_hand", 0.5)
    assert Path(state.FILE_NAME).is_symlink()
    assert stored()["exercises"]["02.recall_by_hand"]["passed"]


# -- nowhere to write ----------------------------------------------------------------------------------------


def test_without_a_place_to_write_the_lesson_goes_on(tmp_path, monkeypatch):
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "a file" / "progress.json"))
    first = check("02.recall_by_hand", 0.5)
    assert first.passed
    assert "not saved" in first.verdict.notes[-1]
    assert "\n" not in first.verdict.notes[-1]
    assert not check("02.recall_by_hand", 0.4).verdict.notes, "one line, once"
    hint("02.recall_by_hand")
    assert "Hint 2 of 3" in repr(hint("02.recall_by_hand")), "kept in memory meanwhile"
    predict("02.predict_precision", "b")
    reveal("02.recall_deeper")
    overview = repr(progress())
    assert "○ revealed" in overview
    assert "not saved" in overview


def test_a_folder_deleted_under_the_kernel_is_no_error(tmp_path, monkeypatch):
    def gone(path):
        raise FileNotFoundError

    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "gone" / "progress.json"))
    monkeypatch.setattr(os.path, "realpath", gone)
    assert check("02.recall_by_hand", 0.5).passed
    assert "not saved" in repr(progress())


def test_a_full_disk_leaves_the_old_file(monkeypatch):
    check("02.recall_by_hand", 0.5)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = check("02.recall_deeper", 0.75)
    assert result.passed
    assert "No space left" in repr(result)
    assert list(stored()["exercises"]) == ["02.recall_by_hand"]


# -- export, import, reset -----------------------------------------------------------------------------------


def test_export_and_import_bring_progress_to_another_machine(tmp_path):
    check("02.recall_by_hand", 0.5)
    predict("02.predict_precision", "a")
    exported = tmp_path / "mine.json"
    assert str(exported) in repr(export_progress(exported))
    Path(state.FILE_NAME).unlink()
    check("02.recall_by_hand", 0.4)
    check("02.recall_deeper", 0.75)
    import_progress(exported)
    merged = stored()
    assert merged["exercises"]["02.recall_by_hand"]["passed"]
    assert merged["exercises"]["02.recall_by_hand"]["mistakes"] == {"divided_by_k": 1}
    assert merged["exercises"]["02.recall_deeper"]["passed"]
    assert merged["predictions"] == {"02.predict_precision": ["a"]}
    assert Path("recall_lab_progress.before-import-1.json").exists()


@pytest.mark.parametrize("text", ["", "{}", '{"cells": []}', '{"format": 9}', None])
def test_only_a_progress_file_is_imported(text):
    if text is not None:
        Path("other.json").write_text(text)
    with pytest.raises(InputFileError, match=r"other\.json: not a progress file"):
        import_progress("other.json")


def test_a_copy_that_cannot_be_written_is_an_error_of_our_own():
    with pytest.raises(FolderError, match="cannot be written"):
        export_progress("no such folder/mine.json")


def test_reset_keeps_the_old_file():
    check("02.recall_by_hand", 0.5)
    check("03.which_bug", "b")
    predict("02.predict_precision", "b")
    reset_progress("02")
    assert list(stored()["exercises"]) == ["03.which_bug"]
    assert stored()["predictions"] == {}
    reset_progress()
    assert stored()["exercises"] == {}
    kept = json.loads(Path("recall_lab_progress.before-reset-1.json").read_text())
    assert set(kept["exercises"]) == {"02.recall_by_hand", "03.which_bug"}
    assert Path("recall_lab_progress.before-reset-2.json").exists()
    with pytest.raises(RecallLabError, match="no lesson '77'"):
        reset_progress("77")


# -- at a glance ---------------------------------------------------------------------------------------------


def test_progress_shows_the_whole_workbook():
    check("02.recall_by_hand", 0.5)
    check("02.recall_deeper", 0.1)
    reveal("02.precision_by_hand")
    predict("02.predict_precision", "b")
    text = repr(progress())
    assert "02 Recall by hand: 1 of 10 passed" in text
    assert "03 Recall in code: 0 of" in text
    assert any(line.startswith("✓ passed") and "02.recall_by_hand" in line for line in text.splitlines())
    assert any(line.startswith("→ tried") and "02.recall_deeper" in line for line in text.splitlines())
    assert any(line.startswith("○ revealed") and "02.precision_by_hand" in line for line in text.splitlines())
    assert "1 of 3" in text


def test_progress_says_the_same_as_html():
    check("02.recall_by_hand", 0.5)
    page = progress()._repr_html_()
    assert html.unescape(re.sub(r"<[^>]*>", " ", page)).split() == repr(progress()).split()
    assert page.count("<caption") == repr(progress()).count(" passed\n")
