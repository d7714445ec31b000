"""The player's signed cookie, set when they first start a match, and two that only change pages:
the games met, and whether the teacher's tools are shown."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from functools import lru_cache

from flask import Flask, Request, Response, current_app, g, request
from flask.sessions import SessionInterface
from itsdangerous import BadSignature, Signer

PLAYER_COOKIE = "zermelo-player"
GAMES_COOKIE = "zermelo-met"
TEACHER_COOKIE = "zermelo-teacher"
MAX_AGE_S = 365 * 24 * 3600
CLASS_AGE_S = 24 * 3600  # as long as a class lasts that nobody keeps
GAME_KEYS = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
MAX_GAMES = 40


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a player by their cookie, or a class that has voted."""

    player: str | None = None  # None: a visitor who has never played
    seat: str | None = None  # `class:<id>`, as it stands in a match


class NoSessions(SessionInterface):
    """Turns Flask's sessions off: nothing uses them, and each request would read their cookie."""

    def open_session(self, app: Flask, request: Request) -> None:
        return None


def current_player() -> str | None:
    """The id in the cookie, if its signature is ours."""
    if "player" not in g:
        g.player = _read(_key(), request.cookies.get(_name(), ""))
    player: str | None = g.player
    return player


def current_actor() -> Actor:
    """Who sends the current request."""
    return Actor(current_player())


def player_of_this_request() -> str:
    """The id in the cookie, or a new one that the response sets."""
    player = current_player()
    if player is None:
        player = g.player = g.new_player = secrets.token_hex(16)
    return player


def is_newcomer() -> bool:
    """Whether the current request came without a valid cookie."""
    return current_player() is None or "new_player" in g


@lru_cache(maxsize=4096)  # a page that follows a match sends the same one every second
def _read(key: str, cookie: str) -> str | None:
    try:
        return _signer(key).unsign(cookie.encode()).decode()
    except (BadSignature, UnicodeError):
        return None


def remember_player(response: Response) -> Response:
    """Set the cookie of a new player."""
    player: str | None = g.get("new_player")
    if player is not None:
        _set(response, _name(), _signer(_key()).sign(player).decode())
    return response


def _set(response: Response, name: str, value: str, max_age: int = MAX_AGE_S) -> None:
    secure = request.is_secure
    response.set_cookie(name, value, max_age, secure=secure, httponly=True, samesite="Lax")


def _name() -> str:
    return f"__Host-{PLAYER_COOKIE}" if request.is_secure else PLAYER_COOKIE


def _key() -> str:
    key = current_app.secret_key
    assert isinstance(key, str)
    return key


def _signer(key: str) -> Signer:
    return Signer(key, salt=PLAYER_COOKIE)


def games_met() -> frozenset[str]:
    """The keys of the games in the cookie; none if it is malformed."""
    text = request.cookies.get(GAMES_COOKIE, "")
    return frozenset(text.split(".")[:MAX_GAMES]) if GAME_KEYS.fullmatch(text) else frozenset()


def remember_game(response: Response, key: str) -> Response:
    """Add a game to the cookie."""
    met = games_met()
    if key not in met:
        _set(response, GAMES_COOKIE, ".".join([*sorted(met), key][-MAX_GAMES:]))
    return response


def shows_teacher_tools() -> bool:
    """Whether pages show *Ask the class* and *Projector*: wished for, or a class is on."""
    return request.cookies.get(TEACHER_COOKIE, "") in ("wished", "class")


def wish_teacher_tools(response: Response, *, shown: bool) -> Response:
    """Show or hide the teacher's tools as this browser wishes."""
    if shown:
        _set(response, TEACHER_COOKIE, "wished")
    else:
        response.delete_cookie(TEACHER_COOKIE, httponly=True, samesite="Lax")
    return response


def follow_class(response: Response, *, is_over: bool) -> Response:
    """Show the teacher's tools while a class is on; a wish outlasts it."""
    cookie = request.cookies.get(TEACHER_COOKIE, "")
    if not is_over and not cookie:
        _set(response, TEACHER_COOKIE, "class", CLASS_AGE_S)
    elif is_over and cookie == "class":
        wish_teacher_tools(response, shown=False)
    return response
