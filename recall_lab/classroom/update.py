"""``recall-lab update``: bring newer lessons into a learner's folder, beside what the learner has changed."""

from __future__ import annotations

import argparse
from pathlib import Path

from recall_lab.classroom import workbook
from recall_lab.classroom.start import lay_out_and_sign

SUMMARY = "bring newer lessons into your workbook; your own work stays as it is"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``recall-lab update`` to ``parser``."""
    parser.add_argument("folder", nargs="?", type=Path, help="your workbook (default: the one here)")


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``recall-lab update``; returns the exit code."""
    lay_out_and_sign(workbook.existing_workbook(arguments.folder or workbook.default_folder()))
    return 0
