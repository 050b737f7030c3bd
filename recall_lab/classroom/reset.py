"""``recall-lab reset``: a clean copy of one lesson, with the learner's copy kept."""

from __future__ import annotations

import argparse
from pathlib import Path

from recall_lab.classroom import trust, workbook
from recall_lab.commands import console

SUMMARY = "put back a clean copy of one lesson; your copy is kept under a new name"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``recall-lab reset`` to ``parser``."""
    parser.add_argument("lesson", help="its number or name, such as 02")
    parser.add_argument("--folder", type=Path, help="your workbook (default: the one here)")


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``recall-lab reset``; returns the exit code."""
    lesson, kept = workbook.reset_lesson(arguments.folder or workbook.default_folder(), arguments.lesson)
    trust.sign([lesson])
    console.write(f"{lesson.name} is clean again.")
    if kept is not None:
        console.write(f"Your copy is kept: {kept.name}")
    console.write("Close its tab in JupyterLab and open it again. Your progress is as it was.")
    return 0
