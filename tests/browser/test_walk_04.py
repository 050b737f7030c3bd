"""A walk through lesson 04: curves drawn, a stop rule written, a slider of one's own moved by keyboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from driving import LabPage
from lesson_page import LessonPage, lesson, run_unsolved, shown
from playwright.sync_api import expect

from recall_lab import GoldenDataset
from recall_lab.exercises.lesson_04 import SIZES, thinned
from recall_lab.measures import mean_recall_at_k
from recall_lab.retrieval import frozen_run

pytestmark = pytest.mark.browser

GOLDEN = GoldenDataset.load("library_of_things")

STAIRCASE = """0
figure, axes = plt.subplots()
axes.{draw}
axes.set_xlabel("k")
axes.set_ylabel("recall")
"""
RIGHT_STEPS = "step(cutoffs, [0, 1/4, 1/4, 1/4, 2/4, 2/4, 2/4, 2/4, 3/4, 3/4], where='post')"
SLOPES = "plot(cutoffs, [0, 1/4, 1/4, 1/4, 2/4, 2/4, 2/4, 2/4, 3/4, 3/4])"
PRECISIONS = "plot(cutoffs, [0, 1/2, 1/3, 1/4, 2/5, 2/6, 2/7, 2/8, 3/9, 3/10])"
UNTIL_IT_STOPS = """for k in range(1, len(curve)):
        if curve[k] - curve[k - 1] <= epsilon:
            return k"""
STOP_RULE = """return next(k for k, recall in enumerate(curve, 1) if curve[-1] - recall <= epsilon)"""
DRAW = """cutoffs = range(1, 51)
    figure = Figure()
    axes = figure.subplots()
    axes.plot(cutoffs, curve_of[N])
    axes.plot(cutoffs, [k / {size} for k in cutoffs])
    axes.set(xlabel="k", ylabel="recall", title="my own")
    {fix}
    return figure"""
ALL_LABELS = '"staircase", "B": "plateau", "C": "cut off", "D": "still climbing"}  # '


def mean_recall(rankings: Mapping[str, Sequence[str]], k: int) -> float:
    """By the readable measures, not by what the page computes with."""
    mean = mean_recall_at_k([(ranking, GOLDEN.relevant(q)) for q, ranking in rankings.items()], k)
    assert mean is not None
    return mean


def test_a_walk_through_lesson_04(lab: LabPage) -> None:
    page = LessonPage(lab, lesson("04"))
    run_unsolved(lab)

    said = page.answer("04.staircase", STAIRCASE.format(draw=PRECISIONS))
    expect(said).to_contain_text("dividing the hits by k")
    said = page.answer("04.staircase", STAIRCASE.format(draw=SLOPES))
    expect(said).to_contain_text("climbs aslant")
    said = page.answer("04.staircase", STAIRCASE.format(draw=RIGHT_STEPS))
    expect(said).to_contain_text("Passed")
    expect(said.locator("img")).to_have_count(1)
    expect(page.answer("04.random", "50 / 600")).to_contain_text("Passed")

    run = frozen_run("keyword")
    keyword = {question: run.ranking(question) for question in run}
    view = page.output("RecallCurveView(")
    expect(view.get_by_text("cutoff k", exact=True)).to_be_visible()
    slider = view.locator("input[type=range]")
    slider.focus()
    for k in (11, 12, 13):
        slider.press("ArrowRight")
        assert shown(view, f"Recall@{k}") == pytest.approx(mean_recall(keyword, k), abs=0.0005)
    slider.press("End")
    assert shown(view, "Recall@600") == pytest.approx(mean_recall(keyword, 600), abs=0.0005)

    said = page.answer("04.smallest_k", UNTIL_IT_STOPS)
    expect(said).to_contain_text("stopping at the first flat stretch")
    expect(page.answer("04.smallest_k", STOP_RULE)).to_contain_text("Passed")

    said = page.answer("04.draw", DRAW.format(size=600, fix=""))
    expect(said).to_contain_text("the size of the whole handbook")
    expect(page.answer("04.draw", DRAW.format(size="N", fix=""))).to_contain_text("the axis moves")
    said = page.answer("04.draw", DRAW.format(size="N", fix="axes.set_ylim(0, 1)"))
    expect(said).to_contain_text("Passed")
    expect(said.locator("img")).to_have_count(0)  # what was drawn for the check is not left on the page

    walk_along_the_own_slider(lab, page)

    expect(page.answer("04.which_flat", ALL_LABELS)).to_contain_text("Passed")


def walk_along_the_own_slider(lab: LabPage, page: LessonPage) -> None:
    control = page.output("VBox([slider")
    handle = control.locator(".noUi-handle")
    picture = control.locator("img")
    handle.focus()
    handle.press("ArrowLeft")
    expect(control).to_contain_text(str(SIZES[-2]))
    expect(control).to_contain_text("N = 600:")  # the picture has not followed

    said = page.answer("04.wire", 'slider.observe(draw, names="value")')
    expect(said).to_contain_text("draw asks for the number itself")
    said = page.answer("04.wire", 'slider.observe(redraw, names="value")')
    expect(said).to_contain_text("Passed")

    seen = set()
    run = frozen_run("wordllama")
    handle.focus()
    for size in SIZES[-3:-5:-1]:
        handle.press("ArrowLeft")
        expect(control).to_contain_text(f"N = {size}:")
        words = control.get_by_text(f"N = {size}:").inner_text()
        small = thinned(GOLDEN, run, size)
        recall = mean_recall({question: small.ranking(question) for question in small}, 50)
        assert f"of the search {recall:.3f}," in words
        assert words.endswith(f"random order {50 / size:.3f}")
        seen.add(picture.get_attribute("src"))
    assert len(seen) == 2, "each position has a picture of its own"
    assert picture.evaluate("image => image.naturalWidth") > 300
