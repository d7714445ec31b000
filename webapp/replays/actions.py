"""What a visitor can do with a match: actions, the due reply, offers, invitations, following it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlsplit

from webapp.exhibits.matchbox import LET_IT_MOVE
from webapp.replays.models import PERSON, Record, Wish
from webapp.replays.query import bot_rematch_url, match_path
from webapp.replays.view import MatchView
from webapp.web.cookies import Actor
from webapp.web.qr import QrCode, qr_code

REPLY_TRIGGER = "load delay:500ms, every 600ms"  # after the move's animation, then polling
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
class Reply:
    """An agent's due move, requested by POST to `url` with the revision.

    `automatic` replies are requested by htmx (`hx-trigger` is `trigger`); else, and without
    htmx, by a button. Between two agents nothing is automatic: Next is this POST.
    """

    url: str
    automatic: bool
    label: str
    trigger: str = REPLY_TRIGGER


@dataclass(frozen=True, slots=True)
class Actions:
    """Addresses of the actions this visitor may take now; POST with `revision` unless noted."""

    undo: str | None = None
    hint: str | None = None  # GET: the match with the hint
    resign: str | None = None
    rematch: str | None = None  # a new match, same seats
    next: str | None = None  # a new match against `Record.next_opponent`
    next_label: str = ""  # Harder opponent: Apprentice, level 4 of 15
    swap: str | None = None  # in play: change seats; after the end: a new match, seats changed
    play_on: str | None = None  # a match of one's own from the shown ply: field `ply`
    puzzles: str | None = None  # those of this match, which is over
    story: str | None = None  # GET: "Where did it turn?"


def pending_reply(view: MatchView, label: str | None) -> Reply | None:
    """The agent's due move, if this visitor may request it; with a label, only by a button."""
    if not view.awaits_reply:
        return None
    automatic = bool(view.record.people) and label is None
    return Reply(view.child("reply"), automatic, label or LET_IT_MOVE)


def allowed_actions(view: MatchView) -> Actions:
    """The actions this visitor may take now."""
    record, query, actor = view.record, view.query, view.visit.actor
    over, may_change = record.outcome is not None, view.may_change
    playing = may_change and view.live and not over
    waits = record.is_shared and record.free_seat is not None
    again = may_change and over and record.followed_by is None and not waits and not record.bots
    again = again and not query.task  # a task's next match is begun on its page
    alone = len(record.people) == 1 and not record.bots and not record.rated
    allowed = {
        "undo": may_change and _may_undo(record, actor),
        "resign": may_change and bool(record.held_by(actor)) and not over,
        "rematch": again,
        "next": again and not query.lesson and record.next_opponent is not None,
        "swap": again or (may_change and alone),
        "puzzles": may_change and over and view.last_ply > 0 and not record.place,
        "play-on": view.state.outcome() is None and not playing,
    }
    urls = {name.replace("-", "_"): view.child(name) for name, may in allowed.items() if may}
    if "next" in urls and (rung := record.next_opponent):
        urls["next_label"] = (
            f"{'Easier' if record.is_lost_to_agent else 'Harder'} opponent: {rung.named}"
        )
    if record.bots and may_change and over:
        urls |= {"rematch": bot_rematch_url(record.id), "swap": bot_rematch_url(record.id, "swap")}
    still = replace(query, hint=False, pick=None)
    if may_change and view.hint_allowed:
        urls["hint"] = still.url(view.child("hint"))
    if over and view.last_ply and not query.story:
        urls["story"] = still.url(view.path, story=True)
    return Actions(**urls)


def _may_undo(record: Record, actor: Actor) -> bool:
    """Whether an own move can be taken back: never in a game with a bot, or one that counts.

    A friend must be present and have no open offer.
    """
    if record.bots or record.rated:
        return False
    waits = record.is_shared and (record.free_seat is not None or record.offer is not None)
    return not waits and record.last_turn_of(record.held_by(actor)) is not None


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
        """When to poll; empty at an earlier ply, in a local match, and some time after it.

        A bot moves without being asked.
        """
        view, record = self.view, self.view.record
        over = record.outcome is not None
        if not view.live:
            return ""
        if not view.may_change:
            return "" if over else POLL_WATCHING
        if record.bots:
            return "" if over else POLL_MOVING if view.may_move else POLL_WAITING
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
        known = self.view.record.pulse.key_for(visit.actor.player, visit.now)
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
            text = f"You would like {WISH_TEXTS[offer.wish]}. Waiting for your friend."
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
