"""A question as a form asks it: read from fields, never trusted."""

from __future__ import annotations

from collections.abc import Mapping

from agents.roster import analysts_for, ready_spec
from engine.catalog import load_game
from engine.errors import sentence
from engine.transcript import replayed
from webapp.classroom.models import BEST, VALUE, Posed
from webapp.classroom.truths import posed_as
from webapp.questions.query import posed_in
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice
from webapp.workers.requests import ON_THE_SPOT

LONGEST_PROMPT = 200
LONGEST_CHOICE = 60
MOST_CHOICES = 6
LONGEST_TEXT = 4000
LONGEST_VOTE = 600  # seconds
MOVE, WINNER, OWN = "move", "winner", "choices"  # what may be asked
PROMPTS = {
    MOVE: "What would you play?",
    WINNER: "Who wins with best play?",
    OWN: "What do you think?",
}
WINNERS = ("x wins", "o wins", "a draw")


def position_in(fields: Mapping[str, str]) -> Posed:
    """The position that fields name: a game, a state it begins in, moves from there."""
    game = load_game(_short(fields, "game", 500) or "tictactoe")
    text = _short(fields, "state", 500)
    start = str(game.parse_state(text)) if text else None
    moves = tuple(_short(fields, "moves", LONGEST_TEXT).replace(",", " ").split())
    if start == str(game.start):
        start = None
    match = replayed(game.spec, start, moves)
    return Posed(game.spec, PROMPTS[MOVE], start, tuple(map(str, match.moves)))


def question_in(fields: Mapping[str, str]) -> Posed:
    """The question; raises what is wrong with it. One that names its truth is all there."""
    if fields.get("truth"):
        return posed_as(posed_in(fields), seconds_in(fields.get("seconds", "")))
    place = position_in(fields)
    kind = fields.get("kind", MOVE)
    if kind not in PROMPTS:
        raise InvalidFormError(kind, "one can ask for a move, for who wins, or for a choice")
    machine = _short(fields, "machine", 500)
    return Posed(
        game=place.game,
        prompt=_printable(_short(fields, "prompt", LONGEST_PROMPT)) or PROMPTS[kind],
        start=place.start,
        moves=place.moves,
        choices=_choices(kind, fields),
        truth={MOVE: BEST, WINNER: VALUE}.get(kind),
        machine=ready_spec(machine, place.match.game, ON_THE_SPOT) if machine else None,
        seconds=seconds_in(fields.get("seconds", "")),
    )


def machines_for(posed: Posed) -> tuple[Choice, ...]:
    """Whose thoughts the reveal of a position may show; the strongest unless another is chosen."""
    strongest = Choice("", "the strongest there is", chosen=True)
    others = (Choice(entry.key, entry.title, False) for entry in analysts_for(posed.match.game))
    return (strongest, *others)


def _choices(kind: str, fields: Mapping[str, str]) -> tuple[str, ...] | None:
    if kind == MOVE:
        return None
    if kind == WINNER:
        return WINNERS
    text = _short(fields, "choices", LONGEST_TEXT).replace("|", "\n")
    found = tuple(dict.fromkeys(_printable(line) for line in text.splitlines() if line.strip()))
    if not 2 <= len(found) <= MOST_CHOICES or any(len(each) > LONGEST_CHOICE for each in found):
        why = f"give 2 to {MOST_CHOICES} answers of up to {LONGEST_CHOICE} letters, a line each"
        raise InvalidFormError(text[:40], why)
    return found


def seconds_in(text: str) -> int | None:
    """Of a vote with a countdown, if there is one."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and 5 <= int(text[:6]) <= LONGEST_VOTE):
        raise InvalidFormError(text[:20], f"a vote takes 5 to {LONGEST_VOTE} seconds")
    return int(text)


def _short(fields: Mapping[str, str], name: str, longest: int) -> str:
    text = fields.get(name, "").strip()
    if len(text) > longest:
        raise InvalidFormError(text[:40], sentence(f"{name} is too long: {longest} letters do"))
    return text


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text).strip()
