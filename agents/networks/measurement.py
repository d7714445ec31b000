"""How well a network plays: the share of positions in which its move is right, or its games.

A move is right if it keeps the exact value of the position. Small games are measured over every
position, 4×4 Quixo and large heaps over a fixed sample; 5×5 Quixo, which nobody has solved, by
games against alpha-beta.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, kernel
from agents.compute.rng import seed_stream
from agents.evolution.quixo_evolved import c3c, new_workspace
from agents.evolution.quixo_kernel import Workspace, best_push, random_push, record_position
from agents.networks.layers import Layers, Shape, Weights, forward, new_layers, softmax
from agents.networks.rules import (
    OPEN,
    Rules,
    active_inputs,
    is_legal,
    played,
    position_of,
    result_of,
)
from agents.networks.tree_search import (
    MAX_DEPTH,
    Tree,
    begin,
    best_child,
    key_of,
    new_tree,
    search,
)
from agents.perfect.oracles import ENDGAMES, oracle_for, solve
from agents.quixo.evaluation import LineWorths
from agents.tabular.tables import why_too_many
from engine.core import Game

MAX_STATES = 50_000  # of a game that is measured over every position
SAMPLE = 2_000  # positions of larger ones
SEARCHED_SAMPLE = 500  # positions that are also searched, for a curve
SEARCHED = 32  # simulations
REFERENCE = "alphabeta:depth=2"  # the opponent on 5×5
SIGHT = 2
OPENINGS = 32  # games in both seats from as many random openings
MAX_OPENING = 8  # plies
GOES_ON = 2  # no result yet


@dataclass(frozen=True, eq=False)
class Truth:
    """Positions with their exact values, and the moves that keep them."""

    states: tuple[Any, ...]
    position: NDArray[np.int64]  # [state] -> own, other
    value: NDArray[np.int8]  # [state] -> for the side to move
    right: NDArray[np.bool_]  # [state, move]
    whole: bool  # every position of the game

    def share(self, chosen: NDArray[np.int32]) -> float:
        """The share of positions in which these moves [state] are right."""
        return float(self.right[np.arange(len(chosen)), chosen].mean())

    def some(self, most: int) -> Truth:
        """At most so many of them, evenly spaced."""
        at = np.unique(np.linspace(0, len(self.states) - 1, most).astype(np.int64))
        chosen = tuple(self.states[each] for each in at)
        return Truth(chosen, self.position[at], self.value[at], self.right[at], whole=False)


def is_unsolved(game: Game[Any, Any]) -> bool:
    """Whether the game is measured by games."""
    return game.spec == ENDGAMES


@lru_cache(maxsize=8)
def truth_of(game: Game[Any, Any]) -> Truth:
    """Every position in the mover's view, or a sample of those that random games come to."""
    if why_too_many(game, MAX_STATES, "measure") is None:
        return _whole_truth(game)
    oracle = oracle_for(game)
    number = {move: at for at, move in enumerate(game.all_moves)}
    states = _sampled_states(game)
    right = np.zeros((len(states), len(number)), np.bool_)
    value = np.zeros(len(states), np.int8)
    for at, state in enumerate(states):
        verdicts = oracle.verdicts(state)
        value[at] = max(verdict.value for verdict in verdicts.values())
        for move, verdict in verdicts.items():
            right[at, number[move]] = verdict.value == value[at]
    return Truth(states, _positions(states), value, right, whole=False)


def _whole_truth(game: Game[Any, Any]) -> Truth:
    solution = solve(game)
    tables = solution.tables
    places: dict[tuple[int, int], int] = {}
    for number, state in enumerate(tables.states):
        if not tables.over[number]:
            places.setdefault(position_of(state), number)
    playing = np.array(list(places.values()))
    after = tables.successor[playing]
    value = solution.value[playing]
    right = (after >= 0) & (-solution.value[after] == value[:, None])
    states = tuple(tables.states[each] for each in playing)
    return Truth(states, _positions(states), value, right, whole=True)


def _positions(states: tuple[Any, ...]) -> NDArray[np.int64]:
    return np.array([position_of(state) for state in states], np.int64)


def _sampled_states(game: Game[Any, Any]) -> tuple[Any, ...]:
    """Different unfinished positions of random games, the same every time."""
    rng = Random(1913)
    found: dict[tuple[int, int], Any] = {}
    while len(found) < SAMPLE:
        state = game.start
        for _ in range(rng.randrange(1, 40)):
            moves = state.legal_moves()
            if not moves:
                break
            state = state.play(rng.choice(moves))
        if state.outcome() is None:
            found.setdefault(position_of(state), state)
    return tuple(found.values())


@kernel
def policy_moves(
    position: NDArray[np.int64],
    rules: Rules,
    weights: Weights,
    layers: Layers,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """([state] -> the legal move of the highest logit, [state] -> its share of the policy)."""
    chosen = np.zeros(len(position), np.int32)
    share = np.zeros(len(position), np.float32)
    legal, chances = np.zeros(len(rules.moves), np.bool_), np.zeros(len(rules.moves), np.float32)
    for at in range(len(position)):
        count = active_inputs(position[at, 0], position[at, 1], rules, layers.active)
        forward(count, weights, layers)
        best = -1
        for move in range(len(rules.moves)):
            legal[move] = is_legal(position[at, 0], position[at, 1], move, rules)
            if legal[move] and (best < 0 or layers.logits[move] > layers.logits[best]):
                best = move
        softmax(layers.logits, legal, chances)
        chosen[at], share[at] = best, chances[best]
    return chosen, share


@kernel
def searched_moves(
    position: NDArray[np.int64],
    simulations: int,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    tree: Tree,
) -> NDArray[np.int32]:
    """[state] -> the move that a search chooses, without earlier positions."""
    chosen = np.zeros(len(position), np.int32)
    for at in range(len(position)):
        begin(position[at, 0], position[at, 1], 0, rules, weights, layers, tree)
        search(simulations, 0, MAX_DEPTH, rules, weights, layers, tree)
        chosen[at] = tree.move[best_child(tree)]
    return chosen


def moves_alone(
    truth: Truth, rules: Rules, weights: Weights, shape: Shape
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """(moves, their shares of the policy) of the network alone at each state."""
    return policy_moves(truth.position, rules, weights, new_layers(shape))


def moves_searched(
    truth: Truth, simulations: int, rules: Rules, weights: Weights, shape: Shape
) -> NDArray[np.int32]:
    """The moves of a search of so many simulations at each state."""
    tree = new_tree(simulations, shape.moves, 0)
    return searched_moves(truth.position, simulations, rules, weights, new_layers(shape), tree)


def exact_metrics(
    game: Game[Any, Any], rules: Rules, weights: Weights, shape: Shape
) -> dict[str, float]:
    """Shares of right positions, alone and searched, and the value of the start."""
    truth = truth_of(game)
    alone, _ = moves_alone(truth, rules, weights, shape)
    sample = truth.some(SEARCHED_SAMPLE)
    searched = moves_searched(sample, SEARCHED, rules, weights, shape)
    start = value_of(game.start, rules, weights, shape)
    return {"right": truth.share(alone), "searched": sample.share(searched), "start": start}


def value_of(state: Any, rules: Rules, weights: Weights, shape: Shape) -> float:
    """The network's value of a state."""
    layers = new_layers(shape)
    count = active_inputs(*position_of(state), rules, layers.active)
    return forward(count, weights, layers)


def duel_metrics(rules: Rules, weights: Weights, shape: Shape) -> dict[str, float]:
    """Results against alpha-beta in OPENINGS pairs of games, searching SEARCHED simulations."""
    tree = new_tree(SEARCHED, shape.moves, rules.plies)
    results = duel(
        OPENINGS, SEARCHED, c3c(), new_workspace(), rules, weights, new_layers(shape), tree
    )
    shares = (float(result) / (2 * OPENINGS) for result in results)
    return dict(zip(("wins", "draws", "losses"), shares, strict=True))


@kernel
def duel(
    openings: int,
    simulations: int,
    rival: LineWorths,
    board: Workspace,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    tree: Tree,
) -> tuple[int, int, int]:
    """(wins, draws, losses) of the network in both seats after 0 to MAX_OPENING random plies."""
    wins = draws = losses = 0
    for number in range(2 * openings):
        seed_stream(board.rng, 1, number // 2)
        opening = number // 2 % (MAX_OPENING + 1)
        result = play(number % 2, opening, simulations, rival, board, rules, weights, layers, tree)
        wins += result == 1
        draws += result == 0
        losses += result == -1
    return wins, draws, losses


@inlined
def push(
    own: int, other: int, move: int, ply: int, since: int, board: Workspace, rules: Rules
) -> tuple[int, int, int, int]:
    """(own, other, ply of the last blank taken, result for the mover or GOES_ON) after a move."""
    if not own & rules.moves[move, 0]:
        for at in range(len(board.counts)):
            board.counts[at] = 0
        since = ply + 1
    own, other = played(own, other, move, rules)
    result = result_of(own, other, rules)
    if result != OPEN:
        return own, other, since, -result
    drawn = record_position(own, other, ply + 1, since, board) == rules.repetition
    return own, other, since, 0 if drawn else GOES_ON


@kernel
def play(
    seat: int,
    opening: int,
    simulations: int,
    rival: LineWorths,
    board: Workspace,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    tree: Tree,
) -> int:
    """One game of the network in this seat: 1 won, 0 drawn, -1 lost."""
    own, other, since = 0, 0, 0
    board.counts[:] = 0
    board.path[0, 0], board.path[0, 1] = own, other
    for ply in range(rules.plies):
        tree.keys[ply] = key_of(own, other)
        if ply < opening:
            move = random_push(other, board)
        elif ply % 2 == seat:
            begin(own, other, ply, rules, weights, layers, tree)
            search(simulations, ply, MAX_DEPTH, rules, weights, layers, tree)
            move = int(tree.move[best_child(tree)])
        else:
            move = best_push(own, other, SIGHT, ply, board, rival)
        own, other, since, result = push(own, other, move, ply, since, board, rules)
        if result != GOES_ON:
            return result if ply % 2 == seat else -result
    return 0
