"""Signing the notebooks we ship, so that Jupyter shows their widgets at once.

Jupyter shows the outputs of a notebook it does not know as plain text until somebody trusts it. A signature
says that a notebook is known. We sign only files that are exactly as shipped, never what a learner or anyone
else has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def sign(notebooks: Iterable[Path]) -> bool:
    """Sign ``notebooks`` for this person's Jupyter.

    Returns
    -------
    Whether the signatures will last: false where Jupyter's own folder cannot be written.
    """
    with _notary() as notary:
        if notary is None:
            return False
        for path in notebooks:
            notary.sign(_read(path))
        return True


def unsigned(notebooks: Iterable[Path]) -> list[Path]:
    """Those of ``notebooks`` that Jupyter does not trust for this person."""
    with _notary() as notary:
        return [path for path in notebooks if notary is None or not notary.check_signature(_read(path))]


@contextmanager
def _notary() -> Iterator[Any]:
    """Jupyter's keeper of signatures; ``None`` where it cannot keep them on disk."""
    from jupyter_core.paths import jupyter_data_dir
    from nbformat.sign import NotebookNotary

    try:
        Path(jupyter_data_dir()).mkdir(parents=True, exist_ok=True)
        notary = NotebookNotary()
    except OSError:
        yield None
        return
    try:
        yield None if getattr(notary.store, "db_file", ":memory:") == ":memory:" else notary
    finally:
        notary.store.close()


def _read(path: Path) -> Any:
    import nbformat

    return nbformat.read(path, as_version=4)
