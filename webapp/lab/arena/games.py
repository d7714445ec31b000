"""Games of an arena: lists by pair and by machine, and each as a match record."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from agents.contest.arena import Terms
from agents.contest.ratings import Score
from agents.contest.standings import Standings
from agents.formats import counted
from engine import Ending, Seat
from webapp.jobs.kinds.arena import ArenaPlan, game_key
from webapp.jobs.models import JobGame, JobRecord, UnknownJobError
from webapp.lab.arena.page import meeting_note
from webapp.lab.arena.remarks import counts_text, ending_text, player_names, points_text
from webapp.replays.models import PlyRecord, Record, ReplayPlace
from webapp.web.pagination import Listing

PAGE_SIZE = 50


# One game of a list: number, first, second, `▲ Perfect won`, `after 9 plies`.
GameLine = tuple[int, str, str, str, str]


@dataclass(frozen=True, slots=True)
class GamesPage:
    """The games of a pair, or the opponents of a machine (`lab/arena/games.html`)."""

    record: JobRecord
    title: str
    summary: str
    numbers: tuple[int, ...]  # of the pair or the machine, from 1
    listing: Listing[JobGame]
    lines: tuple[GameLine, ...] = ()
    meetings: tuple[tuple[str, str, int], ...] = ()  # opponent, record, its number


def find_key(terms: Terms, number: int) -> tuple[int, int]:
    """(pair, round) of a game by its number; raises UnknownJobError."""
    if not 1 <= number <= terms.total:
        raise UnknownJobError(f"this arena has no such game: there are {terms.total:,}")
    return game_key(terms, number)


def replay_record(record: JobRecord, number: int, game: JobGame) -> Record:
    """A game as a read-only match record."""
    plan = ArenaPlan.of(record)
    terms = plan.terms
    fixture = terms.fixture(number)
    names = player_names(terms, plan.names)
    ending, loser = "", None
    if game.fault is not None and game.winner is not None:
        loser = Seat(game.winner).other
        ending = f"{names[fixture.entrants[loser]]} forfeits: {game.fault}."
    opened = min(terms.opening, len(game.moves.split()))
    drawn = f", {counted(opened, 'ply', 'plies')} of its opening drawn by lot" if opened else ""
    return Record(
        id="",
        owner="",
        game=terms.game,
        seats=fixture.specs,
        plies=tuple(PlyRecord(text, at) for at, text in enumerate(game.moves.split())),
        revision=len(game.moves.split()),
        resigned=loser,
        place=ReplayPlace(
            path=url_for("arena.replay", job_id=record.id, number=number),
            above=(
                ("Lab", url_for("lab.front")),
                ("Arena", url_for("arena.form")),
                (record.title, url_for("jobs.show", job_id=record.id)),
            ),
            note=f"Game {number:,} of {terms.total:,}{drawn}",
            ending=ending,
            traceback=game.traceback or "",
        ),
    )


def pair_page(
    record: JobRecord, table: Standings, pair: tuple[int, int], listing: Listing[JobGame]
) -> GamesPage:
    """One page of the games of two machines."""
    plan = ArenaPlan.of(record)
    one, two = pair
    names = player_names(plan.terms, plan.names)
    meeting = table.meetings[one][two]
    assert meeting is not None
    score, note = meeting.score, meeting_note(meeting)
    so_far = "" if score.games == plan.terms.games else f" so far of {plan.terms.games:,}"
    summary = (
        f"{counted(score.games, 'game', 'games')}{so_far}: "
        f"{names[one]} won {score.wins:,}, {score.draws:,} drawn, lost {score.losses:,}; "
        f"{_points(score)}{f' ({note})' if note else ''}. "
        f"Moving first {counts_text(meeting.first, draws=True)}, "
        f"second {counts_text(meeting.second, draws=True)}."
    )
    lines = tuple(_game_line(plan.terms, names, game) for game in listing.entries)
    title = f"{names[one]} against {names[two]}"
    return GamesPage(record, title, summary, (one + 1, two + 1), listing, lines)


def machine_page(record: JobRecord, table: Standings, entrant: int) -> GamesPage:
    """The opponents of a machine, best first."""
    plan = ArenaPlan.of(record)
    names = player_names(plan.terms, plan.names)
    standing = next(each for each in table.standings if each.entrant == entrant)
    rating = "not rated yet" if standing.rating is None else f"rated {standing.rating}"
    summary = (
        f"Rank {standing.rank} of {len(names)}, {rating}; {_points(standing.score)} "
        f"of {counted(standing.score.games, 'game', 'games')}, {standing.spec}."
    )
    meetings = tuple(
        (names[other], counts_text(meeting.score, draws=True), other + 1)
        for other in table.order
        if (meeting := table.meetings[entrant][other]) is not None
    )
    return GamesPage(
        record, names[entrant], summary, (entrant + 1,), Listing(()), meetings=meetings
    )


def _game_line(terms: Terms, names: list[str], game: JobGame) -> GameLine:
    number = game.round * terms.pairs + game.pair + 1
    first, second = terms.fixture(number).entrants
    plies = counted(len(game.moves.split()), "ply", "plies")
    if game.winner is None:
        result, how = "= drawn", f"{ending_text(game.ending).strip()} after {plies}".strip()
    else:
        winner = names[first if game.winner == 0 else second]
        result, how = f"▲ {winner} won", f"after {plies}"
    if game.ending == Ending.RESIGNATION:
        how = f"by forfeit after {plies}"
    return number, names[first], names[second], result, how


def _points(score: Score) -> str:
    """`½ point`, `17½ points`."""
    points = points_text(score)
    return f"{points} {'point' if points in ('½', '1') else 'points'}"
