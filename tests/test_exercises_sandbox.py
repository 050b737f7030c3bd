"""Code that loops, recurses, prints or raises comes back as an outcome."""

from __future__ import annotations

import functools
import itertools
import sys
import threading

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

from recall_lab.exercises.sandbox import run

STEPS = 20_000


def on_one_line():
    while True:
        pass


def with_a_body():
    n = 0
    while True:
        n += 1


def in_a_comprehension():
    return [n for n in itertools.count()]


def in_a_generator():
    return sum(1 for _ in itertools.count())


def in_a_key():
    return max(itertools.count(), key=lambda n: -n)


def behind_except_exception():
    while True:
        try:
            n = 1
        except Exception:
            n = 2
        str(n)


def behind_a_bare_except():
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def behind_two_bare_excepts():
    while True:
        try:
            while True:
                try:
                    len([n for n in range(9)])
                except:  # noqa: E722
                    pass
        except BaseException as error:
            str(error)


def in_finally():
    while True:
        try:
            pass
        finally:
            n = 0
            str(n)


def printing():
    while True:
        print("x" * 100)


def through_recursion_that_returns():
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return fib(40)


@pytest.mark.parametrize(
    "loop",
    [
        on_one_line,
        with_a_body,
        in_a_comprehension,
        in_a_generator,
        in_a_key,
        behind_except_exception,
        behind_a_bare_except,
        behind_two_bare_excepts,
        in_finally,
        printing,
        through_recursion_that_returns,
    ],
)
def test_endless_loops_are_stopped(loop):
    outcome = run(loop, steps=STEPS)
    assert outcome.fault == "endless"
    assert outcome.value is None
    assert len(outcome.printed) <= 2_000


def test_the_stop_is_by_steps_not_by_time():
    def some(n):
        for _ in range(n):
            pass
        return n

    assert run(some, 100, steps=STEPS).value == 100
    assert run(some, STEPS, steps=STEPS).fault == "endless"
    assert run(some, 10_000).value == 10_000, "the usual number of steps is generous"


def test_what_is_returned_comes_back():
    assert run(max, [1, 3, 2]).value == 3
    assert run(functools.partial(sorted, reverse=True), [1, 2]).value == [2, 1]


def raises(error):
    raise error


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "fault", "text"),
    [
        (ZeroDivisionError("division by zero"), "exception", "ZeroDivisionError: division by zero"),
        (ValueError("two\nlines"), "exception", "ValueError: two lines"),
        (Unprintable(), "exception", "Unprintable"),
        (GeneratorExit(), "exception", "GeneratorExit"),
        (MemoryError(), "memory", "MemoryError"),
        (SystemExit(0), "exit", "SystemExit: 0"),
        (KeyboardInterrupt(), "interrupted", "KeyboardInterrupt"),
        (NotImplementedError(), "unwritten", "NotImplementedError"),
        (BaseException("x"), "exception", "BaseException: x"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_exceptions_become_outcomes(error, fault, text):
    outcome = run(raises, error)
    assert (outcome.fault, outcome.error) == (fault, text)


def test_recursion_without_end():
    def deeper(n):
        return deeper(n + 1)

    assert run(deeper, 0).fault == "recursion"


def test_a_changed_recursion_limit_is_put_back():
    before = sys.getrecursionlimit()

    def greedy():
        sys.setrecursionlimit(before + 500)

    run(greedy)
    assert sys.getrecursionlimit() == before


def test_the_line_that_failed_is_the_learners():
    def wrong(items):
        first = items[0]
        return int(first)

    outcome = run(wrong, ["seven"])
    assert outcome.where == "line 3: return int(first)"
    helper = run(lambda: __import__("statistics").mean([]))
    assert helper.where.startswith("line 1"), "a line of the library would not help"


def test_prints_are_kept_and_not_shown(capsys):
    def talks():
        print("hits:", 2)
        print("more", file=sys.stderr)
        return 1

    outcome = run(talks)
    assert outcome.printed == "hits: 2\nmore"
    assert outcome.value == 1
    assert capsys.readouterr() == ("", "")


def test_an_earlier_trace_function_comes_back():
    before = sys.gettrace()
    seen = []

    def tracer(frame, event, argument):
        seen.append(event)
        return tracer

    try:
        sys.settrace(tracer)
        run(on_one_line, steps=STEPS)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_nothing_is_left_behind():
    threads = threading.active_count()
    run(behind_a_bare_except, steps=STEPS)
    total = 0
    for n in range(STEPS * 2):  # would be stopped if counting went on
        total += n
    assert total
    assert threading.active_count() == threads
    assert sys.gettrace() is None or "sandbox" not in repr(sys.gettrace())


def test_only_a_plain_not_implemented_error_says_unwritten():
    class Refused(NotImplementedError):
        pass

    assert run(raises, Refused("no input here")).fault == "exception"


def test_in_a_notebook_exit_does_not_end_the_kernel_and_displays_stay_away():
    shell = InteractiveShell.instance()
    try:
        asked = []
        shell.ask_exit = lambda: asked.append("exit")
        shown = []
        shell.display_pub.publish = lambda *data, **more: shown.append(data)

        def leaves():
            display("hits")
            shell.ask_exit()

        assert run(leaves).fault == "exit"
        assert not asked and not shown
        shell.ask_exit()
        display("hits")
        assert asked and shown, "afterwards both work as before"
    finally:
        InteractiveShell.clear_instance()
