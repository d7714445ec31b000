"""Which games a browser has met: whoever has not is offered to be told the rules, once."""

from __future__ import annotations

import re

from flask import Response, request

NAME = "zermelo-met"
A_YEAR = 365 * 24 * 3600
KEYS = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
MOST = 40  # games


def games_met() -> frozenset[str]:
    """The keys of the games in the cookie; a cookie that is not ours says nothing."""
    text = request.cookies.get(NAME, "")
    return frozenset(text.split(".")[:MOST]) if KEYS.fullmatch(text) else frozenset()


def remember_game(response: Response, key: str) -> Response:
    """From now on this browser has met that game."""
    met = games_met()
    if key not in met:
        names = [*sorted(met), key][-MOST:]
        response.set_cookie(
            NAME,
            ".".join(names),
            max_age=A_YEAR,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
