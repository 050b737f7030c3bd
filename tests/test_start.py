"""The learner's folder: what is laid out, and above all what is never lost."""

import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_lab import resources
from recall_lab.classroom import reset, server, trust, workbook
from recall_lab.classroom import start as start_command
from recall_lab.classroom import update as update_command
from recall_lab.cli import main
from recall_lab.errors import FolderError

CLONE = Path(__file__).resolve().parents[1]


def notebook(text: str) -> str:
    cell = nbformat.v4.new_code_cell("view", id="a-cell")
    cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": f"<b>{text}</b>"})]
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))


class Shipped:
    """A stand-in for what an installation ships, which a test can change as a new release would."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("notebooks/start.ipynb", notebook("start"))
        self.write("notebooks/02_recall_by_hand.ipynb", notebook("two"))
        self.write("notebooks/worked/02_recall_by_hand.ipynb", notebook("two, worked"))
        self.write("notebooks/source/02_recall_by_hand.py", "# for authors")
        self.write("notebooks/.ipynb_checkpoints/start.ipynb", "{}")
        self.write("datasets/library_of_things/corpus.jsonl", "{}")
        self.write("datasets/source/library_of_things/passages.txt", "for authors")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    release = Shipped(tmp_path / "installation")
    monkeypatch.setattr(resources, "shipped_folder", lambda name: release.root / name)
    return release


@pytest.fixture
def own_jupyter(tmp_path, monkeypatch):
    """Jupyter's own folder, so that no test signs notebooks for the person who runs it."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "jupyter-config"))
    return tmp_path / "jupyter"


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


LAID_OUT = [
    ".recall_lab/manifest.json",
    "02_recall_by_hand.ipynb",
    "data/library_of_things/corpus.jsonl",
    "start.ipynb",
    "worked/02_recall_by_hand.ipynb",
]


def test_first_start_lays_out_lessons_and_data(shipped, tmp_path):
    folder = tmp_path / "Übungen zu Recall"
    changes = workbook.lay_out(folder)
    assert names(folder) == LAID_OUT
    assert len(changes.created) == 4
    assert str(changes) == "4 files laid out."


def test_repeated_start_changes_nothing(shipped, tmp_path):
    workbook.lay_out(tmp_path / "w")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "w").rglob("*.ipynb")}
    assert str(workbook.lay_out(tmp_path / "w")) == "Everything is up to date."
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_update_replaces_what_nobody_changed(shipped, tmp_path):
    workbook.lay_out(tmp_path / "w")
    shipped.write("notebooks/02_recall_by_hand.ipynb", notebook("two, better"))
    changes = workbook.lay_out(tmp_path / "w")
    assert changes.replaced == ["02_recall_by_hand.ipynb"] and not changes.beside
    assert "better" in (tmp_path / "w/02_recall_by_hand.ipynb").read_text()


def test_update_comes_beside_what_the_learner_changed(shipped, tmp_path):
    folder = tmp_path / "w"
    workbook.lay_out(folder)
    lesson, progress = folder / "02_recall_by_hand.ipynb", folder / "recall_lab_progress.json"
    lesson.write_text("my work")
    progress.write_text("my progress")
    shipped.write("notebooks/02_recall_by_hand.ipynb", notebook("second release"))
    changes = workbook.lay_out(folder)
    assert (
        "02_recall_by_hand.ipynb, so the newer version is beside it: 02_recall_by_hand-updated.ipynb"
        in str(changes)
    )
    assert lesson.read_text() == "my work" and progress.read_text() == "my progress"
    assert "second release" in (folder / "02_recall_by_hand-updated.ipynb").read_text()

    assert workbook.lay_out(folder).beside == {}, "the same release must not arrive twice"

    (folder / "02_recall_by_hand-updated.ipynb").write_text("my work in the newer version")
    shipped.write("notebooks/02_recall_by_hand.ipynb", notebook("third release"))
    assert workbook.lay_out(folder).beside == {"02_recall_by_hand.ipynb": "02_recall_by_hand-updated-2.ipynb"}
    assert (folder / "02_recall_by_hand-updated.ipynb").read_text() == "my work in the newer version"


def test_file_of_the_learners_own_with_a_lessons_name_is_kept(shipped, tmp_path):
    folder = tmp_path / "w"
    folder.mkdir()
    (folder / "start.ipynb").write_text("something of mine")
    changes = workbook.lay_out(folder)
    assert (folder / "start.ipynb").read_text() == "something of mine"
    assert changes.beside == {"start.ipynb": "start-updated.ipynb"}


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": 3}', "\x00"])
def test_damaged_manifest_loses_nothing(shipped, tmp_path, content):
    folder = tmp_path / "w"
    workbook.lay_out(folder)
    (folder / "02_recall_by_hand.ipynb").write_text("my work")
    (folder / ".recall_lab/manifest.json").write_text(content)
    workbook.lay_out(folder)
    assert (folder / "02_recall_by_hand.ipynb").read_text() == "my work"
    assert "two" in (folder / "02_recall_by_hand-updated.ipynb").read_text()


def test_reset_gives_a_clean_lesson_and_keeps_the_old(shipped, tmp_path):
    folder = tmp_path / "w"
    workbook.lay_out(folder)
    lesson = folder / "02_recall_by_hand.ipynb"
    for number, wanted in enumerate(("02", "02_recall_by_hand", "02_recall_by_hand.ipynb"), start=1):
        lesson.write_text(f"attempt {number}")
        clean, kept = workbook.reset_lesson(folder, wanted)
        assert clean == lesson and "two" in lesson.read_text()
        assert kept.read_text() == f"attempt {number}"
    assert [name for name in names(folder) if "kept" in name] == [
        "02_recall_by_hand-kept-2.ipynb",
        "02_recall_by_hand-kept-3.ipynb",
        "02_recall_by_hand-kept.ipynb",
    ]
    assert workbook.reset_lesson(folder, "worked/02_recall_by_hand") == (
        folder / "worked" / lesson.name,
        None,
    )
    lesson.unlink()
    assert workbook.reset_lesson(folder, "02") == (lesson, None)
    assert lesson.is_file()


def test_reset_of_an_unknown_lesson_names_the_known_ones(shipped, tmp_path):
    workbook.lay_out(tmp_path / "w")
    with pytest.raises(FolderError, match=r"no lesson '77'.*\n.*02_recall_by_hand, start"):
        workbook.reset_lesson(tmp_path / "w", "77")


class Killed(BaseException):
    """Stands for kill -9: nothing gets the chance to tidy up."""


def killed_at_step(number: int, action) -> bool:
    """Carry out ``action``, killing it at the given write or rename; false if it ended before."""
    steps = iter(range(10_000))
    real_replace, real_fsync = os.replace, os.fsync

    def count(real):
        def stand_in(*arguments):
            if next(steps) == number:
                raise Killed
            return real(*arguments)

        return stand_in

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", count(real_replace))
        patch.setattr(os, "fsync", count(real_fsync))
        try:
            action()
        except Killed:
            return True
    return False


@settings(max_examples=60, deadline=None)
@given(
    events=st.lists(
        st.one_of(
            st.tuples(
                st.just("edit"), st.sampled_from(["start", "02_recall_by_hand", "02_recall_by_hand-updated"])
            ),
            st.tuples(st.just("release"), st.sampled_from(["start", "02_recall_by_hand"])),
            st.tuples(st.just("update"), st.integers(0, 12)),
            st.tuples(st.just("reset"), st.integers(0, 6)),
        ),
        max_size=12,
    )
)
def test_whatever_happens_and_wherever_it_is_killed_no_work_is_lost(tmp_path_factory, events):
    root = tmp_path_factory.mktemp("p")
    release, folder = Shipped(root / "installation"), root / "w"
    work: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "shipped_folder", lambda name: release.root / name)
        workbook.lay_out(folder)
        for number, (event, value) in enumerate(events):
            if event == "edit":
                path = folder / f"{value}.ipynb"
                if path.exists():
                    work.discard(path.read_text())  # the learner replaces her own text
                path.write_text(f"work {number}")
                work.add(f"work {number}")
            elif event == "release":
                release.write(f"notebooks/{value}.ipynb", notebook(f"release {number}"))
            elif event == "update":
                killed_at_step(value, lambda: workbook.lay_out(folder))
            else:
                killed_at_step(value, lambda: workbook.reset_lesson(folder, "02"))
        workbook.lay_out(folder)
        present = {path.read_text() for path in folder.glob("*.ipynb")}
        assert work <= present
        # A lesson that arrived beside is the learner's too, once she has edited it.
        edited = {value.removesuffix("-updated") for event, value in events if event == "edit"}
        for lesson in {"start", "02_recall_by_hand"} - edited:
            newest = (release.root / f"notebooks/{lesson}.ipynb").read_text()
            assert newest in present, "in place or, after an interruption, perhaps beside"
        assert str(workbook.lay_out(folder)).startswith("Everything is up to date.")


def test_killed_at_any_step_of_the_first_start(shipped, tmp_path):
    writes_and_renames = 2 * len(LAID_OUT)
    for step in range(writes_and_renames):
        folder = tmp_path / f"killed at {step}"
        assert killed_at_step(step, lambda where=folder: workbook.lay_out(where))
        workbook.lay_out(folder)
        assert names(folder) == LAID_OUT, "complete, and nothing half-written stays behind"
    assert not killed_at_step(writes_and_renames, lambda: workbook.lay_out(tmp_path / "whole"))


def test_really_killed(tmp_path):
    code = (
        "import sys; from recall_lab.classroom import workbook\n"
        "print('go', flush=True); workbook.lay_out(sys.argv[1])"
    )
    for milliseconds in (0, 2, 5, 10, 20):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "w")], stdout=subprocess.PIPE, cwd=CLONE
        )
        process.stdout.readline()
        time.sleep(milliseconds / 1000)
        process.kill()
        process.communicate()
    workbook.lay_out(tmp_path / "w")
    for name, source in workbook.shipped_files():
        assert (tmp_path / "w" / name).read_bytes() == source.read_bytes()


def test_folder_under_a_file_and_file_for_a_folder(shipped, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FolderError, match=r"file is a file, not a folder\.\n  way out"):
        workbook.lay_out(tmp_path / "file")
    with pytest.raises(FolderError, match="a part of the path is a file"):
        workbook.lay_out(tmp_path / "file/below")
    assert (tmp_path / "file").read_text() == "mine"


def test_folder_where_a_lesson_belongs(shipped, tmp_path):
    (tmp_path / "w/start.ipynb").mkdir(parents=True)
    with pytest.raises(FolderError, match="a folder stands where a file belongs"):
        workbook.lay_out(tmp_path / "w")


def test_folder_that_the_system_refuses():
    with pytest.raises(FolderError, match=r"cannot be made.*\n  way out: name a folder you may write to"):
        workbook.lay_out("/proc/recall-lab")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, r"the disk is full\. Free some space: a workbook takes 1 MB"),
        (errno.EDQUOT, "your quota is used up"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "you may not write there"),
        (errno.ENAMETOOLONG, "the path is too long"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
def test_disk_that_refuses_in_the_middle(shipped, tmp_path, monkeypatch, number, words):
    folder = tmp_path / "w"
    workbook.lay_out(folder)
    (folder / "02_recall_by_hand.ipynb").write_text("my work")
    shipped.write("notebooks/start.ipynb", notebook("newer"))

    def refuse(descriptor):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(FolderError, match=words):
        workbook.lay_out(folder)
    assert (folder / "02_recall_by_hand.ipynb").read_text() == "my work"
    assert names(folder) == LAID_OUT, "nothing half-written stays behind"


def test_disk_that_really_refuses(tmp_path):
    """The system's own refusal (a limit on the size of files), not one made up by the test."""

    def no_file_over_100_bytes():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    result = subprocess.run(
        [sys.executable, "-B", "-m", "recall_lab", "start", str(tmp_path / "w"), "--lay-out-only"],
        capture_output=True,
        text=True,
        cwd=CLONE,
        preexec_fn=no_file_over_100_bytes,
    )
    assert result.returncode == 2
    assert "cannot be read or written: File too large" in result.stderr and "Traceback" not in result.stderr


def test_installation_itself_is_no_workbook(shipped):
    for folder in (shipped.root, shipped.root / "notebooks", shipped.root / "datasets/mine"):
        with pytest.raises(FolderError, match="belongs to Recall Lab itself"):
            workbook.lay_out(folder)


def test_update_and_reset_ask_for_a_workbook(shipped, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["update"]) == 2
    assert main(["reset", "02", "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("is not a Recall Lab workbook") == 2


def test_commands_find_the_workbook_here(shipped, own_jupyter, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["start", "--lay-out-only"]) == 0
    folder = tmp_path / "recall-lab-workbook"
    assert names(folder) == LAID_OUT
    (folder / "02_recall_by_hand.ipynb").write_text("my work")
    assert main(["reset", "02"]) == 0
    assert "Your copy is kept: 02_recall_by_hand-kept.ipynb" in capsys.readouterr().out
    monkeypatch.chdir(folder)
    (folder / "start.ipynb").unlink()
    assert main(["update"]) == 0
    assert "1 file laid out." in capsys.readouterr().out
    assert workbook.default_folder() == folder


def test_shipped_notebooks_are_trusted_and_changed_ones_are_not(shipped, own_jupyter, tmp_path):
    folder = tmp_path / "w"
    start_command.lay_out_and_sign(folder)
    lesson, worked = folder / "02_recall_by_hand.ipynb", folder / "worked/02_recall_by_hand.ipynb"
    assert trust.unsigned([lesson, worked]) == []
    lesson.write_text(notebook("from somebody else"))
    start_command.lay_out_and_sign(folder)
    assert trust.unsigned([lesson, worked]) == [lesson], "we vouch for our own files only"


def test_reset_signs_the_clean_lesson(shipped, own_jupyter, tmp_path, capsys):
    folder = tmp_path / "w"
    workbook.lay_out(folder)
    assert main(["reset", "02", "--folder", str(folder)]) == 0
    assert trust.unsigned([folder / "02_recall_by_hand.ipynb"]) == []
    assert reset.SUMMARY and update_command.SUMMARY


def test_jupyter_folder_that_cannot_be_written_is_said(shipped, own_jupyter, tmp_path, capsys):
    own_jupyter.write_text("a file in the way")
    start_command.lay_out_and_sign(tmp_path / "w")
    assert "widgets of the worked lessons show as text" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("system", "variables", "screen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ":10", "SSH_CONNECTION": "a b"}, False),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_screen(monkeypatch, system, variables, screen):
    monkeypatch.setattr(sys, "platform", system)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert server.has_screen() is screen


@pytest.mark.slow
def test_jupyterlab_answers_is_found_again_and_stops(own_jupyter, tmp_path):
    """With the port in use, and a path with spaces and letters beyond ASCII."""
    folder = tmp_path / "Mein Übungsheft"
    with subprocess.Popen(
        [sys.executable, "-m", "http.server", "0"], stdout=subprocess.PIPE, text=True
    ) as other:
        try:
            taken = int(re.search(r"port (\d+)", other.stdout.readline())[1])
            command = [sys.executable, "-m", "recall_lab", "start", str(folder), "--no-browser"]
            first = subprocess.Popen(
                [*command, "--port", str(taken)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                cwd=CLONE,
            )
            address = address_printed(first)
            assert f":{taken}/" not in address
            with urllib.request.urlopen(address) as page:
                assert page.status == 200 and b"JupyterLab" in page.read()
            second = subprocess.run(command, capture_output=True, text=True, cwd=CLONE, timeout=60)
            assert second.returncode == 0
            assert f"already running on this folder:\n    {address}" in second.stdout
            first.send_signal(signal.SIGINT)
            rest = first.communicate(timeout=30)[0]
            assert first.returncode == 0
            assert "Your work is in the folder" in rest and "Traceback" not in rest
        finally:
            other.terminate()


def address_printed(process: subprocess.Popen) -> str:
    for line in process.stdout:
        if line.strip().startswith("http"):
            return line.strip()
    raise AssertionError(f"no address was printed; exit code {process.wait()}")


def test_manifest_is_small_readable_json(shipped, tmp_path):
    workbook.lay_out(tmp_path / "w")
    content = json.loads((tmp_path / "w/.recall_lab/manifest.json").read_text())
    assert sorted(content["files"]) == LAID_OUT[1:]
