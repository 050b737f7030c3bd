"""What lesson 04 claims in prose, and what its exercises say to answers as a learner types them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from ipywidgets import Image, SelectionSlider
from matplotlib.figure import Figure

from recall_lab import Evaluation, GoldenDataset, evaluate
from recall_lab.errors import RecallLabError
from recall_lab.exercises import another, check, own_golden, predict, registry
from recall_lab.exercises.feedback import Result
from recall_lab.exercises.lesson_04 import HALF_FOUND, PASSAGES, SIZES, draw, smallest_k, thinned
from recall_lab.exercises.own import own_folder
from recall_lab.exercises.variants import Variant
from recall_lab.figures import recall_curve
from recall_lab.retrieval import frozen_run
from recall_lab.statistics import bootstrap_curve
from recall_lab.widgets import RecallCurveView

NOTEBOOKS = Path(__file__).parent.parent / "notebooks" / "source"
GOLDEN = GoldenDataset.load("library_of_things")


@pytest.fixture(autouse=True)
def own_progress(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))
    yield
    plt.close("all")


@cache
def measured(name: str) -> Evaluation:
    return evaluate(GOLDEN, frozen_run(name))


@cache
def measured_in(size: int) -> Evaluation:
    return evaluate(GOLDEN, thinned(GOLDEN, frozen_run("wordllama"), size))


# -- what the page says --------------------------------------------------------------------------------------


def test_the_curves_cross_between_ten_and_twenty() -> None:
    keyword, vector = measured("keyword"), measured("wordllama")
    assert keyword.recall(10) > vector.recall(10)
    assert keyword.recall(20) < vector.recall(20)


def test_the_keyword_search_ends_below_one_and_the_vector_search_at_one() -> None:
    assert measured("keyword").recall(PASSAGES) < 0.75
    assert measured("wordllama").recall(PASSAGES) == 1


def test_the_random_order_passes_the_keyword_search_where_its_lists_have_ended() -> None:
    curve = measured("keyword").curve(PASSAGES)
    chance = np.arange(1, PASSAGES + 1) / PASSAGES
    overtaken = int(np.flatnonzero(chance > curve)[0])
    assert (chance > curve)[overtaken:].all()
    assert curve[-1] - curve[overtaken] < 0.001


def test_most_questions_that_come_away_empty_have_one_or_two_passages() -> None:
    keyword = measured("keyword")
    counts = [len(GOLDEN.relevant(q)) for q in keyword.query_ids if not keyword.relevant_ranks(q)]
    assert sum(count <= 2 for count in counts) > 0.75 * len(counts)


def test_what_the_keyword_search_never_lists_shares_no_word_with_the_question() -> None:
    """A live search, asked for everything, lists each passage that has a word in common."""
    from recall_lab.retrieval.keyword import KeywordRetriever

    retriever = KeywordRetriever(GOLDEN.passages)
    missed = {question: measured("keyword").missed(question) for question in ("q033", HALF_FOUND)}
    assert [len(passages) for passages in missed.values()] == [3, 1]
    for question, passages in missed.items():
        listed = {passage for passage, _ in retriever.search(GOLDEN.questions[question], depth=PASSAGES)}
        assert not listed & set(passages)


def test_the_keyword_curve_stands_still_long_before_its_end() -> None:
    curve = measured("keyword").curve(100)
    first_still = int(np.flatnonzero(np.diff(curve) == 0)[0]) + 1
    assert first_still < 30
    assert curve[-1] - curve[first_still - 1] > 0.08


def test_the_stop_of_the_vector_search_runs_away() -> None:
    stops = [smallest_k(measured("wordllama").curve(k_max), 0.02) for k_max in (50, 100, 200, 600)]
    assert all(later > 1.7 * earlier for earlier, later in pairwise(stops))


def test_the_stop_moves_by_ten_ranks_and_more_with_other_questions() -> None:
    band = bootstrap_curve(measured("keyword"), k_max=100)
    low, high = np.percentile([smallest_k(curve, 0.02) for curve in band.resampled], [2.5, 97.5])
    stop = smallest_k(band.estimate, 0.02)
    assert stop - low >= 10 and high - stop >= 10


@pytest.mark.parametrize("epsilon", [0.01, 0.02, 0.05])
@pytest.mark.parametrize("name", ["keyword", "wordllama"])
def test_the_stop_rule_gives_the_elbow_of_the_view(name: str, epsilon: float) -> None:
    view = RecallCurveView(measured(name), k_max=100, epsilons=[epsilon])
    assert smallest_k(measured(name).curve(100), epsilon) == view.state["elbow"]


def test_the_same_search_has_98_in_a_small_handbook_and_falls_with_every_passage_added() -> None:
    recalls = [measured_in(size).recall(50) for size in SIZES]
    assert all(earlier > later for earlier, later in pairwise(recalls))
    assert f"{recalls[SIZES.index(75)]:.2f}" == "0.98"
    assert recalls[-1] < 0.75


def test_deeper_arms_lose_the_answer_to_q001_to_passages_of_both_lists() -> None:
    recalls = [measured(f"hybrid_{depth}").recall(5) for depth in (10, 50, 600)]
    assert recalls == sorted(recalls, reverse=True)
    (answer,) = GOLDEN.relevant("q001")
    keyword, vector, fused = (
        frozen_run(name).ranking("q001", 50) for name in ("keyword", "wordllama", "hybrid_50")
    )
    assert keyword[0] == answer and answer not in vector
    assert frozen_run("hybrid_10").ranking("q001").index(answer) < 3
    in_both = set(keyword) & set(vector)
    assert sum(passage in in_both for passage in fused[: fused.index(answer)]) >= 10


def test_the_checkpoint_shows_four_kinds_of_flat() -> None:
    one = measured("keyword").relevant_ranks("q101")
    assert (len(one), len(GOLDEN.relevant("q101"))) == (5, 5)
    assert max(np.diff(one)) > 30, "a wide tread that is not the end"
    keyword, fused, vector = (
        measured(name).curve(k) for name, k in (("keyword", 600), ("hybrid_10", 50), ("wordllama", 100))
    )
    assert keyword[-1] - keyword[149] < 0.01
    assert (fused[19:] == fused[19]).all() and fused[19] > fused[9]
    assert max(frozen_run("hybrid_10").depth(question) for question in GOLDEN.questions) == 20
    assert vector[-1] - vector[74] > 0.03


def test_cutoffs_keep_their_meaning_on_the_whole_page() -> None:
    """An exercise may be solved with the cutoffs of an earlier cell, and be run again at any time."""
    source = (NOTEBOOKS / "04_recall_curves.py").read_text(encoding="utf-8")
    assert set(re.findall(r"\bcutoffs = (.*)", source)) == {"range(1, 11)", "range(1, 51)"}


# -- a smaller corpus ----------------------------------------------------------------------------------------


def test_thinning_keeps_what_is_relevant_the_order_and_the_size() -> None:
    run = frozen_run("wordllama")
    small = thinned(GOLDEN, run, 60)
    for question in run:
        ranking = small.ranking(question)
        assert len(ranking) == 60
        assert set(ranking) >= GOLDEN.relevant(question)
        assert ranking == [passage for passage in run.ranking(question) if passage in set(ranking)]


def test_thinning_to_everything_changes_nothing() -> None:
    run = frozen_run("wordllama")
    whole = thinned(GOLDEN, run, PASSAGES)
    assert all(whole.ranking(question) == run.ranking(question) for question in run)


@pytest.mark.parametrize("size", [5, 601])
def test_a_size_that_cannot_be_is_refused(size: int) -> None:
    with pytest.raises(RecallLabError, match=r"from 35, .* to 600"):
        thinned(GOLDEN, frozen_run("wordllama"), size)


# -- what the checks say to what a learner types -------------------------------------------------------------

STEPS = [0, 1 / 4, 1 / 4, 1 / 4, 2 / 4, 2 / 4, 2 / 4, 2 / 4, 3 / 4, 3 / 4]


def axes_with_names() -> tuple[Figure, Any]:
    figure, axes = plt.subplots()
    axes.set(xlabel="k", ylabel="recall@k")
    return figure, axes


def test_a_step_that_rises_before_its_hit_is_noticed() -> None:
    figure, axes = axes_with_names()
    axes.step(range(1, 11), STEPS)
    result = check("04.staircase", figure)
    assert result.status == "not yet" and "where=" in result.message
    figure, axes = axes_with_names()
    axes.step(range(1, 11), STEPS, where="post")
    assert check("04.staircase", figure).passed


@pytest.mark.parametrize(
    ("style", "passes"),
    [
        ({}, False),
        ({"marker": "o"}, False),
        ({"marker": "o", "linestyle": ""}, True),
        ({"drawstyle": "steps-post"}, True),
    ],
)
def test_a_slope_is_no_step(style: dict[str, str], passes: bool) -> None:
    figure, axes = axes_with_names()
    axes.plot(range(1, 11), STEPS, **style)
    result = check("04.staircase", figure)
    assert result.passed == passes
    assert passes or "half-way between two cutoffs" in result.message


def test_a_staircase_drawn_by_hand_passes() -> None:
    figure, axes = axes_with_names()
    axes.plot([1, 2, 2, 5, 5, 9, 9, 10], [0, 0, 1 / 4, 1 / 4, 2 / 4, 2 / 4, 3 / 4, 3 / 4])
    axes.plot(range(1, 11), STEPS, "o")
    assert check("04.staircase", figure).passed


def test_a_curve_of_single_gains_is_told_that_it_falls() -> None:
    figure, axes = axes_with_names()
    axes.step(range(1, 11), [0, 1 / 4, 0, 0, 1 / 4, 0, 0, 0, 1 / 4, 0], where="post")
    assert "falls in places" in check("04.staircase", figure).message


FIGURES = ("04.staircase", "04.set_curve", "05.ceiling_curve")


def right_points(exercise_id: str) -> tuple[list[int], list[float]]:
    exercise = registry.find(exercise_id)
    curve = exercise.right(exercise.lesson())
    return list(curve), [float(value) for value in curve.values()]


@pytest.mark.parametrize("exercise_id", FIGURES)
def test_what_goes_wrong_in_drawing_is_asked_about(exercise_id: str) -> None:
    ks, heights = right_points(exercise_id)

    def said(*points: Any, draw: str = "step", **labels: str) -> str:
        figure, axes = axes_with_names()
        getattr(axes, draw)(*points)
        axes.set(**labels)
        result = check(exercise_id, figure)
        assert result.status == "not yet"
        return result.message

    assert "changed places" in said(heights, ks)
    assert "starts at zero" in said(range(len(ks)), heights)
    assert "lines and dots" in said(ks, heights, draw="bar")
    assert "None" in check(exercise_id, None).message and check(exercise_id, None).status == "not yet"


@pytest.mark.parametrize("label", ["…", "...", " ", "–"])
def test_dots_are_no_name_of_an_axis(label: str) -> None:
    ks, heights = right_points("04.staircase")
    figure, axes = axes_with_names()
    axes.step(ks, heights, where="post")
    axes.set_xlabel(label)
    assert "what do the two axes show" in check("04.staircase", figure).message


def set_curve(*leave_out: str) -> Result:
    """The figure as a learner draws it, with something left out."""
    keyword, ks = measured("keyword"), range(1, 51)
    figure, axes = axes_with_names()
    axes.fill_between(ks, 0, keyword.curve(50), alpha=0.2)
    if "recall" not in leave_out:
        axes.plot(ks, keyword.curve(50))
    if "ceiling" not in leave_out:
        axes.plot(ks, keyword.curve(50, "ceiling"))
    if "random" not in leave_out:
        axes.plot([0, 60], [0, 60 / 600])  # a straight line needs two points
    return check("04.set_curve", figure)


def test_the_curve_of_the_set_needs_its_company() -> None:
    assert set_curve().passed
    assert "ceiling" in set_curve("ceiling").message
    assert "k/N" in set_curve("random").message
    assert set_curve("recall").status == "not yet"
    assert "lines and dots" in set_curve("recall", "ceiling", "random").message


def three_lines(
    recall: Any = None, ceiling: Any = None, chance: Any = None, ks: Any = range(1, 51)
) -> tuple[Figure, Any]:
    """The three lines, some of them drawn otherwise."""
    keyword = measured("keyword")
    figure, axes = axes_with_names()
    axes.plot(*(recall or (ks, keyword.curve(50))), label="keyword")
    axes.plot(*(ceiling or (ks, keyword.curve(50, "ceiling"))), label="ceiling")
    axes.plot(*(chance or (ks, [k / 600 for k in range(1, 51)])), label="k/N")
    return figure, axes


KS = range(1, 51)


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ({"chance": (KS, [50 / 600] * 50)}, "A line is there that is not k/N"),
        ({"chance": (KS, [k / 600 for k in range(50)])}, "A line is there that is not k/N"),
        ({"chance": (KS, [k / 50 for k in KS])}, "A line is there that is not k/N"),
        ({"ceiling": (KS, [1] * 50)}, "A line is there that is not the ceiling"),
        (
            {"ceiling": (KS, [1] * 50), "chance": (KS, [k / 50 for k in KS])},
            "A line is there that is not the ceiling and not k/N",
        ),
        ({"chance": ([k / 600 for k in KS],)}, "starts at zero"),
        ({"chance": ([k / 600 for k in KS], KS)}, "changed places"),
        ({"ks": range(50)}, "starts at zero"),
        ({"recall": (KS, [0.5] * 50)}, "keyword.recall(k)"),
    ],
)
def test_a_line_drawn_wrong_is_not_called_missing(drawn: dict[str, Any], said: str) -> None:
    figure, _ = three_lines(**drawn)
    result = check("04.set_curve", figure)
    assert result.status == "not yet"
    assert said in result.message
    assert "as well" not in result.message


def test_the_curve_of_the_other_search_is_recognised() -> None:
    figure, _ = three_lines(recall=(KS, measured("wordllama").curve(50)))
    assert "vector search" in check("04.set_curve", figure).message


def test_a_mark_on_the_page_is_no_line_drawn_wrong() -> None:
    figure, axes = axes_with_names()
    axes.plot(KS, measured("keyword").curve(50))
    axes.plot(KS, [k / 600 for k in KS])
    axes.axvline(10)
    assert "Draw the ceiling as well" in check("04.set_curve", figure).message


def test_three_lines_in_three_pictures_are_not_one_picture() -> None:
    keyword = measured("keyword")
    figure, grid = plt.subplots(3)
    for axes, heights in zip(
        grid, (keyword.curve(50), keyword.curve(50, "ceiling"), [k / 600 for k in KS]), strict=True
    ):
        axes.plot(KS, heights)
        axes.set(xlabel="k", ylabel="recall")
    assert "not in one picture" in check("04.set_curve", figure).message


def test_lines_without_a_legend_pass_with_a_remark() -> None:
    figure, axes = three_lines()
    without = check("04.set_curve", figure)
    assert without.passed and "legend" in " ".join(without.verdict.notes)
    axes.legend()
    assert check("04.set_curve", figure).verdict.notes == ()


def test_a_variant_of_the_set_curve_can_be_computed_from_what_it_hands_over() -> None:
    it = another("04.set_curve", seed="ada")
    assert isinstance(it, Variant)
    judgments, results = it.given["judgments"], it.given["results"]
    evaluation, ks = evaluate(judgments, results), range(1, it.data.k + 1)
    figure, axes = axes_with_names()
    axes.plot(ks, evaluation.curve(it.data.k))
    axes.plot(ks, evaluation.curve(it.data.k, "ceiling"))
    axes.plot(ks, [k / 600 for k in ks])
    assert check(it, figure).passed


def test_what_exists_over_k_is_no_rounded_chance() -> None:
    """With R = 4 it was 4/50 = .08, so near to 50/600 that it was taken for it, rounded."""
    assert check("04.random", 6 / 50).mistakes == ("random_relevant_over_k",)
    source = (NOTEBOOKS / "04_recall_curves.py").read_text(encoding="utf-8")
    (query,) = registry.find("04.random").lesson().queries
    assert f"# has R = {len(query.relevant(1))}." in source


def with_loop(curve: Any, epsilon: float) -> Any:
    for position in range(len(curve)):
        if curve[-1] - curve[position] <= epsilon:
            return position + 1


def with_numpy(curve: Any, epsilon: float) -> Any:
    return int(np.argmax(np.array(curve) >= curve[-1] - epsilon)) + 1


def from_the_end(curve: Any, epsilon: float) -> Any:
    k = len(curve)
    while k > 1 and curve[-1] - curve[k - 2] <= epsilon:
        k -= 1
    return k


@pytest.mark.parametrize("function", [with_loop, with_numpy, from_the_end, smallest_k])
def test_stop_rules_that_are_right(function: Callable[..., Any]) -> None:
    assert check("04.smallest_k", function).passed


def until_it_stops(curve: Any, epsilon: float) -> Any:
    for i in range(1, len(curve)):
        if curve[i] - curve[i - 1] <= epsilon:
            return i


def until_nothing_is_added(curve: Any, epsilon: float) -> Any:
    for k in range(1, len(curve)):
        if curve[k] == curve[k - 1]:
            return k


def position(curve: Any, epsilon: float) -> Any:
    for i, recall in enumerate(curve):
        if curve[-1] - recall <= epsilon:
            return i


def against_one(curve: Any, epsilon: float) -> Any:
    for k, recall in enumerate(curve, start=1):
        if 1 - recall <= epsilon:
            return k


def strictly(curve: Any, epsilon: float) -> Any:
    for k, recall in enumerate(curve, start=1):
        if curve[-1] - recall < epsilon:
            return k


def relative(curve: Any, epsilon: float) -> Any:
    for k, recall in enumerate(curve, start=1):
        if recall >= curve[-1] * (1 - epsilon):
            return k


def the_recall(curve: Any, epsilon: float) -> Any:
    for recall in curve:
        if curve[-1] - recall <= epsilon:
            return recall


@pytest.mark.parametrize(
    ("function", "slip"),
    [
        (until_it_stops, "stopped_at_a_flat_stretch"),
        (until_nothing_is_added, "stopped_at_a_standstill"),
        (position, "position_for_k"),
        (against_one, "compared_with_one"),
        (strictly, "less_than_epsilon"),
        (relative, "share_of_the_end"),
        (the_recall, "recall_for_k"),
    ],
)
def test_stop_rules_with_a_slip_are_named(function: Callable[..., Any], slip: str) -> None:
    assert check("04.smallest_k", function).mistakes == (slip,)


def never_the_last(curve: Any, epsilon: float) -> Any:
    for k in range(1, len(curve)):
        if curve[-1] - curve[k - 1] <= epsilon:
            return k
    return 1


def always_none(curve: Any, epsilon: float) -> None:
    curve[-1] - epsilon


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda curve, epsilon: 1, "too early"),
        (lambda curve, epsilon: len(curve), "not the smallest"),
        (lambda curve, epsilon: len(curve) + 1, "no place in this list"),
        (lambda curve, epsilon: -1, "no place in this list"),
        (lambda curve, epsilon: None if len(curve) < 3 else 2, "no k is close enough"),
        (always_none, "end with a return"),
        (never_the_last, "too early"),
    ],
)
def test_what_is_certain_about_other_stop_rules(function: Callable[..., Any], said: str) -> None:
    result = check("04.smallest_k", function)
    assert result.status == "not yet" and said in result.message


def plotted(
    search: Callable[[int], Any],
    chance: Callable[[int, int], float],
    ks: Sequence[Sequence[int]] = (KS, KS),
    fixed: bool = True,
) -> Callable[[int], Figure]:
    def my_draw(N: int) -> Figure:
        figure, axes = axes_with_names()
        for x, y in zip(ks, (search(N), [chance(k, N) for k in KS]), strict=True):
            axes.plot(x, y)
        if fixed:
            axes.set_ylim(0, 1)
        return figure

    return my_draw


def curve_of(size: int) -> Any:
    return measured_in(size).curve(50)


@pytest.mark.parametrize(
    ("function", "slip"),
    [
        (plotted(lambda N: curve_of(600), lambda k, N: k / N), "size_ignored"),
        (plotted(curve_of, lambda k, N: k / 600), "random_of_the_whole"),
        (plotted(curve_of, lambda k, N: N / k), "random_turned_over"),
    ],
)
def test_figures_with_a_slip_are_named(function: Callable[..., Any], slip: str) -> None:
    for size in SIZES:  # measured here, so that the check does not count it
        curve_of(size)
    assert check("04.draw", function).mistakes == (slip,)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (plotted(curve_of, lambda k, N: k / N, ks=(range(50), KS)), "starts at zero"),
        (plotted(curve_of, lambda k, N: k / N, ks=(KS, range(50))), "starts at zero"),
        (plotted(curve_of, lambda k, N: 50 / N), "A line is there that is not k/N"),
        (plotted(lambda N: curve_of(N) / 2, lambda k, N: k / N), "A line is there that is not recall of the"),
        (plotted(curve_of, lambda k, N: k / N, fixed=False), "the axis moves"),
    ],
)
def test_what_goes_wrong_in_drawing_is_asked_about_in_a_function_too(
    function: Callable[..., Any], said: str
) -> None:
    result = check("04.draw", function)
    assert result.status == "not yet"
    assert said in result.message
    assert "missing" not in result.message and "as well" not in result.message


def test_a_figure_of_pyplot_passes_with_a_remark() -> None:
    result = check("04.draw", plotted(curve_of, lambda k, N: k / N))
    assert result.passed and "Figure()" in " ".join(result.verdict.notes)
    assert check("04.draw", draw).verdict.notes == ()


def nothing_back(N: int) -> None:
    plt.subplots()


def no_names(N: int) -> Figure:
    figure = draw(N)
    figure.axes[0].set(xlabel="", ylabel="")
    return figure


def one_line(N: int) -> Figure:
    figure, axes = axes_with_names()
    axes.plot(range(1, 51), [k / N for k in range(1, 51)])
    return figure


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (nothing_back, "end with a return"),
        (lambda N: "a picture", "wants the figure"),
        (lambda N: draw(N).axes[0], "wants the figure"),
        (lambda N: Figure(), "empty"),
        (no_names, "what do the axes show"),
        (one_line, "recall of the search"),
    ],
)
def test_what_is_certain_about_other_figures(function: Callable[..., Any], said: str) -> None:
    result = check("04.draw", function)
    assert result.status == "not yet" and said in result.message


def test_the_check_leaves_no_figure_open() -> None:
    """A notebook would show it below the cell."""
    check("04.draw", plotted(curve_of, lambda k, N: k / N))
    assert plt.get_fignums() == []


def test_an_error_while_drawing_names_the_call() -> None:
    figures: dict[int, Figure] = {}

    def my_draw(N: int) -> Any:
        return figures[N]

    result = check("04.draw", my_draw)
    assert result.status == "error in your code"
    assert "my_draw(" in result.verdict.evidence


def parts() -> tuple[SelectionSlider, Image, Callable[[Any], None]]:
    slider, picture = SelectionSlider(options=SIZES, value=600), Image(format="png")

    def redraw(change: Any) -> None:
        picture.value = b"picture %d" % len(curves[change["new"]])

    curves = {size: "x" * size for size in SIZES}
    return slider, picture, redraw


def test_wiring() -> None:
    slider, picture, redraw = parts()
    assert check("04.wire", (slider, picture)).status == "not attempted"
    slider.observe(redraw, names="value")
    assert check("04.wire", (slider, picture)).passed
    assert slider.value == 600 and picture.value == b"picture 600", "left as it was, and drawn"
    assert check("04.wire", (picture, slider)).status == "not yet"
    assert check("04.wire", slider).status == "not yet"


def my_draw(N: int) -> Figure:
    """Fails where it is handed a change and not a number."""
    assert {size: size for size in SIZES}[N]
    return Figure()


def stays_as_it_was(change: Any) -> None:
    """Draws, and puts the picture nowhere."""


def fails(change: Any) -> None:
    raise ValueError("its own fault")


WRONG_LINES: list[tuple[Callable[[SelectionSlider, Image, Any], Any], str]] = [
    (lambda slider, picture, redraw: slider.observe(redraw), "names="),
    (lambda slider, picture, redraw: slider.observe(my_draw, names="value"), "my_draw asks for the number"),
    (lambda slider, picture, redraw: slider.observe(redraw({"new": 600}), names="value"), "Brackets behind"),
    (lambda slider, picture, redraw: slider.observe("redraw", names="value"), "a text"),
    (lambda slider, picture, redraw: slider.observe(redraw, names="N"), "changes of “N”"),
    (lambda slider, picture, redraw: slider.observe(redraw, names="label"), "changes of “label”"),
    (lambda slider, picture, redraw: slider.observe(stays_as_it_was, names="value"), "stays as it was"),
    (lambda slider, picture, redraw: slider.observe(fails, names="value"), "stopped with an error"),
    (lambda slider, picture, redraw: picture.observe(redraw, names="value"), "asked to call there"),
    (lambda slider, picture, redraw: setattr(slider, "observe", redraw), "equals sign"),
]
WRONG_NAMES = ("all", "draw", "brackets", "quotes", "N", "label", "idle", "fails", "picture", "assigned")


@pytest.mark.parametrize(("line", "said"), WRONG_LINES, ids=WRONG_NAMES)
def test_a_wrong_line_is_explained_and_never_stands_in_the_way_of_the_right_one(
    line: Callable[..., Any], said: str
) -> None:
    slider, picture, redraw = parts()
    line(slider, picture, redraw)
    wrong = check("04.wire", (slider, picture))
    assert wrong.status in ("not yet", "error in your code")
    assert said in wrong.message
    assert "taken that line off" in " ".join(wrong.verdict.notes)
    assert slider.value == 600
    slider.observe(redraw, names="value")
    assert check("04.wire", (slider, picture)).passed
    slider.value = 75
    assert picture.value == b"picture 75"


@pytest.mark.parametrize("line", [line for line, _ in WRONG_LINES[:-1]], ids=WRONG_NAMES[:-1])
def test_the_right_line_passes_also_where_a_wrong_one_was_never_checked(line: Callable[..., Any]) -> None:
    slider, picture, redraw = parts()
    line(slider, picture, redraw)
    slider.observe(redraw, names="value")
    assert check("04.wire", (slider, picture)).passed
    slider.value = 75
    assert picture.value == b"picture 75"
    assert (slider.index, slider.label) == (SIZES.index(75), "75"), "the slider's own calls are still there"


def test_a_check_stopped_by_hand_takes_nothing_off() -> None:
    slider, picture, redraw = parts()
    stops = iter([True])

    def stopped_once(change: Any) -> None:
        if next(stops, False):
            raise KeyboardInterrupt
        redraw(change)

    slider.observe(stopped_once, names="value")
    assert "stopped by hand" in check("04.wire", (slider, picture)).message
    assert check("04.wire", (slider, picture)).passed


def test_a_guess_may_be_spelled_otherwise() -> None:
    assert "Noted" in predict("04.predict_report", "Can't say").text
    assert "not one of the choices" in predict("04.predict_report", "maybe").text


def test_a_slider_that_calls_nobody_is_no_attempt() -> None:
    slider, picture, _ = parts()
    result = check("04.wire", (slider, picture))
    assert result.status == "not attempted" and "which of your widgets" in result.message


def test_a_picture_that_does_not_follow_every_step_is_noticed() -> None:
    slider, picture, _ = parts()
    slider.observe(lambda change: setattr(picture, "value", b"%d" % (change["new"] > 90)), names="value")
    assert "not at every step" in check("04.wire", (slider, picture)).message


def own_questions_cell() -> dict[str, Any]:
    """The names that the cells on the learner's own questions leave behind."""
    source = (NOTEBOOKS / "04_recall_curves.py").read_text(encoding="utf-8")
    cells = [cell for cell in source.split("\n# %%") if "own_golden(golden)" in cell or "else mine" in cell]
    assert len(cells) == 2
    names: dict[str, Any] = {
        "golden": GOLDEN,
        "keyword": measured("keyword"),
        "keyword_run": frozen_run("keyword"),
        "own_golden": own_golden,
        "evaluate": evaluate,
        "recall_curve": recall_curve,
    }
    for cell in cells:
        exec(cell.partition("\n")[2], names)
    return names


def test_the_learners_own_questions_join_where_there_are_any(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(own_questions_cell()["curves"]) == ["our 104 questions"]
    assert "lesson 01" in capsys.readouterr().out
    few = {question: GOLDEN.judgments[question] for question in ("q047", "q059", "q101")}
    GoldenDataset(GOLDEN.passages, GOLDEN.questions, few, min_grade=GOLDEN.min_grade).save(own_folder())
    curves = own_questions_cell()["curves"]
    assert list(curves) == ["our 104 questions", "your questions"]
    assert curves["your questions"].n == 3
    counts = [len(GOLDEN.relevant(question)) for question in few]
    steps = f"{1 / (3 * max(counts)):.4f} to {1 / (3 * min(counts)):.4f}"
    assert capsys.readouterr().out.splitlines()[-1].endswith(steps)
