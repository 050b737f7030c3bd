"""``recall-lab evaluate``: measure runs against judgments; table, JSON, HTML report."""

from __future__ import annotations

import argparse
import json

from recall_lab.commands import console, options
from recall_lab.errors import RecallLabError

LONGEST_CURVE = 1_000_000
"""The report's curve has a point for every k, which takes memory."""

SUMMARY = "measure one or more runs against judgments"

EPILOG = f"""\
examples:
  recall-lab evaluate qrels.txt bm25.run
  recall-lab evaluate library_of_things a.run b.run --k 5,10 --html report.html
  recall-lab evaluate my_beir_folder my.run --qrels dev --min-grade 2
  recall-lab evaluate golden.csv results.jsonl --k 10 --json

{options.WHAT_IT_READS}
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
    options.add_judgments(parser)
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a file of results")
    parser.add_argument(
        "--k", default="1,5,10", metavar="K,K,...", help="cutoffs, whole numbers (default: 1,5,10)"
    )
    options.add_which_judgments(parser)

    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print JSON instead of tables")
    output.add_argument("--html", metavar="FILE", help="also write a report that opens in a browser, offline")

    options.add_choices(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, and write the report; the exit code is 0."""
    from recall_lab.commands import report, text

    cutoffs = options.parse_cutoffs(arguments.k)
    options.check_output_is_no_input("--html", arguments.html, (arguments.judgments, *arguments.runs))
    if arguments.html is not None and cutoffs[-1] > LONGEST_CURVE:
        raise RecallLabError(
            f"--k: {cutoffs[-1]} is too large for --html, which draws up to {LONGEST_CURVE:,}"
        )
    golden = options.load(arguments)
    evaluations = options.measure(golden, arguments.runs, arguments)

    if arguments.json:
        records = [evaluation.to_dict(cutoffs) for evaluation in evaluations.values()]
        console.write(json.dumps(records, indent=2, allow_nan=False))
    else:
        summaries = {name: evaluation.summary(cutoffs) for name, evaluation in evaluations.items()}
        console.write(text.evaluation(summaries, console.width()))
    if arguments.html is not None:
        report.write(arguments.html, golden, evaluations, cutoffs)
        console.complain(f"report written to {arguments.html}")
    return 0
