"""A folder that starts Recall Lab on machines without a network: ``make wheelhouse``.

Fills ``wheelhouse/`` with every wheel for the Pythons and systems of a room, the wheel of Recall Lab itself,
and ``lab.py``, which installs from ``wheels/`` where that folder lies beside it. Copied from a stick to a
machine's own disk, the folder is started like a clone: ``python3 lab.py``.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from authoring.platforms import PYTHONS, ROOT, SYSTEMS, resolve

GLIBC = ("2_28", "2_27", "2_26", "2_24", "2_17", "2_12", "2_5")
# The names under which wheels for a system are published, for pip: older systems' wheels run on newer ones.
TAGS = {
    "linux": [f"manylinux_{version}_x86_64" for version in GLIBC] + ["manylinux2014_x86_64"],
    "linux-arm": [f"manylinux_{version}_aarch64" for version in GLIBC] + ["manylinux2014_aarch64"],
    "macos-intel": ["macosx_13_0_x86_64"],
    "macos-arm": ["macosx_13_0_arm64"],
    "windows": ["win_amd64"],
}
INSTRUCTIONS = """\
Recall Lab for machines without a network
=========================================

1. Copy this whole folder to the machine's own disk (not every stick lets programs run).
2. In a terminal in the copy:   python3 lab.py      Windows:   py lab.py

Python {pythons} must be there already. Wheels are for: {systems}.
Your work is in the folder workbook/ beside lab.py. Recall Lab: {version}.
"""


def make(folder: Path, pythons: list[str], systems: list[str]) -> None:
    """Fill ``folder`` with everything for these Pythons and systems. Wheels that are there already stay."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    for old in wheels.glob("recall_lab_workbook-*.whl"):
        old.unlink()
    python = [sys.executable, "-m"]
    subprocess.run(
        [*python, "build", "--wheel", "--no-isolation", "--outdir", wheels, ROOT],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    for version in pythons:
        for system in systems:
            download(wheels, version, system)
    shutil.copy(ROOT / "lab.py", folder)
    shutil.copy(ROOT / "constraints.txt", folder)
    own = next(wheels.glob("recall_lab_workbook-*.whl")).name.split("-")[1]
    (folder / "README.txt").write_text(
        INSTRUCTIONS.format(pythons=" or ".join(pythons), systems=", ".join(systems), version=own)
    )


def download(wheels: Path, python: str, system: str) -> None:
    """Fetch what the resolver names for this place; pip alone would judge by the machine it runs on."""
    with tempfile.TemporaryDirectory() as scratch:
        wanted = Path(scratch, "wanted.txt")
        wanted.write_text("\n".join(resolve(python, system)))
        command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary", ":all:"]
        command += ["--python-version", python, "--dest", str(wheels), "--requirement", str(wanted)]
        command += [part for tag in TAGS[system] for part in ("--platform", tag)]
        subprocess.run(command, check=True)


def this_system() -> str:
    """The key of ``SYSTEMS`` for the machine this runs on."""
    arm = platform.machine().lower() in ("arm64", "aarch64")
    names = {
        "Linux": ("linux", "linux-arm"),
        "Darwin": ("macos-intel", "macos-arm"),
        "Windows": ("windows", "windows"),
    }
    return names[platform.system()][arm]


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments of ``make wheelhouse`` and fill the folder."""
    parser = argparse.ArgumentParser(prog="make wheelhouse", description=__doc__.splitlines()[0])
    here = ".".join(platform.python_version_tuple()[:2])
    parser.add_argument(
        "--python", action="append", choices=PYTHONS, help=f"may be repeated (default: {here})"
    )
    parser.add_argument(
        "--system", action="append", choices=list(SYSTEMS), help=f"may be repeated (default: {this_system()})"
    )
    parser.add_argument("--folder", type=Path, default=ROOT / "wheelhouse")
    chosen = parser.parse_args(arguments)
    make(chosen.folder, chosen.python or [here], chosen.system or [this_system()])
    size = sum(path.stat().st_size for path in chosen.folder.rglob("*") if path.is_file())
    print(f"{chosen.folder}: {len(list(chosen.folder.glob('wheels/*')))} wheels, {size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
