"""A friend on another device, and whoever watches: what each is shown of the other."""

from __future__ import annotations

from urllib.parse import urlsplit

from webapp.replays.models import PERSON, Record, Wish
from webapp.replays.ply_view import Viewing
from webapp.replays.query import path_of, with_query
from webapp.replays.seats import Pulse
from webapp.replays.views import Company, InvitationView, OfferView
from webapp.web.qr import code_of

LOOPBACK = ("localhost", "127.0.0.1", "::1")
AFTERWARDS = 300  # seconds after the end in which a friend may still want a rematch
WANTS = {
    Wish.UNDO: "to take back a move",
    Wish.REMATCH: "a rematch",
    Wish.SWAP: "a rematch with sides changed",
}
# How often a page asks. Returning to its tab asks at once (`look`); a hidden tab does not ask.
WAITING = "every 1s, look"
MOVING = "every 3s, look"
WATCHING = "every 2s, look"


def company_of(viewing: Viewing) -> Company:
    """All of it, for this visitor."""
    record, visit = viewing.record, viewing.visit
    trigger = _trigger(viewing)
    known = pulse_of(record).known(visit.actor.player, visit.now)
    follow = with_query(viewing.child("follow"), viewing.look)
    plays = bool(record.held_by(visit.actor))
    return Company(
        follow=f"{follow}{'&' if '?' in follow else '?'}known={known}" if trigger else None,
        trigger=trigger,
        refresh=with_query(viewing.path, viewing.look) if trigger else None,
        offer=_offer(viewing) if plays else None,
        invitation=_invitation(viewing) if plays else None,
        invite=_invite(viewing),
        next_url=path_of(record.followed_by) if plays and record.followed_by else None,
        live_link=visit.site + path_of(record.id),
    )


def pulse_of(record: Record) -> Pulse:
    """What of the record changes while someone follows it."""
    offer = None if record.offer is None else str(record.offer)
    return Pulse(record.revision, offer, record.followed_by, record.holders, record.seen)


def _trigger(viewing: Viewing) -> str:
    """How often this page asks; not at all at an earlier ply, of one's own match, or after it."""
    record, over = viewing.record, viewing.record.outcome is not None
    if not viewing.live:
        return ""
    if not viewing.may_change:
        return "" if over else WATCHING
    if not (record.is_shared and record.held_by(viewing.visit.actor)):
        return ""
    if over:
        lately = viewing.visit.now - record.updated < AFTERWARDS
        return MOVING if lately and record.followed_by is None else ""
    return MOVING if viewing.may_move and record.free_seat is None else WAITING


def _offer(viewing: Viewing) -> OfferView | None:
    offer = viewing.record.offer
    if offer is None:
        return None
    decline = viewing.child("decline")
    if offer.seat in viewing.record.held_by(viewing.visit.actor):
        text = f"You would like {WANTS[offer.wish]}: not answered yet."
        return OfferView(text, None, decline, "Withdraw")
    who = viewing.players[offer.seat].title
    text = f"{who} would like {WANTS[offer.wish]}."
    return OfferView(text, viewing.child("accept"), decline, "Decline")


def _invitation(viewing: Viewing) -> InvitationView | None:
    record, site = viewing.record, viewing.visit.site
    if record.free_seat is None or record.invitation is None:
        return None
    link = f"{site}/invitations/{record.invitation}"
    only_here = urlsplit(site).hostname in LOOPBACK
    return InvitationView(link, code_of(link), viewing.child("uninvite"), only_here)


def _invite(viewing: Viewing) -> str | None:
    """Offered where one person sits on both seats, or the other's is free and has no link."""
    record = viewing.record
    own = record.held_by(viewing.visit.actor)
    if record.seats != (PERSON, PERSON) or record.outcome is not None or not own:
        return None
    free = record.free_seat is not None and record.invitation is None
    return viewing.child("invite") if len(own) == 2 or free else None
