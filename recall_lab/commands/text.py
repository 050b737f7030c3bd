"""The summaries of measured runs laid out for a terminal or a build log of a given width."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

import pandas as pd

from recall_lab.summary import Summary, decimals, heading

_GAP = 2


def evaluation(summaries: Mapping[str, Summary], width: int) -> str:
    """All runs, the recall of all beside each other first where there are several.

    Parameters
    ----------
    summaries : the runs by name, as ``Evaluation.summary`` makes them, all for the same cutoffs.
    width : columns; no line but a single long word is wider.
    """
    blocks = [_one_run(summary, width) for summary in summaries.values()]
    if len(summaries) > 1:
        recall = pd.DataFrame({name: summary.table["recall"] for name, summary in summaries.items()})
        blocks.insert(0, "recall of all runs\n\n" + grid(recall, list(summaries), width))
    return "\n\n\n".join(blocks)


def _one_run(summary: Summary, width: int) -> str:
    label = max(map(len, summary.statements)) + _GAP
    stated = [
        wrapped(f"{name + ':':<{label}}{statement}", width, hang=min(label, width // 3))
        for name, statement in summary.statements.items()
    ]
    noticed = [wrapped(f"note: {notice}", width) for notice in summary.notices]
    totals = "   ".join(f"{name} {decimals(value)}" for name, value in summary.without_k.items())
    return "\n\n".join(
        [
            wrapped(summary.title, width),
            grid(summary.table, [heading(column) for column in summary.table.columns], width),
            wrapped(totals, width),
            "\n".join([*stated, *noticed]),
        ]
    )


def grid(table: pd.DataFrame, labels: Sequence[str], width: int) -> str:
    """A table by k turned on its side: a row for each of its columns, a column for each k.

    Parameters
    ----------
    table : index k, one column for each row to show.
    labels : what to call those rows.
    width : columns; cutoffs that don't fit go on below.

    Examples
    --------
    >>> print(grid(pd.DataFrame({"a": [0.5, 1.0]}, index=[1, 10]), ["recall"], 60))
               k=1    k=10
    recall  0.5000  1.0000
    """
    label_width = min(max(map(len, labels)), width // 2)
    cutoffs = [f"k={k}" for k in table.index]
    cell_width = _GAP + max(len("0.0000"), *map(len, cutoffs))
    at_once = max(1, (width - label_width) // cell_width)

    lines: list[str] = []
    for first in range(0, len(cutoffs), at_once):
        part = slice(first, first + at_once)
        rows = [("", cutoffs[part])]
        rows += [(name, list(map(decimals, table.iloc[part, i]))) for i, name in enumerate(labels)]
        lines += [""] if first else []
        for name, cells in rows:
            if len(name) > label_width:
                lines.append(name)
                name = ""
            lines.append(name.ljust(label_width) + "".join(cell.rjust(cell_width) for cell in cells))
    return "\n".join(lines)


def wrapped(text: str, width: int, hang: int = 2) -> str:
    """``text`` in lines of ``width``; ids and numbers are never broken."""
    return textwrap.fill(
        text,
        width,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
