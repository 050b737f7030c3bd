"""The interventions that ship: everything needed to diagnose the frozen runs of the library of things."""

from __future__ import annotations

import csv
import difflib

from recall_lab.diagnosis.interventions import (
    Deeper,
    ExactSearch,
    Intervention,
    MergedChunks,
    OtherArm,
    OtherJudgments,
    Searcher,
    SwapWords,
)
from recall_lab.errors import RecallLabError
from recall_lab.golden import GoldenDataset
from recall_lab.resources import shipped_folder
from recall_lab.retrieval import KeywordRetriever, frozen_run

_DATASET = "library_of_things"

_OTHER_ARM = {
    "keyword": "wordllama",
    "wordllama": "keyword",
    "minilm": "keyword",
    "approximate": "keyword",
}
_MERGED = {"keyword": "keyword_merged", "wordllama": "wordllama_merged"}
_EXACT = {"approximate": "wordllama"}


def shipped_interventions(
    run_name: str = "keyword", *, depth: int = 50, retriever: Searcher | None = None
) -> list[Intervention | OtherJudgments]:
    """What can be tried on a frozen run of the library of things, in the order of precedence.

    An intervention changes one thing. So it is in the list only where the same system ran with that thing
    changed:

    ============  ============  =============  =============  =========  ======  ================
    run           exact search  merged chunks  swapped words  other arm  deeper  other judgments
    ============  ============  =============  =============  =========  ======  ================
    keyword       –             yes            yes            wordllama  yes     the full ones
    wordllama     –             yes            if live        keyword    yes     the full ones
    minilm        –             –              if live        keyword    yes     the full ones
    approximate   wordllama     –              if live        keyword    yes     the full ones
    ============  ============  =============  =============  =========  ======  ================

    All but the keyword search for swapped words is frozen: no vector model is needed.

    Parameters
    ----------
    run_name : the frozen run that is diagnosed.
    depth : how deep `Deeper` looks.
    retriever : the live system that made the run, to ask it with swapped words. For ``"keyword"`` it is made.

    Raises
    ------
    RecallLabError : there are no interventions for such a run, or ``depth`` is no whole number ≥ 1.

    Examples
    --------
    >>> from recall_lab.diagnosis import diagnose
    >>> golden = GoldenDataset.load("library_of_things")
    >>> found = diagnose(golden, frozen_run("keyword"), k=10, interventions=shipped_interventions("keyword"))
    >>> found.counts()["chunk boundary"].item()
    8
    >>> print(found.of_question("q041")[0].reason)
    with 'jump leads' for 'Jumper cables' it is at rank 1; in the run at rank 37
    """
    if run_name not in _OTHER_ARM:
        close = difflib.get_close_matches(str(run_name), _OTHER_ARM, n=1)
        meant = f"; did you mean {close[0]!r}?" if close else "."
        raise RecallLabError(
            f"no interventions ship for a run {run_name!r}{meant} There are some for "
            f"{', '.join(_OTHER_ARM)}; for another run, give your own list, "
            "such as [OtherArm(run_a), Deeper(run_b, 50)]"
        )
    golden = GoldenDataset.load(_DATASET)
    if run_name == "keyword" and retriever is None:
        retriever = KeywordRetriever(golden.passages)
    tried: list[Intervention | OtherJudgments] = []
    if run_name in _EXACT:
        tried.append(ExactSearch(frozen_run(_EXACT[run_name])))
    if run_name in _MERGED:
        tried.append(MergedChunks(frozen_run(_MERGED[run_name]), chunk_map()))
    if retriever is not None:
        tried.append(SwapWords(retriever, word_pairs()))
    tried.append(OtherArm(frozen_run(_OTHER_ARM[run_name])))
    tried.append(Deeper(frozen_run(run_name), depth))
    tried.append(OtherJudgments(golden))
    return tried


def chunk_map() -> dict[str, str]:
    """For each passage of the library of things that a chunk boundary cut off: the merged passage.

    >>> chunk_map()["care-01"]
    'care-01+02'
    """
    return {row["passage"]: row["merged"] for row in _rows("chunkings/map.tsv", "\t")}


def word_pairs() -> list[tuple[str, str]]:
    """What people ask with and what the library of things writes, as pairs for `SwapWords`.

    >>> word_pairs()[0]
    ('flashlight', 'torch')
    """
    return [(row["asked"], row["written"]) for row in _rows("vocabulary.csv", ",")]


def _rows(name: str, delimiter: str) -> list[dict[str, str]]:
    path = shipped_folder("datasets") / _DATASET / name
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))
