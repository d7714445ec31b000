"""Routes of `/brains`: list, upload, download, play, copy, rename, delete."""

from __future__ import annotations

import re

from flask import Blueprint, Response, abort, make_response, render_template, request, url_for

from agents.errors import UnsuitableBrainError
from agents.training.brain_files import keep_bytes
from agents.training.brains import Brain
from engine import Match, load_game
from engine.errors import ZermeloError
from webapp.api.source import source_response
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore, NotYourBrainError, UnknownBrainError
from webapp.jobs.kinds.training import describe_brain, own_file
from webapp.jobs.models import KeptBrain
from webapp.lab.brains.page import BrainPage, KnowledgePage, question_url, read_upload
from webapp.lab.brains.uploads import Uploads
from webapp.matches.changes import start
from webapp.replays.models import PERSON, new_record
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.downloads import file_response
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, render, vary
from webapp.web.messages import Message
from webapp.web.pagination import Listing, page_number
from webapp.web.rate_limits import RateLimits
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.client import WorkerClient
from webapp.workers.knowledge import KnowledgeRequest
from webapp.workers.queue import BusyError, FailedRequestError, Rank
from webapp.workers.requests import MoveAnswer

KNOWLEDGE_TIMEOUT_S = 60.0  # of the table of a whole game

brains = Blueprint("brains", __name__, url_prefix="/brains")


@brains.get("")
def mine() -> Response:
    """The visitor's brains, newest first."""
    return _list_page()


@brains.post("/upload")
def upload() -> Response:
    """Store a brain from a file, after a trial move, for which the page asks again.

    If a brain with this digest is stored already, its bytes are not replaced, and the uploaded
    curve is only in the uploader's row: the digest does not cover it.
    """
    show_errors_on(_list_page)
    service(RateLimits).spend()
    service(RateLimits).spend_on("uploads")
    sent = request.files.get("file")
    data = b""
    if sent is not None:
        data = sent.read()
        sent.close()
    brain = read_upload(data)
    name = _check_name(request.form.get("name", "").strip())
    return _try(service(Uploads).hold(brain.digest, data), brain, data, name)


@brains.post("/trial")
def trial() -> Response:
    """Whether the trial move of an uploaded brain was made; asked again until it was."""
    show_errors_on(_list_page)
    service(RateLimits).spend()
    token, name = request.form.get("token", ""), _check_name(request.form.get("name", "").strip())
    data = service(Uploads).data(token)
    return _try(token, read_upload(data), data, name)


def _try(token: str, brain: Brain, data: bytes, name: str) -> Response:
    """Keep the brain if a worker has played with it; 202 while none has."""
    store = service(BrainStore)
    store.ensure(f"{brain.agent}:brain={brain.digest}")
    keep_bytes(brain.digest, data)
    if (answer := _first_move(brain)) is None:
        page = render("lab/trial.html", "lab/_trial.html", 202, token=token, name=name)
        page.headers["Retry-After"] = "1"
        return page
    service(Uploads).drop(token)
    try:
        if answer.analysis is None:
            why = f"no {brain.agent} can play with this brain: {answer.note or 'it failed'}"
            raise UnsuitableBrainError(brain.agent, why)
        kept = store.keep(player_of_this_request(), describe_brain(data, name), data)
        store.settle(brain.digest)
    except ZermeloError:
        store.sweep([brain.digest])
        raise
    return go_to(url_for("brains.show", brain_id=kept.id))


def _first_move(brain: Brain) -> MoveAnswer | None:
    """A worker's first move with it, if one has had time."""
    spec = f"{brain.agent}:brain={brain.digest}"
    try:
        request = AnalysisRequest(brain.game, None, (), spec, "upload")
        return service(WorkerClient).answer(request, Rank.PANEL)
    except BusyError:
        return None


@brains.get("/<brain_id>")
def show(brain_id: str) -> Response:
    """A brain, for anyone who has its address."""
    brain = service(BrainStore).find(brain_id)
    question = question_url(service(BrainStore), brain.game, brain.spec, brain.facts)
    page = BrainPage(brain, current_player(), question)
    if page.is_own:
        service(BrainStore).owner_came(brain.owner, [brain])
    return vary(make_response(render_template("lab/brain.html", brain=page)))


@brains.get("/<brain_id>/download")
def download(brain_id: str) -> Response:
    """The file, as `numpy.load` reads it and `/brains/upload` accepts it."""
    brain = service(BrainStore).find(brain_id)
    return file_response(
        _brain_bytes(brain), f"{_file_name(brain)}.npz", "application/octet-stream"
    )


@brains.get("/<brain_id>/source")
def source(brain_id: str) -> Response:
    """The machine that plays with a brain, as a Python file."""
    brain = service(BrainStore).find(brain_id)
    if not BrainPage(brain, None).can_export:
        abort(404, "This brain cannot be written as a file for its game.")
    service(BrainStore).ensure(brain.spec)
    return source_response(brain.spec, load_game(brain.game), brain.name, _file_name(brain))


@brains.get("/<brain_id>/knowledge")
def knowledge(brain_id: str) -> Response:
    """What a table learner knows, position by position; while a worker reads it, 202."""
    brain = service(BrainStore).find(brain_id)
    page = KnowledgePage(brain, _knowledge(brain), page_number())
    response = make_response(render_template("lab/knowledge.html", knowledge=page))
    return response if page.is_ready else _not_yet(response)


@brains.get("/<brain_id>/knowledge.csv")
def knowledge_csv(brain_id: str) -> Response:
    """The same as CSV."""
    brain = service(BrainStore).find(brain_id)
    text = _knowledge(brain)
    if text is None:
        page = KnowledgePage(brain, None, 1)
        return _not_yet(make_response(render_template("lab/knowledge.html", knowledge=page)))
    return file_response(text, f"{_file_name(brain)}.csv")


def _not_yet(response: Response) -> Response:
    response.status_code = 202
    response.headers["Refresh"] = "2"
    return response


def _knowledge(brain: KeptBrain) -> str | None:
    """The CSV of what it knows; None while a worker writes it."""
    if not BrainPage(brain, None).is_table:
        abort(404, "This brain is no table of positions and moves.")
    service(RateLimits).spend()
    service(BrainStore).ensure(brain.spec)
    request = KnowledgeRequest(brain.game, brain.spec)
    answer = service(WorkerClient).answer(request, Rank.STORY, KNOWLEDGE_TIMEOUT_S)
    if answer is None:
        return None
    if answer.result is None:
        raise FailedRequestError(answer.note or "it could not be read")
    return answer.result


@brains.post("/<brain_id>/play")
def play(brain_id: str) -> Response:
    """Start a match against a brain."""
    brain = service(BrainStore).find(brain_id)
    service(RateLimits).spend()
    service(BrainStore).ensure(brain.spec)
    match = Match.begin(load_game(brain.game))
    return start(new_record(player_of_this_request(), match, (PERSON, brain.spec)))


@brains.post("/<brain_id>/take")
def take(brain_id: str) -> Response:
    """Copy a shared brain to the visitor's list."""
    brain = service(BrainStore).find(brain_id)
    service(RateLimits).spend()
    service(RateLimits).spend_on("uploads")
    kept = service(BrainStore).keep(player_of_this_request(), brain, _brain_bytes(brain))
    return go_to(url_for("brains.show", brain_id=kept.id))


@brains.post("/<brain_id>/rename")
def rename(brain_id: str) -> Response:
    brain = _find_own(brain_id)
    name = _check_name(request.form.get("name", "").strip())
    if not name:
        raise InvalidFormError(name, "a brain has a name")
    service(BrainStore).rename(brain.id, name)
    return go_to(url_for("brains.show", brain_id=brain.id))


@brains.post("/<brain_id>/delete")
def delete(brain_id: str) -> Response:
    """Delete the brain from the list; matches against it go on."""
    service(BrainStore).delete(_find_own(brain_id))
    return go_to(url_for("brains.mine"))


def _find_own(brain_id: str) -> KeptBrain:
    service(RateLimits).spend()
    brain = service(BrainStore).find(brain_id)
    if brain.owner != current_player():
        raise NotYourBrainError("this brain is someone else's: you can play it, not change it")
    return brain


def _file_name(brain: KeptBrain) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", brain.name).strip("-")[:60] or "brain"


def _brain_bytes(brain: KeptBrain) -> bytes:
    data = service(BrainStore).data(brain.digest)
    if data is None:
        raise UnknownBrainError("this brain is not kept any more")
    return own_file(data, brain.facts)


def _check_name(name: str) -> str:
    if not name.isprintable() or len(name) > 80:
        raise InvalidFormError(name[:80], "a name has up to 80 printable letters")
    return name


def _list_page(message: Message | None = None, status: int = 200) -> Response:
    player, store = current_player(), service(BrainStore)
    found = Listing.fetch(lambda most, after: store.mine(player, most, after) if player else ())
    if player is not None:
        store.owner_came(player, found.entries)
    used = 0 if player is None else store.usage(player)
    page = render_template(
        "lab/brains.html",
        brains=[BrainPage(brain, player) for brain in found.entries],
        listing=found,
        used=f"{used / 2**20:.1f} of {service(Config).jobs.brains_bytes >> 20} MB",
        message=message,
    )
    return vary(make_response(page, status))
