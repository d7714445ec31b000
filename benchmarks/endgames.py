"""Quixo's endgames measured: what they cost to build and to look up, and what they are good for.

Run `python -m benchmarks.quixo endgames [BLANKS]` for the table itself and what it costs a search
(five minutes with one blank, ten with two: it is built from nothing), and `python -m
benchmarks.quixo won [COUNT] [PLIES]` to see how many of so many won endgames, at least so many
plies from their ends, are won with the table and without: `won 500` takes ten minutes, `won 100 11`
half an hour.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import Limit, load_agent
from agents.compute.kernels import kernel
from agents.formats import counted
from agents.perfect.oracles import EndgameOracle
from agents.quixo.bitboard import masks_of
from agents.quixo.endgame_tables import Endgames, code_of, endgames, no_endgames
from agents.quixo.evaluation import course_evaluation
from agents.search.quixo.root import think
from engine import Match, load_game

GAME = load_game("quixo")
NODES = 2_000_000
ROUNDS = 5
BUILD = """
import resource, sys
from agents.perfect.endgame_builder import ensure, solve_endgames
ensure(int(sys.argv[1]))
used = resource.getrusage(resource.RUSAGE_SELF)
summary = solve_endgames(int(sys.argv[1]))
print(f"{used.ru_utime + used.ru_stime:.1f} s of the processor, compiling and the start of Python "
      f"included, {used.ru_maxrss / 1024:.0f} MB at most; {summary.wins:,} won, "
      f"{summary.losses:,} lost, {summary.draws:,} drawn, longest {summary.longest}")
"""


@kernel
def look_up_all(boards: NDArray[np.int64], table: Endgames) -> int:
    """The sum of all codes, so that nothing is left out."""
    total = 0
    for board in boards:
        total += code_of(board[0], board[1], table)
    return total


def random_state(blanks: int, rng: Random) -> Any:
    """A board without a line on which so many cubes are blank, either side to move."""
    while True:
        marks = ["."] * blanks + [rng.choice("xo") for _ in range(25 - blanks)]
        rng.shuffle(marks)
        rows = "/".join("".join(marks[at : at + 5]) for at in range(0, 25, 5))
        state = GAME.parse_state(f"{rows} {rng.choice('xo')}")
        if state.outcome() is None:
            return state


def show_build(blanks: int) -> None:
    """From nothing, in a process and a directory of its own."""
    with tempfile.TemporaryDirectory() as place:
        environment = os.environ | {"ZERMELO_DATA": place}
        for name in ("built", "loaded"):
            run = [sys.executable, "-c", BUILD, str(blanks)]
            said = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
            print(f"{counted(blanks, 'blank', 'blanks')} {name}: {said.stdout.strip()}", flush=True)
        for path in sorted(Path(place).glob("quixo-5x5-*")):
            print(f"  {path.name}: {path.stat().st_size:,} bytes")


def show_probes(table: Endgames) -> None:
    rng = Random(1)
    kinds = table.blanks + 1
    boards = np.array([masks_of(random_state(rng.randrange(kinds), rng)) for _ in range(200_000)])
    boards = np.tile(boards, (20, 1))
    look_up_all(boards[:10], table)
    begun = process_time()
    look_up_all(boards, table)
    print(f"{len(boards) / (process_time() - begun):,.0f} boards looked up a second")


def seconds_a_node(state: Any, table: Endgames) -> float:
    begun = process_time()
    found = think(GAME, state, course_evaluation(5), limit=Limit(nodes=NODES), endgames=table)
    return (process_time() - begun) / max(1, found.positions)


def show_costs(table: Endgames) -> None:
    """The same searches with the table and without, in turns; medians of their ratios. By the
    processor's clock, since others may work beside them."""
    seconds_a_node(GAME.start, table)
    for blanks in (25, 16, 8, *range(table.blanks + 3, table.blanks, -1)):
        ratios, rates = [], []
        for seed in range(ROUNDS):
            rng = Random(100 * blanks + seed)
            state = GAME.start if blanks == 25 else quiet_state(blanks, rng)
            without, with_table = seconds_a_node(state, no_endgames()), seconds_a_node(state, table)
            ratios.append(with_table / without)
            rates.append((1 / without, 1 / with_table))
        told = [f"{median(rate[at] for rate in rates):,.0f}" for at in (0, 1)]
        print(
            f"{blanks:2} blanks: {told[0]} positions a second without, {told[1]} with the table; "
            f"{median(ratios):.2f} times the time a position ({min(ratios):.2f} to "
            f"{max(ratios):.2f})",
            flush=True,
        )


def quiet_state(blanks: int, rng: Random) -> Any:
    """One that two million positions do not settle."""
    while True:
        state = random_state(blanks, rng)
        found = think(GAME, state, course_evaluation(5), limit=Limit(nodes=20_000))
        if not found.best.certain:
            return state


@dataclass(frozen=True)
class Won:
    """A position that is won, and how soon."""

    state: Any
    plies: int


def won_states(count: int, plies: int, seed: int) -> list[Won]:
    rng, oracle, found = Random(seed), EndgameOracle(), []
    while len(found) < count:
        state = random_state(rng.randrange(2), rng)
        verdict = oracle.probe(state)
        if verdict.value > 0 and verdict.plies is not None and verdict.plies >= plies:
            found.append(Won(state, verdict.plies))
    return found


def plies_to_win(won: Won, winner: str, loser: str, seconds: float) -> int | None:
    """How long the winner took; None where it did not win."""
    agents = {
        won.state.to_move: load_agent(winner, GAME),
        won.state.to_move.other: load_agent(loser, GAME),
    }
    match, rng = Match.begin(GAME, won.state), Random(str(won.state))
    while match.outcome() is None:
        agent = agents[match.state.to_move]
        history = match.states[:-1]
        limit = Limit(seconds=seconds)
        match = match.play(agent.analyse(match.state, limit=limit, rng=rng, history=history).choice)
    outcome = match.outcome()
    assert outcome is not None
    return match.ply if outcome.winner is won.state.to_move else None


def show_won(count: int = 500, plies: int = 1, seed: int = 1) -> None:
    """How many of the won positions are won, and within their distance."""
    states = won_states(count, plies, seed)
    distances = sorted(won.plies for won in states)
    print(
        f"{count} won positions, {distances[0]} to {distances[-1]} plies, "
        f"half within {median(distances):g}"
    )
    for winner, loser in (
        ("quixo-deep", "perfect"),
        ("quixo-deep", "quixo-deep"),
        ("quixo-deep:endgames=no", "perfect"),
        ("quixo-deep:endgames=no", "quixo-deep:endgames=no"),
    ):
        begun = perf_counter()
        took = [plies_to_win(won, winner, loser, 0.1) for won in states]
        in_time = sum(
            plies is not None and plies <= won.plies
            for plies, won in zip(took, states, strict=True)
        )
        print(
            f"{winner} against {loser}: {sum(plies is not None for plies in took)} of "
            f"{count} won, "
            f"{in_time} within their distance; {perf_counter() - begun:,.0f} s",
            flush=True,
        )


def show_endgames(blanks: int = 1) -> None:
    show_build(blanks)
    table = endgames()
    if table.blanks < blanks:
        print(f"there is no such table here: `zermelo solve quixo --blanks {blanks}` first")
        return
    table = table._replace(blanks=blanks)
    show_probes(table)
    show_costs(table)
