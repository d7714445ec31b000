"""A real server and a real Chromium. Whatever the browser complains about fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
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

from tests.e2e.server import launch, serving
from tests.e2e.visitor import Visitor

PATIENCE = 240_000  # milliseconds: a cold start compiles kernels, on a machine that is busy
OFFLINE = 0  # expected where a test pulls the plug, of the browser or of the server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    for item in items:
        if item.nodeid.startswith("tests/e2e/"):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, with a data directory of its own."""
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = launch(playwright)
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
        said = [f"status of {status}" for status in self.expected]
        said += ["net::ERR_", "htmx:"] if OFFLINE in self.expected else []
        if message.type in ("error", "warning") and not any(part in message.text for part in said):
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
    with visiting(browser, server) as arrive:
        yield arrive


@contextmanager
def visiting(browser: Browser, server: str) -> Iterator[Visit]:
    """Visitors of the server at this address; whatever their browsers complained about fails."""
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
