"""Exercises of lesson 05, The k-cap trap."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from recall_lab.exercises.kinds import (
    ChoiceExercise,
    FigureExercise,
    FunctionExercise,
    Item,
    LabellingExercise,
    NumberExercise,
    Option,
    WrittenExercise,
)
from recall_lab.exercises.lesson_02 import DATASET, HAND_SHEET
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import CAPPED, CEILING, RECALL, Query, Sheet, readable

TITLE = "The k-cap trap"

PREDICTIONS = {
    "05.predict_report": "whether to believe a reported recall@10 of 95 %",
    "05.predict_mixer": "what questions with many relevant passages do to a perfect search",
}

READING_ORDER = (
    "05.impossible",
    "when k is too small",
    "05.ceiling_one",
    "the ceiling is a recall",
    "the ceiling is about what exists",
    "many questions",
    "05.ceiling_mean",
    "05.achievable_recall_at_k",
    "05.ceiling_curve",
    "a score beside its ceiling",
    "the ratio of the means",
    "05.ratio_of_means",
    "capped recall",
    "05.capped_mean",
    "on real text",
    "05.list_slice",
    "05.where_recall_first",
    "05.good_or_bad",
    "05.defend",
)

CHOICES = {
    "05.predict_report": ("yes", "no"),
    "05.predict_mixer": ("rises", "stays", "falls"),
}


def _with_counts(counts: Sequence[int], k: int) -> Sheet:
    """Questions of which only the number of relevant passages is known."""
    return Sheet(tuple(Query.from_ranks(f"q{i}", R, ()) for i, R in enumerate(counts, 1)), k)


def _counts(sheet: Sheet) -> list[int]:
    return [len(query.relevant(sheet.min_grade)) for query in sheet.queries]


class CeilingExercise(NumberExercise):
    """A ceiling worked out from the numbers of relevant passages alone."""

    recipe = CEILING

    def prompt(self, data: Sheet) -> str:
        counts = _counts(data)
        if len(counts) == 1:
            return f"A question has {counts[0]} relevant passages. {self.ask.format(k=data.k)}"
        lines = [f"{query.name}: R = {R}" for query, R in zip(data.queries, counts, strict=True)]
        return "\n".join([*lines, self.ask.format(k=data.k)])


class Impossible(CeilingExercise):
    id = "05.impossible"
    title = "The impossible report"
    ask = "What is the highest recall@{k} that any search can reach?"
    mistakes = ("ceiling_always_one", "ceiling_upside_down", "ceiling_as_count")
    restate = (
        "A perfect search fills all {k} places with relevant passages. Which share of all of them is that?"
    )
    locate = "Count the places, then count the passages that want one."
    afterwards = "A report above that number has a bug, or measures something else."

    def lesson(self) -> Sheet:
        return _with_counts([100], 10)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        k = rng.choice([5, 8, 10, 20])
        return _with_counts([rng.randint(2 * k, 12 * k)], k)


class CeilingOne(CeilingExercise):
    id = "05.ceiling_one"
    title = "The ceiling of one question"
    ask = "What is the ceiling of its recall@{k}?"
    mistakes = ("ceiling_always_one", "ceiling_upside_down", "ceiling_as_count")
    restate = "How much of what exists fits into the first {k} results?"
    locate = "Take the smaller of k and R. Then remember what recall divides by."
    afterwards = "A recall of that size would be a perfect score here."

    def lesson(self) -> Sheet:
        return _with_counts([20], 10)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        k = rng.randint(4, 20)
        return _with_counts([rng.randint(k + 1, 5 * k)], k)


class CeilingMean(CeilingExercise):
    id = "05.ceiling_mean"
    title = "The mean ceiling of two questions"
    ask = "What is the mean ceiling of their recall@{k}?"
    mistakes = (
        "ceiling_always_one",
        "ceiling_over_k",
        "ceiling_not_capped",
        "micro",
        "summed_not_averaged",
        "ceiling_of_the_average",
    )
    restate = (
        "A perfect search answers each question as well as {k} places allow. What is the mean of its recalls?"
    )
    locate = "Work out the ceiling of each question by itself. For one of them, k is more than enough."
    afterwards = "No search came into it: a ceiling is about the questions and k."

    def lesson(self) -> Sheet:
        return _with_counts([2, 30], 10)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        k = rng.randint(5, 15)
        small = [rng.randint(1, k - 1) for _ in range(2 if harder else 1)]
        return _with_counts([*small, rng.randint(k + 1, 4 * k)], k)


class AchievableRecall(FunctionExercise):
    id = "05.achievable_recall_at_k"
    title = "Write achievable_recall_at_k"
    function = "achievable_recall_at_k"
    parameters = ("relevant_counts", "k")
    recipe = CEILING
    task = (
        "relevant_counts is a list with the R of each question. It returns the mean ceiling at k of the "
        "questions that "
        "have something to find, or None where none has."
    )
    mistakes = (
        "ceiling_always_one",
        "ceiling_over_k",
        "ceiling_not_capped",
        "ceiling_as_count",
        "nothing_relevant_as_zero",
        "nothing_relevant_as_one",
        "micro",
        "summed_not_averaged",
    )
    restate = "For each R above zero take the smaller of k and R, divide by R, and average."
    locate = "min() does the work. What remains is which questions take part, and what to do when none does."
    afterwards = "Print it beside every recall you report."

    def trials(self, rng: random.Random) -> tuple[Sheet, ...]:
        a, b, c = rng.sample(range(2, 9), 3)
        ordinary = [([1], 1), ([a], a), ([a], 2 * a), ([4 * a], a), ([2, 30], 10), ([a, 3 * b, c], b)]
        special = [([0], 3), ([], 3), ([a, 0], 2 * a), ([0, 5 * c, 0, 1], c), ([4, 4, 20, 0, 1], 5)]
        drawn = [rng.choice([0, 1, 1, 2, 3, 5, 8, 21]) for _ in range(12)]
        return tuple(_with_counts(counts, k) for counts, k in [*ordinary, *special, (drawn, 4)])

    def arguments(self, sheet: Sheet) -> tuple[Any, ...]:
        return _counts(sheet), sheet.k

    def ours(self) -> Callable[..., Any]:
        from recall_lab.measures import achievable_recall_at_k

        return achievable_recall_at_k


class CeilingCurve(FigureExercise):
    id = "05.ceiling_curve"
    title = "Draw the ceiling"
    recipe = CEILING
    ask = "Draw the mean ceiling of these questions for every k from one to {k}. Name both axes."
    mistakes = (
        "ceiling_always_one",
        "ceiling_over_k",
        "nothing_relevant_as_zero",
        "nothing_relevant_as_one",
        "micro",
        "recall_for_ceiling",
    )
    restate = "At each k, how high would a perfect search score on average?"
    locate = "A loop over k from one to {k} collects the heights. Which questions take part in each mean?"
    afterwards = "Where it reaches one, k is large enough for every question."

    def lesson(self) -> Sheet:
        return Sheet(HAND_SHEET.queries, 20)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        large = rng.randint(12, 30)
        shapes = [
            (large, rng.randint(1, 9)),
            (0, 0),
            (1, 1),
            *((rng.randint(2, 9), 1) for _ in range(4 if harder else 2)),
        ]
        rng.shuffle(shapes)
        queries = [
            Query.from_ranks(f"q{i}", R, range(2, 2 + found)) for i, (R, found) in enumerate(shapes, 1)
        ]
        return Sheet(tuple(queries), large)

    def given(self) -> dict[str, Any]:
        return {"relevant_counts": _counts(self.lesson())}


class CappedMean(NumberExercise):
    id = "05.capped_mean"
    title = "The mean of the ratios"
    recipe = CAPPED
    ask = "Divide the hits of each question by the smaller of k and R. What is the mean at k = {k}?"
    mistakes = (
        "ratio_of_means",
        "plain_recall",
        "capped_over_k",
        "ceiling_instead",
        "any_hit_only",
        "micro",
    )
    restate = (
        "Each question's recall@{k} beside its own ceiling makes a ratio. What is the mean of these ratios?"
    )
    locate = "Work out one ratio for each question before you average anything."
    afterwards = "That is capped recall: another measure than recall, and to be reported under its own name."

    def lesson(self) -> Sheet:
        return _TWO_QUESTIONS

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return _two_questions(rng, harder)


class RatioOfMeans(NumberExercise):
    id = "05.ratio_of_means"
    title = "The ratio of the means"
    recipe = CATALOGUE["ratio_of_means"].wrong(RECALL)
    ask = "Divide the mean recall@{k} by the mean ceiling. What comes out?"
    mistakes = ("mean_of_ratios", "plain_recall", "ceiling_instead")
    restate = (
        "One number for the search, one for the best possible search. What is the first as a share of "
        "the second?"
    )
    locate = "Two means first, one division last."
    afterwards = "It differs from the mean of the ratios, so a report has to say which of the two it prints."

    def worked(self, data: Sheet) -> str:
        recall, ceiling = RECALL.working(data), CEILING.working(data)
        ratio = readable(self.right(data))
        return f"the mean recall is {recall}, the mean ceiling {ceiling}, and their ratio {ratio}"

    def lesson(self) -> Sheet:
        return _TWO_QUESTIONS

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return _two_questions(rng, harder)


_TWO_QUESTIONS = Sheet(
    (Query.from_ranks("q1", 2, (3,)), Query.from_ranks("q2", 30, (1, 2, 3, 4, 5, 6, 8, 9, 10))), k=10
)


def _two_questions(rng: random.Random, harder: bool) -> Sheet:
    k = rng.randint(5, 12)
    shapes = [(rng.randint(2, k - 1), 1), (rng.randint(k + 1, 4 * k), rng.randint(2, k - 1))]
    if harder:
        shapes.append((rng.randint(3, k), 2))
    queries = [
        Query.from_ranks(f"q{i}", R, sorted(rng.sample(range(1, k + 1), hits)))
        for i, (R, hits) in enumerate(shapes, 1)
    ]
    return Sheet(tuple(queries), k)


class ListSlice(CeilingExercise):
    id = "05.list_slice"
    title = "The ceiling of real list questions"
    ask = "What is the mean ceiling of their recall@{k}?"
    mistakes = (
        "ceiling_always_one",
        "ceiling_over_k",
        "ceiling_not_capped",
        "micro",
        "summed_not_averaged",
        "ceiling_of_the_average",
        "ceiling_at_five",
        "ceiling_of_the_hand_sheet",
    )
    restate = (
        "The questions of the list slice ask for all of something. How well could a perfect search do "
        "with {k} places?"
    )
    locate = "Let Python do it: one ceiling for each R, then the mean."
    afterwards = "On this slice, a recall is read beside that number."

    def lesson(self) -> Sheet:
        return _with_counts(list(_list_counts().values()), 10)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        counts = sorted(_list_counts().values())
        few = rng.sample(counts, min(len(counts), 8 if harder else 5))
        return _with_counts(few, rng.randint(3, 9))

    def given(self) -> dict[str, Any]:
        from recall_lab.golden import GoldenDataset

        counts = _list_counts()
        return {
            "golden": GoldenDataset.load(DATASET),
            "list_ids": list(counts),
            "list_counts": list(counts.values()),
            "relevant_counts": list(counts.values()),
        }


@cache
def _list_counts() -> dict[str, int]:
    """R of each question of the slice "list" that has something to find."""
    from recall_lab.golden import GoldenDataset

    golden = GoldenDataset.load(DATASET)
    counts = {q: len(golden.relevant(q)) for q, kind in golden.question_types.items() if kind == "list"}
    return {question: R for question, R in counts.items() if R}


_COST = "What does it cost when one relevant passage is missed, and can the person simply ask again?"


class WhereRecallFirst(LabellingExercise):
    id = "05.where_recall_first"
    title = "Where recall comes first"
    question = "For which of these does recall come first, and where does it matter less so?"
    labels = ("recall first", "less so")
    items = (
        Item("legal discovery", "find every document the court asked for", ("recall first",), _COST),
        Item("drug interactions", "find every reported interaction of two drugs", ("recall first",), _COST),
        Item("prior art", "find any earlier publication of an invention", ("recall first",), _COST),
        Item("web search", "find a page that explains how to descale a kettle", ("less so",), _COST),
        Item(
            "voice assistant",
            "answer aloud what the weather will be",
            ("less so",),
            "How many results can it read out? " + _COST,
        ),
        Item("recommendations", "suggest a film for tonight", ("less so",), _COST),
    )
    restate = "Sort them by what a single missed passage costs."
    locate = "Where somebody has to be sure that nothing was overlooked, recall comes first."
    afterwards = (
        "Where a miss is costly, recall is measured first; where one good answer will do, it has to "
        "share the stage."
    )


class GoodOrBad(ChoiceExercise):
    id = "05.good_or_bad"
    title = "Checkpoint: .62, good or bad?"
    question = "A team reports: mean recall@10 is .62 over 80 questions. Is that good or bad?"
    options = (
        Option("good", "Better than what? Name the number you compared it with.", "judged_good"),
        Option("bad", "Worse than what? Name the number you compared it with.", "judged_bad"),
        Option("cannot be said from this"),
    )
    reasons = (
        Option(
            "recall says little, precision would tell",
            "Precision has its own limits. Stay with recall: what would you have to know about the "
            "questions?",
            "asked_for_precision",
        ),
        Option(
            "nobody says how high a perfect search would score on these questions",
            "Under a ceiling of .71 it is close to the best possible; under one it leaves a lot.",
        ),
        Option(
            "80 questions are too few to say anything",
            "Few questions make the number shaky, and a wide interval is still something. What is "
            "missing even if there were more?",
            "asked_for_more_questions",
        ),
    )
    restate = "Which number would you put beside the .62 before you judge it?"
    locate = "Suppose every question had 20 relevant passages. What could be reached at best?"
    another_case = (
        "Recall@5 is .45 and every question has R = 10. A perfect search reaches 5/10 = .50, so .45 is "
        "nearly all that is possible."
    )


class Defend(WrittenExercise):
    id = "05.defend"
    title = "Answer a colleague"
    question = (
        "A colleague writes: our recall@10 is .62, competitors claim .9, the search is poor. You know "
        "that the mean "
        "ceiling of our questions at 10 is .71. Answer in two or three sentences."
    )
    rubric = (
        "it puts the score beside its ceiling",
        "it says why the ceiling is below one: some questions have more relevant passages than places",
        "it asks for the ceiling behind the .9 before comparing the two",
        "it keeps recall apart from recall divided by its ceiling, which is another measure",
    )
    restate = "What would have to be the same before the two numbers may be compared?"
    locate = "You know one thing that your colleague does not mention."
    afterwards = "Keep it: you will need it again."
