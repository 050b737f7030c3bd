"""The HTML report: whole, self-contained, readable without a picture, and safe with any text in the data."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from recall_lab import GoldenDataset, Run, evaluate, recall_at_k
from recall_lab.commands import report
from recall_lab.errors import FolderError
from recall_lab.golden import Passage

EVIL = "<script>alert('x')</script>"
CUTOFFS = [1, 3]
VOID = {"meta", "img", "br", "link", "input"}

PASSAGES = {
    "p1": Passage("Ladders", "Ladders are lent for a week."),
    "p2": Passage("", "A drill & its charger."),
    "p3": Passage(EVIL, "x"),
    "p4": Passage("Saws", "Saws cut."),
}
QUESTIONS = {
    "q1": f"Where are ladders? {EVIL}",
    "q2": "Which drill?",
    "q3": "Is there a pool?",
    "q4": "Saws?",
}
JUDGMENTS = {"q1": {"p1": 1, "p3": 1}, "q2": {"p2": 1}, "q3": {"p1": 0}, "q4": {"p4": 1}}
TYPES = {"q1": "list", "q2": "single", "q3": "unanswerable", "q4": "single"}
RUNS = {
    f"keyword {EVIL}": {"q1": ["p4", "p1", "p2", "p3"], "q2": ["p2"], EVIL: ["p1"]},
    "vector": {"q1": ["p1", "p3"], "q2": ["p1", "p2"], "q3": ["p1"], "q4": ["p4"]},
}


class Page(HTMLParser):
    """A page, taken apart: its tags, its tables as lists of cells; every tag must be closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(source)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text += data
        if {"td", "th"} & set(self._open):
            self.tables[-1][-1][-1] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def table(self, first_heading: str) -> list[list[str]]:
        """The first table whose first heading is this."""
        return next(table for table in self.tables if table[0][0] == first_heading)


@pytest.fixture(scope="module")
def source() -> str:
    golden = GoldenDataset(PASSAGES, QUESTIONS, JUDGMENTS, question_types=TYPES, name=f"small & {EVIL}")
    evaluations = {name: evaluate(golden, Run(results, name=name)) for name, results in RUNS.items()}
    return report.build(golden, evaluations, CUTOFFS)


@pytest.fixture(scope="module")
def page(source: str) -> Page:
    return Page(source)


def test_it_fetches_nothing_and_runs_nothing(source: str, page: Page) -> None:
    assert not re.search(r"https?:|//\w|@import|url\(", re.sub(r"base64,[\w+/=]+", "", source))
    assert not page.named("script") and not page.named("link") and not page.named("iframe")
    assert all(name != "onload" and not name.startswith("on") for _, attrs in page.tags for name in attrs)
    (policy,) = [m["content"] for m in page.named("meta") if "http-equiv" in m]
    assert policy is not None and policy.startswith("default-src 'none'")


def test_text_of_the_data_stays_text(source: str, page: Page) -> None:
    assert "<script" not in source
    assert page.text.count(EVIL) >= 5  # the dataset, the run, a question, a passage's title, an ignored query


def test_recall_and_ceiling_of_each_run_and_k(page: Page) -> None:
    head, *rows = page.table("run")
    assert head == ["run", "n", "recall@1", "recall@3"]
    assert [row[0] for row in rows] == list(RUNS)
    relevant = {"q1": {"p1", "p3"}, "q2": {"p2"}, "q4": {"p4"}}
    for row, results in zip(rows, RUNS.values(), strict=True):
        for cell, k in zip(row[2:], CUTOFFS, strict=True):
            values = [recall_at_k(results.get(q, []), ids, k) for q, ids in relevant.items()]
            assert cell.startswith(f"{sum(v for v in values if v is not None) / 3:.4f} of ")
    assert rows[0][2].endswith(f"of {(1 / 2 + 1 + 1) / 3:.4f}")


def test_the_curve_is_told_and_tabled(page: Page) -> None:
    (image,) = page.named("img")
    alt, data = image["alt"], image["src"]
    assert alt is not None and data is not None
    assert "macro mean over 3 questions" in alt and "ceiling" in alt and "random order of 4" in alt
    svg = base64.b64decode(data.removeprefix("data:image/svg+xml;base64,"))
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    table = page.table("k")
    at_3 = next(row for row in table if row[0] == "3")
    assert at_3[1:] == ["0.5000", "1.0000", "1.0000", "1.0000"]


def test_every_table_has_a_caption_and_headings(page: Page) -> None:
    assert len(page.named("caption")) == len(page.tables) >= 5
    assert all(attributes.get("scope") in {"row", "col"} for attributes in page.named("th"))
    assert page.named("html") == [{"lang": "en"}]


def test_slices_are_shown(page: Page) -> None:
    table = page.table("kind of question")
    assert {row[0] for row in table[1:]} >= {"list", "single"}
    single = next(row for row in table if row[0] == "single")
    assert "0.5000" in single  # of q2 and q4 the first run answers one


def test_worst_questions_come_first_with_ranks_and_what_is_missed(page: Page) -> None:
    table = page.table("question")
    assert [row[0].split()[0] for row in table[1:]] == ["q4", "q1"]
    q4, q1 = table[1:]
    assert q4[1:3] == ["1", "0"] and q4[4] == "1 never" and q4[5] == "p4 Saws"
    assert q1[1:3] == ["2", "1"] and q1[4] == "2, 4" and q1[5] == f"p3 {EVIL}"


def test_what_is_left_out_is_listed(page: Page) -> None:
    assert "Questions without a relevant document (1)" in page.text
    assert "q3 Is there a pool?" in page.text
    assert "Unanswered: judged, but not in the run (1)" in page.text
    assert "Ignored: in the run, but without judgments (1)" in page.text


def test_the_same_runs_give_the_same_bytes(source: str) -> None:
    golden = GoldenDataset(PASSAGES, QUESTIONS, JUDGMENTS, question_types=TYPES, name=f"small & {EVIL}")
    evaluations = {name: evaluate(golden, Run(results, name=name)) for name, results in RUNS.items()}
    assert report.build(golden, evaluations, CUTOFFS) == source


def test_a_perfect_run_has_no_worst_questions() -> None:
    golden = GoldenDataset({}, {}, {"q1": {"a": 1}})
    e = evaluate(golden, Run({"q1": ["a"]}))
    page = Page(report.build(golden, {"perfect": e}, [1]))
    assert "Every question reaches its ceiling." in page.text


def test_a_question_that_does_not_count_is_not_among_the_worst() -> None:
    golden = GoldenDataset({}, {}, {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}})
    e = evaluate(golden, Run({"q1": ["a"], "q2": ["x"]}), unanswered="skip")
    page = Page(report.build(golden, {"r": e}, [1]))
    assert [row[0] for row in page.table("question")] == ["question", "q2"]


def test_only_the_worst_are_listed_and_their_number_is_said() -> None:
    many = report.WORST_QUESTIONS + 5
    golden = GoldenDataset({}, {}, {f"q{i}": {"a": 1} for i in range(many)})
    e = evaluate(golden, Run({"q0": ["b"]}))
    page = Page(report.build(golden, {"empty": e}, [1]))
    assert len(page.table("question")) == 1 + report.WORST_QUESTIONS
    assert f"{report.WORST_QUESTIONS} of {many} questions below the ceiling" in page.text


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    golden = GoldenDataset({}, {}, {"q1": {"a": 1}})
    e = evaluate(golden, Run({"q1": ["a"]}))
    with pytest.raises(FolderError, match="nowhere"):
        report.write(tmp_path / "nowhere" / "r.html", golden, {"r": e}, [1])
