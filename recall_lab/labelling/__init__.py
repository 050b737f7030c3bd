"""Labelling by hand: pairs of question and passage, a log of labels that survives, agreement, export.

:class:`recall_lab.widgets.LabellingDesk` is the desk in front of it; everything here works without one.
"""

from recall_lab.labelling.agreement import Agreement, Decision, Disagreement, cohen_kappa
from recall_lab.labelling.events import Labels, read_labels
from recall_lab.labelling.export import as_judgments, export_grades
from recall_lab.labelling.log import LabelLog
from recall_lab.labelling.pairs import Pair, pairs_from_runs, pairs_from_texts, read_pairs

__all__ = [
    "Agreement",
    "Decision",
    "Disagreement",
    "LabelLog",
    "Labels",
    "Pair",
    "as_judgments",
    "cohen_kappa",
    "export_grades",
    "pairs_from_runs",
    "pairs_from_texts",
    "read_labels",
    "read_pairs",
]
