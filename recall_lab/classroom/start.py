"""``recall-lab start``: lay out the learner's folder and open JupyterLab on it."""

from __future__ import annotations

import argparse
from pathlib import Path

from recall_lab.classroom import server, trust, workbook
from recall_lab.commands import console

SUMMARY = "lay out your workbook and open it in JupyterLab"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``recall-lab start`` to ``parser``."""
    parser.add_argument(
        "folder", nargs="?", type=Path, help="your folder (default: this one, or recall-lab-workbook in it)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")
    parser.add_argument("--port", type=int, default=server.FIRST_PORT, help="first port to try (%(default)s)")
    parser.add_argument(
        "--lay-out-only", action="store_true", help="make or update the folder, start no JupyterLab"
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``recall-lab start``; returns the exit code."""
    folder = (arguments.folder or workbook.default_folder()).expanduser().absolute()
    console.write(f"Your workbook: {folder}")
    lay_out_and_sign(folder)
    if arguments.lay_out_only:
        return 0
    return server.serve(folder, browser=server.has_screen() and not arguments.no_browser, port=arguments.port)


def lay_out_and_sign(folder: Path) -> None:
    """Lay out or update ``folder``, sign what is as shipped, and say what was done."""
    console.write(str(workbook.lay_out(folder)))
    if not trust.sign(workbook.pristine_notebooks(folder)):
        console.write(
            "Jupyter's own folder cannot be written, so widgets of the worked lessons show as text\n"
            "until you choose 'Trust Notebook' in JupyterLab ('recall-lab doctor' tells more)."
        )
