"""Agents think in worker processes: once per question, under a deadline, in a bounded queue."""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from agents import Analysis
from agents.errors import CrashedAgentError
from engine.errors import ZermeloError
from webapp.thinking.questions import Answer, Question, substitute
from webapp.thinking.worker import OverrunError, nothing, think
from webapp.web.errors import BusyError

log = logging.getLogger(__name__)

KEPT = 512  # answers, for whoever asks again
ATTEMPTS = 2  # a thought that breaks the pool fails those beside it; each is asked again, alone


@dataclass(eq=False, slots=True)
class Pending:
    """A question under way; `wait` gives the answer, or None while there is none."""

    question: Question
    attempts: int = 0
    _done: Event = field(default_factory=Event)
    _answer: Answer | None = None

    def wait(self, seconds: float) -> Answer | None:
        self._done.wait(seconds)
        return self._answer

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    def settle(self, answer: Answer) -> None:
        self._answer = answer
        self._done.set()


class Thinking:
    """The one way to an agent's mind from a web thread."""

    def __init__(
        self,
        make_executor: Callable[[], Executor],
        *,
        slots: int,
        queue: int,
        grace: float,
        first_grace: float,
    ) -> None:
        self._make_executor = make_executor
        self._executor = make_executor()
        self._slots = slots
        self._queue = queue
        self._grace = grace
        self._first_grace = first_grace
        self._thoughts: OrderedDict[Question, Pending] = OrderedDict()
        self._waiting: deque[Pending] = deque()
        self._running: set[Pending] = set()
        self._warm: set[tuple[str, str]] = set()
        self._overran: set[tuple[str, str]] = set()
        self._lock = Lock()
        self._closed = False

    def ask(self, question: Question) -> Pending:
        """The thought on this question, begun if nobody asked before; raises BusyError."""
        with self._lock:
            if (known := self._thoughts.get(question)) is not None:
                self._thoughts.move_to_end(question)
                return known
            if self._pending() >= self._queue:
                raise BusyError("every opponent is thinking already: try again in a moment")
            thought = self._thoughts[question] = Pending(question)
            self._waiting.append(thought)
            self._forget_old()
        self._go_on()
        return thought

    def is_warm(self, question: Question) -> bool:
        """Whether this agent has answered in this game before, so that nothing is left to load."""
        return question.kind in self._warm

    def has_answered(self, agent: str) -> bool:
        """Whether the agent has answered in any game, so that its code is compiled."""
        return any(key == agent.partition(":")[0] for key, _ in tuple(self._warm))

    @property
    def is_idle(self) -> bool:
        with self._lock:
            return self._pending() == 0

    @property
    def is_closed(self) -> bool:
        return self._closed

    def answers(self, seconds: float) -> bool:
        """Whether a worker is alive; a pool that is merely busy counts, a broken one is renewed."""
        executor = self._executor
        try:
            executor.submit(nothing).result(seconds)
        except TimeoutError:
            return not self.is_idle
        except (RuntimeError, CancelledError):
            self._replace(executor)
            return False
        return True

    def close(self) -> None:
        """Drop what waits and end the workers, also those deep in thought."""
        with self._lock:
            self._closed = True
            executor = self._executor
        executor.shutdown(wait=False, cancel_futures=True)

    def _pending(self) -> int:
        return len(self._waiting) + len(self._running)

    def _forget_old(self) -> None:
        while len(self._thoughts) > KEPT and next(iter(self._thoughts.values())).is_done:
            self._thoughts.popitem(last=False)

    def _go_on(self) -> None:
        while (thought := self._next()) is not None:
            self._submit(thought)

    def _next(self) -> Pending | None:
        """The first that waits, if it may run now: one asked before runs alone."""
        with self._lock:
            if not self._waiting:
                return None
            alone = self._waiting[0].attempts or any(other.attempts > 1 for other in self._running)
            if len(self._running) >= (1 if alone else self._slots):
                return None
            thought = self._waiting.popleft()
            self._running.add(thought)
            return thought

    def _submit(self, thought: Pending) -> None:
        thought.attempts += 1
        question = thought.question
        known = self.is_warm(question) or (question.agent, question.game) in self._overran
        grace = self._grace if known else self._first_grace
        executor = self._executor
        try:
            future = executor.submit(think, question, question.seconds + grace)
        except RuntimeError:  # broken or shut down since we looked
            self._failed(thought, BrokenExecutor(), executor)
        else:
            future.add_done_callback(lambda done: self._settle(thought, done, executor))

    def _settle(self, thought: Pending, done: Future[Analysis[Any]], executor: Executor) -> None:
        error = CancelledError() if done.cancelled() else done.exception()
        if error is not None:
            self._failed(thought, error, executor)
            return
        analysis = done.result()
        self._warm.add(thought.question.kind)
        self._finish(thought, Answer(str(analysis.choice), analysis))

    def _finish(self, thought: Pending, answer: Answer) -> None:
        with self._lock:
            self._running.discard(thought)
        thought.settle(answer)
        self._go_on()

    def _failed(self, thought: Pending, error: BaseException, executor: Executor) -> None:
        broken = isinstance(error, BrokenExecutor)
        if broken and not self._closed and thought.attempts < ATTEMPTS:
            self._replace(executor)
            with self._lock:
                self._running.discard(thought)
                self._waiting.appendleft(thought)
            self._go_on()
            return
        if broken:
            self._replace(executor)
        if isinstance(error, OverrunError):  # it will not be given as long again
            self._overran.add((thought.question.agent, thought.question.game))
        if not self._closed:
            log.warning("%s is replaced for one move: %r", thought.question.agent, error)
        told = isinstance(error, ZermeloError) and not isinstance(error, CrashedAgentError)
        why = str(error) if told else "it failed"  # in detail for the log alone
        self._finish(thought, substitute(thought.question, why))

    def _replace(self, broken: Executor) -> None:
        """Start afresh with new workers; whoever notices first does it for all."""
        with self._lock:
            if self._executor is not broken or self._closed:
                return
            log.warning("the thinking processes broke down and are started again")
            self._executor = self._make_executor()
        broken.shutdown(wait=False)
