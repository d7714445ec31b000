"""A player from outside as an agent: a process for each match and seat, its answers as analyses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from random import Random
from time import monotonic
from typing import Any

from agents.core import Analysis, Candidate, Effort, Limit, Measure
from agents.errors import BrokenAgentError, RefusedAnswerError, UnsuitableAgentError
from agents.players.process import START_TIMEOUT_S, LostPlayerError, PlayerProcess, place_text
from agents.players.spec import OutsidePlayer
from engine.core import Game, Seat, State
from engine.errors import ZermeloError, quoted

MOVE_S = 5.0  # where no limit is given
SEED_BITS = 32


class OutsideAgent:
    """Asks the player's process; another match, told by its history, gets another process.

    The seeds of its turns follow from that of the match and the ply, so that a process that has to
    be told the match again plays as the first would have.
    """

    seed: str | None = None  # of matches from now on; None: each draws one
    grace_s = PlayerProcess.grace_s  # beyond the seconds of a move, in matches from now on

    def __init__(self, player: OutsidePlayer, game: Game[Any, Any]) -> None:
        self._player, self._game = player, game
        self._matches: dict[Seat, _SeatMatch] = {}

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
    ) -> Analysis[Any]:
        """What the player answers; raises BrokenAgentError."""
        seat, states = state.to_move, (*history, state)
        match = self._matches.get(seat)
        if match is None or not match.continues(states):
            if match is not None:
                match.end()
            seed = f"{self.seed or rng.getrandbits(SEED_BITS)} {seat.mark}"
            match = self._matches[seat] = _SeatMatch(self._player, self._game, seat, seed)
            match.process.grace_s = self.grace_s
        seconds = MOVE_S if limit.seconds is None else limit.seconds
        try:
            reply = match.ask(states, seconds)
        except UnsuitableAgentError as error:  # none of our own code has failed
            raise BrokenAgentError(f"it does not play: {error}") from error
        return analysis_of(reply, state, self._game)

    def end_match(self) -> None:
        """End its processes."""
        for match in self._matches.values():
            match.end()
        self._matches.clear()

    def close(self) -> None:
        """End it for good, even while it is asked by another thread."""
        for match in tuple(self._matches.values()):
            match.close()


class _SeatMatch:
    """The process of one match and seat; a new or a lost one is told the match so far."""

    def __init__(self, player: OutsidePlayer, game: Game[Any, Any], seat: Seat, seed: str) -> None:
        self._game, self._seat, self._seed = game, seat, seed
        self.process = PlayerProcess(player, game.spec, int(seat))
        self._started = False
        self._states: tuple[State[Any], ...] = ()

    def continues(self, states: tuple[State[Any], ...]) -> bool:
        seen = self._states
        return len(states) > len(seen) and states[: len(seen)] == seen

    def ask(self, states: tuple[State[Any], ...], seconds: float) -> dict[str, Any]:
        try:
            reply = self._try(states, seconds)
        except LostPlayerError:
            self._started = False
            reply = self._try(states, seconds)  # ended once more, it is its own doing
        self._states = states
        return reply

    def _try(self, states: tuple[State[Any], ...], seconds: float) -> dict[str, Any]:
        if not self._started:
            self.process.start(_number(self._seed))
            self._started = True
            if self.process.stateful:
                self._tell(states[:-1], seconds)
        return self.process.ask(self._turn(states), seconds)

    def _tell(self, states: tuple[State[Any], ...], seconds: float) -> None:
        """Ask it again in its earlier turns, as far as the time to start goes."""
        end = monotonic() + START_TIMEOUT_S
        for ply, state in enumerate(states):
            if state.to_move is self._seat and monotonic() < end:
                self.process.ask(self._turn(states[: ply + 1]), seconds)

    def _turn(self, states: tuple[State[Any], ...]) -> dict[str, Any]:
        return turn_document(self._game, states, _number(f"{self._seed} {len(states)}"))

    def end(self) -> None:
        self.process.end()

    def close(self) -> None:
        self.process.close()


def _number(seed: str) -> int:
    return Random(seed).getrandbits(SEED_BITS)


def turn_document(
    game: Game[Any, Any], states: tuple[State[Any], ...], seed: int
) -> dict[str, Any]:
    """What a player is told, as JSON values."""
    state = states[-1]
    start = {} if states[0] == game.start else {"start": str(states[0])}
    moves = [_move_between(one, two) for one, two in pairwise(states)]
    return {
        "game": game.spec,
        "seat": state.to_move.mark,
        "ply": len(moves),
        "state": str(state),
        "moves": moves,
        "legal": [str(move) for move in state.legal_moves()],
        "seed": seed,
        **start,
    }


def _move_between(one: State[Any], two: State[Any]) -> str:
    """A move that leads from one state to the next."""
    return next(str(move) for move in one.legal_moves() if one.play(move) == two)


def analysis_of(reply: dict[str, Any], state: State[Any], game: Game[Any, Any]) -> Analysis[Any]:
    """The answer of a player as an analysis; raises BrokenAgentError."""
    text, where = reply.get("move"), place_text(reply)
    if not isinstance(text, str):
        shown = str(reply.get("answer", repr(text)))[:80]
        raise BrokenAgentError(
            f"it answered {shown}, which is no move: answer with a text from `legal`{where}"
        )
    try:
        move = game.parse_move(text)
        state.play(move)
    except ZermeloError as error:
        raise RefusedAnswerError(f"it answered {quoted(text)}: {error}{where}", text) from error
    values = _values(reply.get("values"))
    candidates = [
        Candidate(legal, values.get(str(legal)), 1.0 if legal == move else 0.0)
        for legal in state.legal_moves()
        if legal == move or str(legal) in values
    ]
    candidates.sort(key=lambda each: (-(each.value or 0.0), -each.chance))
    reason = reply.get("reason")
    reason = reason if isinstance(reason, str) and reason else f"It plays {move}, without a reason."
    seconds = reply.get("seconds")
    effort = Effort(seconds=float(seconds) if isinstance(seconds, int | float) else 0.0)
    measure = Measure.VALUE if values else Measure.CHANCE
    return Analysis(tuple(candidates), reason[:1000], move, effort=effort, measure=measure)


def _values(given: object) -> dict[str, float]:
    """Values by move, within -1 and 1; what is no number is left out."""
    if not isinstance(given, dict):
        return {}
    return {
        str(move): max(-1.0, min(1.0, float(value)))
        for move, value in given.items()
        if isinstance(value, int | float) and isfinite(value)
    }
