"""One search step by step: what it takes up, why just that, and what waits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.formats import counted
from agents.optimisers.set_cover.run import CoverStep
from agents.optimisers.snapshots import CoverMoment
from engine.options import parse_spec
from webapp.optimise.searches import title_of
from webapp.optimise.set_cover.machines import Known, laid
from webapp.optimise.set_cover.query import CoverLook
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import SearchQuestion

SECONDS = 1.0
SPEEDS = ((1000, "a step a second"), (400, "quicker"), (2500, "slower"))
MOST_GAINS = 6  # named in a sentence
FAILED = "It could not be asked this time"


@dataclass(frozen=True, slots=True)
class FrontRow:
    """One of those that wait."""

    sets: str
    g: int
    h: str
    f: str


@dataclass(frozen=True, slots=True)
class StepWalk:
    """The way through the steps."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    speeds: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True)
class WalkView:
    """Everything `optimise/_walk.html` prints."""

    title: str
    takes: str  # `It takes up {4, 11}`
    sum: str  # `f = g + h = 2 + 2`; empty where the search goes by no f
    why: str  # the rest of the sentence
    waiting: str
    front: tuple[FrontRow, ...]
    steps: StepWalk
    step: int
    most: int
    fields: tuple[tuple[str, str], ...]  # that the slider carries
    lay_url: str | None
    pending: bool
    away_url: str


def walk_view(look: CoverLook, known: Known, action: str, *, drawn: bool) -> WalkView:
    """The step that the address names, once it is known how many there are."""
    spec = str(look.walk)
    figures = known.get(spec)
    if figures is None:
        waits = spec not in known
        many, takes = "…", "It is being asked" if waits else FAILED
        return _frame(look, look.step, many, takes, action, pending=waits)
    look = replace(look, step=min(look.step, max(1, figures.steps)))
    many = f"{'' if figures.ended else 'more than '}{figures.steps:,}"
    question = SearchQuestion(look.problem, spec, step=look.step)
    answer = service(WorkerClient).answer(question, Rank.PANEL, SECONDS)
    if answer is None:
        return _frame(look, figures.steps, many, "It is being asked", action, pending=True)
    view = _frame(look, figures.steps, many, FAILED, action, pending=False)
    seen = answer.result
    return _told(view, look, seen, action, drawn) if isinstance(seen, CoverMoment) else view


def _frame(
    look: CoverLook, most: int, many: str, takes: str, action: str, *, pending: bool
) -> WalkView:
    """What is there before the step is."""
    most = max(1, most)
    return WalkView(
        title=f"{title_of(str(look.walk))}, step {look.step:,} of {many}",
        takes=takes,
        sum="",
        why="",
        waiting="",
        front=(),
        steps=_steps(look, most, action),
        step=look.step,
        most=most,
        fields=look.but("step"),
        lay_url=None,
        pending=pending,
        away_url=look.url(action, walk=None, step=1),
    )


def _told(
    view: WalkView, look: CoverLook, moment: CoverMoment, action: str, drawn: bool
) -> WalkView:
    step, spec = moment.step, str(look.walk)
    waiting = f"Waiting: {step.waiting:,}"
    if goes_by_f(spec) and step.least is not None:
        waiting = f"{waiting} · best f waiting: {step.least}"
    return replace(
        view,
        takes=f"It takes up {laid(step.sets)}" if step.sets else "It starts with nothing taken",
        sum=f"f = g + h = {step.g} + {step.h}" if goes_by_f(spec) and step.h is not None else "",
        why=why(spec, moment),
        waiting=waiting,
        front=tuple(_front(spec, other) for other in moment.front),
        lay_url=look.url(action, taken=step.sets) if drawn and step.sets else None,
    )


def goes_by_f(spec: str) -> bool:
    """Whether a search goes by sets taken plus sets estimated."""
    return parse_spec(spec)[0] == "astar"


def why(spec: str, moment: CoverMoment) -> str:
    """What is missing, and what that promises by the estimate."""
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
    used = [str(gain) for gain in gains[: min(needed, MOST_GAINS)]]
    many = " and ".join([", ".join(used[:-1]), used[-1]] if len(used) > 1 else used)
    rest = ", …" if needed > MOST_GAINS else ""
    return f"the largest {'sets cover' if len(used) > 1 else 'set covers'} {many}{rest} of them"


def _front(spec: str, step: CoverStep) -> FrontRow:
    by_f = goes_by_f(spec) and step.h is not None
    return FrontRow(
        laid(step.sets),
        step.g,
        str(step.h) if by_f else "–",
        str(step.f) if by_f else "–",
    )


def _steps(look: CoverLook, most: int, action: str) -> StepWalk:
    def to(step: int) -> str:
        return look.url(action, step=step)

    at = look.step
    return StepWalk(
        first=to(1) if at > 1 else None,
        previous=to(at - 1) if at > 1 else None,
        next=to(at + 1) if at < most else None,
        last=to(most) if at < most else None,
        speeds=tuple((pause, name, at == 0) for at, (pause, name) in enumerate(SPEEDS)),
    )
