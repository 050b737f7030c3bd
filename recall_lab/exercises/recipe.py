"""How a score is computed, one replaceable step after the other.

A mistake in measuring is nearly always one wrong step in an otherwise right computation. So the right way
is written here as a recipe of ten small steps, in exact fractions, and a mistake is the same recipe with
one step replaced. Two mistakes made together are the recipe with two steps replaced; two mistakes of the
same step exclude each other, as one cannot cut at k - 1 and at k + 1 at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

__all__ = [
    "CAPPED",
    "CEILING",
    "HIT_RATE",
    "PRECISION",
    "RECALL",
    "Counts",
    "Query",
    "Recipe",
    "Scored",
    "Sheet",
    "readable",
]


@dataclass(frozen=True)
class Query:
    """One question as the checker sees it: what was retrieved, and what was judged.

    Parameters
    ----------
    name : the question's id.
    retrieved : document ids by rank; a plain list, so a document may come twice.
    grades : grade by document id; a document without a grade is unjudged.
    filed : the ranks in the order of the lines of the file, where the file is not sorted by rank.
    scores : score by document id, where the exercise is about scores.

    Examples
    --------
    >>> q = Query.from_ranks("q1", relevant=4, ranks=(2, 5, 9))
    >>> len(q.relevant(1)), q.retrieved[1]
    (4, 'q1-r1')
    """

    name: str
    retrieved: tuple[str, ...]
    grades: Mapping[str, int]
    filed: tuple[int, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def from_ranks(cls, name: str, relevant: int, ranks: Sequence[int], depth: int = 0) -> Query:
        """A line of the hand sheet: so many relevant documents, found at these ranks."""
        found = {rank: f"{name}-r{i}" for i, rank in enumerate(ranks, 1)}
        length = max([depth, *ranks])
        retrieved = tuple(found.get(rank, f"{name}-x{rank}") for rank in range(1, length + 1))
        return cls(name, retrieved, {f"{name}-r{i}": 1 for i in range(1, relevant + 1)})

    def relevant(self, min_grade: int) -> set[str]:
        return {document for document, grade in self.grades.items() if grade >= min_grade}

    def lines(self) -> list[tuple[int, str]]:
        """(rank, document) in the order of the lines of the file."""
        return [(rank, self.retrieved[rank - 1]) for rank in self.filed or range(1, len(self.retrieved) + 1)]

    def ranks(self, min_grade: int = 1) -> list[int]:
        """Ranks at which a relevant document stands."""
        wanted = self.relevant(min_grade)
        return [rank for rank, document in enumerate(self.retrieved, 1) if document in wanted]


@dataclass(frozen=True)
class Sheet:
    """The data of one computation: some questions, the cutoff k, and the grade from which relevant counts."""

    queries: tuple[Query, ...]
    k: int
    min_grade: int = 1


@dataclass(frozen=True)
class Counts:
    """What the first steps leave of one question; the shares are computed from this alone."""

    name: str
    k: int
    relevant: int
    hits: tuple[int, ...]  # positions inside the cut
    hits_anywhere: tuple[int, ...]  # positions inside the whole list
    shown: frozenset[str]  # documents inside the cut
    wanted: frozenset[str]  # the relevant documents
    depth: int


Share = tuple[Fraction, Fraction]  # top and bottom of a question's fraction, kept apart for the micro mean


@dataclass(frozen=True)
class Scored:
    """A question with its share."""

    counts: Counts
    top: Fraction
    bottom: Fraction

    @property
    def value(self) -> Fraction:
        return self.top / self.bottom


# -- the right way, step by step -----------------------------------------------------------------------------


def every_question(sheet: Sheet) -> Sequence[Query]:
    return sheet.queries


def by_rank(query: Query) -> Sequence[str]:
    return query.retrieved


def everything(ranking: Sequence[str], query: Query) -> list[str]:
    return list(ranking)


def first_k(ranking: list[str], k: int) -> list[str]:
    return ranking[:k]


def stored_threshold(min_grade: int) -> int:
    return min_grade


def distinct_hits(documents: Sequence[str], relevant: set[str]) -> tuple[int, ...]:
    """Positions, from 1, of the relevant documents, each document once."""
    first = {d: i for i, d in reversed(list(enumerate(documents, 1))) if d in relevant}
    return tuple(sorted(first.values()))


def of_the_relevant(c: Counts) -> Share:
    return Fraction(len(c.hits)), Fraction(c.relevant)


def everyone(c: Counts) -> bool:
    return True


def macro(rows: list[Scored]) -> Fraction | None:
    return sum((row.value for row in rows), Fraction(0)) / len(rows) if rows else None


@dataclass(frozen=True)
class Recipe:
    """A way to compute a score. The defaults are recall@k, macro-averaged, done right.

    Parameters
    ----------
    questions : which questions are gone through.
    order : the ranking of a question.
    keep : what of the ranking is looked at before the cut.
    cut : the part of the list that counts.
    threshold : the grade from which relevant counts.
    match : positions of the hits in a list.
    share : top and bottom of the question's fraction.
    nothing_relevant : score of a question with no relevant document; None leaves it out.
    included : which questions take part in the mean.
    mean : from the questions' shares to one number.

    Examples
    --------
    >>> sheet = Sheet((Query.from_ranks("q1", 4, (2, 5, 9)), Query.from_ranks("q2", 0, ())), k=5)
    >>> RECALL.per_query(sheet)
    {'q1': Fraction(1, 2), 'q2': None}
    >>> RECALL.value(sheet)
    Fraction(1, 2)
    """

    questions: Callable[[Sheet], Sequence[Query]] = every_question
    order: Callable[[Query], Sequence[str]] = by_rank
    keep: Callable[[Sequence[str], Query], list[str]] = everything
    cut: Callable[[list[str], int], list[str]] = first_k
    threshold: Callable[[int], int] = stored_threshold
    match: Callable[[Sequence[str], set[str]], tuple[int, ...]] = distinct_hits
    share: Callable[[Counts], Share] = of_the_relevant
    nothing_relevant: Fraction | None = None
    included: Callable[[Counts], bool] = everyone
    mean: Callable[[list[Scored]], Fraction | None] = macro

    def counts(self, query: Query, sheet: Sheet) -> Counts:
        ranking = self.keep(self.order(query), query)
        top = self.cut(ranking, sheet.k)
        relevant = query.relevant(self.threshold(sheet.min_grade))
        return Counts(
            name=query.name,
            k=sheet.k,
            relevant=len(relevant),
            hits=self.match(top, relevant),
            hits_anywhere=self.match(ranking, relevant),
            shown=frozenset(top),
            wanted=frozenset(relevant),
            depth=len(ranking),
        )

    def scored(self, sheet: Sheet) -> list[Scored]:
        """The questions that take part in the mean, with their shares."""
        counted = [self.counts(query, sheet) for query in self.questions(sheet)]
        rows = ((c, self._share(c)) for c in counted if self.included(c))
        return [Scored(c, *share) for c, share in rows if share is not None]

    def per_query(self, sheet: Sheet) -> dict[str, Fraction | None]:
        """Score of each question by name; None where it is left out."""
        scores = {row.counts.name: row.value for row in self.scored(sheet)}
        return {query.name: scores.get(query.name) for query in sheet.queries}

    def value(self, sheet: Sheet) -> Fraction | None:
        """The mean; None when no question takes part."""
        return self.mean(self.scored(sheet))

    def working(self, sheet: Sheet) -> str:
        """The computation of a macro mean written out, as one would on paper.

        >>> RECALL.working(Sheet((Query.from_ranks("a", 4, (1,)), Query.from_ranks("b", 0, ())), k=5))
        '1 of 4, so 1/4; b has nothing to find and is left out'
        """
        rows = self.scored(sheet)
        value = self.mean(rows)
        shares = [f"{row.top}/{row.bottom}" for row in rows]
        if len(rows) == 1:
            text = f"{rows[0].top} of {rows[0].bottom}, so {shares[0]}"
        else:
            text = f"({' + '.join(shares)}) / {len(rows)} = {readable(value)}"
        left_out = [name for name, score in self.per_query(sheet).items() if score is None]
        if left_out:
            verb = "has nothing to find and is" if len(left_out) == 1 else "have nothing to find and are"
            text += f"; {_and(left_out)} {verb} left out"
        return text

    def _share(self, c: Counts) -> Share | None:
        if c.relevant == 0:
            return None if self.nothing_relevant is None else (self.nothing_relevant, Fraction(1))
        return self.share(c)


def readable(value: Fraction | None) -> str:
    """A fraction that one would write by hand, else three decimals."""
    return f"{float(value):.3f}".lstrip("0") if value and value.denominator > 999 else str(value)


def _and(names: Iterable[str]) -> str:
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last


# -- other shares: right for one measure, a mistake for another ----------------------------------------------


def of_k(c: Counts) -> Share:
    return Fraction(len(c.hits)), Fraction(c.k)


def of_the_reachable(c: Counts) -> Share:
    return Fraction(len(c.hits)), Fraction(min(c.k, c.relevant))


def any_hit(c: Counts) -> Share:
    return Fraction(bool(c.hits)), Fraction(1)


def best_possible(c: Counts) -> Share:
    return Fraction(min(c.k, c.relevant)), Fraction(c.relevant)


RECALL = Recipe()
PRECISION = Recipe(share=of_k)
HIT_RATE = Recipe(share=any_hit)
CAPPED = Recipe(share=of_the_reachable)
CEILING = Recipe(share=best_possible)
