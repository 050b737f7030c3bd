"""Would the pinned packages install on every Python and system that Recall Lab supports?

``make platforms`` asks by resolving, wheels only, with the pins of constraints.txt. Nothing is installed, so
this says that the set can be had there, not that it runs. ``retrieval`` may lack a wheel; then the lessons
use frozen runs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = {
    "linux": "x86_64-manylinux_2_28",
    "linux-arm": "aarch64-manylinux_2_28",
    "macos-intel": "x86_64-apple-darwin",
    "macos-arm": "aarch64-apple-darwin",
    "windows": "x86_64-pc-windows-msvc",
}
NEEDED = ("scale", "classroom")
WELCOME = ("retrieval",)


class UnresolvedError(Exception):
    """The pinned packages cannot all be had as wheels; the message is the resolver's."""


def resolve(python: str, system: str, extras: Iterable[str] = ()) -> list[str]:
    """What would be installed there, as ``name==version`` lines.

    Parameters
    ----------
    python : such as ``"3.12"``.
    system : a key of ``SYSTEMS``.
    extras : optional groups of packages, beyond the core.

    Raises
    ------
    UnresolvedError : a package has no fitting wheel.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
    command += ["--python-version", python, "--python-platform", SYSTEMS[system], "--only-binary", ":all:"]
    command += ["--constraint", "constraints.txt", "pyproject.toml"]
    for extra in extras:
        command += ["--extra", extra]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        raise UnresolvedError(result.stderr.strip())
    return result.stdout.split()


def number_of_packages(python: str, system: str, extras: Iterable[str]) -> int | UnresolvedError:
    """How many packages would be installed there, or why they cannot be."""
    try:
        return len(resolve(python, system, extras))
    except UnresolvedError as error:
        return error


def main() -> int:
    """Print a table of what can be installed where; the exit code is 1 where something needed cannot."""
    failures = []
    print(f"{'packages':24}{'needed':>10}{'retrieval':>12}")
    places = list(product(PYTHONS, SYSTEMS))
    # Each question waits for the network most of the time, so a few are asked at once.
    with ThreadPoolExecutor(4) as pool:
        needed = pool.map(lambda place: number_of_packages(*place, NEEDED), places)
        welcome = pool.map(lambda place: number_of_packages(*place, WELCOME), places)
        for (python, system), with_needed, with_welcome in zip(places, needed, welcome, strict=True):
            cells = [
                "no wheel" if isinstance(n, UnresolvedError) else str(n) for n in (with_needed, with_welcome)
            ]
            print(f"Python {python} {system:12}{cells[0]:>10}{cells[1]:>12}", flush=True)
            if isinstance(with_needed, UnresolvedError):
                failures.append(f"Python {python}, {system}:\n{with_needed}")
    print(*failures, sep="\n\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
