"""Puzzles: how many are found a second, that none is wrong, and that levels mean something.

Run with `python -m benchmarks.puzzles [count [game …]]`, `python -m benchmarks.puzzles grade` for
the levels alone, or `python -m benchmarks.puzzles pages` for how long a page takes: the next
puzzle, an answer and its page, by a player with hundreds of tries and a supply in the database,
without the network. Fresh puzzles of every shipped variant, or all there are; each is checked as
`zermelo puzzles check` does, by other solvers in `tests/agents/puzzles`. Then who solves how much
of each level of the shipped set, and how far its two measures of hardness agree (rank correlation
of depth and machines' failures).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import islice
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from agents.contest.ratings import Score
from agents.core import Limit
from agents.puzzles.answers import answered
from agents.puzzles.check import check_puzzles
from agents.puzzles.collection import SHIPPED, shipped_puzzles
from agents.puzzles.difficulty import MAX_DEPTH, chance_of, level_by_depth, machines
from agents.puzzles.finder import find_puzzles
from agents.puzzles.models import LEVELS, Puzzle
from engine import load_game
from webapp.app import close, make_app
from webapp.config import Config, Rate, Rates, Share
from webapp.puzzles.models import FRESH
from webapp.puzzles.store import PuzzleStore
from webapp.services import NAME

COUNT = 500
SEED = 20_261_118
LIMIT = Limit(nodes=20_000)
RISING = {  # machines of rising measured strength
    "tictactoe": ("opportunist", "menace", "dqn", "alphabeta"),
    "nim:heaps=1-3-5-7": ("random", "minimax", "dqn", "mcts"),
    "quixo:size=4": ("random", "quixo-deep:level=beginner", "quixo-deep:level=sharp", "quixo-deep"),
    "quixo": ("random", "quixo-deep:level=newcomer", "quixo-deep:level=keen", "quixo-deep"),
}


def find(count: int, specs: Iterable[str]) -> None:
    print(f"{'game':28}{'found':>7}{'a second':>10}{'wrong':>7}")
    for spec in specs:
        begun = perf_counter()
        found = list(islice(find_puzzles(load_game(spec), SEED), count))
        seconds = perf_counter() - begun
        wrong = len(check_puzzles(list(map(answered, found))))
        print(f"{spec:28}{len(found):7}{len(found) / seconds:10.1f}{wrong:7}", flush=True)


def pages(count: int = 200) -> None:
    """Milliseconds of the next puzzle and of an answer, on a database of its own."""
    with TemporaryDirectory() as folder:
        often = Rate(10_000, 10_000)
        rates = Rates(player=often, puzzles=Share(often, often, often))
        url = f"sqlite:///{folder}/pages.sqlite"
        app = make_app(Config(url, "a key for this alone", warm_up=False, rates=rates))
        try:
            store = app.extensions[NAME][PuzzleStore]
            for spec in ("tictactoe", "quixo:size=3", "quixo"):
                fresh = islice(find_puzzles(load_game(spec), SEED), 60)
                store.keep([answered(level_by_depth(each)) for each in fresh], FRESH)
            client, taken = app.test_client(), {"next": [], "answer": []}
            for number in range(count):
                begun = perf_counter()
                page = client.get("/puzzles")
                taken["next"].append(perf_counter() - begun)
                which = re.search(r'data-match="(\w+)"', page.text)
                assert which is not None, page.status
                puzzle = store.find(which[1])
                moves = list(puzzle.answers)
                fields = {"move": moves[number % len(moves)], "revision": "0"}
                headers = {"Sec-Fetch-Site": "same-origin", "HX-Request": "true"}
                begun = perf_counter()
                said = client.post(f"/puzzles/{puzzle.id}/answer", data=fields, headers=headers)
                taken["answer"].append(perf_counter() - begun)
                assert said.status_code == 200, said.status
        finally:
            close(app)
    for name, seconds in taken.items():
        low, middle, high = np.percentile(np.array(seconds) * 1000, (5, 50, 95))
        print(f"{name:8} median {middle:6.1f} ms, 5 to 95 %: {low:.1f} to {high:.1f}, of {count}")


def solved(puzzles: list[Puzzle], spec: str) -> str:
    """The share solved, with its 95 % interval."""
    agent = {rung.spec: agent for rung, agent in machines(puzzles[0].game)}[spec]
    share = sum(chance_of(puzzle, agent, LIMIT) for puzzle in puzzles)
    wins = round(share)
    low, high = Score(wins, 0, len(puzzles) - wins).interval()
    return f"{share / len(puzzles):.2f} ({low:.2f}–{high:.2f})"


def grade() -> None:
    for game, specs in RISING.items():
        print(f"\n{game}")
        for spec in specs:
            cells = []
            for level in LEVELS:
                chosen = [
                    each
                    for each in shipped_puzzles()
                    if each.game == game and each.level == level and not each.finds_mistake
                ]
                cells.append(f"{solved(chosen, spec) if chosen else '–':>18}")
            print(f"{spec:28}{''.join(cells)}", flush=True)
    print("\nrank correlation of depth and machines' failures")
    for game in SHIPPED:
        puzzles = [each for each in shipped_puzzles() if each.game == game]
        depth = ranks([each.depth or MAX_DEPTH + 1 for each in puzzles])
        missed = ranks([each.missed or 0.0 for each in puzzles])
        print(f"{game:28}{np.corrcoef(depth, missed)[0, 1]:6.2f}  of {len(puzzles)}")


def ranks(values: list[float]) -> list[float]:
    """The rank of each value, ties shared."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pages"]:
            pages()
        case ["grade"]:
            grade()
        case [number, *games] if games:
            find(int(number), games)
        case numbers:
            find(int(numbers[0]) if numbers else COUNT, SHIPPED)
            grade()
