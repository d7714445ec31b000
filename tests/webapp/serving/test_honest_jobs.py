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

from benchmarks.players import Browser
from tests.soak import lessened
from tests.webapp.serving.attackers import Attackers, addresses
from tests.webapp.serving.process import eventually, is_alive, starvation

pytestmark = pytest.mark.soak
log = logging.getLogger(__name__)

SECONDS = lessened(90.0, 25.0)
ARENAS, FLOODS = 6, 3  # attackers, each from an address of their own
BEGUN_S = 5.0  # within which an honest job is worked on
TRAINING = {"game": "tictactoe", "learner": "menace"}


async def trains(port, address, until="begun"):
    """Begin a training and wait for it; the record, and seconds until its first step was there."""
    browser = Browser(port, address)
    begun = time.monotonic()
    status, path, text = await browser.send("POST", "/train", TRAINING)
    assert path, (status, text)
    while True:
        _, _, text = await browser.send("GET", f"{path}.json")
        record = json.loads(text)
        if record["state"] == "done" or (until == "begun" and record["step"]):
            browser.hang_up()
            await asyncio.sleep(0)
            return record, time.monotonic() - begun
        assert record["state"] in ("queued", "running"), record
        await asyncio.sleep(0.1)


async def again_and_again(act, until, pause):
    while time.monotonic() < until:
        try:
            await act()
        except (OSError, EOFError):
            await asyncio.sleep(pause)
        await asyncio.sleep(pause)


async def besiege(port, places):
    """Of every honest job: seconds until it was taken up, and until its first step was there; and
    how many times as long as alone this process took."""
    until = time.monotonic() + SECONDS
    slow = [Attackers(Browser(port, next(places))) for _ in range(ARENAS)]
    floods = [Attackers(Browser(port, next(places))) for _ in range(FLOODS)]
    found = []

    async def honest():
        record, first = await trains(port, next(places))
        found.append((record["begun"] - record["created"], first, starvation()))

    await asyncio.gather(
        *(again_and_again(each.begin_slow_arena, until, 1.0) for each in slow),
        *(
            again_and_again(lambda a=each: a.anew("POST", "/train", TRAINING), until, 0.2)
            for each in floods
        ),
        again_and_again(honest, until, 1.0),
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
    run(trains(server.port, next(places), until="done"))  # the trainer is compiled
    found = run(besiege(server.port, places))
    taken, first, starved = zip(*found, strict=True)
    busy = statistics.mean(starved)  # 1 on a machine that has nothing else to do
    log.info(
        "%d honest jobs: taken up after %.2f s at most; first step after %.2f s (median), %.2f s; "
        "starved %.1f times; all in order: %s",
        *(len(found), max(taken), statistics.median(first), max(first), busy),
        " ".join(f"{each:.2f}" for each in sorted(first)),
    )
    assert max(taken) < BEGUN_S * busy
    assert max(first) < BEGUN_S * busy
    (hung,) = coordinators(server)
    os.kill(hung, signal.SIGSTOP)
    record, _ = run(trains(server.port, next(places), until="done"))
    assert record["state"] == "done"
    assert not is_alive(hung)
    eventually(lambda: len(coordinators(server)) == 1, seconds=60)
    assert server.stop() == 0
