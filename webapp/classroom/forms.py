"""Forms that ask the class a question."""

from __future__ import annotations

from collections.abc import Mapping

from agents.roster import analysts_for, ready_spec
from engine.catalog import load_game
from engine.errors import sentence
from engine.transcript import replayed
from webapp.questions.facts import AnsweredBy
from webapp.questions.models import Choice as Answer
from webapp.questions.models import Question
from webapp.questions.query import parse_question
from webapp.questions.truths import DEFAULT_CHOICES
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice
from webapp.workers.requests import MAX_INLINE_TRAINING_S

MAX_PROMPT_CHARS = 200
MAX_CHOICE_CHARS = 60
MAX_CHOICES = 6
MAX_TEXT_CHARS = 4000
MAX_VOTE_S = 600
MOVE, WINNER, OWN = "move", "winner", "choices"  # kinds of question
PROMPTS = {
    MOVE: "What would you play?",
    WINNER: "Who wins with best play?",
    OWN: "What do you think?",
}


def read_position(fields: Mapping[str, str]) -> Question:
    """Read a position: game, starting state and moves."""
    game = load_game(_bounded(fields, "game", 500) or "tictactoe")
    text = _bounded(fields, "state", 500)
    start = str(game.parse_state(text)) if text else None
    moves = tuple(_bounded(fields, "moves", MAX_TEXT_CHARS).replace(",", " ").split())
    if start == str(game.start):
        start = None
    match = replayed(game.spec, start, moves)
    return Question(game.spec, PROMPTS[MOVE], start=start, moves=tuple(map(str, match.moves)))


def read_question(fields: Mapping[str, str]) -> Question:
    """Read a question; one with a `truth` field comes complete from the catalogue."""
    if fields.get("truth"):
        return parse_question(fields)
    position = read_position(fields)
    kind = fields.get("kind", MOVE)
    if kind not in PROMPTS:
        raise InvalidFormError(kind, "one can ask for a move, for who wins, or for a choice")
    machine = _bounded(fields, "machine", 500)
    return Question(
        game=position.game,
        prompt=_printable(_bounded(fields, "prompt", MAX_PROMPT_CHARS)) or PROMPTS[kind],
        start=position.start,
        moves=position.moves,
        choices=_choices(kind, fields),
        truth={MOVE: "best", WINNER: "value"}.get(kind, ""),
        machine=ready_spec(machine, position.match.game, MAX_INLINE_TRAINING_S) if machine else "",
    )


def machines_for(question: Question) -> tuple[Choice, ...]:
    """Machines whose analysis the reveal can show."""
    strongest = Choice("", "the strongest there is", chosen=True)
    others = (Choice(entry.key, entry.title, False) for entry in analysts_for(question.match.game))
    return (strongest, *others)


def _choices(kind: str, fields: Mapping[str, str]) -> tuple[Answer, ...]:
    if kind == MOVE:
        return ()
    if kind == WINNER:
        return DEFAULT_CHOICES[AnsweredBy.WINNER]
    text = _bounded(fields, "choices", MAX_TEXT_CHARS).replace("|", "\n")
    found = tuple(dict.fromkeys(_printable(line) for line in text.splitlines() if line.strip()))
    if not 2 <= len(found) <= MAX_CHOICES or any(len(each) > MAX_CHOICE_CHARS for each in found):
        why = f"give 2 to {MAX_CHOICES} answers of up to {MAX_CHOICE_CHARS} letters, a line each"
        raise InvalidFormError(text[:40], why)
    return tuple(Answer(text, text) for text in found)


def read_seconds(text: str) -> int | None:
    """Read the countdown of a vote; None without one."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and 5 <= int(text[:6]) <= MAX_VOTE_S):
        raise InvalidFormError(text[:20], f"a vote takes 5 to {MAX_VOTE_S} seconds")
    return int(text)


def _bounded(fields: Mapping[str, str], name: str, max_chars: int) -> str:
    text = fields.get(name, "").strip()
    if len(text) > max_chars:
        raise InvalidFormError(text[:40], sentence(f"{name} is too long: {max_chars} letters do"))
    return text


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text).strip()
