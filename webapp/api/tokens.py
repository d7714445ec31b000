"""Bearer tokens: made once, shown once, stored as a hash."""

from __future__ import annotations

import secrets
from hashlib import sha256

from flask import request

from webapp.errors import RequestError

TOKEN_BYTES = 24
MAX_TOKEN_CHARS = 100


class TokenError(RequestError):
    """No token, or one that is unknown or revoked."""

    status = 401


class ExpiredTokenError(RequestError):
    """A token whose time is over."""

    status = 410


def new_token(prefix: str) -> str:
    """A secret that nobody can guess; the prefix says what it is for."""
    return f"{prefix}{secrets.token_urlsafe(TOKEN_BYTES)}"


def token_hash(token: str) -> str:
    """What is stored of a token; it has too many bits to be searched for, so no salt is needed."""
    return sha256(token.encode()).hexdigest()


def bearer_token(prefix: str = "zb_") -> str:
    """The token of the current request; raises TokenError, which says how such tokens begin."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise TokenError(
            f"this needs a token ({prefix}…): send it after Bearer in the header Authorization"
        )
    return token.strip()[:MAX_TOKEN_CHARS]
