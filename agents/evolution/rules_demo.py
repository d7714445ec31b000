"""A small evolution to demonstrate: a few rule genomes, bred one generation at a time.

Genomes and breeding are those of `es_rules`: the better half survives and has a child each, with
genes of either parent, some of them drawn anew. But fitness is computed exactly, on a game of a few
heaps, so only breeding is random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from agents.evolution.rules_fitness import Genome
from engine.catalog import load_game
from engine.core import Seat
from engine.nim import NimState, Take

POPULATION = 8
MUTATION = 0.3  # the chance that a gene is drawn anew
DIGITS = 2  # of a gene, as many as are shown


@dataclass(frozen=True, slots=True)
class Bred:
    """One individual: its genes, the ranks of its parents, and its share of wins."""

    genome: Genome
    parents: tuple[
        int, ...
    ]  # in the generation before: none if drawn at random, one if it survived
    wins: float


@lru_cache(maxsize=256)
def generation(spec: str, number: int) -> tuple[Bred, ...]:
    """The individuals of that generation, the best first; generation 0 is drawn at random."""
    rng = Random(f"{spec} {number}")
    if number == 0:
        drawn = [
            Genome(*(round(rng.random(), DIGITS) for _ in range(3))) for _ in range(POPULATION)
        ]
        return _ranked(spec, [(genome, ()) for genome in drawn])
    before = generation(spec, number - 1)
    half = POPULATION // 2
    lived = [(before[at].genome, (at,)) for at in range(half)]
    children = []
    for _ in range(half):
        one, other = rng.sample(range(half), 2)
        children.append((_child(before[one].genome, before[other].genome, rng), (one, other)))
    return _ranked(spec, [*lived, *children])


def _child(one: Genome, other: Genome, rng: Random) -> Genome:
    genes = [
        round(rng.random(), DIGITS) if rng.random() < MUTATION else rng.choice(pair)
        for pair in zip(_genes(one), _genes(other), strict=True)
    ]
    return Genome(*genes)


def _genes(genome: Genome) -> tuple[float, float, float]:
    return genome.odd, genome.first, genome.all


def _ranked(spec: str, bred: Sequence[tuple[Genome, tuple[int, ...]]]) -> tuple[Bred, ...]:
    found = [Bred(genome, parents, wins_of_genome(spec, genome)) for genome, parents in bred]
    return tuple(sorted(found, key=lambda one: -one.wins))


@lru_cache(maxsize=4096)
def wins_of_genome(spec: str, genome: Genome) -> float:
    """The exact share of games it wins against a random player, half in either seat."""
    positions = _positions(spec)
    wins: list[tuple[float, float]] = []  # [position] by seat
    for position in positions:
        if position.winner is not None:
            wins.append((float(position.winner == 0), float(position.winner == 1)))
            continue
        evenly = 1 / len(position.after)
        own = genome.chances(position.state)
        mean, mine = [0.0, 0.0], 0.0
        for move, after in position.after.items():
            mine += own.get(move, 0.0) * wins[after][position.state.to_move]
            for seat in Seat:
                mean[seat] += evenly * wins[after][seat]
        mean[position.state.to_move] = mine
        wins.append((mean[0], mean[1]))
    return sum(wins[-1]) / 2


@dataclass(frozen=True, slots=True)
class _Position:
    """A position, and the index of the position after each move."""

    state: NimState
    winner: Seat | None
    after: dict[Take, int]


@lru_cache(maxsize=8)
def _positions(spec: str) -> tuple[_Position, ...]:
    """All reachable positions, those with the fewest objects first and the start last."""
    start: NimState = load_game(spec).start
    found, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        new = {state.play(move) for move in state.legal_moves()} - found
        found |= new
        waiting += new
    states = sorted(found, key=lambda state: sum(state.heaps))
    number = {state: at for at, state in enumerate(states)}
    return tuple(
        _Position(
            state,
            None if (outcome := state.outcome()) is None else outcome.winner,
            {move: number[state.play(move)] for move in state.legal_moves()},
        )
        for state in states
    )
