"""Any position: the editor press by press, what cannot be, thoughts on it, played on from; and its
tree."""

from __future__ import annotations

from urllib.parse import quote_plus

from benchmarks.guard.fixed import at_once
from benchmarks.guard.matches import MIDWAY, bring, path_of
from benchmarks.guard.record import Section

STATES = (
    ("", ""),
    ("nim", ""),
    ("nim:preset=marienbad", "1-2-3-0 o"),
    ("nim:heaps=50", "50 x"),
    ("tictactoe", "x.o/.x./..o x"),
    ("tictactoe", "xxx/oo./... o"),
    ("tictactoe", "xxx/xxx/... o"),
    ("quixo", ""),
    ("quixo", "x...o/...../..x../...../o...x o"),
    ("quixo:size=3", "..x/.../o.x o"),
    ("quixo:size=4", "xxxx/..../..../oooo x"),
    ("quixo:size=3", "ooo/.../xxx x"),
)
WRONG = (
    ("chess", ""),
    ("nim", "nonsense"),
    ("nim", "99-1 x"),
    ("nim", "0-0-0-0-0 x"),
    ("tictactoe", "x.o/.x. x"),
    ("tictactoe", "xxo/.x./..o x"),
    ("quixo:size=3", "..x/.../o.x z"),
    ("quixo", "\u0000"),
)
LOOKS = ("present=1", "place=o", "place=blank", "aid=1", "values=1&agent=random", "place=none")
AGENTS = {"nim": "nim-expert", "tictactoe": "perfect", "quixo": "quixo-deep:depth=2"}
TREES = ("", "depth=1", "depth=2&algorithm=minimax", "depth=2&algorithm=alphabeta&upto=5")
TREES += ("depth=3&upto=17", "depth=2&order=best", "depth=2&order=worst", "depth=2&upto=0")
TREES += (
    "depth=2&open=0",
    "depth=2&open=0.1",
    "depth=2&open=99",
    "depth=2&open=x",
    "depth=2&ply=0",
)
TREES += ("depth=2&present=1", "agent=minimax:depth=1", "agent=alphabeta:depth=2", "agent=random")
TREES += ("depth=100", "depth=0", "algorithm=none&depth=x", "order=none", "ply=99", "known=1")
FROM = (
    ("tictactoe", "x.o/.x./..o+x"),
    ("nim:heaps=1-2", "1-2+x"),
    ("quixo:size=3", "..x/.../o.x+o"),
)


def tour(section: Section) -> None:
    positions(section)
    trees(section)


def positions(section: Section) -> None:
    visitor = section.browser("visitor")
    for game, state in (*STATES, *WRONG):
        path = _address(game, state)
        page = visitor.get(path)
        joined = "&" if "?" in path else "?"
        with at_once():
            for look in LOOKS:
                visitor.get(f"{path}{joined}{look}")
        agent = AGENTS.get(game.partition(":")[0] or "quixo", "random")
        visitor.get(f"{path}{joined}values=1&show=1&agent={agent}")
        visitor.get(_address(game, state, "/compare") + f"&agent={agent}&versus=random")
        visitor.get(_address(game, state, "/analysis") + "&agent=opportunist")
        for form in page.page.forms:
            if form.method == "get":
                for button in (form.buttons or [None])[:4]:
                    visitor.submit(form, button)
        for form in page.page.forms:
            if form.method == "post" and form.action != "/class/tools":
                for changes in ({}, {"opponent": "person"}, {"opponent": "random", "seat": "o"}):
                    visitor.follow(visitor.submit(form, **changes))
                for changes in ({"seat": "z"}, {"opponent": "chess"}, {"state": "nonsense"}):
                    visitor.submit(form, **changes)
        visitor.post("/class/tools", {"show": "1"})
        visitor.tour(visitor.get(path), r"^/class/ask\?", most=1)
    visitor.post("/positions", {"game": "tictactoe", "state": "xxx/oo./... o"})
    visitor.post("/positions", {"game": "chess"})


def _address(game: str, state: str, side: str = "") -> str:
    said = [f"game={quote_plus(game)}"] if game else []
    said += [f"state={quote_plus(state)}"] if state else []
    return f"/positions{side}?{chr(38).join(said)}" if said or side else "/positions"


def trees(section: Section) -> None:
    """The textbook's search, move by move: depths, orders, moments of it and open branches."""
    owner, stranger = section.browser("owner"), section.browser("stranger")
    for variant, moves in MIDWAY.items():
        large = variant in {"nim", "nim:preset=marienbad"} or "quixo" in variant
        path = path_of(bring(owner, variant, moves, ("person", "alphabeta:depth=2")))
        for look in TREES:
            if large and "depth=100" in look:
                continue
            owner.get(f"{path}/tree?{look}" if look else f"{path}/tree")
        stranger.get(f"{path}/tree?depth=1")
        page = owner.get(f"{path}/tree?depth=2&order=best")
        owner.tour(page, r"/tree\?", most=4, deeper=1)
        for form in page.page.forms:
            if form.method == "get":
                owner.submit(form)
    for game, state in FROM:
        page = owner.get(f"/positions/tree?game={game}&state={state}&depth=2")
        owner.tour(page, r"/tree\?", most=4)
    owner.get("/positions/tree?game=nim&state=nonsense")
    owner.get("/positions/tree?game=tictactoe&state=xxx/oo./...+o")
