"""How Cohen's kappa is computed, one replaceable step after the other, as :mod:`recipe` has it for recall.

The data are two annotators' labels for the same things. A mistake is the recipe with one step replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from recall_lab.exercises.recipe import readable

__all__ = ["CHANCE", "KAPPA", "OBSERVED", "Kappa", "Labelled"]

YES = 1


@dataclass(frozen=True)
class Labelled:
    """Two annotators' labels, in the same order.

    Examples
    --------
    >>> pairs = Labelled.of_counts(both_yes=6, both_no=10, yes_no=1, no_yes=3)
    >>> pairs.n, sum(pairs.first), sum(pairs.second)
    (20, 7, 9)
    """

    first: tuple[Any, ...]
    second: tuple[Any, ...]

    @classmethod
    def of_counts(cls, both_yes: int, both_no: int, yes_no: int, no_yes: int) -> Labelled:
        """A table of two labels: yes is 1, no is 0; ``yes_no`` is the first's yes and the second's no."""
        return cls(
            (1,) * both_yes + (0,) * both_no + (1,) * yes_no + (0,) * no_yes,
            (1,) * both_yes + (0,) * both_no + (0,) * yes_no + (1,) * no_yes,
        )

    @property
    def n(self) -> int:
        return len(self.first)

    def count(self, first: int, second: int) -> int:
        """How many things have this label from the first and that one from the second."""
        return sum(pair == (first, second) for pair in zip(self.first, self.second, strict=True))


# -- the right way, step by step -----------------------------------------------------------------------------


def share_of_equal(pairs: Labelled) -> Fraction:
    equal = sum(a == b for a, b in zip(pairs.first, pairs.second, strict=True))
    return Fraction(equal, pairs.n)


def with_their_own_habits(pairs: Labelled) -> Fraction:
    first, second = Counter(pairs.first), Counter(pairs.second)
    return Fraction(sum(first[label] * second[label] for label in first), pairs.n**2)


def beyond_chance(observed: Fraction, chance: Fraction) -> Fraction | None:
    return None if chance == 1 else (observed - chance) / (1 - chance)


def observed_alone(observed: Fraction, chance: Fraction) -> Fraction:
    return observed


def chance_alone(observed: Fraction, chance: Fraction) -> Fraction:
    return chance


@dataclass(frozen=True)
class Kappa:
    """A way to compute agreement. The defaults are Cohen's kappa, done right.

    Parameters
    ----------
    observed : the share on which the two agree.
    chance : the share on which they would agree by chance.
    combine : from the two to one number; None where there is none.

    Examples
    --------
    >>> KAPPA.value(Labelled.of_counts(6, 10, 1, 3))
    Fraction(57, 97)
    """

    observed: Callable[[Labelled], Fraction] = share_of_equal
    chance: Callable[[Labelled], Fraction] = with_their_own_habits
    combine: Callable[[Fraction, Fraction], Fraction | None] = beyond_chance

    def value(self, pairs: Labelled) -> Fraction | None:
        """The number; None where it is undefined."""
        return self.combine(self.observed(pairs), self.chance(pairs))

    def working(self, pairs: Labelled) -> str:
        """The computation written out, as one would on paper.

        >>> CHANCE.working(Labelled.of_counts(6, 10, 1, 3))
        '7/20 × 9/20 for yes, 13/20 × 11/20 for no, together 103/200'
        """
        n, observed, chance = pairs.n, self.observed(pairs), self.chance(pairs)
        if self.combine is observed_alone:
            return f"({pairs.count(1, 1)} + {pairs.count(0, 0)}) / {n} = {readable(observed)}"
        if self.combine is chance_alone:
            first, second = sum(pairs.first), sum(pairs.second)
            return (
                f"{first}/{n} × {second}/{n} for yes, {n - first}/{n} × {n - second}/{n} for no, "
                f"together {readable(chance)}"
            )
        value = "undefined" if self.value(pairs) is None else readable(self.value(pairs))
        return f"({readable(observed)} - {readable(chance)}) / (1 - {readable(chance)}) = {value}"


KAPPA = Kappa()
OBSERVED = Kappa(combine=observed_alone)
CHANCE = Kappa(combine=chance_alone)
