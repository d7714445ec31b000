"""Monte Carlo tree search for Quixo: the agent around the kernels of `mcts_kernel`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude, even_chances
from agents.exhibits import Sample
from agents.formats import counted, signed
from agents.quixo.bitboard import MAX_MOVES, masks_of, masks_of_lines, slides_of
from agents.search.mcts_exhibit import PROVEN_WORDS, TreeChild, milestones, samples_of, tree_nodes
from agents.search.quixo import mcts_kernel as kernels
from agents.search.quixo.branches import key_of
from agents.search.quixo.mcts_kernel import DRAWN, LOST, OPEN, ROOT, WON, PackedTree, Play
from agents.search.quixo.root import reversible_states
from agents.search.quixo.threads import ended_after
from engine.core import Game
from engine.quixo import REPETITION, Push, QuixoState

MAX_DEPTH = 100  # plies of the tree
MAX_NODES = 1 << 21  # of 37 bytes
NODES_PER_GAME = 8  # twice the measured growth of a tree
MAX_LINE_PLIES = 8


@dataclass(frozen=True, slots=True)
class QuixoMcts:
    """Plays the move with the best results, or one that is proven to win."""

    game: Game[QuixoState, Push]
    simulations: int
    exploration: float
    takes_wins: bool = False  # whether random games take an immediate win

    def analyse(
        self,
        state: QuixoState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[Any] = (),
        show: bool = False,
    ) -> Analysis[Push]:
        begun = perf_counter()
        limit = limit.tighter(Limit(nodes=self.simulations, depth=MAX_DEPTH))
        assert limit.nodes is not None
        assert limit.depth is not None
        past = reversible_states(state, history)
        tree = new_tree(state, min(MAX_NODES, 2 * MAX_MOVES + NODES_PER_GAME * limit.nodes))
        play = Play(
            slides=slides_of(state.table.size),
            lines=masks_of_lines(state.table.size),
            path=np.array([*map(key_of, past), key_of(state), *[0] * (limit.depth + 1)], np.int64),
            rng=np.array([rng.getrandbits(63) | 1], np.uint64),
            stop=np.zeros(1, np.int8),
            exploration=self.exploration,
            depth=limit.depth,
            takes_wins=self.takes_wins,
        )
        kernels.expand(ROOT, tree, play)
        kernels.simulate(0, 0, 0, tree, play)  # compile before the clock starts
        view = PlayoutReport(tree, state, past)
        stages: dict[int, tuple[Sample, ...]] = {}
        with ended_after(limit.seconds, play.stop):
            games = 0
            for goal in _goals(limit.nodes, show=show):
                played = int(kernels.simulate(goal - games, len(past), len(past), tree, play))
                games += played
                stages[games] = view.samples() if show else ()
                if play.stop[0] or not played:
                    break
        return conclude(
            view.candidates(),
            view.reason,
            rng,
            evidence=[
                Fact("games played out", games),
                Fact("deepest position", int(tree.used[1])),
                Fact("positions proven", int(tree.used[2])),
            ],
            effort=Effort(games, int(tree.used[1]), perf_counter() - begun),
            measure=Measure.VISITS,
            exhibit=samples_of(stages, self.simulations, tree_nodes(state, ROOT, view.children_of))
            if show
            else None,
        )


def _goals(games: int, *, show: bool) -> list[int]:
    """The numbers of games after which to record results: the last, and with `show` milestones."""
    steps = takewhile(lambda step: step < games, milestones()) if show else ()
    return [*steps, games]


def new_tree(state: QuixoState, nodes: int) -> PackedTree:
    """A tree with the state as its only node, and room for more."""
    own, other = masks_of(state)
    tree = PackedTree(
        own=np.zeros(nodes, np.int64),
        other=np.zeros(nodes, np.int64),
        move=np.zeros(nodes, np.int8),
        first=np.zeros(nodes, np.int32),
        children=np.zeros(nodes, np.int8),
        visits=np.zeros(nodes, np.int32),
        total=np.zeros(nodes, np.float64),
        proven=np.zeros(nodes, np.int8),
        plies=np.zeros(nodes, np.int16),
        used=np.array([1, 0, 0]),
    )
    tree.own[ROOT], tree.other[ROOT] = own, other
    return tree


class PlayoutReport:
    """The analysis of a search tree."""

    def __init__(self, tree: PackedTree, state: QuixoState, past: Sequence[QuixoState]) -> None:
        self.tree = tree
        self.moves = tuple(state.table.slides)
        self.node: dict[Push, int] = {}  # of every legal move
        places = {}
        for node in self._children(ROOT):
            places[int(tree.own[node]), int(tree.other[node])] = node
        for move in state.legal_moves():
            after = state.play(move)
            self.node[move] = places[masks_of(after)]
            if past.count(after) + 1 >= REPETITION:
                tree.proven[self.node[move]] = DRAWN

    def candidates(self) -> list[Candidate[Push]]:
        nodes = list(self.node.values())
        best = max(map(self._preference, nodes))
        chosen = [move for move, node in self.node.items() if self._preference(node) == best]
        chances = even_chances(self.node, chosen)
        return [
            Candidate(
                move,
                self._value(node),
                chances[move],
                proven=bool(self.tree.proven[node] != OPEN),
                plies=self._plies(node),
                share=int(self.tree.visits[node]) / self._games,
                line=(move, *self._line(node)),
            )
            for move, node in self.node.items()
        ]

    def samples(self) -> tuple[Sample, ...]:
        """The games so far by their first move, most first."""
        moves: dict[int, list[str]] = {}
        for move, node in self.node.items():
            moves.setdefault(node, []).append(str(move))
        found = [Sample(" ".join(same), *self._games_of(node)) for node, same in moves.items()]
        return tuple(sorted(found, key=lambda sample: -sample.visits))

    def children_of(self, state: QuixoState, node: int) -> list[TreeChild]:
        """The visited or proven children of a node, which is that of this state."""
        if not self.tree.children[node]:
            return []
        moves: dict[tuple[int, int], list[Push]] = {}
        for move in state.legal_moves():
            moves.setdefault(masks_of(state.play(move)), []).append(move)
        return [
            TreeChild(below, tuple(moves[place]), *self._games_of(below))
            for below in self._children(node)
            if self.tree.visits[below] or self.tree.proven[below] != OPEN
            for place in [(int(self.tree.own[below]), int(self.tree.other[below]))]
        ]

    def _games_of(self, node: int) -> tuple[int, float, str]:
        """(games through a node, their mean for the side that moved to it, the proven result)."""
        visits = int(self.tree.visits[node])
        mean = -float(self.tree.total[node]) / visits if visits else 0.0
        word = "" if self.tree.proven[node] == OPEN else PROVEN_WORDS[int(self._value(node))]
        return visits, mean, word

    def reason(self, move: Push) -> str:
        node = self.node[move]
        proven, plies = self.tree.proven[node], self._plies(node)
        if proven == LOST:
            return (
                f"{move} wins at once."
                if plies == 1
                else f"{move} wins in {plies} moves, whatever the reply."
            )
        if proven == WON:
            longest = counted(plies or 0, "move", "moves")
            return f"Every move loses against best play; {move} holds out longest, {longest}."
        if proven == DRAWN:
            return f"{move} ends the match in a draw, and nothing better was found."
        lost = sum(self.tree.proven[other] == WON for other in self.node.values())
        losses = f" {counted(lost, 'move is', 'moves are')} proven to lose." if lost else ""
        visits = int(self.tree.visits[node])
        if not visits:
            return f"It had no time to play a game out, so it picked {move} at random.{losses}"
        share = f"{visits / self._games:.0%} of the games it played in its head began with {move}"
        return f"{share}; it rates {move} {signed(self._value(node))} (+1 is a win).{losses}"

    @property
    def _games(self) -> int:
        return max(1, sum(int(self.tree.visits[node]) for node in self._children(ROOT)))

    def _children(self, node: int) -> Iterator[int]:
        first = int(self.tree.first[node])
        return iter(range(first, first + int(self.tree.children[node])))

    def _value(self, node: int) -> float:
        """The average result with one lost game added, for the side that moves to the node."""
        proven = int(self.tree.proven[node])
        if proven != OPEN:
            return 0.0 if proven == DRAWN else float(-proven)
        return (-float(self.tree.total[node]) - 1) / (int(self.tree.visits[node]) + 1)

    def _plies(self, node: int) -> int | None:
        return int(self.tree.plies[node]) + 1 if self.tree.proven[node] != OPEN else None

    def _preference(self, node: int) -> tuple[float, float]:
        """More is better: by value, then the quicker win or the slower loss."""
        value = self._value(node)
        return value, -value * (self._plies(node) or 0)

    def _line(self, node: int) -> list[Push]:
        """The preferred moves below a node, as far as they were visited."""
        line: list[Push] = []
        while len(line) < MAX_LINE_PLIES:
            visited = [child for child in self._children(node) if self.tree.visits[child]]
            if not visited:
                break
            node = max(visited, key=self._preference)
            line.append(self.moves[int(self.tree.move[node])])
        return line
