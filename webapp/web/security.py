"""Checks of every request (origin, size, texts, host), and the headers of every response."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from ipaddress import IPv6Address
from math import inf
from time import monotonic

from flask import Response, abort, request
from werkzeug.exceptions import SecurityError

from webapp.web import assets
from webapp.web.errors import CrossSiteError, InvalidFormError, is_api_request

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
        "frame-ancestors 'self'",  # the screen of a class shows pages of this site
        "frame-src 'self'",
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


def add_headers(response: Response) -> Response:
    """Add the headers to a response, errors and static files included.

    A response that needs another value, such as an image with a style of its own, sets it itself.
    """
    for name, value in ALWAYS.items():
        response.headers.setdefault(name, value)
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


def check_origin(api_origins: tuple[str, ...] = ()) -> None:
    """Raises CrossSiteError for a change from another site.

    Over plain http, as in a classroom, browsers send no Sec-Fetch-Site, but Origin with every form.
    Programs that use the API send neither, and need not: it reads no cookie, and takes JSON only,
    which no form can send. Pages of `api_origins` may use the API, by patterns.
    """
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    if origin and is_api_request() and any(fnmatchcase(origin, each) for each in api_origins):
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        allowed = site in OWN_SITE
    else:
        is_program = origin is None and is_api_request()
        allowed = is_program or origin == request.host_url.rstrip("/")
    if not allowed:
        raise CrossSiteError("this form was sent from another site, so nothing was changed")


NUL = "\0"  # PostgreSQL takes no text with one in it, and nobody types one


def bound_body(max_bytes: Callable[[str], int]) -> None:
    """Set the maximum size of the body, by the path of the request."""
    request.max_content_length = request.max_form_memory_size = max_bytes(request.path)


def check_texts() -> None:
    """Raises InvalidFormError for a NUL in a field of a form; an address with one is of nothing.

    What is asked after a question mark is not stored, and its page says what is wrong with it.
    """
    if any(NUL in str(part) for part in (request.view_args or {}).values()):
        abort(404)
    if request.method in SAFE_METHODS or request.url_rule is None:
        return  # what has no form is not searched for one: phones of a class ask all the time
    fields = request.form.items(multi=True)
    if any(NUL in text for field in fields for text in field):
        raise InvalidFormError("", "a text was sent with a NUL in it, which is no character")


# A name or an IPv6 address in brackets, and a port; a browser would read a link to
# `localhost:80@evil.example` or to `[::1%@evil.example#]` as one to evil.example.
HOST = re.compile(r"(\[[\da-fA-F:.]*(?:%[\w.-]+)?\]|[\w.-]*)(?::\d*)?")
LOOKUP_INTERVAL_S = 5.0  # between two lookups of this machine's names


class TrustedHosts:
    """The configured names, and this machine's own, looked up again as it changes networks."""

    def __init__(
        self,
        configured: Iterable[str],
        look_up: Callable[[], Iterable[str]],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._configured = tuple(map(normalised_host, configured))
        self._look_up = look_up
        self._clock = clock
        self._own: tuple[str, ...] = ()
        self._next = -inf

    def check(self) -> None:
        """Refuse a request for another host."""
        if not self.include(request.host):
            raise SecurityError("it names another host")

    def include(self, host: str) -> bool:
        """Whether a Host header is one of them; an unknown one causes a lookup, but not often."""
        now = self._clock()
        if not is_trusted(host, self._configured + self._own) and now >= self._next:
            self._next = now + LOOKUP_INTERVAL_S
            self._own = tuple(map(normalised_host, self._look_up()))
        return is_trusted(host, self._configured + self._own)


def is_trusted(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header is one of these; `.school.example` includes its subdomains."""
    called = normalised_host(host)
    return called != "" and any(
        called in (name, name.removeprefix(".")) or (name[:1] == "." and called.endswith(name))
        for name in names
    )


def normalised_host(host: str) -> str:
    """The host without its port, lower case and IDNA-encoded; empty where it is malformed."""
    is_bare_address = host.count(":") > 1 and not host.startswith("[")  # of IPv6, in a setting
    found = HOST.fullmatch(f"[{host}]" if is_bare_address else host)
    if found is None:
        return ""
    name = found[1].lower()
    try:
        if name.startswith("["):
            return f"[{IPv6Address(name[1:-1].partition('%')[0])}]"
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except ValueError:
        return ""
