"""The lobby: every choice of every card, what is wrong with one, matches brought along."""

from __future__ import annotations

import json

from benchmarks.guard.matches import ENDINGS, begin, bring, move, path_of
from benchmarks.guard.page import Form
from benchmarks.guard.record import Browser, Section
from webapp.config import Rate

WRONG: tuple[dict[str, str], ...] = (
    {},
    {"game": "chess"},
    {"game": "nim", "opponent": "chess"},
    {"game": "nim", "opponent": "menace"},
    {"game": "nim", "opponent": "person", "preset": "none"},
    {"game": "nim", "opponent": "person", "preset": "custom", "nim.heaps": "0"},
    {"game": "nim", "opponent": "person", "preset": "custom", "nim.heaps": "3-4", "nim.last": "x"},
    {"game": "nim", "opponent": "person", "preset": "custom", "nim.heaps": "99-99-99-99-99-99-99"},
    {"game": "tictactoe", "opponent": "perfect:skill=2"},
    {"game": "tictactoe", "opponent": "menace:brain=none"},
    {"game": "tictactoe", "opponent": "mcts", "opponent.mcts.simulations": "many"},
    {"game": "quixo", "opponent": "person", "preset": "custom", "quixo.size": "9"},
    {"game": "quixo", "opponent": "person", "starts": "x", "mode": "x"},
)
TEXTS = ("", "nonsense", "{", "{}", "[1]", '{"format": "zermelo match 9"}', "tictactoe\n1. b2 b2")
FILES = (b"\xff\xfe\x00", b"", b"quixo:size=3\n")


def tour(section: Section) -> None:
    visitor = section.browser("visitor")
    front = visitor.get("/")
    for card in front.page.forms:
        if not (game := _game_of(card)):
            continue
        for level in [each.value for each in card.controls if each.name == "opponent"]:
            visitor.submit(card, opponent=level)
        for look in ("mode=watch", "opponent=friend"):
            visitor.get(f"/?game={game}&{look}")
        choices(visitor, game)
    for htmx in (False, True):
        visitor.htmx = htmx
        for fields in WRONG:
            visitor.post("/matches", fields)
    visitor.htmx = False
    own_variants(visitor)
    visitor.get("/")
    exchange(section)
    section.start(rates_match=Rate(0.001, 2), rates_newcomer=Rate(0.001, 1))
    hasty = section.browser("hasty")
    for _ in range(5):
        hasty.post("/matches", {"game": "nim", "opponent": "person"})
    section.browser("newcomer").post("/matches", {"game": "nim", "opponent": "person"})


def choices(visitor: Browser, game: str) -> None:
    """A card with every machine and variant, as it is once these are asked for."""
    open_card = visitor.get(f"/?game={game}&choose=1")
    form = next(each for each in open_card.page.forms if _game_of(each) == game)
    picked = {each.name: each.options for each in form.controls if each.kind == "select"}
    more = next(each for each in form.buttons if each.name == "more")
    for opponent in picked["opponent"]:
        visitor.submit(form, more, opponent=opponent)
    for preset in picked["preset"]:
        visitor.submit(form, more, preset=preset, mode="watch")
        visitor.get(f"/?game={game}&preset={preset}")
    for starts in picked["starts"]:
        visitor.get(f"/?game={game}&starts={starts}&opponent=friend")
    for fields in WRONG:
        if fields.get("game") == game:
            visitor.get("/?" + "&".join(f"{name}={text}" for name, text in fields.items()))
    visitor.submit(form, mode="watch")
    visitor.submit(form, starts="lot")


def _game_of(form: Form) -> str:
    return next((each.value for each in form.controls if each.name == "game"), "")


def own_variants(visitor: Browser) -> None:
    """Variants that have no name."""
    for game, fields in (
        ("nim", {"nim__heaps": "2-5", "nim__last": "wins", "nim__max_take": "2"}),
        ("nim", {"nim__heaps": "30"}),
        ("quixo", {"quixo__size": "4"}),
    ):
        front = visitor._send("GET", f"/?game={game}&preset=custom", record=False)
        form = next(each for each in front.page.forms if _game_of(each) == game)
        visitor.follow(visitor.submit(form, opponent="person", **fields))


def exchange(section: Section) -> None:
    """Out and in: one match, all of them, and what cannot be read."""
    owner, other = section.browser("exporter"), section.browser("importer")
    owner.get("/matches")
    owner.get("/matches/export")
    path = path_of(begin(owner, "tictactoe", "perfect"))
    move(owner, "b2")
    for variant, moves in ENDINGS[:6]:
        bring(owner, variant, moves, ("person", "random"))
    owner.get("/matches")
    exported = owner.get("/matches/export")
    owner.get("/matches/export?file=2")
    other.get("/matches/import")
    other.get("/matches/import?text=quixo")
    other.follow(other.post("/matches/import", {"text": exported.text}))
    text = owner.get(f"{path}.txt").text
    other.follow(other.post("/matches/import", {"text": text}))
    data = text.encode()
    other.follow(other.post("/matches/import", {"text": ""}, {"file": (data, "match.txt")}))
    for wrong in TEXTS:
        other.post("/matches/import", {"text": wrong})
    for content in FILES:
        other.post("/matches/import", {"text": ""}, {"file": (content, "file.txt")})
    document = exported.json
    for change in (
        {"own": "x"},
        {"began": -1},
        {"moves": ["z9"]},
        {"game": "chess"},
        {"players": []},
    ):
        spoilt = document | {"matches": [document["matches"][0] | change]}
        other.post("/matches/import", {"text": json.dumps(spoilt)})
    other.post("/matches/import", {"text": json.dumps(document | {"matches": 3})})
    for change in ({"start": "nowhere"}, {"players": ["person", "menac"]}, {"moves": ["b2", "b2"]}):
        bring(other, "tictactoe", "b2", ("person", "person"), **change)
    bring(other, "tictactoe", "", ("person", "perfect"), start="x.o/.x./..o x")
    other.get("/")
    other.get("/matches")
