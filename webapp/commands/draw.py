"""`zermelo draw`: a position as an SVG image."""

from __future__ import annotations

from typing import Any

import click

from engine.core import Game
from engine.drawing import Theme
from engine.match import Match
from webapp.commands.options import GAME


@click.command()
@click.argument("game", type=GAME)
@click.argument("state", default="start")
@click.option("--moves", default="", help="Moves played from there, as in 'a1 b2'.")
@click.option(
    "--theme",
    type=click.Choice([theme.value for theme in Theme]),
    help="Colours for a light or a dark page; without it those of the reader's system.",
)
def draw(*, game: Game[Any, Any], state: str, moves: str, theme: str | None) -> None:
    """Print a position as an SVG image, for a file: zermelo draw quixo > board.svg

    A STATE is the board and who moves: 'x.o/.x./..o x' (rows from the top), '1-3-5-7-9 x'
    (heaps), or the word `start`. The last of the moves is marked.
    """
    start = None if state == "start" else game.parse_state(state)
    match = Match.replay(game, map(game.parse_move, moves.split()), start)
    click.echo(match.svg(None if theme is None else Theme(theme)))
