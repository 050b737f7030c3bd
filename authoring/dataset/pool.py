"""Find the pairs that were looked at, with live searches; the builder reads what this writes.

Run ``python -m authoring.dataset.pool`` (needs the extra ``retrieval``) after the text has changed, look
at the new pairs, mend the source, then build. The pairs are kept in the source, so a build needs no search.

* ``lexical_pool.tsv``: the top ten of five keyword searches.
* ``reviewed_pairs.tsv``: the top twenty of keyword and of vector search, the lexical pool, and the pairs that
  the annotators labelled.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from authoring.dataset.source import SOURCE_FOLDER, Source, read_annotation_key, read_source
from recall_lab.retrieval.keyword import STOP_WORDS, KeywordRetriever

LEXICAL_DEPTH = 10
REVIEW_DEPTH = 20

LEXICAL_VARIANTS: tuple[dict[str, object], ...] = (
    {},
    {"k1": 0.9, "b": 0.4},
    {"k1": 2.0, "b": 0.9},
    {"k1": 1.2, "b": 0.0},
    {"stop_words": frozenset()},
)

Search = Callable[[str, int], list[str]]


def passage_texts(source: Source) -> dict[str, str]:
    """Title and text of every passage, which is what the searches see."""
    return {passage.id: f"{passage.title} {passage.text}" for passage in source.passages.values()}


def keyword_search(texts: dict[str, str], **settings: object) -> Search:
    """BM25 with the settings given."""
    retriever = KeywordRetriever(texts, **({"stop_words": STOP_WORDS} | settings))  # type: ignore[arg-type]
    return lambda question, depth: [passage_id for passage_id, _ in retriever.search(question, depth)]


def vector_search(texts: dict[str, str]) -> Search:
    """Cosine similarity of wordllama's embeddings, which ship inside its wheel."""
    import wordllama

    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    ids = sorted(texts, reverse=True)
    matrix = model.embed([texts[passage_id] for passage_id in ids], norm=True)

    def search(question: str, depth: int) -> list[str]:
        scores = np.round(matrix @ model.embed([question], norm=True)[0], 6)
        return [ids[i] for i in np.argsort(-scores, kind="stable")[:depth]]

    return search


def pool(source: Source, searches: list[Search], depth: int) -> dict[str, set[str]]:
    """Passages that at least one search finds for a question, by question id."""
    return {
        question.id: {passage_id for search in searches for passage_id in search(question.text, depth)}
        for question in source.questions.values()
    }


def write_pairs(path: Path, pairs: dict[str, set[str]]) -> None:
    """Write pairs as a table, in order of the ids."""
    rows = [("query-id", "corpus-id")]
    rows.extend(
        (question_id, passage_id)
        for question_id in sorted(pairs)
        for passage_id in sorted(pairs[question_id])
    )
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def main() -> None:
    """Search and write both tables."""
    source = read_source()
    texts = passage_texts(source)
    lexical = pool(
        source, [keyword_search(texts, **settings) for settings in LEXICAL_VARIANTS], LEXICAL_DEPTH
    )
    reviewed = pool(source, [keyword_search(texts), vector_search(texts)], REVIEW_DEPTH)
    for question_id, passages in reviewed.items():
        passages |= lexical[question_id]
    for question_id, passage_id in read_annotation_key(SOURCE_FOLDER / "annotation_key.tsv").values():
        reviewed[question_id].add(passage_id)
    write_pairs(SOURCE_FOLDER / "lexical_pool.tsv", lexical)
    write_pairs(SOURCE_FOLDER / "reviewed_pairs.tsv", reviewed)
    print(f"lexical pool: {_size(lexical)} pairs; looked at: {_size(reviewed)} pairs")


def _size(pairs: dict[str, set[str]]) -> int:
    return sum(len(passages) for passages in pairs.values())


if __name__ == "__main__":
    main()
