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


class Served:
    """`zermelo serve` on a port of its own, which can be restarted there."""

    def __init__(self, data: Path, **settings: str) -> None:
        self._data = data
        self._port = free_port()
        own = {"ZERMELO_DATA": str(data), "ZERMELO_WARM_UP": "0"}
        self._environment = os.environ | ALL_WELCOME | own | settings
        self._process: subprocess.Popen[bytes] | None = None
        self.address = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "webapp", "serve", "--no-open", "--port", str(self._port)]
        with (self._data / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=log, stderr=subprocess.STDOUT
            )
        _wait_until_up(self.address, self._process)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=120)

    def kill(self) -> None:
        """As a power cut would: nothing is finished, nothing is told."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=120)

    def restart(self) -> None:
        self.stop()
        self.start()


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[str]:
    """The address of a server that keeps its data there, with these settings, until it ends."""
    with restartable(data, **settings) as served:
        yield served.address


@contextmanager
def restartable(data: Path, **settings: str) -> Iterator[Served]:
    """The same, to be restarted in between."""
    served = Served(data, **settings)
    try:
        served.start()
        yield served
    finally:
        served.stop()


def launch(playwright: Playwright) -> Browser:
    """Debian's Chromium where there is one, best without windows, else Playwright's own."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    arguments = [*QUIET, *(AS_ROOT if os.geteuid() == 0 else ())]
    return playwright.chromium.launch(executable_path=found, args=arguments)


def free_port() -> int:
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
