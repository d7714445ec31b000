"""A puzzle as a question to a class: its right moves are those that were proven."""

from __future__ import annotations

from agents.puzzles.collection import shipped_puzzle
from agents.puzzles.models import Puzzle
from engine.errors import quoted
from webapp.questions.facts import MovesFact, list_text
from webapp.questions.models import InvalidQuestionError, Judgement, Question
from webapp.questions.parser import Arguments

MAX_NAMED = 4  # moves in a sentence
NO_PUZZLE = "`zermelo puzzles show --json` lists those there are"


def parse_puzzle(text: str) -> Question:
    """The question of the puzzle with this id; raises InvalidQuestionError."""
    found = shipped_puzzle(text.strip())
    if found is None:
        raise InvalidQuestionError(text, f"there is no puzzle {quoted(text)}: {NO_PUZZLE}")
    return puzzle_question(found)


def puzzle_question(puzzle: Puzzle) -> Question:
    """The task of a puzzle, answered by a move on its board."""
    return Question(puzzle.game, puzzle.task, f"puzzle {puzzle.id}", start=puzzle.state)


def puzzle_moves(question: Question, arguments: Arguments) -> MovesFact:
    """The right moves of a puzzle, and what every move comes to."""
    found = shipped_puzzle(arguments.words[0])
    if found is None:
        raise arguments.wrong(f"there is no such puzzle: {NO_PUZZLE}")
    if (found.game, found.state) != (question.game, str(question.match.state)):
        raise arguments.wrong("that puzzle is about another position")
    answers = [
        Judgement(move, move in found.solutions, value=answer.value, plies=answer.plies)
        for move, answer in found.answers.items()
    ]
    answers.sort(key=lambda one: not one.right)
    shown = list_text(list(found.solutions), MAX_NAMED, "moves")
    return MovesFact(tuple(answers), "", f"As it is proven: {found.source}.", shown)
