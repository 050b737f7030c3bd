"""Evaluation: the fast form equals measures.py; averages, ties, reranks, slices, summaries, pieces."""

from __future__ import annotations

import copy
import gzip
import json
import math
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_lab import measures
from recall_lab.errors import InputFileError, NoCommonQueriesError, RecallLabError
from recall_lab.evaluation import MEASURES, Evaluation, evaluate, evaluate_file
from recall_lab.golden import GoldenDataset
from recall_lab.run import Run

DOCS = st.sampled_from([*"abcdefgh", "10", "9", "é"])
QUERIES = st.sampled_from(["q1", "q2", "q3", "q4", "q10"])
JUDGMENTS = st.dictionaries(QUERIES, st.dictionaries(DOCS, st.integers(-1, 3), max_size=8), min_size=1)
SCORES = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 1e-300, 3])
RESULTS = st.dictionaries(
    QUERIES, st.one_of(st.dictionaries(DOCS, SCORES, max_size=8), st.lists(DOCS, unique=True, max_size=8))
)

SHEET = {
    "q1": (4, (2, 5, 9)),
    "q2": (4, (1, 3, 4, 8)),
    "q3": (20, tuple(range(1, 21))),
    "q4": (0, ()),
    "q5": (1, (12,)),
}


def hand_sheet() -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    judgments, results = {}, {}
    for query, (relevant_count, ranks) in SHEET.items():
        judgments[query] = {f"r{i}": 1 for i in range(relevant_count)}
        ranking = [f"x{rank}" for rank in range(1, max(ranks, default=3) + 1)]
        for i, rank in enumerate(ranks):
            ranking[rank - 1] = f"r{i}"
        results[query] = ranking
    return judgments, results


def common(judgments: dict, results: dict) -> bool:
    return bool(judgments.keys() & results.keys())


def by_hand(measure: str, ranking: list, grades: dict, min_grade: int, k: int) -> float | None:
    """The value of one query according to measures.py."""
    relevant = {doc for doc, grade in grades.items() if grade >= min_grade}
    if measure == "ceiling":
        return measures.achievable_recall_at_k(len(relevant), k)
    if measure == "judged":
        return measures.judged_at_k(ranking, {doc for doc, grade in grades.items() if grade >= 0}, k)
    if measure == "r_precision":
        return measures.r_precision(ranking, relevant)
    if measure == "average_precision":
        return measures.average_precision(ranking, relevant, k)
    if measure.startswith("ndcg"):
        gain = "exponential" if measure.endswith("exponential") else "linear"
        return measures.ndcg_at_k(ranking, grades, k, gain)
    return getattr(measures, f"{measure}_at_k")(ranking, relevant, k)


# ---------------------------------------------------------------------- the fast form is the readable one


@settings(deadline=None)
@given(JUDGMENTS, RESULTS, st.integers(1, 3), st.integers(1, 10))
def test_every_value_equals_measures_py(judgments: dict, results: dict, min_grade: int, k: int) -> None:
    if not common(judgments, results):
        return
    run = Run(results)
    e = evaluate(judgments, results, min_grade=min_grade)
    rankings = {query: run.ranking(query) if query in run else [] for query in judgments}
    for measure in set(MEASURES) - {"micro_recall"}:
        expected = [by_hand(measure, rankings[query], judgments[query], min_grade, k) for query in judgments]
        assert e.values(measure, k).tolist() == pytest.approx(
            [math.nan if value is None else value for value in expected], nan_ok=True
        ), measure
        counted = [
            value
            for query, value in zip(judgments, expected, strict=True)
            if any(grade >= min_grade for grade in judgments[query].values())
        ]
        mean = measures.mean_of_defined(counted)
        assert e.mean(measure, k) == pytest.approx(math.nan if mean is None else mean, nan_ok=True), measure
    pairs = [
        (rankings[query], {doc for doc, grade in grades.items() if grade >= min_grade})
        for query, grades in judgments.items()
    ]
    micro = measures.micro_recall_at_k(pairs, k)
    assert e.micro_recall(k) == pytest.approx(math.nan if micro is None else micro, nan_ok=True)
    assert e.recall(k) == pytest.approx(measures.mean_recall_at_k(pairs, k) or e.recall(k), nan_ok=True)


@settings(deadline=None, max_examples=30)
@given(JUDGMENTS, RESULTS, st.sampled_from(["exclude", "zero", "one"]), st.sampled_from(["zero", "skip"]))
def test_a_curve_is_its_points(judgments: dict, results: dict, no_relevant: str, unanswered: str) -> None:
    if not common(judgments, results):
        return
    e = evaluate(judgments, results, no_relevant=no_relevant, unanswered=unanswered)
    for measure in MEASURES:
        curve = e.curve(9, measure)
        assert curve.shape == (9,)
        points = [e.mean(measure, k) for k in range(1, 10)]
        np.testing.assert_allclose(curve, points, rtol=1e-12, err_msg=measure)
        if measure != "micro_recall":
            values = e.values(measure, 4)[e.query_ids]
            np.testing.assert_allclose(curve[3], values.mean(), rtol=1e-12, err_msg=measure)


def test_curves_of_many_queries_are_cut_into_parts() -> None:
    rng = np.random.default_rng(3)
    ids = [f"d{i}" for i in range(60)]
    judgments = {f"q{i}": {doc: 1 for doc in rng.choice(ids, 5, replace=False)} for i in range(700)}
    results = {f"q{i}": rng.permutation(ids).tolist() for i in range(700)}
    e = evaluate(judgments, results)
    for measure in MEASURES:
        curve = e.curve(1000, measure)
        np.testing.assert_allclose(curve[[0, 9, 59]], [e.mean(measure, k) for k in (1, 10, 60)], rtol=1e-12)
    assert e.curve(1000)[-1] == 1.0


def test_a_perfect_run_is_exactly_one() -> None:
    judgments = {f"q{n}": {f"d{i}": 1 for i in range(n)} for n in range(1, 200)}
    e = evaluate(judgments, {query: list(relevant) for query, relevant in judgments.items()})
    assert e.recall(200) == e.micro_recall(200) == e.ceiling(200) == e.r_precision() == e.hit_rate(1) == 1.0
    assert e.curve(200).tolist() == e.curve(200, "ceiling").tolist()


def test_the_hand_sheet() -> None:
    e = evaluate(*hand_sheet())
    assert [e.recall(k) for k in (5, 10, 20)] == [0.375, 0.5625, 0.9375]
    assert [e.micro_recall(k) for k in (5, 10, 20)] == pytest.approx([10 / 29, 17 / 29, 28 / 29])
    assert [e.hit_rate(k) for k in (5, 10, 20)] == [0.75, 0.75, 1.0]
    assert [e.ceiling(k) for k in (5, 10, 20)] == [0.8125, 0.875, 1.0]
    assert (e.n, e.excluded, e.unanswered, e.ignored) == (4, ["q4"], [], [])
    zeros = evaluate(*hand_sheet(), no_relevant="zero")
    assert [zeros.recall(k) for k in (5, 10, 20)] == pytest.approx([0.3, 0.45, 0.75])
    assert evaluate(*hand_sheet(), no_relevant="one").recall(5) == pytest.approx((4 * 0.375 + 1) / 5)
    micro_leads = e.curve(25, "micro_recall") > e.curve(25)
    assert [k for k in range(2, 26) if micro_leads[k - 1] != micro_leads[k - 2]] == [7, 12, 19]
    assert e.relevant_ranks("q1") == [2, 5, 9]
    assert e.missed("q1") == ["r3"]
    assert e.missed("q1", 4) == ["r1", "r2", "r3"]


# --------------------------------------------------------------------------------------- ties and reranks


def arrangements(scores: dict[str, float]) -> list[list[str]]:
    """Every ranking that the ties allow."""
    groups = [[doc for doc in scores if scores[doc] == score] for score in sorted(set(scores.values()))[::-1]]
    return [
        [doc for group in chosen for doc in group]
        for chosen in product(*(list(permutations(group)) for group in groups))
    ]


@settings(deadline=None, max_examples=50)
@given(
    st.dictionaries(DOCS, st.integers(0, 3), min_size=1, max_size=6),
    st.dictionaries(DOCS, st.sampled_from([0.0, 1.0]), min_size=1, max_size=5),
    st.integers(1, 6),
)
def test_best_and_worst_are_those_of_all_orders(grades: dict, scores: dict, k: int) -> None:
    rankings = arrangements(scores)
    base, best, worst = (
        evaluate({"q": grades}, {"q": scores}, ties=ties) for ties in ("by-id", "best", "worst")
    )
    for measure in set(MEASURES) - {"micro_recall", "judged", "ceiling"}:
        possible = [by_hand(measure, ranking, grades, 1, k) for ranking in rankings]
        if None in possible:
            continue
        assert best.values(measure, k)["q"] == pytest.approx(max(possible)), measure
        assert worst.values(measure, k)["q"] == pytest.approx(min(possible)), measure
        if base.n:
            ties = base.ties(k, measure)
            assert (ties.worst, ties.best) == pytest.approx((min(possible), max(possible)))
            assert ties.value == pytest.approx(base.mean(measure, k))
            assert ties.query_ids == (["q"] if max(possible) - min(possible) > 1e-9 else [])


@settings(deadline=None, max_examples=50)
@given(
    st.dictionaries(DOCS, st.integers(0, 3), min_size=1, max_size=6),
    st.lists(DOCS, unique=True, min_size=1, max_size=5),
    st.integers(1, 6),
    st.integers(1, 7),
)
def test_rerank_ceilings_are_those_of_all_orders(grades: dict, ranking: list, j: int, depth: int) -> None:
    e = evaluate({"q": grades}, {"q": ranking})
    if not e.n:
        return
    orders = list(permutations(ranking[:depth]))
    for measure in (
        "recall",
        "precision",
        "reciprocal_rank",
        "average_precision",
        "ndcg",
        "ndcg_exponential",
    ):
        most = max(by_hand(measure, list(order), grades, 1, j) for order in orders)
        assert e.rerank_ceiling(measure, j, depth) == pytest.approx(most), measure
    r = sum(grades.get(doc, 0) >= 1 for doc in ranking[:depth])
    existing = sum(grade >= 1 for grade in grades.values())
    assert e.perfect_rerank(depth).average_precision() == pytest.approx(r / existing)
    if depth >= j:
        assert e.headroom(j, depth) == pytest.approx(min(j, r) / existing - e.recall(j))
        assert -1e-12 <= e.headroom(j, depth) <= e.recall(depth) - e.recall(j) + 1e-12


def test_headroom_of_the_bare_gap() -> None:
    ranking = [f"r{i}" for i in range(4)] + [f"x{i}" for i in range(12)] + [f"r{i}" for i in range(4, 8)]
    e = evaluate({"q": [f"r{i}" for i in range(10)]}, {"q": ranking})
    assert e.recall(20) - e.recall(5) == pytest.approx(0.4)
    assert e.headroom(5, 20) == pytest.approx(0.1)
    assert repr(e.perfect_rerank(20)).startswith("Evaluation: perfect rerank of the top 20 of run, n = 1")
    with pytest.raises(RecallLabError, match="depth"):
        e.headroom(5, 4)
    for bad in ((0, 5), (5, 0), (2.0, 5)):
        with pytest.raises(RecallLabError):
            e.headroom(*bad)


def test_ndcg_above_and_below_recall() -> None:
    binary = evaluate({"q": [f"r{i}" for i in range(20)]}, {"q": [f"r{i}" for i in range(5)]})
    assert (binary.ndcg(5), binary.recall(5)) == (1.0, 0.25)
    graded = evaluate({"q": {"lost": 3, "found": 1}}, {"q": ["found"]})
    assert round(graded.ndcg(5), 3) == 0.275
    assert round(graded.ndcg(5, gain="exponential"), 3) == 0.131
    assert graded.recall(5) == 0.5
    with pytest.raises(RecallLabError, match="gain"):
        graded.ndcg(5, gain="log")  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="1000"):
        evaluate({"q": {"a": 1001}}, {"q": ["a"]}).ndcg(5, gain="exponential")


def test_grade_one_gains_even_where_relevant_means_two() -> None:
    e = evaluate({"q": {"a": 1, "b": 2}}, {"q": ["a"]}, min_grade=2)
    assert e.recall(1) == 0.0
    assert e.ndcg(2) == pytest.approx(1 / (2 + 1 / math.log2(3)))


def test_ties_are_reported_with_their_bounds() -> None:
    judgments = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"]}
    results = {"q1": {"a": 1.0, "x": 1.0, "b": 0.5}, "q2": {"c": 1.0, "d": 0.5}, "q3": {"x": 1.0, "y": 1.0}}
    e = evaluate(judgments, results)
    ties = e.ties(1)
    assert (ties.query_ids, ties.worst, ties.best) == (["q1"], pytest.approx(1 / 3), pytest.approx(1 / 2))
    assert str(ties) == "ties in 1 query leave recall@1 open between 0.3333 and 0.5000"
    assert str(e.ties(2)) == "no tie changes recall@2"
    assert e.ties(1, "micro_recall").best == 0.5
    assert "open between 0.3333 and 0.5000" in e.summary((1, 2)).text


@pytest.mark.parametrize(
    ("ties", "recall"), [("by-id", 0.0), ("as-given", 1.0), ("best", 1.0), ("worst", 0.0)]
)
def test_orders_of_ties(ties: str, recall: float) -> None:
    e = evaluate({"q": ["b"]}, {"q": {"b": 1.0, "c": 1.0}}, ties=ties)
    assert e.recall(1) == recall
    assert e.choices.ties == ties
    assert (e.ties(1).worst, e.ties(1).best) == (0.0, 1.0)


# ---------------------------------------------------------------------------------------- tables and text


def test_per_query_table() -> None:
    judgments, results = hand_sheet()
    del results["q2"]
    table = evaluate(judgments, results, question_types={"q1": "list"}).per_query(5)
    assert table.index.tolist() == list(judgments)
    assert table.loc["q1", ["type", "included", "relevant", "found", "first_rank", "depth"]].tolist() == [
        "list",
        True,
        4,
        2,
        2,
        9,
    ]
    assert math.isnan(table.loc["q4", "recall"])
    assert not table.loc["q4", "included"]
    assert (table.loc["q2", "recall"], table.loc["q2", "depth"]) == (0.0, 0)
    assert math.isnan(table.loc["q2", "judged"])
    assert table["first_rank"].isna().tolist() == [False, True, False, True, False]
    assert "type" not in evaluate(judgments, results).per_query(5)


def test_slices() -> None:
    judgments, results = hand_sheet()
    types = {"q1": "list", "q2": "list", "q3": "split", "q4": "split"}
    table = evaluate(judgments, results, question_types=types).slices(5)
    assert table.index.tolist() == ["list", "split", "(none)"]
    assert table["questions"].tolist() == [2, 2, 1]
    assert table["n"].tolist() == [2, 1, 1]
    assert table["recall"].tolist() == [0.625, 0.25, 0.0]
    assert table["micro_recall"].tolist() == [0.625, 0.25, 0.0]
    assert table["ceiling"].tolist() == [1.0, 0.25, 1.0]
    assert table["hit_rate"].tolist() == [1.0, 1.0, 0.0]
    assert table["answerable_rate"].tolist() == [1.0, 0.5, 1.0]
    only_empty = evaluate(judgments, results).slices(5, by={"q4": "nothing there"}).loc["nothing there"]
    assert (only_empty["n"], only_empty["answerable_rate"]) == (0, 0.0)
    assert math.isnan(only_empty["recall"]) and math.isnan(only_empty["micro_recall"])
    with pytest.raises(RecallLabError, match="question types"):
        evaluate(judgments, results).slices(5)


def test_hits_table_is_the_sheet() -> None:
    hits = evaluate(*hand_sheet()).hits
    found = hits[hits["relevant"] & hits["rank"].notna()]
    ranks = found.groupby("query")["rank"].apply(list).to_dict()
    assert ranks == {query: list(ranks) for query, (_, ranks) in SHEET.items() if ranks}


def test_the_summary_states_what_a_number_rests_on() -> None:
    judgments, results = hand_sheet()
    del results["q5"]
    results["q9"] = ["a"]
    e = evaluate(judgments, results, min_grade=1)
    summary = e.summary((10, 5, 10))
    assert summary.table.index.tolist() == [5, 10]
    for text in (str(summary), repr(summary), summary.text):
        for stated in (
            "n = 4 of 5 judged queries",
            "0.3750",
            "0.8125",
            "0.3448",
            "macro",
            "grade 1 or more",
            "1 query left out of all means: q4",
            "1 query counted 0: q5",
            "1 query in the run without judgments: q9",
            "document id, both descending",
            "none at these cutoffs changes recall",
            "at most 20; 2 queries below k = 10, the shortest with 8",
            "answerable rate 0.8000",
        ):
            assert stated in text, stated
    html = summary._repr_html_()
    assert "0.3750" in html and "q4" in html and "<table>" in html


def test_text_from_data_is_never_markup() -> None:
    e = evaluate({"<b>q</b>": ["a"], "p": ["a"]}, Run({"p": ["a"]}, name="<script>"))
    html = e.summary((1,))._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html
    assert "<b>q</b>" not in html


def test_a_summary_without_any_value() -> None:
    e = evaluate({"q": {"a": 0}}, {"q": ["a"]})
    assert e.n == 0
    assert math.isnan(e.recall(1)) and math.isnan(e.micro_recall(1)) and math.isnan(e.curve(3)[2])
    assert "–" in e.summary((1,)).text
    assert e.to_dict((1,))["recall"] == {"1": None}


def test_to_dict_is_json() -> None:
    judgments, results = hand_sheet()
    del results["q5"]
    results["q9"] = ["a"]
    record = evaluate(judgments, Run(results, name="mine")).to_dict((5, 10))
    again = json.loads(json.dumps(record, allow_nan=False))
    assert again == record
    assert record["run"] == "mine"
    assert (record["n"], record["judged_queries"], record["threshold"]) == (4, 5, 1)
    assert (record["excluded"], record["unanswered"], record["ignored"]) == (["q4"], ["q5"], ["q9"])
    assert record["recall"]["5"] == 0.375
    assert len(record["warnings"]) == 3
    for measure in (
        "recall",
        "micro_recall",
        "capped_recall",
        "ceiling",
        "precision",
        "hit_rate",
        "ndcg",
        "judged",
    ):
        assert list(record[measure]) == ["5", "10"]
    assert {"mrr", "map", "r_precision"} <= record.keys()


def test_one_cutoff_need_not_be_a_list() -> None:
    assert evaluate(*hand_sheet()).summary(5).table.index.tolist() == [5]  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="ks"):
        evaluate(*hand_sheet()).summary(())


def test_repr() -> None:
    e = evaluate({"q": ["a"], "p": {}}, Run({"q": ["a"]}, name="mine"))
    assert repr(e) == "Evaluation: mine, n = 1 of 2 judged queries"


# ------------------------------------------------------------------------------------------------ notices


def codes(e: Evaluation) -> dict[str, tuple[str, ...]]:
    return {notice.code: notice.ids for notice in e.notices}


def test_notices_name_the_queries() -> None:
    judgments = {"q1": ["a"], "q2": ["a"], "q3": {"a": 0}, "q4": ["b"]}
    e = evaluate(judgments, {"q1": ["a"], "q9": ["a"], "q4": []})
    assert codes(e) == {"no-relevant": ("q3",), "unanswered": ("q2", "q4"), "ignored": ("q9",)}
    assert [str(notice) for notice in e.notices] == [
        "1 judged query has no relevant document (grade 1 or more) and is left out of the means: q3",
        "2 judged queries are missing from the run and count 0: q2, q4",
        "1 query of the run has no judgments and is ignored: q9",
    ]
    skip = evaluate(judgments, {"q1": ["a"]}, unanswered="skip", no_relevant="zero")
    assert "counts 0" in str(skip.notices[0])
    assert "left out" in str(skip.notices[1])


def test_a_run_that_finds_nothing_judged_is_suspect() -> None:
    e = evaluate({"q1": ["001"], "q2": ["002"]}, {"q1": ["1", "2"], "q2": ["2"]})
    assert "leading zeros" in next(str(n) for n in e.notices if n.code == "no-judged-document-found")
    e = evaluate({"q1": ["a"]}, {"q1": ["x"]})
    assert "same corpus" in next(str(n) for n in e.notices if n.code == "no-judged-document-found")
    assert "no-judged-document-found" not in codes(evaluate({"q1": {"a": 1, "x": 0}}, {"q1": ["x"]}))
    assert "no-judged-document-found" not in codes(evaluate({"q1": {}}, {"q1": ["x"]}))


def test_query_ids_that_look_alike_are_pointed_out() -> None:
    e = evaluate({"007": ["a"], "q2": ["a"]}, {"7": ["a"], "q2": ["a"]})
    assert "leading zeros" in next(str(n) for n in e.notices if n.code == "ids-look-alike")


def test_notices_of_the_run_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "my.run"
    path.write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n")
    e = evaluate({"q1": ["a"]}, Run.read(path))
    assert e.reciprocal_rank() == 0.5
    assert e.notices
    assert any("rank" in str(notice) for notice in e.summary((1,)).notices)


# ------------------------------------------------------------------------------------- inputs and choices


@pytest.mark.parametrize(
    ("judged", "answered", "hint"),
    [
        (["7"], ["007"], "leading zeros"),
        ([7], ["7"], "text"),
        (["7"], [7], "text"),
        (["q1"], ["Q1"], "case"),
        (["q1 "], ["q1"], "spaces"),
        (["\ufeffq1"], ["q1"], "byte order mark"),
        (["7.0"], ["7"], "spreadsheets"),
        (["e\u0301"], ["\u00e9"], "Unicode"),
        (["q1"], ["x1"], "same set of questions"),
    ],
)
def test_no_common_query_has_a_hint(judged: list, answered: list, hint: str) -> None:
    with pytest.raises(NoCommonQueriesError, match=hint):
        evaluate({query: ["a"] for query in judged}, {query: ["a"] for query in answered})


def test_a_query_number_against_a_text_is_found_out_among_others() -> None:
    with pytest.raises(RecallLabError, match=r"7.*str\(\)"):
        evaluate({"q1": ["a"], "7": ["a"]}, {"q1": ["a"], 7: ["a"]})


def test_a_document_number_against_the_texts_of_a_file_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "my.run").write_text("q1 Q0 7 1 2.0 tag\n")
    with pytest.raises(RecallLabError, match=r"7.*str\(\)"):
        evaluate({"q1": {7: 1}}, Run.read(tmp_path / "my.run"))


def test_what_is_skipped_is_out_of_every_mean() -> None:
    judgments = {"q1": ["a", "b"], "q2": ["a"], "q3": ["c"]}
    results = {"q1": ["a"], "q2": ["a"]}
    e = evaluate(judgments, results, unanswered="skip")
    assert e.micro_recall(1) == pytest.approx(2 / 3)
    assert (e.recall(1), e.ceiling(1), e.hit_rate(1)) == (0.75, 0.75, 1.0)
    assert evaluate(judgments, results).micro_recall(1) == pytest.approx(2 / 4)


def test_empty_inputs_say_so() -> None:
    with pytest.raises(NoCommonQueriesError, match="denominator"):
        evaluate({}, {"q": ["a"]})
    with pytest.raises(NoCommonQueriesError, match="empty"):
        evaluate({"q": ["a"]}, {})
    e = evaluate({"q": ["a"]}, {"q": []})
    assert (e.recall(1), e.unanswered) == (0.0, ["q"])


@pytest.mark.parametrize("golden", [None, ["a"], 3, [("q", "a", 1)]])
def test_judgments_of_another_shape(golden: object) -> None:
    with pytest.raises(RecallLabError, match="judgments"):
        evaluate(golden, {"q": ["a"]})  # type: ignore[arg-type]


def test_a_run_of_another_shape() -> None:
    with pytest.raises(RecallLabError, match="dict"):
        evaluate({"q": ["a"]}, [["a"]])  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="'q'"):
        evaluate({"q": ["a"]}, {"q": "a"})
    with pytest.raises(RecallLabError, match="twice"):
        evaluate({"q": ["a"]}, {"q": ["a", "a"]})
    with pytest.raises(RecallLabError, match="judgments come first"):
        evaluate({"q": {"a": 0.7}}, {"q": {"a": 1}})


@pytest.mark.parametrize(
    "choice",
    [
        {"no_relevant": "nan"},
        {"unanswered": "drop"},
        {"ties": "random"},
        {"preset": "ranx"},
        {"min_grade": 0},
        {"min_grade": 1.5},
        {"min_grade": True},
    ],
)
def test_choices_are_checked(choice: dict) -> None:
    ((name, value),) = choice.items()
    with pytest.raises(RecallLabError, match=f"{name} is {value!r}"):
        evaluate({"q": ["a"]}, {"q": ["a"]}, **choice)


def test_a_choice_beside_a_preset_wins() -> None:
    judgments = {"q1": ["a"], "q2": ["a"], "q3": {"a": 0}}
    e = evaluate(judgments, {"q1": ["a"], "q3": ["a"]}, preset="trec_eval")
    assert (e.n, e.recall(1), e.excluded) == (2, 0.5, [])
    with_c = evaluate(judgments, {"q1": ["a"], "q3": ["a"]}, preset="trec_eval", unanswered="zero")
    assert (with_c.n, with_c.recall(1)) == (3, pytest.approx(1 / 3))


@pytest.mark.parametrize("bad", [0, -3, 2.0, True, "5"])
def test_k_is_checked(bad: object) -> None:
    e = evaluate({"q": ["a"]}, {"q": ["a"]})
    for ask in (
        e.recall,
        e.curve,
        e.per_query,
        e.ties,
        lambda k: e.values("recall", k),
        lambda k: e.summary((k,)),
    ):
        with pytest.raises(ValueError, match="k"):
            ask(bad)  # type: ignore[arg-type]
    assert e.recall(np.int64(1)) == 1.0


def test_unknown_names() -> None:
    e = evaluate({"q": ["a"]}, {"q": ["a"]})
    for ask in (lambda: e.mean("recal", 1), lambda: e.curve(3, "found_relevant"), lambda: e.values("map", 1)):
        with pytest.raises(RecallLabError, match="measure"):
            ask()
    with pytest.raises(RecallLabError, match="micro_recall"):
        e.values("micro_recall", 1)
    with pytest.raises(RecallLabError, match="q9"):
        e.relevant_ranks("q9")


def test_inputs_are_never_modified() -> None:
    judgments = {"q1": {"b": 1, "a": -1, "c": 2}, "q2": ["x"]}
    results = {"q1": {"c": 1, "a": 2.0}, "q2": ["y", "x"]}
    before = copy.deepcopy((judgments, results))
    e = evaluate(judgments, results)
    e.summary((1, 2))
    e.perfect_rerank(2)
    e.curve(5)
    assert (judgments, results) == before
    assert list(judgments["q1"]) == ["b", "a", "c"]


def test_a_golden_dataset_brings_its_threshold_types_and_name() -> None:
    golden = GoldenDataset(
        {"a": "text", "b": "text"},
        {"q1": "what?", "q2": "why?"},
        {"q1": {"a": 2, "b": 1}, "q2": {"b": 2}},
        min_grade=2,
        question_types={"q1": "list", "q2": "negation"},
        name="things",
    )
    e = evaluate(golden, {"q1": ["a"], "q2": ["a"]})
    assert (e.min_grade, e.dataset_name, e.recall(1)) == (2, "things", 0.5)
    assert e.slices(1)["recall"].to_dict() == {"list": 1.0, "negation": 0.0}
    assert evaluate(golden, {"q1": ["a"], "q2": ["a"]}, min_grade=1).recall(1) == 0.25


def test_files_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 b 1\n")
    (tmp_path / "my.run").write_text("q1 Q0 a 1 2.0 tag\n")
    e = evaluate(tmp_path / "qrels.txt", str(tmp_path / "my.run"))
    assert (e.recall(1), e.run_name) == (0.5, "tag")


# ----------------------------------------------------------------------------------------- file in pieces


def random_file(path: Path, queries: int = 40) -> dict[str, dict[str, int]]:
    rng = np.random.default_rng(11)
    ids = [f"d{i}" for i in range(50)]
    judgments = {
        f"q{i}": {doc: int(grade) for doc, grade in zip(ids[:9], rng.integers(-1, 3, 9), strict=True)}
        for i in range(0, queries + 5, 2)
    }
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt") as file:
        for i in rng.permutation(queries):
            for rank, doc in enumerate(rng.permutation(ids)[: rng.integers(1, 40)], start=1):
                file.write(f"q{i} Q0 {doc} {rank} {rng.integers(0, 9) / 4} tag\n")
    return judgments


@pytest.mark.parametrize("rows", [1, 7, 100, 10_000])
@pytest.mark.parametrize("name", ["my.run", "my.run.gz"])
def test_a_file_in_pieces_gives_the_same_answer(tmp_path: Path, name: str, rows: int) -> None:
    judgments = random_file(tmp_path / name)
    for choices in ({}, {"ties": "as-given"}, {"preset": "trec_eval", "min_grade": 2}, {"ties": "worst"}):
        whole = evaluate(judgments, Run.read(tmp_path / name), **choices)
        pieces = evaluate_file(judgments, tmp_path / name, rows=rows, **choices)
        ours, theirs = pieces.to_dict((1, 5, 20)), whole.to_dict((1, 5, 20))
        assert len(ours.pop("warnings")) == len(theirs.pop("warnings"))
        assert ours == theirs
        pd.testing.assert_frame_equal(pieces.per_query(5), whole.per_query(5))
        pd.testing.assert_frame_equal(pieces.hits, whole.hits)
        assert (pieces.unanswered, pieces.ignored) == (whole.unanswered, whole.ignored)
        assert pieces.run_name == whole.run_name == "tag"


def test_a_file_in_pieces_that_finds_nothing_judged_is_suspect(tmp_path: Path) -> None:
    (tmp_path / "my.run").write_text("q0 Q0 1 1 2 t\nq1 Q0 1 1 2 t\nq2 Q0 2 1 2 t\n")
    e = evaluate_file({"q1": ["001"], "q2": ["002"]}, tmp_path / "my.run", rows=1)
    assert "leading zeros" in next(str(n) for n in e.notices if n.code == "no-judged-document-found")


def test_what_a_later_piece_finds_is_found_whatever_its_grade(tmp_path: Path) -> None:
    (tmp_path / "my.run").write_text("q0 Q0 x 1 2 t\nq1 Q0 a 1 2 t\n")
    judgments = {"q0": {"d": 1}, "q1": {"a": -1, "b": 1}}
    whole = evaluate(judgments, Run.read(tmp_path / "my.run"))
    pieces = evaluate_file(judgments, tmp_path / "my.run", rows=1)
    assert not whole.notices and not pieces.notices
    pd.testing.assert_frame_equal(pieces.hits, whole.hits)
    assert pieces.missed("q1") == ["b"]


def test_queries_must_stand_together_to_be_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "my.run"
    path.write_text("q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
    assert evaluate({"q1": ["b"]}, Run.read(path)).recall(2) == 1.0
    with pytest.raises(InputFileError, match="line 3"):
        evaluate_file({"q1": ["b"]}, path, rows=1)


def test_a_file_in_pieces_without_a_common_query(tmp_path: Path) -> None:
    path = tmp_path / "my.run"
    path.write_text("007 Q0 a 1 2 t\n")
    with pytest.raises(NoCommonQueriesError, match="leading zeros"):
        evaluate_file({"7": ["a"]}, path)


def test_a_document_found_with_a_negative_grade_does_not_look_like_itself() -> None:
    assert not evaluate({"q": {"d1": -1, "d2": 1}}, {"q": ["d1"]}).notices


def test_iterators_are_read_once_even_where_nothing_is_found() -> None:
    e = evaluate({"q": ["A"]}, {"q": (doc for doc in "ab")})
    assert e.max_depth == 2
    assert "'A' and 'a' differ" in str(e.notices[0])
    assert evaluate({"q": iter(["a"])}, {"q": iter("ab")}).recall(1) == 1


def test_ndcg_without_k_has_the_whole_ideal_whatever_the_other_queries() -> None:
    judgments = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": ["d"]}
    alone = evaluate(judgments, {"q1": ["a"]}).values("ndcg")["q1"]
    assert alone == evaluate(judgments, {"q1": ["a"], "q2": list("wxyz")}).values("ndcg")["q1"]
    assert alone == pytest.approx(3 / (3 + 2 / math.log2(3) + 1 / 2))
    assert evaluate({"q1": judgments["q1"]}, {"q1": ["a"]}).ndcg() == alone


@pytest.mark.parametrize("k", [2**63, 10**30, 10**400])
def test_a_huge_k_is_a_k_like_any_other(k: int) -> None:
    e = evaluate({"q": ["a", "b"]}, {"q": {"x": 1.0, "a": 1.0}}, question_types={"q": "list"})
    for measure in MEASURES:
        expected = pytest.approx(0, abs=1e-15) if measure == "precision" else e.mean(measure, 1000)
        assert e.mean(measure, k) == expected
    assert e.per_query(k)["recall"].tolist() == e.slices(k)["recall"].tolist() == [0.5]
    assert e.ties(k).k == k
    assert e.summary((1, k)).table.index.tolist() == [1, k]
    assert e.to_dict((1, k))["recall"] == {"1": e.recall(1), str(k): 0.5}
    assert e.missed("q", k) == ["b"]
    assert e.perfect_rerank(k).recall(1) == e.rerank_ceiling("recall", 1, k) == 0.5
    assert e.headroom(k, k) == 0
    with pytest.raises(RecallLabError, match="k_max is"):
        e.curve(k)


@pytest.mark.parametrize("measure", ["recall", "precision", "hit_rate", "judged"])
def test_measures_at_k_need_one(measure: str) -> None:
    with pytest.raises(RecallLabError, match="k is None"):
        getattr(evaluate({"q": ["a"]}, {"q": ["a"]}), measure)(None)


@pytest.mark.parametrize("types", [["list"], pd.Series({"q": "list"})])
def test_question_types_are_a_dict(types: object) -> None:
    with pytest.raises(RecallLabError, match="question_types is a dict"):
        evaluate({"q": ["a"]}, {"q": ["a"]}, question_types=types)  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="by is a dict"):
        evaluate({"q": ["a"]}, {"q": ["a"]}).slices(1, by=types)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------- wrong arguments


E = evaluate({"q1": {"a": 1, "b": 2}, "q2": ["c"]}, {"q1": {"a": 1.0, "b": 1.0}, "q2": ["x"]})


@pytest.mark.parametrize(
    "call",
    [
        lambda: E.per_query(None),
        lambda: E.slices(None, by={"q1": "list"}),
        lambda: E.ties(None),
        lambda: E.recall(None),
        lambda: E.rerank_ceiling("recall", None, 5),
        lambda: E.headroom(1, None),
        lambda: E.summary(None),
        lambda: E.curve(None),
    ],
    ids=["per_query", "slices", "ties", "recall", "rerank_ceiling", "headroom", "summary", "curve"],
)
def test_a_cutoff_that_must_be_given_is_named_where_it_is_none(call):
    with pytest.raises(RecallLabError, match=r"^(k|j|depth|k_max) is None"):
        call()


@pytest.mark.parametrize("measure", ["foo", None, ["recall"], np.array(["recall", "ndcg"])], ids=str)
def test_an_unknown_measure_is_named_everywhere(measure):
    for call in (E.mean, E.ties, E.values):
        with pytest.raises(RecallLabError, match="no measure"):
            call(1, measure) if call == E.ties else call(measure, 1)
    with pytest.raises(RecallLabError, match="no measure"):
        E.curve(3, measure)


@pytest.mark.parametrize("choice", ["preset", "no_relevant", "unanswered", "ties"], ids=str)
@pytest.mark.parametrize("value", [["x"], {}, np.array([1, 2]), 1], ids=["list", "dict", "array", "number"])
def test_a_choice_of_any_wrong_type_is_our_error(choice, value):
    with pytest.raises(RecallLabError, match=choice):
        evaluate({"q": ["a"]}, {"q": ["a"]}, **{choice: value})


WRONG = [5, 1.5, "x", ["x"], {"x"}, np.array(["x", "y"]), pd.Series([1]), pd.DataFrame({"a": [1]}), object()]


@pytest.mark.parametrize("value", WRONG, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda value: GoldenDataset(value, {}, {}),
        lambda value: GoldenDataset({}, value, {}),
        lambda value: GoldenDataset({}, {}, value),
        lambda value: GoldenDataset({}, {}, {}, question_types=value),
        lambda value: GoldenDataset({}, {}, {}, about=value),
        lambda value: GoldenDataset({}, {}, {}, passage_extras=value),
        lambda value: GoldenDataset.load(value),
        lambda value: GoldenDataset.load("library_of_things", judgments=value),
        lambda value: Run(value),
        lambda value: Run.read(value),
        lambda value: Run.read("r.run", duplicates=value),
        lambda value: evaluate(value, {"q": ["a"]}),
        lambda value: evaluate({"q": ["a"]}, value),
        lambda value: evaluate_file({"q": ["a"]}, "r.run", rows=0 if isinstance(value, int) else value),
        lambda value: E.ndcg(1, value),
        lambda value: E.slices(1, by=value),
        lambda value: Run({}, name=[value]),
        lambda value: Run.read("r.run", name=[value]),
        lambda value: GoldenDataset({}, {}, {}, name=[value]),
    ],
)
def test_a_value_of_the_wrong_type_is_our_error(call, value):
    with pytest.raises(RecallLabError):
        call(value)


@pytest.mark.parametrize("no_id", [["q1"], {}, None], ids=["list", "dict", "None"])
def test_what_is_no_query_id_has_no_ranks(no_id):
    for look in (E.relevant_ranks, E.missed):
        with pytest.raises(RecallLabError, match="no judged query"):
            look(no_id)


@pytest.mark.parametrize("kind", [["list"], ("a", "b"), range(2), b"a"], ids=lambda kind: type(kind).__name__)
def test_slices_have_one_text_each(kind):
    with pytest.raises(RecallLabError, match="'q1'"):
        E.slices(1, by={"q1": kind})


def test_slices_may_have_numbers_and_no_name():
    by = {"q1": 1999, "q2": float("nan")}
    slices = evaluate({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": ["x"]}).slices(1, by=by)
    assert slices["recall"].tolist() == [1.0, 0.0] and slices["questions"].tolist() == [1, 1]


TABLE = pd.DataFrame(
    {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "c"], "grade": 1, "score": [2.0, 1, 1]}
)


def test_a_table_is_told_how_it_becomes_a_dict():
    for number, make in (
        ("score", Run),
        ("score", lambda table: evaluate({"q1": ["a"]}, table)),
        ("grade", lambda table: evaluate(table, {"q1": ["a"]})),
        ("grade", lambda table: GoldenDataset({}, {}, table)),
    ):
        with pytest.raises(RecallLabError, match="DataFrame") as caught:
            make(TABLE)
        way_out = str(caught.value).split("becomes one so: ")[1]
        assert eval(way_out, {"table": TABLE, "dict": dict, "zip": zip}) == {
            "q1": dict(zip("ab", TABLE[number][:2], strict=True)),
            "q2": {"c": TABLE[number][2]},
        }


def test_an_array_of_no_dimension_is_one_cutoff():
    with pytest.raises(RecallLabError, match="k is array"):
        E.summary(np.array(5))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "k", [2**62, 2**63, 2**64, 10**30, 10**400], ids=["2^62", "2^63", "2^64", "1e30", "1e400"]
)
def test_a_huge_k_is_as_good_as_the_depth(k):
    assert E.recall(k) == E.recall(2) and E.ndcg(k) == E.ndcg(2) and E.micro_recall(k) == E.micro_recall(2)
    assert E.per_query(k)["recall"].tolist() == E.per_query(2)["recall"].tolist()
    assert E.ties(k).query_ids == [] and E.missed("q1", k) == []
    assert E.perfect_rerank(k).recall(1) == E.perfect_rerank(2).recall(1) and E.headroom(k, k) == 0
    assert E.summary((1, k)).table.index.tolist() == [1, k]
    assert json.dumps(E.to_dict([k]))


def test_a_threshold_above_all_grades_says_the_way_out():
    golden = GoldenDataset({}, {}, {"q1": ["a"], "q2": ["b"]})
    e = evaluate(golden, {"q1": ["a"]}, min_grade=2)
    (notice,) = (notice for notice in e.notices if notice.code == "nothing-relevant")
    assert "grade 2" in notice.message and "can be 1 at most" in notice.message
    assert "--min-grade" in notice.message and "nothing is relevant" in e.summary().text
    assert "nothing-relevant" not in {notice.code for notice in evaluate(golden, {"q1": ["a"]}).notices}
    none = evaluate({"q1": {"a": 0}}, {"q1": ["a"]})
    assert [str(n) for n in none.notices if n.code == "nothing-relevant"] == [
        "no judgment reaches grade 1, so nothing is relevant, and recall is undefined"
    ]


GRADES = [True, np.bool_(True), 0.5, Fraction(1, 2), "1", None, math.nan, math.inf, 10**7, [1]]
GRADES_AS_ONE = [1, 1.0, np.float32(1), np.int8(1), Fraction(1)]


@pytest.mark.parametrize("grade", GRADES, ids=repr)
def test_what_is_no_grade_is_refused_alike(grade):
    for make in (
        lambda judgments: evaluate(judgments, {"q": ["a"]}),
        lambda judgments: GoldenDataset({}, {}, judgments),
    ):
        with pytest.raises(RecallLabError, match="grade of"):
            make({"q": {"a": grade}})


@pytest.mark.parametrize("grade", GRADES_AS_ONE, ids=repr)
def test_what_is_a_whole_grade_is_taken_alike(grade):
    assert evaluate({"q": {"a": grade}}, {"q": ["a"]}).recall(1) == 1
    assert GoldenDataset({}, {}, {"q": {"a": grade}}).judgments == {"q": {"a": 1}}


@pytest.mark.parametrize("bad", [None, ("b", 1), 1.5, True], ids=lambda bad: type(bad).__name__)
def test_what_is_no_id_among_relevant_ids_is_refused_alike(bad):
    for make in (
        lambda judgments: evaluate(judgments, {"q": ["a"]}),
        lambda judgments: GoldenDataset({}, {}, judgments),
    ):
        with pytest.raises(RecallLabError, match="'q'"):
            make({"q": ["a", bad]})
