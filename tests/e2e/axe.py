"""axe-core, from npm's node_modules, run in the page itself."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async (only) =>
  (await axe.run(document, {resultTypes: ['violations'], ...only})).violations"""
COLOURS = {"runOnly": ["cat.color"]}


def violations_of_both_lamps(page: Page) -> dict[str, list[str]]:
    """What axe finds in the light, and of the dark what differs there: the colours."""
    page.emulate_media(color_scheme="light")
    light = violations(page)
    page.emulate_media(color_scheme="dark")
    return {"light": light, "dark": violations(page, COLOURS)}


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
