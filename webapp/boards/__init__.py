"""Boards as data: the only place in the web app that knows one game from another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents.core import Candidate
from engine.catalog import find_entry, load_game
from engine.core import Game, Outcome, State
from engine.entry import GameEntry, Preview
from engine.errors import ZermeloError, sentence, tell_once
from engine.match import Match
from engine.quixo import QuixoState
from webapp.boards.grid import GridBoard
from webapp.boards.nim import nim_board
from webapp.boards.picture import (
    TICTACTOE_CELLS,
    Picture,
    PlainPicture,
    board_picture,
    nim_picture,
    quixo_picture,
    tictactoe_picture,
)
from webapp.boards.plain import PlainBoard, plain_board
from webapp.boards.plugins import package_board, template_for
from webapp.boards.quixo import PushArrows, arrows_of, quixo_board
from webapp.boards.scene import BeadCount, Board, Scene
from webapp.boards.tictactoe import tictactoe_board

Try = Callable[[Game[Any, Any], Any, str], object]


def play_text(game: Game[Any, Any], state: State[Any], pick: str) -> object:
    """For a game whose presses are moves."""
    return state.play(game.parse_move(pick))


def take_cube(game: Game[Any, Any], state: QuixoState, pick: str) -> object:
    """Quixo: a cube to take, `c3`, or the one in the hand with where it was to go in, `d5-c3`."""
    first = next((push for push in state.table.slides if push.source == pick), None)
    named = pick if "-" in pick else f"{pick}-{pick}"
    return state.play(game.parse_move(named) if first is None else first)


TRIES: Mapping[str, Try] = {"nim": play_text, "tictactoe": play_text, "quixo": take_cube}


def refusal(game: Game[Any, Any], state: Any, pick: str, *, half_made: bool) -> str | None:
    """Why nothing comes of this pick; None where something does.

    `half_made` says that the board took it for the first half of a move: in a game we do not
    know, that is all there is to ask.
    """
    attempt = TRIES.get(game.key)
    if attempt is None and half_made:
        return None
    try:
        (attempt or play_text)(game, state, pick)
    except ZermeloError as error:
        return sentence(str(error))
    except Exception as error:  # noqa: BLE001 - the game's own code
        tell_once(__name__, f"{game.key} failed to refuse a move: {error!r}"[:500])
    return None


BOARDS: Mapping[str, Callable[[Scene], Board]] = {
    "nim": nim_board,
    "tictactoe": tictactoe_board,
    "quixo": quixo_board,
}

# By game, where the cells that are moves lie in its picture.
CELLS: Mapping[str, Mapping[str, tuple[int, int]]] = {"tictactoe": TICTACTOE_CELLS}

# By game, how moves that are no cells are drawn about its picture.
ARROWS: Mapping[str, Callable[[Any, Sequence[Any]], PushArrows]] = {"quixo": arrows_of}

PICTURES: Mapping[str, Callable[[Scene], Picture]] = {
    "nim": nim_picture,
    "tictactoe": tictactoe_picture,
    "quixo": quixo_picture,
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
    tallies: Mapping[str, BeadCount] | None = None,
    hint: str | None = None,
    answer: str | None = None,
    aid: bool = False,
) -> Board:
    """The board of the match after `ply` plies; a `pick` that makes no sense picks nothing."""
    scene = Scene(
        game=match.game,
        state=match.states[ply],
        may_move=may_move,
        pick=pick,
        last_move=last_move,
        outcome=outcome,
        values=values or {},
        tallies=tallies or {},
        hint=hint,
        answer=answer,
        aid=aid,
    )
    ours = BOARDS.get(match.game.key)
    return _package_board(scene) if ours is None else ours(scene)


def refusal_for(match: Match[Any, Any], board: Board, pick: str | None) -> str | None:
    """Why nothing comes of what was pressed, at the last ply; None where something does."""
    if pick is None:
        return None
    return refusal(match.game, match.state, pick, half_made=board.prompt is not None)


def preview_for(entry: GameEntry) -> Board:
    """The drawn position on a game's card."""
    preview = entry.preview or Preview(entry.key)
    game = load_game(preview.spec)
    match = Match.replay(game, [game.parse_move(text) for text in preview.moves.split()])
    return picture_for(game, match.state)


def picture_for(game: Game[Any, Any], state: Any, last_move: Any = None) -> Picture:
    """A position as one drawing, with the move that led to it."""
    scene = Scene(game, state, last_move=last_move)
    picture = PICTURES.get(game.key)
    if picture is not None:
        return picture(scene)
    board = _package_board(scene)
    if isinstance(board, GridBoard):
        return board_picture(board)
    return PlainPicture(find_entry(game.key).drawn(state, last_move))


def place_of(game: Game[Any, Any], move: str) -> tuple[int, int] | None:
    """Where in its picture a move lies, in a game whose moves are cells; else None."""
    return CELLS.get(game.key, {}).get(move)


def arrows_for(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> PushArrows | None:
    """An arrow for each move, about the picture of the state; None where moves are no arrows."""
    draw = ARROWS.get(game.key)
    return None if draw is None else draw(state, moves)


def _package_board(scene: Scene) -> Board:
    """What the game's package makes of it; a plain board where it has none, or that fails."""
    key = scene.game.key
    try:
        make = package_board(find_entry(key).home) or plain_board
        board = make(scene)
    except Exception as error:  # noqa: BLE001 - someone else's code
        tell_once(__name__, f"the board of {key} failed and is shown as text: {error!r}"[:500])
        return plain_board(scene)
    if isinstance(board, GridBoard | PlainBoard):
        return replace(board, template=template_for(key, board.template))
    return board
