"""The line an agent expects, played out on boards of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from webapp.boards import picture_for
from webapp.boards.board import Board
from webapp.exhibits.stand import Link, Stand

PART = "line"


@dataclass(frozen=True, slots=True)
class LineStep:
    """The position after one more move of it."""

    number: int
    move: str
    picture: Board
    link: Link


@dataclass(frozen=True, slots=True)
class ExpectedLine:
    """All of it, and the step that is looked at, if one is."""

    steps: tuple[LineStep, ...]
    large: LineStep | None


def played_out(moves: Iterable[Any], stand: Stand) -> ExpectedLine | None:
    """The line from the position of the stand; None where nothing is expected after a move."""
    state, steps = stand.state, []
    shown = stand.step if stand.part == PART else None
    for number, move in enumerate(moves, start=1):
        state = state.play(move)
        link = Link(str(move), stand.turn_to(PART, number), current=number == shown)
        steps.append(LineStep(number, str(move), picture_for(stand.game, state, move), link))
    large = next((step for step in steps if step.link.current), None)
    return ExpectedLine(tuple(steps), large) if len(steps) > 1 else None
