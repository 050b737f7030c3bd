"""A run: for every query, the documents a system returned, best first."""

from __future__ import annotations

import os
from collections.abc import Collection, ItemsView, Iterable, Iterator, KeysView, Mapping, Sized, ValuesView
from math import isfinite
from pathlib import Path
from struct import error as PackingError
from struct import pack
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError, shorten
from recall_lab.formats import RunColumns, read_run, write_run
from recall_lab.formats.find import places_of
from recall_lab.ids import as_ranking, check_first_id, check_ids, check_name, kind_of, known, table_way_out
from recall_lab.measures import check_k
from recall_lab.notices import Notice

Results = Mapping[Any, Mapping[Any, float] | Iterable[Any]]


class Run:
    """The ranked results of one system: documents by query, in order or with scores.

    Results with scores are ordered by score (as 64-bit float), highest first; equal scores by document id,
    highest text first, which is trec_eval's rule. A list is in rank order as it stands. What is given is
    neither copied nor changed, so a run costs no memory beside its data. It is read like a dict of lists:
    ``run["q1"]``, ``"q1" in run``, ``len(run)``, ``keys``, ``values``, ``items`` and ``get``.

    Parameters
    ----------
    results : for every query id a dict ``{document id: score}``, or a list of document ids, best first.
    name : what to call the system in tables.
    notices : what was noticed while the results were read.

    Raises
    ------
    RecallLabError : a score is no finite number, a document appears twice for a query, or the shape is
        another one.

    Examples
    --------
    >>> run = Run({"q1": {"d1": 1.7, "d3": 2.1, "d2": 1.7}, "q2": ["d9", "d4"]}, name="my system")
    >>> run
    Run 'my system': 2 queries, up to 3 documents each
    >>> run.ranking("q1")
    ['d3', 'd2', 'd1']
    >>> run.ranking("q2", depth=1)
    ['d9']
    """

    def __init__(self, results: Results, *, name: str = "", notices: Iterable[Notice] = ()) -> None:
        if not isinstance(results, Mapping):
            raise RecallLabError(
                f"a run is made from a dict such as {{'q1': ['d3', 'd1']}}, not a {type(results).__name__}; "
                f"Run.read(path) reads a file{table_way_out(results, 'score')}"
            )
        if not all(isinstance(found, Mapping | list | tuple) for found in results.values()):
            results = {query: _as_results(query, found) for query, found in results.items()}
        self._results: Results | RunColumns = results
        self._rows: dict[Any, int] = {}
        self.name = check_name(name)
        self.notices = list(notices)
        for query_id, found in results.items():
            kind_of(query_id)
            self.look_up(query_id)
            check_ids(found, _results_of(query_id))

    @classmethod
    def of(cls, results: Results) -> Run:
        """A run around plain results whose queries are checked when they are first looked up, not before.

        Measuring uses it: it looks every judged query up anyway. Of a dict's ids the first and the judged
        ones are checked, of a list's all; ``Run(results)`` checks all of both.
        """
        if not isinstance(results, Mapping):
            return cls(results)
        run = cls({})
        if not all(isinstance(found, Sized) for found in results.values()):  # an iterator can be read once
            results = {
                query: found if isinstance(found, Sized) else _as_results(query, found)
                for query, found in results.items()
            }
        run._results = results
        return run

    @classmethod
    def of_columns(cls, columns: RunColumns, name: str = "") -> Run:
        """A run around the columns that a reader returned, kept as they are, so that it stays small."""
        run = cls({}, name=name or columns.name, notices=columns.notices)
        run._results = columns
        run._rows = {query_id: row for row, query_id in enumerate(columns.query_ids)}
        return run

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        duplicates: Literal["error", "keep-best"] = "error",
        extra_words: bool = False,
        name: str | None = None,
    ) -> Run:
        """Read a run file: TREC (six columns), CSV or TSV (``query_id,doc_id,score``), JSONL; ``.gz`` too.

        Parameters
        ----------
        path : the file.
        duplicates : a document twice for one query is an error; ``"keep-best"`` keeps the best and says how
            many fell.
        extra_words : accept words after the sixth column of a TREC file.
        name : what to call the system; by default the file's run tag, or else the file's name without ending.

        Raises
        ------
        InputFileError : the file is not such a file; the message names line, text and way out.
        """
        chosen = "" if name is None else check_name(name)
        columns = read_run(path, duplicates=duplicates, extra_words=extra_words)
        return cls.of_columns(columns, chosen or columns.name or Path(path).name.split(".")[0])

    def write(self, path: str | os.PathLike[str]) -> list[Notice]:
        """Write the run in rank order: ``.jsonl``, ``.csv`` or ``.tsv`` by ending, else TREC; ``.gz`` too.

        Scores are written so that they read back exactly. A list without scores is written with n, n−1, … 1.

        Returns
        -------
        What the format could not hold, such as a query without results in a TREC file.

        Raises
        ------
        RecallLabError : an id that the format cannot hold.
        FolderError : the file cannot be written.
        """
        rows = ((query_id, *self._written(query_id)) for query_id in self)
        return write_run(path, rows, name=self.name or "recall_lab")

    def _written(self, query_id: Any) -> tuple[list[Any], list[float]]:
        scores, _ = self.look_up(query_id)
        ranking = self.ranking(query_id)
        return ranking, [float(scores[doc]) for doc in ranking]

    @property
    def query_ids(self) -> list[Any]:
        """Ids of the queries, in the order met."""
        return list(self)

    def __len__(self) -> int:
        return len(self._rows) if isinstance(self._results, RunColumns) else len(self._results)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows if isinstance(self._results, RunColumns) else self._results)

    def __contains__(self, query_id: object) -> bool:
        return known(query_id, self._rows if isinstance(self._results, RunColumns) else self._results)

    def __getitem__(self, query_id: Any) -> list[Any]:
        return self.ranking(query_id)

    def keys(self) -> KeysView[Any]:
        """Ids of the queries, as a dict has them."""
        return KeysView(self)

    def values(self) -> ValuesView[list[Any]]:
        """The rankings, as a dict of lists has them."""
        return ValuesView(self)

    def items(self) -> ItemsView[Any, list[Any]]:
        """Query ids and rankings: ``dict(run)`` is a dict of lists, without the scores.

        >>> list(Run({"q1": {"d1": 1.7, "d3": 2.1}}).items())
        [('q1', ['d3', 'd1'])]
        """
        return ItemsView(self)

    def get(self, query_id: Any, default: Any = None) -> Any:
        """The ranking of a query, or ``default`` where the run has none."""
        return self.ranking(query_id) if query_id in self else default

    def ranking(self, query_id: Any, depth: int | None = None) -> list[Any]:
        """Document ids of one query in rank order, the first ``depth`` of them or all.

        Raises
        ------
        RecallLabError : the run has no such query, or the depth is no whole number from 1.
        """
        found = self._known(query_id)
        if depth is not None:
            check_k(depth, "depth")
        if isinstance(found, list | tuple):
            return list(found[:depth])
        scores, _ = self.look_up(query_id)
        by_rule = sorted(scores, key=lambda doc: (float(scores[doc]), str(doc)), reverse=True)
        return by_rule[:depth]

    def scores(self, query_id: Any) -> dict[Any, float]:
        """Scores of one query's documents, in the order given; a list scores n, n−1, … 1.

        >>> Run({"q2": ["d9", "d4"]}).scores("q2")
        {'d9': 2.0, 'd4': 1.0}
        """
        self._known(query_id)
        return {doc: float(score) for doc, score in self.look_up(query_id)[0].items()}

    def depth(self, query_id: Any) -> int:
        """Number of documents returned for a query; 0 if the run does not have it."""
        if query_id not in self:
            return 0
        if isinstance(self._results, RunColumns):
            row = self._rows[query_id]
            return int(self._results.starts[row + 1] - self._results.starts[row])
        return len(self._results[query_id])  # type: ignore[arg-type]

    def look_up(
        self, query_id: Any, wanted: Collection[Any] | None = None
    ) -> tuple[Mapping[Any, float], NDArray[np.float64]]:
        """Score by document of one query, for probing, and all its scores in ascending order.

        A dict of the caller's is handed out as it is, never copied: treat it as read-only.

        Parameters
        ----------
        query_id : a query of the run.
        wanted : where only the scores of these documents are asked for, others may be missing.

        Raises
        ------
        RecallLabError : a score is no finite number, an id is none, or a list names a document twice.
        """
        if isinstance(self._results, RunColumns):
            return _column_scores(self._results, self._rows[query_id], wanted)
        found = self._results[query_id]
        if isinstance(found, list):
            return _list_scores(query_id, found)
        if not isinstance(found, Mapping):
            return _list_scores(query_id, _as_results(query_id, found))
        if type(next(iter(found), "")) is not str:
            check_first_id(found, _results_of(query_id))
        try:
            ascending = np.sort(np.frombuffer(pack(f"{len(found)}d", *found.values())))
        except (PackingError, TypeError, OverflowError):
            raise _bad_score(query_id, found) from None
        if len(ascending) and not (isfinite(ascending[0]) and isfinite(ascending[-1])):  # NaN sorts last
            raise _bad_score(query_id, found)
        return found, ascending

    def _known(self, query_id: Any) -> Any:
        if query_id not in self:
            raise RecallLabError(f"the run has no query {shorten(repr(query_id))}")
        return None if isinstance(self._results, RunColumns) else self._results[query_id]

    def __eq__(self, other: object) -> bool:
        """Equal when the same queries have the same documents with the same scores; names do not count."""
        if not isinstance(other, Run):
            return NotImplemented
        return set(self) == set(other) and all(self.scores(query) == other.scores(query) for query in self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        deepest = max((self.depth(query_id) for query_id in self), default=0)
        queries = "1 query" if len(self) == 1 else f"{len(self)} queries"
        documents = "1 document" if deepest == 1 else f"{deepest} documents"
        return f"Run{name}: {queries}, up to {documents} each"


def _as_results(query_id: Any, found: Any) -> Any:
    if isinstance(found, Mapping):
        return found
    if hasattr(found, "to_dict"):
        check_first_id(found, _results_of(query_id))
    return as_ranking(found, _results_of(query_id))


def _results_of(query_id: Any) -> str:
    return f"the results of query {query_id!r}"


def _list_scores(query_id: Any, ranking: list[Any]) -> tuple[dict[Any, float], NDArray[np.float64]]:
    check_ids(ranking, _results_of(query_id))
    ascending = np.arange(1, len(ranking) + 1, dtype=np.float64)
    by_document = dict(zip(ranking, ascending[::-1].tolist(), strict=True))
    if len(by_document) < len(ranking):
        seen: set[Any] = set()
        repeat = next(doc for doc in ranking if doc in seen or seen.add(doc))  # type: ignore[func-returns-value]
        raise RecallLabError(
            f"query {query_id!r} lists document {repeat!r} twice; "
            "keep each document once: list(dict.fromkeys(ids)) keeps the first"
        )
    return by_document, ascending


def _column_scores(
    columns: RunColumns, row: int, wanted: Collection[Any] | None
) -> tuple[dict[str, float], NDArray[np.float64]]:
    scores = columns.scores[columns.starts[row] : columns.starts[row + 1]]
    joined = columns.documents[row]
    if wanted is None or not set(map(type, wanted)) <= {str}:
        documents = joined.split("\n") if len(scores) else []
        return dict(zip(documents, scores.tolist(), strict=True)), np.sort(scores)
    places = places_of(wanted, joined) if len(scores) and wanted else {}
    return {document: scores[place] for document, place in places.items()}, np.sort(scores)


def _bad_score(query_id: Any, scores: Mapping[Any, Any]) -> RecallLabError:
    for doc, score in scores.items():
        try:
            usable = not isinstance(score, str | bytes) and isfinite(float(score))
        except (TypeError, ValueError, OverflowError):
            usable = False
        if not usable:
            return RecallLabError(
                f"the score of document {doc!r} for query {query_id!r} is {score!r}; "
                "a score is a finite number"
            )
    return RecallLabError(f"the scores of query {query_id!r} are not numbers")
