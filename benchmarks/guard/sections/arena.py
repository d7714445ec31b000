"""Arenas: the form, standings while they grow, who met whom, every game ply by ply, files."""

from __future__ import annotations

from typing import Any

from benchmarks.guard import adapter
from benchmarks.guard.fixed import at_once
from benchmarks.guard.record import Answer, Browser, Section

FIELDS = {"game": "tictactoe", "games": "4", "title": "Friday's cup", "seed": "3"}
MACHINES = ["random", "perfect", "menace"]
WRONG: tuple[dict[str, Any], ...] = (
    {"machine": []},
    {"machine": ["random"]},
    {"machine": ["random", "chess"]},
    {"machine": ["random", "nim-sum"]},
    {"games": "0"},
    {"games": "x"},
    {"games": "1000", "machine": ["random", "perfect", "menace", "qlearning", "mcts"]},
    {"seed": "-1"},
    {"opening": "99"},
    {"limit": "nodes", "amount": "x"},
    {"limit": "none", "amount": "5"},
    {"variant": "nim:heaps=0"},
    {"others": "chess"},
    {"title": "x" * 200},
)


def tour(section: Section) -> None:
    section.start(jobs_each=100)
    visitor, stranger = section.browser("visitor"), section.browser("stranger")
    jobs = adapter.Jobs(section.app)
    form(visitor)
    page = enter(visitor, MACHINES, **FIELDS)
    visitor.get(f"{page.path}.json")
    for turns in (1, 2):
        jobs.work(turns)
        for look in ("", "?seats=1", "?known=0"):
            visitor.get(page.path + look)
    stranger.get(page.path)
    jobs.work()
    done(visitor, stranger, page.path)
    page = enter(visitor, ["random", "opportunist"], **FIELDS | {"variant": "nim:heaps=3-4-5"})
    jobs.work(1)
    visitor.get(page.path)
    visitor.does("/cancel")
    jobs.work()
    visitor.get(page.path)
    visitor.does("/again")
    others = "alphabeta:depth=1\nmcts:simulations=20"
    small = {"limit": "nodes", "amount": "50", "opening": "2", "others": others, "title": ""}
    page = enter(visitor, ["random"], **FIELDS | small | {"game": "quixo:size=3"})
    jobs.work()
    visitor.get(page.path)
    visitor.get(f"{page.path}/meetings.csv")
    timed = {"limit": "seconds", "amount": "0.5", "opening": "1"}
    page = enter(visitor, ["random", "opportunist"], **FIELDS | timed)
    jobs.work()
    visitor.get(page.path)
    visitor.get(f"{page.path}.json")
    visitor.get("/jobs")
    visitor.get(page.path)
    if visitor.last and visitor.last.has_form("/discard"):
        visitor.does("/discard")


def enter(visitor: Browser, machines: list[str], **fields: Any) -> Answer:
    """By the form as it stands for that game; then at the arena."""
    visitor.last = visitor._send("GET", f"/arena?game={fields['game']}", record=False)
    form = next(form for form in visitor.last.page.forms if form.id == "entry")
    return visitor.follow(visitor.submit(form, form.buttons[-1], machine=machines, **fields))


def form(visitor: Browser) -> None:
    """For every game, brought up to date, and all that can be wrong with it."""
    front = visitor.get("/arena")
    entry = next(form for form in front.page.forms if form.id == "entry")
    for game in next(each for each in entry.controls if each.name == "game").options:
        visitor.get(f"/arena?game={game}&machine=random&machine=perfect&games=10")
    visitor.get("/arena?game=chess")
    visitor.get("/arena?like=none")
    for htmx in (False, True):
        visitor.htmx = htmx
        for change in WRONG:
            fields = {"machine": MACHINES} | FIELDS | change
            pairs = [(name, each) for name, value in fields.items() for each in _each(value)]
            visitor.post("/arena", pairs)
    visitor.htmx = False


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def done(visitor: Browser, stranger: Browser, path: str) -> None:
    """An arena that was played to its end."""
    page = visitor.get(path)
    stranger.get(path)
    for look in ("?seats=1", "?present=1", ".json", "/standings.csv", "/standings.csv?times=1"):
        visitor.get(path + look)
    visitor.get(f"{path}/meetings.csv")
    visitor.tour(page, rf"^{path}", most=30)
    for pair in ("1-2", "2-1", "1-1", "1-9", "1-2?page=2"):
        visitor.get(f"{path}/{pair}")
    visitor.get(f"{path}/machines/9")
    for number in (1, 2, 999):
        game = f"{path}/games/{number}"
        page = visitor.get(game)
        with at_once():
            for look in (
                "?ply=0",
                "?ply=2",
                "?ply=99",
                "?values=1&ply=2",
                "/story",
                ".json",
                ".txt",
            ):
                visitor.get(game + look)
            visitor.get(f"{game}/analysis?ply=1&agent=perfect&show=1")
            visitor.get(f"{game}/compare?ply=1&agent=perfect&versus=menace")
            visitor.get(f"{game}/tree?ply=1&depth=1")
        if page.status == 200:
            stranger.follow(stranger.post(f"{game}/play-on", {"ply": "2", "revision": "0"}))
        stranger.post(f"{game}/play-on", {"ply": "99"})
    visitor.get(f"/arena?like={path.rpartition('/')[2]}")
    for action in ("cancel", "discard"):
        stranger.post(f"{path}/{action}")
    visitor.post(f"{path}/cancel")
    visitor.get(path)
    visitor.does("/again")
