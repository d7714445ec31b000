"""Tree search guided by a network: PUCT as in AlphaZero (Silver et al. 2018).

Wins, losses and draws are proven upwards (Winands, Björnsson and Saito 2008). Totals and proofs of
a node are for the side to move there.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, inner
from agents.networks.layers import Layers, Vector, Weights, forward
from agents.networks.rules import (
    DRAWN,
    LOST,
    OPEN,
    WON,
    Rules,
    active_inputs,
    is_legal,
    played,
    result_of,
)

EXPLORATION = 1.5
URGENCY = 0.2  # how much less than its parent an unvisited move is thought to be worth
MAX_DEPTH = 128  # plies of a tree
ROOT = 0
SLOTS = 1021  # evaluations remembered; a prime, so that positions spread
KEY_SHIFT = 25  # bits: cells of the largest board


class Tree(NamedTuple):
    """The nodes, each a row in every array; the children of a node are neighbours."""

    own: NDArray[np.int64]
    other: NDArray[np.int64]
    move: NDArray[np.int16]  # that led here
    first: NDArray[np.int32]  # child; 0 before expansion
    children: NDArray[np.int16]  # their number
    prior: Vector  # the chance that the network gives the move
    visits: NDArray[np.int32]
    total: NDArray[np.float64]
    proven: NDArray[np.int8]
    plies: NDArray[np.int16]  # to the proven end
    used: NDArray[np.int64]  # [0] nodes, [1] deepest ply, [2] evaluations of the network
    path: NDArray[np.int32]  # [ply] -> node of the current simulation
    keys: NDArray[np.int64]  # [ply] -> position, those of the match first
    known: NDArray[np.int64]  # [slot] -> position whose evaluation is remembered, or -1
    known_value: NDArray[np.float64]
    known_prior: NDArray[np.float32]  # [slot, child]


def new_tree(simulations: int, moves: int, past: int) -> Tree:
    """Room for a search of so many simulations after so many earlier positions."""
    nodes = 1 + moves * (simulations + 1)
    return Tree(
        own=np.zeros(nodes, np.int64),
        other=np.zeros(nodes, np.int64),
        move=np.zeros(nodes, np.int16),
        first=np.zeros(nodes, np.int32),
        children=np.zeros(nodes, np.int16),
        prior=np.zeros(nodes, np.float32),
        visits=np.zeros(nodes, np.int32),
        total=np.zeros(nodes, np.float64),
        proven=np.zeros(nodes, np.int8),
        plies=np.zeros(nodes, np.int16),
        used=np.zeros(3, np.int64),
        path=np.zeros(MAX_DEPTH + 2, np.int32),
        keys=np.zeros(past + MAX_DEPTH + 2, np.int64),
        known=np.full(SLOTS, -1, np.int64),
        known_value=np.zeros(SLOTS, np.float64),
        known_prior=np.zeros((SLOTS, moves), np.float32),
    )


@inner
def forget(tree: Tree) -> None:
    """Forget all evaluations, since the weights have changed."""
    for slot in range(len(tree.known)):
        tree.known[slot] = -1


@inlined
def key_of(own: int, other: int) -> int:
    return own | other << KEY_SHIFT


@inlined
def add_node(node: int, own: int, other: int, move: int, tree: Tree) -> None:
    """Write a node that was never visited."""
    tree.own[node], tree.other[node], tree.move[node] = own, other, move
    tree.first[node], tree.children[node] = 0, 0
    tree.visits[node], tree.total[node], tree.prior[node] = 0, 0.0, 0.0
    tree.proven[node], tree.plies[node] = OPEN, 0


@inlined
def set_root(own: int, other: int, past: int, tree: Tree) -> None:
    """Begin a new tree; `tree.keys` has the `past` earlier positions of the match."""
    add_node(ROOT, own, other, -1, tree)
    tree.used[0], tree.used[1], tree.used[2] = 1, 0, 0
    tree.keys[past] = key_of(own, other)


@inlined
def is_drawn(own: int, other: int, at: int, rules: Rules, tree: Tree) -> bool:
    """Whether the match is a draw with this position at ply `at`, by repetition or its length."""
    if at >= rules.plies:
        return True
    if rules.repetition == 0:
        return False
    key, met = key_of(own, other), 1
    for back in range(at - 2, -1, -2):
        if tree.keys[back] == key:
            met += 1
    return met >= rules.repetition


@inner
def expand(node: int, at: int, rules: Rules, tree: Tree) -> None:
    """Add a child for every legal move of a node at ply `at`, and prove what is decided."""
    own, other = tree.own[node], tree.other[node]
    first = tree.used[0]
    if first + len(rules.moves) > len(tree.own):
        return
    count = 0
    for move in range(len(rules.moves)):
        if not is_legal(own, other, move, rules):
            continue
        after, others = played(own, other, move, rules)
        child = first + count
        add_node(child, after, others, move, tree)
        tree.proven[child] = result_of(after, others, rules)
        if tree.proven[child] == OPEN and is_drawn(after, others, at + 1, rules, tree):
            tree.proven[child] = DRAWN
        count += 1
    tree.first[node], tree.children[node] = first, count
    tree.used[0] += count
    prove(node, tree)


@inlined
def prove(node: int, tree: Tree) -> None:
    """Won if one move leads to a lost position; else, if all children are proven, the best."""
    first = tree.first[node]
    quickest, slowest, drawn, decided = 1 << 14, 0, 0, 0
    for child in range(first, first + tree.children[node]):
        result = tree.proven[child]
        if result == LOST:
            quickest = min(quickest, tree.plies[child] + 1)
        elif result == WON:
            slowest = max(slowest, tree.plies[child] + 1)
        elif result == DRAWN:
            drawn += 1
        if result != OPEN:
            decided += 1
    if quickest < 1 << 14:
        tree.proven[node], tree.plies[node] = WON, quickest
    elif decided and decided == tree.children[node]:
        tree.proven[node] = DRAWN if drawn else LOST
        tree.plies[node] = 0 if drawn else slowest


@inner
def evaluate(node: int, rules: Rules, weights: Weights, layers: Layers, tree: Tree) -> float:
    """The network's value of a node; its children get their priors."""
    own, other = tree.own[node], tree.other[node]
    first, end = tree.first[node], tree.first[node] + tree.children[node]
    key = key_of(own, other)
    slot = key % SLOTS
    tree.used[2] += 1
    if tree.known[slot] == key and first < end:
        for child in range(first, end):
            tree.prior[child] = tree.known_prior[slot, child - first]
        return float(tree.known_value[slot])
    count = active_inputs(own, other, rules, layers.active)
    value = forward(count, weights, layers)
    highest = np.float32(-np.inf)
    for child in range(first, end):
        highest = max(highest, layers.logits[tree.move[child]])
    total = np.float32(0.0)
    for child in range(first, end):
        tree.prior[child] = np.float32(exp(layers.logits[tree.move[child]] - highest))
        total += tree.prior[child]
    for child in range(first, end):
        tree.prior[child] /= total
    if first < end:
        tree.known[slot], tree.known_value[slot] = key, value
        for child in range(first, end):
            tree.known_prior[slot, child - first] = tree.prior[child]
    return value


@inlined
def score_of(result: int) -> float:
    """The value of a proven result, for the side to move."""
    return 0.0 if result == DRAWN else float(result)


@inlined
def worth(child: int, unvisited: float, tree: Tree) -> float:
    """The value of a move for the side that plays it; `unvisited` where nothing is known."""
    result, visits = tree.proven[child], tree.visits[child]
    mean = float(-tree.total[child] / max(1, visits))
    known = mean if visits else unvisited
    return known if result == OPEN else -score_of(result)  # no branches: none is mispredicted


@inlined
def select(node: int, tree: Tree) -> int:
    """The child to visit by PUCT: the first of the best, never a proven loss."""
    first = tree.first[node]
    unvisited = tree.total[node] / max(1, tree.visits[node]) - URGENCY
    scale = EXPLORATION * sqrt(tree.visits[node])
    best, highest = -1, -np.inf
    for child in range(first, first + tree.children[node]):
        if tree.proven[child] == WON:
            continue
        score = worth(child, unvisited, tree) + scale * tree.prior[child] / (1 + tree.visits[child])
        if score > highest:
            best, highest = child, score
    return best


@inner
def simulate(
    forced: int,
    past: int,
    depth: int,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    tree: Tree,
) -> None:
    """Walk from the root to a new node, evaluate it, and tell all nodes on the way.

    `forced` is the first child to visit, or -1. The root has been expanded and is not proven.
    """
    tree.path[0] = ROOT
    ply, node = 0, ROOT
    while True:
        node = forced if ply == 0 and forced >= 0 else select(node, tree)
        ply += 1
        tree.path[ply] = node
        tree.keys[past + ply] = key_of(tree.own[node], tree.other[node])
        if tree.proven[node] != OPEN or ply >= depth:
            break
        if tree.children[node] == 0:
            expand(node, past + ply, rules, tree)
            break
    tree.used[1] = max(tree.used[1], ply)
    if tree.proven[node] != OPEN:
        value = score_of(tree.proven[node])
    elif tree.visits[node] and tree.children[node] == 0:  # met before at the greatest depth
        value = tree.total[node] / tree.visits[node]
    else:
        value = evaluate(node, rules, weights, layers, tree)
    while True:
        tree.visits[node] += 1
        tree.total[node] += value
        if ply == 0:
            break
        ply -= 1
        decided = tree.proven[node] != OPEN
        node, value = tree.path[ply], -value
        if decided and tree.proven[node] == OPEN:  # else there is nothing new to prove it by
            prove(node, tree)
        if tree.proven[node] != OPEN:
            value = score_of(tree.proven[node])


@inner
def begin(
    own: int,
    other: int,
    past: int,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    tree: Tree,
) -> float:
    """Set, expand and evaluate the root; returns the network's value of it."""
    set_root(own, other, past, tree)
    expand(ROOT, past, rules, tree)
    value = evaluate(ROOT, rules, weights, layers, tree)
    tree.visits[ROOT] = 1
    tree.total[ROOT] = value
    return value


@inner
def search(
    simulations: int,
    past: int,
    depth: int,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    tree: Tree,
) -> int:
    """Simulate from a root that `begin` made until it is proven; returns how many times."""
    for done in range(simulations):
        if tree.proven[ROOT] != OPEN:
            return done
        simulate(-1, past, depth, rules, weights, layers, tree)
    return simulations


@inner
def best_proven(tree: Tree) -> int:
    """The child that keeps the proven result of the root: the quickest win, the slowest loss."""
    wanted = -tree.proven[ROOT] if tree.proven[ROOT] != DRAWN else DRAWN
    sign = 1 if wanted == LOST else -1
    best = -1
    first = tree.first[ROOT]
    for child in range(first, first + tree.children[ROOT]):
        if tree.proven[child] == wanted and (
            best < 0 or sign * tree.plies[child] < sign * tree.plies[best]
        ):
            best = child
    return best


@inner
def best_child(tree: Tree) -> int:
    """The child to play: by proof, else the most visited that is not proven to lose."""
    if tree.proven[ROOT] != OPEN:
        return best_proven(tree)
    best = -1
    first = tree.first[ROOT]
    for child in range(first, first + tree.children[ROOT]):
        if tree.proven[child] == WON:
            continue
        if (
            best < 0
            or tree.visits[child] > tree.visits[best]
            or (tree.visits[child] == tree.visits[best] and tree.prior[child] > tree.prior[best])
        ):
            best = child
    return best
