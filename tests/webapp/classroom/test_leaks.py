"""No response leaks a result before its phase.

In each phase every URL is requested by a student, a stranger and the projector; then other
students' answers and names, the ruling and the teacher's data are overwritten in the database;
every response has to be the same to the byte.

The value of a position is no secret, since any machine can be asked for it. But no URL of a class
shows it while its vote is open.
"""

import json
from dataclasses import replace
from functools import partial
from time import sleep

import pytest
from flask import url_for

from engine import Seat
from tests.soak import sampled
from tests.webapp.classroom.people import PLAN, Student, Teacher
from tests.webapp.jobs.working import worked_off
from tests.webapp.visitor import HTMX
from webapp.classroom.models import Scene
from webapp.classroom.store import ClassStore
from webapp.config import Rate
from webapp.jobs.store import JobStore
from webapp.matches.store import MatchStore
from webapp.services import NAME, Clock
from webapp.web.health import Readiness
from webapp.workers.pool import WorkerPool

GAME = "nim:heaps=2-3,last=wins"
UNSEEN = "(select number from class_rounds where phase <> 'revealed')"
OF_OTHERS = "(select answer from class_answers where seat > 1 and length(answer) > 20)"
# Everyone is told whose curve is drawn, and whom all play at once.
PUBLIC = """(coalesce(truth, '') like 'sketch %'
             or exists (select 1 from classes where scene = 'at once'))"""
REWRITE = (
    """update class_answers set answer = 'zz' where seat > 1 and answer not in
       (select id from matches) and round in """
    + UNSEEN,
    # The boards of others are on the screen, their matches' addresses nowhere.
    "pragma defer_foreign_keys = on",
    *(
        f"update {table} set {column} = 'zz' || substr({column}, 3) where {column} in {OF_OTHERS}"
        for table, column in (("moves", "match_id"), ("matches", "id"), ("class_answers", "answer"))
    ),
    "update class_rounds set machine = 'random' where phase <> 'revealed' and not " + PUBLIC,
    """update class_rounds set ruling = '{"why": "because", "source": "us",
       "judgements": [{"answer": "a1", "best": true, "value": 1.0, "proven": true, "plies": 1}]}'
       where phase <> 'revealed'""",
    """update class_rounds set truth = 'is 3 < 4', choices = replace(choices, 'under', 'over')
       where game = '' and phase <> 'revealed'""",
    "update class_seats set name = 'Somebody ' || number where number > 1",
    "update classes set key = 'another', lesson = replace(lesson, 'notes: ', 'notes: Psst. ')",
)
# Values of the other URL variables. A new variable fails the test until it is given one here.
NAMED = {
    "brain_id": "no-brain",
    "bot_id": "no-bot",
    "league_id": "no-league",
    "assignment_id": "no-assignment",
    "puzzle_id": "no-puzzle",
    "task": 1,
    "seat": 1,
    "turn_id": "no-turn",
    "secret": "no-secret",
    "slug": "nim",
    "filename": "css/classroom/class.css",
    "kind": "css",
    "number": 1,
    "one": 1,
    "two": 2,
    "entrant": 1,
}
COUNTS = ("Date", "RateLimit-", "X-Request-ID")  # headers that differ by time and number
KEYS = {
    "machines.machine": "perfect",
    "games.file": "nim",
    "teaching.offered": "no-key",
    "bots.own": "no-key",
    "assignments.offered": "no-key",
    "homework.other_device": "no-key",
}
MATCH_QUERIES = ("?values=1", "?hint=1", "?values=1&show=1", "?values=1&versus=random", "?story=1")
ASKED = {"game": GAME, "machine": "perfect"}
COUNTED = {"seconds": "600"}
# Steps of a class that are one request of the teacher: the action and its fields.
POSTS = {
    "asks": ("rounds", ASKED),
    "asks_counted": ("rounds", ASKED | COUNTED),
    "asks_boardless": (  # about no game: no board, no machine
        "rounds",
        {
            "prompt": "How many sets at least?",
            "choices": "A few = under 4 | Many = over 3",
            "truth": "least-sets set-cover:things=12,sets=9,seed=34",
        },
    ),
    "asks_sketch": (
        "rounds",
        {
            "prompt": "Draw its curve.",
            "truth": "sketch draws 1 10 100 1500 20000",
            "game": "tictactoe",
            "machine": "menace",
        },
    ),
    "plays_at_once": ("at-once", ASKED),
    "plays_teacher_at_once": ("at-once", ASKED | {"do": "teacher"}),
    "stops_games": ("at-once", {"do": "stop"}),
    "plays": ("match", ASKED),
    "plays_counted": ("match", ASKED | COUNTED),
    "moves": ("play", {"move": "b2"}),
    "hears": ("reply", {}),
    "begins_cup": ("cup", {"do": "start"}),
    "ends": ("settings", {"do": "end"}),
}
PHASES = {
    "waiting": (),
    "open": ("asks",),
    "closed": ("asks", "close"),
    "open without a board": ("asks_boardless",),
    "closed without a board": ("asks_boardless", "close"),
    "talking without a board": ("asks_boardless", "close", "talk"),
    "open again without a board": ("asks_boardless", "close", "talk", "again"),
    "out of time": ("asks_counted", "runs_out"),
    "sketch": ("asks_sketch",),
    "sketch closed": ("asks_sketch", "close"),
    "sketch again": ("asks_sketch", "close", "talk", "again"),
    "all at once": ("plays_at_once", "begins_games"),
    "all at once, stopped": ("plays_at_once", "begins_games", "stops_games"),
    "all against the teacher": ("plays_teacher_at_once", "begins_games"),
    "talking": ("asks", "close", "talk"),
    "open again": ("asks", "close", "talk", "again"),
    "closed again": ("asks", "close", "again", "close"),
    "left unrevealed": ("asks", "close", "asks"),
    "first move": ("plays",),
    "first move closed": ("plays", "close"),
    "first move out of time": ("plays_counted", "runs_out"),
    "second move": ("plays", "close", "moves", "hears"),
    "second move closed": ("plays", "close", "moves", "hears", "close"),
    "cup": ("asks", "close", "opens_cup"),
    "cup under way": ("asks", "close", "opens_cup", "begins_cup"),
    "cup over": ("asks", "close", "opens_cup", "begins_cup", "finishes_cup"),
    "class over": ("asks", "close", "ends"),
}


class ClassRun:
    """A class that goes through phases: one student always answers the same, others differ."""

    def __init__(self, app):
        self.services = app.extensions[NAME]
        at = self.services[Clock].now()
        self.services[ClassStore].now = lambda: at  # presence does not expire during the test
        self.teacher = Teacher(app, PLAN)
        self.code = self.teacher.code
        self.student, *self.others = (Student(app, self.code) for _ in range(3))

    @property
    def session(self):
        return self.teacher.session

    @property
    def url_values(self):
        """Values for the variables in URL rules."""
        record = self.session.record
        return NAMED | {
            "class_id": record.id,
            "code": self.code,
            "match_id": record.match_id or self.own_match or "no-match",
            "job_id": self.cup_job,
        }

    @property
    def own_match(self):
        """The student's, where everyone plays at once; once a class is over no phone shows it."""
        match = None if self.session.record.is_over else self.student.phone.data.match
        return match and match.id

    @property
    def cup_job(self):
        """Job of the last cup, which goes on during other rounds."""
        return json.loads(self.session.record.cup or "{}").get("job") or "no-job"

    def goes(self, *steps):
        for step in steps:
            if step in POSTS:
                action, fields = POSTS[step]
                self.teacher.posts(action, **fields)
            else:
                getattr(self, step, partial(self.teacher.does, step))()
            if self.session.phase == "open":
                self.answer()
        return self

    def begins_games(self):
        """Everyone begins and moves; the machine's replies are awaited, so that nothing changes."""
        for one in (self.student, *self.others):
            one.posts("game")
            one.says("a2")
            while one.phone.data.match.agent_is_to_move:
                sleep(0.01)

    def answer(self):
        if self.session.record.scene is Scene.SIMULTANEOUS:
            return
        if self.session.round.question.wants_sketch:
            for one, height in zip((self.student, *self.others), (0, 50, 100), strict=True):
                heights = {"round": str(self.session.round.number), "height": [str(height)] * 5}
                one.posts("answer", vote=str(self.session.round.vote), **heights)
            return
        first, second, *_ = self.session.round.question.answers
        self.student.says(first)
        for other in self.others:
            other.says(second)

    def runs_out(self):
        """Let the deadline of the vote pass."""
        over = self.services[Clock].now() + 700
        self.services[ClassStore].now = lambda: over

    def opens_cup(self):
        self.teacher.opens_cup(games="2")
        for one, machine in zip((self.student, *self.others), ENTERED, strict=True):
            one.enters(machine)

    def finishes_cup(self):
        worked_off(self.services[JobStore])

    def rewritten(self, statements=REWRITE):
        with self.services[MatchStore].database.write() as cursor:
            for statement in statements:
                cursor.execute(statement)


ENTERED = ("random", "perfect", "random")


@pytest.fixture
def app(start):
    """One of which a visitor may ask for every address, also of a class that has ended."""
    return start(rates_guess=Rate(1.0, 1000.0))


@pytest.fixture
def run(app):
    # No coordinator takes the cup's job, which `/readyz` reports after twenty seconds.
    app.extensions[NAME][Readiness].now = lambda: (True, True, True)
    return ClassRun(app)


def all_urls(app, url_values):
    """Every GET URL but the operator's; raises KeyError for a rule with an unknown variable."""
    rules = [
        rule
        for rule in app.url_map.iter_rules()
        if "GET" in rule.methods and rule.endpoint != "metrics.show"
    ]
    with app.test_request_context():
        return [path for rule in rules for path in rule_urls(rule, url_values)]


def rule_urls(rule, url_values):
    """URLs of a rule; those of a match also with each query."""
    values = url_values | {"key": KEYS.get(rule.endpoint, "")}
    path = url_for(rule.endpoint, **{name: values[name] for name in rule.arguments})
    queries = MATCH_QUERIES if "match_id" in rule.arguments else ()
    return [path, *(path + query for query in queries)]


def responses(visitor, paths):
    """All responses to a visitor, as pages and as partials."""
    return {
        (path, part): without_date(visitor.client.get(path, headers=HTMX if part else {}))
        for path in paths
        for part in (False, True)
    }


def without_date(answer):
    """Status, headers and body of a response, without its date."""
    with answer:
        headers = sorted(each for each in answer.headers if not each[0].startswith(COUNTS))
        return answer.status_code, headers, answer.get_data()


def open_rules(*visitors):
    """Mark visitors as having read the rules: pages greet newcomers differently."""
    for visitor in visitors:
        visitor.get("/how-to-play")


def stop_clock(app):
    """Pages that time an answer tell when they were asked for."""
    services = app.extensions[NAME]
    now = services[Clock].now()
    services[Clock] = Clock(lambda: now)


def all_responses(run, stranger):
    """Responses to a student and a stranger, and the projector in the teacher's browser."""
    paths = all_urls(run.student.app, run.url_values)
    screen = responses(run.teacher, [f"{run.teacher.path}/screen"])
    by_visitor = {"student": responses(run.student, paths), "stranger": responses(stranger, paths)}
    return {
        (who, *asked): answer
        for who, answers in (by_visitor | {"screen": screen}).items()
        for asked, answer in answers.items()
    }


def differing_keys(one, other):
    """Keys of the responses that differ."""
    return [asked for asked in one | other if one.get(asked) != other.get(asked)]


IN_EVERY_TEST = ("open", "closed", "open without a board", "second move closed", "cup under way")


@pytest.mark.slow
@pytest.mark.parametrize("steps", sampled(PHASES, *IN_EVERY_TEST))
def test_no_address_tells_before_its_time_what_others_said_or_what_is_right(run, stranger, steps):
    run.goes(*steps)
    open_rules(run.student, stranger)
    stop_clock(run.student.app)
    before = all_responses(run, stranger)
    run.rewritten()
    assert differing_keys(before, all_responses(run, stranger)) == []


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        (("asks", "close", "reveal"), "screen"),
        (("asks", "close", "reveal"), "report"),
        (("asks_boardless", "close", "reveal"), "screen"),
        (("asks_boardless", "close", "reveal"), "report"),
        (("plays", "close", "moves", "hears"), "report"),
    ],
)
def test_what_is_compared_does_differ_once_it_is_revealed(run, stranger, steps, path):
    paths = [f"{run.goes(*steps).teacher.path}/{path}"]
    before = responses(stranger, paths)
    run.rewritten(statement.replace("<> 'revealed'", "= 'revealed'") for statement in REWRITE)
    assert responses(stranger, paths) != before


def test_what_is_compared_are_addresses_of_the_class_of_its_match_and_of_its_cup(run):
    run.goes("plays", "close", "opens_cup", "begins_cup")
    paths = all_urls(run.student.app, run.url_values)
    match, cup = run.session.record.match_id, run.cup_job
    assert {
        f"{run.teacher.path}/screen",
        f"/c/{run.code}/now",
        f"/matches/{match}/story?story=1",
        f"/matches/{match}.json",
        f"/jobs/{cup}/standings.csv",
        f"/jobs/{cup}/games/1/analysis",
    } <= set(paths)


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["first move", "first move closed", "second move"])
def test_no_machine_is_asked_by_any_address_of_a_match_that_a_class_votes_on(
    run, stranger, monkeypatch, phase
):
    run.goes(*PHASES[phase])
    match_id = run.session.record.match_id
    urls = all_urls(run.student.app, run.url_values)
    paths = [path for path in urls if match_id in path and not path.startswith("/embed")]  # off
    asked = []
    monkeypatch.setattr(run.services[WorkerPool], "ask", lambda *question: asked.append(question))
    answers = [responses(one, paths) for one in (run.student, stranger, run.teacher)]
    assert asked == []
    assert {status for found in answers for status, *_ in found.values()} == {200, 409}


def test_after_its_end_machines_speak_about_a_match_of_a_class(run, stranger):
    run.goes("plays", "close", "moves", "hears")
    stranger.path = f"/matches/{run.session.record.match_id}"
    assert stranger.at("?values=1").unadvised.startswith("While a class votes")
    run.services[MatchStore].change(
        stranger.path[9:], lambda now: replace(now, resigned=Seat.SECOND)
    )
    assert stranger.at("?ply=0&values=1").analysis.rows
    assert stranger.at("?story=1").story is not None


# POSTs by which anybody may start something of their own.
OWN = {"matches.replay_play_on", "matches.rematch", "arena.again", "arena.replay_play_on"}


def test_nothing_that_others_post_tells_or_changes_more(run, stranger):
    run.goes("plays", "close", "opens_cup", "begins_cup", "asks")
    services, url_values = run.services, run.url_values
    before = (
        run.session,
        services[MatchStore].find(url_values["match_id"]),
        services[JobStore].find(run.cup_job),
    )
    fields = {"do": "reveal", "round": "2", "vote": "1", "machine": "perfect", "move": "b1"}
    fields |= {"revision": "0", "answer": "b1"}
    rules = [
        rule
        for rule in stranger.app.url_map.iter_rules()
        if "POST" in rule.methods and {"class_id", "match_id", "job_id"} & set(rule.arguments)
    ]
    with stranger.app.test_request_context():
        paths = {rule.endpoint: rule_urls(rule, url_values)[0] for rule in rules}
    refused = {
        endpoint: {one.post(path, fields).status_code for one in (run.student, stranger)}
        for endpoint, path in paths.items()
        if endpoint not in OWN
    }
    assert {endpoint: found for endpoint, found in refused.items() if found - {401, 403, 404}} == {}
    assert (
        run.session,
        services[MatchStore].find(url_values["match_id"]),
        services[JobStore].find(run.cup_job),
    ) == before
