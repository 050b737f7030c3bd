"""The command ``recall-lab`` as the tests of its commands call it."""

from __future__ import annotations

from pathlib import Path

from recall_lab import cli

ROOT = Path(cli.__file__).parents[1]


def run(*arguments: str) -> int:
    """``main`` with these arguments; the code argparse exits with counts as well."""
    try:
        return cli.main(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)


def frozen(name: str) -> str:
    """The file of a frozen run of the shipped dataset."""
    return str(ROOT / "datasets" / "library_of_things" / "runs" / f"{name}.run.gz")
