"""Quixo's pushes, its winning rule with the opponent's line, and its published counts."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine import Ending, Match, Outcome, Seat, load_game
from tests.engine.counting import perft
from tests.positions import random_match

GAME = load_game("quixo")


OWN_LINE = Outcome(Seat.FIRST, Ending.LINE)
THEIRS = Outcome(Seat.SECOND, Ending.OPPONENT_LINE)


@pytest.mark.parametrize(
    ("depth", "ways"),
    [(1, 44), (2, 1836), (3, 76596), pytest.param(4, 3018100, marks=pytest.mark.slow)],
)
def test_perft_is_as_published(depth: int, ways: int) -> None:
    assert perft(GAME.start, depth) == ways
    assert len(GAME.all_moves) == 44


@pytest.mark.parametrize(
    ("board", "move", "left"),
    [
        (".o.../.x.../.o.../...../..... x", "b1-b5", ".x.../.o.../.x.../.o.../..... o"),
        ("...../.x.../.o.../...../.o... x", "b5-b1", ".x.../.o.../...../.o.../.x... o"),
        ("..xo./...../...../...../..... x", "a5-e5", ".xo.x/...../...../...../..... o"),
        ("o.xo./...../...../...../..... o", "e5-a5", "oo.xo/...../...../...../..... x"),
        ("ox.x./...../...../...../..... x", "c5-a5", "xoxx./...../...../...../..... o"),
        ("xxx../...../...../...../oo.o. x", "c5-a5", "xxx../...../...../...../oo.o. o"),
    ],
    ids=["column down", "column up", "row left", "row right", "those between", "none is seen to"],
)
def test_the_cubes_slide_away_from_where_the_cube_comes_back(
    board: str, move: str, left: str
) -> None:
    assert str(GAME.parse_state(board).play(GAME.parse_move(move))) == left


@pytest.mark.parametrize(
    ("board", "move", "left", "outcome"),
    [
        # Column b slides down when b1 comes back at b5, into the gaps of rows 2 and 3.
        (".xxxx/o..../o..../o..../..... x", "a5-e5", "xxxxx/o..../o..../o..../..... o", OWN_LINE),
        ("...../...../.o.../o.ooo/..... x", "b1-b5", ".x.../...../...../ooooo/..... o", THEIRS),
        ("...../.x.../xoxxx/o.ooo/..... x", "b1-b5", ".x.../...../xxxxx/ooooo/..... o", THEIRS),
        (
            "...../.o.../oxooo/x.xxx/..... o",
            "b1-b5",
            ".o.../...../ooooo/xxxxx/..... x",
            Outcome(Seat.FIRST, Ending.OPPONENT_LINE),
        ),
        ("x..../.x.../..x../...x./....x o", None, None, OWN_LINE),
        ("....x/...x./..x../.x.../x.... o", None, None, OWN_LINE),
    ],
    ids=["own", "the other's", "both", "both, by the second", "falling", "rising"],
)
def test_a_line_wins_and_making_the_opponents_loses_whatever_else_it_makes(
    board: str, move: str | None, left: str | None, outcome: Outcome
) -> None:
    state = GAME.parse_state(board)
    if move is not None:
        state = state.play(GAME.parse_move(move))
        assert str(state) == left
    assert state.outcome() == outcome


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


def test_who_is_to_move_is_part_of_a_state() -> None:
    board = "o..../...../...../...../x...."
    assert GAME.parse_state(f"{board} x") != GAME.parse_state(f"{board} o")


ROUND = ("a1-e1", "a5-e5", "e1-a1", "e5-a5")


def test_the_third_time_the_same_state_stands_is_a_draw() -> None:
    moves = [GAME.parse_move(text) for text in (ROUND * 3)[:10]]
    match = Match.replay(GAME, moves)
    assert str(match.state) == str(match.states[2]) == str(match.states[6])
    assert match.undo().outcome() is None
    assert match.outcome() == Outcome(None, Ending.REPETITION)


def test_after_200_plies_the_match_is_a_draw() -> None:
    endless = replace(GAME, repetition=None)
    match = Match.replay(endless, [GAME.parse_move(text) for text in ROUND * 50])
    assert match.undo().outcome() is None
    assert match.outcome() == Outcome(None, Ending.PLY_LIMIT)


def test_random_games_on_the_full_board_end_within_the_ply_limit() -> None:
    lengths = [random_match(GAME, 201, Random(seed)).ply for seed in range(200)]
    assert max(lengths) < 200
    assert 42 < sum(lengths) / len(lengths) < 52
