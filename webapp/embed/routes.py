"""Boards in frames of other sites: only those that ZERMELO_EMBED names, and without it nowhere."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request
from markupsafe import Markup

from engine import Match, load_game
from engine.errors import InvalidStateError, ZermeloError, quoted
from webapp.config import Config
from webapp.matches.store import MatchStore
from webapp.replays.query import PictureQuery, match_path, position_url
from webapp.services import service

embed = Blueprint("embed", __name__, url_prefix="/embed")
BLUEPRINTS = (embed,)

DEFAULT_GAME = "quixo"


@embed.before_request
def check_allowed() -> None:
    """Nothing is here unless a site may frame it."""
    if not service(Config).embed:
        abort(404, "Nothing of this server is shown on other sites.")


@embed.get("/positions")
def position() -> Response:
    """The position in the address, with a link to it."""
    game = load_game(request.args.get("game") or DEFAULT_GAME)
    text = " ".join(request.args.get("state", "").split()) or str(game.start)
    try:
        match = Match.begin(game, game.parse_state(text))
        match.outcome()
    except ZermeloError:
        raise
    except Exception as error:  # a game of another package
        why = f"{game.title} cannot read {quoted(text)}"
        raise InvalidStateError(text, why) from error
    return _frame(match, position_url(game.spec, str(match.state)))


@embed.get("/matches/<match_id>")
def match(match_id: str) -> Response:
    """A match after a ply, with a link to it."""
    record, query = service(MatchStore).find(match_id), PictureQuery.parse(request.args)
    ply = record.check_ply(query.ply)
    shown = record.match if query.ply is None else record.match.at(ply)
    return _frame(shown, PictureQuery(ply=query.ply).url(match_path(record.id)))


def _frame(match: Match[Any, Any], url: str) -> Response:
    """The board alone, in the colours of the reader's system unless the address has a theme."""
    theme, title = PictureQuery.parse(request.args).theme, match.game.title
    image = Markup(match.svg(theme))  # noqa: S704 - ours, escaped
    page = render_template("embed/board.html", board=image, title=title, url=url, theme=theme)
    response = make_response(page)
    sites = " ".join(service(Config).embed)
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        f"frame-ancestors {sites}"
    )
    return response
