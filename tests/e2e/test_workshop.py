"""The workshop by hand: a cover to the optimum, A* step by step, a box searched, opened, sealed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from agents.optimisers.runs import optimise
from engine.problems import load_problem
from tests.e2e.axe import faults
from tests.e2e.conftest import Visit
from webapp.workers.warm_up import warm_up_searches

USUAL = "set-cover:things=20,sets=28,density=0.2,seed=3"
STILL = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What the pages will ask for is compiled before anyone waits for it."""
    for question in warm_up_searches():
        question.run(1.0)


def the_optimum() -> tuple[int, ...]:
    """The fewest sets, as the exact search finds them."""
    (found,) = optimise(USUAL, "exact")
    assert found.run.sets is not None  # type: ignore[union-attr]
    return tuple(found.run.sets)  # type: ignore[union-attr]


def cover_by_hand(page: Page, sets: tuple[int, ...]) -> None:
    """Press these columns, each when the board has taken the one before."""
    problem = load_problem(USUAL)
    for at, choice in enumerate(sets, start=1):
        page.get_by_role("button", name=re.compile(rf"^Set {choice + 1}, not taken")).click()
        covered = 20 - problem.missing(sets[:at]).bit_count()
        expect(page.locator("#tally")).to_contain_text(f"{at} set")
        expect(page.locator("#tally")).to_contain_text(f"{covered} of 20 covered")


@pytest.mark.slow
def test_a_cover_by_hand_then_five_machines_and_one_of_them_step_by_step(visit: Visit) -> None:
    visitor = visit(**STILL)
    page = visitor.page
    page.goto("/optimise/set-cover")
    assert faults(visitor) == []
    sets = the_optimum()
    cover_by_hand(page, sets)
    expect(page.locator("#verdict")).to_contain_text("Ask the machines")
    page.get_by_text("Who tries").click()
    page.get_by_label("Depth first").uncheck()
    page.get_by_role("button", name="Let the machines try").click()
    rows = page.get_by_role("region", name="What they found").get_by_role("row")
    expect(rows).to_have_count(1 + 5)
    expect(page.locator("#verdict")).to_contain_text("no cover has fewer sets")
    expect(page.locator("[data-poll]")).to_have_count(0)
    page.get_by_role("link", name="A*", exact=True).click()
    steps = page.locator("#steps")
    expect(steps).to_contain_text("A*, step 1 of 95")
    expect(steps).to_contain_text("f = g + h")
    visitor.follows("Step")
    expect(steps).to_contain_text("step 2 of 95")
    page.get_by_role("button", name="Play").click()
    expect(steps).to_contain_text(re.compile(r"step ([4-9]|\d\d) of 95"))
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("link", name="Last step").click()
    expect(steps).to_contain_text(f"a cover of {len(sets)} sets")
    expect(page).to_have_url(re.compile("step=95"))
    assert faults(visitor) == []
    page.reload()
    expect(steps).to_contain_text("step 95 of 95")
    expect(page.locator("#tally")).to_contain_text(f"{len(sets)} sets, 20 of 20")


@pytest.mark.soak
def test_three_searches_on_a_box_which_is_opened_and_sealed(visit: Visit) -> None:
    visitor = visit(**STILL)
    page = visitor.page
    page.goto("/optimise/black-box")
    expect(page.locator("#sealed")).to_be_visible()
    assert faults(visitor) == []
    page.get_by_role("link", name="Take off the seal").click()
    page.get_by_label("Seeds of each").fill("2")
    page.get_by_label("Calls at most").fill("3000")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page).to_have_url(re.compile("run="))
    expect(page.get_by_text("6 of 6 runs")).to_be_visible()
    expect(page.locator("[data-poll]")).to_have_count(0)
    expect(page.locator("#runs tbody tr")).to_have_count(3)
    expect(page.locator(".marker")).to_have_count(2)
    assert page.locator("[class^=group-]").count() == 0
    page.get_by_role("link", name="Open the box").click()
    expect(page.locator("#inside")).to_contain_text("even and odd places are two groups")
    assert faults(visitor) == []
    page.get_by_role("button", name="All ones").click()
    expect(page.locator("#asked")).to_contain_text("1.0000")
    page.get_by_role("link", name="Seal it").click()
    expect(page.locator("#sealed")).to_contain_text("shuffled")
    sealed = load_problem("black-box:groups=2,sealed=yes").value((1 << 1000) - 1)
    expect(page.locator("#asked")).to_contain_text(f"{sealed:.4f}")
    assert sealed < 0.3


@pytest.mark.soak
def test_the_workshop_without_javascript(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.page
    page.goto("/optimise/set-cover")
    cover_by_hand(page, the_optimum())
    page.get_by_role("button", name="Let the machines try").click()
    visitor.looks_again_until(page.locator("#verdict", has_text="no cover has fewer sets"))
    page.get_by_role("link", name="A*", exact=True).click()
    step = page.get_by_role("link", name="Step", exact=True)
    visitor.looks_again_until(step)
    step.click()
    visitor.looks_again_until(page.locator("#steps", has_text="step 2 of 95"))
    page.goto("/optimise/black-box")
    page.get_by_label("Calls at most").fill("200000")
    page.get_by_label("Simulated annealing", exact=True).check()
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Stop and keep").click()
    visitor.looks_again_until(page.locator(".progress-line", has_text="stopped"))


@pytest.mark.soak
def test_all_four_boxes_at_once_with_settings_of_ones_own(visit: Visit) -> None:
    visitor = visit(**STILL)
    page = visitor.page
    page.goto("/optimise/black-box")
    page.get_by_role("link", name="All four").click()
    for name in ("The course’s first", "The course’s second", "(1+1), one fifth"):
        page.get_by_label(name, exact=True).uncheck()
    page.get_by_label("Weigh", exact=True).check()
    page.get_by_label("Genetic algorithm", exact=True).check()
    settings = page.locator("#settings-genetic")
    settings.locator("summary").click()
    settings.get_by_label("Population").fill("20")
    settings.get_by_label("Patience").fill("5")
    assert faults(visitor, FOUR_SIZES) == []
    page.set_viewport_size(STILL["viewport"])  # type: ignore[arg-type]
    page.get_by_label("Seeds of each").fill("1")
    page.get_by_role("button", name="Run on all four").click()
    expect(page.get_by_text("8 of 8 runs")).to_be_visible()
    expect(page.locator("[data-poll]")).to_have_count(0)
    expect(page.locator(".four figure")).to_have_count(4)
    expect(page.locator("#runs-4")).to_contain_text("Genetic algorithm, population 20, patience 5")
    assert faults(visitor, FOUR_SIZES) == []


FOUR_SIZES = [(1280, 860), (360, 740), (320, 640)]
