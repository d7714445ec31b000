"""Our games registered with OpenSpiel, so that its algorithms play them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from agents.environments.codec import Codec, codec, longest_play
from engine.catalog import load_game
from engine.core import Seat
from engine.match import Match

NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@cache
def registered(spec: str) -> Any:
    """The game of a spec, registered as `zermelo_quixo_size_4` and the like (cached)."""
    return _register(codec(codec(spec).game.spec))


@cache
def _register(encoded: Codec) -> Any:
    name = "zermelo_" + NOT_IN_NAMES.sub("_", encoded.game.spec)
    kind = pyspiel.GameType(
        short_name=name,
        long_name=encoded.game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    facts = pyspiel.GameInfo(
        num_distinct_actions=encoded.moves,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=longest_play(encoded.game),
    )

    class Registered(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel is not typed
        """One variant; OpenSpiel makes it by calling the class."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, facts, params or {})

        def new_initial_state(self, state: Any = None) -> Position:
            return Position(self, encoded)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(encoded)

    pyspiel.register_game(kind, Registered)
    return pyspiel.load_game(name)


class TextMatch(Match[Any, Any]):
    """A match that is pickled as texts, as OpenSpiel pickles it and a game holds functions."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self.game.spec, tuple(map(str, self.moves)))


def _replayed(spec: str, moves: tuple[str, ...]) -> Match[Any, Any]:
    game = load_game(spec)
    return TextMatch.replay(game, map(game.parse_move, moves))


class Position(pyspiel.State):  # type: ignore[misc]  # OpenSpiel is not typed
    """A match, which OpenSpiel calls a state, as repetition and length count in it."""

    def __init__(self, game: Any, encoded: Codec) -> None:
        super().__init__(game)
        self.match = TextMatch.begin(encoded.game)

    @property
    def codec(self) -> Codec:
        return codec(self.match.game.spec)

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.match.state.to_move)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.codec.index[move] for move in self.match.state.legal_moves())

    def _apply_action(self, action: int) -> None:
        self.match = self.match.play(self.codec.move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.codec.move(action))

    def is_terminal(self) -> bool:
        return self.match.outcome() is not None

    def returns(self) -> list[float]:
        outcome = self.match.outcome()
        return [0.0 if outcome is None else float(outcome.score(seat)) for seat in Seat]

    def __str__(self) -> str:
        return str(self.match.state)


class Observer:
    """The position as both players see it, for OpenSpiel's observation tensors and strings."""

    def __init__(self, encoded: Codec) -> None:
        self.codec = encoded
        size = int(np.prod(encoded.shape))
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor.reshape(encoded.shape)}

    def set_from(self, state: Position, player: int) -> None:
        self.dict["observation"][:] = self.codec.board(state.match.state, Seat(player))

    def string_from(self, state: Position, player: int) -> str:
        return str(state.match.state)
