"""A careful look at a golden dataset before anything is measured with it."""

from __future__ import annotations

import html
import re
import textwrap
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Literal

from recall_lab.ids import look_alike
from recall_lab.measures import check_k
from recall_lab.near_duplicates import near_duplicates

if TYPE_CHECKING:
    import pandas as pd

    from recall_lab.golden import GoldenDataset

Level = Literal["problem", "worth a look", "fact"]

LEVELS: tuple[Level, ...] = ("problem", "worth a look", "fact")
NEAR_DUPLICATE = 0.5
# Beyond this many passages only judged ones are searched for near-duplicates (10,000 take about two seconds).
LARGEST_FULL_SEARCH = 50_000
_EXAMPLES = 5
_TEXT_WIDTH = 100


@dataclass(frozen=True)
class Finding:
    """One thing to know about a dataset.

    Parameters
    ----------
    level : ``"problem"`` (measuring goes wrong), ``"worth a look"`` (may be meant so) or ``"fact"``.
    code : short stable name, for programs.
    what : what was found, in one sentence.
    count : how many.
    examples : some of them.
    advice : what to do; empty for facts.
    """

    level: Level
    code: str
    what: str
    count: int
    examples: tuple[str, ...] = ()
    advice: str = ""


class ValidationReport:
    """The findings about a dataset, problems first; readable as text, as HTML and as a pandas table.

    Parameters
    ----------
    title : the dataset in one line.
    findings : what was found.

    Examples
    --------
    >>> finding = Finding("problem", "empty-passages", "passages without text", 1, ("d2",))
    >>> report = ValidationReport("2 passages", [finding])
    >>> report.ok
    False
    >>> print(report)
    2 passages
    1 problem, 0 worth a look, 0 facts
    <BLANKLINE>
    PROBLEM        passages without text: 1
                   d2
    """

    def __init__(self, title: str, findings: Iterable[Finding]) -> None:
        self.title = title
        self.findings = sorted(findings, key=lambda finding: LEVELS.index(finding.level))

    @property
    def ok(self) -> bool:
        """Whether there is no problem. What is worth a look may still be wrong."""
        return not self.of_level("problem")

    @property
    def text(self) -> str:
        """The report as plain text, 100 columns wide."""
        return self.wrapped(_TEXT_WIDTH)

    def wrapped(self, width: int) -> str:
        """The report as plain text of so many columns; ids and numbers are never broken.

        Parameters
        ----------
        width : columns; fewer than 40 count as 40.

        Raises
        ------
        RecallLabError : the width is no whole number of at least 1.
        """
        width = max(check_k(width, "width"), 40)
        lines = [*textwrap.wrap(self.title, width), self._counts()]
        indent = " " * 15
        for finding in self.findings:
            lines.append("")
            first = f"{finding.level.upper():<15}{finding.what}: {finding.count:,}"
            for part in (first, indent + "; ".join(finding.examples), indent + finding.advice):
                lines += textwrap.wrap(
                    part, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
                )
        return "\n".join(lines)

    def of_level(self, level: Level) -> list[Finding]:
        """The findings of one level."""
        return [finding for finding in self.findings if finding.level == level]

    def to_frame(self) -> pd.DataFrame:
        """The findings as a pandas table, one row each."""
        import pandas as pd

        columns = ["level", "code", "what", "count", "examples", "advice"]
        rows = [
            (
                finding.level,
                finding.code,
                finding.what,
                finding.count,
                "; ".join(finding.examples),
                finding.advice,
            )
            for finding in self.findings
        ]
        return pd.DataFrame(rows, columns=columns)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads = "".join(
            f'<th scope="col" style="text-align:left">{head}</th>'
            for head in ("Level", "Found", "How many", "Examples", "What to do")
        )
        rows = "".join(
            '<tr style="vertical-align:top">'
            + "".join(
                f'<td style="text-align:left">{html.escape(cell)}</td>'
                for cell in (
                    finding.level,
                    finding.what,
                    f"{finding.count:,}",
                    "; ".join(finding.examples),
                    finding.advice,
                )
            )
            + "</tr>"
            for finding in self.findings
        )
        caption = html.escape(f"{self.title}. {self._counts()}.")
        return (
            f'<table><caption style="text-align:left">{caption}</caption>'
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _counts(self) -> str:
        problems, looks, facts = (len(self.of_level(level)) for level in LEVELS)
        return (
            f"{problems} problem{'' if problems == 1 else 's'}, {looks} worth a look, "
            f"{facts} fact{'' if facts == 1 else 's'}"
        )


def validate(golden: GoldenDataset, k: int | None = None) -> ValidationReport:
    """Look a dataset over.

    Parameters
    ----------
    golden : the dataset; passages and questions may be absent.
    k : the cutoff you mean to use.

    Raises
    ------
    RecallLabError : k is no whole number of at least 1.
    """
    if k is not None:
        check_k(k)
    checks: tuple[Callable[[GoldenDataset], Iterator[Finding]], ...] = (
        _reading,
        _unknown_ids,
        _judged_questions,
        _grades,
        _texts,
        _similar_passages,
        _ids,
        _slices,
    )
    findings = [finding for check in checks for finding in check(golden)]
    if k is not None:
        findings.extend(_beyond_cutoff(golden, k))
    return ValidationReport(repr(golden), findings)


def _finding(
    level: Level, code: str, what: str, found: Iterable[object], advice: str = ""
) -> Iterator[Finding]:
    """A finding, if anything was found."""
    all_found = [str(one) for one in found]
    if all_found:
        more = len(all_found) - _EXAMPLES
        examples = (*all_found[:_EXAMPLES], *([f"and {more:,} more"] if more > 0 else []))
        yield Finding(level, code, what, len(all_found), examples, advice)


def _reading(golden: GoldenDataset) -> Iterator[Finding]:
    for notice in golden.notices:
        yield Finding(
            "worth a look", notice.code, notice.message, max(1, len(notice.ids)), notice.ids[:_EXAMPLES]
        )


def _unknown_ids(golden: GoldenDataset) -> Iterator[Finding]:
    judged = dict.fromkeys(document for documents in golden.judgments.values() for document in documents)
    for ids, known, thing in (
        (judged, golden.passages, "passages"),
        (golden.judgments, golden.questions, "questions"),
    ):
        if not known:
            continue
        unknown = [id_ for id_ in ids if id_ not in known]
        alike = look_alike(unknown, known) if unknown else None
        yield from _finding(
            "problem",
            f"unknown-{thing}",
            f"judgments for {thing} that are not in the dataset",
            unknown,
            f"{alike}; write each id the same everywhere"
            if alike
            else f"add the {thing} or drop the judgments",
        )


def _judged_questions(golden: GoldenDataset) -> Iterator[Finding]:
    yield from _finding(
        "worth a look",
        "questions-without-judgments",
        "questions without any judgment, which no measure counts",
        (id_ for id_ in golden.questions if id_ not in golden.judgments),
        "judge them; a question that nothing answers needs a judgment that says so (grade 0)",
    )
    counts = {query_id: len(golden.relevant(query_id)) for query_id in golden.judgments}
    without = [query_id for query_id, count in counts.items() if count == 0]
    if counts and len(without) == len(counts):
        yield Finding(
            "problem",
            "nothing-relevant",
            f"no question has a relevant passage (grade {golden.min_grade} or more), so recall is undefined",
            len(counts),
            (),
            "lower min_grade, or look at the grades",
        )
        return
    yield from _finding(
        "worth a look",
        "no-relevant",
        "questions without a relevant passage (R = 0): recall is undefined, they leave the mean",
        without,
        "right where nothing in the corpus answers them; else judge again",
    )
    distribution = Counter(count for count in counts.values() if count)
    if distribution:
        shown = [f"R = {size}: {distribution[size]}" for size in sorted(distribution)]
        yield Finding(
            "fact",
            "relevant-per-question",
            "questions by number of relevant passages",
            sum(distribution.values()),
            (*shown[:12], *([f"up to R = {max(distribution)}"] if len(shown) > 12 else [])),
        )


def _beyond_cutoff(golden: GoldenDataset, k: int) -> Iterator[Finding]:
    counts = {query_id: len(golden.relevant(query_id)) for query_id in golden.judgments}
    positive = [count for count in counts.values() if count]
    if not positive:
        return
    ceiling = fmean(min(k, count) / count for count in positive)
    yield from _finding(
        "worth a look",
        "more-relevant-than-k",
        f"questions with more than {k} relevant passages, which cannot reach recall@{k} = 1",
        (f"{query_id} (R = {count})" for query_id, count in counts.items() if count > k),
        f"the best mean recall@{k} any system can reach is {ceiling:.3f}: report it beside the score, "
        "or choose a larger k",
    )


def _grades(golden: GoldenDataset) -> Iterator[Finding]:
    balance = Counter(grade for judged in golden.judgments.values() for grade in judged.values())
    total = sum(balance.values())
    if not total:
        return
    shares = tuple(
        f"grade {grade}: {balance[grade]:,} ({balance[grade] / total:.0%})" for grade in sorted(balance)
    )
    yield Finding("fact", "label-balance", "judgments by grade", total, shares[:12])
    per_question = [len(judged) for judged in golden.judgments.values()]
    yield Finding(
        "fact",
        "judgments-per-question",
        "judged questions; judgments for each",
        len(per_question),
        (f"fewest {min(per_question)}", f"median {median(per_question):g}", f"most {max(per_question)}"),
    )
    if len(balance) == 1 and total > 1:
        grade = next(iter(balance))
        yield Finding(
            "worth a look",
            "one-grade",
            f"judgments, all of grade {grade}: judged not relevant and never judged look the same",
            total,
            (),
            "judge some of what systems return and is wrong (grade 0), or read judged@k with this in mind",
        )
    yield from _finding(
        "worth a look",
        "negative-grades",
        "judgments with a negative grade, which count as neither relevant nor judged",
        _judgments_where(golden, lambda grade: grade < 0),
        "write 0 for a passage judged not relevant",
    )
    if len(balance) > 10 or max(balance) > 100:
        yield Finding(
            "worth a look",
            "unusual-grades",
            "different grades: few sets have more than ten, or one above 100",
            len(balance),
            tuple(str(grade) for grade in sorted(balance)[-_EXAMPLES:]),
            "is a column of ids or scores read as grades?",
        )


def _judgments_where(golden: GoldenDataset, holds: Callable[[int], bool]) -> Iterator[str]:
    for query_id, judged in golden.judgments.items():
        for document, grade in judged.items():
            if holds(grade):
                yield f"{query_id} {document} {grade}"


def _texts(golden: GoldenDataset) -> Iterator[Finding]:
    passages = {id_: f"{passage.title} {passage.text}" for id_, passage in golden.passages.items()}
    for texts, thing, advice in (
        (passages, "passages", "keep one of each group, or judge all alike: a system cannot tell them apart"),
        (golden.questions, "questions", "keep one of each group, or the same question counts several times"),
    ):
        yield from _finding(
            "problem",
            f"empty-{thing}",
            f"{thing} without text",
            (id_ for id_, text in texts.items() if not text.strip()),
            "give them text, or drop them",
        )
        yield from _finding(
            "worth a look",
            f"same-text-{thing}",
            f"groups of {thing} with the same text",
            map(_together, _groups((id_, " ".join(text.split())) for id_, text in texts.items())),
            advice,
        )


def _similar_passages(golden: GoldenDataset) -> Iterator[Finding]:
    passages = golden.passages
    what = "pairs of near-duplicate passages (at least half of their three-word runs shared)"
    if len(passages) > LARGEST_FULL_SEARCH:
        judged = {document for documents in golden.judgments.values() for document in documents}
        passages = {id_: passage for id_, passage in passages.items() if id_ in judged}
        what += ", searched among judged passages only"
    pairs = near_duplicates({id_: f"{p.title} {p.text}" for id_, p in passages.items()}, NEAR_DUPLICATE)
    grades_of: defaultdict[Hashable, dict[Hashable, int]] = defaultdict(dict)
    for query_id, documents in golden.judgments.items():
        for document, grade in documents.items():
            grades_of[document][query_id] = grade
    different, half_judged = [], []
    for pair in pairs:
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            for query_id, grade in grades_of[one].items():
                twin_grade = grades_of[other].get(query_id)
                if twin_grade is None and grade >= golden.min_grade:
                    half_judged.append(f"{query_id}: {one} (grade {grade}) and {other} (unjudged)")
                elif twin_grade is not None and twin_grade < grade:
                    different.append(f"{query_id}: {one} (grade {grade}) and {other} (grade {twin_grade})")
    yield from _finding(
        "worth a look",
        "near-duplicates-with-different-grades",
        "near-duplicate passages with different grades for the same question",
        different,
        "read both: does the small difference decide, or is one grade a slip?",
    )
    yield from _finding(
        "worth a look",
        "near-duplicates-half-judged",
        "near-duplicates of a relevant passage that nobody judged for that question",
        half_judged,
        "judge them: a system that returns the twin counts as wrong",
    )
    yield from _finding(
        "fact",
        "near-duplicates",
        what,
        (f"{pair.first} and {pair.second} ({pair.similarity:.0%})" for pair in pairs),
    )


_SPREADSHEET_MARKS = (
    ("numbers with a decimal point", re.compile(r"[0-9]+\.0")),
    ("numbers in powers of ten", re.compile(r"[0-9](?:\.[0-9]+)?E[+-]?[0-9]{2,3}", re.IGNORECASE)),
    (
        "dates",
        re.compile(
            r"[0-9]{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-[0-9]{2,4})?"
            r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-[0-9]{2,4}"
            r"|[0-9]{1,4}[/-][0-9]{1,2}[/-][0-9]{1,4}(?: 0{1,2}:00(?::00)?)?",
            re.IGNORECASE,
        ),
    ),
    ("error values", re.compile(r"#(?:N/A|REF!|VALUE!|NAME\?|NUM!|DIV/0!|NULL!)")),
    ("numbers of more than 15 digits that end in zeros", re.compile(r"[1-9][0-9]{14}0+")),
)


def _ids(golden: GoldenDataset) -> Iterator[Finding]:
    documents = dict.fromkeys(
        [*golden.passages, *(document for judged in golden.judgments.values() for document in judged)]
    )
    queries = dict.fromkeys([*golden.questions, *golden.judgments])
    for ids, thing in ((documents, "passage"), (queries, "question")):
        texts = [id_ for id_ in ids if isinstance(id_, str)]
        marked = {
            f"{id_} ({mark})": None
            for mark, pattern in _SPREADSHEET_MARKS
            for id_ in texts
            if pattern.fullmatch(id_.strip())
        }
        yield from _finding(
            "worth a look",
            f"spreadsheet-{thing}-ids",
            f"{thing} ids that look rewritten by a spreadsheet",
            marked,
            "compare with the source; import id columns as text",
        )
        yield from _finding(
            "worth a look",
            f"lost-zeros-{thing}-ids",
            f"{thing} ids that may have lost leading zeros, beside others that have them",
            _lost_zeros(texts),
            "compare with the source; import id columns as text",
        )
        yield from _finding(
            "worth a look",
            f"twin-{thing}-ids",
            f"{thing} ids that differ only in case, spaces or invisible signs",
            map(_together, _groups((id_, _bare(id_)) for id_ in texts)),
            "they count as different: make sure they are",
        )
    yield from _finding(
        "fact",
        "own-id",
        "judgments for a passage whose id is the question's own; some tools drop these, this one does not",
        (query_id for query_id, judged in golden.judgments.items() if query_id in judged),
    )


def _slices(golden: GoldenDataset) -> Iterator[Finding]:
    types = golden.question_types
    if not types:
        return
    counts = Counter(types.values())
    shown = tuple(f"{name}: {count}" for name, count in counts.most_common())
    yield Finding("fact", "slices", "slices, by number of questions", len(counts), shown[:12])
    yield from _finding(
        "worth a look",
        "questions-without-type",
        "questions without a type, which no slice counts",
        (id_ for id_ in golden.questions if id_ not in types),
        "give them a type",
    )


def _lost_zeros(ids: list[str]) -> list[str]:
    """Ids of digits shorter than the one length that ids with leading zeros have."""
    digits = [id_ for id_ in ids if id_.isascii() and id_.isdigit()]
    padded = Counter(len(id_) for id_ in digits if id_.startswith("0") and len(id_) > 1)
    if not padded:
        return []
    width, count = padded.most_common(1)[0]
    short = [id_ for id_ in digits if len(id_) < width and not id_.startswith("0")]
    return short if count == padded.total() else []


def _bare(id_: str) -> str:
    plain = unicodedata.normalize("NFKC", id_).casefold()
    return "".join(sign for sign in plain if unicodedata.category(sign) not in ("Cc", "Cf", "Zs", "Zl", "Zp"))


def _groups(pairs: Iterable[tuple[Any, str]]) -> Iterator[list[Any]]:
    """Ids that share a text, in groups of at least two; empty texts aside."""
    groups: defaultdict[str, list[Any]] = defaultdict(list)
    for id_, text in pairs:
        if text:
            groups[text].append(id_)
    yield from (ids for ids in groups.values() if len(ids) > 1)


def _together(ids: list[Any]) -> str:
    return " = ".join(repr(id_) for id_ in ids[:3]) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")
