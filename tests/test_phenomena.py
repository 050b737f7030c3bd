"""What the lessons show is in the frozen runs: each phenomenon with its size, its slice and its questions.

Each is a function that looks at runs and asserts. It must pass on the frozen runs, and fail when every
passage of every ranking is replaced by another one drawn at random: what random rankings show too would be no
phenomenon.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import pandas as pd
import pytest

from recall_lab import Evaluation, GoldenDataset, Run, evaluate
from recall_lab.retrieval import frozen_run, frozen_runs, merged_passages

DATASET = "library_of_things"


class Runs:
    """Some version of the frozen runs, and the questions one asks of it."""

    def __init__(self, runs: Mapping[str, Run]) -> None:
        self.runs = runs
        self.golden = golden("test")

    @cache  # noqa: B019 - there are four of these, and all live as long as the tests
    def evaluation(self, name: str, judgments: str | None = None) -> Evaluation:
        return evaluate(golden(judgments or frozen_runs()[name].judgments), self.runs[name])

    def values(self, name: str, k: int, measure: str = "recall", slice: str | None = None) -> pd.Series:
        """A measure of each answerable question (of a slice)."""
        values = self.evaluation(name).values(measure, k).dropna()
        return values if slice is None else values[questions_of(slice)]

    def recall(self, name: str, k: int, slice: str | None = None) -> float:
        return float(self.values(name, k, slice=slice).mean())

    def missed(self, *names: str, k: int) -> list[tuple[str, str]]:
        """Relevant passages that none of some systems has in its top k."""
        return [
            (question, passage)
            for question in self.golden.questions
            for passage in sorted(self.golden.relevant(question))
            if not any(passage in self.runs[name].ranking(question, k) for name in names)
        ]


@cache
def golden(judgments: str) -> GoldenDataset:
    return GoldenDataset.load(DATASET, judgments=judgments)


def questions_of(slice: str) -> list[str]:
    return [question for question, name in golden("test").question_types.items() if name == slice]


PHENOMENA: list[Callable[[Runs], None]] = []
phenomenon = PHENOMENA.append


@phenomenon
def keyword_search_ends_flat_below_one_and_vector_search_reaches_it(runs: Runs) -> None:
    curve = runs.evaluation("keyword").curve(600)
    assert 0.60 < curve[-1] < 0.80
    assert curve[-1] - curve[99] < 0.03
    unreachable = runs.values("keyword", 600)
    assert (unreachable[["q018", "q033", "q034", "q037", "q043", "q072", "q077"]] == 0).all()
    assert runs.recall("wordllama", 600) == runs.recall("minilm", 600) == 1


@phenomenon
def other_words_for_the_same_thing_need_a_vector(runs: Runs) -> None:
    keyword = runs.values("keyword", 10, slice="vocabulary")
    assert len(keyword) == 14
    for vector in ("wordllama", "minilm"):
        found = runs.values(vector, 10, slice="vocabulary")
        assert found.mean() - keyword.mean() >= 0.5
        assert (found - keyword)[["q033", "q035", "q039", "q041", "q042", "q043", "q044"]].min() == 1
    assert keyword[["q045"]].item() == 1


@phenomenon
def codes_need_keywords(runs: Runs) -> None:
    keyword = runs.values("keyword", 5, slice="identifier")
    assert len(keyword) == 14
    assert (keyword == 1).all()
    for vector in ("wordllama", "minilm"):
        found = runs.values(vector, 5, slice="identifier")
        assert keyword.mean() - found.mean() >= 0.5
        assert (found[["q001", "q002", "q004", "q007", "q008", "q012", "q014"]] == 0).all()


@phenomenon
def fusion_is_above_both_arms_on_paraphrases(runs: Runs) -> None:
    hybrid = runs.values("hybrid_50", 10, slice="paraphrase")
    arms = [runs.values(arm, 10, slice="paraphrase") for arm in ("keyword", "wordllama")]
    assert len(hybrid) == 18
    assert all(hybrid.mean() - arm.mean() >= 0.02 for arm in arms)
    assert hybrid["q015"] > max(arm["q015"] for arm in arms)


@phenomenon
def fusion_is_below_the_better_arm_on_codes(runs: Runs) -> None:
    lost = runs.values("keyword", 5, slice="identifier") - runs.values("hybrid_50", 5, slice="identifier")
    assert lost.mean() >= 0.4
    assert (lost[["q001", "q002", "q007", "q008", "q012", "q014"]] == 1).all()


@phenomenon
def deeper_arms_make_fusion_worse_at_five(runs: Runs) -> None:
    shallow, middle, deep = (runs.recall(f"hybrid_{arm_depth}", 5) for arm_depth in (10, 50, 600))
    assert shallow - middle >= 0.03
    assert middle - deep >= 0.005
    fell = runs.values("hybrid_10", 5) - runs.values("hybrid_50", 5)
    assert (fell[["q001", "q002", "q007", "q008", "q012", "q014", "q042"]] == 1).all()


@phenomenon
def both_arms_miss_passages_at_fifty(runs: Runs) -> None:
    missed = runs.missed("keyword", "wordllama", k=50)
    assert 60 <= len(missed) <= 160
    assert {("q015", "news-01"), ("q024", "join-05"), ("q027", "join-11"), ("q034", "card-HT-9726")} <= set(
        missed
    )
    assert {question for question, _ in missed} >= {"q048", "q049", "q050", "q051", "q055"}


@phenomenon
def merging_chunks_cures_split_questions(runs: Runs) -> None:
    before, after = (runs.values(name, 5, slice="split") for name in ("keyword", "keyword_merged"))
    assert len(before) == 10
    cured = before.index[(before == 0) & (after == 1)]
    assert list(cured) == ["q071", "q072", "q073", "q074", "q077", "q078", "q079", "q080"]
    before, after = (runs.values(name, 10, slice="split") for name in ("wordllama", "wordllama_merged"))
    assert after[cured].min() == 1 and before[cured].max() == 0


@phenomenon
def the_bare_gap_promises_more_than_a_reranker_can_win(runs: Runs) -> None:
    judgments = {question: golden("test").judgments[question] for question in questions_of("list")}
    e = evaluate(judgments, runs.runs["keyword"], min_grade=2)
    gap, headroom = e.recall(20) - e.recall(5), e.headroom(5, 20)
    assert e.n == 24
    assert gap > 0.3
    assert gap - headroom >= 0.15


@phenomenon
def macro_and_micro_differ(runs: Runs) -> None:
    for name in ("keyword", "minilm"):
        e = runs.evaluation(name)
        assert e.recall(10) - e.micro_recall(10) >= 0.08


@phenomenon
def macro_and_micro_prefer_different_systems(runs: Runs) -> None:
    keyword, minilm = runs.evaluation("keyword"), runs.evaluation("minilm")
    assert minilm.recall(20) - keyword.recall(20) >= 0.05
    assert keyword.micro_recall(20) - minilm.micro_recall(20) >= 0.03


@phenomenon
def ndcg_is_above_recall_where_much_is_relevant(runs: Runs) -> None:
    above = runs.values("keyword", 5, "ndcg") - runs.values("keyword", 5)
    for question in ("q049", "q051", "q054", "q056"):
        assert len(golden("test").relevant(question)) > 5
        assert above[question] >= 0.4


@phenomenon
def ndcg_is_below_recall_where_the_answer_comes_late(runs: Runs) -> None:
    assert (runs.values("keyword", 5)[["q029", "q075", "q094"]] == 1).all()
    assert (runs.values("keyword", 5, "ndcg")[["q029", "q075", "q094"]] < 0.7).all()


@phenomenon
def the_lexical_pool_reverses_a_pair(runs: Runs) -> None:
    pooled, full = (
        runs.evaluation("keyword", judgments).recall(10) - runs.evaluation("hybrid_10", judgments).recall(10)
        for judgments in ("lexical_pool", "test")
    )
    assert pooled >= 0.03
    assert full <= -0.05


@phenomenon
def an_approximate_index_loses_neighbours_and_with_them_recall(runs: Runs) -> None:
    exact = runs.runs["wordllama"]
    neighbours = {question: exact.ranking(question, 10) for question in exact}
    assert 0.6 < evaluate(neighbours, runs.runs["approximate"]).recall(10) < 0.95
    assert runs.recall("wordllama", 10) - runs.recall("approximate", 10) >= 0.01
    assert runs.recall("wordllama", 50) - runs.recall("approximate", 50) >= 0.05


@phenomenon
def a_reranker_moves_recall_up_or_down_but_not_that_of_its_candidates(runs: Runs) -> None:
    for first, reranked in (("hybrid_50", "reranked"), ("keyword", "reranked_wordllama")):
        assert (runs.values(first, 50) == runs.values(reranked, 50)).all()
    assert runs.recall("reranked", 5) - runs.recall("hybrid_50", 5) >= 0.05
    assert runs.recall("keyword", 5) - runs.recall("reranked_wordllama", 5) >= 0.05


@phenomenon
def a_gate_catches_the_planted_regression_and_passes_the_harmless_change(runs: Runs) -> None:
    base = runs.values("keyword", 10)
    regression = runs.values("keyword_all_words", 10) - base
    assert len(regression) == 104
    assert regression.mean() <= -0.04
    assert (regression < 0).sum() >= 3 * (regression > 0).sum()
    assert fails_the_gate(regression)

    harmless = runs.values("keyword_titles_twice", 10) - base
    assert (harmless < 0).sum() >= 3 and (harmless > 0).sum() >= 3
    assert abs(harmless.mean()) <= 0.02
    assert not fails_the_gate(harmless)


@phenomenon
def a_gate_does_not_see_five_percent_of_the_passages_go(runs: Runs) -> None:
    """The truth that 104 questions are few: the loss is real, and below what they can show."""
    change = runs.values("keyword_passages_lost", 10) - runs.values("keyword", 10)
    assert -0.04 < change.mean() < 0
    assert not fails_the_gate(change)
    at_fifty = runs.values("keyword_passages_lost", 50) - runs.values("keyword", 50)
    assert (at_fifty <= 0).mean() >= 0.95 and at_fifty.mean() <= -0.01


def fails_the_gate(differences: pd.Series) -> bool:
    """Whether 95 % of the resampled mean differences are below 0."""
    values = differences.to_numpy()
    chosen = np.random.default_rng(0).integers(len(values), size=(4000, len(values)))
    return bool(np.quantile(values[chosen].mean(axis=1), 0.95) < 0)


@pytest.fixture(scope="module")
def frozen() -> Runs:
    return Runs({name: frozen_run(name) for name in frozen_runs()})


def shuffled(seed: int) -> Runs:
    """The frozen runs with every passage replaced by another, drawn anew for every run and question."""
    rng = random.Random(seed)
    corpora = {"test": list(golden("test").passages), "merged": list(merged_passages())}
    runs = {}
    for name, entry in frozen_runs().items():
        run = frozen_run(name)
        corpus = corpora[entry.judgments]
        runs[name] = Run({question: rng.sample(corpus, run.depth(question)) for question in run}, name=name)
    return Runs(runs)


@pytest.fixture(scope="module")
def shuffles() -> list[Runs]:
    return [shuffled(seed) for seed in (1, 2, 3)]


@pytest.mark.parametrize("shown", PHENOMENA, ids=lambda shown: shown.__name__)
def test_it_is_in_the_frozen_runs(shown: Callable[[Runs], None], frozen: Runs) -> None:
    shown(frozen)


@pytest.mark.parametrize("shown", PHENOMENA, ids=lambda shown: shown.__name__)
def test_it_is_not_in_shuffled_runs(shown: Callable[[Runs], None], shuffles: list[Runs]) -> None:
    for runs in shuffles:
        with pytest.raises(AssertionError):
            shown(runs)


def test_the_ceiling_bites_on_the_list_slice_and_hardly_elsewhere() -> None:
    """A fact about the judgments, whatever the system."""
    e = evaluate(golden("test"), frozen_run("keyword"))
    ceilings = e.slices(10)["ceiling"]
    assert e.ceiling(10) >= 0.9
    assert ceilings["list"] <= 0.85
    assert ceilings.drop("list").min() >= 0.95


def test_the_gate_can_fail_and_can_pass() -> None:
    assert fails_the_gate(pd.Series([-1.0] * 7 + [0.0] * 93))
    assert not fails_the_gate(pd.Series([-1.0] * 7 + [1.0] * 7 + [0.0] * 86))
    assert not fails_the_gate(pd.Series([0.0] * 100))
