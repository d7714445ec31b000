"""How a game is played, which keys there are, what the words mean: pages, or sheets over one."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, request, url_for

from engine.catalog import load_game
from webapp.guide.how_to import sheet_for
from webapp.web.cookies import remember_game
from webapp.web.glossary import TERMS
from webapp.web.htmx import render
from webapp.web.keys import KEYS, ON_THE_BOARD

guide = Blueprint("guide", __name__)
BLUEPRINTS = (guide,)

USUAL = "quixo"
LONGEST = 500
# A way back to where the sheet was opened: a match at any ply, a position, an invitation, or a
# phone in a class.
WITHIN = re.compile(
    r"/(?:(?:matches/[\w-]+|positions)(?:\?[\w=&%+.:,/-]*)?|invitations/[\w-]+|c/[A-Z]+)", re.ASCII
)


@guide.get("/how-to-play")
def how_to_play() -> Response:
    """The sheet of the variant in the address; raises InvalidSpecError."""
    game = load_game(request.args.get("game", USUAL)[:LONGEST])
    sheet = sheet_for(game)
    response = _sheet(f"How to play {sheet.title}", "guide/_rules.html", sheet=sheet)
    return remember_game(response, game.key)


@guide.get("/keys")
def keys() -> Response:
    """Every key."""
    return _sheet("Keys", "guide/_keys.html", groups=KEYS, on_the_board=ON_THE_BOARD)


@guide.get("/words")
def words() -> Response:
    """Every word that is explained somewhere."""
    return _sheet("Words", "guide/_words.html", words=TERMS)


def _sheet(title: str, body: str, **context: Any) -> Response:
    asked = request.args.get("back", "")
    where = "invitation" if asked.startswith("/invitations/") else "board"
    back = (asked, f"Back to the {where}") if WITHIN.fullmatch(asked) else None
    way = back or (url_for("lobby.show"), "To the games")
    return render(
        "guide/page.html", "guide/_sheet.html", title=title, body=body, back=way, **context
    )
