"""Agents at thought: once per question, in fair turns, and replaced where they fail."""

import logging
import os
import signal
from threading import Event, Lock
from time import monotonic

import pytest

from engine import load_game
from tests.webapp.thinking.misbehaviour import MISBEHAVING, Misbehaving
from tests.webapp.visitor import HTMX, OWN_PAGE, AtOnce, InProcess, Never, Visitor
from webapp.thinking import pool
from webapp.thinking.desk import DiedError, OverrunError, ProcessDesk
from webapp.thinking.pool import Bounds, Thinking
from webapp.thinking.questions import Question
from webapp.thinking.queueing import Rank
from webapp.thinking.warming import first_questions, warm_up
from webapp.web.errors import BusyError

LONG = 60  # seconds; a wait for a condition that comes much sooner
LARGE = 1 << 40  # bytes


def until(holds):
    """Wait for a condition that another thread brings about."""
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end


def question(agent="random", moves=(), seed="1"):
    return Question("tictactoe", None, moves, agent, seed=seed)


@pytest.fixture
def thinking_with():
    made = []

    def make(desk, **bounds):
        usual = {"desks": 1, "queue": 16, "each": 16, "grace": 0.3, "first_grace": 0.3}
        made.append(Thinking(desk, Bounds(**(usual | bounds))))
        return made[-1]

    yield make
    for thinking in made:
        thinking.close()


class Counting(InProcess):
    """Counts what it is asked, over all desks."""

    asked = 0

    def think(self, *asked):
        type(self).asked += 1
        return super().think(*asked)


class Held(InProcess):
    """Thinks when it is told to, and remembers in which order."""

    def __init__(self, gate, order):
        self.gate, self.order, self.lock = gate, order, Lock()

    def think(self, question, seconds, deadline):
        assert self.gate.wait(LONG)
        with self.lock:
            self.order.append(question.seed)
        return super().think(question, seconds, deadline)


@pytest.fixture
def held(thinking_with):
    """(thinking, gate, order): one desk that has begun on a first thought and waits."""
    gate, order = Event(), []
    thinking = thinking_with(lambda _: Held(gate, order), desks=1)
    thinking._accepts = lambda number, place: number == 1
    thinking.ask(question(seed="first"), 1.0, Rank.REPLY, "anyone")
    return thinking, gate, order


def test_a_question_is_thought_once_however_often_it_is_asked(thinking_with):
    Counting.asked = 0
    thinking = thinking_with(Counting)
    answers = [thinking.ask(question(), 0.2).wait(LONG) for _ in range(3)]
    assert Counting.asked == 1
    assert answers[0] is answers[2]


def test_the_same_seed_gives_the_same_move_and_another_question_its_own():
    seeds = [str(number) for number in range(12)]
    one, other = (
        [thinking.ask(question(seed=seed), 0.2).wait(LONG).move for seed in seeds]
        for thinking in (AtOnce(), AtOnce())
    )
    assert one == other
    assert len(set(one)) > 1


def test_replies_come_before_panels_and_panels_before_stories(held):
    thinking, gate, order = held
    asked = [
        thinking.ask(question(seed=rank.name), 1.0, rank, rank.name) for rank in reversed(Rank)
    ]
    gate.set()
    assert all(pending.wait(LONG) for pending in asked)
    assert order == ["first", "REPLY", "PANEL", "STORY", "WARMING"]


def test_who_asks_for_much_does_not_hold_up_who_asks_for_little(held):
    thinking, gate, order = held
    thinking._queue.spent("greedy", 30.0, thinking._clock())
    asked = [
        thinking.ask(question(seed=f"greedy {number}"), 1.0, Rank.PANEL, "greedy")
        for number in range(5)
    ]
    asked.append(thinking.ask(question(seed="modest"), 1.0, Rank.PANEL, "modest"))
    gate.set()
    assert all(pending.wait(LONG) for pending in asked)
    assert order[:2] == ["first", "modest"]


def test_a_panel_that_is_now_wanted_for_a_reply_is_hastened(held):
    thinking, gate, order = held
    thinking.ask(question(seed="panel"), 0.5, Rank.PANEL, "a")
    late = thinking.ask(question(seed="wanted"), 0.5, Rank.PANEL, "b")
    assert thinking.ask(question(seed="wanted"), 5.0, Rank.REPLY, "b") is late
    assert late.seconds == 5.0
    gate.set()
    assert late.wait(LONG)
    assert order[:2] == ["first", "wanted"]


def test_one_visitor_has_only_so_much_under_way():
    thinking = Never(Bounds(each=2))
    thinking.ask(question(seed="1"), 1.0, Rank.PANEL, "me")
    thinking.ask(question(seed="2"), 1.0, Rank.PANEL, "me")
    with pytest.raises(BusyError, match="a lot to think about at once"):
        thinking.ask(question(seed="3"), 1.0, Rank.PANEL, "me")
    assert thinking.ask(question(seed="3"), 1.0, Rank.PANEL, "you")


def test_a_full_queue_is_refused():
    thinking = Never(Bounds(queue=2))
    thinking.ask(question(seed="1"), 1.0, Rank.REPLY, "a")
    thinking.ask(question(seed="2"), 1.0, Rank.REPLY, "b")
    with pytest.raises(BusyError, match="every opponent is thinking already"):
        thinking.ask(question(seed="3"), 1.0, Rank.REPLY, "c")


def test_in_a_full_queue_a_reply_takes_the_place_of_a_story():
    thinking = Never(Bounds(queue=2))
    panel = thinking.ask(question(seed="1"), 1.0, Rank.PANEL, "a")
    story = thinking.ask(question(seed="2"), 1.0, Rank.STORY, "b")
    thinking.ask(question(seed="3"), 1.0, Rank.REPLY, "c")
    assert story.wait(0).analysis is None
    assert not panel.is_done
    assert thinking.ask(question(seed="1"), 1.0, Rank.PANEL, "a") is panel


def test_a_question_in_the_queue_may_be_asked_again():
    thinking = Never(Bounds(queue=1))
    assert thinking.ask(question(), 1.0) is thinking.ask(question(), 1.0)


def test_an_instant_agent_never_waits_behind_slow_ones(thinking_with):
    gate = Event()

    class Slow(InProcess):
        def think(self, question, seconds, deadline):
            assert question.agent == "random" or gate.wait(LONG)
            return super().think(question, seconds, deadline)

    thinking = thinking_with(Slow, desks=2)
    slow = [
        thinking.ask(question("minimax", seed=str(seed)), 5.0, Rank.REPLY, f"slow {seed}")
        for seed in range(6)
    ]
    assert thinking.ask(question("random"), 5.0, Rank.REPLY, "quick").wait(LONG).analysis
    assert not any(pending.is_done for pending in slow)
    gate.set()
    assert all(pending.wait(LONG) for pending in slow)


def test_a_reply_never_waits_behind_long_looks(thinking_with):
    gate = Event()

    class Long(InProcess):
        def think(self, question, seconds, deadline):
            assert question.seed == "reply" or gate.wait(LONG)
            return super().think(question, seconds, deadline)

    thinking = thinking_with(Long, desks=2)
    looks = [
        thinking.ask(question("minimax", seed=f"look {at}"), 5.0, Rank.PANEL, f"looker {at}")
        for at in range(4)
    ]
    reply = thinking.ask(question("minimax", seed="reply"), 5.0, Rank.REPLY, "player")
    assert reply.wait(LONG).analysis is not None
    assert not any(pending.is_done for pending in looks)
    gate.set()
    assert all(pending.wait(LONG) for pending in looks)


def test_what_had_to_wait_for_the_processor_is_quick_all_the_same(thinking_with):
    class Starved(InProcess):
        def think(self, question, seconds, deadline):
            Event().wait(2 * pool.QUICK)
            return super().think(question, seconds, deadline)

    thinking = thinking_with(Starved)
    thinking.ask(question(), 5.0).wait(LONG)
    assert thinking._is_quick(question(seed="2"))


def test_who_thinks_long_steps_back_for_pages_and_quick_replies(thinking_with):
    thinking = thinking_with(InProcess, desks=2)
    assert [desk.courtesy for desk in thinking.desks] == [0, pool.COURTESY, pool.COURTESY]


def test_looks_of_a_crowd_are_short_whether_asked_for_before_or_after_it_came(held):
    thinking, gate, _ = held
    looks = [
        thinking.ask(question("minimax", seed=f"look {at}"), 5.0, Rank.PANEL, f"looker {at}")
        for at in range(12)
    ]
    assert looks[0].seconds == 5.0
    gate.set()
    assert all(look.wait(LONG) for look in looks)
    assert [look.seconds for look in looks] == [pool.SHORT] * len(looks)


def test_what_is_not_as_quick_as_it_was_taken_for_waits_for_another_desk(thinking_with):
    seen = []

    class Strict(InProcess):
        def think(self, question, seconds, deadline):
            seen.append(deadline)
            if deadline == pool.QUICK_GRACE:
                raise OverrunError("too slow")
            return super().think(question, seconds, deadline)

    thinking = thinking_with(Strict, grace=7.0, first_grace=7.0)
    thinking._accepts = lambda number, place: (number == 0) is (not seen)
    assert thinking.ask(question(), 0.5, visitor="one").wait(LONG).analysis is not None
    assert seen == [pool.QUICK_GRACE, 7.5]
    assert thinking.is_idle


def test_whose_process_died_is_asked_once_more(thinking_with):
    deaths = []

    class Mortal(InProcess):
        def think(self, *asked):
            if not deaths:
                deaths.append(1)
                raise DiedError("killed from outside")
            return super().think(*asked)

    thinking = thinking_with(Mortal)
    assert thinking.ask(question(), 0.5).wait(LONG).analysis is not None


PLACES = ["desk", "substitute", "log", "failed", "troubles"]


@pytest.mark.parametrize("place", PLACES)
def test_whatever_raises_the_next_question_is_answered(thinking_with, monkeypatch, place):
    failing = Event()
    failing.set()

    class Desk(InProcess):
        def think(self, *asked):
            if failing.is_set():
                raise ValueError("at the desk")
            return super().think(*asked)

    def raising(name, real):
        def called(*args, **named):
            if failing.is_set():
                raise ValueError(name)
            return real(*args, **named)

        return called

    thinking = thinking_with(Desk, desks=1)
    broken = {
        "desk": lambda: None,
        "substitute": lambda: monkeypatch.setattr(
            pool, "substitute", raising("substitute", pool.substitute)
        ),
        "log": lambda: monkeypatch.setattr(pool.log, "warning", raising("log", print)),
        "failed": lambda: monkeypatch.setattr(
            thinking, "_failed", raising("failed", thinking._failed)
        ),
        "troubles": lambda: monkeypatch.setattr(
            thinking._troubles, "rests", raising("rests", thinking._troubles.rests)
        ),
    }
    broken[place]()
    assert thinking.ask(question(seed="bad"), 1.0).wait(LONG).analysis is None
    failing.clear()
    assert thinking.ask(question(seed="good"), 1.0).wait(LONG).analysis is not None
    assert thinking.is_idle
    assert thinking.is_alive


@pytest.mark.slow
@pytest.mark.parametrize("agent", MISBEHAVING)
def test_an_agent_that_fails_is_replaced_by_a_legal_move(thinking_with, agent, caplog):
    thinking = thinking_with(Misbehaving, first_grace=3.0)
    thinking._accepts = lambda number, place: number == 1
    with caplog.at_level(logging.WARNING):
        answer = thinking.ask(question(agent, moves=("b2",)), 0.2).wait(LONG)
    legal = load_game("tictactoe").parse_state(".../.x./... o").legal_moves()
    assert answer.move in map(str, legal)
    assert answer.analysis is None
    assert answer.note.startswith("any legal move was played in its place")
    assert len(answer.note) <= 300
    assert f"'{agent}' is replaced for one move" in caplog.text
    assert thinking.ask(question("random"), 0.2).wait(LONG).analysis is not None


@pytest.mark.slow
def test_who_thinks_beside_a_crash_does_not_notice(thinking_with):
    thinking = thinking_with(Misbehaving, desks=2, queue=40, each=40)
    asked = [thinking.ask(question("random", seed=str(seed)), 0.2) for seed in range(8)]
    crashed = thinking.ask(question("crashing"), 0.2)
    asked += [thinking.ask(question("random", seed=str(seed)), 0.2) for seed in range(8, 16)]
    assert crashed.wait(LONG).analysis is None
    assert [thought.wait(LONG).note for thought in asked] == [None] * 16


@pytest.mark.slow
def test_who_dies_again_and_again_is_given_a_rest(thinking_with):
    thinking = thinking_with(Misbehaving, first_grace=3.0)
    notes = [
        thinking.ask(question("crashing", seed=str(seed)), 0.2).wait(LONG).note for seed in range(3)
    ]
    assert ["rest" in note for note in notes] == [False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_is_killed_or_stopped_is_replaced(thinking_with, number):
    thinking = thinking_with(
        lambda courtesy: ProcessDesk(LARGE, courtesy), grace=1.0, first_grace=10.0
    )
    thinking._accepts = lambda number, place: number == 1
    assert thinking.ask(question(seed="1"), 0.2).wait(LONG).analysis is not None
    before = thinking.desks[1].pid
    os.kill(before, number)
    thinking.ask(question(seed="2"), 0.2).wait(LONG)
    assert thinking.ask(question(seed="3"), 0.2).wait(LONG).analysis is not None
    assert thinking.desks[1].pid != before


@pytest.mark.slow
def test_a_process_that_has_grown_too_large_is_replaced(thinking_with):
    thinking = thinking_with(lambda courtesy: ProcessDesk(1, courtesy), first_grace=10.0)
    thinking._accepts = lambda number, place: number == 1
    assert thinking.ask(question(), 0.2).wait(LONG).analysis is not None
    assert thinking.desks[1].pid is None
    assert thinking.ask(question(seed="2"), 0.2).wait(LONG).analysis is not None


@pytest.mark.slow
def test_closing_ends_processes_deep_in_thought(thinking_with):
    thinking = thinking_with(Misbehaving, first_grace=60.0)
    thinking._accepts = lambda number, place: number == 1
    thinking.ask(question("random"), 0.2).wait(LONG)
    pending = thinking.ask(question("deaf"), 60.0)
    process = thinking.desks[1]._process
    until(lambda: pending in thinking._running)
    thinking.close()
    process.join(LONG)
    assert process.exitcode is not None
    assert pending.wait(LONG) is not None


def test_a_busy_server_says_when_to_come_back(start):
    visitor = Visitor(start(Never, queue=1))
    visitor.begins("tictactoe", "perfect", starts="opponent")
    visitor.begins("tictactoe", "perfect", starts="opponent")
    answer = visitor.does("reply", headers=OWN_PAGE | HTMX)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"
    assert visitor.template == "play/_match.html"


def test_who_only_looks_gets_a_short_thought_in_a_crowd_and_is_told_so(start, monkeypatch):
    monkeypatch.setattr(AtOnce, "crowded", True)
    visitor = Visitor(start(AtOnce, think_seconds=5.0))
    visitor.begins("tictactoe", "person")
    assert visitor.at("?values=1&agent=perfect").analysis.hurried


def test_a_substitute_move_is_played_and_the_board_says_so(visitor, monkeypatch):
    # As in a match that was stored before forms refused it.
    monkeypatch.setattr("webapp.lobby.setup.ready_spec", lambda spec, game, seconds: spec)
    visitor.begins("tictactoe", "random", **{"opponent.random.by": "heap"})
    visitor.moves("b2")
    match = visitor.hears()
    assert match.ply == 2
    assert match.message.text == (
        "Random · by heap fails to answer: any legal move was played in its place: "
        "random:by=heap cannot play tictactoe: it has no heaps."
    )


@pytest.mark.stores
def test_ready_means_that_database_and_workers_answer(visitor):
    answer = visitor.client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json == {"database": True, "workers": True}


def test_up_means_that_the_server_answers(visitor):
    assert visitor.client.get("/healthz").text == "ok\n"


def test_without_its_desks_the_server_is_not_ready(start):
    app = start(AtOnce)
    app.extensions["zermelo"].thinking.close()
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json == {"database": True, "workers": False}


class Echo(InProcess):
    """Keeps what it is asked, and lets the gentlest agent answer for all."""

    agents = []  # noqa: RUF012 - for one test

    def think(self, question, seconds, deadline):
        self.agents.append((question.game, question.agent))
        random = Question(question.game, None, (), "random", question.seed)
        return super().think(random, seconds, deadline)


def test_every_agent_of_every_game_is_asked_once_at_the_start(thinking_with):
    Echo.agents = []
    thinking = thinking_with(Echo)
    warm_up(thinking, 0.2).join(LONG)
    asked = [(question.game, question.agent) for question in first_questions()]
    assert Echo.agents == asked
    assert thinking.has_answered("perfect:skill=0.5")


class Build:
    """Stands for a process that works for minutes."""

    def __init__(self):
        self.ended = Event()
        self.begun_after = None

    def begin(self):
        self.begun_after = len(Echo.agents)
        return self

    def is_alive(self):
        return not self.ended.is_set()

    def join(self, seconds):
        self.ended.wait(seconds)

    def kill(self):
        self.ended.set()


def test_what_takes_minutes_begins_once_every_agent_has_answered(thinking_with):
    Echo.agents, build = [], Build()
    build.ended.set()
    warm_up(thinking_with(Echo), 0.2, build.begin).join(LONG)
    assert build.begun_after == len(list(first_questions()))


def test_what_takes_minutes_ends_with_the_desks(thinking_with):
    Echo.agents, build = [], Build()
    thinking = thinking_with(Echo)
    warming = warm_up(thinking, 0.2, lambda: (thinking.close(), build.begin())[1])
    warming.join(LONG)
    assert build.ended.is_set()
    assert not warming.is_alive()
