"""By which names we may be called. Flask's own list knows no address of IPv6 (Werkzeug cuts every
name at its first colon), so it is ours that is asked."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv6Address

from flask import Flask, request
from werkzeug.exceptions import SecurityError


def register(app: Flask, trusted: Iterable[str]) -> None:
    """Look at the name before anything else does."""
    names = [plain(name) for name in trusted]

    @app.before_request
    def check() -> None:
        if not is_trusted(request.host, names):
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
