"""A module `game` for players written for the course's Quixo, where they bring none.

Its names, private ones included, are those the course's players use. A position is (x, y) in the
public methods, x the column and y the row from the top; in the private ones it is (row, column).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import List, Tuple

import numpy as np

SIZE = 5
BLANK = -1


class Move(Enum):
    """The side at which the cube is pushed back in."""

    TOP = 0
    BOTTOM = 1
    LEFT = 2
    RIGHT = 3


class Player(ABC):
    """Somebody who is asked for moves until one is legal."""

    @abstractmethod
    def make_move(self, game: Game) -> Tuple[Tuple[int, int], Move]:
        """The cube to take as (x, y), and the side where it comes back in."""


class Game:
    """A board of cubes (-1 blank, 0 and 1 the players'), and whose turn it is."""

    def __init__(self) -> None:
        self._board = np.full((SIZE, SIZE), BLANK, dtype=int)  # [row from the top, column]
        self.current_player_idx = 1  # `play` begins by passing the turn on

    def get_board(self) -> np.ndarray:
        """A copy of the board."""
        return self._board.copy()

    def get_current_player(self) -> int:
        """The player to move, 0 or 1."""
        return self.current_player_idx

    def print(self) -> None:
        """Print the board."""
        print(self._board)

    def check_winner(self) -> int:
        """The player of the first full line, whoever moved; -1 while there is none.

        Rows come first, then columns, the main diagonal and the other one.
        """
        board = self._board
        lines = [*board, *board.T, board.diagonal(), np.fliplr(board).diagonal()]
        for line in lines:
            if line[0] != BLANK and (line == line[0]).all():
                return int(line[0])
        return BLANK

    def play(self, player1: Player, player2: Player) -> int:
        """Play until somebody has a line and return who; there is no draw."""
        players = (player1, player2)
        winner = BLANK
        while winner == BLANK:
            self.current_player_idx = (self.current_player_idx + 1) % len(players)
            moved = False
            while not moved:
                from_pos, slide = players[self.current_player_idx].make_move(self)
                moved = self.__move(from_pos, slide, self.current_player_idx)
            winner = self.check_winner()
        return winner

    def __move(self, from_pos: Tuple[int, int], slide: Move, player_id: int) -> bool:
        """Take the cube at (x, y) and push it in; False, and nothing changed, if illegal."""
        if player_id not in (0, 1):
            return False
        place = (from_pos[1], from_pos[0])
        before = self._board[place] if _on_board(place) else BLANK
        if not self.__take(place, player_id):
            return False
        if not self.__slide(place, slide):
            self._board[place] = before
            return False
        return True

    def __take(self, from_pos: Tuple[int, int], player_id: int) -> bool:
        """Turn the cube at (row, column) to the player's mark; False if it cannot be taken."""
        if not _on_rim(from_pos) or self._board[from_pos] not in (BLANK, player_id):
            return False
        self._board[from_pos] = player_id
        return True

    @staticmethod
    def __acceptable_slides(from_position: Tuple[int, int]) -> List[Move]:
        """The sides where a cube from (row, column) may come back in: not where it is already."""
        row, column = from_position
        barred = {
            Move.TOP: row == 0,
            Move.BOTTOM: row == SIZE - 1,
            Move.LEFT: column == 0,
            Move.RIGHT: column == SIZE - 1,
        }
        return [side for side in Move if not barred[side]]

    def __slide(self, from_pos: Tuple[int, int], slide: Move) -> bool:
        """Push the cube at (row, column) in at that side, moving those between by one."""
        if slide not in self.__acceptable_slides(from_pos):
            return False
        row, column = from_pos
        # A view of the cells from the side where the cube comes in up to where it was.
        path = {
            Move.TOP: self._board[: row + 1, column],
            Move.BOTTOM: self._board[row:, column][::-1],
            Move.LEFT: self._board[row, : column + 1],
            Move.RIGHT: self._board[row, column:][::-1],
        }[slide]
        taken = path[-1]
        path[1:] = path[:-1].copy()
        path[0] = taken
        return True


def _on_board(place: Tuple[int, int]) -> bool:
    return all(0 <= index < SIZE for index in place)


def _on_rim(place: Tuple[int, int]) -> bool:
    return _on_board(place) and any(index in (0, SIZE - 1) for index in place)
