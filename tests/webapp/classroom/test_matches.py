"""A match by votes, the plan of a class, the cup, and the answers as CSV and report."""

import csv
import re
from datetime import UTC, datetime
from io import BytesIO, StringIO

import pytest

from agents import load_agent
from agents.runs import train_slice
from agents.training.brains import to_bytes
from engine import load_game
from tests.webapp.classroom.people import PLAN, Student, Teacher
from tests.webapp.jobs.working import worked_off
from tests.webapp.visitor import HTMX, OWN_PAGE, Never
from webapp.classroom.control_page import PlanPart
from webapp.classroom.seat_store import SeatStore
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import describe_brain
from webapp.jobs.store import JobStore
from webapp.matches.store import MatchStore
from webapp.questions.learning import brain_at_hand
from webapp.questions.plans import shipped_plan
from webapp.services import NAME
from webapp.web.forms import Choice

NIM = "nim:heaps=1-2,last=wins"


def test_the_most_voted_move_is_played_and_the_machine_answers(teacher, student, others):
    teacher.begins_match()
    for one, said in zip([student, *others], ["b1", "b1", "a1", "b2"], strict=True):
        one.says(said)
    teacher.does("close")
    assert teacher.control.favourite == "b1"
    teacher.plays("b1")
    assert teacher.screen.phase == "match"
    assert student.phone.status == "Perfect is thinking."
    control = teacher.hears().control
    assert (control.phase, control.plays, control.question.number) == ("open", True, 2)
    (last,) = teacher.session.round.question.answers  # of two equal heaps one is left
    student.says(last)
    teacher.does("close").plays(last)
    assert teacher.screen.phase == "story"
    assert teacher.screen.match_result == "The class wins"


def test_where_it_turned_is_told_at_the_end(teacher, student):
    teacher.begins_match()
    student.says("a1")
    teacher.does("close").plays("a1").hears()
    game = load_game(NIM)
    best = load_agent("perfect", game).analyse(game.start).candidates[0].move
    assert teacher.screen.match_result == "Perfect wins"
    told = f"It turned at move 1: you played a1, where {best} would have won."
    assert teacher.screen.story.sentence == told


def test_the_machine_may_move_first(teacher):
    assert teacher.begins_match(seat="o").screen.phase == "match"
    assert teacher.hears().control.phase in ("open", "story")


def test_the_favourite_of_any_round_begins_a_match_with_it(teacher, student):
    teacher.asks(NIM, machine="perfect")
    student.says("b2")
    assert teacher.does("close", "reveal").plays("b2").screen.phase == "match"
    assert teacher.hears().screen.phase == "story"


def test_a_second_match_begins_with_a_vote_of_its_own(teacher, student):
    teacher.begins_match()
    student.says("b1")
    control = teacher.begins_match().control
    assert (control.question.number, control.turnout.answered) == (2, 0)


def test_a_reply_asked_for_twice_is_one_round(teacher, student):
    teacher.begins_match().does("close").plays("b1").hears().hears()
    assert teacher.control.question.number == 2


def test_a_machine_that_still_thinks_is_waited_for(start):
    teacher = Teacher(start(Never)).begins_match(seat="o")
    answer = teacher.post(f"{teacher.path}/reply", headers=OWN_PAGE | HTMX)
    assert (answer.status_code, teacher.screen.phase) == (204, "match")


def test_a_move_is_not_played_while_the_vote_is_open_nor_twice(teacher, student):
    teacher.begins_match().posts("play", 409, move="b1")
    teacher.does("close").posts("play", 422, move="z9")
    teacher.plays("b1").hears().posts("play", 409, move="b1")


def test_only_the_class_moves_in_its_match(app, teacher, student, stranger):
    match_id = teacher.begins_match().session.record.match_id
    for other in (student, stranger):
        fields = {"move": "b1", "revision": "0"}
        assert other.post(f"/matches/{match_id}/moves", fields).status_code == 403
    assert app.extensions[NAME][MatchStore].find(match_id).plies == ()


def test_a_match_that_cannot_be_begins_nothing(teacher):
    teacher.posts("match", 422, game="tictactoe", machine="nim-expert")
    assert teacher.control.phase == "waiting"


def test_a_shipped_plan_is_gone_through_with_notes_on_the_control_alone(app):
    plan, teacher = shipped_plan(PLAN), Teacher(app, PLAN)
    student = Student(app, teacher.code)
    seen = teacher.control.plan
    assert (seen.plan.title, seen.plan.minutes) == ("How machines play", 45)
    for step in plan.steps:
        page = teacher.get(teacher.path).text
        shown = teacher.seen["control"].plan.step
        assert (shown.title, shown.notes, shown.minutes) == (step.title, step.notes, step.minutes)
        if step.notes:
            assert step.notes[:20].replace("'", "&#39;") in page
            assert step.notes[:20] not in teacher.get(f"{teacher.path}/screen").text
            assert step.notes[:20] not in student.get(student.path).text
        teacher.posts("lesson", do="next")
    assert teacher.control.plan.number == len(plan.steps)
    assert teacher.posts("lesson", do="previous").control.plan.number == len(plan.steps) - 1


def test_a_plan_of_ones_own_is_read_and_what_is_wrong_with_it_told(visitor):
    def sends(text):
        data = {"lesson": (BytesIO(text.encode()), "lesson.txt")}
        with visitor.looking():
            return visitor.client.post("/class", data=data, headers=OWN_PAGE)

    wrong = sends("# A lesson\n## First   5 min\nposition: chess\nask: What?\n## Second\n")
    assert wrong.status_code == 422
    assert len(visitor.seen["problems"]) >= 2
    right = sends("# A lesson\n## First   5 min\nposition: nim\nask: What would you take?\n")
    assert right.status_code == 303


def test_every_answer_is_a_row_of_the_file_and_none_a_formula(teacher, student, others):
    teacher.does("names", action="settings").asks(NIM)
    student.posts("name", name="=1+1").says("b1")
    others[0].says("a1")
    teacher.does("close", "again")
    student.says("b1")
    teacher.does("close", "reveal").asks("tictactoe", kind="choices", choices="=1+1|no")
    student.says("=1+1")
    answer = teacher.get(f"{teacher.path}.csv")
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"].startswith(
        f'attachment; filename="class-{teacher.code}-20'
    )
    rows = list(csv.reader(StringIO(answer.text)))
    assert rows[0][6:] == ["question", "game", "position", "truth", "time", "class"]
    assert [row[6:10] for row in rows[1:]] == [
        *[["What would you play?", NIM, "1-2 x", "b1"]] * 3,
        ["What do you think?", "tictactoe", ".../..../... x".replace("....", "..."), ""],
    ]
    assert {row[11] for row in rows[1:]} == {teacher.code}
    assert {datetime.fromisoformat(row[10]).tzinfo for row in rows[1:]} == {UTC}
    assert [row[:6] for row in rows] == [
        ["round", "vote", "student", "answer", "value", "best"],
        ["1", "1", "'=1+1", "b1", "1", "yes"],
        ["1", "1", others[0].name, "a1", "-1", "no"],
        ["1", "2", "'=1+1", "b1", "1", "yes"],
        ["2", "1", "'=1+1", "'=1+1", "", ""],
    ]
    assert student.get(f"{teacher.path}.csv").status_code == 403


def test_the_report_has_what_was_revealed_and_nothing_else(teacher, student, stranger):
    teacher.asks(NIM)
    student.says("b1")
    teacher.does("close", "reveal").asks("tictactoe", prompt="A secret question?")
    student.says("b2")
    page = stranger.get(f"{teacher.path}/report").text
    assert "1 vote: b1 wins" in page
    assert [told for told in ("A secret question?", student.name) if told in page] == []


def test_students_enter_machines_and_equal_ones_are_one(teacher, student, others):
    student.enters("random", 409)
    teacher.opens_cup(games="4")
    assert (student.phone.title, student.phone.status) == ("The cup", "Enter a machine.")
    assert "random" in {choice.value for choice in student.phone.entering}
    student.enters("alphabeta:depth=2").enters("alphabeta:depth=3")
    others[0].enters("")
    others[1].enters("random")
    others[2].enters("nim-expert", 422)
    assert student.phone.machine == "Alpha-beta · depth 3"
    assert teacher.screen.cup.entered == "3 students have entered 2 different machines"
    assert teacher.control.cup.expected == "4 games, less than a minute"
    cup = teacher.posts("cup", do="start").screen.cup
    assert cup.progress == "0 of 4 games"
    assert {row.machine for row in cup.rows} == {"Random", "Alpha-beta · depth 3"}
    assert teacher.get(cup.url).status_code == 200
    assert student.phone.status == "The machines have begun. Look at the screen."
    assert "You have entered Alpha-beta · depth 3." in student.get(student.path).text
    student.enters("perfect", 409)
    teacher.posts("cup", 409, do="start")


@pytest.mark.slow
def test_what_a_student_has_trained_is_theirs_to_enter(
    app, teacher, student, others, tmp_path, monkeypatch
):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    teacher.opens_cup()
    assert student.get(student.phone.train_url).status_code == 200
    assert [game.value for game in student.seen["form"].games if game.chosen] == ["tictactoe"]
    services = app.extensions[NAME]
    (seat, *_) = services[SeatStore].seats(teacher.class_id)
    data = train_slice("tictactoe", "menace:opponent=random", 7, None, until=5, seconds=60).brain
    kept = services[BrainStore].keep(seat.player, describe_brain(data, "Mine"), data, 1 << 20)
    assert Choice(kept.spec, "Mine, trained by you", chosen=False) in student.phone.entering
    assert kept.spec not in {choice.value for choice in others[0].phone.entering}
    assert student.enters(kept.spec).phone.machine.startswith("MENACE")


def test_a_cup_that_nobody_can_train_for_does_not_send_anyone_to_train(teacher, student):
    teacher.opens_cup(game="nim:heaps=30-30-30-30")
    assert (student.phone.phase, student.phone.train_url) == ("cup", "")


def test_the_games_of_a_cup_can_be_watched(app, teacher, student, others):
    teacher.opens_cup(games="2")
    student.enters("perfect")
    others[0].enters("random")
    assert student.phone.watch_url == ""
    teacher.posts("cup", do="start")
    assert student.get(student.phone.watch_url).status_code == 200
    assert (student.phone.train_url, teacher.screen.watch_at) == ("", "")
    worked_off(app.extensions[NAME][JobStore])
    assert teacher.screen.watch_at == f"localhost{student.phone.watch_url}"


def test_a_cup_of_another_game_begins_without_the_machines_of_the_last(teacher, student, others):
    teacher.opens_cup()
    student.enters("perfect")
    others[0].enters("random")
    teacher.opens_cup()  # the same game once more
    assert teacher.control.cup.ready
    teacher.opens_cup(game="quixo:size=3")
    assert not teacher.control.cup.ready
    assert student.phone.seat.machine is None
    student.enters("perfect")
    others[0].enters("random")
    assert teacher.control.cup.ready


def test_a_cup_of_one_machine_does_not_begin(teacher, student):
    teacher.opens_cup()
    student.enters("random")
    assert not teacher.control.cup.ready
    teacher.posts("cup", 422, do="start")
    assert teacher.asks(NIM).screen.phase == "open"


TAG, WRITTEN = "<b>Ada</b>", "&lt;b&gt;Ada&lt;/b&gt;"


def test_no_page_takes_a_students_name_for_markup(teacher, student, others):
    teacher.does("names", action="settings")
    student.posts("name", name=TAG)
    teacher.opens_cup()
    student.enters("perfect")
    others[0].enters("random")
    teacher.posts("cup", do="start")
    places = ((teacher, ""), (teacher, "/screen"), (student, ""))
    pages = [one.get(f"{one.path}{where}").text for one, where in places]
    assert [(WRITTEN in page, TAG in page) for page in pages] == [(True, False)] * 3


def test_a_machine_is_entered_with_its_settings_as_fields(teacher, student):
    teacher.opens_cup()
    page = student.get(f"{student.path}?machine=minimax").text
    assert 'name="entry.depth"' in page
    assert 'name="spec"' not in page
    student.posts("machine", machine="minimax", **{"entry.depth": "2"})
    assert student.phone.seat.machine == "minimax:depth=2"
    assert [field.value for field in student.phone.settings if field.option.name == "depth"] == [
        "2"
    ]
    student.posts("machine", 422, machine="minimax", **{"entry.depth": "no"})


def test_when_a_cup_is_over_the_winner_is_named_and_every_phone_knows_its_place(
    app, teacher, student, others
):
    teacher.opens_cup(games="2")
    student.enters("perfect")
    others[0].enters("random")
    teacher.posts("cup", do="start")
    poll = student.polls()
    assert poll().status_code == 204
    worked_off(app.extensions[NAME][JobStore])
    assert poll().status_code == 200
    places = {one.phone.place for one in (student, others[0])}
    assert places == {"You are 1st of 2.", "You are 2nd of 2."}
    first = teacher.screen.cup.podium[0]
    assert student.phone.status == f"{first.machine}, entered by {first.owner}, wins the cup."
    assert first.owner in (student.name, others[0].name)
    assert others[1].phone.place == ""
    assert student.polls()().status_code == 204


def test_what_was_trained_is_entered_from_its_own_page(app, teacher, student, stranger):
    brains = app.extensions[NAME][BrainStore]
    data = to_bytes(brain_at_hand("tictactoe", "menace"))
    kept = brains.keep("somebody", describe_brain(data, "Mine"), data)
    page = f"/brains/{kept.id}"
    assert "Enter it for" not in student.get(page).text
    teacher.opens_cup()
    assert f"Enter it for {teacher.code}" in student.get(page).text
    assert "Enter it for" not in stranger.get(page).text
    student.posts("machine", machine=kept.spec)
    assert student.phone.seat.machine == kept.spec
    student.enters("random")
    teacher.opens_cup(game="nim")
    assert "Enter it for" not in student.get(page).text


def test_the_report_has_the_match_and_the_cup(app, teacher, student, others):
    teacher.begins_match()
    student.says("b1")
    teacher.does("close").plays("b1").hears()
    teacher.opens_cup(games="2")
    student.enters("perfect")
    others[0].enters("random")
    assert "The cup:" not in student.get(f"{teacher.path}/report").text
    teacher.posts("cup", do="start")
    worked_off(app.extensions[NAME][JobStore])
    report = student.get(f"{teacher.path}/report").text
    assert "A match against Perfect" in report
    assert re.search("Moves: b1 [ab]1<", report)
    assert "wins the cup" in report


def test_when_a_class_ends_the_control_says_how_long_its_answers_are_kept(teacher):
    teacher.asks(NIM).does("end", action="settings")
    assert "Its answers are kept for a day" in teacher.get(teacher.path).text
    assert teacher.get(f"{teacher.path}.csv").status_code == 200


def test_a_plan_has_a_clock_and_a_list_of_steps_to_jump_to(app):
    teacher = Teacher(app, PLAN)
    plan = shipped_plan(PLAN)
    assert teacher.control.plan.clock == ""
    teacher.posts("lesson", do="jump", step="2")
    assert teacher.control.plan.board is not None
    assert teacher.control.phase == "waiting"
    teacher.posts("lesson", do="begin")
    teacher.posts("lesson", do="jump", step="3")
    part = teacher.control.plan
    assert part.step == plan.steps[2]
    begins = plan.steps[0].minutes + plan.steps[1].minutes
    assert part.steps[2] == (3, begins, plan.steps[2].title, True)
    assert part.clock == f"0 minutes of {plan.minutes}: {begins} minutes early"
    later = PlanPart(plan, 2, begun=0.0, now=60.0 * (begins + plan.steps[2].minutes + 6))
    assert later.clock.endswith(": 6 minutes late")
    assert PlanPart(plan, 2, begun=0.0, now=60.0 * begins + 5).clock.endswith(": on time")
    teacher.posts("lesson", do="jump", step="99")
    assert teacher.control.plan.number == len(plan.steps)
    page = teacher.get(teacher.path).text
    assert "<b>Say:</b>" in page
    assert "<b>For you:</b>" in page
