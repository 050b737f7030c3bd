"""How far two annotators agree, where they differ, and what was decided there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_lab.errors import RecallLabError
from recall_lab.labelling.events import Labels
from recall_lab.labelling.log import LabelLog
from recall_lab.labelling.pairs import PairId
from recall_lab.notices import Notice, list_ids

if TYPE_CHECKING:
    import pandas as pd


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's kappa of two lists of labels for the same things, in the same order.

    ``(observed - by chance) / (1 - by chance)``, where *observed* is the share of equal labels, and *by
    chance* the share two people would reach who throw dice, each with the frequencies of their own labels.

    Parameters
    ----------
    first, second : one label for each thing; any values that can be compared.

    Returns
    -------
    float, or None where chance alone always agrees (both gave the same one label throughout): nothing is left
    to divide by.

    Raises
    ------
    RecallLabError : the lists differ in length, or are empty.

    Source: J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement
    20 (1960), 37-46, formula (1).

    Examples
    --------
    Twenty pairs: 6 times both say yes, 10 times both no, 1 yes-no, 3 no-yes. Then the same with 980 more
    that anybody would call a no. Not one difficult pair is labelled better:

    >>> first, second = [1] * 6 + [0] * 10 + [1] + [0] * 3, [1] * 6 + [0] * 10 + [0] + [1] * 3
    >>> round(cohen_kappa(first, second), 3)
    0.588
    >>> round(cohen_kappa(first + [0] * 980, second + [0] * 980), 3)
    0.748
    >>> cohen_kappa([0, 0], [0, 0]) is None
    True
    """
    if len(first) != len(second) or not len(first):
        raise RecallLabError(
            f"two lists of the same length, at least 1, are needed; found {len(first)}, {len(second)}"
        )
    n = len(first)
    equal = sum(a == b for a, b in zip(first, second, strict=True))
    count_first, count_second = Counter(first), Counter(second)
    by_chance = sum(count_first[label] * count_second[label] for label in count_first)  # of n²
    return None if by_chance == n * n else (n * equal - by_chance) / (n * n - by_chance)


class Disagreement(NamedTuple):
    """A pair that two annotators gave different grades, with the notes they wrote."""

    pair: PairId
    first: int
    second: int
    first_note: str
    second_note: str


class Decision(NamedTuple):
    """The final grade of a pair, and the reason for it."""

    grade: int
    reason: str


class Agreement:
    """Two annotators compared on the pairs that both have labelled.

    Parameters
    ----------
    first, second : a `LabelLog`, what `read_labels` returns, or a dict of grades by (question, passage).
    names : what to call them; logs and label files bring the annotators' names.

    Attributes
    ----------
    n : how many pairs both have labelled.
    observed : the share of these, 0 to 1, on which they agree.
    kappa : Cohen's kappa of the grades; ``None`` where it is undefined.
    notices : pairs that only one of them has labelled, which count nowhere.

    Raises
    ------
    RecallLabError : there is no pair that both have labelled.

    Examples
    --------
    >>> ann = {("q1", "d1"): 2, ("q1", "d2"): 0, ("q2", "d1"): 1, ("q2", "d5"): 0}
    >>> bob = {("q1", "d1"): 2, ("q1", "d2"): 0, ("q2", "d1"): 2, ("q2", "d5"): 0}
    >>> agreement = Agreement(ann, bob, names=("ann", "bob"))
    >>> agreement
    ann and bob agree on 3 of 4 pairs (0.750); kappa 0.600
    >>> agreement.relevant_kappa(min_grade=1)
    1.0
    >>> [differ] = agreement.disagreements
    >>> differ.pair, differ.first, differ.second
    (('q2', 'd1'), 1, 2)
    >>> agreement.settle({("q2", "d1"): Decision(1, "it gives the price of 2021 only")})[("q2", "d1")]
    1
    """

    def __init__(
        self,
        first: Mapping[PairId, int] | Labels | LabelLog,
        second: Mapping[PairId, int] | Labels | LabelLog,
        names: tuple[str, str] | None = None,
    ) -> None:
        (name_a, self._first, self._first_notes) = _labels(first, "first")
        (name_b, self._second, self._second_notes) = _labels(second, "second")
        self.names = names or (name_a, name_b)
        self.pairs = [pair for pair in self._first if pair in self._second]
        if not self.pairs:
            raise RecallLabError(
                f"{self.names[0]} labelled {len(self._first)} pairs, {self.names[1]} {len(self._second)}, "
                "and none is the same; were both given the same set?"
            )
        self.n = len(self.pairs)
        self.kappa = self._kappa(lambda grade: grade)
        self.disagreements = [
            Disagreement(pair, a, b, self._first_notes.get(pair, ""), self._second_notes.get(pair, ""))
            for pair in self.pairs
            if (a := self._first[pair]) != (b := self._second[pair])
        ]
        self.observed = 1 - len(self.disagreements) / self.n
        self.notices = [
            Notice(
                "labelled-by-one",
                f"{len(alone)} pairs are labelled by {name} alone and count nowhere: {list_ids(alone)}",
                tuple(f"{query_id} {passage_id}" for query_id, passage_id in alone),
            )
            for name, mine, others in (
                (self.names[0], self._first, self._second),
                (self.names[1], self._second, self._first),
            )
            if (alone := [pair for pair in mine if pair not in others])
        ]

    def relevant_kappa(self, min_grade: int) -> float | None:
        """Cohen's kappa of relevant (the grade is ``min_grade`` or more) against not relevant."""
        return self._kappa(lambda grade: grade >= min_grade)

    def confusion(self) -> pd.DataFrame:
        """How many pairs have each combination of grades: rows are the first's, columns the second's."""
        import pandas as pd

        counts = Counter((self._first[pair], self._second[pair]) for pair in self.pairs)
        grades = sorted({grade for pair in counts for grade in pair})
        return pd.DataFrame(
            [[counts[a, b] for b in grades] for a in grades],
            index=pd.Index(grades, name=self.names[0]),
            columns=pd.Index(grades, name=self.names[1]),
        )

    def table(self) -> pd.DataFrame:
        """The disagreements, one row each: the pair, both grades, both notes."""
        import pandas as pd

        a, b = self.names
        columns = ["query_id", "passage_id", a, b, f"{a}'s note", f"{b}'s note"]
        return pd.DataFrame([(*d.pair, *d[1:]) for d in self.disagreements], columns=columns)

    def settle(self, decisions: Mapping[PairId, Decision] | Labels | LabelLog) -> dict[PairId, int]:
        """The final grades: what both said, or what was decided where they differ.

        Parameters
        ----------
        decisions : for exactly the pairs on which they differ the final grade and the reason for it. A third
            person's log will do: its notes are the reasons.

        Raises
        ------
        RecallLabError : a disagreement is not decided, a decision has no reason, or there was nothing to
            decide.
        """
        if isinstance(decisions, Labels | LabelLog):
            decided = {
                pair: Decision(grade, decisions.notes.get(pair, ""))
                for pair, grade in decisions.grades.items()
            }
        else:
            decided = {pair: Decision(*decision) for pair, decision in decisions.items()}
        differ = {disagreement.pair for disagreement in self.disagreements}
        for what, pairs in (
            ("disagreements are not decided", [d.pair for d in self.disagreements if d.pair not in decided]),
            ("decisions are about pairs without a disagreement", [p for p in decided if p not in differ]),
            (
                "decisions have no reason (a log's notes are its reasons)",
                [p for p in decided if not decided[p].reason.strip()],
            ),
        ):
            if pairs:
                raise RecallLabError(f"{len(pairs)} {what}: {list_ids(pairs)}")
        return {pair: decided[pair].grade if pair in decided else self._first[pair] for pair in self.pairs}

    def __repr__(self) -> str:
        kappa = "undefined (one grade throughout)" if self.kappa is None else f"{self.kappa:.3f}"
        equal = self.n - len(self.disagreements)
        lines = [
            f"{self.names[0]} and {self.names[1]} agree on {equal} of {self.n} pairs "
            f"({self.observed:.3f}); kappa {kappa}",
            *map(str, self.notices),
        ]
        return "\n".join(lines)

    def _kappa(self, label: Callable[[int], Hashable]) -> float | None:
        return cohen_kappa(
            [label(self._first[pair]) for pair in self.pairs],
            [label(self._second[pair]) for pair in self.pairs],
        )


def _labels(
    given: Mapping[PairId, int] | Labels | LabelLog, name: str
) -> tuple[str, Mapping[PairId, int], Mapping[PairId, str]]:
    if isinstance(given, Labels | LabelLog):
        return given.annotator, dict(given.grades), dict(given.notes)
    return name, dict(given), {}
