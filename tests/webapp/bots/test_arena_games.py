"""Bots in arenas and in the cup of a class: awaited by nobody, counted once, forfeited if away."""

from random import Random
from time import monotonic

import pytest

from tests.webapp.bots.program import ELSEWHERE, Program, fixed_clock
from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.jobs.working import HereAndNow
from tests.webapp.visitor import Visitor
from webapp.bots.arena_games import ArenaGames
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.models import JobState
from webapp.jobs.store import JobStore
from webapp.services import NAME

pytestmark = pytest.mark.stores

NOW = 2_000_000_000.0


class Contest:
    """An arena at `path`, its coordinator, and the programs that play in it."""

    def __init__(self, app, path, *programs):
        self.services = app.extensions[NAME]
        self.store, self.id = self.services[JobStore], path.rpartition("/")[2]
        self.programs, self.rng = programs, Random(3)
        self.coordinator = Coordinator(self.store, HereAndNow())

    @property
    def record(self):
        return self.store.find(self.id)

    def goes_on(self):
        """One turn of everybody; whoever counts games looks at once."""
        self.services[ArenaGames].go_on()
        self.services[ArenaGames].go_on()
        for held in self.coordinator._jobs.values():
            held.next_count = 0.0
        self.coordinator.turn()
        for program in self.programs:
            turn = program.turn()
            if turn["turn"]:
                program.plays(self.rng.choice(turn["legal"]), turn["turn"])

    def ends(self, seconds=120):
        until = monotonic() + seconds
        while not self.record.state.is_over:
            assert monotonic() < until
            self.goes_on()
        assert self.record.state is JobState.DONE, self.record
        return self


def arena(visitor, *machines, games=2, status=303, **fields):
    sent = visitor.post(
        "/arena", {"game": "tictactoe", "machine": list(machines), "games": str(games)} | fields
    )
    assert sent.status_code == status, sent.text
    return sent.location


def seat(program):
    return f"bot:{program.id}:{program.joined['name']}"


@pytest.fixture
def ada(app):
    return Program(app, "Ada").arrives()


@pytest.fixture
def eve(app):
    return Program(app, "Eve").arrives()


def test_bots_and_machines_play_an_arena_each_game_once(app, ada, eve):
    visitor = Visitor(app)
    page = visitor.get("/arena?game=tictactoe").text
    assert "Bots here now" in page
    contest = Contest(app, arena(visitor, seat(ada), seat(eve), "random", "perfect"), ada, eve)
    contest.goes_on()
    contest.coordinator.close()  # killed: another goes on
    contest.coordinator = Coordinator(contest.store, HereAndNow())
    contest.ends()
    record = contest.record
    assert (record.step, record.total) == (12, 12)
    games = contest.store.games(contest.id)
    assert len({game.key for game in games}) == len(games) == 12
    assert all(game.fault is None for game in games)
    played = {
        game["match"]: game
        for one in (ada, eve)
        for game in one.call("GET", f"/api/1/bots/{one.id}/games").json["games"]
    }
    assert len(played) == 10  # all but the two machines'
    assert all(game["rated"] and game["result"] for game in played.values())
    text = visitor.get(f"/jobs/{contest.id}").text
    assert "Ada · bot" in text
    assert "against bots machines look at 500 positions a move" in text
    for number in range(1, 13):
        assert visitor.get(f"/jobs/{contest.id}/games/{number}").status_code == 200
    assert visitor.get(f"/jobs/{contest.id}/standings.csv").text.count("bot:") == 2


def test_games_that_ended_while_no_coordinator_ran_are_counted(app, ada):
    contest = Contest(app, arena(Visitor(app), seat(ada), "random"), ada)
    contest.coordinator = Coordinator(contest.store, HereAndNow(), {}.get)
    contest.coordinator.turn = lambda: None
    while len(contest.store.games(contest.id)) < 2:
        contest.goes_on()
    contest.coordinator = Coordinator(contest.store, HereAndNow())
    contest.ends()
    assert contest.record.step == 2


def test_who_is_away_forfeits_and_who_comes_back_in_time_does_not(app):
    hand = fixed_clock(app, NOW)
    ada, eve = Program(app, "Ada").arrives(), Program(app, "Eve").arrives()
    contest = Contest(app, arena(Visitor(app), seat(ada), "random", "perfect"))
    hand.now += 200  # away, but waited for
    until = monotonic() + 120
    while contest.record.step < 2:  # of the machines; a busy machine plays one at a time
        assert monotonic() < until
        contest.goes_on()
    contest.goes_on()
    assert contest.record.step == 2
    hand.now += 101
    contest.ends()
    lost = [game for game in contest.store.games(contest.id) if game.fault]
    assert [game.fault for game in lost] == ["was away for 5 minutes"] * 4
    assert "Ada · bot forfeits" in Visitor(app).get(f"/jobs/{contest.id}/games/1").text
    assert eve.call("DELETE", f"/api/1/bots/{eve.id}").status_code == 204


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"machines": ["bot:bnone22:Ada", "random"]}, "This bot is not here"),
        ({"games": 300}, "at most 500"),
    ],
)
def test_bots_that_are_not_here_and_too_many_games_are_refused(app, ada, fields, why):
    visitor = Visitor(app)
    machines = fields.pop("machines", [seat(ada), "random", "perfect"])
    arena(visitor, *machines, status=422, **fields)
    assert why in visitor.seen["form"].message.text


def test_a_bot_from_a_laptop_and_a_machine_from_a_phone_play_the_cup(app):
    teacher = Teacher(app)
    student = Student(app, teacher.code)
    teacher.opens_cup(games="2")
    student.enters("random")
    assert not teacher.control.cup.ready
    ada = Program(app, "Ada", ["tictactoe"], ELSEWHERE, teacher.code).arrives()
    Program(app, "Eve", ["nim"], ELSEWHERE, teacher.code).arrives()  # plays something else
    assert teacher.control.cup.entered == "1 student has entered 1 machine; 1 bot is here (Ada)"
    teacher.posts("cup", do="start")
    contest = Contest(app, teacher.control.cup.url, ada).ends()
    assert contest.record.total == 2
    assert [row.machine for row in teacher.screen.cup.rows if "bot" in row.machine] == ["Ada · bot"]
    assert student.get(student.path).status_code == 200
