"""A gate for builds: did recall drop, did it not, or can this set of questions not tell?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from recall_lab.errors import RecallLabError
from recall_lab.statistics.arguments import ALMOST_ZERO, Floats, as_values, check_drop, finite_or_none
from recall_lab.statistics.intervals import Interval, bootstrap_mean
from recall_lab.statistics.paired import Comparison
from recall_lab.statistics.sizes import fewest_questions, needed, smallest_detectable_difference, spread
from recall_lab.summary import decimals

Decision = Literal["pass", "drop", "cannot tell"]

ALPHA = 0.05  # how often a drop may be claimed where there is none
POWER = 0.8  # how often a drop of the size that matters must be seen
_ROUNDING = 1e-9  # means of whole questions that differ by less are the same


@dataclass(frozen=True)
class Verdict:
    """What :func:`gate` decides, and on what grounds.

    Parameters
    ----------
    decision : ``"pass"``, ``"drop"`` or ``"cannot tell"``.
    reason : the conditions that decided, in words.
    max_drop : the drop that matters.
    difference : candidate minus baseline with its 90 % bootstrap interval: 5 % beyond each end.
    changed : number of questions whose value changed.
    smallest_detectable : the smallest drop that these questions would show (one-sided level 5 %, power
        80 %); infinite where they show none.
    questions_needed : about how many questions would tell; ``None`` where the verdict is clear.

    Attributes
    ----------
    exit_status : for a build: 0 pass, 1 drop, 2 cannot tell.
    """

    decision: Decision
    reason: str
    max_drop: float
    difference: Interval
    changed: int
    smallest_detectable: float
    questions_needed: int | None

    @property
    def exit_status(self) -> int:
        return {"pass": 0, "drop": 1, "cannot tell": 2}[self.decision]

    def to_dict(self) -> dict[str, Any]:
        """The verdict for programs, ready for ``json.dumps``; ``None`` where a number does not exist."""
        return {
            "decision": self.decision,
            "reason": self.reason,
            "max_drop": self.max_drop,
            "difference": self.difference.to_dict(),
            "changed": self.changed,
            "smallest_detectable": finite_or_none(self.smallest_detectable),
            "questions_needed": self.questions_needed,
        }

    def __str__(self) -> str:
        questions = "1 question" if self.changed == 1 else f"{self.changed} questions"
        smallest = decimals(self.smallest_detectable) if math.isfinite(self.smallest_detectable) else "none"
        return (
            f"{self.decision}: {self.reason}\n"
            f"difference: {self.difference}, {questions} changed\n"
            f"smallest drop these questions would show: {smallest}"
        )


def gate(comparison: Comparison, max_drop: float) -> Verdict:
    """Decide about a candidate from its comparison with the baseline.

    With the 5th and the 95th percentile of the resampled mean difference (candidate minus baseline):

    - **drop**: the 95th percentile is below 0, at least five questions changed (fewer can never be
      significant: 2⁻⁵ is the first power below 5 %), and the 5th percentile is −``max_drop`` or less, so the
      drop may be as large as the one that matters;
    - **pass**: the 5th percentile is above −``max_drop``, and the questions would show a drop of that size
      (the smallest detectable one is at most ``max_drop``); a drop that is surely smaller passes, and is
      reported. Also where the 5th percentile is 0 or more and at least five questions changed: the candidate
      is surely no worse, however much the questions differ;
    - **cannot tell**: everything else.

    Parameters
    ----------
    comparison : of the baseline with the candidate, from :func:`~recall_lab.statistics.compare`.
    max_drop : the drop that matters, as a fraction: 0.05 is five points.

    Raises
    ------
    RecallLabError : no comparison, or a ``max_drop`` that is not from 0.000001 to 1.

    Examples
    --------
    >>> from recall_lab import evaluate
    >>> from recall_lab.statistics import compare
    >>> golden = {f"q{i}": ["a"] for i in range(20)}
    >>> old = evaluate(golden, {query_id: ["a"] for query_id in golden})
    >>> verdict = gate(compare(old, old), max_drop=0.05)
    >>> verdict.decision, verdict.smallest_detectable, verdict.questions_needed
    ('cannot tell', 0.25, 116)
    >>> new = evaluate(golden, {query_id: ["a" if query_id > "q14" else "x"] for query_id in golden})
    >>> gate(compare(old, new), max_drop=0.05).decision
    'drop'
    """
    if not isinstance(comparison, Comparison):
        raise RecallLabError(f"comparison is a {type(comparison).__name__}; give what compare() returns")
    return gate_values(comparison.differences, max_drop, resamples=comparison.resamples, seed=comparison.seed)


def gate_values(differences: Any, max_drop: float, *, resamples: int = 10_000, seed: int = 0) -> Verdict:
    """The decision of :func:`gate` on bare differences, candidate minus baseline, one for each question.

    Examples
    --------
    >>> gate_values([-1.0] * 6 + [0.0] * 44, max_drop=0.05).decision
    'drop'
    """
    array = as_values(differences, "differences")
    max_drop = check_drop(max_drop, "max_drop")
    interval = bootstrap_mean(array, confidence=1 - 2 * ALPHA, resamples=resamples, seed=seed)
    smallest = smallest_detectable_difference(array, alpha=ALPHA, power=POWER, alternative="less")
    changed = int((np.abs(array) > ALMOST_ZERO).sum())

    # Comparisons with NaN are false: one question, which allows no interval, decides nothing.
    falls = interval.high < -_ROUNDING
    no_worse = interval.low >= -_ROUNDING
    may_matter = interval.low <= -max_drop + _ROUNDING
    ruled_out = interval.low > -max_drop + _ROUNDING
    sees_enough = smallest <= max_drop + _ROUNDING
    enough_changed = changed >= fewest_questions(ALPHA, "less")

    decision: Decision = "cannot tell"
    wanted = None
    if falls and may_matter and enough_changed:
        decision, reason = "drop", f"surely a drop, and it may be as large as {max_drop:g}"
    elif no_worse and enough_changed:
        decision, reason = "pass", "surely no drop"
    elif ruled_out and sees_enough and falls:
        decision, reason = "pass", f"a drop, but surely less than {max_drop:g}"
    elif ruled_out and sees_enough:
        decision = "pass"
        reason = f"a drop of {max_drop:g} is ruled out, and these questions would have shown one"
    else:
        doubts = {
            f"a drop of {max_drop:g} is not ruled out": not ruled_out,
            f"these questions would not show a drop of {max_drop:g}": not sees_enough,
            f"so few changed questions ({changed}) can always be chance": falls and not enough_changed,
        }
        wanted = _questions_needed(array, max_drop)
        reason = "; ".join([doubt for doubt, holds in doubts.items() if holds])
        reason += f"; about {wanted} such questions would tell"
    return Verdict(decision, reason, max_drop, interval, changed, smallest, wanted)


def _questions_needed(differences: Floats, max_drop: float) -> int:
    """Questions that would decide if they changed as these do.

    A fall has to be told from none, and one that is smaller than ``max_drop`` from such a drop; the farther
    of the two decides first. A rise has to be told from none, or a drop of ``max_drop`` to be seen.
    """
    fall = -float(differences.mean())
    distance = max(abs(fall), min(max_drop - fall, max_drop))
    return needed(distance, *spread(differences), alpha=ALPHA, power=POWER, alternative="less")
