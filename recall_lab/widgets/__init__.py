"""Interactive views, each an ipywidgets widget in a notebook and alive without a kernel in a static page.

:mod:`recall_lab.widgets.view` tells how to add one. Imports are lazy: a view brings only what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_VIEWS = {
    "AveragesView": "averages",
    "ConventionSwitchesView": "convention_switches",
    "KCapMixerView": "kcap_mixer",
    "KappaPaddingView": "kappa_padding",
    "LabellingDesk": "labelling_desk",
    "ProgressView": "progress",
    "RankedListView": "ranked_list",
    "RecallCurveView": "recall_curve",
}

__all__ = [*_VIEWS]


def __getattr__(name: str) -> Any:
    if name in _VIEWS:
        return getattr(import_module(f"recall_lab.widgets.{_VIEWS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_VIEWS])
