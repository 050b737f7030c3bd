"""Convention switches: one data set, and every number that different conventions make of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import traitlets

from recall_lab.errors import RecallLabError
from recall_lab.widgets.view import View, front_end
from recall_lab.widgets.wording import UNDEFINED, about, plain

if TYPE_CHECKING:
    import pandas as pd

MOST_COMBINATIONS = 3000  # a table over more would be too heavy for a page

Score = float | None | tuple[float | None, str]


class ConventionSwitchesView(View):
    """Switches for the conventions of a measure; each combination shows the number it gives.

    Parameters
    ----------
    conventions : for each convention its options; the first is the one to be followed.
    score : from the picked options, ``{convention: option}``, to the number they give (``None``:
        undefined); or to a pair of the number and its working, a short text. It is called once for every
        combination.
    measure : what the number is called.
    note : what the numbers are computed on.

    Raises
    ------
    RecallLabError : a convention has no options, or there are too many combinations.

    Examples
    --------
    >>> from recall_lab.measures import recall_at_k, precision_at_k
    >>> def score(picks):
    ...     measure = {"R": recall_at_k, "k": precision_at_k}[picks["divide by"]]
    ...     return measure(["a", "x", "b"], {"a", "b", "c", "d"}, {"k": 3, "k - 1": 2}[picks["cut at"]])
    >>> conventions = {"divide by": ["R", "k"], "cut at": ["k", "k - 1"]}
    >>> view = ConventionSwitchesView(conventions, score, measure="recall@3")
    >>> print(view.text)
    recall@3 = .50, with divide by: R; cut at: k
    >>> view.picks = {"divide by": "k"}
    >>> print(view.text)
    “recall@3” ≈ .667, where the convention gives .50; with divide by: k (not R); cut at: k
    """

    title = "Convention switches"
    _esm = front_end("convention_switches.js")
    picks = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        conventions: Mapping[str, Sequence[str]],
        score: Callable[[dict[str, str]], Score],
        *,
        measure: str = "recall@k",
        note: str = "",
    ) -> None:
        offered = {name: list(options) for name, options in conventions.items()}
        if not offered or not all(offered.values()):
            raise RecallLabError("every convention needs options to switch between")
        combinations = prod(map(len, offered.values()))
        if combinations > MOST_COMBINATIONS:
            raise RecallLabError(f"{combinations} combinations; a view shows at most {MOST_COMBINATIONS}")
        rows = [_row(score(dict(zip(offered, picked, strict=True)))) for picked in product(*offered.values())]
        super().__init__(
            data={
                "measure": plain(measure, 40),
                "note": plain(note, 300),
                "conventions": [{"name": name, "options": options} for name, options in offered.items()],
                "rows": rows,  # in the order of itertools.product: the last convention changes fastest
            },
            picks={name: options[0] for name, options in offered.items()},
        )

    @traitlets.validate("picks")
    def _known_picks(self, proposal: dict[str, Any]) -> dict[str, str]:
        """Options for all conventions: those not named follow the convention."""
        offered = self._offered
        for name, option in proposal["value"].items():
            if option not in offered.get(name, []):
                known = "; ".join(f"{name}: {', '.join(options)}" for name, options in offered.items())
                raise RecallLabError(
                    f"picks has {name!r}: {option!r}, which is not offered; choose from {known}"
                )
        return {name: proposal["value"].get(name, options[0]) for name, options in offered.items()}

    @property
    def _offered(self) -> dict[str, list[str]]:
        return {convention["name"]: convention["options"] for convention in self.data["conventions"]}

    @property
    def _shown(self) -> dict[str, Any]:
        index = 0
        for name, options in self._offered.items():
            index = index * len(options) + options.index(self.picks[name])
        return self.data["rows"][index]

    @property
    def state(self) -> dict[str, Any]:
        """The picked options and their number."""
        return {**self.picks, "value": self._shown["value"]}

    def table(self) -> pd.DataFrame:
        """One row for each combination: its options and the number they give."""
        import pandas as pd

        offered = self._offered
        rows = zip(product(*offered.values()), self.data["rows"], strict=True)
        return pd.DataFrame(
            [dict(zip(offered, picked, strict=True)) | {"value": row["value"]} for picked, row in rows]
        )

    @property
    def text(self) -> str:
        """The number, and what was switched."""
        right, shown, measure = self.data["rows"][0], self._shown, self.data["measure"]
        switched = "; ".join(
            f"{name}: {pick}" + (f" (not {self._offered[name][0]})" if pick != self._offered[name][0] else "")
            for name, pick in self.picks.items()
        )
        written = shown["written"] if shown["written"].startswith("≈") else f"= {shown['written']}"
        if shown is right:
            return f"{measure} {written}, with {switched}"
        return f"“{measure}” {written}, where the convention gives {right['written']}; with {switched}"


def _row(score: Score) -> dict[str, Any]:
    value, working = score if isinstance(score, tuple) else (score, "")
    value = None if value is None else float(value)
    written = UNDEFINED if value is None else about(value)
    return {"value": value, "written": written, "working": plain(working, 300)}
