"""Students work on an assignment, and the teacher sees what each tried, solved and when."""

import pytest

from agents.puzzles.collection import shipped_puzzles
from tests.webapp.assignments.people import Student, Teacher
from tests.webapp.visitor import HTMX
from webapp.assignments import rules
from webapp.assignments.store import AssignmentStore
from webapp.config import Rate
from webapp.matches.store import MatchStore
from webapp.services import NAME, Clock

pytestmark = pytest.mark.stores
STUDENTS = 100  # of a large class


def at_time(app, seconds):
    """From now on it is so many seconds since 1970, for pages and for what is stored."""
    services = app.extensions[NAME]
    services[Clock] = Clock(lambda: seconds)
    services[AssignmentStore].now = lambda: seconds
    services[MatchStore]._clock = lambda: seconds


def test_a_puzzle_that_is_solved_at_once_counts_as_tried_solved_and_at_the_first_try(
    teacher, student
):
    student.says("c3")
    puzzles, *others = teacher.row(student.name)
    assert (puzzles.tried, puzzles.solved, puzzles.at_first, len(puzzles.items)) == (1, 1, 1, 2)
    assert [each.tried for each in others] == [0, 0]
    assert student.task(part=1).status == "Solved at the first try: c3."


def test_a_wrong_move_shows_what_follows_and_may_be_tried_again(teacher, student):
    student.says("a1")
    assert student.task(part=1).status == "a1 is not it. After a1 comes c3. Try again."
    student.says("c3")
    puzzles = teacher.row(student.name)[0]
    assert (puzzles.tries, puzzles.solved, puzzles.at_first) == (2, 1, 0)
    assert student.task(part=1).status == "Solved at try 2: c3."


def test_what_is_no_move_or_cannot_be_played_is_no_try(teacher, student):
    for move in ("zz", "b2", ""):
        student.says(move, status=422)
    assert teacher.row(student.name)[0].tried == 0


def test_a_press_on_a_match_picks_it_before_it_is_the_answer(app):
    teacher = Teacher(app, "## Nim\npuzzles: 1\ngame: nim\ntheme: leave nim-sum 0")
    board = Student(app, teacher.code).task().exercise.board
    assert {stick.action for heap in board.heaps for stick in heap.sticks} == {"pick"}


def test_the_table_of_a_large_class_costs_what_was_tried_not_what_might_be(app, monkeypatch):
    """Or one teacher's page keeps everybody waiting."""
    made = []

    class Counted(rules.ItemProgress):
        def __post_init__(self):
            made.append(self.name)

    monkeypatch.setattr(rules, "ItemProgress", Counted)
    names = ", ".join(f"Student {number}" for number in range(STUDENTS))
    teacher = Teacher(app, "## A\npuzzles: 60\n## B\npuzzles: 60\n", names=names)
    student = Student(app, teacher.code, "Student 7")
    student.says("zz", status=422)
    made.clear()
    assert len(teacher.table.rows) == STUDENTS
    assert made == []
    assert len(teacher.csv) == 1 + STUDENTS * 2  # tasks of which nothing was tried
    student.says(str(student.task(part=2).exercise.match.state.legal_moves()[0]), part=2)
    assert len(teacher.csv) == 1 + STUDENTS * 2 + 59


def test_a_student_tries_so_often_in_all(teacher, student, monkeypatch):
    monkeypatch.setattr(rules, "MAX_ALL_TRIES", 2)
    student.says("a1")
    student.says("b1", part=2)
    student.says("c3", status=409)
    assert teacher.row(student.name)[0].tries == 2


def test_answers_count_by_address_too_or_a_class_of_seats_could_send_without_end(start):
    app = start(rates_address=Rate(0.001, 5))
    teacher = Teacher(app)
    students = [Student(app, teacher.code) for _ in range(5)]
    told = [each.post(f"{each.path}/1/answer", {"part": 1}).status_code for each in students]
    assert told == [422] * 4 + [429]  # the teacher's was the first


def test_a_form_that_is_sent_twice_counts_once_and_a_stale_one_not_at_all(teacher, student):
    kept = dict(student.task(part=1).kept)
    for _ in range(2):
        assert student.post(f"{student.path}/1/answer", kept | {"move": "a1"}).status_code == 303
    assert student.post(f"{student.path}/1/answer", kept | {"move": "c3"}).status_code == 409
    assert teacher.row(student.name)[0].tries == 1


def test_what_is_solved_takes_no_more_answers(teacher, student):
    student.says("c3")
    student.says("a1", status=409)
    assert teacher.row(student.name)[0].tries == 1


def test_time_counts_from_the_page_to_the_answer_and_cannot_be_forged(app, teacher, student):
    began = teacher.record.created
    at_time(app, began)
    kept = dict(student.task(part=1).kept)
    at_time(app, began + 40)
    student.post(f"{student.path}/1/answer", kept | {"move": "a1"})
    assert teacher.row(student.name)[0].seconds == 40
    kept = dict(student.task(part=1).kept) | {"opened": f"{began - 999}.forged"}
    student.post(f"{student.path}/1/answer", kept | {"move": "c3"})
    assert teacher.row(student.name)[0].seconds == 40


def test_choosing_a_cube_stays_with_its_puzzle_and_its_time(app):
    """A press that picks a cube sends its board's address and nothing of the form."""
    quixo = [each.id for each in shipped_puzzles() if each.game == "quixo"][:2]
    teacher = Teacher(app, f"## Two of Quixo\npuzzles: {' '.join(quixo)}\n")
    student, began = Student(app, teacher.code), teacher.record.created
    at_time(app, began)
    page = student.task(part=2)
    cube = next(iter(page.exercise.puzzle.answers)).partition("-")[0]
    at_time(app, began + 40)
    student.get(f"{page.context.url}&pick={cube}", **HTMX)
    picked = student.seen["task"]
    assert (picked.part, picked.query.pick) == (2, cube)
    sent = dict(picked.kept) | {"move": picked.exercise.puzzle.solutions[0]}
    assert student.post(f"{student.path}/1/answer", sent).status_code == 303
    (first, second) = teacher.row(student.name)[0].items
    assert (first.tries, second.solved, second.seconds) == ((), True, 40)


def test_what_comes_after_the_last_day_is_marked_late(app):
    at_time(app, 2_000_000_000)
    teacher = Teacher(app, due="2033-05-18")  # ends at 2,000,073,600
    student = Student(app, teacher.code)
    at_time(app, 2_000_073_600)
    student.says("c3", part=1)
    assert "what is done now is marked late" not in teacher.get(teacher.path).text
    at_time(app, 2_000_073_601)
    assert "what is done now is marked late" in teacher.get(teacher.path).text
    student.says("b1", part=2)
    puzzles = teacher.row(student.name)[0]
    assert [item.late for item in puzzles.items] == [False, True]
    assert "It came after the last day." in student.task(part=2).status
    rows = {row[2]: row[8] for row in teacher.csv[1:3]}
    assert sorted(rows.values()) == ["no", "yes"]


def test_a_match_that_is_won_counts_with_its_game(teacher, student):
    game = student.plays()
    assert game.match.record.rated
    game.moves("b1")  # leaves 1-1, which wins
    game.hears()
    assert student.task(2).status == "Your game is not over yet."
    last = game.match.state.legal_moves()
    game.moves(str(next(iter(last))))
    won = teacher.row(student.name)[1]
    assert (won.solved, won.at_first) == (1, 1)
    assert won.matches[0].match_path == game.path
    assert teacher.csv[2][-1] == game.path  # after one line for the puzzles


def test_a_match_that_is_lost_does_not_count_and_another_may_be_begun(teacher, student):
    student.plays().does("resign")
    assert teacher.row(student.name)[1].solved == 0
    assert student.task(2).status == "Not yet: lost. Play again."
    game = student.plays()
    game.moves("b1")
    game.hears()
    game.moves(str(next(iter(game.match.state.legal_moves()))))
    task = teacher.row(student.name)[1]
    assert (task.solved, task.at_first, task.tries) == (1, 0, 2)


def test_in_a_match_of_a_task_nothing_is_taken_back_and_no_machine_advises(student):
    game = student.plays()
    game.moves("b1")
    assert game.does("undo").status_code == 409
    assert game.does("swap").status_code == 409
    assert game.at("?values=1").unadvised.startswith("This game counts")
    assert game.match.actions.undo is None
    assert game.match.aid_url is None
    assert not game.at("?aid=1").board.aid


def test_a_draw_holds_where_one_has_to_hold_and_only_there(app):
    tasks = "## Hold\nposition: tictactoe  xox/xxo/o.. o\nhold: random\n"
    tasks += "## Win\nposition: tictactoe  xox/xxo/o.. o\nwin: random\n"
    teacher = Teacher(app, tasks)
    student = Student(app, teacher.code)
    for number in (1, 2):
        game = student.plays(number)
        game.moves("c1")
        game.hears()
        assert game.match.outcome.winner is None
    assert [task.solved for task in teacher.row(student.name)] == [1, 0]


def test_results_of_matches_stay_when_the_matches_are_removed(app, teacher, student):
    student.plays().does("resign")
    before = teacher.row(student.name)[1].items
    assert teacher.work.settle(50) == 1
    assert teacher.work.settle(50) == 0
    with teacher.store.database.write() as cursor:
        cursor.execute("delete from matches")
    assert teacher.row(student.name)[1].items == before


def test_a_lessons_prediction_has_one_answer_and_its_twin_several(teacher, student):
    items = student.task(3).progress.items
    kinds = [item.has_one_try for item in items]
    assert True in kinds
    assert False in kinds
    for part, (item, one) in enumerate(zip(items, kinds, strict=True), start=1):
        page = student.task(3, part)
        right = page.exercise.question.right
        wrong = next(choice.value for choice in page.exercise.choices if choice.value != right)
        student.says(wrong, 3, part)
        shown = student.task(3, part)
        assert (shown.exercise.question.right in shown.status) == one, item.name
        student.says(right, 3, part, 409 if one else 303)
    task = teacher.row(student.name)[2]
    assert (task.at_first, task.solved) == (0, kinds.count(False))


def test_a_student_goes_on_with_another_device_by_the_personal_link(app, teacher, student):
    student.says("c3")
    phone = Student.__new__(Student)
    super(Student, phone).__init__(app)
    phone.path = student.path
    link = student.work.link.partition("/a/")[2]
    assert phone.get(f"/a/{link}").status_code == 200
    assert phone.seen["name"] == student.name
    assert phone.post(f"/a/{link}").status_code == 303
    assert phone.work.progress == student.work.progress
    phone.says("b1", part=2)
    assert teacher.row(student.name)[0].solved == 2


def test_a_link_that_the_teacher_replaces_stops_working_on_all_devices(app, teacher, student):
    link, name = student.work.link.partition("/a/")[2], student.name
    student.says("c3")
    assert teacher.post(f"{teacher.path}/students/1/link").status_code == 303
    assert student.get(f"/a/{link}").status_code == 404
    assert b'id="join"' in student.get(student.path).data
    assert teacher.row(name)[0].solved == 1


def test_names_are_those_of_the_list_each_taken_once(app):
    teacher = Teacher(app, names="Ada Lovelace\nBen, Cleo")
    assert [row.seat.name for row in teacher.table.rows] == ["Ada Lovelace", "Ben", "Cleo"]
    student = Student(app, teacher.code, " ada  LOVELACE ")
    assert student.name == "Ada Lovelace"
    other = Student.__new__(Student)
    super(Student, other).__init__(app)
    assert other.post(f"{student.path}/join", {"name": "Ada Lovelace"}).status_code == 409
    assert other.post(f"{student.path}/join", {"name": "Dora"}).status_code == 403
    assert other.post(f"{student.path}/join", {"name": "ben"}).status_code == 303


def test_a_closed_assignment_accepts_nothing(teacher, student):
    teacher.post(f"{teacher.path}/settings", {"do": "close"})
    assert (
        student.post(
            f"{student.path}/1/answer", dict(student.task(part=1).kept) | {"move": "c3"}
        ).status_code
        == 409
    )
    assert student.post(f"{student.path}/2/play").status_code == 409
    teacher.post(f"{teacher.path}/settings", {"do": "open"})
    student.says("c3")


def test_only_the_teacher_sees_and_changes_an_assignment(teacher, student, stranger):
    for visitor in (student, stranger):
        for path in ("", ".csv", "/links.csv", "/screen", "/students/1"):
            assert visitor.get(f"{teacher.path}{path}").status_code == 403, path
        for path in ("/settings", "/delete", "/students/1/link"):
            assert visitor.post(f"{teacher.path}{path}", {"do": "close"}).status_code == 403
    link = teacher.table.key_link.partition("/assignments")[2]
    assert stranger.post(f"/assignments{link}").status_code == 303
    assert stranger.get(teacher.path).status_code == 200


def test_a_deleted_assignment_is_gone_with_all_its_rows(teacher, student):
    student.says("c3")
    assert teacher.post(f"{teacher.path}/delete").status_code == 303
    assert student.get(student.path).status_code == 404
    for table in ("seats", "devices", "tries"):
        with teacher.store.database.read() as cursor:
            cursor.execute(f"select count(*) from assignment_{table}")
            assert list(cursor.fetchall()) == [(0,)]


def test_assignments_are_removed_half_a_year_after_their_last_day(app, teacher):
    assert teacher.store.remove_ended(50) == 0
    ends = teacher.record.ends
    at_time(app, ends + 1)
    assert teacher.store.remove_ended(50) == 1


def test_a_code_opens_what_it_is_of_wherever_it_is_typed(teacher, stranger):
    typed = {"code": teacher.code.lower()}
    for form in ("/a", "/join"):
        assert stranger.post(form, typed).location == f"/a/{teacher.code}"
    assert stranger.post("/a", {"code": "wjrm"}).location == "/c/WJRM"


@pytest.mark.parametrize(
    "due", ["9999-12-30 12:00", "0001-01-01 00:00", "2199-12-31", "1999-12-31"]
)
def test_a_last_day_that_no_page_can_write_or_nobody_lives_to_see_is_refused(app, due):
    teacher = Teacher(app)
    answer = teacher.post("/assignments", {"title": "T", "tasks": "## A\npuzzles: 1", "due": due})
    assert answer.status_code == 422
    assert len(teacher.store.owned_by(teacher.record.owner)) == 1
