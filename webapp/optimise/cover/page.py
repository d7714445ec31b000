"""A set cover as its page shows it: the board, the machines, and one of them step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import url_for

from engine.options import parse_spec, read_options
from engine.problems.catalog import LONGEST_PROBLEM, find_problem
from engine.problems.set_cover import LEAST_DENSITY, MOST_SETS, MOST_THINGS
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView, job_view
from webapp.optimise.cover.board import BoardView, board_view
from webapp.optimise.cover.look import NUMBERS, USUAL, CoverLook, instance_of
from webapp.optimise.cover.machines import (
    VARIANTS,
    MachinesView,
    fewest_of,
    machines_view,
    told,
)
from webapp.optimise.cover.walking import WalkView, walk_view
from webapp.optimise.searches import offered
from webapp.web.forms import Choice
from webapp.web.messages import Message

CAPS = (
    f"At most {MOST_THINGS} things and {MOST_SETS:,} sets. What takes longer than a second goes on "
    "as a job of the lab."
)
PROJECTOR = "set-cover:things=20,sets=40,density=0.2"
COURSE = "set-cover"


@dataclass(frozen=True, slots=True)
class NumberField:
    """One of the numbers that make an instance."""

    name: str
    label: str
    value: str
    low: str
    high: str | None
    step: str


@dataclass(frozen=True, slots=True)
class CoverView:
    """Everything `optimise/_cover.html` prints (root id `cover`)."""

    url: str
    action: str
    about: str
    board: BoardView | None  # None where the instance is too large to be drawn
    verdict: str  # what can be said of a cover found by hand
    machines: MachinesView | None
    walk: WalkView | None
    compare: tuple[Choice, ...]
    compare_fields: tuple[tuple[str, str], ...]
    numbers: tuple[NumberField, ...]
    text: str
    others: tuple[tuple[str, str], ...]  # instances worth a look: name, address
    caps: str
    job: JobView | None
    runs_url: str
    problem: str
    present: bool
    poll_url: str | None
    message: Message | None


def cover_view(
    look: CoverLook,
    record: JobRecord | None = None,
    player: str | None = None,
    message: Message | None = None,
) -> CoverView:
    """All of it."""
    action = url_for("optimise.set_cover")
    problem = instance_of(look)
    job = None if record is None else job_view(record, player)
    active = job is not None and job.is_active
    known = told(look, record)
    machines = None
    if look.compared:
        drawn = problem is not None
        machines = machines_view(look, known, action, waiting=active, drawn=drawn)
    walk = None
    if look.walk:
        walk = walk_view(look, known, action, drawn=problem is not None)
    pending = (machines is not None and machines.pending) or (walk is not None and walk.pending)
    board = None
    if problem is not None:
        board = board_view(problem, look, action, links=_links(look, action))
    url = look.url(action)
    chosen = look.compared or tuple(c.value for c in offered(look.problem, (), ()))
    return CoverView(
        url=url,
        action=action,
        about=_about(look),
        board=board,
        verdict=_verdict(board, look, fewest_of(known) if look.compared else None),
        machines=machines,
        walk=walk,
        compare=offered(look.problem, VARIANTS, chosen),
        compare_fields=look.but("compare"),
        numbers=_numbers(look.problem),
        text=_text(look.problem),
        others=tuple(
            (name, CoverLook(spec, present=look.present).url(action))
            for name, spec in (
                ("20 things, 28 sets", USUAL),
                ("20 things, 40 sets, for a projector", PROJECTOR),
                ("30 things, 150 sets, as in the course", COURSE),
            )
        ),
        caps=CAPS,
        job=job,
        runs_url=url_for("optimise.begin"),
        problem=look.problem,
        present=look.present,
        poll_url=url if pending or active else None,
        message=message,
    )


def _about(look: CoverLook) -> str:
    numbers = {field.name: field.value for field in _numbers(look.problem)}
    if parse_spec(look.problem, LONGEST_PROBLEM)[0] == "set-cover":
        return (
            f"Seed {numbers['seed']}, {numbers['sets']} sets, {numbers['things']} things, "
            f"each in each set with the chance {numbers['density']}."
        )
    entry = find_problem(parse_spec(look.problem, LONGEST_PROBLEM)[0])
    return f"{entry.title}: {entry.summary}"


def _verdict(board: BoardView | None, look: CoverLook, fewest: int | None) -> str:
    if board is None or not board.whole:
        return ""
    if fewest is None:
        return "Everything is covered. Can it be done with fewer? Ask the machines."
    more = len(look.taken) - fewest
    if more:
        return f"Everything is covered. It can be done with {fewest}."
    return "Everything is covered, and no cover has fewer sets."


def _numbers(problem: str) -> tuple[NumberField, ...]:
    entry = find_problem("set-cover")
    key, texts = parse_spec(problem, LONGEST_PROBLEM)
    if key != "set-cover":
        texts = parse_spec(USUAL)[1]
    values = read_options(entry.key, entry.options, texts)
    return tuple(
        NumberField(
            name=option.name,
            label=option.label,
            value=option.write(values[option.name]),
            low=f"{LEAST_DENSITY if option.name == 'density' else option.low:g}",
            high=None if option.high is None else f"{option.high:g}",
            step="any" if option.name == "density" else "1",
        )
        for option in entry.options
        if option.name in NUMBERS
    )


def _text(problem: str) -> str:
    """Sets of one's own as they are written: a line each."""
    key, texts = parse_spec(problem, LONGEST_PROBLEM)
    return texts.get("sets", "").replace(".", "\n").replace("-", " ") if key == "own-cover" else ""


def _links(look: CoverLook, action: str) -> tuple[tuple[str, str, str], ...]:
    """The same with the next seed, and on a projector or back from there."""
    name = "Leave the projector" if look.present else "Projector"
    links = [("present", name, look.url(action, present=not look.present))]
    key, texts = parse_spec(look.problem, LONGEST_PROBLEM)
    if key == "set-cover":
        seed = int(texts.get("seed", "0")) + 1
        others = [f"{name}={text}" for name, text in texts.items() if name != "seed"]
        spec = f"set-cover:{','.join((*others, f'seed={seed}'))}"
        other = replace(look, problem=spec, taken=(), walk=None, step=1, run=None)
        links.insert(0, ("next-seed", "Another one", other.url(action)))
    return tuple(links)
