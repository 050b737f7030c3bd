"""``recall-lab gate``: stop a build whose run finds less than the baseline; say so when it can't tell."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recall_lab.commands import options

if TYPE_CHECKING:
    from recall_lab.statistics import Verdict

SUMMARY = "stop a build whose run finds less than the baseline"

EPILOG = f"""\
examples:
  recall-lab gate qrels.txt baseline.run candidate.run
  recall-lab gate golden.csv old.run new.run --k 10 --max-drop 0.03
  recall-lab gate qrels.txt old.run new.run --markdown "$GITHUB_STEP_SUMMARY"

the rule, for a drop of --max-drop (a fraction: 0.05 is five points):
  The mean difference, candidate minus baseline, is resampled by question. Its
  5th and 95th percentile are the ends of the interval shown.
  drop         the 95th percentile is below 0, at least 5 questions changed, and
               the 5th percentile is -0.05 or less: the drop is sure, and it may
               be as large as --max-drop
  pass         the 5th percentile is above -0.05, and the set is large enough to
               show such a drop (one-sided level 5 %, in four cases of five); or
               the candidate is surely no worse: the 5th percentile is 0 or more
               and at least 5 questions changed
  cannot tell  everything else; about how many questions would tell is said

{options.WHAT_IT_READS}
what --json prints:
  one object:
    decision (pass, drop or cannot tell), exit_code, reason, max_drop,
    smallest_detectable, questions_needed (null where the verdict is clear)
    measure, k, n, baseline_run, candidate_run, baseline, candidate, ceiling
    difference, low, high, confidence, resamples, seed
    p_value, method, alternative
    lost, gained, excluded     lists of question ids
    unanswered, ignored        such lists for "baseline" and "candidate"
    threshold, warnings
  A value that is undefined is null. Where the input is refused, nothing is
  printed; the message is on standard error.

exit codes:
  0  pass
  1  drop
  2  the set can't tell, or the input or an option is wrong
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``gate``."""
    parser.epilog = EPILOG
    options.add_judgments(parser)
    parser.add_argument("baseline", metavar="BASELINE", help="the run to hold against: a file of results")
    parser.add_argument("candidate", metavar="CANDIDATE", help="the run to decide about: a file of results")
    parser.add_argument(
        "--max-drop",
        type=options.fraction,
        default=0.05,
        metavar="FRACTION",
        help="the drop that matters, above 0 and at most 1 (default: 0.05)",
    )
    options.add_which_judgments(parser)
    options.add_comparison(parser)
    options.add_choices(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare, decide, print; the exit code is the verdict's."""
    from recall_lab import statistics
    from recall_lab.commands import layout, paired

    measured = paired.measure(arguments, [arguments.baseline, arguments.candidate])
    (candidate,) = measured.candidates
    comparison = statistics.compare(
        measured.baseline,
        candidate,
        measured.measure,
        measured.k,
        alternative="less",
        resamples=arguments.resamples,
        seed=arguments.seed,
    )
    verdict = statistics.gate(comparison, arguments.max_drop)
    pair = paired.Pair(measured, candidate, replace(comparison, difference=verdict.difference))
    layout.deliver(
        arguments,
        in_text=lambda shown, width: layout.gate_in_text(verdict, pair, shown, width),
        in_markdown=lambda shown: layout.gate_in_markdown(verdict, pair, shown),
        as_json=lambda: _record(verdict) | pair.record(),
    )
    return verdict.exit_status


def _record(verdict: Verdict) -> dict[str, Any]:
    return {
        "decision": verdict.decision,
        "exit_code": verdict.exit_status,
        "reason": verdict.reason,
        "max_drop": verdict.max_drop,
        "smallest_detectable": verdict.to_dict()["smallest_detectable"],
        "questions_needed": verdict.questions_needed,
    }
