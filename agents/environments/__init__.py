"""Our games behind the standard interfaces of reinforcement learning.

The libraries come with the extra `[rl]` and are imported only when an environment is asked for.
OpenSpiel is no dependency: its games are registered where it is installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agents.errors import MissingLibraryError

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from agents.environments.single import SingleSeat

__all__ = ["aec", "gym", "open_spiel"]


def aec(spec: str, render_mode: str | None = None) -> AECEnv[str, Any, Any]:
    """The game as a PettingZoo AEC environment: `player_0` is x, `player_1` is o.

    An observation holds the position as its observer sees it, and `action_mask`; an action is the
    index of a move in `Game.all_moves`. An illegal one ends the episode with -1 for whoever chose
    it; the ply limit truncates.
    """
    environment: AECEnv[str, Any, Any] = _load("turns", "PettingZoo").wrapped(spec, render_mode)
    return environment


def gym(
    spec: str,
    opponent: str = "random",
    *,
    seat: str | None = None,
    render_mode: str | None = None,
) -> SingleSeat:
    """The game as a Gymnasium environment for one seat, with an agent of ours on the other.

    `seat` is `x` or `o`; without it each episode draws one. The mask of legal actions is in
    `info["action_mask"]`, and `action_masks()` returns it as booleans.
    """
    environment: SingleSeat = _load("single", "Gymnasium").SingleSeat(
        spec, opponent, seat=seat, render_mode=render_mode
    )
    return environment


def open_spiel(spec: str) -> Any:
    """The game as a `pyspiel.Game`, registered under a name of its own with the first request."""
    return _load("openspiel", "OpenSpiel").registered(spec)


def _load(module: str, library: str) -> Any:
    try:
        return import_module(f"agents.environments.{module}")
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] in ("agents", "engine"):
            raise
        raise MissingLibraryError(library, str(error.name)) from error
