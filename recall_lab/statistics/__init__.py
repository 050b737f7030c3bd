"""How sure a measured number is: intervals, paired comparisons, sample sizes, and a gate for builds.

A mean over questions would come out differently with other questions. :mod:`intervals` says by how much;
:mod:`significance`, :mod:`paired` and :mod:`several` whether runs differ by more than that; :mod:`sizes` how
large a difference a set of questions can show at all; and :mod:`verdict` turns all that into a decision.
Questions are what is resampled, everywhere.
"""

from recall_lab.statistics.intervals import CurveBand, Interval, bootstrap_curve, bootstrap_mean, wilson
from recall_lab.statistics.paired import Comparison, compare
from recall_lab.statistics.several import compare_all, holm
from recall_lab.statistics.significance import PairedTest, compare_values
from recall_lab.statistics.sizes import (
    fewest_questions,
    questions_needed,
    questions_needed_unpaired,
    smallest_detectable_difference,
)
from recall_lab.statistics.verdict import Verdict, gate, gate_values

__all__ = [
    "Comparison",
    "CurveBand",
    "Interval",
    "PairedTest",
    "Verdict",
    "bootstrap_curve",
    "bootstrap_mean",
    "compare",
    "compare_all",
    "compare_values",
    "fewest_questions",
    "gate",
    "gate_values",
    "holm",
    "questions_needed",
    "questions_needed_unpaired",
    "smallest_detectable_difference",
    "wilson",
]
