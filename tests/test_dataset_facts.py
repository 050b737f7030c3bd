"""The texts of the dataset agree with the table of facts, and so with each other."""

from __future__ import annotations

import csv
import re

import pytest

from authoring.dataset.source import SOURCE_FOLDER, Claim, Passage, Source, read_source

NUMBER = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|thirty|ninety"
    r"|half an|a quarter|\d+"
)
UNIT = "(?:working |opening )?(?:second|minute|hour|day|week|month|year)"
AMOUNT = re.compile(rf"£\d[\d.,]*\d|£\d|\b\d+p\b|\b(?:{NUMBER}) {UNIT}s?\b")
"""Sums of money and spans of time: what a rule of the library is usually about."""


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


def test_a_passage_says_what_it_claims(source: Source, prose: list[Passage]) -> None:
    for passage in prose:
        for claim in passage.claims:
            assert any(value in text_of(passage) for value in values(source, claim)), f"{passage.id}: {claim}"


def test_every_sum_and_every_span_of_time_is_a_fact(source: Source, prose: list[Passage]) -> None:
    """Two passages can't contradict each other on an amount: each amount is the value of a fact it claims."""
    for passage in prose:
        if passage.chapter == "advice":
            continue
        known = " | ".join(value for claim in passage.claims for value in values(source, claim))
        for amount in AMOUNT.findall(plain(passage.text)):
            assert amount in known, f"{passage.id} says {amount!r}, which is no fact it claims"


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
        if item.power in {"petrol", "two-stroke"}:
            assert item.badge == "petrol" and item.site == "shed", item.code
        if item.site == "lockers":
            assert not item.badge, item.code
        assert 0 <= item.deposit <= 150, item.code
        assert item.band in {"A", "B", "C", "D"}, item.code
