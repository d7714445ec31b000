"""Matches from their first move to every end, by their owner, a friend, a stranger, with and
without htmx."""

from __future__ import annotations

from benchmarks.guard import adapter
from benchmarks.guard.fixed import at_once, pass_seconds
from benchmarks.guard.matches import (
    ENDINGS,
    LONGEST,
    MIDWAY,
    VARIANTS,
    begin,
    bring,
    move,
    path_of,
    reply,
)
from benchmarks.guard.record import Browser, Section
from webapp.config import Rate

FIRST = {"nim": "c2", "tictactoe": "b2", "quixo": "a1-a5"}
OPPONENTS = {"nim": "nim-expert", "tictactoe": "perfect", "quixo": "quixo-deep:level=casual"}
PICKS = {"nim": "c2", "tictactoe": "a1", "quixo": "c1"}
LOOKS = ("ply=0", "ply=1", "ply=99", "ply=x", "present=1", "aid=1", "pick={pick}", "pick=zz")
LOOKS += ("values=1", "values=1&ply=1", "hint=1", "story=1", "values=1&present=1")


def tour(section: Section) -> None:
    for htmx in (False, True):
        section.start()
        owner = section.browser("owner", htmx=htmx)
        stranger = section.browser("stranger", htmx=htmx)
        for variant in VARIANTS:
            one_match(owner, stranger, variant)
    section.start()
    looks(section)
    refusals(section)
    section.start()
    endings(section)
    section.start()
    watching(section)
    waiting(section)


def one_match(owner: Browser, stranger: Browser, variant: str) -> None:
    """Against a machine: moves, replies, second thoughts, to the end by resigning, and on."""
    key = variant.partition(":")[0]
    first = "a2" if "twenty" in variant or "normal" in variant else FIRST[key]
    first = {"quixo:size=4": "a1-a4", "quixo:size=3": "a1-a3"}.get(variant, first)
    page = begin(owner, variant, OPPONENTS[key])
    path = path_of(page)
    stranger.get(path)
    move(owner, first)
    reply(owner)
    stranger.get(path)
    if variant != "quixo:size=4":  # is worked out whole first, which the section `analysis` does
        with at_once():
            owner.get(owner.last.link("/hint") if owner.last else path)
    owner.get(path)
    owner.does("undo")
    owner.does("swap")
    if owner.last and owner.last.has_form("/reply"):
        reply(owner)
    owner.does("resign")
    stranger.get(path)
    owner.get(path)
    owner.does("rematch")
    owner.get(path)
    owner.does("play-on") if owner.last and owner.last.has_form("play-on") else None
    owner.get(f"{path}?ply=1")
    owner.does("play-on")
    stranger.get(f"{path}?ply=1")
    stranger.does("play-on")
    for ending in (".json", ".txt"):
        owner.get(f"{path}{ending}")


def looks(section: Section) -> None:
    """Every way to look at a match of each variant, from either side."""
    owner, stranger = section.browser("owner"), section.browser("stranger")
    for variant, moves in MIDWAY.items():
        key = variant.partition(":")[0]
        path = path_of(bring(owner, variant, moves, ("person", OPPONENTS[key])))
        with at_once():
            for look in LOOKS:
                if variant != "quixo:size=4" or look not in {"hint=1", "story=1"}:
                    owner.get(f"{path}?{look.format(pick=PICKS[key])}")
            for look in LOOKS[:3]:
                stranger.get(f"{path}?{look}")
        page = bring(owner, variant, moves, ("person", "person"))
        for look in ("pick={pick}", "aid=1&pick={pick}"):
            owner.get(f"{path_of(page)}?{look.format(pick=PICKS[key])}")
        owner.tour(owner.get(path_of(page)), r"\?ply=\d", most=3)
        for button in list(page.form("/moves").buttons)[:4]:
            if button.attributes.get("formmethod") == "get":
                owner.submit(page.form("/moves"), button)
    owner.get("/matches")
    owner.get("/matches/export")
    owner.get("/")


def refusals(section: Section) -> None:
    """What cannot be done, and what is said then."""
    owner, stranger = section.browser("refused"), section.browser("stranger")
    for kind in ("page", "htmx"):
        owner.htmx = stranger.htmx = kind == "htmx"
        page = begin(owner, "tictactoe", "perfect")
        path = path_of(page)
        for fields in (
            {"move": "z9", "revision": 0},
            {"move": "", "revision": 0},
            {"move": "b2", "revision": 7},
            {"move": "b2", "revision": "x"},
            {"move": "b2"},
        ):
            owner.post(f"{path}/moves", fields)
        stranger.post(f"{path}/moves", {"move": "b2", "revision": 0})
        owner.post(f"{path}/undo", {"revision": 0})
        owner.post(f"{path}/reply", {"revision": 0})
        owner.get(path)
        move(owner, "b2")
        owner.post(f"{path}/moves", {"move": "b2", "revision": 1})
        for action in ("undo", "swap", "resign", "rematch", "accept", "decline", "invite"):
            stranger.post(f"{path}/{action}", {"revision": 1})
        owner.post(f"{path}/invite", {"revision": 1})
        for ply in ("99", "x"):
            owner.post(f"{path}/play-on", {"revision": 1, "ply": ply})
        owner.post(f"{path}/resign", {"revision": 1})
        for action in ("moves", "resign", "reply", "undo"):
            owner.post(f"{path}/{action}", {"revision": 2, "move": "a1"})
    page = begin(owner, "nim", "random")
    adapter.change_row(
        section.app, f"update matches set game = 'gone' where id = '{page_id(page.path)}'"
    )
    owner.htmx = False
    for path in (page.path, "/", "/matches"):
        owner.get(path)


def page_id(path: str) -> str:
    return path.rpartition("/")[2].partition("?")[0]


def endings(section: Section) -> None:
    """Matches that are over, in every way they can be; and the last move to it, made here."""
    owner = section.browser("owner")
    for variant, text in (*ENDINGS, ("quixo", LONGEST)):
        *before, last = text.split()
        page = bring(owner, variant, " ".join(before), ("person", "person"))
        move(owner, last)
        path = path_of(page)
        for ending in ("?ply=1", "?values=1", ".txt"):
            owner.get(path + ending)
        machine = OPPONENTS[variant.partition(":")[0]]
        players = ("person", machine) if len(before) % 3 else (machine, "person")
        page = bring(owner, variant, text, players)
        if len(before) < 100:
            owner.get(f"{path_of(page)}?present=1")
    owner.get("/matches")
    owner.get("/matches?page=2")
    owner.get("/matches?page=x")
    owner.get("/")


def watching(section: Section) -> None:
    """Two machines, move by move."""
    for htmx in (False, True):
        owner = section.browser("owner", htmx=htmx)
        for variant, one, two in (
            ("nim", "random", "nim-expert"),
            ("tictactoe", "perfect", "menace"),
            ("quixo:size=3", "opportunist", "qlearning"),
        ):
            page = begin(owner, variant, one, mode="watch", rival=two)
            for _ in range(3):
                reply(owner)
            owner.get(f"{path_of(page)}?values=1&ply=1")
            owner.get(f"{path_of(page)}?values=1")
            owner.get(f"{path_of(page)}?present=1")


def waiting(section: Section) -> None:
    """While nobody answers: thinking, still thinking; and where too many ask."""
    section.start(think="never", pool_queue=3, pool_each=2)
    owner, other = section.browser("owner"), section.browser("other")
    page = begin(owner, "tictactoe", "perfect", starts="opponent")
    path = path_of(page)
    for look in ("", "?values=1", "?values=1&ply=0", "/analysis?agent=random", "/hint", "/story"):
        owner.get(path + look)
    reply(owner)
    owner.htmx = True
    owner.get(path)
    reply(owner)
    owner.htmx = False
    owner.get(f"{path}/tree")
    owner.get(f"{path}/compare?agent=perfect&versus=random")
    owner.get(f"{path}?values=1&agent=mcts")
    watched = bring(other, "tictactoe", "b2 a1", ("perfect", "menace"))
    for look in ("", "?values=1", "?values=1&ply=1"):
        other.get(path_of(watched) + look)
    for opponent in ("menace", "random"):
        begin(other, "tictactoe", opponent, starts="opponent")
        if other.last and other.last.has_form("/reply"):
            reply(other)
    pass_seconds(3600)
    owner.get("/")
    section.start(rates_player=Rate(0.001, 4), rates_match=Rate(0.001, 2))
    hasty = section.browser("hasty")
    page = begin(hasty, "tictactoe", "perfect")
    for _ in range(3):
        move(hasty, "b2")
        hasty.get(path_of(page))
    begin(hasty, "nim", "random")
    hasty.htmx = True
    hasty.post(f"{path_of(page)}/moves", {"move": "b2", "revision": 0})
    section.start()
    owner = section.browser("owner")
    page = begin(owner, "tictactoe", "perfect")
    adapter.change_row(section.app, "drop table moves")
    for path in (page.path, "/matches"):
        owner.get(path)
    owner.post(f"{page.path}/moves", {"move": "b2", "revision": 0})
