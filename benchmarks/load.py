"""Load: starts the server and lets many people play at once, each a move every few seconds.

    python -m benchmarks.load [--players 200] [--pause 3] [--seconds 30] [--floods 0] [--lookers 0]
    python -m benchmarks.load --pairs 200 [--pause 3] [--seconds 60]
    python -m benchmarks.load --hints 10

A move is timed as the player feels it, from the moment they meant to make it, whatever held up
the one before: the form is sent, and the board with the move on it is back. The reply is timed by
itself; it is asked for half a second later, as the page does. Floods ask for long thoughts without
end; lookers all ask for a hint and the values of a Quixo position at the same moment.

Pairs are friends at two devices: in each match someone moves every few seconds, and the other's
page asks for news as often as it says itself. A move is seen when it is on the other's board,
counted from the moment it was meant. They sit at addresses of their own, where here all have one:
of the bounds, only that on newcomers from one address is lifted.

Hints are asked for by one person alone, by game and opponent, in so many matches of four moves.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.friends import Pair
from benchmarks.players import SETUPS, Browser, Figures, Flood, Hinted, Looker, Player

# Whose hints are timed: games and opponents.
HINTED = (
    ("nim", "person"),
    ("nim", "opportunist"),
    ("nim:heaps=21,max_take=3", "perfect"),
    ("tictactoe", "person"),
    ("tictactoe", "menace"),
    ("quixo", "person"),
    ("quixo", "quixo-deep:level=learner"),
    ("quixo", "mcts:simulations=200"),
    ("quixo:size=3", "random"),
    ("quixo:size=4", "random"),
)


async def drive(
    port: int, chosen: argparse.Namespace, floods: list[Flood], crowd: list[Looker]
) -> Figures:
    figures, pause = Figures(), chosen.pause
    for looker in crowd:
        await looker.prepare()
    until = time.monotonic() + chosen.seconds
    await asyncio.gather(
        *(Player(number, port, figures, pause).play(until) for number in range(chosen.players)),
        *(Pair(number, port, figures, pause).play(until) for number in range(chosen.pairs)),
        *(flood.flood(until) for flood in floods),
        *(looker.look() for looker in crowd),
    )
    return figures


def wait_until_warm(port: int, seconds: float) -> None:
    """Let the workers start before anything is timed."""

    async def warm() -> None:
        browser = Browser(port)
        status = 0
        until = time.monotonic() + seconds
        while status != 200 and time.monotonic() < until:
            status, _, _ = await browser.send("GET", "/readyz")
        await asyncio.gather(
            *(Player(number, port, Figures(), 0).turn(0) for number in range(len(SETUPS)))
        )

    asyncio.run(warm())


def ask_for_hints(port: int, matches: int) -> dict[tuple[str, str], list[float]]:
    """Seconds until a hint was there, by game and opponent, with nobody else there."""
    waited: dict[tuple[str, str], list[float]] = {}
    for game, opponent in HINTED:
        for number in range(matches):
            person = Hinted(number, port, game, opponent)
            asyncio.run(person.ask())
            waited.setdefault((game, opponent), []).extend(person.waited)
    return waited


def processor_seconds(pid: int) -> dict[str, float]:
    """What the server and the processes that think for it have used so far; Linux only."""
    used = {"server": 0.0, "workers": 0.0}
    parents = {pid}
    for place in sorted(Path("/proc").glob("[0-9]*"), key=lambda place: int(place.name)):
        try:
            rest = (place / "stat").read_text().rpartition(") ")[2].split()
        except OSError:  # it has ended
            continue
        if int(place.name) != pid and int(rest[1]) not in parents:
            continue
        parents.add(int(place.name))
        name = "server" if int(place.name) == pid else "workers"
        used[name] += (int(rest[11]) + int(rest[12])) / os.sysconf("SC_CLK_TCK")
    return used


def described(name: str, times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return (
        f"{name:8} {len(times):6}   p50 {cuts[49] * 1000:6.1f} ms   p95 {cuts[94] * 1000:6.1f} ms"
        f"   p99 {cuts[98] * 1000:6.1f} ms   most {max(times) * 1000:6.1f} ms"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, help="200, or none where there are pairs")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--pause", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--floods", type=int, default=0)
    parser.add_argument("--lookers", type=int, default=0)
    parser.add_argument("--hints", type=int, default=0, help="matches by game and opponent")
    chosen = parser.parse_args()
    if chosen.players is None:
        chosen.players = 0 if chosen.pairs else 200
    serve = [sys.executable, "-m", "webapp", "serve", "--no-open", "--port", "0"]
    with tempfile.TemporaryDirectory(prefix="zermelo-load-") as place:
        environment = os.environ | {"ZERMELO_DATA": place, "ZERMELO_WARM_UP": "0"}
        if chosen.pairs or chosen.hints:
            environment["ZERMELO_ADDRESS_NEWCOMERS"] = "1000/10000"
        with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                port = int(re.findall(r":(\d+) ", server.stdout.readline())[0])
                wait_until_warm(port, 60)
                load = os.getloadavg()[0]
                if chosen.hints:
                    print(f"{os.cpu_count()} processors, load average before the start {load:.2f}")
                    for (game, opponent), times in ask_for_hints(port, chosen.hints).items():
                        print(described(f"{game} {opponent}", times))
                    return 0
                before = processor_seconds(server.pid)
                floods = [Flood(port) for _ in range(chosen.floods)]
                crowd = [Looker(number, port) for number in range(chosen.lookers)]
                figures = asyncio.run(drive(port, chosen, floods, crowd))
                after = processor_seconds(server.pid)
            finally:
                server.terminate()
                server.wait(30)
    who = f"{chosen.players} players" + (f", {chosen.pairs} pairs" if chosen.pairs else "")
    print(f"{who}, a move every {chosen.pause:g} s, for {chosen.seconds:g} s")
    print(f"{os.cpu_count()} processors, load average before the start {load:.2f}")
    for name in ("moves", "replies", "seen"):
        if times := getattr(figures, name):
            print(described(name, times))
    if chosen.pairs:
        print(f"pages that follow asked {figures.looks} times")
    own = resource.getrusage(resource.RUSAGE_SELF)
    used = {name: after[name] - before[name] for name in after}
    print(
        f"processor time: server {used['server']:.1f} s, "
        f"{1000 * used['server'] / len(figures.moves):.2f} ms a move with all that follows; "
        f"workers {used['workers']:.1f} s; players {own.ru_utime + own.ru_stime:.1f} s"
    )
    for flood in floods:
        print(f"a flood was told {dict(flood.told)}")
    if waited := [looker.waited for looker in crowd if looker.waited is not None]:
        print(
            f"{len(waited)} hints after {statistics.median(waited):.1f} s, most {max(waited):.1f}"
        )
    print(f"errors   {sum(figures.errors.values()):6}   {dict(figures.errors) or ''}")
    return 1 if figures.errors else 0


if __name__ == "__main__":
    sys.exit(main())
