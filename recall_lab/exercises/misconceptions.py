"""The catalogue of mistakes: each with a wrong computation, the question to ask, and the lesson that treats
it.

A mistake is a set of replaced steps of a :class:`~recall_lab.exercises.recipe.Recipe`, or for agreement of a
:class:`~recall_lab.exercises.kappa.Kappa`. Applied to the learner's own data it gives the number the mistake
would give, and that is how ``check()`` recognises it. The first 24 are told apart by the fixture
(``ON_FIXTURE``); the rest belong to single exercises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from recall_lab.exercises import fixture
from recall_lab.exercises.kappa import YES, Labelled, observed_alone, share_of_equal
from recall_lab.exercises.recipe import (
    RECALL,
    Counts,
    Query,
    Scored,
    Share,
    Sheet,
    any_hit,
    best_possible,
    macro,
    of_k,
    of_the_reachable,
    of_the_relevant,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["CATALOGUE", "ON_FIXTURE", "Mistake", "compatible", "pairs", "render_page"]

Way = TypeVar("Way", bound="DataclassInstance")


@dataclass(frozen=True)
class Mistake:
    """One way to get it wrong.

    Parameters
    ----------
    id : short stable name.
    name : what was done, as the end of "this is what comes out of …".
    asks : one sentence that asks the right question and does not give the answer.
    lesson, topic : where the workbook treats it.
    steps : the replaced steps of the recipe.

    Examples
    --------
    >>> CATALOGUE["divided_by_k"].wrong(RECALL).value(fixture.SHEET)
    Fraction(6, 25)
    """

    id: str
    name: str
    asks: str
    lesson: str
    topic: str
    steps: Mapping[str, Any]

    @property
    def section(self) -> str:
        return f"lesson {self.lesson}, {self.topic}"

    def wrong(self, recipe: Way) -> Way:
        """The recipe with this mistake made."""
        return replace(recipe, **self.steps)


# -- wrong steps ---------------------------------------------------------------------------------------------


def _first_question(sheet: Sheet) -> Sequence[Query]:
    return sheet.queries[:1]


def _last_question(sheet: Sheet) -> Sequence[Query]:
    return sheet.queries[-1:]


def _file_order(query: Query) -> Sequence[str]:
    return [document for _, document in query.lines()]


def _worst_first(query: Query) -> Sequence[str]:
    return query.retrieved[::-1]


def _ties_ascending(query: Query) -> Sequence[str]:
    return sorted(query.scores, key=lambda document: (-query.scores[document], document))


def _scores_as_text(query: Query) -> Sequence[str]:
    return sorted(query.scores, key=lambda document: (str(query.scores[document]), document), reverse=True)


def _judged_only(ranking: Sequence[str], query: Query) -> list[str]:
    return [document for document in ranking if document in query.grades]


def _one_short(ranking: list[str], k: int) -> list[str]:
    return ranking[: k - 1]


def _one_more(ranking: list[str], k: int) -> list[str]:
    return ranking[: k + 1]


def _from_the_second(ranking: list[str], k: int) -> list[str]:
    return ranking[1 : k + 1]


def _no_cut(ranking: list[str], k: int) -> list[str]:
    return ranking


def _stop_at_five(ranking: list[str], k: int) -> list[str]:
    return ranking[:5]


def _without_repeats(ranking: Sequence[str], query: Query) -> list[str]:
    return list(dict.fromkeys(ranking))


def _grade_one(min_grade: int) -> int:
    return 1


def _every_hit(documents: Sequence[str], relevant: set[str]) -> tuple[int, ...]:
    return tuple(i for i, document in enumerate(documents, 1) if document in relevant)


def _whole_number_ids(documents: Sequence[str], relevant: set[str]) -> tuple[int, ...]:
    """A whole number never equals a text, so no document is ever found in the relevant set."""
    return ()


def _all_or_nothing(c: Counts) -> Share:
    return Fraction(len(c.hits) == c.relevant), Fraction(1)


def _hits_in_list_of_its_length(c: Counts) -> Share:
    return Fraction(len(c.hits_anywhere)), Fraction(max(c.depth, 1))


def _of_the_found(c: Counts) -> Share:
    return Fraction(len(c.hits)), Fraction(max(len(c.hits_anywhere), 1))


def _jaccard(c: Counts) -> Share:
    return Fraction(len(c.hits)), Fraction(len(c.shown) + c.relevant - len(c.hits))


def _by_one_over_rank(c: Counts) -> Share:
    return sum((Fraction(1, rank) for rank in c.hits), Fraction(0)), Fraction(c.relevant)


def _undivided(c: Counts) -> Share:
    return Fraction(len(c.hits)), Fraction(1)


def _missed(c: Counts) -> Share:
    return Fraction(c.relevant - len(c.hits)), Fraction(c.relevant)


def _turned_over(c: Counts) -> Share:
    return Fraction(c.relevant), Fraction(max(len(c.hits), 1))


def _places_over_hits(c: Counts) -> Share:
    return Fraction(c.k), Fraction(max(len(c.hits), 1))


def _of_five(c: Counts) -> Share:
    return Fraction(len(c.hits)), Fraction(5)


def _up_to_the_last_hit(c: Counts) -> Share:
    return Fraction(len(c.hits_anywhere)), Fraction(max(c.hits_anywhere, default=1))


def _best_where_hit(c: Counts) -> Share:
    return Fraction(min(c.k, c.relevant) if c.hits else 0), Fraction(c.relevant)


def _best_of_five(c: Counts) -> Share:
    return Fraction(min(5, c.relevant)), Fraction(c.relevant)


def _best_of_the_found(c: Counts) -> Share:
    return Fraction(min(c.k, len(c.hits_anywhere))), Fraction(c.relevant)


def _k_over_relevant(c: Counts) -> Share:
    return Fraction(c.k), Fraction(c.relevant)


def _best_over_k(c: Counts) -> Share:
    return Fraction(min(c.k, c.relevant)), Fraction(c.k)


def _upside_down(c: Counts) -> Share:
    return Fraction(c.relevant), Fraction(min(c.k, c.relevant))


def _places(c: Counts) -> Share:
    return Fraction(min(c.k, c.relevant)), Fraction(1)


def _expected_hits(c: Counts) -> Share:
    """Hits that a random order has in its top k on average; the list's depth is the number of passages."""
    return Fraction(c.k * c.relevant), Fraction(max(c.depth, 1))


def _relevant_among_all(c: Counts) -> Share:
    return Fraction(c.relevant), Fraction(max(c.depth, 1))


def _relevant_over_k(c: Counts) -> Share:
    return Fraction(c.relevant), Fraction(c.k)


def _one_place(c: Counts) -> Share:
    return Fraction(1), Fraction(max(c.depth, 1))


def _all_over_k(c: Counts) -> Share:
    return Fraction(c.depth), Fraction(c.k)


def _always_one(c: Counts) -> Share:
    return Fraction(1), Fraction(1)


def _has_a_hit(c: Counts) -> bool:
    return len(c.hits) > 0


def _has_a_list(c: Counts) -> bool:
    return c.depth > 0


def _is_found_somewhere(c: Counts) -> bool:
    return len(c.hits_anywhere) > 0


def _micro(rows: list[Scored]) -> Fraction | None:
    bottom = sum((row.bottom for row in rows), Fraction(0))
    return sum((row.top for row in rows), Fraction(0)) / bottom if rows else None


def _micro_or_zero(rows: list[Scored]) -> Fraction | None:
    return _micro(rows) if rows else Fraction(0)


def _micro_cut_off(rows: list[Scored]) -> Fraction | None:
    value = _micro(rows)
    return None if value is None else Fraction(value // 1)


def _all_wanted(rows: list[Scored]) -> frozenset[str]:
    return frozenset().union(*(row.counts.wanted for row in rows))


def _all_found(rows: list[Scored]) -> frozenset[str]:
    return frozenset().union(*(row.counts.shown & row.counts.wanted for row in rows))


def _one_heap(rows: list[Scored]) -> Fraction | None:
    shown = frozenset().union(*(row.counts.shown for row in rows))
    wanted = _all_wanted(rows)
    return Fraction(len(shown & wanted), len(wanted)) if wanted else None


def _different_passages(rows: list[Scored]) -> Fraction | None:
    wanted = _all_wanted(rows)
    return Fraction(len(_all_found(rows)), len(wanted)) if wanted else None


def _different_hits(rows: list[Scored]) -> Fraction | None:
    existing = sum(row.counts.relevant for row in rows)
    return Fraction(len(_all_found(rows)), existing) if existing else None


def _new_hits_only(rows: list[Scored]) -> Fraction | None:
    found: frozenset[str] = frozenset()
    recalls = []
    for row in rows:
        hits = row.counts.shown & row.counts.wanted
        recalls.append(Fraction(len(hits - found), row.counts.relevant or 1))
        found |= hits
    return sum(recalls, Fraction(0)) / len(recalls) if recalls else None


def _over_mean_ceiling(rows: list[Scored]) -> Fraction | None:
    def ceiling(c: Counts) -> Fraction:
        return Fraction(min(c.k, c.relevant), c.relevant) if c.relevant else Fraction(1)

    if not rows:
        return None
    return sum((row.value for row in rows), Fraction(0)) / sum(
        (ceiling(row.counts) for row in rows), Fraction(0)
    )


def _of_the_average_question(rows: list[Scored]) -> Fraction | None:
    """The ceiling of one question whose R is the average R."""
    total = sum(row.counts.relevant for row in rows)
    return min(Fraction(1), Fraction(rows[0].counts.k * len(rows), total)) if rows else None


def _of_the_hand_sheet(rows: list[Scored]) -> Fraction | None:
    """The mean ceiling of the hand sheet of lesson 02, whatever the questions at hand."""
    if not rows:
        return None
    shares = [Fraction(min(rows[0].counts.k, R), R) for R in (4, 4, 20, 1)]
    return sum(shares, Fraction(0)) / len(shares)


def _summed(rows: list[Scored]) -> Fraction | None:
    return sum((row.value for row in rows), Fraction(0)) if rows else None


def _equal_in_yes(pairs: Labelled) -> Fraction:
    return Fraction(pairs.count(YES, YES), pairs.n)


def _different(pairs: Labelled) -> Fraction:
    return 1 - share_of_equal(pairs)


def _equal_undivided(pairs: Labelled) -> Fraction:
    return share_of_equal(pairs) * pairs.n


def _shares_of_yes(pairs: Labelled) -> tuple[Fraction, Fraction]:
    return Fraction(pairs.first.count(YES), pairs.n), Fraction(pairs.second.count(YES), pairs.n)


def _chance_in_yes(pairs: Labelled) -> Fraction:
    first, second = _shares_of_yes(pairs)
    return first * second


def _chance_in_two_labels(pairs: Labelled) -> Fraction:
    """Yes and everything else: right for two labels, wrong for three."""
    first, second = _shares_of_yes(pairs)
    return first * second + (1 - first) * (1 - second)


def _chance_of_yes_and_no(pairs: Labelled) -> Fraction:
    """The sum over the labels 1 and 0, whatever others there are."""
    products = (pairs.first.count(label) * pairs.second.count(label) for label in (0, 1))
    return Fraction(sum(products), pairs.n**2)


def _chance_of_sums(pairs: Labelled) -> Fraction:
    """The labels added up as if each 1 were a yes: a grade of 2 counts twice."""
    first, second = Fraction(sum(pairs.first), pairs.n), Fraction(sum(pairs.second), pairs.n)
    return first * second + (1 - first) * (1 - second)


def _chance_of_dice(pairs: Labelled) -> Fraction:
    return Fraction(1, len({*pairs.first, *pairs.second}))


def _chance_of_one_habit(pairs: Labelled) -> Fraction:
    """Both annotators' labels thrown together: the chance of another measure, Scott's pi."""
    labels = (*pairs.first, *pairs.second)
    return sum((Fraction(labels.count(label), len(labels)) ** 2 for label in {*labels}), Fraction(0))


def _chance_divided_once(pairs: Labelled) -> Fraction:
    products = (pairs.first.count(label) * pairs.second.count(label) for label in {*pairs.first})
    return Fraction(sum(products), pairs.n)


def _boxes_multiplied(pairs: Labelled) -> Fraction:
    """The box in which both say yes, times the box in which both say no."""
    return Fraction(pairs.count(YES, YES) * pairs.count(0, 0), pairs.n**2)


def _boxes_by_columns(pairs: Labelled) -> Fraction:
    """Each box of agreement times how often the second gives that label."""
    return sum(
        (Fraction(pairs.count(label, label) * pairs.second.count(label), pairs.n**2) for label in (YES, 0)),
        Fraction(0),
    )


def _chance_to_differ(pairs: Labelled) -> Fraction:
    first, second = _shares_of_yes(pairs)
    return first * (1 - second) + (1 - first) * second


def _chance_over_every_item(pairs: Labelled) -> Fraction:
    """The sum over the list itself: a label that comes three times is counted three times."""
    products = (pairs.first.count(label) * pairs.second.count(label) for label in pairs.first)
    return Fraction(sum(products), pairs.n**2)


def _difference(observed: Fraction, chance: Fraction) -> Fraction:
    return observed - chance


def _over_chance(observed: Fraction, chance: Fraction) -> Fraction | None:
    return None if chance == 0 else (observed - chance) / chance


def _brackets_missing(observed: Fraction, chance: Fraction) -> Fraction:
    return (observed - chance) / 1 - chance


def _top_brackets_missing(observed: Fraction, chance: Fraction) -> Fraction | None:
    return None if chance == 1 else observed - chance / (1 - chance)


def _one_if_undefined(observed: Fraction, chance: Fraction) -> Fraction:
    return Fraction(1) if chance == 1 else (observed - chance) / (1 - chance)


def _zero_if_undefined(observed: Fraction, chance: Fraction) -> Fraction:
    return Fraction(0) if chance == 1 else (observed - chance) / (1 - chance)


def _mistake(
    id: str, lesson: str, topic: str, name: str, asks: str, **steps: Callable[..., Any] | Fraction
) -> Mistake:
    return Mistake(id, name, asks, lesson, topic, steps)


ON_FIXTURE: tuple[Mistake, ...] = (
    _mistake(
        "divided_by_k",
        "02",
        "precision beside recall",
        "dividing the hits by k",
        "Divided by k, the hits say how clean the top of the list is; recall is a share of something "
        "else, of what?",
        share=of_k,
    ),
    _mistake(
        "divided_by_reachable",
        "05",
        "capped recall",
        "dividing by the smaller of k and the number of relevant passages",
        "That forgives a list for being short; does recall ask what fits into the list, or what exists?",
        share=of_the_reachable,
    ),
    _mistake(
        "hit_or_miss",
        "02",
        "hit rate is not recall",
        "asking only whether there is any hit",
        "One hit is enough for that number; what about the relevant passages that were not found?",
        share=any_hit,
    ),
    _mistake(
        "all_or_nothing",
        "02",
        "recall is a share",
        "giving credit only when everything was found",
        "A list that finds part of what exists has earned something; how much of it?",
        share=_all_or_nothing,
    ),
    _mistake(
        "nothing_relevant_as_zero",
        "02",
        "a question with nothing to find",
        "scoring a question with nothing to find as zero",
        "Zero says that the search missed something; what was there to miss?",
        nothing_relevant=Fraction(0),
    ),
    _mistake(
        "nothing_relevant_as_one",
        "02",
        "a question with nothing to find",
        "scoring a question with nothing to find as one",
        "One says that everything was found; what would that be, where nothing exists?",
        nothing_relevant=Fraction(1),
    ),
    _mistake(
        "micro",
        "06",
        "macro and micro",
        "adding up all questions before dividing",
        "In that sum the questions with many relevant passages speak loudest; which mean gives each "
        "question one vote?",
        mean=_micro,
    ),
    _mistake(
        "repeats_counted",
        "03",
        "a passage that comes twice",
        "counting a passage again when it comes twice",
        "The same passage stands in the list twice; how many relevant passages has the reader found then?",
        match=_every_hit,
    ),
    _mistake(
        "cut_one_early",
        "03",
        "where the cut falls",
        "cutting one rank too early",
        "Does the result at rank k still belong to the top k?",
        cut=_one_short,
    ),
    _mistake(
        "cut_one_late",
        "03",
        "where the cut falls",
        "cutting one rank too late",
        "Ranks start at one; how many results does your cut let through?",
        cut=_one_more,
    ),
    _mistake(
        "first_result_skipped",
        "03",
        "where the cut falls",
        "starting the cut at the second result",
        "Python counts from zero and ranks count from one; where did the first result go?",
        cut=_from_the_second,
    ),
    _mistake(
        "mean_over_mean_ceiling",
        "05",
        "a score beside its ceiling",
        "dividing the mean recall by the mean ceiling",
        "That says how near the list came to the best possible; what does recall itself say?",
        mean=_over_mean_ceiling,
    ),
    _mistake(
        "no_cut",
        "02",
        "the cutoff k",
        "counting hits below the cut as well",
        "Which results does somebody see who stops reading at rank k?",
        cut=_no_cut,
    ),
    _mistake(
        "divided_by_list_length",
        "03",
        "the denominator",
        "dividing all hits in the list by the length of the list",
        "A longer list would make that number smaller with the same hits; should it?",
        share=_hits_in_list_of_its_length,
    ),
    _mistake(
        "divided_by_found",
        "02",
        "what exists and what was found",
        "dividing by the relevant passages that the list contains",
        "What the search never found is missing from that denominator; who else knows that it exists?",
        share=_of_the_found,
    ),
    _mistake(
        "only_questions_with_a_hit",
        "02",
        "which questions count",
        "averaging only the questions with a hit",
        "A question whose passages were all missed is gone from that mean; is it not the one to worry about?",
        included=_has_a_hit,
    ),
    _mistake(
        "empty_lists_dropped",
        "03",
        "a question without results",
        "leaving out the questions with an empty list",
        "The search answered nothing there, and something was to be found; what has it earned?",
        included=_has_a_list,
    ),
    _mistake(
        "file_order",
        "03",
        "order comes from the rank",
        "taking the lines in the order of the file",
        "Nobody promised that the lines are sorted; what says which result is first?",
        order=_file_order,
    ),
    _mistake(
        "sorted_wrong_way",
        "03",
        "order comes from the rank",
        "sorting the results the wrong way round",
        "Look at the first result of your sorted list: is it the best or the worst?",
        order=_worst_first,
    ),
    _mistake(
        "low_grades_counted",
        "03",
        "the grade that means relevant",
        "counting passages of grade one as relevant",
        "From which grade on does this data set call a passage relevant?",
        threshold=_grade_one,
    ),
    _mistake(
        "unjudged_removed",
        "03",
        "unjudged passages",
        "removing the unjudged passages before the cut",
        "The reader still sees the passages nobody judged; do they not take up ranks?",
        keep=_judged_only,
    ),
    _mistake(
        "jaccard",
        "03",
        "the denominator",
        "dividing the overlap by everything that is shown or relevant, a measure called Jaccard",
        "That number falls when irrelevant results join the list; does recall care about them?",
        share=_jaccard,
    ),
    _mistake(
        "weighted_by_rank",
        "02",
        "order inside the top k",
        "giving each hit one over its rank",
        "A hit at the end of the top k is found as well as one at its head; does recall see the order "
        "inside?",
        share=_by_one_over_rank,
    ),
    _mistake(
        "ids_of_two_types",
        "03",
        "ids are text",
        "comparing whole-number ids with text ids",
        "Nothing at all was found, which is suspicious; are the ids on both sides of the same type?",
        match=_whole_number_ids,
    ),
)

_ON_AGREEMENT: tuple[Mistake, ...] = (
    _mistake(
        "agreement_in_yes",
        "01",
        "count the agreement",
        "counting only the pairs that both call relevant",
        "Two people who both say no agree as well; in which boxes of the table do the two say the same?",
        observed=_equal_in_yes,
    ),
    _mistake(
        "disagreement_share",
        "01",
        "count the agreement",
        "taking the share on which the two differ",
        "That is where they differ; where do they say the same?",
        observed=_different,
    ),
    _mistake(
        "agreement_not_divided",
        "01",
        "count the agreement",
        "counting the pairs on which they agree and not dividing",
        "That is how many; out of how many?",
        observed=_equal_undivided,
    ),
    _mistake(
        "chance_in_yes",
        "01",
        "what chance would do",
        "multiplying the shares of yes alone",
        "Dice can also meet in a no; how often do both say that?",
        chance=_chance_in_yes,
    ),
    _mistake(
        "chance_in_two_labels",
        "01",
        "what chance would do",
        "treating every label as yes or the rest",
        "Two labels of the rest may still differ from each other; over which labels does the sum go?",
        chance=_chance_in_two_labels,
    ),
    _mistake(
        "chance_of_yes_and_no",
        "01",
        "what chance would do",
        "adding up the chance of yes and no where there are more labels",
        "Two annotators can also meet in a third label; over which labels does the sum go?",
        chance=_chance_of_yes_and_no,
    ),
    _mistake(
        "grades_added_up",
        "01",
        "what chance would do",
        "adding up the grades as if each were a yes",
        "The highest grade is one label and not several; how do you count how often a label is given?",
        chance=_chance_of_sums,
    ),
    _mistake(
        "chance_of_dice",
        "01",
        "what chance would do",
        "giving every label the same chance",
        "These dice are loaded, each with the habits of its owner; how often does each of them say yes?",
        chance=_chance_of_dice,
    ),
    _mistake(
        "chance_of_one_habit",
        "01",
        "what chance would do",
        "throwing both annotators' labels together, as a measure called Scott's pi does",
        "Cohen's chance leaves each annotator their own habit; how often does each of them say yes?",
        chance=_chance_of_one_habit,
    ),
    _mistake(
        "chance_divided_once",
        "01",
        "what chance would do",
        "dividing the products by the number of pairs once",
        "A chance is a share times a share; how often does each of the two numbers have to be divided?",
        chance=_chance_divided_once,
    ),
    _mistake(
        "boxes_multiplied",
        "01",
        "what chance would do",
        "multiplying the two boxes in which they agree",
        "Those boxes are what they did together; how often does each of them, alone, say yes?",
        chance=_boxes_multiplied,
    ),
    _mistake(
        "boxes_by_columns",
        "01",
        "what chance would do",
        "multiplying each box of agreement by its column",
        "A column holds the habit of the second; where is the whole habit of the first?",
        chance=_boxes_by_columns,
    ),
    _mistake(
        "chance_to_differ",
        "01",
        "what chance would do",
        "multiplying one's yes by the other's no",
        "That is how often chance would have them differ; when do they say the same?",
        chance=_chance_to_differ,
    ),
    _mistake(
        "labels_counted_often",
        "01",
        "what chance would do",
        "going over the labels of the list as often as they come",
        "Each different label takes part once in the chance; which labels does your sum go over?",
        chance=_chance_over_every_item,
    ),
    _mistake(
        "observed_for_chance",
        "01",
        "what chance would do",
        "taking the agreement that was reached",
        "That is what they did reach; what would two dice with their habits reach?",
        chance=share_of_equal,
    ),
    _mistake(
        "raw_agreement",
        "01",
        "cohen's kappa",
        "taking the raw agreement",
        "Part of that agreement comes by itself; which part of it would chance have brought?",
        combine=observed_alone,
    ),
    _mistake(
        "kappa_not_divided",
        "01",
        "cohen's kappa",
        "subtracting chance and not dividing",
        "That is how far they got beyond chance; how far could they have got?",
        combine=_difference,
    ),
    _mistake(
        "kappa_over_chance",
        "01",
        "cohen's kappa",
        "dividing by the agreement of chance",
        "What you divide by is the room that chance has left; how much is that?",
        combine=_over_chance,
    ),
    _mistake(
        "kappa_brackets_missing",
        "01",
        "cohen's kappa",
        "leaving out the brackets at the bottom of the fraction",
        "Python divides before it subtracts; what has to be worked out first?",
        combine=_brackets_missing,
    ),
    _mistake(
        "kappa_top_brackets_missing",
        "01",
        "cohen's kappa",
        "leaving out the brackets at the top of the fraction",
        "Python divides before it subtracts; what has to be subtracted first?",
        combine=_top_brackets_missing,
    ),
    _mistake(
        "undefined_kappa_as_one",
        "01",
        "when kappa is undefined",
        "calling kappa one where chance alone always agrees",
        "Dice would have agreed there as well; what is left for the annotators to prove?",
        combine=_one_if_undefined,
    ),
    _mistake(
        "undefined_kappa_as_zero",
        "01",
        "when kappa is undefined",
        "calling kappa zero where chance alone always agrees",
        "Zero would say that they did no better than dice; could anybody have done better there?",
        combine=_zero_if_undefined,
    ),
)

_IN_EXERCISES: tuple[Mistake, ...] = (
    _mistake(
        "not_divided",
        "02",
        "recall is a share",
        "counting the hits and not dividing",
        "That is how many were found; out of how many?",
        share=_undivided,
    ),
    _mistake(
        "missed_share",
        "02",
        "recall is a share",
        "taking the share that was missed",
        "That is what the list left out; what did it find?",
        share=_missed,
    ),
    _mistake(
        "recall_instead",
        "02",
        "precision beside recall",
        "dividing by the relevant passages, which is recall",
        "Precision is about the list that the reader saw; how many results has it?",
        share=of_the_relevant,
    ),
    _mistake(
        "recall_for_hit_rate",
        "02",
        "hit rate is not recall",
        "averaging the recall of the questions",
        "Hit rate asks each question for a yes or a no; which questions have at least one hit?",
        share=of_the_relevant,
    ),
    _mistake(
        "missed_for_hit_rate",
        "02",
        "hit rate is not recall",
        "counting the questions that got nothing",
        "Those were let down; how many got at least one?",
        share=_missed,
    ),
    _mistake(
        "all_for_hit_rate",
        "02",
        "hit rate is not recall",
        "counting only the questions where everything was found",
        "Hit rate is content with less than everything; how many hits does it ask for?",
        share=_all_or_nothing,
    ),
    _mistake(
        "recall_for_ceiling",
        "02",
        "the ceiling",
        "averaging the recall that this search reached",
        "That is what one search found; what would a perfect one find?",
        share=of_the_relevant,
    ),
    _mistake(
        "precision_of_the_found",
        "02",
        "precision beside recall",
        "dividing by the relevant passages that the list contains",
        "Precision counts every result the reader saw, good or bad; how many stand in the top k?",
        share=_of_the_found,
    ),
    _mistake(
        "precision_not_divided",
        "02",
        "precision beside recall",
        "counting the hits and not dividing",
        "That is how many results were good; out of how many results?",
        share=_undivided,
    ),
    _mistake(
        "precision_turned_over",
        "02",
        "precision beside recall",
        "dividing the length of the list by the hits",
        "A share is never above one; which of the two numbers is the part, and which the whole?",
        share=_places_over_hits,
    ),
    _mistake(
        "precision_at_five",
        "02",
        "precision beside recall",
        "taking precision at five",
        "The list is longer now; how many results does the reader see, and how many of them are good?",
        share=_of_five,
        cut=_stop_at_five,
    ),
    _mistake(
        "any_hit_only",
        "02",
        "hit rate is not recall",
        "asking only whether there is any hit",
        "One hit is enough for that number; does this measure not count the others as well?",
        share=any_hit,
    ),
    _mistake(
        "stopped_at_five",
        "02",
        "the cutoff k",
        "counting the hits down to rank five only",
        "The list is read further down now; which hits does the reader meet below rank five?",
        cut=_stop_at_five,
    ),
    _mistake(
        "up_to_the_last_hit",
        "02",
        "the cutoff k",
        "dividing all hits in the list by the rank of the last one",
        "The last hit decides neither where the reader stops nor what exists; what do you divide by?",
        share=_up_to_the_last_hit,
    ),
    _mistake(
        "turned_over",
        "02",
        "recall is a share",
        "dividing the relevant passages by the hits",
        "A share is never above one; which of the two numbers is the part, and which the whole?",
        share=_turned_over,
    ),
    _mistake(
        "repeats_removed_first",
        "03",
        "a passage that comes twice",
        "removing repeats before the cut",
        "Whoever reads down the list meets the repeat on the way; does it not take up a rank?",
        keep=_without_repeats,
    ),
    _mistake(
        "found_before_skipped",
        "03",
        "a passage that comes twice",
        "skipping a passage that an earlier question has found",
        "Only a repeat in the same list is counted once; what has another question to do with this one?",
        mean=_new_hits_only,
    ),
    _mistake(
        "capped_over_k",
        "05",
        "capped recall",
        "dividing the hits by k in every question",
        "Where fewer passages exist than there are places, the places cannot all be filled; what is the "
        "smaller number there?",
        share=of_k,
    ),
    _mistake(
        "summed_not_averaged",
        "02",
        "the mean over questions",
        "adding the questions' values up without dividing",
        "That is the sum over the questions; how many of them take part in the mean?",
        mean=_summed,
    ),
    _mistake(
        "first_question_only",
        "02",
        "the mean over questions",
        "stopping after the first question",
        "A return ends the function where it stands; does yours stand inside the loop?",
        questions=_first_question,
    ),
    _mistake(
        "last_question_only",
        "02",
        "the mean over questions",
        "keeping the last question only",
        "What is set inside a loop is set anew in every round; where should yours begin?",
        questions=_last_question,
    ),
    _mistake(
        "ceiling_of_the_found",
        "05",
        "the ceiling is about what exists",
        "taking the best order of the passages that were found",
        "A perfect search would also find what this one missed; what limits even that one?",
        share=_best_of_the_found,
    ),
    _mistake(
        "ceiling_needs_a_hit",
        "02",
        "the ceiling",
        "giving a ceiling of zero where this search found nothing",
        "A perfect search does not care what this one missed; how many passages would it find there?",
        share=_best_where_hit,
    ),
    _mistake(
        "ceiling_of_the_average",
        "05",
        "many questions",
        "taking the ceiling of the average number of relevant passages",
        "No question has that average; what is the ceiling of each question by itself?",
        mean=_of_the_average_question,
    ),
    _mistake(
        "ceiling_at_five",
        "05",
        "on real text",
        "taking the ceiling at five",
        "That is the number of a shorter list; which k does the question name?",
        share=_best_of_five,
    ),
    _mistake(
        "ceiling_of_the_hand_sheet",
        "05",
        "on real text",
        "using the numbers of the hand sheet instead of these questions",
        "That is a ceiling of other questions; which list holds the numbers of these?",
        mean=_of_the_hand_sheet,
    ),
    _mistake(
        "ceiling_over_k",
        "05",
        "the ceiling is a recall",
        "dividing the best possible hits by k",
        "The ceiling is the highest recall possible; what does recall divide by?",
        share=_best_over_k,
    ),
    _mistake(
        "ceiling_always_one",
        "05",
        "when k is too small",
        "taking the ceiling as one everywhere",
        "Can a list of k results hold every relevant passage of every question?",
        share=_always_one,
    ),
    _mistake(
        "ceiling_not_capped",
        "05",
        "the ceiling is a recall",
        "dividing k by the number of relevant passages without a limit",
        "Where fewer relevant passages exist than fit, the list cannot find more than all; what is the "
        "ceiling there?",
        share=_k_over_relevant,
    ),
    _mistake(
        "ceiling_upside_down",
        "05",
        "the ceiling is a recall",
        "dividing the relevant passages by the places in the list",
        "That says how many times too small the list is; what share of the passages fits in?",
        share=_upside_down,
    ),
    _mistake(
        "ceiling_as_count",
        "05",
        "the ceiling is a recall",
        "counting the places instead of dividing",
        "So many passages can be found at best; out of how many?",
        share=_places,
    ),
    _mistake(
        "ceiling_instead",
        "05",
        "a score beside its ceiling",
        "taking what a perfect search would reach",
        "That is the best anybody could do; what did this list do?",
        share=best_possible,
        mean=macro,
    ),
    _mistake(
        "plain_recall",
        "05",
        "a score beside its ceiling",
        "taking the mean recall as it is",
        "That is the score; where does the ceiling come in?",
        share=of_the_relevant,
        mean=macro,
    ),
    _mistake(
        "ratio_of_means",
        "05",
        "the ratio of the means",
        "averaging recall and ceiling first and dividing then",
        "Averaging first lets the questions with a high ceiling weigh more; which comes first here, the "
        "division or the mean?",
        share=of_the_relevant,
        mean=_over_mean_ceiling,
    ),
    _mistake(
        "mean_of_ratios",
        "05",
        "the ratio of the means",
        "dividing each question's recall by its own ceiling and averaging then",
        "Dividing first gives each question the same weight; which comes first here, the mean or the "
        "division?",
        share=of_the_reachable,
        mean=macro,
    ),
    _mistake(
        "random_as_hits",
        "04",
        "a random order",
        "counting the relevant passages that turn up on average",
        "So many of them turn up in the top k; which share of all relevant passages is that?",
        share=_expected_hits,
    ),
    _mistake(
        "random_as_precision",
        "04",
        "a random order",
        "taking the share of relevant passages in the whole pile",
        "That share is the same at every k; what do you gain by looking further down?",
        share=_relevant_among_all,
    ),
    _mistake(
        "random_relevant_over_k",
        "04",
        "a random order",
        "dividing the relevant passages by k",
        "That compares what exists with how far somebody reads; where does the size of the pile come in?",
        share=_relevant_over_k,
    ),
    _mistake(
        "random_one_place",
        "04",
        "a random order",
        "taking the chance of a single place",
        "A passage may stand at any place of the top k; how many places are there?",
        share=_one_place,
    ),
    _mistake(
        "random_turned_over",
        "04",
        "a random order",
        "dividing the passages by the places",
        "A share is never above one; which of the two numbers is the part, and which the whole?",
        share=_all_over_k,
    ),
    _mistake(
        "macro_for_micro",
        "06",
        "macro and micro",
        "averaging the recalls of the questions",
        "That gives each question one vote; in which sum does each relevant passage get one?",
        share=of_the_relevant,
        mean=macro,
    ),
    _mistake(
        "macro_with_zeros",
        "06",
        "macro and micro",
        "averaging the recalls with a zero for each question that has nothing to find",
        "That gives each question one vote, even one with nothing to find; in which sum does each relevant "
        "passage get one?",
        mean=macro,
        nothing_relevant=Fraction(0),
    ),
    _mistake(
        "recalls_summed_for_micro",
        "06",
        "macro and micro",
        "adding the recalls of the questions up",
        "Micro adds up before anything is divided; what are its two sums?",
        mean=_summed,
    ),
    _mistake(
        "one_to_find_in_nothing",
        "02",
        "a question with nothing to find",
        "counting one passage to find where there is none",
        "Nothing exists to be found for that question; what does it add to each of the two sums?",
        nothing_relevant=Fraction(0),
    ),
    _mistake(
        "thrown_together",
        "06",
        "macro and micro",
        "throwing the passages of all questions together",
        "A passage may be found for one question and wanted by another; for which of the two is it a hit?",
        mean=_one_heap,
    ),
    _mistake(
        "wanted_twice_counted_once",
        "06",
        "macro and micro",
        "counting a passage once though two questions want it",
        "Each question that wants a passage has to find it; how many votes has one that two questions want?",
        mean=_different_passages,
    ),
    _mistake(
        "found_twice_counted_once",
        "06",
        "macro and micro",
        "counting a passage once though it was found for two questions",
        "Each of the two questions has its hit; how many hits is that together?",
        mean=_different_hits,
    ),
    _mistake(
        "cut_off_to_whole_numbers",
        "02",
        "recall is a share",
        "cutting the result off to a whole number",
        "A share stands between zero and one; what do two slashes do to it, and what does one?",
        mean=_micro_cut_off,
    ),
    _mistake(
        "no_passage_as_zero",
        "02",
        "a question with nothing to find",
        "returning zero where nothing exists at all",
        "Zero says that everything was missed; what was there to find?",
        mean=_micro_or_zero,
    ),
    _mistake(
        "never_found_left_out",
        "02",
        "which questions count",
        "leaving out the questions whose passages were never found",
        "A question that the search never answers is gone from that mean; is it not the one to worry about?",
        included=_is_found_somewhere,
    ),
    _mistake(
        "ties_by_id_ascending",
        "03",
        "order comes from the rank",
        "putting the smaller id first where two scores are equal, as the file happens to have them",
        "Sorting by the score alone leaves equal scores as they come, and ours follow a rule; which of the "
        "ids goes first?",
        order=_ties_ascending,
    ),
    _mistake(
        "scores_sorted_as_text",
        "03",
        "order comes from the rank",
        "sorting the scores as text",
        "Text is compared letter by letter, so a long number can come before a short one; are your "
        "scores numbers?",
        order=_scores_as_text,
    ),
)

CATALOGUE: dict[str, Mistake] = {
    mistake.id: mistake for mistake in (*ON_FIXTURE, *_ON_AGREEMENT, *_IN_EXERCISES)
}


def compatible(one: Mistake, other: Mistake) -> bool:
    """Whether both mistakes can be made in one computation: they replace different steps."""
    return not set(one.steps) & set(other.steps)


def pairs(mistakes: Iterable[Mistake]) -> list[tuple[Mistake, Mistake]]:
    """All pairs of mistakes that can be made together."""
    return [(one, other) for one, other in combinations(mistakes, 2) if compatible(one, other)]


def render_page() -> str:
    """The catalogue as a page of the book (Markdown), with the number each mistake prints on the fixture."""
    right = RECALL.value(fixture.SHEET)
    lines = [
        "# The catalogue of mistakes",
        "",
        f"One small data set, {len(ON_FIXTURE)} mistakes, {len(ON_FIXTURE) + 1} different numbers. Mean "
        f"recall@{fixture.K} "
        f"of the fixture is {right}, or {_four_places(right)}. If you got another number, find it in the "
        "table.",
        "",
        "| You got | by | Ask yourself | See |",
        "|---|---|---|---|",
    ]
    valued = [(mistake.wrong(RECALL).value(fixture.SHEET), mistake) for mistake in ON_FIXTURE]
    for value, mistake in sorted(valued, key=lambda pair: pair[0] or 0):
        lines.append(f"| {_four_places(value)} | {mistake.name} | {mistake.asks} | {mistake.section} |")
    lines += [
        "",
        "Each mistake changes one step of the computation and leaves the rest right. Two mistakes made "
        "together never "
        "give the right number here, so a right answer is not two wrongs in disguise.",
        "",
        "## Mistakes met in single exercises",
        "",
        "| What was done | Ask yourself | See |",
        "|---|---|---|",
    ]
    lines += [
        f"| {mistake.name} | {mistake.asks} | {mistake.section} |"
        for mistake in (*_ON_AGREEMENT, *_IN_EXERCISES)
    ]
    return "\n".join(lines) + "\n"


def _four_places(value: Fraction | None) -> str:
    return "undefined" if value is None else f"{float(value):.4f}"
