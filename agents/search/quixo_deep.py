"""The strongest Quixo player: looks as far ahead as its time allows, and says what it saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any

from agents.core import Analysis, Effort, Limit, conclude
from agents.search.quixo_lines import Evaluation, course_evaluation
from agents.search.quixo_root import SLOTS, think
from agents.search.quixo_view import View
from engine.catalog import load_game
from engine.core import Game
from engine.quixo import Push, QuixoState

NO_LIMIT = Limit()
UNASKED = Limit(seconds=1.0)  # where neither the caller nor its own parameters say anything


@dataclass(frozen=True)
class QuixoDeep:
    """Alpha-beta on bit boards with an evaluation of the lines."""

    game: Game[QuixoState, Push]
    evaluation: Evaluation
    own_limit: Limit = NO_LIMIT
    contempt: float = 0.0  # how much worse than even it takes a draw to be, -1 to 1
    slots: int = SLOTS

    def analyse(
        self,
        state: QuixoState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[Any] = (),
    ) -> Analysis[Push]:
        begun = perf_counter()
        asked = self.own_limit.tighter(limit)
        thought = think(
            self.game,
            state,
            self.evaluation,
            limit=UNASKED if asked == NO_LIMIT else asked,
            history=history,
            contempt=self.contempt,
            slots=self.slots,
        )
        view = View(thought, self.evaluation)
        return conclude(
            view.candidates(),
            view.reason,
            rng,
            evidence=view.evidence(),
            effort=Effort(thought.positions, thought.depth, perf_counter() - begun),
        )


def warm_up() -> None:
    """Have the kernels ready: compiled at the first time ever, read from disk afterwards.

    Takes seconds or a fraction of one; call it in the background before anyone plays.
    """
    game = load_game("quixo")
    agent = QuixoDeep(game, course_evaluation(5))
    agent.analyse(game.start, limit=Limit(depth=3), rng=Random(0))
