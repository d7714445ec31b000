"""Nim's options, its two ways to end, and what it refuses."""

import pytest

from engine import (
    Ending,
    IllegalMoveError,
    InvalidMoveError,
    InvalidStateError,
    Outcome,
    Seat,
    load_game,
)
from engine.errors import InvalidSpecError
from engine.nim import Take

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


@pytest.mark.parametrize(
    ("spec", "state", "move", "why"),
    [
        ("nim", "1-3-2-7-9 x", Take(2, 3), "^row c holds 2, you asked for 3$"),
        ("nim", "1-3-2-7-9 x", Take(2, 0), "^take at least one$"),
        ("nim", "0-0-0-0-0 x", Take(0, 1), "^the game is over$"),
        ("nim", "1-3-5-7-9 x", Take(7, 1), "there are only 5 rows"),
        ("nim:preset=twenty-one", "21 x", Take(0, 4), "^at most 3 a turn, you asked for 4$"),
    ],
)
def test_a_move_that_cannot_be_played_says_why(spec: str, state: str, move: Take, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why):
        load_game(spec).parse_state(state).play(move)


@pytest.mark.parametrize(
    "text", ["", "c", "f1", "c3 ", "3c", "c-1", "c03", "c1000", "c²", "c٣", "🙂", "c" * 10_000]
)
def test_a_text_that_is_no_move_cannot_be_read(text: str) -> None:
    with pytest.raises(InvalidMoveError, match="is no move: a row from a to e and how many"):
        NIM5.parse_move(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not look like '1-3-5-7-9 x'"),
        ("1-3-5-7 x", "does not look like"),
        ("1-3-5-7-9", "does not look like"),
        ("1-3-5-7-9 z", "does not look like"),
        ("1-3-5-7--9 x", "does not look like"),
        ("01-3-5-7-9 x", "does not look like"),
        ("1-3-5-7-10 x", "row e began with 9, it cannot hold 10"),
        ("-".join("9" * 5000) + " x", "does not look like"),
    ],
)
def test_a_text_that_is_no_state_cannot_be_read(text: str, why: str) -> None:
    with pytest.raises(InvalidStateError, match=why):
        NIM5.parse_state(text)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("nim:heaps=0-0", "nim has 1 to 10 heaps, not all empty, not 2 of 0"),
        ("nim:heaps=1-1-1-1-1-1-1-1-1-1-1", "nim has 1 to 10 heaps"),
        ("nim:heaps=51", "heaps is whole numbers from 0 to 50 joined by '-', not '51'"),
        ("nim:heaps=a", "heaps is whole numbers"),
        ("nim:heaps=", "heaps is whole numbers"),
        ("nim:last=draws", "last is one of loses, wins, not 'draws'"),
        ("nim:max_take=0", "max_take is a whole number from 1 to 50, or none, not '0'"),
        ("nim:preset=marienbat", "unknown preset of nim 'marienbat': did you mean 'marienbad'"),
        ("nim:heap=3", "unknown option of nim 'heap': did you mean 'heaps'"),
    ],
)
def test_a_variant_that_makes_no_sense_is_refused(spec: str, why: str) -> None:
    with pytest.raises(InvalidSpecError, match=why):
        load_game(spec)


def test_equal_heaps_can_change_places_and_others_cannot() -> None:
    equal = load_game("nim:heaps=4-4-4")
    assert (len(NIM5.symmetries), len(equal.symmetries)) == (1, 6)
    assert len(load_game("nim:heaps=3-3-3-3-3-3").symmetries) == 6  # too many orders: rotations
    assert str(equal.canonical(equal.parse_state("3-1-2 x"))) == "1-2-3 x"
