"""A match by votes, the plan of a class, the cup, and the answers as CSV and report."""

import csv
from io import BytesIO, StringIO

import pytest

from agents import load_agent
from agents.runs import train_slice
from engine import load_game
from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.jobs.working import worked_off
from tests.webapp.visitor import OWN_PAGE, Never
from webapp.classroom.store import ClassStore
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import describe_brain
from webapp.jobs.store import JobStore
from webapp.matches.store import MatchStore
from webapp.questions.plans import shipped_plan
from webapp.services import NAME
from webapp.web.forms import Choice

NIM = "nim:heaps=1-2,last=wins"


def plays(teacher, move):
    answer = teacher.post(f"{teacher.path}/play", {"move": move})
    assert answer.status_code == 303, answer.text
    return teacher


def begins_match(teacher, **fields):
    match = {"game": NIM, "machine": "perfect", "seat": "x"}
    answer = teacher.post(f"{teacher.path}/match", match | fields)
    assert answer.status_code == 303, answer.text
    return teacher


def hears(teacher):
    answer = teacher.post(f"{teacher.path}/reply")
    assert answer.status_code == 303, answer.text
    return teacher


def test_the_most_voted_move_is_played_and_the_machine_answers(teacher, student, others):
    begins_match(teacher)
    for one, said in zip([student, *others], ["b1", "b1", "a1", "b2"], strict=True):
        one.says(said)
    teacher.does("close")
    assert teacher.control.favourite == "b1"
    plays(teacher, "b1")
    assert teacher.screen.phase == "match"
    assert student.phone.status == "Perfect is thinking."
    hears(teacher)
    control = teacher.control
    assert (control.phase, control.plays) == ("open", True)
    assert control.question.number == 2
    session = teacher.app.extensions[NAME][ClassStore].find(teacher.path[7:])
    (last,) = session.round.question.answers  # of two equal heaps one is left, whichever it took
    student.says(last)
    teacher.does("close")
    plays(teacher, last)
    assert teacher.screen.phase == "story"
    assert teacher.screen.match_result == "The class wins"


def test_where_it_turned_is_told_at_the_end(teacher, student):
    begins_match(teacher)
    student.says("a1")
    teacher.does("close")
    plays(teacher, "a1")
    hears(teacher)
    story = teacher.screen.story
    game = load_game(NIM)
    best = load_agent("perfect", game).analyse(game.start).candidates[0]
    assert teacher.screen.match_result == "Perfect wins"
    assert (
        story.sentence == f"It turned at move 1: you played a1, where {best.move} would have won."
    )


def test_the_machine_may_move_first(teacher):
    begins_match(teacher, seat="o")
    assert teacher.screen.phase == "match"
    hears(teacher)
    assert teacher.control.phase in ("open", "story")


def test_the_favourite_of_any_round_begins_a_match_with_it(teacher, student):
    teacher.asks(NIM, machine="perfect")
    student.says("b2")
    teacher.does("close", "reveal")
    plays(teacher, "b2")
    assert teacher.screen.phase == "match"
    hears(teacher)
    assert teacher.screen.phase == "story"


def test_a_second_match_begins_with_a_vote_of_its_own(teacher, student):
    begins_match(teacher)
    student.says("b1")
    begins_match(teacher)
    assert teacher.control.question.number == 2
    assert teacher.control.turnout.answered == 0


def test_a_reply_asked_for_twice_is_one_round(teacher, student):
    begins_match(teacher)
    teacher.does("close")
    plays(teacher, "b1")
    hears(teacher)
    hears(teacher)
    assert teacher.control.question.number == 2


def test_a_machine_that_still_thinks_is_waited_for(start):
    teacher = Teacher(start(Never))
    begins_match(teacher, seat="o")
    answer = teacher.post(f"{teacher.path}/reply", headers=OWN_PAGE | {"HX-Request": "true"})
    assert answer.status_code == 204
    assert teacher.screen.phase == "match"


def test_a_move_is_not_played_while_the_vote_is_open_nor_twice(teacher, student):
    begins_match(teacher)
    assert teacher.post(f"{teacher.path}/play", {"move": "b1"}).status_code == 409
    teacher.does("close")
    assert teacher.post(f"{teacher.path}/play", {"move": "z9"}).status_code == 422
    plays(teacher, "b1")
    hears(teacher)
    assert teacher.post(f"{teacher.path}/play", {"move": "b1"}).status_code == 409


def test_only_the_class_moves_in_its_match(app, teacher, student, stranger):
    begins_match(teacher)
    match_id = app.extensions[NAME][ClassStore].find(teacher.path[7:]).record.match_id
    for other in (student, stranger):
        fields = {"move": "b1", "revision": "0"}
        assert other.post(f"/matches/{match_id}/moves", fields).status_code == 403
    assert app.extensions[NAME][MatchStore].find(match_id).plies == ()


def test_a_match_that_cannot_be_begins_nothing(teacher):
    fields = {"game": "tictactoe", "machine": "nim-expert"}
    assert teacher.post(f"{teacher.path}/match", fields).status_code == 422
    assert teacher.control.phase == "waiting"


@pytest.fixture
def prepared(app):
    teacher = Teacher(app)
    begun = teacher.post("/class", {"shipped": "how-machines-play"})
    teacher.path = begun.location
    return teacher


def test_a_shipped_lesson_is_gone_through_with_notes_on_the_control_alone(app, prepared):
    lesson = shipped_plan("how-machines-play")
    student = Student(app, prepared.code)
    seen = prepared.control.lesson
    assert (seen.plan.title, seen.plan.minutes) == ("How machines play", 45)
    for step in lesson.steps:
        page = prepared.get(prepared.path).text
        shown = prepared.seen["control"].lesson.step
        assert (shown.title, shown.notes, shown.minutes) == (step.title, step.notes, step.minutes)
        if step.notes:
            assert step.notes[:20].replace("'", "&#39;") in page
            assert step.notes[:20] not in prepared.get(f"{prepared.path}/screen").text
            assert step.notes[:20] not in student.get(student.path).text
        prepared.post(f"{prepared.path}/lesson", {"do": "next"})
    assert prepared.control.lesson.number == len(lesson.steps)
    prepared.post(f"{prepared.path}/lesson", {"do": "previous"})
    assert prepared.control.lesson.number == len(lesson.steps) - 1


def test_the_first_steps_of_the_lesson_are_asked_and_revealed(app, prepared):
    student = Student(app, prepared.code)
    assert prepared.post(f"{prepared.path}/lesson", {"do": "begin"}).status_code == 303
    student.says("d4")
    prepared.does("close", "reveal")
    assert prepared.screen.result.headline == "1 vote: nobody could have won here"
    assert prepared.screen.said.machine == "nim-expert"
    prepared.post(f"{prepared.path}/lesson", {"do": "next"})
    prepared.post(f"{prepared.path}/lesson", {"do": "begin"})
    student.says("First")
    prepared.does("close", "reveal")
    assert prepared.screen.result.headline == "1 vote: “First” is right"
    assert prepared.screen.result.why


def test_a_lesson_of_ones_own_is_read_and_what_is_wrong_with_it_told(visitor):
    def sends(text):
        data = {"lesson": (BytesIO(text.encode()), "lesson.txt")}
        with visitor.looking():
            return visitor.client.post("/class", data=data, headers=OWN_PAGE)

    wrong = sends("# A lesson\n## First   5 min\nposition: chess\nask: What?\n## Second\n")
    assert wrong.status_code == 422
    assert len(visitor.seen["problems"]) >= 2
    right = sends("# A lesson\n## First   5 min\nposition: nim\nask: What would you take?\n")
    assert right.status_code == 303


def test_every_answer_is_a_row_of_the_file(app, teacher, student, others):
    teacher.asks(NIM)
    student.says("b1")
    others[0].says("a1")
    teacher.does("close", "again")
    student.says("b1")
    teacher.does("close", "reveal")
    teacher.asks("tictactoe", kind="choices", choices="=1+1|no")
    student.says("=1+1")
    answer = teacher.get(f"{teacher.path}.csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.reader(StringIO(answer.text)))
    name, other = student.name, others[0].name
    assert rows[0] == ["round", "vote", "student", "answer", "value", "best"]
    assert rows[1:] == [
        ["1", "1", name, "b1", "1", "yes"],
        ["1", "1", other, "a1", "-1", "no"],
        ["1", "2", name, "b1", "1", "yes"],
        ["2", "1", name, "'=1+1", "", ""],
    ]
    assert student.get(f"{teacher.path}.csv").status_code == 403


def test_the_report_has_what_was_revealed_and_nothing_else(teacher, student, stranger):
    teacher.asks(NIM)
    student.says("b1")
    teacher.does("close", "reveal")
    teacher.asks("tictactoe", prompt="A secret question?")
    student.says("b2")
    page = stranger.get(f"{teacher.path}/report")
    assert "1 vote: b1 wins" in page.text
    assert "A secret question?" not in page.text
    assert student.name not in page.text


def enters(student, spec, status=303):
    answer = student.post(f"{student.path}/machine", {"machine": "random", "spec": spec})
    assert answer.status_code == status, answer.text


def test_students_enter_machines_and_equal_ones_are_one(app, teacher, student, others):
    assert student.post(f"{student.path}/machine", {"machine": "random"}).status_code == 409
    opened = teacher.post(f"{teacher.path}/cup", {"do": "open", "game": "tictactoe", "games": "4"})
    assert opened.status_code == 303
    assert "random" in {choice.value for choice in student.phone.entering}
    enters(student, "alphabeta:depth=2")
    enters(student, "alphabeta:depth=3")
    enters(others[0], "")
    enters(others[1], "random")
    enters(others[2], "nim-expert", 422)
    assert student.phone.machine == "Alpha-beta · depth 3"
    assert teacher.screen.cup.entered == "3 students have entered 2 different machines"
    assert teacher.control.cup.expected == "4 games, less than a minute"
    assert teacher.post(f"{teacher.path}/cup", {"do": "start"}).status_code == 303
    cup = teacher.screen.cup
    assert cup.progress == "0 of 4 games"
    assert {row.name for row in cup.rows} == {"Random", "Alpha-beta · depth 3"}
    assert teacher.get(cup.url).status_code == 200
    enters(student, "perfect", 409)
    assert teacher.post(f"{teacher.path}/cup", {"do": "start"}).status_code == 409


@pytest.mark.slow
def test_what_a_student_has_trained_is_theirs_to_enter(
    app, teacher, student, others, tmp_path, monkeypatch
):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    teacher.post(f"{teacher.path}/cup", {"do": "open", "game": "tictactoe"})
    assert student.get(student.phone.train_url).status_code == 200
    assert [game.value for game in student.seen["form"].games if game.chosen] == ["tictactoe"]
    services = app.extensions[NAME]
    (seat, *_) = services[ClassStore].seats(teacher.path[7:])
    data = train_slice("tictactoe", "menace:opponent=random", 7, None, until=5, seconds=60).brain
    kept = services[BrainStore].keep(seat.player, describe_brain(data, "Mine"), data, 1 << 20)
    assert Choice(kept.spec, "Mine, trained by you", chosen=False) in student.phone.entering
    assert kept.spec not in {choice.value for choice in others[0].phone.entering}
    enters(student, kept.spec)
    assert student.phone.machine.startswith("MENACE")


def test_a_cup_that_nobody_can_train_for_does_not_send_anyone_to_train(teacher, student):
    teacher.post(f"{teacher.path}/cup", {"do": "open", "game": "nim:heaps=30-30-30-30"})
    assert (student.phone.phase, student.phone.train_url) == ("cup", "")


def test_the_games_of_a_cup_can_be_watched(app, teacher, student, others):
    teacher.post(f"{teacher.path}/cup", {"do": "open", "game": "tictactoe", "games": "2"})
    enters(student, "perfect")
    enters(others[0], "random")
    assert student.phone.watch_url == ""
    teacher.post(f"{teacher.path}/cup", {"do": "start"})
    assert student.get(student.phone.watch_url).status_code == 200
    assert (student.phone.train_url, teacher.screen.watch_at) == ("", "")
    worked_off(app.extensions[NAME][JobStore])
    assert teacher.screen.watch_at == f"localhost{student.phone.watch_url}"


def test_a_cup_of_one_machine_does_not_begin(teacher, student):
    teacher.post(f"{teacher.path}/cup", {"do": "open", "game": "tictactoe"})
    enters(student, "random")
    assert not teacher.control.cup.ready
    assert teacher.post(f"{teacher.path}/cup", {"do": "start"}).status_code == 422
    teacher.asks(NIM)
    assert teacher.screen.phase == "open"


TAG, WRITTEN = "<b>Ada</b>", "&lt;b&gt;Ada&lt;/b&gt;"


def called(student, name):
    assert student.post(f"{student.path}/name", {"name": name}).status_code == 303


def test_no_page_takes_a_students_name_for_markup(teacher, student, others):
    teacher.does("names", action="settings")
    called(student, TAG)
    teacher.post(f"{teacher.path}/cup", {"do": "open", "game": "tictactoe"})
    enters(student, "perfect")
    enters(others[0], "random")
    assert teacher.post(f"{teacher.path}/cup", {"do": "start"}).status_code == 303
    pages = {
        "control": teacher.get(teacher.path).text,
        "screen": teacher.get(f"{teacher.path}/screen").text,
        "phone": student.get(student.path).text,
    }
    assert {where for where, text in pages.items() if WRITTEN in text} == set(pages)
    assert {where for where, text in pages.items() if TAG in text} == set()


def test_no_spreadsheet_takes_a_students_name_for_a_formula(teacher, student):
    teacher.does("names", action="settings")
    called(student, "=1+1")
    teacher.asks(NIM)
    student.says("b1")
    rows = list(csv.reader(StringIO(teacher.get(f"{teacher.path}.csv").text)))
    assert rows[1][2] == "'=1+1"
