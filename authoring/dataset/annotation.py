"""Draw the pairs that two annotators label, blind to each other, to the facts and to the truth.

``python -m authoring.dataset.annotation`` draws a new sample and forgets the old one: only for a new round of
labels. The key (which question and passage a pair is) stays with the source; what annotators see is
``annotation/pairs.jsonl``. Both are written once, here: a text that is mended later must not change what the
labels were given to.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from authoring.dataset.judging import Judgments, judge
from authoring.dataset.source import (
    SHIPPED_FOLDER,
    SOURCE_FOLDER,
    AnnotationKey,
    Source,
    read_pairs,
    read_source,
)

SEED = 2026
RELEVANT, PARTIAL, LOOKED_AT, FAR_OFF = 130, 60, 160, 50
"""How many pairs of each sort; 400 in all. Every question is among those of grade 0 that a search found, and
every answerable question among the relevant ones."""

Pair = tuple[str, str]


def draw_pairs(source: Source, judgments: Judgments, seed: int = SEED) -> list[Pair]:
    """The pairs (question id, passage id), shuffled; the same for the same seed and source."""
    rng = random.Random(seed)
    by_grade: dict[int, list[Pair]] = {0: [], 1: [], 2: []}
    for question_id, grades in judgments.items():
        for passage_id in sorted(grades):
            by_grade[grades[passage_id]].append((question_id, passage_id))
    pairs = _one_each_then_any(by_grade[2], RELEVANT, rng)
    pairs += rng.sample(by_grade[1], PARTIAL)
    pairs += _one_each_then_any(by_grade[0], LOOKED_AT, rng)
    far_off = [
        (question_id, passage_id)
        for question_id in source.questions
        for passage_id in source.passages
        if passage_id not in judgments[question_id]
    ]
    pairs += rng.sample(far_off, FAR_OFF)
    rng.shuffle(pairs)
    return pairs


def _one_each_then_any(pairs: list[Pair], count: int, rng: random.Random) -> list[Pair]:
    """One pair of each question first, then others until there are ``count``."""
    shuffled = rng.sample(pairs, len(pairs))
    first_of_question: dict[str, Pair] = {}
    for pair in shuffled:
        first_of_question.setdefault(pair[0], pair)
    chosen = list(first_of_question.values())
    rest = [pair for pair in shuffled if first_of_question[pair[0]] != pair]
    return chosen + rest[: count - len(chosen)]


def write_key(path: Path, pairs: list[Pair]) -> AnnotationKey:
    """Number the pairs and write the key."""
    key = {f"p{number:03}": pair for number, pair in enumerate(pairs, start=1)}
    rows = [("pair-id", "query-id", "corpus-id"), *((pair_id, *pair) for pair_id, pair in key.items())]
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")
    return key


def pair_row(source: Source, pair_id: str, question_id: str, passage_id: str) -> dict[str, str]:
    """What annotators see of a pair."""
    passage = source.passages[passage_id]
    return {
        "pair_id": pair_id,
        "question": source.questions[question_id].text,
        "title": passage.title,
        "text": passage.text,
    }


def write_pairs(path: Path, source: Source, key: AnnotationKey) -> None:
    """Write the pairs as annotators see them, one on each line."""
    rows = (pair_row(source, pair_id, *pair) for pair_id, pair in key.items())
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def changed_since_labelled(source: Source, key: AnnotationKey, path: Path) -> list[str]:
    """The pairs whose question or passage reads otherwise today than when it was labelled."""
    shown = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row["pair_id"] for row in shown if row != pair_row(source, row["pair_id"], *key[row["pair_id"]])]


def main() -> None:
    """Draw the pairs; write their key and what annotators see."""
    source = read_source()
    judgments = judge(source, read_pairs(SOURCE_FOLDER / "reviewed_pairs.tsv"))
    key = write_key(SOURCE_FOLDER / "annotation_key.tsv", draw_pairs(source, judgments))
    write_pairs(SHIPPED_FOLDER / "annotation" / "pairs.jsonl", source, key)
    print(f"{len(key)} pairs drawn; now run authoring.dataset.pool and authoring.dataset.build")


if __name__ == "__main__":
    main()
