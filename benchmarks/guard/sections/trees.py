"""The textbook's search, move by move: depths, orders, moments of it and open branches."""

from __future__ import annotations

from benchmarks.guard.matches import MIDWAY, bring, path_of
from benchmarks.guard.record import Section

LOOKS = ("", "depth=1", "depth=2&algorithm=minimax", "depth=2&algorithm=alphabeta&upto=5")
LOOKS += ("depth=3&upto=17", "depth=2&order=best", "depth=2&order=worst", "depth=2&upto=0")
LOOKS += (
    "depth=2&open=0",
    "depth=2&open=0.1",
    "depth=2&open=99",
    "depth=2&open=x",
    "depth=2&ply=0",
)
LOOKS += ("depth=2&present=1", "agent=minimax:depth=1", "agent=alphabeta:depth=2", "agent=random")
LOOKS += ("depth=100", "depth=0", "algorithm=none&depth=x", "order=none", "ply=99", "known=1")
STATES = (
    ("tictactoe", "x.o/.x./..o+x"),
    ("nim:heaps=1-2", "1-2+x"),
    ("quixo:size=3", "..x/.../o.x+o"),
)


def tour(section: Section) -> None:
    owner, stranger = section.browser("owner"), section.browser("stranger")
    for variant, moves in MIDWAY.items():
        large = variant in {"nim", "nim:preset=marienbad"} or "quixo" in variant
        path = path_of(bring(owner, variant, moves, ("person", "alphabeta:depth=2")))
        for look in LOOKS:
            if large and "depth=100" in look:
                continue
            owner.get(f"{path}/tree?{look}" if look else f"{path}/tree")
        stranger.get(f"{path}/tree?depth=1")
        page = owner.get(f"{path}/tree?depth=2&order=best")
        owner.tour(page, r"/tree\?", most=4, deeper=1)
        for form in page.page.forms:
            if form.method == "get":
                owner.submit(form)
    for game, state in STATES:
        page = owner.get(f"/positions/tree?game={game}&state={state}&depth=2")
        owner.tour(page, r"/tree\?", most=4)
    owner.get("/positions/tree?game=nim&state=nonsense")
    owner.get("/positions/tree?game=tictactoe&state=xxx/oo./...+o")
