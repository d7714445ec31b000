"""A player tried on many positions of every game it plays: legal, in time, and still there."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from agents.errors import BrokenAgentError, LateAgentError, UnsuitableAgentError
from agents.players.agent import MOVE_S, analysis_of, turn_document
from agents.players.process import PlayerProcess
from agents.players.spec import OutsidePlayer
from engine.core import Game, State
from engine.match import Match

POSITIONS = 200
MAX_FAILURES = 10  # of a game, after which it is not asked on
MAX_LATE = 2  # the same, of those that cost all of their time
SEED = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """A position in which a player failed."""

    position: str
    why: str
    traceback: str


@dataclass(slots=True)
class GameCheck:
    """How a player did in one game."""

    game: str
    asked: int = 0
    slowest: float = 0.0  # seconds
    refused: str = ""  # why it does not play this game
    failures: list[Failure] = field(default_factory=list)


def check_game(
    player: OutsidePlayer,
    game: Game[Any, Any],
    positions: int = POSITIONS,
    seconds: float = MOVE_S,
) -> GameCheck:
    """Ask it in positions of random games; its process is replaced where it is lost."""
    check = GameCheck(game.spec)
    seats = [_CheckedSeat(PlayerProcess(player, game.spec, seat), game, seconds) for seat in (0, 1)]
    late = games = 0
    try:
        for states in random_positions(game, positions):
            if len(check.failures) >= MAX_FAILURES or late >= MAX_LATE:
                break
            check.asked += 1
            games += len(states) == 1
            try:
                took = seats[int(states[-1].to_move)].answer(states, games, check.asked)
                check.slowest = max(check.slowest, took)
            except UnsuitableAgentError as error:
                check.refused = str(error)
                break
            except BrokenAgentError as error:
                late += isinstance(error, LateAgentError)
                check.failures.append(Failure(str(states[-1]), str(error), error.traceback))
    finally:
        for seat in seats:
            seat.process.end()
    return check


@dataclass(slots=True)
class _CheckedSeat:
    """A player's process for one seat, which is asked in one game after another.

    One that remembers its match may fail in a later game, as it never would where each match has
    a process: it is asked again in a new one, from the first turn of that game.
    """

    process: PlayerProcess
    game: Game[Any, Any]
    seconds: float
    begun: int = 0  # the game in which the process began; 0: it is not running

    def answer(self, states: tuple[State[Any], ...], number: int, seed: int) -> float:
        """The seconds that its answer took; raises BrokenAgentError."""
        earlier = 0 < self.begun < number
        try:
            return self._ask(states, number, seed)
        except LateAgentError:
            raise
        except BrokenAgentError:
            if not earlier:
                raise
        seat = states[-1].to_move
        for at, state in enumerate(states[:-1], 1):
            if state.to_move is seat:
                self._ask(states[:at], number, seed)
        return self._ask(states, number, seed)

    def _ask(self, states: tuple[State[Any], ...], number: int, seed: int) -> float:
        try:
            if not self.begun:
                self.process.start(SEED)
                self.begun = number
            reply = self.process.ask(turn_document(self.game, states, seed), self.seconds)
            return analysis_of(reply, states[-1], self.game).effort.seconds
        except BrokenAgentError:
            self.process.end()
            self.begun = 0
            raise


def random_positions(game: Game[Any, Any], number: int) -> list[tuple[State[Any], ...]]:
    """Positions that are not over, each with those before it, from games of random moves."""
    rng = Random(f"{game.spec} {SEED}")
    found: list[tuple[State[Any], ...]] = []
    while len(found) < number:
        match = Match.begin(game)
        while match.outcome() is None and len(found) < number:
            found.append(match.states)
            match = match.play(rng.choice(match.state.legal_moves()))
    return found
