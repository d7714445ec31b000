"""The glossary: terms that pages explain where they occur.

In a template `{{ text | explained("panel") }}` explains each term where it first occurs in the
text, `explained_once` where it first occurs on the page, and `{{ explain("ply", "panel") }}` a
term by its key; "panel" is part of the ids. Explanations open on hover, focus and tap, without a
script.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from unicodedata import normalize

from flask import g
from markupsafe import Markup, escape


@dataclass(frozen=True, slots=True)
class Term:
    """A term, and other forms it takes on pages."""

    title: str
    meaning: str  # one or two sentences, for someone who never heard it
    others: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """`perfect-play`, `misere`: the title in ASCII, for ids."""
        plain = normalize("NFKD", self.title).encode("ascii", "ignore").decode()
        return plain.replace(" ", "-")

    @property
    def forms(self) -> tuple[str, ...]:
        return (*self.others, self.title)


TERMS = (
    Term("ply", "One move by one side. Two plies are a move each.", ("plies",)),
    Term(
        "misère",
        "The player who takes the last match loses. In normal play the last match wins.",
    ),
    Term(
        "nim-sum",
        "The rows as binary numbers, added column by column without carrying. Where the last "
        "match wins, you win by leaving 0.",
    ),
    Term(
        "horizon",
        "How far a search looks. Positions beyond it are judged at a glance.",
    ),
    Term(
        "window",
        "The values that still matter: x is sure of α elsewhere, o allows no more than β. A value "
        "outside cannot change the choice.",
    ),
    Term(
        "playout",
        "A game played to its end at random, only to see who wins it.",
        ("playouts", "played out"),
    ),
    Term(
        "visits",
        "How many of its trial games went through this move. It looks longer where they go well.",
    ),
    Term(
        "value",
        "How good a move is for the player who makes it: 1 wins, 0 is even, −1 loses. Between "
        "them it is a judgement, not a chance.",
    ),
    Term(
        "fitness",
        "How well an individual did what it was bred for. It decides who has offspring.",
    ),
    Term(
        "generation",
        "All individuals that live at the same time. The best of them make the next.",
        ("generations",),
    ),
    Term("gene", "One of the numbers that an evolved player is made of.", ("genes",)),
    Term(
        "beads",
        "Each stands for a move in its matchbox. It draws one blindly, so a move with more beads "
        "is played more often.",
    ),
    Term(
        "pay",
        "All that a move has earned in this position. It grows with every game, so it is no "
        "measure of how good the move is.",
    ),
    Term("exact", "Worked out from every position there is, not estimated."),
    Term(
        "perfect play",
        "Never throwing away a win or a draw.",
        ("best play",),
    ),
    Term(
        "local optimum",
        "An answer that every small change makes worse, though a better one lies further off.",
    ),
    Term(
        "self-play",
        "Games that a machine plays against itself, to learn from them.",
    ),
    Term(
        "policy",
        "How much a network likes each move at first sight, in shares of the whole.",
        ("policies",),
    ),
    Term("value head", "The part of a network that guesses who will win."),
    Term(
        "entropy",
        "How evenly a machine spreads its choice: high if it tries many moves, 0 if it always "
        "plays the same one.",
    ),
    Term(
        "target network",
        "An older copy of a network, kept still for a while, so that its goal does not "
        "move with every step.",
    ),
    Term("mobility", "How many moves a side can choose from."),
)
BY_KEY: Mapping[str, Term] = {word.key: word for word in TERMS}
BY_FORM: Mapping[str, Term] = {form: word for word in TERMS for form in word.forms}
# Longer forms first, and whole words only: neither `display` nor `exactly`.
FORM_PATTERN = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(BY_FORM, key=len, reverse=True)) + r")(?![\w-])",
    re.IGNORECASE,
)


def explain(key: str, place: str, shows: str | None = None) -> Markup:
    """The term with its tooltip."""
    word = BY_KEY[key]
    name = f"word-{key}-{place}"
    return Markup(
        '<span class="word" tabindex="0" aria-describedby="{name}">{shows}'
        '<span class="meaning" role="tooltip" id="{name}"><b>{title}</b> {meaning}</span></span>'
    ).format(name=name, shows=shows or word.title, title=word.title, meaning=word.meaning)


def explained_once(text: str, place: str) -> Markup:
    """The text with each term explained where it first occurs on the page."""
    return explained(text, place, g.setdefault("words_met", set()))


def explained(text: str, place: str, met: set[str] | None = None) -> Markup:
    """The text with each term explained where it first occurs, except those in `met`."""
    met = set() if met is None else met

    def once(found: re.Match[str]) -> str:
        word = BY_FORM[found[0].lower()]
        if word.key in met:
            return found[0]
        met.add(word.key)
        return str(explain(word.key, place, found[0]))

    return Markup(FORM_PATTERN.sub(once, str(escape(text))))  # noqa: S704 - escaped here, before
