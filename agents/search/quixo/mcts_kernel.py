"""Monte Carlo tree search for Quixo on bit boards: UCT, with wins and losses proven.

Values and proofs of a node are for the side to move there.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import MAX_MOVES, has_line, is_repetition, key_of, pushed

MAX_ROLLOUT_PLIES = 200  # a game that is not over by then counts as a draw
WON, LOST, OPEN, DRAWN = 1, -1, 0, 2  # the proven result of a node
ROOT = 0


class PackedTree(NamedTuple):
    """The nodes, each a row in every array; the children of a node are neighbours."""

    own: NDArray[np.int64]
    other: NDArray[np.int64]
    move: NDArray[np.int8]  # that led here
    first: NDArray[np.int32]  # child; 0 before expansion
    children: NDArray[np.int8]  # their number
    visits: NDArray[np.int32]
    total: NDArray[np.float64]  # of the results, +1 won, -1 lost
    proven: NDArray[np.int8]
    plies: NDArray[np.int16]  # to the proven end
    used: NDArray[np.int64]  # [0] nodes, [1] deepest ply, [2] nodes proven


class Play(NamedTuple):
    """The rules, and what all simulations of one analysis share."""

    slides: NDArray[np.int64]  # [move] -> source, stay, sliding, up, down, entry
    lines: NDArray[np.int64]  # [line] -> mask
    path: NDArray[np.int64]  # [ply] -> key of the position, the match's first
    rng: NDArray[np.uint64]  # [0], the state of the random number generator
    stop: NDArray[np.int8]  # [0], set by another thread, ends the search
    exploration: float
    depth: int  # of the tree, in plies
    takes_wins: bool  # whether a rollout takes an immediate win


@kernel
def random_below(rng: NDArray[np.uint64], bound: int) -> int:
    """A number from 0 to bound - 1, by xorshift (Marsaglia 2003)."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return int(((x >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def winning_move(own: int, other: int, play: Play) -> int:
    """A move that wins at once, or -1."""
    for move in range(len(play.slides)):
        slide = play.slides[move]
        if other & slide[0]:
            continue
        left, after = pushed(own, other, slide)
        if has_line(after, play.lines) and not has_line(left, play.lines):
            return move
    return -1


@kernel
def rollout(own: int, other: int, play: Play) -> float:
    """Play a random game; returns the result for the side to move."""
    sign = 1.0
    for _ in range(MAX_ROLLOUT_PLIES):
        if play.takes_wins and winning_move(own, other, play) >= 0:
            return sign
        slide = play.slides[random_below(play.rng, len(play.slides))]
        while other & slide[0]:
            slide = play.slides[random_below(play.rng, len(play.slides))]
        own, other = pushed(own, other, slide)
        sign = -sign
        if has_line(own, play.lines):
            return sign
        if has_line(other, play.lines):
            return -sign
    return 0.0


@kernel
def expand(node: int, tree: PackedTree, play: Play) -> None:
    """Add every different position one move away, if there is room, and prove the node."""
    own, other = tree.own[node], tree.other[node]
    first = tree.used[0]
    if first + MAX_MOVES > len(tree.own):
        return
    count = 0
    for move in range(len(play.slides)):
        slide = play.slides[move]
        if other & slide[0]:
            continue
        left, after = pushed(own, other, slide)
        same = first
        while same < first + count and (tree.own[same] != left or tree.other[same] != after):
            same += 1
        if same < first + count:
            continue
        tree.own[same], tree.other[same], tree.move[same] = left, after, move
        if has_line(left, play.lines):
            tree.proven[same] = WON
        elif has_line(after, play.lines):
            tree.proven[same] = LOST
        count += 1
    tree.first[node], tree.children[node] = first, count
    tree.used[0] += count
    prove(node, tree)


@kernel
def prove(node: int, tree: PackedTree) -> None:
    """Won if one move leads to a lost position, lost if every move leads to a won one."""
    first = tree.first[node]
    won, lost, slowest = 1 << 14, 0, 0
    for child in range(first, first + tree.children[node]):
        if tree.proven[child] == LOST:
            won = min(won, tree.plies[child] + 1)
        elif tree.proven[child] == WON:
            lost += 1
            slowest = max(slowest, tree.plies[child] + 1)
    if won < 1 << 14:
        tree.proven[node], tree.plies[node] = WON, won
    elif lost and lost == tree.children[node]:
        tree.proven[node], tree.plies[node] = LOST, slowest
    tree.used[2] += tree.proven[node] != OPEN


@kernel
def select(node: int, tree: PackedTree, exploration: float) -> int:
    """The child with the highest upper confidence bound; one never visited comes first."""
    first = tree.first[node]
    explore = exploration * sqrt(log(tree.visits[node] + 1.0))
    best, best_bound = int(first), -np.inf
    for child in range(first, first + tree.children[node]):
        if tree.proven[child] == WON:
            bound = -1e9
        elif tree.visits[child] == 0:
            bound = 1e9
        else:
            visits = tree.visits[child]
            bound = -tree.total[child] / visits + explore / sqrt(visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def simulate(simulations: int, at: int, run: int, tree: PackedTree, play: Play) -> int:
    """Play so many games through the tree, or until it is stopped or the root is proven.

    `at` is the root's index on the path, `run` the reversible plies up to it, which took no blank
    cube. Returns the number of games played.
    """
    nodes = np.empty(play.depth + 2, np.int64)
    for done in range(simulations):
        if play.stop[0] or tree.proven[ROOT] in (WON, LOST):
            return done
        node, ply, reversible = ROOT, 0, run
        nodes[0] = ROOT
        result, repeats = 0.0, False
        while tree.children[node] and tree.proven[node] == OPEN and ply < play.depth:
            own = tree.own[node]
            node = select(node, tree, play.exploration)
            ply += 1
            nodes[ply] = node
            reversible = reversible + 1 if own & play.slides[tree.move[node], 0] else 0
            key = key_of(tree.own[node], tree.other[node])
            play.path[at + ply] = key
            repeats = is_repetition(key, at + ply, reversible, play.path)
            if repeats:  # a position of this line or of the match
                break
        tree.used[1] = max(tree.used[1], ply)
        unknown = tree.proven[node] == OPEN and not repeats
        if unknown and tree.visits[node] and tree.children[node] == 0 and ply < play.depth:
            expand(node, tree, play)
        if unknown and tree.proven[node] == OPEN:
            result = rollout(tree.own[node], tree.other[node], play)
        for back in range(ply, -1, -1):
            node = nodes[back]
            if tree.proven[node] == OPEN and tree.children[node] and not repeats:
                prove(node, tree)
            if tree.proven[node] in (WON, LOST):
                result = float(tree.proven[node])
            tree.visits[node] += 1
            tree.total[node] += result
            result = -result
    return simulations
