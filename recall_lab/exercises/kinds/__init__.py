"""The kinds of exercise. A lesson derives one small class per exercise from one of these."""

from recall_lab.exercises.kinds.agreement import AgreementExercise, AgreementFunction
from recall_lab.exercises.kinds.base import RUNGS, Exercise, Slip
from recall_lab.exercises.kinds.bug_hunt import BugHunt, Miss
from recall_lab.exercises.kinds.choice import ChoiceExercise, Option
from recall_lab.exercises.kinds.collection import RankingExercise, SetExercise
from recall_lab.exercises.kinds.figure import FigureExercise
from recall_lab.exercises.kinds.function import FunctionExercise
from recall_lab.exercises.kinds.labelling import Item, LabellingExercise
from recall_lab.exercises.kinds.number import NumberExercise
from recall_lab.exercises.kinds.own_work import AdjudicationExercise, DatasetExercise, LabelsExercise
from recall_lab.exercises.kinds.plotter import PlotterExercise
from recall_lab.exercises.kinds.sheet import SheetExercise
from recall_lab.exercises.kinds.wiring import WiringExercise
from recall_lab.exercises.kinds.written import WrittenExercise

__all__ = [
    "RUNGS",
    "AdjudicationExercise",
    "AgreementExercise",
    "AgreementFunction",
    "BugHunt",
    "ChoiceExercise",
    "DatasetExercise",
    "Exercise",
    "FigureExercise",
    "FunctionExercise",
    "Item",
    "LabellingExercise",
    "LabelsExercise",
    "Miss",
    "NumberExercise",
    "Option",
    "PlotterExercise",
    "RankingExercise",
    "SetExercise",
    "SheetExercise",
    "Slip",
    "WiringExercise",
    "WrittenExercise",
]
