"""Make one run and print the versions that made it: ``python -m authoring.runs.make_one NAME FILE``.

For ``build``, which calls it with another Python.
"""

from __future__ import annotations

import json
import sys

from authoring.runs.recipes import DATASET, RECIPES, make
from recall_lab.golden import GoldenDataset
from recall_lab.retrieval import frozen_run


def main(name: str, path: str) -> None:
    """Write the run, then print its versions as JSON."""
    recipe = RECIPES[name]
    make(recipe, name, frozen_run, GoldenDataset.load(DATASET)).write(path)
    print(json.dumps(recipe.versions()))


if __name__ == "__main__":
    main(*sys.argv[1:])
