"""The line an agent expects: its steps as small boards, each linked to the large one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.exhibits.exhibit import ExhibitContext, Link

PART = "line"
MAX_STEPS = 8  # `exhibits/line.css` has rules for as many
MAX_PICTURE_SHAPES = 60  # SVG shapes; steps on larger boards have no picture


@dataclass(frozen=True, slots=True)
class LineStep:
    """The position after one more move of the line."""

    number: int
    move: Any
    state: Any
    picture: Board | None  # None: it would be too large
    link: Link


@dataclass(frozen=True, slots=True)
class ExpectedLine:
    """The steps of a line and the one shown on the board, if any."""

    steps: tuple[LineStep, ...]
    shown: LineStep | None
    back: Link  # to the current position

    @property
    def status_text(self) -> str:
        """The status while a step is shown; empty if none is."""
        if self.shown is None:
            return ""
        return f"What it expects: after {self.shown.number} of {len(self.steps)}, {self.shown.move}"


def expected_line(moves: Iterable[Any], context: ExhibitContext) -> ExpectedLine | None:
    """The line from the context's position; None if it has fewer than two moves."""
    state, steps = context.state, []
    chosen = context.step if context.part == PART else None
    line = tuple(islice(moves, MAX_STEPS))
    drawn = picture_for(context.game, state).parts <= MAX_PICTURE_SHAPES
    for number, move in enumerate(line, start=1):
        state = state.play(move)
        picture = picture_for(context.game, state, move) if drawn else None
        link = Link(str(move), context.turn_to(PART, number), current=number == chosen)
        steps.append(LineStep(number, move, state, picture, link))
    if len(steps) < 2:
        return None
    shown = next((step for step in steps if step.link.current), None)
    back = Link("now", context.turn_to(None, None), current=shown is None)
    return ExpectedLine(tuple(steps), shown, back)
