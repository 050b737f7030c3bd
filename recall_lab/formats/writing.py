"""Writing files. A file is written whole or not at all, and reads back as what it was."""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from recall_lab.errors import FolderError, RecallLabError, shorten
from recall_lab.formats.jsonl import looks_like_json
from recall_lab.formats.tables import read_header
from recall_lab.formats.text import path_as_text
from recall_lab.formats.values import LARGEST_GRADE, BadValue, check_id
from recall_lab.ids import kind_of
from recall_lab.notices import Notice, list_ids

_USE_JSON_LINES = "write a .jsonl file, which holds any text"


def write_run(
    path: str | os.PathLike[str],
    rows: Iterable[tuple[Any, Sequence[Any], Sequence[float] | None]],
    name: str = "recall_lab",
) -> list[Notice]:
    """Write a run: TREC lines, or by the ending a table (``.csv``, ``.tsv``) or JSON lines (``.jsonl``).

    Parameters
    ----------
    path : the file; ``.gz`` after the ending compresses it.
    rows : for each query its id, its documents, best first, and their scores; ``None`` for scores writes
        ``n, n - 1, ... 1``. Scores are written in full and read back as the same numbers; JSON lines hold the
        order only.
    name : the run's tag.

    Returns
    -------
    list of Notice : queries without results, which TREC lines and tables cannot hold.

    Raises
    ------
    RecallLabError : an id or score that the format cannot hold. FolderError : the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "my.run"
    >>> write_run(path, [("q1", ["d3", "d1"], [9.5, 7.0])], name="mine")
    []
    >>> print(path.read_text(), end="")
    q1 Q0 d3 1 9.5 mine
    q1 Q0 d1 2 7.0 mine
    """
    kind = _ending(path)
    tag = "_".join(name.split()) or "recall_lab"  # one word; it means nothing
    empty: list[str] = []
    with whole_file(path) as file:
        lines = _LineWriter(file, kind)
        if kind in (".csv", ".tsv"):
            lines.header("query_id", "doc_id", "score")
        for query_id, document_ids, numbers in rows:
            query = lines.id(query_id, "query")
            documents = [lines.id(document, "document") for document in document_ids]
            scores = list(map(_score, range(len(documents), 0, -1) if numbers is None else numbers))
            if kind == ".jsonl":
                lines.json({"query_id": query, "retrieved_ids": documents})
                continue
            if not documents:
                empty.append(query)
            for rank, (document, score) in enumerate(zip(documents, scores, strict=True), start=1):
                if kind:
                    lines.cells(query, document, score)
                else:
                    lines.words(query, "Q0", document, str(rank), score, tag)
    return _lost("queries-without-results", "queries without results have no line in the file", empty)


def write_judgments(path: str | os.PathLike[str], grades: Mapping[Any, Mapping[Any, int]]) -> list[Notice]:
    """Write graded judgments: TREC lines, or a BEIR table with header if the name ends in ``.tsv``.

    Returns
    -------
    list of Notice : queries without a single judged document, which neither layout can hold.

    Raises
    ------
    RecallLabError : an id or grade that the format cannot hold. FolderError : the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "test.tsv"
    >>> write_judgments(path, {"q1": {"d1": 2, "d2": 0}})
    []
    >>> path.read_text()
    'query-id\\tcorpus-id\\tscore\\nq1\\td1\\t2\\nq1\\td2\\t0\\n'
    """
    kind = _ending(path)
    if kind not in ("", ".tsv"):
        raise RecallLabError(
            f"graded judgments are written as .tsv (BEIR) or TREC lines, not as {kind}; "
            "write_golden writes lists of relevant ids as .csv, .tsv or .jsonl"
        )
    with whole_file(path) as file:
        lines = _LineWriter(file, kind)
        if kind:
            lines.header("query-id", "corpus-id", "score")
        for query_id, judged in grades.items():
            query = lines.id(query_id, "query")
            for document_id, grade in judged.items():
                document, text = lines.id(document_id, "document"), _grade(grade)
                if kind:
                    lines.cells(query, document, text)
                else:
                    lines.words(query, "0", document, text)
    empty = [str(query_id) for query_id, judged in grades.items() if not judged]
    return _lost(
        "queries-without-judgments", "queries without judged documents have no line in the file", empty
    )


def write_golden(
    path: str | os.PathLike[str],
    relevant: Mapping[Any, Iterable[Any]],
    questions: Mapping[Any, str] | None = None,
) -> None:
    """Write a golden set, one line per query: ``.csv``, ``.tsv`` or ``.jsonl``.

    Parameters
    ----------
    path : the file; ``.gz`` after the ending compresses it.
    relevant : for each query the ids of its relevant documents; there may be none.
    questions : their texts, which become the column ``query``.

    Raises
    ------
    RecallLabError : an id or text that the format cannot hold. FolderError : the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "golden.csv"
    >>> write_golden(path, {"001": ["d1", "d2"], "002": []})
    >>> path.read_text()
    'query_id,relevant_ids\\n001,d1|d2\\n002,\\n'
    """
    kind = _ending(path)
    if kind not in (".csv", ".tsv", ".jsonl"):
        raise RecallLabError(
            f"a golden set is written as .csv, .tsv or .jsonl, and {path_as_text(path)!r} is none"
        )
    with whole_file(path) as file:
        lines = _LineWriter(file, kind)
        if kind != ".jsonl":
            lines.header("query_id", "relevant_ids", *(["query"] if questions else []))
        for query_id, document_ids in relevant.items():
            query = lines.id(query_id, "query")
            documents = [lines.id(document, "document") for document in document_ids]
            question = (questions or {}).get(query_id, "")
            if kind == ".jsonl":
                record: dict[str, Any] = {"query_id": query, "relevant_ids": documents}
                lines.json(record | ({"query": question} if questions else {}))
                continue
            for document in documents:
                if any(sign in document for sign in "|,; "):
                    raise RecallLabError(
                        f"the document id {document!r} holds one of | , ; or a space, which would be taken "
                        f"for a separator of ids; {_USE_JSON_LINES}"
                    )
            lines.cells(query, "|".join(documents), *([question] if questions else []))


def write_corpus(
    path: str | os.PathLike[str],
    passages: Mapping[Any, tuple[str, str]],
    extras: Mapping[Any, Mapping[str, Any]] | None = None,
) -> None:
    """Write passages (title and text by id, and what else there is) as BEIR's ``corpus.jsonl``.

    Raises
    ------
    RecallLabError : an id or text that cannot be written. FolderError : the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "corpus.jsonl"
    >>> write_corpus(path, {"d1": ("Drills", "A drill costs 3 a day.")})
    >>> path.read_text()
    '{"_id": "d1", "title": "Drills", "text": "A drill costs 3 a day."}\\n'
    """
    with whole_file(path) as file:
        lines = _LineWriter(file, ".jsonl")
        for id_, (title, text) in passages.items():
            record = {"_id": lines.id(id_, "passage"), "title": title, "text": text}
            lines.json(record | dict((extras or {}).get(id_, {})))


def write_queries(
    path: str | os.PathLike[str],
    texts: Mapping[Any, str],
    types: Mapping[Any, str] | None = None,
    extras: Mapping[Any, Mapping[str, Any]] | None = None,
) -> None:
    """Write questions as BEIR's ``queries.jsonl``, their types as ``metadata.type``, and what else there is.

    Raises
    ------
    RecallLabError : an id or text that cannot be written. FolderError : the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "queries.jsonl"
    >>> write_queries(path, {"q1": "May I keep it?"}, {"q1": "paraphrase"})
    >>> path.read_text()
    '{"_id": "q1", "text": "May I keep it?", "metadata": {"type": "paraphrase"}}\\n'
    """
    types = types or {}
    with whole_file(path) as file:
        lines = _LineWriter(file, ".jsonl")
        for id_, text in texts.items():
            extra = dict((extras or {}).get(id_, {}))
            if id_ in types:
                metadata = extra.get("metadata")
                others = metadata if isinstance(metadata, dict) else {}
                extra["metadata"] = {"type": types[id_]} | others
            lines.json({"_id": lines.id(id_, "question"), "text": text} | extra)


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """A text file (UTF-8, ``\\n``) to write to, which takes its place only when everything is written.

    A name that ends in ``.gz`` is compressed, with no date inside: the same content gives the same file.

    Raises
    ------
    FolderError : the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "note.txt"
    >>> with whole_file(path) as file:
    ...     _ = file.write("whole")
    >>> path.read_text()
    'whole'
    """
    name = path_as_text(path)
    target = os.path.realpath(name)
    part = f"{target}.{secrets.token_hex(4)}.part"
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            raise FolderError(f"{name} is a folder or a device, not a file to write to; name a file")
        with open(part, "xb") as raw:
            binary = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if name.lower().endswith(".gz") else raw
            text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
            yield text
            text.flush()
            text.detach()
            if binary is not raw:
                binary.close()  # writes the end of the compressed file, and leaves the file itself open
            raw.flush()
            os.fsync(raw.fileno())
        if os.path.exists(target):
            shutil.copymode(target, part)
        os.replace(part, target)
    except UnicodeEncodeError as problem:
        raise RecallLabError(
            f"{name} was not written: half a character (an unpaired surrogate) in "
            f"{shorten(problem.object)!r}; repair the text"
        ) from None
    except OSError as problem:
        raise FolderError(
            f"{name} cannot be written ({problem.strerror or problem}); "
            "choose a folder that exists and that you may write to"
        ) from None
    finally:
        if os.path.exists(part):
            os.remove(part)


class _LineWriter:
    """Writes lines of one format, and refuses what would not read back."""

    def __init__(self, file: TextIO, kind: str) -> None:
        self._file = file
        self._separator = {".csv": ",", ".tsv": "\t"}.get(kind, " ")
        self._kind = kind
        self._first = True

    def id(self, id_: Any, what: str) -> str:
        """The id as text, if the format can hold it. Whole numbers are written as text."""
        kind_of(id_)
        text = str(id_)
        try:
            check_id(text, what)
        except BadValue as bad:
            raise RecallLabError(
                f"the {what} id {text!r} cannot be written: {bad.problem}; {bad.hint}"
            ) from None
        if self._kind == ".jsonl":
            return text
        if self._kind == "":
            _plain_word(text, f"{what} id")
        elif text != text.strip(" "):
            raise RecallLabError(f"the {what} id {text!r} has spaces around it; {_USE_JSON_LINES}")
        if what == "query" and text.startswith(("#", "\ufeff")):
            raise RecallLabError(
                f"the query id {text!r} begins with {text[0]!r}, which would hide it; {_USE_JSON_LINES}"
            )
        return text

    def header(self, *names: str) -> None:
        """The line that names the columns."""
        self._file.write(self._separator.join(names) + "\n")
        self._first = False

    def words(self, *words: str) -> None:
        """A line of words set apart by spaces."""
        line = " ".join(words)
        if self._first and (looks_like_json(line) or read_header(line) is not None):
            raise RecallLabError(f"the line {line!r} would be read as a header or as JSON; rename the query")
        self._first = False
        self._file.write(line + "\n")

    def cells(self, *cells: str) -> None:
        """A line of cells."""
        self._file.write(self._separator.join(map(self._cell, cells)) + "\n")

    def json(self, record: dict[str, Any]) -> None:
        """An object on one line."""
        self._file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def _cell(self, text: str) -> str:
        unfit = "\r\0\ufeff" + ("\n\t" if self._separator == "\t" else "")
        if any(sign in text for sign in unfit):
            raise RecallLabError(
                f"{shorten(text)!r} holds a line break, a tab or an invisible sign, which a table cannot "
                f"hold; {_USE_JSON_LINES}"
            )
        if self._separator == "," and any(sign in text for sign in '",\n'):
            if any("," in line for line in text.split("\n")[1:-1]):
                raise RecallLabError(
                    f"the lines of {shorten(text)!r} look like rows of a table; {_USE_JSON_LINES}"
                )
            return '"' + text.replace('"', '""') + '"'
        return text


def _ending(path: str | os.PathLike[str]) -> str:
    """``".csv"``, ``".tsv"``, ``".jsonl"``, or ``""`` for everything else."""
    ending = os.path.splitext(path_as_text(path).lower().removesuffix(".gz"))[1]
    return ending if ending in (".csv", ".tsv", ".jsonl") else ""


def _plain_word(text: str, what: str) -> str:
    if not text or any(sign <= " " for sign in text):
        raise RecallLabError(
            f"the {what} {text!r} is empty or holds a space, which a line of words cannot hold; "
            "rename it, or write a .tsv or .jsonl file"
        )
    return text


def _score(score: Any) -> str:
    number = float(score)
    if not math.isfinite(number):
        raise RecallLabError(f"the score {score!r} cannot be written; scores are finite numbers")
    return repr(number)


def _grade(grade: Any) -> str:
    if isinstance(grade, bool) or int(grade) != grade or abs(grade) > LARGEST_GRADE:
        raise RecallLabError(
            f"the grade {grade!r} cannot be written; grades are whole numbers such as 0, 1 or 2"
        )
    return str(int(grade))


def _lost(code: str, what: str, ids: list[str]) -> list[Notice]:
    return [Notice(code, f"{len(ids)} {what}: {list_ids(ids)}", tuple(ids))] if ids else []
