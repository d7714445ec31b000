"""Records, their intervals and ratings: by hand, as published, and from simulated games."""

from itertools import combinations

import numpy as np
import pytest

from agents.contest.ratings import Score, expected, rate


def field(results, entrants):
    """The crosstable of records given for pairs, one side of each."""
    table = [[None] * entrants for _ in range(entrants)]
    for (one, two), score in results.items():
        table[one][two] = score
        table[two][one] = score.seen_by_opponent
    return table


def simulated(strengths, games, rng):
    """A round robin in which each pair's points follow the strengths exactly in expectation."""
    results = {}
    for one, two in combinations(range(len(strengths)), 2):
        wins = int(rng.binomial(games, expected(strengths[one] - strengths[two])))
        results[one, two] = Score(wins=wins, losses=games - wins)
    return field(results, len(strengths))


def test_ten_points_to_one_are_nearly_400_elo():
    one, two = rate(field({(0, 1): Score(wins=10_000, losses=1_000)}, 2))
    assert one.elo - two.elo == pytest.approx(400, abs=0.5)


def test_a_draw_weighs_as_half_a_win_and_half_a_loss():
    drawn = rate(field({(0, 1): Score(wins=60, draws=40)}, 2))
    decided = rate(field({(0, 1): Score(wins=80, losses=20)}, 2))
    assert drawn == decided


@pytest.mark.parametrize("games", [1, 10, 1_000, 100_000])
def test_a_clean_sweep_is_finite_and_grows_with_the_games(games):
    one, two = rate(field({(0, 1): Score(wins=games)}, 2))
    fewer, _ = rate(field({(0, 1): Score(wins=games // 2)}, 2))
    assert np.isfinite([one.elo, one.low, one.high, two.elo, two.low, two.high]).all()
    assert one.elo > fewer.elo


def test_ten_wins_to_none_are_rated_by_hand():
    # With the one drawn game against the mean: 10 / (1 + e^2r) = 1 / (1 + e^-r) - 1/2.
    one, _ = rate(field({(0, 1): Score(wins=10)}, 2))
    log_strength = one.elo * np.log(10) / 400
    chance_to_lose = 1 / (1 + np.exp(2 * log_strength))
    assert 10 * chance_to_lose == pytest.approx(1 / (1 + np.exp(-log_strength)) - 0.5)


def test_the_interval_of_an_even_pair_is_the_one_by_hand():
    # One pair: the difference has deviation 2 / sqrt(n) in log odds, each side half of that.
    for games in (100, 1_000, 10_000):
        one, two = rate(field({(0, 1): Score(wins=games // 2, losses=games // 2)}, 2))
        by_hand = 1.96 * (2 / np.sqrt(games) / 2) * 400 / np.log(10)
        assert one.high - one.elo == pytest.approx(by_hand, rel=0.03)
        assert (one.elo, two.elo) == pytest.approx((0, 0), abs=1e-9)


def test_known_strengths_are_found_again():
    strengths = [300.0, 120.0, 0.0, -80.0, -340.0]
    ratings = rate(simulated(strengths, 20_000, np.random.default_rng(1913)))
    assert [rating.elo for rating in ratings] == pytest.approx(strengths, abs=8)
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-9)


def test_the_interval_holds_the_truth_in_about_95_of_100_fields():
    strengths = [150.0, 0.0, -150.0]
    rng = np.random.default_rng(1913)
    fields = [rate(simulated(strengths, 60, rng)) for _ in range(400)]
    held = [
        rating.low <= truth <= rating.high
        for ratings in fields
        for rating, truth in zip(ratings, strengths, strict=True)
    ]
    assert 0.93 <= np.mean(held) <= 0.98


def test_players_who_never_met_are_rated_through_the_others():
    chain = field({(0, 1): Score(75, 0, 25), (1, 2): Score(75, 0, 25)}, 3)
    first, second, third = rate(chain)
    assert first.elo - second.elo == pytest.approx(second.elo - third.elo, abs=1e-6)
    assert first.elo - third.elo > 350


def test_a_player_without_games_is_rated_at_the_mean_and_hardly_known():
    idle = rate(field({(0, 1): Score(5, 0, 5)}, 3))[2]
    assert idle.elo == pytest.approx(0, abs=1e-9)
    assert idle.high > 400
    assert [alone.elo for alone in rate([[None]])] == [0]
    assert rate([]) == ()


def test_records_add_up_and_the_opponent_sees_them_turned_round():
    assert Score(1, 2, 3) + Score(4, 5, 6) == Score(5, 7, 9)
    assert Score(1, 2, 3).seen_by_opponent == Score(3, 2, 1)
    assert [Score.of(result) for result in (1, 0, -1)] == [Score(1), Score(0, 1), Score(0, 0, 1)]
    assert Score(wins=1, draws=3, losses=1).rate == Score().rate == 0.5


@pytest.mark.parametrize(
    ("score", "low", "high"),
    [
        # Wilson's interval as Newcombe (1998) tabulates it: 81/263, 15/148, 0/20, 1/29.
        (Score(wins=81, losses=182), 0.2553, 0.3662),
        (Score(wins=15, losses=133), 0.0624, 0.1605),
        (Score(wins=0, losses=20), 0.0000, 0.1611),
        (Score(wins=1, losses=28), 0.0061, 0.1718),
        (Score(wins=20), 1 - 0.1611, 1.0),
        (Score(wins=80, draws=2, losses=181), 0.2553, 0.3662),
        (Score(), 0.0, 1.0),
    ],
)
def test_the_interval_is_wilsons_and_draws_count_as_half_points(score, low, high):
    assert score.interval() == pytest.approx((low, high), abs=5e-5)
    assert 0 <= score.interval()[0] < score.interval()[1] <= 1
