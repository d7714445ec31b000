"""The two game projects of CS50's course on AI: `tictactoe.py` and `nim.py`."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable, List, Optional

from .answers import NotAMoveError, ask_again, pair_of_integers
from .nim_strategy import take_fault, take_text
from .turn import Turn

MARKS = {"x": "X", "o": "O", ".": None}
COLUMNS = "abc"
TRAINING_GAMES = 10_000  # as the project's own play.py trains it
HEAPS = "1-3-5-7"


class Minimax:
    """`minimax(board)`: the board is three rows of "X", "O" or None, the answer (row, column)."""

    def __init__(self, minimax: Callable[[List[List[Optional[str]]]], Any]) -> None:
        self.minimax = self.asked = minimax

    def choose(self, turn: Turn) -> str:
        def answer() -> Any:
            return self.minimax([[MARKS[mark] for mark in row] for row in turn.board])

        return ask_again(turn, answer, mark_text, "{} is taken".format)


class TrainedNim:
    """`train(n)` gives a player with `choose_action(piles, epsilon=False)`: (pile, count)."""

    def __init__(self, module: ModuleType, games: int = TRAINING_GAMES) -> None:
        self.player = module.train(games)
        self.asked = self.player.choose_action

    def choose(self, turn: Turn) -> str:
        piles = [len(row) for row in turn.board]

        def answer() -> Any:
            return self.player.choose_action(list(piles), epsilon=False)

        return ask_again(turn, answer, take_text, lambda move: take_fault(piles, None, move))


def mark_text(answer: Any) -> str:
    """The cell of (row from the top, column)."""
    row, column = pair_of_integers(answer)
    if not (0 <= row <= 2 and 0 <= column <= 2):
        raise NotAMoveError("({}, {}) is not on the board".format(row, column))
    return "{}{}".format(COLUMNS[column], 3 - row)


def is_trained_nim(module: ModuleType) -> bool:
    """Whether the module has what CS50's `nim.py` has."""
    return hasattr(module, "train") and hasattr(module, "NimAI")
