"""The base class of all views, and how to add one.

A view is two short files in this folder: a ``.py`` that computes every number, and a ``.js`` that draws them.
This is a complete one, a coin that is thrown ``n`` times. The Python half, ``coin.py``::

    from recall_lab.widgets.view import View, Whole, front_end

    class CoinView(View):
        \"\"\"The chance of at least one head in n throws.\"\"\"

        title = "Coin"
        _esm = front_end("coin.js")
        n = Whole()                                  # moved by the slider, by Python, or by a linked widget

        def __init__(self, n: int = 1, n_max: int = 10) -> None:
            rows = [{"n": i, "chance": 1 - 0.5**i} for i in range(1, n_max + 1)]
            super().__init__(data={"rows": rows}, ranges={"n": (1, n_max)}, n=n)

        @property
        def state(self) -> dict[str, object]:        # what is shown now, as plain values
            return self.data["rows"][self.n - 1]     # (the base class makes the table of all of them)

        @property
        def text(self) -> str:                       # the same picture in words
            return f"Coin: chance of a head in n = {self.n} throws: {self.state['chance']:.3f}"

The drawing half, ``coin.js``::

    export default view(({ model, data, root, say }) => {
      const picture = element("p", { class: "rl-figure" });
      root.append(slider(model, "n", "Throws n"), picture);
      return () => {                                 // called now, and again after every change
        const row = data.rows[model.get("n") - 1];
        picture.textContent = `chance of a head: ${row.chance.toFixed(3)}`;
        say(`${row.n} throws, chance ${row.chance.toFixed(3)}`);
      };
    });

``view``, ``element``, ``slider`` and the other helpers come from ``kit.js``, which is put in front of the
view's own script; its comments say what is there (radio buttons, tiles, traces, plots …). Add the class to
``_VIEWS`` in ``__init__.py``. The rules that keep views alive everywhere:

* Python computes each number once, for every state the view can reach, and the script looks it up. A measure
  is never written again in JavaScript. Keep the data under a few hundred kilobytes.
* What cannot be computed beforehand asks the kernel. Such a view says so with ``asks_kernel = True``, and
  tells in ``static_note`` what its static page shows instead.
* Text from data goes through :func:`recall_lab.widgets.wording.plain` in Python, and into the page with
  ``element`` or ``textContent``, never as HTML.
* Controls are the native, labelled ones of the kit. A mark never relies on colour alone.
* ``tests/test_widgets.py`` holds state, table and text at both extremes; one test in ``tests/browser/``
  presses keys and holds the number shown against :mod:`recall_lab.measures`.
"""

from __future__ import annotations

import html
import operator
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import anywidget
import traitlets

from recall_lab.errors import RecallLabError

if TYPE_CHECKING:
    import pandas as pd
    from IPython.display import DisplayHandle

_FOLDER = Path(__file__).parent


def read_front_end(name: str) -> str:
    """The text of a script or stylesheet that lies beside this module."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def front_end(script: str) -> str:
    """One module of the kit and a view's own script.

    Joined rather than imported, because a notebook gives the module no address to import from.
    """
    return read_front_end("kit.js") + "\n" + read_front_end(script)


class Whole(traitlets.TraitType[int, int]):
    """A whole number a view moves by, within ``view.ranges[its name]``, shared with the page.

    Python gets an error for a value outside the range. A value from the page, where a linked slider may run
    further than the view, is moved to the nearest end instead (see :meth:`View.set_state`).
    """

    default_value = 1

    def __init__(self) -> None:
        super().__init__()
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> int:
        low, high = obj.ranges.get(self.name, (1, 1))
        try:
            if isinstance(value, bool):
                raise TypeError
            number = operator.index(value)
        except TypeError:
            raise RecallLabError(f"{self.name} must be a whole number, not {value!r}") from None
        if not low <= number <= high:
            raise RecallLabError(f"{self.name} = {number} is out of range: this view shows {low} to {high}")
        return number


class Choice(traitlets.TraitType[Any, Any]):
    """One of the values in ``view.options[its name]``, shared with the page.

    Python gets an error for anything else. From the page, anything else means the first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> Any:
        offered = obj.options.get(self.name, [])
        if value not in offered:
            listed = ", ".join(repr(option) for option in offered)
            raise RecallLabError(f"{self.name} = {value!r} is not offered; choose one of {listed}")
        return value


class View(anywidget.AnyWidget):
    """Base class of the views: an ipywidgets widget that also works on a page without a kernel.

    A view computes its numbers in Python and hands them over in ``data``; the page only looks them up.
    The module's docstring shows a complete one.

    Attributes
    ----------
    title : name of the view, read out by screen readers.
    data : every number the view can show, JSON-ready; a view that is given other data is drawn anew.
    ranges : lowest and highest value of each :class:`Whole` trait.
    options : the values of each :class:`Choice` trait.
    asks_kernel : whether the view needs a running kernel to answer. A tabulated view (the default) does not.
    static_note : what the static page shows differently, printed below the view there; needed where the
        view asks the kernel.
    """

    title: ClassVar[str] = "View"
    asks_kernel: ClassVar[bool] = False
    static_note: ClassVar[str] = ""
    _css = read_front_end("kit.css")

    data = traitlets.Dict().tag(sync=True)
    ranges = traitlets.Dict().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)
    _title = traitlets.Unicode().tag(sync=True)
    _static_note = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.asks_kernel and not cls.static_note:
            raise TypeError(
                f"{cls.__name__} asks the kernel, so its static_note must say what a static page shows"
            )

    def __init__(
        self,
        *,
        data: Mapping[str, Any],
        ranges: Mapping[str, tuple[int, int]] | None = None,
        options: Mapping[str, Sequence[Any]] | None = None,
        **moving: Any,
    ) -> None:
        self._displays: list[DisplayHandle] = []
        # Ranges and options come before the moving parts, which are checked against them.
        super().__init__(
            ranges=dict(ranges or {}),
            options={name: list(offered) for name, offered in (options or {}).items()},
            data=dict(data),
            _title=self.title,
            _static_note=self.static_note,
            **moving,
        )
        self.on_msg(self._on_message)

    @property
    def state(self) -> dict[str, Any]:
        """What the view shows now, as plain values: at least its moving parts."""
        return {name: getattr(self, name) for name in (*self.ranges, *self.options)}

    def table(self) -> pd.DataFrame:
        """Every number the view can show: the rows of its data."""
        import pandas as pd

        return pd.DataFrame(self.data["rows"])

    @property
    def text(self) -> str:
        """The picture in words: its text alternative."""
        return f"{self.title}: " + ", ".join(f"{name} = {value}" for name, value in self.state.items())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.state.items())
        return f"{type(self).__name__}({shown})"

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take values from the page; one that is out of range becomes the nearest in it."""
        super().set_state({name: self._within_range(name, value) for name, value in sync_data.items()})

    def _within_range(self, name: str, value: Any) -> Any:
        if name in self.ranges and isinstance(value, int | float):
            low, high = self.ranges[name]
            return min(max(round(value), low), high)
        if name in self.options and value not in self.options[name]:
            return self.options[name][0]
        return value

    def static_html(self) -> str:
        """HTML that shows this view alive in any page (see :mod:`recall_lab.widgets.static`)."""
        from recall_lab.widgets import static

        return static.head([self]) + static.fragment(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/plain"] = self.text
        return bundle

    def _ipython_display_(self) -> None:
        """Show the last state in words, and the live view, which hides the words as long as it is alive.

        A saved notebook keeps no widgets, only what was displayed. With the words as an output of their own,
        who opens it again, or has no widgets at all, reads the last state instead of an error.
        """
        from IPython.display import DisplayHandle, display

        words = DisplayHandle()
        words.display(self._last_state(), raw=True)
        self._displays.append(words)
        bundle = super()._repr_mimebundle_()
        if bundle is not None:
            data, metadata = bundle
            del data["text/plain"]
            display(data, metadata=metadata, raw=True)

    def _last_state(self) -> dict[str, str]:
        how = "This view is not running. To move it, run its cell again (Shift+Enter)."
        return {
            "text/plain": self.text,
            "text/html": (
                f'<div class="recall-lab-last-state"><style>{_LAST_STATE_CSS}</style>'
                f"<pre>{html.escape(self.text)}</pre><p>{how}</p></div>"
            ),
        }

    def _on_message(self, _widget: object, content: Any, _buffers: object) -> None:
        # The page tells when the picture has come to rest: the words are renewed once, not at every step.
        if content == {"settled": True}:
            for words in self._displays:
                words.update(self._last_state(), raw=True)


# JupyterLab puts each output in a .jp-OutputArea-child. Alive: hide the words. Not alive: hide JupyterLab's
# "model not found" below them. The words wait a moment, so as not to flash up before the view is drawn.
_LAST_STATE_CSS = (
    ".jp-OutputArea-child:has(.recall-lab-last-state):has(+ .jp-OutputArea-child .rl),"
    ".jp-OutputArea-child:has(.recall-lab-last-state) + .jp-OutputArea-child:not(:has(.rl)) {display: none}"
    ".jp-OutputArea-child .recall-lab-last-state {animation: recall-lab-wait 1.5s step-end}"
    "@keyframes recall-lab-wait {from {max-height: 0; overflow: hidden}}"
    ".recall-lab-last-state pre {white-space: pre-wrap}"
)
