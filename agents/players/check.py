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
    processes: dict[int, PlayerProcess] = {}
    late = 0
    try:
        for number, states in enumerate(random_positions(game, positions)):
            if len(check.failures) >= MAX_FAILURES or late >= MAX_LATE:
                break
            check.asked += 1
            seat = int(states[-1].to_move)
            try:
                if seat not in processes:
                    processes[seat] = PlayerProcess(player, game.spec, seat)
                    processes[seat].start(SEED)
                reply = processes[seat].ask(turn_document(game, states, number), seconds)
                analysis = analysis_of(reply, states[-1], game)
                check.slowest = max(check.slowest, analysis.effort.seconds)
            except UnsuitableAgentError as error:
                check.refused = str(error)
                break
            except BrokenAgentError as error:
                late += isinstance(error, LateAgentError)
                processes.pop(seat).end()
                check.failures.append(Failure(str(states[-1]), str(error), error.traceback))
    finally:
        for process in processes.values():
            process.end()
    return check


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
