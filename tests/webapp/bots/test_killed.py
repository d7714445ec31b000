"""Servers killed amid games of a league and of an arena: nothing acknowledged is lost, no game
counts twice, and bots go on by themselves."""

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from random import Random
from time import sleep, time

import pytest

from engine import Match, load_game
from tests.soak import lessened
from tests.webapp.serving.process import Browser, eventually, free_port
from webapp.bots.leagues.models import LeagueRecord
from webapp.bots.leagues.store import LeagueStore
from webapp.bots.routes import CLIENT
from webapp.replays.models import bot_id_of
from webapp.storage.database import Database

pytestmark = pytest.mark.soak

KILLS = lessened(20, 5)
GAMES = lessened(30, 8)  # of a pair in the arena
DAY_S = 86_400
NAMES = ("Ada", "Eve", "Ibex")
CODE = "BCDFG"
# A league begins a round every second, so that there are games whenever the server is killed.
SERVE = (
    "from webapp.bots.leagues import rules; rules.ROUND_S = 1.0; from webapp.cli import cli; cli()"
)
# bot.py, telling what was acknowledged.
PROGRAM = """
import json, sys, time
from bot import Bot, Connection

class Noting(Bot):
    def _post(self, path, body):
        answer = super()._post(path, body)
        print(json.dumps([path.rpartition("/")[2], answer["played"]]), flush=True)
        return answer

def player(document, turn):
    time.sleep(0.15)
    return turn.rng.choice(turn.legal)

def say(line):
    print("#", line, flush=True)

bot = Noting(Connection(sys.argv[1], say), sys.argv[2], sys.argv[3], [], player, say)
bot.join()
bot.play()
"""


class World:
    """A server that is killed and started again, its database, and three bots that play on."""

    def __init__(self, serve, place):
        self.serve, self.place, self.port = serve, place, free_port()
        self.database = Database(f"sqlite:///{place / 'data' / 'zermelo.sqlite'}")
        self.programs = []
        self.amid = 0  # kills while games were played

    def starts(self):
        command = [sys.executable, "-c", SERVE, "serve", "--no-open", "--port", str(self.port)]
        self.server = self.serve(self.place / "data", command=command)

    def joined_by(self, names, code=""):
        (self.place / "bot.py").write_bytes(CLIENT.read_bytes())
        (self.place / "program.py").write_text(PROGRAM)
        address = f"http://127.0.0.1:{self.port}"
        for name in names:
            said = (self.place / f"{name}.txt").open("w")
            command = [sys.executable, "program.py", address, name, code]
            self.programs.append(
                subprocess.Popen(command, cwd=self.place, stdout=said, stderr=subprocess.STDOUT)
            )
            said.close()
            eventually(lambda name=name: "# joined as" in self.told(name))  # one after the other

    def told(self, name):
        return (self.place / f"{name}.txt").read_text()

    def acknowledged(self):
        """(match, revision, move) of every answer that was acknowledged."""
        lines = [line for name in NAMES for line in self.told(name).splitlines(keepends=True)]
        whole = [json.loads(line) for line in lines if line[0] == "[" and line.endswith("\n")]
        for turn, move in whole:
            match, _, revision = turn[1:].rpartition(".")
            yield match, int(revision), move

    def rows(self, statement):
        with self.database.read() as cursor:
            return cursor.execute(statement).fetchall()

    def is_killed_amid_games(self):
        rng = Random(7)
        for _ in range(KILLS):
            before = len(list(self.acknowledged()))
            eventually(lambda before=before: len(list(self.acknowledged())) > before + 3)
            sleep(rng.random() / 2)
            self.server.kill()
            self.amid += bool(self.rows("select id from matches where not over"))
            self.starts()
        before = len(list(self.acknowledged()))
        eventually(lambda: len(list(self.acknowledged())) > before + 3)

    def ends(self):
        for program in self.programs:
            program.send_signal(signal.SIGINT)
            program.wait(60)
        self.database.close()

    def assert_nothing_was_lost(self):
        """Every acknowledged move is stored where it was played, and each match is legal."""
        stored = {}
        moves = {}
        for match, ply, text, revision in self.rows(
            "select match_id, ply, text, revision from moves order by match_id, ply"
        ):
            assert (match, revision) not in stored
            stored[match, revision] = text
            moves.setdefault(match, []).append((ply, text))
        lost = [each for each in self.acknowledged() if stored.get(each[:2]) != each[2]]
        assert lost == []
        game = load_game("tictactoe")
        for played in moves.values():
            assert [ply for ply, _ in played] == list(range(1, len(played) + 1))
            Match.replay(game, (game.parse_move(text) for _, text in played))
        for name in NAMES:
            assert "was refused" not in self.told(name)
            assert "Traceback" not in self.told(name)
        assert self.amid > 0


@pytest.fixture
def world(serve, tmp_path):
    (tmp_path / "data").mkdir()
    made = World(serve, tmp_path)
    made.database.upgrade()
    yield made
    made.ends()


def winners(world):
    """The winner of every match that is over, by replaying it; no game was a forfeit."""
    game, found = load_game("tictactoe"), {}
    for match, fault in world.rows("select id, fault from matches where over"):
        assert fault is None
        moves = world.rows(f"select text from moves where match_id = '{match}' order by ply")
        outcome = Match.replay(game, (game.parse_move(text) for (text,) in moves)).outcome()
        found[match] = None if outcome.winner is None else int(outcome.winner)
    return found


def test_in_a_league(world):
    now = int(time())
    leagues = LeagueStore(world.database)
    league = leagues.make(
        LeagueRecord("", "owner", "Spring", "tictactoe", 2.0, 30.0, CODE, now - 60, now + DAY_S)
    )
    world.starts()
    world.joined_by(NAMES, CODE)
    world.is_killed_amid_games()
    leagues.end(league.id)
    eventually(lambda: leagues.unended() == ())
    world.assert_nothing_was_lost()
    games = leagues.ended_games(league.id)
    told = winners(world)
    assert {game.match_id: game.winner for game in games} == told
    assert len(games) == len(told) > KILLS // 2
    counted = Counter()
    for score in leagues.scores(league.id):
        counted[score.first, score.second] += score.wins + score.draws + score.losses
    assert counted == Counter((game.first, game.second) for game in games)
    at_once = [  # of a bot in this league: one game after the other
        (one.number, two.number)
        for one in games
        for two in games
        for player in set(one.seats) & set(two.seats)
        if one.number < two.number and bot_id_of(player) and two.begun < one.ended
    ]
    assert at_once == []
    _, page = Browser(world.port).request("GET", league.path)
    assert all(name in page for name in NAMES)


def test_in_an_arena(world):
    world.starts()
    world.joined_by(NAMES)
    browser = Browser(world.port)

    def seats():
        _, page = browser.request("GET", "/arena?game=tictactoe")
        return sorted(set(re.findall(r'value="(bot:[^"]+)"', page)))

    eventually(lambda: len(seats()) == len(NAMES))
    fields = [("game", "tictactoe"), ("games", str(GAMES)), ("machine", "random")]
    answer, text = browser.request(
        "POST", "/arena", fields + [("machine", seat) for seat in seats()]
    )
    assert answer.status == 303, text
    path = answer.headers["Location"]
    world.is_killed_amid_games()
    job = path.rpartition("/")[2]

    def state():
        return world.rows(f"select state from jobs where id = '{job}'")[0][0]

    eventually(lambda: state() not in ("queued", "running"))
    assert state() == "done"
    world.assert_nothing_was_lost()
    rows = world.rows(
        "select m.match_id, g.winner, g.fault, g.moves from job_games g"
        " join job_matches m on m.job_id = g.job_id and m.pair = g.pair and m.round = g.round"
    )
    total = 6 * GAMES  # of four players
    assert world.rows("select count(*) from job_games") == [(total,)]
    assert {match: winner for match, winner, _, _ in rows} == winners(world)
    assert len(rows) == total
    assert {fault for _, _, fault, _ in rows} == {None}
    document = json.loads(browser.request("GET", f"{path}.json")[1])["arena"]
    counted = [each["wins"] + each["draws"] + each["losses"] for each in document["players"]]
    assert counted == [3 * GAMES] * 4
