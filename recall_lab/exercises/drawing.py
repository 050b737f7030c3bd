"""Draw data for variants."""

from __future__ import annotations

import random
from collections.abc import Sequence

from recall_lab.exercises.recipe import Query, Sheet

__all__ = ["draw_one", "draw_query", "draw_sheet", "one_query", "repeat_above_the_cut", "shared_passages"]


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


def draw_query(rng: random.Random, name: str, length: int, relevant: int, repeats: int = 0) -> Query:
    """A list in which about half of the relevant documents stand, with some of them twice where wanted."""
    documents = [f"{name}{i}" for i in range(1, length + relevant + 1)]
    wanted = rng.sample(documents, relevant)
    found = wanted[: relevant // 2 + 1]
    retrieved = found + [d for d in documents if d not in wanted][: length - len(found)]
    rng.shuffle(retrieved)
    for _ in range(repeats):
        retrieved.insert(rng.randint(0, 3), rng.choice(found))
    return Query(name, tuple(retrieved), dict.fromkeys(wanted, 1))


def repeat_above_the_cut(rng: random.Random) -> Sheet:
    """Without the repeat, the relevant document below the cut would move up."""
    other, wanted, more = rng.sample("stuvwxyz", 3)
    return Sheet((Query("r", (other, other, wanted), {wanted: 1, more: 1}),), 2)


def shared_passages(rng: random.Random) -> Sheet:
    """Two questions want one document, and one of them finds a document that only the other wants."""
    both, first, second, third, *others = rng.sample("ijklmnopqr", 7)
    return Sheet(
        (
            Query("v", (both, others[0], others[1]), {both: 1, first: 1, third: 1}),
            Query("w", (first, both, others[2]), {both: 1, second: 1}),
        ),
        3,
    )
