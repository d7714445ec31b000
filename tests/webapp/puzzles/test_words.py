"""What is said of answers is counted again here, from the answers' values alone."""

import re
from collections import Counter

import pytest

from agents.puzzles.answers import judge
from agents.puzzles.collection import shipped_puzzles
from agents.puzzles.models import Theme
from engine import load_game
from webapp.puzzles.words import (
    hint_text,
    others_text,
    right_text,
    same_text,
    verdict_text,
    wrong_text,
)


@pytest.mark.parametrize("puzzle", shipped_puzzles(), ids=lambda puzzle: puzzle.id)
def test_every_sentence_agrees_with_what_is_proven(puzzle):
    right = judge(puzzle, puzzle.solutions[0])
    said = right_text(puzzle, right)
    assert right.move in said
    if (found := re.search(r"wins in (\d+) moves?", said)) is not None:
        assert int(found[1]) == (puzzle.plies + 1) // 2
    wrong = [move for move in puzzle.answers if move not in puzzle.solutions]
    others = others_text(puzzle)
    assert int(re.search(r"(\d+) other move", others)[1]) == len(wrong)
    counts = Counter(puzzle.answers[move].value for move in wrong)
    for word, value in (("lose", -1), ("draw", 0), ("win", 1), ("nothing", None)):
        if not puzzle.finds_mistake:
            assert (word in others) == (counts[value] > 0), (others, counts)
    numbers = [int(number) for number in re.findall(r"\d+", others.partition("moves")[2])]
    assert sum(n for n in numbers if n != 5) in (0, len(wrong), *range(len(wrong)))
    for move in wrong:
        said = wrong_text(puzzle, judge(puzzle, move))
        assert move in said
        lost = puzzle.answers[move].value == -1
        short = verdict_text(puzzle, puzzle.answers[move])
        assert ("loses" in said) == ("loses" in short) == lost, (said, short)
        if (found := re.search(r"loses in (\d+) moves", said)) is not None:  # as a match counts
            assert int(found[1]) == puzzle.answers[move].plies


def test_moves_that_leave_the_same_board_are_named_where_one_of_them_is_right():
    several = [each for each in shipped_puzzles() if len(each.solutions) > 1]
    for puzzle in several:
        state = load_game(puzzle.game).parse_state(puzzle.state)
        left = {str(move): state.play(move) for move in state.legal_moves()}
        for right in puzzle.solutions:
            said = same_text(puzzle, judge(puzzle, right))
            same = {move for move in left if move != right and left[move] == left[right]}
            assert set(re.findall(r"[a-e]\d-[a-e]\d", said)) == (
                set() if puzzle.finds_mistake else same
            )
    assert several


def test_sentences_read_well():
    puzzle = next(each for each in shipped_puzzles() if each.theme is Theme.HOLD)
    assert right_text(puzzle, judge(puzzle, "c3")) == "c3 holds the draw."
    assert wrong_text(puzzle, judge(puzzle, "a1")) == "a1: it loses in 2 moves, since x answers c3."
    assert others_text(puzzle) == "3 other moves lose."


def test_a_hint_names_no_move():
    for puzzle in shipped_puzzles():
        said = hint_text(puzzle)
        state = load_game(puzzle.game).parse_state(puzzle.state)
        words = set(re.findall(r"[\w-]+", said))
        moves = {str(move) for move in state.legal_moves()}
        assert not words & moves, said
