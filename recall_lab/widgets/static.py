"""Pages that show views alive without a kernel, a network or anyone else's script.

A page needs each kind of view's module once (:func:`head`) and a place for every view (:func:`fragment`).
It works from a folder on disk as well as from a server. Readers without JavaScript get each view in words.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from recall_lab.errors import FolderError
from recall_lab.widgets.view import View, read_front_end

_WIDGET_TRAITS = {"layout", "tabbable", "tooltip"}  # of every ipywidget; they mean nothing on a page

_PAGE_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 56rem; padding: 1.5rem 1rem 3rem; font: 1rem/1.5 system-ui, sans-serif; }
[data-recall-lab-view] { margin: 1.5rem 0; }
[data-recall-lab-view] pre { white-space: pre-wrap; }
.recall-lab-note { font-style: italic; }
""".strip()


def write_page(path: str | os.PathLike[str], views: Iterable[View], *, title: str) -> Path:
    """Write a page of its own that shows ``views``, one below the other, and return its path.

    Raises
    ------
    FolderError : the page cannot be written there.

    Examples
    --------
    >>> import tempfile
    >>> from recall_lab.widgets import RankedListView
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_page(Path(folder) / "a.html", [RankedListView(["a"], ["a"])], title="One list")
    ...     "<h1>One list</h1>" in path.read_text(encoding="utf-8")
    True
    """
    target = Path(path)
    try:
        target.write_text(page(views, title=title), encoding="utf-8")
    except OSError as error:
        raise FolderError(f"{target}: the page cannot be written ({error.strerror or error})") from None
    return target


def page(views: Iterable[View], *, title: str) -> str:
    """The text of a page that shows ``views``, one below the other."""
    shown = list(views)
    name = html.escape(title)
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en" class="recall-lab-page">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{name}</title>\n<style>\n{_PAGE_STYLE}\n</style>\n{head(shown)}\n</head>",
            f"<body>\n<main>\n<h1>{name}</h1>",
            *(fragment(view) for view in shown),
            "</main>\n</body>\n</html>\n",
        ]
    )


def head(views: Iterable[View | Mapping[str, Any]]) -> str:
    """What a page with these views needs once, in its head or before the first of them."""
    states = [_state(view) for view in views]
    styles = dict.fromkeys(state["_css"] for state in states)
    modules = dict.fromkeys(state["_esm"] for state in states)
    parts = [f"<style>\n{style}</style>" for style in styles]
    parts += [_json_script(f'data-recall-lab-module="{_module_name(module)}"', module) for module in modules]
    parts.append(f'<script type="module">\n{read_front_end("static_host.js")}</script>')
    return "\n".join(parts)


def fragment(view: View | Mapping[str, Any], *, text: str | None = None) -> str:
    """The place of one view in a page.

    Parameters
    ----------
    view : the view, or its state as an executed notebook stores it (``metadata.widgets``, a model's
        ``state``).
    text : the words for readers without JavaScript; a view brings its own.
    """
    state = _state(view)
    words = view.text if text is None and isinstance(view, View) else text or ""
    note = html.escape(state["_static_note"])
    note = f'<p class="recall-lab-note">{note}</p>' if note else ""
    ours = {name: value for name, value in state.items() if name[0] != "_" and name not in _WIDGET_TRAITS}
    return (
        f'<div data-recall-lab-view="{_module_name(state["_esm"])}">'
        + _json_script("", ours | {"_title": state["_title"]})
        + f"<div data-recall-lab-picture><pre>{html.escape(words)}</pre></div>{note}</div>"
    )


def _state(view: View | Mapping[str, Any]) -> Mapping[str, Any]:
    return view.get_state() if isinstance(view, View) else view


def _module_name(module: str) -> str:
    return hashlib.sha256(module.encode()).hexdigest()[:12]


def _json_script(attributes: str, value: Any) -> str:
    # Without <, > and & the JSON may hold anything, "</script>" and "<!--" too, and never ends its element.
    text = json.dumps(value, allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" {attributes}>{text}</script>'
