"""What every move of a puzzle comes to, and so whether an answer is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from agents.puzzles.models import Answer, Puzzle, Theme
from agents.puzzles.proof import Prover, best_reply, prover_for
from engine.catalog import load_game
from engine.core import Verdict
from engine.errors import IllegalMoveError

MAX_LINE = 6  # plies that are shown, unless the task speaks of more


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer to a puzzle, right or wrong, and what it comes to."""

    move: str
    right: bool
    answer: Answer

    @property
    def line(self) -> tuple[str, ...]:
        """The move and the best play that follows: of a wrong one, its refutation."""
        return self.move, *self.answer.line


def judge(puzzle: Puzzle, move: str) -> Judgement:
    """Judge a move by what is proven of the puzzle; looks up, and searches nothing.

    Raises InvalidMoveError for a text that is no move, IllegalMoveError for an illegal one.
    """
    game = load_game(puzzle.game)
    text = str(game.parse_move(move))
    if text not in puzzle.answers:
        game.parse_state(puzzle.state).play(game.parse_move(text))
        raise IllegalMoveError(text, puzzle.state, f"nothing is proven of {text} here")
    return Judgement(text, text in puzzle.solutions, puzzle.answers[text])


def answered(puzzle: Puzzle) -> Puzzle:
    """The puzzle with what every legal move comes to; a pure function of it."""
    game = load_game(puzzle.game)
    prover, state = prover_for(game), game.parse_state(puzzle.state)
    tempting, *line = puzzle.refutation
    answers: dict[str, Answer] = {}
    lines = {state.play(game.parse_move(tempting)): tuple(line)}
    for move, verdict in prover.verdicts(state).items():
        after = state.play(move)
        if after not in lines:
            lines[after] = tuple(map(str, _line(prover, puzzle, after, verdict)))
        value, plies = (None, None) if verdict is None else (verdict.value, verdict.plies)
        answers[str(move)] = Answer(value, plies, lines[after])
    return replace(puzzle, answers=answers)


def _line(prover: Prover, puzzle: Puzzle, state: Any, verdict: Verdict | None) -> Iterator[Any]:
    """Best play after a move with this verdict, as far as it is proven."""
    if prover.exact:
        plies = max(MAX_LINE, puzzle.plies or 0) - 1
    elif verdict is None:
        # Whatever is tried after this reply, the task's end is not reached in time.
        plies = 0 if puzzle.theme is Theme.PARRY else 1
    else:
        plies = (verdict.plies or 1) - 1
    horizon = (puzzle.plies or 1) - 1 if verdict is None else plies
    for ply in range(plies):
        if state.outcome() is not None:
            return
        move = best_reply(prover.verdicts(state, horizon - ply))
        yield move
        state = state.play(move)
