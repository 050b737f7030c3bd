"""Would the pinned packages install on every Python and system that Recall Lab supports?

``make platforms`` asks by resolving, wheels only, with the pins of constraints.txt. Nothing is installed, so this says
that the set can be had there, not that it runs. ``retrieval`` may lack a wheel; then the lessons use frozen runs.
"""

from __future__ import annotations

import subprocess
import sys
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
NEEDED = ("", "scale", "classroom")
WELCOME = ("retrieval",)


class UnresolvedError(Exception):
    """The pinned packages cannot all be had as wheels; the message is the resolver's."""


def resolve(python: str, system: str, extra: str = "") -> list[str]:
    """What would be installed there, as ``name==version`` lines.

    Parameters
    ----------
    python : such as ``"3.12"``.
    system : a key of ``SYSTEMS``.
    extra : an optional group of packages; empty for the core.

    Raises
    ------
    UnresolvedError : a package has no fitting wheel.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
    command += ["--python-version", python, "--python-platform", SYSTEMS[system], "--only-binary", ":all:"]
    command += ["--constraint", "constraints.txt", "pyproject.toml"]
    if extra:
        command += ["--extra", extra]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        raise UnresolvedError(result.stderr.strip())
    return result.stdout.split()


def main() -> int:
    """Print a table of what can be installed where; the exit code is 1 where something needed cannot."""
    failures = []
    columns = ("core", *NEEDED[1:], *WELCOME)
    print(f"{'':22}" + "".join(f"{column:>12}" for column in columns))
    for python in PYTHONS:
        for system in SYSTEMS:
            cells = []
            for extra in (*NEEDED, *WELCOME):
                try:
                    cells.append(str(len(resolve(python, system, extra))))
                except UnresolvedError as error:
                    cells.append("no wheel")
                    if extra in NEEDED:
                        failures.append(f"Python {python}, {system}, {extra or 'core'}:\n{error}")
            print(f"Python {python} {system:10}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
    print(*failures, sep="\n\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
