"""Agents at thought: once per question, bounded, and replaced where they fail."""

import logging
import os
import signal
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import replace
from threading import Event

import pytest

from engine import load_game
from tests.webapp.thinking.misbehaviour import MISBEHAVING, processes
from tests.webapp.visitor import HTMX, OWN_PAGE, AtOnce, Never, Visitor
from webapp.thinking.pool import Thinking
from webapp.thinking.questions import Question
from webapp.thinking.warming import first_questions, warm_up
from webapp.thinking.workers import Ushered, workers
from webapp.web.errors import BusyError

LONG = 60  # seconds; a wait for a condition that comes much sooner


def question(agent="random", moves=(), seed="1"):
    return Question("tictactoe", None, moves, agent, seconds=0.2, seed=seed)


@pytest.fixture
def thinking_with():
    made = []

    def make(make_executor, **settings):
        usual = {"slots": 2, "queue": 8, "grace": 0.3, "first_grace": 0.3}
        thinking = Thinking(make_executor, **(usual | settings))
        made.append(thinking)
        return thinking

    yield make
    for thinking in made:
        thinking.close()


class Counting(AtOnce):
    """Counts what it is asked."""

    def __init__(self):
        self.asked = 0

    def submit(self, function, /, *arguments, **named):
        self.asked += 1
        return super().submit(function, *arguments, **named)


def test_a_question_is_thought_once_however_often_it_is_asked(thinking_with):
    executor = Counting()
    thinking = thinking_with(lambda: executor)
    answers = [thinking.ask(question()).wait(LONG) for _ in range(3)]
    assert executor.asked == 1
    assert answers[0] is answers[2]


def test_the_same_seed_gives_the_same_move_and_another_question_its_own(thinking_with):
    one, other = thinking_with(AtOnce), thinking_with(AtOnce)
    seeds = [str(number) for number in range(12)]
    moves = [
        [thinking.ask(question(seed=seed)).wait(LONG).move for seed in seeds]
        for thinking in (one, other)
    ]
    assert moves[0] == moves[1]
    assert len(set(moves[0])) > 1


def test_a_full_queue_is_refused(thinking_with):
    thinking = thinking_with(Never, queue=2)
    thinking.ask(question(seed="1"))
    thinking.ask(question(seed="2"))
    with pytest.raises(BusyError, match="every opponent is thinking already"):
        thinking.ask(question(seed="3"))


def test_a_question_in_the_queue_may_be_asked_again(thinking_with):
    thinking = thinking_with(Never, queue=1)
    assert thinking.ask(question()) is thinking.ask(question())


@pytest.mark.slow
@pytest.mark.parametrize("agent", MISBEHAVING)
def test_an_agent_that_fails_is_replaced_by_a_legal_move(thinking_with, agent, caplog):
    thinking = thinking_with(processes)
    with caplog.at_level(logging.WARNING):
        answer = thinking.ask(question(agent, moves=("b2",))).wait(LONG)
    legal = load_game("tictactoe").parse_state(".../.x./... o").legal_moves()
    assert answer.move in map(str, legal)
    assert answer.analysis is None
    assert answer.note.startswith("any legal move was played in its place")
    assert f"{agent} is replaced for one move" in caplog.text


@pytest.mark.slow
def test_after_a_crash_the_next_question_is_answered(thinking_with):
    thinking = thinking_with(processes)
    thinking.ask(question("crashing")).wait(LONG)
    assert thinking.ask(question("random")).wait(LONG).analysis is not None


@pytest.mark.slow
def test_those_beside_a_crash_are_asked_again(thinking_with):
    thinking = thinking_with(lambda: processes(2), queue=20)
    asked = [thinking.ask(question("random", seed=str(seed))) for seed in range(8)]
    crashed = thinking.ask(question("crashing"))
    asked += [thinking.ask(question("random", seed=str(seed))) for seed in range(8, 16)]
    assert crashed.wait(LONG).analysis is None
    assert [thought.wait(LONG).note for thought in asked] == [None] * 16


@pytest.mark.slow
def test_a_killed_worker_is_noticed_and_replaced(thinking_with):
    thinking = thinking_with(lambda: workers(1))
    assert thinking.answers(LONG)
    os.kill(thinking._executor.processes[0].pid, signal.SIGKILL)
    assert thinking.ask(question()).wait(LONG).analysis is not None
    assert thinking.answers(LONG)


class Starting(ProcessPoolExecutor):
    """Takes its time: whoever asks it waits until the gate is open."""

    def __init__(self):
        super().__init__(1)
        self.gate = Event()

    def submit(self, function, /, *arguments, **named):
        assert self.gate.wait(LONG)
        return AtOnce().submit(function, *arguments, **named)


def test_nobody_who_asks_waits_for_workers_that_are_still_starting():
    pool = Starting()
    ushered = Ushered(pool)
    answers = [ushered.submit(abs, -number) for number in range(3)]
    assert not any(answer.done() for answer in answers)
    pool.gate.set()
    assert [answer.result(LONG) for answer in answers] == [0, 1, 2]
    ushered.shutdown()


def test_what_an_agent_raises_and_what_no_worker_takes_comes_back_to_who_asked():
    pool = Starting()
    pool.gate.set()
    ushered = Ushered(pool)
    assert isinstance(ushered.submit(abs, "x").exception(LONG), TypeError)
    pool.submit = Dead().submit
    assert isinstance(ushered.submit(abs, 1).exception(LONG), BrokenExecutor)
    ushered.shutdown(cancel_futures=True)


def test_a_busy_server_says_when_to_come_back(start):
    visitor = Visitor(start(Never, queue=1))
    visitor.begins("tictactoe", "perfect", starts="opponent")
    visitor.begins("tictactoe", "perfect", starts="opponent")
    answer = visitor.does("reply", headers=OWN_PAGE | HTMX)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"
    assert visitor.template == "play/_match.html"


def test_a_substitute_move_is_played_and_the_board_says_so(visitor):
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


class Dead(AtOnce):
    """Takes no questions any more."""

    def submit(self, function, /, *arguments, **named):
        raise RuntimeError("cannot schedule new futures after shutdown")


def test_without_workers_the_server_is_not_ready(start):
    answer = start(Dead).test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json == {"database": True, "workers": False}


class Echo(AtOnce):
    """Keeps what it is asked, and lets the gentlest agent answer for all."""

    def __init__(self):
        self.agents = []

    def submit(self, function, /, question, *arguments, **named):
        self.agents.append((question.game, question.agent))
        return super().submit(function, replace(question, agent="random"), *arguments, **named)


def test_every_agent_of_every_game_is_asked_once_at_the_start(thinking_with, monkeypatch):
    monkeypatch.setattr(signal, "setitimer", lambda *_: None)  # alarms ring in the main thread
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    executor = Echo()
    thinking = thinking_with(lambda: executor)
    warm_up(thinking, 0.2).join(LONG)
    asked = [(question.game, question.agent) for question in first_questions(0.2)]
    assert executor.agents == asked
    assert thinking.has_answered("perfect:skill=0.5")
