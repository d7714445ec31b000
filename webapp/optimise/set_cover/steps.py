"""One search step by step: the node it expands, why_text, and the frontier."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.formats import counted
from agents.optimisers.set_cover.run import CoverStep
from agents.optimisers.snapshots import CoverMoment
from engine.options import parse_spec
from webapp.optimise.searches import search_title
from webapp.optimise.set_cover.machines import FiguresBySearch, sets_text
from webapp.optimise.set_cover.query import CoverQuery
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import CoverStepRequest

SEARCH_TIMEOUT_S = 1.0
SPEEDS = ((1000, "a step a second"), (400, "quicker"), (2500, "slower"))
MAX_NAMED_GAINS = 6  # in a sentence
FAILED = "It could not be asked this time"


@dataclass(frozen=True, slots=True)
class FrontRow:
    """One node of the frontier."""

    sets: str
    g: int
    h: str
    f: str


@dataclass(frozen=True, slots=True)
class StepLinks:
    """Links to other steps."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    speeds: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True)
class WalkView:
    """A step (`optimise/_walk.html`)."""

    title: str
    takes: str  # `It takes up {4, 11}`
    sum: str  # `f = g + h = 2 + 2`; empty for searches without f
    why: str  # the rest of the sentence
    waiting: str
    front: tuple[FrontRow, ...]
    steps: StepLinks
    step: int
    most: int
    fields: tuple[tuple[str, str], ...]  # hidden fields of the slider
    lay_url: str | None
    pending: bool
    away_url: str


def walk_view(
    query: CoverQuery, by_search: FiguresBySearch, action: str, *, drawn: bool
) -> WalkView:
    """The step named in the query, once the number of steps is known."""
    spec = str(query.walk)
    figures = by_search.get(spec)
    if figures is None:
        waits = spec not in by_search
        many, takes = "…", "It is being asked" if waits else FAILED
        return _frame(query, query.step, many, takes, action, pending=waits)
    query = replace(query, step=min(query.step, max(1, figures.steps)))
    many = f"{'' if figures.ended else 'more than '}{figures.steps:,}"
    question = CoverStepRequest(query.problem, spec, query.step)
    answer = service(WorkerClient).answer(question, Rank.PANEL, SEARCH_TIMEOUT_S)
    if answer is None:
        return _frame(query, figures.steps, many, "It is being asked", action, pending=True)
    view = _frame(query, figures.steps, many, FAILED, action, pending=False)
    seen = answer.result
    return view if seen is None else _with_moment(view, query, seen, action, drawn)


def _frame(
    query: CoverQuery, most: int, many: str, takes: str, action: str, *, pending: bool
) -> WalkView:
    """The view without the step itself."""
    most = max(1, most)
    return WalkView(
        title=f"{search_title(str(query.walk))}, step {query.step:,} of {many}",
        takes=takes,
        sum="",
        why="",
        waiting="",
        front=(),
        steps=_steps(query, most, action),
        step=query.step,
        most=most,
        fields=query.fields_except("step"),
        lay_url=None,
        pending=pending,
        away_url=query.url(action, walk=None, step=1),
    )


def _with_moment(
    view: WalkView, query: CoverQuery, moment: CoverMoment, action: str, drawn: bool
) -> WalkView:
    step, spec = moment.step, str(query.walk)
    waiting = f"Waiting: {step.waiting:,}"
    if goes_by_f(spec) and step.least is not None:
        waiting = f"{waiting} · best f waiting: {step.least}"
    return replace(
        view,
        takes=f"It takes up {sets_text(step.sets)}"
        if step.sets
        else "It starts with nothing taken",
        sum=f"f = g + h = {step.g} + {step.h}" if goes_by_f(spec) and step.h is not None else "",
        why=why_text(spec, moment),
        waiting=waiting,
        front=tuple(_front(spec, other) for other in moment.front),
        lay_url=query.url(action, taken=step.sets) if drawn and step.sets else None,
    )


def goes_by_f(spec: str) -> bool:
    """Whether a search orders its frontier by f = g + h."""
    return parse_spec(spec)[0] == "astar"


def why_text(spec: str, moment: CoverMoment) -> str:
    """What is missing, and what the estimate makes of it."""
    step = moment.step
    if not step.missing:
        return f"Nothing is missing: a cover of {counted(step.g, 'set', 'sets')}."
    missing = f"Missing {counted(len(step.missing), 'thing', 'things')}"
    if not goes_by_f(spec):
        if parse_spec(spec)[0] == "exact" and step.least is not None:
            return f"{missing}; it asks whether {counted(step.least, 'set', 'sets')} will do."
        return f"{missing}; the set with most of them has {moment.gains[0]}."
    return f"{missing}; {_promise(spec, moment)}."


def _promise(spec: str, moment: CoverMoment) -> str:
    estimate = parse_spec(spec)[1].get("estimate", "gains")
    gains, needed = moment.gains, moment.step.h or 1
    if estimate == "largest":
        return f"no set has more than {counted(moment.largest, 'thing', 'things')}"
    if estimate == "gain":
        return f"no set has more than {gains[0]} of them"
    if estimate == "average":
        return f"a set that has any has {sum(gains) / len(gains):.1f} on average, which is too much"
    used = [str(gain) for gain in gains[: min(needed, MAX_NAMED_GAINS)]]
    many = " and ".join([", ".join(used[:-1]), used[-1]] if len(used) > 1 else used)
    rest = ", …" if needed > MAX_NAMED_GAINS else ""
    return f"the largest {'sets cover' if len(used) > 1 else 'set covers'} {many}{rest} of them"


def _front(spec: str, step: CoverStep) -> FrontRow:
    by_f = goes_by_f(spec) and step.h is not None
    return FrontRow(
        sets_text(step.sets),
        step.g,
        str(step.h) if by_f else "–",
        str(step.f) if by_f else "–",
    )


def _steps(query: CoverQuery, most: int, action: str) -> StepLinks:
    def to(step: int) -> str:
        return query.url(action, step=step)

    at = query.step
    return StepLinks(
        first=to(1) if at > 1 else None,
        previous=to(at - 1) if at > 1 else None,
        next=to(at + 1) if at < most else None,
        last=to(most) if at < most else None,
        speeds=tuple((pause, name, at == 0) for at, (pause, name) in enumerate(SPEEDS)),
    )
