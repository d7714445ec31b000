"""Pure decisions about puzzles: what an answer changes, which puzzle comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import log, pi, sqrt
from random import Random

from agents.puzzles.answers import Judgement
from webapp.puzzles.models import (
    DAY_S,
    SPRINT_S,
    Attempt,
    Entry,
    Progress,
    PuzzleScore,
    Rating,
)

INTERVALS_S = (DAY_S, 7 * DAY_S)  # after which what was missed is asked again
MIN_DEVIATION = 90.0  # a rating always keeps moving, by some 20 points a try
SPRINT_STEP = 3  # puzzles solved before three minutes get harder
MAX_SECONDS = 3600  # of an answer; whoever takes longer was away
FIRST_GAMES = ("tictactoe", "nim")  # for whoever has solved nothing yet: nobody has to learn them
NEAR_LEVELS = 1  # by which a puzzle may be off, so that games take turns
LOG_SCALE = log(10) / 400


@dataclass(frozen=True, slots=True)
class Standing:
    """A player, what they did with a puzzle, and how visitors fared with it."""

    progress: Progress
    attempt: Attempt
    score: PuzzleScore


Decide = Callable[[Standing], Standing]


def answered(standing: Standing, judged: Judgement, now: int, seconds: int | None) -> Standing:
    """An answer: the first one counts for ratings and streak, one when it is due for repetition."""
    progress, attempt, score = standing.progress, standing.attempt, standing.score
    clean = judged.right and not attempt.hinted and not attempt.shown
    if attempt.is_open:
        progress, score = _rated(progress, score, solved=clean)
        if clean or not judged.right:
            streak = progress.streak + 1 if clean else 0
            progress = replace(progress, streak=streak, best=max(progress.best, streak))
        attempt = replace(attempt, first=clean, answered=now)
        if progress.is_sprinting(now):
            progress = _sprinted(progress, solved=clean)
    due, repeats = _repetition(standing.attempt, right=judged.right, now=now)
    attempt = replace(
        attempt,
        tries=attempt.tries + 1,
        move=judged.move,
        solved=attempt.solved or judged.right,
        hinted=False,
        seconds=seconds if seconds is not None and seconds <= MAX_SECONDS else None,
        due=due,
        repeats=repeats,
    )
    return Standing(replace(progress, updated=now), attempt, score)


def hinted(standing: Standing, now: int) -> Standing:
    """A hint: the answer then adds nothing to the streak."""
    attempt = replace(standing.attempt, hinted=True)
    return Standing(replace(standing.progress, updated=now), attempt, standing.score)


def shown(standing: Standing, now: int) -> Standing:
    """The solution is shown: before the first answer, and when it is due, that is a miss."""
    progress, attempt, score = standing.progress, standing.attempt, standing.score
    if attempt.is_open:
        progress, score = _rated(progress, score, solved=False)
        progress = replace(progress, streak=0)
        attempt = replace(attempt, first=False, answered=now)
        if progress.is_sprinting(now):
            progress = _sprinted(progress, solved=False)
    due, repeats = _repetition(standing.attempt, right=False, now=now)
    attempt = replace(attempt, shown=True, move=None, hinted=False, due=due, repeats=repeats)
    return Standing(replace(progress, updated=now), attempt, score)


def _repetition(attempt: Attempt, *, right: bool, now: int) -> tuple[int | None, int]:
    """When it is asked again, a day after it was missed, then a week after it was right; and how
    often it was right then."""
    missed = attempt.is_open and not right
    if not missed and not attempt.is_due(now):
        return attempt.due, attempt.repeats
    repeats = attempt.repeats + 1 if right else 0
    return (now + INTERVALS_S[repeats] if repeats < len(INTERVALS_S) else None), repeats


def _rated(progress: Progress, score: PuzzleScore, *, solved: bool) -> tuple[Progress, PuzzleScore]:
    """Both ratings after a first try, which is a game of the player against the puzzle."""
    player, puzzle = progress.strength, Rating(score.rating, score.deviation)
    after = updated(player, puzzle, 1.0 if solved else 0.0)
    harder = updated(puzzle, player, 0.0 if solved else 1.0)
    progress = replace(
        progress,
        rating=after.value,
        deviation=after.deviation,
        tried=progress.tried + 1,
        solved=progress.solved + solved,
    )
    score = replace(
        score,
        rating=harder.value,
        deviation=harder.deviation,
        tried=score.tried + 1,
        solved=score.solved + solved,
    )
    return progress, score


def updated(own: Rating, other: Rating, points: float) -> Rating:
    """The rating after one game (Glickman 1999, one game a period)."""
    weight = 1 / sqrt(1 + 3 * (LOG_SCALE * other.deviation / pi) ** 2)
    expected = 1 / (1 + 10 ** (-weight * (own.value - other.value) / 400))
    information = (LOG_SCALE * weight) ** 2 * expected * (1 - expected)
    variance = 1 / (1 / own.deviation**2 + information)
    value = own.value + LOG_SCALE * variance * weight * (points - expected)
    return Rating(value, max(MIN_DEVIATION, sqrt(variance)))


def sprint_begun(progress: Progress, now: int) -> Progress:
    """Three minutes begin now."""
    return replace(
        progress, sprint_ends=now + SPRINT_S, sprint_solved=0, sprint_missed=0, updated=now
    )


def _sprinted(progress: Progress, *, solved: bool) -> Progress:
    count = progress.sprint_solved + solved
    return replace(
        progress,
        sprint_solved=count,
        sprint_missed=progress.sprint_missed + (not solved),
        sprint_best=max(progress.sprint_best, count),
    )


def wanted_level(progress: Progress, now: float) -> int:
    """The level that follows the player; in three minutes it rises from the first."""
    if progress.is_sprinting(now):
        return min(5, 1 + progress.sprint_solved // SPRINT_STEP)
    return progress.level


def next_entry(
    entries: Iterable[Entry],
    level: int,
    tried: Collection[str],
    skipped: str | None,
    seed: str,
    *,
    is_new: bool = False,
) -> Entry | None:
    """One that the player has not tried, of the nearest level there is; the same for a seed.

    Games take turns: not the one of the puzzle that was `skipped`, and first those of which the
    player tried fewest. Whoever `is_new` begins with games that everyone knows. Where all were
    tried, any of them.
    """
    known = list(entries)
    others = [entry for entry in known if entry.id != skipped]
    pool = [entry for entry in others if entry.id not in tried] or others
    if not pool:
        return None
    if is_new:
        pool = [entry for entry in pool if entry.key in FIRST_GAMES] or pool
    least = min(abs(entry.level - level) for entry in pool)
    near = [entry for entry in pool if abs(entry.level - level) <= least + NEAR_LEVELS]
    last = {entry.key for entry in known if entry.id == skipped}
    times = Counter(entry.key for entry in known if entry.id in tried)
    keys = (*FIRST_GAMES, *sorted({entry.key for entry in near} - {*FIRST_GAMES}))
    there = [key for key in keys if any(entry.key == key for entry in near)]
    game = min(there, key=lambda key: (key in last, times[key], there.index(key)))
    of_game = [entry for entry in near if entry.key == game]
    least = min(abs(entry.level - level) for entry in of_game)
    nearest = (entry for entry in of_game if abs(entry.level - level) == least)
    return Random(seed).choice(sorted(nearest, key=lambda each: each.id))


def entry_of_day(entries: Sequence[Entry], day: date) -> Entry:
    """The puzzle of that day, the same for everyone."""
    ordered = sorted(entries, key=lambda entry: entry.id)
    return Random(f"puzzle of {day.isoformat()}").choice(ordered)
