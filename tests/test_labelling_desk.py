"""The labelling desk without a browser: what it shows and saves at its extremes, and what a page may ask."""

from __future__ import annotations

import errno
import json
import os

import pytest

from recall_lab.errors import FolderError, RecallLabError
from recall_lab.labelling import LabelLog, Pair, read_labels
from recall_lab.resources import shipped_folder
from recall_lab.widgets import LabellingDesk, static

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>&lt;&amp;\u202e"
PAIRS = [Pair(f"q{q}", f"d{d}", f"Question {q}?", f"Passage {d}.") for q in range(2) for d in range(3)]


def desk_in(folder, pairs=PAIRS, **more) -> LabellingDesk:
    return LabellingDesk(pairs, annotator="ann", folder=folder, **more)


def press(desk: LabellingDesk, act: str, **more) -> dict:
    """What a page sends when a key is pressed for the passage it has marked; and what it is shown then."""
    message = {"act": act, "item": desk.shown["now"], "step": desk.shown["step"], "note": None} | more
    desk._on_message(desk, message, [])
    return desk.shown


# -- extremes ------------------------------------------------------------------------------------------------


def test_no_pairs_at_all(tmp_path):
    desk = desk_in(tmp_path, [])
    assert desk.state == {
        "annotator": "ann",
        "query_id": None,
        "passage_id": None,
        "labelled": 0,
        "skipped": 0,
        "left": 0,
    }
    assert desk.table().empty
    assert desk.text == "Labelling desk of ann: 0 of 0 pairs labelled\nThere are no pairs to label."
    assert desk.shown["items"] == []
    for refused in (lambda: desk.label(0), desk.skip, desk.undo, lambda: desk.note("x")):
        with pytest.raises(RecallLabError):
            refused()
    assert press(desk, "label", grade=0)["answer"] > 1
    assert desk.labels.count == 0


def test_one_pair(tmp_path):
    desk = desk_in(tmp_path, PAIRS[:1])
    assert desk.text.endswith("Question: Question 0?\nPassage 1 of 1: Passage 0.")
    desk.skip()
    assert desk.state["skipped"] == desk.state["left"] == 1
    assert desk.shown["progress"] == "0 of 1 pair labelled, 1 skipped"
    desk.note("one note")
    desk.label(2)
    assert desk.state["left"] == desk.state["skipped"] == 0
    assert desk.pair is None
    assert desk.text.endswith("Every pair is labelled (grade 0: 0, grade 1: 0, grade 2: 1). " + UNDO_HINT)
    assert desk.table()[["grade", "note"]].to_numpy().tolist() == [[2, "one note"]]
    desk.undo()
    assert desk.pair == PAIRS[0]
    assert desk.table()["grade"].isna().all()


UNDO_HINT = "Undo (u) takes the last label back."


def test_it_shows_the_question_and_all_its_passages_and_no_ids(tmp_path):
    desk = desk_in(tmp_path)
    first = desk.pair
    assert first is not None
    shown = desk.shown
    assert shown["question"] == first.question
    assert [item["text"] for item in shown["items"]] == [pair.text for pair in desk.labels.pairs[:3]]
    assert (shown["now"], shown["first"], shown["of"]) == (0, 1, 3)
    assert first.passage_id not in json.dumps(shown["items"])
    for _ in range(3):
        desk.label(1)
    assert desk.shown["group"] != shown["group"]
    assert [item["grade"] for item in desk.shown["items"]] == [None, None, None]


def test_its_own_repr_has_no_address(tmp_path):
    assert repr(desk_in(tmp_path, PAIRS[:1])) == (
        "LabellingDesk(annotator='ann', query_id='q0', passage_id='d0', labelled=0, skipped=0, left=1)"
    )


def test_it_goes_on_where_it_was(tmp_path):
    desk = desk_in(tmp_path)
    desk.label(2)
    desk.skip()
    again = desk_in(tmp_path)
    assert again.state == desk.state
    assert again.shown | {"answer": 0, "said": ""} == desk.shown | {"answer": 0, "said": ""}
    again.undo()
    again.undo()
    assert again.pair == again.labels.pairs[0]


def test_it_takes_a_log_or_asks_who_labels(tmp_path):
    log = LabelLog(PAIRS, tmp_path, annotator="bob", grades=(0, 1))
    assert LabellingDesk(log).state["annotator"] == "bob"
    with pytest.raises(RecallLabError, match="who labels"):
        LabellingDesk(PAIRS)


# -- what the page asks --------------------------------------------------------------------------------------


def test_a_key_is_on_disk_when_the_page_is_answered(tmp_path):
    desk = desk_in(tmp_path)
    saved = []
    desk.observe(lambda change: saved.append(len(read_labels(desk.labels.path).grades)), "shown")
    first = desk.pair
    assert press(desk, "label", grade=2)["said"] == f"Grade 2 saved for “{first.text}”"
    press(desk, "label", grade=0)
    assert saved == [1, 2]
    assert press(desk, "skip")["said"].startswith("Skipped")
    assert press(desk, "undo")["said"] == "The last skip is taken back"


def test_another_passage_of_the_list_can_be_labelled(tmp_path):
    desk = desk_in(tmp_path)
    third = desk.labels.pairs[2]
    shown = press(desk, "label", item=2, grade=1)
    assert desk.labels.grades == {third.id: 1}
    assert shown["now"] == 0
    press(desk, "undo")
    assert desk.pair == third


def test_what_comes_twice_or_too_late_labels_nothing(tmp_path):
    desk = desk_in(tmp_path)
    before = desk.shown
    press(desk, "label", grade=2)
    answer = desk.shown["answer"]
    press(desk, "label", grade=2, step=before["step"], item=before["now"])
    assert len(desk.labels.grades) == 1
    assert desk.shown["answer"] == answer + 1  # but it is answered, or the page would wait for ever


def test_a_note_that_is_not_saved_comes_along(tmp_path):
    desk = desk_in(tmp_path)
    first, second = desk.labels.pairs[:2]
    press(desk, "label", grade=2, note="because")
    assert desk.labels.notes == {first.id: "because"}
    press(desk, "undo", note="for later")
    assert desk.pair == first
    assert desk.labels.notes == {first.id: "because", second.id: "for later"}
    assert press(desk, "note", item=1, note="mine")["said"] == f"Note saved on “{second.text}”"
    assert press(desk, "note", item=1, note="")["said"] == f"Note taken away from “{second.text}”"
    assert second.id not in desk.labels.notes


@pytest.mark.parametrize(
    "message",
    [
        {"act": "label", "grade": 9},
        {"act": "label", "grade": "2"},
        {"act": "label"},
        {"act": "erase"},
        {"act": None},
        {"act": "label", "grade": 1, "item": -1},
        {"act": "label", "grade": 1, "item": None},
        {"act": "label", "grade": 1, "step": "0"},
        {"act": "note", "note": 3},
        {"settled": True},
        "text",
    ],
)
def test_nonsense_from_a_page_saves_nothing(tmp_path, message):
    desk = desk_in(tmp_path)
    more = {"item": 0, "step": 0, "note": None}
    desk._on_message(desk, more | message if isinstance(message, dict) else message, [])
    assert len(desk.labels.path.read_text().splitlines()) == 1


def test_a_disk_that_refuses_is_told_and_nothing_moves(tmp_path, monkeypatch):
    desk = desk_in(tmp_path)
    desk.label(1)
    before = desk.state

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert "No space left on device" in press(desk, "label", grade=2)["error"]
        with pytest.raises(FolderError, match="not saved"):
            desk.label(2)
    assert desk.state == before
    assert press(desk, "label", grade=2)["error"] == ""
    assert desk.state["labelled"] == 2


# -- texts ---------------------------------------------------------------------------------------------------


def test_long_texts_are_cut_and_say_so(tmp_path):
    desk = desk_in(tmp_path, [Pair("q", "d", "w" * 100_000, "w" * 100_000, "w" * 100_000)])
    [item] = desk.shown["items"]
    assert item["text"] == "w" * 8_000
    assert item["cut"].startswith("92,000 more characters")
    assert len(json.dumps(desk.shown)) < 12_000
    assert len(desk.text) < 1_500
    assert desk.pair is not None
    assert len(desk.pair.text) == 100_000


def test_paragraphs_stay_and_control_characters_go(tmp_path):
    desk = desk_in(tmp_path, [("q", "one\x00\ttwo\r\n\nthree")])
    assert desk.shown["items"][0]["text"] == "one two\n\nthree"


def test_ten_thousand_pairs_send_a_page_no_more_than_a_few_would(tmp_path):
    desk = desk_in(tmp_path, [("Which?", f"Passage {i}.") for i in range(10_000)])
    assert len(desk.shown["items"]) == 30
    assert len(json.dumps(desk.get_state()["shown"])) < 5_000
    for _ in range(30):
        desk.label(0)
    assert (desk.shown["first"], desk.shown["now"], desk.shown["of"]) == (31, 0, 10_000)


def test_rubrics_of_every_kind(tmp_path):
    assert desk_in(tmp_path / "1").data["grades"][0]["meaning"].startswith("doesn't")
    words = desk_in(tmp_path / "2", rubric={1: "yes", 0: "no"}, grades=(0, 1)).data["grades"]
    assert words == [{"grade": 0, "meaning": "no"}, {"grade": 1, "meaning": "yes"}]
    text = desk_in(tmp_path / "3", rubric="# Head\nAsk\nyourself:\n\n- **2**: it\n  answers\n- 0: else").data
    assert [(line["kind"], line["text"]) for line in text["rubric"]] == [
        ("heading", "Head"),
        ("paragraph", "Ask yourself:"),
        ("item", "2: it answers"),
        ("item", "0: else"),
    ]
    ours = shipped_folder("datasets") / "library_of_things" / "annotation" / "rubric.md"
    assert desk_in(tmp_path / "4", rubric=ours).data["rubric"][0]["kind"] == "heading"
    assert desk_in(tmp_path / "5", grades=(0, 1)).data["grades"][0]["meaning"] == ""
    with pytest.raises(RecallLabError, match="rubric"):
        desk_in(tmp_path / "6", rubric=tmp_path / "none.md")


def test_what_was_noticed_is_on_the_desk(tmp_path):
    desk_in(tmp_path).label(1)
    with open(tmp_path / "labels_ann.jsonl", "ab") as file:
        file.write(b'{"n": 2, "eve')
    [notice] = desk_in(tmp_path).data["notices"]
    assert "being written when the program stopped" in notice


def test_a_static_page_says_what_it_shows(tmp_path):
    desk = desk_in(tmp_path, [(HOSTILE, HOSTILE)], rubric=HOSTILE)
    page = static.page([desk], title="t")
    assert "To label, open the notebook in JupyterLab." in page
    assert "<script>window" not in page
    assert "<img" not in page
