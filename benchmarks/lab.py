"""What jobs cost: a training beside its kernel alone, and a player's replies beside a training.

    python -m benchmarks.lab [speed | replies | progress | projector] [GAMES]

`speed`: both train the default Q-learner on tic-tac-toe from the same seed, in turn, five times
each; the ratio of the medians is what counts, and is at least a half.

`replies`: one player against a machine that searches, on a server of its own; in turn alone and
while a training with as many runs as there are processes for jobs goes on at full speed. The
median with it is at most twice the median without.

`progress`: from the press on *Train* until the page shows the first point of the curve, asking
as often as the page does, on a server that has been up for a while: at most a second. And from
the press on *Stop* until the job has ended: at most two. Each five times, the first one apart.

`projector`: from the press on *Begin to train* of *Ten seconds to unbeatable* until a projector
(1280 × 720, a real Chromium) says that the network is, three seeds: at most 15 seconds.

All of it takes about four minutes on two idle cores, of which `progress` is one.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event
from time import perf_counter

from agents.runs import read_learner
from agents.training.trainer import finish, with_length
from benchmarks.players import MOVED, Browser, Figures, Player
from engine import load_game
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.training import TrainingPlan, TrainingRun, training_job
from webapp.jobs.local_executor import LocalProcesses
from webapp.jobs.store import JobStore
from webapp.storage.database import Database

GAMES = 4_000_000  # a training of a few seconds
ROUNDS = 5
GAME, AGENT, SEED = "tictactoe", "qlearning", 1
SETUP = {"game": "tictactoe", "opponent": "mcts"}
MOVES = 20  # a turn of either kind
TURNS = 3
PLOT = 'class="plot"'  # a page that shows a curve
ASKING = 0.2  # seconds between two looks of a page that has none yet
WARMING = 40.0  # seconds in which a server loads what it needs
SEEDS = (1, 2, 3)  # of a network on a projector
MOST_PATIENCE = 300_000  # milliseconds: a busy machine has a figure too
ENDLESS = {"game": GAME, "learner": AGENT, "length": "5000000", "seeds": "12"}


def alone(games: int) -> float:
    """Games a second of the training itself, in this process."""
    game = load_game(GAME)
    _, train, options = read_learner(AGENT, game)
    begun = perf_counter()
    finish(train(game, with_length(options, games), SEED, None))
    return games / (perf_counter() - begun)


def as_a_job(coordinator: Coordinator, store: JobStore, games: int) -> float:
    """Games a second from the row's creation to its end."""
    plan = TrainingPlan(GAME, (TrainingRun(AGENT, SEED),), games)
    begun = perf_counter()
    job = store.begin(training_job("benchmark", "benchmark", plan))
    stopping = Event()
    while not store.find(job.id).state.is_over:
        coordinator.turn(stopping)
    return games / (perf_counter() - begun)


def speed(games: int) -> None:
    with TemporaryDirectory() as place:
        database = Database(f"sqlite:///{place}/jobs.sqlite")
        database.upgrade()
        store = JobStore(database)
        coordinator = Coordinator(store, LocalProcesses(1))
        try:
            alone(1000)
            as_a_job(coordinator, store, 1000)  # kernels are compiled, processes there
            pairs = [(alone(games), as_a_job(coordinator, store, games)) for _ in range(ROUNDS)]
        finally:
            coordinator.close()
            database.close()
    kernel, job = median(one for one, _ in pairs), median(two for _, two in pairs)
    print(f"the kernel alone  {kernel:12,.0f} games a second")
    print(f"as a job          {job:12,.0f} games a second: {job / kernel:.2f} of it")


class Impatient(Player):
    """Asks for the reply at once, and feels the time from their move to it."""

    async def hear(self) -> None:
        assert self.match is not None
        begun, text = time.monotonic(), ""
        fields = {"revision": str(self.match.ply)}
        while not text:  # 204: still thinking
            text = await self.timed([], f"{self.path}/reply", fields, begun)
        self.figures.replies.append(time.monotonic() - begun)
        self.match = self.match.play(self.match.game.parse_move(MOVED.findall(text)[0]))


async def played(port: int, number: int) -> list[float]:
    """The seconds of so many replies, one after the other."""
    player = Impatient(number, port, Figures(), 0)
    player.setup = SETUP
    while len(player.figures.replies) < MOVES:
        await player.turn(time.monotonic())
    return player.figures.replies


async def with_a_training(port: int, number: int) -> list[float]:
    """The same while another visitor trains on every process there is."""
    trainer = Browser(port)
    _, where, _ = await trainer.send("POST", "/train", ENDLESS)
    while "<b>0 of" in (text := (await trainer.send("GET", where))[2]) or "<b>" not in text:
        await asyncio.sleep(0.2)
    try:
        return await played(port, number)
    finally:
        await trainer.send("POST", f"{where}/cancel")
        while (await trainer.send("GET", f"{where}.json"))[2].find('"running"') >= 0:
            await asyncio.sleep(0.2)


async def first_point(trainer: Browser, seed: int) -> tuple[float, str]:
    """Seconds until a page shows the curve, and the address of its job."""
    begun = perf_counter()
    _, where, _ = await trainer.send("POST", "/train", ENDLESS | {"seeds": "1", "seed": str(seed)})
    while PLOT not in (await trainer.send("GET", where))[2]:
        await asyncio.sleep(ASKING)
    return perf_counter() - begun, where


async def stopped(trainer: Browser, where: str) -> float:
    """Seconds until a job that is told to stop has ended."""
    begun = perf_counter()
    await trainer.send("POST", f"{where}/cancel")
    while '"running"' in (await trainer.send("GET", f"{where}.json"))[2]:
        await asyncio.sleep(0.05)
    return perf_counter() - begun


async def progress(port: int) -> list[tuple[float, float]]:
    """(first point, stopped) of some trainings, one after the other."""
    await asyncio.sleep(WARMING)
    trainer, found = Browser(port), []
    for seed in range(1, ROUNDS + 1):
        shown, where = await first_point(trainer, seed)
        found.append((shown, await stopped(trainer, where)))
    return found


@contextmanager
def serving(warm: str = "0") -> Iterator[int]:
    """The port of a server with data of its own."""
    serve = [sys.executable, "-m", "webapp", "serve", "--no-open", "--port", "0"]
    with TemporaryDirectory(prefix="zermelo-lab-") as place:
        own = {"ZERMELO_DATA": place, "ZERMELO_WARM_UP": warm}
        environment = (
            os.environ
            | own
            | {
                "ZERMELO_PLAYER_REQUESTS": "1000/10000",
                "ZERMELO_RATE_JOBS": "1000/10000,1000/10000,1000/10000",
            }
        )
        with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                yield int(re.findall(r":(\d+) ", server.stdout.readline())[0])
            finally:
                server.terminate()
                server.wait(30)


async def replies(port: int) -> tuple[list[float], list[float]]:
    """Without and with, in turn."""
    await with_a_training(port, 0)  # kernels are compiled, processes there
    without: list[float] = []
    beside: list[float] = []
    for turn in range(TURNS):
        without += await played(port, turn)
        beside += await with_a_training(port, turn)
    return without, beside


def projector(port: int) -> Iterator[tuple[float, str]]:
    """(seconds from the press to the verdict, verdict) of some trainings on a projector."""
    from playwright.sync_api import sync_playwright

    from tests.e2e.server import launch

    time.sleep(WARMING)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        for seed in SEEDS:
            page.goto(f"http://127.0.0.1:{port}/train?present=1")
            page.get_by_role("link", name="Ten seconds to unbeatable").click()
            page.wait_for_url(re.compile("learner=network"))  # its form, not the one before
            page.locator("[name=seed]").first.evaluate("(field, to) => field.value = to", str(seed))
            begun = perf_counter()
            page.get_by_role("button", name="Begin to train").click()
            page.get_by_text(re.compile("^Unbeatable")).wait_for(timeout=MOST_PATIENCE)
            yield perf_counter() - begun, page.locator("#verdict").inner_text()
        browser.close()


def main(what: str = "", games: str = str(GAMES)) -> None:
    if what in ("", "speed"):
        speed(int(games))
    if what in ("", "replies"):
        with serving() as port:
            without, beside = (median(times) for times in asyncio.run(replies(port)))
        print(f"a reply alone            {1000 * without:8.1f} ms at the median")
        print(f"a reply beside training  {1000 * beside:8.1f} ms: {beside / without:.2f} times")
    if what in ("", "progress"):
        with serving("1") as port:
            (shown, ended), *others = asyncio.run(progress(port))
        points, ends = zip(*others, strict=True)
        print(f"the first training of a server is on the page after {shown:.2f} s")
        print(f"the next ones   after {median(points):.2f} s at the median, {max(points):.2f} most")
        print(f"stopped         after {median(ends):.2f} s at the median, {max(ended, *ends):.2f}")
    if what in ("", "projector"):
        with serving("1") as port:
            for seconds, verdict in projector(port):
                print(f"on the projector after {seconds:.1f} s: {verdict}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
