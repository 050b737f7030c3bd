"""The table of results that ships with the dataset: every frozen run, overall and per slice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from authoring.runs.recipes import DATASET, RECIPES
from recall_lab.evaluation import Evaluation, evaluate
from recall_lab.golden import GoldenDataset
from recall_lab.run import Run
from recall_lab.statistics import bootstrap_mean

CUTOFFS = (1, 5, 10, 20, 50)
RESAMPLES = 10_000

_INTRODUCTION = """\
# Results of the frozen runs

Made by `python -m authoring.runs.build`; a test recomputes it. Every value is a fraction from 0 to 1.

- **recall@k** is the macro mean over the questions of the heading that have an answer; **micro@k** pools
  their relevant passages. Relevant means grade {min_grade} or more; a question without results counts 0.
- **ceiling** is what a perfect retriever would score. **nDCG@5** takes the grade as gain; **MRR@10** is the
  mean of 1 / rank of the first relevant passage in the top 10.
- The 95 % interval is that of recall@10, by the percentile bootstrap over questions ({resamples:,} resamples,
  seed 0). Intervals of two systems may overlap although the difference is clear question by question: compare
  systems in pairs. Slices are too small for one.
- Runs marked * are over the merged passages, with the judgments that belong to them.
- A run ends at its depth: hybrid_10 and hybrid_minilm_10 have at most 20 results, reranked runs 50.
"""


def results_page(runs: Mapping[str, Run]) -> str:
    """The page, in Markdown.

    Parameters
    ----------
    runs : every frozen run by name.
    """
    goldens = {
        judgments: GoldenDataset.load(DATASET, judgments=judgments)
        for judgments in dict.fromkeys(recipe.judgments for recipe in RECIPES.values())
    }
    golden = goldens["test"]
    slices: dict[str, list[str]] = {}
    for question_id, name in golden.question_types.items():
        if golden.relevant(question_id):
            slices.setdefault(name, []).append(question_id)
    answerable = [question_id for inside in slices.values() for question_id in inside]
    without = [question_id for question_id in golden.questions if question_id not in answerable]

    def measured(question_ids: Iterable[str]) -> dict[str, Evaluation]:
        return {
            name: _evaluate(goldens[RECIPES[name].judgments], run, question_ids) for name, run in runs.items()
        }

    parts = [_INTRODUCTION.format(min_grade=golden.min_grade, resamples=RESAMPLES), "## The systems\n"]
    parts.append(_table(("run", "system"), [(_label(name), RECIPES[name].system) for name in runs]))
    parts.append(f"## All questions (n = {len(answerable)})\n")
    parts.append(_results_table(measured(answerable), intervals=True))
    parts.append("### Micro recall\n")
    parts.append(_micro_table(measured(answerable)))
    for name, question_ids in slices.items():
        parts.append(f"## Slice {name} (n = {len(question_ids)})\n")
        parts.append(_results_table(measured(question_ids)))
    parts.append(
        f"## Slice unanswerable\n\nNothing in the corpus answers these {len(without)} questions, so recall "
        "is undefined and no mean holds them. The answerable rate is "
        f"{len(answerable)} of {len(golden.questions)}, {len(answerable) / len(golden.questions):.3f}.\n"
    )
    return "\n".join(parts)


def _evaluate(golden: GoldenDataset, run: Run, question_ids: Iterable[str]) -> Evaluation:
    judgments = {question_id: golden.judgments[question_id] for question_id in question_ids}
    return evaluate(judgments, run, min_grade=golden.min_grade)


def _results_table(evaluations: Mapping[str, Evaluation], *, intervals: bool = False) -> str:
    header = ["run", *(f"recall@{k}" for k in CUTOFFS), "micro@10", "nDCG@5", "MRR@10"]
    ceiling = ["*ceiling*", *_values(evaluations["keyword"].ceiling(k) for k in CUTOFFS)]
    ceiling += [*_values([_micro_ceiling(evaluations["keyword"], 10)]), "1.000", "1.000"]
    rows = [ceiling]
    for name, e in evaluations.items():
        values = [*map(e.recall, CUTOFFS), e.micro_recall(10), e.ndcg(5), e.reciprocal_rank(10)]
        rows.append([_label(name), *_values(values)])
    if intervals:
        header.append("95 % interval of recall@10")
        rows[0].append("")
        for row, e in zip(rows[1:], evaluations.values(), strict=True):
            interval = bootstrap_mean(e.values("recall", 10).dropna(), resamples=RESAMPLES)
            row.append(" to ".join(_values([interval.low, interval.high])))
    return _table(header, rows)


def _micro_table(evaluations: Mapping[str, Evaluation]) -> str:
    first = evaluations["keyword"]
    rows = [["*ceiling*", *_values(_micro_ceiling(first, k) for k in CUTOFFS)]]
    rows += [[_label(name), *_values(map(e.micro_recall, CUTOFFS))] for name, e in evaluations.items()]
    return _table(["run", *(f"micro@{k}" for k in CUTOFFS)], rows)


def _micro_ceiling(e: Evaluation, k: int) -> float:
    relevant = e.per_query(k)["relevant"]
    return float(relevant.clip(upper=k).sum() / relevant.sum())


def _label(name: str) -> str:
    return name if RECIPES[name].judgments == "test" else f"{name} *"


def _values(values: Iterable[float]) -> list[str]:
    return [f"{value:.3f}" for value in values]


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    header = list(header)
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
