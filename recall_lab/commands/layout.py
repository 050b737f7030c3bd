"""Comparisons and verdicts laid out for a terminal or build log, and as Markdown for pull requests."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from recall_lab.commands import console, markdown
from recall_lab.commands.paired import Measured, Pair, counted_questions, p_value, smallest_change
from recall_lab.commands.text import wrapped
from recall_lab.statistics import Verdict
from recall_lab.summary import decimals

LISTED = 10
"""How many ids a list of the text names without ``--all``."""

LISTED_IN_MARKDOWN = 50

_LONGEST_QUESTION = 80
_ROUNDING = 1e-12  # falls and rises that add up to less cancel out
_WIDE = 60  # columns from which there is room for what is said beside its name


def deliver(
    arguments: argparse.Namespace,
    *,
    in_text: Callable[[int | None, int], str],
    in_markdown: Callable[[int | None], str],
    as_json: Callable[[], Any],
) -> None:
    """Print what the options ask for, once the Markdown file, if one is wanted, is written.

    Parameters
    ----------
    arguments : with ``json``, ``markdown`` and ``all``.
    in_text : the text for a number of ids in each list (``None``: all) and a width in columns.
    in_markdown : the summary for such a number.
    as_json : the record.

    Raises
    ------
    FolderError : the Markdown file cannot be written.
    """
    summary = "" if arguments.markdown is None else in_markdown(None if arguments.all else LISTED_IN_MARKDOWN)
    if arguments.markdown not in (None, "-"):
        markdown.write(arguments.markdown, summary)
        console.complain(f"summary written to {arguments.markdown}")
    if arguments.json:
        console.write(json.dumps(as_json(), indent=2, allow_nan=False))
    elif arguments.markdown == "-":
        console.write(summary)
    else:
        console.write(in_text(None if arguments.all else LISTED, console.width()))


# -------------------------------------------------------------------------------------------------- the gate


def headline(verdict: Verdict, what: str) -> str:
    """The verdict in one line.

    >>> from recall_lab.statistics import Interval
    >>> interval = Interval(-0.0589, -0.0961, -0.023, 0.9, "bootstrap", 104)
    >>> headline(Verdict("drop", "", 0.05, interval, 29, 0.0544, None), "recall@10")
    'DROP: recall@10 fell by 0.0589'
    """
    change = verdict.difference.estimate
    if abs(change) < _ROUNDING:
        return f"{verdict.decision.upper()}: {what} is unchanged"
    size = decimals(abs(change)) if abs(change) >= 0.0001 else "less than 0.0001"
    return f"{verdict.decision.upper()}: {what} {'fell' if change < 0 else 'rose'} by {size}"


def gate_in_text(verdict: Verdict, pair: Pair, shown: int | None, width: int) -> str:
    """The verdict first, its grounds below."""
    said = {
        "difference": str(verdict.difference),
        **_means(pair),
        **pair.changes(shown),
        **_grounds(verdict, pair),
    }
    return "\n\n".join(
        [headline(verdict, pair.measured.what), _lines(said, width), _basis(pair.measured, shown, width)]
    )


def gate_in_markdown(verdict: Verdict, pair: Pair, shown: int | None) -> str:
    """The verdict as a heading, a table, the grounds, and what changed in blocks that open on a click."""
    return "\n\n".join(
        [
            f"### {markdown.escape(headline(verdict, pair.measured.what))}",
            _means_in_markdown([pair]),
            markdown.listing(
                {"difference": str(verdict.difference), **pair.left_out(shown), **_grounds(verdict, pair)}
            ),
            *_changes_in_markdown(pair, shown),
            _basis_in_markdown(pair.measured, shown),
        ]
    )


def _grounds(verdict: Verdict, pair: Pair) -> dict[str, str]:
    return {
        "could see": f"{smallest_change(verdict.smallest_detectable, 'drop')}; {verdict.max_drop:g} matters",
        "p": pair.test(),
        "because": verdict.reason,
    }


# --------------------------------------------------------------------------------------------- the comparison


def compare_in_text(
    pairs: Sequence[Pair], adjusted: Mapping[str, float], shown: int | None, width: int
) -> str:
    """A block for each candidate; before them all runs beside each other, where there are several."""
    measured = pairs[0].measured
    where = f" on {measured.golden.name}" if measured.golden.name else ""
    blocks = [f"{measured.what}{where}, compared with {measured.baseline.run_name}"]
    if len(pairs) > 1:
        blocks.append(_overview(pairs, adjusted, width))
    for pair in pairs:
        said = {**_means(pair), "difference": str(pair.comparison.difference), **_test(pair, adjusted)}
        blocks.append(_lines({**said, **pair.changes(shown), **_sight(pair)}, width))
    return "\n\n".join([wrapped(blocks[0], width), *blocks[1:], _basis(measured, shown, width)])


def compare_in_markdown(pairs: Sequence[Pair], adjusted: Mapping[str, float], shown: int | None) -> str:
    """A table of all runs, and what changed in each as blocks that open on a click."""
    measured = pairs[0].measured
    parts = [
        f"### {markdown.escape(f'{measured.what}, compared with {measured.baseline.run_name}')}",
        _means_in_markdown(pairs),
    ]
    for pair in pairs:
        if len(pairs) > 1:
            parts.append(f"#### {markdown.escape(pair.candidate.run_name)}")
        said = {
            "difference": str(pair.comparison.difference),
            **pair.left_out(shown),
            **_test(pair, adjusted),
            **_sight(pair),
        }
        parts += [markdown.listing(said), *_changes_in_markdown(pair, shown)]
    return "\n\n".join([*parts, _basis_in_markdown(measured, shown)])


def _test(pair: Pair, adjusted: Mapping[str, float]) -> dict[str, str]:
    if len(adjusted) == 1:
        return {"p": pair.test()}
    holm = p_value(adjusted[pair.candidate.run_name])
    return {"p": pair.test(), "p (Holm)": f"{holm}, adjusted for {len(adjusted)} comparisons"}


def _sight(pair: Pair) -> dict[str, str]:
    change = "rise" if pair.comparison.alternative == "greater" else "drop"
    return {"could see": smallest_change(pair.comparison.smallest_detectable, change)}


def _overview(pairs: Sequence[Pair], adjusted: Mapping[str, float], width: int) -> str:
    """A row for each run; a name that leaves no room for its numbers gets a line of its own."""
    first = pairs[0].comparison
    rows = [("", ["mean", "change", "p", "p (Holm)"])]
    rows.append((first.baseline_name, [decimals(pairs[0].measured.baseline.mean(first.measure, first.k))]))
    for pair in pairs:
        numbers = [decimals(pair.comparison.candidate), f"{pair.comparison.difference.estimate:+z.4f}"]
        p_values = [
            f"{p:.4f}" if p >= 0.0001 else "<0.0001"
            for p in (pair.comparison.p_value, adjusted[pair.candidate.run_name])
        ]
        rows.append((pair.candidate.run_name, numbers + p_values))
    widths = [max(len(cells[i]) for _, cells in rows[2:] + rows[:1]) + 2 for i in range(4)]
    label = max(0, min(max(len(name) for name, _ in rows), width - sum(widths)))
    lines = []
    for name, cells in rows:
        if len(name) > label:
            lines.append(wrapped(name, width))
            name = ""
        lines.append(name.ljust(label) + "".join(c.rjust(w) for c, w in zip(cells, widths, strict=False)))
    return "\n".join(lines)


# ----------------------------------------------------------------------------------------------- both of them


def _means(pair: Pair) -> dict[str, str]:
    comparison, of = pair.comparison, f"of at most {decimals(pair.ceiling)}"
    return {
        "baseline": f"{decimals(comparison.baseline)} {of}, {comparison.baseline_name}",
        "candidate": f"{decimals(comparison.candidate)} {of}, {comparison.candidate_name}",
    }


def _lines(said: Mapping[str, str], width: int) -> str:
    """Facts, their names in a column."""
    label = max(map(len, said)) + 3
    return "\n".join(
        wrapped(f"{name + ':':<{label}}{fact}", width, hang=label if width >= _WIDE else 2)
        for name, fact in said.items()
    )


def _basis(measured: Measured, shown: int | None, width: int) -> str:
    """What the numbers rest on, and what was noticed."""
    notes = [wrapped(f"note: {note}", width) for note in measured.unstated_notes()]
    return "\n".join([_lines(measured.basis(shown), width), *notes])


def _basis_in_markdown(measured: Measured, shown: int | None) -> str:
    notes = "".join(f"\n- {markdown.escape(note)}" for note in measured.unstated_notes())
    return markdown.details("What the numbers rest on", markdown.listing(measured.basis(shown)) + notes)


def _means_in_markdown(pairs: Sequence[Pair]) -> str:
    """The baseline, then each candidate; another baseline row where other questions are compared."""
    rows: list[list[str]] = []
    for pair in pairs:
        comparison, highest = pair.comparison, decimals(pair.ceiling)
        before = [comparison.baseline_name, decimals(comparison.baseline), highest, "", str(comparison.n)]
        if before not in rows:
            rows.append(before)
        change = f"{comparison.difference.estimate:+z.4f}"
        rows.append(
            [comparison.candidate_name, decimals(comparison.candidate), highest, change, str(comparison.n)]
        )
    return markdown.table(["run", pairs[0].measured.what, "ceiling", "change", "questions"], rows)


def _changes_in_markdown(pair: Pair, shown: int | None) -> list[str]:
    """The questions lost and gained, each as a block that opens on a click; none where none changed."""
    comparison = pair.comparison
    values = {
        query_id: (decimals(before), decimals(after), f"{after - before:+.4f}")
        for query_id, before, after in zip(
            comparison.query_ids, comparison.baseline_values, comparison.candidate_values, strict=True
        )
    }
    texts = pair.measured.golden.questions
    blocks = []
    for name, query_ids in (("lost", pair.lost), ("gained", pair.gained)):
        if query_ids:
            rows = [
                [f"{query_id} {_words(texts.get(query_id, ''))}".rstrip(), *values[query_id]]
                for query_id in query_ids[:shown]
            ]
            body = markdown.table(["question", "baseline", "candidate", "change"], rows)
            if len(rows) < len(query_ids):
                body += f"\n\nand {len(query_ids) - len(rows)} more"
            blocks.append(markdown.details(f"{counted_questions(len(query_ids))} {name}", body))
    return blocks


def _words(question: str) -> str:
    words = " ".join(question.split())
    return words if len(words) <= _LONGEST_QUESTION else words[: _LONGEST_QUESTION - 1] + "…"
