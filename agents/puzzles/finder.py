"""Puzzles of a game, found by seed: the same seed gives the same puzzles everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from agents.puzzles.models import Puzzle
from agents.puzzles.proof import prover_for
from agents.puzzles.themes import puzzle_of
from agents.quixo.bitboard import masks_of
from agents.tabular.tables import BUDGET, tabulate, why_too_many
from engine.catalog import load_game
from engine.core import Game, Seat
from engine.nim import NimState
from engine.quixo import QuixoState

MAX_PLIES = 40  # of a game that positions are taken from


def find_puzzles(game: Game[Any, Any], seed: int) -> Iterator[Puzzle]:
    """Different puzzles of a game, ungraded; endless unless the game's positions are counted.

    No two have positions that are symmetric; raises TooLargeError.
    """
    prover = prover_for(game)
    seen: set[Any] = set()
    for state in _positions(game, Random(seed)):
        folded = fold(game, state)
        if folded not in seen:
            seen.add(folded)
            if (puzzle := puzzle_of(prover, state)) is not None:
                yield puzzle


def fold(game: Game[Any, Any], state: Any) -> Any:
    """The same for positions that differ by a symmetry, by the colours, or in Nim by the order of
    the heaps."""
    if isinstance(state, NimState):
        return tuple(sorted(filter(None, state.heaps)))
    if isinstance(state, QuixoState):
        return masks_of(game.canonical(_with_x_to_move(state)))
    return game.canonical(state)


def identity(puzzle: Puzzle) -> Any:
    """The same for puzzles that are alike, also where two variants of Nim share a position."""
    game = load_game(puzzle.game)
    state = game.parse_state(puzzle.state)
    if isinstance(state, NimState):
        rules = game.options["last"], game.options["max_take"]
        return (game.key, *rules, fold(game, state))
    return game.spec, fold(game, state)


def _with_x_to_move(state: QuixoState) -> QuixoState:
    own, other = masks_of(state)
    return QuixoState(own, other, Seat.FIRST, state.table)


def _positions(game: Game[Any, Any], rng: Random) -> Iterator[Any]:
    """All positions of a small game in random order, else those of endless random games."""
    if why_too_many(game, BUDGET, "list") is None:
        states = list(tabulate(game).states)
        rng.shuffle(states)
        yield from states
        return
    while True:
        state = game.start
        for _ in range(rng.randrange(MAX_PLIES)):
            after = _played(state, rng)
            if after.outcome() is not None:
                break
            state = after
        yield state


def _played(state: Any, rng: Random) -> Any:
    """The state after a random move, which loses at once only if every move does."""
    moves = list(state.legal_moves())
    rng.shuffle(moves)
    return next((after for move in moves if (after := state.play(move)).outcome() is None), state)
