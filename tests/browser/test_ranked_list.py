"""The ranked list in a real Chromium: keys are pressed, and the numbers shown held against measures.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from driving import LabPage, wait_until
from playwright.sync_api import Locator, Page, expect

from recall_lab.measures import achievable_recall_at_k, hit_rate_at_k, precision_at_k, recall_at_k
from recall_lab.widgets import RankedListView

pytestmark = pytest.mark.browser

RANKING = ["x1", "a", "x2", "x3", "b", "x4", "x5", "x6", "c", "x7"]
RELEVANT = {"a", "b", "c", "d"}
HOSTILE = (
    "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>&lt;&amp;\u202eabc"
)
IN_LAB = f"""
from recall_lab.widgets import RankedListView
view = RankedListView({RANKING}, {sorted(RELEVANT)}, question="Which?", k=1)
view
"""


def check_numbers(page: Page, retrieved: list[str], relevant: set[str], k: int, wait: int = 10_000) -> None:
    """Hold what the page shows at ``k``, within ``wait`` ms, against the measures, computed here."""
    exist = len(relevant)
    for name, value in {
        "Recall": recall_at_k(retrieved, relevant, k),
        "Precision": precision_at_k(retrieved, relevant, k),
        "Hit rate": hit_rate_at_k(retrieved, relevant, k),
        "Ceiling": achievable_recall_at_k([exist], k),
    }.items():
        tile = page.locator(
            ".rl-tile", has=page.locator(".rl-tile-name", has_text=re.compile(f"^{name}@{k}$"))
        )
        expect(tile).to_have_count(1, timeout=wait)
        written = tile.locator(".rl-tile-value").inner_text()
        if value is None:
            assert written == "undefined", (name, k)
            continue
        fraction, _, digits = written.rpartition(" ")
        assert abs(float(digits) - value) <= 0.0005, (name, k, written)
        if fraction:
            assert abs(Fraction(fraction.rstrip(" =≈")) - value) < 1e-12, (name, k, written)
    counted = page.locator(".rl-list li.rl-counts")
    expect(counted).to_have_count(min(k, len(retrieved)), timeout=wait)
    top = retrieved[:k]
    marked = [str(i + 1) for i, id_ in enumerate(top) if id_ in relevant and id_ not in top[:i]]
    expect(counted.filter(has_text="● relevant").locator(".rl-rank")).to_have_text(marked)


def press_keys(page: Page, check: Callable[[int], None], last: int) -> None:
    """Move k with every key a slider knows, then by typing, then with the mouse; check at every stop."""
    slider, box = page.locator(".rl input[type=range]"), page.locator(".rl input[type=number]")
    slider.focus()
    for key, k in [
        ("ArrowRight", 2),
        ("ArrowUp", 3),
        ("ArrowLeft", 2),
        ("End", last),
        ("Home", 1),
        ("End", last),
    ]:
        slider.press(key)
        check(k)
    box.focus()
    box.fill("7")
    check(7)
    box.press("ArrowUp")
    check(8)
    box.fill("99")  # out of range: nothing moves, and the box returns to k when it is left
    box.press("Tab")
    expect(box).to_have_value("8")
    check(8)
    edge = slider.bounding_box()
    assert edge is not None
    slider.click(position={"x": 2, "y": edge["height"] / 2})
    check(1)
    expect(slider).to_have_value("1")


def settled_words(page: Page) -> Locator:
    return page.locator(".rl [role=status]")


# -- static page ---------------------------------------------------------------------------------------------


def test_keys_and_pointer_move_k_in_a_static_page(static_page):
    page = static_page(RankedListView(RANKING, RELEVANT, k=1))
    check_numbers(page, RANKING, RELEVANT, 1)
    press_keys(page, lambda k: check_numbers(page, RANKING, RELEVANT, k), last=10)


@pytest.mark.parametrize(
    "broken",
    [
        ("rows[k - 1]", "rows[Math.min(k, rows.length - 1)]"),  # one row too far
        ("rank <= k", "rank < k"),  # the cut one line too high
        ("row[key].written", "rows[0][key].written"),  # numbers that stand still
    ],
)
def test_a_broken_view_is_found_out(static_page, broken):
    view = RankedListView(RANKING, RELEVANT, k=1)
    assert broken[0] in view._esm
    view._esm = view._esm.replace(*broken)
    page = static_page(view)
    with pytest.raises(AssertionError):
        press_keys(page, lambda k: check_numbers(page, RANKING, RELEVANT, k, wait=500), last=10)


@pytest.mark.parametrize(
    ("retrieved", "relevant"),
    [([], {"a"}), ([], set()), (["a"], {"a"}), (RANKING, set()), (["a", "a", "b"], {"a", "b"})],
    ids=["empty list", "nothing at all", "one document", "nothing relevant", "a repeat"],
)
def test_edges_show_their_numbers(static_page, retrieved, relevant):
    page = static_page(RankedListView(retrieved, relevant))
    last = max(len(retrieved), 1)
    check_numbers(page, retrieved, relevant, 1)
    page.locator(".rl input[type=range]").press("End")
    check_numbers(page, retrieved, relevant, last)


def test_a_cutoff_beyond_the_list(static_page):
    page = static_page(RankedListView(RANKING, RELEVANT, k_max=100))
    page.locator(".rl input[type=range]").press("End")
    check_numbers(page, RANKING, RELEVANT, 100)
    expect(page.locator("[data-cut]")).to_have_attribute(
        "data-cut", "end of the list; k = 100 reaches past it"
    )
    page.locator(".rl input[type=range]").press("ArrowLeft")
    check_numbers(page, RANKING, RELEVANT, 99)
    expect(page.locator("[data-cut]")).to_have_attribute(
        "data-cut", "end of the list; k = 99 reaches past it"
    )


def test_several_views_on_one_page_move_apart(static_page):
    page = static_page(RankedListView(RANKING, RELEVANT), RankedListView(RANKING, {"x1"}))
    page.locator(".rl").nth(1).locator("input[type=range]").press("End")
    expect(page.locator(".rl").nth(1).locator(".rl-tile-name").first).to_have_text("Recall@10")
    expect(page.locator(".rl").nth(0).locator(".rl-tile-name").first).to_have_text("Recall@1")


def test_a_static_page_asks_nothing_of_any_server(page, static_page):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    static_page(RankedListView(RANKING, RELEVANT))
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []


def test_hostile_text_neither_runs_nor_breaks_the_page(static_page):
    page = static_page(hostile_view())
    check_hostile(page, page.locator(".rl"))
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_each_number_is_spoken_once_when_the_reader_rests(static_page):
    page = static_page(RankedListView(RANKING, RELEVANT))
    page.evaluate(
        """() => {
            window.spoken = [];
            const status = document.querySelector(".rl [role=status]");
            new MutationObserver(() => spoken.push(status.textContent)).observe(status, { childList: true });
        }"""
    )
    slider = page.locator(".rl input[type=range]")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    recall = "recall@5: 2/4 = .50"
    expect(settled_words(page)).to_contain_text(recall)
    spoken = page.evaluate("window.spoken")
    assert len([sentence for sentence in spoken if recall in sentence]) == 1


def test_fast_dragging_queues_no_old_pictures(static_page):
    page = static_page(RankedListView(RANKING, RELEVANT))
    drawn = page.evaluate(
        """async () => {
            const frame = () => new Promise(requestAnimationFrame);
            const drawn = [];
            const name = document.querySelector(".rl-tile-name");
            new MutationObserver(() => drawn.push(name.textContent)).observe(name, { childList: true });
            const slider = document.querySelector(".rl input[type=range]");
            await frame();
            for (let i = 0; i < 200; i += 1) {
                slider.value = 2 + (i % 9);
                slider.dispatchEvent(new Event("input"));
            }
            await frame();
            await frame();
            return drawn;
        }"""
    )
    assert drawn == ["Recall@2", "Recall@3"]  # the first at once, then the newest, 2 + 199 % 9


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_a_static_page(page, static_page, axe, scheme):
    page.emulate_media(color_scheme=scheme)
    passages = {"a": "A text about drills", "x1": "Another text"}
    view = RankedListView(RANKING, RELEVANT, passages=passages, question="Which drill?", k=3)
    static_page(view, RankedListView([], []), RankedListView(RANKING, RELEVANT, k_max=50, k=50))
    dark = page.evaluate("getComputedStyle(document.querySelector('.rl')).backgroundColor")
    assert dark == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}[scheme]
    axe(page, "html")


@pytest.mark.parametrize(("width", "text"), [(320, "100%"), (640, "200%")], ids=["narrow", "text at 200 %"])
def test_nothing_is_cut_off_on_a_small_screen_or_with_large_text(page, static_page, width, text):
    page.set_viewport_size({"width": width, "height": 800})
    static_page(RankedListView(RANKING, RELEVANT, passages={"a": "word " * 50}, question="Why? " * 20, k=3))
    page.evaluate("size => (document.documentElement.style.fontSize = size)", text)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    spilled = page.evaluate(
        """() => [...document.querySelectorAll(".rl :is(p, span, label, input):not(.rl-spoken)")]
            .filter((node) => getComputedStyle(node).display !== "inline")
            .filter((node) => node.scrollWidth > node.clientWidth + 1)
            .map((node) => node.outerHTML)"""
    )
    assert spilled == []


def test_the_focus_is_visible(static_page):
    page = static_page(RankedListView(RANKING, RELEVANT))
    for kind in ("input[type=range]", "input[type=number]", "ol"):
        page.keyboard.press("Tab")
        focused = page.locator(f".rl {kind}")
        expect(focused).to_be_focused()
        assert focused.evaluate("node => getComputedStyle(node).outlineWidth") == "3px"


# -- JupyterLab ----------------------------------------------------------------------------------------------


def test_keys_and_pointer_move_k_in_jupyterlab(lab: LabPage):
    lab.server.write_notebook("keys.ipynb", IN_LAB)
    lab.open("keys.ipynb")
    lab.run_all()
    check_numbers(lab.page, RANKING, RELEVANT, 1)
    press_keys(lab.page, lambda k: check_numbers(lab.page, RANKING, RELEVANT, k), last=10)
    wait_until(lambda: lab.python("print(view.k)") == "1", "the kernel knows k")
    lab.python("view.k = 6")
    check_numbers(lab.page, RANKING, RELEVANT, 6)
    expect(lab.page.locator(".rl input[type=range]")).to_have_value("6")
    expect(lab.output(0).get_by_text("This view is not running")).to_be_hidden()


def test_k_links_with_ipywidgets_in_jupyterlab(lab: LabPage):
    linked = """
from ipywidgets import IntSlider, IntText, jslink
slider = IntSlider(min=0, max=100, value=1)
jslink((slider, "value"), (view, "k"))
watcher = IntText()
view.observe(lambda change: setattr(watcher, "value", change["new"]), "k")
slider
"""
    lab.server.write_notebook("link.ipynb", IN_LAB, linked)
    lab.open("link.ipynb")
    lab.run_all()
    lab.output(1).locator(".noUi-handle").wait_for()
    lab.python("slider.value = 4")
    check_numbers(lab.page, RANKING, RELEVANT, 4)
    lab.page.locator(".rl input[type=range]").press("ArrowRight")
    check_numbers(lab.page, RANKING, RELEVANT, 5)
    wait_until(lambda: lab.python("print(slider.value, watcher.value)") == "5 5", "the link goes both ways")
    lab.output(1).locator(".noUi-handle").press("ArrowRight")
    check_numbers(lab.page, RANKING, RELEVANT, 6)
    lab.python("slider.value = 100")  # further than the view goes: it stops, and takes the slider back
    check_numbers(lab.page, RANKING, RELEVANT, 10)
    wait_until(lambda: lab.python("print(slider.value, view.k)") == "10 10", "both stop at the end")


def test_hostile_text_neither_runs_nor_breaks_jupyterlab(lab: LabPage):
    lab.server.write_notebook(
        "hostile.ipynb",
        f"""
import sys
from recall_lab.widgets import RankedListView
HOSTILE = {HOSTILE!r}
texts = {{"h": HOSTILE, "w": "w" * 100_000, HOSTILE: HOSTILE + "e" * 100_000}}
RankedListView(["h", "w", HOSTILE], ["h", "z" * 100_000], passages=texts, question=HOSTILE)
""",
    )
    lab.open("hostile.ipynb")
    lab.run_all()
    check_hostile(lab.page, lab.page.locator(".rl"))


def test_a_saved_notebook_shows_the_last_state_and_how_to_go_on(lab: LabPage):
    lab.server.write_notebook("saved.ipynb", IN_LAB)
    lab.open("saved.ipynb")
    lab.run_all()
    lab.page.locator(".rl input[type=range]").press("End")
    saved = lab.output(0).locator(".recall-lab-last-state pre")
    expect(saved).to_contain_text("cut at k = 10")
    expect(saved).to_be_hidden()

    lab.command("docmanager:save")
    lab.open("saved.ipynb")  # the page is loaded again, and the kernel still knows the view
    check_numbers(lab.page, RANKING, RELEVANT, 10)
    expect(saved).to_be_hidden()

    lab.restart_kernel()  # the view needs no kernel, and lives on in the open page
    lab.page.locator(".rl input[type=range]").press("ArrowLeft")
    check_numbers(lab.page, RANKING, RELEVANT, 9)

    lab.command("docmanager:save")
    lab.open("saved.ipynb")
    expect(lab.output(0)).to_contain_text("cut at k = 10")
    expect(lab.output(0)).to_contain_text("run its cell again")
    expect(lab.page.get_by_text("model not found")).to_be_hidden()
    lab.run_all()
    check_numbers(lab.page, RANKING, RELEVANT, 1)


# -- text that attacks ---------------------------------------------------------------------------------------


def hostile_view() -> RankedListView:
    texts = {"h": HOSTILE, "w": "w" * 100_000, HOSTILE: HOSTILE + "e" * 100_000}
    return RankedListView(["h", "w", HOSTILE], ["h", "z" * 100_000], passages=texts, question=HOSTILE)


def check_hostile(page: Page, view: Locator) -> None:
    expect(view.locator(".rl-snippet").first).to_have_text(HOSTILE)
    expect(view.locator(".rl-question")).to_have_text(HOSTILE)
    assert page.evaluate("window.hacked") is None
    assert view.locator("script, img").count() == 0
    assert view.evaluate("node => node.scrollWidth <= node.clientWidth")
    # The direction mark ends with its own text: what follows still reads from left to right.
    assert view.locator(".rl-mark").first.evaluate("node => getComputedStyle(node).direction") == "ltr"
