"""The events of a label file, and what they add up to.

A label file is JSON lines. The first says whose it is; every further line is one event, numbered from 1::

    {"recall_lab_labels": 1, "annotator": "ann", "seed": 0, "grades": [0, 1, 2]}
    {"n": 1, "event": "label", "query": "q1", "doc": "d3", "grade": 2, "of": "9c1e77a0", ...}
    {"n": 2, "event": "note", "query": "q1", "doc": "d7", "note": "only the price of 2021", ...}
    {"n": 3, "event": "skip", "query": "q1", "doc": "d7", ...}
    {"n": 4, "event": "undo", "query": "q1", "doc": "d7", ...}

Each also holds the annotator and the time. ``of`` is the fingerprint of the texts that were labelled. Nothing
is ever changed or taken out: an undo is a line of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_lab.errors import InputFileError
from recall_lab.labelling.pairs import PairId
from recall_lab.notices import Notice

if TYPE_CHECKING:
    import pandas as pd

VERSION = 1
Event = dict[str, Any]


class Done(NamedTuple):
    """Something that was done to a pair, and what was there before it."""

    what: str  # label, note or skip
    pair: PairId
    before: Any


class Labels:
    """What one annotator has decided so far.

    Attributes
    ----------
    annotator : the name.
    seed, scale : the order's seed, and the grades there are to give.
    grades : the grade of each labelled pair, by (question id, passage id), in the order first given.
    notes : the notes that are not empty, by pair.
    skipped : pairs put off, as often as they were.
    count : how many events made it.
    notices : what was noticed while they were read.
    """

    def __init__(self, annotator: str, seed: int, scale: tuple[int, ...]) -> None:
        self.annotator = annotator
        self.seed = seed
        self.scale = scale
        self.grades: dict[PairId, int] = {}
        self.notes: dict[PairId, str] = {}
        self.skipped: set[PairId] = set()
        self.fingerprints: dict[PairId, str] = {}
        self.count = 0
        self.notices: list[Notice] = []
        self._done: list[Done] = []

    @property
    def last(self) -> Done | None:
        """What the next undo takes back; ``None`` where there is nothing left."""
        return self._done[-1] if self._done else None

    def apply(self, event: Event) -> Done:
        """Let one event happen, and tell what it did, or what it undid.

        Raises
        ------
        KeyError, TypeError, ValueError, IndexError : this is no event that could happen now.
        """
        what, pair = event["event"], (_id(event["query"]), _id(event["doc"]))
        if event["n"] != self.count + 1:
            raise ValueError(f"number {self.count + 1} was expected, so a line is missing or out of place")
        if what == "undo":
            if not self._done:
                raise ValueError("there is nothing to undo")
            done = self._done.pop()
            if done.pair != pair:
                raise ValueError("it undoes something that was done to another pair")
            self._put(done.what, pair, done.before)
        else:
            done = Done(what, pair, self._found(what, pair))
            self._put(what, pair, self._given(event))
            self._done.append(done)
        if what == "label":
            self.fingerprints[pair] = str(event["of"])
        self.count += 1
        return done

    def table(self) -> pd.DataFrame:
        """One row for each labelled or noted pair: query_id, passage_id, grade, note."""
        import pandas as pd

        rows = [
            (*pair, self.grades.get(pair), self.notes.get(pair, ""))
            for pair in dict.fromkeys([*self.grades, *self.notes])
        ]
        table = pd.DataFrame(rows, columns=["query_id", "passage_id", "grade", "note"])
        return table.astype({"grade": "Int64"})

    def __repr__(self) -> str:
        return f"Labels of {self.annotator}: {len(self.grades)} labelled, {len(self.notes)} notes"

    def _given(self, event: Event) -> Any:
        if event["event"] == "label":
            if type(event["grade"]) is not int or event["grade"] not in self.scale:
                raise ValueError(f"the grade {event['grade']!r} is none of {self.scale}")
            return event["grade"]
        if event["event"] == "note":
            return str(event["note"])
        return True

    def _found(self, what: str, pair: PairId) -> Any:
        if what == "label":
            return self.grades.get(pair)
        if what == "note":
            return self.notes.get(pair, "")
        if what == "skip":
            return pair in self.skipped
        raise ValueError(f"{what!r} is no event; there are label, note, skip and undo")

    def _put(self, what: str, pair: PairId, value: Any) -> None:
        if what == "label":
            if value is None:
                del self.grades[pair]
            else:
                self.grades[pair] = value
        elif what == "note":
            self.notes.pop(pair, None)
            if value:
                self.notes[pair] = value
        elif value:
            self.skipped.add(pair)
        else:
            self.skipped.discard(pair)


def read_labels(path: str | os.PathLike[str]) -> Labels:
    """What an annotator has decided so far, from the label file. It may be in use by a desk meanwhile.

    Raises
    ------
    InputFileError : the file is missing, no label file, or damaged; names the line.

    Examples
    --------
    >>> import tempfile
    >>> from recall_lab.labelling import LabelLog
    >>> with LabelLog([("Which?", "This one.")], tempfile.mkdtemp(), annotator="ann") as log:
    ...     log.label(2)
    >>> read_labels(log.path)
    Labels of ann: 1 labelled, 0 notes
    """
    try:
        data = Path(path).read_bytes()
    except OSError as problem:
        raise InputFileError(
            path, f"cannot be read ({problem.strerror or problem})", hint="name a file that a log has made"
        ) from None
    labels, whole = replay(path, data)
    if labels is None:
        raise InputFileError(path, "holds no labels yet", hint="label something first")
    if whole < len(data):
        labels.notices.append(torn(path, data[whole:]))
    return labels


def replay(
    path: str | os.PathLike[str], data: bytes, follow: Callable[[Labels, Done], None] | None = None
) -> tuple[Labels | None, int]:
    """What the lines add up to, and how many bytes are whole lines. ``follow`` is told of every event.

    Bytes after the last line end are a line that was being written when the program or the machine stopped:
    nobody was ever told that it is saved.
    """
    whole = data.rfind(b"\n") + 1
    labels: Labels | None = None
    for number, line in enumerate(data[:whole].splitlines(), start=1):
        try:
            record = json.loads(line)
            if labels is None:
                labels = _begin(record)
            else:
                done = labels.apply(record)
                if follow is not None:
                    follow(labels, done)
        except (ValueError, KeyError, TypeError, IndexError) as problem:
            what = "this is no label file" if labels is None else "the line is damaged"
            why = f"no {problem} in it" if isinstance(problem, KeyError) else str(problem)
            raise InputFileError(
                path,
                f"{what} ({why})",
                line=number,
                text=line.decode("utf-8", "replace"),
                hint="put back a copy of the file as it was, or move it away to begin a new one",
            ) from None
    return labels, whole


def torn(path: str | os.PathLike[str], rest: bytes) -> Notice:
    """The notice of a line that was not written to its end."""
    return Notice(
        "torn-line",
        f"{os.path.basename(path)}: the last line was being written when the program stopped "
        f"({len(rest)} bytes without a line end); it was left out, every line before it is kept",
    )


def header(annotator: str, seed: int, scale: tuple[int, ...]) -> dict[str, Any]:
    """The first line of a label file."""
    return {"recall_lab_labels": VERSION, "annotator": annotator, "seed": seed, "grades": list(scale)}


def _begin(record: dict[str, Any]) -> Labels:
    if record["recall_lab_labels"] != VERSION:
        raise ValueError(f"version {record['recall_lab_labels']!r}, and this program knows {VERSION}")
    return Labels(str(record["annotator"]), int(record["seed"]), tuple(map(int, record["grades"])))


def _id(value: Any) -> str | int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"{value!r} is no id")
    return value
