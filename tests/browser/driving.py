"""Start a JupyterLab and a Chromium, and drive one with the other: for the fixtures, and for benchmarks."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat.sign import NotebookNotary
from playwright.sync_api import Browser, Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60_000  # milliseconds; a slow machine gets its time, a fast one doesn't wait
_CHROMIUM_ARGS = [
    "--no-sandbox",  # tests may run as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


MISSING_CHROMIUM = "browser tests need Chromium; install it: apt-get install chromium"


def chromium_path() -> str | None:
    """Where the system's Chromium is; ``None`` where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium, the system's own."""
    path = chromium_path()
    if path is None:
        raise RuntimeError(MISSING_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_CHROMIUM_ARGS)
        yield browser
        browser.close()


@dataclass
class LabServer:
    """A running JupyterLab on a folder of its own, with settings, runtime files and trust database apart."""

    url: str
    folder: Path
    data_folder: Path

    def write_notebook(self, name: str, *cells: str) -> Path:
        """Write a notebook with these code cells and sign it, so that JupyterLab shows its outputs."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        path = self.folder / name
        nbformat.write(notebook, path)
        self.trust(path)
        return path

    def trust(self, path: Path) -> None:
        """Sign a notebook, as ``jupyter trust`` does."""
        NotebookNotary(data_dir=str(self.data_folder)).sign(nbformat.read(path, as_version=4))


@contextmanager
def jupyterlab(folder: Path) -> Iterator[LabServer]:
    """A JupyterLab server whose root is ``folder / "work"``; ends with the block."""
    work, home = folder / "work", folder / "jupyter"
    work.mkdir()
    settings = home / "settings"
    _set(
        settings,
        "@jupyterlab/apputils-extension/notification",
        {"fetchNews": "false", "checkForUpdates": False},
    )
    _set(
        settings, "@jupyterlab/notebook-extension/tracker", {"windowingMode": "none"}
    )  # every cell in the page
    port = _free_port()
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token="]
    command += [f"--ServerApp.root_dir={work}"]
    log = folder / "jupyterlab.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            command, env=environment, cwd=work, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for_server(url, process, log)
        yield LabServer(url, work, home / "data")
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class LabPage:
    """One notebook open in JupyterLab, in a page of the browser."""

    def __init__(self, page: Page, server: LabServer) -> None:
        self.page = page
        self.server = server
        page.set_default_timeout(PATIENCE)

    def open(self, name: str) -> None:
        """Open a notebook of the server's folder and wait until its kernel is ready."""
        self.page.goto(f"{self.server.url}/lab/tree/{name}?reset")
        self.page.wait_for_function(
            """name => {
                const widget = window.jupyterapp?.shell.currentWidget;
                const kernel = widget?.context?.sessionContext?.session?.kernel;
                return widget?.context?.path === name && kernel?.status === "idle";
            }""",
            arg=name,
        )

    def run_all(self) -> None:
        """Run all cells and wait until the kernel has answered the last one."""
        self.command("notebook:run-all-cells")

    def command(self, name: str, arguments: dict[str, Any] | None = None) -> None:
        """Execute a JupyterLab command, such as ``docmanager:save``, and wait for its end."""
        self.page.evaluate(
            "([name, args]) => window.jupyterapp.commands.execute(name, args).then(() => null)",
            [name, arguments or {}],
        )

    def output(self, cell: int) -> Locator:
        """The output area of a code cell, counted from 0."""
        return (
            self.page.locator(".jp-Notebook .jp-Cell.jp-CodeCell").nth(cell).locator(".jp-Cell-outputWrapper")
        )

    def python(self, code: str) -> str:
        """Execute ``code`` in the notebook's kernel, unseen by the notebook, and return what it prints."""
        return self.page.evaluate(
            """async code => {
                const kernel = window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
                const future = kernel.requestExecute({ code, store_history: false, stop_on_error: false });
                let printed = "";
                future.onIOPub = ({ content }) => (printed += content.text ?? content.evalue ?? "");
                await future.done;
                return printed;
            }""",
            code,
        ).strip()

    def dark(self, on: bool) -> None:
        """Switch JupyterLab's theme and wait until the page has it."""
        self.command("apputils:change-theme", {"theme": "JupyterLab Dark" if on else "JupyterLab Light"})
        attribute = f'body[data-jp-theme-light="{"false" if on else "true"}"]'
        self.page.wait_for_selector(attribute, state="attached")
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")

    def restart_kernel(self) -> None:
        """Start the notebook's kernel anew, so that everything it knew is gone."""
        self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()"
        )


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 30) -> None:
    """Wait until ``condition`` holds; otherwise fail, saying ``what`` did not come true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def _set(settings: Path, plugin: str, values: dict[str, Any]) -> None:
    file = settings / f"{plugin}.jupyterlab-settings"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(values))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for_server(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    def answers() -> bool:
        if process.poll() is not None:
            raise RuntimeError(f"JupyterLab ended at once:\n{log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(f"{url}/api", timeout=5) as reply:
                return reply.status == 200
        except OSError:
            return False

    wait_until(answers, f"JupyterLab answers (log: {log})", seconds=120)
