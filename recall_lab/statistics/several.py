"""Several systems against one: a table of comparisons, and p-values adjusted for their number."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real

import pandas as pd

from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation
from recall_lab.statistics.arguments import Alternative
from recall_lab.statistics.paired import compare
from recall_lab.statistics.significance import Method


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjust p-values for the number of comparisons, so that 5 % stays the chance of any false claim.

    The smallest is multiplied by the number m of comparisons, the next by m − 1, and so on; none is allowed
    to be smaller than the one before, or larger than 1 (Holm, A simple sequentially rejective multiple test
    procedure, Scandinavian Journal of Statistics 6, 1979).

    Parameters
    ----------
    p_values : name → p.

    Returns
    -------
    name → adjusted p, in the order given.

    Raises
    ------
    RecallLabError : no dict, or a value outside 0 to 1.

    Examples
    --------
    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    if not isinstance(p_values, Mapping):
        raise RecallLabError(f"p_values is a {type(p_values).__name__}; give a dict of name → p")
    for name, p in p_values.items():
        if not isinstance(p, Real) or isinstance(p, bool) or not 0 <= p <= 1:
            raise RecallLabError(f"the p-value of {name!r} is {p!r}; it must lie between 0 and 1")
    adjusted: dict[str, float] = {}
    largest = 0.0
    for position, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        largest = max(largest, min((len(p_values) - position) * float(p_values[name]), 1.0))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def compare_all(
    evaluations: Mapping[str, Evaluation],
    baseline: str,
    measure: str = "recall",
    k: int | None = 10,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Compare several runs with one of them, with Holm's adjustment of the p-values.

    Parameters
    ----------
    evaluations : name → evaluation, all over the same questions.
    baseline : the name of the run that the others are compared with.
    measure, k, alternative, method, confidence, resamples, seed : as in :func:`compare`.

    Returns
    -------
    One row for each other run: ``n``, means of ``baseline`` and ``candidate``, ``difference`` with ``low``
    and ``high``, numbers of questions ``lost`` and ``gained``, ``p``, ``p_holm`` and ``method``.

    Raises
    ------
    RecallLabError : the baseline is not among the names, there is nothing else, or as in :func:`compare`.

    Examples
    --------
    >>> from recall_lab import evaluate
    >>> golden = {f"q{i}": ["a"] for i in range(8)}
    >>> hit = evaluate(golden, {query_id: ["a"] for query_id in golden})
    >>> miss = evaluate(golden, {query_id: ["x"] for query_id in golden})
    >>> table = compare_all({"old": hit, "new": miss, "same": hit}, baseline="old")
    >>> table["p_holm"].to_dict()
    {'new': 0.015625, 'same': 1.0}
    """
    if not isinstance(evaluations, Mapping):
        raise RecallLabError(
            f"evaluations is a {type(evaluations).__name__}; give a dict of name → evaluation"
        )
    if baseline not in evaluations:
        raise RecallLabError(f"there is no run {baseline!r}; there are {', '.join(map(repr, evaluations))}")
    others = {name: evaluation for name, evaluation in evaluations.items() if name != baseline}
    if not others:
        raise RecallLabError(f"there is nothing to compare {baseline!r} with; give at least one more run")
    results = {
        name: compare(
            evaluations[baseline],
            evaluation,
            measure,
            k,
            alternative=alternative,
            method=method,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
        )
        for name, evaluation in others.items()
    }
    adjusted = holm({name: result.p_value for name, result in results.items()})
    rows = {
        name: {
            "n": result.n,
            "baseline": result.baseline,
            "candidate": result.candidate,
            "difference": result.difference.estimate,
            "low": result.difference.low,
            "high": result.difference.high,
            "lost": len(result.lost),
            "gained": len(result.gained),
            "p": result.p_value,
            "p_holm": adjusted[name],
            "method": result.method,
        }
        for name, result in results.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("run")
