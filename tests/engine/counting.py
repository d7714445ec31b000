"""Counting by brute force: perft, reachable states, all games."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from engine import Game


def perft(state: Any, depth: int) -> int:
    """Sequences of that many legal moves from here."""
    moves = state.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(state.play(move), depth - 1) for move in moves)


@dataclass(frozen=True)
class Walk:
    """Every game there is, played move by move: what was counted on the way."""

    moves: Counter[int]  # sequences of legal moves, by how many
    games: Counter[int]  # games that have ended, by how many moves they took


def walk(start: Any) -> Walk:
    """All games from here, one after the other; nothing is remembered of a state met before."""
    moves: Counter[int] = Counter()
    games: Counter[int] = Counter()
    ahead = [(start, 0)]
    while ahead:
        state, played = ahead.pop()
        moves[played] += 1
        if state.outcome() is not None:
            games[played] += 1
        ahead += [(state.play(move), played + 1) for move in state.legal_moves()]
    return Walk(moves, games)


def walk_by_levels(start: Any) -> Walk:
    """The same, a move at a time: a state is played on from once, and counts as often as met."""
    moves: Counter[int] = Counter()
    games: Counter[int] = Counter()
    level, played = Counter([start]), 0
    while level:
        moves[played] = level.total()
        games[played] = sum(met for state, met in level.items() if state.outcome() is not None)
        ahead: Counter[Any] = Counter()
        for state, met in level.items():
            for move in state.legal_moves():
                ahead[state.play(move)] += met
        level, played = ahead, played + 1
    return Walk(moves, +games)


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
