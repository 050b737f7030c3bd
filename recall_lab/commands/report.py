"""The HTML report of ``recall-lab evaluate``: one file that needs no network and runs no script."""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from recall_lab.commands.console import printable
from recall_lab.commands.text import MEASURES, SINGLE_MEASURES, counted, number
from recall_lab.errors import FolderError
from recall_lab.evaluation import Evaluation
from recall_lab.figures import recall_curve
from recall_lab.golden import GoldenDataset

WORST_QUESTIONS = 15
"""How many of the worst questions of a run the report lists."""

SHORTEST_CURVE = 50
"""The curve is drawn at least up to this k, so that a reader sees what lies beyond the measured cutoffs."""

_MISSED_SHOWN = 5
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class Html(str):
    """Text that is markup already. Everything else is escaped on its way into the page."""


def write(
    path: str | PathLike[str],
    golden: GoldenDataset,
    evaluations: Mapping[str, Evaluation],
    records: Sequence[Mapping[str, Any]],
    cutoffs: Sequence[int],
) -> None:
    """Write the report.

    Parameters
    ----------
    path : the file to write; an existing one is replaced.
    golden : what the runs were measured against; gives texts and titles.
    evaluations : name → evaluation, one for each run.
    records : the same runs as ``Evaluation.to_dict(cutoffs)``, in the same order.
    cutoffs : the values of k, ascending. Slices and worst questions are shown at the last.

    Raises
    ------
    FolderError : the file cannot be written.
    """
    page = build(golden, evaluations, records, cutoffs)
    try:
        Path(path).write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FolderError(
            f"{path}: the report cannot be written ({error.strerror or error})\n"
            "  way out: name a file in a folder that exists and that you may write to"
        ) from error


def build(
    golden: GoldenDataset,
    evaluations: Mapping[str, Evaluation],
    records: Sequence[Mapping[str, Any]],
    cutoffs: Sequence[int],
) -> str:
    """The report as one string of HTML; see ``write``."""
    name = golden.name or "judgments"
    body = [
        _header(name, golden, records),
        _overview(records, cutoffs),
        _curve(golden, evaluations, cutoffs),
        *(
            _one_run(golden, evaluation, record, cutoffs[-1])
            for evaluation, record in zip(evaluations.values(), records, strict=True)
        ),
    ]
    style = files("recall_lab.commands").joinpath("report.css").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{_text(f"Retrieval report: {name}")}</title>
<style>
{style}</style>
</head>
<body>
<main>
{"".join(body)}</main>
</body>
</html>
"""


def _header(name: str, golden: GoldenDataset, records: Sequence[Mapping[str, Any]]) -> str:
    size = f" {len(golden.passages)} passages." if golden.passages else ""
    return (
        f"<h1>Retrieval report: {_text(name)}</h1>\n"
        f"<p>{_number_of(len(records), 'run')} measured against "
        f"{_number_of(len(golden.judgments), 'judged question')}.{size} "
        f"A document is relevant from grade {golden.min_grade} up. All values are fractions from 0 to 1; "
        "means count every question the same unless they are called micro.</p>\n"
    )


def _overview(records: Sequence[Mapping[str, Any]], cutoffs: Sequence[int]) -> str:
    rows = [
        [
            record["run"],
            record["n"],
            *(_recall_of_ceiling(record["recall"][str(k)], record["ceiling"][str(k)]) for k in cutoffs),
            *(number(record[key]) for key in SINGLE_MEASURES),
        ]
        for record in records
    ]
    head = ["run", "n", *(f"recall@{k}" for k in cutoffs), *SINGLE_MEASURES.values()]
    return (
        "<h2>Recall, and the most it can be</h2>\n"
        "<p>The ceiling is what a perfect ranking reaches: a question with more than k relevant documents "
        "can't reach 1. In the bars the filled part is recall, the upright mark its ceiling.</p>\n"
        + _table("Mean recall of each run, with its ceiling", head, rows)
    )


def _recall_of_ceiling(recall: float | None, ceiling: float | None) -> Html:
    if recall is None or ceiling is None:
        return Html(number(recall))
    bar = f'<i style="width:{recall:.2%}"></i><b style="left:{ceiling:.2%}"></b>'
    return Html(
        f'{number(recall)} <span class="soft">of {number(ceiling)}</span>'
        f'<span class="bar" aria-hidden="true">{bar}</span>'
    )


def _curve(golden: GoldenDataset, evaluations: Mapping[str, Evaluation], cutoffs: Sequence[int]) -> str:
    k_max = max(SHORTEST_CURVE, *cutoffs)
    picture = recall_curve(evaluations, k_max, corpus_size=len(golden.passages) or None)
    image = base64.b64encode(picture.svg().encode()).decode("ascii")
    shown = sorted(
        {k for k in (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000) if k < k_max} | {*cutoffs, k_max}
    )
    curves = {name: (e.curve(k_max), e.curve(k_max, "ceiling")) for name, e in evaluations.items()}
    head = ["k"]
    for name in curves:
        head += [f"recall of {name}", "its ceiling"]
    rows = [
        [k, *(number(_defined(curve[k - 1])) for pair in curves.values() for curve in pair)] for k in shown
    ]
    return (
        "<h2>The curve</h2>\n"
        f'<figure><img alt="{_text(picture.alt)}" src="data:image/svg+xml;base64,{image}">\n'
        "<figcaption>Recall at every k. A curve that stays flat below its ceiling has documents that looking "
        "deeper does not find.</figcaption></figure>\n"
        "<details><summary>The curve in numbers</summary>\n"
        f"{_table('Mean recall and ceiling', head, rows)}</details>\n"
    )


def _one_run(golden: GoldenDataset, evaluation: Evaluation, record: Mapping[str, Any], k: int) -> str:
    measures = [
        [label, *(number(value) for value in record[key].values())] for key, label in MEASURES.items()
    ]
    single = ", ".join(f"{label} {number(record[key])}" for key, label in SINGLE_MEASURES.items())
    noticed = "".join(f"<li>{_text(warning)}</li>\n" for warning in record["warnings"])
    return (
        f"<h2>Run: {_text(record['run'])}</h2>\n<p>{_text(counted(record))}.</p>\n"
        + (f"<h3>Noticed</h3>\n<ul>\n{noticed}</ul>\n" if noticed else "")
        + "<h3>All measures</h3>\n"
        + _table("Means at each k", ["measure", *(f"k={k}" for k in record["recall"])], measures)
        + f"<p>Over the whole ranking: {single}.</p>\n"
        + _slices(evaluation, k)
        + _worst(golden, evaluation, k)
        + "".join(
            _listed(title, record[key], golden)
            for key, title in {
                "excluded": "Excluded: no relevant document, so recall is undefined",
                "unanswered": "Unanswered: judged, but not in the run",
                "ignored": "Ignored: in the run, but without judgments",
            }.items()
        )
    )


def _slices(evaluation: Evaluation, k: int) -> str:
    table = evaluation.slices(k)
    if table.empty:
        return ""
    head = ["kind of question", *(str(column).replace("_", " ") for column in table.columns)]
    rows = [
        [kind, *(_counted_or_measured(value) for value in values)]
        for kind, values in zip(table.index, table.itertuples(index=False), strict=True)
    ]
    return f"<h3>By kind of question, at k={k}</h3>\n" + _table("Means of each kind", head, rows)


def _worst(golden: GoldenDataset, evaluation: Evaluation, k: int) -> str:
    table = evaluation.per_query(k)
    missing = table[table["included"] & (table["capped_recall"] < 1)]
    worst = missing.sort_values("capped_recall", kind="stable").head(WORST_QUESTIONS)
    title = f"<h3>Worst questions, at k={k}</h3>\n"
    if worst.empty:
        return title + "<p>Every question reaches its ceiling.</p>\n"
    rows = []
    for question, relevant, found, recall, ceiling in zip(
        worst.index, worst["relevant"], worst["found"], worst["recall"], worst["ceiling"], strict=True
    ):
        rows.append(
            [
                _named(question, golden.questions.get(question, "")),
                int(relevant),
                int(found),
                _recall_of_ceiling(_defined(recall), _defined(ceiling)),
                _ranks(evaluation.relevant_ranks(question), int(relevant)),
                _missed(evaluation.missed(question, k), golden),
            ]
        )
    head = ["question", "relevant", f"found to {k}", f"recall@{k}", "ranks of the relevant", f"missed at {k}"]
    shown = f"{len(worst)} of {_number_of(len(missing), 'question')} below the ceiling"
    return title + _table(
        f"{shown}, those that found the smallest share of what k allows first",
        head,
        rows,
        text_columns=(4, 5),
    )


def _ranks(ranks: Sequence[int], relevant: int) -> str:
    never = relevant - len(ranks)
    parts = [", ".join(str(rank) for rank in ranks)] if ranks else []
    if never:
        parts.append(f"{never} never")
    return "; ".join(parts)


def _missed(documents: Sequence[str], golden: GoldenDataset) -> Html:
    items = []
    for document in documents[:_MISSED_SHOWN]:
        passage = golden.passages.get(document)
        items.append(_named(document, "" if passage is None else passage.title or passage.text))
    more = len(documents) - len(items)
    if more:
        items.append(Html(f"and {more} more"))
    return Html("<br>".join(items))


def _listed(title: str, ids: Sequence[str], golden: GoldenDataset) -> str:
    if not ids:
        return ""
    items = "".join(f"<li>{_named(i, golden.questions.get(i, ''))}</li>\n" for i in ids)
    return f"<details><summary>{_text(title)} ({len(ids)})</summary>\n<ul>\n{items}</ul></details>\n"


def _named(identifier: str, text: str) -> Html:
    """An id with the words behind it, where they are known."""
    words = " ".join(text.split())
    words = words if len(words) <= 100 else words[:99] + "…"
    return Html(f"{_text(identifier)}" + (f' <span class="soft">{_text(words)}</span>' if words else ""))


def _table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[object]], text_columns: Iterable[int] = ()
) -> str:
    """A table whose first column names the row; the others hold numbers, but for ``text_columns``."""
    kinds = ["" if i in {0, *text_columns} else ' class="n"' for i in range(len(head))]
    titles = "".join(
        f'<th scope="col"{kind}>{_text(title)}</th>' for title, kind in zip(head, kinds, strict=True)
    )
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td{kind}>{_text(cell)}</td>" for cell, kind in zip(rest, kinds[1:], strict=True))
        lines.append(f'<tr><th scope="row">{_text(first)}</th>{cells}</tr>\n')
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{_text(caption)}"><table>\n'
        f"<caption>{_text(caption)}</caption>\n"
        f"<thead><tr>{titles}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody></table></div>\n"
    )


def _text(value: object) -> str:
    """Anything as HTML: what isn't markup is escaped, and characters that don't print become visible."""
    return value if isinstance(value, Html) else html.escape(printable(str(value), "utf-8"))


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _counted_or_measured(value: object) -> str:
    return number(_defined(value)) if isinstance(value, float) else str(value)


def _number_of(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")
