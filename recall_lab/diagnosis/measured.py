"""A run beside its judgments, at one cutoff: what diagnosis and hard examples both start from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation, Golden, evaluate
from recall_lab.golden import GoldenDataset
from recall_lab.measures import check_k
from recall_lab.run import Results, Run


class Shown(NamedTuple):
    """A document in the top k; its grade is ``None`` where nobody has judged it."""

    query_id: Any
    document: Any
    rank: int
    grade: int | None


class Measured(NamedTuple):
    """A run and its evaluation.

    Parameters
    ----------
    questions : the text of each question, where the dataset has them.
    run : the run.
    evaluation : its measures.
    hits : the hit table: one row for each judged document.
    k : the cutoff.
    """

    questions: dict[Any, str]
    run: Run
    evaluation: Evaluation
    hits: pd.DataFrame
    k: int

    def missed(self) -> pd.DataFrame:
        """``query_id``, ``document`` and ``rank`` of the relevant documents outside the top k."""
        hits = self.hits
        missed = hits[hits["relevant"] & (hits["rank"].isna() | (hits["rank"] > self.k))]
        table = missed[["query", "document", "rank"]].rename(columns={"query": "query_id"})
        return table.reset_index(drop=True)

    def shown(self) -> Iterator[Shown]:
        """What the run has in the top k of the judged queries, query by query, by rank."""
        grades: dict[Any, dict[Any, int]] = {}
        columns = (self.hits[column].tolist() for column in ("query", "document", "grade"))
        for query_id, document, grade in zip(*columns, strict=True):
            grades.setdefault(query_id, {})[document] = grade
        for query_id in self.evaluation.judged_query_ids:
            known = grades.get(query_id, {})
            found = self.run.ranking(query_id, self.k) if query_id in self.run else []
            for rank, document in enumerate(found, start=1):
                yield Shown(query_id, document, rank, known.get(document))


def measured(
    golden: Golden, run: Run | Results | str | os.PathLike[str], k: int, min_grade: int | None
) -> Measured:
    """Load what is named by a path, and measure.

    Raises
    ------
    RecallLabError : as in :func:`recall_lab.evaluate`; a retriever was given for a run; or k is no whole
        number ≥ 1.

    Examples
    --------
    >>> m = measured({"q": ["a", "b"]}, {"q": ["a", "x"]}, k=1, min_grade=None)
    >>> m.missed()["document"].tolist(), list(m.shown())
    (['b'], [Shown(query_id='q', document='a', rank=1, grade=1)])
    """
    k = check_k(k)
    if isinstance(golden, str | os.PathLike):
        golden = GoldenDataset.load(golden)
    if isinstance(run, str | os.PathLike):
        run = Run.read(run)
    elif not isinstance(run, Run):
        if callable(getattr(run, "search", None)):
            raise RecallLabError(
                "this takes a run, and found a retriever; make one of it: retriever.run(golden.questions)"
            )
        run = Run(run)
    evaluation = evaluate(golden, run, min_grade=min_grade)
    questions = golden.questions if isinstance(golden, GoldenDataset) else {}
    return Measured(questions, run, evaluation, evaluation.hits, k)
