"""`zermelo ugi`: one of our agents as an engine in a runner of the Universal Game Interface."""

from __future__ import annotations

import sys
from typing import Any

import click

from engine.core import Game
from webapp.commands.forfeits import prints_on_stderr
from webapp.commands.options import GAME


@click.command()
@click.argument("spec")
@click.option("--game", type=GAME, required=True, help="What it plays, as in `quixo`.")
def ugi(*, spec: str, game: Game[Any, Any]) -> None:
    """Let the agent SPEC play a game in another program, by UGI on standard input and output.

    Moves and states are written as everywhere here: a1-e1, and after `position fen` what
    `zermelo analyse` takes. The option seed makes its games repeat.
    """
    from agents.players.ugi_engine import UgiEngine
    from agents.roster import load_agent, player_spec

    output = sys.stdout

    def write(line: str) -> None:
        output.write(f"{line}\n")
        output.flush()

    with prints_on_stderr():
        engine = UgiEngine(load_agent(player_spec(spec, game), game), write)
        engine.run(sys.stdin or ())
