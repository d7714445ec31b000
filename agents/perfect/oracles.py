"""Sources of exact values: retrograde solutions, tables of Quixo, and theory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.errors import TooLargeError, UnsolvedError
from agents.formats import counted
from agents.quixo.bitboard import blanks_of
from agents.quixo.endgame_tables import SIZES, endgames, verdict
from agents.tabular.tables import BUDGET, Tables, tabulate, why_too_many
from engine.catalog import find_entry
from engine.core import Game, Verdict
from engine.entry import Theory
from engine.quixo import QuixoState

ENDLESS = -1  # plies of a draw that either side can prolong for ever
MAX_QUICK_STATES = 20_000  # solved within two or three seconds
LARGEST_QUIXO = 4  # the largest board with a complete table
ENDGAMES = "quixo"  # the game of which only endgames are solved


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of every tabulated state for the side to move, and the plies to the end."""

    tables: Tables
    value: NDArray[np.int8]  # [state] -> +1 won, 0 drawn, -1 lost
    plies: NDArray[np.int16]  # [state] -> with best play, or ENDLESS


def solve(game: Game[Any, Any], root: Any = None) -> Solution:
    """Solve a game by retrograde analysis (cached); raises TooLargeError."""
    return _solve(tabulate(game, root))


@lru_cache(maxsize=16)
def _solve(tables: Tables) -> Solution:
    """Ply by ply from the ends: a state is won once one move leads to a lost one, and lost once
    every move leads to a won one, so that wins are quickest and losses slowest. The rest is
    drawn.
    """
    value = tables.outcome.copy()
    plies = np.where(tables.over, 0, ENDLESS).astype(np.int16)
    unsettled = np.flatnonzero(~tables.over)
    ply = 0
    while unsettled.size:
        ply += 1
        after = tables.successor[unsettled]  # [unsettled state, move]
        legal, settled = after >= 0, plies[after] != ENDLESS
        won = (legal & settled & (value[after] < 0)).any(axis=1)
        lost = (~legal | settled & (value[after] > 0)).all(axis=1)
        if not (won | lost).any():
            break
        value[unsettled[won]] = 1
        value[unsettled[lost]] = -1
        plies[unsettled[won | lost]] = ply
        unsettled = unsettled[~(won | lost)]
    _count_drawn(tables, value, plies)
    return Solution(tables, value, plies)


def _count_drawn(tables: Tables, value: NDArray[np.int8], plies: NDArray[np.int16]) -> None:
    """Fill in the fewest plies to a draw on the board, such as a full one."""
    uncounted = np.flatnonzero(plies == ENDLESS)
    ply = 0
    while uncounted.size:
        ply += 1
        after = tables.successor[uncounted]
        drawn_next = (after >= 0) & (value[after] == 0) & (plies[after] == ply - 1)
        nearer = drawn_next.any(axis=1)
        if not nearer.any():
            break
        plies[uncounted[nearer]] = ply
        uncounted = uncounted[~nearer]


class Oracle(Protocol):
    """A source of exact values of a game."""

    def probe(self, state: Any) -> Verdict:
        """The verdict on a state, finished or not."""

    def verdicts(self, state: Any) -> dict[Any, Verdict]:
        """The verdict on every legal move, for the side to move."""

    @property
    def source(self) -> str:
        """The source as text for readers."""


@dataclass(frozen=True, slots=True)
class TableOracle:
    """Looks the state up in the retrograde solution of the whole game."""

    solution: Solution

    def probe(self, state: Any) -> Verdict:
        oracle, at = self._found(state)
        return oracle._verdict(at)

    def verdicts(self, state: Any) -> dict[Any, Verdict]:
        oracle, at = self._found(state)
        tables = oracle.solution.tables
        return {
            move: oracle._verdict(after).seen_by_mover()
            for move, after in zip(
                tables.game.all_moves, tables.successor[at].tolist(), strict=True
            )
            if after >= 0
        }

    def _found(self, state: Any) -> tuple[TableOracle, int]:
        """(oracle, number) of the state: in this table, or, if it is not reachable from the
        start, in one with the state as its root."""
        tables = self.solution.tables
        at = tables.number.get(state)
        if at is not None:
            return self, at
        return TableOracle(solve(tables.game, root=state)), 0

    def _verdict(self, at: int) -> Verdict:
        plies = int(self.solution.plies[at])
        return Verdict(int(self.solution.value[at]), None if plies == ENDLESS else plies)

    @property
    def source(self) -> str:
        return f"{len(self.solution.tables.states):,} positions solved"


@dataclass(frozen=True, slots=True)
class TheoryOracle:
    """The game's theory, which may not know the plies to the end."""

    theory: Theory

    def probe(self, state: Any) -> Verdict:
        if (found := self.theory.verdict(state)) is None:
            raise UnsolvedError(f"{self.theory.name} says nothing of {state}")
        return found

    def verdicts(self, state: Any) -> dict[Any, Verdict]:
        verdicts = self.theory.verdicts
        return _each_move(self, state) if verdicts is None else verdicts(state)

    @property
    def source(self) -> str:
        return self.theory.name


@dataclass(frozen=True, slots=True)
class Quixo4Oracle:
    """All boards of 4×4 Quixo, read from a file or solved at the first probe."""

    def probe(self, state: QuixoState) -> Verdict:
        from agents.perfect import quixo4  # compiles kernels

        return Verdict(*quixo4.solved().probe(state))

    def verdicts(self, state: QuixoState) -> dict[Any, Verdict]:
        return _each_move(self, state)

    @property
    def source(self) -> str:
        return f"{3**LARGEST_QUIXO**2:,} boards solved"


@dataclass(frozen=True, slots=True)
class EndgameOracle:
    """5×5 Quixo with few blank cubes, if the endgame tables were built."""

    def probe(self, state: QuixoState) -> Verdict:
        table, blanks = endgames(), blanks_of(state)
        if blanks > table.blanks:
            raise UnsolvedError(_unsolved_text(blanks, table.blanks))
        return verdict(state, table)

    def verdicts(self, state: QuixoState) -> dict[Any, Verdict]:
        self.probe(state)  # raises if it is unsolved, although some of its successors are solved
        return _each_move(self, state)

    @property
    def source(self) -> str:
        return f"{SIZES[endgames().blanks]:,} boards solved"


def _unsolved_text(blanks: int, most: int) -> str:
    """Why a position is not in the tables."""
    if most < 0:
        return "no endgames have been worked out here: `zermelo solve quixo --blanks 1` does"
    few = "none" if most == 0 else f"{most} at most"
    return f"{counted(blanks, 'cube is', 'cubes are')} blank, and boards with {few} are solved"


def _each_move(oracle: Oracle, state: Any) -> dict[Any, Verdict]:
    return {move: oracle.probe(state.play(move)).seen_by_mover() for move in state.legal_moves()}


# Games with their own solver, by spec.
OWN: Mapping[str, Callable[[], Oracle]] = {
    f"quixo:size={LARGEST_QUIXO}": Quixo4Oracle,
    ENDGAMES: EndgameOracle,
}


def why_unsolved(game: Game[Any, Any]) -> str | None:
    """Why this game cannot be solved, or None; answers without solving it."""
    if game.spec in OWN or _theory_of(game) is not None:
        return None
    return why_too_many(game, BUDGET, "solve")


def part_solved(game: Game[Any, Any]) -> str | None:
    """The positions of a game that are solved; None for all."""
    return "only positions with hardly a blank cube left" if game.spec == ENDGAMES else None


def oracle_for(game: Game[Any, Any]) -> Oracle:
    """The oracle of this game; raises TooLargeError.

    A table, which counts plies, is preferred to theory where it is solved quickly.
    """
    if (own := OWN.get(game.spec)) is not None:
        return own()
    theory = _theory_of(game)
    if why_too_many(game, BUDGET if theory is None else MAX_QUICK_STATES, "solve") is None:
        return TableOracle(solve(game))
    if theory is not None:
        return TheoryOracle(theory)
    raise TooLargeError(game.spec, BUDGET)


def _theory_of(game: Game[Any, Any]) -> Theory | None:
    """The game's theory, if it applies to the start."""
    theory = find_entry(game.key).theory
    return theory if theory is not None and theory.verdict(game.start) is not None else None
