"""The learner's folder: laying out lessons and data, updating them, putting one back.

The rule everything here serves: **what a learner has changed is never overwritten**. A manifest in the folder
(``.recall_lab/manifest.json``) holds the hash of every file as it was laid out. A file that still has that
hash is ours and may be replaced; any other is the learner's, and a newer version arrives beside it under a
new name. Every file appears whole or not at all (written under another name, then renamed), and the manifest
is written last, so a start that is killed half-way can simply be run again.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from recall_lab import resources
from recall_lab.errors import FolderError

HIDDEN = ".recall_lab"
"""Our own folder inside the learner's: the manifest and JupyterLab's window layout."""

_MANIFEST = "manifest.json"
_PARTIAL = ".partial"
_FOR_AUTHORS = "source"
_DEFAULT_FOLDER = "recall-lab-workbook"


@dataclass
class Changes:
    """What laying out a folder did, as names relative to that folder.

    Parameters
    ----------
    folder : the learner's folder.
    created : files that were missing.
    replaced : files nobody had changed, now newer.
    beside : for each file the learner had changed, the name under which its newer version arrived.
    kept : how many changed files of the learner were left as they are.

    Examples
    --------
    >>> changes = Changes(Path("workbook"), created=["start.ipynb"], beside={"02.ipynb": "02-updated.ipynb"})
    >>> print(changes)
    1 file laid out.
    You changed 02.ipynb, so the newer version is beside it: 02-updated.ipynb
    """

    folder: Path
    created: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    beside: dict[str, str] = field(default_factory=dict)
    kept: int = 0

    def __str__(self) -> str:
        lines = []
        if self.created:
            lines.append(f"{_count(len(self.created), 'file')} laid out.")
        if self.replaced:
            lines.append(f"{_count(len(self.replaced), 'file')} brought up to date.")
        for name, newer in sorted(self.beside.items()):
            lines.append(f"You changed {name}, so the newer version is beside it: {newer}")
        if not lines:
            lines.append("Everything is up to date.")
        if self.kept:
            lines.append(f"{_count(self.kept, 'file')} you have worked in stayed untouched.")
        return "\n".join(lines)


def lay_out(folder: str | os.PathLike[str]) -> Changes:
    """Lay out lessons, worked lessons and data in ``folder``, or bring it up to date.

    Safe to repeat and safe to interrupt. Missing files are added, unchanged ones replaced by newer ones,
    changed ones kept. Files this function did not put there are never touched.

    Raises
    ------
    FolderError : the folder cannot be made, read or written, or is a folder of the installation itself.
    """
    root = _usable_folder(Path(folder))
    manifest = read_manifest(root)
    changes = Changes(root)
    with _clear_errors(root):
        for name, source in shipped_files():
            content = source.read_bytes()
            wanted, laid_out, present = _digest(content), manifest.get(name), _digest_of(root / name)
            if present == wanted:
                pass
            elif present is None:
                _write_whole(root / name, content)
                changes.created.append(name)
            elif present == laid_out:
                _write_whole(root / name, content)
                changes.replaced.append(name)
            elif wanted == laid_out:
                changes.kept += 1
            else:
                newer = _name_beside(root, name, wanted, "updated")
                _write_whole(root / newer, content)
                changes.beside[name] = newer
                changes.kept += 1
            manifest[name] = wanted
        _write_manifest(root, manifest)
    return changes


def reset_lesson(folder: str | os.PathLike[str], lesson: str) -> tuple[Path, Path | None]:
    """Put a clean copy of ``lesson`` in place and keep the old one under a new name.

    Parameters
    ----------
    folder : a folder made by ``recall-lab start``.
    lesson : its number (``"02"``), its name with or without ``.ipynb``, or its path inside the folder.

    Returns
    -------
    The clean lesson, and the learner's copy; ``None`` where there was nothing to keep.

    Raises
    ------
    FolderError : no such lesson, no such folder, or it cannot be written.
    """
    root = existing_workbook(folder)
    lessons = {name: source for name, source in shipped_files() if name.endswith(".ipynb")}
    name = _find_lesson(lesson, list(lessons))
    content = lessons[name].read_bytes()
    target = root / name
    kept = None
    with _clear_errors(root):
        if target.exists() and _digest_of(target) != _digest(content):
            # Copied first, replaced second: at no moment is the learner's work in no file.
            kept = root / _name_beside(root, name, _digest(target.read_bytes()), "kept")
            _write_whole(kept, target.read_bytes())
        _write_whole(target, content)
        manifest = read_manifest(root)
        manifest[name] = _digest(content)
        _write_manifest(root, manifest)
    return target, kept


def pristine_notebooks(folder: Path) -> list[Path]:
    """The notebooks in ``folder`` that are still exactly as shipped: the only ones we may vouch for."""
    return [
        folder / name
        for name, source in shipped_files()
        if name.endswith(".ipynb") and _digest_of(folder / name) == _digest(source.read_bytes())
    ]


def shipped_files() -> Iterator[tuple[str, Path]]:
    """Every file a learner's folder gets: its name there (with ``/``) and where it is shipped, sorted."""
    for shipped, prefix in (("notebooks", ""), ("datasets", "data/")):
        source = resources.shipped_folder(shipped)
        for path in sorted(source.rglob("*")):
            inside = path.relative_to(source)
            hidden = any(part.startswith(".") or part == "__pycache__" for part in inside.parts)
            if path.is_file() and not hidden and inside.parts[0] != _FOR_AUTHORS:
                yield prefix + inside.as_posix(), path


def is_workbook(folder: Path) -> bool:
    """Whether ``recall-lab start`` has laid out ``folder``."""
    return (folder / HIDDEN / _MANIFEST).is_file()


def default_folder() -> Path:
    """The folder meant when none is named: this one if it is a workbook, else one of the usual name in it."""
    here = Path.cwd()
    candidates = [here, here / _DEFAULT_FOLDER, here / "workbook"]
    return next((path for path in candidates if is_workbook(path)), here / _DEFAULT_FOLDER)


def existing_workbook(folder: str | os.PathLike[str]) -> Path:
    """``folder`` as a path, if it is a workbook.

    Raises
    ------
    FolderError : it is not; says how to make one.
    """
    root = Path(folder).expanduser().absolute()
    if not is_workbook(root):
        raise FolderError(
            f"{root} is not a Recall Lab workbook: it has no {HIDDEN}/{_MANIFEST}.\n"
            "  way out: name the folder that 'recall-lab start' made, or make one: recall-lab start FOLDER"
        )
    return root


def read_manifest(folder: Path) -> dict[str, str]:
    """The hashes of the files as laid out, by name; empty where nothing was laid out yet.

    A manifest that cannot be understood counts as empty: then every file that differs from ours counts as the
    learner's, which loses nothing.
    """
    path = folder / HIDDEN / _MANIFEST
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        return {str(name): str(digest) for name, digest in files.items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {_reason(error)}") from error
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_manifest(folder: Path, files: dict[str, str]) -> None:
    text = json.dumps({"about": "Hashes of the files as Recall Lab laid them out.", "files": files}, indent=1)
    _write_whole(folder / HIDDEN / _MANIFEST, (text + "\n").encode())


def _usable_folder(folder: Path) -> Path:
    root = folder.expanduser().absolute()
    for shipped in (resources.shipped_folder("notebooks"), resources.shipped_folder("datasets")):
        if root.resolve() in (shipped, shipped.parent) or shipped in root.resolve().parents:
            raise FolderError(
                f"{root} belongs to Recall Lab itself, so no workbook is laid out in it.\n"
                f"  way out: name another folder, such as {_DEFAULT_FOLDER}"
            )
    try:
        root.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise FolderError(
            f"{root} is a file, not a folder.\n  way out: name a folder that does not exist yet"
        ) from error
    except OSError as error:
        raise FolderError(
            f"the folder {root} cannot be made: {_reason(error)}\n"
            "  way out: name a folder you may write to, such as one in your home folder"
        ) from error
    return root


@contextlib.contextmanager
def _clear_errors(folder: Path) -> Iterator[None]:
    """Turn the system's errors while reading and writing into a ``FolderError`` that says what to do."""
    try:
        yield
    except OSError as error:
        raise FolderError(
            f"{error.filename or folder} cannot be read or written: {_reason(error)}\n"
            "  Your own work is as it was. Mend this and run the same command again."
        ) from error


def _reason(error: OSError) -> str:
    known = {
        errno.ENOSPC: f"the disk is full. Free some space: a workbook takes {_size_in_megabytes()} MB.",
        errno.EDQUOT: f"your quota is used up. Free some space: a workbook takes {_size_in_megabytes()} MB.",
        errno.EROFS: "the disk is read-only. Choose a folder on another disk.",
        errno.EACCES: "you may not write there. Choose a folder of your own.",
        errno.EPERM: "you may not write there. Choose a folder of your own.",
        errno.ENOTDIR: "a part of the path is a file, not a folder.",
        errno.EISDIR: "a folder stands where a file belongs. Rename that folder.",
        errno.ENAMETOOLONG: "the path is too long. Choose a shorter one.",
    }
    return known.get(error.errno or 0, error.strerror or str(error))


def _size_in_megabytes() -> int:
    return 1 + sum(source.stat().st_size for _, source in shipped_files()) // 1_000_000


def _write_whole(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}{_PARTIAL}")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


def _name_beside(folder: Path, name: str, digest: str, word: str) -> str:
    """A free name beside ``name``, or one where just this content lies already (after an interruption)."""
    path = Path(name)
    number = 1
    while True:
        suffix = word if number == 1 else f"{word}-{number}"
        candidate = path.with_name(f"{path.stem}-{suffix}{path.suffix}").as_posix()
        if _digest_of(folder / candidate) in (None, digest) and not (folder / candidate).is_dir():
            return candidate
        number += 1


def _find_lesson(lesson: str, names: list[str]) -> str:
    wanted = lesson.replace("\\", "/").removesuffix(".ipynb")
    for name in names:
        stem = name.removesuffix(".ipynb")
        if wanted == stem or ("/" not in stem and wanted == stem.split("_")[0]):
            return name
    known = ", ".join(sorted(name.removesuffix(".ipynb") for name in names if "/" not in name))
    raise FolderError(f"there is no lesson {lesson!r}.\n  way out: name one of {known}, or its number")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest_of(path: Path) -> str | None:
    return _digest(path.read_bytes()) if path.is_file() else None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
