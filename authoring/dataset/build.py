"""Build the files that ship from the readable source: the same bytes every time.

Run ``python -m authoring.dataset.build`` from the top of the repository.
"""

from __future__ import annotations

import json
from pathlib import Path

from authoring.dataset.cards import CARD_PREFIX
from authoring.dataset.source import (
    SHIPPED_FOLDER,
    SOURCE_FOLDER,
    Claim,
    Passage,
    Question,
    Source,
    SourceError,
    matching_items,
    read_source,
)

Judgments = dict[str, dict[str, int]]


def grade(question: Question, passage: Passage) -> int:
    """The grade that follows from the claims.

    2: the passage states everything one of the needs asks for. 1: it states a part, or the same fact as another
    edition had it. 0: neither.
    """
    if any(need <= passage.claims for need in question.needs):
        return 2
    stated = {claim.fact for claim in passage.claims}
    asked = {claim.fact for need in question.needs for claim in need}
    return 1 if stated & asked else 0


def judge(source: Source, passages: dict[str, Passage], pool: set[tuple[str, str]]) -> Judgments:
    """Grades of every passage that bears on a question, and of every pair that was looked at (``pool``)."""
    judgments: Judgments = {}
    for question in source.questions.values():
        grades = {passage.id: grade(question, passage) for passage in passages.values()}
        for conditions in question.card_conditions:
            for item in matching_items(source.items, conditions):
                grades[f"{CARD_PREFIX}{item.code}"] = 2
        for passage_id in question.partial:
            _expect_zero(question, grades, passage_id, "part")
            grades[passage_id] = 1
        for passage_id in question.near:
            _expect_zero(question, grades, passage_id, "near")
        looked_at = set(question.near) | {passage for asked, passage in pool if asked == question.id}
        judgments[question.id] = {
            passage_id: value for passage_id, value in grades.items() if value > 0 or passage_id in looked_at
        }
    return judgments


def _expect_zero(question: Question, grades: dict[str, int], passage_id: str, name: str) -> None:
    if grades.get(passage_id) != 0:
        raise SourceError(
            f"question {question.id}: {name}: {passage_id} is missing or already has grade "
            f"{grades.get(passage_id)} from its facts"
        )


def read_pairs(path: Path) -> set[tuple[str, str]]:
    """Pairs (question id, passage id) of a two-column file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {(line.split("\t")[0], line.split("\t")[1]) for line in lines[1:]}


def build(source_folder: Path = SOURCE_FOLDER, shipped_folder: Path = SHIPPED_FOLDER) -> list[Path]:
    """Write everything that follows from the source; returns the files written."""
    source = read_source(source_folder)
    pool_path = source_folder / "reviewed_pairs.tsv"
    pool = read_pairs(pool_path) if pool_path.exists() else set()
    judgments = judge(source, source.passages, pool)
    files = {
        "corpus.jsonl": _json_lines(_passage_row(passage) for passage in source.passages.values()),
        "queries.jsonl": _json_lines(_question_row(question) for question in source.questions.values()),
        "qrels/test.tsv": _qrels(judgments),
        "dataset.json": json.dumps(source.about, indent=2, ensure_ascii=False) + "\n",
    }
    written = []
    for name, text in files.items():
        path = shipped_folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written


def _passage_row(passage: Passage) -> dict[str, object]:
    return {
        "_id": passage.id,
        "title": passage.title,
        "text": passage.text,
        "metadata": {"kind": passage.kind, "chapter": passage.chapter},
    }


def _question_row(question: Question) -> dict[str, object]:
    return {"_id": question.id, "text": question.text, "metadata": {"type": question.type}}


def _json_lines(rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)  # type: ignore[attr-defined]


def _qrels(judgments: Judgments) -> str:
    lines = ["query-id\tcorpus-id\tscore"]
    for question_id, grades in judgments.items():
        ordered = sorted(grades.items(), key=lambda pair: (-pair[1], pair[0]))
        lines.extend(f"{question_id}\t{passage_id}\t{value}" for passage_id, value in ordered)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for written_path in build():
        print(written_path.name)
