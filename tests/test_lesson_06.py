"""Lesson 06: what it claims, recomputed from the data, and mistakes as a learner would type them."""

from __future__ import annotations

import re
from functools import cache

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from authoring import build
from recall_lab import (
    Evaluation,
    GoldenDataset,
    evaluate,
    hit_rate_at_k,
    mean_hit_rate_at_k,
    mean_recall_at_k,
    micro_recall_at_k,
    recall_at_k,
)
from recall_lab.exercises import another, check, predict, task
from recall_lab.exercises.lesson_02 import HAND_SHEET
from recall_lab.exercises.lesson_06 import TEN_RANKS
from recall_lab.retrieval import frozen_run
from recall_lab.widgets import AveragesView

SHEET = [(query.retrieved, query.relevant(1)) for query in HAND_SHEET.queries]
FIVE = ["q004", "q033", "q017", "q020", "q054"]
LARGE = 5  # a question is large when its R is above this


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))


@cache
def golden() -> GoldenDataset:
    return GoldenDataset.load("library_of_things")


@cache
def searches() -> dict[str, Evaluation]:
    return {
        name: evaluate(golden(), frozen_run(run))
        for name, run in (("keyword", "keyword"), ("meaning", "minilm"))
    }


@cache
def page() -> str:
    notebook = nbformat.read(build.NOTEBOOKS / "06_macro_micro_hit_rate.ipynb", as_version=4)
    return "\n\n".join(cell.source for cell in notebook.cells)


# -- the hand sheet and the small examples -------------------------------------------------------------------


def test_two_of_two_and_three_of_thirty():
    two = [(["a", "b"], {"a", "b"}), (["c1", "c2", "c3"], {f"c{i}" for i in range(1, 31)})]
    assert mean_recall_at_k(two, 10) == pytest.approx(0.55)
    assert micro_recall_at_k(two, 10) == 5 / 32


def test_the_hand_sheet_crosses_three_times_and_the_page_says_why():
    above = [micro_recall_at_k(SHEET, k) > mean_recall_at_k(SHEET, k) for k in range(1, 21)]
    assert [k for k in range(2, 21) if above[k - 1] != above[k - 2]] == [7, 12, 19]
    assert re.findall(r"\*\*At (\d+)\*\*", page()) == ["7", "12", "19"]
    ranks = {query.name: query.ranks() for query in HAND_SHEET.queries}
    assert [name for name, found in ranks.items() if {6, 7} & set(found)] == ["q3"], "what lifts micro at 7"
    assert ranks["q5"] == [12], "what lifts macro at 12"
    assert (len(ranks["q1"]), len(ranks["q2"]), len(ranks["q3"])) == (3, 4, 20), "one of q1 is missing at 20"


def test_the_page_prints_the_ten_ranks_that_the_exercise_checks():
    printed = re.search(r"^\| rank \|(.*)\|$", page(), re.MULTILINE)
    assert printed is not None
    assert [cell.strip() for cell in printed[1].split("|")] == [str(rank or "never") for rank in TEN_RANKS]
    in_code = re.search(r"^ranks = \[(.*)\]$", page(), re.MULTILINE)
    assert in_code is not None and in_code[1].split(", ") == [str(rank) for rank in TEN_RANKS]


QUESTIONS = st.lists(
    st.tuples(st.permutations(list("abcdefgh")), st.sets(st.sampled_from("abcdefghij"), min_size=1)),
    min_size=1,
)


@given(QUESTIONS, st.integers(1, 9))
def test_hit_rate_is_never_below_recall_or_its_macro_mean(questions, k):
    for retrieved, relevant in questions:
        assert hit_rate_at_k(retrieved, relevant, k) >= recall_at_k(retrieved, relevant, k)
    assert mean_hit_rate_at_k(questions, k) >= mean_recall_at_k(questions, k) - 1e-12


@given(QUESTIONS, st.integers(1, 9))
def test_all_three_are_one_number_where_each_question_has_one_answer(questions, k):
    single = [(retrieved, {min(relevant)}) for retrieved, relevant in questions]
    assert mean_recall_at_k(single, k) == pytest.approx(mean_hit_rate_at_k(single, k))
    assert mean_recall_at_k(single, k) == pytest.approx(micro_recall_at_k(single, k))


def test_micro_can_be_above_the_hit_rate():
    two = [(["x"], {"a"}), (list(range(20)), set(range(20)))]
    assert micro_recall_at_k(two, 20) == 20 / 21 and mean_hit_rate_at_k(two, 20) == 0.5


# -- the real searches ---------------------------------------------------------------------------------------


def test_one_growing_question_makes_two_searches_swap_by_micro_only():
    runs = {"keyword": frozen_run("keyword"), "meaning": frozen_run("minilm")}
    table = AveragesView.for_questions(golden(), runs, FIVE, resize="q054", k=20).table()
    at_20 = table[table["k"] == 20].set_index("size")
    micro = at_20["micro keyword"] - at_20["micro meaning"]
    assert list(at_20.index) == list(range(1, 19))
    assert (micro[:5] < 0).all() and abs(micro[6]) < 1e-9 and (micro[7:] > 0).all()
    assert (at_20["macro meaning"] > at_20["macro keyword"]).all()
    hit_rate = at_20["hit_rate meaning"].diff()
    assert list(hit_rate.index[hit_rate.abs() > 1e-9]) == [3], "the page says where it moves"
    first = sorted(golden().relevant("q054"))[0]
    assert first in runs["keyword"].ranking("q054", 20) and first not in runs["meaning"].ranking("q054", 20)


def test_macro_and_micro_choose_different_winners_on_all_questions():
    keyword, meaning = searches().values()
    assert keyword.n == 104
    assert meaning.recall(20) - keyword.recall(20) > 0.08
    assert keyword.micro_recall(20) - meaning.micro_recall(20) > 0.05
    for search in (keyword, meaning):
        assert search.recall(10) - search.micro_recall(10) >= 0.08
    for k in (5, 10):
        assert meaning.micro_recall(k) > keyword.micro_recall(k), "a short list hides it"


def test_the_large_questions_do_it_and_they_are_the_lists():
    keyword, meaning = (e.per_query(20).dropna(subset="recall") for e in searches().values())
    large = keyword["relevant"] > LARGE
    assert set(keyword.loc[large, "type"]) == {"list"} == set(keyword.loc[keyword["type"] == "list", "type"])
    assert (keyword["type"] == "list").equals(large)
    assert keyword.loc[large, "found"].sum() > meaning.loc[large, "found"].sum()
    assert keyword.loc[~large, "found"].sum() < meaning.loc[~large, "found"].sum()


def test_three_questions_decide_who_wins_by_micro_and_nine_by_macro():
    keyword, meaning = (e.per_query(20).dropna(subset="recall") for e in searches().values())
    lead = (keyword["found"] - meaning["found"]).sort_values(ascending=False)
    assert lead.iloc[2:].sum() > 0 > lead.iloc[3:].sum()
    by_macro = (meaning["recall"] - keyword["recall"]).sort_values(ascending=False)
    assert by_macro.iloc[8:].sum() > 0, "eight questions are not enough"


def test_zeros_pull_macro_and_leave_micro():
    meaning = searches()["meaning"]
    zeros = evaluate(golden(), frozen_run("minilm"), no_relevant="zero")
    assert zeros.recall(20) == pytest.approx(meaning.recall(20) * 104 / 120)
    assert zeros.micro_recall(20) == meaning.micro_recall(20)


def test_the_card_that_the_page_quotes_is_in_the_handbook():
    quoted = re.search(r"\*(Parts: .*?)\*", page())
    assert quoted is not None
    assert [p.title for p in golden().passages.values() if quoted[1] in p.text] == [
        "Pressure washer, petrol (CL-4185)"
    ]


# -- as a learner would type it ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exercise", "typed", "mistake"),
    [
        ("06.macro_by_hand", 5 / 32, "micro"),
        ("06.macro_by_hand", 2 / 2 + 3 / 30, "summed_not_averaged"),
        ("06.macro_by_hand", (2 / 10 + 3 / 10) / 2, "divided_by_k"),
        ("06.macro_by_hand", "65 %", "divided_by_reachable"),
        ("06.micro_by_hand", 0.55, "macro_for_micro"),
        ("06.micro_by_hand", 2 / 2 + 3 / 30, "recalls_summed_for_micro"),
        ("06.micro_by_hand", "5/20", "divided_by_k"),
        ("06.micro_by_hand", (2 + 3) / (2 + 10), "divided_by_reachable"),
        ("06.sheet_micro", 0.375, "macro_for_micro"),
        ("06.sheet_micro", 0.3, "macro_with_zeros"),
        ("06.sheet_micro", "10/30", "one_to_find_in_nothing"),
        ("06.sheet_micro", "8/29", "cut_one_early"),
        ("06.sheet_micro", "11/29", "cut_one_late"),
        ("06.sheet_micro", "10/28", "only_questions_with_a_hit"),
        ("06.sheet_micro", 28 / 29, "no_cut"),
        ("06.sheet_micro", 3 / 4, "hit_or_miss"),
        ("06.hit_rate_of_ten", 0.6, "cut_one_early"),
        ("06.hit_rate_of_ten", "7/9", "never_found_left_out"),
        ("06.hit_rate_of_ten", 7, "summed_not_averaged"),
        ("06.hit_rate_of_ten", 0.3, "missed_for_hit_rate"),
    ],
    ids=lambda value: str(value).replace("/", "_of_"),
)
def test_a_natural_mistake_is_named(exercise, typed, mistake):
    assert check(exercise, typed).mistakes == (mistake,)


@pytest.mark.parametrize("seed", [49, 146, 167, 247, 815])
def test_a_hit_too_many_or_too_few_is_called_a_wrong_cut_at_most(seed):
    variant = another("06.sheet_micro", seed=seed)
    pairs = [(query.retrieved, query.relevant(1)) for query in variant.data.queries]
    existing = sum(len(relevant) for _, relevant in pairs)
    found = round(micro_recall_at_k(pairs, variant.data.k) * existing)
    for miscounted in (found - 1, found + 1):
        assert set(check(variant, miscounted / existing).mistakes) <= {"cut_one_early", "cut_one_late"}


def test_labels_are_read_as_the_code_spells_them():
    labels = {
        "next member": "Macro",
        "faulty drills": "micro ",
        "blank page": "hit_rate",
        "court": "micro",
        "rare questions": "macro",
        "descale": "hitrate",
    }
    assert check("06.whose_recall", labels).passed
    assert "none of the labels" in check("06.whose_recall", labels | {"court": "hit list"}).text


@pytest.mark.parametrize(
    ("guess", "noted"), [(7, True), ("7", True), (25, False), (6.5, False), ("half", False)], ids=str
)
def test_a_guess_is_a_k_of_the_sheet(guess, noted):
    shown = predict("06.predict_crossing", guess).text
    assert ("Noted" in shown) == noted and ("from 6 to 20" in shown) != noted


def test_a_short_reason_is_called_short_and_not_a_claim():
    said = check("06.defend", "I take macro because each member asks one question.").text
    assert "That is short" in said and "claim" not in said
    assert '"""' in task("06.defend").text


@pytest.mark.parametrize("typed", [0.16, 0.15, 0.34, 0.35], ids=str)
def test_two_decimals_are_too_few_and_that_is_said(typed):
    exercise = "06.micro_by_hand" if typed < 0.2 else "06.sheet_micro"
    assert "four decimals" in check(exercise, typed).message.casefold()


def micro(runs, k, recall=recall_at_k):
    recalls = [recall(*run, k) for run in runs]
    defined = [value for value in recalls if value is not None]
    return sum(defined) / len(defined) if defined else None


def micro_zero(runs, k):
    found = sum(len(set(retrieved[:k]) & relevant) for retrieved, relevant in runs)
    existing = sum(len(relevant) for _, relevant in runs)
    return found / existing if existing else 0


def micro_of_places(runs, k):
    found = sum(len(set(retrieved[:k]) & relevant) for retrieved, relevant in runs)
    return (
        found / sum(k for _, relevant in runs if relevant) if any(relevant for _, relevant in runs) else None
    )


def micro_with_repeats(runs, k):
    found = existing = 0
    for retrieved, relevant in runs:
        existing += len(relevant)
        for passage in retrieved[:k]:
            found += passage in relevant
    return found / existing if existing else None


def micro_of_the_answered(runs, k):
    return micro_recall_at_k([run for run in runs if run[0]], k)


@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (micro, "macro_for_micro"),
        (micro_zero, "no_passage_as_zero"),
        (micro_of_places, "divided_by_k"),
        (micro_with_repeats, "repeats_counted"),
        (micro_of_the_answered, "empty_lists_dropped"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_function_with_a_natural_mistake_is_named(function, mistake):
    result = check("06.micro_recall_at_k", function)
    assert result.status == "not yet" and mistake in result.mistakes, result


def test_a_division_by_nothing_is_explained():
    def careless(runs, k):
        found = sum(len(set(retrieved[:k]) & relevant) for retrieved, relevant in runs)
        return found / sum(len(relevant) for _, relevant in runs)

    result = check("06.micro_recall_at_k", careless)
    assert result.status == "error in your code" and "divides by nothing" in result.message


@pytest.mark.parametrize(
    ("hits", "counts", "said"),
    [
        ([1], [2, 3], "equally long"),
        ([3], [2], "more hits than relevant passages"),
        ([0.5, 1], [1, 1], "whole numbers from zero"),
        ("5, 1", [1], "in square brackets"),
        ([1, 3], [4, 4], "all of one size"),
        ([1, 2], [2, 4], "the same recall"),
        ([1, 0], [4, 0], "nothing to average"),
        ([], [], "fewer than two questions"),
    ],
    ids=["lengths", "too-many-hits", "halves", "text", "one-size", "one-recall", "one-question", "none"],
)
def test_an_input_that_does_not_show_the_bug_leads_on(hits, counts, said):
    result = check("06.bug_label", {"hits": hits, "relevant_counts": counts})
    assert result.status == "not yet"
    assert said in result.text


def test_any_two_questions_of_different_size_and_recall_show_the_bug():
    assert check("06.bug_label", {"hits": (1, 1), "relevant_counts": (1, 9)}).passed
    assert check("06.bug_label", ([0, 9], [1, 9])).passed
