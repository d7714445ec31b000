"""The page docs/results.md, made from figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from benchmarks.results.claims import Claim
from engine.catalog import BUILT_IN

if TYPE_CHECKING:
    from agents.contest.standings import Standing
    from benchmarks.results.figures import Figure
    from benchmarks.results.old_rows import OldRows

HEAD = """# Results

Figures are taken and written by `python -m benchmarks.results` (seed {seed}), row by row: it can be
stopped and goes on, and measures a row again when the sources or brains that it depends on have
changed. {old}
A figure with an interval was played, and the interval is Wilson's at 95 %; one without is exact,
computed from the agent's chances in every state against every reply.
A figure of several trainings is the mean over brains, each trained from a seed of its own, and the
interval is that mean's; each brain's figure is exact, unless its games are counted.
*Possible* is the best anyone could do against that opponent, by dynamic programming over all
states, where the game is small enough.
Figures are over both seats equally unless a seat is named.
*Published* is what students of a computational-intelligence course wrote in a report about the same
idea; *measured elsewhere* is in no report: somebody ran public code again, or timed it.
Each published figure names its report: lab 1 (set cover), lab 2 (Nim), lab 9 (the black box), lab
10 (tic-tac-toe) or the Quixo project; [from the course to here](course.md) goes through them.
A system set as published (`preset=published`) has to give a range over its seeds, least to most, in
which the published figure lies, within what its own number of games leaves open; the row says so if
it does not.
The reports themselves are not here, so no page numbers are given.
*A move* and *training* are seconds of one core's work, not of a clock: other programs ran beside.

Any row again: `python -m benchmarks.results --only "GAME AGENT OPPONENT"`, for instance
`python -m benchmarks.results --only "nim nim-expert random:by=heap"`.
"""
OLD = """A row with † has not been measured again yet: it is as an earlier version of this page had
it, where some were measured alone and put in by hand."""
NEW = "Every row below was measured so."


def page(
    figures: Sequence[Figure | Claim],
    training: Mapping[tuple[str, str], float | None],
    fields: Sequence[Sequence[Standing] | None],
    seed: int,
    old: OldRows,
) -> str:
    """The games' part; a claim without a figure, and a field that is None, are as in `old`."""
    parts = []
    for entry in BUILT_IN:
        ours = [each for each in figures if _claim(each).game.partition(":")[0] == entry.key]
        parts += [f"## {entry.title}\n", _claims(entry.title, ours, training, old)]
        parts += _impossible([each for each in ours if not isinstance(each, Claim)])
    if fields:
        parts.append("## Everyone against everyone\n")
        parts.append(
            "Each with the parameters it has by default and at most a tenth of a second a move, "
            "seats changed after every game; that is by the clock, so on a busy machine searches "
            "see less. "
            "Ratings are Elo by maximum likelihood, relative to the mean of the field.\n"
        )
        parts += [
            _field(entry.title, field, old) for entry, field in zip(BUILT_IN, fields, strict=True)
        ]
    head = HEAD.format(seed=seed, old=OLD if old.used else NEW)
    return "\n".join([head, *parts])


def _claim(each: Figure | Claim) -> Claim:
    return each if isinstance(each, Claim) else each.claim


def _claims(
    title: str,
    figures: Iterable[Figure | Claim],
    training: Mapping[tuple[str, str], float | None],
    old: OldRows,
) -> str:
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
    rows: list[Sequence[str]] = []
    for figure in figures:
        claim = _claim(figure)
        names = (
            f"`{claim.agent}`{_variant(claim)}",
            f"`{claim.opponent}`",
            f"{claim.measure}{_seat(claim)}",
        )
        published = f"{claim.course} ({claim.report})" if claim.course else "–"
        others = (published, claim.elsewhere or "–")
        if isinstance(figure, Claim):
            rows.append(old.row(title, names, others, len(head)))
            continue
        trained = training.get((claim.agent, claim.game))
        rows.append(
            (
                *names,
                *others,
                f"**{found(figure)}**",
                "–" if figure.possible is None else percent(figure.possible),
                f"{target(figure)}{_mark(figure)}{_note(figure)}",
                _seconds(figure.move_seconds),
                _seconds(trained),
            )
        )
    return table(head, rows)


def _impossible(figures: Iterable[Figure]) -> list[str]:
    return [
        f"Published: {figure.claim.course}. "
        f"Nobody can: against `{figure.claim.opponent}` the best response reaches "
        f"{percent(figure.possible)} {figure.claim.measure}{_seat(figure.claim)} "
        f"(`agents.tabular.exact.best_response`, value iteration over every state).\n"
        for figure in figures
        if figure.published_is_impossible and figure.possible is not None
    ]


def _field(title: str, field: Sequence[Standing] | None, old: OldRows) -> str:
    head = ("", "agent", "rating", "95 %", "won", "drawn", "lost")
    if field is None:
        ranked = [row for row in old.table(f"{title} †") or old.table(title) if row[0].isdigit()]
        return f"### {title} †\n\n{table(head, ranked)}"
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
    return f"### {title}\n\n{table(head, rows)}"


def found(figure: Figure) -> str:
    """The figure, with its interval where it has one."""
    if figure.interval is None:
        return percent(figure.value)
    low, high = (min(max(bound, -1.0), 1.0) for bound in figure.interval)
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


def _variant(claim: Claim) -> str:
    _, _, options = claim.game.partition(":")
    return f" on `{options}`" if options else ""


def _note(figure: Figure) -> str:
    claim, notes = figure.claim, [figure.claim.note] if figure.claim.note else []
    if figure.spread is not None and claim.course_figure is not None:
        notes.append(_beside_published(figure.spread, claim.course_figure, claim.course_error))
    return f" ({'; '.join(notes)})" if notes else ""


def _beside_published(spread: tuple[float, float], published: float, error: float) -> str:
    """Whether the published figure is among those of the seeds, else how far from the nearest."""
    least, most = spread
    if least - error <= published <= most + error:
        return "the published figure is among these"
    if published > most:
        return (
            f"the published figure is {100 * (published - most):.1f} points above the best of these"
        )
    return (
        f"the published figure is {100 * (least - published):.1f} points below the least of these"
    )


def _seat(claim: Claim) -> str:
    return "" if claim.seat is None else f" as {claim.seat}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
