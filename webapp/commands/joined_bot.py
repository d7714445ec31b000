"""A player of this computer that plays on a server: its process answers the turns of a bot."""

from __future__ import annotations

from collections import OrderedDict
from random import Random
from typing import Any

from agents.core import Analysis, Limit, ask
from agents.errors import BrokenAgentError, RefusedAnswerError, UnsuitableAgentError
from agents.player_loader import end_matches, load_player, outside_agent
from agents.players.process import PlayerProcess
from agents.players.spec import read_outside
from agents.wrappers import LoadedAgent
from engine.catalog import catalog, load_game
from engine.core import Seat
from engine.transcript import replayed
from webapp.api.client import Bot

MAX_MATCHES = 3  # with a process: a server gives a bot two at a time
MAX_MOVE_CHARS = 100  # of what a server is sent for a move
MARGIN_S = 0.3  # of a turn's time: for the grace below, and for the way to the server
GRACE_S = 0.1  # with the usual one the server's clock would end first, and no line be known


class LocalPlayer:
    """Answers the turns of a server; each match has an agent, and so a process, of its own."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._agents: OrderedDict[str, LoadedAgent] = OrderedDict()  # by match

    def __call__(self, document: dict[str, Any], turn: Any) -> tuple[str, dict[str, float], str]:
        """Move, values and reason; raises BrokenAgentError.

        A move that cannot be played is sent all the same: the server takes a life and says why,
        and the player is asked again with another seed.
        """
        match = replayed(document["game"], document.get("start"), tuple(document["moves"]))
        limit = Limit(seconds=max(0.1, turn.seconds_left - MARGIN_S))
        rng = Random(f"{turn.seed} {turn.tries}")
        try:
            analysis = ask(self._agent(document).agent, match, limit, rng)
        except RefusedAnswerError as error:
            return error.move[:MAX_MOVE_CHARS], {}, ""
        return str(analysis.choice), _values(analysis), analysis.reason

    def close(self) -> None:
        """End its processes."""
        end_matches(*self._agents.values())
        self._agents.clear()

    def _agent(self, document: dict[str, Any]) -> LoadedAgent:
        match = document["match"]
        if match not in self._agents:
            loaded = load_player(self._spec, load_game(document["game"]))
            agent = outside_agent(loaded)
            assert agent is not None
            agent.grace_s = GRACE_S
            self._agents[match] = loaded
        self._agents.move_to_end(match)
        while len(self._agents) > MAX_MATCHES:
            _, oldest = self._agents.popitem(last=False)
            end_matches(oldest)
        return self._agents[match]


class JoinedBot(Bot):  # type: ignore[misc, no-any-unimported, unused-ignore]
    """A bot whose failures are told with the line in the player's own file."""

    def failure(self, error: BaseException) -> tuple[str, str]:
        """Reason and log."""
        if isinstance(error, BrokenAgentError):
            return str(error).removeprefix("it failed with "), error.traceback
        told: tuple[str, str] = super().failure(error)  # type: ignore[no-untyped-call]
        return told


def games_of(spec: str) -> list[str]:
    """What a player's file says that it plays, or which games it can be started for.

    An empty list is every game. Raises InvalidSpecError, or UnsuitableAgentError for none.
    """
    outside = read_outside(spec)
    keys = [entry.key for entry in catalog()]
    found = []
    for key in keys:
        process = PlayerProcess(outside, load_game(key).spec, int(Seat.FIRST))
        try:
            process.start(0)
        except UnsuitableAgentError as error:
            why = str(error)
        else:
            if process.plays:
                return process.plays
            found.append(key)
        finally:
            process.end()
    if not found:
        raise UnsuitableAgentError(f"{spec}: {why}")
    return [] if found == keys else found


def _values(analysis: Analysis[Any]) -> dict[str, float]:
    return {str(each.move): each.value for each in analysis.candidates if each.value is not None}
