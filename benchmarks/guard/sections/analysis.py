"""What machines think: every agent in every game it plays, with its head open; two of them side by
side; where a match turned; what a learner would learn from it."""

from __future__ import annotations

from contextlib import nullcontext
from urllib.parse import quote_plus

from benchmarks.guard import adapter
from benchmarks.guard.fixed import at_once
from benchmarks.guard.matches import ENDINGS, MIDWAY, begin, bring, move, path_of, reply
from benchmarks.guard.record import Browser, Section

# Small limits, none of them of time: what is said then is said on every machine.
SMALL = {
    "minimax": "minimax:depth=2",
    "alphabeta": "alphabeta:nodes=300",
    "mcts": "mcts:simulations=60",
    "quixo-deep": "quixo-deep:depth=3",
    "quixo-evolved": "quixo-evolved:depth=2",
}
OTHERS = {
    "nim": ("alphabeta:depth=3,evaluation=theory", "random:by=heap", "nim-sum:leave=nonzero"),
    "tictactoe": ("minimax:depth=9", "mcts:simulations=2", "perfect:skill=0.5"),
    "quixo": ("quixo-deep:level=casual", "quixo-deep:depth=2,evaluation=course", "quixo-deep"),
    "quixo:size=3": ("alphabeta:depth=2", "minimax:depth=1"),
}
PAIRS = {
    "nim": (("nim-expert", "nim-sum"), ("perfect", "mcts:simulations=30")),
    "tictactoe": (("perfect", "menace"), ("qlearning", "state-value"), ("perfect", "perfect")),
    "quixo": (("quixo-deep:depth=2", "quixo-evolved:depth=1"), ("random", "qlearning")),
    "quixo:size=3": (("perfect", "qlearning"),),
}
WRONG = (
    "chess",
    "perfect:colour=red",
    "menace",
    "nim-sum",
    "menace:brain=none",
    "mcts:simulations=0",
)
LEARNERS = {
    "nim": ("qlearning",),
    "tictactoe": ("menace", "qlearning", "reward-table", "state-value"),
}


def tour(section: Section) -> None:
    section.start(think_seconds=60.0)
    owner = section.browser("owner")
    for variant, moves in MIDWAY.items():
        path = path_of(bring(owner, variant, moves, ("person", "person")))
        for agent in adapter.agents_in(variant):
            look(owner, path, SMALL.get(agent, agent), deep=True)
        for spec in OTHERS.get(variant, ()):
            look(owner, path, spec, deep=False)
        for one, two in PAIRS.get(variant, ()):
            owner.get(f"{path}/compare?agent={one}&versus={two}")
            owner.get(f"{path}?values=1&agent={one}&versus={two}&ply=1")
        for spec in WRONG:
            owner.get(f"{path}?values=1&show=1&agent={quote_plus(spec)}")
        owner.get(f"{path}?values=1&agent=mcts&simulations=20")
        owner.get(f"{path}?values=1&agent=alphabeta&depth=2&show=1&present=1")
        owner.get(f"{path}/analysis?agent=random&ply=0")
    many = path_of(bring(owner, "nim:heaps=60-3", "a5", ("person", "nim-expert")))
    for query in ("", "?values=1", "?aid=1", "?hint=1", "?pick=a7"):
        owner.get(many + query)
    of_who_plays(owner)
    stories(owner)
    owner.get("/machines/perfect?game=quixo:size=4")
    path = path_of(bring(owner, "quixo:size=4", MIDWAY["quixo:size=4"], ("person", "person")))
    owner.get(f"{path}?hint=1")


def look(owner: Browser, path: str, spec: str, *, deep: bool) -> None:
    """The panel and the open head of one agent, and some of what can be turned in it."""
    by_clock = spec == "quixo-deep"
    with at_once() if by_clock else nullcontext():
        owner.get(f"{path}?values=1&agent={spec}")
        page = owner.get(f"{path}?values=1&show=1&agent={spec}")
        if deep:
            owner.tour(page, rf"{path}\?.*(part|step|open)=", most=3)
            owner.get(f"{path}?values=1&show=1&agent={spec}&ply=1&aid=1", both=False)


def of_who_plays(owner: Browser) -> None:
    """With the head of the opponent open while the match goes on."""
    for htmx in (False, True):
        owner.htmx = htmx
        for variant, agent, first in (
            ("nim:preset=marienbad", "es-rules", "d3"),
            ("tictactoe", "menace", "b2"),
            ("quixo:size=3", "mcts:simulations=40", "a1-a3"),
        ):
            path = path_of(begin(owner, variant, agent.partition(":")[0]))
            if ":" in agent:
                path = path_of(bring(owner, variant, "", ("person", agent)))
            owner.get(f"{path}?values=1&show=1")
            move(owner, first)
            reply(owner)
            owner.get(f"{path}?values=1&show=1&ply=1")
            owner.get(f"{path}?values=1&ply=1")
    owner.htmx = False


def stories(owner: Browser) -> None:
    """Matches that are over: their story, a lesson from it, and the way back into them."""
    for variant, moves in ENDINGS:
        key = variant.partition(":")[0]
        path = path_of(bring(owner, variant, moves, ("person", "random")))
        with at_once():
            page = owner.get(f"{path}/story")
            owner.get(f"{path}?story=1&ply=2&present=1")
            owner.tour(page, r"story=1", most=2)
        owner.last = page
        if page.has_form("Try again"):
            owner.does("Try again")
        for learner in LEARNERS.get(key, ()):
            seats = ("person", learner) if len(moves) % 2 else (learner, "person")
            page = bring(owner, variant, moves, seats)
            owner.tour(page, r"show=1", most=2, deeper=1)
