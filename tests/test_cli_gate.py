"""``recall-lab gate``: the decision, its exit code, and what it says; frozen runs and planted changes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from command_line import ROOT, frozen, run
from markdown_it import MarkdownIt

from recall_lab import GoldenDataset, cli, evaluate, statistics

KEYS = [
    *("decision", "exit_code", "reason", "max_drop", "smallest_detectable", "questions_needed"),
    *("measure", "k", "n", "baseline_run", "candidate_run", "baseline", "candidate", "ceiling"),
    *("difference", "low", "high", "confidence", "resamples", "seed", "p_value", "method", "alternative"),
    *("lost", "gained", "excluded", "unanswered", "ignored", "threshold", "warnings"),
]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a refused gate says: exit code 2, nothing on standard output, no traceback, no Python argument."""
    assert run("gate", *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error" in err and "Traceback" not in err
    assert not re.search(r"\w=|max_drop|min_grade", err), err
    return err


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int) -> str:
    assert run("gate", *arguments) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code = run("gate", *arguments, "--json")
    out, err = capsys.readouterr()
    assert err == ""

    def not_json(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    record: dict[str, Any] = json.loads(out, parse_constant=not_json)
    assert record["exit_code"] == code
    return record


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def write_run(path: str, hits: Iterable[str], misses: Iterable[str] = (), tag: str = "") -> None:
    """A run that finds document ``r`` for some questions and another one for others."""
    lines = [f"{q} Q0 {d} 1 1.0 {tag or path[:-4]}\n" for qs, d in ((hits, "r"), (misses, "x")) for q in qs]
    Path(path).write_text("".join(lines), encoding="utf-8")


def plant(n: int, *, lost: int = 0, gained: int = 0) -> tuple[str, str, str]:
    """Judgments of n questions with one relevant document each, a baseline, and a candidate that differs."""
    ids = [f"q{i:04}" for i in range(n)]
    Path("qrels.txt").write_text("".join(f"{q} 0 r 1\n" for q in ids), encoding="utf-8")
    write_run("old.run", ids[gained:], ids[:gained])
    write_run("new.run", ids[: n - lost], ids[n - lost :])
    return "qrels.txt", "old.run", "new.run"


# ---------------------------------------------------------------------------------------------- the decision


def test_a_planted_regression_is_caught(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "library_of_things", frozen("keyword"), frozen("keyword_all_words"), code=1)
    golden = GoldenDataset.load("library_of_things")
    before, after = (evaluate(golden, frozen(name)).recall(10) for name in ("keyword", "keyword_all_words"))
    assert out.splitlines()[0] == f"DROP: recall@10 fell by {before - after:.4f}"


def test_a_planted_harmless_change_passes(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "library_of_things", frozen("keyword"), frozen("keyword_titles_twice"), code=0)
    assert out.startswith("PASS: recall@10 rose by ")
    assert "5 questions: " in out  # it changed some


def test_a_clear_improvement_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, *plant(200, gained=20), code=0).startswith("PASS: recall@10 rose by 0.1000\n")


def test_a_set_too_small_for_the_wanted_drop_does_not_pass(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("library_of_things", frozen("keyword"), frozen("keyword_titles_twice"))
    out = said(capsys, *paths, "--max-drop", "0.01", code=2)
    assert out.startswith("CANNOT TELL: ")
    record = as_json(capsys, *paths, "--max-drop", "0.01")
    assert record["smallest_detectable"] > 0.01
    assert record["questions_needed"] > record["n"] == 104
    assert f"a drop of {record['smallest_detectable']:.4f} or more" in out
    assert re.search(rf"\b{record['questions_needed']}\b", " ".join(out.split()))


@pytest.mark.parametrize(("n", "code", "decision"), [(10, 2, "cannot tell"), (300, 0, "pass")])
def test_identical_runs_pass_only_on_a_set_that_could_see_a_drop(
    folder: Path, capsys: pytest.CaptureFixture[str], n: int, code: int, decision: str
) -> None:
    paths = plant(n)
    record = as_json(capsys, *paths)
    assert (record["decision"], record["exit_code"], record["p_value"]) == (decision, code, 1.0)
    assert (record["difference"], record["low"], record["high"]) == (0, 0, 0)
    assert said(capsys, *paths, code=code).startswith(f"{decision.upper()}: recall@10 is unchanged\n")


def test_a_surely_smaller_drop_passes_and_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = said(capsys, *plant(1000, lost=12), code=0)
    assert out.startswith("PASS: recall@10 fell by 0.0120\n") and "12 questions: " in out


def test_max_drop_decides(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = plant(400, lost=16)
    decisions = {drop: as_json(capsys, *paths, "--max-drop", drop)["decision"] for drop in ("0.03", "1")}
    assert decisions == {"0.03": "drop", "1": "pass"}
    assert as_json(capsys, *paths)["max_drop"] == 0.05


def test_one_question_is_no_ground_for_anything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = as_json(capsys, *plant(1, lost=1))
    assert record["decision"] == "cannot tell"
    assert record["low"] is record["high"] is record["smallest_detectable"] is None
    assert "no drop: too few questions" in said(capsys, *plant(1, lost=1), code=2)


# ----------------------------------------------------------------------------------------------------- JSON


def test_json_has_the_documented_keys_and_the_library_s_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    record = as_json(capsys, "library_of_things", frozen("keyword"), frozen("keyword_all_words"), "--k", "5")
    assert list(record) == KEYS
    golden = GoldenDataset.load("library_of_things")
    old, new = (evaluate(golden, frozen(name)) for name in ("keyword", "keyword_all_words"))
    comparison = statistics.compare(old, new, "recall", 5, alternative="less")
    verdict = statistics.gate(comparison, 0.05)
    expected = {
        "decision": verdict.decision,
        "exit_code": verdict.exit_status,
        "reason": verdict.reason,
        "max_drop": 0.05,
        "smallest_detectable": verdict.smallest_detectable,
        "questions_needed": verdict.questions_needed,
        "measure": "recall",
        "k": 5,
        "n": 104,
        "baseline_run": "keyword",
        "candidate_run": "keyword_all_words",
        "baseline": pytest.approx(old.recall(5)),
        "candidate": pytest.approx(new.recall(5)),
        "ceiling": pytest.approx(old.ceiling(5)),
        "difference": pytest.approx(new.recall(5) - old.recall(5)),
        "low": verdict.difference.low,
        "high": verdict.difference.high,
        "confidence": pytest.approx(0.9),
        "resamples": 10_000,
        "seed": 0,
        "p_value": comparison.p_value,
        "method": comparison.method,
        "alternative": "less",
        "excluded": old.excluded,
        "unanswered": {"baseline": old.unanswered, "candidate": []},
        "ignored": {"baseline": [], "candidate": []},
        "threshold": 2,
    }
    assert {key: record[key] for key in expected} == expected
    assert set(record["lost"]) == set(comparison.lost) and set(record["gained"]) == set(comparison.gained)
    fall = comparison.table().set_index("query_id")["difference"]
    falls = [fall[query_id] for query_id in record["lost"]]
    assert falls == sorted(falls) and falls[0] < falls[-1]
    assert any(warning.startswith("keyword: ") and "q033" in warning for warning in record["warnings"])


def test_every_key_of_the_json_is_documented(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run("gate", "--help") == 0
    out = capsys.readouterr().out
    documented = out[out.index("what --json prints:") : out.index("exit codes:")]
    assert {key for key in KEYS if not re.search(rf"\b{key}\b", documented)} == set()
    for code, meaning in enumerate(("pass", "drop", "the set can't tell")):
        assert f"  {code}  {meaning}" in out


def test_the_seed_decides_about_chance(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("library_of_things", frozen("keyword"), frozen("minilm"), "--resamples", "500")
    first, again, other = (as_json(capsys, *paths, "--seed", seed) for seed in ("1", "1", "2"))
    assert first == again
    assert first["low"] != other["low"] and (other["resamples"], other["seed"]) == (500, 2)


def test_the_conventions_of_measuring_are_options_here_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("graded.txt").write_text("q1 0 r 2\nq2 0 r 1\nq3 0 r 1\n", encoding="utf-8")
    write_run("old.run", ["q1", "q2", "q3"])
    write_run("new.run", ["q1"])
    counts = {}
    for extra in ("", "--min-grade=2", "--unanswered=skip", "--min-grade=2 --no-relevant=zero"):
        record = as_json(capsys, "graded.txt", "old.run", "new.run", *extra.split())
        counts[extra] = (record["n"], record["candidate"], record["threshold"])
    assert counts == {
        "": (3, pytest.approx(1 / 3), 1),
        "--min-grade=2": (1, 1.0, 2),
        "--unanswered=skip": (1, 1.0, 1),
        "--min-grade=2 --no-relevant=zero": (3, pytest.approx(1 / 3), 2),
    }


# ----------------------------------------------------------------------------------------------- what it says


def test_the_text_has_the_numbers_of_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("library_of_things", frozen("keyword"), frozen("keyword_all_words"))
    record = as_json(capsys, *paths)
    out = " ".join(said(capsys, *paths, code=1).split())
    for value in (
        f"baseline: {record['baseline']:.4f} of at most {record['ceiling']:.4f}, keyword",
        f"candidate: {record['candidate']:.4f} of at most {record['ceiling']:.4f}, keyword_all_words",
        f"difference: {record['difference']:.4f} (90 % bootstrap interval {record['low']:.4f} to "
        f"{record['high']:.4f}, n = 104)",
        f"lost: 23 questions: {', '.join(record['lost'][:10])} and 13 more",
        f"gained: 6 questions: {', '.join(record['gained'])}",
        f"could see: a drop of {record['smallest_detectable']:.4f} or more",
        f"p: {record['p_value']:.4f} (permutation test, one-sided, for a drop)",
        f"because: {record['reason']}",
        "averaging: macro",
        "relevant: grade 2 or more",
        "no relevant document: 16 questions left out: q105",
        "unanswered: keyword: 5 questions counted 0: q033, q037, q038, q043, q046; keyword_all_words: none",
    ):
        assert value in out, value


def test_all_names_every_question(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = plant(200, lost=25)
    short, full = said(capsys, *paths, code=1), said(capsys, *paths, "--all", code=1)
    assert "q0184 and 15 more" in " ".join(short.split()) and "q0199" not in short
    assert all(f"q0{i}" in full for i in range(175, 200)) and "more" not in full.split("gained:")[0]


def test_what_the_candidate_does_not_answer_counts_0_and_is_listed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(100)
    write_run("new.run", [f"q{i:04}" for i in range(80)])
    silent = [f"q{i:04}" for i in range(80, 100)]
    record = as_json(capsys, "qrels.txt", "old.run", "new.run")
    assert (record["decision"], record["candidate"], record["n"]) == ("drop", 0.8, 100)
    assert record["unanswered"] == {"baseline": [], "candidate": silent}
    out = " ".join(said(capsys, "qrels.txt", "old.run", "new.run", code=1).split())
    assert "lost: 20 questions (20 not answered): q0080" in out
    assert "new: 20 questions counted 0: q0080" in out


def test_what_the_candidate_does_not_answer_is_left_out_only_on_demand_and_aloud(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(200)
    write_run("new.run", [f"q{i:04}" for i in range(180)])
    skip = ("qrels.txt", "old.run", "new.run", "--unanswered", "skip")
    out = " ".join(said(capsys, *skip, code=0).split())
    assert "left out: 20 questions that a run doesn't answer: q0180" in out
    assert "**left out**: 20 questions" in said(capsys, *skip, "--markdown", "-", code=0)
    assert "left out:" not in said(capsys, *plant(200), "--unanswered", "skip", code=0)


@pytest.mark.parametrize("place", [1, 2])
def test_a_run_that_returns_nothing_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], place: int
) -> None:
    paths = [*plant(10)]
    lines = (json.dumps({"query_id": f"q{i:04}", "retrieved_ids": []}) + "\n" for i in range(10))
    Path("silent.jsonl").write_text("".join(lines), encoding="utf-8")
    paths[place] = "silent.jsonl"
    assert "silent.jsonl answers no question that has a relevant document" in refused(capsys, *paths)


def test_questions_without_judgments_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(10)
    write_run("new.run", [*(f"q{i:04}" for i in range(10)), "extra"])
    assert as_json(capsys, "qrels.txt", "old.run", "new.run")["ignored"] == {
        "baseline": [],
        "candidate": ["extra"],
    }
    assert "new: 1 question without judgments: extra" in said(
        capsys, "qrels.txt", "old.run", "new.run", code=2
    )


def test_the_same_file_twice_is_noticed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(10)
    record = as_json(capsys, "qrels.txt", "old.run", "./old.run")
    assert any("same file" in warning for warning in record["warnings"])
    assert "note: ./old.run is the same file" in said(capsys, "qrels.txt", "old.run", "./old.run", code=2)
    assert not any("same file" in w for w in as_json(capsys, "qrels.txt", "old.run", "new.run")["warnings"])


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_no_line_is_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = said(capsys, "library_of_things", frozen("keyword"), frozen("keyword_all_words"), code=1)
    assert max(map(len, out.splitlines())) <= columns


# ------------------------------------------------------------------------------------------------ the summary


def rendered(text: str) -> str:
    return str(MarkdownIt("commonmark").enable("table").render(text))


def test_the_summary_is_written_beside_the_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = plant(200, lost=25)
    assert run("gate", *paths, "--markdown", "summary.md") == 1
    out, err = capsys.readouterr()
    assert out == said(capsys, *paths, code=1) and "summary.md" in err
    summary = Path("summary.md").read_text(encoding="utf-8")
    assert summary == said(capsys, *paths, "--markdown", "-", code=1)
    page = rendered(summary)
    assert page.startswith("<h3>DROP: recall@10 fell by 0.1250</h3>")
    assert page.count("<table>") == 2 and page.count("</details>") == 2
    assert "<summary>25 questions lost</summary>" in page
    assert [row.count("<td") for row in page.split("<tr>") if "<td" in row] == [5] * 2 + [4] * 25


def test_a_long_list_of_the_summary_is_cut_and_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = plant(200, gained=60)
    short = said(capsys, *paths, "--markdown", "-", code=0)
    full = said(capsys, *paths, "--markdown", "-", "--all", code=0)
    assert "<summary>60 questions gained</summary>" in short and "\nand 10 more\n" in short
    assert (short.count("\n| q0"), full.count("\n| q0")) == (50, 60) and "more" not in full.split("</")[2]


HOSTILE = [
    "a|b",
    "<img/src=x>",
    "[x](http://a.b)",
    "*s*",
    "`c`",
    "__u__",
    "\\|",
    "&amp;",
    "~~d~~",
    "$x$",
    "<!--",
]


def test_ids_are_text_in_the_summary(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("qrels.txt").write_text("".join(f"{q} 0 r 1\n" for q in [*HOSTILE, "ok"]), encoding="utf-8")
    write_run("old.run", [*HOSTILE, "ok"], tag="<b>|old*")
    write_run("new.run", ["ok"], tag="@ada#7")
    summary = said(capsys, "qrels.txt", "old.run", "new.run", "--markdown", "-", code=1)
    page = rendered(summary)
    shown = {
        q: q.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for q in [*HOSTILE, "<b>|old*"]
    }
    for id_, text in shown.items():
        assert f"<td>{text}</td>" in page, id_
    assert {tag for tag in re.findall(r"<([a-z]\w*)", page)} == {
        *("h3", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "strong", "details", "summary"),
    }
    assert "@ada" not in page and "#7" not in page and "@<!-- -->ada#<!-- -->7" in page


def test_the_question_stands_beside_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ("library_of_things", frozen("keyword"), frozen("keyword_all_words"))
    summary = said(capsys, *paths, "--markdown", "-", code=1)
    golden = GoldenDataset.load("library_of_things")
    assert f"| q085 {golden.questions['q085']} | 1.0000 | 0.0000 | -1.0000 |" in summary


@pytest.mark.parametrize(
    ("target", "named"),
    [
        ("no/such/summary.md", "no/such/summary.md"),
        (".", "."),
        ("qrels.txt", "qrels.txt"),
        ("./old.run", "old.run"),
    ],
)
def test_a_summary_that_cannot_be_written_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], target: str, named: str
) -> None:
    paths = plant(10)
    before = [Path(path).read_bytes() for path in paths]
    message = refused(capsys, *paths, "--markdown", target)
    assert "--markdown" in message and named in message
    assert [Path(path).read_bytes() for path in paths] == before


@pytest.mark.parametrize("target", ["set/qrels/test.tsv", "set/queries.jsonl", "set/dataset.json"])
def test_a_file_of_the_dataset_is_not_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    Path("set/qrels").mkdir(parents=True)
    Path("set/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq0000\tr\t1\n", encoding="utf-8")
    Path("set/queries.jsonl").write_text('{"_id": "q0000", "text": "Why?"}\n', encoding="utf-8")
    Path("set/dataset.json").write_text("{}", encoding="utf-8")
    runs = plant(10)[1:]
    before = Path(target).read_bytes()
    assert "one of the files to read" in refused(capsys, "set", *runs, "--markdown", target)
    assert Path(target).read_bytes() == before
    assert run("gate", "set", *runs, "--markdown", "set/summary.md") == 2
    assert Path("set/summary.md").read_text(encoding="utf-8").startswith("### CANNOT TELL")


def test_a_file_of_a_shipped_dataset_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    target = ROOT / "datasets" / "library_of_things" / "dataset.json"
    before = target.read_bytes()
    paths = ("library_of_things", frozen("keyword"), frozen("minilm"))
    assert "one of the files to read" in refused(capsys, *paths, "--markdown", str(target))
    assert target.read_bytes() == before


def test_two_outputs_cannot_share_standard_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, *plant(10), "--json", "--markdown", "-")
    assert "--json" in message and "--markdown" in message


# ------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("drop", "way_out"),
    [
        ("5", "0.05"),
        ("5%", "0.05"),
        ("5 %", "0.05"),
        ("2.5%", "0.025"),
        ("0,05", "0.05, with a point"),
        ("0", "0.05"),
        ("-0.05", "0.05"),
        ("1.5", "0.015"),
        ("nan", "0.05"),
        ("inf", "0.05"),
        ("five", "0.05"),
        ("", "0.05"),
        ("1_0", "0.05"),
        ("٠.٠٥", "0.05"),
        ("1e-999", "0.05"),
        ("9" * 5000, "0.05"),
    ],
    ids=lambda value: str(value)[:8].encode("unicode_escape").decode(),
)
def test_max_drop_is_a_fraction(
    folder: Path, capsys: pytest.CaptureFixture[str], drop: str, way_out: str
) -> None:
    message = refused(capsys, *plant(10), f"--max-drop={drop}")
    assert "--max-drop" in message and "fraction" in message and way_out in message and len(message) < 300


@pytest.mark.parametrize("drop", ["1e-300", "1e-200", "0.0000001"])
def test_a_max_drop_that_no_set_could_show_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], drop: str
) -> None:
    """A crash would end with 1, which a build takes for a drop."""
    assert f"--max-drop: {drop} is too small" in refused(capsys, *plant(10), "--max-drop", drop)


def test_spaces_around_max_drop_do_no_harm(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, *plant(10), "--max-drop", " 0.05 ")["max_drop"] == 0.05


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--k=0", "--k"),
        ("--k=5,10", "one cutoff"),
        ("--k=ten", "--k 10"),
        ("--measure=micro_recall", "micro_recall"),
        ("--resamples=99", "--resamples"),
        ("--resamples=1000001", "--resamples"),
        ("--seed=-1", "--seed"),
        ("--seed=1.5", "--seed"),
        ("--min-grade=0", "--min-grade: 0 is below 1"),
        ("--confidence=0.9", "--confidence"),
        ("--markdown=", "--markdown"),
    ],
    ids=lambda value: value,
)
def test_wrong_options_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str], options: str, named: str
) -> None:
    paths = plant(10)
    assert run("gate", *paths, *options.split(), "--json") == 2
    out, err = capsys.readouterr()
    assert out == "" and named in err


@pytest.mark.parametrize(
    ("paths", "named"),
    [
        (("missing.txt", "old.run", "new.run"), "missing.txt"),
        (("qrels.txt", "missing.run", "new.run"), "missing.run"),
        (("qrels.txt", "old.run", "missing.run"), "missing.run"),
        (("old.run", "qrels.txt", "new.run"), "swapped"),
        (("qrels.txt", "qrels.txt", "new.run"), "swapped"),
        (("qrels.txt", "old.run", "qrels.txt"), "swapped"),
        (("qrels.txt", "old.run", "foreign.run"), "foreign.run: the judgments and the run have no query"),
        (
            ("qrels.txt", "half.run", "other_half.run"),
            "half.run and other_half.run answer no question in common",
        ),
        (("none.txt", "old.run", "new.run"), "none.txt: no question has a relevant document"),
        (("qrels.txt", "old.run", "empty.run"), "empty.run"),
        (("qrels.txt", "old.run"), "CANDIDATE"),
        (("qrels.txt", "old.run", "new.run", "new.run"), "new.run"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_files_that_do_not_do_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str], paths: tuple[str, ...], named: str
) -> None:
    plant(10)
    write_run("foreign.run", ["z1", "z2"])
    write_run("half.run", [f"q{i:04}" for i in range(5)])
    write_run("other_half.run", [f"q{i:04}" for i in range(5, 10)])
    Path("none.txt").write_text("q0001 0 r 0\n", encoding="utf-8")
    Path("empty.run").write_text("", encoding="utf-8")
    assert named in refused(capsys, *paths, "--json")


# ------------------------------------------------------------------------------------------- a real process


def process(*arguments: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    command = [sys.executable, "-m", "recall_lab", "gate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment)


def test_a_build_sees_the_exit_code(folder: Path) -> None:
    results = [process(*plant(300, lost=lost)) for lost in (0, 30)] + [process(*plant(10))]
    assert [(result.returncode, result.stdout.split(":")[0], result.stderr) for result in results] == [
        (0, "PASS", ""),
        (1, "DROP", ""),
        (2, "CANNOT TELL", ""),
    ]


def test_a_plain_build_log_gets_plain_characters(folder: Path) -> None:
    Path("qrels.txt").write_text("fragé 0 r 1\nq2 0 r 1\n", encoding="utf-8")
    write_run("old.run", ["fragé", "q2"])
    write_run("new.run", ["q2"], ["fragé"])
    done = process("qrels.txt", "old.run", "new.run", encoding="ascii")
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.isascii() and "frag\\xe9" in done.stdout


def test_a_reader_that_leaves_is_no_error_and_no_pass(folder: Path) -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    gate = subprocess.Popen(
        [sys.executable, "-m", "recall_lab", "gate", *plant(300)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**buffered, "PYTHONPATH": str(ROOT)},
    )
    assert gate.stdout is not None and gate.stderr is not None
    gate.stdout.close()
    assert gate.stderr.read() == b""
    gate.stderr.close()
    assert gate.wait() == cli.OUTPUT_CLOSED


# ---------------------------------------------------------------------------------------------- documentation


def test_the_readme_s_build_step_and_number_hold(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    step = re.search(r"```yaml\n.*?recall-lab gate (.*?)```", readme, re.DOTALL)
    needed = re.search(r"takes (\d+) questions where (\d+) % of them change", readme)
    assert step is not None and needed is not None
    assert int(needed[1]) == statistics.questions_needed(0.05, int(needed[2]) / 100)
    Path("tests").mkdir()
    for path, place in zip(plant(300), ("qrels.txt", "baseline.run", ""), strict=True):
        Path(path).rename(Path("tests", place) if place else "candidate.run")
    arguments = step[1].replace('"$GITHUB_STEP_SUMMARY"', "summary.md").split()
    assert run("gate", *arguments) == 0
    assert Path("summary.md").read_text(encoding="utf-8").startswith("### PASS")
