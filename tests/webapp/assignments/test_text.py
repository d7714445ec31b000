"""The text of an assignment: what it may say, and what is wrong with it, line by line."""

import pytest
from click.testing import CliRunner

from agents.puzzles.collection import shipped_puzzle
from engine import Seat, load_game
from webapp.cli import cli
from webapp.learn.models import lesson_titles
from webapp.questions.assignments import TaskKind, overview, read_assignment
from webapp.questions.models import InvalidLessonError

WHOLE = """# Nim and tic-tac-toe
due: 2026-11-30
names: Ada, Ben,
  Cleo

## Warm-up
puzzles: 3
game: tictactoe
level: 2

## Forks
puzzles: 2
theme: two threats

## By name
puzzles: 201c6f5e, 4b838c22
say: Take your time.

## Win this
position: nim:heaps=1-3-5-7  1-3-4-5 x
win: perfect

## Hold
position: tictactoe
moves: a1
hold: perfect

## Level
beat: quixo level 5
seat: second

## Read
lesson: nim

## Bot
bot: bcdfg
rating: 1600
"""


def read(text):
    return read_assignment(text, lesson_titles())


def test_all_kinds_of_task_are_read():
    found = read(WHOLE)
    assert found.title == "Nim and tic-tac-toe"
    assert found.names == ("Ada", "Ben", "Cleo")
    assert found.due == 1796083200  # the end of that day, UTC
    kinds = [task.kind for task in found.tasks]
    assert kinds == [TaskKind.PUZZLES] * 3 + list(TaskKind)[1:]
    assert set(kinds) == set(TaskKind)
    hold, level, _, bot = found.tasks[-4:]
    assert (hold.moves, hold.seat) == (("a1",), Seat.SECOND)
    assert (level.seat, level.game) == (Seat.SECOND, "quixo")
    assert (bot.league, bot.rating) == ("BCDFG", 1600)


def test_puzzles_of_a_kind_are_of_that_kind_and_the_same_each_time():
    from agents.puzzles.collection import shipped_puzzle

    first, forks, *_ = read(WHOLE).tasks
    chosen = [shipped_puzzle(name) for name in first.puzzles]
    assert [(puzzle.game, puzzle.level) for puzzle in chosen] == [("tictactoe", 2)] * 3
    assert {shipped_puzzle(name).theme for name in forks.puzzles} == {"two threats"}
    assert read(WHOLE).tasks[0].puzzles == first.puzzles
    assert read(WHOLE.replace("Warm-up", "Another")).tasks[0].puzzles != first.puzzles


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: an assignment begins with its title"),
        ("# T\n", "line 1: an assignment has a task at least"),
        ("# T\ndue: soon\n## A\nlesson: nim", "line 2: a day is written as 2026-11-30"),
        ("# T\nnames: Ada, ada\n## A\nlesson: nim", "line 2: two students are called"),
        ("# T\nlevel: 2\n## A\nlesson: nim", ""),  # before the first task it is a text
        ("# T\n## A\n", "line 2: 'A' needs one of puzzles:, win:"),
        ("# T\n## A\npuzzles: 3\nlesson: nim", "line 2: 'A' needs only one of puzzles:, lesson:"),
        ("# T\n## A\npuzzles: 3\nlevel: 9", "line 4: level is a whole number from 1 to 5"),
        ("# T\n## A\npuzzles: 99\nlevel: 2", "line 3: of this kind there are 1 to 60"),
        ("# T\n" + "## A\npuzzles: 41\n" * 5, "line 1: an assignment has at most 200 puzzles"),
        ("# T\n## A\npuzzles: 3\ntheme: luck", "line 4: unknown theme 'luck'"),
        ("# T\n## A\npuzzles: deadbeef", "line 3: there is no puzzle 'deadbeef'"),
        ("# T\n## A\nwin: perfect", "line 2: 'A' needs a position"),
        ("# T\n## A\nposition: tictactoe\nwin: nobody", "line 4: unknown agent 'nobody'"),
        ("# T\n## A\nbeat: tictactoe level 5", "line 3: tictactoe has no levels: write easy"),
        ("# T\n## A\nbeat: quixo level 99", "line 3: levels go from 1 to 15"),
        ("# T\n## A\nlesson: nothing", "line 3: unknown lesson 'nothing'"),
        ("# T\n## A\nbot: ABC", "line 3: say in which league"),
        ("# T\n## A\nlesson: nim\nrating: 3", "line 4: rating: means nothing beside lesson:"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, problem):
    if not problem:
        assert read(text).about == "level: 2"
        return
    with pytest.raises(InvalidLessonError) as error:
        read(text)
    assert any(str(each).startswith(problem) for each in error.value.problems), error.value.problems


def test_the_overview_says_what_best_play_comes_to():
    lines = list(overview(read(WHOLE)))
    assert "     With best play: x wins." in lines
    assert "     With best play: a draw." in lines


def test_the_command_checks_a_file(tmp_path):
    file = tmp_path / "monday.txt"
    file.write_text(WHOLE, encoding="utf-8")
    told = CliRunner().invoke(cli, ["assignment", "check", str(file)])
    assert told.exit_code == 0
    assert "8 tasks, 3 names" in told.stdout
    file.write_text("# T\n## A\nlesson: nothing\n")
    told = CliRunner().invoke(cli, ["assignment", "check", str(file)])
    assert told.exit_code == 2
    assert "line 3: unknown lesson" in told.stderr


@pytest.mark.parametrize(
    ("game", "variants"),
    [
        ("quixo", {"quixo", "quixo:size=3", "quixo:size=4"}),
        ("quixo:size=5", {"quixo"}),
        ("quixo:size=3", {"quixo:size=3"}),
    ],
)
def test_a_game_means_all_its_variants_an_option_one_of_them(game, variants):
    (task,) = read(f"# Many\n\n## These\npuzzles: 40\ngame: {game}\n").tasks
    assert {shipped_puzzle(each).game for each in task.puzzles} == variants


def test_the_form_offers_a_game_and_each_of_its_variants(visitor):
    visitor.get("/assignments")
    labels = {each.label: each.value for each in visitor.seen["front"].games}
    assert labels["Quixo, all of them"] == "quixo"
    for label, spec in (("Quixo · 5 × 5", "quixo"), ("Nim · Nim(5), last loses", "nim")):
        assert labels[label] != spec
        assert load_game(labels[label]).spec == spec


def test_a_link_opens_the_form_with_its_task(visitor):
    visitor.get("/assignments?add=puzzles&game=quixo:size%3D3&theme=only+move&level=2")
    text = visitor.seen["front"].value("tasks")
    (task,) = read(f"# Linked\n\n{text}").tasks
    puzzles = [shipped_puzzle(each) for each in task.puzzles]
    kinds = {(puzzle.game, puzzle.theme, puzzle.level) for puzzle in puzzles}
    assert kinds == {("quixo:size=3", "only move", 2)}
