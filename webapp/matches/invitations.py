"""Invitations to the free seat of a match: their page, and taking the seat."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response

from engine.catalog import variant_title
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.matches import rules
from webapp.matches.store import MatchStore
from webapp.replays.models import FinishedError, Record, UnknownMatchError
from webapp.replays.query import match_path
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.navigation import rules_url
from webapp.web.rate_limits import RateLimits

invitations = Blueprint("invitations", __name__, url_prefix="/invitations")


@dataclass(frozen=True)
class InvitationPage:
    """The page of an invitation (`matches/invitation.html`)."""

    record: Record
    secret: str
    player: str | None
    message: Message | None

    @property
    def url(self) -> str:
        """POST: take the seat."""
        return f"/invitations/{self.secret}"

    @property
    def game(self) -> str:
        return self.record.match.game.title

    @property
    def variant(self) -> str:
        return variant_title(self.record.game)

    @property
    def mark(self) -> str | None:
        """Of the free seat; None: it is taken."""
        return None if self.record.free_seat is None else self.record.free_seat.mark

    @property
    def own(self) -> bool:
        """Whether the visitor already has a seat."""
        return self.player is not None and self.player in self.record.holders

    @property
    def board(self) -> Board:
        match = self.record.match
        return picture_for(match.game, match.state, match.moves[-1] if match.moves else None)

    @property
    def match_url(self) -> str:
        return match_path(self.record.id)

    @property
    def rules_url(self) -> str:
        """Dialog: the rules of this variant."""
        return rules_url(self.record.match.game.spec, self.url)


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
    page = InvitationPage(record, secret, current_player(), message)
    if message is None and record.free_seat is None and not page.own:
        raise FinishedError("this invitation has been taken: it is for one friend")
    return render("matches/invitation.html", "matches/invitation.html", status, invitation=page)
