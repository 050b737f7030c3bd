"""The command line: what it prints, writes and refuses. Values are held against ``measures.py``."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import run

import recall_lab
from recall_lab import cli, measures
from recall_lab.commands import console
from recall_lab.errors import InputFileError

# A sheet of five queries: the ranks of relevant documents found, and how many exist.
RANKS = {"q1": [2, 5, 9], "q2": [1, 3, 4, 8], "q3": list(range(1, 21)), "q4": [], "q5": [12]}
EXISTING = {"q1": 4, "q2": 4, "q3": 20, "q4": 0, "q5": 1}
DEPTH = 20
CUTOFFS = (1, 5, 10)


def ranking(query: str) -> list[str]:
    """A ranked list with the relevant documents at their ranks and something else between."""
    return [f"{query}-r{r}" if r in RANKS[query] else f"{query}-x{r}" for r in range(1, DEPTH + 1)]


def grades(query: str) -> dict[str, int]:
    """Grade 2 for each relevant document, found or not; grade 1 for the first of the others in the list."""
    found = [f"{query}-r{r}" for r in RANKS[query]]
    lost = [f"{query}-lost{i}" for i in range(EXISTING[query] - len(found))]
    partly = next((d for d in ranking(query) if "-x" in d), None)
    return dict.fromkeys([*found, *lost], 2) | ({partly: 1} if partly else {})


SHEET = {query: (ranking(query), {d for d, g in grades(query).items() if g >= 2}) for query in RANKS}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with qrels.txt, good.run, and poor.run (which lacks q5 and adds q9)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("qrels.txt").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q in RANKS for d, g in grades(q).items()), encoding="utf-8"
    )
    write_run("good.run", {q: ranking(q) for q in RANKS}, tag="good")
    poor = {q: ranking(q)[::-1] for q in RANKS if q != "q5"} | {"q9": ["z"]}
    write_run("poor.run", poor, tag="poor")
    return tmp_path


def write_run(path: str, rankings: dict[str, list[str]], tag: str) -> None:
    lines = [
        f"{query} Q0 {document} {rank} {len(documents) - rank} {tag}\n"
        for query, documents in rankings.items()
        for rank, document in enumerate(documents, 1)
    ]
    Path(path).write_text("".join(lines), encoding="utf-8")


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert run("evaluate", *arguments, "--json") == 0
    records: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return records


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a refused command says: exit code 2, nothing on standard output, no traceback."""
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error" in err and "Traceback" not in err
    return err


# --------------------------------------------------------------------------------------------- evaluate: JSON


def expected_values(k: int) -> dict[str, float | None]:
    """The means over the sheet at k, from the readable forms."""
    pairs = list(SHEET.values())
    scored = [query for query, (_, relevant) in SHEET.items() if relevant]
    mean = measures.mean_of_defined
    return {
        "recall": measures.mean_recall_at_k(pairs, k),
        "micro_recall": measures.micro_recall_at_k(pairs, k),
        "capped_recall": mean(measures.capped_recall_at_k(*SHEET[q], k) for q in scored),
        "ceiling": measures.achievable_recall_at_k(pairs, k),
        "precision": mean(measures.precision_at_k(*SHEET[q], k) for q in scored),
        "hit_rate": measures.mean_hit_rate_at_k(pairs, k),
        "ndcg": mean(measures.ndcg_at_k(ranking(q), grades(q), k) for q in scored),
        "judged": mean(measures.judged_at_k(ranking(q), set(grades(q)), k) for q in scored),
    }


def test_json_has_the_documented_keys_and_the_values_of_measures(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = as_json(capsys, "qrels.txt", "good.run", "--k", "1,5,10", "--min-grade", "2")
    by_k = set(expected_values(1))
    assert set(record) == by_k | {
        *("run", "n", "judged_queries", "excluded", "unanswered", "ignored", "threshold", "warnings"),
        *("mrr", "map", "r_precision"),
    }
    assert record["run"] == "good"
    assert record["n"] == 4
    assert record["excluded"] == ["q4"]
    assert record["unanswered"] == record["ignored"] == []
    assert record["threshold"] == 2
    for k in CUTOFFS:
        for key, value in expected_values(k).items():
            assert record[key][str(k)] == pytest.approx(value), (key, k)
    assert all(list(record[key]) == ["1", "5", "10"] for key in by_k)
    scored = [pair for pair in SHEET.values() if pair[1]]
    mean = measures.mean_of_defined
    assert record["mrr"] == pytest.approx(mean(measures.reciprocal_rank_at_k(*pair) for pair in scored))
    assert record["map"] == pytest.approx(mean(measures.average_precision(*pair) for pair in scored))
    assert record["r_precision"] == pytest.approx(mean(measures.r_precision(*pair) for pair in scored))
    assert record["recall"]["5"] == 0.375


def test_json_is_one_array_in_the_order_of_the_runs(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = as_json(capsys, "qrels.txt", "poor.run", "good.run", "--min-grade", "2")
    assert [record["run"] for record in records] == ["poor", "good"]
    assert records[0]["unanswered"] == ["q5"]
    assert records[0]["ignored"] == ["q9"]
    assert any("q5" in warning for warning in records[0]["warnings"])


def test_what_is_undefined_is_null(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("none.txt").write_text("q1 0 a 0\n", encoding="utf-8")
    Path("one.run").write_text("q1 Q0 a 1 1 t\n", encoding="utf-8")
    (record,) = as_json(capsys, "none.txt", "one.run")
    assert record["n"] == 0 and record["excluded"] == ["q1"]
    assert record["recall"] == {"1": None, "5": None, "10": None}
    assert record["mrr"] is None
    assert run("evaluate", "none.txt", "one.run", "--html", "report.html") == 0
    assert "recall              –       –       –" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------ evaluate: options


def test_the_threshold_decides_what_is_relevant(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (strict,) = as_json(capsys, "qrels.txt", "good.run", "--min-grade", "2")
    (lenient,) = as_json(capsys, "qrels.txt", "good.run")
    assert (strict["threshold"], lenient["threshold"]) == (2, 1)
    assert lenient["n"] == 5 and lenient["excluded"] == []


def test_zero_relevant_may_count_0_or_1(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ("qrels.txt", "good.run", "--k", "5", "--min-grade", "2")
    (zero,) = as_json(capsys, *base, "--no-relevant", "zero")
    (one,) = as_json(capsys, *base, "--no-relevant", "one")
    assert zero["recall"]["5"] == pytest.approx(1.5 / 5)
    assert one["recall"]["5"] == pytest.approx(2.5 / 5)


def test_unanswered_may_be_left_out(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ("qrels.txt", "poor.run", "--k", "20", "--min-grade", "2")
    (zero,) = as_json(capsys, *base)
    (skip,) = as_json(capsys, *base, "--unanswered", "skip")
    assert (zero["n"], skip["n"]) == (4, 3)
    assert zero["recall"]["20"] == pytest.approx((0.75 + 1 + 1) / 4)
    assert skip["recall"]["20"] == pytest.approx((0.75 + 1 + 1) / 3)
    assert zero["unanswered"] == skip["unanswered"] == ["q5"]


def test_the_preset_follows_trec_eval(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run("some.run", {"q1": ranking("q1"), "q4": ranking("q4")}, tag="some")
    base = ("qrels.txt", "some.run", "--k", "20", "--min-grade", "2")
    (ours,) = as_json(capsys, *base)
    (theirs,) = as_json(capsys, *base, "--preset", "trec_eval")
    assert (ours["n"], ours["recall"]["20"]) == (4, pytest.approx(0.75 / 4))  # q2, q3 and q5 count 0
    assert (theirs["n"], theirs["recall"]["20"]) == (2, pytest.approx(0.75 / 2))  # q4 counts 0


def test_ties_may_be_broken_otherwise(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tie.txt").write_text("q1 0 a 1\n", encoding="utf-8")
    Path("tie.run").write_text("q1 Q0 a 1 7 t\nq1 Q0 b 2 7 t\n", encoding="utf-8")
    found = {
        ties: as_json(capsys, "tie.txt", "tie.run", "--k", "1", "--ties", ties)[0]["recall"]["1"]
        for ties in ("by-id", "as-given", "best", "worst")
    }
    assert found == {"by-id": 0.0, "as-given": 1.0, "best": 1.0, "worst": 0.0}
    (record,) = as_json(capsys, "tie.txt", "tie.run", "--k", "1")
    assert any("tie" in warning for warning in record["warnings"])


def test_repeats_are_refused_or_counted(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("twice.txt").write_text("q1 0 a 1\nq1 0 b 1\n", encoding="utf-8")
    Path("twice.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 a 2 2 t\n", encoding="utf-8")
    message = refused(capsys, "evaluate", "twice.txt", "twice.run")
    assert "twice.run, line 2" in message and "'a'" in message
    (record,) = as_json(capsys, "twice.txt", "twice.run", "--duplicates", "keep-best")
    assert record["recall"]["5"] == 0.5
    assert any("1" in warning for warning in record["warnings"])


def test_extra_words_are_refused_or_accepted(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("wordy.run").write_text("q1 Q0 q1-r2 1 3 t and more\n", encoding="utf-8")
    assert "wordy.run, line 1" in refused(capsys, "evaluate", "qrels.txt", "wordy.run")
    (record,) = as_json(capsys, "qrels.txt", "wordy.run", "--extra-words")
    assert record["run"] == "t"


def test_reading_in_pieces_gives_the_same(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = as_json(capsys, "qrels.txt", "good.run", "poor.run", "--min-grade", "2")
    assert as_json(capsys, "qrels.txt", "good.run", "poor.run", "--min-grade", "2", "--in-pieces") == whole


def test_in_pieces_the_lines_of_a_query_must_be_together(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mixed.run").write_text("q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n", encoding="utf-8")
    assert "mixed.run, line 3" in refused(capsys, "evaluate", "qrels.txt", "mixed.run", "--in-pieces")
    assert as_json(capsys, "qrels.txt", "mixed.run")[0]["run"] == "t"


def test_cutoffs_are_sorted_and_each_shown_once(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (record,) = as_json(capsys, "qrels.txt", "good.run", "--k", "10, 5,5")
    assert list(record["recall"]) == ["5", "10"]


@pytest.mark.parametrize("k", ["99999999999999999999", str(10**30), "9" * 5000, "5,1000000001"])
def test_a_k_beyond_all_lists_is_refused(files: Path, capsys: pytest.CaptureFixture[str], k: str) -> None:
    message = refused(capsys, "evaluate", "qrels.txt", "good.run", f"--k={k}")
    assert "--k" in message and "1,000,000,000" in message and len(message) < 300
    (last,) = k.split(",")[-1:]
    message = refused(capsys, "validate", "qrels.txt", f"--k={last}")
    assert "--k" in message and "1,000,000,000" in message and len(message) < 300


@pytest.mark.parametrize("grade", ["1_0", "x" * 5000, "9" * 5000])
def test_a_number_is_written_in_digits(files: Path, capsys: pytest.CaptureFixture[str], grade: str) -> None:
    message = refused(capsys, "evaluate", "qrels.txt", "good.run", f"--min-grade={grade}")
    assert "--min-grade" in message and len(message) < 300


def test_the_largest_k_is_measured(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (record,) = as_json(capsys, "qrels.txt", "good.run", "--k", "1000000000")
    assert set(record["recall"]) == {"1000000000"}
    message = refused(capsys, "evaluate", "qrels.txt", "good.run", "--k=1000000000", "--html=report.html")
    assert "--html" in message and "1,000,000" in message and not Path("report.html").exists()


@pytest.mark.parametrize("k", ["0", "-3", "1.5", "ten", "", "5,,10", "1_0", "٣", "1e2", "nan"])
def test_a_wrong_k_is_named(files: Path, capsys: pytest.CaptureFixture[str], k: str) -> None:
    message = refused(capsys, "evaluate", "qrels.txt", "good.run", f"--k={k}")
    assert "--k" in message and "whole number" in message


def test_a_very_large_k_is_only_large(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (record,) = as_json(capsys, "qrels.txt", "good.run", "--min-grade", "2", "--k", "20,1000000")
    assert record["recall"]["1000000"] == record["recall"]["20"]


@pytest.mark.parametrize("grade", ["x", "1.5", ""])
def test_a_wrong_threshold_is_named(files: Path, capsys: pytest.CaptureFixture[str], grade: str) -> None:
    assert "--min-grade" in refused(capsys, "evaluate", "qrels.txt", "good.run", f"--min-grade={grade}")


# ---------------------------------------------------------------------------------- evaluate: files and names


def test_judgments_and_runs_come_in_every_documented_form(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    relevant = {query: sorted(documents) for query, (_, documents) in SHEET.items()}
    Path("golden.csv").write_text(
        "query_id,relevant_ids\n" + "".join(f"{q},{'|'.join(ids)}\n" for q, ids in relevant.items()),
        encoding="utf-8",
    )
    Path("golden.jsonl").write_text(
        "".join(json.dumps({"query_id": q, "relevant_ids": ids}) + "\n" for q, ids in relevant.items()),
        encoding="utf-8",
    )
    folder = Path("beir")
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "q1-r2", "title": "", "text": "t"}\n', encoding="utf-8")
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": q, "text": f"question {q}"}) + "\n" for q in RANKS), encoding="utf-8"
    )
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n"
        + "".join(f"{q}\t{d}\t{g}\n" for q in RANKS for d, g in grades(q).items()),
        encoding="utf-8",
    )
    Path("good.jsonl").write_text(
        "".join(json.dumps({"query_id": q, "retrieved_ids": ranking(q)}) + "\n" for q in RANKS),
        encoding="utf-8",
    )
    Path("good.csv").write_text(
        "query_id,doc_id,score\n"
        + "".join(f"{q},{d},{DEPTH - i}\n" for q in RANKS for i, d in enumerate(ranking(q))),
        encoding="utf-8",
    )
    for judgments, extra in (("golden.csv", ()), ("golden.jsonl", ()), ("beir", ("--min-grade", "2"))):
        for results in ("good.run", "good.jsonl", "good.csv"):
            (record,) = as_json(capsys, judgments, results, "--k", "5", *extra)
            assert record["recall"]["5"] == 0.375, (judgments, results)


def beir_folder(judgments: dict[str, str]) -> None:
    """A folder ``beir`` with one passage, one question, and these qrels by name."""
    folder = Path("beir")
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "a", "title": "", "text": "t"}\n', encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "why"}\n', encoding="utf-8")
    for name, lines in judgments.items():
        (folder / "qrels" / f"{name}.tsv").write_text(lines, encoding="utf-8")


def test_which_judgments_of_a_folder(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beir_folder({"test": "q1\ta\t1\n", "dev": "q1\tb\t1\n"})
    Path("one.run").write_text("q1 Q0 a 1 1 t\n", encoding="utf-8")
    (test,) = as_json(capsys, "beir", "one.run", "--k", "1")
    (dev,) = as_json(capsys, "beir", "one.run", "--k", "1", "--qrels", "dev")
    assert (test["recall"]["1"], dev["recall"]["1"]) == (1.0, 0.0)
    assert "nosuch" in refused(capsys, "evaluate", "beir", "one.run", "--qrels", "nosuch")


def test_runs_of_the_same_name_are_told_apart(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run("again.run", {"q1": ranking("q1")}, tag="good")
    records = as_json(capsys, "qrels.txt", "good.run", "again.run", "again.run")
    assert [record["run"] for record in records] == [
        "good (good.run)",
        "good (again.run)",
        "good (again.run) no. 2",
    ]


@pytest.mark.parametrize(
    ("judgments", "results", "named"),
    [
        ("missing.txt", "good.run", "missing.txt"),
        ("qrels.txt", "missing.run", "missing.run"),
        ("qrels.txt", ".", "."),
        ("broken.txt", "good.run", "broken.txt, line 2"),
        ("qrels.txt", "broken.run", "broken.run, line 1"),
        ("qrels.txt", "other.run", "no quer"),
    ],
)
def test_files_that_do_not_do_are_named(
    files: Path, capsys: pytest.CaptureFixture[str], judgments: str, results: str, named: str
) -> None:
    Path("broken.txt").write_text("q1 0 a 1\nq1 0 b -\n", encoding="utf-8")
    Path("broken.run").write_text("q1 Q0 a 1 nan t\n", encoding="utf-8")
    Path("other.run").write_text("zz Q0 a 1 1 t\n", encoding="utf-8")
    assert named in refused(capsys, "evaluate", judgments, results)


# --------------------------------------------------------------------------------------------- evaluate: text


def test_the_table_states_values_counts_and_notices(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "qrels.txt", "good.run", "poor.run", "--k", "5,10", "--min-grade", "2") == 0
    out, err = capsys.readouterr()
    assert err == ""
    overview, good, poor = out.split("\n\n\n")
    assert overview.startswith("recall of all runs")
    assert "good  0.3750  0.5625" in overview
    assert good.startswith("good on qrels, n = 4 of 5 judged queries")
    assert (
        "                  k=5    k=10\nrecall         0.3750  0.5625\nceiling        0.8125  0.8750" in good
    )
    for said in ("macro", "grade 2 or more", "q4", "MRR", "R-precision"):
        assert said in good, said
    assert "q5" in poor and "counted 0" in poor and "q9" in poor


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_of_a_table_is_wider_than_the_terminal(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    cutoffs = ",".join(map(str, range(1, 31)))
    assert run("evaluate", "qrels.txt", "good.run", "poor.run", "--k", cutoffs) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= columns
    assert all(f"k={k} " in out or f"k={k}\n" in out for k in range(1, 31))


def test_ids_cannot_steer_the_terminal(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run("evil.run", {"q1": ["a"], "\u202ebackwards": ["a"]}, tag="evil")
    assert run("evaluate", "qrels.txt", "evil.run") == 0
    out = capsys.readouterr().out
    assert "\u202e" not in out and "\\u202ebackwards" in out


def test_a_plain_console_gets_plain_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    console.write("grade ≥ 2 → é")
    stream.seek(0)
    assert stream.read() == "grade >= 2 -> \\xe9\n"


# ------------------------------------------------------------------------------------------------- the report


def test_the_report_is_written_beside_the_table(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "qrels.txt", "good.run", "--html", "report.html", "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)[0]["run"] == "good"
    assert "report.html" in err
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("target", ["no/such/folder/report.html", "."])
def test_a_report_that_cannot_be_written_is_named(
    files: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    assert run("evaluate", "qrels.txt", "good.run", "--html", target) == 2
    err = capsys.readouterr().err
    assert target in err and "cannot be written" in err and "Traceback" not in err


@pytest.mark.parametrize("target", ["qrels.txt", "./good.run"])
def test_a_report_never_replaces_its_input(
    files: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    before = Path(target).read_bytes()
    assert "--html" in refused(capsys, "evaluate", "qrels.txt", "good.run", "--html", target)
    assert Path(target).read_bytes() == before


# --------------------------------------------------------------------------------------------------- validate


def test_validate_lists_what_is_worth_a_look(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.csv").write_text("query_id,relevant_ids\nq1,a|b|c\nq2,\n", encoding="utf-8")
    assert run("validate", "odd.csv", "--k", "2") == 0
    out = capsys.readouterr().out
    assert "q2" in out and "q1 (R = 3)" in out
    assert run("validate", "odd.csv", "--k", "3") == 0
    assert "q1 (R = 3)" not in capsys.readouterr().out


def test_validate_of_a_set_with_problems_ends_with_1(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beir_folder({"test": "q1\ta\t1\nq1\tghost\t1\n"})
    assert run("validate", "beir") == 1
    out = capsys.readouterr().out
    assert "PROBLEM" in out and "ghost" in out


@pytest.mark.parametrize("option", ["--k=0", "--k=x", "--min-grade=0", "--qrels=nosuch"])
def test_validate_refuses_wrong_options(files: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    beir_folder({"test": "q1\ta\t1\n"})
    message = refused(capsys, "validate", "beir", option)
    assert option.split("=")[0].strip("-").replace("-", "_") in message.replace("-", "_")


def test_validate_of_a_broken_file_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("broken.txt").write_text("q1 0 a\n", encoding="utf-8")
    assert "broken.txt, line 1" in refused(capsys, "validate", "broken.txt")


# ----------------------------------------------------------------------------------------- the command itself


@pytest.mark.parametrize("command", [(), *((name,) for name in cli.COMMANDS)])
def test_every_help_is_plain_text_that_fits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(*command, "--help") == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 80
    assert "usage: recall-lab" in out


@pytest.mark.parametrize("command", ["evaluate", "validate"])
def test_help_has_examples_and_exit_codes(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert run(command, "--help") == 0
    out = capsys.readouterr().out
    assert "examples:" in out and "exit codes:" in out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "COMMAND"),
        (("measure",), "'measure'"),
        (("evaluate", "qrels.txt"), "RUN"),
        (("evaluate", "qrels.txt", "good.run", "--ties", "random"), "random"),
        (("evaluate", "qrels.txt", "good.run", "--fast"), "--fast"),
    ],
)
def test_wrong_usage_is_one_short_message(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    message = refused(capsys, *arguments)
    assert named in message and "--help" in message
    assert len(message.splitlines()) <= 2


def test_python_dash_m_is_the_same_command(files: Path) -> None:
    command = [sys.executable, "-m", "recall_lab", "evaluate", "qrels.txt", "good.run", "--min-grade", "2"]
    root = Path(cli.__file__).parents[1]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.3750" in done.stdout


def test_a_reader_that_leaves_is_no_error(files: Path) -> None:
    root = Path(cli.__file__).parents[1]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [sys.executable, "-m", "recall_lab", "evaluate", "qrels.txt", "good.run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**buffered, "PYTHONPATH": str(root)},
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == cli.OUTPUT_CLOSED


@pytest.mark.skipif(os.name == "nt", reason="closing a stream is spelled for a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_stream_closed_from_the_start_is_no_error(files: Path, closed: str) -> None:
    root = Path(cli.__file__).parents[1]
    command = f'"{sys.executable}" -m recall_lab evaluate qrels.txt good.run --json {closed}'
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert (done.stdout == "") == (">&-" in closed.split())


def test_a_refusal_never_goes_to_standard_output(files: Path) -> None:
    root = Path(cli.__file__).parents[1]
    command = f'"{sys.executable}" -m recall_lab evaluate qrels.txt no_such.run --json 2>&-'
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=env)
    assert (done.returncode, done.stdout) == (cli.BAD_INPUT, "")


def test_output_that_cannot_be_written_is_said(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cli.evaluate, "run", full)
    assert os.strerror(errno.ENOSPC) in refused(capsys, "evaluate", "qrels.txt", "good.run")


def test_the_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out.strip() == f"recall-lab {recall_lab.__version__}"


def test_an_interrupt_ends_quietly(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.evaluate, "run", interrupted)
    assert run("evaluate", "qrels.txt", "good.run") == cli.INTERRUPTED
    assert capsys.readouterr().err == ""


def test_validate_is_as_wide_as_the_console(files, capsys, monkeypatch):
    for width in (50, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        cli.main(["validate", "qrels.txt"])
        longest = max(map(len, capsys.readouterr().out.splitlines()))
        assert width - 20 < longest <= width


@pytest.mark.parametrize(
    ("run", "options", "named"),
    [
        ("q1 Q0 d 1 2 t more\n", [], "--extra-words"),
        ("q1 Q0 d 1 2 t\nq1 Q0 d 2 1 t\n", [], "--duplicates keep-best"),
        ("q1 Q0 d 1 2 t\nq2 Q0 d 2 1 t\nq1 Q0 e 2 1 t\n", ["--in-pieces"], "without --in-pieces"),
    ],
)
def test_the_way_out_of_a_run_names_the_option(files, capsys, run, options, named):
    Path("bad.run").write_text(run)
    assert cli.main(["evaluate", "qrels.txt", "bad.run", *options]) == cli.BAD_INPUT
    assert named in " ".join(capsys.readouterr().err.split())


def test_the_way_out_of_judgments_names_the_option(files, capsys):
    for name in ("dev", "train"):
        Path("set/qrels").mkdir(parents=True, exist_ok=True)
        Path(f"set/qrels/{name}.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert cli.main(["evaluate", "set", "good.run"]) == cli.BAD_INPUT
    assert "--qrels" in capsys.readouterr().err
    assert cli.main(["evaluate", "qrels.txt", "good.run"]) == 0
    assert "--min-grade 2" in " ".join(capsys.readouterr().out.split())


def test_a_line_break_in_a_file_name_does_not_break_the_message() -> None:
    error = InputFileError("two\nlines.run", "no score", line=3)
    assert str(error) == "two\\nlines.run, line 3: no score"


def test_a_bug_is_never_taken_for_a_drop(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(cli.COMMANDS["gate"], "run", broken)
    assert run("gate", "qrels.txt", "good.run", "good.run") == cli.BAD_INPUT
    assert "ZeroDivisionError: a bug" in capsys.readouterr().err
