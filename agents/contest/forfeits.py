"""Forfeits of a contest as their authors need them: who, in which game and position, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.contest.arena import Played
from engine.catalog import load_game
from engine.match import Match

MAX_KEPT = 200  # of a contest


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game that an agent lost by failing."""

    player: str  # the spec of the agent that failed
    round: int
    opponent: str
    ply: int
    position: str  # in which it was to move
    fault: str
    traceback: str

    @classmethod
    def of(cls, played: Played) -> Forfeit:
        """The forfeit of a game that has one."""
        fixture, winner = played.fixture, played.outcome.winner
        assert winner is not None
        assert played.fault is not None
        game = load_game(fixture.game)
        match = Match.replay(game, map(game.parse_move, played.moves))
        return cls(
            player=fixture.specs[winner.other],
            round=fixture.round,
            opponent=fixture.specs[winner],
            ply=match.ply,
            position=str(match.state),
            fault=played.fault,
            traceback=played.traceback,
        )


class ForfeitLog:
    """Collects the forfeits of results that pass through it."""

    def __init__(self) -> None:
        self.forfeits: list[Forfeit] = []

    def watch(self, results: Iterable[Played]) -> Iterator[Played]:
        for played in results:
            if played.fault is not None and len(self.forfeits) < MAX_KEPT:
                self.forfeits.append(Forfeit.of(played))
            yield played

    def by_reason(self) -> list[tuple[Forfeit, int]]:
        """The first forfeit of each agent and reason, and how many there were."""
        counts: dict[tuple[str, str], int] = {}
        first: dict[tuple[str, str], Forfeit] = {}
        for forfeit in self.forfeits:
            key = (forfeit.player, forfeit.fault)
            first.setdefault(key, forfeit)
            counts[key] = counts.get(key, 0) + 1
        return [(forfeit, counts[key]) for key, forfeit in first.items()]
