"""The page of a lesson, made of its text and its query alone: no app, no request."""

import pytest

from agents.roster import roster
from engine.catalog import catalog
from tests.webapp.visitor import AtOnce, Never, Visitor
from webapp.learn.lesson import find_lesson, lessons
from webapp.learn.markup import figure_value
from webapp.learn.page import LessonPage
from webapp.learn.query import LessonQuery
from webapp.web.navigation import LESSONS_BY_AGENT, lesson_url

NIM = find_lesson("nim")


def page(**sent):
    return LessonPage(NIM, LessonQuery.of(NIM, sent))


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.slug)
def test_every_lesson_has_a_page(lesson):
    made = LessonPage(lesson, LessonQuery.of(lesson, {}))
    assert len(made.blocks) == len(lesson.blocks)
    assert len(made.answers) == len(lesson.asked)
    assert (made.previous is None, made.next is None) == (
        lesson == lessons()[0],
        lesson == lessons()[-1],
    )


def test_a_prediction_shows_the_truth_after_any_answer_and_a_twin_after_the_right_one():
    predicted, twin = NIM.of("predict")[0], NIM.of("twin")[0]
    wrong = {block.name: str((figure_value(block.right) + 1) % 3) for block in (predicted, twin)}
    made = page(**wrong)
    assert (made.block(predicted.name).truth, made.block(predicted.name).choices) == ("First", ())
    assert (made.block(twin.name).truth, made.block(twin.name).why) == ("", None)
    assert made.block(twin.name).hint
    right = page(**{twin.name: str(figure_value(twin.right))}).block(twin.name)
    assert (right.right, right.truth) == (True, "Two from c")


def test_a_query_holds_states_and_the_pressed_button_in_one_order():
    query = LessonQuery.of(NIM, {"columns": "a1!", "do": "mirror:1", "present": "1", "x": "y"})
    assert query.pressed == "mirror"
    assert query.url(NIM.url) == "/learn/nim?mirror=1&columns=a1!&present=1"


def test_the_list_says_what_each_lesson_is_about():
    assert all(20 < len(lesson.about) < 100 for lesson in lessons())


def test_every_machine_and_game_of_ours_has_a_lesson_that_is_there():
    agents = [entry.key for entry in roster() if not entry.key.startswith("file-")]
    urls = {lesson_url(agent, game.key) for agent in agents for game in catalog()}
    assert urls <= {lesson.url for lesson in lessons()}
    assert set(LESSONS_BY_AGENT) <= set(agents)


def test_a_machine_beaten_from_a_lesson_counts_there(start):
    visitor = Visitor(start(AtOnce))
    visitor.get("/learn/nim")
    *_, beat = (
        block for block in visitor.seen["lesson"].blocks if block.template.endswith("beat.html")
    )
    assert (beat.name, beat.won) == ("beat-2", False)
    near = dict(beat.fields) | {"state": "0-0-1 x"}
    path, _, query = visitor.post("/positions", near).location.partition("?")
    visitor.get(f"{path}?{query}")
    assert visitor.seen["match"].lesson_link == ("/learn/nim#beat-2", "Back to the lesson")
    sent = {"move": "c1", **dict(visitor.seen["match"].carried), "revision": "0"}
    visitor.get(visitor.post(f"{path}/moves", sent).location)
    link, label = visitor.seen["match"].lesson_link
    assert (link, label) == ("/learn/nim?beat-2=won#beat-2", "Won: back to the lesson")
    actions = visitor.get(visitor.seen["match"].url).text.partition('id="actions"')[2]
    assert actions.index(label) < actions.index("Rematch")  # where one looks first
    visitor.get(link)
    assert visitor.seen["lesson"].block("beat-2").won


def test_a_match_that_is_over_leads_to_the_lesson_about_its_machine(start):
    visitor = Visitor(start(Never))
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3", ("person", "alphabeta"))
    assert visitor.match.lesson_link == ("/learn/alpha-beta", "The lesson about it")
    visitor.opens("tictactoe", "a1 b1", ("person", "alphabeta"))
    assert visitor.match.lesson_link is None
    visitor.get(f"{visitor.path}?lesson=//evil.example")
    assert visitor.seen["match"].lesson_link is None
    visitor.get("/machines/menace")
    assert visitor.seen["machine"].lesson_url == "/learn/learning"
