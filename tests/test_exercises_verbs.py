"""check, hint, reveal, predict, progress, another: what they show and what they refuse."""

from __future__ import annotations

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import recall_lab
from recall_lab.errors import RecallLabError, UnknownExerciseError
from recall_lab.exercises import (
    another,
    check,
    exercise_ids,
    hint,
    lesson_03,
    predict,
    registry,
    reveal,
    state,
    task,
)
from recall_lab.exercises.kinds import SetExercise
from recall_lab.exercises.lesson_02 import HAND_SHEET, REAL_QUESTION
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import RECALL, Sheet

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
    assert mistake.section in repr(result)
    assert repr(result).startswith("→ Not yet · 02.recall_by_hand\n")


def test_several_matches_are_all_said_and_a_follow_up_is_asked():
    result = check("02.sheet_mean", 0.5)
    assert result.mistakes == ("divided_by_k", "nothing_relevant_as_one", "only_questions_with_a_hit")
    assert result.follow_up is not None
    assert result.follow_up.prompt in repr(result)
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
    assert "the library:   1" in result.verdict.evidence


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
    assert "right in places" in check(exercise.id, drawn(curve | {3: 0.1})).message
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
    passed = check("05.defend", (text, "abcd"))
    assert passed.passed
    assert "By your own reading" in passed.message
    assert "what speaks for it" in check("05.defend", ("It is fine.", "abcd")).message
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
    assert f"Noted: {shown}." in repr(predict("02.predict_precision", guess))
    assert state.read()[0]["predictions"] == {"02.predict_precision": [shown]}


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
    with pytest.raises(RecallLabError, match="has one form only"):
        another("03.which_bug")


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
    assert ids[0] == "02.recall_by_hand"
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
