"""Tables: lines of cells set apart by commas or tabs, under a header that names the columns.

Commas follow the rules of CSV: a cell that begins with a quote ends with one, and a quote inside it is
doubled. Tabs have no such rules, and a quote is a quote.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from dataclasses import dataclass

from recall_lab.formats.text import TextFile
from recall_lab.formats.values import BadValue, check_id, split_fields
from recall_lab.notices import list_ids

QUERY = ("query_id", "question_id", "qid", "q_id")
DOCUMENT = ("doc_id", "document_id", "docid", "docno", "passage_id", "pid")
BEIR_DOCUMENT = ("corpus_id",)
GRADE = ("grade", "relevance", "rel", "label")
SCORE = ("score",)
RANK = ("rank",)
RELEVANT = ("relevant_ids", "relevant_doc_ids", "relevant_docs")
QUESTION = ("query", "question", "text")

_CELL_SEPARATORS = ("\t", ",", ";")
_OPENING_QUOTE = re.compile(r' *"')
_QUOTED = re.compile(r'((?:[^"]++|"")*+)" *')


UNKNOWN_HEADER = "this is a table without a header that is known"
CLOSE_THE_QUOTE = 'close the quote; a quote inside a quoted cell is doubled ("")'


class OpenQuote(BadValue):
    """A quoted cell does not end on its line."""

    def __init__(self) -> None:
        super().__init__("a quoted cell begins here and does not end", CLOSE_THE_QUOTE)


@dataclass(frozen=True)
class Header:
    """The columns of a table.

    Parameters
    ----------
    separator : ``"\\t"``, ``","``, ``";"``, or ``""`` for a header set apart by spaces.
    names : the columns' names in lower case, with ``-`` written ``_``.
    """

    separator: str
    names: tuple[str, ...]

    def find(self, names: tuple[str, ...]) -> int | None:
        """Position of the column that carries one of ``names``, the first name that is there."""
        return next((self.names.index(name) for name in names if name in self.names), None)

    def cells(self, text: str) -> list[str]:
        """The cells of a line, as many as there are columns.

        Raises
        ------
        BadValue : more or fewer, or a quote out of place.
        """
        cells = split_fields(text) if self.separator == "" else split_cells(text, self.separator)
        if len(cells) != len(self.names):
            columns = ", ".join(self.names)
            found = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            raise BadValue(
                f"{found}, and the header has {len(self.names)}: {columns}",
                "is a cell missing, or a comma inside a cell? A cell with a comma stands in quotes"
                if self.separator == ","
                else "is a cell missing, or one too many?",
            )
        return cells


def read_header(text: str) -> Header | None:
    """The header that ``text`` is, or ``None``: a header names the query's id, or has known names only.

    >>> read_header("query-id\\tcorpus-id\\tscore")
    Header(separator='\\t', names=('query_id', 'corpus_id', 'score'))
    >>> read_header("q1\\td1\\t1") is None
    True
    """
    for separator in (*_CELL_SEPARATORS, ""):
        try:
            cells = split_cells(text, separator) if separator else split_fields(text)
        except BadValue:
            continue
        names = tuple(map(_plain_name, cells))
        names_query = names[0] in _ALL_NAMES and any(name in QUERY for name in names)
        if len(names) > 1 and (names_query or (separator and _ALL_NAMES.issuperset(names))):
            return Header(separator, names)
    return None


_GROUPS = (QUERY, DOCUMENT, BEIR_DOCUMENT, GRADE, SCORE, RANK, RELEVANT, QUESTION)
_ALL_NAMES = {name for group in _GROUPS for name in group}


def _plain_name(cell: str) -> str:
    return re.sub("[- ]", "_", cell.strip(' "').lower())


def unknown_header(text: str) -> str | None:
    """What to do about a line that is meant as a header and is none: column names nearly known.

    >>> unknown_header("query number,relevant idz")
    'write query_id where it says "query number" and relevant_ids where it says "relevant idz"'
    >>> unknown_header("q1,d1,1") is None, unknown_header("q1 0 d1 1") is None
    (True, True)
    """
    for separator in _CELL_SEPARATORS:
        cells = [cell.strip(' "') for cell in text.split(separator)]
        if not 2 <= len(cells) <= 20 or any(
            not cell or len(cell) > 40 or cell[-1].isdigit() for cell in cells
        ):
            continue
        close = {cell: _close_name(cell) for cell in cells}
        known = {_plain_name(cell) for cell in cells} & _ALL_NAMES
        if sum(map(bool, close.values())) <= len(cells) / 2 or len(known) == len(cells):
            continue
        if "query_id" not in close.values():  # the texts of the questions are not their ids
            close |= {cell: "query_id" for cell in cells if _plain_name(cell) in ("query", "question")}
        rename = [
            f'{name} where it says "{cell}"'
            for cell, name in close.items()
            if name
            and (_plain_name(cell) not in known or (not known.intersection(QUERY) and name == "query_id"))
        ]
        return f"write {' and '.join(rename)}"
    return None


def _close_name(cell: str) -> str:
    """The column that the head of one probably means; the empty text if none."""
    name = _plain_name(cell)
    words = set(name.split("_"))
    if words & {"query", "question"} and words & {"id", "ids", "no", "nr", "number"}:
        return "query_id"
    if words & {"relevant", "gold", "expected"}:
        return "relevant_ids"
    if words & {"doc", "document", "passage"}:
        return "doc_id"
    if words & {"score", "similarity"}:
        return "score"
    alike = difflib.get_close_matches(name, sorted(_ALL_NAMES), 1, 0.75)
    return next((group[0] for group in _GROUPS if alike and alike[0] in group), "")


def note_header(file: TextFile, header: Header, line: int, used: set[int | None]) -> None:
    """Refuse a column named twice; say which columns nobody reads, and which separator was found.

    Raises
    ------
    InputFileError : two columns have one name.
    """
    for name, count in Counter(header.names).items():
        if count > 1:
            raise file.error(f"the header names {name!r} twice", line=line, hint="rename one of the columns")
    if header.separator not in ("\t", ","):
        sign = "semicolons" if header.separator else "spaces"
        file.notice("cell-separator", f"its columns are set apart by {sign}")
    ignored = [name for i, name in enumerate(header.names) if i not in used]
    if ignored:
        file.notice("columns-ignored", f"columns that are not read: {list_ids(ignored)}")


def id_cell(file: TextFile, line: int, cell: str, what: str) -> str:
    """The id in a cell. Spaces around it are dropped and counted; quotes that belong to it are counted."""
    text = cell.strip(" ")
    if text != cell:
        file.count("spaces-dropped", "ids with spaces around them, which were dropped", line, cell)
    if len(text) > 1 and text[0] == text[-1] == '"':
        file.count("quotes-kept", "ids in quotes, which were kept as part of the id", line, text)
    return file.note_id(check_id(text, what), line)


def split_cells(text: str, separator: str) -> list[str]:
    """The cells of a line.

    Raises
    ------
    OpenQuote : a quoted cell goes on past the end of ``text``.
    BadValue : something other than a separator follows a closing quote.

    Examples
    --------
    >>> split_cells('q1,"d1|d2","what is ""recall"", please?"', ",")
    ['q1', 'd1|d2', 'what is "recall", please?']
    >>> split_cells('q1\\t"what is recall', "\\t")
    ['q1', '"what is recall']
    """
    if separator == "\t" or '"' not in text:
        return text.split(separator)
    cells = []
    at = 0
    while True:
        quote = _OPENING_QUOTE.match(text, at)
        if quote:
            cell, at = _quoted_cell(text, quote.end(), separator)
        else:
            end = text.find(separator, at)
            end = len(text) if end < 0 else end
            cell, at = text[at:end], end
        cells.append(cell)
        if at == len(text):
            return cells
        at += 1


def _quoted_cell(text: str, begin: int, separator: str) -> tuple[str, int]:
    """The cell whose first character is at ``begin``, and where its separator is."""
    cell = _QUOTED.match(text, begin)
    if cell is None:
        raise OpenQuote
    end = cell.end()
    if end < len(text) and text[end] != separator:
        raise BadValue(
            "text follows the closing quote of a cell",
            'put the whole cell in quotes and double the quotes inside it (""), or use tabs or JSONL',
        )
    return cell[1].replace('""', '"'), end
