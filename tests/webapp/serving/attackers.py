"""Those who come for something else than to play, each from an address of their own."""

import asyncio
import random

from tests.webapp.lab.mutants import mutant

BROKEN = ("crashing", "hanging", "leaking")
BAD_FORMS = (
    {
        "game": "nim",
        "preset": "custom",
        "nim.heaps": "3-4-6",
        "opponent": "es-mix:parents=1000,games=10000,generations=5000",
        "starts": "opponent",
    },
    {"game": "tictactoe", "opponent": "randum"},
    {"game": "quixo", "opponent": "qlearning:brain=nobodys"},
    {"game": "nim\x00", "opponent": "\ud7ff" * 100},
)
LONG_MATCH = "\n".join(
    ["game nim:heaps=50-50-50-50-50-50-50-50-50-50"]
    + [f"{ply + 1}. {'abcdefghij'[ply // 50]}1" for ply in range(495)]
)
SLOW_ARENA = {
    "game": "quixo",
    "others": "mcts:simulations=1000000\nmcts:simulations=999999",
    "games": "500",
}
LARGE_PAGE = "/machines"
SILENT = 8  # connections, twice as many as there are web threads
PIPELINED = 60


class Attackers:
    """What one of them does, again and again."""

    def __init__(self, browser):
        self.browser = browser
        self.round = 0

    async def break_agents(self):
        agent = BROKEN[self.round % len(BROKEN)]
        self.round += 1
        fields = {"game": "tictactoe", "opponent": agent, "starts": "opponent"}
        _, path, _ = await self.browser.send("POST", "/matches", fields)
        if path:
            await self.browser.send("POST", f"{path}/reply", {"revision": "0"})

    async def send_bad_forms(self):
        for form in BAD_FORMS:
            status, _, _ = await self.browser.send("POST", "/matches", form)
            assert status in (400, 422, 429, 503), (form, status)

    async def keep_a_long_match(self):
        _, path, _ = await self.browser.send("POST", "/matches/import", {"text": LONG_MATCH})
        if path:
            for place in (path, f"{path}?values=1", f"{path}?story=1", "/"):
                await self.browser.send("GET", place)

    async def flood_without_a_cookie(self, brain):
        """Jobs, brains, classes, seats and matches, as fast as the server answers."""
        self.round += 1
        _, place, _ = await self.anew("POST", "/class")
        code = place.rpartition("/")[2] or "BCDF"
        for path, fields in (
            ("/train", {"game": "tictactoe", "learner": "menace"}),
            ("/matches", {"game": "nim", "opponent": "random"}),
            (f"/c/{code}/join", {"join": "1"}),
        ):
            await self.anew("POST", path, fields)
        await self.send_brain(brain)

    async def send_poison(self, brain):
        self.round += 1
        await self.send_brain(mutant(brain, self.round))

    async def send_brain(self, data):
        self.browser.file = data[: 8 << 20]
        status, _, _ = await self.anew("POST", "/brains/upload")
        assert status in (200, 202, 204, 303, 400, 413, 422, 429, 503), status

    async def begin_slow_arena(self):
        await self.anew("POST", "/arena", SLOW_ARENA)

    async def anew(self, method, path, fields=None):
        """As someone who has never been here."""
        self.browser.cookie = ""
        return await self.browser.send(method, path, fields)


class SilentReader:
    """Asks for large pages over and over, and takes nothing of what comes back."""

    def __init__(self, port, address):
        self.port, self.address = port, address

    async def stare(self, seconds=10.0):
        lines = []
        try:
            for _ in range(SILENT):
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.address, 0), limit=2
                )
                lines.append(writer)
                writer.transport.pause_reading()
                ask = f"GET {LARGE_PAGE} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
                writer.write(ask * PIPELINED)
            await asyncio.sleep(seconds)
        finally:
            for writer in lines:
                writer.transport.abort()


def addresses():
    """One after the other, of this machine's network of its own."""
    rng = random.Random(7)
    while True:
        yield f"127.{rng.randrange(1, 250)}.{rng.randrange(250)}.{rng.randrange(1, 250)}"
