"""A game in the terminal, typed line by line."""

from dataclasses import dataclass

import pytest

from agents import roster
from agents.contest import strength
from agents.core import Analysis, Candidate
from agents.entry import Entry, Technique
from tests.webapp.commands.command_line import process, zermelo


def sitting(*lines, game="tictactoe", against="random", options=("--seed", 1)):
    """What the terminal shows when these lines are typed, and then nothing more."""
    typed = "".join(f"{line}\n" for line in lines)
    result = zermelo("play", game, "--against", against, *options, typed=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


@dataclass(frozen=True)
class Crashes:
    def analyse(self, state, *, limit, rng, history=()):
        raise RuntimeError("no idea")


@dataclass(frozen=True)
class Steady:
    """Takes these cells in turn, whatever happens."""

    def analyse(self, state, *, limit, rng, history=()):
        cells = ("a1", "a3", "c2", "b1")
        move = next(move for cell in cells for move in state.legal_moves() if str(move) == cell)
        return Analysis((Candidate(move, 0.0, 1.0),), "the next one.", move)


@pytest.fixture
def odd_agents(monkeypatch):
    """A roster of agents that only these tests know, none of whom could give a hint."""
    entries = tuple(
        Entry(key, key, Technique.RULES, "", lambda *_, agent=agent: agent)
        for key, agent in (("crashes", Crashes()), ("steady", Steady()))
    )
    monkeypatch.setattr(roster, "roster", lambda: entries)
    strength.strongest_agent.cache_clear()
    yield
    strength.strongest_agent.cache_clear()


def test_a_game_begins_with_the_board_and_the_words_it_knows():
    assert sitting().splitlines()[:10] == [
        "Tic-tac-toe against random. You are x, first.",
        "Type a move such as a1, or hint, undo, moves, resign, quit, help.",
        "",
        "    ┌───┬───┬───┐",
        "  3 │   │   │   │",
        "    ├───┼───┼───┤",
        "  2 │   │   │   │",
        "    ├───┼───┼───┤",
        "  1 │   │   │   │",
        "    └───┴───┴───┘",
    ]


def test_the_cell_of_the_last_move_stands_out():
    assert "  2 │   │(x)│   │" in sitting("b2")


def test_the_agent_replies_and_says_why():
    shown = sitting("b2")
    assert "random plays " in shown
    assert "drawn from 8 legal moves" in shown


def test_the_end_of_the_input_leaves_the_game():
    assert sitting("b2").endswith("\nLeft after 2 plies.\n")


@pytest.mark.parametrize("word", ["quit", "exit", "q", "QUIT", " quit "])
def test_quit_leaves_the_game(word):
    assert sitting(word, "b2").endswith("Left after 0 plies.\n")


def test_resigning_gives_the_game_to_the_agent():
    assert sitting("b2", "resign").endswith("random wins: resignation, after 2 plies.\n")


def test_undo_takes_back_the_move_and_the_reply():
    assert sitting("b2", "undo").endswith("Left after 0 plies.\n")


def test_undo_goes_back_one_turn_at_a_time():
    shown = sitting("a1", "moves", "undo", "moves", game="nim", against="random")
    assert shown.endswith("Left after 0 plies.\n")


def test_there_is_nothing_to_undo_before_the_first_move():
    assert "there is nothing to take back." in sitting("undo")


def test_the_agents_opening_is_not_the_persons_to_take_back():
    shown = sitting("undo", options=("--second", "--seed", 1))
    assert "there is nothing to take back." in shown
    assert shown.endswith("Left after 1 ply.\n")


def test_moving_second_lets_the_agent_begin():
    shown = sitting(options=("--second", "--seed", 1))
    assert shown.startswith("Tic-tac-toe against random. You are o, second.\n")
    assert "random plays " in shown


def test_a_hint_comes_from_a_player_who_knows():
    shown = sitting("hint", game="nim:heaps=2")
    assert "perfect would play a1 (▲ win in 2)" in shown


def test_a_hint_changes_nothing():
    assert sitting("hint").endswith("Left after 0 plies.\n")


def test_moves_lists_what_can_be_played():
    assert "\na1 b1 b2 b3\n" in sitting("moves", game="nim:heaps=1-3")


def test_help_explains_every_word():
    assert "  undo    take back your last move and the reply to it\n" in sitting("help")


def test_an_empty_line_asks_again():
    assert sitting("", "").count("x> ") == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("z9", "'z9' is no cell: they run from a1 to c3."),
        ("b2 b2", "'b2 b2' is no cell"),
        ("🐙", "'🐙' is no cell"),
        ("a" * 10_000, "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…' is no cell"),
        ("\x00", r"'\x00' is no cell"),
    ],
)
def test_a_line_that_is_no_move_is_explained_and_asked_again(text, why):
    shown = sitting(text)
    assert why in shown
    assert shown.endswith("Left after 0 plies.\n")
    assert len(shown) < 1_000


def test_a_move_that_cannot_be_played_is_explained():
    assert "b2 is taken." in sitting("b2", "b2")


def test_a_game_can_be_won():
    shown = sitting("a1", game="nim:heaps=2")
    assert shown.endswith("You win: random took the last match, after 2 plies.\n")


def test_a_game_can_be_lost():
    shown = sitting("a2", game="nim:heaps=2", against="perfect")
    assert shown.endswith("perfect wins: you took the last match, after 1 ply.\n")


@pytest.mark.usefixtures("odd_agents")
def test_a_game_can_be_drawn():
    #  o x x
    #  x x o
    #  o o x
    shown = sitting("b2", "c1", "a2", "b3", "c3", against="steady")
    assert shown.endswith("A draw: board full, after 9 plies.\n")


def test_the_same_seed_gives_the_same_replies():
    assert sitting("b2", "a1") == sitting("b2", "a1")


@pytest.mark.usefixtures("odd_agents")
def test_an_agent_that_fails_is_replaced_for_that_turn():
    shown = sitting("a1", game="nim:heaps=3", against="crashes")
    assert "crashes is broken, it failed with RuntimeError: no idea" in shown.replace("\n  ", " ")
    assert "crashes plays a" in shown


@pytest.mark.usefixtures("odd_agents")
def test_an_adviser_that_fails_gives_no_hint():
    shown = sitting("hint", against="crashes")
    assert "no hint: crashes is broken, it failed with RuntimeError: no idea." in shown


@pytest.mark.slow
def test_a_game_is_played_in_a_real_process():
    run = process("play", "nim:heaps=2", "--against", "perfect", stdin=-1, stdout=-1, stderr=-1)
    out, err = run.communicate(b"\xff\xfe\na1\n", timeout=60)
    assert (run.returncode, err) == (0, b"")
    assert out.decode().endswith("You win: perfect took the last match, after 2 plies.\n")
