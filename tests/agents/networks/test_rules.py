"""The rules for kernels are the engine's: the same moves, positions, ends and symmetries."""

from random import Random
from typing import Any

import numpy as np
import pytest

from agents.networks.rules import (
    DRAWN,
    LOST,
    OPEN,
    WON,
    active_inputs,
    is_legal,
    played,
    position_of,
    result_of,
    rules_of,
    why_not,
)
from engine import load_game
from tests.positions import reachable_states

GAMES = (
    "tictactoe",
    "quixo",
    "quixo:size=3",
    "nim",
    "nim:heaps=4-4-2,last=wins,max_take=3",
    "nim:heaps=21,max_take=3",
)


def result(state: Any) -> int:
    outcome = state.outcome()
    if outcome is None:
        return OPEN
    return {1: WON, -1: LOST, 0: DRAWN}[outcome.score(state.to_move)]


@pytest.mark.parametrize("spec", GAMES)
def test_they_are_those_of_the_engine(spec: str) -> None:
    game = load_game(spec)
    rules = rules_of(game)
    ends = set()
    assert (rules.start, 0) == position_of(game.start)
    for state in (game.start, *reachable_states(game, 100, seed=3)):
        position = position_of(state)
        moves = [move for at, move in enumerate(game.all_moves) if is_legal(*position, at, rules)]
        assert tuple(moves) == state.legal_moves()
        for move in moves:
            after = state.play(move)
            assert played(*position, game.all_moves.index(move), rules) == position_of(after)
            assert result_of(*position_of(after), rules) == result(after)
            ends.add(result(after))
    assert len(ends) > 1


def inputs_of(state: Any, rules: Any) -> set[int]:
    active = np.zeros(300, np.int32)
    return set(active[: active_inputs(*position_of(state), rules, active)].tolist())


@pytest.mark.parametrize("inputs", ["plain", "binary"])
@pytest.mark.parametrize("spec", GAMES)
def test_symmetric_states_have_symmetric_inputs_and_moves(spec: str, inputs: str) -> None:
    game = load_game(spec)
    rules = rules_of(game, inputs)
    rng = Random(1)
    for state in reachable_states(game, 30, seed=5):
        at = rng.randrange(len(game.symmetries))
        symmetry = game.symmetries[at]
        turned = {int(rules.turned_inputs[at, each]) for each in inputs_of(state, rules)}
        assert turned == inputs_of(symmetry.state(state), rules)
        move = rng.randrange(len(game.all_moves))
        image = game.all_moves[int(rules.turned_moves[at, move])]
        assert image == symmetry.move(game.all_moves[move])


def test_different_states_have_different_inputs_in_the_movers_view() -> None:
    for spec in GAMES:
        rules = rules_of(load_game(spec))
        seen: dict[frozenset[int], tuple[int, int]] = {}
        for state in reachable_states(load_game(spec), 200, seed=8):
            key = frozenset(inputs_of(state, rules))
            assert seen.setdefault(key, position_of(state)) == position_of(state)


def test_binary_inputs_are_the_digits_of_the_heaps() -> None:
    game = load_game("nim:heaps=1-3-5-7")
    rules = rules_of(game, "binary")
    assert rules.inputs == 1 + 2 + 3 + 3
    assert inputs_of(game.parse_state("1-2-5-4 x"), rules) == {0, 2, 3, 5, 8}


def test_what_has_too_many_moves_is_refused() -> None:
    assert why_not(load_game("nim")) is None
    assert "too many" in str(why_not(load_game("nim:heaps=50-50")))
