"""``recall-lab doctor``: looks whether everything a learner needs is there; one line of advice where not.

What it prints can be pasted into an issue: no home folder, no user name, no path of this computer is in it.
"""

from __future__ import annotations

import argparse
import getpass
import importlib.metadata
import json
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import recall_lab
from recall_lab.classroom import server, trust, workbook
from recall_lab.commands import console

SUMMARY = "look whether everything is in place, and print a report to paste into an issue"

DISTRIBUTION = "recall-lab-workbook"
OLDEST_PYTHON = (3, 11)
FREE_DISK_NEEDED = 200_000_000
KERNEL = "python3"
PROGRESS_FILE = "recall_lab_progress.json"
FRONT_ENDS = {
    "anywidget": ("anywidget", "anywidget"),
    "ipywidgets": ("@jupyter-widgets/jupyterlab-manager", "jupyterlab_widgets"),
}
"""For each widget package, the JupyterLab extension that draws its widgets and the package that brings it."""

State = Literal["ok", "note", "fix"]


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Parameters
    ----------
    name : what was looked at, in a word or two.
    state : ``"ok"``; ``"note"``, worth knowing; ``"fix"``, something will not work.
    found : what was found, in one line.
    advice : what to do, in one line; empty where all is well.

    Examples
    --------
    >>> print(Finding("free disk", "fix", "12 MB", "free some space"))
    fix   free disk: 12 MB
          -> free some space
    """

    name: str
    state: State
    found: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.state:<5} {self.name}: {self.found}"
        return f"{line}\n      -> {self.advice}" if self.advice else line


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``recall-lab doctor`` to ``parser``."""
    parser.add_argument("folder", nargs="?", type=Path, help="your workbook (default: the one here)")


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``recall-lab doctor``; the exit code is 1 where something must be fixed."""
    folder = (arguments.folder or workbook.default_folder()).expanduser().absolute()
    to_fix = 0
    for finding in examine(folder):
        console.write(without_private_parts(str(finding), folder))
        to_fix += finding.state == "fix"
    if to_fix:
        console.write(f"To fix: {to_fix}. If the advice does not help, paste this report into an issue.")
        return 1
    console.write("All is well.")
    return 0


def examine(folder: Path) -> Iterator[Finding]:
    """Make every check, in the order in which a fault of one explains a fault of the next."""
    checks: list[Callable[[], Iterable[Finding]]] = [
        check_python,
        check_package,
        check_requirements,
        lambda: check_shadows(folder),
        lambda: check_kernel(folder),
        check_front_ends,
        lambda: check_folder(folder),
        lambda: check_free_disk(folder),
        lambda: check_progress(folder),
        lambda: check_trust(folder),
        check_port,
    ]
    for check in checks:
        yield from check()


def without_private_parts(text: str, folder: Path) -> str:
    """``text`` with no home folder, no user name and no path of this computer in it.

    Examples
    --------
    >>> without_private_parts("cannot read /srv/class-of-2026/ada/note.txt", Path("/srv/class-of-2026/ada"))
    'cannot read <workbook>/note.txt'
    >>> without_private_parts("cannot read /srv/class-of-2026/eve/note.txt", Path("/tmp/lab"))
    'cannot read .../note.txt'
    """
    known = {
        str(folder): "<workbook>",
        sys.prefix: "<environment>",
        sys.base_prefix: "<python>",
        str(Path(recall_lab.__file__).resolve().parents[1]): "<recall-lab>",
        str(Path.home()): "~",
    }
    for path in sorted(known, key=len, reverse=True):
        if len(path) > 1:
            text = text.replace(path, known[path])
    text = re.sub(r"(?<![\w.~>/\\])(?:[A-Za-z]:)?[/\\](?:[^/\\\s]+[/\\])+", ".../", text)
    try:
        return re.sub(rf"\b{re.escape(getpass.getuser())}\b", "USER", text)
    except (OSError, KeyError, ImportError):
        return text


def check_python() -> Iterator[Finding]:
    """The running Python and the system."""
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info[:2] < OLDEST_PYTHON:
        yield Finding("Python", "fix", found, "install Python {}.{} or newer".format(*OLDEST_PYTHON))
    else:
        yield Finding("Python", "ok", found)
    if os.environ.get("PYTHONPATH"):
        yield Finding(
            "PYTHONPATH",
            "note",
            "it is set, and packages found there come before the installed ones",
            "unset it if a package behaves oddly",
        )


def check_package() -> Iterator[Finding]:
    """Which Recall Lab is used, and whether an older copy hides it."""
    found = [d for d in importlib.metadata.distributions() if d.name and d.name.lower() == DISTRIBUTION]
    versions = sorted({d.version for d in found})
    if not versions:
        yield Finding(
            "Recall Lab", "fix", "not installed", f"pip install {DISTRIBUTION}, or start with lab.py"
        )
        return
    in_use = Path(recall_lab.__file__).resolve().parent
    form = "installed" if "site-packages" in in_use.parts else "used from a clone"
    yield Finding("Recall Lab", "ok", f"{versions[0]}, {form}")
    if len(versions) > 1:
        yield Finding(
            "old copy",
            "fix",
            f"versions {', '.join(versions)} are installed over each other",
            f"pip uninstall {DISTRIBUTION} until nothing is left, then install it again",
        )
    others = [Path(entry) / "recall_lab" for entry in sys.path if entry]
    hidden = {p.resolve() for p in others if (p / "__init__.py").is_file()} - {in_use}
    if hidden:
        yield Finding(
            "old copy",
            "fix",
            f"another recall_lab lies beside the one in use: {', '.join(sorted(map(str, hidden)))}",
            f"delete it, or pip uninstall {DISTRIBUTION} and install it once",
        )


def check_requirements() -> Iterator[Finding]:
    """Whether the packages Recall Lab needs are there in a version it works with."""
    from packaging.requirements import Requirement

    try:
        stated = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return
    fitting = []
    for requirement in map(Requirement, stated):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            yield Finding(requirement.name, "fix", "missing", f"pip install '{requirement}'")
            continue
        if requirement.specifier.contains(version, prereleases=True):
            fitting.append(f"{requirement.name} {version}")
        else:
            yield Finding(requirement.name, "fix", f"{version} is too old", f"pip install '{requirement}'")
    yield Finding("packages", "ok", ", ".join(fitting))


def check_shadows(folder: Path) -> Iterator[Finding]:
    """Files in the workbook that Python would take for a package of the same name."""
    packages = set(importlib.metadata.packages_distributions()) | sys.stdlib_module_names
    names = [path.name for path in folder.glob("*.py") if path.stem in packages]
    names += [path.parent.name for path in folder.glob("*/__init__.py") if path.parent.name in packages]
    for name in sorted(names):
        yield Finding(
            "name clash",
            "fix",
            f"{name} in your workbook hides the package of that name",
            "rename it and restart the kernel",
        )


def check_kernel(folder: Path) -> Iterator[Finding]:
    """Whether the kernel that the notebooks name starts, in this environment, and knows Recall Lab."""
    from jupyter_client.kernelspec import NoSuchKernel
    from jupyter_client.manager import start_new_kernel

    again = "pip install --force-reinstall ipykernel, then run doctor again"
    began = time.monotonic()
    where = folder if folder.is_dir() else Path.cwd()
    try:
        manager, client = start_new_kernel(kernel_name=KERNEL, cwd=str(where), stderr=subprocess.DEVNULL)
    except (NoSuchKernel, RuntimeError, OSError) as error:
        yield Finding("kernel", "fix", f"the kernel {KERNEL} does not start: {error}", again)
        return
    printed: list[str] = []

    def collect(message: dict[str, Any]) -> None:
        if message["content"].get("name") == "stdout":
            printed.append(message["content"]["text"])

    try:
        code = "import sys, recall_lab; print(sys.prefix)"
        reply = client.execute_interactive(code, timeout=60, output_hook=collect)["content"]
    except TimeoutError:
        yield Finding("kernel", "fix", f"the kernel {KERNEL} starts and does not answer", again)
        return
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    if reply["status"] != "ok":
        yield Finding("kernel", "fix", f"it cannot import recall_lab: {reply.get('evalue', '')}", again)
    elif Path("".join(printed).strip()).resolve() != Path(sys.prefix).resolve():
        yield Finding(
            "kernel",
            "fix",
            f"the kernel {KERNEL} belongs to another Python",
            f"jupyter kernelspec remove {KERNEL}, then run doctor again",
        )
    else:
        yield Finding("kernel", "ok", f"{KERNEL} starts and answers in {time.monotonic() - began:.1f} s")


def check_front_ends() -> Iterator[Finding]:
    """Whether JupyterLab finds the parts that draw widgets in the browser, and has them switched on."""
    from jupyter_core.paths import jupyter_path
    from jupyterlab_server.config import get_federated_extensions, get_page_config

    places = jupyter_path("labextensions")
    installed = get_federated_extensions(places)
    switched_off = {name.split(":")[0] for name in get_page_config(places)["disabledExtensions"]}
    for package, (extension, distribution) in FRONT_ENDS.items():
        name = f"{package} in the browser"
        if extension not in installed:
            yield Finding(
                name,
                "fix",
                f"JupyterLab does not find {extension}",
                f"pip install --force-reinstall {distribution}, then restart JupyterLab",
            )
        elif extension in switched_off:
            yield Finding(
                name, "fix", f"{extension} is switched off", f"jupyter labextension enable {extension}"
            )
        else:
            yield Finding(name, "ok", f"{extension} {installed[extension]['version']}")


def check_folder(folder: Path) -> Iterator[Finding]:
    """Whether the workbook is there and can be written."""
    if not folder.is_dir():
        yield Finding("workbook", "note", "none here yet", "make one with: recall-lab start")
        return
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".recall-lab-"):
            pass
    except OSError as error:
        yield Finding(
            "workbook",
            "fix",
            f"nothing can be written in it: {error.strerror}",
            "copy it to a folder of your own and start from there",
        )
        return
    if workbook.is_workbook(folder):
        yield Finding("workbook", "ok", "laid out, and can be written")
    else:
        yield Finding(
            "workbook", "note", "no lessons are laid out here", "recall-lab start FOLDER makes a workbook"
        )


def check_free_disk(folder: Path) -> Iterator[Finding]:
    """Whether there is room for a learner's notebooks."""
    place = next(path for path in (folder, *folder.parents) if path.is_dir())
    free = shutil.disk_usage(place).free
    if free < FREE_DISK_NEEDED:
        yield Finding(
            "free disk", "fix", f"{free / 1e6:.0f} MB", "free some space, or notebooks can't be saved"
        )
    else:
        yield Finding("free disk", "ok", f"{free / 1e9:.1f} GB")


def check_progress(folder: Path) -> Iterator[Finding]:
    """Whether the learner's progress, if there is any, can be read."""
    path = folder / PROGRESS_FILE
    if path.is_file():
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            yield Finding(
                "progress", "fix", f"{PROGRESS_FILE} cannot be read", "rename it; progress starts anew"
            )
        else:
            yield Finding("progress", "ok", f"{PROGRESS_FILE} can be read")


def check_trust(folder: Path) -> Iterator[Finding]:
    """Whether Jupyter trusts the notebooks we laid out, so that widgets show at once."""
    if not workbook.is_workbook(folder):
        return
    ours = workbook.pristine_notebooks(folder)
    waiting = trust.unsigned(ours)
    if waiting:
        names = ", ".join(path.relative_to(folder).as_posix() for path in waiting)
        yield Finding(
            "trust",
            "fix",
            f"widgets show as text in {names}",
            "recall-lab update, or View > Trust Notebook in JupyterLab",
        )
    else:
        yield Finding("trust", "ok", f"{len(ours)} notebooks as shipped, all trusted")


def check_port() -> Iterator[Finding]:
    """Whether JupyterLab's usual port is free."""
    with socket.socket() as probe:
        probe.settimeout(1)
        taken = probe.connect_ex(("127.0.0.1", server.FIRST_PORT)) == 0
    if taken:
        yield Finding(
            "port",
            "note",
            f"{server.FIRST_PORT} is in use, perhaps by a JupyterLab in another window",
            "nothing to do: the next free port is taken, the address printed by start names it",
        )
    else:
        yield Finding("port", "ok", f"{server.FIRST_PORT} is free")
