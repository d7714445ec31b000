"""Load: starts the server and lets many people play at once, each a move every few seconds.

    python -m benchmarks.load [--players 200] [--pause 3] [--seconds 30]

A move is timed as the player feels it, from the moment they meant to make it, whatever held up
the one before: the form is sent, and the board with the move on it is back. The reply is timed by
itself; it is asked for half a second later, as the page does.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from engine import Match, ZermeloError, load_game

HEADERS = "Host: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nHX-Request: true\r\n"
SETUPS = (
    {"game": "tictactoe", "opponent": "random"},
    {"game": "nim", "opponent": "random"},
    {"game": "quixo", "opponent": "random"},
)
REPLY_AFTER = 0.5
PATIENCE = 10.0  # seconds until a player gives up, as the pages do
MOVED = re.compile(r'data-moved="([^"]+)"')  # the last move, on the board's root


@dataclass
class Figures:
    """What was measured, in seconds."""

    moves: list[float] = field(default_factory=list)
    replies: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)


class Browser:
    """One connection kept open, one cookie."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(
        self, method: str, path: str, fields: dict[str, str] | None = None, page: str = "/"
    ) -> tuple[int, str, str]:
        """Status, where it leads, and body; a time-out is an OSError."""
        async with asyncio.timeout(PATIENCE):
            return await self._send(method, path, fields, page)

    async def _send(
        self, method: str, path: str, fields: dict[str, str] | None, page: str
    ) -> tuple[int, str, str]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        body = urlencode(fields).encode() if fields else b""
        head = f"{method} {path} HTTP/1.1\r\n{HEADERS}Cookie: {self.cookie}\r\n"
        head += f"HX-Current-URL: http://127.0.0.1{page}\r\n"
        head += "Content-Type: application/x-www-form-urlencoded\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        raw = next((line for line in lines if line.lower().startswith("set-cookie: ")), "")
        if raw:
            self.cookie = raw[12:].partition(";")[0]
        page = next((line[13:] for line in lines if line.lower().startswith("hx-redirect: ")), "")
        text = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        if headers.get("connection") == "close":
            writer.close()
            self.streams = None
        return int(lines[0].split()[1]), page, text


class Player:
    """Plays one match after the other, any legal move at a time."""

    def __init__(self, number: int, port: int, figures: Figures, pause: float) -> None:
        self.browser = Browser(port)
        self.rng = random.Random(number)
        self.setup = SETUPS[number % len(SETUPS)]
        self.figures = figures
        self.pause = pause
        self.path = ""
        self.match: Match[Any, Any] | None = None

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.rng.uniform(0, self.pause))
        await self.begin()
        due = time.monotonic() + self.pause
        while due < until:
            try:
                await self.turn(due)
            except (OSError, EOFError, IndexError, ZermeloError) as error:
                self.figures.errors[type(error).__name__] += 1
                self.browser.streams = self.match = None
            due += self.pause

    async def turn(self, due: float) -> None:
        """One move of the player, at its moment, and the reply to it."""
        if self.match is None or self.match.outcome() is not None:
            await self.begin()
        assert self.match is not None
        move = self.rng.choice(self.match.state.legal_moves())
        fields = {"move": str(move), "revision": str(self.match.ply)}
        await asyncio.sleep(due - time.monotonic())
        await self.timed(self.figures.moves, f"{self.path}/moves", fields, due)
        self.match = self.match.play(move)
        if self.match.outcome() is None:
            await self.hear()

    async def begin(self) -> None:
        _, self.path, _ = await self.browser.send("POST", "/matches", self.setup)
        self.match = Match.begin(load_game(self.setup["game"]))

    async def hear(self) -> None:
        """The opponent's move, read from the page."""
        assert self.match is not None
        fields = {"revision": str(self.match.ply)}
        text = ""
        while not text:  # 204: still thinking
            await asyncio.sleep(REPLY_AFTER)
            due = time.monotonic()
            text = await self.timed(self.figures.replies, f"{self.path}/reply", fields, due)
        self.match = self.match.play(self.match.game.parse_move(MOVED.findall(text)[0]))

    async def timed(self, times: list[float], path: str, fields: dict[str, str], due: float) -> str:
        status, _, text = await self.browser.send("POST", path, fields, page=self.path)
        times.append(time.monotonic() - due)
        if status not in (200, 204):
            self.figures.errors[f"{path.rpartition('/')[2]} {status}"] += 1
        return text


async def drive(port: int, players: int, pause: float, seconds: float) -> Figures:
    figures = Figures()
    until = time.monotonic() + seconds
    await asyncio.gather(
        *(Player(number, port, figures, pause).play(until) for number in range(players))
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
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--pause", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    chosen = parser.parse_args()
    serve = [sys.executable, "-m", "webapp.cli", "serve", "--no-open", "--port", "0"]
    with tempfile.TemporaryDirectory(prefix="zermelo-load-") as place:
        environment = os.environ | {"ZERMELO_DATA": place, "ZERMELO_WARM_UP": "0"}
        with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                port = int(re.findall(r":(\d+) ", server.stdout.readline())[0])
                wait_until_warm(port, 60)
                load = os.getloadavg()[0]
                before = processor_seconds(server.pid)
                figures = asyncio.run(drive(port, chosen.players, chosen.pause, chosen.seconds))
                after = processor_seconds(server.pid)
            finally:
                server.terminate()
                server.wait(30)
    print(f"{chosen.players} players, a move every {chosen.pause:g} s, for {chosen.seconds:g} s")
    print(f"{os.cpu_count()} processors, load average before the start {load:.2f}")
    print(described("moves", figures.moves))
    print(described("replies", figures.replies))
    own = resource.getrusage(resource.RUSAGE_SELF)
    used = {name: after[name] - before[name] for name in after}
    print(
        f"processor time: server {used['server']:.1f} s, "
        f"{1000 * used['server'] / len(figures.moves):.2f} ms a move with its reply; "
        f"workers {used['workers']:.1f} s; players {own.ru_utime + own.ru_stime:.1f} s"
    )
    print(f"errors   {sum(figures.errors.values()):6}   {dict(figures.errors) or ''}")
    return 1 if figures.errors else 0


if __name__ == "__main__":
    sys.exit(main())
