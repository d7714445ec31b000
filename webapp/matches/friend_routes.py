"""Routes of matches with a friend on another device: invitations, offers, polling."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, Response, request

from engine import Seat
from engine.catalog import variant_title
from webapp.boards import picture_for
from webapp.boards.scene import Board
from webapp.matches import rules
from webapp.matches.changes import change, open_match
from webapp.matches.store import MatchStore
from webapp.replays.errors import FinishedError, UnknownMatchError
from webapp.replays.models import Record
from webapp.replays.query import MatchQuery, match_path
from webapp.replays.seats import MatchAttendance
from webapp.replays.visits import no_content, show_match
from webapp.services import Clock, service
from webapp.web.cookies import current_actor, current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render
from webapp.web.messages import Message
from webapp.web.navigation import rules_url
from webapp.web.rate_limits import RateLimits

company = Blueprint("company", __name__, url_prefix="/matches/<match_id>")
invitations = Blueprint("invitations", __name__, url_prefix="/invitations")
CHANGES = {"accept": rules.accepted, "decline": rules.declined, "uninvite": rules.uninvited}
for _name, _decide in CHANGES.items():
    company.add_url_rule(f"/{_name}", _name, partial(change, decide=_decide), methods=["POST"])


@dataclass(frozen=True, slots=True)
class InvitedView:
    """The page of an invitation (`matches/invitation.html`)."""

    url: str  # POST: take the seat
    game: str
    variant: str
    mark: str | None  # of the free seat; None: it is taken
    board: Board
    match_url: str
    rules_url: str  # dialog: the rules of this variant
    own: bool  # the visitor already has a seat
    message: Message | None


@company.get("/follow")
def follow(match_id: str) -> Response:
    """The match if it differs from htmx's page, else 204; a redirect to the rematch."""
    store, actor = service(MatchStore), current_actor()
    pulse = store.pulse(match_id)
    if actor.player is not None and actor.player in pulse.holders:
        if pulse.followed_by is not None and partial_is_wanted():
            return go_to(match_path(pulse.followed_by))
        _note_presence(match_id, actor.player, pulse.holders)
    known = pulse.known(actor.player, int(service(Clock).now()))
    if partial_is_wanted() and request.args.get("known") == known:
        return no_content()
    return show_match(open_match(match_id, MatchQuery.parse(request.args)))


@company.post("/invite")
def invite(match_id: str) -> Response:
    """Create an invitation to the opponent's seat."""
    secret = secrets.token_urlsafe(16)
    return change(match_id, lambda record, actor, at: rules.invited(record, actor, at, secret))


@invitations.get("/<secret>")
def show(secret: str) -> Response:
    """The page of an invitation; GET takes no seat, since link previews fetch it too."""
    return _invitation_page(secret, _invited_match(secret))


@invitations.post("/<secret>")
def take(secret: str) -> Response:
    """Take the seat."""
    record = _invited_match(secret)
    show_errors_on(
        lambda message, status: _invitation_page(secret, _invited_match(secret), message, status)
    )
    service(RateLimits).spend()
    if current_player() is None:
        service(RateLimits).spend_on_match(0)  # a newcomer, as whoever begins a match
    player = player_of_this_request()
    joined = service(MatchStore).change(record.id, lambda now: rules.joined(now, player, secret))
    return go_to(match_path(joined.id))


def _invited_match(secret: str) -> Record:
    store = service(MatchStore)
    record = store.find(store.invited_to(secret))
    if record.invitation != secret:  # withdrawn in the meantime
        raise UnknownMatchError("this invitation was withdrawn")
    return record


def _invitation_page(
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
        match_url=match_path(record.id),
        rules_url=rules_url(match.game.spec, url),
        own=own,
        message=message,
    )
    return render("matches/invitation.html", "matches/invitation.html", status, invitation=view)


def _note_presence(match_id: str, player: str, holders: tuple[str | None, str | None]) -> None:
    if holders[0] == holders[1]:
        return
    for seat in Seat:
        if holders[seat] == player:
            service(MatchAttendance).note((match_id, seat))
