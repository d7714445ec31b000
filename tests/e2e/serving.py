"""The app as `zermelo serve` starts it, and a Chromium that talks to nobody else."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from urllib.error import URLError

from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).parents[2]
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
)
# Every page of the tests is a new player's, and all of them come from one address.
ALL_WELCOME = {"ZERMELO_ADDRESS_NEWCOMERS": "1000/10000", "ZERMELO_PLAYER_MATCHES": "1000/10000"}
AS_ROOT = ("--no-sandbox",)  # Chromium's sandbox refuses to run as root


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[str]:
    """The address of a server that keeps its data there, with these settings, until it ends."""
    port = _free_port()
    command = [sys.executable, "-m", "webapp.cli", "serve", "--no-open", "--port", str(port)]
    own = {"ZERMELO_DATA": str(data), "ZERMELO_WARM_UP": "0"}
    environment = os.environ | ALL_WELCOME | own | settings
    with (data / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_up(address, process)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=30)


def launch(playwright: Playwright) -> Browser:
    """Debian's Chromium where there is one, else Playwright's own."""
    arguments = [*QUIET, *(AS_ROOT if os.geteuid() == 0 else ())]
    return playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_until_up(address: str, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/readyz", timeout=5):
                return
        except (URLError, OSError):
            sleep(0.05)  # leave it the processor it needs to start
    raise RuntimeError(f"the server ended with exit code {process.returncode}")
