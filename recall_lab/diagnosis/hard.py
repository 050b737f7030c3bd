"""Hard examples: relevant documents that were missed, and documents that are wrong and ranked high.

Both are material to train a retriever with, under one condition: a negative has to be one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import pandas as pd

from recall_lab.diagnosis.measured import measured
from recall_lab.evaluation import Golden
from recall_lab.run import Results, Run


@dataclass(frozen=True)
class HardNegatives:
    """Documents in the top k that are not known to be relevant, by what is known of them.

    Parameters
    ----------
    judged : judged and not relevant, with their grades: the hard negatives. A grade above 0 is a partial
        answer; think twice before teaching a model that it is wrong.
    unjudged : nobody has judged them. They may answer, so they are no negatives before somebody has looked.
    """

    judged: pd.DataFrame
    unjudged: pd.DataFrame

    def __repr__(self) -> str:
        return (
            f"HardNegatives: {len(self.judged)} judged and not relevant; {len(self.unjudged)} unjudged, "
            "which may be positives"
        )


def hard_negatives(
    golden: Golden,
    run: Run | Results | str | os.PathLike[str],
    k: int = 10,
    *,
    min_grade: int | None = None,
) -> HardNegatives:
    """Documents ranked in the top k that do not answer, apart from those that nobody has judged.

    Parameters
    ----------
    golden, run, min_grade : as in :func:`recall_lab.evaluate`.
    k : how far down a document is ranked high.

    Returns
    -------
    Two tables: ``query_id``, ``document``, ``rank`` and, of the judged ones, ``grade``; by query and rank.

    Raises
    ------
    RecallLabError : as in :func:`recall_lab.evaluate`; or k is no whole number ≥ 1.

    Examples
    --------
    >>> found = hard_negatives({"q1": {"a": 1, "b": 0}}, {"q1": ["b", "x", "a"]}, k=2)
    >>> found
    HardNegatives: 1 judged and not relevant; 1 unjudged, which may be positives
    >>> found.judged["document"].tolist(), found.unjudged["document"].tolist()
    (['b'], ['x'])
    """
    m = measured(golden, run, k, min_grade)
    shown = list(m.shown())
    judged = [each for each in shown if each.grade is not None and each.grade < m.evaluation.min_grade]
    unjudged = [each[:3] for each in shown if each.grade is None]
    return HardNegatives(
        pd.DataFrame(judged, columns=["query_id", "document", "rank", "grade"]),
        pd.DataFrame(unjudged, columns=["query_id", "document", "rank"]),
    )


def hard_positives(
    golden: Golden,
    run: Run | Results | str | os.PathLike[str],
    k: int = 10,
    *,
    min_grade: int | None = None,
) -> pd.DataFrame:
    """Relevant documents that are not in the top k.

    Parameters
    ----------
    golden, run, min_grade : as in :func:`recall_lab.evaluate`.
    k : the cutoff.

    Returns
    -------
    ``query_id``, ``document``, ``rank`` (missing for nowhere); by query and rank.

    Examples
    --------
    >>> hard_positives({"q1": ["a", "b", "c"]}, {"q1": ["a", "x", "b"]}, k=2)
      query_id document  rank
    0       q1        b     3
    1       q1        c  <NA>
    """
    return measured(golden, run, k, min_grade).missed()
