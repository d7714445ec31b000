"""Pages of bots: who is here, one bot and its log, and the client as one file."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, request, url_for

from engine import Match
from webapp.api import client as client_file
from webapp.api.requests import is_on_this_computer
from webapp.bots.api import bot_api, own_code
from webapp.bots.game_store import BotGameStore
from webapp.bots.leagues.models import UnknownLeagueError
from webapp.bots.leagues.page import LeaguePage, RatingChart
from webapp.bots.leagues.routes import leagues, table_of
from webapp.bots.leagues.store import LeagueStore
from webapp.bots.leagues.table import rating_history
from webapp.bots.models import DAY_S, KEPT_DAYS, BotRecord, NotYourBotError
from webapp.bots.page import BotPage, BotsPage, BotState, LoggedGame, rematch_seats
from webapp.bots.store import BotStore
from webapp.matches.store import MatchStore
from webapp.replays.models import UnknownMatchError, UnreadableMatchError, new_record
from webapp.services import Clock, service
from webapp.serving.site import reachable_site
from webapp.web.cookies import current_actor, current_player, player_of_this_request
from webapp.web.downloads import file_response
from webapp.web.htmx import go_to, render
from webapp.web.owner import is_owner, is_owner_key, remember_owner
from webapp.web.rate_limits import RateLimits

bots = Blueprint("bots", __name__)
BLUEPRINTS = (bots, bot_api, leagues)

CLIENT = Path(client_file.__file__)
SHOWN_FOR_S = 3600  # after its last sign of life a bot is still listed
GAMES_SHOWN = 20
LOGS_SHOWN = 3  # games with their logs


@bots.get("/bot.py")
def client() -> Response:
    """The client: one file of Python, standard library only."""
    return file_response(CLIENT.read_text(encoding="utf-8"), "bot.py", "text/x-python")


@bots.get("/owner/<key>")
def own(key: str) -> Response:
    """Make this browser the owner's, if this is the link that `zermelo serve` has printed."""
    service(RateLimits).spend()
    if not is_owner_key(key):
        raise NotYourBotError("this link is not the owner's: the server prints it when it starts")
    page = request.args.get("page", url_for("bots.front"))
    is_local = page.startswith("/") and not page.startswith(("//", "/\\"))
    return remember_owner(go_to(page if is_local else url_for("bots.front")))


@bots.get("/bots")
def front() -> Response:
    """How to bring a bot, and who is here."""
    store, player, now = service(BotStore), current_player(), int(service(Clock).now())
    own = store.owned_by(player) if player else ()
    listed = {bot.id: bot for bot in (*store.seen_within(SHOWN_FOR_S), *own) if bot.until > now}
    local = is_on_this_computer()
    page = BotsPage(
        site=reachable_site(),
        code=own_code() if is_owner() else None,
        is_local=local,
        states=[_state_of(bot) for bot in listed.values()],
        mine=frozenset(bot.id for bot in own),
        now=now,
    )
    return render("bots/page.html", "bots/_here.html", bots=page, league=_open_league(player, now))


@bots.get("/bots/<bot_id>")
def show(bot_id: str) -> Response:
    """The page of a bot; its log is its owner's."""
    store, bot = service(BotGameStore), service(BotStore).find(bot_id)
    is_own = _is_owner(bot)
    games = []
    for number, game in enumerate(store.last_games(bot.id, GAMES_SHOWN)):
        try:
            record = service(MatchStore).find(game.match_id)
            record.match  # noqa: B018 - whether it can be replayed
        except (UnknownMatchError, UnreadableMatchError):
            continue
        shown = is_own and number < LOGS_SHOWN
        games.append(LoggedGame(record, game, store.logs(record.id, bot.id) if shown else ()))
    error = store.last_error(bot.id) if is_own else None
    now = int(service(Clock).now())
    page = BotPage(_state_of(bot), games, is_own, now, error, _rating_chart(bot))
    return render("bots/bot.html", "bots/bot.html", shown=page)


@bots.get("/bots/<bot_id>/claim/<secret>")
def offer_claim(bot_id: str, secret: str) -> Response:
    """Asks before a browser becomes the owner: previews of links follow a GET."""
    bot = service(BotStore).find(bot_id)
    return render("bots/claim.html", "bots/claim.html", bot=bot, url=f"{bot.path}/claim/{secret}")


@bots.post("/bots/<bot_id>/claim/<secret>")
def claim(bot_id: str, secret: str) -> Response:
    """Make this browser the owner."""
    service(RateLimits).spend()
    service(BotStore).find(bot_id)
    player = current_player() or player_of_this_request()
    return go_to(service(BotStore).claim(bot_id, secret, player).path)


@bots.post("/bots/<bot_id>/keep")
def keep(bot_id: str) -> Response:
    """Let the bot's token last for a year."""
    bot = _owned(bot_id)
    until = int(service(Clock).now()) + KEPT_DAYS * DAY_S
    return go_to(service(BotStore).keep(bot.id, until).path)


@bots.post("/bots/<bot_id>/end")
def end(bot_id: str) -> Response:
    """Revoke the bot's token."""
    bot = _owned(bot_id)
    service(BotStore).end(bot.id)
    service(BotGameStore).forfeit_overdue()
    return go_to(bot.path)


@bots.post("/bots/matches/<match_id>/rematch")
def rematch(match_id: str) -> Response:
    """The same match with its bots once more."""
    return _begin_again(match_id, swapped=False)


@bots.post("/bots/matches/<match_id>/swap")
def swap(match_id: str) -> Response:
    """The same match with sides changed."""
    return _begin_again(match_id, swapped=True)


def _begin_again(match_id: str, *, swapped: bool) -> Response:
    service(RateLimits).spend()
    record = service(MatchStore).find(match_id)
    record.check_actor(current_actor())
    service(RateLimits).spend_on_match(0)
    seats, holders = rematch_seats(record, swapped=swapped)
    start = Match.begin(record.match.game, record.match.start)
    return go_to(
        service(BotGameStore).begin_game(new_record(record.owner, start, seats, holders)).path
    )


def _owned(bot_id: str) -> BotRecord:
    """The bot, for its owner; raises NotYourBotError."""
    service(RateLimits).spend()
    bot = service(BotStore).find(bot_id)
    if not _is_owner(bot):
        raise NotYourBotError("this is someone else's bot")
    return bot


def _is_owner(bot: BotRecord) -> bool:
    """Whose browser has claimed it, or the owner of the server."""
    player = current_player()
    return is_owner() or (player is not None and bot.owner == player)


def _open_league(player: str | None, now: int) -> LeaguePage | None:
    """The table of the league that is open longest, for the front page."""
    store = service(LeagueStore)
    record = max(store.open_now(), key=lambda each: each.ends, default=None)
    if record is None:
        return None
    members = service(BotStore).of_league(record.id)
    mine = frozenset(bot.id for bot in members if player is not None and bot.owner == player)
    return LeaguePage(
        record=record,
        table=table_of(record, members),
        bots=members,
        activity=store.activity(record.id),
        games=(),
        now=now,
        is_owner=False,
        mine=mine,
        site="",
    )


def _rating_chart(bot: BotRecord) -> RatingChart | None:
    """A bot's rating over time, if it has played in a league."""
    if bot.league_id is None:
        return None
    try:
        record = service(LeagueStore).find(bot.league_id)
    except UnknownLeagueError:
        return None
    table = table_of(record, service(BotStore).of_league(record.id))
    results = service(LeagueStore).results(record.id)
    points = rating_history(record, table.players, results, bot.seat)
    return RatingChart(record, points) if points else None


def _state_of(bot: BotRecord) -> BotState:
    store = service(BotGameStore)
    return BotState(bot, store.times(bot.id), store.open_games(bot.id))
