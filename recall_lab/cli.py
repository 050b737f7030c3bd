"""The command ``recall-lab``: reads the arguments and hands them to the module that does the work.

A command is a module with ``SUMMARY``, ``configure(parser)`` and ``run(arguments) -> int``. What a command
raises on purpose (``RecallLabError``) becomes one message on standard error and exit code 2.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from recall_lab import __version__
from recall_lab.classroom import doctor, reset, start, update
from recall_lab.commands import compare, console, evaluate, gate, validate
from recall_lab.errors import RecallLabError

COMMANDS = {
    "evaluate": evaluate,
    "compare": compare,
    "gate": gate,
    "validate": validate,
    "start": start,
    "update": update,
    "reset": reset,
    "doctor": doctor,
}

EPILOG = """\
examples:
  recall-lab start                                   open the workbook
  recall-lab evaluate qrels.txt my.run --k 1,5,10    measure a run
  recall-lab compare qrels.txt old.run new.run       is the difference chance?
  recall-lab gate qrels.txt old.run new.run          stop a build on a drop
  recall-lab validate golden.csv                     look over a golden set

Each command has its own --help.

exit codes:
  0  done
  1  done, and a problem was found (validate, doctor), or a drop (gate)
  2  the input or an option is wrong, a file can't be written, or the set is too
     small to tell (gate)
"""

BAD_INPUT = 2
INTERRUPTED = 130
OUTPUT_CLOSED = 141
"""Exit codes; the last two are what a shell gives to a program ended by Ctrl-C or by a closed pipe."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and where to read on, not the whole usage."""

    def error(self, message: str) -> NoReturn:
        console.complain(f"{self.prog}: error: {message}\n  way out: {self.prog} --help")
        raise SystemExit(BAD_INPUT)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command, with one subparser for each module in ``COMMANDS``."""
    parser = _Parser(
        prog="recall-lab",
        description="Learn and measure retrieval with recall@k.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"recall-lab {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        subparser = subparsers.add_parser(
            name,
            help=command.SUMMARY,
            description=command.SUMMARY[0].upper() + command.SUMMARY[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.configure(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``recall-lab`` with these arguments (those of the process where None) and return the exit code.

    Raises
    ------
    SystemExit : after ``--help`` and ``--version`` (code 0) and for wrong options (code 2), as argparse does.
    """
    try:
        arguments = build_parser().parse_args(argv)
        code: int = arguments.run(arguments)
        if sys.stdout is not None:  # closed before the start
            sys.stdout.flush()
    except RecallLabError as error:
        console.complain(f"recall-lab: error: {error}")
        return BAD_INPUT
    except BrokenPipeError:
        # The reader (head, less) has gone. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OUTPUT_CLOSED
    except OSError as error:
        console.complain(f"recall-lab: error: {error.filename or 'output'}: {error.strerror or error}")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # a bug; Python's own exit code for it, 1, would read as "recall dropped" in a build
        traceback.print_exc()
        return BAD_INPUT
    return code
