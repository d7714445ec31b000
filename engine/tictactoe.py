"""Tic-tac-toe: three in a row wins, a full board is a draw."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Ending, Game, Outcome, Seat, Symmetry
from engine.drawing import Drawn, board
from engine.entry import GameEntry, Preset, Preview
from engine.errors import IllegalMoveError, InvalidStateError
from engine.options import Values
from engine.square import bits, line_evaluation, square

BOARD = square(3)
FULL = (1 << 9) - 1


@dataclass(frozen=True, slots=True)
class Mark:
    """Marking a cell: `b2`."""

    bit: int

    def __str__(self) -> str:
        return BOARD.cells[self.bit]

    __repr__ = __str__


MOVES = tuple(Mark(bit) for bit in range(9))


@dataclass(frozen=True, slots=True)
class TicTacToeState(Drawn):
    """The two players' cells as bit masks."""

    x: int
    o: int
    to_move: Seat

    def legal_moves(self) -> tuple[Mark, ...]:
        if self.outcome() is not None:
            return ()
        return tuple(MOVES[bit] for bit in bits(FULL & ~(self.x | self.o)))

    def play(self, move: Mark) -> TicTacToeState:
        if self.outcome() is not None:
            raise IllegalMoveError(move, self, "the game is over")
        cell = 1 << move.bit
        if (self.x | self.o) & cell:
            raise IllegalMoveError(move, self, f"{move} is taken")
        if self.to_move is Seat.FIRST:
            return TicTacToeState(self.x | cell, self.o, Seat.SECOND)
        return TicTacToeState(self.x, self.o | cell, Seat.FIRST)

    def outcome(self) -> Outcome | None:
        if BOARD.line_of(self.x):
            return Outcome(Seat.FIRST, Ending.LINE)
        if BOARD.line_of(self.o):
            return Outcome(Seat.SECOND, Ending.LINE)
        if self.x | self.o == FULL:
            return Outcome(None, Ending.BOARD_FULL)
        return None

    def __str__(self) -> str:
        return BOARD.write(self.x, self.o, self.to_move)

    __repr__ = __str__


def tictactoe(spec: str, options: Values) -> Game[TicTacToeState, Mark]:
    """The game, which has no options."""
    return Game(
        key="tictactoe",
        title="Tic-tac-toe",
        options=options,
        spec=spec,
        start=TicTacToeState(0, 0, Seat.FIRST),
        all_moves=MOVES,
        parse_move=lambda text: MOVES[BOARD.bit(text)],
        parse_state=_parse_state,
        symmetries=tuple(_symmetry(turn) for turn in BOARD.turns),
        states=5_478,
    )


def _symmetry(turn: tuple[int, ...]) -> Symmetry[TicTacToeState, Mark]:
    def turn_state(state: TicTacToeState) -> TicTacToeState:
        x, o = BOARD.turned(state.x, turn), BOARD.turned(state.o, turn)
        return TicTacToeState(x, o, state.to_move)

    name = f"a1 to {BOARD.cells[turn[0]]}, c1 to {BOARD.cells[turn[2]]}"
    return Symmetry(name, turn_state, lambda move: MOVES[turn[move.bit]])


def _parse_state(text: str) -> TicTacToeState:
    """Parse a reachable state: mark counts fit the side to move, and no line before the last."""
    x, o, to_move = BOARD.read(text)
    ahead = x.bit_count() - o.bit_count()
    if ahead != to_move:
        raise InvalidStateError(
            text, f"{x.bit_count()} x and {o.bit_count()} o cannot be with {to_move.mark} to move"
        )
    won_by_mover = BOARD.line_of(x if to_move is Seat.FIRST else o)
    if won_by_mover:
        why = f"{to_move.mark} cannot be to move after making {won_by_mover.name}"
        raise InvalidStateError(text, why)
    return TicTacToeState(x, o, to_move)


TICTACTOE = GameEntry(
    key="tictactoe",
    title="Tic-tac-toe",
    summary="Three in a row.",
    options=(),
    presets=(Preset("classic", "3 × 3", ()),),
    make=tictactoe,
    evaluation=line_evaluation(3),
    drawing=lambda state, last: board(state, None if last is None else str(last)),
    preview=Preview("tictactoe", "a3 c3 b2 c1"),
)
