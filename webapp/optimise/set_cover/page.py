"""A set cover as its page shows it: the board, the machines, and one of them step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from flask import url_for

from agents.formats import counted
from engine.options import parse_spec, read_options
from engine.problems.catalog import LONGEST_PROBLEM, find_problem
from engine.problems.set_cover import LEAST_DENSITY, MOST_SETS, MOST_THINGS, SetCover, members
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView, job_view
from webapp.optimise.searches import offered
from webapp.optimise.set_cover.machines import (
    VARIANTS,
    MachinesView,
    fewest_of,
    machines_view,
    told,
)
from webapp.optimise.set_cover.query import NUMBERS, USUAL, CoverLook, instance_of, written
from webapp.optimise.set_cover.steps import WalkView, walk_view
from webapp.web.forms import Choice
from webapp.web.messages import Message

CELL = "M.2 {row}h.6"  # drawn with a stroke as high as it is long


@dataclass(frozen=True, slots=True)
class ColumnView:
    """One set: a button that takes it, or puts it back."""

    number: int  # from 1
    label: str  # everything the drawing shows, in words
    taken: bool
    following: str  # what has been taken once it is pressed
    own: str  # the paths of its cells: of a taken set,
    missing: str  # of what is still missing,
    covered: str  # and of what others cover already


@dataclass(frozen=True, slots=True)
class ThingRow:
    """One thing: its number, and how far down its name stands."""

    name: str
    down: float  # in hundredths of the board
    missing: bool


@dataclass(frozen=True, slots=True)
class BoardView:
    """Everything `optimise/_board.html` prints."""

    action: str
    target: str
    fields: tuple[tuple[str, str], ...]  # carried along
    things: int
    rows: tuple[ThingRow, ...]
    columns: tuple[ColumnView, ...]
    status: str  # `You: 3 sets, 10 of 20 covered`
    missing: str  # which things, for whoever cannot see the drawing
    whole: bool  # everything is covered
    over_url: str | None
    links: tuple[tuple[str, str, str], ...]  # id, name, address: what else stands below it


def board_view(
    problem: SetCover,
    look: CoverLook,
    action: str,
    target: str = "#cover",
    links: tuple[tuple[str, str, str], ...] = (),
) -> BoardView:
    """The board with what was taken by hand."""
    left = problem.missing(look.taken)
    done = problem.things - left.bit_count()
    sets = counted(len(look.taken), "set", "sets")
    return BoardView(
        action=action,
        target=target,
        fields=look.but("taken"),
        things=problem.things,
        rows=tuple(_row(problem, thing, left) for thing in range(problem.things)),
        columns=tuple(_column(problem, choice, look, left) for choice in range(len(problem.masks))),
        status=f"You: {sets}, {done} of {problem.things} covered",
        missing=f"Still missing: {listed(members(left))}" if left else "Nothing is missing",
        whole=not left,
        over_url=replace(look, taken=()).url(action) if look.taken else None,
        links=links,
    )


def listed(things: Iterable[int]) -> str:
    """Things or sets by their numbers from 1."""
    return ", ".join(str(thing + 1) for thing in things)


def _row(problem: SetCover, thing: int, left: int) -> ThingRow:
    down = round(100 * (thing + 0.5) / problem.things, 2)
    return ThingRow(str(thing + 1), down, bool(left >> thing & 1))


def _column(problem: SetCover, choice: int, look: CoverLook, left: int) -> ColumnView:
    mask, taken = problem.masks[choice], choice in look.taken
    following = [other for other in look.taken if other != choice]
    if not taken:
        following.append(choice)
    return ColumnView(
        number=choice + 1,
        label=_label(choice, mask, left, taken=taken),
        taken=taken,
        following=written(following),
        own=_cells(mask) if taken else "",
        missing="" if taken else _cells(mask & left),
        covered="" if taken else _cells(mask & ~left),
    )


def _label(choice: int, mask: int, left: int, *, taken: bool) -> str:
    name = f"Set {choice + 1}, {'taken' if taken else 'not taken'}: "
    if not mask:
        return f"{name}empty"
    if taken:
        return name + listed(members(mask))
    fresh, old = mask & left, mask & ~left
    parts = [f"missing {listed(members(fresh))}"] if fresh else []
    parts += [f"covered already {listed(members(old))}"] if old else []
    return name + "; ".join(parts)


def _cells(mask: int) -> str:
    return "".join(CELL.format(row=thing) for thing in members(mask))


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
