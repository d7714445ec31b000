"""`zermelo puzzles`: what ships, what is made, what is proven again."""

import json

import pytest

from agents.puzzles.collection import shipped_puzzles
from tests.webapp.commands.command_line import assert_one_line, document, zermelo

SHAPE = ["id", "game", "state", "theme", "level", "task", "solutions", "refutation"]


def test_the_shipped_set_is_shown_by_game_theme_and_level():
    found = document("puzzles", "show")
    assert len(found) == len(shipped_puzzles()) >= 400
    assert {tuple(each) for each in found} == {tuple(SHAPE)}
    some = document("puzzles", "show", "--game", "quixo", "--theme", "two threats", "--level", 3)
    assert {each["game"].partition(":")[0] for each in some} == {"quixo"}
    assert {each["theme"] for each in some} == {"two threats"}
    assert {each["level"] for each in some} == {3}
    small = document("puzzles", "show", "--game", "quixo:size=3")
    assert {each["game"] for each in small} == {"quixo:size=3"}


def test_a_table_counts_them():
    shown = zermelo("puzzles", "show", "--game", "tictactoe")
    count = sum(each.game == "tictactoe" for each in shipped_puzzles())
    assert f"{count} puzzles" in shown.stdout
    assert "hold the draw" in shown.stdout


def test_what_is_made_is_proven_and_a_changed_one_is_refused(tmp_path):
    made = zermelo("puzzles", "make", "nim:heaps=3-4-5,last=wins", "--seed", 3, "--count", 8)
    file = tmp_path / "puzzles.json"
    file.write_text(made.stdout)
    assert "8 puzzles are proven" in zermelo("puzzles", "check", file).stdout
    puzzles = json.loads(made.stdout)
    puzzles[0]["solutions"] = ["a1"] if puzzles[0]["solutions"] != ["a1"] else ["b1"]
    file.write_text(json.dumps(puzzles))
    checked = zermelo("puzzles", "check", file)
    assert checked.exit_code == 1
    assert "other solutions were proven" in checked.stdout
    assert "1 of 8 puzzles are wrong" in checked.stderr


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", '[{"id": "x"}]', "[[]]", '{"a": 1}', '[{"theme": "x"}]'[:-1]]
)
def test_what_is_no_set_of_puzzles_is_said_in_one_line(tmp_path, text):
    file = tmp_path / "puzzles.json"
    file.write_text(text)
    assert_one_line(zermelo("puzzles", "check", file), "this is no set of puzzles")


def test_bad_input_is_said_in_one_line():
    assert_one_line(zermelo("puzzles", "show", "--level", 6), "level")
    assert_one_line(zermelo("puzzles", "show", "--theme", "chess"), "theme")
    assert_one_line(zermelo("puzzles", "make", "nim:heaps=30-30-30-30-30-30,max_take=7x"))
