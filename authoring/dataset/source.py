"""Read the source of the dataset: chapters, items, facts and questions, all plain text.

The layout is described in ``datasets/source/library_of_things/README.md``. What breaks it is an error that
names the file and the line, because a slip in the source would become a wrong judgment.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from authoring.dataset.cards import CARD_PREFIX, Item, card_text, card_title

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE_FOLDER = REPOSITORY / "datasets" / "source" / "library_of_things"
SHIPPED_FOLDER = REPOSITORY / "datasets" / "library_of_things"

_HEADING = re.compile(r"^## (\S+)\s+(.+)$")
_FIELD = re.compile(r"^([a-z]+): (.*)$")
_PASSAGE_FIELDS = {"kind", "facts", "joins"}
_QUESTION_FIELDS = {"need", "cards", "part"}
_CONDITION = re.compile(r"^([a-z]+)(=|>=)(.+)$")


AnnotationKey = dict[str, tuple[str, str]]
"""Pair id → (question id, passage id)."""


class SourceError(ValueError):
    """The source of the dataset breaks its own layout."""


@dataclass(frozen=True)
class Claim:
    """A fact as one edition of the handbook has it; edition "" is a fact that never changed."""

    fact: str
    edition: str

    def __str__(self) -> str:
        return f"{self.fact}@{self.edition}" if self.edition else self.fact


@dataclass(frozen=True)
class Passage:
    """A passage of the corpus with the claims it states in full."""

    id: str
    title: str
    text: str
    kind: str
    chapter: str
    claims: frozenset[Claim]
    joins: str = ""


@dataclass
class Question:
    """A question, and what a passage must state to answer it.

    Each entry of ``needs`` is a set of claims: a passage that states all of them answers the question. So
    does the card of every item that meets one of ``card_conditions``. ``partial`` lists passages whose
    grade 1 doesn't follow from a fact.
    """

    id: str
    type: str
    text: str
    needs: list[frozenset[Claim]] = field(default_factory=list)
    card_conditions: list[str] = field(default_factory=list)
    partial: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Source:
    """Everything the builder needs, in the order of the files."""

    about: dict[str, object]
    facts: dict[Claim, tuple[str, ...]]
    items: dict[str, Item]
    passages: dict[str, Passage]
    questions: dict[str, Question]


def read_source(folder: Path = SOURCE_FOLDER) -> Source:
    """Read the whole source; prose passages come first, then the cards, each in the order of its files."""
    facts = _read_facts(folder / "facts.csv")
    items = _read_items(folder / "items")
    current = _current_editions(facts)
    for code in items:
        current.update({f"item.{code}.{column}": "" for column in Item.STATED})
    passages: dict[str, Passage] = {}
    for path in sorted((folder / "chapters").glob("*.md")):
        for passage in _read_chapter(path, current):
            _add(passages, passage, path)
    for item in items.values():
        _add(passages, _card(item), folder / "items")
    questions = _read_questions(folder / "questions.md", current)
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    return Source(about, facts, items, passages, questions)


def read_pairs(path: Path) -> dict[str, set[str]]:
    """Passage ids by question id, from a table with one pair a line."""
    pairs: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        question_id, passage_id = line.split("\t")
        pairs.setdefault(question_id, set()).add(passage_id)
    return pairs


def read_annotation_key(path: Path) -> AnnotationKey:
    """Question and passage of every pair that was given to the annotators."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])
    return {pair_id: (question_id, passage_id) for pair_id, question_id, passage_id in rows}


def matching_items(items: dict[str, Item], conditions: str) -> list[Item]:
    """The items that meet all conditions of a line such as ``site=shed and deposit>=100``."""
    chosen = list(items.values())
    for condition in conditions.split(" and "):
        match = _CONDITION.match(condition.strip())
        if match is None:
            raise SourceError(f"condition {condition!r}: expected column=value or column>=number")
        column, sign, wanted = match.groups()
        if column == "tag":
            chosen = [item for item in chosen if wanted in item.tags]
        elif column not in Item.STATED:
            raise SourceError(f"condition {condition!r}: no column {column!r}")
        elif sign == "=":
            chosen = [item for item in chosen if str(getattr(item, column)) == wanted]
        else:
            chosen = [item for item in chosen if int(getattr(item, column)) >= int(wanted)]
    if not chosen:
        raise SourceError(f"condition {conditions!r} matches no item")
    return chosen


def _add(passages: dict[str, Passage], passage: Passage, path: Path) -> None:
    if passage.id in passages:
        raise SourceError(f"{path.name}: passage {passage.id} occurs twice")
    passages[passage.id] = passage


def _card(item: Item) -> Passage:
    claims = frozenset(Claim(f"item.{item.code}.{column}", "") for column in Item.STATED)
    return Passage(
        f"{CARD_PREFIX}{item.code}", card_title(item), card_text(item), "card", item.category, claims
    )


def _read_facts(path: Path) -> dict[Claim, tuple[str, ...]]:
    facts: dict[Claim, tuple[str, ...]] = {}
    for line, row in _rows(path):
        claim = Claim(row["fact"], row["edition"])
        if claim in facts:
            raise SourceError(f"{path.name}, line {line}: {claim} has a second value")
        facts[claim] = tuple(value.strip() for value in row["value"].split("|"))
    for claim in facts:
        if not claim.edition and any(other.fact == claim.fact and other.edition for other in facts):
            raise SourceError(f"{path.name}: {claim.fact} has a value with an edition and one without")
    return facts


def _current_editions(facts: dict[Claim, tuple[str, ...]]) -> dict[str, str]:
    current: dict[str, str] = {}
    for claim in facts:
        current[claim.fact] = max(claim.edition, current.get(claim.fact, ""))
    return current


def _read_items(folder: Path) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for path in sorted(folder.glob("*.csv")):
        for line, row in _rows(path):
            item = Item.from_row(row, category=path.stem)
            if item.code in items:
                raise SourceError(f"{path.name}, line {line}: item {item.code} occurs twice")
            items[item.code] = item
    return items


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, strict=True)
        rows = []
        for row in reader:
            if None in row or None in row.values():
                raise SourceError(f"{path.name}, line {reader.line_num}: wrong number of columns")
            rows.append((reader.line_num, {key: value.strip() for key, value in row.items()}))
    return rows


def _claim(text: str, current: dict[str, str], where: str) -> Claim:
    fact, _, edition = text.partition("@")
    if fact not in current:
        raise SourceError(f"{where}: no fact {fact!r} in facts.csv")
    return Claim(fact, edition or current[fact])


def _blocks(path: Path, fields: set[str]) -> list[tuple[str, str, str, list[tuple[str, str]], str]]:
    """Blocks of a file: id, rest of the heading, text, fields in order, and where it stands."""
    blocks = []
    heading: tuple[str, str] | None = None
    words: list[str] = []
    pairs: list[tuple[str, str]] = []
    where = ""

    def close() -> None:
        if heading is not None:
            blocks.append((*heading, " ".join(words), list(pairs), where))

    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("# ") or not line.strip():
            continue
        match = _HEADING.match(line)
        if match is not None:
            close()
            heading, words, pairs = (match[1], match[2].strip()), [], []
            where = f"{path.name}, line {number}"
            continue
        if heading is None:
            raise SourceError(f"{path.name}, line {number}: text before the first '## id title'")
        match = _FIELD.match(line)
        if match is not None and match[1] in fields:
            pairs.append((match[1], match[2].strip()))
        else:
            words.append(line.strip())
    close()
    return blocks


def _read_chapter(path: Path, current: dict[str, str]) -> list[Passage]:
    chapter = path.stem.partition("_")[2]
    passages = []
    for passage_id, title, text, pairs, where in _blocks(path, _PASSAGE_FIELDS):
        values = dict(pairs)
        claims = frozenset(_claim(name, current, where) for name in values.get("facts", "").split())
        passages.append(
            Passage(
                passage_id,
                title,
                text,
                values.get("kind", "handbook"),
                chapter,
                claims,
                values.get("joins", ""),
            )
        )
    return passages


def _read_questions(path: Path, current: dict[str, str]) -> dict[str, Question]:
    questions: dict[str, Question] = {}
    for question_id, kind, text, pairs, where in _blocks(path, _QUESTION_FIELDS):
        if question_id in questions:
            raise SourceError(f"{where}: question {question_id} occurs twice")
        question = Question(question_id, kind, text)
        for name, value in pairs:
            if name == "need":
                question.needs.append(frozenset(_claim(part, current, where) for part in value.split()))
            elif name == "cards":
                question.card_conditions.append(value)
            else:
                question.partial.extend(value.split())
        questions[question_id] = question
    return questions
