"""Probe and weigh: calls they need, and how values give the counts and bits behind them."""

from random import Random

import numpy as np
import pytest

from agents.optimisers.black_box.batches import answering
from agents.optimisers.black_box.counts import (
    counts_of_pair,
    groups_behind,
    possible_counts,
    shares,
)
from agents.optimisers.black_box.genomes import packed, random_genomes, to_int, unpacked
from agents.optimisers.black_box.weigh import design
from agents.optimisers.entry import Genomes
from agents.optimisers.runs import optimise
from engine.problems import BlackBox, load_problem
from tests.agents.optimisers.enumeration import seeded_rng
from tests.soak import lessened

# search, groups, most calls, seeds in make test and in make soak
BOXES = [
    *(("probe", groups, 1_100, 5, lessened(200, 50)) for groups in (1, 2, 5, 10)),
    *(("weigh", groups, 499, 3, lessened(20, 10)) for groups in (2, 5, 10)),
    ("weigh", 1, 265, 3, lessened(20, 10)),
    *((search, groups, 3_999, 2, 2) for search in ("probe", "weigh") for groups in (4, 8, 20)),
]


@pytest.mark.parametrize(
    ("search", "groups", "most", "seeds"),
    [
        *(pytest.param(*box[:3], box[3], marks=pytest.mark.slow) for box in BOXES),
        *(pytest.param(*box[:3], box[4], marks=pytest.mark.soak) for box in BOXES[:8]),
    ],
)
def test_a_sealed_box_is_opened_in_eleven_hundred_calls_or_half_as_many(
    search: str, groups: int, most: int, seeds: int
) -> None:
    problem = f"black-box:groups={groups},sealed=yes"
    runs = [one.run for one in optimise(problem, search, runs=seeds)]
    assert {run.best for run in runs} == {1.0}
    assert max(run.calls for run in runs) <= most


@pytest.mark.parametrize("bits", [1, 2, 4, 12, 31, 80, 1000])
def test_the_sums_of_a_design_tell_every_bit(bits: int) -> None:
    plan = design(bits)
    rng = np.random.default_rng(bits)
    hidden = [rng.random(bits) < share for share in (0.0, 0.1, 0.5, 0.9, 1.0)]
    read = [plan.read((plan.rows & coins).sum(axis=1)) for coins in hidden]
    assert [found.tolist() for found in read] == [coins.tolist() for coins in hidden]


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8])
def test_a_design_has_as_few_sums_as_lindstrom_says(k: int) -> None:
    assert design(k << (k - 1)).rows.shape == ((1 << k) - 1, k << (k - 1))


def test_sums_that_no_bits_give_are_refused() -> None:
    plan = design(80)
    sums = (plan.rows & (np.arange(80) % 3 == 0)).sum(axis=1)
    spoilt = [plan.read(sums + 11 * (np.arange(31) == at)) for at in range(31)]
    assert spoilt == [None] * 31


@pytest.mark.parametrize("groups", [1, 2, 5, 10])
def test_the_counts_behind_a_number_are_among_the_possible_ones(groups: int) -> None:
    box, size = load_problem(f"black-box:groups={groups},seed=5,sealed=yes"), 1000 // groups
    genomes = random_genomes(30, 1000, seeded_rng(groups))
    numbers = shares(answering(box)(genomes), 1000) or []
    near = (int(0.3 * size), int(0.7 * size))
    possible = [set(possible_counts(number, groups, *near)) for number in numbers]
    assert groups_behind(numbers) == groups
    assert [
        counts(box, genome) in found for genome, found in zip(genomes, possible, strict=True)
    ] == [True] * 30


@pytest.mark.parametrize("groups", [2, 5, 10])
def test_with_its_complement_a_genome_tells_its_counts_or_leaves_a_doubt(groups: int) -> None:
    box, size = load_problem(f"black-box:groups={groups},seed=6,sealed=yes"), 1000 // groups
    genomes = random_genomes(100, 1000, seeded_rng(groups))
    numbers = shares(answering(box)(genomes), 1000) or []
    mirrored = shares(answering(box)(packed(~unpacked(genomes, 1000))), 1000) or []
    found = [counts_of_pair(*pair, groups, size) for pair in zip(numbers, mirrored, strict=True)]
    true = [counts(box, genome) for genome in genomes]
    assert {seen == right for seen, right in zip(found, true, strict=True) if seen is not None} == {
        True
    }
    assert found.count(None) < 10


def counts(box: BlackBox, genome: Genomes) -> tuple[int, ...]:
    """The right bits of each group, in descending order, read from the box itself."""
    right = to_int(genome, 1000) ^ box.inverted
    return tuple(sorted(((right & mask).bit_count() for mask in box.groups), reverse=True))


def test_numbers_of_another_kind_are_not_read() -> None:
    assert shares(np.array([1 / 3]), 1000) is None
    assert shares(np.array([Random(1).random()]), 1000) is None
