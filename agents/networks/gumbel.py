"""The root of a search in training: sequential halving over moves drawn by Gumbel noise.

Danihelka et al., "Policy improvement by planning with Gumbel", 2022.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inner
from agents.compute.rng import Stream, random
from agents.networks.layers import Layers, Vector, Weights, fill
from agents.networks.rules import OPEN, WON, Rules
from agents.networks.tree_search import MAX_DEPTH, ROOT, Tree, best_proven, simulate, worth

GUMBEL_VISITS, GUMBEL_SCALE = 50.0, 0.1  # how values and priors are weighed


@inner
def gumbel_search(
    simulations: int,
    considered: int,
    past: int,
    rng: Stream,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    tree: Tree,
    noise: NDArray[np.float64],
    standing: NDArray[np.float64],
    ranked: NDArray[np.int32],
    target: Vector,
) -> int:
    """Search by sequential halving; writes the improved policy [move] and returns a root's child.

    `noise`, `standing` and `ranked` are room for as many numbers as there are moves.
    """
    own_value = tree.total[ROOT]
    first, count = tree.first[ROOT], tree.children[ROOT]
    for at in range(count):
        noise[at] = log(tree.prior[first + at] + 1e-12) - log(-log(random(rng) + 1e-12) + 1e-12)
        ranked[at] = at
    left = 0
    for at in range(count):  # proven losses are not considered
        if tree.proven[first + at] != WON:
            ranked[left] = at
            left += 1
    if tree.proven[ROOT] == OPEN:
        order(noise, 0.0, 0.0, left, first, standing, ranked, tree)
        left = min(left, considered)
        rounds, spent = max(1, int(np.ceil(np.log2(left)))) if left > 1 else 1, 0
        while spent < simulations and tree.proven[ROOT] == OPEN:
            each = max(1, simulations // (rounds * left))
            for _ in range(each):
                for at in range(left):
                    if spent < simulations and tree.proven[ROOT] == OPEN:
                        child = first + ranked[at]
                        if tree.proven[child] == OPEN:
                            simulate(child, past, MAX_DEPTH, rules, weights, layers, tree)
                        spent += 1
            order(noise, value_scale(tree), own_value, left, first, standing, ranked, tree)
            left = max(1, (left + 1) // 2)
    improve(own_value, tree, target)
    if tree.proven[ROOT] != OPEN:
        return best_proven(tree)
    return int(first + ranked[0])


@inner
def value_scale(tree: Tree) -> float:
    """How much a value weighs beside the logarithm of a prior."""
    first, most = tree.first[ROOT], 0
    for child in range(first, first + tree.children[ROOT]):
        most = max(most, tree.visits[child])
    return GUMBEL_SCALE * (GUMBEL_VISITS + most)


@inner
def order(
    noise: NDArray[np.float64],
    scale: float,
    unvisited: float,
    count: int,
    first: int,
    standing: NDArray[np.float64],
    ranked: NDArray[np.int32],
    tree: Tree,
) -> None:
    """Sort the first so many numbers in `ranked`, best first (by insertion, so that it is stable).

    A move that was proven to lose goes last.
    """
    for at in range(count):
        moving = ranked[at]
        own = noise[moving] + scale * worth(first + moving, unvisited, tree)
        if tree.proven[first + moving] == WON:
            own = -1e9
        standing[moving] = own
        place = at
        while place > 0 and standing[ranked[place - 1]] < own:
            ranked[place] = ranked[place - 1]
            place -= 1
        ranked[place] = moving


@inner
def improve(own_value: float, tree: Tree, target: Vector) -> None:
    """The policy that the search suggests, [move] -> chance.

    Proven roots: the moves that keep the result, the quickest wins and the slowest losses. Else
    priors, raised by values; moves without one count as the average of those that have one.
    """
    fill(target, 0.0)
    first, end = tree.first[ROOT], tree.first[ROOT] + tree.children[ROOT]
    if tree.proven[ROOT] != OPEN:
        best, total = best_proven(tree), 0
        for child in range(first, end):
            if tree.proven[child] == tree.proven[best] and tree.plies[child] == tree.plies[best]:
                target[tree.move[child]] = 1.0
                total += 1
        for child in range(first, end):
            target[tree.move[child]] /= total
        return
    seen, weighed, visits = 0.0, 0.0, 0
    for child in range(first, end):
        if tree.visits[child] > 0:
            seen += tree.prior[child]
            weighed += tree.prior[child] * worth(child, 0.0, tree)
            visits += tree.visits[child]
    unvisited = own_value
    if visits:
        unvisited = (own_value + visits * weighed / max(seen, 1e-9)) / (1 + visits)
    scale, highest = value_scale(tree), -np.inf
    for child in range(first, end):
        highest = max(
            highest, log(tree.prior[child] + 1e-12) + scale * worth(child, unvisited, tree)
        )
    total_chance = 0.0
    for child in range(first, end):
        raised = log(tree.prior[child] + 1e-12) + scale * worth(child, unvisited, tree)
        target[tree.move[child]] = exp(raised - highest)
        total_chance += target[tree.move[child]]
    for child in range(first, end):
        target[tree.move[child]] /= total_chance
