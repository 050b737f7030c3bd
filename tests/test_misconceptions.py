"""The catalogue: its table, recomputed, and what makes it tell mistakes apart."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise

import pytest

from recall_lab import capped_recall_at_k, mean_recall_at_k, micro_recall_at_k, precision_at_k
from recall_lab.exercises import fixture
from recall_lab.exercises.kappa import KAPPA, Kappa, Labelled
from recall_lab.exercises.misconceptions import CATALOGUE, ON_FIXTURE, Mistake, compatible, pairs, render_page
from recall_lab.exercises.recipe import CAPPED, CEILING, PRECISION, RECALL, Query, Recipe, Sheet

RIGHT = Fraction(49, 150)

TABLE = {
    "divided_by_k": ".2400",
    "divided_by_reachable": ".3867",
    "hit_or_miss": ".6000",
    "all_or_nothing": ".2000",
    "nothing_relevant_as_zero": ".2333",
    "nothing_relevant_as_one": ".5190",
    "micro": ".3333",
    "repeats_counted": ".3467",
    "cut_one_early": ".2067",
    "cut_one_late": ".4933",
    "first_result_skipped": ".4733",
    "mean_over_mean_ceiling": ".3630",
    "no_cut": ".5800",
    "divided_by_list_length": ".2252",
    "divided_by_found": ".4167",
    "only_questions_with_a_hit": ".5444",
    "empty_lists_dropped": ".4083",
    "file_order": ".3933",
    "sorted_wrong_way": ".3533",
    "low_grades_counted": ".3788",
    "unjudged_removed": ".5600",
    "jaccard": ".1631",
    "weighted_by_rank": ".1096",
    "ids_of_two_types": ".0000",
}


def value_with(*mistakes: Mistake) -> Fraction | None:
    recipe = RECALL
    for mistake in mistakes:
        recipe = mistake.wrong(recipe)
    return recipe.value(fixture.SHEET)


def test_the_right_value():
    assert RECALL.value(fixture.SHEET) == RIGHT


@pytest.mark.parametrize("mistake", ON_FIXTURE, ids=lambda mistake: mistake.id)
def test_the_table(mistake):
    value = value_with(mistake)
    assert value is not None
    assert f"{float(value):.4f}".removeprefix("0") == TABLE[mistake.id]


def test_the_table_is_complete():
    assert [mistake.id for mistake in ON_FIXTURE] == list(TABLE)
    assert len(ON_FIXTURE) == 24


def test_all_values_are_well_apart():
    values = sorted([RIGHT, *(value_with(mistake) or Fraction(0) for mistake in ON_FIXTURE)])
    assert len(values) == 25
    assert min(b - a for a, b in pairwise(values)) == Fraction(1, 150)


def test_no_two_mistakes_cancel():
    """Two mistakes of different steps made together never give the right value or one like it."""
    together = pairs(ON_FIXTURE)
    assert len(together) == 237
    for one, other in together:
        value = value_with(one, other)
        assert value == value_with(other, one), "the order in which they are made plays no part"
        assert value is None or abs(value - RIGHT) > Fraction(1, 1000), (one.id, other.id)


def test_mistakes_of_one_step_exclude_each_other():
    early, late, micro = (CATALOGUE[id] for id in ("cut_one_early", "cut_one_late", "micro"))
    assert not compatible(early, late)
    assert compatible(early, micro)


def test_a_mistake_on_the_fixture_changes_one_step():
    steps = {field.name for field in fields(Recipe)}
    for mistake in ON_FIXTURE:
        assert len(mistake.steps) == 1
        assert set(mistake.steps) <= steps


def test_every_repeat_convention_gives_the_right_value():
    """Removing repeats before the cut or after it is a convention, not a mistake."""
    queries = [Query(q.name, tuple(dict.fromkeys(q.retrieved)), q.grades) for q in fixture.SHEET.queries]
    assert RECALL.value(Sheet(tuple(queries), fixture.K, fixture.MIN_GRADE)) == RIGHT


def test_the_library_agrees_with_the_recipes():
    runs = fixture.runs()
    assert mean_recall_at_k(runs, 5) == pytest.approx(float(RIGHT))
    assert micro_recall_at_k(runs, 5) == pytest.approx(float(value_with(CATALOGUE["micro"])))
    answerable = [(retrieved, relevant) for retrieved, relevant in runs if relevant]
    for measure, recipe in ((precision_at_k, PRECISION), (capped_recall_at_k, CAPPED)):
        mean = sum(measure(*run, 5) for run in answerable) / len(answerable)
        assert mean == pytest.approx(float(recipe.value(fixture.SHEET)))


def test_the_same_data_as_rows():
    """What a learner computes from the raw rows and judgments is what the recipes see."""
    by_question: dict[str, list[tuple[int, str]]] = {question: [] for question in fixture.judgments()}
    for question, rank, document in fixture.rows():
        by_question[question].append((rank, document))
    runs = [
        (
            [document for _, document in sorted(by_question[question])],
            {d for d, grade in grades.items() if grade >= 2},
        )
        for question, grades in fixture.judgments().items()
    ]
    assert runs == fixture.runs()
    assert mean_recall_at_k(runs, 5) == pytest.approx(float(RIGHT))
    lines = [(question, rank) for question, rank, _ in fixture.rows()]
    assert lines != sorted(lines), "the file is not sorted"


def test_letters_tell_the_lists_as_they_were_written():
    assert {query.name: fixture.letters(query) for query in fixture.SHEET.queries} == {
        name: text for name, (_, _, text) in fixture.LISTS.items()
    }


@pytest.mark.parametrize("mistake", CATALOGUE.values(), ids=lambda mistake: mistake.id)
def test_every_mistake_asks_one_question(mistake):
    assert mistake.asks.endswith("?") and mistake.asks.count("?") == 1
    assert not re.search(r"[.!] [A-Z]", mistake.asks), "one sentence"
    assert not re.search(r"\d", mistake.asks + mistake.name), "it speaks about any numbers"
    assert mistake.name.split()[0].endswith("ing")
    assert re.fullmatch(r"0\d|1[0-4]", mistake.lesson)
    assert mistake.section == f"lesson {mistake.lesson}, {mistake.topic}"


def test_ids_are_unique():
    everything = [*ON_FIXTURE, *CATALOGUE.values()]
    assert len({mistake.id for mistake in everything}) == len(CATALOGUE)


def test_every_mistake_changes_some_value():
    """No entry of the catalogue is the right way under another name."""
    sheet = Sheet(
        (
            Query.from_ranks("a", 4, (2, 5, 9)),
            Query.from_ranks("b", 20, (1, 2, 7)),
            Query.from_ranks("c", 0, ()),
            Query.from_ranks("d", 1, (8,)),
        ),
        k=5,
    )
    scored = Query(
        "s", ("d2", "d1", "d9"), {"d1": 1, "d8": 1}, (2, 1, 3), {"d2": 10.5, "d1": 10.5, "d9": 9.0}
    )
    repeated = Query("r", ("r2", "r2", "r1"), {"r1": 1, "r2": 1})
    shared = Sheet(
        (Query("v", ("s", "x"), {"s": 1, "b": 1, "c": 1}), Query("w", ("b", "s"), {"s": 1, "d": 1})), 2
    )
    agreed = [Labelled((2, 2, 1, 0, 0), (2, 1, 1, 0, 2)), Labelled((1, 1), (1, 1))]
    for mistake in CATALOGUE.values():
        if set(mistake.steps) <= {field.name for field in fields(Kappa)}:
            assert any(KAPPA.value(pairs) != mistake.wrong(KAPPA).value(pairs) for pairs in agreed), (
                mistake.id
            )
            continue
        values = [
            base.value(s) != mistake.wrong(base).value(s)
            for base in (RECALL, PRECISION, CEILING)
            for s in (sheet, replace(sheet, k=8), Sheet((repeated,), 2), shared, fixture.SHEET)
        ]
        orders = mistake.wrong(RECALL).order(scored) != RECALL.order(scored)
        assert any(values) or orders, mistake.id


def test_the_page_for_the_book_lists_every_mistake_with_its_number():
    page = render_page()
    for mistake in CATALOGUE.values():
        assert mistake.asks in page
    for value in TABLE.values():
        assert f"| 0{value} |" in page
    rows = [line for line in page.splitlines() if line.startswith("| 0.")]
    assert rows == sorted(rows), "one finds one's number by its size"
    widths = {line.count("|") for line in rows}
    assert widths == {5}
