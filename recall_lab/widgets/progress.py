"""The progress view: which exercises are passed, begun or still open, lesson by lesson."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from recall_lab.errors import RecallLabError
from recall_lab.widgets.view import Choice, View, front_end
from recall_lab.widgets.wording import count, plain

if TYPE_CHECKING:
    import pandas as pd

    from recall_lab.exercises.overview import Overview

MARKS = {"passed": "✓", "passed after reveal": "✓", "revealed": "○", "tried": "→", "open": "·"}
Exercises = Iterable[Mapping[str, str]]


class ProgressView(View):
    """Exercises by lesson, each with its status in a word and a mark.

    Parameters
    ----------
    progress : what :func:`recall_lab.progress` returns; or for each exercise a mapping with ``lesson``,
        ``exercise`` (its name) and ``status``: "passed", "passed after reveal", "revealed", "tried" or
        "open".

    Raises
    ------
    RecallLabError : a status is none of these.

    Examples
    --------
    >>> view = ProgressView([
    ...     {"lesson": "02 Recall by hand", "exercise": "recall_by_hand", "status": "passed"},
    ...     {"lesson": "02 Recall by hand", "exercise": "recall_deeper", "status": "tried"},
    ... ])
    >>> print(view.text)
    Progress: 1 of 2 exercises passed
    02 Recall by hand: 1 of 2
      ✓ recall_by_hand: passed
      → recall_deeper: tried
    """

    title = "Progress"
    static_note = "This page shows the progress as it was when it was made."
    _esm = front_end("progress.js")
    show = Choice()

    def __init__(self, progress: Overview | Exercises) -> None:
        super().__init__(data=_by_lesson(progress), options={"show": ["all", "still open"]}, show="all")

    def update(self, progress: Overview | Exercises) -> None:
        """Show a newer progress; the view in the page changes at once."""
        self.data = _by_lesson(progress)

    @property
    def state(self) -> dict[str, Any]:
        """How many exercises there are, how many are passed, and which are shown."""
        lessons = self.data["lessons"]
        return {
            "passed": sum(lesson["passed"] for lesson in lessons),
            "exercises": sum(len(lesson["exercises"]) for lesson in lessons),
            "show": self.show,
        }

    def table(self) -> pd.DataFrame:
        """One row for each exercise: lesson, exercise, status."""
        import pandas as pd

        rows = [
            {"lesson": lesson["name"], "exercise": exercise["name"], "status": exercise["status"]}
            for lesson in self.data["lessons"]
            for exercise in lesson["exercises"]
        ]
        return pd.DataFrame(rows, columns=["lesson", "exercise", "status"])

    @property
    def text(self) -> str:
        """The exercises shown, in words."""
        lines = [f"Progress: {self.data['summary']}"]
        for lesson in self.data["lessons"]:
            lines.append(f"{lesson['name']}: {lesson['summary']}")
            lines += [
                f"  {exercise['mark']} {exercise['name']}: {exercise['status']}"
                for exercise in lesson["exercises"]
                if self.show == "all" or not exercise["passed"]
            ]
        return "\n".join(lines)


def _exercises(overview: Overview) -> Exercises:
    for lesson in overview.lessons:
        for exercise in lesson.exercises:
            yield {
                "lesson": f"{lesson.number} {lesson.title}",
                "exercise": exercise.title,
                "status": overview.standing(exercise.id),
            }


def _by_lesson(progress: Overview | Exercises) -> dict[str, Any]:
    by_lesson: dict[str, list[dict[str, Any]]] = {}
    for exercise in progress if isinstance(progress, Iterable) else _exercises(progress):
        status = exercise["status"]
        if status not in MARKS:
            raise RecallLabError(
                f"{exercise['exercise']} has status {status!r}, which is none of {', '.join(MARKS)}"
            )
        shown = {
            "name": plain(exercise["exercise"], 100),
            "status": status,
            "mark": MARKS[status],
            "passed": status.startswith("passed"),
        }
        by_lesson.setdefault(plain(exercise["lesson"], 100), []).append(shown)
    lessons = []
    for name, listed in by_lesson.items():
        passed = sum(exercise["passed"] for exercise in listed)
        summary = f"{passed} of {len(listed)}"
        lessons.append({"name": name, "passed": passed, "summary": summary, "exercises": listed})
    total = sum(len(lesson["exercises"]) for lesson in lessons)
    passed = sum(lesson["passed"] for lesson in lessons)
    return {"lessons": lessons, "summary": f"{passed} of {count(total, 'exercise')} passed"}
