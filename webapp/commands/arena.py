"""`zermelo arena`: everyone against everyone, the table and the ratings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from agents.wording import counted
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import Kind
from webapp.commands.choices import (
    GAME,
    MOST_WORKERS,
    Number,
    chosen_agent,
    games_option,
    json_option,
    limit_options,
    seed_option,
)
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.layout import WIDTH, shortened, show_json, show_table, with_progress
from webapp.commands.match import counts

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from agents.contest.ratings import Rating
    from agents.contest.scores import Score
    from agents.core import Limit

MOST_PLAYERS = 32

Table = list[list["Score | None"]]


@click.command()
@click.argument("game", type=GAME)
@click.argument("specs", metavar="SPEC SPEC...", nargs=-1, required=True)
@games_option("How many for each pair; they change seats after each.")
@click.option(
    "--workers",
    type=Number(Kind.INTEGER, 1, MOST_WORKERS),
    help="Processes to play in.  [default: one for each processor]",
)
@seed_option
@limit_options()
@json_option
def arena(
    *,
    game: Game[Any, Any],
    specs: tuple[str, ...],
    games: int,
    workers: int | None,
    seed: int,
    limit: Limit,
    as_json: bool,
) -> None:
    """Play a round robin of a GAME between two or more agents.

    Ratings are Elo by maximum likelihood, relative to the mean of the field, with 95 %
    intervals: 400 points more are ten wins to one. The number of workers changes no result.
    """
    from agents.compute.processes import processors
    from agents.contest.arena import crosstable, play_all, schedule
    from agents.contest.ratings import rate

    players = _field(game, specs)
    lanes = workers or processors()
    fixtures = schedule(game.spec, players, games, seed, limit)
    total = games * len(players) * (len(players) - 1) // 2
    with prompt_interrupts(), processes(min(lanes, total)) as executor:
        results = play_all(fixtures, executor, lanes)
        table = crosstable(len(players), with_progress(results, total, "playing"))
    ratings = rate(table)
    if as_json:
        show_json(
            _as_json(
                game=game,
                players=players,
                games=games,
                seed=seed,
                ratings=ratings,
                table=table,
            )
        )
    else:
        _show(game, players, games, ratings, table)


def _field(game: Game[Any, Any], specs: tuple[str, ...]) -> list[str]:
    """The agents by their shortest specs: at least two, each once."""
    if not 2 <= len(specs) <= MOST_PLAYERS:
        why = f"an arena takes 2 to {MOST_PLAYERS} agents, not {len(specs)}"
        raise InvalidSpecError(" ".join(specs), why)
    players: list[str] = []
    for spec in specs:
        player, _ = chosen_agent(spec, game)
        if player in players:
            raise InvalidSpecError(spec, f"{player!r} is named twice: an arena has each agent once")
        players.append(player)
    return players


@contextmanager
def processes(lanes: int) -> Iterator[Executor | None]:
    """Workers, or none where this process is enough."""
    from agents.compute.processes import local_processes

    if lanes == 1:
        yield None
    else:
        with local_processes(lanes) as executor:
            yield executor


def _record(row: list[Score | None]) -> Score:
    from agents.contest.scores import Score

    return sum((score for score in row if score), Score())


def _as_json(
    *,
    game: Game[Any, Any],
    players: list[str],
    games: int,
    seed: int,
    ratings: tuple[Rating, ...],
    table: Table,
) -> dict[str, Any]:
    return {
        "game": game.spec,
        "games": games,
        "seed": seed,
        "players": [
            {
                "spec": spec,
                "rating": round(rating.elo, 1),
                "interval": [round(rating.low, 1), round(rating.high, 1)],
                **counts(_record(row)),
            }
            for spec, rating, row in zip(players, ratings, table, strict=True)
        ],
        "table": [[score and counts(score) for score in row] for row in table],
    }


def _show(
    game: Game[Any, Any],
    players: list[str],
    games: int,
    ratings: tuple[Rating, ...],
    table: Table,
) -> None:
    click.echo(f"{game.spec}: {counted(games, 'game', 'games')} for each pair\n")
    order = sorted(range(len(players)), key=lambda entrant: -ratings[entrant].elo)
    show_table(
        ("", "agent", "rating", "95 %", "▲ win", "= draw", "▼ loss"),
        [_row(place, players[at], ratings[at], table[at]) for place, at in enumerate(order, 1)],
        "><>>>>>",
    )
    click.echo("\npoints in percent, row against column")
    places = [str(place) for place in range(1, len(order) + 1)]
    names = [shortened(players[at]) for at in order]
    if 6 + max(map(len, names)) + 5 * len(order) > WIDTH:
        names = [""] * len(order)
    show_table(
        ("", "", *places),
        [
            (place, name, *(_share(table[at][other]) for other in order))
            for place, name, at in zip(places, names, order, strict=True)
        ],
        "><" + ">" * len(order),
    )


def _row(place: int, spec: str, rating: Rating, row: list[Score | None]) -> tuple[str, ...]:
    score = _record(row)
    return (
        str(place),
        shortened(spec),
        f"{rating.elo:+.0f}",
        f"{rating.low:+.0f} to {rating.high:+.0f}",
        str(score.wins),
        str(score.draws),
        str(score.losses),
    )


def _share(score: Score | None) -> str:
    return "–" if score is None else f"{100 * score.rate:.0f}"
