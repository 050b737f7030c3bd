"""Opening files: what is compressed, how it is encoded, where its lines are.

Everything that reads a file in Recall Lab reads it through `TextFile`, so that a byte order mark, a Windows
line end, a compressed file or a wrong encoding is met in one place and answered in the same words.
"""

from __future__ import annotations

import codecs
import difflib
import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import IO, NamedTuple, cast

import numpy as np

from recall_lab.errors import InputFileError, RecallLabError, shorten
from recall_lab.formats.values import BadValue
from recall_lab.notices import Notice

BLOCK_BYTES = 2 * 2**20
LONGEST_LINE_BYTES = 32 * 2**20
_SPLIT_BYTES = 2**18

_LONE_CARRIAGE_RETURN = re.compile(rb"\r(?!\n)")

_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Kinds of file that people hand over by mistake: how they begin, what they are, what to do.
_NOT_TEXT = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "unpack it, or export the sheet as CSV (UTF-8)"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", "export the sheet as CSV (UTF-8)"),
    (b"BZh", "compressed with bzip2", "unpack it, or compress it with gzip"),
    (b"\xfd7zXZ", "compressed with xz", "unpack it, or compress it with gzip"),
    (b"(\xb5/\xfd", "compressed with zstandard", "unpack it, or compress it with gzip"),
    (_GZIP_MAGIC, "compressed twice (gzip inside gzip)", "unpack it once"),
    (b"PAR1", "a Parquet file", "write the table as TSV or JSONL"),
    (b"SQLite format 3", "an SQLite database", "export the table as TSV"),
    (b"%PDF-", "a PDF", "write the data as plain text"),
    (b"\xff\xfe\0\0", "encoded as UTF-32", "save it as UTF-8"),
    (b"\xff\xfe", "encoded as UTF-16", "save it as UTF-8"),
    (b"\xfe\xff", "encoded as UTF-16", "save it as UTF-8"),
    (b"\x00\x00\xfe\xff", "encoded as UTF-32", "save it as UTF-8"),
)

Line = tuple[int, str]
"""A line's number, from 1, and its text without the line end."""


class Block(NamedTuple):
    """Whole lines: UTF-8, each ended by ``\\n``, without NUL, carriage return and byte order mark.

    Parameters
    ----------
    first_line : number of the first line, from 1.
    lines : how many there are.
    data : the lines.
    """

    first_line: int
    lines: int
    data: bytes

    def after(self, number: int) -> Block | None:
        """The lines after the one with this number, if there are any."""
        gone = number + 1 - self.first_line
        if gone >= self.lines:
            return None
        return Block(number + 1, self.lines - gone, self.data.split(b"\n", gone)[gone])


@dataclass
class _Counted:
    first_line: int
    text: str | None
    times: int = 0

    def __str__(self) -> str:
        where = f"{self.times}, the first on line {self.first_line}"
        return where if self.text is None else f"{where}: {shorten(self.text)!r}"


class TextFile:
    """A text file being read, as blocks of whole lines or line by line. Use it in a ``with`` statement.

    UTF-8 with or without a byte order mark, plain or gzip whatever the name says, ``\\n`` or ``\\r\\n``.
    Only one block is in memory at a time, so that a file may be larger than memory.

    Parameters
    ----------
    path : the file, as the caller named it.

    Raises
    ------
    InputFileError : the file is missing, a folder, unreadable, empty, not text, or not UTF-8; raised when the
        file is opened or when the bad place is reached.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "qrels.txt"
    >>> _ = path.write_bytes(b"\\xef\\xbb\\xbf# made by hand\\r\\nq1 0 d1 1\\r\\n")
    >>> with TextFile(path) as file:
    ...     print(list(file.lines()))
    ...     print(*file.notices())
    [(2, 'q1 0 d1 1')]
    qrels.txt: comment lines (starting with #) skipped: 1, the first on line 1: '# made by hand'
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path_as_text(path)
        self.name = os.path.basename(self.path)
        self._notices: list[Notice] = []
        self._counted: dict[tuple[str, str], _Counted] = {}
        self._file = self._open()
        try:
            self._stream = self._decompressed()
        except BaseException:
            self._file.close()
            raise
        self._blocks = self._read_blocks()
        self._first: Line | None = None
        self._ahead: Block | None = None

    def __enter__(self) -> TextFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._blocks.close()
        self._file.close()

    def error(
        self, problem: str, *, line: int | None = None, text: str | None = None, hint: str | None = None
    ) -> InputFileError:
        """The error to raise about this file."""
        return InputFileError(self.path, problem, line=line, text=text, hint=hint)

    def bad_line(self, bad: BadValue, line: int, text: str) -> InputFileError:
        """The error to raise about a line on which something cannot be read."""
        return self.error(bad.problem, line=line, text=text, hint=bad.hint)

    def notice(self, code: str, message: str) -> None:
        """Note something about this file; the file's name is put before the message."""
        self._notices.append(Notice(code, f"{self.name}: {message}"))

    def count(self, code: str, what: str, line: int, text: str | None = None) -> None:
        """Note something that may happen on many lines; one notice will say how many, and the first line."""
        found = self._counted.setdefault((code, what), _Counted(line, text))
        found.times += 1

    def note_id(self, id_: str, line: int) -> str:
        """The id as it is; characters in it that nobody can see are counted."""
        if not id_.isprintable():
            what = "ids with invisible characters (such as no-break spaces), which were kept"
            self.count("invisible-characters", what, line, id_)
        return id_

    def notices(self) -> list[Notice]:
        """What was noticed so far; what was counted, in the order of its first lines.

        Blocks are read ahead of the lines that are looked at, so the order of counting would tell how large
        the blocks are.
        """
        by_line = sorted(self._counted.items(), key=lambda item: item[1].first_line)
        return self._notices + [
            Notice(code, f"{self.name}: {what}: {found}") for (code, what), found in by_line
        ]

    def first_line(self) -> Line:
        """The first line that holds data; it stays to be read.

        Raises
        ------
        InputFileError : there is none.
        """
        if self._first is None:
            problem = "the file is empty"
            for block in self._blocks:
                problem = "the file holds no data, only blank lines or comments (starting with #)"
                self._first = next(self.data_lines(block), None)
                if self._first is not None:
                    self._ahead = block.after(self._first[0] - 1)
                    break
            else:
                raise self.error(problem)
        return self._first

    def take_first_line(self) -> Line:
        """The first line that holds data, which is not read again."""
        line = self.first_line()
        if self._ahead is not None:
            self._ahead = self._ahead.after(line[0])
        return line

    def blocks(self) -> Iterator[Block]:
        """The rest of the file in blocks of whole lines."""
        if self._ahead is not None:
            yield self._ahead
        yield from self._blocks

    def lines(self) -> Iterator[Line]:
        """The rest of the file line by line, without blank lines and comments."""
        for block in self.blocks():
            yield from self.data_lines(block)

    def raw_lines(self) -> Iterator[Line]:
        """The rest of the file line by line, with nothing left out."""
        for block in self.blocks():
            yield from _split(block)

    def data_lines(self, block: Block) -> Iterator[Line]:
        """The lines of one block, without blank lines and comments; the comments are counted."""
        if not block.data.strip(b" \t\n"):
            return
        for line in _split(block):
            if self.holds_data(line):
                yield line

    def holds_data(self, line: Line) -> bool:
        """Whether a line is neither blank nor a comment; comments are counted."""
        text = line[1].strip(" \t")
        if text.startswith("#"):
            self.count("comment-lines", "comment lines (starting with #) skipped", line[0], text)
            return False
        return bool(text)

    def _open(self) -> io.BufferedReader:
        try:
            return open(self.path, "rb")
        except FileNotFoundError:
            if not self.path:
                raise RecallLabError("the name of the file is empty; name the file to read") from None
            raise self.error("there is no such file", hint=_nearby(self.path)) from None
        except (OSError, ValueError) as problem:
            if os.path.isdir(self.path):
                raise self._is_a_folder() from None
            if isinstance(problem, PermissionError):
                raise self.error(
                    "it may not be read", hint="ask for, or set, permission to read it"
                ) from None
            raise self.error(f"it cannot be opened ({problem})") from None

    def _is_a_folder(self) -> InputFileError:
        return self.error(
            "this is a folder, and a file was expected",
            hint="name a file inside it; only a dataset, the judgments, can be a folder",
        )

    def _decompressed(self) -> IO[bytes]:
        try:
            start = self._file.peek(2)[:2]
        except OSError as problem:
            raise self.error(f"it cannot be read ({problem})") from None
        named_gz = self.path.lower().endswith(".gz")
        if start == _GZIP_MAGIC:
            if not named_gz:
                self.notice("gz-name", "it is compressed (gzip) although its name does not end in .gz")
            return cast(IO[bytes], gzip.GzipFile(fileobj=self._file))
        if named_gz and start:
            self.notice("gz-name", "it is named .gz but is not compressed; it was read as plain text")
        return self._file

    def _read_blocks(self) -> Generator[Block]:
        number = 1
        while data := self._read(self._stream.read, BLOCK_BYTES):
            if number == 1:
                self._refuse_other_kinds(data[:512])
                data = data.removeprefix(_BYTE_ORDER_MARK)
            if not data.endswith(b"\n"):
                rest = self._read(self._stream.readline, LONGEST_LINE_BYTES)
                if len(rest) == LONGEST_LINE_BYTES and not rest.endswith(b"\n"):
                    begin = data.rfind(b"\n") + 1
                    yield from self._checked(data[:begin], number)
                    raise self._too_long(data[begin:], number + data.count(b"\n"))
                data += rest
            if not data.endswith(b"\n"):  # the last line of the file
                data += b"\n"
            for block in self._checked(data, number):
                yield block
                number += block.lines

    def _read(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except EOFError:
            problem = "the compressed file is cut off: its end is missing"
        except (zlib.error, gzip.BadGzipFile) as damage:
            problem = f"the compressed file is damaged ({damage})"
        except OSError as failure:
            problem = f"it cannot be read ({failure})"
        raise self.error(problem, hint="copy or download it again") from None

    def _too_long(self, begin: bytes, number: int) -> InputFileError:
        return self.error(
            f"the line is longer than {LONGEST_LINE_BYTES // 2**20} MB",
            line=number,
            text=begin[:80].decode("utf-8", "replace"),
            hint="is this a text file with one record per line?",
        )

    def _refuse_other_kinds(self, start: bytes) -> None:
        if _is_utf8_text(start):
            return  # a query may well be called PAR1 or BZh
        for magic, kind, hint in _NOT_TEXT:
            if start.startswith(magic):
                raise self.error(f"this is not a UTF-8 text file: it is {kind}", hint=hint)

    def _checked(self, data: bytes, number: int) -> Iterator[Block]:
        """The lines as a block; if they are not all UTF-8 text, those before the first fault, then the error.

        So the first faulty line of a file is named, wherever its blocks end.
        """
        fault = _fault(data)
        if fault is not None:
            begin = data.rfind(b"\n", 0, fault.at) + 1
            yield from self._checked(data[:begin], number)
            raise self._error_at(data, fault, number)
        if data:
            data = self._without_marks(data, number)
            if b"\r" in data:  # to look for one byte is much faster
                data = data.replace(b"\r\n", b"\n")
            yield Block(number, _count_lines(data), data)

    def _without_marks(self, data: bytes, number: int) -> bytes:
        """Drop byte order marks that begin a later line, as they do where files were joined."""
        if data.isascii() or _BYTE_ORDER_MARK not in data:
            return data
        lines = data.split(b"\n")
        for i, line in enumerate(lines):
            if line.startswith(_BYTE_ORDER_MARK):
                while line.startswith(_BYTE_ORDER_MARK):
                    line = line.removeprefix(_BYTE_ORDER_MARK)
                lines[i] = line
                self.count("byte-order-mark", "byte order marks dropped (were files joined?)", number + i)
        return b"\n".join(lines)

    def _error_at(self, data: bytes, fault: _Fault, number: int) -> InputFileError:
        begin = data.rfind(b"\n", 0, fault.at) + 1
        line = data[begin : data.index(b"\n", fault.at)]
        return self.error(
            fault.problem,
            line=number + data.count(b"\n", 0, begin),
            text=line.removesuffix(b"\r")[:400].decode("utf-8", "backslashreplace"),
            hint=fault.hint,
        )


class _Fault(NamedTuple):
    """Something that UTF-8 text does not hold, and at which byte."""

    at: int
    problem: str
    hint: str


def _fault(data: bytes) -> _Fault | None:
    """A fault of the lines; no other line before its own has a fault of the same kind."""
    if b"\0" in data:
        return _Fault(
            data.index(b"\0"),
            "a NUL byte, which text files do not hold",
            "is it UTF-16 or UTF-32 (save it as UTF-8), or not a text file?",
        )
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as problem:
            return _Fault(
                problem.start,
                f"byte 0x{data[problem.start]:02x} is not UTF-8",
                "save the file as UTF-8 (it may be Latin-1 or Windows-1252 now)",
            )
    if b"\r" in data and (lone := _LONE_CARRIAGE_RETURN.search(data)):
        return _Fault(
            lone.start(),
            "a carriage return inside the line",
            "end lines with a line feed, or with carriage return and line feed",
        )
    return None


def _count_lines(data: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")))


def path_as_text(path: str | os.PathLike[str]) -> str:
    try:
        return os.fsdecode(path)
    except TypeError:
        raise RecallLabError(
            f"a file is named by a text or a path, and this is {type(path).__name__}: {shorten(repr(path))}"
        ) from None


def _nearby(path: str) -> str:
    """What a missing file may have been meant to be."""
    if path == "-":
        return "to read from another program, name /dev/stdin"
    folder, name = os.path.split(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return f"the folder {folder!r} does not exist or cannot be read; see where you are with os.getcwd()"
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(os.path.join(folder, match) for match in close) + "?"
    return f"looked in {os.path.abspath(folder or '.')}"


def _is_utf8_text(start: bytes) -> bool:
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return "\0" not in text


def _split(block: Block) -> Iterator[Line]:
    """The lines of a block. They are made a few at a time: as strings they take much more memory."""
    number, at, size = block.first_line, 0, len(block.data)
    while at < size:
        end = block.data.find(b"\n", min(at + _SPLIT_BYTES, size - 1)) + 1
        lines = block.data[at : end - 1].decode("utf-8").split("\n")
        yield from zip(range(number, number + len(lines)), lines, strict=True)
        number, at = number + len(lines), end
