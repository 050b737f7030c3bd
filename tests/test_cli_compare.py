"""``recall-lab compare``: numbers held against the library's, several runs, what is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import ROOT, frozen, run
from markdown_it import MarkdownIt

from recall_lab import GoldenDataset, evaluate, measures, statistics
from recall_lab.commands import markdown, options

KEYS = {
    *("measure", "k", "n", "baseline_run", "candidate_run", "baseline", "candidate", "ceiling"),
    *("difference", "low", "high", "confidence", "resamples", "seed"),
    *("p_value", "adjusted_p_value", "method", "alternative", "smallest_detectable"),
    *("lost", "gained", "excluded", "unanswered", "ignored", "threshold", "warnings"),
}

# Relevant documents of each question, and what three systems return, best first.
RELEVANT = {"q1": ["a", "b", "c", "d"], "q2": ["a", "b"], "q3": ["a"], "q4": [], "q5": ["a"]}
OLD = {"q1": ["a", "b", "x"], "q2": ["a", "b", "x"], "q3": ["x", "a"], "q4": ["a"], "q5": ["x"]}
NEW = {"q1": ["a", "x", "b"], "q2": ["x", "y", "a"], "q3": ["a", "x"], "q4": ["b"], "q9": ["a"]}
THIRD = {"q1": ["x", "y"], "q2": ["a", "b"], "q3": ["a"], "q5": ["a"]}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with golden.jsonl and the runs old, new and third."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    write("golden.jsonl", "relevant_ids", RELEVANT)
    write("old.jsonl", "retrieved_ids", OLD)
    write("new.jsonl", "retrieved_ids", NEW)
    write("third.jsonl", "retrieved_ids", THIRD)
    return tmp_path


def write(path: str, key: str, lists: dict[str, list[str]]) -> None:
    lines = (json.dumps({"query_id": query_id, key: ids}) + "\n" for query_id, ids in lists.items())
    Path(path).write_text("".join(lines), encoding="utf-8")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run("compare", *arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    def not_json(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    records: list[dict[str, Any]] = json.loads(said(capsys, *arguments, "--json"), parse_constant=not_json)
    return records


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a refused comparison says: exit code 2, nothing on standard output, no Python argument."""
    assert run("compare", *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error" in err and "Traceback" not in err
    assert not re.search(r"\w=|max_drop|min_grade", err), err
    return err


# ----------------------------------------------------------------------------------------------------- JSON


def test_json_of_a_small_comparison_worked_out_by_hand(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = as_json(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", "--k", "2")
    assert set(record) == KEYS
    # At 2: q1 2/4 to 1/4, q2 2/2 to 0/2, q3 1 to 1, q5 0 to (not answered) 0; q4 has no relevant document.
    expected = {
        "measure": "recall",
        "k": 2,
        "n": 4,
        "baseline_run": "old",
        "candidate_run": "new",
        "baseline": (0.5 + 1 + 1 + 0) / 4,
        "candidate": (0.25 + 0 + 1 + 0) / 4,
        "ceiling": (0.5 + 1 + 1 + 1) / 4,
        "difference": (-0.25 - 1) / 4,
        "confidence": 0.95,
        "p_value": 0.5,  # two questions changed, both down: 2 of the 4 ways to flip them are as extreme
        "adjusted_p_value": 0.5,
        "method": "sign-flip",
        "alternative": "two-sided",
        "smallest_detectable": None,  # four questions show nothing
        "lost": ["q2", "q1"],
        "gained": [],
        "excluded": ["q4"],
        "unanswered": {"baseline": [], "candidate": ["q5"]},
        "ignored": {"baseline": [], "candidate": ["q9"]},
        "threshold": 1,
    }
    assert {key: record[key] for key in expected} == expected
    assert any("new: " in warning and "q5" in warning for warning in record["warnings"])


@pytest.mark.parametrize("measure", options.COMPARABLE)
def test_means_and_ceiling_are_those_of_the_measure(
    files: Path, capsys: pytest.CaptureFixture[str], measure: str
) -> None:
    (record,) = as_json(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", "--k", "3", "--measure", measure)
    assert record["measure"] == measure
    for side, lists in (("baseline", OLD), ("candidate", NEW)):
        assert record[side] == pytest.approx(evaluate(RELEVANT, lists).mean(measure, 3)), side
    perfect = {"recall": (0.75 + 1 + 1 + 1) / 4, "precision": (1 + 2 / 3 + 1 / 3 + 1 / 3) / 4}
    # With four relevant documents and three places average precision, divided by R, reaches 3/4.
    perfect["average_precision"] = perfect["recall"]
    assert record["ceiling"] == pytest.approx(perfect.get(measure, 1.0))


def test_the_ceiling_of_recall_is_the_achievable_recall(capsys: pytest.CaptureFixture[str]) -> None:
    (record,) = as_json(capsys, "library_of_things", frozen("keyword"), frozen("minilm"), "--k", "3")
    golden = GoldenDataset.load("library_of_things")
    pairs = [([], golden.relevant(query_id)) for query_id in golden.judgments]
    assert record["ceiling"] == pytest.approx(measures.achievable_recall_at_k(pairs, 3))


def test_several_runs_are_held_against_the_first_and_p_is_adjusted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ["keyword", "minilm", "keyword_all_words", "hybrid_50"]
    records = as_json(capsys, "library_of_things", *map(frozen, names))
    golden = GoldenDataset.load("library_of_things")
    table = statistics.compare_all({n: evaluate(golden, frozen(n)) for n in names}, "keyword")
    assert [record["candidate_run"] for record in records] == names[1:]
    assert {record["baseline_run"] for record in records} == {"keyword"}
    for record in records:
        row = table.loc[record["candidate_run"]]
        for key, column in {
            "p_value": "p",
            "adjusted_p_value": "p_holm",
            "low": "low",
            "high": "high",
        }.items():
            assert record[key] == pytest.approx(row[column]), key
        assert (len(record["lost"]), len(record["gained"])) == (row["lost"], row["gained"])
    assert all(record["adjusted_p_value"] > record["p_value"] for record in records[:2])


def test_what_is_tested_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("library_of_things", frozen("keyword"), frozen("keyword_all_words"))
    golden = GoldenDataset.load("library_of_things")
    old, new = (evaluate(golden, frozen(name)) for name in ("keyword", "keyword_all_words"))
    p_values = {}
    for alternative in ("two-sided", "less", "greater"):
        for method in ("permutation", "t"):
            chosen = ("--alternative", alternative, "--method", method, "--seed", "3", "--resamples", "999")
            (record,) = as_json(capsys, *paths, *chosen, "--confidence", "0.5")
            expected = statistics.compare(
                old,
                new,
                alternative=alternative,  # type: ignore[arg-type]
                method=method,  # type: ignore[arg-type]
                confidence=0.5,
                resamples=999,
                seed=3,
            )
            assert (record["method"], record["alternative"]) == (method, alternative)
            assert (record["confidence"], record["seed"], record["resamples"]) == (0.5, 3, 999)
            assert (record["p_value"], record["low"]) == (expected.p_value, expected.difference.low)
            p_values[alternative, method] = record["p_value"]
    assert len(set(p_values.values())) == 6


def test_every_key_of_the_json_is_documented(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run("compare", "--help") == 0
    out = capsys.readouterr().out
    documented = out[out.index("what --json prints:") : out.index("exit codes:")]
    assert {key for key in KEYS if not re.search(rf"\b{key}\b", documented)} == set()
    assert "examples:" in out and "  0  compared" in out


# ----------------------------------------------------------------------------------------------------- text


def test_the_text_states_means_ceiling_interval_test_and_changes(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = as_json(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", "--k", "2")
    out = said(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", "--k", "2")
    assert out.startswith("recall@2 on golden, compared with old\n")
    for line in (
        "baseline:    0.6250 of at most 0.8750, old",
        "candidate:   0.3125 of at most 0.8750, new",
        f"difference:  -0.3125 (95 % bootstrap interval {record['low']:.4f} to {record['high']:.4f}, n = 4)",
        "p:           0.5000 (sign-flip test, two-sided)",
        "lost:        2 questions: q2, q1",
        "gained:      none",
        "could see:   no drop: too few questions",
        "averaging:             macro, every question counts the same",
        "relevant:              grade 1 or more",
        "no relevant document:  1 question left out: q4",
        "unanswered:            old: none; new: 1 question counted 0: q5",
        "ignored:               old: none; new: 1 question without judgments: q9",
    ):
        assert line in out.splitlines(), line
    assert "Holm" not in out


def test_who_tests_for_a_rise_reads_of_a_rise(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", "--k", "2", "--alternative", "greater")
    assert "p:           1.0000 (sign-flip test, one-sided, for a rise)" in out.splitlines()
    assert "could see:   no rise: too few questions" in out.splitlines()


def test_all_runs_stand_beside_each_other(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("golden.jsonl", "old.jsonl", "new.jsonl", "third.jsonl", "--k", "2")
    (_, third) = as_json(capsys, *paths)
    out = said(capsys, *paths)
    overview = out.split("\n\n")[1].splitlines()
    assert overview[0].split() == ["mean", "change", "p", "p", "(Holm)"]
    assert [line.split() for line in overview[1:]] == [
        ["old", "0.6250"],
        ["new", "0.3125", "-0.3125", "0.5000", "1.0000"],
        ["third", "0.7500", "+0.1250", f"{third['p_value']:.4f}", "1.0000"],
    ]
    assert len({len(line) for line in overview[2:]}) == 1
    assert out.count("p (Holm):") == 2 and "adjusted for 2 comparisons" in out


def test_the_lists_are_cut_unless_all_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("library_of_things", frozen("keyword"), frozen("minilm"))
    (record,) = as_json(capsys, *paths)
    short, full = (" ".join(said(capsys, *paths, *extra).split()) for extra in ((), ("--all",)))
    lost = record["lost"]
    assert f"lost: {len(lost)} questions: {', '.join(lost[:10])} and {len(lost) - 10} more gained:" in short
    assert f"lost: {len(lost)} questions: {', '.join(lost)} gained:" in full
    assert ", ".join(record["excluded"]) in full and ", ".join(record["excluded"]) not in short


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_no_line_is_wider_than_the_terminal(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    third = "a_run_with_a_rather_long_name.jsonl"
    Path("third.jsonl").rename(third)
    out = said(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", third)
    assert max(map(len, out.splitlines())) <= columns
    assert "a_run_with_a_rather_long_name" in out.split("\n\n")[1]


def test_left_out_questions_count_in_neither_mean(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (record,) = as_json(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", "--k", "2", "--unanswered", "skip")
    assert (record["n"], record["baseline"]) == (3, pytest.approx((0.5 + 1 + 1) / 3))
    assert record["ceiling"] == pytest.approx((0.5 + 1 + 1) / 3)
    out = said(capsys, "golden.jsonl", "old.jsonl", "new.jsonl", "--k", "2", "--unanswered", "skip")
    assert "n = 3)" in out and "new: 1 question left out: q5" in out


@pytest.mark.parametrize("counts", [0, 1], ids=["zero", "one"])
def test_a_question_without_relevant_documents_may_count(
    files: Path, capsys: pytest.CaptureFixture[str], counts: int
) -> None:
    paths = ("golden.jsonl", "old.jsonl", "new.jsonl", "--k", "2")
    (record,) = as_json(capsys, *paths, "--no-relevant", ["zero", "one"][counts])
    assert (record["n"], record["excluded"]) == (5, [])
    assert record["baseline"] == pytest.approx((0.5 + 1 + 1 + 0 + counts) / 5)
    assert record["ceiling"] == pytest.approx((0.5 + 1 + 1 + 1 + counts) / 5)


def test_notes_say_what_has_no_line_of_its_own(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("twice.run").write_text("q3 Q0 a 1 2 twice\nq3 Q0 a 2 1 twice\n", encoding="utf-8")
    out = said(capsys, "golden.jsonl", "old.jsonl", "twice.run", "--duplicates", "keep-best")
    notes = [line for line in out.splitlines() if line.startswith("note: ")]
    assert len(notes) == 1 and notes[0].startswith("note: twice: ")


def test_ties_at_the_cutoff_are_said(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tied.run").write_text("q3 Q0 x 1 1 tied\nq3 Q0 a 2 1 tied\n", encoding="utf-8")
    paths = ("golden.jsonl", "old.jsonl", "tied.run", "--k", "1")
    assert "tied: ties in 1 query leave recall@1 open" in " ".join(said(capsys, *paths).split())
    (record,) = as_json(capsys, *paths)
    assert any(warning.startswith("tied: ties in 1 query") for warning in record["warnings"])


def test_runs_of_one_name_are_told_apart_and_one_file_twice_is_noticed(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = as_json(capsys, "golden.jsonl", "old.jsonl", "old.jsonl", "new.jsonl")
    assert [r["candidate_run"] for r in records] == ["old (old.jsonl) no. 2", "new"]
    assert (records[0]["p_value"], records[0]["difference"]) == (1.0, 0.0)
    assert any("same file" in warning for warning in records[0]["warnings"])


def test_the_plain_text_has_no_surprise_for_a_build_log(files: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "recall_lab", "compare", "golden.jsonl", "old.jsonl", "new.jsonl"]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\" not in done.stdout and b"\x1b" not in done.stdout


# ------------------------------------------------------------------------------------------------ the summary


def test_the_summary_has_a_table_of_runs_and_blocks_of_questions(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = ("golden.jsonl", "old.jsonl", "new.jsonl", "third.jsonl", "--k", "2")
    summary = said(capsys, *paths, "--markdown", "-")
    page = MarkdownIt("commonmark").enable("table").render(summary)
    assert page.startswith("<h3>recall@2, compared with old</h3>")
    assert page.count("<h4>") == 2 and "<strong>p (Holm)</strong>: 1.0000" in page
    rows = [re.findall(r"<td[^>]*>([^<]*)", row) for row in page.split("<tr>")]
    assert [row for row in rows if len(row) == 5] == [
        ["old", "0.6250", "0.8750", "", "4"],
        ["new", "0.3125", "0.8750", "-0.3125", "4"],
        ["third", "0.7500", "0.8750", "+0.1250", "4"],
    ]
    assert ["q2", "1.0000", "0.0000", "-1.0000"] in rows
    assert "<summary>2 questions lost</summary>" in page and "<summary>1 question gained</summary>" in page
    assert run("compare", *paths, "--markdown", "summary.md", "--json") == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 2 and "summary.md" in err
    assert Path("summary.md").read_text(encoding="utf-8") == summary


def test_a_long_question_is_shortened_in_the_summary(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("beir/qrels").mkdir(parents=True)
    Path("beir/qrels/test.tsv").write_text("q1\ta\t1\nq2\ta\t1\n", encoding="utf-8")
    questions = {"q1": "Why? " * 16 + "Why?", "q2": "Why? " * 15 + "Why?"}
    lines = (json.dumps({"_id": query_id, "text": text}) + "\n" for query_id, text in questions.items())
    Path("beir/queries.jsonl").write_text("".join(lines), encoding="utf-8")
    write("empty.jsonl", "retrieved_ids", {"q1": ["x"], "q2": ["x"]})
    summary = said(capsys, "beir", "old.jsonl", "empty.jsonl", "--markdown", "-")
    assert f"| q1 {('Why? ' * 16)[:79]}… |" in summary
    assert f"| q2 {questions['q2']} |" in summary


@pytest.mark.parametrize(
    "text",
    [
        "a|b",
        "\\|",
        "<b>x</b>",
        "[a](b)",
        "![a](b)",
        "*a* _b_ __c__ _d_.",
        "`a",
        "~~a~~",
        "&lt;",
        "$a$",
        "a_b_c",
        "1. a",
    ],
    ids=str,
)
def test_escaped_text_shows_as_it_is(text: str) -> None:
    page = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .render(markdown.table(["run", "n"], [[text, "1"]]))
    )
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<td>{shown}</td>" in page


def test_nobody_is_called_and_no_line_is_broken() -> None:
    assert markdown.escape("@ada, a@10 #7\n\x1b[1m") == "@<!-- -->ada, a@10 #<!-- -->7 &#92;x1b&#91;1m"


# ------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("golden.jsonl old.jsonl", "RUN_B"),
        ("golden.jsonl old.jsonl new.jsonl --k 5,10", "each further k is a further test"),
        ("golden.jsonl old.jsonl new.jsonl --k 0", "--k 10"),
        ("golden.jsonl old.jsonl new.jsonl --measure judged", "judged"),
        ("golden.jsonl old.jsonl new.jsonl --confidence 95", "95 % are 0.95"),
        ("golden.jsonl old.jsonl new.jsonl --confidence 1", "below 1"),
        ("golden.jsonl old.jsonl new.jsonl --confidence high", "0.95"),
        ("golden.jsonl old.jsonl new.jsonl --alternative worse", "--alternative"),
        ("golden.jsonl old.jsonl new.jsonl --method bootstrap", "--method"),
        ("golden.jsonl old.jsonl new.jsonl --qrels test", "golden.jsonl"),
        ("golden.jsonl old.jsonl new.jsonl --json --markdown -", "--markdown"),
        ("golden.jsonl old.jsonl new.jsonl --markdown new.jsonl", "new.jsonl"),
        ("golden.jsonl old.jsonl missing.jsonl", "missing.jsonl"),
        ("old.jsonl golden.jsonl new.jsonl", "old.jsonl"),
        ("golden.jsonl old.jsonl foreign.jsonl", "foreign.jsonl: the judgments and the run have no query"),
        ("golden.jsonl old.jsonl third.jsonl other.jsonl", "old.jsonl and other.jsonl answer no question"),
        ("none.jsonl old.jsonl new.jsonl", "none.jsonl: no question has a relevant document"),
    ],
    ids=lambda value: value.replace(" ", "_"),
)
def test_what_does_not_do_is_named(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: str, named: str
) -> None:
    write("foreign.jsonl", "retrieved_ids", {"z": ["a"]})
    write("old.jsonl", "retrieved_ids", {query_id: OLD[query_id] for query_id in ("q1", "q2", "q3")})
    write("other.jsonl", "retrieved_ids", {"q5": ["a"]})
    write("none.jsonl", "relevant_ids", {"q1": [], "q2": []})
    assert named in refused(capsys, *arguments.split())


def test_a_test_that_cannot_be_done_names_another(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("library_of_things", frozen("keyword"), frozen("minilm"))
    assert "permutation" in refused(capsys, *paths, "--method", "sign-flip")
