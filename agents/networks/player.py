"""An agent that plays by a network, alone or with a search that the network guides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude, even_chances
from agents.errors import UnsolvedError
from agents.exhibits import Course, Policy, Preference, WrongPosition
from agents.formats import portion, signed
from agents.networks.layers import Shape, Vector, Weights, new_layers, views
from agents.networks.measurement import (
    SEARCHED,
    is_unsolved,
    moves_alone,
    moves_searched,
    truth_of,
)
from agents.networks.opinions import opinions_chart
from agents.networks.rules import DRAWN, LOST, OPEN, WON, Rules, position_of
from agents.networks.tree_search import (
    MAX_DEPTH,
    ROOT,
    Tree,
    begin,
    key_of,
    new_tree,
    search,
)
from agents.perfect.oracles import oracle_for
from agents.search.mcts_exhibit import PROVEN_WORDS
from agents.training.brains import Brain
from agents.training.curve_exhibit import TONES, chart_of
from engine.core import Game, State

MAX_LINE_PLIES = 8
STAGES = (0, 8, 32, 128)  # simulations that the exhibit shows
MAX_WRONG = 5_000  # positions that the exhibit holds: all that a small game's worst has
WITH_SEARCH = f"looking ahead, {SEARCHED} lines"
FALLING_BY = 0.01  # of all positions: less is not spoken of
EXACT_STARTS = {1: "exactly: a win", 0: "exactly: a draw", -1: "exactly: a loss"}


@dataclass(frozen=True, eq=False)
class NetworkPlayer:
    """Plays the network's favourite move, or the one that a search visits most."""

    game: Game[Any, Any]
    rules: Rules
    shape: Shape
    flat: Vector
    simulations: int
    brain: Brain
    has_value: bool = True

    outputs_are_values: ClassVar[bool] = False  # Q of each move, rather than a policy's logits

    @cached_property
    def weights(self) -> Weights:
        return views(self.flat, self.shape)

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        begun = perf_counter()
        wanted = self.simulations if limit.nodes is None else min(self.simulations, limit.nodes)
        depth = min(MAX_DEPTH, limit.depth or MAX_DEPTH)
        looked = self.look(state, history, wanted, depth)
        candidates = looked.candidates() if wanted else looked.preferences()
        alone = Measure.VALUE if self.outputs_are_values else Measure.POLICY
        return conclude(
            candidates,
            looked.reason,
            rng,
            evidence=[
                *looked.evidence(self.has_value),
                Fact(f"{self.brain.unit} learned from", self.brain.steps),
            ],
            effort=Effort(max(1, looked.done), int(looked.tree.used[1]), perf_counter() - begun),
            measure=Measure.VISITS if wanted else alone,
            exhibit=self.exhibit(state, history) if show else None,
        )

    def exhibit(self, state: State[Any], history: Sequence[State[Any]]) -> Policy:
        """The policy, what searches of several lengths make of it, and where it is wrong."""
        looks = [(count, self.look(state, history, count, MAX_DEPTH)) for count in STAGES]
        faults = Faults() if is_unsolved(self.game) else self.faults
        return Policy(
            stages=tuple((count, look.shown()) for count, look in looks),
            value=looks[0][1].value if self.has_value else None,
            exact=self.exact(state),
            wrong=faults.shown,
            wrongs=faults.alone,
            wrongs_searched=faults.searched,
            positions=faults.positions,
            whole=faults.whole,
            searched=SEARCHED,
            simulations=self.simulations,
            courses=courses_of(self.brain, self.exact(self.game.start)),
        )

    def exact(self, state: State[Any]) -> int | None:
        """The exact value for the side to move; None where nobody knows."""
        try:
            return oracle_for(self.game).probe(state).value
        except UnsolvedError:
            return None

    @cached_property
    def faults(self) -> Faults:
        """The positions that the network alone gets wrong."""
        truth = truth_of(self.game)
        alone, sure = moves_alone(truth, self.rules, self.weights, self.shape)
        chosen = moves_searched(truth, SEARCHED, self.rules, self.weights, self.shape)
        every = np.arange(len(alone))
        wrong = np.flatnonzero(~truth.right[every, alone])
        surest = sorted(wrong.tolist(), key=lambda at: (-sure[at], at))[:MAX_WRONG]
        names = [str(move) for move in self.game.all_moves]  # one object each: pickles stay small
        return Faults(
            shown=tuple(
                WrongPosition(
                    str(truth.states[at]),
                    names[alone[at]],
                    tuple(names[move] for move in np.flatnonzero(truth.right[at])),
                )
                for at in surest
            ),
            alone=len(wrong),
            searched=int((~truth.right[every, chosen]).sum()),
            positions=len(every),
            whole=truth.whole,
        )

    def look(
        self, state: State[Any], history: Sequence[State[Any]], simulations: int, depth: int
    ) -> Look:
        """Evaluate a state and search it."""
        before = history[:-1] if history and history[-1] == state else history
        tree = new_tree(simulations, self.shape.moves, len(before))
        for ply, past in enumerate(before):
            tree.keys[ply] = key_of(*position_of(past))
        layers = new_layers(self.shape)
        own, other = position_of(state)
        past_plies = len(before)
        value = begin(own, other, past_plies, self.rules, self.weights, layers, tree)
        outputs = layers.logits.copy()
        done = search(simulations, past_plies, depth, self.rules, self.weights, layers, tree)
        q = outputs if self.outputs_are_values else None
        return Look(self.game, state, tree, value, done, simulations, outputs, q)


@dataclass(frozen=True, eq=False)
class QPlayer(NetworkPlayer):
    """Plays the move of the highest Q, which the network's outputs are, or searches by them."""

    outputs_are_values = True


@dataclass(frozen=True, slots=True)
class Faults:
    """Positions that a network gets wrong."""

    shown: tuple[WrongPosition, ...] = ()
    alone: int = 0
    searched: int = 0
    positions: int = 0
    whole: bool = True


def courses_of(brain: Brain, start: int | None) -> tuple[Course, ...]:
    """The charts of a network's curve; `start` is the exact value of the start, if it is known."""
    if len(brain.curve) < 2:
        return ()
    if brain.reference:
        series = {name: (name, tone) for name, tone in TONES.items()}
        title = f"How it learned: its results against {brain.rival}"
        return (replace(chart_of(brain, title, series), powers=True),)
    shares = {"right": ("at first sight", "second"), "searched": (WITH_SEARCH, "first")}
    if "searched" not in brain.curve[-1].metrics:
        shares = {"right": ("right", "first")}
    course = chart_of(brain, "How it learned: positions played right", shares)
    course = replace(course, powers=True, note=_falling_text(brain))
    if "start" not in brain.curve[-1].metrics:
        return (course,)
    return (
        course,
        replace(
            opinions_chart(brain),
            powers=True,
            shares=False,
            ceilings=() if start is None else ((EXACT_STARTS[start], float(start)),),
        ),
    )


def _falling_text(brain: Brain) -> str:
    """Why learning made a search by this network worse, where it did."""
    first, last = (brain.curve[at].metrics.get("searched", 0.0) for at in (0, -1))
    if first - last < FALLING_BY:
        return ""
    return (
        f"“{WITH_SEARCH}” falls because it tries first what its network likes. A new network "
        "likes every move about the same, so none is overlooked; one that has learned is sure of "
        "some wrong moves, and the right ones are tried less."
    )


@dataclass(frozen=True, eq=False)
class Look:
    """A searched position, and what it says of the moves."""

    game: Game[Any, Any]
    state: State[Any]
    tree: Tree
    value: float  # of the network alone, for the side to move
    done: int  # simulations
    asked: int  # simulations at most
    outputs: Vector  # [move], of the network alone
    q: Vector | None  # the same, where they are values

    @cached_property
    def node(self) -> dict[Any, int]:
        """The child of each legal move."""
        first = int(self.tree.first[ROOT])
        children = range(first, first + int(self.tree.children[ROOT]))
        return {self.game.all_moves[int(self.tree.move[child])]: child for child in children}

    def prior(self, move: Any) -> float:
        return float(self.tree.prior[self.node[move]])

    def shown(self) -> tuple[Preference, ...]:
        """The moves for the exhibit, best first: by policy, or by what the search did."""
        found = [
            Preference(
                str(each.move),
                each.share or 0.0,
                each.value if self._is_known(each) else None,
                PROVEN_WORDS[int(each.value or 0)] if each.proven else "",
            )
            for each in (self.candidates() if self.done or self.settled else self.preferences())
        ]
        return tuple(sorted(found, key=lambda each: -each.share))

    def _is_known(self, each: Candidate[Any]) -> bool:
        """Whether a candidate has a value of its own: visited, proven or a Q."""
        searched = self.done or self.settled
        return bool(self.tree.visits[self.node[each.move]]) or each.proven or not searched

    @property
    def settled(self) -> bool:
        """Whether a search was asked for and needed no simulation."""
        return bool(self.asked and self.tree.proven[ROOT] != OPEN)

    def preferences(self) -> list[Candidate[Any]]:
        """The network's policy, without a search."""
        best = max(map(self.output, self.node))
        highest = [move for move in self.node if self.output(move) == best]
        chances = even_chances(self.node, highest)
        return [
            Candidate(
                move,
                self.worth(move),
                chances[move],
                share=min(1.0, self.prior(move)),
                line=(move,),
            )
            for move in self.node
        ]

    def output(self, move: Any) -> float:
        return float(self.outputs[int(self.tree.move[self.node[move]])])

    def worth(self, move: Any) -> float | None:
        """Q of a move within the scale of values; None where outputs are no values."""
        return None if self.q is None else min(1.0, max(-1.0, self.output(move)))

    def candidates(self) -> list[Candidate[Any]]:
        """What the search found of the moves."""
        visits = max(1, sum(int(self.tree.visits[node]) for node in self.node.values()))
        best = max(map(self._preference, self.node))
        chosen = [move for move in self.node if self._preference(move) == best]
        chances = even_chances(self.node, chosen)
        return [
            Candidate(
                move,
                self._worth(node),
                chances[move],
                proven=bool(self.tree.proven[node] != OPEN),
                plies=self._plies(node),
                share=int(self.tree.visits[node]) / visits,
                line=(move, *self._line(node)),
            )
            for move, node in self.node.items()
        ]

    def reason(self, move: Any) -> str:
        node = self.node[move]
        if (not self.done and self.tree.proven[ROOT] == OPEN) or not self.tree.visits[node]:
            others = [other for other in self.node if other != move]
            rest = ""
            if others:
                rest = f", the next best {self._alone_text(max(others, key=self.output))}"
            return f"Its network {self._verb} {move} {self._alone_text(move)}{rest}."
        visits = int(self.tree.visits[node])
        return (
            f"It tried {self.done:,} lines in its head: {visits:,} began with {move} and came to "
            f"{signed(self._mean(node))} on average (+1 is a win). "
            f"At first sight its network {self._verb} {move} {self._alone_text(move)}."
        )

    @property
    def _verb(self) -> str:
        """What a network does with a move: it has chances for them, or what it expects."""
        return "gives" if self.q is None else "rates"

    def _alone_text(self, move: Any) -> str:
        return portion(self.prior(move)) if self.q is None else signed(self.output(move))

    def evidence(self, has_value: bool) -> list[Fact]:
        facts = [Fact("network's value", signed(self.value))] if has_value else []
        facts.append(Fact("simulations", self.done))
        if self.done:
            facts.append(Fact("deepest position", int(self.tree.used[1])))
        return facts

    def _mean(self, node: int) -> float:
        visits = int(self.tree.visits[node])
        return -float(self.tree.total[node]) / visits if visits else 0.0

    def _worth(self, node: int) -> float:
        """The proven value, else the mean with one lost simulation added."""
        proven = int(self.tree.proven[node])
        if proven != OPEN:
            return 0.0 if proven == DRAWN else float(-proven)
        visits = int(self.tree.visits[node])
        return max(-1.0, (self._mean(node) * visits - 1) / (visits + 1))

    def _plies(self, node: int) -> int | None:
        proven = int(self.tree.proven[node])
        return int(self.tree.plies[node]) + 1 if proven in (WON, LOST) else None

    def _preference(self, move: Any) -> tuple[float, float, float]:
        """More is better: the proven result if the root is proven, else visits, then the prior."""
        node = self.node[move]
        if self.tree.proven[ROOT] != OPEN:
            known = self.tree.proven[node] != OPEN
            worth = self._worth(node) if known else -2.0
            return worth, -worth * (self._plies(node) or 0), 0.0
        if self.tree.proven[node] == WON:
            return -1.0, 0.0, 0.0
        return 0.0, float(self.tree.visits[node]), self.prior(move)

    def _line(self, node: int) -> list[Any]:
        """The most visited moves below a node."""
        line: list[Any] = []
        while len(line) < MAX_LINE_PLIES:
            first, count = int(self.tree.first[node]), int(self.tree.children[node])
            visits = self.tree.visits[first : first + count]
            if not count or not visits.any():
                break
            node = first + int(visits.argmax())
            line.append(self.game.all_moves[int(self.tree.move[node])])
        return line
