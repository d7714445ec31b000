"""A game as a PettingZoo AEC environment: two agents who take turns."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from agents.environments.codec import codec
from engine.catalog import find_entry
from engine.core import Ending, Outcome, Seat
from engine.match import Match

AGENTS = [f"player_{int(seat)}" for seat in Seat]  # as the library's own games name them


def wrapped(spec: str, render_mode: str | None) -> AECEnv[str, Any, Any]:
    """The environment with PettingZoo's own checks of order, bounds and legality."""
    environment: Any = Turns(spec, render_mode)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)


class Turns(AECEnv[str, Any, Any], EzPickle):
    """A match of one game, move by move; the rules are the engine's."""

    metadata = {  # noqa: RUF012 - as PettingZoo declares it
        "render_modes": ["ansi"],
        "name": "zermelo_v1",
        "is_parallelizable": False,
    }

    def __init__(self, spec: str, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, spec, render_mode)
        self.codec = codec(spec)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        seen = Box(0, self.codec.high, self.codec.shape, np.int8)
        mask = Box(0, 1, (self.codec.moves,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": seen, "action_mask": mask}) for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(self.codec.moves) for agent in AGENTS}
        self.reset()

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. There is no chance in it, so `seed` changes nothing."""
        self.match = Match.begin(self.codec.game)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.match.state.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as the agent sees it; only whoever is to move has legal actions."""
        state = self.match.state
        over = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        return {
            "observation": self.codec.board(state, Seat(AGENTS.index(agent))),
            "action_mask": self.codec.mask(
                None if over or agent != self.agent_selection else state
            ),
        }

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.match = self.match.play(self.codec.move(action))
        if (outcome := self.match.outcome()) is not None:
            self._end(outcome)
        self.agent_selection = AGENTS[self.match.state.to_move]
        self._accumulate_rewards()

    def _end(self, outcome: Outcome) -> None:
        """Reward both; a match that was only cut short is truncated."""
        self.rewards = {agent: outcome.score(Seat(at)) for at, agent in enumerate(AGENTS)}
        over = dict.fromkeys(AGENTS, True)
        if outcome.ending is Ending.PLY_LIMIT:
            self.truncations = over
        else:
            self.terminations = over

    def render(self) -> str | None:
        """The board as text, in the mode `ansi`."""
        if self.render_mode is None:
            return None
        last = self.match.moves[-1] if self.match.moves else None
        return find_entry(self.codec.game.key).drawn(self.match.state, last)

    def close(self) -> None:
        """Nothing is held open."""
