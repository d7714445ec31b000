"""The cup: machines that students enter play an arena owned by the teacher."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
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
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.jobs.models import JobRecord, KeptBrain
from webapp.lab.arena.forms import MAX_GAMES, ready_player, typical_plies
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


def waiting_cup(session: ClassSession, otherwise: str) -> CupRecord:
    """The cup before its arena is started; raises ClosedVoteError with this reason."""
    state = current_cup(session)
    if state is None or state.job is not None:
        raise ClosedVoteError(otherwise)
    return state


def opened(session: ClassSession, game: str, games: int | None) -> ClassSession:
    """Open the cup for entries."""
    rules.check_not_over(session)
    state = CupRecord(load_game(game).spec, max(1, min(games or DEFAULT_GAMES, MAX_GAMES_PER_PAIR)))
    return with_cup(session, state)


def with_cup(session: ClassSession, state: CupRecord) -> ClassSession:
    cup = json.dumps(asdict(state))
    return replace(session, record=replace(session.record, cup=cup, scene=Scene.CUP))


def entered_seats(seats: Sequence[SeatRecord]) -> tuple[SeatRecord, ...]:
    """The students who have entered a machine."""
    return tuple(seat for seat in seats if seat.machine and not seat.removed)


def plan_for(state: CupRecord, seats: Sequence[SeatRecord], workers: int) -> Cup:
    """The arena that the present entries would make."""
    entries = [CupEntry(seat.name, seat.machine or "") for seat in entered_seats(seats)]
    return plan_cup(state.game, entries, seed=SEED, workers=workers, games=state.games)


@dataclass(frozen=True, slots=True)
class CupRow:
    """A machine in the cup's table."""

    rank: int
    name: str
    spec: str
    points: str
    cells: tuple[str, ...]  # against each, in the order of the ranks
    students: tuple[str, ...] = ()  # who entered it, where names are on


class CupPage:
    """The cup as projector and control show it: its entries, then the table of its arena."""

    def __init__(
        self,
        state: CupRecord,
        seats: Sequence[SeatRecord],
        workers: int,
        job: JobRecord | None = None,
        table: Sequence[CupRow] = (),
        *,
        names: bool = False,
    ) -> None:
        self.state = state
        self.job = job
        self.title = game_title(state.game)
        self.url = _arena_url(job.id) if job else ""  # the arena, with every game to watch
        self.over = job is not None and job.state.is_over
        self._workers = workers
        self._table = table
        self._names = names
        self._seats = entered_seats(seats)
        self._machines = {seat.machine for seat in self._seats}

    @property
    def entered(self) -> str:
        """`12 students have entered 5 different machines`."""
        students = counted(len(self._seats), "student has", "students have")
        machines = counted(len(self._machines), "machine", "different machines")
        return f"{students} entered {machines}"

    @property
    def known(self) -> str:
        """Version key: changes with the content."""
        if self.job is not None:
            return f"{self.job.step}-{self.job.state}"
        return f"{len(self._seats)}-{len(self._machines)}"

    @property
    def ready(self) -> bool:
        """Whether enough machines are entered to start."""
        return self.state.job is None and len(self._machines) > 1

    @property
    def progress(self) -> str:
        if self.state.job is None:
            return ""
        if self.job is None:
            return "The arena of this cup has been thrown away."
        return f"{self.job.step:,} of {self.job.total:,} games"

    @cached_property
    def expected(self) -> str:
        """Number of games and expected duration, before the start."""
        if self.state.job is not None:
            return ""
        try:
            cup = plan_for(self.state, self._seats, self._workers)
        except ZermeloError:
            return ""
        minutes = cup.seconds / 60
        lasts = "less than a minute" if minutes < 1 else f"about {minutes:.0f} min at most"
        left = f"; {len(cup.rejected)} entries cannot play" if cup.rejected else ""
        return f"{cup.plan.terms.total:,} games, {lasts}{left}"

    @cached_property
    def rows(self) -> tuple[CupRow, ...]:
        if not self._names:
            return tuple(self._table)
        by_machine: dict[str, tuple[str, ...]] = {}
        for seat in self._seats:
            machine = seat.machine or ""
            by_machine[machine] = (*by_machine.get(machine, ()), seat.name)
        return tuple(replace(row, students=by_machine.get(row.spec, ())) for row in self._table)


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


def choices_for(
    session: ClassSession, seat: SeatRecord, brains: Sequence[KeptBrain]
) -> tuple[Choice, ...]:
    """Machines a student may enter: all that play the game, and their own brains."""
    state = current_cup(session)
    if state is None or state.job is not None:
        return ()
    listed = {brain.spec: f"{brain.name}, trained by you" for brain in brains}
    listed |= {entry.key: entry.title for entry in agents_for(load_game(state.game))}
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


def _arena_url(job: str) -> str:
    return f"/jobs/{job}"
