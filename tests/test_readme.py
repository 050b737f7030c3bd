"""What README.md and its neighbours say is so."""

import contextlib
import io
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from recall_lab import __version__
from recall_lab.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_python_example_gives_what_its_comments_say():
    (example,) = blocks(README, "python")
    names: dict[str, object] = {}
    stated = 0
    for line in example.splitlines():
        code, _, comment = line.partition("  # ")
        if not code.strip() or code.startswith("from") or " = " in code:
            exec(code, names)
            continue
        value = eval(code, names)
        if comment.strip().startswith(("what", "it")):
            continue
        assert repr(value) == comment.strip().split(", it")[0]
        stated += 1
    assert stated == 3
    assert "n = 2 of 3 judged queries" in str(names["e"].summary((1, 3)))


def test_command_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (example,) = blocks(README, "console")
    *preparing, command = [line.removeprefix("$ ") for line in example.splitlines()]
    for line in preparing:
        subprocess.run(line, shell=True, check=True)
    program, *arguments = shlex.split(command)
    assert program == "recall-lab"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(arguments) == 0
    assert re.search(r"^recall +0\.5000 +0\.7500$", printed.getvalue(), re.MULTILINE)


@pytest.mark.parametrize("text", [README, CONTRIBUTING])
def test_commands_and_targets_named_exist(text):
    commands = set(re.findall(r"recall-lab ([a-z]+)", text)) - {"recall"}
    assert commands <= set(COMMANDS)
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([a-z]+)", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for path in re.findall(r"`((?:recall_lab|authoring|tests|notebooks|datasets|pictures)/[\w./]*)`", text):
        assert (ROOT / path.replace("NN_name", "02_recall_by_hand").replace("NN", "02")).exists(), path


def test_lessons_in_the_table_are_the_lessons_there_are():
    listed = re.findall(r"^\| (\d\d) ", README, re.MULTILINE)
    assert listed == sorted(path.name[:2] for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def test_links_and_pictures_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).is_file(), target
    assert (ROOT / "pictures/ranked-list.png").stat().st_size < 200_000
    assert re.search(r"!\[[^\]]{100,}\]\(pictures", README), "the picture has a text alternative"


def test_sizes_of_the_dataset():
    passages, questions = re.search(r"(\d+) passages and (\d+) questions", README).groups()
    folder = ROOT / "datasets/library_of_things"
    assert len((folder / "corpus.jsonl").read_text().splitlines()) == int(passages)
    assert len((folder / "queries.jsonl").read_text().splitlines()) == int(questions)


def test_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert project["version"] == __version__ == citation["version"]
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_make_target_is_described():
    makefile = (ROOT / "Makefile").read_text()
    targets = re.search(r"^\.PHONY: (.*)", makefile, re.MULTILINE)[1].split()
    for target in targets:
        assert re.search(rf"^{target}:[^\n]* ## ", makefile, re.MULTILINE), target
