"""What every exercise of every lesson must do, present and future. Nothing here names a single exercise."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache, singledispatch
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from ipywidgets import Image, SelectionSlider
from matplotlib.figure import Figure
from traitlets import dlink

import recall_lab
from recall_lab import GoldenDataset
from recall_lab.exercises import check, own_folder, registry
from recall_lab.exercises.kinds import (
    RUNGS,
    AdjudicationExercise,
    BugHunt,
    ChoiceExercise,
    DatasetExercise,
    Exercise,
    FigureExercise,
    FunctionExercise,
    LabellingExercise,
    LabelsExercise,
    NumberExercise,
    PlotterExercise,
    RankingExercise,
    SetExercise,
    SheetExercise,
    WiringExercise,
    WrittenExercise,
)
from recall_lab.exercises.kinds.function import in_words
from recall_lab.exercises.misconceptions import CATALOGUE
from recall_lab.exercises.reading import place_read
from recall_lab.exercises.variants import Variant, has_variants, make_variant
from recall_lab.labelling import Decision, read_labels

EXERCISES = [exercise for lesson in registry.lessons().values() for exercise in lesson.exercises]
SOURCES = Path(__file__).parent.parent / "notebooks" / "source"
VARIANTS = 50
EACH = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)


@pytest.fixture(scope="module")
def learners_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("learner")


@pytest.fixture(autouse=True)
def own_progress(learners_folder, monkeypatch):
    """One folder for all, since worked cells save what later ones read."""
    monkeypatch.setenv("RECALL_LAB_PROGRESS", str(learners_folder / "progress.json"))


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@cache
def variants_of(exercise: Exercise[Any], count: int) -> list[Variant]:
    return [make_variant(exercise, seed, harder=seed % 2 == 1) for seed in range(count)]


# -- how a learner types things, kind by kind ----------------------------------------------------------------


@singledispatch
def blanks(exercise: Exercise[Any], data: Any) -> list[Any]:
    """The cell as the lesson gives it."""
    return [..., None, NotImplemented, "", "  "]


@blanks.register
def _(exercise: SheetExercise, data: Any) -> list[Any]:
    return [
        ...,
        None,
        {name: ... for name in exercise.right(data)},
        {name: None for name in exercise.right(data)},
    ]


@blanks.register
def _(exercise: LabellingExercise, data: Any) -> list[Any]:
    return [
        ...,
        None,
        {item.name: ... for item in exercise.items},
        {item.name: "" for item in exercise.items},
    ]


@blanks.register
def _(exercise: DatasetExercise, data: Any) -> list[Any]:
    return [..., NotImplemented, "", "  "]  # None is what saving it returns


@blanks.register
def _(exercise: BugHunt, data: Any) -> list[Any]:
    return [..., None, {name: ... for name in exercise.readers}, tuple(... for _ in exercise.readers)]


@blanks.register
def _(exercise: WrittenExercise, data: Any) -> list[Any]:
    return [..., None, "", (..., ...), ("", "")]


@blanks.register
def _(exercise: FigureExercise, data: Any) -> list[Any]:
    figure, axes = plt.subplots()
    return [..., "", figure, axes, plt.figure()]


@blanks.register
def _(exercise: FunctionExercise, data: Any) -> list[Any]:
    def dots(*arguments: Any) -> Any: ...

    def passes(*arguments: Any) -> Any:
        """Only this text."""
        pass

    def says_so(*arguments: Any) -> Any:
        raise NotImplementedError

    def returns_dots(*arguments: Any) -> Any:
        result = ...
        return result

    return [..., None, dots, passes, says_so, returns_dots]


@blanks.register
def _(exercise: WiringExercise, data: Any) -> list[Any]:
    return [..., None, "", control_and_picture()]


def control_and_picture() -> tuple[Any, Any]:
    return SelectionSlider(options=[5, 10, 20, 40], value=40), Image(format="png")


@singledispatch
def right_forms(exercise: Exercise[Any], data: Any, worked: Any) -> list[Any]:
    """Correct answers, each typed in another way; ``worked`` is that of the solution where there is one."""
    raise TypeError(f"no correct forms known for a {type(exercise).__mro__[1].__name__}")


@right_forms.register
def _(exercise: NumberExercise, data: Any, worked: Any) -> list[Any]:
    value = exercise.right(data)
    assert value is not None
    number = float(value)
    top, bottom = value.numerator, value.denominator
    return [
        value,
        number,
        round(number, 4),
        f"{top}/{bottom}",
        f" {top} / {bottom} ",
        np.float64(number),
        f"{number:.5f}",
        np.array(number),
    ]


@right_forms.register
def _(exercise: SheetExercise, data: Any, worked: Any) -> list[Any]:
    right = exercise.right(data)
    floats = {name: None if value is None else round(float(value), 4) for name, value in right.items()}
    return [right, floats, pd.Series(floats, dtype=float), list(right.items())]


@right_forms.register
def _(exercise: ChoiceExercise, data: Any, worked: Any) -> list[Any]:
    key = exercise.right(data)
    if exercise.reasons:
        return [key, key.upper(), (key[0], key[1]), (key[0], int(key[1])), f"{key[0]}) because {key[1]}"]
    return [key, f"{key.upper()})", f" ({key}) ", exercise.lettered[key].text]


def _as_lists(ids: list[str]) -> list[Any]:
    return [list(ids), tuple(ids), (id for id in ids), np.array(ids), pd.Series(ids, dtype=object)]


@right_forms.register
def _(exercise: SetExercise, data: Any, worked: Any) -> list[Any]:
    ids = sorted(exercise.right(data))
    return [set(ids), frozenset(ids), ids + ids[:1], *_as_lists(ids[::-1])]


@right_forms.register
def _(exercise: RankingExercise, data: Any, worked: Any) -> list[Any]:
    return _as_lists(exercise.right(data))


def _table(exercise: FunctionExercise, data: Any, values: list[Any]) -> Callable[..., Any]:
    """A function that answers the exercise's calls from a table."""
    table = {in_words(exercise.arguments(sheet)): value for sheet, value in zip(data, values, strict=True)}
    return lambda *arguments: table[in_words(arguments)]


@right_forms.register
def _(exercise: FunctionExercise, data: Any, worked: Any) -> list[Any]:
    right = exercise.right(data)
    floats = [None if value is None else float(value) for value in right]
    texts = [None if value is None else str(value) for value in right]
    scalars = [None if value is None else np.float64(float(value)) for value in right]
    return [exercise.ours(), *(_table(exercise, data, values) for values in (right, floats, texts, scalars))]


@right_forms.register
def _(exercise: BugHunt, data: Any, worked: Any) -> list[Any]:
    lists = {name: sorted(value) if isinstance(value, set) else value for name, value in worked.items()}
    arrays = {name: np.array(value) if isinstance(value, list) else value for name, value in worked.items()}
    return [tuple(worked[name] for name in exercise.readers), lists, arrays]


@right_forms.register
def _(exercise: FigureExercise, data: Any, worked: Any) -> list[Any]:
    curve, company = exercise.right(data), [wanted.curve for wanted in exercise.company(data)]
    figure, axes = _drawn(curve, *company)
    lines = _drawn(curve, *company)[1].get_lines()
    dots, more = plt.subplots()
    _draw_on(more, *company)
    more.scatter(list(curve), [float(value) for value in curve.values()])
    more.plot([1, 2], [0.5, 0.5])
    more.set(xlabel="k", ylabel="value")
    return [figure, axes, lines, list(lines), dots]


def _drawn(*curves: dict[int, Fraction | None]) -> tuple[Any, Any]:
    figure = Figure()
    axes = figure.add_subplot()
    _draw_on(axes, *curves)
    axes.set(xlabel="k", ylabel="value", ylim=(0, 1))
    return figure, axes


def _draw_on(axes: Any, *curves: dict[int, Fraction | None]) -> None:
    """As staircases, since a line that slopes is no right form everywhere."""
    for curve in curves:
        heights = [np.nan if value is None else float(value) for value in curve.values()]
        axes.step(list(curve), heights, where="post")


def _plotter(exercise: PlotterExercise, data: Any, calls: list[Any], backwards: bool = False) -> Any:
    """A function that hands over the curves of each call, the first one first or last.

    They are drawn beforehand: inside a check every step of the drawing would be counted.
    """
    order = -1 if backwards else 1
    table = {
        exercise.arguments(sheet): _figure(*(tuple(curve.items()) for curve in curves[::order]))
        for sheet, curves in zip(data, calls, strict=True)
    }
    return lambda *arguments: table[arguments]


@cache
def _figure(*curves: tuple[tuple[int, Fraction | None], ...]) -> Any:
    return _drawn(*map(dict, curves))[0]


@right_forms.register
def _(exercise: PlotterExercise, data: Any, worked: Any) -> list[Any]:
    calls = exercise.right(data)
    return [worked, exercise.ours(), *(_plotter(exercise, data, calls, order) for order in (False, True))]


@right_forms.register
def _(exercise: WiringExercise, data: Any, worked: Any) -> list[Any]:
    observed, linked, by_position = control_and_picture(), control_and_picture(), control_and_picture()

    def show(change: Any) -> None:
        observed[1].value = b"picture of %d" % change["new"]

    observed[0].observe(show, names="value")
    dlink((linked[0], "value"), (linked[1], "value"), lambda value: b"%d" % value)
    by_position[0].observe(lambda change: by_position[1].set_trait("value", b"%d" % change["new"]), "value")
    return [worked, observed, linked, by_position]


@right_forms.register
def _(exercise: LabellingExercise, data: Any, worked: Any) -> list[Any]:
    right = {item.name: item.labels[0] for item in exercise.items}
    return [
        right,
        pd.Series(right),
        list(right.items()),
        {name: f" {label.upper()} " for name, label in right.items()},
        {name: label.replace("cannot", "can’t").replace(" ", "_") for name, label in right.items()},
    ]


@right_forms.register
def _(exercise: WrittenExercise, data: Any, worked: Any) -> list[Any]:
    text, _ = worked
    letters = list(exercise.lettered)
    return [(text, "".join(letters)), (text, ", ".join(letters).upper()), (text, "".join(reversed(letters)))]


@right_forms.register
def _(exercise: LabelsExercise, data: Any, worked: Any) -> list[Any]:
    theirs = {pair: n % 3 for n, pair in enumerate(exercise.pairs())}
    return [worked, dict(worked.grades), read_labels(worked.path), theirs]


@right_forms.register
def _(exercise: AdjudicationExercise, data: Any, worked: Any) -> list[Any]:
    agreement, decisions = worked
    lists = {pair: list(decision) for pair, decision in decisions.items()}
    other = {one.pair: Decision(0, "for another reason") for one in agreement.disagreements}
    return [worked, (agreement, lists), (agreement, other)]


@right_forms.register
def _(exercise: DatasetExercise, data: Any, worked: Any) -> list[Any]:
    """Whoever has saved it may hand over any dataset that says the same."""
    worked.save(own_folder())
    shuffled = {query: dict(reversed(grades.items())) for query, grades in worked.judgments.items()}
    anew = [
        GoldenDataset(worked.passages, worked.questions, judgments, min_grade=2, name=name)
        for judgments, name in ((worked.judgments, "mine"), (shuffled, ""))
    ]
    return [worked, GoldenDataset.load(own_folder()), *anew]


@singledispatch
def wrong_forms(exercise: Exercise[Any], data: Any) -> dict[str, Any]:
    """What each mistake makes a learner type."""
    return {}


@wrong_forms.register
def _(exercise: NumberExercise, data: Any) -> dict[str, Any]:
    spellings: list[Callable[[Fraction], Any]] = [
        lambda v: v,
        float,
        lambda v: round(float(v), 4),
        str,
        lambda v: np.float64(v),
    ]
    typed = {}
    for i, (id, value) in enumerate(exercise.wrong(data).items()):
        if value is not None:
            typed[id] = spellings[i % len(spellings)](value)
    return typed


@wrong_forms.register
def _(exercise: SheetExercise, data: Any) -> dict[str, Any]:
    return {
        id: {name: None if value is None else round(float(value), 4) for name, value in sheet.items()}
        for id, sheet in exercise.wrong(data).items()
    }


@wrong_forms.register
def _(exercise: ChoiceExercise, data: Any) -> dict[str, Any]:
    right = exercise.right(data)
    typed = {option.mistake: key for key, option in exercise.lettered.items() if option.mistake}
    return typed | {
        reason.mistake: right[0] + key for key, reason in exercise.numbered.items() if reason.mistake
    }


@wrong_forms.register(SetExercise)
@wrong_forms.register(RankingExercise)
def _(exercise: Any, data: Any) -> dict[str, Any]:
    return {id: list(ids) for id, ids in exercise.wrong(data).items()}


@wrong_forms.register
def _(exercise: FunctionExercise, data: Any) -> dict[str, Any]:
    typed = {}
    for id, values in exercise.wrong(data).items():
        typed[id] = _table(exercise, data, [None if value is None else float(value) for value in values])
    return typed


@wrong_forms.register
def _(exercise: PlotterExercise, data: Any) -> dict[str, Any]:
    return {id: _plotter(exercise, data, calls) for id, calls in exercise.wrong(data).items()}


@wrong_forms.register
def _(exercise: BugHunt, data: Any) -> dict[str, Any]:
    return {miss.id: miss.example for miss in exercise.misses}


@wrong_forms.register
def _(exercise: FigureExercise, data: Any) -> dict[str, Any]:
    return {id: _drawn(curve)[0] for id, curve in exercise.wrong(data).items()}


@wrong_forms.register
def _(exercise: LabellingExercise, data: Any) -> dict[str, Any]:
    one = {item.name: exercise.labels[0] for item in exercise.items}
    swapped = {
        item.name: next(label for label in exercise.labels if label not in item.labels)
        for item in exercise.items
    }
    return {"one_label": one, "labels_swapped": swapped}


# -- the contract --------------------------------------------------------------------------------------------


@cache
def worked_answers(lesson: str) -> dict[str, Any]:
    """The answers that a lesson's worked cells hand to check(), run one after the other as in the lesson."""
    answers: dict[str, Any] = {}

    def record(exercise_id: str, answer: Any) -> None:
        assert exercise_id not in answers, f"{exercise_id} is checked twice"
        answers[exercise_id] = answer

    names: dict[str, Any] = {name: getattr(recall_lab, name) for name in recall_lab.__all__}
    names |= {"Fraction": Fraction, "np": np, "pd": pd, "plt": plt, "check": record}
    for exercise in registry.lessons()[lesson].exercises:
        source = registry.solution_of(exercise.id)
        assert source, f"{exercise.id} has no worked cell"
        names |= exercise.given()
        exec(compile(source, exercise.id, "exec"), names)
        assert exercise.id in answers, f"the worked cell of {exercise.id} does not check it"
    return answers


@EACH
def test_an_untouched_cell_is_not_attempted(exercise):
    for blank in blanks(exercise, exercise.lesson()):
        result = check(exercise.id, blank)
        assert result.status == "not attempted", blank
        assert not result.mistakes


@EACH
def test_the_worked_cell_passes(exercise):
    lesson = exercise.id.partition(".")[0]
    assert check(exercise.id, worked_answers(lesson)[exercise.id]).status == "passed"


@EACH
def test_other_correct_forms_pass(exercise):
    lesson = exercise.id.partition(".")[0]
    forms = right_forms(exercise, exercise.lesson(), worked_answers(lesson)[exercise.id])
    assert len(forms) >= 3
    for form in forms:
        result = check(exercise.id, form)
        assert result.status == "passed", (form, result)


@EACH
def test_every_mistake_is_named_on_the_lesson_numbers(exercise):
    """Nobody can tell where a mistake gives the right answer here; else it is among those named."""
    data = exercise.lesson()
    right = exercise.right(data)
    wrong = exercise.wrong(data) if hasattr(exercise, "wrong") else {}
    for id, typed in wrong_forms(exercise, data).items():
        result = check(exercise.id, typed)
        if id in wrong and wrong[id] == right:
            assert result.passed
        else:
            assert result.status == "not yet", (id, result)
            assert id in result.mistakes, (id, typed, result)
            assert (result.follow_up is not None) == (len(result.mistakes) > 1 and has_variants(exercise))


@EACH
def test_every_mistake_is_named_alone_on_variants(exercise):
    if has_variants(exercise):
        cases = [(variant, wrong_forms(exercise, variant.data)) for variant in variants_of(exercise, 3)]
    else:
        cases = [
            (exercise.id, _in_other_words(wrong_forms(exercise, exercise.lesson()), i)) for i in range(3)
        ]
    for subject, typed in cases:
        assert set(exercise.mistakes) <= set(typed)
        for id, answer in typed.items():
            result = check(subject, answer)
            assert result.mistakes == (id,), (subject, answer, result)
            assert result.status == "not yet"


def _in_other_words(typed: dict[str, Any], i: int) -> dict[str, Any]:
    """The same answers typed otherwise, for exercises with one form: other capitals, other ids."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return value if value.isdigit() or i == 0 else f"{'-xy'[i]}{value}"
        if isinstance(value, dict):
            return {renamed(key): renamed(item) for key, item in value.items()}
        return (
            type(value)(renamed(item) for item in value) if isinstance(value, (list, set, tuple)) else value
        )

    def other(answer: Any) -> Any:
        if isinstance(answer, str):
            return [answer, answer.upper(), f" ({answer}) "][i]
        if all(isinstance(value, str) for value in answer.values()):
            return [answer, pd.Series(answer), {name: label.upper() for name, label in answer.items()}][i]
        return {name: renamed(value) for name, value in answer.items()}

    return {id: other(answer) for id, answer in typed.items()}


@EACH
def test_a_function_is_tried_on_cases_that_let_no_mistake_pass(exercise):
    if isinstance(exercise, FunctionExercise):
        assert exercise.tells_apart(exercise.lesson())


@EACH
def test_all_mistakes_are_known(exercise):
    for id in exercise.mistakes:
        assert id in CATALOGUE
    assert len(set(exercise.mistakes)) == len(exercise.mistakes)


@EACH
def test_hints_are_three_and_do_not_repeat(exercise):
    data = exercise.lesson()
    rungs = [exercise.hint(rung, data) for rung in range(1, RUNGS + 1)]
    assert all(len(rung.split()) >= 6 for rung in rungs)
    assert len(set(rungs)) == RUNGS
    assert exercise.prompt(data) not in rungs[-1], "the twin has other numbers"


@EACH
def test_hints_do_not_give_the_answer(exercise):
    data = exercise.lesson()
    right = exercise.right(data)
    if isinstance(right, Fraction):
        shown = numbers(exercise.prompt(data)) | {"0", "1"}
        for rung in (1, 2):
            assert not {str(right), f"{float(right):g}"} & (fractions(exercise.hint(rung, data)) - shown)
        assert f"so {right}." not in exercise.hint(3, data) and f"= {right}" not in exercise.hint(3, data)


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?", text))


def fractions(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+|/\d+)?", text))


def _typed_text(answer: Any) -> str:
    """The learner's answer as text, decimals also in the shortened form in which they are shown."""
    if isinstance(answer, dict):
        return " ".join(f"{name} {_typed_text(value)}" for name, value in answer.items())
    if isinstance(answer, (list, tuple, set)):
        return " ".join(map(_typed_text, answer))
    if isinstance(answer, (float, np.floating, Fraction)):
        return f"{answer} {float(answer):.4g} {round(float(answer), 4):g}"
    return str(answer) if isinstance(answer, (str, int)) else ""


def _odd_answers(exercise: Exercise[Any], rng: random.Random) -> list[Any]:
    """Wrong in no particular way."""
    if isinstance(exercise, SheetExercise):
        return [
            {
                name: rng.choice([0.11, 0.37, 0.9, 2, -1, None, 75])
                for name in exercise.right(exercise.lesson())
            }
        ]
    odd = [
        rng.random(),
        round(rng.random(), 2),
        -0.5,
        1.75,
        42,
        "3/7",
        "two",
        [0.5],
        True,
        float("nan"),
        object(),
    ]
    return rng.sample(odd, 3)


@EACH
def test_numbers_in_messages_come_from_the_prompt_or_the_answer(exercise):
    subjects: list[Any] = [exercise.id]
    if has_variants(exercise):
        subjects = variants_of(exercise, VARIANTS)
    rng = random.Random(exercise.id)
    for subject in subjects:
        data = subject.data if isinstance(subject, Variant) else exercise.lesson()
        prompt = exercise.prompt(data)
        right = exercise.right(data)
        for answer in [*wrong_forms(exercise, data).values(), *_odd_answers(exercise, rng)]:
            verdict = exercise.check(data, answer)
            message = verdict.message.replace(f'hint("{exercise.id}")', "")
            seen = f"{prompt} {verdict.evidence} {_typed_text(answer)}"
            assert numbers(message) <= numbers(seen), (answer, message)
            if isinstance(right, Fraction) and verdict.status != "passed":
                given_away = {str(right), f"{float(right):.4g}"} - fractions(seen)
                assert not given_away & fractions(message), (answer, message)


@EACH
def test_text_and_html_say_the_same(exercise):
    for answer in [..., *wrong_forms(exercise, exercise.lesson()).values(), "<b>&amp;</b>", object()]:
        result = check(exercise.id, answer)
        assert _words(html.unescape(re.sub(r"<[^>]*>", " ", result._repr_html_()))) == _words(repr(result))


def _words(text: str) -> list[str]:
    return text.split()


@EACH
def test_a_seed_gives_the_same_variant_again(exercise):
    if has_variants(exercise):
        one, other = make_variant(exercise, "ada"), make_variant(exercise, "ada")
        assert one.data == other.data
        assert one.prompt == other.prompt
        assert exercise.tells_apart(one.data)


@EACH
def test_variants_differ(exercise):
    if has_variants(exercise):
        answers = {str(exercise.right(variant.data)) for variant in variants_of(exercise, 12)}
        assert len(answers) >= 4


@pytest.mark.parametrize("lesson", registry.lessons().values(), ids=lambda lesson: lesson.number)
def test_a_lesson_has_its_notebook_and_sets_all_its_exercises(lesson):
    source = next(SOURCES.glob(f"{lesson.number}_*.py"), None)
    assert source, f"lesson {lesson.number} has exercises and no notebook"
    text = source.read_text(encoding="utf-8")
    for exercise in lesson.exercises:
        assert f'check("{exercise.id}"' in text
    for prediction in lesson.predictions:
        assert f'predict("{prediction}"' in text


@pytest.mark.parametrize(
    "source", sorted(SOURCES.glob("[0-9][0-9]_*.py")), ids=lambda source: source.name[:2]
)
def test_a_notebook_has_exercises(source):
    lesson = registry.lessons().get(source.name[:2])
    assert lesson and lesson.exercises, (
        f"{source.name} has no module recall_lab/exercises/lesson_{source.name[:2]}.py"
    )


@EACH
def test_ids_say_their_lesson(exercise):
    module = type(exercise).__module__.rpartition("_")[2]
    assert re.fullmatch(rf"{module}\.[a-z0-9_]+", exercise.id)
    assert exercise.title


@pytest.mark.parametrize("lesson", registry.lessons().values(), ids=lambda lesson: lesson.number)
def test_the_reading_order_is_that_of_the_notebook(lesson):
    source = next(SOURCES.glob(f"{lesson.number}_*.py")).read_text(encoding="utf-8")
    topics = {mistake.topic for mistake in CATALOGUE.values() if mistake.lesson == lesson.number}
    found = [
        id or heading.strip().casefold()
        for heading, id in re.findall(r'^# #+ (.+)$|check\("([^"]+)"', source, re.MULTILINE)
    ]
    named = [item for item in found if item in topics or item in {e.id for e in lesson.exercises}]
    assert list(dict.fromkeys(named)) == list(lesson.reading_order)


@EACH
def test_to_read_again_points_back_or_to_the_glossary(exercise):
    glossary = (SOURCES / "glossary.py").read_text(encoding="utf-8")
    order = registry.lessons()[exercise.id.partition(".")[0]].reading_order
    for id in exercise.mistakes:
        place, mistake = place_read(exercise.id, CATALOGUE[id]), CATALOGUE[id]
        if place == mistake.section:
            assert mistake.lesson in registry.lessons()
            before = order[: order.index(exercise.id)]
            assert mistake.lesson < exercise.id[:2] or mistake.topic in before
        else:
            entry = place.removeprefix("the glossary, ")
            assert f"# ## {entry}\n" in glossary, place
