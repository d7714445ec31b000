"""What the screen shows at the reveal and at the teacher's press: board, line, exhibit, page."""

import re
from html import unescape

import pytest

from tests.webapp.classroom.people import Teacher
from tests.webapp.lab.trainings import MENACE

NIM = "nim:heaps=1-2,last=wins"


@pytest.fixture
def revealed(teacher, student, others):
    """A vote on 1-2, where only b1 wins: three for a1, one for b1."""
    teacher.asks(NIM)
    for one, move in zip((student, *others), ("b1", "a1", "a1", "a1"), strict=True):
        one.says(move)
    return teacher.does("close", "reveal")


def badge_on(screen, match):
    """The badge and the looks of a match."""
    sticks = [stick for heap in screen.question.board.heaps for stick in heap.sticks]
    return next((stick.badge, stick.classes) for stick in sticks if stick.value == match)


def test_the_reveal_keeps_the_board_with_votes_and_values_and_the_best_move_ringed(revealed):
    badge, looks = badge_on(revealed.screen, "b1")
    assert (badge.votes, badge.meaning) == ("1", "win")
    assert "hinted" in looks
    badge, looks = badge_on(revealed.screen, "a1")
    assert (badge.votes, badge.meaning) == ("3", "loss")
    assert "hinted" not in looks
    assert badge_on(revealed.screen, "b2")[0].votes == ""
    assert 'id="board-nim"' in revealed.get(f"{revealed.path}/screen").text


def test_before_the_reveal_the_board_has_neither_votes_nor_values(teacher, student):
    teacher.asks(NIM)
    student.says("b1")
    for _ in ("open", "closed"):
        assert badge_on(teacher.screen, "b1")[0] is None
        teacher.does("close")


def test_a_move_is_played_out_on_the_board_by_best_answers(revealed):
    revealed.posts("stage", do="line", move="a1")
    assert revealed.screen.question.line == "a1"
    revealed.posts("stage", do="next")
    assert revealed.screen.question.line == "a1 b2"  # takes the last two, and wins
    assert "1-2" not in str(revealed.screen.question.board.heaps[0].count)
    revealed.posts("stage", do="next")
    assert revealed.screen.question.line == "a1 b2"
    revealed.posts("stage", do="previous")
    assert revealed.screen.question.line == "a1"
    revealed.posts("stage", do="back")
    assert revealed.screen.question.line == ""
    assert badge_on(revealed.screen, "a1")[0].votes == "3"


def test_a_line_needs_a_reveal_and_a_legal_move(teacher, revealed):
    revealed.posts("stage", 422, do="line", move="c9")
    revealed.posts("stage", 422, do="dance")
    teacher.asks(NIM)
    teacher.posts("stage", 409, do="line", move="a1")


def test_what_a_machine_shows_stands_in_the_place_of_the_votes_when_it_is_asked_for(revealed):
    assert not revealed.screen.shows_exhibit
    revealed.posts("stage", do="exhibit")
    assert revealed.screen.shows_exhibit
    assert "You said" not in revealed.get(f"{revealed.path}/screen").text


def test_a_page_is_shown_on_the_screen_obeys_the_control_and_is_taken_back(teacher, student):
    teacher.posts("stage", do="page", path="/machines/menace?game=tictactoe")
    shown = teacher.screen.page
    assert shown.path == "/machines/menace?game=tictactoe&present=1"
    page = teacher.get(f"{teacher.path}/screen").text
    assert re.search(r'<iframe[^>]*src="/machines/menace\?game=tictactoe&amp;present=1"', page)
    teacher.posts("stage", do="next")
    assert (teacher.screen.page.command, teacher.screen.page.serial) == ("next", 1)
    assert student.phone.status.startswith("You are in.")
    teacher.posts("stage", do="back")
    assert teacher.screen.page is None
    teacher.posts("stage", do="page", path="/machines")
    assert teacher.asks(NIM).screen.page is None


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example", "machines", ""])
def test_only_pages_of_this_site_are_shown(teacher, path):
    teacher.posts("stage", 422, do="page", path=path)


def test_nobody_else_changes_what_the_screen_shows(teacher, student, stranger):
    for one in (student, stranger):
        sent = one.post(f"{teacher.path}/stage", {"do": "page", "path": "/machines"})
        assert sent.status_code == 403
    assert teacher.screen.page is None


PROJECTED = (
    "/positions?game=tictactoe",
    "/positions/tree?game=tictactoe&state=x.o/.x./..o+x",
    "/positions/uct?game=tictactoe&state=x.o/.x./..o+x",
    "/learn/nim",
    "/machines",
    "/machines/menace?game=tictactoe",
    "/machines/network?game=tictactoe",
    "/optimise/black-box",
    "/optimise/set-cover",
    "/train/updates?agent=qlearning:games%3D20",
)
BEGUN = {
    "/train": MENACE,
    "/arena": {"game": "tictactoe", "machine": ["random", "opportunist"], "games": "2"},
    "/matches": {"game": "tictactoe", "opponent": "random"},
}


def shows(teacher, path, choice=0):
    """Press *Show on the class's screen* on a page; returns where the screen leads."""
    page = teacher.get(path).text
    assert f'action="{teacher.path}/stage"' in page
    offered = re.findall(r'form="show-on-screen" name="path" value="([^"]+)"', page)
    teacher.posts("stage", do="page", path=unescape(offered[choice]))
    shown = teacher.screen.page.path
    assert shown.startswith(path.partition("?")[0])
    assert 'class="present' in teacher.get(shown).text
    return shown


@pytest.mark.parametrize("path", PROJECTED)
def test_beside_projector_a_page_is_shown_to_the_class_that_is_on(app, path):
    teacher = Teacher(app)
    shows(teacher, path)
    teacher.does("end", action="settings")
    assert "show-on-screen" not in teacher.get(path).text


@pytest.mark.parametrize("path", BEGUN)
def test_what_was_begun_is_shown_to_the_class_that_is_on(app, path):
    teacher = Teacher(app)
    begun = teacher.post(path, BEGUN[path])
    assert begun.status_code == 303, begun.text
    shows(teacher, begun.location.partition("?")[0])


def test_a_widget_of_a_lesson_is_shown_with_what_it_holds(app):
    teacher = Teacher(app)
    shown = shows(teacher, "/learn/minimax?five=x", 1)
    assert shown == "/learn/minimax?five=x&slide=3&present=1"
    page = teacher.get(shown).text
    assert 'id="five"' in page
    assert "of 1 right" in page


def test_without_a_class_nothing_is_shown_on_a_screen(stranger):
    assert "show-on-screen" not in stranger.get("/positions?game=tictactoe").text
