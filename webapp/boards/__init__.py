"""Boards as data: the only place in the web app that knows one game from another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents.core import Candidate
from engine.catalog import load_game
from engine.core import Outcome
from engine.entry import GameEntry
from engine.match import Match
from webapp.boards.board import Board
from webapp.boards.nim import nim_board
from webapp.boards.picture import nim_picture, quixo_picture, tictactoe_picture
from webapp.boards.quixo import quixo_board
from webapp.boards.scene import Scene
from webapp.boards.tictactoe import tictactoe_board

BOARDS: Mapping[str, Callable[[Scene], Board]] = {
    "nim": nim_board,
    "tictactoe": tictactoe_board,
    "quixo": quixo_board,
}

# A position that shows at a glance what the game is, reached by these moves.
PREVIEWS: Mapping[str, tuple[Callable[[Any], Board], str, str]] = {
    "nim": (nim_picture, "nim:preset=marienbad", ""),
    "tictactoe": (tictactoe_picture, "tictactoe", "a3 c3 b2 c1"),
    "quixo": (quixo_picture, "quixo", "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5 e1-a1 e2-a2"),
}


def board_for(
    match: Match[Any, Any],
    *,
    ply: int,
    may_move: bool,
    pick: str | None = None,
    last_move: Any = None,
    outcome: Outcome | None = None,
    values: Mapping[str, Candidate[Any]] | None = None,
    hint: str | None = None,
) -> Board:
    """The board of the match after `ply` plies; a `pick` that makes no sense is ignored."""
    scene = Scene(
        game=match.game,
        state=match.states[ply],
        may_move=may_move,
        pick=pick,
        last_move=last_move,
        outcome=outcome,
        values=values or {},
        hint=hint,
    )
    return BOARDS[match.game.key](scene)


def preview_for(entry: GameEntry) -> Board:
    """The drawn position on a game's card."""
    picture, spec, moves = PREVIEWS[entry.key]
    game = load_game(spec)
    match = Match.replay(game, [game.parse_move(text) for text in moves.split()])
    return picture(match.state)
