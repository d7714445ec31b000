"""The standings of an arena, from all or some of its games.

Used by the arena page, its CSV and JSON, `zermelo arena` and `play_arena`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from agents.contest.arena import Pace, Terms
from agents.contest.ratings import RatedField, Rating, Score, rate_field
from agents.contest.results import Meeting, Oddities, Result, Tally
from agents.contest.upsets import Cycle, Upset, cycles_of, upsets_of
from agents.formats import NO_FIGURE, html_table, markdown_table
from engine.core import Seat

TIE_BREAK = (
    "Ranked by rating; equal ratings by the points from games against each other, "
    "then by wins, then by name."
)
ROUNDING = 1  # decimals to which ratings are compared and written
MAX_UPSETS = 10
COLUMNS = ("agent", "Elo and its 95 % interval", "wins", "draws", "losses")

Meetings = tuple[tuple[Meeting | None, ...], ...]
Tallies = dict[tuple[int, int], Tally]


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's row in the standings."""

    rank: int
    entrant: int  # its index in the field
    spec: str
    rating: Rating | None  # None before its first game
    score: Score
    forfeits: int  # games in which it failed
    pace: Pace

    def __str__(self) -> str:
        return f"{self.spec}: {self.rating or 'not rated yet'}, {self.score}"


@dataclass(frozen=True)
class Standings:
    """The table of an arena."""

    terms: Terms
    standings: tuple[Standing, ...]  # best first
    meetings: Meetings = field(repr=False)  # [i][j]: i against j, by index in the field
    brackets: tuple[tuple[int, int], ...]  # (first, last) rank of groups not significantly apart
    cycles: tuple[Cycle, ...]  # significant ones first
    upsets: tuple[Upset, ...]  # the greatest first, at most MAX_UPSETS
    upsets_in_all: int

    @cached_property
    def played(self) -> int:
        return sum(standing.score.games for standing in self.standings) // 2

    @property
    def is_complete(self) -> bool:
        return self.played == self.terms.total

    @cached_property
    def different(self) -> int:
        """The number of games with different moves, counted per pair."""
        return sum(meeting.different for meeting in self._pairs())

    @cached_property
    def oddities(self) -> Oddities:
        return sum((meeting.oddities for meeting in self._pairs()), Oddities())

    @property
    def order(self) -> tuple[int, ...]:
        """Indices in the field, best first."""
        return tuple(standing.entrant for standing in self.standings)

    def _pairs(self) -> Iterable[Meeting]:
        """Each pair once."""
        for one, row in enumerate(self.meetings):
            yield from (meeting for meeting in row[:one] if meeting is not None)

    def _rows(self) -> list[tuple[str, ...]]:
        """(rank and agent, rating, wins, draws, losses), for a notebook."""
        return [
            (
                f"{each.rank}. {each.spec}",
                str(each.rating or NO_FIGURE),
                f"{each.score.wins:,}",
                f"{each.score.draws:,}",
                f"{each.score.losses:,}",
            )
            for each in self.standings
        ]

    def _repr_markdown_(self) -> str:
        return f"{markdown_table(COLUMNS, self._rows())}\n"

    def _repr_html_(self) -> str:
        caption = f"{self.terms.game}, {self.terms.games} games for each pair"
        return html_table(caption, COLUMNS, self._rows())

    def __str__(self) -> str:
        places = (f"{standing.rank}. {standing}" for standing in self.standings)
        return "\n".join((f"{self.terms.game}, {self.terms.games} games for each pair", *places))


def standings_of(terms: Terms, results: Iterable[Result]) -> Standings:
    """The standings after these games, in any order."""
    kept = list(results)
    tallies: Tallies = defaultdict(Tally)
    for result in kept:
        tallies[result.first, result.second].count(result)
    size = range(len(terms.players))
    meetings = tuple(
        tuple(None if one == two else _meeting(tallies, one, two) for two in size) for one in size
    )
    rated = rate_field([[met.score if met else None for met in row] for row in meetings])
    standings = _ranked(terms, tallies, meetings, rated)
    order = [standing.entrant for standing in standings]
    upsets = upsets_of(terms, kept, rated)
    return Standings(
        terms=terms,
        standings=standings,
        meetings=meetings,
        brackets=brackets_of(
            [[rated.apart[one][two] for two in order] for one in order],
            sum(standing.rating is not None for standing in standings),
        ),
        cycles=cycles_of(meetings, order),
        upsets=upsets[:MAX_UPSETS],
        upsets_in_all=len(upsets),
    )


def brackets_of(apart: Sequence[Sequence[bool]], rated: int) -> tuple[tuple[int, int], ...]:
    """The maximal runs of ranks in which no two players are significantly apart.

    `apart` is by rank; only the first `rated` have played. Runs may overlap, as not being
    apart is not transitive.
    """
    runs: list[tuple[int, int]] = []
    for top in range(rated):
        bottom = top
        while bottom + 1 < rated and not any(
            apart[other][bottom + 1] for other in range(top, bottom + 1)
        ):
            bottom += 1
        if bottom > top and (not runs or runs[-1][1] < bottom + 1):
            runs.append((top + 1, bottom + 1))
    return tuple(runs)


def _meeting(tallies: Tallies, one: int, two: int) -> Meeting:
    ahead, behind = tallies[one, two], tallies[two, one]
    return Meeting(
        first=ahead.score,
        second=behind.score.seen_by_opponent,
        different=len(ahead.games) + len(behind.games),
        oddities=ahead.oddities + behind.oddities,
    )


def _ranked(
    terms: Terms, tallies: Tallies, meetings: Meetings, rated: RatedField
) -> tuple[Standing, ...]:
    """Best first, equal ratings by TIE_BREAK, players without games last."""
    scores = [_total(row) for row in meetings]

    def merit(entrant: int) -> tuple[bool, float]:
        return not scores[entrant].games, -round(rated.ratings[entrant].elo, ROUNDING)

    ordered: list[int] = []
    for _, level in groupby(sorted(range(len(terms.players)), key=merit), key=merit):
        ordered += _untied(terms, meetings, scores, list(level))
    return tuple(
        Standing(
            rank=rank,
            entrant=entrant,
            spec=terms.players[entrant],
            rating=rated.ratings[entrant] if scores[entrant].games else None,
            score=scores[entrant],
            forfeits=sum(tally.forfeits[seat] for tally, seat in own),
            pace=sum((tally.pace(seat) for tally, seat in own), Pace()),
        )
        for rank, entrant in enumerate(ordered, start=1)
        for own in [_own_games(tallies, entrant)]
    )


def _untied(
    terms: Terms, meetings: Meetings, scores: Sequence[Score], level: Sequence[int]
) -> list[int]:
    def merit(entrant: int) -> tuple[float, int, str]:
        among = _total(meetings[entrant][other] for other in level)
        return -among.points, -scores[entrant].wins, terms.players[entrant]

    return sorted(level, key=merit)


def _total(row: Iterable[Meeting | None]) -> Score:
    return sum((meeting.score for meeting in row if meeting), Score())


def _own_games(tallies: Tallies, entrant: int) -> list[tuple[Tally, Seat]]:
    """The tallies of a player's games, each with its seat in them."""
    return [
        (tally, Seat(players.index(entrant)))
        for players, tally in tallies.items()
        if entrant in players
    ]
