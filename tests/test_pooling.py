"""Pools: who brought what, what an assessor of the pool would have judged, and what scores mean there."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

from recall_lab import GoldenDataset, Run, evaluate, mean_recall_at_k
from recall_lab.errors import NoCommonQueriesError, RecallLabError
from recall_lab.labelling import pairs_from_runs
from recall_lab.pooling import Pool, build_pool, rescore, sweep_depths
from recall_lab.retrieval import frozen_run

TRUTH = {"q1": {"a": 2, "b": 1, "c": 2, "x": 0}, "q2": {"d": 2}, "q3": {"e": 0}}
RUNS = {
    "A": Run({"q1": ["a", "x", "y"], "q2": ["z", "d"], "q3": ["e"]}),
    "B": Run({"q1": {"c": 1.0, "a": 9.0, "y": 1.0}, "q2": ["v"]}),  # c and y are tied: y comes first
    "NEW": Run({"q1": ["b", "c"], "q2": ["d"], "extra": ["d"]}),
}
OLD = {name: RUNS[name] for name in "AB"}


def collection(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, Run]]:
    """Truth and runs with all that occurs: ties, gaps, negative grades, queries with nothing relevant."""
    rng = random.Random(seed)
    corpus = [f"d{i}" for i in range(12)]
    queries = [f"q{i}" for i in range(8)]
    truth = {
        query: {doc: rng.choice([-1, 0, 1, 2, 2]) for doc in rng.sample(corpus, rng.randint(0, 7))}
        for query in queries
    }
    truth["q0"]["d0"] = 2
    runs = {}
    for name in ("A", "B", "C", "D"):
        results: dict[str, dict[str, float] | list[str]] = {"q0": ["d5", "d0"]}
        for query in [*rng.sample(queries[1:], 5), "unknown"]:
            found = rng.sample(corpus, rng.randint(0, 9))
            results[query] = found if rng.random() < 0.5 else {doc: rng.randint(1, 4) for doc in found}
        runs[name] = Run(results, name=name)
    return truth, runs


# ------------------------------------------------------------------------------------------------ the pool


def test_a_pool_says_who_brought_what() -> None:
    pool = build_pool(OLD, depth=2)
    assert pool.documents == {
        "q1": {"a": {"A": 1, "B": 1}, "x": {"A": 2}, "y": {"B": 2}},
        "q2": {"z": {"A": 1}, "d": {"A": 2}, "v": {"B": 1}},
        "q3": {"e": {"A": 1}},
    }
    assert pool.systems == ["A", "B"]
    assert pool.size == 7
    assert pool.unique("B") == {"q1": ["y"], "q2": ["v"]}
    assert repr(pool) == "Pool of A, B to depth 2: 3 queries, 7 documents"


@pytest.mark.parametrize("seed", range(5))
def test_the_pool_is_what_an_annotator_would_be_given(seed: int) -> None:
    _, runs = collection(seed)
    passages = {f"d{i}": "text" for i in range(12)}
    golden = GoldenDataset(passages, {query: "?" for run in runs.values() for query in run}, {})
    for depth in (1, 3, 20):
        to_label = {pair.id for pair in pairs_from_runs(golden, runs.values(), depth)}
        documents = build_pool(runs, depth).documents
        assert {(query, doc) for query, found in documents.items() for doc in found} == to_label


@pytest.mark.parametrize("seed", range(5))
def test_without_a_system_is_the_pool_of_the_others(seed: int) -> None:
    _, runs = collection(seed)
    pool = build_pool(runs, 3)
    others = build_pool({name: runs[name] for name in ("B", "D")}, 3)
    left = pool.without("A", "C")
    assert left.depths == others.depths
    assert {query: found for query, found in left.documents.items() if found} == {
        query: found for query, found in others.documents.items() if found
    }
    assert build_pool({"A": runs["A"], "C": runs["C"]}, 3) | others == pool


def test_pools_of_different_depth_join() -> None:
    old, new = build_pool(OLD, 1), build_pool({"NEW": RUNS["NEW"], "A": RUNS["A"]}, 2)
    joined = old | new
    assert joined.documents["q1"] == {"a": {"A": 1, "B": 1}, "b": {"NEW": 1}, "c": {"NEW": 2}, "x": {"A": 2}}
    assert joined.depths == {"A": 2, "B": 1, "NEW": 2}
    assert (new | old).depths == joined.depths, "the deeper counts, whichever comes first"
    assert repr(joined) == "Pool of A, NEW to depth 2 and B to depth 1: 4 queries, 9 documents"
    assert old == build_pool(OLD, 1), "joining must not change what it joins"


@pytest.mark.parametrize(
    ("runs", "depth", "message"),
    [
        ({}, 5, "there is no run"),
        ([], 5, "there is no run"),
        ({"A": {}}, 5, "the run 'A' is empty"),
        (RUNS, 0, "depth is 0"),
        (RUNS, True, "depth is True"),
        (RUNS, 2.0, "depth is 2.0"),
        ([Run({"q": ["a"]})], 5, "told apart by name"),
        ([Run({"q": ["a"]}, name="A"), Run({"q": ["b"]}, name="A")], 5, "told apart by name"),
        (["my.run"], 5, "not str"),
        (7, 5, "not int"),
        ({"A": ["a", "b"]}, 5, "a run is made from a dict"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_makes_no_pool(runs: object, depth: object, message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        build_pool(runs, depth)


def test_runs_with_names_need_no_dict() -> None:
    runs = [Run({"q": ["a"]}, name="A"), Run({"q": ["b"]}, name="B")]
    assert build_pool(runs, 1) == build_pool(dict(zip("AB", runs, strict=True)), 1)
    assert build_pool(runs[0], 1).systems == ["A"]


def test_a_system_that_is_not_there_is_named() -> None:
    pool = build_pool(OLD, 1)
    for ask in (pool.unique, pool.without):
        with pytest.raises(RecallLabError, match="'NEW' did not contribute to the pool; A, B did"):
            ask("NEW")


# -------------------------------------------------------------------------------------------- the judgments


def test_judging_a_pool() -> None:
    judged = build_pool(OLD, depth=2).judge(TRUTH, min_grade=2)
    assert judged.judgments == {
        "q1": {"a": 2, "x": 0, "y": 0},
        "q2": {"z": 0, "d": 2, "v": 0},
        "q3": {"e": 0},
    }
    assert judged.min_grade == 2
    assert judged.name == "truth in the pool of A, B to depth 2"
    assert not judged.notices


def test_without_a_complete_truth_what_it_does_not_name_stays_unjudged() -> None:
    judged = build_pool(OLD, depth=2).judge(TRUTH, min_grade=2, complete=False)
    assert judged.judgments == {"q1": {"a": 2, "x": 0}, "q2": {"d": 2}, "q3": {"e": 0}}


def test_lost_and_unknown_queries_are_listed() -> None:
    judged = build_pool({"B": RUNS["B"], "X": {"extra": ["d"]}}, depth=1).judge(TRUTH, min_grade=2)
    notices = {notice.code: notice for notice in judged.notices}
    assert notices["lost-in-pool"].ids == ("q2",), "q3 never had a relevant document, so it lost none"
    assert notices["not-in-truth"].ids == ("extra",)
    assert "extra" not in judged.judgments
    assert evaluate(judged, RUNS["A"]).excluded == ["q2", "q3"]


def test_a_dataset_keeps_its_threshold_and_its_questions() -> None:
    golden = GoldenDataset({"a": "text"}, {"q1": "Why?"}, TRUTH, min_grade=2, name="mine")
    pool = build_pool(OLD, 1)
    judged = pool.judge(golden)
    assert (judged.min_grade, judged.questions, judged.name) == (
        2,
        {"q1": "Why?"},
        "mine in the pool of A, B to depth 1",
    )
    assert pool.judge(golden, min_grade=1).min_grade == 1
    assert golden.min_grade == 2 and golden.judgments["q1"] == TRUTH["q1"], "the truth must not change"


def test_ids_that_cannot_match_are_refused() -> None:
    with pytest.raises(NoCommonQueriesError, match="leading zeros"):
        build_pool({"A": {"001": ["a"]}}, 1).judge({"1": ["a"]})
    with pytest.raises(RecallLabError, match="ids of two kinds"):
        build_pool({"A": {"q1": ["7"]}}, 1).judge({"q1": [7]})


# ----------------------------------------------------------------------------------------------- the scores


def by_hand(
    truth: dict[str, dict[str, int]], pool: Pool, run: Run, k: int, min_grade: int
) -> tuple[float | None, int]:
    """Recall@k under a pool in plain Python, and the number of queries in the mean."""
    pairs = []
    for query, grades in truth.items():
        relevant = {doc for doc, grade in grades.items() if grade >= min_grade}
        ranking = run.ranking(query) if query in run else []
        pairs.append((ranking, relevant & set(pool.documents.get(query, ()))))
    return mean_recall_at_k(pairs, k), sum(bool(relevant) for _, relevant in pairs)


@pytest.mark.parametrize("min_grade", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_scores_under_a_pool_are_those_of_plain_python(seed: int, min_grade: int) -> None:
    truth, runs = collection(seed)
    for depth, contributors in ((1, "A"), (2, "AB"), (4, "ABC")):
        pool = build_pool({name: runs[name] for name in contributors}, depth)
        for k in (1, 3, 10):
            scores = rescore(pool, runs, truth, k, min_grade=min_grade)
            table = scores.table()
            for name, run in runs.items():
                value, n = by_hand(truth, pool, run, k, min_grade)
                assert n == table.loc[name, "pooled_n"]
                assert table.loc[name, "pooled"] == pytest.approx(
                    np.nan if value is None else value, nan_ok=True
                )
                assert table.loc[name, "truth"] == evaluate(truth, run, min_grade=min_grade).recall(k)
                assert scores.on_pool[name].n == table.loc[name, "truth_n"] - len(scores.lost)


def test_the_table_of_scores() -> None:
    scores = rescore(build_pool(OLD, 2), RUNS, TRUTH, 2, min_grade=2)
    expected = pd.DataFrame(
        {
            "contributes": [True, True, False],
            "truth": [0.75, 0.25, 0.75],
            "truth_rank": [1, 3, 1],
            "pooled": [1.0, 0.5, 0.5],
            "pooled_rank": [1, 2, 2],
            "change": [0.25, 0.25, -0.25],
            "truth_n": [2, 2, 2],
            "pooled_n": [2, 2, 2],
            "judged": [1.0, 1.0, 0.5],
            "unjudged": [0.0, 0.0, 0.5],
        },
        index=pd.Index(["A", "B", "NEW"], name="system"),
    )
    pd.testing.assert_frame_equal(scores.table(), expected, check_dtype=False)
    assert repr(scores).startswith("recall@2, truth in the pool of A, B to depth 2\n")


def test_lost_queries_leave_the_mean_and_are_said() -> None:
    scores = rescore(build_pool({"B": RUNS["B"]}, 1), RUNS, TRUTH, 2, min_grade=2)
    assert scores.lost == ["q2"]
    assert scores.table()["pooled_n"].to_list() == [1, 1, 1]
    assert "1 query has relevant documents and none of them in the pool, so it leaves the means: q2" in repr(
        scores
    )


def test_a_pool_without_any_relevant_document_has_no_scores() -> None:
    scores = rescore(build_pool({"X": {"q1": ["y"], "q2": ["y"]}}, 1), RUNS, TRUTH, 2, min_grade=2)
    assert scores.table()["pooled"].isna().all()
    assert scores.table()["pooled_rank"].isna().all()
    assert scores.table()["pooled_n"].to_list() == [0, 0, 0]
    assert "2 queries have relevant documents and none of them in the pool, so they leave" in repr(scores)


def test_other_measures_and_another_pool() -> None:
    scores = rescore(build_pool(OLD, 2), RUNS, TRUTH, 2, min_grade=2, measure="hit_rate")
    assert scores.table()["truth"].to_list() == [1.0, 0.5, 1.0]
    again = scores.under(build_pool(RUNS, 3))
    assert again.table()["pooled"].to_list() == [1.0, 0.5, 1.0]
    assert again.on_truth is scores.on_truth
    with pytest.raises(RecallLabError, match="there is no measure 'recal'"):
        rescore(build_pool(OLD, 2), RUNS, TRUTH, 2, measure="recal")
    with pytest.raises(RecallLabError, match="k is 0"):
        rescore(build_pool(OLD, 2), RUNS, TRUTH, 0)


# -------------------------------------------------------------------------------------------- leave one out


@pytest.mark.parametrize("seed", range(5))
def test_leaving_a_system_out_scores_it_on_the_pool_of_the_others(seed: int) -> None:
    truth, runs = collection(seed)
    contributors = {name: runs[name] for name in "ABC"}
    scores = rescore(build_pool(contributors, 3), runs, truth, 5)
    full, table = scores.table(), scores.leave_one_out()
    assert list(table.index) == ["A", "B", "C"]
    for name in contributors:
        others = {other: run for other, run in contributors.items() if other != name}
        expected = rescore(build_pool(others, 3), runs, truth, 5).table().loc[name]
        row = table.loc[name]
        assert row["without_it"] == pytest.approx(expected["pooled"])
        assert row["rank_without_it"] == expected["pooled_rank"]
        assert row["n_without_it"] == expected["pooled_n"]
        assert row[["pooled", "pooled_rank", "pooled_n"]].to_list() == (
            full.loc[name, ["pooled", "pooled_rank", "pooled_n"]].to_list()
        )
        assert row["change"] == pytest.approx(expected["pooled"] - full.loc[name, "pooled"])


def test_unique_contributions_are_counted() -> None:
    table = rescore(build_pool(OLD, 2), RUNS, TRUTH, 2, min_grade=2).leave_one_out()
    assert table["unique_documents"].to_dict() == {"A": 4, "B": 2}
    assert table["unique_relevant"].to_dict() == {"A": 1, "B": 0}
    assert table["pooled_n"].to_dict() == {"A": 2, "B": 2}
    assert table["n_without_it"].to_dict() == {"A": 1, "B": 2}, "only A brought what q2 needs"


def test_what_cannot_be_left_out() -> None:
    with pytest.raises(RecallLabError, match="at least two systems; this is the pool of A to depth 2"):
        rescore(build_pool({"A": RUNS["A"]}, 2), RUNS, TRUTH, 2).leave_one_out()
    with pytest.raises(RecallLabError, match="no run is given of B; there are runs of A"):
        rescore(build_pool(OLD, 2), {"A": RUNS["A"]}, TRUTH, 2).leave_one_out()


# ----------------------------------------------------------------------------------------- all depths at once


@pytest.mark.parametrize("seed", range(8))
def test_a_sweep_gives_the_values_of_each_pool(seed: int) -> None:
    truth, runs = collection(seed)
    for contributors in (["A"], ["C", "A"], None):
        sweep = sweep_depths(runs, truth, k=4, max_depth=6, pooled=contributors)
        for depth in range(1, 7):
            pool = build_pool({name: runs[name] for name in contributors or runs}, depth)
            scores = rescore(pool, runs, truth, 4)
            table = scores.table()
            np.testing.assert_allclose(sweep.recall.loc[depth], table["pooled"], rtol=1e-12)
            np.testing.assert_allclose(sweep.judged.loc[depth], table["judged"], rtol=1e-12)
            assert sweep.n[depth] == table["pooled_n"].iloc[0]
            judged = scores.judged.judgments.values()
            assert sweep.size[depth] == sum(grade >= 0 for grades in judged for grade in grades.values())


def test_a_sweep_names_what_is_wrong() -> None:
    with pytest.raises(RecallLabError, match="no run is given of X; there are runs of A, B, NEW"):
        sweep_depths(RUNS, TRUTH, 2, 3, pooled=["X"])
    with pytest.raises(RecallLabError, match="max_depth is 0"):
        sweep_depths(RUNS, TRUTH, 2, 0)
    with pytest.raises(NoCommonQueriesError):
        sweep_depths(RUNS, {"other": ["a"]}, 2, 3)


# --------------------------------------------------------------------------------- the library of things


LEXICAL = ("keyword", "keyword_all_words", "keyword_titles_twice")


def test_a_pool_of_keyword_searches_hides_the_best_system() -> None:
    """The story of the simulation, on real text: minilm is the best, and last but one on the lexical pool."""
    golden = GoldenDataset.load("library_of_things")
    runs = {name: frozen_run(name) for name in (*LEXICAL, "hybrid_10", "wordllama", "minilm")}
    scores = rescore(build_pool({name: runs[name] for name in LEXICAL}, 10), runs, golden, 10)
    table = scores.table()
    assert table.loc["minilm", ["truth_rank", "pooled_rank"]].to_list() == [1, 5]
    assert table.loc["keyword", "pooled"] - table.loc["hybrid_10", "pooled"] >= 0.03
    assert table.loc["keyword", "truth"] - table.loc["hybrid_10", "truth"] <= -0.05
    assert (table.loc[list(LEXICAL), "change"] > 0.3).all()
    assert abs(table.loc["minilm", "change"]) < 0.05
    assert table.loc["minilm", "unjudged"] > 0.5
    assert table["truth_n"].iloc[0] == 104
    assert 104 - table["pooled_n"].iloc[0] == len(scores.lost) >= 30
    assert (scores.leave_one_out()["change"].abs() < 0.02).all()
    repooled = scores.under(build_pool(runs, 10)).table()
    assert repooled.loc["minilm", "pooled_rank"] == 1


def test_the_shipped_lexical_pool_holds_the_pool_of_its_searches() -> None:
    shipped = GoldenDataset.load("library_of_things", judgments="lexical_pool")
    runs = [frozen_run(name) for name in LEXICAL[:2]]
    judged = build_pool(runs, 10).judge(GoldenDataset.load("library_of_things"))
    for query, grades in judged.judgments.items():
        assert grades.items() <= shipped.judgments.get(query, {}).items()


def test_what_is_no_pool_is_named() -> None:
    runs = {"A": {"q1": ["a"]}}
    with pytest.raises(RecallLabError, match="pool is a dict; give what build_pool"):
        rescore(runs, runs, {"q1": ["a"]}, k=1)
    with pytest.raises(RecallLabError, match="pooled is 'OLD'; it is a list of names"):
        sweep_depths({"OLD": {"q1": ["a"]}}, {"q1": ["a"]}, k=1, max_depth=1, pooled="OLD")
    with pytest.raises(TypeError):
        build_pool(runs, 1) | runs
