"""The ranked list with a cutoff k: what recall@k, precision@k, hit rate@k and the ceiling count."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recall_lab.errors import RecallLabError
from recall_lab.ids import as_id_set, as_ranking
from recall_lab.measures import achievable_recall_at_k, check_k, hit_rate_at_k, precision_at_k, recall_at_k
from recall_lab.widgets.view import View, Whole, front_end
from recall_lab.widgets.wording import UNDEFINED, count, decimal, equals, plain

if TYPE_CHECKING:
    from recall_lab.golden import GoldenDataset
    from recall_lab.run import Run

DEEPEST_K = 1000  # a table over more cutoffs would be too heavy for a page
MEASURES = {"recall": "recall", "precision": "precision", "hit_rate": "hit rate", "ceiling": "ceiling"}
NAMED_MISSES = 5  # relevant passages outside the list that are named one by one


class RankedListView(View):
    """One question's ranked passages, and what the first k of them are worth.

    Moving k moves the cut through the list, and recall, precision, hit rate and ceiling with it.

    Parameters
    ----------
    retrieved : ids of the passages in rank order, best first.
    relevant : ids of all relevant passages, found or not.
    passages : the passages by id, each a text or an object with ``title`` and ``text``; an id without one is
        shown alone.
    question : the question, shown above the list.
    k : the cutoff to start with.
    k_max : the largest cutoff; the length of the list unless given (at least 1, at most 1000).

    Raises
    ------
    RecallLabError : ``k`` is not a whole number between 1 and ``k_max``, or ids are not given as a list.

    Examples
    --------
    >>> view = RankedListView(["d1", "d2", "d3", "d4"], {"d2", "d4", "d9"}, k=2)
    >>> print(view.text)
    Ranked list, cut at k = 2
    R = 3 relevant passages in all; 2 of them in this list of 4
    recall@2: 1/3 ≈ .333 · precision@2: 1/2 = .50 · hit rate@2: 1 · ceiling@2: 2/3 ≈ .667
      1  d1
      2  d2  (relevant)
    ---- cut at k = 2 ----
      3  d3
      4  d4  (relevant below the cut)
    not in this list: d9
    >>> view.k = 4
    >>> view.state["recall"] == 2 / 3
    True
    """

    title = "Ranked list"
    _esm = front_end("ranked_list.js")
    k = Whole()

    def __init__(
        self,
        retrieved: Sequence[Hashable],
        relevant: Iterable[Hashable],
        *,
        passages: Mapping[Any, Any] | None = None,
        question: str = "",
        k: int = 1,
        k_max: int | None = None,
    ) -> None:
        retrieved = as_ranking(retrieved, "retrieved")
        relevant = as_id_set(relevant, "relevant")
        deepest = max(len(retrieved), 1) if k_max is None else k_max
        if check_k(deepest, "k_max") > DEEPEST_K:
            raise RecallLabError(f"k_max is {deepest}; a view shows at most {DEEPEST_K} cutoffs")
        found = set(retrieved)
        missed = sorted((id_ for id_ in relevant if id_ not in found), key=str)
        data = {
            "question": plain(question, 400),
            "relevant": len(relevant),
            "known": f"R = {count(len(relevant), 'relevant passage')} in all; "
            f"{len(relevant) - len(missed)} of them in this list of {len(retrieved)}",
            "passages": _listed(retrieved, relevant, passages or {}),
            "missed": [_shown(id_, passages or {}) for id_ in missed[:NAMED_MISSES]],
            "missed_more": max(len(missed) - NAMED_MISSES, 0),
            "rows": [_row(retrieved, relevant, cutoff) for cutoff in range(1, int(deepest) + 1)],
        }
        super().__init__(data=data, ranges={"k": (1, int(deepest))}, k=k)

    @classmethod
    def for_question(
        cls, golden: GoldenDataset, run: Run, query_id: str, depth: int = 20, k: int = 1
    ) -> RankedListView:
        """The view of one question of a golden dataset, as a run answered it down to ``depth``.

        A question the run does not answer shows an empty list.
        """
        if query_id not in golden.questions:
            raise RecallLabError(f"no question {query_id!r} in this golden dataset")
        retrieved = run.ranking(query_id, depth) if query_id in run.query_ids else []
        return cls(
            retrieved,
            golden.relevant(query_id),
            passages=golden.passages,
            question=golden.questions[query_id],
            k=k,
        )

    @property
    def state(self) -> dict[str, Any]:
        """k, the hits among the first k, how many relevant exist, and the four measures (or ``None``)."""
        return _numbers(self.data["rows"][self.k - 1], self.data["relevant"])

    def table(self) -> Any:
        """A table with one row per k and the columns of :attr:`state`."""
        import pandas as pd

        return pd.DataFrame([_numbers(row, self.data["relevant"]) for row in self.data["rows"]])

    @property
    def text(self) -> str:
        """The list, its cut and the four measures in words."""
        row = self.data["rows"][self.k - 1]
        question = self.data["question"]
        lines = [
            f"Ranked list{f' for “{question}”' if question else ''}, cut at k = {self.k}",
            self.data["known"],
            row["summary"],
        ]
        passages = self.data["passages"]
        for rank, passage in enumerate(passages, start=1):
            below = " below the cut" if passage["relevant"] and rank > self.k else ""
            note = f"({passage['note']}{below})" if passage["note"] else ""
            parts = (passage["id"], passage["title"], note)
            lines.append(f"{rank:3}  " + "  ".join(part for part in parts if part))
            if rank == self.k:
                lines.append(f"---- cut at k = {self.k} ----")
        if not passages:
            lines.append("the list is empty")
        if self.data["missed"]:
            named = [passage["id"] for passage in self.data["missed"]]
            more = self.data["missed_more"]
            lines.append("not in this list: " + ", ".join(named) + (f" and {more} more" if more else ""))
        return "\n".join(lines)


def _listed(
    retrieved: list[Hashable], relevant: set[Hashable], passages: Mapping[Any, Any]
) -> list[dict[str, str | bool]]:
    """The passages as the page shows them. A repeat is not counted, and says of which rank it is one."""
    first_rank: dict[Hashable, int] = {}
    listed: list[dict[str, str | bool]] = []
    for rank, id_ in enumerate(retrieved, start=1):
        first = first_rank.setdefault(id_, rank)
        note = f"repeat of rank {first}" if first < rank else "relevant" if id_ in relevant else ""
        listed.append({**_shown(id_, passages), "relevant": note == "relevant", "note": note})
    return listed


def _shown(id_: Hashable, passages: Mapping[Any, Any]) -> dict[str, str]:
    passage = passages.get(id_, "")
    text = passage if isinstance(passage, str) else passage.text
    title = "" if isinstance(passage, str) else passage.title
    return {"id": plain(id_, 60), "title": plain(title, 120), "snippet": plain(text, 240)}


def _row(retrieved: list[Hashable], relevant: set[Hashable], k: int) -> dict[str, Any]:
    """Everything shown at cutoff k: each measure's value, how it is written, and what it says."""
    exist = len(relevant)
    precision = precision_at_k(retrieved, relevant, k)
    hits = round(precision * k)  # precision@k · k is the number of hits, which recall@k shares
    hit = hit_rate_at_k(retrieved, relevant, k)
    best = min(k, exist)
    row: dict[str, Any] = {
        "k": k,
        "hits": hits,
        "recall": _measure(
            recall_at_k(retrieved, relevant, k), f"{hits}/{exist}", f"{hits} of the {exist} relevant found"
        ),
        "precision": _measure(precision, f"{hits}/{k}", f"{hits} of the top {k} relevant"),
        "hit_rate": _measure(hit, "", "at least one found" if hit else "none found yet"),
        "ceiling": _measure(
            achievable_recall_at_k([exist], k),
            f"{best}/{exist}",
            f"{best} of {exist} would fit in the top {k}",
        ),
    }
    row["summary"] = " · ".join(f"{name}@{k}: {row[key]['written']}" for key, name in MEASURES.items())
    return row


def _measure(value: float | None, fraction: str, words: str) -> dict[str, Any]:
    if value is None:
        return {
            "value": None,
            "written": UNDEFINED,
            "words": "no relevant passage exists: nothing to divide by",
        }
    return {
        "value": value,
        "written": f"{fraction} {equals(value)}" if fraction else decimal(value),
        "words": words,
    }


def _numbers(row: dict[str, Any], relevant: int) -> dict[str, Any]:
    return {"k": row["k"], "hits": row["hits"], "relevant": relevant} | {
        key: row[key]["value"] for key in MEASURES
    }
