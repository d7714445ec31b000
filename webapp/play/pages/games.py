"""One's own games: listed, and taken to another browser as a file."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from webapp.play.games import (
    A_PAGE,
    OwnFile,
    OwnGamesView,
    files_of,
    game_row,
    machine_rows,
    told_of,
)
from webapp.play.pages.exchange import ALL, FORMAT, MOST, MOST_MOVES
from webapp.play.records import Record, Unreadable
from webapp.services import services
from webapp.web.cookies import current_actor
from webapp.web.errors import UnknownMatchError
from webapp.web.htmx import render

games_page = Blueprint("own_games", __name__, url_prefix="/matches")


@games_page.get("")
def show() -> Response:
    """The last first, twenty a page, and one's record against each machine."""
    page = _number("page")
    actor, store = current_actor(), services().store
    found = store.of_player(actor.player or "", A_PAGE + 1, (page - 1) * A_PAGE)
    files = _files(actor.player)
    view = OwnGamesView(
        rows=tuple(game_row(record, actor) for record in found[:A_PAGE]),
        machines=machine_rows(store.finished(actor.player or ""), actor.player or ""),
        page=page,
        newer=f"/matches?page={page - 1}" if page > 1 else None,
        older=f"/matches?page={page + 1}" if len(found) > A_PAGE else None,
        files=files,
        held=told_of(files, MOST, MOST_MOVES),
    )
    return render("play/games.html", "play/games.html", games=view)


@games_page.get("/export")
def export() -> Response:
    """One of the files that hold all of them, the latest first, as many as can be opened again."""
    services().spend()
    actor, number = current_actor(), _number("file")
    files = _files(actor.player)
    if number > max(1, len(files)):
        raise UnknownMatchError(f"there is no file {number} of your matches: they fit in fewer")
    found = _those_in(files[number - 1], actor.player) if files else ()
    matches = [_written(record, actor.player) for record in found if isinstance(record, Record)]
    name = "zermelo-matches.json" if len(files) <= 1 else f"zermelo-matches-{number}.json"
    response = jsonify(format=ALL, matches=matches)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


def _number(field: str) -> int:
    """Of a page or a file, from 1; the first for what is no number."""
    text = request.args.get(field, "1")
    number = int(text) if text.isascii() and text.isdecimal() and 0 < len(text) <= 5 else 1
    return max(1, number)


def _files(player: str | None) -> tuple[OwnFile, ...]:
    return files_of(services().store.lengths(player or ""), MOST, MOST_MOVES)


def _those_in(file: OwnFile, player: str | None) -> tuple[Record | Unreadable, ...]:
    return services().store.of_player(player or "", file.last - file.first + 1, file.first - 1)


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
