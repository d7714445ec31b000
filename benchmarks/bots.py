"""Bots under load: sixty with two games each, beside people who play, and people without them.

    python -m benchmarks.bots [--bots 60] [--people 20] [--seconds 60] [--game quixo]

Bots play each other in pairs, each pair two games at a time, and answer at once with any legal
move; a turn is timed from the answer sent until the server's is back. People move every three
seconds, first without bots and then beside them, in one run. Clients and server share the
processors: how long the clients' own work kept their event loop from seeing an answer is measured
too, by a timer beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load import described, wait_until_warm
from benchmarks.measures import processor_seconds
from benchmarks.players import Browser, Figures, Player
from engine import load_game

PAUSE_S = 3.0  # between two moves of a person
GAMES_EACH = 2
OVER_S = 2.0  # without a move: a game that has ended in a draw
TICK_S = 0.01  # of the timer that shows how long the clients keep each other waiting
UNBOUNDED = {  # all sit at one address here
    "ZERMELO_ADDRESS_NEWCOMERS": "1000/10000",
    "ZERMELO_PLAYER_MATCHES": "1000/10000",
    "ZERMELO_ADDRESS_MATCHES": "1000/10000",
    "ZERMELO_PLAYER_REQUESTS": "1000/10000",
    "ZERMELO_RATE_BOTS": "1000/1000,1000/1000,1000/1000",
    "ZERMELO_TOKEN_REQUESTS": "1000/1000",
    "ZERMELO_ADDRESS_TOKEN_REQUESTS": "100000/100000",
}


@dataclass
class BotFigures:
    """What the bots measured."""

    turns: list[float] = field(default_factory=list)  # seconds of an answer
    lags: list[float] = field(default_factory=list)  # seconds a timer of the clients was late
    polls: int = 0
    games: int = 0
    errors: Counter[str] = field(default_factory=Counter)


class BotClient:
    """A bot that answers at once, over one connection."""

    def __init__(self, number: int, port: int, figures: BotFigures, live: dict[str, float]) -> None:
        self.port, self.figures = port, figures
        self.live = live  # matches of its pair, and when they were last moved in
        self.rng = random.Random(number)
        self.name = f"Bot {number}"
        self.token = self.id = ""
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    @property
    def seat(self) -> str:
        return f"bot:{self.id}:{self.name.replace(' ', '%20')}"

    async def join(self) -> None:
        _, made = await self.call("POST", "/api/1/bots", {"name": self.name})
        self.token, self.id = made["token"], made["bot"]
        await self.call("GET", "/api/1/turn")

    async def play(self, until: float) -> None:
        """Answer turns until then."""
        turn: dict[str, Any] | None = None
        while time.monotonic() < until:
            try:
                turn = await self.step(turn)
            except (OSError, EOFError, ValueError, KeyError) as error:
                self.figures.errors[type(error).__name__] += 1
                self.streams, turn = None, None

    async def step(self, turn: dict[str, Any] | None) -> dict[str, Any] | None:
        if turn is None:
            self.figures.polls += 1
            status, found = await self.call("GET", "/api/1/turn")
            self.count(status)
            if not found.get("turn"):
                await asyncio.sleep(found.get("again", 1.0))
                return None
            turn = found
        began = time.monotonic()
        body = {"move": self.rng.choice(turn["legal"])}
        status, answer = await self.call("POST", f"/api/1/turn/{turn['turn']}", body)
        self.figures.turns.append(time.monotonic() - began)
        self.count(status)
        self.note(turn, body["move"])
        following: dict[str, Any] | None = answer.get("next")
        if following is None:
            await asyncio.sleep(answer.get("again", 0.1))
        return following

    def note(self, turn: dict[str, Any], move: str) -> None:
        """Whether the game goes on after this move."""
        self.live[turn["match"]] = time.monotonic()
        game = load_game(turn["game"])
        if game.parse_state(turn["state"]).play(game.parse_move(move)).outcome() is not None:
            del self.live[turn["match"]]

    def count(self, status: int) -> None:
        if status != 200:
            self.figures.errors[str(status)] += 1

    async def call(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        head += f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        head += "Content-Type: application/json\r\n" if data else ""
        writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        text = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            writer.close()
            self.streams = None
        return int(lines[0].split()[1]), json.loads(text) if text else {}


class Organiser:
    """Begins games of two bots, as many as they can play at a time."""

    def __init__(self, port: int, game: str, figures: BotFigures, live: dict[str, float]) -> None:
        self.browser, self.game, self.figures = Browser(port), game, figures
        self.live = live

    async def keep(self, one: BotClient, two: BotClient, until: float) -> None:
        while (now := time.monotonic()) < until:
            for match, moved in list(self.live.items()):
                if now - moved > OVER_S:
                    del self.live[match]
            if len(self.live) < GAMES_EACH:
                await self.begin(one, two)
            await asyncio.sleep(0.1)

    async def begin(self, one: BotClient, two: BotClient) -> None:
        fields = {"mode": "watch", "game": self.game, "opponent": one.seat, "rival": two.seat}
        _, page, _ = await self.browser.send("POST", "/matches", fields)
        if page:  # where htmx is to go; nowhere if both play enough
            self.live[page.rpartition("/")[2]] = time.monotonic()
            self.figures.games += 1


async def tick(figures: BotFigures, until: float) -> None:
    """Note how late a timer is: so long an answer may have lain here unread."""
    while (began := time.monotonic()) < until:
        await asyncio.sleep(TICK_S)
        figures.lags.append(time.monotonic() - began - TICK_S)


async def people(port: int, count: int, seconds: float) -> Figures:
    figures, until = Figures(), time.monotonic() + seconds
    players = [Player(number, port, figures, PAUSE_S) for number in range(count)]
    await asyncio.gather(*(player.play(until) for player in players))
    return figures


async def crowd(port: int, chosen: argparse.Namespace) -> tuple[BotFigures, Figures]:
    """Bots and people at once."""
    figures, lives = BotFigures(), [dict[str, float]() for _ in range(chosen.bots // 2)]
    bots = [BotClient(n, port, figures, lives[n // 2]) for n in range(chosen.bots)]
    for bot in bots:
        await bot.join()
    await asyncio.sleep(6)  # until it is written down that they are here
    until = time.monotonic() + chosen.seconds
    organisers = [
        Organiser(port, chosen.game, figures, live).keep(one, two, until)
        for live, one, two in zip(lives, bots[::2], bots[1::2], strict=True)
    ]
    *_, beside = await asyncio.gather(
        *(bot.play(until) for bot in bots),
        *organisers,
        tick(figures, until),
        people(port, chosen.people, chosen.seconds),
    )
    return figures, beside


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bots", type=int, default=60)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--game", default="quixo")
    chosen = parser.parse_args()
    serve = [sys.executable, "-m", "webapp", "serve", "--no-open", "--port", "0"]
    with tempfile.TemporaryDirectory(prefix="zermelo-bots-") as place:
        environment = os.environ | {"ZERMELO_DATA": place, "ZERMELO_WARM_UP": "0"} | UNBOUNDED
        with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                port = int(re.findall(r":(\d+) ", server.stdout.readline())[0])
                wait_until_warm(port, 60)
                load = os.getloadavg()[0]
                alone = asyncio.run(people(port, chosen.people, chosen.seconds / 2))
                before, mine = processor_seconds(server.pid), time.process_time()
                figures, beside = asyncio.run(crowd(port, chosen))
                used = processor_seconds(server.pid)["server"] - before["server"]
                clients = time.process_time() - mine
            finally:
                server.terminate()
                server.wait(30)
    moves = len(figures.turns)
    print(f"{chosen.bots} bots with {GAMES_EACH} games each, for {chosen.seconds:g} s")
    print(f"{os.cpu_count()} processors, load average before the start {load:.2f}")
    print(
        f"{moves / chosen.seconds:.0f} moves a second, {figures.games} games, {figures.polls} polls"
    )
    print(described("turns", figures.turns))
    print(described("of these, unread by the clients at most", figures.lags))
    print(f"server: {used:.1f} s of processor time, {1000 * used / max(1, moves):.2f} ms a move")
    print(f"clients: {clients:.1f} s of processor time")
    print(described("people", alone.moves) + "   without bots")
    print(described("people", beside.moves) + "   beside them")
    errors = figures.errors + alone.errors + beside.errors
    print(f"errors   {sum(errors.values()):6}   {dict(errors) or ''}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
