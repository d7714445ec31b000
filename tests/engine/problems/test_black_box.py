"""The black box: its number, recomputed place by place with fractions."""

import pickle
from fractions import Fraction
from random import Random

import pytest

from engine.problems import load_problem
from engine.problems.black_box import BITS, read_genome, write_genome
from engine.problems.entry import InvalidGenomeError

ALL_ONES = (1 << BITS) - 1
BOXES = (1, 2, 5, 10)


def by_hand(bits: list[int], groups: int) -> Fraction:
    """The definition, on a list of places."""
    counts = sorted((sum(bits[group::groups]) for group in range(groups)), reverse=True)
    tied = [count for count in counts if count == counts[0]]
    total = Fraction(sum(tied))
    for rank, count in enumerate(counts[len(tied) :], start=1):
        total -= Fraction(count, 10**rank)
    return total / BITS


def genome_of(bits: list[int]) -> int:
    return int("".join(map(str, bits)), 2)


def drawn(seed: int, share: float = 0.5) -> list[int]:
    rng = Random(seed)
    return [int(rng.random() < share) for _ in range(BITS)]


@pytest.mark.parametrize("groups", [1, 2, 3, 5, 10, 13, 17, 40, 64])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.95, 1.0])
def test_the_number_is_that_of_the_definition(groups: int, share: float) -> None:
    box = load_problem(f"black-box:groups={groups}")
    bits = drawn(groups, share)
    assert len(bits) == box.bits
    exact = float(by_hand(bits, groups))
    # Of many groups the first fifteen behind are all that a float can show.
    assert box.value(genome_of(bits)) == pytest.approx(
        exact, rel=1e-15 if groups > 16 else 0, abs=0
    )


@pytest.mark.parametrize("groups", BOXES)
def test_all_ones_is_the_goal_and_one_full_group_its_share(groups: int) -> None:
    box = load_problem(f"black-box:groups={groups}")
    one_group = genome_of([int(place % groups == 0) for place in range(BITS)])
    assert box.value(ALL_ONES) == box.goal == 1.0
    assert box.value(one_group) == pytest.approx(1 / groups)
    assert box.value(0) == 0.0


@pytest.mark.parametrize(("groups", "goal"), [(3, 0.999), (59, 0.952), (64, 0.96)])
def test_groups_that_differ_in_size_have_a_lesser_goal(groups: int, goal: float) -> None:
    """All level at the smallest, or only the larger ones full: whichever is more."""
    box = load_problem(f"black-box:groups={groups}")
    sizes = [len(range(group, BITS, groups)) for group in range(groups)]
    kept = [0] * groups
    level, full = [], []
    for place in range(BITS):
        group = place % groups
        level.append(int(kept[group] < min(sizes)))
        full.append(int(sizes[group] == max(sizes)))
        kept[group] += 1
    assert max(box.value(genome_of(level)), box.value(genome_of(full))) == box.goal == goal


@pytest.mark.parametrize("groups", BOXES)
def test_a_sealed_box_has_its_goal_elsewhere(groups: int) -> None:
    box = load_problem(f"black-box:groups={groups},seed=3,sealed=yes")
    right = ALL_ONES ^ box.inverted  # read with the box open
    assert right.bit_count() == BITS // 2
    assert box.value(right) == box.goal == 1.0
    assert box.value(ALL_ONES) < 0.6


def test_another_seed_seals_a_box_otherwise_and_the_same_as_before() -> None:
    one, other = (load_problem(f"black-box:groups=5,seed={seed},sealed=yes") for seed in (1, 2))
    assert one.groups != other.groups
    assert one.inverted != other.inverted
    again = load_problem.__wrapped__("black-box:groups=5,seed=1,sealed=yes")
    assert again == one


@pytest.mark.parametrize("sealed", ["no", "yes"])
def test_every_place_belongs_to_one_group(sealed: str) -> None:
    box = load_problem(f"black-box:groups=10,seed=4,sealed={sealed}")
    assert sum(box.groups) == ALL_ONES
    assert [group.bit_count() for group in box.groups] == [100] * 10
    in_turn = [genome_of([int(at % 10 == group) for at in range(BITS)]) for group in range(10)]
    assert (list(box.groups) == in_turn) == (sealed == "no")


def test_a_genome_reads_back_and_its_first_bit_is_highest() -> None:
    first = genome_of([1] + [0] * (BITS - 1))
    assert write_genome(first) == "8" + "0" * 249
    assert read_genome(write_genome(first)) == first
    assert read_genome("f" * 250) == ALL_ONES


@pytest.mark.parametrize("text", ["", "f" * 249, "f" * 251, "g" * 250, "F" * 250, "0x" + "f" * 248])
def test_a_genome_of_another_length_is_refused(text: str) -> None:
    with pytest.raises(InvalidGenomeError, match="250 hex digits for 1,000 bits") as caught:
        read_genome(text)
    assert len(str(caught.value)) < 120
    assert pickle.loads(pickle.dumps(caught.value)).text == text


@pytest.mark.parametrize("genome", [-1, 1 << BITS, 1 << 5000])
def test_a_box_takes_a_thousand_bits_and_no_others(genome: int) -> None:
    with pytest.raises(InvalidGenomeError, match="1,000 bits"):
        load_problem("black-box").value(genome)
