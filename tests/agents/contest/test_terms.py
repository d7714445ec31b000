"""The terms of an arena: its games by their numbers."""

import pytest

from agents.contest.arena import Terms, schedule
from agents.core import Limit

TERMS = Terms("nim", ("random", "perfect", "nim-sum", "opportunist"), 5, 7, Limit(nodes=9), 2)


def test_the_games_are_those_of_the_schedule():
    scheduled = schedule(TERMS.game, TERMS.players, 5, 7, Limit(nodes=9), 2)
    assert list(TERMS.fixtures()) == list(scheduled)


def test_a_number_names_one_game():
    assert [TERMS.number(*game.entrants, game.round) for game in TERMS.fixtures()] == list(
        range(1, TERMS.total + 1)
    )


def test_there_are_as_many_games_as_pairs_times_rounds():
    assert (TERMS.pairs, TERMS.total) == (6, 30)


@pytest.mark.parametrize("number", [-1, 0, 31])
def test_there_is_no_game_beyond_the_last(number):
    with pytest.raises(IndexError):
        TERMS.fixture(number)


def test_a_clock_makes_games_that_do_not_repeat():
    assert TERMS.repeats
    assert not Terms("nim", ("random", "perfect"), 1, limit=Limit(seconds=1)).repeats
