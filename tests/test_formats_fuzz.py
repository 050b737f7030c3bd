"""Random and damaged files: a parse or our own error, and the fast ways equal to the line reader."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from recall_lab.errors import RecallLabError
from recall_lab.formats import (
    judgments,
    read_corpus,
    read_judgments,
    read_queries,
    read_run,
    read_run_in_pieces,
    runs,
    text,
    write_golden,
    write_judgments,
    write_run,
)
from recall_lab.formats.fast import FieldPlan, _repeats, fast_rows
from recall_lab.formats.fast_polars import polars_rows
from recall_lab.formats.rows import Rows, rows_from
from recall_lab.formats.text import Block, TextFile
from recall_lab.formats.values import BadValue, read_score

SMALL = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
READERS: list[Callable] = [
    read_judgments,
    read_run,
    read_corpus,
    read_queries,
    lambda path: list(read_run_in_pieces(path, rows=2)),
    lambda path: read_run(path, duplicates="keep-best", extra_words=True),
]
VALID = [
    b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n",
    b"q1 Q0 d1 1 9.5 t\nq1 Q0 d2 2 8e-1 t\nq2 Q0 d1 1 -3 t\n",
    b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n",
    b'query_id,relevant_ids,query\nq1,d1|d2,"Say ""when"""\nq2,,"two\nlines"\n',
    b'query_id,doc_id,score\nq1,d1,2\nq1,"d,2",1.5\n',
    b'{"query_id": "q1", "relevant_ids": ["d1", 2], "query": "Why?"}\n',
    b'{"query_id": "q1", "retrieved_ids": ["d1", "d2"]}\n{"query_id": "q2", "retrieved_ids": []}\n',
    b'{"_id": "d1", "title": "T", "text": "one \\u00e9"}\n{"_id": "d2", "text": "two"}\n',
    b'q1\t"what is recall\nq2\tplain\n',
]
PIECES = [
    *(
        b" ",
        b"\t",
        b"\n",
        b"\r\n",
        b"\r",
        b'"',
        b",",
        b"|",
        b";",
        b"#",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\0",
        b"\xef\xbb\xbf",
    ),
    *(
        b"q1",
        b"d1",
        b"Q0",
        b"0",
        b"1",
        b"-1",
        b"0.5",
        b"1.0",
        b"nan",
        b"inf",
        b"1e5",
        b"1_0",
        b"\xff",
        b"\xc3\xa9",
    ),
    *(
        b"query_id",
        b"relevant_ids",
        b"doc_id",
        b"score",
        b"query-id",
        b"corpus-id",
        b"_id",
        b"text",
        b"\\ud800",
        b":",
    ),
]


def try_every_reader(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.txt"
        path.write_bytes(content)
        for read in READERS:
            try:
                read(path)
            except RecallLabError as refused:
                assert str(refused)


@SMALL
@given(st.one_of(st.binary(max_size=300), st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join)))
@example(b"\x1f\x8b")
@example(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
@example(b'{"query_id": "\\ud800", "relevant_ids": []}')
@example(b"[" * 50_000)
def test_any_bytes_are_read_or_refused(content):
    try_every_reader(content)


@SMALL
@given(
    st.sampled_from(VALID),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3), st.sampled_from(PIECES)), max_size=4),
    st.booleans(),
)
def test_damaged_files_are_read_or_refused(content, changes, packed):
    for place, cut, piece in changes:
        place %= len(content) + 1
        content = content[:place] + piece + content[place + cut :]
    try_every_reader(gzip.compress(content)[: -1 if changes else None] if packed else content)


# ---------------------------------------------------------------------------------------- one grammar

TREC = FieldPlan(6, b" \t", query=0, document=2, score=4, rank=3)
CSV = FieldPlan(3, b",", query=0, document=1, score=2, rank=None)
TSV = FieldPlan(4, b"\t", query=3, document=0, score=1, rank=2)
HEADERS = {TREC: None, CSV: b"query_id,doc_id,score\n", TSV: b"doc_id\tscore\trank\tquery_id\n"}

ids = st.sampled_from(
    ["q1", "q2", "d1", "d2", "NA", "001", "1", "é", "\u00a0x", "日本", "#d", 'say"', "a,b", "d;2", "x" * 300]
)
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(-1000, 1000, places=6).map(str),
    st.sampled_from(
        [
            "1e2",
            ".5",
            "5.",
            "+3",
            "1e999",
            "nan",
            "inf",
            "1_0",
            "0x1",
            "",
            "-",
            "1.2.3",
            "٣",
            "007",
            "9007199254740993",
            "-0",
        ]
    ),
)


@st.composite
def blocks(draw):
    """A block of lines, mostly clean, and the plan to read it by."""
    plan = draw(st.sampled_from([TREC, CSV, TSV]))
    separators = [chr(separator) for separator in plan.separators]
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        fields = ["Q0"] * plan.count
        fields[plan.query] = draw(st.sampled_from(["q1", "q1", "q1", "q2", draw(ids)]))
        fields[plan.document] = draw(ids)
        fields[plan.score] = draw(numbers)
        if plan.rank is not None:
            fields[plan.rank] = draw(st.one_of(st.integers(0, 2000).map(str), numbers))
        if draw(st.integers(0, 9)) == 0:
            fields = fields[: draw(st.integers(0, plan.count))] + draw(st.lists(ids, max_size=1))
        if draw(st.integers(0, 9)) == 0:
            separators = [draw(st.sampled_from([" ", "\t", ",", "  ", ", "]))]
        prefix = draw(st.sampled_from([""] * 12 + ["#", " ", "\x0b", "\n"]))
        lines.append(prefix + draw(st.sampled_from(separators)).join(fields) + "\n")
    data = "".join(lines).encode()
    return Block(1, data.count(b"\n"), data), plan


def line_reader(block: Block, plan: FieldPlan) -> Rows:
    """What the line reader makes of a block; our own error if it refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.txt"
        path.write_bytes((HEADERS[plan] or b"q Q0 d 1 1 t\n") + block.data)
        with TextFile(path) as file:
            layout = runs._layout(file, file.first_line(), False, "file")
            assert layout.plan == plan
            rows = list(runs._line_rows(file, block, layout))
            return rows[0] if rows else rows_from([], [], [], None if plan.rank is None else [], [])


def same(first: Rows, second: Rows) -> bool:
    return (
        (first.queries, first.counts, first.documents, first.repeats, list(first.lines))
        == (second.queries, second.counts, second.documents, second.repeats, list(second.lines))
        and first.scores.tobytes() == second.scores.tobytes()
        and (first.ranks is None) == (second.ranks is None)
        and (first.ranks is None or second.ranks is None or np.array_equal(first.ranks, second.ranks))
    )


@settings(max_examples=300, deadline=None)
@given(blocks())
def test_the_fast_ways_give_the_rows_of_the_line_reader(given_block):
    block, plan = given_block
    try:
        expected = line_reader(block, plan)
    except RecallLabError:
        expected = None
    for fast in (fast_rows, polars_rows):
        found = fast(block, plan)
        if found is not None:
            assert expected is not None, f"{fast.__name__} accepts what the line reader refuses"
            assert same(found, expected)


JUDGMENT_HEADERS = ["", "query-id\tcorpus-id\tscore\n", "grade,query_id,doc_id\n"]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_fast_way_gives_the_judgments_of_the_line_reader(data):
    header = data.draw(st.sampled_from(JUDGMENT_HEADERS))
    separator = {"q": "\t", "g": ","}.get(header[:1], data.draw(st.sampled_from([" ", "\t"])))
    lines = [header]
    for _ in range(data.draw(st.integers(1, 5))):
        query, document = data.draw(st.sampled_from(["q1", "q1", "q2", "#q", 'q"'])), data.draw(ids)
        grade = data.draw(st.sampled_from(["0", "1", "2", "1", "01", "-1", "+1", "1.0", "0.5", "1e0", "x"]))
        fields = {
            "": [query, "0", document, grade],
            "q": [query, document, grade],
            "g": [grade, query, document],
        }
        joint = data.draw(st.sampled_from([separator] * 9 + [separator * 2, " "]))
        lines.append(
            joint.join(fields[header[:1]]) + data.draw(st.sampled_from(["\n"] * 9 + [" \n", "\n\n"]))
        )
    found = []
    for fast in (judgments.fast_judgments, lambda block, plan: None):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            path = Path(folder) / "file.txt"
            path.write_text("".join(lines))
            patch.setattr(judgments, "fast_judgments", fast)
            try:
                read = read_judgments(path)
                found.append((read.grades, [list(judged) for judged in read.grades.values()], read.notices))
            except RecallLabError as refused:
                found.append(str(refused).replace(folder, ""))
    assert found[0] == found[1]


def test_clean_judgments_do_go_the_fast_way():
    plan = FieldPlan(4, b" \t", query=0, document=2, score=3, rank=None)
    fast = judgments.fast_judgments(Block(1, 2, b"q1 0 d1 1\nq1\t0\td2\t-1\n"), plan)
    assert fast is not None and list(fast) == [("q1", "d1", 1), ("q1", "d2", -1)]


@pytest.mark.parametrize("fast", [fast_rows, polars_rows])
@pytest.mark.parametrize(
    ("plan", "data"),
    [
        (TREC, b"q  d1 1 2.5 t\n"),
        (TREC, b"q Q0 d1 1 2.5 t \n"),
        (TREC, b" q Q0 d1 1 2.5 t\n"),
        (TREC, b"q Q0 d1 1 2.5 t q Q0 d2 2 2.5 t\n"),
        (TREC, b"q Q0 d1 1 2.5\nt q Q0 d2 2 1.5 t\n"),
        (TREC, b"q Q0 d1 1 2.5 t\n\n"),
        (TREC, b"q Q0 d\x0b1 1 2.5 t\n"),
        (TREC, b"#q Q0 d1 1 2.5 t\n"),
        (CSV, b"q,d1,2\nq,d2,1,9\n"),
        (CSV, b"q,d1,2,\n"),
        (CSV, b"q,d1,\n"),
        (CSV, b"q,d 1,2\n"),
        (CSV, b'q,"d1",2\n'),
        (TSV, b"#d1\t2.5\t1\tq\n"),
        (TSV, b"d 1\t2.5\t1\tq\n"),
    ],
)
def test_blocks_that_are_not_clean_go_to_the_line_reader(fast, plan, data):
    assert fast(Block(1, data.count(b"\n"), data), plan) is None


@pytest.mark.parametrize("fast", [fast_rows, polars_rows])
@pytest.mark.parametrize(("plan", "line"), [(TREC, b"q1 Q0 d%d %d 2.5 t\n"), (TSV, b"d%d\t2.5\t%d\tq1\n")])
def test_clean_blocks_do_go_the_fast_way(fast, plan, line):
    data = b"".join(line % (i, i) for i in range(50))
    assert fast(Block(1, 50, data), plan) is not None


@settings(max_examples=100, deadline=None)
@given(st.lists(numbers.filter(lambda text: text and " " not in text), min_size=1, max_size=20))
def test_fast_numbers_are_the_line_readers_numbers(texts):
    lines = "".join(f"q{i} Q0 d 1 {number} t\n" for i, number in enumerate(texts))
    block = Block(1, len(texts), lines.encode())
    try:
        expected = [read_score(number) for number in texts]
    except BadValue:
        expected = None
    for fast in (fast_rows, polars_rows):
        found = fast(block, TREC)
        assert found is None if expected is None else found is not None
        assert found is None or [repr(score) for score in found.scores.tolist()] == list(map(repr, expected))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 40), st.integers(-3, 3)), max_size=60),
    st.integers(1, 300),
)
def test_the_size_of_blocks_changes_nothing(rows, size):
    lines = "".join(f"{q} Q0 d{d} {i} {s} t\n" for i, (q, d, s) in enumerate(rows))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.txt"
        path.write_text("q Q0 d 0 0 t\n" + lines)
        whole = read_run(path, duplicates="keep-best")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(text, "BLOCK_BYTES", size)
            found = read_run(path, duplicates="keep-best")
    assert (found.query_ids, found.documents, found.notices) == (
        whole.query_ids,
        whole.documents,
        whole.notices,
    )
    assert np.array_equal(found.scores, whole.scores) and np.array_equal(found.starts, whole.starts)


ODD_LINES = [
    *(
        "",
        "  ",
        "# note",
        "#",
        "q1 Q0 d\u00a0x 4 2 t",
        "q1  Q0 d7 1 2 t",
        "q1\tQ0\té 1 2 t",
        " q2 Q0 d 1 1 t",
    ),
    *("\ufeffq2 Q0 d1 1 1 t", "q1 Q0 d1 x 1 t", "q1 Q0 d1 1 nan t", "q1 Q0 d1 1 1", 'q1 Q0 "d" 1 5 t'),
    *("#q Q0 d1 1 1 t", "q1 Q0 日本 1.5 1e2 t", "q3 Q0 " + "d" * 300 + " 3 2 t"),
]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_size_of_blocks_changes_no_notice_and_no_error(data):
    clean = st.builds(
        "{} Q0 d{} {} {} t".format,
        st.sampled_from("abc"),
        st.integers(0, 99),
        st.integers(1, 9),
        st.integers(0, 9),
    )
    lines = data.draw(st.lists(st.one_of(clean, clean, clean, st.sampled_from(ODD_LINES)), max_size=30))
    ends = data.draw(st.sampled_from(["\n", "\r\n"]))
    content = (ends.join(["q Q0 d 1 2 t", *lines]) + data.draw(st.sampled_from(["", ends]))).encode()
    at = data.draw(st.integers(0, len(content)))
    content = (
        content[:at] + data.draw(st.sampled_from([b""] * 6 + [b"\0", b"\xff", b"\r", b"\xc3"])) + content[at:]
    )
    sizes = data.draw(st.lists(st.integers(1, 200), min_size=3, max_size=3))
    found = []
    for size, fast in zip([text.BLOCK_BYTES, *sizes], [fast_rows, fast_rows, polars_rows, None], strict=True):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            path = Path(folder) / "file.txt"
            path.write_bytes(content)
            patch.setattr(text, "BLOCK_BYTES", size)
            patch.setattr(runs, "_block_rows", fast or (lambda block, plan: None))
            try:
                run = read_run(path, duplicates="keep-best")
                found.append((run.query_ids, run.documents, run.scores.tolist(), run.notices))
            except RecallLabError as refused:
                found.append(str(refused).replace(folder, ""))
    assert all(each == found[0] for each in found)


def test_documents_are_compared_only_where_their_hashes_agree():
    """Stretch 0 and stretch 1 differ as the first letters 0 and 1 do, and must not cancel out."""
    documents = np.array([b"0234567", b"1234567"])
    nothing_to_compare: list[str] = []
    assert _repeats(documents, np.array([1, 1]), nothing_to_compare) == [False, False]
    assert _repeats(documents[[0, 0, 1]], np.array([2, 1]), ["0234567\n0234567", "1234567"]) == [True, False]


# ---------------------------------------------------------------------------------------- round trips

any_id = st.text(min_size=1, max_size=8)


@SMALL
@given(
    st.dictionaries(
        any_id,
        st.dictionaries(any_id, st.floats(allow_nan=False, allow_infinity=False), max_size=4),
        max_size=4,
    ),
    st.sampled_from([".run", ".csv", ".tsv", ".run.gz"]),
)
def test_a_run_that_is_written_reads_back(run, ending):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{ending}"
        try:
            write_run(path, ((query, list(found), list(found.values())) for query, found in run.items()))
        except RecallLabError:
            assert not path.exists()
            return
        kept = {query: found for query, found in run.items() if found}
        if not kept:
            return
        read = read_run(path)
        assert read.query_ids == list(kept)
        assert [documents.split("\n") for documents in read.documents] == [
            list(found) for found in kept.values()
        ]
        assert read.scores.tolist() == [score for found in kept.values() for score in found.values()]


@SMALL
@given(
    st.dictionaries(
        any_id, st.dictionaries(any_id, st.integers(-5, 5), min_size=1, max_size=4), min_size=1, max_size=4
    ),
    st.sampled_from([".txt", ".tsv"]),
)
def test_judgments_that_are_written_read_back(grades, ending):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{ending}"
        try:
            write_judgments(path, grades)
        except RecallLabError:
            return
        assert read_judgments(path).grades == grades


@SMALL
@given(
    st.dictionaries(
        any_id,
        st.tuples(st.lists(any_id, unique=True, max_size=4), st.text(max_size=20)),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([".csv", ".tsv", ".jsonl"]),
)
def test_golden_sets_that_are_written_read_back(records, ending):
    relevant = {query: documents for query, (documents, _) in records.items()}
    questions = {query: question for query, (_, question) in records.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{ending}"
        try:
            write_golden(path, relevant, questions)
        except RecallLabError:
            return
        read = read_judgments(path)
        assert read.grades == {query: dict.fromkeys(documents, 1) for query, documents in relevant.items()}
        assert read.questions == questions
