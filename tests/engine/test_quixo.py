"""Quixo's pushes, its winning rule with the opponent's line, and its published counts."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine import (
    Ending,
    IllegalMoveError,
    InvalidMoveError,
    InvalidStateError,
    Match,
    Outcome,
    Seat,
    load_game,
)
from tests.engine.counting import perft
from tests.positions import random_match

GAME = load_game("quixo")
SMALL = load_game("quixo:size=3")


def after(board: str, move: str) -> str:
    return str(GAME.parse_state(board).play(GAME.parse_move(move)))


def test_the_empty_board_has_44_moves() -> None:
    assert len(GAME.start.legal_moves()) == len(GAME.all_moves) == 44


def test_perft_to_depth_three() -> None:
    assert [perft(GAME.start, depth) for depth in (1, 2, 3)] == [44, 1836, 76596]


@pytest.mark.slow
def test_perft_at_depth_four() -> None:
    assert perft(GAME.start, 4) == 3018100


def test_a_column_slides_down_when_the_cube_comes_back_on_top() -> None:
    before = ".o.../.x.../.o.../...../..... x"
    assert after(before, "b1-b5") == ".x.../.o.../.x.../.o.../..... o"


def test_a_column_slides_up_when_the_cube_comes_back_below() -> None:
    before = "...../.x.../.o.../...../.o... x"
    assert after(before, "b5-b1") == ".x.../.o.../...../.o.../.x... o"


def test_a_row_slides_left_when_the_cube_comes_back_on_the_right() -> None:
    assert after("..xo./...../...../...../..... x", "a5-e5") == ".xo.x/...../...../...../..... o"


def test_a_row_slides_right_when_the_cube_comes_back_on_the_left() -> None:
    assert after("o.xo./...../...../...../..... o", "e5-a5") == "oo.xo/...../...../...../..... x"


def test_only_the_cubes_between_slide() -> None:
    assert after("ox.x./...../...../...../..... x", "c5-a5") == "xoxx./...../...../...../..... o"


def test_an_own_cube_behind_own_cubes_leaves_the_board_unchanged() -> None:
    before = "xxx../...../...../...../oo.o. x"
    assert after(before, "c5-a5") == "xxx../...../...../...../oo.o. o"


def test_a_corner_has_two_ends_and_another_rim_cube_three() -> None:
    targets = {
        source: [move.target for move in GAME.all_moves if move.source == source]
        for source in ("a1", "c5", "b3")
    }
    assert targets == {"a1": ["e1", "a5"], "c5": ["c1", "a5", "e5"], "b3": []}


def test_a_line_of_ones_own_wins() -> None:
    state = GAME.parse_state(".xxxx/o..../o..../o..../..... x").play(GAME.parse_move("a5-e5"))
    assert str(state) == "xxxxx/o..../o..../o..../..... o"
    assert state.outcome() == Outcome(Seat.FIRST, Ending.LINE)


def test_making_the_opponents_line_loses() -> None:
    # Column b slides down when b1 comes back at b5: o's five stand in row 2.
    board = "...../...../.o.../o.ooo/..... x"
    state = GAME.parse_state(board).play(GAME.parse_move("b1-b5"))
    assert str(state) == ".x.../...../...../ooooo/..... o"
    assert state.outcome() == Outcome(Seat.SECOND, Ending.OPPONENT_LINE)


def test_making_both_lines_at_once_loses() -> None:
    # The same push completes x's row 3 and o's row 2.
    board = "...../.x.../xoxxx/o.ooo/..... x"
    state = GAME.parse_state(board).play(GAME.parse_move("b1-b5"))
    assert str(state) == ".x.../...../xxxxx/ooooo/..... o"
    assert state.outcome() == Outcome(Seat.SECOND, Ending.OPPONENT_LINE)


def test_the_second_player_loses_by_making_the_first_players_line_too() -> None:
    board = "...../.o.../oxooo/x.xxx/..... o"
    state = GAME.parse_state(board).play(GAME.parse_move("b1-b5"))
    assert state.outcome() == Outcome(Seat.FIRST, Ending.OPPONENT_LINE)


@pytest.mark.parametrize(
    "board",
    ["x..../.x.../..x../...x./....x o", "....x/...x./..x../.x.../x.... o"],
)
def test_both_diagonals_are_lines(board: str) -> None:
    assert GAME.parse_state(board).outcome() == Outcome(Seat.FIRST, Ending.LINE)


def numpy_push(board: str, source: str, target: str) -> str:
    """The same push on a numpy board by np.roll: a second way to the same board."""
    rows, mark = board.split()
    grid = np.array([list(row) for row in rows.split("/")])  # [row from the top, column]
    (column, row), (to_column, to_row) = [
        ("abcde".index(cell[0]), grid.shape[0] - int(cell[1])) for cell in (source, target)
    ]
    grid[row, column] = mark
    line = grid[row] if row == to_row else grid[:, column]
    at, end = (column, to_column) if row == to_row else (row, to_row)
    low, high = min(at, end), max(at, end) + 1
    line[low:high] = np.roll(line[low:high], 1 if end < at else -1)
    return "/".join("".join(row) for row in grid) + (" o" if mark == "x" else " x")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("spec", ["quixo", "quixo:size=4", "quixo:size=3"])
def test_every_push_of_a_random_game_agrees_with_a_numpy_board(spec: str, seed: int) -> None:
    match = random_match(load_game(spec), 60, Random(seed))
    expected = [
        numpy_push(str(state), move.source, move.target)
        for state, move in zip(match.states, match.moves, strict=False)
    ]
    assert [str(state) for state in match.states[1:]] == expected


def test_the_opponents_cube_is_refused_by_name() -> None:
    state = GAME.parse_state("o..../...../...../...../..... x")
    with pytest.raises(
        IllegalMoveError, match="a5 shows o: only rim cubes that are blank or yours"
    ):
        state.play(GAME.parse_move("a5-e5"))


def test_nothing_is_pushed_after_the_end() -> None:
    state = GAME.parse_state("xxxxx/o..../o..../o..../..... o")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        state.play(GAME.parse_move("a1-e1"))


def test_a_push_of_a_larger_board_is_refused_on_a_smaller() -> None:
    with pytest.raises(IllegalMoveError, match="a1-a5 is no push on this board"):
        SMALL.start.play(GAME.parse_move("a1-a5"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no push: write it as a1-a5"),
        ("b2", "is no push"),
        ("d4-d1", "d4 is not on the rim"),
        ("a1-b1", "a cube from a1 comes back in at e1 or a5"),
        ("c1-c1", "a cube from c1 comes back in at a1, e1 or c5"),
        ("f1-f5", "'f1' is no cell"),
        ("a1-a9", "'a9' is no cell"),
        ("a1-a5-a1", "is no cell"),
        ("🙂-🙂", "is no cell"),
        ("a1-" * 5000, "is no cell"),
    ],
)
def test_a_text_that_is_no_push_cannot_be_read(text: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=why):
        GAME.parse_move(text)


def test_o_is_never_to_move_on_a_blank_board() -> None:
    with pytest.raises(InvalidStateError, match="x moves first"):
        GAME.parse_state("...../...../...../...../..... o")


ROUND = ("a1-e1", "a5-e5", "e1-a1", "e5-a5")


def test_the_third_time_the_same_state_stands_is_a_draw() -> None:
    moves = [GAME.parse_move(text) for text in (ROUND * 3)[:10]]
    match = Match.replay(GAME, moves)
    assert str(match.state) == str(match.states[2]) == str(match.states[6])
    assert match.undo().outcome() is None
    assert match.outcome() == Outcome(None, Ending.REPETITION)


def test_the_same_board_with_the_other_player_to_move_is_another_state() -> None:
    board = "o..../...../...../...../x...."
    assert GAME.parse_state(f"{board} x") != GAME.parse_state(f"{board} o")


def test_after_200_plies_the_match_is_a_draw() -> None:
    endless = replace(GAME, repetition=None)
    match = Match.replay(endless, [GAME.parse_move(text) for text in ROUND * 50])
    assert match.undo().outcome() is None
    assert match.outcome() == Outcome(None, Ending.PLY_LIMIT)


def test_random_games_on_the_full_board_end_within_the_ply_limit() -> None:
    lengths = [random_match(GAME, 201, Random(seed)).ply for seed in range(200)]
    assert max(lengths) < 200
    assert 42 < sum(lengths) / len(lengths) < 52
