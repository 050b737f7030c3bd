"""The one place that finds what ships, notebooks and datasets: in a clone, a wheel or an editable install."""

from __future__ import annotations

from pathlib import Path

from recall_lab.errors import FolderError

_PACKAGE = Path(__file__).resolve().parent


def shipped_folder(name: str) -> Path:
    """Path of the shipped folder ``"notebooks"`` or ``"datasets"``.

    In a wheel they lie inside the package (``recall_lab/_shipped``), in a clone beside it.

    Raises
    ------
    FolderError : neither place holds it, so the installation is damaged.

    Examples
    --------
    >>> shipped_folder("datasets").name
    'datasets'
    """
    for root in (_PACKAGE / "_shipped", _PACKAGE.parent):
        folder = root / name
        if folder.is_dir():
            return folder
    raise FolderError(
        f"the shipped folder {name!r} is missing from this installation; "
        "install Recall Lab again (pip install --force-reinstall .)"
    )


def shipped_datasets() -> list[str]:
    """Names of the datasets that ship with Recall Lab, sorted.

    >>> "library_of_things" in shipped_datasets()
    True
    """
    return sorted(path.parent.name for path in shipped_folder("datasets").glob("*/dataset.json"))
