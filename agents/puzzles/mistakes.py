"""Puzzles from a game that was played: first where a player gave something away."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.puzzles.answers import answered
from agents.puzzles.difficulty import level_by_depth
from agents.puzzles.finder import fold
from agents.puzzles.models import Puzzle
from agents.puzzles.proof import prover_for
from agents.puzzles.themes import puzzle_of
from engine.core import Seat
from engine.match import Match

MAX_PLIES = 80  # that are looked at, the last ones


@dataclass(frozen=True, slots=True)
class Found:
    """A puzzle from a game, and whether its player missed it there."""

    puzzle: Puzzle
    missed: bool


def puzzles_of(match: Match[Any, Any], seats: Collection[Seat], most: int) -> Sequence[Found]:
    """At most so many puzzles from a game: what these seats missed comes first, then what they
    solved, then what the other did; the latest first. Raises TooLargeError.
    """
    game = match.game
    prover = prover_for(game)
    found: dict[Any, tuple[tuple[bool, bool, int], Found]] = {}
    for ply in range(max(0, match.ply - MAX_PLIES), match.ply):
        state = match.states[ply]
        puzzle = puzzle_of(prover, state)
        if puzzle is None:
            continue
        solved = str(match.moves[ply]) in puzzle.solutions
        missed = solved == puzzle.finds_mistake
        own = state.to_move in seats
        order = (not (own and missed), not own, -ply)
        key = fold(game, state)
        if key not in found or order < found[key][0]:
            found[key] = order, Found(puzzle, own and missed)
    chosen = sorted(found.values(), key=lambda each: each[0])[:most]
    return [replace(each, puzzle=answered(level_by_depth(each.puzzle))) for _, each in chosen]
