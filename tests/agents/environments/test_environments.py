"""The libraries' own suites on every named variant, and the engine as the judge of results."""

import pickle
import subprocess
import sys
from random import Random

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from agents.environments import aec, gym
from agents.environments.codec import codec, longest_play
from agents.errors import MissingLibraryError, UnsuitableAgentError
from engine import Ending, Match, Seat, load_game
from engine.catalog import all_variants
from engine.errors import InvalidSpecError

VARIANTS = [game.spec for game in all_variants() if game.key in ("nim", "tictactoe", "quixo")]


def random_episode(env, rng):
    """Play legal moves at random; (actions, rewards of both over the episode)."""
    env.reset()
    actions, total = [], dict.fromkeys(env.agents, 0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        actions.append(action)
        env.step(action)
    return actions, total


# What the suite advises, and never of the library's own games, which it knows by name.
@pytest.mark.filterwarnings(
    "ignore:Observation numpy array is all zeros",  # a blank board
    "ignore:Observation is not a NumPy array",  # it has a mask besides
    "ignore:Observation is a single number",  # one heap
    "ignore:Observation space for each agent probably should be",  # it has a mask besides
)
@pytest.mark.slow
@pytest.mark.parametrize("spec", VARIANTS)
def test_pettingzoo_accepts_every_named_variant(spec, capsys):
    api_test(aec(spec, render_mode="ansi"), num_cycles=1_000)
    seed_test(lambda: aec(spec), num_cycles=200)


@pytest.mark.parametrize("spec", VARIANTS)
def test_gymnasium_accepts_every_named_variant(spec):
    check_env(gym(spec, render_mode="ansi"))
    check_env(gym(spec, seat="o", render_mode="ansi"))


@pytest.mark.parametrize("spec", VARIANTS)
def test_random_play_ends_as_the_engine_says_for_the_same_moves(spec):
    env, game, rng = aec(spec), load_game(spec), Random(4)
    for _ in range(20):
        actions, total = random_episode(env, rng)
        outcome = Match.replay(game, [game.all_moves[action] for action in actions]).outcome()
        assert list(total.values()) == [outcome.score(seat) for seat in Seat]


def test_the_observer_sees_its_own_marks_first_and_the_top_row_on_top():
    env = aec("tictactoe")
    env.reset()
    game = load_game("tictactoe")
    for move in ("a3", "c1"):
        env.step(game.all_moves.index(game.parse_move(move)))
    seen = env.observe("player_0")
    assert seen["observation"][:, :, 0].tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert seen["observation"][:, :, 1].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
    other = env.observe("player_1")
    assert other["observation"][:, :, 1].tolist() == seen["observation"][:, :, 0].tolist()
    free = [str(game.all_moves[at]) for at in np.flatnonzero(seen["action_mask"])]
    assert free == ["a1", "b1", "a2", "b2", "c2", "b3", "c3"]
    assert not other["action_mask"].any()


def test_heaps_are_counted():
    env = aec("nim:heaps=1-3-5")
    env.reset()
    game = load_game("nim:heaps=1-3-5")
    env.step(game.all_moves.index(game.parse_move("c4")))
    assert env.observe("player_1")["observation"].tolist() == [1, 3, 1]


def test_the_ply_limit_truncates_and_a_repetition_terminates():
    game = load_game("quixo")
    rng = Random(0)
    seen = set()
    env = aec("quixo")
    while seen != {Ending.PLY_LIMIT, Ending.REPETITION}:
        ending = rng.choice([Ending.PLY_LIMIT, Ending.REPETITION])
        env.reset()
        match = Match.begin(game)
        while match.outcome() is None:
            move = _harmless(match, ending, rng)
            match = match.play(move)
            env.step(game.all_moves.index(move))
        if match.outcome().ending is not ending:
            continue
        _, _, terminated, truncated, _ = env.last()
        assert (terminated, truncated) == (
            ending is Ending.REPETITION,
            ending is Ending.PLY_LIMIT,
        )
        assert list(env.rewards.values()) == [0, 0]
        seen.add(ending)


def _harmless(match, ending, rng):
    """A move that ends nothing, or of those that repeat a state the one that does it soonest."""
    moves = list(match.state.legal_moves())
    rng.shuffle(moves)
    quiet = [move for move in moves if match.state.play(move).outcome() is None]
    wanted = ending is Ending.REPETITION
    for move in quiet:
        if (match.state.play(move) in match.states) is wanted:
            return move
    return (quiet or moves)[0]


def test_an_illegal_action_loses_in_both_interfaces():
    env = aec("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 0, "player_1": -1}
    single = gym("tictactoe", seat="x")
    single.reset(seed=1)
    single.step(4)
    _, reward, terminated, truncated, info = single.step(4)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, "b2")


@pytest.mark.parametrize("seat", ["x", "o"])
def test_the_opponent_inside_is_the_agent_of_the_roster(seat):
    """Whoever plays at random never beats it; the moves are a match of the engine."""
    env = gym("tictactoe", "perfect", seat=seat)
    game = load_game("tictactoe")
    rewards = set()
    for seed in range(30):
        rng = Random(seed)
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            assert env.action_masks().nonzero()[0].tolist() == legal.tolist()
            _, reward, over, cut, info = env.step(int(rng.choice(legal)))
            assert not cut
        match = Match.replay(game, map(game.parse_move, info["moves"]))
        assert reward == match.outcome().score(env.seat)
        assert info["seat"] == seat
        rewards.add(reward)
    assert rewards <= {0.0, -1.0}
    assert -1.0 in rewards


def test_the_seed_decides_the_seat_and_the_opponents_chance():
    env = gym("nim")
    begun = [(seed, env.reset(seed=seed)[1]) for seed in range(20)]
    assert {info["seat"] for _, info in begun} == {"x", "o"}
    for seed, info in begun:
        again = env.reset(seed=seed)[1]
        assert (again["seat"], again["moves"]) == (info["seat"], info["moves"])


def test_environments_are_pickled_for_worker_processes():
    for env in (aec("quixo:size=4"), gym("tictactoe", "perfect", seat="o")):
        copied = pickle.loads(pickle.dumps(env))
        assert copied.unwrapped.codec.game == env.unwrapped.codec.game


def test_what_cannot_be_played_is_said_in_one_line():
    with pytest.raises(InvalidSpecError, match="unknown game 'go'"):
        aec("go")
    with pytest.raises(InvalidSpecError, match="a seat is x or o, not 'z'"):
        gym("nim", seat="z")
    with pytest.raises(UnsuitableAgentError, match="menace cannot play quixo"):
        gym("quixo", "menace")


@pytest.mark.parametrize(
    ("spec", "plies"),
    [("nim", 25), ("nim:preset=twenty-one", 21), ("tictactoe", 9), ("quixo", 200)],
)
def test_the_longest_play_is_exact_for_small_games(spec, plies):
    assert longest_play(load_game(spec)) == plies


def test_a_game_without_a_board_of_marks_is_refused(monkeypatch):
    from agents.environments import codec as module
    from engine.core import Game

    game = load_game("nim")
    odd = Game("odd", "Odd", {}, "odd", "?", game.all_moves, str, str, ())
    monkeypatch.setattr(module, "load_game", lambda spec: odd)
    with pytest.raises(InvalidSpecError, match="odd has no board of x and o and no heaps"):
        codec("odd-game-of-this-test")


@pytest.mark.slow
def test_the_libraries_are_imported_only_when_asked_for():
    code = (
        "import sys, agents.environments, agents.roster;"
        "print({'gymnasium', 'pettingzoo', 'pyspiel'} & sys.modules.keys());"
        "sys.modules['gymnasium'] = None; agents.environments.gym('nim')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "set()\n"
    assert done.stderr.splitlines()[-1] == (
        "agents.errors.MissingLibraryError: "
        "Gymnasium is not installed (gymnasium): pip install 'zermelo[rl]'"
    )
    assert MissingLibraryError("OpenSpiel", "pyspiel").args == (
        "OpenSpiel is not installed (pyspiel): pip install open_spiel",
    )
