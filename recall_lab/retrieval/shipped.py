"""What ships beside a dataset: frozen runs of every system, and the passages cut another way."""

from __future__ import annotations

import csv
import difflib
import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recall_lab.errors import FolderError, InputFileError, RecallLabError
from recall_lab.formats import read_corpus, read_queries
from recall_lab.golden import GoldenDataset, Passage
from recall_lab.resources import shipped_folder
from recall_lab.run import Run

DATASET = "library_of_things"
TEXTS = ("corpus.jsonl", "queries.jsonl", "chunkings/merged.jsonl", "chunkings/map.tsv")
"""The files that a run depends on. Judgments are not among them: they change its worth, not the run."""


@dataclass(frozen=True)
class FrozenRun:
    """What the manifest says about a frozen run.

    Parameters
    ----------
    name : its name for ``frozen_run``.
    system : what made it, in words.
    versions : of the packages that made it.
    parameters : every setting that matters.
    depth : at most this many results for each question.
    judgments : which judgments of the dataset belong to it; ``"merged"`` for runs over the merged passages.
    make : the expression that made it, and makes it again.
    sha256 : checksum of the uncompressed file.
    path : the file, a TREC run compressed with gzip.
    """

    name: str
    system: str
    versions: dict[str, str]
    parameters: dict[str, Any]
    depth: int
    judgments: str
    make: str
    sha256: str
    path: Path


def frozen_runs(dataset: str = DATASET) -> dict[str, FrozenRun]:
    """What is frozen of a shipped dataset, by name.

    Raises
    ------
    FolderError : no run of such a dataset ships.

    Examples
    --------
    >>> print(frozen_runs()["keyword"].make)
    KeywordRetriever(golden.passages).run(golden.questions, depth=600)
    """
    manifest = _runs_folder(dataset) / "manifest.json"
    runs = json.loads(manifest.read_text(encoding="utf-8"))["runs"]
    return {
        name: FrozenRun(name=name, path=manifest.parent / f"{name}.run.gz", **entry)
        for name, entry in runs.items()
    }


def frozen_run(name: str, dataset: str = DATASET) -> Run:
    """A run that was made once and ships, so that a lesson is exact also where its system is not installed.

    Questions without results are in it, with an empty ranking, as in a live run.

    Raises
    ------
    RecallLabError : there is no such run; the message names those there are.
    InputFileError : the file is not the one the manifest tells of.

    Examples
    --------
    >>> frozen_run("wordllama")
    Run 'wordllama': 120 queries, up to 600 documents each
    """
    known = frozen_runs(dataset)
    if name not in known:
        close = difflib.get_close_matches(str(name), known, n=1)
        meant = f"; did you mean {close[0]!r}?" if close else "."
        raise RecallLabError(f"there is no frozen run {name!r}{meant} There are: {', '.join(known)}")
    entry = known[name]
    if run_checksum(entry.path) != entry.sha256:
        raise InputFileError(
            entry.path,
            "this is not the run that the manifest beside it tells of",
            hint="the file has been changed: fetch the dataset again",
        )
    run = Run.read(entry.path)
    questions = read_queries(entry.path.parents[1] / "queries.jsonl").texts
    return Run({id_: run.scores(id_) if id_ in run else {} for id_ in questions}, name=name)


def run_checksum(path: Path) -> str:
    """SHA-256 of a compressed run's text, which stays the same whatever compressed it."""
    return hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()


def checksums_of_texts(dataset: str = DATASET) -> dict[str, str]:
    """SHA-256 of every file that a run is made from; the manifest holds those of its time."""
    folder = shipped_folder("datasets") / dataset
    # Line ends are what a checkout on Windows may change.
    contents = {name: (folder / name).read_bytes().replace(b"\r\n", b"\n") for name in TEXTS}
    return {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}


def merged_passages(dataset: str = DATASET) -> dict[str, Passage]:
    """The passages of a shipped dataset after those split by a chunk boundary have been merged.

    ``GoldenDataset.load(dataset, judgments="merged")`` holds the judgments that belong to them.

    Examples
    --------
    >>> passages = merged_passages()
    >>> "care-01+02" in passages, "care-01" in passages
    (True, False)
    """
    folder = shipped_folder("datasets") / dataset / "chunkings"
    merged = {
        id_: Passage(*passage) for id_, passage in read_corpus(folder / "merged.jsonl").passages.items()
    }
    with (folder / "map.tsv").open(encoding="utf-8", newline="") as file:
        replaced = {row["passage"] for row in csv.DictReader(file, delimiter="\t")}
    whole = GoldenDataset.load(dataset).passages
    return {id_: passage for id_, passage in whole.items() if id_ not in replaced} | merged


def _runs_folder(dataset: str) -> Path:
    folder = shipped_folder("datasets") / dataset / "runs"
    if not (folder / "manifest.json").is_file():
        raise FolderError(f"no frozen run of a dataset {dataset!r} ships with Recall Lab")
    return folder
