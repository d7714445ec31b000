"""An arena as a job: games in batches, each game a row by pair and round.

A batch is made of games that are not stored yet; how many of them a task plays depends on the
clock. Neither changes a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.contest.arena import Played, Terms, play_some
from agents.contest.guarded import PLIES, play_guarded
from agents.core import Limit
from webapp.jobs.kinds.kind import JobKind, Task
from webapp.jobs.models import Change, JobGame, JobRecord, JobSnapshot

MAX_BATCH = 32  # games of a task
BATCH_S = 0.4
MIN_BATCHES_LEFT = 4  # of the rest of an arena, so that no lane is idle at its end
SMOOTHING = 0.3
GAME_TIMEOUT_S = 180.0  # including the compilation of kernels
GUARDED_TIMEOUT_S = 3600.0  # where the guard ends a game
SUSPECTS = "suspects"  # specs of players that hung or killed their process


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """The parameters of an arena: its terms, and the names of brains among its players."""

    terms: Terms
    names: Mapping[str, str] = field(default_factory=dict)  # by spec: of brains

    def to_json(self) -> dict[str, Any]:
        terms = self.terms
        return {
            "game": terms.game,
            "players": list(terms.players),
            "games": terms.games,
            "seed": terms.seed,
            "opening": terms.opening,
            "depth": terms.limit.depth,
            "nodes": terms.limit.nodes,
            "seconds": terms.limit.seconds,
            "names": dict(self.names),
        }

    @classmethod
    def of(cls, record: JobRecord) -> ArenaPlan:
        values = record.parameters
        terms = Terms(
            game=values["game"],
            players=tuple(values["players"]),
            games=values["games"],
            seed=values["seed"],
            limit=Limit(values["depth"], values["nodes"], values["seconds"]),
            opening=values["opening"],
        )
        return cls(terms, values.get("names", {}))


def _plan(snapshot: JobSnapshot, running: Collection[str]) -> Iterator[Task]:
    """The next games that are neither stored nor running, by number."""
    terms = ArenaPlan.of(snapshot.record).terms
    taken = {number for key in running for number in _numbers(key)}
    suspects = snapshot.record.metrics.get(SUSPECTS, ())
    size = _batch_size(snapshot)
    batch: list[int] = []
    for number in range(1, terms.total + 1):
        if number not in taken and _key(terms, number) not in snapshot.games:
            batch.append(number)
        if batch and (number in taken or len(batch) == size or number == terms.total):
            yield _task(terms, batch, suspects)
            batch = []


def _batch_size(snapshot: JobSnapshot) -> int:
    """As many games as a task has time for, and few enough for all lanes."""
    seconds = snapshot.record.metrics.get("game_seconds")
    if seconds is None:
        return 1
    left = snapshot.record.total - len(snapshot.games)
    return max(1, min(MAX_BATCH, int(BATCH_S / max(seconds, 1e-6)), left // MIN_BATCHES_LEFT))


def _task(terms: Terms, numbers: list[int], suspects: Collection[str]) -> Task:
    """A task for these games; under guard if a player is suspect, or once its process has died."""
    fixtures = [terms.fixture(number) for number in numbers]
    key, asked = f"{numbers[0]}-{numbers[-1]}", (fixtures, BATCH_S)
    thinking = PLIES * (terms.limit.seconds or 0.0)
    guarded = Task(key, play_guarded, asked, GUARDED_TIMEOUT_S + thinking)
    if any(spec in suspects for fixture in fixtures for spec in fixture.specs):
        return guarded
    return Task(key, play_some, asked, GAME_TIMEOUT_S + thinking, guarded)


def _numbers(key: str) -> range:
    """All numbers from the first to the last of a batch, including games stored before."""
    first, _, last = key.partition("-")
    return range(int(first), int(last) + 1)


def _take(snapshot: JobSnapshot, task: Task, result: list[Played]) -> Change:
    terms = ArenaPlan.of(snapshot.record).terms
    games = tuple(_row(terms, played) for played in result)
    fresh = {game.key for game in games} - snapshot.games
    step = len(snapshot.games) + len(fresh)
    metrics: dict[str, Any] = {"game_seconds": _game_seconds(snapshot, result)}
    if suspects := _suspects(snapshot, task, result):
        metrics[SUSPECTS] = suspects
    return Change(step=step, metrics=metrics, games=games, done=step == terms.total)


def _suspects(snapshot: JobSnapshot, task: Task, result: list[Played]) -> list[str]:
    """Known suspects, and players that forfeited under guard."""
    found = set(snapshot.record.metrics.get(SUSPECTS, ()))
    if task.function is play_guarded:
        found |= {played.loser for played in result if played.fault is not None}
    return sorted(found)


def _game_seconds(snapshot: JobSnapshot, result: list[Played]) -> float:
    """Smoothed thinking time of a game."""
    seconds = sum(pace.seconds for played in result for pace in played.paces) / len(result)
    before = snapshot.record.metrics.get("game_seconds")
    return seconds if before is None else before + SMOOTHING * (seconds - before)


def _row(terms: Terms, played: Played) -> JobGame:
    fixture = played.fixture
    pair, round_ = _key(terms, terms.number(*fixture.entrants, fixture.round))
    first, second = played.paces
    winner = played.outcome.winner
    return JobGame(
        pair=pair,
        round=round_,
        moves=" ".join(played.moves),
        winner=None if winner is None else int(winner),
        ending=str(played.outcome.ending),
        fault=None if played.fault is None else _one_line(played.fault),
        first_seconds=first.seconds,
        second_seconds=second.seconds,
        first_thoughts=first.moves,
        second_thoughts=second.moves,
    )


def _key(terms: Terms, number: int) -> tuple[int, int]:
    """(pair, round) of a game."""
    round_, pair = divmod(number - 1, terms.pairs)
    return pair, round_


def _one_line(fault: str) -> str:
    """Without unprintable characters: an agent's message may contain any."""
    return "".join(letter if letter.isprintable() else " " for letter in fault)


ARENA = JobKind("arena", "games", _plan, _take)


def arena_job(owner: str, title: str, plan: ArenaPlan) -> JobRecord:
    """A new record, not stored yet."""
    return JobRecord(
        owner=owner,
        kind=ARENA.name,
        title=title,
        parameters=plan.to_json(),
        seed=plan.terms.seed,
        total=plan.terms.total,
    )
