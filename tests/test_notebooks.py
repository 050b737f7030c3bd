"""The notebooks: made from their sources, runnable by a learner at any time, and true in every number."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from authoring import build
from recall_lab import GoldenDataset, evaluate
from recall_lab.errors import InputFileError
from recall_lab.exercises.lesson_02 import HAND_SHEET, REAL_QUESTION, ThreeOfFour, ThreeOfFourPrecision
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.recipe import Query
from recall_lab.retrieval.keyword import KeywordRetriever

SOURCES = build.read_all()
LESSONS = [source for source in SOURCES if source.number]
SECONDS_ALLOWED = 15
NOT_COMPARED = {"image/png", "image/jpeg", "application/vnd.jupyter.widget-view+json"}

each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda source: source.name)
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)


def learner(source: build.Source) -> NotebookNode:
    return nbformat.read(build.NOTEBOOKS / f"{source.name}.ipynb", as_version=4)


def worked(source: build.Source) -> NotebookNode:
    return nbformat.read(build.WORKED / f"{source.name}.ipynb", as_version=4)


def solved(source: build.Source) -> NotebookNode:
    """The learner's notebook with the answers of the table of solutions typed in."""
    solutions = json.loads(build.SOLUTIONS.read_text(encoding="utf-8"))
    notebook = learner(source)
    for cell in notebook.cells:
        if label := cell.metadata.get("label"):
            cell.source = solutions[label]["source"] if label in solutions else cell.source
    return notebook


# ------------------------------------------------------------------------------------------- the builder


def test_a_rebuild_gives_the_committed_files() -> None:
    assert build.out_of_date(SOURCES, SOURCES) == []


def test_nothing_is_left_over_from_a_source_that_is_gone() -> None:
    made = build.planned(SOURCES, SOURCES)
    there = {*build.NOTEBOOKS.glob("*.ipynb"), *build.WORKED.glob("*.ipynb")}
    assert there == {path for path in made if path.suffix == ".ipynb"}


def test_two_builds_are_the_same_bytes() -> None:
    assert build.planned(build.read_all(), SOURCES) == build.planned(SOURCES, SOURCES)


def test_a_changed_source_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / LESSONS[0].path.name
    path.write_text(LESSONS[0].path.read_text(encoding="utf-8") + "\n# %%\nprint(1)\n", encoding="utf-8")
    changed = build.read_source(path)
    stale = {path.name for path in build.out_of_date([changed], [changed])}
    assert f"{changed.name}.ipynb" in stale


LESSON = """\
# %% [markdown]
# # 02 · A lesson
#
# **You will be able to** write a lesson.

# %% label="02.one" tags=["exercise"]
answer = ...

check("02.one", answer)

# %% label="02.one" tags=["solution"]
answer = 1 / 2
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write a lesson in which some text is replaced, in a project that knows one exercise."""
    monkeypatch.setattr(build, "exercise_ids", lambda: ["02.one"])

    def write_lesson(old: str = "", new: str = "", name: str = "02_a_lesson.py") -> Path:
        assert old in LESSON
        path = tmp_path / name
        path.write_text(LESSON.replace(old, new, 1) if old else LESSON, encoding="utf-8")
        return path

    return write_lesson


def test_a_lesson_in_its_three_forms(write: Any) -> None:
    source = build.read_source(write())
    assert [cell.source for cell in build.learner_notebook(source).cells[1:]] == [
        'answer = ...\n\ncheck("02.one", answer)',
        build.HELP.format(label="02.one"),
    ]
    assert [cell.source for cell in build.worked_notebook(source).cells[2:]] == [
        'answer = 1 / 2\n\ncheck("02.one", answer)'
    ]
    assert json.loads(build.solutions_text([source])) == {
        "02.one": {"source": 'answer = 1 / 2\n\ncheck("02.one", answer)'}
    }
    assert source.objective == "write a lesson."


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("# %% [markdown]\n# # 02", "# # 02", 1, "doesn't begin with a cell"),
        ("# # 02 · A lesson", "# A lesson", 1, "isn't a title"),
        ("# # 02 · A lesson", "# # A lesson", 1, "lesson's number"),
        ("**You will be able to**", "Learn to", 1, "You will be able to"),
        ('tags=["exercise"]', 'tags=["exercize"]', 6, "exercize"),
        ('label="02.one" tags=["exercise"]', 'tags=["exercise"]', 6, "without a label"),
        ('label="02.one" tags=["exercise"]', 'label="02.two" tags=["exercise"]', 6, "registered as 02.two"),
        ('check("02.one", answer)', 'check("02.two", answer)', 6, 'check("02.one", …)'),
        ('check("02.one", answer)', "", 6, 'check("02.one", …)'),
        ('tags=["solution"]', 'tags=["nbval-ignore-output"] reason="none"', 6, "has no solution"),
        ('label="02.one" tags=["exercise"]', "", 6, "outside an exercise"),
        ("answer = 1 / 2", 'answer = 1 / 2\ncheck("02.one", answer)', 11, "the answer alone"),
        (LESSON[-14:], '1\n\n# %% tags=["nbval-ignore-output"]\n1\n', 14, "without a reason"),
        (LESSON[-14:], "1\n" + '\n# %% tags=["nbval-ignore-output"] reason="x"\n1\n' * 3, 20, "more than 2"),
        (LESSON[-14:], "1\n\n" + LESSON[LESSON.index("# %% label") :], 14, "duplicate label"),
        (LESSON[LESSON.index("# %% label") :], "", None, "not in this lesson: 02.one"),
    ],
)
def test_an_author_is_told_file_and_line(
    write: Any, old: str, new: str, line: int | None, problem: str
) -> None:
    with pytest.raises(InputFileError, match=re.escape(problem)) as caught:
        build.read_source(write(old, new))
    assert caught.value.line == line
    assert "02_a_lesson.py" in str(caught.value)


def test_a_label_occurs_in_one_lesson_only(write: Any) -> None:
    folder = write().parent
    write(name="02_again.py")
    with pytest.raises(
        InputFileError, match=r"02_again\.py, line 6: duplicate label 02\.one, also in .*02_a_lesson"
    ):
        build.read_all(folder)


def test_a_cell_that_fails_names_its_source(write: Any) -> None:
    source = build.read_source(write('check("02.one", answer)', 'check("02.one", 1 / 0)'))
    with pytest.raises(InputFileError, match=r"02_a_lesson\.py") as caught:
        build.run(build.worked_notebook(source), source)
    assert "NameError" in str(caught.value)


def test_an_unknown_lesson_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main(["--check", "99"]) == 1
    assert "'99'" in capsys.readouterr().err


def test_the_start_page_states_the_rule_behind_the_minutes() -> None:
    page = (build.SOURCES / "start.py").read_text(encoding="utf-8").replace("\n# ", " ")
    words = {0.5: "half a minute", 2.0: "two minutes", 6.0: "six"}
    assert build.MINUTES_A_PAIR == build.MINUTES_A_CELL
    assert (
        f"{build.WORDS_A_MINUTE} words a minute, {words[build.MINUTES_A_CELL]} for each code cell "
        f"and for each pair you label, "
        f"{words[build.MINUTES_AN_EXERCISE]} for each exercise and {words[build.MINUTES_A_FUNCTION]} "
        "where you write a function, rounded to five minutes"
    ) in page


# ----------------------------------------------------------------------------------------- what is shipped


@each_source
def test_the_learners_copy_is_clean(source: build.Source) -> None:
    notebook = learner(source)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        assert "solution" not in cell.metadata.get("tags", ())
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None


@each_lesson
def test_help_can_be_called_where_it_is_offered(lesson: build.Source) -> None:
    """The verbs that the help cells and the feedback name are imported at the top."""
    first_code = next(cell.source for cell in learner(lesson).cells if cell.cell_type == "code")
    imported = set(re.findall(r"\w+", first_code))
    assert {"check", "hint", "reveal", "another", "predict"} <= imported


@each_lesson
def test_every_exercise_has_a_blank(lesson: build.Source) -> None:
    for cell in learner(lesson).cells:
        if "exercise" in cell.metadata.get("tags", ()):
            assert re.search(r"\.\.\.", cell.source), cell.source


@each_source
def test_no_path_of_the_authors_machine(source: build.Source) -> None:
    copies = [learner(source)] + ([worked(source)] if source.number else [])
    for notebook in copies:
        text = nbformat.writes(notebook)
        assert str(build.ROOT) not in text
        assert not re.search(r"(?<![\w.])/(home|Users|tmp|root|usr|var|opt|mnt)/|[A-Z]:\\\\", text)


@each_source
def test_every_link_leads_somewhere(source: build.Source) -> None:
    places = [(learner(source), build.NOTEBOOKS)] + (
        [(worked(source), build.WORKED)] if source.number else []
    )
    for notebook, folder in places:
        for target in re.findall(r"\]\(([^)]+)\)", prose(notebook)):
            name, _, heading = target.partition("#")
            assert (folder / name).exists(), target
            if heading:
                text = prose(nbformat.read(folder / name, as_version=4))
                assert heading in {line.lstrip("# ").replace(" ", "-") for line in text.splitlines()}, target


@each_lesson
def test_what_nbval_compares_is_worth_comparing(lesson: build.Source) -> None:
    """At most two cells are left out, each says why, and no output consists of what nbval passes over."""
    ignored = [cell for cell in worked(lesson).cells if build.IGNORED in cell.metadata.get("tags", ())]
    assert len(ignored) <= build.MAX_IGNORED
    assert all(cell.metadata.reason for cell in ignored)
    for cell in worked(lesson).cells:
        for output in cell.get("outputs", ()):
            assert output.output_type in ("stream", "display_data", "execute_result"), cell.source
            if "data" in output:
                assert set(output.data) - NOT_COMPARED, cell.source
                assert not re.search(r"at 0x[0-9a-f]+>", output.data.get("text/plain", "")), cell.source


@each_lesson
def test_each_picture_has_words(lesson: build.Source) -> None:
    """A picture says in plain text what it shows; a bare figure is followed by a cell that prints numbers."""
    code = [cell for cell in worked(lesson).cells if cell.cell_type == "code"]
    for cell, following in pairwise([*code, None]):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                words = output.data["text/plain"]
                if words.startswith("<Figure"):
                    assert following is not None, cell.source
                    words = "".join(out.get("text", "") for out in following.outputs)
                assert len(words.split()) > 5, cell.source


def test_the_real_question_is_the_one_the_exercise_checks() -> None:
    lesson = next(source for source in LESSONS if source.number == "02")
    assert f'question_id = "{REAL_QUESTION}"' in lesson.path.read_text(encoding="utf-8")


def test_lesson_02_states_the_ranks_that_its_exercises_check() -> None:
    """The hand sheet and the checkpoint, as the page prints them, beside the data of the exercises."""
    text = prose(learner(next(source for source in LESSONS if source.number == "02")))
    printed = {
        name: (int(R), [int(rank) for rank in re.findall(r"\d+", ranks)])
        for name, R, ranks in re.findall(r"^\| (q\d) \| (\d+) \|([\d, ]*)\|$", text, re.M)
    }
    sheet = {query.name: (len(query.relevant(1)), hit_ranks(query)) for query in HAND_SHEET.queries}
    assert printed == {name: row for name, row in sheet.items() if name != "q3"}
    assert "| q3 | 20 | 1, 2, 3, … up to 20 |" in text
    assert sheet["q3"] == (20, list(range(1, 21)))

    stated = re.search(r"R = (\d)\. Three of the four are found at ranks (.*), the fourth at rank (\d)", text)
    assert stated is not None
    R, ranks, fourth = stated.groups()
    for checkpoint in (ThreeOfFour(), ThreeOfFourPrecision()):
        (query,) = checkpoint.lesson().queries
        assert len(query.relevant(1)) == int(R)
        assert hit_ranks(query) == [int(rank) for rank in re.findall(r"\d+", ranks)] + [int(fourth)]


def hit_ranks(query: Query) -> list[int]:
    relevant = query.relevant(1)
    return [rank for rank, passage in enumerate(query.retrieved, start=1) if passage in relevant]


@each_lesson
def test_a_named_mistake_leads_to_a_heading(lesson: build.Source) -> None:
    """A check sends the learner to "lesson 02, hit rate is not recall": the lesson has that heading."""
    text = prose(learner(lesson))
    headings = {line.lstrip("# ").casefold() for line in text.splitlines() if line.startswith("#")}
    topics = {mistake.topic for mistake in CATALOGUE.values() if mistake.lesson == lesson.number}
    assert {topic for topic in topics if topic.casefold() not in headings} == set()


def test_lesson_05_tells_the_truth_about_the_slices() -> None:
    """Paraphrase and list questions have nearly the same recall@5; only the lists are capped, below half."""
    golden = GoldenDataset.load("library_of_things")
    run = KeywordRetriever(golden.passages).run(golden.questions, depth=50)
    slices = evaluate(golden, run).slices(5).dropna()
    assert abs(slices.recall["paraphrase"] - slices.recall["list"]) < 0.05
    assert slices.recall["list"] < 0.25
    assert slices.ceiling["list"] < 0.5
    assert (slices.ceiling.drop("list") == 1).all()


# --------------------------------------------------------------------------- every number comes from a cell

NUMBER = re.compile(r"(?<![\w.,/])(?:\d+/\d+|\d*\.\d+|\d+(?:,\d{3})*)(?![\w/])(?:\s?%)?")


def prose(notebook: NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def typed_numbers(text: str) -> Iterator[tuple[str, list[Fraction]]]:
    """Numbers in prose and what each may stand for, without lesson numbers and the minutes."""
    text = re.sub(r"\[[^\]]*\]\([^)]*\)|^# \d\d ·|about \d+ minutes", " ", text, flags=re.M)
    for match in NUMBER.finditer(text):
        written = match[0]
        digits = written.rstrip("% ").replace(",", "")
        if digits.endswith("/0"):
            continue
        value = Fraction(digits)
        yield written, [value, value / 100] if "%" in written else [value]


def known_numbers(notebook: NotebookNode) -> set[str]:
    """Every number that a code cell holds, outside comments, or that running it printed."""
    texts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts.append(re.sub(r"#.*", "", cell.source))
            for output in cell.outputs:
                texts.append(output.get("text", "") or output.data.get("text/plain", ""))
    return set(re.findall(r"\d*\.\d+|\d+", "\n".join(texts)))


def is_known(value: Fraction, known: set[str]) -> bool:
    """Whether some known number is this value, or is how this value is printed with two or more digits."""
    for text in known:
        digits = min(len(text.partition(".")[2]), 12)
        if value == Fraction(text) or (
            digits >= 2 and abs(value - Fraction(text)) <= Fraction(1, 2 * 10**digits)
        ):
            return True
    return False


def unproven(notebook: NotebookNode) -> list[str]:
    known = known_numbers(notebook)
    return [
        written
        for written, values in typed_numbers(prose(notebook))
        if not any(is_known(value, known) for value in values)
    ]


@each_lesson
def test_every_number_in_prose_comes_from_a_cell(lesson: build.Source) -> None:
    assert unproven(worked(lesson)) == []


@pytest.mark.parametrize("number", [".4321", "83 %", "7/13", "1234", "9,876"])
def test_a_number_made_up_in_prose_is_caught(number: str) -> None:
    notebook = worked(LESSONS[0])
    notebook.cells.append(nbformat.v4.new_markdown_cell(f"Trust me, it is {number}, always."))
    assert unproven(notebook) == [number]


# ---------------------------------------------------------------------------------------------- being run


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all runs of this module, beside a Python start-up file that forbids the network."""
    folder = tmp_path_factory.mktemp("classroom")
    (folder / "offline").mkdir()
    (folder / "workbook").mkdir()
    (folder / "offline" / "sitecustomize.py").write_text(
        "import socket\n"
        "def refuse(self, address, connect=socket.socket.connect):\n"
        "    if self.family != socket.AF_UNIX and address[0] not in ('127.0.0.1', '::1', 'localhost'):\n"
        "        raise OSError(f'a lesson asked for the network: {address}')\n"
        "    return connect(self, address)\n"
        "socket.socket.connect = refuse\n",
        encoding="utf-8",
    )
    return folder


def test_the_network_is_really_forbidden(classroom: Path) -> None:
    code = "import socket; socket.create_connection(('198.51.100.1', 80), timeout=1)"
    environment = {**os.environ, "PYTHONPATH": str(classroom / "offline")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "a lesson asked for the network" in done.stderr


def run_twice(notebook: NotebookNode, classroom: Path) -> list[dict[str, str]]:
    """Run a notebook twice in one kernel; what each exercise said, by label, for each of the two."""
    path = os.pathsep.join([str(classroom / "offline"), str(build.ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("RECALL_LAB_PROGRESS", None)  # progress goes where a learner's goes: beside the notebooks
    client = NotebookClient(notebook, kernel_name="python3", timeout=60)
    said = []
    with client.setup_kernel(cwd=str(classroom / "workbook"), env=environment):
        for _ in range(2):
            start = time.monotonic()
            for index, cell in enumerate(notebook.cells):
                client.execute_cell(cell, index)
            assert time.monotonic() - start < SECONDS_ALLOWED
            said.append(
                {
                    cell.metadata.label: "".join(
                        out.data["text/plain"] for out in cell.outputs if "data" in out
                    )
                    for cell in notebook.cells
                    if cell.metadata.get("label") and build.CALL.search(cell.source)[1] == "check"
                }
            )
            assert not [
                out.text
                for cell in notebook.cells
                for out in cell.get("outputs", ())
                if out.output_type == "stream" and out.name == "stderr"
            ]
    return said


@pytest.mark.slow
@pytest.mark.parametrize("source", list(reversed(SOURCES)), ids=lambda source: source.name)
def test_the_learners_copy_runs_unsolved(source: build.Source, classroom: Path) -> None:
    """Backwards, one folder for all: no notebook needs another to have run before it."""
    for said in run_twice(learner(source), classroom):
        assert all("ot attempted" in text for text in said.values()), said


@pytest.mark.slow
@pytest.mark.parametrize("lesson", list(reversed(LESSONS)), ids=lambda source: source.name)
def test_the_learners_copy_passes_with_the_solutions(lesson: build.Source, classroom: Path) -> None:
    for said in run_twice(solved(lesson), classroom):
        assert said and all("assed" in text for text in said.values()), said
