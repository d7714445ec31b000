"""Every projector page, measured: all of it on the screen, and read from the last row."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.scenes import Scene, puzzled
from tests.e2e.test_lab import begin, ended
from tests.e2e.visitor import PROJECTOR, Visitor
from webapp.learn.lesson import lessons
from webapp.learn.page import LessonPage
from webapp.learn.query import LessonQuery

SMALLEST_TEXT = {(1280, 720): 24, (1920, 1080): 30}  # px, by the size of the screen
# Text that can be seen, in pixels as drawn, but for what a drawing scales itself.
SIZES = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    const seen = walker.currentNode.data.trim() && holder.checkVisibility()
      && !holder.closest('.unseen, .skip, template, option, .leave span, svg[viewBox]');
    if (seen) sizes.push(parseFloat(getComputedStyle(holder).fontSize));
  }
  return sizes;
}"""
# What is to be scrolled to, on the page or within a part of it.
BEYOND = """() => {
  const page = document.documentElement;
  const [low, wide] = [page.scrollHeight - innerHeight, page.scrollWidth - innerWidth];
  const found = low > 0 || wide > 0 ? [`page: ${low} px down, ${wide} across`] : [];
  for (const part of document.querySelectorAll("main *")) {
    const { overflowX, overflowY } = getComputedStyle(part);
    if (!/auto|scroll/.test(overflowX + overflowY) || part.clientHeight === 0) continue;
    const down = part.scrollHeight - part.clientHeight;
    const across = part.scrollWidth - part.clientWidth;
    if (down > 1 || across > 1) found.push(`${part.className}: ${down} px down, ${across} across`);
  }
  return found;
}"""
TICTACTOE = "game=tictactoe&state=x../.../...+o"
QUIXO = "game=quixo&state=x.o.x/.xo../oox.x/..o../xo..o+o"
CUT = "game=tictactoe&state=x../.o./...+x"
NIM = "game=nim&state=1-3-5-7-9+x"
# Address, and what is seen once it is whole.
PAGES: dict[str, tuple[str, str]] = {
    "tree": (f"/positions/tree?{TICTACTOE}&depth=9&open=1.0", ".answers"),
    "tree with a cut": (
        "/positions/tree?game=tictactoe&state=x../.o./...+x&open=3.0.1.2.1",
        ".cut",
    ),
    "tree of Quixo": (f"/positions/tree?{QUIXO}&depth=2&open=3", ".answers"),
    "uct selects": (f"/positions/uct?{TICTACTOE}&step=77", ".phases"),
    "uct plays out": (f"/positions/uct?{QUIXO}&step=179", ".phases"),
    "uct of Nim": (f"/positions/uct?{NIM}&games=200&step=778", ".phases"),
    "updates": ("/train/updates?agent=qlearning:games%3D200&step=2", "#formula"),
    "position": (f"/positions?{QUIXO}", ".board"),
    "machines": ("/machines?", "h1"),
    "minimax": ("/machines/minimax?", "#its-tree"),
    "monte carlo": ("/machines/mcts?", ".samples"),
    "menace": ("/machines/menace?", ".matchbox"),
    "quixo engine": ("/machines/quixo-deep?", ".plot"),
    "q-learner": ("/machines/qlearning?", ".numbers"),
    "network": ("/machines/network?", ".heat"),
    "network, looking ahead": ("/machines/network?game=quixo&step=32", ".heats figure + figure"),
    "evolved rules": ("/machines/es-rules?", ".thought"),
    "set cover": ("/optimise/set-cover?", "main:not(:has([data-poll])) .matrix"),
    "black box": ("/optimise/black-box?", "#run"),
    "its box": (f"/positions?{TICTACTOE}&values=1&show=1&agent=menace", ".matchbox"),
    "its games": (f"/positions?{TICTACTOE}&values=1&show=1&agent=mcts", ".samples"),
    "its answers": (f"/positions?{TICTACTOE}&values=1&show=1&agent=perfect", ".samples"),
    "its columns": (f"/positions?{NIM}&values=1&show=1&agent=nim-expert", ".columns"),
    "its numbers": (f"/positions?{TICTACTOE}&values=1&show=1&agent=qlearning", ".numbers"),
}
PUZZLES: dict[str, Scene] = {
    "Quixo": puzzled("quixo", "two threats", look="?present=1"),
    "Quixo, solved": puzzled("quixo", "two threats", "right", "?present=1"),
    "4 by 4, missed": puzzled("quixo:size=4", "only move", "wrong", "?present=1"),
    "Nim": puzzled("nim", "leave nim-sum 0", look="?present=1"),
    "Nim, shown": puzzled("nim", "misère turn", "shown", "?present=1"),
    "Tic-tac-toe, solved": puzzled("tictactoe", "hold the draw", "right", "?present=1"),
}
VALUES = {
    "tictactoe": (TICTACTOE, ("perfect", "minimax", "mcts", "menace", "qlearning", "network")),
    "nim": (NIM, ("perfect", "mcts", "nim-expert")),
    "quixo": (QUIXO, ("quixo-deep", "mcts")),
}
PAGES |= {
    f"what {agent} thinks of {game}": (
        f"/positions?{position}&values=1&agent={agent}",
        ".candidates",
    )
    for game, (position, machines) in VALUES.items()
    for agent in machines
}


STYLED = "[...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)"


def faults(visitor: Visitor) -> list[str]:
    """What does not fit, or is too small, at either size."""
    found = []
    visitor.waits_until(STYLED)  # an exhibit that is swapped in brings a style sheet of its own
    for (width, height), smallest in SMALLEST_TEXT.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        found += [f"{width} px: {fault}" for fault in visitor.page.evaluate(BEYOND)]
        text = min(visitor.page.evaluate(SIZES))
        found += [f"{width} px: text of {text} px"] * (text < smallest - 0.1)
    return found


@pytest.mark.parametrize(("address", "shows"), PAGES.values(), ids=PAGES)
def test_all_of_a_projector_page_is_on_the_screen(visit: Visit, address: str, shows: str) -> None:
    visitor = visit(**PROJECTOR)
    visitor.goes_to(f"{address}&present=1")
    expect(visitor.page.locator(shows).first).to_be_visible()
    assert faults(visitor) == []


@pytest.mark.parametrize("scene", PUZZLES.values(), ids=PUZZLES)
def test_all_of_a_puzzle_is_on_the_screen(visit: Visit, scene: Scene) -> None:
    visitor = visit(**PROJECTOR)
    scene(visitor)
    assert faults(visitor) == []


def test_a_tree_that_was_filled_in_wrong_is_on_the_screen_too(visit: Visit) -> None:
    visitor = visit(**PROJECTOR).goes_to("/learn/minimax?five=ooooooo&slide=3&present=1")
    expect(visitor.page.locator(".tree-list .wrong").first).to_be_visible()
    assert faults(visitor) == []


@pytest.mark.soak
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.slug)
def test_every_slide_of_a_lesson_is_on_the_screen(visit: Visit, lesson: Any) -> None:
    visitor = visit(**PROJECTOR)
    found = []
    for number in range(len(LessonPage(lesson, LessonQuery(present=True)).slides)):
        visitor.goes_to(f"{lesson.url}?present=1&slide={number}")
        found += [(number, fault) for fault in faults(visitor)]
    assert found == []


def test_a_lesson_is_walked_by_keys_slide_by_slide_and_keeps_what_was_said(visit: Visit) -> None:
    visitor = visit(**PROJECTOR).goes_to("/learn/answers?present=1")
    page = visitor.page
    count = len(LessonPage(lessons()[0], LessonQuery(present=True)).slides)
    visitor.presses("ArrowRight")
    expect(page.get_by_text(f"2 of {count}", exact=True)).to_be_visible()
    page.locator(".choices button").first.click()
    expect(page.locator(".said")).to_be_visible()
    visitor.presses("n")
    expect(page.get_by_text(f"3 of {count}", exact=True)).to_be_visible()
    visitor.presses("ArrowLeft")
    expect(page.get_by_text(f"2 of {count}", exact=True)).to_be_visible()
    expect(page.locator(".said")).to_be_visible()
    visitor.button("Leave the projector").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".said")).to_be_visible()


@pytest.mark.slow
def test_a_training_on_a_projector_has_its_curve_and_play_in_sight(visit: Visit) -> None:
    visitor = visit(**PROJECTOR)
    begin(visitor.page, "2000")
    ended(visitor.page, "2,000")
    visitor.goes_to(f"{visitor.page.url.partition('?')[0]}?present=1")
    expect(visitor.page.locator("#play")).to_be_visible()
    expect(visitor.page.locator("main:not(:has([data-poll]))")).to_be_visible()
    assert faults(visitor) == []


@pytest.mark.slow
def test_a_network_begun_on_a_projector_shows_there_whether_it_can_be_beaten(visit: Visit) -> None:
    visitor = visit(**PROJECTOR)
    page = visitor.page
    visitor.goes_to("/train?present=1")
    page.get_by_role("link", name="Ten seconds to unbeatable").click()
    page.get_by_label(re.compile("How long")).fill("200")
    page.get_by_role("button", name="Begin to train").click()
    ended(page, "200")
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.locator("#verdict")).to_contain_text(
        re.compile("Unbeatable|The right moves beat it")
    )
    expect(page.locator("main:not(:has([data-poll]))")).to_be_visible()
    assert faults(visitor) == []
