"""Faults met in the field, each kind with inputs of our own, through the front door: load, read, evaluate.

One section per kind of fault. Files are written as a user would have them; a right answer is a number worked
out by hand, a notice by its code, or an error that names the place.
"""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import pytest

from recall_lab import GoldenDataset, Run, evaluate
from recall_lab.errors import FolderError, InputFileError, NoCommonQueriesError, RecallLabError
from recall_lab.formats import read_corpus, read_judgments, read_queries, read_run
from recall_lab.formats import text as text_files

MARK = b"\xef\xbb\xbf"


@pytest.fixture
def folder(tmp_path):
    """Write files by name and return the folder."""

    def write(**files: str | bytes) -> Path:
        for name, content in files.items():
            # "run_txt" becomes run.txt, "run_csv_gz" run.csv.gz
            path = tmp_path / name.replace("_", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write


def measure(path: Path, qrels: str = "qrels.txt", run: str = "run.txt", **choices):
    """Evaluate a folder's run against its judgments."""
    min_grade = choices.pop("min_grade", None)
    golden = GoldenDataset.load(path / qrels, min_grade=min_grade)
    return evaluate(golden, Run.read(path / run), **choices)


def refused(read, path: Path, *named: str, line: int | None = None) -> None:
    """Reading raises our own error, which names all of ``named`` and the line."""
    with pytest.raises(InputFileError) as caught:
        read(path)
    assert path.name in str(caught.value)
    for text in named:
        assert text in str(caught.value)
    if line is not None:
        assert caught.value.line == line


def codes(thing) -> list[str]:
    return [notice.code for notice in thing.notices]


def trec(*results: str) -> str:
    """TREC lines from ``"query document score"``, ranked as given."""
    ranks: dict[str, int] = {}
    lines = []
    for result in results:
        query, document, score = result.split()
        ranks[query] = ranks.get(query, 0) + 1
        lines.append(f"{query} Q0 {document} {ranks[query]} {score} own\n")
    return "".join(lines)


# --------------------------------------------------------------- a document with the query's id (M01)


@pytest.mark.parametrize("id_", ["drill", "001", "NA", "q-7"])
def test_a_document_with_the_querys_id_is_a_document(folder, id_):
    path = folder(
        qrels_txt=f"{id_} 0 {id_} 1\n{id_} 0 other 1\n",
        run_txt=trec(f"{id_} {id_} 3", f"{id_} other 2", f"{id_} third 1"),
    )
    e = measure(path)
    assert (e.recall(1), e.recall(2), e.precision(2), e.ndcg(2), e.reciprocal_rank()) == (0.5, 1, 1, 1, 1)


def test_a_document_with_the_querys_id_in_tables_and_json_lines(folder):
    path = folder(
        golden_csv="query_id,relevant_ids\n5,5|6\n",
        run_jsonl='{"query_id": "5", "retrieved_ids": ["5", "9", "6"]}\n',
        run_csv="query_id,doc_id,score\n5,5,2\n5,6,1\n",
    )
    assert measure(path, "golden.csv", "run.jsonl").recall(1) == 0.5
    assert measure(path, "golden.csv", "run.csv").recall(2) == 1


# ---------------------------------------------------------------------- the same document twice (M02)


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (trec("q a 9", "q b 8", "q a 7"), 3),
        (trec("q a 9", "r a 8", "r b 7", "q a 6"), 4),
        (trec("q a 5", "q a 5"), 2),
        ("query_id,doc_id,score\nq,b,1\nq,a,3\nq,a,2\n", 4),
        ('{"query_id": "q", "retrieved_ids": ["a", "b", "a"]}\n', 1),
    ],
)
def test_a_repeated_result_is_named_and_never_counts_twice(folder, run, line):
    path = folder(qrels_txt="q 0 a 1\n", run_txt=run)
    refused(Run.read, path / "run.txt", "'a'", "'q'", "keep-best", line=line)
    run = Run.read(path / "run.txt", duplicates="keep-best")
    assert codes(run) == ["repeats-dropped"]
    e = evaluate(GoldenDataset.load(path / "qrels.txt"), run)
    assert e.recall(3) == 1
    assert run.ranking("q").count("a") == 1


def test_the_best_of_repeated_results_is_kept(folder):
    path = folder(run_txt=trec("q a 1", "q b 2", "q a 3"))
    assert Run.read(path / "run.txt", duplicates="keep-best").ranking("q") == ["a", "b"]


# ----------------------------- recall, capped recall, precision and hit rate told apart (M03 M05 M06)


@pytest.mark.parametrize(("relevant", "k"), [(5, 2), (7, 3), (20, 10), (3, 3)])
def test_a_perfect_top_is_not_recall_one(folder, relevant, k):
    path = folder(
        qrels_txt="".join(f"q 0 d{i} 1\n" for i in range(relevant)),
        run_txt=trec(*(f"q d{i} {99 - i}" for i in range(k))),
    )
    e = measure(path)
    assert e.recall(k) == e.ceiling(k) == k / relevant
    assert e.capped_recall(k) == e.precision(k) == 1


@pytest.mark.parametrize("ranks", [(1, 2), (2, 4), (1, 5), (3,)])
def test_recall_never_falls_as_k_grows_and_precision_has_its_own_name(folder, ranks):
    path = folder(
        qrels_txt="".join(f"q 0 r{i} 1\n" for i in range(5)),
        run_txt=trec(*(f"q {'r' if i in ranks else 'x'}{i % 5} {9 - i}" for i in range(1, 6))),
    )
    e = measure(path)
    hits = [sum(rank <= k for rank in ranks) for k in range(1, 6)]
    assert e.curve(5).tolist() == [hit / 5 for hit in hits]
    assert e.curve(5, "precision").tolist() == [hit / k for k, hit in enumerate(hits, start=1)]


@pytest.mark.parametrize(("relevant", "recall"), [((4, 1), 0.625), ((2, 2), 0.5), ((10, 5, 1), 1.3 / 3)])
def test_hit_rate_is_not_recall(folder, relevant, recall):
    path = folder(
        qrels_txt="".join(f"q{q} 0 d{i} 1\n" for q, count in enumerate(relevant) for i in range(count)),
        run_txt=trec(
            *(f"q{q} {d} {s}" for q in range(len(relevant)) for d, s in (("x", 9), ("d0", 8), ("y", 7)))
        ),
    )
    e = measure(path)
    assert e.recall(3) == pytest.approx(recall)
    assert e.hit_rate(3) == 1


# ----------------------------------------------------------- queries without relevant documents (M13)


@pytest.mark.parametrize(
    ("name", "judgments"),
    [
        ("qrels.txt", "q1 0 d1 1\nq2 0 d1 0\n"),
        ("qrels.txt", "q2 0 d1 -1\nq1 0 d1 1\n"),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td9\t0\nq2\td1\t0\n"),
        ("golden.csv", "query_id,relevant_ids\nq1,d1\nq2,\n"),
        (
            "golden.jsonl",
            '{"query_id": "q1", "relevant_ids": ["d1"]}\n{"query_id": "q2", "relevant_ids": []}\n',
        ),
    ],
)
def test_a_query_without_relevant_documents_is_excluded_and_listed(folder, name, judgments):
    path = folder(**{name.replace(".", "_"): judgments}, run_txt=trec("q1 d1 2", "q2 d1 2"))
    e = measure(path, name)
    assert (e.recall(1), e.n, e.excluded) == (1, 1, ["q2"])


# ----------------------------------------------------------------- queries missing from the run (M14)


@pytest.mark.parametrize(
    ("run", "unanswered", "recall"),
    [
        (trec("q1 a 2"), ["q2", "q3"], 1 / 3),
        (trec("q3 a 2", "q1 a 1"), ["q2"], 2 / 3),
        ('{"query_id": "q2", "retrieved_ids": ["a"]}\n', ["q1", "q3"], 1 / 3),
        ("query_id,doc_id,score\nq1,x,1\nq3,a,1\n", ["q2"], 1 / 3),
    ],
)
def test_a_query_missing_from_the_run_counts_zero_and_is_listed(folder, run, unanswered, recall):
    path = folder(qrels_txt="q1 0 a 1\nq2 0 a 1\nq3 0 a 1\n", run_txt=run)
    e = measure(path)
    assert e.recall(1) == pytest.approx(recall)
    assert e.unanswered == unanswered
    answered = 3 - len(unanswered)
    assert measure(path, unanswered="skip").recall(1) == pytest.approx(recall * 3 / answered)


def test_an_empty_list_of_results_counts_zero(folder):
    path = folder(
        qrels_txt="q1 0 a 1\nq2 0 a 1\n",
        run_jsonl='{"query_id": "q1", "retrieved_ids": ["a"]}\n{"query_id": "q2", "retrieved_ids": []}\n',
    )
    assert measure(path, run="run.jsonl").recall(5) == 0.5


# -------------------------------------------------------------------------------- the threshold (M16)


@pytest.mark.parametrize(("min_grade", "recall"), [(1, 2 / 4), (2, 1 / 3), (3, 1 / 2), (4, 1)])
def test_the_threshold_is_obeyed(folder, min_grade, recall):
    path = folder(
        qrels_txt="q 0 a 1\nq 0 b 2\nq 0 c 3\nq 0 d 4\nq 0 e 0\nq 0 f -2\n",
        run_txt=trec("q a 9", "q f 8", "q d 7"),
    )
    e = measure(path, min_grade=min_grade)
    assert e.recall(3) == pytest.approx(recall)
    assert e.min_grade == min_grade


def test_an_assumed_threshold_is_named_and_a_stored_one_is_used(folder):
    path = folder(qrels_txt="q 0 a 1\nq 0 b 2\n", run_txt=trec("q b 9"))
    assert codes(GoldenDataset.load(path / "qrels.txt")) == ["min-grade-assumed"]
    GoldenDataset.load(path / "qrels.txt", min_grade=2).save(path / "stored")
    golden = GoldenDataset.load(path / "stored")
    assert (evaluate(golden, Run.read(path / "run.txt")).recall(1), codes(golden)) == (1, [])


# --------------------------------------------------------------------------- ties at the cutoff (M18)


@pytest.mark.parametrize(
    ("run", "first"),
    [
        (trec("q a 1", "q b 1"), "b"),
        (trec("q b 1", "q a 1"), "b"),
        (trec("q 9 1.0", "q 10 1.00"), "9"),
        (trec("q Z 1e0", "q a 1"), "a"),
        ("query_id,doc_id,score\nq,b,0.5\nq,c,.5\n", "c"),
    ],
)
def test_ties_follow_one_rule_and_are_reported(folder, run, first):
    path = folder(qrels_txt=f"q 0 {first} 1\n", run_txt=run)
    e = measure(path)
    assert e.recall(1) == 1
    tie = e.ties(1)
    assert (tie.worst, tie.best, tie.query_ids) == (0, 1, ["q"])


# ------------------------------------------------------------------ the rank column contradicts (M20)


@pytest.mark.parametrize(
    "run",
    [
        "q Q0 a 1 0.1 t\nq Q0 b 2 0.9 t\n",
        "q Q0 b 7 0.9 t\nq Q0 a 3 0.1 t\n",
        "q Q0 a 0 -5 t\nq Q0 b 1 1e-3 t\n",
        "query_id,doc_id,rank,score\nq,a,1,1\nq,b,2,2\n",
    ],
)
def test_the_score_decides_and_the_contradiction_is_reported(folder, run):
    path = folder(qrels_txt="q 0 a 1\n", run_txt=run)
    e = measure(path)
    assert (e.recall(1), e.reciprocal_rank()) == (0, 0.5)
    assert "rank-contradicts-score" in codes(e)


# ----------------------------------------------------------------- commas and spaces inside ids (F01)


@pytest.mark.parametrize(
    "document", ["Smith,_John", "a,b,c", "https://x.org/?a=1,2;b", "naïve,…", "doc#3", 'say"hi"']
)
def test_a_comma_in_an_id_is_part_of_it(folder, document):
    quoted = '"' + document.replace('"', '""') + '"'
    path = folder(
        qrels_txt=f"q 0 {document} 1\n",
        qrels_tsv=f"query-id\tcorpus-id\tscore\nq\t{document}\t1\n",
        golden_jsonl='{"query_id": "q", "relevant_ids": [' + '"' + document.replace('"', '\\"') + '"]}\n',
        run_txt=trec(f"q {document} 2", "q x 1"),
        run_csv=f"query_id,doc_id,score\nq,{quoted},2\n",
    )
    for qrels in ("qrels.txt", "qrels.tsv", "golden.jsonl"):
        for run in ("run.txt", "run.csv"):
            assert measure(path, qrels, run).recall(1) == 1


@pytest.mark.parametrize(
    ("run", "line", "fields"),
    [
        ("q Q0 Annual report 1 12.5 t\n", 1, "7 fields"),
        ("q Q0 a 1 13 t\nq\tQ0\tAnnual report 2021\t2\t12.5\tt\n", 2, "8 fields"),
        ("q 1 Q0 a 1 13 t\n", 1, "7 fields"),
        ("q Q0 a 1 13 t\nq Q0 Annual report 2 12.5\n", 2, "rank 'report'"),
    ],
)
def test_a_space_in_an_id_of_a_run_is_named(folder, run, line, fields):
    refused(Run.read, folder(run_txt=run) / "run.txt", fields, "space", line=line)


@pytest.mark.parametrize(
    ("qrels", "line"), [("q 0 a 1\nq 0 Annual report 1\n", 2), ("q 0 a b c 1\n", 1), ("my query 0 a 1\n", 1)]
)
def test_a_space_in_an_id_of_judgments_is_named(folder, qrels, line):
    refused(GoldenDataset.load, folder(qrels_txt=qrels) / "qrels.txt", "space", line=line)


def test_formats_that_can_hold_spaces_do(folder):
    path = folder(
        qrels_tsv="query-id\tcorpus-id\tscore\nq 1\tAnnual report\t1\n",
        run_tsv="query_id\tdoc_id\tscore\nq 1\tAnnual report\t2\n",
    )
    assert measure(path, "qrels.tsv", "run.tsv").recall(1) == 1


# --------------------------------------------------------- unreadable grades and missing fields (F03)


@pytest.mark.parametrize(
    ("qrels", "line", "text"),
    [
        ("q 0 a 1\nq 0 b ?\n", 2, "q 0 b ?"),
        ("q 0 a 1\n\nq 0 b yes\n", 3, "q 0 b yes"),
        ("q 0 a 1\nq 0 b\n", 2, "q 0 b"),
        ("q 0 a\n", 1, "q 0 a"),
        ("# note\nq\t0\ta\t1\nq\t0\tb\t\n", 3, "q\\t0\\tb"),
        ("q 0 a 1\nq 0 b 1;\n", 2, "1;"),
        ("query-id\tcorpus-id\tscore\nq\ta\t\n", 2, "q\\ta"),
        ("query-id\tcorpus-id\tscore\nq\ta\n", 2, "q\\ta"),
        ("query-id\tcorpus-id\tscore\nq\t\t1\n", 2, "q\\t\\t1"),
        ("q\ta\t1\nq\tb\tn/a\n", 2, "n/a"),
    ],
)
def test_an_unreadable_grade_or_a_missing_field_is_named(folder, qrels, line, text):
    refused(GoldenDataset.load, folder(qrels_txt=qrels) / "qrels.txt", text, f"line {line}", line=line)


# ----------------------------------------------------------------------------- byte order marks (F05)


@pytest.mark.parametrize(
    ("name", "judgments"),
    [
        ("qrels.txt", MARK + b"q1 0 a 1\r\nq1 0 b 1\r\n"),
        ("qrels.tsv", MARK + b"q1\ta\t1\nq1\tb\t1\n"),
        ("golden.csv", MARK + b"query_id,relevant_ids\r\nq1,a|b\r\n"),
        ("golden.csv", MARK + b'"query_id","relevant_ids"\nq1,"a|b"\n'),
        ("golden.jsonl", MARK + b'{"query_id": "q1", "relevant_ids": ["a", "b"]}\n'),
        ("qrels.txt", gzip.compress(MARK + b"q1 0 a 1\nq1 0 b 1\n", mtime=0)),
        ("qrels.txt", MARK + b"# by hand\nq1 0 a 1\nq1 0 b 1\n"),
        ("qrels.txt", b"q1 0 a 1\n" + MARK + b"q1 0 b 1\n"),
    ],
)
def test_a_byte_order_mark_is_not_part_of_an_id(folder, name, judgments):
    path = folder(**{name.replace(".", "_"): judgments}, run_txt=MARK + trec("q1 a 3").encode())
    assert measure(path, name).recall(1) == 0.5


def test_a_byte_order_mark_before_texts(folder):
    path = folder(q_jsonl=MARK + b'{"_id": "q1", "text": "One?"}\n', q_tsv=MARK + b"q1\tOne?\n")
    assert read_queries(path / "q.jsonl").texts == read_queries(path / "q.tsv").texts == {"q1": "One?"}
    path = folder(c_jsonl=MARK + b'{"_id": "d1", "text": "x"}\n')
    assert list(read_corpus(path / "c.jsonl").passages) == ["d1"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_unicode_encodings_are_named(folder, encoding):
    refused(Run.read, folder(run_txt=trec("q a 1").encode(encoding)) / "run.txt", "UTF-8")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "shift-jis"])
def test_old_encodings_are_named_with_the_line(folder, encoding):
    word = "日本" if encoding == "shift-jis" else "café"
    content = ("q 0 a 1\nq 0 " + word + " 1\n").encode(encoding)
    refused(GoldenDataset.load, folder(qrels_txt=content) / "qrels.txt", "not UTF-8", line=2)


# ------------------------------------------------------------------------- files without header (F07)


@pytest.mark.parametrize(
    "judgments",
    [
        "q1\ta\t1\nq2\tb\t1\nq3\tc\t1\n",
        "001\ta\t1\n01\tb\t1\n1\tc\t1\n",
        "q1,a,1\nq2,b,1\nq3,c,1\n",
        "# no header here\nq1\ta\t1\r\nq2\tb\t1\r\nq3\tc\t1",
        "q1\ta\t1.0\nq2\tb\t1.0\nq3\tc\t1.0\n",
    ],
)
def test_the_first_line_of_a_file_without_header_is_kept(folder, judgments):
    golden = GoldenDataset.load(folder(qrels_tsv=judgments) / "qrels.tsv")
    assert len(golden.judgments) == 3
    assert "no-header" in codes(golden)
    first = next(iter(golden.judgments))
    run = Run({query: [document] for query, judged in golden.judgments.items() for document in judged})
    assert golden.relevant(first) == {"a"}
    assert evaluate(golden, run).recall(1) == 1


@pytest.mark.parametrize(
    "header",
    [
        "query-id\tcorpus-id\tscore",
        "query_id\tdoc_id\trelevance",
        "QID\tDocNo\tRel",
        "corpus-id\tscore\tquery-id",
    ],
)
def test_a_header_is_no_judgment(folder, header):
    columns = {"q": "q1", "c": "a", "d": "a", "s": "1", "r": "1"}
    line = "\t".join(columns[name[0].lower()] for name in header.split("\t"))
    path = folder(qrels_tsv=f"{header}\n{line}\n", qrels_txt=f"{header}\n{line}\n".replace("\t", "  "))
    read = read_judgments(path / "qrels.tsv")
    assert (read.grades, read.notices) == ({"q1": {"a": 1}}, [])
    read = read_judgments(path / "qrels.txt")
    assert (read.grades, codes(read)) == ({"q1": {"a": 1}}, ["cell-separator"])


def test_a_header_nobody_knows_is_an_error_not_data(folder):
    path = folder(a_tsv="frage\tdokument\tnote\nq1\ta\t1\n", b_csv="question;answer\nq1;a\n")
    refused(GoldenDataset.load, path / "a.tsv", line=1)
    refused(GoldenDataset.load, path / "b.csv", line=1)


def test_runs_and_questions_without_header_keep_their_first_line(folder):
    path = folder(
        run_tsv="q1\ta\t2.5\nq2\tb\t1\n", run_csv="q1,a,2.5\nq2,b,1\n", q_tsv="q1\tOne?\nq2\tTwo?\n"
    )
    assert Run.read(path / "run.tsv").query_ids == Run.read(path / "run.csv").query_ids == ["q1", "q2"]
    assert len(read_queries(path / "q.tsv").texts) == 2


# ---------------------------------------------------------------------- four columns, not three (F08)


@pytest.mark.parametrize(
    ("judgments", "expected"),
    [
        ("7\t20390482\t20390482\t2\n7\t31415926\t31415926\t0\n", {"7": {"20390482": 2, "31415926": 0}}),
        ("7 0 20390482 1\n8 0 5 0\n", {"7": {"20390482": 1}, "8": {"5": 0}}),
        ("7\t1\t20390482\t1\r\n", {"7": {"20390482": 1}}),
        ("query_id\titeration\tdoc_id\trelevance\n7\t0\t20390482\t1\n", {"7": {"20390482": 1}}),
    ],
)
def test_four_columns_are_read_as_four(folder, judgments, expected):
    assert GoldenDataset.load(folder(qrels_tsv=judgments) / "qrels.tsv").judgments == expected


@pytest.mark.parametrize(
    ("judgments", "line"),
    [
        ("query-id\tcorpus-id\tscore\n7\t0\t20390482\t1\n", 2),
        ("7,0,20390482,1\n", 1),
        ("7\t0\t1\n7\t0\t20390482\n", 2),
        ("7\t0\t20390482\n", 1),
        ("query-id\tcorpus-id\tscore\n7\t0\t20390482\n", 2),
        ("7\t0\t20390482\t1\t3\n", 1),
    ],
)
def test_an_id_is_never_a_grade(folder, judgments, line):
    refused(GoldenDataset.load, folder(qrels_tsv=judgments) / "qrels.tsv", line=line)


# --------------------------------------------------------------------- ids are text, with zeros (F10)


@pytest.mark.parametrize(
    "golden",
    [
        'query_id,relevant_ids\n0042,"007;070"\n',
        "query_id,relevant_ids\n0042,007|070\n",
        "query_id\trelevant_ids\n0042\t007|070\n",
        "query_id;relevant_ids\n0042;007|070\n",
        '{"query_id": "0042", "relevant_ids": ["007", "070"]}\n',
        "0042 0 007 1\n0042 0 070 1\n",
    ],
)
@pytest.mark.parametrize(
    "run",
    [
        "query_id,doc_id,score\n0042,007,3\n0042,7,2\n0042,70,1\n",
        trec("0042 007 3", "0042 7 2", "0042 70 1"),
        '{"query_id": "0042", "retrieved_ids": ["007", "7", "70"]}\n',
    ],
)
def test_leading_zeros_make_another_document(folder, golden, run):
    path = folder(golden_txt=golden, run_txt=run)
    e = measure(path, "golden.txt")
    assert e.recall(3) == 0.5
    assert ("id-separator" in codes(e)) == (";070" in golden)


@pytest.mark.parametrize(
    ("query", "other", "hint"),
    [("7", "007", "zeros"), ("7", "7.0", "decimal"), ("q1", "Q1", "case"), ("0042", "42", "zeros")],
)
def test_no_common_query_says_why(folder, query, other, hint):
    path = folder(golden_csv=f"query_id,relevant_ids\n{query},a\n", run_txt=trec(f"{other} a 1"))
    with pytest.raises(NoCommonQueriesError, match=hint):
        measure(path, "golden.csv")


@pytest.mark.parametrize("ids", ["NA|N/A|null|None|nan", "1|1.0|01|1e0|+1", "True|TRUE|true", "-|.|0"])
def test_ids_that_look_like_other_things_are_ids(folder, ids):
    path = folder(golden_csv=f"query_id,relevant_ids\nNone,{ids}\n")
    golden = GoldenDataset.load(path / "golden.csv")
    assert golden.relevant("None") == set(ids.split("|"))
    run = Run({"None": ids.split("|")})
    run.write(path / "run.txt")
    assert evaluate(golden, Run.read(path / "run.txt")).recall(5) == 1


@pytest.mark.parametrize("cell", ['"d1,d2"', "d1 d2", '"d1, d2"', '"d1\td2"'])
def test_another_separator_of_ids_is_an_error(folder, cell):
    refused(
        GoldenDataset.load,
        folder(golden_csv=f"query_id,relevant_ids\nq,{cell}\n") / "golden.csv",
        "|",
        line=2,
    )


# --------------------------------------------------------------------------------- stray quotes (F14)


@pytest.mark.parametrize(
    "texts",
    [
        ['"what is recall', "plain", 'the "k" in top-k'],
        ['5" nails', '7" saw', 'a "quoted" word'],
        ["it's", "'tis", '"""'],
        ['"', "last", '" and "'],
    ],
)
def test_stray_quotes_are_text(folder, texts):
    lines = "".join(f"q{i}\t{text}\n" for i, text in enumerate(texts))
    rows = "".join(f"q{i}\td1\t{text}\n" for i, text in enumerate(texts))
    path = folder(queries_tsv=lines, golden_tsv="query_id\trelevant_ids\tquery\n" + rows)
    expected = {f"q{i}": text for i, text in enumerate(texts)}
    assert read_queries(path / "queries.tsv").texts == expected
    assert read_judgments(path / "golden.tsv").questions == expected


def test_stray_quotes_in_csv_swallow_nothing(folder):
    path = folder(a_csv='query_id,relevant_ids,query\nq1,d1,the "k" in top-k\nq2,d2,5" nails\n')
    assert len(read_judgments(path / "a.csv").questions) == 2
    for stray in ('"what is recall', '"k" in top-k'):
        path = folder(b_csv=f"query_id,relevant_ids,query\nq1,d1,{stray}\nq2,d2,plain\nq3,d3,plain\n")
        refused(GoldenDataset.load, path / "b.csv", "quote", line=2)


# ----------------------------------------------------------------------------------------- gzip (F17)


def test_gzip_under_every_name(folder):
    qrels, run = "q 0 a 1\nq 0 b 1\n", trec("q a 3")
    path = folder(
        qrels_txt_gz=gzip.compress(qrels.encode(), mtime=0),
        qrels_txt=gzip.compress(qrels.encode(), mtime=0),
        qrels_tsv_gz=qrels,
        run_txt_gz=gzip.compress(run.encode(), mtime=0),
        run_txt=run,
        run_GZ=gzip.compress(run[:5].encode(), mtime=0) + gzip.compress(run[5:].encode(), mtime=0),
    )
    for name in ("qrels.txt.gz", "qrels.txt", "qrels.tsv.gz"):
        for results in ("run.txt.gz", "run.txt", "run.GZ"):
            assert measure(path, name, results).recall(1) == 0.5
    assert codes(Run.read(path / "run.txt.gz")) == []
    assert (
        codes(GoldenDataset.load(path / "qrels.txt"))
        == codes(GoldenDataset.load(path / "qrels.tsv.gz"))
        == ["gz-name"]
    )


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (gzip.compress(b"q Q0 a 1 3 t\n" * 500, mtime=0)[:-9], "cut off"),
        (gzip.compress(b"q Q0 a 1 3 t\n", mtime=0)[:12], "cut off"),
        (gzip.compress(b"q Q0 a 1 3 t\n", mtime=0)[:10] + b"\xff" * 20, "damaged"),
        (gzip.compress(b"q Q0 a 1 3 t\n", mtime=0) + b"trailing", "damaged"),
        (b"", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (bz2.compress(b"q Q0 a 1 3 t\n"), "bzip2"),
    ],
)
def test_broken_gzip_is_named(folder, content, named):
    refused(Run.read, folder(run_txt_gz=content) / "run.txt.gz", named)


# ---------------------------------------------------------------------------- fractional grades (F20)


@pytest.mark.parametrize(
    ("name", "judgments", "line"),
    [
        ("qrels.txt", "q 0 a 1\nq 0 b 0.5\n", 2),
        ("qrels.txt", "q 0 a 1.0\nq 0 b 1.25\n", 2),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\nq\ta\t0.75\n", 2),
        ("qrels.tsv", "q\ta\t1\nq\tb\t-0.5\n", 2),
        ("qrels.txt", "q 0 a 5e-1\n", 1),
    ],
)
def test_a_fractional_grade_is_never_cut_to_a_whole_number(folder, name, judgments, line):
    path = folder(**{name.replace(".", "_"): judgments})
    refused(GoldenDataset.load, path / name, "whole number", line=line)


@pytest.mark.parametrize("grades", [("1.0", "0.0", "2.0"), ("1.", "0", "2.000"), ("1", "0.0", "2")])
def test_whole_grades_with_a_point_are_read_and_named(folder, grades):
    path = folder(qrels_txt="".join(f"q 0 d{i} {grade}\n" for i, grade in enumerate(grades)))
    golden = GoldenDataset.load(path / "qrels.txt", min_grade=1)
    assert golden.judgments == {"q": {"d0": 1, "d1": 0, "d2": 2}}
    assert "grades-with-decimals" in codes(golden)


# ----------------------------------------------------------------------------------- odd scores (F25)


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        (("9.5E-1", "1e2", "-3.2e-05"), ["b", "a", "c"]),
        (("-0.5", "-1e-3", "-2"), ["b", "a", "c"]),
        ((".5", "5.", "+0.7"), ["b", "c", "a"]),
        (("1e-400", "1e-300", "-1e-300"), ["b", "a", "c"]),
        (("12.000000000000001", "12.000000000000002", "12"), ["b", "a", "c"]),
        (("10", "9", "1e1"), ["c", "a", "b"]),
    ],
)
def test_scores_order_as_numbers(folder, scores, order):
    names = dict(zip("abc", scores, strict=True))
    path = folder(
        run_txt=trec(*(f"q {name} {score}" for name, score in names.items())),
        run_csv="query_id,doc_id,score\n" + "".join(f"q,{name},{score}\n" for name, score in names.items()),
    )
    assert Run.read(path / "run.txt").ranking("q") == Run.read(path / "run.csv").ranking("q") == order


@pytest.mark.parametrize(
    "score", ["NaN", "nan", "-nan", "inf", "-Infinity", "1e999", "NA", "None", "", "0,5", "1_0", "0x1p3", "²"]
)
def test_a_score_that_is_no_number_is_named_by_its_line(folder, score):
    path = folder(
        run_txt=trec("q b 3") + f"q Q0 c 2 {score} t\nq Q0 a 3 5 t\n",
        run_tsv=f"query_id\tdoc_id\tscore\nq\tb\t3\nq\tc\t{score}\n",
    )
    refused(Run.read, path / "run.txt", line=2)
    refused(Run.read, path / "run.tsv", line=3)


# ----------------------------------------------------------------------------------- JSON lines (F29)


def test_blank_lines_between_objects_are_nothing(folder):
    for blank in ("\n", "\n  \n\n", "\r\n\t\r\n", "\n# and a comment\n"):
        lines = (
            '{"query_id": "q1", "relevant_ids": ["a"]}'
            + blank
            + '\n{"query_id": "q2", "relevant_ids": ["b"]}'
        )
        golden = GoldenDataset.load(folder(g_jsonl=lines) / "g.jsonl")
        assert golden.judgments == {"q1": {"a": 1}, "q2": {"b": 1}}


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ('{\n  "query_id": "q1",\n  "relevant_ids": ["a"]\n}\n', 1),
        ('{"query_id": "q1", "relevant_ids": ["a"]},\n{"query_id": "q2", "relevant_ids": ["b"]}\n', 1),
        ('{"query_id": "q0", "relevant_ids": []}\n{"query_id": "q1",\n"relevant_ids": ["a"]}\n', 2),
        ('[{"query_id": "q1", "relevant_ids": ["a"]}]\n', 1),
        ('[\n{"query_id": "q1", "relevant_ids": ["a"]}\n]\n', 1),
        ('{"query_id": "q1", "relevant_ids": ["a"]}{"query_id": "q2", "relevant_ids": []}\n', 1),
        ('{"q1": ["a", "b"]}\n', 1),
        ("{'query_id': 'q1', 'relevant_ids': ['a']}\n", 1),
        ('{"query_id": "q1", "relevant_ids": ["a"]}\nq2 0 a 1\n', 2),
        ('{"query_id": "q1", "relevant_ids": ["a"\n', 1),
    ],
)
def test_anything_but_one_object_per_line_is_named(folder, lines, line):
    refused(GoldenDataset.load, folder(g_jsonl=lines) / "g.jsonl", line=line)


@pytest.mark.parametrize(
    "value", ['"d1,d2"', '"d1"', '""', '"[\\"d1\\"]"', "12", "null", '{"d1": 1}', "true"]
)
def test_a_text_is_never_taken_apart_into_characters(folder, value):
    path = folder(
        g_jsonl='{"query_id": "q1", "relevant_ids": ' + value + "}\n",
        run_jsonl='{"query_id": "q1", "retrieved_ids": ' + value + "}\n",
    )
    refused(GoldenDataset.load, path / "g.jsonl", "list of ids", line=1)
    refused(Run.read, path / "run.jsonl", "list of ids", line=1)


# ---------------------------------------------- the shape of published runs and judgments (trec_eval)


def test_a_run_sorted_by_document_with_padded_scores_and_words_at_line_ends(folder):
    lines = [
        "301\tQ0\tFR94-150\t3\t  2.129133\tSTANDARD more junk at\n",
        "301\tQ0\tFR94-151\t9\t  1.724760\tSTANDARD\n",
        "302\tQ0\tFT92-12\t0\t 12.104024\tSTANDARD end of lines.\n",
        "301\tQ0\tFR94-154\t2\t  2.804024\tSTANDARD\n",
    ]
    path = folder(
        qrels_txt="301 0 FR94-154 1\n301 0 FR94-999 1\n302 0 FT92-12 0\n303 0 X 2\n", run_txt="".join(lines)
    )
    refused(Run.read, path / "run.txt", "9 fields", "extra_words", line=1)
    run = Run.read(path / "run.txt", extra_words=True)
    assert run.ranking("301") == ["FR94-154", "FR94-150", "FR94-151"]
    assert (run.name, codes(run)) == ("STANDARD", [])
    e = evaluate(GoldenDataset.load(path / "qrels.txt", min_grade=1), run)
    assert (e.recall(1), e.excluded, e.unanswered) == (0.25, ["302"], ["303"])


@pytest.mark.parametrize(
    "swap", [("qrels.txt", "qrels.txt"), ("run.txt", "run.txt"), ("run.txt", "qrels.txt")]
)
def test_swapped_files_are_told_apart(folder, swap):
    path = folder(qrels_txt="q 0 a 1\n", run_txt=trec("q a 1"))
    with pytest.raises(RecallLabError, match="swapped"):
        measure(path, *swap)


def test_lines_of_a_query_need_not_stand_together(folder):
    path = folder(run_txt=trec("q a 3", "r a 3", "q b 2", "r b 2", "q c 1"))
    run = read_run(path / "run.txt")
    assert (run.query_ids, run.documents) == (["q", "r"], ["a\nb\nc", "a\nb"])


# A folder with more in it than its judgments


TABLE = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def dataset(tmp_path):
    """A folder whose ``qrels`` hold files by name."""
    (tmp_path / "qrels").mkdir()

    def write(files: dict[str, str | bytes], about: str = "") -> Path:
        for name, content in files.items():
            (tmp_path / "qrels" / name).write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
        if about:
            (tmp_path / "dataset.json").write_text(about)
        return tmp_path

    return write


@pytest.mark.parametrize("split", ["test", "dev"])
@pytest.mark.parametrize(
    "other", ["{}.tsv~", ".{}.tsv.swp", ".DS_Store", "README.md", "{}.tsv.bak", "README"]
)
def test_what_is_no_judgments_file_is_passed_over(dataset, split, other):
    name = other.format(split)
    path = dataset({f"{split}.tsv": TABLE + "q1\td1\t1\n", name: TABLE + "q1\told\t1\n"})
    assert GoldenDataset.load(path).relevant("q1") == {"d1"}


@pytest.mark.parametrize("choice", [None, "test"])
@pytest.mark.parametrize("other", ["test.txt", "test.tsv.gz", "test.csv"])
def test_two_judgments_files_of_one_name_are_refused_unless_they_say_the_same(dataset, other, choice):
    text = (TABLE + "q1\td1\t1\n").encode()
    pack = gzip.compress if other.endswith(".gz") else bytes
    path = dataset({"test.tsv": text, other: pack(text.replace(b"d1", b"old"))})
    with pytest.raises(FolderError, match="differ") as caught:
        GoldenDataset.load(path, judgments=choice)
    assert "test.tsv" in str(caught.value) and other in str(caught.value)
    assert GoldenDataset.load(path, judgments="test.tsv").relevant("q1") == {"d1"}
    assert GoldenDataset.load(dataset({other: pack(text)}), judgments=choice).relevant("q1") == {"d1"}


@pytest.mark.parametrize(
    ("about", "named"),
    [
        ('{"min_grade": 1, "min_grade": 2}', "min_grade"),
        ('{"mingrade": 2}', "mingrade"),
        ('{"min-grade": 2}', "min-grade"),
        ('{"minGrade": 2}', "minGrade"),
        ('{"threshold": 2}', "threshold"),
        ('{"min_grade": 0}', "min_grade is 0"),
        ('{"name": 1}', "name is 1"),
        ('{"judged_without_documents": "q1"}', "judged_without_documents"),
        ("[]", "JSON object"),
        ("{", "JSON"),
    ],
)
def test_a_dataset_json_that_means_something_else_is_refused_with_a_way_out(dataset, about, named):
    path = dataset({"test.tsv": TABLE + "q1\td1\t1\n"}, about)
    with pytest.raises(InputFileError) as caught:
        GoldenDataset.load(path)
    assert named in str(caught.value) and "way out" in str(caught.value)


def test_other_keys_of_dataset_json_are_free(dataset):
    about = '{"min_grade": 2, "threshold": 5, "grades": {}, "title": "mine"}'
    assert GoldenDataset.load(dataset({"test.tsv": TABLE + "q1\td1\t2\n"}, about)).min_grade == 2


# Lists as Python writes them


@pytest.mark.parametrize("cell", ["['d1']", "[]", "['d1'|'d2']", "{'d1'}", "set()", "['d1' 'd2']", "('d1')"])
def test_a_list_as_python_writes_it_is_no_id(folder, cell):
    for name in ("golden_csv", "golden_tsv"):
        sign = "," if name.endswith("csv") else "\t"
        path = folder(**{name: f"query_id{sign}relevant_ids\nq0{sign}d0|d9\nq1{sign}{cell}\n"})
        refused(GoldenDataset.load, path / name.replace("_", "."), cell, "d1|d2", "way out", line=3)


def test_an_id_may_stand_in_brackets(folder):
    path = folder(golden_csv="query_id,relevant_ids\nq1,[1]|(a)\n")
    assert GoldenDataset.load(path / "golden.csv").relevant("q1") == {"[1]", "(a)"}


# Rank and score swapped


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("run.txt", "q1 Q0 d1 9.5 1 t\nq1 Q0 d2 8.5 2 t\n", 1),
        ("run.txt", "q1  Q0 d1 9.5 1 t\nq1 Q0 d2 8.5 2 t\n", 1),  # two spaces: the line reader
        ("run.csv", "query_id,doc_id,rank,score\nq1,d1,9.5,1\nq1,d2,8.5,2\n", 2),
    ],
)
def test_ranks_that_are_no_whole_numbers_are_noticed(tmp_path, name, text, line):
    (tmp_path / name).write_text(text)
    (notice,) = (n for n in read_run(tmp_path / name).notices if n.code == "rank-not-whole")
    assert f"9.5 (line {line}): are rank and score swapped?" in str(notice)


def test_polars_too_notices_ranks_that_are_no_whole_numbers(folder, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.setattr("recall_lab.formats.runs.LARGE_FILE_LINES", 0)
    path = folder(run_txt="q1 Q0 d1 9.5 1 t\nq1 Q0 d2 8.5 2 t\n")
    assert "rank-not-whole" in codes(read_run(path / "run.txt"))


# Headers under other names


@pytest.mark.parametrize("header", ["query_id\tquestion", "qid\ttext", "id\tquery", "Query ID\tText"])
def test_a_header_of_questions_is_no_question(folder, header):
    read = read_queries(folder(queries_tsv=f"{header}\nq1\twhat is it?\n") / "queries.tsv")
    assert read.texts == {"q1": "what is it?"} and codes(read) == ["header-taken"]


@pytest.mark.parametrize(
    "text",
    [
        "question number,relevant ids\nq1,d1\n",
        "queryId,relevantIds\nq1,d1\n",
        "id,relevant\nq1,d1\n",
        "q1;d1;1\n",
    ],
)
def test_an_unknown_header_is_told_the_one_that_is_read(folder, text):
    refused(GoldenDataset.load, folder(golden_csv=text) / "golden.csv", "query_id,relevant_ids", line=1)


@pytest.mark.parametrize("text", ["queryId,docId,score\nq1,d1,1\n", "q1;d1;1\n"])
def test_an_unknown_header_of_a_run_is_told_the_one_that_is_read(folder, text):
    refused(read_run, folder(run_csv=text) / "run.csv", "query_id,doc_id,score", line=1)


def test_a_comma_inside_an_id_makes_no_table(folder):
    path = folder(qrels_txt="q1 0 d,1\n", run_txt="q1 Q0 d,1 1 9.5\n")
    refused(GoldenDataset.load, path / "qrels.txt", "3 fields", line=1)
    refused(read_run, path / "run.txt", "5 fields", line=1)


def test_many_columns_or_keys_take_no_long_time(folder):
    names = ",".join(f"c{i}" for i in range(40_000))
    path = folder(golden_csv=f"query_id,relevant_ids,{names}\nq1,d1{',' * 40_000}\n")
    assert GoldenDataset.load(path / "golden.csv").relevant("q1") == {"d1"}
    keys = ",".join(f'"k{i}":1' for i in range(40_000))
    path = folder(golden_jsonl=f'{{"query_id":"q1",{keys},"relevant_ids":[],"relevant_ids":[]}}\n')
    refused(GoldenDataset.load, path / "golden.jsonl", "twice", line=1)


@pytest.mark.parametrize(
    ("header", "renamed"),
    [
        ("question no,relevant ids", 'query_id where it says "question no"'),
        ("query,expected", 'query_id where it says "query" and relevant_ids where it says "expected"'),
        ("query_id;relevent_ids", 'relevant_ids where it says "relevent_ids"'),
        ("qid\tdoc\tgrade", 'doc_id where it says "doc"'),
    ],
)
def test_nearly_known_columns_of_judgments_are_told_their_names(folder, header, renamed):
    row = "d1".join("q1" + sign for sign in (",", ";", "\t") if sign in header)
    refused(read_judgments, folder(golden_csv=f"{header}\n{row}\n") / "golden.csv", renamed, line=1)


@pytest.mark.parametrize(
    ("header", "renamed"),
    [
        ("question id,document,score", 'doc_id where it says "document"'),
        ("query_id,doc_id,scores", 'score where it says "scores"'),
        ("query\tpassage\tsimilarity", 'score where it says "similarity"'),
    ],
)
def test_nearly_known_columns_of_a_run_are_told_their_names(folder, header, renamed):
    refused(read_run, folder(run_csv=f"{header}\nq1,d1,1\n") / "run.csv", renamed, line=1)


@pytest.mark.parametrize("line", ["query\t0\tdoc\t1", "q1,d1,1", "grade 0 score 1", "query,doc,3"])
def test_ids_that_look_like_column_names_are_ids(folder, line):
    assert len(read_judgments(folder(qrels_txt=line + "\n") / "qrels.txt").grades) == 1


def test_a_question_id_is_a_query_id(folder):
    path = folder(golden_csv="question id,relevant ids\nq1,d1|d2\n")
    assert read_judgments(path / "golden.csv").grades == {"q1": {"d1": 1, "d2": 1}}


# Signs that nobody can see


@pytest.mark.parametrize("sign", ["\u00a0", "\u200b", "\ufeff", "\u00ad", "\x7f", "\u2009"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.txt", "q1 Q0 d1 1 2 t\nq1 Q0 d{}2 2 1 t\n"),
        ("run.csv", "query_id,doc_id,score\nq1,d{}2,1\n"),
        (
            "run.jsonl",
            '{{"query_id": "q1", "retrieved_ids": ["d1"]}}\n{{"query_id": "q{}2", "retrieved_ids": []}}\n',
        ),
    ],
)
def test_an_invisible_sign_in_an_id_of_a_run_is_shown(tmp_path, name, content, sign):
    path = tmp_path / name
    path.write_text(content.format(sign), encoding="utf-8")
    (notice,) = (notice for notice in read_run(path).notices if notice.code == "invisible-characters")
    assert "1, the first on line 2" in notice.message and notice.message.isprintable()


@pytest.mark.parametrize("sign", ["\u00a0", "\u200b", "\x85"])
@pytest.mark.parametrize(
    "content", ["q1 0 d1 1\nq1 0 d{} 1\n", "query_id,relevant_ids\nq1,d1|d{}\n", "q1\td1\t1\nq{}\td2\t1\n"]
)
def test_an_invisible_sign_in_an_id_of_judgments_is_shown(tmp_path, content, sign):
    path = tmp_path / "golden"
    path.write_text(content.format(sign), encoding="utf-8")
    (notice,) = (notice for notice in read_judgments(path).notices if notice.code == "invisible-characters")
    assert "line 2" in notice.message and notice.message.isprintable()


def test_letters_of_any_script_are_nothing_to_notice(folder):
    path = folder(run_txt="q1 Q0 Bücher-日本-ид 1 2 t\n") / "run.txt"
    assert not read_run(path).notices


# Rank and score swapped


def test_whole_scores_in_the_rank_column_are_shown(folder):
    path = folder(run_txt="q1 Q0 a 9 1 t\nq1 Q0 b 7 2 t\nq1 Q0 c 7 3 t\nq2 Q0 a 5 1 t\n") / "run.txt"
    assert codes(read_run(path)) == ["rank-and-score-swapped"]


@pytest.mark.parametrize(
    "lines",
    [
        "q1 Q0 a 2 1 t\nq1 Q0 b 1 2 t\n",  # the worst first
        "q1 Q0 a 9 1 t\nq2 Q0 b 8 1 t\n",  # one result each
        "q1 Q0 a 9 1 t\nq1 Q0 b 8 2 t\nq2 Q0 a 3 5 t\nq2 Q0 b 4 3 t\n",
    ],
)
def test_other_whole_scores_are_not_taken_for_ranks(folder, lines):
    assert "rank-and-score-swapped" not in codes(read_run(folder(run_txt=lines) / "run.txt"))


def test_one_contradicting_rank_is_one_row(folder):
    path = folder(run_txt="q1 Q0 a 1 3 t\nq1 Q0 b 2 4 t\n") / "run.txt"
    (notice,) = read_run(path).notices
    assert "in 1 row (" in notice.message


# Files wrapped or encoded in another way


def test_what_is_compressed_twice_is_named(folder):
    path = folder(run_txt_gz=gzip.compress(gzip.compress(b"q1 Q0 d1 1 2 t\n"))) / "run.txt.gz"
    refused(read_run, path, "compressed twice")


@pytest.mark.parametrize("codec", ["utf-32", "utf-32-le", "utf-32-be"])
def test_utf_32_is_named(folder, codec):
    refused(read_judgments, folder(qrels_txt="q1 0 d1 1\n".encode(codec)) / "qrels.txt", "UTF-32")


def test_an_empty_name_and_a_dash_are_no_files(tmp_path):
    with pytest.raises(RecallLabError, match="empty"):
        read_run("")
    with pytest.raises(InputFileError, match="/dev/stdin"):
        read_run("-")


def test_a_line_break_between_relevant_ids_is_named(folder):
    path = folder(golden_csv='query_id,relevant_ids\nq1,"d1\nd2"\n') / "golden.csv"
    refused(read_judgments, path, "line break", "|", line=2)


def test_of_two_faults_the_first_line_is_named_though_blocks_are_read_ahead(folder, monkeypatch):
    monkeypatch.setattr(text_files, "BLOCK_BYTES", 64)
    good = "q1 Q0 d{} 1 2 t\n"
    lines = [good.format(i) for i in range(40)]
    content = "".join([*lines[:10], "q1 Q0 d 1 x t\n", *lines[10:20]]).encode() + b"q1 Q0 \xff 1 2 t\n"
    refused(read_run, folder(run_txt=content) / "run.txt", "'x'", line=11)


@pytest.mark.parametrize(
    "fault", ["q1 0 \xff 1\n", "q1 0 d\0 1\n", "q1 0 d\r 1\n", "q1 0 " + "d" * 300 + " 1\n"]
)
@pytest.mark.parametrize("block_bytes", [8, 64, 200, 4096])
def test_of_two_faults_the_first_line_is_named_wherever_a_block_ends(folder, monkeypatch, block_bytes, fault):
    monkeypatch.setattr(text_files, "BLOCK_BYTES", block_bytes)
    monkeypatch.setattr(text_files, "LONGEST_LINE_BYTES", 100)
    good, bad = b"q1 0 d1 1\n" * 4, b"q1 0 d1 x\n"
    faulty = fault.encode("latin-1")
    path = folder(qrels_txt=good + bad + good + faulty + good) / "qrels.txt"
    refused(read_judgments, path, "'x'", line=5)
    if block_bytes < 4096 or b"d" * 300 not in faulty:  # a line that fits into a block is not too long
        refused(read_judgments, folder(qrels_txt=good + faulty + bad) / "qrels.txt", line=5)


def test_faults_of_several_kinds_in_one_block_are_met_line_by_line(folder):
    faults = [b"q1 0 d\r 1\n", b"q1 0 \xff 1\n", b"q1 0 d\0 1\n"]
    for i in range(3):
        path = folder(qrels_txt=b"q1 0 d1 1\n" + b"".join(faults[i:] + faults[:i])) / "qrels.txt"
        refused(read_judgments, path, ("carriage return", "0xff", "NUL")[i], line=2)


def test_notices_stand_in_the_order_of_their_lines(folder, monkeypatch):
    content = "q1 Q0 a 1 2 t\n# a note\n\ufeffq1 Q0 b 2 1 t\n"
    path = folder(run_txt=content.encode()) / "run.txt"
    found = []
    for block_bytes in (8, 4096):
        monkeypatch.setattr(text_files, "BLOCK_BYTES", block_bytes)
        found.append(codes(read_run(path)))
    assert found == [["comment-lines", "byte-order-mark"]] * 2


def test_a_run_that_is_cut_off_is_not_taken_for_judgments(folder):
    path = folder(run_txt="q1 Q0 a 1 2 t\nq1 Q0 b 2") / "run.txt"
    with pytest.raises(InputFileError, match="4 fields") as caught:
        read_run(path)
    assert caught.value.line == 2 and "swapped" not in str(caught.value) and "missing" in str(caught.value)


# Keys of dataset.json, and what else stands beside passages and questions


@pytest.mark.parametrize("key", ["min_grad", "minGrade", "judged_without_document"])
def test_a_misspelt_key_that_changes_numbers_is_refused(tmp_path, key):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    (tmp_path / "dataset.json").write_text(f'{{"{key}": 1}}')
    with pytest.raises(InputFileError, match="did you mean") as caught:
        GoldenDataset.load(tmp_path)
    assert f'"{key}"' in str(caught.value)


def test_a_misspelt_name_is_noticed(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    (tmp_path / "dataset.json").write_text('{"nmae": "mine", "licence": "CC0"}')
    golden = GoldenDataset.load(tmp_path)
    assert codes(golden) == ["name-misspelt"] and golden.about == {"nmae": "mine", "licence": "CC0"}


def test_other_keys_of_passages_and_questions_survive_saving(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    metadata = '{"page": 3, "tags": ["x", 0.5]}'
    corpus = f'{{"_id": "d1", "title": "", "text": "A drill.", "metadata": {metadata}, "id": "7"}}\n'
    questions = (
        '{"_id": "q1", "text": "One?", "metadata": {"type": "list", "year": 1999}, "title": "T"}\n'
        '{"_id": "q2", "text": "Two?"}\n{"_id": "q3", "text": "Three?", "metadata": {}}\n'
        '{"_id": "q4", "text": "Four?", "metadata": ["a"], "url": null}\n'
    )
    (tmp_path / "corpus.jsonl").write_text(corpus)
    (tmp_path / "queries.jsonl").write_text(questions)
    golden = GoldenDataset.load(tmp_path)
    assert not golden.notices and golden.question_types == {"q1": "list"}
    golden.save(tmp_path / "again")
    assert (tmp_path / "again" / "corpus.jsonl").read_text() == corpus
    assert (tmp_path / "again" / "queries.jsonl").read_text() == questions.replace(', "metadata": {}', "")


def test_the_same_passage_with_other_keys_is_another_one(folder):
    record = '{{"_id": "d1", "text": "x", "page": {}}}\n'
    path = folder(corpus_jsonl=record.format(1) + record.format(2))
    refused(read_corpus, path / "corpus.jsonl", "other keys", line=2)


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 600 + "]" * 600], ids=["digits", "nested"])
def test_what_cannot_be_kept_is_refused(folder, value):
    path = folder(corpus_jsonl=f'{{"_id": "d1", "text": "x", "n": {value}}}\n')
    refused(read_corpus, path / "corpus.jsonl", line=1)
