"""Choosing who learns what: the form follows, is valid, and could be sent, whatever was typed."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.catalog import catalog
from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor
from webapp.lab.training.forms import chosen_plan, learners_for, number_options

NIM = "nim"


def lengths() -> dict[str, dict[str, str]]:
    """How long each learner usually learns, by the variant."""
    games = [entry.load({"preset": one.name}) for entry in catalog() for one in entry.presets]
    return {
        game.spec: {
            entry.key: str(number_options(entry)["length"].default) for entry in learners_for(game)
        }
        for game in games
        if learners_for(game)
    }


LENGTHS = lengths()


def distinct() -> list[str]:
    """A variant for each set of learners: in the others nothing else can be chosen."""
    return list({tuple(learners): game for game, learners in reversed(LENGTHS.items())}.values())


def who(page: Page) -> Locator:
    return page.get_by_label("Who learns")


def game_of(page: Page) -> Locator:
    return page.get_by_label("Game", exact=True)


def length_of(page: Page) -> Locator:
    return page.get_by_label(re.compile("How long"))


def chooses(page: Page, field: Locator, value: str) -> None:
    """Choose, and wait for the form that comes back with the choice made."""
    with page.expect_response(lambda answer: "/train?" in answer.url):
        field.select_option(value)
    expect(page.locator(".htmx-request")).to_have_count(0)


def is_valid(page: Page) -> bool:
    return bool(page.locator("#train form").evaluate("form => form.checkValidity()"))


def sent(page: Page) -> dict[str, str]:
    """What the form would send."""
    form = page.locator("#train form")
    return dict(form.evaluate("form => Object.fromEntries(new FormData(form))"))


@pytest.mark.parametrize("game", distinct())
def test_every_learner_after_every_other_shows_a_form_that_can_be_sent(
    page: Page, game: str
) -> None:
    page.goto(f"/train?game={game}")
    for before, after in permutations(LENGTHS[game], 2):
        if who(page).input_value() != before:
            chooses(page, who(page), before)
        chooses(page, who(page), after)
        expect(length_of(page)).to_have_value(LENGTHS[game][after])
        assert is_valid(page), (before, after)
        assert chosen_plan(sent(page)).runs[0].agent.startswith(after)


def test_every_game_after_every_other_shows_a_form_that_can_be_sent(page: Page) -> None:
    page.goto("/train")
    for before, after in permutations(distinct(), 2):
        if game_of(page).input_value() != before:
            chooses(page, game_of(page), before)
        chooses(page, game_of(page), after)
        expect(length_of(page)).to_have_value(LENGTHS[after][who(page).input_value()])
        assert is_valid(page), (before, after)
        assert chosen_plan(sent(page)).game == after


def test_what_is_unfolded_stays_so_and_what_is_not_valid_is_unfolded_when_it_is_sent(
    page: Page,
) -> None:
    page.goto(f"/train?game={NIM}")
    fold, seeds = page.get_by_text("Compare several runs"), page.get_by_label("Seeds", exact=True)
    fold.click()
    chooses(page, who(page), "es-rules")
    expect(page.get_by_label("Parameters to try")).to_be_visible()
    seeds.fill("99")
    fold.click()
    expect(seeds).to_be_hidden()
    page.get_by_role("button", name="Begin to train").click()
    expect(seeds).to_be_focused()


@pytest.mark.parametrize("typed", ["", "0", "99999999999", "1.5"])
def test_what_is_typed_stops_no_choice_but_is_not_sent(page: Page, typed: str) -> None:
    page.goto(f"/train?game={NIM}&learner=qlearning")
    length_of(page).fill(typed)
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Epsilon").fill("7")
    page.get_by_role("button", name="Begin to train").click()
    expect(page).to_have_url(re.compile("/train"))
    assert not is_valid(page)
    chooses(page, who(page), "es-rules")
    expect(length_of(page)).to_have_value(LENGTHS[NIM]["es-rules"])
    assert is_valid(page)
    length_of(page).fill(typed)
    chooses(page, game_of(page), "tictactoe")
    assert is_valid(page)
    assert chosen_plan(sent(page)).game == "tictactoe"


def test_a_change_while_another_is_under_way_shows_the_last_with_its_own_length(
    visitor: Visitor,
) -> None:
    page = visitor.page
    page.goto(f"/train?game={NIM}&learner=qlearning")
    with visitor.without(""):
        who(page).select_option("es-rules")
        who(page).select_option("ea-table")
    expect(length_of(page)).to_have_value(LENGTHS[NIM]["ea-table"])
    expect(who(page)).to_have_value("ea-table")
    assert is_valid(page)


def test_without_a_script_a_learner_is_shown_by_a_button_and_before_it_begins(
    visit: Visit,
) -> None:
    visitor = visit(java_script_enabled=False, expected=(422,))
    page = visitor.goes_to(f"/train?game={NIM}&learner=qlearning").page
    length_of(page).fill("0")
    who(page).select_option("es-rules")
    visitor.button("Show its settings").click()
    expect(length_of(page)).to_have_value(LENGTHS[NIM]["es-rules"])
    page.get_by_text("Settings", exact=True).click()
    expect(page.get_by_label("Population")).to_be_visible()
    who(page).select_option("qlearning")
    visitor.button("Begin to train").click()
    expect(page.get_by_role("note")).to_contain_text("begin when they suit you")
    expect(length_of(page)).to_have_value(LENGTHS[NIM]["qlearning"])
    length_of(page).fill("1")
    visitor.button("Begin to train").click()
    expect(page).to_have_url(re.compile("/jobs/"))
