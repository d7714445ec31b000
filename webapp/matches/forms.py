"""What scripts send about matches, read and checked; raises InvalidFormError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.roster import player_spec, ready_spec
from engine import Match, Seat, load_game
from engine.errors import without_controls
from webapp.replays.models import PERSON, FinishedError, Record, new_record
from webapp.web.cookies import Actor
from webapp.web.errors import InvalidFormError
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

MAX_MOVE_CHARS = 16
MAX_REVISION = 10**9
MAX_NAME_CHARS = 40

Body = Mapping[str, Any]


def read_match(body: Body, person: Actor) -> Record:
    """A match against a machine, without more of tic-tac-toe against Random."""
    game = load_game(_text(body, "game") or "tictactoe")
    start = _text(body, "start")
    match = Match.begin(game, game.parse_state(start) if start else None)
    if match.outcome() is not None:
        raise FinishedError("start: the game is over there")

    wanted = player_spec(_text(body, "opponent") or "random", game)
    opponent = ready_spec(wanted, game, MAX_INLINE_TRAINING_S)
    seat = _text(body, "seat") or Seat.FIRST.mark
    if seat not in [each.mark for each in Seat]:
        raise InvalidFormError(seat, "seat: x moves first, o second")
    seats = (PERSON, opponent) if seat == Seat.FIRST.mark else (opponent, PERSON)
    return new_record(person.player or "", match, seats)


def read_move(body: Body) -> str:
    """The text of a move."""
    move = _text(body, "move").strip()
    if not move or len(move) > MAX_MOVE_CHARS:
        raise InvalidFormError(move, 'move: a text such as "b2"')
    return move


def read_revision(body: Body) -> int | None:
    """The revision that a change was made for; None for whatever is current."""
    revision = body.get("revision")
    if revision is None:
        return None
    whole = isinstance(revision, int) and not isinstance(revision, bool)
    if not whole or not 0 <= revision <= MAX_REVISION:
        raise InvalidFormError(str(revision)[:40], "revision: a whole number, as a match has it")
    return int(revision)


def read_token_name(text: str) -> str:
    """What a person calls a token; raises InvalidFormError."""
    name = " ".join(text.split()) or "my script"
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        why = f"a name has up to {MAX_NAME_CHARS} printable letters"
        raise InvalidFormError(name[:MAX_NAME_CHARS], why)
    return name


def _text(body: Body, name: str) -> str:
    value = body.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidFormError(str(value)[:40], f"{name}: a text, in quotes")
    return without_controls(value).strip()
