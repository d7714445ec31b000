"""The cup: what students enter becomes an arena of the teacher's, drawn up before it starts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from agents.contest.arena import MOST_PLAYERS, Terms
from agents.core import Limit
from agents.formats import counted
from agents.roster import agent_title, agents_for, read_agent
from engine import Game, load_game
from engine.errors import InvalidSpecError, ZermeloError
from webapp.classroom import rules
from webapp.classroom.models import ClosedVoteError, Room, SceneOf, SeatRecord, game_title
from webapp.classroom.store import ClassStore
from webapp.classroom.views import CupRow, CupView
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.arena import ArenaPlan, arena_job
from webapp.jobs.models import UnknownJobError
from webapp.jobs.queue import JobQueue
from webapp.jobs.store import JobStore
from webapp.lab.arena.forms import MOST_GAMES, ready_player, usual_plies
from webapp.lab.arena.page import ArenaLook, arena_view, table_of
from webapp.services import service
from webapp.web.forms import Choice

USUAL_GAMES = 4  # of each pair, two in either seat
USUAL_NODES = 500  # positions a move: what every strength was measured with
POSITIONS_A_SECOND = 10_000  # of a search: Monte Carlo at Nim(5), the slowest, makes about 9,000
A_MOVE = 0.002  # seconds, of who only looks something up
SEARCHES = ("depth", "nodes", "simulations", "level")  # options of those who look ahead
TOGETHER = "too many different machines: only the {most} entered most often play"


@dataclass(frozen=True, slots=True)
class CupEntry:
    """What a student entered."""

    student: str
    spec: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """A machine that plays, and all who entered just this one."""

    spec: str  # as it is kept: ready to play at once, a brain by its digest
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry that does not play, and why."""

    student: str
    spec: str
    why: str


@dataclass(frozen=True, slots=True)
class Cup:
    """An arena drawn up, not begun."""

    plan: ArenaPlan
    entrants: tuple[Entrant, ...]
    left_out: tuple[LeftOut, ...]
    seconds: float  # about how long it lasts at most, on so many lanes


def draw_up(
    game: str,
    entries: Sequence[CupEntry],
    *,
    seed: int,
    lanes: int = 1,
    games: int = USUAL_GAMES,
    nodes: int = USUAL_NODES,
) -> Cup:
    """The arena of these entries; raises InvalidSpecError where fewer than two machines play.

    Equal machines are one entrant. Where so many enter that an arena has no room for every game,
    each pair plays fewer.
    """
    rules = load_game(game)
    read, refused = _read(rules, entries)
    entrants, crowded = _merged(read)
    if len(entrants) < 2:
        raise InvalidSpecError(game, f"a cup needs two different machines, not {len(entrants)}")
    players = tuple(entrant.spec for entrant in entrants)
    pairs = len(players) * (len(players) - 1) // 2
    terms = Terms(
        game=rules.spec,
        players=players,
        games=max(1, min(games, MOST_GAMES // pairs)),
        seed=seed,
        limit=Limit(nodes=nodes),
    )
    seconds = expected_seconds(terms, lanes)
    return Cup(ArenaPlan(terms), entrants, (*refused, *crowded), seconds)


def _read(
    rules: Game[Any, Any], entries: Sequence[CupEntry]
) -> tuple[list[CupEntry], list[LeftOut]]:
    """The entries by the specs that play, and those that cannot."""
    read, refused = [], []
    for entry in entries:
        try:
            read.append(CupEntry(entry.student, ready_player(entry.spec, rules)))
        except ZermeloError as error:
            refused.append(LeftOut(entry.student, entry.spec, str(error)))
    return read, refused


def _merged(entries: Sequence[CupEntry]) -> tuple[tuple[Entrant, ...], tuple[LeftOut, ...]]:
    """Equal machines together; of too many those that most students entered, first come first."""
    by_spec: dict[str, list[str]] = {}
    for entry in entries:
        by_spec.setdefault(entry.spec, []).append(entry.student)
    ranked = sorted(by_spec, key=lambda spec: -len(by_spec[spec]))
    playing = set(ranked[:MOST_PLAYERS])
    entrants = tuple(
        Entrant(spec, tuple(students)) for spec, students in by_spec.items() if spec in playing
    )
    why = TOGETHER.format(most=MOST_PLAYERS)
    crowded = tuple(
        LeftOut(entry.student, entry.spec, why) for entry in entries if entry.spec not in playing
    )
    return entrants, crowded


def expected_seconds(terms: Terms, lanes: int) -> float:
    """About how long it lasts at most: every search looks at all the positions that it may."""
    moves = terms.games * usual_plies(terms.game) / 2 * (len(terms.players) - 1)  # of each player
    return sum(moves * pace for pace in _paces(terms)) / max(1, lanes)


def _paces(terms: Terms) -> Iterator[float]:
    """Seconds a move, player by player."""
    rules, nodes = load_game(terms.game), terms.limit.nodes or USUAL_NODES
    for spec in terms.players:
        options = {option.name for option in read_agent(spec, rules)[0].all_options}
        yield nodes / POSITIONS_A_SECOND if options & set(SEARCHES) else A_MOVE


MAX_GAMES_PER_PAIR = 20  # of each pair: a class does not wait for longer
SEED = 1
TITLE = "The cup of a class"


@dataclass(frozen=True, slots=True)
class CupState:
    """What the class's row says of its cup."""

    game: str
    games: int
    job: str | None = None


def state_of(room: Room) -> CupState | None:
    """The cup that is on, if one is."""
    if room.record.cup is None or room.record.scene is not SceneOf.CUP:
        return None
    return CupState(**json.loads(room.record.cup))


def cup_has_begun(room: Room) -> bool:
    """Whether its arena plays, or has played."""
    state = state_of(room)
    return state is not None and state.job is not None


def opened(room: Room, game: str, games: int | None) -> Room:
    """Students may enter machines from now on."""
    rules.check_runs(room)
    state = CupState(load_game(game).spec, max(1, min(games or USUAL_GAMES, MAX_GAMES_PER_PAIR)))
    return _with(room, state)


def entered(room: Room, seat: SeatRecord, spec: str) -> str:
    """The machine as it will play; raises what is wrong with it."""
    state = state_of(room)
    if state is None or state.job is not None:
        raise ClosedVoteError("no machine can be entered now")
    for_brains = service(BrainStore)
    for_brains.ensure(spec)
    machine = ready_player(spec, load_game(state.game))
    service(ClassStore).enter(room.record.id, seat.number, machine)
    return machine


def started(room: Room) -> Room:
    """The arena of all that was entered begins; raises InvalidSpecError for fewer than two."""
    state = state_of(room)
    if state is None or state.job is not None:
        raise ClosedVoteError("the cup is being played already")
    for seat in _entrants(room):
        service(BrainStore).ensure(seat.machine or "")
    plan = drawn_up(room, state).plan
    job = service(JobQueue).begin(arena_job(room.record.owner, TITLE, plan))
    change = service(ClassStore).change
    return change(room.record.id, lambda now: _with(now, replace(state, job=job.id)))


def drawn_up(room: Room, state: CupState) -> Cup:
    """The arena as it would be with what is entered now."""
    entries = [CupEntry(seat.name, seat.machine or "") for seat in _entrants(room)]
    lanes = service(Config).job_workers
    return draw_up(state.game, entries, seed=SEED, lanes=lanes, games=state.games)


def cup_view(room: Room) -> CupView | None:
    """The cup as screen, control and phones show it."""
    state = state_of(room)
    if state is None:
        return None
    entries = _entrants(room)
    machines = {seat.machine for seat in entries}
    view = CupView(
        title=game_title(state.game),
        entered=f"{counted(len(entries), 'student has', 'students have')} entered "
        f"{counted(len(machines), 'machine', 'different machines')}",
        known=f"{len(entries)}-{len(machines)}",
        begun=state.job is not None,
    )
    if state.job is None:
        return replace(view, ready=len(machines) > 1, expected=_expected(room, state))
    try:
        record = service(JobStore).find(state.job)
    except UnknownJobError:
        return replace(view, progress="The arena of this cup has been thrown away.")
    arena = arena_view(record, table_of(record), ArenaLook(seats=False, present=True), None)
    by_machine: dict[str, list[str]] = {}
    for seat in entries:
        by_machine.setdefault(seat.machine or "", []).append(seat.name)
    rows = tuple(
        CupRow(
            row.rank,
            row.name,
            by_machine.get(row.spec, []) if room.record.names else [],
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
        url=_address_of(record.id),
        over=record.state.is_over,
    )


def games_url(room: Room) -> str:
    """Where every game of the cup is, once it has begun."""
    state = state_of(room)
    return "" if state is None or state.job is None else _address_of(state.job)


def train_url(room: Room) -> str:
    """Where a student trains a machine for the cup, as long as it can be entered."""
    state = state_of(room)
    if state is None or state.job is not None:
        return ""
    learns = any(entry.train is not None for entry in agents_for(load_game(state.game)))
    return f"/train?{urlencode({'game': state.game})}" if learns else ""


def choices_for(room: Room, seat: SeatRecord) -> tuple[Choice, ...]:
    """What a student may enter: every machine that plays the game, and brains of their own."""
    state = state_of(room)
    if state is None or state.job is not None:
        return ()
    game = load_game(state.game)
    own = service(BrainStore).for_game(seat.player, state.game)
    listed = {brain.spec: f"{brain.name}, trained by you" for brain in own}
    listed |= {entry.key: entry.title for entry in agents_for(game)}
    return tuple(Choice(spec, title, spec == seat.machine) for spec, title in listed.items())


def machine_title(room: Room, seat: SeatRecord) -> str:
    """What a student has entered, by name."""
    state = state_of(room)
    if state is None or seat.machine is None:
        return ""
    try:
        return agent_title(seat.machine, state.game)
    except ZermeloError:
        return seat.machine


def _expected(room: Room, state: CupState) -> str:
    """About how long it will take, told before it starts."""
    try:
        cup = drawn_up(room, state)
    except ZermeloError:
        return ""
    minutes = cup.seconds / 60
    lasts = "less than a minute" if minutes < 1 else f"about {minutes:.0f} min at most"
    left = f"; {len(cup.left_out)} entries cannot play" if cup.left_out else ""
    return f"{cup.plan.terms.total:,} games, {lasts}{left}"


def _address_of(job: str) -> str:
    return f"/jobs/{job}"


def _entrants(room: Room) -> tuple[SeatRecord, ...]:
    seats = service(ClassStore).seats(room.record.id)
    return tuple(seat for seat in seats if seat.machine and not seat.removed)


def _with(room: Room, state: CupState) -> Room:
    cup = json.dumps(asdict(state))
    return replace(room, record=replace(room.record, cup=cup, scene=SceneOf.CUP))
