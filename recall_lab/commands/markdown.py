"""Markdown as code hosts show it in pull requests and build summaries; text from data stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from recall_lab.commands.console import printable
from recall_lab.errors import FolderError

# Markup; an underscore that could end emphasis; an @ that would call a person, a # that would name an issue.
_SPECIAL = re.compile(r"[\\`*\[\]<>|~$&]|_(?![^\W_])|(?<!\w)@|#")


def escape(text: str) -> str:
    """Text as Markdown that shows just this text, in a paragraph, a table cell or between HTML tags.

    >>> escape("a|b <i>*c* _d_ e_f@10 @ada")
    'a&#124;b &#60;i&#62;&#42;c&#42; _d&#95; e_f@10 @<!-- -->ada'
    """
    return _SPECIAL.sub(_harmless, " ".join(printable(text, "utf-8").split()))


def _harmless(special: re.Match[str]) -> str:
    character = special[0]
    return f"{character}<!-- -->" if character in "@#" else f"&#{ord(character)};"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text and whose others are numbers; every cell is escaped."""
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(map(_row, [map(escape, head), ruler, *(map(escape, cells) for cells in rows)]))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def listing(facts: Mapping[str, str]) -> str:
    """A list with one entry for each fact."""
    return "\n".join(f"- **{escape(name)}**: {escape(fact)}" for name, fact in facts.items())


def details(summary: str, body: str) -> str:
    """A block that opens on a click."""
    return f"<details>\n<summary>{escape(summary)}</summary>\n\n{body}\n\n</details>"


def write(path: str, text: str) -> None:
    """Write Markdown to a file; an existing one is replaced.

    Raises
    ------
    FolderError : the file cannot be written.
    """
    try:
        Path(path).write_text(text + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise FolderError(
            f"--markdown: {path} cannot be written ({error.strerror or error})\n"
            "  way out: name a file in a folder that exists and that you may write to"
        ) from error
