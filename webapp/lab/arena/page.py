"""An arena's standings as its page shows them: every figure written, every line placed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from flask import url_for

from agents.contest.results import Meeting
from agents.contest.standings import TIE_BREAK, Standing, Standings, stand
from agents.formats import counted
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.jobs.models import JobRecord
from webapp.jobs.status import job_view
from webapp.jobs.store import GameStore
from webapp.lab.arena.text import (
    counts_text,
    cycle_text,
    interval_text,
    names_of,
    notes_of,
    pace_text,
    points_text,
    rating_text,
    terms_text,
    upset_text,
)
from webapp.lab.arena.views import ArenaView, CellView, IntervalView, RowView, TaleView
from webapp.services import service

SHADES = 10
MOST_CYCLES = 8
LINKED = 20  # machines up to which a cell opens its games: beyond, a machine's own page does
SEATED = 16  # machines up to which cells can say it by seat: beyond, a pair's own page does
NOTED = 12  # machines up to which every cell says what is odd about its games


@dataclass(frozen=True, slots=True)
class ArenaLook:
    """What the address of an arena says beyond its id."""

    seats: bool = False  # the records by seat
    present: bool = False

    def address(self, job_id: str) -> str:
        seats, present = ("1" if wanted else None for wanted in (self.seats, self.present))
        return url_for("jobs.show", job_id=job_id, seats=seats, present=present)


def arena_view(
    record: JobRecord, table: Standings, look: ArenaLook, player: str | None
) -> ArenaView:
    """All of it."""
    plan = ArenaPlan.of(record)
    names = names_of(plan.terms, plan.names)
    job = job_view(record, player)
    with_draws = any(standing.score.draws for standing in table.standings)
    lanes = bracket_lanes(table.brackets)
    drawn = _intervals(table)
    rows = tuple(
        RowView(
            rank=standing.rank,
            name=names[standing.entrant],
            spec=standing.spec,
            url=url_for("arena.machine", job_id=record.id, entrant=standing.entrant + 1),
            rating=rating_text(standing.rating),
            interval=interval_text(standing.rating),
            drawn=drawn.get(standing.entrant),
            brackets="".join(_part(at, lane, standing.rank) for at, lane in enumerate(lanes)),
            level=_level(table, standing.rank),
            points=points_text(standing.score),
            counts=counts_text(standing.score, draws=True) if standing.score.games else "–",
            forfeits=standing.forfeits,
            cells=tuple(
                _cell(record.id, table, standing, other, look, with_draws=with_draws)
                for other in table.order
            ),
        )
        for standing in table.standings
    )
    return ArenaView(
        job=job,
        url=look.address(record.id),
        cells=len(rows) <= LINKED,
        known=f"{record.state.value}-{table.played}-{int(record.cancel)}",
        title=record.title,
        about=terms_text(plan.terms),
        so_far=not table.is_complete,
        rows=rows,
        with_draws=with_draws,
        lanes=len(lanes),
        notes=notes_of(table),
        tie_break=TIE_BREAK,
        upsets=tuple(
            TaleView(
                upset_text(upset, names),
                url_for("arena.replay", job_id=record.id, number=upset.number),
            )
            for upset in table.upsets
        ),
        more_upsets=table.upsets_in_all - len(table.upsets),
        cycles=tuple(TaleView(cycle_text(cycle, names)) for cycle in table.cycles[:MOST_CYCLES]),
        more_cycles=max(0, len(table.cycles) - MOST_CYCLES),
        paces=tuple(
            (names[standing.entrant], pace_text(pace))
            for standing in table.standings
            if (pace := standing.pace.per_move) is not None
        ),
        seats=look.seats,
        seats_url=None
        if len(rows) > SEATED
        else ArenaLook(not look.seats, look.present).address(record.id),
        present=look.present,
        present_url=ArenaLook(look.seats, not look.present).address(record.id),
        again_url=url_for("arena.again", job_id=record.id),
        add_url=url_for("arena.form", like=record.id),
        csv_url=url_for("arena.standings_file", job_id=record.id),
        times_url=url_for("arena.standings_file", job_id=record.id, times="1"),
        meetings_url=url_for("arena.meetings_file", job_id=record.id),
        json_url=url_for("jobs.as_json", job_id=record.id),
    )


def bracket_lanes(brackets: tuple[tuple[int, int], ...]) -> list[list[tuple[int, int]]]:
    """Brackets side by side where they overlap, in as few lines as will do."""
    lanes: list[list[tuple[int, int]]] = []
    for bracket in brackets:
        free = next((lane for lane in lanes if lane[-1][1] < bracket[0]), None)
        if free is None:
            lanes.append([bracket])
        else:
            free.append(bracket)
    return lanes


def _part(at: int, lane: list[tuple[int, int]], rank: int) -> str:
    """The part of a line of brackets that stands in one row, as a path 8 wide and 40 high."""
    left, line = 8 * at + 1, 8 * at + 6
    for top, bottom in lane:
        if rank == top:
            return f"M{left} 20H{line}V40"
        if rank == bottom:
            return f"M{left} 20H{line}V0"
        if top < rank < bottom:
            return f"M{line} 0V40"
    return ""


def _level(table: Standings, rank: int) -> str:
    """Whom it cannot be told apart from."""
    around = [(top, bottom) for top, bottom in table.brackets if top <= rank <= bottom]
    if not around:
        return ""
    return f"not told apart within {min(top for top, _ in around)} to {max(b for _, b in around)}"


def _intervals(table: Standings) -> dict[int, IntervalView]:
    """Where each machine's interval is drawn, all on one scale."""
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


def _cell(
    job_id: str,
    table: Standings,
    standing: Standing,
    other: int,
    look: ArenaLook,
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
        if look.seats and score.games and len(table.standings) <= SEATED
        else None
    )
    return CellView(
        # Relative to the page's own address: hundreds of cells make it count.
        url=f"{job_id}/{standing.entrant + 1}-{other + 1}"
        if len(table.standings) <= LINKED
        else None,
        text=counts_text(score, draws=with_draws),
        look=f"s{round(SHADES * score.rate)}" if score.games else "open",
        seats=seats,
        note=meeting_note(meeting) if len(table.standings) <= NOTED else "",
    )


def meeting_note(meeting: Meeting) -> str:
    """What is to be known of a pair's games besides their results."""
    notes = []
    games = meeting.score.games
    if meeting.different < games:
        different = counted(meeting.different, "different game", "different games")
        notes.append(f"{different} of {games:,}")
    odd = meeting.oddities
    told = {"forfeited": odd.forfeits, "by repetition": odd.repetitions, "by length": odd.lengths}
    notes += [f"{count:,} {name}" for name, count in told.items() if count]
    return ", ".join(notes)


KEPT = 16

_kept: OrderedDict[str, Standings] = OrderedDict()
_lock = Lock()


def table_of(record: JobRecord) -> Standings:
    """The table with all games that the record has counted, or a few more."""
    with _lock:
        known = _kept.get(record.id)
        if known is None or known.played < record.step:
            terms = ArenaPlan.of(record).terms
            known = stand(terms, service(GameStore).results(record.id, terms))
            _kept[record.id] = known
        _kept.move_to_end(record.id)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return known
