"""A summary to quote: a table over k, and beside it all without which its numbers mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from recall_lab.notices import Notice

if TYPE_CHECKING:
    import pandas as pd

_HEADINGS = {
    "micro_recall": "micro recall",
    "capped_recall": "capped recall",
    "hit_rate": "hit rate",
    "ndcg": "nDCG",
}


@dataclass(frozen=True, repr=False)
class Summary:
    """What :meth:`Evaluation.summary` returns; print it, or let a notebook show it.

    Parameters
    ----------
    title : which run on which judgments, and n.
    table : one row for each cutoff k, one column for each measure; values from 0 to 1.
    without_k : measures that have no cutoff, by name.
    statements : what the numbers rest on, by name: averaging, relevance, excluded queries, ties and so on.
    notices : all that was noticed, from reading to measuring.
    """

    title: str
    table: pd.DataFrame
    without_k: dict[str, float]
    statements: dict[str, str]
    notices: Sequence[Notice]

    @property
    def text(self) -> str:
        """The summary as plain text."""
        rows = [["k", *map(heading, self.table.columns)]]
        rows += [
            [str(k), *map(decimals, values)]
            for k, values in zip(self.table.index, self.table.to_numpy(), strict=True)
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
        ]
        totals = " · ".join(f"{name} {decimals(value)}" for name, value in self.without_k.items())
        label = max(map(len, self.statements)) + 2
        stated = [f"{name + ':':<{label}}{statement}" for name, statement in self.statements.items()]
        noticed = [f"note: {notice}" for notice in self.notices]
        return "\n".join([self.title, "", *lines, "", totals, "", *stated, *noticed])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        head = "".join(
            f'<th scope="col">{escape(name)}</th>' for name in ["k", *map(heading, self.table.columns)]
        )
        body = "".join(
            f'<tr><th scope="row">{k}</th>'
            + "".join(f"<td>{decimals(value)}</td>" for value in values)
            + "</tr>"
            for k, values in zip(self.table.index, self.table.to_numpy(), strict=True)
        )
        totals = " · ".join(f"{escape(name)} {decimals(value)}" for name, value in self.without_k.items())
        stated = "".join(
            f"<li><b>{escape(name)}:</b> {escape(statement)}</li>"
            for name, statement in self.statements.items()
        )
        noticed = "".join(f"<li><b>note:</b> {escape(str(notice))}</li>" for notice in self.notices)
        return (
            f"<table><caption>{escape(self.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table><p>{totals}</p><ul>{stated}{noticed}</ul>"
        )


def decimals(value: float) -> str:
    """A value with four decimals, or a dash where it is undefined.

    >>> decimals(0.375), decimals(float("nan"))
    ('0.3750', '–')
    """
    return "–" if value != value else f"{value:.4f}"


def heading(measure: str) -> str:
    """The name of a measure as the head of a column.

    >>> heading("micro_recall"), heading("ndcg")
    ('micro recall', 'nDCG')
    """
    return _HEADINGS.get(measure, measure)
