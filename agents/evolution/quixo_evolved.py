"""Quixo's line evaluation with evolved weights, played by alpha-beta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import new_stream
from agents.core import Analysis, Fact, Limit
from agents.entry import Entry, Technique
from agents.evolution.generations import (
    Ancestors,
    Chromosome,
    Lineage,
    ancestry_facts,
    count_option,
    generations_option,
)
from agents.evolution.quixo_kernel import PLIES, Workspace, duel
from agents.evolution.quixo_source import evolved_source
from agents.exhibits import Course, CourseLine, Gene, Genes, Offer
from agents.learner import Learner
from agents.quixo.bitboard import kinds_of_lines, masks_of_lines, slides_of
from agents.quixo.evaluation import LineWorths, line_worths
from agents.search.alphabeta import DEPTH, MAX_DEPTH, NODES, AlphaBeta, limit_of
from agents.training.brains import Brain
from agents.training.curve_exhibit import chart_of
from agents.training.loop import Arrays, Callbacks, Points, generator_at
from agents.training.opponents import Opponents
from engine.core import Game, State
from engine.options import Kind, Option, Role, Values
from engine.quixo import Push, QuixoState
from engine.square import weighted_lines

SIZE = 5
COUNTED = range(1, SIZE)  # cubes on a line that is not yet complete
COUNTS = len(COUNTED)
KINDS = ("a line of the rim", "a line next to it", "a middle line", "a diagonal")
TONES = ("muted", "second", "first", "win")
SHAPE = (2, len(KINDS), COUNTS)  # of the genes: whose cubes, on which kind of line, how many
UNIT = 10_000  # weights are integers, so that their sum is the same on every machine
MAX_SIGHT = 3  # plies of the search in training games
OPENINGS = 9  # a game begins with 0 to 8 random plies
MEASURED = 200  # openings for each point of the curve, each in both seats
MEASURED_SIGHT = 2
MEASURING_SEED = 1  # of those openings
GAMES_PER_SECOND = {1: 18_000, 2: 2_000, 3: 220}  # by sight


class WeightEvolution(Learner):
    """Evolves the weights in games against c·3^c and against the parent, at every sight."""

    key = "quixo-evolved"
    reference = "alphabeta:depth=2"  # c·3^c at the same depth
    points = Points(evenly=2)

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        children = options.integer("children")
        games, sight = options.integer("games"), options.integer("sight")
        lineage = Lineage(ancestor(), options.number("sigma"), np.zeros(ancestor().size))
        ancestors = Ancestors()
        if brain is not None:
            lineage, ancestors = _lineage_of(brain), _ancestors(brain)

        def evolve_generations(first: int, count: int) -> None:
            nonlocal lineage
            for generation in range(first, first + count):
                rng = generator_at(seed, generation)
                contest = Contest.drawn(lineage.parent, games, sight, rng)
                lineage = lineage.next_generation(children, contest.fitness, rng)

        def measure() -> dict[str, float]:
            rng = generator_at(MEASURING_SEED, 0)
            openings = rng.integers(OPENINGS, size=MEASURED)  # the same at every point
            own, rival, board = worth(lineage.parent), c3c(), new_workspace()
            results = duel(own, rival, MEASURED_SIGHT, openings, 0, board)
            shares = (result / (2 * MEASURED) for result in results)
            return dict(zip(("wins", "draws", "losses"), shares, strict=True))

        def arrays() -> Arrays:
            genes, sigma = lineage.parent, np.array([lineage.sigma])
            return {"genes": genes, "path": lineage.path, "sigma": sigma} | ancestors.arrays()

        def mark(generation: int) -> None:
            ancestors.record(generation, lineage.parent)

        return Callbacks(evolve_generations, measure, arrays, mark)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        """Children play two rivals at every sight."""
        children = options.integer("generations") * options.integer("children")
        games = children * options.integer("games") * 2
        sights = range(1, options.integer("sight") + 1)
        return sum(games / GAMES_PER_SECOND[sight] for sight in sights)

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> QuixoEvolved:
        """With the final weights, or those of the last recorded ancestor up to a generation."""
        asked = options.optional_integer("ancestor")
        generation, genes = _genes_at(brain, brain.steps if asked is None else asked)
        found = weights(genes)
        own, theirs = found[:, list(kinds_of_lines(SIZE))].tolist()
        evaluation = weighted_lines(SIZE, own, theirs, int(found.max()))
        return QuixoEvolved(
            AlphaBeta(game, limit_of(options), evaluation), found, generation, brain
        )


def _lineage_of(brain: Brain) -> Lineage:
    shape = (ancestor().size,)
    genes, path = (brain.array(name, shape, np.float64) for name in ("genes", "path"))
    return Lineage(genes, float(brain.array("sigma", (1,), np.float64)[0]), path)


def ancestor() -> Chromosome:
    """The genes it starts from: a line is worth the number of its cubes."""
    return np.asarray(np.broadcast_to(np.array(COUNTED) / COUNTS, SHAPE)).ravel()


@dataclass(frozen=True, eq=False)
class Contest:
    """The games by which a generation is rated: the same for all children, at every sight."""

    rivals: tuple[LineWorths, ...]
    openings: NDArray[np.int64]  # [pair of games] -> random plies
    sights: range
    seed: int

    @classmethod
    def drawn(cls, parent: Chromosome, games: int, sight: int, rng: np.random.Generator) -> Contest:
        openings = rng.integers(OPENINGS, size=(games + 1) // 2)
        rivals = (c3c(), worth(parent))
        return cls(rivals, openings, range(1, sight + 1), int(rng.integers(1 << 30)))

    def fitness(self, children: NDArray[np.float64]) -> Chromosome:
        """[child] -> its points, those of each sight divided by their standard deviation.

        With a sight of two plies most games are drawn, and would hardly count otherwise.
        """
        points = np.array([self._points(worth(genes)) for genes in children])  # [child, sight]
        spread = points.std(axis=0)
        return np.asarray((points / np.where(spread > 0, spread, 1.0)).sum(axis=1))

    def _points(self, child: LineWorths) -> list[float]:
        board = new_workspace()
        records = [
            [duel(child, rival, sight, self.openings, self.seed, board) for rival in self.rivals]
            for sight in self.sights
        ]
        return [sum(wins + draws / 2 for wins, draws, _ in each) for each in records]


def new_workspace() -> Workspace:
    """The kernel's rules and buffers."""
    return Workspace(
        slides=slides_of(SIZE),
        lines=masks_of_lines(SIZE),
        children=np.zeros((MAX_SIGHT, len(slides_of(SIZE)), 3), np.int64),
        twice=np.zeros((2, PLIES, 2), np.int64),
        counts=np.zeros(2, np.int64),
        path=np.zeros((PLIES + 1, 2), np.int64),
        rng=new_stream(),
    )


def weights(genes: Chromosome) -> NDArray[np.int64]:
    """[side, kind, count 0 to 5] -> the worth of cubes of the side to move, or of the other."""
    table = np.zeros((*SHAPE[:2], SIZE + 1), np.int64)
    table[:, :, 1:SIZE] = np.rint(genes.reshape(SHAPE) * UNIT)
    return table


def worth(genes: Chromosome) -> LineWorths:
    """The kernel's table of the weights."""
    return _by_line(weights(genes))


def c3c() -> LineWorths:
    """The kernel's table of c·3^c, the rival."""
    counts = np.arange(SIZE + 1)
    return _by_line(np.broadcast_to(counts * 3**counts, (*SHAPE[:2], SIZE + 1)))


def _by_line(table: NDArray[np.int64]) -> LineWorths:
    """The kernel's table of worths [side, kind, count]."""
    own, theirs = table
    return line_worths(SIZE, own[:, :, None] - theirs[:, None, :])


@dataclass(frozen=True, eq=False)
class QuixoEvolved:
    """Alpha-beta with an evaluation by evolved weights."""

    search: AlphaBeta
    weights: NDArray[np.int64]  # [side, kind, count]
    generation: int  # whose weights these are
    brain: Brain

    def analyse(
        self,
        state: QuixoState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Push]:
        analysis = self.search.analyse(state, limit=limit, rng=rng, history=history)
        exhibit = self._genes(analysis.reason) if show else None
        evidence = (*analysis.evidence, *self._evolution_facts())
        return replace(analysis, evidence=evidence, exhibit=exhibit)

    def _genes(self, reason: str) -> Genes:
        """The exhibit: the weights by kind of line, and the results by generation."""
        own, theirs = self.weights
        results = {"wins": ("wins", "win"), "losses": ("losses", "loss")}
        title = f"Its results against {self.brain.rival}, in {2 * MEASURED} games each time"
        grown = (chart_of(self.brain, title, results),) if len(self.brain.curve) > 1 else ()
        return Genes(
            title="Its weights by line kind",
            sentence=f"{reason} It judges by the weights of generation {self.generation}.",
            genes=tuple(
                Gene(kind, _hundreds(mine), _hundreds(other), spoke=False)
                for kind, mine, other in zip(KINDS, own, theirs, strict=True)
            ),
            courses=(
                _by_count("What own cubes on a line count for", own),
                _by_count("What the other's cubes on a line count against", theirs),
                *grown,
            ),
            ancestors=tuple(
                Offer(f"generation {lived}", (("ancestor", str(lived)),))
                for lived in _ancestors(self.brain).generation
            ),
            columns=("line", "1, 2, 3, 4 own cubes count", "as many of the other's count against"),
        )

    def _evolution_facts(self) -> list[Fact]:
        return [
            Fact("plays as in generation", self.generation),
            *(
                Fact(f"1 to 4 cubes on {kind}", f"{_hundreds(own)}, the other's {_hundreds(other)}")
                for kind, own, other in zip(KINDS, *self.weights, strict=True)
            ),
            *ancestry_facts(self.brain),
        ]


def _genes_at(brain: Brain, generation: int) -> tuple[int, Chromosome]:
    """(generation, genes) of the last recorded ancestor up to that generation."""
    if generation >= brain.steps:
        return brain.steps, brain.array("genes", (ancestor().size,), np.float64)
    kept = _ancestors(brain)
    lived = zip((0, *kept.generation), (ancestor(), *kept.recorded), strict=True)
    return max((each for each in lived if each[0] <= generation), key=itemgetter(0))


def _ancestors(brain: Brain) -> Ancestors:
    return Ancestors.of(brain, ancestor().shape, np.float64)


def _by_count(title: str, table: NDArray[np.int64]) -> Course:
    """A chart of weights [kind, count], with a curve for each kind of line."""
    lines = tuple(
        CourseLine(kind, tone, tuple((count, 100 * int(row[count]) / UNIT) for count in COUNTED))
        for kind, tone, row in zip(KINDS, TONES, table, strict=True)
    )
    return Course(title, "cubes on the line", lines, shares=False)


def _hundreds(row: NDArray[np.int64]) -> str:
    return " ".join(f"{100 * weight / UNIT:.0f}" for weight in row[1:SIZE])


def _refuses(game: Game[Any, Any]) -> str | None:
    return None if game.spec == "quixo" else "it has evolved on Quixo 5×5 only"


def entry(opponents: Opponents) -> Entry:
    learner = WeightEvolution(opponents)

    def source(game: Game[Any, Any], options: Values) -> str:
        made = learner.make(game, options)
        assert isinstance(made, QuixoEvolved)
        return evolved_source(game, made.weights.tolist(), made.search.own_limit, MAX_DEPTH)

    return learner.entry(
        title="Evolved Quixo",
        technique=Technique.EVOLUTION,
        order=5,
        description=(
            "Looks ahead like alpha-beta, but evolution found how much its lines are worth. "
            "The weights grew in games against the textbook's and against their own parents."
        ),
        options=(
            DEPTH,
            NODES,
            generations_option(40),
            count_option("children", 20, "children of a generation, in pairs", high=1000),
            count_option("games", 20, "games of each with either rival, at every sight"),
            count_option("sight", 3, "plies they look ahead at most while they evolve", high=3),
            Option(
                "sigma", Kind.NUMBER, 0.25, "how far a weight strays at first", low=0.001, high=3.0
            ),
            Option(
                "ancestor",
                Kind.INTEGER,
                None,
                "plays as it did in this generation, or the last one kept before; none: as now",
                low=0,
                high=100_000,
                optional=True,
                role=Role.PLAYING,
            ),
        ),
        refuses=_refuses,
        sampled=2 * MEASURED,
        source=source,
    )
