"""Nim on one sheet: the variant's own heaps, unless there are too many matches to draw."""

from __future__ import annotations

from typing import Any

from engine.catalog import load_game, variant_title
from engine.core import Game
from engine.match import Match
from engine.nim import NimRules, NimState, Take
from webapp.boards.picture import NimPicture, nim_picture
from webapp.boards.scene import Scene
from webapp.boards.sheets.sheet import DrawnStep, Sheet

MOST_DRAWN = 40  # matches
SMALLER = "heaps=1-3-5-7"


def nim_sheet(game: Game[Any, Any]) -> Sheet:
    """Three steps: what may be taken, from where, and what the last match means."""
    rules: NimRules = game.start.rules
    wins = rules.last == "wins"
    drawn = _small_enough(game)
    most = rules.max_take
    many = "as many as you like" if most is None else f"at most {most} at a time"
    second = _second_turn(drawn)
    return Sheet(
        title=f"Nim, {variant_title(game.spec)}",
        goal="Take the last match." if wins else "Make the other take the last match.",
        steps=(
            DrawnStep(
                "Take from one row",
                f"You take turns. Whoever moves takes one match or more, {many}, all from the "
                f"same row.",
                _drawn(drawn, ()),
            ),
            DrawnStep(
                "They do not come back",
                f"Here {_told(second.moves[-1])} {'has' if _one(second) else 'have'} just been "
                f"taken.",
                _drawn(drawn, second.moves),
            ),
            DrawnStep(
                f"The last match {'wins' if wins else 'loses'}",
                f"Whoever takes it has {'won' if wins else 'lost'}: here it is the only one left.",
                _drawn(drawn, _all_but_one(drawn).moves),
            ),
        ),
        notes=() if drawn == game else ("Drawn with smaller heaps than yours.",),
    )


def _small_enough(game: Game[Any, Any]) -> Game[Any, Any]:
    """The game, or the same rules with fewer matches."""
    state: NimState = game.start
    if sum(state.heaps) <= MOST_DRAWN:
        return game
    limit = "" if state.rules.max_take is None else f",max_take={state.rules.max_take}"
    return load_game(f"nim:{SMALLER},last={state.rules.last}{limit}")


def _second_turn(game: Game[Any, Any]) -> Match[Any, Any]:
    """After one move: two from the largest heap, or as many as may be taken."""
    state: NimState = game.start
    largest = max(state.heaps)
    take = Take(state.heaps.index(largest), min(2, state.rules.most(largest)))
    return Match.begin(game).play(take)


def _all_but_one(game: Game[Any, Any]) -> Match[Any, Any]:
    """Played until one match is left, each time as many as may be taken."""
    match = Match.begin(game)
    while (left := sum(match.state.heaps)) > 1:
        move = max(match.state.legal_moves(), key=lambda take: take.count)
        match = match.play(Take(move.heap, min(move.count, left - 1)))
    return match


def _one(match: Match[Any, Any]) -> bool:
    return bool(match.moves[-1].count == 1)


def _told(take: Take) -> str:
    return f"{'one' if take.count == 1 else 'two'} of row {str(take)[0]}"


def _drawn(game: Game[Any, Any], moves: tuple[Take, ...]) -> NimPicture:
    match = Match.replay(game, moves)
    return nim_picture(Scene(game, match.state, last_move=moves[-1] if moves else None))
