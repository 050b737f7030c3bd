"""Pairs of a question and a passage to be labelled, and the order in which an annotator meets them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_lab.errors import RecallLabError
from recall_lab.formats import jsonl
from recall_lab.formats.text import TextFile
from recall_lab.formats.values import BadValue
from recall_lab.ids import kind_of
from recall_lab.notices import list_ids

if TYPE_CHECKING:
    from recall_lab.golden import GoldenDataset
    from recall_lab.run import Run

Id = str | int
PairId = tuple[Id, Id]  # question and passage


class Pair(NamedTuple):
    """A question and a passage. It knows nothing of ranks, scores or other people's labels."""

    query_id: Id
    passage_id: Id
    question: str
    text: str
    title: str = ""

    @property
    def id(self) -> PairId:
        """The ids of question and passage."""
        return self.query_id, self.passage_id

    @property
    def fingerprint(self) -> str:
        """Eight characters that are others where question, title or text are others."""
        return _digest(self.question, self.title, self.text)[:8]


def pairs_from_runs(
    golden: GoldenDataset, runs: Run | Iterable[Run], depth: int = 20, *, unjudged_only: bool = False
) -> list[Pair]:
    """The pool: every passage that some run has among its first ``depth`` for a question of the dataset.

    Parameters
    ----------
    golden : brings the texts of questions and passages.
    runs : one run or several.
    depth : how many passages of each run, from rank 1.
    unjudged_only : leave out pairs that the dataset has a judgment for.

    Raises
    ------
    RecallLabError : a passage has no text in the dataset.

    Examples
    --------
    >>> from recall_lab import GoldenDataset, Run
    >>> golden = GoldenDataset({"d1": "one", "d2": "two"}, {"q1": "Which?"}, {"q1": {"d1": 1}})
    >>> runs = [Run({"q1": ["d1"]}), Run({"q1": ["d2", "d1"]})]
    >>> [pair.passage_id for pair in pairs_from_runs(golden, runs, depth=1)]
    ['d1', 'd2']
    >>> [pair.passage_id for pair in pairs_from_runs(golden, runs, depth=2, unjudged_only=True)]
    ['d2']
    """
    from recall_lab.run import Run

    pooled = [runs] if isinstance(runs, Run) else list(runs)
    pairs: dict[PairId, Pair] = {}
    missing: dict[Id, None] = {}
    for query_id, question in golden.questions.items():
        judged = golden.judgments.get(query_id, {}) if unjudged_only else {}
        for run in pooled:
            for passage_id in run.ranking(query_id, depth) if query_id in run else []:
                if passage_id in judged:
                    continue
                passage = golden.passages.get(passage_id)
                if passage is None:
                    missing[passage_id] = None
                else:
                    pair = Pair(query_id, passage_id, question, passage.text, passage.title)
                    pairs[pair.id] = pair
    if missing:
        raise RecallLabError(
            f"the dataset has no text for {len(missing)} passages that the runs found: {list_ids(missing)}; "
            "load it with its corpus, and see that the runs were made on that corpus"
        )
    return list(pairs.values())


def pairs_from_texts(texts: Iterable[tuple[str, str]]) -> list[Pair]:
    """Pairs from your own data, any (question, passage) texts.

    Ids are made from the texts, so a label stays with its pair when the list is changed or reordered.

    Raises
    ------
    RecallLabError : something in the list is no pair of texts.

    Examples
    --------
    >>> [pair] = pairs_from_texts([("What does a drill cost?", "A drill costs 3 a day.")])
    >>> pair.id
    ('q-5939e76727', 'd-7edba5080c')
    """
    pairs = []
    for number, item in enumerate(texts, start=1):
        if (
            isinstance(item, str)
            or not isinstance(item, Iterable)
            or len(parts := tuple(item)) != 2
            or not all(isinstance(part, str) for part in parts)
        ):
            raise RecallLabError(f"number {number} is {item!r:.80}, not a pair of texts (question, passage)")
        question, text = parts
        pairs.append(Pair(f"q-{_digest(question)[:10]}", f"d-{_digest(text)[:10]}", question, text))
    return pairs


def read_pairs(path: str | os.PathLike[str]) -> list[Pair]:
    """Pairs from JSON lines with ``pair_id``, ``question``, ``text`` and perhaps ``title``.

    The pair's id serves as the passage's; the question's is made from its text.

    Raises
    ------
    InputFileError : a line is no such object, or a pair id comes twice; names the line.

    Examples
    --------
    >>> from recall_lab.resources import shipped_folder
    >>> pairs = read_pairs(shipped_folder("datasets") / "library_of_things" / "annotation" / "pairs.jsonl")
    >>> len(pairs), pairs[0].passage_id
    (400, 'p001')
    """
    pairs: dict[str, Pair] = {}
    with TextFile(path) as file:
        file.first_line()
        for number, line in file.lines():
            try:
                record = jsonl.read_object(line)
                pair_id = jsonl.as_id(jsonl.field(record, "pair_id"), "pair")
                question = jsonl.as_text(jsonl.field(record, "question"), "question")
                text = jsonl.as_text(jsonl.field(record, "text"), "text")
                title = jsonl.as_text(record.get("title", ""), "title")
                if pair_id in pairs:
                    raise BadValue(f"the pair {pair_id!r} was there before", "give each its own id")
            except BadValue as bad:
                raise file.bad_line(bad, number, line) from None
            pairs[pair_id] = Pair(f"q-{_digest(question)[:10]}", pair_id, question, text, title)
    return list(pairs.values())


def as_pairs(source: object) -> list[Pair]:
    """Pairs, however they are given: a list of them, a file of them, or (question, passage) texts."""
    if isinstance(source, str | os.PathLike):
        return read_pairs(source)
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        raise RecallLabError(
            f"pairs are a list of (question, passage) texts, of Pair, or a .jsonl file, not {source!r:.80}"
        )
    items = list(source)
    if not all(isinstance(item, Pair) for item in items):
        return pairs_from_texts(items)
    return [_checked(pair) for pair in items]


def shuffled(pairs: Iterable[Pair], seed: str) -> list[Pair]:
    """Pairs in an order that the seed decides, all passages of a question together.

    A pair's place hangs on its ids alone. It tells nothing of the order the pairs came in, such as ranks, and
    other pairs may come and go without moving it past its neighbours.
    """

    def place(pair: Pair) -> tuple[str, str]:
        question = repr(pair.query_id)
        return _digest(seed, question), _digest(seed, question, repr(pair.passage_id))

    return sorted(pairs, key=place)


def _checked(pair: Pair) -> Pair:
    ids = [id_ if kind_of(id_) == "text" else int(id_) for id_ in pair.id]
    for name in ("question", "text", "title"):
        if not isinstance(getattr(pair, name), str):
            raise RecallLabError(f"the {name} of the pair {pair.id} is {getattr(pair, name)!r}, not a text")
    return pair._replace(query_id=ids[0], passage_id=ids[1])


def _digest(*parts: Any) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
