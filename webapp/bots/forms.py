"""What bots send, read and checked; raises InvalidFormError with the name of the field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.roster import player_spec, ready_spec
from engine import Match, Seat, load_game
from engine.catalog import find_entry
from engine.errors import ZermeloError, quoted, without_controls
from webapp.bots.models import Admission, Answer, BotRecord
from webapp.replays.models import Record, new_record
from webapp.web.errors import InvalidFormError
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

MAX_NAME_CHARS = 30  # leaves room for a number after it
MAX_PLAYS = 10
MAX_SPEC_CHARS = 200
MAX_MOVE_CHARS = 40  # that are read; no move is as long
MAX_VALUES = 500
MAX_REASON_CHARS = 300
MAX_LOG_CHARS = 4096

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Application:
    """A bot that wants to join."""

    name: str
    code: str
    plays: tuple[str, ...]


def read_application(body: Body) -> Application:
    """A bot's name, its code and the games it plays."""
    name = " ".join(_text(body, "name").split())[:MAX_NAME_CHARS].strip()
    if not name:
        raise InvalidFormError("", 'name: a bot needs a name, such as "Ada"')
    plays = body.get("plays") or []
    if isinstance(plays, str):
        plays = [plays]
    if not isinstance(plays, list) or len(plays) > MAX_PLAYS:
        raise InvalidFormError("", f"plays: a list of at most {MAX_PLAYS} games")
    return Application(name, _text(body, "code"), tuple(map(_game, plays)))


def check_game(application: Application, admission: Admission) -> None:
    """Raises InvalidFormError for a bot that does not play the game of the league it joins."""
    plays, game = application.plays, admission.game
    if plays and game is not None and game not in plays and game.partition(":")[0] not in plays:
        why = f"plays: this league plays {game}, your bot {', '.join(plays)}"
        raise InvalidFormError(game, why)


def read_answer(body: Body) -> Answer:
    """A move, and what the bot says of it; a text that is no move is for the rules to refuse."""
    if body.get("move") is None:
        raise InvalidFormError("", 'move: a text such as "b2"')
    move = _text(body, "move").strip()[:MAX_MOVE_CHARS]
    return Answer(move, _values(body), _reason(body), _log(body))


def read_resignation(body: Body) -> Answer:
    """Why a bot gives up; without a reason it simply resigns."""
    return Answer("", {}, _reason(body), _log(body))


def read_practice(body: Body, bot: BotRecord) -> Record:
    """The match that a bot asks for: an unrated one against a machine."""
    game = load_game(_text(body, "game")[:MAX_SPEC_CHARS] or "tictactoe")
    wanted = _text(body, "opponent")[:MAX_SPEC_CHARS] or "random"
    agent = ready_spec(player_spec(wanted, game), game, MAX_INLINE_TRAINING_S)
    seat = _text(body, "seat") or Seat.FIRST.mark
    if seat not in [each.mark for each in Seat]:
        raise InvalidFormError(seat, "seat: x moves first, o second")
    seats = (bot.seat, agent) if seat == Seat.FIRST.mark else (agent, bot.seat)
    return new_record(bot.id, Match.begin(game), seats)


def _text(body: Body, name: str) -> str:
    """A text, without what cannot be shown or stored."""
    value = body.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidFormError(str(value), f"{name}: a text, in quotes")
    return without_controls(value)


def _game(spec: object) -> str:
    """A game's key, or a variant as its canonical spec."""
    if not isinstance(spec, str) or len(spec) > MAX_SPEC_CHARS:
        raise InvalidFormError(str(spec), "plays: texts such as quixo")
    try:
        return find_entry(spec).key if ":" not in spec else load_game(spec).spec
    except ZermeloError as error:
        raise InvalidFormError(spec, f"plays: {error}") from error


def _values(body: Body) -> dict[str, float]:
    values = body.get("values") or {}
    if not isinstance(values, dict) or len(values) > MAX_VALUES:
        why = f"values: an object with a number for each move, at most {MAX_VALUES}"
        raise InvalidFormError("", why)
    for move, value in values.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and -1 <= value <= 1):  # neither NaN nor any infinity is
            why = f"values: {quoted(move)} has {quoted(str(value))}, not a number from -1 to 1"
            raise InvalidFormError(move, why)
    return {move: float(value) for move, value in values.items()}


def _reason(body: Body) -> str:
    return " ".join(_text(body, "reason").split())[:MAX_REASON_CHARS]


def _log(body: Body) -> str:
    """What its author reads: lines, cut at a length."""
    value = body.get("log")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidFormError(str(value), "log: a text, in quotes")
    kept = without_controls(value, "\n")
    return kept.rstrip() if len(kept) <= MAX_LOG_CHARS else f"…{kept[1 - MAX_LOG_CHARS :]}"
