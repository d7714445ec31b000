"""One's own games: listed, and taken to another browser as a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flask import Blueprint, Response, jsonify, request

from webapp.play.games import A_PAGE, OwnGamesView, game_row, machine_rows
from webapp.play.pages.exchange import ALL, FORMAT, MOST, MOST_MOVES
from webapp.play.records import Record, Unreadable
from webapp.services import services
from webapp.web.htmx import render
from webapp.web.players import current_actor

games_page = Blueprint("own_games", __name__, url_prefix="/matches")


@games_page.get("")
def show() -> Response:
    """The last first, twenty a page, and one's record against each machine."""
    text = request.args.get("page", "1")
    page = int(text) if text.isascii() and text.isdecimal() and 0 < len(text) <= 5 else 1
    page = max(1, page)
    actor, store = current_actor(), services().store
    found = store.of_player(actor.player or "", A_PAGE + 1, (page - 1) * A_PAGE)
    view = OwnGamesView(
        rows=tuple(game_row(record, actor) for record in found[:A_PAGE]),
        machines=machine_rows(store.finished(actor.player or ""), actor.player or ""),
        page=page,
        newer=f"/matches?page={page - 1}" if page > 1 else None,
        older=f"/matches?page={page + 1}" if len(found) > A_PAGE else None,
        export="/matches/export",
    )
    return render("play/games.html", "play/games.html", games=view)


@games_page.get("/export")
def export() -> Response:
    """All of them in one file, the latest first, as many as can be opened again."""
    services().spend()
    actor = current_actor()
    found = services().store.of_player(actor.player or "", MOST, 0)
    response = jsonify(format=ALL, matches=list(_fitting(found, actor.player)))
    response.headers["Content-Disposition"] = "attachment; filename=zermelo-matches.json"
    return response


def _fitting(
    found: Iterable[Record | Unreadable], player: str | None
) -> Iterator[dict[str, object]]:
    """Those that can be read, as far as one file may hold them."""
    moves = 0
    for record in found:
        if isinstance(record, Record):
            moves += len(record.plies)
            if moves > MOST_MOVES:
                return
            yield _written(record, player)


def _written(record: Record, player: str | None) -> dict[str, object]:
    """A match as its own file has it, with its times and which seats are one's own."""
    match = record.match
    return {
        "format": FORMAT,
        "game": record.game,
        "players": list(record.seats),
        "start": record.start,
        "moves": [str(move) for move in match.moves],
        "result": match.result(),
        "own": [seat for seat in (0, 1) if player is not None and record.holders[seat] == player],
        "began": record.created,
        "updated": record.updated,
    }
