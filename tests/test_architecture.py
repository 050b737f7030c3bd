"""Imports point downwards only, and `import recall_lab` loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import recall_lab

PACKAGE = Path(recall_lab.__file__).parent

# From the ground up. A module may import from its own layer and from those before it.
LAYERS = [
    ["errors", "notices", "resources", "ids", "locking"],
    ["measures", "formats", "near_duplicates", "summary"],
    ["run", "validation"],
    ["golden", "hits"],
    ["retrieval", "evaluation"],
    ["statistics", "simulation", "pooling", "diagnosis", "labelling"],
    ["figures", "widgets"],
    ["commands"],
    ["exercises"],
    ["classroom"],
    ["cli", "__main__"],
]
LAYER_OF = {name: level for level, names in enumerate(LAYERS) for name in names}
TOP_OF_MEASURING = LAYER_OF["diagnosis"]
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_shipped" not in path.parts)


def part_of(path: Path) -> str:
    """The layer's name that a file belongs to: its folder or itself."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(source: str) -> set[str]:
    """Parts of the package that a source imports when it runs, at the top or inside a function."""
    tree = ast.parse(source)
    for_types_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    parts = set()
    for node in ast.walk(tree):
        if node in for_types_only:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            whole = node.module == "recall_lab"
            names = [f"recall_lab.{alias.name}" for alias in node.names] if whole else [node.module or ""]
        else:
            continue
        parts |= {name.split(".")[1] for name in names if name.startswith("recall_lab.")}
    return parts


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downwards(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":  # the lazy front door names every part, and loads none
        return
    assert part in LAYER_OF, f"{part} has no layer yet: give it one in LAYERS"
    for imported in imported_parts(path.read_text(encoding="utf-8")):
        level = LAYER_OF.get(imported, -1)
        assert level <= LAYER_OF[part], f"{part} imports {imported}, which stands above it"
        if LAYER_OF[part] <= TOP_OF_MEASURING:
            assert level <= TOP_OF_MEASURING, f"measuring must not know teaching: {part} imports {imported}"


def test_no_two_parts_of_a_layer_import_each_other() -> None:
    edges = {
        (part_of(path), imported)
        for path in MODULES
        if part_of(path) != "__init__"
        for imported in imported_parts(path.read_text(encoding="utf-8"))
    }
    assert not [(a, b) for a, b in edges if a < b and (b, a) in edges]


def test_the_import_finder_sees_every_form() -> None:
    source = (
        "import recall_lab.run\nfrom recall_lab import measures\nfrom recall_lab.formats.trec import x\n"
        "def f():\n    from recall_lab.widgets import y\n"
        "if TYPE_CHECKING:\n    from recall_lab.cli import z\n"
    )
    assert imported_parts(source) == {"run", "measures", "formats", "widgets"}


def loaded_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


HEAVY = {
    "scipy",
    "matplotlib",
    "ipywidgets",
    "anywidget",
    "polars",
    "IPython",
    "bm25s",
    "numba",
    "sklearn",
    "torch",
}


def test_the_front_door_is_light() -> None:
    loaded = loaded_after("import recall_lab")
    assert "recall_lab" in loaded
    assert not loaded & (HEAVY | {"numpy", "pandas"})


def test_measuring_loads_no_teaching_and_nothing_heavy() -> None:
    loaded = loaded_after("from recall_lab import GoldenDataset, Run, evaluate, recall_at_k")
    assert "recall_lab" in loaded
    assert not loaded & (HEAVY | {"pandas"})  # a table is made when somebody asks for one


def test_the_readable_measures_need_no_array_library() -> None:
    assert not loaded_after("from recall_lab import recall_at_k") & {"numpy", "pandas"}


def test_every_name_of_the_front_door_is_there() -> None:
    for name in recall_lab.__all__:
        assert getattr(recall_lab, name) is not None
    with pytest.raises(AttributeError, match="recal_at_k"):
        recall_lab.recal_at_k  # noqa: B018


def test_the_front_door_says_the_same_to_a_type_checker() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == recall_lab._HOME_OF
