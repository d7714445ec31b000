"""A mixture of a greedy, a random and an expert Nim player, its proportions evolved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below, normal, random, seed_stream
from agents.core import Analysis, Candidate, Fact, Limit, Measure, conclude
from agents.evolution.generations import (
    Ancestors,
    ancestry_facts,
    curve,
    earlier_generations,
    quantised,
)
from agents.exhibits import Gene, Genes
from agents.rules.baselines import GreedyHeap, HeapRandom
from agents.rules.nim_expert import NimExpert
from agents.tabular.graph import Edges, draw, graph_of
from agents.training.brains import Brain
from agents.training.loop import (
    Arrays,
    Lessons,
    Points,
    begin,
    course,
    kernel_seed,
    luck_at,
    resumed,
)
from agents.training.opponents import Opponents
from agents.training.trainer import Checkpoint
from engine.core import Game, State
from engine.nim import NimState, Take
from engine.options import Values

KEY = "es-mix"
PLAYERS = ("greedy-heap", "random:by=heap", "nim-expert")
NAMES = ("greedy", "random", "expert")
TONES = ("second", "draw", "first")
SAYS = {
    "greedy": "takes all it may of the first heap",
    "random": "takes any number from any heap",
    "expert": "plays by the theory of Nim",
}
REFERENCE = "random:by=heap"
POINTS = Points(evenly=2)
GAMES_PER_SECOND = 2_000_000


@kernel
def breed(
    board: Edges,
    players: NDArray[np.float64],  # [player, edge] -> running totals of its chances
    rival: NDArray[np.float64],  # [edge], the same of the opponent
    population: NDArray[np.float64],  # [individual, player], best first when it returns
    parents: int,
    games: int,
    sigma: float,
    first: int,
    generations: int,
    seed: int,
) -> NDArray[np.float64]:
    """A (μ+λ) evolution strategy; returns the share of games each individual won last.

    The generations are those from number `first` on. Parents play again in each of them, so that
    a lucky result does not last.
    """
    luck = np.zeros(1, np.uint64)
    wins = np.zeros(len(population))
    for generation in range(first, first + generations):
        seed_stream(luck, seed, generation)
        for child in range(parents, len(population)):
            parent = population[below(luck, parents)]
            for player in range(len(players)):
                noise = sigma * normal(luck)
                population[child, player] = max(0.0, parent[player] + noise)
            population[child] /= max(population[child].sum(), 1e-9)
        for at in range(len(population)):
            wins[at] = games_won(board, players, rival, population[at], games, luck)
        order = np.argsort(-wins, kind="mergesort")
        population[:] = population[order]
        wins = wins[order]
    return wins / games


@kernel
def games_won(
    board: Edges,
    players: NDArray[np.float64],
    rival: NDArray[np.float64],
    mixture: NDArray[np.float64],
    games: int,
    luck: Luck,
) -> int:
    """The number of games the mixture wins, beginning every other one."""
    wins = 0
    for game in range(games):
        state = plies = 0
        while not board.over[state]:
            if plies % 2 == game % 2:
                state = board.after[draw(board, players[draw_player(mixture, luck)], state, luck)]
            else:
                state = board.after[draw(board, rival, state, luck)]
            plies += 1
        own = 1 if plies % 2 == game % 2 else -1  # 1 if it is the side to move at the end
        wins += own * board.outcome[state] > 0
    return wins


@kernel
def draw_player(mixture: NDArray[np.float64], luck: Luck) -> int:
    """Draw a player by the mixture."""
    chance = random(luck)
    player = 0
    while player < len(mixture) - 1 and chance >= mixture[player]:
        chance -= mixture[player]
        player += 1
    return player


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Evolve the three proportions by the games they win."""
    total, parents = options.integer("generations"), options.integer("parents")
    brain = begin(KEY, game, options, seed, REFERENCE)
    weights = luck_at(seed, 0).random((3 * parents, len(PLAYERS)))
    population = weights / weights.sum(axis=1, keepdims=True)
    ancestors = Ancestors()
    if resume is not None:
        brain = resumed(resume, brain, total)
        population = brain.array("population", population.shape, np.float64).copy()
        ancestors = Ancestors.of(brain, population.shape, np.uint8)
    board = graph_of(game).board
    players = np.array([opponents.odds(spec, game) for spec in PLAYERS])
    rival = opponents.odds(options.text("opponent"), game, alone=False)
    games, sigma = options.integer("games"), options.number("sigma")
    root = kernel_seed(seed)

    def evolve_generations(first: int, count: int) -> None:
        breed(board, players, rival, population, parents, games, sigma, first, count, root)

    def measure() -> dict[str, float]:
        mixture = consensus(population)
        policy = sum(
            chance * opponents.policy(spec, game)
            for chance, spec in zip(mixture, PLAYERS, strict=True)
        )
        shares = dict(zip(NAMES, mixture.tolist(), strict=True))
        return opponents.results(REFERENCE, game, np.asarray(policy)) | shares

    def arrays() -> Arrays:
        return {"population": population} | ancestors.arrays()

    def mark(generation: int) -> None:
        ancestors.record(generation, quantised(population))

    return course(brain, total, POINTS, Lessons(evolve_generations, measure, arrays, mark))


def seconds(opponents: Opponents, game: Game[Any, Any], options: Values) -> float:
    """The estimated training time: parents and their two children each play their games."""
    individuals = options.integer("generations") * 3 * options.integer("parents")
    playing = individuals * options.integer("games") / GAMES_PER_SECOND
    return playing + opponents.seconds(options.text("opponent"), game)


def consensus(population: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the parents, scaled to sum to 1."""
    mean = population[: len(population) // 3].mean(axis=0)
    return np.asarray(mean / mean.sum())


@dataclass(frozen=True, eq=False)
class Mixture:
    """Draws a player for each turn and plays its move."""

    mixture: tuple[float, ...]
    brain: Brain

    @classmethod
    def of(cls, game: Game[Any, Any], brain: Brain) -> Mixture:
        population = brain.array("population", (None, len(PLAYERS)), np.float64)
        return cls(tuple(consensus(population).tolist()), brain)

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        analyses = [
            player.analyse(state, limit=limit, rng=rng)
            for player in (GreedyHeap(), HeapRandom(), NimExpert())
        ]
        candidates = [
            Candidate(
                move,
                chance=sum(
                    chance * analysis.candidate(move).chance
                    for chance, analysis in zip(self.mixture, analyses, strict=True)
                ),
                line=(move,),
            )
            for move in state.legal_moves()
        ]
        analysis = conclude(
            candidates,
            lambda move: self._reason(move, analyses),
            rng,
            evidence=[
                *(
                    Fact(f"plays {name}", f"{chance:.1%}")
                    for name, chance in zip(NAMES, self.mixture, strict=True)
                ),
                *ancestry_facts(self.brain),
            ],
            measure=Measure.CHANCE,
        )
        return replace(analysis, exhibit=self._genes(analysis, analyses)) if show else analysis

    def _genes(self, analysis: Analysis[Take], analyses: Sequence[Analysis[Take]]) -> Genes:
        """The exhibit: the proportions and their course."""
        likely = self._likely(analysis.choice, analyses)
        genes = tuple(
            Gene(name, SAYS[name], f"{chance:.0%}", at == likely)
            for at, (name, chance) in enumerate(zip(NAMES, self.mixture, strict=True))
        )
        tones = {name: (name, tone) for name, tone in zip(NAMES, TONES, strict=True)}
        results = {"wins": ("wins", "win")}
        courses = (
            curve(self.brain, "How much of each player it was", tones, stacked=True),
            curve(self.brain, f"Games won against {self.brain.reference}", results),
        )
        return Genes(
            title="What it is made of",
            sentence=analysis.reason,
            genes=genes,
            courses=courses if len(self.brain.curve) > 1 else (),
            ancestors=earlier_generations(self.brain),
        )

    def _likely(self, move: Take, analyses: Sequence[Analysis[Take]]) -> int:
        """The player that most likely chose this move."""
        shares = [
            chance * analysis.candidate(move).chance
            for chance, analysis in zip(self.mixture, analyses, strict=True)
        ]
        return max(range(len(shares)), key=shares.__getitem__)

    def _reason(self, move: Take, analyses: Sequence[Analysis[Take]]) -> str:
        """The reason of the player that most likely chose this move."""
        likely = self._likely(move, analyses)
        analysis = analyses[likely]
        turn = f"Its {NAMES[likely]} side has {self.mixture[likely]:.0%} of the turns"
        if analysis.choice == move:
            return f"{turn}, and says: {analysis.reason}"
        return f"{turn}, and {move} is one of the moves it plays here."
