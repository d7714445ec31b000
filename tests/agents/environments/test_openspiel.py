"""OpenSpiel's own simulation test, and its search on our games, where it is installed."""

from random import Random

import pytest

from agents.environments import open_spiel
from engine import Match, Seat, load_game
from engine.catalog import all_variants

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.soak

VARIANTS = [game.spec for game in all_variants() if game.key in ("nim", "tictactoe", "quixo")]


@pytest.mark.parametrize("spec", VARIANTS)
def test_random_simulations_with_serialisation_pass(spec, capfd):
    pyspiel.random_sim_test(open_spiel(spec), num_sims=10, serialize=True, verbose=False)


@pytest.mark.parametrize("spec", VARIANTS)
def test_random_play_ends_as_the_engine_says_for_the_same_moves(spec):
    game, rng = load_game(spec), Random(7)
    for _ in range(10):
        state = open_spiel(spec).new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        moves = [game.all_moves[action] for action in state.history()]
        outcome = Match.replay(game, moves).outcome()
        assert state.returns() == [outcome.score(seat) for seat in Seat]


def test_their_monte_carlo_search_finds_a_win_on_our_board():
    state = open_spiel("tictactoe").new_initial_state()
    game = load_game("tictactoe")
    for move in ("a1", "a3", "b1", "b3"):
        state.apply_action(game.all_moves.index(game.parse_move(move)))
    search = pytest.importorskip("open_spiel.python.algorithms.mcts")
    import numpy as np

    rollouts = search.RandomRolloutEvaluator(4, np.random.RandomState(1))
    bot = search.MCTSBot(state.get_game(), 2, 200, rollouts, random_state=np.random.RandomState(2))
    assert state.action_to_string(bot.step(state)) == "c1"


def test_a_variant_is_registered_once_under_a_readable_name():
    assert open_spiel("quixo:size=4") is open_spiel("quixo:size=4")
    assert open_spiel("quixo:size=5").get_type().short_name == "zermelo_quixo"
    assert "zermelo_quixo_size_4" in pyspiel.registered_names()
