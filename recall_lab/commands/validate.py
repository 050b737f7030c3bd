"""``recall-lab validate``: look over a golden set before anything is measured with it."""

from __future__ import annotations

import argparse

from recall_lab.commands import console, options

SUMMARY = "look over judgments for what a careful person would want to know"

EPILOG = """\
examples:
  recall-lab validate golden.csv
  recall-lab validate library_of_things --k 10
  recall-lab validate my_beir_folder --qrels dev --min-grade 2

JUDGMENTS is what "recall-lab evaluate" takes: a file, a folder in BEIR's
layout, or the name of a dataset that ships with Recall Lab.

exit codes:
  0  no problem found (what is worth a look is listed all the same)
  1  at least one problem: measuring with these judgments goes wrong
  2  the input or an option is wrong
"""

FOUND_PROBLEMS = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``validate``."""
    parser.epilog = EPILOG
    options.add_judgments(parser)
    parser.add_argument(
        "--k",
        type=options.whole_number,
        metavar="K",
        help="the cutoff you mean to use: name questions with R > k",
    )
    options.add_which_judgments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; the exit code is 1 where one of them is a problem."""
    report = options.load(arguments).validate(arguments.k)
    console.write(report.wrapped(console.width()))
    return 0 if report.ok else FOUND_PROBLEMS
