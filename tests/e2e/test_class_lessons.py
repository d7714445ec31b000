"""The shipped lessons from their first to their last step: control, screen, three phones, thirty
students over HTTP; the screen is measured in every phase. `--log-cli-level=INFO` prints when."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from http.cookiejar import CookieJar
from time import monotonic
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from playwright.sync_api import expect

from engine import load_game
from tests.e2e.conftest import Visit
from tests.e2e.test_class import PHONE, begins_class, heading, joins_by_link, with_screen
from tests.e2e.test_projector import BEYOND, PAGES, SIZES
from tests.e2e.visitor import Visitor
from tests.webapp.visitor import OWN_PAGE
from webapp.questions.plans import PlanStep, StepKind, shipped_plan

log = logging.getLogger(__name__)

CROWD = 30
WALLS = {(1280, 720): 24, (1920, 1080): 30}  # smallest text, in pixels
WAIT_MS = 60_000
SHOWN = (
    *("tree with a cut", "uct selects", "updates", "machines", "menace", "minimax", "network"),
    *("set cover", "black box", "its columns", "what perfect thinks of tictactoe"),
)  # pages that a teacher puts on the screen
# Machines of the cup that one cannot tell apart, since how they are set is not to be seen.
CUT_SETTINGS = """() => [...document.querySelectorAll(".cup-table .name > :nth-child(2)")]
  .filter((text) => text.clientWidth < 0.7 * text.scrollWidth).map((text) => text.textContent)"""


class HttpStudent:
    """A student whose phone is a few requests."""

    def __init__(self, address: str, code: str) -> None:
        self._path = f"{address}/c/{code}"
        self._open = build_opener(HTTPCookieProcessor(CookieJar())).open
        self._post("/join")

    def _post(self, path: str, **fields: str) -> None:
        data = urlencode(fields).encode()
        try:
            self._open(Request(f"{self._path}{path}", data, OWN_PAGE), timeout=60).close()
        except HTTPError as error:
            said = error.read()[:300]
            raise AssertionError(f"{path} {fields}: {error.status} {said!r}") from error

    def says(self, answer: str) -> None:
        with self._open(self._path, timeout=60) as page:
            sent = dict(re.findall(r'name="(round|vote)" value="(\d+)"', page.read().decode()))
        self._post("/answer", move=answer, **sent)

    def enters(self, machine: str, **settings: str) -> None:
        self._post("/machine", machine=machine, **settings)


class Wall:
    """The screen, measured at both sizes whenever its phase changes."""

    def __init__(self, screen: Visitor) -> None:
        self.screen, self.begun = screen, monotonic()
        self.faults: list[str] = []

    def looks(self, what: str) -> None:
        for (width, height), least in WALLS.items():
            self.screen.page.set_viewport_size({"width": width, "height": height})
            sizes = [(width, height)]
            smallest = min(self.screen.text_sizes())
            over = self.screen.page.evaluate(
                "[document.documentElement.scrollWidth - innerWidth,"
                " document.documentElement.scrollHeight - innerHeight]"
            )
            if self.screen.scrolls_at(sizes) or self.screen.sideways_at(sizes):
                self.faults.append(f"{what} at {width}x{height}: {over} beyond the screen")
            if smallest < least:
                self.faults.append(f"{what} at {width}x{height}: text of {smallest} px")
            is_whole = self.screen.page.locator("#shown-page.whole").count()
            for shown in self.screen.page.main_frame.child_frames if is_whole else ():
                found = shown.evaluate(BEYOND)
                if (size := min(shown.evaluate(SIZES))) < least - 0.1:
                    found.append(f"text of {size} px")
                self.faults += [f"{what} at {width}x{height}, its page: {each}" for each in found]
        log.info("%6.1f s  %s", monotonic() - self.begun, what)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["how-machines-play", "how-machines-learn"])
def test_a_shipped_lesson_from_its_first_to_its_last_step(
    visit: Visit, server: str, name: str
) -> None:
    plan = shipped_plan(name)
    teacher, screen, code = with_screen(visit, plan.title)
    wall = Wall(screen)
    wall.looks("waiting")
    phones = [joins_by_link(visit(**PHONE), code) for _ in range(3)]
    crowd = [HttpStudent(server, code) for _ in range(CROWD)]
    expect(screen.page.locator(".crowd")).to_contain_text("33 are here")
    for number, step in enumerate(plan.steps, start=1):
        where = teacher.page.locator(".lesson .small").first
        expect(where).to_contain_text(f"step {number} of {len(plan.steps)}")
        for done in takes(step, teacher, wall, phones, crowd):
            wall.looks(f"step {number}, {step.title}: {done}")
        if number < len(plan.steps):
            teacher.page.locator("#step-next").click()
    assert not wall.faults, "\n".join(wall.faults)


def takes(
    step: PlanStep, teacher: Visitor, wall: Wall, phones: list[Visitor], crowd: list[HttpStudent]
) -> Iterator[str]:
    """Take a step; yields in each phase of the screen."""
    screen = wall.screen
    if step.kind in (StepKind.SHOW, StepKind.TRAIN):
        begins = "#step-begin" if step.kind is StepKind.TRAIN else "#step-show"
        teacher.page.locator(begins).click()
        inside = screen.page.frame_locator("#shown-page")
        expect(inside.get_by_role("heading").first).to_be_visible()
        if screen.page.locator("#shown-page.whole").count():
            expect(inside.locator(".invite-tag")).to_be_visible()
        yield "its page on the screen"
        teacher.button("Take it back").click()
        expect(screen.page.locator("#shown-page")).to_have_count(0)
        return
    before = teacher.page.locator("#now-title").inner_text()
    teacher.page.locator("#step-begin").click()
    expect(teacher.page.locator("#now-title")).not_to_have_text(before)
    if step.kind is StepKind.CUP:
        yield from plays_cup(teacher, screen, phones, crowd)
        return
    expect(screen.page.locator(".screen.phase-open")).to_be_visible()
    yield "open"
    asked = teacher.page.locator("#now-title").inner_text()
    number = asked.removeprefix("Round ").partition(":")[0]
    for phone in phones:
        votes_first(phone, number)
    if step.kind is StepKind.PLAY:
        said = phones[0].page.locator("#status").inner_text()
        move = said.removeprefix("Your answer: ").rstrip(".")
        for student in crowd:
            student.says(move)
        expect(screen.page.locator(".screen.phase-match")).to_be_visible(timeout=WAIT_MS)
        expect(heading(screen)).to_contain_text(f"We played {move}.")
        yield "our move, and how the votes fell"
        expect(screen.page.locator(".screen.phase-open")).to_be_visible(timeout=WAIT_MS)
        yield "the next move"
        return
    assert step.question is not None
    answers = step.question.answers
    for at, student in enumerate(crowd):
        student.says(answers[at % len(answers)])
    expect(screen.page.locator(".turnout")).to_contain_text("33 of 33 have answered")
    teacher.button("Close the vote").click()
    expect(screen.page.locator(".screen.phase-closed")).to_be_visible()
    yield "closed"
    teacher.button("Reveal").click(timeout=WAIT_MS)
    expect(screen.page.locator(".screen.phase-revealed")).to_be_visible(timeout=WAIT_MS)
    expect(heading(screen)).to_contain_text("33 votes:")
    yield "revealed"
    exhibit = teacher.page.locator("#show-exhibit")
    if step.question.machine and exhibit.count():
        exhibit.click()
        expect(screen.page.locator(".reason")).to_be_visible(timeout=WAIT_MS)
        yield "what a machine says"


def plays_cup(
    teacher: Visitor, screen: Visitor, phones: list[Visitor], crowd: list[HttpStudent]
) -> Iterator[str]:
    """27 different machines of 33 students, and three who share one."""
    for phone in phones:
        phone.page.get_by_label("Your machine").select_option("random")
        phone.button("Enter it").click()
        expect(phone.page.get_by_text("You have entered")).to_be_visible()
    for number, student in enumerate(crowd[:26], start=1):
        student.enters("mcts", **{"entry.simulations": str(number)})
    expect(
        screen.page.get_by_text("29 students have entered 27 different machines")
    ).to_be_visible()
    yield "machines entered"
    teacher.button("Begin the cup").click()
    expect(screen.page.get_by_role("table", name="The machines by rank")).to_be_visible()
    yield "the cup is played"
    expect(heading(screen)).to_contain_text(
        re.compile("(wins|share) the cup"), timeout=10 * WAIT_MS
    )
    for phone in phones:
        expect(phone.page.locator(".place")).to_contain_text(
            re.compile(r"You are \d+(st|nd|rd|th) of 27, with 2 others\.")
        )
    yield "the cup is over"


def votes_first(phone: Visitor, number: str) -> None:
    """The first answer there is in this round: a choice, a match, or a cell of the board."""
    expect(phone.page.locator(f'.phone.phase-open[data-revision^="{number}."]')).to_be_visible()
    said = phone.page.locator("form.options button, #heaps .stick[data-action=move]")
    if said.count():
        said.first.click()
    else:
        half = phone.grid.locator("[data-action=pick]")
        if half.count():
            half.first.click()
        phone.grid.locator("[data-action=move]").first.click()
    phone.sees("Your answer:")


@pytest.mark.soak
def test_a_page_has_the_whole_screen_and_says_how_to_join(visit: Visit, server: str) -> None:
    teacher = visit(viewport={"width": 1280, "height": 720})
    code = begins_class(teacher)
    control = teacher.page.url
    screen = teacher.new_tab().looks_at("/screen")  # where a teacher's tools are offered, too
    wall = Wall(screen)
    for name in SHOWN:
        address, shows = PAGES[name]
        teacher.page.goto(address)
        teacher.page.get_by_role("button", name="Show on the class’s screen").first.click()
        teacher.page.wait_for_url(control)
        inside = screen.page.frame_locator("#shown-page.whole")
        expect(inside.locator(shows).first).to_be_visible()
        expect(inside.locator(".invite-tag .code")).to_have_text(code)
        wall.looks(name)
    with screen.page.expect_response(lambda answer: answer.status == 200):  # someone has joined
        HttpStudent(server, code)
    expect(screen.page.locator("#shown-page.whole")).to_be_visible()
    assert not wall.faults, "\n".join(wall.faults)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "votes"), [("quixo", 200), ("nim:preset=marienbad", 32)])
def test_many_votes_over_all_moves_fit_the_screen_before_and_after_talking(
    visit: Visit, server: str, game: str, votes: int
) -> None:
    teacher = visit(viewport={"width": 1280, "height": 720})
    code = begins_class(teacher)
    wall = Wall(teacher.new_tab().looks_at("/screen"))
    teacher.page.goto(f"/class/ask?game={game}")
    teacher.button(f"Ask {code}").click()
    expect(wall.screen.page.locator(".screen.phase-open")).to_be_visible()
    moves = [str(move) for move in load_game(game).start.legal_moves()]
    crowd = [HttpStudent(server, code) for _ in range(votes)]
    for vote in (1, 2):
        for at, student in enumerate(crowd):
            student.says(moves[at % (len(moves) * vote // 2)])
        teacher.button("Close the vote").click()
        if vote == 1:
            teacher.button("Let them talk").click()
            expect(wall.screen.page.locator(".screen.phase-talk")).to_be_visible()
            wall.looks(f"{game}: they talk")
            teacher.button("Vote again").click()
            expect(wall.screen.page.locator(".screen.phase-open")).to_be_visible()
    teacher.button("Reveal").click(timeout=WAIT_MS)
    expect(heading(wall.screen)).to_contain_text(f"{votes} votes:", timeout=WAIT_MS)
    wall.looks(f"{game}: {votes} votes over {len(moves)} moves, twice")
    assert wall.faults == []


@pytest.mark.soak
@pytest.mark.parametrize("entrants", [1, 3, 27, 32])
def test_a_cup_of_any_size_fits_the_screen(visit: Visit, server: str, entrants: int) -> None:
    teacher, screen, code = with_screen(visit)
    wall = Wall(screen)
    teacher.page.locator("#open-cup summary").click()
    teacher.page.locator("#cup-game").select_option("tictactoe")
    teacher.page.locator("#cup-count").fill("1")
    teacher.button("Open the cup").click()
    expect(screen.page.locator(".cup")).to_be_visible()
    wall.looks("nobody has entered")
    for number in range(entrants):
        settings = {"entry.simulations": str(number + 1)}
        HttpStudent(server, code).enters("mcts", **settings)
    expect(screen.page.locator(".cup .turnout")).to_contain_text(
        f"{entrants} different machines" if entrants > 1 else "1 student has entered 1 machine"
    )
    wall.looks(f"{entrants} entered")
    begin = teacher.button("Begin the cup")
    if entrants == 1:
        expect(begin).to_have_count(0)
    else:
        begin.click()
        expect(screen.page.get_by_role("table", name="The machines by rank")).to_be_visible()
        wall.looks(f"a cup of {entrants} is played")
        expect(heading(screen)).to_contain_text(
            re.compile("(wins|share) the cup"), timeout=10 * WAIT_MS
        )
        wall.looks(f"a cup of {entrants} is over")
        assert screen.page.evaluate(CUT_SETTINGS) == []
    assert not wall.faults, "\n".join(wall.faults)
