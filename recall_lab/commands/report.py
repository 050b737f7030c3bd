"""The HTML report of ``recall-lab evaluate``: one file that needs no network and runs no script."""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from os import PathLike
from pathlib import Path

from recall_lab.commands.console import printable
from recall_lab.errors import FolderError
from recall_lab.evaluation import Evaluation
from recall_lab.figures import recall_curve
from recall_lab.golden import GoldenDataset
from recall_lab.summary import Summary, decimals, heading

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
    cutoffs: Sequence[int],
) -> None:
    """Write the report.

    Parameters
    ----------
    path : the file to write; an existing one is replaced.
    golden : what the runs were measured against; gives texts and titles.
    evaluations : name → evaluation, one for each run.
    cutoffs : the values of k, ascending. Slices and worst questions are shown at the last.

    Raises
    ------
    FolderError : the file cannot be written.
    """
    page = build(golden, evaluations, cutoffs)
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
    cutoffs: Sequence[int],
) -> str:
    """The report as one string of HTML; see ``write``."""
    name = golden.name or "judgments"
    summaries = {run: evaluation.summary(cutoffs) for run, evaluation in evaluations.items()}
    body = [
        _header(name, golden, len(evaluations)),
        _overview(evaluations, summaries),
        _curve(golden, evaluations, cutoffs),
        *(_one_run(golden, run, evaluations[run], summaries[run], cutoffs[-1]) for run in evaluations),
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


def _header(name: str, golden: GoldenDataset, runs: int) -> str:
    size = f" {_number_of(len(golden.passages), 'passage')}." if golden.passages else ""
    return (
        f"<h1>Retrieval report: {_text(name)}</h1>\n"
        f"<p>{_number_of(runs, 'run')} measured against "
        f"{_number_of(len(golden.judgments), 'judged question')}.{size} "
        f"A document is relevant from grade {golden.min_grade} up. All values are fractions from 0 to 1; "
        "means count every question the same unless they are called micro.</p>\n"
    )


def _overview(evaluations: Mapping[str, Evaluation], summaries: Mapping[str, Summary]) -> str:
    rows: list[list[object]] = []
    for run, summary in summaries.items():
        pairs = zip(summary.table["recall"], summary.table["ceiling"], strict=True)
        rows.append([run, evaluations[run].n, *(_recall_of_ceiling(*pair) for pair in pairs)])
    cutoffs = next(iter(summaries.values())).table.index
    head = ["run", "n", *(f"recall@{k}" for k in cutoffs)]
    return (
        "<h2>Recall, and the most it can be</h2>\n"
        "<p>The ceiling is what a perfect ranking reaches: a question with more than k relevant documents "
        "can't reach 1. In the bars the filled part is recall, the upright mark its ceiling.</p>\n"
        + _table("Mean recall of each run, with its ceiling", head, rows)
    )


def _recall_of_ceiling(recall: float, ceiling: float) -> Html:
    if math.isnan(recall):
        return Html(decimals(recall))
    bar = f'<i style="width:{recall:.2%}"></i><b style="left:{ceiling:.2%}"></b>'
    return Html(
        f'{decimals(recall)} <span class="soft">of {decimals(ceiling)}</span>'
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
    rows = [[k, *(decimals(curve[k - 1]) for pair in curves.values() for curve in pair)] for k in shown]
    return (
        "<h2>The curve</h2>\n"
        f'<figure><img alt="{_text(picture.alt)}" src="data:image/svg+xml;base64,{image}">\n'
        "<figcaption>Recall at every k. A curve that stays flat below its ceiling has documents that looking "
        "deeper does not find.</figcaption></figure>\n"
        "<details><summary>The curve in numbers</summary>\n"
        f"{_table('Mean recall and ceiling', head, rows)}</details>\n"
    )


def _one_run(golden: GoldenDataset, run: str, evaluation: Evaluation, summary: Summary, k: int) -> str:
    stated = "".join(
        f"<li>{_text(name)}: {_text(statement)}</li>\n" for name, statement in summary.statements.items()
    )
    noticed = "".join(f"<li>{_text(notice)}</li>\n" for notice in summary.notices)
    measures = [[heading(str(name)), *map(decimals, column)] for name, column in summary.table.items()]
    totals = ", ".join(f"{name} {decimals(value)}" for name, value in summary.without_k.items())
    return (
        f"<h2>Run: {_text(run)}</h2>\n"
        + _table(f"{run}: means at each k", ["measure", *(f"k={k}" for k in summary.table.index)], measures)
        + f"<p>Over the whole ranking: {_text(totals)}.</p>\n"
        + f"<h3>What the numbers rest on</h3>\n<ul>\n{stated}</ul>\n"
        + (f"<h3>Noticed</h3>\n<ul>\n{noticed}</ul>\n" if noticed else "")
        + _slices(run, evaluation, k)
        + _worst(golden, run, evaluation, k)
        + _listed("Questions without a relevant document", evaluation.without_relevant, golden)
        + _listed("Unanswered: judged, but not in the run", evaluation.unanswered, golden)
        + _listed("Ignored: in the run, but without judgments", evaluation.ignored, golden)
    )


def _slices(run: str, evaluation: Evaluation, k: int) -> str:
    if not evaluation.question_types:
        return ""
    table = evaluation.slices(k)
    head = ["kind of question", *(str(column).replace("_", " ") for column in table.columns)]
    rows = [
        [kind, *(decimals(value) if isinstance(value, float) else value for value in values)]
        for kind, values in zip(table.index, table.itertuples(index=False), strict=True)
    ]
    return f"<h3>By kind of question, at k={k}</h3>\n" + _table(f"{run}: means of each kind", head, rows)


def _worst(golden: GoldenDataset, run: str, evaluation: Evaluation, k: int) -> str:
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
                _recall_of_ceiling(recall, ceiling),
                _ranks(evaluation.relevant_ranks(question), int(relevant)),
                _missed(evaluation.missed(question, k), golden),
            ]
        )
    head = ["question", "relevant", f"found to {k}", f"recall@{k}", "ranks of the relevant", f"missed at {k}"]
    shown = f"{run}: {len(worst)} of {_number_of(len(missing), 'question')} below the ceiling"
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


def _number_of(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")
