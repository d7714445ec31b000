"""Evolved Quixo as Python source for `agents.export`: its weights, and alpha-beta as it searches.

The search counts positions as `agents.search.alphabeta` does, so that it ends where that one ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.core import Limit
from agents.quixo.bitboard import kinds_of_lines
from agents.quixo.source import quixo_rules
from engine.core import Game

WEIGHTS = """
# What cubes on a line are worth, by the kind of line and how many there are, 0 to {size}:
# of the side to move, and of the other, which count against it.
OWN = {own}
THEIRS = {theirs}
KIND_OF_LINE = {kinds}
SCALE = {scale}  # the largest of them
NODES = {nodes}  # positions it looks at; None: as many as DEPTH takes
DEPTH = {depth}  # plies it looks ahead at most
"""
SEARCH = '''
WIN = 10_000  # a win in n plies counts WIN - n
DECIDED = 1_000  # beyond this either way something is won or lost
INFINITE = float("inf")


def evaluation(own, other):
    """What the lines of a position are worth to the side to move, between -1 and 1."""
    total = 0.0
    for line, kind in zip(LINES, KIND_OF_LINE):
        total += OWN[kind][bin(own & line).count("1")] - THEIRS[kind][bin(other & line).count("1")]
    return total / (abs(total) + SCALE)


def legal_moves(own, other):
    """The pushes of cubes that are blank or one's own."""
    if result(own, other):
        return []
    return [move for move, push in MOVES.items() if not push[0] & other]


def played(state, move):
    own, other, mover = state
    return (*pushed(own, other, move), "o" if mover == "x" else "x")


def counted(score, ply):
    """A win or loss with its plies from the root, as one with its plies from here."""
    if DECIDED < score < INFINITE:
        return score + ply
    return score - ply if -INFINITE < score < -DECIDED else score


class OutOfBudget(Exception):
    """All positions are used up: what the last whole depth found is what counts."""


class Search:
    """Alpha-beta with a table of positions; moves that cut elsewhere are tried first."""

    def __init__(self, drawn):
        self.drawn = drawn  # positions whose next repetition is a draw
        self.spent = 0
        self.table = {}  # position -> (depth, height, low, high, best move)
        self.cuts = dict.fromkeys(MOVES, 0)

    def root(self, state, depth):
        """The score of every move, and whether it is final."""
        after = {move: played(state, move) for move in legal_moves(*state[:2])}
        scores = {}
        for position in sorted(dict.fromkeys(after.values()), key=self.sort_key):
            score, height = self.negamax(position, depth - 1, 1, -INFINITE, INFINITE)
            scores[position] = (-score, height < INFINITE)
        return {move: scores[position] for move, position in after.items()}

    def sort_key(self, state):
        """What is worst for the opponent comes first."""
        return max(self.table[state][2], -WIN) if state in self.table else INFINITE

    def negamax(self, state, depth, ply, alpha, beta):
        """The score for the side to move, and the depth from which on it is final."""
        if state in self.table:
            searched, height, low, high, _ = self.table[state]
            if depth != searched and depth < height:
                low, high = -INFINITE, INFINITE
            low, high = counted(low, -ply), counted(high, -ply)
            if low >= beta or high <= alpha or low == high:
                return (low if low >= beta else high), height
            alpha, beta = max(alpha, low), min(beta, high)
        if NODES is not None and self.spent >= NODES:
            raise OutOfBudget
        self.spent += 1
        own, other, _ = state
        if won := result(own, other):
            return self.leaf(state, won * (WIN - ply), 0, ply)
        if state in self.drawn:
            return self.leaf(state, 0, 0, ply)
        if depth == 0:
            return self.leaf(state, evaluation(own, other), INFINITE, ply)
        return self.expand(state, depth, ply, alpha, beta)

    def leaf(self, state, score, height, ply):
        exact = counted(score, ply)
        self.table.setdefault(state, (0, height, exact, exact, None))
        return score, height

    def expand(self, state, depth, ply, alpha, beta):
        best, best_move, floor, height = -INFINITE, None, alpha, 0
        for after, move in self.children(state):
            theirs, below = self.negamax(after, depth - 1, ply + 1, -beta, -floor)
            height = max(height, below + 1)
            if -theirs > best:
                best, best_move = -theirs, move
            floor = max(floor, best)
            if floor >= beta:
                self.cuts[move] += depth * depth
                break
        score = counted(best, ply)
        if abs(score) > DECIDED:
            height = WIN - abs(score)  # once seen, it is seen at every greater depth
        low = score if best > alpha else -INFINITE
        high = score if best < beta else INFINITE
        self.table[state] = (depth, height, low, high, best_move)
        return best, height

    def children(self, state):
        """Every position one move away, once: the table's move first, then by the cuts so far."""
        moves = legal_moves(*state[:2])
        known = self.table[state][4] if state in self.table else None
        first = [] if known is None else [known]
        reached = set()
        for move in first + sorted(moves, key=self.cuts.__getitem__, reverse=True):
            after = played(state, move)
            if after not in reached:
                reached.add(after)
                yield after, move


def merit(score):
    """More is better: by value, then the quicker win or the slower loss."""
    if abs(score) > DECIDED:
        return (1, -(WIN - abs(score))) if score > 0 else (-1, WIN - abs(score))
    return (score, 0)


def chances(state, legal, earlier=()):
    """The best moves of the deepest search that was finished, each as likely as the next."""
    position = read(state)
    before = [*earlier, position]
    search = Search({each for each in before if before.count(each) >= 2})
    found = {move: (0, False) for move in legal}
    try:
        for depth in range(1 if NODES is not None else DEPTH, DEPTH + 1):
            found = search.root(position, depth)
            if all(final for _, final in found.values()):
                break
    except OutOfBudget:
        pass
    top = max(merit(score) for score, _ in found.values())
    best = [move for move, (score, _) in found.items() if merit(score) == top]
    return {move: 1 / len(best) for move in best}
'''


def evolved_source(game: Game[Any, Any], weights: Sequence[Any], limit: Limit, deepest: int) -> str:
    """`chances` of a player with these weights [side, kind, count] under this limit."""
    own, theirs = ([[int(worth) for worth in row] for row in side] for side in weights)
    size = game.start.table.size
    return quixo_rules(game) + (
        WEIGHTS.format(
            size=size,
            own=_rows(own),
            theirs=_rows(theirs),
            kinds=list(kinds_of_lines(size)),
            scale=max(max(row) for row in (*own, *theirs)),
            nodes=limit.nodes,
            depth=limit.depth or deepest,
        )
        + SEARCH
    )


def _rows(table: list[list[int]]) -> str:
    """A list of lists, a line for each of its rows."""
    return "[\n" + "".join(f"    {row},\n" for row in table) + "]"
