"""The nine rules of measurement, each tested in both forms: the readable measures and the evaluation."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from recall_lab.errors import InputFileError, NoCommonQueriesError, RecallLabError
from recall_lab.evaluation import MEASURES, evaluate
from recall_lab.golden import GoldenDataset
from recall_lab.measures import (
    average_precision,
    mean_recall_at_k,
    ndcg_at_k,
    precision_at_k,
    r_precision,
    recall_at_k,
    reciprocal_rank_at_k,
)
from recall_lab.run import Run


def notice_ids(e, code: str) -> tuple[str, ...]:
    return next((notice.ids for notice in e.notices if notice.code == code), ())


def test_rule_1_without_a_relevant_document_recall_is_undefined_excluded_and_listed() -> None:
    assert recall_at_k(["a"], [], 5) is None
    assert mean_recall_at_k([(["a"], ["a"]), (["a"], [])], 5) == 1.0
    e = evaluate({"q1": {"a": 1}, "q2": {"a": 0}, "q3": {}}, {"q1": ["a"], "q2": ["a"]})
    assert (e.recall(5), e.n, e.excluded) == (1.0, 1, ["q2", "q3"])
    assert e.per_query(5)["recall"].isna().tolist() == [False, True, True]
    assert notice_ids(e, "no-relevant") == ("q2", "q3")
    assert "q2, q3" in e.summary((5,)).text


def test_rule_2_unanswered_counts_zero_ignored_is_listed_nothing_in_common_is_an_error() -> None:
    e = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q9": ["a"]})
    assert (e.recall(1), e.n, e.unanswered, e.ignored) == (0.5, 2, ["q2"], ["q9"])
    assert notice_ids(e, "unanswered") == ("q2",)
    assert notice_ids(e, "ignored") == ("q9",)
    asked_for = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"]}, unanswered="skip")
    assert (asked_for.recall(1), asked_for.n, asked_for.unanswered) == (1.0, 1, ["q2"])
    with pytest.raises(NoCommonQueriesError, match="leading zeros"):
        evaluate({"7": {"a": 1}}, {"007": ["a"]})


def test_rule_2_nothing_is_printed_or_warned(
    capsys: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    evaluate({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}}, {"q1": ["a"], "q9": ["a"]}).summary((5,))
    assert capsys.readouterr() == ("", "")
    assert not recwarn.list


def test_rule_3_score_then_document_id_both_descending() -> None:
    scores = {"a": 1.0, "c": 1.0, "b": 1.0, "top": 1.0 + 2**-52}
    assert Run({"q": scores}).ranking("q") == ["top", "c", "b", "a"]
    e = evaluate({"q": ["b"]}, {"q": scores})
    assert e.relevant_ranks("q") == [3]
    assert (e.ties(2).worst, e.ties(2).value, e.ties(2).best) == (0.0, 0.0, 1.0)
    assert evaluate({"q": ["b"]}, {"q": ["b", "c", "a"]}).relevant_ranks("q") == [1]


def test_rule_3_all_measures_use_the_one_ranking() -> None:
    scores = {"d1": 2.0, "d10": 2.0, "d9": 2.0, "d2": 3.0, "x": 1.0}
    grades = {"d1": 1, "d9": 2, "d2": 0, "lost": 1}
    relevant = {"d1", "d9", "lost"}
    ranking = Run({"q": scores}).ranking("q")
    e = evaluate({"q": grades}, {"q": scores})
    assert ranking == ["d2", "d9", "d10", "d1", "x"]
    for k in range(1, 7):
        assert e.recall(k) == pytest.approx(recall_at_k(ranking, relevant, k))
        assert e.precision(k) == pytest.approx(precision_at_k(ranking, relevant, k))
        assert e.reciprocal_rank(k) == pytest.approx(reciprocal_rank_at_k(ranking, relevant, k))
        assert e.average_precision(k) == pytest.approx(average_precision(ranking, relevant, k))
        assert e.ndcg(k) == pytest.approx(ndcg_at_k(ranking, grades, k))
    assert e.r_precision() == pytest.approx(r_precision(ranking, relevant))


def test_rule_3_the_rank_column_never_decides_and_nan_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "my.run"
    path.write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n")
    e = evaluate({"q1": ["a"]}, Run.read(path))
    assert (e.recall(1), e.reciprocal_rank()) == (0.0, 0.5)
    assert any("rank" in str(notice) for notice in e.notices)
    path.write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 nan t\n")
    with pytest.raises(InputFileError, match="line 2"):
        Run.read(path)
    with pytest.raises(RecallLabError, match=r"'b'.*'q1'"):
        evaluate({"q1": ["a"]}, {"q1": {"a": 1.0, "b": math.nan}})


@pytest.mark.parametrize("k", [0, -1, 1.0, True, np.True_, "1", None])
def test_rule_4_k_is_a_whole_number_from_one(k: object) -> None:
    with pytest.raises(ValueError, match="k is"):
        recall_at_k(["a"], ["a"], k)  # type: ignore[arg-type]
    if k is not None:
        with pytest.raises(ValueError, match="k is"):
            evaluate({"q": ["a"]}, {"q": ["a"]}).recall(k)  # type: ignore[arg-type]


def test_rule_4_a_deep_k_is_fine_and_a_shallow_run_is_reported() -> None:
    assert recall_at_k(["x", "a"], ["a"], np.int64(1000)) == 1.0
    e = evaluate({"q": ["a"], "p": ["a"]}, {"q": ["x", "a"], "p": ["a", "b", "c"]})
    assert e.recall(1000) == 1.0
    assert "2 queries below k = 5, the shortest with 2" in e.summary((5,)).text
    assert "1 query below k = 3" in e.summary((3,)).text
    assert "below" not in e.summary((2,)).text


def test_rule_5_cut_first_then_count_distinct(tmp_path: Path) -> None:
    assert recall_at_k(["A", "A", "X"], ["A"], 3) == 1.0
    assert recall_at_k(["A", "A", "B"], ["A", "B"], 2) == 0.5
    assert precision_at_k(["A", "A"], ["A"], 2) == 0.5
    assert average_precision(["A", "A", "B"], ["A", "B"]) == pytest.approx((1 + 2 / 3) / 2)
    assert ndcg_at_k(["A", "A"], {"A": 1, "B": 1}, 2) == pytest.approx(1 / (1 + 1 / math.log2(3)))
    with pytest.raises(RecallLabError, match=r"'q1'.*'A'"):
        evaluate({"q1": ["A"]}, {"q1": ["A", "A", "X"]})
    path = tmp_path / "my.run"
    path.write_text("q1 Q0 A 1 99 t\nq1 Q0 A 2 98 t\n")
    with pytest.raises(InputFileError, match=r"line 2: document 'A' .*'q1'"):
        Run.read(path)


def test_rule_6_grades_are_whole_and_negative_means_not_judged() -> None:
    e = evaluate({"q": {"a": -1, "b": 1, "c": 0}}, {"q": ["a", "b", "c"]})
    assert (e.recall(1), e.judged(1), e.judged(3)) == (0.0, 0.0, pytest.approx(2 / 3))
    assert e.ndcg(2) == pytest.approx(1 / math.log2(3))
    assert evaluate({"q": {"a": -1}, "p": ["a"]}, {"q": ["a"], "p": ["a"]}).excluded == ["q"]
    with pytest.raises(RecallLabError, match=r"0\.5"):
        evaluate({"q": {"a": 0.5}}, {"q": ["a"]})


def test_rule_6_the_threshold_comes_with_the_data_and_is_printed() -> None:
    golden = GoldenDataset({}, {}, {"q": {"a": 1, "b": 2, "c": 3}}, min_grade=2)
    e = evaluate(golden, {"q": ["a", "b"]})
    assert (e.recall(2), e.min_grade) == (0.5, 2)
    assert "grade 2 or more" in e.summary((2,)).text
    assert evaluate({"q": {"a": 1, "b": 2, "c": 3}}, {"q": ["a", "b"]}).recall(2) == pytest.approx(2 / 3)


def test_rule_7_ids_are_text_compared_exactly() -> None:
    e = evaluate({"q": ["001", "NA"]}, {"q": ["1", "001", "None", "NA"]})
    assert e.relevant_ranks("q") == [2, 4]
    assert recall_at_k([1, 2], {2}, 2) == 1.0
    assert evaluate({1: {2: 1}}, {1: {2: 0.5, 3: 0.7}}).relevant_ranks(1) == [2]
    with pytest.raises(RecallLabError, match="text"):
        recall_at_k([1, 2], {"2"}, 2)
    with pytest.raises(RecallLabError, match="str"):
        evaluate({"q": {"2": 1}}, {"q": {2: 0.5}})


def test_rule_8_a_document_may_have_the_id_of_its_query_and_unjudged_is_not_relevant() -> None:
    ids = [str(number) for number in range(10)]
    judgments = {"0": {doc: 1 for doc in ids}}
    e = evaluate(judgments, {"0": {doc: float(-int(doc)) for doc in ids}})
    assert [e.recall(10), e.precision(10), e.ndcg(10), e.reciprocal_rank()] == [1.0, 1.0, 1.0, 1.0]
    unjudged = evaluate({"q": {"a": 1, "n": 0}}, {"q": ["u", "a", "n", "v"]})
    assert (unjudged.precision(1), unjudged.judged(1), unjudged.judged(4)) == (0.0, 0.0, 0.5)
    assert "judged" in unjudged.summary((1,)).table.columns


def test_rule_9_values_are_fractions_and_a_summary_states_its_terms() -> None:
    rng = np.random.default_rng(5)
    ids = [f"d{i}" for i in range(30)]
    judgments = {f"q{i}": {doc: int(rng.integers(-1, 4)) for doc in rng.choice(ids, 9)} for i in range(50)}
    results = {f"q{i}": rng.choice(ids, 20, replace=False).tolist() for i in range(50)}
    e = evaluate(judgments, results, min_grade=2)
    for measure in MEASURES:
        curve = e.curve(40, measure)
        assert ((curve >= 0) & (curve <= 1)).all(), measure
    text = e.summary((5,)).text
    for stated in ("k", "n = ", "no relevant document", "macro", "ceiling", "grade 2"):
        assert stated in text
