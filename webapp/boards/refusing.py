"""Why a press makes no move, in the words of the rules: the engine refuses, and says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.core import Game, State
from engine.errors import ZermeloError, sentence, tell_once
from engine.quixo import QuixoState

Try = Callable[[Game[Any, Any], Any, str], object]


def play_text(game: Game[Any, Any], state: State[Any], pick: str) -> object:
    """For a game whose presses are moves."""
    return state.play(game.parse_move(pick))


def take_cube(game: Game[Any, Any], state: QuixoState, pick: str) -> object:
    """Quixo: a cube to take, `c3`, or the one in the hand with where it was to go in, `d5-c3`."""
    first = next((push for push in state.table.slides if push.source == pick), None)
    named = pick if "-" in pick else f"{pick}-{pick}"
    return state.play(game.parse_move(named) if first is None else first)


TRIES: Mapping[str, Try] = {"nim": play_text, "tictactoe": play_text, "quixo": take_cube}


def refusal(game: Game[Any, Any], state: Any, pick: str, *, half_made: bool) -> str | None:
    """Why nothing comes of this pick; None where something does.

    `half_made` says that the board took it for the first half of a move: in a game we do not
    know, that is all there is to ask.
    """
    attempt = TRIES.get(game.key)
    if attempt is None and half_made:
        return None
    try:
        (attempt or play_text)(game, state, pick)
    except ZermeloError as error:
        return sentence(str(error))
    except Exception as error:  # noqa: BLE001 - the game's own code
        tell_once(__name__, f"{game.key} failed to refuse a move: {error!r}"[:500])
    return None
