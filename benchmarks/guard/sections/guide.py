"""How games are played, keys, words, health, and what is said where nothing is found."""

from __future__ import annotations

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
