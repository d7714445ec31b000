"""A game as a Gymnasium environment: one seat to learn for, an agent of ours on the other."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.spaces import Box, Discrete
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from agents.core import UNLIMITED, ask
from agents.environments.codec import Board, codec
from agents.roster import load_agent, player_spec
from engine.catalog import find_entry
from engine.core import Ending, Seat
from engine.errors import InvalidSpecError, quoted
from engine.match import Match

Info = dict[str, Any]
SEATS = {seat.mark: seat for seat in Seat}


class SingleSeat(gymnasium.Env[Board, np.int64], EzPickle):
    """A match against an agent, whose answer is part of every step."""

    metadata = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        spec: str,
        opponent: str = "random",
        *,
        seat: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, spec, opponent, seat=seat, render_mode=render_mode)
        if seat is not None and seat not in SEATS:
            raise InvalidSpecError(seat, f"a seat is x or o, not {quoted(seat)}")
        self.codec = codec(spec)
        game = self.codec.game
        self.opponent = load_agent(player_spec(opponent, game), game)
        self.render_mode = render_mode
        kwargs = {"spec": spec, "opponent": opponent, "seat": seat}
        path = f"{SingleSeat.__module__}:{SingleSeat.__name__}"
        self.spec = EnvSpec("zermelo/Match-v1", entry_point=path, kwargs=kwargs)
        self.observation_space = Box(0, self.codec.high, self.codec.shape, np.int8)
        self.action_space = Discrete(self.codec.moves)
        self._wanted = None if seat is None else SEATS[seat]
        self.seat = self._wanted or Seat.FIRST
        self.match = Match.begin(game)
        self._rng = Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Board, Info]:
        """Begin a match: draw the seat unless one was chosen, and let the agent move if it begins.

        The seed determines the seat and the agent's chance.
        """
        super().reset(seed=seed)
        drawn = Seat(int(self.np_random.integers(2)))
        self.seat = drawn if self._wanted is None else self._wanted
        self._rng = Random(int(self.np_random.integers(2**32)))
        self.match = Match.begin(self.codec.game)
        self._answer()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Board, float, bool, bool, Info]:
        """Play a move and the agent's answer; an illegal move loses."""
        move = self.codec.move(int(action))
        if move not in self.match.state.legal_moves():
            return self._observation(), -1.0, True, False, self._info() | {"illegal": str(move)}
        self.match = self.match.play(move)
        self._answer()
        outcome = self.match.outcome()
        if outcome is None:
            return self._observation(), 0.0, False, False, self._info()
        cut = outcome.ending is Ending.PLY_LIMIT
        reward = float(outcome.score(self.seat))
        return self._observation(), reward, not cut, cut, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as booleans, under the name that MaskablePPO looks for."""
        return self.codec.mask(self._state_to_play()).astype(np.bool_)

    def _answer(self) -> None:
        """Let the agent move while it is its turn."""
        while self.match.outcome() is None and self.match.state.to_move is not self.seat:
            analysis = ask(self.opponent, self.match, UNLIMITED, self._rng)
            self.match = self.match.play(analysis.choice)

    def _observation(self) -> Board:
        return self.codec.board(self.match.state, self.seat)

    def _info(self) -> Info:
        moves = [str(move) for move in self.match.moves]
        return {
            "action_mask": self.codec.mask(self._state_to_play()),
            "seat": self.seat.mark,
            "state": str(self.match.state),
            "moves": moves,
        }

    def _state_to_play(self) -> Any | None:
        """The state to choose a move in, or None after the end."""
        return self.match.state if self.match.outcome() is None else None

    def render(self) -> Any:
        """The board as text, in the mode `ansi`."""
        if self.render_mode is None:
            return None
        last = self.match.moves[-1] if self.match.moves else None
        return find_entry(self.codec.game.key).drawn(self.match.state, last)
