"""What is proven of a position's moves: exactly where the game is solved, else a few plies far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.perfect.oracles import ENDGAMES, oracle_for
from agents.puzzles.forced import forced_verdicts
from engine.core import Game, Verdict

HORIZON = 5  # plies of a proof where a game is not solved

Verdicts = Mapping[Any, Verdict | None]  # of each legal move, for its player; None: not proven


@dataclass(frozen=True, slots=True)
class Prover:
    """Proves what the moves of a game's positions are worth."""

    game: Game[Any, Any]
    prove: Callable[[Any, int], Verdicts]  # of a state, within so many plies if it is not solved
    exact: bool  # every verdict is known
    source: str  # for people

    def verdicts(self, state: Any, plies: int = HORIZON) -> Verdicts:
        """What is proven of every move; where the game is not solved, within so many plies."""
        return self.prove(state, plies)


def prover_for(game: Game[Any, Any]) -> Prover:
    """The prover of a game; raises TooLargeError if nothing can be proven about it.

    Of 5×5 Quixo only what is forced within the horizon is, whether or not endgame tables were
    built: the same seed gives the same puzzles on every machine.
    """
    if game.spec == ENDGAMES:
        source = f"every line of play within {HORIZON} turns"
        return Prover(game, forced_verdicts, False, source)
    oracle = oracle_for(game)
    return Prover(game, lambda state, plies: oracle.verdicts(state), True, oracle.source)


def best_reply(verdicts: Verdicts) -> Any:
    """The first move with the quickest win, else one not known to lose, else the slowest loss."""
    return max(verdicts, key=lambda move: merit(verdicts[move]))


def merit(verdict: Verdict | None) -> tuple[int, int]:
    """Orders verdicts: quick wins, slow wins, draws and open games, slow losses, quick losses."""
    if verdict is None:
        return 0, 0
    return verdict.value, -verdict.value * (verdict.plies or 0)
