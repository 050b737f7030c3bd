"""Simulations whose truth is known: collections and their pools, chance among questions, a growing corpus.

Real judgments never tell what they miss. Here relevance is drawn first and retrieval second, so that bias,
false alarms and the pull of corpus size can be counted. Everything follows from a seed, or is exact and needs
none.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from recall_lab.errors import RecallLabError
from recall_lab.evaluation import Evaluation
from recall_lab.hits import Floats, Ints
from recall_lab.measures import check_k
from recall_lab.pooling import PoolScores, build_pool, rescore
from recall_lab.run import Run

Counts = Ints | list[int] | int
Rule = Callable[[Counts, Counts, int], NDArray[np.bool_]]

NEW = "NEW"

_LEAST_RECALL = 1e-9
_HUGE = 1e300
_MOST_QUESTIONS = 10**9

# ------------------------------------------------------------------------- a collection with known truth


@dataclass(frozen=True)
class Settings:
    """What a simulated collection is like.

    Parameters
    ----------
    documents : number of documents, N.
    queries : number of queries.
    relevant : how many relevant documents a query may have; each query draws one of these numbers.
    meaning_only : share of all relevant documents that share no word with their query.
    lexical_strengths : for each keyword system, by how many standard deviations a relevant document that
        shares words scores above the others. The systems are named A, B, C …
    correlation : between what two keyword systems give the same document by chance. Near 1, they are clones.
    new_strength : by how many standard deviations the system NEW, which reads meaning, scores every relevant
        document above the others.
    depth : how many documents each system returns.

    Raises
    ------
    RecallLabError : a value is out of its range.

    Examples
    --------
    >>> Settings(queries=20).systems
    ['A', 'B', 'C', 'NEW']
    >>> Settings(meaning_only=45)
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: meaning_only is 45; it must be a number from 0 to 1
    """

    documents: int = 5000
    queries: int = 100
    relevant: tuple[int, ...] = tuple(range(1, 21))
    meaning_only: float = 0.45
    lexical_strengths: tuple[float, ...] = (3.5, 3.2, 3.0)
    correlation: float = 0.8
    new_strength: float = 2.6
    depth: int = 100

    def __post_init__(self) -> None:
        for name in ("documents", "queries", "depth"):
            check_k(getattr(self, name), name)
        if self.depth > self.documents:
            raise RecallLabError(
                f"depth is {self.depth}; there are only {self.documents} documents to return"
            )
        for name in ("relevant", "lexical_strengths"):
            if not isinstance(getattr(self, name), tuple) or not getattr(self, name):
                raise RecallLabError(
                    f"{name} is {getattr(self, name)!r}; it is a tuple such as {getattr(Settings, name)[:3]}"
                )
        for size in self.relevant:
            if check_k(size, "a number of relevant documents") > self.documents:
                raise RecallLabError(f"{size} relevant documents do not fit in {self.documents} documents")
        for share in ("meaning_only", "correlation"):
            _check_share(getattr(self, share), share)
        for strength in (*self.lexical_strengths, self.new_strength):
            _check_number(strength, "a strength")
        if len(self.lexical_strengths) > len(string.ascii_uppercase):
            raise RecallLabError(
                f"there are letters for {len(string.ascii_uppercase)} lexical systems at most"
            )

    @property
    def systems(self) -> list[str]:
        """Names of all systems, the lexical ones first."""
        return [*string.ascii_uppercase[: len(self.lexical_strengths)], NEW]


@dataclass(frozen=True, repr=False)
class Simulation:
    """A collection with known truth; :func:`simulate` draws it.

    Parameters
    ----------
    seed, settings : what it follows from.
    judgments : for each query all relevant documents that exist, grade 1. Nothing else is relevant.
    runs : the results of each system.
    meaning_only : for each query the relevant documents that only NEW can find but by chance.
    """

    seed: int
    settings: Settings
    judgments: dict[str, dict[str, int]]
    runs: dict[str, Run]
    meaning_only: dict[str, list[str]]

    @property
    def old_runs(self) -> dict[str, Run]:
        """The runs of the lexical systems: those that were there before NEW."""
        return {name: run for name, run in self.runs.items() if name != NEW}

    def __repr__(self) -> str:
        relevant = sum(map(len, self.judgments.values()))
        return (
            f"Simulation with seed {self.seed}: {len(self.judgments)} queries, {self.settings.documents:,} "
            f"documents, {relevant:,} judgments of relevance, runs {', '.join(self.runs)}"
        )


def simulate(seed: int = 0, settings: Settings | None = None) -> Simulation:
    """Draw a collection: the relevant documents of each query, and the scores of each system.

    A score is Gaussian noise, lifted where a document is relevant and the system can see it. The lexical
    systems share most of their noise, so they err alike; NEW has its own.

    Parameters
    ----------
    seed : a whole number from 0. The same seed gives the same collection.
    settings : by default those of the story of :func:`pooling_story`.

    Raises
    ------
    RecallLabError : the seed is no whole number from 0, or the settings are no :class:`Settings`.

    Examples
    --------
    >>> simulation = simulate(1, Settings(queries=10, documents=500))
    >>> simulation
    Simulation with seed 1: 10 queries, 500 documents, 109 judgments of relevance, runs A, B, C, NEW
    >>> from recall_lab import evaluate
    >>> round(evaluate(simulation.judgments, simulation.runs["NEW"]).recall(50), 3)
    0.869
    """
    settings = Settings() if settings is None else settings
    if not isinstance(settings, Settings):
        raise RecallLabError(f"settings is a {type(settings).__name__}; write, say, Settings(queries=20)")
    rng = np.random.default_rng(_check_seed(seed))
    shape = (settings.queries, settings.documents)
    query_ids = _ids("q", settings.queries)
    document_ids = np.array(_ids("d", settings.documents), dtype=object)

    sizes = rng.choice(settings.relevant, size=settings.queries)
    query = np.repeat(np.arange(settings.queries), sizes)
    document = np.concatenate([rng.choice(settings.documents, size, replace=False) for size in sizes])
    by_words = rng.permutation(len(query)) >= round(settings.meaning_only * len(query))

    def run(name: str, scores: Floats, seen: NDArray[np.bool_] | slice, strength: float) -> Run:
        scores[query[seen], document[seen]] += strength
        top = document_ids[_best_first(scores, settings.depth)].tolist()
        return Run(dict(zip(query_ids, top, strict=True)), name=name)

    shared = np.sqrt(settings.correlation) * rng.standard_normal(shape)
    runs = {}
    for name, strength in zip(settings.systems[:-1], settings.lexical_strengths, strict=True):
        scores = np.sqrt(1 - settings.correlation) * rng.standard_normal(shape)
        scores += shared
        runs[name] = run(name, scores, by_words, strength)
    runs[NEW] = run(NEW, rng.standard_normal(shape), slice(None), settings.new_strength)

    judgments: dict[str, dict[str, int]] = {query_id: {} for query_id in query_ids}
    meaning_only: dict[str, list[str]] = {query_id: [] for query_id in query_ids}
    for place, doc, shares_words in zip(query.tolist(), document_ids[document], by_words, strict=True):
        judgments[query_ids[place]][doc] = 1
        if not shares_words:
            meaning_only[query_ids[place]].append(doc)
    return Simulation(seed, settings, judgments, runs, meaning_only)


def _best_first(scores: Floats, depth: int) -> Ints:
    """The columns of the highest scores of each row, best first."""
    rest = scores.shape[1] - depth
    top = np.argpartition(scores, rest, axis=1)[:, rest:]
    order = np.argsort(-np.take_along_axis(scores, top, axis=1), axis=1)
    return np.take_along_axis(top, order, axis=1)


def _ids(letter: str, count: int) -> list[str]:
    digits = len(str(count - 1))
    return [f"{letter}{number:0{digits}d}" for number in range(count)]


# ---------------------------------------------------------------------------------- the story of the pool


@dataclass(frozen=True, repr=False)
class PoolingStory:
    """The best system comes last on an old pool, and first again once its own results are judged.

    Parameters
    ----------
    old : the scores on the truth and on the pool made without NEW.
    new : the scores on the truth and on the pool that NEW helped to make.
    left_out : what each contributor to the old pool would score without its contribution.
    """

    old: PoolScores
    new: PoolScores
    left_out: pd.DataFrame

    @property
    def truth(self) -> dict[str, Evaluation]:
        """For each system its evaluation on all judgments."""
        return self.old.on_truth

    def table(self) -> pd.DataFrame:
        """The story in five rows, one column for each system and ``n``, the number of queries in the means.

        Recall on the truth, on the old pool and on the new one; the share of each top k that the old pool
        leaves unjudged; and recall on the old pool made without the system itself, where n differs by system.
        """
        old, new, k = self.old.table(), self.new.table(), self.old.k
        rows = {
            f"recall@{k}, truth": (old["truth"], old["truth_n"].iloc[0]),
            f"recall@{k}, old pool": (old["pooled"], old["pooled_n"].iloc[0]),
            f"recall@{k}, new pool": (new["pooled"], new["pooled_n"].iloc[0]),
            f"unjudged@{k}, old pool": (old["unjudged"], old["pooled_n"].iloc[0]),
            f"recall@{k}, old pool without its own": (self.left_out["without_it"], pd.NA),
        }
        table = pd.DataFrame({name: values for name, (values, _) in rows.items()}).T[list(self.truth)]
        table.columns.name = None
        return table.assign(n=pd.array([n for _, n in rows.values()], dtype="Int64"))

    def __repr__(self) -> str:
        title = f"old: {self.old.pool!r}\nnew: {self.new.pool!r}"
        return f"{title}\n\n{self.table().to_string(float_format='{:.3f}'.format)}"


def pooling_story(
    simulation: Simulation, *, k: int = 50, old_depth: int = 20, new_depth: int = 50
) -> PoolingStory:
    """Score all systems on the truth, on a pool made before NEW came, and on one made with it.

    Parameters
    ----------
    simulation : a collection with known truth.
    k : the cutoff of recall.
    old_depth : depth of the pool of the lexical systems.
    new_depth : depth of the pool of all systems.

    Raises
    ------
    RecallLabError : no simulation is given, or a cutoff or depth is no whole number from 1.

    Examples
    --------
    >>> story = pooling_story(simulate(0))
    >>> story.table().round(3)["NEW"].to_list()
    [0.587, 0.586, 0.743, 0.933, nan]
    """
    if not isinstance(simulation, Simulation):
        raise RecallLabError(f"simulation is a {type(simulation).__name__}; give what simulate() returns")
    runs, truth = simulation.runs, simulation.judgments
    old = rescore(build_pool(simulation.old_runs, old_depth), runs, truth, k)
    new = old.under(build_pool(runs, new_depth))
    return PoolingStory(old, new, left_out=old.leave_one_out())


# ------------------------------------------------------------------- questions lost and gained by chance


@dataclass(frozen=True)
class Churn:
    """Hit-or-miss results compared many times over; :func:`simulate_churn` draws them.

    Parameters
    ----------
    n : number of questions.
    lost, gained : for each repetition, how many questions went from hit to miss, and from miss to hit.
    """

    n: int
    lost: Ints
    gained: Ints

    @property
    def mean_differences(self) -> Floats:
        """Change of the mean in each repetition, a fraction."""
        return (self.gained - self.lost) / self.n

    def differences(self, repetition: int = 0) -> Ints:
        """The change of each question in one repetition, counted from 0: −1, 0 or 1."""
        whole = isinstance(repetition, Integral) and not isinstance(repetition, bool)
        if not whole or not 0 <= repetition < len(self.lost):
            raise RecallLabError(
                f"repetition is {repetition!r}; it must be a whole number from 0 to {len(self.lost) - 1}"
            )
        lost, gained = int(self.lost[repetition]), int(self.gained[repetition])
        return np.repeat([-1, 1, 0], [lost, gained, self.n - lost - gained])


def simulate_churn(n: int, lost: float, gained: float, *, repetitions: int = 10_000, seed: int = 0) -> Churn:
    """Draw how many of n questions are lost and gained between two runs.

    Parameters
    ----------
    n : number of questions.
    lost, gained : probability that a question is lost, and that it is gained. Equal: nothing truly changed.
    repetitions : how many times to draw.
    seed : a whole number from 0.

    Raises
    ------
    RecallLabError : a number is out of its range, or the two probabilities exceed 1 together.

    Examples
    --------
    >>> churn = simulate_churn(50, lost=0.02, gained=0.02)
    >>> bool(churn.differences().mean() == churn.mean_differences[0])
    True
    >>> round(float(naive_rule(churn.lost, churn.gained, 50).mean()), 2)
    0.13
    """
    _check_churn(n, lost, gained)
    rng = np.random.default_rng(_check_seed(seed))
    size = check_k(repetitions, "repetitions")
    drawn = rng.multinomial(n, [lost, gained, max(0.0, 1 - lost - gained)], size=size)
    return Churn(int(n), drawn[:, 0], drawn[:, 1])


def naive_rule(lost: Counts, gained: Counts, n: int, *, points: float = 2) -> NDArray[np.bool_]:
    """The gate that cries wolf: alarm where hit-or-miss recall fell by more than so many points.

    Counted in whole questions: as fractions, a fall of exactly 2 points may come out above .02.

    Parameters
    ----------
    lost, gained : numbers of questions lost and gained, or arrays of them.
    n : number of questions.
    points : percentage points that the mean may fall.

    Examples
    --------
    >>> naive_rule([1, 2], [0, 0], 50).tolist()
    [False, True]
    """
    lost, gained = _counts(lost, gained, n)
    points = _check_number(points, "points")
    return 100 * (lost - gained) > points * n


def bootstrap_rule(
    lost: Counts,
    gained: Counts,
    n: int,
    *,
    confidence: float = 0.95,
    fewest_changed: int = 0,
    max_drop: float = 0.0,
) -> NDArray[np.bool_]:
    """The paired bootstrap gate: alarm where the 95th percentile of the resampled mean difference is below 0.

    Exact, as if resampled without end. A resample draws each of n questions as lost, gained or unchanged with
    the shares observed, so its difference is a sum of n steps −1, 1 or 0. The distribution of such a sum is
    the n-th power of one step's characteristic function, turned back by a Fourier transform. The percentile
    is below 0 where at least 95 % of the distribution is.

    Parameters
    ----------
    lost, gained, n : as in :func:`naive_rule`.
    confidence : which percentile, as a fraction.
    fewest_changed : no alarm where fewer questions than these changed. Three lost and none gained are enough
        for a bootstrap; a sign test reaches 5 % with five at the least (2^-5).
    max_drop : no alarm where the drop is surely smaller than this fraction: where the 5th percentile is above
        it. With ``fewest_changed=5`` that is the alarm of :func:`recall_lab.statistics.gate`.

    Examples
    --------
    >>> bootstrap_rule([2, 3, 6, 6], [0, 0, 1, 2], 100).tolist()
    [False, True, True, False]
    >>> bootstrap_rule([3, 5], [0, 0], 100, fewest_changed=5).tolist()
    [False, True]
    """
    lost, gained = _counts(lost, gained, n)
    _check_share(confidence, "confidence")
    fewest_changed = int(_check_number(fewest_changed, "fewest_changed"))
    enough = max(1, ceil(_check_share(max_drop, "max_drop") * n - 1e-9))  # questions; the rest is rounding

    def alarms(pairs: Ints) -> NDArray[np.bool_]:
        distribution = _resampled_sums(pairs[:, :1], pairs[:, 1:], n)
        falls = distribution[:, :n].sum(axis=1) >= confidence
        may_matter = distribution[:, : n + 1 - enough].sum(axis=1) >= 1 - confidence
        return falls & may_matter & (pairs.sum(axis=1) >= fewest_changed)

    pairs, place = np.unique(np.stack([lost.ravel(), gained.ravel()], axis=1), axis=0, return_inverse=True)
    blocks = np.array_split(pairs, ceil(len(pairs) * n / 500_000) or 1)  # all at once may not fit in memory
    return np.concatenate([alarms(block) for block in blocks])[place].reshape(lost.shape)


def _resampled_sums(lost: Ints, gained: Ints, n: int) -> Floats:
    """For each pair of counts (row), the probabilities that a resample sums up to −n … n (columns)."""
    turn = np.exp(2j * np.pi * np.arange(n + 1) / (2 * n + 1))
    one_step = (lost * turn + gained / turn + (n - lost - gained)) / n
    return np.fft.fftshift(np.fft.irfft(_power(one_step, n), 2 * n + 1), axes=1)


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """By squaring, which is ten times as fast as ``base**exponent`` on complex arrays."""
    power = np.ones_like(base)
    while exponent:
        if exponent % 2:
            power = power * base
        base, exponent = base * base, exponent // 2
    return power


RULES: Mapping[str, Rule] = {
    "fell by more than 2 points": naive_rule,
    "paired bootstrap": bootstrap_rule,
    "recall-lab gate, max drop 0.05": partial(bootstrap_rule, fewest_changed=5, max_drop=0.05),
}
"""Gates by name. Each tells from the numbers of questions lost, gained and asked whether to alarm."""


def alarm_rate(rule: Rule, n: int, lost: float, gained: float) -> float:
    """The probability that a gate raises an alarm, exact: a sum over all counts of lost and gained questions.

    Parameters
    ----------
    rule : one of :data:`RULES`, or any function of (lost, gained, n) that takes arrays of counts.
    n, lost, gained : as in :func:`simulate_churn`.

    Examples
    --------
    >>> round(alarm_rate(naive_rule, 50, lost=0.02, gained=0.02), 3)
    0.131
    """
    from scipy.stats import binom

    if not callable(rule):
        raise RecallLabError(f"rule is {rule!r}; give a function of (lost, gained, n), such as naive_rule")
    _check_churn(n, lost, gained)
    lost, gained = float(lost), float(gained)
    counts = np.arange(n + 1)
    lost_counts, gained_counts = (counts[binom.pmf(counts, n, share) > 1e-12] for share in (lost, gained))
    losses, gains = (grid.ravel() for grid in np.meshgrid(lost_counts, gained_counts))
    possible = losses + gains <= n
    losses, gains = losses[possible], gains[possible]
    share_of_rest = min(1.0, gained / (1 - lost)) if lost < 1 else 0.0
    weights = binom.pmf(losses, n, lost) * binom.pmf(gains, n - losses, share_of_rest)
    return float(weights[rule(losses, gains, n)].sum())


def alarm_table(
    sizes: tuple[int, ...] = (50, 100, 200, 400),
    rules: Mapping[str, Rule] = RULES,
    *,
    chance: float = 0.02,
    drop: tuple[float, float] = (0.065, 0.015),
) -> pd.DataFrame:
    """False alarms and power of gates side by side, for question sets of several sizes.

    Parameters
    ----------
    sizes : numbers of questions, one row each.
    rules : gates by name, two columns each: ``false alarms`` and ``power``.
    chance : share of the questions lost by chance, and the same share gained, where nothing truly changed.
    drop : shares of the questions lost and gained in a true drop, here 5 points.

    Examples
    --------
    >>> table = alarm_table((50, 400))
    >>> table["paired bootstrap"].round(3).to_dict("index")
    {50: {'false alarms': 0.03, 'power': 0.343}, 400: {'false alarms': 0.039, 'power': 0.98}}
    """
    if not isinstance(sizes, Sequence | np.ndarray) or isinstance(sizes, str | bytes):
        raise RecallLabError(f"sizes is {sizes!r}; it is a list of numbers of questions, such as (50, 100)")
    if not isinstance(rules, Mapping):
        raise RecallLabError(f"rules is a {type(rules).__name__}; it is a dict of name → rule")
    if not isinstance(drop, tuple | list) or len(drop) != 2:
        raise RecallLabError(f"drop is {drop!r}; it is the shares lost and gained, such as (0.065, 0.015)")
    columns = {}
    for name, rule in rules.items():
        columns[name, "false alarms"] = [alarm_rate(rule, n, chance, chance) for n in sizes]
        columns[name, "power"] = [alarm_rate(rule, n, *drop) for n in sizes]
    return pd.DataFrame(columns, index=pd.Index(sizes, name="n"))


# --------------------------------------------------------------------------------------- a growing corpus


def expected_recall(strength: ArrayLike, k: ArrayLike, documents: ArrayLike) -> Any:
    """Expected recall@k of the one relevant document among N, exact, however large N is.

    The relevant document scores ``strength`` standard deviations above the mean of the others; all scores are
    Gaussian. It is in the top k where it beats the k-th best of the N − 1 others. The share of others that
    such a rival leaves above it, u, follows Beta(k, N − k), so

        recall@k = E[Φ(strength + Φ⁻¹(u))]

    with Φ the normal distribution function. Strength 0 gives k / N, the random line.

    Parameters
    ----------
    strength : how far relevance lifts a score, in standard deviations of the others.
    k : cutoff, a whole number from 1.
    documents : corpus size N, a whole number from 1; k = N and beyond give 1. All three may be arrays, which
        are broadcast against each other.

    Returns
    -------
    A float, or an array where one of the three is.

    Raises
    ------
    RecallLabError : k or N is no whole number from 1, or the strength no number.

    Notes
    -----
    The expectation is taken over a Gaussian variable by Gauss–Hermite quadrature with 40 nodes. Where a query
    has several relevant documents they take ranks from each other; while they are few, by little.

    Examples
    --------
    The same retriever, looked at in a corpus that grows:

    >>> strength = strength_for(0.98, k=1000, documents=2000)
    >>> expected_recall(strength, 1000, [1000, 2000, 100_000, 8_800_000]).round(3).tolist()
    [1.0, 0.98, 0.393, 0.051]
    >>> f"{expected_recall(0, 1000, 8_800_000):.6f}"
    '0.000114'
    """
    from scipy.special import betaincinv, ndtr, ndtri

    lift = np.asarray(strength)
    if lift.dtype.kind not in "iuf" or not np.isfinite(lift).all():
        raise RecallLabError(f"strength is {strength!r}; it is a finite number, or an array of them")
    lift, cutoff, size = np.broadcast_arrays(lift, _whole(k, "k"), _whole(documents, "documents"))
    rivals = cutoff < size
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    k_, n_ = (np.where(rivals, values, first)[..., None] for values, first in ((cutoff, 1), (size, 2)))
    above = betaincinv(k_, n_ - k_, ndtr(nodes))
    found = ndtr(lift[..., None] + ndtri(above)) @ (weights / weights.sum())
    recall = np.where(rivals, found, 1.0)
    return float(recall) if recall.ndim == 0 else recall


def strength_for(recall: float, k: int, documents: int) -> float:
    """The strength that gives an expected recall: what a reported recall says of a retriever.

    Parameters
    ----------
    recall : between 0 and 1, at least a billionth away from both.
    k : cutoff, below the number of documents.
    documents : corpus size N.

    Raises
    ------
    RecallLabError : the recall is out of this range, or k reaches N, where every retriever has recall 1.

    Examples
    --------
    >>> round(strength_for(0.98, k=1000, documents=100_000), 2)
    4.38
    """
    from scipy.optimize import brentq

    if not _LEAST_RECALL <= _check_share(recall, "recall") <= 1 - _LEAST_RECALL:
        raise RecallLabError(
            f"recall is {recall}; no finite strength gives exactly 0 or 1; stay a billionth away"
        )
    if check_k(k) >= check_k(documents, "documents"):
        raise RecallLabError(
            f"k is {k} and the corpus has {documents} documents: all are in the top k, whatever the retriever"
        )
    return float(brentq(lambda strength: expected_recall(strength, k, documents) - recall, -40, 40))


# ------------------------------------------------------------------------------------------------ helpers


def _whole(values: ArrayLike, name: str) -> Ints:
    whole = np.asarray(values)
    if whole.dtype.kind not in "iu" or (whole < 1).any():
        raise RecallLabError(
            f"{name} is {values!r}; it must be a whole number, 1 or more, or an array of them"
        )
    return whole


def _counts(lost: Counts, gained: Counts, n: int) -> tuple[Ints, Ints]:
    losses, gains = np.broadcast_arrays(np.asarray(lost), np.asarray(gained))
    if any(counts.dtype.kind not in "iu" or (counts < 0).any() for counts in (losses, gains)):
        raise RecallLabError("lost and gained are whole numbers of questions, 0 or more, or arrays of them")
    if (losses + gains > _check_questions(n)).any():
        raise RecallLabError(f"more questions are lost and gained than there are: n is {n}")
    return losses, gains


def _check_seed(seed: int) -> int:
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise RecallLabError(f"seed is {seed!r}; it must be a whole number, 0 or more")
    return int(seed)


def _check_number(value: float, name: str) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not -_HUGE < value < _HUGE:
        raise RecallLabError(f"{name} is {value!r}; it must be a finite number")
    return float(value)


def _check_share(value: float, name: str) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value <= 1:
        raise RecallLabError(f"{name} is {value!r}; it must be a number from 0 to 1")
    return float(value)


def _check_questions(n: int) -> int:
    if check_k(n, "n") > _MOST_QUESTIONS:
        raise RecallLabError(f"n is too large; at most {_MOST_QUESTIONS:,} questions")
    return int(n)


def _check_churn(n: int, lost: float, gained: float) -> None:
    _check_questions(n)
    if _check_share(lost, "lost") + _check_share(gained, "gained") > 1:
        raise RecallLabError(f"lost is {lost} and gained {gained}; together they are shares of one whole")
