"""Second opinions: the same truths by the plainest algorithms there are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import inf
from random import Random
from typing import Any

from agents import Limit, load_agent
from engine import Match, Seat, load_game

WIN = 1000


@cache
def negamax(state: Any) -> int:
    """Who wins, for the side to move, by following every line."""
    if (outcome := state.outcome()) is not None:
        return outcome.score(state.to_move)
    return max(-negamax(state.play(move)) for move in state.legal_moves())


def values_of_moves(state: Any) -> dict[str, int]:
    return {str(move): -negamax(state.play(move)) for move in state.legal_moves()}


def reached(spec: str, seed: int) -> Match[Any, Any]:
    """A position that is not over, come to by random play."""
    game, rng = load_game(spec), Random(seed)
    match = Match.begin(game)
    for _ in range(rng.randrange(6)):
        following = match.play(rng.choice(match.state.legal_moves()))
        match = match if following.outcome() is not None else following
    return match


def alphabeta_looks(state: Any) -> set[tuple[str, ...]]:
    """Every line that textbook alpha-beta looks at, to the end of the game."""
    seen: set[tuple[str, ...]] = set()

    def search(state: Any, line: tuple[str, ...], alpha: float, beta: float) -> float:
        seen.add(line)
        if (outcome := state.outcome()) is not None:
            return outcome.score(Seat.FIRST) * (WIN - len(line))
        for move in state.legal_moves():
            value = search(state.play(move), (*line, str(move)), alpha, beta)
            if state.to_move is Seat.FIRST:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return alpha if state.to_move is Seat.FIRST else beta

    search(state, (), -inf, inf)
    return seen


def lines_below(state: Any) -> Iterator[tuple[str, ...]]:
    """Every line of play from here."""
    for move in state.legal_moves():
        yield (str(move),)
        yield from ((str(move), *rest) for rest in lines_below(state.play(move)))


def exact_score(game: str, first: str, second: str) -> float:
    """How often the first wins, by the chances that both give their moves, line by line."""
    rules = load_game(game)
    players = {
        Seat.FIRST: load_agent(first, rules),
        Seat.SECOND: load_agent(second, rules),
    }

    @cache
    def won(state: Any) -> float:
        if (outcome := state.outcome()) is not None:
            return float(outcome.winner is Seat.FIRST)
        said = players[state.to_move].analyse(state, limit=Limit(nodes=2000), rng=Random(1))
        return sum(one.chance * won(state.play(one.move)) for one in said.candidates if one.chance)

    return won(rules.start)


def turned(board: str) -> set[str]:
    """A square board's text in all eight ways to look at it."""
    rows = board.split("/")
    images = set()
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        images |= {"/".join(rows), "/".join(row[::-1] for row in rows)}
    return images
