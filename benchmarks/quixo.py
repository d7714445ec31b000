"""Quixo side by side: how fast and how deep each search looks, and who beats whom.

Run `python -m benchmarks.quixo` for positions per second and depth beside the student's engine
(a minute), `python -m benchmarks.quixo MATCH …` for matches by name, or `all` of them (half an
hour on one core), and `python -m benchmarks.quixo levels [SEED]` for the ratings of the levels
(an hour, most of it for the last). All from random openings of four plies, each played from both
seats, fixed seeds. `endgames` and `won` measure its endgames: see benchmarks/endgames.py.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from time import perf_counter
from typing import Any

from agents import Agent, Limit, load_agent
from agents.contest.arena import Played, play_all, schedule
from agents.contest.ratings import rate
from agents.contest.scores import Score
from agents.search.quixo.deep import warm_up
from agents.search.quixo.levels import LEVELS
from benchmarks.endgames import show_endgames, show_won
from benchmarks.engine import BLANK, StudentQuixo
from engine import Match, load_game
from engine.core import Ending

GAME = load_game("quixo")
SEARCHES = {
    "minimax": "minimax:depth=60,evaluation=lines",
    "alphabeta": "alphabeta:depth=60",
    "quixo-deep": "quixo-deep",
}
OPENING = 4  # random plies
SEED = 1


@dataclass(frozen=True)
class Series:
    """A match of many games between two agents, and what it is meant to show."""

    one: str
    two: str
    games: int
    seconds: float  # for each move of either side
    aim: str


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
        "quixo-deep", "quixo-deep:endgames=no", 200, 0.05, "clearly above 50 %, few at the limit"
    ),
    "no-tables": Series(
        "quixo-deep:endgames=no", "quixo-deep:endgames=no,table=31", 200, 0.05, "the same without"
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


def played(one: str, two: str, games: int, seconds: float, seed: int = SEED) -> Iterator[Played]:
    """The games of a match; two after each other share an opening."""
    limit = Limit(seconds=seconds)
    return play_all(schedule(GAME.spec, (one, two), games, seed, limit, OPENING))


def show_match(name: str, series: Series) -> None:
    """One line with the record and its 95 % interval."""
    record, plies, at_limit, begun = Score(), 0, 0, perf_counter()
    for game in played(series.one, series.two, series.games, series.seconds):
        record += game.score(0)
        plies += len(game.moves)
        at_limit += game.outcome.ending is Ending.PLY_LIMIT
        if record.games % 10 == 0:
            print(f"  {name}: after {record.games}, {record}", file=sys.stderr, flush=True)
    low, high = record.interval()
    print(
        f"{series.one} against {series.two}, {series.seconds:g} s a move, {record.games} games: "
        f"{record.wins} won, {record.draws} drawn, {record.losses} lost, {record.rate:.1%} "
        f"({low:.1%} to {high:.1%}); {plies / record.games:.0f} plies a game, "
        f"{at_limit} to the last ply, "
        f"{perf_counter() - begun:,.0f} s. Aim: {series.aim}.",
        flush=True,
    )


def show_levels(seed: int = SEED) -> None:
    """Every level against the one below, and the ratings that follow, the first one's being 0."""
    table: list[list[Score | None]] = [[None] * len(LEVELS) for _ in LEVELS]
    for below, level in pairwise(LEVELS):
        # From six plies on games take long, and a level that takes its second for every move
        # half a minute: fewer of those.
        depth = level.limit.depth
        number = 30 if depth is None else 100 if depth < 6 else 40
        specs = [f"quixo-deep:level={named.name}" for named in (level, below)]
        record = sum((game.score(0) for game in played(*specs, number, 1.0, seed)), Score())
        at = LEVELS.index(level)
        table[at][at - 1], table[at - 1][at] = record, record.seen_by_opponent
        low, high = record.interval()
        print(
            f"{level.title} against {below.title}: {record}, {record.rate:.1%} "
            f"({low:.1%} to {high:.1%})",
            flush=True,
        )
    ratings = rate(table)
    for level, rating in zip(LEVELS, ratings, strict=True):
        low, middle, high = (elo - ratings[0].elo for elo in (rating.low, rating.elo, rating.high))
        print(f"{level.title:14} {middle:6.0f}  ({low:.0f} to {high:.0f})")


def main(*names: str) -> None:
    """The speeds, or the matches that are named."""
    warm_up()
    if not names:
        show_speed()
    for name, show in (("levels", show_levels), ("won", show_won), ("endgames", show_endgames)):
        if names[:1] == (name,):
            show(*map(int, names[1:]))
            return
    for name in SERIES if "all" in names else names:
        show_match(name, SERIES[name])


if __name__ == "__main__":
    main(*sys.argv[1:])
