"""Trees: how long a search takes to record, and to open a row of it once it is kept.

    python -m benchmarks.tree [--rows 100]

A row is timed from the request to the partial that answers it, within the app and without a
network. The search itself runs in a thinking process, as it does for visitors.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from webapp.app import close, make_app
from webapp.config import Config, PoolLimits, Rate, Rates

QUIXO = "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5 e1-a1 e2-a2"
POSITIONS = (  # game, moves, depth, algorithm
    ("tictactoe", "", 9, "alphabeta"),
    ("tictactoe", "b2", 8, "minimax"),
    ("tictactoe", "a3 b3 b2 c1", 9, "alphabeta"),
    ("nim", "", 3, "alphabeta"),
    ("nim", "d1", 4, "minimax"),
    ("nim:preset=twenty-one", "", 9, "minimax"),
    ("quixo", QUIXO, 3, "alphabeta"),
    ("quixo", QUIXO, 3, "minimax"),
)
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
HTMX = {"HX-Request": "true"}


def opened(client: FlaskClient, game: str, moves: str) -> str:
    """The path of a match after these moves."""
    data = {"format": "zermelo match 2", "game": game, "players": ["person", "alphabeta"]}
    text = json.dumps(data | {"moves": moves.split()})
    answer = client.post("/matches/import", data={"text": text}, headers=OWN_PAGE)
    return str(answer.location)


def searched(client: FlaskClient, address: str) -> float:
    """Seconds until the tree is there."""
    begun = time.perf_counter()
    while client.get(f"{address}&known=1", headers=HTMX).status_code == 204:
        time.sleep(0.005)
    return time.perf_counter() - begun


def rows(client: FlaskClient, address: str, count: int, rng: random.Random) -> tuple[Any, int]:
    """Seconds for opening that many rows anywhere in the tree, and the most bytes of one."""
    times, largest = [], 0
    for _ in range(count):
        path = ".".join(str(rng.randrange(4)) for _ in range(rng.randrange(1, 7)))
        begun = time.perf_counter()
        answer = client.get(f"{address}&open={path}", headers=HTMX)
        times.append(time.perf_counter() - begun)
        largest = max(largest, len(answer.data))
    return times, largest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100)
    chosen = parser.parse_args()
    rng, everything = random.Random(1), []
    print(f"{os.cpu_count()} processors, load average before the start {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory(prefix="zermelo-tree-") as place:
        url = f"sqlite:///{Path(place) / 'tree.sqlite'}"
        config = Config(
            url,
            "for a benchmark",
            warm_up=False,
            pool=PoolLimits(grace=60),
            rates=Rates(player=Rate(1e6, 1e6)),
        )
        app = make_app(config)
        client = app.test_client()
        for game, moves, depth, algorithm in POSITIONS:
            path = opened(client, game, moves)
            address = f"{path}/tree?algorithm={algorithm}&depth={depth}"
            seconds = searched(client, address)
            times, largest = rows(client, address, chosen.rows, rng)
            everything += times
            print(
                f"{game:22} {len(moves.split())} plies in, {algorithm:9} depth {depth}: "
                f"searched in {seconds:5.2f} s; "
                f"a row p50 {statistics.median(times) * 1000:5.1f} ms, "
                f"most {max(times) * 1000:5.1f} ms, {largest / 1000:.0f} kB at most"
            )
        close(app)
    cuts = statistics.quantiles(everything, n=100)
    print(f"all rows: p50 {cuts[49] * 1000:.1f} ms, p95 {cuts[94] * 1000:.1f} ms")


if __name__ == "__main__":
    main()
