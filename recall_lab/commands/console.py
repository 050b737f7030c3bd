"""Writing to a terminal, a pipe or a build log: what is printed is always readable text."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

_PLAIN = str.maketrans(
    {"≥": ">=", "≤": "<=", "·": "-", "–": "-", "—": "-", "−": "-", "→": "->", "…": "...", "×": "x", "’": "'"}
)


def width() -> int:
    """Columns to write in: the terminal's (or ``COLUMNS``), 100 where there is none, at least 40."""
    return max(40, shutil.get_terminal_size(fallback=(100, 24)).columns)


def write(text: str) -> None:
    """Print ``text`` so that any console can show it, and no id or text in it can steer the console.

    Characters that don't print (escape codes, for example) are shown as ``\\x1b``. A console that is not
    UTF-8 gets ``>=`` for ``≥`` and escapes for what it lacks.
    """
    _write(text, sys.stdout)


def complain(text: str) -> None:
    """As :func:`write`, on standard error."""
    _write(text, sys.stderr)


def _write(text: str, stream: TextIO | None) -> None:
    if stream is not None:  # closed before the program began: nobody reads it
        print(printable(text, stream.encoding or "ascii"), file=stream)


def printable(text: str, encoding: str) -> str:
    r"""``text`` in characters that ``encoding`` has, with control characters escaped; line ends stay.

    >>> printable("grade ≥ 2, é\x1b[31m", "ascii")
    'grade >= 2, \\xe9\\x1b[31m'
    """
    shown = "".join(c if c.isprintable() or c == "\n" else _escaped(c) for c in text)
    try:
        shown.encode(encoding)
    except UnicodeEncodeError:
        return shown.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    return shown


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
