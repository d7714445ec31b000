"""`python -m benchmarks.results`: measure every claim again and write docs/results.md."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from engine.catalog import BUILT_IN, load_game
from engine.errors import InvalidSpecError, quoted
from webapp.cli import OneLineErrors
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import Number, games_option, json_option, seed_option
from webapp.commands.output import show_json, with_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from agents.contest.standings import Standing
    from benchmarks.results.claims import Claim
    from benchmarks.results.figures import Figure
    from benchmarks.results.old_rows import OldRows
    from benchmarks.results.rows import Rows
    from benchmarks.results.trials import Measured, Trial
    from engine.entry import GameEntry

DEFAULT_PLACE = Path("docs/results.md")


@click.command("results", cls=OneLineErrors)
@click.option("--only", help="Just what is named by a text that contains this one.")
@click.option("--problems", is_flag=True, help="Just the problems without a foe, and their part.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=DEFAULT_PLACE)
@games_option("How many for each pair of the round robins; 0 leaves them out.", low=0, default=6)
@click.option("--again", is_flag=True, help="Measure every row, also those measured before.")
@click.option(
    "--rows",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".results"),
    show_default=True,
    help="Where measured rows are kept, so that a run that was stopped goes on.",
)
@click.option(
    "--minutes",
    type=Number(0, 10_000),
    help="Begin no row after so many; those not measured stay as the page has them.",
)
@click.option("--workers", type=Number(1, 64), default=2, show_default=True)
@seed_option
@json_option
def results(
    *,
    only: str | None,
    problems: bool,
    out: Path,
    games: int,
    again: bool,
    rows: Path,
    minutes: int | None,
    workers: int,
    seed: int,
    as_json: bool,
) -> None:
    """Measure what every agent and every search must reach.

    Without --only it also plays a round robin of all agents for each game, and writes
    docs/results.md; with it, the figures are measured anew and only shown. A figure's name is its
    game, agent and opponent, or its problem and search.

    What is measured is kept row by row, and measured again when the sources or brains it depends on
    have changed: stop it with Ctrl-C, or after some --minutes, and start it again as often as you
    like.
    """
    from agents.compute.processes import local_processes
    from agents.contest.series import PRELOAD
    from benchmarks.results.figures import Figure
    from benchmarks.results.old_rows import OldRows
    from benchmarks.results.problems import TITLE, problems_part
    from benchmarks.results.rows import Rows

    claims, trials = _chosen(only, problems)
    pool = local_processes(workers, PRELOAD) if workers > 1 else nullcontext()
    with prompt_interrupts(), pool as executor:
        deadline = inf if minutes is None else perf_counter() + 60 * minutes
        kept = Rows(rows, again or only is not None, deadline)
        run = Run(kept, seed, executor, workers)
        solved = [run.solved(trial) for trial in with_progress(trials, len(trials), "solving")]
        quick_first = sorted(claims, key=lambda claim: (claim.games, claim.trainings))
        measuring = with_progress(quick_first, len(claims), "measuring")
        found = {claim.measured: run.figure(claim) for claim in measuring}
        figures = [found[claim.measured] for claim in claims]
        if as_json:
            shown = [one for one in (*figures, *solved) if one is not None]
            show_json(
                [_as_json(one) if isinstance(one, Figure) else _trial_as_json(one) for one in shown]
            )
        elif only is not None:
            for one in (*figures, *solved):
                if one is not None:
                    click.echo(_line(one) if isinstance(one, Figure) else _trial_line(one))
        else:
            old = OldRows(out.read_text(encoding="utf-8") if out.exists() else "")
            text = problems_part(
                [one or asked for one, asked in zip(solved, trials, strict=True)], old
            )
            if problems:
                before = old.text.partition(TITLE)[0].rstrip()
            else:
                before = _games_part(
                    run,
                    [one or asked for one, asked in zip(figures, claims, strict=True)],
                    games,
                    old,
                )
            out.write_text(f"{before}\n\n{text}".lstrip(), encoding="utf-8")
            click.echo(f"wrote {out}" + (f", {old.used} rows as they were" if old.used else ""))


@dataclass(frozen=True, slots=True)
class Run:
    """Measures rows, or takes those that are kept."""

    rows: Rows
    seed: int
    executor: Executor | None
    workers: int

    def figure(self, claim: Claim) -> Figure | None:
        from benchmarks.results.figures import Figure, measure, specs_of
        from benchmarks.results.rows import fingerprint

        inputs = fingerprint(claim.measured, self.seed, specs=specs_of(claim))
        found = self.rows.row(
            Figure,
            f"figure {claim.measured} {self.seed}",
            inputs,
            lambda: measure(claim, self.seed, self.executor, self.workers),
        )
        return None if found is None else replace(found, claim=claim)

    def solved(self, trial: Trial) -> Measured | None:
        from benchmarks.results.rows import fingerprint
        from benchmarks.results.trials import Measured, measure

        asked = (trial.name, trial.seeds, trial.calls)
        inputs = fingerprint(asked, specs=(trial.problem, trial.search))
        found = self.rows.row(
            Measured, f"trial {asked}", inputs, lambda: measure(trial, self.executor)
        )
        return None if found is None else replace(found, trial=trial)

    def training_seconds(self, agent: str, game: str) -> float | None:
        from benchmarks.results.figures import Training, trained_spec, training
        from benchmarks.results.rows import fingerprint

        if (spec := trained_spec(agent, game)) is None:
            return None
        found = self.rows.row(
            Training,
            f"training {game} {spec}",
            fingerprint(game, spec, specs=(spec,)),
            lambda: training(spec, game),
        )
        return None if found is None else found.seconds

    def round_robin(self, entry: GameEntry[Any, Any], games: int) -> tuple[Standing, ...] | None:
        from benchmarks.results.figures import Encounter, encounter, field_terms, standings
        from benchmarks.results.rows import fingerprint

        terms = field_terms(load_game(entry.key), games, self.seed)
        pairs = list(combinations(range(len(terms.players)), 2))
        found: list[Any] = []
        for one, two in with_progress(pairs, len(pairs), entry.title):
            specs = (terms.players[one], terms.players[two])
            row = self.rows.row(
                Encounter,
                f"encounter {terms.game} {specs} {games} {self.seed}",
                fingerprint(terms.limit, specs=specs),
                partial(encounter, terms, one, two, self.executor, self.workers),
            )
            if row is None:
                return None
            found += row.among(one, two)
        return standings(terms, found)


def _chosen(only: str | None, problems: bool) -> tuple[list[Claim], list[Trial]]:
    from benchmarks.results.claims import CLAIMS
    from benchmarks.results.trials import TRIALS

    claims = [claim for claim in CLAIMS if only is None or only in claim.name]
    trials = [trial for trial in TRIALS if only is None or only in trial.name]
    if problems:
        claims = []
    if not claims and not trials:
        why = (
            f"nothing measured contains {quoted(only or '')}: "
            "it is a game, an agent and an opponent, or a problem and a search"
        )
        raise InvalidSpecError(only or "", why)
    return claims, trials


def _games_part(run: Run, figures: list[Figure | Claim], games: int, old: OldRows) -> str:
    from benchmarks.results.claims import Claim
    from benchmarks.results.page import page

    learned = dict.fromkeys(
        (one.claim.agent, one.claim.game) for one in figures if not isinstance(one, Claim)
    )
    training = {
        pair: run.training_seconds(*pair)
        for pair in with_progress(learned, len(learned), "training")
    }
    fields = [run.round_robin(entry, games) for entry in (BUILT_IN if games else ())]
    return page(figures, training, fields, run.seed, old).rstrip()


def _line(figure: Figure) -> str:
    from benchmarks.results.page import found, target

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
        "spread": figure.spread and list(figure.spread),
        "possible": figure.possible,
        "target": claim.target,
        "met": figure.met,
    }


def _trial_line(one: Measured) -> str:
    from benchmarks.results.problems import told

    cover = one.trial.problem.startswith("set-cover")
    shown = told(one, *(("sets", "expanded") if cover else ("reached", "calls")))
    return f"{one.trial.name}: {shown}: {'reached' if one.met else 'NOT REACHED'}"


def _trial_as_json(one: Measured) -> dict[str, Any]:
    return {
        "problem": one.trial.problem,
        "search": one.trial.search,
        "seeds": len(one.traces),
        "published": one.trial.published or None,
        "worth": one.worth and list(one.worth),
        "effort": one.effort and list(one.effort),
        "best": one.best and list(one.best),
        "met": one.met,
    }


if __name__ == "__main__":
    results(prog_name="python -m benchmarks.results")
