"""An agent as it comes through the door: with its name, and content with a state alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from agents.core import UNLIMITED, Agent, Analysis, Limit
from engine.core import Game, State


@dataclass(frozen=True, slots=True)
class LoadedAgent:
    """What `load_agent` gives. Who writes an agent need not think of defaults: they are here."""

    spec: str  # in its shortest form
    game: Game[Any, Any]
    agent: Agent[Any, Any] = field(compare=False)

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit = UNLIMITED,
        rng: Random | None = None,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        """What it thinks of a state that is not over.

        Unlimited, it thinks as far as its own parameters say. Without `rng` its luck follows from
        the state alone, so that asked again it says the same again.
        """
        luck = Random(str(state)) if rng is None else rng
        shown = {"show": True} if show else {}
        return self.agent.analyse(state, limit=limit, rng=luck, history=history, **shown)

    def __repr__(self) -> str:
        """What gives it back."""
        return f"load_agent({self.spec!r}, {self.game!r})"
