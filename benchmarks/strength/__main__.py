"""`python -m benchmarks.strength`: measure how strong every agent is, and write down what ships."""

from __future__ import annotations

import os
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from agents.formats import portion
from engine.core import Game
from engine.errors import InvalidSpecError
from webapp.cli import OneLineErrors
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import GAME, MAX_WORKERS, Number, json_option
from webapp.commands.output import show_json, show_table, with_progress

if TYPE_CHECKING:
    from agents.contest.strength import MeasuredField

DEFAULT_PLACE = Path("agents/contest/strength.json")


@click.command("strength", cls=OneLineErrors)
@click.argument("games", type=GAME, metavar="[GAME]...", nargs=-1)
@click.option("--anew", is_flag=True, help="Forget what was played before.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=DEFAULT_PLACE)
@click.option("--workers", type=Number(1, MAX_WORKERS), default=2, show_default=True)
@json_option
def strength(
    *, games: tuple[Game[Any, Any], ...], anew: bool, out: Path, workers: int, as_json: bool
) -> None:
    """Measure how strong every agent is: everyone against everyone, in every named variant.

    With a GAME or several, in these variants alone. What was played before and is still true is
    kept, so a run that was stopped goes on where it was; --anew plays it again. Nothing depends
    on the clock: on any machine the same games are played.
    """
    from agents.compute.processes import local_processes
    from agents.contest.series import PRELOAD
    from agents.quixo.endgame_tables import WANTED
    from benchmarks.strength.field import measured_variants
    from benchmarks.strength.run import StrengthRun

    os.environ[WANTED] = "0"  # what this machine has worked out must make no difference
    named = measured_variants()
    for game in games:
        if game.spec not in named:
            why = f"{game.spec} is not measured: variants with a name are, {', '.join(named)}"
            raise InvalidSpecError(game.spec, why)
    run = StrengthRun(out, [game.spec for game in games] or named, anew)
    missing, begun = run.missing(), monotonic()
    workers = min(workers, len(missing))
    pool = local_processes(workers, PRELOAD) if workers > 1 else nullcontext()
    with prompt_interrupts(), pool as executor:
        for _ in with_progress(run.play(missing, executor), len(missing), "measuring"):
            pass
    fields = [run.fields[spec] for spec in run.chosen]
    if as_json:
        show_json([_as_json(field) for field in fields])
    else:
        for field in fields:
            _show(field)
        took = timedelta(seconds=round(monotonic() - begun))
        click.echo(f"{len(missing)} pairs played in {took}; wrote {out}")


def _as_json(field: MeasuredField) -> dict[str, Any]:
    return {
        "game": field.game,
        "nodes": dict(field.nodes),
        "newcomer": field.newcomer,
        "easy_opponents": sorted(field.easy_opponents),
        "players": [_player_as_json(field, spec) for spec in _strongest_first(field)],
    }


def _player_as_json(field: MeasuredField, spec: str) -> dict[str, Any]:
    score = field.scores[spec]
    return {
        "spec": spec,
        "strength": round(score.rate, 4),
        "interval": [round(bound, 4) for bound in score.interval()],
        "games": score.games,
        "rating": round(field.ratings[spec], 1),
    }


def _show(field: MeasuredField) -> None:
    click.secho(f"{field.game}", bold=True)
    rows = []
    for spec in _strongest_first(field):
        score = field.scores[spec]
        low, high = score.interval()
        interval = f"{portion(low)} to {portion(high)}"
        rows.append((spec, portion(score.rate), interval, str(score.games)))
    show_table(("player", "points", "95 %", "games"), rows, "<>>>")
    click.echo(
        f"easy for a newcomer ({field.newcomer}): {', '.join(sorted(field.easy_opponents))}\n"
    )


def _strongest_first(field: MeasuredField) -> list[str]:
    return sorted(field.players, key=field.merit, reverse=True)


if __name__ == "__main__":
    strength(prog_name="python -m benchmarks.strength")
