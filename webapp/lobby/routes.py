"""The lobby: forms that set up a match of each game, and the visitor's unfinished matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, request, url_for

from agents.formats import counted
from engine import Match
from engine.catalog import catalog, find_entry
from engine.errors import warn_once
from webapp.lobby.forms import chosen_game, chosen_seats, setup_view
from webapp.lobby.page import LobbyView, SetupView, Unfinished
from webapp.matches.changes import start
from webapp.matches.store import MatchStore
from webapp.replays.models import Record, Unreadable, new_record
from webapp.replays.seats import PlayerKind, players_at
from webapp.services import service
from webapp.web.cookies import Actor, current_actor, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

lobby = Blueprint("lobby", __name__)
BLUEPRINTS = (lobby,)

MAX_UNFINISHED = 3
NUMBER_WORDS = ("Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


@lobby.get("/")
def show() -> Response:
    """The lobby; for htmx the card of one game."""
    return render_lobby(request.args)


@lobby.post("/matches")
def begin() -> Response:
    """Start a match; errors of the form are shown on its card."""
    fields = request.form.to_dict()
    find_entry(fields.get("game", ""))  # raises: without a game there is no card for the error
    show_errors_on(lambda message, status: render_lobby(fields, message, status))
    service(RateLimits).spend()
    if fields.get("mode") == "watch" and "rival" not in fields:
        return go_to(_two_machines_url(fields))
    game = chosen_game(fields)
    seats = chosen_seats(fields, game)
    return start(new_record(player_of_this_request(), Match.begin(game), seats))


def _two_machines_url(fields: Mapping[str, str]) -> str:
    """The card on which both machines can be chosen, for *Watch* without JavaScript."""
    names = ("game", "mode", "opponent", "preset", "starts")
    chosen: dict[str, Any] = {name: fields[name] for name in names if fields.get(name)}
    return url_for("lobby.show", _anchor=f"setup-{fields['game']}", **chosen)


def render_lobby(
    fields: Mapping[str, str], message: Message | None = None, status: int = 200
) -> Response:
    """Render the lobby with one game's form filled in, and its error."""
    chosen = fields.get("game")
    setups = tuple(_setups(fields, message))
    setup = next((setup for setup in setups if setup.game == chosen), setups[0])
    view = LobbyView(
        count=_count(len(setups)),
        setups=setups,
        unfinished=_unfinished(),
        import_url=url_for("exchange.import_form"),
        positions_url="/positions",
        own_games=_own_games(),
    )
    partial = "lobby/_setup.html" if chosen else "lobby/page.html"
    return render("lobby/page.html", partial, status, lobby=view, setup=setup)


def _setups(fields: Mapping[str, str], message: Message | None) -> Iterator[SetupView]:
    """The card of each game, except for packages that fail."""
    for entry in catalog():
        own_message = message if entry.key == fields.get("game") else None
        try:
            setup = setup_view(entry, fields, own_message)
        except Exception as error:
            if not entry.home:  # built-in games must not fail
                raise
            warn_once(__name__, f"game {entry.key} is left out of the lobby: {error!r}"[:500])
        else:
            yield setup


def _count(games: int) -> str:
    """The number of games as a word, as far as there are words."""
    return NUMBER_WORDS[games - 3] if games - 3 < len(NUMBER_WORDS) else str(games)


def _unfinished() -> tuple[Unfinished, ...]:
    """This player's last unfinished matches."""
    actor = current_actor()
    if actor.player is None:
        return ()
    records = service(MatchStore).unfinished(actor.player, MAX_UNFINISHED)
    return tuple(_unfinished_row(record, actor) for record in records)


def _own_games() -> str | None:
    """The list of this player's matches; None if there are none."""
    player = current_actor().player
    if player is None or not service(MatchStore).of_player(player, 1, 0):
        return None
    return url_for("own_games.show")


def _unfinished_row(record: Record | Unreadable, actor: Actor) -> Unfinished:
    url = url_for("matches.replay", match_id=record.id)
    if isinstance(record, Unreadable):
        return Unfinished(url, "a match whose game has changed, or is gone", "Unreadable:")
    match = record.match
    players = players_at(record, match.ply, actor)
    mover = next((player for player in players if player.to_move), None)
    if mover is None:
        turn = "over"
    else:
        turn = "your move" if mover.kind is PlayerKind.YOU else f"{mover.title} to move"
    others = [player.title for player in players if player.kind is not PlayerKind.YOU]
    who = f"against {others[0]}" if len(others) == 1 else f": {' and '.join(others)}"
    title = f"{match.game.title} {who}".replace(" :", ":")
    return Unfinished(url, f"{title}, {turn}, after {counted(match.ply, 'move', 'moves')}")
