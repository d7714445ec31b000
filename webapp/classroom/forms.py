"""Forms and queries of a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from agents.roster import analysts_for, ready_spec
from engine.catalog import load_game
from engine.errors import sentence, without_controls
from engine.transcript import replayed
from webapp.questions.facts import AnsweredBy
from webapp.questions.models import Choice as Answer
from webapp.questions.models import Question
from webapp.questions.plain import POLL, check_plain, is_plain, right_truth
from webapp.questions.plans import MAX_VOTE_S, parse_link
from webapp.questions.query import parse_question
from webapp.questions.truths import DEFAULT_CHOICES, check_question
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice
from webapp.web.query import Query, text
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

MAX_PROMPT_CHARS = 200
MAX_CHOICE_CHARS = 60
MAX_CHOICES = 6
MAX_TEXT_CHARS = 4000
MAX_PICK_CHARS = 16
MAX_NAME_CHARS = 40
MOVE, WINNER, OWN, PLAIN = "move", "winner", "choices", "plain"  # kinds of question
PROMPTS = {
    MOVE: "What would you play?",
    WINNER: "Who wins with best play?",
    OWN: "What do you think?",
    PLAIN: "What do you think?",  # about no position
}


@dataclass(frozen=True)
class ClassQuery(Query):
    """What the address of a page of a class holds."""

    known: str | None = text(500)  # version of the page that is polled for
    pick: str | None = text(MAX_PICK_CHARS)  # of a phone: the part of a move that was pressed
    picked_in: str | None = text(40)  # of a phone: the round and vote in which it was, as "3.1"
    game: str | None = text(500)  # of a control: chosen for a match that is not begun yet
    machine: str | None = text(500)  # of a phone: chosen for the cup, not entered yet


def read_position(fields: Mapping[str, str]) -> Question:
    """Read a position: game, starting state and moves."""
    game = load_game(_bounded(fields, "game", 500) or "tictactoe")
    state = _bounded(fields, "state", 500)
    start = str(game.parse_state(state)) if state else None
    moves = tuple(_bounded(fields, "moves", MAX_TEXT_CHARS).replace(",", " ").split())
    if start == str(game.start):
        start = None
    match = replayed(game.spec, start, moves)
    return Question(game.spec, PROMPTS[MOVE], start=start, moves=tuple(map(str, match.moves)))


def read_question(fields: Mapping[str, str]) -> Question:
    """Read a question; one with a `truth` field comes complete from the catalogue."""
    if fields.get("truth"):
        return parse_question(fields)
    kind = fields.get("kind", MOVE)
    if kind not in PROMPTS:
        raise InvalidFormError(kind, "one can ask for a move, for who wins, or for a choice")
    if kind == PLAIN:
        plain = Question("", _prompt(kind, fields), POLL, choices=_choices(kind, fields))
        return check_question(replace(plain, truth=_plain_truth(fields)))
    position = read_position(fields)
    machine = _bounded(fields, "machine", 500)
    question = replace(
        position,
        prompt=_prompt(kind, fields),
        choices=_choices(kind, fields),
        truth={MOVE: "best", WINNER: "value"}.get(kind) or _plain_truth(fields),
        machine=ready_spec(machine, position.match.game, MAX_INLINE_TRAINING_S) if machine else "",
    )
    if is_plain(question.truth):
        check_plain(question)
    return question


def _prompt(kind: str, fields: Mapping[str, str]) -> str:
    return _printable(_bounded(fields, "prompt", MAX_PROMPT_CHARS)) or PROMPTS[kind]


def _plain_truth(fields: Mapping[str, str]) -> str:
    """The choice that the teacher calls right, or a poll."""
    right = _printable(_bounded(fields, "right", MAX_CHOICE_CHARS))
    return right_truth(right) if right else POLL


def shown_page(path: str) -> str:
    """The address of a page of this site as a projector shows it; raises InvalidQuestionError."""
    parts = urlsplit(parse_link(path))
    query = [(name, value) for name, value in parse_qsl(parts.query) if name != "present"]
    return f"{parts.path}?{urlencode([*query, ('present', '1')])}"


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
    sent = _bounded(fields, "choices", MAX_TEXT_CHARS).replace("|", "\n")
    found = tuple(dict.fromkeys(_printable(line) for line in sent.splitlines() if line.strip()))
    if not 2 <= len(found) <= MAX_CHOICES or any(len(each) > MAX_CHOICE_CHARS for each in found):
        why = f"give 2 to {MAX_CHOICES} answers of up to {MAX_CHOICE_CHARS} letters, a line each"
        raise InvalidFormError(sent[:40], why)
    return tuple(Answer(each, each) for each in found)


def read_seconds(fields: Mapping[str, str]) -> int | None:
    """Read the countdown of a vote; None without one."""
    sent = fields.get("seconds", "")
    if not sent:
        return None
    if not (sent.isascii() and sent.isdecimal() and 5 <= int(sent[:6]) <= MAX_VOTE_S):
        raise InvalidFormError(sent[:20], f"a vote takes 5 to {MAX_VOTE_S} seconds")
    return int(sent)


def read_number(fields: Mapping[str, str], name: str, why: str) -> int:
    """Read a number that every form of this kind has; raises InvalidFormError with the reason."""
    sent = fields.get(name, "")
    if not (sent.isascii() and sent.isdecimal() and len(sent) <= 6):
        raise InvalidFormError(sent[:20], why)
    return int(sent)


def read_name(fields: Mapping[str, str]) -> str:
    """Read the name that a student chooses."""
    name = " ".join(fields.get("name", "").split())
    if not (0 < len(name) <= MAX_NAME_CHARS and name.isprintable()):
        raise InvalidFormError(name[:40], f"a name has 1 to {MAX_NAME_CHARS} letters")
    return name


def _bounded(fields: Mapping[str, str], name: str, max_chars: int) -> str:
    sent = fields.get(name, "").strip()
    if len(sent) > max_chars:
        raise InvalidFormError(sent[:40], sentence(f"{name} is too long: {max_chars} letters do"))
    return sent


def _printable(sent: str) -> str:
    return without_controls(sent).strip()
