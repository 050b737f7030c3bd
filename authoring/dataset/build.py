"""Build the files that ship from the readable source: the same bytes every time.

Run ``python -m authoring.dataset.build`` from the top of the repository.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from authoring.dataset.datasheet import datasheet
from authoring.dataset.judging import Judgments, judge
from authoring.dataset.source import (
    SHIPPED_FOLDER,
    SOURCE_FOLDER,
    Passage,
    Question,
    read_pairs,
    read_source,
)


@dataclass(frozen=True)
class Chunking:
    """The split passages merged: which passages were replaced, and by what."""

    merged: dict[str, Passage]
    replaced_by: dict[str, str]


def merge_split_passages(passages: Mapping[str, Passage]) -> Chunking:
    """Join every passage that names another in ``joins`` to that one; the first one's title is kept."""
    merged: dict[str, Passage] = {}
    replaced_by: dict[str, str] = {}
    for second in passages.values():
        if not second.joins:
            continue
        first = passages[second.joins]
        merged_id = f"{first.id}+{second.id.rpartition('-')[2]}"
        merged[merged_id] = replace(
            first, id=merged_id, text=f"{first.text} {second.text}", claims=first.claims | second.claims
        )
        replaced_by[first.id] = replaced_by[second.id] = merged_id
    return Chunking(merged, replaced_by)


def merge_judgments(judgments: Judgments, chunking: Chunking) -> Judgments:
    """The judgments of the merged corpus: a merged passage has the better grade of its two parts."""
    result: Judgments = {}
    for question_id, grades in judgments.items():
        merged = result.setdefault(question_id, {})
        for passage_id, value in grades.items():
            new_id = chunking.replaced_by.get(passage_id, passage_id)
            merged[new_id] = max(value, merged.get(new_id, 0))
    return result


def judgments_in_pool(judgments: Judgments, pool: Mapping[str, set[str]]) -> Judgments:
    """The judgments somebody would have who only ever looked at the pool."""
    return {
        question_id: {
            passage_id: grades.get(passage_id, 0) for passage_id in sorted(pool.get(question_id, ()))
        }
        for question_id, grades in judgments.items()
    }


def build(source_folder: Path = SOURCE_FOLDER, shipped_folder: Path = SHIPPED_FOLDER) -> list[Path]:
    """Write everything that follows from the source; returns the files written."""
    source = read_source(source_folder)
    lexical_pool = read_pairs(source_folder / "lexical_pool.tsv")
    judgments = judge(source, read_pairs(source_folder / "reviewed_pairs.tsv"))
    chunking = merge_split_passages(source.passages)
    files = {
        "corpus.jsonl": _json_lines(_passage_row(passage) for passage in source.passages.values()),
        "queries.jsonl": _json_lines(_question_row(question) for question in source.questions.values()),
        "qrels/test.tsv": _qrels(judgments),
        "qrels/lexical_pool.tsv": _qrels(judgments_in_pool(judgments, lexical_pool)),
        "qrels/merged.tsv": _qrels(merge_judgments(judgments, chunking)),
        "chunkings/merged.jsonl": _json_lines(_passage_row(passage) for passage in chunking.merged.values()),
        "chunkings/map.tsv": _table(("passage", "merged"), chunking.replaced_by.items()),
        "near_duplicates.csv": (source_folder / "near_duplicates.csv").read_text(encoding="utf-8"),
        "vocabulary.csv": (source_folder / "vocabulary.csv").read_text(encoding="utf-8"),
        "DATASHEET.md": datasheet(source, judgments, lexical_pool, source_folder),
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


def _json_lines(rows: Iterable[dict[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _qrels(judgments: Judgments) -> str:
    rows: list[tuple[str, ...]] = []
    for question_id, grades in judgments.items():
        best_first = sorted(grades.items(), key=lambda pair: (-pair[1], pair[0]))
        rows.extend((question_id, passage_id, str(value)) for passage_id, value in best_first)
    return _table(("query-id", "corpus-id", "score"), rows)


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "".join("\t".join(row) + "\n" for row in (header, *rows))


if __name__ == "__main__":
    for written_path in build():
        print(written_path.relative_to(SHIPPED_FOLDER))
