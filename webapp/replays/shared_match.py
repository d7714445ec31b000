"""A friend on another device, or spectators: polling, offers and invitations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from webapp.replays.models import PERSON, Record, Wish
from webapp.replays.query import match_path
from webapp.replays.seats import Pulse
from webapp.replays.view import MatchView
from webapp.web.qr import QrCode, qr_code

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
REMATCH_SECONDS = 300  # after the end in which the page still polls for a rematch
WISH_TEXTS = {
    Wish.UNDO: "to take back a move",
    Wish.REMATCH: "a rematch",
    Wish.SWAP: "a rematch with sides changed",
}
# htmx triggers. Returning to the tab polls at once (event `look`); a hidden tab does not poll.
POLL_WAITING = "every 1s, look"
POLL_MOVING = "every 3s, look"
POLL_WATCHING = "every 2s, look"


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer of one player to the other; answered by POST with `revision`."""

    text: str  # Friend would like to take back a move.
    accept: str | None  # None: the visitor's own offer
    decline: str
    label: str  # Decline, or Withdraw


@dataclass(frozen=True, slots=True)
class Invitation:
    """The invitation to the free seat."""

    link: str
    code: QrCode
    withdraw: str
    only_here: bool  # a loopback address that no other device can open


@dataclass(frozen=True)  # no slots: cached properties
class Company:
    """What a page shows of a friend or to a spectator (`replays/_company.html`)."""

    view: MatchView

    @cached_property
    def _plays(self) -> bool:
        return bool(self.view.record.held_by(self.view.visit.actor))

    @cached_property
    def trigger(self) -> str:
        """When to poll; empty at an earlier ply, in a local match, and some time after it."""
        view, record = self.view, self.view.record
        over = record.outcome is not None
        if not view.live:
            return ""
        if not view.may_change:
            return "" if over else POLL_WATCHING
        if not (record.is_shared and self._plays):
            return ""
        if over:
            recent = view.visit.now - record.updated < REMATCH_SECONDS
            return POLL_MOVING if recent and record.followed_by is None else ""
        return POLL_MOVING if view.may_move and record.free_seat is None else POLL_WAITING

    @property
    def follow(self) -> str | None:
        """GET, 204 until something changes."""
        if not self.trigger:
            return None
        visit = self.view.visit
        known = pulse_of(self.view.record).known(visit.actor.player, visit.now)
        url = visit.query.url(self.view.child("follow"))
        return f"{url}{'&' if '?' in url else '?'}known={known}"

    @property
    def refresh(self) -> str | None:
        """The same without JavaScript."""
        return self.view.here if self.trigger else None

    @property
    def next_url(self) -> str | None:
        """The rematch."""
        follower = self.view.record.followed_by
        return match_path(follower) if self._plays and follower else None

    @property
    def live_link(self) -> str:
        return self.view.visit.site + match_path(self.view.record.id)

    @property
    def offer(self) -> Offer | None:
        offer, view = self.view.record.offer, self.view
        if offer is None or not self._plays:
            return None
        decline = view.child("decline")
        if offer.seat in self.view.record.held_by(view.visit.actor):
            text = f"You would like {WISH_TEXTS[offer.wish]}: not answered yet."
            return Offer(text, None, decline, "Withdraw")
        text = f"{view.players[offer.seat].title} would like {WISH_TEXTS[offer.wish]}."
        return Offer(text, view.child("accept"), decline, "Decline")

    @property
    def invitation(self) -> Invitation | None:
        record, site = self.view.record, self.view.visit.site
        if not self._plays or record.free_seat is None or record.invitation is None:
            return None
        link = f"{site}/invitations/{record.invitation}"
        only_here = urlsplit(site).hostname in LOOPBACK_HOSTS
        return Invitation(link, qr_code(link), self.view.child("uninvite"), only_here)

    @property
    def invite(self) -> str | None:
        """POST: create an invitation, if a person holds both seats or the link is gone."""
        record = self.view.record
        own = record.held_by(self.view.visit.actor)
        if record.seats != (PERSON, PERSON) or record.outcome is not None or not own:
            return None
        free = record.free_seat is not None and record.invitation is None
        return self.view.child("invite") if len(own) == 2 or free else None


def pulse_of(record: Record) -> Pulse:
    """The parts of the record that following pages poll for."""
    offer = None if record.offer is None else str(record.offer)
    return Pulse(record.revision, offer, record.followed_by, record.holders, record.seen)
