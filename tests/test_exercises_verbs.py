"""check, hint, reveal, predict, progress, another: what they show and what they refuse."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import recall_lab
from recall_lab import mean_recall_at_k
from recall_lab.errors import RecallLabError, UnknownExerciseError
from recall_lab.exercises import (
    another,
    check,
    exercise_ids,
    hint,
    lesson_03,
    predict,
    progress,
    registry,
    reveal,
    state,
    task,
)
from recall_lab.exercises.kinds import BugHunt, SetExercise
from recall_lab.exercises.kinds.labelling import meant
from recall_lab.exercises.lesson_02 import HAND_SHEET, REAL_QUESTION
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import CAPPED, CEILING, HIT_RATE, PRECISION, RECALL, Sheet

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(state, "_told", set())


# -- check ---------------------------------------------------------------------------------------------------


def test_a_mistake_is_named_with_a_question_and_a_place_to_read():
    result = check("02.recall_by_hand", 2 / 5)
    mistake = CATALOGUE["divided_by_k"]
    assert result.message == f"0.4 is what comes out of {mistake.name}. {mistake.asks}"
    assert "To read again: the glossary, Precision." in repr(result), "its section comes later"
    assert repr(result).startswith("→ Not yet · 02.recall_by_hand\n")


def test_several_matches_are_all_said_and_a_follow_up_is_asked():
    result = check("02.sheet_mean", 0.5)
    assert result.mistakes == ("divided_by_k", "nothing_relevant_as_one", "only_questions_with_a_hit")
    assert result.follow_up is not None
    assert result.follow_up.shown_by in repr(result)
    assert result.follow_up.prompt not in repr(result), "a line, not a second sheet"
    assert "To read again" not in repr(result)
    wrong = result.follow_up.exercise.wrong(result.follow_up.data)
    for id in result.mistakes:
        assert check(result.follow_up, wrong[id]).mistakes == (id,)


def test_a_percentage_has_its_own_sentence():
    right = check("02.recall_by_hand", 50)
    assert "percentage" in right.message
    assert right.status == "not yet" and not right.mistakes
    wrong = check("02.recall_by_hand", 40)
    assert "percentage" in wrong.message
    assert wrong.mistakes == ("divided_by_k",)
    assert (
        "percentage"
        in check("02.sheet_per_query", {"q1": 50, "q2": 75, "q3": 25, "q4": None, "q5": 0}).message
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (-0.1, "below zero"),
        (1.2, "above one"),
        (0.6, "too high"),
        (0.3, "too low"),
        (0.67, "rounded too far"),
    ],
)
def test_without_a_match_it_says_what_is_certain(answer, words):
    result = check("02.recall_by_hand", answer)
    assert words in result.message
    assert not result.mistakes


def test_above_the_ceiling_is_said():
    variant = next(v for seed in range(50) if (v := another("02.sheet_mean", seed=seed)))
    ceiling = float(lesson_03.CATALOGUE["ceiling_instead"].wrong(lesson_03.RECALL).value(variant.data))
    assert "more than even a perfect search could reach" in check(variant, (ceiling + 1) / 2 + 0.0007).message


def test_none_is_an_answer_where_nothing_is_to_be_found():
    sheet = {"q1": 0.5, "q2": 0.75, "q3": 0.25, "q4": None, "q5": 0}
    assert check("02.sheet_per_query", sheet).passed
    assert check("02.sheet_per_query", sheet | {"q4": 0}).mistakes == ("nothing_relevant_as_zero",)
    assert "nothing exists to be found" in check("02.sheet_per_query", sheet | {"q4": 0.3}).message
    assert "None says" in check("02.sheet_per_query", sheet | {"q5": None}).message
    assert check("02.sheet_per_query", sheet | {"q5": ...}).message == "Still open: q5."
    assert "q5" in check("02.sheet_per_query", {k: v for k, v in sheet.items() if k != "q5"}).message
    assert "no question called q6" in check("02.sheet_per_query", sheet | {"q6": 1}).message


def test_a_sheet_is_judged_row_by_row():
    result = check("02.sheet_per_query", {"q1": 0.5, "q2": 0.6, "q3": 0.31, "q4": None, "q5": True})
    assert "q5: That is True or False" in result.message
    result = check("02.sheet_per_query", {"q1": 0.5, "q2": 0.6, "q3": 0.31, "q4": 0, "q5": 0})
    assert "q1, q5: right." in result.message
    assert "q2: 0.6 is what comes out of dividing the hits by k." in result.message
    assert "q3: 0.31 is too high." in result.message
    assert set(result.mistakes) == {"divided_by_k", "nothing_relevant_as_zero"}
    rows_of_one_mistake = check("02.sheet_per_query", {"q1": 0.5, "q2": 0.6, "q3": 1, "q4": None, "q5": 0})
    assert "divided_by_k" in rows_of_one_mistake.mistakes


def test_a_ranking_is_followed_to_the_first_doubt():
    right = registry.find("03.ranking").right(registry.find("03.ranking").lesson())
    swapped = [*right[:3], right[4], right[3], *right[5:]]
    assert f"As far as {right[2]} the order is right" in check("03.ranking", swapped).message
    assert "first" in check("03.ranking", [*right[1:], right[0]]).message
    assert "missing" in check("03.ranking", right[:4]).message
    assert "more than once" in check("03.ranking", [*right[:-1], right[0]]).message
    assert "nothing called d99" in check("03.ranking", [*right[:-1], "d99"]).message
    assert "no order" in check("03.ranking", set(right)).message
    assert check("03.ranking", [*right, "d99"]).status == "not yet"


def test_a_choice_reads_letters_and_words():
    assert "none of the options" in check("03.which_bug", "z").message
    assert "none of the options" in check("03.which_bug", "all of them").message
    assert "A text in quotes" in check("03.which_bug", 2.5).message
    assert "Now the reason" in check("05.good_or_bad", "c").message
    assert "for another reason" in check("05.good_or_bad", "c3").message
    assert check("05.good_or_bad", "a2").mistakes == ("judged_good",)


def test_only_the_right_option_prints_the_number_of_the_checkpoint():
    printed = {
        m: lesson_03.printed_by(m)
        for m in ("micro", "divided_by_k", "divided_by_reachable", "cut_one_late", "hit_or_miss")
    }
    assert [m for m, value in printed.items() if f"{float(value):.2f}" == "0.48"] == ["divided_by_k"]
    question = registry.find("03.which_bug").question
    for query in lesson_03.CHECKPOINT.queries:
        assert f"{query.name}: R = {len(query.relevant(1))}" in question
        for rank in query.ranks():
            assert str(rank) in question.split(f"{query.name}:")[1].split(".")[0]


def test_a_bug_hunt_shows_both_values():
    result = check("03.bug_repeats", {"retrieved_ids": ["a", "a"], "relevant_ids": ["a"], "k": np.int64(2)})
    assert result.passed
    assert "this function: 2" in result.verdict.evidence
    assert "recall_lab:    1" in result.verdict.evidence


@pytest.mark.parametrize(
    ("exercise", "answer", "words"),
    [
        ("03.bug_repeats", {"retrieved_ids": ["a"], "relevant_ids": ["a"]}, "No value yet for k"),
        ("03.bug_repeats", {"retrieved_ids": ["a"], "relevant_ids": ["a"], "k": ...}, "Still open: k"),
        ("03.bug_repeats", (["a"], ["a"], 0), "whole number from one"),
        ("03.bug_repeats", (["a"], ["a"], 1.5), "whole number from one"),
        ("03.bug_repeats", ("aab", ["a"], 1), "one text"),
        ("03.bug_repeats", 7, "A dict with a value for each"),
        ("03.bug_ids", (["a"], ["b"], 1), "stop with an error"),
        ("03.bug_grades", (["a"], {"a": 0.5}, 1), "a grade is a whole number"),
        ("03.bug_vanished", ({"q1": "a"}, {"q1": ["a"]}, 1), "one text"),
        ("03.bug_k_unused", ([], ["a"], 1), "Both agree"),
    ],
)
def test_a_bug_hunt_reads_its_arguments(exercise, answer, words):
    result = check(exercise, answer)
    assert result.status == "not yet"
    assert words in result.message


def test_a_figure_needs_names_on_its_axes_and_every_k():
    exercise = registry.find("05.ceiling_curve")
    curve = {k: float(value) for k, value in exercise.right(exercise.lesson()).items()}

    def drawn(points, xlabel="k", ylabel="ceiling"):
        axes = Figure().add_subplot()
        axes.plot(list(points), list(points.values()))
        axes.set(xlabel=xlabel, ylabel=ylabel)
        return axes

    assert check(exercise.id, drawn(curve)).passed
    assert check(exercise.id, drawn(curve | {0: 0, 30: 1})).passed, "more than asked is fine"
    assert "axes show" in check(exercise.id, drawn(curve, ylabel="")).message
    assert "starts at zero" in check(exercise.id, drawn({k - 1: v for k, v in curve.items()})).message
    assert "leaves out" in check(exercise.id, drawn({k: v for k, v in curve.items() if k != 7})).message
    assert "above one" in check(exercise.id, drawn({k: v + 0.5 for k, v in curve.items()})).message
    assert "right in places" in check(exercise.id, drawn(curve | {3: 0.6})).message
    assert "falls in places" in check(exercise.id, drawn(curve | {3: 0.1})).message
    assert "No point" in check(exercise.id, drawn({k: v / 2 for k, v in curve.items()})).message
    assert "figure or its axes" in check(exercise.id, matplotlib).message
    assert "figure or its axes" in check(exercise.id, [1, 2]).message


def test_labels():
    exercise = registry.find("05.where_recall_first")
    right = {item.name: item.labels[0] for item in exercise.items}
    one_off = check(exercise.id, right | {"prior art": "less so"})
    assert "prior art" in one_off.message and one_off.message.endswith("?")
    two_off = check(exercise.id, right | {"prior art": "less so", "web search": "recall first"})
    assert "not the only one" in two_off.message
    assert "none of the labels" in check(exercise.id, right | {"prior art": "maybe"}).message
    assert check(exercise.id, right | {"prior art": ...}).message == "Still open: prior art."
    assert "prior art: That is a whole number" in check(exercise.id, right | {"prior art": 1}).message


def test_a_written_argument_is_judged_by_its_author():
    text = "Our score stands beside a ceiling that is well below one, so the two numbers cannot be compared."
    rubric = check("05.defend", text)
    assert rubric.status == "not yet"
    assert "a) " in rubric.verdict.evidence and "d) " in rubric.verdict.evidence
    assert "point d is missing" in check("05.defend", (text, "abc")).message
    assert "no point x" in check("05.defend", (text, "abcdx")).message
    assert check("05.defend", (text, ["a", "b"])).message.startswith(
        "The letters of the points: That is a list"
    )
    passed = check("05.defend", (text, "abcd"))
    assert passed.passed
    assert "By your own reading" in passed.message
    assert "what else speaks for it" in check("05.defend", ("It is fine.", "abcd")).message
    assert "a list" in check("05.defend", ([text], "abcd")).message


class WhichTakePart(SetExercise[Sheet]):
    """A set exercise, as a lesson would declare it."""

    id = "99.which_take_part"
    title = "Which questions take part in the mean"
    mistakes = ("only_questions_with_a_hit", "nothing_relevant_as_zero")
    restate = "Name the questions that have a recall."
    locate = "Which question has nothing to find?"

    def lesson(self):
        return HAND_SHEET

    def prompt(self, data):
        return "Which questions take part?"

    def worked(self, data):
        return "all but q4"

    def known(self, data):
        return [query.name for query in data.queries]

    def right(self, data):
        return _with_a_value(RECALL, data)

    def wrong(self, data):
        return {id: _with_a_value(CATALOGUE[id].wrong(RECALL), data) for id in self.mistakes}


def _with_a_value(recipe, data):
    return {name for name, value in recipe.per_query(data).items() if value is not None}


def test_a_set():
    exercise = WhichTakePart()
    data = exercise.lesson()
    assert exercise.tells_apart(data)
    for answer in (
        {"q1", "q2", "q3", "q5"},
        ["q5", "q3", "q2", "q1", "q1"],
        np.array(["q1", "q2", "q3", "q5"]),
    ):
        assert exercise.check(data, answer).status == "passed"
    assert exercise.check(data, iter(["q1", "q2", "q3"])).mistakes == ("only_questions_with_a_hit",)
    assert exercise.check(data, {"q1", "q2", "q3", "q4", "q5"}).mistakes == ("nothing_relevant_as_zero",)
    assert "no" in exercise.check(data, {"q9"}).message and "q9" in exercise.check(data, {"q9"}).message
    assert exercise.check(data, {"q1"}).message == "Something that belongs is missing."
    assert "q4: what speaks for it?" in exercise.check(data, {"q1", "q4"}).message
    assert exercise.check(data, ...).status == "not attempted"


# -- unknown ids ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", [check, hint, reveal, another, task, predict])
def test_an_unknown_id_is_an_error_with_a_suggestion(verb):
    with pytest.raises(UnknownExerciseError, match="is called"):
        verb("02.recal_by_hnad")


def test_suggestions():
    with pytest.raises(UnknownExerciseError, match=r"did you mean '02\.recall_by_hand'"):
        check("02.recal_by_hand", 0.5)
    with pytest.raises(UnknownExerciseError, match=r"did you mean '02\.three_of_four'"):
        check("three_of_four", 0.5)
    with pytest.raises(UnknownExerciseError, match=r"did you mean '02\.predict_precision'"):
        predict("02.predict_precison", 1)
    with pytest.raises(UnknownExerciseError, match=r"progress\(\) lists them all"):
        check("zzzz", 0.5)
    with pytest.raises(UnknownExerciseError, match="comes first"):
        check(0.5, "02.recall_by_hand")
    assert issubclass(UnknownExerciseError, ValueError)


# -- hint, reveal, predict, another, task --------------------------------------------------------------------


def test_hints_climb_and_stay_at_the_top():
    texts = [repr(hint("02.recall_by_hand")) for _ in range(4)]
    assert [text.splitlines()[0][5:11] for text in texts] == ["1 of 3", "2 of 3", "3 of 3", "3 of 3"]
    assert "reveal(" in texts[3]
    assert repr(hint("02.recall_by_hand", rung=1)).startswith("Hint 1 of 3")
    for rung in (0, 4, "1", True):
        with pytest.raises(RecallLabError, match="rung is one of 1, 2, 3"):
            hint("02.recall_by_hand", rung=rung)


def test_a_variant_has_hints_with_its_own_numbers():
    variant = another("02.recall_by_hand", seed=3)
    assert f"first {variant.data.k} results" in repr(hint(variant, rung=1))


def test_reveal_shows_the_worked_cell(monkeypatch):
    page = reveal("02.recall_by_hand")
    assert registry.solution_of("02.recall_by_hand") in repr(page)
    assert "<pre" in page._repr_html_()
    monkeypatch.setattr(registry, "_solutions", dict)
    with pytest.raises(RecallLabError, match="is missing from this installation"):
        reveal("02.recall_by_hand")


@pytest.mark.parametrize(
    ("guess", "shown"),
    [
        ("  it   climbs ", "it climbs"),
        (0.25, "0.25"),
        (True, "yes"),
        ([1], "a list"),
        ("x" * 500, "x" * 199 + "…"),
    ],
)
def test_predictions_are_noted(guess, shown):
    assert f"Noted: {shown}." in repr(predict("03.predict_how_many", guess))
    assert state.read()[0]["predictions"] == {"03.predict_how_many": [shown]}


def test_a_guess_that_is_no_choice_is_answered_with_the_choices():
    for id, choices in [
        (id, c) for lesson in registry.lessons().values() for id, c in lesson.choices.items()
    ]:
        page = repr(predict(id, "something else"))
        if isinstance(choices, range):
            assert f"from {choices[0]} to {choices[-1]}" in page
            assert all("please" in repr(predict(id, odd)) for odd in (choices[-1] + 1, choices[0] + 0.5))
        else:
            assert all(f'"{choice}"' in page for choice in choices)
        assert id not in state.read()[0]["predictions"]
        first = choices[0] if isinstance(choices, range) else f" {choices[0].upper()}. "
        assert "Noted" in repr(predict(id, first))


def test_no_guess_is_no_prediction():
    for blank in (..., None, ""):
        assert "No guess yet" in repr(predict("02.predict_precision", blank))
    assert state.read()[0]["predictions"] == {}


def test_another_one_without_end():
    one, other = another("02.recall_by_hand"), another("02.recall_by_hand")
    assert one.seed != other.seed or one.data == other.data
    again = eval(one.call.replace("...", "0.123"), {"check": check, "another": another})
    assert again.exercise_id == "02.recall_by_hand"
    assert another("02.recall_by_hand", seed=one.seed).data == one.data
    assert check(one, one.exercise.right(one.data)).passed
    assert state.read()[0]["exercises"]["02.recall_by_hand"] == {"practised": 1}, (
        "practice is not the exercise"
    )
    assert "new cell" in repr(one)


def test_another_where_there_is_no_other_is_a_plain_line():
    assert "has one form only" in repr(another("03.which_bug"))
    assert "is a guess" in repr(another("02.predict_precision"))
    with pytest.raises(UnknownExerciseError):
        another("03.nothing")


def test_another_function_is_said_to_be_the_same_task():
    assert "The task stays" in repr(another("03.recall_at_k", seed=1))


def test_another_fixture_hands_out_its_rows_and_judgments():
    variant = another("03.fixture", seed=4)
    names = {"another": another, "check": lambda it, answer: it}
    code = repr(variant)[repr(variant).index("it = another") :]
    exec(code, names)
    runs = [
        (
            [d for _, d in sorted((rank, d) for q, rank, d in names["rows"] if q == question)],
            {d for d, grade in grades.items() if grade >= 2},
        )
        for question, grades in names["judgments"].items()
    ]
    assert check(variant, mean_recall_at_k(runs, 5)).passed


def test_a_variant_has_its_own_ladder_of_hints_and_its_own_worked_answer():
    hint("02.recall_by_hand", rung=3)
    variant = another("02.recall_by_hand", seed="own ladder")
    first, second = repr(hint(variant)), repr(hint(variant))
    assert first.startswith("Hint 1 of 3") and second.startswith("Hint 2 of 3")
    assert f"Run hint({variant.shown_by}) again" in first
    page = repr(reveal(variant))
    assert variant.exercise.worked(variant.data) in page
    assert "revealed" not in state.read()[0]["exercises"]["02.recall_by_hand"]


def test_harder_is_harder():
    easy = [another("02.sheet_mean", seed=seed).data for seed in range(10)]
    hard = [another("02.sheet_mean", seed=seed, harder=True).data for seed in range(10)]
    assert min(len(sheet.queries) for sheet in hard) > max(len(sheet.queries) for sheet in easy)


def test_task_shows_the_exercise_again():
    assert "What is recall@5?" in repr(task("02.recall_by_hand"))
    text = repr(task("03.bug_repeats"))
    assert "def top_recall" in text and "staticmethod" not in text


def test_the_real_question_is_searched_live():
    exercise = registry.find("02.real_question")
    given = exercise.given()
    assert given["question_id"] == REAL_QUESTION
    assert len(given["top"]) == 10
    right = recall_lab.recall_at_k(given["top"], given["relevant"], 5)
    assert 0 < right < 1, "some are found and some are missed, or there is nothing to see"
    assert check(exercise.id, right).passed
    assert given["golden"].questions[REAL_QUESTION] in exercise.prompt(exercise.lesson())


# -- the package ---------------------------------------------------------------------------------------------


def test_every_id_is_listed_once():
    ids = exercise_ids()
    assert len(set(ids)) == len(ids)
    assert ids[0] == "01.rubric"
    assert "02.predict_precision" in ids


def test_the_verbs_are_light_to_import():
    code = (
        "import sys; import recall_lab.exercises; "
        "print([m for m in ('numpy', 'pandas', 'matplotlib', 'bm25s') if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=str(__import__("pathlib").Path(__file__).parent.parent),
    )
    assert out.stdout.strip() == "[]"


def test_lesson_02_knows_at_least_six_mistakes_of_the_fixture():
    on_fixture = {mistake.id for mistake in lesson_03.ON_FIXTURE}
    named = {id for exercise in registry.lessons()["02"].exercises for id in exercise.mistakes}
    assert len(named & on_fixture) >= 6


# -- what the tutor says where others stumbled ---------------------------------------------------------------


def test_a_reveal_after_the_pass_takes_nothing_away():
    check("02.recall_by_hand", 0.5)
    reveal("02.recall_by_hand")
    assert progress().standing("02.recall_by_hand") == "passed"
    reveal("02.recall_deeper")
    check("02.recall_deeper", 0.75)
    assert progress().standing("02.recall_deeper") == "passed after reveal"


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [("02.sheet_mean", 0.38), ("02.sheet_mean", 0.37), ("03.fixture", 0.326), ("03.fixture", 0.32)],
)
def test_a_number_cut_off_or_rounded_too_far_is_not_called_wrong(exercise, answer):
    assert "rounded too far" in check(exercise, answer).message


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [("02.sheet_mean", 0.38), ("01.kappa_by_hand", 0.59), ("01.kappa_by_hand", "0.59")],
)
def test_a_number_that_may_be_exact_is_never_said_to_be_rounded(exercise, answer):
    """4/50 and 0.08 are the same number, so a few decimals may be all there are."""
    message = check(exercise, answer).message
    assert "may be cut off or rounded" in message
    assert "If it is exact, it is too high" in message


def test_an_exact_fraction_is_not_asked_for_decimals():
    for exercise, answer in (
        ("02.sheet_mean", Fraction(19, 50)),
        ("02.sheet_mean", "19/50"),
        ("01.kappa_by_hand", "59/100"),
    ):
        message = check(exercise, answer).message
        assert "too high" in message and "rounded" not in message and "decimals" not in message


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("can't tell", "cannot tell"),
        ("can’t tell", "cannot tell"),
        ("Can not tell", "cannot tell"),
        ("hit_rate", "hit rate"),
        ("hitrate", "hit rate"),
        ("hit", "hit rate"),
        ("rate", "hit rate"),
        ("tell", None),
        ("relevant", None),
        ("hit or miss", None),
        ("", None),
        ("...", None),
    ],
)
def test_which_label_was_meant(typed, label):
    assert meant(typed, ("tells", "cannot tell", "hit rate", "not relevant", "macro")) == label


def test_none_in_quotes_and_nan_are_led_to_none():
    sheet = {"q1": 0.5, "q2": 0.75, "q3": 0.25, "q4": None, "q5": 0}
    assert "Leave off the quotes" in check("02.sheet_per_query", sheet | {"q4": "None"}).message
    assert "write None" in check("02.sheet_per_query", sheet | {"q4": float("nan")}).message
    assert "eave off the quotes" in check("03.recall_at_k", lambda *a: "None").message
    assert "write None" in check("03.recall_at_k", lambda *a: float("nan")).message


@pytest.mark.parametrize(
    ("exercise", "answer", "mistake"),
    [
        ("02.recall_deeper", 0.5, "stopped_at_five"),
        ("02.recall_by_hand", 4 / 2, "turned_over"),
        ("02.precision_by_hand", 2 / 3, "precision_of_the_found"),
        ("02.precision_by_hand", 2, "precision_not_divided"),
        ("02.sheet_hit_rate", 0.375, "recall_for_hit_rate"),
        ("02.sheet_ceiling", 0.375, "recall_for_ceiling"),
        ("02.sheet_ceiling", 0.5625, "ceiling_needs_a_hit"),
        ("02.three_of_four", 4 / 8, "up_to_the_last_hit"),
        ("02.three_of_four_precision", 3 / 10, "stopped_at_five"),
        ("02.three_of_four_precision", 3 / 5, "precision_at_five"),
        ("02.three_of_four_precision", 4 / 8, "up_to_the_last_hit"),
        ("05.capped_mean", 0.5, "capped_over_k"),
        ("05.ceiling_mean", 10 / 16, "ceiling_of_the_average"),
        ("05.list_slice", 0.875, "ceiling_of_the_hand_sheet"),
    ],
)
def test_natural_slips_are_recognised(exercise, answer, mistake):
    assert mistake in check(exercise, answer).mistakes


def test_the_ceiling_at_five_is_recognised_among_the_list_questions():
    exercise = registry.find("05.list_slice")
    at_five = replace(exercise.lesson(), k=5)
    assert check("05.list_slice", exercise.right(at_five)).mistakes == ("ceiling_at_five",)


def test_feedback_about_one_measure_does_not_lead_to_another():
    about_recall = {"recall is a share", "what exists and what was found", "the denominator"}
    for lesson in registry.lessons().values():
        for exercise in lesson.exercises:
            if getattr(exercise, "recipe", None) in (PRECISION, HIT_RATE, CEILING, CAPPED):
                topics = {CATALOGUE[id].topic for id in exercise.mistakes}
                assert not topics & about_recall, exercise.id


def test_letters_with_a_comma_and_labels_with_a_full_stop():
    right = registry.find("05.good_or_bad").right(None)
    assert check("05.good_or_bad", f"{right[0]}, {right[1]}").passed
    assert "for instance" in check("05.good_or_bad", "z").message
    labels = {
        item.name: f"{item.labels[0].capitalize()}." for item in registry.find("05.where_recall_first").items
    }
    assert check("05.where_recall_first", labels).passed


def test_fractions_in_one_sign():
    assert check("02.recall_by_hand", "½").passed
    assert check("02.recall_deeper", "3⁄4").passed
    assert not check("02.recall_deeper", "1½").passed


def test_a_plain_sort_never_gets_the_ties_right_by_luck():
    exercise = registry.find("03.ranking")
    drawn = [another("03.ranking", seed=n, harder=n % 2 == 1).data for n in range(50)]
    for data in [exercise.lesson(), *drawn]:
        filed = [document for _, document in data.lines()]
        for plain in (
            sorted(filed, key=lambda d: -data.scores[d]),
            sorted(filed, key=lambda d: data.scores[d], reverse=True),
        ):
            assert plain != exercise.right(data)
            assert exercise.check(data, plain).mistakes == ("ties_by_id_ascending",)


def test_a_twin_is_read_without_a_pocket_calculator():
    twins = [e.twin() for lesson in registry.lessons().values() for e in lesson.exercises]
    assert not [twin for twin in twins if re.search(r"\d/\d{4}", twin)]


@pytest.mark.parametrize(
    "exercise", [e for e in registry.lessons()["03"].exercises if isinstance(e, BugHunt)]
)
def test_every_input_that_misses_a_bug_gets_a_nudge_of_its_own(exercise):
    lists = [list(p) for n in range(4) for p in itertools.product("ab", repeat=n)]
    sets = [set(), {"a"}, {"a", "b"}, {"a", "c"}]
    choices = {
        "retrieved_ids": lists,
        "relevant_ids": sets,
        "grades": [dict(zip("abc", g, strict=True)) for g in itertools.product((-1, 0, 1), repeat=3)],
        "lists": [
            dict(zip("pq", g, strict=False)) for n in range(3) for g in itertools.product(lists[:5], repeat=n)
        ],
        "relevant": [{"p": ["a"]}, {"p": ["a"], "q": ["b"]}, {"p": ["a"], "q": []}, {"p": []}, {}],
        "k": [1, 2, 3],
    }
    digits = str.maketrans("abc", "123")
    for values in itertools.product(*(choices[name] for name in exercise.readers)):
        if exercise.id == "03.bug_ids":
            values = tuple(
                type(v)(x.translate(digits) for x in v) if not isinstance(v, int) else v for v in values
            )
        verdict = exercise.check(None, dict(zip(exercise.readers, values, strict=True)))
        assert verdict.status == "passed" or verdict.mistakes, (values, verdict)


def test_an_empty_list_in_the_last_hunt_is_told_from_no_list():
    lists = {"q1": ["a"], "q2": []}
    result = check("03.bug_vanished", {"lists": lists, "relevant": {"q1": ["a"], "q2": ["d"]}, "k": 1})
    assert "An empty list is still a list" in result.message


@pytest.mark.parametrize("verb", [hint, reveal, another])
def test_a_forgotten_name_is_asked_for(verb):
    with pytest.raises(UnknownExerciseError, match="comes first"):
        verb()


def test_columns_and_code_keep_their_lines():
    assert "<pre" in hint("03.fixture", rung=3)._repr_html_()
    assert another("03.fixture", seed=1)._repr_html_().count("<pre") == 2
    assert "->" not in repr(task("03.bug_ids")), "no type hints, which no lesson explains"
    assert task("03.bug_ids")._repr_html_().count("<pre") == 1


def test_a_wrong_id_shows_one_line_in_a_notebook():
    with pytest.raises(UnknownExerciseError) as caught:
        hint("02.recal_by_hand")
    assert caught.value._render_traceback_() == [f"UnknownExerciseError: {caught.value}"]
