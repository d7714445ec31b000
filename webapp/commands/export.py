"""`zermelo export`: an agent as one Python file."""

from __future__ import annotations

from typing import Any

import click

from engine.core import Game
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import GAME


@click.command()
@click.argument("game", type=GAME)
@click.argument("spec")
def export(*, game: Game[Any, Any], spec: str) -> None:
    """Print an agent as Python source: zermelo export tictactoe menace > menace.py

    The file has `choose(turn)`, needs the standard library alone and plays as the agent does. Rules
    are written as code; what was learned or evolved as a table of every position, where the game
    is small enough. Agents that search cannot be written this way.
    """
    with prompt_interrupts():
        from agents.export import export_source

        source = export_source(spec, game)
    click.echo(source, nl=False)
