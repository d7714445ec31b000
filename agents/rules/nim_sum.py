"""Nim by the nim-sum alone: right in normal play, wrong at the end of misère play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from agents.core import Analysis, Candidate, Limit, Measure, conclude, even_chances
from agents.entry import Entry, Technique, only
from agents.rules.nim_exhibit import binary_facts, columns_exhibit
from agents.rules.source import nim_sum_source
from engine.core import State
from engine.nim import NimState, Take
from engine.nim_theory import is_lost, nim_sum
from engine.options import Kind, Option

Leave = Literal["zero", "nonzero"]


@dataclass(frozen=True, slots=True)
class NimSum:
    """Leaves the nim-sum it wants if it can, otherwise plays any legal move."""

    leave: Leave

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        moves = state.legal_moves()
        wanted = [move for move in moves if self._wants(state.play(move))]
        chances = even_chances(moves, wanted or moves)
        candidates = [Candidate(move, chance=chances[move]) for move in moves]
        return conclude(
            candidates,
            lambda move: self._reason(state, move, len(wanted)),
            rng,
            evidence=binary_facts(state),
            measure=Measure.CHANCE,
            exhibit=columns_exhibit(state, wanted, self._goal) if show else None,
        )

    @property
    def _goal(self) -> str:
        return "leaves nim-sum 0" if self.leave == "zero" else "leaves a nim-sum that is not 0"

    def _wants(self, after: NimState) -> bool:
        return (nim_sum(after) == 0) == (self.leave == "zero")

    def _reason(self, state: NimState, move: Take, wanted: int) -> str:
        after = state.play(move)
        kind = "0" if self.leave == "zero" else "not 0"
        if not wanted:
            return f"No move leaves a nim-sum that is {kind}, so it picked {move} at random."
        leaves = f"{move} leaves {after.heaps_text}, nim-sum {nim_sum(after):b}"
        moves = len(state.legal_moves())
        rivals = "no other move does" if wanted == 1 else f"{wanted} of {moves} moves leave {kind}"
        return f"{leaves}: {rivals}.{self._mistake(state, after)}"

    def _mistake(self, state: NimState, after: NimState) -> str:
        """A sentence on the rule's mistake in misère play, if the move is one."""
        if self.leave == "nonzero" or is_lost(after) or state.rules.last == "wins":
            return ""
        if after.outcome() is not None:
            return " It forgets that the last match loses."
        return " It forgets that the last match loses: left like this, you can win."


ENTRIES = (
    Entry(
        key="nim-sum",
        title="Nim-sum",
        technique=Technique.RULES,
        order=4,
        description=(
            "Leaves a nim-sum of zero whenever it can, the classic rule for Nim. "
            "It forgets that in misère play the last match loses."
        ),
        options=(
            Option(
                "leave",
                Kind.CHOICE,
                "zero",
                "the nim-sum it tries to leave",
                choices=("zero", "nonzero"),
            ),
        ),
        make=lambda game, options: NimSum("zero" if options.text("leave") == "zero" else "nonzero"),
        refuses=only("nim"),
        source=nim_sum_source,
        shows=True,
    ),
)
