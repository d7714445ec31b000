"""Simple players to measure others by: random, greedy, and one that only sees immediate wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase
from typing import Any

from agents.core import Analysis, Candidate, Fact, Limit, Measure, Move, conclude, even_chances
from agents.entry import Entry, Technique, only
from agents.errors import UnsuitableAgentError
from agents.rules.nim_exhibit import columns_exhibit
from agents.rules.source import greedy_heap_source, opportunist_source, random_source
from engine.core import Game, State
from engine.nim import NimState, Take
from engine.options import Kind, Option, Values


@dataclass(frozen=True, slots=True)
class UniformRandom:
    """Plays any legal move, each with the same chance."""

    def analyse(
        self, state: State[Move], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Move]:
        moves = state.legal_moves()
        candidates = [Candidate(move, chance=1 / len(moves)) for move in moves]
        return conclude(
            candidates,
            lambda move: (
                f"It picked {move} at random out of {len(moves)} moves."
                if len(moves) > 1
                else f"{move} is the only legal move."
            ),
            rng,
            measure=Measure.CHANCE,
        )


@dataclass(frozen=True, slots=True)
class HeapRandom:
    """Draws a heap that is not empty, then a count, as the course's random player does."""

    @classmethod
    def for_game(cls, game: Game[Any, Any]) -> HeapRandom:
        if not isinstance(game.start, NimState):
            raise UnsuitableAgentError(f"random:by=heap cannot play {game.spec}: it has no heaps")
        return cls()

    def analyse(
        self, state: NimState, *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Take]:
        moves = state.legal_moves()
        counts = Counter(move.heap for move in moves)
        candidates = [
            Candidate(move, chance=1 / (len(counts) * counts[move.heap])) for move in moves
        ]
        return conclude(
            candidates,
            lambda move: (
                f"It picked one of {len(counts)} rows at random, then how many to take: {move}."
            ),
            rng,
            measure=Measure.CHANCE,
        )


@dataclass(frozen=True, slots=True)
class GreedyHeap:
    """Takes as many as a turn allows from the first heap that is not empty."""

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        moves = state.legal_moves()
        heap = next(at for at, objects in enumerate(state.heaps) if objects)
        greedy = Take(heap, state.rules.most(state.heaps[heap]))
        chances = even_chances(moves, [greedy])
        candidates = [Candidate(move, chance=chances[move]) for move in moves]
        return conclude(
            candidates,
            lambda move: _greedy_reason(state, move),
            rng,
            evidence=[Fact("first heap left", ascii_lowercase[heap])],
            measure=Measure.CHANCE,
            exhibit=columns_exhibit(state, [greedy], "is what it takes, whatever the columns say")
            if show
            else None,
        )


def _greedy_reason(state: NimState, move: Take) -> str:
    name, objects = ascii_lowercase[move.heap], state.heaps[move.heap]
    if move.count == objects:
        return f"Row {name} is the first with matches left, so it takes all of them: {objects}."
    return f"Row {name} is the first with matches left; {move.count} is the most it may take."


@dataclass(frozen=True, slots=True)
class Opportunist:
    """Plays a move that wins at once, else any; it ignores the opponent's replies."""

    def analyse(
        self, state: State[Move], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Move]:
        moves = state.legal_moves()
        scores = {move: _result(state, move) for move in moves}
        wins = [move for move in moves if scores[move] == 1]
        chances = even_chances(moves, wins or moves)
        candidates = [
            Candidate(
                move,
                None if score is None else float(score),
                chances[move],
                proven=score is not None,
                plies=None if score is None else 1,
                line=(move,),
            )
            for move, score in scores.items()
        ]
        return conclude(
            candidates,
            lambda move: _opportunist_reason(move, len(wins), len(moves)),
            rng,
            evidence=[Fact("winning moves", len(wins)), Fact("legal moves", len(moves))],
            measure=Measure.CHANCE,
        )


def _result(state: State[Move], move: Move) -> int | None:
    """The result for the mover if the move ends the game."""
    outcome = state.play(move).outcome()
    return None if outcome is None else outcome.score(state.to_move)


def _opportunist_reason(move: object, wins: int, moves: int) -> str:
    if wins:
        alone = "no other move does" if wins == 1 else f"{wins} moves do; it picked one"
        return f"{move} wins at once; {alone}."
    if moves == 1:
        return f"{move} is the only legal move."
    return f"It cannot win at once, so it picked {move} at random out of {moves} moves."


def _random(game: Game[Any, Any], options: Values) -> UniformRandom | HeapRandom:
    return HeapRandom.for_game(game) if options.text("by") == "heap" else UniformRandom()


def _random_suits(game: Game[Any, Any], options: Values) -> None:
    _random(game, options)


ENTRIES = (
    Entry(
        key="random",
        title="Random",
        technique=Technique.RULES,
        order=1,
        description=(
            "Picks any legal move, each as likely as the next. "
            "Anyone can beat it, which makes it the yardstick for everyone else."
        ),
        options=(
            Option(
                "by",
                Kind.CHOICE,
                "move",
                "every move alike, or in Nim first a heap and then a count",
                choices=("move", "heap"),
            ),
        ),
        make=_random,
        source=random_source,
        suits=_random_suits,
    ),
    Entry(
        key="opportunist",
        title="Opportunist",
        technique=Technique.RULES,
        order=2,
        description=(
            "Wins at once when it can and otherwise plays any legal move. "
            "It never looks at what you are about to do."
        ),
        make=lambda game, options: Opportunist(),
        source=opportunist_source,
    ),
    Entry(
        key="greedy-heap",
        title="Greedy heap",
        technique=Technique.RULES,
        order=3,
        description=(
            "Takes all it may of the first heap that is not empty, every time. "
            "Knowing that, you can plan the whole game ahead."
        ),
        make=lambda game, options: GreedyHeap(),
        source=greedy_heap_source,
        refuses=only("nim"),
        shows=True,
    ),
)
