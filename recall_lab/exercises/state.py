"""The learner's progress: one small readable JSON file beside the notebooks.

It is written whole or not at all: into a second file, flushed to the disk, then renamed over the first, so
that a kernel killed at any moment leaves either the old or the new text. A lock file keeps two kernels from
overwriting each other. A file that cannot be read is kept under another name. What cannot be written waits
in memory for the next time, and one line says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from recall_lab.errors import FolderError, InputFileError
from recall_lab.locking import take

__all__ = [
    "FILE_NAME",
    "export_to",
    "import_from",
    "note_check",
    "note_hint",
    "note_practice",
    "note_prediction",
    "note_reveal",
    "progress_path",
    "read",
    "reset",
]

FILE_NAME = "recall_lab_progress.json"
FORMAT = 1
_PATIENCE = 3.0  # seconds to wait for another kernel

Data = dict[str, Any]
Change = Callable[[Data], None]

_waiting: dict[Path, list[Change]] = {}  # what could not be written yet, by the file it belongs to
_told: set[str] = set()  # notes this kernel has shown already


def progress_path() -> Path:
    """Where the progress is kept: in the working directory, or where ``RECALL_LAB_PROGRESS`` says."""
    named = os.environ.get("RECALL_LAB_PROGRESS") or FILE_NAME
    try:
        return Path(os.path.realpath(named))
    except OSError:  # the working directory was deleted under a running kernel
        return Path(named)


def read() -> tuple[Data, str]:
    """The progress, and a note where something is wrong with the file."""
    path = progress_path()
    data, note = _empty(), ""
    try:
        _must_be_a_file(path)
        data = _load(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as problem:
        note = f"The progress file {path.name} cannot be read ({_short(problem)})."
    if data["format"] > FORMAT:
        note = _newer(path)
    for change in _waiting.get(path, []):
        change(data)
        note = _not_saved(path)
    return data, note


# -- what the verbs note; each returns a line for the learner, empty when all is well ------------------------


def note_check(exercise_id: str, status: str, mistakes: tuple[str, ...]) -> str:
    def change(data: Data) -> None:
        entry = _entry(data, exercise_id)
        entry["tries"] = entry.get("tries", 0) + 1
        entry["passed"] = entry.get("passed", False) or status == "passed"
        for mistake in mistakes:
            counts = entry.setdefault("mistakes", {})
            counts[mistake] = counts.get(mistake, 0) + 1

    return _update(change)


def note_practice(exercise_id: str, status: str) -> str:
    def change(data: Data) -> None:
        entry = _entry(data, exercise_id)
        entry["practised"] = entry.get("practised", 0) + (status == "passed")

    return _update(change)


def note_hint(exercise_id: str, rung: int) -> str:
    def change(data: Data) -> None:
        entry = _entry(data, exercise_id)
        entry["hints"] = max(rung, entry.get("hints", 0))

    return _update(change)


def note_reveal(exercise_id: str) -> str:
    """A worked answer looked at after the exercise was passed takes nothing away and is not noted."""

    def change(data: Data) -> None:
        entry = _entry(data, exercise_id)
        if not entry.get("passed"):
            entry["revealed"] = True

    return _update(change)


def note_prediction(prediction_id: str, guess: str) -> str:
    return _update(lambda data: data["predictions"].setdefault(prediction_id, []).append(guess))


# -- the file as a whole -------------------------------------------------------------------------------------


def export_to(target: str | os.PathLike[str]) -> Path:
    """Write a copy of the progress to ``target``, for another machine; FolderError where that fails."""
    path = Path(target)
    try:
        _must_be_a_file(path)
        _write(path, read()[0])
    except OSError as problem:
        raise FolderError(
            f"{path} cannot be written ({_short(problem)}); name a file in another folder"
        ) from None
    return path


def import_from(source: str | os.PathLike[str]) -> str:
    """Add the progress in ``source`` to the present one: what is passed in either is passed.

    Raises
    ------
    InputFileError : ``source`` is not a progress file.
    """
    try:
        _must_be_a_file(Path(source))
        theirs = _load(Path(source))
        if theirs["format"] > FORMAT:
            raise ValueError("it was written by a newer Recall Lab")
    except (OSError, ValueError) as problem:
        raise InputFileError(
            source, f"not a progress file ({_short(problem)})", hint="export_progress() writes one"
        ) from None

    def change(data: Data) -> None:
        for exercise_id, entry in theirs["exercises"].items():
            data["exercises"][exercise_id] = _merged(data["exercises"].get(exercise_id, {}), entry)
        for prediction_id, guesses in theirs["predictions"].items():
            data["predictions"].setdefault(prediction_id, guesses)

    return _update(change, keep_as="before-import")


def reset(lesson: str | None = None) -> str:
    """Forget the progress, or that of one lesson such as "02"; the old file is kept under another name."""

    def change(data: Data) -> None:
        for part in ("exercises", "predictions"):
            data[part] = {id: v for id, v in data[part].items() if lesson and not id.startswith(f"{lesson}.")}

    return _update(change, keep_as="before-reset")


# -- inside --------------------------------------------------------------------------------------------------


def _update(change: Change, keep_as: str = "") -> str:
    path = progress_path()
    note = ""
    try:
        _must_be_a_file(path)
        with _locked(path):
            try:
                data = _load(path)
            except FileNotFoundError:
                data = _empty()
            except ValueError as problem:
                kept = _aside(path, "unreadable")
                os.replace(path, kept)
                data = _empty()
                note = (
                    f"The progress file could not be read ({_short(problem)}). It is kept as {kept.name}; "
                    "a new one begins."
                )
            if data["format"] > FORMAT:
                return _once(_newer(path))
            if keep_as and path.exists():
                shutil.copy2(path, _aside(path, keep_as))
            for each in (*_waiting.get(path, []), change):
                each(data)
            _write(path, data)
            _waiting.pop(path, None)
    except OSError as problem:
        _waiting.setdefault(path, []).append(change)
        return _once(_not_saved(path, _short(problem)))
    return note


def _must_be_a_file(path: Path) -> None:
    """Never read, move or replace a device, a pipe or a folder that somebody named by mistake."""
    if path.exists() and not path.is_file():
        raise OSError("it is not an ordinary file")


def _empty() -> Data:
    return {"format": FORMAT, "exercises": {}, "predictions": {}}


def _entry(data: Data, exercise_id: str) -> Data:
    entry: Data = data["exercises"].setdefault(exercise_id, {})
    return entry


def _load(path: Path) -> Data:
    """The file's content; ValueError where it is not a progress file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or type(data.get("format")) is not int:
        raise ValueError("it has no format number")
    if data["format"] > FORMAT:
        return {**_empty(), "format": data["format"]}
    for part, kind in (("exercises", dict), ("predictions", list)):
        entries = data.setdefault(part, {})
        if not isinstance(entries, dict) or not all(isinstance(entry, kind) for entry in entries.values()):
            raise ValueError(f"its {part} are not what they should be")
    if not all(_sound(entry) for entry in data["exercises"].values()):
        raise ValueError("a count in it is not a number")
    return data


def _sound(entry: Data) -> bool:
    counts = [entry.get(name, 0) for name in ("tries", "hints", "practised")]
    mistakes = entry.get("mistakes", {})
    return isinstance(mistakes, dict) and all(type(n) is int for n in [*counts, *mistakes.values()])


def _merged(mine: Data, theirs: Data) -> Data:
    both = {**theirs, **mine}
    for flag in ("passed", "revealed"):
        if mine.get(flag) or theirs.get(flag):
            both[flag] = True
    if any(entry.get("passed") and not entry.get("revealed") for entry in (mine, theirs)):
        both.pop("revealed", None)  # passed without help on one of the two machines
    for count in ("tries", "hints", "practised"):
        if count in both:
            both[count] = max(mine.get(count, 0), theirs.get(count, 0))
    return both


def _write(path: Path, data: Data) -> None:
    """Replace the file in one step. The second file has a fixed name: after a kill it is used again."""
    second = path.with_name(path.name + ".new")
    with open(second, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1, ensure_ascii=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(second, path)


def _aside(path: Path, why: str) -> Path:
    """A free name beside the file, such as ``recall_lab_progress.unreadable-1.json``."""
    numbers = iter(range(1, 10_000))
    return next(
        p for n in numbers if not (p := path.with_name(f"{path.stem}.{why}-{n}{path.suffix}")).exists()
    )


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of the progress file until its lock file is closed."""
    with open(path.with_name(f".{path.stem}.lock"), "a+b") as file:
        deadline = time.monotonic() + _PATIENCE
        while not take(file.fileno()):
            if time.monotonic() > deadline:
                raise TimeoutError("another kernel holds it")
            time.sleep(0.02)
        yield


def _once(note: str) -> str:
    """The note, the first time this kernel has it to say."""
    if note in _told:
        return ""
    _told.add(note)
    return note


def _not_saved(path: Path, why: str = "") -> str:
    reason = f" ({why})" if why else ""
    return f"Your progress is not saved: {path} cannot be written{reason}. Everything else works as usual."


def _newer(path: Path) -> str:
    return (
        f"{path.name} was written by a newer Recall Lab, so nothing is added to it. "
        "Update Recall Lab, or set the file aside."
    )


def _short(problem: Exception) -> str:
    if isinstance(problem, OSError):
        return problem.strerror or str(problem) or type(problem).__name__
    return str(problem).splitlines()[0][:120]
