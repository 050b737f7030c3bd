"""``recall-lab compare``: runs question by question, and whether chance explains the difference."""

from __future__ import annotations

import argparse

from recall_lab.commands import options

SUMMARY = "compare runs with a baseline, question by question"

EPILOG = f"""\
examples:
  recall-lab compare qrels.txt bm25.run vector.run
  recall-lab compare library_of_things a.run b.run c.run --k 5
  recall-lab compare golden.csv a.run b.run --measure ndcg --alternative less
  recall-lab compare qrels.txt a.run b.run --markdown - >> summary.md

how it compares:
  All runs are compared with the first, over the questions that have a value in
  both; a difference is the run minus the first. The interval is a percentile
  bootstrap over questions. p comes from flipping the signs of the differences:
  all combinations where at most 20 questions changed, random ones else. With
  several runs p is also adjusted for their number (Holm).
  --k takes one cutoff: each further one would be a further test.

{options.WHAT_IT_READS}
what --json prints:
  an array with one object for each run but the first, in the order given:
    measure, k, n, baseline_run, candidate_run, baseline, candidate, ceiling
    difference, low, high, confidence, resamples, seed
    p_value, adjusted_p_value (Holm), method, alternative
    smallest_detectable        the smallest drop seen in four cases of five
    lost, gained, excluded     lists of question ids
    unanswered, ignored        such lists for "baseline" and "candidate"
    threshold, warnings
  A value that is undefined is null.

exit codes:
  0  compared, whatever the difference (recall-lab gate decides)
  2  the input or an option is wrong, or a file can't be written
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``compare``."""
    parser.epilog = EPILOG
    options.add_judgments(parser)
    parser.add_argument("first", metavar="RUN_A", help="the baseline: a file of results")
    parser.add_argument(
        "others", metavar="RUN_B", nargs="+", help="what to compare with it: files of results"
    )
    options.add_which_judgments(parser)
    chance = options.add_comparison(parser)
    chance.add_argument(
        "--confidence",
        type=options.confidence,
        default=0.95,
        metavar="FRACTION",
        help="of the interval, between 0 and 1 (default: 0.95)",
    )
    chance.add_argument(
        "--alternative",
        choices=("two-sided", "less", "greater"),
        default="two-sided",
        help="test for any difference (default), for a drop only, or for a rise only",
    )
    chance.add_argument(
        "--method",
        choices=("auto", "sign-flip", "permutation", "t"),
        default="auto",
        help="the test: all sign flips, random ones, or Student's t (default: auto, see below)",
    )
    options.add_choices(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare and print; the exit code is 0."""
    from recall_lab import statistics
    from recall_lab.commands import layout, paired

    measured = paired.measure(arguments, [arguments.first, *arguments.others])
    pairs = [
        paired.Pair(
            measured,
            candidate,
            statistics.compare(
                measured.baseline,
                candidate,
                measured.measure,
                measured.k,
                alternative=arguments.alternative,
                method=arguments.method,
                confidence=arguments.confidence,
                resamples=arguments.resamples,
                seed=arguments.seed,
            ),
        )
        for candidate in measured.candidates
    ]
    adjusted = statistics.holm({pair.candidate.run_name: pair.comparison.p_value for pair in pairs})
    layout.deliver(
        arguments,
        in_text=lambda shown, width: layout.compare_in_text(pairs, adjusted, shown, width),
        in_markdown=lambda shown: layout.compare_in_markdown(pairs, adjusted, shown),
        as_json=lambda: [
            pair.record()
            | {
                "adjusted_p_value": adjusted[pair.candidate.run_name],
                "smallest_detectable": pair.comparison.to_dict()["smallest_detectable"],
            }
            for pair in pairs
        ],
    )
    return 0
