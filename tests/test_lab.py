"""lab.py, tried as a person would run it: on a folder of wheels, so that no test needs a network.

The miniature package installed here stands for Recall Lab; that the real one installs from a clone is shown
by the start on a fresh clone in ``tests/ci``.
"""

import ast
import contextlib
import fcntl
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parents[1] / "lab.py"
PACKAGE = {
    "recall_lab/__init__.py": "",
    "recall_lab/classroom/__init__.py": "",
    "recall_lab/__main__.py": (
        "import json, os, sys\n"
        "print(json.dumps({'arguments': sys.argv[1:], 'prefix': sys.prefix, 'path': os.environ['PATH'],\n"
        "                  'pythonpath': os.environ.get('PYTHONPATH')}))\n"
    ),
    "recall_lab_workbook-0.1.0.dist-info/METADATA": (
        "Metadata-Version: 2.1\nName: recall-lab-workbook\nVersion: 0.1.0\nProvides-Extra: dev\n"
    ),
    "recall_lab_workbook-0.1.0.dist-info/WHEEL": (
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    ),
    "recall_lab_workbook-0.1.0.dist-info/RECORD": "",
}


def make_folder(folder: Path) -> Path:
    """A folder with lab.py, as on the stick that `make wheelhouse` fills."""
    (folder / "wheels").mkdir(parents=True)
    shutil.copy(LAB, folder)
    (folder / "constraints.txt").write_text("recall-lab-workbook==0.1.0\n")
    with zipfile.ZipFile(folder / "wheels/recall_lab_workbook-0.1.0-py3-none-any.whl", "w") as wheel:
        for name, content in PACKAGE.items():
            wheel.writestr(name, content)
    return folder


def run_lab(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, folder / "lab.py", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **variables},
    )


def started(result: subprocess.CompletedProcess[str]) -> dict:
    """What the miniature package printed, once lab.py had handed over to it."""
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


def marker(folder: Path) -> dict:
    return json.loads((folder / ".venv/recall-lab.json").read_text())


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """lab.py as a module, set on an empty folder."""
    return load_lab(make_folder(tmp_path / "folder"))


def load_lab(folder: Path):
    spec = importlib.util.spec_from_file_location("lab_under_test", folder / "lab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ready_folder(tmp_path_factory) -> Path:
    """A folder whose environment was made by a first start; its name has spaces and letters beyond ASCII."""
    folder = make_folder(tmp_path_factory.mktemp("lab") / "Schöne Übung № 1")
    result = run_lab(folder, "--no-browser", PYTHONPATH="/nowhere")
    assert "Making the environment" in result.stdout
    seen = started(result)
    assert seen["arguments"] == ["start", str(folder / "workbook"), "--no-browser"]
    assert seen["prefix"] == str(folder / ".venv")
    assert seen["path"].split(os.pathsep)[0] == str(folder / ".venv/bin")
    assert seen["pythonpath"] is None
    return folder


def test_second_start_uses_what_is_there(ready_folder):
    before = (ready_folder / ".venv/recall-lab.json").stat().st_mtime_ns
    began = time.monotonic()
    result = run_lab(ready_folder)
    assert time.monotonic() - began < 8
    assert "Making the environment" not in result.stdout
    assert started(result)["prefix"] == str(ready_folder / ".venv")
    assert (ready_folder / ".venv/recall-lab.json").stat().st_mtime_ns == before
    assert marker(ready_folder)["ready"] is True


def test_only_environment_starts_nothing_and_keeps_extras(ready_folder):
    result = run_lab(ready_folder, "--only-environment", "--extra", "dev")
    assert result.returncode == 0 and "arguments" not in result.stdout
    assert marker(ready_folder)["extras"] == ["dev"]
    assert run_lab(ready_folder, "--only-environment").returncode == 0
    assert marker(ready_folder)["extras"] == ["dev"], "a later start without extras must not take them away"


def test_pins_that_cannot_be_met_leave_the_old_environment_usable(ready_folder):
    constraints = ready_folder / "constraints.txt"
    good = constraints.read_text()
    constraints.write_text("recall-lab-workbook==9.9\n")
    result = run_lab(ready_folder)
    assert result.returncode == 1
    assert "packages could not be installed" in result.stderr and "way out" in result.stderr
    assert "Traceback" not in result.stderr
    constraints.write_text(good)
    result = run_lab(ready_folder)
    assert "Making the environment" not in result.stdout
    started(result)


def test_making_interrupted_by_kill_is_made_again(tmp_path):
    folder = make_folder(tmp_path / "folder")
    # The longer the wait, the further the making has got; the last one may even have ended.
    for seconds in (0.3, 1.5, 3.0):
        process = subprocess.Popen(
            [sys.executable, folder / "lab.py", "--only-environment"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    started(run_lab(folder))
    (folder / ".venv/recall-lab.json").write_text('{"made_here": true, "ready": false}')
    (folder / ".venv/left-over").touch()
    result = run_lab(folder)
    assert "Making the environment" in result.stdout
    started(result)
    assert not (folder / ".venv/left-over").exists()


def test_moved_or_broken_environment_is_made_again(tmp_path):
    folder = make_folder(tmp_path / "folder")
    started(run_lab(folder))
    moved = folder.rename(tmp_path / "moved")
    result = run_lab(moved)
    assert "Making the environment" in result.stdout
    assert started(result)["prefix"] == str(moved / ".venv")
    (moved / ".venv/bin/python").unlink()
    result = run_lab(moved)
    assert "Making the environment" in result.stdout
    started(result)


def test_environment_of_someone_else_is_used_and_never_deleted(tmp_path):
    folder = make_folder(tmp_path / "folder")
    subprocess.run([sys.executable, "-m", "venv", folder / ".venv"], check=True)
    (folder / ".venv/theirs").touch()
    result = run_lab(folder)
    assert "Making the environment" not in result.stdout
    started(result)
    assert marker(folder)["made_here"] is False
    (folder / ".venv/bin/python").unlink()
    result = run_lab(folder)
    assert result.returncode == 1
    assert "not made by this program" in result.stderr and "rename or delete" in result.stderr
    assert (folder / ".venv/theirs").exists()


def test_one_start_waits_for_another(tmp_path):
    folder = make_folder(tmp_path / "folder")
    with (folder / "lab.py").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [sys.executable, folder / "lab.py", "--only-environment"], stdout=subprocess.PIPE, text=True
        )
        assert "waiting for it" in process.stdout.readline()
        assert not (folder / ".venv").exists()
    assert process.wait(timeout=120) == 0
    process.stdout.close()


def test_python_without_ensurepip_leaves_nothing_and_names_the_install_line(lab, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr(lab.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    assert lab.main([]) == 1
    printed = capsys.readouterr().err
    assert f"sudo apt-get install python3.{sys.version_info[1]}-venv" in printed
    assert not lab.ENVIRONMENT.exists()
    monkeypatch.setattr(lab.shutil, "which", lambda name: None)
    assert lab.main([]) == 1
    assert "python.org" in capsys.readouterr().err


def test_folder_that_cannot_be_written(lab, monkeypatch, capsys):
    def refuse(self, *arguments, **options):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert lab.main([]) == 1
    printed = capsys.readouterr().err
    assert "Read-only file system" in printed and "copy this folder" in printed


def test_full_disk_is_named_as_the_likely_cause(lab, monkeypatch):
    assert "network" in lab.why_perhaps()
    monkeypatch.setattr(lab.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1, 1, 20_000_000))
    assert "free some space, only 0.0 GB are left" in lab.why_perhaps()


def test_old_python_gets_a_kind_word(lab):
    with pytest.raises(lab.SetupError, match=r"needs Python 3\.11 or newer, and this is Python 3\.8"):
        lab.check_python((3, 8, 18))
    lab.check_python((3, 11, 0))


def test_file_is_understood_by_a_python_that_is_too_old():
    ast.parse(LAB.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_file_needs_the_standard_library_only():
    tree = ast.parse(LAB.read_text(encoding="utf-8"))
    imports = [node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)]
    imports += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {name.split(".")[0] for name in imports} <= sys.stdlib_module_names


def test_fingerprint_follows_what_is_installed_only(lab):
    project = '[build-system]\n[project]\ndependencies = ["{}"]\n[tool.ruff]\nline-length = {}\n'
    lab.PROJECT.write_text(project.format("numpy", 100))
    first = lab.fingerprint()
    lab.PROJECT.write_text(project.format("numpy", 110))
    assert lab.fingerprint() == first
    lab.PROJECT.write_text(project.format("numpy>2", 110))
    second = lab.fingerprint()
    assert second != first
    lab.CONSTRAINTS.write_text("numpy==2.4\n")
    assert lab.fingerprint() != second


def test_clone_whose_name_python_could_not_read_is_installed_as_a_copy(tmp_path, monkeypatch):
    lab = load_lab(make_folder(tmp_path / "plain"))
    assert lab.can_be_editable()
    lab = load_lab(make_folder(tmp_path / "Übung"))
    monkeypatch.setattr("locale.getencoding", lambda: "cp1252")
    assert not lab.can_be_editable()
    lab.PROJECT.write_text("[project]\n[build-system]\n")
    source = lab.ROOT / "recall_lab/module.py"
    source.parent.mkdir()
    source.touch()
    commands = []
    monkeypatch.setattr(lab, "run", lambda command: commands.append(command) or True)
    lab.install(["dev"])
    assert commands[-1][-1] == ".[dev]" and "--editable" not in commands[-1]
    before = lab.fingerprint()
    os.utime(source, ns=(1, 1))
    assert lab.fingerprint() != before, "a copy must be installed anew when the sources change"
    monkeypatch.setattr("locale.getencoding", lambda: "UTF-8")
    lab.install([])
    assert commands[-1][-2:] == ["--editable", "."]


def test_ctrl_c_ends_with_one_line(lab, monkeypatch, capsys):
    def interrupt(extras):
        raise KeyboardInterrupt

    monkeypatch.setattr(lab, "make_ready", interrupt)
    assert lab.main([]) == 130
    assert "Run the same command again" in capsys.readouterr().err
