"""`zermelo arena`: a round robin with table and ratings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.formats import counted
from engine.core import Game
from webapp.commands.forfeits import prints_on_stderr, show_forfeits
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import (
    GAME,
    MAX_WORKERS,
    Number,
    games_option,
    json_option,
    limit_options,
    python_option,
    seed_option,
)
from webapp.commands.output import WIDTH, paragraph, shortened, show_json, show_table, with_progress

if TYPE_CHECKING:
    from agents.contest.results import Meeting
    from agents.contest.standings import Standing, Standings
    from agents.core import Limit

MAX_CYCLES = 5


@click.command()
@click.argument("game", type=GAME)
@click.argument("specs", metavar="SPEC SPEC...", nargs=-1, required=True)
@games_option("How many for each pair; they change seats after each.")
@click.option(
    "--opening",
    type=Number(0, 20),
    default=0,
    show_default=True,
    help="Random plies before the agents begin; both seats of each are played.",
)
@click.option(
    "--workers",
    type=Number(1, MAX_WORKERS),
    help="Processes to play in.  [default: one for each processor]",
)
@seed_option
@python_option
@limit_options()
@click.option(
    "--csv",
    "csv_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the table to this file, and who scored what against whom to NAME-meetings.csv.",
)
@click.option("--times", is_flag=True, help="Seconds per move in the CSV too: they never repeat.")
@json_option
def arena(
    *,
    game: Game[Any, Any],
    specs: tuple[str, ...],
    games: int,
    opening: int,
    workers: int | None,
    seed: int,
    python: str | None,
    limit: Limit,
    csv_file: Path | None,
    times: bool,
    as_json: bool,
) -> None:
    """Play a round robin of a GAME between two or more agents.

    Ratings are Elo by maximum likelihood, relative to the mean of the field, with 95 %
    intervals: 400 points more are ten wins to one. The number of workers changes no result,
    and the same seed gives the same games, unless --seconds lets the clock decide.
    """
    from agents import play_arena
    from agents.compute.processes import processors
    from agents.contest.export import document
    from agents.contest.forfeits import ForfeitLog
    from agents.players.spec import with_python

    if csv_file is not None:
        csv_file.touch()  # fails before the first game if it cannot be written
    total = games * len(specs) * (len(specs) - 1) // 2
    log = ForfeitLog()
    with prompt_interrupts(), prints_on_stderr():
        table = play_arena(
            game,
            [with_python(spec, python) for spec in specs],
            games=games,
            seed=seed,
            limit=limit,
            opening=opening,
            workers=workers or processors(),
            watched=lambda results: with_progress(log.watch(results), total, "playing"),
        )
    if csv_file is not None:
        _write(table, csv_file, times)
    if as_json:
        show_json(document(table) | {"faults": list(map(asdict, log.forfeits))})
    else:
        _show(table)
        show_forfeits(log)


def _write(table: Standings, path: Path, times: bool) -> None:
    from agents.contest.export import meetings_csv, standings_csv

    path.write_bytes(standings_csv(table, times=times).encode())
    path.with_name(f"{path.stem}-meetings.csv").write_bytes(meetings_csv(table).encode())


def _show(table: Standings) -> None:
    terms = table.terms
    click.echo(f"{terms.game}: {counted(terms.games, 'game', 'games')} for each pair\n")
    show_table(
        ("", "agent", "rating", "95 %", "▲ win", "= draw", "▼ loss", "a move"),
        [_row(standing) for standing in table.standings],
        "><>>>>>>",
    )
    click.echo("\npoints in percent, row against column")
    places = [str(place) for place in range(1, len(table.order) + 1)]
    names = [shortened(standing.spec) for standing in table.standings]
    if 6 + max(map(len, names)) + 5 * len(places) > WIDTH:
        names = [""] * len(places)
    show_table(
        ("", "", *places),
        [
            (place, name, *(_share(table.meetings[at][other]) for other in table.order))
            for place, name, at in zip(places, names, table.order, strict=True)
        ],
        "><" + ">" * len(places),
    )
    click.echo()
    for note in _notes(table):
        click.echo(paragraph(note))


def _row(standing: Standing) -> tuple[str, ...]:
    rating, score, pace = standing.rating, standing.score, standing.pace.per_move
    return (
        str(standing.rank),
        shortened(standing.spec, 20),
        f"{rating.elo:+.0f}" if rating else "–",
        f"{rating.low:+.0f} to {rating.high:+.0f}" if rating else "–",
        str(score.wins),
        str(score.draws),
        str(score.losses),
        f"{1000 * pace:.1f} ms" if pace is not None else "–",
    )


def _share(meeting: Meeting | None) -> str:
    return "–" if meeting is None else f"{100 * meeting.score.rate:.0f}"


def _notes(table: Standings) -> list[str]:
    """Notes below the table."""
    from agents.contest.standings import TIE_BREAK

    terms, names = table.terms, [shortened(spec, 40) for spec in table.terms.players]
    notes = [
        f"{low} to {high} cannot be told apart by these games." for low, high in table.brackets
    ]
    if table.different < table.played:
        different = counted(table.different, "different game", "different games")
        notes.append(f"{different} of {table.played:,}.")
    odd = table.oddities
    endings = {
        "forfeited": odd.forfeits,
        "by repetition": odd.repetitions,
        "by length": odd.lengths,
    }
    if any(endings.values()):
        texts = (f"{number:,} {name}" for name, number in endings.items() if number)
        notes.append(f"Games ended apart: {', '.join(texts)}.")
    for cycle in table.cycles[:MAX_CYCLES]:
        one, two, three = (names[entrant] for entrant in cycle.entrants)
        doubt = "" if cycle.sure else " (within chance)"
        notes.append(f"In a circle: {one} > {two} > {three} > {one}{doubt}.")
    if len(table.cycles) > MAX_CYCLES:
        notes.append(f"And {len(table.cycles) - MAX_CYCLES:,} more circles.")
    if not terms.repeats:
        notes.append("A limit in seconds: another run may give other games.")
    return [*notes, TIE_BREAK]
