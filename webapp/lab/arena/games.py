"""Games of an arena: lists by pair and by machine, and each as a match record."""

from __future__ import annotations

from flask import url_for

from agents.contest.arena import Terms
from agents.contest.standings import Standings
from agents.formats import counted
from engine import Ending, Seat
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.jobs.models import JobGame, JobRecord, UnknownJobError
from webapp.lab.arena.page import meeting_note
from webapp.lab.arena.text import counts_text, ending_text, player_names, points_text
from webapp.lab.arena.views import GameLine, GamesView
from webapp.replays.models import PlyRecord, Record, ReplayPlace

PAGE_SIZE = 50


def breadcrumbs(record: JobRecord) -> tuple[tuple[str, str], ...]:
    """Parent pages of an arena's games."""
    return (
        ("Lab", url_for("lab.front")),
        ("Arena", url_for("arena.form")),
        (record.title, url_for("jobs.show", job_id=record.id)),
    )


def game_key(terms: Terms, number: int) -> tuple[int, int]:
    """(pair, round) of a game by its number; raises UnknownJobError."""
    if not 1 <= number <= terms.total:
        raise UnknownJobError(f"this arena has no such game: there are {terms.total:,}")
    round_, pair = divmod(number - 1, terms.pairs)
    return pair, round_


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
            above=breadcrumbs(record),
            note=f"Game {number:,} of {terms.total:,}{drawn}",
            ending=ending,
        ),
    )


def pair_view(
    record: JobRecord, table: Standings, pair: tuple[int, int], games: tuple[JobGame, ...], at: int
) -> GamesView:
    """One page of the games of two machines; `games` has one more if another page follows."""
    plan = ArenaPlan.of(record)
    one, two = pair
    names = player_names(plan.terms, plan.names)
    meeting = table.meetings[one][two]
    assert meeting is not None
    score = meeting.score
    note = meeting_note(meeting)
    summary = (
        f"{counted(score.games, 'game', 'games')} so far of {plan.terms.games:,}: "
        f"{names[one]} won {score.wins:,}, {score.draws:,} drawn, lost {score.losses:,}; "
        f"{points_text(score)} points{f' ({note})' if note else ''}. "
        f"Moving first {counts_text(meeting.first, draws=True)}, "
        f"second {counts_text(meeting.second, draws=True)}."
    )
    if score.games == plan.terms.games:
        summary = summary.replace(f" so far of {plan.terms.games:,}", "")

    def page_url(number: int) -> str:
        return url_for(
            "arena.pair",
            job_id=record.id,
            one=one + 1,
            two=two + 1,
            page=number if number > 1 else None,
        )

    return GamesView(
        title=f"{names[one]} against {names[two]}",
        above=breadcrumbs(record),
        summary=summary,
        lines=tuple(_game_line(record, plan.terms, names, game) for game in games[:PAGE_SIZE]),
        meetings=(),
        previous=page_url(at - 1) if at > 1 else None,
        following=page_url(at + 1) if len(games) > PAGE_SIZE else None,
    )


def machine_view(record: JobRecord, table: Standings, entrant: int) -> GamesView:
    """The opponents of a machine, best first."""
    plan = ArenaPlan.of(record)
    names = player_names(plan.terms, plan.names)
    standing = next(each for each in table.standings if each.entrant == entrant)
    rating = "not rated yet" if standing.rating is None else f"rated {standing.rating}"
    return GamesView(
        title=names[entrant],
        above=breadcrumbs(record),
        summary=f"Rank {standing.rank} of {len(names)}, {rating}; {points_text(standing.score)} "
        f"points of {counted(standing.score.games, 'game', 'games')}, {standing.spec}.",
        lines=(),
        meetings=tuple(
            (
                names[other],
                counts_text(meeting.score, draws=True),
                url_for("arena.pair", job_id=record.id, one=entrant + 1, two=other + 1),
            )
            for other in table.order
            if (meeting := table.meetings[entrant][other]) is not None
        ),
        previous=None,
        following=None,
    )


def _game_line(record: JobRecord, terms: Terms, names: list[str], game: JobGame) -> GameLine:
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
    return GameLine(
        number=number,
        url=url_for("arena.replay", job_id=record.id, number=number),
        first=names[first],
        second=names[second],
        result=result,
        how=how,
    )
