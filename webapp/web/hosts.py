"""By which names we may be called. Flask's own list knows no address of IPv6 (Werkzeug cuts every
name at its first colon), so it is ours that is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import IPv6Address
from math import inf
from time import monotonic

from flask import Flask, request
from werkzeug.exceptions import SecurityError

LOOK_AGAIN = 5.0  # seconds before this machine's names are looked up once more


class OwnNames:
    """This machine's names and addresses, looked up again as it moves from network to network."""

    def __init__(
        self, look_up: Callable[[], Iterable[str]], clock: Callable[[], float] = monotonic
    ) -> None:
        self._look_up = look_up
        self._clock = clock
        self._names: tuple[str, ...] = ()
        self._next = -inf

    def include(self, host: str) -> bool:
        """Whether a Host header is one of them; one that is new is looked for, but not often."""
        if is_trusted(host, self._names):
            return True
        now = self._clock()
        if now < self._next:
            return False
        self._next = now + LOOK_AGAIN
        self._names = tuple(map(plain, self._look_up()))
        return is_trusted(host, self._names)


def register(app: Flask, trusted: Iterable[str], own: Callable[[], Iterable[str]] = tuple) -> None:
    """Look at the name before anything else does. What `own` finds may change from day to day."""
    names = [plain(name) for name in trusted]
    ours = OwnNames(own)

    @app.before_request
    def check() -> None:
        if not (is_trusted(request.host, names) or ours.include(request.host)):
            raise SecurityError("it names another host")


def is_trusted(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header is one of these; `.school.example` stands for all below it as well."""
    called = plain(host)
    return called != "" and any(
        called in (name, name.removeprefix(".")) or (name[:1] == "." and called.endswith(name))
        for name in names
    )


def plain(host: str) -> str:
    """The name without its port, as a browser would write it; empty where it is none."""
    try:
        if host.startswith("[") or host.count(":") > 1:
            address = host.strip("[").partition("]")[0].partition("%")[0]
            return f"[{IPv6Address(address)}]"
        name = host.partition(":")[0].lower()
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except ValueError:
        return ""
