"""Whatever a learner hands over is read by its type, and never believed."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_lab.exercises import check, registry
from recall_lab.exercises.answers import (
    Unreadable,
    is_blank,
    kind_of,
    read_ids,
    read_mapping,
    read_number,
    read_text,
)


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(tmp_path / "progress.json"))


class AlwaysEqual:
    """The object that passes every naive check."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        return "Fraction(1, 2)"

    def __str__(self):
        return "1/2"


class FloatThatIsEqual(float):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __sub__(self, other):
        return 0.0

    def __float__(self):
        return 0.5


class FractionThatIsEqual(Fraction):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    @property
    def numerator(self):
        return 1

    @property
    def denominator(self):
        return 2


class TextThatIsEqual(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("d1")

    def __str__(self):
        return "1/2"


HALF = [
    0.5,
    1 / 2,
    Fraction(1, 2),
    Fraction(0.5),
    Decimal("0.5"),
    "1/2",
    " 2 / 4 ",
    "0.5",
    ".5",
    "5e-1",
    "50 %",
    "50%",
    np.float64(0.5),
    np.float32(0.5),
    np.longdouble(0.5),
    np.array(0.5),
    0.5004,
    "0.4996",
]


@pytest.mark.parametrize("answer", HALF, ids=repr)
def test_every_spelling_of_a_half(answer):
    assert read_number(answer).equals(Fraction(1, 2))
    assert check("02.recall_by_hand", answer).passed


@pytest.mark.parametrize(
    "answer", [1, 1.0, "1", np.int64(1), np.uint8(1), Fraction(1), "3/3", "100 %"], ids=repr
)
def test_every_spelling_of_one(answer):
    assert read_number(answer).value == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (True, "yes or no"),
        (np.bool_(True), "yes or no"),
        (float("nan"), "NaN"),
        (np.float64("nan"), "NaN"),
        (Decimal("NaN"), "NaN"),
        (Decimal("sNaN"), "NaN"),
        (float("inf"), "infinite"),
        (Decimal("-Infinity"), "infinite"),
        (1j, "complex"),
        ((0, 5), "decimal comma"),
        ("0,5", "decimal comma"),
        ([0.5], "a list"),
        ({0.5}, "a set"),
        ({"recall": 0.5}, "a dict"),
        (np.array([0.5]), "an array"),
        (pd.Series([0.5]), "a Series"),
        (max, "a function"),
        (lambda: 0.5, "a function"),
        ("half", "cannot read"),
        ("1/0", "divides by zero"),
        ("1" * 100, "long text"),
        (object(), "an object"),
        (AlwaysEqual(), "AlwaysEqual"),
        ((x for x in [0.5]), "a generator"),
        (pd.NA, "NAType"),
        (np.datetime64("2020-01-01"), "datetime64"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_number_has_a_sentence_of_its_own(answer, words):
    with pytest.raises(Unreadable, match=words):
        read_number(answer)
    result = check("02.recall_by_hand", answer)
    assert result.status == "not yet"
    assert words in result.message
    assert not result.mistakes


def test_the_answers_own_comparison_is_never_asked():
    assert not check("02.recall_by_hand", AlwaysEqual()).passed
    assert check("02.recall_by_hand", FloatThatIsEqual(0.4)).mistakes == ("divided_by_k",)
    assert not check("02.recall_by_hand", TextThatIsEqual("2/5")).passed
    assert not check("02.recall_by_hand", FractionThatIsEqual(2, 5)).passed
    assert not check(
        "02.sheet_per_query", dict.fromkeys(["q1", "q2", "q3", "q4", "q5"], AlwaysEqual())
    ).passed
    assert not check("03.ranking", [AlwaysEqual()] * 7).passed
    assert not check("03.recall_at_k", lambda *arguments: AlwaysEqual()).passed
    assert not check("05.where_recall_first", dict.fromkeys(["web search"], AlwaysEqual())).passed


class NoRepr:
    def __repr__(self):
        raise RuntimeError

    __str__ = __repr__


class Spoof:
    """Claims to be a float, and hits whoever asks."""

    @property
    def __class__(self):
        raise RuntimeError("gotcha")


@pytest.mark.parametrize(
    "made",
    [NoRepr, Spoof, lambda: [NoRepr()], lambda: {"q1": Spoof()}],
    ids=["repr", "class", "list", "dict"],
)
@pytest.mark.parametrize(
    "exercise",
    [
        "02.recall_by_hand",
        "02.sheet_per_query",
        "03.ranking",
        "03.bug_ids",
        "05.good_or_bad",
        "05.ceiling_curve",
        "05.defend",
        "03.recall_at_k",
    ],
)
def test_hostile_objects_do_no_harm(exercise, made):
    result = check(exercise, made())
    assert result.status in ("not yet", "error in your code")
    assert repr(result) and result._repr_html_()


@pytest.mark.parametrize(
    "answer",
    [10**5000, -(10**5000), Fraction(10**400, 3), Fraction(1, 10**400), 1e300, "9" * 50],
    ids=range(6),
)
def test_huge_numbers(answer):
    result = check("02.recall_by_hand", answer)
    assert result.status == "not yet"
    assert len(result.message) < 300


@given(st.fractions(min_value=0, max_value=1, max_denominator=200))
def test_a_fraction_is_itself_in_every_spelling(value):
    for answer in (
        value,
        float(value),
        f"{value.numerator}/{value.denominator}",
        round(float(value), 4),
        np.float64(float(value)),
    ):
        assert read_number(answer).equals(value)


@given(st.fractions(max_denominator=100), st.fractions(max_denominator=100))
def test_exact_numbers_are_compared_exactly(one, other):
    assert read_number(one).equals(other) == (one == other)
    assert read_number(str(one)).equals(other) == (one == other)


def test_the_tolerance_is_half_a_thousandth():
    third = Fraction(2, 3)
    assert read_number(0.667).equals(third)
    assert read_number(0.6671).equals(third)
    assert not read_number(0.6677).equals(third)
    assert not read_number(0.67).equals(third)


@given(st.text(max_size=30))
def test_no_text_breaks_the_reader(text):
    exercise = registry.find("02.recall_by_hand")
    assert exercise.check(exercise.lesson(), text).status in ("passed", "not yet", "not attempted")


def test_blanks():
    assert all(is_blank(blank) for blank in (..., None, NotImplemented, "", " \n"))
    assert not any(is_blank(value) for value in (0, False, [], {}, AlwaysEqual(), np.array([])))


def test_ids_from_anything_with_texts_in_it():
    wanted = ["d3", "d1"]
    for answer in (
        wanted,
        tuple(wanted),
        iter(wanted),
        (d for d in wanted),
        np.array(wanted),
        pd.Series(wanted),
        pd.Index(wanted),
        dict.fromkeys(wanted),
    ):
        assert read_ids(answer) == wanted
    assert set(read_ids(set(wanted))) == set(wanted)


def test_ids_that_cannot_be_read():
    def breaks_off():
        yield "d1"
        raise OSError("gone")

    def never_ends():
        while True:
            pass
        yield

    for answer, words in [
        ("d1, d2", "one text"),
        (b"d1", "one text"),
        (7, "a whole number"),
        ([1, 2], "in quotes"),
        ([["d1"]], "a list"),
        (itertools.count(), "does not come to an end"),
        (itertools.repeat("d1"), "does not come to an end"),
        (never_ends(), "does not come to an end"),
        (breaks_off(), "OSError"),
    ]:
        with pytest.raises(Unreadable, match=words):
            read_ids(answer)


def test_mappings():
    table = {"q1": 0.5, "q2": None}
    assert read_mapping(table) == table
    assert read_mapping(list(table.items())) == table
    assert read_mapping(pd.Series(table)) == table
    assert read_mapping(pd.Series({"q1": 0.5, "q2": pd.NA}, dtype="Float64")) == table
    assert np.isnan(read_mapping({"q2": np.nan})["q2"]), "only a column has no other way to say None"
    for answer, words in [
        (pd.DataFrame({"q1": [1]}), "one column"),
        ([0.5, 0.75], "no names"),
        (pd.Series([0.5, 0.75]), "no names"),
        ({1: 0.5}, "no names"),
        (0.5, "a decimal number"),
        ({"q1"}, "a set"),
    ]:
        with pytest.raises(Unreadable, match=words):
            read_mapping(answer)


def test_texts_and_kinds():
    assert type(read_text(TextThatIsEqual("b"))) is str
    with pytest.raises(Unreadable, match="a list"):
        read_text(["b"])
    assert kind_of(print) == "a function"
    assert kind_of(()) == "a tuple"
    assert kind_of(1) == "a whole number"
