"""Runs: order, ties, what is refused, files and equality."""

from __future__ import annotations

import copy
import gzip
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_lab.errors import InputFileError, RecallLabError
from recall_lab.evaluation import evaluate
from recall_lab.run import Run

scores = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False), st.integers(-5, 5), st.sampled_from([0.0, -0.0, 1.0])
)
results = st.dictionaries(
    st.text("q123", min_size=1, max_size=3),
    st.dictionaries(st.text("dDé0129", min_size=1, max_size=3), scores, max_size=8),
    max_size=4,
)


@given(results)
def test_order_is_score_then_id_both_descending(given_results: dict) -> None:
    run = Run(given_results)
    for query, found in given_results.items():
        order = sorted(found, key=lambda doc: doc.encode(), reverse=True)
        order.sort(key=lambda doc: -float(found[doc]))
        assert run.ranking(query) == order == run[query]
        assert run.ranking(query, 2) == order[:2]
        assert run.depth(query) == len(found)


def test_a_list_is_in_order_and_counts_down() -> None:
    run = Run({"q": ("z", "a", "m")})
    assert run.ranking("q") == ["z", "a", "m"]
    assert run.scores("q") == {"z": 3.0, "a": 2.0, "m": 1.0}


def test_scores_are_compared_as_64_bit_floats() -> None:
    run = Run({"q": {"a": 2**53 + 1, "b": 2**53}})  # equal once they are floats
    assert run.ranking("q") == ["b", "a"]
    close = Run({"q": {"a": 1.0 + 2**-52, "b": 1.0}})  # equal in 32 bits only
    assert close.ranking("q") == ["a", "b"]


@pytest.mark.parametrize("score", [Fraction(1, 2), np.float32(0.5), np.int64(1), 3])
def test_any_number_is_a_score(score: object) -> None:
    assert Run({"q": {"a": score, "b": -1}}).ranking("q") == ["a", "b"]


@pytest.mark.parametrize(
    "score", [float("nan"), None, "0.5", b"1", [1.0], np.nan, float("inf"), -np.inf, 10**400]
)
def test_a_score_that_is_no_number_is_named(score: object) -> None:
    with pytest.raises(RecallLabError, match=r"'d7'.*'q2'"):
        Run({"q1": {"a": 1.0}, "q2": {"b": 1.0, "d7": score}})


def test_a_repeat_in_a_list_is_named() -> None:
    with pytest.raises(RecallLabError, match=r"'q2'.*'d7'"):
        Run({"q1": ["a"], "q2": ["d7", "b", "d7"]})


@pytest.mark.parametrize("bad", ["d1,d2", {"a", "b"}, 5, None])
def test_results_of_another_shape_are_refused(bad: object) -> None:
    with pytest.raises(RecallLabError, match="q1"):
        Run({"q1": bad})


@pytest.mark.parametrize("bad", [["a", "b"], "my.run", None, 3])
def test_a_run_is_made_from_a_dict(bad: object) -> None:
    with pytest.raises(RecallLabError, match="dict"):
        Run(bad)  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="dict"):
        Run.of(bad)  # type: ignore[arg-type]


def test_query_ids_are_texts_or_numbers() -> None:
    with pytest.raises(RecallLabError, match="id is a text"):
        Run({1.5: ["a"]})
    assert Run({7: ["a"]}).ranking(7) == ["a"]


def test_an_unknown_query() -> None:
    run = Run({"q1": ["a"]})
    assert run.depth("q9") == 0
    assert "q9" not in run
    for ask in (run.ranking, run.scores):
        with pytest.raises(RecallLabError, match="q9"):
            ask("q9")


def test_generators_are_read_once_and_kept() -> None:
    run = Run({"q": (doc for doc in "ba"), "p": np.array(["c", "d"])})
    assert run.ranking("q") == run.ranking("q") == ["b", "a"]
    assert run.ranking("p") == ["c", "d"]


def test_nothing_is_copied_or_changed() -> None:
    given_results = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"c": 1}}
    before = copy.deepcopy(given_results)
    run = Run(given_results)
    run.ranking("q1")
    run.scores("q1")["a"] = 99.0
    assert given_results == before
    assert run.look_up("q1")[0] is given_results["q1"]


def test_it_behaves_like_a_collection_of_queries() -> None:
    run = Run({"q1": ["a"], "q2": []}, name="mine")
    assert len(run) == 2
    assert list(run) == run.query_ids == ["q1", "q2"]
    assert run.name == "mine"
    assert run.notices == []


def test_repr_names_the_run_and_has_no_address() -> None:
    assert repr(Run({"q1": ["a", "b"]}, name="mine")) == "Run 'mine': 1 query, up to 2 documents each"
    assert "0x" not in repr(Run({}))


def test_equal_when_the_same_documents_have_the_same_scores() -> None:
    assert Run({"q": ["b", "a"]}) == Run({"q": {"a": 1, "b": 2.0}}, name="other")
    assert Run({"q": ["b", "a"]}) != Run({"q": ["a", "b"]})
    assert Run({"q": ["b"]}) != Run({"p": ["b"]})
    assert Run({}) != {}


@pytest.mark.parametrize("name", ["my.run", "my.run.gz", "my.csv", "my.tsv"])
def test_written_and_read_back(tmp_path: Path, name: str) -> None:
    run = Run({"q1": {"d1": 0.1, "d2": 1 / 3, "d3": 1 / 3, "d,4": -2e-300}, "007": {"é": 5}}, name="mine")
    path = tmp_path / name
    run.write(path)
    again = Run.read(path)
    assert again == run
    assert [again.ranking(query) for query in again] == [run.ranking(query) for query in run]
    assert [again.depth(query) for query in run] == [4, 1]
    assert again.query_ids == ["q1", "007"]
    assert len(again) == 2
    assert "q9" not in again


def test_a_list_written_as_jsonl_stays_in_order(tmp_path: Path) -> None:
    run = Run({"q1": ["b", "c", "a"], "q2": []})
    run.write(tmp_path / "my.jsonl")
    assert Run.read(tmp_path / "my.jsonl") == run


def test_names_of_runs_read(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run.gz"
    with gzip.open(path, "wt") as file:
        file.write("q1 Q0 a 1 2.5 tagged\n")
    assert Run.read(path).name == "tagged"
    assert Run.read(path, name="mine").name == "mine"
    assert "tagged" in repr(Run.read(path))


def test_a_document_twice_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my.run"
    path.write_text("q1 Q0 A 1 99 t\nq1 Q0 B 2 98 t\nq1 Q0 A 3 97 t\n")
    with pytest.raises(InputFileError, match="line 3"):
        Run.read(path)
    run = Run.read(path, duplicates="keep-best")
    assert run.scores("q1") == {"A": 99.0, "B": 98.0}
    assert run.notices


def test_words_after_the_sixth_column(tmp_path: Path) -> None:
    path = tmp_path / "my.run"
    path.write_text("q1 Q0 A 1 99 t some words\n")
    with pytest.raises(InputFileError):
        Run.read(path)
    assert Run.read(path, extra_words=True).ranking("q1") == ["A"]


@pytest.mark.parametrize(
    ("bad", "way_out"),
    [
        ([("a", 0.9), ("b", 0.8)], r"\('a', 0.9\).*dict\(pairs\)"),
        ([["a", 0.9]], r"\['a', 0.9\].*dict\(pairs\)"),
        (np.array([["a", "b"]]), r"dict\(pairs\)"),
        ([{"id": "a"}], r"\[each\['id'\] for each in results\]"),
        (["a", ["b", 1]], r"\['b', 1\].*dict\(pairs\)"),
        (pd.Series({"a": 0.9}), r"Series.*\.to_dict\(\)"),
        ([None], "None"),
        ([b"a"], "'a'"),
        ({1.5: 1.0}, "1.5"),
    ],
)
@pytest.mark.parametrize("make", [Run, lambda results: Run.of(results).look_up("q7")])
def test_what_is_no_id_is_named_with_the_way_out(make: object, bad: object, way_out: str) -> None:
    with pytest.raises(RecallLabError, match=f"'q7'.*{way_out}"):
        make({"q7": bad})  # type: ignore[operator]


@pytest.mark.parametrize("depth", [-1, 0, True, "x", 1.5])
def test_a_depth_is_a_whole_number_from_1(depth: object) -> None:
    with pytest.raises(RecallLabError, match="depth is"):
        Run({"q": ["a", "b"]}).ranking("q", depth)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad",
    [None, ("b", 0.9), ["b"], 1.5, True, b"b", {"id": "b"}, frozenset("b")],
    ids=lambda bad: type(bad).__name__,
)
@pytest.mark.parametrize("make", [list, tuple, iter], ids=["list", "tuple", "iterator"])
def test_what_is_no_id_is_refused_wherever_it_stands(bad: object, make: Callable) -> None:
    with pytest.raises(RecallLabError, match="'q1'"):
        Run({"q1": make(["a", "c", bad])})
    with pytest.raises(RecallLabError, match="'q1'"):
        evaluate({"q1": {"a": 1}}, {"q1": make(["a", "c", bad])})


@pytest.mark.parametrize("bad", [None, 1.5, True, ("b", 0.9)], ids=lambda bad: type(bad).__name__)
def test_what_is_no_id_among_scores_is_refused(bad: object) -> None:
    with pytest.raises(RecallLabError, match="'q1'"):
        Run({"q1": {"a": 2.0, bad: 1.0}})


def test_texts_and_numbers_of_any_type_are_ids() -> None:
    assert Run({"q": ["a", np.str_("b"), 7, np.int64(8)]}).depth("q") == 4


class Counted(str):
    """A text that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


def test_a_late_repeat_is_found_in_one_pass() -> None:
    ids = [Counted(i) for i in range(2000)]
    Counted.compared = 0
    with pytest.raises(RecallLabError, match="lists document '1999' twice"):
        Run({"q": [*ids, Counted(1999)]})
    assert Counted.compared < 20 * len(ids)


def test_a_run_is_like_a_dict_of_lists() -> None:
    run = Run({"q1": {"a": 1.0, "b": 2.0}, "q2": ["c"]})
    assert dict(run) == dict(run.items()) == {"q1": ["b", "a"], "q2": ["c"]}
    assert list(run.keys()) == ["q1", "q2"] and list(run.values()) == [["b", "a"], ["c"]]
    assert "q1" in run.keys() and len(run.items()) == 2
    assert run.get("q2") == ["c"] and run.get("q3") is None and run.get("q3", []) == []


@pytest.mark.parametrize("no_id", [["q1"], {}, {"q1"}], ids=["list", "dict", "set"])
def test_what_cannot_be_an_id_is_in_no_run(no_id: object) -> None:
    run = Run({"q1": ["a"]})
    assert no_id not in run and run.get(no_id) is None and run.depth(no_id) == 0
    for look in (run.ranking, run.scores, run.__getitem__):
        with pytest.raises(RecallLabError, match="no query"):
            look(no_id)
