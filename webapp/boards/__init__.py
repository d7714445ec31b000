"""Boards as data, by game: the only package of the web app that tells games apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents.core import Candidate
from engine.catalog import find_entry, load_game
from engine.core import Game, Outcome, State
from engine.entry import GameEntry, Preview
from engine.errors import ZermeloError, sentence, warn_once
from engine.match import Match
from engine.quixo import QuixoState
from webapp.boards.grid import BeadCount, Board, GridBoard, Scene
from webapp.boards.nim import NimPicture, nim_board, nim_move_text, nim_picture
from webapp.boards.plain import PlainBoard, PlainPicture, plain_board
from webapp.boards.plugins import package_board, template_for
from webapp.boards.quixo import (
    PushArrows,
    push_arrows,
    quixo_board,
    quixo_move_text,
    quixo_picture,
)
from webapp.boards.square import (
    TICTACTOE_CELLS,
    GridPicture,
    board_picture,
    tictactoe_board,
    tictactoe_picture,
)

Picture = NimPicture | GridPicture | PlainPicture
Attempt = Callable[[Game[Any, Any], Any, str], object]

BOARDS: Mapping[str, Callable[[Scene], Board]] = {
    "nim": nim_board,
    "tictactoe": tictactoe_board,
    "quixo": quixo_board,
}

# By game: a move as an instruction, `Take 4 from row d`.
MOVE_TEXTS: Mapping[str, Callable[[Any, Any], str]] = {
    "nim": nim_move_text,
    "tictactoe": lambda state, move: f"Mark {move}",
    "quixo": quixo_move_text,
}

# By game: half of a move, as a hint that leaves something to find.
HALF_TEXTS: Mapping[str, Callable[[str], str]] = {
    "nim": lambda move: f"take from row {move[0]}",
    "tictactoe": lambda move: f"look at column {move[0]}",
    "quixo": lambda move: f"the cube at {move.partition('-')[0]}",
}

MARKLESS = ("nim",)

# By game: the centres of the cells that are moves, in its picture.
CELLS: Mapping[str, Mapping[str, tuple[int, int]]] = {"tictactoe": TICTACTOE_CELLS}

# By game: how moves that are not cells are drawn around its picture.
ARROWS: Mapping[str, Callable[[Any, Sequence[Any]], PushArrows]] = {"quixo": push_arrows}

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
    votes: Mapping[str, int] | None = None,
    one_tap: bool = False,
) -> Board:
    """The board of the match after `ply` plies; an illegal `pick` is ignored."""
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
        votes=votes or {},
        one_tap=one_tap,
    )
    ours = BOARDS.get(match.game.key)
    return _package_board(scene) if ours is None else ours(scene)


def refusal_for(match: Match[Any, Any], board: Board, pick: str | None) -> str | None:
    """Why the pick is neither a move nor the first half of one; None if it is, or there is none."""
    if pick is None:
        return None
    game = match.game
    attempt = ATTEMPTS.get(game.key)
    if attempt is None and board.prompt is not None:  # a package's board took it as a half move
        return None
    try:
        (attempt or _play_text)(game, match.state, pick)
    except ZermeloError as error:
        return sentence(str(error))
    except Exception as error:  # noqa: BLE001 - a package's code
        warn_once(__name__, f"{game.key} failed to refuse a move: {error!r}"[:500])
    return None


def preview_for(entry: GameEntry) -> Board:
    """The picture on a game's card."""
    preview = entry.preview or Preview(entry.key)
    game = load_game(preview.spec)
    match = Match.replay(game, [game.parse_move(text) for text in preview.moves.split()])
    return picture_for(game, match.state)


def picture_for(game: Game[Any, Any], state: Any, last_move: Any = None) -> Picture:
    """A position as a picture that marks the last move."""
    scene = Scene(game, state, last_move=last_move)
    picture = PICTURES.get(game.key)
    if picture is not None:
        return picture(scene)
    board = _package_board(scene)
    if isinstance(board, GridBoard):
        return board_picture(board)
    return PlainPicture(find_entry(game.key).drawn(state, last_move))


def move_text(game: Game[Any, Any], state: Any, move: Any) -> str:
    """A move as an instruction about the board: `Take 4 from row d`, else `Play c3`."""
    words = MOVE_TEXTS.get(game.key)
    return f"Play {move}" if words is None else words(state, move)


def half_move_text(game: Game[Any, Any], move: str) -> str:
    """A hint at a move that does not name all of it: `take from row d`."""
    words = HALF_TEXTS.get(game.key)
    return f"it begins with {move[0]}" if words is None else words(move)


def has_marks(game: Game[Any, Any]) -> bool:
    """Whether a board shows whose piece is whose; in Nim a match is nobody's."""
    return game.key not in MARKLESS


def place_of(game: Game[Any, Any], move: str) -> tuple[int, int] | None:
    """The centre of a move's cell in the picture; None if moves are not cells."""
    return CELLS.get(game.key, {}).get(move)


def arrows_for(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> PushArrows | None:
    """An arrow for each move around the picture of the state; None if moves are not arrows."""
    draw = ARROWS.get(game.key)
    return None if draw is None else draw(state, moves)


def _package_board(scene: Scene) -> Board:
    """The board of the game's package; a plain board if it has none or fails."""
    key = scene.game.key
    try:
        make = package_board(find_entry(key).home) or plain_board
        board = make(scene)
    except Exception as error:  # noqa: BLE001 - a package's code
        warn_once(__name__, f"the board of {key} failed and is shown as text: {error!r}"[:500])
        return plain_board(scene)
    if isinstance(board, GridBoard | PlainBoard):
        return replace(board, template=template_for(key, board.template))
    return board


def _play_text(game: Game[Any, Any], state: State[Any], pick: str) -> object:
    """Play the pick as a move; raises if it is illegal."""
    return state.play(game.parse_move(pick))


def _take_cube(game: Game[Any, Any], state: QuixoState, pick: str) -> object:
    """Take a Quixo cube (`c3`) or push the picked one (`d5-c3`); raises if that is illegal."""
    first = next((push for push in state.table.slides if push.source == pick), None)
    named = pick if "-" in pick else f"{pick}-{pick}"
    return state.play(game.parse_move(named) if first is None else first)


# By game: tries a pick, and raises if it is refused.
ATTEMPTS: Mapping[str, Attempt] = {"nim": _play_text, "tictactoe": _play_text, "quixo": _take_cube}
