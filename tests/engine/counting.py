"""Counting by brute force: perft, reachable states, games by length."""

from collections import Counter
from typing import Any

from engine import Game


def perft(state: Any, depth: int) -> int:
    """Sequences of that many legal moves from here."""
    moves = state.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(state.play(move), depth - 1) for move in moves)


def game_lengths(state: Any, played: int = 0) -> Counter[int]:
    """How many games from here end after how many moves."""
    if state.outcome() is not None:
        return Counter({played: 1})
    lengths: Counter[int] = Counter()
    for move in state.legal_moves():
        lengths += game_lengths(state.play(move), played + 1)
    return lengths


def reachable(game: Game[Any, Any]) -> set[Any]:
    """Every state that legal play leads to."""
    seen = {game.start}
    frontier = [game.start]
    while frontier:
        state = frontier.pop()
        new = {state.play(move) for move in state.legal_moves()} - seen
        seen |= new
        frontier += new
    return seen
