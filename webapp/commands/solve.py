"""`zermelo solve`: the exact value of a game and of every first move."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from agents.formats import counted, proven_text
from engine.core import Game
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import GAME, json_option
from webapp.commands.output import (
    DRAW,
    LOSS,
    WIN,
    percent,
    progress_bar,
    show_json,
    show_table,
    verdict,
)

if TYPE_CHECKING:
    from agents.perfect.endgame_builder import EndgameSummary
    from agents.perfect.summary import Summary


@click.command()
@click.argument("game", type=GAME)
@click.option(
    "--blanks",
    type=click.IntRange(0, 2),
    help="Only the boards of 5×5 Quixo on which so many cubes are blank.",
)
@json_option
def solve(game: Game[Any, Any], blanks: int | None, as_json: bool) -> None:
    """Work out a GAME exactly.

    The value of the start for the player who moves first, with the plies to the end when both sides
    play as well as can be; how many of the states that play can reach are won, drawn and lost
    for the side to move in them; and every first move.

    5×5 Quixo is too large for that, but not its endgames: `solve quixo --blanks 1` works them out
    in about two minutes, once, and counts those that are won, lost and drawn by how many cubes
    the mover and the other have. From then on quixo-deep and perfect look them up. Those with two
    blanks take some five minutes, 800 MB of memory meanwhile, and 600 MB on the disk.
    """
    if blanks is not None:
        _solve_endgames(game, blanks, as_json)
        return
    from agents.perfect import summary as perfect

    with prompt_interrupts(), progress_bar(f"solving {game.spec}") as progress:
        summary = perfect.solve(game, progress)
    if as_json:
        show_json(_as_json(summary))
    else:
        _show(summary)


def _solve_endgames(game: Game[Any, Any], blanks: int, as_json: bool) -> None:
    from agents.perfect.endgame_builder import solve_endgames
    from agents.perfect.oracles import ENDGAMES

    if game.spec != ENDGAMES:
        raise click.UsageError(f"--blanks is for {ENDGAMES}, not for {game.spec}")
    label = f"{game.spec}, {counted(blanks, 'blank', 'blanks')}"
    with prompt_interrupts(), progress_bar(label) as progress:
        summary = solve_endgames(blanks, progress)
    if as_json:
        show_json({"game": game.spec, **_endgames_as_json(summary)})
    else:
        _show_endgames(game.spec, summary)


def _endgames_as_json(summary: EndgameSummary) -> dict[str, Any]:
    return {
        "blanks": summary.blanks,
        "classes": [asdict(each) for each in summary.classes],
        "wins": summary.wins,
        "losses": summary.losses,
        "draws": summary.draws,
        "longest": summary.longest,
        "seconds": round(summary.seconds, 3),
    }


def _show_endgames(game: str, summary: EndgameSummary) -> None:
    blanks = counted(summary.blanks, "blank cube", "blank cubes")
    longest = counted(summary.longest, "ply", "plies")
    click.echo(f"{game} with {blanks}: the longest win takes {longest}\n")
    rows = [
        (f"{each.own}", f"{each.other}", *map("{:,}".format, (each.wins, each.draws, each.losses)))
        for each in summary.classes
    ]
    total = map("{:,}".format, (summary.wins, summary.draws, summary.losses))
    header = ("own cubes", "other's", f"{WIN} won", f"{DRAW} drawn", f"{LOSS} lost")
    show_table(header, [*rows, ("all", "", *total)], ">>>>>")


def _as_json(summary: Summary) -> dict[str, Any]:
    return {
        "game": summary.game,
        "value": proven_text(summary.start.value, None),
        "plies": summary.start.plies,
        "states": summary.states,
        "wins": summary.wins,
        "draws": summary.draws,
        "losses": summary.losses,
        "moves": [
            {"move": str(move), "value": proven_text(seen.value, None), "plies": seen.plies}
            for move, seen in summary.moves
        ],
    }


def _show(summary: Summary) -> None:
    start = verdict(summary.start.value, True, summary.start.plies)
    click.echo(f"{summary.game}: {start}, for the player who moves first\n")
    counts = (
        (f"{WIN} won", summary.wins),
        (f"{DRAW} drawn", summary.draws),
        (f"{LOSS} lost", summary.losses),
        ("all", summary.states),
    )
    show_table(
        ("states", "", ""),
        [(name, f"{count:,}", percent(count / summary.states)) for name, count in counts],
        "<>>",
    )
    click.echo()
    show_table(("first move", "value"), _moves_by_value(summary), "<<")


def _moves_by_value(summary: Summary) -> list[tuple[str, str]]:
    """The moves gathered by what they are worth, best first, a few to a line."""
    groups: dict[str, list[str]] = {}
    for move, seen in sorted(
        summary.moves, key=lambda pair: (-pair[1].value, pair[1].value * (pair[1].plies or 0))
    ):
        groups.setdefault(verdict(seen.value, True, seen.plies), []).append(str(move))
    return [
        (" ".join(moves[at : at + 8]), value if at == 0 else "")
        for value, moves in groups.items()
        for at in range(0, len(moves), 8)
    ]
