"""Forfeits in the terminal: what each failed player did, where, and its traceback."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, redirect_stdout
from typing import TYPE_CHECKING, TextIO

import click

from agents.formats import counted
from webapp.commands.output import paragraph

if TYPE_CHECKING:
    from agents.contest.forfeits import Forfeit, ForfeitLog

MAX_SHOWN = 40  # more than there are players in an arena


def prints_on_stderr() -> AbstractContextManager[TextIO]:
    """Keep what agents print out of our own output, which a program may read."""
    return redirect_stdout(sys.stderr)


def show_forfeits(log: ForfeitLog) -> None:
    """Print the first forfeit of each player and reason."""
    reasons = log.by_reason()
    for forfeit, number in reasons[:MAX_SHOWN]:
        click.echo()
        click.echo(paragraph(forfeit_text(forfeit, number)))
        if forfeit.traceback:
            click.echo(
                "".join(f"    {line}\n" for line in forfeit.traceback.splitlines()), nl=False
            )
    if len(reasons) > MAX_SHOWN:
        click.echo(f"\nAnd {counted(len(reasons) - MAX_SHOWN, 'more reason', 'more reasons')}.")


def forfeit_text(forfeit: Forfeit, number: int) -> str:
    """`mybot forfeits 3 games: it failed with … In x../... o, after 1 ply against random.`"""
    games = counted(number, "game", "games")
    plies = counted(forfeit.ply, "ply", "plies")
    where = f"{forfeit.position} after {plies} against {forfeit.opponent}"
    first = "In" if number == 1 else "First in"
    return f"{forfeit.player} forfeits {games}: {forfeit.fault}. {first} {where}."
