"""The board of a set cover as data: a column is a set, a row something to cover.

Whoever shows one says where its form leads (`action`) and what it replaces (`target`): this room's
page, or any other that includes `optimise/_board.html`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from agents.formats import counted
from engine.problems.set_cover import SetCover, members
from webapp.optimise.cover.look import CoverLook, written

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
