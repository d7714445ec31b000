"""A training game of the Q-learner as it is shown: the kernel's own, and the formula's."""

import numpy as np
import pytest

from agents.errors import UnsuitableAgentError
from agents.q_trace import Replay, next_episode
from engine import Seat, load_game

CASES = [
    ("tictactoe", "qlearning:games=50"),
    ("tictactoe", "qlearning:games=300,opponent=random,alpha=0.3,half=200"),
    ("nim:heaps=3-4-5,last=wins", "qlearning:games=20,shape=spread,starts=start"),
    ("nim:heaps=1-3-5-7", "qlearning:games=100,opponent=random,shape=squares,gamma=0.7"),
    ("tictactoe", "qlearning:games=40,opponent=random,shape=squares,draw_second=0.3"),
]
GAMES = 60


@pytest.mark.parametrize(("spec", "agent"), CASES)
def test_game_after_game_the_table_is_that_of_the_kernel(spec, agent):
    game = load_game(spec)
    shown, learned = Replay(agent, game, 0), Replay(agent, game, 0)
    for _ in range(GAMES):
        shown.next_game()
        learned.learn(1)
        assert np.array_equal(shown.table["q"], learned.table["q"])
        assert np.array_equal(shown.table["tried"], learned.table["tried"])


@pytest.mark.parametrize(("spec", "agent"), CASES)
def test_every_update_is_the_formula_on_the_numbers_of_the_learner(spec, agent):
    """Q before, the best Q of the next own position and Q after, read from the table itself."""
    game = load_game(spec)
    replay, updates = Replay(agent, game, 7), 0
    numbers = {str(state): at for at, state in enumerate(replay.graph.tables.states)}

    def q_of(table, state, move):
        moves = [str(each) for each in game.parse_state(state).legal_moves()]
        return float(table[replay.graph.edges(numbers[state])][moves.index(move)])

    for _ in range(GAMES):
        q = replay.table["q"].copy()
        episode = replay.next_game()
        states = [ply.state for ply in episode.plies] + [episode.end]
        for update in episode.updates:
            ply = episode.plies[update.ply]
            assert update.before == q_of(q, ply.state, ply.move)
            best = 0.0
            if (
                update.ply + 2 < len(states)
                and game.parse_state(states[update.ply + 2]).outcome() is None
            ):
                best = float(max(q[replay.graph.edges(numbers[states[update.ply + 2]])]))
            assert update.best_next == best
            after = (1 - episode.alpha) * update.before + episode.alpha * (
                update.reward + episode.gamma * update.best_next
            )
            assert update.after == pytest.approx(after, abs=1e-6)
            at = numbers[ply.state]
            moves = [str(each) for each in game.parse_state(ply.state).legal_moves()]
            q[replay.graph.edges(at)][moves.index(ply.move)] = update.after
            updates += 1
        assert np.array_equal(q, replay.table["q"])
    assert updates > GAMES


def test_a_game_is_legal_and_its_result_is_that_of_its_last_position():
    game = load_game("tictactoe")
    replay = Replay("qlearning:games=50", game, 0)
    for number in range(51, 81):
        episode = replay.next_game()
        assert episode.number == number
        state = game.parse_state(episode.plies[0].state)
        for ply in episode.plies:
            assert str(state) == ply.state
            state = state.play(game.parse_move(ply.move))
        assert str(state) == episode.end
        assert episode.result == state.outcome().score(Seat.FIRST)
        skipped = [ply for at, ply in enumerate(episode.plies) if ply.why_not]
        assert len(skipped) + len(episode.updates) == len(episode.plies)


def test_games_ahead_are_those_that_training_goes_on_with():
    game = load_game("tictactoe")
    replay = Replay("qlearning:games=50", game, 0)
    episodes = [replay.next_game() for _ in range(4)]
    assert next_episode("qlearning:games=50", game, 3) == episodes[3]
    assert next_episode("qlearning:games=53", game, 0) == episodes[3]


def test_who_has_no_table_of_q_is_refused():
    with pytest.raises(UnsuitableAgentError):
        next_episode("random", load_game("tictactoe"), 0)
