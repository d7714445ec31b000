"""Nim's options and its two ways to end."""

import pytest

from engine import Ending, Outcome, Seat, load_game

NIM5 = load_game("nim")


@pytest.mark.parametrize(
    ("spec", "start", "last", "max_take"),
    [
        ("nim:preset=nim5", "1-3-5-7-9 x", "loses", None),
        ("nim:preset=marienbad", "1-3-5-7 x", "loses", None),
        ("nim:preset=twenty-one", "21 x", "loses", 3),
        ("nim:preset=normal", "3-4-5 x", "wins", None),
        ("nim:preset=normal,last=loses", "3-4-5 x", "loses", None),
        ("nim:heaps=0-2,last=wins,max_take=2", "0-2 x", "wins", 2),
        ("nim:max_take=none", "1-3-5-7-9 x", "loses", None),
    ],
)
def test_a_spec_chooses_heaps_last_object_and_limit(
    spec: str, start: str, last: str, max_take: int | None
) -> None:
    game = load_game(spec)
    taken = sum(min(count, max_take or count) for count in game.start.heaps)
    assert str(game.start) == start
    assert len(game.start.legal_moves()) == taken
    assert (game.start.rules.last, game.start.rules.max_take) == (last, max_take)


@pytest.mark.parametrize(("last", "winner"), [("loses", Seat.SECOND), ("wins", Seat.FIRST)])
def test_the_last_object_loses_or_wins(last: str, winner: Seat) -> None:
    game = load_game(f"nim:heaps=3,last={last}")
    state = game.start.play(game.parse_move("a3"))
    assert state.outcome() == Outcome(winner, Ending.LAST_OBJECT)


def test_states_of_other_rules_are_other_states() -> None:
    assert load_game("nim:heaps=3").start != load_game("nim:heaps=3,last=wins").start


def test_equal_heaps_can_change_places_and_others_cannot() -> None:
    equal = load_game("nim:heaps=4-4-4")
    assert (len(NIM5.symmetries), len(equal.symmetries)) == (1, 6)
    assert len(load_game("nim:heaps=3-3-3-3-3-3").symmetries) == 6  # too many orders: rotations
    assert str(equal.canonical(equal.parse_state("3-1-2 x"))) == "1-2-3 x"
