"""Kappa padded: what easy pairs, on which nobody could differ, do to the agreement of two annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from recall_lab.errors import RecallLabError
from recall_lab.labelling import cohen_kappa
from recall_lab.measures import check_k
from recall_lab.widgets.view import View, Whole, front_end
from recall_lab.widgets.wording import about, count

if TYPE_CHECKING:
    import pandas as pd

MOST_PAIRS = 5_000  # more would be too heavy for a page


class KappaPaddingView(View):
    """Two annotators' labels, padded with easy pairs that both call not relevant.

    Moving the slider adds such pairs. Not one of the pairs that were there is labelled better, and kappa and
    raw agreement move all the same.

    Parameters
    ----------
    first, second : the labels for the same pairs, in the same order.
    easy : the label that both give to every pair that is added.
    most : how many pairs can be added.
    added : how many are added to start with.

    Raises
    ------
    RecallLabError : the lists differ in length or are empty, or a number is out of range or not whole.

    Examples
    --------
    >>> view = KappaPaddingView([1] * 6 + [0] * 10 + [1] + [0] * 3, [1] * 6 + [0] * 10 + [0] + [1] * 3)
    >>> print(view.text)
    20 pairs, 0 easy ones added: kappa ≈ .588, raw agreement .80, by chance .515
    of the 20 pairs that were there they still agree on 16
    >>> view.added = 980
    >>> print(view.text.splitlines()[0])
    20 pairs, 980 easy ones added: kappa ≈ .748, raw agreement .996, by chance ≈ .984
    """

    title = "Kappa padded"
    _esm = front_end("kappa_padding.js")
    added = Whole()

    def __init__(
        self, first: Sequence[int], second: Sequence[int], *, easy: int = 0, most: int = 980, added: int = 0
    ) -> None:
        check_k(most, "most")
        if len(first) + most > MOST_PAIRS:
            raise RecallLabError(
                f"{len(first)} pairs and {most} easy ones are too many for a view; it shows {MOST_PAIRS:,}"
            )
        first, second = list(first), list(second)
        rows = [_row(first + [easy] * more, second + [easy] * more, more) for more in range(most + 1)]
        agreed = sum(a == b for a, b in zip(first, second, strict=True))
        super().__init__(
            data={"pairs": len(first), "agreed": agreed, "rows": rows},
            ranges={"added": (0, most)},
            added=added,
        )

    @property
    def state(self) -> dict[str, Any]:
        """How many pairs are added, and what comes of it."""
        row = self.data["rows"][self.added]
        return {name: row[name] for name in ("added", "kappa", "observed", "chance")}

    def table(self) -> pd.DataFrame:
        """Kappa, raw agreement and agreement by chance for every number of added pairs."""
        import pandas as pd

        return pd.DataFrame(self.data["rows"])[["added", "kappa", "observed", "chance"]]

    @property
    def text(self) -> str:
        """The agreement with and without the easy pairs, in words."""
        pairs, agreed = self.data["pairs"], self.data["agreed"]
        written = self.data["rows"][self.added]["written"]
        return (
            f"{count(pairs, 'pair')}, {count(self.added, 'easy one')} added: kappa {written['kappa']}, "
            f"raw agreement {written['observed']}, by chance {written['chance']}\n"
            f"of the {count(pairs, 'pair')} that were there they still agree on {agreed}"
        )


def _row(first: list[int], second: list[int], added: int) -> dict[str, Any]:
    """All numbers for one amount of padding."""
    n, kappa = len(first), cohen_kappa(first, second)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum(first.count(label) * second.count(label) for label in {*first}) / n**2
    values = {"kappa": kappa, "observed": observed, "chance": chance}
    return {"added": added, **values, "written": {name: about(value) for name, value in values.items()}}
