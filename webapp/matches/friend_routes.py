"""With a friend on another device: invitations, what takes two to agree on, and following."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from flask import Blueprint, Response, request

from engine import Seat
from engine.catalog import variant_title
from webapp.boards import picture_for
from webapp.boards.scene import Board
from webapp.matches import rules
from webapp.matches.changes import change
from webapp.replays.models import Record
from webapp.replays.query import Look, path_of
from webapp.replays.visits import find, nothing_new, show_match
from webapp.services import services
from webapp.web.cookies import current_actor, current_player, player_of_this_request
from webapp.web.errors import FinishedError, UnknownMatchError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render
from webapp.web.messages import Message
from webapp.web.navigation import rules_address

company = Blueprint("company", __name__, url_prefix="/matches/<match_id>")
invitations = Blueprint("invitations", __name__, url_prefix="/invitations")


@dataclass(frozen=True, slots=True)
class InvitedView:
    """What whoever opens an invitation sees (`matches/invitation.html`)."""

    url: str  # POST: take the seat
    game: str
    variant: str
    mark: str | None  # of the seat that is free; None: it is taken
    board: Board
    match_url: str
    rules_url: str  # a sheet: how this variant is played
    own: bool  # the visitor plays in it already
    message: Message | None


@company.get("/follow")
def follow(match_id: str) -> Response:
    """The match, as soon as it is otherwise than the page knows it."""
    store, actor = services().store, current_actor()
    pulse = store.pulse(match_id)
    if actor.player is not None and actor.player in pulse.holders:
        if pulse.followed_by is not None and partial_is_wanted():
            return go_to(path_of(pulse.followed_by))
        _note(match_id, actor.player, pulse.holders)
    known = pulse.known(actor.player, int(services().clock()))
    if partial_is_wanted() and request.args.get("known") == known:
        return nothing_new()
    return show_match(find(match_id, Look.of(request.args)))


@company.post("/accept")
def accept(match_id: str) -> Response:
    """What the other player offered."""
    return change(match_id, rules.accepted)


@company.post("/decline")
def decline(match_id: str) -> Response:
    """An offer, or withdraw one's own."""
    return change(match_id, rules.declined)


@company.post("/invite")
def invite(match_id: str) -> Response:
    """A link for the seat across the screen."""
    secret = secrets.token_urlsafe(16)
    return change(match_id, lambda record, actor, at: rules.invited(record, actor, at, secret))


@company.post("/uninvite")
def uninvite(match_id: str) -> Response:
    """The link no longer leads anywhere."""
    return change(match_id, rules.uninvited)


@invitations.get("/<secret>")
def show(secret: str) -> Response:
    """What one is invited to; nothing is taken by looking, since previews look too."""
    return _invited(secret, _record_of(secret))


@invitations.post("/<secret>")
def take(secret: str) -> Response:
    """The seat, for the first who takes it."""
    record = _record_of(secret)
    show_errors_on(lambda message, status: _invited(secret, _record_of(secret), message, status))
    services().spend()
    if current_player() is None:
        services().spend_on_match(0)  # a newcomer, as whoever begins a match
    player = player_of_this_request()
    joined = services().store.change(record.id, lambda now: rules.joined(now, player, secret))
    return go_to(path_of(joined.id))


def _record_of(secret: str) -> Record:
    store = services().store
    record = store.find(store.invited_to(secret))
    if record.invitation != secret:  # withdrawn in the meantime
        raise UnknownMatchError("this invitation was withdrawn")
    return record


def _invited(
    secret: str, record: Record, message: Message | None = None, status: int = 200
) -> Response:
    match, player = record.match, current_player()
    own = player is not None and player in record.holders
    if message is None and record.free_seat is None and not own:
        raise FinishedError("this invitation has been taken: it is for one friend")
    url = f"/invitations/{secret}"
    view = InvitedView(
        url=url,
        game=match.game.title,
        variant=variant_title(record.game),
        mark=None if record.free_seat is None else record.free_seat.mark,
        board=picture_for(match.game, match.state, match.moves[-1] if match.moves else None),
        match_url=path_of(record.id),
        rules_url=rules_address(match.game.spec, url),
        own=own,
        message=message,
    )
    return render("matches/invitation.html", "matches/invitation.html", status, invitation=view)


def _note(match_id: str, player: str, holders: tuple[str | None, str | None]) -> None:
    if holders[0] == holders[1]:
        return
    for seat in Seat:
        if holders[seat] == player:
            services().attendance.note((match_id, seat))
