"""A training from the form to the arena, with reloads and restarts, on every kind of screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import faults
from tests.e2e.conftest import Visit, visiting
from tests.e2e.server import Served, serving
from tests.e2e.visitor import Visitor

STILL = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}
LONG = "5000000"  # for MENACE, twenty seconds
SLOW, SLOW_LENGTH = "network", "1000000"  # minutes: it goes on until it is stopped
EARLIER = 200  # games after which one is played again
# Hide the tab; whether what its curve would ask for next is held back.
HELD_BACK = """() => new Promise((told) => {
  Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
  document.body.addEventListener("htmx:before:request", (event) => {
    if (event.target.id === "curve") told(event.defaultPrevented);
  });
})"""
LOOK_AGAIN = """() => {
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def begin(page: Page, length: str, learner: str = "qlearning", seeds: int = 1) -> str:
    """Begin to train on tic-tac-toe; the address of the training's page."""
    page.emulate_media(reduced_motion="reduce")  # or its curve would be played back by itself
    page.goto(f"/train?game=tictactoe&learner={learner}&seeds={seeds}")
    page.get_by_label(re.compile("How long")).fill(length)
    page.get_by_role("button", name="Begin to train").click()
    expect(page).to_have_url(re.compile("/jobs/"))
    return page.url


def ended(page: Page, length: str) -> None:
    expect(page.get_by_text(f"{length} of {length} games")).to_be_visible()
    expect(page.get_by_role("button", name="Stop and keep")).to_have_count(0)


def steps_of(page: Page, address: str) -> list[int]:
    """At which steps its curve has points, as the server knows it."""
    return [point["step"] for point in page.request.get(f"{address}.json").json()["points"]]


def earlier(page: Page) -> Locator:
    """What plays it as it was not long after it began."""
    return page.get_by_role("button", name=f"Play it as it was after {EARLIER} games")


@pytest.mark.soak
def test_from_the_first_game_to_the_arena_with_the_server_restarted_in_between(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        serving(tmp_path, ZERMELO_JOB_NICENESS="0") as served,
        visiting(browser, served.address) as visit,
    ):
        visitor = visit(**STILL)
        address = trains_and_stops_one(visitor, served)
        plays_it_as_it_was(visitor, address)
        finishes_another(visitor.page)
        sends_it_into_the_arena(visitor, served)


def restarted(page: Page, served: Served) -> None:
    """The server, behind a page that comes back to where it was."""
    address = page.url
    page.goto("about:blank")  # or it would ask meanwhile, and complain
    served.restart()
    page.goto(address)


def trains_and_stops_one(visitor: Visitor, served: Served) -> str:
    page = visitor.page
    page.goto("/train")
    assert faults(visitor) == []
    address = begin(page, SLOW_LENGTH, SLOW)
    rings = page.locator("#curve svg a")
    expect(rings.first).to_be_visible()
    seen = steps_of(page, address)
    restarted(page, served)
    done = page.locator(".progress-line b")
    expect(done).not_to_have_text(done.inner_text())
    asks_only_while_it_is_looked_at(page, done)
    expect(earlier(page)).to_be_visible()
    assert steps_of(page, address)[: len(seen)] == seen
    page.reload()
    expect(rings.first).to_be_visible()
    page.get_by_role("button", name="Stop and keep").click()
    expect(page.locator(".progress-line")).to_contain_text("stopped")
    expect(page.locator("[data-poll]")).to_have_count(0)
    assert steps_of(page, address)[-1] < int(SLOW_LENGTH)
    assert faults(visitor) == []
    page.reload()
    return address


def asks_only_while_it_is_looked_at(page: Page, done: Locator) -> None:
    """The next poll of a hidden tab is held back; who comes back sees at once what is new."""
    assert page.evaluate(HELD_BACK)
    before = done.inner_text()
    page.evaluate(LOOK_AGAIN)
    expect(done).not_to_have_text(before)


def plays_it_as_it_was(visitor: Visitor, address: str) -> None:
    page = visitor.page
    earlier(page).click()
    page.wait_for_url("**/matches/*")
    digest = next(
        point["digest"]
        for point in page.request.get(f"{address}.json").json()["points"]
        if point["step"] == EARLIER
    )
    players = page.request.get(f"{page.url}.json").json()["players"]
    assert players == ["person", f"{SLOW}:brain={digest}"]
    visitor.plays("b2")
    visitor.when_due()


def finishes_another(page: Page) -> None:
    begin(page, "300", "menace")
    ended(page, "300")
    page.reload()
    page.get_by_role("link", name="First point").click()
    walk = page.locator("#walk")
    expect(walk).to_contain_text("1 of 9 points")
    page.get_by_role("button", name="Play", exact=True).and_(page.locator("#play")).click()
    expect(walk).to_contain_text("3 of 9 points")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("link", name="Next point").click()
    expect(walk).to_contain_text("4 of 9 points")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


def sends_it_into_the_arena(visitor: Visitor, served: Served) -> None:
    page = visitor.page
    page.goto("/brains")
    line = page.get_by_role("listitem").filter(has_text="MENACE after 300 games")
    expect(line).to_be_visible()
    assert faults(visitor) == []
    line.get_by_role("link", name=re.compile("Into the arena")).click()
    expect(page.get_by_label("MENACE after 300 games")).to_be_checked()
    page.get_by_label("Random", exact=True).check()
    page.get_by_label("Games a pair").fill("4")
    page.get_by_role("button", name="Let them play").click()
    expect(page).to_have_url(re.compile("/jobs/"))
    restarted(page, served)
    expect(page.get_by_text("4 of 4 games")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


@pytest.mark.soak
def test_a_curve_that_came_too_fast_to_watch_is_played_back_by_itself(visit: Visit) -> None:
    page = visit().page
    page.goto("/train")
    visited = page.evaluate("history.length")
    page.get_by_role("button", name="Begin to train").click()
    walk = page.get_by_role("navigation", name="Its curve, point by point")
    expect(walk.get_by_role("button", name="Pause")).to_be_visible()
    expect(walk).to_contain_text(re.compile(r"[23] of \d+ points"))
    assert page.evaluate("history.length") == visited + 1
    walk.get_by_role("button", name="Pause").click()
    expect(walk.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.soak
def test_a_training_without_javascript(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.page
    page.goto("/train?learner=menace")
    page.get_by_label("Game", exact=True).select_option("tictactoe")
    page.get_by_role("button", name="Show its settings").click()
    page.get_by_label(re.compile("How long")).fill(LONG)
    page.get_by_role("button", name="Begin to train").click()
    visitor.looks_again_until(page.locator("#curve svg a"))
    page.get_by_role("button", name="Stop and keep").click()
    visitor.looks_again_until(page.locator(".progress-line", has_text="stopped"))


@pytest.mark.soak
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_grid_on_every_screen(visit: Visit, script: bool) -> None:
    visitor = visit(**STILL, java_script_enabled=script)
    page = visitor.page
    tried = "alpha%3D0.1%3A0.9%3A0.2%2Cepsilon%3D0.1%2C0.2%2C0.3"  # 15 settings
    page.goto(f"/train?game=tictactoe&learner=qlearning&grid={tried}")
    page.get_by_label(re.compile("How long")).fill("500")
    page.get_by_role("button", name="Begin to train").click()
    best = page.get_by_role("heading", name="The best, tried again")
    if script:
        expect(best).to_be_visible()
        expect(page.locator("[data-poll]")).to_have_count(0)
    else:
        visitor.looks_again_until(best)
    expect(page.get_by_role("region", name="Heat map").locator("tbody tr")).to_have_count(3)
    page.get_by_label("Across").select_option("epsilon")
    if not script:
        page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile("across=epsilon"))
    if script:
        assert faults(visitor, GRID_SIZES) == []
        page.set_viewport_size({"width": 1280, "height": 720})
        visitor.looks_at("?present=1")
        assert visitor.sideways_at([(1280, 720)]) == []


@pytest.mark.soak
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_what_a_table_knows_on_every_screen(visit: Visit, script: bool) -> None:
    visitor = visit(**STILL, java_script_enabled=script)
    page = visitor.page
    address = begin(page, "1000")
    done = page.get_by_text("1,000 of 1,000 games")
    if script:
        expect(done).to_be_visible()
    else:
        visitor.looks_again_until(done)
    page.goto(address)
    page.goto("/brains")
    page.locator("main a[href*='/brains/']").first.click()
    page.get_by_role("link", name="What it knows").click()
    table = page.get_by_role("region", name="Positions and moves")
    expect(table.locator("tbody tr").first).to_be_visible()  # a worker may have to write it first
    if script:
        assert faults(visitor, GRID_SIZES) == []


GRID_SIZES = [(1280, 860), (1280, 720), (360, 740), (320, 640)]
