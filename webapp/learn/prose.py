"""Markup of a lesson's texts: figures, links, glossary words; and its questions for a class."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from webapp.learn.figures import told
from webapp.learn.parser import Asked
from webapp.learn.positions import read_position
from webapp.questions.models import Pick, PosedQuestion
from webapp.questions.truths import checked
from webapp.web.glossary import BY_FORM, FORM_PATTERN, explain

# A figure, a link, or emphasised words.
PIECES = re.compile(r"\{([^{}]+)\}|\[([^\[\]]+)\]\(([^()]+)\)|\*([^*]+)\*")


def with_figures(text: str) -> str:
    """The text with its figures filled in, for a button."""
    return PIECES.sub(lambda found: str(told(found[1])) if found[1] else found[0], text)


def plain(text: str) -> str:
    """The text with figures filled in, labels of links, and no emphasis."""
    return PIECES.sub(lambda found: str(told(found[1])) if found[1] else found[2] or found[4], text)


class Writer:
    """Writes the markup of one page; each glossary word is explained at its first occurrence.

    A block is also sent alone, after an answer that may introduce a word earlier than the page
    does; so the id of an explanation contains the name of its block.
    """

    def __init__(self, place: str = "", explained: set[str] | None = None) -> None:
        self.place = place
        self.explained: set[str] = set() if explained is None else explained

    def within(self, place: str) -> Writer:
        """A writer for a block of the same page."""
        return Writer(place, self.explained)

    def __call__(self, text: str, plain: bool = False) -> Markup:
        """The text as markup; `plain` without explanations, as in a heading."""
        made = Markup()
        at = 0
        for found in PIECES.finditer(text):
            made += self._words(text[at : found.start()], plain) + self._piece(found, plain)
            at = found.end()
        return made + self._words(text[at:], plain)

    def _piece(self, found: re.Match[str], plain: bool) -> Markup:
        figure, label, target, stressed = found.groups()
        if figure is not None:
            return Markup('<span class="figure">{}</span>').format(told(figure))
        if stressed is not None:
            return Markup("<em>{}</em>").format(stressed)
        url = target if target.startswith("/") else read_position(target).url
        return Markup('<a href="{}">{}</a>').format(url, label)

    def _words(self, text: str, plain: bool) -> Markup:
        if plain:
            return escape(text)

        def once(found: re.Match[str]) -> str:
            word = BY_FORM[found[0].lower()]
            if word.key in self.explained:
                return found[0]
            self.explained.add(word.key)
            return str(explain(word.key, self.place, found[0]))

        return Markup(FORM_PATTERN.sub(once, str(escape(text))))  # noqa: S704 - escaped above


def class_question(block: Asked) -> PosedQuestion:
    """The question for a class, with its figures filled in; raises if it cannot be asked."""
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
