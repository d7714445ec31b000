"""The visitor's own games: the paged list, results against each machine, and export files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request

from agents.contest.ladder import next_rung
from agents.roster import agent_title
from engine import Seat
from engine.catalog import find_entry, variant_title
from webapp.api.store import MAX_TOKENS, PersonToken, TokenStore
from webapp.matches.imports import COLLECTION_FORMAT, MOST, MOST_MOVES
from webapp.matches.store import Finished, MatchStore
from webapp.puzzles.forms import progress_document
from webapp.puzzles.store import PuzzleStore
from webapp.replays.documents import match_document
from webapp.replays.models import (
    Record,
    UnknownMatchError,
    Unreadable,
    is_for_agent,
)
from webapp.replays.query import MatchQuery, match_path
from webapp.replays.view import PlayerKind, players_at
from webapp.services import service
from webapp.web.cookies import Actor, current_actor
from webapp.web.htmx import render
from webapp.web.messages import Message
from webapp.web.query import Query, number
from webapp.web.rate_limits import RateLimits

GAMES_PER_PAGE = 20


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A row of the list."""

    url: str
    date: str
    game: str
    who: str
    result: str
    review: str | None


@dataclass(frozen=True, slots=True)
class OwnRecord:
    """The player's results against a machine, and the next harder one."""

    game: str
    title: str
    won: int
    drawn: int
    played: int
    next: str | None
    next_url: str | None  # the lobby with that one chosen


@dataclass(frozen=True, slots=True)
class OwnFile:
    """An export file with the matches `first` to `last` of the list."""

    url: str
    label: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token that its owner can revoke."""

    name: str
    made: str  # the day
    used: str
    revoke_url: str


@dataclass(frozen=True)
class GamesQuery(Query):
    """The page of the list, or the number of an export file; both from 1."""

    page: int = number(1, low=1)
    file: int = number(1, low=1)


@dataclass(frozen=True)
class GamesPage:
    """The page of own games (`matches/games.html`)."""

    actor: Actor
    number: int  # of the page of the list
    found: Sequence[Record | Unreadable]  # those of this page, and one more if there is
    finished: Iterable[Finished]
    files: tuple[OwnFile, ...]  # together all matches
    tokens: tuple[PersonToken, ...] = ()
    new_token: str = ""  # which was made just now, and is not shown again
    message: Message | None = None

    @property
    def rows(self) -> tuple[OwnGame, ...]:
        return tuple(game_row(record, self.actor) for record in self.found[:GAMES_PER_PAGE])

    @cached_property
    def machines(self) -> tuple[OwnRecord, ...]:
        return machine_rows(self.finished, self.actor.player or "")

    @property
    def newer(self) -> str | None:
        return f"/matches?page={self.number - 1}" if self.number > 1 else None

    @property
    def older(self) -> str | None:
        return f"/matches?page={self.number + 1}" if len(self.found) > GAMES_PER_PAGE else None

    @property
    def token_rows(self) -> tuple[TokenRow, ...]:
        return tuple(map(token_row, self.tokens))

    @property
    def may_make_token(self) -> bool:
        return len(self.tokens) < MAX_TOKENS

    @property
    def files_note(self) -> str:
        """Explains the files."""
        return files_text(self.files)


def export_files(lengths: Iterable[int]) -> tuple[OwnFile, ...]:
    """Split the matches, given by their lengths, into files small enough to be imported again."""
    sizes: list[int] = []
    moves = 0
    for length in lengths:
        moves += length
        if not sizes or sizes[-1] == MOST or moves > MOST_MOVES:
            sizes.append(0)
            moves = length
        sizes[-1] += 1
    ranges = [(last - size + 1, last) for size, last in zip(sizes, accumulate(sizes), strict=True)]
    return tuple(
        OwnFile(
            f"/matches/export?file={number}",
            f"Save {first} to {last}" if len(ranges) > 1 else f"Save all {last} as a file",
            first,
            last,
        )
        for number, (first, last) in enumerate(ranges, start=1)
    )


def files_text(files: tuple[OwnFile, ...]) -> str:
    """Why there are several files, and what they leave out."""
    if not files:
        return ""
    why = f"A file holds at most {MOST} matches and {MOST_MOVES:,} moves: "
    many = f"{why}all {files[-1].last} take {len(files)} files, the latest first. "
    return f"{many if len(files) > 1 else ''}Those whose game has changed or is gone are left out."


def token_row(token: PersonToken) -> TokenRow:
    """The row of a token."""
    made, used = (_day(at) for at in (token.created, token.used))
    last = f"last used on {used}" if token.used > token.created else "not used yet"
    return TokenRow(token.name, made, last, f"/matches/tokens/{token.id}/revoke")


def _day(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def game_row(record: Record | Unreadable, actor: Actor) -> OwnGame:
    """The row of a match: date, opponent and result."""
    url = match_path(record.id)
    if isinstance(record, Unreadable):
        return OwnGame(url, "", "", "its game has changed, or is gone", "unreadable", None)
    players = players_at(record, record.match.ply, actor)
    others = [player for player in players if player.kind is not PlayerKind.YOU]
    who = " and ".join(player.title for player in others) if len(others) > 1 else others[0].title
    over = record.outcome is not None
    return OwnGame(
        url=url,
        date=datetime.fromtimestamp(record.updated, UTC).strftime("%Y-%m-%d %H:%M"),
        game=f"{record.match.game.title}, {variant_title(record.game)}",
        who=who,
        result=_result(record, actor),
        review=MatchQuery(story=True).url(url) if over and record.plies else None,
    )


def machine_rows(finished: Iterable[Finished], player: str) -> tuple[OwnRecord, ...]:
    """Results by game and machine, and the next harder opponent."""
    tally: dict[tuple[str, str], list[int]] = {}
    for one in finished:
        for seat in _seats_against_machine(one, player):
            counts = tally.setdefault((one.game, one.seats[seat.other]), [0, 0, 0])
            counts[0] += one.result == seat
            counts[1] += one.result not in (0, 1)
            counts[2] += 1
    return tuple(
        _machine_row(game, spec, *counts) for (game, spec), counts in sorted(tally.items())
    )


def _seats_against_machine(one: Finished, player: str) -> Iterator[Seat]:
    """The seats from which the player met a machine."""
    for seat in Seat:
        if one.holders[seat] == player and is_for_agent(one.seats[seat.other]):
            yield seat


def _machine_row(game: str, spec: str, won: int, drawn: int, played: int) -> OwnRecord:
    rung = next_rung(game, spec)
    return OwnRecord(
        game=f"{find_entry(game.partition(':')[0]).title}, {variant_title(game)}",
        title=agent_title(spec, game),
        won=won,
        drawn=drawn,
        played=played,
        next=None if rung is None else rung.short,
        next_url=None if rung is None else _lobby_url(game, rung.spec),
    )


def _lobby_url(spec: str, opponent: str) -> str | None:
    """The lobby with this opponent chosen; None for a variant without a preset."""
    entry = find_entry(spec.partition(":")[0])
    for preset in entry.presets:
        if entry.load({"preset": preset.name}).spec == spec:
            chosen = {"game": entry.key, "preset": preset.name, "opponent": opponent}
            return f"/?{urlencode(chosen)}#setup-{entry.key}"
    return None


def _result(record: Record, actor: Actor) -> str:
    outcome, own = record.outcome, record.held_by(actor)
    if outcome is None:
        return f"goes on, {record.match.ply} moves"
    if outcome.winner is None:
        return "a draw"
    if len(own) != 1:
        return f"{outcome.winner.mark} won"
    return "won" if outcome.winner in own else "lost"


games_page = Blueprint("own_games", __name__, url_prefix="/matches")


@games_page.get("")
def show() -> Response:
    """The own games, latest first, and the results against each machine."""
    return games_response()


def games_response(
    message: Message | None = None, status: int = 200, new_token: str = ""
) -> Response:
    """The page of own games, with a token that was made just now."""
    number = GamesQuery.parse(request.args).page
    actor, store = current_actor(), service(MatchStore)
    player = actor.player or ""
    page = GamesPage(
        actor,
        number,
        store.of_player(player, GAMES_PER_PAGE + 1, (number - 1) * GAMES_PER_PAGE),
        store.finished(player),
        _files(actor.player),
        service(TokenStore).of(player) if player else (),
        new_token,
        message,
    )
    return render("matches/games.html", "matches/games.html", status, games=page)


@games_page.get("/export")
def export() -> Response:
    """Download one of the export files."""
    service(RateLimits).spend()
    actor, number = current_actor(), GamesQuery.parse(request.args).file
    files = _files(actor.player)
    if number > max(1, len(files)):
        raise UnknownMatchError(f"there is no file {number} of your matches: they fit in fewer")
    found = _matches_in(files[number - 1], actor.player) if files else ()
    matches = [
        _match_document(record, actor.player) for record in found if isinstance(record, Record)
    ]
    name = "zermelo-matches.json" if len(files) <= 1 else f"zermelo-matches-{number}.json"
    puzzles = _puzzles_of(actor.player) if number == 1 else {}
    response = jsonify(format=COLLECTION_FORMAT, matches=matches, **puzzles)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


def _puzzles_of(player: str | None) -> dict[str, object]:
    """Progress with puzzles, which goes with the first file."""
    store = service(PuzzleStore)
    progress = store.progress(player)
    if player is None or not progress.tried:
        return {}
    return {"puzzles": progress_document(progress, store.attempts(player))}


def _files(player: str | None) -> tuple[OwnFile, ...]:
    return export_files(service(MatchStore).lengths(player or ""))


def _matches_in(file: OwnFile, player: str | None) -> tuple[Record | Unreadable, ...]:
    return service(MatchStore).of_player(player or "", file.last - file.first + 1, file.first - 1)


def _match_document(record: Record, player: str | None) -> dict[str, object]:
    """A match in the JSON format, with its times and the player's own seats."""
    return match_document(record) | {
        "own": [seat for seat in (0, 1) if player is not None and record.holders[seat] == player],
        "began": record.created,
        "updated": record.updated,
    }
