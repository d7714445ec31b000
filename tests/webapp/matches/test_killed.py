"""No acknowledged move is lost when the server is killed during play."""

import json
import os
import signal
import sqlite3
from contextlib import closing
from http.client import HTTPException
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from tests.webapp.serving.process import Browser, is_alive

pytestmark = pytest.mark.slow

PLAYERS = 6
KILLS = 4
# Two people at one screen lift one match after the other: fifty of them from each of ten heaps.
ENDLESS = {"game": "nim", "preset": "custom", "nim.heaps": "-".join(["50"] * 10)}
MOVES = [f"{heap}1" for heap in "abcdefghij" for _ in range(50)]


class Player(Thread):
    """Plays one match for as long as the server lives, and notes what was acknowledged."""

    def __init__(self, port, acknowledged, browser, path):
        super().__init__()
        self.browser, self.path, self.acknowledged = browser, path, acknowledged
        self.browser.port = port
        self.moved = Event()

    def run(self):
        try:
            while True:
                record = json.loads(self.browser.request("GET", f"{self.path}.json")[1])
                move = MOVES[len(record["moves"])]
                fields = {"move": move, "revision": record["revision"]}
                answer, _ = self.browser.request("POST", f"{self.path}/moves", fields)
                if answer.status == 503:  # a busy server: come again
                    continue
                assert answer.status == 303
                self.acknowledged[len(record["moves"])] = move
                self.moved.set()
        except (OSError, HTTPException):
            return


def begin(port, opponent):
    browser = Browser(port)
    return browser, browser.begins(opponent=opponent, **ENDLESS), {}


def play_until_killed(server, tables):
    players = [Player(server.port, noted, browser, path) for browser, path, noted in tables]
    for player in players:
        player.start()
    for player in players:
        assert player.moved.wait(60)
    server.kill()
    for player in players:
        player.join(60)


@pytest.mark.soak
def test_every_acknowledged_move_survives_sigkill(serve, tmp_path):
    server = serve(tmp_path)
    tables = [begin(server.port, "person") for _ in range(PLAYERS)]
    for _ in range(KILLS):
        play_until_killed(server, tables)
        with closing(sqlite3.connect(tmp_path / "zermelo.sqlite")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        server = serve(tmp_path)
    kept = {path: Browser(server.port).request("GET", f"{path}.json")[1] for _, path, _ in tables}
    assert server.stop() == 0
    lost = [
        (path, ply)
        for _, path, noted in tables
        for ply, move in noted.items()
        if json.loads(kept[path])["moves"][ply] != move
    ]
    assert lost == []
    with closing(sqlite3.connect(tmp_path / "zermelo.sqlite")) as database:
        plies = database.execute(
            "select count(*), count(distinct ply), max(ply) from moves group by match_id"
        ).fetchall()
    assert len(plies) == PLAYERS
    assert [row for row in plies if len(set(row)) != 1] == []


@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_the_server(serve, tmp_path, number):
    server = serve(tmp_path)
    browser = Browser(server.port)
    path = browser.begins(game="tictactoe", opponent="perfect", starts="opponent")
    browser.request("POST", f"{path}/reply", {"revision": 0})
    offspring = server.descendants()
    assert offspring
    code = server.send(number)
    until = monotonic() + 30
    while any(map(is_alive, offspring)) and monotonic() < until:
        sleep(0.05)
    assert [pid for pid in offspring if is_alive(pid)] == []
    assert code == (-signal.SIGKILL if number == signal.SIGKILL else 0)


def test_a_request_under_way_is_finished_before_the_server_ends(serve, tmp_path):
    server = serve(tmp_path)
    browser = Browser(server.port)
    path = browser.begins(game="nim", opponent="person")
    answers = []

    def move():
        fields = {"move": "e3", "revision": 0}
        answers.append(browser.request("POST", f"{path}/moves", fields)[0].status)

    with closing(sqlite3.connect(tmp_path / "zermelo.sqlite")) as database:
        database.execute("BEGIN IMMEDIATE")  # so that the move has to wait
        mover = Thread(target=move)
        mover.start()
        sleep(0.5)
        os.kill(server.process.pid, signal.SIGTERM)
        sleep(0.5)
        database.rollback()
    mover.join(30)
    assert server.process.wait(30) == 0
    server.process.stdout.close()
    assert answers == [303]
