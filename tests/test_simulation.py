"""Simulations: the story of the pool holds on every seed; chance among questions; a corpus that grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import product

import numpy as np
import pytest

from recall_lab import evaluate
from recall_lab.errors import RecallLabError
from recall_lab.simulation import (
    RULES,
    PoolingStory,
    Settings,
    Simulation,
    alarm_rate,
    alarm_table,
    bootstrap_rule,
    expected_recall,
    naive_rule,
    pooling_story,
    simulate,
    simulate_churn,
    strength_for,
)
from recall_lab.statistics import fewest_questions, gate_values

LEXICAL = ["A", "B", "C"]
SMALL = Settings(queries=20, documents=400, depth=60)


# ------------------------------------------------------------------------------------- the collection drawn


@cache
def small() -> Simulation:
    return simulate(3, SMALL)


def test_a_seed_gives_the_same_collection_again() -> None:
    again = simulate(3, SMALL)
    assert again.judgments == small().judgments
    assert all(again.runs[name] == run for name, run in small().runs.items())
    other = simulate(4, SMALL)
    assert other.judgments != small().judgments
    assert all(other.runs[name] != run for name, run in small().runs.items())


def test_a_collection_is_as_its_settings_say() -> None:
    simulation = small()
    assert list(simulation.runs) == simulation.settings.systems == [*LEXICAL, "NEW"]
    assert list(simulation.old_runs) == LEXICAL
    assert len(simulation.judgments) == 20
    assert all(1 <= len(relevant) <= 20 for relevant in simulation.judgments.values())
    documents = {f"d{number:03d}" for number in range(400)}
    for name, run in simulation.runs.items():
        assert run.name == name
        for query in simulation.judgments:
            ranking = run.ranking(query)
            assert len(ranking) == len(set(ranking)) == 60
            assert documents.issuperset(ranking)
    assert documents.issuperset(doc for relevant in simulation.judgments.values() for doc in relevant)
    assert {run.depth(query) for run in small().runs.values() for query in run} == {60}


@pytest.mark.parametrize("share", [0.0, 0.45, 1.0])
def test_so_many_are_reachable_by_meaning_only(share: float) -> None:
    simulation = simulate(0, replace(SMALL, meaning_only=share))
    relevant = sum(map(len, simulation.judgments.values()))
    hidden = sum(map(len, simulation.meaning_only.values()))
    assert hidden == round(share * relevant)
    for query, docs in simulation.meaning_only.items():
        assert simulation.judgments[query].keys() >= set(docs)


def test_words_find_what_shares_words_and_meaning_finds_all() -> None:
    simulation = simulate(0, replace(Settings(), queries=300, depth=50))
    hidden = simulation.meaning_only
    seen = {
        query: set(relevant).difference(hidden[query]) for query, relevant in simulation.judgments.items()
    }

    def recall(name: str, relevant: dict) -> float:
        return evaluate(
            {query: docs for query, docs in relevant.items() if docs}, simulation.runs[name]
        ).recall(50)

    assert recall("A", seen) > 0.8 > recall("C", seen)
    assert recall("A", hidden) < 0.03, "no better than chance, which is 50 / 5000"
    assert recall("NEW", hidden) == pytest.approx(recall("NEW", seen), abs=0.05)


def test_correlated_systems_agree_on_what_is_not_relevant() -> None:
    def shared(correlation: float, one: str, other: str) -> float:
        runs = simulate(0, Settings(correlation=correlation, relevant=(1,), depth=50)).runs
        return float(np.mean([len({*runs[one][q]} & {*runs[other][q]}) / 50 for q in runs[one]]))

    assert shared(1.0, "A", "B") > 0.97
    assert 0.3 < shared(0.8, "A", "B") < 0.5
    assert shared(0.0, "A", "B") < 0.05
    assert shared(0.8, "A", "NEW") < 0.05


def test_all_documents_may_be_returned() -> None:
    settings = Settings(queries=3, documents=7, relevant=(7, 1), depth=7, lexical_strengths=(1.0,))
    simulation = simulate(0, settings)
    assert list(simulation.runs) == ["A", "NEW"]
    for run in simulation.runs.values():
        assert evaluate(simulation.judgments, run).recall(7) == 1


def test_results_stand_in_order_of_their_scores() -> None:
    """With signals that leave nothing to chance, the relevant documents come first."""
    settings = replace(SMALL, lexical_strengths=(99.0,), new_strength=99.0, meaning_only=0.0)
    simulation = simulate(0, settings)
    for run in simulation.runs.values():
        assert evaluate(simulation.judgments, run).r_precision() == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"documents": 0}, "documents is 0"),
        ({"queries": True}, "queries is True"),
        ({"depth": 5001}, "depth is 5001; there are only 5000 documents"),
        ({"relevant": ()}, "relevant is ()"),
        ({"relevant": 5}, "relevant is 5"),
        ({"relevant": (1, 0)}, "a number of relevant documents is 0"),
        ({"relevant": (1, 5001)}, "5001 relevant documents do not fit"),
        ({"meaning_only": 1.1}, "meaning_only is 1.1"),
        ({"correlation": "high"}, "correlation is 'high'"),
        ({"correlation": float("nan")}, "correlation is nan"),
        ({"lexical_strengths": (1.0, float("inf"))}, "a strength is inf"),
        ({"lexical_strengths": ()}, "lexical_strengths is ()"),
        ({"lexical_strengths": (1.0,) * 27}, "letters for 26"),
        ({"new_strength": True}, "a strength is True"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_settings_that_cannot_be(change: dict, message: str) -> None:
    with pytest.raises(RecallLabError) as raised:
        Settings(**change)
    assert message in str(raised.value)


@pytest.mark.parametrize("seed", [-1, 1.5, True, "0"], ids=repr)
def test_a_seed_is_a_whole_number(seed: object) -> None:
    for draw in (lambda: simulate(seed, SMALL), lambda: simulate_churn(10, 0.1, 0.1, seed=seed)):
        with pytest.raises(RecallLabError, match="seed is"):
            draw()


# ---------------------------------------------------------------------------------- the story of the pool


@cache
def story(seed: int) -> PoolingStory:
    return pooling_story(simulate(seed))


@pytest.mark.parametrize("seed", range(20))
def test_the_story_holds_on_every_seed(seed: int) -> None:
    old, new, left_out = story(seed).old.table(), story(seed).new.table(), story(seed).left_out
    margin = 0.02
    assert old["truth"]["NEW"] > old["truth"][LEXICAL].max() + margin, "NEW is the best"
    assert old["pooled"]["NEW"] < old["pooled"][LEXICAL].min() - margin, "and last on the old pool"
    assert new["pooled"]["NEW"] > new["pooled"][LEXICAL].max() + margin, "and first once it is judged"

    assert (old["change"][LEXICAL] > 0.35).all(), "contributors are flattered"
    assert abs(old["change"]["NEW"]) < 0.08, "NEW is hardly punished"
    assert (new["change"] > 0.05).all(), "after the new pool all are still too high"

    assert old["unjudged"][LEXICAL].between(0.4, 0.6).all()
    assert 0.85 < old["unjudged"]["NEW"] < 1
    assert list(left_out.index) == LEXICAL
    assert abs(left_out["change"]["A"]) < 0.03, "leaving A out tells nothing"
    assert left_out["unique_relevant"].sum() > 0

    assert old["truth_n"].eq(100).all()
    lost = story(seed).old.lost
    assert 0 < len(lost) < 15
    assert old["pooled_n"].eq(100 - len(lost)).all()


def test_the_story_of_seed_zero_stays_as_it_is() -> None:
    """NumPy may one day draw other numbers from a seed: then freeze these anew, after the test above."""
    table = story(0).table()
    assert list(table.columns) == ["A", "B", "C", "NEW", "n"]
    frozen = {
        "recall@50, truth": [0.474, 0.437, 0.402, 0.587, 100],
        "recall@50, old pool": [0.972, 0.926, 0.848, 0.586, 92],
        "recall@50, new pool": [0.600, 0.552, 0.510, 0.743, 97],
        "unjudged@50, old pool": [0.471, 0.478, 0.476, 0.933, 92],
        "recall@50, old pool without its own": [0.969, 0.923, 0.847, np.nan, np.nan],
    }
    assert list(table.index) == list(frozen)
    for row, values in frozen.items():
        np.testing.assert_allclose(table.loc[row].astype(float), values, atol=0.0006)
    assert "Pool of A, B, C to depth 20: 100 queries" in repr(story(0))


def test_a_story_is_told_for_other_depths() -> None:
    told = pooling_story(small(), k=10, old_depth=5, new_depth=60)
    assert told.old.pool.depths == dict.fromkeys(LEXICAL, 5)
    assert told.new.pool.depths == dict.fromkeys([*LEXICAL, "NEW"], 60)
    assert told.table().index[0] == "recall@10, truth"
    for bad in ({"k": 0}, {"old_depth": 0}, {"new_depth": True}):
        with pytest.raises(RecallLabError, match="must be a whole number, 1 or more"):
            pooling_story(small(), **bad)


# ------------------------------------------------------------------- questions lost and gained by chance


def test_churn_is_drawn_as_asked() -> None:
    churn = simulate_churn(200, 0.065, 0.015, repetitions=5000, seed=1)
    assert churn.lost.mean() == pytest.approx(13, abs=0.25)
    assert churn.gained.mean() == pytest.approx(3, abs=0.12)
    assert (churn.lost + churn.gained <= 200).all()
    np.testing.assert_allclose(churn.mean_differences, (churn.gained - churn.lost) / 200)
    for repetition in (0, 7):
        differences = churn.differences(repetition)
        assert len(differences) == 200
        assert (differences == -1).sum() == churn.lost[repetition]
        assert (differences == 1).sum() == churn.gained[repetition]
    again = simulate_churn(200, 0.065, 0.015, repetitions=5000, seed=1)
    assert (again.lost == churn.lost).all()
    assert (simulate_churn(5, 1, 0).lost == 5).all()


def test_the_naive_rule_counts_whole_questions() -> None:
    lost, gained = np.array([1, 2, 3, 3, 0]), np.array([0, 0, 1, 2, 5])
    assert naive_rule(lost, gained, 50).tolist() == [False, True, True, False, False]
    assert not naive_rule(7, 5, 100), "a fall of exactly 2 points"
    assert 0.31 - 0.29 > 0.02, "which floats may take for more"
    assert naive_rule(4, 1, 100)
    assert not naive_rule(4, 1, 100, points=3)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_bootstrap_rule_is_the_bootstrap(n: int) -> None:
    """Against all n^n resamples, each as likely as the others."""
    for lost, gained in product(range(n + 1), repeat=2):
        if lost + gained <= n:
            differences = np.repeat([-1, 1, 0], [lost, gained, n - lost - gained])
            sums = np.array([sum(resample) for resample in product(differences, repeat=n)])
            for confidence in (0.51, 0.803, 0.95):
                assert bootstrap_rule(lost, gained, n, confidence=confidence) == (
                    np.mean(sums < 0) >= confidence
                )


@pytest.mark.parametrize(("lost", "gained"), [(3, 0), (2, 0), (8, 1), (8, 3), (30, 17), (30, 21), (60, 40)])
def test_the_bootstrap_rule_is_what_resampling_comes_to(lost: int, gained: int) -> None:
    n = 120
    differences = np.repeat([-1, 1, 0], [lost, gained, n - lost - gained])
    chosen = np.random.default_rng(0).integers(n, size=(20_000, n))
    sums = differences[chosen].sum(axis=1)
    assert bootstrap_rule(lost, gained, n) == (np.quantile(sums, 0.95) < 0)


@pytest.mark.parametrize(("n", "max_drop"), [(60, 0.05), (150, 0.1)])
def test_the_bootstrap_rule_is_the_alarm_of_our_gate(n: int, max_drop: float) -> None:
    """Wherever the gate's 10,000 resamples leave no doubt about a percentile."""
    fewest = fewest_questions(0.05, "less")
    rule = partial(bootstrap_rule, fewest_changed=fewest, max_drop=max_drop)
    clear = []
    for lost, gained in product(range(0, 25, 3), range(0, 12, 4)):
        decisions = {bool(rule(lost, gained, n, confidence=c)) for c in (0.94, 0.95, 0.96)}
        if len(decisions) == 1:
            differences = np.repeat([-1.0, 1.0, 0.0], [lost, gained, n - lost - gained])
            verdict = gate_values(differences, max_drop)
            assert (verdict.decision == "drop") in decisions, (lost, gained)
            clear.append(verdict.decision == "drop")
    assert 3 <= sum(clear) <= len(clear) - 3


def test_a_drop_that_is_surely_too_small_to_matter_is_no_alarm() -> None:
    assert bootstrap_rule(12, 0, 1000)
    assert bootstrap_rule(12, 0, 1000, max_drop=0.015)
    assert not bootstrap_rule(12, 0, 1000, max_drop=0.05)


def test_the_bootstrap_rule_takes_arrays_and_a_least_number_of_changes() -> None:
    lost = np.array([[3, 0], [5, 5]])
    assert bootstrap_rule(lost, 0, 100).tolist() == [[True, False], [True, True]]
    assert bootstrap_rule(lost, 0, 100, fewest_changed=5).tolist() == [[False, False], [True, True]]
    assert bootstrap_rule(np.zeros(0, dtype=int), 0, 100).tolist() == []
    assert bootstrap_rule(5, 0, 5)
    assert not bootstrap_rule(0, 5, 5)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("churn", [(0.02, 0.02), (0.3, 0.1), (0.0, 0.5), (1.0, 0.0), (0.4, 0.6)], ids=str)
def test_an_alarm_rate_counts_every_outcome(rule: Callable, churn: tuple[float, float]) -> None:
    n, (lost, gained) = 6, churn
    probability = {-1: lost, 1: gained, 0: 1 - lost - gained}
    outcomes = list(product(probability, repeat=n))
    alarms = rule([changes.count(-1) for changes in outcomes], [changes.count(1) for changes in outcomes], n)
    likelihoods = np.array([np.prod([probability[change] for change in changes]) for changes in outcomes])
    expected = likelihoods[alarms].sum()
    assert alarm_rate(rule, n, lost, gained) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_simulated_churn_comes_to_the_alarm_rate(rule: Callable) -> None:
    churn = simulate_churn(104, 0.065, 0.015, repetitions=20_000)
    assert rule(churn.lost, churn.gained, 104).mean() == pytest.approx(
        alarm_rate(rule, 104, 0.065, 0.015), abs=0.015
    )


def test_the_table_of_alarms() -> None:
    table = alarm_table().round(3)
    assert list(table.index) == [50, 100, 200, 400]
    assert table["fell by more than 2 points", "false alarms"].to_list() == [0.131, 0.1, 0.055, 0.017]
    bootstrap = table["paired bootstrap"]
    assert bootstrap["power"].to_list() == [0.343, 0.536, 0.806, 0.98]
    assert bootstrap["false alarms"].to_list() == [0.03, 0.049, 0.039, 0.039]
    careful = table["recall-lab gate, max drop 0.05"]
    assert (careful["false alarms"] <= bootstrap["false alarms"]).all()
    assert careful["power"].to_list() == [0.148, 0.499, 0.804, 0.95]


def test_104_questions_see_a_drop_of_five_points_half_the_time() -> None:
    assert alarm_rate(RULES["recall-lab gate, max drop 0.05"], 104, 0.065, 0.015) == pytest.approx(
        0.52, abs=0.005
    )


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: simulate_churn(0, 0.1, 0.1), "n is 0"),
        (lambda: simulate_churn(10, -0.1, 0.1), "lost is -0.1"),
        (lambda: simulate_churn(10, 0.6, 0.5), "together they are shares of one whole"),
        (lambda: simulate_churn(10, 0.1, 0.1, repetitions=0), "repetitions is 0"),
        (lambda: alarm_rate(naive_rule, 10, 2, 0.1), "lost is 2"),
        (lambda: naive_rule(-1, 0, 10), "whole numbers of questions, 0 or more"),
        (lambda: bootstrap_rule([1.5], 0, 10), "whole numbers of questions, 0 or more"),
        (lambda: bootstrap_rule(6, 5, 10), "n is 10"),
        (lambda: naive_rule(1, 0, True), "n is True"),
        (lambda: bootstrap_rule(1, 0, 10, confidence=95), "confidence is 95"),
        (lambda: bootstrap_rule(1, 0, 10, max_drop=5), "max_drop is 5"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_churn_that_cannot_be(attempt: Callable, message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        attempt()


# --------------------------------------------------------------------------------------- a growing corpus


@pytest.mark.parametrize("documents", [11, 500, 5000])
@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("strength", [-1.0, 0.0, 2.5, 4.0])
def test_expected_recall_is_a_binomial_integral(strength: float, k: int, documents: int) -> None:
    """A relevant document of score x is found where fewer than k of the N − 1 others score higher."""
    from scipy.integrate import quad
    from scipy.stats import binom, norm

    found, _ = quad(
        lambda x: norm.pdf(x - strength) * binom.cdf(k - 1, documents - 1, norm.sf(x)),
        strength - 8,
        strength + 8,
        epsabs=1e-10,
        limit=200,
    )
    assert expected_recall(strength, k, documents) == pytest.approx(found, abs=1e-8)


def test_expected_recall_of_chance_is_the_random_line() -> None:
    for documents in (10, 1000, 8_800_000):
        ks = np.unique(np.geomspace(1, documents, 20).astype(int))
        np.testing.assert_allclose(expected_recall(0, ks, documents), ks / documents, rtol=1e-6)


def test_expected_recall_is_that_of_a_simulation() -> None:
    settings = Settings(queries=400, documents=2000, relevant=(1,), meaning_only=0.0, depth=50)
    simulation = simulate(0, settings)
    for name, strength in zip(settings.systems, (*settings.lexical_strengths, 2.6), strict=True):
        curve = evaluate(simulation.judgments, simulation.runs[name]).curve(50)
        expected = expected_recall(strength, np.arange(1, 51), 2000)
        assert np.abs(curve - expected).max() < 4 * 0.5 / np.sqrt(400)


def test_a_reported_recall_collapses_in_a_growing_corpus() -> None:
    strength = strength_for(0.98, 1000, 2000)
    recalls = expected_recall(strength, 1000, [1000, 1001, 2000, 10_000, 8_800_000])
    assert recalls[0] == 1, "with k = N everyone finds everything"
    assert recalls[2] == pytest.approx(0.98)
    assert (np.diff(recalls) < 0).all()
    assert recalls[-1] < 0.06
    assert expected_recall(strength, 2000, 1000) == 1


def test_expected_recall_takes_arrays_of_any_shape() -> None:
    table = expected_recall([[0.0], [2.5]], [1, 10, 100], 100)
    assert table.shape == (2, 3)
    assert table[1, 1] == pytest.approx(expected_recall(2.5, 10, 100))
    assert isinstance(expected_recall(2.5, 10, 100), float)
    assert table[:, 2].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("recall", "k", "documents"), [(0.98, 1000, 100_000), (0.3, 1, 2), (0.001, 5, 8_800_000)]
)
def test_a_strength_gives_back_its_recall(recall: float, k: int, documents: int) -> None:
    assert expected_recall(strength_for(recall, k, documents), k, documents) == pytest.approx(recall)


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: expected_recall(2.5, 0, 10), "k is 0"),
        (lambda: expected_recall(2.5, True, 10), "k is True"),
        (lambda: expected_recall(2.5, 1.5, 10), "k is 1.5"),
        (lambda: expected_recall(2.5, 1, [10, 0]), "documents is"),
        (lambda: expected_recall("strong", 1, 10), "strength is 'strong'"),
        (lambda: expected_recall(float("nan"), 1, 10), "strength is nan"),
        (lambda: strength_for(1, 10, 100), "no finite strength"),
        (lambda: strength_for(98, 10, 100), "recall is 98; it must be a number from 0 to 1"),
        (lambda: strength_for(0.5, 10, 10), "all are in the top k"),
        (lambda: strength_for(0.5, 0, 10), "k is 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_corpus_that_cannot_be(attempt: Callable, message: str) -> None:
    with pytest.raises(RecallLabError, match=message):
        attempt()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: simulate(0, {"queries": 20}), "settings is a dict"),
        (lambda: pooling_story(0), "simulation is a int"),
        (lambda: simulate_churn(10**30, 0.1, 0.1), "n is too large"),
        (lambda: simulate_churn(10, 0.1, 0.1, repetitions=3).differences(3), "whole number from 0 to 2"),
        (lambda: naive_rule(1, 0, 10, points="2"), "points is '2'"),
        (lambda: bootstrap_rule(1, 0, 10, fewest_changed=None), "fewest_changed is None"),
        (lambda: alarm_rate("naive", 10, 0.1, 0.1), "rule is 'naive'"),
        (lambda: alarm_table(50), "sizes is 50"),
        (lambda: alarm_table((50,), [naive_rule]), "rules is a list"),
        (lambda: alarm_table((50,), drop=0.05), "drop is 0.05"),
        (lambda: strength_for(1e-300, 10, 1000), "recall is 1e-300"),
    ],
    ids=[
        *("settings", "simulation", "n", "repetition", "points", "changed", "rule", "sizes", "rules"),
        *("drop", "recall"),
    ],
)
def test_what_cannot_be_simulated_is_named(call: Callable[[], object], named: str) -> None:
    with pytest.raises(RecallLabError, match=named):
        call()
