"""Macro, micro and hit rate of the same few lists: passages as squares, and who is ahead by which average."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recall_lab.errors import RecallLabError
from recall_lab.ids import as_ranking
from recall_lab.measures import check_k, mean_hit_rate_at_k, mean_recall_at_k, micro_recall_at_k
from recall_lab.widgets.view import View, Whole, front_end
from recall_lab.widgets.wording import about, equals, plain, short_names

if TYPE_CHECKING:
    import pandas as pd

    from recall_lab.golden import GoldenDataset
    from recall_lab.run import Run

# A measure gives None only where no question has anything to find, which the view refuses.
AVERAGES: dict[str, tuple[str, Callable[[Any, int], Any]]] = {
    "macro": ("Macro", mean_recall_at_k),
    "micro": ("Micro", micro_recall_at_k),
    "hit_rate": ("Hit rate", mean_hit_rate_at_k),
}
MOST_QUESTIONS = 8  # a handful, so that every passage can be seen
HEAVIEST_TABLE = 1_000  # states; more would be too heavy for a page
_LEVEL = 1e-9  # what adding floats in another order can do


class AveragesView(View):
    """One or two systems over a handful of questions, and the three averages of their recall.

    Moving k deepens every list. Moving ``size`` resizes one question: only the first ``size`` of its relevant
    passages exist then, while the lists stay as they are.

    Parameters
    ----------
    relevant : for each question, the ids of its relevant passages. Those of the resized question come into
        being in the order given (a set is sorted).
    runs : for each of one or two systems, ranked ids by question; a question without a list found nothing.
    titles : what to call a question in full; its id where none is given.
    resize : the question whose size can be moved, if any.
    size : how many relevant passages that question has to start with; all of them unless given.
    k : the cutoff to start with.
    k_max : the largest cutoff.

    Raises
    ------
    RecallLabError : a number is out of range, there are more systems or questions than can be shown, or no
        question has anything to find.

    Examples
    --------
    Two of two found, and three of thirty:

    >>> view = AveragesView(
    ...     {"small": ["a", "b"], "large": range(1, 31)},
    ...     {"search": {"small": ["a", "b"], "large": [1, 2, 3]}},
    ...     k=10,
    ... )
    >>> print(view.text)
    Averages at k = 10
    Macro: search = .55
    Micro: search ≈ .156
    Hit rate: search = 1
    macro is above micro
    small, R = 2: search 2/2
    large, R = 30: search 3/30
    """

    title = "Averages"
    _esm = front_end("averages.js")
    k = Whole()
    size = Whole()

    def __init__(
        self,
        relevant: Mapping[str, Iterable[Hashable]],
        runs: Mapping[str, Mapping[str, Sequence[Hashable]]],
        *,
        titles: Mapping[str, str] | None = None,
        resize: str | None = None,
        size: int | None = None,
        k: int = 10,
        k_max: int = 20,
    ) -> None:
        check_k(k_max, "k_max")
        if not 1 <= len(runs) <= 2:
            raise RecallLabError(f"this view shows one system or two, not {len(runs)}")
        if not 1 <= len(relevant) <= MOST_QUESTIONS:
            raise RecallLabError(f"this view shows 1 to {MOST_QUESTIONS} questions, not {len(relevant)}")
        if resize is not None and resize not in relevant:
            raise RecallLabError(f"no question {resize!r} to resize; there are {', '.join(relevant)}")
        wanted = {question: _in_order(ids, question) for question, ids in relevant.items()}
        if not any(wanted.values()):
            raise RecallLabError("no question has a relevant passage, so there is nothing to average")
        largest = len(wanted[resize]) if resize is not None else 1
        if largest == 0:
            raise RecallLabError(f"question {resize!r} has no relevant passage, so it has no size to move")
        if largest * k_max > HEAVIEST_TABLE:
            raise RecallLabError(f"{largest} sizes and k_max {k_max} are too many for a view")
        lists = {
            name: {
                question: as_ranking(run.get(question, []), f"{system}, {question}")[:k_max]
                for question in wanted
            }
            for name, (system, run) in zip(short_names(runs, 30), runs.items(), strict=True)
        }
        named = titles or {}
        data = {
            "systems": list(lists),
            "questions": [
                {"title": plain(named.get(question, question), 120), "relevant": len(ids)}
                for question, ids in wanted.items()
            ],
            "resized": list(wanted).index(resize) if resize is not None else None,
            # by size, then k
            "rows": [
                _row(_resized(wanted, resize, exist), lists, exist, cutoff)
                for exist in range(1, largest + 1)
                for cutoff in range(1, k_max + 1)
            ],
        }
        super().__init__(
            data=data,
            ranges={"k": (1, k_max), "size": (1, largest)},
            k=k,
            size=largest if size is None else size,
        )

    @classmethod
    def for_questions(
        cls, golden: GoldenDataset, runs: Mapping[str, Run], question_ids: Sequence[str], **choices: Any
    ) -> AveragesView:
        """The view of some questions of a golden dataset, as runs answered them; ``choices`` as above."""
        if unknown := [question for question in question_ids if question not in golden.questions]:
            raise RecallLabError(f"no question {unknown[0]!r} in this golden dataset")
        depth = choices.get("k_max", 20)
        return cls(
            {question: golden.relevant(question) for question in question_ids},
            {
                system: {q: run.ranking(q, depth) for q in question_ids if q in run.query_ids}
                for system, run in runs.items()
            },
            titles=golden.questions,
            **choices,
        )

    @property
    def state(self) -> dict[str, Any]:
        """k, the size of the resized question if there is one, and each average by system."""
        return self._numbers(self._shown)

    def table(self) -> pd.DataFrame:
        """A row for every size and k, with a column for each average of each system."""
        import pandas as pd

        rows = []
        for row in self.data["rows"]:
            numbers = self._numbers(row)
            averages = {
                f"{average} {system}": value
                for average in AVERAGES
                for system, value in numbers.pop(average).items()
            }
            rows.append(numbers | averages)
        return pd.DataFrame(rows)

    @property
    def text(self) -> str:
        """The averages, who is ahead, and each question's hits, in words."""
        row, systems = self._shown, self.data["systems"]
        lines = [f"Averages at k = {row['k']}"]
        for average, (name, _) in AVERAGES.items():
            values = zip(systems, row[average], strict=True)
            lines.append(f"{name}: " + " · ".join(f"{system} {equals(value)}" for system, value in values))
        lines.append(row["verdict"])
        for i, (question, found) in enumerate(zip(self.data["questions"], row["found"], strict=True)):
            exist = row["size"] if i == self.data["resized"] else question["relevant"]
            hits = zip(systems, found, strict=True)
            told = " · ".join(f"{system} {count}/{exist}" for system, count in hits) if exist else "left out"
            lines.append(f"{question['title']}, R = {exist}: {told}")
        return "\n".join(lines)

    @property
    def _shown(self) -> dict[str, Any]:
        return self.data["rows"][(self.size - 1) * self.ranges["k"][1] + self.k - 1]

    def _numbers(self, row: dict[str, Any]) -> dict[str, Any]:
        moving = {"k": row["k"]} | ({} if self.data["resized"] is None else {"size": row["size"]})
        by_system = {
            average: dict(zip(self.data["systems"], row[average], strict=True)) for average in AVERAGES
        }
        return moving | by_system


def _in_order(ids: Iterable[Hashable], question: str) -> list[Hashable]:
    """Distinct ids, as given or, where they come without an order, sorted."""
    in_order = sorted(ids, key=str) if isinstance(ids, set | frozenset) else ids
    return list(dict.fromkeys(as_ranking(in_order, f"relevant, {question}")))


def _resized(wanted: dict[str, list[Hashable]], resize: str | None, size: int) -> dict[str, list[Hashable]]:
    return {question: ids[:size] if question == resize else ids for question, ids in wanted.items()}


def _row(
    wanted: dict[str, list[Hashable]], lists: dict[str, dict[str, list[Hashable]]], size: int, k: int
) -> dict[str, Any]:
    """Everything shown at one size and k: averages, who is ahead by each, and the hits of each question."""
    pairs = {system: [(run[q], ids) for q, ids in wanted.items()] for system, run in lists.items()}
    row: dict[str, Any] = {"size": size, "k": k, "written": {}, "ahead": {}}
    leaders = {}
    for average, (name, measure) in AVERAGES.items():
        values = [measure(of_system, k) for of_system in pairs.values()]
        leaders[name.lower()] = leader = _leader(list(lists), values)
        row[average] = values
        row["written"][average] = [about(value) for value in values]
        row["ahead"][average] = f"{leader} is ahead" if leader else "level"
    row["verdict"] = (
        _above(row["macro"][0], row["micro"][0]) if len(lists) == 1 else _winners(list(lists), leaders)
    )
    row["found"] = [
        [len(set(run[question][:k]).intersection(ids)) for run in lists.values()]
        for question, ids in wanted.items()
    ]
    return row


def _leader(systems: list[str], values: list[float]) -> str:
    """The system that is ahead; "" where none is."""
    if len(values) == 1 or abs(values[0] - values[1]) < _LEVEL:
        return ""
    return systems[0 if values[0] > values[1] else 1]


def _above(macro: float, micro: float) -> str:
    if abs(macro - micro) < _LEVEL:
        return "macro and micro are the same"
    return "macro is above micro" if macro > micro else "micro is above macro"


def _winners(systems: list[str], leaders: dict[str, str]) -> str:
    """Who is ahead by which averages, such as "a by macro and hit rate, b by micro"."""
    won = {system: [average for average, leader in leaders.items() if leader == system] for system in systems}
    told = [f"{system} is ahead by {_and(averages)}" for system, averages in won.items() if averages]
    level = [average for average, leader in leaders.items() if not leader]
    return "; ".join([*told, *([f"level by {_and(level)}"] if level else [])])


def _and(names: list[str]) -> str:
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last
