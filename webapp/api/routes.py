"""Routes of the API that belong to no feature, its description, and the page about it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, request

from agents.documents import agent_document, game_document
from agents.roster import agents_for, roster
from agents.serialisation import to_document
from webapp.api.forms import read_game, read_question
from webapp.api.page import ApiPage, description
from webapp.api.requests import api_blueprint, site, spend_for_anyone
from webapp.config import Config
from webapp.services import service
from webapp.web.forms import named_variants
from webapp.web.htmx import render
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import FailedRequestError, Rank

pages = Blueprint("api_page", __name__)
api = api_blueprint("api")
BLUEPRINTS = (pages, api)

AGAIN_S = 0.5  # until a program asks again for what is being worked out


@pages.get("/api")
def show() -> Response:
    """The API for people, with an example of each request."""
    return render("api/page.html", "api/page.html", api=ApiPage(description(), site()))


@api.get("/openapi.json")
def document() -> Response:
    """The description of the API, as OpenAPI 3.1."""
    spend_for_anyone()
    return jsonify(description())


@api.get("/games")
def games() -> Response:
    """Every game with its named variants and options."""
    spend_for_anyone()
    return jsonify(games=[game_document(entry, variants) for entry, variants in named_variants()])


@api.get("/agents")
def agents() -> Response:
    """The agents that play a game, or all of them."""
    spend_for_anyone()
    game = read_game(request.args) if request.args.get("game") else None
    found = roster() if game is None else agents_for(game)
    spec = None if game is None else game.spec
    return jsonify(game=spec, agents=[agent_document(entry) for entry in found])


@api.get("/analyse")
def analyse() -> Response:
    """What an agent thinks of a position; 202 while it thinks: the same request asks again."""
    spend_for_anyone()
    service(RateLimits).spend()
    asked = read_question(request.args, service(Config).think_seconds)
    client = service(WorkerClient)
    pending = client.ask(asked.request, Rank.PANEL, asked.seconds)
    answer = client.wait_for(pending)
    position = {
        "game": asked.request.game,
        "state": asked.request.start,
        "to_move": asked.to_move,
        "agent": asked.request.agent,
    }
    if answer is None:
        response = make_response(jsonify(position | {"again": AGAIN_S}), 202)
        response.headers["Retry-After"] = "1"
        return response
    if answer.analysis is None:
        raise FailedRequestError(f"{asked.request.agent} could not work it out: {answer.note}")
    return jsonify(position | {"seconds": pending.seconds} | to_document(answer.analysis))
