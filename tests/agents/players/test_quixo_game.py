"""The course's Quixo as our module `game` plays it, beside the engine."""

from copy import deepcopy
from random import Random

import numpy as np
import pytest

from agents.players.guest.answers import NotAMoveError
from agents.players.guest.quixo_game import Game, Move, Player
from agents.players.guest.quixo_player import push_text, set_position
from engine import Match, load_game
from engine.core import Ending

QUIXO = load_game("quixo")
MARKS = {".": -1, "x": 0, "o": 1}


def cells(state):
    rows = str(state).partition(" ")[0].split("/")
    return [[MARKS[mark] for mark in row] for row in rows]


def moved(game, place, side, seat):
    """A copy of the game after the course's move, or None if it refuses it unchanged."""
    copy = deepcopy(game)
    if copy._Game__move(place, side, seat):
        return copy
    assert (copy._board == game._board).all()
    return None


@pytest.mark.parametrize("seed", range(6))
def test_every_course_move_is_exactly_one_of_ours_and_leads_to_the_same_board(seed):
    rng = Random(seed)
    match, game = Match.begin(QUIXO), Game()
    while match.outcome() is None:
        state, seat = match.state, int(match.state.to_move)
        set_position(game, cells(state), seat)
        assert game.get_current_player() == seat
        after = {}
        for x in range(-1, 6):
            for y in range(-1, 6):
                for side in Move:
                    made = moved(game, (x, y), side, seat)
                    if made is not None:
                        text = push_text(((x, y), side))
                        assert text not in after
                        after[text] = made
        assert set(after) == set(map(str, state.legal_moves()))
        for move in state.legal_moves():
            assert after[str(move)].get_board().tolist() == cells(state.play(move))
        match = match.play(rng.choice(state.legal_moves()))


def test_top_takes_the_cube_back_in_at_the_top_of_its_column():
    assert push_text(((1, 4), Move.TOP)) == "b1-b5"
    assert push_text(((0, 1), Move.BOTTOM)) == "a4-a1"
    assert push_text(((4, 2), Move.LEFT)) == "e3-a3"
    assert push_text(((0, 0), 3)) == "a5-e5"
    assert push_text(([np.int64(2), np.int64(0)], Move.RIGHT)) == "c5-e5"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "None is no"),
        ((1, 2, 3), "is no"),
        (((0, 5), Move.TOP), "is not on the board"),
        ((("a", 1), Move.TOP), "not two whole numbers"),
        (((0.5, 1), Move.TOP), "not two whole numbers"),
        (((0, 1), 4), "4 is none of TOP, BOTTOM, LEFT and RIGHT"),
        (((0, 1), None), "None is none of"),
    ],
)
def test_an_answer_that_is_no_move_says_what_it_lacks(answer, why):
    with pytest.raises(NotAMoveError, match=why):
        push_text(answer)


def test_the_winner_is_whoever_has_a_line_as_the_engine_says():
    seen = set()
    game = Game()
    for seed in range(40):
        rng, match = Random(seed), Match.begin(QUIXO)
        while match.outcome() is None:
            match = match.play(rng.choice(match.state.legal_moves()))
        set_position(game, cells(match.state), int(match.state.to_move))
        outcome = match.state.outcome()
        if outcome is None:
            assert game.check_winner() == -1
        elif outcome.ending is Ending.LINE or not lines(game, int(outcome.winner.other)):
            assert game.check_winner() == int(outcome.winner)
        seen.add(game.check_winner())
    assert seen >= {0, 1}


def lines(game, player):
    board = game.get_board()
    every = [*board, *board.T, board.diagonal(), board[:, ::-1].diagonal()]
    return sum((line == player).all() for line in every)


@pytest.mark.parametrize(
    ("rows", "winner"),
    [
        ("11111 00000 ..... ..... .....", 1),  # the first row found, whoever moved
        ("00000 ..... 11111 ..... .....", 0),
        ("1.0.. 1.0.. 1.0.. 1.0.. 1.0..", 1),  # the first column found
        ("1...0 .1.0. ..... .0.1. 0...1", -1),
        ("1.... .1... ..1.. ...1. ....1", 1),
        ("....0 ...0. ..0.. .0... 0....", 0),
        ("..... ..... ..... ..... .....", -1),
    ],
)
def test_the_first_line_found_wins(rows, winner):
    game = Game()
    game._board[...] = [[-1 if mark == "." else int(mark) for mark in row] for row in rows.split()]
    assert game.check_winner() == winner


def test_two_players_play_until_somebody_has_a_line():
    class Pushes(Player):
        """Names cubes it may not take, too."""

        def __init__(self, seed):
            super().__init__()
            self.rng = Random(seed)

        def make_move(self, game):
            return (self.rng.randrange(5), self.rng.randrange(5)), self.rng.choice(list(Move))

    game = Game()
    winner = game.play(Pushes(1), Pushes(2))
    assert winner in (0, 1)
    assert lines(game, winner) >= 1
    with pytest.raises(TypeError, match="abstract"):
        Player()


def test_a_game_can_be_subclassed_and_its_board_is_a_copy(capsys):
    class Mine(Game):
        pass

    game = Mine()
    game.get_board()[0, 0] = 1
    assert game._board[0, 0] == -1
    game.print()
    assert "-1 -1 -1 -1 -1" in capsys.readouterr().out
