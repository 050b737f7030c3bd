#!/usr/bin/env python3
"""Set up Recall Lab beside this file and open it:  python3 lab.py  (Windows: py lab.py)

Needs nothing but Python 3.11 or newer. The first run makes the folder .venv with the pinned packages; later
runs find it ready. Your own copy of the lessons is in the folder workbook/. Options after lab.py go to
`recall-lab start`, for instance --no-browser.

This file also starts a classroom without a network: where a folder wheels/ lies beside it (see
`make wheelhouse`), everything is installed from there.
"""

import argparse
import contextlib
import errno
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent
PROJECT = ROOT / "pyproject.toml"
CONSTRAINTS = ROOT / "constraints.txt"
WHEELS = ROOT / "wheels"
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# Written before the first package and completed after the last, so that an interrupted making is noticed.
MARKER = ENVIRONMENT / "recall-lab.json"


class SetupError(Exception):
    """What keeps Recall Lab from starting, in words for the person at the keyboard."""


def main(arguments):
    parser = argparse.ArgumentParser(prog="lab.py", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--only-environment", action="store_true", help="make .venv ready and stop")
    parser.add_argument(
        "--extra", action="append", default=[], help="an optional group of packages, such as dev"
    )
    own, for_start = parser.parse_known_args(arguments)
    try:
        check_python(sys.version_info)
        began = time.monotonic()
        with one_at_a_time():
            make_ready(own.extra)
        print(f"Environment ready in {time.monotonic() - began:.1f} s.", flush=True)
        if own.only_environment:
            return 0
        return start([str(ROOT / "workbook"), *for_start])
    except SetupError as error:
        print(f"\nRecall Lab could not be set up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        return 130


def check_python(version):
    if tuple(version[:2]) < OLDEST_PYTHON:
        raise SetupError(
            "it needs Python %d.%d or newer, and this is Python %d.%d (%s).\n"
            "  way out: install a newer Python and use it by name, for instance: python3.12 lab.py"
            % (*OLDEST_PYTHON, *version[:2], sys.executable)
        )


def make_ready(extras):
    """Make .venv hold the pinned packages and ``extras``; quick where it already does."""
    marker = read_marker()
    made_here = marker.get("made_here", is_unused(ENVIRONMENT))
    extras = sorted({*extras, *marker.get("extras", [])})
    wanted = {
        "root": str(ROOT),
        "packages": fingerprint(),
        "extras": extras,
        "made_here": made_here,
        "ready": True,
    }
    sound = marker.get("root", str(ROOT)) == str(ROOT) and works(installed=made_here and "ready" in marker)
    if sound and marker == wanted:
        return
    usable = sound and marker.get("ready")
    if made_here and not usable:
        # Half made, moved or broken: a virtual environment is mended by making it again.
        remove_environment()
        create()
    elif not sound:
        raise SetupError(
            f"the folder {ENVIRONMENT} holds no working Python, and it was not made by this program.\n"
            "  way out: rename or delete that folder and run the same command again"
        )
    write_marker({**wanted, "ready": False})
    try:
        install(extras)
    except SetupError:
        if usable:
            write_marker(marker)
        raise
    write_marker(wanted)


def read_marker():
    try:
        return json.loads(MARKER.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_marker(content):
    partial = MARKER.with_suffix(".partial")
    partial.write_text(json.dumps(content, indent=1), encoding="utf-8")
    os.replace(partial, MARKER)


def is_unused(folder):
    """Whether nobody has put anything in ``folder``: at most the beginnings of our marker lie there."""
    return not folder.exists() or all(path.stem == MARKER.stem for path in folder.iterdir())


def fingerprint():
    """Changes when something must be installed anew; not when only a tool's settings changed."""
    seen = hashlib.sha256(CONSTRAINTS.read_bytes())
    if PROJECT.exists():
        import tomllib  # not at the top: a Python too old to have it must still be able to say so

        described = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
        seen.update(json.dumps([described["project"], described["build-system"]], sort_keys=True).encode())
        if not can_be_editable():
            seen.update(
                repr([path.stat().st_mtime_ns for path in sorted(ROOT.glob("recall_lab/**/*"))]).encode()
            )
    return seen.hexdigest()


def works(installed):
    """Whether .venv has a Python that runs, is new enough and, once ``installed``, can import Recall Lab."""
    question = "import sys; sys.exit(sys.version_info < (3, 11))"
    if installed:
        question = "import recall_lab.classroom; " + question
    try:
        return subprocess.run([PYTHON, "-I", "-c", question], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def remove_environment():
    try:
        if ENVIRONMENT.exists():
            shutil.rmtree(ENVIRONMENT)
    except OSError as error:
        raise SetupError(
            f"the old folder {ENVIRONMENT} cannot be deleted: {error}\n"
            "  way out: close every window that uses it (JupyterLab above all), then delete it"
        ) from error


def create():
    try:
        ENVIRONMENT.mkdir()
        write_marker({"made_here": True})
    except OSError as error:
        raise SetupError(
            f"nothing can be written in {ROOT}: {error}\n"
            "  way out: copy this folder to a place of your own and run the command there"
        ) from error
    print("Making the environment (once; about a minute with a good network) ...", flush=True)
    uv = shutil.which("uv")
    # --seed puts pip in, so that %pip works in a notebook.
    if uv and run(
        [uv, "venv", "--quiet", "--seed", "--allow-existing", "--python", sys.executable, ENVIRONMENT]
    ):
        return
    if importlib.util.find_spec("ensurepip") and run([sys.executable, "-m", "venv", ENVIRONMENT]):
        return
    remove_environment()
    raise SetupError(f"this Python cannot make virtual environments.\n  way out: {how_to_get_venv()}")


def find_uv():
    """uv does the same as pip in a tenth of the time, but without a network it would wait for its index."""
    return None if WHEELS.is_dir() else shutil.which("uv")


def how_to_get_venv():
    if shutil.which("apt-get"):
        return "sudo apt-get install python%d.%d-venv" % sys.version_info[:2]
    return "install Python with its modules venv and ensurepip (the one from python.org has them)"


def install(extras):
    group = f"[{','.join(extras)}]" if extras else ""
    if not PROJECT.exists():
        packages = [f"recall-lab-workbook{group}"]
    elif can_be_editable():
        packages = ["--editable", f".{group}"]
    else:
        packages = [f".{group}"]
    # The build tool comes first, from the pinned set: an isolated build would fetch whatever is newest.
    steps = [["hatchling"], ["--no-build-isolation", *packages]] if PROJECT.exists() else [packages]
    source = ["--no-index", "--find-links", str(WHEELS)] if WHEELS.is_dir() else []
    uv = find_uv()
    # --no-compile: Python compiles what it uses at the first import, which takes a fraction of the time.
    pip = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input", "--no-compile"]
    for step in steps:
        rest = ["--constraint", CONSTRAINTS.name, *source, *step]
        if uv and run([uv, "pip", "install", "--quiet", "--python", PYTHON, *rest]):
            continue
        if not run([*pip, *rest]):
            raise SetupError(
                f"the packages could not be installed; the lines above say why.\n{why_perhaps()}"
            )


def can_be_editable():
    """Whether Python can find a clone of this name: it reads the path in the system's encoding."""
    import locale

    return str(ROOT).isascii() or locale.getencoding().lower().replace("-", "") == "utf8"


def why_perhaps():
    free = shutil.disk_usage(ROOT).free / 1e9
    if free < 1:
        return f"  way out: free some space, only {free:.1f} GB are left here and 1 GB is needed"
    return (
        "  way out: with a network, run the same command again (what was downloaded is kept);\n"
        "           without one, ask for a folder made by `make wheelhouse` and start from that"
    )


def run(command):
    return subprocess.run(command, cwd=ROOT, env=surroundings()).returncode == 0


def surroundings():
    """The variables for our programs: .venv's commands first, nothing that points to another Python."""
    confusing = {"PYTHONHOME", "PYTHONPATH", "PIP_PREFIX", "PIP_TARGET", "PIP_USER"}
    variables = {name: value for name, value in os.environ.items() if name not in confusing}
    variables["VIRTUAL_ENV"] = str(ENVIRONMENT)
    variables["PATH"] = str(PYTHON.parent) + os.pathsep + variables.get("PATH", "")
    return variables


@contextlib.contextmanager
def one_at_a_time():
    """Let one window set up at a time. The system drops this lock when a process ends, however it ends."""
    with open(__file__, "rb") as file:
        waiting = False
        while not lock(file):
            if not waiting:
                print("Another window is setting up Recall Lab; waiting for it ...", flush=True)
            waiting = True
            time.sleep(0.5)
        yield


def lock(file):
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(1 << 30)  # past the end, so that the file itself stays readable
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN)  # a disk without locks is no reason to wait
    return True


def start(arguments):
    # -P: a file of the learner's called recall_lab.py must not be taken for the package.
    command = [str(PYTHON), "-P", "-m", "recall_lab", "start", *arguments]
    if os.name == "nt":
        return subprocess.run(command, env=surroundings()).returncode
    sys.stdout.flush()
    os.execve(PYTHON, command, surroundings())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
