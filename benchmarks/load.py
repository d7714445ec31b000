"""Load: starts the server and lets many people play at once, each a move every few seconds.

    python -m benchmarks.load [--players 200] [--pause 3] [--seconds 30] [--floods 0] [--lookers 0]
    python -m benchmarks.load --pairs 200 [--pause 3] [--seconds 60]
    python -m benchmarks.load --phones 1000 [--seconds 60]
    python -m benchmarks.load --hints 10
    python -m benchmarks.load --processes 1,2,4 --database postgresql://… [--players 200] …

A move is timed as the player feels it, from the moment they meant to make it, whatever held up
the one before: the form is sent, and the board with the move on it is back. The reply is timed by
itself; it is asked for half a second later, as the page does. Floods ask for long thoughts without
end; lookers all ask for a hint and the values of a Quixo position at the same moment.

Pairs are friends at two devices: in each match someone moves every few seconds, and the other's
page asks for news as often as it says itself. A move is seen when it is on the other's board,
counted from the moment it was meant. They sit at addresses of their own, where here all have one:
of the bounds, only that on newcomers from one address is lifted.

Phones sit in classes of 200, ask every two seconds and answer in every round (`classroom`).

Hints are asked for by one person alone, in every variant against a person, an easy opponent and
the strongest, in so many matches of four moves, once the server has warmed up by itself.

With `--processes`, gunicorn serves with so many web processes on that database, one number after
the other. Players and server share the machine: on two cores more processes gain little.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from agents.contest.ladder import difficulties
from benchmarks.classroom import CLASS_SIZE, ROUND_S, Clock, conduct, seated
from benchmarks.friends import Pair
from benchmarks.measures import processor_seconds
from benchmarks.players import SETUPS, Browser, Figures, Flood, Hinted, Looker, Player
from engine import load_game
from engine.catalog import catalog
from webapp.replays.models import PERSON

IDLE_S = 3.0  # of warm-up: how long workers do nothing once it is over
IDLE_SHARE = 0.05  # of a processor, that counts as nothing

CONFIG = "python:webapp.serving.gunicorn_config"


async def drive(
    port: int, chosen: argparse.Namespace, floods: list[Flood], crowd: list[Looker], clock: Clock
) -> tuple[Figures, float]:
    """What they felt, and the seconds until the last was answered."""
    figures, pause = Figures(), chosen.pause
    for looker in crowd:
        await looker.prepare()
    sizes = [min(CLASS_SIZE, chosen.phones - at) for at in range(0, chosen.phones, CLASS_SIZE)]
    classes = [await seated(port, size, clock) for size in sizes]
    clock.times.clear()
    begun = time.monotonic()
    until = begun + chosen.seconds
    await asyncio.gather(
        *(Player(number, port, figures, pause).play(until) for number in range(chosen.players)),
        *(Pair(number, port, figures, pause).play(until) for number in range(chosen.pairs)),
        *(flood.flood(until) for flood in floods),
        *(looker.look() for looker in crowd),
        *(phone.live(until) for _, _, phones in classes for phone in phones),
        *(conduct(teacher, path, int(chosen.seconds / ROUND_S)) for teacher, path, _ in classes),
    )
    return figures, time.monotonic() - begun


def wait_until_warm(port: int, seconds: float) -> None:
    """Let the workers start before anything is timed."""

    async def warm() -> None:
        browser = Browser(port)
        status = 0
        until = time.monotonic() + seconds
        while status != 200 and time.monotonic() < until:
            try:
                status, _, _ = await browser.send("GET", "/readyz")
            except OSError:  # it does not listen yet
                await asyncio.sleep(0.5)
        await asyncio.gather(
            *(Player(number, port, Figures(), 0).turn(0) for number in range(len(SETUPS)))
        )

    asyncio.run(warm())


def hinted() -> Iterator[tuple[str, str]]:
    """Whose hints are timed: every variant as the lobby names it, and opponents."""
    for entry in catalog():
        for preset in entry.presets:
            game = f"{entry.key}:preset={preset.name}"
            easy, *_, strongest = difficulties(load_game(game).spec)
            for opponent in (PERSON, easy.value, strongest.value):
                yield game, opponent


def wait_until_idle(pid: int) -> None:
    """Let the server finish its warm-up: its workers then do nothing for a while."""
    used = -1.0
    while (now := processor_seconds(pid)["workers"]) - used > IDLE_S * IDLE_SHARE:
        used = now
        time.sleep(IDLE_S)


def ask_for_hints(port: int, matches: int) -> None:
    """Print how long a hint takes, by game and opponent, with nobody else there."""
    for game, opponent in hinted():
        waited: list[float] = []
        for number in range(matches):
            person = Hinted(number, port, game, opponent)
            asyncio.run(person.ask())
            waited += person.waited
        print(described(f"{game} {opponent}", waited), flush=True)


def described(name: str, times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return (
        f"{name:40} {len(times):6}   p50 {cuts[49] * 1000:6.1f} ms   p95 {cuts[94] * 1000:6.1f} ms"
        f"   p99 {cuts[98] * 1000:6.1f} ms   most {max(times) * 1000:6.1f} ms"
    )


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, help="200, or none where there are pairs or phones")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--phones", type=int, default=0)
    parser.add_argument("--pause", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--floods", type=int, default=0)
    parser.add_argument("--lookers", type=int, default=0)
    parser.add_argument("--hints", type=int, default=0, help="matches by game and opponent")
    parser.add_argument("--processes", type=numbers, help="of gunicorn, such as 1,2,4")
    parser.add_argument("--database", help="for these: the address of an empty database")
    chosen = parser.parse_args()
    if chosen.processes and not chosen.database:
        parser.error("--processes needs a --database")
    if chosen.players is None:
        chosen.players = 0 if chosen.pairs or chosen.phones else 200
    failed = False
    for processes in chosen.processes or [0]:
        failed |= run(chosen, processes)
    return 1 if failed else 0


def run(chosen: argparse.Namespace, processes: int) -> bool:
    """Drive one server and print what was measured; whether anything failed."""
    with tempfile.TemporaryDirectory(prefix="zermelo-load-") as place:
        environment = os.environ | {"ZERMELO_DATA": place, "ZERMELO_ENDGAMES": "no"}
        environment |= {"ZERMELO_WARM_UP": "1" if chosen.hints else "0"}
        environment |= {"ZERMELO_ADDRESS_NEWCOMERS": "1000/10000"}  # here all have one address
        environment |= {"ZERMELO_ADDRESS_REQUESTS": "10000/100000"}
        environment |= {"ZERMELO_RATE_SEATS": "100/1000,1000/10000,1000/10000"}
        port, serve = 0, [sys.executable, "-m", "webapp", "serve", "--no-open", "--port", "0"]
        if processes:
            port = free_port()
            environment |= {"ZERMELO_PROCESSES": str(processes), "ZERMELO_JOBS": "0"}
            environment |= {"ZERMELO_DATABASE_URL": chosen.database}
            serve = [sys.executable, "-m", "gunicorn", "-c", CONFIG, "-b", f"127.0.0.1:{port}"]
            serve += ["--log-level", "error", "webapp:create_app()"]
        with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                if not processes:
                    port = int(re.findall(r":(\d+) ", server.stdout.readline())[0])
                wait_until_warm(port, 60)
                load = os.getloadavg()[0]
                if chosen.hints:
                    print(f"{os.cpu_count()} processors, load average before the start {load:.2f}")
                    begun = time.monotonic()
                    wait_until_idle(server.pid)
                    print(f"warmed up after {time.monotonic() - begun:.0f} s", flush=True)
                    ask_for_hints(port, chosen.hints)
                    return False
                before = processor_seconds(server.pid, forks=bool(processes))
                floods = [Flood(port) for _ in range(chosen.floods)]
                crowd = [Looker(number, port) for number in range(chosen.lookers)]
                clock = Clock()
                figures, lasted = asyncio.run(drive(port, chosen, floods, crowd, clock))
                after = processor_seconds(server.pid, forks=bool(processes))
            finally:
                server.terminate()
                server.wait(30)
    if processes:
        print(f"{processes} web processes of gunicorn on {chosen.database.partition(':')[0]}")
    who = f"{chosen.players} players" + (f", {chosen.pairs} pairs" if chosen.pairs else "")
    who += f", {chosen.phones} phones" if chosen.phones else ""
    print(f"{who}, a move every {chosen.pause:g} s, for {chosen.seconds:g} s")
    print(f"{os.cpu_count()} processors, load average before the start {load:.2f}")
    measured = {name: getattr(figures, name) for name in ("moves", "replies", "seen")} | clock.times
    for name, times in measured.items():
        if len(times) > 1:
            print(described(name, times))
    if chosen.pairs:
        print(f"pages that follow asked {figures.looks} times")
    own = resource.getrusage(resource.RUSAGE_SELF)
    used = {name: after[name] - before[name] for name in after}
    done = figures.moves or clock.times.get("asked", [])
    what = "a move with all that follows" if figures.moves else "a question of a phone"
    print(
        f"processor time: server {used['server']:.1f} s, "
        f"{1000 * used['server'] / max(1, len(done)):.2f} ms {what}; "
        f"workers {used['workers']:.1f} s; players {own.ru_utime + own.ru_stime:.1f} s"
    )
    answered = sum(len(times) for name, times in measured.items() if name != "changed")
    print(f"throughput: {answered / lasted:.0f} answers a second")
    for flood in floods:
        print(f"a flood was told {dict(flood.told)}")
    if waited := [looker.waited for looker in crowd if looker.waited is not None]:
        print(
            f"{len(waited)} hints after {statistics.median(waited):.1f} s, most {max(waited):.1f}"
        )
    errors = figures.errors + clock.errors
    print(f"errors   {sum(errors.values()):6}   {dict(errors) or ''}")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
