"""Why a relevant document is missed: classes told apart by interventions that really run, not by opinion.

from recall_lab.diagnosis import diagnose, shipped_interventions
diagnose(golden, run, k=10, interventions=shipped_interventions("keyword"))
"""

from __future__ import annotations

from recall_lab.diagnosis.hard import HardNegatives, hard_negatives, hard_positives
from recall_lab.diagnosis.interventions import (
    CAUSES,
    UNEXPLAINED,
    Deeper,
    ExactSearch,
    Intervention,
    MergedChunks,
    NotTried,
    OtherArm,
    OtherJudgments,
    SwapWords,
)
from recall_lab.diagnosis.misses import Diagnosis, Miss, Outcome, diagnose
from recall_lab.diagnosis.shipped import chunk_map, shipped_interventions, word_pairs

__all__ = [
    "CAUSES",
    "UNEXPLAINED",
    "Deeper",
    "Diagnosis",
    "ExactSearch",
    "HardNegatives",
    "Intervention",
    "MergedChunks",
    "Miss",
    "NotTried",
    "OtherArm",
    "OtherJudgments",
    "Outcome",
    "SwapWords",
    "chunk_map",
    "diagnose",
    "hard_negatives",
    "hard_positives",
    "shipped_interventions",
    "word_pairs",
]
