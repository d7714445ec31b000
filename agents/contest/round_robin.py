"""Everyone against everyone: who scored what against whom, and the ratings that follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.compute.processes import processes
from agents.contest.arena import crosstable, play_all, schedule
from agents.contest.ratings import Rating, rate
from agents.contest.scores import Score
from agents.contest.series import Watched
from agents.core import UNLIMITED, Limit
from agents.roster import load_agent, player_spec
from engine.core import Game
from engine.errors import InvalidSpecError

MOST_PLAYERS = 32


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's place in a round robin."""

    spec: str
    rating: Rating
    score: Score

    def __str__(self) -> str:
        return f"{self.spec}: {self.rating}, {self.score}"


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """How an arena went."""

    game: str
    games: int  # for each pair
    seed: int
    players: tuple[str, ...]  # by their shortest specs, in the order they were named
    ratings: tuple[Rating, ...]  # by player
    table: tuple[tuple[Score | None, ...], ...]  # [i][j]: i against j; None on the diagonal

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Best first."""
        return tuple(sorted(self._all(), key=lambda standing: -standing.rating.elo))

    def _all(self) -> Iterable[Standing]:
        for spec, rating, row in zip(self.players, self.ratings, self.table, strict=True):
            yield Standing(spec, rating, record(row))

    def __str__(self) -> str:
        places = (f"{place}. {standing}" for place, standing in enumerate(self.standings, 1))
        return "\n".join((f"{self.game}, {self.games} games for each pair", *places))


def play_arena(
    game: Game[Any, Any],
    specs: Sequence[str],
    *,
    games: int = 100,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    workers: int = 1,
    watched: Watched = iter,
) -> RoundRobin:
    """A round robin, so many games a pair; the number of workers changes no result.

    More than one worker are processes of their own: a script that asks for them does so under
    `if __name__ == "__main__"`. Raises what `load_agent` does, and InvalidSpecError for a field
    of fewer than two or with an agent in it twice.
    """
    players = _field(game, specs)
    fixtures = schedule(game.spec, players, games, seed, limit)
    total = games * len(players) * (len(players) - 1) // 2
    with processes(min(workers, total)) as executor:
        table = crosstable(len(players), watched(play_all(fixtures, executor, workers)))
    rows = tuple(tuple(row) for row in table)
    return RoundRobin(game.spec, games, seed, players, rate(table), rows)


def record(row: Iterable[Score | None]) -> Score:
    """What one player scored against all others."""
    return sum((score for score in row if score), Score())


def _field(game: Game[Any, Any], specs: Sequence[str]) -> tuple[str, ...]:
    """The agents by their shortest specs: at least two, each once."""
    if not 2 <= len(specs) <= MOST_PLAYERS:
        why = f"an arena takes 2 to {MOST_PLAYERS} agents, not {len(specs)}"
        raise InvalidSpecError(" ".join(specs), why)
    players: list[str] = []
    for spec in specs:
        player = player_spec(load_agent(spec, game).spec, game)
        if player in players:
            raise InvalidSpecError(spec, f"{player!r} is named twice: an arena has each agent once")
        players.append(player)
    return tuple(players)
