"""Item cards: one row of the attribute table becomes one passage, in the hand of the volunteer who wrote it.

Four volunteers wrote the cards over the years, one of them an American, so the same attribute is said in
different words. The words of each hand are below; the rest of a card stands in the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

CARD_PREFIX = "card-"

_SITES = {"pump": "Pump House", "shed": "Mill Lane shed", "lockers": "Oakfield lockers"}

_CARDS = {
    "plain": "{about} You get: {parts}. Band {band}, {deposit}. {site}, bay {bay}. {power} {badge} {note}",
    "chatty": "{about} It comes with {parts}. Band {band}; {deposit}. "
    "You'll find it at the {site}, bay {bay}. {power} {badge} {note}",
    "terse": "{about} {badge} {power} Parts: {parts}. {note} Band {band}, {deposit}, {site} bay {bay}.",
    "polite": "{about} {note} You should have {parts}. {power} {badge} "
    "It is a band {band} loan, {deposit}, and lives in bay {bay} of the {site}.",
}

_DEPOSITS = {
    "plain": "deposit £{deposit}",
    "chatty": "we hold £{deposit} till it's back",
    "terse": "deposit £{deposit}",
    "polite": "with a deposit of £{deposit}",
}

_NO_DEPOSIT = {
    "plain": "no deposit",
    "chatty": "no deposit",
    "terse": "no deposit",
    "polite": "without a deposit",
}

_POWERS = {
    "18v": {
        "plain": "Takes the blue 18-volt battery.",
        "chatty": "Snap on one of the blue 18-volt packs and go.",
        "terse": "Blue 18 V battery.",
        "polite": "It runs on the blue 18-volt batteries.",
    },
    "mains": {
        "plain": "Plugs into the mains.",
        "chatty": "It's corded, so you need a wall outlet.",
        "terse": "Mains, 230 V.",
        "polite": "It needs a mains socket.",
    },
    "petrol": {
        "plain": "Petrol engine; fuel is not included.",
        "chatty": "It burns gasoline, and you buy your own.",
        "terse": "Four-stroke, unleaded.",
        "polite": "It has a petrol engine and is lent with an empty tank.",
    },
    "two-stroke": {
        "plain": "Two-stroke petrol engine.",
        "chatty": "It burns gas and oil mixed, like an outboard.",
        "terse": "Two-stroke mix.",
        "polite": "Its engine takes two-stroke mixture.",
    },
    "gas": {
        "plain": "Runs on a gas cartridge, not included.",
        "chatty": "It burns butane from a can you buy yourself.",
        "terse": "Screw-on butane cartridge.",
        "polite": "You will need a butane cartridge of your own.",
    },
    "": dict.fromkeys(("plain", "chatty", "terse", "polite"), ""),
}

_BADGES = {
    "plain": "Lent only with the {badge} badge.",
    "chatty": "No {badge} badge, no loan, sorry.",
    "terse": "Badge: {badge}.",
    "polite": "Members need the {badge} badge for this one.",
}


@dataclass(frozen=True)
class Item:
    """A row of the attribute table; ``about``, ``parts`` and ``note`` are the volunteer's own words."""

    code: str
    name: str
    kind: str
    band: str
    deposit: int
    site: str
    bay: str
    power: str
    badge: str
    hand: str
    tags: tuple[str, ...]
    about: str
    parts: str
    note: str
    category: str

    STATED: ClassVar[tuple[str, ...]] = (
        "name",
        "kind",
        "band",
        "deposit",
        "site",
        "bay",
        "power",
        "badge",
        "about",
        "parts",
        "note",
    )
    """The columns that a card states, each a fact ``item.CODE.column``."""

    @classmethod
    def from_row(cls, row: dict[str, str], category: str) -> Item:
        """An item from a row of the table in ``items/<category>.csv``."""
        values: dict[str, object] = dict(row)
        values["deposit"] = int(row["deposit"])
        values["tags"] = tuple(row["tags"].split())
        return cls(category=category, **values)  # type: ignore[arg-type]


def card_title(item: Item) -> str:
    """The title of an item's card: its name and its code."""
    return f"{item.name} ({item.code})"


def card_text(item: Item) -> str:
    """The text of an item's card in its volunteer's hand."""
    deposits = _DEPOSITS if item.deposit else _NO_DEPOSIT
    text = _CARDS[item.hand].format(
        about=item.about,
        parts=item.parts,
        band=item.band,
        deposit=deposits[item.hand].format(deposit=item.deposit),
        site=_SITES[item.site],
        bay=item.bay,
        power=_POWERS[item.power][item.hand],
        badge=_BADGES[item.hand].format(badge=item.badge) if item.badge else "",
        note=item.note,
    )
    return " ".join(text.split())
