"""Exercises of lesson 04, Recall curves."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from recall_lab.exercises.drawing import draw_sheet, one_query
from recall_lab.exercises.feedback import Verdict
from recall_lab.exercises.kinds import (
    FigureExercise,
    FunctionExercise,
    Item,
    LabellingExercise,
    NumberExercise,
    PlotterExercise,
    Slip,
    WiringExercise,
)
from recall_lab.exercises.kinds.base import not_yet
from recall_lab.exercises.kinds.figure import Curve, Line, Wanted, axes_of, lines_of
from recall_lab.exercises.kinds.function import Trials
from recall_lab.exercises.lesson_02 import DATASET
from recall_lab.exercises.recipe import CEILING, Counts, Query, Recipe, Share, Sheet

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from recall_lab.golden import GoldenDataset
    from recall_lab.run import Run

TITLE = "Recall curves"

PREDICTIONS = {
    "04.predict_flat": "whether a flat stretch is the end of the search",
    "04.predict_end": "which searches find everything at the end of the list",
    "04.predict_interval": "how far the k of a stop rule moves with other questions",
    "04.predict_report": "whether a reported recall@1000 of .98 is good",
    "04.predict_arms": "what more candidates do to a fused list",
}

READING_ORDER = (
    "04.staircase",
    "a random order",
    "04.random",
    "04.set_curve",
    "04.plateau",
    "04.smallest_k",
    "04.draw",
    "04.wire",
    "04.which_flat",
)

CHOICES = {
    "04.predict_flat": ("yes", "no"),
    "04.predict_end": ("a", "b", "c"),
    "04.predict_interval": ("a", "b", "c"),
    "04.predict_report": ("good", "bad", "cannot say"),
    "04.predict_arms": ("rises", "stays", "falls"),
}

PASSAGES = 600
DEEPEST = 50
SIZES = (60, 75, 100, 150, 200, 300, 400, 500, 600)
"""Sizes of the handbook, from hardly more than the top 50 to all of it."""

HALF_FOUND = "q017"  # R = 3, and one of the three shares no word with the question


def thinned(golden: GoldenDataset, run: Run, size: int, seed: int = 4) -> Run:
    """The ranked lists as they would be over a smaller corpus.

    Each question keeps its relevant passages and loses others, drawn at random, until ``size`` passages are
    left. The order of those that stay is that of the run. For a search that scores each passage by itself,
    as vector search does, this is what it would have returned.

    Raises
    ------
    RecallLabError : ``size`` is smaller than the number of passages relevant to some question, or larger than
        the corpus.

    Examples
    --------
    >>> from recall_lab import GoldenDataset, Run
    >>> passages = {id: ("", id) for id in "abcde"}
    >>> golden = GoldenDataset(passages, {"q": "?"}, {"q": {"d": 1}})
    >>> thinned(golden, Run({"q": list("abcde")}), size=1).ranking("q")
    ['d']
    """
    from recall_lab.errors import RecallLabError
    from recall_lab.run import Run

    fewest = max((len(golden.relevant(question)) for question in golden.judgments), default=0)
    if not fewest <= size <= len(golden.passages):
        raise RecallLabError(
            f"size is {size}; it must be from {fewest}, the most passages relevant to one question, to "
            f"{len(golden.passages)}, the whole corpus"
        )
    shuffled = list(golden.passages)
    random.Random(seed).shuffle(shuffled)
    lists = {}
    for question in run:
        relevant = golden.relevant(question)
        rest = [passage for passage in shuffled if passage not in relevant]
        kept = relevant.union(rest[: size - len(relevant)])
        lists[question] = [passage for passage in run.ranking(question) if passage in kept]
    return Run(lists, name=f"{run.name}, {size} passages")


def smallest_k(curve: Sequence[float] | NDArray[np.float64], epsilon: float) -> int:
    """The smallest k from which going on to the end of the curve adds at most ``epsilon``.

    Parameters
    ----------
    curve : recall@1, recall@2, … up to recall@k_max; not empty.
    epsilon : what one is ready to give up, a fraction of at least 0.

    Examples
    --------
    >>> smallest_k([0.25, 0.5, 0.5, 0.75], epsilon=0.25), smallest_k([0.25, 0.5, 0.5, 0.75], epsilon=0)
    (2, 4)
    """
    return next(k for k, recall in enumerate(curve, start=1) if curve[-1] - recall <= epsilon)


class Staircase(FigureExercise):
    id = "04.staircase"
    title = "The curve of one question"
    ask = "Draw its recall@k for every k from one to {k}. Name both axes."
    mistakes = (
        "divided_by_k",
        "divided_by_found",
        "hit_or_miss",
        "cut_one_early",
        "cut_one_late",
        "not_divided",
    )
    restate = "Walk down the list from rank one. What share of all relevant passages have you met at each k?"
    locate = (
        "It changes at a hit and nowhere else. Put the heights into a list, one for each k; then "
        'axes.step(cutoffs, heights, where="post") draws them.'
    )
    afterwards = "Every hit is a step up, and everything between two hits is flat."

    def judge(self, data: Sheet, answer: Any) -> Verdict:
        verdict = super().judge(data, answer)
        if verdict.status != "passed":
            return verdict
        shown = [line for line in lines_of(axes_of(answer) or ()) if line.shows(self.right(data))]
        if any(not line.slopes and not line.early for line in shown):
            return verdict
        if any(line.early for line in shown):
            return not_yet("The heights are right, and the steps rise too early. Where does where= put them?")
        return not_yet(
            "The heights are right, and your line climbs aslant. What is recall half-way between two "
            "cutoffs, before the next passage is read? axes.step draws it."
        )

    def lesson(self) -> Sheet:
        return one_query(relevant=4, ranks=(2, 5, 9), k=10)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        k = rng.randint(*((12, 20) if harder else (8, 12)))
        ranks = sorted([*rng.sample(range(2, k + 1), rng.randint(2, 4)), k + rng.randint(1, 5)])
        return one_query(len(ranks) + rng.randint(1, 3), ranks, k)

    def given(self) -> dict[str, Any]:
        return {"cutoffs": range(1, 11)}


def _by_chance(c: Counts) -> Share:
    """Each relevant passage stands among the first k of the pile with the same chance."""
    return Fraction(c.k), Fraction(max(c.depth, 1))


RANDOM = Recipe(share=_by_chance)


class RandomOrder(NumberExercise):
    id = "04.random"
    title = "The recall of a random order"
    recipe = RANDOM
    ask = "What is its recall@{k} on average?"
    mistakes = (
        "random_as_hits",
        "random_as_precision",
        "random_one_place",
        "random_relevant_over_k",
        "random_turned_over",
        "ceiling_instead",
    )
    restate = "Take one relevant passage. How likely is it to lie among the first {k} of the shuffled pile?"
    locate = (
        "Every place in the pile is as likely as any other. How many places are there, and how many count?"
    )
    afterwards = "R played no part: a random order finds the same share of few passages as of many."

    def prompt(self, data: Sheet) -> str:
        (query,) = data.queries
        return (
            f"A corpus holds N = {len(query.retrieved)} passages, {len(query.relevant(1))} of them relevant. "
            f"Somebody shuffles the pile and hands it over in that order. {self.ask.format(k=data.k)}"
        )

    def worked(self, data: Sheet) -> str:
        (query,) = data.queries
        chance = f"{data.k}/{len(query.retrieved)}"
        return f"a passage is in the top {data.k} with a chance of {chance}, so {self.right(data)}"

    def lesson(self) -> Sheet:
        return one_query(relevant=6, ranks=(), k=50, depth=PASSAGES)

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        size = rng.choice([40, 80, 120, 200, 300, 500, 900] if harder else [100, 200, 500])
        return one_query(rng.randint(6, 25), (), rng.randrange(10, size // 2, 5), depth=size)


class SetCurve(FigureExercise):
    id = "04.set_curve"
    title = "The curve of a set, with its company"
    ask = "Draw mean recall@k for every k from one to {k}, with the ceiling and the line k/N. Name both axes."
    mistakes = ("divided_by_k", "hit_or_miss", "micro", "nothing_relevant_as_zero")
    restate = (
        "Three lines over the same k: what this search found, what a perfect one would, and what chance does."
    )
    locate = (
        "The curve of the search and its ceiling both come from keyword.curve. A range cannot be divided as "
        "a whole: [k / 600 for k in cutoffs] divides each k."
    )
    compare = "Print keyword.recall(k) for one k: what does your line show there?"
    afterwards = "Now nobody has to ask what was possible, or what a shuffled pile would have reached."

    def prompt(self, data: Sheet) -> str:
        if data is self.lesson():
            facts = (
                f"Keyword search over the library of things, {len(data.queries)} questions, N = {PASSAGES}."
            )
            return f"{facts}\n{self.ask.format(k=data.k)}"
        by_code = "judgments and results hold this as data; evaluate(judgments, results) measures it."
        return f"N = {PASSAGES}\n{super().prompt(data)}\n{by_code}"

    def handed_out(self, data: Sheet) -> dict[str, Any]:
        return {
            "judgments": {query.name: dict(query.grades) for query in data.queries},
            "results": {query.name: list(query.retrieved) for query in data.queries},
        }

    def company(self, data: Sheet) -> tuple[Wanted, ...]:
        chance: Curve = {k: Fraction(k, PASSAGES) for k in range(1, data.k + 1)}
        return (
            Wanted(
                "the ceiling",
                self.curve(CEILING, data),
                "How high could a perfect search come? Draw the ceiling as well.",
                "A question may have more relevant passages than the first place holds: how high can a "
                "perfect search start?",
            ),
            Wanted(
                "k/N",
                chance,
                "How high would a shuffled pile come? Draw k/N as well.",
                "What is k/N at the first k, and what at the last?",
            ),
        )

    def twin(self) -> str:
        return (
            "The same for vector search to k = 30. axes.plot(range(1, 31), vector.curve(30)) draws its "
            'curve, vector.curve(30, "ceiling") holds the heights of its ceiling, and '
            "[k / 600 for k in range(1, 31)] those of a random order."
        )

    def _certain(self, line: Line, data: Sheet) -> str:
        if data is self.lesson() and line.shows(_search(PASSAGES)):
            return "That is the curve of the vector search. Which of the two does the task ask for?"
        return super()._certain(line, data)

    def lesson(self) -> Sheet:
        return _keyword_sheet()

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        sheet = draw_sheet(rng, harder)
        return Sheet(sheet.queries, k=2 * sheet.k)

    def given(self) -> dict[str, Any]:
        from recall_lab.evaluation import evaluate
        from recall_lab.retrieval.shipped import frozen_run

        golden = _library()
        return {"golden": golden, "keyword": evaluate(golden, frozen_run("keyword"))}


class Plateau(NumberExercise):
    id = "04.plateau"
    title = "How high the plateau is"
    ask = "The list ends there: no other passage shares a word with the question. What is recall@{k}?"
    mistakes = (
        "divided_by_found",
        "not_divided",
        "missed_share",
        "divided_by_k",
        "up_to_the_last_hit",
        "turned_over",
    )
    restate = "However deep you look, which share of the passages that exist can this list give you?"
    locate = "Count what the list holds, then what exists. Reading on does not change either."
    afterwards = "That is the height of its plateau: no k, however large, lifts this search above it."

    def lesson(self) -> Sheet:
        from recall_lab.retrieval.shipped import frozen_run

        golden = _library()
        ranking = frozen_run("keyword").ranking(HALF_FOUND)
        return Sheet(
            (Query(HALF_FOUND, tuple(ranking), golden.judgments[HALF_FOUND]),), PASSAGES, golden.min_grade
        )

    def draw(self, rng: random.Random, harder: bool) -> Sheet:
        depth = rng.randint(40, 90)
        ranks = sorted(rng.sample(range(1, depth), rng.randint(2, 7 if harder else 4)))
        return one_query(len(ranks) + rng.randint(1, 4), ranks, PASSAGES, depth)


@dataclass(frozen=True)
class Recalls(Sheet):
    """A curve given by its heights, and what may be given up to stop before its end."""

    heights: tuple[Fraction, ...] = ()
    epsilon: Fraction = Fraction(0)


Rule = Callable[[Sequence[Fraction], Fraction], Fraction | int | None]


def _first(heights: Sequence[Fraction], near: Callable[[int], bool]) -> int | None:
    return next((k for k in range(1, len(heights) + 1) if near(k)), None)


def _to_the_end(heights: Sequence[Fraction], epsilon: Fraction) -> int | None:
    return _first(heights, lambda k: heights[-1] - heights[k - 1] <= epsilon)


def _to_the_next(heights: Sequence[Fraction], epsilon: Fraction) -> int | None:
    return _first(heights[:-1], lambda k: heights[k] - heights[k - 1] <= epsilon)


def _to_a_standstill(heights: Sequence[Fraction], epsilon: Fraction) -> int | None:
    return _first(heights[:-1], lambda k: heights[k] == heights[k - 1])


def _to_one(heights: Sequence[Fraction], epsilon: Fraction) -> int | None:
    return _first(heights, lambda k: 1 - heights[k - 1] <= epsilon)


def _share_of_the_end(heights: Sequence[Fraction], epsilon: Fraction) -> int | None:
    return _first(heights, lambda k: heights[k - 1] >= (1 - epsilon) * heights[-1])


def _strictly(heights: Sequence[Fraction], epsilon: Fraction) -> int | None:
    return _first(heights, lambda k: operator.lt(heights[-1] - heights[k - 1], epsilon))


def _index(heights: Sequence[Fraction], epsilon: Fraction) -> int:
    return (_to_the_end(heights, epsilon) or len(heights)) - 1


def _height(heights: Sequence[Fraction], epsilon: Fraction) -> Fraction:
    return heights[_index(heights, epsilon)]


@dataclass(frozen=True)
class StopRule(Recipe):
    """A rule that reads a cutoff off a curve."""

    rule: Rule = _to_the_end

    def value(self, sheet: Sheet) -> Fraction | None:
        assert isinstance(sheet, Recalls)
        found = self.rule(sheet.heights, sheet.epsilon)
        return None if found is None else Fraction(found)

    def working(self, sheet: Sheet) -> str:
        assert isinstance(sheet, Recalls)
        end, epsilon = float(sheet.heights[-1]), float(sheet.epsilon)
        return f"{self.value(sheet)}: the curve ends at {end:g}, and before it is more than {epsilon:g} below"


_STOP_SLIPS = {
    Slip(
        "stopped_at_a_flat_stretch",
        "stopping at the first flat stretch",
        "Compare two neighbours and a staircase stops you on its first tread; what does the rule compare "
        "with?",
    ): _to_the_next,
    Slip(
        "stopped_at_a_standstill",
        "stopping where the next place adds nothing",
        "A staircase does that on its first tread, and goes on; what does the rule compare with?",
    ): _to_a_standstill,
    Slip(
        "compared_with_one",
        "comparing with one instead of the end of the curve",
        "Not every curve gets to one; how high does this one get?",
    ): _to_one,
    Slip(
        "share_of_the_end",
        "taking epsilon as a share of the last recall",
        "The rule gives up epsilon of recall itself; what do you subtract from what?",
    ): _share_of_the_end,
    Slip(
        "less_than_epsilon",
        "asking for less than epsilon",
        "The rule says at most; what if the difference is epsilon exactly?",
    ): _strictly,
    Slip(
        "position_for_k",
        "returning the position in the list",
        "Python counts from zero and k counts from one; which k stands first in the list?",
    ): _index,
    Slip(
        "recall_for_k",
        "returning the recall that is reached",
        "That is how high the curve is there; how far down the list do you have to look for it?",
    ): _height,
}


class SmallestK(FunctionExercise):
    id = "04.smallest_k"
    title = "Write a stop rule"
    function = "smallest_k"
    parameters = ("curve", "epsilon")
    recipe = StopRule()
    ladder = "from two results to thirty"
    task = (
        "curve is a list: recall@1, recall@2 and so on. It returns the smallest k from which going on to the "
        "end of the curve adds at most epsilon."
    )
    restate = "Start at k = 1 and ask at each k: how much would the end of the curve still add?"
    locate = (
        "curve[-1] is the end. Position 0 of the list is k = 1, so enumerate(curve, start=1) counts right."
    )
    afterwards = "It looks at the end of the curve and not at the next step, so no flat stretch fools it."

    def trials(self, rng: random.Random) -> Trials:
        half, quarter, eighth = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)
        stairs = [0, 1, 1, 1, 2, 2, 2, 2, 3, 3]
        fixed = [
            ((half, half), Fraction(0)),
            ((quarter, half, half), eighth),
            ((half, Fraction(1), Fraction(1)), quarter),
            ((Fraction(0), quarter, half, half), quarter),
            ((quarter, quarter, half, 3 * quarter), eighth),
            (tuple(step * quarter for step in stairs), eighth),
        ]
        drawn = [(_climb(rng, length), Fraction(rng.randint(1, 3), 16)) for length in (8, 15, 15, 30)]
        return tuple(
            Recalls((), len(heights), heights=heights, epsilon=epsilon)
            for heights, epsilon in [*fixed, *drawn]
        )

    def arguments(self, sheet: Sheet) -> tuple[Any, ...]:
        assert isinstance(sheet, Recalls)
        return [float(height) for height in sheet.heights], float(sheet.epsilon)

    def ours(self) -> Callable[..., Any]:
        return smallest_k

    def wrong(self, data: Trials) -> dict[str, list[Fraction | None]]:
        return {
            slip.id: [StopRule(rule=rule).value(sheet) for sheet in data]
            for slip, rule in _STOP_SLIPS.items()
        }

    def _matched(self, tries: list[Any], failed: Any) -> Verdict | None:
        answered = [t for t in tries if not t.outcome.fault]
        for slip, rule in _STOP_SLIPS.items():
            if all(t.gives(StopRule(rule=rule).value(t.sheet)) for t in answered):
                return slip.verdict("On every case I tried, your function gives what comes out of")
        return None

    def _certain(self, failed: Any) -> str:
        if failed.number is None:
            return "None says that no k is close enough. Is the end of the curve not close enough to itself?"
        typed, value, curve = failed.number.typed, failed.number.value, failed.sheet.heights
        if value.denominator > 1 or not 1 <= value <= len(curve):
            return f"{typed} is no place in this list. What does the function return, a k or a recall?"
        if value < failed.right:
            return f"{typed} is too early: how much does the end of the curve add to the recall there?"
        return f"{typed} is not the smallest: is the recall one place before close enough already?"


def _climb(rng: random.Random, length: int) -> tuple[Fraction, ...]:
    """A curve in sixteenths that starts low, has a flat stretch early, and ends below one."""
    steps = [
        rng.randint(0, 2),
        1,
        0,
        *sorted((rng.choice([0, 0, 1, 2]) for _ in range(length - 3)), reverse=True),
    ]
    rng.shuffle(tail := steps[3:])
    heights, reached = [], 0
    for step in [*steps[:3], *tail]:
        reached = min(reached + step, 13)
        heights.append(Fraction(reached, 16))
    return tuple(heights)


@dataclass(frozen=True)
class Heap(Sheet):
    """A corpus of some size."""

    size: int = PASSAGES


_NO_SLIDER = Slip(
    "size_ignored",
    "drawing the same search for every N",
    "Your function is told N; which line of yours reads it?",
)
_WHOLE_HANDBOOK = Slip(
    "random_of_the_whole",
    "dividing k by the size of the whole handbook",
    "The pile to shuffle has N passages now; what does a random order divide by?",
)
_TURNED_OVER = Slip(
    "random_turned_over",
    "dividing N by k",
    "A share is never above one; which of the two numbers is the part, and which the whole?",
)


class DrawN(PlotterExercise):
    id = "04.draw"
    title = "A figure of your own"
    function = "draw"
    parameters = ("N",)
    task = (
        f"N is a size of the handbook, one of {', '.join(map(str, SIZES))}. It returns a figure with two "
        f"lines over k from one to {DEEPEST}: recall@k of the search in a handbook of that size, and a "
        "random order of it. Both axes are named, and the y axis is the same for every N."
    )
    restate = "The two lines depend on N. Everything else of the figure stays as it is, the axes too."
    locate = (
        "curve_of[N] holds the heights of one line. For the other, divide each cutoff by N. axes.set_ylim "
        "keeps the axis where it is."
    )
    afterwards = "Everything that moves in the picture now hangs on one argument."

    def trials(self, rng: random.Random) -> Trials:
        return tuple(Heap((), DEEPEST, size=size) for size in sorted(rng.sample(SIZES[:-1], 3)))

    def arguments(self, sheet: Sheet) -> tuple[Any, ...]:
        assert isinstance(sheet, Heap)
        return (sheet.size,)

    def curves(self, sheet: Sheet) -> tuple[Wanted, ...]:
        (size,) = self.arguments(sheet)
        return (
            Wanted(
                "recall of the search",
                _search(size),
                "One line is missing: the recall of the search in a handbook of N passages. Where is it "
                "kept?",
                "Where is the recall of the search in a handbook of N passages kept?",
            ),
            Wanted(
                "k/N",
                _chance(size),
                "The search is there. What would a random order of N passages reach? Draw it as well.",
                "What is k/N at the first k, and what at the last?",
            ),
        )

    def slipped(self, sheet: Sheet) -> dict[Slip, list[Curve]]:
        (size,) = self.arguments(sheet)
        turned: Curve = {k: Fraction(size, k) for k in range(1, DEEPEST + 1)}
        return {
            _NO_SLIDER: [_search(PASSAGES), _chance(size)],
            _WHOLE_HANDBOOK: [_search(size), _chance(PASSAGES)],
            _TURNED_OVER: [_search(size), turned],
        }

    def worked(self, data: Trials) -> str:
        end = _chance(200)[DEEPEST]
        return f"draw(200) shows a random order that climbs from 1/200 to {end} at k = {DEEPEST}"

    def ours(self) -> Callable[..., Any]:
        return draw

    def given(self) -> dict[str, Any]:
        from matplotlib.figure import Figure

        return {
            "Figure": Figure,
            "curve_of": {size: [float(height or 0) for height in _search(size).values()] for size in SIZES},
            "cutoffs": range(1, DEEPEST + 1),
        }


def draw(size: int) -> Figure:
    """Recall@k of vector search in a handbook of that size, beside a random order."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    for curve, label, style in (
        (_search(size), "vector search", "-"),
        (_chance(size), "random order, k/N", ":"),
    ):
        axes.plot(list(curve), [float(height or 0) for height in curve.values()], style, label=label)
    axes.set(xlabel="cutoff k", ylabel="recall@k", ylim=(0, 1.02), title=f"N = {size}")
    axes.legend(loc="upper left")
    return figure


class Wire(WiringExercise):
    id = "04.wire"
    title = "Wire the slider"
    task = (
        "The slider above moves and the picture stays as it is. Write the line that lets the slider call "
        "redraw whenever its value changes."
    )
    restate = "Somebody has to be called when the slider moves. Who calls, who is called, and when?"
    locate = (
        'A widget has a method observe. It takes a function, without brackets behind it, and names="value".'
    )
    another_case = (
        'box.observe(count_words, names="value") calls count_words each time the text in a box changes.'
    )
    afterwards = "The same two lines, a function and observe, wire any control to any picture."

    def given(self) -> dict[str, Any]:
        from ipywidgets import Image, SelectionSlider

        slider, picture = SelectionSlider(options=SIZES, value=SIZES[-1]), Image()

        def redraw(change: dict[str, Any]) -> None:
            picture.value = str(change["new"]).encode()

        return {"slider": slider, "picture": picture, "redraw": redraw}


class WhichFlat(LabellingExercise):
    id = "04.which_flat"
    title = "Checkpoint: what kind of flat?"
    question = "Why is each of the four curves flat, where it is flat or seems to be?"
    labels = ("staircase", "plateau", "cut off", "still climbing")
    items = (
        Item(
            "A",
            "one question, R = 5",
            ("staircase",),
            "How many questions stand behind that curve, and how high is one of its steps?",
        ),
        Item(
            "B",
            "104 questions, a keyword search that was asked for everything",
            ("plateau",),
            "It was asked for everything it can find, and for many questions. What can it never find?",
        ),
        Item(
            "C",
            "104 questions, a fused search that was asked for twenty results",
            ("cut off",),
            "Look at where the flat part begins. How many results did anybody ask for?",
        ),
        Item(
            "D",
            "104 questions, a vector search that was asked for everything",
            ("still climbing",),
            "Compare its height in the middle with its height at the end. Has it stopped?",
        ),
    )
    restate = "A flat part can mean bad luck, a wall, the end of the list, or nothing at all."
    locate = (
        "Read three things off each panel: how many questions, how many results were asked for, and the end."
    )
    another_case = (
        "A is “staircase”: one question stands behind it, and each hit lifts it by the same step. Ask of "
        "each of the others: how many results did anybody ask for, and how does the middle compare with the "
        "end?"
    )
    afterwards = "The picture alone would not have told you; the n and the depth beside it did."


@cache
def _library() -> GoldenDataset:
    from recall_lab.golden import GoldenDataset

    return GoldenDataset.load(DATASET)


@cache
def _keyword_sheet() -> Sheet:
    from recall_lab.retrieval.shipped import frozen_run

    golden, run = _library(), frozen_run("keyword")
    queries = (
        Query(question, tuple(run.ranking(question, DEEPEST)), golden.judgments[question])
        for question in golden.judgments
    )
    return Sheet(tuple(queries), DEEPEST, golden.min_grade)


@cache
def _vector_run() -> Run:
    from recall_lab.retrieval.shipped import frozen_run

    return frozen_run("wordllama")


@cache
def _search(size: int) -> Curve:
    """Recall@k of vector search in a handbook of that size."""
    from recall_lab.evaluation import evaluate

    golden = _library()
    curve = evaluate(golden, thinned(golden, _vector_run(), size)).curve(DEEPEST)
    return {k: Fraction(float(height)) for k, height in enumerate(curve, start=1)}


def _chance(size: int) -> Curve:
    return {k: Fraction(k, size) for k in range(1, DEEPEST + 1)}
