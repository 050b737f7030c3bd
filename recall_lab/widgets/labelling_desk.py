"""The labelling desk: a question and its passages, graded by keyboard, every label on disk at once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets

from recall_lab.errors import RecallLabError
from recall_lab.labelling import LabelLog, Pair
from recall_lab.widgets.view import Choice, View, front_end, read_front_end
from recall_lab.widgets.wording import count, plain

if TYPE_CHECKING:
    import pandas as pd

ONE, LIST = "one at a time", "as a list"
LONGEST_LIST = 30  # passages of one question that are shown together
LONGEST_TEXT = 8_000  # characters of a passage; the desk says where it cuts
MEANINGS = {
    0: "doesn't answer the question",
    1: "helps, but doesn't answer",
    2: "answers, or gives one whole piece of the answer",
}


class LabellingDesk(View):
    """Grade pairs of question and passage, by keyboard or pointer, or from Python.

    The keys work while the focus is in the desk, which it never takes by itself: digits grade, ``s`` skips,
    ``u`` takes back, ``n`` is for a note. The desk shows neither ranks nor anybody else's labels, and the
    next passage only when the label is on disk (see :class:`recall_lab.labelling.LabelLog`).

    Parameters
    ----------
    pairs : what `LabelLog` takes: a list of pairs, of (question, passage) texts, or a .jsonl file of pairs.
        Or a `LabelLog`, which brings everything but the rubric.
    annotator : who labels.
    folder : where the labels are kept.
    rubric : what the grades mean: a dict of words by grade, a text, or the path of one. Of Markdown, the desk
        knows headings and lists.
    grades : the grades there are to give, from 0 to 9.
    name, seed : see `LabelLog`.

    Attributes
    ----------
    labels : the `LabelLog`, with grades and notes.

    Raises
    ------
    RecallLabError : no annotator, or what `LabelLog` refuses.

    Examples
    --------
    >>> import tempfile
    >>> texts = [("What does a drill cost?", "A drill costs 3 a day."), ("Is there a pool?", "Saws cost 2.")]
    >>> desk = LabellingDesk(texts, annotator="ann", folder=tempfile.mkdtemp())
    >>> print(desk.text)
    Labelling desk of ann: 0 of 2 pairs labelled
    Question: What does a drill cost?
    Passage 1 of 1: A drill costs 3 a day.
    >>> desk.label(2)
    >>> desk.state["labelled"], desk.pair.question
    (1, 'Is there a pool?')
    >>> desk.undo()
    >>> list(desk.table()["grade"].dropna())
    []
    """

    title = "Labelling desk"
    asks_kernel = True
    static_note = (
        "This page shows the desk as it was when it was made. To label, open the notebook in JupyterLab."
    )
    _esm = front_end("labelling_desk.js")
    _css = read_front_end("kit.css") + read_front_end("labelling_desk.css")
    passages = Choice()
    shown = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        pairs: object,
        *,
        annotator: str | None = None,
        folder: str | os.PathLike[str] = ".",
        rubric: str | os.PathLike[str] | Mapping[int, str] | None = None,
        grades: Sequence[int] = (0, 1, 2),
        name: str = "labels",
        seed: int = 0,
    ) -> None:
        if isinstance(pairs, LabelLog):
            self.labels = pairs
        elif annotator is None:
            raise RecallLabError('say who labels: LabellingDesk(pairs, annotator="ann")')
        else:
            self.labels = LabelLog(pairs, folder, annotator=annotator, grades=grades, name=name, seed=seed)
        self._of_question: dict[Any, list[Pair]] = {}
        self._place: dict[Any, int] = {}
        for pair in self.labels.pairs:
            listed = self._of_question.setdefault(pair.query_id, [])
            self._place[pair.id] = len(listed)
            listed.append(pair)
        self._window: list[Pair] = []
        meanings, lines = _rubric(rubric, self.labels.scale)
        super().__init__(
            data={
                "grades": [
                    {"grade": grade, "meaning": meanings.get(grade, "")} for grade in self.labels.scale
                ],
                "rubric": lines,
                "notices": [plain(notice, 400) for notice in self.labels.notices],
                "file": plain(self.labels.path, 200),
            },
            options={"passages": [ONE, LIST]},
            passages=ONE,
            shown=self._showing("", ""),
        )

    # -- what can be done ------------------------------------------------------------------------------------

    def label(self, grade: int) -> None:
        """Give the current pair its grade.

        Raises
        ------
        RecallLabError : the grade is not offered, or every pair is labelled.
        FolderError : the label could not be written; the same pair stays current.
        """
        self._do(lambda: self._label(grade, self.labels.current))

    def skip(self) -> None:
        """Put the current pair off to the end. Raises what :meth:`label` does."""
        self._do(lambda: self._skip(self.labels.current))

    def undo(self) -> None:
        """Take back the last label, skip or note. Raises what :meth:`label` does."""
        self._do(self._undo)

    def note(self, text: str) -> None:
        """Write a note on the current pair; an empty one takes it away. Raises what :meth:`label` does."""
        self._do(lambda: self._note(text, self.labels.current))

    # -- what is shown ---------------------------------------------------------------------------------------

    @property
    def pair(self) -> Pair | None:
        """The pair to label next, with its whole text; ``None`` when every pair is labelled."""
        return self.labels.current

    @property
    def state(self) -> dict[str, Any]:
        """Who labels, the ids of the current pair (or ``None``), and how far it has come."""
        query_id, passage_id = self.pair.id if self.pair else (None, None)
        return {
            "annotator": self.labels.annotator,
            "query_id": query_id,
            "passage_id": passage_id,
            "labelled": len(self.labels.pairs) - self.labels.left,
            "skipped": self.labels.skipped,
            "left": self.labels.left,
        }

    def table(self) -> pd.DataFrame:
        """One row for each pair in the desk's order: ids, question, title, text, grade, note, skipped."""
        return self.labels.table()

    @property
    def text(self) -> str:
        """How far it has come, and the pair on the desk."""
        total = len(self.labels.pairs)
        done = f"{total - self.labels.left} of {count(total, 'pair')} labelled"
        lines = [f"Labelling desk of {self.labels.annotator}: {done}"]
        if self.pair is None:
            return "\n".join([*lines, self._finished()])
        place, of = self._place[self.pair.id] + 1, len(self._of_question[self.pair.query_id])
        title = f"{plain(self.pair.title, 120)}. " if self.pair.title else ""
        lines.append(f"Question: {plain(self.pair.question, 400)}")
        lines.append(f"Passage {place} of {of}: {title}{plain(self.pair.text, 600)}")
        return "\n".join(lines)

    # -- how -------------------------------------------------------------------------------------------------

    def _label(self, grade: Any, pair: Pair | None) -> str:
        self.labels.label(grade, pair.id if pair else None)
        return f"Grade {grade} saved for {_called(pair)}"

    def _skip(self, pair: Pair | None) -> str:
        self.labels.skip(pair.id if pair else None)
        return "Skipped: it comes again at the end"

    def _note(self, text: str, pair: Pair | None) -> str:
        self.labels.note(text, pair.id if pair else None)
        return f"Note {'saved on' if text.strip() else 'taken away from'} {_called(pair)}"

    def _undo(self) -> str:
        done = self.labels.undo()
        return f"The last {done.what} is taken back"

    def _do(self, act: Callable[[], str]) -> None:
        """Do something, and show what became of it."""
        try:
            self.shown = self._showing(act(), "")
        except RecallLabError as error:
            self.shown = self._showing("", str(error))
            raise

    def _on_message(self, widget: object, content: Any, buffers: object) -> None:
        if not isinstance(content, dict) or "act" not in content:
            super()._on_message(widget, content, buffers)
            return
        try:
            self._do(lambda: self._asked(content))
        except RecallLabError:
            pass  # the page shows it

    def _asked(self, content: dict[str, Any]) -> str:
        """Do what the page asks, for the passage that it shows. A note that is not saved yet comes along."""
        if content.get("step") != self.labels.count:
            return ""  # from a page that had not seen the last change: it only gets the news
        item, act, draft = content.get("item"), content["act"], content.get("note")
        said = self._undo() if act == "undo" else ""
        if not isinstance(item, int) or not 0 <= item < len(self._window):
            return said
        pair = self._window[item]
        if isinstance(draft, str):
            said = self._note(draft, pair)
        if act == "label":
            said = self._label(content.get("grade"), pair)
        elif act == "skip":
            said = self._skip(pair)
        return said

    def _showing(self, said: str, error: str) -> dict[str, Any]:
        """What moves on the page: the passages of the current question, and how far it has come.

        ``answer`` grows with every answer, so that the page knows that it was heard.
        """
        current, total = self.labels.current, len(self.labels.pairs)
        start, now, asked, of = 0, None, "", 0
        self._window = []
        if current is not None:
            together = self._of_question[current.query_id]
            start = self._place[current.id] // LONGEST_LIST * LONGEST_LIST
            self._window = together[start : start + LONGEST_LIST]
            now, of = self._place[current.id] - start, len(together)
            asked = plain(current.question, 2_000)
        done = total - self.labels.left
        skipped = f", {self.labels.skipped} skipped" if self.labels.skipped else ""
        return {
            "answer": self.shown.get("answer", 0) + 1,
            "step": self.labels.count,
            "group": f"{current.query_id!r} {start}" if current else "",
            "question": asked,
            "items": [self._item(pair) for pair in self._window],
            "now": now,
            "first": start + 1,
            "of": of,
            "labelled": done,
            "total": total,
            "progress": f"{done} of {count(total, 'pair')} labelled{skipped}",
            "finished": "" if current else self._finished(),
            "undo": self.labels.can_undo,
            "said": said,
            "error": error,
        }

    def _item(self, pair: Pair) -> dict[str, Any]:
        cut = len(pair.text) - LONGEST_TEXT
        return {
            "title": plain(pair.title, 200),
            "text": "\n".join(plain(line, LONGEST_TEXT) for line in pair.text[:LONGEST_TEXT].splitlines()),
            "cut": f"{cut:,} more characters are not shown; desk.pair.text is the whole text"
            if cut > 0
            else "",
            "grade": self.labels.grades.get(pair.id),
            "note": self.labels.notes.get(pair.id, ""),
        }

    def _finished(self) -> str:
        if not self.labels.pairs:
            return "There are no pairs to label."
        ours = [self.labels.grades[pair.id] for pair in self.labels.pairs]
        counts = ", ".join(f"grade {grade}: {ours.count(grade)}" for grade in self.labels.scale)
        return f"Every pair is labelled ({counts}). Undo (u) takes the last label back."


def _called(pair: Pair | None) -> str:
    """A passage by its title, or by how it begins."""
    words = plain(pair.title or pair.text, 60) if pair else ""
    return f"“{words}”"


def _rubric(
    given: str | os.PathLike[str] | Mapping[int, str] | None, scale: tuple[int, ...]
) -> tuple[Mapping[int, str], list[dict[str, str]]]:
    """The words beside each grade, and the lines of a longer text."""
    if isinstance(given, os.PathLike):
        try:
            return {}, _lines(Path(given).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as problem:
            raise RecallLabError(f"the rubric {os.fspath(given)} cannot be read ({problem})") from None
    if isinstance(given, str):
        return {}, _lines(given)
    if given is None:
        return (MEANINGS if scale == tuple(MEANINGS) else {}), []
    return {grade: plain(words, 200) for grade, words in given.items()}, []


def _lines(text: str) -> list[dict[str, str]]:
    """Headings, list items and paragraphs; lines that were wrapped in the file are put together again."""
    lines: list[dict[str, str]] = []
    ended = True
    for line in text.replace("**", "").splitlines():
        words = line.strip()
        if words.startswith("#"):
            lines.append({"kind": "heading", "text": words.lstrip("# ")})
        elif words.startswith(("- ", "* ")):
            lines.append({"kind": "item", "text": words[2:]})
        elif words and ended:
            lines.append({"kind": "paragraph", "text": words})
        elif words:
            lines[-1]["text"] += " " + words
        ended = not words or words.startswith("#")
    return [
        {"kind": line["kind"], "text": plain(re.sub(r"\*(\S[^*]*)\*", r"\1", line["text"]), 2_000)}
        for line in lines
    ]
