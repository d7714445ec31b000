"""A game in the terminal, typed line by line."""

from dataclasses import dataclass

import pytest

from agents.core import Analysis, Candidate
from agents.entry import Entry, Technique
from tests.webapp.commands.command_line import assert_one_line, process, zermelo


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
def odd_agents(install_agents):
    """A roster of agents that only these tests know, none of whom could give a hint."""
    odd = {"crashes": Crashes(), "steady": Steady()}
    entries = [
        Entry(key, key, Technique.RULES, "", lambda *_, agent=agent: agent)
        for key, agent in odd.items()
    ]
    install_agents(*entries, ours=())


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


BOARD_AFTER_B2 = "  2 │   │(x)│   │"
SECOND = ("--second", "--seed", 1)
#  o x x
#  x x o
#  o o x
DRAWN = ["b2", "c1", "a2", "b3", "c3"]


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["b2"], BOARD_AFTER_B2),
        (["b2"], "random plays "),
        (["b2"], "at random out of 8 moves"),
        (["undo"], "there is nothing to take back."),
        (["help"], "  undo    take back your last move and the reply to it\n"),
        (["b2", "b2"], "b2 is taken."),
        (["z9"], "'z9' is no cell: they run from a1 to c3."),
        (["b2 b2"], "'b2 b2' is no cell"),
        (["🐙"], "'🐙' is no cell"),
        (["a" * 10_000], "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…' is no cell"),
        (["\x00"], r"'\x00' is no cell"),
    ],
)
def test_what_is_typed_is_answered_within_a_screen(lines, shown):
    seen = sitting(*lines)
    assert shown in seen
    assert len(seen) < 1_500


@pytest.mark.parametrize(
    ("lines", "plies"),
    [
        (["b2"], 2),
        (["b2", "undo"], 0),
        (["hint"], 0),
        (["z9"], 0),
        *(([word, "b2"], 0) for word in ("quit", "exit", "q", "QUIT", " quit ")),
    ],
    ids=str,
)
def test_the_end_of_the_input_and_quit_leave_the_game_after_so_many_plies(lines, plies):
    assert sitting(*lines).endswith(f"Left after {plies} plies.\n")


def test_undo_goes_back_one_turn_at_a_time():
    shown = sitting("a1", "moves", "undo", "moves", game="nim")
    assert shown.endswith("Left after 0 plies.\n")


def test_moving_second_lets_the_agent_begin_and_its_opening_is_not_taken_back():
    shown = sitting("undo", options=SECOND)
    assert shown.startswith("Tic-tac-toe against random. You are o, second.\n")
    assert "random plays " in shown
    assert "there is nothing to take back." in shown
    assert shown.endswith("Left after 1 ply.\n")


def test_a_hint_comes_from_a_player_who_knows():
    assert "perfect would play a1 (▲ win in 2)" in sitting("hint", game="nim:heaps=2")


def test_moves_lists_what_can_be_played():
    assert "\na1 b1 b2 b3\n" in sitting("moves", game="nim:heaps=1-3")


def test_an_empty_line_asks_again():
    assert sitting("", "").count("x> ") == 3


@pytest.mark.parametrize(
    ("lines", "game", "against", "end"),
    [
        (["a1"], "nim:heaps=2", "random", "You win: random took the last match, after 2 plies."),
        (["a2"], "nim:heaps=2", "perfect", "perfect wins: you took the last match, after 1 ply."),
        (["b2", "resign"], "tictactoe", "random", "random wins: resignation, after 2 plies."),
        (DRAWN, "tictactoe", "steady", "A draw: board full, after 9 plies."),
    ],
)
def test_a_game_can_be_won_lost_resigned_and_drawn(request, lines, game, against, end):
    if against == "steady":
        request.getfixturevalue("odd_agents")
    assert sitting(*lines, game=game, against=against).endswith(f"{end}\n")


def test_the_same_seed_gives_the_same_replies():
    assert sitting("b2", "a1") == sitting("b2", "a1")


@pytest.mark.usefixtures("odd_agents")
def test_an_agent_that_fails_forfeits_and_gives_no_hint():
    shown = sitting("hint", "a1", game="nim:heaps=3", against="crashes")
    said = " ".join(shown.split())
    why = "it failed with RuntimeError: no idea (test_play.py, line 23)"
    assert f"no hint: crashes is broken, {why}." in said
    assert f"crashes forfeits in 2 o: {why}." in said
    assert 'raise RuntimeError("no idea")' in shown
    assert "You win: " in shown.splitlines()[-1]


def test_two_people_play_at_one_keyboard():
    result = zermelo("play", "nim:heaps=3", typed="a1\nundo\nb9\na2\na1\n")
    assert result.exit_code == 0
    assert "Nim for two at one keyboard: x begins." in result.stdout
    assert [line[0] for line in result.stdout.splitlines() if line[1:2] == ">"] == list("xoxxo")
    assert result.stdout.endswith("x wins: o took the last match, after 2 plies.\n")
    words = zermelo("play", "nim:heaps=3", typed="help\n").stdout
    assert "  undo    take back the last move\n" in words


def test_second_needs_an_agent():
    assert_one_line(zermelo("play", "nim", "--second"), "name one with --against")


def test_two_agents_are_watched_move_by_move():
    shown = zermelo("watch", "nim:heaps=3", "perfect", "random", "--seed", 1).stdout
    assert shown.startswith("Nim: perfect is x and begins, random is o.\n")
    assert "perfect plays a2" in shown
    assert shown.endswith("perfect (x) wins: random (o) took the last match, after 2 plies.\n")


@pytest.mark.slow
def test_a_game_is_played_in_a_real_process():
    run = process("play", "nim:heaps=2", "--against", "perfect", stdin=-1, stdout=-1, stderr=-1)
    out, err = run.communicate(b"\xff\xfe\na1\n", timeout=60)
    assert (run.returncode, err) == (0, b"")
    assert out.decode().endswith("You win: perfect took the last match, after 2 plies.\n")
