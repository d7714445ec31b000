"""Routes of `/brains`: list, upload, download, play, copy, rename, delete."""

from __future__ import annotations

import re

from flask import Blueprint, Response, make_response, render_template, request, url_for

from agents.errors import UnsuitableBrainError
from agents.training.brain_files import keep_bytes
from agents.training.brains import Brain
from engine import Match, load_game
from engine.errors import ZermeloError
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore, NotYourBrainError, UnknownBrainError
from webapp.jobs.kinds.training import describe_brain
from webapp.jobs.models import KeptBrain
from webapp.lab.brains.page import BrainPage, question_url, read_upload
from webapp.matches.changes import start
from webapp.replays.models import PERSON, new_record
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.downloads import file_response
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, vary
from webapp.web.inputs import Listing
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import AnalysisRequest

brains = Blueprint("brains", __name__, url_prefix="/brains")

TRIAL_TIMEOUT_S = 8.0  # for the first move of an uploaded brain


@brains.get("")
def mine() -> Response:
    """The visitor's brains, newest first."""
    return _list_page()


@brains.post("/upload")
def upload() -> Response:
    """Store a brain from a file, after a trial move.

    If a brain with this digest is stored already, its bytes are not replaced, and the uploaded
    curve is only in the uploader's row: the digest does not cover it.
    """
    show_errors_on(_list_page)
    service(RateLimits).spend()
    sent = request.files.get("file")
    data = b""
    if sent is not None:
        data = sent.read()
        sent.close()
    brain = read_upload(data)
    name = request.form.get("name", "").strip()
    store = service(BrainStore)
    store.ensure(f"{brain.agent}:brain={brain.digest}")
    keep_bytes(brain.digest, data)
    try:
        _check_plays(brain)
        owner = player_of_this_request()
        quota = service(Config).jobs.brains_bytes
        kept = store.keep(owner, describe_brain(data, _check_name(name)), data, quota)
        store.settle(brain.digest)
    except ZermeloError:
        store.sweep([brain.digest])
        raise
    return go_to(url_for("brains.show", brain_id=kept.id))


@brains.get("/<brain_id>")
def show(brain_id: str) -> Response:
    """A brain, for anyone who has its address."""
    brain = service(BrainStore).find(brain_id)
    question = question_url(service(BrainStore), brain.game, brain.spec, brain.facts)
    page = BrainPage(brain, current_player(), question)
    return vary(make_response(render_template("lab/brain.html", brain=page)))


@brains.get("/<brain_id>/download")
def download(brain_id: str) -> Response:
    """The file, as `numpy.load` reads it and `/brains/upload` accepts it."""
    brain = service(BrainStore).find(brain_id)
    name = re.sub("[^A-Za-z0-9]+", "-", brain.name).strip("-")[:60] or "brain"
    return file_response(_brain_bytes(brain), f"{name}.npz", "application/octet-stream")


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
    data, quota = _brain_bytes(brain), service(Config).jobs.brains_bytes
    kept = service(BrainStore).keep(player_of_this_request(), brain, data, quota)
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


def _check_plays(brain: Brain) -> None:
    """Let a worker make the first move with it; raises UnsuitableBrainError or BusyError."""
    spec = f"{brain.agent}:brain={brain.digest}"
    request = AnalysisRequest(brain.game, None, (), spec, "upload")
    answer = service(WorkerClient).ask(request, Rank.PANEL).wait(TRIAL_TIMEOUT_S)
    if answer is None:
        raise BusyError("nobody has time to try this brain just now: send it again", retry_after=5)
    if answer.analysis is None:
        why = f"no {brain.agent} can play with this brain: {answer.note or 'it failed'}"
        raise UnsuitableBrainError(brain.agent, why)


def _find_own(brain_id: str) -> KeptBrain:
    service(RateLimits).spend()
    brain = service(BrainStore).find(brain_id)
    if brain.owner != current_player():
        raise NotYourBrainError("this brain is someone else's: you can play it, not change it")
    return brain


def _brain_bytes(brain: KeptBrain) -> bytes:
    data = service(BrainStore).data(brain.digest)
    if data is None:
        raise UnknownBrainError("this brain is not kept any more")
    return data


def _check_name(name: str) -> str:
    if not name.isprintable() or len(name) > 80:
        raise InvalidFormError(name[:80], "a name has up to 80 printable letters")
    return name


def _list_page(message: Message | None = None, status: int = 200) -> Response:
    player, store = current_player(), service(BrainStore)
    found = Listing.fetch(lambda most, after: store.mine(player, most, after) if player else ())
    used = 0 if player is None else store.usage(player)
    page = render_template(
        "lab/brains.html",
        brains=[BrainPage(brain, player) for brain in found.entries],
        listing=found,
        used=f"{used / 2**20:.1f} of {service(Config).jobs.brains_bytes >> 20} MB",
        message=message,
    )
    return vary(make_response(page, status))
