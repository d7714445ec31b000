"""`zermelo play` and `zermelo watch`: a match in the terminal, of people and agents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

import click

from engine.core import Game
from engine.match import Match
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import GAME, Number, limit_options, python_option

if TYPE_CHECKING:
    from agents.core import Limit
    from agents.wrappers import LoadedAgent

REPLY_TIMEOUT_S = 10.0


@click.command()
@click.argument("game", type=GAME)
@click.option(
    "--against", "spec", help="The opponent, as in `perfect:skill=0.8`, or a file, `./mybot.py`."
)
@click.option("--second", is_flag=True, help="Let the agent move first.")
@click.option("--seed", type=Number(0), help="The same seed, the same replies.")
@python_option
@limit_options(REPLY_TIMEOUT_S)
def play(
    *,
    game: Game[Any, Any],
    spec: str | None,
    second: bool,
    seed: int | None,
    python: str | None,
    limit: Limit,
) -> None:
    """Play a GAME against an agent in the terminal, or two people at one keyboard.

    Beside a move you can type hint, undo, moves, resign, quit or help.
    """
    from agents.player_loader import load_player

    if spec is None and second:
        raise click.UsageError("--second lets an agent move first: name one with --against")
    with caches_shown():
        agent = None if spec is None else load_player(spec, game, python)
        seats = (agent, None) if second else (None, agent)
        _run(game, seats, limit, seed)


@click.command()
@click.argument("game", type=GAME)
@click.argument("one", metavar="SPEC")
@click.argument("two", metavar="SPEC")
@click.option("--seed", type=Number(0), help="The same seed, the same moves.")
@python_option
@limit_options(REPLY_TIMEOUT_S)
def watch(
    *,
    game: Game[Any, Any],
    one: str,
    two: str,
    seed: int | None,
    python: str | None,
    limit: Limit,
) -> None:
    """Watch two agents play a GAME move by move, the first named begins."""
    from agents.player_loader import load_player

    with caches_shown():
        _run(game, (load_player(one, game, python), load_player(two, game, python)), limit, seed)


@contextmanager
def caches_shown() -> Iterator[None]:
    """Cache files may be used, and are told about at the end."""
    from agents.search.cache_file import cache_files, cache_texts

    with cache_files():
        yield
        for text in cache_texts():
            click.echo(text)


def _run(
    game: Game[Any, Any],
    agents: tuple[LoadedAgent | None, LoadedAgent | None],
    limit: Limit,
    seed: int | None,
) -> None:
    from agents.player_loader import end_matches
    from webapp.commands.terminal_match import Session

    rng = Random(SystemRandom().getrandbits(64) if seed is None else seed)
    session = Session(Match.begin(game), agents, limit, rng)
    try:
        with prompt_interrupts():
            session.run()
    finally:
        end_matches(*agents)
