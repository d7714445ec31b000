"""`zermelo optimise`: compare searches on an optimisation problem."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from statistics import quantiles
from typing import TYPE_CHECKING, Any

import click

from engine.problems.black_box import MAX_CALLS, write_genome
from engine.problems.catalog import load_problem
from webapp.commands.interrupts import INTERRUPTED, STOPPED, prompt_interrupts
from webapp.commands.options import Number, json_option
from webapp.commands.output import shortened, show_json, show_table

if TYPE_CHECKING:
    from agents.optimisers.runs import Optimised, Run

MAX_RUNS = 1_000
MAX_NAME_CHARS = 34  # of a search in a table
CLEAR_LINE = "\r\x1b[K"


@click.command()
@click.argument("problem")
@click.argument("searches", metavar="SEARCH...", nargs=-1, required=True)
@click.option(
    "--seed",
    type=Number(0),
    default=0,
    show_default=True,
    help="Of the searches, and of a PROBLEM that names none.",
)
@click.option(
    "--calls",
    type=Number(1, MAX_CALLS),
    help=f"The most questions to a box ({MAX_CALLS:,}), or states of a cover to expand.",
)
@click.option(
    "--runs",
    type=Number(1, MAX_RUNS),
    help="How many, each with the next seed; one without it.",
)
@json_option
def optimise(
    *,
    problem: str,
    searches: tuple[str, ...],
    seed: int,
    calls: int | None,
    runs: int | None,
    as_json: bool,
) -> None:
    """Let each SEARCH work on a PROBLEM.

    set-cover:things=30,sets=150,density=0.3,seed=7 is covered by breadth-first, depth-first,
    greedy, astar, course and exact; black-box:groups=5,sealed=yes is asked by the others, whom
    an unknown name lists, or by a function of your own: ./search.py:climb(300) is asked as
    climb(problem, 300), where problem(genome) takes 1,000 bits. At most 200 things, 1,000
    sets, 64 groups and 200,000 calls. Ctrl-C stops and shows what there is.
    """
    from agents.optimisers import runs as optimising

    found: list[Optimised] = []
    stopped = False
    work = optimising.optimise(
        problem,
        *searches,
        seed=seed,
        runs=runs or 1,
        calls=calls,
        watched=lambda name, course: _with_progress(name, course, bool(found)),
    )
    try:
        for one in work:
            found.append(one)
            stopped = one.stopped
    except KeyboardInterrupt:
        if not found:
            raise
        stopped = True
    if as_json:
        documents = [_as_json(one) for one in found]
        show_json(documents if len(searches) > 1 or runs is not None else documents[0])
    elif runs is not None and runs > 1:
        _show_spread(found)
    else:
        _show(found)
    if stopped:
        click.echo(f"zermelo: {STOPPED}", err=True)
        raise click.exceptions.Exit(INTERRUPTED)


def _with_progress(name: str, runs: Iterator[Run], found: bool) -> Iterator[Run]:
    """The runs as they come, with a status line on stderr if it is a terminal."""
    with nullcontext() if found else prompt_interrupts():  # until there is a result to show
        first = next(runs)
    yield first
    for run in runs:
        if sys.stderr.isatty():
            click.echo(
                f"{CLEAR_LINE}{shortened(name, MAX_NAME_CHARS)}: {_progress_text(run)}",
                err=True,
                nl=False,
            )
        yield run
    if sys.stderr.isatty():
        click.echo(CLEAR_LINE, err=True, nl=False)


def _progress_text(run: Run) -> str:
    """The status line of a run."""
    from agents.optimisers.set_cover.run import CoverRun

    if not isinstance(run, CoverRun):
        return f"{run.best:.4f} after {run.calls:,} calls"
    known = "" if run.sets is None else f", {len(run.sets)} will do"
    return f"{run.expanded:,} expanded, at least {run.bound}{known}"


def _as_json(one: Optimised) -> dict[str, Any]:
    from agents.optimisers.set_cover.run import CoverRun

    run = one.run
    head = {"problem": one.problem, "search": one.search, "seed": one.seed}
    seconds = round(run.seconds, 3)
    if isinstance(run, CoverRun):
        instance = load_problem(one.problem)
        return {
            **head,
            "sets": list(run.sets or ()),
            "size": run.size,
            "optimal": one.optimal,
            "expanded": run.expanded,
            "generated": run.generated,
            "frontier": run.frontier,
            "seconds": seconds,
            "instance": {
                "things": instance.things,
                "sets": [list(members) for members in instance.sets],
            },
        }
    return {
        **head,
        "best": run.best,
        "calls": run.calls,
        "genome": write_genome(run.genome, load_problem(one.problem).bits),
        "curve": [list(point) for point in run.curve],
        "seconds": seconds,
    }


def _show(found: list[Optimised]) -> None:
    """Print one line for each search."""
    from agents.optimisers.set_cover.run import CoverRun

    click.echo(f"{found[0].problem}\n")
    covers = [(one, one.run) for one in found if isinstance(one.run, CoverRun)]
    boxes = [(one, one.run) for one in found if not isinstance(one.run, CoverRun)]
    if boxes:
        show_table(
            ("search", "best", "calls", "seconds"),
            [
                (_name(one.search), f"{run.best:.6f}", f"{run.calls:,}", f"{run.seconds:.2f}")
                for one, run in boxes
            ],
            "<>>>",
        )
        return
    show_table(
        ("search", "sets", "optimal", "expanded", "waiting", "seconds"),
        [
            (
                _name(one.search),
                "–" if run.sets is None else str(run.size),
                {True: "yes", False: "no", None: "–"}[one.optimal],
                f"{run.expanded:,}",
                f"{run.frontier:,}",
                f"{run.seconds:.2f}",
            )
            for one, run in covers
        ],
        "<>>>>>",
    )
    for one, run in covers:
        if run.full:
            click.echo(f"\n{_name(one.search)} gave up: it may keep no more states")
        elif one.stopped:
            click.echo(f"\n{_name(one.search)} was stopped: at least {run.bound} are needed")
    if len(covers) == 1 and (sets := covers[0][1].sets) is not None:
        click.echo(f"\nsets {' '.join(map(str, sorted(sets)))}")


def _show_spread(found: list[Optimised]) -> None:
    """Print quartiles over the seeds, one line for each search."""
    from agents.optimisers.set_cover.run import CoverRun

    cover = isinstance(found[0].run, CoverRun)
    what = ("sets", "expanded") if cover else ("best", "calls")
    rows = []
    for name in dict.fromkeys(one.search for one in found):
        runs = [one.run for one in found if one.search == name]
        worth = [run.size if isinstance(run, CoverRun) else run.best for run in runs]
        effort = [run.effort for run in runs]
        best = [value for value in worth if value is not None]
        rows.append(
            (_name(name), *_quartiles(best, ".3g" if cover else ".4f"), *_quartiles(effort, ",.0f"))
        )
    seeds = len({one.seed for one in found})
    click.echo(f"{found[0].problem} and on, {seeds} seeds: quartiles\n")
    show_table(
        ("search", *(f"{name} {part}" for name in what for part in ("¼", "½", "¾"))),
        rows,
        "<>>>>>>",
    )


def _quartiles(values: Sequence[float], form: str) -> tuple[str, ...]:
    if not values:
        return ("–",) * 3
    parts = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return tuple(f"{part:{form}}" for part in parts)


def _name(search: str) -> str:
    return shortened(search, MAX_NAME_CHARS)
