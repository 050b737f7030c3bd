"""Keyword search: what it finds, in which order, and what it refuses."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_lab.errors import RecallLabError
from recall_lab.golden import Passage
from recall_lab.retrieval.base import SCORE_DIGITS
from recall_lab.retrieval.keyword import STOP_WORDS, KeywordRetriever, words

PASSAGES = {
    "p1": "A ladder is lent for one week.",
    "p2": "The drill LT-042 comes with a charger. Charge the drill before you return it.",
    "p3": "Ladders and steps stand in hall B.",
    "p4": "",
    "p5": "Late returns cost 50 cents a day.",
}


def bm25_by_hand(
    passages: dict[str, str], question: str, k1: float = 1.5, b: float = 0.75
) -> dict[str, float]:
    """Lucene's BM25, term by term, as the formula is written."""
    terms = {name: Counter(words(text)) for name, text in passages.items()}
    mean_length = sum(sum(counts.values()) for counts in terms.values()) / len(terms)
    scores = {}
    for name, counts in terms.items():
        score = 0.0
        for word in words(question):
            if word not in counts:
                continue
            containing = sum(word in other for other in terms.values())
            idf = math.log(1 + (len(terms) - containing + 0.5) / (containing + 0.5))
            length = 1 - b + b * sum(counts.values()) / mean_length
            score += idf * counts[word] / (counts[word] + k1 * length)
        scores[name] = round(score, SCORE_DIGITS)
    return scores


def test_scores_are_those_of_the_formula() -> None:
    retriever = KeywordRetriever(PASSAGES)
    for question in ("How do I return the drill?", "ladders", "charge the drill, then charge the charger"):
        expected = {name: score for name, score in bm25_by_hand(PASSAGES, question).items() if score > 0}
        assert dict(retriever.search(question)) == pytest.approx(expected, abs=1.1e-4)
        assert expected


def test_settings_change_the_scores_as_the_formula_says() -> None:
    retriever = KeywordRetriever(PASSAGES, k1=0.9, b=0.0)
    expected = bm25_by_hand(PASSAGES, "drill", k1=0.9, b=0.0)
    assert dict(retriever.search("drill")) == pytest.approx({"p2": expected["p2"]}, abs=1.1e-4)


TEXTS = st.lists(st.sampled_from(["ladder", "drill", "saw", "the", "saws", "wrench"]), max_size=4).map(
    " ".join
)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), TEXTS, min_size=1, max_size=12), TEXTS)
def test_order_is_score_then_id_both_descending(passages: dict[str, str], question: str) -> None:
    found = KeywordRetriever(passages).search(question + " ladder", depth=50)
    assert found == sorted(found, key=lambda pair: (pair[1], pair[0]), reverse=True)
    assert all(score > 0 and score == round(score, SCORE_DIGITS) for _, score in found)
    assert {name for name, _ in found} == {
        name for name, score in bm25_by_hand(passages, question + " ladder").items() if score > 0
    }


def test_equal_passages_tie_and_the_greater_id_comes_first() -> None:
    retriever = KeywordRetriever({name: "a red saw" for name in ("d1", "d10", "d2")} | {"x": "drill"})
    found = retriever.search("saw")
    assert [name for name, _ in found] == ["d2", "d10", "d1"]
    assert len({score for _, score in found}) == 1


def test_the_order_passages_are_given_in_changes_nothing() -> None:
    backwards = dict(reversed(PASSAGES.items()))
    question = "return the ladder or the drill"
    assert KeywordRetriever(PASSAGES).search(question) == KeywordRetriever(backwards).search(question)


def test_the_same_results_under_another_hash_seed() -> None:
    program = (
        "from recall_lab.retrieval.keyword import KeywordRetriever\n"
        f"print(KeywordRetriever({PASSAGES!r}).search('return the drill and the ladder to the hall'))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_depth_cuts_and_may_exceed_the_corpus() -> None:
    retriever = KeywordRetriever(PASSAGES)
    assert len(retriever.search("ladder", depth=1)) == 1
    assert {name for name, _ in retriever.search("ladder", depth=10_000)} == {"p1", "p3"}


@pytest.mark.parametrize("depth", [0, -1, 2.5, True, "3", None])
def test_a_wrong_depth_is_named(depth: object) -> None:
    retriever = KeywordRetriever(PASSAGES)
    with pytest.raises(RecallLabError, match="depth"):
        retriever.search("ladder", depth=depth)  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="depth"):
        retriever.run({"q": "ladder"}, depth=depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("question", ["trampoline", "what is the", "?!", "p1"])
def test_nothing_in_common_finds_nothing(question: str) -> None:
    assert KeywordRetriever(PASSAGES).search(question) == []


@pytest.mark.parametrize("question", ["", "  \n", None, 3])
def test_an_empty_question_is_refused(question: object) -> None:
    with pytest.raises(RecallLabError, match="question"):
        KeywordRetriever(PASSAGES).search(question)  # type: ignore[arg-type]


def test_run_names_the_question_it_refuses() -> None:
    with pytest.raises(RecallLabError, match="'q2'"):
        KeywordRetriever(PASSAGES).run({"q1": "ladder", "q2": " "})


@pytest.mark.filterwarnings("error")
def test_passages_without_a_single_term_find_nothing() -> None:
    assert KeywordRetriever({"a": "", "b": "the of"}).search("ladder") == []


def test_titles_count_as_text() -> None:
    retriever = KeywordRetriever({"a": Passage("Ladder", "Lent for a week."), "b": Passage("Drill", "")})
    assert [name for name, _ in retriever.search("ladder")] == ["a"]
    assert [name for name, _ in retriever.search("drill week")] == ["b", "a"]


@pytest.mark.parametrize(
    ("passages", "settings", "named"),
    [
        ({}, {}, "no passage"),
        ({1: "ladder"}, {}, "1 \\(int\\)"),
        (PASSAGES, {"k1": -1.0}, "k1"),
        (PASSAGES, {"k1": math.inf}, "k1"),
        (PASSAGES, {"b": 1.5}, "b must"),
        (PASSAGES, {"b": math.nan}, "b must"),
    ],
)
def test_wrong_construction_is_named(
    passages: dict[str, str], settings: dict[str, float], named: str
) -> None:
    with pytest.raises(RecallLabError, match=named):
        KeywordRetriever(passages, **settings)  # type: ignore[arg-type]


def test_words_are_documented_words() -> None:
    assert words("The library’s LADDERS; returning: LT-042, fee_2") == [
        "librari", "ladder", "return", "lt", "042", "fee_2",
    ]  # fmt: skip
    assert words(" ".join(STOP_WORDS)) == []
    assert words("the drill", stop_words=frozenset()) == ["the", "drill"]


def test_a_run_keeps_what_search_shows() -> None:
    retriever = KeywordRetriever(PASSAGES)
    questions = {"q1": "ladder in hall", "q2": "trampoline"}
    run = retriever.run(questions, depth=3)
    assert run.name == "keyword"
    assert run.query_ids == ["q1", "q2"]
    assert run.ranking("q1") == [name for name, _ in retriever.search("ladder in hall", depth=3)]
    assert run.scores("q1") == dict(retriever.search("ladder in hall", depth=3))
    assert run.ranking("q2") == []


def test_nothing_is_written_while_it_works(capfd: pytest.CaptureFixture[str]) -> None:
    KeywordRetriever(PASSAGES).run({"q1": "ladder"})
    assert capfd.readouterr() == ("", "")


def test_long_work_in_a_terminal_is_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("recall_lab.retrieval.base._PROGRESS_AFTER_SECONDS", -1.0)
    retriever = KeywordRetriever(PASSAGES)
    retriever.run({"q1": "ladder"})
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    retriever.run({"q1": "ladder", "q2": "drill"})
    assert "1 of 2 questions searched" in capsys.readouterr().err


def test_six_hundred_passages_are_ready_in_two_seconds_and_answer_in_twenty_milliseconds() -> None:
    passages = {f"p{i}": f"item {i} tool{i % 40} ladder drill shelf{i % 7} " * 8 for i in range(600)}
    start = time.process_time()
    retriever = KeywordRetriever(passages)
    assert time.process_time() - start < 2
    questions = [f"where is tool{i} on shelf{i % 7} with a ladder" for i in range(20)]
    start = time.process_time()
    for question in questions:
        retriever.search(question, depth=100)
    assert (time.process_time() - start) / len(questions) < 0.02
