"""Run a learner's code so that it cannot hang the notebook or take it down.

Python code is counted line by line (``sys.settrace``) and stopped when its steps are used up, also where a bare
``except:`` swallows the first stop. What is printed is kept and not shown. Every exception becomes an outcome.

What this cannot stop: one call into C that never comes back (``sum(itertools.count())``, ``10 ** 10 ** 10``,
``time.sleep``), a thread the code starts, and code that ends the process (``os._exit``). The stop button of the
notebook interrupts most of these.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import linecache
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Literal

__all__ = ["STEPS", "Outcome", "run"]

STEPS = 300_000
"""Lines of Python a call may run; a right solution of our exercises needs a few hundred."""

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
    value, caught = _guarded(call, arguments, steps, printed)
    if caught is None:
        return Outcome(value=value, printed=printed.text())
    return Outcome(
        fault=_fault(caught), error=_one_line(caught), where=_where(caught, call), printed=printed.text()
    )


def _guarded(
    call: Callable[..., Any], arguments: tuple[Any, ...], steps: int, printed: io.StringIO
) -> tuple[Any, BaseException | None]:
    alarm = _Alarm()
    left = steps

    def count(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal left
        left -= 1
        if left < 0:
            alarm.ring()
            raise _OutOfSteps
        return count

    earlier_trace, recursion_limit = sys.gettrace(), sys.getrecursionlimit()
    value, caught = None, None
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            sys.settrace(count)
            try:
                value = call(*arguments)
            finally:
                sys.settrace(earlier_trace)
    except BaseException as error:
        caught = error
    alarm.silence()
    sys.settrace(earlier_trace)
    sys.setrecursionlimit(recursion_limit)
    return (None, _OutOfSteps()) if left < 0 else (value, caught)


class _Alarm:
    """Stops code that swallowed the first stop: raises again, every few milliseconds, until it gives up."""

    def __init__(self) -> None:
        self._thread_id = ctypes.c_ulong(threading.get_ident())
        self._quiet = threading.Event()
        self._bell: threading.Thread | None = None

    def ring(self) -> None:
        self._bell = threading.Thread(target=self._keep_ringing, daemon=True)
        self._bell.start()

    def silence(self) -> None:
        while self._bell is not None:  # a last stop may arrive while we wait for the bell: then wait again
            with contextlib.suppress(_OutOfSteps):
                self._quiet.set()
                self._bell.join()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread_id, None)
                self._bell = None

    def _keep_ringing(self) -> None:
        while not self._quiet.wait(0.01):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread_id, ctypes.py_object(_OutOfSteps))


class _Page(io.StringIO):
    """Keeps the first part of what is printed and lets the rest go."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, _PRINT_LIMIT - self.tell())])
        return len(text)

    def text(self) -> str:
        return self.getvalue().strip()


def _fault(error: BaseException) -> Fault:
    kinds: list[tuple[type[BaseException], Fault]] = [
        (_OutOfSteps, "endless"),
        (RecursionError, "recursion"),
        (MemoryError, "memory"),
        (SystemExit, "exit"),
        (KeyboardInterrupt, "interrupted"),
        (NotImplementedError, "unwritten"),
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
    return f"line {number}: {text}" if text else f"line {number}"


@dataclass(frozen=True)
class _Frame:
    f_filename: str
    f_lineno: int


def _frames(error: BaseException) -> list[_Frame]:
    return [_Frame(f.f_code.co_filename, line) for f, line in traceback.walk_tb(error.__traceback__)]
