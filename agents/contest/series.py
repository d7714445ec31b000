"""Two agents, many games: what the first named scored, by the seat it had."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from agents.contest.arena import Played, schedule
from agents.contest.scores import Score
from agents.contest.spreading import play_all
from agents.core import UNLIMITED, Limit
from agents.roster import load_agent, player_spec
from engine.core import Game, Seat

# What results pass through as they come, for whoever shows progress: `tqdm` would do.
Watched = Callable[[Iterator[Played]], Iterable[Played]]


@dataclass(frozen=True, slots=True)
class Series:
    """How a match of many games went for the agent named first."""

    game: str
    players: tuple[str, str]  # by their shortest specs
    seed: int
    first: Score  # in the games in which it moved first
    second: Score
    played: tuple[Played, ...] = field(repr=False)
    seconds: float = field(compare=False)

    @property
    def score(self) -> Score:
        """Of both seats together."""
        return self.first + self.second

    @property
    def plies(self) -> int:
        """Of all games together."""
        return sum(len(played.moves) for played in self.played)

    @property
    def forfeits(self) -> int:
        """Games that ended because an agent broke."""
        return sum(played.fault is not None for played in self.played)

    def __str__(self) -> str:
        one, two = self.players
        return f"{one} against {two} on {self.game}: {self.score}"


def play_match(
    game: Game[Any, Any],
    one: str,
    two: str,
    *,
    games: int = 100,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    watched: Watched = iter,
) -> Series:
    """So many games between two agents, changing seats after each; the same seed, the same games.

    Raises what `load_agent` does. An agent that breaks in a game forfeits it.
    """
    players = (_player(one, game), _player(two, game))
    begun = perf_counter()
    played = tuple(watched(play_all(schedule(game.spec, players, games, seed, limit))))
    first, second = (_record(played, seat) for seat in Seat)
    return Series(game.spec, players, seed, first, second, played, perf_counter() - begun)


def _player(spec: str, game: Game[Any, Any]) -> str:
    """Its shortest spec, once it has been made."""
    return player_spec(load_agent(spec, game).spec, game)


def _record(played: Iterable[Played], seat: Seat) -> Score:
    """What the player named first scored from that seat."""
    return sum((each.score(0) for each in played if each.seat(0) is seat), Score())
