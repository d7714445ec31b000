"""The machines on the same instance: how many sets each took, and at how much it looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.formats import counted
from agents.optimisers.snapshots import CoverFigures
from webapp.jobs.kinds.search import SearchPlan, lanes_of
from webapp.jobs.models import JobRecord
from webapp.optimise.searches import entry_of, title_of
from webapp.optimise.set_cover.query import CoverLook, written
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import SearchQuestion

SECONDS = 1.0  # in which a search ends, or goes on in the lab
VARIANTS = ("astar:estimate=largest", "astar:estimate=average", "astar:branch=rarest")
FEWEST, MORE = "✓", "+"

Known = Mapping[str, CoverFigures | None]  # by spec, once it has answered; None: it failed


@dataclass(frozen=True, slots=True)
class MachineRow:
    """One search."""

    name: str
    sets: str  # how many it took
    mark: str  # ✓ no cover has fewer, +2 so many more than needed
    meaning: str  # the same in words
    looked: str
    note: str  # what else there is to say
    walk_url: str
    current: bool
    lay_url: str | None  # its cover on the board


@dataclass(frozen=True, slots=True)
class MachinesView:
    """The table."""

    rows: tuple[MachineRow, ...]
    pending: bool
    unfinished: tuple[str, ...]  # specs: too long for a moment
    about: str


def told(look: CoverLook, record: JobRecord | None) -> Known:
    """What every search in the table and the one walked through have come to by now."""
    wanted = dict.fromkeys((*look.compared, *([look.walk] if look.walk else [])))
    known: dict[str, CoverFigures | None] = {}
    at_work: set[str] = set()
    if record is not None:
        known = from_job(record)
        at_work = {run.search for run in SearchPlan.of(record).runs}
    asked = {
        spec: service(WorkerClient).ask(SearchQuestion(look.problem, spec), Rank.PANEL, SECONDS)
        for spec in wanted
        if spec not in at_work
    }
    for thought in list(asked.values())[-1:]:
        service(WorkerClient).wait_for(thought)
    for spec, thought in asked.items():
        if (answer := thought.wait(0)) is not None:
            known[spec] = answer.result if isinstance(answer.result, CoverFigures) else None
    return known


def from_job(record: JobRecord) -> dict[str, CoverFigures | None]:
    """The runs of a job, by their searches."""
    plan, lanes = SearchPlan.of(record), lanes_of(record)
    return {
        run.search: figures_of(lanes[lane]) for lane, run in enumerate(plan.runs) if lane in lanes
    }


def figures_of(said: Mapping[str, Any]) -> CoverFigures:
    """A run of a job as the same figures."""
    names = ("optimal", "bound", "expanded", "generated", "waiting", "ended", "full", "steps")
    sets = None if said["sets"] is None else tuple(said["sets"])
    return CoverFigures(sets=sets, **{name: said[name] for name in names})


def machines_view(
    look: CoverLook, known: Known, action: str, *, waiting: bool, drawn: bool
) -> MachinesView:
    """The table of those that are compared."""
    fewest = fewest_of(known)
    unfinished = [
        spec
        for spec in look.compared
        if (figures := known.get(spec)) is not None and not figures.ended
    ]
    return MachinesView(
        rows=tuple(_row(look, spec, known, fewest, action, drawn) for spec in look.compared),
        pending=any(spec not in known for spec in look.compared),
        unfinished=() if waiting else tuple(unfinished),
        about=_about(look),
    )


def _about(look: CoverLook) -> str:
    """Of the one that is walked through, else of A*, else of the first."""
    spec = look.walk or ("astar" if "astar" in look.compared else look.compared[0])
    return f"{title_of(spec)}: {entry_of(spec).description}"


def fewest_of(known: Known) -> int | None:
    """The fewest sets there can be, where one of them has shown it."""
    shown = [
        len(figures.sets)
        for figures in known.values()
        if figures is not None and figures.sets is not None and figures.optimal
    ]
    return shown[0] if shown else None


def _row(
    look: CoverLook,
    spec: str,
    known: Known,
    fewest: int | None,
    action: str,
    drawn: bool,
) -> MachineRow:
    walk_url = look.url(action, walk=spec, step=1)
    current = spec == look.walk
    name, figures = title_of(spec), known.get(spec)
    if figures is None:
        note = "could not be asked this time" if spec in known else "is at it"
        return MachineRow(name, "–", "", "", "–", note, walk_url, current, None)
    size = None if figures.sets is None else len(figures.sets)
    mark, meaning = _judged(size, figures, fewest)
    return MachineRow(
        name=name,
        sets="–" if size is None else str(size),
        mark=mark,
        meaning=meaning,
        looked=f"{figures.expanded:,}",
        note=_note(figures),
        walk_url=walk_url,
        current=current,
        lay_url=look.url(action, taken=figures.sets) if drawn and figures.sets else None,
    )


def _judged(size: int | None, figures: CoverFigures, fewest: int | None) -> tuple[str, str]:
    if size is None:
        return "", ""
    if figures.optimal or size == fewest:
        return FEWEST, "no cover has fewer"
    if fewest is not None:
        return f"{MORE}{size - fewest}", f"{size - fewest} more than needed"
    return ("+", "there is one with fewer") if figures.optimal is False else ("", "")


def _note(figures: CoverFigures) -> str:
    if figures.full:
        return "gave up: it may keep no more"
    if figures.ended:
        return ""
    if figures.bound > 1:
        return f"not done yet: {counted(figures.bound, 'set is', 'sets are')} needed at least"
    return "not done yet"


def laid(sets: tuple[int, ...]) -> str:
    """`{4, 11}`, numbered from 1."""
    return f"{{{written(sets).replace('.', ', ')}}}"
