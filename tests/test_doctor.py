"""Every check of the doctor, seen well and seen ill, and a report without anything private."""

import getpass
import importlib.metadata
import json
import shutil
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import jupyter_client.manager
import jupyterlab_server.config
import nbformat
import pytest

import recall_lab
from recall_lab import resources
from recall_lab.classroom import doctor, server, trust, workbook
from recall_lab.cli import main


@pytest.fixture(autouse=True)
def own_jupyter(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "jupyter-config"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A workbook with one lesson."""
    lessons, datasets = tmp_path / "installation/notebooks", tmp_path / "installation/datasets"
    lessons.mkdir(parents=True)
    datasets.mkdir()
    cell = nbformat.v4.new_code_cell(
        "view", outputs=[nbformat.v4.new_output("display_data", {"text/html": "x"})]
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), lessons / "02_recall_by_hand.ipynb")
    monkeypatch.setattr(resources, "shipped_folder", lambda name: tmp_path / "installation" / name)
    workbook.lay_out(tmp_path / "workbook")
    return tmp_path / "workbook"


@pytest.fixture
def installed(monkeypatch):
    """Packages that are there or not, whatever is installed where the tests run."""

    def pretend(requirements: list[str], versions: dict[str, str]) -> None:
        def version(name: str) -> str:
            if name not in versions:
                raise importlib.metadata.PackageNotFoundError(name)
            return versions[name]

        monkeypatch.setattr(importlib.metadata, "requires", lambda name: requirements)
        monkeypatch.setattr(importlib.metadata, "version", version)

    return pretend


def only(findings) -> doctor.Finding:
    (finding,) = findings
    return finding


def test_python(monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert only(doctor.check_python()).state == "ok"
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    assert only(doctor.check_python()).advice == "install Python 3.11 or newer"
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    assert [finding.name for finding in doctor.check_python()] == ["Python", "PYTHONPATH"]


def distributions(*found: tuple[str, str]):
    return lambda: [SimpleNamespace(name=name, version=version) for name, version in found]


def test_package(monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.metadata, "distributions", distributions(("numpy", "2.4")))
    assert "not installed" in only(doctor.check_package()).found
    monkeypatch.setattr(importlib.metadata, "distributions", distributions(("Recall-Lab-Workbook", "0.1.0")))
    assert only(doctor.check_package()).state == "ok"


def test_old_copies_of_the_package(monkeypatch, tmp_path):
    twice = distributions(("recall-lab-workbook", "0.1.0"), ("recall-lab-workbook", "0.2.0"))
    monkeypatch.setattr(importlib.metadata, "distributions", twice)
    _, finding = doctor.check_package()
    assert finding.name == "old copy" and "0.1.0, 0.2.0" in finding.found

    monkeypatch.setattr(importlib.metadata, "distributions", distributions(("recall-lab-workbook", "0.1.0")))
    (tmp_path / "old/recall_lab").mkdir(parents=True)
    (tmp_path / "old/recall_lab/__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "old"))
    _, finding = doctor.check_package()
    assert finding.state == "fix" and "another recall_lab lies beside the one in use" in finding.found


def test_requirements(installed):
    needed = ["numpy>=2.1", "pandas>=2.3", "polars>=1; extra == 'scale'"]
    installed(needed, {"numpy": "2.4.6", "pandas": "3.1.1"})
    assert only(doctor.check_requirements()).found == "numpy 2.4.6, pandas 3.1.1"
    installed(needed, {"numpy": "1.26.0"})
    old, missing, rest = doctor.check_requirements()
    assert (old.name, old.found, old.advice) == ("numpy", "1.26.0 is too old", "pip install 'numpy>=2.1'")
    assert (missing.name, missing.found) == ("pandas", "missing")
    assert rest.name == "packages"


def test_file_that_hides_a_package(folder):
    assert list(doctor.check_shadows(folder)) == []
    (folder / "numpy.py").touch()
    (folder / "random.py").touch()
    (folder / "my_retriever.py").touch()
    (folder / "pandas").mkdir()
    (folder / "pandas/__init__.py").touch()
    found = [finding.found.split()[0] for finding in doctor.check_shadows(folder)]
    assert found == ["numpy.py", "pandas", "random.py"]


def test_kernel_starts(folder, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(recall_lab.__file__).parents[1]))
    finding = only(doctor.check_kernel(folder))
    assert finding.state == "ok" and "python3 starts and answers" in finding.found


def test_kernel_that_dies_at_once_or_belongs_elsewhere(folder, tmp_path, monkeypatch):
    place = tmp_path / "kernels/python3"
    place.mkdir(parents=True)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")

    def kernel(*command: str) -> doctor.Finding:
        specification = {"argv": command, "display_name": "Python 3", "language": "python"}
        (place / "kernel.json").write_text(json.dumps(specification))
        return only(doctor.check_kernel(folder))

    finding = kernel(sys.executable, "-c", "raise SystemExit(1)")
    assert finding.state == "fix" and "does not start" in finding.found and "ipykernel" in finding.advice

    # The same interpreter under another prefix, as a kernel made for another environment would have.
    elsewhere = (
        "import sys; sys.prefix = '/elsewhere'; import ipykernel.kernelapp as app; app.launch_new_instance()"
    )
    monkeypatch.setenv("PYTHONPATH", str(Path(recall_lab.__file__).parents[1]))
    finding = kernel(sys.executable, "-c", elsewhere, "-f", "{connection_file}")
    assert finding.found == "the kernel python3 belongs to another Python"


def test_kernel_that_is_missing(folder, monkeypatch):
    def none_of_that_name(**options):
        raise jupyter_client.kernelspec.NoSuchKernel("python3")

    monkeypatch.setattr(jupyter_client.manager, "start_new_kernel", none_of_that_name)
    assert "No such kernel named python3" in only(doctor.check_kernel(folder)).found


def test_front_ends(monkeypatch):
    assert [finding.state for finding in doctor.check_front_ends()] == ["ok", "ok"]
    monkeypatch.setattr(
        jupyterlab_server.config,
        "get_page_config",
        lambda places: {"disabledExtensions": ["@jupyter-widgets/jupyterlab-manager:plugin"]},
    )
    anywidget, ipywidgets = doctor.check_front_ends()
    assert anywidget.state == "ok"
    assert ipywidgets.advice == "jupyter labextension enable @jupyter-widgets/jupyterlab-manager"
    monkeypatch.setattr(jupyterlab_server.config, "get_federated_extensions", lambda places: {})
    anywidget, ipywidgets = doctor.check_front_ends()
    assert "does not find anywidget" in anywidget.found
    assert "--force-reinstall jupyterlab_widgets" in ipywidgets.advice


def test_folder(folder, tmp_path, monkeypatch):
    assert only(doctor.check_folder(folder)).state == "ok"
    assert "none here yet" in only(doctor.check_folder(tmp_path / "nothing")).found
    assert "no lessons are laid out" in only(doctor.check_folder(tmp_path)).found
    assert only(doctor.check_folder(Path("/proc"))).state == "fix"


def test_free_disk(folder, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=5_000_000_000))
    assert only(doctor.check_free_disk(folder / "not/yet/there")).found == "5.0 GB"
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=12_000_000))
    assert only(doctor.check_free_disk(folder)).found == "12 MB"


def test_progress(folder):
    assert list(doctor.check_progress(folder)) == []
    (folder / "recall_lab_progress.json").write_text("{}")
    assert only(doctor.check_progress(folder)).state == "ok"
    (folder / "recall_lab_progress.json").write_text("{")
    assert only(doctor.check_progress(folder)).state == "fix"


def test_trust(folder, tmp_path):
    assert list(doctor.check_trust(tmp_path)) == []
    assert "02_recall_by_hand.ipynb" in only(doctor.check_trust(folder)).found
    trust.sign(workbook.pristine_notebooks(folder))
    assert only(doctor.check_trust(folder)).found == "1 notebooks as shipped, all trusted"


def test_port(monkeypatch):
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        monkeypatch.setattr(server, "FIRST_PORT", listening.getsockname()[1])
        assert only(doctor.check_port()).state == "ok"
        listening.listen()
        assert only(doctor.check_port()).state == "note"


def test_report_has_nothing_private(folder, monkeypatch, capsys):
    home = folder.parent
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(getpass, "getuser", lambda: "ada")
    monkeypatch.setattr(
        doctor,
        "examine",
        lambda _: iter(
            [
                doctor.Finding(
                    "a", "fix", f"{folder}/x {home}/Desktop/y {sys.prefix}/z /media/ada/stick/old/recall_lab"
                ),
                doctor.Finding(
                    "b", "note", r"C:\Users\ada\class\recall_lab belongs to ada", "see https://example.org/a"
                ),
                doctor.Finding("c", "ok", "Linux/x86_64, and/or"),
            ]
        ),
    )
    assert main(["doctor", str(folder)]) == 1
    printed = capsys.readouterr().out
    assert "ada" not in printed and str(home) not in printed
    assert "a: <workbook>/x ~/Desktop/y <environment>/z .../recall_lab" in printed
    assert "https://example.org/a" in printed and "Linux/x86_64, and/or" in printed
    assert "To fix: 1." in printed


def test_all_is_well_is_said_and_is_exit_code_0(folder, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "examine", lambda _: iter([doctor.Finding("a", "note", "x", "y")]))
    assert main(["doctor", str(folder)]) == 0
    assert capsys.readouterr().out == "note  a: x\n      -> y\nAll is well.\n"


def test_every_check_is_part_of_the_examination(folder):
    checks = {name for name in vars(doctor) if name.startswith("check_")}
    called = set(doctor.examine.__code__.co_names)
    for lambda_code in [c for c in doctor.examine.__code__.co_consts if hasattr(c, "co_names")]:
        called |= set(lambda_code.co_names)
    assert checks <= called
