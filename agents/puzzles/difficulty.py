"""How hard a puzzle is: the least search depth that finds it, and how many machines miss it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from agents.contest.ladder import Rung, ladder
from agents.core import UNLIMITED, Agent, Analysis, Limit
from agents.entry import Technique
from agents.puzzles.models import LEVELS, Puzzle
from agents.roster import load_agent
from engine.catalog import load_game
from engine.core import Game

MACHINES_LIMIT = Limit(nodes=500)  # as where their strength was measured
MAX_DEPTH = 8
BOUNDS = (0.17, 0.28, 0.42, 0.62)  # of hardness, between the levels
SEED = 0
FOUND = 0.999  # chance of a right move


def graded(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its level; a pure function of it and the shipped machines."""
    depth, missed = depth_of(puzzle), missed_by(puzzle)
    return replace(puzzle, depth=depth, missed=round(missed, 3), level=level_of(depth, missed))


def level_of(depth: int | None, missed: float) -> int:
    """1 to 5, from both measures in equal parts."""
    hardness = ((MAX_DEPTH + 1 if depth is None else depth) / (MAX_DEPTH + 1) + missed) / 2
    return LEVELS[bisect_right(BOUNDS, hardness)]


def level_by_depth(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its level by search depth alone, at once: 1 to 4 plies, else level 5."""
    depth = depth_of(puzzle, LEVELS[-1])
    level = LEVELS[-1] if depth is None else LEVELS[min(depth, LEVELS[-1]) - 1]
    return replace(puzzle, depth=depth, level=level)


def depth_of(puzzle: Puzzle, most: int = MAX_DEPTH) -> int | None:
    """The least depth at which a search finds the puzzle, and still does one ply deeper."""
    game = load_game(puzzle.game)
    before = False
    for depth in range(1, most + 1):
        found = chance_of(puzzle, _search(game, depth), UNLIMITED) >= FOUND
        if found and before:
            return depth - 1
        before = found
    return most if before else None


@lru_cache(maxsize=64)
def _search(game: Game[Any, Any], depth: int) -> Agent[Any, Any]:
    spec = "quixo-deep:depth={},endgames=no" if game.key == "quixo" else "alphabeta:depth={}"
    return load_agent(spec.format(depth), game)


def missed_by(puzzle: Puzzle) -> float:
    """The mean chance that a machine of the ladder misses it."""
    shares = [1 - chance_of(puzzle, agent) for _, agent in machines(puzzle.game)]
    return sum(shares) / len(shares)


@lru_cache(maxsize=16)
def machines(game: str) -> tuple[tuple[Rung, Agent[Any, Any]], ...]:
    """The machines of a game's ladder, weakest first, without those that know every answer."""
    rules = load_game(game)
    rungs = (rung for rung in ladder(rules.spec) if rung.entry.technique is not Technique.PERFECT)
    return tuple((rung, load_agent(rung.spec, rules)) for rung in rungs)


def chance_of(puzzle: Puzzle, agent: Agent[Any, Any], limit: Limit = MACHINES_LIMIT) -> float:
    """The chance that an agent solves the puzzle: plays a right move, or names the mistake, as
    which it takes any of the moves that it rates lowest."""
    state = load_game(puzzle.game).parse_state(puzzle.state)
    analysis = agent.analyse(state, limit=limit, rng=Random(SEED))
    if not puzzle.finds_mistake:
        return sum(
            each.chance for each in analysis.candidates if str(each.move) in puzzle.solutions
        )
    lowest = list(_lowest(analysis))
    return sum(move in puzzle.solutions for move in lowest) / len(lowest)


def _lowest(analysis: Analysis[Any]) -> Iterator[str]:
    extents = {str(each.move): analysis.extent(each) or 0.0 for each in analysis.candidates}
    least = min(extents.values())
    return (move for move, extent in extents.items() if extent == least)
