"""`zermelo train`: train an agent and save its brain."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from engine.core import Game
from engine.options import parse_spec
from webapp.commands.grid import train_grid
from webapp.commands.interrupts import INTERRUPTED, prompt_interrupts
from webapp.commands.options import GAME, Number, json_option, python_option
from webapp.commands.output import DRAW, LOSS, WIN, percent, show_json, with_progress

if TYPE_CHECKING:
    from agents.runs import Run, Trained
    from agents.training.trainer import Checkpoint

MAX_GAMES = 20_000_000
OPPONENT = "opponent"  # the option of a learner
GLYPHS = {"wins": WIN, "draws": DRAW, "losses": LOSS}


@click.command()
@click.argument("game", type=GAME, required=False)
@click.argument("spec", required=False)
@click.option("--games", type=Number(1, MAX_GAMES), help="How many to learn from.")
@click.option(
    "--opponent",
    help="Whom it trains against: an agent, self, or in a small game a file, `./mybot.py`.",
)
@click.option("--seed", type=Number(0), help="The same seed gives the same brain.")
@click.option("--name", help="What to call the brain; else it is named after agent and game.")
@click.option("--resume", metavar="BRAIN", help="Go on from a brain that was saved before.")
@click.option(
    "--grid", metavar="AXES", help="Try every combination: alpha=0.1:1:0.1,gamma=0.5,0.9."
)
@click.option(
    "--seeds", type=Number(1, 100), default=1, help="Of a grid: runs of each combination."
)
@click.option("--workers", type=Number(1, 64), help="Of a grid: processes; else one a core.")
@click.option("--shipped", is_flag=True, help="Rebuild the brains that come with Zermelo.")
@python_option
@json_option
def train(
    *,
    game: Game[Any, Any] | None,
    spec: str | None,
    games: int | None,
    opponent: str | None,
    seed: int | None,
    name: str | None,
    resume: str | None,
    grid: str | None,
    seeds: int,
    workers: int | None,
    shipped: bool,
    python: str | None,
    as_json: bool,
) -> None:
    """Let the agent SPEC learn a GAME, and save its brain.

    The spec's options say how, as in qlearning:opponent=random,epsilon=0.2. Ctrl-C stops and
    saves what there is; --resume goes on from there. Play it with the option brain=NAME.

    With --grid it learns once with every combination of the parameters named, low:high:step or
    values; the table has the best first, and no brain is saved. The first five learn again from 20
    fresh seeds, beside the SPEC as you gave it: the best of many is partly lucky.
    """
    from agents.runs import prepare_run, run_training, shipped_runs

    if shipped and (game or games or seed or name or resume or grid or opponent):
        raise click.UsageError("--shipped rebuilds every brain from its own seed, alone")
    if shipped:
        runs = shipped_runs()
    elif game is None or spec is None:
        raise click.UsageError("name a GAME and the SPEC of an agent that learns")
    elif grid is not None:
        if name or resume:
            raise click.UsageError("--grid saves no brain: leave out --name and --resume")
        spec = _with_opponent(spec, game, opponent, python)
        train_grid(game, spec, grid, games, seed, seeds, workers, as_json=as_json)
        return
    else:
        spec = _with_opponent(spec, game, opponent, python)
        begun = prepare_run(game, spec, games=games, seed=seed, name=name, resume=resume)
        runs = iter([begun])
    reports = []
    for run in runs:
        reports.append(run_training(run, partial(_with_progress, run)))
        if not as_json:
            click.echo(_report_text(reports[-1]))
        if reports[-1].stopped:
            break
    if as_json:
        documents = [_as_json(report) for report in reports]
        show_json(documents if shipped else documents[0])
    elif not shipped:
        click.echo(f"  play it as {reports[0].spec}")
    if reports[-1].stopped:
        raise click.exceptions.Exit(INTERRUPTED)


def _with_opponent(
    spec: str, game: Game[Any, Any], opponent: str | None, python: str | None
) -> str:
    """The spec with its opponent; a player's file is asked in every position first."""
    from agents.players.recorded import record_player
    from agents.players.spec import is_outside, read_outside, with_python

    key, texts = parse_spec(spec)
    named = opponent or texts.get(OPPONENT)
    if named is None:
        return spec
    if is_outside(named):
        player, label = read_outside(with_python(named, python)), f"asking {named}"
        with prompt_interrupts():
            named = record_player(player, game, partial(with_progress, label=label))
    texts[OPPONENT] = named
    return f"{key}:{','.join(f'{name}={text}' for name, text in texts.items())}"


def _as_json(trained: Trained) -> dict[str, Any]:
    brain = trained.brain
    return {
        "game": trained.game,
        "agent": trained.agent,
        "name": trained.name,
        "path": str(trained.path),
        "unit": brain.unit,
        "steps": brain.steps,
        "total": brain.total,
        "stopped": trained.stopped,
        "seed": brain.seed,
        "reference": brain.reference,
        "metrics": dict(trained.metrics),
        "seconds": round(trained.seconds, 3),
    }


def _with_progress(run: Run, checkpoints: Iterator[Checkpoint]) -> Iterator[Checkpoint]:
    """The checkpoints, with a progress bar on stderr if it is a terminal."""
    with prompt_interrupts():  # until there is something to save
        first = next(checkpoints)
    yield first
    if not sys.stderr.isatty():
        yield from checkpoints
        return
    meter: Any = click.progressbar(
        length=first.total,
        label=f"{run.agent} learns {run.game.spec}",
        file=sys.stderr,
        show_pos=True,
        width=20,
        item_show_func=lambda point: None if point is None else metrics_text(point.metrics),
    )
    with meter as bar:
        bar.update(first.step, first)
        for checkpoint in checkpoints:
            bar.update(checkpoint.step - bar.pos, checkpoint)
            yield checkpoint


def metrics_text(metrics: Any) -> str:
    """`▲ 91.2 %  = 8.1 %  ▼ 0.7 %`, and other metrics by name."""
    return "  ".join(
        f"{GLYPHS[name]} {percent(value)}" if name in GLYPHS else f"{name} {value:.3g}"
        for name, value in metrics.items()
    )


def _report_text(trained: Trained) -> str:
    brain = trained.brain
    count = f"{brain.steps:,} of {brain.total:,}" if trained.stopped else f"{brain.steps:,}"
    against = f" against {brain.reference}" if brain.reference else ""
    head = "stopped after" if trained.stopped else "learned from"
    return (
        f"{trained.agent} on {trained.game}: "
        f"{head} {count} {brain.unit} in {trained.seconds:.1f} s\n"
        f"  now {metrics_text(trained.metrics)}{against}\n"
        f"  saved as {trained.name}"
    )
