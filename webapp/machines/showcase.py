"""Positions worth seeing: for each machine and game one in which its way of thinking shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Showpiece:
    """A position, by the moves that lead to it, and what to look at."""

    moves: str
    why: str
    open: str = ""  # of its tree, where it has one: the path that is open


# By game, whoever plays it.
USUAL: Mapping[str, Showpiece] = {
    "nim": Showpiece("e6 d5", "Five heaps and one good answer: leave a nim-sum of 0."),
    "tictactoe": Showpiece(
        "a3 b2 c1", "x holds two corners and o the middle: a fork is in the air."
    ),
    "quixo": Showpiece(
        "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5", "A few cubes are turned, and no line is near yet."
    ),
}
# By machine and game, where another position shows more.
OWN: Mapping[tuple[str, str], Showpiece] = {
    ("opportunist", "tictactoe"): Showpiece(
        "a3 b2 a2 c3", "x can win at once in column a, and it takes what is there."
    ),
    ("minimax", "tictactoe"): Showpiece(
        "a3 b2 a2",
        "x threatens to win in column a: a ply ahead, and it shows in every value.",
        open="0",
    ),
    ("alphabeta", "tictactoe"): Showpiece(
        "a3 b2 a2",
        "x threatens column a: once that is seen, most other answers need no look.",
        open="1",
    ),
    ("nim-sum", "nim"): Showpiece(
        "e9 d7 c5 b1", "Misère, near the end: here its rule leads it astray, and the expert turns."
    ),
    ("nim-expert", "nim"): Showpiece(
        "e9 d7 c5 b1", "Misère, near the end: one large heap is left, and the rule turns round."
    ),
    ("menace", "tictactoe"): Showpiece(
        "", "The first box, opened in every game in which it begins."
    ),
    ("quixo-deep", "quixo"): Showpiece(
        "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5 e1-a1 e2-a2",
        "Eight cubes are turned: value by depth, as it looks further and further.",
    ),
}


def showpiece(agent: str, game: str) -> Showpiece:
    """The position for a machine in a game, by their keys; a game of a package has its start."""
    return OWN.get((agent, game)) or USUAL.get(game) or Showpiece("", "How a game begins.")
