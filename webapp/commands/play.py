"""`zermelo play`: play against an agent in the terminal."""

from __future__ import annotations

from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

import click

from engine.core import Game, Seat
from engine.options import Kind
from webapp.commands.choices import GAME, Number, chosen_agent, limit_options
from webapp.commands.interrupts import prompt_interrupts

if TYPE_CHECKING:
    from agents.core import Limit

REPLY_TIMEOUT_S = 10.0


@click.command()
@click.argument("game", type=GAME)
@click.option("--against", "spec", required=True, help="The opponent, as in `perfect:skill=0.8`.")
@click.option("--second", is_flag=True, help="Let the agent move first.")
@click.option("--seed", type=Number(Kind.INTEGER, 0), help="The same seed, the same replies.")
@limit_options(REPLY_TIMEOUT_S)
def play(
    *,
    game: Game[Any, Any],
    spec: str,
    second: bool,
    seed: int | None,
    limit: Limit,
) -> None:
    """Play a GAME against an agent in the terminal.

    Beside a move you can type hint, undo, moves, resign, quit or help.
    """
    from agents.roster import player_spec
    from webapp.commands.session import Session

    name, agent = chosen_agent(player_spec(spec, game), game)
    session = Session(
        game=game,
        name=name,
        agent=agent,
        person=Seat.SECOND if second else Seat.FIRST,
        limit=limit,
        rng=Random(SystemRandom().getrandbits(64) if seed is None else seed),
    )
    with prompt_interrupts():
        session.run()
