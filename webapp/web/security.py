"""Headers of every response: what a page may load, who may frame it, how long it may be kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import IPv6Address
from math import inf
from time import monotonic

from flask import Flask, Response, request
from werkzeug.exceptions import SecurityError

from webapp.web import assets
from webapp.web.errors import CrossSiteError

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "manifest-src 'self'",
    )
)
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # `no-referrer` would turn the Origin of a form into null, and our own forms away.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
FOUND = (200, 206, 304)
FOR_EVER = "public, max-age=31536000, immutable"
TWO_YEARS = 2 * 365 * 24 * 3600


def register_headers(app: Flask) -> None:
    """Set them on whatever leaves, errors and static files included."""
    app.after_request(add)


def add(response: Response) -> Response:
    for name, value in ALWAYS.items():
        response.headers[name] = value
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={TWO_YEARS}"
    response.headers["Cache-Control"] = _kept(response.status_code)
    return response


def _kept(status: int) -> str:
    """A page changes with every move; a file whose address carries its own hash never does."""
    path = assets.file_of_this_request()
    if path is None or status not in FOUND:
        return "private, no-cache"
    named = request.args.get("v")
    return FOR_EVER if named and named == assets.hash_now(path) else "no-cache"


SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN = frozenset({"same-origin", "none"})


def register_csrf(app: Flask) -> None:
    """Check every request before anything else looks at it."""
    app.before_request(check)


def check() -> None:
    """Raises CrossSiteError. Browsers say where a request comes from; over plain http on a
    classroom's network they leave out Sec-Fetch-Site, but send Origin with every form.
    """
    if request.method in SAFE:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        allowed = site in OWN
    else:
        allowed = request.headers.get("Origin") == request.host_url.rstrip("/")
    if not allowed:
        raise CrossSiteError("this form was sent from another site, so nothing was changed")


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


def register_hosts(
    app: Flask, trusted: Iterable[str], own: Callable[[], Iterable[str]] = tuple
) -> None:
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
