"""Everyone's first job begins at once: beside slow arenas, floods, and after a hung coordinator."""

import asyncio
import json
import logging
import os
import signal
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.players import PATIENCE, Browser
from tests.soak import lessened
from tests.webapp.serving.attackers import Attackers, addresses
from tests.webapp.serving.process import Neighbours, eventually, is_alive, starvation

pytestmark = [pytest.mark.soak, pytest.mark.alone]
log = logging.getLogger(__name__)

SECONDS = lessened(90.0, 25.0)
ARENAS, FLOODS = 6, 3  # attackers, each from an address of their own
HONEST = 3  # visitors at a time, each new and from an address of their own
BEGUN_S = 5.0  # within which an honest job is worked on
ENDED_S = 600.0  # within which it has ended, on a machine that is busy
LOOK_S = 0.25  # between two looks at what else this machine does
TRAINING = {"game": "tictactoe", "learner": "menace"}


async def trains(port, address, starved):
    """Begin a training and wait for its end; the record, and seconds until its first step was
    there. Whoever went away earlier would add to the crowd as a siege does. How starved this
    process is meanwhile is added at every look: one alone lasts a moment, and says little."""
    browser, first = Browser(port, address), None
    begun = time.monotonic()
    status, path, text = await browser.send("POST", "/train", TRAINING)
    assert path, (status, text)
    while True:
        try:
            _, _, text = await browser.send("GET", f"{path}.json")
        except (OSError, EOFError):  # its job goes on
            assert time.monotonic() - begun < ENDED_S, path
            continue
        record = json.loads(text)
        starved.append(starvation())
        if first is None and record["step"]:
            first = time.monotonic() - begun
        if record["state"] == "done":
            browser.hang_up()
            await asyncio.sleep(0)
            return record, first
        assert record["state"] in ("queued", "running"), record
        await asyncio.sleep(0.1)


async def again_and_again(act, until, pause):
    while time.monotonic() < until:
        try:
            await act()
        except (OSError, EOFError):
            await asyncio.sleep(pause)
        await asyncio.sleep(pause)


async def besiege(port, places, neighbours):
    """Of every honest job: seconds until it was taken up, and until its first step was there; how
    many times as long as alone this process took, and how many times as long others made it; and
    when in the siege it was."""
    begun = time.monotonic()
    until = begun + SECONDS
    slow = [Attackers(Browser(port, next(places))) for _ in range(ARENAS)]
    floods = [Attackers(Browser(port, next(places))) for _ in range(FLOODS)]
    found = []

    async def honest():
        came = time.monotonic()
        taken = first = PATIENCE  # of whoever was not answered at all
        starved = [starvation()]
        try:
            record, first = await trains(port, next(places), starved)
            taken = record["begun"] - record["created"]
        finally:
            neighbours.look()
            stretch = neighbours.stretch(came, time.monotonic())
            found.append((taken, first, statistics.mean(starved), stretch, came - begun))

    async def look():
        neighbours.look()

    await asyncio.gather(
        *(again_and_again(each.begin_slow_arena, until, 1.0) for each in slow),
        *(
            again_and_again(lambda a=each: a.anew("POST", "/train", TRAINING), until, 0.2)
            for each in floods
        ),
        *(again_and_again(honest, until, 1.0) for _ in range(HONEST)),
        again_and_again(look, until, LOOK_S),
    )
    for attacker in (*slow, *floods):
        attacker.browser.hang_up()
    await asyncio.sleep(0.1)  # for the connections to close
    return found


def run(coroutine):
    with ThreadPoolExecutor(1) as apart:  # a browser's loop may run in this one
        return apart.submit(asyncio.run, coroutine).result()


def coordinators(server):
    """The processes that have the database open, besides the server."""
    return [pid for pid in server.descendants() if has_open(pid, "zermelo.sqlite")]


def has_open(pid, name):
    try:
        return any(os.readlink(file).endswith(name) for file in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def test_every_honest_job_begins_within_seconds(serve, tmp_path):
    server = serve(tmp_path, ZERMELO_WARM_UP="1", ZERMELO_ENDGAMES="0")
    places = addresses()
    run(trains(server.port, next(places), []))  # the trainer is compiled
    neighbours = Neighbours(lambda: server)
    try:
        found = run(besiege(server.port, places, neighbours))
    finally:
        neighbours.close()
    taken, first, starved, stretch, _ = zip(*found, strict=True)
    busy = statistics.mean(starved)  # 1 on a machine that has nothing else to do
    slowest = sorted(found, key=lambda each: each[1])[-5:]
    log.info(
        "%d honest jobs: taken up after %.2f s at most; first step after %.2f s (median), %.2f s; "
        "starved %.1f times, by others %.1f times, at most %.1f; "
        "the slowest (taken up, first step, by others, second of the siege): %s",
        *(len(found), max(taken), statistics.median(first), max(first), busy),
        *(statistics.mean(stretch), max(stretch)),
        "; ".join(
            f"{took:.2f} {step:.2f} {by_others:.1f} {at:.0f}"
            for took, step, _, by_others, at in slowest
        ),
    )
    for took, step, alone, by_others, _ in found:  # others may have come beside one of them only
        assert max(took, step) < BEGUN_S * max(busy, alone, by_others)
    (hung,) = coordinators(server)
    os.kill(hung, signal.SIGSTOP)
    record, _ = run(trains(server.port, next(places), []))
    assert record["state"] == "done"
    assert not is_alive(hung)
    eventually(lambda: len(coordinators(server)) == 1)
    assert server.stop() == 0
