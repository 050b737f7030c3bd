"""The golden dataset: passages, questions, and which passage answers which question."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_lab.errors import FolderError, RecallLabError
from recall_lab.formats import DatasetColumns, read_dataset, write_dataset
from recall_lab.formats.values import LARGEST_GRADE, whole_grade
from recall_lab.ids import check_ids, check_name, kind_of, known, other_kind, table_way_out
from recall_lab.measures import check_k
from recall_lab.notices import Notice, list_ids
from recall_lab.resources import shipped_datasets, shipped_folder

if TYPE_CHECKING:
    from recall_lab.validation import ValidationReport


class Passage(NamedTuple):
    """A passage of text. The title may be empty."""

    title: str
    text: str


class GoldenDataset:
    """Passages, questions and judgments, with the grade from which a passage is relevant.

    Parameters
    ----------
    passages : for each passage id a `Passage`, a pair ``(title, text)``, or the text alone. May be empty:
        recall is measured on ids.
    questions : the question's text for each question id. May be empty too.
    judgments : for each question id the judged passages and their grades, whole numbers. A list or set of ids
        says that these are relevant.
    min_grade : a passage is relevant from this grade.
    question_types : the slice a question belongs to, such as ``"paraphrase"``.
    name : what to call the dataset in tables.
    notices : what was noticed while it was read.
    about : everything else that is stored with the dataset (version, licence …).
    passage_extras, question_extras : what else is stored with a passage or a question, by id (a chapter, a
        URL …): kept when the dataset is saved, and not used otherwise.

    Raises
    ------
    RecallLabError : a grade is no whole number, an id is neither text nor whole number, or the same id is a
        number in one place and a text in another.

    Examples
    --------
    >>> golden = GoldenDataset(
    ...     {"d1": "A drill costs 3 a day.", "d2": ("Saws", "A saw costs 2 a day.")},
    ...     {"q1": "What does a drill cost?"},
    ...     {"q1": {"d1": 2, "d2": 0}},
    ...     min_grade=2,
    ... )
    >>> golden
    GoldenDataset: 2 passages, 1 question, 2 judgments, relevant from grade 2
    >>> golden.relevant("q1")
    {'d1'}
    """

    def __init__(
        self,
        passages: Mapping[Any, Passage | tuple[str, str] | str] | None,
        questions: Mapping[Any, str] | None,
        judgments: Mapping[Any, Mapping[Any, int] | Iterable[Any]],
        *,
        min_grade: int = 1,
        question_types: Mapping[Any, str] | None = None,
        name: str = "",
        notices: Iterable[Notice] = (),
        about: Mapping[str, Any] | None = None,
        passage_extras: Mapping[Any, Mapping[str, Any]] | None = None,
        question_extras: Mapping[Any, Mapping[str, Any]] | None = None,
    ) -> None:
        self.min_grade = check_k(min_grade, "min_grade")
        self.name = check_name(name)
        self.about = _as_dict(about, "about", "{'version': '1.0'}")
        self.passages: dict[Any, Passage] = {
            id_: _passage(id_, given)
            for id_, given in _as_dict(passages, "passages", "{'d1': 'A text.'}").items()
        }
        self.questions: dict[Any, str] = {
            id_: _question(id_, text)
            for id_, text in _as_dict(questions, "questions", "{'q1': 'A question?'}").items()
        }
        self.judgments: dict[Any, dict[Any, int]] = _judgments(judgments, self.min_grade)
        check_question_types(question_types, "question_types")
        self.question_types: dict[Any, str] = dict(question_types or {})
        extras = "{'d1': {'page': 3}}"
        self.passage_extras = _as_dict(passage_extras, "passage_extras", extras)
        self.question_extras = _as_dict(question_extras, "question_extras", extras)
        self.notices = list(notices)
        _refuse_mixed_kinds(self)

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str],
        *,
        min_grade: int | None = None,
        judgments: str | os.PathLike[str] | None = None,
    ) -> GoldenDataset:
        """Load a shipped dataset by its name, a folder in the BEIR layout, or a file of judgments.

        Parameters
        ----------
        source : a name such as ``"library_of_things"``; or a folder with ``qrels/``, and perhaps
            ``corpus.jsonl``, ``queries.jsonl`` (or ``.tsv``) and ``dataset.json``; or a file of judgments:
            TREC lines, BEIR table, or golden set (CSV, TSV, JSON lines).
        min_grade : the grade from which a passage is relevant; by default that of ``dataset.json``, else 1.
        judgments : which judgments of a folder to take: ``"test"`` for ``qrels/test.tsv``, or the path of a
            file. By default ``test``, or the only one there.

        Raises
        ------
        FolderError : there is no such dataset, or the folder holds no judgments.
        InputFileError : a file cannot be read; names file and line.

        Examples
        --------
        >>> golden = GoldenDataset.load("library_of_things")
        >>> golden.name, golden.min_grade
        ('library_of_things', 2)
        """
        folder = _folder_of(source)
        if folder is None and judgments is not None:
            raise RecallLabError(
                f"judgments= (on the command line: --qrels) chooses among those of a folder, and "
                f"{os.fspath(source)!r} is not a folder"
            )
        read = read_dataset(source if folder is None else folder, judgments)
        about = dict(read.about)
        name, stored = about.pop("name", ""), about.pop("min_grade", None)
        threshold, assumed = _threshold(min_grade, stored, read.grades)
        return cls(
            {id_: Passage(*passage) for id_, passage in read.passages.items()},
            read.questions,
            read.grades,
            min_grade=threshold,
            question_types=read.types,
            name=name,
            notices=[*read.notices, *assumed],
            about=about,
            passage_extras=read.passage_extras,
            question_extras=read.question_extras,
        )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the dataset as a folder in the BEIR layout, with ``dataset.json``; `load` gives it back.

        Ids that are whole numbers are written, and come back, as text.

        Raises
        ------
        FolderError : the folder cannot be written, or holds parts of another dataset.
        RecallLabError : an id that the layout cannot hold.
        """
        write_dataset(
            folder,
            DatasetColumns(
                passages=dict(self.passages),
                questions=self.questions,
                types=self.question_types,
                grades=self.judgments,
                about={"name": self.name, "min_grade": self.min_grade} | self.about,
                passage_extras=self.passage_extras,
                question_extras=self.question_extras,
            ),
        )

    def relevant(self, query_id: Any) -> set[Any]:
        """Ids of the passages that answer a question; empty where none does.

        Raises
        ------
        RecallLabError : the dataset has no such question.
        """
        if not (known(query_id, self.judgments) or known(query_id, self.questions)):
            raise RecallLabError(f"there is no question {query_id!r} in this dataset{self._meant(query_id)}")
        judged = self.judgments.get(query_id, {})
        return {document for document, grade in judged.items() if grade >= self.min_grade}

    def validate(self, k: int | None = None) -> ValidationReport:
        """Everything a careful person would want to know of this dataset, as a readable table.

        Parameters
        ----------
        k : the cutoff you mean to use; questions with more relevant passages cannot reach recall 1 there.

        Examples
        --------
        >>> report = GoldenDataset({}, {}, {"q1": {"d1": 1}}).validate(k=5)
        >>> report.ok
        True
        """
        from recall_lab.validation import validate

        return validate(self, k)

    def __repr__(self) -> str:
        judgments = sum(len(judged) for judged in self.judgments.values())
        name = f" {self.name!r}" if self.name else ""
        counts = [
            _number_of(len(self.passages), "passage"),
            _number_of(len(self.questions) or len(self.judgments), "question"),
            _number_of(judgments, "judgment"),
        ]
        return f"GoldenDataset{name}: {', '.join(counts)}, relevant from grade {self.min_grade}"

    def _meant(self, query_id: Any) -> str:
        known = [*self.judgments, *(id_ for id_ in self.questions if id_ not in self.judgments)]
        twin = other_kind(query_id)
        if twin in known:
            return f"; it has {twin!r}, which is another kind of id"
        close = difflib.get_close_matches(str(query_id), [id_ for id_ in known if isinstance(id_, str)], n=3)
        return f"; did you mean {' or '.join(map(repr, close))}?" if close else f"; it has {list_ids(known)}"


def check_question_types(given: Any, name: str) -> None:
    """Refuse question types that are no dict, such as a list or a pandas Series."""
    for query_id, kind in _as_dict(given, name, "{'q1': 'paraphrase'}").items():
        if isinstance(kind, Iterable) and not isinstance(kind, str):
            raise RecallLabError(f"{name} gives {query_id!r} the type {kind!r}; a type is one text")


def _as_dict(given: Any, name: str, example: str) -> dict[Any, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        way_out = "; write .to_dict()" if hasattr(given, "to_dict") else ""
        raise RecallLabError(f"{name} is a dict such as {example}, not a {type(given).__name__}{way_out}")
    return dict(given)


def _passage(id_: Any, given: Any) -> Passage:
    if isinstance(given, str):
        return Passage("", given)
    if isinstance(given, tuple) and len(given) == 2 and all(isinstance(part, str) for part in given):
        return Passage(*given)
    raise RecallLabError(f"the passage {id_!r} is a text or a pair (title, text), not {type(given).__name__}")


def _question(id_: Any, text: Any) -> str:
    if not isinstance(text, str):
        raise RecallLabError(f"the question {id_!r} is a text, not {type(text).__name__}")
    return text


def _judgments(given: Mapping[Any, Any], min_grade: int) -> dict[Any, dict[Any, int]]:
    if not isinstance(given, Mapping):
        raise RecallLabError(
            f"judgments are a dict {{question: {{passage: grade}}}}, not {type(given).__name__}; "
            f"GoldenDataset.load(path) reads a file{table_way_out(given, 'grade')}"
        )
    judgments: dict[Any, dict[Any, int]] = {}
    for query_id, judged in given.items():
        if isinstance(judged, str | bytes) or not isinstance(judged, Iterable):
            raise RecallLabError(
                f"the judgments of question {query_id!r} are a dict {{passage: grade}} or a list of relevant "
                f"ids, not {judged!r}"
            )
        if not isinstance(judged, Mapping):
            judged = judged if hasattr(judged, "to_dict") else list(judged)
            check_ids(judged, f"the judgments of question {query_id!r}")
            judged = dict.fromkeys(judged, min_grade)
        judgments[query_id] = {
            document: _whole_grade(query_id, document, grade) for document, grade in judged.items()
        }
    return judgments


def _whole_grade(query_id: Any, document: Any, grade: Any) -> int:
    whole = whole_grade(grade)
    if whole is None:
        raise RecallLabError(
            f"the grade of passage {document!r} for question {query_id!r} is {grade!r}; grades are whole "
            f"numbers up to {LARGEST_GRADE:,}"
        )
    return whole


def _refuse_mixed_kinds(golden: GoldenDataset) -> None:
    """The number 1 and the text "1" never match, so both in one dataset are a mistake."""
    judged = dict.fromkeys(document for documents in golden.judgments.values() for document in documents)
    for ids, there, what, where in (
        (golden.judgments, golden.questions, "question", "questions"),
        (judged, golden.passages, "passage", "passages"),
    ):
        if {str}.issuperset(map(type, ids)) and {str}.issuperset(map(type, there)):
            continue
        for id_ in (*ids, *there):
            kind_of(id_)
        for id_ in ids:
            twin = other_kind(id_)
            if twin is not None and (twin in ids or (twin in there and id_ not in there)):
                raise RecallLabError(
                    f"the {what} is {id_!r} in the judgments and {twin!r} in the "
                    f"{'judgments' if twin in ids else where}: a number and a text never match; "
                    "make all ids text with str()"
                )


def _folder_of(source: str | os.PathLike[str]) -> Path | None:
    """The folder that is meant, or ``None`` for a file."""
    if not isinstance(source, str | os.PathLike):
        raise RecallLabError(
            f"a dataset is loaded by name or path, not from {type(source).__name__}; "
            "GoldenDataset(passages, questions, judgments) makes one from dicts"
        )
    name = os.fspath(source)
    shipped = shipped_datasets()
    if name in shipped:
        return shipped_folder("datasets") / name
    if os.path.isdir(name):
        return Path(name)
    if not os.path.exists(name) and not os.path.dirname(name) and "." not in name:
        close = difflib.get_close_matches(name, shipped, n=1, cutoff=0.5)
        meant = f"; did you mean {close[0]!r}?" if close else "."
        raise FolderError(
            f"there is no dataset, folder or file {name!r}{meant} "
            f"Shipped with Recall Lab: {', '.join(shipped)}"
        )
    return None


def _threshold(
    asked: int | None, stored: int | None, grades: Mapping[Any, Mapping[Any, int]]
) -> tuple[int, list[Notice]]:
    """The grade from which a passage is relevant, and what is to be said about it."""
    chosen = stored if asked is None else asked
    highest = max((grade for judged in grades.values() for grade in judged.values()), default=0)
    if chosen is None:
        if highest <= 1:
            return 1, []
        message = (
            f"no threshold is stored with these judgments, whose grades go up to {highest}: relevant means "
            "grade 1 or more; min_grade=2 (on the command line: --min-grade 2), for instance, sets another"
        )
        return 1, [Notice("min-grade-assumed", message)]
    if isinstance(chosen, int) and chosen > highest:
        message = (
            f"no judgment reaches grade {chosen}, so nothing is relevant; the highest grade is {highest}: "
            f"choose min_grade (on the command line: --min-grade) up to it"
        )
        return chosen, [Notice("nothing-relevant", message)]
    return chosen, []


def _number_of(count: int, thing: str) -> str:
    return f"{count:,} {thing}" + ("" if count == 1 else "s")
