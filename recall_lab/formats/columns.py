"""What reading a file gives: plain columns, and what was noticed. No rule of measurement is applied yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall_lab.notices import Notice


@dataclass(frozen=True)
class RunColumns:
    """A run as it stands in its file, grouped by query.

    Ten million ids cost 700 MB as Python strings and 150 MB as joined texts, hence ``documents``.

    Parameters
    ----------
    query_ids : distinct query ids, in order of first appearance.
    starts : the rows of query ``i`` go from ``starts[i]`` to before ``starts[i + 1]``; there may be none.
    documents : one text per query: its document ids joined by ``"\\n"``, in file order, without repeats.
    scores : one finite number per row; a list without scores counts down ``n, n - 1, ... 1``.
    name : the run's tag, or the file's name without its endings.
    notices : what was noticed.
    """

    query_ids: list[str]
    starts: NDArray[np.int64]
    documents: list[str]
    scores: NDArray[np.float64]
    name: str
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True)
class Judgments:
    """Judgments as they stand in their file.

    Parameters
    ----------
    grades : for each query its judged documents and their grades; ``{}`` means R = 0.
    questions : the questions' texts, where the file has them.
    layout : ``"trec"``, ``"beir"`` or ``"golden"`` (lists of relevant ids, which all count grade 1).
    notices : what was noticed.
    """

    grades: dict[str, dict[str, int]]
    questions: dict[str, str]
    layout: str
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True)
class Corpus:
    """Passages: for each id its title (may be empty) and its text; ``extras`` are what else it has."""

    passages: dict[str, tuple[str, str]]
    extras: dict[str, dict[str, Any]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True)
class Queries:
    """Questions: for each id its text, its type where the file gives one (``metadata.type``), and extras."""

    texts: dict[str, str]
    types: dict[str, str]
    extras: dict[str, dict[str, Any]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
