"""Agents think at desks of their own: each question once, under a deadline, in fair turns."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Event, RLock, Thread
from time import monotonic

from agents.entry import Technique
from agents.errors import CrashedAgentError
from agents.roster import roster
from engine.errors import ZermeloError
from webapp.workers.failure_backoff import REST, Recent, Troubles
from webapp.workers.process import Thought
from webapp.workers.queue import BusyError, FairQueue, Place, Rank
from webapp.workers.requests import Answer, Request
from webapp.workers.worker import Desk, DiedError, OverrunError

log = logging.getLogger(__name__)

KEPT = 512  # answers, for whoever asks again
KEPT_BYTES = 64 << 20  # of recorded searches among them
SHORT = 0.5  # seconds: a thought that no reply minds waiting for
QUICK_GRACE = 2.5  # seconds after which what was taken for quick waits for another desk
QUICK = 0.1  # seconds of processor time: a thought that took less is quick
COURTESY = 10  # of those who think long: pages and quick replies have the processor first
CROWD = 4  # who may wait before whoever only looks gets a short thought


class SlowError(Exception):
    """A thought that was taken for quick and is not."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is thought at a time, and for how long. Times are in seconds."""

    desks: int = 2  # beside the one that is kept for what is quick
    queue: int = 64  # thoughts under way or waiting
    each: int = 12  # of these, for one visitor
    grace: float = 5.0  # beyond its time before an agent is stopped
    first_grace: float = 90.0  # the same while its kernels may still be compiled


@dataclass(eq=False, slots=True)
class Pending:
    """A question under way; `wait` gives the answer, or None while there is none."""

    question: Request
    seconds: float  # it is given
    _done: Event = field(default_factory=Event)
    _answer: Answer | None = None
    _ended: float = 0.0

    def wait(self, seconds: float) -> Answer | None:
        self._done.wait(seconds)
        return self._answer

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    @property
    def weight(self) -> int:
        return 0 if self._answer is None else self._answer.weight

    def settle(self, answer: Answer, now: float = 0.0) -> None:
        self._answer, self._ended = answer, now
        self._done.set()

    def failed_before(self, then: float) -> bool:
        """Whether nothing came of it, and that is a while ago."""
        failed = self._answer is not None and self._answer.note is not None
        return failed and self._ended < then


class Thinking:
    """The one way to an agent's mind from a web thread.

    One desk is kept for what is quick, so that an instant opponent never waits behind a slow
    thought; another for replies and short thoughts, so that no reply waits behind a long panel.
    """

    def __init__(
        self,
        make_desk: Callable[[int], Desk],
        bounds: Bounds = Bounds(),  # noqa: B008 - frozen
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.bounds = bounds
        self._clock = clock
        self._thoughts: OrderedDict[Request, Pending] = OrderedDict()
        self._places: dict[Pending, Place[Pending]] = {}
        self._queue: FairQueue[Pending] = FairQueue()
        self._running: dict[Pending, Place[Pending]] = {}  # and where they stood in the queue
        self._warm: set[tuple[str, str, bool]] = set()
        self._took: Recent[float] = Recent()  # processor time, by an agent's setting
        self._troubles = Troubles()
        self._closed = False
        self._lock = RLock()
        self.desks = (make_desk(0), *(make_desk(COURTESY) for _ in range(bounds.desks)))
        self._bells = tuple(Condition(self._lock) for _ in self.desks)
        self._idle: set[int] = set()  # desks that wait for their bell
        self._threads: tuple[Thread, ...] = ()

    def ask(
        self, question: Request, seconds: float, rank: Rank = Rank.REPLY, visitor: str = ""
    ) -> Pending:
        """The thought on this question, begun if nobody asked before; raises BusyError."""
        with self._lock:
            known = self._thoughts.get(question)
            if known is not None and known.failed_before(self._clock() - REST):
                # Else the position would have no thought for as long as answers are kept.
                del self._thoughts[question]
            elif known is not None:
                self._thoughts.move_to_end(question)
                self._hasten(known, rank, seconds)
                return known
            self._admit(rank, visitor)
            pending = self._thoughts[question] = Pending(question, seconds)
            place = self._places[pending] = self._queue.add(pending, rank, visitor)
            pending.seconds = self._given(place)
            self._forget_old()
            self._start()
            self._ring()
        return pending

    def is_warm(self, question: Request) -> bool:
        """Whether this agent has answered in this game before, so that it is compiled."""
        return question.kind in self._warm

    def has_answered(self, agent: str) -> bool:
        """Whether the agent has answered in any game, so that its code is compiled."""
        return any(key == agent.partition(":")[0] for key, *_ in tuple(self._warm))

    @property
    def crowded(self) -> bool:
        """Whether so many wait that whoever only looks gets a short thought."""
        return len(self._queue) > CROWD

    @property
    def is_idle(self) -> bool:
        return not self._queue and not self._running

    @property
    def is_closed(self) -> bool:
        return self._closed

    @property
    def is_alive(self) -> bool:
        """Whether every desk is there, and someone waits at each."""
        return not self._closed and all(thread.is_alive() for thread in self._threads)

    def close(self) -> None:
        """Drop what waits and end the desks, also those deep in thought."""
        with self._lock:
            self._closed = True
            for place in list(self._queue.places.values()):
                self._send_away(place)
            for bell in self._bells:
                bell.notify()
        for desk in self.desks:
            desk.close()

    def _admit(self, rank: Rank, visitor: str) -> None:
        """Raises BusyError where a visitor has enough under way, or everyone together has."""
        running = sum(place.visitor == visitor for place in self._running.values())
        mine = self._queue.of(visitor) + running
        if mine >= self.bounds.each:
            raise BusyError("that is a lot to think about at once: wait for some of it")
        if len(self._queue) + len(self._running) < self.bounds.queue:
            return
        last = self._queue.last(rank)
        if last is None:
            raise BusyError("every opponent is thinking already: try again in a moment")
        self._send_away(last)

    def _send_away(self, place: Place[Pending]) -> None:
        """Without an answer, which may be asked for again."""
        pending = place.thing
        self._queue.drop(place)
        del self._places[pending], self._thoughts[pending.question]
        pending.settle(Answer("", None, "there was no time to think about it"))

    def _hasten(self, pending: Pending, rank: Rank, seconds: float) -> None:
        """A thought that waits for a panel and is now wanted for a reply counts as one."""
        place = self._places.get(pending)
        if place is not None and rank < place.rank:
            place.rank = rank
            pending.seconds = max(pending.seconds, seconds)
            self._ring()

    def _forget_old(self) -> None:
        while len(self._thoughts) > KEPT and next(iter(self._thoughts.values())).is_done:
            self._thoughts.popitem(last=False)
        heavy = [pending for pending in self._thoughts.values() if pending.weight]
        excess = sum(pending.weight for pending in heavy) - KEPT_BYTES
        for pending in heavy:  # those not asked for longest come first
            if excess <= 0:
                break
            excess -= pending.weight
            del self._thoughts[pending.question]

    def _start(self) -> None:
        if not self._threads:
            self._threads = tuple(
                Thread(target=self._work, args=(number,), name=f"desk {number}", daemon=True)
                for number in range(len(self.desks))
            )
            for thread in self._threads:
                thread.start()

    def _work(self, number: int) -> None:
        """What happens at one desk for as long as there is one."""
        while (pending := self._next(number)) is not None:
            self.think(pending, self.desks[number], QUICK_GRACE if number == 0 else None)

    def _next(self, number: int) -> Pending | None:
        with self._lock:
            while not self._closed:
                place = self._queue.take(self._clock(), lambda at: self._accepts(number, at))
                if place is not None:
                    place.thing.seconds = self._given(place)
                    del self._places[place.thing]
                    self._running[place.thing] = place
                    return place.thing
                self._idle.add(number)
                self._bells[number].wait()
        return None

    def _ring(self) -> None:
        """For each that waits, wake one idle desk that takes it, the quick one first."""
        for place in self._queue.places.values():
            takers = (at for at in sorted(self._idle) if self._accepts(at, place))
            if (number := next(takers, None)) is not None:
                self._idle.discard(number)
                self._bells[number].notify()

    def _accepts(self, number: int, place: Place[Pending]) -> bool:
        """The first desk is for what is quick, the second, where it is not the last, for replies
        and what is short."""
        pending = place.thing
        if number == 0:
            return self._is_quick(pending.question)
        if number == 1 and self.bounds.desks > 1:
            return place.rank is Rank.REPLY or self._given(place) <= SHORT
        return True

    def _given(self, place: Place[Pending]) -> float:
        """Its seconds as things stand: a look was asked for, or would begin, in a crowd."""
        seconds = place.thing.seconds
        return min(seconds, SHORT) if place.rank is Rank.PANEL and self.crowded else seconds

    def _is_quick(self, question: Request) -> bool:
        """By what it took the last time, whatever it waited for; of what was never asked, a rule
        needs no search."""
        took = self._took.get(question.setting)
        if took is not None:
            return took < QUICK
        key = question.kind[0]  # perhaps of a package that is no longer installed
        return any(e.key == key and e.technique is Technique.RULES for e in roster())

    def think(self, pending: Pending, desk: Desk, grace: float | None = None) -> None:
        """Answer one question at a desk. Whatever happens, the desk is free afterwards and
        whoever waits is told: this is the one place that sees to it.

        With a `grace` of its own the desk is for what is quick: what is not, waits for another.
        """
        begun = self._clock()
        answer: Answer | None = Answer("", None, "it could not be worked out")
        try:
            answer = self._answer(pending, desk, grace)
        except SlowError:
            answer = None
        except Exception:
            log.exception("a thought of %s could not be ended properly", pending.question.agent)
        finally:
            with self._lock:
                now = self._clock()
                place = self._running.pop(pending)
                if answer is None and not self._closed:
                    self._places[pending] = self._queue.add(pending, place.rank, place.visitor)
                    self._ring()
                else:
                    pending.settle(answer or Answer("", None, "this server is closing"), now)
                self._queue.spent(place.visitor, now - begun, now)

    def _answer(self, pending: Pending, desk: Desk, grace: float | None) -> Answer:
        question = pending.question
        if self._troubles.rests(question.setting, self._clock()):
            return question.fallback("it failed here before, and is given a rest")
        try:
            thought = self._thought(pending, desk, grace)
        except SlowError:
            raise
        except Exception as error:  # noqa: BLE001 - any failure of an agent is one move
            return self._failed(question, error)
        with self._lock:
            self._warm.add(question.kind)
            self._troubles.forget(question.setting)
            self._took[question.setting] = thought.seconds
        return question.answer(thought.result)

    def _thought(self, pending: Pending, desk: Desk, grace: float | None) -> Thought:
        """What the desk says; asked again where its process died, which need not be its fault."""
        question = pending.question
        known = self.is_warm(question) or question.setting in self._troubles
        usual = self.bounds.grace if known else self.bounds.first_grace
        deadline = grace or pending.seconds + usual
        try:
            return desk.think(question, pending.seconds, deadline)
        except OverrunError as error:
            if grace is None:
                raise
            self._took[question.setting] = grace
            raise SlowError("it needs another desk") from error
        except DiedError:
            if self._closed or question.setting in self._troubles:
                raise
            return desk.think(question, pending.seconds, deadline)

    def _failed(self, question: Request, error: Exception) -> Answer:
        if isinstance(error, OverrunError | DiedError):
            self._troubles.add(question.setting, self._clock())
        if not self._closed:
            log.warning("%r is replaced for one move: %r", question.agent, str(error)[:200])
        told = isinstance(error, ZermeloError) and not isinstance(error, CrashedAgentError)
        return question.fallback(str(error) if told else "it failed")
