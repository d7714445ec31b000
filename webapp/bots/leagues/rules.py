"""Pure decisions about a league: who plays whom, when, and who moves first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any
from zlib import crc32

from agents.errors import TooLargeError, UnsolvedError
from agents.perfect.oracles import Oracle
from engine import Match, Seat
from webapp.bots.leagues.models import Activity

ROUND_S = 20.0  # from one round to the next
GROWTH_GAMES = 20  # after which a bot plays in every fourth round only
MAX_STRIDE = 512  # rounds: a bot that is there plays every three hours at least
MACHINE_EVERY = 3  # of a bot's games, one is against a machine
RATING_PER_MEETING = 150.0  # points apart that count as much as having met once more

Meetings = Mapping[tuple[str, str], int]  # games by (first, second)


@dataclass(frozen=True, slots=True)
class Contender:
    """A player that can begin a game now."""

    player: str  # as it is seated in a match
    rating: float
    games: int = 0


def stride(games: int) -> int:
    """A bot plays in one of so many rounds: the more it has played, the better it is known.

    In all of them at first, every ten minutes after a hundred games: about 500 games in three
    weeks. Powers of two, so that those who have played much still meet in the same rounds.
    """
    wanted = (1 + games / GROWTH_GAMES) ** 2
    return min(MAX_STRIDE, 1 << int(log2(wanted)))


def round_at(begins: float, now: float) -> int:
    """The number of the round at this time, from 0."""
    return int((now - begins) // ROUND_S)


def is_due(activity: Activity, begins: float, now: float) -> bool:
    """Whether a bot that is here plays in this round, and has not yet."""
    number = round_at(begins, now)
    is_new = activity.last < begins + number * ROUND_S
    return activity.open == 0 and is_new and number % stride(activity.games) == 0


def next_round_s(activities: Iterable[Activity], begins: float, now: float) -> float | None:
    """Seconds until the next round in which one of these bots plays; None without a bot."""
    after = round_at(begins, now) + 1
    strides = [stride(each.games) for each in activities]
    rounds = [-(-after // each) * each for each in strides]
    return begins + min(rounds) * ROUND_S - now if rounds else None


def pairings(
    bots: Sequence[Contender], machines: Sequence[Contender], met: Meetings
) -> list[tuple[str, str]]:
    """A round, as (first, second): whoever has played least chooses first.

    An opponent is the better the nearer its rating and the fewer the games against it: these tell
    most. The first game of a bot and every third one is against a machine, whose rating is known.
    """
    free = sorted(bots, key=lambda each: (each.games, each.player))
    found = []
    while free:
        one = free.pop(0)
        others: Sequence[Contender] = free
        if machines and (_wants_machine(one) or not free):
            others = machines
        if not others:
            break
        two = min(others, key=lambda other: _distance(one, other, met))
        if two in free:
            free.remove(two)
        found.append(_seated(one.player, two.player, met))
    return found


def _wants_machine(one: Contender) -> bool:
    """In its first game and in every third; not all bots in the same round."""
    return one.games == 0 or (one.games + crc32(one.player.encode())) % MACHINE_EVERY == 0


def _distance(one: Contender, two: Contender, met: Meetings) -> tuple[float, str]:
    games = met.get((one.player, two.player), 0) + met.get((two.player, one.player), 0)
    return games * RATING_PER_MEETING + abs(one.rating - two.rating), two.player


def _seated(one: str, two: str, met: Meetings) -> tuple[str, str]:
    """Whoever has moved first less often against the other does."""
    ahead, behind = met.get((one, two), 0), met.get((two, one), 0)
    return (one, two) if ahead <= behind else (two, one)


def forfeit_cause(fault: str) -> str:
    """The cause of a forfeit in a word or two, for counts."""
    causes = (
        ("timed out", "time"),
        ("was away", "away"),
        ("left", "left"),
        ("lost its last life", "illegal moves"),
        ("failed", "errors"),
    )
    return next((cause for start, cause in causes if fault.startswith(start)), "resigned")


CAUSES = ("time", "illegal moves", "errors", "away", "left", "resigned")


def blunders(match: Match[Any, Any], oracle: Oracle) -> tuple[int, int] | None:
    """By seat, the moves that gave away a win or a draw by exact value; None where it is unknown.

    Random openings would count too: a league has none.
    """
    counts: Counter[Seat] = Counter()
    try:
        for state, move in zip(match.states, match.moves, strict=False):
            values = {each: verdict.value for each, verdict in oracle.verdicts(state).items()}
            counts[state.to_move] += values[move] < max(values.values())
    except (TooLargeError, UnsolvedError):
        return None
    return counts[Seat.FIRST], counts[Seat.SECOND]
