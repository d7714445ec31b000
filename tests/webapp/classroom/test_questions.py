"""Questions about no position: asked without a board, right by what they claim."""

import pytest

from agents.puzzles.collection import shipped_puzzle
from webapp.questions.models import InvalidLessonError
from webapp.questions.plans import read_plan, truths_in
from webapp.questions.puzzles import puzzle_question
from webapp.questions.query import question_fields

ABOUT_NO_GAME = {
    "game": "",
    "prompt": "How many sets at least?",
    "choices": "Two = 2 | Three = 3 | More = over 3",
    "truth": "least-sets set-cover:things=12,sets=9,seed=34",
}


def test_a_question_about_no_game_is_asked_without_a_board(teacher, student):
    teacher.asks(**ABOUT_NO_GAME)
    views = (teacher.control.question, teacher.screen.question, student.phone.question)
    assert [(view.board, view.about, view.title) for view in views] == [(None, "", "")] * 3
    assert student.phone.rules_url == ""
    student.says("Three")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: “Three” is right"
    assert teacher.screen.result.why.startswith("The largest set has 5 of the 12 things: 2 sets")
    assert (teacher.screen.said, teacher.control.machines) == (None, ())
    assert student.phone.told == ("You said Three: ✓ right",)
    assert student.phone.best == "Right: Three"
    assert "“Three” is right" in student.get(f"{teacher.path}/report").text


ABOUT_A_GAME = {
    "game": "tictactoe",
    "prompt": "How often does MENACE draw after 50 games?",
    "choices": "Rarely = under 35 | Often = at least 35",
    "truth": "curve draws at 50",
}


def test_a_question_about_a_game_names_it_and_draws_nothing(teacher, student):
    teacher.asks(**ABOUT_A_GAME)
    question = student.phone.question
    assert (question.board, question.about) == (None, "Tic-tac-toe · 3 × 3.")
    teacher.does("close", "reveal")
    assert teacher.screen.said is None  # there is no position to speak of
    assert "Tic-tac-toe" in student.get(f"{teacher.path}/report").text


def test_a_machine_that_is_named_speaks_at_the_reveal_of_where_the_game_begins(teacher, student):
    teacher.asks(**ABOUT_A_GAME, machine="menace")
    assert student.phone.question.board is not None
    assert teacher.screen.said is None  # before that nothing
    teacher.does("close", "reveal")
    assert teacher.screen.said.analyst == "MENACE"


def test_choices_that_are_moves_are_right_by_what_they_claim(teacher, student):
    teacher.asks(
        "tictactoe",
        state="..o/x.o/oxx x",
        prompt="Where should x go?",
        choices="The corner = a3 | The middle = b2 | The top = b3",
        truth="best",
    )
    student.says("The middle")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: The middle wins"
    assert teacher.control.right == "100% are right"


@pytest.mark.parametrize(
    "wrong",
    [
        {"truth": "value"},
        {"truth": "is 3 <"},
        {"choices": ""},
        {"moves": "b2"},
        {"machine": "menace"},
    ],
)
def test_a_question_about_no_game_that_cannot_be_asked_is_refused(teacher, wrong):
    teacher.posts("rounds", 422, **ABOUT_NO_GAME | wrong)
    address = teacher.client.get("/class/ask", query_string=ABOUT_NO_GAME | wrong)
    assert (address.status_code, teacher.control.phase) == (422, "waiting")


@pytest.mark.parametrize("truth", ["box-value 1 2 3 black-box", "least-sets nowhere"])
def test_of_what_cannot_be_worked_out_nothing_is_said_to_be_right(teacher, student, truth):
    teacher.asks(**ABOUT_NO_GAME | {"truth": truth})
    student.says("Two")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: nothing was right or wrong"
    assert teacher.screen.result.why == "It could not be worked out."


def test_no_machine_can_be_asked_about_no_game(teacher):
    teacher.asks(**ABOUT_NO_GAME).does("close", "reveal")
    teacher.posts("machine", 422, round=1, machine="perfect")


ADMISSIBLE = {
    "game": "",
    "kind": "plain",
    "prompt": "Which of these needs an admissible estimate?",
    "choices": "Breadth-first search\nA*\nDepth-first search",
}


def test_a_plain_question_is_right_as_the_teacher_says(teacher, student):
    teacher.asks(**ADMISSIBLE, right="A*")
    assert (student.phone.question.board, student.phone.rules_url) == (None, "")
    student.says("A*")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: “A*” is right"
    assert teacher.screen.result.source == "As the teacher says."
    assert teacher.control.right == "100% are right"
    assert student.phone.told == ("You said A*: ✓ right",)


def test_a_plain_question_without_a_right_answer_is_a_poll(teacher, student):
    teacher.asks(**ADMISSIBLE)
    student.says("A*")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: nothing was right or wrong"
    assert (teacher.control.right, student.phone.told) == ("", ("You said A*",))


def test_a_plain_question_about_a_position_shows_its_board(teacher, student):
    teacher.asks("tictactoe", kind="choices", choices="Bold | Shy", right="Bold", moves="b2")
    assert student.phone.question.board is not None
    student.says("Shy")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: “Bold” is right"
    assert student.phone.best == "Right: Bold"


@pytest.mark.parametrize(
    "wrong", [{"right": "B*"}, {"choices": "A*"}, {"choices": ""}, {"right": "x" * 70}]
)
def test_a_plain_question_without_its_right_choice_is_refused(teacher, wrong):
    teacher.posts("rounds", 422, **ADMISSIBLE | {"right": "A*"} | wrong)
    assert teacher.control.phase == "waiting"


def test_the_control_leads_to_a_form_for_a_plain_question(teacher):
    page = teacher.get("/class/ask?kind=plain").text
    assert 'name="right"' in page
    assert 'name="game"' not in page
    assert "/class/ask?kind=plain" in teacher.get(teacher.path).text


def test_a_puzzle_as_a_round_is_judged_as_it_was_proven(teacher, student):
    puzzle = shipped_puzzle("201c6f5e")  # only c3 holds
    question = puzzle_question(puzzle)
    teacher.posts("rounds", **dict(question_fields(question)))
    assert teacher.session.round.question == question
    student.says("c3")
    teacher.does("close", "reveal")
    assert teacher.session.round.best == puzzle.solutions
    assert student.phone.best


def test_a_plan_asks_a_puzzle_by_its_id():
    plan = read_plan("# Puzzles\n## Warm-up 3 min\npuzzle: 201c6f5e\nseconds: 30\n")
    (step,) = plan.steps
    assert (step.question, step.seconds) == (puzzle_question(shipped_puzzle("201c6f5e")), 30)
    assert truths_in(plan)[step].right == ("c3",)
    for wrong in ("puzzle: nothing", "puzzle: 201c6f5e\ntruth: value"):
        with pytest.raises(InvalidLessonError, match="line"):
            read_plan(f"# Puzzles\n## Warm-up 3 min\n{wrong}\n")
