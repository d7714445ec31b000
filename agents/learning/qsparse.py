"""Q-learning for games too large for a table: the same update over a dictionary of positions.

Quixo 5×5 has some 10^12 positions and a run meets a few hundred thousand, nearly all of them
once: beyond the opening it has learned nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import inf
from random import Random
from typing import Any

import numpy as np

from agents.core import Agent, Fact, even_chances
from agents.errors import UnsuitableBrainError
from agents.learner import Learner
from agents.learning.common import Row, looks_ahead
from agents.learning.qlearning import END, KEY, SHAPES, SQUARES, QAgent, share
from agents.search.guided import searched
from agents.tabular.graph import MAX_PLIES
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, random_at
from agents.training.opponents import OPPONENT_LIMIT, SELF
from engine.core import Game, Seat, State
from engine.options import Values
from engine.quixo import QuixoState

GAMES = 2_000  # where the options name no number
POINTS = Points(evenly=50)
PRUNE_EVERY = 20  # games
MAX_CELLS = 4_000  # kept when pruning: those tried most, since the rest hardly ever recur

MAX_READ_CELLS = 5 * MAX_CELLS  # of a brain, which anyone may have sent
MAX_TEXT_CHARS = 200  # of a position, in the mean

Cell = tuple[str, int]  # (text of a canonical state, number of a move in it)


@dataclass(frozen=True, slots=True)
class CanonicalState:
    """A state's image that is the same for all symmetric states, with its moves."""

    text: str
    moves: dict[int, Any]  # [number of the move in the image] -> the move in the state itself

    @property
    def cells(self) -> list[Cell]:
        return [(self.text, number) for number in self.moves]


def exchanged(state: QuixoState) -> QuixoState:
    """The twin of a position with the colours exchanged, the seat to move too."""
    return replace(state, x=state.o, o=state.x, to_move=state.to_move.other)


def canonical(game: Game[Any, Any], state: Any) -> CanonicalState:
    """The image of a state whose text comes first, of Quixo with x to move.

    A push has no colour, so what was learned of a position holds for its twin.
    """
    folded = state
    if isinstance(state, QuixoState) and state.to_move is Seat.SECOND:
        folded = exchanged(state)
    text, symmetry = min(
        ((str(symmetry.state(folded)), symmetry) for symmetry in game.symmetries),
        key=lambda seen: seen[0],
    )
    order = _order(game)
    return CanonicalState(text, {order[symmetry.move(move)]: move for move in state.legal_moves()})


def nearly_lines(state: QuixoState, mask: int) -> int:
    """The lines of which this mask has all cubes but one."""
    size = state.table.size
    return sum((mask & line).bit_count() == size - 1 for line in state.table.lines)


def bonus(state: QuixoState, after: QuixoState, four: float, broken: float) -> float:
    """What a push earns besides the result: for a new four in a line, for a four broken."""
    first = state.to_move is Seat.FIRST
    own, theirs = (state.x, state.o) if first else (state.o, state.x)
    own_after, theirs_after = (after.x, after.o) if first else (after.o, after.x)
    made = nearly_lines(after, own_after) > nearly_lines(state, own)
    broke = nearly_lines(after, theirs_after) < nearly_lines(state, theirs)
    return four * made + broken * broke


@lru_cache(maxsize=8)
def _order(game: Game[Any, Any]) -> dict[Any, int]:
    return {move: at for at, move in enumerate(game.all_moves)}


@dataclass(slots=True)
class Dictionary:
    """Q and the number of tries of the cells met."""

    q: dict[Cell, float] = field(default_factory=dict)
    tried: dict[Cell, int] = field(default_factory=dict)

    @classmethod
    def of(cls, brain: Brain) -> Dictionary:
        """Read from a brain; raises UnsuitableBrainError."""
        q = brain.array("q", (None,), np.float64)
        cells = (len(q),)
        letters = brain.array("texts", (None,), np.uint8, high=127)
        if len(q) > MAX_READ_CELLS or len(letters) > MAX_TEXT_CHARS * MAX_READ_CELLS:
            why = f"it has more than the {MAX_READ_CELLS:,} numbers that are kept in a training"
            raise UnsuitableBrainError(brain.agent, why)
        texts = bytes(letters).decode("ascii").split("\n")
        last = len(texts) - 1
        position = brain.array("position", cells, np.int32, low=0, high=last).tolist()
        move = brain.array("move", cells, np.int32, low=0).tolist()
        tried = brain.array("tried", cells, np.int32, low=0).tolist()
        names = [(texts[at], number) for at, number in zip(position, move, strict=True)]
        return cls(dict(zip(names, q.tolist(), strict=True)), dict(zip(names, tried, strict=True)))

    def highest(self, here: CanonicalState) -> float:
        return max((self.q.get(cell, 0.0) for cell in here.cells), default=0.0)

    def greedy(self, here: CanonicalState) -> list[int]:
        """The numbers of the moves with the highest Q, which is 0 for those never tried."""
        best = self.highest(here)
        return [move for text, move in here.cells if self.q.get((text, move), 0.0) == best]

    def learn(self, cell: Cell, target: float, alpha: float) -> None:
        """Q(s, a) <- (1 - alpha) Q(s, a) + alpha target."""
        self.q[cell] = (1 - alpha) * self.q.get(cell, 0.0) + alpha * target
        self.tried[cell] = self.tried.get(cell, 0) + 1

    def prune(self) -> None:
        """Keep only the MAX_CELLS cells tried most."""
        kept = sorted(self.q, key=lambda cell: (-self.tried[cell], cell))[:MAX_CELLS]
        self.q = {cell: self.q[cell] for cell in kept}
        self.tried = {cell: self.tried[cell] for cell in kept}

    def arrays(self) -> dict[str, Any]:
        texts = sorted({text for text, _ in self.q})
        place = {text: at for at, text in enumerate(texts)}
        return {
            "texts": np.frombuffer("\n".join(texts).encode("ascii"), np.uint8),
            "position": np.array([place[text] for text, _ in self.q], np.int32),
            "move": np.array([move for _, move in self.q], np.int32),
            "q": np.array(list(self.q.values()), np.float64),
            "tried": np.array(list(self.tried.values()), np.int32),
        }


@dataclass(frozen=True)
class QDictionary(Learner):
    """Learns a dictionary; its curve is the share of turns in positions met before.

    Every PRUNE_EVERY games the dictionary is pruned and the share counted anew.
    """

    key = KEY

    def plan(self, game: Game[Any, Any], options: Values) -> tuple[int, Points]:
        return options.optional_integer("games") or GAMES, POINTS

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        spec = options.text("opponent")
        opponent = None if spec == SELF else self.opponents.load(spec, game)
        run = TrainingRun(game, Dictionary(), options, opponent)
        if brain is not None:
            run.table = Dictionary.of(brain)
            run.met, run.asked = brain.array("lately", (2,), np.int32, low=0).tolist()

        def learn_games(first: int, games: int) -> None:
            for number in range(first, first + games):
                if number % PRUNE_EVERY == 0:
                    run.met = run.asked = 0
                run.play_and_learn(random_at(seed, number))
                if (number + 1) % PRUNE_EVERY == 0:
                    run.table.prune()

        def arrays() -> Arrays:
            lately = np.array([run.met, run.asked], np.int32)
            return run.table.arrays() | {"lately": lately}

        return Callbacks(learn_games, lambda: {"known": run.met / run.asked}, arrays)

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> Agent[Any, Any]:
        looks = looks_ahead(options, brain)
        player = SparseQ(self.opponents, game, brain, looks, Dictionary.of(brain))
        return searched(game, player, options)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        return inf


@dataclass(frozen=True, slots=True)
class Step:
    """One ply of the learner in a training game: the position and the move played."""

    here: CanonicalState
    cell: Cell
    bonus: float = 0.0


@dataclass(slots=True)
class TrainingRun:
    """A run in progress: its dictionary, and the share of recent turns in positions met before."""

    game: Game[Any, Any]
    table: Dictionary
    options: Values
    opponent: Agent[Any, Any] | None
    met: int = 0  # turns in positions met before
    asked: int = 0  # turns

    def play_and_learn(self, rng: Random) -> None:
        """Play one game and update backwards over it, as `qlearning.learn` does."""
        seat = rng.randrange(2)
        state = self.game.start
        steps: list[Step | None] = []
        while state.outcome() is None and len(steps) < (self.game.ply_limit or MAX_PLIES):
            if self.opponent is None or len(steps) % 2 == seat:
                step, move = self._choose(state, rng)
                steps.append(step)
            else:
                move = self.opponent.analyse(state, limit=OPPONENT_LIMIT, rng=rng).choice
                steps.append(None)
            state = state.play(move)
        self._update(steps, state)

    def _choose(self, state: Any, rng: Random) -> tuple[Step, Any]:
        here = canonical(self.game, state)
        four, broken = self.options.number("four"), self.options.number("broken")
        self.asked += 1
        self.met += any(cell in self.table.q for cell in here.cells)
        explores = rng.random() < self.options.number("epsilon")
        chosen = rng.choice(list(here.moves) if explores else self.table.greedy(here))
        move = here.moves[chosen]
        extra = 0.0
        if four or broken:
            extra = bonus(state, state.play(move), four, broken)
        return Step(here, (here.text, chosen), extra), move

    def _update(self, steps: list[Step | None], end: Any) -> None:
        alpha, gamma = self.options.number("alpha"), self.options.number("gamma")
        outcome = end.outcome()
        result = 0 if outcome is None else outcome.score(end.to_move)
        draws = [self.options.number(f"draw_{seat}") for seat in Seat]  # games begin at the start
        plies = len(steps)
        for ply in range(plies - 1, -1, -1):
            step = steps[ply]
            if step is None or (outcome is None and ply + 2 >= plies):
                continue
            reply = steps[ply + 1] if ply + 1 < plies else None
            if reply and self.table.q.get(reply.cell, 0.0) < self.table.highest(reply.here):
                continue  # the reply was explored, and is not how the learner plays
            own = 1 if (plies - ply) % 2 == 0 else -1
            later = steps[ply + 2] if ply + 2 < plies else None
            future = self.table.highest(later.here) if later else 0.0
            pay = own * result if outcome is None or result else draws[ply % 2]
            shape = SHAPES[self.options.text("shape")]
            if shape == SQUARES and outcome is not None and not result:
                shape = END
            reward = pay * share(ply, plies, shape)
            self.table.learn(step.cell, reward + step.bonus + gamma * future, alpha)


@dataclass(frozen=True, eq=False)
class SparseQ(QAgent):
    """Plays the highest Q in positions met before, and by the fallback in others."""

    table: Dictionary

    def row(self, state: State[Any]) -> Row:
        here = canonical(self.game, state)
        q = {here.moves[cell[1]]: self.table.q.get(cell, 0.0) for cell in here.cells}
        tried = {here.moves[cell[1]]: self.table.tried.get(cell, 0) for cell in here.cells}
        greedy = {here.moves[number] for number in self.table.greedy(here)}
        return Row(q, tried, even_chances(q, greedy))

    def facts(self) -> list[Fact]:
        return [*super().facts(), Fact("moves remembered", len(self.table.q))]

    @cached_property
    def coverage(self) -> str:
        positions = len({text for text, _ in self.table.q})
        lately = self.brain.curve[-1].metrics.get("known") if self.brain.curve else None
        often = (
            ""
            if lately is None
            else f" By the end it recognised {lately:.0%} of the positions it met."
        )
        most = "" if self.game.states is None else f" of at most {self.game.states:,} there can be"
        twins = " and twins of the other colour" if self.game.key == "quixo" else ""
        return (
            f"It remembers {positions:,} positions{most}, mirror images{twins} counted once.{often}"
        )
