"""Widgets of symmetry and strength: first moves grouped by symmetry, and a ladder of levels."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agents.contest.strength import usual_strength
from agents.entry import Level
from agents.formats import counted, portion
from agents.roster import agent_spec, find_agent
from webapp.boards import picture_for
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Button, Widget
from webapp.web.query import Pairs

APART, SAME, TURNED = "", "1", "2"


@lru_cache(maxsize=8)
def _opening_groups(about: str, turned: bool) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
    """[group] -> the board after its first move, and its moves."""
    position = read_position(about)
    found: dict[Any, list[Any]] = {}
    for move in position.state.legal_moves():
        board = position.state.play(move)
        found.setdefault(position.game.canonical(board) if turned else board, []).append(move)
    return tuple((position.state.play(moves[0]), tuple(moves)) for moves in found.values())


class Openings(Widget):
    """All first moves; or grouped by board; or by board up to symmetry."""

    template = "learn/widgets/openings.html"

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        moves = self.position.state.legal_moves()
        groups = () if held not in (SAME, TURNED) else _opening_groups(about, held == TURNED)
        self.groups = tuple(  # the board after a move, how many lead to it, and which
            (
                picture_for(self.position.game, state, alike[0]),
                counted(len(alike), "move", "moves"),
                " ".join(map(str, alike)),
            )
            for state, alike in groups
        )
        self.moves = "" if groups else " ".join(map(str, moves))
        self.status = f"{counted(len(moves), 'first move', 'first moves')}."
        if groups:
            boards = counted(len(groups), "board", "boards")
            turned = ", turned and mirrored" if held == TURNED else ""
            self.status = f"{len(moves)} first moves lead to {boards}{turned}."
        self.presses = (
            Button(APART, "All of them", current=not groups),
            Button(SAME, "Same board counts once", current=held == SAME),
            Button(TURNED, "Rotated and mirrored too", current=held == TURNED),
        )


class Ladder(Widget):
    """The levels of a machine at a position, weakest first: `quixo-deep quixo`."""

    template = "learn/widgets/ladder.html"

    def __init__(self, about: str, held: str) -> None:
        agent, _, rest = about.partition(" ")
        self.position = read_position(rest)
        self.rungs = tuple(_rung(self.position, agent, level) for level in find_agent(agent).levels)


def _rung(position: Position, agent: str, level: Level) -> tuple[Level, str, Pairs]:
    """A level, its strength if it was measured, and the fields of the form that plays it."""
    spec = agent_spec(f"{agent}:level={level.name}", position.game)
    found = usual_strength(spec, position.game.spec)
    fields = position.match_fields(spec, position.state.to_move.mark)
    return level, "" if found is None else portion(found), fields


WIDGETS = {"ladder": Ladder, "openings": Openings}
