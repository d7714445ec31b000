"""`zermelo train --grid`: every combination of parameters, ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine.core import Game
from engine.errors import InvalidSpecError
from webapp.commands.interrupts import INTERRUPTED, prompt_interrupts
from webapp.commands.output import percent, progress_bar, show_json, show_table

if TYPE_CHECKING:
    from agents.grid import Fresh, Grid, Metrics, Ranked

SHOWN = 20  # settings printed; --json has all
DEFAULT_GAMES = 100_000


def train_grid(
    game: Game[Any, Any],
    spec: str,
    text: str,
    games: int | None,
    seed: int | None,
    seeds: int,
    workers: int | None,
    *,
    as_json: bool,
) -> None:
    """Run the grid, and print its table or its list."""
    from agents.compute.processes import processors
    from agents.grid import read_grid
    from agents.grid_runs import documents, run_grid

    length = games or _length(game, spec)
    grid = read_grid(game, spec, text, length=length, seed=seed or 1, seeds=seeds)
    label = f"{len(grid.combinations):,} settings of {spec.partition(':')[0]} on {game.spec}"
    with prompt_interrupts(), progress_bar(label) as update:
        found = run_grid(grid, workers or processors(), lambda ended: update(ended / grid.total))
    if as_json:
        show_json(documents(grid, found))
    else:
        _show(grid, found)
    if len(found) < grid.total:
        raise click.exceptions.Exit(INTERRUPTED)


def _length(game: Game[Any, Any], spec: str) -> int:
    from agents.runs import read_learner
    from agents.training.trainer import length_of

    key, _, options = read_learner(spec, game)
    unit = length_of(options)
    length = options.get(unit)
    if unit != "games" and length is None:
        raise InvalidSpecError(spec, f"say how long {key} learns: its option {unit}")
    return DEFAULT_GAMES if length is None else int(str(length))


def _show(grid: Grid, found: dict[int, Metrics]) -> None:
    from agents.grid import AS_GIVEN

    ranking, fresh = grid.ranking(found), grid.fresh(found)
    names = [axis.name for axis in grid.axes]
    show_table(
        ("", *names, "score", "fresh seeds"),
        [
            _row(str(rank), each, names, fresh.get(each.number))
            for rank, each in enumerate(ranking[:SHOWN], 1)
        ],
        ">" * (len(names) + 3),
    )
    if len(ranking) > SHOWN:
        click.echo(f"and {len(ranking) - SHOWN:,} more: --json has all of them")
    if AS_GIVEN in fresh:
        given = grid.parameters(AS_GIVEN)
        values = ", ".join(f"{name} {given[name]}" for name in names)
        click.echo(f"as given ({values}): {_fresh(fresh[AS_GIVEN])} from the same fresh seeds")


def _row(rank: str, each: Ranked, names: list[str], fresh: Fresh | None) -> tuple[str, ...]:
    values = (each.parameters[name] for name in names)
    return (rank, *values, percent(each.score), "" if fresh is None else _fresh(fresh))


def _fresh(fresh: Fresh) -> str:
    return f"{percent(fresh.mean)} ({percent(fresh.low)} to {percent(fresh.high)})"
