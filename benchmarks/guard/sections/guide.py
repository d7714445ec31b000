"""How games are played, keys, words, health, what is said where nothing is found; and what pages
are made from."""

from __future__ import annotations

import hashlib
import json

from benchmarks.guard import adapter
from benchmarks.guard.record import Section

VARIANTS = (
    "nim",
    "nim:preset=marienbad",
    "nim:preset=twenty-one",
    "nim:preset=normal",
    "nim:heaps=2-9,last=wins,max_take=4",
    "tictactoe",
    "quixo",
    "quixo:preset=small",
    "quixo:preset=tiny",
)
BACK = ("/matches/abc?ply=2", "/positions?game=nim", "/invitations/xyz", "/c/ABCD", "//evil/")
WRONG = ("/nothing", "/matches/none", "/jobs/none", "/brains/none", "/class/none", "/c/QQQQ")
WRONG += ("/learn/none", "/machines/none", "/invitations/none", "/games/nim.css", "/games/x.exe")
WRONG += ("/optimise/none", "/static/none.css", "/class/none/report", "/jobs/none.json")


def tour(section: Section) -> None:
    guide(section)
    facts(section)


def guide(section: Section) -> None:
    visitor = section.browser()
    for variant in VARIANTS:
        visitor.get(f"/how-to-play?game={variant}")
    for back in BACK:
        visitor.get(f"/how-to-play?game=nim&back={back.replace('?', '%3F').replace('=', '%3D')}")
    for path in ("/how-to-play", "/how-to-play?game=chess", "/how-to-play?game=nim:heaps=0"):
        visitor.get(path)
    for path in ("/keys", "/keys?back=/matches/abc", "/words", "/healthz", "/readyz"):
        visitor.get(path)
    for path in WRONG:
        visitor.get(path)
    visitor.post("/keys")
    visitor.post(
        "/matches", {"game": "nim", "opponent": "random"}, **{"Sec-Fetch-Site": "cross-site"}
    )
    visitor.get("/", Host="elsewhere.example")
    visitor.post("/matches", {"game": "x" * 70_000})
    visitor.get("/keys", both=False, **{"HX-Request": "true", "HX-History-Restore-Request": "true"})


def facts(section: Section) -> None:
    """What pages are made from: addresses, shipped brains, figures of the lessons."""
    app = section.start()
    rules = sorted(
        f"{rule.rule} {' '.join(sorted(rule.methods - {'HEAD', 'OPTIONS'}))}"
        for rule in app.url_map.iter_rules()
    )
    section.recorder.write("routes", "\n".join(rules))
    brains = adapter.shipped_brains()
    lines = [f"{name} {hashlib.sha256(data).hexdigest()}" for name, data in sorted(brains.items())]
    section.recorder.write("shipped brains", "\n".join(lines))
    figures = json.loads(adapter.FIGURES.read_text("utf-8"))
    text = json.dumps(figures, sort_keys=True, ensure_ascii=False, indent=1)
    digest = hashlib.sha256(text.encode()).hexdigest()
    section.recorder.write("figures of lessons", f"sha256 {digest}\n\n{text}")
    visitor = section.browser("visitor")
    for path in ("/static/img/icon.svg", "/favicon.ico", "/robots.txt"):
        visitor.get(path, both=False)
