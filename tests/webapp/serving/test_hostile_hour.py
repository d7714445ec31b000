"""A soak that attacks: people play while others flood, fail, kill, lock and fill the disk."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import resource
import signal
import sqlite3
import statistics
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import pytest

from agents.runs import train_slice
from benchmarks.players import Browser, Flood
from engine import Match, load_game
from tests.soak import lessened
from tests.webapp.serving.attackers import Attackers, SilentReader, addresses
from tests.webapp.serving.broken_agents import install
from tests.webapp.serving.process import (
    ROOT,
    SERVE,
    Neighbours,
    ServerProcess,
    children,
    eventually,
    free_port,
    is_alive,
    starvation,
)

pytestmark = [pytest.mark.soak, pytest.mark.alone]
log = logging.getLogger(__name__)

SECONDS = lessened(180.0, 40.0)
PLAYERS = 10
SETTLE_S = 5.0  # in which a server has started its processes
MIN_LOOKS = 20  # at its memory, of which thirds are compared
INSTANT = (("tictactoe", "random"), ("nim", "nim-expert"), ("quixo", "random"))


class Told(Browser):
    """Remembers every status, and whether an error said when to come back."""

    statuses: Counter[str]

    async def send(self, method, path, fields=None, page="/"):
        status, where, text = await super().send(method, path, fields, page)
        action = path.partition("?")[0].rpartition("/")[2]
        said = "" if status < 500 else f" to {action}" + (", later" if self.later else "")
        self.statuses[f"{status}{said}"] += 1
        return status, where, text


class Faithful:
    """Plays, and knows which of its moves were acknowledged."""

    def __init__(self, number, browser, times):
        self.browser, self.times = browser, times
        self.rng = random.Random(number)
        self.game, self.opponent = INSTANT[number % len(INSTANT)]
        self.path, self.match = "", None
        self.checked, self.refused = 0, 0  # moves looked up, requests sent away

    async def play(self, until):
        while time.monotonic() < until:
            try:
                await self.turn()
                await asyncio.sleep(0.3)
            except (OSError, EOFError):
                self.browser.hang_up()
                await asyncio.sleep(0.5)
                await self.look_again(until)
        await self.agree()

    async def turn(self):
        if self.match is None or self.match.outcome() is not None:
            await self.agree()
            fields = {"game": self.game, "opponent": self.opponent}
            _, path, _ = await self.browser.send("POST", "/matches", fields)
            if path:
                self.path, self.match = path, Match.begin(load_game(self.game))
            return
        move = self.rng.choice(self.match.state.legal_moves())
        if await self.post("moves", {"move": str(move), "revision": str(self.match.ply)}):
            self.match = self.match.play(move)
            if self.match.outcome() is None:
                await self.hear()

    async def hear(self):
        """Ask for the reply until it is there, as the page does. How long that took counts unless
        nothing could be stored meanwhile."""
        begun, waits = time.monotonic(), self.refused
        while self.match.ply % 2 == 1:
            if await self.post("reply", {"revision": str(self.match.ply)}):
                if self.refused == waits:
                    self.times.append((begun, time.monotonic()))
                await self.agree()
            await asyncio.sleep(0.1)

    async def post(self, action, fields):
        """Whether the server took it."""
        status, _, _ = await self.browser.send("POST", f"{self.path}/{action}", fields, self.path)
        assert status in (200, 204, 409, 429, 503), (action, status)
        if status in (409, 429, 503):
            self.refused += 1
            await asyncio.sleep(0.5)
            await self.agree()
        return status == 200

    async def agree(self):
        """What is stored has every move that was acknowledged, and once; go on from there."""
        if self.match is None:
            return
        status, _, text = await self.browser.send("GET", f"{self.path}.json")
        if status != 200:
            return
        stored = json.loads(text)["moves"]
        mine = [str(move) for move in self.match.moves]
        assert stored[: len(mine)] == mine, (self.path, mine, stored)
        game = self.match.game
        self.match = Match.replay(game, [game.parse_move(move) for move in stored])
        self.checked += len(mine)

    async def look_again(self, until):
        while self.match is not None and time.monotonic() < until:
            try:
                await self.agree()
            except (OSError, EOFError):
                self.browser.hang_up()
                await asyncio.sleep(0.2)
            else:
                return


async def persistent(act, until, pause):
    """Do it again and again, whether or not the server is there."""
    while (left := until - time.monotonic()) > 0:
        with suppress(OSError, EOFError):
            async with asyncio.timeout(left):
                await act()
        await asyncio.sleep(pause)


class Chaos:
    """What happens to the processes, the database and the disk."""

    def __init__(self, start, data):
        self.start, self.data = start, data
        self.server = start()
        self.started = time.monotonic()
        self.seen = set()
        self.memory = []  # when, and bytes
        self.starved = []  # how many times as long as alone this process took, other work beside it
        self.neighbours = Neighbours(lambda: self.server)
        self.done = Counter()

    async def watch(self, until):
        while time.monotonic() < until:
            family = {self.server.process.pid, *self.server.descendants()}
            self.seen |= family
            self.memory.append((time.monotonic(), sum(map(resident, family))))
            self.starved.append(starvation())
            self.neighbours.look()
            await asyncio.sleep(0.5)

    async def run(self, until, half):
        """One after the other; in the second half, over which memory is looked at, the server
        stays up."""
        rng = random.Random(1)
        quiet = (self.kill_a_worker, self.lock, self.stop_a_worker, self.fill)
        for act in cycle((*quiet, self.kill_the_server)):
            if time.monotonic() > until - 8:
                return
            if act in quiet or time.monotonic() < half:
                self.done[act.__name__] += 1
                await act(rng)
                await asyncio.sleep(2)

    async def kill_a_worker(self, rng, number=signal.SIGKILL):
        server = self.server
        workers = sorted(server.descendants() - children(server.process.pid))  # not who forks them
        with suppress(ProcessLookupError, IndexError):
            os.kill(rng.choice(workers), number)

    async def stop_a_worker(self, rng):
        await self.kill_a_worker(rng, signal.SIGSTOP)

    async def lock(self, rng):
        with sqlite3.connect(self.data / "zermelo.sqlite", timeout=5) as other:
            other.execute("BEGIN EXCLUSIVE")
            await asyncio.sleep(6)
            other.rollback()
        other.close()

    async def fill(self, rng):
        """No file may grow: what a full disk comes to."""
        pid = self.server.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, before[1]))
        await asyncio.sleep(3)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    async def kill_the_server(self, rng):
        """While nobody holds a worker by Ctrl-Z: that one would hear of nothing."""
        family = self.release()
        self.server.kill()
        await asyncio.sleep(0.5)
        self.server = self.start()
        self.started = time.monotonic()
        self.seen |= family

    def release(self):
        """Let whoever was stopped go on, who lost its parent too; every process of the server."""
        family = self.server.descendants()
        for pid in self.seen | family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        return family


def resident(pid):
    """Bytes a process holds of its own or shares, shared ones in parts; 0 once it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


async def besiege(chaos, port, times, statuses):
    """Everyone at once; the players."""
    now = time.monotonic()
    half, until = now + SECONDS / 2, now + SECONDS

    browsers = []

    def browser(address="127.0.0.1"):
        made = Told(port, address)
        made.statuses = statuses
        browsers.append(made)
        return made

    players = [Faithful(number, browser(), times) for number in range(PLAYERS)]
    places = addresses()
    breaker, former, keeper, newcomer, poisoner = (
        Attackers(browser(next(places))) for _ in range(5)
    )
    silent = SilentReader(port, next(places))
    brain = train_slice("tictactoe", "menace", 7, None, until=5).brain
    flood = Flood(port)
    flood.browser = browser()
    # Whoever waits for ever has failed.
    async with asyncio.timeout(SECONDS + 30):
        await asyncio.gather(
            *(player.play(until) for player in players),
            persistent(lambda: flood.flood(until), until, 1.0),
            persistent(breaker.break_agents, until, 1.0),
            persistent(former.send_bad_forms, until, 2.0),
            persistent(keeper.keep_a_long_match, until, 3.0),
            persistent(lambda: newcomer.flood_without_a_cookie(brain), until, 0.5),
            persistent(lambda: poisoner.send_poison(brain), until, 1.0),
            persistent(silent.stare, until, 1.0),
            chaos.watch(until),
            chaos.run(until, half),
        )
    for one in browsers:
        one.hang_up()
    return players


def test_an_hour_of_hostility_in_minutes(tmp_path):
    """Acknowledged moves are there and once, instant replies come, nothing grows or is left."""
    data, temp, packages = (tmp_path / name for name in ("data", "temp", "packages"))
    for place in (data, temp):
        place.mkdir()
    install(packages)
    settings = {
        "PYTHONPATH": f"{packages}{os.pathsep}{ROOT}",
        "TMPDIR": str(temp),
        "ZERMELO_THINK_SECONDS": "2",
    }
    port = free_port()
    command = [*SERVE[:-1], str(port)]
    chaos = Chaos(lambda: ServerProcess(data, command, **settings), data)
    times, statuses = [], Counter()
    try:
        with ThreadPoolExecutor(1) as apart:  # a browser's loop may run in this one
            siege = apart.submit(lambda: asyncio.run(besiege(chaos, port, times, statuses)))
            players = siege.result()
        chaos.release()
        assert chaos.server.stop() == 0
    finally:
        chaos.server.end()
        chaos.neighbours.close()
    log.info(told(chaos, players, times, statuses))
    busy = statistics.mean(chaos.starved)  # 1 on a machine that has nothing else to do
    assert sum(player.checked for player in players) > 100 / busy
    assert [s for s in statuses if s[0] == "5" and not s.endswith("later")] == []
    seconds = [ended - begun for begun, ended in times]
    assert statistics.median(seconds) < 1.0 * busy
    for (begun, ended), took in zip(times, seconds, strict=True):
        assert took < 5.0 * max(busy, chaos.neighbours.stretch(begun, ended))
    by_others = chaos.neighbours.stretch(chaos.started, time.monotonic())
    assert_flat(chaos, chaos.started + SETTLE_S * max(busy, by_others))
    eventually(lambda: not any(map(is_alive, chaos.seen)))
    assert [path.name for path in temp.rglob("*") if path.is_file()] == []


def assert_flat(chaos, settled):
    """In the second half, once the last server has all its processes; on a machine that gives it
    no time for that, too little is left to say anything."""
    half = chaos.memory[len(chaos.memory) // 2][0]
    memory = [held for at, held in chaos.memory if at >= max(half, settled)]
    if len(memory) < MIN_LOOKS:
        log.info("memory: %d looks since the last start, too few to tell", len(memory))
        return
    third = len(memory) // 3
    first, last = statistics.mean(memory[:third]), statistics.mean(memory[-third:])
    assert last < 1.25 * first + (100 << 20), (first, last)


def told(chaos, players, times, statuses):
    """For the note of whoever ran it, and for whoever finds out why it failed."""
    seconds = [ended - begun for begun, ended in times]
    cuts = statistics.quantiles(seconds, n=20)
    looks = chaos.neighbours.looks
    by_others = chaos.neighbours.stretch(looks[0][0], looks[-1][0])
    return (
        f"{dict(chaos.done)}; {sum(player.checked for player in players):,} moves looked up; "
        f"{dict(statuses)}; {len(times):,} replies: median {cuts[9]:.3f} s, p95 {cuts[18]:.3f} s, "
        f"most {max(seconds):.3f} s; starved {statistics.mean(chaos.starved):.1f} times, "
        f"by others {by_others:.1f} times; "
        f"memory in MB {[held >> 20 for _, held in chaos.memory[::20]]}"
    )
