"""`zermelo results`: measure every claim again and write docs/results.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.catalog import BUILT_IN, load_game
from engine.errors import InvalidSpecError, quoted
from engine.options import Kind
from webapp.commands.choices import Number, games_option, json_option, seed_option
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.layout import show_json, with_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from agents.contest.claims import Claim
    from agents.contest.measuring import Figure

DEFAULT_PLACE = Path("docs/results.md")


@click.command()
@click.option("--only", help="Just the claims whose game, agent and opponent contain this text.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=DEFAULT_PLACE)
@games_option("How many for each pair of the round robins; 0 leaves them out.", low=0, default=6)
@click.option("--workers", type=Number(Kind.INTEGER, 1, 64), default=2, show_default=True)
@seed_option
@json_option
def results(
    *, only: str | None, out: Path, games: int, workers: int, seed: int, as_json: bool
) -> None:
    """Measure what every agent must reach.

    Without --only it also plays a round robin of all agents for each game, and writes
    docs/results.md; with it, the figures are only shown.
    """
    from agents.compute.processes import processes
    from agents.contest.measuring import measure

    claims = _chosen(only)
    with prompt_interrupts(), processes(workers) as executor:
        figures = [
            measure(claim, seed, executor, workers)
            for claim in with_progress(claims, len(claims), "measuring")
        ]
        if as_json:
            show_json([_as_json(figure) for figure in figures])
        elif only is not None:
            for figure in figures:
                click.echo(_line(figure))
        else:
            _write(out, figures, games, seed, executor, workers)


def _chosen(only: str | None) -> list[Claim]:
    from agents.contest.claims import CLAIMS

    chosen = [claim for claim in CLAIMS if only is None or only in claim.name]
    if not chosen:
        why = f"no claim contains {quoted(only or '')}: each is a game, an agent and an opponent"
        raise InvalidSpecError(only or "", why)
    return chosen


def _write(
    out: Path,
    figures: list[Figure],
    games: int,
    seed: int,
    executor: Executor | None,
    workers: int,
) -> None:
    from agents.contest.measuring import round_robin, training_seconds
    from webapp.commands.results_page import page

    learned = {(figure.claim.agent, figure.claim.game) for figure in figures}
    training = {
        pair: training_seconds(*pair) for pair in with_progress(learned, len(learned), "training")
    }
    fields = [
        round_robin(load_game(entry.key), games, seed, executor, workers)
        for entry in with_progress(BUILT_IN if games else (), len(BUILT_IN), "round robins")
    ]
    out.write_text(page(figures, training, fields, seed), encoding="utf-8")
    click.echo(f"wrote {out}")


def _line(figure: Figure) -> str:
    from webapp.commands.results_page import found, target

    verdict = "reached" if figure.met else "NOT REACHED"
    return (
        f"{figure.claim.name}: {figure.claim.measure} {found(figure)}, {target(figure)}: {verdict}"
    )


def _as_json(figure: Figure) -> dict[str, Any]:
    claim = figure.claim
    return {
        "game": claim.game,
        "agent": claim.agent,
        "opponent": claim.opponent,
        "seat": None if claim.seat is None else str(claim.seat),
        "measure": claim.measure,
        "value": figure.value,
        "interval": figure.interval and list(figure.interval),
        "possible": figure.possible,
        "target": claim.target,
        "met": figure.met,
    }
