"""The cup: machines that students enter play an arena owned by the teacher."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from agents.contest.arena import MAX_PLAYERS, Terms
from agents.core import Limit
from agents.formats import counted, ordinal
from agents.roster import find_agent, read_agent
from engine import load_game
from engine.errors import InvalidSpecError, ZermeloError
from engine.options import Option, Role
from webapp.bots.models import MAX_OPEN_GAMES, Admission, BotRecord
from webapp.classroom import rules
from webapp.classroom.models import (
    ClassSession,
    Scene,
    SeatRecord,
    UnknownClassError,
    game_title,
)
from webapp.classroom.store import ClassStore
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.jobs.models import JobRecord
from webapp.lab.arena.forms import MAX_GAMES, ready_player, typical_plies
from webapp.lab.arena.page import ArenaPage, Row
from webapp.questions.plans import MAX_GAMES_PER_PAIR
from webapp.replays.models import bot_id_of, bot_name_of
from webapp.web.forms import OptionField, option_fields

DEFAULT_GAMES = 4  # per pair, two in either seat
SEED = 1
TITLE = "The cup of a class"
NODES = 500  # positions per move, as in the measured strengths
POSITIONS_PER_SECOND = 10_000  # the slowest search, Monte Carlo at Nim(5), visits about 9,000
BOT_SECONDS = 0.5  # per move of a bot, which may also think for longer
LOOKUP_SECONDS = 0.002  # per move of a player that does not search
ENTRY = "entry"  # prefix of the fields with a machine's settings
MAX_SPEC_CHARS = 500
MAX_TOP = 10  # rows of the table on the projector
PODIUM = 3
MAX_OWNERS = 2  # named in a row
MAX_HEADLINE_CHARS = 110  # two lines of the screen
SEARCH_OPTIONS = ("depth", "nodes", "simulations", "level")  # an agent with one of these searches


@dataclass(frozen=True, slots=True)
class CupRecord:
    """The cup as stored in the row of its class."""

    game: str
    games: int  # of each pair
    job: str | None = None  # its arena, once it has begun

    @property
    def url(self) -> str:
        """The arena with every game to watch; empty before its start."""
        return "" if self.job is None else f"/jobs/{self.job}"


@dataclass(frozen=True, slots=True)
class Cup:
    """An arena planned, not started."""

    plan: ArenaPlan
    rejected: tuple[str, ...]  # entries that do not play
    seconds: float  # estimated duration at most


def plan_cup(state: CupRecord, entries: Iterable[str], workers: int = 1) -> Cup:
    """Plan the arena of the entered machines; raises InvalidSpecError with fewer than two.

    Equal machines are one player; of too many those entered most often play. With many players
    each pair plays fewer games, so that the arena stays within MAX_GAMES.
    """
    rules = load_game(state.game)
    entered: Counter[str] = Counter()  # by canonical spec, brains by digest
    rejected = []
    for entry in entries:
        try:
            entered[entry if bot_id_of(entry) else ready_player(entry, rules)] += 1
        except ZermeloError:
            rejected.append(entry)
    playing = dict(entered.most_common(MAX_PLAYERS))
    players = tuple(spec for spec in entered if spec in playing)
    rejected += [spec for spec in entered.elements() if spec not in playing]
    if len(players) < 2:
        raise InvalidSpecError(
            state.game, f"a cup needs two different machines, not {len(players)}"
        )
    pairs = len(players) * (len(players) - 1) // 2
    terms = Terms(
        game=rules.spec,
        players=players,
        games=max(1, min(state.games, MAX_GAMES // pairs)),
        seed=SEED,
        limit=Limit(nodes=NODES),
    )
    return Cup(ArenaPlan(terms), tuple(rejected), expected_seconds(terms, workers))


def expected_seconds(terms: Terms, workers: int) -> float:
    """Upper estimate of the arena's duration: every search uses all its nodes."""
    moves = terms.games * typical_plies(terms.game) / 2 * (len(terms.players) - 1)  # of each player
    here = sum(moves * pace for pace in _seconds_per_move(terms)) / max(1, workers)
    has_bots = any(map(bot_id_of, terms.players))  # which play at the same time, two games each
    return max(here, moves * BOT_SECONDS / MAX_OPEN_GAMES if has_bots else 0.0)


def _seconds_per_move(terms: Terms) -> Iterator[float]:
    """Seconds per move, for each player."""
    rules, nodes = load_game(terms.game), terms.limit.nodes or NODES
    for spec in terms.players:
        if bot_id_of(spec):
            continue
        options = {option.name for option in read_agent(spec, rules)[0].all_options}
        yield nodes / POSITIONS_PER_SECOND if options & set(SEARCH_OPTIONS) else LOOKUP_SECONDS


def current_cup(session: ClassSession) -> CupRecord | None:
    """The cup, if it is the current scene."""
    return stored_cup(session) if session.record.scene is Scene.CUP else None


def stored_cup(session: ClassSession) -> CupRecord | None:
    """The last cup, whatever the class does by now."""
    return None if session.record.cup is None else CupRecord(**json.loads(session.record.cup))


def open_cup(session: ClassSession) -> CupRecord | None:
    """The cup while machines can be entered."""
    state = current_cup(session)
    return None if state is None or state.job is not None else state


def opened(session: ClassSession, game: str, games: int | None) -> ClassSession:
    """Open the cup for entries."""
    rules.check_not_over(session)
    state = CupRecord(load_game(game).spec, max(1, min(games or DEFAULT_GAMES, MAX_GAMES_PER_PAIR)))
    return with_cup(session, state)


def with_cup(session: ClassSession, state: CupRecord) -> ClassSession:
    return session.with_record(cup=json.dumps(asdict(state)), scene=Scene.CUP, shown=None)


def entered_bots(state: CupRecord, bots: Iterable[BotRecord]) -> list[str]:
    """The bots of the class that are here and play the game of its cup."""
    game = load_game(state.game)
    return [bot.seat for bot in bots if bot.can_play(game)]


def machine_fields(key: str, texts: Mapping[str, str]) -> tuple[OptionField, ...]:
    """Fields for the settings of a machine that a student enters."""
    return option_fields(_options(key), {}, ENTRY, texts)


def _options(key: str) -> tuple[Option, ...]:
    """The options that players set; of what has learned, none of its training."""
    try:
        entry = find_agent(key)
    except ZermeloError:
        return ()
    set_by_players = (one for one in entry.all_options if not one.technical)
    return tuple(one for one in set_by_players if entry.train is None or one.role is Role.PLAYING)


def entered_spec(sent: Mapping[str, str]) -> str:
    """The spec of a machine and its settings, as the fields of the form say."""
    machine = sent.get("machine", "")[:MAX_SPEC_CHARS]
    options = () if ":" in machine else _options(machine)
    texts = {one.name: sent.get(f"{ENTRY}.{one.name}", "").strip() for one in options}
    given = ",".join(f"{name}={text}" for name, text in texts.items() if text)
    return f"{machine}:{given}"[:MAX_SPEC_CHARS] if given else machine


def bot_admission(classes: ClassStore, code: str) -> Admission | None:
    """What a class's code gives to a bot: it comes along until the class ends."""
    try:
        record = classes.by_code(code).record
    except UnknownClassError:
        return None
    return Admission(record.ends, record.id)


def entered_machines(seats: Sequence[SeatRecord]) -> list[str]:
    """The machine of each student who has entered one."""
    return [seat.machine for seat in seats if seat.machine and not seat.removed]


@dataclass(frozen=True, slots=True)
class CupRow:
    """One machine in the table of the cup."""

    rank: int  # shared by those that are level once it is over
    machine: str
    spec: str
    owners: tuple[str, ...]  # the students who entered it; of a bot, nobody
    points: str
    games: int  # played so far

    @property
    def name(self) -> tuple[str, str]:
        """What it is, and how it is set: `Monte Carlo tree search`, `18 simulations`."""
        kind, _, settings = self.machine.partition(" · ")
        return kind, settings

    @property
    def owner(self) -> str:
        """`Otter`, `Otter and Heron`, `Otter and 3 others`."""
        if len(self.owners) > MAX_OWNERS:
            return f"{self.owners[0]} and {len(self.owners) - 1} others"
        return " and ".join(self.owners)


def _shared_ranks(table: Sequence[Row]) -> list[int]:
    """The rank of each row: that of the row above where both are level."""
    ranks: list[int] = []
    for at, row in enumerate(table):
        above = table[at - 1] if at else None
        is_level = above is not None and (above.points, above.games) == (row.points, row.games)
        ranks.append(ranks[-1] if is_level else row.rank)
    return ranks


def cup_version(job: JobRecord) -> str:
    """Version key of the table: changes with every game."""
    return f"{job.step}-{job.state}"


def _owners(seats: Sequence[SeatRecord], *, named: bool) -> dict[str, tuple[str, ...]]:
    """Who entered each machine, by made-up names unless names are on."""
    owners: dict[str, tuple[str, ...]] = {}
    for seat in seats:
        if seat.machine and not seat.removed:
            owners[seat.machine] = (
                *owners.get(seat.machine, ()),
                seat.shown_name(named=named),
            )
    return owners


class CupPage:
    """The cup as projector, control, phones and report show it: its entries, then its table."""

    def __init__(
        self,
        state: CupRecord,
        seats: Sequence[SeatRecord],
        workers: int,
        arena: ArenaPage | None = None,  # None: not begun, or thrown away
        *,
        bots: Iterable[BotRecord] = (),
        names: bool = False,
    ) -> None:
        self.state = state
        self._bots = entered_bots(state, bots)
        self.title = game_title(state.game)
        self.job = None if arena is None else arena.record
        owners = _owners(seats, named=names)
        self.over = self.job is not None and self.job.state.is_over
        table = () if arena is None else arena.rows
        ranks = _shared_ranks(table) if self.over else [row.rank for row in table]
        self.rows = tuple(
            CupRow(rank, row.name, row.spec, owners.get(row.spec, ()), row.points, row.games)
            for rank, row in zip(ranks, table, strict=True)
        )
        self.url = "" if arena is None else state.url
        self._workers = workers
        self._entries = entered_machines(seats)
        self._machines = set(self._entries)

    @property
    def top(self) -> tuple[CupRow, ...]:
        """The rows that fit on the projector."""
        return self.rows[:MAX_TOP]

    @property
    def more(self) -> str:
        rest = len(self.rows) - MAX_TOP
        return f"and {counted(rest, 'more machine', 'more machines')}" if rest > 0 else ""

    @property
    def podium(self) -> tuple[CupRow, ...]:
        """The first three once it is over, without a place that it has no room for."""
        left = self.rows[PODIUM].rank if len(self.rows) > PODIUM else len(self.rows) + 1
        return tuple(row for row in self.rows[:PODIUM] if row.rank < left) if self.over else ()

    @property
    def winner(self) -> str:
        """Who has won, or shares it, once it is over."""
        is_played = self.over and self.job is not None and self.job.step > 0
        firsts = [row for row in self.rows if row.rank == 1] if is_played else []
        if not firsts:
            return ""
        if len(firsts) > MAX_OWNERS:
            return f"{len(firsts)} machines are level: they share the cup"
        if len(firsts) > 1:
            return f"{' and '.join(row.machine for row in firsts)} share the cup"
        first = firsts[0]
        whose = f", entered by {first.owner}," if first.owner else ""
        return f"{first.machine}{whose} wins the cup"

    @property
    def headline(self) -> str:
        """The winner as the screen says it: a name that would fill it stands on the podium."""
        if len(self.winner) <= MAX_HEADLINE_CHARS or not self.podium:
            return self.winner
        return f"{self.podium[0].machine} wins the cup"

    def place_of(self, machine: str | None) -> str:
        """`You are 3rd of 27`, for whoever entered this machine; empty if it does not play."""
        row = next((row for row in self.rows if row.spec == machine), None)
        if row is None or self.job is None or not self.job.step:
            return ""
        others = len(row.owners) - 1
        shared = f", with {counted(others, 'other', 'others')}" if others > 0 else ""
        place = f"{ordinal(row.rank)} of {len(self.rows)}{shared}"
        return f"You are {place}." if self.over else f"You are {place} so far."

    @property
    def entered(self) -> str:
        """`12 students have entered 5 different machines`."""
        students = counted(len(self._entries), "student has", "students have")
        machines = counted(len(self._machines), "machine", "different machines")
        told = f"{students} entered {machines}"
        if not self._bots:
            return told
        names = ", ".join(bot_name_of(bot) for bot in self._bots)
        return f"{told}; {counted(len(self._bots), 'bot is', 'bots are')} here ({names})"

    @property
    def known(self) -> str:
        """Version key: changes with the content."""
        if self.job is not None:
            return cup_version(self.job)
        return f"{len(self._entries)}-{len(self._machines)}-{len(self._bots)}"

    @property
    def ready(self) -> bool:
        """Whether enough machines are entered to start."""
        return self.state.job is None and len(self._machines) + len(self._bots) > 1

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
            cup = plan_cup(self.state, [*self._entries, *self._bots], self._workers)
        except ZermeloError:
            return ""
        minutes = cup.seconds / 60
        lasts = "less than a minute" if minutes < 1 else f"about {minutes:.0f} min at most"
        left = f"; {len(cup.rejected)} entries cannot play" if cup.rejected else ""
        return f"{cup.plan.terms.total:,} games, {lasts}{left}"
