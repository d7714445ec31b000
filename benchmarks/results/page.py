"""The page docs/results.md, made from figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.catalog import BUILT_IN
from engine.core import Seat

if TYPE_CHECKING:
    from agents.contest.standings import Standing
    from benchmarks.results.figures import Figure

HEAD = """# Results

Every figure here was taken by `python -m benchmarks.results` (seed {seed}); nothing is typed in.
A figure with an interval was played, and the interval is Wilson's at 95 %; one without is exact,
computed from the agent's chances in every state against every reply.
A figure of several trainings is the mean over brains, each trained from a seed of its own, and the
interval is that mean's; each brain's figure is exact, unless its games are counted.
*Possible* is the best anyone could do against that opponent, by dynamic programming over all
states, where the game is small enough.
Figures are over both seats equally unless a seat is named.
*Published* is what students of a computational-intelligence course wrote in a report about the same
idea; *measured elsewhere* is in no report: somebody ran public code again, or timed it.
Published figures are from the reports on lab 1 (set cover), lab 2 (Nim), lab 9 (the black box),
lab 10 (tic-tac-toe) and the Quixo project; [from the course to here](course.md) goes through them.
A system set as published (`preset=published`) has to give a range over its seeds, least to most, in
which the published figure lies, within what its own number of games leaves open; the row says so if
it does not.

Any row again: `python -m benchmarks.results --only "GAME AGENT OPPONENT"`, for instance
`python -m benchmarks.results --only "nim nim-expert random:by=heap"`.
"""


def page(
    figures: Sequence[Figure],
    training: Mapping[tuple[str, str], float | None],
    fields: Sequence[Sequence[Standing]],
    seed: int,
) -> str:
    """The whole page."""
    parts = [HEAD.format(seed=seed)]
    for entry in BUILT_IN:
        ours = [figure for figure in figures if figure.claim.game.partition(":")[0] == entry.key]
        parts += [f"## {entry.title}\n", _claims(ours, training), *_impossible(ours)]
    if fields:
        parts.append("## Everyone against everyone\n")
        parts.append(
            "Each with the parameters it has by default and at most a tenth of a second a move, "
            "seats changed after every game. "
            "Ratings are Elo by maximum likelihood, relative to the mean of the field.\n"
        )
        parts += [_field(entry.title, field) for entry, field in zip(BUILT_IN, fields, strict=True)]
    return "\n".join(parts)


def _claims(figures: Iterable[Figure], training: Mapping[tuple[str, str], float | None]) -> str:
    head = (
        "agent",
        "against",
        "measure",
        "published",
        "measured elsewhere",
        "ours",
        "possible",
        "must reach",
        "a move",
        "training",
    )
    rows = [
        (
            f"`{figure.claim.agent}`{_variant(figure)}",
            f"`{figure.claim.opponent}`",
            f"{figure.claim.measure}{_seat(figure)}",
            figure.claim.course or "–",
            figure.claim.elsewhere or "–",
            f"**{found(figure)}**",
            "–" if figure.possible is None else percent(figure.possible),
            f"{target(figure)}{_mark(figure)}{_note(figure)}",
            _seconds(figure.move_seconds),
            _seconds(training.get((figure.claim.agent, figure.claim.game))),
        )
        for figure in figures
    ]
    return table(head, rows)


def _impossible(figures: Iterable[Figure]) -> list[str]:
    return [
        f"Published: {figure.claim.course}. "
        f"Nobody can: against `{figure.claim.opponent}` the best response reaches "
        f"{percent(figure.possible)} {figure.claim.measure}{_seat(figure)} "
        f"(`agents.tabular.exact.best_response`, value iteration over every state).\n"
        for figure in figures
        if figure.published_is_impossible and figure.possible is not None
    ]


def _field(title: str, field: Sequence[Standing]) -> str:
    rows = [
        (
            str(place),
            f"`{standing.spec}`",
            f"{standing.rating.elo:+.0f}",
            f"{standing.rating.low:+.0f} to {standing.rating.high:+.0f}",
            *map(str, (standing.score.wins, standing.score.draws, standing.score.losses)),
        )
        for place, standing in enumerate(field, start=1)
        if standing.rating is not None
    ]
    head = ("", "agent", "rating", "95 %", "won", "drawn", "lost")
    return f"### {title}\n\n{table(head, rows)}"


def found(figure: Figure) -> str:
    """The figure, with its interval where it has one."""
    if figure.interval is None:
        return percent(figure.value)
    low, high = figure.interval
    claim = figure.claim
    of = f"{claim.games} games"
    if claim.trainings:
        of = f"{claim.trainings} trainings" + (f" of {of} each" if claim.games else "")
    if claim.seeds > 1:
        of = f"{claim.seeds} seeds of {of}"
    opening = f" from {claim.opening} random plies" if claim.opening else ""
    seeds = ""
    if figure.spread is not None:
        least, most = map(percent, figure.spread)
        seeds = f"; one by one {least} to {most}"
    return f"{percent(figure.value)} ({percent(low)} to {percent(high)}, {of}{opening}{seeds})"


def target(figure: Figure) -> str:
    """What it has to be."""
    claim = figure.claim
    if claim.target is None:
        return "–"
    signs = ("<", ">") if claim.surely else ("≤", "≥")
    return f"{signs[0] if claim.at_most else signs[1]} {percent(claim.target)}"


def _mark(figure: Figure) -> str:
    """Whether it is that."""
    if figure.claim.target is None:
        return ""
    return " ✓" if figure.met else " ✗"


def percent(share: float) -> str:
    """As many digits as tell it from all or nothing."""
    text = f"{100 * share:.2f}"
    if text in ("100.00", "0.00") and share not in (0.0, 1.0) and abs(share - round(share)) > 1e-12:
        text = f"{100 * share:.7f}".rstrip("0")
    return f"{text.removesuffix('.00')} %"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines) + "\n"


def _variant(figure: Figure) -> str:
    _, _, options = figure.claim.game.partition(":")
    return f" on `{options}`" if options else ""


def _note(figure: Figure) -> str:
    agrees = {True: "the published figure is among these", False: "not the published figure"}
    notes = [figure.claim.note] if figure.claim.note else []
    if figure.agrees is not None:
        notes.append(agrees[figure.agrees])
    return f" ({'; '.join(notes)})" if notes else ""


def _seat(figure: Figure) -> str:
    seat: Seat | None = figure.claim.seat
    return "" if seat is None else f" as {seat}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
