"""The averages view without a browser: its numbers against measures.py in every state, and its words."""

from __future__ import annotations

import json
from itertools import product

import pytest

from recall_lab import GoldenDataset, Run
from recall_lab.errors import RecallLabError
from recall_lab.exercises.lesson_02 import HAND_SHEET
from recall_lab.measures import mean_hit_rate_at_k, mean_recall_at_k, micro_recall_at_k
from recall_lab.widgets import AveragesView

RELEVANT = {"small": ["a", "b"], "other": {"c"}, "none": [], "large": [f"p{i}" for i in range(1, 13)]}
RUNS = {
    "words": {"small": ["a", "x"], "large": [f"p{i}" for i in range(1, 13)]},
    "sense": {"small": ["b", "y", "a"], "other": ["z", "c"], "large": ["p9", "x", "p1", "p1", "p4"]},
}
MEASURES = {"macro": mean_recall_at_k, "micro": micro_recall_at_k, "hit_rate": mean_hit_rate_at_k}


def two_systems(**choices) -> AveragesView:
    return AveragesView(RELEVANT, RUNS, **({"resize": "large", "k": 3, "k_max": 8} | choices))


def pairs(system: str, size: int) -> list[tuple[list[str], list[str]]]:
    """What measures.py is given: lists and relevant passages, the large question cut to its size."""
    wanted = RELEVANT | {"large": RELEVANT["large"][:size]}
    return [(RUNS[system].get(question, []), ids) for question, ids in wanted.items()]


def test_every_state_shows_what_the_measures_say():
    view = two_systems()
    table = view.table().set_index(["size", "k"])
    for size, k in product(range(1, 13), range(1, 9)):
        view.size, view.k = size, k
        assert view.state["size"] == size and view.state["k"] == k
        for (average, measure), system in product(MEASURES.items(), RUNS):
            expected = measure(pairs(system, size), k)
            assert view.state[average][system] == pytest.approx(expected, abs=1e-12)
            assert table.loc[(size, k), f"{average} {system}"] == view.state[average][system]


def test_resizing_one_question_makes_two_systems_swap_places_by_micro_alone():
    view = two_systems(k=8, size=1)
    assert view.text.splitlines()[4] == "sense is ahead by macro, micro and hit rate"
    view.size = 12
    assert view.text.splitlines()[4] == "words is ahead by micro; sense is ahead by macro and hit rate"


def test_the_three_crossings_of_the_hand_sheet():
    sheet = {query.name: query.relevant(1) for query in HAND_SHEET.queries}
    lists = {query.name: query.retrieved for query in HAND_SHEET.queries}
    view = AveragesView(sheet, {"sheet": lists})
    verdicts = []
    for view.k in range(1, 21):
        verdicts.append("micro is above macro" in view.text)
        assert verdicts[-1] == (view.state["micro"]["sheet"] > view.state["macro"]["sheet"])
    changes = [k for k in range(2, 21) if verdicts[k - 1] != verdicts[k - 2]]
    assert changes == [7, 12, 19]
    assert view.state == {
        "k": 20,
        "macro": {"sheet": 0.9375},
        "micro": {"sheet": 28 / 29},
        "hit_rate": {"sheet": 1},
    }
    assert "size" not in view.table()


def test_a_question_with_nothing_to_find_is_left_out_and_said_so():
    assert two_systems().text.splitlines()[7] == "none, R = 0: left out"


def test_level_is_level_and_a_repeat_counts_once():
    same = AveragesView({"q": ["a", "b"]}, {"one": {"q": ["a", "a"]}, "two": {"q": ["a"]}}, k=2)
    assert same.text.splitlines()[4:] == ["level by macro, micro and hit rate", "q, R = 2: one 1/2 · two 1/2"]
    alone = AveragesView({"q": ["a"]}, {"one": {"q": ["a"]}})
    assert "macro and micro are the same" in alone.text


def test_real_questions_by_their_text():
    golden = GoldenDataset(
        {"d1": "drill"}, {"q1": "Any drill?", "q2": "Any tent?"}, {"q1": {"d1": 1}, "q2": {"d1": 0}}
    )
    runs = {"one": Run({"q1": ["d2", "d1"]})}
    view = AveragesView.for_questions(golden, runs, ["q1", "q2"], k=2, k_max=2)
    assert view.text.splitlines()[-2:] == ["Any drill?, R = 1: one 1/1", "Any tent?, R = 0: left out"]
    with pytest.raises(RecallLabError, match="no question 'q9'"):
        AveragesView.for_questions(golden, runs, ["q9"])


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"k": 9}, "k = 9"),
        ({"k_max": 0}, "k_max"),
        ({"size": 13}, "size = 13"),
        ({"resize": "tiny"}, "no question 'tiny' to resize"),
        ({"resize": "none"}, "has no relevant passage"),
        ({"k_max": 100}, "too many"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value)),
)
def test_a_wrong_choice_is_named(wrong, named):
    with pytest.raises(RecallLabError, match=named):
        two_systems(**wrong)


def test_what_is_no_handful_or_has_nothing_to_find_is_refused():
    with pytest.raises(RecallLabError, match="one system or two, not 3"):
        AveragesView(RELEVANT, RUNS | {"third": {}})
    with pytest.raises(RecallLabError, match="1 to 8 questions, not 9"):
        AveragesView({f"q{i}": ["a"] for i in range(9)}, {"one": {}})
    with pytest.raises(RecallLabError, match="nothing to average"):
        AveragesView({"q": []}, {"one": {"q": ["a"]}})
    with pytest.raises(RecallLabError, match="is the text 'abc'"):
        AveragesView({"q": "abc"}, {"one": {}})
    with pytest.raises(RecallLabError, match="is a set, which has no order"):
        AveragesView({"q": ["a"]}, {"one": {"q": {"a"}}})


def test_long_names_that_begin_alike_stay_apart():
    long = "a-name-that-goes-on-and-on-for-much-longer-than-a-view-has-room-"
    view = AveragesView({"q": ["a", "b"]}, {f"{long}1": {"q": ["a"]}, f"{long}2": {"q": ["a", "b"]}})
    one, two = view.data["systems"]
    assert one.endswith("-1") and two.endswith("-2") and max(len(one), len(two)) <= 30
    assert view.state["micro"] == {one: 0.5, two: 1}
    unseen = AveragesView({"q": ["a"]}, {"same": {"q": ["a"]}, "same\x00": {}})
    assert unseen.state["micro"] == {"same (1)": 1, "same (2)": 0}


def test_its_repr_has_no_address_and_its_data_is_plain_and_light():
    view = two_systems()
    assert "0x" not in repr(view)
    assert len(json.dumps(view.data)) < 300_000
    heaviest = AveragesView(
        {"q": list(range(50))}, {s: {"q": list(range(50))} for s in "ab"}, resize="q", k_max=20
    )
    assert len(json.dumps(heaviest.data)) < 600_000
