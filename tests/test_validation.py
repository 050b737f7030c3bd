"""GoldenDataset.validate(): each thing worth knowing is found, named, and absent where there is nothing."""

from __future__ import annotations

import random
import time

import pytest

from recall_lab.errors import RecallLabError
from recall_lab.golden import GoldenDataset
from recall_lab.near_duplicates import near_duplicates
from recall_lab.notices import Notice
from recall_lab.validation import Finding, ValidationReport

TEXT = "A drill costs three pounds a day and must come back clean and dry before closing time on Saturday."
OTHER = "Saws are kept in bay nine, and the desk hands out the key to the cupboard when it is asked for."


def find(report: ValidationReport, code: str) -> Finding:
    return next(finding for finding in report.findings if finding.code == code)


def codes(report: ValidationReport, level: str | None = None) -> set[str]:
    return {finding.code for finding in report.findings if level in (None, finding.level)}


def clean() -> dict:
    return {
        "passages": {"d1": TEXT, "d2": OTHER},
        "questions": {"q1": "What does a drill cost?", "q2": "Where are the saws?"},
        "judgments": {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 1, "d1": 0}},
    }


def report_on(k: int | None = None, **changes) -> ValidationReport:
    parts = clean() | changes
    return GoldenDataset(
        parts.pop("passages"), parts.pop("questions"), parts.pop("judgments"), **parts
    ).validate(k)


def test_a_clean_dataset_has_facts_only():
    report = report_on(k=1)
    assert report.ok
    assert codes(report) == {"relevant-per-question", "label-balance", "judgments-per-question"}
    assert find(report, "label-balance").examples == ("grade 0: 2 (50%)", "grade 1: 2 (50%)")
    assert find(report, "judgments-per-question").examples == ("fewest 2", "median 2", "most 2")
    assert find(report, "relevant-per-question").examples == ("R = 1: 2",)


def test_judgments_for_unknown_ids():
    report = report_on(judgments={"q1": {"d1": 1, "D2": 0, "d9": 1}, "q2": {"d2": 1}, "q3": {"d1": 0}})
    assert not report.ok
    found = find(report, "unknown-passages")
    assert (found.level, found.count, found.examples) == ("problem", 2, ("D2", "d9"))
    assert "'D2' and 'd2' differ in upper and lower case" in found.advice
    assert find(report, "unknown-questions").examples == ("q3",)
    without = report_on(passages={}, questions={}, judgments={"q1": {"d9": 1, "d1": 0}})
    assert without.ok


def test_questions_that_measure_nothing():
    report = report_on(judgments={"q1": {"d1": 1, "d2": 0}})
    assert find(report, "questions-without-judgments").examples == ("q2",)
    report = report_on(judgments={"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0}})
    found = find(report, "no-relevant")
    assert (found.level, found.examples) == ("worth a look", ("q2",))
    report = report_on(min_grade=2)
    assert find(report, "nothing-relevant").level == "problem"
    assert "no-relevant" not in codes(report)
    assert codes(report_on(judgments={}, questions={})) == set()


def test_more_relevant_passages_than_the_cutoff():
    judgments = {"q1": {"d1": 1, "d2": 1, "d3": 1, "d4": 1}, "q2": {"d2": 1, "d1": 0}}
    parts = {"passages": {}, "judgments": judgments}
    found = find(report_on(k=2, **parts), "more-relevant-than-k")
    assert found.examples == ("q1 (R = 4)",)
    assert "recall@2 any system can reach is 0.750" in found.advice
    assert "more-relevant-than-k" not in codes(report_on(k=4, **parts))
    assert "more-relevant-than-k" not in codes(report_on(**parts))
    for k in (0, True, 1.5, "5"):
        with pytest.raises(RecallLabError, match="k is"):
            report_on(k=k)


def test_grades():
    report = report_on(judgments={"q1": {"d1": 1}, "q2": {"d2": 1}})
    assert find(report, "one-grade").count == 2
    report = report_on(judgments={"q1": {"d1": 1, "d2": -1}, "q2": {"d2": 1, "d1": 0}})
    assert find(report, "negative-grades").examples == ("q1 d2 -1",)
    report = report_on(judgments={"q1": {"d1": 14717, "d2": 0}, "q2": {"d2": 1}})
    assert "14717" in find(report, "unusual-grades").examples
    many = {f"d{i}": i for i in range(12)}
    assert find(report_on(passages={}, judgments={"q1": many}), "unusual-grades").count == 12


def test_texts():
    report = report_on(
        passages={"d1": TEXT, "d2": OTHER, "d3": f"  {TEXT.replace(' a ', '  a ')}\n", "d4": " \n"},
        questions={"q1": "Where?", "q2": "Where?", "q3": ""},
    )
    assert find(report, "same-text-passages").examples == ("'d1' = 'd3'",)
    assert find(report, "same-text-questions").examples == ("'q1' = 'q2'",)
    assert (find(report, "empty-passages").level, find(report, "empty-passages").examples) == (
        "problem",
        ("d4",),
    )
    assert find(report, "empty-questions").examples == ("q3",)


def test_near_duplicates():
    twin = TEXT.replace("Saturday", "Sunday")
    passages = {"d1": TEXT, "d2": OTHER, "d3": twin}
    report = report_on(passages=passages, judgments={"q1": {"d1": 1, "d3": 0}, "q2": {"d2": 1, "d1": 0}})
    assert find(report, "near-duplicates-with-different-grades").examples == (
        "q1: d1 (grade 1) and d3 (grade 0)",
    )
    assert find(report, "near-duplicates").count == 1
    assert "near-duplicates-half-judged" not in codes(report)
    report = report_on(passages=passages)
    assert find(report, "near-duplicates-half-judged").examples == ("q1: d1 (grade 1) and d3 (unjudged)",)
    assert "near-duplicates-with-different-grades" not in codes(report)
    report = report_on(passages=passages, judgments={"q1": {"d1": 1, "d3": 1, "d2": 0}, "q2": {"d2": 1}})
    assert codes(report) >= {"near-duplicates"}
    assert not codes(report) & {"near-duplicates-half-judged", "near-duplicates-with-different-grades"}


@pytest.mark.parametrize(
    ("ids", "marked"),
    [
        (["1.0", "2.0"], 2),
        (["1E+05", "1.25e12"], 2),
        (["3-Jan", "Mar-04", "1-Mar-2024", "2024-03-01 00:00:00", "1/2/2024"], 5),
        (["#N/A", "#REF!"], 2),
        (["123456789012345000"], 1),
        (["d1", "1", "PT-2141", "e05", "1.05", "Jan", "12-34", "2024", "1234567890", "#1", "v1.0"], 0),
    ],
)
def test_ids_that_a_spreadsheet_may_have_rewritten(ids, marked):
    judgments = {"q1": dict.fromkeys(ids, 1), "q2": {"d": 0}}
    report = report_on(passages={}, judgments=judgments)
    assert ("spreadsheet-passage-ids" in codes(report)) == bool(marked)
    if marked:
        assert find(report, "spreadsheet-passage-ids").count == marked
    report = report_on(questions=dict.fromkeys(ids, "What?"))
    assert ("spreadsheet-question-ids" in codes(report)) == bool(marked)


def test_lost_leading_zeros():
    found = find(
        report_on(passages={}, judgments={"q1": {"001": 1, "012": 1, "7": 0, "120": 1}}),
        "lost-zeros-passage-ids",
    )
    assert found.examples == ("7",)
    assert "lost-zeros-passage-ids" not in codes(report_on(passages={}, judgments={"q1": {"1": 1, "12": 0}}))
    assert "lost-zeros-passage-ids" not in codes(report_on(passages={}, judgments={"q1": {"0": 1, "12": 0}}))


def test_twins_of_ids():
    judgments = {
        "q1": {"d1": 1, "D1": 0, "d1 ": 0, "d\u200b1": 0, "cafe\u0301": 1, "caf\u00e9": 1},
        "Q1": {"d2": 1},
    }
    report = report_on(passages={}, questions={}, judgments=judgments)
    found = find(report, "twin-passage-ids")
    assert found.count == 2
    assert found.examples[0] == "'d1' = 'D1' = 'd1 ' and 1 more"
    assert find(report, "twin-question-ids").examples == ("'q1' = 'Q1'",)


def test_own_ids_slices_and_what_was_noticed():
    report = report_on(
        passages={},
        judgments={"q1": {"q1": 1, "d": 0}, "q2": {"d": 1}},
        question_types={"q1": "list"},
        notices=[Notice("comment-lines", "1 comment line", ("x",))],
    )
    assert find(report, "own-id").examples == ("q1",)
    assert find(report, "slices").examples == ("list: 1",)
    assert find(report, "questions-without-type").examples == ("q2",)
    assert find(report, "comment-lines").what == "1 comment line"


def test_whole_number_ids():
    report = report_on(passages={1: TEXT, 2: OTHER}, questions={7: "?"}, judgments={7: {1: 1, 3: 0}})
    assert find(report, "unknown-passages").examples == ("3",)


# --------------------------------------------------------------------------------------- how it reads


def test_the_report_as_text_html_and_table():
    evil = "<script>alert(1)</script>"
    report = report_on(
        judgments={"q1": {"d1": 1, evil: 0}, "q2": {"d2": 1}, "q3": {"d1": 0}}, name="<b>mine</b>"
    )
    lines = str(report).splitlines()
    assert (
        lines[0] == "GoldenDataset '<b>mine</b>': 2 passages, 2 questions, 4 judgments, relevant from grade 1"
    )
    assert lines[1].startswith("2 problems, 1 worth a look, ")
    assert max(map(len, lines)) <= 100
    assert str(report).index("PROBLEM") < str(report).index("WORTH A LOOK") < str(report).index("FACT")
    assert repr(report) == report.text == str(report)
    page = report._repr_html_()
    assert evil not in page and "<b>mine" not in page
    assert "&lt;script&gt;" in page
    assert page.count("<tr") == len(report.findings) + 1
    table = report.to_frame()
    assert list(table.columns) == ["level", "code", "what", "count", "examples", "advice"]
    assert len(table) == len(report.findings)
    assert ValidationReport("nothing", []).to_frame().empty


def test_long_lists_of_examples_are_cut_and_counted():
    judgments = {f"q{i}": {"d1": 1} for i in range(1000)}
    found = find(report_on(judgments=judgments), "unknown-questions")
    assert (found.count, len(found.examples), found.examples[-1]) == (997 + 1, 6, "and 993 more")


# ------------------------------------------------------------------------------------ near-duplicates


def similarity_of(first: str, second: str) -> float:
    """Jaccard similarity of the runs of three words, by definition."""
    one, two = (
        {tuple(words[i : i + 3]) for i in range(len(words) - 2)} for words in (first.split(), second.split())
    )
    return len(one & two) / len(one | two)


def test_near_duplicates_are_those_of_a_full_comparison():
    chance = random.Random(7)
    words = [f"w{i}" for i in range(400)]
    texts = {}
    for i in range(60):
        text = chance.choices(words, k=40)
        texts[f"a{i}"] = " ".join(text)
        for place in chance.sample(range(40), chance.randrange(6)):
            text[place] = "other"
        texts[f"b{i}"] = " ".join(text)
    ids = list(texts)
    true = {
        (one, two): likeness
        for i, one in enumerate(ids)
        for two in ids[i + 1 :]
        if (likeness := similarity_of(texts[one], texts[two])) >= 0.5
    }
    found = {(pair.first, pair.second): pair.similarity for pair in near_duplicates(texts)}
    assert all(true[pair] == pytest.approx(value) for pair, value in found.items())
    assert len(found) >= 0.97 * len(true)
    assert {pair for pair, value in true.items() if value > 0.7} <= found.keys()


def test_texts_without_words_or_very_short_ones():
    assert near_duplicates({"a": "", "b": "...", "c": "!"}) == []
    assert near_duplicates({"a": "Bay nine", "b": "bay NINE!", "c": "bay ten"})[0][:2] == ("a", "b")
    assert near_duplicates({}) == []


@pytest.mark.slow
def test_ten_thousand_passages_take_seconds():
    chance = random.Random(3)
    words = [f"w{i}" for i in range(5000)]
    passages = {f"d{i}": " ".join(chance.choices(words, k=60)) for i in range(5000)}
    card = "The drill {} is in bay {} and costs three pounds a day with a deposit of twenty pounds"
    passages |= {f"c{i}": card.format(i, i % 20) for i in range(5000)}  # a crowd of look-alikes
    golden = GoldenDataset(passages, {"q": "?"}, {"q": {"d0": 1, "c0": 1, "c1": 0}})
    begun = time.process_time()
    report = golden.validate(k=10)
    assert time.process_time() - begun < 10
    assert find(report, "near-duplicates").count > 5000


@pytest.mark.parametrize("width", [0, -1, None, "60", 1.5])
def test_a_width_is_a_whole_number(width):
    with pytest.raises(RecallLabError, match="width is"):
        report_on().wrapped(width)


def test_a_narrow_width_counts_as_forty():
    assert report_on().wrapped(1) == report_on().wrapped(40)


@pytest.mark.parametrize("width", [40, 60, 140])
def test_the_text_can_be_as_wide_as_the_console(width):
    report = report_on(k=1, judgments={"q1": {"d1": 1, "d-" + "x" * 50: 1}})
    lines = report.wrapped(width).splitlines()
    assert all(len(line) <= width or "x" * 50 in line for line in lines)
    assert max(map(len, lines)) > width // 2
    assert " ".join(report.wrapped(width).split()) == " ".join(report.text.split())
