"""A golden dataset on disk: a folder in the BEIR layout with ``dataset.json``, or one file of judgments."""

from __future__ import annotations

import difflib
import gzip
import json
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recall_lab.errors import FolderError, InputFileError
from recall_lab.formats.beir import read_corpus, read_queries
from recall_lab.formats.jsonl import unique_keys
from recall_lab.formats.judgments import read_judgments
from recall_lab.formats.text import TextFile, path_as_text
from recall_lab.formats.values import BadValue
from recall_lab.formats.writing import whole_file, write_corpus, write_judgments, write_queries
from recall_lab.notices import Notice

_ABOUT = "dataset.json"
_WITHOUT_DOCUMENTS = "judged_without_documents"  # questions that a table of judgments has no line for


_DATA_ENDINGS = (".tsv", ".csv", ".txt", ".qrels", ".trec", ".jsonl")
# The keys that change the numbers, and how else people call them; any other key is kept and left alone.
_KEYS = {
    "min_grade": ("mingrade", "minimumgrade", "threshold"),
    _WITHOUT_DOCUMENTS: ("judgedwithoutdocuments",),
}
_EXAMPLE = 'write, say, {"name": "mine", "min_grade": 1}'


@dataclass(frozen=True)
class DatasetColumns:
    """A golden dataset as it stands on disk.

    Parameters
    ----------
    passages : title and text by id.
    questions, types : text and type by id.
    grades : for each question its judged passages and their grades.
    about : what ``dataset.json`` says, ``name`` and ``min_grade`` among it.
    passage_extras, question_extras : what else the lines of passages and questions hold, by id.
    notices : what was noticed.
    """

    passages: Mapping[Any, tuple[str, str]]
    questions: Mapping[Any, str]
    types: Mapping[Any, str]
    grades: Mapping[Any, Mapping[Any, int]]
    about: Mapping[str, Any]
    passage_extras: Mapping[Any, Mapping[str, Any]] = field(default_factory=dict)
    question_extras: Mapping[Any, Mapping[str, Any]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


def read_dataset(
    path: str | os.PathLike[str], judgments: str | os.PathLike[str] | None = None
) -> DatasetColumns:
    """Read a dataset.

    Parameters
    ----------
    path : a folder with ``qrels/`` and perhaps ``corpus.jsonl``, ``queries.jsonl`` (or ``.tsv``) and
        ``dataset.json``; or a file of judgments.
    judgments : which of a folder's judgments: ``"test"`` for ``qrels/test.tsv``, or the path of a file. By
        default ``test``, or the only one there.

    Raises
    ------
    FolderError : the folder holds no judgments, or several and none is chosen.
    InputFileError : a file cannot be read; names file and line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "mine.qrels"
    >>> _ = path.write_text("q1 0 d1 1\\n")
    >>> read_dataset(path).about
    {'name': 'mine'}
    """
    folder = Path(path)
    if not folder.is_dir():
        read = read_judgments(path)
        return DatasetColumns(
            {}, read.questions, {}, read.grades, {"name": _stem(folder.name)}, notices=read.notices
        )
    about = _read_about(folder / _ABOUT)
    read = read_judgments(_qrels(folder, judgments))
    corpus_path = _first_of(folder, "corpus.jsonl", "corpus.jsonl.gz")
    queries_path = _first_of(folder, "queries.jsonl", "queries.jsonl.gz", "queries.tsv", "queries.tsv.gz")
    corpus = read_corpus(corpus_path) if corpus_path else None
    queries = read_queries(queries_path) if queries_path else None
    for query_id in about.pop(_WITHOUT_DOCUMENTS, ()):
        read.grades.setdefault(query_id, {})
    return DatasetColumns(
        passages=corpus.passages if corpus else {},
        questions=queries.texts if queries else read.questions,
        types=queries.types if queries else {},
        grades=read.grades,
        about={"name": folder.resolve().name} | about,
        passage_extras=corpus.extras if corpus else {},
        question_extras=queries.extras if queries else {},
        notices=[
            *_misspelt_name(about),
            *(corpus.notices if corpus else ()),
            *(queries.notices if queries else ()),
            *read.notices,
        ],
    )


def write_dataset(path: str | os.PathLike[str], dataset: DatasetColumns) -> None:
    """Write a dataset as a folder that `read_dataset` gives back.

    Raises
    ------
    FolderError : the folder cannot be written, or holds a part that the dataset does not have.
    RecallLabError : an id or text that the layout cannot hold.
    """
    folder = Path(path_as_text(path))
    for name, part in (("corpus.jsonl", dataset.passages), ("queries.jsonl", dataset.questions)):
        if not part and (folder / name).exists():
            raise FolderError(f"{folder} holds a {name}, and this dataset has none; choose an empty folder")
    try:
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FolderError(
            f"the folder {folder} cannot be written ({problem.strerror or problem}); choose another place"
        ) from None
    if dataset.passages:
        write_corpus(folder / "corpus.jsonl", dataset.passages, dataset.passage_extras)
    if dataset.questions:
        write_queries(folder / "queries.jsonl", dataset.questions, dataset.types, dataset.question_extras)
    write_judgments(folder / "qrels" / "test.tsv", dataset.grades)
    empty = [str(query_id) for query_id, judged in dataset.grades.items() if not judged]
    about = dict(dataset.about) | ({_WITHOUT_DOCUMENTS: empty} if empty else {})
    with whole_file(folder / _ABOUT) as file:
        file.write(json.dumps(about, ensure_ascii=False, indent=2) + "\n")


def _read_about(path: Path) -> dict[str, Any]:
    """What ``dataset.json`` says; nothing if there is none."""
    if not path.exists():
        return {}
    with TextFile(path) as file:
        file.first_line()
        text = "\n".join(line for _, line in file.raw_lines())
    try:
        about = json.loads(text, object_pairs_hook=unique_keys)
    except BadValue as bad:
        raise InputFileError(path, bad.problem, hint=bad.hint) from None
    except (ValueError, RecursionError) as problem:
        line = problem.lineno if isinstance(problem, json.JSONDecodeError) else None
        raise InputFileError(path, f"this is not JSON ({problem})", line=line, hint=_EXAMPLE) from None
    if not isinstance(about, dict):
        raise InputFileError(path, "this is not a JSON object", hint=_EXAMPLE)
    for key, names in _KEYS.items():
        if key not in about and (alike := _like(names, about)) is not None:
            raise InputFileError(
                path,
                f'there is no "{key}", and nobody reads "{alike}"',
                hint=f'did you mean "{key}" where it says "{alike}"? If not, add a "{key}" beside it',
            )
    name, min_grade, empty = (
        about.get("name", ""),
        about.get("min_grade", 1),
        about.get(_WITHOUT_DOCUMENTS, []),
    )
    if not isinstance(name, str):
        raise InputFileError(path, f"name is {name!r}, not a text", hint=_EXAMPLE)
    if type(min_grade) is not int or min_grade < 1:
        raise InputFileError(
            path, f"min_grade is {min_grade!r}, not a whole number of at least 1", hint=_EXAMPLE
        )
    if not isinstance(empty, list) or not all(isinstance(id_, str) for id_ in empty):
        raise InputFileError(
            path,
            f"{_WITHOUT_DOCUMENTS} is not a list of question ids",
            hint=f'write, say, {{"{_WITHOUT_DOCUMENTS}": ["q1", "q2"]}}, or leave it out',
        )
    return about


def _misspelt_name(about: Mapping[str, Any]) -> list[Notice]:
    alike = None if "name" in about else _like(("name", "nmae"), about)
    message = f'{_ABOUT}: there is no "name"; did you mean "name" where it says "{alike}"?'
    return [] if alike is None else [Notice("name-misspelt", message)]


def _like(names: tuple[str, ...], about: Mapping[str, Any]) -> str | None:
    """A key that is probably meant as one of these names, given in letters only."""
    plain = {re.sub("[^a-z]", "", key.lower()): key for key in about}
    close = [key for name in names for key in difflib.get_close_matches(name, plain, n=1, cutoff=0.85)]
    return plain[close[0]] if close else None


def _qrels(folder: Path, judgments: str | os.PathLike[str] | None) -> Path:
    """The folder's file of judgments that is meant."""
    try:
        files = [path for path in sorted((folder / "qrels").iterdir()) if _is_data(path)]
    except OSError:
        files = []
    there: dict[str, list[Path]] = {}
    for path in files:
        there.setdefault(_stem(path.name), []).append(path)
    names = f"{folder / 'qrels'} holds {', '.join(there) or 'nothing'}"
    if judgments is not None:
        wanted = path_as_text(judgments)
        if wanted in there:
            return _only(there[wanted])
        places = (folder / "qrels" / wanted, folder / wanted, Path(wanted))
        found = next((place for place in places if place.is_file()), None)
        if found is None:
            raise FolderError(f"there are no judgments {wanted!r}; {names}")
        return found
    if "test" in there:
        return _only(there["test"])
    if len(there) == 1:
        return _only(next(iter(there.values())))
    if there:
        raise FolderError(f"which judgments? {names}; choose with judgments= (on the command line: --qrels)")
    raise FolderError(
        f"{folder} holds no judgments: a dataset is a folder with qrels/test.tsv, and perhaps corpus.jsonl, "
        "queries.jsonl and dataset.json"
    )


def _is_data(path: Path) -> bool:
    """Whether a file may hold judgments: no hidden file, no editor's copy, no note beside them."""
    visible = not path.name.startswith(".")
    return visible and path.name.removesuffix(".gz").endswith(_DATA_ENDINGS) and path.is_file()


def _only(paths: list[Path]) -> Path:
    """The one file of a name; several may stand for it only where they say the same."""
    first, *others = paths
    for other in others:
        if _content(other) != _content(first):
            raise FolderError(
                f"{first.parent} holds {first.name} and {other.name}, which differ; remove one of them, or "
                f"name the file: {first.name}"
            )
    return first


def _content(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise FolderError(
            f"{path} cannot be read ({problem.strerror or problem}); remove it, or make it readable"
        ) from None
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return data


def _first_of(folder: Path, *names: str) -> Path | None:
    return next((folder / name for name in names if (folder / name).exists()), None)


def _stem(name: str) -> str:
    return name.removesuffix(".gz").rsplit(".", 1)[0]
