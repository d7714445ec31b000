"""Pages of leagues: all of them, one with its table and games, a bot's report, results as CSV."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, request

from webapp.bots.leagues.forms import read_league
from webapp.bots.leagues.models import LeagueRecord, NotYourLeagueError, Teachers
from webapp.bots.leagues.page import LeaguePage, LeaguesPage, ReportPage
from webapp.bots.leagues.query import LeagueQuery
from webapp.bots.leagues.report import CSV_HEADER, Report, csv_rows
from webapp.bots.leagues.store import LeagueStore
from webapp.bots.leagues.table import LeagueTable, machines_of
from webapp.bots.models import BotRecord
from webapp.bots.store import BotStore
from webapp.services import Clock, service
from webapp.serving.site import reachable_site
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.downloads import csv_response
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.owner import is_owner
from webapp.web.rate_limits import RateLimits

leagues = Blueprint("leagues", __name__, url_prefix="/leagues")

LEAGUES_SHOWN = 50
GAMES_SHOWN = 20
OWN_GAMES_SHOWN = 100


@leagues.get("")
def front() -> Response:
    """All leagues; whoever teaches or owns the server can make one."""
    return _show_all({})


@leagues.post("")
def make() -> Response:
    """Make a league; errors are shown on the form."""
    fields = request.form.to_dict()
    show_errors_on(lambda message, status: _show_all(fields, message, status))
    service(RateLimits).spend()
    if not _may_make():
        raise NotYourLeagueError(
            "only teachers of a class and the owner of this server can start a league"
        )
    service(RateLimits).spend_on("classes")
    record = read_league(fields, player_of_this_request(), service(Clock).now())
    return go_to(service(LeagueStore).make(record, bounded=not is_owner()).path)


@leagues.get("/<league_id>")
def show(league_id: str) -> Response:
    """The table of a league and its last games."""
    store, record = service(LeagueStore), service(LeagueStore).find(league_id)
    bots, player = service(BotStore).of_league(record.id), current_player()
    page = LeaguePage(
        record,
        table_of(record, bots),
        bots,
        store.activity(record.id),
        store.last_games(record.id, GAMES_SHOWN),
        service(Clock).now(),
        _is_owner(record),
        frozenset(bot.id for bot in bots if player is not None and bot.owner == player),
        reachable_site(),
        LeagueQuery.parse(request.args),
    )
    return render("bots/leagues/league.html", "bots/leagues/_table.html", league=page)


@leagues.get("/<league_id>/results.csv")
def results(league_id: str) -> Response:
    """A line for each bot, for the owner."""
    record = _owned(league_id)
    games = service(LeagueStore).ended_games(record.id)
    table = table_of(record, service(BotStore).of_league(record.id))
    return csv_response(CSV_HEADER, csv_rows(table, games), "league.csv")


@leagues.get("/<league_id>/bots/<bot_id>")
def report(league_id: str, bot_id: str) -> Response:
    """A bot's games, forfeits and blunders: for its owner and that of the league."""
    store, record = service(LeagueStore), service(LeagueStore).find(league_id)
    bot, player = service(BotStore).find(bot_id), current_player()
    is_own = player is not None and bot.owner == player
    if bot.league_id != record.id or not (is_own or _is_owner(record)):
        raise NotYourLeagueError("this report is for the bot's owner and that of the league")
    games = store.games_of(record.id, bot.seat)
    ended = Report(bot.seat, [game for game in games if game.ended is not None])
    rows = table_of(record, service(BotStore).of_league(record.id)).rows
    row = next((row for row in rows if row.player == bot.seat), None)
    page = ReportPage(record, bot, ended, games[:OWN_GAMES_SHOWN], row)
    return render("bots/leagues/report.html", "bots/leagues/report.html", report=page)


@leagues.post("/<league_id>/end")
def end(league_id: str) -> Response:
    """End a league before its last day."""
    service(RateLimits).spend()
    record = _owned(league_id)
    service(LeagueStore).end(record.id)
    return go_to(record.path)


def table_of(record: LeagueRecord, bots: tuple[BotRecord, ...]) -> LeagueTable:
    """The table of a league: its bots, its machines, and whoever has played."""
    players = (*(bot.seat for bot in bots), *machines_of(record.game))
    return LeagueTable(record, players, service(LeagueStore).scores(record.id))


def _show_all(
    fields: Mapping[str, str], message: Message | None = None, status: int = 200
) -> Response:
    found = service(LeagueStore).latest(LEAGUES_SHOWN)
    page = LeaguesPage(found, service(Clock).now(), _may_make(), fields, message)
    return render("bots/leagues/page.html", "bots/leagues/page.html", status, leagues=page)


def _may_make() -> bool:
    player = current_player()
    return is_owner() or (player is not None and service(Teachers).is_teacher(player))


def _is_owner(record: LeagueRecord) -> bool:
    return is_owner() or current_player() == record.owner


def _owned(league_id: str) -> LeagueRecord:
    record = service(LeagueStore).find(league_id)
    if not _is_owner(record):
        raise NotYourLeagueError("this is someone else's league")
    return record
