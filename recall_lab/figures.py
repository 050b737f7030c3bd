"""Pictures drawn with matplotlib, each with a text alternative.

A figure here is made without pyplot: it is never "open", so none pile up, none is shown twice, and no screen
is needed. matplotlib is imported when the first picture is drawn.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recall_lab.errors import FolderError, RecallLabError
from recall_lab.measures import check_k
from recall_lab.statistics import bootstrap_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from recall_lab.evaluation import Evaluation

# Okabe and Ito's palette, told apart with any colour vision; the lines differ in dash and marker as well.
_STYLES: tuple[dict[str, Any], ...] = (
    {"color": "#0072B2", "linestyle": "-", "marker": "o"},
    {"color": "#D55E00", "linestyle": "--", "marker": "s"},
    {"color": "#007A5A", "linestyle": "-.", "marker": "^"},
    {"color": "#AA4499", "linestyle": (0, (5, 1, 1, 1, 1, 1)), "marker": "D"},
    {"color": "#8A6D00", "linestyle": (0, (8, 2)), "marker": "v"},
    {"color": "#444444", "linestyle": (0, (2, 1)), "marker": "X"},
)
_TOLD_AT = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Picture:
    """A drawn figure and what it shows, in words.

    Parameters
    ----------
    figure : the matplotlib figure; ``axes`` is its first panel, so a learner can go on drawing.
    alt : the text alternative: what is drawn and the numbers that matter. A notebook keeps it as the
        picture's plain text.

    Examples
    --------
    >>> from recall_lab import evaluate
    >>> e = evaluate({"q1": {"a": 1, "b": 1}}, {"q1": ["a", "x", "b"]})
    >>> recall_curve({"mine": e}, k_max=3)
    Recall@k for k from 1 to 3, macro mean over 1 question.
    mine: 0.500 at 1, 0.500 at 2, 1.000 at 3.
    ceiling: 0.500 at 1, 1.000 at 2, 1.000 at 3.
    """

    figure: Figure
    alt: str

    @property
    def axes(self) -> Axes:
        return self.figure.axes[0]

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"image/png": self.png(), "text/plain": self.alt}, {"image/png": {"alt": self.alt}}

    def png(self) -> bytes:
        """The picture as PNG, 144 dots per inch."""
        with io.BytesIO() as buffer, _no_word_about_missing_letters():
            self.figure.savefig(buffer, format="png", dpi=144)
            return buffer.getvalue()

    def svg(self) -> str:
        """The picture as SVG, byte for byte the same for the same numbers: no date, no random ids."""
        import matplotlib

        nothing_said = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        same_ids = matplotlib.rc_context({"svg.hashsalt": "recall-lab"})
        with io.StringIO() as buffer, same_ids, _no_word_about_missing_letters():
            self.figure.savefig(buffer, format="svg", metadata=nothing_said)
            return buffer.getvalue()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture; the ending of the name decides the format (.png, .svg, .pdf).

        Raises
        ------
        FolderError : the file cannot be written.
        RecallLabError : matplotlib knows no such format.
        """
        try:
            with _no_word_about_missing_letters():
                self.figure.savefig(path)
        except OSError as error:
            raise FolderError(f"{path}: the picture cannot be written ({error.strerror or error})") from error
        except ValueError as error:
            raise RecallLabError(f"{path}: {error}") from error


@contextmanager
def _no_word_about_missing_letters() -> Iterator[None]:
    """Draw a box for a letter that the font lacks without a warning; the text alternative has the letter."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        yield


def recall_curve(
    evaluations: Evaluation | Mapping[str, Evaluation],
    k_max: int = 50,
    *,
    corpus_size: int | None = None,
    log: bool = False,
    band: bool = False,
) -> Picture:
    """Draw recall@k over k with its ceiling and, where the corpus size is known, the line of a random order.

    Parameters
    ----------
    evaluations : one evaluation, or name → evaluation to compare several.
    k_max : the largest cutoff drawn, a whole number of at least 1.
    corpus_size : N, the number of passages; a random order finds the share k/N. Left out where None.
    log : draw k on a logarithmic axis.
    band : shade the 95 % bootstrap interval of each curve, as :func:`~recall_lab.statistics.bootstrap_curve`
        gives it.

    Returns
    -------
    Picture : recall is drawn as steps, since it is defined at whole k only.

    Raises
    ------
    RecallLabError : nothing to draw, ``k_max`` or ``corpus_size`` is not a whole number of at least 1, or a
        band is wanted of fewer than two questions.

    Examples
    --------
    >>> from recall_lab import evaluate
    >>> e = evaluate({"q1": {"a": 1}}, {"q1": ["x", "a"]})
    >>> picture = recall_curve({"mine": e}, k_max=2, corpus_size=4)
    >>> print(picture.alt)
    Recall@k for k from 1 to 2, macro mean over 1 question.
    mine: 0.000 at 1, 1.000 at 2.
    ceiling: 1.000 at 1, 1.000 at 2.
    random order of 4: 0.250 at 1, 0.500 at 2.
    >>> picture.axes.get_xlabel()
    'cutoff k'
    """
    from matplotlib.figure import Figure

    named = (
        evaluations if isinstance(evaluations, Mapping) else {evaluations.run_name or "recall": evaluations}
    )
    if not named:
        raise RecallLabError("there is no evaluation to draw; pass one, or a dict of name → evaluation")
    k_max = check_k(k_max, "k_max")
    cutoffs = list(range(1, k_max + 1))

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.add_subplot()
    told = [f"Recall@k for k from 1 to {k_max}, macro mean over {_counted(named)}."]
    for (name, evaluation), style in zip(named.items(), cycle(_STYLES), strict=False):
        recall = evaluation.curve(k_max)
        axes.plot(cutoffs, recall, label=name, drawstyle="steps-post", markevery=_marked(k_max), **style)
        told.append(f"{name}: {_told(recall)}.")
        if band:
            interval = bootstrap_curve(evaluation, k_max)
            axes.fill_between(
                cutoffs,
                interval.low,
                interval.high,
                step="post",
                color=style["color"],
                alpha=0.15,
                linewidth=0,
            )
            told.append(
                f"95 % bootstrap interval of {name}: from {_told(interval.low)}; to {_told(interval.high)}."
            )
    ceilings = _ceilings(named, k_max)
    for (name, ceiling), style in zip(ceilings.items(), cycle(_STYLES), strict=False):
        color = "#555555" if len(ceilings) == 1 else style["color"]  # that of its run
        axes.plot(cutoffs, ceiling, label=name, color=color, linestyle=":", drawstyle="steps-post")
        told.append(f"{name}: {_told(ceiling)}.")
    if corpus_size is not None:
        corpus_size = check_k(corpus_size, "corpus_size")
        random = np.minimum(np.arange(1, k_max + 1) / corpus_size, 1.0)
        name = f"random order of {corpus_size}"
        axes.plot(cutoffs, random, label=name, color="#555555", linestyle=(0, (1, 4)))
        told.append(f"{name}: {_told(random)}.")

    axes.set(xlabel="cutoff k", ylabel="recall@k", ylim=(-0.02, 1.04))
    if log:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:.0f}")
    else:
        axes.set_xlim(0, k_max * 1.02)
    axes.grid(color="#DDDDDD", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    # Given one by one, since a legend made on its own leaves out names that begin with an underscore.
    labels = [_short(str(line.get_label())) for line in axes.lines]
    legend = axes.legend(
        axes.lines, labels, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=3.5
    )
    for text in legend.get_texts():
        text.set_parse_math(False)  # a $ in a name is a $
    return Picture(figure, "\n".join(told))


def _short(name: str) -> str:
    """A name of at most 32 characters; of a longer one the beginning and the end, where names differ."""
    return name if len(name) <= 32 else f"{name[:12]}…{name[-19:]}"


def _counted(named: Mapping[str, Evaluation]) -> str:
    """How many questions the means are over, for all runs at once where it is the same number."""
    counts = {name: evaluation.n for name, evaluation in named.items()}
    if len(set(counts.values())) == 1:
        n = next(iter(counts.values()))
        return f"{n} question" + ("" if n == 1 else "s")
    return "questions (" + ", ".join(f"{name}: {n}" for name, n in counts.items()) + ")"


def _ceilings(named: Mapping[str, Evaluation], k_max: int) -> dict[str, NDArray[np.float64]]:
    """One ceiling where all runs share it, as they do when the same questions count; else one for each."""
    curves = {name: evaluation.curve(k_max, "ceiling") for name, evaluation in named.items()}
    first = next(iter(curves.values()))
    if all(np.array_equal(curve, first, equal_nan=True) for curve in curves.values()):
        return {"ceiling": first}
    return {f"ceiling of {name}": curve for name, curve in curves.items()}


def _marked(k_max: int) -> list[int]:
    """Where on the line a marker stands: at most a dozen places, never so many that they hide the line."""
    step = max(1, round(k_max / 12))
    return list(range(0, k_max, step))


def _told(curve: NDArray[np.float64]) -> str:
    """A curve in words, at round cutoffs and at its end."""
    k_max = len(curve)
    cutoffs = [k for k in _TOLD_AT if k < k_max] + [k_max]
    if math.isnan(curve[0]):
        return "undefined, no question has a relevant document"
    return ", ".join(f"{curve[k - 1]:.3f} at {k}" for k in cutoffs)
