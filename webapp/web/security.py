"""Security headers, caching headers, the check against cross-site requests, and trusted hosts."""

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
    # With `no-referrer` the Origin of a form is null, and our own forms would be refused.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
CACHEABLE_STATUSES = (200, 206, 304)
IMMUTABLE = "public, max-age=31536000, immutable"
HSTS_S = 2 * 365 * 24 * 3600


def register_headers(app: Flask) -> None:
    """Add the headers to every response, errors and static files included."""
    app.after_request(add_headers)


def add_headers(response: Response) -> Response:
    for name, value in ALWAYS.items():
        response.headers[name] = value
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={HSTS_S}"
    response.headers["Cache-Control"] = _cache_control(response.status_code)
    return response


def _cache_control(status: int) -> str:
    """Pages are revalidated; a file whose address carries its hash never changes."""
    path = assets.requested_file()
    if path is None or status not in CACHEABLE_STATUSES:
        return "private, no-cache"
    named = request.args.get("v")
    return IMMUTABLE if named and named == assets.file_hash(path) else "no-cache"


SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITE = frozenset({"same-origin", "none"})


def register_csrf(app: Flask) -> None:
    """Check the origin of every request first."""
    app.before_request(check_origin)


def check_origin() -> None:
    """Raises CrossSiteError for a change from another site.

    Over plain http, as in a classroom, browsers send no Sec-Fetch-Site, but Origin with every form.
    """
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        allowed = site in OWN_SITE
    else:
        allowed = request.headers.get("Origin") == request.host_url.rstrip("/")
    if not allowed:
        raise CrossSiteError("this form was sent from another site, so nothing was changed")


LOOKUP_INTERVAL_S = 5.0  # between two lookups of this machine's names


class OwnNames:
    """This machine's names and addresses, looked up again as it changes networks."""

    def __init__(
        self, look_up: Callable[[], Iterable[str]], clock: Callable[[], float] = monotonic
    ) -> None:
        self._look_up = look_up
        self._clock = clock
        self._names: tuple[str, ...] = ()
        self._next = -inf

    def include(self, host: str) -> bool:
        """Whether a Host header is one of them; an unknown one causes a lookup, but not often."""
        if is_trusted(host, self._names):
            return True
        now = self._clock()
        if now < self._next:
            return False
        self._next = now + LOOKUP_INTERVAL_S
        self._names = tuple(map(normalised_host, self._look_up()))
        return is_trusted(host, self._names)


def register_hosts(
    app: Flask, trusted: Iterable[str], own: Callable[[], Iterable[str]] = tuple
) -> None:
    """Refuse requests for other hosts; `own` looks up names that change with the network."""
    names = [normalised_host(name) for name in trusted]
    ours = OwnNames(own)

    @app.before_request
    def check_host() -> None:
        if not (is_trusted(request.host, names) or ours.include(request.host)):
            raise SecurityError("it names another host")


def is_trusted(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header is one of these; `.school.example` includes its subdomains."""
    called = normalised_host(host)
    return called != "" and any(
        called in (name, name.removeprefix(".")) or (name[:1] == "." and called.endswith(name))
        for name in names
    )


def normalised_host(host: str) -> str:
    """The host without its port, lower case and IDNA-encoded; empty where it is malformed."""
    try:
        if host.startswith("[") or host.count(":") > 1:
            address = host.strip("[").partition("]")[0].partition("%")[0]
            return f"[{IPv6Address(address)}]"
        name = host.partition(":")[0].lower()
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except ValueError:
        return ""
