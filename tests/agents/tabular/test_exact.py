"""Exact figures: known limits, counted without playing a game."""

import numpy as np
import pytest

from agents.tabular.exact import best_response, chances, over_seats
from engine.core import Seat
from tests.agents.learning.helpers import can_lose, policy_of, tables_of

BOTH = list(Seat)


def test_random_against_random_is_what_counting_the_games_gives() -> None:
    random = policy_of("tictactoe", "random")
    # Of 362,880 orders to fill the board: the classic 58.5, 28.8 and 12.7 %.
    seen = chances(tables_of("tictactoe"), random, random, Seat.FIRST)
    assert seen.wins == pytest.approx(737 / 1260)
    assert seen.losses == pytest.approx(121 / 420)
    assert seen.draws == pytest.approx(8 / 63)


@pytest.mark.parametrize(
    ("seat", "loss", "limit"),
    [
        pytest.param(Seat.FIRST, -1.0, 0.9948, id="first"),
        pytest.param(Seat.SECOND, -1.0, 0.9249, id="second"),
        pytest.param(Seat.SECOND, -1000.0, 0.9164, id="second, never losing"),
    ],
)
def test_the_most_anyone_can_score_against_random_in_tictactoe(
    seat: Seat, loss: float, limit: float
) -> None:
    tables, random = tables_of("tictactoe"), policy_of("tictactoe", "random")
    value, best = best_response(tables, random, seat, loss)
    assert value == pytest.approx(limit, abs=5e-5)
    assert chances(tables, best, random, seat).score == pytest.approx(value)


@pytest.mark.slow
@pytest.mark.parametrize("seat", BOTH)
def test_random_and_a_bold_response_can_lose_a_careful_one_and_perfect_cannot(seat: Seat) -> None:
    tables, random = tables_of("tictactoe"), policy_of("tictactoe", "random")
    perfect = policy_of("tictactoe", "perfect")
    careful, bold = (best_response(tables, random, seat, loss)[1] for loss in (-1000.0, -1.0))
    lose = [can_lose(tables, policy, seat) for policy in (random, perfect, careful, bold)]
    assert lose == [True, False, False, seat is Seat.SECOND]
    assert best_response(tables, perfect, seat.other)[0] == 0.0


@pytest.mark.slow
def test_one_sides_wins_are_the_others_losses_and_both_seats_count_alike() -> None:
    tables, (one, two) = (
        tables_of("nim"),
        (policy_of("nim", s) for s in ("random", "random:by=heap")),
    )
    first, second = (chances(tables, one, two, seat) for seat in BOTH)
    turned = chances(tables, two, one, Seat.SECOND)
    assert first.wins == pytest.approx(turned.losses)
    assert first.wins + first.losses == pytest.approx(1)
    assert over_seats(tables, one, two).wins == pytest.approx((first.wins + second.wins) / 2)
    _, best = best_response(tables, two, Seat.SECOND)  # the most anyone can score
    assert chances(tables, best, two, Seat.SECOND).losses == pytest.approx(7.48e-9, rel=1e-2)


@pytest.mark.slow
def test_play_that_goes_on_for_ever_is_drawn_at_the_ply_limit() -> None:
    tables = tables_of("quixo:size=3")
    # Both play the first legal move, whatever stands on the board.
    aimless = np.zeros(tables.successor.shape)
    playing = np.flatnonzero(~tables.over)
    aimless[playing, tables.legal.argmax(axis=1)[playing]] = 1.0
    seen = chances(tables, aimless, aimless, Seat.FIRST)
    assert seen.wins + seen.draws + seen.losses == pytest.approx(1)
    assert best_response(tables, aimless, Seat.FIRST)[0] == 1.0
