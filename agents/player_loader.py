"""Agents for the command line: those of the roster, and players from outside."""

from __future__ import annotations

from typing import Any

from agents.errors import BrokenAgentError, UnsuitableAgentError
from agents.players.agent import OutsideAgent
from agents.players.process import PlayerProcess
from agents.players.spec import check_path, is_outside, read_outside, with_python
from agents.roster import load_agent, player_spec
from agents.wrappers import LoadedAgent, Skilled
from engine.core import Game, Seat


def load_player(spec: str, game: Game[Any, Any], python: str | None = None) -> LoadedAgent:
    """The agent of a spec, or the player of a path; raises as `load_agent` and `read_outside`."""
    check_path(spec)
    if not is_outside(spec):
        return load_agent(player_spec(spec, game), game)
    player = read_outside(with_python(spec, python))
    return LoadedAgent(player.spec, game, OutsideAgent(player, game))


def check_player(spec: str, game: Game[Any, Any]) -> str:
    """The spec of a player from outside, started once to hear whether it plays this game.

    Raises InvalidSpecError and UnsuitableAgentError; whatever else fails is its forfeit later.
    """
    player = read_outside(spec)
    process = PlayerProcess(player, game.spec, int(Seat.FIRST))
    try:
        process.start(0)
    except UnsuitableAgentError as error:
        raise UnsuitableAgentError(f"{spec} cannot play {game.spec}: {error}") from error
    except BrokenAgentError:
        pass
    finally:
        process.end()
    return player.spec


def outside_agent(loaded: LoadedAgent | None) -> OutsideAgent | None:
    """The player from outside, if it is one."""
    agent = None if loaded is None else loaded.agent
    agent = agent.agent if isinstance(agent, Skilled) else agent
    return agent if isinstance(agent, OutsideAgent) else None


def end_matches(*agents: LoadedAgent | None) -> None:
    """End the processes of players from outside."""
    for loaded in agents:
        if (outside := outside_agent(loaded)) is not None:
            outside.end_match()
