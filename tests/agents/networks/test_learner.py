"""Training a network: it repeats from any point, learns, and its figures are true."""

from random import Random

import numpy as np
import pytest

from agents import load_agent
from agents.errors import UnsuitableBrainError
from agents.networks.common import weights_only
from agents.networks.measurement import moves_alone, truth_of
from agents.perfect.oracles import oracle_for
from agents.roster import read_agent
from agents.tabular.exact import best_response
from agents.tabular.tables import tabulate
from agents.training.shipped import recipe, shipped_brain
from engine import load_game
from engine.core import Seat
from tests.agents.learning.helpers import trained, training

SHORT = [
    ("tictactoe", "network:games=120"),
    ("nim:heaps=1-3-5", "network:games=60"),
    ("nim:heaps=1-3-5", "network:games=60,inputs=binary,hidden=16,simulations=10"),
    ("quixo:size=4", "network:games=6"),
    ("quixo", "network:games=4,hidden=16"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "spec"), SHORT)
def test_cut_anywhere_and_resumed_it_ends_with_the_same_bytes(game: str, spec: str) -> None:
    whole = trained(game, spec)
    cuts = [found.brain for found in training(game, spec) if found.step < found.total]
    assert cuts
    for cut in (cuts[0], cuts[-1]):
        *_, last = training(game, spec, resume=cut)
        assert last.brain.digest == whole.digest
        assert last.brain.curve == whole.curve


def test_what_ships_cannot_be_trained_further_and_says_so() -> None:
    brain = weights_only(trained("nim:heaps=1-3-5", SHORT[1][1]))
    with pytest.raises(UnsuitableBrainError, match="has no 'mean'"):
        next(training("nim:heaps=1-3-5", "network:games=90", resume=brain))


def test_sixty_games_of_a_small_game_are_better_than_none() -> None:
    game = load_game("nim:heaps=1-3-5")
    curve = trained(game.spec, "network:games=500").curve
    assert curve[0].metrics["right"] < curve[-1].metrics["right"]


def test_the_share_of_right_positions_is_what_the_players_own_moves_come_to() -> None:
    game = load_game("nim:heaps=1-3-5")
    brain = trained(game.spec, "network:games=200")
    agent = load_agent("network:games=200", game)
    oracle = oracle_for(game)
    seen = {}
    for state in tabulate(game).states:
        if state.outcome() is None:
            verdicts = oracle.verdicts(state)
            choice = agent.analyse(state, rng=Random(1)).choice
            best = max(verdict.value for verdict in verdicts.values())
            seen[state.heaps] = verdicts[choice].value == best
    metrics = brain.curve[-1].metrics
    assert metrics["right"] == pytest.approx(sum(seen.values()) / len(seen))


@pytest.mark.slow
def test_the_shipped_network_plays_tictactoe_without_a_search_and_cannot_be_beaten() -> None:
    game = load_game("tictactoe")
    tables = tabulate(game)
    policy = tables.policy(load_agent("network", game))
    for seat in Seat:
        assert best_response(tables, policy, seat.other, loss=0.0)[0] == 0.0


@pytest.mark.parametrize(
    ("game", "spec", "least"),
    [
        ("tictactoe", "network", 0.98),
        ("nim:preset=marienbad", "network", 0.98),
        ("quixo:size=3", "network", 0.97),
    ],
)
def test_what_a_shipped_curve_ends_with_is_true_of_its_network(
    game: str, spec: str, least: float
) -> None:
    rules = load_game(game)
    entry, options = read_agent(spec, rules)
    brain = shipped_brain(entry.key, rules.spec, recipe(options))
    assert brain is not None
    player = load_agent(spec, rules).agent
    moves, _ = moves_alone(truth_of(rules), player.rules, player.weights, player.shape)
    share = truth_of(rules).share(moves)
    assert share == brain.curve[-1].metrics["right"]
    assert share >= least


def test_the_exhibits_wrong_positions_are_wrong_and_all_of_them() -> None:
    game = load_game("nim:heaps=1-3-5")
    agent = load_agent("network:games=100", game)
    shown = agent.analyse(game.start, rng=Random(1), show=True).exhibit
    oracle, wrong = oracle_for(game), set()
    for state in tabulate(game).states:
        if state.outcome() is None:
            verdicts = oracle.verdicts(state)
            choice = agent.analyse(state, rng=Random(1)).choice
            if verdicts[choice].value < max(each.value for each in verdicts.values()):
                wrong.add(state.heaps)
    assert shown.positions == len({state.heaps for state in tabulate(game).states}) - 1
    for each in shown.wrong:
        state = game.parse_state(each.state)
        verdicts = oracle.verdicts(state)
        best = max(verdict.value for verdict in verdicts.values())
        right = {str(move) for move, verdict in verdicts.items() if verdict.value == best}
        assert each.plays not in right
        assert set(each.right) == right
        assert str(agent.analyse(state, rng=Random(1)).choice) == each.plays
    assert len(shown.wrong) == shown.wrongs
    assert {game.parse_state(each.state).heaps for each in shown.wrong} == wrong
    assert shown.exact == oracle.probe(game.start).value
    counts = [count for count, _ in shown.stages]
    assert counts == [0, 8, 32, 128]
    assert all(np.isclose(sum(p.share for p in moves), 1) for _, moves in shown.stages[:1])
