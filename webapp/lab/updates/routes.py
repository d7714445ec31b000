"""The route of a training game shown update by update."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from agents.roster import agent_spec
from engine import load_game
from webapp.lab.updates.page import UpdatesPage
from webapp.lab.updates.query import UpdatesQuery
from webapp.services import service
from webapp.web.htmx import partial_is_wanted, render, vary
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.recordings import EpisodeRequest

updates = Blueprint("updates", __name__)

EPISODE_TIMEOUT_S = 30.0  # a brain may have to be trained, and a kernel compiled


@updates.get("/train/updates")
def show() -> Response:
    """The next game of a Q-learner's training, as far as its updates are made."""
    query = UpdatesQuery.parse(request.args)
    game = load_game(query.game)
    spec = agent_spec(query.agent, game)
    service(RateLimits).spend()
    question = EpisodeRequest(game.spec, spec, query.ahead)
    answer = service(WorkerClient).answer(question, Rank.STORY, EPISODE_TIMEOUT_S)
    if answer is None and query.known and partial_is_wanted():
        return vary(Response(status=204))
    episode, note = (None, None) if answer is None else (answer.result, answer.note)
    page = UpdatesPage(url_for("updates.show"), game, spec, query, episode, note)
    return render("lab/updates.html", "lab/_updates.html", updates=page)
