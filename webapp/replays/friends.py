"""Matches with a friend on another device, and spectators: polling, offers and invitations."""

from __future__ import annotations

from urllib.parse import urlsplit

from webapp.replays.models import PERSON, Record, Wish
from webapp.replays.ply_view import Viewing
from webapp.replays.query import match_path, with_query
from webapp.replays.seats import Pulse
from webapp.replays.views import Company, InvitationView, OfferView
from webapp.web.qr import code_of

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


def company_view(viewing: Viewing) -> Company:
    """The view of polling, offers and invitations for this visitor."""
    record, visit = viewing.record, viewing.visit
    trigger = _trigger(viewing)
    known = pulse_of(record).known(visit.actor.player, visit.now)
    follow = with_query(viewing.child("follow"), viewing.query)
    plays = bool(record.held_by(visit.actor))
    return Company(
        follow=f"{follow}{'&' if '?' in follow else '?'}known={known}" if trigger else None,
        trigger=trigger,
        refresh=with_query(viewing.path, viewing.query) if trigger else None,
        offer=_offer(viewing) if plays else None,
        invitation=_invitation(viewing) if plays else None,
        invite=_invite(viewing),
        next_url=match_path(record.followed_by) if plays and record.followed_by else None,
        live_link=visit.site + match_path(record.id),
    )


def pulse_of(record: Record) -> Pulse:
    """The parts of the record that following pages poll for."""
    offer = None if record.offer is None else str(record.offer)
    return Pulse(record.revision, offer, record.followed_by, record.holders, record.seen)


def _trigger(viewing: Viewing) -> str:
    """The polling trigger; empty at an earlier ply, in a local match, and some time after it."""
    record, over = viewing.record, viewing.record.outcome is not None
    if not viewing.live:
        return ""
    if not viewing.may_change:
        return "" if over else POLL_WATCHING
    if not (record.is_shared and record.held_by(viewing.visit.actor)):
        return ""
    if over:
        recent = viewing.visit.now - record.updated < REMATCH_SECONDS
        return POLL_MOVING if recent and record.followed_by is None else ""
    return POLL_MOVING if viewing.may_move and record.free_seat is None else POLL_WAITING


def _offer(viewing: Viewing) -> OfferView | None:
    offer = viewing.record.offer
    if offer is None:
        return None
    decline = viewing.child("decline")
    if offer.seat in viewing.record.held_by(viewing.visit.actor):
        text = f"You would like {WISH_TEXTS[offer.wish]}: not answered yet."
        return OfferView(text, None, decline, "Withdraw")
    who = viewing.players[offer.seat].title
    text = f"{who} would like {WISH_TEXTS[offer.wish]}."
    return OfferView(text, viewing.child("accept"), decline, "Decline")


def _invitation(viewing: Viewing) -> InvitationView | None:
    record, site = viewing.record, viewing.visit.site
    if record.free_seat is None or record.invitation is None:
        return None
    link = f"{site}/invitations/{record.invitation}"
    only_here = urlsplit(site).hostname in LOOPBACK_HOSTS
    return InvitationView(link, code_of(link), viewing.child("uninvite"), only_here)


def _invite(viewing: Viewing) -> str | None:
    """The action that creates an invitation, if a person holds both seats or the link is gone."""
    record = viewing.record
    own = record.held_by(viewing.visit.actor)
    if record.seats != (PERSON, PERSON) or record.outcome is not None or not own:
        return None
    free = record.free_seat is not None and record.invitation is None
    return viewing.child("invite") if len(own) == 2 or free else None
