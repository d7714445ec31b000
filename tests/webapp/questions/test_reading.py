"""A prepared lesson is read whole, or everything that is wrong with it is told by its line."""

import pytest

from engine import Seat
from webapp.questions.models import Choice, InvalidLessonError
from webapp.questions.plans import (
    MAX_PLAN_BYTES,
    MAX_STEPS,
    StepKind,
    overview,
    plan_from_bytes,
    read_plan,
    truths_in,
)
from webapp.questions.query import parse_question, question_fields
from webapp.questions.truths import has_board

LESSON = """\
# How machines play
Three games.

## Nim by hand                      5 min
position: nim:heaps=1-3-5-7  1-3-5-7 x
ask: What would you take?
machine: nim-expert
notes: Let three people say why
  before you close the vote.
## Who wins with best play?         3 min
position: tictactoe  x.o/.x./..o x
choices: x wins | o wins | It makes no difference = a draw
truth: value
seconds: 30
## Will it look?   2 min
position: tictactoe x.o/.x./..o x
moves: b3
ask: Will alpha-beta look at c2?
truth: looks-at c2
## Look   1 min
show: /machines/menace
say: Here it is.
## Train  4 minutes
train: menace
position: tictactoe
games: 1,000
## Play  4 min
play: menace:games=50
position: tictactoe
seat: second
## The cup  6 min
cup: quixo:size=3
games: 4
"""


def problems_of(text):
    with pytest.raises(InvalidLessonError) as raised:
        read_plan(text)
    return [str(problem) for problem in raised.value.problems]


WHO = ("position: tictactoe", "ask: Who?")


def with_section(*lines):
    return "\n".join(["# A lesson", "## A step  5 min", *lines])


def test_a_question_about_no_game_needs_no_position():
    truth = "truth: least-sets set-cover:things=12,sets=9,seed=34"
    step = read_plan(with_section("ask: How many at least?", "choices: 2 | 3", truth)).steps[0]
    assert (step.question.game, step.question.truth) == ("", truth.removeprefix("truth: "))


def test_a_lesson_is_read_as_its_text_says():
    lesson = read_plan(LESSON)
    assert (lesson.title, lesson.about, lesson.minutes) == ("How machines play", "Three games.", 25)
    assert [step.kind for step in lesson.steps] == [StepKind.ASK] * 2 + list(StepKind)
    nim, who, look, shown, trained, played, cup = lesson.steps
    asked = nim.question
    assert (asked.game, asked.start, asked.truth) == ("nim:heaps=1-3-5-7", None, "best")
    assert nim.notes == "Let three people say why before you close the vote."
    assert (who.question.prompt, who.seconds) == ("Who wins with best play?", 30)
    assert who.question.choices[2] == Choice("It makes no difference", "a draw")
    assert (look.question.start, look.question.moves) == ("x.o/.x./..o x", ("b3",))
    assert [pick.text for pick in look.question.choices] == ["Yes", "No"]
    assert (shown.link, shown.say) == ("/machines/menace", "Here it is.")
    assert (trained.machine, trained.game, trained.games) == ("menace", "tictactoe", 1000)
    assert (played.machine, played.seat) == ("menace:games=50", Seat.SECOND)
    assert (cup.game, cup.games) == ("quixo:size=3", 4)


def test_windows_wrote_it_all_the_same():
    data = b"\xef\xbb\xbf" + LESSON.replace("\n", "\r\n").encode()
    assert plan_from_bytes(data) == read_plan(LESSON)


def test_every_problem_of_a_text_is_told_with_its_line():
    text = """\
## Nim by hand
position: nim:heaps=1-3-5-7  1-3-5-9 x
ask: What would you take?
machin: nim-expert

## Who wins?         3 min
position: tictactoe  x.o/.x./..o x
moves: a1 c3
choices: x wins | o wins
garbage
## Both 2 min
show: /lab
ask: hm
## Neither 2 min
## Long 500 min
play: menac
position: tictactoe
games: 3
"""
    assert problems_of(text) == [
        "line 1: say how long 'Nim by hand' takes, as in `## Nim by hand   5 min`",
        "line 1: a lesson begins with its title, as in `# How machines play`",
        "line 2: row d began with 7, it cannot hold 9",
        "line 4: unknown field 'machin': did you mean 'machine'?",
        "line 8: c3 cannot be played: c3 is taken",
        "line 9: choices need a truth that says which is right, such as `truth: value`, or "
        "`right:` with one of them, or `truth: poll`",
        "line 10: 'garbage' is no `field: text`; a line that goes on with the one above begins "
        "with a space",
        "line 11: 'Both' needs only one of ask:, show:",
        "line 14: 'Neither' needs one of ask:, show:, train:, play:, cup:",
        "line 15: a step takes 1 to 240 minutes, not 500",
        "line 16: unknown agent 'menac': did you mean 'menace'?",
        "line 18: games: means nothing beside play:",
    ]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["ask: What?"], "line 2: 'A step' needs a position, as in"),
        (["ask: What?", "truth: is 3 < 4", "moves: b2"], "line 2: 'A step' needs a position"),
        (["ask: What?", "truth: is 3 < four"], "line 4: unknown truth 'four'"),
        (["position: chess", "ask: What?"], "line 3: unknown game 'chess'"),
        (["position: tictactoe xxx", "ask: What?"], "line 3: 'xxx' does not look like"),
        (["position: nim:heaps=1-1 0-1 x", "ask: What?"], "line 3: no play leads to 0-1 x: 1 turn"),
        (["position: tictactoe xxx/oo./... o", "ask: What?"], "line 4: the game is over there"),
        (["position: tictactoe", "ask:"], "line 4: what is asked has 1 to 300 letters, not 0"),
        ([*WHO, "truth: worth"], "line 5: unknown truth 'worth'"),
        ([*WHO, "choices: a | b", "truth: value"], "line 5: 'a' cannot be held against the truth"),
        ([*WHO, "choices: x wins |", "truth: value"], "line 5: a choice has 1 to 80 letters"),
        ([*WHO, "machine: nim-sum"], "line 5: nim-sum cannot play tictactoe"),
        (
            ["choices: A | B", "right: C", "ask: What?"],
            "line 4: 'C' is none of the choices: there is A, B",
        ),
        (["ask: What?", "right: C"], "line 4: 'right C' needs 2 to 6 choices, not 0"),
        (
            ["choices: A | B", "right: A", "truth: poll", "ask: What?"],
            "line 4: either truth: or right:, not both",
        ),
        ([*WHO, "choices: A | B", "truth: poll C"], "line 5: a poll says nothing more"),
        ([*WHO, "seconds: 3"], "line 5: seconds is a whole number"),
        (
            [*WHO, f"choices: x wins = {'x' * 81} | o wins", "truth: value"],
            "line 5: what a choice claims has 1 to 80 letters, not 81",
        ),
        (["show: //evil.example"], "line 3: a link is an address of this site"),
        (["show: https://a.example/"], "line 3: a link is an address of this site"),
        (["show: /a b"], "line 3: a link is an address of this site"),
        (["train: perfect", "position: tictactoe"], "line 3: perfect does not learn"),
        (["play: perfect", "position: quixo"], "line 3: perfect cannot play quixo: it knows only"),
        (["play: random", "position: nim", "seat: third"], "line 5: the class sits first or"),
        (["cup: chess"], "line 3: unknown game 'chess'"),
        (["cup: nim", "games: 1000"], "line 4: games is a whole number from 1 to 20"),
        (["show: /lab", "show: /lab"], "line 4: show: was there already, in line 3"),
        (["show: /lab", "# Again"], "line 4: a lesson has one title"),
        ([" more"], "line 3: this goes on with nothing"),
        (["show: /lab\x07"], "line 3: a character here cannot be shown"),
        (["show: /lab", f"notes: {'x' * 3000}"], "line 4: notes: has at most 2,000 letters"),
    ],
)
def test_what_is_wrong_with_a_step_is_told_where_it_stands(lines, problem):
    assert [one for one in problems_of(with_section(*lines)) if one.startswith(problem)] != []


def test_a_lesson_is_bounded():
    steps = "## A step  1 min\nshow: /lab\n" * (MAX_STEPS + 1)
    assert problems_of(f"# Long\n{steps}") == [
        f"line {2 + 2 * MAX_STEPS}: a lesson has at most {MAX_STEPS} steps"
    ]
    assert problems_of("x" * (MAX_PLAN_BYTES + 1))[0].startswith("line 1: a lesson has at most")


@pytest.mark.parametrize("hostile", ["## " + " " * 60_000 + "x", "#" * 60_000, "a" * 60_000])
def test_a_text_made_to_take_for_ever_does_not(hostile):
    assert problems_of(f"# A lesson\n## A step  5 min\nshow: /lab\n{hostile}") != []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "line 1: a lesson begins with its title, as in `# How machines play`"),
        (b"# A\n\n\xff\xfe", "line 3: this is no text in UTF-8"),
        (b"\0" * (MAX_PLAN_BYTES + 1), "line 1: a lesson has at most 64 kB, this file has 64"),
    ],
)
def test_a_file_that_is_no_lesson_says_so(data, problem):
    with pytest.raises(InvalidLessonError) as raised:
        plan_from_bytes(data)
    assert str(raised.value.problems[0]) == problem


PLAIN = """\
# Searching
## Which of these needs an admissible estimate?   2 min
choices: Breadth-first search | A* | Depth-first search
right: A*
## A poll   1 min
ask: Is it fair?
choices: Yes | No
truth: poll
## With a board   1 min
position: tictactoe x.o/.x./..o x
ask: Who looks happier?
choices: x = 1 | o = 2
right: o
"""


def test_a_move_may_be_asked_for_where_nobody_knows_the_best():
    asked = "# A\n## What now?  3 min\nposition: quixo\nask: What would you play?\n"
    plan = read_plan(asked)
    (truth,) = truths_in(plan).values()
    assert (truth.right, truth.shown) == ((), "Not known here")
    assert "Not known here. Who wins here cannot" in "\n".join(overview(plan, truths_in(plan)))
    with pytest.raises(InvalidLessonError, match="line 5: who wins here cannot be worked out"):
        truths_in(read_plan(f"{asked}truth: best\n"))


def test_a_plain_question_has_its_right_choice_typed_in_or_is_a_poll():
    plan = read_plan(PLAIN)
    questions = [step.question for step in plan.steps]
    assert [question.truth for question in questions] == ["right A*", "poll", "right o"]
    assert [question.game for question in questions] == ["", "", "tictactoe"]
    assert [truth.right for truth in truths_in(plan).values()] == [("A*",), (), ("o",)]
    assert [parse_question(dict(question_fields(each))) for each in questions] == questions
    lines = list(overview(plan, truths_in(plan)))
    assert lines[1::2] == ["      A*.", "      a poll: nothing is right or wrong.", "      o."]
    assert [has_board(question) for question in questions] == [False, False, True]
