"""axe-core, from npm's node_modules, run in the page itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.e2e.visitor import Visitor

SOURCE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async (only) =>
  (await axe.run(document, {resultTypes: ['violations'], ...only})).violations"""
STILL = """async () => {
  await new Promise(requestAnimationFrame);
  await Promise.allSettled(document.getAnimations().map((each) =>
    each.effect.getComputedTiming().endTime === Infinity ? null : each.finished));
}"""
COLOURS = {"runOnly": ["cat.color"]}


def faults(visitor: Visitor, sizes: list[tuple[int, int]] | None = None) -> list[str]:
    """What axe finds in the light, of the dark what differs there, which is the colours, and
    what is too small to press or beyond the screen at any of these sizes."""
    found = []
    looks: tuple[tuple[Any, Any], ...] = (("light", None), ("dark", COLOURS))
    for lamp, only in looks:
        visitor.page.emulate_media(color_scheme=lamp)
        visitor.page.evaluate(STILL)  # no colour on its way to another
        found += [f"{lamp}: {line}" for line in violations(visitor.page, only)]
    return found + visitor.misfits(sizes or [])


def violations(page: Page, only: dict[str, list[str]] | None = None) -> list[str]:
    """What axe finds, one line each: the rule, and where."""
    if not page.evaluate("'axe' in window"):
        # A script tag would be stopped by the content policy; evaluating is not the page's doing.
        page.evaluate(SOURCE.read_text(encoding="utf-8") + "\n;undefined")
    return [
        f"{found['id']}: {node['html'][:160]} ({node['failureSummary']})"
        for found in page.evaluate(RUN, only or {})
        for node in found["nodes"]
    ]
