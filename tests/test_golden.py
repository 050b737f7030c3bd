"""The golden dataset: made from dicts, loaded from disk, saved and loaded again."""

from __future__ import annotations

import copy
import json

import numpy as np
import pandas as pd
import pytest

from recall_lab import resources
from recall_lab.errors import FolderError, InputFileError, RecallLabError
from recall_lab.formats import write_judgments
from recall_lab.golden import GoldenDataset, Passage
from recall_lab.notices import Notice

PASSAGES = {
    "d1": "A drill costs 3 a day.",
    "d2": ("Saws", "A saw costs 2 a day."),
    "001": Passage("", "Ask us."),
}
QUESTIONS = {"q1": "What does a drill cost?", "q2": "Is there a pool?"}
JUDGMENTS = {"q1": {"d1": 2, "d2": 1, "001": 0}, "q2": {"d1": 0}}


@pytest.fixture
def golden():
    return GoldenDataset(
        PASSAGES,
        QUESTIONS,
        JUDGMENTS,
        min_grade=2,
        question_types={"q1": "paraphrase", "q2": "unanswerable"},
        name="mine",
        about={"version": "1.0"},
    )


def codes(golden: GoldenDataset) -> list[str]:
    return [notice.code for notice in golden.notices]


def test_parts(golden):
    assert golden.passages["d1"] == Passage(title="", text="A drill costs 3 a day.")
    assert golden.passages["d2"].title == "Saws"
    assert golden.relevant("q1") == {"d1"}
    assert golden.relevant("q2") == set()
    assert golden.question_types["q1"] == "paraphrase"
    assert repr(golden) == "GoldenDataset 'mine': 3 passages, 2 questions, 4 judgments, relevant from grade 2"


def test_what_is_given_is_copied_and_left_alone():
    given = (copy.deepcopy(PASSAGES), dict(QUESTIONS), copy.deepcopy(JUDGMENTS))
    golden = GoldenDataset(*given)
    golden.judgments["q1"]["d9"] = 2
    golden.judgments["q9"] = {}
    golden.questions["q9"] = "?"
    golden.passages.clear()
    assert given == (PASSAGES, QUESTIONS, JUDGMENTS)


def test_passages_and_questions_may_be_absent():
    golden = GoldenDataset(None, None, {"q1": ["d1", "d2"], "q2": set()}, min_grade=2)
    assert golden.judgments == {"q1": {"d1": 2, "d2": 2}, "q2": {}}
    assert golden.relevant("q1") == {"d1", "d2"}
    assert golden.relevant("q2") == set()


def test_numpy_and_float_grades_that_are_whole():
    golden = GoldenDataset(None, None, {"q1": {"d1": np.int64(2), "d2": 1.0, "d3": np.float64(0)}})
    assert golden.judgments == {"q1": {"d1": 2, "d2": 1, "d3": 0}}
    assert all(type(grade) is int for grade in golden.judgments["q1"].values())


@pytest.mark.parametrize("grade", [0.5, float("nan"), float("inf"), "1", True, None])
def test_other_grades_are_refused(grade):
    with pytest.raises(RecallLabError, match="grades are whole numbers"):
        GoldenDataset(None, None, {"q1": {"d1": grade}})


@pytest.mark.parametrize("min_grade", [0, -1, 1.5, True, "1", None])
def test_thresholds_that_are_refused(min_grade):
    with pytest.raises(RecallLabError, match="min_grade"):
        GoldenDataset(None, None, JUDGMENTS, min_grade=min_grade)


@pytest.mark.parametrize(
    "judgments", ["q1", [("q1", {"d1": 1})], {"q1": "d1"}, {"q1": 5}, {"q1": [["d1"]]}, None]
)
def test_judgments_of_another_shape(judgments):
    with pytest.raises(RecallLabError, match=r"judgments|relevant ids"):
        GoldenDataset(None, None, judgments)


@pytest.mark.parametrize("passage", [5, None, ("one",), ("a", 5), ["a", "b"]])
def test_passages_of_another_shape(passage):
    with pytest.raises(RecallLabError, match="passage 'd1'"):
        GoldenDataset({"d1": passage}, None, {})
    with pytest.raises(RecallLabError, match="question 'q1'"):
        GoldenDataset(None, {"q1": passage}, {})


def test_whole_number_ids_work_among_themselves():
    golden = GoldenDataset({1: "one", 2: "two"}, {7: "which?"}, {7: {1: 1}, np.int64(8): {2: 1}})
    assert golden.relevant(7) == {1}
    assert golden.relevant(8) == {2}


@pytest.mark.parametrize(
    ("passages", "questions", "judgments", "named"),
    [
        ({"1": "one"}, None, {"q1": {1: 1}}, "passage is 1 in the judgments and '1' in the passages"),
        ({1: "one"}, None, {"q1": {"1": 1}}, "passage is '1' in the judgments and 1 in the passages"),
        (None, {"7": "?"}, {7: {"d": 1}}, "question is 7 in the judgments and '7' in the questions"),
        (None, None, {7: {"d": 1}, "7": {"d": 1}}, "question is 7 in the judgments and '7' in the judgments"),
        (None, None, {"q1": {"1": 1}, "q2": {1: 0}}, "passage is '1' in the judgments and 1"),
        (None, None, {1.0: {"d": 1}}, "not 1.0"),
        (None, None, {"q1": {None: 1}}, "not None"),
        ({b"d": "x"}, None, {}, "not b'd'"),
    ],
)
def test_ids_of_two_kinds_are_found_out(passages, questions, judgments, named):
    with pytest.raises(RecallLabError) as caught:
        GoldenDataset(passages, questions, judgments)
    assert named in str(caught.value)


def test_an_unknown_question_is_named(golden):
    for wrong, hint in (("q12", "did you mean 'q1' or 'q2'|'q2' or 'q1'"), ("zzz", "it has q1, q2")):
        with pytest.raises(RecallLabError, match=hint):
            golden.relevant(wrong)
    with pytest.raises(RecallLabError, match="another kind of id"):
        GoldenDataset(None, None, {"7": ["d"]}).relevant(7)


# -------------------------------------------------------------------------------------- save and load


def test_what_is_saved_loads_again(golden, tmp_path):
    golden.save(tmp_path / "new" / "mine")
    loaded = GoldenDataset.load(tmp_path / "new" / "mine")
    for part in ("passages", "questions", "judgments", "question_types", "min_grade", "name", "about"):
        assert getattr(loaded, part) == getattr(golden, part), part
    assert loaded.notices == []
    about = json.loads((tmp_path / "new" / "mine" / "dataset.json").read_text())
    assert about == {"name": "mine", "min_grade": 2, "version": "1.0"}
    golden.save(tmp_path / "new" / "mine")  # again, over itself


def test_questions_judged_to_have_no_relevant_passage_survive(tmp_path):
    golden = GoldenDataset(None, None, {"q1": {"d1": 1}, "q2": {}}, name="x")
    golden.save(tmp_path)
    loaded = GoldenDataset.load(tmp_path)
    assert loaded.judgments == golden.judgments
    assert loaded.about == {}
    loaded.judgments["q2"]["d2"] = 1
    loaded.save(tmp_path)
    assert GoldenDataset.load(tmp_path).judgments == loaded.judgments


def test_whole_number_ids_come_back_as_text(tmp_path):
    GoldenDataset({1: "one"}, {7: "?"}, {7: {1: 1}}, question_types={7: "list"}).save(tmp_path)
    loaded = GoldenDataset.load(tmp_path)
    assert (loaded.judgments, loaded.question_types) == ({"7": {"1": 1}}, {"7": "list"})


def test_a_folder_with_parts_of_another_dataset_is_not_mixed_up(golden, tmp_path):
    golden.save(tmp_path)
    with pytest.raises(FolderError, match=r"holds a corpus\.jsonl"):
        GoldenDataset(None, QUESTIONS, JUDGMENTS).save(tmp_path)


def test_a_folder_that_cannot_be_written(golden, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(FolderError, match="cannot be written"):
        golden.save(tmp_path / "file")
    with pytest.raises(FolderError, match="cannot be written"):
        golden.save(tmp_path / "file" / "below")


def test_shipped_datasets_load_by_name():
    for name in resources.shipped_datasets():
        golden = GoldenDataset.load(name)
        assert golden.name == name
        assert golden.judgments and golden.questions and golden.passages
        assert golden.notices == []
    with pytest.raises(FolderError, match=r"did you mean 'library_of_things'\? Shipped"):
        GoldenDataset.load("libary_of_things")


def test_judgment_files_load(tmp_path):
    path = tmp_path / "graded.qrels"
    path.write_text("q1 0 d1 1\nq1 0 d2 2\nq1 0 d3 3\n")
    golden = GoldenDataset.load(path)
    assert (golden.name, golden.min_grade, codes(golden)) == ("graded", 1, ["min-grade-assumed"])
    assert len(golden.relevant("q1")) == 3
    assert "go up to 3" in str(golden.notices[0])
    golden = GoldenDataset.load(str(path), min_grade=2)
    assert (golden.relevant("q1"), codes(golden)) == ({"d2", "d3"}, [])
    assert codes(GoldenDataset.load(path, min_grade=4)) == ["nothing-relevant"]
    (tmp_path / "golden.csv").write_text("query_id,relevant_ids,query\nq1,d1,Why?\n")
    golden = GoldenDataset.load(tmp_path / "golden.csv")
    assert (golden.questions, codes(golden)) == ({"q1": "Why?"}, [])
    with pytest.raises(RecallLabError, match="judgments="):
        GoldenDataset.load(path, judgments="test")


def test_missing_files_and_odd_sources(tmp_path):
    with pytest.raises(InputFileError, match="no such file"):
        GoldenDataset.load(tmp_path / "golden.csv")
    with pytest.raises(InputFileError, match="no such file"):
        GoldenDataset.load("some/where/golden")
    with pytest.raises(RecallLabError, match="by name or path"):
        GoldenDataset.load({"q1": {"d1": 1}})
    with pytest.raises(FolderError, match="holds no judgments"):
        GoldenDataset.load(tmp_path)


def test_the_judgments_of_a_folder_are_chosen(tmp_path):
    (tmp_path / "qrels").mkdir()
    write_judgments(tmp_path / "qrels" / "dev.tsv", {"q1": {"dev": 1}})
    assert GoldenDataset.load(tmp_path).relevant("q1") == {"dev"}
    write_judgments(tmp_path / "qrels" / "pool.tsv.gz", {"q1": {"pool": 1}})
    with pytest.raises(FolderError, match=r"which judgments.*dev, pool"):
        GoldenDataset.load(tmp_path)
    write_judgments(tmp_path / "qrels" / "test.tsv", {"q1": {"test": 1}})
    write_judgments(tmp_path / "mine.tsv", {"q1": {"mine": 1}})
    assert GoldenDataset.load(tmp_path).relevant("q1") == {"test"}
    for chosen, found in (
        ("pool", "pool"),
        ("dev.tsv", "dev"),
        ("mine.tsv", "mine"),
        (tmp_path / "mine.tsv", "mine"),
    ):
        assert GoldenDataset.load(tmp_path, judgments=chosen).relevant("q1") == {found}
    with pytest.raises(FolderError, match="no judgments 'train'"):
        GoldenDataset.load(tmp_path, judgments="train")


def test_a_folder_without_dataset_json(golden, tmp_path):
    golden.save(tmp_path / "plain")
    (tmp_path / "plain" / "dataset.json").unlink()
    loaded = GoldenDataset.load(tmp_path / "plain")
    assert (loaded.name, loaded.min_grade, codes(loaded)) == ("plain", 1, ["min-grade-assumed"])
    assert GoldenDataset.load(tmp_path / "plain", min_grade=2).relevant("q1") == {"d1"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ("", "empty"),
        ("[" * 100_000, "not JSON"),
        ('{"min_grade": "2"}', "min_grade is '2'"),
        ('{"min_grade": 0}', "min_grade is 0"),
        ('{"min_grade": true}', "min_grade is True"),
        ('{"name": 5}', "name is 5"),
        ('{"judged_without_documents": [1]}', "judged_without_documents"),
        ('{"n": ' + "9" * 5000 + "}", "not JSON"),
    ],
)
def test_a_broken_dataset_json(golden, tmp_path, content, problem):
    golden.save(tmp_path)
    (tmp_path / "dataset.json").write_text(content)
    with pytest.raises(InputFileError, match=problem) as caught:
        GoldenDataset.load(tmp_path)
    assert "dataset.json" in str(caught.value)


def test_what_was_noticed_in_any_file_travels_with_the_dataset(golden, tmp_path):
    golden.save(tmp_path)
    for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        path = tmp_path / name
        path.write_text("# a comment\n" + path.read_text())
    loaded = GoldenDataset.load(tmp_path)
    assert codes(loaded) == ["comment-lines"] * 3
    assert loaded.passages == golden.passages
    assert codes(GoldenDataset(None, None, {}, notices=[Notice("x", "y")])) == ["x"]


@pytest.mark.parametrize("judged", [[("a", 1)], [["a", 1]], pd.Series({"a": 1}), [None], b"ab"])
def test_relevant_ids_that_are_no_ids_are_named(judged: object) -> None:
    with pytest.raises(RecallLabError, match="'q7'"):
        GoldenDataset({}, {}, {"q7": judged})  # type: ignore[dict-item]


@pytest.mark.parametrize("types", [["list"], pd.Series({"q": "list"})])
def test_question_types_are_a_dict(types: object) -> None:
    with pytest.raises(RecallLabError, match="question_types is a dict"):
        GoldenDataset({}, {}, {"q": ["a"]}, question_types=types)  # type: ignore[arg-type]


@pytest.mark.parametrize("no_id", [["q1"], {}, {"q1"}], ids=["list", "dict", "set"])
def test_what_cannot_be_an_id_is_no_question(golden, no_id):
    with pytest.raises(RecallLabError, match="no question"):
        golden.relevant(no_id)


@pytest.mark.parametrize("place", [5, ["x"], None], ids=str)
def test_a_place_to_save_to_is_a_path(golden, place):
    with pytest.raises(RecallLabError, match="path"):
        golden.save(place)


def test_what_else_is_stored_survives_saving(tmp_path):
    parts = {"passage_extras": {"d1": {"url": "u", "page": 3}}, "question_extras": {"q2": {"source": "log"}}}
    GoldenDataset(PASSAGES, QUESTIONS, JUDGMENTS, question_types={"q2": "list"}, **parts).save(tmp_path)
    again = GoldenDataset.load(tmp_path)
    assert again.passage_extras == parts["passage_extras"]
    assert again.question_extras == parts["question_extras"] and again.question_types == {"q2": "list"}
