"""Recall Lab: measure retrieval with recall@k, and learn how.

The names a learner types, loaded when they are first used, so that ``import recall_lab`` is quick::

    from recall_lab import GoldenDataset, Run, evaluate, recall_at_k
    golden = GoldenDataset.load("library_of_things")
    e = evaluate(golden, Run.read("my_system.run"))
    e.summary((5, 10, 50))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "Evaluation",
    "GoldenDataset",
    "RecallLabError",
    "Run",
    "achievable_recall_at_k",
    "another",
    "average_precision",
    "capped_recall_at_k",
    "check",
    "evaluate",
    "hint",
    "hit_rate_at_k",
    "judged_at_k",
    "mean_hit_rate_at_k",
    "mean_recall_at_k",
    "micro_recall_at_k",
    "ndcg_at_k",
    "perfect_rerank",
    "precision_at_k",
    "predict",
    "progress",
    "r_precision",
    "recall_at_k",
    "reciprocal_rank_at_k",
    "rerank_headroom_at_k",
    "reveal",
    "yours_or_ours",
]

if TYPE_CHECKING:
    from recall_lab.errors import RecallLabError
    from recall_lab.evaluation import Evaluation, evaluate
    from recall_lab.exercises import another, check, hint, predict, progress, reveal, yours_or_ours
    from recall_lab.golden import GoldenDataset
    from recall_lab.measures import (
        achievable_recall_at_k,
        average_precision,
        capped_recall_at_k,
        hit_rate_at_k,
        judged_at_k,
        mean_hit_rate_at_k,
        mean_recall_at_k,
        micro_recall_at_k,
        ndcg_at_k,
        perfect_rerank,
        precision_at_k,
        r_precision,
        recall_at_k,
        reciprocal_rank_at_k,
        rerank_headroom_at_k,
    )
    from recall_lab.run import Run


_NAMES_OF = {
    "errors": ["RecallLabError"],
    "evaluation": ["Evaluation", "evaluate"],
    "exercises": ["another", "check", "hint", "predict", "progress", "reveal", "yours_or_ours"],
    "golden": ["GoldenDataset"],
    "measures": [name for name in __all__ if name.endswith("_at_k")]
    + ["average_precision", "perfect_rerank", "r_precision"],
    "run": ["Run"],
}
_HOME_OF = {name: f"recall_lab.{home}" for home, names in _NAMES_OF.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'recall_lab' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
