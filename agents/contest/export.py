"""Standings as CSV and JSON.

Without `times` they contain no measured times, so that the same games give the same bytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from agents.contest.ratings import Score
from agents.contest.results import Meeting
from agents.contest.standings import ROUNDING, Standing, Standings
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
    return _csv(STANDINGS, (_standing_row(standing, times) for standing in table.standings))


def meetings_csv(table: Standings) -> str:
    """Two rows per agent and opponent, one for each seat."""
    return _csv(
        MEETINGS,
        (
            (table.terms.players[one], table.terms.players[two], str(seat), *_counts(score))
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
        "limit": {
            "depth": terms.limit.depth,
            "nodes": terms.limit.nodes,
            "seconds": terms.limit.seconds,
        },
        "played": table.played,
        "total": terms.total,
        "different": table.different,
        "forfeits": table.oddities.forfeits,
        "repetitions": table.oddities.repetitions,
        "lengths": table.oddities.lengths,
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


def counts(score: Score) -> dict[str, int]:
    """A record as a JSON object."""
    return {"wins": score.wins, "draws": score.draws, "losses": score.losses}


def _player(standing: Standing) -> dict[str, Any]:
    rating, pace = standing.rating, standing.pace.per_move
    return {
        "spec": standing.spec,
        "rank": standing.rank,
        "rating": rating and _rounded(rating.elo),
        "interval": rating and [_rounded(rating.low), _rounded(rating.high)],
        **counts(standing.score),
        "points": standing.score.points,
        "forfeits": standing.forfeits,
        "seconds_per_move": None if pace is None else round(pace, 6),
    }


def _meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        **counts(meeting.score),
        "first": counts(meeting.first),
        "second": counts(meeting.second),
        "different": meeting.different,
        "forfeits": meeting.oddities.forfeits,
        "repetitions": meeting.oddities.repetitions,
        "lengths": meeting.oddities.lengths,
    }


def _standing_row(standing: Standing, times: bool) -> Sequence[object]:
    rating, pace = standing.rating, standing.pace.per_move
    ratings = (rating.elo, rating.low, rating.high) if rating else ()
    return (
        standing.rank,
        standing.spec,
        *([f"{_rounded(figure):.{ROUNDING}f}" for figure in ratings] or [""] * 3),
        standing.score.games,
        *_counts(standing.score),
        standing.forfeits,
        f"{pace:.6f}" if times and pace is not None else "",
    )


def _counts(score: Score) -> tuple[int, int, int]:
    return score.wins, score.draws, score.losses


def _rounded(figure: float) -> float:
    return round(figure, ROUNDING) + 0.0  # no negative zero


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
