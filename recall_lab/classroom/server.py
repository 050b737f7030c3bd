"""Running JupyterLab on a learner's folder, in this process: Ctrl-C ends both cleanly."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from recall_lab.classroom.workbook import HIDDEN

START_PAGE = "start.ipynb"
FIRST_PORT = 8888
_PATIENCE = 60.0


def serve(folder: Path, *, browser: bool, port: int = FIRST_PORT) -> int:
    """Run JupyterLab on ``folder`` until Ctrl-C, and say where it is once it answers.

    A JupyterLab that already runs on this folder is shown instead of starting a second one.

    Parameters
    ----------
    folder : a laid-out workbook.
    browser : whether to open the page in a browser.
    port : the first port to try; a port in use is passed over for the next free one.

    Returns
    -------
    The exit code for the command line.
    """
    began = time.monotonic()
    running = address_of_running_server(folder)
    if running is not None:
        print(f"JupyterLab is already running on this folder:\n    {running}", flush=True)
        if browser:
            import webbrowser

            webbrowser.open(running)
        return 0

    from jupyterlab.labapp import LabApp

    token = secrets.token_hex(24)
    app = LabApp.initialize_server(argv=_arguments(folder, browser=browser, port=port, token=token))
    address = f"{app.connection_url.rstrip('/')}{_page(folder)}?token={token}"
    threading.Thread(target=_announce, args=(address, began), daemon=True).start()
    app.start()
    print("JupyterLab has stopped. Your work is in the folder; start again to go on.", flush=True)
    # All is saved and closed. But stopped right after a save, a worker thread of JupyterLab never ends, and
    # Python would wait for it for ever.
    os._exit(0)


def has_screen() -> bool:
    """Whether a browser window could open here.

    Examples
    --------
    >>> has_screen() in (True, False)
    True
    """
    if os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform.startswith("linux"):
        return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))
    return True


def address_of_running_server(folder: Path) -> str | None:
    """The address of a JupyterLab that runs on ``folder`` and answers, or ``None``."""
    from jupyter_server.serverapp import list_running_servers

    for server in list_running_servers():
        if Path(server["root_dir"]).resolve() == folder.resolve():
            address = f"{server['url'].rstrip('/')}{_page(folder)}?token={server['token']}"
            if answers(address):
                return address
    return None


def answers(address: str) -> bool:
    """Whether a page is really served at ``address`` (a proxy set for the outside world is not asked)."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=10) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _page(folder: Path) -> str:
    return f"/lab/tree/{START_PAGE}" if (folder / START_PAGE).is_file() else "/lab"


def _arguments(folder: Path, *, browser: bool, port: int, token: str) -> list[str]:
    arguments = {
        "ServerApp.root_dir": str(folder),
        "ServerApp.port": port,
        "ServerApp.open_browser": browser,
        "ServerApp.default_url": _page(folder),
        "ServerApp.answer_yes": True,
        "Application.log_level": logging.WARNING,
        "IdentityProvider.token": token,
        # The window layout belongs to the folder: tabs of other projects must not come up here.
        "LabApp.workspaces_dir": str(folder / HIDDEN / "workspaces"),
        # No question about news and no look-up of updates: a classroom may have no network.
        "LabApp.news_url": None,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        # A browser installed as a snap cannot read the file that Jupyter would have it open.
        "ServerApp.use_redirect_file": shutil.which("snap") is None and "WSL_DISTRO_NAME" not in os.environ,
        "ServerApp.allow_root": hasattr(os, "geteuid") and os.geteuid() == 0,
    }
    return [f"--{name}={value}" for name, value in arguments.items()]


def _announce(address: str, began: float) -> None:
    while time.monotonic() - began < _PATIENCE:
        if answers(address):
            print(
                f"JupyterLab answers after {time.monotonic() - began:.1f} s. Your workbook is at\n"
                f"    {address}\n"
                "Stop it with Ctrl-C in this window.",
                flush=True,
            )
            return
        time.sleep(0.1)
    print(
        f"JupyterLab has not answered for {_PATIENCE:.0f} s.\n"
        "  way out: stop it with Ctrl-C, run 'recall-lab doctor' and read its advice",
        flush=True,
    )
