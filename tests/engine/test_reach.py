"""What no play leads to: exact where it can be, and never claimed of what was reached."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from engine import Seat, load_game
from engine.catalog import find_entry
from engine.quixo import QuixoState, before, table_of
from tests.engine.counting import reachable
from tests.positions import random_match


def out_of_reach(game, state):
    return find_entry(game.key).out_of_reach(game, state)


@pytest.mark.parametrize(
    "spec", ["nim:heaps=1-3-2", "nim:heaps=4-2,max_take=1", "nim:heaps=5-3,max_take=2", "nim"]
)
def test_of_nim_just_that_is_claimed_which_play_does_not_reach(spec):
    game = load_game(spec)
    found = reachable(game)
    every = [
        replace(game.start, heaps=heaps, to_move=seat)
        for heaps in product(*(range(most + 1) for most in game.start.heaps))
        for seat in Seat
    ]
    assert {state for state in every if out_of_reach(game, state) is None} == found & set(every)


@pytest.mark.slow
@pytest.mark.no_cover
def test_of_quixo_on_nine_cubes_just_that_is_claimed_which_play_does_not_reach():
    game, table = load_game("quixo:size=3"), table_of(3)
    found = reachable(game)
    masks = [(x, o) for x in range(512) for o in range(512) if not x & o and x | o]
    some = Random(5).sample(masks, 1500)  # of 19,682; all of them came out so once
    looked = {QuixoState(x, o, seat, table) for x, o in some for seat in Seat}
    assert {state for state in looked if out_of_reach(game, state) is None} == found & looked
    assert looked - found


@pytest.mark.parametrize("spec", ["quixo", "quixo:size=4"])
def test_of_quixo_nothing_is_claimed_of_what_play_reached(spec):
    game, rng = load_game(spec), Random(7)
    played = [state for _ in range(4) for state in random_match(game, 60, rng).states]
    assert [state for state in played if out_of_reach(game, state)] == []


def test_what_stood_before_leads_here_by_one_push():
    match = random_match(load_game("quixo:size=4"), 40, Random(3))
    for earlier, state in zip(match.states, match.states[1:], strict=False):
        pasts = list(before(state))
        assert earlier in pasts
        assert all(state in {past.play(move) for move in past.legal_moves()} for past in pasts)


@pytest.mark.parametrize(
    ("spec", "text", "why"),
    [
        ("nim", "1-3-5-7-9 o", "no turn was taken to come here, so x would be to move"),
        ("nim", "0-3-5-7-9 x", "1 turn was taken to come here, so o would be to move"),
        ("nim", "0-2-4-7-9 x", "3 turns were taken to come here, so o would be to move"),
        (
            "quixo",
            "...../...../...../...../o.... x",
            "x moves first, but there is no x on the board",
        ),
        ("quixo", "...../...../...../...../x.... x", "o has moved, but there is no o on the board"),
        ("quixo", "...../...../...../...../xx... o", "before the first o there is one x, not 2"),
        ("quixo", "...../...../..x../...../..... o", "nothing could have stood before it"),
        ("quixo:size=3", "o../ooo/xoo x", "it never comes to the blank board"),
    ],
)
def test_it_says_why(spec, text, why):
    game = load_game(spec)
    assert why in out_of_reach(game, game.parse_state(text))


def test_of_a_game_whose_own_code_fails_nothing_is_claimed():
    def fail(game, state):
        raise LookupError("not this one")

    entry = replace(find_entry("tictactoe"), unreachable=fail)
    game = load_game("tictactoe")
    assert entry.out_of_reach(game, game.start) is None
    assert find_entry("tictactoe").out_of_reach(game, game.start) is None
