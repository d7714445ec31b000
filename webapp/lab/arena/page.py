"""The page of an arena: its standings, formatted and laid out."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from flask import url_for

from agents.contest.results import Meeting
from agents.contest.standings import TIE_BREAK, Standing, Standings, standings_of
from agents.formats import counted
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.jobs.models import JobRecord
from webapp.jobs.status import job_view
from webapp.jobs.store import JobStore
from webapp.lab.arena.text import (
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
from webapp.lab.arena.views import ArenaView, CellView, IntervalView, RowView, TaleView
from webapp.services import service

SHADES = 10  # of a cell, from all lost to all won
MAX_CYCLES = 8
MAX_LINKED_PLAYERS = 20  # larger tables link only the names, to keep the page small
MAX_SEATED_PLAYERS = 16  # larger tables have no results by seat
MAX_NOTED_PLAYERS = 12  # larger tables have no notes in their cells
CACHE_SIZE = 16  # arenas

_cache: OrderedDict[str, Standings] = OrderedDict()  # by job id, least recently used first
_cache_lock = Lock()


@dataclass(frozen=True, slots=True)
class ArenaQuery:
    """The query string of an arena's page."""

    seats: bool = False  # results by seat
    present: bool = False  # for a projector

    def url(self, job_id: str) -> str:
        seats, present = ("1" if wanted else None for wanted in (self.seats, self.present))
        return url_for("jobs.show", job_id=job_id, seats=seats, present=present)


def arena_view(
    record: JobRecord, table: Standings, query: ArenaQuery, player: str | None
) -> ArenaView:
    plan = ArenaPlan.of(record)
    names = player_names(plan.terms, plan.names)
    job = job_view(record, player)
    with_draws = any(standing.score.draws for standing in table.standings)
    lanes = bracket_lanes(table.brackets)
    drawn = _interval_bars(table)
    rows = tuple(
        RowView(
            rank=standing.rank,
            name=names[standing.entrant],
            spec=standing.spec,
            url=url_for("arena.machine", job_id=record.id, entrant=standing.entrant + 1),
            rating=rating_text(standing.rating),
            interval=interval_text(standing.rating),
            drawn=drawn.get(standing.entrant),
            brackets="".join(
                _bracket_path(at, lane, standing.rank) for at, lane in enumerate(lanes)
            ),
            level=_ties_text(table, standing.rank),
            points=points_text(standing.score),
            counts=counts_text(standing.score, draws=True) if standing.score.games else "–",
            forfeits=standing.forfeits,
            cells=tuple(
                _cell_view(record.id, table, standing, other, query, with_draws=with_draws)
                for other in table.order
            ),
        )
        for standing in table.standings
    )
    return ArenaView(
        job=job,
        url=query.url(record.id),
        cells=len(rows) <= MAX_LINKED_PLAYERS,
        known=f"{record.state.value}-{table.played}-{int(record.cancel)}",
        title=record.title,
        about=terms_text(plan.terms),
        so_far=not table.is_complete,
        rows=rows,
        with_draws=with_draws,
        lanes=len(lanes),
        notes=table_notes(table),
        tie_break=TIE_BREAK,
        upsets=tuple(
            TaleView(
                upset_text(upset, names),
                url_for("arena.replay", job_id=record.id, number=upset.number),
            )
            for upset in table.upsets
        ),
        more_upsets=table.upsets_in_all - len(table.upsets),
        cycles=tuple(TaleView(cycle_text(cycle, names)) for cycle in table.cycles[:MAX_CYCLES]),
        more_cycles=max(0, len(table.cycles) - MAX_CYCLES),
        paces=tuple(
            (names[standing.entrant], pace_text(pace))
            for standing in table.standings
            if (pace := standing.pace.per_move) is not None
        ),
        seats=query.seats,
        seats_url=None
        if len(rows) > MAX_SEATED_PLAYERS
        else ArenaQuery(not query.seats, query.present).url(record.id),
        present=query.present,
        present_url=ArenaQuery(query.seats, not query.present).url(record.id),
        again_url=url_for("arena.again", job_id=record.id),
        add_url=url_for("arena.form", like=record.id),
        csv_url=url_for("arena.standings_file", job_id=record.id),
        times_url=url_for("arena.standings_file", job_id=record.id, times="1"),
        meetings_url=url_for("arena.meetings_file", job_id=record.id),
        json_url=url_for("jobs.as_json", job_id=record.id),
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


def _ties_text(table: Standings, rank: int) -> str:
    """The ranks it cannot be told apart from, for screen readers."""
    around = [(top, bottom) for top, bottom in table.brackets if top <= rank <= bottom]
    if not around:
        return ""
    return f"not told apart within {min(top for top, _ in around)} to {max(b for _, b in around)}"


def _interval_bars(table: Standings) -> dict[int, IntervalView]:
    """Position of each rating interval on a common scale."""
    rated = {each.entrant: each.rating for each in table.standings if each.rating is not None}
    if not rated:
        return {}
    low = min(rating.low for rating in rated.values())
    width = max(rating.high for rating in rated.values()) - low or 1.0

    def at(figure: float) -> float:
        return round(2 + 96 * (figure - low) / width, 1)

    return {
        entrant: IntervalView(at(rating.low), at(rating.elo), at(rating.high))
        for entrant, rating in rated.items()
    }


def _cell_view(
    job_id: str,
    table: Standings,
    standing: Standing,
    other: int,
    query: ArenaQuery,
    *,
    with_draws: bool,
) -> CellView | None:
    meeting = table.meetings[standing.entrant][other]
    if meeting is None:
        return None
    score = meeting.score
    seats = (
        (
            counts_text(meeting.first, draws=with_draws),
            counts_text(meeting.second, draws=with_draws),
        )
        if query.seats and score.games and len(table.standings) <= MAX_SEATED_PLAYERS
        else None
    )
    return CellView(
        # Relative, since a table has hundreds of cells.
        url=f"{job_id}/{standing.entrant + 1}-{other + 1}"
        if len(table.standings) <= MAX_LINKED_PLAYERS
        else None,
        text=counts_text(score, draws=with_draws),
        look=f"s{round(SHADES * score.rate)}" if score.games else "open",
        seats=seats,
        note=meeting_note(meeting) if len(table.standings) <= MAX_NOTED_PLAYERS else "",
    )


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


def cached_standings(record: JobRecord) -> Standings:
    """Standings of all games counted in the record, computed when there are new ones."""
    with _cache_lock:
        table = _cache.get(record.id)
        if table is None or table.played < record.step:
            terms = ArenaPlan.of(record).terms
            table = standings_of(terms, service(JobStore).results(record.id, terms))
            _cache[record.id] = table
        _cache.move_to_end(record.id)
        while len(_cache) > CACHE_SIZE:
            _cache.popitem(last=False)
        return table
