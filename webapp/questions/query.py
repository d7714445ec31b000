"""A question as the address under which it is put to a class, and read back from its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from agents.roster import agent_spec
from engine.errors import quoted
from webapp.questions.facts import About
from webapp.questions.models import InvalidQuestionError, PosedQuestion
from webapp.questions.parser import (
    LONGEST_PROMPT,
    picks_in,
    picks_text,
    played_on,
    position_in,
    short,
)
from webapp.questions.truths import about, checked

ASK = "/class/ask"
PLAIN = ":,=/.|-"  # read well in an address, and mean nothing there
LONGEST = {
    "game": 500,
    "state": 500,
    "moves": 4_000,
    "prompt": LONGEST_PROMPT,
    "choices": 800,
    "truth": 200,
    "machine": 500,
}
OF_A_GAME = ("game", "state", "moves", "machine")
USUAL = "best"


def ask_url(posed: PosedQuestion) -> str:
    """Where a class is asked this."""
    return f"{ASK}?{urlencode(list(fields_of(posed)), safe=PLAIN)}"


def fields_of(posed: PosedQuestion) -> Iterator[tuple[str, str]]:
    """What a form or an address says for this question; what it does not need is left out."""
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


def posed_in(fields: Mapping[str, str]) -> PosedQuestion:
    """The question that these fields ask; raises what is wrong with it, never trusted."""
    texts = {name: _bounded(fields, name) for name in LONGEST}
    posed = PosedQuestion(
        game="",
        prompt=short(texts["prompt"], "what is asked", LONGEST_PROMPT),
        truth=texts["truth"] or USUAL,
        picks=picks_in(texts["choices"]) if texts["choices"] else (),
    )
    if not any(texts[name] for name in OF_A_GAME) and about(posed.truth) is About.NO_GAME:
        return checked(posed)
    match = played_on(position_in(f"{texts['game']} {texts['state']}"), texts["moves"])
    machine = texts["machine"]
    return checked(
        replace(
            posed,
            game=match.game.spec,
            start=None if match.start is None else str(match.start),
            moves=tuple(map(str, match.moves)),
            machine=agent_spec(machine, match.game) if machine else "",
        )
    )


def _bounded(fields: Mapping[str, str], name: str) -> str:
    text = " ".join(fields.get(name, "").split())
    if len(text) > LONGEST[name] or not text.isprintable():
        why = f"{name} is a text of at most {LONGEST[name]:,} letters, not {quoted(text)}"
        raise InvalidQuestionError(text[:500], why)
    return text
