"""The BEIR layout: ``corpus.jsonl`` and ``queries.jsonl`` or ``queries.tsv``.

Its judgments are read where all judgments are.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

from recall_lab.formats import jsonl, tables
from recall_lab.formats.columns import Corpus, Queries
from recall_lab.formats.text import TextFile
from recall_lab.formats.values import BadValue

_Passage = tuple[str, str, dict[str, Any]]
_Question = tuple[str, str | None, dict[str, Any]]
Record = TypeVar("Record", _Passage, _Question)

_ID = ("_id", "id")
_QUERY_HEADERS = {(id_, text) for id_ in (*_ID, *tables.QUERY, "question_id") for text in tables.QUESTION}


def read_corpus(path: str | os.PathLike[str]) -> Corpus:
    """Read passages, one JSON object per line with ``_id``, ``text`` and perhaps ``title``.

    Other keys are kept as ``extras``.

    Raises
    ------
    InputFileError : a line is no such object, or one id has two different passages; names the lines.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "corpus.jsonl"
    >>> _ = path.write_text('{"_id": "d1", "title": "Drills", "text": "A drill costs 3 a day."}\\n')
    >>> read_corpus(path).passages
    {'d1': ('Drills', 'A drill costs 3 a day.')}
    """

    def read_line(number: int, text: str) -> tuple[str, _Passage]:
        record = jsonl.read_object(text)
        title = record.get("title")
        id_ = jsonl.read_id(file, number, jsonl.field(record, *_ID), "passage")
        passage_text = jsonl.as_text(jsonl.field(record, "text"), "text")
        return id_, (
            "" if title is None else jsonl.as_text(title, "title"),
            passage_text,
            _extras(record, {"title", "text"}),
        )

    with TextFile(path) as file:
        file.first_line()
        found = _by_id(file, "passage", read_line)
        passages = {id_: (title, text) for id_, (title, text, _) in found.items()}
        extras = {id_: extras for id_, (_, _, extras) in found.items() if extras}
        return Corpus(passages, extras, file.notices())


def read_queries(path: str | os.PathLike[str]) -> Queries:
    """Read questions: JSON lines with ``_id``, ``text`` and perhaps ``metadata.type``, or ``id<TAB>text``.

    In lines of the second kind a quote is part of the text.

    Raises
    ------
    InputFileError : a line is of neither kind, or one id has two different texts; names the lines.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "queries.tsv"
    >>> _ = path.write_text('q1\\t"what is recall\\nq2\\tplain\\n')
    >>> read_queries(path).texts
    {'q1': '"what is recall', 'q2': 'plain'}
    """
    with TextFile(path) as file:
        number, text = file.first_line()
        if jsonl.looks_like_json(text):
            found = _by_id(file, "question", lambda number, text: _json_question(file, number, text))
        else:
            if (
                tuple(
                    cell.strip(" ").lower().replace("-", "_").replace(" ", "_") for cell in text.split("\t")
                )
                in _QUERY_HEADERS
            ):
                file.take_first_line()
                file.notice("header-taken", f"line {number} was taken as a header: {text!r}")
            found = _by_id(file, "question", lambda number, text: _tab_question(file, number, text))
        texts = {id_: question[0] for id_, question in found.items()}
        types = {id_: question[1] for id_, question in found.items() if question[1] is not None}
        extras = {id_: question[2] for id_, question in found.items() if question[2]}
        return Queries(texts, types, extras, file.notices())


def _json_question(file: TextFile, number: int, text: str) -> tuple[str, _Question]:
    record = jsonl.read_object(text)
    id_ = jsonl.read_id(file, number, jsonl.field(record, *_ID), "question")
    question = jsonl.as_text(jsonl.field(record, "text"), "text")
    metadata = record.get("metadata")
    kind = metadata.get("type") if isinstance(metadata, dict) else None
    extras = _extras(record, {"text"})
    if kind is not None:  # the rest of the metadata
        extras["metadata"] = {key: value for key, value in extras["metadata"].items() if key != "type"}
    kept = {key: value for key, value in extras.items() if value != {}}
    return id_, (question, None if kind is None else jsonl.as_text(kind, "metadata.type"), kept)


def _extras(record: dict[str, Any], read: set[str]) -> dict[str, Any]:
    """What an object holds beside what is read. BEIR's own files have an empty ``metadata`` on every line."""
    id_key = next(key for key in _ID if key in record)
    others = {key: value for key, value in record.items() if key not in {id_key, *read} and value != {}}
    return jsonl.plain(others) if others else {}


def _tab_question(file: TextFile, number: int, text: str) -> tuple[str, _Question]:
    id_, tab, question = text.partition("\t")
    if not tab:
        raise BadValue("no tab on this line", "write the id, a tab and the question")
    if "\t" in question:
        file.count("tabs-kept", "questions with a tab inside, which was kept", number, question)
    return tables.id_cell(file, number, id_, "question"), (question, None, {})


def _by_id(
    file: TextFile, what: str, read_line: Callable[[int, str], tuple[str, Record]]
) -> dict[str, Record]:
    """The records of a file by id. The same record twice is noticed; two different ones are an error."""
    found: dict[str, Record] = {}
    lines: dict[str, int] = {}
    for number, text in file.lines():
        try:
            id_, record = read_line(number, text)
        except BadValue as bad:
            raise file.bad_line(bad, number, text) from None
        if found.setdefault(id_, record) is not record:
            if found[id_] != record:
                raise file.error(
                    f"the {what} {id_!r} stands on line {lines[id_]} with other words or other keys",
                    line=number,
                    text=text,
                    hint=f"give each {what} an id of its own",
                )
            file.count("record-repeated", f"{what}s that stand twice, taken once", number, id_)
        lines.setdefault(id_, number)
    if not found:
        raise file.error("there is a header and nothing below it")
    return found
