"""The hit table: what it holds, ties, and what it refuses."""

from __future__ import annotations

import copy
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_lab.errors import RecallLabError
from recall_lab.hits import HitTable, hit_table, join
from recall_lab.run import Run

JUDGMENTS = {"q1": {"a": 2, "b": 0, "c": 1, "lost": 2}, "q2": {"a": 1}, "q3": {}}
RUN = {"q1": {"x": 9.0, "c": 8.0, "b": 7.0, "y": 7.0, "a": 7.0}, "q3": {"a": 1.0}}


def rows(table: HitTable) -> list[tuple]:
    frame = table.table().astype(object)
    return [
        tuple(None if value is not value or str(value) == "<NA>" else value for value in row)
        for row in frame.to_numpy()
    ]


def test_every_judged_document_has_its_row() -> None:
    table = hit_table(JUDGMENTS, Run(RUN))
    assert list(table.table().columns) == [
        "query",
        "document",
        "grade",
        "relevant",
        "rank",
        "best_rank",
        "worst_rank",
    ]
    assert rows(table) == [
        ("q1", "c", 1, True, 2, 2, 2),
        ("q1", "b", 0, False, 4, 3, 5),
        ("q1", "a", 2, True, 5, 3, 5),
        ("q1", "lost", 2, True, None, None, None),
        ("q2", "a", 1, True, None, None, None),
    ]
    assert table.depths.tolist() == [5, 0, 1]
    assert table.relevant_count.tolist() == [3, 1, 0]
    assert hit_table(JUDGMENTS, Run(RUN), min_grade=2).relevant_count.tolist() == [2, 0, 0]


def test_ties_as_given_and_at_best_and_worst() -> None:
    ranks = {
        order: {row[1]: row[4] for row in rows(table) if row[0] == "q1"}
        for order, table in {
            "as-given": hit_table(JUDGMENTS, Run(RUN), tie_order="as-given"),
            "best": hit_table(JUDGMENTS, Run(RUN)).reranked("best"),
            "worst": hit_table(JUDGMENTS, Run(RUN)).reranked("worst"),
        }.items()
    }
    assert ranks["as-given"] == {"c": 2, "b": 3, "a": 5, "lost": None}
    assert ranks["best"] == {"c": 2, "a": 3, "b": 4, "lost": None}
    assert ranks["worst"] == {"c": 2, "b": 4, "a": 5, "lost": None}


def test_a_perfect_rerank_moves_only_the_candidates() -> None:
    table = hit_table(JUDGMENTS, Run(RUN)).perfectly_reranked(4)
    assert {row[1]: row[4] for row in rows(table) if row[0] == "q1"} == {
        "c": 1,
        "b": 2,
        "a": None,
        "lost": None,
    }
    assert table.depths.tolist() == [4, 0, 1]


ids = st.sampled_from(["d1", "d2", "d10", "é", "z", "Z", "7"])


@given(
    st.dictionaries(ids, st.integers(-1, 3), max_size=7),
    st.dictionaries(ids, st.sampled_from([0.0, -0.0, 1, 1.5, 2.5]), max_size=7),
)
def test_ranks_are_those_of_the_ranking(grades: dict, scores: dict) -> None:
    run = Run({"q": scores})
    ranking = run.ranking("q")
    found = {row[1]: row for row in rows(hit_table({"q": grades}, run))}
    assert found.keys() == {doc for doc, grade in grades.items() if grade >= 0}
    for doc, (_, _, grade, relevant, rank, best_rank, worst_rank) in found.items():
        assert grade == grades[doc]
        assert relevant == (grade >= 1)
        if doc not in scores:
            assert rank is best_rank is worst_rank is None
        else:
            assert rank == ranking.index(doc) + 1
            assert best_rank == 1 + sum(other > scores[doc] for other in scores.values())
            assert worst_rank == sum(other >= scores[doc] for other in scores.values())


def test_parts_and_join_are_inverse() -> None:
    table = hit_table(JUDGMENTS, Run(RUN))
    parts = list(table.parts(1))
    assert [part.query_ids for part in parts] == [["q1"], ["q2"], ["q3"]]
    again = join(reversed(parts), table.query_ids)
    assert again.table().equals(table.table())
    assert again.depths.tolist() == table.depths.tolist()


def test_rows_of_one_query() -> None:
    table = hit_table(JUDGMENTS, Run(RUN))
    assert table.of_query("q1").documents == ["c", "b", "a", "lost"]
    assert table.of_query("q2").query_ids == ["q2"]
    assert table.of_query("q3").documents == []
    with pytest.raises(RecallLabError, match="q9"):
        table.of_query("q9")


def test_lists_and_sets_of_relevant_documents() -> None:
    for relevant in (["a", "b"], {"a", "b"}, ("b", "a"), iter("ab"), np.array(["a", "b"])):
        table = hit_table({"q": relevant}, Run({"q": ["x", "b"]}))
        assert [(row[1], row[2], row[4]) for row in rows(table)] == [("b", 1, 2), ("a", 1, None)]
    with pytest.raises(RecallLabError, match=r"'q'.*'a,b'"):
        hit_table({"q": "a,b"}, Run({"q": ["a"]}))


@pytest.mark.parametrize("grade", [0.5, "1", None, float("nan"), float("inf"), 14717500, 10**30, [1]])
def test_a_grade_that_is_no_whole_number_is_named(grade: object) -> None:
    with pytest.raises(RecallLabError, match=r"'d7'.*'q2'.*grades are whole numbers"):
        hit_table({"q1": {"a": 1}, "q2": {"a": 2, "d7": grade}}, Run({"q1": ["a"]}))


@pytest.mark.parametrize("grade", [1.0, np.int32(1), np.float32(1.0), np.float64(1.0), Fraction(1)])
def test_a_whole_number_of_any_type_is_a_grade(grade: object) -> None:
    assert hit_table({"q": {"a": grade}}, Run({"q": ["a"]})).grade.tolist() == [1]


def test_numbers_as_ids_work_among_themselves() -> None:
    table = hit_table({1: {9: 1, np.int64(10): 1, 8: 1}}, Run({1: {9: 1.0, 10: 1.0, 7: 1.0}}))
    assert [(row[1], row[4]) for row in rows(table)] == [
        (9, 1),
        (10, 3),
        (8, None),
    ]  # as texts: "9" > "7" > "10"


@pytest.mark.parametrize(
    ("grades", "found"),
    [
        ({"7": 1}, {7: 1.0}),
        ({7: 1}, {"7": 1.0}),
        ({"8": 1, "7": 0}, {"8": 2.0, 7: 1.0}),
        ({7: 1}, ["8", "7"]),
    ],
)
def test_a_number_against_a_text_is_found_out(grades: dict, found: dict) -> None:
    with pytest.raises(RecallLabError, match=r"'q'.*str\(\)"):
        hit_table({"q": grades}, Run({"q": found}))


@pytest.mark.parametrize("bad", [1.5, None, True, ("a", 1)])
def test_other_ids_are_refused(bad: object) -> None:
    with pytest.raises(RecallLabError, match="id is a text"):
        hit_table({"q": {bad: 1}}, Run({"q": ["a"]}))


@pytest.mark.parametrize("score", ["0.5", None, float("nan")])
def test_scores_of_a_plain_dict_are_checked_too(score: object) -> None:
    with pytest.raises(RecallLabError, match=r"'b'.*'q'"):
        hit_table({"q": {"a": 1}}, Run.of({"q": {"a": 1.0, "b": score}}))


def test_scores_of_32_bits_tie_where_those_of_64_do_not() -> None:
    run = Run({"q": {"a": 1.0 + 1e-12, "b": 1.0, "c": 1e300, "d": 2e300}})
    exact = hit_table({"q": list("abcd")}, run)
    rounded = hit_table({"q": list("abcd")}, run, single_precision=True)
    assert exact.documents == list("dcab")
    assert rounded.documents == list("dcba")
    assert rounded.best_rank.tolist() == [1, 1, 3, 3]


def test_inputs_stay_as_they_were() -> None:
    judgments, results = copy.deepcopy(JUDGMENTS), copy.deepcopy(RUN)
    hit_table(judgments, Run.of(results))
    assert judgments == JUDGMENTS
    assert results == RUN
    assert [list(found) for found in results.values()] == [list(found) for found in RUN.values()]


def test_nothing_judged_at_all() -> None:
    table = hit_table({}, Run({}))
    assert len(table.table()) == 0
    assert table.in_rank_order().relevant_count.tolist() == []


@pytest.mark.parametrize("judged", [[("a", 1)], [["a", 1]], [{"id": "a"}], pd.Series({"a": 1})])
def test_judgments_that_are_no_ids_are_named(judged: object) -> None:
    with pytest.raises(RecallLabError, match="judgments of query 'q7'"):
        hit_table({"q7": judged}, Run({"q7": ["a"]}))  # type: ignore[dict-item]


def test_a_list_of_relevant_documents_reaches_any_threshold() -> None:
    assert hit_table({"q": ["a"]}, Run({"q": ["a"]}), min_grade=2).relevant.tolist() == [True]
