"""What a learner makes: labels, decisions, a golden dataset.

None of these has one right answer. The check looks for what has to be there; opinions are the learner's own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from recall_lab.errors import RecallLabError
from recall_lab.exercises.answers import is_blank, kind_of
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds.base import Exercise, Slip, not_yet
from recall_lab.exercises.own import own_folder

if TYPE_CHECKING:
    from recall_lab.golden import GoldenDataset
    from recall_lab.labelling import Agreement, Decision

__all__ = ["AdjudicationExercise", "DatasetExercise", "LabelsExercise"]

PairId = tuple[Any, Any]

ONE_GRADE = Slip(
    "one_grade",
    "the same grade for everything",
    "What would a passage have to say to get another one?",
)
NO_REASON = Slip(
    "no_reason",
    "a decision without a reason",
    "What would you tell somebody who gave the other grade?",
)
LOW_THRESHOLD = Slip(
    "low_threshold",
    "calling a passage relevant from a lower grade on",
    "Which grade means that the passage answers the question?",
)
NOTHING_FOUND_DROPPED = Slip(
    "nothing_found_dropped",
    "leaving out a question that nothing answers",
    "How would anybody know later that you looked?",
)
OURS_FOR_YOURS = Slip(
    "ours_for_yours",
    "handing over our dataset",
    "Yours has my_questions and my_judgments. Which pairs did you grade?",
)
ZEROS_DROPPED = Slip(
    "zeros_dropped",
    "keeping the relevant pairs and dropping the others",
    "Read and rejected, or never read: how would one tell the two apart?",
)


class _OwnWork(Exercise[None]):
    """What the learner makes is all the data there is."""

    question: ClassVar[str]

    def lesson(self) -> None:
        return None

    def prompt(self, data: None) -> str:
        return self.question

    def worked(self, data: None) -> str:
        return self.afterwards


class LabelsExercise(_OwnWork):
    """All pairs labelled at the desk. Which grades they got is the learner's own affair."""

    blank = "Nothing labelled yet. Label at the desk, then put desk.labels in place of the dots."

    @abstractmethod
    def pairs(self) -> Collection[PairId]:
        """The pairs that are to be labelled."""

    def judge(self, data: None, answer: Any) -> Verdict:
        grades = _grades(answer)
        if grades is None:
            return not_yet(f"That is {kind_of(answer)}. Hand over the labels of the desk: desk.labels.")
        wanted = self.pairs()
        given = [grades[pair] for pair in wanted if pair in grades]
        if not given:
            return Verdict("not attempted", self.blank)
        if len(given) < len(wanted):
            return not_yet(
                "Some pairs wait at the desk. What you have done is saved; you can go on at any time.",
                evidence=f"labelled: {len(given)}\nstill to do: {len(wanted) - len(given)}",
            )
        if len(set(given)) == 1:
            return ONE_GRADE.verdict("Every pair is labelled, with")
        return Verdict("passed", f"All of them, and all on disk. {self.afterwards}".strip())


class AdjudicationExercise(Exercise["Agreement"]):
    """A final grade and a reason for every pair on which two annotators differ.

    The learner hands over the agreement and the decisions: ``check(id, (agreement, decisions))``.
    """

    question: ClassVar[str]
    grades: ClassVar[tuple[int, ...]] = (0, 1, 2)
    blank = "Nothing decided yet. Put your decisions in place of the dots and run the cell again."

    def prompt(self, data: Agreement) -> str:
        return self.question

    def worked(self, data: Agreement) -> str:
        return self.afterwards

    def judge(self, data: Agreement, answer: Any) -> Verdict:
        from recall_lab.labelling import Agreement

        if type(answer) is not tuple or len(answer) != 2 or not isinstance(answer[0], Agreement):
            return not_yet("Hand over the agreement and your decisions, as the cell had it.")
        agreement, typed = answer
        differ = [one.pair for one in agreement.disagreements]
        if is_blank(typed) or (differ and type(typed) is dict and all(map(_is_open, typed.values()))):
            return Verdict("not attempted", self.blank)
        if not isinstance(typed, Mapping):
            return not_yet(
                f"That is {kind_of(typed)}. A dict with a grade and a reason for each pair is asked for."
            )
        if no_pairs := [key for key in typed if type(key) is not tuple]:
            return not_yet(
                "A pair has two names, that of the question and that of the passage. The cell above prints "
                "them.",
                evidence="\n".join(repr(key)[:80] for key in no_pairs),
            )
        if still_open := [pair for pair in differ if _is_open(typed.get(pair))]:
            return not_yet(
                "Some pairs on which you differ are not decided yet.", evidence=_listed(still_open)
            )
        if strange := [pair for pair in typed if pair not in differ]:
            return not_yet(
                "There is nothing to settle here; you both say the same.", evidence=_listed(strange)
            )
        decisions = {pair: _decision(value) for pair, value in typed.items()}
        if unreadable := [pair for pair, decision in decisions.items() if decision is None]:
            return not_yet(
                _what_is_wrong(typed[unreadable[0]]),
                evidence=_listed(unreadable),
            )
        if strange := [pair for pair, one in decisions.items() if one and one.grade not in self.grades]:
            return not_yet("That is none of the grades of the rubric.", evidence=_listed(strange))
        if bare := [pair for pair, one in decisions.items() if one and _is_bare(one.reason)]:
            return NO_REASON.verdict("There is", evidence=_listed(bare))
        if not differ:
            return Verdict(
                "passed", f"You agree on every pair, so there is nothing to settle. {self.afterwards}"
            )
        return Verdict("passed", f"Settled, each with its reason. {self.afterwards}".strip())


class DatasetExercise(_OwnWork):
    """A golden dataset of the learner's own, whole, and saved where the other lessons find it."""

    min_grade: ClassVar[int] = 2
    blank = "No dataset yet. Make it in place of the dots, save it, and run the cell again."

    @abstractmethod
    def pairs(self) -> Collection[PairId]:
        """The pairs it has to judge."""

    @abstractmethod
    def labelled(self) -> Mapping[PairId, int]:
        """The grades that the learner has given so far, as they lie on the disk."""

    @abstractmethod
    def other(self) -> Mapping[PairId, int]:
        """The grades of the annotator with whom the learner has settled the disagreements."""

    def check(self, data: None, answer: Any) -> Verdict:
        if answer is None:
            return not_yet(
                "That is None, which is all that save() returns. Give the dataset its name on one line, and "
                "save it on the next: my_golden.save(own_folder())."
            )
        return super().check(data, answer)

    def judge(self, data: None, answer: Any) -> Verdict:
        from recall_lab.golden import GoldenDataset

        if not isinstance(answer, GoldenDataset):
            return not_yet(f"That is {kind_of(answer)}. A GoldenDataset is asked for.")
        judged = {(question, passage) for question, grades in answer.judgments.items() for passage in grades}
        wanted = set(self.pairs())
        if judged - wanted:
            return OURS_FOR_YOURS.verdict("It judges pairs that you never saw, which is what comes out of")
        if missing := sorted(wanted - judged):
            lead, listed = "These pairs are missing, which is what comes out of", _listed(missing)
            if not {question for question, _ in missing} & set(answer.judgments):
                return NOTHING_FOUND_DROPPED.verdict(lead, evidence=listed)
            if all(answer.relevant(q) == set(grades) for q, grades in answer.judgments.items()):
                return ZEROS_DROPPED.verdict(lead, evidence=listed)
            return not_yet("Some of the pairs you labelled have no judgment.", evidence=listed)
        if answer.min_grade < self.min_grade:
            return LOW_THRESHOLD.verdict(
                "This is what comes out of", evidence=f"min_grade={answer.min_grade}"
            )
        if answer.min_grade > self.min_grade:
            return not_yet(
                "No grade is that high, so nothing would be relevant. Which grade means that it answers?",
                evidence=f"min_grade={answer.min_grade}",
            )
        if missing_texts := [q for q in answer.judgments if q not in answer.questions]:
            return not_yet("Some questions have no text.", evidence=", ".join(map(str, missing_texts)))
        if not all(passage in answer.passages for _, passage in judged):
            return not_yet(
                "Some of the judged passages have no text. Hand over the passages of golden as well."
            )
        return self._whose(answer) or self._on_disk(answer)

    def _whose(self, answer: GoldenDataset) -> Verdict | None:
        """Not yet where the judgments are not the learner's own; None where they are.

        Whatever was settled may have any grade. Where the learner and the other annotator said the same, that
        is the grade.
        """
        mine, theirs = self.labelled(), self.other()
        wanted = self.pairs()
        if missing := [pair for pair in wanted if pair not in mine]:
            return not_yet(
                "The dataset is whole, but its grades are somebody else's: annotator A stands in for you "
                "until every pair is labelled. Finish at the desk, run the cells from there on again, and "
                "save it.",
                evidence=f"still to label: {len(missing)} of {len(wanted)}",
            )
        agreed = [pair for pair in wanted if mine[pair] == theirs[pair]]
        if strange := [pair for pair in agreed if answer.judgments[pair[0]][pair[1]] != mine[pair]]:
            return OURS_FOR_YOURS.verdict(
                "On these pairs you and the second annotator gave another grade, which may come out of",
                evidence=_listed(strange),
            )
        return None

    def _on_disk(self, answer: GoldenDataset) -> Verdict:
        from recall_lab.golden import GoldenDataset

        folder = own_folder()
        try:
            saved = GoldenDataset.load(folder)
        except RecallLabError:
            return not_yet("The dataset is fine, and it is gone when you close the notebook. Is it saved?")
        if (saved.judgments, saved.min_grade) != (answer.judgments, answer.min_grade):
            return not_yet(
                f"The dataset is fine, but another one is saved in {folder.name}. Save it once more, with "
                "my_golden.save(own_folder()): the brackets are there, and no quotes."
            )
        return Verdict("passed", f"Made, saved and read back. {self.afterwards}".strip())


def _grades(answer: Any) -> Mapping[PairId, int] | None:
    """The grades in whatever was handed over: a desk, its labels, or a dict."""
    from recall_lab.labelling import LabelLog, Labels

    labels = getattr(answer, "labels", answer)
    if isinstance(labels, LabelLog | Labels):
        return labels.grades
    return labels if isinstance(labels, Mapping) else None


def _is_open(value: Any) -> bool:
    """Whether a decision is a blank, or has one in the place of its grade."""
    return is_blank(value) or (type(value) is tuple and len(value) == 2 and is_blank(value[0]))


def _is_bare(reason: str) -> bool:
    """Whether a reason is empty, or still ends in the dots of the line that was copied."""
    return not reason.strip() or reason.rstrip().endswith("...")


def _decision(value: Any) -> Decision | None:
    from recall_lab.labelling import Decision

    if not isinstance(value, tuple | list) or len(value) != 2:
        return None
    grade, reason = value
    readable = type(grade) is int and isinstance(reason, str)
    return Decision(grade, reason) if readable else None


def _what_is_wrong(value: Any) -> str:
    """The sentence for a decision that cannot be read."""
    if isinstance(value, tuple | list) and len(value) == 2:
        grade, reason = value
        if type(grade) is str and grade.strip().isdigit() and len(grade) < 10:
            return f"“{grade.strip()}” is a text. Take the quotes away from the grade."
        if type(grade) is float:
            return f"{grade:g} is no grade of the rubric, and splitting the difference is no reason."
        if type(grade) is int:
            return f"The grade is there; the reason is {kind_of(reason)}. Write it as a text in quotes."
    return 'A decision is a grade and a reason, such as (1, "it names the price of another year").'


def _listed(pairs: Collection[PairId]) -> str:
    return "\n".join(" ".join(map(str, pair)) if isinstance(pair, tuple) else str(pair) for pair in pairs)
