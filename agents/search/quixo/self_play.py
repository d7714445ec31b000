"""Quick games of quixo-deep: a search of fixed depth against another, by the thousand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from agents.quixo.bitboard import masks_of
from agents.search.quixo import kernel as kernels
from agents.search.quixo.kernel import WIN, Workspace
from agents.search.quixo.lines import LineEvaluation
from agents.search.quixo.root import new_search, past_of, path_to
from engine.core import Game
from engine.match import Match
from engine.quixo import Push, QuixoState

CONTEMPT = 0.3  # it would rather play on than repeat: a draw teaches little

Pushes = Match[QuixoState, Push]


@dataclass(frozen=True, eq=False)
class FixedDepth:
    """A search of fixed depth that plays at once: for games by the thousand."""

    search: Workspace
    depth: int

    @classmethod
    def of(cls, size: int, evaluation: LineEvaluation, depth: int) -> FixedDepth:
        search = new_search(size, evaluation, slots=1 << 14)
        return cls(search._replace(draw=evaluation.score(-CONTEMPT)), depth)

    def push(self, match: Pushes) -> Push:
        """The best push by its lights. What it remembers is of one game: `forget` before the next.

        A win at once is not remembered but seen, so it is looked for here.
        """
        state = match.state
        past = past_of(state, match.states[:-1])
        search = self.search._replace(path=path_to(state, past))
        own, other = masks_of(state)
        value = kernels.negamax(own, other, self.depth, -WIN - 1, WIN + 1, 0, len(past), search)
        if value == WIN - 1:
            return next(push for push in state.legal_moves() if _wins(state, push))
        number = int(kernels.recall(kernels.key_of(own, other), search.table)[3])
        if number == kernels.NO_MOVE:  # every move is a repetition or loses at once
            return state.legal_moves()[0]
        return tuple(state.table.slides)[number]

    def forget(self) -> None:
        self.search.table[:] = 0


def _wins(state: QuixoState, push: Push) -> bool:
    outcome = state.play(push).outcome()
    return outcome is not None and outcome.winner is state.to_move


def self_play(
    game: Game[QuixoState, Push],
    players: Sequence[FixedDepth],
    opening: int,
    slips: float,
    rng: Random,
) -> Pushes:
    """One game between the two, after so many random plies and with so many random moves."""
    for player in players:
        player.forget()
    match = Match.begin(game)
    while match.outcome() is None:
        if match.ply < opening or rng.random() < slips:
            match = match.play(rng.choice(match.state.legal_moves()))
        else:
            match = match.play(players[match.state.to_move].push(match))
    return match
