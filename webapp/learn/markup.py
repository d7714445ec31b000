"""Texts of lessons: stored figures, and markup with figures, links and glossary words.

Figures ship as `figures.json`, computed by `python -m webapp.learn.figures`, so that no page
waits for one; a test computes each again.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from engine.errors import ZermeloError, quoted
from webapp.learn.positions import read_position
from webapp.web.glossary import BY_FORM, FORM_PATTERN, explain

FILE = "figures.json"
# A figure, a link, or emphasised words.
PIECES = re.compile(r"\{([^{}]+)\}|\[([^\[\]]+)\]\(([^()]+)\)|\*([^*]+)\*")


class UnknownFigureError(ZermeloError):
    """A figure that cannot be, or has not been, computed."""

    def __init__(self, figure: str, why: str) -> None:
        super().__init__(f"figure {quoted(figure)}: {why}")
        self.figure = figure


@cache
def stored() -> dict[str, Any]:
    """Every figure by its name."""
    return dict(json.loads((files("webapp.learn") / FILE).read_text(encoding="utf-8")))


def figure_value(spec: str) -> Any:
    """The figure of that name; raises UnknownFigureError if it is not stored."""
    try:
        return stored()[spec]
    except KeyError:
        why = "it was not computed yet: run `python -m webapp.learn.figures`"
        raise UnknownFigureError(spec, why) from None


def with_figures(text: str) -> str:
    """The text with its figures filled in."""
    return PIECES.sub(lambda found: str(figure_value(found[1])) if found[1] else found[0], text)


def plain(text: str) -> str:
    """The text with figures filled in, labels of links, and no emphasis."""
    return PIECES.sub(
        lambda found: str(figure_value(found[1])) if found[1] else found[2] or found[4], text
    )


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
            return Markup('<span class="figure">{}</span>').format(figure_value(figure))
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
