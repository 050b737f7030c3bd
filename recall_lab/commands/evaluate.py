"""``recall-lab evaluate``: measure runs against judgments; table, JSON, HTML report."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from typing import TYPE_CHECKING

from recall_lab.commands import console
from recall_lab.errors import RecallLabError, shorten

if TYPE_CHECKING:
    from recall_lab.evaluation import Evaluation
    from recall_lab.golden import GoldenDataset

LARGEST_NUMBER = 1_000_000_000
"""The largest k or grade that an option takes."""

LONGEST_CURVE = 1_000_000
"""The report's curve has a point for every k, which takes memory."""

SUMMARY = "measure one or more runs against judgments"

EPILOG = """\
examples:
  recall-lab evaluate qrels.txt bm25.run
  recall-lab evaluate library_of_things a.run b.run --k 5,10 --html report.html
  recall-lab evaluate my_beir_folder my.run --qrels dev --min-grade 2
  recall-lab evaluate golden.csv results.jsonl --k 10 --json

what it reads:
  JUDGMENTS  TREC qrels; BEIR qrels (.tsv); a golden set as CSV or TSV
             (query_id,relevant_ids; ids separated by |) or JSONL (query_id,
             relevant_ids as a list); a folder in BEIR's layout; or the name of
             a dataset that ships with Recall Lab
  RUN        a TREC run; CSV or TSV (query_id,doc_id,score); or JSONL (query_id,
             retrieved_ids in order)
  All may be gzipped. Results are ordered by score, ties by document id, both
  descending; a rank column never decides.

what --json prints:
  an array with one object for each run, in the order given, also for one run:
    run, n, judged_queries, excluded, unanswered, ignored, threshold, warnings
    recall, micro_recall, capped_recall, ceiling, precision, hit_rate, ndcg,
    judged                     each an object from k (as text) to its value
    mrr, map, r_precision      over the whole ranking
  A value that is undefined is null.

exit codes:
  0  measured (notices may be shown)
  2  the input or an option is wrong, or a file can't be written
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``evaluate``."""
    parser.epilog = EPILOG
    parser.add_argument("judgments", metavar="JUDGMENTS", help="a file, a folder or the name of a dataset")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a file of results")
    parser.add_argument(
        "--k", default="1,5,10", metavar="K,K,...", help="cutoffs, whole numbers (default: 1,5,10)"
    )
    parser.add_argument(
        "--min-grade",
        type=whole_number,
        metavar="N",
        help="a document is relevant from this grade up (default: the dataset's own threshold, else 1)",
    )
    parser.add_argument(
        "--qrels", metavar="NAME", help="which judgments of a folder to use (default: test, or the only ones)"
    )

    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print JSON instead of tables")
    output.add_argument("--html", metavar="FILE", help="also write a report that opens in a browser, offline")

    choices = parser.add_argument_group("choices that change the numbers")
    choices.add_argument(
        "--no-relevant",
        choices=("exclude", "zero", "one"),
        help="a query without a relevant document is excluded and listed (default), or counts 0 or 1",
    )
    choices.add_argument(
        "--unanswered",
        choices=("zero", "skip"),
        help="a judged query that the run doesn't answer counts 0 and is listed (default), or is left out",
    )
    choices.add_argument(
        "--ties",
        choices=("by-id", "as-given", "best", "worst"),
        help="order of equal scores: by document id, descending (default), as in the file, or the "
        "most or the least favourable",
    )
    choices.add_argument(
        "--preset",
        choices=("trec_eval",),
        help="follow trec_eval: a query without relevant documents counts 0, an unanswered one is left out",
    )

    reading = parser.add_argument_group("reading runs")
    reading.add_argument(
        "--duplicates",
        choices=("error", "keep-best"),
        default="error",
        help="a document listed twice for a query is an error (default), or its best score is kept and the "
        "others are counted",
    )
    reading.add_argument(
        "--extra-words", action="store_true", help="accept further words at the end of a line of a TREC run"
    )
    reading.add_argument(
        "--in-pieces",
        action="store_true",
        help="read the run piece by piece, for one larger than memory; each query's lines must be together",
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, and write the report; the exit code is 0."""
    from recall_lab.commands import report, text

    cutoffs = parse_cutoffs(arguments.k)
    _check_report_is_no_input(arguments)
    if arguments.html is not None and cutoffs[-1] > LONGEST_CURVE:
        raise RecallLabError(
            f"--k: {cutoffs[-1]} is too large for --html, which draws up to {LONGEST_CURVE:,}"
        )
    golden = load(arguments)
    evaluations = _evaluate_all(golden, arguments)

    if arguments.json:
        records = [evaluation.to_dict(cutoffs) for evaluation in evaluations.values()]
        console.write(json.dumps(records, indent=2, allow_nan=False))
    else:
        summaries = {name: evaluation.summary(cutoffs) for name, evaluation in evaluations.items()}
        console.write(text.evaluation(summaries, console.width()))
    if arguments.html is not None:
        report.write(arguments.html, golden, evaluations, cutoffs)
        console.write(f"report written to {arguments.html}", sys.stderr)
    return 0


def load(arguments: argparse.Namespace) -> GoldenDataset:
    """The judgments that the arguments name."""
    from recall_lab.golden import GoldenDataset

    return GoldenDataset.load(arguments.judgments, min_grade=arguments.min_grade, judgments=arguments.qrels)


def parse_cutoffs(text: str) -> list[int]:
    """The cutoffs named by ``--k``, ascending, each once.

    >>> parse_cutoffs("10,1, 5")
    [1, 5, 10]
    >>> parse_cutoffs("5,ten")
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: --k: 'ten' is not a whole number of at least 1; write, say, --k 1,5,10
    """
    cutoffs = set()
    for part in text.split(","):
        digits = part.strip()
        if not (digits.isascii() and digits.isdigit() and digits.strip("0")):
            raise RecallLabError(
                f"--k: {shorten(digits)!r} is not a whole number of at least 1; write, say, --k 1,5,10"
            )
        if _too_large(digits):
            raise RecallLabError(
                f"--k: {shorten(digits)} is too large; write a whole number of at most {LARGEST_NUMBER:,}"
            )
        cutoffs.add(int(digits))
    return sorted(cutoffs)


def whole_number(text: str) -> int:
    """An argument that is a whole number; which numbers are allowed is said where it is used."""
    if not re.fullmatch("[+-]?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{shorten(text)!r} is not a whole number")
    if _too_large(text.lstrip("+-")):
        raise argparse.ArgumentTypeError(f"{shorten(text)} is too large (at most {LARGEST_NUMBER:,})")
    return int(text)


def _too_large(digits: str) -> bool:
    """Whether a number is beyond the largest allowed; Python reads no number of thousands of digits."""
    digits = digits.lstrip("0")
    return len(digits) > len(str(LARGEST_NUMBER)) or int(digits or "0") > LARGEST_NUMBER


def _evaluate_all(golden: GoldenDataset, arguments: argparse.Namespace) -> dict[str, Evaluation]:
    """Every run under its own name, in the order given."""
    from recall_lab.evaluation import evaluate, evaluate_file
    from recall_lab.run import Run

    choices = {
        name: value
        for name in ("no_relevant", "unanswered", "ties", "preset")
        if (value := getattr(arguments, name)) is not None
    }
    reading = {"duplicates": arguments.duplicates, "extra_words": arguments.extra_words}
    measured = []
    for path in arguments.runs:
        if arguments.in_pieces:
            measured.append(evaluate_file(golden, path, **reading, **choices))
        else:
            measured.append(evaluate(golden, Run.read(path, **reading), **choices))
    for evaluation, name in zip(
        measured, distinct_names([e.run_name for e in measured], arguments.runs), strict=True
    ):
        evaluation.run_name = name
    return {evaluation.run_name: evaluation for evaluation in measured}


def _check_report_is_no_input(arguments: argparse.Namespace) -> None:
    if arguments.html is None:
        return
    for path in (arguments.judgments, *arguments.runs):
        if os.path.exists(path) and os.path.exists(arguments.html) and os.path.samefile(path, arguments.html):
            raise RecallLabError(
                f"--html: {arguments.html} is one of the files to read; name another file for the report"
            )


def distinct_names(names: list[str], paths: list[str]) -> list[str]:
    """Names of runs, told apart by their files, and by number where even those are the same.

    >>> distinct_names(["bm25", "t", "t"], ["a.run", "b.run", "c.run"])
    ['bm25', 't (b.run)', 't (c.run)']
    >>> distinct_names(["t", "t"], ["a.run", "a.run"])
    ['t (a.run)', 't (a.run) no. 2']
    """
    told_apart: list[str] = []
    for name, path in zip(names, paths, strict=True):
        base = name if name and names.count(name) == 1 else f"{name} ({path})".lstrip()
        candidate, number = base, 1
        while candidate in told_apart:
            number += 1
            candidate = f"{base} no. {number}"
        told_apart.append(candidate)
    return told_apart
