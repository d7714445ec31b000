"""Facts by exact solution or by the rules: who wins, best moves, counts, nim-sums."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agents.errors import TooLargeError, UnsolvedError
from agents.formats import counted
from agents.perfect import quixo4
from agents.perfect.oracles import Oracle, Quixo4Oracle, oracle_for
from agents.tabular.tables import BUDGET, tabulate, why_too_many
from engine import Match, load_game
from engine.core import Verdict
from engine.nim import NimState
from engine.nim_theory import nim_sum, remainders
from webapp.questions.facts import (
    MovesFact,
    NumberFact,
    WinnerFact,
    join_texts,
    judge_moves,
    list_text,
)
from webapp.questions.models import InvalidQuestionError, Question, UnknowableError
from webapp.questions.parser import Arguments

MAX_NAMED = 4  # moves in a sentence


def value(question: Question, _: Arguments) -> WinnerFact:
    """Who wins the position with best play from both sides."""
    match = question.match
    verdicts, source = known_verdicts(match)
    mover = match.state.to_move
    best = max(verdict.value for verdict in verdicts.values())
    winner = None if best == 0 else mover if best > 0 else mover.other
    return WinnerFact(winner, mover, _why(verdicts, mover.mark), source)


def best(question: Question, _: Arguments) -> MovesFact:
    """The moves that keep the value of the position, and the value of every move."""
    match = question.match
    verdicts, source = known_verdicts(match)
    answers = judge_moves(verdicts)
    shown = list_text([one.text for one in answers if one.right], MAX_NAMED, "moves")
    return MovesFact(answers, _why(verdicts, match.state.to_move.mark), source, shown)


def known_verdicts(match: Match[Any, Any]) -> tuple[dict[str, Verdict], str]:
    """The exact value of every move for the mover, by its text, and the source.

    Raises UnknowableError.
    """
    try:
        oracle = _oracle(match.game.spec)
        verdicts = oracle.verdicts(match.state)
        return {str(move): verdict for move, verdict in verdicts.items()}, oracle.source
    except (TooLargeError, UnsolvedError) as error:
        raise UnknowableError(f"who wins here cannot be worked out: {error}") from error


@lru_cache(maxsize=16)
def _oracle(game: str) -> Oracle:
    oracle = oracle_for(load_game(game))
    if isinstance(oracle, Quixo4Oracle) and not quixo4.is_built():
        why = "4×4 Quixo has not been worked out on this machine: `zermelo solve quixo:size=4` does"
        raise UnsolvedError(why)
    return oracle


def _why(verdicts: dict[str, Verdict], mark: str) -> str:
    """One sentence about the position."""
    ordered = judge_moves(verdicts)
    first, right = ordered[0], [one.text for one in ordered if one.right]
    others = len(ordered) - len(right)
    named = list_text(right, MAX_NAMED, "moves")
    if len(ordered) == 1:
        return f"{first.text} is the only move of {mark}: {first.says}."
    if first.value == -1:
        plies = first.plies
        longest = "" if plies is None else f"; {first.text} holds out longest, {_plies(plies)}"
        return f"Every move of {mark} loses against best play{longest}."
    keeps, keep = ("wins", "win") if first.value == 1 else ("holds the draw", "hold the draw")
    if not others:
        return f"Every move of {mark} {keeps}."
    verb = keeps if len(right) == 1 else keep
    rest = f"the other {others} do not" if others > 1 else "the other one does not"
    return f"{'Only ' if len(right) == 1 else ''}{named} {verb} for {mark}; {rest}."


def _plies(plies: int) -> str:
    return counted(plies, "ply", "plies")


def legal(question: Question, _: Arguments) -> NumberFact:
    """The number of legal moves."""
    state = question.match.state
    number = len(state.legal_moves())
    return NumberFact(number, f"{state.to_move.mark} has {_moves(number)} here.", "the rules")


def distinct(question: Question, _: Arguments) -> NumberFact:
    """The number of moves up to symmetry."""
    match = question.match
    state, game = match.state, match.game
    moves = state.legal_moves()
    boards = [state.play(move) for move in moves]
    number = len({game.canonical(board) for board in boards})
    sentence = (
        f"{_moves(len(moves))} lead to {counted(len(set(boards)), 'board', 'boards')}, of which "
        f"{number} differ by more than turning or mirroring."
    )
    return NumberFact(number, sentence, f"the rules and {len(game.symmetries)} symmetries")


def positions(question: Question, _: Arguments) -> NumberFact:
    """The number of positions reachable from here."""
    match = question.match
    if why_too_many(match.game, BUDGET, "count") is not None:
        raise UnknowableError(f"{match.game.spec} has more than {BUDGET:,} positions: too many")
    number = len(tabulate(match.game, match.state).states)
    sentence = f"Play from here reaches {counted(number, 'position', 'positions')}, this one too."
    return NumberFact(number, sentence, "every line of play, followed to its end")


def sum_of_heaps(question: Question, _: Arguments) -> NumberFact:
    """The nim-sum of the heaps."""
    state = question.match.state
    if not isinstance(state, NimState):
        raise InvalidQuestionError(question.game, f"{question.game} has no heaps, so no nim-sum")
    left, total = remainders(state), nim_sum(state)
    width = max(left).bit_length() or 1
    digits = join_texts([f"{heap:0{width}b}" for heap in left])
    modulo = "" if state.rules.max_take is None else f" modulo {state.rules.max_take + 1}"
    heaps = join_texts([str(heap) for heap in state.heaps])
    sentence = (
        f"{heaps}{modulo} in binary: {digits}. The columns with an odd number of ones make "
        f"{total:0{width}b}, which is {total}."
    )
    return NumberFact(total, sentence, "Bouton's nim-sum")


def _moves(number: int) -> str:
    return counted(number, "move", "moves")
