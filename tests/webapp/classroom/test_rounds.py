"""A round from its question to its reveal, and refused requests."""

import re
from dataclasses import replace

import pytest

from agents import load_agent
from engine import load_game
from webapp.analysis.panel import Panel
from webapp.classroom.results import teaching_advice


def test_an_answer_can_be_changed_until_the_vote_is_closed(teacher, student):
    teacher.asks()
    student.says("a1").says("b1")
    assert student.phone.answer == "b1"
    teacher.does("close")
    student.says("a1", 409)
    assert "your answer came too late" in student.seen["phone"].message.text
    assert student.phone.answer == "b1"
    assert teacher.control.turnout.answered == 1


def test_nim_is_answered_by_a_row_and_a_number(teacher, student):
    teacher.asks("nim")
    student.says(["d", "4"])
    assert (student.phone.answer, student.phone.status) == ("d4", "Your answer: d4.")


@pytest.mark.parametrize("answer", ["c9", "z1", "", "b1<script>"])
def test_an_answer_that_is_no_move_is_refused_on_the_phone(teacher, student, answer):
    teacher.asks()
    student.says(answer, 422)
    assert student.seen["phone"].question.number == 1


def test_a_press_that_is_no_move_is_refused_with_the_reason(teacher, student):
    def pressed(cell):
        phone = student.page("phone", f"?pick={cell}")
        return phone.status, phone.refused

    teacher.asks("quixo")
    refusal = "b2 is not on the rim: only rim cubes that are blank or yours."
    assert pressed("b2") == (refusal, True)
    assert pressed("a1") == ("Push a1 back in at an arrow: e1 or a5", False)
    teacher.does("close")
    assert pressed("b2") == ("The vote is closed. Look at the screen.", False)


def test_a_phone_says_how_the_game_is_played_that_is_asked_about(teacher, student):
    assert student.phone.rules_url == ""
    teacher.asks("nim")
    assert "Make your opponent take the last match." in student.get(student.phone.rules_url).text
    assert student.seen["back"] == (student.path, "Back to the board")


def test_an_answer_to_another_round_or_vote_is_refused(teacher, student):
    teacher.asks()
    student.says("b1", 409, round=2).says("b1", 409, vote=2)
    teacher.asks()
    student.says("b1", 409, round=1)
    assert teacher.control.turnout.answered == 0


def test_two_votes_stand_side_by_side_with_what_each_answer_is_worth(teacher, student, others):
    teacher.asks()
    for one, said in zip([student, *others], ["a1", "a1", "b2", "b1"], strict=True):
        one.says(said)
    teacher.does("close", "talk", "again")
    for one, said in zip([student, *others], ["b1", "b1", "b2", "b1"], strict=True):
        one.says(said)
    teacher.does("close", "reveal")
    result = teacher.screen.result
    counts = {bar.answer: bar.counts for bar in result.bars}
    assert counts == {"a1": (2, 0), "b1": (1, 3), "b2": (1, 1)}
    told = [line.partition(":")[0] for line in student.phone.told]
    assert told == ["You said a1 in vote 1", "You said b1 in vote 2"]


def test_what_an_answer_is_worth_is_what_the_solver_says(teacher, student):
    teacher.asks("nim:heaps=1-2,last=wins")
    student.says("a1")
    teacher.does("close", "reveal")
    game = load_game("nim:heaps=1-2,last=wins")
    analysis = load_agent("perfect", game).analyse(game.start)
    worth = {str(each.move): each for each in analysis.candidates}
    current = teacher.session.round
    assert {v.text: (v.value, v.plies) for v in current.judgements} == {
        move: (each.value, each.plies) for move, each in worth.items()
    }
    top = max(each.value for each in analysis.candidates)
    assert set(current.best) == {move for move, each in worth.items() if each.value == top}


@pytest.mark.parametrize(
    ("share", "advice"), [(0.34, "explain"), (0.36, "talk"), (0.69, "talk"), (0.71, "go on")]
)
def test_the_rule_of_thumb(share, advice):
    assert advice in teaching_advice(share)


def test_who_wins_with_best_play_is_worked_out(teacher, student):
    teacher.asks("tictactoe", kind="winner")
    student.says("a draw")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: “a draw” is right"
    assert student.phone.told == ("You said a draw: ✓ right",)


def test_ones_own_answers_are_neither_right_nor_wrong(teacher, student):
    teacher.asks("tictactoe", kind="choices", choices="yes | no", prompt="Is it fair?")
    student.says("no")
    teacher.does("close", "reveal")
    assert teacher.screen.result.headline == "1 vote: nothing was right or wrong"
    student.says("yes", 409)


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "chess"},
        {"game": "nim", "moves": "z9"},
        {"game": "tictactoe", "state": "xxx/xxx/xxx o"},
        {"game": "tictactoe", "state": "xxx/oo./... o"},
        {"game": "tictactoe", "kind": "choices", "choices": "one"},
        {"game": "tictactoe", "kind": "essay"},
        {"game": "tictactoe", "machine": "deep-thought"},
        {"game": "tictactoe", "seconds": "1"},
        {"game": "tictactoe", "prompt": "x" * 1000},
    ],
)
def test_a_question_that_cannot_be_asked_says_why(teacher, fields):
    assert teacher.posts("rounds", 422, **fields).control.question is None


def test_steps_that_come_too_early_are_refused(teacher, student):
    teacher.asks().tries("reveal", 409).tries("talk", 409)
    teacher.does("close", "again", "close").tries("again", 409).tries("nonsense", 422)


def test_a_step_pressed_twice_is_one_step(teacher):
    teacher.asks()
    teacher.does("close", "again").does("close", vote=1)
    assert teacher.control.phase == "open"


def test_an_answer_can_be_hidden_from_the_screen(teacher, student, others):
    teacher.asks()
    student.says("b1")
    others[0].says("a1")
    teacher.does("close").does("hide", action="answers", answer="a1").does("reveal")
    assert [bar.answer for bar in teacher.screen.result.shown] == ["b1"]


def test_a_phone_asks_for_little_and_is_answered_with_nothing_until_something_changes(
    teacher, student
):
    poll = student.polls()
    assert (poll().status_code, poll().data) == (204, b"")
    teacher.asks()
    assert poll().status_code == 200
    student.says("b1")
    poll = student.polls()
    teacher.control  # noqa: B018 - looking changes nothing
    assert poll().status_code == 204


def test_asking_about_any_position_is_offered_beside_it(teacher, stranger):
    page = teacher.get("/class/ask?game=tictactoe&moves=b2,a1")
    assert page.status_code == 200
    assert f"Ask {teacher.code}" in page.text
    assert "Begin a class" in stranger.get("/class/ask?game=tictactoe").text
    assert stranger.get("/class/ask?game=chess").status_code == 422


def test_the_words_of_a_machine_are_explained(teacher, student, monkeypatch):
    teacher.asks()
    student.says("b1")
    teacher.does("close", "reveal")
    game = load_game("tictactoe")
    said = replace(load_agent("perfect", game).analyse(game.start), reason="4 plies deep: a draw.")
    panel = Panel("perfect", game, analysis=said)
    monkeypatch.setattr("webapp.classroom.page.machine_panel", lambda *_: panel)
    assert 'id="word-ply-said"' in teacher.get(teacher.path).text


ONLY_C3 = {"game": "tictactoe", "state": ".x./oox/..x o"}  # a puzzle that ships


@pytest.mark.parametrize(("wrong", "offered"), [(3, True), (2, False)])
def test_the_report_makes_a_puzzle_of_what_most_got_wrong(teacher, student, others, wrong, offered):
    teacher.asks(**ONLY_C3)
    for number, one in enumerate((student, *others)):
        one.says("a1" if number < wrong else "c3")
    teacher.does("close", "settle")
    assert "/puzzles/" not in student.get(f"{teacher.path}/report").text.partition("<main")[2]
    teacher.does("reveal")
    page = student.get(f"{teacher.path}/report").text.partition("<main")[2]
    assert ("Try it as a puzzle" in page) is offered
    if offered:
        address = re.search(r'href="(/puzzles/[0-9a-f]+)"', page)[1]
        assert student.get(address).status_code == 200
        assert str(student.seen["puzzle"].puzzle.state) == ONLY_C3["state"]
