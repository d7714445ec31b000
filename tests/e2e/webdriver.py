"""Just enough of WebDriver for browsers that Playwright does not drive: WebKit's over HTTP,
Firefox's as Marionette, which is the same in packets on a socket."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.webapp.serving.process import free_port

PATIENCE = 120.0  # seconds
MINI = Path("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser")


@dataclass(frozen=True)
class Driven:
    """A page in a browser, by scripts alone."""

    goes_to: Callable[[str], object]
    runs: Callable[[str], Any]  # what the script returns, which is the body of a function

    def waits_for(self, script: str) -> Any:
        """The first thing it returns that is something."""
        return patiently(lambda: self.runs(script))


def patiently(ask: Callable[[], Any]) -> Any:
    """Ask until there is an answer."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        try:
            if found := ask():
                return found
        except OSError:
            pass  # not there yet
        sleep(0.1)
    raise AssertionError("nothing came of it in time")


@contextmanager
def webkit() -> Iterator[Driven | None]:
    """WebKitGTK's small browser, on a screen that nobody sees; None where it is not installed."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("xvfb-run")
    if driver is None or screen is None or not MINI.exists():
        yield None
        return
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    options = {"binary": str(MINI), "args": ["--automation"]}
    wishes = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
    with _running([screen, "-a", driver, f"--port={port}"]):
        made = patiently(lambda: _send(f"{base}/session", wishes))
        own = f"{base}/session/{made['sessionId']}"
        yield Driven(
            lambda address: _send(f"{own}/url", {"url": address}),
            lambda script: _send(f"{own}/execute/sync", {"script": script, "args": []}),
        )
        urllib.request.urlopen(urllib.request.Request(own, method="DELETE"), timeout=PATIENCE)


@contextmanager
def firefox(profile: Path) -> Iterator[Driven | None]:
    """Debian's Firefox without a screen; None where it is not installed."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        yield None
        return
    port = free_port()
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    command = [path, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with _running(command):
        line = patiently(lambda: socket.create_connection(("127.0.0.1", port), PATIENCE))
        with line:
            _packet(line)  # it says who it is
            _told(line, "WebDriver:NewSession", {})
            yield Driven(
                lambda address: _told(line, "WebDriver:Navigate", {"url": address}),
                lambda script: _told(
                    line, "WebDriver:ExecuteScript", {"script": script, "args": []}
                )["value"],
            )


@contextmanager
def _running(command: list[str]) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def _send(address: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(address, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())["value"]


def _told(line: socket.socket, command: str, arguments: dict[str, Any]) -> Any:
    said = json.dumps([0, 1, command, arguments])
    line.sendall(f"{len(said.encode())}:{said}".encode())
    _, _, error, answer = _packet(line)
    assert error is None, error
    return answer


def _packet(line: socket.socket) -> Any:
    """`12:` and then so many bytes of JSON."""
    size = b""
    while not size.endswith(b":"):
        size += line.recv(1)
    body = b""
    while len(body) < int(size[:-1]):
        body += line.recv(int(size[:-1]) - len(body))
    return json.loads(body)
