"""The lobby: the games, whom to play, and what was left unfinished."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, request, url_for

from agents.formats import counted
from engine import Match
from engine.catalog import catalog, find_entry
from engine.errors import tell_once
from webapp.lobby.forms import chosen_game, chosen_seats, setup_view
from webapp.lobby.page import LobbyView, SetupView, Unfinished
from webapp.matches.changes import start
from webapp.replays.models import Record, Unreadable, new_record
from webapp.replays.seats import PlayerKind, players_at
from webapp.services import services
from webapp.web.cookies import Actor, current_actor, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message

lobby = Blueprint("lobby", __name__)
BLUEPRINTS = (lobby,)

MOST_UNFINISHED = 3
COUNTS = ("Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


@lobby.get("/")
def show() -> Response:
    """The whole lobby; for htmx, the card of the one game it asks about."""
    return render_lobby(request.args)


@lobby.post("/matches")
def begin() -> Response:
    """Begin a match as the form says; what is wrong with it is said on its card."""
    fields = request.form.to_dict()
    find_entry(fields.get("game", ""))  # without a game there is no card to say it on
    show_errors_on(lambda message, status: render_lobby(fields, message, status))
    services().spend()
    if fields.get("mode") == "watch" and "rival" not in fields:
        return go_to(_card_with_two(fields))
    game = chosen_game(fields)
    seats = chosen_seats(fields, game)
    return start(new_record(player_of_this_request(), Match.begin(game), seats))


def _card_with_two(fields: Mapping[str, str]) -> str:
    """Where both machines can be chosen: what *Watch* leads to where no script has brought it."""
    known = ("game", "mode", "opponent", "preset", "starts")
    chosen: dict[str, Any] = {name: fields[name] for name in known if fields.get(name)}
    return url_for("lobby.show", _anchor=f"setup-{fields['game']}", **chosen)


def render_lobby(
    fields: Mapping[str, str], message: Message | None = None, status: int = 200
) -> Response:
    """The lobby with one game's form filled in, and what was wrong with it."""
    chosen = fields.get("game")
    setups = tuple(_setups(fields, message))
    setup = next((setup for setup in setups if setup.game == chosen), setups[0])
    view = LobbyView(
        count=_count(len(setups)),
        setups=setups,
        unfinished=unfinished(),
        import_url=url_for("exchange.import_form"),
        positions_url="/positions",
        own_games=_own_games(),
    )
    partial = "lobby/_setup.html" if chosen else "lobby/page.html"
    return render("lobby/page.html", partial, status, lobby=view, setup=setup)


def _setups(fields: Mapping[str, str], message: Message | None) -> Iterator[SetupView]:
    """A card for each game; one whose package fails has none, and the others stand."""
    for entry in catalog():
        about = message if entry.key == fields.get("game") else None
        try:
            setup = setup_view(entry, fields, about)
        except Exception as error:
            if not entry.home:  # ours must not fail
                raise
            tell_once(__name__, f"game {entry.key} is left out of the lobby: {error!r}"[:500])
        else:
            yield setup


def _count(games: int) -> str:
    """In a word, as far as words go: packages may bring any number of games."""
    return COUNTS[games - 3] if games - 3 < len(COUNTS) else str(games)


def unfinished() -> tuple[Unfinished, ...]:
    """What this player can go on with."""
    actor = current_actor()
    if actor.player is None:
        return ()
    records = services().store.unfinished(actor.player, MOST_UNFINISHED)
    return tuple(_line(record, actor) for record in records)


def _own_games() -> str | None:
    """Where this player's matches are listed, finished or not."""
    player = current_actor().player
    if player is None or not services().store.of_player(player, 1, 0):
        return None
    return url_for("own_games.show")


def _line(record: Record | Unreadable, actor: Actor) -> Unfinished:
    url = url_for("matches.show", match_id=record.id)
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
