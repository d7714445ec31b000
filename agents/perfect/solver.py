"""The perfect player: exact values, with ties broken by the share of replies that are mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from time import perf_counter
from typing import Any

from agents.core import (
    Analysis,
    Candidate,
    Effort,
    Fact,
    Limit,
    Measure,
    conclude,
    even_chances,
)
from agents.entry import Entry, Technique
from agents.errors import UnsolvedError
from agents.exhibits import Answering, Answers
from agents.formats import counted
from agents.perfect.oracles import Oracle, oracle_for, part_solved, why_unsolved
from engine.core import State, Verdict

LONGEST_LINE = 8  # plies


@dataclass(frozen=True, slots=True)
class Perfect:
    """Plays by the exact values of an oracle."""

    oracle: Oracle

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
        try:
            verdicts = self.oracle.verdicts(state)
        except UnsolvedError as error:
            return _random_analysis(state, str(error), rng)
        chosen = _best_moves(verdicts)
        replies = sum(len(state.play(move).legal_moves()) for move in chosen)
        traps, effort = None, Effort(nodes=len(verdicts), depth=1)
        if _within(limit, len(verdicts) + replies):
            shares = {move: self._mistakes(state.play(move)) for move in chosen}
            traps, effort = max(shares.values()), Effort(nodes=len(verdicts) + replies, depth=2)
            chosen = [move for move in chosen if shares[move] == traps]
        chances = even_chances(verdicts, chosen)
        candidates = [
            Candidate(
                move,
                verdict.value,
                chances[move],
                proven=True,
                plies=verdict.plies,
                line=(move,),
            )
            for move, verdict in verdicts.items()
        ]
        analysis = conclude(
            candidates,
            lambda move: _reason(verdicts, move, traps),
            rng,
            evidence=self._evidence(verdicts),
            exhibit=self._answers(state, verdicts) if show else None,
        )
        return replace(
            analysis,
            candidates=self._with_line(state, analysis),
            effort=replace(effort, seconds=perf_counter() - begun),
        )

    def _with_line(self, state: State[Any], analysis: Analysis[Any]) -> tuple[Candidate[Any], ...]:
        """The candidates with the line of the choice; those of all would take long."""
        return tuple(
            replace(each, line=self._line(state, each.move))
            if each.move == analysis.choice
            else each
            for each in analysis.candidates
        )

    def _answers(self, state: State[Any], verdicts: dict[Any, Verdict]) -> Answers:
        """The number of replies to each move, and of mistakes among them."""
        answers = []
        for move, verdict in verdicts.items():
            after = state.play(move)
            replies = len(after.legal_moves())
            wrong = self._mistakes(after) * replies
            answers.append(Answering(str(move), verdict.value, verdict.plies, replies, int(wrong)))
        return Answers(tuple(answers), self.oracle.source)

    def _mistakes(self, state: State[Any]) -> Fraction:
        """The share of moves that lower the value of the position."""
        values = [verdict.value for verdict in self.oracle.verdicts(state).values()]
        if not values:
            return Fraction(0)
        return Fraction(len(values) - values.count(max(values)), len(values))

    def _line(self, state: State[Any], move: Any) -> tuple[Any, ...]:
        """The line of best play that begins with this move."""
        line = [move]
        state = state.play(move)
        while state.outcome() is None and len(line) < LONGEST_LINE:
            line.append(_best_moves(self.oracle.verdicts(state))[0])
            state = state.play(line[-1])
        return tuple(line)

    def _evidence(self, verdicts: dict[Any, Verdict]) -> list[Fact]:
        values = [verdict.value for verdict in verdicts.values()]
        return [
            Fact("winning moves", values.count(1)),
            Fact("drawing moves", values.count(0)),
            Fact("losing moves", values.count(-1)),
            Fact("knows from", self.oracle.source),
        ]


def _random_analysis(state: State[Any], why: str, rng: Random) -> Analysis[Any]:
    """A random move for an unsolved state, with the reason."""
    moves = state.legal_moves()
    return conclude(
        [Candidate(move, chance=1 / len(moves)) for move in moves],
        lambda move: f"It does not know this position: {why}. It picked {move} at random.",
        rng,
        measure=Measure.CHANCE,
    )


def _within(limit: Limit, nodes: int) -> bool:
    """Whether the limit allows a search of two plies with this many nodes."""
    enough = limit.nodes is None or nodes <= limit.nodes
    return enough and (limit.depth is None or limit.depth >= 2)


def _best_moves(verdicts: dict[Any, Verdict]) -> list[Any]:
    """The moves of the highest value, with the quickest win or the slowest loss."""
    merits = {
        move: (verdict.value, -verdict.value * (verdict.plies or 0))
        for move, verdict in verdicts.items()
    }
    best = max(merits.values())
    return [move for move, merit in merits.items() if merit == best]


def _reason(verdicts: dict[Any, Verdict], move: Any, traps: Fraction | None) -> str:
    """The reason for this move; `traps` is the share of replies that are mistakes, if known."""
    verdict = verdicts[move]
    if len(verdicts) == 1:
        return f"{move} is the only legal move."
    alike = sum(other.value == verdict.value for other in verdicts.values())
    plies = "" if verdict.plies is None else f" in {counted(verdict.plies, 'move', 'moves')}"
    if verdict.value > 0:
        others = "no other move wins" if alike == 1 else f"{alike} of {len(verdicts)} moves win"
        return f"{move} wins{plies}; {others}."
    if verdict.value == 0:
        others = f"so do {alike - 1} others" if alike > 2 else "so does one other"
        if alike == 1:
            others = "every other move loses"
        return f"{move} holds the draw, {others}{_mistakes_text('; ', traps)}."
    return f"Every move loses against best play{plies}{_mistakes_text(f'; after {move} ', traps)}."


def _mistakes_text(joined: str, traps: Fraction | None) -> str:
    if traps is None:
        return ""
    some = f"{float(traps):.0%} of the replies would be a mistake"
    return joined + (some if traps else "no reply is a mistake")


ENTRIES = (
    Entry(
        key="perfect",
        title="Perfect",
        technique=Technique.PERFECT,
        description=(
            "Has worked out every position to its end, so it never throws away a win or a draw. "
            "Among equal moves it plays the one that is easiest to go wrong against."
        ),
        make=lambda game, options: Perfect(oracle_for(game)),
        refuses=why_unsolved,
        knows_only=part_solved,
        shows=True,
    ),
)
