"""The learner's own golden dataset, which lesson 01 makes and the lessons after it measure with.

It lies in a folder beside the progress file and belongs to the learner: nothing but the learner's own cells
writes there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recall_lab.errors import RecallLabError
from recall_lab.exercises import state

if TYPE_CHECKING:
    from recall_lab.golden import GoldenDataset

__all__ = ["FOLDER_NAME", "own_folder", "own_golden"]

FOLDER_NAME = "my_golden_dataset"


def own_folder() -> Path:
    """Where the learner's golden dataset is kept, with the labels that it was made of.

    >>> own_folder().name
    'my_golden_dataset'
    """
    return state.progress_path().with_name(FOLDER_NAME)


def own_golden(ours: GoldenDataset) -> GoldenDataset:
    """The learner's golden dataset, or ours where there is none that can be used; a printed line says which.

    Examples
    --------
    >>> from recall_lab import GoldenDataset
    >>> ours = GoldenDataset({}, {}, {"q1": {"d1": 1}})
    >>> own_golden(ours) is ours
    You have no golden dataset of your own yet (lesson 01 makes it), so this cell uses ours.
    True
    """
    from recall_lab.golden import GoldenDataset

    folder = own_folder()
    if not (folder / "qrels").exists():
        print("You have no golden dataset of your own yet (lesson 01 makes it), so this cell uses ours.")
        return ours
    try:
        own = GoldenDataset.load(folder)
    except (RecallLabError, OSError) as problem:
        print(f"Your golden dataset cannot be read, so this cell uses ours.\n{problem}")
        return ours
    if own.judgments == ours.judgments:
        print(f"What is saved in {FOLDER_NAME} is a copy of our dataset, so this cell uses ours.")
        return ours
    if not any(own.relevant(question) for question in own.judgments):
        print(
            f"In your golden dataset ({FOLDER_NAME}) no passage reaches grade {own.min_grade}, so there is "
            "nothing to find and no recall. This cell uses ours."
        )
        return ours
    judgments = sum(map(len, own.judgments.values()))
    print(f"Your golden dataset: {len(own.judgments)} questions, {judgments} judgments.")
    return own
