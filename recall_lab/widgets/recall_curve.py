"""The recall curve: recall@k for every k, with its ceiling, a random order, a band and the elbow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import RecallLabError
from recall_lab.measures import check_k
from recall_lab.statistics import CurveBand, bootstrap_curve
from recall_lab.widgets.view import Choice, View, Whole, front_end
from recall_lab.widgets.wording import about, decimal, equals, plain

if TYPE_CHECKING:
    import pandas as pd

    from recall_lab.evaluation import Evaluation

Floats = NDArray[np.float64]

DEEPEST_K = 1000  # a table over more cutoffs would be too heavy for a page
NO_CORPUS = "not drawn"


class RecallCurveView(View):
    """Recall@k of a run over k, with everything that makes the curve readable.

    The ceiling is what a perfect retriever reaches. The line k/N is what a random order of N passages
    reaches. The band is a 95 % bootstrap interval over the questions. The elbow is the smallest k from
    which going on to ``k_max`` adds at most ε; its interval comes from the same resamples. Resampling
    tells nothing about a single question, so there is no band for one.

    Parameters
    ----------
    evaluation : the evaluation of a run.
    k : the cutoff to start with.
    k_max : the largest cutoff, at most 1000.
    corpus_sizes : sizes N of the corpus to choose from; the first is drawn at the start, none if empty.
    epsilons : what may be given up to stop earlier, to choose from.
    seed : of the bootstrap, so that the band is the same every time.

    Raises
    ------
    RecallLabError : a cutoff is out of range, no question counts, or a corpus size is smaller than 1.

    Examples
    --------
    >>> from recall_lab import evaluate
    >>> e = evaluate({"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["a", "x", "b"], "q2": ["x", "c", "y"]})
    >>> view = RecallCurveView(e, k_max=4, k=2, corpus_sizes=[100], epsilons=[0.1])
    >>> view.state["recall"], view.state["ceiling"], view.state["random"], view.state["elbow"]
    (0.75, 1.0, 0.02, 3)
    """

    title = "Recall curve"
    _esm = front_end("recall_curve.js")
    k = Whole()
    scale = Choice()
    corpus_size = Choice()
    epsilon = Choice()

    def __init__(
        self,
        evaluation: Evaluation,
        *,
        k: int = 1,
        k_max: int = 100,
        corpus_sizes: Sequence[int] = (),
        epsilons: Sequence[float] = (0.02, 0.01, 0.05),
        seed: int = 0,
    ) -> None:
        if check_k(k_max, "k_max") > DEEPEST_K:
            raise RecallLabError(f"k_max is {k_max}; a view shows at most {DEEPEST_K} cutoffs")
        if evaluation.n == 0:
            raise RecallLabError("no question counts in this evaluation, so there is no curve to draw")
        sizes = [check_k(size, "corpus size") for size in corpus_sizes]
        curve, ceiling = (evaluation.curve(k_max, measure) for measure in ("recall", "ceiling"))
        band = bootstrap_curve(evaluation, k_max, seed=seed) if evaluation.n > 1 else None
        random = {str(size): [min(cutoff / size, 1.0) for cutoff in range(1, k_max + 1)] for size in sizes}
        data = {
            "heading": f"{plain(evaluation.run_name, 80) or 'Run'}: "
            + (f"{evaluation.n} questions, macro mean" if evaluation.n > 1 else "one question"),
            "rows": _rows(curve.tolist(), ceiling.tolist(), band),
            "random": random,
            "written_random": {size: [about(value) for value in line] for size, line in random.items()},
            "elbows": [_elbow(curve, band, epsilon) for epsilon in epsilons],
        }
        super().__init__(
            data=data,
            ranges={"k": (1, int(k_max))},
            options={
                "scale": ["linear", "log"],
                "corpus_size": [*sizes, NO_CORPUS],
                "epsilon": list(epsilons),
            },
            k=k,
            scale="linear",
            corpus_size=sizes[0] if sizes else NO_CORPUS,
            epsilon=epsilons[0],
        )

    @property
    def state(self) -> dict[str, Any]:
        """k, the recall there with its band, the ceiling, the random order (or ``None``), and the elbow."""
        row = self.data["rows"][self.k - 1]
        random = self.data["random"].get(str(self.corpus_size))
        return {
            **{name: row[name] for name in ("k", "recall", "low", "high", "ceiling")},
            "random": random[self.k - 1] if random else None,
            "elbow": self._shown_elbow["k"],
            "scale": self.scale,
            "corpus_size": self.corpus_size,
            "epsilon": self.epsilon,
        }

    def table(self) -> pd.DataFrame:
        """One row per k: recall, its band, the ceiling, and the random order for each corpus size."""
        import pandas as pd

        table = pd.DataFrame(self.data["rows"])[["k", "recall", "low", "high", "ceiling"]]
        return table.assign(**{f"random_{size}": line for size, line in self.data["random"].items()})

    @property
    def text(self) -> str:
        """The curve in words: what is shown at k, and its value at some cutoffs."""
        rows = self.data["rows"]
        told = [row for row in rows if row["k"] in (1, 2, 5, 10, 20, 50, 100, 200, 500, len(rows))]
        random = self.data["random"].get(str(self.corpus_size))
        return "\n".join(
            [
                f"Recall curve, {self.data['heading']}",
                rows[self.k - 1]["summary"]
                + (f" · random order of {self.corpus_size}: {about(random[self.k - 1])}" if random else ""),
                self._shown_elbow["words"],
                "recall " + ", ".join(f"{decimal(row['recall'])} @{row['k']}" for row in told),
            ]
        )

    @property
    def _shown_elbow(self) -> dict[str, Any]:
        return self.data["elbows"][self.options["epsilon"].index(self.epsilon)]


def _first_close_enough(curves: Floats, epsilon: float) -> NDArray[np.int64]:
    """The smallest k of each curve from which its end is at most ``epsilon`` away."""
    near = curves[:, -1:] - curves <= epsilon + 1e-12
    return near.argmax(axis=1) + 1


def _elbow(curve: Floats, band: CurveBand | None, epsilon: float) -> dict[str, Any]:
    k = int(_first_close_enough(curve[np.newaxis], epsilon)[0])
    words = f"elbow: from k = {k} on, going to {len(curve)} adds at most {decimal(epsilon)}"
    if band is None:
        return {"k": k, "low": k, "high": k, "words": words}
    firsts = _first_close_enough(band.resampled, epsilon)
    low, high = (int(end) for end in np.percentile(firsts, [2.5, 97.5], method="nearest"))
    return {"k": k, "low": low, "high": high, "words": f"{words} (95 %: k = {low} to {high})"}


def _rows(curve: list[float], ceiling: list[float], band: CurveBand | None) -> list[dict[str, Any]]:
    ends = None if band is None else list(zip(band.low.tolist(), band.high.tolist(), strict=True))
    rows = []
    for i, (recall, best) in enumerate(zip(curve, ceiling, strict=True)):
        low, high = ends[i] if ends else (None, None)
        interval = (
            f"95 %: {decimal(ends[i][0])} to {decimal(ends[i][1])}" if ends else "one question: no interval"
        )
        rows.append(
            {
                "k": i + 1,
                "recall": recall,
                "low": low,
                "high": high,
                "ceiling": best,
                "interval": interval,
                "written": {
                    "recall": about(recall),
                    "ceiling": about(best),
                    "left": about(curve[-1] - recall),
                },
                "summary": f"recall@{i + 1} {equals(recall)} ({interval}) · ceiling@{i + 1} {equals(best)}",
            }
        )
    return rows
