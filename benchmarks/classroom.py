"""A class: starts the server, lets phones join, vote and see the reveal, and times each request.

    python -m benchmarks.classroom [--phones 200] [--runs 3] [--votes 3] [--idle] [--assignment]

Phones ask every two seconds and are answered with nothing while nothing changed. In each round all
of them answer within ten seconds; then the vote is closed and revealed, and every phone fetches the
reveal when it next asks. Meanwhile a machine thinks on every core without a pause (`--idle`: none
does). A request is timed from the moment it was due, whatever held up the one before.
With `--assignment` they do an assignment instead: each opens the next of its puzzles as often as
phones would ask, and answers it, while the teacher's table is looked at; no answer may be lost.
It fails where a request did, or where the median of a p95 is 150 ms or more.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from agents.puzzles.collection import shipped_puzzles
from benchmarks.measures import processor_seconds
from benchmarks.players import Browser

PERIOD = 2.0  # seconds between two questions of a phone
ANSWERING = 10.0  # seconds within which all answer
ROUND_S = ANSWERING + 2 * PERIOD + 2  # of one vote with its reveal
CLASS_SIZE = 200
BAR = 150.0  # milliseconds: every p95 stays below
GAME = "nim:preset=marienbad"
ANSWERS = ("a1", "b2", "c3", "d4", "d7")
PUZZLES = shipped_puzzles()[:10]  # of an assignment
THOUGHT = {"game": "quixo", "opponent": "quixo-deep"}


@dataclass
class Clock:
    """What was measured, by what was asked."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)

    async def timed(
        self, name: str, due: float, asked: Coroutine[Any, Any, tuple[int, str, str]]
    ) -> tuple[int, str]:
        """Status and body of an answer; one that does not come is an error."""
        try:
            status, _, text = await asked
        except (OSError, EOFError) as error:
            self.errors[f"{name} {type(error).__name__}"] += 1
            return 0, ""
        self.times.setdefault(name, []).append(time.monotonic() - due)
        if status not in (200, 204):
            self.errors[f"{name} {status}"] += 1
        return status, text


@dataclass
class Phone:
    """One student."""

    number: int
    browser: Browser
    code: str
    clock: Clock
    known: str = ""
    round: int = 0
    answered: int = 0
    answer_due: float = 0.0

    async def join(self) -> None:
        status, _, _ = await self.browser.send("POST", f"/c/{self.code}/join", {"join": "1"})
        assert status == 204, status
        await self.look(time.monotonic(), "joined")

    async def look(self, due: float, name: str) -> None:
        path = f"/c/{self.code}/now?known={self.known}"
        status, text = await self.clock.timed(name, due, self.browser.send("GET", path))
        if status != 200:
            return
        self.known = re.findall(r"known=(\d+)", text)[0]
        found = re.findall(r'name="round" value="(\d+)"', text)
        if "phase-open" in text and found:
            self.round = int(found[0])

    async def live(self, until: float) -> None:
        """Ask every two seconds, each phone at its own moment, and answer once in each round."""
        due = time.monotonic() + PERIOD * (self.number % 97) / 97
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            before = self.known
            await self.look(due, "asked")
            if self.known != before:
                self.clock.times.setdefault("changed", []).append(self.clock.times["asked"][-1])
            if self.round > self.answered:
                self.answered = self.round
                self.answer_due = time.monotonic() + (ANSWERING - PERIOD) * (self.number % 89) / 89
            if self.answer_due and self.answer_due < due + PERIOD:
                wait, self.answer_due = self.answer_due, 0.0
                await asyncio.sleep(max(0.0, wait - time.monotonic()))
                fields = {"round": str(self.round), "vote": "1"}
                fields["move"] = ANSWERS[self.number % len(ANSWERS)]
                sent = self.browser.send("POST", f"/c/{self.code}/answer", fields)
                await self.clock.timed("answered", wait, sent)
            due += PERIOD


async def conduct(teacher: Browser, path: str, votes: int) -> None:
    """Round after round: ask, leave it open, close, reveal, leave it shown."""
    for number in range(1, votes + 1):
        await teacher.send("POST", f"{path}/rounds", {"game": GAME, "machine": "nim-expert"})
        await asyncio.sleep(ANSWERING + PERIOD)
        told = {"round": str(number), "vote": "1"}
        await teacher.send("POST", f"{path}/phase", told | {"do": "close"})
        status = 0
        while status != 200:
            status, _, _ = await teacher.send("POST", f"{path}/phase", told | {"do": "reveal"})
            await asyncio.sleep(0.2)
        await asyncio.sleep(PERIOD + 1)


async def solve(number: int, browser: Browser, path: str, clock: Clock, until: float) -> int:
    """Open one puzzle after another and answer it, the second half of a class wrongly at first.

    Returns how many answers were acknowledged.
    """
    due, given = time.monotonic() + PERIOD * (number % 97) / 97, 0
    for part, puzzle in enumerate(PUZZLES, start=1):
        moves = (puzzle.refutation[0], puzzle.solutions[0])
        for move in moves[number % 2 :]:
            if due > until:
                return given
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            page = browser.send("GET", f"{path}/1?part={part}")
            _, text = await clock.timed("opened", due, page)
            fields = dict(re.findall(r'name="(part|number|opened)" value="([^"]*)"', text))
            due += PERIOD
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            sent = browser.send("POST", f"{path}/1/answer", fields | {"move": move})
            status, _ = await clock.timed("answered", due, sent)
            given += status == 200
            due += PERIOD
    return given


async def handed_out(port: int, phones: int, votes: int, thinkers: int) -> Clock:
    """Students who do an assignment at once, and their teacher, who looks at the table."""
    await warm(port)
    clock, teacher = Clock(), Browser(port)
    ids = " ".join(puzzle.id for puzzle in PUZZLES)
    tasks = {"title": "Everyone at once", "tasks": f"## Puzzles\npuzzles: {ids}\n"}
    _, table, _ = await teacher.send("POST", "/assignments", tasks)
    _, _, text = await teacher.send("GET", table)
    path = re.findall(r"/a/\w+", text)[0]
    students = [Browser(port) for _ in range(phones)]
    for student in students:
        status, _, _ = await student.send("POST", f"{path}/join", {"join": "1"})
        assert status == 204, status
        student.hang_up()
    until = time.monotonic() + votes * ROUND_S

    async def watch() -> None:
        due = time.monotonic()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await clock.timed("table", due, teacher.send("GET", table))
            due += PERIOD

    thinking = asyncio.gather(watch(), *(think(port, until) for _ in range(thinkers)))
    given = await asyncio.gather(
        *(solve(number, each, path, clock, until) for number, each in enumerate(students))
    )
    await thinking
    _, _, rows = await teacher.send("GET", f"{table}.csv")
    kept = sum(int(row["tries"]) for row in csv.DictReader(rows.splitlines()))
    print(f"{sum(given)} answers acknowledged, {kept} in the teacher's table")
    clock.errors["answers lost"] += max(0, sum(given) - kept)
    return clock


async def think(port: int, until: float) -> None:
    """Someone whose opponent is always deep in thought."""
    browser = Browser(port)
    while time.monotonic() < until:
        _, path, _ = await browser.send("POST", "/matches", THOUGHT | {"starts": "opponent"})
        for _ in range(12):
            await browser.send("POST", f"{path}/reply", {"revision": "0"})
            await asyncio.sleep(0.5)


async def warm(port: int) -> None:
    """Let the machines' kernels be there before anything is timed."""
    browser = Browser(port)
    for setup in (THOUGHT, {"game": "nim", "preset": "marienbad", "opponent": "perfect"}):
        _, path, _ = await browser.send("POST", "/matches", setup | {"starts": "opponent"})
        status = 204
        while status == 204:
            status, _, _ = await browser.send("POST", f"{path}/reply", {"revision": "0"})
            await asyncio.sleep(0.2)


async def seated(port: int, phones: int, clock: Clock) -> tuple[Browser, str, list[Phone]]:
    """A class that has begun: its teacher, its address and the phones in it."""
    teacher = Browser(port)
    _, path, _ = await teacher.send("POST", "/class", {"begin": "1"})
    _, _, text = await teacher.send("GET", path)
    code = re.findall(r'<span class="code">(\w{4})</span>', text)[0]
    crowd = [Phone(number, Browser(port), code, clock) for number in range(phones)]
    teacher.hang_up()  # while many come in, servers close connections that nobody uses
    for phone in crowd:
        await phone.join()
        phone.browser.hang_up()
    return teacher, path, crowd


async def held(port: int, phones: int, votes: int, thinkers: int) -> Clock:
    await warm(port)
    clock = Clock()
    teacher, path, crowd = await seated(port, phones, clock)
    clock.times.clear()
    until = time.monotonic() + votes * ROUND_S
    await asyncio.gather(
        conduct(teacher, path, votes),
        *(phone.live(until) for phone in crowd),
        *(think(port, until) for _ in range(thinkers)),
    )
    return clock


def measured(
    phones: int, votes: int, thinkers: int, *, assignment: bool
) -> tuple[Clock, dict[str, float]]:
    serve = [sys.executable, "-m", "webapp", "serve", "--no-open", "--port", "0"]
    with tempfile.TemporaryDirectory(prefix="zermelo-class-") as place:
        environment = os.environ | {"ZERMELO_DATA": place, "ZERMELO_WARM_UP": "0"}
        with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                port = int(re.findall(r":(\d+) ", server.stdout.readline())[0])
                before = processor_seconds(server.pid)
                work = handed_out if assignment else held
                clock = asyncio.run(work(port, phones, votes, thinkers))
                after = processor_seconds(server.pid)
            finally:
                server.terminate()
                server.wait(30)
    return clock, {name: after[name] - before[name] for name in after}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--votes", type=int, default=3)
    parser.add_argument("--idle", action="store_true", help="no machine thinks meanwhile")
    parser.add_argument("--assignment", action="store_true", help="they do an assignment instead")
    chosen = parser.parse_args()
    thinkers = 0 if chosen.idle else os.cpu_count() or 1
    print(f"{chosen.phones} phones, {thinkers} machines thinking, {os.cpu_count()} processors")
    found: dict[str, list[float]] = {}
    errors = 0
    for run in range(chosen.runs):
        load = os.getloadavg()[0]
        clock, used = measured(chosen.phones, chosen.votes, thinkers, assignment=chosen.assignment)
        errors += sum(clock.errors.values())
        print(f"run {run + 1}, load before {load:.2f}, errors {dict(+clock.errors) or 0}")
        for name, times in sorted(clock.times.items()):
            cuts = statistics.quantiles(times, n=100)
            found.setdefault(name, []).append(cuts[94] * 1000)
            told = "   ".join(f"p{p} {cuts[p - 1] * 1000:6.1f} ms" for p in (50, 95, 99))
            print(f"  {name:9} {len(times):6}   {told}   most {max(times) * 1000:6.1f} ms")
        print("  processor seconds: " + ", ".join(f"{n} {s:.1f}" for n, s in used.items()))
    slow = []
    for name, each in found.items():
        median = statistics.median(each)
        print(f"p95 of {name}, median of {chosen.runs}: {median:.1f} ms")
        slow += [name] if median >= BAR else []
    if slow:
        print(f"not below {BAR:.0f} ms: {', '.join(slow)}")
    return 1 if errors or slow else 0


if __name__ == "__main__":
    sys.exit(main())
