"""The owner of a server: whoever has opened the link that `zermelo serve` prints.

An address says nothing about who asks: behind a proxy every visitor comes from this computer.
"""

from __future__ import annotations

import hmac

from flask import Response, current_app, request

OWNER_COOKIE = "zermelo-owner"
MAX_AGE_S = 365 * 24 * 3600


def owner_key(secret_key: str) -> str:
    """The secret of the owner's link; it follows from the server's key."""
    return hmac.digest(secret_key.encode(), b"the link of the owner", "sha256").hex()[:40]


def is_owner() -> bool:
    """Whether the request comes from a browser that has opened the owner's link."""
    cookie = request.cookies.get(_name(), "")
    return hmac.compare_digest(cookie.encode(), _cookie_value().encode())


def is_owner_key(key: str) -> bool:
    return hmac.compare_digest(key.encode(), owner_key(_secret()).encode())


def remember_owner(response: Response) -> Response:
    """Set the cookie."""
    secure = request.is_secure
    response.set_cookie(
        _name(), _cookie_value(), MAX_AGE_S, secure=secure, httponly=True, samesite="Lax"
    )
    return response


def _cookie_value() -> str:
    return hmac.digest(_secret().encode(), b"the cookie of the owner", "sha256").hex()


def _name() -> str:
    return f"__Host-{OWNER_COOKIE}" if request.is_secure else OWNER_COOKIE


def _secret() -> str:
    key = current_app.secret_key
    assert isinstance(key, str)
    return key
