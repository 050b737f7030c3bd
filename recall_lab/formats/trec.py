"""TREC lines: judgments ``query iteration document grade`` and runs ``query Q0 document rank score tag``.

Spaces or tabs set fields apart. The iteration, ``Q0`` and the tag mean nothing; the rank never decides.
"""

from __future__ import annotations

from collections.abc import Callable

from recall_lab.formats.text import Line, TextFile
from recall_lab.formats.values import (
    BadValue,
    read_grade,
    read_rank,
    read_score,
    refuse_control_characters,
    split_fields,
)

JUDGMENT_FIELDS = 4
RUN_FIELDS = 6
_JUDGMENT = "query, iteration, document, grade"
_RUN = "query, Q0, document, rank, score, tag"


def judgment_line(file: TextFile, line: Line) -> tuple[str, str, int, bool]:
    """Query, document, grade, and whether the grade was written as a decimal."""
    number, text = line
    fields = split_fields(text)
    if len(fields) != JUDGMENT_FIELDS:
        raise _wrong_count(fields, JUDGMENT_FIELDS, "judgment", _JUDGMENT, _why_not_a_judgment(fields))
    refuse_control_characters(text.replace("\t", " "))
    query, _, document, grade = fields
    return file.note_id(query, number), file.note_id(document, number), *read_grade(grade)


def run_line(file: TextFile, line: Line, extra_words: bool = False) -> tuple[str, str, float, float]:
    """Query, document, score and rank; with ``extra_words`` more words may follow the tag."""
    number, text = line
    fields = split_fields(text)
    if len(fields) < RUN_FIELDS or (len(fields) > RUN_FIELDS and not extra_words):
        raise _wrong_count(fields, RUN_FIELDS, "run", _RUN, _why_not_a_run(fields))
    refuse_control_characters(text.replace("\t", " "))
    query, document = file.note_id(fields[0], number), file.note_id(fields[2], number)
    return query, document, read_score(fields[4]), read_rank(fields[3])


def _wrong_count(fields: list[str], expected: int, kind: str, columns: str, hint: str) -> BadValue:
    found = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
    return BadValue(f"{found}, and a {kind} line has {expected}: {columns}", hint)


def _why_not_a_judgment(fields: list[str]) -> str:
    if len(fields) == RUN_FIELDS and _is(read_rank, fields[3]) and _is(read_score, fields[4]):
        return "this looks like a run; judgments and run may be swapped"
    if len(fields) > JUDGMENT_FIELDS:
        return "is there a space inside an id? This format cannot hold one"
    return "is the grade or another column missing? With query, document, grade only, set them apart by tabs"


def _why_not_a_run(fields: list[str]) -> str:
    if len(fields) == JUDGMENT_FIELDS and fields[1] != "Q0" and _is(read_grade, fields[3]):
        return "this looks like judgments (qrels); judgments and run may be swapped"
    if len(fields) > RUN_FIELDS:
        return (
            "is there a space inside an id? If words follow the tag, read it with extra_words=True "
            "(on the command line: --extra-words)"
        )
    return "is the tag or another column missing?"


def _is(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except BadValue:
        return False
    return True
