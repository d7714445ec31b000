"""Positions for tests: every variant of the catalogue, and states reached by legal play only."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from engine import Game, Match, load_game
from engine.catalog import all_variants

# Beyond the named variants: every option moved off its default, and heaps that began equal.
EXTRA = (
    "nim:heaps=1",
    "nim:heaps=4-4-4,last=wins",
    "nim:heaps=0-2-0-2,max_take=1",
    "nim:heaps=3-3-2-2-2-2,max_take=2,last=wins",
    "nim:heaps=10-50-50-50-50-50-50-50-50-50",
)


def random_match(game: Game[Any, Any], plies: int, rng: Random) -> Match[Any, Any]:
    """Random legal play for at most that many plies."""
    match = Match.begin(game)
    for _ in range(plies):
        if match.outcome() is not None:
            break
        match = match.play(rng.choice(match.state.legal_moves()))
    return match


def reachable_states(game: Game[Any, Any], count: int, seed: int) -> list[Any]:
    """That many states of the game that are not over, from early to late in random play."""
    rng = Random(seed)
    found: list[Any] = []
    while len(found) < count:
        match = random_match(game, rng.randrange(60), rng)
        found += [state for state in match.states[-3:] if state.outcome() is None]
    return found[:count]


@st.composite
def matches(draw: st.DrawFn, games: tuple[Game[Any, Any], ...]) -> Match[Any, Any]:
    """A match of one of the games after some legal plies, over or not."""
    game = draw(st.sampled_from(games))
    plies = draw(st.integers(0, 80))
    return random_match(game, plies, draw(st.randoms(use_true_random=False)))


def law_games() -> tuple[Game[Any, Any], ...]:
    """The named variants and the extra ones."""
    return (*all_variants(), *map(load_game, EXTRA))
