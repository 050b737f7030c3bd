"""Draw data for variants."""

from __future__ import annotations

import random
from collections.abc import Sequence

from recall_lab.exercises.recipe import Query, Sheet

__all__ = ["cases_of_many", "draw_one", "draw_query", "draw_sheet", "one_query"]


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


def cases_of_many(rng: random.Random) -> tuple[Sheet, ...]:
    """What a function over several questions is tried on: small ordinary cases, special ones, a long one."""

    def several(k: int, *shapes: tuple[int, int, int]) -> Sheet:
        names = rng.sample("abcdefgh", len(shapes))
        drawn = (draw_query(rng, name, *shape) for name, shape in zip(names, shapes, strict=True))
        return Sheet(tuple(drawn), k)

    nothing = Query("n", ("n1", "n2"), {})
    missed = Query("m", ("m1", "m2", "m3"), {"m8": 1, "m9": 1})
    no_list = Query("o", (), {"o1": 1})
    return (
        Sheet((Query("q", ("a", "b"), {"a": 1, "c": 1}),), 1),
        several(2, (3, 2, 0), (3, 1, 0)),
        several(3, (5, 4, 0), (6, 2, 0)),
        several(3, (6, 8, 0), (6, 1, 0), (5, 3, 0)),
        several(4, (9, 12, 0), (7, 2, 0)),
        Sheet((*several(2, (4, 3, 0)).queries, missed), 2),
        Sheet((*several(2, (4, 3, 0)).queries, no_list), 2),
        Sheet((*several(2, (4, 2, 0)).queries, nothing), 2),
        Sheet((nothing,), 3),
        Sheet((), 3),
        several(4, (6, 3, 1), (5, 2, 1)),
        _repeat_above_the_cut(rng),
        _shared_passages(rng),
        several(5, (12, 9, 1), (9, 4, 0), (8, 3, 0), (10, 2, 1)),
    )


def _repeat_above_the_cut(rng: random.Random) -> Sheet:
    """Without the repeat, the relevant document below the cut would move up."""
    other, wanted, more = rng.sample("stuvwxyz", 3)
    return Sheet((Query("r", (other, other, wanted), {wanted: 1, more: 1}),), 2)


def _shared_passages(rng: random.Random) -> Sheet:
    """Two questions want one document, and one of them finds a document that only the other wants."""
    both, first, second, third, *others = rng.sample("ijklmnopqr", 7)
    return Sheet(
        (
            Query("v", (both, others[0], others[1]), {both: 1, first: 1, third: 1}),
            Query("w", (first, both, others[2]), {both: 1, second: 1}),
        ),
        3,
    )
