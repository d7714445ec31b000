"""Headers of every response: what a page may load, who may frame it, how long it may be kept."""

from __future__ import annotations

from flask import Flask, Response, request

from webapp.web import assets

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


def register(app: Flask) -> None:
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
