"""`Learner`: what an agent that learns is made of, around one training loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from agents.core import Agent
from agents.training.brains import Brain
from agents.training.loop import Lessons, Points, begin, course, resumed
from agents.training.shipped import recall, unless_known
from agents.training.trainer import Checkpoint, length_of
from engine.core import Game
from engine.options import Values


@dataclass(frozen=True)
class Learner(ABC):
    """One technique of learning; its `make`, `train` and `lasts` are those of a roster entry."""

    key: ClassVar[str]
    reference: ClassVar[str] = ""  # the agent against which its curve is measured, by its spec
    points: ClassVar[Points]  # of its curve

    @abstractmethod
    def lessons(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Lessons:
        """The callbacks of a run, from the start or from a brain; raises UnsuitableBrainError."""

    @abstractmethod
    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> Agent[Any, Any]:
        """The agent that plays with a brain; raises UnsuitableBrainError."""

    @abstractmethod
    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        """The estimated training time."""

    def plan(self, game: Game[Any, Any], options: Values) -> tuple[int, Points]:
        """(number of steps, points of the curve)."""
        return options.integer(length_of(options)), self.points

    def train(
        self, game: Game[Any, Any], options: Values, seed: int, resume: Brain | None = None
    ) -> Iterator[Checkpoint]:
        total, points = self.plan(game, options)
        brain = begin(self.key, game, options, seed, self.reference)
        if resume is not None:
            resume = brain = resumed(resume, brain, total)
        return course(brain, total, points, self.lessons(game, options, seed, resume))

    def make(self, game: Game[Any, Any], options: Values) -> Agent[Any, Any]:
        brain = recall(self.key, game, options, self.train, self.seconds)
        return self.agent(game, brain, options)

    def lasts(self, game: Game[Any, Any], options: Values) -> float:
        return unless_known(self.key, self.seconds)(game, options)
