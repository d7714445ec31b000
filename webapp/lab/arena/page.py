"""The page of an arena: its standings, formatted and laid out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from threading import Lock

from agents.contest.arena import Terms
from agents.contest.results import Meeting
from agents.contest.standings import TIE_BREAK, Standing, Standings, standings_of
from agents.formats import counted
from webapp.jobs.kinds.arena import ArenaPlan, results_of
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView
from webapp.jobs.store import JobStore
from webapp.lab.arena.remarks import (
    counts_text,
    cycle_text,
    interval_text,
    pace_text,
    player_names,
    points_text,
    rating_text,
    table_notes,
    terms_text,
    upset_text,
)
from webapp.lab.query import ArenaQuery

SHADES = 10  # of a cell, from all lost to all won
MAX_CYCLES = 8
MAX_LINKED_PLAYERS = 20  # larger tables link only the names, to keep the page small
MAX_SEATED_PLAYERS = 16  # larger tables have no results by seat
MAX_NOTED_PLAYERS = 12  # larger tables have no notes in their cells
CACHE_SIZE = 16  # arenas

_standings_lock = Lock()  # pages that ask at once wait for one computation


@dataclass(frozen=True, slots=True)
class Cell:
    """Result of a machine against another."""

    url: str | None  # of their games; None in a large table
    text: str  # 17–3, or 17–2–1 where there are draws; … before the first game
    look: str  # CSS class: s0 (all lost) to s10 (all won)
    seats: tuple[str, str] | None  # results moving first and second
    note: str  # 3 different games of 40; 2 forfeited


class Row:
    """A machine in the table."""

    def __init__(self, page: ArenaPage, standing: Standing) -> None:
        self._page, self._standing = page, standing
        self.number = standing.entrant + 1
        self.rank, self.spec, self.forfeits = standing.rank, standing.spec, standing.forfeits
        self.name = page.names[standing.entrant]
        self.rating = rating_text(standing.rating)
        self.interval = interval_text(standing.rating)  # +560 to +664
        self.points, self.games = points_text(standing.score), standing.score.games
        self.counts = counts_text(standing.score, draws=True) if standing.score.games else "–"

    @property
    def drawn(self) -> tuple[float, float, float] | None:
        """Low, middle and high end of the interval, in percent of the column's width."""
        rating, scale = self._standing.rating, self._page.rating_scale
        if rating is None or scale is None:
            return None
        low, width = scale
        ends = (rating.low, rating.elo, rating.high)
        one, two, three = (round(2 + 96 * (end - low) / width, 1) for end in ends)
        return one, two, three

    @property
    def brackets(self) -> str:
        """SVG path of the brackets in this row, 8 wide per lane and 40 high."""
        lanes = enumerate(self._page.lanes)
        return "".join(_bracket_path(at, lane, self.rank) for at, lane in lanes)

    @property
    def level(self) -> str:
        """The ranks it cannot be told apart from, for screen readers."""
        brackets = self._page.table.brackets
        around = [(top, bottom) for top, bottom in brackets if top <= self.rank <= bottom]
        if not around:
            return ""
        low, high = min(top for top, _ in around), max(bottom for _, bottom in around)
        return f"not told apart within {low} to {high}"

    @cached_property
    def cells(self) -> tuple[Cell | None, ...]:
        table = self._page.table
        meetings = ((other, table.meetings[self._standing.entrant][other]) for other in table.order)
        return tuple(
            None if meeting is None else self._cell(other, meeting) for other, meeting in meetings
        )

    def _cell(self, other: int, meeting: Meeting) -> Cell:
        page, score = self._page, meeting.score
        seats = None
        if page.query.seats and score.games and page.has_seats:
            first, second = (
                counts_text(each, draws=page.with_draws) for each in (meeting.first, meeting.second)
            )
            seats = first, second
        return Cell(
            # Relative, since a table has hundreds of cells.
            url=f"{page.record.id}/{self.number}-{other + 1}" if page.links_cells else None,
            text=counts_text(score, draws=page.with_draws),
            look=f"s{round(SHADES * score.rate)}" if score.games else "open",
            seats=seats,
            note=meeting_note(meeting) if len(page.names) <= MAX_NOTED_PLAYERS else "",
        )


class ArenaPage:
    """An arena (`lab/arena/_arena.html`)."""

    tie_break = TIE_BREAK

    def __init__(
        self,
        path: str,
        record: JobRecord,
        table: Standings,
        query: ArenaQuery,
        player: str | None = None,
    ) -> None:
        self.path, self.record, self.table, self.player = path, record, table, player
        self.query = ArenaQuery(query.seats, query.present)
        plan = ArenaPlan.of(record)
        self.about = terms_text(plan.terms)
        self.names = player_names(plan.terms, plan.names)
        self.links_cells = len(self.names) <= MAX_LINKED_PLAYERS  # else only names are links
        self.has_seats = len(self.names) <= MAX_SEATED_PLAYERS
        self.with_draws = any(standing.score.draws for standing in table.standings)
        self.so_far = not table.is_complete
        self.notes = table_notes(table)
        self.more_upsets = table.upsets_in_all - len(table.upsets)
        self.more_cycles = max(0, len(table.cycles) - MAX_CYCLES)
        # Version key: a poll with it gets 204 while nothing has changed.
        self.known = f"{record.state.value}-{table.played}-{int(record.cancel)}"

    @cached_property
    def job(self) -> JobView:
        return JobView(self.record, self.player)

    @cached_property
    def lanes(self) -> list[list[tuple[int, int]]]:
        """Columns of brackets."""
        return bracket_lanes(self.table.brackets)

    @cached_property
    def rating_scale(self) -> tuple[float, float] | None:
        """The lowest end of all rating intervals, and the width of their common scale."""
        rated = [each.rating for each in self.table.standings if each.rating is not None]
        if not rated:
            return None
        low = min(rating.low for rating in rated)
        return low, max(rating.high for rating in rated) - low or 1.0

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        return tuple(Row(self, standing) for standing in self.table.standings)

    @property
    def upsets(self) -> tuple[tuple[str, int], ...]:
        """Sentences, each with the number of its game."""
        return tuple((upset_text(each, self.names), each.number) for each in self.table.upsets)

    @property
    def cycles(self) -> tuple[str, ...]:
        return tuple(cycle_text(cycle, self.names) for cycle in self.table.cycles[:MAX_CYCLES])

    @property
    def paces(self) -> tuple[tuple[str, str], ...]:
        """Each machine that has moved, and its time per move."""
        return tuple(
            (self.names[standing.entrant], pace_text(pace))
            for standing in self.table.standings
            if (pace := standing.pace.per_move) is not None
        )


def bracket_lanes(brackets: tuple[tuple[int, int], ...]) -> list[list[tuple[int, int]]]:
    """Arrange overlapping brackets in as few columns as possible."""
    lanes: list[list[tuple[int, int]]] = []
    for bracket in brackets:
        free = next((lane for lane in lanes if lane[-1][1] < bracket[0]), None)
        if free is None:
            lanes.append([bracket])
        else:
            free.append(bracket)
    return lanes


def _bracket_path(at: int, lane: list[tuple[int, int]], rank: int) -> str:
    """SVG path of one column of brackets within one row, 8 wide and 40 high."""
    left, line = 8 * at + 1, 8 * at + 6
    for top, bottom in lane:
        if rank == top:
            return f"M{left} 20H{line}V40"
        if rank == bottom:
            return f"M{left} 20H{line}V0"
        if top < rank < bottom:
            return f"M{line} 0V40"
    return ""


def meeting_note(meeting: Meeting) -> str:
    """Repeated games and unusual endings of a pair."""
    notes = []
    games = meeting.score.games
    if meeting.different < games:
        different = counted(meeting.different, "different game", "different games")
        notes.append(f"{different} of {games:,}")
    odd = meeting.oddities
    counts = {"forfeited": odd.forfeits, "by repetition": odd.repetitions, "by length": odd.lengths}
    notes += [f"{count:,} {name}" for name, count in counts.items() if count]
    return ", ".join(notes)


def cached_standings(store: JobStore, record: JobRecord) -> Standings:
    """Standings of all games counted in the record, computed when there are new ones."""
    with _standings_lock:
        return _standings(store, record.id, ArenaPlan.of(record).terms, record.step)


@lru_cache(maxsize=CACHE_SIZE)
def _standings(store: JobStore, job_id: str, terms: Terms, played: int) -> Standings:
    return standings_of(terms, list(results_of(terms, store.games(job_id))))
