"""`zermelo match`: many games between two agents, the score by seat."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from agents.formats import counted
from engine.core import Game
from webapp.commands.forfeits import prints_on_stderr, show_forfeits
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import (
    GAME,
    games_option,
    json_option,
    limit_options,
    python_option,
    seed_option,
)
from webapp.commands.output import percent, shortened, show_json, show_table, with_progress

if TYPE_CHECKING:
    from agents.contest.forfeits import ForfeitLog
    from agents.contest.ratings import Score
    from agents.contest.series import Series
    from agents.core import Limit


@click.command()
@click.argument("game", type=GAME)
@click.argument("one", metavar="SPEC")
@click.argument("two", metavar="SPEC")
@games_option("How many; the players change seats after each.")
@seed_option
@python_option
@limit_options()
@json_option
def match(
    *,
    game: Game[Any, Any],
    one: str,
    two: str,
    games: int,
    seed: int,
    python: str | None,
    limit: Limit,
    as_json: bool,
) -> None:
    """Let two agents play many games of a GAME.

    Everything shown is for the agent named first, by the seat it had. A win is one point, a
    draw half of one; the interval is Wilson's, at 95 %.
    """
    from agents import play_match
    from agents.contest.forfeits import ForfeitLog
    from agents.players.spec import with_python
    from agents.search.cache_file import cache_files, cache_texts

    log = ForfeitLog()
    with prompt_interrupts(), prints_on_stderr(), cache_files():
        series = play_match(
            game,
            with_python(one, python),
            with_python(two, python),
            games=games,
            seed=seed,
            limit=limit,
            watched=lambda results: with_progress(log.watch(results), games, "playing"),
        )
        caches = cache_texts()
    if as_json:
        faults = list(map(asdict, log.forfeits))
        show_json(_as_json(series) | {"faults": faults} | ({"caches": caches} if caches else {}))
    else:
        _show(series, log)
        for text in caches:
            click.echo(text)


def _as_json(series: Series) -> dict[str, Any]:
    return {
        "game": series.game,
        "players": list(series.players),
        "games": len(series.played),
        "seed": series.seed,
        "first": asdict(series.first),
        "second": asdict(series.second),
        "score": series.score.rate,
        "interval": list(series.score.interval()),
        "plies": series.plies,
        "seconds": round(series.seconds, 3),
    }


def _show(series: Series, log: ForfeitLog) -> None:
    one, two = series.players
    click.echo(f"{series.game}: {one} against {two}\n")
    show_table(
        (shortened(one), "games", "▲ win", "= draw", "▼ loss", "score", "95 %"),
        [
            _row("moving first", series.first),
            _row("moving second", series.second),
            _row("both", series.score),
        ],
        "<>>>>>>",
    )
    plies = series.plies / len(series.played)
    played = counted(len(series.played), "game", "games")
    click.echo(f"\n{played} of {plies:.1f} plies on average, in {series.seconds:.1f} s")
    if series.forfeits:
        click.echo(f"{counted(series.forfeits, 'game was', 'games were')} forfeited")
        show_forfeits(log)


def _row(name: str, score: Score) -> tuple[str, ...]:
    low, high = score.interval()
    return (
        name,
        str(score.games),
        str(score.wins),
        str(score.draws),
        str(score.losses),
        percent(score.rate) if score.games else "–",
        f"{100 * low:.1f} to {100 * high:.1f}" if score.games else "–",
    )
