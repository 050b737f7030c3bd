"""The log of one annotator: each label is on disk before the next pair is shown.

Its file is only ever appended to. A program that is killed at any moment leaves every event that was reported
as done, and at most one unfinished line, which is kept aside when the file is opened again.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from recall_lab.errors import FolderError, RecallLabError
from recall_lab.labelling.events import Done, Labels, header, replay, torn
from recall_lab.labelling.pairs import Pair, PairId, as_pairs, shuffled
from recall_lab.locking import take
from recall_lab.notices import Notice, list_ids

if TYPE_CHECKING:
    import pandas as pd

# Running a notebook's cell again opens a file that the same program has open: the new log takes it over.
_open_here: WeakValueDictionary[str, LabelLog] = WeakValueDictionary()


class LabelLog:
    """Labels one set of pairs, as one annotator, into one file, and goes on where it was left.

    The order is shuffled by the seed and the annotator's name, questions first, then the passages of each. A
    skipped pair comes again at the end.

    Parameters
    ----------
    pairs : the pairs to label: a list of `Pair`, of texts (question, passage), or a .jsonl file of pairs.
    folder : where the file ``labels_ANNOTATOR.jsonl`` lies; it is made if it is missing.
    annotator : who labels. Two people in one folder get two files, and neither sees the other's labels.
    name : the first word of the file's name, for several sets of pairs in one folder.
    grades : the grades there are to give, whole numbers from 0 to 9.
    seed : decides the order. A log that was begun keeps its seed and its grades.

    Attributes
    ----------
    pairs : the pairs in the order they are shown.
    notices : what was noticed when the file was opened.

    Raises
    ------
    RecallLabError : the name is empty or no grade is offered; the file belongs to somebody else, has another
        seed or other grades, or another program has it open. InputFileError : the file is damaged.
        FolderError : the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> texts = [("Which?", "This one."), ("Which?", "That one.")]
    >>> with LabelLog(texts, folder, annotator="ann") as log:
    ...     log.label(2)
    >>> with LabelLog(texts, folder, annotator="ann") as log:  # another day
    ...     log.note("it could be either")
    ...     log.label(1)
    ...     log.label(0)
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: every pair is labelled; undo takes the last label back
    >>> log
    LabelLog of ann: 2 of 2 pairs labelled
    """

    def __init__(
        self,
        pairs: object,
        folder: str | os.PathLike[str] = ".",
        *,
        annotator: str,
        name: str = "labels",
        grades: Sequence[int] = (0, 1, 2),
        seed: int = 0,
    ) -> None:
        self.annotator = str(annotator).strip()
        words = _file_word(name, "name"), _file_word(self.annotator, "annotator")
        self.path = Path(folder) / f"{'_'.join(words)}.jsonl"
        self.scale = _scale(grades)
        self.notices: list[Notice] = []
        self.pairs = shuffled(self._distinct(as_pairs(pairs)), f"{seed} {self.annotator}")
        self._pair_of = {pair.id: pair for pair in self.pairs}
        self._queue: OrderedDict[PairId, None] = OrderedDict.fromkeys(self._pair_of)
        self._labels = Labels(self.annotator, seed, self.scale)
        self._unfinished = False
        self._open(seed)

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def current(self) -> Pair | None:
        """The pair to label next; ``None`` when every pair is labelled."""
        first = next(iter(self._queue), None)
        return None if first is None else self._pair_of[first]

    @property
    def grades(self) -> dict[PairId, int]:
        """The grades given so far, by (question id, passage id)."""
        return self._labels.grades

    @property
    def notes(self) -> dict[PairId, str]:
        """The notes written so far, by pair."""
        return self._labels.notes

    @property
    def left(self) -> int:
        """How many pairs are not labelled yet."""
        return len(self._queue)

    @property
    def skipped(self) -> int:
        """How many of those were put off."""
        return sum(pair in self._queue for pair in self._labels.skipped)

    @property
    def count(self) -> int:
        """How many events the file holds; each adds one."""
        return self._labels.count

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return self._labels.last is not None

    def table(self) -> pd.DataFrame:
        """One row for each pair, in the order shown: ids, question, title, text, grade, note, skipped."""
        import pandas as pd

        rows = [
            {
                "query_id": pair.query_id,
                "passage_id": pair.passage_id,
                "question": pair.question,
                "title": pair.title,
                "text": pair.text,
                "grade": self.grades.get(pair.id),
                "note": self.notes.get(pair.id, ""),
                "skipped": pair.id in self._labels.skipped and pair.id in self._queue,
            }
            for pair in self.pairs
        ]
        columns = ["query_id", "passage_id", "question", "title", "text", "grade", "note", "skipped"]
        return pd.DataFrame(rows, columns=columns).astype({"grade": "Int64", "skipped": "bool"})

    def __repr__(self) -> str:
        done = len(self.pairs) - self.left
        return f"LabelLog of {self.annotator}: {done} of {len(self.pairs)} pairs labelled"

    # -- what can be done: each is on disk when the call returns ---------------------------------------------

    def label(self, grade: int, pair: PairId | None = None) -> None:
        """Give a pair its grade, the current one unless another is named. Nothing is lost by doing it again.

        Raises
        ------
        RecallLabError : the grade is not offered, or there is no such pair. FolderError : it is not on disk.
        """
        if isinstance(grade, bool) or grade not in self.scale:
            offered = ", ".join(map(str, self.scale))
            raise RecallLabError(f"the grade {grade!r} is not offered; give one of {offered}")
        meant = self._meant(pair)
        self._write("label", meant.id, grade=int(grade), of=meant.fingerprint)

    def skip(self, pair: PairId | None = None) -> None:
        """Put a pair off to the end, the current one unless another is named."""
        self._write("skip", self._meant(pair).id)

    def note(self, text: str, pair: PairId | None = None) -> None:
        """Write a note on a pair, the current one unless another is named; an empty one takes it away."""
        self._write("note", self._meant(pair).id, note=str(text).strip())

    def undo(self) -> Done:
        """Take back the last label, skip or note that is not taken back yet, and tell which it was.

        The pair of a label or a skip is the current one again.

        Raises
        ------
        RecallLabError : there is nothing to take back. FolderError : it is not on disk.
        """
        last = self._labels.last
        if last is None:
            raise RecallLabError("there is nothing to undo")
        return self._write("undo", last.pair)

    def close(self) -> None:
        """Let go of the file, so that another program may open it."""
        self._file.close()

    def __enter__(self) -> LabelLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- how -------------------------------------------------------------------------------------------------

    def _distinct(self, pairs: Iterable[Pair]) -> list[Pair]:
        kept: dict[PairId, Pair] = {}
        repeated: list[PairId] = []
        for pair in pairs:
            known = kept.setdefault(pair.id, pair)
            if known is not pair:
                repeated.append(pair.id)
                if known != pair:
                    raise RecallLabError(f"the pair {pair.id} is given twice, with different texts")
        if repeated:
            self.notices.append(
                Notice("repeated-pairs", f"{len(repeated)} pairs are given twice: {list_ids(repeated)}")
            )
        return list(kept.values())

    def _meant(self, pair: PairId | None) -> Pair:
        if pair is None:
            if self.current is None:
                raise RecallLabError(
                    "every pair is labelled; undo takes the last label back"
                    if self.pairs
                    else "there are no pairs to label"
                )
            return self.current
        if pair not in self._pair_of:
            raise RecallLabError(f"there is no pair {pair!r} in this set; name it (question id, passage id)")
        return self._pair_of[pair]

    def _open(self, seed: int) -> None:
        key = os.path.realpath(self.path)
        earlier = _open_here.pop(key, None)
        if earlier is not None:
            earlier.close()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self.path, "a+b", buffering=0)
        except OSError as problem:
            raise self._refused(problem, "the label file cannot be opened") from None
        try:
            if not take(self._file.fileno()):
                raise RecallLabError(
                    f"{self.path} is open in another program, such as another notebook's kernel; "
                    "shut that kernel down, or label under another name"
                )
            self._resume(seed)
        except OSError as problem:
            self._file.close()
            raise self._refused(problem, "the label file cannot be opened") from None
        except BaseException:
            self._file.close()
            raise
        _open_here[key] = self

    def _resume(self, seed: int) -> None:
        self._file.seek(0)
        data = self._file.readall()
        found, self._size = replay(self.path, data, self._arrange)
        if self._size < len(data):
            self._keep_aside(data[self._size :])
        if found is None:
            self._append(header(self.annotator, seed, self.scale))
            _settle_name(self.path)
            return
        for what, given, begun in (
            ("annotator", self.annotator, found.annotator),
            ("seed", seed, found.seed),
            ("grades", self.scale, found.scale),
        ):
            if given != begun:
                raise RecallLabError(
                    f"{self.path} was begun with {what} = {begun!r}, not {given!r}; go on with that, or "
                    "choose another folder or annotator"
                )
        self._labels = found
        self._notice_other_pairs()

    def _keep_aside(self, rest: bytes) -> None:
        names = (self.path.with_name(f"{self.path.stem}.torn-{n}.txt") for n in range(1, 10_000))
        aside = next(path for path in names if not path.exists())
        aside.write_bytes(rest)
        self._file.truncate(self._size)
        notice = torn(self.path, rest)
        self.notices.append(Notice(notice.code, f"{notice.message}. What there was of it is in {aside.name}"))

    def _notice_other_pairs(self) -> None:
        gone = [pair for pair in self.grades if pair not in self._pair_of]
        changed = [
            pair
            for pair in self.grades
            if pair in self._pair_of and self._labels.fingerprints[pair] != self._pair_of[pair].fingerprint
        ]
        for code, pairs, what in (
            ("labels-of-other-pairs", gone, "labelled pairs are not in this set; their labels are kept"),
            ("texts-changed", changed, "pairs had another text when they were labelled; look at them again"),
        ):
            if pairs:
                ids = tuple(f"{query_id} {passage_id}" for query_id, passage_id in pairs)
                self.notices.append(
                    Notice(code, f"{self.path.name}: {len(pairs)} {what}: {list_ids(pairs)}", ids)
                )

    def _arrange(self, labels: Labels, done: Done) -> None:
        """Bring the queue in line with something that was done, or undone, to a pair."""
        pair = done.pair
        if done.what == "note" or pair not in self._pair_of:
            return
        if pair in labels.grades:
            self._queue.pop(pair, None)
            return
        self._queue[pair] = None
        put_off = done.what == "skip" and labels.last is done  # else it was undone
        self._queue.move_to_end(pair, last=put_off)

    def _write(self, what: str, pair: PairId, **more: Any) -> Done:
        """Put an event on disk, and only then let it count."""
        event = {
            "n": self._labels.count + 1,
            "event": what,
            "query": pair[0],
            "doc": pair[1],
            **more,
            "annotator": self.annotator,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        if self._file.closed:
            raise RecallLabError(
                f"nothing was saved: this log of {self.path.name} is closed, or was opened again in another "
                "cell; go on there, or run this cell again"
            )
        try:
            self._append(event)
        except OSError as problem:
            raise self._refused(
                problem, f"the {what} is not saved; the {self._labels.count} events before it are"
            ) from None
        done = self._labels.apply(event)
        self._arrange(self._labels, done)
        return done

    def _append(self, record: dict[str, Any]) -> None:
        if self._unfinished:
            self._file.truncate(self._size)
            self._unfinished = False
        if not os.path.samestat(os.stat(self.path), os.fstat(self._file.fileno())):
            raise FileNotFoundError(0, "another file stands in its place")
        line = memoryview((json.dumps(record) + "\n").encode())
        rest = line
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            self._unfinished = True
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
                self._unfinished = False
            raise
        self._size += len(line)

    def _refused(self, problem: OSError, what: str) -> FolderError:
        if isinstance(problem, FileNotFoundError):
            way_out = "put the file back where it was, or open the log again to begin a new file"
        else:
            way_out = "make room on the disk and see that you may write there, then do it again"
        return FolderError(f"{self.path}: {what} ({problem.strerror or problem}); {way_out}")


def _file_word(text: str, what: str) -> str:
    """A name as a part of a file's name, on any system: "Ann Lee" becomes "ann_lee"."""
    word = re.sub(r"[^\w-]+", "_", str(text).strip().casefold()).strip("_")[:60]
    if not word:
        raise RecallLabError(f"{what} = {text!r} holds no letter or digit to name a file by; write a name")
    return word


def _scale(grades: Sequence[int]) -> tuple[int, ...]:
    scale = tuple(grades)
    if (
        not scale
        or len(set(scale)) < len(scale)
        or any(type(grade) is not int or not 0 <= grade <= 9 for grade in scale)
    ):
        raise RecallLabError(
            f"grades are different whole numbers from 0 to 9, as in (0, 1, 2); not {grades!r}"
        )
    return scale


def _settle_name(path: Path) -> None:
    """Have the system write down that the folder holds this file (Windows does so by itself)."""
    if os.name != "nt":
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
