"""Upsets and cycles of three in an arena."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from agents.contest.arena import Terms
from agents.contest.ratings import RatedField, expected
from agents.contest.results import Meeting, Result
from engine.core import Seat

SURPRISE = 0.4  # points above the expected score: any win of the weaker, and some draws


@dataclass(frozen=True, slots=True)
class Upset:
    """A game in which the lower rated player scored SURPRISE above expectation.

    Only between players significantly apart, and without forfeits.
    """

    number: int  # of the game
    by: int  # indices in the field
    over: int
    drawn: bool
    ending: str
    plies: int
    expected: float  # score of `by` according to the ratings


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three players each of whom outscores the next."""

    entrants: tuple[int, int, int]  # each beats the next, the last the first
    sure: bool  # all three confidence intervals are above 50 %


def upsets_of(terms: Terms, results: Iterable[Result], rated: RatedField) -> tuple[Upset, ...]:
    """All upsets, the least expected first."""
    found = [
        Upset(
            number=terms.number(result.first, result.second, result.round),
            by=by,
            over=over,
            drawn=result.winner is None,
            ending=result.ending,
            plies=result.plies,
            expected=hoped,
        )
        for result in results
        if not result.forfeited
        for by, over in [_weaker_first(result, rated)]
        if rated.apart[by][over]
        for hoped in [expected(rated.ratings[by].elo - rated.ratings[over].elo)]
        if _points(result, by) - hoped >= SURPRISE
    ]
    return tuple(sorted(found, key=lambda upset: (upset.expected, upset.drawn, upset.number)))


def cycles_of(
    meetings: Sequence[Sequence[Meeting | None]], order: Sequence[int]
) -> tuple[Cycle, ...]:
    """All cycles of three, each starting at its best ranked player; the sure ones first."""
    ahead = {
        (one, two): meeting.score
        for one, row in enumerate(meetings)
        for two, meeting in enumerate(row)
        if meeting is not None and 2 * meeting.score.points > meeting.score.games
    }
    circles = [
        (one, *others)
        for one, two, three in combinations(order, 3)
        for others in ((two, three), (three, two))
    ]
    found = [
        Cycle(circle, sure=all(ahead[step].interval()[0] > 0.5 for step in steps))
        for circle in circles
        for steps in [((circle[0], circle[1]), (circle[1], circle[2]), (circle[2], circle[0]))]
        if all(step in ahead for step in steps)
    ]
    return tuple(sorted(found, key=lambda cycle: not cycle.sure))


def _weaker_first(result: Result, rated: RatedField) -> tuple[int, int]:
    first, second = result.first, result.second
    behind = rated.ratings[first].elo < rated.ratings[second].elo
    return (first, second) if behind else (second, first)


def _points(result: Result, entrant: int) -> float:
    if result.winner is None:
        return 0.5
    winner = result.first if result.winner == Seat.FIRST else result.second
    return float(winner == entrant)
