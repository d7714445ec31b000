"""Agents at thought: once per question, and in fair turns."""

from threading import Event, Lock

import pytest

from agents.compute.child_process import WorkerTimeoutError
from tests.webapp.visitor import AtOnce, InProcess, Never
from tests.webapp.workers.asking import LONG, question
from webapp.config import PoolLimits
from webapp.workers import pool as pool_module
from webapp.workers.queue import BusyError, Rank


class Counting(InProcess):
    """Counts what it is asked, over all workers."""

    asked = 0

    def run(self, *asked):
        type(self).asked += 1
        return super().run(*asked)


class Held(InProcess):
    """Thinks when it is told to, and remembers in which order."""

    def __init__(self, gate, order):
        self.gate, self.order, self.lock = gate, order, Lock()

    def run(self, request, seconds, deadline):
        assert self.gate.wait(LONG)
        with self.lock:
            self.order.append(request.seed)
        return super().run(request, seconds, deadline)


@pytest.fixture
def held(pool_with):
    """(pool, gate, order): one worker that runs a first request and waits."""
    gate, order = Event(), []
    pool = pool_with(lambda _: Held(gate, order), slow_only=True)
    pool.ask(question(seed="first"), 1.0, Rank.REPLY, "anyone")
    return pool, gate, order


def test_a_question_is_thought_once_however_often_it_is_asked(pool_with):
    Counting.asked = 0
    pool = pool_with(Counting)
    answers = [pool.ask(question(), 0.2).wait(LONG) for _ in range(3)]
    assert Counting.asked == 1
    assert answers[0] is answers[2]


def test_the_same_seed_gives_the_same_move_and_another_question_its_own():
    seeds = [str(number) for number in range(12)]
    one, other = (
        [pool.ask(question(seed=seed), 0.2).wait(LONG).move for seed in seeds]
        for pool in (AtOnce(), AtOnce())
    )
    assert one == other
    assert len(set(one)) > 1


def test_replies_come_before_panels_and_panels_before_stories(held):
    pool, gate, order = held
    asked = [pool.ask(question(seed=rank.name), 1.0, rank, rank.name) for rank in reversed(Rank)]
    gate.set()
    assert all(pending.wait(LONG) for pending in asked)
    assert order == ["first", "REPLY", "PANEL", "STORY", "WARMING"]


def test_who_asks_for_much_does_not_hold_up_who_asks_for_little(held):
    pool, gate, order = held
    pool._queue.spent("greedy", 30.0, pool._clock())
    asked = [
        pool.ask(question(seed=f"greedy {number}"), 1.0, Rank.PANEL, "greedy")
        for number in range(5)
    ]
    asked.append(pool.ask(question(seed="modest"), 1.0, Rank.PANEL, "modest"))
    gate.set()
    assert all(pending.wait(LONG) for pending in asked)
    assert order[:2] == ["first", "modest"]


def test_a_panel_that_is_now_wanted_for_a_reply_is_hastened(held):
    pool, gate, order = held
    pool.ask(question(seed="panel"), 0.5, Rank.PANEL, "a")
    late = pool.ask(question(seed="wanted"), 0.5, Rank.PANEL, "b")
    assert pool.ask(question(seed="wanted"), 5.0, Rank.REPLY, "b") is late
    assert late.seconds == 5.0
    gate.set()
    assert late.wait(LONG)
    assert order[:2] == ["first", "wanted"]


@pytest.mark.parametrize(
    ("limit", "visitors", "why"),
    [
        ("each", ("me", "me", "me"), "a lot to think about at once"),
        ("queue", ("a", "b", "c"), "every opponent is thinking already"),
    ],
)
def test_one_visitor_and_all_have_only_so_much_under_way(limit, visitors, why):
    pool = Never(PoolLimits(**{limit: 2}))
    *others, last = [(question(seed=str(at)), name) for at, name in enumerate(visitors)]
    for asked, visitor in others:
        assert pool.ask(asked, 1.0, Rank.REPLY, visitor) is pool.ask(asked, 1.0, visitor=visitor)
    with pytest.raises(BusyError, match=why):
        pool.ask(last[0], 1.0, Rank.REPLY, last[1])
    if limit == "each":
        assert pool.ask(last[0], 1.0, Rank.REPLY, "you")


def test_in_a_full_queue_a_reply_takes_the_place_of_a_story():
    pool = Never(PoolLimits(queue=2))
    panel = pool.ask(question(seed="1"), 1.0, Rank.PANEL, "a")
    story = pool.ask(question(seed="2"), 1.0, Rank.STORY, "b")
    pool.ask(question(seed="3"), 1.0, Rank.REPLY, "c")
    assert story.wait(0).analysis is None
    assert not panel.is_done
    assert pool.ask(question(seed="1"), 1.0, Rank.PANEL, "a") is panel


@pytest.mark.parametrize(
    ("slow", "first"),
    [(Rank.REPLY, "random"), (Rank.PANEL, "minimax")],
    ids=["an instant agent behind slow ones", "a reply behind long looks"],
)
def test_what_never_waits(pool_with, slow, first):
    gate = Event()

    class Slow(InProcess):
        def run(self, request, seconds, deadline):
            assert request.seed == "first" or gate.wait(LONG)
            return super().run(request, seconds, deadline)

    pool = pool_with(Slow, workers=2)
    # So few that there is no crowd, in which worker 1 takes shortened panels too.
    others = [
        pool.ask(question("minimax", seed=f"slow {at}"), 5.0, slow, f"slow {at}")
        for at in range(pool_module.CROWD_SIZE)
    ]
    reply = pool.ask(question(first, seed="first"), 5.0, Rank.REPLY, "quick")
    assert reply.wait(LONG).analysis is not None
    assert not any(pending.is_done for pending in others)
    gate.set()
    assert all(pending.wait(LONG) for pending in others)


def test_what_had_to_wait_for_the_processor_is_quick_all_the_same(pool_with):
    class Starved(InProcess):
        def run(self, request, seconds, deadline):
            Event().wait(2 * pool_module.QUICK_CPU_S)
            return super().run(request, seconds, deadline)

    pool = pool_with(Starved)
    pool.ask(question(), 5.0).wait(LONG)
    assert pool._is_quick(question(seed="2"))


def test_who_thinks_long_steps_back_for_pages_and_quick_replies(pool_with):
    pool = pool_with(InProcess, workers=2)
    assert [worker.niceness for worker in pool.workers] == [
        0,
        pool_module.SLOW_NICENESS,
        pool_module.SLOW_NICENESS,
    ]


def test_looks_of_a_crowd_are_short_whether_asked_for_before_or_after_it_came(held):
    pool, gate, _ = held
    looks = [
        pool.ask(question("minimax", seed=f"look {at}"), 5.0, Rank.PANEL, f"looker {at}")
        for at in range(12)
    ]
    assert looks[0].seconds == 5.0
    gate.set()
    assert all(look.wait(LONG) for look in looks)
    assert [look.seconds for look in looks] == [pool_module.SHORT_S] * len(looks)


def test_what_is_not_as_quick_as_it_was_taken_for_waits_for_another_worker(pool_with):
    seen = []

    class Strict(InProcess):
        def run(self, request, seconds, deadline):
            seen.append(deadline)
            if deadline == pool_module.QUICK_TIMEOUT_S:
                raise WorkerTimeoutError("too slow")
            return super().run(request, seconds, deadline)

    pool = pool_with(Strict, grace=7.0, first_grace=7.0)
    pool._accepts = lambda number, entry: (number == 0) is (not seen)
    assert pool.ask(question(), 0.5, visitor="one").wait(LONG).analysis is not None
    assert seen == [pool_module.QUICK_TIMEOUT_S, 7.5]
    assert pool.is_idle


@pytest.mark.parametrize(
    ("stopped", "ready"),
    [((), True), ((2,), True), ((1, 2), False), ((0,), False), ((0, 1), False), ((0, 1, 2), False)],
)
def test_who_answers_needs_the_quick_worker_and_another(pool_with, stopped, ready):
    """One that was not started yet stands for none that was stopped."""
    pool = pool_with(InProcess, workers=2)
    for number in stopped:
        pool.workers[number].is_alive = False
    assert pool.is_alive is ready
