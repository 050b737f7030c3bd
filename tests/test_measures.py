"""The readable measures: worked numbers as exact fractions, and every trap in their inputs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_lab.errors import RecallLabError
from recall_lab.measures import (
    achievable_recall_at_k,
    average_precision,
    capped_recall_at_k,
    check_k,
    hit_rate_at_k,
    judged_at_k,
    mean_hit_rate_at_k,
    mean_of_defined,
    mean_recall_at_k,
    micro_recall_at_k,
    ndcg_at_k,
    perfect_rerank,
    precision_at_k,
    r_precision,
    recall_at_k,
    reciprocal_rank_at_k,
    rerank_headroom_at_k,
)
from recall_lab.run import Run

WITH_K = [recall_at_k, capped_recall_at_k, precision_at_k, hit_rate_at_k, judged_at_k, ndcg_at_k]
WITH_K_OR_NOT = [reciprocal_rank_at_k, average_precision]


def exact(value: float | None) -> Fraction:
    """The fraction with a small denominator that a float stands for."""
    assert value is not None
    fraction = Fraction(value).limit_denominator(2000)
    assert math.isclose(value, fraction, rel_tol=1e-12)
    return fraction


def ranked(relevant_count: int, ranks: tuple[int, ...], name: str = "r") -> tuple[list[str], set[str]]:
    """A ranking whose relevant documents stand at these ranks, and all relevant ids, found or not."""
    relevant = [f"{name}{i}" for i in range(relevant_count)]
    length = max(ranks, default=0)
    retrieved = [f"x{rank}" for rank in range(1, length + 1)]
    for doc, rank in zip(relevant, ranks, strict=False):
        retrieved[rank - 1] = doc
    return retrieved, set(relevant)


CLAIM_1 = ranked(4, (2, 5, 9))
SHEET = [
    CLAIM_1,
    ranked(4, (1, 3, 4, 8)),
    ranked(20, tuple(range(1, 21))),
    ranked(0, ()),
    ranked(1, (12,)),
]


# ----------------------------------------------------------------------------------------- worked numbers


def test_four_relevant_three_found() -> None:
    assert [exact(recall_at_k(*CLAIM_1, k)) for k in (3, 5, 10, 100)] == [
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(3, 4),
        Fraction(3, 4),
    ]
    assert [exact(precision_at_k(*CLAIM_1, k)) for k in (1, 2, 4, 5)] == [
        0,
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(2, 5),
    ]


def test_order_inside_the_top_k_does_not_count() -> None:
    retrieved, relevant = CLAIM_1
    assert {recall_at_k(list(top), relevant, 5) for top in permutations(retrieved[:5])} == {0.5}


def test_three_in_the_top_five_the_fourth_at_eight() -> None:
    retrieved, relevant = ranked(4, (1, 2, 4, 8))
    assert exact(recall_at_k(retrieved, relevant, 5)) == Fraction(3, 4)
    assert recall_at_k(retrieved, relevant, 10) == 1.0
    assert exact(precision_at_k(retrieved, relevant, 5)) == Fraction(3, 5)
    assert exact(precision_at_k(retrieved, relevant, 10)) == Fraction(2, 5)


@pytest.mark.parametrize(
    ("k", "macro", "micro", "hit_rate", "ceiling", "zeros"),
    [
        (5, Fraction(3, 8), Fraction(10, 29), Fraction(3, 4), Fraction(13, 16), 0.300),
        (10, Fraction(9, 16), Fraction(17, 29), Fraction(3, 4), Fraction(7, 8), 0.450),
        (20, Fraction(15, 16), Fraction(28, 29), 1, 1, 0.750),
    ],
)
def test_hand_sheet(
    k: int, macro: Fraction, micro: Fraction, hit_rate: Fraction, ceiling: Fraction, zeros: float
) -> None:
    assert exact(mean_recall_at_k(SHEET, k)) == macro
    assert exact(micro_recall_at_k(SHEET, k)) == micro
    assert exact(mean_hit_rate_at_k(SHEET, k)) == hit_rate
    assert exact(achievable_recall_at_k(SHEET, k)) == ceiling
    assert math.isclose(sum(recall_at_k(*pair, k) or 0 for pair in SHEET) / 5, zeros)


def test_hand_sheet_where_micro_and_macro_cross() -> None:
    micro_leads = [micro_recall_at_k(SHEET, k) > mean_recall_at_k(SHEET, k) for k in range(1, 30)]
    crossings = [k for k in range(2, 30) if micro_leads[k - 1] != micro_leads[k - 2]]
    assert crossings[:3] == [7, 12, 19]


def test_hit_rate_is_the_easier_test_but_micro_can_pass_it() -> None:
    seven_of_ten = [ranked(1, (1,))] * 7 + [ranked(1, ())] * 3
    assert mean_hit_rate_at_k(seven_of_ten, 1) == 0.7
    two = [ranked(1, ()), ranked(20, tuple(range(1, 21)))]
    assert round(micro_recall_at_k(two, 20), 3) == 0.952
    assert mean_hit_rate_at_k(two, 20) == 0.5


def test_ceiling() -> None:
    assert achievable_recall_at_k(20, 10) == 0.5
    assert exact(achievable_recall_at_k([2, 30], 10)) == Fraction(2, 3)
    assert exact(achievable_recall_at_k(100, 10)) == Fraction(1, 10)
    assert achievable_recall_at_k([0, 0], 10) is None
    assert achievable_recall_at_k([4, 4, 20, 0, 1], 5) == achievable_recall_at_k(SHEET, 5)


def test_ratio_of_means_is_not_mean_of_ratios() -> None:
    runs = [ranked(2, (1,)), ranked(30, tuple(range(2, 11)))]
    recalls, ceilings = mean_recall_at_k(runs, 10), achievable_recall_at_k(runs, 10)
    assert exact(recalls / ceilings) == Fraction(3, 5)
    assert exact(mean_of_defined(capped_recall_at_k(*pair, 10) for pair in runs)) == Fraction(7, 10)


def test_macro_and_micro() -> None:
    runs = [ranked(2, (1, 2)), ranked(30, (1, 2, 3))]
    assert exact(mean_recall_at_k(runs, 10)) == Fraction(11, 20)
    assert exact(micro_recall_at_k(runs, 10)) == Fraction(5, 32)


FIXTURE = {
    "a": (10, "RRDnRnRunn"),
    "b": (2, "nnRuRumn"),
    "c": (3, "muRuuRumR"),
    "d": (1, ""),
    "e": (0, "uunmnnuu"),
    "f": (2, "unnnuRn"),
    "g": (0, "nuu"),
}


def fixture_runs() -> Iterator[tuple[list[str], set[str]]]:
    """The misconception fixture: R relevant, D a repeat of the second R, anything else not relevant."""
    for query, (relevant_count, marks) in FIXTURE.items():
        retrieved: list[str] = []
        for place, mark in enumerate(marks):
            found = [doc for doc in retrieved if doc.startswith("R")]
            retrieved.append(
                {"R": f"R{query}{len(found)}", "D": f"R{query}1"}.get(mark, f"{mark}{query}{place}")
            )
        yield retrieved, {f"R{query}{i}" for i in range(relevant_count)}


def test_misconception_fixture_has_its_right_answer() -> None:
    runs = list(fixture_runs())
    assert exact(mean_recall_at_k(runs, 5)) == Fraction(49, 150)
    repeats_removed_first = [(list(dict.fromkeys(retrieved)), relevant) for retrieved, relevant in runs]
    assert exact(mean_recall_at_k(repeats_removed_first, 5)) == Fraction(49, 150)
    assert exact(mean_hit_rate_at_k(runs, 5)) == Fraction(3, 5)
    assert exact(micro_recall_at_k(runs, 5)) == Fraction(1, 3)


def test_average_precision_divides_by_all_that_exist() -> None:
    assert round(average_precision(*CLAIM_1), 3) == 0.308
    retrieved, relevant = CLAIM_1
    assert round(average_precision(retrieved, relevant & set(retrieved)), 3) == 0.411
    assert round(average_precision(*ranked(3, (8, 9, 10))), 3) == 0.216
    assert recall_at_k(*ranked(3, (8, 9, 10)), 10) == 1.0
    assert exact(average_precision(*ranked(3, (1, 2)))) == Fraction(2, 3)


def test_ndcg_needs_all_that_exist() -> None:
    retrieved, relevant = CLAIM_1
    assert round(ndcg_at_k(retrieved, relevant, 5), 3) == 0.397
    assert round(ndcg_at_k(retrieved, relevant & set(retrieved), 5), 3) == 0.478


def test_with_one_relevant_document_the_means_can_still_disagree() -> None:
    first, second = ([ranked(1, (rank,)) for rank in ranks] for ranks in ((1, 2, 2), (1, 1, 6)))
    assert round(mean_of_defined(ndcg_at_k(*pair, 5) for pair in first), 3) == 0.754
    assert round(mean_of_defined(ndcg_at_k(*pair, 5) for pair in second), 3) == 0.667
    assert round(mean_of_defined(reciprocal_rank_at_k(*pair) for pair in first), 3) == 0.667
    assert round(mean_of_defined(reciprocal_rank_at_k(*pair) for pair in second), 3) == 0.722


def test_r_precision_is_where_precision_meets_recall() -> None:
    assert r_precision(*CLAIM_1) == precision_at_k(*CLAIM_1, 4) == recall_at_k(*CLAIM_1, 4) == 0.25


def test_exponential_gain_is_named() -> None:
    grades = {"a": 3, "b": 1}
    assert math.isclose(ndcg_at_k(["b", "a"], grades, 2), (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))
    assert math.isclose(
        ndcg_at_k(["b", "a"], grades, 2, gain="exponential"), (1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3))
    )
    with pytest.raises(RecallLabError, match="gain"):
        ndcg_at_k(["a"], grades, 1, gain="log")  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="1000"):
        ndcg_at_k(["a"], {"a": 1001}, 1, gain="exponential")


def test_judged_share_of_what_is_shown() -> None:
    assert exact(judged_at_k(["a", "x", "b"], {"a", "b"}, 2)) == Fraction(1, 2)
    assert exact(judged_at_k(["a", "x", "b"], {"a", "b"}, 10)) == Fraction(2, 3)
    assert judged_at_k([], {"a"}, 3) is None


# ---------------------------------------------------------------------------- what a rerank can still win


@st.composite
def candidates_and_grades(draw: st.DrawFn) -> tuple[list[str], dict[str, int]]:
    grades = draw(st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 3), min_size=1, max_size=6))
    retrieved = draw(st.lists(st.sampled_from("abcdexyz"), max_size=6, unique=True))
    return retrieved, grades


@given(candidates_and_grades(), st.integers(1, 7))
def test_perfect_rerank_is_the_best_of_all_orders(drawn: tuple[list[str], dict[str, int]], j: int) -> None:
    candidates, grades = drawn
    relevant = {doc for doc, grade in grades.items() if grade >= 1}
    best = perfect_rerank(candidates, grades)
    orders = [list(order) for order in permutations(candidates)]

    def is_most(measure, *more) -> None:
        values = [measure(order, *more) for order in orders]
        assert measure(best, *more) == (None if values[0] is None else pytest.approx(max(values)))

    for measure in (recall_at_k, precision_at_k, hit_rate_at_k):
        is_most(measure, relevant, j)
    for measure in (reciprocal_rank_at_k, average_precision):
        is_most(measure, relevant)
        is_most(measure, relevant, j)
    is_most(ndcg_at_k, grades, j, "linear")
    is_most(ndcg_at_k, grades, j, "exponential")


@given(candidates_and_grades(), st.integers(1, 7))
def test_the_closed_forms_of_the_bounds(drawn: tuple[list[str], dict[str, int]], j: int) -> None:
    candidates, grades = drawn
    relevant = {doc for doc, grade in grades.items() if grade >= 1}
    best, r, R = perfect_rerank(candidates, grades), len(relevant & set(candidates)), len(relevant)
    assert precision_at_k(best, relevant, j) == min(j, r) / j
    if R:
        assert recall_at_k(best, relevant, j) == min(j, r) / R
        assert average_precision(best, relevant) == pytest.approx(r / R)
        assert average_precision(best, relevant) == pytest.approx(recall_at_k(candidates, relevant, 100))
        assert average_precision(best, relevant, j) == pytest.approx(min(j, r) / R)
        assert reciprocal_rank_at_k(best, relevant) == (1.0 if r else 0.0)
        assert rerank_headroom_at_k(candidates, relevant, j) == pytest.approx(
            min(j, r) / R - recall_at_k(candidates, relevant, j)
        )


def test_ndcg_ceiling_is_above_recall_for_binary_grades_and_can_be_below_for_graded_ones() -> None:
    assert round(ndcg_at_k(["a", "b", "c"], "a b c d".split(), 4), 3) == 0.832
    some = [f"r{i}" for i in range(20)]
    assert ndcg_at_k(some[:5], some, 5) == 1.0
    assert recall_at_k(some[:5], some, 5) == 0.25
    grades = {"lost": 3, "found": 1}
    assert round(ndcg_at_k(["found"], grades, 5), 3) == 0.275
    assert round(ndcg_at_k(["found"], grades, 5, gain="exponential"), 3) == 0.131
    assert recall_at_k(["found"], grades.keys(), 5) == 0.5


def test_headroom_is_less_than_the_bare_gap() -> None:
    candidates, relevant = ranked(10, (1, 2, 3, 4, 10, 12, 15, 20))
    assert exact(recall_at_k(candidates, relevant, 20) - recall_at_k(candidates, relevant, 5)) == Fraction(
        2, 5
    )
    assert exact(rerank_headroom_at_k(candidates, relevant, 5)) == Fraction(1, 10)


def test_ten_questions_ranking_or_depth() -> None:
    ranks = [1, 3, 12, 2, None, 5, 17, 1, 48, 4]
    questions = [ranked(1, () if rank is None else (rank,)) for rank in ranks]
    assert [mean_hit_rate_at_k(questions, k) for k in (5, 20, 50)] == [0.6, 0.8, 0.9]


# --------------------------------------------------------------------------------------------- properties

docs = st.sampled_from("abcdefgh")


@given(st.lists(docs, max_size=12), st.sets(docs), st.integers(1, 15))
def test_bounds_and_identities(retrieved: list[str], relevant: set[str], k: int) -> None:
    recall = recall_at_k(retrieved, relevant, k)
    precision = precision_at_k(retrieved, relevant, k)
    if not relevant:
        assert recall is None
        assert precision == 0
        return
    assert 0 <= recall <= achievable_recall_at_k(len(relevant), k) <= 1
    assert precision * k == pytest.approx(recall * len(relevant))
    assert recall_at_k(retrieved, relevant, k + 1) >= recall
    assert recall <= hit_rate_at_k(retrieved, relevant, k)
    assert recall <= capped_recall_at_k(retrieved, relevant, k) <= 1
    assert 0 <= ndcg_at_k(retrieved, relevant, k) <= 1 + 1e-12
    assert average_precision(retrieved, relevant) <= recall_at_k(retrieved, relevant, 100) + 1e-12


# --------------------------------------------------------------------------------------------- bad inputs


@pytest.mark.parametrize("bad", [0, -1, 2.0, 2.5, True, "5", None, float("nan"), np.bool_(True)])
def test_k_that_is_no_whole_number_from_one(bad: object) -> None:
    for measure in WITH_K:
        with pytest.raises(ValueError, match=r"\bk\b"):
            measure(["a"], ["a"], bad)
    for measure in WITH_K_OR_NOT:
        if bad is not None:
            with pytest.raises(ValueError, match=r"\bk\b"):
                measure(["a"], ["a"], bad)
    for measure in (mean_recall_at_k, micro_recall_at_k, mean_hit_rate_at_k, achievable_recall_at_k):
        with pytest.raises(ValueError, match=r"\bk\b"):
            measure([(["a"], ["a"])], bad)
    with pytest.raises(ValueError, match=r"\bk\b"):
        rerank_headroom_at_k(["a"], ["a"], bad)


@pytest.mark.parametrize("k", [np.int64(2), np.int32(2), np.uint8(2), 2])
def test_numpy_integers_are_whole_numbers(k: int) -> None:
    assert recall_at_k(["x", "a"], ["a"], k) == 1.0
    assert check_k(k) == 2


def test_a_k_is_wrong_even_when_nothing_is_relevant() -> None:
    for measure in WITH_K:
        with pytest.raises(RecallLabError):
            measure(["a"], [], 0)


@pytest.mark.parametrize("measure", WITH_K)
def test_a_text_is_never_taken_for_its_characters(measure) -> None:
    with pytest.raises(RecallLabError, match="text"):
        measure("d1,d2", ["d1"], 3)
    with pytest.raises(RecallLabError, match="text"):
        measure(["d1"], "d1,d2", 3)
    with pytest.raises(RecallLabError, match="text"):
        measure(["d1"], b"d1", 3)


def test_what_has_no_order_is_no_ranking() -> None:
    with pytest.raises(RecallLabError, match="set"):
        recall_at_k({"a", "b"}, ["a"], 1)
    with pytest.raises(RecallLabError, match="sort"):
        recall_at_k({"a": 0.5}, ["a"], 1)
    with pytest.raises(RecallLabError, match="5"):
        recall_at_k(5, ["a"], 1)


TABLE = pd.DataFrame({"doc_id": ["a", "b"], "score": [2.0, 1.0]})


@pytest.mark.parametrize(
    "bad",
    [
        TABLE,
        np.array([["a", "b"]]),
        np.array("a"),
        Run({"a": ["a"]}),
        bytearray(b"a"),
        [["a"]],
        [{"id": "a"}],
    ],
    ids=lambda bad: type(bad).__name__,
)
def test_what_is_not_one_list_of_ids_is_refused_on_both_sides(bad: object) -> None:
    with pytest.raises(RecallLabError):
        recall_at_k(bad, ["a"], 1)  # type: ignore[arg-type]
    with pytest.raises(RecallLabError):
        recall_at_k(["a"], bad, 1)  # type: ignore[arg-type]
    with pytest.raises(RecallLabError):
        ndcg_at_k(["a"], bad, 1)  # type: ignore[arg-type]


def test_a_table_is_told_to_give_a_column() -> None:
    with pytest.raises(RecallLabError, match=r"retrieved_ids is a DataFrame.*one column"):
        recall_at_k(TABLE, ["a"], 1)
    with pytest.raises(RecallLabError, match=r"retrieved_ids is a Run.*one query"):
        recall_at_k(Run({"a": ["a"]}), ["a"], 1)


def test_grades_are_not_relevant_ids() -> None:
    with pytest.raises(RecallLabError, match="grade"):
        recall_at_k(["a"], {"a": 0}, 1)
    with pytest.raises(RecallLabError, match="whole"):
        ndcg_at_k(["a"], {"a": 0.5}, 1)


@pytest.mark.parametrize(
    ("retrieved", "relevant"), [([1, 2], ["1"]), (["1"], {1}), ([1, "2"], []), (["a", 3], ["a"])]
)
def test_numbers_against_texts_are_named(retrieved: list, relevant: list) -> None:
    with pytest.raises(RecallLabError, match="text"):
        recall_at_k(retrieved, relevant, 2)


@pytest.mark.parametrize("bad", [1.0, None, True, ("a",), b"a"])
def test_other_kinds_of_ids_are_refused(bad: object) -> None:
    with pytest.raises(RecallLabError, match="id is a text or a whole number"):
        recall_at_k([bad], [], 2)


def test_any_collection_will_do() -> None:
    for retrieved in (("x", "a"), np.array(["x", "a"]), pd.Series(["x", "a"]), iter(["x", "a"])):
        assert recall_at_k(retrieved, (doc for doc in ["a", "b"]), 2) == 0.5
    assert average_precision(iter("xa"), iter("ab")) == 0.25
    assert r_precision(iter("ax"), iter("ab")) == 0.5
    assert ndcg_at_k(iter("a"), iter("a"), 1) == 1.0
    assert recall_at_k(np.array([3, 1]), range(2), 2) == 0.5
    assert recall_at_k([np.int64(3)], [3], 1) == 1.0


def test_runs_must_be_pairs() -> None:
    with pytest.raises(RecallLabError, match="pair"):
        mean_recall_at_k({"q1": (["a"], ["a"])}, 1)
    with pytest.raises(RecallLabError, match="pair"):
        mean_recall_at_k([["a", "b", "c"]], 1)
    with pytest.raises(RecallLabError, match="pair"):
        achievable_recall_at_k(["ab"], 1)
    with pytest.raises(RecallLabError, match="negative"):
        achievable_recall_at_k([-1], 1)
    assert mean_recall_at_k([], 1) is None
    assert micro_recall_at_k([(["a"], [])], 1) is None


def test_nothing_is_changed() -> None:
    retrieved, relevant = ["b", "a"], ["a", "a"]
    recall_at_k(retrieved, relevant, 1)
    perfect_rerank(retrieved, relevant)
    assert (retrieved, relevant) == (["b", "a"], ["a", "a"])
