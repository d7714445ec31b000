"""Makes the pictures in docs/ from the running app: `python -m docs.screenshots [NAME …]`."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.server import launch, serving
from webapp.replays.documents import FORMAT

HERE = Path(__file__).parent
Picture = Callable[[Browser, str], None]
LAPTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
QUIXO = "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5 e1-a1 e2-a2"


# What each technique shows of itself: a game, who sits where, and the moves so far.
HEADS = {
    "columns": ("nim", ["person", "nim-expert"], "e3 a1"),
    "matchbox": ("tictactoe", ["person", "menace:games=100"], ""),
    "numbers": ("tictactoe", ["person", "reward-table"], "b2 a1"),
    "samples": ("tictactoe", ["person", "mcts"], "b2 a1"),
    "genes": ("nim", ["person", "es-rules"], "e3 a1"),
    "deepening": ("quixo", ["person", "quixo-deep:level=master"], "a1-a5 e3-a3"),
    "answers": ("tictactoe", ["person", "perfect"], "a1 b2"),
    "policy": ("tictactoe", ["person", "network"], "a3"),
}


def main() -> None:
    """Every picture, or those that are named, one after the other."""
    whole: tuple[Any, ...] = (lobby, machines, machine, quixo, quixo_dark, nim, ending, tree, phone)
    whole += (grown, expected, eyes)
    pictures: dict[str, Picture] = {picture.__name__: picture for picture in whole}
    pictures |= {name: partial(_head, name=name) for name in HEADS}
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as served,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name in sys.argv[1:] or pictures:
            pictures[name](browser, served.address)
        browser.close()


def lobby(browser: Browser, address: str) -> None:
    page = _page(browser, address, LAPTOP)
    page.goto("/")
    _keep(page, "lobby")


def machines(browser: Browser, address: str) -> None:
    page = _page(browser, address, {"width": 1280, "height": 1240})
    page.goto("/machines")
    _keep(page, "machines")


def machine(browser: Browser, address: str) -> None:
    page = _page(browser, address, {"width": 1280, "height": 1240})
    page.goto("/machines/nim-sum")
    expect(page.get_by_role("heading", name="The rows in binary")).to_be_visible()
    _keep(page, "machine")


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
    page.get_by_role("link", name="Show the nim-sum").click()
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


def grown(browser: Browser, address: str) -> None:
    """The tree of Monte Carlo, two plies opened."""
    page = _page(browser, address, LAPTOP)
    _open(page, "tictactoe", ["person", "mcts"], "b2 a1")
    page.goto(f"{page.url}?values=1&show=1&part=tree&open=0.1")
    head = page.locator("#exhibit")
    expect(head).to_be_visible()
    page.wait_for_load_state("networkidle")
    head.screenshot(path=HERE / "head-grown.png", animations="disabled")


def expected(browser: Browser, address: str) -> None:
    """A line on the board, step by step."""
    page = _page(browser, address, LAPTOP)
    _open(page, "quixo", ["person", "quixo-deep:depth=5"], "a1-a5 e3-a3")
    _think(page)
    page.locator("#expects-2").click()
    expect(page.locator("#status")).to_contain_text("What it expects")
    _keep(page, "expected")


def eyes(browser: Browser, address: str) -> None:
    """The curves of a network on five heaps that sees counts, and of one that sees digits."""
    page = _page(browser, address, LAPTOP)
    page.goto("/learn/networks")
    page.get_by_role("button", name="Draw the curve").click()
    chart = page.locator("figure.chart").last
    expect(chart).to_be_visible()
    page.wait_for_load_state("networkidle")
    chart.screenshot(path=HERE / "network-eyes.png", animations="disabled")


def _head(browser: Browser, address: str, name: str) -> None:
    """What one technique shows of itself, without the page around it."""
    game, players, moves = HEADS[name]
    page = _page(browser, address, LAPTOP)
    _open(page, game, players, moves)
    _think(page)
    page.get_by_role("link", name="Open its head").click()
    head = page.locator("#exhibit")
    expect(head).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.mouse.move(0, 0)  # nothing is pointed at
    head.screenshot(path=HERE / f"head-{name}.png", animations="disabled")


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
    match = {"format": FORMAT, "game": game, "players": players}
    page.goto("/matches/import")
    text = json.dumps(match | {"moves": moves.split()})
    page.get_by_label("JSON or transcript").fill(text)
    page.get_by_role("button", name="Open").click()
    page.wait_for_load_state()
    if page.url.endswith("/import"):
        raise SystemExit(page.locator(".message.error").inner_text())


def _think(page: Page) -> None:
    page.get_by_role("link", name="Show what it thinks").click()
    expect(page.locator(".candidates")).to_be_visible()


def _keep(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.screenshot(path=HERE / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
