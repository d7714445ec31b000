"""A question as the query string of `/class/ask`, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from agents.roster import agent_spec
from engine.errors import quoted
from webapp.questions.facts import About
from webapp.questions.models import InvalidQuestionError, PosedQuestion
from webapp.questions.parser import (
    MAX_PROMPT_CHARS,
    check_length,
    parse_picks,
    parse_position,
    picks_text,
    play_moves,
)
from webapp.questions.truths import check_question, subject_of

ASK = "/class/ask"
URL_SAFE = ":,=/.|-"  # characters left unescaped
MAX_CHARS = {
    "game": 500,
    "state": 500,
    "moves": 4_000,
    "prompt": MAX_PROMPT_CHARS,
    "choices": 800,
    "truth": 200,
    "machine": 500,
}
GAME_FIELDS = ("game", "state", "moves", "machine")
DEFAULT_TRUTH = "best"


def ask_url(posed: PosedQuestion) -> str:
    """The address that puts a question to a class."""
    return f"{ASK}?{urlencode(list(question_fields(posed)), safe=URL_SAFE)}"


def question_fields(posed: PosedQuestion) -> Iterator[tuple[str, str]]:
    """The fields of a question that are not empty."""
    for name, text in (
        ("game", posed.game),
        ("state", posed.start or ""),
        ("moves", " ".join(posed.moves)),
        ("prompt", posed.prompt),
        ("choices", picks_text(posed.picks)),
        ("truth", posed.truth),
        ("machine", posed.machine),
    ):
        if text:
            yield name, text


def parse_question(fields: Mapping[str, str]) -> PosedQuestion:
    """Parse and check a question; raises InvalidTextError."""
    texts = {name: _read_text(fields, name) for name in MAX_CHARS}
    posed = PosedQuestion(
        game="",
        prompt=check_length(texts["prompt"], "what is asked", MAX_PROMPT_CHARS),
        truth=texts["truth"] or DEFAULT_TRUTH,
        picks=parse_picks(texts["choices"]) if texts["choices"] else (),
    )
    if not any(texts[name] for name in GAME_FIELDS) and subject_of(posed.truth) is About.NO_GAME:
        return check_question(posed)
    match = play_moves(parse_position(f"{texts['game']} {texts['state']}"), texts["moves"])
    machine = texts["machine"]
    return check_question(
        replace(
            posed,
            game=match.game.spec,
            start=None if match.start is None else str(match.start),
            moves=tuple(map(str, match.moves)),
            machine=agent_spec(machine, match.game) if machine else "",
        )
    )


def _read_text(fields: Mapping[str, str], name: str) -> str:
    text = " ".join(fields.get(name, "").split())
    if len(text) > MAX_CHARS[name] or not text.isprintable():
        why = f"{name} is a text of at most {MAX_CHARS[name]:,} letters, not {quoted(text)}"
        raise InvalidQuestionError(text[:500], why)
    return text
