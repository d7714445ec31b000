"""Quixo side by side: how fast and how deep each search looks, and who beats whom.

Run `python -m benchmarks.quixo` for positions per second and depth beside the student's engine
(a minute), `python -m benchmarks.quixo MATCH … [SEED [POSITIONS]]` for matches by name, or `all` of
them (half an hour on one core), where wanted with so many positions a move in place of seconds, and
`python -m benchmarks.quixo levels [SEED [LEVEL …]]` for the ratings of the levels, or the steps up
to some (an hour, most of it for the last). All from random openings of four plies, each played from
both seats, fixed seeds. `endgames` and `won` measure its endgames: see benchmarks/endgames.py.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log10
from random import Random
from threading import Event, Thread, get_ident
from time import clock_gettime, perf_counter, pthread_getcpuclockid
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import Agent, Limit, load_agent
from agents.contest.arena import Played, Terms
from agents.contest.ratings import Score, rate
from agents.contest.series import play_all
from agents.core import UNLIMITED
from agents.entry import Level
from agents.search.quixo import root
from agents.search.quixo.deep import FULL_STRENGTH, LEVELS
from benchmarks.endgames import show_endgames, show_won
from benchmarks.engine import BLANK, StudentQuixo
from engine import Match, load_game
from engine.core import Ending

GAME = load_game("quixo")
SEARCHES = {
    "minimax": "minimax:depth=60,evaluation=game",
    "alphabeta": "alphabeta:depth=60",
    "quixo-deep": "quixo-deep",
}
OPENING = 4  # random plies
SEED = 1
LOOK_EVERY = 0.001  # seconds between two looks at the processor's clock
A_SECOND = 4_000_000  # positions, about what full strength sees in one


@dataclass(frozen=True)
class Series:
    """A match of many games between two agents, and what it is meant to show."""

    one: str
    two: str
    games: int
    seconds: float  # for each move of either side
    aim: str
    by_processor: bool = False  # whose seconds count: its own, or those on the wall


SERIES = {
    "alphabeta": Series(
        "quixo-deep", "alphabeta:depth=3", 30, 1.0, "at least 28 of 30, and no loss"
    ),
    "random": Series("quixo-deep", "random", 200, 0.1, "200 of 200"),
    "learned": Series(
        "quixo-deep", "quixo-deep:evaluation=course", 200, 0.05, "at least 60 % of the points"
    ),
    "mcts": Series(
        "quixo-deep", "mcts:simulations=1000000", 60, 0.1, "at least 60 % of the points"
    ),
    "tables": Series(
        "quixo-deep",
        "quixo-deep:endgames=no",
        200,
        0.05,
        "clearly above 50 %, few at the limit",
        by_processor=True,
    ),
    "no-tables": Series(
        "quixo-deep:endgames=no",
        "quixo-deep:endgames=no,table=31",
        200,
        0.05,
        "the same without",
        by_processor=True,
    ),
    "threads": Series(
        "quixo-deep:threads=2", "quixo-deep", 100, 0.05, "above 50 %, alone on the machine"
    ),
}


class OutOfTime(Exception):  # noqa: N818 - nothing is wrong, the student's search just ends
    """The student's second is over."""


class StudentSearch:
    """Plain minimax on the student's board: every move, to a depth, lines counted at the end."""

    def __init__(self, seconds: float) -> None:
        self.ends = perf_counter() + seconds
        self.positions = 0

    def minimax(self, game: StudentQuixo, depth: int) -> float:
        self.positions += 1
        if perf_counter() > self.ends:
            raise OutOfTime
        winner = game.winner()
        if winner != BLANK:
            return 1.0 if winner == game.player else -1.0
        if depth == 0:
            return 0.0
        best = -1.0
        for move in game.legal_moves():
            after = copy.copy(game)
            after.play(move)
            best = max(best, -self.minimax(after, depth - 1))
        return best


def student_looks(state: Any, seconds: float) -> tuple[int, int, float]:
    """(positions, depth reached, seconds) of the student's search under a clock."""
    game = StudentQuixo()
    for row in range(5):
        for column in range(5):
            bit = 1 << (4 - row) * 5 + column
            mark = 0 if state.x & bit else 1 if state.o & bit else BLANK
            game.board[row, column] = mark
    game.player = int(state.to_move)
    search, depth, begun = StudentSearch(seconds), 0, perf_counter()
    try:
        while True:
            search.minimax(game, depth + 1)
            depth += 1
    except OutOfTime:
        return search.positions, depth, perf_counter() - begun


def agent_looks(agent: Agent[Any, Any], state: Any, seconds: float) -> tuple[int, int, float]:
    effort = agent.analyse(state, limit=Limit(seconds=seconds), rng=Random(0)).effort
    return effort.nodes, effort.depth, effort.seconds


def positions() -> list[Any]:
    """The start, and a position after 4, 8, 12 and 16 random plies."""
    found = []
    for plies in (0, 4, 8, 12, 16):
        match, rng = Match.begin(GAME), Random(plies)
        for _ in range(plies):
            match = match.play(rng.choice(match.state.legal_moves()))
        found.append(match.state)
    return found


def show_speed() -> None:
    """Positions per second and depth of each, at 0.1 s and 1 s, averaged over the positions."""
    looks: dict[str, Any] = {"student's engine": student_looks}
    for name, spec in SEARCHES.items():
        agent = load_agent(spec, GAME)
        looks[name] = lambda state, seconds, agent=agent: agent_looks(agent, state, seconds)
    print(f"{'':18} {'positions/s':>12} {'depth':>6} {'positions/s':>12} {'depth':>6}")
    print(f"{'':18} {'in 0.1 s':>12} {'':>6} {'in 1 s':>12}")
    rates: dict[str, tuple[float, float]] = {}
    for name, look in looks.items():
        cells = []
        for seconds in (0.1, 1.0):
            seen = [look(state, seconds) for state in positions()]
            rate = sum(count for count, _, _ in seen) / sum(spent for _, _, spent in seen)
            depth = sum(depth for _, depth, _ in seen) / len(seen)
            rates[name] = rate, depth
            cells.append(f"{rate:12,.0f} {depth:6.1f}")
        print(f"{name:18} {' '.join(cells)}", flush=True)
    deep = rates["quixo-deep"]
    for name, (rate, depth) in rates.items():
        if name != "quixo-deep":
            print(
                f"quixo-deep sees {deep[0] / rate:,.0f} times the positions of {name} "
                f"and {deep[1] - depth:+.1f} plies further in a second"
            )


def played(series: Series, seed: int, limit: Limit) -> Iterator[Played]:
    """The games of a match; two after each other share an opening."""
    sides = series.one, series.two
    return play_all(Terms(GAME.spec, sides, series.games, seed, limit, OPENING).fixtures())


@contextmanager
def ended_after(seconds: float | None, stop: NDArray[np.int8]) -> Iterator[None]:
    """As `root.ended_after`, but by the seconds that the processor gave this thread."""
    stop[0] = 0
    clock = pthread_getcpuclockid(get_ident())
    ends = inf if seconds is None else clock_gettime(clock) + seconds
    over = Event()

    def watch() -> None:
        while not over.wait(LOOK_EVERY):
            if clock_gettime(clock) >= ends:
                stop[0] = 1
                return

    watching = Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


def show_match(name: str, seed: int = SEED, positions: int | None = None) -> None:
    """One line with the record and its 95 % interval."""
    series = SERIES[name]
    if positions:
        limit, thought = Limit(nodes=positions), f"{positions:,} positions a move"
    else:
        limit, thought = Limit(seconds=series.seconds), f"{series.seconds:g} s a move"
        if series.by_processor:
            root.ended_after, thought = ended_after, f"{thought} by the processor"
    record, plies, at_limit, begun = Score(), 0, 0, perf_counter()
    for game in played(series, seed, limit):
        record += game.score(0)
        plies += len(game.moves)
        at_limit += game.outcome.ending is Ending.PLY_LIMIT
        if record.games % 10 == 0:
            so_far = f"{record}, {at_limit} to the last ply"
            print(f"  {name}: after {record.games}, {so_far}", file=sys.stderr, flush=True)
    low, high = record.interval()
    print(
        f"{series.one} against {series.two}, {thought}, seed {seed}, {record.games} games: "
        f"{record.wins} won, {record.draws} drawn, {record.losses} lost, {record.rate:.1%} "
        f"({low:.1%} to {high:.1%}); {plies / record.games:.0f} plies a game, "
        f"{at_limit} to the last ply, "
        f"{perf_counter() - begun:,.0f} s. Aim: {series.aim}.",
        flush=True,
    )


def level_against(one: Level, two: str, games: int, seed: int) -> Score:
    """The record of a level. Depths and counts end its thoughts, so no other load matters."""
    limit = Limit(nodes=A_SECOND) if one.name == FULL_STRENGTH else UNLIMITED
    specs = f"quixo-deep:level={one.name}", two
    record = Score()
    for game in play_all(Terms(GAME.spec, specs, games, seed, limit, OPENING).fixtures()):
        record += game.score(0)
        if record.games % 10 == 0:
            print(f"  {one.name}: after {record.games}, {record}", file=sys.stderr, flush=True)
    step = 400 * log10(record.rate / (1 - record.rate)) if 0 < record.rate < 1 else inf
    print(f"{one.title} against {two}, seed {seed}: {record}, {step:+.0f} Elo", flush=True)
    return record


def show_levels(seed: int = SEED, *names: str) -> None:
    """The first level against chance, every other against the one below, and the ratings that
    follow, the first one's being 0; or only the steps up to the levels that are named."""
    table: list[list[Score | None]] = [[None] * len(LEVELS) for _ in LEVELS]
    if not names or LEVELS[0].name in names:
        level_against(LEVELS[0], "random", 200, seed)
    for at, (below, level) in enumerate(pairwise(LEVELS), start=1):
        if names and level.name not in names:
            continue
        # From six plies on games take long, and at full strength minutes each: fewer of those.
        depth = level.limit.depth
        number = 30 if depth is None else 200 if depth < 5 else 100 if depth < 6 else 40
        record = level_against(level, f"quixo-deep:level={below.name}", number, seed)
        table[at][at - 1], table[at - 1][at] = record, record.seen_by_opponent
    if names:
        return
    ratings = rate(table)
    for level, rating in zip(LEVELS, ratings, strict=True):
        low, middle, high = (elo - ratings[0].elo for elo in (rating.low, rating.elo, rating.high))
        print(f"{level.title:14} {middle:6.0f}  ({low:.0f} to {high:.0f})")


def main(*names: str) -> None:
    """The speeds, or the matches that are named."""
    load_agent("quixo-deep", GAME).analyse(GAME.start, limit=Limit(depth=3))  # compiles
    if not names:
        show_speed()
    if names[:1] == ("levels",):
        show_levels(*map(int, names[1:2]), *names[2:])
        return
    for name, show in (("won", show_won), ("endgames", show_endgames)):
        if names[:1] == (name,):
            show(*map(int, names[1:]))
            return
    figures = [int(name) for name in names if name.isdigit()]
    for name in SERIES if "all" in names else names[: len(names) - len(figures)]:
        show_match(name, *figures)


if __name__ == "__main__":
    main(*sys.argv[1:])
