"""Matches as visitors play them, and the games that the tour plays."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.guard.record import Answer, Browser

# variant: a name, its game, and fields of the lobby's form
VARIANTS: dict[str, dict[str, str]] = {
    "nim": {"game": "nim", "preset": "nim5"},
    "nim:preset=marienbad": {"game": "nim", "preset": "marienbad"},
    "nim:preset=twenty-one": {"game": "nim", "preset": "twenty-one"},
    "nim:preset=normal": {"game": "nim", "preset": "normal"},
    "tictactoe": {"game": "tictactoe", "preset": "classic"},
    "quixo": {"game": "quixo", "preset": "classic"},
    "quixo:size=4": {"game": "quixo", "preset": "small"},
    "quixo:size=3": {"game": "quixo", "preset": "tiny"},
}
# Each ends in another way, or with another winner.
ENDINGS = (
    ("nim", "e9 c1 c4 a1 b3 d7"),
    ("nim", "c5 b3 e9 d7 a1"),
    ("nim:preset=marienbad", "c5 b3 d7 a1"),
    ("nim:preset=normal", "a3 b4 c5"),
    ("nim:preset=twenty-one", "a3 a2 a3 a3 a3 a1 a3 a3"),
    ("tictactoe", "c2 c1 b2 c3 a1 b1 b3 a2 a3"),
    ("tictactoe", "a2 c2 a1 c3 a3"),
    ("tictactoe", "a2 a1 a3 c3 b1 b2"),
    ("quixo", "c1-c5 e2-e5 e4-a4 a5-a1 d1-d5 a3-e3 d1-a1 e1-a1 e2-e5 a4-a1 b5-e5"),
    ("quixo:size=4", "c1-a1 a3-a4 a2-a4 d3-a3 d2-d4 d3-a3 d1-d4 d2-d4 c4-a4 b1-a1 d3-d4"),
    ("quixo:size=3", "b3-b1 c2-a2 a3-c3 a3-a1 a2-a3 b3-a3"),
    ("quixo:size=3", "c3-c1 a2-a1 a2-a3 c2-c1 c3-a3 c3-c1"),
    ("quixo:size=3", "a1-c1 b1-b3 c2-c3 c2-c3 c2-c3 a2-a3 b1-c1 b3-c3 b3-c3 a3-c3 b3-c3"),
)
# To the last ply that a match may have.
LONGEST = (
    "b5-b1 a1-a5 a4-a1 d5-e5 d1-e1 b5-e5 c5-c1 e4-e5 e2-e5 d5-a5 e1-e5 a5-a1 e5-a5 e1-a1 d1-d5 "
    "c5-c1 a3-a5 b1-a1 e1-e5 c1-c5 b5-e5 d1-d5 a2-a5 e4-a4 d1-d5 d1-a1 a5-e5 a1-e1 b5-e5 d1-a1 "
    "e5-a5 e2-a2 a3-a1 a2-a5 a4-a5 a2-a1 d1-e1 b5-a5 e4-a4 e4-a4 e2-a2 d1-a1 a2-a1 d1-e1 e4-a4 "
    "a5-e5 b5-e5 e1-e5 a1-a5 c1-a1 d1-e1 c1-e1 a3-e3 d5-e5 e4-a4 a1-e1 e2-e1 d5-e5 a4-e4 a1-a5 "
    "e4-a4 e4-e1 e2-e5 e4-e1 b1-e1 a2-a1 a4-a1 d1-d5 e4-a4 e3-a3 e1-a1 e2-e5 e1-e5 d5-d1 e1-a1 "
    "a5-e5 d1-a1 e2-e1 d1-a1 c5-c1 d5-e5 c1-c5 e5-a5 d5-e5 b5-a5 a2-a5 c5-a5 e2-e5 d1-d5 e3-e5 "
    "b1-e1 a2-a1 a2-a1 b5-e5 b5-a5 e4-a4 c5-a5 d5-e5 b1-b5 c1-e1 b1-b5 c1-e1 b5-e5 e1-e5 e4-a4 "
    "d5-d1 a1-a5 b1-e1 a2-e2 e1-e5 e3-a3 e2-e1 a3-e3 e1-e5 e2-e1 c5-e5 e2-e5 e3-a3 d1-e1 c1-c5 "
    "b1-a1 a3-a5 a2-a1 d5-e5 a4-e4 c1-c5 a3-a1 a5-a1 c1-c5 a5-e5 a5-a1 a2-a5 a3-a1 a5-a1 b5-e5 "
    "c5-c1 e3-e5 b1-a1 b5-e5 e2-e1 e2-e5 c5-e5 d5-d1 a1-a5 e2-a2 c1-e1 a1-a5 b1-a1 a3-a1 d5-d1 "
    "b1-b5 a4-a1 a4-a5 d5-e5 a5-e5 e1-e5 c1-e1 e5-a5 d1-a1 d5-d1 e3-a3 e3-e5 e2-a2 d5-d1 a2-a1 "
    "e2-a2 c5-e5 d5-e5 c1-e1 c1-c5 e3-e5 e4-e5 d1-e1 a5-a1 a2-a5 c5-c1 d1-a1 c1-a1 d5-d1 a2-e2 "
    "d5-a5 e3-a3 c5-e5 c1-e1 b1-a1 e2-e1 c1-c5 a3-a1 a2-a1 e2-a2 b5-a5 e2-e1 a4-a5 e1-a1 b5-a5 "
    "a2-a1 c5-e5 a2-e2 a3-e3 d1-e1 "
)
MIDWAY = {
    "nim": "e3 d2 c1",
    "nim:preset=marienbad": "d3 c2",
    "nim:preset=twenty-one": "a3 a2",
    "nim:preset=normal": "a2 c1",
    "tictactoe": "b2 a1 c3 a3",
    "quixo": "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5",
    "quixo:size=4": "a1-a4 a3-d3 c4-d4 a2-a1",
    "quixo:size=3": "c3-c1 b1-a1 b3-c3",
}


def begin(visitor: Browser, variant: str, opponent: str, **fields: Any) -> Answer:
    """By the lobby's form, as it stands once these are chosen; then at the board."""
    chosen = VARIANTS[variant] | {"opponent": opponent} | fields
    visitor.last = visitor._send("GET", "/", record=False, htmx=False)
    forms = [f for f in visitor.last.page.forms if _game_of(f) == chosen["game"]]
    form = forms[0]
    return visitor.follow(visitor.submit(form, form.buttons[0], **chosen))


def _game_of(form: Any) -> str:
    return next((each.value for each in form.controls if each.name == "game"), "")


def bring(
    visitor: Browser, variant: str, played: str, seats: tuple[str, str], **more: Any
) -> Answer:
    """A match as a file has it, opened; then at the board."""
    text = json.dumps(
        {
            "format": "zermelo match 2",
            "game": variant,
            "players": list(seats),
            "start": None,
            "moves": played.split(),
        }
        | more
    )
    return visitor.follow(visitor.post("/matches/import", {"text": text}))


def move(visitor: Browser, text: str) -> Answer:
    """A move, sent with what the board's form carries; then at the board."""
    assert visitor.last is not None
    form = visitor.last.form("/moves")
    hidden = [(each.name, each.value) for each in form.controls if each.kind == "hidden"]
    return visitor.follow(visitor.post(form.action, [*hidden, ("move", text)]))


def reply(visitor: Browser) -> Answer:
    """What the machine answers, once it is asked for."""
    return visitor.does("/reply")


def path_of(answer: Answer) -> str:
    return answer.path.partition("?")[0]
