"""Rules, keyboard shortcuts and glossary, each a page or a dialog over another page."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, request, url_for

from engine.catalog import load_game
from webapp.guide.how_to import sheet_for
from webapp.web.cookies import remember_game
from webapp.web.glossary import TERMS
from webapp.web.htmx import render
from webapp.web.shortcuts import KEYS, ON_THE_BOARD

guide = Blueprint("guide", __name__)
BLUEPRINTS = (guide,)

DEFAULT_GAME = "quixo"
MAX_SPEC_CHARS = 500
# Pages from which a sheet is opened: a match, a position, an invitation, a phone in a class.
RETURN_PATH = re.compile(
    r"/(?:(?:matches/[\w-]+|positions)(?:\?[\w=&%+.:,/-]*)?|invitations/[\w-]+|c/[A-Z]+)", re.ASCII
)


@guide.get("/how-to-play")
def how_to_play() -> Response:
    """The rules of the variant in the address; raises InvalidSpecError."""
    game = load_game(request.args.get("game", DEFAULT_GAME)[:MAX_SPEC_CHARS])
    sheet = sheet_for(game)
    response = _sheet(f"How to play {sheet.title}", "guide/_rules.html", sheet=sheet)
    return remember_game(response, game.key)


@guide.get("/keys")
def keys() -> Response:
    """The keyboard shortcuts."""
    return _sheet("Keys", "guide/_keys.html", groups=KEYS, on_the_board=ON_THE_BOARD)


@guide.get("/words")
def words() -> Response:
    """The glossary."""
    return _sheet("Words", "guide/_words.html", words=TERMS)


def _sheet(title: str, body: str, **context: Any) -> Response:
    path = request.args.get("back", "")
    back = (url_for("lobby.show"), "To the games")
    if RETURN_PATH.fullmatch(path):
        where = "invitation" if path.startswith("/invitations/") else "board"
        back = (path, f"Back to the {where}")
    return render(
        "guide/page.html", "guide/_sheet.html", title=title, body=body, back=back, **context
    )
