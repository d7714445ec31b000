"""`zermelo train`: let an agent learn, watch it, keep what it learned."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from engine.core import Game, Options
from engine.errors import InvalidSpecError
from engine.options import Kind, parse_spec
from webapp.commands.choices import GAME, Number, json_option
from webapp.commands.interrupts import INTERRUPTED, prompt_interrupts
from webapp.commands.layout import DRAW, LOSS, WIN, percent, show_json

if TYPE_CHECKING:
    from agents.training.trainer import Checkpoint

MOST_GAMES = 20_000_000
GLYPHS = {"wins": WIN, "draws": DRAW, "losses": LOSS}


@dataclass(frozen=True, slots=True)
class Run:
    """A training about to begin, and where its brain will be kept."""

    game: Game[Any, Any]
    agent: str
    checkpoints: Iterator[Checkpoint]
    path: Path


@click.command()
@click.argument("game", type=GAME, required=False)
@click.argument("spec", required=False)
@click.option("--games", type=Number(Kind.INTEGER, 1, MOST_GAMES), help="How many to learn from.")
@click.option("--seed", type=Number(Kind.INTEGER, 0), help="The same seed gives the same brain.")
@click.option("--name", help="What to call the brain; else it is named after agent and game.")
@click.option("--resume", metavar="BRAIN", help="Go on from a brain that was saved before.")
@click.option("--shipped", is_flag=True, help="Rebuild the brains that come with Zermelo.")
@json_option
def train(
    *,
    game: Game[Any, Any] | None,
    spec: str | None,
    games: int | None,
    seed: int | None,
    name: str | None,
    resume: str | None,
    shipped: bool,
    as_json: bool,
) -> None:
    """Let the agent SPEC learn a GAME, and save its brain.

    The spec's options say how, as in qlearning:opponent=random,epsilon=0.2. Ctrl-C stops and
    saves what there is; --resume goes on from there. Play it with the option brain=NAME.
    """
    if shipped and (game or games or seed or name or resume):
        raise click.UsageError("--shipped rebuilds every brain from its own seed, alone")
    if shipped:
        runs = _shipped_runs()
    elif game is None or spec is None:
        raise click.UsageError("name a GAME and the SPEC of an agent that learns")
    else:
        runs = iter([_run(game, spec, games, seed, name, resume)])
    reports = []
    for run in runs:
        reports.append(_learn(run))
        if not as_json:
            click.echo(_told(reports[-1]))
        if reports[-1]["stopped"]:
            break
    if as_json:
        show_json(reports if shipped else reports[0])
    elif not shipped:
        click.echo(f"  play it as {reports[0]['agent']}:brain={reports[0]['name']}")
    if reports[-1]["stopped"]:
        raise click.exceptions.Exit(INTERRUPTED)


def _run(
    game: Game[Any, Any],
    spec: str,
    games: int | None,
    seed: int | None,
    name: str | None,
    resume: str | None,
) -> Run:
    """The run these options ask for; whatever is wrong with them is raised here, at once."""
    from agents.roster import read_agent
    from agents.training.trainer import SEED, brain_path, find

    _, texts = parse_spec(spec)
    entry, options = read_agent(spec, game)
    if entry.train is None:
        raise InvalidSpecError(spec, f"{entry.key} does not learn, so there is nothing to train")
    chosen = dict(options)
    old = None
    if resume is not None:
        old = find(resume).check(entry.key, game.spec)
        # What the spec leaves open goes on as it was; only how many games may change with it.
        chosen |= {n: v for n, v in old.parameters.items() if n in chosen and n not in texts}
    if games is not None:
        if "games" not in chosen:
            raise InvalidSpecError(spec, f"{entry.key} does not count games: see its options")
        chosen["games"] = games
    known_seed = SEED if old is None else old.seed
    path = brain_path(name or resume or "unnamed")
    if name is None and resume is None:
        path = _free_path(entry.key, game)
    elif name is not None and name != resume and path.exists():
        why = f"there is a brain called {name} already: give another --name, or --resume {name}"
        raise InvalidSpecError(name, why)
    begun = entry.train(game, chosen, known_seed if seed is None else seed, old)
    return Run(game, entry.key, begun, path)


def _free_path(agent: str, game: Game[Any, Any]) -> Path:
    """A name nobody has used yet: `menace-tictactoe`, `menace-tictactoe-2`."""
    from itertools import count

    from agents.training.trainer import brain_path, slug

    stem = f"{agent}-{slug(game.spec)}"[:50].rstrip("-")
    paths = (brain_path(stem if number == 1 else f"{stem}-{number}") for number in count(1))
    return next(path for path in paths if not path.exists())


def _shipped_runs() -> Iterator[Run]:
    from agents.training.shipped import file_name, retrain, shipped_games
    from agents.training.trainer import SHIPPED

    for game, spec in shipped_games():
        path = Path(str(SHIPPED / file_name(game, spec)))
        yield Run(game, spec, retrain(game, spec), path)


def _learn(run: Run) -> dict[str, Any]:
    """Train to the end or to Ctrl-C, save, and report."""
    from agents.training.brains import save

    begun = perf_counter()
    with prompt_interrupts():  # until there is something to save
        last = next(run.checkpoints)
    stopped = False
    try:
        for checkpoint in _watched(run, last):
            last = checkpoint
    except KeyboardInterrupt:
        stopped = True
    save(last.brain, run.path)
    return {
        "game": run.game.spec,
        "agent": run.agent,
        "name": run.path.stem,
        "path": str(run.path),
        "unit": _unit(last.brain.parameters),
        "steps": last.step,
        "total": last.total,
        "stopped": stopped,
        "seed": last.brain.seed,
        "reference": last.brain.reference,
        "metrics": dict(last.metrics),
        "seconds": round(perf_counter() - begun, 3),
    }


def _unit(parameters: Options) -> str:
    """What a step of this training is."""
    return next((unit for unit in ("games", "generations") if unit in parameters), "steps")


def _watched(run: Run, first: Checkpoint) -> Iterator[Checkpoint]:
    """The checkpoints, with a live bar on the error stream if a person is watching it."""
    if not sys.stderr.isatty():
        yield from run.checkpoints
        return
    meter: Any = click.progressbar(
        length=first.total,
        label=f"{run.agent} learns {run.game.spec}",
        file=sys.stderr,
        show_pos=True,
        width=20,
        item_show_func=lambda point: None if point is None else measured(point.metrics),
    )
    with meter as bar:
        bar.update(first.step, first)
        done = first.step
        for checkpoint in run.checkpoints:
            bar.update(checkpoint.step - done, checkpoint)
            done = checkpoint.step
            yield checkpoint


def measured(metrics: Any) -> str:
    """`▲ 91.2 %  = 8.1 %  ▼ 0.7 %`, and whatever else a technique measures by its name."""
    return "  ".join(
        f"{GLYPHS[name]} {percent(value)}" if name in GLYPHS else f"{name} {value:.3g}"
        for name, value in metrics.items()
    )


def _told(report: dict[str, Any]) -> str:
    steps, total = report["steps"], report["total"]
    count = f"{steps:,} of {total:,}" if report["stopped"] else f"{steps:,}"
    against = f" against {report['reference']}" if report["reference"] else ""
    head = "stopped after" if report["stopped"] else "learned from"
    return (
        f"{report['agent']} on {report['game']}: "
        f"{head} {count} {report['unit']} in {report['seconds']:.1f} s\n"
        f"  now {measured(report['metrics'])}{against}\n"
        f"  saved as {report['name']}"
    )
