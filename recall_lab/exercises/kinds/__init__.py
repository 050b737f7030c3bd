"""The kinds of exercise. A lesson derives one small class per exercise from one of these."""

from recall_lab.exercises.kinds.base import RUNGS, Exercise
from recall_lab.exercises.kinds.bug_hunt import BugHunt, Miss
from recall_lab.exercises.kinds.choice import ChoiceExercise, Option
from recall_lab.exercises.kinds.collection import RankingExercise, SetExercise
from recall_lab.exercises.kinds.figure import FigureExercise
from recall_lab.exercises.kinds.function import FunctionExercise
from recall_lab.exercises.kinds.labelling import Item, LabellingExercise
from recall_lab.exercises.kinds.number import NumberExercise
from recall_lab.exercises.kinds.sheet import SheetExercise
from recall_lab.exercises.kinds.written import WrittenExercise

__all__ = [
    "RUNGS",
    "BugHunt",
    "ChoiceExercise",
    "Exercise",
    "FigureExercise",
    "FunctionExercise",
    "Item",
    "LabellingExercise",
    "Miss",
    "NumberExercise",
    "Option",
    "RankingExercise",
    "SetExercise",
    "SheetExercise",
    "WrittenExercise",
]
