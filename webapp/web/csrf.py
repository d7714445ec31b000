"""Cross-site requests: what changes something must come from a page of our own."""

from __future__ import annotations

from flask import Flask, request

from webapp.web.errors import CrossSiteError

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN = frozenset({"same-origin", "none"})


def register(app: Flask) -> None:
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
