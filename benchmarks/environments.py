"""Steps a second of our environments, beside PettingZoo's own tic-tac-toe in the same run.

Run with `python -m benchmarks.environments`. Everyone plays legal moves at random through the same
wrappers and the same loop; the rounds are interleaved, and the best of each is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np

from agents.environments import aec

THEIRS = "PettingZoo's own"
GAMES = ("tictactoe", "nim", "quixo:size=4", "quixo")
ROUNDS = 5


def their_tictactoe() -> Any:
    """It imports pygame to draw, which nothing here does: an empty module stands in for it."""
    try:
        import pygame  # noqa: F401
    except ImportError:
        sys.modules["pygame"] = ModuleType("pygame")
    from pettingzoo.classic.tictactoe import tictactoe

    return tictactoe.env()


def steps_a_second(env: Any, seconds: float) -> float:
    """Random legal play; only steps of agents in play are counted."""
    rng = Random(1)
    steps = 0
    begun = perf_counter()
    while perf_counter() - begun < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            steps += 1
    return steps / (perf_counter() - begun)


def main(seconds: float = 1.0) -> None:
    """Print steps a second, and each as a multiple of PettingZoo's."""
    makers: dict[str, Callable[[], Any]] = {THEIRS: their_tictactoe}
    makers |= {spec: (lambda spec=spec: aec(spec)) for spec in GAMES}
    environments = {name: make() for name, make in makers.items()}
    best = dict.fromkeys(environments, 0.0)
    for _ in range(ROUNDS):
        for name, env in environments.items():
            best[name] = max(best[name], steps_a_second(env, seconds))
    print(f"{'AEC environment':18} {'steps/s':>9} {'ratio':>6}")
    for name, rate in best.items():
        print(f"{name:18} {rate:9,.0f} {rate / best[THEIRS]:6.2f}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
