"""A network that teaches itself, side by side: our kernels and a plain numpy loop.

Run with `OPENBLAS_NUM_THREADS=1 python -m benchmarks.networks`: numpy's idle threads would count as
its CPU time. Both do the same work from the same untrained networks: games with themselves from
random openings, simulations with a Gumbel root, and as many updates of Adam on batches of 256
positions as the games allow. The plain loop is what a student would write: nodes are objects,
states the engine's, and like the kernels it looks at one position at a time. Repetitions and
symmetries are left out of it, which saves it time. A second plain loop makes its updates by matrix
products of whole batches, which is what numpy is best at.
"""

from __future__ import annotations

import sys
from math import log, sqrt
from random import Random
from time import process_time
from typing import Any

import numpy as np

from agents.networks.common import Design
from agents.networks.layers import Shape, initial_weights, views
from agents.networks.learner import preset_of
from agents.networks.rules import position_of
from agents.networks.self_play import BATCH, learn, new_memory
from agents.roster import read_agent
from agents.training.loop import kernel_seed
from engine import load_game

ROUNDS = 3
GAMES = {"tictactoe": 60, "quixo": 2}  # of each network
NETWORKS = {"tictactoe": (20, 2), "quixo": (8, 1)}  # by kernels and by the plain loop, each round
EXPLORATION, URGENCY = 1.5, 0.2
MAX_PLIES = 60  # of a plain game


Sample = tuple[np.ndarray, np.ndarray, np.ndarray, float]  # inputs, legal, policy, value


class Node:
    """A state of the tree; totals and proofs are for the side to move there."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.visits, self.total, self.prior = 0, 0.0, 0.0
        self.children: list[tuple[int, Node]] = []
        outcome = state.outcome()
        self.proven = None if outcome is None else outcome.score(state.to_move)

    def worth(self, unvisited: float) -> float:
        if self.proven is not None:
            return -self.proven
        return -self.total / self.visits if self.visits else unvisited

    def prove(self) -> None:
        known = [child.proven for _, child in self.children]
        if -1 in known:
            self.proven = 1
        elif None not in known:
            self.proven = max(-value for value in known if value is not None)


class PlainNetwork:
    """Self-play and training in numpy."""

    def __init__(self, spec: str, seed: int, *, learns: bool) -> None:
        self.game, self.learns = load_game(spec), learns
        self.number = {move: at for at, move in enumerate(self.game.all_moves)}
        self.cells = 9 if spec == "tictactoe" else 25
        preset = preset_of(self.game)
        self.settings, self.size = preset.settings, preset.memory
        self.shape = Shape(2 * self.cells, preset.size.hidden, len(self.number))
        self.flat = initial_weights(self.shape, preset.size.active, seed)
        self.weights = views(self.flat, self.shape)
        self.mean, self.spread = np.zeros_like(self.flat), np.zeros_like(self.flat)
        self.memory: list[Sample] = []
        self.rng, self.luck = Random(seed), np.random.default_rng(seed)
        self.moves = self.updates = 0

    def play(self, games: int) -> None:
        for _ in range(games):
            self.play_one()
            due = self.moves * self.settings.reuse if self.learns else 0
            while (self.updates + 1) * BATCH <= due:
                self.updates += 1
                self.update()

    def play_one(self) -> None:
        state: Any = self.game.start
        path: list[tuple[Any, np.ndarray, Node]] = []
        opening = self.rng.randint(1, 8) if self.rng.random() < 0.8 else 0
        for ply in range(MAX_PLIES):
            if state.outcome() is not None:
                break
            if ply < opening:
                state = state.play(self.rng.choice(state.legal_moves()))
                continue
            root = Node(state)
            value = self.expand(root)
            root.visits, root.total = 1, value
            chosen, policy = self.gumbel(root, value)
            path.append((state, policy, root))
            state = state.play(self.game.all_moves[chosen])
        outcome = state.outcome()
        for at, policy, root in path:
            score = 0 if outcome is None else outcome.score(at.to_move)
            target = 0.75 * score + 0.25 * root.total / root.visits
            legal = np.zeros(len(self.number))
            legal[[self.number[move] for move in at.legal_moves()]] = 1
            target = float(target if root.proven is None else root.proven)
            self.memory.append((self.inputs(at), legal, policy, target))
            self.moves += 1
        del self.memory[: -self.size]

    def inputs(self, state: Any) -> np.ndarray:
        own, other = position_of(state)
        both, bits = own | other << self.cells, range(2 * self.cells)
        return np.array([both >> bit & 1 for bit in bits], np.float32)

    def expand(self, node: Node) -> float:
        """Add the children with their priors; returns the network's value."""
        moves = node.state.legal_moves()
        node.children = [(self.number[move], Node(node.state.play(move))) for move in moves]
        node.prove()
        parts = self.weights
        first = np.maximum(self.inputs(node.state) @ parts.first + parts.first_bias, 0)
        second = np.maximum(first @ parts.second + parts.second_bias, 0)
        logits = second @ parts.policy + parts.policy_bias
        raised = np.exp(logits - logits.max())
        total = sum(raised[move] for move, _ in node.children)
        for move, child in node.children:
            child.prior = float(raised[move] / total)
        return float(np.tanh(second @ parts.value + parts.value_bias[0]))

    def simulate(self, root: Node, forced: Node) -> None:
        line = [root, forced]
        while line[-1].children and line[-1].proven is None:
            node = line[-1]
            unvisited = node.total / max(1, node.visits) - URGENCY
            scale = EXPLORATION * sqrt(node.visits)
            line.append(
                max(
                    (child for _, child in node.children if child.proven != 1),
                    key=lambda child: (
                        child.worth(unvisited) + scale * child.prior / (1 + child.visits)
                    ),
                )
            )
        leaf = line[-1]
        value = self.expand(leaf) if leaf.proven is None else 0.0
        for at, node in enumerate(reversed(line)):
            if at and node.proven is None:
                node.prove()
            value = -value if at else value
            value = value if node.proven is None else node.proven
            node.visits += 1
            node.total += value

    def gumbel(self, root: Node, value: float) -> tuple[int, np.ndarray]:
        """(move, improved policy) by sequential halving."""
        noise = {
            move: log(child.prior + 1e-12) - log(-log(self.rng.random() + 1e-12) + 1e-12)
            for move, child in root.children
        }
        scale = 0.0

        def standing(found: tuple[int, Node]) -> float:
            return noise[found[0]] + scale * found[1].worth(value)

        left = sorted((each for each in root.children if each[1].proven != 1), key=standing)
        left = left[::-1][: self.settings.considered]
        rounds, spent = max(1, int(np.ceil(np.log2(max(1, len(left)))))), 0
        while root.proven is None and spent < self.settings.simulations:
            for _ in range(max(1, self.settings.simulations // (rounds * len(left)))):
                for _, child in left:
                    if spent < self.settings.simulations and root.proven is None:
                        if child.proven is None:
                            self.simulate(root, child)
                        spent += 1
            scale = 0.1 * (50 + max(child.visits for _, child in root.children))
            left = sorted(left, key=standing)[::-1][: max(1, (len(left) + 1) // 2)]
        policy = np.zeros(len(self.number), np.float32)
        if root.proven is not None:
            best = [move for move, child in root.children if child.proven == -root.proven]
            policy[best] = 1 / len(best)
            return best[0], policy
        scale = 0.1 * (50 + max(child.visits for _, child in root.children))
        for move, child in root.children:
            policy[move] = log(child.prior + 1e-12) + scale * child.worth(value)
        moves = [move for move, _ in root.children]
        raised = np.exp(policy[moves] - policy[moves].max())
        policy[:] = 0
        policy[moves] = raised / raised.sum()
        return left[0][0], policy

    def update(self) -> None:
        """One step of Adam on a batch."""
        batch = [self.memory[at] for at in self.luck.integers(len(self.memory), size=BATCH)]
        slope = self.slope_of(batch)
        number = self.updates
        self.mean = 0.9 * self.mean + 0.1 * slope
        self.spread = 0.999 * self.spread + 0.001 * slope**2
        rate = self.settings.rate / (1 + number / self.settings.half)
        step = rate * sqrt(1 - 0.999**number) / (1 - 0.9**number)
        self.flat *= 1 - rate * 1e-4
        self.flat -= step * self.mean / (np.sqrt(self.spread) + 1e-8)

    def slope_of(self, batch: list[Sample]) -> np.ndarray:
        """The gradient of a batch, one position at a time."""
        parts, slope = self.weights, np.zeros_like(self.flat)
        into = views(slope, self.shape)
        for inputs, legal, policy, target in batch:
            first = np.maximum(inputs @ parts.first + parts.first_bias, 0)
            second = np.maximum(first @ parts.second + parts.second_bias, 0)
            logits = np.where(legal > 0, second @ parts.policy + parts.policy_bias, -np.inf)
            chances = np.exp(logits - logits.max())
            value = np.tanh(second @ parts.value + parts.value_bias[0])
            wrong = (chances / chances.sum() - policy) / BATCH
            off = 2 * (value - target) * (1 - value**2) / BATCH
            behind = (parts.policy @ wrong + off * parts.value) * (second > 0)
            below = (parts.second @ behind) * (first > 0)
            into.first[:] += np.outer(inputs, below)
            into.first_bias[:] += below
            into.second[:] += np.outer(first, behind)
            into.second_bias[:] += behind
            into.policy[:] += np.outer(second, wrong)
            into.policy_bias[:] += wrong
            into.value[:] += second * off
            into.value_bias[0] += off
        return slope


class MatrixNetwork(PlainNetwork):
    """The same with updates by matrix products."""

    def slope_of(self, batch: list[Sample]) -> np.ndarray:
        inputs, legal, policy, target = map(np.array, zip(*batch, strict=True))
        parts = self.weights
        first = np.maximum(inputs @ parts.first + parts.first_bias, 0)
        second = np.maximum(first @ parts.second + parts.second_bias, 0)
        logits = np.where(legal > 0, second @ parts.policy + parts.policy_bias, -np.inf)
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        value = np.tanh(second @ parts.value + parts.value_bias[0])
        wrong = (chances - policy) / BATCH
        off = 2 * (value - target) * (1 - value**2) / BATCH
        behind = (wrong @ parts.policy.T + np.outer(off, parts.value)) * (second > 0)
        below = (behind @ parts.second.T) * (first > 0)
        return np.concatenate(
            [
                (inputs.T @ below).ravel(),
                below.sum(0),
                (first.T @ behind).ravel(),
                behind.sum(0),
                (second.T @ wrong).ravel(),
                wrong.sum(0),
                second.T @ off,
                [off.sum()],
            ]
        ).astype(np.float32)


class KernelNetwork:
    """The same by our kernels."""

    def __init__(self, spec: str, seed: int, *, learns: bool) -> None:
        game = load_game(spec)
        preset = preset_of(game)
        _, options = read_agent("network", game)
        self.design = Design(game, options, preset.size)
        self.learning = self.design.learning(seed, None)
        self.memory = new_memory(preset.memory, self.design.shape.moves)
        reuse = preset.settings.reuse if learns else 0.0
        self.settings = preset.settings._replace(reuse=reuse)
        self.seed, self.games = kernel_seed(seed), 0

    @property
    def moves(self) -> int:
        return int(self.memory.counts[0])

    def play(self, games: int) -> None:
        rules, settings = self.design.rules, self.settings
        learn(self.games, games, self.seed, settings, rules, self.learning, self.memory)
        self.games += games


Kind = type[PlainNetwork] | type[KernelNetwork]


def rate(kind: Kind, spec: str, first: int, count: int, *, learns: bool) -> float:
    """Searched moves in a CPU second of so many new networks, from this seed on."""
    moves, seconds = 0, 0.0
    for seed in range(first, first + count):
        network = kind(spec, seed, learns=learns)
        begun = process_time()
        network.play(GAMES[spec])
        seconds += process_time() - begun
        moves += network.moves
    return moves / seconds


def compare(spec: str, plain: type[PlainNetwork], what: str, *, learns: bool) -> None:
    many, few = NETWORKS[spec]
    rate(KernelNetwork, spec, 1, 1, learns=learns)  # compiles
    ratios, lines = [], []
    for number in range(ROUNDS):
        ours = rate(KernelNetwork, spec, 1 + many * number, many, learns=learns)
        theirs = rate(plain, spec, 1 + few * number, few, learns=learns)
        ratios.append(ours / theirs)
        lines.append(f"{ours:,.0f} and {theirs:,.0f}")
    sys.stdout.write(
        f"{spec}, {what}: {'; '.join(lines)} moves a CPU second: "
        f"{min(ratios):.0f} to {max(ratios):.0f} times\n"
    )
    sys.stdout.flush()


def main() -> None:
    for spec in GAMES:
        compare(spec, PlainNetwork, "games alone", learns=False)
        compare(spec, PlainNetwork, "games and updates", learns=True)
        compare(spec, MatrixNetwork, "games, updates as matrix products", learns=True)


if __name__ == "__main__":
    main()
