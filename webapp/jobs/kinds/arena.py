"""An arena as a job: games in batches, each game a row by pair and round.

A batch is made of games that are not stored yet; how many of them a task plays, and where a slow
game is interrupted, depends on the clock. Neither changes a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from agents.contest.arena import Interrupted, Played, Terms, play_some
from agents.contest.guarded import is_guarded, play_guarded
from agents.contest.results import Result
from agents.core import Limit
from agents.entry import Technique
from agents.failures import without_folders
from agents.players.spec import is_player
from agents.roster import roster
from engine.errors import without_controls
from webapp.jobs.models import Change, Checkpoint, JobGame, JobKind, JobRecord, JobSnapshot, Task
from webapp.replays.models import BOT_PREFIX
from webapp.storage.rows import from_json

MAX_BATCH = 32  # games of a task
BATCH_S = 0.4
QUICK = (Technique.RULES, Technique.LEARNING, Technique.EVOLUTION)
MIN_BATCHES_LEFT = 4  # of the rest of an arena, so that no lane is idle at its end
SMOOTHING = 0.3
TASK_TIMEOUT_S = 90.0  # including the compilation of kernels
GUARDED_TIMEOUT_S = 600.0  # where the guard ends a move
OUTSIDE_PART_S = 30.0  # with a player from outside, which would be told the game again and again
MAX_MOVE_S = 10.0  # of any machine in any arena
MAX_FAULT_CHARS = 300  # as the table has it
ROUNDS_WITH_TRACEBACK = 10  # of each pair: the same failure a thousand times helps nobody
SUSPECTS = "suspects"  # specs of players that hung or killed their process


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """The parameters of an arena: its terms, and the names of brains among its players."""

    terms: Terms
    names: Mapping[str, str] = field(default_factory=dict)  # by spec: of brains

    def to_json(self) -> dict[str, Any]:
        terms = asdict(self.terms)
        limit = terms.pop("limit")
        return {**terms, **limit, "names": dict(self.names)}

    @classmethod
    def of(cls, record: JobRecord) -> ArenaPlan:
        values = record.parameters
        terms = from_json(Terms, values)
        return cls(replace(terms, limit=from_json(Limit, values)), values.get("names", {}))


def _plan(snapshot: JobSnapshot, running: Collection[str]) -> Iterator[Task]:
    """The next games that are neither stored nor running, by number."""
    terms = ArenaPlan.of(snapshot.record).terms
    taken = {number for key in running for number in _numbers(key)}
    suspects = frozenset(snapshot.record.metrics.get(SUSPECTS, ()))
    size = _batch_size(snapshot)
    elsewhere = set(numbers_of_bots(terms))
    batch: list[int] = []
    for number in range(1, terms.total + 1):
        if batch and _interrupted(snapshot, number):  # it is the first of a task
            yield _task(terms, batch, suspects, _interrupted(snapshot, batch[0]))
            batch = []
        free = number not in taken and number not in elsewhere
        if free and game_key(terms, number) not in snapshot.games:
            batch.append(number)
        if batch and (number in taken or len(batch) == size or number == terms.total):
            yield _task(terms, batch, suspects, _interrupted(snapshot, batch[0]))
            batch = []


def _interrupted(snapshot: JobSnapshot, number: int) -> bytes | None:
    """Where a game was interrupted, if it was."""
    checkpoint = snapshot.checkpoints.get(number)
    return checkpoint.data or None if checkpoint else None


def _batch_size(snapshot: JobSnapshot) -> int:
    """As many games as a task has time for, and few enough for all lanes."""
    seconds = snapshot.record.metrics.get("game_seconds")
    if seconds is None:
        return 1
    left = snapshot.record.total - len(snapshot.games)
    return max(1, min(MAX_BATCH, int(BATCH_S / max(seconds, 1e-6)), left // MIN_BATCHES_LEFT))


def _task(terms: Terms, numbers: list[int], suspects: frozenset[str], begun: bytes | None) -> Task:
    """A task for these games; under guard for a suspect, a package's, or once a process died."""
    limit = terms.limit.tighter(Limit(seconds=MAX_MOVE_S))
    fixtures = [replace(terms.fixture(number), limit=limit) for number in numbers]
    key, asked = f"{numbers[0]}-{numbers[-1]}", (fixtures, BATCH_S, begun)
    # A move is not cut into parts, and a package's machine may do anything.
    slow = (limit.seconds or MAX_MOVE_S) > BATCH_S and not _are_quick(terms)
    guarded = Task(key, play_guarded, asked, GUARDED_TIMEOUT_S, may_last=True)
    if any(is_guarded(fixture) or not suspects.isdisjoint(fixture.specs) for fixture in fixtures):
        return guarded
    if any(is_player(spec) for fixture in fixtures for spec in fixture.specs):
        return Task(
            key, play_some, (*asked, OUTSIDE_PART_S), GUARDED_TIMEOUT_S, guarded, may_last=True
        )
    return Task(key, play_some, asked, TASK_TIMEOUT_S, guarded, may_last=slow)


def _are_quick(terms: Terms) -> bool:
    """Whether every player is a rule or a table of ours, which is looked up in no time."""
    quick = {entry.key for entry in roster() if entry.technique in QUICK}
    return quick.issuperset(spec.partition(":")[0] for spec in terms.players)


def _numbers(key: str) -> range:
    """All numbers from the first to the last of a batch, including games stored before."""
    first, _, last = key.partition("-")
    return range(int(first), int(last) + 1)


def _take(snapshot: JobSnapshot, task: Task, result: list[Played | Interrupted]) -> Change:
    terms = ArenaPlan.of(snapshot.record).terms
    ended = [played for played in result if isinstance(played, Played)]
    games = tuple(_row(terms, played) for played in ended)
    fresh = {game.key for game in games} - snapshot.games
    step = len(snapshot.games) + len(fresh)
    metrics: dict[str, Any] = {"game_seconds": _game_seconds(snapshot, result)}
    if suspects := _suspects(snapshot, task, ended):
        metrics[SUSPECTS] = suspects
    return Change(
        step=step,
        metrics=metrics,
        checkpoints=dict(_checkpoints(snapshot, terms, result)),
        games=games,
        done=step == terms.total,
    )


def _checkpoints(
    snapshot: JobSnapshot, terms: Terms, result: list[Played | Interrupted]
) -> Iterator[tuple[int, Checkpoint]]:
    """Where a game was interrupted, by its number; nothing of one that has ended since."""
    for each in result:
        number = terms.number(*each.fixture.entrants, each.fixture.round)
        if isinstance(each, Interrupted):
            yield number, Checkpoint(len(each.moves), each.to_bytes())
        elif number in snapshot.checkpoints:
            yield number, Checkpoint(len(each.moves), b"")


def _suspects(snapshot: JobSnapshot, task: Task, result: list[Played]) -> list[str]:
    """Known suspects, and players that forfeited under guard."""
    found = set(snapshot.record.metrics.get(SUSPECTS, ()))
    if task.function is play_guarded:
        found |= {played.loser for played in result if played.fault is not None}
    return sorted(found)


def _game_seconds(snapshot: JobSnapshot, result: list[Played | Interrupted]) -> float:
    """Smoothed thinking time of a game, or of as much as was played of it."""
    seconds = sum(pace.seconds for played in result for pace in played.paces) / len(result)
    before = snapshot.record.metrics.get("game_seconds")
    return seconds if before is None else before + SMOOTHING * (seconds - before)


def _row(terms: Terms, played: Played) -> JobGame:
    fixture = played.fixture
    pair, round_ = game_key(terms, terms.number(*fixture.entrants, fixture.round))
    first, second = played.paces
    winner = played.outcome.winner
    return JobGame(
        pair=pair,
        round=round_,
        moves=" ".join(played.moves),
        winner=None if winner is None else int(winner),
        ending=str(played.outcome.ending),
        fault=None if played.fault is None else without_controls(played.fault)[:MAX_FAULT_CHARS],
        first_seconds=first.seconds,
        second_seconds=second.seconds,
        first_thoughts=first.moves,
        second_thoughts=second.moves,
        traceback=without_folders(played.traceback) or None
        if round_ < ROUNDS_WITH_TRACEBACK
        else None,
    )


def game_key(terms: Terms, number: int) -> tuple[int, int]:
    """(pair, round) of a game."""
    round_, pair = divmod(number - 1, terms.pairs)
    return pair, round_


def results_of(terms: Terms, games: Iterable[JobGame]) -> Iterator[Result]:
    """The results of stored games; seats follow from pair and round."""
    seats = [terms.fixture(number).entrants for number in range(1, terms.pairs + 1)]
    for game in games:
        low, high = seats[game.pair]
        first, second = (high, low) if game.round % 2 else (low, high)
        yield Result(
            first,
            second,
            game.round,
            game.winner,
            game.ending,
            game.moves,
            game.fault is not None,
            (game.first_thoughts or 0, game.second_thoughts or 0),
            (game.first_seconds or 0.0, game.second_seconds or 0.0),
        )


def numbers_of_bots(terms: Terms) -> list[int]:
    """The games in which bots play: matches of the web server, and no tasks."""
    if not any(spec.startswith(BOT_PREFIX) for spec in terms.players):
        return []
    return [
        number
        for number in range(1, terms.total + 1)
        if any(spec.startswith(BOT_PREFIX) for spec in terms.fixture(number).specs)
    ]


def _awaits(snapshot: JobSnapshot) -> bool:
    """Whether games come from elsewhere."""
    return bool(numbers_of_bots(ArenaPlan.of(snapshot.record).terms))


ARENA = JobKind("arena", "games", _plan, _take, awaits=_awaits)


def arena_job(owner: str, title: str, plan: ArenaPlan) -> JobRecord:
    """A new record, not stored yet."""
    terms = plan.terms
    return JobRecord(owner, ARENA.name, title, plan.to_json(), terms.seed, terms.total)
