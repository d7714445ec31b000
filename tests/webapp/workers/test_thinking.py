"""Agents at thought: once per question, and in fair turns."""

from threading import Event, Lock

import pytest

from tests.webapp.visitor import AtOnce, InProcess, Never
from tests.webapp.workers.asking import LONG, question
from webapp.workers import pool
from webapp.workers.pool import Bounds
from webapp.workers.queue import BusyError, Rank
from webapp.workers.worker import OverrunError


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
