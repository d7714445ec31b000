"""A second look at puzzles: everything they say is proven again, and no two are alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.puzzles.answers import answered
from agents.puzzles.finder import identity
from agents.puzzles.models import Puzzle
from agents.puzzles.proof import prover_for
from agents.puzzles.themes import puzzle_of
from engine.catalog import load_game
from engine.errors import ZermeloError, quoted

MAX_QUOTED_CHARS = 80


class UnreadablePuzzlesError(ZermeloError):
    """A file is no set of puzzles."""


def read_puzzles(text: str) -> tuple[Puzzle, ...]:
    """The puzzles of a JSON text; raises UnreadablePuzzlesError."""
    try:
        return tuple(map(Puzzle.from_json, json.loads(text)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        why = quoted(str(error)[:MAX_QUOTED_CHARS])
        raise UnreadablePuzzlesError(f"this is no set of puzzles: {why}") from error


def check_puzzles(
    puzzles: Sequence[Puzzle], progress: Callable[[float], None] = lambda share: None
) -> list[tuple[Puzzle, str]]:
    """The puzzles that are wrong, each with the reason."""
    wrong: list[tuple[Puzzle, str]] = []
    seen: dict[object, Puzzle] = {}
    for at, puzzle in enumerate(puzzles):
        game = load_game(puzzle.game)
        state = game.parse_state(puzzle.state)
        proven = puzzle_of(prover_for(game), state)
        key = identity(puzzle)
        if key in seen:
            wrong.append((puzzle, f"it is {seen[key].id} again"))
        seen[key] = puzzle
        if proven is None:
            wrong.append((puzzle, "no single move is right"))
        elif proven != (bare := replace(puzzle, level=0, depth=None, missed=None, answers={})):
            fields = [
                name for name in bare.__slots__ if getattr(bare, name) != getattr(proven, name)
            ]
            wrong.append((puzzle, f"other {', '.join(fields)} were proven"))
        elif answered(proven).answers != puzzle.answers:
            wrong.append((puzzle, "other answers were proven"))
        progress((at + 1) / len(puzzles))
    return wrong
