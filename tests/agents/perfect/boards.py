"""Boards of Quixo, at random or with few blanks, and a second way to their verdicts."""

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from agents.perfect.oracles import Oracle
from agents.quixo.bitboard import CELLS
from agents.quixo.endgame_tables import Blanks
from engine import load_game
from engine.core import Verdict
from engine.quixo import QuixoState

GAME = load_game("quixo")


def drawn(size: int, marks: list[str], rng: Random) -> QuixoState:
    """The board with these marks in this order, whoever moves."""
    rows = "/".join("".join(marks[at : at + size]) for at in range(0, size * size, size))
    game = load_game(f"quixo:size={size}")
    return game.parse_state(f"{rows} {rng.choice('xo')}")  # type: ignore[no-any-return]


def any_board(blanks: int, rng: Random) -> QuixoState:
    """Any board with so many blanks, over or not, whoever moves."""
    marks = ["."] * blanks + [rng.choice("xo") for _ in range(CELLS - blanks)]
    rng.shuffle(marks)
    return drawn(5, marks, rng)


def open_boards(blanks: int, seed: int) -> Iterator[QuixoState]:
    """Boards with so many blanks that are not over, without end."""
    rng = Random(seed)
    return (
        board for board in iter(lambda: any_board(blanks, rng), None) if board.outcome() is None
    )


def masks_without(place: Blanks, every: int = 1) -> NDArray[np.int64]:
    """What the mover's cubes may be on the cells that are not blank."""
    masks = np.arange(0, 1 << CELLS - len(place), every)
    for cell in place:
        below = (1 << cell) - 1
        masks = (masks & below) | (masks & ~below) << 1
    return masks


def rederived(state: QuixoState, oracle: Oracle) -> Verdict:
    """The verdict that the engine's moves and the verdicts on what they lead to add up to."""
    outcome = state.outcome()
    if outcome is not None:
        return Verdict(outcome.score(state.to_move), 0)
    replies = [oracle.probe(state.play(move)) for move in state.legal_moves()]
    lost = [reply.plies for reply in replies if reply.value < 0 and reply.plies is not None]
    won = [reply.plies for reply in replies if reply.value > 0 and reply.plies is not None]
    if lost:
        return Verdict(1, min(lost) + 1)
    return Verdict(-1, max(won) + 1) if len(won) == len(replies) else Verdict(0, None)


def wrongly_probed(boards: list[QuixoState], oracle: Oracle) -> list[QuixoState]:
    """Those of which is said what does not follow from what is said of where their moves lead, or
    something else than of their images."""
    turns = load_game(f"quixo:size={boards[0].table.size}").symmetries
    return [
        board
        for board in boards
        if {oracle.probe(turn.state(board)) for turn in turns} != {rederived(board, oracle)}
    ]
