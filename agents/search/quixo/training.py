"""How quixo-deep learns what lines are worth: logistic regression on games against itself.

Every stretch of games is played with what is known by then, and changes it as Bayes would: what
was learned before is a Gaussian, the new games its evidence. Every fifth game is held out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arrays.quixo import kinds_of_lines, masks_of
from agents.contest.scores import Score
from agents.errors import UnsuitableBrainError
from agents.search.quixo import kernel as kernels
from agents.search.quixo.kernel import SIDE, WIN, Workspace
from agents.search.quixo.lines import LineEvaluation, course_evaluation
from agents.search.quixo.root import new_search, past_of, path_to
from agents.training.brains import Brain
from agents.training.trainer import Checkpoint, stretch_seed
from engine.core import Game, Options, Seat
from engine.match import Match
from engine.quixo import Push, QuixoState

KEY = "quixo-deep"
REFERENCE = "quixo-deep:evaluation=course,depth=2"
TRAINED = ("games",)  # of its options, those that say how it was trained
STRETCH = 100  # games
DEPTH = 4  # plies that it looks ahead in training games
SLIPS = 0.1  # of the moves are random, to see what comes of mistakes
CONTEMPT = 0.3  # it would rather play on than repeat: a draw teaches little
OPENING = range(2, 13)  # random plies that a training game begins with
HELD_OUT = 5  # one game in so many
MEASURED = 20  # games against the reference after each stretch, from 4 random plies
FORGETS = 0.95  # of what the games before a stretch are still worth: others played them
PRIOR = 20.0  # how sure it is, before the first game, that a line is worth nothing
UNIT = 400.0

Pushes = Match[QuixoState, Push]


@dataclass(frozen=True, eq=False)
class Belief:
    """What lines are worth, and how sure that is: a Gaussian over the weights."""

    weights: NDArray[np.float64]  # [weight]
    precision: NDArray[np.float64]  # [weight, weight]

    @classmethod
    def blank(cls, size: int) -> Belief:
        weights = (max(kinds_of_lines(size)) + 1) * SIDE * SIDE
        return cls(np.zeros(weights), PRIOR * np.eye(weights))

    def updated(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> Belief:
        """By positions x and their results y (1 won, 0 lost), by Newton's method."""
        prior = FORGETS * self.precision
        weights, precision = self.weights, prior
        for _ in range(8):
            p = 1 / (1 + np.exp(-x @ weights))
            gradient = x.T @ (p - y) + prior @ (weights - self.weights)
            precision = (x.T * (p * (1 - p))) @ x + prior
            weights = weights - np.linalg.solve(precision, gradient)
        # Rounded, so that the last bits of another machine's algebra change nothing.
        return Belief(weights.round(3), precision.round(3))

    def evaluation(self) -> LineEvaluation:
        return learned_evaluation(self.weights)


def learned_evaluation(weights: NDArray[np.float64]) -> LineEvaluation:
    return LineEvaluation("learned", weights.reshape(-1, SIDE, SIDE), UNIT)


def evaluation_of(brain: Brain, size: int) -> LineEvaluation:
    """The evaluation in a brain; raises UnsuitableBrainError."""
    return learned_evaluation(brain.array("weights", Belief.blank(size).weights.shape, "f8"))


def train(
    game: Game[QuixoState, Push], options: Options, seed: int, resume: Brain | None = None
) -> Iterator[Checkpoint]:
    """Play, learn, and show what that was good for, a stretch at a time."""
    size = game.start.table.size
    total = options["games"]
    assert isinstance(total, int)
    trained = {name: options[name] for name in TRAINED}
    brain = Brain(KEY, game.spec, trained, seed, 0, {}, reference=REFERENCE)
    belief = Belief.blank(size)
    if resume is not None:
        brain, belief = _resumed(resume, brain, belief, total)
    for _ in range(ceil((total - brain.steps) / STRETCH)):
        games = min(STRETCH, total - brain.steps)
        rng = Random(stretch_seed(seed, brain.steps))
        evaluation = belief.evaluation() if brain.steps else course_evaluation(size)
        players = (FixedDepth.of(size, evaluation, DEPTH),) * 2
        played = [self_play(game, players, rng.choice(OPENING), SLIPS, rng) for _ in range(games)]
        held = played[::HELD_OUT]
        kept = [match for at, match in enumerate(played) if at % HELD_OUT]
        belief = belief.updated(*lessons_of(kept)) if kept else belief
        metrics = {"held_out_loss": log_loss(belief.evaluation(), held)}
        metrics["course_loss"] = log_loss(course_evaluation(size), held)
        metrics |= _against_reference(game, belief.evaluation(), brain.steps)
        arrays = {"weights": belief.weights, "precision": belief.precision}
        brain = brain.grown(brain.steps + games, arrays, metrics)
        yield Checkpoint(brain.steps, total, metrics, brain)


def _resumed(old: Brain, new: Brain, belief: Belief, total: int) -> tuple[Brain, Belief]:
    old.check(new.agent, new.game)
    if old.steps >= total:
        why = f"this brain has learned from {old.steps:,} games already: ask for more than that"
        raise UnsuitableBrainError(old.agent, why)
    weights = old.array("weights", belief.weights.shape, "f8")
    precision = old.array("precision", belief.precision.shape, "f8")
    grown = Brain(
        new.agent,
        new.game,
        new.parameters,
        new.seed,
        old.steps,
        old.arrays,
        old.curve,
        new.reference,
    )
    return grown, Belief(weights, precision)


@dataclass(frozen=True, eq=False)
class FixedDepth:
    """A search of fixed depth that plays at once: for games by the thousand."""

    search: Workspace
    depth: int

    @classmethod
    def of(cls, size: int, evaluation: LineEvaluation, depth: int) -> FixedDepth:
        search = new_search(size, evaluation, slots=1 << 14)
        return cls(search._replace(draw=evaluation.score(-CONTEMPT)), depth)

    def push(self, match: Pushes) -> Push:
        """The best push by its lights. What it remembers is of one game: `forget` before the next.

        A win at once is not remembered but seen, so it is looked for here.
        """
        state = match.state
        past = past_of(state, match.states[:-1])
        search = self.search._replace(path=path_to(state, past))
        own, other = masks_of(state)
        value = kernels.negamax(own, other, self.depth, -WIN - 1, WIN + 1, 0, len(past), search)
        if value == WIN - 1:
            return next(push for push in state.legal_moves() if _wins(state, push))
        number = int(kernels.recall(kernels.key_of(own, other), search.table)[3])
        if number == kernels.NO_MOVE:  # every move is a repetition or loses at once
            return state.legal_moves()[0]
        return tuple(state.table.slides)[number]

    def forget(self) -> None:
        self.search.table[:] = 0


def _wins(state: QuixoState, push: Push) -> bool:
    outcome = state.play(push).outcome()
    return outcome is not None and outcome.winner is state.to_move


def self_play(
    game: Game[QuixoState, Push],
    players: Sequence[FixedDepth],
    opening: int,
    slips: float,
    rng: Random,
) -> Pushes:
    """One game between the two, after so many random plies and with so many random moves."""
    for player in players:
        player.forget()
    match = Match.begin(game)
    while match.outcome() is None:
        if match.ply < opening or rng.random() < slips:
            match = match.play(rng.choice(match.state.legal_moves()))
        else:
            match = match.play(players[match.state.to_move].push(match))
    return match


def lessons_of(matches: Sequence[Pushes]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(x, y): for every position, its lines by kind and cubes, and what the mover made of it."""
    states, results = [], []
    for match in matches:
        outcome = match.outcome()
        assert outcome is not None
        for state in match.states[:-1]:
            states.append(masks_of(state))
            results.append((1 + outcome.score(state.to_move)) / 2)
    table = matches[0].game.start.table
    own, other = np.array(states).T
    kinds = kinds_of_lines(table.size)
    x = np.zeros((len(states), max(kinds) + 1, SIDE, SIDE))
    for kind, line in zip(kinds, table.lines, strict=True):
        counts = np.bitwise_count(own & line), np.bitwise_count(other & line)
        x[np.arange(len(states)), kind, *counts] += 1
    return x.reshape(len(states), -1), np.array(results)


def log_loss(evaluation: LineEvaluation, matches: Sequence[Pushes]) -> float:
    """How surprised the evaluation is by the results, in nats a position; 0.693 is a coin's."""
    x, y = lessons_of(matches)
    size = matches[0].game.start.table.size
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
    record = Score()
    for number in range(MEASURED):
        rng = Random(stretch_seed(number // 2, step))
        seat = Seat(number % 2)
        players = (learner, course) if seat is Seat.FIRST else (course, learner)
        outcome = self_play(game, players, opening=4, slips=0.0, rng=rng).outcome()
        assert outcome is not None
        record += Score.of(outcome.score(seat))
    games = record.games
    return {
        "wins": record.wins / games,
        "draws": record.draws / games,
        "losses": record.losses / games,
    }
