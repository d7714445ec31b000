"""Exact results of policies on a tabulated game: against each other, and of a best response.

A policy is what `Tables.policy` returns: [state, move] -> chance. Endless play is drawn at the
game's ply limit; draws by repetition depend on the history and are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.tabular.tables import Tables
from engine.core import Seat

Policy = NDArray[np.float64]  # [state, move] -> chance

ENDLESS = 1 << 30  # plies, for games without a ply limit, which always end


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of the results for one side."""

    wins: float
    draws: float
    losses: float

    @property
    def score(self) -> float:
        """Wins minus losses, which a best response maximises."""
        return self.wins - self.losses

    def __add__(self, other: Chances) -> Chances:
        return Chances(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __truediv__(self, by: float) -> Chances:
        return Chances(self.wins / by, self.draws / by, self.losses / by)


def chances(tables: Tables, policy: Policy, opponent: Policy, seat: Seat) -> Chances:
    """The results of the policy in that seat against the opponent, from the root."""
    first, second = (policy, opponent) if seat is Seat.FIRST else (opponent, policy)
    standing = spread(tables.successor, tables.over, tables.mover, first, second, _plies(tables))
    result = results(tables, seat)
    wins, draws, losses = (float(standing[result == score].sum()) for score in (1, 0, -1))
    return Chances(wins, draws, losses)


def over_seats(tables: Tables, policy: Policy, opponent: Policy) -> Chances:
    """The results of the policy, half of the matches in either seat."""
    one, other = (chances(tables, policy, opponent, seat) for seat in Seat)
    return (one + other) / 2


def best_response(
    tables: Tables, opponent: Policy, seat: Seat, loss: float = -1.0
) -> tuple[float, Policy]:
    """(score, policy) of a best response to the opponent.

    A win counts 1 and a draw 0; with a `loss` of, say, -1000 it avoids losing above all, and with
    one of 0 the score is the chance to win.
    """
    result = results(tables, seat).astype(np.float64)
    worth = np.where(result < 0, loss, result)
    value = respond(
        tables.successor, tables.over, tables.mover, worth, opponent, int(seat), _plies(tables)
    )
    after = np.where(tables.legal, value[tables.successor], -np.inf)
    best = np.zeros_like(opponent)
    playing = np.flatnonzero(~tables.over)
    best[playing, after.argmax(axis=1)[playing]] = 1.0
    return float(value[0]), best


def beatable_seats(tables: Tables, policy: Policy) -> tuple[Seat, ...]:
    """The seats in which some opponent wins against this policy, at least now and then."""
    return tuple(
        seat for seat in Seat if best_response(tables, policy, seat.other, loss=0.0)[0] > 0
    )


def results(tables: Tables, seat: Seat) -> NDArray[np.int8]:
    """[state] -> +1, 0, -1 for that seat; 0 if not over."""
    return np.where(tables.mover == seat, tables.outcome, -tables.outcome).astype(np.int8)


def _plies(tables: Tables) -> int:
    return tables.game.ply_limit or ENDLESS


@kernel
def spread(
    successor: NDArray[np.int32],
    over: NDArray[np.bool_],
    mover: NDArray[np.int8],
    first: Policy,
    second: Policy,
    plies: int,
) -> NDArray[np.float64]:
    """[state] -> the chance that a match from state 0 ends there."""
    states, moves = successor.shape
    standing = np.zeros(states)
    standing[0] = 1.0
    for _ in range(plies):
        after = np.zeros(states)
        playing = False
        for state in range(states):
            if standing[state] == 0.0:
                continue
            if over[state]:
                after[state] += standing[state]
                continue
            playing = True
            for move in range(moves):
                chance = first[state, move] if mover[state] == 0 else second[state, move]
                if chance > 0.0:
                    after[successor[state, move]] += standing[state] * chance
        if not playing:
            break
        standing = after
    return standing


@kernel
def respond(
    successor: NDArray[np.int32],
    over: NDArray[np.bool_],
    mover: NDArray[np.int8],
    worth: NDArray[np.float64],
    opponent: Policy,
    seat: int,
    plies: int,
) -> NDArray[np.float64]:
    """[state] -> the expected score of the seat's best response.

    Value iteration: exact after n rounds for matches of n plies, and for all once a round changes
    nothing.
    """
    states, moves = successor.shape
    value = np.where(over, worth, 0.0)
    for _ in range(plies):
        after = value.copy()
        changed = False
        for state in range(states):
            if over[state]:
                continue
            best, expected = -np.inf, 0.0
            for move in range(moves):
                if successor[state, move] >= 0:
                    best = max(best, value[successor[state, move]])
                    expected += opponent[state, move] * value[successor[state, move]]
            after[state] = best if mover[state] == seat else expected
            changed |= after[state] != value[state]
        if not changed:
            break
        value = after
    return value
