"""Measured runs as plain text, for a terminal or a build log."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

MEASURES = {
    "recall": "recall",
    "ceiling": "ceiling of recall",
    "capped_recall": "capped recall",
    "micro_recall": "micro recall",
    "precision": "precision",
    "hit_rate": "hit rate",
    "ndcg": "nDCG",
    "judged": "judged",
}
"""Keys of a record that hold a value for each k, and the names they are shown under, in the order shown."""

SINGLE_MEASURES = {"mrr": "MRR", "map": "MAP", "r_precision": "R-precision"}
"""Keys of a record that hold one value over the whole ranking."""


def number(value: float | None) -> str:
    """A measured value with four decimals, or ``undefined``.

    >>> number(0.5625), number(None)
    ('0.5625', 'undefined')
    """
    return "undefined" if value is None else f"{value:.4f}"


def counted(record: Mapping[str, Any]) -> str:
    """What a record's means are over, in one sentence.

    >>> counted({"n": 1, "excluded": ["q2"], "unanswered": [], "ignored": [], "threshold": 2})
    'n = 1 query; 1 excluded, 0 unanswered, 0 ignored; relevant from grade 2; means are macro'
    """
    n = record["n"]
    return (
        f"n = {n} {'query' if n == 1 else 'queries'}; {len(record['excluded'])} excluded, "
        f"{len(record['unanswered'])} unanswered, {len(record['ignored'])} ignored; "
        f"relevant from grade {record['threshold']}; "
        "means are macro"
    )


def evaluation(records: Sequence[Mapping[str, Any]], judgments: str, width: int) -> str:
    """All runs, as text that fits ``width`` columns.

    Parameters
    ----------
    records : one for each run, as ``Evaluation.to_dict`` makes them.
    judgments : the name of what the runs are measured against.
    width : columns.
    """
    blocks = [f"judgments: {judgments}"]
    if len(records) > 1:
        names = {str(i): record["run"] for i, record in enumerate(records)}
        recall = {str(i): record["recall"] for i, record in enumerate(records)}
        blocks.append("recall of all runs\n" + grid(recall, names, width))
    blocks += [_one_run(record, width) for record in records]
    return "\n\n".join(blocks)


def _one_run(record: Mapping[str, Any], width: int) -> str:
    single = "   ".join(f"{label} {number(record[key])}" for key, label in SINGLE_MEASURES.items())
    parts = [
        f"run: {record['run']}",
        _wrapped(counted(record), width),
        grid(record, MEASURES, width),
        single + "   (whole ranking)",
    ]
    if record["warnings"]:
        parts.append("noticed:\n" + "\n".join(_wrapped(w, width, first="- ") for w in record["warnings"]))
    return "\n".join(parts)


def grid(values: Mapping[str, Mapping[str, float | None]], labels: Mapping[str, str], width: int) -> str:
    """A table with one row for each label and one column for each k; too many columns go on below.

    >>> print(grid({"a": {"1": 0.5, "10": None}}, {"a": "recall"}, 60))
                  k=1       k=10
    recall     0.5000  undefined
    """
    gap = 2
    widest = max(len(label) for label in labels.values())
    label_width = min(widest, width // 2)
    cutoffs = list(next(iter(values.values())))
    columns = {k: [f"k={k}", *(number(values[key][k]) for key in labels)] for k in cutoffs}
    widths = {k: gap + max(9, *map(len, cells)) for k, cells in columns.items()}

    lines: list[str] = []
    while cutoffs:
        shown = [cutoffs.pop(0)]
        while cutoffs and label_width + sum(widths[k] for k in [*shown, cutoffs[0]]) <= width:
            shown.append(cutoffs.pop(0))
        for row, label in enumerate(["", *labels.values()]):
            if len(label) > label_width:
                lines.append(label)
                label = ""
            cells = "".join(columns[k][row].rjust(widths[k]) for k in shown)
            lines.append(label.ljust(label_width) + cells)
        if cutoffs:
            lines.append("")
    return "\n".join(lines)


def _wrapped(text: str, width: int, first: str = "") -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
