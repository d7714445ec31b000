"""A lesson's question as a class is asked it: with its own words, choices and truth."""

from __future__ import annotations

from webapp.learn.positions import read_position
from webapp.learn.prose import plain
from webapp.learn.text import Asked
from webapp.questions.models import Pick, PosedQuestion
from webapp.questions.truths import checked


def class_question(block: Asked) -> PosedQuestion:
    """With its figures put in, on the board or without one; raises where it cannot be asked."""
    place = block.position or block.game
    position = read_position(place) if place else None
    start = None
    if position is not None and position.state != position.game.start:
        start = str(position.state)
    return checked(
        PosedQuestion(
            game="" if position is None else position.game.spec,
            prompt=plain(block.ask),
            truth=block.truth,
            start=start,
            moves=tuple(block.moves.split()),
            picks=tuple(Pick(plain(one.label), one.means) for one in block.choices),
        )
    )
