"""What a learner thinks of the opening position, now or at any point of its past."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents import Analysis, Candidate
from agents.formats import decimal, portion
from engine import Game, load_game
from webapp.boards import picture_for, place_of
from webapp.boards.picture import Picture
from webapp.services import services
from webapp.workers.queue import Rank
from webapp.workers.requests import Question

MOST_ROWS = 9
UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """One move and what it is worth to the learner."""

    move: str
    figure: str
    percent: float  # of the bar
    best: bool
    at: tuple[int, int] | None  # in the picture, where moves are cells


@dataclass(frozen=True, slots=True)
class Opening:
    """What it thinks; without rows while nobody has told yet, or it could not."""

    picture: Picture
    on_board: bool  # the figures stand on the picture
    heading: str  # what the figures are
    rows: tuple[OpeningRow, ...]
    others: int  # moves that are not shown
    reason: str
    pending: bool


def opening_of(game: str, spec: str) -> Opening:
    """What this agent thinks of the start of the game, if that is known by now."""
    rules = load_game(game)
    picture = picture_for(rules, rules.start)
    question = Question(game, None, (), spec, "opening")
    answer = services().wait_for(services().ask(question, Rank.PANEL))
    if answer is None:
        return Opening(picture, False, "", (), 0, "It is being asked …", pending=True)
    if answer.analysis is None:
        return Opening(picture, False, "", (), 0, "It could not be asked this time.", pending=False)
    return told(rules, picture, answer.analysis)


def told(game: Game[Any, Any], picture: Picture, analysis: Analysis[Any]) -> Opening:
    """What it has said, as figures of one kind."""
    valued = any(candidate.value is not None for candidate in analysis.candidates)
    rows = [_row(game, analysis, each, valued=valued) for each in analysis.candidates]
    on_board = all(row.at is not None for row in rows)
    shown = rows if on_board else rows[:MOST_ROWS]
    heading = "what each move is worth to it" if valued else "how often it plays each move"
    return Opening(
        picture,
        on_board,
        heading,
        tuple(shown),
        len(rows) - len(shown),
        analysis.reason,
        pending=False,
    )


def _row(
    game: Game[Any, Any], analysis: Analysis[Any], candidate: Candidate[Any], *, valued: bool
) -> OpeningRow:
    """Worths or chances, never both: a move that it has no worth for among others has none."""
    value, text = candidate.value, str(candidate.move)
    best = candidate == analysis.candidates[0]
    if not valued:
        figure, share = portion(candidate.chance), candidate.chance
    elif value is None:
        figure, share = UNKNOWN, 0.0
    else:
        figure, share = decimal(value), (value + 1) / 2
    return OpeningRow(text, figure, round(100 * share, 1), best, place_of(game, text))
