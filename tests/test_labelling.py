"""Labelling without a desk: what is on disk, what survives, order, two annotators, agreement, export."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from recall_lab.errors import FolderError, InputFileError, RecallLabError
from recall_lab.formats import read_judgments
from recall_lab.golden import GoldenDataset
from recall_lab.labelling import (
    Agreement,
    Decision,
    LabelLog,
    Pair,
    as_judgments,
    cohen_kappa,
    export_grades,
    pairs_from_runs,
    pairs_from_texts,
    read_labels,
    read_pairs,
)
from recall_lab.run import Run

PAIRS = [Pair(f"q{q}", f"d{d}", f"Question {q}?", f"Passage {d}.") for q in range(3) for d in range(4)]


def open_log(folder: Path, pairs=PAIRS, annotator: str = "ann", **more) -> LabelLog:
    return LabelLog(pairs, folder, annotator=annotator, **more)


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def everything(log: LabelLog) -> tuple:
    """All that a desk shows: grades in order, notes, the whole queue, the stack of what can be undone."""
    labels = log._labels
    return (
        list(log.grades.items()),
        dict(log.notes),
        list(log._queue),
        list(labels._done),
        log.count,
        log.skipped,
    )


# -- on disk before anything else ----------------------------------------------------------------------------


def test_each_event_is_on_disk_when_the_call_returns(tmp_path):
    log = open_log(tmp_path)
    first, second = log.pairs[0], log.pairs[1]
    log.label(2)
    assert lines_of(log.path)[-1] | {"at": ""} == {
        "n": 1,
        "event": "label",
        "query": first.query_id,
        "doc": first.passage_id,
        "grade": 2,
        "of": first.fingerprint,
        "annotator": "ann",
        "at": "",
    }
    log.note("a “note”\nof two lines")
    log.skip()
    log.undo()
    events = lines_of(log.path)[1:]
    assert [event["n"] for event in events] == [1, 2, 3, 4]
    assert [event["event"] for event in events] == ["label", "note", "skip", "undo"]
    assert {event["doc"] for event in events[1:]} == {second.passage_id}
    assert log.current == second


def test_the_file_is_synced_before_the_label_counts(tmp_path, monkeypatch):
    log = open_log(tmp_path)
    seen = []
    real = os.fsync

    def watch(descriptor: int) -> None:
        seen.append((len(lines_of(log.path)), dict(log.grades)))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", watch)
    log.label(1)
    assert seen == [(2, {})]  # the line was there, the grade did not count yet
    assert log.grades == {log.pairs[0].id: 1}


def test_a_full_disk_loses_nothing_and_says_what_to_do(tmp_path, monkeypatch):
    log = open_log(tmp_path)
    log.label(2)
    before, content = everything(log), log.path.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(
            FolderError, match=r"the label is not saved.*1 events before.*No space.*make room"
        ):
            log.label(0)
    assert (everything(log), log.path.read_bytes()) == (before, content)
    log.label(0)
    log.close()
    assert list(read_labels(log.path).grades.values()) == [2, 0]


def test_half_a_line_that_cannot_be_taken_back_is_taken_back_later(tmp_path):
    log = open_log(tmp_path)
    log.label(2)
    real = log._file

    class Full:
        """A disk that takes half a line, and refuses everything after it."""

        def fileno(self) -> int:
            return real.fileno()

        def write(self, data: memoryview) -> int:
            if len(data) < 60:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real.write(data[:-50])

        def truncate(self, size: int) -> int:
            raise OSError(errno.EIO, "Input/output error")

        closed = False

    log._file = Full()
    with pytest.raises(FolderError, match="No space"):
        log.label(1)
    log._file = real
    assert not log.path.read_bytes().endswith(b"\n")
    log.label(0)
    log.close()
    assert list(read_labels(log.path).grades.values()) == [2, 0]


def test_a_file_that_was_moved_away_is_noticed(tmp_path):
    log = open_log(tmp_path)
    log.label(2)
    log.path.rename(tmp_path / "elsewhere")
    with pytest.raises(FolderError, match="put the file back"):
        log.label(1)
    (tmp_path / "elsewhere").rename(log.path)
    log.label(1)
    assert len(lines_of(log.path)) == 3


# -- kill -9 -------------------------------------------------------------------------------------------------


def label_until_killed(folder: Path, acknowledge: int, seed: int) -> None:
    """What a desk's kernel does: an event, and once the call has returned, the word that it is saved."""
    choose = random.Random(seed)
    log = open_log(folder, MANY_PAIRS[:300])
    while True:
        act = choose.choices(["label", "skip", "undo", "note"], [6, 1, 1 if log.can_undo else 0, 1])[0]
        pair = log._labels.last.pair if act == "undo" else choose.choice(MANY_PAIRS[:300]).id
        if act == "label":
            log.label(choose.randrange(3), pair)
        elif act == "note":
            log.note("n" * choose.randrange(5000), pair)
        elif act == "skip":
            log.skip(pair)
        else:
            log.undo()
        os.write(acknowledge, (json.dumps([log.count, act, *pair, log.grades.get(pair)]) + "\n").encode())


MANY_PAIRS = [Pair(f"q{q}", f"d{d}", "?", "!") for q in range(100) for d in range(100)]


@pytest.mark.slow
def test_killed_200_times_every_acknowledged_event_is_there(tmp_path):
    choose = random.Random(1)
    acknowledged = []
    path = tmp_path / "labels_ann.jsonl"
    for round_ in range(200):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reader)
                label_until_killed(tmp_path, writer, round_)
            finally:
                os._exit(1)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            if round_ % 10:
                acknowledged.append(json.loads(pipe.readline()))
            time.sleep(choose.uniform(0, 0.01))
            os.kill(child, signal.SIGKILL)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
            acknowledged += [json.loads(line) for line in pipe.read().splitlines()]
    events = {event["n"]: event for event in lines_of(path)[1:]}
    assert len(acknowledged) > 200
    for n, act, query, doc, grade in acknowledged:
        event = events[n]
        assert (event["event"], event["query"], event["doc"]) == (act, query, doc)
        assert act != "label" or event["grade"] == grade
    assert sorted(events) == list(range(1, len(events) + 1))
    with open_log(tmp_path, MANY_PAIRS[:300]) as log:
        assert log.count == len(events)


@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_torn_last_line_is_kept_aside_and_everything_before_it_kept(tmp_path, share):
    with open_log(tmp_path) as log:
        log.label(2)
        log.label(1)
        before = everything(log)
        log.skip()
    *kept, last = log.path.read_bytes().splitlines(keepends=True)
    rest = last[: max(int(share * len(last)), 1)]
    log.path.write_bytes(b"".join(kept) + rest)
    assert [notice.code for notice in read_labels(log.path).notices] == ["torn-line"]
    with open_log(tmp_path) as again:
        assert everything(again) == before
        [notice] = again.notices
        assert notice.code == "torn-line"
        assert (tmp_path / "labels_ann.torn-1.txt").read_bytes() == rest
        again.skip()
    assert [event["event"] for event in lines_of(log.path)[1:]] == ["label", "label", "skip"]


def test_a_file_with_half_a_first_line_begins_anew(tmp_path):
    (tmp_path / "labels_ann.jsonl").write_bytes(b'{"recall_lab_lab')
    with open_log(tmp_path) as log:
        assert [notice.code for notice in log.notices] == ["torn-line"]
        log.label(1)
    assert len(lines_of(log.path)) == 2


@pytest.mark.parametrize(
    ("line", "damage", "says"),
    [
        (0, b'{"a": 1}', "no label file"),
        (0, b'{"recall_lab_labels": 2, "annotator": "ann", "seed": 0, "grades": [0]}', "version 2"),
        (1, b"\0\0\0", "line is damaged"),
        (1, None, "number 1 was expected"),
        (2, b'{"n": 2, "event": "label", "query": "q0", "doc": "d0", "grade": 7, "of": ""}', "grade 7"),
        (2, b'{"n": 2, "event": "label", "query": "q0", "doc": "d0"}', "'grade'"),
        (2, b'{"n": 2, "event": "erase", "query": "q0", "doc": "d0"}', "'erase' is no event"),
        (2, b'{"n": 2, "event": "label", "query": [], "doc": "d0", "grade": 1, "of": ""}', "no id"),
        (2, b"[1]", "damaged"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_changed(tmp_path, line, damage, says):
    with open_log(tmp_path) as log:
        for grade in (0, 1, 2):
            log.label(grade)
    lines = log.path.read_bytes().splitlines()
    lines[line : line + 1] = [] if damage is None else [damage]
    log.path.write_bytes(b"\n".join([*lines, b""]))
    before = log.path.read_bytes()
    for read in (lambda: read_labels(log.path), lambda: open_log(tmp_path)):
        with pytest.raises(InputFileError, match=rf"line {line + 1}: (?s:.*){says}"):
            read()
    assert log.path.read_bytes() == before


# -- going on ------------------------------------------------------------------------------------------------


def test_it_goes_on_exactly_where_it_was_after_every_step(tmp_path):
    choose = random.Random(7)
    log = open_log(tmp_path)
    for _ in range(150):
        acts = ["label", "label other", "skip", "note"] + ["undo"] * log.can_undo
        act = choose.choice(acts if log.current else ["undo"])
        if act == "label":
            log.label(choose.randrange(3))
        elif act == "label other":
            log.label(choose.randrange(3), choose.choice(PAIRS).id)
        elif act == "note":
            log.note(choose.choice(["", "one", "two"]))
        else:
            getattr(log, act)()
        before = everything(log)
        log.close()
        log = open_log(tmp_path)
        assert everything(log) == before
        assert log.notices == []


def test_undo_leads_back_to_the_beginning(tmp_path):
    log = open_log(tmp_path)
    states = [everything(log)[:3]]
    for act in (
        lambda: log.label(2),
        log.skip,
        lambda: log.note("why"),
        lambda: log.label(0),
        lambda: log.note("other", log.pairs[0].id),
        log.skip,
        lambda: log.label(1, log.pairs[0].id),
    ):
        act()
        states.append(everything(log)[:3])
    for state in reversed(states[:-1]):
        log.undo()
        assert everything(log)[:3] == state
    with pytest.raises(RecallLabError, match="nothing to undo"):
        log.undo()


def test_skipped_pairs_come_again_at_the_end_in_their_order(tmp_path):
    log = open_log(tmp_path, PAIRS[:4])
    a, b, c, d = log.pairs
    log.skip()
    log.label(0)
    log.skip()
    log.label(0)
    assert log.current == a
    assert log.skipped == log.left == 2
    log.skip()
    assert log.current == c
    log.label(1)
    log.label(1)
    assert log.current is None
    assert log.skipped == 0
    assert list(log.grades) == [b.id, d.id, c.id, a.id]
    for refused in (lambda: log.label(1), log.skip, lambda: log.note("x")):
        with pytest.raises(RecallLabError, match="every pair is labelled"):
            refused()


@pytest.mark.parametrize("grade", [3, -1, True, "2", None, 1.5])
def test_a_grade_that_is_not_offered_is_refused(tmp_path, grade):
    log = open_log(tmp_path)
    with pytest.raises(RecallLabError, match="give one of 0, 1, 2"):
        log.label(grade)
    assert log.count == 0


@pytest.mark.parametrize("grades", [(), (0, 0), (-1, 1), (0, 10), (0, True), ("0", "1")])
def test_a_scale_that_has_no_keys_is_refused(tmp_path, grades):
    with pytest.raises(RecallLabError, match="grades are different whole numbers"):
        open_log(tmp_path, grades=grades)


@pytest.mark.parametrize("change", [{"seed": 1}, {"grades": (0, 1)}])
def test_a_log_keeps_its_seed_and_grades(tmp_path, change):
    open_log(tmp_path).close()
    with pytest.raises(RecallLabError, match="was begun with"):
        open_log(tmp_path, **change)
    open_log(tmp_path)


def test_other_pairs_and_other_texts_are_noticed(tmp_path):
    with open_log(tmp_path) as log:
        for _ in PAIRS:
            log.label(1)
    changed = [PAIRS[0]._replace(text="Now it says something else."), *PAIRS[2:]]
    with open_log(tmp_path, changed) as log:
        assert {notice.code: notice.ids for notice in log.notices} == {
            "labels-of-other-pairs": ("q0 d1",),
            "texts-changed": ("q0 d0",),
        }
        assert len(log.grades) == len(PAIRS)
        log.label(2, PAIRS[0].id)
    with open_log(tmp_path, changed) as log:
        assert [notice.code for notice in log.notices] == ["labels-of-other-pairs"]


def test_numbers_as_ids_stay_numbers(tmp_path):
    with open_log(tmp_path, [Pair(np.int64(7), 1, "?", "!")]) as log:
        log.label(2)
    assert read_labels(log.path).grades == {(7, 1): 2}


# -- order ---------------------------------------------------------------------------------------------------


def test_the_order_hangs_on_seed_and_annotator_alone(tmp_path):
    order = [pair.id for pair in open_log(tmp_path / "1").pairs]
    assert sorted(order) == [pair.id for pair in PAIRS]
    assert order != [pair.id for pair in PAIRS]
    assert [pair.id for pair in open_log(tmp_path / "2", PAIRS[::-1]).pairs] == order
    assert [pair.id for pair in open_log(tmp_path / "3", seed=1).pairs] != order
    assert [pair.id for pair in open_log(tmp_path / "4", annotator="bob").pairs] != order
    without = [pair.id for pair in open_log(tmp_path / "5", PAIRS[1:]).pairs]
    assert without == [id_ for id_ in order if id_ != PAIRS[0].id]
    assert [query for query, _ in order[::4]] == list(dict.fromkeys(query for query, _ in order))  # together


def test_the_order_is_the_same_on_every_machine(tmp_path):
    assert [pair.id for pair in open_log(tmp_path, PAIRS[:6]).pairs] == FROZEN_ORDER


FROZEN_ORDER = [("q1", "d0"), ("q1", "d1"), ("q0", "d2"), ("q0", "d1"), ("q0", "d0"), ("q0", "d3")]


# -- two annotators ------------------------------------------------------------------------------------------


def test_two_people_label_side_by_side_and_blind(tmp_path):
    ann, bob = open_log(tmp_path), open_log(tmp_path, annotator="Bob  Ö. / Smith")
    assert bob.path.name == "labels_bob_ö_smith.jsonl"
    for _ in PAIRS:
        ann.label(2)
        bob.note("mine")
        bob.label(0)
    assert set(ann.grades.values()) == {2}
    assert set(bob.grades.values()) == {0}
    assert ann.notes == {}
    assert read_labels(ann.path).annotator == "ann"
    assert Agreement(read_labels(ann.path), read_labels(bob.path)).observed == 0


@pytest.mark.parametrize("annotator", ["", "  ", "../..", "///"])
def test_a_name_without_letters_is_refused(tmp_path, annotator):
    with pytest.raises(RecallLabError, match="annotator"):
        open_log(tmp_path, annotator=annotator)


def test_a_name_never_leaves_the_folder(tmp_path):
    log = open_log(tmp_path, annotator="../../etc/passwd")
    assert log.path.parent == tmp_path


def test_two_names_that_make_one_file_are_found_out(tmp_path):
    open_log(tmp_path, annotator="a b").close()
    with pytest.raises(RecallLabError, match=r"annotator = 'a b', not 'a/b'"):
        open_log(tmp_path, annotator="a/b")


def test_a_second_program_is_kept_out_until_the_first_ends(tmp_path):
    code = (
        "import sys; from recall_lab.labelling import LabelLog\n"
        "log = LabelLog([('q', 'p')], sys.argv[1], annotator='ann'); print('open', flush=True); input()"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(RecallLabError, match="open in another program"):
            LabelLog([("q", "p")], tmp_path, annotator="ann")
        assert read_labels(tmp_path / "labels_ann.jsonl").grades == {}  # reading is always allowed
        other.kill()
    LabelLog([("q", "p")], tmp_path, annotator="ann").label(1)


def test_the_same_program_takes_the_file_over(tmp_path):
    first = open_log(tmp_path)
    first.label(2)
    second = open_log(tmp_path)
    with pytest.raises(RecallLabError, match="opened again in another cell"):
        first.label(1)
    second.label(1)
    assert list(second.grades.values()) == [2, 1]


# -- pairs ---------------------------------------------------------------------------------------------------


def test_pairs_from_runs_are_the_pool():
    golden = GoldenDataset(
        {"d1": ("T", "one"), "d2": "two", "d3": "three"}, {"q1": "Which?", "q2": "Who?"}, {"q1": {"d1": 1}}
    )
    runs = [Run({"q1": ["d3", "d1", "d2"]}), Run({"q1": ["d1"], "q2": ["d2"], "q9": ["d1"]})]
    assert {pair.id for pair in pairs_from_runs(golden, runs, depth=2)} == {
        ("q1", "d3"),
        ("q1", "d1"),
        ("q2", "d2"),
    }
    [only] = pairs_from_runs(golden, runs[1], unjudged_only=True)
    assert only == Pair("q2", "d2", "Who?", "two", "")
    with pytest.raises(RecallLabError, match=r"no text for 1 passages.*d9"):
        pairs_from_runs(golden, Run({"q1": ["d9"]}))


def test_own_texts_keep_their_labels_when_the_list_changes(tmp_path):
    texts = [("Which?", "this"), ("Which?", "that"), ("Who?", "this")]
    with open_log(tmp_path, texts) as log:
        while log.current:
            log.label(2 if log.current.text == "this" else 0)
    with open_log(tmp_path, [("New?", "new"), *reversed(texts)]) as log:
        assert {(pair.text, log.grades.get(pair.id)) for pair in log.pairs} == {
            ("this", 2),
            ("that", 0),
            ("new", None),
        }


@pytest.mark.parametrize("pairs", [["text"], [("a",)], [("a", 1)], [("a", "b", "c")], {"a": "b"}, 7, [3]])
def test_what_is_no_list_of_pairs_is_refused(tmp_path, pairs):
    with pytest.raises(RecallLabError):
        open_log(tmp_path, pairs)


def test_a_repeated_pair_is_noticed_and_one_with_two_texts_refused(tmp_path):
    with open_log(tmp_path, [*PAIRS, PAIRS[3]._replace()]) as log:
        assert [notice.code for notice in log.notices] == ["repeated-pairs"]
        assert len(log.pairs) == len(PAIRS)
    with pytest.raises(RecallLabError, match="different texts"):
        open_log(tmp_path, [PAIRS[0], PAIRS[0]._replace(text="other")])


def test_pairs_are_read_from_json_lines(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        '{"pair_id": "p1", "question": "Q?", "title": "T", "text": "x"}\n'
        '{"pair_id": "p2", "question": "Q?", "text": "y"}\n'
    )
    first, second = read_pairs(path)
    assert (first.passage_id, first.title, second.title) == ("p1", "T", "")
    assert first.query_id == second.query_id == pairs_from_texts([("Q?", "")])[0].query_id
    path.write_text(path.read_text() + '{"pair_id": "p1", "question": "Q?", "text": "y"}\n')
    with pytest.raises(InputFileError, match="line 3"):
        open_log(tmp_path, path)


# -- many pairs ----------------------------------------------------------------------------------------------


def test_a_step_costs_the_same_at_ten_thousand_pairs(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # the disk is not ours to measure

    def steps(log: LabelLog) -> float:
        begin = time.perf_counter()
        for _ in range(100):
            log.label(1)
            log.skip()
            log.undo()
        return time.perf_counter() - begin

    few, many = open_log(tmp_path / "few", MANY_PAIRS[:400]), open_log(tmp_path / "many", MANY_PAIRS)
    assert min(steps(many) for _ in range(3)) < 5 * min(steps(few) for _ in range(3))


# -- agreement -----------------------------------------------------------------------------------------------


def both(*cells: tuple[int, int, int]) -> tuple[dict, dict]:
    """Two annotators' grades: (grade of the first, grade of the second, how often)."""
    rows = [(a, b) for a, b, times in cells for _ in range(times)]
    return tuple({("q", f"d{i}"): row[side] for i, row in enumerate(rows)} for side in (0, 1))


def test_the_kappa_of_twenty_pairs_and_what_padding_does_to_it():
    twenty = Agreement(*both((1, 1, 6), (0, 0, 10), (1, 0, 1), (0, 1, 3)))
    padded = Agreement(*both((1, 1, 6), (0, 0, 10 + 980), (1, 0, 1), (0, 1, 3)))
    assert round(twenty.kappa, 3) == 0.588
    assert round(padded.kappa, 3) == 0.748
    assert twenty.observed == 0.8
    assert len(twenty.disagreements) == len(padded.disagreements) == 4
    assert twenty.confusion().to_numpy().tolist() == [[10, 3], [1, 6]]
    assert twenty.confusion().loc[1, 0] == 1


def test_kappa_at_its_ends():
    assert cohen_kappa("abc", "abc") == 1
    assert cohen_kappa([0, 1], [1, 0]) == -1
    assert cohen_kappa([0, 0, 1, 1], [0, 1, 0, 1]) == 0
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert cohen_kappa([1, 1], [0, 0]) == 0  # nothing in common, and none to be expected
    for first, second in ([], []), ([1], [1, 2]):
        with pytest.raises(RecallLabError, match="same length"):
            cohen_kappa(first, second)
    undefined = Agreement(*both((2, 2, 5)))
    assert undefined.kappa is None
    assert repr(undefined) == (
        "first and second agree on 5 of 5 pairs (1.000); kappa undefined (one grade throughout)"
    )


def test_kappa_of_relevant_is_another_number():
    agreement = Agreement(*both((0, 1, 4), (2, 2, 4), (0, 0, 2)))
    assert agreement.relevant_kappa(2) == 1
    assert agreement.kappa < 1


def test_only_pairs_labelled_by_both_count_and_the_rest_is_told():
    agreement = Agreement({("q", "a"): 1, ("q", "b"): 0}, {("q", "a"): 1, ("q", "c"): 0})
    assert agreement.n == 1
    assert [notice.ids for notice in agreement.notices] == [("q b",), ("q c",)]
    assert "labelled by first alone" in repr(agreement)
    with pytest.raises(RecallLabError, match="none is the same"):
        Agreement({("q", "a"): 1}, {("q", "c"): 0})


def test_a_third_person_settles_the_disagreements_at_a_desk_of_their_own(tmp_path):
    logs = {name: open_log(tmp_path, annotator=name) for name in ("ann", "bob")}
    for name, log in logs.items():
        while log.current:
            if log.current.passage_id == "d3":
                log.note(f"{name}'s reason")
            log.label(0 if log.current.passage_id != "d3" else 2 if name == "ann" else 1)
    agreement = Agreement(logs["ann"], logs["bob"])
    table = agreement.table()
    assert list(table.columns) == ["query_id", "passage_id", "ann", "bob", "ann's note", "bob's note"]
    assert set(table["ann's note"]) == {"ann's reason"}
    unclear = [pair for pair in PAIRS if pair.id in {d.pair for d in agreement.disagreements}]
    judge = open_log(tmp_path, unclear, annotator="judge")
    with pytest.raises(RecallLabError, match="3 disagreements are not decided"):
        agreement.settle(judge)
    while judge.current:
        judge.label(2)
    with pytest.raises(RecallLabError, match="3 decisions have no reason"):
        agreement.settle(judge)
    for pair in unclear:
        judge.note("it answers", pair.id)
    final = agreement.settle(judge)
    assert final == {pair.id: 2 if pair.passage_id == "d3" else 0 for pair in PAIRS}
    with pytest.raises(RecallLabError, match="without a disagreement"):
        agreement.settle({pair.id: Decision(0, "x") for pair in unclear} | {("q0", "d0"): Decision(1, "x")})


# -- export --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.tsv", "qrels.tsv.gz"])
def test_graded_exports_read_back(tmp_path, name):
    grades = {("q1", "d1"): 2, ("001", "d1"): 1, ("q1", "NA"): 0}
    assert export_grades(tmp_path / name, grades) == []
    assert read_judgments(tmp_path / name).grades == as_judgments(grades)


@pytest.mark.parametrize("name", ["golden.csv", "golden.jsonl"])
def test_lists_of_relevant_passages_read_back(tmp_path, name):
    grades = {("q1", "d1"): 2, ("q1", "d2"): 1, ("q2", "d1"): 0}
    questions = {"q1": "Which, then?", "q2": "Who?"}
    with pytest.raises(RecallLabError, match="min_grade"):
        export_grades(tmp_path / name, grades)
    export_grades(tmp_path / name, grades, min_grade=2, questions=questions)
    found = read_judgments(tmp_path / name)
    assert {query: set(judged) for query, judged in found.grades.items()} == {"q1": {"d1"}, "q2": set()}
    golden = GoldenDataset.load(tmp_path / name)
    assert golden.questions == questions


def test_labels_become_a_golden_dataset(tmp_path):
    with open_log(tmp_path) as log:
        while log.current:
            log.label(2 if log.current.passage_id == "d1" else 0)
    passages = {pair.passage_id: (pair.title, pair.text) for pair in log.pairs}
    questions = {pair.query_id: pair.question for pair in log.pairs}
    GoldenDataset(passages, questions, as_judgments(log.grades), min_grade=2).save(tmp_path / "beir")
    golden = GoldenDataset.load(tmp_path / "beir")
    assert {query: golden.relevant(query) for query in questions} == {key: {"d1"} for key in questions}


def test_tables_say_what_was_decided(tmp_path):
    log = open_log(tmp_path)
    log.label(2)
    log.note("hm")
    log.skip()
    table = log.table()
    assert list(table["grade"].dropna()) == [2]
    assert list(table["note"])[:2] == ["", "hm"]
    assert list(table["skipped"])[:3] == [False, True, False]
    assert read_labels(log.path).table().to_dict("list")["note"] == ["", "hm"]
    assert repr(log) == "LabelLog of ann: 1 of 12 pairs labelled"
    assert LabelLog([], tmp_path, annotator="nobody").table().empty
