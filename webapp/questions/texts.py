"""What a question is written with: positions, moves and choices as text, both ways."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import Game, Match, load_game
from engine.catalog import find_entry
from engine.errors import IllegalMoveError
from webapp.questions.errors import InvalidQuestionError
from webapp.questions.posed import Pick

LONGEST_PROMPT = 300
LONGEST_PICK = 80


def position_in(text: str) -> Match[Any, Any]:
    """`SPEC` or `SPEC STATE` as a match begun there; raises what is wrong with it."""
    spec, _, rest = text.partition(" ")
    game: Game[Any, Any] = load_game(spec)
    if not rest.strip():
        return Match.begin(game)
    state = game.parse_state(" ".join(rest.split()))
    if (why := find_entry(game.key).out_of_reach(game, state)) is not None:
        raise InvalidQuestionError(text, f"no play leads to {state}: {why}")
    return Match.begin(game, state)


def played_on(match: Match[Any, Any], text: str) -> Match[Any, Any]:
    """The match after these moves, parted by spaces or commas; raises what is wrong with them."""
    for word in text.replace(",", " ").split():
        move = match.game.parse_move(word)
        try:
            match = match.play(move)
        except IllegalMoveError as error:
            raise InvalidQuestionError(word, f"{word} cannot be played: {error}") from error
    return match


def picks_in(text: str) -> tuple[Pick, ...]:
    """`x wins | It makes no difference = a draw`: what is shown, and what that claims."""
    picks = []
    for part in text.split("|"):
        shown, _, claim = part.strip().partition(" = ")
        shown = short(shown.strip(), "a choice", LONGEST_PICK)
        claim = short(claim.strip() or shown, "what a choice claims", LONGEST_PICK)
        picks.append(Pick(shown, claim))
    return tuple(picks)


def picks_text(picks: Iterable[Pick]) -> str:
    """What `picks_in` reads back."""
    return " | ".join(
        pick.text if pick.text == pick.claim else f"{pick.text} = {pick.claim}" for pick in picks
    )


def short(text: str, what: str, longest: int) -> str:
    """The text, if there is one and it is no longer than that."""
    if not text or len(text) > longest:
        why = f"{what} has 1 to {longest} letters, not {len(text)}"
        raise InvalidQuestionError(text, why)
    return text
