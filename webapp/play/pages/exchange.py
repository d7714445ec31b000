"""Matches out and in: as JSON, as a transcript, and on from any ply as one's own."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

from flask import Blueprint, Response, jsonify, make_response, request, url_for

from agents.roster import agent_spec
from engine import Match, read_transcript
from engine.errors import InvalidTranscriptError
from webapp.play.look import Look
from webapp.play.pages.matches import started
from webapp.play.pages.showing import begin_change, find
from webapp.play.records import PERSON, PlyRecord, Record
from webapp.play.views import ImportView
from webapp.services import services
from webapp.web.errors import FinishedError, InvalidFormError, show_errors_on
from webapp.web.htmx import render
from webapp.web.messages import Message
from webapp.web.players import player_of_this_request

exchange = Blueprint("exchange", __name__, url_prefix="/matches")

FORMAT = "zermelo match 1"


@exchange.get("/<match_id>.json")
def as_json(match_id: str) -> Response:
    """The match for a program."""
    record = services().store.find(match_id)
    match = record.match
    return jsonify(
        format=FORMAT,
        game=record.game,
        players=list(record.seats),
        moves=[str(move) for move in match.moves],
        state=str(match.state),
        result=match.result(),
        revision=record.revision,
        url=url_for("matches.show", match_id=record.id, _external=True),
    )


@exchange.get("/<match_id>.txt")
def as_text(match_id: str) -> Response:
    """The match for a person."""
    response = make_response(services().store.find(match_id).match.transcript())
    response.mimetype = "text/plain"
    return response


@exchange.get("/import")
def import_form() -> Response:
    """Where to put a match that was kept elsewhere."""
    return _form(request.args.get("text", "")[:500])


@exchange.post("/import")
def import_match() -> Response:
    """A match of one's own from JSON or a transcript, every move checked by the rules."""
    text = request.form.get("text", "")
    show_errors_on(lambda message, status: _form(text, message, status))
    services().spend()
    match, seats = read_match(text)
    return started(_keep(match, seats))


@exchange.post("/<match_id>/play-on")
def play_on(match_id: str) -> Response:
    """A match of one's own from a ply of any match one can see."""
    begin_change(match_id)
    look = Look.of(request.form)
    record = find(match_id, look)
    match = record.match.at(len(record.plies) if look.ply is None else look.ply)
    if match.outcome() is not None:
        raise FinishedError("the game is over here: there is nothing to play on from")
    return started(_keep(match, _seats_from(record, match)))


def read_match(text: str) -> tuple[Match[Any, Any], tuple[str, str]]:
    """The match and who sits where; raises what is wrong with it."""
    if not text.strip():
        raise InvalidFormError(text, "there is no match in an empty text")
    if not text.lstrip().startswith("{"):
        return read_transcript(text), (PERSON, PERSON)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidTranscriptError(text, f"this is no JSON: {error}") from error
    return _read_data(text, data)


def _read_data(text: str, data: Any) -> tuple[Match[Any, Any], tuple[str, str]]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidTranscriptError(text, f"a match in JSON has 'format': {FORMAT!r}")
    spec, players, moves = data.get("game"), data.get("players"), data.get("moves")
    result = data.get("result", "unfinished")
    if not (
        _words([spec])
        and _words(players)
        and len(players) == 2
        and _words(moves)
        and isinstance(result, str)
    ):
        why = "a match in JSON has a game, two players, a list of moves and a result, all as texts"
        raise InvalidTranscriptError(text, why)
    turns = [f"{ply}. {move}" for ply, move in enumerate(moves, start=1)]
    match = read_transcript("\n".join([f"game {spec}", *turns, " ".join(result.split())]))
    first, second = (
        PERSON if player == PERSON else agent_spec(player, match.game) for player in players
    )
    return match, (first, second)


def _words(value: Any) -> TypeGuard[list[str]]:
    """A list of texts without a space, as every move and spec is written."""
    return isinstance(value, list) and all(
        isinstance(part, str) and part.split() == [part] for part in value
    )


def _seats_from(record: Record, match: Match[Any, Any]) -> tuple[str, str]:
    """The same players; where two agents play, the visitor takes the seat that is to move."""
    if record.people:
        return record.seats
    first, second = record.seats
    return (PERSON, second) if match.state.to_move == 0 else (first, PERSON)


def _keep(match: Match[Any, Any], seats: tuple[str, str]) -> Record:
    plies = tuple(PlyRecord(str(move), at) for at, move in enumerate(match.moves))
    return services().store.create(
        player_of_this_request(), match.game.spec, seats, plies, match.resigned
    )


def _form(text: str, message: Message | None = None, status: int = 200) -> Response:
    view = ImportView(url_for("exchange.import_match"), text, message)
    return render("play/import.html", "play/import.html", status, form=view)
