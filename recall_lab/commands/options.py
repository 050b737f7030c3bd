"""What several commands share: options declared once, and how runs are read and measured."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recall_lab.errors import NoCommonQueriesError, RecallLabError, shorten

if TYPE_CHECKING:
    from recall_lab.evaluation import Evaluation
    from recall_lab.golden import GoldenDataset

LARGEST_NUMBER = 1_000_000_000
"""The largest k or grade that an option takes."""

SMALLEST_FRACTION = 0.000001

FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 1_000_000

COMPARABLE = (
    "recall",
    "capped_recall",
    "precision",
    "hit_rate",
    "reciprocal_rank",
    "average_precision",
    "ndcg",
    "ndcg_exponential",
)
"""The measures that have a value for every question at a cutoff, and tell a good run from a bad one."""

WHAT_IT_READS = """\
what it reads:
  JUDGMENTS  TREC qrels; BEIR qrels (.tsv); a golden set as CSV or TSV
             (query_id,relevant_ids; ids separated by |) or JSONL (query_id,
             relevant_ids as a list); a folder in BEIR's layout; or the name of
             a dataset that ships with Recall Lab
  a run      a TREC run; CSV or TSV (query_id,doc_id,score); or JSONL (query_id,
             retrieved_ids in order)
  All may be gzipped. Results are ordered by score, ties by document id, both
  descending; a rank column never decides.
"""


# ---------------------------------------------------------------------------------------------- declaring


def add_judgments(parser: argparse.ArgumentParser) -> None:
    """The first argument: what to measure against."""
    parser.add_argument("judgments", metavar="JUDGMENTS", help="a file, a folder or the name of a dataset")


def add_which_judgments(parser: argparse.ArgumentParser) -> None:
    """From which grade a document is relevant, and which judgments of a folder to take."""
    parser.add_argument(
        "--min-grade",
        type=_grade,
        metavar="N",
        help="a document is relevant from this grade up (default: the dataset's own threshold, else 1)",
    )
    parser.add_argument(
        "--qrels", metavar="NAME", help="which judgments of a folder to use (default: test, or the only ones)"
    )


def add_choices(parser: argparse.ArgumentParser) -> None:
    """The conventions of measuring, and how to read runs."""
    choices = parser.add_argument_group("choices that change the numbers")
    choices.add_argument(
        "--no-relevant",
        choices=("exclude", "zero", "one"),
        help="a query without a relevant document is excluded and listed (default), or counts 0 or 1",
    )
    choices.add_argument(
        "--unanswered",
        choices=("zero", "skip"),
        help="a judged query that the run doesn't answer counts 0 and is listed (default), or is left out",
    )
    choices.add_argument(
        "--ties",
        choices=("by-id", "as-given", "best", "worst"),
        help="order of equal scores: by document id, descending (default), as in the file, or the "
        "most or the least favourable",
    )
    choices.add_argument(
        "--preset",
        choices=("trec_eval",),
        help="follow trec_eval: a query without relevant documents counts 0, an unanswered one is left out",
    )

    reading = parser.add_argument_group("reading runs")
    reading.add_argument(
        "--duplicates",
        choices=("error", "keep-best"),
        default="error",
        help="a document listed twice for a query is an error (default), or its best score is kept and the "
        "others are counted",
    )
    reading.add_argument(
        "--extra-words", action="store_true", help="accept further words at the end of a line of a TREC run"
    )
    reading.add_argument(
        "--in-pieces",
        action="store_true",
        help="read the run piece by piece, for one larger than memory; each query's lines must be together",
    )


def add_comparison(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """What is compared and how it is shown; returns the group about chance, for more options of its kind."""
    parser.add_argument("--k", default="10", metavar="K", help="the cutoff, a whole number (default: 10)")
    parser.add_argument(
        "--measure",
        choices=COMPARABLE,
        default="recall",
        metavar="NAME",
        help=f"what to compare (default: recall): {', '.join(COMPARABLE)}",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print JSON instead of text")
    output.add_argument(
        "--markdown",
        metavar="FILE",
        help="also write a summary for a pull request; - prints it instead of the text",
    )
    output.add_argument(
        "--all", action="store_true", help="name all questions, not only the first ten, largest changes first"
    )

    chance = parser.add_argument_group("chance")
    chance.add_argument(
        "--resamples",
        type=_resamples,
        default=10_000,
        metavar="N",
        help="draws of the bootstrap and of random sign flips (default: 10000)",
    )
    chance.add_argument(
        "--seed", type=_seed, default=0, metavar="N", help="the same seed gives the same numbers (default: 0)"
    )
    return chance


# ------------------------------------------------------------------------------------------ values of options


def parse_cutoffs(text: str, example: str = "1,5,10") -> list[int]:
    """The cutoffs named by ``--k``, ascending, each once.

    >>> parse_cutoffs("10,1, 5")
    [1, 5, 10]
    >>> parse_cutoffs("5,ten")
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: --k: 'ten' is not a whole number of at least 1; write, say, --k 1,5,10
    """
    cutoffs = set()
    for part in text.split(","):
        digits = part.strip()
        if not (digits.isascii() and digits.isdigit() and digits.strip("0")):
            raise RecallLabError(
                f"--k: {shorten(digits)!r} is not a whole number of at least 1; write, say, --k {example}"
            )
        if _too_large(digits):
            raise RecallLabError(
                f"--k: {shorten(digits)} is too large; write a whole number of at most {LARGEST_NUMBER:,}"
            )
        cutoffs.add(int(digits))
    return sorted(cutoffs)


def parse_cutoff(text: str) -> int:
    """The one cutoff named by ``--k``.

    >>> parse_cutoff("5,10")
    Traceback (most recent call last):
    recall_lab.errors.RecallLabError: --k: one cutoff, not 2; each further k is a further test, and the best \
of several looks better than it is: choose k before you look, such as --k 10
    """
    cutoffs = parse_cutoffs(text, "10")
    if len(cutoffs) > 1:
        raise RecallLabError(
            f"--k: one cutoff, not {len(cutoffs)}; each further k is a further test, and the best of several "
            "looks better than it is: choose k before you look, such as --k 10"
        )
    return cutoffs[0]


def fraction(text: str, example: str = "0.05") -> float:
    """An argument that is a fraction above 0 and at most 1.

    >>> fraction("0.05")
    0.05
    >>> fraction("5%")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: '5%' is not a fraction above 0 and at most 1; 5 % are 0.05
    """
    text = text.strip()
    if re.fullmatch(r"[0-9]*\.?[0-9]+(e-?[0-9]{1,3})?", text) and 0 < float(text) <= 1:
        if float(text) < SMALLEST_FRACTION:
            raise argparse.ArgumentTypeError(f"{text} is too small to tell from 0; write, say, {example}")
        return float(text)
    way_out = f"write, say, {example}"
    if (percent := re.fullmatch(r"([0-9]{1,3}([.,][0-9]{1,9})?) ?%?", text)) is not None:
        number = percent[1].replace(",", ".")
        if "," in text and 0 < float(number) <= 1:
            way_out = f"write {number}, with a point"
        elif 0 < float(number) <= 100:
            way_out = f"{number} % are {float(number) / 100:g}"
    raise argparse.ArgumentTypeError(f"{shorten(text)!r} is not a fraction above 0 and at most 1; {way_out}")


def confidence(text: str) -> float:
    """An argument that is a fraction above 0 and below 1."""
    share = fraction(text, "0.95")
    if share == 1:
        raise argparse.ArgumentTypeError("nothing is certain; write a fraction below 1, such as 0.95")
    return share


def whole_number(text: str) -> int:
    """An argument that is a whole number; which numbers are allowed is said where it is used."""
    if not re.fullmatch("[+-]?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{shorten(text)!r} is not a whole number")
    if _too_large(text.lstrip("+-")):
        raise argparse.ArgumentTypeError(f"{shorten(text)} is too large (at most {LARGEST_NUMBER:,})")
    return int(text)


def _grade(text: str) -> int:
    grade = whole_number(text)
    if grade < 1:
        raise argparse.ArgumentTypeError(f"{grade} is below 1, the lowest grade that can be relevant")
    return grade


def _resamples(text: str) -> int:
    number = whole_number(text)
    if not FEWEST_RESAMPLES <= number <= MOST_RESAMPLES:
        raise argparse.ArgumentTypeError(
            f"{number} is out of range; write a number from {FEWEST_RESAMPLES} to {MOST_RESAMPLES}"
        )
    return number


def _seed(text: str) -> int:
    number = whole_number(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is below 0; write, say, 0")
    return number


def _too_large(digits: str) -> bool:
    """Whether a number is beyond the largest allowed; Python reads no number of thousands of digits."""
    digits = digits.lstrip("0")
    return len(digits) > len(str(LARGEST_NUMBER)) or int(digits or "0") > LARGEST_NUMBER


# -------------------------------------------------------------------------------------- reading and measuring


def load(arguments: argparse.Namespace) -> GoldenDataset:
    """The judgments that the arguments name."""
    from recall_lab.golden import GoldenDataset

    if arguments.qrels is not None and os.path.isfile(arguments.judgments):
        raise RecallLabError(
            f"--qrels chooses among the judgments of a folder, and {arguments.judgments} is a file"
        )
    return GoldenDataset.load(arguments.judgments, min_grade=arguments.min_grade, judgments=arguments.qrels)


def measure(
    golden: GoldenDataset, paths: Sequence[str], arguments: argparse.Namespace
) -> dict[str, Evaluation]:
    """Every run under its own name, in the order given.

    Raises
    ------
    NoCommonQueriesError : a run shares no query with the judgments; the message names its file.
    RecallLabError : a file can't be read, or a choice doesn't fit.
    """
    from recall_lab.evaluation import evaluate, evaluate_file
    from recall_lab.run import Run

    choices = {
        name: value
        for name in ("no_relevant", "unanswered", "ties", "preset")
        if (value := getattr(arguments, name)) is not None
    }
    reading = {"duplicates": arguments.duplicates, "extra_words": arguments.extra_words}
    measured = []
    for path in paths:
        try:
            if arguments.in_pieces:
                measured.append(evaluate_file(golden, path, **reading, **choices))
            else:
                measured.append(evaluate(golden, Run.read(path, **reading), **choices))
        except NoCommonQueriesError as error:
            raise NoCommonQueriesError(f"{path}: {error}") from error
    names = distinct_names([evaluation.run_name for evaluation in measured], paths)
    for evaluation, name in zip(measured, names, strict=True):
        evaluation.run_name = name
    return dict(zip(names, measured, strict=True))


def distinct_names(names: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Names of runs, told apart by their files, and by number where even those are the same.

    >>> distinct_names(["bm25", "t", "t"], ["a.run", "b.run", "c.run"])
    ['bm25', 't (b.run)', 't (c.run)']
    >>> distinct_names(["t", "t"], ["a.run", "a.run"])
    ['t (a.run)', 't (a.run) no. 2']
    """
    told_apart: list[str] = []
    for name, path in zip(names, paths, strict=True):
        base = name if name and names.count(name) == 1 else f"{name} ({path})".lstrip()
        candidate, number = base, 1
        while candidate in told_apart:
            number += 1
            candidate = f"{base} no. {number}"
        told_apart.append(candidate)
    return told_apart


def check_output_is_no_input(option: str, output: str | None, inputs: Sequence[str]) -> None:
    """Refuse to write a file over one that is read, be it named or one of a dataset's folder.

    Raises
    ------
    RecallLabError : the file named by ``option`` is one of the inputs.
    """
    if output is None or not os.path.exists(output):
        return
    read = [*map(Path, inputs), *(path for name in inputs for path in _files_of_dataset(name))]
    if any(os.path.exists(path) and os.path.samefile(path, output) for path in read):
        raise RecallLabError(f"{option}: {output} is one of the files to read; name another file to write")


def _files_of_dataset(name: str) -> list[Path]:
    """The files that make up a dataset, where a folder or the name of a shipped dataset is given."""
    from recall_lab.golden import shipped_datasets
    from recall_lab.resources import shipped_folder

    folder = shipped_folder("datasets") / name if name in shipped_datasets() else Path(name)
    patterns = ("dataset.json", "corpus.*", "queries.*", "qrels/*")
    return [path for pattern in patterns for path in folder.glob(pattern)] if folder.is_dir() else []
