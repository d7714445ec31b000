"""A mixture of a greedy, a random and an expert Nim player: evolution finds how much of each."""

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
from agents.evolution.generations import Ancestors, ancestry, curve, in_bytes, younger
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

    The generations are those from number `first` on. Everyone plays anew in each of them, parents
    too: one lucky evening does not last.
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
            wins[at] = won(board, players, rival, population[at], games, luck)
        order = np.argsort(-wins, kind="mergesort")
        population[:] = population[order]
        wins = wins[order]
    return wins / games


@kernel
def won(
    board: Edges,
    players: NDArray[np.float64],
    rival: NDArray[np.float64],
    mixture: NDArray[np.float64],
    games: int,
    luck: Luck,
) -> int:
    """How many of the games the mixture wins, beginning every other one."""
    wins = 0
    for game in range(games):
        state = plies = 0
        while not board.over[state]:
            if plies % 2 == game % 2:
                state = board.after[draw(board, players[who(mixture, luck)], state, luck)]
            else:
                state = board.after[draw(board, rival, state, luck)]
            plies += 1
        own = 1 if plies % 2 == game % 2 else -1  # whether it would be to move now
        wins += own * board.outcome[state] > 0
    return wins


@kernel
def who(mixture: NDArray[np.float64], luck: Luck) -> int:
    """The player whose turn it is, drawn by the mixture."""
    chance = random(luck)
    player = 0
    while player < len(mixture) - 1 and chance >= mixture[player]:
        chance -= mixture[player]
        player += 1
    return player


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


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Evolve the three chances by the games they win."""
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

    def stretch(first: int, count: int) -> None:
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
        ancestors.note(generation, in_bytes(population))

    return course(brain, total, POINTS, Lessons(stretch, measure, arrays, mark))


def seconds(opponents: Opponents, game: Game[Any, Any], options: Values) -> float:
    """About how long training takes: parents and their two children each play their games."""
    individuals = options.integer("generations") * 3 * options.integer("parents")
    playing = individuals * options.integer("games") / GAMES_PER_SECOND
    return playing + opponents.seconds(options.text("opponent"), game)


def consensus(population: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the parents, as chances."""
    mean = population[: len(population) // 3].mean(axis=0)
    return np.asarray(mean / mean.sum())


@dataclass(frozen=True, eq=False)
class Mixture:
    """Draws a player for each turn, and plays what that one would."""

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
        said = [
            player.analyse(state, limit=limit, rng=rng)
            for player in (GreedyHeap(), HeapRandom(), NimExpert())
        ]
        candidates = [
            Candidate(
                move,
                chance=sum(
                    chance * analysis.candidate(move).chance
                    for chance, analysis in zip(self.mixture, said, strict=True)
                ),
                line=(move,),
            )
            for move in state.legal_moves()
        ]
        analysis = conclude(
            candidates,
            lambda move: self._reason(move, said),
            rng,
            evidence=[
                *(
                    Fact(f"plays {name}", f"{chance:.1%}")
                    for name, chance in zip(NAMES, self.mixture, strict=True)
                ),
                *ancestry(self.brain),
            ],
            measure=Measure.CHANCE,
        )
        return replace(analysis, exhibit=self._genes(analysis, said)) if show else analysis

    def _genes(self, analysis: Analysis[Take], said: Sequence[Analysis[Take]]) -> Genes:
        """How much of each player it is, and how that came about."""
        likely = self._likely(analysis.choice, said)
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
            ancestors=younger(self.brain),
        )

    def _likely(self, move: Take, said: Sequence[Analysis[Take]]) -> int:
        """Who of the three most likely meant this move."""
        shares = [
            chance * analysis.candidate(move).chance
            for chance, analysis in zip(self.mixture, said, strict=True)
        ]
        return max(range(len(shares)), key=shares.__getitem__)

    def _reason(self, move: Take, said: Sequence[Analysis[Take]]) -> str:
        """What the one of the three who most likely meant this move says of it."""
        likely = self._likely(move, said)
        told = said[likely]
        turn = f"Its {NAMES[likely]} side has {self.mixture[likely]:.0%} of the turns"
        if told.choice == move:
            return f"{turn}, and says: {told.reason}"
        return f"{turn}, and {move} is one of the moves it plays here."
