"""The texts of the dataset agree with the table of facts, and so with each other."""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter

import pytest

from authoring.dataset.source import SOURCE_FOLDER, Claim, Passage, Source, read_source

NUMBER = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half an|a quarter|\d+"
)
UNIT = (
    "(?:(?:working |opening )?(?:second|minute|hour|day|week|month|year)s?"
    "|things (?:may be )?out|reservations|litres|millimetres|cm high|per cent|to 1)"
)
HOUR = rf"(?:half past )?(?:{NUMBER}) (?:in the (?:morning|afternoon|evening)|at night)|midnight"
AMOUNT = re.compile(rf"£\d[\d.,]*\d|£\d|\b\d+p\b|\b(?:{NUMBER}) {UNIT}\b|\b(?:{HOUR})\b")
"""Sums of money, spans of time, limits, hours: what a rule of the library is usually about."""

BAY = re.compile(r"\bbays? \d+(?: to \d+)?")
CODE = re.compile(r"\b[A-Z]{2}-\d{4}\b")


@pytest.fixture(scope="module")
def source() -> Source:
    return read_source()


@pytest.fixture(scope="module")
def prose(source: Source) -> list[Passage]:
    return [passage for passage in source.passages.values() if passage.kind != "card"]


def plain(text: str) -> str:
    return " ".join(text.lower().split())


def text_of(passage: Passage) -> str:
    return plain(f"{passage.title} {passage.text}")


def says(text: str, words: str) -> bool:
    """Whether the words occur as they are: "£1" is not said by "£15", nor "£2" by "£2.50"."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w|[.,]\d)", text) is not None


def written(prose: list[Passage]) -> list[Passage]:
    """The passages that state rules: all but the advice."""
    return [passage for passage in prose if passage.chapter != "advice"]


def values(source: Source, claim: Claim) -> list[str]:
    """The words in which a passage may state a fact."""
    if claim in source.facts:
        return [plain(value) for value in source.facts[claim]]
    _, code, column = claim.fact.split(".")
    stated = {"bay": "bay {}", "deposit": "£{}", "band": "band {}"}[column]
    return [plain(stated.format(getattr(source.items[code], column)))]


def test_a_fact_has_one_value_for_each_edition() -> None:
    with (SOURCE_FOLDER / "facts.csv").open(encoding="utf-8", newline="") as stream:
        rows = [(row["fact"], row["edition"]) for row in csv.DictReader(stream)]
    assert len(rows) == len(set(rows)) > 250
    versioned = {fact for fact, edition in rows if edition}
    assert all(edition in {"2021", "2023", "2025"} for fact, edition in rows if fact in versioned)
    assert all((fact, "2025") in rows for fact in versioned), (
        "every fact with editions is in the one in force"
    )


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("a loan costs £1.", "£1", True),
        ("a loan costs £15.", "£1", False),
        ("a loan costs £2.50.", "£2", False),
        ("band b: £3, band c: £7", "b: £3", True),
        ("it costs £1,500", "£1", False),
        ("thirty days", "ty days", False),
    ],
)
def test_words_are_said_whole_or_not_at_all(text: str, words: str, said: bool) -> None:
    assert says(text, words) is said


def test_the_wordings_of_a_fact_agree_on_every_amount(source: Source) -> None:
    for claim, wordings in source.facts.items():
        found = [AMOUNT.findall(plain(wording).replace("opening day", "day")) for wording in wordings]
        amounts = {frozenset(amount) for amount in found if amount}
        assert len(amounts) <= 1, f"{claim}: {wordings}"


def test_a_fact_with_editions_has_changed(source: Source) -> None:
    editions: dict[str, set[tuple[str, ...]]] = {}
    for claim, wordings in source.facts.items():
        if claim.edition:
            editions.setdefault(claim.fact, set()).add(wordings)
    assert len(editions) == 25
    same = {fact for fact, wordings in editions.items() if len(wordings) == 1}
    assert same == set()


def test_a_passage_says_what_it_claims(source: Source, prose: list[Passage]) -> None:
    for passage in prose:
        for claim in passage.claims:
            said = [value for value in values(source, claim) if says(text_of(passage), value)]
            assert said, f"{passage.id}: {claim}"


def test_nobody_states_the_value_of_an_edition_without_claiming_it(
    source: Source, prose: list[Passage]
) -> None:
    """So no passage can say today what held in 2021, or the other way round, unseen."""
    changing = {claim.fact for claim in source.facts if claim.edition}
    for claim in source.facts:
        if claim.fact not in changing:
            continue
        for passage in prose:
            if any(says(text_of(passage), value) for value in values(source, claim)):
                own = [other for other in passage.claims if other.fact == claim.fact]
                alike = any(set(values(source, claim)) & set(values(source, other)) for other in own)
                assert alike, f"{passage.id} states {claim}"


def test_every_amount_in_a_rule_is_a_fact(source: Source, prose: list[Passage]) -> None:
    """Two passages can't contradict each other on an amount: each amount is the value of a fact it claims."""
    for passage in written(prose):
        known = " | ".join(value for claim in passage.claims for value in values(source, claim))
        for amount in AMOUNT.findall(plain(passage.text)):
            assert says(known, amount), f"{passage.id} says {amount!r}, which is no fact it claims"


def test_every_bay_and_every_code_in_a_passage_is_a_fact(source: Source, prose: list[Passage]) -> None:
    for passage in written(prose):
        known = " | ".join(value for claim in passage.claims for value in values(source, claim))
        for bay in BAY.findall(plain(passage.text)):
            assert says(known, bay), f"{passage.id} says {bay!r}, which is no fact it claims"
        for code in CODE.findall(passage.text):
            assert code in source.items, f"{passage.id}: no item {code}"
            claimed = {claim.fact.rpartition(".")[0] for claim in passage.claims}
            assert f"item.{code}" in claimed, f"{passage.id} names {code} and claims nothing of it"


def test_what_is_no_longer_right_says_so(prose: list[Passage]) -> None:
    for passage in prose:
        for claim in passage.claims:
            if claim.edition in {"2021", "2023"}:
                assert claim.edition in text_of(passage), f"{passage.id} states {claim} as if it still held"


def test_every_fact_is_stated_somewhere(source: Source, prose: list[Passage]) -> None:
    stated = {claim for passage in prose for claim in passage.claims}
    assert source.facts.keys() <= stated


def test_a_tag_of_an_item_and_the_words_of_its_card_agree(source: Source) -> None:
    with (SOURCE_FOLDER / "tags.csv").open(encoding="utf-8", newline="") as stream:
        tags = {
            row["tag"]: [plain(p) for p in row["phrases"].split("|") if p] for row in csv.DictReader(stream)
        }
    assert {tag for item in source.items.values() for tag in item.tags} == tags.keys()
    for tag, phrases in tags.items():
        if not phrases:
            continue
        for item in source.items.values():
            card = text_of(source.passages[f"card-{item.code}"])
            says_so = any(phrase in card for phrase in phrases)
            assert says_so == (tag in item.tags), f"{item.code}: tag {tag}, card: {card}"


def test_codes_are_easily_confused(source: Source) -> None:
    """Within a category the codes are the same digits in another order."""
    digits = {(item.code[:3], "".join(sorted(item.code[3:]))) for item in source.items.values()}
    assert len(digits) == 16
    assert all(re.fullmatch(r"[A-Z]{2}-\d{4}", code) for code in source.items)


def test_items_keep_the_rules_of_the_handbook(source: Source) -> None:
    for item in source.items.values():
        assert (item.power in {"petrol", "two-stroke"}) == (item.badge == "petrol"), item.code
        if item.badge == "petrol":
            assert item.site == "shed", f"{item.code}: things with engines live in the shed"
        if item.site == "lockers":
            assert not item.badge, item.code
        assert 0 <= item.deposit <= 150, item.code
        assert item.band in {"A", "B", "C", "D"}, item.code


def test_badges_are_needed_for_what_the_handbook_says(source: Source) -> None:
    """Motor saws but the jigsaw, grinder, nail gun, lathe; ladders above six treads and the tower."""
    motor_saws = {item.name for item in source.items.values() if item.kind == "saw" and item.power}
    others = {item.name for item in source.items.values() if item.kind in {"grinder", "nailer", "lathe"}}
    ladders = {item.name for item in source.items.values() if item.kind in {"ladder", "tower"}}

    def needing(badge: str) -> set[str]:
        return {item.name for item in source.items.values() if item.badge == badge}

    assert len(others) == 3
    assert needing("power saw") == motor_saws - {"Jigsaw"} | others
    assert needing("ladder") == ladders - {"Step stool, two treads", "Stepladder, six treads"}


def test_what_passages_say_about_the_stock_is_true(source: Source) -> None:
    kinds = Counter(item.kind for item in source.items.values())
    names = Counter(item.name for item in source.items.values())
    for passage_id, words, true in (
        ("fee-10", "three dehumidifiers", kinds["dehumidifier"] == 3),
        ("fee-10", "four guitars", kinds["guitar"] == 4),
        ("news-07", "360 things", len(source.items) == 360),
        ("vol-05", "fifty-four when you mean the thermal camera", source.items["ME-8932"].bay == "54"),
        ("give-10", "the carpet cleaner", names["Carpet cleaner"] == 2),
        ("give-10", "the brush cutter", names["Brush cutter"] == 2),
        ("give-10", "the simple sewing machine", names["Sewing machine, simple"] == 2),
        ("give-10", "the marquee", names["Marquee, 3 by 6 m"] == 2),
        ("give-10", "the roof box", names["Roof box, 400 litre"] == 2),
        ("give-05", "a second preserving pan", names["Preserving pan, 9 litre"] == 1),
    ):
        assert words in text_of(source.passages[passage_id]), passage_id
        assert true, f"{passage_id}: {words}"


def test_the_plan_of_the_pump_house_is_true(source: Source) -> None:
    """The plan is the passage open-12."""
    bays: dict[str, list[int]] = {}
    for item in source.items.values():
        if item.site == "pump":
            bays.setdefault(item.category, []).append(int(item.bay))
    assert set(bays["power_tools"]) <= set(range(4, 10))
    for category in ("decorating", "hand_tools", "cleaning"):
        assert set(bays[category]) <= set(range(10, 20)), category
    order = ["camping", "kitchen", "party", "sport", "sewing", "music"]
    for first, then in itertools.pairwise(order):
        assert max(bays[first]) < min(bays[then]), (first, then)
    assert min(bays["camping"]) == 20
