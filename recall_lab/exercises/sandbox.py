"""Run a learner's code so that it cannot hang the notebook or take it down.

Python code is counted step by step (``sys.settrace``, one step a bytecode, as a loop on one line is one
line event in all) and stopped when its steps are used up, also where a bare ``except:`` swallows the first
stop. What is printed is kept and not shown. Every exception becomes an outcome.

What this cannot stop: one call into C that never comes back (``sum(itertools.count())``, ``10 ** 10 **
10``, ``time.sleep``), a loop that catches every exception and keeps it, a thread the code starts, and code
that ends the process (``os._exit``). The stop button of the notebook interrupts most of these.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Literal

from recall_lab.errors import shorten

__all__ = ["STEPS", "Outcome", "run"]

STEPS = 1_000_000
"""Bytecodes a call may run; a right solution of our exercises needs a few thousand."""

_PRINT_LIMIT = 2_000

Fault = Literal["", "endless", "recursion", "memory", "exit", "interrupted", "unwritten", "exception"]


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Parameters
    ----------
    value : what was returned, where nothing went wrong.
    fault : "" or the kind of failure.
    error : the exception in one line, such as ``"KeyError: 'd3'"``.
    where : the line of the learner's code that failed, such as ``"line 3: return 1 / 0"``.
    printed : what was printed meanwhile, shortened.
    """

    value: Any = None
    fault: Fault = ""
    error: str = ""
    where: str = ""
    printed: str = ""


class _OutOfSteps(BaseException):
    """The steps are used up. Not an Exception, so that ``except Exception`` lets it pass."""

    def __init__(self, swallowed: Callable[[FrameType | None], None]) -> None:
        self._swallowed = swallowed

    def __del__(self) -> None:
        self._swallowed(sys._getframe().f_back)


def run(call: Callable[..., Any], *arguments: Any, steps: int = STEPS) -> Outcome:
    """Call ``call(*arguments)`` and tell what happened.

    Examples
    --------
    >>> run(max, [1, 3]).value
    3
    >>> def forever():
    ...     while True:
    ...         pass
    >>> run(forever).fault
    'endless'
    """
    printed = _Page()
    value, caught, endless = _guarded(call, arguments, steps, printed)
    if endless:
        return Outcome(fault="endless", printed=printed.text())
    if caught is None:
        return Outcome(value=value, printed=printed.text())
    return Outcome(
        fault=_fault(caught), error=_one_line(caught), where=_where(caught, call), printed=printed.text()
    )


def _guarded(
    call: Callable[..., Any], arguments: tuple[Any, ...], steps: int, printed: io.StringIO
) -> tuple[Any, BaseException | None, bool]:
    left, running = steps, True

    def count(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal left
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        left -= 1
        if left < 0:
            raise _OutOfSteps(swallowed)
        return count

    def swallowed(frame: FrameType | None) -> None:
        # Python switches a trace function off once it has raised. A bare "except:" that ate the stop lets
        # go of it right here: count again, and the next stop falls behind that "try".
        while running and frame is not None and frame is not here:
            frame.f_trace = count
            frame = frame.f_back
        if running:
            sys.settrace(count)

    here = sys._getframe()
    earlier_trace, recursion_limit = sys.gettrace(), sys.getrecursionlimit()
    value, caught = None, None
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), _held_back():
            sys.settrace(count)
            try:
                value = call(*arguments)
            finally:
                sys.settrace(None)
                running = False
    except BaseException as error:
        caught = error
    sys.settrace(earlier_trace)
    sys.setrecursionlimit(recursion_limit)
    return value, caught, left < 0


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """In a notebook: displays are dropped, and ``exit()``, which would end the kernel, raises SystemExit."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        yield
        return
    from IPython.core.displaypub import CapturingDisplayPublisher

    def leave() -> None:
        raise SystemExit

    publisher, ask_exit = shell.display_pub, shell.ask_exit
    shell.display_pub, shell.ask_exit = CapturingDisplayPublisher(), leave
    try:
        yield
    finally:
        shell.display_pub, shell.ask_exit = publisher, ask_exit


class _Page(io.StringIO):
    """Keeps the first part of what is printed and lets the rest go."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, _PRINT_LIMIT - self.tell())])
        return len(text)

    def text(self) -> str:
        return self.getvalue().strip()


def _fault(error: BaseException) -> Fault:
    if type(error) is NotImplementedError:  # not its children, such as the refusal of input() in a batch run
        return "unwritten"
    kinds: list[tuple[type[BaseException], Fault]] = [
        (RecursionError, "recursion"),
        (MemoryError, "memory"),
        (SystemExit, "exit"),
        (KeyboardInterrupt, "interrupted"),
    ]
    return next((fault for kind, fault in kinds if isinstance(error, kind)), "exception")


def _one_line(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split())
    except BaseException:  # an exception class of the learner's may fail even here
        text = ""
    name = type(error).__name__
    return f"{name}: {text[:160]}" if text else name


def _where(error: BaseException, call: Callable[..., Any]) -> str:
    """The deepest line of the learner's own code in the traceback."""
    code = getattr(call, "__code__", None)
    if not isinstance(code, CodeType):
        return ""
    lines = [f.f_lineno for f in _frames(error) if f.f_filename == code.co_filename]
    if not lines:
        return ""
    text = linecache.getline(code.co_filename, lines[-1]).strip()
    number = lines[-1] - code.co_firstlineno + 1
    return f"line {number}: {shorten(text, 100)}" if text else f"line {number}"


@dataclass(frozen=True)
class _Frame:
    f_filename: str
    f_lineno: int


def _frames(error: BaseException) -> list[_Frame]:
    return [_Frame(f.f_code.co_filename, line) for f, line in traceback.walk_tb(error.__traceback__)]
