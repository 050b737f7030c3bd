"""The twenty pairs that lesson 01 labels, and what the two annotators of the library of things said of them.

They come from the pairs that both annotators labelled blind, and keep the ids of the data set, so that labels
become judgments as they are. Five questions: one asks for all of something, one has an answer that changed
between editions, and one is not answered anywhere.
"""

from __future__ import annotations

import csv
from textwrap import fill
from typing import Any

from recall_lab.exercises import registry
from recall_lab.exercises.own import own_folder
from recall_lab.golden import GoldenDataset
from recall_lab.labelling import Agreement, Decision, LabelLog, Labels, Pair, read_labels
from recall_lab.resources import shipped_folder

__all__ = [
    "ANNOTATION",
    "DATASET",
    "GRADES",
    "annotator",
    "finished",
    "labelled",
    "labelled_or_annotator_a",
    "or_annotator_a",
    "pairs",
    "print_differences",
    "settled_or_lower",
]

DATASET = "library_of_things"
ANNOTATION = shipped_folder("datasets") / DATASET / "annotation"
"""What the annotators read and what they wrote."""

GRADES = (0, 1, 2)

_CHOSEN = {  # question: its pairs, as passage and the name of the pair in the annotators' files
    "q058": {"fee-12": "p079", "late-13": "p107", "loan-03": "p147", "late-08": "p306", "care-02": "p336"},
    "q065": {"care-17": "p019", "mend-10": "p054", "tip-10": "p105", "card-TE-6240": "p157"},
    "q071": {"care-02": "p039", "card-CA-3507": "p189", "card-ME-3982": "p191", "loan-14": "p258"},
    "q096": {"old-08": "p114", "old-07": "p213", "loan-01": "p240", "fee-07": "p325"},
    "q107": {"card-ME-2389": "p013", "mend-08": "p076", "care-03": "p109"},
}


def pairs() -> list[Pair]:
    """The pairs to label.

    >>> len(pairs()), pairs()[0].question
    (20, 'What can cost me money on top of the loan price?')
    """
    golden = GoldenDataset.load(DATASET)
    return [
        Pair(question, id_, golden.questions[question], golden.passages[id_].text, golden.passages[id_].title)
        for question, passages in _CHOSEN.items()
        for id_ in passages
    ]


def annotator(letter: str) -> Labels:
    """What annotator a or b said of the twenty pairs, with the reasons as notes.

    >>> annotator("b")
    Labels of annotator B: 20 labelled, 20 notes
    """
    with (ANNOTATION / f"annotator_{letter.lower()}.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["pair_id"]: row for row in csv.DictReader(file)}
    labels = Labels(f"annotator {letter.upper()}", seed=0, scale=GRADES)
    for question, passages in _CHOSEN.items():
        for passage, pair_id in passages.items():
            labels.grades[question, passage] = int(rows[pair_id]["grade"])
            labels.notes[question, passage] = rows[pair_id]["reason"]
    return labels


def labelled() -> Labels:
    """What the learner has labelled so far, as it lies on the disk."""
    path = own_folder() / "labels_me.jsonl"
    return read_labels(path) if path.exists() else Labels("me", seed=0, scale=GRADES)


def labelled_or_annotator_a() -> Labels:
    """The labels that the lesson goes on with: the learner's, or annotator A's until all pairs have one."""
    mine = labelled()
    return mine if finished(mine) else annotator("a")


def finished(labels: LabelLog | Labels) -> bool:
    """Whether all twenty pairs have a grade."""
    return all(pair.id in labels.grades for pair in pairs())


def or_annotator_a(labels: LabelLog) -> LabelLog | Labels:
    """The learner's labels where all twenty pairs have one, else annotator A's; a printed line says which."""
    if finished(labels):
        print(f"The lesson goes on with your {len(labels.pairs)} labels.")
        return labels
    done = len(labels.pairs) - labels.left
    print(f"You have labelled {done} of {len(labels.pairs)} pairs, so annotator A's labels stand in for now.")
    print("When you have finished at the desk, run the cells from here on again.")
    return annotator("a")


def settled_or_lower(agreement: Agreement, decisions: Any) -> dict[Any, int]:
    """The final grades: as decided, else the lower of two that differ; a printed line says which."""
    differ = agreement.disagreements
    if registry.find("01.adjudicate").check(agreement, (agreement, decisions)).status == "passed":
        print(f"Final grades: {agreement.n - len(differ)} agreed, {len(differ)} settled.")
        return agreement.settle(decisions)
    print("Not every disagreement is decided yet, so the lower grade stands for now.")
    return agreement.settle({one.pair: Decision(min(one[1:3]), "the lower grade, for now") for one in differ})


def print_differences(agreement: Agreement) -> None:
    """Print the pairs on which two annotators differ, with both grades and what each noted."""
    texts = {pair.id: pair for pair in pairs()}
    for one in agreement.disagreements:
        pair = texts[one.pair]
        print(pair.question)
        print(fill(f"{pair.title}: {pair.text}", 78))
        for name, grade, note in zip(agreement.names, one[1:3], one[3:5], strict=True):
            print(fill(f"- {name}: {grade}. {note}", 78, subsequent_indent="  "))
        print()
