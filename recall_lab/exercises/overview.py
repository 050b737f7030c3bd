"""The whole workbook at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from recall_lab.exercises.feedback import Block, Shown
from recall_lab.exercises.registry import Lesson

__all__ = ["Overview"]


@dataclass(frozen=True, repr=False)
class Overview(Shown):
    """Progress by lesson: one line an exercise, as text or as a table.

    Attributes
    ----------
    lessons : all lessons.
    data : what the progress file holds.
    note : what is wrong with the file, or "".
    """

    lessons: tuple[Lesson, ...]
    data: dict[str, Any]
    note: str = ""

    def standing(self, exercise_id: str) -> str:
        """In words: "passed", "passed after reveal", "tried", "revealed" or "open"."""
        entry = self.data["exercises"].get(exercise_id, {})
        if entry.get("passed"):
            return "passed after reveal" if entry.get("revealed") else "passed"
        if entry.get("revealed"):
            return "revealed"
        return "tried" if entry.get("tries") else "open"

    def passed(self, lesson: Lesson) -> int:
        return sum(self.standing(e.id).startswith("passed") for e in lesson.exercises)

    def blocks(self) -> list[Block]:
        shown = []
        for lesson in self.lessons:
            shown.append(Block(self._heading(lesson), "heading"))
            rows = self._rows(lesson)
            widths = [max(len(row[i]) for row in rows) for i in range(3)]
            lines = (
                "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
            )
            shown.append(Block("\n".join(line.rstrip() for line in lines), "code"))
        return shown + ([Block(self.note)] if self.note else [])

    def _repr_html_(self) -> str:
        parts = []
        for lesson in self.lessons:
            rows = "".join(
                f"<tr>{''.join(f'<td style=text-align:left>{escape(cell)}</td>' for cell in row)}</tr>"
                for row in self._rows(lesson)
            )
            caption = (
                f"<caption style='text-align:left'><strong>{escape(self._heading(lesson))}</strong></caption>"
            )
            parts.append(f"<table>{caption}{rows}</table>")
        if self.note:
            parts.append(f"<p>{escape(self.note)}</p>")
        return "".join(parts)

    def _heading(self, lesson: Lesson) -> str:
        return f"{lesson.number} {lesson.title}: {self.passed(lesson)} of {len(lesson.exercises)} passed"

    def _rows(self, lesson: Lesson) -> list[tuple[str, str, str]]:
        signs = {"passed": "✓", "passed after reveal": "✓", "revealed": "○", "tried": "→", "open": "·"}
        rows = []
        for exercise in lesson.exercises:
            standing = self.standing(exercise.id)
            rows.append((f"{signs[standing]} {standing}", exercise.id, exercise.title))
        guessed = sum(id in self.data["predictions"] for id in lesson.predictions)
        if lesson.predictions:
            rows.append(
                ("predictions", f"{guessed} of {len(lesson.predictions)}", "recorded before the answer")
            )
        return rows
