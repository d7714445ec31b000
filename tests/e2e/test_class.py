"""A class: one control, one screen and three phones, from the code to the file of answers."""

from __future__ import annotations

import csv
import re
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.e2e.axe import faults
from tests.e2e.conftest import OFFLINE, Visit, visiting
from tests.e2e.server import serving
from tests.e2e.visitor import Visitor

PHONE = {"viewport": {"width": 360, "height": 640}, "reduced_motion": "reduce"}
WALL = {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}
PHONES = [(360, 640), (320, 640)]
SHIPPED = "How machines play"  # a lesson


def begins_class(teacher: Visitor, by: str = "Begin a class") -> str:
    """A class in one press; the code is on the control."""
    teacher.page.goto("/class")
    teacher.button(re.compile(f"^{by}")).click()
    code = teacher.page.locator(".control-head .code")
    expect(code).to_be_visible()
    return code.inner_text()


def with_screen(visit: Visit, by: str = "Begin a class") -> tuple[Visitor, Visitor, str]:
    """A class with its screen on the wall, and its code."""
    teacher, screen = visit(**WALL), visit(**WALL)
    code = begins_class(teacher, by)
    return teacher, screen.goes_to(f"{teacher.page.url}/screen"), code


def joins_by_code(phone: Visitor, code: str) -> Visitor:
    phone.page.goto("/join")
    phone.page.get_by_label("The four letters on the screen").fill(code.lower())
    phone.button("Join").click()
    return phone.sees("You are in.")


def joins_by_link(phone: Visitor, code: str) -> Visitor:
    phone.page.goto(f"/c/{code}")
    phone.button("Join").click()
    expect(phone.page.locator(".whoami")).to_contain_text(code)
    return phone


def asks(teacher: Visitor, position: str, machine: str = "") -> None:
    teacher.page.goto(f"/class/ask?{position}")
    if machine:
        teacher.page.get_by_label("Then show what is said by").select_option(machine)
    teacher.button(re.compile("^Ask ")).click()
    expect(teacher.page.locator("#do-close")).to_be_visible()


def votes(phone: Visitor, cell: str) -> Visitor:
    """Press a cell of the board, once the phone shows an open vote."""
    expect(phone.page.locator(".phone.phase-open")).to_be_visible()
    phone.cell(cell).click()
    return phone.sees(f"Your answer: {cell}.")


def does(teacher: Visitor, name: str, then: str) -> None:
    teacher.button(name).click()
    expect(teacher.page.locator(f"#control.phase-{then}")).to_be_visible()


def heading(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("heading", level=1)


def looks(screen: Visitor, *others: Visitor) -> None:
    """What is on the wall is large and all of it there, and nobody's page has a fault."""
    assert [fault for visitor in (screen, *others) for fault in faults(visitor)] == []
    assert min(screen.text_sizes()) >= 24
    assert screen.scrolls_at([(1280, 720)]) == []


def test_a_round_from_the_code_to_the_file(visit: Visit) -> None:
    teacher, screen, code = with_screen(visit)
    phones = [visit(expected=(OFFLINE,), **PHONE) for _ in range(3)]
    path = teacher.page.url
    expect(screen.page.locator(".code")).to_have_text(code)
    joins_by_code(phones[0], code)
    joins_by_link(phones[1], code)
    expect(screen.page.locator(".crowd")).to_contain_text("2 are here")
    looks(screen, teacher, phones[0])

    asks(teacher, "game=tictactoe&moves=a1,b2", "minimax")
    votes(phones[0], "c3")
    votes(phones[0], "b1")
    votes(phones[1], "a2")
    joins_by_link(phones[2], code)  # late: the round is on
    votes(phones[2], "b1")
    expect(screen.page.locator(".turnout")).to_contain_text("3 of 3 have answered")
    looks(screen, teacher, phones[0])
    does(teacher, "Close the vote", "closed")
    expect(screen.page.locator("#match").get_by_text("The vote is closed.")).to_be_visible()
    phones[0].sees("The vote is closed.")
    expect(screen.page.locator(".votes")).to_have_count(0)
    looks(screen, teacher, phones[0])
    does(teacher, "Let them talk", "talk")
    phones[1].sees("Talk to your neighbour.")
    looks(screen, teacher, phones[1])
    does(teacher, "Vote again", "open")

    phones[2].page.context.set_offline(True)
    votes(phones[0], "c1")
    votes(phones[1], "c1")
    phones[2].page.context.set_offline(False)
    votes(phones[2].sees("Choose your move."), "c1")
    does(teacher, "Close the vote", "closed")
    does(teacher, "Reveal", "revealed")
    expect(heading(screen)).to_contain_text("3 votes:")
    rows = screen.page.locator(".votes tbody tr")
    expect(rows.filter(has_text="c1")).to_contain_text("3")
    expect(screen.page.get_by_role("region", name="Board")).to_be_visible()
    looks(screen, teacher, phones[0])
    teacher.button("Play out c1").click()
    teacher.button("Next move").click()
    expect(screen.page.locator(".line")).to_have_text(re.compile("^c1 [abc][123]$"))
    looks(screen)
    teacher.button("Show the votes again").click()
    teacher.button("Show what Minimax says").click()
    expect(screen.page.get_by_text("Minimax says")).to_be_visible()
    phones[0].sees("Look at the screen.")
    expect(phones[0].page.get_by_text("You said b1 in vote 1")).to_be_visible()
    expect(screen.page.locator(".reason")).to_be_visible()
    looks(screen, teacher, phones[0])

    teacher.button("Play the favourite, c1").click()
    expect(teacher.page.locator("#control.phase-open")).to_be_visible()
    expect(phones[0].page.locator(".phone.phase-open")).to_be_visible()
    phones[1].page.reload()
    expect(phones[1].page.locator(".phone.phase-open")).to_be_visible()
    looks(screen, teacher, phones[0])

    answer = teacher.page.request.get(f"{path}.csv")
    told = list(csv.DictReader(StringIO(answer.text())))
    assert [(row["vote"], row["answer"]) for row in told] == [
        *(("1", "b1"), ("1", "a2"), ("1", "b1")),
        *[("2", "c1")] * 3,
    ]
    assert phones[0].misfits(PHONES) == []


@pytest.mark.soak
def test_a_cup_is_played_and_its_table_fills_on_the_screen(visit: Visit) -> None:
    teacher, screen, code = with_screen(visit)
    phones = [joins_by_link(visit(**PHONE), code) for _ in range(3)]
    teacher.page.get_by_text("The cup: everyone enters a machine").click()
    teacher.page.locator("#cup-game").select_option("tictactoe")
    teacher.page.get_by_label("Games of each pair").fill("2")
    teacher.button("Open the cup").click()
    for phone, machine in zip(phones, ("perfect", "random", "menace"), strict=True):
        phone.page.get_by_label("Your machine").select_option(machine)
        enters(phone)
    expect(screen.page.get_by_text("3 students have entered 3 different machines")).to_be_visible()
    looks(screen)
    teacher.button("Begin the cup").click()
    phones[0].sees(re.compile("The machines have begun|(wins|share) the cup"))  # they may be quick
    expect(screen.page.get_by_text("6 of 6 games")).to_be_visible()
    table = screen.page.get_by_role("table", name="The machines by rank")
    expect(table.get_by_role("rowheader")).to_have_text(
        [re.compile("Perfect|Random|MENACE")] * len(phones)
    )
    expect(heading(screen)).to_contain_text(re.compile("(wins|share) the cup"))
    places = [phone.page.locator(".place") for phone in phones]
    for place in places:
        expect(place).to_contain_text(re.compile(r"You are (1st|2nd|3rd) of 3\."))
    looks(screen, teacher, phones[0])


def enters(phone: Visitor) -> None:
    phone.button("Enter it").click()
    expect(phone.page.get_by_text("You have entered")).to_be_visible()


@pytest.mark.soak
def test_a_question_of_a_lesson_is_asked_without_a_board(visit: Visit) -> None:
    teacher, screen, code = with_screen(visit)
    phone = joins_by_link(visit(**PHONE), code)
    plain = joins_by_code(visit(java_script_enabled=False, viewport=PHONE["viewport"]), code)
    teacher.page.goto("/learn/evolution")
    teacher.page.locator("#wrong-reward").get_by_role("link", name="Ask the class").click()
    teacher.button(f"Ask {code}").click()
    expect(heading(screen)).to_contain_text("is evolved for 200 generations")
    expect(screen.page.get_by_role("region", name="Board")).to_have_count(0)
    phone.button("Yes, it wins less").click()
    phone.sees("Your answer: Yes, it wins less.")
    plain.page.reload()
    plain.button("No, it wins as often or more").click()
    plain.sees("Your answer: No, it wins as often or more.")
    looks(screen, teacher, phone)
    assert phone.misfits(PHONES) == []
    does(teacher, "Close the vote", "closed")
    phone.sees("The vote is closed.")
    expect(screen.page.locator(".votes")).to_have_count(0)
    looks(screen, teacher, phone)
    assert phone.misfits(PHONES) == []
    does(teacher, "Reveal", "revealed")
    expect(heading(screen)).to_have_text("2 votes: “Yes, it wins less” is right")
    expect(screen.page.get_by_text("Evolved table has 29% wins")).to_be_visible()
    phone.sees("Look at the screen.")
    looks(screen, teacher, phone)
    assert phone.misfits(PHONES) == []
    plain.page.reload()
    expect(plain.page.get_by_text("Right: Yes, it wins less")).to_be_visible()


@pytest.mark.soak
def test_phones_say_how_to_play_and_why_a_press_is_no_move_and_vote_without_a_script(
    visit: Visit,
) -> None:
    teacher = visit(**WALL)
    code = begins_class(teacher)
    phone = joins_by_link(visit(**PHONE), code)
    plain = joins_by_code(visit(java_script_enabled=False, viewport=PHONE["viewport"]), code)
    asks(teacher, "game=nim:preset=marienbad")
    plain.follows("Refresh").page.get_by_label("From row", exact=True).select_option("d")
    plain.page.get_by_label("take", exact=True).fill("4")
    plain.page.locator("#take-button").click()
    plain.sees("Your answer: d4.")
    asks(teacher, "game=quixo")
    expect(phone.page.locator(".phone.phase-open")).to_be_visible()
    phone.cell("b2").click(force=True)  # a button that says that it is none
    phone.sees("b2 is not on the rim").follows("How to play")
    sheet = phone.page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", level=1)).to_be_focused()
    assert faults(phone) == []
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    for voter in (phone, plain.follows("Refresh")):
        voter.cell("a1").click()
        voter.sees("Push a1 back in")
        voter.grid.get_by_role("button", name=re.compile("push a1 in here")).first.click()
        voter.sees("Your answer: a1-")


# The release of one press is heard in the next, and none lasts too long however long it takes.
BUSY_BROWSER = """() => {
  const later = window.setTimeout;
  window.setTimeout = (run, delay = 0, ...rest) => later(run, delay + 700, ...rest);
  let now = 0;
  performance.now = () => (now += 1);
}"""


def test_a_press_is_not_lost_where_the_page_would_change_while_it_is_held(visit: Visit) -> None:
    teacher, phone = visit(**WALL), visit(**PHONE)
    code = begins_class(teacher, SHIPPED)
    teacher.page.evaluate(BUSY_BROWSER)
    teacher.page.locator("#now-title").click()
    teacher.page.locator("#step-begin").hover()
    teacher.page.mouse.down()
    with teacher.page.expect_response(lambda answer: answer.status == 200):  # someone has joined
        joins_by_link(phone, code)
    expect(teacher.page.locator("#now-title")).to_have_text("Nothing is asked yet")
    teacher.page.mouse.up()
    expect(teacher.page.locator("#now-title")).to_contain_text("Round 1")


def test_what_is_filled_in_stays_while_the_page_around_it_changes(visit: Visit) -> None:
    teacher = visit(**WALL)
    code = begins_class(teacher)
    phone = joins_by_link(visit(**PHONE), code)
    teacher.page.get_by_text("The cup: everyone enters a machine").click()
    game, games = teacher.page.locator("#cup-game"), teacher.page.get_by_label("Games of each pair")
    game.select_option("tictactoe")
    games.fill("12")
    games.press("ArrowLeft")
    joins_by_link(visit(**PHONE), code)
    expect(teacher.page.locator(".control-head")).to_contain_text("2 here")
    expect(game).to_have_value("tictactoe")
    expect(games).to_have_value("12")
    expect(games).to_be_focused()
    teacher.button("Open the cup").click()
    phone.page.get_by_label("Your machine").select_option("minimax")
    depth = phone.page.locator("#cup-entry-depth")
    depth.fill("2")
    depth.evaluate("field => { field.dataset.before = '' }")
    joins_by_link(visit(**PHONE), code).page.get_by_role("button", name="Enter it").click()
    expect(phone.page.locator("#cup-entry-depth:not([data-before])")).to_be_visible()
    expect(depth).to_have_value("2")


@pytest.mark.soak
def test_phones_go_on_without_a_hand_when_the_server_is_killed_in_a_vote(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path) as served, visiting(browser, served.address) as visit:
        teacher = visit(expected=(OFFLINE,), **WALL)
        early, late = (visit(expected=(OFFLINE,), **PHONE) for _ in range(2))
        code = begins_class(teacher)
        joins_by_link(early, code)
        joins_by_link(late, code)
        asks(teacher, "game=tictactoe")
        votes(early, "b2")
        expect(late.page.locator(".phone.phase-open")).to_be_visible()
        served.kill()
        expect(late.page.get_by_text("The server cannot be reached.")).to_be_visible()
        served.start()
        expect(late.page.get_by_text("The server cannot be reached.")).to_have_count(0)
        votes(late, "a1")
        early.sees("Your answer: b2.")
        expect(teacher.page.locator(".turnout")).to_contain_text("2 of 2 have answered")
        does(teacher, "Close the vote", "closed")
        early.sees("The vote is closed. You said b2.")
        answers = teacher.page.request.get(f"{teacher.page.url}.csv").text()
        assert [row["answer"] for row in csv.DictReader(StringIO(answers))] == ["b2", "a1"]


@pytest.mark.soak
def test_a_match_with_a_countdown_goes_on_while_the_control_is_away(visit: Visit) -> None:
    teacher = visit(**WALL)
    phone = joins_by_link(visit(**PHONE), begins_class(teacher))
    screen = teacher.new_tab().looks_at("/screen")
    teacher.page.get_by_text("Play a machine by vote").click()
    teacher.page.locator("#match-game").select_option("tictactoe")
    teacher.page.get_by_label("Seconds for each vote, if counted").fill("5")
    teacher.button("Begin the match").click()
    expect(teacher.page.locator("#do-close")).to_be_visible()
    teacher.page.close()
    votes(phone, "b2")
    expect(screen.page.locator(".screen.phase-match")).to_be_visible()
    expect(heading(screen)).to_contain_text("We played b2.")
    expect(phone.page.locator(".phone.phase-open")).to_be_visible()  # of the next move
    expect(phone.grid.get_by_role("button", name=re.compile("^b2, x"))).to_be_visible()
    expect(screen.page.locator(".countdown")).to_be_visible()
