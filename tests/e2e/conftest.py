"""A real server and a real Chromium. Whatever the browser complains about fails the test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Response,
    expect,
    sync_playwright,
)

from tests.e2e.visitor import Visitor

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
PATIENCE = 120_000  # milliseconds: a cold start compiles kernels, on a machine that is busy
OFFLINE = 0  # expected where a test pulls the plug
AS_ROOT = ("--no-sandbox",)  # Chromium's sandbox refuses to run as root


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app as `zermelo serve` starts it, with a data directory of its own."""
    data = tmp_path_factory.mktemp("data")
    port = _free_port()
    command = [sys.executable, "-m", "webapp.commands.serve", "--no-open", "--port", str(port)]
    environment = os.environ | {"ZERMELO_DATA": str(data)}
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
            continue
    raise RuntimeError(f"the server ended with exit code {process.returncode}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium where there is one, else Playwright's own."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        arguments = [*QUIET, *(AS_ROOT if os.geteuid() == 0 else ())]
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments
        )
        yield browser
        browser.close()


@dataclass
class Complaints:
    """What the browser complained about; statuses that a test provokes are expected."""

    host: str
    expected: set[int] = field(default_factory=set)
    heard: list[str] = field(default_factory=list)

    def listen(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda error: self.heard.append(f"error: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def _console(self, message: Any) -> None:
        refused = any(f"status of {status}" in message.text for status in self.expected)
        offline = OFFLINE in self.expected and "net::ERR_INTERNET" in message.text
        if message.type in ("error", "warning") and not (refused or offline):
            self.heard.append(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != self.host:
            self.heard.append(f"another host: {request.url}")

    def _failed(self, request: Any) -> None:
        # A page that is left takes its unanswered requests with it.
        if request.failure != "net::ERR_ABORTED" and OFFLINE not in self.expected:
            self.heard.append(f"failed: {request.url} ({request.failure})")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.heard.append(f"status {response.status}: {response.url}")


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Visit]:
    """Make a visitor: a browser of someone's own, with the screen and the wishes they have."""
    contexts: list[BrowserContext] = []
    complaints: list[Complaints] = []

    def arrive(*, expected: tuple[int, ...] = (), **screen: Any) -> Visitor:
        context = browser.new_context(base_url=server, **screen)
        context.set_default_timeout(PATIENCE)
        heard = Complaints(urlsplit(server).netloc, set(expected))
        heard.listen(context)
        contexts.append(context)
        complaints.append(heard)
        return Visitor(context.new_page())

    yield arrive
    for context in contexts:
        context.close()
    assert [line for heard in complaints for line in heard.heard] == []


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """Someone with a laptop."""
    return visit(viewport={"width": 1280, "height": 860})


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page
