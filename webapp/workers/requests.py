"""Requests to a worker process, and their answers: texts go there, values come back.

A request has a `key` for statistics, runs itself in a worker (`run`) and turns the result into an
answer of its type (`answer`), or its failure into one (`fallback`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from agents import Analysis

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The result of a request; without one, `note` says why."""

    result: T | None
    note: str | None = None
    weight: int = 0  # bytes, where it is more than a few


@dataclass(frozen=True, slots=True)
class MoveAnswer(Answer[Analysis[Any]]):
    """The move to play: the analysis' choice, or any legal move where there is none."""

    move: str = ""
    forfeits: bool = False  # a player from outside that failed, for the reason in `note`

    @property
    def analysis(self) -> Analysis[Any] | None:
        return self.result


A = TypeVar("A", bound=Answer[Any])


class Request(ABC, Generic[A]):
    """Runs in a worker; equal requests have equal answers, so each is run once."""

    __slots__ = ()

    @property
    @abstractmethod
    def key(self) -> tuple[str, str]:
        """For timing and failure statistics: (agent spec, game spec), or what stands for them."""

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        """What is compiled once: (agent key, game key, whether it shows its exhibit)."""
        agent, game = self.key
        return agent.partition(":")[0], game.partition(":")[0], False

    @property
    def brains(self) -> tuple[str, ...]:
        """Specs of agents whose brains must be on this machine before it runs."""
        return ()

    @property
    def about(self) -> str:
        """What failed, for the log."""
        return " of ".join(self.key)

    @property
    def is_outside(self) -> bool:
        """Whether it asks a player from outside, in a process of its own."""
        return False

    @abstractmethod
    def run(self, seconds: float) -> Any:
        """The result, within this time; for a worker."""

    @abstractmethod
    def answer(self, result: Any) -> A:
        """The result as an answer."""

    @abstractmethod
    def without_result(self, note: str) -> A:
        """The answer to a request that was not run."""

    def fallback(self, why: str) -> A:
        """The answer to a request that failed."""
        return self.without_result(why[:200])


class ResultRequest(Request[Answer[T]], Generic[T]):
    """A request for a result that is no move."""

    __slots__ = ()

    def answer(self, result: T) -> Answer[T]:
        return Answer(result)

    def without_result(self, note: str) -> Answer[T]:
        return Answer(None, note)
