"""Pictures: they show the evaluation's numbers, say them in words, and pile up nowhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recall_lab import Run, evaluate, mean_recall_at_k
from recall_lab.errors import FolderError, RecallLabError
from recall_lab.evaluation import Evaluation
from recall_lab.figures import Picture, recall_curve
from recall_lab.statistics import bootstrap_curve

RELEVANT = {"q1": {"a": 1, "b": 1, "c": 1}, "q2": {"d": 1}}
GOOD = {"q1": ["a", "b", "x", "c"], "q2": ["y", "d"]}
POOR = {"q1": ["x", "y", "a"], "q2": ["d"]}


def measured(results: dict[str, list[str]], name: str = "good") -> Evaluation:
    return evaluate(RELEVANT, Run(results, name=name))


def test_lines_are_the_curves() -> None:
    runs = {"good": GOOD, "poor": POOR}
    picture = recall_curve({name: measured(results, name) for name, results in runs.items()}, k_max=5)
    lines = {line.get_label(): list(line.get_ydata()) for line in picture.axes.lines}
    for name, results in runs.items():
        pairs = [(results[q], set(RELEVANT[q])) for q in RELEVANT]
        assert lines[name] == pytest.approx([mean_recall_at_k(pairs, k) for k in range(1, 6)])
    assert lines["ceiling"] == pytest.approx([2 / 3, 5 / 6, 1, 1, 1])
    assert "random" not in "".join(lines)


def test_systems_differ_in_more_than_colour() -> None:
    picture = recall_curve({f"s{i}": measured(GOOD) for i in range(6)}, k_max=5)
    systems = [line for line in picture.axes.lines if line.get_label().startswith("s")]
    assert len({(line.get_linestyle(), line._unscaled_dash_pattern) for line in systems}) == 6
    assert len({line.get_marker() for line in systems}) == 6


def test_the_text_says_what_is_drawn() -> None:
    picture = recall_curve(measured(GOOD), k_max=4, corpus_size=8)
    assert picture.alt.splitlines() == [
        "Recall@k for k from 1 to 4, macro mean over 2 questions.",
        "good: 0.167 at 1, 0.833 at 2, 1.000 at 4.",
        "ceiling: 0.667 at 1, 0.833 at 2, 1.000 at 4.",
        "random order of 8: 0.125 at 1, 0.250 at 2, 0.500 at 4.",
    ]
    assert repr(picture) == picture.alt


def test_the_random_line_is_k_over_n_and_stops_at_one() -> None:
    picture = recall_curve(measured(GOOD), k_max=5, corpus_size=4)
    line = next(line for line in picture.axes.lines if "random" in str(line.get_label()))
    assert list(line.get_ydata()) == [0.25, 0.5, 0.75, 1.0, 1.0]


def test_a_band_is_shaded_and_told() -> None:
    evaluation = measured(GOOD)
    picture = recall_curve(evaluation, k_max=3, band=True)
    interval = bootstrap_curve(evaluation, 3)
    (band,) = picture.axes.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx((interval.low.min(), interval.high.max()))
    low, high = (
        ", ".join(f"{end[k]:.3f} at {k + 1}" for k in range(3)) for end in (interval.low, interval.high)
    )
    assert f"95 % bootstrap interval of good: from {low}; to {high}." in picture.alt.splitlines()
    assert len(recall_curve({"a": evaluation, "b": evaluation}, band=True).axes.collections) == 2


def test_no_band_unless_wanted_and_none_of_one_question() -> None:
    picture = recall_curve(measured(GOOD))
    assert not picture.axes.collections and "bootstrap" not in picture.alt
    with pytest.raises(RecallLabError, match="resampling tells nothing about fewer than 2"):
        recall_curve(evaluate({"q": ["a"]}, {"q": ["a"]}), band=True)


def test_runs_over_different_questions_have_their_own_ceilings_and_counts() -> None:
    judgments = {"q1": {"a": 1, "b": 1}, "q2": {"d": 1}}
    all_of_them = evaluate(judgments, Run({"q1": ["a"], "q2": ["d"]}))
    one = evaluate(judgments, Run({"q2": ["d"]}), unanswered="skip")
    picture = recall_curve({"all": all_of_them, "one": one}, k_max=2)
    labels = [line.get_label() for line in picture.axes.lines]
    assert labels[2:] == ["ceiling of all", "ceiling of one"]
    colors = [line.get_color() for line in picture.axes.lines]
    assert colors[2:] == colors[:2] and colors[0] != colors[1]
    assert "all: 2, one: 1" in picture.alt


def test_nothing_to_measure_is_said_not_drawn_as_nan() -> None:
    picture = recall_curve(evaluate({"q1": {"a": 0}}, Run({"q1": ["a"]}, name="r")), k_max=2)
    assert "nan" not in picture.alt and "undefined" in picture.alt


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["_hidden", "$x^", "a" * 300, "检索", "$\\frac{1}{$"])
def test_any_name_can_be_drawn(name: str) -> None:
    picture = recall_curve({name: measured(GOOD), "other": measured(POOR)}, k_max=4)
    assert picture.svg().endswith("</svg>\n") and picture.png()
    legend = picture.axes.get_legend()
    assert legend is not None
    shown = [text.get_text() for text in legend.get_texts()]
    assert len(shown) == 3
    assert shown[0] == name or (shown[0].startswith("aaaa") and len(shown[0]) == 32)
    assert picture.alt.splitlines()[1].startswith(f"{name}: ")


def test_a_logarithmic_axis() -> None:
    assert recall_curve(measured(GOOD), k_max=100, log=True).axes.get_xscale() == "log"


def test_a_notebook_gets_the_picture_and_its_words() -> None:
    data, metadata = recall_curve(measured(GOOD), k_max=4)._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == metadata["image/png"]["alt"]


def test_svg_is_the_same_every_time() -> None:
    first, second = (recall_curve(measured(GOOD), k_max=4, corpus_size=9).svg() for _ in range(2))
    assert first == second
    assert "date" not in first.lower().replace("update", "")


def test_many_pictures_leave_none_open() -> None:
    program = (
        "import warnings; warnings.simplefilter('error')\n"
        "from recall_lab import evaluate\n"
        "from recall_lab.figures import recall_curve\n"
        "e = evaluate({'q': {'a': 1}}, {'q': ['a']})\n"
        "for _ in range(25): recall_curve(e, k_max=3).png()\n"
        "import sys; print('matplotlib.pyplot' in sys.modules)"
    )
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True
    )
    assert (done.stdout.strip(), done.stderr) == ("False", "")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_is_saved(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"curve.{ending}"
    recall_curve(measured(GOOD), k_max=4).save(path)
    assert path.stat().st_size > 1000


def test_what_cannot_be_saved_is_named(tmp_path: Path) -> None:
    picture: Picture = recall_curve(measured(GOOD), k_max=4)
    with pytest.raises(FolderError, match=r"nowhere"):
        picture.save(tmp_path / "nowhere" / "curve.png")
    with pytest.raises(RecallLabError, match=r"curve\.xyz"):
        picture.save(tmp_path / "curve.xyz")


@pytest.mark.parametrize("k_max", [0, -1, 2.5, True, "5"])
def test_a_wrong_k_is_named(k_max: object) -> None:
    with pytest.raises(RecallLabError, match="k_max"):
        recall_curve(measured(GOOD), k_max=k_max)  # type: ignore[arg-type]
    with pytest.raises(RecallLabError, match="corpus_size"):
        recall_curve(measured(GOOD), k_max=5, corpus_size=k_max)  # type: ignore[arg-type]


def test_no_run_is_refused() -> None:
    with pytest.raises(RecallLabError, match="no evaluation"):
        recall_curve({}, k_max=5)
