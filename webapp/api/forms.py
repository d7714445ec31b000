"""What programs ask for in the address, read and checked; raises InvalidTextError."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from agents.contest.strength import strongest_agent
from engine import Game, load_game
from engine.errors import InvalidStateError, ZermeloError, quoted
from webapp.analysis.panel import ready_analyst
from webapp.web.errors import InvalidFormError
from webapp.workers.analyses import AnalysisRequest

MAX_STATE_CHARS = 500
MAX_SEED = 10**9
MIN_SECONDS = 0.05
START = "start"


@dataclass(frozen=True, slots=True)
class Question:
    """A position, the agent that is asked about it, and for how long it may think."""

    request: AnalysisRequest
    to_move: str
    seconds: float


def read_game(sent: Mapping[str, str]) -> Game[Any, Any]:
    """The game in the field of that name."""
    spec = sent.get("game", "").strip()
    if not spec:
        raise InvalidFormError("", "game: a spec such as quixo, or nim:heaps=1-3-5-7")
    return load_game(spec)


def read_question(sent: Mapping[str, str], most_seconds: float) -> Question:
    """What an agent is asked; without a state the start, without an agent the strongest."""
    game = read_game(sent)
    state = read_state(game, sent.get("state", ""))
    if state.outcome() is not None:
        raise InvalidStateError(str(state), f"state: the game is over in {quoted(str(state))}")
    spec = sent.get("agent", "").strip() or strongest_agent(game.spec)
    agent = ready_analyst(spec, game, ())
    seconds, seed = _seconds(sent, most_seconds), _seed(sent)
    # Other seconds, or another seed, make it another request: its answer is not that of this one.
    asked = AnalysisRequest(game.spec, str(state), (), agent, f"api {seed} {seconds:g}")
    return Question(asked, state.to_move.mark, seconds)


def read_state(game: Game[Any, Any], text: str) -> Any:
    """A state of the game; the start for no text, and for the word `start`."""
    text = " ".join(text.split())
    if text in ("", START):
        return game.start
    if len(text) > MAX_STATE_CHARS:
        raise InvalidStateError(text, f"state: more than {MAX_STATE_CHARS} characters")
    try:
        state = game.parse_state(text)
        state.outcome()
    except ZermeloError:
        raise
    except Exception as error:  # a game of another package
        raise InvalidStateError(text, f"{game.title} cannot read {quoted(text)}") from error
    return state


def _seconds(sent: Mapping[str, str], most: float) -> float:
    text = sent.get("seconds", "").strip()
    try:
        seconds = float(text) if text else most
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and MIN_SECONDS <= seconds <= most):
        why = f"seconds: a number from {MIN_SECONDS:g} to {most:g}, not {quoted(text)}"
        raise InvalidFormError(text, why)
    return seconds


def _seed(sent: Mapping[str, str]) -> int:
    text = sent.get("seed", "").strip() or "0"
    if not (text.isascii() and text.isdecimal() and len(text) <= 10 and int(text) <= MAX_SEED):
        raise InvalidFormError(text, f"seed: a whole number from 0 to {MAX_SEED:,}")
    return int(text)
