"""The demonstration of an evolution: its fitness is exact, and its best never gets worse."""

import numpy as np
import pytest

from agents.evolution.rules_exhibit import POPULATION, generation, wins_of_genome
from agents.evolution.rules_fitness import Genome, wins_of
from agents.roster import OPPONENTS
from engine import load_game

SPEC = "nim:heaps=1-3-5"


@pytest.mark.slow
def test_what_a_genome_wins_is_what_the_kernel_says() -> None:
    genes = [(0.2, 0.5, 0.0), (0.9, 0.1, 0.7), (0.0, 1.0, 0.3)]
    exact = wins_of(OPPONENTS, load_game(SPEC), "random", np.array(genes))
    assert [wins_of_genome(SPEC, Genome(*each)) for each in genes] == pytest.approx(exact.tolist())


def test_the_better_half_lives_on_and_the_best_never_gets_worse() -> None:
    before, after = generation(SPEC, 3), generation(SPEC, 4)
    survivors = [one.genome for one in after if len(one.parents) == 1]
    assert sorted(map(str, survivors)) == sorted(
        str(one.genome) for one in before[: POPULATION // 2]
    )
    assert len(after) == POPULATION
    assert after[0].wins >= before[0].wins


def test_a_gene_of_a_child_is_a_parents_or_drawn_anew_and_the_same_whenever_it_is_bred() -> None:
    before, after = generation(SPEC, 0), generation(SPEC, 1)
    generation.cache_clear()
    assert generation(SPEC, 1) == after
    children = [one for one in after if len(one.parents) == 2]
    assert len(children) == POPULATION // 2
    assert any(
        child.genome.odd in {before[parent].genome.odd for parent in child.parents}
        for child in children
    )
