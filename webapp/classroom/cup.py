"""The cup: machines that students enter play an arena owned by the teacher."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from agents.contest.arena import MAX_PLAYERS, Terms
from agents.core import Limit
from agents.formats import counted
from agents.roster import agent_title, agents_for, read_agent
from engine import Game, load_game
from engine.errors import InvalidSpecError, ZermeloError
from webapp.classroom import rules
from webapp.classroom.models import ClassSession, ClosedVoteError, Scene, SeatRecord, game_title
from webapp.classroom.store import ClassStore
from webapp.classroom.views import CupRow, CupView
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.arena import ArenaPlan, arena_job
from webapp.jobs.models import UnknownJobError
from webapp.jobs.queue import JobQueue
from webapp.jobs.store import JobStore
from webapp.lab.arena.forms import MAX_GAMES, ready_player, typical_plies
from webapp.lab.arena.page import ArenaQuery, arena_view, cached_standings
from webapp.services import service
from webapp.web.forms import Choice

DEFAULT_GAMES = 4  # per pair, two in either seat
MAX_GAMES_PER_PAIR = 20
SEED = 1
TITLE = "The cup of a class"
DEFAULT_NODES = 500  # positions per move, as in the measured strengths
POSITIONS_PER_SECOND = 10_000  # the slowest search, Monte Carlo at Nim(5), visits about 9,000
LOOKUP_SECONDS = 0.002  # per move of a player that does not search
SEARCH_OPTIONS = ("depth", "nodes", "simulations", "level")  # an agent with one of these searches
TOO_MANY_MACHINES = "too many different machines: only the {most} entered most often play"


@dataclass(frozen=True, slots=True)
class CupEntry:
    """A machine entered by one student."""

    student: str
    spec: str


@dataclass(frozen=True, slots=True)
class CupPlayer:
    """A machine in the arena, with all students who entered it."""

    spec: str  # canonical: brains by digest
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RejectedEntry:
    """An entry that does not play, with the reason."""

    student: str
    spec: str
    why: str


@dataclass(frozen=True, slots=True)
class Cup:
    """An arena planned, not started."""

    plan: ArenaPlan
    entrants: tuple[CupPlayer, ...]
    rejected: tuple[RejectedEntry, ...]
    seconds: float  # estimated duration at most


def plan_cup(
    game: str,
    entries: Sequence[CupEntry],
    *,
    seed: int,
    workers: int = 1,
    games: int = DEFAULT_GAMES,
    nodes: int = DEFAULT_NODES,
) -> Cup:
    """Plan the arena of these entries; raises InvalidSpecError with fewer than two machines.

    Equal machines are one player. With many players each pair plays fewer games, so that the arena
    stays within MOST_GAMES.
    """
    rules = load_game(game)
    read, rejected = _read_entries(rules, entries)
    entrants, crowded = _group_by_machine(read)
    if len(entrants) < 2:
        raise InvalidSpecError(game, f"a cup needs two different machines, not {len(entrants)}")
    players = tuple(entrant.spec for entrant in entrants)
    pairs = len(players) * (len(players) - 1) // 2
    terms = Terms(
        game=rules.spec,
        players=players,
        games=max(1, min(games, MAX_GAMES // pairs)),
        seed=seed,
        limit=Limit(nodes=nodes),
    )
    seconds = expected_seconds(terms, workers)
    return Cup(ArenaPlan(terms), entrants, (*rejected, *crowded), seconds)


def _read_entries(
    rules: Game[Any, Any], entries: Sequence[CupEntry]
) -> tuple[list[CupEntry], list[RejectedEntry]]:
    """Entries with playable specs, and rejected ones."""
    read, rejected = [], []
    for entry in entries:
        try:
            read.append(CupEntry(entry.student, ready_player(entry.spec, rules)))
        except ZermeloError as error:
            rejected.append(RejectedEntry(entry.student, entry.spec, str(error)))
    return read, rejected


def _group_by_machine(
    entries: Sequence[CupEntry],
) -> tuple[tuple[CupPlayer, ...], tuple[RejectedEntry, ...]]:
    """Entries grouped by machine; if too many, those entered most often play."""
    by_spec: dict[str, list[str]] = {}
    for entry in entries:
        by_spec.setdefault(entry.spec, []).append(entry.student)
    ranked = sorted(by_spec, key=lambda spec: -len(by_spec[spec]))
    playing = set(ranked[:MAX_PLAYERS])
    entrants = tuple(
        CupPlayer(spec, tuple(students)) for spec, students in by_spec.items() if spec in playing
    )
    why = TOO_MANY_MACHINES.format(most=MAX_PLAYERS)
    crowded = tuple(
        RejectedEntry(entry.student, entry.spec, why)
        for entry in entries
        if entry.spec not in playing
    )
    return entrants, crowded


def expected_seconds(terms: Terms, workers: int) -> float:
    """Upper estimate of the arena's duration: every search uses all its nodes."""
    moves = terms.games * typical_plies(terms.game) / 2 * (len(terms.players) - 1)  # of each player
    return sum(moves * pace for pace in _seconds_per_move(terms)) / max(1, workers)


def _seconds_per_move(terms: Terms) -> Iterator[float]:
    """Seconds per move, for each player."""
    rules, nodes = load_game(terms.game), terms.limit.nodes or DEFAULT_NODES
    for spec in terms.players:
        options = {option.name for option in read_agent(spec, rules)[0].all_options}
        yield nodes / POSITIONS_PER_SECOND if options & set(SEARCH_OPTIONS) else LOOKUP_SECONDS


@dataclass(frozen=True, slots=True)
class CupRecord:
    """The cup as stored in the row of its class."""

    game: str
    games: int
    job: str | None = None


def current_cup(session: ClassSession) -> CupRecord | None:
    """The cup, if it is the current scene."""
    if session.record.cup is None or session.record.scene is not Scene.CUP:
        return None
    return CupRecord(**json.loads(session.record.cup))


def cup_has_begun(session: ClassSession) -> bool:
    """Whether the arena was started."""
    state = current_cup(session)
    return state is not None and state.job is not None


def opened(session: ClassSession, game: str, games: int | None) -> ClassSession:
    """Open the cup for entries."""
    rules.check_not_over(session)
    state = CupRecord(load_game(game).spec, max(1, min(games or DEFAULT_GAMES, MAX_GAMES_PER_PAIR)))
    return _with_cup(session, state)


def entered(session: ClassSession, seat: SeatRecord, spec: str) -> str:
    """Enter a machine for a student; raises if it cannot play."""
    state = current_cup(session)
    if state is None or state.job is not None:
        raise ClosedVoteError("no machine can be entered now")
    for_brains = service(BrainStore)
    for_brains.ensure(spec)
    machine = ready_player(spec, load_game(state.game))
    service(ClassStore).enter(session.record.id, seat.number, machine)
    return machine


def started(session: ClassSession) -> ClassSession:
    """Start the arena; raises InvalidSpecError with fewer than two machines."""
    state = current_cup(session)
    if state is None or state.job is not None:
        raise ClosedVoteError("the cup is being played already")
    for seat in _entered_seats(session):
        service(BrainStore).ensure(seat.machine or "")
    plan = cup_preview(session, state).plan
    job = service(JobQueue).begin(arena_job(session.record.owner, TITLE, plan))
    change = service(ClassStore).change
    return change(session.record.id, lambda now: _with_cup(now, replace(state, job=job.id)))


def cup_preview(session: ClassSession, state: CupRecord) -> Cup:
    """The arena that the present entries would make."""
    entries = [CupEntry(seat.name, seat.machine or "") for seat in _entered_seats(session)]
    lanes = service(Config).jobs.workers
    return plan_cup(state.game, entries, seed=SEED, workers=lanes, games=state.games)


def cup_view(session: ClassSession) -> CupView | None:
    """The cup as projector, control and phones show it."""
    state = current_cup(session)
    if state is None:
        return None
    entries = _entered_seats(session)
    machines = {seat.machine for seat in entries}
    view = CupView(
        title=game_title(state.game),
        entered=f"{counted(len(entries), 'student has', 'students have')} entered "
        f"{counted(len(machines), 'machine', 'different machines')}",
        known=f"{len(entries)}-{len(machines)}",
        begun=state.job is not None,
    )
    if state.job is None:
        return replace(view, ready=len(machines) > 1, expected=_expected_text(session, state))
    try:
        record = service(JobStore).find(state.job)
    except UnknownJobError:
        return replace(view, progress="The arena of this cup has been thrown away.")
    arena = arena_view(
        record, cached_standings(record), ArenaQuery(seats=False, present=True), None
    )
    by_machine: dict[str, list[str]] = {}
    for seat in entries:
        by_machine.setdefault(seat.machine or "", []).append(seat.name)
    rows = tuple(
        CupRow(
            row.rank,
            row.name,
            by_machine.get(row.spec, []) if session.record.names else [],
            row.points,
            tuple(cell.text if cell else "" for cell in row.cells),
        )
        for row in arena.rows
    )
    return replace(
        view,
        progress=f"{record.step:,} of {record.total:,} games",
        known=f"{record.step}-{record.state}",
        rows=rows,
        url=_arena_url(record.id),
        over=record.state.is_over,
    )


def games_url(session: ClassSession) -> str:
    """Address of the arena's games, once started."""
    state = current_cup(session)
    return "" if state is None or state.job is None else _arena_url(state.job)


def train_url(session: ClassSession) -> str:
    """Address to train a machine for the cup, while entries are open."""
    state = current_cup(session)
    if state is None or state.job is not None:
        return ""
    learns = any(entry.train is not None for entry in agents_for(load_game(state.game)))
    return f"/train?{urlencode({'game': state.game})}" if learns else ""


def choices_for(session: ClassSession, seat: SeatRecord) -> tuple[Choice, ...]:
    """Machines a student may enter: all that play the game, and their own brains."""
    state = current_cup(session)
    if state is None or state.job is not None:
        return ()
    game = load_game(state.game)
    own = service(BrainStore).for_game(seat.player, state.game)
    listed = {brain.spec: f"{brain.name}, trained by you" for brain in own}
    listed |= {entry.key: entry.title for entry in agents_for(game)}
    return tuple(Choice(spec, title, spec == seat.machine) for spec, title in listed.items())


def machine_title(session: ClassSession, seat: SeatRecord) -> str:
    """Title of the machine a student entered."""
    state = current_cup(session)
    if state is None or seat.machine is None:
        return ""
    try:
        return agent_title(seat.machine, state.game)
    except ZermeloError:
        return seat.machine


def _expected_text(session: ClassSession, state: CupRecord) -> str:
    """Number of games and expected duration."""
    try:
        cup = cup_preview(session, state)
    except ZermeloError:
        return ""
    minutes = cup.seconds / 60
    lasts = "less than a minute" if minutes < 1 else f"about {minutes:.0f} min at most"
    left = f"; {len(cup.rejected)} entries cannot play" if cup.rejected else ""
    return f"{cup.plan.terms.total:,} games, {lasts}{left}"


def _arena_url(job: str) -> str:
    return f"/jobs/{job}"


def _entered_seats(session: ClassSession) -> tuple[SeatRecord, ...]:
    seats = service(ClassStore).seats(session.record.id)
    return tuple(seat for seat in seats if seat.machine and not seat.removed)


def _with_cup(session: ClassSession, state: CupRecord) -> ClassSession:
    cup = json.dumps(asdict(state))
    return replace(session, record=replace(session.record, cup=cup, scene=Scene.CUP))
