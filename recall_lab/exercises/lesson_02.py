"""Exercises of lesson 02, Recall by hand."""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import cache
from typing import Any

from recall_lab.exercises.drawing import draw_one, draw_sheet, one_query
from recall_lab.exercises.kinds import NumberExercise, SheetExercise
from recall_lab.exercises.recipe import CEILING, HIT_RATE, PRECISION, Query, Sheet

TITLE = "Recall by hand"

PREDICTIONS = {
    "02.predict_recall_climbs": "what recall can do as k grows",
    "02.predict_precision": "what precision can do as k grows",
    "02.predict_hit_rate": "hit rate beside recall on the hand sheet",
}

READING_ORDER = (
    "what exists and what was found",
    "recall is a share",
    "the cutoff k",
    "order inside the top k",
    "02.recall_by_hand",
    "02.recall_deeper",
    "precision beside recall",
    "02.precision_by_hand",
    "02.sheet_per_query",
    "a question with nothing to find",
    "the mean over questions",
    "02.sheet_mean",
    "which questions count",
    "hit rate is not recall",
    "02.sheet_hit_rate",
    "the ceiling",
    "02.sheet_ceiling",
    "02.real_question",
    "02.three_of_four",
    "02.three_of_four_precision",
)

CHOICES = {
    "02.predict_recall_climbs": ("a", "b", "c"),
    "02.predict_precision": ("a", "b", "c"),
    "02.predict_hit_rate": ("lower", "equal", "higher"),
}

DATASET = "library_of_things"
REAL_QUESTION = "q047"

HAND_SHEET = Sheet(
    (
        Query.from_ranks("q1", 4, (2, 5, 9)),
        Query.from_ranks("q2", 4, (1, 3, 4, 8)),
        Query.from_ranks("q3", 20, range(1, 21)),
        Query.from_ranks("q4", 0, ()),
        Query.from_ranks("q5", 1, (12,)),
    ),
    k=5,
)


class RecallByHand(NumberExercise):
    id = "02.recall_by_hand"
    title = "Recall at five"
    ask = "What is recall@{k}?"
    mistakes = (
        "divided_by_k",
        "divided_by_found",
        "no_cut",
        "hit_or_miss",
        "cut_one_early",
        "cut_one_late",
        "weighted_by_rank",
        "not_divided",
        "turned_over",
    )
    restate = (
        "Of all relevant passages that exist for this question, which share is among the first {k} results?"
    )
    locate = (
        "Draw a line below rank {k}. Count what stands above it, then look for the number of passages "
        "that exist."
    )
    afterwards = "Where the hits stand inside the top k made no difference."

    def lesson(self) -> Sheet:
        return one_query(relevant=4, ranks=(2, 5, 9), k=5)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return draw_one(rng, harder)


class RecallDeeper(NumberExercise):
    id = "02.recall_deeper"
    title = "The same list, deeper"
    ask = "What is recall@{k}? Nothing else that is relevant stands in the list."
    mistakes = (
        "divided_by_k",
        "divided_by_found",
        "not_divided",
        "missed_share",
        "stopped_at_five",
        "turned_over",
    )
    restate = "Reading down to rank {k}, which share of the passages that exist have you met?"
    locate = "One relevant passage is not in the list. Does it stop existing?"
    afterwards = "Reading further down cannot find what the list does not hold."

    def lesson(self) -> Sheet:
        return one_query(relevant=4, ranks=(2, 5, 9), k=100, depth=100)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        k = rng.choice([50, 100, 200])
        ranks = sorted(rng.sample(range(1, k // 2), rng.randint(2, 9 if harder else 5)))
        return one_query(len(ranks) + rng.randint(1, 3), ranks, k, depth=k)


class PrecisionByHand(NumberExercise):
    id = "02.precision_by_hand"
    title = "Precision at five"
    recipe = PRECISION
    ask = "What is precision@{k}?"
    mistakes = (
        "recall_instead",
        "precision_of_the_found",
        "no_cut",
        "any_hit_only",
        "cut_one_early",
        "precision_not_divided",
        "precision_turned_over",
    )
    restate = "Of the first {k} results, which share is relevant?"
    locate = (
        "The hits are the same as for recall. Only what you divide by changes: precision looks at the list "
        "and not at what exists. How many results has the top k?"
    )
    afterwards = "The hits are those of recall; only the denominator differs."

    def lesson(self) -> Sheet:
        return one_query(relevant=4, ranks=(2, 5, 9), k=5)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return draw_one(rng, harder)


class SheetPerQuery(SheetExercise):
    id = "02.sheet_per_query"
    title = "The hand sheet, question by question"
    ask = "What is recall@{k} of each question?"
    mistakes = (
        "divided_by_k",
        "divided_by_reachable",
        "divided_by_found",
        "hit_or_miss",
        "no_cut",
        "nothing_relevant_as_zero",
        "nothing_relevant_as_one",
        "not_divided",
    )
    restate = "For each question: of the R passages that exist, which share stands in the first {k} ranks?"
    locate = (
        "Cross out every rank beyond {k}. Divide what is left in a line by the R of that line, and think "
        "about R = 0."
    )
    afterwards = "A question with nothing to find has no recall at all, and saying so is an answer."

    def lesson(self) -> Sheet:
        return HAND_SHEET

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return draw_sheet(rng, harder)


class SheetMean(NumberExercise):
    id = "02.sheet_mean"
    title = "The mean of the hand sheet"
    ask = "What is the mean recall@{k} of these questions (macro: each question counts the same)?"
    mistakes = (
        "divided_by_k",
        "divided_by_reachable",
        "hit_or_miss",
        "nothing_relevant_as_zero",
        "nothing_relevant_as_one",
        "micro",
        "only_questions_with_a_hit",
        "no_cut",
        "summed_not_averaged",
    )
    restate = "Each question that has a recall@{k} gets one vote. What is the average vote?"
    locate = (
        "Write down the recall of each question first. Then ask of each line whether it takes part at all."
    )
    afterwards = "Say it with its company: k, how many questions took part, and which were left out."

    def lesson(self) -> Sheet:
        return HAND_SHEET

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return draw_sheet(rng, harder)


class SheetHitRate(NumberExercise):
    id = "02.sheet_hit_rate"
    title = "The hit rate of the hand sheet"
    recipe = HIT_RATE
    ask = "What is the hit rate at {k} of these questions?"
    mistakes = (
        "recall_for_hit_rate",
        "nothing_relevant_as_zero",
        "nothing_relevant_as_one",
        "no_cut",
        "all_for_hit_rate",
        "summed_not_averaged",
    )
    restate = "Which share of the questions has at least one relevant passage in the first {k} ranks?"
    locate = "Put a tick or a cross behind each question. Which question can earn neither?"
    afterwards = "Hit rate is the easier test: it is never below the mean recall."

    def lesson(self) -> Sheet:
        return HAND_SHEET

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return draw_sheet(rng, harder)


class SheetCeiling(NumberExercise):
    id = "02.sheet_ceiling"
    title = "The ceiling of the hand sheet"
    recipe = CEILING
    ask = "What is the highest mean recall@{k} that any search could reach on these questions?"
    mistakes = (
        "ceiling_always_one",
        "ceiling_over_k",
        "ceiling_of_the_found",
        "ceiling_not_capped",
        "ceiling_needs_a_hit",
        "recall_for_ceiling",
        "nothing_relevant_as_zero",
        "nothing_relevant_as_one",
        "micro",
    )
    restate = (
        "Suppose a perfect search filled the first {k} ranks of each question. What would the mean recall be?"
    )
    locate = "Forget the ranks found. For each question ask how many of its passages fit into {k} places."
    afterwards = "A score is read beside this number, not beside one."

    def lesson(self) -> Sheet:
        return HAND_SHEET

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return draw_sheet(rng, harder)


class RealQuestion(NumberExercise):
    id = "02.real_question"
    title = "A question of the library of things"
    ask = "What is recall@{k} of this search?"
    mistakes = ("divided_by_k", "divided_by_found", "no_cut", "hit_or_miss", "not_divided", "cut_one_early")
    restate = "Of all passages judged relevant for this question, which share is among the first {k} results?"
    locate = (
        "The list shows the hits. How many relevant passages exist stands in the judgments, not in the list."
    )
    afterwards = "That is all there is to measuring: a list, judgments, and a division."

    def prompt(self, data: Sheet) -> str:
        golden, _ = _library()
        query = data.queries[0]
        facts = super().prompt(data).replace("A question has", "It has", 1)
        return f"The question is “{golden.questions[query.name]}” {facts}"

    def lesson(self) -> Sheet:
        return _searched(REAL_QUESTION)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        golden, _ = _library()
        return _searched(
            rng.choice([q for q in golden.questions if len(golden.relevant(q)) > 1]), k=8 if harder else 5
        )

    def given(self) -> dict[str, Any]:
        golden, _ = _library()
        query = self.lesson().queries[0]
        return {
            "golden": golden,
            "question_id": REAL_QUESTION,
            "top": list(query.retrieved),
            "relevant": golden.relevant(REAL_QUESTION),
        }


class ThreeOfFour(NumberExercise):
    id = "02.three_of_four"
    title = "Checkpoint: recall"
    ask = "What is recall@{k}?"
    mistakes = (
        "divided_by_k",
        "no_cut",
        "cut_one_early",
        "weighted_by_rank",
        "not_divided",
        "up_to_the_last_hit",
        "turned_over",
    )
    restate = "Of the passages that exist, which share stands in the first {k} ranks?"
    locate = "One of them comes after rank {k}."

    def lesson(self) -> Sheet:
        return one_query(relevant=4, ranks=(1, 3, 4, 8), k=5)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return _all_found(rng, harder)


class ThreeOfFourPrecision(NumberExercise):
    id = "02.three_of_four_precision"
    title = "Checkpoint: precision"
    recipe = PRECISION
    ask = "What is precision@{k}?"
    mistakes = (
        "recall_instead",
        "precision_not_divided",
        "any_hit_only",
        "stopped_at_five",
        "precision_at_five",
        "up_to_the_last_hit",
    )
    restate = "Of the first {k} results, which share is relevant?"
    locate = (
        "By rank {k} every relevant passage is found. Recall cannot rise any more; what about the share "
        "of the list?"
    )
    afterwards = (
        "Recall is complete and precision is not: the list had to be longer than what there was to find."
    )

    def lesson(self) -> Sheet:
        return one_query(relevant=4, ranks=(1, 3, 4, 8), k=10)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        k = rng.randint(8, 20 if harder else 12)
        ranks = sorted(rng.sample(range(1, k + 1), rng.randint(2, k // 2)))
        missing = rng.randint(1, 3)
        return one_query(len(ranks) + missing, ranks, k)


def _all_found(rng: random.Random, harder: bool) -> Sheet:
    k = rng.randint(*((6, 12) if harder else (4, 8)))
    ranks = sorted(
        [*rng.sample(range(1, k + 1), rng.randint(2, k - 1)), *rng.sample(range(k + 1, 2 * k + 1), 1)]
    )
    return one_query(len(ranks), ranks, k)


@cache
def _library() -> tuple[Any, Any]:
    """The dataset and a live keyword search over it."""
    from recall_lab.golden import GoldenDataset
    from recall_lab.retrieval.keyword import KeywordRetriever

    golden = GoldenDataset.load(DATASET)
    return golden, KeywordRetriever(golden.passages)


@cache
def _searched(question_id: str, k: int = 5, depth: int = 10) -> Sheet:
    golden, retriever = _library()
    top: Collection[str] = [
        document for document, _ in retriever.search(golden.questions[question_id], depth=depth)
    ]
    return Sheet((Query(question_id, tuple(top), golden.judgments[question_id]),), k, golden.min_grade)
