"""Curve, mixer, padding, switches and progress without a browser: numbers and words at both extremes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from recall_lab.errors import RecallLabError
from recall_lab.evaluation import evaluate
from recall_lab.exercises import check, progress
from recall_lab.labelling import cohen_kappa
from recall_lab.measures import (
    achievable_recall_at_k,
    mean_recall_at_k,
    precision_at_k,
    recall_at_k,
)
from recall_lab.widgets import (
    ConventionSwitchesView,
    KappaPaddingView,
    KCapMixerView,
    ProgressView,
    RecallCurveView,
)

JUDGMENTS = {"q1": ["a", "b", "c", "d"], "q2": ["e"], "q3": ["f", "g"], "q4": {"h": 0}}
RESULTS = {
    "q1": ["x", "a", "y", "z", "b", "v", "w", "u", "c"],
    "q2": ["e"],
    "q3": ["p", "q", "f"],
    "q4": ["h"],
}
RUNS = [(RESULTS[query], set(JUDGMENTS[query])) for query in ("q1", "q2", "q3")]


# -- recall curve --------------------------------------------------------------------------------------------


def curve_view(**choices) -> RecallCurveView:
    return RecallCurveView(evaluate(JUDGMENTS, RESULTS), **({"k_max": 12} | choices))


def test_the_curve_shows_the_mean_recall_and_its_ceiling_at_every_k():
    view = curve_view(corpus_sizes=[100, 5])
    table = view.table().set_index("k")
    for k in range(1, 13):
        view.k = k
        assert view.state["recall"] == pytest.approx(mean_recall_at_k(RUNS, k), abs=1e-12)
        assert view.state["ceiling"] == pytest.approx(achievable_recall_at_k(RUNS, k), abs=1e-12)
        assert view.state["random"] == k / 100
        assert table.loc[k, "random_5"] == min(k / 5, 1)
        assert view.state["low"] <= view.state["recall"] <= view.state["high"]
    view.corpus_size = "not drawn"
    assert view.state["random"] is None
    assert "random" not in view.text


def test_the_band_is_the_same_every_time_and_is_as_wide_as_the_questions_make_it():
    first, again = curve_view(), curve_view()
    assert first.data == again.data
    half = {f"q{i}": ["a" if i % 2 else "x"] for i in range(200)}  # 200 questions, every second one hit
    row = RecallCurveView(evaluate({query: ["a"] for query in half}, half), k_max=1).data["rows"][0]
    spread = 1.96 * (0.25 / 200) ** 0.5
    assert row["low"] == pytest.approx(0.5 - spread, abs=0.01)
    assert row["high"] == pytest.approx(0.5 + spread, abs=0.01)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.3, 1.0])
def test_the_elbow_is_the_first_k_that_is_close_enough(epsilon):
    view = curve_view(epsilons=[epsilon])
    recalls = [mean_recall_at_k(RUNS, k) for k in range(1, 13)]
    expected = next(k for k, recall in enumerate(recalls, start=1) if recalls[-1] - recall <= epsilon + 1e-9)
    assert view.state["elbow"] == expected
    elbow = view.data["elbows"][0]
    assert elbow["low"] <= expected <= elbow["high"]
    assert f"from k = {expected} on" in view.text


def test_a_single_question_has_a_curve_and_no_band():
    view = RecallCurveView(evaluate({"q": ["a", "b"]}, {"q": ["a", "x", "b"]}), k_max=3, k=2)
    assert view.data["rows"][1]["low"] is None
    assert view.text.splitlines()[1:3] == [
        "recall@2 = .50 (one question: no interval) · ceiling@2 = 1",
        "elbow: from k = 3 on, going to 3 adds at most .02",
    ]


def test_one_cutoff_is_enough_for_a_curve():
    view = curve_view(k_max=1)
    assert view.state["elbow"] == 1
    assert len(view.table()) == 1


def test_without_a_question_that_counts_there_is_no_curve():
    with pytest.raises(RecallLabError, match="no question counts"):
        RecallCurveView(evaluate({"q": {"a": 0}}, {"q": ["a"]}))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"k": 0}, "k"),
        ({"k_max": 1001}, "k_max"),
        ({"k_max": 0}, "k_max"),
        ({"corpus_sizes": [0]}, "corpus size"),
    ],
)
def test_a_wrong_number_for_the_curve_is_named(wrong, named):
    with pytest.raises(RecallLabError, match=named):
        curve_view(**wrong)


def test_a_choice_that_is_not_offered_is_refused_in_python_and_replaced_from_the_page():
    view = curve_view()
    with pytest.raises(
        RecallLabError, match=r"scale = 'cubic' is not offered; choose one of 'linear', 'log'"
    ):
        view.scale = "cubic"
    view.scale = "log"
    view.set_state({"scale": "cubic"})
    assert view.scale == "linear"


# -- k-cap mixer ---------------------------------------------------------------------------------------------


def test_the_mixer_shows_the_ceiling_of_every_mix():
    view = KCapMixerView(questions=4, small=2, sizes=(3, 30), large=3, k_max=12)
    for k, many, large in product(range(1, 13), range(5), (3, 30)):
        view.k, view.many, view.large = k, many, large
        expected = achievable_recall_at_k([2] * (4 - many) + [large] * many, k)
        assert view.state == {"k": k, "many": many, "large": large, "ceiling": expected}
    table = view.table()
    assert len(table) == 12 * 5
    assert table.ceiling.iloc[-1] == view.state["ceiling"]


def test_the_mixer_tells_the_example_of_the_lesson():
    view = KCapMixerView(questions=2, many=1, small=2, large=30, k=10)
    assert "mean recall@10 = its ceiling ≈ .667" in view.text
    assert KCapMixerView(questions=1, many=1, large=100, k=10).state["ceiling"] == 0.1


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"k": 51}, "k"), ({"many": 11}, "many"), ({"large": 7}, "large"), ({"small": 0}, "small"),
     ({"questions": 1.5}, "questions"), ({"sizes": (0,)}, "size"), ({"questions": 1000}, "1000 questions")],
)  # fmt: skip
def test_a_wrong_number_for_the_mixer_is_named(wrong, named):
    with pytest.raises(RecallLabError, match=named):
        KCapMixerView(**wrong)


# -- kappa padded --------------------------------------------------------------------------------------------

FIRST, SECOND = [1] * 6 + [0] * 10 + [1] + [0] * 3, [1] * 6 + [0] * 10 + [0] + [1] * 3


def test_the_padding_shows_kappa_at_every_amount():
    view = KappaPaddingView(FIRST, SECOND, most=60)
    table = view.table().set_index("added")
    for added in range(61):
        view.added = added
        padding = [0] * added
        assert view.state["kappa"] == cohen_kappa(FIRST + padding, SECOND + padding)
        assert view.state["observed"] == (16 + added) / (20 + added)
        assert table.loc[added, "chance"] == view.state["chance"]
        observed, chance = view.state["observed"], view.state["chance"]
        assert view.state["kappa"] == pytest.approx((observed - chance) / (1 - chance))
        assert view.text.endswith("of the 20 pairs that were there they still agree on 16")


def test_the_padding_tells_the_example_of_the_lesson():
    view = KappaPaddingView(FIRST, SECOND)
    assert "kappa ≈ .588" in view.text
    view.added = 980
    assert "kappa ≈ .748" in view.text


def test_a_kappa_that_is_undefined_is_called_so():
    view = KappaPaddingView([0, 0], [0, 0], most=3)
    assert "kappa undefined" in view.text
    assert KappaPaddingView([1, 1], [1, 1], most=3).data["rows"][1]["kappa"] == 1


@pytest.mark.parametrize(
    ("labels", "wrong", "named"),
    [(([1], [1, 0]), {}, "same length"), (([], []), {}, "same length"), (([1], [0]), {"most": 0}, "most"),
     (([1], [0]), {"most": 5000}, "too many"), (([1], [0]), {"added": 981}, "added")],
)  # fmt: skip
def test_wrong_labels_or_numbers_for_the_padding_are_named(labels, wrong, named):
    with pytest.raises(RecallLabError, match=named):
        KappaPaddingView(*labels, **wrong)


# -- convention switches -------------------------------------------------------------------------------------

RANKING, RELEVANT = ["a", "x", "b", "y"], {"a", "b", "c", "d"}
CONVENTIONS = {"divide by": ["R", "k"], "cut at": ["k", "k - 1", "k + 1"]}


def score(picks: dict[str, str]) -> float | None:
    measure = {"R": recall_at_k, "k": precision_at_k}[picks["divide by"]]
    return measure(RANKING, RELEVANT, {"k": 3, "k - 1": 2, "k + 1": 4}[picks["cut at"]])


def test_the_switches_show_what_every_combination_gives():
    view = ConventionSwitchesView(CONVENTIONS, score)
    assert view.state == {"divide by": "R", "cut at": "k", "value": recall_at_k(RANKING, RELEVANT, 3)}
    table = view.table()
    for position, picked in enumerate(product(*CONVENTIONS.values())):
        picks = dict(zip(CONVENTIONS, picked, strict=True))
        view.picks = picks
        assert view.state == picks | {"value": score(picks)}
        assert tuple(table.iloc[position]) == (*picked, score(picks))


def test_the_switches_say_what_was_switched():
    view = ConventionSwitchesView(CONVENTIONS, lambda picks: (score(picks), "2 of 4"), measure="recall@3")
    view.picks = {"divide by": "k", "cut at": "k + 1"}
    assert view.text.startswith("“recall@3” = .50, where the convention gives .50; ")
    assert view.text.endswith("with divide by: k (not R); cut at: k + 1 (not k)")
    assert view.data["rows"][0]["working"] == "2 of 4"
    assert ConventionSwitchesView({"a": ["b"]}, lambda picks: None).text == "recall@k = undefined, with a: b"


@pytest.mark.parametrize("picks", [{"cut at": "k + 2"}, {"average": "micro"}])
def test_a_switch_that_is_not_there_is_refused(picks):
    view = ConventionSwitchesView(CONVENTIONS, score)
    with pytest.raises(RecallLabError, match="not offered; choose from divide by: R, k; cut at: "):
        view.picks = picks


@pytest.mark.parametrize("conventions", [{}, {"a": []}, {str(i): ["x", "y"] for i in range(12)}])
def test_switches_without_options_or_with_too_many_are_refused(conventions):
    with pytest.raises(RecallLabError):
        ConventionSwitchesView(conventions, lambda picks: 0.0)


# -- progress ------------------------------------------------------------------------------------------------


def test_progress_counts_by_lesson_and_can_show_what_is_open():
    rows = [("02", "one", "passed"), ("03", "two", "tried"), ("02", "three", "open")]
    view = ProgressView([dict(zip(("lesson", "exercise", "status"), row, strict=True)) for row in rows])
    assert view.state == {"passed": 1, "exercises": 3, "show": "all"}
    assert list(view.table().exercise) == ["one", "three", "two"]
    view.show = "still open"
    assert view.text.splitlines() == [
        "Progress: 1 of 3 exercises passed",
        "02: 1 of 2",
        "  · three: open",
        "03: 0 of 1",
        "  → two: tried",
    ]
    view.update([{"lesson": "02", "exercise": "one", "status": "passed"}])
    assert view.state["exercises"] == 1


def test_progress_before_the_first_exercise_and_with_an_unknown_status():
    assert ProgressView([]).text == "Progress: 0 of 0 exercises passed"
    assert list(ProgressView([]).table().columns) == ["lesson", "exercise", "status"]
    with pytest.raises(RecallLabError, match="'done'"):
        ProgressView([{"lesson": "02", "exercise": "one", "status": "done"}])


def test_progress_reads_what_the_verb_returns(tmp_path, monkeypatch):
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))
    view = ProgressView(progress())
    assert view.state["passed"] == 0
    check("02.recall_by_hand", "1/2")
    view.update(progress())
    assert view.state["passed"] == 1
    assert "02 Recall by hand: 1 of " in view.text


def test_no_view_has_an_address_in_its_repr_and_all_numbers_are_plain():
    views = [
        curve_view(),
        KCapMixerView(),
        KappaPaddingView(FIRST, SECOND, most=5),
        ConventionSwitchesView(CONVENTIONS, score),
        ProgressView([]),
    ]
    for view in views:
        assert "0x" not in repr(view)
        assert not any(isinstance(value, np.generic) for value in view.state.values())
