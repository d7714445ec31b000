"""axe-core, from npm's node_modules, run in the page itself."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"


def violations(page: Page) -> list[str]:
    """What axe finds, one line each: the rule, and where."""
    if not page.evaluate("'axe' in window"):
        # A script tag would be stopped by the content policy; evaluating is not the page's doing.
        page.evaluate(SOURCE.read_text(encoding="utf-8") + "\n;undefined")
    return [
        f"{found['id']}: {node['html'][:160]} ({node['failureSummary']})"
        for found in page.evaluate(RUN)
        for node in found["nodes"]
    ]
