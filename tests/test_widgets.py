"""The views without a browser: their numbers, words and pages, at both extremes and with awkward data."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

from recall_lab.errors import FolderError, RecallLabError
from recall_lab.golden import GoldenDataset
from recall_lab.measures import achievable_recall_at_k, hit_rate_at_k, precision_at_k, recall_at_k
from recall_lab.run import Run
from recall_lab.widgets import RankedListView, static
from recall_lab.widgets.view import View, front_end
from recall_lab.widgets.wording import plain

RANKING = ["x1", "a", "x2", "x3", "b", "x4", "x5", "x6", "c", "x7"]  # relevant at ranks 2, 5 and 9
RELEVANT = {"a", "b", "c", "d"}
HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>&lt;&amp;\u202e"


class Elements(HTMLParser):
    """Names of the elements in a page, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.names and self.names[-1] == "script" and self.scripts:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)


def expected(retrieved: list, relevant: set, k: int) -> dict[str, float | None]:
    return {
        "recall": recall_at_k(retrieved, relevant, k),
        "precision": precision_at_k(retrieved, relevant, k),
        "hit_rate": hit_rate_at_k(retrieved, relevant, k),
        "ceiling": achievable_recall_at_k([len(relevant)], k),
    }


# -- ranked list ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("retrieved", "relevant", "k_max"),
    [
        (RANKING, RELEVANT, None),
        (RANKING, RELEVANT, 100),
        (RANKING, set(), None),
        ([], RELEVANT, None),
        ([], set(), None),
        (["a"], {"a"}, None),
        (["a"], {"b"}, None),
        (["a", "a", "b", "a"], {"a", "b"}, None),
        ([3, 1, 2], {1, 2, 9}, None),
    ],
)
def test_every_number_is_the_measure(retrieved, relevant, k_max):
    view = RankedListView(retrieved, relevant, k_max=k_max)
    table = view.table().set_index("k")
    lowest, highest = view.ranges["k"]
    assert list(table.index) == list(range(lowest, highest + 1))
    for k in table.index:
        view.k = k
        for name, value in expected(retrieved, relevant, k).items():
            assert view.state[name] == value
            shown = table.loc[k, name]
            assert shown == value or (value is None and shown != shown)
        assert view.state["relevant"] == len(relevant)
        assert view.state["hits"] == len(set(retrieved[:k]) & relevant)


def test_fractions_are_written_as_a_learner_writes_them():
    view = RankedListView(RANKING, RELEVANT, k=5)
    assert "recall@5: 2/4 = .50 · precision@5: 2/5 = .40 · hit rate@5: 1 · ceiling@5: 4/4 = 1" in view.text
    view.k = 3
    assert "recall@3: 1/4 = .25 · precision@3: 1/3 ≈ .333 · hit rate@3: 1 · ceiling@3: 3/4 = .75" in view.text
    view.k = 1
    assert "recall@1: 0/4 = 0 · precision@1: 0/1 = 0 · hit rate@1: 0 · ceiling@1: 1/4 = .25" in view.text


def test_without_a_relevant_passage_recall_is_undefined_and_precision_is_not():
    view = RankedListView(RANKING, [], k=2)
    assert "recall@2: undefined · precision@2: 0/2 = 0 · hit rate@2: undefined" in view.text
    assert view.state["recall"] is None
    assert "R = 0" in view.text


def test_the_words_show_cut_marks_misses_and_repeats():
    view = RankedListView(["a", "b", "a"], {"a", "b", "z"}, k=1)
    assert view.text.splitlines()[-5:] == [
        "  1  a  (relevant)",
        "---- cut at k = 1 ----",
        "  2  b  (relevant below the cut)",
        "  3  a  (repeat of rank 1)",
        "not in this list: z",
    ]
    many = RankedListView([], [f"r{i}" for i in range(9)])
    assert many.text.endswith("the list is empty\nnot in this list: r0, r1, r2, r3, r4 and 4 more")


@pytest.mark.parametrize("k", [0, 11, -1, 2.5, True, "3", None, float("nan")])
def test_a_wrong_k_is_refused_by_name(k):
    with pytest.raises(RecallLabError, match=r"\bk\b"):
        RankedListView(RANKING, RELEVANT, k=k)
    view = RankedListView(RANKING, RELEVANT, k=4)
    with pytest.raises(RecallLabError, match=r"\bk\b"):
        view.k = k
    assert view.k == 4


def test_a_numpy_k_is_a_k():
    view = RankedListView(RANKING, RELEVANT, k=np.int64(3))
    view.k = np.int32(4)
    assert view.k == 4
    assert type(view.k) is int


@pytest.mark.parametrize("k_max", [0, 1001, 2.5])
def test_a_wrong_k_max_is_refused_by_name(k_max):
    with pytest.raises(RecallLabError, match="k_max"):
        RankedListView(RANKING, RELEVANT, k_max=k_max)


@pytest.mark.parametrize(
    ("retrieved", "relevant"), [("a,b", {"a"}), (["a"], "a"), (["a"], {"a": 2}), ([1], {"1"})]
)
def test_what_is_no_list_of_ids_is_refused(retrieved, relevant):
    with pytest.raises(RecallLabError):
        RankedListView(retrieved, relevant)


@pytest.mark.parametrize(("sent", "kept"), [(50, 10), (-3, 1), (4.4, 4), (7, 7)])
def test_a_linked_slider_that_runs_further_stops_at_the_end(sent, kept):
    view = RankedListView(RANKING, RELEVANT, k=2)
    view.set_state({"k": sent})
    assert view.k == kept


def test_for_question_reads_golden_dataset_and_run():
    golden = GoldenDataset(
        {"d1": "one", "d2": "two", "d3": "three"},
        {"q1": "Which?", "q2": "None?"},
        {"q1": {"d1": 2, "d2": 1, "d3": 2}, "q2": {"d1": 0}},
        min_grade=2,
    )
    run = Run({"q1": {"d1": 1.0, "d2": 2.0, "d3": 1.0}})  # d1 and d3 tie; the greater id goes first
    view = RankedListView.for_question(golden, run, "q1", depth=2, k=2)
    assert [passage["id"] for passage in view.data["passages"]] == ["d2", "d3"]
    assert view.state["recall"] == recall_at_k(["d2", "d3"], {"d1", "d3"}, 2)
    assert view.data["question"] == "Which?"
    assert "the list is empty" in RankedListView.for_question(golden, run, "q2").text
    with pytest.raises(RecallLabError, match="q9"):
        RankedListView.for_question(golden, run, "q9")


# -- every view ----------------------------------------------------------------------------------------------


def test_its_own_repr_has_no_address():
    view = RankedListView(RANKING, RELEVANT, k=5)
    assert repr(view) == (
        "RankedListView(k=5, hits=2, relevant=4, recall=0.5, precision=0.4, hit_rate=1.0, ceiling=1.0)"
    )


def test_front_ends_without_widgets_get_the_words():
    view = RankedListView(RANKING, RELEVANT, k=5)
    data, _metadata = view._repr_mimebundle_()
    assert data["text/plain"] == view.text
    assert "application/vnd.jupyter.widget-view+json" in data


def test_text_from_data_is_cut_and_cleaned_but_keeps_its_markup():
    assert plain(HOSTILE, 500) == HOSTILE
    assert plain("a\x00b\ud800c\r\nd\te", 50) == "abc d e"
    view = RankedListView(["w"], [], passages={"w": "w" * 100_000}, question="q" * 100_000)
    assert len(json.dumps(view.data)) < 5_000


def test_a_view_that_asks_the_kernel_must_say_what_a_page_shows_instead():
    with pytest.raises(TypeError, match="static_note"):
        type("Asking", (View,), {"asks_kernel": True})

    class Asking(View):
        asks_kernel = True
        static_note = "Here it shows one <fixed> run; in a notebook it runs yours."
        _esm = front_end("ranked_list.js")

    assert "Here it shows one &lt;fixed&gt; run" in static.fragment(Asking(data={}, ranges={}))


# -- static pages --------------------------------------------------------------------------------------------


def test_a_page_holds_each_module_once_and_every_view():
    views = [RankedListView(RANKING, RELEVANT, k=k) for k in (1, 2, 3)]
    page = static.page(views, title="Three <lists>")
    assert "<h1>Three &lt;lists&gt;</h1>" in page
    scripts = Elements(page).scripts
    states = [json.loads(text) for attributes, text in scripts if attributes == {"type": "application/json"}]
    assert [state["k"] for state in states] == [1, 2, 3]
    modules = [text for attributes, text in scripts if "data-recall-lab-module" in attributes]
    assert [json.loads(text) for text in modules] == [RankedListView._esm]


def test_data_cannot_leave_its_script_element():
    calm = static.page([RankedListView(["a"], [], passages={"a": "calm"})], title="t")
    view = RankedListView([HOSTILE], [], passages={HOSTILE: HOSTILE}, question=HOSTILE + "<!--<script>")
    page = static.page([view], title="t")
    assert Elements(page).names == Elements(calm).names
    states = [
        text for attributes, text in Elements(page).scripts if attributes == {"type": "application/json"}
    ]
    assert json.loads(states[0])["data"]["question"] == HOSTILE + "<!--<script>"


def test_a_page_asks_no_other_address():
    page = static.page([RankedListView(RANKING, RELEVANT)], title="t").replace(
        "http://www.w3.org/2000/svg", ""
    )
    for address in ("http:", "https:", "//cdn", " src=", " href=", "@import", "url("):
        assert address not in page


def test_a_page_is_the_same_every_time():
    def make() -> str:
        return static.page([RankedListView(RANKING, RELEVANT)], title="t")

    assert make() == make()


def test_a_saved_state_makes_the_same_fragment():
    view = RankedListView(RANKING, RELEVANT, k=4)
    saved = json.loads(json.dumps(view.get_state()))
    assert static.fragment(saved, text=view.text) == static.fragment(view)
    assert static.head([saved]) == static.head([view])


def test_static_html_of_one_view_is_whole():
    view = RankedListView(RANKING, RELEVANT, k=4)
    assert view.static_html() == static.head([view]) + static.fragment(view)


def test_a_page_that_cannot_be_written_says_so(tmp_path):
    with pytest.raises(FolderError, match=r"none.*page\.html"):
        static.write_page(tmp_path / "none" / "page.html", [], title="t")


# -- weight --------------------------------------------------------------------------------------------------


def test_views_are_imported_when_first_used():
    code = "import recall_lab.widgets, sys; print('anywidget' in sys.modules or 'ipywidgets' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_views_add_less_than_50_megabytes_to_a_kernel():
    code = """
import ipykernel.ipkernel, pandas, psutil
before = psutil.Process().memory_info().rss
from recall_lab.widgets import RankedListView
views = [RankedListView([f"d{i}" for i in range(100)], ["d1"]) for _ in range(10)]
print((psutil.Process().memory_info().rss - before) / 2**20)
"""
    assert float(subprocess.check_output([sys.executable, "-c", code], text=True)) < 50
