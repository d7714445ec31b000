"""Matches out and in: as JSON and as a transcript."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, TypeGuard

from flask import Blueprint, Response, jsonify, make_response, request, url_for

from agents.roster import player_spec, ready_spec
from engine import Game, Match, Seat, read_transcript
from engine.errors import InvalidTranscriptError
from webapp.matches.changes import started
from webapp.replays.models import PERSON, Record, is_for_people, new_record
from webapp.replays.views import ImportView
from webapp.services import services
from webapp.web.cookies import player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.workers.requests import ON_THE_SPOT

exchange = Blueprint("exchange", __name__, url_prefix="/matches")

FORMAT = "zermelo match 2"
ALL = "zermelo matches 1"
MOST = 300  # matches in a file
MOST_MOVES = 8000  # in all of them: each is checked while the visitor waits
A_DAY = 24 * 3600  # that another clock may be ahead
LETTERS = 5  # that a ply takes in a transcript, its number included
READABLE = ("zermelo match 1", FORMAT)  # the first had no start


@exchange.get("/<match_id>.json")
def as_json(match_id: str) -> Response:
    """The match for a program."""
    return show_json(services().store.find(match_id))


def show_json(record: Record) -> Response:
    """A record for a program."""
    match = record.match
    return jsonify(
        format=FORMAT,
        game=record.game,
        players=list(record.seats),
        start=record.start,
        moves=[str(move) for move in match.moves],
        state=str(match.state),
        result=match.result(),
        revision=record.revision,
        url=request.host_url.rstrip("/") + record.path,
    )


@exchange.get("/<match_id>.txt")
def as_text(match_id: str) -> Response:
    """The match for a person."""
    return show_text(services().store.find(match_id))


def show_text(record: Record) -> Response:
    """A record for a person."""
    response = make_response(record.match.transcript())
    response.mimetype = "text/plain"
    return response


@exchange.get("/import")
def import_form() -> Response:
    """Where to put a match that was kept elsewhere."""
    return _form(request.args.get("text", "")[:500])


@exchange.post("/import")
def import_match() -> Response:
    """A match of one's own from JSON or a transcript, every move checked by the rules."""
    text = _sent()
    show_errors_on(lambda message, status: _form(text, message, status))
    services().spend()
    player = player_of_this_request()
    # Before it is read, which takes long too: nobody's is read further than that.
    services().spend_on_match(min(len(text) // LETTERS, MOST_MOVES))
    data = read_json(text) if text.lstrip().startswith("{") else None
    if isinstance(data, dict) and data.get("format") == ALL:
        services().store.keep(read_all(text, data, player, int(services().clock())))
        return go_to("/matches")
    match, seats = read_match(text)
    return started(services().store.create(new_record(player, match, seats)))


def _sent() -> str:
    """What was pasted, else the file that was chosen; raises InvalidFormError."""
    file = request.files.get("file")
    if request.form.get("text", "").strip() or file is None:
        return request.form.get("text", "")
    try:
        return bytes(file.read()).decode()
    except UnicodeDecodeError as error:
        raise InvalidFormError("", "this file is no text") from error


def read_all(text: str, data: dict[str, Any], player: str, now: int) -> list[Record]:
    """Every match of a file, each checked by the rules; raises what is wrong with the first."""
    matches = data.get("matches")
    if not isinstance(matches, list) or len(matches) > MOST:
        raise InvalidTranscriptError(text, f"a file of matches has a list of at most {MOST}")
    lists = [one.get("moves") for one in matches if isinstance(one, dict)]
    if sum(len(moves) for moves in lists if isinstance(moves, list)) > MOST_MOVES:
        raise InvalidTranscriptError(text, f"a file of matches has at most {MOST_MOVES} moves")
    return [_read_one(text, one, player, now) for one in matches]


def _read_one(text: str, data: Any, player: str, now: int) -> Record:
    match, seats = _read_data(text, data)
    own, began, updated = (data.get(name) for name in ("own", "began", "updated"))
    if not (
        isinstance(own, list)
        and all(seat in (0, 1) and isinstance(seat, int) for seat in own)
        and all(isinstance(at, int) and 0 < at <= now + A_DAY for at in (began, updated))
    ):
        why = "a match of a file says which seats are one's own, when it began and was changed"
        raise InvalidTranscriptError(text, why)
    first, second = (
        player if seats[seat] == PERSON and int(seat) in own else None for seat in Seat
    )
    record = new_record(player, match, seats, (first, second))
    return replace(record, created=began, updated=updated)


def read_match(text: str) -> tuple[Match[Any, Any], tuple[str, str]]:
    """The match and who sits where; raises what is wrong with it."""
    if not text.strip():
        raise InvalidFormError(text, "there is no match in an empty text")
    if not text.lstrip().startswith("{"):
        return read_transcript(text), (PERSON, PERSON)
    return _read_data(text, read_json(text))


def read_json(text: str) -> Any:
    """The JSON in it; raises InvalidTranscriptError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidTranscriptError(text, f"this is no JSON: {error}") from error
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except (UnicodeError, ValueError, RecursionError) as error:
        why = "there is half a character in it, which nobody can show or keep"
        raise InvalidTranscriptError(text, why) from error
    return data


def _read_data(text: str, data: Any) -> tuple[Match[Any, Any], tuple[str, str]]:
    if not isinstance(data, dict) or data.get("format") not in READABLE:
        raise InvalidTranscriptError(text, f"a match in JSON has 'format': {FORMAT!r}")
    spec, players, moves = data.get("game"), data.get("players"), data.get("moves")
    result, start = data.get("result", "unfinished"), data.get("start")
    if not (
        _words([spec])
        and (start is None or isinstance(start, str))
        and _words(players)
        and len(players) == 2
        and _words(moves)
        and isinstance(result, str)
    ):
        why = "a match in JSON has a game, two players, a list of moves and a result, all as texts"
        raise InvalidTranscriptError(text, why)
    turns = [f"{ply}. {move}" for ply, move in enumerate(moves, start=1)]
    began = [] if start is None else [f"state {' '.join(start.split())}"]
    match = read_transcript("\n".join([f"game {spec}", *began, *turns, " ".join(result.split())]))
    first, second = (
        PERSON if is_for_people(player) else _ready(player, match.game) for player in players
    )
    return match, (first, second)


def _ready(player: str, game: Game[Any, Any]) -> str:
    return ready_spec(player_spec(player, game), game, ON_THE_SPOT)


def _words(value: Any) -> TypeGuard[list[str]]:
    """A list of texts without a space, as every move and spec is written."""
    return isinstance(value, list) and all(
        isinstance(part, str) and part.split() == [part] for part in value
    )


def _form(text: str, message: Message | None = None, status: int = 200) -> Response:
    view = ImportView(url_for("exchange.import_match"), text, message)
    return render("matches/import.html", "matches/import.html", status, form=view)
