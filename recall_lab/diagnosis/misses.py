"""Diagnosis: for each relevant document that a run missed, which change would have brought it up."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd

from recall_lab.diagnosis.interventions import (
    CAUSES,
    MISSING_LABEL,
    UNEXPLAINED,
    Intervention,
    NotTried,
    OtherJudgments,
)
from recall_lab.diagnosis.measured import Shown, measured
from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation, Golden
from recall_lab.ids import as_ranking, check_first_id, other_kind
from recall_lab.measures import check_k
from recall_lab.notices import Notice, list_ids
from recall_lab.run import Results, Run

_COLUMNS = {
    *("query_id", "document", "rank", "cause", "reason"),
    *("type", "relevant", "found", "missed", "unavoidable"),
}


@dataclass(frozen=True)
class Outcome:
    """What one intervention did for one document.

    Parameters
    ----------
    intervention : its name.
    rank : the document's rank after it; ``None`` where it was not found, or nothing was tried.
    moved : whether it brought the document into the places that count (the top k; deeper for depth).
    not_tried : why it was not tried; empty where it was.
    """

    intervention: str
    rank: int | None = None
    moved: bool = False
    not_tried: str = ""

    def __str__(self) -> str:
        if self.not_tried:
            what = f"not tried, {self.not_tried}"
        else:
            what = "not found" if self.rank is None else f"rank {self.rank}"
        return f"{self.intervention}: {what}"


@dataclass(frozen=True)
class Miss:
    """One relevant document that the top k lacks, or that stands there without a judgment.

    Parameters
    ----------
    query_id, document : the pair.
    rank : its rank in the run; ``None`` for nowhere.
    cause : the class of miss.
    reason : one sentence: which intervention showed it, and how.
    outcomes : what each intervention did, in the order tried.
    """

    query_id: Any
    document: Any
    rank: int | None
    cause: str
    reason: str
    outcomes: tuple[Outcome, ...]

    @property
    def moved_by(self) -> list[str]:
        """Names of all interventions that bring the document up; the first one gave the cause."""
        return [outcome.intervention for outcome in self.outcomes if outcome.moved]


class Diagnosis:
    """The misses of a run at a cutoff with their causes, made by :func:`diagnose`.

    Attributes
    ----------
    k : the cutoff.
    misses : one `Miss` for each relevant document outside the top k, query by query, by rank.
    missing_labels : one `Miss` for each unjudged document in the top k that answers by other judgments. The
        run found it: here the judgments have missed something.
    interventions : their names, in the order of precedence.
    without_relevant : judged questions with R = 0: the corpus does not answer them, so nothing is missed.
    answerable_rate : share of the judged questions that have a relevant document, from 0 to 1.
    unanswered : questions with relevant documents that the run does not answer; all of these are missed.
    notices : what one should know before quoting a number of this.
    run_name, dataset_name : for tables; may be empty.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        k: int,
        tried: Sequence[Intervention | OtherJudgments],
        misses: list[Miss],
        missing_labels: list[Miss],
    ) -> None:
        self.k = k
        self.misses = misses
        self.missing_labels = missing_labels
        self.interventions = [intervention.name for intervention in tried]
        self.run_name = evaluation.run_name
        self.dataset_name = evaluation.dataset_name
        self.without_relevant = evaluation.without_relevant
        self.answerable_rate = evaluation.answerable_rate()
        self.unanswered = evaluation.unanswered
        self._causes = [*dict.fromkeys(intervention.cause for intervention in tried), UNEXPLAINED]
        self._questions = _questions(evaluation, k)
        self.notices = [*evaluation.notices, *self._own_notices()]

    def _own_notices(self) -> Iterable[Notice]:
        unavoidable = int(self._questions["unavoidable"].sum())
        if unavoidable:
            ids = [id_ for id_, number in self._questions["unavoidable"].items() if number]
            yield Notice(
                "unavoidable",
                f"at k = {self.k} at least {unavoidable} of the misses are unavoidable: a question with more "
                f"than {self.k} relevant documents misses some in any system ({list_ids(ids)})",
                tuple(map(str, ids)),
            )
        untried = [cause for cause in CAUSES if cause not in self._causes]
        if untried:
            message = (
                f"no intervention was given for: {', '.join(untried)}; no miss can be of that class here"
            )
            yield Notice("cause-not-tried", message)
        mistaken = dict.fromkeys(miss.query_id for miss in self.missing_labels)
        doubtful = [query_id for query_id in self.without_relevant if query_id in mistaken]
        if doubtful:
            have = "question has" if len(doubtful) == 1 else "questions have"
            yield Notice(
                "answerable-after-all",
                f"{len(doubtful)} {have} no relevant document by these judgments, and one in the top "
                f"{self.k} by others: {list_ids(doubtful)}",
                tuple(map(str, doubtful)),
            )

    def of_question(self, query_id: Any) -> list[Miss]:
        """The misses of one question, by rank, and after them its missing labels.

        Raises
        ------
        RecallLabError : there is no such judged question.
        """
        if query_id not in self._questions.index:
            close = difflib.get_close_matches(str(query_id), map(str, self._questions.index), n=1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise RecallLabError(f"there is no judged question {query_id!r} in this diagnosis{meant}")
        return [miss for miss in (*self.misses, *self.missing_labels) if miss.query_id == query_id]

    def table(self) -> pd.DataFrame:
        """One row for each miss, then for each missing label: cause, reason, and all ranks.

        Returns
        -------
        ``query_id``, ``document``, ``rank`` in the run, ``cause``, ``reason``, and one column for each
        intervention with the rank after it. A rank is missing where the document was not found or nothing was
        tried; `outcomes` tells the two apart.
        """
        misses = [*self.misses, *self.missing_labels]
        columns: dict[str, Any] = {
            "query_id": [miss.query_id for miss in misses],
            "document": [miss.document for miss in misses],
            "rank": _ranks(miss.rank for miss in misses),
            "cause": [miss.cause for miss in misses],
            "reason": [miss.reason for miss in misses],
        }
        after = [{outcome.intervention: outcome.rank for outcome in miss.outcomes} for miss in misses]
        columns |= {name: _ranks(ranks.get(name) for ranks in after) for name in self.interventions}
        return pd.DataFrame(columns)

    def outcomes(self) -> pd.DataFrame:
        """One row for each miss and intervention: ``tried``, ``rank``, ``moved``, and why not tried."""
        pairs = [
            (miss, outcome) for miss in (*self.misses, *self.missing_labels) for outcome in miss.outcomes
        ]
        return pd.DataFrame(
            {
                "query_id": [miss.query_id for miss, _ in pairs],
                "document": [miss.document for miss, _ in pairs],
                "intervention": [outcome.intervention for _, outcome in pairs],
                "tried": [not outcome.not_tried for _, outcome in pairs],
                "rank": _ranks(outcome.rank for _, outcome in pairs),
                "moved": [outcome.moved for _, outcome in pairs],
                "not_tried": [outcome.not_tried for _, outcome in pairs],
            }
        )

    def counts(self) -> pd.Series:
        """Number of misses by cause, in the order of precedence, zeros too.

        ``missing label`` counts documents that the run found. All others together are the missed documents.
        """
        found = Counter(miss.cause for miss in (*self.misses, *self.missing_labels))
        index = pd.Index(self._causes, name="cause")
        return pd.Series([found[cause] for cause in self._causes], index=index, name="misses", dtype="int64")

    def moves(self) -> pd.DataFrame:
        """One row for each intervention, whatever its precedence.

        Returns
        -------
        For how many misses it was ``tried``, how many it ``moved``, and how many of these it moved ``alone``.
        Of other judgments only the missing labels are listed, so all that they tried they moved.
        """
        rows = []
        for name in self.interventions:
            of_it = [
                (outcome, miss)
                for miss in (*self.misses, *self.missing_labels)
                for outcome in miss.outcomes
                if outcome.intervention == name
            ]
            rows.append(
                {
                    "intervention": name,
                    "tried": sum(not outcome.not_tried for outcome, _ in of_it),
                    "moved": sum(outcome.moved for outcome, _ in of_it),
                    "alone": sum(outcome.moved and miss.moved_by == [name] for outcome, miss in of_it),
                }
            )
        return pd.DataFrame(rows).set_index("intervention")

    def by_question(self) -> pd.DataFrame:
        """One row for each judged question: what exists, what is missed, and the causes.

        Returns
        -------
        Index ``query``; perhaps its ``type``; ``relevant`` (R), ``found`` in the top k, ``missed``,
        ``unavoidable`` (R − k, where that is positive), and a count for each cause.
        """
        table = self._questions.copy()
        numbers = Counter((miss.query_id, miss.cause) for miss in (*self.misses, *self.missing_labels))
        for cause in self._causes:
            table[cause] = [numbers[query_id, cause] for query_id in table.index]
        return table

    # ------------------------------------------------------------------------------------------- in words

    @property
    def title(self) -> str:
        """Which run, on which judgments, at which k, and how much it missed."""
        where = f" on {self.dataset_name}" if self.dataset_name else ""
        relevant = int(self._questions["relevant"].sum())
        return (
            f"Diagnosis of {self.run_name or 'run'}{where} at k = {self.k}: "
            f"{len(self.misses)} of {relevant} relevant documents missed"
        )

    def __repr__(self) -> str:
        counts = self.counts()
        width = max(map(len, counts.index))
        lines = [f"  {cause:<{width}}  {number:>5}" for cause, number in counts.items()]
        lines.append(self._answerable())
        lines += [f"note: {notice}" for notice in self.notices if notice.code != "no-relevant"]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row">{escape(str(cause))}</th><td>{number}</td></tr>'
            for cause, number in self.counts().items()
        )
        said = [self._answerable(), *(str(n) for n in self.notices if n.code != "no-relevant")]
        return (
            f"<table><caption>{escape(self.title)}</caption><thead><tr>"
            f'<th scope="col">cause</th><th scope="col">misses</th></tr></thead><tbody>{rows}</tbody></table>'
            "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in said) + "</ul>"
        )

    def _answerable(self) -> str:
        no_answer = len(self.without_relevant)
        return (
            f"answerable rate {self.answerable_rate:.4f}: {no_answer} of {len(self._questions)} judged "
            "questions have no relevant document; that is no miss of the run"
        )


def diagnose(
    golden: Golden,
    run: Run | Results | str | os.PathLike[str],
    k: int = 10,
    *,
    interventions: Iterable[Intervention | OtherJudgments],
    depth: int = 100,
    min_grade: int | None = None,
) -> Diagnosis:
    """Find out why relevant documents are missed, by trying what would bring them up.

    Every intervention is tried on every missed document. Several may move the same one, and all ranks are
    kept; the single ``cause`` is that of the **first in the list** that moves it. A document that none moves
    is ``"unexplained"``.

    Parameters
    ----------
    golden, run, min_grade : as in :func:`recall_lab.evaluate`.
    k : the cutoff: a relevant document is missed if it is not in the top k.
    interventions : what to try, in the order of precedence; `shipped_interventions` makes those for the
        shipped dataset.
    depth : how many results a live retriever is asked for, k at least. Frozen runs are read to their end.

    Raises
    ------
    RecallLabError : there is no intervention, one is no intervention, two have the same name, one belongs to
        other judgments, or k is no whole number ≥ 1.
    NoCommonQueriesError : judgments and run share no query.

    Notes
    -----
    Which order? What could least have moved the document by chance says most, so the most specific comes
    first: exact search (moves only what an index lost), merged chunks (only what was cut), swapped words
    (only questions with a listed word), another arm (any document, k places), and looking deeper last (any
    document, and deep enough it finds everything). Looking deeper costs least, and should be looked at first
    in the table; but as a cause it would hide all the others. Another order is as easily given.

    A cause is what cured the miss in this trial. That the cure does no harm elsewhere has to be measured on
    all questions.

    Examples
    --------
    >>> from recall_lab.diagnosis import Deeper, OtherArm
    >>> golden = {"q1": ["a", "b", "c"]}
    >>> run = Run({"q1": ["a", "x", "b"]}, name="keyword")
    >>> vector = Run({"q1": ["y", "c", "b"]}, name="vector")
    >>> found = diagnose(golden, run, k=2, interventions=[OtherArm(vector), Deeper(run, 3)])
    >>> for miss in found.misses:
    ...     print(miss.document, miss.cause, "·", miss.reason)
    b depth · rank 3: looking 1 place deeper finds it
    c other arm · in vector it is at rank 2; in the run nowhere
    """
    depth, tried = check_k(depth, "depth"), _checked(interventions)
    m = measured(golden, run, k, min_grade)
    for intervention in tried:
        intervention.check(m.evaluation.judged_query_ids, m.hits["document"].unique().tolist())

    moving = [intervention for intervention in tried if isinstance(intervention, Intervention)]
    judging = [intervention for intervention in tried if isinstance(intervention, OtherJudgments)]
    misses, labels = [], []
    for query_id, rows in m.missed().groupby("query_id", sort=False):
        question = m.questions.get(query_id)
        trials = [_Trial(intervention, query_id, question, m.k, depth) for intervention in moving]
        for document, rank in zip(rows["document"].tolist(), rows["rank"].tolist(), strict=True):
            misses.append(_miss(query_id, document, None if rank is pd.NA else rank, trials))
    for shown in m.shown():
        if shown.grade is None:
            labels += _missing_label(judging, shown, m.evaluation.min_grade)
    return Diagnosis(m.evaluation, m.k, tried, misses, labels)


class _Trial:
    """One intervention on one query: its ranking is asked for once for all its misses."""

    def __init__(
        self, intervention: Intervention, query_id: Any, question: str | None, k: int, depth: int
    ) -> None:
        self.intervention, self.question, self.k = intervention, question, k
        self.not_tried = ""
        self.ranks: dict[Any, int] = {}
        self.control: dict[Any, int] = {}
        try:
            self.places = intervention.places(k)
            asked = (query_id, question, max(depth, self.places))
            self.ranks = self._ranks_of(intervention.apply(*asked))
            control = intervention.control(*asked)
            self.control = {} if control is None else self._ranks_of(control)
        except NotTried as why:
            self.not_tried = str(why)
        except RecallLabError as error:
            raise RecallLabError(f"{intervention.name!r}, query {query_id!r}: {error}") from error

    def _ranks_of(self, ranking: Any) -> dict[Any, int]:
        ranks: dict[Any, int] = {}
        documents = as_ranking(ranking, "the ranking after it")
        check_first_id(documents, "the ranking after it")
        for rank, document in enumerate(documents, start=1):
            ranks.setdefault(document, rank)
        return ranks

    def outcome(self, document: Any) -> Outcome:
        name, not_tried = self.intervention.name, self.not_tried
        if not not_tried:
            try:
                target = self.intervention.looks_for(document)
            except NotTried as why:
                not_tried = str(why)
            else:
                if target in self.control and self.control[target] <= self.places:
                    not_tried = "its system finds the document without the change"
        if not_tried:
            return Outcome(name, not_tried=not_tried)
        rank = self.ranks.get(target)
        if rank is None and (twin := other_kind(target)) is not None and twin in self.ranks:
            raise RecallLabError(
                f"{name!r} looks for document {target!r} and its ranking holds {twin!r}: a number and a text "
                "never match; make all ids text with str()"
            )
        return Outcome(name, rank, moved=rank is not None and rank <= self.places)


def _miss(query_id: Any, document: Any, was: int | None, trials: Sequence[_Trial]) -> Miss:
    outcomes = tuple(trial.outcome(document) for trial in trials)
    for trial, outcome in zip(trials, outcomes, strict=True):
        if outcome.moved and outcome.rank is not None:
            by = trial.intervention
            reason = by.reason(trial.question, document, outcome.rank, was, trial.k)
            return Miss(query_id, document, was, by.cause, reason, outcomes)
    where = "nowhere in the run" if was is None else f"at rank {was} in the run"
    attempts = [str(outcome) for outcome in outcomes if not outcome.not_tried]
    untried = [outcome.intervention for outcome in outcomes if outcome.not_tried]
    attempts += [f"not tried: {', '.join(untried)}"] if untried else []
    reason = f"{where}, and nothing tried brings it up ({'; '.join(attempts) or 'no search was given'})"
    return Miss(query_id, document, was, UNEXPLAINED, reason, outcomes)


def _missing_label(judging: Sequence[OtherJudgments], shown: Shown, min_grade: int) -> list[Miss]:
    """One miss of the judgments, where other ones say that this unjudged document answers."""
    query_id, document, rank, _ = shown
    answers = {by.name: by.answers(query_id, document, min_grade=min_grade) for by in judging}
    if not any(answers.values()):
        return []
    outcomes = tuple(
        Outcome(name, not_tried="not judged there either")
        if answer is None
        else Outcome(name, rank if answer else None, moved=answer)
        for name, answer in answers.items()
    )
    sure = next(name for name, answer in answers.items() if answer)
    reason = f"at rank {rank} and not judged; by {sure} it answers"
    return [Miss(query_id, document, rank, MISSING_LABEL, reason, outcomes)]


def _questions(evaluation: Evaluation, k: int) -> pd.DataFrame:
    table = evaluation.per_query(k)
    columns = [column for column in ("type", "relevant", "found") if column in table]
    table = table[columns].copy()
    table["missed"] = table["relevant"] - table["found"]
    table["unavoidable"] = [max(0, relevant - k) for relevant in table["relevant"].tolist()]  # k can be huge
    return table


def _checked(interventions: Any) -> list[Intervention | OtherJudgments]:
    if isinstance(interventions, Intervention | OtherJudgments):
        interventions = [interventions]
    if isinstance(interventions, str) or not isinstance(interventions, Iterable):
        raise RecallLabError(
            f"interventions are a list such as [Deeper(run, 50)], not {type(interventions).__name__}"
        )
    tried = list(interventions)
    if not tried:
        raise RecallLabError(
            "there is no intervention: a cause is found by trying something, such as Deeper(run, 50)"
        )
    for intervention in tried:
        if not isinstance(intervention, Intervention | OtherJudgments):
            raise RecallLabError(
                f"{intervention!r} is no intervention; wrap it, as in OtherArm(run), or make your own class "
                "of Intervention"
            )
        for attribute in ("name", "cause"):
            text = getattr(intervention, attribute, None)
            if not isinstance(text, str) or not text:
                raise RecallLabError(
                    f"{intervention!r} needs a {attribute}, a text that is not empty; found {text!r}"
                )
            if text in _COLUMNS:
                raise RecallLabError(f"{text!r} is a column of the table already; choose another {attribute}")
    names = Counter(intervention.name for intervention in tried)
    twice = [name for name, number in names.items() if number > 1]
    if twice:
        raise RecallLabError(f"two interventions are called {twice[0]!r}; give one of them another name=")
    return tried


def _ranks(ranks: Iterable[int | None]) -> Any:
    return pd.array([pd.NA if rank is None else rank for rank in ranks], dtype="Int64")
