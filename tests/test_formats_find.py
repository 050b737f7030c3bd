"""Ids found in a list that is kept as one text: both ways find what a loop over the ids finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recall_lab.formats import find
from recall_lab.formats.find import places_of

# Ids of every length around the eight bytes that are compared at once, many of them alike at one end.
LETTERS = st.sampled_from(["a", "b", "1", "é", "語", "\ud800"])
IDS = st.builds(
    lambda begin, middle, end: begin + middle + end,
    st.sampled_from(["", "d", "doc000", "document-"]),
    st.text(LETTERS, max_size=4),
    st.sampled_from(["", "1", "000001", "-0000001"]),
)


@given(st.lists(IDS, min_size=1, max_size=40, unique=True), st.lists(IDS, max_size=12), st.data())
def test_every_wanted_id_is_found_where_it_stands(
    ids: list[str], others: list[str], data: st.DataObject
) -> None:
    some = data.draw(st.lists(st.sampled_from(ids), max_size=8))
    wanted = dict.fromkeys([*some, *others, "two\nlines"])
    expected = {id_: place for place, id_ in enumerate(ids) if id_ in wanted}
    joined = "\n".join(ids)
    assert places_of(wanted, joined) == expected
    assert find._by_last_bytes(wanted, joined) == expected


def test_a_long_list_is_searched_by_its_last_bytes() -> None:
    ids = [f"document {i}" for i in range(1000)]
    calls = []
    wanted = {"document 0", "document 999", "ocument 5", "document 1000", "5"}
    original = find._by_last_bytes
    try:
        find._by_last_bytes = lambda *given: calls.append(given) or original(*given)  # type: ignore[assignment]
        assert places_of(wanted, "\n".join(ids)) == {"document 0": 0, "document 999": 999}
        assert places_of({*ids}, "\n".join(ids)) == {id_: place for place, id_ in enumerate(ids)}
    finally:
        find._by_last_bytes = original
    assert len(calls) == 1  # where many are wanted, the loop is quicker
