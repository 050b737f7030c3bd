"""Fuzz the readers for as long as you like: ``python benchmarks/fuzz_readers.py -runs=1000000``.

Every input is given to one reader as a file. It is read, or refused with an error of our own; anything else
stops the run and is kept as ``crash-…``. Runs are read three ways (numpy, polars, line reader), which have to
agree. Files are read in blocks of 64 bytes, so that small inputs cross their borders.

Options are libFuzzer's: ``-runs=N`` or ``-max_total_time=SECONDS``, ``-max_len=BYTES``, a folder to keep
inputs in. Needs ``pip install atheris`` (Linux); the shorter fuzzing in ``tests/`` runs without it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

with atheris.instrument_imports(include=["recall_lab"]):
    from recall_lab.errors import RecallLabError
    from recall_lab.formats import fast_polars, runs, text
    from recall_lab.formats.beir import read_corpus, read_queries
    from recall_lab.formats.judgments import read_judgments

SEEDS = [
    b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n",
    b"q1 Q0 d1 1 9.5 t\nq1 Q0 d2 2 8e-1 t\nq2 Q0 d1 1 -3 t\n",
    b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n",
    b'query_id,relevant_ids,query\nq1,d1|d2,"Say ""when"""\nq2,,"two\nlines"\n',
    b'query_id,doc_id,score\nq1,d1,2\nq1,"d,2",1.5\n',
    b'{"query_id": "q1", "relevant_ids": ["d1", 2], "query": "Why?"}\n',
    b'{"query_id": "q1", "retrieved_ids": ["d1", "d2"]}\n{"query_id": "q2", "retrieved_ids": []}\n',
    b'{"_id": "d1", "title": "T", "text": "one \\u00e9", "metadata": {"type": "x"}}\n',
    b'q1\t"what is recall\nq2\tplain\n',
    b"\xef\xbb\xbf# note\r\nq1 0 d1 1.0\r\n",
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03+4T0PH1T0\xe4\x02\x00\xd5\xd8\xd5\xe9\n\x00\x00\x00",
]
WORDS = [
    "query_id",
    "relevant_ids",
    "retrieved_ids",
    "doc_id",
    "score",
    "rank",
    "query-id",
    "corpus-id",
    "_id",
    "text",
]
WORDS += [
    "metadata",
    "\\xef\\xbb\\xbf",
    "\\x1f\\x8b\\x08",
    "\\x0d\\x0a",
    "nan",
    "inf",
    "1e999",
    "\\\\ud800",
    "\\x22\\x22",
    "Q0",
]


def main(arguments: list[str]) -> None:
    """Set the fuzzer up and let it run."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "words").write_text("".join(f'"{word}"\n' for word in WORDS))
        (here / "seeds").mkdir()
        for i, seed in enumerate(SEEDS):
            for reader in range(len(READERS)):
                (here / "seeds" / f"{i}-{reader}").write_bytes(bytes([reader]) + seed)
        path = here / "file.txt"
        text.BLOCK_BYTES = 64
        options = [f"-dict={here / 'words'}", "-max_len=1024", "-len_control=0", *arguments[1:]]
        kept = [option for option in options if not option.startswith("-")]
        rest = [option for option in options if option.startswith("-")]
        atheris.Setup([arguments[0], *rest, *kept, str(here / "seeds")], lambda data: read_one(data, path))
        atheris.Fuzz()


def read_one(data: bytes, path: Path) -> None:
    """Give one input to the reader that its first byte names."""
    if not data:
        return
    path.write_bytes(data[1:])
    try:
        READERS[data[0] % len(READERS)](path)
    except RecallLabError:
        pass


def read_run_three_ways(path: Path) -> None:
    """Read a run by numpy, by polars and by the line reader alone: the same rows, or the same refusal."""
    found = [
        _attempt(path, way) for way in (runs.fast_rows, fast_polars.polars_rows, lambda block, plan: None)
    ]
    if not found[0] == found[1] == found[2]:
        raise AssertionError(f"the three ways differ: {found}")


def _attempt(path: Path, way: Callable[..., Any]) -> tuple[Any, ...]:
    usual, runs.fast_rows = runs.fast_rows, way  # short files never go to polars on their own
    try:
        run = runs.read_run(path)
    except RecallLabError as refused:
        return (str(refused),)
    finally:
        runs.fast_rows = usual
    return run.query_ids, run.documents, run.starts.tolist(), run.scores.tolist(), run.notices


READERS: list[Callable[[Path], object]] = [
    read_judgments,
    read_run_three_ways,
    read_corpus,
    read_queries,
    lambda path: list(runs.read_run_in_pieces(path, rows=2)),
    lambda path: runs.read_run(path, duplicates="keep-best", extra_words=True),
]

if __name__ == "__main__":
    main(sys.argv)
