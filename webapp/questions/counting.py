"""What can be counted in a position: moves, moves that differ, states, the nim-sum."""

from __future__ import annotations

from agents.formats import counted
from agents.tabular.tables import BUDGET, tabulate, why_too_many
from engine.nim import NimState
from engine.nim_theory import nim_sum, remainders
from webapp.questions.arguments import Arguments
from webapp.questions.errors import InvalidQuestionError, UnknowableError
from webapp.questions.facts import NumberFact
from webapp.questions.posed import PosedQuestion
from webapp.questions.words import joined


def legal(posed: PosedQuestion, _: Arguments) -> NumberFact:
    """How many moves there are."""
    state = posed.match.state
    number = len(state.legal_moves())
    return NumberFact(number, f"{state.to_move.mark} has {_moves(number)} here.", "the rules")


def distinct(posed: PosedQuestion, _: Arguments) -> NumberFact:
    """How many moves differ: those that lead to the same board turned or mirrored count once."""
    match = posed.match
    state, game = match.state, match.game
    moves = state.legal_moves()
    boards = [state.play(move) for move in moves]
    number = len({game.canonical(board) for board in boards})
    sentence = (
        f"{_moves(len(moves))} lead to {counted(len(set(boards)), 'board', 'boards')}, of which "
        f"{number} differ by more than turning or mirroring."
    )
    return NumberFact(number, sentence, f"the rules and {len(game.symmetries)} symmetries")


def positions(posed: PosedQuestion, _: Arguments) -> NumberFact:
    """How many positions play can reach from here."""
    match = posed.match
    if why_too_many(match.game, BUDGET, "count") is not None:
        raise UnknowableError(f"{match.game.spec} has more than {BUDGET:,} positions: too many")
    number = len(tabulate(match.game, match.state).states)
    sentence = f"Play from here reaches {counted(number, 'position', 'positions')}, this one too."
    return NumberFact(number, sentence, "every line of play, followed to its end")


def sum_of_heaps(posed: PosedQuestion, _: Arguments) -> NumberFact:
    """The nim-sum of the heaps: their binary digits, added without carrying."""
    state = posed.match.state
    if not isinstance(state, NimState):
        raise InvalidQuestionError(posed.game, f"{posed.game} has no heaps, so no nim-sum")
    left, total = remainders(state), nim_sum(state)
    width = max(left).bit_length() or 1
    digits = joined([f"{heap:0{width}b}" for heap in left])
    modulo = "" if state.rules.max_take is None else f" modulo {state.rules.max_take + 1}"
    heaps = joined([str(heap) for heap in state.heaps])
    sentence = (
        f"{heaps}{modulo} in binary: {digits}. The columns with an odd number of ones make "
        f"{total:0{width}b}, which is {total}."
    )
    return NumberFact(total, sentence, "Bouton's nim-sum")


def _moves(number: int) -> str:
    return counted(number, "move", "moves")
