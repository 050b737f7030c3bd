"""Live systems that produce a ``Run``, and the frozen runs of each. Loaded when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME_OF = {
    "KeywordRetriever": "keyword",
    "VectorRetriever": "vector",
    "HybridRetriever": "fusion",
    "fuse_runs": "fusion",
    "reciprocal_rank_fusion": "fusion",
    "Reranker": "rerank",
    "rerank_run": "rerank",
    "ApproximateRetriever": "approximate",
    "Retriever": "base",
    "frozen_run": "shipped",
    "frozen_runs": "shipped",
    "merged_passages": "shipped",
}

__all__ = [
    "ApproximateRetriever",
    "HybridRetriever",
    "KeywordRetriever",
    "Reranker",
    "Retriever",
    "VectorRetriever",
    "frozen_run",
    "frozen_runs",
    "fuse_runs",
    "merged_passages",
    "reciprocal_rank_fusion",
    "rerank_run",
]

if TYPE_CHECKING:
    from recall_lab.retrieval.approximate import ApproximateRetriever
    from recall_lab.retrieval.base import Retriever
    from recall_lab.retrieval.fusion import HybridRetriever, fuse_runs, reciprocal_rank_fusion
    from recall_lab.retrieval.keyword import KeywordRetriever
    from recall_lab.retrieval.rerank import Reranker, rerank_run
    from recall_lab.retrieval.shipped import frozen_run, frozen_runs, merged_passages
    from recall_lab.retrieval.vector import VectorRetriever


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'recall_lab.retrieval' has no attribute {name!r}")
    return getattr(import_module(f"recall_lab.retrieval.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
