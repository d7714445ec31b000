"""What evolved rules show: their genes in words, the wins of earlier generations, and a small
evolution to demonstrate, bred one generation at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from agents.evolution.generations import QUANTA, Ancestors, earlier_generations
from agents.evolution.rules_fitness import Genome, best_of_a_grid, wins_of
from agents.exhibits import GENERATIONS, Course, CourseLine, Gene, Genes, Offer
from agents.training.brains import Brain
from agents.training.opponents import Opponents
from engine.catalog import load_game
from engine.core import Game, Seat
from engine.nim import NimState

DOTS = 20  # individuals drawn of a generation
STEP = 10  # per cent by which a gene can be changed
SAYS = {
    "odd": "play on the first odd heap if more heaps than this are odd",
    "first": "else on the first heap so often, otherwise on the last",
    "all": "take all it may so often, otherwise one",
}


def genes_of(
    opponents: Opponents,
    game: Game[Any, Any],
    brain: Brain,
    genome: Genome,
    evolved: Genome,
    spoke: Sequence[str],
    reason: str,
) -> Genes:
    """The exhibit of a genome, which may differ from the evolved one."""
    worth = {name: getattr(genome, name) for name in SAYS}
    return Genes(
        title="Its genes",
        sentence=reason,
        genes=tuple(
            Gene(name, SAYS[name], f"{worth[name]:.0%}", name in spoke, _changes(worth, name))
            for name in SAYS
        ),
        courses=generations(opponents, game, brain),
        consequence=_consequence(opponents, game, brain, genome, evolved),
        ancestors=_ancestors(brain),
    )


def _changes(worth: dict[str, float], name: str) -> tuple[Offer, ...]:
    """Offers of one step less and one step more, with all genes: those not given are evolved."""
    offers = []
    for label, change in ((f"less {name}", -STEP), (f"more {name}", STEP)):
        changed = round(100 * worth[name]) + change
        if 0 <= changed <= 100:
            genes = {other: round(100 * share) for other, share in worth.items()} | {name: changed}
            offers.append(Offer(label, tuple((gene, str(part)) for gene, part in genes.items())))
    return tuple(offers)


def _consequence(
    opponents: Opponents, game: Game[Any, Any], brain: Brain, genome: Genome, evolved: Genome
) -> str:
    now, then = (_exact(opponents, game, brain.reference, each) for each in (genome, evolved))
    if genome == evolved:
        return f"With these genes it wins {now:.1%} of its games against {brain.rival}."
    return (
        f"With these genes it wins {now:.1%} of its games against {brain.rival}; "
        f"as it evolved, {then:.1%}."
    )


@lru_cache(maxsize=256)
def _exact(opponents: Opponents, game: Game[Any, Any], reference: str, genome: Genome) -> float:
    genes = np.array([[genome.odd, genome.first, genome.all]])
    return float(wins_of(opponents, game, reference, genes)[0])


def _ancestors(brain: Brain) -> tuple[Offer, ...]:
    """Offers of earlier generations, with changed genes reset."""
    as_they_were = tuple((name, "none") for name in SAYS)
    return tuple(
        Offer(offer.label, (*offer.settings, *as_they_were)) for offer in earlier_generations(brain)
    )


def generations(opponents: Opponents, game: Game[Any, Any], brain: Brain) -> tuple[Course, ...]:
    """The wins of some individuals of every recorded generation."""
    return _generations(opponents, game, brain.digest, brain) if len(brain.curve) > 1 else ()


@lru_cache(maxsize=8)
def _generations(
    opponents: Opponents, game: Game[Any, Any], digest: str, brain: Brain
) -> tuple[Course, ...]:
    """Cached by the digest, since a brain has no equality."""
    size = len(brain.arrays["population"])
    ancestors = Ancestors.of(brain, (size, len(SAYS)), np.uint8)
    shown = np.linspace(0, size - 1, min(DOTS, size)).astype(int)  # from the best to the last
    drawn = np.array(ancestors.recorded)[:, shown].reshape(-1, len(SAYS))
    kinds, which = np.unique(drawn, axis=0, return_inverse=True)
    wins = wins_of(opponents, game, brain.reference, kinds / QUANTA)[which.reshape(-1)]
    by_point = wins.reshape(len(ancestors.generation), len(shown))
    mean = tuple(zip(ancestors.generation, by_point.mean(axis=1).tolist(), strict=True))
    plays = tuple((point.step, point.metrics["wins"]) for point in brain.curve)
    best = best_of_a_grid(opponents, game, brain.reference)
    return (
        Course(
            title=f"How it came to be: games won against {brain.rival}, computed exactly",
            unit=GENERATIONS,
            lines=(
                CourseLine("the one that plays", "first", plays),
                CourseLine("mean of the dots", "muted", mean),
            ),
            ceilings=((f"the best that three genes do: {best:.1%}", best),),
            cloud=tuple(
                (generation, round(float(share), 4))
                for generation, row in zip(ancestors.generation, by_point, strict=True)
                for share in row
            ),
            note=(
                f"Each dot is one of {len(shown)} individuals of its generation, from the best of "
                "its tournament to the last, by the share of games it wins."
            ),
        ),
    )


POPULATION = 8
MUTATION = 0.3  # the chance that a gene is drawn anew
DIGITS = 2  # of a gene, as many as are shown


@dataclass(frozen=True, slots=True)
class Individual:
    """One individual: its genes, where they come from, and its share of wins."""

    genome: Genome
    # Ranks in the generation before: none if it was drawn at random, one if it survived.
    parents: tuple[int, ...]
    wins: float
    donors: tuple[int | None, ...] = ()  # of a child, by gene: the parent's rank; None: drawn anew

    @property
    def genes(self) -> tuple[float, float, float]:
        return _genes(self.genome)


Bred = tuple[Genome, tuple[int, ...], tuple[int | None, ...]]  # genes, parents, donors


@lru_cache(maxsize=256)
def generation(spec: str, number: int) -> tuple[Individual, ...]:
    """The individuals of that generation, the best first; generation 0 is drawn at random."""
    rng = Random(f"{spec} {number}")
    if number == 0:
        drawn = [
            Genome(*(round(rng.random(), DIGITS) for _ in range(3))) for _ in range(POPULATION)
        ]
        return _ranked(spec, [(genome, (), ()) for genome in drawn])
    before = generation(spec, number - 1)
    half = POPULATION // 2
    bred: list[Bred] = [(before[at].genome, (at,), ()) for at in range(half)]
    for _ in range(half):
        one, other = rng.sample(range(half), 2)
        genome, donors = _child(before, (one, other), rng)
        bred.append((genome, (one, other), donors))
    return _ranked(spec, bred)


def _child(
    before: Sequence[Individual], parents: tuple[int, int], rng: Random
) -> tuple[Genome, tuple[int | None, ...]]:
    """Each gene from one of the parents, or now and then drawn anew; and whose each of them is."""
    genes, donors = [], []
    for at in range(3):
        mutates = rng.random() < MUTATION
        donors.append(None if mutates else rng.choice(parents))
        donor = donors[-1]
        genes.append(round(rng.random(), DIGITS) if donor is None else before[donor].genes[at])
    return Genome(*genes), tuple(donors)


def diversity(living: Sequence[Individual]) -> float:
    """How far two players are apart on average, by the mean difference of a gene: 0 if all are
    alike; a third where genes are drawn at random."""
    distances = [
        sum(abs(a - b) for a, b in zip(one.genes, other.genes, strict=True)) / 3
        for one, other in combinations(living, 2)
    ]
    return sum(distances) / len(distances)


LANDSCAPE_POINTS = 11  # of a gene from 0 to 1


def odd_class(odd: float, heaps: int) -> int:
    """Genes `odd` of one class play alike: so many odd heaps are too few to be played on."""
    return min(int(odd * heaps), heaps)


def landscape(spec: str) -> list[list[list[float]]]:
    """[class of odd][all][first] -> the exact share of wins, on a grid of both genes."""
    heaps = len(load_game(spec).start.heaps)
    shares = [at / (LANDSCAPE_POINTS - 1) for at in range(LANDSCAPE_POINTS)]
    return [
        [
            [wins_of_genome(spec, Genome((number + 0.5) / heaps, first, all)) for first in shares]
            for all in shares  # noqa: A001 - the gene's name
        ]
        for number in range(heaps + 1)
    ]


def _genes(genome: Genome) -> tuple[float, float, float]:
    return genome.odd, genome.first, genome.all


def _ranked(spec: str, bred: Sequence[Bred]) -> tuple[Individual, ...]:
    found = [
        Individual(genome, parents, wins_of_genome(spec, genome), donors)
        for genome, parents, donors in bred
    ]
    return tuple(sorted(found, key=lambda one: -one.wins))


@lru_cache(maxsize=4096)
def wins_of_genome(spec: str, genome: Genome) -> float:
    """The exact share of games it wins against a random player, half in either seat.

    In Python, as pages of small games should not wait for a kernel to be compiled.
    """

    @cache
    def chance_to_win(state: NimState, seat: Seat) -> float:
        if (outcome := state.outcome()) is not None:
            return float(outcome.winner is seat)
        own = genome.chances(state) if state.to_move is seat else {}
        moves = state.legal_moves()
        chances = own or dict.fromkeys(moves, 1 / len(moves))
        return sum(
            chance * chance_to_win(state.play(move), seat) for move, chance in chances.items()
        )

    start = load_game(spec).start
    return sum(chance_to_win(start, seat) for seat in Seat) / 2
