"""Import of matches from JSON and from transcripts."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from flask import Blueprint, Response, request

from agents.roster import player_spec, ready_spec
from engine import Match, Seat, read_transcript
from engine.errors import InvalidTranscriptError
from webapp.matches.changes import started
from webapp.matches.store import MatchStore
from webapp.puzzles.forms import read_progress
from webapp.puzzles.store import PuzzleStore
from webapp.replays.documents import FORMAT
from webapp.replays.models import PERSON, Record, is_for_agent, new_record
from webapp.services import Clock, service
from webapp.web.cookies import player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.query import Query, text
from webapp.web.rate_limits import RateLimits
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

exchange = Blueprint("exchange", __name__, url_prefix="/matches")

COLLECTION_FORMAT = "zermelo matches 1"
MAX_SHOWN_CHARS = 500  # of a text in the address
MOST = 300  # matches in a file
MOST_MOVES = 8000  # in a file: all are checked during the request
MAX_CLOCK_SKEW_S = 24 * 3600  # by which another computer's clock may be ahead
MIN_PLY_CHARS = 5  # characters of a ply in a transcript, including its number


@dataclass(frozen=True)
class ImportQuery(Query):
    """What the address of the form holds."""

    text: str = text(MAX_SHOWN_CHARS, "")


@exchange.get("/import")
def import_form() -> Response:
    """The import form."""
    return _form(ImportQuery.parse(request.args).text)


@exchange.post("/import")
def import_match() -> Response:
    """Create matches from JSON or a transcript, every move checked by the rules."""
    sent = _submitted_text()
    show_errors_on(lambda message, status: _form(sent, message, status))
    service(RateLimits).spend()
    player = player_of_this_request()
    # Charged before parsing, which takes long too.
    service(RateLimits).spend_on_match(min(len(sent) // MIN_PLY_CHARS, MOST_MOVES))
    data = read_json(sent) if sent.lstrip().startswith("{") else None
    if isinstance(data, dict) and data.get("format") == COLLECTION_FORMAT:
        now = int(service(Clock).now())
        records = read_collection(sent, data, player, now)
        if data.get("puzzles") is not None:
            service(PuzzleStore).take_over(*read_progress(data["puzzles"], player, now))
        service(MatchStore).keep(records)
        return go_to("/matches")
    match, seats = read_match(sent)
    return started(service(MatchStore).create(new_record(player, match, seats)))


def _submitted_text() -> str:
    """The pasted text, else the uploaded file; raises InvalidFormError."""
    file = request.files.get("file")
    if request.form.get("text", "").strip() or file is None:
        return request.form.get("text", "")
    try:
        return bytes(file.read()).decode()
    except UnicodeDecodeError as error:
        raise InvalidFormError("", "this file is no text") from error


def read_collection(text: str, data: dict[str, Any], player: str, now: int) -> list[Record]:
    """Read all matches of a file by the rules; raises for the first invalid one."""
    matches = data.get("matches")
    if not isinstance(matches, list) or len(matches) > MOST:
        raise InvalidTranscriptError(text, f"a file of matches has a list of at most {MOST}")
    lists = [one.get("moves") for one in matches if isinstance(one, dict)]
    if sum(len(moves) for moves in lists if isinstance(moves, list)) > MOST_MOVES:
        raise InvalidTranscriptError(text, f"a file of matches has at most {MOST_MOVES} moves")
    return [_read_record(text, one, player, now) for one in matches]


def _read_record(text: str, data: Any, player: str, now: int) -> Record:
    match, seats = _read_data(text, data)
    own, began, updated = (data.get(name) for name in ("own", "began", "updated"))
    if not (
        isinstance(own, list)
        and all(seat in (0, 1) and isinstance(seat, int) for seat in own)
        and all(isinstance(at, int) and 0 < at <= now + MAX_CLOCK_SKEW_S for at in (began, updated))
    ):
        why = "a match of a file says which seats are one's own, when it began and was changed"
        raise InvalidTranscriptError(text, why)
    first, second = (
        player if seats[seat] == PERSON and int(seat) in own else None for seat in Seat
    )
    record = new_record(player, match, seats, (first, second))
    return replace(record, created=began, updated=updated)


def read_match(text: str) -> tuple[Match[Any, Any], tuple[str, str]]:
    """Read a match and its players from JSON or a transcript; raises if it is invalid."""
    if not text.strip():
        raise InvalidFormError(text, "there is no match in an empty text")
    if not text.lstrip().startswith("{"):
        return read_transcript(text), (PERSON, PERSON)
    return _read_data(text, read_json(text))


def read_json(text: str) -> Any:
    """Parse JSON; raises InvalidTranscriptError."""
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
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidTranscriptError(text, f"a match in JSON has 'format': {FORMAT!r}")
    spec, players, moves = data.get("game"), data.get("players"), data.get("moves")
    result, start = data.get("result", "unfinished"), data.get("start")
    if not (
        _is_word_list([spec])
        and (start is None or isinstance(start, str))
        and _is_word_list(players)
        and len(players) == 2
        and _is_word_list(moves)
        and isinstance(result, str)
    ):
        why = "a match in JSON has a game, two players, a list of moves and a result, all as texts"
        raise InvalidTranscriptError(text, why)
    turns = [f"{ply}. {move}" for ply, move in enumerate(moves, start=1)]
    began = [] if start is None else [f"state {' '.join(start.split())}"]
    match = read_transcript("\n".join([f"game {spec}", *began, *turns, " ".join(result.split())]))
    first, second = (
        ready_spec(player_spec(player, match.game), match.game, MAX_INLINE_TRAINING_S)
        if is_for_agent(player)
        else PERSON
        for player in players
    )
    return match, (first, second)


def _is_word_list(value: Any) -> TypeGuard[list[str]]:
    """Whether this is a list of strings without white space, as moves and specs are."""
    return isinstance(value, list) and all(
        isinstance(part, str) and part.split() == [part] for part in value
    )


def _form(text: str, message: Message | None = None, status: int = 200) -> Response:
    template = "matches/import.html"
    return render(template, template, status, text=text, message=message)
