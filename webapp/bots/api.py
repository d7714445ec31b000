"""Bots over HTTP, version 1: join, ask for a turn, answer it, practise, leave."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response, current_app, jsonify, make_response, request

from webapp.api.requests import api_blueprint, json_body, spend, spend_for
from webapp.api.tokens import bearer_token
from webapp.bots.admission import admit, server_code
from webapp.bots.forms import (
    check_game,
    read_answer,
    read_application,
    read_practice,
    read_resignation,
)
from webapp.bots.game_store import BotGameStore
from webapp.bots.models import BotAttendance, BotRecord, CodeLookup, NotYourBotError
from webapp.bots.store import BotStore
from webapp.bots.turns import BotMatches, NextTurn, game_document
from webapp.matches.store import MatchStore
from webapp.replays.models import UnknownMatchError, UnreadableMatchError
from webapp.services import Clock, service
from webapp.serving.turns import WAITING_BOTS
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient

bot_api = api_blueprint("bot_api")
MAX_LISTED_GAMES = 50
AGAIN_PER_WAITING_S = 0.01  # for each request that waits, which takes two or three milliseconds


@bot_api.post("/bots")
def join() -> Response:
    """Register a bot; its token is shown this once."""
    spend()
    application = read_application(json_body())
    now, limits = service(Clock).now(), service(RateLimits)
    admission = admit(application.code, own_code(), service(CodeLookup), limits, now)
    limits.spend_on("bots")
    check_game(application, admission)
    made = service(BotStore).register(application.name, application.plays, admission)
    bot = made.bot
    document = {
        "bot": bot.id,
        "name": bot.name,
        "token": made.token,
        "until": datetime.fromtimestamp(bot.until, UTC).isoformat(timespec="seconds"),
        "page": bot.path,
        "claim": f"{bot.path}/claim/{made.claim}",
    }
    return make_response(jsonify(document), 201)


@bot_api.get("/turn")
def turn() -> Response:
    """The turn that waits for an answer, or when to ask again."""
    found = bot_matches().next_turn(current_bot())
    return jsonify(found.document or {"turn": None} | _again(found))


@bot_api.post("/turn/<turn_id>")
def answer(turn_id: str) -> Response:
    """Play a move; the next turn comes with the answer, if there is one."""
    bot = current_bot()
    played, following = bot_matches().play(bot, turn_id, read_answer(json_body()))
    return jsonify(played=played, next=following.document, **_again(following))


@bot_api.post("/turn/<turn_id>/resign")
def resign(turn_id: str) -> Response:
    """Give up a match, with a reason where the program failed."""
    bot = current_bot()
    following = bot_matches().resign(bot, turn_id, read_resignation(json_body()))
    return jsonify(resigned=True, next=following.document, **_again(following))


@bot_api.post("/practice")
def practice() -> Response:
    """An unrated game without a clock, against a machine."""
    bot = current_bot()
    record = read_practice(json_body(), bot)
    service(RateLimits).spend_on_match(0)
    stored = bot_matches().practise(record)
    return make_response(jsonify(match=stored.id, page=stored.path), 201)


@bot_api.get("/bots/<bot_id>/games")
def games(bot_id: str) -> Response:
    """The bot's own games, the latest first."""
    bot = _own(bot_id)
    return jsonify(games=list(_listed_games(bot)))


@bot_api.delete("/bots/<bot_id>")
def leave(bot_id: str) -> Response:
    """Revoke the bot's tokens; its open games are lost."""
    service(BotStore).end(_own(bot_id).id)
    service(BotGameStore).forfeit_overdue()
    return make_response("", 204)


def current_bot() -> BotRecord:
    """The bot whose token the request has, counted and noted as here; raises TokenError."""
    spend()  # before the token is looked at, or they could be guessed without end
    bot = service(BotStore).by_token(bearer_token())
    spend_for(f"bot {bot.id}")
    service(BotAttendance).note(bot.id)
    return bot


def own_code() -> str:
    """The server's code for bots."""
    key = current_app.secret_key
    assert isinstance(key, str)
    return server_code(key)


def bot_matches() -> BotMatches:
    return BotMatches(service(BotGameStore), service(WorkerClient), service(Clock).now)


def _again(found: NextTurn) -> dict[str, float]:
    """When a bot without a turn is to ask again, later the more bots wait.

    Were all of them to come back at once, the time in the queue would be taken from the clocks of
    those who have a turn.
    """
    if found.document is not None:
        return {}
    waiting: int = request.environ.get(WAITING_BOTS, 0)
    return {"again": round(found.again + waiting * AGAIN_PER_WAITING_S, 3)}


def _own(bot_id: str) -> BotRecord:
    bot = current_bot()
    if bot.id != bot_id:
        raise NotYourBotError("this token is another bot's")
    return bot


def _listed_games(bot: BotRecord) -> Any:
    for game in service(BotGameStore).last_games(bot.id, MAX_LISTED_GAMES):
        try:
            yield game_document(service(MatchStore).find(game.match_id), game)
        except (UnknownMatchError, UnreadableMatchError):
            continue
