"""The `ntuple` agent: learns n-tuple tables by playing itself, and moves to the best sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import new_stream
from agents.core import (
    Agent,
    Analysis,
    Candidate,
    Effort,
    Fact,
    Limit,
    conclude,
    even_chances,
)
from agents.entry import Entry, Technique, only
from agents.evolution.quixo_evolved import c3c, new_workspace
from agents.exhibits import LearnedNumber, Numbers
from agents.formats import signed
from agents.learner import Learner
from agents.learning.common import alpha_option, comparison, epsilon_option
from agents.networks.common import openings_option
from agents.networks.measurement import OPENINGS, REFERENCE, is_unsolved, truth_of
from agents.networks.player import courses_of
from agents.networks.rules import Rules, position_of, rules_of
from agents.networks.tuple_tables import (
    Settings,
    Table,
    Tuples,
    best_moves,
    duel,
    learn_games,
    move_value,
    tuples_of,
)
from agents.search.guided import search_option, searched
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, games_option, kernel_seed, share_option
from agents.training.opponents import Opponents
from engine.core import Game, State
from engine.options import Values

GAME_SECONDS = {3: 4e-5, 4: 7e-5, 5: 1.3e-4}  # of training, measured


@dataclass(frozen=True, eq=False)
class TuplePlayer:
    """Moves to the position whose tuples add up best."""

    game: Game[Any, Any]
    brain: Brain
    rules: Rules
    tuples: Tuples
    worth: NDArray[np.float64]

    def worths(self, state: State[Any]) -> dict[Any, float]:
        """What each legal move is worth, for the side to move."""
        own, other = position_of(state)
        number = _numbers(self.game)
        return {
            move: move_value(own, other, number[move], self.rules, self.tuples, self.worth)
            for move in state.legal_moves()
        }

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        begun = perf_counter()
        worths = self.worths(state)
        best = max(worths.values())
        chances = even_chances(worths, [move for move in worths if worths[move] == best])
        return conclude(
            [Candidate(move, worths[move], chances[move], line=(move,)) for move in worths],
            lambda move: (
                f"After {move} the groups of cells it knows add up to {signed(worths[move])} "
                f"(+1 is a win); {comparison(move, worths)}"
            ),
            rng,
            evidence=[
                Fact("tuples on the board", len(self.tuples.cells)),
                Fact("numbers learned", self.tuples.numbers),
                Fact("games learned from", self.brain.steps),
            ],
            effort=Effort(len(worths), 1, perf_counter() - begun),
            exhibit=self.exhibit(worths) if show else None,
        )

    def exhibit(self, worths: dict[Any, float]) -> Numbers:
        """What each move leads to, best first."""
        ordered = sorted(worths, key=lambda move: -worths[move])
        courses = courses_of(self.brain, None)
        return Numbers(
            numbers=tuple(LearnedNumber(str(move), worths[move], 0) for move in ordered),
            name="worth",
            says=(
                "What the lines and corners after a move add up to: 1 is a certain win, "
                "−1 a certain loss."
            ),
            high=1.0,
            known=(
                f"It knows {self.tuples.numbers:,} numbers, and has seen "
                f"{int((self.worth != 0).sum()):,} of the fillings they stand for."
            ),
            course=courses[0] if courses else None,
        )


@lru_cache(maxsize=4)
def _numbers(game: Game[Any, Any]) -> dict[Any, int]:
    return {move: at for at, move in enumerate(game.all_moves)}


@dataclass(frozen=True)
class TupleLearner(Learner):
    """Plays itself and learns what the fillings of lines and corners are worth."""

    key = "ntuple"
    points = Points(2_000)

    def reference_for(self, game: Game[Any, Any]) -> str:
        return REFERENCE if is_unsolved(game) else ""

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        rules, tuples = rules_of(game), tuples_of(game.start.table.size)
        numbers = (tuples.numbers,)
        if brain is None:
            table = Table(*(np.zeros(numbers) for _ in Table._fields))
        else:
            found = (brain.array(name, numbers, np.float64).copy() for name in Table._fields)
            table = Table(*found)
        names = ("alpha", "epsilon", "lambda", "openings")
        settings = Settings(*map(options.number, names))
        root, rng = kernel_seed(seed), new_stream()
        path, values = np.zeros((rules.plies, 3), np.int64), np.zeros(rules.plies)

        def learn(first: int, games: int) -> None:
            learn_games(first, games, root, settings, rules, tuples, table, path, values, rng)

        def measure() -> dict[str, float]:
            if not is_unsolved(game):
                truth = truth_of(game)
                moves = best_moves(truth.position, rules, tuples, table.worth)
                return {"right": truth.share(moves)}
            counts = duel(OPENINGS, c3c(), new_workspace(), rules, tuples, table.worth)
            shares = (counts / (2 * OPENINGS)).tolist()
            return dict(zip(("wins", "draws", "losses"), shares, strict=True))

        def arrays() -> Arrays:
            return dict(table._asdict())

        return Callbacks(learn, measure, arrays)

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> Agent[Any, Any]:
        tuples = tuples_of(game.start.table.size)
        worth = brain.array("worth", (tuples.numbers,), np.float64)
        player = TuplePlayer(game, brain, rules_of(game), tuples, worth)
        return searched(game, player, options)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        return options.integer("games") * GAME_SECONDS[game.start.table.size]


def entry(opponents: Opponents) -> Entry:
    return TupleLearner(opponents).entry(
        title="Tuples",
        technique=Technique.NETWORKS,
        order=5,
        description=(
            "Looks at every line and corner by itself and knows from its own games what each "
            "filling is worth. It adds these up and moves to the best sum."
        ),
        options=(
            games_option(100_000),
            alpha_option(0.05),
            epsilon_option(0.1),
            share_option("lambda", 0.5, "how much of a correction goes back to earlier positions"),
            openings_option(0.8),
            search_option(),
        ),
        refuses=only("quixo"),
        sampled=2 * OPENINGS,
        ships=lambda brain: replace(brain, arrays={"worth": brain.arrays["worth"]}),
    )
