"""Widgets of symmetry and strength: first moves grouped by symmetry, and a ladder of levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.contest.strength import usual_strength
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


@dataclass(frozen=True, slots=True)
class OpeningsView:
    """The first moves, grouped as the state says."""

    groups: tuple[OpeningGroup, ...]
    moves: str  # if not grouped
    status: str
    presses: tuple[Button, ...]
    position: Position
    template: str = "learn/widgets/openings.html"
    sheets: tuple[str, ...] = ()


@lru_cache(maxsize=8)
def _opening_groups(about: str, turned: bool) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
    """[group] -> the board after its first move, and its moves."""
    position = read_position(about)
    found: dict[Any, list[Any]] = {}
    for move in position.state.legal_moves():
        board = position.state.play(move)
        found.setdefault(position.game.canonical(board) if turned else board, []).append(move)
    return tuple((position.state.play(moves[0]), tuple(moves)) for moves in found.values())


def openings_view(about: str, held: str) -> OpeningsView:
    """All moves; or grouped by board; or by board up to symmetry."""
    position = read_position(about)
    moves = position.state.legal_moves()
    groups = () if held not in (SAME, TURNED) else _opening_groups(about, held == TURNED)
    status = f"{counted(len(moves), 'first move', 'first moves')}."
    if groups:
        boards = counted(len(groups), "board", "boards")
        turned = ", turned and mirrored" if held == TURNED else ""
        status = f"{len(moves)} first moves lead to {boards}{turned}."
    presses = (
        Button(APART, "All of them", current=not groups),
        Button(SAME, "Those that lead to one board", current=held == SAME),
        Button(TURNED, "Turned and mirrored too", current=held == TURNED),
    )
    return OpeningsView(
        groups=tuple(_group(position, *group) for group in groups),
        moves=" ".join(map(str, moves)) if not groups else "",
        status=status,
        presses=presses,
        position=position,
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


@dataclass(frozen=True, slots=True)
class LadderView:
    """The levels, weakest first."""

    rungs: tuple[LadderRung, ...]
    position: Position
    template: str = "learn/widgets/ladder.html"
    sheets: tuple[str, ...] = ()


def ladder_view(about: str, held: str) -> LadderView:
    """`quixo-deep quixo`: the machine and the position."""
    agent, _, rest = about.partition(" ")
    position = read_position(rest)
    game = position.game
    rungs = []
    for level in find_agent(agent).levels:
        spec = agent_spec(f"{agent}:level={level.name}", game)
        found = usual_strength(spec, game.spec)
        fields = (
            ("game", game.spec),
            ("state", str(position.state)),
            ("opponent", spec),
            ("seat", position.state.to_move.mark),
        )
        strength = "" if found is None else portion(found)
        rungs.append(LadderRung(level.title, level.description, strength, fields))
    return LadderView(tuple(rungs), position)


WIDGETS = {
    "ladder": Widget(ladder_view),
    "openings": Widget(openings_view),
}
