"""Taking back, pressing twice, two tabs, reloading, going back: nothing lost, nothing doubled."""

from __future__ import annotations

import re
from time import monotonic

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from tests.e2e.conftest import OFFLINE, PATIENCE, Visit
from tests.e2e.visitor import BUSY, FRIEND, Visitor


def at_the_first_of_two_moves(visitor: Visitor) -> Locator:
    """Looked at on the projector, where taking back is offered all the same."""
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2", "a1").looks_at("?ply=1&present=1")
    return visitor.page.get_by_role("navigation", name="Projector")


FIRST = re.compile(r"\?ply=0&present=1$")
THE_MATCH = re.compile(r"/matches/[\w-]+\?present=1$")


def test_thoughts_and_hints_are_shown_a_move_taken_back_and_the_match_found_again(
    visitor: Visitor,
) -> None:
    page = visitor.begins("Tic-tac-toe", against="Perfect").follows("Show what it thinks").page
    expect(page.locator(".candidates tr.chosen")).to_be_visible()
    expect(visitor.cell("b2")).to_have_accessible_name("b2, empty, draw")
    visitor.plays("b2").sees("Your move").follows("Hide what it thinks", "Hint")
    visitor.sees(re.compile(r"^Mark [abc][123]: that holds the draw\.$"))
    expect(visitor.grid.get_by_role("button", name=re.compile("hint$"))).to_have_count(1)
    visitor.follows(f"Show why it played {visitor.played[-1]}")
    expect(page.locator("#why")).to_contain_text(visitor.played[-1])
    visitor.button("Take back").click()
    expect(visitor.cell("b2")).to_have_accessible_name("b2, empty")
    visitor.sees("Your move")
    assert visitor.played == []  # back to the person's own last turn
    visitor.plays("a1").sees("Your move").goes_to("/")
    page.get_by_role("link", name="Continue Tic-tac-toe against Perfect").click()
    visitor.sees("Your move")
    assert visitor.match.ply == 2


def test_a_double_click_and_the_same_move_from_two_tabs_are_one_and_an_old_board_is_refused(
    visit: Visit,
) -> None:
    visitor = visit(expected=(409,)).begins("Tic-tac-toe", against=FRIEND)
    other = visitor.new_tab()
    visitor.cell("b2").dblclick()
    # The second click may find the board with the move on it, and is told so.
    visitor.sees(re.compile("Player o to move|b2 is taken"))
    assert visitor.played == ["b2"]
    other.cell("b2").click()
    other.sees("Player o to move")
    assert visitor.played == ["b2"]
    other.plays("a1")
    visitor.cell("c3").click()
    expect(visitor.page.get_by_role("note")).to_be_visible()
    expect(visitor.cell("a1")).to_have_accessible_name("a1, o, last move")
    assert visitor.played == ["b2", "a1"]


@pytest.mark.parametrize("change_first", [False, True])
def test_of_two_presses_the_later_one_is_shown_and_stays(
    visitor: Visitor, change_first: bool
) -> None:
    bar = at_the_first_of_two_moves(visitor)
    with Late(visitor.page, THE_MATCH) as look, Late(visitor.page, "**/undo") as change:
        bar.get_by_role("link", name="After the last move").click()
        bar.get_by_role("button", name="Take back").click()
        if change_first:
            change.arrives()
            expect(bar).to_contain_text("1 of 1")
            look.arrives()
        else:
            look.arrives()
            change.arrives()
    expect(bar).to_contain_text("1 of 1")


def test_what_is_pressed_before_a_change_is_there_is_asked_for_after_it(visitor: Visitor) -> None:
    bar = at_the_first_of_two_moves(visitor)
    heard: list[str] = []
    visitor.page.on("request", lambda request: heard.append(f"asked {request.method}"))
    visitor.page.on("response", lambda answer: heard.append(f"answered {answer.request.method}"))
    with Late(visitor.page, "**/undo") as change, Late(visitor.page, FIRST) as look:
        bar.get_by_role("button", name="Take back").click()
        bar.get_by_role("link", name="Before the first move").click()
        expect(bar).to_contain_text("1 of 2")
        change.arrives()
        expect(bar).to_contain_text("1 of 1")
        look.arrives()
    expect(bar).to_contain_text("0 of 1")
    assert heard == ["asked POST", "answered POST", "asked GET", "answered GET"]


def test_what_was_answered_during_a_press_gives_way_to_what_was_pressed(visitor: Visitor) -> None:
    bar = at_the_first_of_two_moves(visitor)
    with Late(visitor.page, THE_MATCH) as look:
        bar.get_by_role("link", name="After the last move").click()
        bar.get_by_role("button", name="Take back").hover()
        visitor.page.mouse.down()
        look.arrives()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.method))
    visitor.page.mouse.up()
    expect(bar).to_contain_text("1 of 1")
    assert asked == ["POST"]


def test_a_reply_that_arrives_after_something_was_pressed_does_not_cover_it(
    visitor: Visitor,
) -> None:
    visitor.begins("Tic-tac-toe", against="Random").plays("b2").sees("Your move")
    free = str(visitor.match.state.legal_moves()[0])
    with Late(visitor.page, "**/reply") as reply:
        visitor.cell(free).click()
        reply.is_answered()
        visitor.follows("b2").sees("After 1 of 4 moves")
        reply.arrives()
    visitor.sees("After 1 of 4 moves")


def test_what_the_server_fails_at_leaves_the_page_and_its_address_and_is_sent_again(
    visit: Visit,
) -> None:
    visitor = visit(expected=(500,)).begins("Tic-tac-toe", against=FRIEND)
    visitor.plays("b2", "a1")
    visitor.page.route(re.compile(r"\?ply=1$"), lambda route: route.fulfill(status=500), times=1)
    visitor.follows("b2")
    expect(visitor.page.get_by_role("alert")).to_contain_text("went wrong on the server")
    expect(visitor.page).not_to_have_url(re.compile("ply"))
    visitor.sees("Player x to move")
    visitor.button("Retry").click()
    visitor.sees("After 1 of 2 moves")
    expect(visitor.page).to_have_url(re.compile(r"\?ply=1$"))
    expect(visitor.page.get_by_role("alert")).to_have_count(0)


class Late:
    """What is asked for by that address is answered at once, and the answer arrives when told."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self._page, self._address = page, address
        self._held: list[tuple[Route, APIResponse]] = []

    def __enter__(self) -> Late:
        self._page.route(self._address, self._hold)
        return self

    def __exit__(self, *_: object) -> None:
        self._page.unroute(self._address)

    def _hold(self, route: Route) -> None:
        answer = route.fetch()
        if answer.status == 204:  # not there yet
            route.fulfill(response=answer)
        else:
            self._held.append((route, answer))

    def is_answered(self) -> None:
        until = monotonic() + PATIENCE / 1000
        while not self._held and monotonic() < until:
            self._page.wait_for_timeout(10)

    def arrives(self) -> None:
        """Unless the page has given it up."""
        self.is_answered()
        route, answer = self._held.pop()
        route.fulfill(response=answer)
        self._page.wait_for_timeout(100)  # for what the page makes of it


def test_reloading_while_it_thinks_loses_nothing(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    with visitor.without("reply"):
        visitor.cell("b2").click()
        visitor.sees(BUSY)
    visitor.page.reload()
    visitor.sees("Your move")
    assert visitor.match.ply == 2
    assert visitor.played[0] == "b2"


def test_back_and_forward_walk_through_the_plies_that_were_looked_at(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2", "a1", "c3")
    visitor.follows("b2").sees("After 1 of 3 moves")
    visitor.follows("Next").sees("After 2 of 3 moves")
    visitor.page.go_back()
    visitor.sees("After 1 of 3 moves")
    visitor.page.go_back()
    visitor.sees("Player o to move")
    visitor.page.go_forward()
    visitor.sees("After 1 of 3 moves")
    expect(visitor.page).to_have_url(re.compile(r"ply=1"))


@pytest.mark.parametrize(
    ("script", "as_far_as"),
    [
        ("early.js", "document.readyState === 'loading'"),
        pytest.param(
            "htmx.min.js", "document.readyState === 'interactive'", marks=pytest.mark.soak
        ),
        pytest.param(
            "match.js",
            "document.readyState === 'interactive' && 'htmx' in window",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_going_back_before_a_script_is_there_is_not_lost(
    visitor: Visitor, script: str, as_far_as: str
) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2", "a1", "c3")
    visitor.follows("b2").sees("After 1 of 3 moves")
    with visitor.without(script):
        visitor.page.reload(wait_until="commit")
        visitor.waits_until(as_far_as)
        visitor.page.evaluate("history.back()")
        expect(visitor.page).not_to_have_url(re.compile("ply"))
    visitor.sees("Player o to move")


def test_without_a_connection_the_move_can_be_sent_again(visit: Visit) -> None:
    visitor = visit(expected=(OFFLINE,)).begins("Tic-tac-toe", against=FRIEND)
    visitor.page.context.set_offline(True)
    visitor.cell("b2").click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
    visitor.page.context.set_offline(False)
    visitor.button("Retry").click()
    visitor.sees("Player o to move")
    expect(visitor.page.get_by_role("alert")).to_have_count(0)
    assert visitor.played == ["b2"]
