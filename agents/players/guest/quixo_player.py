"""Players written for the course's Quixo: an object with `make_move(game) -> ((x, y), Move)`."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import Any, Dict, List, Optional, Tuple

from .answers import (
    MAX_IDENTICAL,
    IllegalAnswerError,
    NotAMoveError,
    ask_again,
    pair_of_integers,
    shortened,
)
from .turn import Turn

SIZE = 5
COLUMNS = "abcde"
MARKS = {".": -1, "x": 0, "o": 1}
FEW_IDENTICAL = 3  # illegal answers after which the marks are exchanged once
SIDES = ("TOP", "BOTTOM", "LEFT", "RIGHT")  # by the values of the course's Move


class QuixoPlayer:
    """Shows a player the position as a game of its own, and reads its answer as one of our moves.

    One who takes itself for the other player, whichever it is told, names cubes that it may not
    take for ever; it is then shown the board with the marks exchanged, which is the same game.
    """

    def __init__(self, player: Any, game: Any) -> None:
        self.player = player
        self.asked = player.make_move
        self.game = game
        self.exchanged = False

    def choose(self, turn: Turn) -> str:
        try:
            return self._ask(turn, FEW_IDENTICAL)
        except IllegalAnswerError as error:
            if not error.identical:
                raise
            move = error.move
        if move is not None and takes_opponents(turn, move):
            self.exchanged = not self.exchanged
            try:
                move = self._ask(turn, FEW_IDENTICAL)
            except IllegalAnswerError:
                self.exchanged = not self.exchanged
            else:
                print("It takes itself for the other player: it now sees the marks exchanged.")
                return move
        return self._ask(turn, MAX_IDENTICAL)

    def _ask(self, turn: Turn, max_identical: int) -> str:
        def answer() -> Any:
            self._show(turn)
            return self.player.make_move(self.game)

        return ask_again(
            turn, answer, push_text, lambda move: push_fault(turn, move), max_identical
        )

    def _show(self, turn: Turn) -> None:
        """Set board and seat, whatever the player did to them."""
        cells = [[MARKS[mark] for mark in row] for row in turn.board]
        seat = turn.seat_index
        if self.exchanged:
            cells = [[1 - cell if cell >= 0 else cell for cell in row] for row in cells]
            seat = 1 - seat
        set_position(self.game, cells, seat)


def push_text(answer: Any) -> str:
    """The text of ((x, y), Move): TOP at (x, y) takes it back in at the top of its column."""
    try:
        place, side = answer
    except (TypeError, ValueError):
        raise NotAMoveError("{} is no ((x, y), Move)".format(shortened(answer))) from None
    x, y = pair_of_integers(place)
    if not (0 <= x < SIZE and 0 <= y < SIZE):
        raise NotAMoveError("{} is not on the board".format(shortened(place)))
    ends = {"TOP": (x, 0), "BOTTOM": (x, SIZE - 1), "LEFT": (0, y), "RIGHT": (SIZE - 1, y)}
    return "{}-{}".format(_cell(x, y), _cell(*ends[_side_name(side)]))


def push_fault(turn: Turn, move: str) -> str:
    """Why a push is not legal, in the player's own coordinates."""
    x, y = _place(move)
    if not {x, y} & {0, SIZE - 1}:
        return "the cube at ({}, {}) is not on the rim".format(x, y)
    if takes_opponents(turn, move):
        return "the cube at ({}, {}) shows the opponent's mark".format(x, y)
    return "a cube cannot go back in where it was taken ({}, {})".format(x, y)


def takes_opponents(turn: Turn, move: str) -> bool:
    """Whether the cube that is taken shows the opponent's mark."""
    x, y = _place(move)
    return turn.board[y][x] not in (".", turn.seat)


def set_position(game: Any, cells: List[List[int]], seat: int) -> None:
    """Set the board in place, as the course's game changes it, and who is to move."""
    import numpy as np

    name = board_name(game)
    board = getattr(game, name, None)
    if isinstance(board, np.ndarray) and board.shape == (SIZE, SIZE) and board.dtype.kind in "if":
        board[...] = cells
    elif isinstance(board, list):
        setattr(game, name, cells)
    else:
        setattr(game, name, np.array(cells, dtype=int))
    for attribute in {"current_player_idx", *vars(game)}:
        if "current_player" in attribute and isinstance(getattr(game, attribute, 0), int):
            setattr(game, attribute, seat)


def board_name(game: Any) -> str:
    """Where the game keeps its board: `_board`, or whatever a changed one calls it."""
    import numpy as np

    kept: Dict[str, Any] = vars(game)
    for name in ("_board", "board"):
        if name in kept:
            return name
    squares = [name for name, value in kept.items() if np.shape(value) == (SIZE, SIZE)]
    return squares[0] if squares else "_board"


def make_game(player_class: type, module: ModuleType) -> Any:
    """A game of the class that the player's annotation names, else of its only one, else Game."""
    wanted = _annotated_game(player_class)
    if wanted is None:
        base = _base_game(player_class, module)
        own = [
            each
            for each in vars(module).values()
            if isinstance(each, type) and issubclass(each, base) and each is not base
        ]
        wanted = own[0] if len(own) == 1 else base
    return _construct_game(wanted)


def _construct_game(wanted: type) -> Any:
    """A game, copied from a blank one where its constructor wants a game or a board."""
    parameters = list(inspect.signature(wanted).parameters.values())
    required = [
        each
        for each in parameters
        if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    if not required:
        return wanted()
    blank = _construct_game(next(each for each in wanted.__mro__[1:] if each.__name__ == "Game"))
    known = {"board": blank.get_board(), "player": 0, "idx": 0, "game": blank}
    given = {}
    for parameter in required:
        found = [value for word, value in known.items() if word in parameter.name.lower()]
        given[parameter.name] = found[0] if found else blank
    return wanted(**given)


def _annotated_game(player_class: type) -> Optional[type]:
    """The class that `make_move` says its game has, if it is one with a board of its own."""
    make_move = player_class.make_move  # type: ignore[attr-defined]
    notes = getattr(make_move, "__annotations__", {})
    note = next((note for name, note in notes.items() if name != "return"), None)
    if isinstance(note, str):
        note = getattr(make_move, "__globals__", {}).get(note.strip("'\""))
    return note if isinstance(note, type) and hasattr(note, "check_winner") else None


def _base_game(player_class: type, module: ModuleType) -> type:
    """The Game of the module that the player's class comes from."""
    for each in player_class.__mro__:
        found = getattr(sys.modules.get(each.__module__), "Game", None)
        if isinstance(found, type):
            return found
    found = getattr(module, "Game", None) or sys.modules["game"].Game
    assert isinstance(found, type)
    return found


def _place(move: str) -> Tuple[int, int]:
    """The (x, y) of the cube that is taken."""
    return COLUMNS.index(move[0]), SIZE - int(move[1])


def _cell(x: int, y: int) -> str:
    return "{}{}".format(COLUMNS[x], SIZE - y)


def _side_name(side: Any) -> str:
    """TOP, BOTTOM, LEFT or RIGHT of a Move of any make, or of its number."""
    name = getattr(side, "name", side)
    if isinstance(name, str) and name.upper() in SIDES:
        return name.upper()
    value = getattr(side, "value", side)
    try:
        return SIDES[range(len(SIDES)).index(int(value))]
    except (TypeError, ValueError):
        raise NotAMoveError(
            "{} is none of TOP, BOTTOM, LEFT and RIGHT".format(shortened(side))
        ) from None
