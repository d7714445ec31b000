"""Forfeits of a contest as their authors need them: who, in which game and position, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.contest.arena import Played
from engine.catalog import load_game
from engine.match import Match

MAX_KEPT_EACH = 20  # of an agent and a reason; the others are counted
MAX_REASONS = 500


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
        self._counts: Counter[tuple[str, str]] = Counter()  # by agent and reason

    def watch(self, results: Iterable[Played]) -> Iterator[Played]:
        for played in results:
            if played.fault is not None:
                self._note(Forfeit.of(played))
            yield played

    def by_reason(self) -> list[tuple[Forfeit, int]]:
        """The first forfeit of each agent and reason, and how many there were."""
        first: dict[tuple[str, str], Forfeit] = {}
        for forfeit in self.forfeits:
            first.setdefault((forfeit.player, forfeit.fault), forfeit)
        return [(forfeit, self._counts[key]) for key, forfeit in first.items()]

    def _note(self, forfeit: Forfeit) -> None:
        key = (forfeit.player, forfeit.fault)
        if key in self._counts or len(self._counts) < MAX_REASONS:
            self._counts[key] += 1
            if self._counts[key] <= MAX_KEPT_EACH:
                self.forfeits.append(forfeit)
