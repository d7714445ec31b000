"""Two at two devices: invitations, what takes two to agree on, and following along."""

from __future__ import annotations

import re

from benchmarks.guard import adapter
from benchmarks.guard.fixed import pass_seconds
from benchmarks.guard.matches import begin, bring, move, path_of
from benchmarks.guard.record import Browser, Section

INVITATION = re.compile(r"/invitations/[\w-]+")


def tour(section: Section) -> None:
    for htmx in (False, True):
        section.start()
        owner, friend, stranger = (
            section.browser(name, htmx=htmx) for name in ("owner", "friend", "stranger")
        )
        together(owner, friend, stranger)
        agreed(owner, friend, stranger)
        across(owner, friend)


def together(owner: Browser, friend: Browser, stranger: Browser) -> None:
    """From the invitation to the last move, each page from every side."""
    for variant, moves in (
        ("tictactoe", "b2 a1 c3 a3 b3"),
        ("nim:preset=normal", "a1 b2"),
        ("quixo:size=3", "a1-a3 c3-c1"),
    ):
        path = path_of(begin(owner, variant, "friend"))
        link = _invitation(owner)
        for who in (stranger, friend, owner):
            who.get(link)
        friend.get(link)
        friend.does("/invitations/")
        stranger.post(link)
        stranger.get(link)
        friend.get(link)
        owner.get(path)
        for ply, text in enumerate(moves.split()):
            mover, other = (owner, friend) if ply % 2 == 0 else (friend, owner)
            mover.get(path)
            move(mover, text)
            other.get(f"{path}/follow?known=0")
            other.get(path)
            stranger.get(f"{path}/follow")
        for look in ("?values=1", "/hint", "/tree", "/analysis", "/story", "?present=1", "?ply=1"):
            friend.get(f"{path}{look}")
        pass_seconds(20)
        owner.get(path)
        pass_seconds(600)
        owner.get(path)


def agreed(owner: Browser, friend: Browser, stranger: Browser) -> None:
    """Take-backs, rematches and swaps, offered, accepted, declined and withdrawn."""
    path = path_of(begin(owner, "tictactoe", "friend"))
    friend.post(_invitation(owner))
    owner.get(path)
    move(owner, "b2")
    for action, answer in (("undo", "decline"), ("undo", "accept")):
        owner.get(path)
        owner.does(action)
        for who in (owner, friend, stranger):
            who.get(path)
        friend.get(path)
        friend.does(answer)
        owner.get(path)
    move(owner, "a1")
    owner.does("undo")
    owner.does("decline")
    friend.get(path)
    friend.does("resign")
    for who in (owner, friend, stranger):
        who.get(path)
    for action in ("rematch", "swap"):
        owner.get(path)
        if owner.last and owner.last.has_form(action):
            owner.does(action)
            friend.get(path)
            friend.get(f"{path}/follow")
            if friend.last and friend.last.has_form("accept"):
                friend.does("accept")
            owner.get(path)
            owner.get(f"{path}/follow?known=0")


def across(owner: Browser, friend: Browser) -> None:
    """A match at one screen is taken to two; an invitation is withdrawn."""
    path = path_of(begin(owner, "nim:preset=marienbad", "person"))
    move(owner, "d3")
    owner.does("/invite")
    link = _invitation(owner)
    owner.does("uninvite")
    friend.get(link)
    friend.post(link)
    owner.get(path)
    owner.does("/invite")
    friend.post(_invitation(owner))
    friend.get(path)
    owner.get("/matches")
    friend.get("/")
    friend.get("/matches")
    friend.get("/matches/export")
    bring(friend, "tictactoe", "b2", ("person", "person"))
    adapter.settle(friend.section.app)


def _invitation(owner: Browser) -> str:
    """The link on the page looked at last."""
    assert owner.last is not None
    return INVITATION.findall(owner.last.text)[0]
