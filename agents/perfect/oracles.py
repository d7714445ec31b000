"""Where exact values come from: a solved table, or Nim's theory where no table would fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from agents.arrays.tables import BUDGET
from agents.errors import TooLargeError
from agents.perfect.retrograde import ENDLESS, Solution, solve
from engine.core import Game
from engine.nim import NimState
from engine.nim_theory import is_lost
from engine.quixo import QuixoState

LARGEST_QUIXO = 4  # the board all of whose positions can be kept


@dataclass(frozen=True, slots=True)
class Verdict:
    """The exact value for the side to move, and the plies to the end where they are known."""

    value: int
    plies: int | None

    def seen_by_mover(self) -> Verdict:
        """The verdict on the move that led here."""
        return Verdict(-self.value, None if self.plies is None else self.plies + 1)


class Oracle(Protocol):
    """Knows the exact value of every state of a game."""

    def probe(self, state: Any) -> Verdict:
        """The verdict on a state, also on one that is over."""

    def verdicts(self, state: Any) -> dict[Any, Verdict]:
        """Every legal move with what it is worth to the side to move."""

    @property
    def source(self) -> str:
        """Where it knows from, for a reader."""


@dataclass(frozen=True, slots=True)
class TableOracle:
    """Looks the state up in the retrograde solution of the whole game."""

    solution: Solution

    def probe(self, state: Any) -> Verdict:
        tables = self.solution.tables
        if state not in tables.number:  # a legal board that no play from the start leads to
            return TableOracle(solve(tables.game, root=state)).probe(state)
        at = tables.number[state]
        return self._verdict(at)

    def verdicts(self, state: Any) -> dict[Any, Verdict]:
        tables = self.solution.tables
        if state not in tables.number:
            return TableOracle(solve(tables.game, root=state)).verdicts(state)
        return {
            move: self._verdict(after).seen_by_mover()
            for move, after in zip(
                tables.game.all_moves,
                tables.successor[tables.number[state]].tolist(),
                strict=True,
            )
            if after >= 0
        }

    def _verdict(self, at: int) -> Verdict:
        plies = int(self.solution.plies[at])
        return Verdict(int(self.solution.value[at]), None if plies == ENDLESS else plies)

    @property
    def source(self) -> str:
        return f"{len(self.solution.tables.states):,} positions solved"


@dataclass(frozen=True, slots=True)
class NimOracle:
    """Bouton's theorem: right for Nim of any size, but it does not count plies."""

    def probe(self, state: NimState) -> Verdict:
        if (outcome := state.outcome()) is not None:
            return Verdict(outcome.score(state.to_move), 0)
        return Verdict(-1 if is_lost(state) else 1, None)

    def verdicts(self, state: NimState) -> dict[Any, Verdict]:
        return _each_move(self, state)

    @property
    def source(self) -> str:
        return "Bouton's theorem"


@dataclass(frozen=True, slots=True)
class Quixo4Oracle:
    """All boards of 4×4 Quixo. The first probe reads them, or solves them where no file is."""

    def probe(self, state: QuixoState) -> Verdict:
        from agents.perfect import quixo4  # compiled, and wanted only here

        return Verdict(*quixo4.solved().probe(state))

    def verdicts(self, state: QuixoState) -> dict[Any, Verdict]:
        return _each_move(self, state)

    @property
    def source(self) -> str:
        return f"{3**LARGEST_QUIXO**2:,} boards solved"


def _each_move(oracle: Oracle, state: Any) -> dict[Any, Verdict]:
    return {move: oracle.probe(state.play(move)).seen_by_mover() for move in state.legal_moves()}


def why_unsolved(game: Game[Any, Any]) -> str | None:
    """Why nobody can look this game up, or None where it can be. Answers without solving it."""
    start = game.start
    if isinstance(start, QuixoState) and start.table.size > LARGEST_QUIXO:
        return f"{3**start.table.size**2:,} boards are too many to store"
    return None


def oracle_for(game: Game[Any, Any]) -> Oracle:
    """The exact values of this game; raises TooLargeError."""
    if why_unsolved(game):
        raise TooLargeError(game.spec, BUDGET)
    if isinstance(game.start, NimState) and (game.states or 0) > BUDGET:
        return NimOracle()
    if isinstance(game.start, QuixoState) and game.start.table.size == LARGEST_QUIXO:
        return Quixo4Oracle()
    return TableOracle(solve(game))
