"""The kit: the way to add a view, as told in view.py, makes a living view."""

from __future__ import annotations

import re
import textwrap

import pytest
from playwright.sync_api import expect

from recall_lab.widgets import view as view_module

pytestmark = pytest.mark.browser


def test_the_view_in_the_how_to_is_alive(static_page, monkeypatch):
    blocks = re.findall(r"::\n\n((?:    .*\n|\n)+)", view_module.__doc__ or "")
    python, script = (textwrap.dedent(block) for block in blocks)
    read = view_module.read_front_end
    monkeypatch.setattr(
        view_module, "read_front_end", lambda name: script if name == "coin.js" else read(name)
    )
    names: dict[str, type] = {}
    exec(python, names)
    coin = names["CoinView"](n=2)

    assert coin.state == {"n": 2, "chance": 0.75}
    assert list(coin.table().columns) == ["n", "chance"]
    assert coin.text == "Coin: chance of a head in n = 2 throws: 0.750"
    page = static_page(coin)
    page.get_by_label("Throws n", exact=True).press("End")
    expect(page.locator(".rl-figure")).to_have_text(f"chance of a head: {1 - 0.5**10:.3f}")
