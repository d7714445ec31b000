"""The network's relatives: each learns by what its paper says, and their figures are true."""

from random import Random
from typing import Any

import numpy as np
import pytest

from agents import load_agent
from agents.compute.rng import new_stream, seed_stream
from agents.errors import UnsuitableBrainError
from agents.networks.dqn import Target, goal_of
from agents.networks.evolution_strategies import Distribution, adapt, drawn, weighting
from agents.networks.gradient import backward, new_learning
from agents.networks.layers import Shape, initial_weights, new_layers, views
from agents.networks.measurement import moves_alone, truth_of
from agents.networks.neuroevolution import HIDDEN, empty_weights, express, genes_of, shape_of
from agents.networks.reinforce import BATCH, Plies, Room, Settings, add_gradient
from agents.networks.rules import position_of, rules_of
from agents.networks.tuple_tables import best_moves, tuples_of, value_of
from agents.perfect.oracles import oracle_for
from agents.tabular.tables import tabulate
from engine import load_game
from tests.agents.learning.helpers import shipped, trained, training
from tests.positions import reachable_states

TICTACTOE = load_game("tictactoe")


def one_hot(state: Any) -> np.ndarray:
    """The inputs of tic-tac-toe, from the board's text: own cells, then the other's."""
    own, other = position_of(state)
    bits = [own >> cell & 1 for cell in range(9)] + [other >> cell & 1 for cell in range(9)]
    return np.array(bits, float)


def outputs(flat: np.ndarray, shape: Shape, state: Any) -> tuple[np.ndarray, float]:
    """(logits, value) in double precision, as in any textbook."""
    parts = views(flat.astype(float), shape)
    first = np.maximum(one_hot(state) @ parts.first + parts.first_bias, 0)
    second = np.maximum(first @ parts.second + parts.second_bias, 0)
    value = float(np.tanh(second @ parts.value + parts.value_bias[0]))
    return second @ parts.policy + parts.policy_bias, value


def test_the_policy_gradient_is_that_of_finite_differences() -> None:
    rules, state = rules_of(TICTACTOE), next(iter(reachable_states(TICTACTOE, 1, seed=4)))
    shape = Shape(rules.inputs, 6, 9)
    flat = initial_weights(shape, 3, 1) * np.float32(2)
    learning = new_learning(flat, np.zeros_like(flat), np.zeros_like(flat), shape)
    legal = [TICTACTOE.all_moves.index(move) for move in state.legal_moves()]
    plies = Plies(
        np.array([position_of(state)]), np.array([legal[1]], np.int32), np.zeros(1, np.int32)
    )
    room = Room(np.zeros(9, bool), np.zeros(9, np.float32))
    settings = Settings(1e-3, 0.3, 0.0, against_random=False)
    add_gradient(1, -1.0, settings, rules, learning, plies, room)  # whoever moved last won
    backward(learning)
    baseline = outputs(flat, shape, state)[1]

    def loss(near: np.ndarray) -> float:
        logits, value = outputs(near, shape, state)
        logs = logits[legal] - np.log(np.exp(logits[legal]).sum())
        entropy = -float((np.exp(logs) * logs).sum())
        return -(1 - baseline) * float(logs[1]) - 0.3 * entropy + (value - 1) ** 2

    for at in range(0, shape.weights, 3):
        up, down = flat.astype(float), flat.astype(float)
        up[at] += 1e-5
        down[at] -= 1e-5
        slope = (loss(up) - loss(down)) / 2e-5
        assert learning.slope[at] * BATCH == pytest.approx(slope, abs=2e-3)


def test_the_target_of_a_deep_q_learner_is_the_result_or_what_the_best_answer_leaves() -> None:
    rules = rules_of(TICTACTOE)
    shape = Shape(rules.inputs, 8, 9)
    flat = initial_weights(shape, 5, 3) * np.float32(3)
    target = Target(flat, views(flat, shape), new_layers(shape))
    ends = 0
    for state in reachable_states(TICTACTOE, 60, seed=6):
        for move in state.legal_moves():
            after = state.play(move)
            goal = goal_of(*position_of(state), TICTACTOE.all_moves.index(move), 0.9, rules, target)
            if (outcome := after.outcome()) is not None:
                assert goal == outcome.score(state.to_move)
                ends += 1
                continue
            q, _ = outputs(flat, shape, after)
            best = max(q[TICTACTOE.all_moves.index(reply)] for reply in after.legal_moves())
            assert goal == pytest.approx(float(np.clip(-0.9 * best, -1, 1)), abs=1e-4)
    assert ends > 20


def test_cma_finds_the_bottom_of_a_stretched_valley() -> None:
    genes, children = 10, 24
    stretch = 10.0 ** np.linspace(0, 2, genes)
    cloud = Distribution(np.ones(genes), np.zeros(genes), np.eye(genes), np.array([0.5]))
    constants, rng = weighting(genes, children), new_stream()
    normals, steps = np.zeros((children, genes)), np.zeros((children, genes))
    for generation in range(400):
        seed_stream(rng, 1, generation)
        for child in range(children):
            drawn(cloud, normals[child], steps[child], rng)
        depth = [(stretch * (cloud.mean + cloud.sigma[0] * step) ** 2).sum() for step in steps]
        adapt(cloud, constants, np.argsort(depth, kind="stable"), normals, steps)
    assert (stretch * cloud.mean**2).sum() < 1e-8


def test_a_genome_is_a_network_of_one_layer_written_out() -> None:
    rules = rules_of(TICTACTOE)
    genes = np.random.default_rng(1).standard_normal(genes_of(rules))
    assert len(genes) == 289
    _, weights = empty_weights(shape_of(rules))
    express(genes, weights)
    truth = truth_of(TICTACTOE)
    moves, _ = moves_alone(truth, rules, weights, shape_of(rules))
    first, bias = genes[:180].reshape(18, HIDDEN), genes[180:190]
    policy, policy_bias = genes[190:280].reshape(HIDDEN, 9), genes[280:]
    for at in range(0, len(moves), 50):
        state = truth.states[at]
        logits = np.maximum(one_hot(state) @ first + bias, 0) @ policy + policy_bias
        legal = [TICTACTOE.all_moves.index(move) for move in state.legal_moves()]
        assert moves[at] == max(legal, key=lambda move: logits[move])


def test_a_position_is_worth_the_sum_of_its_tuples() -> None:
    game = load_game("quixo")
    tuples = tuples_of(5)
    worth = np.random.default_rng(1).standard_normal(tuples.numbers) / 10
    assert (len(tuples.cells), tuples.numbers) == (12 + 4, 4 * 3**5 + 3**7)
    for state in reachable_states(game, 20, seed=3):
        own, other = position_of(state)
        total = 0.0
        for cells, offset in zip(tuples.cells.tolist(), tuples.offset.tolist(), strict=True):
            digits = "".join(
                "1" if own >> cell & 1 else "2" if other >> cell & 1 else "0"
                for cell in cells
                if cell >= 0
            )
            total += worth[offset + int(digits, 3)]
        assert value_of(own, other, tuples, worth) == pytest.approx(np.tanh(total))


SHOWN = [
    ("tictactoe", "reinforce", 0.94),
    ("tictactoe", "dqn", 0.97),
    ("tictactoe", "neuroevolution", 0.6),
    ("nim:preset=twenty-one", "reinforce", 0.9),
    ("quixo:size=3", "dqn", 0.95),
]


@pytest.mark.parametrize(("spec", "agent", "least"), SHOWN)
def test_what_a_shipped_curve_ends_with_is_true_of_its_network(
    spec: str, agent: str, least: float
) -> None:
    game = load_game(spec)
    player: Any = load_agent(agent, game).agent
    moves, _ = moves_alone(truth_of(game), player.rules, player.weights, player.shape)
    share = truth_of(game).share(moves)
    assert share == shipped(agent, game).curve[-1].metrics["right"] >= least


@pytest.mark.parametrize(("size", "least"), [(3, 0.98), (4, 0.85)])
def test_what_the_shipped_tuples_play_is_right_as_often_as_their_curve_says(
    size: int, least: float
) -> None:
    game = load_game(f"quixo:size={size}")
    player: Any = load_agent("ntuple", game).agent
    truth = truth_of(game)
    moves = best_moves(truth.position, player.rules, player.tuples, player.worth)
    assert truth.share(moves) == shipped("ntuple", game).curve[-1].metrics["right"] >= least


@pytest.mark.slow
def test_without_entropy_a_policy_gradient_stays_far_behind() -> None:
    good, bad = (
        trained("tictactoe", f"reinforce:games=20000,rate=0.003,entropy={entropy}")
        for entropy in (0.1, 0)
    )
    assert bad.curve[-1].metrics["right"] < 0.75 < 0.85 < good.curve[-1].metrics["right"]


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        ("nim:heaps=1-3-5", "qlearning:games=40"),
        ("tictactoe", "state-value:games=200"),
        ("quixo:size=3", "ntuple:games=100"),
        ("nim:heaps=1-3-5", "dqn:games=60"),
        ("nim:heaps=1-3-5", "neuroevolution:generations=5"),
        ("nim:heaps=1-3-5", "reinforce:games=60"),
        ("nim:heaps=1-3-5", "network:games=60"),
    ],
)
def test_any_learner_plays_better_with_a_search_and_what_it_proves_is_the_solvers(
    spec: str, agent: str
) -> None:
    game = load_game(spec)
    oracle = oracle_for(game)
    alone, searching = load_agent(agent, game), load_agent(f"{agent},search=50", game)
    right = [0, 0]
    for state in reachable_states(game, 60, seed=11):
        verdicts = oracle.verdicts(state)
        best = max(verdict.value for verdict in verdicts.values())
        for at, player in enumerate((alone, searching)):
            analysis = player.analyse(state, rng=Random(1))
            right[at] += verdicts[analysis.choice].value == best
        for candidate in analysis.candidates:
            if candidate.proven:
                assert candidate.value == verdicts[candidate.move].value
    assert right[0] < right[1]


@pytest.mark.parametrize(
    ("spec", "array", "why"),
    [
        ("dqn:games=40", "memory", "cannot be"),
        ("network:games=40", "own", "cannot be"),
    ],
)
def test_a_brain_that_remembers_what_cannot_be_is_refused(spec: str, array: str, why: str) -> None:
    game = "nim:heaps=1-3-5"
    brain = trained(game, spec)
    brain.arrays[array].flat[0] = 63
    with pytest.raises(UnsuitableBrainError, match=why):
        next(training(game, spec.replace("40", "80"), resume=brain))
    trained.cache_clear()


def test_networks_without_a_search_or_a_value_say_so() -> None:
    player = load_agent("neuroevolution", TICTACTOE)
    shown = player.analyse(TICTACTOE.start, show=True).exhibit
    assert shown.value is None
    assert len(shown.courses) == 1
    assert len(tabulate(TICTACTOE).states) == TICTACTOE.states
