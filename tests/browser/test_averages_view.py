"""The averages view in a real Chromium, by keyboard, in JupyterLab and in a static page.

The numbers shown are held against measures.py, computed here.
"""

from __future__ import annotations

import pytest
from driving import LabPage
from playwright.sync_api import Locator, Page, expect

from recall_lab.measures import mean_hit_rate_at_k, mean_recall_at_k, micro_recall_at_k
from recall_lab.widgets import AveragesView

pytestmark = pytest.mark.browser

SETUP = """
from recall_lab.widgets import AveragesView

LARGE = [f"p{i}" for i in range(1, 13)]
RELEVANT = {"small": ["a", "b"], "other": ["c"], "none": [], "large": LARGE}
RUNS = {
    "words": {"small": ["a", "x"], "large": LARGE},
    "sense": {"small": ["b", "y", "a"], "other": ["z", "c"], "large": ["p9", "x", "p1", "p4"]},
}
"""
MAKE = 'AveragesView(RELEVANT, RUNS, resize="large", size=2, k=8, k_max=8)'
ONE_SYSTEM = 'AveragesView(RELEVANT, {"words": RUNS["words"]}, k=2, k_max=8)'
names: dict = {}
exec(SETUP, names)
MEASURES = {"Macro": mean_recall_at_k, "Micro": micro_recall_at_k, "Hit rate": mean_hit_rate_at_k}


def expected(measure: str, system: str, size: int, k: int) -> float:
    wanted = names["RELEVANT"] | {"large": names["LARGE"][:size]}
    return MEASURES[measure]([(names["RUNS"][system].get(q, []), ids) for q, ids in wanted.items()], k)


def use(view: Locator) -> None:
    """Move both sliders by keyboard and box: numbers are those of measures.py, marks in their places."""

    def check(size: int, k: int) -> None:
        expect(view.get_by_label("R of “large”, typed", exact=True)).to_have_value(str(size))
        for position, measure in enumerate(MEASURES):
            average = view.locator(".rl-average").nth(position)
            expect(average).to_contain_text(measure)
            for i, system in enumerate(names["RUNS"]):
                value = expected(measure, system, size, k)
                shown = average.locator(".rl-system-value").nth(i)
                expect(shown).to_contain_text(system)
                assert float(shown.locator("strong").inner_text().split()[-1]) == pytest.approx(
                    value, abs=0.0005
                )
                left = average.locator(".rl-average-mark").nth(i).evaluate("mark => mark.style.left")
                assert float(left.rstrip("%")) == pytest.approx(value * 100, abs=0.01)
        hits = {"words": min(size, k), "sense": len({"p9", "p1", "p4"} & set(names["LARGE"][:size]))}
        lines = view.locator(".rl-growing .rl-found-line")
        for i, system in enumerate(names["RUNS"]):
            expect(lines.nth(i)).to_contain_text(f"{system}{hits[system]}/{size}")
            squares = lines.nth(i).locator("path").first.evaluate("path => path.getAttribute('d')")
            assert squares.count("M") == hits[system]

    check(2, 8)
    expect(view.get_by_text("sense is ahead by macro, micro and hit rate")).to_be_visible()
    expect(view.get_by_text("R = 0, nothing to find, left out")).to_be_visible()
    size = view.get_by_label("R of “large”", exact=True)
    for key, now in [("ArrowRight", 3), ("Home", 1), ("End", 12)]:
        size.press(key)
        check(now, 8)
    expect(view.get_by_text("words is ahead by micro; sense is ahead by macro and hit rate")).to_be_visible()
    view.get_by_label("Cutoff k", exact=True).press("ArrowLeft")
    check(12, 7)
    view.get_by_label("R of “large”, typed", exact=True).fill("5")
    check(5, 7)


def test_keys_move_it_in_a_static_page(static_page):
    use(static_page(eval(MAKE, names)).locator(".rl"))


def test_one_system_has_no_rival_and_no_second_slider(static_page):
    view = static_page(eval(ONE_SYSTEM, names)).locator(".rl")
    expect(view.locator("input[type=range]")).to_have_count(1)
    expect(view.get_by_text("macro is above micro")).to_be_visible()
    view.get_by_label("Cutoff k", exact=True).press("End")
    expect(view.get_by_text("micro is above macro")).to_be_visible()


@pytest.mark.parametrize(
    ("sound", "broken"),
    [
        ('(model.get("size") - 1) * cutoffs', "0"),
        ('model.get("k") - 1', "0"),
        ("write(values[i], row.written[key][i])", "write(values[i], row.written.macro[i])"),
        ("passages.draw(row.found[q][i], exist)", "passages.draw(exist, exist)"),
    ],
    ids=["size-ignored", "k-ignored", "always-macro", "all-found"],
)
def test_a_broken_view_is_found_out(static_page, sound, broken):
    view = eval(MAKE, names)
    assert sound in view._esm
    view._esm = view._esm.replace(sound, broken)
    page = static_page(view)
    page.set_default_timeout(1000)
    expect.set_options(timeout=1000)
    try:
        with pytest.raises(AssertionError):
            use(page.locator(".rl"))
    finally:
        expect.set_options(timeout=5000)


def test_the_growing_question_comes_first_and_has_one_slider_of_its_own(static_page):
    view = static_page(eval(MAKE, names)).locator(".rl")
    labels = view.locator("label").all_inner_texts()
    assert labels == ["R of “large”", "Cutoff k"]
    top = view.locator(".rl-growing .rl-found-line").last.bounding_box()
    below = view.locator(".rl-averages").bounding_box()
    assert top is not None and below is not None and top["y"] < below["y"]
    expect(view.locator(".rl-found-lists li")).to_have_count(3)


def test_the_passages_of_two_systems_differ_in_colour_and_shape(static_page):
    view = static_page(eval(MAKE, names)).locator(".rl")
    lines = view.locator(".rl-found-line").filter(visible=True)
    looks = lines.evaluate_all(
        """lines => lines.map(line => {
          const [sign, full] = [".rl-system-sign", ".rl-passage-full"].map(one => line.querySelector(one));
          const outline = full.getAttribute("d").split("M").pop().replace(/^\\S+ /, "");
          return [getComputedStyle(sign).backgroundColor, getComputedStyle(full).fill, outline];
        })"""
    )
    first, second = looks[:2]
    assert first[0] == first[1] != second[0] == second[1], "the colour of the system's sign"
    assert first[2] != second[2]


LONG = "an-experiment-with-a-name-that-goes-on-and-on-until-"


@pytest.mark.parametrize("width", [1280, 320])
def test_a_count_never_breaks_and_long_names_stay_apart(page: Page, static_page, width):
    page.set_viewport_size({"width": width, "height": 900})
    ids = list(range(30))
    runs = {f"{LONG}{end}": {"q": ids} for end in ("one", "two")}
    view = AveragesView({"q": ids}, runs, resize="q", k=30, k_max=30)
    shown = static_page(view).locator(".rl")
    counts = shown.locator(".rl-found")
    expect(counts.first).to_have_text("30/30")
    lines = counts.evaluate_all(
        """counts => counts.map(count => {
          const text = document.createRange();
          text.selectNodeContents(count);
          return [text.getClientRects().length, count.scrollWidth <= count.clientWidth];
        })"""
    )
    assert lines == [[1, True], [1, True]]
    one, two = shown.locator(".rl-found-line .rl-system").all_inner_texts()
    assert one.endswith("one") and two.endswith("two")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave(page: Page, static_page, axe, scheme):
    page.emulate_media(color_scheme=scheme)
    static_page(*(eval(code, names) for code in (MAKE, ONE_SYSTEM)))
    axe(page, "html")


def test_nothing_is_cut_off_on_a_small_screen(page: Page, static_page):
    page.set_viewport_size({"width": 320, "height": 800})
    static_page(*(eval(code, names) for code in (MAKE, ONE_SYSTEM)))
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_in_jupyterlab_light_and_dark(lab: LabPage, axe):
    lab.server.write_notebook("averages.ipynb", SETUP, f"view = {MAKE}\nview")
    lab.open("averages.ipynb")
    lab.run_all()
    use(lab.output(1).locator(".rl"))
    assert lab.python("print(view.size, view.k)") == "5 7"  # the kernel has followed
    for dark in (True, False):
        lab.dark(dark)
        axe(lab.page, ".rl")
