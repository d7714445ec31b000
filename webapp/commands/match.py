"""`zermelo match`: two agents, many games, the score by seat."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from agents.wording import counted
from engine.core import Game, Seat
from webapp.commands.choices import (
    GAME,
    chosen_agent,
    games_option,
    json_option,
    limit_options,
    seed_option,
)
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.layout import percent, shortened, show_json, show_table, with_progress

if TYPE_CHECKING:
    from agents.contest.arena import Played
    from agents.contest.scores import Score
    from agents.core import Limit


@click.command()
@click.argument("game", type=GAME)
@click.argument("one", metavar="SPEC")
@click.argument("two", metavar="SPEC")
@games_option("How many; the players change seats after each.")
@seed_option
@limit_options()
@json_option
def match(
    *,
    game: Game[Any, Any],
    one: str,
    two: str,
    games: int,
    seed: int,
    limit: Limit,
    as_json: bool,
) -> None:
    """Let two agents play many games of a GAME.

    Everything shown is for the agent named first, by the seat it had. A win is one point, a
    draw half of one; the interval is Wilson's, at 95 %.
    """
    from agents.contest.arena import play_all, schedule

    with prompt_interrupts():
        specs = [chosen_agent(spec, game)[0] for spec in (one, two)]
        begun = perf_counter()
        fixtures = schedule(game.spec, specs, games, seed, limit)
        results = list(with_progress(play_all(fixtures), games, "playing"))
    took = perf_counter() - begun
    by_seat = [_record(results, seat) for seat in Seat]
    if as_json:
        total = by_seat[0] + by_seat[1]
        show_json(
            {
                "game": game.spec,
                "players": specs,
                "games": games,
                "seed": seed,
                "first": counts(by_seat[Seat.FIRST]),
                "second": counts(by_seat[Seat.SECOND]),
                "score": total.rate,
                "interval": list(total.interval()),
                "plies": sum(len(played.moves) for played in results),
                "seconds": round(took, 3),
            }
        )
    else:
        _show(game, specs, results, by_seat, took)


def counts(score: Score) -> dict[str, int]:
    """A record as a program reads it."""
    return {"wins": score.wins, "draws": score.draws, "losses": score.losses}


def _record(results: list[Played], seat: Seat) -> Score:
    """What the player named first scored from that seat."""
    from agents.contest.scores import Score

    return sum((played.score(0) for played in results if played.seat(0) is seat), Score())


def _show(
    game: Game[Any, Any],
    specs: list[str],
    results: list[Played],
    by_seat: list[Score],
    took: float,
) -> None:
    click.echo(f"{game.spec}: {specs[0]} against {specs[1]}\n")
    show_table(
        (shortened(specs[0]), "games", "▲ win", "= draw", "▼ loss", "score", "95 %"),
        [
            _row("moving first", by_seat[0]),
            _row("moving second", by_seat[1]),
            _row("both", by_seat[0] + by_seat[1]),
        ],
        "<>>>>>>",
    )
    plies = sum(len(played.moves) for played in results) / len(results)
    played = counted(len(results), "game", "games")
    click.echo(f"\n{played} of {plies:.1f} plies on average, in {took:.1f} s")
    if faults := sum(played.fault is not None for played in results):
        click.echo(f"{counted(faults, 'game was', 'games were')} forfeited")


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
