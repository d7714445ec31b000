"""gunicorn with four processes on PostgreSQL: one server to whoever plays, restarted as they do."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from threading import Event, Thread

import pytest

from engine import Match, load_game
from tests.webapp.serving.process import (
    ROOT,
    Browser,
    children,
    eventually,
    free_port,
    is_alive,
)

pytestmark = pytest.mark.soak

PROCESSES = 4
GUNICORN = [sys.executable, "-m", "gunicorn", "-c", "python:webapp.serving.gunicorn_config"]
PLAYERS = 6


OFTEN = "10000/10000"  # as fast as programs play


class GunicornProcess:
    """The server, on a free port."""

    def __init__(self, data, database, **environment):
        self.port = free_port()
        settings = {
            "ZERMELO_DATA": str(data),
            "ZERMELO_DATABASE_URL": database.replace("+psycopg", ""),
            "ZERMELO_PROCESSES": str(PROCESSES),
            "ZERMELO_WARM_UP": "0",
            "ZERMELO_JOBS": "0",
        }
        self.process = subprocess.Popen(
            [*GUNICORN, "-b", f"127.0.0.1:{self.port}", "webapp:create_app()"],
            cwd=ROOT,
            env=os.environ | settings | environment,
        )
        eventually(self.answers, seconds=300)

    def answers(self):
        try:
            return Browser(self.port).request("GET", "/healthz")[0].status == 200
        except OSError:
            return False

    def web_processes(self):
        return children(self.process.pid)

    def stop(self):
        self.process.terminate()
        return self.process.wait(120)


@pytest.fixture
def server(postgres, tmp_path):
    pytest.importorskip("gunicorn", reason="the extra [production] is not installed")
    started = []

    def start(**environment):
        started.append(GunicornProcess(tmp_path, postgres, **environment))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.stop()


class Player(Thread):
    """Plays Nim against a rule player until told to end; every move is looked up."""

    def __init__(self, port, number, ending):
        super().__init__()
        self.browser, self.ending = Browser(port), ending
        self.rng = random.Random(number)
        self.moves, self.slowest = 0, 0.0
        self.failed = None

    def run(self):
        try:
            while not self.ending.is_set():
                self.play()
        except Exception as error:  # noqa: BLE001 - told by the test
            self.failed = repr(error)

    def play(self):
        path = self.begins()
        match = Match.begin(load_game("nim"))
        while match.outcome() is None and not self.ending.is_set():
            move = self.rng.choice(match.state.legal_moves())
            self.post(f"{path}/moves", {"move": str(move), "revision": str(match.ply)})
            match = match.play(move)
            while match.outcome() is None and match.ply % 2:
                self.post(f"{path}/reply", {"revision": str(match.ply)})
                stored = json.loads(self.ask("GET", f"{path}.json")[1])["moves"]
                assert stored[: match.ply] == [str(each) for each in match.moves]
                match = Match.replay(match.game, map(match.game.parse_move, stored))
            self.moves += 1

    def begins(self):
        """A new match, once the server is not too busy."""
        fields = {"game": "nim", "opponent": "nim-expert"}
        answer, text = self.ask("POST", "/matches", fields)
        while answer.status == 503 and answer.headers["Retry-After"]:
            time.sleep(0.2)
            answer, text = self.ask("POST", "/matches", fields)
        assert answer.status == 303, (answer.status, text[:300])
        return answer.headers["Location"]

    def post(self, path, fields):
        """Send it, as a page does, until the server is not too busy."""
        answer, text = self.ask("POST", path, fields)
        while answer.status == 503 and answer.headers["Retry-After"]:
            time.sleep(0.2)
            answer, text = self.ask("POST", path, fields)
        assert answer.status in (200, 204, 303), (answer.status, text[:300])

    def ask(self, *request):
        begun = time.monotonic()
        found = self.browser.request(*request)
        self.slowest = max(self.slowest, time.monotonic() - begun)
        return found


def test_everyone_plays_on_while_all_processes_are_replaced_or_one_is_killed(server):
    running = server(
        ZERMELO_PLAYER_REQUESTS=OFTEN,
        ZERMELO_ADDRESS_REQUESTS=OFTEN,
        ZERMELO_PLAYER_MATCHES=OFTEN,
        ZERMELO_ADDRESS_MATCHES=OFTEN,
    )
    eventually(lambda: len(running.web_processes()) == PROCESSES)
    ending = Event()
    players = [Player(running.port, number, ending) for number in range(PLAYERS)]
    for player in players:
        player.start()
    eventually(lambda: all(player.moves for player in players))
    before = running.web_processes()
    running.process.send_signal(signal.SIGHUP)
    eventually(lambda: not any(map(is_alive, before)), seconds=300)
    done = [player.moves for player in players]
    eventually(lambda: all(p.failed or p.moves > n for p, n in zip(players, done, strict=True)))
    ending.set()
    for player in players:
        player.join()
    assert [player.failed for player in players] == [None] * PLAYERS
    os.kill(min(running.web_processes()), signal.SIGKILL)
    eventually(lambda: len(running.web_processes()) == PROCESSES)
    family = running.web_processes()
    assert running.stop() == 0
    eventually(lambda: not any(map(is_alive, family)))


def test_the_processes_are_one_server(server):
    """Rates, cookies and metrics: whichever of them answers."""
    running = server(ZERMELO_PLAYER_REQUESTS="0.001/20", ZERMELO_ADDRESS_NEWCOMERS="0.001/5")
    player = Browser(running.port)
    codes = []
    for _ in range(40):  # each on a connection of its own
        answer, _ = player.request("POST", "/matches", {"game": "nim", "opponent": "person"})
        codes.append(answer.status)
    assert codes.count(303) == 21  # the first was a newcomer's
    assert set(codes) == {303, 429}
    strangers = [Browser(running.port) for _ in range(9)]
    begun = [
        each.request("POST", "/matches", {"game": "nim", "opponent": "person"})[0].status
        for each in strangers
    ]
    assert begun == [303] * 4 + [429] * 5
    _, text = Browser(running.port).request("GET", "/metrics")
    counted = 'zermelo_requests_total{method="POST",route="/matches",status="303"} 25.0'
    assert counted in text
