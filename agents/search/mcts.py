"""Monte Carlo tree search: random games, more of them where they go well.

UCT (Kocsis and Szepesvári 2006), with wins and losses proven in backpropagation (Winands,
Björnsson and Saito, "Monte-Carlo tree search solver", 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from random import Random
from typing import Any

from agents.core import Analysis, Candidate, Fact, Limit, Measure, conclude, even_chances
from agents.entry import Entry, Technique
from agents.errors import UnsuitableAgentError
from agents.exhibits import Sample
from agents.formats import counted, signed
from agents.search.common import Budget, OutOfBudget, drawn_states
from agents.search.mcts_exhibit import PROVEN_WORDS, TreeChild, milestones, samples_of, tree_nodes
from agents.search.quixo.mcts import QuixoMcts
from engine.core import Game, State
from engine.options import Kind, Option, Values
from engine.quixo import QuixoState

MAX_LINE_PLIES = 8
MAX_ROLLOUT_PLIES = 200  # a game that is not over by then counts as a draw


@dataclass(frozen=True, slots=True)
class Mcts:
    """Plays the move with the best results, or one that is proven to win."""

    game: Game[Any, Any]
    simulations: int
    exploration: float
    slips: float  # the share of the opponent's moves that are assumed to be random

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        limit = limit.tighter(Limit(nodes=self.simulations))
        budget = Budget(limit)
        drawn = drawn_states(self.game, state, history)
        tree = SearchTree(self.game, state, self.exploration, self.slips, limit.depth, rng, drawn)
        stages: dict[int, tuple[Sample, ...]] = {}
        steps = milestones()
        step = next(steps)
        try:
            while tree.root.proven is None:
                budget.spend()
                tree.simulate()
                if show and budget.spent == step:
                    stages[step], step = _root_samples(state, tree), next(steps)
        except OutOfBudget:
            pass
        analysis = _report(state, tree, budget, rng)
        if not show:
            return analysis
        stages[budget.spent] = _root_samples(state, tree)
        nodes = tree_nodes(state, tree.root, tree.children_of)
        return replace(analysis, exhibit=samples_of(stages, self.simulations, nodes))


class Node:
    """A position of the tree. `total` and `proven` are for the side that moved into it."""

    __slots__ = ("children", "plies", "proven", "state", "total", "visits")

    def __init__(self, state: State[Any]) -> None:
        self.state = state
        self.children: tuple[Node, ...] = ()  # each once, though many moves may lead to it
        self.visits = 0
        self.total = 0.0
        self.proven: int | None = None  # +1, -1, or 0 at a drawn end
        self.plies = 0  # to that end, in the line that proved it

    @property
    def value(self) -> float:
        """The average result with one lost game added, so that few visits count for less."""
        if self.proven is not None:
            return float(self.proven)
        return (self.total - 1) / (self.visits + 1)

    @property
    def mean(self) -> float:
        """The plain average result."""
        return self.total / self.visits if self.visits else 0.0

    @property
    def proven_word(self) -> str:
        """The proven result in a word, or an empty string."""
        return "" if self.proven is None else PROVEN_WORDS[self.proven]


class SearchTree:
    """The tree of one analysis: selection, expansion, rollout and backpropagation.

    Transpositions and mirror images share a node.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        state: State[Any],
        exploration: float,
        slips: float,
        depth: int | None,
        rng: Random,
        drawn: frozenset[State[Any]],
    ) -> None:
        # A repetition is drawn for one position and not for its mirror image.
        self.symmetries = () if drawn else game.symmetries
        self.exploration = exploration
        self.slips = slips
        self.depth = inf if depth is None else depth
        self.rng = rng
        self.drawn = drawn
        self.nodes: dict[State[Any], Node] = {}
        self.deepest = 0
        self.proofs = 0
        self.seat = state.to_move
        self.root = self.node_of(state)
        self.expand(self.root)

    def simulate(self) -> None:
        """Select a leaf, play one game from there and back its result up."""
        path = [self.root]
        while path[-1].children and path[-1].proven is None and len(path) <= self.depth:
            path.append(self.select(path[-1]))
            if path[-1] in path[:-1]:
                break  # the line came back on itself
        leaf = path[-1]
        self.deepest = max(self.deepest, len(path) - 1)
        if leaf.visits and leaf.proven is None and not leaf.children and len(path) <= self.depth:
            self.expand(leaf)
        score = self.rollout(leaf) if leaf.proven is None else float(leaf.proven)
        for node in reversed(path):
            if node.proven is None:
                self.prove(node)
            if node.proven is not None:
                score = float(node.proven)
            node.visits += 1
            node.total += score
            score = -score

    def select(self, node: Node) -> Node:
        """The child with the highest upper confidence bound; one never visited comes first.

        Where the opponent is assumed to slip it is a random child, so that of two draws the one
        in which more can go wrong for the opponent is preferred.
        """
        if node.state.to_move is not self.seat and self.rng.random() < self.slips:
            return self.rng.choice(node.children)
        explore = self.exploration * sqrt(log(node.visits + 1))
        best, best_bound = None, -inf
        for child in node.children:
            if child.proven is not None:
                bound = child.proven * inf if child.proven else 0.0
            elif child.visits == 0:
                return child
            else:
                bound = child.total / child.visits + explore / sqrt(child.visits)
            if bound >= best_bound:
                best, best_bound = child, bound
        assert best is not None
        return best

    def expand(self, node: Node) -> None:
        """Add every position one move away, in random order."""
        children = dict.fromkeys(
            self.node_of(node.state.play(move)) for move in node.state.legal_moves()
        )
        node.children = tuple(self.rng.sample(list(children), len(children)))
        self.prove(node)

    def node_of(self, state: State[Any]) -> Node:
        """The node of a position, created where it and its mirror images are new."""
        node = self.nodes.get(state)
        if node is None:
            node = self.nodes[state] = Node(state)
            for symmetry in self.symmetries:
                self.nodes[symmetry.state(state)] = node
            if (outcome := state.outcome()) is not None:
                node.proven = outcome.score(state.to_move.other)
            elif state in self.drawn:
                node.proven = 0
        return node

    def prove(self, node: Node) -> None:
        """Lost for its mover if one reply wins, won if every reply loses.

        Draws are not proven: games through them still show where more can go wrong.
        """
        replies = node.children
        wins = [reply.plies for reply in replies if reply.proven == 1]
        losses = [reply.plies for reply in replies if reply.proven == -1]
        if wins:
            node.proven, node.plies = -1, 1 + min(wins)
        elif replies and len(losses) == len(replies):
            node.proven, node.plies = 1, 1 + max(losses)
        self.proofs += node.proven is not None

    def rollout(self, node: Node) -> float:
        """Play a random game; returns its score for the side that moved into the node.

        It ends at a proven position, from which the game is proven backwards where possible.
        """
        played = [node.state]
        choose = self.rng.choice
        for _ in range(MAX_ROLLOUT_PLIES):
            played.append(played[-1].play(choose(played[-1].legal_moves())))
            end = self.nodes.get(played[-1])
            if played[-1].outcome() is not None or (end is not None and end.proven is not None):
                result = self.retrace(played)
                return result if len(played) % 2 else -result
        return 0.0

    def retrace(self, played: list[State[Any]]) -> float:
        """Prove the game backwards; returns its result for the side that moved into the end."""
        end = self.node_of(played[-1])
        assert end.proven is not None
        for state in reversed(played[1:-1]):
            node = self.node_of(state)
            if node.proven is None and not node.children:
                self.expand(node)
            if node.proven is None:
                break
        return float(end.proven)

    def children_of(self, state: State[Any], node: Node) -> list[TreeChild]:
        """The visited or proven children of a node, with the moves from this state of it."""
        if not node.children:
            return []
        moves: dict[Node, list[Any]] = {}
        for move in state.legal_moves():
            moves.setdefault(self.nodes[state.play(move)], []).append(move)
        return [
            TreeChild(below, tuple(same), below.visits, below.mean, below.proven_word)
            for below, same in moves.items()
            if below.visits or below.proven is not None
        ]


def _report(state: State[Any], tree: SearchTree, budget: Budget, rng: Random) -> Analysis[Any]:
    nodes = {move: tree.nodes[state.play(move)] for move in state.legal_moves()}
    visits = sum(child.visits for child in tree.root.children)
    best = max(map(_preference, nodes.values()))
    chances = even_chances(nodes, [move for move in nodes if _preference(nodes[move]) == best])
    candidates = [
        Candidate(
            move,
            node.value,
            chances[move],
            proven=node.proven is not None,
            plies=None if node.proven is None else node.plies + 1,
            share=node.visits / visits if visits else 0.0,
            line=(move, *_line(tree, state.play(move))),
        )
        for move, node in nodes.items()
    ]
    evidence = [
        Fact("games played out", budget.spent),
        Fact("deepest position", tree.deepest),
        Fact("positions proven", tree.proofs),
    ]
    effort = budget.effort(tree.deepest)
    return conclude(
        candidates,
        lambda move: _reason(nodes, move, visits),
        rng,
        evidence=evidence,
        effort=effort,
        measure=Measure.VISITS,
    )


def _root_samples(state: State[Any], tree: SearchTree) -> tuple[Sample, ...]:
    """The games so far by their first move, mirrored moves together, most first."""
    moves: dict[Node, list[str]] = {}
    for move in state.legal_moves():
        moves.setdefault(tree.nodes[state.play(move)], []).append(str(move))
    found = [
        Sample(" ".join(same), node.visits, node.mean, node.proven_word)
        for node, same in moves.items()
    ]
    return tuple(sorted(found, key=lambda sample: -sample.visits))


def _preference(node: Node) -> tuple[float, float]:
    """More is better: by value, then the quicker win or the slower loss."""
    return node.value, -node.plies * node.value if node.proven else 0.0


def _line(tree: SearchTree, state: State[Any]) -> list[Any]:
    """The preferred moves from a state, as far as they were visited."""
    line: list[Any] = []
    while len(line) < MAX_LINE_PLIES and any(c.visits for c in tree.nodes[state].children):
        after = {move: tree.nodes[state.play(move)] for move in state.legal_moves()}
        line.append(max(after, key=lambda move: _preference(after[move])))
        state = state.play(line[-1])
    return line


def _reason(nodes: dict[Any, Node], move: Any, visits: int) -> str:
    node = nodes[move]
    if node.proven == 1:
        if node.plies == 0:
            return f"{move} wins at once."
        return f"{move} wins in at most {node.plies + 1} moves, whatever the reply."
    if node.proven == -1:
        longest = counted(node.plies + 1, "move", "moves")
        return f"Every move loses against best play; {move} holds out longest, {longest}."
    lost = sum(other.proven == -1 for other in nodes.values())
    losses = f" {counted(lost, 'move is', 'moves are')} proven to lose." if lost else ""
    if node.proven == 0:
        return f"{move} ends the game in a draw, and nothing better was found.{losses}"
    if not visits:
        return f"It had no time to play a game out, so it picked {move} at random.{losses}"
    alike = sum(other is node for other in nodes.values()) - 1
    mirrored = f" or {alike} like it" if alike else ""
    share = f"{node.visits / visits:.0%} of the games it played in its head"
    rated = f"it rates {move} {signed(node.value)} (+1 is a win)"
    return f"{share} began with {move}{mirrored}; {rated}.{losses}"


def _mcts_suits(game: Game[Any, Any], options: Values) -> None:
    if options.switch("take_wins") and not isinstance(game.start, QuixoState):
        raise UnsuitableAgentError(f"mcts:take_wins=yes cannot play {game.spec}: only quixo")


def _mcts(game: Game[Any, Any], options: Values) -> Mcts | QuixoMcts:
    simulations = options.integer("simulations")
    exploration = options.number("exploration")
    takes_wins = options.switch("take_wins")
    if isinstance(game.start, QuixoState):
        return QuixoMcts(game, simulations, exploration, takes_wins)
    _mcts_suits(game, options)
    return Mcts(game, simulations, exploration, options.number("slips"))


ENTRIES = (
    Entry(
        key="mcts",
        title="Monte Carlo tree search",
        technique=Technique.SEARCH,
        order=3,
        description=(
            "Plays hundreds of games to the end at random and looks closer where they go well. "
            "It needs no knowledge of the game, and notices when a win is certain."
        ),
        options=(
            Option(
                "simulations",
                Kind.INTEGER,
                500,
                "how many games it plays out before each move",
                low=1,
                high=1_000_000,
            ),
            Option(
                "exploration",
                Kind.NUMBER,
                1.2,
                "how much it tries moves that it has tried little",
                low=0.0,
                high=10.0,
            ),
            Option(
                "slips",
                Kind.NUMBER,
                0.25,
                "share of the opponent's moves it expects to be random; 0 is plain UCT (not Quixo)",
                low=0.0,
                high=1.0,
            ),
            Option(
                "take_wins",
                Kind.SWITCH,
                False,
                "whether the games it plays out take a win that is there (Quixo only)",
            ),
        ),
        make=_mcts,
        suits=_mcts_suits,
        shows=True,
    ),
)
