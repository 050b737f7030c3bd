"""The way through a large block of a run with polars, where the extra ``scale`` is installed: faster.

As in `recall_lab.formats.fast`, only blocks that can be proved clean are taken, and they give the same rows.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from recall_lab.formats.fast import FieldPlan, holds_comment, holds_invisible
from recall_lab.formats.rows import Rows
from recall_lab.formats.text import Block


def polars_rows(block: Block, plan: FieldPlan) -> Rows | None:
    """The rows of a block, or ``None`` if it cannot be proved clean."""
    data, lines = block.data, block.lines
    first_line = data[: data.index(b"\n")]
    separator = next((code for code in plan.separators if code in first_line), None)
    if separator is None or b'"' in data or holds_invisible(data):
        return None
    if not _is_regular(data, separator, lines, plan.count):
        return None
    table = _table(data, separator, plan)
    # polars refuses a line with more fields than there should be, so that none has fewer either.
    if (
        table is None
        or table.height != lines
        or any(table.null_count().row(0))
        or not all(table.select(pl.col(pl.Float64).is_finite().all()).row(0))
    ):
        return None
    stretches = table.group_by(pl.col("query").rle_id().alias("stretch"), maintain_order=True).agg(
        pl.col("query").first(),
        pl.len().alias("count"),
        pl.col("document").str.join("\n"),
        (pl.col("document").n_unique() < pl.len()).alias("repeats"),
    )
    queries = stretches["query"].to_list()
    if holds_comment(data, plan, queries):
        return None
    return Rows(
        queries,
        stretches["count"].to_list(),
        stretches["document"].to_list(),
        stretches["repeats"].to_list(),
        table["score"].to_numpy(),
        None if plan.rank is None else table["rank"].to_numpy(),
        range(block.first_line, block.first_line + lines),
    )


def _is_regular(data: bytes, separator: int, lines: int, fields: int) -> bool:
    """Whether there are as many separators and line ends as there should be, and no other blank."""
    bytes_ = np.frombuffer(data, dtype=np.uint8)
    breaks = bytes_ <= ord(" ")  # control characters too
    if separator > ord(" "):
        breaks |= bytes_ == separator
    return bool(
        np.count_nonzero(breaks) == lines * fields
        and np.count_nonzero(bytes_ == separator) == lines * (fields - 1)
        and not breaks[0]
        and not (breaks[1:] & breaks[:-1]).any()
    )


def _table(data: bytes, separator: int, plan: FieldPlan) -> pl.DataFrame | None:
    names = {plan.query: "query", plan.document: "document", plan.score: "score"}
    if plan.rank is not None:
        names[plan.rank] = "rank"
    schema = {
        names.get(i, f"unread {i}"): pl.Float64 if i in (plan.score, plan.rank) else pl.String
        for i in range(plan.count)
    }
    try:
        return pl.read_csv(
            data,
            separator=chr(separator),
            has_header=False,
            quote_char=None,
            schema=schema,
            columns=sorted(names),
        )
    except pl.exceptions.PolarsError:
        return None
