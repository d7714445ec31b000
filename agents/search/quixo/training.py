"""The training of quixo-deep: Bayesian logistic regression of line weights on self-play.

Every batch of games is played with the weights so far, a Gaussian that serves as the prior of the
next update. Every fifth game is held out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.quixo.bitboard import kinds_of_lines, masks_of
from agents.quixo.evaluation import SIDE, LineEvaluation, course_evaluation
from agents.search.quixo import kernel as kernels
from agents.search.quixo.branches import key_of
from agents.search.quixo.kernel import WIN, Workspace
from agents.search.quixo.root import new_search, path_to, reversible_states, winning_move
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, begin, checkpoints, random_at, resumed
from agents.training.trainer import Checkpoint
from engine.core import Game, Seat
from engine.match import Match
from engine.options import Values
from engine.quixo import Push, QuixoState, table_of

KEY = "quixo-deep"
REFERENCE = "quixo-deep:evaluation=course,depth=2"
CONTEMPT = 0.3  # it avoids repetitions: a draw teaches little
BATCH = 100  # games between two updates
POINTS = Points(evenly=BATCH, first=BATCH)
DEPTH = 4  # plies of the search in training games
SLIPS = 0.1  # the share of random moves, to learn what follows from mistakes
OPENING = range(2, 13)  # random plies that a training game begins with
HELD_OUT = 5  # one game in so many
MEASURED = 20  # games against the reference for each point of the curve, from 4 random plies
DECAY = 0.95  # of the precision with every batch: weaker versions played the earlier games
PRIOR = 20.0  # the initial precision of every weight, around 0
UNIT = 400.0

Pushes = Match[QuixoState, Push]
Positions = NDArray[np.int32]  # [position] -> own, other, result for the side to move


@dataclass(frozen=True, eq=False)
class FixedDepth:
    """A player by a fast search of fixed depth."""

    search: Workspace
    depth: int

    @classmethod
    def of(cls, size: int, evaluation: LineEvaluation, depth: int) -> FixedDepth:
        search = new_search(size, evaluation, slots=1 << 14)
        return cls(search._replace(draw=evaluation.score(-CONTEMPT)), depth)

    def push(self, match: Pushes) -> Push:
        """The best move. The table is that of one game: call `forget` before the next.

        An immediate win is not in the table, so it is looked for here.
        """
        state = match.state
        past = reversible_states(state, match.states[:-1])
        search = self.search._replace(path=path_to(state, past))
        own, other = masks_of(state)
        value = kernels.negamax(own, other, self.depth, -WIN - 1, WIN + 1, 0, len(past), search)
        if value == WIN - 1 and (winning := winning_move(state)) is not None:
            return winning
        number = int(kernels.recall(key_of(state), search.table)[3])
        if number == kernels.NO_MOVE:  # every move is a repetition or loses at once
            return state.legal_moves()[0]
        return tuple(state.table.slides)[number]

    def forget(self) -> None:
        self.search.table[:] = 0


def self_play(
    game: Game[QuixoState, Push],
    players: Sequence[FixedDepth],
    opening: int,
    slips: float,
    rng: Random,
) -> Pushes:
    """Play one game, with so many random plies first and a share of random moves after."""
    for player in players:
        player.forget()
    match = Match.begin(game)
    while match.outcome() is None:
        if match.ply < opening or rng.random() < slips:
            match = match.play(rng.choice(match.state.legal_moves()))
        else:
            match = match.play(players[match.state.to_move].push(match))
    return match


@dataclass(frozen=True, eq=False)
class Belief:
    """A Gaussian over the weights of the lines."""

    weights: NDArray[np.float64]  # [weight]
    precision: NDArray[np.float64]  # [weight, weight]

    @classmethod
    def blank(cls, size: int) -> Belief:
        weights = (max(kinds_of_lines(size)) + 1) * SIDE * SIDE
        return cls(np.zeros(weights), PRIOR * np.eye(weights))

    def updated(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> Belief:
        """The posterior after positions x with results y (1 won, 0 lost), by Newton's method."""
        prior = DECAY * self.precision
        weights, precision = self.weights, prior
        for _ in range(8):
            p = 1 / (1 + np.exp(-x @ weights))
            gradient = x.T @ (p - y) + prior @ (weights - self.weights)
            precision = (x.T * (p * (1 - p))) @ x + prior
            weights = weights - np.linalg.solve(precision, gradient)
        # Rounded, so that rounding errors of other machines change nothing.
        return Belief(weights.round(3), precision.round(3))

    def evaluation(self) -> LineEvaluation:
        return learned_evaluation(self.weights)


def learned_evaluation(weights: NDArray[np.float64]) -> LineEvaluation:
    return LineEvaluation("learned", weights.reshape(-1, SIDE, SIDE), UNIT)


def evaluation_of(brain: Brain, size: int) -> LineEvaluation:
    """The evaluation in a brain; raises UnsuitableBrainError."""
    return learned_evaluation(brain.array("weights", Belief.blank(size).weights.shape, "f8"))


def train(
    game: Game[QuixoState, Push], options: Values, seed: int, resume: Brain | None = None
) -> Iterator[Checkpoint]:
    """Train by self-play, with a checkpoint for every batch."""
    total = options.integer("games")
    brain = begin(KEY, game, options, seed, REFERENCE)
    taught = SelfTaught(game, seed, Belief.blank(game.start.table.size))
    if resume is not None:
        brain = resumed(resume, brain, total)
        taught = SelfTaught.of(game, seed, brain)
    callbacks = Callbacks(taught.learn, taught.measure, taught.arrays)
    return checkpoints(brain, total, POINTS, callbacks)


@dataclass(slots=True)
class SelfTaught:
    """A training run in progress: its belief and the games of the current batch."""

    game: Game[QuixoState, Push]
    seed: int
    belief: Belief
    batch: list[Positions] = field(default_factory=list)  # of each game since the last update
    step: int = 0
    held_out: Positions | None = None  # of the last batch, right after its update

    @classmethod
    def of(cls, game: Game[QuixoState, Push], seed: int, brain: Brain) -> SelfTaught:
        """The run that a brain was saved from; raises UnsuitableBrainError."""
        blank = Belief.blank(game.start.table.size)
        weights = brain.array("weights", blank.weights.shape, "f8")
        precision = brain.array("precision", blank.precision.shape, "f8")
        taught = cls(game, seed, Belief(weights, precision), step=brain.steps)
        if brain.steps % BATCH:
            played = brain.array("played", (None, 4), np.int32)
            games = range(brain.steps % BATCH)
            taught.batch = [played[played[:, 0] == number, 1:] for number in games]
        return taught

    def learn(self, first: int, count: int) -> None:
        """Play these games, and update after every complete batch."""
        player = FixedDepth.of(self.game.start.table.size, self._evaluation(first), DEPTH)
        for number in range(first, first + count):
            if number % BATCH == 0 and number > first:
                player = FixedDepth.of(self.game.start.table.size, self._evaluation(number), DEPTH)
            rng = random_at(self.seed, number)
            match = self_play(self.game, (player, player), rng.choice(OPENING), SLIPS, rng)
            self.batch.append(positions_of(match))
            self.held_out = None
            self.step = number + 1
            if self.step % BATCH == 0:
                self._update()

    def _evaluation(self, number: int) -> LineEvaluation:
        """The evaluation used in the game of this number."""
        size = self.game.start.table.size
        return course_evaluation(size) if number < BATCH else self.belief.evaluation()

    def _update(self) -> None:
        size = self.game.start.table.size
        kept = [positions for at, positions in enumerate(self.batch) if at % HELD_OUT]
        self.belief = self.belief.updated(*features_of(size, np.concatenate(kept)))
        self.held_out = np.concatenate(self.batch[::HELD_OUT])
        self.batch = []

    def measure(self) -> dict[str, float]:
        size = self.game.start.table.size
        metrics = {}
        if self.held_out is not None:
            metrics["held_out_loss"] = log_loss(self.belief.evaluation(), size, self.held_out)
            metrics["course_loss"] = log_loss(course_evaluation(size), size, self.held_out)
        return metrics | _against_reference(self.game, self._evaluation(self.step), self.step)

    def arrays(self) -> Arrays:
        """`played` [position] -> game of the batch, own, other, result: only within a batch."""
        learned = {"weights": self.belief.weights, "precision": self.belief.precision}
        if not self.batch:
            return learned
        played = [np.insert(each, 0, number, axis=1) for number, each in enumerate(self.batch)]
        return learned | {"played": np.concatenate(played).astype(np.int32)}


def positions_of(match: Pushes) -> Positions:
    """Every position of a match, with the result for the side to move."""
    outcome = match.outcome()
    assert outcome is not None
    return np.array(
        [(*masks_of(state), outcome.score(state.to_move)) for state in match.states[:-1]], np.int32
    )


def features_of(size: int, positions: Positions) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(x, y): counts of lines by kind and cubes, and the result, 1 won and 0 lost."""
    own, other, result = positions.T
    kinds = kinds_of_lines(size)
    x = np.zeros((len(positions), max(kinds) + 1, SIDE, SIDE))
    for kind, line in zip(kinds, table_of(size).lines, strict=True):
        counts = np.bitwise_count(own & line), np.bitwise_count(other & line)
        x[np.arange(len(positions)), kind, *counts] += 1
    return x.reshape(len(positions), -1), (1 + result) / 2


def log_loss(evaluation: LineEvaluation, size: int, positions: Positions) -> float:
    """The log loss of the evaluation in nats a position; 0.693 is that of a fair coin."""
    x, y = features_of(size, positions)
    worth = np.zeros((len(evaluation.worth), SIDE, SIDE))
    worth[:, : size + 1, : size + 1] = evaluation.worth[:, : size + 1, : size + 1]
    p = 1 / (1 + np.exp(-x @ worth.reshape(-1)))
    return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))


def _against_reference(
    game: Game[Any, Any], evaluation: LineEvaluation, step: int
) -> dict[str, float]:
    """The record against the course's evaluation at the same depth, seats swapped."""
    size = game.start.table.size
    learner = FixedDepth.of(size, evaluation, 2)
    course = FixedDepth.of(size, course_evaluation(size), 2)
    results: list[int] = []
    for number in range(MEASURED):
        rng = random_at(number // 2, step)
        seat = Seat(number % 2)
        players = (learner, course) if seat is Seat.FIRST else (course, learner)
        outcome = self_play(game, players, opening=4, slips=0.0, rng=rng).outcome()
        assert outcome is not None
        results.append(outcome.score(seat))
    return {
        name: results.count(result) / MEASURED
        for name, result in (("wins", 1), ("draws", 0), ("losses", -1))
    }
