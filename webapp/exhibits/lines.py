"""The line an agent expects, played out: step by step on the board itself, and on small ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from webapp.boards import picture_for
from webapp.boards.scene import Board
from webapp.exhibits.exhibit import Link, Stand

PART = "line"
MOST_STEPS = 8  # a line may be looked up to its end; `exhibits/line.css` knows as many
MOST_PARTS = 60  # of which a board is made: steps on larger ones are pressed, not pointed at


@dataclass(frozen=True, slots=True)
class LineStep:
    """The position after one more move of it."""

    number: int
    move: Any
    state: Any
    picture: Board | None  # None where such pictures would be too large
    link: Link


@dataclass(frozen=True, slots=True)
class ExpectedLine:
    """All of it, and the step that stands on the board, if one does."""

    steps: tuple[LineStep, ...]
    shown: LineStep | None
    back: Link  # to the position as it is

    @property
    def told(self) -> str:
        """What stands on the board, in words."""
        if self.shown is None:
            return ""
        return f"What it expects: after {self.shown.number} of {len(self.steps)}, {self.shown.move}"


def played_out(moves: Iterable[Any], stand: Stand) -> ExpectedLine | None:
    """The line from the position of the stand; None where nothing is expected after a move."""
    state, steps = stand.state, []
    chosen = stand.step if stand.part == PART else None
    line = tuple(islice(moves, MOST_STEPS))
    drawn = picture_for(stand.game, state).parts <= MOST_PARTS
    for number, move in enumerate(line, start=1):
        state = state.play(move)
        picture = picture_for(stand.game, state, move) if drawn else None
        link = Link(str(move), stand.turn_to(PART, number), current=number == chosen)
        steps.append(LineStep(number, move, state, picture, link))
    if len(steps) < 2:
        return None
    shown = next((step for step in steps if step.link.current), None)
    back = Link("now", stand.turn_to(None, None), current=shown is None)
    return ExpectedLine(tuple(steps), shown, back)
