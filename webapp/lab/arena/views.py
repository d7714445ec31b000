"""View objects that the arena's templates read."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.jobs.status import JobView
from webapp.web.forms import Choice
from webapp.web.messages import Message


@dataclass(frozen=True, slots=True)
class MachineChoice:
    """A machine that can be entered."""

    value: str  # its spec
    label: str
    about: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class MachineGroup:
    """Machines of one strength or origin."""

    title: str
    machines: tuple[MachineChoice, ...]


@dataclass(frozen=True, slots=True)
class EntryView:
    """The form (`lab/arena/_entry.html`); a GET of `url` with its fields refreshes it."""

    url: str
    games: tuple[tuple[str, tuple[Choice, ...]], ...]  # a game's title, and its variants
    groups: tuple[MachineGroup, ...]
    others: str
    numbers: tuple[tuple[str, str], ...]
    limits: tuple[Choice, ...]
    limited: str  # the kind of limit that `amount` was given for
    amount: str
    title: str
    variant: str
    counted: str  # 15 pairs, 300 games, …
    most: int
    message: Message | None

    @property
    def number(self) -> dict[str, str]:
        return dict(self.numbers)


@dataclass(frozen=True, slots=True)
class IntervalView:
    """Position of an interval, in percent of the column's width."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class CellView:
    """Result of a machine against another."""

    url: str | None  # of their games; None in a large table
    text: str  # 17–3, or 17–2–1 where there are draws; … before the first game
    look: str  # CSS class: s0 (all lost) to s10 (all won)
    seats: tuple[str, str] | None  # results moving first and second
    note: str  # 3 different games of 40; 2 forfeited


@dataclass(frozen=True, slots=True)
class RowView:
    """A machine in the table."""

    rank: int
    name: str
    spec: str
    url: str  # of its opponents
    rating: str
    interval: str  # +560 to +664
    drawn: IntervalView | None
    brackets: str  # SVG path of the brackets in this row, 8 wide per lane and 40 high
    level: str  # ties, for screen readers
    points: str
    counts: str  # 94–0–6
    forfeits: int
    cells: tuple[CellView | None, ...]


@dataclass(frozen=True, slots=True)
class TaleView:
    """A sentence about the games, with a link."""

    text: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ArenaView:
    """An arena (`lab/arena/_arena.html`)."""

    job: JobView
    url: str
    known: str  # version key: a poll with it gets 204 while nothing has changed
    title: str
    about: str  # Quixo 5×5 · everyone against everyone, 20 games a pair, …
    so_far: bool
    rows: tuple[RowView, ...]
    with_draws: bool
    cells: bool  # cells link to games; in a large table only names do
    lanes: int  # columns of brackets
    notes: tuple[str, ...]
    tie_break: str
    upsets: tuple[TaleView, ...]
    more_upsets: int
    cycles: tuple[TaleView, ...]
    more_cycles: int
    paces: tuple[tuple[str, str], ...]  # a machine and its time per move
    seats: bool
    seats_url: str | None  # None in a large table
    present: bool
    present_url: str
    again_url: str
    add_url: str
    csv_url: str
    times_url: str
    meetings_url: str
    json_url: str


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game of a list."""

    number: int
    url: str
    first: str
    second: str
    result: str  # ▲ Perfect won, = drawn
    how: str  # by a line, after 9 plies


@dataclass(frozen=True, slots=True)
class GamesView:
    """The games of a pair, or the opponents of a machine (`lab/arena/games.html`)."""

    title: str
    above: tuple[tuple[str, str], ...]
    summary: str
    lines: tuple[GameLine, ...]
    meetings: tuple[tuple[str, str, str], ...]  # opponent, record, address
    previous: str | None
    following: str | None
