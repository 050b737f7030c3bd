"""Paired comparison: the same questions, two runs, one difference each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Choices, Evaluation
from recall_lab.ids import look_alike
from recall_lab.notices import Notice, list_ids
from recall_lab.statistics.arguments import ALMOST_ZERO, Alternative, Floats, finite_or_none
from recall_lab.statistics.intervals import Interval
from recall_lab.statistics.significance import Method, compare_values
from recall_lab.statistics.sizes import smallest_detectable_difference
from recall_lab.summary import decimals

_TESTS = {
    "sign-flip": "exact sign-flip test",
    "permutation": "permutation test with random sign flips",
    "t": "paired t test",
}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two runs on the same questions, made by :func:`compare`; print it to see what it says.

    Parameters
    ----------
    measure, k : what was compared.
    baseline_name, candidate_name : names of the runs.
    baseline, candidate : their means over the ``n`` questions compared.
    difference : candidate minus baseline, with its bootstrap interval.
    p_value, method, alternative : of the test, as in :class:`PairedTest`.
    n : number of questions compared.
    query_ids : these questions.
    baseline_values, candidate_values, differences : one value for each of them, in this order.
    lost, gained : ids of the questions whose value fell, and rose.
    left_out : questions without a value in one of the runs.
    notices : what was noticed while comparing.
    resamples, seed : of the bootstrap and the random flips.
    """

    measure: str
    k: int | None
    baseline_name: str
    candidate_name: str
    baseline: float
    candidate: float
    difference: Interval
    p_value: float
    method: str
    alternative: Alternative
    n: int
    query_ids: list[Any]
    baseline_values: Floats
    candidate_values: Floats
    differences: Floats
    lost: list[Any]
    gained: list[Any]
    left_out: list[Any]
    notices: list[Notice]
    resamples: int
    seed: int

    @property
    def smallest_detectable(self) -> float:
        """The smallest true difference these questions would show in four of five cases (at level 5 %).

        See :func:`~recall_lab.statistics.smallest_detectable_difference`; infinite where none can be seen.
        """
        return smallest_detectable_difference(self.differences, alternative=self.alternative)

    def table(self) -> pd.DataFrame:
        """One row for each question compared: ``query_id``, ``baseline``, ``candidate``, ``difference``."""
        return pd.DataFrame(
            {
                "query_id": self.query_ids,
                "baseline": self.baseline_values,
                "candidate": self.candidate_values,
                "difference": self.differences,
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """The numbers for programs, ready for ``json.dumps``; ``None`` where there is none."""
        return {
            "measure": self.measure,
            "k": self.k,
            "baseline_name": self.baseline_name,
            "candidate_name": self.candidate_name,
            "n": self.n,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "difference": self.difference.to_dict(),
            "p_value": self.p_value,
            "method": self.method,
            "alternative": self.alternative,
            "smallest_detectable": finite_or_none(self.smallest_detectable),
            "lost": [str(query_id) for query_id in self.lost],
            "gained": [str(query_id) for query_id in self.gained],
            "left_out": [str(query_id) for query_id in self.left_out],
            "warnings": [str(notice) for notice in self.notices],
        }

    def __str__(self) -> str:
        what = self.measure if self.k is None else f"{self.measure}@{self.k}"
        smallest = self.smallest_detectable
        seen = f"about {decimals(smallest)}" if math.isfinite(smallest) else "none: too few questions"
        lines = [
            f"{what}: {self.baseline_name} {decimals(self.baseline)}, "
            f"{self.candidate_name} {decimals(self.candidate)}, n = {self.n}",
            f"difference: {self.difference}",
            f"p {_written(self.p_value)} ({_TESTS[self.method]}, {self.alternative})",
            f"lost: {_counted(self.lost)}",
            f"gained: {_counted(self.gained)}",
            f"smallest difference these questions would show four times of five: {seen}",
        ]
        return "\n".join([*lines, *(f"note: {notice}" for notice in self.notices)])

    __repr__ = __str__


def compare(
    a: Evaluation,
    b: Evaluation,
    measure: str = "recall",
    k: int | None = 10,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare two runs question by question.

    Parameters
    ----------
    a, b : the evaluations of the baseline and of the candidate, over the same questions.
    measure : any measure that every question has a value of (micro recall is one number for all).
    k : the cutoff; ``None`` for the whole depth of each run.
    alternative, method, confidence, resamples, seed : as in :func:`compare_values`.

    Returns
    -------
    A :class:`Comparison`. Differences are candidate minus baseline. Questions that have no value in one of
    the runs are left out of both means, and listed.

    Raises
    ------
    RecallLabError : the evaluations are of other questions, thresholds or conventions, or share no question
        with a value; or as in :func:`compare_values`.

    Examples
    --------
    >>> from recall_lab import evaluate
    >>> golden = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"]}
    >>> old = evaluate(golden, {"q1": ["a", "b"], "q2": ["c"], "q3": ["x"]})
    >>> new = evaluate(golden, {"q1": ["a", "x"], "q2": ["x"], "q3": ["d"]})
    >>> result = compare(old, new, k=2)
    >>> result.difference.estimate, result.p_value, result.lost, result.gained
    (-0.16666666666666666, 1.0, ['q1', 'q2'], ['q3'])
    """
    _check_comparable(a, b)
    k = None if measure == "r_precision" else k  # its cutoff is R
    values = pd.DataFrame({"a": a.values(measure, k), "b": b.values(measure, k).loc[a.judged_query_ids]})
    in_both = set(a.query_ids) & set(b.query_ids)
    known = np.array([query_id in in_both for query_id in a.judged_query_ids]) & values.notna().all(axis=1)
    if not known.any():
        raise RecallLabError("no question has a value in both runs, so there is nothing to compare")
    counted = values[known]
    baseline, candidate = counted["a"].to_numpy(np.float64), counted["b"].to_numpy(np.float64)
    differences = candidate - baseline
    differences[np.abs(differences) < ALMOST_ZERO] = 0.0
    test = compare_values(
        differences,
        alternative=alternative,
        method=method,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    query_ids = list(counted.index)
    left_out = list(values.index[~known])
    return Comparison(
        measure=measure,
        k=None if k is None else int(k),
        baseline_name=a.run_name or "baseline",
        candidate_name=b.run_name or "candidate",
        baseline=float(baseline.mean()),
        candidate=float(candidate.mean()),
        difference=test.difference,
        p_value=test.p_value,
        method=test.method,
        alternative=alternative,
        n=len(query_ids),
        query_ids=query_ids,
        baseline_values=baseline,
        candidate_values=candidate,
        differences=differences,
        lost=[query_id for query_id, fell in zip(query_ids, differences < 0, strict=True) if fell],
        gained=[query_id for query_id, rose in zip(query_ids, differences > 0, strict=True) if rose],
        left_out=left_out,
        notices=[*_left_out_notices(left_out), *_judgment_notices(a, b)],
        resamples=int(resamples),
        seed=int(seed),
    )


def _check_comparable(a: Evaluation, b: Evaluation) -> None:
    for name, evaluation in (("a", a), ("b", b)):
        if not isinstance(evaluation, Evaluation):
            raise RecallLabError(f"{name} is a {type(evaluation).__name__}; give what evaluate() returns")
    first, second = set(a.judged_query_ids), set(b.judged_query_ids)
    way_out = "evaluate both runs against the same judgments"
    if first.isdisjoint(second):
        way_out = look_alike(first, second) or way_out
    for name, alone in (("a", first - second), ("b", second - first)):
        if alone:
            raise RecallLabError(
                f"the evaluations are of different questions: {len(alone)} only in {name} "
                f"({list_ids(sorted(alone, key=str), 3)}); {way_out}"
            )
    if a.min_grade != b.min_grade:
        raise RecallLabError(
            f"relevant means grade {a.min_grade} or more in a and {b.min_grade} or more in b; "
            "evaluate both with the same min_grade"
        )
    for choice in Choices.__dataclass_fields__:
        ours, theirs = getattr(a.choices, choice), getattr(b.choices, choice)
        if ours != theirs:
            raise RecallLabError(
                f"{choice} is {ours!r} in a and {theirs!r} in b; evaluate both with the same conventions"
            )


def _left_out_notices(left_out: list[Any]) -> list[Notice]:
    if not left_out:
        return []
    what = "1 question lacks" if len(left_out) == 1 else f"{len(left_out)} questions lack"
    message = f"{what} a value in one run or both, and cannot be compared: {list_ids(left_out)}"
    return [Notice("left-out", message, tuple(map(str, left_out)))]


def _judgment_notices(a: Evaluation, b: Evaluation) -> list[Notice]:
    """Runs over differently cut passages have judgments of their own; that is fine, and worth saying."""
    judged = ["query", "document", "grade"]
    ours, theirs = (e.hits[judged].sort_values(judged).reset_index(drop=True) for e in (a, b))
    if ours.equals(theirs):
        return []
    return [
        Notice("judgments-differ", "the two evaluations have the same questions, but not the same judgments")
    ]


def _written(p_value: float) -> str:
    return f"= {p_value:.4f}" if p_value >= 0.0001 else "< 0.0001"


def _counted(query_ids: list[Any]) -> str:
    return f"{len(query_ids)} ({list_ids(query_ids)})" if query_ids else "0"
