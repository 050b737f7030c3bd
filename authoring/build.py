"""Make the notebooks and the table of solutions from the percent sources in ``notebooks/source``.

    python authoring/build.py              everything
    python authoring/build.py 02 start     these only (the table of solutions is always made whole)
    python authoring/build.py --check      write nothing; say what is out of date, and fail if anything is

A source is a jupytext percent script. ``NN_name.py`` is a lesson; any other name is a page (start, glossary).
What comes out of a lesson:

    notebooks/NN_name.ipynb              the learner's copy: blanks, no outputs
    notebooks/worked/NN_name.ipynb       solved, run, with outputs
    recall_lab/exercises/solutions.json  every solution by exercise id, for reveal() and the tests

The conventions, all checked here with file and line:

* An exercise is two cells with one label. The first holds the blank and, last, the call that checks it; the
  second holds the answer alone. The learner gets the first, and below it a cell that offers help. In the
  worked copy the answer takes the place of the blank and the call stays beneath it. A prediction works the
  same way, with ``predict`` as its call and no help::

      # %% label="02.recall_by_hand" tags=["exercise"]
      answer = ...

      check("02.recall_by_hand", answer)

      # %% label="02.recall_by_hand" tags=["solution"]
      answer = 2 / 4

* A cell whose output nbval can't compare says why, and a lesson has two of them at most:
  ``tags=["nbval-ignore-output"] reason="…"``.
* A cell that shows pairs to label says how many: ``pairs="20"``. They count in the estimate.
* A lesson's first cell is its title (``# 02 · Recall by hand``), with a paragraph that begins
  ``**You will be able to**``. ``{minutes}`` in it becomes the estimate; ``{lessons}`` on a page becomes the
  list of lessons.
* Links are written as seen from ``notebooks/``; the worked copy gets them adjusted.

Cell ids come from labels and headings, never from chance, so a rebuild gives the same file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from recall_lab.errors import InputFileError, RecallLabError
from recall_lab.exercises import exercise_ids

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
SOURCES = NOTEBOOKS / "source"
WORKED = NOTEBOOKS / "worked"
SOLUTIONS = ROOT / "recall_lab" / "exercises" / "solutions.json"

IGNORED = "nbval-ignore-output"
KNOWN_TAGS = {"exercise", "solution", IGNORED}
MAX_IGNORED = 2
CALL = re.compile(r'^(check|predict)\("([^"]*)"', re.MULTILINE)
HELP = """\
# Stuck? Take away the # in front of one line and run this cell.
# hint("{label}")
# reveal("{label}")"""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

# The rule behind "about N minutes", told to the learner on the start page.
WORDS_A_MINUTE = 150
MINUTES_A_CELL = 0.5
MINUTES_AN_EXERCISE = 2.0
MINUTES_A_FUNCTION = 6.0
MINUTES_A_PAIR = 0.5


@dataclass(frozen=True)
class Cell:
    """One cell of a source, with the line it starts on."""

    kind: str
    text: str
    line: int
    tags: tuple[str, ...] = ()
    label: str | None = None
    reason: str | None = None
    pairs: int = 0

    @property
    def call(self) -> re.Match[str] | None:
        """The ``check(…)`` or ``predict(…)`` line that ends an exercise cell."""
        return CALL.search(self.text)

    @property
    def is_checked(self) -> bool:
        """An exercise with a right answer, not a prediction."""
        return "exercise" in self.tags and self.call is not None and self.call[1] == "check"


@dataclass(frozen=True)
class Source:
    """A percent script, read and checked."""

    path: Path
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def number(self) -> str | None:
        """``"02"`` for a lesson, None for a page."""
        match = re.match(r"(\d\d)_", self.name)
        return match[1] if match else None

    @property
    def title(self) -> str:
        return self.cells[0].text.splitlines()[0].removeprefix("# ")

    @property
    def objective(self) -> str:
        """What the learner will be able to do, without the opening words."""
        paragraph = re.search(
            r"^\*\*You will be able to\*\*\s+(.+?)(?:\n\n|\Z)", self.cells[0].text, re.M | re.S
        )
        return " ".join(paragraph[1].split()) if paragraph else ""

    @property
    def solved(self) -> tuple[Cell, ...]:
        """The cells of the worked copy: each answer in the place of its blank, the call beneath it."""
        answers = {cell.label: cell.text for cell in self.cells if "solution" in cell.tags}
        return tuple(
            replace(cell, text=f"{answers[cell.label]}\n\n{cell.text[cell.call.start() :]}")
            if cell.call and cell.label
            else cell
            for cell in self.cells
            if "solution" not in cell.tags
        )

    def minutes(self) -> int:
        """The estimate, rounded to five minutes."""
        words = sum(len(cell.text.split()) for cell in self.cells if cell.kind == "markdown")
        total = words / WORDS_A_MINUTE
        for cell in self.cells:
            if cell.is_checked:
                total += MINUTES_A_FUNCTION if cell.text.startswith("def ") else MINUTES_AN_EXERCISE
            elif cell.kind == "code" and "solution" not in cell.tags:
                total += MINUTES_A_CELL + MINUTES_A_PAIR * cell.pairs
        return 5 * round(total / 5)


# ---------------------------------------------------------------------------------------------- reading


def read_source(path: Path) -> Source:
    """Read one percent script and hold it to the conventions above."""
    text = path.read_text(encoding="utf-8")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("# %%")]
    if not text.startswith("# %%"):
        raise _error(path, 1, "the file doesn't begin with a cell", text, "begin with '# %% [markdown]'")
    cells = []
    for cell, line in zip(jupytext.reads(text, fmt="py:percent").cells, lines, strict=True):
        known = ("tags", "label", "reason", "pairs", "lines_to_next_cell")
        unknown = [name for name in cell.metadata if name not in known]
        unknown += [tag for tag in cell.metadata.get("tags", ()) if tag not in KNOWN_TAGS]
        if unknown:
            tags = ", ".join(sorted(KNOWN_TAGS))
            raise _error(path, line, f"unknown in a cell's header: {unknown[0]}", None, f"known tags: {tags}")
        cells.append(
            Cell(
                kind=cell.cell_type,
                text=cell.source,
                line=line,
                tags=tuple(cell.metadata.get("tags", ())),
                label=cell.metadata.get("label"),
                reason=cell.metadata.get("reason"),
                pairs=int(cell.metadata.get("pairs", 0)),
            )
        )
    source = Source(path, tuple(cells))
    _check_opening(source)
    _check_exercises(source)
    _check_ignored(source)
    return source


def read_all(folder: Path = SOURCES) -> list[Source]:
    """All sources of a folder, by name; a label may occur in one of them only."""
    sources = [read_source(path) for path in sorted(folder.glob("*.py"))]
    seen: dict[str, Source] = {}
    for source in sources:
        for cell in source.cells:
            if cell.label and "exercise" in cell.tags:
                if cell.label in seen:
                    where = _shown(seen[cell.label].path)
                    raise _error(source.path, cell.line, f"duplicate label {cell.label}, also in {where}")
                seen[cell.label] = source
    return sources


def _check_opening(source: Source) -> None:
    first = source.cells[0]
    if first.kind != "markdown" or not first.text.startswith("# "):
        raise _error(source.path, first.line, "the first cell isn't a title", first.text, "write '# Title'")
    if source.number is None:
        return
    if not source.title.startswith(f"{source.number} · "):
        raise _error(source.path, first.line, "the title doesn't carry the lesson's number", source.title)
    if not source.objective:
        raise _error(source.path, first.line, "no paragraph begins with '**You will be able to**'")


def _check_exercises(source: Source) -> None:
    registered = {name for name in exercise_ids() if name.startswith(f"{source.number}.")}
    seen: set[str] = set()
    for position, cell in enumerate(source.cells):
        if cell.label is None and not {"exercise", "solution"} & set(cell.tags):
            if cell.call:
                raise _error(
                    source.path, cell.line, "a check or a prediction outside an exercise", cell.call[0]
                )
            continue
        if cell.label is None:
            raise _error(source.path, cell.line, "an exercise or solution without a label", cell.text)
        if "exercise" in cell.tags:
            if cell.label in seen:
                raise _error(source.path, cell.line, f"duplicate label {cell.label}")
            seen.add(cell.label)
            if cell.label not in registered:
                raise _error(
                    source.path,
                    cell.line,
                    f"no exercise is registered as {cell.label}",
                    None,
                    f"add it to recall_lab/exercises/lesson_{source.number}.py or mend the label",
                )
            if not cell.call or cell.call[2] != cell.label:
                raise _error(
                    source.path, cell.line, f'no line check("{cell.label}", …) ends this exercise', cell.text
                )
            follower = source.cells[position + 1] if position + 1 < len(source.cells) else None
            if follower is None or "solution" not in follower.tags or follower.label != cell.label:
                raise _error(
                    source.path, cell.line, f"the exercise {cell.label} has no solution in the next cell"
                )
        elif "solution" in cell.tags:
            before = source.cells[position - 1]
            if "exercise" not in before.tags or before.label != cell.label:
                raise _error(source.path, cell.line, f"the solution {cell.label} doesn't follow its exercise")
            if cell.call:
                raise _error(source.path, cell.line, "a solution holds the answer alone", cell.call[0])
        else:
            raise _error(source.path, cell.line, f"the label {cell.label} is on a cell without a tag")
    if missing := sorted(registered - seen):
        raise _error(source.path, None, f"registered, but not in this lesson: {', '.join(missing)}")


def _check_ignored(source: Source) -> None:
    ignored = [cell for cell in source.cells if IGNORED in cell.tags]
    for cell in ignored:
        if not cell.reason:
            raise _error(
                source.path, cell.line, f"{IGNORED} without a reason", None, 'add reason="…" to the cell'
            )
    if len(ignored) > MAX_IGNORED:
        raise _error(
            source.path, ignored[MAX_IGNORED].line, f"more than {MAX_IGNORED} cells are not compared"
        )


def _error(
    path: Path, line: int | None, problem: str, text: str | None = None, hint: str | None = None
) -> InputFileError:
    return InputFileError(_shown(path), problem, line=line, text=text, hint=hint)


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


# ----------------------------------------------------------------------------------------------- making


def learner_notebook(source: Source, sources: Iterable[Source] = ()) -> NotebookNode:
    """The learner's copy: the blank of every exercise with an offer of help, no solutions, no outputs."""
    cells = []
    for cell in source.cells:
        if "solution" not in cell.tags:
            cells.append(cell)
        if cell.is_checked:
            cells.append(Cell("code", HELP.format(label=cell.label), cell.line, label=f"{cell.label}-help"))
    return _notebook(source, cells, sources)


def worked_notebook(source: Source) -> NotebookNode:
    """The worked copy before it is run."""
    notebook = _notebook(source, source.solved)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\]\((?!\d\d_|#|[a-z]+:)([^)]+)\)", r"](../\1)", cell.source)
    note = (
        "*This is the worked copy: every answer is filled in. "
        f"To try it yourself, open [the lesson](../{source.name}.ipynb).*"
    )
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell(note, id="worked-copy"))
    return notebook


def _notebook(source: Source, cells: Iterable[Cell], sources: Iterable[Source] = ()) -> NotebookNode:
    notebook = nbformat.v4.new_notebook(metadata=METADATA)
    heading = _slug(source.name)
    counts: Counter[str] = Counter()
    for cell in cells:
        text = cell.text
        if cell.kind == "markdown":
            text = text.replace("{minutes}", str(source.minutes())).replace(
                "{lessons}", lesson_table(sources)
            )
            if found := re.match(r"#+ (.+)", text):
                heading = _slug(found[1])
        if cell.label:
            cell_id = _slug(cell.label)
        else:
            counts[heading] += 1
            cell_id = f"{heading}-{counts[heading]}"
        metadata = {"tags": list(cell.tags)} if cell.tags else {}
        if cell.tags and cell.label:
            metadata["label"] = cell.label
        if cell.reason:
            metadata["reason"] = cell.reason
        new = nbformat.v4.new_markdown_cell if cell.kind == "markdown" else nbformat.v4.new_code_cell
        notebook.cells.append(new(text, id=cell_id, metadata=metadata))
    return notebook


def _slug(text: str) -> str:
    """Letters, digits and hyphens, short enough for a cell id with a counter behind it."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:56].rstrip("-") or "cell"


def lesson_table(sources: Iterable[Source]) -> str:
    """The lessons with what each is for and how long it takes, as a Markdown table."""
    rows = ["| lesson | afterwards you can … | minutes |", "|---|---|---|"]
    for source in sources:
        if source.number:
            link = f"[{source.title}]({source.name}.ipynb)"
            rows.append(f"| {link} | {source.objective.rstrip('.')} | {source.minutes()} |")
    return "\n".join(rows)


def solutions_text(sources: Iterable[Source]) -> str:
    """The table of solutions as the JSON that is written."""
    table = {
        cell.label: {"source": cell.text} for source in sources for cell in source.solved if cell.is_checked
    }
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def run(notebook: NotebookNode, source: Source) -> None:
    """Run the worked copy in an empty folder and put its outputs in, without what differs from run to run."""
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=120,
            record_timing=False,
            store_widget_state=False,
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute()
        except CellExecutionError as error:
            broken = next(
                cell
                for cell in notebook.cells
                if any(out.output_type == "error" for out in cell.get("outputs", ()))
            )
            hint = f"cell {broken.id} of the worked copy:\n{broken.source}\n{error.ename}: {error.evalue}"
            raise _error(source.path, None, "a cell of the worked copy fails", None, hint) from error
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _steady(cell.outputs)


def _steady(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Outputs without a widget's chance id, and with a stream in one piece however it arrived."""
    steady: list[NotebookNode] = []
    for output in outputs:
        last = steady[-1] if steady else None
        if "data" in output:
            output.data.pop("application/vnd.jupyter.widget-view+json", None)
            if output.data:
                steady.append(output)
        elif last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            steady.append(output)
    return steady


# ---------------------------------------------------------------------------------------------- writing


def notebook_text(notebook: NotebookNode) -> str:
    """The notebook as it is written to disk, valid or not written at all."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def without_outputs(text: str) -> str:
    """A notebook's text with everything nbval compares taken out."""
    notebook = nbformat.reads(text, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook_text(notebook)


def planned(sources: list[Source], wanted: Iterable[Source]) -> dict[Path, str]:
    """What each file must hold by the sources, worked copies without outputs."""
    files = {SOLUTIONS: solutions_text(sources)}
    for source in wanted:
        files[NOTEBOOKS / f"{source.name}.ipynb"] = notebook_text(learner_notebook(source, sources))
        if source.number:
            files[WORKED / f"{source.name}.ipynb"] = notebook_text(worked_notebook(source))
    return files


def out_of_date(sources: list[Source], wanted: Iterable[Source]) -> list[Path]:
    """Files that a build would change, outputs left to nbval."""
    stale = []
    for path, text in planned(sources, wanted).items():
        now = path.read_text(encoding="utf-8") if path.exists() else ""
        if now and path.parent == WORKED:
            now = without_outputs(now)
        if now != text:
            stale.append(path)
    return stale


def build(sources: list[Source], wanted: Iterable[Source]) -> None:
    """Write everything; the table of solutions first, because the worked copies may reveal from it."""
    WORKED.mkdir(exist_ok=True)
    wanted = list(wanted)
    files = planned(sources, wanted)
    for path, text in files.items():
        if path.parent != WORKED:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(_shown(path))
    for source in wanted:
        if source.number:
            notebook = worked_notebook(source)
            run(notebook, source)
            path = WORKED / f"{source.name}.ipynb"
            path.write_text(notebook_text(notebook), encoding="utf-8", newline="\n")
            print(_shown(path))


def choose(sources: list[Source], names: list[str]) -> list[Source]:
    """The sources asked for by number or name; all of them when none is."""
    known = {name: source for source in sources for name in (source.name, source.number) if name}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise RecallLabError(f"no source is called {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    return [source for source in sources if not names or {source.name, source.number} & set(names)]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Make the notebooks and the table of solutions from their sources."
    )
    parser.add_argument("lessons", nargs="*", help="numbers or names, such as 02 or start (default: all)")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, fail if something is out of date"
    )
    options = parser.parse_args(arguments)
    try:
        sources = read_all()
        wanted = choose(sources, options.lessons)
        if not options.check:
            build(sources, wanted)
            return 0
        stale = out_of_date(sources, wanted)
    except RecallLabError as error:
        print(error, file=sys.stderr)
        return 1
    for path in stale:
        print(f"out of date: {_shown(path)} (run: python authoring/build.py)", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
