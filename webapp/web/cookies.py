"""Who is asking: a random id in a signed cookie, given to whoever first starts a match."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from functools import lru_cache

from flask import Flask, Request, Response, current_app, g, request
from flask.sessions import SessionInterface
from itsdangerous import BadSignature, Signer

PLAYER_COOKIE = "zermelo-player"

PLAYER_COOKIE_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a player by their cookie, or a class that has voted."""

    player: str | None = None  # None: a visitor who has never played
    seat: str | None = None  # `class:<id>`, as it stands in a match


class NoSessions(SessionInterface):
    """Flask's own sessions, which nothing here uses, cost every request their cookie."""

    def open_session(self, app: Flask, request: Request) -> None:
        return None


def register(app: Flask) -> None:
    """Hand out the cookie with the answer to the request that needed it."""
    app.after_request(_remember)


def current_player() -> str | None:
    """The id in the cookie, if we signed it."""
    if "player" not in g:
        g.player = _read(_key(), request.cookies.get(_name(), ""))
    player: str | None = g.player
    return player


def current_actor() -> Actor:
    """Whoever sends this request."""
    return Actor(current_player())


def player_of_this_request() -> str:
    """The id in the cookie, or a new one that the answer will carry."""
    player = current_player()
    if player is None:
        player = g.player = g.new_player = secrets.token_hex(16)
    return player


def is_newcomer() -> bool:
    """Whether this request came without a cookie of ours, whatever it has been given since."""
    return current_player() is None or "new_player" in g


@lru_cache(maxsize=4096)  # a page that follows a match sends the same one every second
def _read(key: str, cookie: str) -> str | None:
    try:
        return _signer(key).unsign(cookie.encode()).decode()
    except (BadSignature, UnicodeError):
        return None


def _remember(response: Response) -> Response:
    player: str | None = g.get("new_player")
    if player is not None:
        response.set_cookie(
            _name(),
            _signer(_key()).sign(player).decode(),
            max_age=PLAYER_COOKIE_S,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response


def _name() -> str:
    return f"__Host-{PLAYER_COOKIE}" if request.is_secure else PLAYER_COOKIE


def _key() -> str:
    key = current_app.secret_key
    assert isinstance(key, str)
    return key


def _signer(key: str) -> Signer:
    return Signer(key, salt=PLAYER_COOKIE)


GAMES_COOKIE = "zermelo-met"
GAMES_COOKIE_S = 365 * 24 * 3600
KEYS = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
MOST = 40  # games


def games_met() -> frozenset[str]:
    """The keys of the games in the cookie; a cookie that is not ours says nothing."""
    text = request.cookies.get(GAMES_COOKIE, "")
    return frozenset(text.split(".")[:MOST]) if KEYS.fullmatch(text) else frozenset()


def remember_game(response: Response, key: str) -> Response:
    """From now on this browser has met that game."""
    met = games_met()
    if key not in met:
        names = [*sorted(met), key][-MOST:]
        response.set_cookie(
            GAMES_COOKIE,
            ".".join(names),
            max_age=GAMES_COOKIE_S,
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
