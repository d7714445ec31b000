"""The part of docs/results.md about problems without a foe, made from measured trials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.results.old_rows import OldRows
from benchmarks.results.page import table
from benchmarks.results.trials import Trial

if TYPE_CHECKING:
    from benchmarks.results.trials import Measured, Quartiles

TITLE = "## Without a foe\n"
HEAD = """
Medians over seeds, with the quartiles in brackets; each seed is another instance, or another sealed
box.
*Published* is what the students reported, of one run each; *measured elsewhere* is in no report:
somebody ran public code; *re-implemented* is what such a search gives here, written anew from what
was said of it; *ours* every other search.
*Best* is the fewest sets there can be, or the largest number.
Where a search was given a number of calls, it was as many as the course's second.
The course's first search often ends on the first hill, where the ones of one group stand against
all others: about 0.48 of box 2 and 0.195 of box 5. Two published runs ended there, a little lower
than any of ours.

Any row again: `python -m benchmarks.results --only "PROBLEM SEARCH"`; this part alone:
`python -m benchmarks.results --problems`.
"""


COVERS, BOXES = (
    "Set cover: sets, and states expanded",
    "The black box: the number reached, and calls",
)
REPORTS = {COVERS: "lab 1", BOXES: "lab 9"}


def problems_part(found: Sequence[Measured | Trial], old: OldRows | None = None) -> str:
    """The part, from its title on; a trial that was not measured is as in `old`."""
    old = old or OldRows("")
    covers = [one for one in found if _trial(one).problem.startswith("set-cover")]
    boxes = [one for one in found if one not in covers]
    return "\n".join(
        [
            TITLE + HEAD,
            f"### {COVERS}\n",
            _table(COVERS, covers, "sets", "expanded", old),
            f"### {BOXES}\n",
            _table(BOXES, boxes, "", "calls", old),
        ]
    )


def _trial(one: Measured | Trial) -> Trial:
    return one if isinstance(one, Trial) else one.trial


def _table(
    title: str, found: Sequence[Measured | Trial], worth: str, effort: str, old: OldRows
) -> str:
    head = (
        "problem",
        "search",
        "published",
        "measured elsewhere",
        "re-implemented",
        "ours",
        "best",
        "must reach",
    )
    rows: list[Sequence[str]] = []
    for one in found:
        names = (f"`{_trial(one).problem}`", f"`{_trial(one).search}`")
        trial = _trial(one)
        published = f"{trial.published} ({REPORTS[title]})" if trial.published else "–"
        others = (published, trial.elsewhere or "–")
        if isinstance(one, Trial):
            rows.append(old.row(title, names, others, len(head)))
            continue
        figure = f"**{told(one, worth, effort)}**"
        theirs, ours = (figure, "–") if one.trial.theirs else ("–", figure)
        rows.append(
            (
                *names,
                *others,
                theirs,
                ours,
                _spread(one.best),
                _asked(one, effort),
            )
        )
    return table(head, rows)


def told(one: Measured, worth: str, effort: str) -> str:
    """`3 (3 to 4) sets, 17 (7 to 36) expanded, 60 seeds`."""
    found = f"{_spread(one.worth)} {worth}".rstrip()
    return f"{found}, {_spread(one.effort, whole=True)} {effort}, {len(one.traces)} seeds"


def _asked(one: Measured, effort: str) -> str:
    trial = one.trial
    parts = [
        *(["the best, from every seed"] if trial.optimal else []),
        *([f"≤ {trial.most:,} {effort}"] if trial.most is not None else []),
    ]
    asked = f"{'; '.join(parts)} {'✓' if one.met else '✗'}" if parts else "–"
    return asked + _beside_published(one)


def _beside_published(one: Measured) -> str:
    """For a box: the range of the seeds, and whether the published number lies in it."""
    found = [trace.worth for trace in one.traces if trace.worth is not None]
    number, _, calls = one.trial.published.partition(" in ")
    if not calls or not found:
        return ""
    least, most = min(found), max(found)
    where = "among the seeds"
    if not least <= float(number) <= most:
        off = float(number) - (most if float(number) > most else least)
        where = f"{abs(off):.2g} {'above the most' if off > 0 else 'below the least'} of the seeds"
    return f" (published: {where}, {least:.4g} to {most:.4g})"


def _spread(parts: Quartiles | None, whole: bool = False) -> str:
    if parts is None:
        return "–"
    low, middle, high = (f"{part:,.0f}" if whole else f"{part:.4g}" for part in parts)
    return middle if low == high else f"{middle} ({low} to {high})"
