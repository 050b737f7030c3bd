"""Draw data for variants."""

from __future__ import annotations

import random
from collections.abc import Sequence

from recall_lab.exercises.recipe import Query, Sheet

__all__ = ["draw_one", "draw_sheet", "one_query"]


def one_query(relevant: int, ranks: Sequence[int], k: int, depth: int = 0) -> Sheet:
    """A sheet with a single question."""
    return Sheet((Query.from_ranks("q1", relevant, ranks, depth),), k)


def draw_one(rng: random.Random, harder: bool) -> Sheet:
    """One question with hits right at both sides of the cut, so that a cut in the wrong place shows."""
    k = rng.randint(*((7, 15) if harder else (4, 8)))
    above, below = rng.randint(0, k - 2), rng.randint(0, 2)
    ranks = sorted([*rng.sample(range(1, k), above), k, k + 1, *rng.sample(range(k + 2, 2 * k + 3), below)])
    missing = rng.randint(1, 6 if harder else 3)
    return one_query(len(ranks) + missing, ranks, k)


def draw_sheet(rng: random.Random, harder: bool) -> Sheet:
    """Several questions, among them one that outgrows k, one found too late and one with nothing to find."""
    k = rng.randint(*((4, 8) if harder else (3, 6)))
    total = rng.randint(7, 8) if harder else 5
    large = rng.randint(2 * k, 4 * k)
    late = rng.randint(k + 1, 3 * k)
    shapes: list[tuple[int, Sequence[int]]] = [
        (large, sorted(rng.sample(range(1, large + 1), rng.randint(k, large)))),
        (0, ()),
        (1, (late,)),
    ]
    while len(shapes) < total:
        relevant = rng.randint(2, k + 1)
        found = rng.randint(1, relevant)
        shapes.append((relevant, sorted(rng.sample(range(1, 2 * k + 3), found))))
    rng.shuffle(shapes)
    return Sheet(tuple(Query.from_ranks(f"q{i}", R, ranks) for i, (R, ranks) in enumerate(shapes, 1)), k)
