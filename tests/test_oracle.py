"""Thousands of random cases against trec_eval itself, through pytrec_eval: the same numbers, ties and all."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval

from recall_lab.evaluation import evaluate
from recall_lab.run import Run

CUTOFFS = (1, 2, 3, 5, 10, 20)
AT_CUTOFFS = {
    "recall": "recall",
    "P": "precision",
    "success": "hit_rate",
    "map_cut": "average_precision",
    "ndcg_cut": "ndcg",
}
WITHOUT = {
    "map": "average_precision",
    "recip_rank": "reciprocal_rank",
    "Rprec": "r_precision",
    "ndcg": "ndcg",
}
DOCUMENTS = [f"{prefix}{number}" for prefix in ("d", "D", "", "é", "d-0") for number in range(12)]

Judgments = dict[str, dict[str, int]]
Results = dict[str, dict[str, float]]


def random_case(seed: int, queries: int = 60) -> tuple[Judgments, Results]:
    """Judgments with negative, zero and other grades; a run with many ties, missing and extra queries."""
    rng = np.random.default_rng(seed)
    judgments: Judgments = {}
    results: Results = {}
    for number in range(queries):
        query = f"q{number}"
        if rng.random() < 0.9:
            judged = rng.choice(DOCUMENTS, rng.integers(1, 15), replace=False)
            grades = rng.integers(-2, 4, len(judged)) if rng.random() < 0.9 else np.zeros(len(judged), int)
            grades[0] = abs(grades[0])  # a query with negative grades only makes trec_eval crash
            judgments[query] = dict(zip(judged.tolist(), grades.tolist(), strict=True))
        if rng.random() < 0.9:
            found = rng.choice(DOCUMENTS, rng.integers(1, 30), replace=False)
            coarse = rng.integers(-4, 5, len(found)) / 4  # exact in 32 bits, so that a tie is a tie there too
            scores = coarse if rng.random() < 0.8 else rng.permutation(len(found)) / 8
            results[query] = dict(zip(found.tolist(), scores.tolist(), strict=True))
    return judgments, results


def by_trec_eval(judgments: Judgments, results: Results, min_grade: int) -> dict[str, dict[str, float]]:
    cutoffs = ",".join(map(str, CUTOFFS))
    names = {f"{name}.{cutoffs}" for name in AT_CUTOFFS} | set(WITHOUT)
    return pytrec_eval.RelevanceEvaluator(judgments, names, relevance_level=min_grade).evaluate(results)


@pytest.mark.parametrize("min_grade", [1, 2])
@pytest.mark.parametrize("seed", range(25))
def test_every_query_and_every_mean(seed: int, min_grade: int) -> None:
    judgments, results = random_case(seed)
    theirs = by_trec_eval(judgments, results, min_grade)
    ours = evaluate(judgments, results, min_grade=min_grade, preset="trec_eval")
    assert set(ours.query_ids) == set(theirs)
    pairs = [(f"{name}_{k}", measure, k) for name, measure in AT_CUTOFFS.items() for k in CUTOFFS]
    pairs += [(name, measure, None) for name, measure in WITHOUT.items()]
    for name, measure, k in pairs:
        expected = [theirs[query][name] for query in ours.query_ids]
        # Without a cutoff, trec_eval's ideal ranking holds every document with a gain, found or not.
        k = 1000 if name == "ndcg" else k
        assert ours.values(measure, k)[ours.query_ids].tolist() == pytest.approx(expected, abs=1e-12), name
        assert ours.mean(measure, k) == pytest.approx(np.mean(expected), abs=1e-12), name


def test_our_own_conventions_differ_only_where_they_say_so() -> None:
    for seed in range(100, 110):
        judgments, results = random_case(seed)
        theirs = by_trec_eval(judgments, results, 1)
        ours = evaluate(judgments, results)
        zeros = dict.fromkeys(ours.unanswered, 0.0)
        expected = [zeros[query] if query in zeros else theirs[query]["recall_5"] for query in ours.query_ids]
        assert ours.recall(5) == pytest.approx(np.mean(expected))
        assert set(ours.query_ids) == set(judgments) - set(ours.excluded)
        assert set(ours.ignored) == set(results) - set(judgments)


def test_scores_closer_than_32_bits_are_ties_to_trec_eval() -> None:
    rng = np.random.default_rng(7)
    judgments, results = {}, {}
    for number in range(200):
        found = rng.choice(DOCUMENTS, 20, replace=False).tolist()
        close = 1 + rng.integers(0, 6, 20) * 2.0**-25
        results[f"q{number}"] = dict(zip(found, close.tolist(), strict=True))
        judgments[f"q{number}"] = dict.fromkeys(found[:3], 1)
    theirs = by_trec_eval(judgments, results, 1)
    same = evaluate(judgments, results, preset="trec_eval")
    expected = [theirs[query]["map"] for query in same.query_ids]
    assert same.values("average_precision").tolist() == pytest.approx(expected)
    assert evaluate(judgments, results).average_precision() != pytest.approx(np.mean(expected), abs=1e-4)


def test_order_of_the_ranking() -> None:
    """One relevant document at a time tells where trec_eval puts each document."""
    for seed in range(200, 210):
        _, results = random_case(seed, queries=5)
        for query, found in results.items():
            evaluator = pytrec_eval.RelevanceEvaluator({doc: {doc: 1} for doc in found}, {"recip_rank"})
            theirs = evaluator.evaluate(dict.fromkeys(found, found))
            order = sorted(found, key=lambda doc: -theirs[doc]["recip_rank"])
            assert Run(results).ranking(query) == order
