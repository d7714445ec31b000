"""A question as the query string of `/class/ask`, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from agents.roster import agent_spec
from engine.errors import quoted
from webapp.questions.facts import About
from webapp.questions.models import InvalidQuestionError, Question
from webapp.questions.parser import (
    MAX_PROMPT_CHARS,
    MAX_TRUTH_CHARS,
    check_length,
    choices_text,
    match_fields,
    parse_choices,
    parse_position,
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
    "truth": MAX_TRUTH_CHARS,
    "machine": 500,
}
GAME_FIELDS = ("game", "state", "moves", "machine")
DEFAULT_TRUTH = "best"


def ask_url(question: Question) -> str:
    """The address that puts a question to a class."""
    return f"{ASK}?{urlencode(list(question_fields(question)), safe=URL_SAFE)}"


def question_fields(question: Question) -> Iterator[tuple[str, str]]:
    """The fields of a question that are not empty."""
    for name, text in (
        ("game", question.game),
        ("state", question.start or ""),
        ("moves", " ".join(question.moves)),
        ("prompt", question.prompt),
        ("choices", choices_text(question.choices)),
        ("truth", question.truth),
        ("machine", question.machine),
    ):
        if text:
            yield name, text


def parse_question(fields: Mapping[str, str]) -> Question:
    """Parse and check a question; raises InvalidTextError."""
    texts = {name: _read_text(fields, name) for name in MAX_CHARS}
    question = Question(
        game="",
        prompt=check_length(texts["prompt"], "what is asked", MAX_PROMPT_CHARS),
        truth=texts["truth"] or DEFAULT_TRUTH,
        choices=parse_choices(texts["choices"]) if texts["choices"] else (),
    )
    if not any(texts[name] for name in GAME_FIELDS) and subject_of(question.truth) is About.NO_GAME:
        return check_question(question)
    match = play_moves(parse_position(f"{texts['game']} {texts['state']}"), texts["moves"])
    machine = texts["machine"]
    spec = agent_spec(machine, match.game) if machine else ""
    return check_question(replace(question, machine=spec, **match_fields(match)))


def _read_text(fields: Mapping[str, str], name: str) -> str:
    text = " ".join(fields.get(name, "").split())
    if len(text) > MAX_CHARS[name] or not text.isprintable():
        why = f"{name} is a text of at most {MAX_CHARS[name]:,} letters, not {quoted(text)}"
        raise InvalidQuestionError(text[:500], why)
    return text
