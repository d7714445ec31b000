"""A mixture of a greedy, a random and an expert Nim player, its proportions evolved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, normal, random, seed_stream
from agents.core import Agent, Analysis, Candidate, Fact, Limit, Measure, conclude
from agents.entry import Entry, Technique
from agents.evolution.generations import (
    Ancestors,
    ancestry_facts,
    count_option,
    earlier_generations,
    generations_option,
    only_small_nim,
    population_callbacks,
)
from agents.evolution.restarts import JOIN
from agents.exhibits import Gene, Genes
from agents.learner import Learner
from agents.tabular.graph import Edges, draw, graph_of
from agents.training.brains import Brain
from agents.training.curve_exhibit import chart_of
from agents.training.loop import Callbacks, Points, generator_at, kernel_seed
from agents.training.opponents import Opponents
from engine.core import Game, State
from engine.nim import NimState, Take
from engine.options import Kind, Option, Values

PLAYERS = ("greedy-heap", "random:by=heap", "nim-expert")
NAMES = ("greedy", "random", "expert")
TONES = ("second", "draw", "first")
SAYS = {
    "greedy": "takes all it may of the first heap",
    "random": "takes any number from any heap",
    "expert": "plays by the theory of Nim",
}
GAMES_PER_SECOND = 2_000_000


@kernel
def breed(
    board: Edges,
    players: NDArray[np.float64],  # [player, edge] -> running totals of its chances
    rivals: NDArray[np.float64],  # [opponent, edge], the same of each opponent
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
    rng = np.zeros(1, np.uint64)
    wins = np.zeros(len(population))
    for generation in range(first, first + generations):
        seed_stream(rng, seed, generation)
        for child in range(parents, len(population)):
            parent = population[below(rng, parents)]
            for player in range(len(players)):
                noise = sigma * normal(rng)
                population[child, player] = max(0.0, parent[player] + noise)
            population[child] /= max(population[child].sum(), 1e-9)
        for at in range(len(population)):
            wins[at] = games_won(board, players, rivals, population[at], games, rng)
        order = np.argsort(-wins, kind="mergesort")
        population[:] = population[order]
        wins = wins[order]
    return wins / games


@kernel
def games_won(
    board: Edges,
    players: NDArray[np.float64],
    rivals: NDArray[np.float64],
    mixture: NDArray[np.float64],
    games: int,
    rng: Stream,
) -> int:
    """The number of games the mixture wins, beginning every other one; opponents take turns."""
    wins = 0
    for game in range(games):
        rival = rivals[game // 2 % len(rivals)]
        state = plies = 0
        while not board.over[state]:
            if plies % 2 == game % 2:
                state = board.after[draw(board, players[draw_player(mixture, rng)], state, rng)]
            else:
                state = board.after[draw(board, rival, state, rng)]
            plies += 1
        own = 1 if plies % 2 == game % 2 else -1  # 1 if it is the side to move at the end
        wins += own * board.outcome[state] > 0
    return wins


@kernel
def draw_player(mixture: NDArray[np.float64], rng: Stream) -> int:
    """Draw a player by the mixture."""
    chance = random(rng)
    player = 0
    while player < len(mixture) - 1 and chance >= mixture[player]:
        chance -= mixture[player]
        player += 1
    return player


@dataclass(frozen=True)
class MixtureEvolution(Learner):
    """Evolves the three proportions by the games they win."""

    key = "es-mix"
    reference = "random:by=heap"
    points = Points(evenly=2)

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        parents = options.integer("parents")
        weights = generator_at(seed, 0).random((3 * parents, len(PLAYERS)))
        population = weights / weights.sum(axis=1, keepdims=True)
        ancestors = Ancestors()
        if brain is not None:
            population = brain.array("population", population.shape, np.float64).copy()
            ancestors = Ancestors.of(brain, population.shape, np.uint8)
        opponents, board = self.opponents, graph_of(game).board
        players = np.array([opponents.odds(spec, game) for spec in PLAYERS])
        rivals = np.array([opponents.odds(each, game, alone=False) for each in _rivals(options)])
        games, sigma = options.integer("games"), options.number("sigma")
        root = kernel_seed(seed)

        def evolve_generations(first: int, count: int) -> None:
            breed(board, players, rivals, population, parents, games, sigma, first, count, root)

        def measure() -> dict[str, float]:
            mixture = consensus(population)
            policy = sum(
                chance * opponents.policy(spec, game)
                for chance, spec in zip(mixture, PLAYERS, strict=True)
            )
            shares = dict(zip(NAMES, mixture.tolist(), strict=True))
            return opponents.results(self.reference, game, np.asarray(policy)) | shares

        return population_callbacks(evolve_generations, measure, population, ancestors)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        """Parents and their two children each play their games."""
        individuals = options.integer("generations") * 3 * options.integer("parents")
        playing = individuals * options.integer("games") / GAMES_PER_SECOND
        return playing + sum(self.opponents.seconds(each, game) for each in _rivals(options))

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> Mixture:
        population = brain.array("population", (None, len(PLAYERS)), np.float64)
        players = tuple(self.opponents.load(spec, game) for spec in PLAYERS)
        return Mixture(tuple(consensus(population).tolist()), players, brain)


def _rivals(options: Values) -> list[str]:
    """Whom it trains against: one agent, or several joined by +."""
    return options.text("opponent").split(JOIN)


def consensus(population: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the parents, scaled to sum to 1."""
    mean = population[: len(population) // 3].mean(axis=0)
    return np.asarray(mean / mean.sum())


@dataclass(frozen=True, eq=False)
class Mixture:
    """Draws a player for each turn and plays its move."""

    mixture: tuple[float, ...]
    players: tuple[Agent[Any, Any], ...]
    brain: Brain

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        analyses = [player.analyse(state, limit=limit, rng=rng) for player in self.players]
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
            replace(chart_of(self.brain, "How much of each player it was", tones), stacked=True),
            chart_of(self.brain, f"Games won against {self.brain.rival}", results),
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


def entry(opponents: Opponents) -> Entry:
    return MixtureEvolution(opponents).entry(
        title="Evolved mixture",
        technique=Technique.EVOLUTION,
        order=4,
        description=(
            "Is greedy, random or an expert from turn to turn, as often as evolution found "
            "best. Its curve shows how soon it learns whom to trust."
        ),
        options=(
            generations_option(100),
            count_option("parents", 10, "individuals that have two children each", high=1000),
            count_option("games", 50, "games each of them plays in a generation"),
            Option("sigma", Kind.NUMBER, 0.1, "how far a chance mutates", low=0.0001, high=1.0),
            Option(
                "opponent",
                Kind.TEXT,
                "random:by=heap",
                "whom it trains against: a machine, or several joined by + that take turns",
            ),
        ),
        refuses=only_small_nim,
    )
