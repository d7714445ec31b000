"""`Learner`: what an agent that learns is made of, around one training loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from agents.core import Agent
from agents.entry import Entry
from agents.training.brains import Brain
from agents.training.loop import Callbacks, Points, begin, checkpoints, resumed
from agents.training.opponents import Opponents
from agents.training.shipped import recall, unless_known
from agents.training.trainer import BRAIN, Checkpoint, length_of
from engine.core import Game
from engine.options import Option, Values


@dataclass(frozen=True)
class Learner(ABC):
    """One technique of learning; its `make`, `train` and `lasts` are those of its roster entry."""

    opponents: Opponents

    key: ClassVar[str]
    reference: ClassVar[str] = ""  # the agent against which its curve is measured, by its spec
    points: ClassVar[Points]  # of its curve
    remembered: ClassVar[tuple[str, ...]] = ()  # options of playing that its brains keep, if set

    @abstractmethod
    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
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

    def reference_for(self, game: Game[Any, Any]) -> str:
        """The agent against which its curve in this game is measured; empty if none."""
        return self.reference

    def train(
        self, game: Game[Any, Any], options: Values, seed: int, resume: Brain | None = None
    ) -> Iterator[Checkpoint]:
        total, points = self.plan(game, options)
        brain = begin(self.key, game, options, seed, self.reference_for(game))
        playing = {name: options[name] for name in self._set_to_play(options)}
        brain = replace(brain, parameters={**brain.parameters, **playing})
        if resume is not None:
            resume = brain = resumed(resume, brain, total)
        return checkpoints(brain, total, points, self.callbacks(game, options, seed, resume))

    def _set_to_play(self, options: Values) -> Iterator[str]:
        """The remembered options that are not at their defaults."""
        for option in options.options:
            if option.name in self.remembered and options[option.name] != option.default:
                yield option.name

    def final(self, game: Game[Any, Any], options: Values, seed: int) -> Mapping[str, float]:
        """The metrics at the end of a training, measured once: a grid has many of them."""
        total, points = self.plan(game, options)
        callbacks, step = self.callbacks(game, options, seed, None), 0
        while step < total:
            until = min(points.after(step), total)
            callbacks.learn(step, until - step)
            step = until
            if step < total and points.stand_at(step):
                callbacks.mark(step)
        return callbacks.measure()

    def make(self, game: Game[Any, Any], options: Values) -> Agent[Any, Any]:
        brain = recall(self.key, game, options, self.train, self.seconds)
        return self.agent(game, brain, options)

    def lasts(self, game: Game[Any, Any], options: Values) -> float:
        return unless_known(self.key, self.seconds)(game, options)

    def entry(self, *, options: tuple[Option, ...], **fields: Any) -> Entry:
        """Its roster entry, with these options besides `brain` and these fields."""
        return Entry(
            key=self.key,
            options=(BRAIN, *options),
            make=self.make,
            train=self.train,
            final=self.final,
            remembered=self.remembered,
            lasts=self.lasts,
            shows=True,
            **fields,
        )
