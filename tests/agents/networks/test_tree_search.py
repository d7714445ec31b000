"""The search: equal to a plain one on hundreds of positions, and its proofs are the solver's."""

from typing import Any

import numpy as np
import pytest

from agents.compute.rng import new_stream, seed_stream
from agents.networks.gumbel import gumbel_search
from agents.networks.layers import Shape, initial_weights, new_layers, views
from agents.networks.rules import DRAWN, OPEN, position_of, rules_of
from agents.networks.tree_search import (
    MAX_DEPTH,
    ROOT,
    Tree,
    begin,
    best_child,
    new_tree,
    search,
)
from agents.perfect.oracles import oracle_for
from engine import load_game
from tests.agents.networks.plain_search import Node, searched
from tests.positions import reachable_states

HIDDEN = 8


def tree_of(game: Any, state: Any, simulations: int, seed: int | None = None) -> Tree:
    """The tree of the kernel, with a random network or (without a seed) one of zeros."""
    rules = rules_of(game)
    shape = Shape(rules.inputs, HIDDEN, len(rules.moves))
    flat = np.zeros(shape.weights, np.float32)
    if seed is not None:
        flat = initial_weights(shape, 5, seed)
    weights, layers = views(flat, shape), new_layers(shape)
    tree = new_tree(simulations, shape.moves, 0)
    begin(*position_of(state), 0, rules, weights, layers, tree)
    search(simulations, 0, MAX_DEPTH, rules, weights, layers, tree)
    return tree


def children(game: Any, tree: Tree, node: int) -> dict[Any, int]:
    first = int(tree.first[node])
    return {
        game.all_moves[int(tree.move[child])]: child
        for child in range(first, first + int(tree.children[node]))
    }


def proven(tree: Tree, node: int) -> float | None:
    found = int(tree.proven[node])
    return None if found == OPEN else 0.0 if found == DRAWN else float(found)


def same(game: Any, tree: Tree, at: int, node: Node) -> bool:
    """Whether two trees agree in every node."""
    below = children(game, tree, at)
    return (
        proven(tree, at) == node.proven
        and int(tree.visits[at]) == node.visits
        and float(tree.total[at]) == pytest.approx(node.total, abs=1e-9)
        and set(below) == set(node.children)
        and all(same(game, tree, below[move], child) for move, child in node.children.items())
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "positions", "simulations"),
    [
        ("tictactoe", 150, 60),
        ("nim:heaps=1-3-5", 60, 40),
        ("quixo:size=3", 60, 40),
        ("quixo", 30, 60),
    ],
)
def test_with_a_uniform_network_it_is_the_plain_search(
    spec: str, positions: int, simulations: int
) -> None:
    game = load_game(spec)
    for state in (game.start, *reachable_states(game, positions, seed=7)):
        tree = tree_of(game, state, simulations)
        assert same(game, tree, ROOT, searched(game, state, simulations)), str(state)


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1-3-5", "quixo:size=3"])
def test_what_it_proves_is_what_the_solver_knows(spec: str) -> None:
    game = load_game(spec)
    oracle, proofs = oracle_for(game), 0
    for state in reachable_states(game, 100, seed=9):
        tree = tree_of(game, state, 100, seed=1)
        verdicts = oracle.verdicts(state)
        for move, node in children(game, tree, ROOT).items():
            if (value := proven(tree, node)) is not None:
                assert -value == verdicts[move].value, f"{state} {move}"
                proofs += 1
        if tree.proven[ROOT] != OPEN:
            best = game.all_moves[int(tree.move[best_child(tree)])]
            assert verdicts[best].value == oracle.probe(state).value
    assert proofs > 100


def test_a_gumbel_root_plays_a_legal_move_and_suggests_chances() -> None:
    game = load_game("tictactoe")
    rules = rules_of(game)
    shape = Shape(rules.inputs, HIDDEN, 9)
    weights, layers = views(initial_weights(shape, 5, 1), shape), new_layers(shape)
    rng, tree, target = new_stream(), new_tree(25, 9, 0), np.zeros(9, np.float32)
    noise, standing, ranked = np.zeros(9), np.zeros(9), np.zeros(9, np.int32)
    for number, state in enumerate(reachable_states(game, 60, seed=2)):
        seed_stream(rng, 1, number)
        begin(*position_of(state), 0, rules, weights, layers, tree)
        room = noise, standing, ranked, target
        child = gumbel_search(25, 4, 0, rng, rules, weights, layers, tree, *room)
        legal = {game.all_moves.index(move) for move in state.legal_moves()}
        assert int(tree.move[child]) in legal
        assert set(np.flatnonzero(target).tolist()) <= legal
        assert target.sum() == pytest.approx(1, abs=1e-5)
        visited = [node for node in children(game, tree, ROOT).values() if tree.visits[node]]
        assert len(visited) <= 4


def test_a_position_that_occurs_a_third_time_is_a_draw_there() -> None:
    game = load_game("quixo:size=3")
    rules = rules_of(game)
    shape = Shape(rules.inputs, HIDDEN, len(rules.moves))
    weights, layers = views(np.zeros(shape.weights, np.float32), shape), new_layers(shape)
    state = next(iter(reachable_states(game, 1, seed=21)))
    after = state.play(state.legal_moves()[0])
    tree = new_tree(0, shape.moves, 5)
    for ply, past in enumerate((state, after, state, after)):
        own, other = position_of(past)
        tree.keys[ply] = own | other << 25
    begin(*position_of(state), 4, rules, weights, layers, tree)
    assert proven(tree, children(game, tree, ROOT)[state.legal_moves()[0]]) == 0.0
