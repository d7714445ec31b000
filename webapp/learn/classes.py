"""A lesson's question as a class is asked it: with its own words, choices and truth."""

from __future__ import annotations

from engine.errors import ZermeloError
from webapp.learn.positions import read_position
from webapp.learn.text import Asked
from webapp.questions.posed import Pick, PosedQuestion
from webapp.questions.texts import LONGEST_PICK, LONGEST_PROMPT, picks_in, picks_text
from webapp.questions.truths import checked

MARKED = ("{", "[", "*")  # figures, links and stress, which only a page shows


def class_question(block: Asked) -> PosedQuestion | None:
    """None where its truth is a figure of lessons alone, or its words need a page."""
    texts = [(block.ask, LONGEST_PROMPT), *((one.label, LONGEST_PICK) for one in block.choices)]
    if any(len(text) > longest or set(MARKED) & set(text) for text, longest in texts):
        return None
    position = read_position(block.position)
    picks = tuple(Pick(one.label, one.means) for one in block.choices)
    posed = PosedQuestion(
        game=position.game.spec,
        prompt=block.ask,
        truth=block.truth,
        start=None if position.state == position.game.start else str(position.state),
        moves=tuple(block.moves.split()),
        picks=picks,
    )
    try:
        return checked(posed) if picks_in(picks_text(picks)) == picks else None
    except ZermeloError:
        return None
