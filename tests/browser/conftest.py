"""Fixtures for tests that drive a real Chromium. They fail, never skip, where Chromium is missing.

- ``page``: a fresh browser page, in its own context.
- ``lab``: a notebook page in a real JupyterLab; one server serves the whole session. For example::

      lab.server.write_notebook("a.ipynb", "1 + 1")
      lab.open("a.ipynb")
      lab.run_all()
      expect(lab.output(0)).to_contain_text("2")

  ``lab.python(code)`` asks the kernel, ``lab.page`` is Playwright's page, ``lab.dark(True)`` changes the
  theme.
- ``static_page(*views)``: a page with these views, opened from disk.
- ``axe(page, selector)``: fails where the accessibility checker finds something serious or critical there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import MISSING_CHROMIUM, PATIENCE, LabPage, LabServer, chromium, chromium_path, jupyterlab
from playwright.sync_api import Browser, Error, Page

from recall_lab.widgets.static import write_page
from recall_lab.widgets.view import View


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if chromium_path() is None:
        pytest.fail(MISSING_CHROMIUM, pytrace=False)
    with chromium() as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A browser page of its own. An error in one of our scripts fails the test."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        errors: list[str] = []

        def note(error: Error) -> None:
            # A view's script has a blob: address; a static page lies in a file. JupyterLab's own errors, such
            # as a message that a restarted kernel never answers, are not ours to judge.
            if any(origin in (error.stack or "") for origin in ("blob:", "file:")):
                errors.append(str(error.stack))

        page.on("pageerror", note)
        yield page
        assert errors == []


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    with jupyterlab(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def lab(page: Page, lab_server: LabServer) -> LabPage:
    return LabPage(page, lab_server)


@pytest.fixture
def static_page(page: Page, tmp_path: Path) -> Callable[..., Page]:
    """Write a static page with the given views, open it from disk, and wait until every view is alive."""

    def show(*views: View) -> Page:
        path = write_page(tmp_path / "page.html", views, title="Views")
        page.goto(path.as_uri())
        page.wait_for_function("n => document.querySelectorAll('.rl').length === n", arg=len(views))
        return page

    return show


@pytest.fixture
def axe() -> Callable[[Page, str], None]:
    def check(page: Page, selector: str) -> None:
        found = Axe().run(page, context=selector).response["violations"]
        grave = [v for v in found if v["impact"] in ("serious", "critical")]
        assert grave == [], [(v["id"], [node["html"] for node in v["nodes"]]) for v in grave]

    return check
