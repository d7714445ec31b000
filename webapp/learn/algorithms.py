"""The algorithms of the lessons as short programs, shown beside them and run by their tests.

All but the last play one heap of matches: take 1, 2 or 3, and the last match wins. A position is
the number of matches left.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from math import inf, log, sqrt
from random import Random


def minimax(left: int) -> int:
    """1 if the player to move can win, else -1."""
    if left == 0:
        return -1  # the opponent took the last match
    return max(-minimax(left - take) for take in (1, 2, 3) if take <= left)


def best_take(left: int) -> int:
    """The take that is worst for the opponent."""
    takes = [take for take in (1, 2, 3) if take <= left]
    return max(takes, key=lambda take: -minimax(left - take))


def alphabeta(left: int, alpha: int = -1, beta: int = 1) -> int:
    """The same value as minimax, for less work.

    The player to move is sure of alpha elsewhere; the opponent allows no more than beta.
    """
    if left == 0:
        return -1
    for take in (1, 2, 3):
        if take <= left:
            alpha = max(alpha, -alphabeta(left - take, -beta, -alpha))
            if alpha >= beta:
                break  # good enough: the opponent will not let it come to this
    return alpha


def tree_search(left: int, games: int, rng: Random) -> int:
    """The take that was tried most in so many games (UCT)."""
    tried: Counter[int] = Counter()  # by position
    won: Counter[int] = Counter()  # by the player who moved there
    for _ in range(games):
        path = [left]
        while path[-1] and tried[path[-1]]:  # select: good so far, or tried little
            best, after = -inf, 0
            for n in (path[-1] - take for take in (1, 2, 3) if take <= path[-1]):
                doubt = sqrt(2 * log(tried[path[-1]]) / tried[n]) if tried[n] else inf
                if won[n] / max(1, tried[n]) + doubt > best:
                    best, after = won[n] / max(1, tried[n]) + doubt, n
            path.append(after)
        n, wins = path[-1], True  # play out: the player who moved last wins an empty heap
        while n:
            n, wins = n - rng.randint(1, min(3, n)), not wins
        for n in reversed(path):  # back up
            tried[n] += 1
            won[n] += wins
            wins = not wins
    return max((take for take in (1, 2, 3) if take <= left), key=lambda take: tried[left - take])


def q_learning(left: int, games: int, rng: Random) -> dict[tuple[int, int], float]:
    """Q of each (position, take), learned by playing itself."""
    alpha, gamma, epsilon = 0.5, 1.0, 0.2
    q: dict[tuple[int, int], float] = defaultdict(float)
    for _ in range(games):
        n = left
        while n:
            takes = range(1, min(3, n) + 1)
            take = max(takes, key=lambda take: q[n, take])
            if rng.random() < epsilon:  # explore
                take = rng.choice(takes)
            after = n - take
            if after == 0:
                target = 1.0  # the last match wins
            else:  # what is best for the opponent is worst for me
                target = -gamma * max(q[after, reply] for reply in range(1, min(3, after) + 1))
            q[n, take] += alpha * (target - q[n, take])
            n = after
    return dict(q)


def evolve(
    fitness: Callable[[list[float]], float], genes: int, generations: int, rng: Random
) -> list[float]:
    """The fittest of eight, after so many generations."""
    population = [[rng.random() for _ in range(genes)] for _ in range(8)]
    for _ in range(generations):
        parents = sorted(population, key=fitness, reverse=True)[:4]  # the better half live on
        children = []
        for _ in range(4):
            pairs = zip(*rng.sample(parents, 2), strict=True)
            child = [rng.choice(pair) for pair in pairs]  # each gene from one of two parents
            if rng.random() < 0.3:
                child[rng.randrange(genes)] = rng.random()  # a mutation
            children.append(child)
        population = parents + children
    return max(population, key=fitness)


def listing(names: str) -> str:
    """The source of these functions with the imports they need; raises AttributeError."""
    module = sys.modules[__name__]
    source = "\n\n".join(inspect.getsource(getattr(module, name)) for name in names.split())
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    imports = [
        f"from {node.module} import {', '.join(wanted)}"
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ImportFrom)
        and (wanted := [each.name for each in node.names if each.name in used])
    ]
    return "\n".join(imports) + ("\n\n\n" if imports else "") + source
