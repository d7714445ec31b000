"""Smallest covers by enumeration, as an oracle: all states of small instances, unions of two sets
of large ones. And a seeded stream of random numbers."""

import numpy as np

from agents.compute.rng import Stream, new_stream, seed_stream
from engine.problems import SetCover


def seeded_rng(seed: int = 1) -> Stream:
    rng = new_stream()
    seed_stream(rng, seed, 0)
    return rng


def distances(problem: SetCover) -> np.ndarray:
    """[mask of covered things] -> the fewest more sets that cover everything; small instances."""
    everything = problem.everything
    found = np.full(everything + 1, 99)
    found[everything] = 0
    states = np.arange(everything + 1)
    for _ in range(problem.things):
        for mask in problem.masks:
            found = np.minimum(found, found[states | mask] + 1)
    return found


def fewest_sets(problem: SetCover) -> int:
    """The smallest cover of an instance that four sets cover, by trying all of up to four."""
    singles = np.array(problem.masks, np.int64)
    pairs = np.unique(singles[:, None] | singles[None, :])
    if (singles == problem.everything).any():
        return 1
    if (pairs == problem.everything).any():
        return 2
    if any(((pairs | single) == problem.everything).any() for single in singles):
        return 3
    assert any(((pairs | pair) == problem.everything).any() for pair in pairs), "five or more"
    return 4
