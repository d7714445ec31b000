"""Sets of puzzles: balanced selections, and the one that ships."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice, zip_longest
from typing import Any

from agents.puzzles.answers import answered
from agents.puzzles.difficulty import graded
from agents.puzzles.finder import find_puzzles, identity
from agents.puzzles.models import Puzzle, Theme
from engine.core import Game

FILE = "shipped.json"
POOL = 3  # graded puzzles for each that is kept

# What ships, by game; the rest of the command is `--seed 1`.
SHIPPED = {
    "tictactoe": 90,
    "nim": 50,
    "nim:heaps=1-3-5-7": 40,
    "nim:heaps=3-4-5,last=wins": 20,
    "nim:heaps=21,max_take=3": 8,
    "quixo:size=3": 70,
    "quixo:size=4": 90,
    "quixo": 110,
}
SHIPPED_SEED = 1


Progress = Callable[[float], None]


def make_puzzles(
    game: Game[Any, Any],
    seed: int,
    count: int,
    progress: Progress = lambda share: None,
    *,
    without: Iterable[Puzzle] = (),
) -> list[Puzzle]:
    """Graded puzzles of a game, spread over themes and levels; fewer if there are no more.

    None is one of those to do `without`: variants of Nim share positions.
    """
    known, pool = set(map(identity, without)), []
    found = (each for each in find_puzzles(game, seed) if identity(each) not in known)
    for puzzle in islice(found, POOL * count):
        pool.append(graded(puzzle))
        progress(len(pool) / (POOL * count))
    progress(1.0)
    return [answered(puzzle) for puzzle in spread(pool, count)]


def spread(pool: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """So many of the pool, from each theme and level in turn."""
    kinds: dict[tuple[Theme, int], list[Puzzle]] = {}
    for puzzle in pool:
        kinds.setdefault((puzzle.theme, puzzle.level), []).append(puzzle)
    in_turn = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    chosen = islice((puzzle for row in in_turn for puzzle in row if puzzle is not None), count)
    return sorted(chosen, key=lambda puzzle: (puzzle.theme, puzzle.level, puzzle.id))


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The set that ships."""
    text = files("agents.puzzles").joinpath(FILE).read_text(encoding="utf-8")
    return tuple(map(Puzzle.from_json, json.loads(text)))


@cache
def _shipped_by_id() -> Mapping[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in shipped_puzzles()}


def shipped_puzzle(puzzle_id: str) -> Puzzle | None:
    """The shipped puzzle with this id."""
    return _shipped_by_id().get(puzzle_id)


def matching(
    puzzles: Iterable[Puzzle], game: str | None, theme: str | None, level: int | None
) -> Iterator[Puzzle]:
    """The puzzles of a game (a key, or a variant's spec), a theme and a level, if these are
    given."""
    for puzzle in puzzles:
        if (
            game in (None, puzzle.game, puzzle.game.partition(":")[0])
            and theme in (None, puzzle.theme)
            and level in (None, puzzle.level)
        ):
            yield puzzle


def puzzles_json(puzzles: Iterable[Puzzle]) -> str:
    """A set as JSON, a puzzle a line."""
    lines = ",\n".join(json.dumps(puzzle.as_json(), ensure_ascii=False) for puzzle in puzzles)
    return f"[\n{lines}\n]\n"
