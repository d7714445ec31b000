"""`python -m benchmarks.folding`: what exchanging the colours saves the Q-learner on Quixo.

The same random games with and without the exchange, then each with its twin of the other colour;
and brains trained with and without it from the same seeds, each against random moves.
"""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev
from typing import Any
from unittest.mock import patch

import click

from agents.core import Limit
from agents.learning import qsparse
from agents.learning.qsparse import canonical, exchanged
from agents.roster import load_agent, read_agent
from agents.training.trainer import finish
from engine.catalog import load_game
from engine.core import Seat
from engine.match import Match

GAME = load_game("quixo")
T_95 = {5: 2.776, 10: 2.262, 20: 2.093, 40: 2.023}  # Student's t, by the number of seeds


@click.command()
@click.option("--games", default=200, show_default=True, help="Random games to count positions in.")
@click.option("--seeds", default=10, show_default=True, type=click.Choice(map(str, T_95)))
@click.option("--length", default=500, show_default=True, help="Games of each training.")
@click.option("--played", default=100, show_default=True, help="Games of each brain.")
def folding(games: int, seeds: str, length: int, played: int) -> None:
    """Count positions, then compare strengths."""
    states = [state for number in range(games) for state in _random_game(number)]
    for name, seen in (("the same games", states), ("with twins", _with_twins(states))):
        folded = {canonical(GAME, state).text for state in seen}
        unfolded = {min(str(turn.state(state)) for turn in GAME.symmetries) for state in seen}
        print(f"{name}: {len(folded):,} positions folded, {len(unfolded):,} not")
    scores = {
        folds: [_score(seed, length, folds, played) for seed in range(int(seeds))]
        for folds in (True, False)
    }
    for folds, found in scores.items():
        print(f"{'folded' if folds else 'not folded'}: {fmean(found):.1%} of the points")
    apart = [one - two for one, two in zip(*scores.values(), strict=True)]
    reach = T_95[len(apart)] * stdev(apart) / len(apart) ** 0.5
    low, mean, high = (fmean(apart) + sign * reach for sign in (-1, 0, 1))
    print(f"difference {mean:+.1%} ({low:+.1%} to {high:+.1%})")


def _random_game(seed: int) -> list[Any]:
    rng, state = Random(seed), GAME.start
    states = []
    while state.outcome() is None:
        states.append(state)
        state = state.play(rng.choice(state.legal_moves()))
    return states


def _with_twins(states: list[Any]) -> list[Any]:
    return [twin for state in states for twin in (state, exchanged(state))]


def _score(seed: int, length: int, folds: bool, games: int) -> float:
    """The share of points against random moves of a brain trained from this seed."""
    entry, options = read_agent(f"qlearning:games={length},unmet=random", GAME)
    assert entry.train is not None
    learner: Any = entry.train.__self__
    with patch.object(qsparse, "exchanged", exchanged if folds else lambda state: state):
        brain = finish(entry.train(GAME, options, seed, None))
        agent, opponent = learner.agent(GAME, brain, options), load_agent("random", GAME)
        points = 0.0
        for number in range(games):
            seat, rng, match = Seat(number % 2), Random(f"{seed} {number}"), Match.begin(GAME)
            while (outcome := match.outcome()) is None:
                player = agent if match.state.to_move is seat else opponent
                match = match.play(player.analyse(match.state, limit=Limit(), rng=rng).choice)
            points += (outcome.score(seat) + 1) / 2
    return points / games


if __name__ == "__main__":
    folding()
