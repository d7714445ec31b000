"""`zermelo export`: an agent as one Python file."""

from __future__ import annotations

from typing import Any

import click

from engine.core import Game
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import GAME

LARGE_BYTES = 200_000  # beyond which the size is told


@click.command()
@click.argument("game", type=GAME)
@click.argument("spec")
@click.option("--knowledge", is_flag=True, help="What a table learner knows, as CSV instead.")
def export(*, game: Game[Any, Any], spec: str, knowledge: bool) -> None:
    """Print an agent as Python source: zermelo export tictactoe menace > menace.py

    The file has `choose(turn)`, needs the standard library alone and plays as the agent does.
    Rules, networks and Quixo's genes are written as code; what else was learned or evolved as a
    table of every position, where the game is small enough. Agents that only search are refused.
    """
    if knowledge:
        with prompt_interrupts():
            from agents.knowledge import knowledge_csv

            click.echo(knowledge_csv(spec, game), nl=False)
        return
    with prompt_interrupts():
        from agents.export import export_source

        source = export_source(spec, game)
    click.echo(source, nl=False)
    if (size := len(source.encode())) > LARGE_BYTES:
        click.echo(f"{size / 1000:,.0f} kB: a line for every position", err=True)
