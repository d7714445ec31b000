"""`zermelo arena`: everyone against everyone, the table and the ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agents.wording import counted
from engine.core import Game
from engine.options import Kind
from webapp.commands.choices import (
    GAME,
    MOST_WORKERS,
    Number,
    games_option,
    json_option,
    limit_options,
    seed_option,
)
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.layout import WIDTH, shortened, show_json, show_table, with_progress
from webapp.commands.match import counts

if TYPE_CHECKING:
    from agents.contest.round_robin import RoundRobin, Standing
    from agents.contest.scores import Score
    from agents.core import Limit


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
    from agents import play_arena
    from agents.compute.processes import processors

    total = games * len(specs) * (len(specs) - 1) // 2
    with prompt_interrupts():
        result = play_arena(
            game,
            specs,
            games=games,
            seed=seed,
            limit=limit,
            workers=workers or processors(),
            watched=lambda results: with_progress(results, total, "playing"),
        )
    if as_json:
        show_json(_as_json(result))
    else:
        _show(result)


def _as_json(result: RoundRobin) -> dict[str, Any]:
    from agents.contest.round_robin import record

    return {
        "game": result.game,
        "games": result.games,
        "seed": result.seed,
        "players": [
            {
                "spec": spec,
                "rating": round(rating.elo, 1),
                "interval": [round(rating.low, 1), round(rating.high, 1)],
                **counts(record(row)),
            }
            for spec, rating, row in zip(result.players, result.ratings, result.table, strict=True)
        ],
        "table": [[score and counts(score) for score in row] for row in result.table],
    }


def _show(result: RoundRobin) -> None:
    click.echo(f"{result.game}: {counted(result.games, 'game', 'games')} for each pair\n")
    show_table(
        ("", "agent", "rating", "95 %", "▲ win", "= draw", "▼ loss"),
        [_row(place, standing) for place, standing in enumerate(result.standings, 1)],
        "><>>>>>",
    )
    click.echo("\npoints in percent, row against column")
    order = [result.players.index(standing.spec) for standing in result.standings]
    places = [str(place) for place in range(1, len(order) + 1)]
    names = [shortened(result.players[at]) for at in order]
    if 6 + max(map(len, names)) + 5 * len(order) > WIDTH:
        names = [""] * len(order)
    show_table(
        ("", "", *places),
        [
            (place, name, *(_share(result.table[at][other]) for other in order))
            for place, name, at in zip(places, names, order, strict=True)
        ],
        "><" + ">" * len(order),
    )


def _row(place: int, standing: Standing) -> tuple[str, ...]:
    rating, score = standing.rating, standing.score
    return (
        str(place),
        shortened(standing.spec),
        f"{rating.elo:+.0f}",
        f"{rating.low:+.0f} to {rating.high:+.0f}",
        str(score.wins),
        str(score.draws),
        str(score.losses),
    )


def _share(score: Score | None) -> str:
    return "–" if score is None else f"{100 * score.rate:.0f}"
