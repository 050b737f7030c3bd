"""What ``recall-lab compare`` and ``recall-lab gate`` share: runs in pairs, in numbers and in words."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from recall_lab.commands import options
from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation, evaluate
from recall_lab.golden import GoldenDataset
from recall_lab.notices import list_ids
from recall_lab.statistics import Comparison
from recall_lab.summary import decimals

_STATED = {"no-relevant", "unanswered", "ignored"}  # notices about what has a line of its own
_NO_RELEVANT = {"exclude": "left out", "zero": "counted 0", "one": "counted 1"}
_UNANSWERED = {"zero": "counted 0", "skip": "left out"}
_SIDES = {"two-sided": "two-sided", "less": "one-sided, for a drop", "greater": "one-sided, for a rise"}


@dataclass(frozen=True)
class Measured:
    """Runs measured for a comparison.

    Parameters
    ----------
    golden : the judgments.
    runs : the evaluations, the baseline first.
    measure, k : what is compared.
    notes : what was noticed about the files, beside what the evaluations carry.
    """

    golden: GoldenDataset
    runs: Sequence[Evaluation]
    measure: str
    k: int
    notes: Sequence[str]

    @property
    def what(self) -> str:
        """The measure with its cutoff, such as ``recall@10``."""
        return f"{self.measure}@{self.k}"

    @property
    def baseline(self) -> Evaluation:
        return self.runs[0]

    @property
    def candidates(self) -> Sequence[Evaluation]:
        return self.runs[1:]

    def basis(self, shown: int | None) -> dict[str, str]:
        """What the numbers rest on, by name.

        Parameters
        ----------
        shown : how many ids a list names; ``None`` for all.
        """
        choices = self.baseline.choices
        stated = [evaluation.summary((self.k,)).statements for evaluation in self.runs]
        return {
            "averaging": "macro, every question counts the same",
            "relevant": stated[0]["relevant"],
            "no relevant document": questions(
                self.baseline.without_relevant, shown, _NO_RELEVANT[choices.no_relevant]
            ),
            "unanswered": self._by_run(
                [questions(e.unanswered, shown, _UNANSWERED[choices.unanswered]) for e in self.runs]
            ),
            "ignored": self._by_run([questions(e.ignored, shown, "without judgments") for e in self.runs]),
            "order": stated[0]["order"],
            "ties": self._by_run([self._ties(e) or f"none changes {self.what}" for e in self.runs]),
            "run depth": self._by_run([statements["run depth"] for statements in stated]),
        }

    def warnings(self) -> list[str]:
        """All that was noticed, with the name of the run where it is not about all."""
        notices = {e.run_name: [*map(str, e.notices), self._ties(e)] for e in self.runs}
        return [*self.notes, *self._gathered(notices)]

    def unstated_notes(self) -> list[str]:
        """The warnings without what :meth:`basis` says."""
        notices = {e.run_name: [str(n) for n in e.notices if n.code not in _STATED] for e in self.runs}
        return [*self.notes, *self._gathered(notices)]

    def _ties(self, evaluation: Evaluation) -> str:
        ties = evaluation.ties(self.k, self.measure)
        return str(ties) if ties.query_ids else ""

    def _by_run(self, said: Sequence[str]) -> str:
        """What is said of each run; once, where it is the same of all."""
        if len(set(said)) == 1:
            return said[0]
        return "; ".join(f"{e.run_name}: {what}" for e, what in zip(self.runs, said, strict=True))

    def _gathered(self, said: Mapping[str, Sequence[str]]) -> list[str]:
        about: dict[str, list[str]] = {}
        for name, messages in said.items():
            for message in filter(None, messages):
                about.setdefault(message, []).append(name)
        return [
            message if len(names) == len(said) else f"{', '.join(names)}: {message}"
            for message, names in about.items()
        ]


@dataclass(frozen=True)
class Pair:
    """The baseline and one candidate.

    Parameters
    ----------
    measured : all runs.
    candidate : one of its candidates.
    comparison : of that candidate with the baseline.
    """

    measured: Measured
    candidate: Evaluation
    comparison: Comparison

    @cached_property
    def ceiling(self) -> float:
        """The mean that a perfect ranking of the judged documents reaches over the questions compared."""
        measured = self.measured
        perfect = evaluate(
            measured.golden, measured.golden.judgments, no_relevant=measured.baseline.choices.no_relevant
        )
        return float(perfect.values(measured.measure, measured.k).loc[self.comparison.query_ids].mean())

    @cached_property
    def lost(self) -> list[Any]:
        """Questions whose value fell, the largest fall first."""
        return self._largest_first(self.comparison.lost)

    @cached_property
    def gained(self) -> list[Any]:
        """Questions whose value rose, the largest rise first."""
        return self._largest_first(self.comparison.gained)

    def _largest_first(self, query_ids: Sequence[Any]) -> list[Any]:
        change = dict(zip(self.comparison.query_ids, self.comparison.differences, strict=True))
        return sorted(query_ids, key=lambda query_id: -abs(change[query_id]))

    def record(self) -> dict[str, Any]:
        """The numbers for programs, ready for ``json.dumps``; ``None`` where one is undefined."""
        comparison = self.comparison
        interval = comparison.difference.to_dict()
        sides = {"baseline": self.measured.baseline, "candidate": self.candidate}
        return {
            "measure": self.measured.measure,
            "k": self.measured.k,
            "n": comparison.n,
            "baseline_run": comparison.baseline_name,
            "candidate_run": comparison.candidate_name,
            "baseline": comparison.baseline,
            "candidate": comparison.candidate,
            "ceiling": self.ceiling,
            "difference": interval["estimate"],
            "low": interval["low"],
            "high": interval["high"],
            "confidence": interval["confidence"],
            "resamples": comparison.resamples,
            "seed": comparison.seed,
            "p_value": comparison.p_value,
            "method": comparison.method,
            "alternative": comparison.alternative,
            "lost": _as_text(self.lost),
            "gained": _as_text(self.gained),
            "excluded": _as_text(self.measured.baseline.excluded),
            "unanswered": {side: _as_text(evaluation.unanswered) for side, evaluation in sides.items()},
            "ignored": {side: _as_text(evaluation.ignored) for side, evaluation in sides.items()},
            "threshold": self.measured.baseline.min_grade,
            "warnings": self.measured.warnings(),
        }

    def test(self) -> str:
        """p, and which test gave it."""
        p = self.comparison.p_value
        return f"{p_value(p)} ({self.comparison.method} test, {_SIDES[self.comparison.alternative]})"

    def changes(self, shown: int | None) -> dict[str, str]:
        """The questions lost and gained, and those left out because a run doesn't answer them, by name.

        Parameters
        ----------
        shown : how many ids a list names; ``None`` for all.
        """
        silent = len(set(self.lost) & set(self.candidate.unanswered))
        what = f"({silent} not answered)" if silent else ""
        changes = {"lost": questions(self.lost, shown, what), "gained": questions(self.gained, shown)}
        return changes | self.left_out(shown)

    def left_out(self, shown: int | None) -> dict[str, str]:
        """The questions that are not compared because a run doesn't answer them; empty where there are none.

        Parameters
        ----------
        shown : how many ids a list names; ``None`` for all.
        """
        silent = {*self.measured.baseline.unanswered, *self.candidate.unanswered}
        missing = [query_id for query_id in self.comparison.left_out if query_id in silent]
        return {"left out": questions(missing, shown, "that a run doesn't answer")} if missing else {}


def measure(arguments: argparse.Namespace, paths: Sequence[str]) -> Measured:
    """Read and measure the runs that a command names, and refuse what can't be compared.

    Parameters
    ----------
    arguments : the options of ``compare`` or ``gate``.
    paths : the files of the runs, the baseline first.

    Raises
    ------
    RecallLabError : an option or a file is wrong, or a run answers no question that the baseline answers.
    """
    k = options.parse_cutoff(arguments.k)
    if arguments.markdown == "":
        raise RecallLabError("--markdown: the name of the file is empty; is the variable set that holds it?")
    if arguments.json and arguments.markdown == "-":
        raise RecallLabError("--json and --markdown - both write to standard output; give --markdown a file")
    options.check_output_is_no_input("--markdown", arguments.markdown, (arguments.judgments, *paths))
    golden = options.load(arguments)
    runs = list(options.measure(golden, paths, arguments).values())
    if len(runs[0].excluded) == len(runs[0].judged_query_ids):
        raise RecallLabError(
            f"{arguments.judgments}: no question has a relevant document (grade {golden.min_grade} or more), "
            "so there is nothing to compare; --min-grade sets the grade"
        )
    for path, run in zip(paths[1:], runs[1:], strict=True):
        _check_same_questions(paths[0], runs[0], path, run)
    notes = [
        f"{path} is the same file as the baseline, so the two cannot differ"
        for path in paths[1:]
        if os.path.samefile(paths[0], path)
    ]
    return Measured(golden, runs, arguments.measure, k, notes)


def _check_same_questions(first_path: str, first: Evaluation, path: str, run: Evaluation) -> None:
    ours, theirs = _answered(first), _answered(run)
    for name, answered in ((first_path, ours), (path, theirs)):
        if not answered:
            raise RecallLabError(
                f"{name} answers no question that has a relevant document; did its system return anything?"
            )
    if set(ours).isdisjoint(theirs):
        raise RecallLabError(
            f"{first_path} and {path} answer no question in common (the first: {list_ids(ours, 3)}; "
            f"the second: {list_ids(theirs, 3)}); compare runs of the same questions"
        )


def _answered(evaluation: Evaluation) -> list[Any]:
    unanswered = set(evaluation.unanswered)
    return [query_id for query_id in evaluation.query_ids if query_id not in unanswered]


def p_value(p: float) -> str:
    """A p-value with four decimals.

    >>> p_value(0.00731), p_value(0.00001)
    ('0.0073', 'below 0.0001')
    """
    return f"{p:.4f}" if p >= 0.0001 else "below 0.0001"


def smallest_change(smallest: float, change: str) -> str:
    """How large a change a set can see, in words.

    >>> smallest_change(0.0514, "drop"), smallest_change(math.inf, "rise")
    ('a drop of 0.0514 or more, four times of five', 'no rise: too few questions')
    """
    if math.isinf(smallest):
        return f"no {change}: too few questions"
    return f"a {change} of {decimals(smallest)} or more, four times of five"


def questions(query_ids: Sequence[Any], shown: int | None, what: str = "") -> str:
    """How many questions, what became of them, and which.

    >>> questions(["q7", "q9"], 1, "left out")
    '2 questions left out: q7 and 1 more'
    """
    if not query_ids:
        return "none"
    counted = f"{counted_questions(len(query_ids))} {what}".rstrip()
    return f"{counted}: {list_ids(query_ids, shown or len(query_ids))}"


def counted_questions(number: int) -> str:
    """
    >>> counted_questions(1), counted_questions(2)
    ('1 question', '2 questions')
    """
    return f"{number} question" + ("" if number == 1 else "s")


def _as_text(query_ids: Sequence[Any]) -> list[str]:
    return [str(query_id) for query_id in query_ids]
