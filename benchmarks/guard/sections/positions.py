"""Any position: the editor press by press, what cannot be, thoughts on it, played on from."""

from __future__ import annotations

from urllib.parse import quote_plus

from benchmarks.guard.fixed import at_once
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


def tour(section: Section) -> None:
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
            if form.method == "post":
                for changes in ({}, {"opponent": "person"}, {"opponent": "random", "seat": "o"}):
                    visitor.follow(visitor.submit(form, **changes))
                for changes in ({"seat": "z"}, {"opponent": "chess"}, {"state": "nonsense"}):
                    visitor.submit(form, **changes)
        visitor.tour(page, r"^/class/ask\?", most=1)
    visitor.post("/positions", {"game": "tictactoe", "state": "xxx/oo./... o"})
    visitor.post("/positions", {"game": "chess"})


def _address(game: str, state: str, side: str = "") -> str:
    said = [f"game={quote_plus(game)}"] if game else []
    said += [f"state={quote_plus(state)}"] if state else []
    return f"/positions{side}?{chr(38).join(said)}" if said or side else "/positions"
