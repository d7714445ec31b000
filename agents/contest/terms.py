"""What is agreed before the first game of an arena: who plays what, how often and how."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.contest.arena import Fixture
from agents.core import UNLIMITED, Limit
from agents.roster import load_agent, player_spec
from engine.core import Game
from engine.errors import InvalidSpecError

MOST_PLAYERS = 32
LONGEST_OPENING = 20


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a round robin. They name every game of it by a number, 1 for the first."""

    game: str
    players: tuple[str, ...]  # by their shortest specs, in the order they were named
    games: int  # for each pair
    seed: int = 0
    limit: Limit = UNLIMITED
    opening: int = 0

    @property
    def pairs(self) -> int:
        return len(self.players) * (len(self.players) - 1) // 2

    @property
    def total(self) -> int:
        return self.games * self.pairs

    @property
    def repeats(self) -> bool:
        """Whether the same seed gives the same games: not where a clock ends the thinking."""
        return self.limit.seconds is None

    def number(self, one: int, two: int, round_: int) -> int:
        """The number of a pair's game: round after round, and in each every pair in its turn."""
        low, high = sorted((one, two))
        before = low * (2 * len(self.players) - low - 1) // 2
        return round_ * self.pairs + before + high - low

    def fixture(self, number: int) -> Fixture:
        """The game of that number; raises IndexError where there is none."""
        if not 1 <= number <= self.total:
            raise IndexError(number)
        round_, place = divmod(number - 1, self.pairs)
        one, rest = 0, len(self.players) - 1
        while place >= rest:
            one, place, rest = one + 1, place - rest, rest - 1
        entrants = (one, one + 1 + place)
        first, second = entrants if round_ % 2 == 0 else reversed(entrants)
        specs = (self.players[first], self.players[second])
        return Fixture(
            self.game, specs, (first, second), round_, self.seed, self.limit, self.opening
        )

    def fixtures(self) -> Iterator[Fixture]:
        """Every game in its order, so that all pairs have met before any meets again."""
        return map(self.fixture, range(1, self.total + 1))


def field_of(
    game: Game[Any, Any], specs: Sequence[str], player: Callable[[str], str] | None = None
) -> tuple[str, ...]:
    """The agents by their shortest specs: at least two, each once.

    `player` gives the spec under which one plays; unless another is given, each is made here
    first. Raises what that does, and InvalidSpecError for another number or one named twice.
    """
    read = player or (lambda spec: player_spec(load_agent(spec, game).spec, game))
    if not 2 <= len(specs) <= MOST_PLAYERS:
        why = f"an arena takes 2 to {MOST_PLAYERS} agents, not {len(specs)}"
        raise InvalidSpecError(" ".join(specs), why)
    players: list[str] = []
    for spec in specs:
        named = read(spec)
        if named in players:
            raise InvalidSpecError(spec, f"{named!r} is named twice: an arena has each agent once")
        players.append(named)
    return tuple(players)
