"""The app as `zermelo serve` starts it, and a Chromium that talks to nobody else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from tests.webapp.serving.process import SERVE, ServerProcess, free_port

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
OFTEN = "1000/10000"
ALL_WELCOME = {"ZERMELO_ADDRESS_NEWCOMERS": OFTEN, "ZERMELO_PLAYER_MATCHES": OFTEN} | {
    f"ZERMELO_RATE_{what}": f"{OFTEN},{OFTEN},{OFTEN}"
    for what in ("JOBS", "UPLOADS", "CLASSES", "SEATS")
}
AS_ROOT = ("--no-sandbox",)  # Chromium's sandbox refuses to run as root


class Served:
    """`zermelo serve` on a port of its own, which can be restarted there."""

    def __init__(self, data: Path, **settings: str) -> None:
        port = str(free_port())
        self.address = f"http://127.0.0.1:{port}"
        self._command = [port if word == "0" else word for word in SERVE]
        self._data, self._settings = data, ALL_WELCOME | settings
        self.start()

    def start(self) -> None:
        self._process = ServerProcess(self._data, self._command, **self._settings)

    def kill(self) -> None:
        """As a power cut would: nothing is finished, nothing is told."""
        self._process.kill()

    def restart(self) -> None:
        self._process.stop()
        self.start()

    def end(self) -> None:
        """Ask it to end, unless it was killed, and leave nothing running if it does not."""
        try:
            if self._process.process.poll() is None:
                self._process.stop()
        finally:
            self._process.end()


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[Served]:
    """A server that keeps its data there, with these settings, until the block ends."""
    served = Served(data, **settings)
    try:
        yield served
    finally:
        served.end()


def launch(playwright: Playwright) -> Browser:
    """Debian's Chromium where there is one, best without windows, else Playwright's own."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    arguments = [*QUIET, *(AS_ROOT if os.geteuid() == 0 else ())]
    return playwright.chromium.launch(executable_path=found, args=arguments)
