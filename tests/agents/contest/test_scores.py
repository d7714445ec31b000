"""Records added up, and the interval that says how sure they are."""

import pytest

from agents.contest.ratings import Score


def test_a_draw_is_half_a_point():
    assert Score(wins=1, draws=3, losses=1).rate == 0.5


def test_records_add_up():
    assert Score(1, 2, 3) + Score(4, 5, 6) == Score(5, 7, 9)


@pytest.mark.parametrize(
    ("result", "score"), [(1, Score(wins=1)), (0, Score(draws=1)), (-1, Score(losses=1))]
)
def test_one_game_is_a_record_too(result, score):
    assert Score.of(result) == score


def test_the_opponent_sees_the_record_turned_round():
    assert Score(1, 2, 3).seen_by_opponent == Score(3, 2, 1)


@pytest.mark.parametrize(
    ("score", "low", "high"),
    [
        # Wilson's interval as Newcombe (1998) tabulates it: 81/263, 15/148, 0/20, 1/29.
        (Score(wins=81, losses=182), 0.2553, 0.3662),
        (Score(wins=15, losses=133), 0.0624, 0.1605),
        (Score(wins=0, losses=20), 0.0000, 0.1611),
        (Score(wins=1, losses=28), 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(score, low, high):
    assert score.interval() == pytest.approx((low, high), abs=5e-5)


def test_a_clean_sweep_ends_at_one_and_is_not_certain():
    low, high = Score(wins=10).interval()
    assert high == 1.0
    assert 0.7 < low < 0.75


def test_a_clean_loss_ends_at_nothing_and_is_not_certain():
    low, high = Score(losses=10).interval()
    assert low == 0.0
    assert 0.25 < high < 0.3


def test_draws_count_as_half_points_in_the_interval():
    assert Score(draws=40).interval() == Score(wins=20, losses=20).interval()


def test_no_games_say_nothing():
    assert Score().rate == 0.5
    assert Score().interval() == (0.0, 1.0)
