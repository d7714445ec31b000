"""Whatever is pressed on a page that is scrolled stays under the finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Visit
from tests.e2e.pressing import COUNT, NEAR, Presser, settle
from tests.e2e.test_class import asks, begins_class, joins_by_link
from tests.e2e.test_exhibits import KINDS, Kind, begin, meet
from tests.e2e.test_lab import LONG, SLOW
from tests.e2e.test_lab import begin as begin_training
from tests.e2e.visitor import FRIEND, Visitor
from tests.soaking import sampled
from webapp.learn.lesson import lessons

pytestmark = pytest.mark.slow

Scene = Callable[[Visitor], None]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
STILL = {"reduced_motion": "reduce"}
PROVOKED = (409, 422)  # a position may be set up that cannot be

EVERYWHERE = "main"
IN_THE_HEAD = "#exhibit"


def at(address: str) -> Scene:
    def scene(visitor: Visitor) -> None:
        visitor.page.goto(address)

    return scene


def against(game: str, agent: str, query: str = "") -> Scene:
    def scene(visitor: Visitor) -> None:
        begin(visitor, game, agent, query)

    return scene


def opened(game: str, players: list[str], moves: str, look: str = "") -> Scene:
    def scene(visitor: Visitor) -> None:
        visitor.opens(game, players, moves)
        visitor.page.goto(visitor.page.url + look)

    return scene


def head_of(kind: Kind) -> Scene:
    def scene(visitor: Visitor) -> None:
        meet(visitor, kind, "?values=1&show=1" + kind.part)

    return scene


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
        visitor.page.goto(visitor.page.url)
    else:
        begin_training(visitor.page, LONG, SLOW)
    expect(visitor.page.locator("#curve svg.plot")).to_be_visible()


ENDED = "a3 a1 b2 b3 c1"
MENACE = ["person", "menace:games=1000"]
SET_UP = "/positions?game=quixo&state=x.o.x/.xo../oox.x/..o../xo..o+o"
MATCHES = {
    "nim": against("nim", "random"),
    "tictactoe": against("tictactoe", "perfect", "?values=1&hint=1"),
    "quixo": against("quixo", "random"),
    "a match that is over": opened("tictactoe", MENACE, ENDED),
    "watching": opened("tictactoe", ["random", "random"], "a3 a1 b2"),
    "two compared": against("tictactoe", "random", "?values=1&agent=perfect&versus=minimax"),
}
PAGES = {
    "lobby": at("/"),
    "a tree": opened("tictactoe", ["person", "alphabeta"], "a3 b3 b2 c1", "/tree?depth=9&open=2.0"),
    "a position": at("/positions?game=tictactoe"),
    "a position of heaps": at("/positions?game=nim:heaps=3-21&state=2-20+x&values=1"),
    "a position with values": at(f"{SET_UP}&values=1&agent=perfect"),
    "training": training,
    "training form": at("/train?game=tictactoe&learner=qlearning"),
    "arena form": at("/arena?game=tictactoe&machine=random&machine=opportunist"),
    "cover": at("/optimise/set-cover?taken=5.12&compare=greedy&compare=astar&walk=astar"),
    "box": at("/optimise/black-box?asked=ones.r2&open=1"),
    "class": class_control,
    "phone of a class": class_phone,
}
HEADS = {
    kind: head_of(KINDS[kind])
    for kind in ("columns", "matchbox", "samples", "lessons", "genes", "deepening")
} | {"growth": against("tictactoe", "mcts:simulations=100", "?values=1&show=1&part=tree")}
MACHINES = {key: at(f"/machines/{key}") for key in ("menace", "mcts", "minimax", "es-rules")}
LESSONS = {lesson.slug: at(f"/learn/{lesson.slug}") for lesson in lessons()}


def moved(
    visit: Visit, scene: Scene, screen: dict[str, object], within: str = EVERYWHERE
) -> list[str]:
    """What did not stay, of everything that can be pressed there."""
    visitor = visit(expected=PROVOKED, **screen, **STILL)
    visitor.page.add_init_script(COUNT)
    presses = Presser(visitor, by_touch="has_touch" in screen).presses_all(scene, within)
    assert presses
    return [str(press) for press in presses if not press.stayed]


@pytest.mark.parametrize("scene", sampled(MATCHES, "nim", "tictactoe", "quixo"))
def test_what_is_pressed_in_a_match_stays_under_the_finger(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, PHONE) == []


@pytest.mark.parametrize(
    "scene", sampled(PAGES, "a position", "training form", "cover", "phone of a class")
)
def test_what_is_pressed_on_a_page_stays_under_the_finger(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, PHONE) == []


@pytest.mark.parametrize("scene", sampled(HEADS, "samples"))
def test_what_is_pressed_in_a_head_stays_under_the_finger(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, PHONE, IN_THE_HEAD) == []


@pytest.mark.parametrize("scene", sampled(LESSONS, "nim"))
def test_what_is_pressed_in_a_lesson_stays_under_the_finger(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, PHONE) == []


@pytest.mark.parametrize("scene", sampled(MACHINES, "menace"))
def test_what_is_pressed_on_the_page_of_a_machine_stays_under_the_finger(
    visit: Visit, scene: Scene
) -> None:
    assert moved(visit, scene, PHONE) == []


@pytest.mark.parametrize(
    "scene",
    sampled(
        {
            "menace": MACHINES["menace"],
            "minimax": MACHINES["minimax"],
            "nim": against("nim", "perfect", "?values=1"),
        },
        "menace",
    ),
)
def test_what_is_pressed_stays_under_the_mouse_too(visit: Visit, scene: Scene) -> None:
    assert moved(visit, scene, LAPTOP) == []


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
        pytest.param("Quixo", ("a1, blank", "a5, blank"), 1, id="quixo"),
    ],
)
def test_on_a_scrolled_phone_the_second_press_finds_the_board_where_it_was(
    visit: Visit, game: str, names: tuple[str, str], plies: int
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


def test_what_is_read_stays_where_the_page_changes_by_itself(visit: Visit) -> None:
    teacher = visit(**PHONE, **STILL)
    code = begins_class(teacher)
    names, students = teacher.page.locator("#names"), teacher.page.locator("#students summary")
    teacher.page.get_by_text("This class", exact=True).click()
    students.click()
    joins(visit, teacher, code, here=1)
    before = scrolled_to(names, 370)
    joins(visit, teacher, code, here=2)  # who is listed above
    assert middle_of(names) == pytest.approx(before, abs=NEAR)


def test_what_was_pressed_is_let_go_of_once_something_else_was_unfolded(visit: Visit) -> None:
    teacher = visit(**PHONE, **STILL)
    code = begins_class(teacher)
    names, students = teacher.page.locator("#names"), teacher.page.locator("#students summary")
    teacher.page.get_by_text("This class", exact=True).click()
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
