"""Reading and writing files: grammar, encodings, errors that name the place, and round trips."""

from __future__ import annotations

import bz2
import gzip
import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from recall_lab.errors import FolderError, InputFileError, RecallLabError
from recall_lab.formats import (
    read_corpus,
    read_judgments,
    read_queries,
    read_run,
    read_run_in_pieces,
    runs,
    text,
    write_corpus,
    write_golden,
    write_judgments,
    write_queries,
    write_run,
)
from recall_lab.formats.columns import RunColumns


@pytest.fixture
def put(tmp_path):
    """Write a file, given as text or bytes, and return its path."""

    def write(content: str | bytes, name: str = "file.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def results(run: RunColumns) -> dict[str, list[tuple[str, float]]]:
    """A run's columns as {query: [(document, score)]}."""
    found = {}
    for i, query in enumerate(run.query_ids):
        scores = run.scores[run.starts[i] : run.starts[i + 1]].tolist()
        documents = run.documents[i].split("\n") if scores else []
        found[query] = list(zip(documents, scores, strict=True))
    return found


def codes(read) -> list[str]:
    return [notice.code for notice in read.notices]


# ------------------------------------------------------------------------------------------ judgments


def test_trec_judgments_by_tabs_spaces_and_odd_ids(put):
    path = put("q1 0 d1 1\nq1\t0\td2\t-1\n  q2   Q0  NA\t 2 \nq2 0 None 0\n001 0 1.0 +1\n1 0 nan 00\n")
    read = read_judgments(path)
    assert read.grades == {
        "q1": {"d1": 1, "d2": -1},
        "q2": {"NA": 2, "None": 0},
        "001": {"1.0": 1},
        "1": {"nan": 0},
    }
    assert (read.layout, read.notices) == ("trec", [])


def test_only_spaces_and_tabs_separate_fields(put):
    odd = "d\u00a01\u2003x\u2028y\u0085z"
    assert read_judgments(put(f"q1 0 {odd} 1\nq1 0 b 1\n")).grades == {"q1": {odd: 1, "b": 1}}


def test_beir_judgments_with_header_in_any_order_and_extra_columns(put):
    read = read_judgments(put("corpus-id\tquery-id\tnote\tscore\nd 1\tq1\tx\t2\nd2\tq1\t\t0\n"))
    assert read.grades == {"q1": {"d 1": 2, "d2": 0}}
    assert codes(read) == ["columns-ignored"]
    assert read_judgments(put("query-id corpus-id score\nq1 d1 1\n")).grades == {"q1": {"d1": 1}}


def test_golden_tables(put):
    read = read_judgments(
        put('query_id,relevant_ids,query\n007,001|1|NA,"Say ""when"", please"\n008,,\n', "g.csv")
    )
    assert read.grades == {"007": {"001": 1, "1": 1, "NA": 1}, "008": {}}
    assert read.questions == {"007": 'Say "when", please', "008": ""}
    read = read_judgments(put('query_id\trelevant_ids\tquery\nq1\td1|d 2\t"open\n', "g.tsv"))
    assert read.grades == {"q1": {"d1": 1, "d 2": 1}}
    assert read.questions == {"q1": '"open'}


def test_golden_table_with_line_breaks_in_a_quoted_text(put):
    path = put('query_id,relevant_ids,query\nq1,d1,"two\n# lines, or\n\nfour"\n# a comment\nq2,d2,plain\n')
    read = read_judgments(path)
    assert read.questions == {"q1": "two\n# lines, or\n\nfour", "q2": "plain"}
    assert [notice.message for notice in read.notices] == [
        "file.txt: comment lines (starting with #) skipped: 1, the first on line 6: '# a comment'"
    ]


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ('query_id,relevant_ids,query\nq1,d1,"open\nq2,d2,b\nq3,d3,close"\n', 2, "looks like a row"),
        ('query_id,relevant_ids,query\nq1,d1,ok\nq2,d2,"never closed\nmore', 3, "does not end"),
        ('query_id,relevant_ids,query\nq1,d1,"k" in top-k\n', 2, "follows the closing quote"),
        ("query_id,relevant_ids\nq1,d1|d2\nq2,d1,d3\n", 3, "3 cells, and the header has 2"),
        ("query_id,relevant_ids\nq1,d1\nq2\n", 3, "1 cell, and the header has 2"),
        ("query_id,relevant_ids\nq1,d1||d2\n", 2, "id is empty"),
        ("query_id,relevant_ids\n,d1\n", 2, "query id is empty"),
        ("query_id,relevant_ids,query\nq1,d1,one\nq1,d2,two\n", 3, "two different texts"),
        ("query_id,query_id,relevant_ids\nq1,q1,d1\n", 1, "'query_id' twice"),
        ("query_id,relevant_ids\n", None, "no judgment below it"),
        ("qid,answer\nq1,d1\n", 1, "does not name the columns"),
    ],
)
def test_golden_table_errors(put, content, line, problem):
    with pytest.raises(InputFileError, match=problem) as caught:
        read_judgments(put(content))
    assert caught.value.line == line


def test_relevant_ids_in_json_lines(put):
    read = read_judgments(
        put(
            '{"query_id": "q1", "relevant_ids": ["a", "b|c"], "query": "Why?", "by": "me"}\n'
            '{"query_id": 7, "relevant_ids": [10, "010"]}\n'
        )
    )
    assert read.grades == {"q1": {"a": 1, "b|c": 1}, "7": {"10": 1, "010": 1}}
    assert read.questions == {"q1": "Why?"}
    assert sorted(codes(read)) == ["columns-ignored", "numbers-as-ids"]
    assert "2, the first on line 2" in next(n.message for n in read.notices if n.code == "numbers-as-ids")


@pytest.mark.parametrize(
    "record",
    [
        '{"query_id": "q1", "relevant_ids": null}',
        '{"query_id": "q1", "relevant_ids": 5}',
        '{"query_id": "q1", "relevant_ids": {"d1": 1}}',
        '{"query_id": "q1", "relevant_ids": [null]}',
        '{"query_id": "q1", "relevant_ids": [true]}',
        '{"query_id": "q1", "relevant_ids": [1.0]}',
        '{"query_id": "q1", "relevant_ids": [["d1"]]}',
        '{"query_id": "q1", "relevant_ids": [""]}',
        '{"query_id": "q1", "relevant_ids": ["d\\u00001"]}',
        '{"query_id": "q1", "relevant_ids": ["d\\n1"]}',
        '{"query_id": "q1", "relevant_ids": ["\\ud800"]}',
        '{"query_id": NaN, "relevant_ids": ["d1"]}',
        '{"query_id": "q1", "query_id": "q2", "relevant_ids": ["d1"]}',
        '{"query_id": "q1", "relevant": ["d1"]}',
        '{"relevant_ids": ["d1"]}',
        '{"query_id": "q1", "relevant_ids": ["d1"]} {"query_id": "q2", "relevant_ids": []}',
        '{"query_id": "q1", "relevant_ids": ["d1"], "query": 5}',
        "{'query_id': 'q1', 'relevant_ids': ['d1']}",
        '["q1", ["d1"]]',
        '"q1"',
        "[" * 100_000,
        '{"query_id": "q2", "relevant_ids": ' + "9" * 5000 + "}",
    ],
)
def test_json_line_errors_name_the_line(put, record):
    with pytest.raises(InputFileError) as caught:
        read_judgments(put('{"query_id": "q0", "relevant_ids": ["d"]}\n\n' + record + "\n"))
    assert caught.value.line == 3
    assert caught.value.hint


def test_the_same_judgment_twice_is_noticed_and_two_grades_are_an_error(put):
    read = read_judgments(put("q1 0 d1 1\nq1 0 d2 0\nq1 0 d1 1\n"))
    assert read.grades == {"q1": {"d1": 1, "d2": 0}}
    assert "1, the first on line 3" in read.notices[0].message
    with pytest.raises(
        InputFileError, match=r"line 4: document 'd2' has grade 1 .* grade 0 on line 2"
    ) as caught:
        read_judgments(put("q1 0 d1 1\nq1 0 d2 0\n\nq1 0 d2 1\n"))
    assert caught.value.line == 4


@pytest.mark.parametrize(
    "grade", ["0.5", "-", "", "one", "1_0", "0x1", "１", "1,0", "nan", "1e2", "--1", "9" * 5000]
)
def test_grades_that_are_no_whole_numbers(put, grade):
    with pytest.raises(InputFileError) as caught:
        read_judgments(put(f"query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t{grade}\n"))
    assert caught.value.line == 3


def test_whole_grades_written_as_decimals_are_named(put):
    read = read_judgments(put("q1 0 d1 1.0\nq1 0 d2 0.00\nq1 0 d3 2\nq1 0 d4 -1.\n"))
    assert read.grades == {"q1": {"d1": 1, "d2": 0, "d3": 2, "d4": -1}}
    assert codes(read) == ["grades-with-decimals"]


def test_an_id_in_the_grades_column_is_refused(put):
    with pytest.raises(InputFileError, match="too large for a grade"):
        read_judgments(put("3\t0\t1\n13\t0\t1606628\n"))
    assert read_judgments(put("q 0 d 1000000\n")).grades == {"q": {"d": 1_000_000}}


# ----------------------------------------------------------------------------------------------- runs


def test_trec_run(put):
    run = read_run(put("q1 Q0 d3 1 9.5 mine\nq1\tQ0\td1\t2\t-.5e1\tmine\nq2 Q0 NA 1 1e2 other\n"))
    assert results(run) == {"q1": [("d3", 9.5), ("d1", -5.0)], "q2": [("NA", 100.0)]}
    assert (run.name, run.notices) == ("mine", [])


def test_lines_of_a_query_may_stand_apart(put):
    run = read_run(put("q1 Q0 a 1 3 t\nq2 Q0 a 1 5 t\nq1 Q0 b 2 2 t\nq2 Q0 b 2 4 t\n"))
    assert results(run) == {"q1": [("a", 3.0), ("b", 2.0)], "q2": [("a", 5.0), ("b", 4.0)]}


def test_words_after_the_tag(put):
    path = put("q1 Q0 a 1 3 STANDARD more junk at\nq1 Q0 b 2 2 STANDARD\n")
    with pytest.raises(InputFileError, match="line 1: 9 fields"):
        read_run(path)
    run = read_run(path, extra_words=True)
    assert results(run) == {"q1": [("a", 3.0), ("b", 2.0)]}
    assert run.name == "STANDARD"


def test_run_tables(put):
    run = read_run(put('query_id,doc_id,score\n007,001,2\n007,"a,b",1\n', "mine.csv"))
    assert (results(run), run.name) == ({"007": [("001", 2.0), ("a,b", 1.0)]}, "mine")
    run = read_run(put("score\tdoc_id\tquery_id\n2.5\td 1\tq1\n", "mine.run.tsv.gz"))
    assert (results(run), run.name) == ({"q1": [("d 1", 2.5)]}, "mine.run")
    run = read_run(put("q1\td1\t2.5\nq1\td2\t1\n"))
    assert (results(run), codes(run)) == ({"q1": [("d1", 2.5), ("d2", 1.0)]}, ["no-header"])
    run = read_run(put("query_id;doc_id;score\nq1;d1;2.5\n"))
    assert (results(run), codes(run)) == ({"q1": [("d1", 2.5)]}, ["cell-separator"])


def test_run_table_with_spaces_and_quotes_around_ids(put):
    run = read_run(put('query_id\tdoc_id\tscore\nq1\t d1 \t2\nq1\t"d2"\t 1 \n'))
    assert results(run) == {"q1": [("d1", 2.0), ('"d2"', 1.0)]}
    assert codes(run) == ["spaces-dropped", "quotes-kept"]


def test_a_header_alone_is_no_run(put):
    path = put("query_id,doc_id,score\n# nothing\n")
    for read in (read_run, lambda path: list(read_run_in_pieces(path))):
        with pytest.raises(InputFileError, match="no result below it"):
            read(path)


def test_run_in_json_lines(put):
    run = read_run(
        put('{"query_id": "q1", "retrieved_ids": ["d3", "d1"]}\n{"query_id": "q2", "retrieved_ids": []}\n')
    )
    assert results(run) == {"q1": [("d3", 2.0), ("d1", 1.0)], "q2": []}
    with pytest.raises(InputFileError, match="'q1' stands twice, first on line 1") as caught:
        read_run(
            put('{"query_id": "q1", "retrieved_ids": ["a"]}\n{"query_id": "q1", "retrieved_ids": ["b"]}\n')
        )
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("score", "problem"),
    [
        ("nan", "not a number"),
        ("-NaN", "not a number"),
        ("inf", "infinite"),
        ("-Infinity", "infinite"),
        ("1e999", "too large"),
        ("1_000", "not a decimal number"),
        ("0x1F", "not a decimal number"),
        ("1,5", "decimal comma"),
        ("٣", "not a decimal number"),
        ("--1", "not a decimal number"),
        ("1e", "not a decimal number"),
        (".", "not a decimal number"),
        ("True", "not a decimal number"),
    ],
)
def test_scores_that_are_no_numbers(put, score, problem):
    with pytest.raises(InputFileError, match=problem) as caught:
        read_run(put(f"q1 Q0 a 1 3 t\nq1 Q0 b 2 {score} t\n"))
    assert caught.value.line == 2
    with pytest.raises(InputFileError, match=problem):
        read_run(put(f'query_id,doc_id,score\nq1,a,3\nq1,b,"{score}"\n'))


@pytest.mark.parametrize(
    "score", ["1e2", "-0.5", ".5", "5.", "+3", "1E-3", "007", "-3.2e-05", "0." + "1" * 300, "4" * 30]
)
def test_scores_are_read_as_python_reads_them(put, score):
    assert read_run(put(f"q1 Q0 b 1 {score} t\n")).scores.tolist() == [float(score)]


def test_a_rank_that_is_no_number_shows_that_columns_have_slipped(put):
    with pytest.raises(InputFileError, match="the rank 'report' is not a number") as caught:
        read_run(put("q1 Q0 a 1 3 t\nq1 Q0 IPCC report 1992 174.57\n"))
    assert caught.value.line == 2


def test_the_same_document_twice(put):
    path = put(
        "q1 Q0 A 1 9 t\nq2 Q0 A 1 9 t\nq2 Q0 B 2 8 t\n\nq2 Q0 A 3 9.5 t\nq2 Q0 B 4 7 t\nq1 Q0 A 2 8 t\n"
    )
    with pytest.raises(InputFileError, match=r"'A' stands twice for query 'q2', first on line 2") as caught:
        read_run(path)
    assert caught.value.line == 5
    run = read_run(path, duplicates="keep-best")
    assert results(run) == {"q1": [("A", 9.0)], "q2": [("B", 8.0), ("A", 9.5)]}
    notice = next(notice for notice in run.notices if notice.code == "repeats-dropped")
    assert "3 repeated results were dropped" in notice.message
    assert notice.ids == ("q1", "q2")
    with pytest.raises(InputFileError, match="line 1: document 'a' stands twice for query 'q1'"):
        read_run(put('{"query_id": "q1", "retrieved_ids": ["a", "b", "a"]}\n'))
    with pytest.raises(RecallLabError, match="duplicates is"):
        read_run(path, duplicates="keep-first")  # type: ignore[arg-type]


def test_a_rank_column_that_contradicts_the_score_is_counted(put):
    content = (
        "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\n"  # agrees
        "q2 Q0 a 1 1 t\nq2 Q0 b 2 2 t\nq2 Q0 c 3 3 t\n"  # contradicts
        "q3 Q0 a 2 5 t\nq3 Q0 b 1 5 t\n"  # a tie: nothing to contradict
        "q4 Q0 a 0 7 t\nq4 Q0 b 0 8 t\n"  # the same rank for all: says nothing
        "q5 Q0 b 2 7 t\nq5 Q0 a 1 8 t\n"  # not in order, but agreeing
    )
    [notice] = read_run(put(content)).notices
    assert notice.code == "rank-contradicts-score"
    assert notice.ids == ("q2",)
    assert "2 rows (queries: 1; the first: line 3, query q2)" in notice.message
    path = put("q1 Q0 a 9 9 t\nq1 Q0 a 1 10 t\n\nq2 Q0 a 1 1 t\nq2 Q0 b 2 2 t\n")
    [_, notice] = read_run(path, duplicates="keep-best").notices
    assert "the first: line 4, query q2" in notice.message
    [notice] = read_run(put("query_id,doc_id,rank,score\nq1,a,1,0.1\nq1,b,2,0.9\n")).notices
    assert notice.code == "rank-contradicts-score"


def test_judgments_and_run_swapped_are_told_apart(put):
    qrels, run = "q1 0 d1 1\n", "q1 Q0 d1 1 9.5 t\n"
    swapped = [
        (read_run, qrels),
        (read_run, "query-id\tcorpus-id\tscore\nq1\td1\t1\n"),
        (read_run, "query_id,relevant_ids\nq1,d1\n"),
        (read_run, '{"query_id": "q1", "relevant_ids": ["d1"]}\n'),
        (read_judgments, run),
        (read_judgments, "query_id,doc_id,score\nq1,d1,9.5\n"),
        (read_judgments, '{"query_id": "q1", "retrieved_ids": ["d1"]}\n'),
    ]
    for read, content in swapped:
        with pytest.raises(InputFileError, match="swapped") as caught:
            read(put(content))
        assert caught.value.line == 1


def test_a_space_in_an_id_is_not_taken_for_a_run(put):
    with pytest.raises(InputFileError, match="space inside an id"):
        read_judgments(put("q1 0 IPCC report 1992 1\n"))


# --------------------------------------------------------------------------------------------- pieces


def test_pieces_hold_whole_queries_and_make_up_the_run(put, monkeypatch):
    monkeypatch.setattr(text, "BLOCK_BYTES", 50)
    lines = [f"q{q} Q0 d{d} {d + 1} {9 - d} t\n" for q in range(20) for d in range(q % 7 + 1)]
    path = put("".join(lines))
    whole = results(read_run(path))
    for rows in (1, 5, 13, 1000):
        pieces = list(read_run_in_pieces(path, rows=rows))
        assert all(len(piece.scores) >= rows for piece in pieces[:-1])
        joined = [item for piece in pieces for item in results(piece).items()]
        assert joined == list(whole.items())
    with pytest.raises(RecallLabError, match="rows"):
        list(read_run_in_pieces(path, rows=0))


def test_a_query_that_comes_back_cannot_be_read_in_pieces(put):
    path = put("q1 Q0 a 1 3 t\nq2 Q0 a 1 5 t\nq1 Q0 b 2 2 t\n")
    with pytest.raises(InputFileError, match="'q1' comes back") as caught:
        list(read_run_in_pieces(path))
    assert caught.value.line == 3


# ------------------------------------------------------------------------------------ corpus, queries


def test_corpus(put):
    read = read_corpus(
        put(
            '{"_id": "d1", "title": "T", "text": "one"}\n{"_id": "d2", "text": ""}\n'
            '{"_id": "d1", "title": "T", "text": "one"}\n'
        )
    )
    assert read.passages == {"d1": ("T", "one"), "d2": ("", "")}
    assert codes(read) == ["record-repeated"]
    with pytest.raises(InputFileError, match="'d1' stands on line 1 with other words") as caught:
        read_corpus(put('{"_id": "d1", "text": "one"}\n{"_id": "d1", "text": "two"}\n'))
    assert caught.value.line == 2
    for record in (
        '{"_id": "d1"}',
        '{"text": "one"}',
        '{"_id": "d1", "text": null}',
        '{"_id": "d1", "text": "\\udc00"}',
    ):
        with pytest.raises(InputFileError):
            read_corpus(put(record + "\n"))


def test_queries(put):
    read = read_queries(
        put(
            '{"_id": "q1", "text": "One?", "metadata": {"type": "list"}}\n'
            '{"_id": "q2", "text": "Two?", "metadata": {}}\n'
        )
    )
    assert (read.texts, read.types) == ({"q1": "One?", "q2": "Two?"}, {"q1": "list"})
    read = read_queries(put('q1\t"what is recall\nq2\tplain\nq3\tthe "k"\tin top-k\n'))
    assert read.texts == {"q1": '"what is recall', "q2": "plain", "q3": 'the "k"\tin top-k'}
    assert codes(read) == ["tabs-kept"]
    read = read_queries(put("query-id\ttext\nq1\tOne?\n"))
    assert (read.texts, codes(read)) == ({"q1": "One?"}, ["header-taken"])
    with pytest.raises(InputFileError, match="no tab on this line") as caught:
        read_queries(put("q1\tOne?\nq2 Two?\n"))
    assert caught.value.line == 2


# ----------------------------------------------------------------------------------------- text files


def test_windows_lines_byte_order_mark_comments_and_no_last_line_end(put):
    expected = {"q1": {"d1": 1, "d2": 0}}
    for content in (
        b"q1 0 d1 1\r\nq1 0 d2 0\r\n",
        b"\xef\xbb\xbfq1 0 d1 1\nq1 0 d2 0",
        b"# by hand\n\n  \t\nq1 0 d1 1\n#q9 0 d9 1\nq1 0 d2 0",
        b"q1 0 d1 1\r\nq1 0 d2 0\r",
        b"\xef\xbb\xbf\xef\xbb\xbfq1 0 d1 1\n\xef\xbb\xbfq1 0 d2 0\n",
    ):
        assert read_judgments(put(content)).grades == expected
    assert codes(read_judgments(put(b"\xef\xbb\xbfq1 0 d1 1\r\n"))) == []
    assert codes(read_judgments(put(b"q1 0 d1 1\n\xef\xbb\xbfq1 0 d2 0\n"))) == ["byte-order-mark"]
    [notice] = read_judgments(put("# by hand\nq1 0 d1 1\n# end\n")).notices
    assert "skipped: 2, the first on line 1: '# by hand'" in notice.message


def test_gzip_by_content_not_by_name(put):
    packed = gzip.compress(b"q1 0 d1 1\n", mtime=0)
    assert codes(read_judgments(put(packed, "q.gz"))) == []
    assert codes(read_judgments(put(packed, "q.txt"))) == ["gz-name"]
    assert codes(read_judgments(put("q1 0 d1 1\n", "q.gz"))) == ["gz-name"]
    assert read_judgments(put(packed + gzip.compress(b"q2 0 d1 1\n", mtime=0), "q.gz")).grades.keys() == {
        "q1",
        "q2",
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf", "no data"),
        (b"\n# only\n  \n", "no data"),
        (gzip.compress(b"q1 0 d1 1\n" * 1000, mtime=0)[:-20], "cut off"),
        (gzip.compress(b"q1 0 d1 1\n", mtime=0)[:-8] + b"\0" * 8, "damaged"),
        (gzip.compress(b"q1 0 d1 1\n", mtime=0) + b"junk", "damaged"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (bz2.compress(b"q1 0 d1 1\n"), "bzip2"),
        (b"PK\x03\x04\x14\x00\x00\x00", "zip archive"),
        ("q1 0 d1 1\n".encode("utf-16"), "UTF-16"),
        ("q1 0 d1 1\n".encode("utf-16-le"), "NUL"),
        ("q1 0 d1 1\n".encode("utf-32"), "UTF-16|UTF-32|NUL"),
        (b"q1 0 d1 1\nq1 0 caf\xe9 1\n", "line 2: byte 0xe9 is not UTF-8"),
        (b"q1 0 d1 1\nq1 0 d\x00 1\n", "line 2: a NUL byte"),
        (b"q1 0 d1 1\rq1 0 d2 1\r", "carriage return"),
        (b"q1 0 d\x0b1 1\n", r"control character U\+000B"),
        (b"\x00" * 100, "NUL"),
        (b"a", "1 field"),
    ],
)
def test_files_that_are_no_text(put, content, problem):
    with pytest.raises(InputFileError, match=problem):
        read_judgments(put(content))
    with pytest.raises(InputFileError):
        read_run(put(content))


def test_names_that_look_like_other_kinds_of_file_are_still_ids(put):
    assert read_judgments(put("PAR1 0 d1 1\nBZh9 0 d1 1\n[1] 0 d1 1\n")).grades.keys() == {
        "PAR1",
        "BZh9",
        "[1]",
    }


def test_missing_file_folder_and_strange_paths(tmp_path, put):
    put("q1 0 d1 1\n", "qrels.txt")
    with pytest.raises(InputFileError, match=r"did you mean .*qrels\.txt\?"):
        read_judgments(tmp_path / "qrel.txt")
    with pytest.raises(InputFileError, match="does not exist"):
        read_judgments(tmp_path / "nowhere" / "qrels.txt")
    with pytest.raises(InputFileError, match="this is a folder"):
        read_judgments(tmp_path)
    with pytest.raises(InputFileError):
        read_judgments("a\0b")
    with pytest.raises(RecallLabError, match="a file is named by"):
        read_judgments(3)  # type: ignore[arg-type]


def test_no_permission(put, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    path = put("q1 0 d1 1\n")
    monkeypatch.setattr(text, "open", refuse, raising=False)  # chmod does not stop root
    with pytest.raises(InputFileError, match="may not be read"):
        read_judgments(path)


def test_a_line_without_end(put, monkeypatch):
    monkeypatch.setattr(text, "BLOCK_BYTES", 64)
    monkeypatch.setattr(text, "LONGEST_LINE_BYTES", 256)
    with pytest.raises(InputFileError, match="longer than") as caught:
        read_judgments(put("q1 0 d1 1\n" * 10 + "x" * 1000))
    assert caught.value.line == 11
    assert read_judgments(put("q1 0 " + "x" * 200 + " 1\n")).grades == {"q1": {"x" * 200: 1}}


# -------------------------------------------------------------------------------------------- writing


def test_runs_read_back_with_the_same_scores(tmp_path):
    scores = [1e300, 12.000000000000002, 1 / 3, 0.1 + 0.2, 5e-324, -0.0, -1e-7]
    documents = [f"d{i}" for i in range(len(scores))]
    for name in ("r.run", "r.run.gz", "r.csv", "r.tsv.gz"):
        path = tmp_path / name
        assert (
            write_run(path, [("q1", documents, scores), (2, [7, 8], np.array([2, 1]))], name="my run") == []
        )
        run = read_run(path)
        assert results(run) == {
            "q1": list(zip(documents, scores, strict=True)),
            "2": [("7", 2.0), ("8", 1.0)],
        }
        assert run.notices == []
    assert read_run(tmp_path / "r.run").name == "my_run"
    assert read_run(tmp_path / "r.csv").name == "r"


def test_a_list_is_written_with_descending_scores(tmp_path):
    write_run(tmp_path / "r.run", [("q1", ["b", "a"], None)])
    assert (tmp_path / "r.run").read_text() == "q1 Q0 b 1 2.0 recall_lab\nq1 Q0 a 2 1.0 recall_lab\n"
    write_run(tmp_path / "r.jsonl", [("q1", ["b", "a"], None), ("q2", [], None)])
    assert results(read_run(tmp_path / "r.jsonl")) == {"q1": [("b", 2.0), ("a", 1.0)], "q2": []}


def test_what_a_format_cannot_hold_is_said(tmp_path):
    [notice] = write_run(tmp_path / "r.run", [("q1", ["a"], None), ("q2", [], None)])
    assert (notice.code, notice.ids) == ("queries-without-results", ("q2",))
    [notice] = write_judgments(tmp_path / "q.tsv", {"q1": {"a": 1}, "q2": {}})
    assert (notice.code, notice.ids) == ("queries-without-judgments", ("q2",))


@pytest.mark.parametrize(
    ("name", "query", "document", "problem"),
    [
        ("r.run", "q 1", "d", "query id 'q 1'"),
        ("r.run", "q", "d 1", "document id 'd 1'"),
        ("r.run", "q", "d\t1", "control character"),
        ("r.run", "q", "d\n1", "control character"),
        ("r.run", "q", "", "is empty"),
        ("r.run", "#q", "d", "begins with '#'"),
        ("r.run", "\ufeffq", "d", "begins with"),
        ("r.run", "{q", "d", "as JSON"),
        ("r.run", "qid", "d", "as a header"),
        ("r.csv", " q", "d", "spaces around"),
        ("r.csv", "q", "d ", "spaces around"),
        ("r.tsv", "#q", "d", "begins with '#'"),
        ("r.jsonl", "q", "d\0", "control character"),
        ("r.jsonl", "q", "\ud800", "surrogate"),
        ("r.jsonl", 1.5, "d", "whole number"),
        ("r.jsonl", True, "d", "whole number"),
        ("r.jsonl", "q", None, "whole number"),
    ],
)
def test_ids_that_a_run_cannot_hold_are_named_and_nothing_is_written(
    tmp_path, name, query, document, problem
):
    with pytest.raises(RecallLabError, match=problem):
        write_run(tmp_path / name, [(query, [document], None)])
    assert list(tmp_path.iterdir()) == []


def test_scores_and_grades_that_cannot_be_written(tmp_path):
    for score in (float("nan"), float("inf")):
        with pytest.raises(RecallLabError, match="finite"):
            write_run(tmp_path / "r.run", [("q", ["d"], [score])])
    for grade in (0.5, True, 10**7):
        with pytest.raises(RecallLabError, match="grade"):
            write_judgments(tmp_path / "q.txt", {"q": {"d": grade}})
    with pytest.raises(RecallLabError, match="write_golden"):
        write_judgments(tmp_path / "q.csv", {"q": {"d": 1}})


def test_judgments_read_back(tmp_path):
    grades = {"001": {"NA": 2, "d,1": 0}, "1": {"None": -1, "#d": 1}}
    for name in ("q.txt", "q.tsv", "q.qrels.gz"):
        assert write_judgments(tmp_path / name, grades) == []
        read = read_judgments(tmp_path / name)
        assert (read.grades, read.notices) == (grades, [])
    spaced = {"q 1": {"d 1": 1}}
    write_judgments(tmp_path / "s.tsv", spaced)
    assert read_judgments(tmp_path / "s.tsv").grades == spaced


def test_golden_sets_read_back(tmp_path):
    relevant = {"001": ["NA", "1"], "2": []}
    questions = {"001": 'Is it "so", or\nnot?', "2": ""}
    for name in ("g.csv", "g.jsonl", "g.csv.gz"):
        write_golden(tmp_path / name, relevant, questions)
        read = read_judgments(tmp_path / name)
        assert read.grades == {"001": {"NA": 1, "1": 1}, "2": {}}
        assert (read.questions, read.notices) == (questions, [])
    write_golden(tmp_path / "g.tsv", relevant)
    assert read_judgments(tmp_path / "g.tsv").grades == {"001": {"NA": 1, "1": 1}, "2": {}}
    for document in ("a|b", "a,b", "a;b", "a b"):
        with pytest.raises(RecallLabError, match="separator of ids"):
            write_golden(tmp_path / "h.csv", {"q": [document]})
        write_golden(tmp_path / "h.jsonl", {"q": [document]})
        assert read_judgments(tmp_path / "h.jsonl").grades == {"q": {document: 1}}
    for name, question in (("h.csv", "a\rb"), ("h.csv", "a\nb,c\nd"), ("h.tsv", "a\tb"), ("h.tsv", "a\nb")):
        with pytest.raises(RecallLabError, match="jsonl"):
            write_golden(tmp_path / name, {"q": ["d"]}, {"q": question})
    with pytest.raises(RecallLabError, match=r"\.csv, \.tsv or \.jsonl"):
        write_golden(tmp_path / "g.txt", relevant)


def test_corpus_and_queries_read_back(tmp_path):
    passages = {"1": ("", "a\nb\u2028c"), "001": ("T\t", 'say "x"\x00')}
    write_corpus(tmp_path / "corpus.jsonl", passages)
    assert read_corpus(tmp_path / "corpus.jsonl").passages == passages
    texts, types = {"q1": "Why\r?", "q2": ""}, {"q1": "list"}
    write_queries(tmp_path / "queries.jsonl.gz", texts, types)
    read = read_queries(tmp_path / "queries.jsonl.gz")
    assert (read.texts, read.types) == (texts, types)


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "r.run"
    write_run(path, [("q1", ["a"], None)])
    before = path.read_bytes()

    def rows():
        yield "q1", ["b"] * 1, None
        raise RuntimeError("the system broke down")

    with pytest.raises(RuntimeError):
        write_run(path, rows())
    with pytest.raises(RecallLabError):
        write_run(path, [("q1", ["b"], None), ("q 2", ["b"], None)])
    with pytest.raises(RecallLabError, match="surrogate"):
        write_corpus(path, {"d": ("", "\ud800")})
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.run"]


def test_a_rewritten_file_keeps_its_permissions_and_its_link(tmp_path):
    path, link = tmp_path / "r.run", tmp_path / "link.run"
    write_run(path, [("q1", ["a"], None)])
    path.chmod(0o640)
    link.symlink_to(path)
    write_run(link, [("q1", ["b"], None)])
    assert link.is_symlink()
    assert path.read_text().startswith("q1 Q0 b")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_rewritten_file_is_a_new_file_so_that_nobody_reads_half_of_it(tmp_path):
    path = tmp_path / "r.run"
    write_run(path, [("q1", ["a"], None)])
    with path.open() as reader:
        write_run(path, [("q1", ["b"], None)])
        assert reader.read().startswith("q1 Q0 a")


def test_places_that_cannot_be_written(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "nowhere" / "r.run", tmp_path / "pipe"):
        with pytest.raises(FolderError):
            write_run(path, [("q1", ["a"], None)])
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


def test_the_same_content_gives_the_same_compressed_file(tmp_path):
    for name in ("a.gz", "b.gz"):
        write_run(tmp_path / name, [("q1", ["a"], None)])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert (tmp_path / "a.gz").read_bytes()[4:8] == bytes(4)  # no date


# ---------------------------------------------------------------------------------------- large files


def test_a_large_file_is_read_by_polars_where_it_is_installed(put, monkeypatch):
    used = []
    reader = runs._polars_reader()
    assert reader is not None, "the extra scale belongs to the development set"
    monkeypatch.setattr(runs, "LARGE_FILE_LINES", 0)
    monkeypatch.setattr(runs, "_polars_reader", lambda: lambda *given: used.append(given) or reader(*given))
    run = read_run(put("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n"))
    assert results(run) == {"q1": [("a", 3.0), ("b", 2.0)]}
    assert len(used) == 1


def test_without_polars_a_large_file_is_read_all_the_same(put, monkeypatch):
    monkeypatch.setattr(runs, "LARGE_FILE_LINES", 0)
    monkeypatch.setattr(runs, "_polars_reader", lambda: None)
    assert results(read_run(put("q1 Q0 a 1 3 t\n"))) == {"q1": [("a", 3.0)]}


RUN_LINES = "".join(f"q{i // 1000} Q0 document-{i} {i % 1000} {1000 - i % 1000} t\n" for i in range(30_000))


@pytest.mark.parametrize(
    ("read", "content", "multiple"),
    [
        (read_run, RUN_LINES, 6),
        (read_run, "# not clean\n" + RUN_LINES.replace("\n", " \n"), 6),
        (read_run, RUN_LINES + "q Q0 " + "x" * 500_000 + " 1 2 t\n", 6),
        (read_judgments, "".join(f"q{i // 100} 0 document-{i} 1\n" for i in range(30_000)), 10),
        (read_corpus, "".join(f'{{"_id": "d{i}", "text": "{"word " * 20}"}}\n' for i in range(20_000)), 6),
        (read_run, "\n" * 1_000_000, 6),
        (read_judgments, "[" * 1_000_000, 6),
    ],
    ids=["clean run", "other run", "one long id", "judgments", "corpus", "blank lines", "brackets"],
)
def test_memory_stays_a_small_multiple_of_the_file(put, monkeypatch, read, content, multiple):
    monkeypatch.setattr(text, "BLOCK_BYTES", 2**18)
    path = put(content)
    del content
    tracemalloc.start()
    try:
        read(path)
    except InputFileError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < multiple * path.stat().st_size + 4 * 2**20


def test_a_small_compressed_file_cannot_fill_the_memory(put, monkeypatch):
    monkeypatch.setattr(text, "LONGEST_LINE_BYTES", 2**20)
    for content, problem in ((b"x" * 2**26, "longer than"), (b"\n" * 2**26, "no data")):
        path = put(gzip.compress(content, mtime=0), "bomb.gz")
        tracemalloc.start()
        with pytest.raises(InputFileError, match=problem):
            read_run(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20 * 2**20
