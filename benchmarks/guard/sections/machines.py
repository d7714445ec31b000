"""The gallery and every machine's page, in each game it is shown in."""

from __future__ import annotations

from contextlib import nullcontext

from benchmarks.guard.fixed import at_once
from benchmarks.guard.record import Section


def tour(section: Section) -> None:
    section.start(think_seconds=60.0)
    visitor = section.browser("visitor")
    front = visitor.get("/machines")
    visitor.tour(front, r"^/machines\?", deeper=1)
    visitor.get("/machines?present=1")
    visitor.get("/machines?game=none&order=none")
    pages = dict.fromkeys(a for a, _ in front.page.links if a.startswith("/machines/"))
    for path in pages:
        with at_once() if "quixo-deep" in path else nullcontext():
            page = visitor.get(path)
            visitor.tour(page, rf"^{path}\?", most=4)
            visitor.last = page
            visitor.does("/think")
            visitor.get(f"{path}?present=1")
            visitor.get(f"{path}?game=chess")
            visitor.get(f"{path}?agent=nonsense&part=x&step=x")
            visitor.tour(page, r"^/\?game=", most=2)
    section.start(think="never")
    visitor = section.browser("visitor")
    visitor.get("/machines/menace")
    visitor.get("/machines/minimax")
