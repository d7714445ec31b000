"""Makes the pictures in docs/ from the running app: `python -m docs.screenshots`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.serving import launch, serving

HERE = Path(__file__).parent
LAPTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
QUIXO = "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5 e1-a1 e2-a2"


def main() -> None:
    """Every picture, one after the other."""
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as address,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for picture in (lobby, quixo, quixo_dark, nim, ending, tree, phone):
            picture(browser, address)
        browser.close()


def lobby(browser: Browser, address: str) -> None:
    page = _page(browser, address, LAPTOP)
    page.goto("/")
    _keep(page, "lobby")


def quixo(browser: Browser, address: str) -> None:
    _keep(_quixo(_page(browser, address, LAPTOP)), "quixo")


def quixo_dark(browser: Browser, address: str) -> None:
    _keep(_quixo(_page(browser, address, LAPTOP, color_scheme="dark")), "quixo-dark")


def phone(browser: Browser, address: str) -> None:
    page = _page(browser, address, PHONE, has_touch=True, is_mobile=True)
    _keep(_quixo(page), "phone")


def nim(browser: Browser, address: str) -> None:
    page = _page(browser, address, LAPTOP)
    _open(page, "nim", ["nim-expert", "person"], "d1")
    _think(page)
    page.get_by_role("button", name="take 8 from row e").click()
    _keep(page, "nim")


def ending(browser: Browser, address: str) -> None:
    page = _page(browser, address, LAPTOP)
    _open(page, "tictactoe", ["person", "opportunist"], "a3 c3 a1 b2 a2")
    page.get_by_role("link", name="Where did it turn?").click()
    expect(page.get_by_text("Best moves:")).to_be_visible()
    _keep(page, "ending")


def tree(browser: Browser, address: str) -> None:
    page = _page(browser, address, {"width": 1280, "height": 1240})
    _open(page, "tictactoe", ["person", "alphabeta"], "a3 b3 b2 c1")
    page.goto(f"{page.url}/tree?depth=9&open=2.0")
    expect(page.get_by_text("not looked at", exact=True).first).to_be_visible()
    _keep(page, "tree")


def _quixo(page: Page) -> Page:
    """A cube in the hand, and what alpha-beta makes of it."""
    _open(page, "quixo", ["person", "alphabeta"], QUIXO)
    _think(page)
    page.get_by_role("button", name="d5, blank").click()
    expect(page.locator("#status")).to_contain_text("Push d5 back in")
    return page


def _page(browser: Browser, address: str, screen: dict[str, int], **wishes: Any) -> Page:
    context = browser.new_context(base_url=address, viewport=screen, bypass_csp=True, **wishes)
    context.set_default_timeout(120_000)
    expect.set_options(timeout=120_000)
    return context.new_page()


def _open(page: Page, game: str, players: list[str], moves: str) -> None:
    """A match brought in as JSON, so that every picture shows the same position."""
    match = {"format": "zermelo match 1", "game": game, "players": players}
    page.goto("/matches/import")
    text = json.dumps(match | {"moves": moves.split()})
    page.get_by_label("JSON or transcript").fill(text)
    page.get_by_role("button", name="Open").click()
    page.wait_for_url(lambda url: "import" not in url)


def _think(page: Page) -> None:
    page.get_by_role("link", name="Show what it thinks").click()
    expect(page.locator(".candidates")).to_be_visible()


def _keep(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.screenshot(path=HERE / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
