"""Whatever is pressed on a page that is scrolled stays under the finger."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Visit
from tests.e2e.presses import COUNT, NEAR, Presser, settle
from tests.e2e.scenes import KINDS, MENACE, SET_UP, STATES, Kind, Scene, at, begun, opened, puzzled
from tests.e2e.test_class import asks, begins_class, joins_by_link
from tests.e2e.test_lab import LONG, SLOW, begin
from tests.e2e.visitor import FRIEND, Visitor
from tests.soak import sampled
from webapp.learn.lesson import lessons

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
STILL = {"reduced_motion": "reduce"}
PROVOKED = (409, 422)  # a position may be set up that cannot be

EVERYWHERE = "main"
IN_THE_HEAD = "#exhibit"
COVER = "/optimise/set-cover?taken=5.12&compare=greedy&compare=astar"


def class_control(visitor: Visitor) -> None:
    code = begins_class(visitor)
    control = visitor.page.url
    joins_by_link(visitor, code)
    asks(visitor, "game=tictactoe&moves=a1,b2", "minimax")
    assert visitor.page.url == control


def class_phone(visitor: Visitor) -> None:
    code = begins_class(visitor)
    asks(visitor, "game=quixo")
    joins_by_link(visitor, code)


def training(visitor: Visitor) -> None:
    """One that goes on until it is stopped, which is pressed too."""
    if "/jobs/" in visitor.page.url:
        visitor.page.goto(visitor.page.url)  # a reload would keep the scroll position
    else:
        begin(visitor.page, LONG, SLOW)
    expect(visitor.page.locator("#curve svg.plot")).to_be_visible()


def grid(visitor: Visitor) -> None:
    """One that is done, to look along either axis."""
    if "/jobs/" in visitor.page.url:
        visitor.page.goto(visitor.page.url.partition("?")[0])
        return
    tried = "alpha%3D0.1%3A0.9%3A0.2%2Cepsilon%3D0.1%2C0.2%2C0.3"
    visitor.goes_to(f"/train?game=tictactoe&learner=qlearning&grid={tried}")
    visitor.page.get_by_label(re.compile("How long")).fill("500")
    visitor.button("Begin to train").click()
    expect(visitor.page.locator("#heat-across")).to_be_visible()
    expect(visitor.page.locator("[data-poll]")).to_have_count(0)


def arena_game(visitor: Visitor) -> None:
    """One of two machines, from its beginning."""
    if "/games/" in visitor.page.url:
        visitor.page.goto(visitor.page.url.partition("?")[0])
        return
    visitor.goes_to("/arena?game=tictactoe&machine=random&machine=perfect")
    visitor.button("Let them play").click()
    visitor.page.wait_for_url("**/jobs/*")
    expect(visitor.page.locator("[data-poll]")).to_have_count(0)
    visitor.goes_to(f"{visitor.page.url}/games/1")


def in_match(game: str, agent: str, look: str = "") -> Scene:
    return begun(game, against=agent, look=look)


PAGES = {
    "nim": in_match("nim", "random"),
    "tictactoe": in_match("tictactoe", "perfect", "?values=1&hint=1"),
    "quixo": in_match("quixo", "random"),
    "a match that is over": opened("tictactoe", ["person", MENACE], "a3 a1 b2 b3 c1"),
    "a story": opened("tictactoe", ["person", MENACE], "a3 a1 b2 b3 c1", "?story=1", "#grades"),
    "watching": opened("tictactoe", ["random", "random"], "a3 a1 b2"),
    "two compared": in_match("tictactoe", "random", "?values=1&agent=perfect&versus=minimax"),
    "lobby": STATES["lobby"],
    "a tree": STATES["tree"],
    "a tree of Monte Carlo": STATES["uct"],
    "updates": STATES["updates"],
    "a position": at("/positions?game=tictactoe"),
    "a position of heaps": STATES["set_up_heaps"],
    "a position with values": at(f"{SET_UP}&agent=perfect"),
    "a puzzle": puzzled("tictactoe", "hold the draw"),
    "a puzzle of heaps": puzzled("nim", "leave nim-sum 0"),
    "a puzzle of Quixo": puzzled("quixo", "two threats"),
    "a puzzle missed": puzzled("quixo:size=4", "only move", "wrong"),
    "training": training,
    "training form": at("/train?game=tictactoe&learner=qlearning"),
    "grid": grid,
    "arena game": arena_game,
    "arena form": at("/arena?game=tictactoe&machine=random&machine=opportunist"),
    "cover": at(f"{COVER}&walk=astar"),
    "box": at("/optimise/black-box?asked=ones.r2&open=1"),
    "class": class_control,
    "phone of a class": class_phone,
}
PAGES |= {key: at(f"/machines/{key}") for key in ("menace", "mcts", "minimax", "es-rules")}
PAGES |= {f"lesson {lesson.slug}": at(f"/learn/{lesson.slug}") for lesson in lessons()}
HEADS = {
    name: lambda visitor, kind=KINDS[name]: kind.meet(visitor, f"?values=1&show=1{kind.part}")
    for name in (
        "columns",
        "matchbox",
        "numbers",
        "samples",
        "lessons",
        "genes",
        "deepening",
        "answers",
    )
} | {"growth": in_match("tictactoe", "mcts:simulations=100", "?values=1&show=1&part=tree")}
AT_A_LAPTOP = {
    "menace": PAGES["menace"],
    "minimax": PAGES["minimax"],
    "nim": in_match("nim", "perfect", "?values=1"),
}
IN_TEST = (
    *("nim", "tictactoe", "quixo", "a position", "a puzzle of Quixo", "a puzzle missed"),
    *("training form", "cover", "phone of a class"),
)


def moved(
    visit: Visit, scene: Scene, screen: dict[str, object], within: str = EVERYWHERE
) -> list[str]:
    """What did not stay, of everything that can be pressed there."""
    visitor = visit(expected=PROVOKED, **screen, **STILL)
    visitor.page.add_init_script(COUNT)
    presses = Presser(visitor, by_touch="has_touch" in screen).presses_all(scene, within)
    assert presses
    return [str(press) for press in presses if not press.stayed]


@pytest.mark.parametrize("scene", sampled(PAGES, *IN_TEST, "menace", "lesson nim"))
def test_what_is_pressed_on_a_page_stays_under_the_finger(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, PHONE) == []


@pytest.mark.parametrize("scene", sampled(HEADS, "samples"))
def test_what_is_pressed_in_a_head_stays_under_the_finger(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, PHONE, IN_THE_HEAD) == []


@pytest.mark.parametrize("scene", sampled(AT_A_LAPTOP, "menace"))
def test_what_is_pressed_stays_under_the_mouse_too(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, LAPTOP) == []


@pytest.mark.parametrize("screen", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("kind", sampled(KINDS, "columns", "matchbox"))
def test_a_head_opens_right_where_it_was_asked_for(
    visit: Visit, kind: Kind, screen: dict[str, object]
) -> None:
    visitor = kind.meet(visit(**screen, **STILL), "")
    opener = visitor.link(kind.opener)
    opener.evaluate("one => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    pressed = middle_of(opener)
    opener.click()
    head = visitor.page.locator("#exhibit").bounding_box()
    assert head is not None
    assert 0 <= head["y"] < visitor.page.evaluate("innerHeight * 0.75")
    if not kind.moves:  # else what was pressed is gone
        assert middle_of(visitor.page.locator("#show")) == pytest.approx(pressed, abs=NEAR)


@pytest.mark.parametrize("screen", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_search_is_walked_through_right_below_its_name(
    visit: Visit, screen: dict[str, object]
) -> None:
    visitor = visit(**screen, **STILL).goes_to(COVER)
    name = visitor.link("A*")
    name.evaluate("one => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    name.click()
    expect(visitor.page.locator("#steps")).to_be_in_viewport()


def middle_of(place: Locator) -> tuple[float, float]:
    """Of a place on the screen, as it is scrolled now."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(
    ("game", "names", "plies"),
    [
        pytest.param("Nim", ("take 3 from row e", "take 3 from row e"), 1, id="nim"),
        pytest.param("Tic-tac-toe", ("a1, empty", "c3, empty"), 2, id="tictactoe"),
        pytest.param("Quixo", ("a1, blank", "a5, blank", "a5, blank"), 1, id="quixo"),
    ],
)
def test_on_a_scrolled_phone_the_second_press_finds_the_board_where_it_was(
    visit: Visit, game: str, names: tuple[str, ...], plies: int
) -> None:
    visitor = visit(**PHONE)  # where cubes fly
    visitor.page.add_init_script(COUNT)
    visitor.begins(game, against=FRIEND)
    visitor.page.evaluate("scrollTo({ top: 100, behavior: 'instant' })")
    board = middle_of(visitor.grid)
    for x, y in [middle_of(visitor.grid.get_by_role("button", name=name)) for name in names]:
        visitor.page.touchscreen.tap(x, y)
        settle(visitor)
    assert visitor.match.ply == plies
    assert middle_of(visitor.grid) == pytest.approx(board, abs=NEAR)


def at_the_names(visit: Visit) -> tuple[Visitor, str, Locator, Locator]:
    """A control unfolded, its code, the button of its names, and what unfolds its students."""
    teacher = visit(**PHONE, **STILL)
    code = begins_class(teacher)
    teacher.page.get_by_text("This class", exact=True).click()
    names, students = teacher.page.locator("#names"), teacher.page.locator("#students summary")
    return teacher, code, names, students


def test_what_is_read_stays_where_the_page_changes_by_itself(visit: Visit) -> None:
    teacher, code, names, students = at_the_names(visit)
    students.click()
    joins(visit, teacher, code, here=1)
    before = scrolled_to(names, 370)
    joins(visit, teacher, code, here=2)  # who is listed above
    assert middle_of(names) == pytest.approx(before, abs=NEAR)


def test_what_was_pressed_is_let_go_of_once_something_else_was_unfolded(visit: Visit) -> None:
    teacher, code, names, students = at_the_names(visit)
    joins(visit, teacher, code, here=1)
    joins(visit, teacher, code, here=2)
    pressed = scrolled_to(names, 280)
    names.tap()
    expect(names).to_have_text("Make names up")
    students.tap()
    unfolded = middle_of(names)
    assert unfolded[1] > pressed[1] + 80  # two students
    joins(visit, teacher, code, here=3)
    assert middle_of(names) == pytest.approx(unfolded, abs=NEAR)


def joins(visit: Visit, teacher: Visitor, code: str, *, here: int) -> None:
    """One more, until the control says so."""
    joins_by_link(visit(**PHONE), code)
    expect(teacher.page.locator(".control-head")).to_contain_text(f"{here} here")


def scrolled_to(place: Locator, height: int) -> tuple[float, float]:
    """Bring it to that height of the screen."""
    down = middle_of(place)[1] - height
    place.evaluate("(_, down) => scrollBy({ top: down, behavior: 'instant' })", down)
    return middle_of(place)


def test_matches_of_a_large_row_are_pressed_too_and_nothing_rises_as_they_are_taken(
    visit: Visit,
) -> None:
    visitor = visit(**PHONE, **STILL)
    visitor.begins("Nim", variant="Twenty-one, take 1 to 3", against=FRIEND)
    take = visitor.page.locator("#take-button")
    at = middle_of(take)
    for left in (18, 15, 12):
        visitor.page.locator(".bundles use").nth(left).tap()
        visitor.sees("Take 3 from a?")
        take.tap()
        expect(visitor.page.locator(".bundles use")).to_have_count(left)
        assert middle_of(take) == pytest.approx(at, abs=NEAR)
    count = visitor.page.get_by_role("spinbutton")
    count.tap()
    visitor.page.keyboard.type("2")  # instead of the 1 that stands there
    visitor.sees("Take 2 from a?")
    visitor.page.keyboard.type("3")
    expect(take).to_have_text("Take")


def test_a_hint_is_read_where_it_was_asked_for_below_a_tall_board(visit: Visit) -> None:
    visitor = visit(**PHONE, **STILL)
    in_match("nim", "random")(visitor)
    hint = visitor.page.locator("#hint-button")
    hint.evaluate("one => one.scrollIntoView({ block: 'end', behavior: 'instant' })")
    at = middle_of(hint)
    hint.tap()
    status = visitor.page.locator("#status")
    expect(status).to_contain_text("that wins")
    expect(status).to_be_in_viewport(ratio=1)
    assert middle_of(hint) == pytest.approx(at, abs=NEAR)


def test_who_won_stays_in_sight_at_the_end_of_a_tall_board(visit: Visit) -> None:
    visitor = visit(**PHONE, **STILL)
    in_match("nim", "random", "?aid=1")(visitor)
    page = visitor.page
    page.locator("#resign").click()
    page.locator("#resign-button").click()
    expect(page.locator("#status")).to_contain_text("you resigned")
    page.evaluate("document.querySelector('.nim-sum').scrollIntoView()")
    assert page.evaluate("scrollY") > 250  # it began above that
    expect(page.locator("#status")).to_be_in_viewport(ratio=1)
