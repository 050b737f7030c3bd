"""The errors Recall Lab raises on purpose. All are children of ``ValueError``.

A message says what was found, where, what was expected, and the way out. Code that catches
``RecallLabError`` catches everything this library refuses; anything else that escapes is a bug.
"""

from __future__ import annotations

import os


class RecallLabError(ValueError):
    """Base of every error Recall Lab raises on purpose."""


class InputFileError(RecallLabError):
    """A file could not be read as what it was given for.

    Parameters
    ----------
    path : the file, as the caller named it.
    problem : what was found, in one sentence.
    line : the line number, from 1, where that is known.
    text : the offending text, shown shortened.
    hint : what was expected, or the way out.

    Examples
    --------
    >>> print(InputFileError("qrels.txt", "the grade is not a whole number", line=2, text="q1 0 b -",
    ...                      hint="write a whole number such as 0 or 1"))
    qrels.txt, line 2: the grade is not a whole number
      found: 'q1 0 b -'
      way out: write a whole number such as 0 or 1
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        problem: str,
        *,
        line: int | None = None,
        text: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.path = os.fspath(path)
        self.problem = problem
        self.line = line
        self.text = text
        self.hint = hint
        shown = self.path if self.path.isprintable() else repr(self.path)[1:-1]  # a line break in a name
        where = f"{shown}, line {line}" if line is not None else shown
        message = f"{where}: {problem}"
        if text is not None:
            message += f"\n  found: {shorten(text)!r}"
        if hint is not None:
            message += f"\n  way out: {hint}"
        super().__init__(message)


class NoCommonQueriesError(RecallLabError):
    """The judgments and the run share no query id, so nothing can be measured."""


class UnknownExerciseError(RecallLabError):
    """An exercise id that no lesson has.

    In a notebook it shows its one sentence: the way through our code to it would help nobody.
    """

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class FolderError(RecallLabError):
    """A folder cannot be found, read or written."""


def shorten(text: str, limit: int = 80) -> str:
    """Cut ``text`` to ``limit`` characters, saying that it was cut.

    >>> shorten("abcdefgh", 5)
    'abcd…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"
