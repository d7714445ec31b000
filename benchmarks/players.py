"""People who play over HTTP, for benchmarks and for the soak: each a connection and a cookie."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
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
    seen: list[float] = field(default_factory=list)  # a friend's move, on the other's page
    looks: int = 0  # of pages that follow a match
    errors: Counter[str] = field(default_factory=Counter)


BOUNDARY = "zermelo-boundary"


def multipart(file: bytes) -> bytes:
    """The body of a form with one file in it."""
    head = 'Content-Disposition: form-data; name="file"; filename="brain.npz"'
    return f"--{BOUNDARY}\r\n{head}\r\n\r\n".encode() + file + f"\r\n--{BOUNDARY}--\r\n".encode()


class Browser:
    """One connection kept open, one cookie."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port = port
        self.address = address  # of the visitor: any of 127.0.0.0/8
        self.cookie = ""
        self.later = ""  # when the last answer said to come back
        self.file: bytes | None = None  # to send with the next request
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(
        self, method: str, path: str, fields: dict[str, str] | None = None, page: str = "/"
    ) -> tuple[int, str, str]:
        """Status, where it leads, and body; a time-out is an OSError."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._send(method, path, fields, page)
        except (OSError, EOFError):
            self.hang_up()  # the answer may still come, and is none to the next request
            raise

    async def _send(
        self, method: str, path: str, fields: dict[str, str] | None, page: str
    ) -> tuple[int, str, str]:
        if self.streams is None:
            self.streams = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0)
            )
        reader, writer = self.streams
        kind, body = "application/x-www-form-urlencoded", urlencode(fields or {}).encode()
        if self.file is not None:
            kind, body = f"multipart/form-data; boundary={BOUNDARY}", multipart(self.file)
            self.file = None
        head = f"{method} {path} HTTP/1.1\r\n{HEADERS}Cookie: {self.cookie}\r\n"
        head += f"HX-Current-URL: http://127.0.0.1{page}\r\n"
        head += f"Content-Type: {kind}\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        self.later = headers.get("retry-after", "")
        raw = next(
            (line for line in lines if line.lower().startswith("set-cookie: zermelo-player")), ""
        )
        if raw:
            self.cookie = raw[12:].partition(";")[0]
        page = next((line[13:] for line in lines if line.lower().startswith("hx-redirect: ")), "")
        text = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        if headers.get("connection") == "close":
            self.hang_up()
        return int(lines[0].split()[1]), page, text

    def hang_up(self) -> None:
        """End the connection; the next request begins another."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


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
                self.browser.hang_up()
                self.match = None
            due += self.pause

    async def turn(self, due: float) -> None:
        """One move of the player, at its moment, and the reply to it."""
        if self.match is None or self.match.outcome() is not None:
            await self.begin()
        await self.move(due)
        assert self.match is not None
        if self.match.outcome() is None:
            await self.hear()

    async def move(self, due: float) -> None:
        """Any legal move."""
        assert self.match is not None
        move = self.rng.choice(self.match.state.legal_moves())
        fields = {"move": str(move), "revision": str(self.match.ply)}
        await asyncio.sleep(due - time.monotonic())
        await self.timed(self.figures.moves, f"{self.path}/moves", fields, due)
        self.match = self.match.play(move)

    async def begin(self) -> None:
        _, self.path, _ = await self.browser.send("POST", "/matches", self.setup)
        self.match = Match.begin(load_game(self.setup["game"]))

    async def hear(self) -> None:
        """The opponent's move, read from the page."""
        assert self.match is not None
        fields = {"revision": str(self.match.ply)}
        text = ""
        while not text:  # 204: still thinking; refused: asked again, as the page does
            await asyncio.sleep(REPLY_AFTER)
            due = time.monotonic()
            text = await self.timed(self.figures.replies, f"{self.path}/reply", fields, due)
        self.match = self.match.play(self.match.game.parse_move(MOVED.findall(text)[0]))

    async def timed(self, times: list[float], path: str, fields: dict[str, str], due: float) -> str:
        status, _, text = await self.browser.send("POST", path, fields, page=self.path)
        times.append(time.monotonic() - due)
        if status not in (200, 204):
            self.figures.errors[f"{path.rpartition('/')[2]} {status}"] += 1
        return text if status == 200 else ""


class Flood:
    """Asks what an agent that thinks long has to say of one ply after the other, without end and
    within the rates: a visitor who means harm, or a page gone wild."""

    EVERY = 1 / 7  # seconds

    def __init__(self, port: int) -> None:
        self.browser = Browser(port)
        self.told: Counter[int] = Counter()

    async def flood(self, until: float) -> None:
        player = Player(0, self.browser.port, Figures(), 0)
        player.setup = {"game": "quixo", "opponent": "person"}
        player.browser = self.browser
        await player.begin()
        for _ in range(12):
            await player.move(time.monotonic())
        for ask in range(10**9):
            if time.monotonic() > until:
                return
            agent = f"mcts:simulations={1_000_000 - ask}"
            place = f"{player.path}/analysis?ply={ask % 12}&agent={agent}"
            try:
                status, _, _ = await self.browser.send("GET", place)
                self.told[status] += 1
            except (OSError, EOFError):
                self.browser.hang_up()
            await asyncio.sleep(self.EVERY)


class Looker:
    """Plays a little Quixo, then asks for a hint and the values, as often as the page would."""

    EVERY = 0.9  # seconds

    def __init__(self, number: int, port: int) -> None:
        self.player = Player(number, port, Figures(), 0)
        self.player.setup = {"game": "quixo", "opponent": "person"}
        self.waited: float | None = None  # seconds until both were there

    async def prepare(self) -> None:
        await self.player.begin()
        for _ in range(4):
            await self.player.move(time.monotonic())

    async def look(self) -> None:
        begun = time.monotonic()
        pending = True
        while pending:
            place = f"{self.player.path}?hint=1&values=1"
            status, _, text = await self.player.browser.send("GET", place)
            pending = status != 200 or "data-poll" in text
            if pending:
                await asyncio.sleep(self.EVERY)
        self.waited = time.monotonic() - begun


class Hinted:
    """Asks for a hint after each of a few moves, one at a time, as often as the page would."""

    DELAYS = (0.15, 0.15)  # seconds before the first request after the page's own, and the rest
    MOVES = 4

    def __init__(self, number: int, port: int, game: str, opponent: str) -> None:
        self.player = Player(number, port, Figures(), 0)
        key, _, preset = game.partition(":preset=")
        self.player.setup = {"game": key, "preset": preset, "opponent": opponent}
        self.game = load_game(game)
        self.waited: list[float] = []  # seconds until each hint was there

    async def ask(self) -> None:
        await self.player.begin()
        self.player.match = Match.begin(self.game)
        for _ in range(self.MOVES):
            await self._hint()
            alone = self.player.setup["opponent"] == "person"
            await (self.player.move if alone else self.player.turn)(time.monotonic())
            if self.player.match is None or self.player.match.outcome() is not None:
                return

    async def _hint(self) -> None:
        begun = time.monotonic()
        first, rest = self.DELAYS
        delay = first
        while True:
            place = f"{self.player.path}?hint=1"
            status, _, text = await self.player.browser.send("GET", place)
            if status == 200 and "Looking for a hint" not in text:
                self.waited.append(time.monotonic() - begun)
                return
            await asyncio.sleep(delay)
            delay = rest
