"""Exercises of lesson 03, Recall in code."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from recall_lab.exercises import fixture, suspects
from recall_lab.exercises.answers import Unreadable, read_ids, read_mapping, read_number
from recall_lab.exercises.drawing import cases_of_many, draw_query
from recall_lab.exercises.kinds import (
    BugHunt,
    ChoiceExercise,
    FunctionExercise,
    Miss,
    NumberExercise,
    Option,
    RankingExercise,
)
from recall_lab.exercises.misconceptions import CATALOGUE, ON_FIXTURE
from recall_lab.exercises.recipe import RECALL, Query, Sheet

TITLE = "Recall in code"

PREDICTIONS = {
    "03.predict_how_many": "how many numbers honest-looking scripts print on one data set",
}

READING_ORDER = (
    "03.recall_at_k",
    "where the cut falls",
    "the denominator",
    "a passage that comes twice",
    "ids are text",
    "a question without results",
    "03.mean_recall_at_k",
    "order comes from the rank",
    "03.ranking",
    "the grade that means relevant",
    "unjudged passages",
    "03.fixture",
    "03.bug_k_unused",
    "03.bug_repeats",
    "03.bug_found_only",
    "03.bug_ids",
    "03.bug_grades",
    "03.bug_vanished",
    "03.which_bug",
)

CHOICES: dict[str, tuple[str, ...]] = {}

_OF_ONE_QUESTION = (
    "divided_by_k",
    "divided_by_reachable",
    "hit_or_miss",
    "all_or_nothing",
    "nothing_relevant_as_zero",
    "nothing_relevant_as_one",
    "repeats_counted",
    "cut_one_early",
    "cut_one_late",
    "first_result_skipped",
    "no_cut",
    "divided_by_list_length",
    "divided_by_found",
    "sorted_wrong_way",
    "jaccard",
    "weighted_by_rank",
    "not_divided",
    "missed_share",
    "repeats_removed_first",
)


def _case(retrieved: Sequence[str], relevant: Sequence[str], k: int) -> Sheet:
    return Sheet((Query("q", tuple(retrieved), dict.fromkeys(relevant, 1)),), k)


class RecallAtK(FunctionExercise):
    id = "03.recall_at_k"
    title = "Write recall_at_k"
    function = "recall_at_k"
    parameters = ("retrieved_ids", "relevant_ids", "k")
    task = (
        "retrieved_ids is a list of ids by rank, in which an id may come twice; relevant_ids is a set of "
        "ids; k is a "
        "whole number from one. It returns the recall at k, or None where nothing is relevant."
    )
    mistakes = _OF_ONE_QUESTION
    restate = "Cut the list, count the different relevant ids that are left, and divide by how many exist."
    locate = (
        "Three lines do it: one for the cut, one for the hits as a set, one for the division. And one "
        "before them, for R = 0."
    )
    afterwards = "It cuts first, counts each passage once, and knows when there is nothing to find."

    def trials(self, rng: random.Random) -> tuple[Sheet, ...]:
        a, b, c, d, e, f = rng.sample("abcdefghkmnpqrstuvwxyz", 6)
        small = [
            _case([a], [a], 1),
            _case([a, b], [b], 1),
            _case([a, b], [a, c], 1),
            _case([b, a, c], [a, d], 2),
            _case([a, b, c], [a, c], 2),
            _case([a, b, c, d], [b, c, e, f], 3),
            _case([a, b], [a, b, c], 5),
            _case([c, a, d, b, e], [a, b, f], 4),
            _case([a, b, c], [d], 2),
            _case([], [a, b], 3),
            _case([a, b], [], 2),
            _case([], [], 1),
            _case([a, a, b], [a, b], 2),
            _case([b, a, a, c], [a, c, d], 4),
        ]
        drawn = [
            Sheet((draw_query(rng, rng.choice("xyz"), length, relevant, repeats),), k)
            for length, relevant, k, repeats in ((8, 3, 5, 0), (12, 8, 5, 0), (15, 6, 10, 1), (30, 9, 10, 2))
        ]
        return (*small, *drawn)

    def arguments(self, sheet: Sheet) -> tuple[Any, ...]:
        query = sheet.queries[0]
        return list(query.retrieved), query.relevant(sheet.min_grade), sheet.k

    def ours(self) -> Callable[..., Any]:
        from recall_lab.measures import recall_at_k

        return recall_at_k


class MeanRecallAtK(FunctionExercise):
    id = "03.mean_recall_at_k"
    title = "Write mean_recall_at_k"
    function = "mean_recall_at_k"
    parameters = ("runs", "k")
    task = (
        "runs is a list with a pair (retrieved_ids, relevant_ids) for each question. It returns the "
        "macro mean of the "
        "recall at k over the questions that have a recall, or None where none has."
    )
    mistakes = (
        *_OF_ONE_QUESTION,
        "micro",
        "only_questions_with_a_hit",
        "empty_lists_dropped",
        "mean_over_mean_ceiling",
        "summed_not_averaged",
        "thrown_together",
        "found_before_skipped",
        "first_question_only",
        "last_question_only",
    )
    restate = "Take the recall of each question, leave out those that have none, and average the rest."
    locate = (
        "Your recall_at_k tells with None which questions have no recall. Collect the others in a list, "
        "then look at its length."
    )
    afterwards = "It survives repeats, an empty list, and questions with nothing to find."

    def trials(self, rng: random.Random) -> tuple[Sheet, ...]:
        return (*cases_of_many(rng), fixture.SHEET)

    def arguments(self, sheet: Sheet) -> tuple[Any, ...]:
        return fixture.runs(sheet), sheet.k

    def ours(self) -> Callable[..., Any]:
        from recall_lab.measures import mean_recall_at_k

        return mean_recall_at_k


RESULTS = [("d2", 9.5), ("d1", 10.25), ("d6", 2.75), ("d4", 9.5), ("d3", 12.0), ("d7", 9.75), ("d5", 11.5)]


class Ranking(RankingExercise[Query]):
    id = "03.ranking"
    title = "Rank by score"
    mistakes = ("ties_by_id_ascending", "sorted_wrong_way", "file_order", "scores_sorted_as_text")
    restate = (
        "Put the best result first. Where two scores are equal, the id that comes later in the alphabet "
        "goes first."
    )
    locate = "sorted() takes a key; a key may be a pair (score, id), and reverse=True turns both round."
    afterwards = "With one rule for ties, everybody's ranking is the same."

    def lesson(self) -> Query:
        return _scored(sorted(RESULTS), [document for document, _ in RESULTS])

    def draw(self, rng: random.Random, harder: bool) -> Query:
        documents = [f"d{i}" for i in range(1, 10 if harder else 8)]
        scores = rng.sample([2.75, 6.5, 9.25, 9.75, 10.5, 11.25, 12.0, 14.5, 100.25, 31.0], len(documents))
        for tied in range(1, 3 if harder else 2):
            scores[-tied] = scores[tied]
        filed = documents.copy()
        rng.shuffle(filed)
        for tied in range(1, 3 if harder else 2):
            _put_in_order(filed, documents[tied], documents[-tied])
        return _scored(list(zip(documents, scores, strict=True)), filed)

    def prompt(self, data: Query) -> str:
        lines = [f"{document}  {data.scores[document]}" for _, document in data.lines()]
        rule = (
            "Order by score, highest first; ties by document id, the later id first. Give the ids as a list."
        )
        return "\n".join(["A run holds these results (document, score):", *lines, rule])

    def right(self, data: Query) -> list[str]:
        return list(data.retrieved)

    def wrong(self, data: Query) -> dict[str, list[str]]:
        return {id: list(CATALOGUE[id].wrong(RECALL).order(data)) for id in self.mistakes}

    def worked(self, data: Query) -> str:
        return f"the order is {', '.join(data.retrieved)}"

    def given(self) -> dict[str, Any]:
        return {"RESULTS": list(RESULTS)}


def _put_in_order(filed: list[str], smaller: str, larger: str) -> None:
    """The smaller of two ids first, so that a sort by score alone is never right by luck."""
    i, j = sorted((filed.index(smaller), filed.index(larger)))
    filed[i], filed[j] = smaller, larger


def _scored(results: list[tuple[str, float]], filed: list[str]) -> Query:
    scores = dict(results)
    ranking = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
    return Query("q", tuple(ranking), {}, tuple(ranking.index(document) + 1 for document in filed), scores)


_SKELETON = """A skeleton; the dots are yours.

recalls = []
for question, grades in judgments.items():
    relevant = ...                     # the documents whose grade means relevant
    mine = [(rank, document) for q, rank, document in rows if q == question]
    ranking = ...                      # the documents of mine, smallest rank first
    if ...:                            # is there anything to find?
        recalls.append(...)            # your recall_at_k
sum(recalls) / len(recalls)"""


class Fixture(NumberExercise):
    id = "03.fixture"
    title = "The fixture"
    ask = "What is the mean recall@{k}? Relevant means grade two."
    mistakes = tuple(mistake.id for mistake in ON_FIXTURE)
    restate = (
        "Rank each question's rows, keep the first {k}, count the different relevant documents, divide "
        "by all that exist; then average."
    )
    locate = (
        "Which questions are in the judgments and not in the rows? Which have nothing to find? Are the "
        "rows sorted?"
    )
    afterwards = "Each slip that the catalogue knows would have printed another number on this data."

    def lesson(self) -> Sheet:
        return fixture.SHEET

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        return fixture.sibling(rng)

    def prompt(self, data: Sheet) -> str:
        lines = [
            "question   relevant   of grade one   list by rank",
            *(
                f"{query.name:<11}{len(query.relevant(2)):<11}"
                f"{len(query.relevant(1)) - len(query.relevant(2)):<15}{fixture.letters(query) or '(empty)'}"
                for query in data.queries
            ),
            "R   a relevant passage",
            "D   the second R of the question once more",
            "m   one of grade one",
            "n   one judged and not relevant",
            "u   one that nobody judged",
        ]
        return "\n".join([*lines, self.ask.format(k=data.k)])

    def twin(self) -> str:
        return _SKELETON

    def handed_out(self, data: Sheet) -> dict[str, Any]:
        return {"rows": fixture.rows(data), "judgments": fixture.judgments(data)}

    def given(self) -> dict[str, Any]:
        return {"rows": fixture.rows(), "judgments": fixture.judgments(), "runs": fixture.runs()}


# -- bug hunts -----------------------------------------------------------------------------------------------


def _read_k(value: object) -> int:
    number = read_number(value)
    if number.value.denominator != 1 or number.value < 1:
        raise Unreadable(f"k is a whole number from one; yours is {number.typed}.")
    return int(number.value)


def _read_set(value: object) -> set[str]:
    return set(read_ids(value))


def _read_grades(value: object) -> dict[str, int]:
    grades = {}
    for document, grade in read_mapping(value, "grades").items():
        number = read_number(grade)
        if number.value.denominator != 1:
            raise Unreadable(f"{document}: a grade is a whole number; yours is {number.typed}.")
        grades[document] = int(number.value)
    return grades


def _read_lists(value: object) -> dict[str, list[str]]:
    return {question: read_ids(ids) for question, ids in read_mapping(value, "lists").items()}


Readers = Mapping[str, Callable[[Any], Any]]

_ONE_QUESTION: Readers = {"retrieved_ids": read_ids, "relevant_ids": _read_set, "k": _read_k}
_GRADED: Readers = {"retrieved_ids": read_ids, "grades": _read_grades, "k": _read_k}
_LISTS: Readers = {"lists": _read_lists, "relevant": _read_lists, "k": _read_k}


def _recall(retrieved_ids: Sequence[str], relevant_ids: set[str], k: int) -> float | None:
    from recall_lab.measures import recall_at_k

    return recall_at_k(retrieved_ids, relevant_ids, k)


def _graded(retrieved_ids: Sequence[str], grades: Mapping[str, int], k: int) -> float | None:
    return _recall(retrieved_ids, {document for document, grade in grades.items() if grade >= 1}, k)


def _mean(lists: Mapping[str, Sequence[str]], relevant: Mapping[str, Sequence[str]], k: int) -> float | None:
    from recall_lab.measures import mean_recall_at_k

    return mean_recall_at_k([(lists.get(question, []), set(ids)) for question, ids in relevant.items()], k)


def _top(arguments: dict[str, Any]) -> list[str]:
    top: list[str] = arguments["retrieved_ids"][: arguments["k"]]
    return top


def _repeated(documents: Sequence[str]) -> set[str]:
    return {document for i, document in enumerate(documents) if document in documents[:i]}


_NO_HIT = (
    "Nothing relevant stands in the top k, so both give zero whatever they divide by. Can you give them "
    "a hit?"
)


class BugKUnused(BugHunt):
    id = "03.bug_k_unused"
    title = "Bug: a parameter"
    story = "From a notebook that many people copied. It gives the right value surprisingly often."
    readers = _ONE_QUESTION
    theirs = staticmethod(suspects.plain_recall)
    ours = staticmethod(_recall)
    misses = (
        Miss(
            "list_not_longer_than_k",
            lambda a: a["k"] >= len(a["retrieved_ids"]),
            "Your k reaches the end of the list. What does k do to a longer one?",
            {"retrieved_ids": ["a", "b", "c"], "relevant_ids": {"a", "d"}, "k": 3},
        ),
        Miss(
            "nothing_relevant_below_k",
            lambda a: not set(a["retrieved_ids"][a["k"] :]) & a["relevant_ids"],
            "Below the cut of your list stands nothing relevant. What if it did?",
            {"retrieved_ids": ["a", "b", "c"], "relevant_ids": {"a", "d"}, "k": 2},
        ),
        Miss(
            "only_repeats_below_k",
            lambda a: not (set(a["retrieved_ids"][a["k"] :]) - set(_top(a))) & a["relevant_ids"],
            "What is relevant below your cut stands above it as well. What if it stood below only?",
            {"retrieved_ids": ["a", "b", "a"], "relevant_ids": {"a", "d"}, "k": 2},
        ),
    )
    restate = "The function takes three arguments. Follow each of them through the body."
    locate = "One of the arguments is never used. When does it matter?"
    afterwards = "k is accepted and never used, so whatever k is, the value is that of the whole list."


class BugRepeats(BugHunt):
    id = "03.bug_repeats"
    title = "Bug: a counter"
    story = "From an evaluation script. A user reported a recall above one."
    readers = _ONE_QUESTION
    theirs = staticmethod(suspects.top_recall)
    ours = staticmethod(_recall)
    misses = (
        Miss(
            "no_repeat",
            lambda a: not _repeated(a["retrieved_ids"]),
            "Every id in your list comes once. What else may happen to a list that was merged from two?",
            {"retrieved_ids": ["a", "b", "c"], "relevant_ids": {"a", "c"}, "k": 3},
        ),
        Miss(
            "repeat_not_relevant",
            lambda a: not _repeated(a["retrieved_ids"]) & a["relevant_ids"],
            "What comes twice in your list is not relevant, so nobody counts it. What if it were?",
            {"retrieved_ids": ["a", "b", "b"], "relevant_ids": {"a", "c"}, "k": 3},
        ),
        Miss(
            "repeat_below_k",
            lambda a: not _repeated(_top(a)) & a["relevant_ids"],
            "The second copy stands below the cut. Where does it do harm?",
            {"retrieved_ids": ["a", "b", "a"], "relevant_ids": {"a", "c"}, "k": 2},
        ),
    )
    restate = (
        "The counter goes up once for each place in the list. When are places and passages not the same?"
    )
    locate = "Lists merged from several searches can hold one passage in two places."
    afterwards = "A passage that comes twice is counted twice, and recall can rise above one."


class BugFoundOnly(BugHunt):
    id = "03.bug_found_only"
    title = "Bug: a denominator"
    story = "From a test suite that was always green."
    readers = _ONE_QUESTION
    theirs = staticmethod(suspects.recall_of_list)
    ours = staticmethod(_recall)
    misses = (
        Miss(
            "no_hit",
            lambda a: not set(_top(a)) & a["relevant_ids"],
            _NO_HIT,
            {"retrieved_ids": ["a", "b", "c"], "relevant_ids": {"c", "d"}, "k": 2},
        ),
        Miss(
            "everything_found",
            lambda a: a["relevant_ids"] <= set(a["retrieved_ids"]),
            "Everything relevant stands somewhere in your list. What if the search had missed something "
            "altogether?",
            {"retrieved_ids": ["a", "b", "c"], "relevant_ids": {"a", "c"}, "k": 2},
        ),
    )
    restate = "What does it divide by, and where does it get that from?"
    locate = (
        "Look at what is called relevant inside the function. Which relevant passages can never be in it?"
    )
    afterwards = "The denominator comes from the list, so what was never found is never missed."


class BugIds(BugHunt):
    id = "03.bug_ids"
    title = "Bug: ids"
    story = "From a team whose ids are all digits, so they turned them into numbers."
    readers = _ONE_QUESTION
    theirs = staticmethod(suspects.recall_with_numbers)
    ours = staticmethod(_recall)
    misses = (
        Miss(
            "ids_differ_as_numbers",
            lambda a: (
                len({int(d) for d in [*a["retrieved_ids"], *a["relevant_ids"]]})
                == len({*a["retrieved_ids"], *a["relevant_ids"]})
            ),
            "As numbers your ids are as different as they are as text. Which two texts make the same number?",
            {"retrieved_ids": ["7", "12", "3"], "relevant_ids": {"7", "5"}, "k": 2},
        ),
    )
    restate = "Which two different ids become the same number?"
    locate = "Think of the zeros in front."
    afterwards = "Ids are text: as numbers, ids that differ only in their leading zeros become one document."


class BugGrades(BugHunt):
    id = "03.bug_grades"
    title = "Bug: a truth value"
    story = "From a reader of judgment files. Some collections mark spam with a grade below zero."
    readers = _GRADED
    theirs = staticmethod(suspects.graded_recall)
    ours = staticmethod(_graded)
    misses = (
        Miss(
            "no_negative_grade",
            lambda a: all(grade >= 0 for grade in a["grades"].values()),
            "Your grades are all zero or above, and there “if grade” is right. Which other number counts "
            "as true in Python?",
            {"retrieved_ids": ["a", "b", "c"], "grades": {"a": 2, "b": 0, "d": 1}, "k": 2},
        ),
        Miss(
            "no_hit",
            lambda a: all(a["grades"].get(d, 0) == 0 for d in _top(a)),
            _NO_HIT,
            {"retrieved_ids": ["a", "b", "c"], "grades": {"c": 2, "d": -1}, "k": 2},
        ),
        Miss(
            "spam_in_the_top",
            lambda a: any(a["grades"].get(d, 0) < 0 for d in _top(a)),
            "Your spam is in the top k, so it adds one above and one below the line. What if it were not in "
            "the list, or if a relevant passage were not?",
            {"retrieved_ids": ["a", "b"], "grades": {"a": 2, "b": -1}, "k": 2},
        ),
    )
    restate = "For which grades is “if grade” true?"
    locate = "Only zero is false. The story names another kind of grade."
    afterwards = (
        "Any number but zero counts as true, so spam marked with a grade below zero becomes relevant."
    )


class BugVanished(BugHunt):
    id = "03.bug_vanished"
    title = "Bug: a question that vanished"
    story = "From a leaderboard. A system that crashed on the hard questions came first."
    readers = _LISTS
    theirs = staticmethod(suspects.mean_recall)
    ours = staticmethod(_mean)
    misses = (
        Miss(
            "empty_list",
            lambda a: set(a["relevant"]) <= set(a["lists"]) and not all(a["lists"].values()),
            "An empty list is still a list. What if that question did not appear in `lists` at all?",
            {"lists": {"q1": ["a", "b"], "q2": []}, "relevant": {"q1": ["a"], "q2": ["d"]}, "k": 2},
        ),
        Miss(
            "question_without_judgments",
            lambda a: set(a["relevant"]) < set(a["lists"]),
            "A question without judgments counts for neither of them. What if it were the other way round, "
            "judged and without a list?",
            {"lists": {"q1": ["a", "b"], "q2": ["c"]}, "relevant": {"q1": ["a"]}, "k": 2},
        ),
        Miss(
            "every_question_answered",
            lambda a: set(a["relevant"]) <= set(a["lists"]),
            "Every judged question has a list here. What if one of them did not appear in `lists` at all?",
            {"lists": {"q1": ["a", "b"], "q2": ["c"]}, "relevant": {"q1": ["a"], "q2": ["d"]}, "k": 2},
        ),
        Miss(
            "missing_question_has_nothing_to_find",
            lambda a: not any(ids for question, ids in a["relevant"].items() if question not in a["lists"]),
            "The question without a list has nothing to find, so it is rightly left out. What if it had?",
            {"lists": {"q1": ["a", "b"]}, "relevant": {"q1": ["a"], "q2": []}, "k": 2},
        ),
        Miss(
            "no_hit",
            lambda a: (
                not any(set(ids[: a["k"]]) & set(a["relevant"].get(q, [])) for q, ids in a["lists"].items())
            ),
            _NO_HIT,
            {"lists": {"q1": ["b"]}, "relevant": {"q1": ["a"], "q2": ["c"]}, "k": 2},
        ),
    )
    restate = "Over which questions does the loop run: those that were asked, or those that were answered?"
    locate = "Leave a question out of the lists and keep it in the judgments."
    afterwards = (
        "A question without a list leaves the mean, so answering nothing looks better than answering badly."
    )


# -- checkpoint ----------------------------------------------------------------------------------------------

CHECKPOINT = Sheet(
    (
        Query.from_ranks("q1", 2, (1, 4)),
        Query.from_ranks("q2", 3, (2, 3, 6)),
        Query.from_ranks("q3", 4, (1, 5)),
        Query.from_ranks("q4", 10, (1, 2, 4, 5, 7, 8)),
        Query.from_ranks("q5", 4, (3, 5, 6)),
    ),
    k=5,
)


def printed_by(mistake: str) -> Fraction | None:
    """What a script with this mistake prints on the checkpoint's sheet."""
    return CATALOGUE[mistake].wrong(RECALL).value(CHECKPOINT)


class WhichBug(ChoiceExercise):
    id = "03.which_bug"
    title = "Checkpoint: which bug prints .48?"
    question = (
        "k = 5.\n"
        "q1: R = 2, found at ranks 1 and 4\n"
        "q2: R = 3, found at ranks 2, 3 and 6\n"
        "q3: R = 4, found at ranks 1 and 5\n"
        "q4: R = 10, found at ranks 1, 2, 4, 5, 7 and 8\n"
        "q5: R = 4, found at ranks 3, 5 and 6\n"
        "A script prints a mean recall@5 of .48. What does it do?"
    )
    options = (
        Option(
            "it adds up all questions before dividing",
            "Add up the hits and add up the R. What would it print?",
            "chose_micro",
        ),
        Option("it divides the hits by k", "Twelve hits in twenty-five places."),
        Option(
            "it divides by the smaller of k and R",
            "Only one question has more relevant passages than places. How far can that move the mean, "
            "and which way?",
            "chose_capped",
        ),
        Option(
            "it lets one result too many through the cut",
            "More results can only add hits. Is the printed number above the right one or below it?",
            "chose_late_cut",
        ),
        Option(
            "it asks only whether there is any hit",
            "Is there a question without a hit in the top five? What would it print?",
            "chose_hit_rate",
        ),
    )
    restate = "Compute the right mean first: is the printed number above it or below?"
    locate = (
        "Count all hits in the top five of the five questions together, and divide that by several things."
    )
    another_case = (
        "Two questions, k = 2. q1: R = 3, found at rank 1. q2: R = 1, found at rank 2. The right mean is "
        "(1/3 + 1/1) / 2 = .667. Dividing by k prints (1/2 + 1/2) / 2 = .5, adding up first prints 2/4 = "
        ".5 as well, the "
        "smaller of k and R prints .75, hit rate prints 1. Make such a list for the five questions."
    )
