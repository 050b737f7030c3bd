"""Exercises of lesson 06, Macro, micro, hit rate."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from recall_lab.errors import RecallLabError
from recall_lab.exercises import fixture, suspects
from recall_lab.exercises.answers import Unreadable, read_items, read_number
from recall_lab.exercises.drawing import cases_of_many, draw_sheet
from recall_lab.exercises.kinds import (
    BugHunt,
    FunctionExercise,
    Item,
    LabellingExercise,
    Miss,
    NumberExercise,
    WrittenExercise,
)
from recall_lab.exercises.kinds.number import apart
from recall_lab.exercises.lesson_02 import HAND_SHEET
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import HIT_RATE, RECALL, Query, Sheet, readable

TITLE = "Macro, micro, hit rate"

PREDICTIONS = {
    "06.predict_crossing": "where micro first passes macro on the hand sheet",
    "06.predict_why": "what carries micro past macro",
    "06.predict_hit_rate": "whether micro recall can pass the hit rate",
    "06.predict_resize": "by which average a growing question changes the winner",
    "06.predict_few": "how many questions decide who wins by micro",
}

READING_ORDER = (
    "06.macro_by_hand",
    "macro and micro",
    "06.micro_by_hand",
    "06.sheet_micro",
    "06.micro_recall_at_k",
    "06.hit_rate_of_ten",
    "06.whose_recall",
    "06.defend",
    "06.bug_label",
)

CHOICES: dict[str, tuple[str, ...] | range] = {
    "06.predict_crossing": range(6, 21),
    "06.predict_why": ("a", "b", "c"),
    "06.predict_hit_rate": ("yes", "no"),
    "06.predict_resize": ("macro", "micro", "both", "neither"),
    "06.predict_few": range(105),
}

MICRO = CATALOGUE["micro"].wrong(RECALL)  # a mistake where macro is asked for, and the right way here

_TWO_QUESTIONS = Sheet((Query.from_ranks("q1", 2, (1, 4)), Query.from_ranks("q2", 30, (2, 3, 8))), k=10)


def _two_questions(rng: random.Random, harder: bool) -> Sheet:
    """A small question answered well and a large one answered badly; a third where it is harder."""
    k = rng.choice([8, 10, 12])
    small = rng.randint(2, 5)
    shapes = [(small, rng.randint(small - 1, small)), (rng.randint(2 * k, 4 * k), rng.randint(2, k - 3))]
    if harder:
        shapes.append((rng.randint(3, k), 1))
    queries = [
        Query.from_ranks(f"q{i}", R, sorted(rng.sample(range(1, k + 1), hits)))
        for i, (R, hits) in enumerate(shapes, 1)
    ]
    return Sheet(tuple(queries), k)


def _pooled(sheet: Sheet) -> str:
    """A micro mean written out, as one would on paper."""
    rows = MICRO.scored(sheet)
    found, existing = (
        " + ".join(str(part) for part in parts)
        for parts in zip(*((r.top, r.bottom) for r in rows), strict=True)
    )
    return f"({found}) of ({existing}), so {readable(MICRO.value(sheet))}"


class MacroByHand(NumberExercise):
    id = "06.macro_by_hand"
    title = "The macro mean of two questions"
    ask = "What is the macro mean of their recall@{k}?"
    mistakes = ("micro", "hit_or_miss", "divided_by_k", "divided_by_reachable", "summed_not_averaged")
    restate = "Each question has a recall@{k}. What is the average of these recalls?"
    locate = "Work out one recall for each question, add them up, and divide by how many questions there are."
    afterwards = "The small question counts as much as the large one."

    def lesson(self) -> Sheet:
        return _TWO_QUESTIONS

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return _two_questions(rng, harder)


class MicroByHand(NumberExercise):
    id = "06.micro_by_hand"
    title = "The micro mean of two questions"
    recipe = MICRO
    ask = "What is the micro mean of their recall@{k}?"
    mistakes = (
        "macro_for_micro",
        "hit_or_miss",
        "divided_by_k",
        "divided_by_reachable",
        "recalls_summed_for_micro",
    )
    restate = "Count over all questions together: which share of what is to be found was found in a top {k}?"
    locate = "Two sums first: everything that was found, and everything that exists. Then divide, once."
    afterwards = "The large question has nearly all the passages, so it has nearly all the say."

    def worked(self, data: Sheet) -> str:
        return _pooled(data)

    def lesson(self) -> Sheet:
        return _TWO_QUESTIONS

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return _two_questions(rng, harder)


class SheetMicro(NumberExercise):
    id = "06.sheet_micro"
    title = "The micro mean of the hand sheet"
    recipe = MICRO
    ask = "What is the micro mean of recall@{k} of these questions?"
    mistakes = (
        "macro_for_micro",
        "divided_by_k",
        "divided_by_reachable",
        "hit_or_miss",
        "no_cut",
        "cut_one_early",
        "cut_one_late",
        "only_questions_with_a_hit",
        "macro_with_zeros",
        "one_to_find_in_nothing",
    )
    restate = "Of all relevant passages of all these questions, which share stands in the first {k} ranks?"
    locate = "Cross out the ranks beyond {k}, count what is left on the whole sheet, and add up the column R."
    afterwards = "A question with R = 0 adds nothing to either sum, so it leaves by itself."

    def worked(self, data: Sheet) -> str:
        return _pooled(data)

    def lesson(self) -> Sheet:
        return HAND_SHEET

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return draw_sheet(rng, harder)

    def tells_apart(self, data: Sheet) -> bool:
        """Also no mistake gives what one hit too many or too few gives, but for a cut in the wrong place."""
        rows = MICRO.scored(data)
        found, existing = sum(row.top for row in rows), sum(row.bottom for row in rows)
        miscounted = [Fraction(found + slip) / existing for slip in (-1, 1)]
        others = [value for id, value in self.wrong(data).items() if not id.startswith("cut_one")]
        return super().tells_apart(data) and all(
            apart([value, one]) for value in others for one in miscounted
        )


class MicroRecallAtK(FunctionExercise):
    id = "06.micro_recall_at_k"
    title = "Write micro_recall_at_k"
    function = "micro_recall_at_k"
    parameters = ("runs", "k")
    recipe = MICRO
    task = (
        "runs is a list with a pair (retrieved_ids, relevant_ids) for each question: a list by rank, in "
        "which an id may come twice, and a set. Two questions may want the same passage. It returns the "
        "micro mean of the recall at k, or None where no question has anything to find."
    )
    mistakes = (
        "macro_for_micro",
        "divided_by_k",
        "divided_by_reachable",
        "hit_or_miss",
        "cut_one_early",
        "cut_one_late",
        "first_result_skipped",
        "no_cut",
        "repeats_counted",
        "repeats_removed_first",
        "divided_by_found",
        "only_questions_with_a_hit",
        "empty_lists_dropped",
        "no_passage_as_zero",
        "thrown_together",
        "wanted_twice_counted_once",
        "found_twice_counted_once",
        "first_question_only",
        "last_question_only",
        "cut_off_to_whole_numbers",
    )
    restate = (
        "Add up what was found in every top k, add up what exists, and divide the first sum by the second."
    )
    locate = (
        "Two sums that start at zero, a loop that feeds them, one division after the loop. And if the second "
        "sum is still zero?"
    )
    afterwards = "It needs no special case for a question with nothing to find: that adds zero to both sums."

    def trials(self, rng: random.Random) -> tuple[Sheet, ...]:
        return (*cases_of_many(rng), fixture.SHEET)

    def arguments(self, sheet: Sheet) -> tuple[Any, ...]:
        return fixture.runs(sheet), sheet.k

    def worked(self, data: tuple[Sheet, ...]) -> str:
        sheet = next(s for s in data if len(s.queries) > 1 and self.recipe.value(s) not in (None, 0, 1))
        return f"{self._call(self.arguments(sheet))} is {_pooled(sheet)}"

    def ours(self) -> Callable[..., Any]:
        from recall_lab.measures import micro_recall_at_k

        return micro_recall_at_k


TEN_RANKS = (1, 3, 12, 2, None, 5, 17, 1, 48, 4)  # where the only answer of each of ten questions stands


def _single_answers(ranks: Sequence[int | None], k: int) -> Sheet:
    queries = [
        Query.from_ranks(f"q{i}", 1, () if rank is None else (rank,)) for i, rank in enumerate(ranks, 1)
    ]
    return Sheet(tuple(queries), k)


class HitRateOfTen(NumberExercise):
    id = "06.hit_rate_of_ten"
    title = "The hit rate of ten questions"
    recipe = HIT_RATE
    ask = "What is the hit rate at {k} of these questions?"
    mistakes = (
        "cut_one_early",
        "cut_one_late",
        "no_cut",
        "only_questions_with_a_hit",
        "never_found_left_out",
        "missed_for_hit_rate",
        "weighted_by_rank",
        "summed_not_averaged",
    )
    restate = "Which share of the questions has its answer in the first {k} ranks?"
    locate = "A tick for each rank that is at most {k}. A question without any rank is still a question."
    afterwards = "Here a hit is everything there is to find, and the next cell makes something of that."

    def lesson(self) -> Sheet:
        return _single_answers(TEN_RANKS, 12)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        k = rng.randint(5, 15)
        others = [rng.randint(1, 3 * k) for _ in range(9 if harder else 6)]
        ranks = [None, k, k + 1, *others]
        rng.shuffle(ranks)
        return _single_answers(ranks, k)


_WHO = (
    "Who counts there: each person who asks, each passage there is, or each person who gets something at all?"
)


class WhoseRecall(LabellingExercise):
    id = "06.whose_recall"
    title = "Checkpoint: whose recall is it?"
    question = "Which average speaks for whom?"
    labels = ("macro", "micro", "hit rate")
    items = (
        Item(
            "next member",
            "how much of the answer may the next member expect, whatever they ask?",
            ("macro",),
            _WHO,
        ),
        Item(
            "faulty drills",
            "a maker calls back its drills: which share of all passages about them did our searches find?",
            ("micro",),
            _WHO,
        ),
        Item(
            "blank page",
            "for which share of the members was the first page not a complete waste?",
            ("hit rate",),
            _WHO,
        ),
        Item(
            "court",
            "forty cases, one order: which share of all letters that exist was handed over?",
            ("micro",),
            _WHO,
        ),
        Item(
            "rare questions",
            "a narrow question is to matter as much as a broad one, and half an answer is to count half",
            ("macro",),
            _WHO,
        ),
        Item(
            "descale",
            "any one page that tells how to descale a kettle will do; how often do people get one?",
            ("hit rate",),
            _WHO,
        ),
    )
    restate = (
        "Ask of each line what gets one vote: a question, a passage, or a question with at least one hit."
    )
    locate = (
        "Look for what is counted in the sentence: the people who ask, the pieces of evidence, or those who "
        "do not leave empty-handed."
    )
    afterwards = "An average is chosen by its person, and then it is named."


class Defend(WrittenExercise):
    id = "06.defend"
    title = "Choose an average and defend it"
    question = (
        "Fennick pays for one of the two searches. Which one do you recommend, by which average, and what do "
        "you say about the other average? Answer in a few sentences."
    )
    rubric = (
        "it names the average that decides, with its k and the number of questions",
        "it says whose recall that is, and why this person decides at Fennick's counter",
        "it gives the other average as well, and says that it would choose the other search",
        "it says which questions make the difference: few and large",
    )
    restate = "Who stands at the counter, and what is a question with many answers worth to them?"
    locate = "You have a table with three averages of two searches. Nobody forbids you to show all of it."
    afterwards = "Whoever chooses otherwise now knows what to argue with."


# -- the bug hunt --------------------------------------------------------------------------------------------


def _read_counts(value: object) -> list[int]:
    if isinstance(value, str):
        raise Unreadable(
            "That is a text. A list in square brackets is asked for, a number for each question."
        )
    counts = []
    for item in read_items(value, "numbers"):
        number = read_number(item)
        if number.value.denominator != 1 or number.value < 0:
            raise Unreadable(f"These are counts, whole numbers from zero; one of yours is {number.typed}.")
        counts.append(int(number.value))
    return counts


_COUNTS: Mapping[str, Callable[[Any], Any]] = {"hits": _read_counts, "relevant_counts": _read_counts}


def _mean_recall(hits: Sequence[int], relevant_counts: Sequence[int]) -> float | None:
    from recall_lab.measures import mean_of_defined

    if len(hits) != len(relevant_counts):
        raise RecallLabError(
            "hits and relevant_counts have a number for each question, so they are equally long"
        )
    if any(found > existing for found, existing in zip(hits, relevant_counts, strict=True)):
        raise RecallLabError("a question has more hits than relevant passages")
    return mean_of_defined(
        found / existing if existing else None for found, existing in zip(hits, relevant_counts, strict=True)
    )


def _shapes(arguments: dict[str, Any]) -> list[tuple[int, int]]:
    """(hits, R) of the questions with something to find."""
    return [(h, R) for h, R in zip(arguments["hits"], arguments["relevant_counts"], strict=True) if R]


class BugLabel(BugHunt):
    id = "06.bug_label"
    title = "Bug: the label"
    story = "From a tool whose report says “mean recall of the questions”."
    readers = _COUNTS
    theirs = staticmethod(suspects.average_recall)
    ours = staticmethod(_mean_recall)
    misses = (
        Miss(
            "one_question",
            lambda a: len(_shapes(a)) <= 1,
            "Where fewer than two questions have something to find, there is nothing to average. What if "
            "there were two?",
            {"hits": [1], "relevant_counts": [4]},
        ),
        Miss(
            "one_size",
            lambda a: len({R for _, R in _shapes(a)}) == 1,
            "Your questions are all of one size, so none of them speaks louder. What if one were larger?",
            {"hits": [1, 3], "relevant_counts": [4, 4]},
        ),
        Miss(
            "one_recall",
            lambda a: len({h / R for h, R in _shapes(a)}) == 1,
            "Your questions all have the same recall, and every average of equal numbers is that number. "
            "What if one went worse?",
            {"hits": [1, 2], "relevant_counts": [2, 4]},
        ),
    )
    restate = "The name promises the mean of the questions' recalls. What does the body divide by what?"
    locate = "Think of two questions, a small one and a large one, and let one of them go much better."
    afterwards = "It adds up before it divides: a micro mean under the label of a macro mean."
