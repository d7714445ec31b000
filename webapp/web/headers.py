"""Headers of every response: what a page may load, who may frame it, how long it may be kept."""

from __future__ import annotations

from flask import Flask, Response, request

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
FILES = ("static", "games.file")  # ours, and those of games from other packages
TWO_YEARS = 2 * 365 * 24 * 3600


def register(app: Flask) -> None:
    """Set them on whatever leaves, errors and static files included."""
    app.after_request(add)


def add(response: Response) -> Response:
    for name, value in ALWAYS.items():
        response.headers[name] = value
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={TWO_YEARS}"
    response.headers["Cache-Control"] = _kept()
    return response


def _kept() -> str:
    """A page changes with every move; a file whose address carries its hash never does."""
    if request.endpoint not in FILES:
        return "private, no-cache"
    return "public, max-age=31536000, immutable" if request.args.get("v") else "no-cache"
