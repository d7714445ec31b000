"""Random numbers by seed and number: the generator that was published, and even ones."""

import numpy as np
import pytest

from agents.compute.rng import below, mixed, new_stream, normal, random, seed_stream

MANY = 20_000


def drawn(count: int, seed: int = 1, number: int = 0) -> list[float]:
    rng = new_stream()
    seed_stream(rng, seed, number)
    return [random(rng) for _ in range(count)]


def test_it_is_the_splitmix64_that_was_published() -> None:
    # The first numbers of the reference implementation from 1234567.
    counters = [(1234567 + step * 0x9E3779B97F4A7C15) % 2**64 for step in range(1, 4)]
    assert [int(mixed(np.uint64(counter))) for counter in counters] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_every_seed_and_number_draws_something_else_and_the_same_again() -> None:
    numbers = [(seed, number) for seed in range(50) for number in range(200)]
    firsts = [drawn(1, *each)[0] for each in numbers]
    assert len(set(firsts)) == 50 * 200
    assert [drawn(1, *each)[0] for each in numbers] == firsts


def test_the_first_numbers_of_many_games_are_as_even_as_chance_has_it() -> None:
    seeds = [[drawn(1, seed, game)[0] for game in range(2_000)] for seed in range(20)]
    counts = np.array([np.histogram(numbers, bins=20, range=(0, 1))[0] for numbers in seeds])
    # Chi-squared of 380 degrees of freedom: 999 in 1,000 are below.
    assert ((counts - 100) ** 2 / 100).sum() < 465


def test_numbers_below_a_bound_are_any_of_them_and_normal_ones_spread_as_they_should() -> None:
    rng = new_stream()
    seed_stream(rng, 1, 0)
    assert {below(rng, 7) for _ in range(500)} == set(range(7))
    numbers = [normal(rng) for _ in range(MANY)]
    assert np.mean(numbers) == pytest.approx(0, abs=4 / np.sqrt(MANY))
    assert np.std(numbers) == pytest.approx(1, abs=0.03)
