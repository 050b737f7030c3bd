"""The labelling desk in a real Chromium: what is pressed in JupyterLab is held against the file on disk."""

from __future__ import annotations

import json
import re

import pytest
from driving import LabPage, wait_until
from playwright.sync_api import Locator, Page, expect

from recall_lab.labelling import Pair, read_labels
from recall_lab.widgets import LabellingDesk

pytestmark = pytest.mark.browser

TEXTS = [(f"Question {q}?", f"Passage {d} of {q}.") for q in range(2) for d in range(3)]
HOSTILE = (
    "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>&lt;&amp;\u202eabc"
)
IN_LAB = f"""
from recall_lab.widgets import LabellingDesk
desk = LabellingDesk({TEXTS}, annotator="ann", folder="FOLDER")
desk
"""


@pytest.fixture
def desk(lab: LabPage, request: pytest.FixtureRequest) -> Desk:
    return Desk(lab, re.sub(r"\W", "_", request.node.name))


class Desk:
    """A desk in JupyterLab, and the file behind it."""

    def __init__(self, lab: LabPage, folder: str) -> None:
        self.lab, self.page = lab, lab.page
        self.path = lab.server.folder / folder / "labels_ann.jsonl"
        lab.server.write_notebook(f"{folder}.ipynb", IN_LAB.replace("FOLDER", folder))
        lab.open(f"{folder}.ipynb")
        lab.run_all()
        expect(self.passage).to_be_visible()

    @property
    def passage(self) -> Locator:
        return self.page.locator(".rl-desk-now .rl-desk-text")

    def events(self) -> list[dict]:
        return [json.loads(line) for line in self.path.read_text().splitlines()[1:]]

    def press(self, key: str, *, then: int) -> None:
        """Press a key wherever the focus is, and wait for that many events to be shown as saved."""
        self.page.keyboard.press(key)
        self.wait_for(then)

    def wait_for(self, count: int) -> None:
        wait_until(lambda: len(self.events()) == count, f"{count} events on disk, found {self.events()}")
        wait_until(lambda: self.kernel_current() in ("", self.passage_shown()), "the page shows what is next")

    def passage_shown(self) -> str:
        return self.passage.inner_text() if self.passage.count() else ""

    def kernel_current(self) -> str:
        return self.lab.python("print(desk.pair.text if desk.pair else '')")


# -- JupyterLab ----------------------------------------------------------------------------------------------


def test_what_keys_and_pointer_say_is_on_disk(desk: Desk):
    page = desk.page
    kernel = desk.lab.python("import os; print(os.getpid())")
    shown = [desk.passage.inner_text()]
    page.locator(".jp-Cell .cm-content").first.click()
    page.locator(".rl-question").click()  # plain text: from here on the keys are the desk's
    for key in "abxddzmy":  # in JupyterLab: insert cells, cut, delete, undo …
        page.keyboard.press(key)
    for n, key in enumerate("002", start=1):  # in JupyterLab, 0 0 restarts the kernel
        desk.press(key, then=n)
        shown.append(desk.passage.inner_text())
    assert [event["grade"] for event in desk.events()] == [0, 0, 2]
    assert len(set(shown)) == 4
    assert set(read_labels(desk.path).grades.values()) == {0, 2}

    desk.press("u", then=4)
    expect(desk.passage).to_have_text(shown[2])
    desk.press("s", then=5)
    expect(desk.passage).to_have_text(shown[3])
    page.keyboard.press("n")
    expect(page.get_by_label("note")).to_be_focused()
    page.keyboard.type("0 is in 2021, see u")  # the desk's own keys are letters here
    desk.press("Enter", then=6)
    assert desk.events()[-1]["note"] == "0 is in 2021, see u"
    desk.press("1", then=7)
    page.keyboard.down("0")
    desk.wait_for(8)
    page.keyboard.down("0")  # a key held down repeats, and that is about no passage
    page.wait_for_timeout(500)
    page.keyboard.up("0")
    assert len(desk.events()) == 8

    page.get_by_role("button", name="answers, or gives").click()
    desk.wait_for(9)
    page.get_by_role("button", name="undo").click()
    desk.wait_for(10)
    desk.press("2", then=11)  # after a click the keys still work
    desk.press("0", then=12)  # the one that was skipped
    expect(page.locator(".rl-question")).to_contain_text(
        "Every pair is labelled (grade 0: 4, grade 1: 1, grade 2: 1)"
    )
    for key in "00ss":
        page.keyboard.press(key)
    desk.press("u", then=13)
    expect(page.locator(".rl-desk-progress")).to_contain_text("5 of 6 pairs labelled")
    assert [event["event"] for event in desk.events()].count("label") == 8
    assert page.get_by_role("dialog").count() == 0
    assert desk.lab.python("import os; print(os.getpid())") == kernel
    assert page.locator(".jp-Notebook .jp-Cell").count() == 1


def test_an_unfocused_desk_says_where_to_click_and_takes_no_focus(lab: LabPage, axe):
    lab.server.write_notebook("wake.ipynb", IN_LAB.replace("FOLDER", "wake"), "after = 1")
    lab.open("wake.ipynb")
    page = lab.page
    first, second = (page.locator(".jp-Notebook .jp-CodeCell").nth(i) for i in range(2))
    first.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    wake = page.locator(".rl-desk-wake")
    expect(wake).to_have_text("Click here first, then use the keys.")
    expect(second).to_have_class(re.compile("jp-mod-active"))
    axe(page, ".rl")
    wake.click()
    expect(wake).to_have_text("The keys work.")
    axe(page, ".rl")
    passage = page.locator(".rl-desk-now .rl-desk-text").inner_text()
    page.keyboard.press("n")
    page.keyboard.type("why")
    page.keyboard.press("Enter")
    expect(page.locator(".rl-desk-status")).to_have_text(f"Note saved on “{passage}”")
    second.locator(".cm-content").click()
    expect(wake).to_have_text("Click here first, then use the keys.")


def test_the_list_by_keyboard_and_pointer(desk: Desk, axe):
    page = desk.page
    page.get_by_label("as a list").check()
    rows = page.locator(".rl-desk-list li")
    expect(rows.locator("visible=true")).to_have_count(3)
    texts = rows.locator(".rl-desk-text").all_inner_texts()
    rows.nth(2).click()
    desk.page.keyboard.press("1")
    wait_until(lambda: len(desk.events()) == 1, "the third is labelled")
    expect(rows.nth(2)).to_contain_text("✓ grade 1")
    expect(rows.nth(0)).to_have_class("rl-desk-now")
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_have_class("rl-desk-now")
    page.get_by_label("note").fill("for the second")
    rows.nth(0).click()  # a note that was being written is saved, and the first is marked
    expect(rows.nth(1)).to_contain_text("note: for the second")
    expect(rows.nth(0)).to_have_class("rl-desk-now")
    page.get_by_role("button", name="skip").click()
    wait_until(lambda: len(desk.events()) == 3, "the first is skipped")
    labels = read_labels(desk.path)
    by_text = {
        text: desk.lab.python(f"print([p.id for p in desk.labels.pairs if p.text == {text!r}][0])")
        for text in texts
    }
    assert {str(pair): grade for pair, grade in labels.grades.items()} == {by_text[texts[2]]: 1}
    assert {str(pair): note for pair, note in labels.notes.items()} == {by_text[texts[1]]: "for the second"}
    for dark in (True, False):
        desk.lab.dark(dark)
        axe(page, ".rl")


def test_the_next_passage_waits_for_the_disk_and_a_refusal_is_shown(desk: Desk):
    page, first = desk.page, desk.passage.inner_text()
    desk.lab.python("import os, time\nreal = os.fsync\nos.fsync = lambda fd: (time.sleep(6.5), real(fd))[1]")
    page.locator(".rl-question").click()
    page.keyboard.press("2")
    page.wait_for_timeout(500)
    expect(desk.passage).to_have_text(first)
    page.keyboard.press("0")  # the next passage is not there yet, so this cannot be about it
    alert = page.locator(".rl [role=alert]")
    expect(alert).to_be_visible()
    expect(alert).to_contain_text("If the kernel is busy, wait")
    expect(desk.passage).not_to_have_text(first)
    expect(alert).to_be_hidden()
    page.wait_for_timeout(500)
    assert [event["grade"] for event in desk.events()] == [2]

    second = desk.passage.inner_text()
    desk.lab.python("def full(fd): raise OSError(28, 'No space left on device')\nos.fsync = full")
    page.keyboard.press("1")
    expect(alert).to_be_visible()
    expect(alert).to_contain_text(
        "the label is not saved; the 1 events before it are (No space left on device)"
    )
    expect(alert).to_contain_text("make room on the disk")
    expect(desk.passage).to_have_text(second)
    desk.lab.python("os.fsync = real")
    page.keyboard.press("1")
    expect(alert).to_be_hidden()
    expect(desk.passage).not_to_have_text(second)
    assert [event["grade"] for event in desk.events()] == [2, 1]


def test_a_kernel_that_is_gone_is_told_and_the_desk_goes_on(desk: Desk):
    page = desk.page
    page.locator(".rl-question").click()
    desk.press("2", then=1)
    second = desk.passage.inner_text()
    desk.lab.restart_kernel()
    page.locator(".rl-question").click()
    page.keyboard.press("1")
    expect(page.locator(".rl [role=alert]")).to_be_visible(timeout=15_000)
    expect(page.locator(".rl [role=alert]")).to_contain_text(
        "not saved yet; everything before it is", timeout=15_000
    )
    expect(desk.passage).to_have_text(second)
    desk.lab.run_all()
    expect(page.locator(".rl [role=alert]")).to_be_hidden()
    expect(desk.passage).to_have_text(second)
    page.locator(".rl-question").click()
    desk.press("1", then=2)
    assert [event["grade"] for event in desk.events()] == [2, 1]


def test_hostile_and_endless_texts_in_jupyterlab(lab: LabPage, axe):
    lab.server.write_notebook(
        "hostile_desk.ipynb",
        f"""
from recall_lab.labelling import Pair
from recall_lab.widgets import LabellingDesk
H = {HOSTILE!r}
texts = [H, "w" * 100_000, "\u0634\u0631\u0637 " * 99]
pairs = [Pair("q", f"d{{i}}", H, text, H) for i, text in enumerate(texts)]
desk = LabellingDesk(pairs, annotator=H, folder="hostile", rubric=H)
desk
""",
    )
    lab.open("hostile_desk.ipynb")
    lab.run_all()
    view = lab.page.locator(".rl")
    expect(view.locator(".rl-question")).to_have_text(HOSTILE)
    view.locator(".rl-question").click()
    for n in range(4):
        if n == 1:
            view.get_by_label("as a list").check()
        assert view.evaluate("node => node.scrollWidth <= node.clientWidth")
        axe(lab.page, ".rl")
        if n < 3:
            lab.page.keyboard.press("1")
            expect(view.locator(".rl-desk-progress")).to_contain_text(f"{n + 1} of 3")
    assert lab.page.evaluate("window.hacked") is None
    assert view.locator("script, img").count() == 0


# -- static page ---------------------------------------------------------------------------------------------


def static_desk(tmp_path, **more) -> LabellingDesk:
    pairs = [
        Pair(f"q{i % 2}", f"d{i}", f"Question {i % 2}?", f"Passage {i}. " * 40, f"Title {i}")
        for i in range(6)
    ]
    desk = LabellingDesk(pairs, annotator="ann", folder=tmp_path / "labels", **more)
    desk.label(2)
    desk.note("only for 2021")
    return desk


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_static_page_shows_the_desk_and_labels_nothing(page: Page, static_page, tmp_path, axe, scheme):
    page.emulate_media(color_scheme=scheme)
    desk = static_desk(tmp_path, rubric="# Rubric\nLook at the question.\n- 2: answers\n- 0: else\n" * 20)
    before = desk.labels.path.read_bytes()
    static_page(desk)
    expect(page.locator(".recall-lab-note")).to_contain_text("To label, open the notebook in JupyterLab")
    expect(page.locator(".rl-desk-progress")).to_contain_text("1 of 6 pairs labelled")
    axe(page, ".rl")
    for button in page.get_by_role("button").all():
        expect(button).to_be_disabled()
    # What scrolls inside the rubric stays inside: the page ends with the note below the desk.
    end = page.locator(".recall-lab-note").evaluate("node => node.getBoundingClientRect().bottom + scrollY")
    assert page.evaluate("document.documentElement.scrollHeight") < max(end + 100, 901)
    page.locator(".rl-question").click()
    for key in "0us":
        page.keyboard.press(key)
    page.get_by_label("as a list").check()
    expect(page.locator(".rl-desk-list li").locator("visible=true")).to_have_count(3)
    expect(page.locator(".rl-desk-list")).to_contain_text("✓ grade 2 ")
    axe(page, ".rl")
    assert desk.labels.path.read_bytes() == before


@pytest.mark.parametrize(("width", "text"), [(320, "100%"), (640, "200%")])
def test_narrow_or_large_nothing_spills(page: Page, static_page, tmp_path, width, text):
    page.set_viewport_size({"width": width, "height": 800})
    static_page(static_desk(tmp_path))
    page.evaluate("size => (document.documentElement.style.fontSize = size)", text)
    for mode in ("one at a time", "as a list"):
        page.get_by_label(mode).check()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
