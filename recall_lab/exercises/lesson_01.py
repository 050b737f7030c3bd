"""Exercises of lesson 01, Build a golden dataset."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from typing import Any

from recall_lab.exercises import twenty
from recall_lab.exercises.kappa import CHANCE, OBSERVED, Labelled
from recall_lab.exercises.kinds import (
    AdjudicationExercise,
    AgreementExercise,
    AgreementFunction,
    ChoiceExercise,
    DatasetExercise,
    Item,
    LabellingExercise,
    LabelsExercise,
    Option,
    WrittenExercise,
)
from recall_lab.exercises.own import own_folder
from recall_lab.golden import GoldenDataset
from recall_lab.labelling import Agreement, Decision, LabelLog, as_judgments, cohen_kappa

TITLE = "Build a golden dataset"

PREDICTIONS = {
    "01.predict_agreement": "on how many pairs you will agree",
    "01.predict_padding": "what easy pairs do to kappa",
}

READING_ORDER = (
    "01.rubric",
    "01.label_twenty",
    "count the agreement",
    "01.observed",
    "what chance would do",
    "01.by_chance",
    "cohen's kappa",
    "01.kappa_by_hand",
    "when kappa is undefined",
    "01.cohen_kappa",
    "01.what_kappa_tells",
    "01.adjudicate",
    "01.golden_dataset",
    "01.nothing_relevant",
)

CHOICES: dict[str, tuple[str, ...] | range] = {
    "01.predict_agreement": range(21),
    "01.predict_padding": ("rises", "stays", "falls"),
}

LESSON_TABLE = Labelled.of_counts(both_yes=6, both_no=10, yes_no=1, no_yes=3)


def draw_table(rng: random.Random, harder: bool) -> Labelled:
    """Two annotators who agree on most of their pairs, and differ in how often they say yes."""
    largest = 40 if harder else 12
    return Labelled.of_counts(
        rng.randint(3, largest), rng.randint(3, largest), rng.randint(0, 4), rng.randint(2, 9)
    )


class Rubric(WrittenExercise):
    id = "01.rubric"
    title = "A rubric of your own"
    question = (
        "Write a rubric for the grades 2, 1 and 0: when does a passage answer a question? Somebody who has "
        "never spoken to you should give the grades that you would give."
    )
    rubric = (
        "it says what earns the full grade in words that somebody else can apply",
        "it says what a passage gets that holds only a part of the answer",
        "it says what an outdated answer gets, such as a price of another year",
        "it says that the passage is judged alone, by what it says and not by what one knows or guesses",
    )
    blank = "Nothing written yet. Put your rubric in place of the dots and run the cell again."
    too_short = "That is a beginning. Could a stranger grade with it? A sentence or two more."
    restate = "Imagine the pair on which two sensible people would quarrel. What would your rubric tell them?"
    locate = "Think of a passage that helps but does not answer, and of one that was right some years ago."
    afterwards = "Keep it beside you while you label."

    def worked(self, data: None) -> str:
        return f"a good rubric does this: {self.rubric[0]}"


class LabelTwenty(LabelsExercise):
    id = "01.label_twenty"
    title = "Twenty pairs at the desk"
    question = "Label every pair at the desk, then hand over desk.labels."
    restate = "Go back to the desk and give every pair a grade: press a digit key, or click a grade."
    locate = "The desk says how many pairs are labelled, and which pair comes next."
    afterwards = "Nobody tells you whether they are right. Another reader of the same pairs comes next."

    def pairs(self) -> Collection[Any]:
        return [pair.id for pair in twenty.pairs()]

    def twin(self) -> str:
        return (
            "There is no example with an answer here, since the grades are yours. When a pair will not "
            "decide itself, ask: would you send this passage, alone, to the person who asked?"
        )

    def revealed(self, cell: str) -> tuple[str, str]:
        """How to hand the labels over. The grades of the worked copy would end the blind labelling."""
        return (
            "How it is done; the grades stay hidden, as you label blind. Click into the desk, press 0, 1 or "
            "2 for each passage, and when the desk says that every pair is labelled, run this:",
            cell[cell.rindex("my_labels = ") :],
        )

    def given(self) -> dict[str, Any]:
        from recall_lab.widgets import LabellingDesk

        return {"desk": LabellingDesk(twenty.pairs(), annotator="me", folder=own_folder())}


class Observed(AgreementExercise):
    id = "01.observed"
    title = "The share they agree on"
    recipe = OBSERVED
    ask = "On which share of the {n} pairs do the two agree?"
    mistakes = ("agreement_in_yes", "disagreement_share", "agreement_not_divided")
    restate = "In which boxes of the table do the two say the same?"
    locate = "Two boxes lie on the diagonal from the upper left to the lower right. Out of how many pairs?"
    afterwards = "It is called raw agreement."

    def lesson(self) -> Labelled:  # type: ignore[override]
        return LESSON_TABLE

    def draw(self, rng: random.Random, harder: bool) -> Labelled:  # type: ignore[override]
        return draw_table(rng, harder)


class ByChance(AgreementExercise):
    id = "01.by_chance"
    title = "What chance would reach"
    recipe = CHANCE
    ask = "On which share would they agree by chance, each with their own share of yes and no?"
    mistakes = (
        "chance_in_yes",
        "chance_of_dice",
        "chance_of_one_habit",
        "chance_divided_once",
        "boxes_multiplied",
        "boxes_by_columns",
        "chance_to_differ",
        "observed_for_chance",
    )
    restate = "How often would both say yes by chance, and how often both no?"
    locate = "Add up the rows and the columns first: how often does each of them say yes?"
    afterwards = "So much comes for nothing."

    def lesson(self) -> Labelled:  # type: ignore[override]
        return LESSON_TABLE

    def draw(self, rng: random.Random, harder: bool) -> Labelled:  # type: ignore[override]
        return draw_table(rng, harder)


class KappaByHand(AgreementExercise):
    id = "01.kappa_by_hand"
    title = "Kappa by hand"
    ask = "What is Cohen's kappa?"
    mistakes = (
        "raw_agreement",
        "kappa_not_divided",
        "kappa_over_chance",
        "kappa_brackets_missing",
        "kappa_top_brackets_missing",
        "chance_in_yes",
        "chance_of_dice",
        "chance_of_one_habit",
    )
    restate = "How far did they get beyond chance, as a share of how far they could have got?"
    locate = (
        "The top of the fraction is what they did beyond chance. The bottom is the room that chance leaves."
    )
    afterwards = "That is how far they came on the way from chance to full agreement."

    def lesson(self) -> Labelled:  # type: ignore[override]
        return LESSON_TABLE

    def draw(self, rng: random.Random, harder: bool) -> Labelled:  # type: ignore[override]
        return draw_table(rng, harder)


_FRAME = """\
def my_kappa(first, second):
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second)) / n
    chance = 0
    for label in set(first):
        chance += ___
    if ___:
        return None
    return ___"""


class CohenKappa(AgreementFunction):
    id = "01.cohen_kappa"
    title = "Write cohen_kappa"
    function = "cohen_kappa"
    task = (
        "first and second are lists with the labels of two annotators for the same things, in the "
        "same order. It "
        "returns Cohen's kappa, or None where chance alone always agrees."
    )
    mistakes = (
        "raw_agreement",
        "agreement_in_yes",
        "kappa_not_divided",
        "kappa_over_chance",
        "kappa_brackets_missing",
        "kappa_top_brackets_missing",
        "chance_in_yes",
        "chance_in_two_labels",
        "chance_of_yes_and_no",
        "grades_added_up",
        "chance_of_dice",
        "chance_of_one_habit",
        "labels_counted_often",
        "undefined_kappa_as_one",
        "undefined_kappa_as_zero",
    )
    restate = "Two shares first: that of equal labels, and that of chance. Then one fraction of the two."
    locate = (
        "zip(first, second) walks through two lists together. For chance, go over the different labels, "
        "which are set(first): first.count(label) / n is how often the first gives one of them."
    )
    afterwards = "Labels may be grades, words or yes and no; it only asks whether they are equal."

    def twin(self) -> str:
        """The frame of the function, as the way from the formula to Python is the hard part here."""
        return f"The frame of it, with three blanks to fill:\n{_FRAME}"

    def trials(self, rng: random.Random) -> tuple[Any, ...]:
        def drawn(n: int, labels: tuple[int, ...], slips: int) -> Labelled:
            first = [*labels, *(rng.choice(labels) for _ in range(n - len(labels)))]
            second = list(first)
            for place in rng.sample(range(n), slips):
                second[place] = rng.choice(labels)
            return Labelled(tuple(first), tuple(second))

        return (
            Labelled((1, 0), (1, 0)),
            Labelled((1, 0), (0, 1)),
            Labelled((1, 1, 0, 0), (1, 0, 0, 0)),
            LESSON_TABLE,
            drawn(12, (0, 1), 5),
            drawn(15, (0, 1, 2), 7),
            Labelled((1, 1, 1), (1, 1, 1)),
            Labelled((0, 0), (0, 0)),
            drawn(40, (0, 0, 0, 1, 2), 20),
        )

    def ours(self) -> Callable[..., Any]:
        return cohen_kappa


_OTHER_PEOPLE = "Would somebody with the same habits and the same blind spots not agree just as well?"
_OTHER_PAIRS = "What would the number be on other pairs, easier or harder ones?"
_TELLS, _TELLS_NOT = "tells", "cannot tell"


class WhatKappaTells(LabellingExercise):
    id = "01.what_kappa_tells"
    title = "What kappa can tell"
    question = (
        "Two annotators read the same 400 pairs and reach a kappa of .97. Which of these does the "
        "number tell, and "
        "which can it not tell?"
    )
    labels = (_TELLS, _TELLS_NOT)
    items = (
        Item(
            "same grades",
            "these two graded these pairs in nearly the same way",
            (_TELLS,),
            "What is compared when kappa is computed?",
        ),
        Item("right labels", "the labels are right", (_TELLS_NOT,), _OTHER_PEOPLE),
        Item(
            "above dice", "they agreed far beyond loaded dice", (_TELLS,), "What does kappa take away first?"
        ),
        Item("hard pairs", "they would agree as well on harder pairs", (_TELLS_NOT,), _OTHER_PAIRS),
        Item("two minds", "two independent people would agree like that", (_TELLS_NOT,), _OTHER_PEOPLE),
        Item(
            "enough questions",
            "the data set has enough questions to compare searches",
            (_TELLS_NOT,),
            "How many questions do the pairs come from, and does that enter kappa?",
        ),
    )
    restate = "Kappa compares two lists of labels. What can such a comparison know?"
    locate = "Ask of each: could it be false, and kappa still be as high?"
    afterwards = "Agreement is not truth; it is where the argument about truth can begin."


class Adjudicate(AdjudicationExercise):
    id = "01.adjudicate"
    title = "Settle the disagreements"
    question = (
        "For every pair on which you and the second annotator differ, decide on a final grade and "
        "give the reason."
    )
    grades = twenty.GRADES
    restate = "Read both reasons and the rubric again, then decide as somebody who is neither of you."
    locate = "The cell above prints the pairs in question as lines that you can copy and fill in."
    afterwards = "The first labels stay as they were; the decisions stand beside them."

    def lesson(self) -> Agreement:
        return Agreement(twenty.annotator("a"), twenty.annotator("b"))

    def twin(self) -> str:
        return (
            "An example from elsewhere. One said that the opening hours of last winter answer a "
            "question about "
            "today, one said that they only help. Settled: they only help, because the hours have "
            "changed since."
        )

    def revealed(self, cell: str) -> tuple[str, str]:
        """Decisions about the learner's own disagreements; those of the worked copy are on other pairs."""
        agreement = Agreement(twenty.labelled_or_annotator_a(), twenty.annotator("b"))
        lines = [f"    {one.pair}: ({one.second}, {one.second_note!r})," for one in agreement.disagreements]
        decisions = "\n".join(["decisions = {", *lines, "}"]) if lines else "decisions = {}"
        return (
            "Your own disagreements, each decided as the second annotator has it, for the reason given "
            "there. Where you have a better reason, decide the other way and write yours.",
            f"{decisions}\n\n{cell[cell.rindex('check(') :]}",
        )

    def given(self) -> dict[str, Any]:
        me = LabelLog(twenty.pairs(), own_folder(), annotator="me")
        return {"agreement": Agreement(me, twenty.annotator("b")), "Decision": Decision}


class Golden(DatasetExercise):
    id = "01.golden_dataset"
    title = "Your golden dataset"
    question = (
        "Make a GoldenDataset of the passages, your questions and the final grades, with the grade "
        "from which a "
        "passage is relevant, and save it in own_folder()."
    )
    restate = "Three things make a golden dataset: passages, questions, judgments. And one threshold."
    locate = (
        "GoldenDataset takes them in that order, with min_grade= at the end. Saving is a line of its own: "
        "my_golden.save(own_folder())."
    )
    afterwards = "From now on the lessons measure with it, beside ours."

    def pairs(self) -> Collection[Any]:
        return [pair.id for pair in twenty.pairs()]

    def twin(self) -> str:
        return (
            'A small one: tools = GoldenDataset({"d1": "A drill."}, {"q1": "Which tool drills?"}, '
            '{"q1": {"d1": 1}}, min_grade=1), and on the next line tools.save("tools").'
        )

    def labelled(self) -> dict[Any, int]:
        return twenty.labelled().grades

    def other(self) -> dict[Any, int]:
        return twenty.annotator("b").grades

    def given(self) -> dict[str, Any]:
        golden = GoldenDataset.load(twenty.DATASET)
        grades = twenty.annotator("b").grades
        return {
            "golden": golden,
            "my_questions": {pair.query_id: pair.question for pair in twenty.pairs()},
            "my_judgments": as_judgments(grades),
            "own_folder": own_folder,
        }


class NothingRelevant(ChoiceExercise):
    id = "01.nothing_relevant"
    title = "Checkpoint: R = 0"
    question = (
        "In a golden dataset one question has no relevant passage at all: R = 0. A colleague calls "
        "that a mistake "
        "in the data and wants to delete the question. Is it a mistake?"
    )
    options = (
        Option(
            "yes, every question needs an answer",
            "Whose fault would it be that the library lends no such thing?",
            "thought_a_labelling_error",
        ),
        Option("no, if somebody has looked for an answer"),
        Option(
            "no, and it counts as a recall of zero",
            "Zero would say that the search missed something. What was there to miss?",
            "counted_as_zero",
        ),
    )
    reasons = (
        Option(
            "annotators are too strict at times",
            "That may be, and then a stricter reader gave the grade. What if nobody could have found "
            "an answer?",
            "blamed_the_annotators",
        ),
        Option(
            "it says something true about the passages: nothing there answers it",
        ),
        Option(
            "the search would find something if it looked further down",
            "It would find more passages. Would one of them answer?",
            "blamed_the_cutoff",
        ),
    )
    restate = (
        "Who decides whether an answer exists: the annotator, the search, or whoever wrote the passages?"
    )
    locate = "Think of the question about the printer. What would you have to change to give it an answer?"
    another_case = (
        "A cook book has no recipe for bread. That no page answers a question about bread is a fact "
        "about the "
        "book; no reader and no index is to blame."
    )
