"""What a puzzle's page says of answers, in words; every figure is counted from what is proven."""

from __future__ import annotations

from collections import Counter
from typing import Any

from agents.formats import counted
from agents.puzzles.answers import Judgement
from agents.puzzles.models import Answer, Puzzle, Theme
from agents.puzzles.proof import HORIZON
from engine import Game, Match, Seat
from engine.catalog import load_game
from webapp.boards import half_move_text, has_marks

KEEPS = {1: "wins", 0: "holds the draw"}


def opponent_name(puzzle: Puzzle) -> str:
    """The other player: their mark, where pieces show one."""
    game = load_game(puzzle.game)
    return _other_name(game, game.parse_state(puzzle.state).to_move)


def _other_name(game: Game[Any, Any], you: Seat) -> str:
    return str(you.other.mark) if has_marks(game) else "the other player"


def turn_text(match: Match[Any, Any], you: Seat) -> str:
    """Whose turn it is, or how it has ended."""
    outcome = match.outcome()
    if outcome is not None:
        return {1: "You win", 0: "A draw", -1: "You lose"}[outcome.score(you)]
    if has_marks(match.game):
        return f"{match.state.to_move.mark} to move"
    return "Your move" if match.state.to_move is you else "Opponent’s move"


def move_text(match: Match[Any, Any], you: Seat) -> str:
    """The last move of a line: `x answers b1-a1 and wins`."""
    outcome, mover = match.outcome(), match.state.to_move.other
    own = mover is you
    name = _other_name(match.game, you)
    said = f"You play {match.moves[-1]}" if own else f"{name} answers {match.moves[-1]}"
    if outcome is not None:
        end = {1: ("win", "wins"), 0: ("draw", "draws"), -1: ("lose", "loses")}
        said += f" and {end[outcome.score(mover)][not own]}"
    return said if has_marks(match.game) else said[0].upper() + said[1:]


def verdict_text(puzzle: Puzzle, answer: Answer) -> str:
    """What is wrong with an answer, in a few words."""
    if puzzle.finds_mistake:
        return f"it still {'wins' if answer.value == 1 else 'draws'}"
    if answer.value == -1:
        if not answer.line:
            return "it loses at once"
        if answer.plies is None:
            return "it loses"
        return f"it loses in {counted(answer.plies, 'move', 'moves')}"
    if answer.value is None:
        return "it forces no win"
    return "it wins, but later" if answer.value == 1 else "it only draws"


def right_text(puzzle: Puzzle, judged: Judgement) -> str:
    """Why the answer is right: `a1-e1 wins in 2 moves: …`."""
    move, answer = judged.move, judged.answer
    if puzzle.finds_mistake:
        return f"{move} is the mistake: {_harm(puzzle, answer)}."
    match puzzle.theme:
        case Theme.NIM_SUM:
            return f"{move} wins: it leaves nim-sum 0."
        case Theme.MISERE:
            return f"{move} wins, though it does not leave nim-sum 0."
    if answer.value is None:
        assert puzzle.plies is not None
        soon = counted(puzzle.plies // 2, "move", "moves")
        return f"After {move} {opponent_name(puzzle)} cannot win within {soon} of its own."
    if puzzle.plies is None or answer.plies is None:
        return f"{move} {KEEPS[answer.value]}."
    wins = f"{move} wins in {own_moves(answer.plies)}"
    if answer.plies == 3:
        return f"{wins}: whatever {opponent_name(puzzle)} answers, you win with your next move."
    return f"{wins}, whatever {opponent_name(puzzle)} answers."


def wrong_text(puzzle: Puzzle, judged: Judgement) -> str:
    """Why the answer is wrong, with the move that shows it."""
    move, answer = judged.move, judged.answer
    if puzzle.finds_mistake:
        keeps = "wins" if answer.value == 1 else "draws"
        return f"{move} is no mistake: it still {keeps}."
    if answer.value == 1:
        assert answer.plies is not None
        return f"{move} wins too, but takes longer: {own_moves(answer.plies)}."
    if answer.value is None:
        reply = answer.line[0]
        return f"{move} forces no win within {HORIZON} turns: {opponent_name(puzzle)} has {reply}."
    return f"{move}: {_harm(puzzle, answer)}."


def _harm(puzzle: Puzzle, answer: Answer) -> str:
    if answer.value == 0:
        return "it only draws"
    if not answer.line:
        return "it loses at once"
    reply = f"{opponent_name(puzzle)} answers {answer.line[0]}"
    if answer.plies is None:
        return f"it loses, since {reply}"
    return f"it loses in {counted(answer.plies, 'move', 'moves')}, since {reply}"


def own_moves(plies: int) -> str:
    """Plies to one's own last move, in moves of one's own."""
    return f"{counted((plies + 1) // 2, 'move', 'moves')} of yours"


def same_text(puzzle: Puzzle, judged: Judgement) -> str:
    """Which other moves are right too, as they leave the same board."""
    same = [move for move in puzzle.solutions if move != judged.move]
    if not same or puzzle.finds_mistake:
        return ""
    return f"{', '.join(same)} {'leaves' if len(same) == 1 else 'leave'} the same board."


def others_text(puzzle: Puzzle) -> str:
    """What the wrong moves come to: `41 other moves only draw or lose.`"""
    wrong = [
        answer.value for move, answer in puzzle.answers.items() if move not in puzzle.solutions
    ]
    count, values = len(wrong), Counter(wrong)
    others = counted(count, "other move", "other moves")
    if puzzle.finds_mistake:
        keep = "keeps" if count == 1 else "keep"
        return f"{others} {keep} {'the win' if puzzle.value == 1 else 'the draw'}."
    lose, draw = ("loses", "only draws") if count == 1 else ("lose", "only draw")
    nothing = f"force{'s' if count == 1 else ''} nothing within {HORIZON} turns"
    alone = {-1: lose, 0: draw, None: nothing, 1: f"win{'s' if count == 1 else ''}, but later"}
    if len(values) == 1:
        return f"{others} {alone[wrong[0]]}."
    if values.keys() == {-1, 0}:
        return f"{others} only draw or lose."
    parts = [
        text.format(counted(values[value], one, many))
        for value, one, many, text in (
            (1, "wins", "win", "{} later"),
            (0, "draws", "draw", "{}"),
            (None, "forces", "force", f"{{}} nothing within {HORIZON} turns"),
            (-1, "loses", "lose", "{}"),
        )
        if values[value]
    ]
    return f"Of {others} {' and '.join(filter(None, (', '.join(parts[:-1]), parts[-1])))}."


def hint_text(puzzle: Puzzle) -> str:
    """A hint that leaves something to find."""
    half = half_move_text(load_game(puzzle.game), puzzle.solutions[0])
    return f"Hint: {half}."
