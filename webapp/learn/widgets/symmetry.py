"""Widgets of symmetry and strength: first moves grouped by symmetry, and a ladder of levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.contest.strength import usual_strength
from agents.entry import Level
from agents.formats import counted, portion
from agents.roster import agent_spec, find_agent
from webapp.boards import picture_for
from webapp.boards.scene import Board
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Button, Widget

APART, SAME, TURNED = "", "1", "2"


@dataclass(frozen=True, slots=True)
class OpeningGroup:
    """Equivalent moves, and the board after one."""

    picture: Board
    moves: str
    count: str


@lru_cache(maxsize=8)
def _opening_groups(about: str, turned: bool) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
    """[group] -> the board after its first move, and its moves."""
    position = read_position(about)
    found: dict[Any, list[Any]] = {}
    for move in position.state.legal_moves():
        board = position.state.play(move)
        found.setdefault(position.game.canonical(board) if turned else board, []).append(move)
    return tuple((position.state.play(moves[0]), tuple(moves)) for moves in found.values())


class Openings:
    """All first moves; or grouped by board; or by board up to symmetry."""

    template = "learn/widgets/openings.html"
    sheets = ()

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        moves = self.position.state.legal_moves()
        groups = () if held not in (SAME, TURNED) else _opening_groups(about, held == TURNED)
        self.groups = tuple(_group(self.position, *group) for group in groups)
        self.moves = "" if groups else " ".join(map(str, moves))
        self.status = f"{counted(len(moves), 'first move', 'first moves')}."
        if groups:
            boards = counted(len(groups), "board", "boards")
            turned = ", turned and mirrored" if held == TURNED else ""
            self.status = f"{len(moves)} first moves lead to {boards}{turned}."
        self.presses = (
            Button(APART, "All of them", current=not groups),
            Button(SAME, "Those that lead to one board", current=held == SAME),
            Button(TURNED, "Turned and mirrored too", current=held == TURNED),
        )


def _group(position: Position, state: Any, moves: Sequence[Any]) -> OpeningGroup:
    picture = picture_for(position.game, state, moves[0])
    return OpeningGroup(picture, " ".join(map(str, moves)), counted(len(moves), "move", "moves"))


@dataclass(frozen=True, slots=True)
class LadderRung:
    """One level to play."""

    title: str
    says: str
    strength: str  # empty if not measured
    fields: tuple[tuple[str, str], ...]


class Ladder:
    """The levels of a machine at a position, weakest first: `quixo-deep quixo`."""

    template = "learn/widgets/ladder.html"
    sheets = ()

    def __init__(self, about: str, held: str) -> None:
        agent, _, rest = about.partition(" ")
        self.position = read_position(rest)
        self.rungs = tuple(_rung(self.position, agent, level) for level in find_agent(agent).levels)


def _rung(position: Position, agent: str, level: Level) -> LadderRung:
    game = position.game
    spec = agent_spec(f"{agent}:level={level.name}", game)
    found = usual_strength(spec, game.spec)
    fields = (
        ("game", game.spec),
        ("state", str(position.state)),
        ("opponent", spec),
        ("seat", position.state.to_move.mark),
    )
    strength = "" if found is None else portion(found)
    return LadderRung(level.title, level.description, strength, fields)


WIDGETS = {
    "ladder": Widget(Ladder),
    "openings": Widget(Openings),
}
