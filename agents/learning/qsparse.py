"""Q-learning where no table fits: the same update over a dictionary of positions met.

Quixo 5×5 has some 10^12 positions and a run meets a few hundred thousand, nearly all of them
once: beyond the opening it has learned nothing about where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from agents.core import Agent, Analysis, Candidate, Effort, Fact, Limit, conclude, even_chances
from agents.exhibits import Numbers
from agents.learning.fallback import guess, improvise
from agents.learning.memory import known, numbers_of, schooling
from agents.learning.qlearning import KEY, SAYS, explain, share
from agents.training.brains import Brain
from agents.training.loop import Arrays, Lessons, Points, begin, course, random_at, resumed
from agents.training.opponents import OPPONENT_LIMIT, SELF, Opponents
from agents.training.trainer import Checkpoint
from engine.core import Game, Seat, State
from engine.options import Values

REMEMBERED = 4_000  # moves kept at a checkpoint: those tried most, the rest hardly ever come again

Cell = tuple[str, int]  # a canonical state's text, and the number of a move in it


@dataclass(frozen=True, slots=True)
class Folded:
    """A state as the dictionary knows it, turned so that symmetric states look the same."""

    text: str
    moves: dict[int, Any]  # number of the turned move -> the move as it is played here

    @property
    def cells(self) -> list[Cell]:
        return [(self.text, number) for number in self.moves]


def fold(game: Game[Any, Any], state: Any) -> Folded:
    """The state and its moves, seen from the side from which its text comes first."""
    text, symmetry = min(
        ((str(symmetry.state(state)), symmetry) for symmetry in game.symmetries),
        key=lambda seen: seen[0],
    )
    order = _order(game)
    return Folded(text, {order[symmetry.move(move)]: move for move in state.legal_moves()})


@lru_cache(maxsize=8)
def _order(game: Game[Any, Any]) -> dict[Any, int]:
    return {move: at for at, move in enumerate(game.all_moves)}


@dataclass(slots=True)
class Dictionary:
    """Q and how often it was tried, for the cells it has met. Grows while it learns."""

    q: dict[Cell, float] = field(default_factory=dict)
    tried: dict[Cell, int] = field(default_factory=dict)

    @classmethod
    def of(cls, brain: Brain) -> Dictionary:
        """Raises UnsuitableBrainError."""
        q = brain.array("q", (None,), np.float64)
        cells = (len(q),)
        letters = brain.array("texts", (None,), np.uint8, high=127)
        texts = bytes(letters).decode("ascii").split("\n")
        last = len(texts) - 1
        position = brain.array("position", cells, np.int32, low=0, high=last).tolist()
        move = brain.array("move", cells, np.int32, low=0).tolist()
        tried = brain.array("tried", cells, np.int32, low=0).tolist()
        names = [(texts[at], number) for at, number in zip(position, move, strict=True)]
        return cls(dict(zip(names, q.tolist(), strict=True)), dict(zip(names, tried, strict=True)))

    def highest(self, here: Folded) -> float:
        return max((self.q.get(cell, 0.0) for cell in here.cells), default=0.0)

    def greedy(self, here: Folded) -> list[int]:
        """The numbers of the moves with the highest Q; what was never tried counts 0."""
        best = self.highest(here)
        return [move for text, move in here.cells if self.q.get((text, move), 0.0) == best]

    def learn(self, cell: Cell, target: float, alpha: float) -> None:
        """Q(s, a) <- (1 - alpha) Q(s, a) + alpha target."""
        self.q[cell] = (1 - alpha) * self.q.get(cell, 0.0) + alpha * target
        self.tried[cell] = self.tried.get(cell, 0) + 1

    def forget(self) -> None:
        """Keep only what was tried most."""
        kept = sorted(self.q, key=lambda cell: (-self.tried[cell], cell))[:REMEMBERED]
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


GAMES = 2_000  # where the options name no number
POINTS = Points(evenly=50)
FORGETS = 20  # games from one forgetting to the next
LONGEST = 512  # plies, in a game without a limit of its own


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Learn what it can in a dictionary; the curve shows how often it knew where it was.

    At fixed steps it forgets what it tried least, and counts anew how often that is.
    """
    total = options.optional_integer("games") or GAMES
    brain = begin(KEY, game, options, seed, reference="")
    spec = options.text("opponent")
    opponent = None if spec == SELF else opponents.load(spec, game)
    school = School(game, Dictionary(), options, opponent)
    if resume is not None:
        brain = resumed(resume, brain, total)
        school.known = Dictionary.of(brain)
        school.met, school.asked = brain.array("lately", (2,), np.int32, low=0).tolist()

    def stretch(first: int, games: int) -> None:
        for number in range(first, first + games):
            if number % FORGETS == 0:
                school.met = school.asked = 0
            school.learn_from_a_game(random_at(seed, number))
            if (number + 1) % FORGETS == 0:
                school.known.forget()

    def measure() -> dict[str, float]:
        return {"known": school.met / school.asked}

    def arrays() -> Arrays:
        lately = np.array([school.met, school.asked], np.int32)
        return school.known.arrays() | {"lately": lately}

    return course(brain, total, POINTS, Lessons(stretch, measure, arrays))


@dataclass(frozen=True, slots=True)
class Step:
    """One ply of a training game: where, and what was played; None where the opponent moved."""

    here: Folded
    cell: Cell


@dataclass(slots=True)
class School:
    """A run in progress: the dictionary it fills, and how often it knew where it was lately."""

    game: Game[Any, Any]
    known: Dictionary
    options: Values
    opponent: Agent[Any, Any] | None
    met: int = 0
    asked: int = 0

    def learn_from_a_game(self, rng: Random) -> None:
        """Play one game and update backwards over it, as the kernel for small games does."""
        seat = rng.randrange(2)
        state = self.game.start
        steps: list[Step | None] = []
        while state.outcome() is None and len(steps) < (self.game.ply_limit or LONGEST):
            if self.opponent is None or len(steps) % 2 == seat:
                step, move = self._choose(state, rng)
                steps.append(step)
            else:
                move = self.opponent.analyse(state, limit=OPPONENT_LIMIT, rng=rng).choice
                steps.append(None)
            state = state.play(move)
        self._update(steps, state)

    def _choose(self, state: Any, rng: Random) -> tuple[Step, Any]:
        here = fold(self.game, state)
        self.asked += 1
        self.met += any(cell in self.known.q for cell in here.cells)
        explores = rng.random() < self.options.number("epsilon")
        chosen = rng.choice(list(here.moves) if explores else self.known.greedy(here))
        return Step(here, (here.text, chosen)), here.moves[chosen]

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
            if reply and self.known.q.get(reply.cell, 0.0) < self.known.highest(reply.here):
                continue  # its other self was exploring, which says nothing of how it plays
            own = 1 if (plies - ply) % 2 == 0 else -1
            later = steps[ply + 2] if ply + 2 < plies else None
            future = self.known.highest(later.here) if later else 0.0
            pay = own * result if outcome is None or result else draws[ply % 2]
            reward = pay * share(ply, plies, self.options.text("shape") == "spread")
            self.known.learn(step.cell, reward + gamma * future, alpha)


@dataclass(frozen=True, eq=False)
class SparseQ:
    """Plays the highest Q where it has been before, by plain sense where it has not."""

    opponents: Opponents
    game: Game[Any, Any]
    brain: Brain
    known: Dictionary
    looks: bool  # one move ahead where it has never been

    @classmethod
    def of(
        cls, opponents: Opponents, game: Game[Any, Any], brain: Brain, looks: bool = True
    ) -> SparseQ:
        return cls(opponents, game, brain, Dictionary.of(brain), looks)

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
        here = fold(self.game, state)
        tried = {here.moves[cell[1]]: self.known.tried.get(cell, 0) for cell in here.cells}
        met = sum(tried.values())
        facts = [*schooling(self.brain), Fact("moves remembered", len(self.known.q))]
        if not met:
            said = improvise(state, limit, rng, facts) if self.looks else guess(state, rng, facts)
            return replace(said, exhibit=self._numbers(state, {}, tried) if show else None)
        q = {here.moves[cell[1]]: self.known.q.get(cell, 0.0) for cell in here.cells}
        greedy = {here.moves[number] for number in self.known.greedy(here)}
        chances = even_chances(q, greedy)
        candidates = [
            Candidate(
                move,
                known(q[move], tried[move]),
                chances[move],
                share=tried[move] / met,
                line=(move,),
            )
            for move in state.legal_moves()
        ]
        return conclude(
            candidates,
            lambda move: explain(move, q, tried),
            rng,
            evidence=[Fact("times met", met), *facts],
            effort=Effort(nodes=1, seconds=perf_counter() - begun),
            exhibit=self._numbers(state, q, tried) if show else None,
        )

    def _numbers(
        self, state: State[Any], q: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Numbers:
        return numbers_of(
            self.opponents,
            self.game,
            self.brain,
            state,
            q,
            tried,
            self._remembers,
            name="Q",
            says=SAYS,
        )

    @cached_property
    def _remembers(self) -> str:
        """How little of the game that is."""
        positions = len({text for text, _ in self.known.q})
        lately = self.brain.curve[-1].metrics.get("known") if self.brain.curve else None
        often = (
            "" if lately is None else f" At last it had been before in {lately:.0%} of its turns."
        )
        most = "" if self.game.states is None else f" of at most {self.game.states:,} there can be"
        return f"It remembers {positions:,} positions{most}, mirror images counted once.{often}"
