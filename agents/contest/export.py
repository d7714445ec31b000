"""Standings as CSV and JSON.

Without `times` they contain no measured times, so that the same games give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple
from typing import Any

from agents.contest.results import Meeting
from agents.contest.standings import ROUNDING, Standing, Standings
from agents.formats import csv_text
from engine.core import Seat

STANDINGS = (
    "rank",
    "machine",
    "rating",
    "low",
    "high",
    "games",
    "wins",
    "draws",
    "losses",
    "forfeits",
    "seconds_per_move",
)
MEETINGS = ("machine", "opponent", "seat", "wins", "draws", "losses")


def standings_csv(table: Standings, *, times: bool = False) -> str:
    """One row per agent, best first.

    Empty are ratings before the first game, and seconds per move unless `times` is set or the
    limit is in seconds, where games do not repeat anyway.
    """
    times = times or not table.terms.repeats
    return csv_text(STANDINGS, (_standing_row(standing, times) for standing in table.standings))


def meetings_csv(table: Standings) -> str:
    """Two rows per agent and opponent, one for each seat."""
    return csv_text(
        MEETINGS,
        (
            (table.terms.players[one], table.terms.players[two], str(seat), *astuple(score))
            for one in table.order
            for two in table.order
            if (meeting := table.meetings[one][two]) is not None
            for seat in Seat
            for score in [meeting.by_seat(seat)]
        ),
    )


def document(table: Standings) -> dict[str, Any]:
    """All figures of the arena page as JSON values."""
    terms, names = table.terms, table.terms.players
    by_entrant = sorted(table.standings, key=lambda standing: standing.entrant)
    return {
        "game": terms.game,
        "games": terms.games,
        "seed": terms.seed,
        "opening": terms.opening,
        "limit": asdict(terms.limit),
        "played": table.played,
        "total": terms.total,
        "different": table.different,
        **asdict(table.oddities),
        "players": [_player(standing) for standing in by_entrant],
        "table": [[meeting and _meeting(meeting) for meeting in row] for row in table.meetings],
        "brackets": [list(bracket) for bracket in table.brackets],
        "cycles": [
            {"players": [names[entrant] for entrant in cycle.entrants], "sure": cycle.sure}
            for cycle in table.cycles
        ],
        "upsets": [
            {
                "game": upset.number,
                "by": names[upset.by],
                "over": names[upset.over],
                "drawn": upset.drawn,
                "ending": upset.ending,
                "plies": upset.plies,
                "expected": round(upset.expected, 3),
            }
            for upset in table.upsets
        ],
    }


def _player(standing: Standing) -> dict[str, Any]:
    rating, pace = standing.rating, standing.pace.per_move
    return {
        "spec": standing.spec,
        "rank": standing.rank,
        "rating": rating and _rounded(rating.elo),
        "interval": rating and [_rounded(rating.low), _rounded(rating.high)],
        **asdict(standing.score),
        "points": standing.score.points,
        "forfeits": standing.forfeits,
        "seconds_per_move": None if pace is None else round(pace, 6),
    }


def _meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        **asdict(meeting.score),
        "first": asdict(meeting.first),
        "second": asdict(meeting.second),
        "different": meeting.different,
        **asdict(meeting.oddities),
    }


def _standing_row(standing: Standing, times: bool) -> Sequence[object]:
    rating, pace = standing.rating, standing.pace.per_move
    ratings = (rating.elo, rating.low, rating.high) if rating else ()
    return (
        standing.rank,
        standing.spec,
        *([f"{_rounded(figure):.{ROUNDING}f}" for figure in ratings] or [""] * 3),
        standing.score.games,
        *astuple(standing.score),
        standing.forfeits,
        f"{pace:.6f}" if times and pace is not None else "",
    )


def _rounded(figure: float) -> float:
    return round(figure, ROUNDING) + 0.0  # no negative zero
