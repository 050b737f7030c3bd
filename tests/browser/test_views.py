"""Curve, mixer, switches, progress and padding in a real Chromium, by keyboard and pointer, Lab and static.

The numbers shown are held against measures.py and cohen_kappa, computed here.
"""

from __future__ import annotations

import re

import pytest
from driving import LabPage
from playwright.sync_api import Locator, Page, expect

from recall_lab.labelling import cohen_kappa
from recall_lab.measures import achievable_recall_at_k, mean_recall_at_k, precision_at_k, recall_at_k

pytestmark = pytest.mark.browser

SETUP = """
from recall_lab.evaluation import evaluate
from recall_lab.measures import precision_at_k, recall_at_k
from recall_lab.widgets import (
    ConventionSwitchesView,
    KappaPaddingView,
    KCapMixerView,
    ProgressView,
    RecallCurveView,
)

JUDGMENTS = {"q1": ["a", "b", "c", "d"], "q2": ["e"], "q3": ["f", "g"]}
RESULTS = {"q1": ["x", "a", "y", "z", "b", "v", "w", "u", "c"], "q2": ["e"], "q3": ["p", "q", "f"]}
RANKING, RELEVANT = ["a", "x", "b", "y"], {"a", "b", "c", "d"}
CONVENTIONS = {"Divide by": ["all relevant", "k"], "Cut": ["at k", "at k - 1", "at k + 1"]}
CUTS = {"at k": 3, "at k - 1": 2, "at k + 1": 4}


def score(picks):
    measure = {"all relevant": recall_at_k, "k": precision_at_k}[picks["Divide by"]]
    return measure(RANKING, RELEVANT, CUTS[picks["Cut"]])


FIRST, SECOND = [1, 1, 0, 0, 1, 0], [1, 1, 0, 1, 0, 0]
EXERCISES = [
    {"lesson": "02 By hand", "exercise": "one", "status": "passed"},
    {"lesson": "02 By hand", "exercise": "two", "status": "tried"},
]
"""
MAKE = {
    "curve": "RecallCurveView(evaluate(JUDGMENTS, RESULTS), k_max=12, corpus_sizes=[1000, 24])",
    "mixer": "KCapMixerView(questions=4, small=2, sizes=(3, 30), large=30, k_max=12, k=10, many=1)",
    "switches": 'ConventionSwitchesView(CONVENTIONS, score, measure="recall@3", note="One question")',
    "progress": "ProgressView(EXERCISES)",
    "padding": "KappaPaddingView(FIRST, SECOND, most=50)",
}
names: dict = {}
exec(SETUP, names)
RUNS = [(names["RESULTS"][query], set(relevant)) for query, relevant in names["JUDGMENTS"].items()]


def number(text: str) -> float:
    """The number at the end of what a view writes, such as "≈ .333"."""
    return float(text.split()[-1])


def tile(view: Locator, name: str) -> Locator:
    """The value of the tile with this name, once it is shown."""
    page = view.page
    found = view.locator(".rl-tile", has=page.locator(".rl-tile-name", has_text=re.compile(f"^{name}$")))
    expect(found).to_have_count(1)
    return found.locator(".rl-tile-value")


def use_curve(view: Locator) -> None:
    def check(k: int) -> None:
        shown = number(tile(view, f"Recall@{k}").inner_text())
        assert shown == pytest.approx(mean_recall_at_k(RUNS, k), abs=0.0005)
        shown = number(tile(view, f"Ceiling@{k}").inner_text())
        assert shown == pytest.approx(achievable_recall_at_k(RUNS, k), abs=0.0005)

    k = view.get_by_label("Cutoff k", exact=True)
    for key, cutoff in [("Home", 1), ("ArrowRight", 2), ("End", 12), ("ArrowLeft", 11)]:
        k.press(key)
        check(cutoff)
    view.get_by_label("Cutoff k, typed").fill("5")
    check(5)
    assert number(tile(view, "Random order@5").inner_text()) == 5 / 1000
    view.get_by_label("24", exact=True).click()
    expect(tile(view, "Random order@5")).to_have_text("≈ .208")
    linear = view.locator(".rl-plot-main").first.get_attribute("d")
    view.get_by_label("linear").press("ArrowRight")
    expect(view.get_by_label("log")).to_be_checked()
    expect(view.locator(".rl-plot-main").first).not_to_have_attribute("d", linear or "")
    first_close = next(
        k for k in range(1, 13) if mean_recall_at_k(RUNS, 12) - mean_recall_at_k(RUNS, k) <= 0.02
    )
    expect(view.get_by_text(f"elbow k = {first_close}", exact=True)).to_be_visible()


def use_mixer(view: Locator) -> None:
    def check(k: int, many: int, large: int) -> None:
        counts = [2] * (4 - many) + [large] * many
        expect(view.locator(".rl-tile").nth(2)).to_contain_text(f"R = {large}")
        expect(view.locator(".rl-tile").nth(2)).to_contain_text(f"{many} of 4")
        shown = number(tile(view, f"Mean recall@{k}").inner_text())
        assert shown == pytest.approx(achievable_recall_at_k(counts, k), abs=0.0005)

    check(10, 1, 30)
    view.get_by_label("Cutoff k", exact=True).press("Home")
    check(1, 1, 30)
    view.get_by_label("Questions with a large R", exact=True).press("End")
    check(1, 4, 30)
    view.get_by_label("3", exact=True).click()
    check(1, 4, 3)
    view.get_by_label("Cutoff k, typed").fill("2")
    check(2, 4, 3)


def use_switches(view: Locator) -> None:
    figure = view.locator(".rl-figure")
    expect(figure).to_have_text("recall@3 = .50")
    view.get_by_label("all relevant").press("ArrowRight")
    expect(figure).to_contain_text("“recall@3”")
    assert number(figure.inner_text()) == pytest.approx(
        precision_at_k(["a", "x", "b"], {"a", "b"}, 3), abs=0.0005
    )
    view.get_by_label("at k - 1").click()
    expect(view.get_by_text("2 switches turned")).to_be_visible()
    assert number(figure.inner_text()) == precision_at_k(["a", "x"], {"a", "b"}, 2)
    view.get_by_label("all relevant").click()
    expect(view.get_by_text("one switch turned")).to_be_visible()
    assert number(figure.inner_text()) == recall_at_k(["a", "x"], {"a", "b", "c", "d"}, 2)
    expect(view.get_by_text("3 different numbers so far")).to_be_visible()


def use_progress(view: Locator) -> None:
    expect(view.get_by_text("1 of 2 exercises passed")).to_be_visible()
    expect(view.get_by_text("one", exact=True)).to_be_visible()
    view.get_by_label("all", exact=True).press("ArrowRight")
    expect(view.get_by_text("one", exact=True)).to_be_hidden()
    expect(view.get_by_text("two", exact=True)).to_be_visible()
    view.get_by_label("all", exact=True).click()
    expect(view.get_by_text("one", exact=True)).to_be_visible()


def use_padding(view: Locator) -> None:
    def check(added: int) -> None:
        first, second = (names[side] + [0] * added for side in ("FIRST", "SECOND"))
        expect(view.get_by_text(f"of all {6 + added} pairs")).to_be_visible()
        shown = number(tile(view, "Kappa").inner_text())
        assert shown == pytest.approx(cohen_kappa(first, second), abs=0.0005)
        assert number(tile(view, "Raw agreement").inner_text()) == pytest.approx(
            (4 + added) / (6 + added), abs=0.0005
        )
        expect(tile(view, "The first 6")).to_have_text("4 of 6")

    slider = view.get_by_label("Easy pairs added", exact=True)
    for key, added in [("ArrowRight", 1), ("End", 50), ("ArrowLeft", 49), ("Home", 0)]:
        slider.press(key)
        check(added)
    view.get_by_label("Easy pairs added, typed").fill("20")
    check(20)


USE = {
    "curve": use_curve,
    "mixer": use_mixer,
    "switches": use_switches,
    "progress": use_progress,
    "padding": use_padding,
}


@pytest.mark.parametrize("name", MAKE)
def test_keys_and_pointer_move_the_view_in_a_static_page(static_page, name):
    page = static_page(eval(MAKE[name], names))
    USE[name](page.locator(".rl"))


@pytest.mark.parametrize(
    ("name", "sound", "broken"),
    [
        ("curve", "rows[k - 1]", "rows[Math.max(k - 2, 0)]"),
        ("mixer", "means[k - 1][large][many]", "means[k - 1][large][0]"),
        ("switches", "index * options.length + picked", "index + picked"),
        ("progress", "line.hidden = ", "line.title = "),
        ("padding", "rows[added]", "rows[0]"),
    ],
)
def test_a_broken_view_is_found_out(static_page, name, sound, broken):
    view = eval(MAKE[name], names)
    assert sound in view._esm
    view._esm = view._esm.replace(sound, broken)
    page = static_page(view)
    page.set_default_timeout(1000)
    expect.set_options(timeout=1000)
    try:
        with pytest.raises(AssertionError):
            USE[name](page.locator(".rl"))
    finally:
        expect.set_options(timeout=5000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_static_pages(page: Page, static_page, axe, scheme):
    page.emulate_media(color_scheme=scheme)
    static_page(*(eval(code, names) for code in MAKE.values()))
    axe(page, "html")


def test_nothing_is_cut_off_on_a_small_screen(page: Page, static_page):
    page.set_viewport_size({"width": 320, "height": 800})
    static_page(*(eval(code, names) for code in MAKE.values()))
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_all_of_it_in_jupyterlab(lab: LabPage, axe):
    ranked = "from recall_lab.widgets import RankedListView\nRankedListView(RANKING, RELEVANT, k=2)"
    cells = [SETUP, *(f"{name} = {code}\n{name}" for name, code in MAKE.items()), ranked]
    lab.server.write_notebook("views.ipynb", *cells)
    lab.open("views.ipynb")
    lab.run_all()
    for position, name in enumerate(MAKE, start=1):
        USE[name](lab.output(position).locator(".rl"))
    lab.python('progress.update([{**exercise, "status": "passed"} for exercise in EXERCISES])')
    expect(lab.page.get_by_text("2 of 2 exercises passed")).to_be_visible()
    expect(lab.page.locator(".rl")).to_have_count(len(MAKE) + 1)
    for dark in (True, False):
        lab.dark(dark)
        axe(lab.page, ".rl")
