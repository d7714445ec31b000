"""An arena as a job: games in batches, each a row of its own by its pair and round.

Which games are in a batch follows from what is not written yet and from nothing else; how many
of them a task plays, from the clock. Neither changes a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.contest.arena import Played, Terms, play_some
from agents.contest.guarded import PLIES, play_guarded
from agents.core import Limit
from webapp.jobs.kinds.kind import JobKind, Task
from webapp.jobs.models import Change, JobGame, JobRecord, Written

BATCH = 32  # games a task is sent at most
BATCH_SECONDS = 0.4
SHARES = 4  # into which the rest of an arena is cut, so that no lane stands idle at its end
SMOOTHING = 0.3
PATIENCE = 180.0  # seconds a game may last, kernels compiled on the way included
GUARDED_PATIENCE = 3600.0  # seconds, where it is the guard who sees to it that a game ends
SUSPECTS = "suspects"  # specs of those who did not answer, or took their process down


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """What an arena is asked for: its terms, and what its players are called where they have
    names of their own."""

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
        said = record.parameters
        terms = Terms(
            game=said["game"],
            players=tuple(said["players"]),
            games=said["games"],
            seed=said["seed"],
            limit=Limit(said["depth"], said["nodes"], said["seconds"]),
            opening=said["opening"],
        )
        return cls(terms, said.get("names", {}))


def _plan(written: Written, running: Collection[str]) -> Iterator[Task]:
    """The next games that nobody plays, in the order of their numbers."""
    terms = ArenaPlan.of(written.record).terms
    taken = {number for key in running for number in _numbers(key)}
    suspects = written.record.metrics.get(SUSPECTS, ())
    size = _batch_size(written)
    batch: list[int] = []
    for number in range(1, terms.total + 1):
        if number not in taken and _key(terms, number) not in written.games:
            batch.append(number)
        if batch and (number in taken or len(batch) == size or number == terms.total):
            yield _task(terms, batch, suspects)
            batch = []


def _batch_size(written: Written) -> int:
    """As many games as a task has time for, and few enough to leave some for the others."""
    lasts = written.record.metrics.get("game_seconds")
    if lasts is None:
        return 1
    left = written.record.total - len(written.games)
    return max(1, min(BATCH, int(BATCH_SECONDS / max(lasts, 1e-6)), left // SHARES))


def _task(terms: Terms, numbers: list[int], suspects: Collection[str]) -> Task:
    """Games as usual, and under guard where they did not come back or a player is known for it."""
    fixtures = [terms.fixture(number) for number in numbers]
    key, asked = f"{numbers[0]}-{numbers[-1]}", (fixtures, BATCH_SECONDS)
    thinking = PLIES * (terms.limit.seconds or 0.0)
    guarded = Task(key, play_guarded, asked, GUARDED_PATIENCE + thinking)
    if any(spec in suspects for fixture in fixtures for spec in fixture.specs):
        return guarded
    return Task(key, play_some, asked, PATIENCE + thinking, guarded)


def _numbers(key: str) -> range:
    """All that lie between the first and the last of a batch: what is played among them stays."""
    first, _, last = key.partition("-")
    return range(int(first), int(last) + 1)


def _take(written: Written, task: Task, result: list[Played]) -> Change:
    terms = ArenaPlan.of(written.record).terms
    games = tuple(_row(terms, played) for played in result)
    fresh = {game.key for game in games} - written.games
    step = len(written.games) + len(fresh)
    metrics: dict[str, Any] = {"game_seconds": _lasting(written, result)}
    if suspects := _suspects(written, task, result):
        metrics[SUSPECTS] = suspects
    return Change(step=step, metrics=metrics, games=games, done=step == terms.total)


def _suspects(written: Written, task: Task, result: list[Played]) -> list[str]:
    """Those that are known for it, and who forfeited under guard."""
    found = set(written.record.metrics.get(SUSPECTS, ()))
    if task.function is play_guarded:
        found |= {played.loser for played in result if played.fault is not None}
    return sorted(found)


def _lasting(written: Written, result: list[Played]) -> float:
    """How long players think over a game, the last batches counting most."""
    thought = sum(pace.seconds for played in result for pace in played.paces) / len(result)
    before = written.record.metrics.get("game_seconds")
    return thought if before is None else before + SMOOTHING * (thought - before)


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
    """As every database keeps it: an agent's words may hold anything."""
    return "".join(letter if letter.isprintable() else " " for letter in fault)


ARENA = JobKind("arena", "games", _plan, _take)


def arena_job(owner: str, title: str, plan: ArenaPlan) -> JobRecord:
    """The job that plays it, not stored yet."""
    return JobRecord(
        owner=owner,
        kind=ARENA.name,
        title=title,
        parameters=plan.to_json(),
        seed=plan.terms.seed,
        total=plan.terms.total,
    )
